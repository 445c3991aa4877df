/* ckda list */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include "ckda/report.h"

typedef struct {
    bool json, markdown, has_status;
    ckda_claim_status status;
    char **patterns;
    int npatterns;
} options;

static const struct argp_option option_table[] = {
    {"json", 'j', NULL, 0, "One JSON document (ckda.list/1)", 0},
    {"status", 's', "STATUS", 0, "Only claims that are checked, open or reported", 0},
    {"markdown", 'm', NULL, 0, "The whole ledger as docs/CLAIMS.md", 0},
    {0}};

static void
set_status(options *o, const char *arg, struct argp_state *state)
{
    for (int s = CKDA_CHECKED; s <= CKDA_OPEN; s++)
        if (strcmp(arg, ckda_claim_status_name((ckda_claim_status)s)) == 0) {
            o->status = (ckda_claim_status)s;
            o->has_status = true;
            return;
        }
    argp_error(state, "--status: expected checked, open or reported, found '%s'", arg);
}

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case 'j':
        o->json = true;
        return 0;
    case 'm':
        o->markdown = true;
        return 0;
    case 's':
        set_status(o, arg, state);
        return 0;
    case ARGP_KEY_ARGS:
        o->patterns = state->argv + state->next;
        o->npatterns = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        if (o->markdown && (o->json || o->has_status || o->npatterns > 0))
            argp_error(state, "--markdown is always the whole ledger and stands alone");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool
wanted(const options *o, const ckda_claim *c)
{
    if (o->has_status && c->status != o->status)
        return false;
    for (int i = 0; i < o->npatterns; i++)
        if (ckda_claim_matches(c, o->patterns[i]))
            return true;
    return o->npatterns == 0;
}

static void
print(const options *o, const ckda_ledger *l, const ckda_claim *const *claims, size_t n)
{
    if (o->markdown)
        ckda_report_list_markdown(stdout, l);
    else if (o->json)
        ckda_report_list_json(stdout, claims, n);
    else
        ckda_report_list_text(stdout, l, claims, n);
}

int
cli_list(int argc, char **argv)
{
    static const struct argp argp = {option_table,
                                     parse,
                                     "[PATTERN...]",
                                     "Every claim of the sources with id, strength and "
                                     "status; a shell PATTERN is matched "
                                     "against ids, aliases and targets.",
                                     NULL,
                                     NULL,
                                     NULL};
    options o = {0};
    cli_parse(&argp, argc, argv, &o);
    ckda_ledger *l = cli_open_ledger();
    size_t size = ckda_ledger_size(l), n = 0;
    const ckda_claim **claims = flint_calloc(size + 1, sizeof *claims);
    for (size_t i = 0; i < size; i++)
        if (wanted(&o, ckda_ledger_claim(l, i)))
            claims[n++] = ckda_ledger_claim(l, i);
    int code = cli_check_patterns("list", l, o.patterns, o.npatterns);
    if (code == EXIT_HOLDS)
        print(&o, l, claims, n);
    flint_free(claims);
    ckda_ledger_close(&l);
    return code;
}
