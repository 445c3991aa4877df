#include "verification.h"

#include <string.h>

#include "steps.h"
#include "watch.h"

/* ---- what to run ---------------------------------------------------------------------- */

static bool
wanted(const cli_plan_choice *w, const ckda_claim *c)
{
    for (int i = 0; i < w->npatterns; i++)
        if (ckda_claim_matches(c, w->patterns[i]))
            return true;
    return w->npatterns == 0 && w->only == NULL;
}

static void
plan_claim(cli_plan *p, const cli_plan_choice *w, const ckda_claim *c)
{
    if (wanted(w, c))
        p->claims[p->nclaims++].claim = c;
    for (size_t k = 0; w->mutants && k < c->nmutants; k++)
        if (w->only != NULL ? strcmp(w->only, c->mutants[k].name) == 0 : wanted(w, c)) {
            p->mutants[p->nmutants].claim = c;
            p->mutants[p->nmutants++].mutant = &c->mutants[k];
        }
}

void
cli_plan_make(cli_plan *p, const cli_plan_choice *w, const ckda_ledger *l)
{
    const size_t n = ckda_ledger_size(l);
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        m += ckda_ledger_claim(l, i)->nmutants;
    *p = (cli_plan){.claims = flint_calloc(n + 1, sizeof *p->claims),
                    .mutants = flint_calloc(m + 1, sizeof *p->mutants)};
    for (size_t i = 0; i < n; i++)
        plan_claim(p, w, ckda_ledger_claim(l, i));
}

void
cli_plan_clear(cli_plan *p)
{
    for (size_t i = 0; i < p->nclaims; i++)
        ckda_outcome_clear(&p->claims[i]);
    for (size_t i = 0; i < p->nmutants; i++)
        ckda_outcome_clear(&p->mutants[i]);
    flint_free(p->claims);
    flint_free(p->mutants);
}

/* ---- running -------------------------------------------------------------------------- */

static void
run_one(cli_steps *steps, const cli_plan_how *how, ckda_outcome *o)
{
    const char *name = o->mutant != NULL ? o->mutant->name : o->claim->id;
    cli_steps_show(steps, name);
    cli_working_on(name, how->tap);
    ckda_outcome_run(o, o->claim, o->mutant, how->seed, how->effort);
    cli_working_on(NULL, false);
    cli_steps_done(steps);
    if (how->done != NULL)
        how->done(o, how->data);
}

static bool
go_on(const volatile sig_atomic_t *stop)
{
    return !ferror(stdout) && !*stop;
}

void
cli_plan_run(cli_plan *p, const cli_plan_how *how)
{
    const volatile sig_atomic_t *stop = cli_catch_interrupt();
    cli_steps steps;
    size_t m = 0;
    cli_steps_begin(&steps, p->nclaims + p->nmutants);
    for (size_t i = 0; i < p->nclaims && go_on(stop); p->claims_run = ++i) {
        const ckda_claim *c = p->claims[i].claim;
        run_one(&steps, how, &p->claims[i]);
        for (; m < p->nmutants && p->mutants[m].claim == c && go_on(stop);
             p->mutants_run = ++m)
            run_one(&steps, how, &p->mutants[m]);
    }
    for (; m < p->nmutants && go_on(stop); p->mutants_run = ++m)
        run_one(&steps, how, &p->mutants[m]);
    p->interrupted = *stop && p->claims_run + p->mutants_run < p->nclaims + p->nmutants;
}

/* ---- options ---------------------------------------------------------------------------- */

bool
cli_read_effort(ckda_effort *e, const char *text)
{
    static const char *const names[] = {
        [CKDA_QUICK] = "quick", [CKDA_FULL] = "full", [CKDA_DEEP] = "deep"};
    for (int i = CKDA_QUICK; i <= CKDA_DEEP; i++)
        if (strcmp(text, names[i]) == 0) {
            *e = (ckda_effort)i;
            return true;
        }
    return false;
}

bool
cli_read_seed(uint64_t *seed, const char *text)
{
    uint64_t n;
    if (!cli_read_count(&n, text) || n > INT64_MAX)
        return false;
    *seed = n;
    return true;
}

enum { KEY_SEED = 0x20000 }; /* beyond the keys of the commands themselves */

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    cli_verification_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        *o = (cli_verification_options){.seed = 1, .effort = CKDA_QUICK};
        return 0;
    case 'e':
        if (!cli_read_effort(&o->effort, arg))
            argp_error(state, "--effort: expected quick, full or deep, found '%s'", arg);
        return 0;
    case KEY_SEED:
        if (!cli_read_seed(&o->seed, arg))
            argp_error(state, "--seed: expected a whole number below 2^63, found '%s'",
                       arg);
        return 0;
    case ARGP_KEY_ARGS:
        o->patterns = state->argv + state->next;
        o->npatterns = state->argc - state->next;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"effort", 'e', "EFFORT", 0, "quick (default), full or deep", 0},
    {"seed", KEY_SEED, "N", 0, "Seed of everything random (default 1)", 0},
    {0}};

const struct argp cli_verification_argp = {option_table, parse, NULL, NULL,
                                           NULL,         NULL,  NULL};

/* ---- the answer ------------------------------------------------------------------------- */

int
cli_verification_code(const char *command, const ckda_verification *v)
{
    ckda_summary s;
    ckda_verification_summary(&s, v);
    if (s.refuted > 0 || s.mutants_refuted < s.mutants)
        return EXIT_REFUTED;
    if (s.undecided > 0)
        return EXIT_UNDECIDED;
    if (s.holds + s.mutants == 0) {
        fprintf(stderr,
                "ckda %s: nothing was checked: every claim asked for is open or only "
                "reported\n",
                command);
        return EXIT_UNDECIDED;
    }
    return EXIT_HOLDS;
}
