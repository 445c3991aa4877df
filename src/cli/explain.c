/* ckda explain */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include "ckda/report.h"

typedef struct {
    bool json;
    char **names;
    int nnames;
} options;

static const struct argp_option option_table[] = {
    {"json", 'j', NULL, 0, "One JSON document (ckda.explain/1)", 0}, {0}};

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    (void)arg;
    switch (key) {
    case 'j':
        o->json = true;
        return 0;
    case ARGP_KEY_ARGS:
        o->names = state->argv + state->next;
        o->nnames = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "an ID is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The claims of that id or alias, else those of that target; false if there are none. */
static bool
add_named(const ckda_claim **claims, size_t *n, const ckda_ledger *l, const char *name)
{
    size_t before = *n;
    for (size_t i = 0; i < ckda_ledger_size(l); i++)
        if (ckda_claim_is_called(ckda_ledger_claim(l, i), name))
            claims[(*n)++] = ckda_ledger_claim(l, i);
    if (*n > before)
        return true;
    for (size_t i = 0; i < ckda_ledger_size(l); i++)
        if (strcmp(ckda_ledger_claim(l, i)->target, name) == 0)
            claims[(*n)++] = ckda_ledger_claim(l, i);
    return *n > before;
}

int
cli_explain(int argc, char **argv)
{
    static const struct argp argp = {option_table,
                                     parse,
                                     "ID...",
                                     "Statement, hypotheses, why the check suffices, "
                                     "what stays human, errata and mutants "
                                     "of a claim, or of every claim of a target.",
                                     NULL,
                                     NULL,
                                     NULL};
    options o = {0};
    cli_parse(&argp, argc, argv, &o);
    ckda_ledger *l = cli_open_ledger();
    size_t n = 0;
    const ckda_claim **claims =
        flint_calloc((size_t)o.nnames * (ckda_ledger_size(l) + 1), sizeof *claims);
    int code = EXIT_HOLDS;
    for (int i = 0; i < o.nnames && code == EXIT_HOLDS; i++)
        if (!add_named(claims, &n, l, o.names[i]))
            code = cli_no_match("explain: no claim is called", l, o.names[i]);
    if (code == EXIT_HOLDS && o.json)
        ckda_report_explain_json(stdout, claims, n);
    for (size_t i = 0; code == EXIT_HOLDS && !o.json && i < n; i++) {
        fputs(i > 0 ? "\n" : "", stdout);
        ckda_report_explain_text(stdout, l, claims[i]);
    }
    flint_free(claims);
    ckda_ledger_close(&l);
    return code;
}
