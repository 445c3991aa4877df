/* The folder of `ckda verify --certificates`: one file for each claim that holds and has a
 * finite core that its input lists (closures, networks, decompositions, factors), and a list
 * of all claims. */
#ifndef CKDA_SRC_CLI_CERTIFICATES_H
#define CKDA_SRC_CLI_CERTIFICATES_H
#include "cli.h"

/* Makes the folder if it is not there; one line about what was done on stderr.  Returns
 * EXIT_HOLDS or, after a message, the exit code of what went wrong. */
int cli_write_certificates(const char *folder, const ckda_outcome *claims,
                           size_t nclaims);
/* The same without the line; *written: how many claims have one. */
CKDA_MUST_CHECK ckda_status cli_make_certificates(size_t *written, const char *folder,
                                                  const ckda_outcome *claims,
                                                  size_t nclaims, ckda_error *err);

#endif
