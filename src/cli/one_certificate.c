/* A certificate of one part, for the commands that write one beside their answer. */
#include "one_certificate.h"

#include <stdio.h>

int
cli_certificate_begin(ckda_cert_writer **w, const char *file)
{
    ckda_error err;
    ckda_error_clear(&err);
    const ckda_status st = ckda_cert_open(w, file, 1, &err);
    return st == CKDA_OK ? 0 : cli_fail(st, &err);
}

int
cli_certificate_end(ckda_cert_writer **w, ckda_status status, const char *file, int code,
                    ckda_error *err)
{
    if (status == CKDA_OK)
        status = ckda_cert_close(w, err);
    ckda_cert_abandon(w);
    if (status == CKDA_E_DOMAIN)
        fprintf(stderr, "ckda: %s: not written: %s\n", file, err->text);
    return status == CKDA_OK || status == CKDA_E_DOMAIN ? code : cli_fail(status, err);
}

int
cli_certify_factors(const char *file, const char *name, const ckda_mat_t M,
                    const factor_result *r, int code)
{
    const ckda_cert_about about = {.system = name};
    ckda_cert_writer *w;
    ckda_error err;
    ckda_error_clear(&err);
    if (file == NULL)
        return code;
    if (!r->verified) {
        fprintf(stderr, "ckda: %s: not written, there is no exact product\n", file);
        return code;
    }
    const int failed = cli_certificate_begin(&w, file);
    if (failed != 0)
        return failed;
    ckda_cert_add_factors(w, &about, M, r->factors, 1, r->K);
    return cli_certificate_end(&w, CKDA_OK, file, code, &err);
}

int
cli_certify_network(const char *file, const char *name, const ckda_net *net,
                    ckda_net_graph *g, int code)
{
    const ckda_cert_about about = {.system = name,
                                   .construction = ckda_net_construction(net)};
    ckda_cert_writer *w;
    ckda_error err;
    ckda_error_clear(&err);
    if (g == NULL) {
        fprintf(stderr,
                "ckda: %s: not written, the graph of joint states did not close\n", file);
        return code;
    }
    const int failed = cli_certificate_begin(&w, file);
    if (failed != 0)
        return failed;
    const ckda_status st = ckda_cert_add_network(w, &about, net, g, &err);
    return cli_certificate_end(&w, st, file, code, &err);
}
