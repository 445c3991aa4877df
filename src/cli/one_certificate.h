/* A certificate of one part, for the commands that write one beside their answer. */
#ifndef CKDA_SRC_CLI_ONE_CERTIFICATE_H
#define CKDA_SRC_CLI_ONE_CERTIFICATE_H
#include "ckda/cert.h"
#include "cli.h"
#include "factor_print.h"

/* After ckda_cert_open with one part and `status` of adding it: the file takes its place, or
 * is thrown away.  Returns code, or after a message the exit code of what went wrong; a
 * part that has no certificate (CKDA_E_DOMAIN) is told on stderr and changes no code. */
int cli_certificate_end(ckda_cert_writer **w, ckda_status status, const char *file,
                        int code, ckda_error *err);
/* ckda_cert_open with one part; 0, or the exit code after a message. */
int cli_certificate_begin(ckda_cert_writer **w, const char *file);

/* file == NULL: none is wanted; only exact products have one. */
int cli_certify_factors(const char *file, const char *name, const ckda_mat_t M,
                        const factor_result *r, int code);
/* g == NULL: the graph was refuted or not closed. */
int cli_certify_network(const char *file, const char *name, const ckda_net *net,
                        ckda_net_graph *g, int code);

#endif
