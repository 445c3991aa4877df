/* {"gates": {...}} */
#include <stdlib.h>
#include <string.h>

#include "range_internal.h"

enum { MAX_VALUES = 4096, MAX_COMPARE_STEPS = 4096 };

/* ---- thresholds ------------------------------------------------------------------------ */

static void
add_limit(ckda_gates *g, ckda_gates_edge edge, ckda_gates_how how)
{
    ckda_gates_limit l = {.edge = edge, .how = how, .format = g->format};
    if (ckda_gates_threshold(&l.logit, &l.exists, edge, how, &g->map, g->logits,
                             g->format)
        != CKDA_OK)
        return; /* not decided, or the kind has no such way */
    if (l.exists) {
        fmpq_t q;
        fmpq_init(q);
        const ckda_status status = ckda_fp_get_fmpq(q, l.logit, g->logits);
        ckda_require(status == CKDA_OK, "a threshold is finite");
        l.exact = rg_fmpq_text(q);
        l.decimal = rg_fmpq_decimal(q);
        fmpq_clear(q);
    }
    g->limit = flint_realloc(g->limit, (g->nlimits + 1) * sizeof *g->limit);
    g->limit[g->nlimits++] = l;
}

static void
add_limits(ckda_gates *g, bool alphas, bool betas)
{
    if (betas)
        for (int how = CKDA_GATES_ONCE; how <= CKDA_GATES_STEPS; how++) {
            add_limit(g, CKDA_GATES_BETA_TOP, (ckda_gates_how)how);
            add_limit(g, CKDA_GATES_BETA_BOTTOM, (ckda_gates_how)how);
        }
    if (alphas && g->map.kind != CKDA_GATES_EXACT)
        for (int how = CKDA_GATES_ONCE; how <= CKDA_GATES_TANH; how++)
            add_limit(g, CKDA_GATES_ALPHA_TOP, (ckda_gates_how)how);
}

/* ---- the document ------------------------------------------------------------------------ */

static ckda_status
read_map(ckda_gates_map *m, const ckda_node *at, ckda_error *err)
{
    static const char *const kinds[] = {"signed", "sigmoid", "exact"};
    int kind = CKDA_GATES_SIGNED;
    ckda_status status = rg_get_word(&kind, at, "kind", kinds, 3, err);
    m->kind = (ckda_gates_kind)kind;
    if (status == CKDA_OK && ckda_node_has(at, "eps") && ckda_node_has(at, "eps_log"))
        return ckda_node_fail(at, err, "\"eps\" or \"eps_log\", not both", NULL);
    if (status == CKDA_OK && ckda_node_has(at, "eps")) {
        m->eps_is_exp = false;
        status = rg_get_rational(m->eps, at, "eps", err);
        if (status == CKDA_OK)
            status = rg_check_between(at, "eps", m->eps, "0", "1", "a number from 0 to 1",
                                      err);
        if (status == CKDA_OK && fmpq_is_one(m->eps))
            return ckda_node_fail(at, err, "\"eps\" below 1", "1");
    } else if (status == CKDA_OK) {
        status = rg_get_rational(m->eps, at, "eps_log", err);
        if (status == CKDA_OK)
            status = rg_check_between(at, "eps_log", m->eps, "-1000", "-1/1000",
                                      "a logarithm, -1000 to -1/1000", err);
    }
    if (status == CKDA_OK)
        status = rg_get_rational(m->lower, at, "lower", err);
    if (status == CKDA_OK)
        status = rg_check_between(at, "lower", m->lower, "-1000", "-1/1000",
                                  "a logarithm, -1000 to -1/1000", err);
    return status == CKDA_OK ? rg_get_long(&m->beta_scale, at, "beta_scale", 1, 2, err)
                             : status;
}

static ckda_status
read_limits(ckda_gates *g, const ckda_node *at, ckda_error *err)
{
    slong steps = 0;
    const bool margin = ckda_node_has(at, "margin");
    g->has_threshold = margin || ckda_node_has(at, "threshold");
    if (margin && ckda_node_has(at, "threshold"))
        return ckda_node_fail(at, err, "\"margin\" or \"threshold\", not both", NULL);
    const char *key = margin ? "margin" : "threshold";
    ckda_status status = rg_get_long(&steps, at, "steps", 1, 1000000000, err);
    g->steps = (uint64_t)steps;
    if (status != CKDA_OK || !g->has_threshold)
        return status;
    fmpq_t x;
    fmpq_init(x);
    status = rg_get_rational(x, at, key, err);
    if (status == CKDA_OK)
        status = rg_check_between(at, key, x, "1/1000000000", "999999999/1000000000",
                                  "a number from 10^-9 to 1 - 10^-9", err);
    if (margin) { /* what may be lost: |alpha|^T must stay at 1 - margin */
        fmpq_sub_si(x, x, 1);
        fmpq_neg(x, x);
    }
    fmpq_set(g->threshold, x);
    fmpq_clear(x);
    return status;
}

/* Every number of the list in[key], if it is there. */
static ckda_status
read_values(ckda_gates *g, const ckda_node *in, const char *key, bool is_beta,
            bool is_logit, ckda_error *err)
{
    ckda_node list, item;
    size_t n;
    fmpq_t q;
    if (!ckda_node_has(in, key))
        return CKDA_OK;
    ckda_status status = ckda_node_member(&list, in, key, err);
    if (status == CKDA_OK)
        status = ckda_node_size(&n, &list, err);
    if (status == CKDA_OK && n > MAX_VALUES)
        return ckda_node_fail(&list, err, "at most 4096 numbers", NULL);
    fmpq_init(q);
    for (size_t i = 0; status == CKDA_OK && i < n; i++) {
        status = ckda_node_item(&item, &list, i, err);
        if (status == CKDA_OK)
            status = rg_read_rational(q, &item, err);
        if (status == CKDA_OK && is_logit)
            rg_gates_add_logit(g, q, is_beta);
        else if (status == CKDA_OK)
            rg_gates_add_given(g, q, is_beta);
    }
    fmpq_clear(q);
    return status;
}

/* {"formats": ["bf16", "fp32"], "output": "bf16", "alpha": ["1", "1/2"], "steps": 1000} */
static ckda_status
read_compare_head(ckda_gates_compare *c, slong *steps, const ckda_node *at,
                  ckda_error *err)
{
    static const char *const known[] = {"formats", "output", "alpha", "steps"};
    ckda_node list, item;
    size_t n;
    ckda_status status = ckda_node_only(at, known, 4, err);
    if (status == CKDA_OK)
        status = ckda_node_member(&list, at, "formats", err);
    if (status == CKDA_OK)
        status = ckda_node_size(&n, &list, err);
    if (status == CKDA_OK && n != 2)
        return ckda_node_fail(&list, err, "two formats", NULL);
    for (size_t i = 0; i < 2 && status == CKDA_OK; i++) {
        status = ckda_node_item(&item, &list, i, err);
        if (status == CKDA_OK)
            status = rg_read_format(i == 0 ? &c->a : &c->b, &item, err);
    }
    c->output = &ckda_fp_bf16;
    if (status == CKDA_OK)
        status = rg_get_format(&c->output, at, "output", err);
    *steps = 1000;
    return status == CKDA_OK ? rg_get_long(steps, at, "steps", 1, MAX_COMPARE_STEPS, err)
                             : status;
}

static ckda_status
read_compare(ckda_gates *g, const ckda_node *in, ckda_error *err)
{
    ckda_node at, alphas, betas, x;
    ckda_gates_compare proto = {0};
    slong steps;
    size_t nalphas, nbetas;
    const bool is_logit = ckda_node_has(in, "beta_logit");
    if (!ckda_node_has(in, "compare"))
        return CKDA_OK;
    ckda_status status = ckda_node_member(&at, in, "compare", err);
    if (status == CKDA_OK)
        status = read_compare_head(&proto, &steps, &at, err);
    if (status == CKDA_OK)
        status = ckda_node_member(&alphas, &at, "alpha", err);
    if (status == CKDA_OK)
        status = ckda_node_size(&nalphas, &alphas, err);
    if (status == CKDA_OK)
        status = ckda_node_member(&betas, in, is_logit ? "beta_logit" : "beta", err);
    if (status == CKDA_OK)
        status = ckda_node_size(&nbetas, &betas, err);
    if (status == CKDA_OK && nalphas * nbetas > 64)
        return ckda_node_fail(&at, err, "at most 64 pairs of alpha and beta", NULL);
    fmpq_t alpha, beta;
    fmpq_init(alpha);
    fmpq_init(beta);
    for (size_t k = 0; status == CKDA_OK && k < nalphas * nbetas; k++) {
        status = ckda_node_item(&x, &alphas, k % nalphas, err);
        if (status == CKDA_OK)
            status = rg_read_rational(alpha, &x, err);
        if (status == CKDA_OK)
            status = ckda_node_item(&x, &betas, k / nalphas, err);
        if (status == CKDA_OK)
            status = rg_read_rational(beta, &x, err);
        if (status == CKDA_OK)
            status = rg_gates_add_compare(g, k / nalphas, beta, is_logit, alpha, &proto,
                                          (uint64_t)steps);
    }
    fmpq_clear(alpha);
    fmpq_clear(beta);
    return status;
}

static ckda_status
read_all(ckda_gates *g, const ckda_node *at, ckda_error *err)
{
    static const char *const known[] = {
        "kind",   "eps",        "eps_log", "lower",   "r_logit",
        "alpha",  "beta_logit", "beta",    "format",  "logit_format",
        "margin", "threshold",  "steps",   "compare", "beta_scale"};
    ckda_status status = ckda_node_only(at, known, sizeof known / sizeof known[0], err);
    if (status == CKDA_OK)
        status = read_map(&g->map, at, err);
    g->format = &ckda_fp_fp32;
    if (status == CKDA_OK)
        status = rg_get_format(&g->format, at, "format", err);
    g->logits = g->format;
    if (status == CKDA_OK)
        status = rg_get_format(&g->logits, at, "logit_format", err);
    if (status == CKDA_OK)
        status = read_limits(g, at, err);
    const bool exact = g->map.kind == CKDA_GATES_EXACT;
    if (status == CKDA_OK && exact && ckda_node_has(at, "r_logit"))
        return ckda_node_fail(at, err, "\"alpha\" for gates that are given",
                              "\"r_logit\"");
    if (status == CKDA_OK && !exact && ckda_node_has(at, "alpha"))
        return ckda_node_fail(at, err, "\"kind\": \"exact\" beside \"alpha\"", NULL);
    if (status == CKDA_OK && ckda_node_has(at, "beta") && ckda_node_has(at, "beta_logit"))
        return ckda_node_fail(at, err, "\"beta\" or \"beta_logit\", not both", NULL);
    if (status == CKDA_OK)
        status = read_values(g, at, "beta_logit", true, true, err);
    if (status == CKDA_OK)
        status = read_values(g, at, "beta", true, false, err);
    if (status == CKDA_OK)
        status = exact ? read_values(g, at, "alpha", false, false, err)
                       : read_values(g, at, "r_logit", false, true, err);
    if (status == CKDA_OK)
        status = read_compare(g, at, err);
    if (status == CKDA_OK)
        add_limits(g, ckda_node_has(at, "r_logit"), ckda_node_has(at, "beta_logit"));
    return status;
}

ckda_status
rg_read_gates(ckda_gates *g, const ckda_node *at, ckda_error *err)
{
    *g = (ckda_gates){0};
    ckda_gates_map_init(&g->map);
    fmpq_init(g->threshold);
    const ckda_status status = read_all(g, at, err);
    if (status != CKDA_OK)
        rg_gates_clear(g);
    return status;
}

void
rg_gates_clear(ckda_gates *g)
{
    for (size_t i = 0; i < g->nvalues; i++) {
        ckda_gates_value *v = g->value + i;
        char *texts[] = {v->logit, v->exact,    v->decimal, v->rounded_exact,
                         v->decay, v->endpoint, v->power,   v->power_rounded};
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
            flint_free(texts[k]);
    }
    for (size_t i = 0; i < g->nlimits; i++) {
        flint_free(g->limit[i].exact);
        flint_free(g->limit[i].decimal);
    }
    for (size_t i = 0; i < g->ncompares; i++) {
        ckda_gates_compare *c = g->compare + i;
        char *texts[] = {c->alpha, c->first_a, c->first_b, c->difference, c->last};
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
            flint_free(texts[k]);
    }
    flint_free(g->value);
    flint_free(g->limit);
    flint_free(g->compare);
    ckda_gates_map_clear(&g->map);
    fmpq_clear(g->threshold);
}

ckda_truth
rg_gates_verdict(const ckda_gates *g)
{
    ckda_truth all = CKDA_TRUE;
    for (size_t i = 0; i < g->nvalues; i++) {
        const ckda_gates_value *v = g->value + i;
        all = ckda_truth_and(all, v->decided);
        if (v->collapses)
            all = CKDA_FALSE;
        if (v->has_horizon && !v->horizon_known)
            all = ckda_truth_and(all, CKDA_UNKNOWN);
        else if (v->has_horizon && g->steps > 0 && v->horizon > 0
                 && v->horizon <= g->steps)
            all = CKDA_FALSE;
    }
    for (size_t i = 0; i < g->ncompares; i++)
        if (g->compare[i].first > 0)
            all = CKDA_FALSE;
    return all;
}
