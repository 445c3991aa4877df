/* ckda decompose */
#include "cli.h"

#include "ckda/factor.h"
#include "ckda/input.h"
#include "ckda/report.h"
#include "file_command.h"
#include "one_certificate.h"

#include <stdio.h>

typedef struct {
    bool json;
    const char *file, *certificate;
} options;

enum { KEY_CERTIFICATE = 0x100 };

static const struct argp_option option_table[] = {
    {"certificate", KEY_CERTIFICATE, "OUT", 0,
     "The decomposition for ckda-recheck, into OUT", 0},
    {"json", 'j', NULL, 0, "One JSON document", 0},
    {0}};

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case 'j':
        o->json = true;
        return 0;
    case KEY_CERTIFICATE:
        o->certificate = arg;
        return 0;
    case ARGP_KEY_ARG:
    case ARGP_KEY_NO_ARGS:
        return cli_parse_operand(&o->file, "FILE", key, arg, state);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static ckda_status
decompose(ckda_decomposition_t dec, const ckda_input_t in, ckda_error *err)
{
    ckda_mat_t A;
    if (in->kind == CKDA_INPUT_DPR1) {
        ckda_dpr1_struct d = {in->n, in->diagonal, in->u, in->v};
        return ckda_decompose_dpr1(dec, &d, in->K);
    }
    ckda_status status = ckda_input_matrix(A, in, err);
    if (status != CKDA_OK)
        return status;
    status = ckda_decompose_matrix(dec, A, in->K);
    ckda_mat_clear(A, in->K);
    return status;
}

static int
certify(const options *o, const ckda_decomposition_t dec, const ckda_field_t K, int code)
{
    const ckda_cert_about about = {.system = o->file};
    ckda_cert_writer *w;
    ckda_error err;
    ckda_error_clear(&err);
    const int failed = cli_certificate_begin(&w, o->certificate);
    if (failed != 0)
        return failed;
    const ckda_status st = ckda_cert_add_decomposition(w, &about, dec, K, &err);
    return cli_certificate_end(&w, st, o->certificate, code, &err);
}

int
cli_decompose(int argc, char **argv)
{
    options o = {0};
    ckda_input_t in;
    ckda_error err;
    static const struct argp argp = {
        option_table,
        parse,
        "FILE",
        "Theorem 1: writes an orthogonal D + u v^T as (I - 2kk^T) S, exactly, or "
        "says which property fails and where (exit code 1).  FILE is a JSON "
        "document: {\"diagonal\", \"u\", \"v\"}, a matrix, a permutation or a "
        "transition.",
        NULL,
        NULL,
        NULL};
    cli_parse(&argp, argc, argv, &o);
    ckda_error_clear(&err);
    ckda_status status = ckda_input_open(in, o.file, &err);
    if (status != CKDA_OK)
        return cli_fail(status, &err);
    ckda_decomposition_t dec;
    ckda_decomposition_init(dec, in->K);
    status = decompose(dec, in, &err);
    int code = dec->verified ? EXIT_HOLDS : EXIT_REFUTED;
    if (status == CKDA_OK)
        ckda_report_decompose(stdout, o.json, dec, in->K);
    else
        code = cli_fail_on_file(status, o.file, &err);
    if (status == CKDA_OK && o.certificate != NULL)
        code = certify(&o, dec, in->K, code);
    ckda_decomposition_clear(dec, in->K);
    ckda_input_clear(in);
    return code;
}
