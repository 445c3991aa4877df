/* Networks for the commands that make or run them. */
#ifndef CKDA_SRC_CLI_NET_SOURCE_H
#define CKDA_SRC_CLI_NET_SOURCE_H
#include "cli.h"
#include "ckda/net.h"
#include "ckda/realize.h"

typedef struct {
    const char *system;       /* a name, a system file or (for run) a network file */
    const char *construction; /* NULL: the usual one */
    bool has_scheme;
    ckda_factor_scheme scheme;
    slong block;     /* 0: the bound of the factoriser */
    bool networks;   /* are network files welcome? */
    bool dead_state; /* AT&T text may leave transitions out */
} cli_net_source;

/* "two-layer", "three-layer", "series", "small" or "window"; false for anything else. */
bool cli_net_method(ckda_net_method *method, const char *construction);
/* As cli_check_construction, with the names of networks. */
void cli_net_check_construction(const char *name, struct argp_state *state);
/* paper or short; false for anything else. */
bool cli_net_scheme(cli_net_source *s, const char *text);
/* A block length; false for anything else. */
bool cli_net_block(cli_net_source *s, const char *text);
/* One layer for each factor of the series, which exists; ownership and errors as
 * ckda_net_compile_series. */
CKDA_MUST_CHECK ckda_status cli_net_series(ckda_net **net, ckda_group_t G,
                                           const uint32_t *element,
                                           const char *const *names, uint32_t n,
                                           const ckda_series_t s, ckda_error *err);
/* EXIT_HOLDS and *net, or another exit code after a message. */
int cli_net_open(ckda_net **net, const cli_net_source *s);

#endif
