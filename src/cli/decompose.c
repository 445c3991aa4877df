/* ckda decompose */
#include "cli.h"

#include "ckda/factor.h"
#include "ckda/input.h"
#include "ckda/report.h"
#include "file_command.h"

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

int
cli_decompose(int argc, char **argv)
{
    cli_file_options o;
    ckda_input_t in;
    ckda_error err;
    cli_parse_file(
        &o, argc, argv,
        "Theorem 1: writes an orthogonal D + u v^T as (I - 2kk^T) S, exactly, or "
        "says which property fails and where (exit code 1).  FILE is a JSON "
        "document: {\"diagonal\", \"u\", \"v\"}, a matrix, a permutation or a "
        "transition.");
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
    ckda_decomposition_clear(dec, in->K);
    ckda_input_clear(in);
    return code;
}
