/* The search for the orthogonal tracker (core.c says why it ends well). */
#include <string.h>
#include "ckda/factor_norm.h"
#include "reduce_internal.h"

static char *
copy_text(const char *text)
{
    const size_t len = strlen(text) + 1;
    return memcpy(flint_malloc(len), text, len);
}

/* ---- hypotheses ---------------------------------------------------------------------- */

/* The first letter of norm above 1, with its witness; is there none? */
static bool
check_norms(ckda_reduction_t red, const ckda_heads *heads)
{
    const ckda_field_struct *K = red->K;
    for (uint32_t h = 0; h < heads->nheads; h++)
        for (uint32_t x = 0; x < red->nletters; x++) {
            const ckda_mat_struct *A = heads->head[h].linear + x;
            if (ckda_mat_is_contraction(NULL, A, K))
                continue;
            red->end = CKDA_REDUCE_EXPANSIVE;
            red->bad_head = h;
            red->bad_letter = x;
            red->nwitness = A->rows;
            red->witness = ckda_elem_vec_new(A->rows, K);
            must(ckda_norm_witness(red->witness, A, K));
            return false;
        }
    return true;
}

static uint32_t
product_of(const ckda_system_t sys, const uint32_t *word, size_t n)
{
    uint32_t g = 0;
    for (size_t i = 0; i < n; i++)
        g = ckda_group_mul(sys->G, sys->letter_element[word[i]], g);
    return g;
}

/* The edge that the search found wrong, as two words to its end. */
static void
explain_decoder(ckda_reduction_t red, const ckda_reach_t r, const ckda_system_t sys)
{
    const uint32_t s = (uint32_t)r->bad_state, x = r->bad_letter;
    red->end = CKDA_REDUCE_NO_DECODER;
    red->first = path_to(&red->nfirst, r, s);
    red->first = flint_realloc(red->first, (red->nfirst + 1) * sizeof *red->first);
    red->first[red->nfirst++] = x;
    red->second = path_to(&red->nsecond, r, r->next[(size_t)s * sys->nletters + x]);
    red->first_product = product_of(sys, red->first, red->nfirst);
    red->second_product = product_of(sys, red->second, red->nsecond);
    ckda_require(red->first_product != red->second_product, "the edge that was refused");
}

static uint32_t *
copy_letters(const uint32_t *word, size_t n)
{
    uint32_t *copy = flint_malloc((n + 1) * sizeof *copy);
    for (size_t i = 0; i < n; i++)
        copy[i] = word[i];
    return copy;
}

static void
explain_infinite(ckda_reduction_t red, const ckda_reach_t r)
{
    red->end = CKDA_REDUCE_INFINITE;
    red->first = copy_letters(r->pump.prefix, r->pump.nprefix);
    red->nfirst = r->pump.nprefix;
    red->second = copy_letters(r->pump.word, r->pump.length);
    red->nsecond = r->pump.length;
    red->reason = copy_text(r->pump.reason != NULL ? r->pump.reason : r->exactness);
}

static void
stop(ckda_reduction_t red, const char *reason)
{
    red->end = CKDA_REDUCE_LIMIT;
    red->reason = copy_text(reason);
}

/* Is the closed graph there, with a right decoder? */
static bool
check_closure(ckda_reduction_t red, const ckda_reach_t r, const ckda_system_t sys)
{
    red->states = r->states;
    if (r->finite == CKDA_FALSE)
        explain_infinite(red, r);
    else if (r->finite == CKDA_UNKNOWN)
        stop(red, r->exactness);
    else if (sys->G != NULL && r->decoder_consistent == CKDA_FALSE)
        explain_decoder(red, r, sys);
    else if (sys->G != NULL && r->decoder_consistent == CKDA_UNKNOWN)
        stop(red, "the decoder was not decided");
    else
        return true;
    return false;
}

/* ---- the word ---------------------------------------------------------------------------- */

/* class[s] = number of the projection of state s to U. */
static void
read_classes(uint32_t *class, const ckda_reach_t r, const ckda_reach_t projected,
             uint32_t letters)
{
    class[0] = 0;
    for (uint64_t s = 1; s < r->states; s++)
        class[s] = projected->next[(size_t) class[r->parent[s]] * letters + r->via[s]];
}

static ckda_status
find_word(ckda_reduction_t red, const core *c, const ckda_reach_t r,
          const ckda_limits *limits, ckda_error *err)
{
    ckda_system_t sys = {
        {.K = c->K, .nletters = c->letters, .linear = c->onU, .offset = c->stepU}};
    ckda_reach_t projected;
    ckda_status st = CKDA_OK;
    red->core = c->U.r;
    red->span = c->V.r;
    uint32_t *class = flint_calloc(r->states + 1, sizeof *class);
    uint64_t classes = 1;
    if (c->U.r > 0) {
        ckda_mat_init(sys->initial, c->U.r, c->sys->initial->cols, c->K);
        st = ckda_reach_run(projected, sys, limits, CKDA_REACH_KEEP_GRAPH, err);
        ckda_mat_clear(sys->initial, c->K);
        if (st == CKDA_OK && projected->finite != CKDA_TRUE) {
            ckda_error_set(err, "the projected states: %s", projected->exactness);
            ckda_reach_clear(projected);
            st = CKDA_E_UNABLE;
        }
        if (st == CKDA_OK) {
            classes = projected->states;
            read_classes(class, r, projected, c->letters);
            ckda_reach_clear(projected);
        }
    }
    if (st == CKDA_OK)
        st = merging_word(&red->word, &red->nword, &red->power, r, c->letters, class,
                          classes, err);
    red->tracker_states = classes;
    flint_free(class);
    return st;
}

/* What a closed graph with a right decoder leads to. */
static ckda_status
build(ckda_reduction_t red, const ckda_reach_t r, const ckda_joint_t J,
      const ckda_heads *heads, const ckda_limits *limits, ckda_error *err)
{
    core c;
    core_init(&c, J->sys);
    ckda_status st = find_word(red, &c, r, limits, err);
    if (st == CKDA_OK) {
        make_heads(red, &c, J, heads);
        st = find_group_order(red, heads, limits, err);
    }
    if (st == CKDA_OK)
        red->decoded = J->sys->G != NULL ? r->decoded : 0;
    core_clear(&c);
    return st;
}

/* The limits less the time that went by: norms and heads of many letters take a while too. */
static ckda_limits
left_of(const ckda_limits *limits, double began)
{
    const double least = 1e-3; /* 0 would be no limit */
    ckda_limits left = limits != NULL ? *limits : (ckda_limits){0};
    if (left.max_seconds > 0) {
        left.max_seconds -= ckda_wall_seconds() - began;
        left.max_seconds = left.max_seconds > least ? left.max_seconds : least;
    }
    return left;
}

ckda_status
ckda_reduce(ckda_reduction_t red, const ckda_heads *heads, const ckda_limits *limits,
            ckda_error *err)
{
    ckda_joint_t J;
    ckda_reach_t r;
    ckda_reduction_t new;
    ckda_error why;
    ckda_error_clear(&why);
    const double began = ckda_wall_seconds();
    ckda_status st = ckda_joint_init(J, heads, err);
    if (st != CKDA_OK)
        return st;
    memset(new, 0, sizeof *new);
    new->K = J->sys->K;
    new->nheads = heads->nheads;
    new->nletters = J->sys->nletters;
    if (check_norms(new, heads)) {
        ckda_limits left = left_of(limits, began);
        st = ckda_reach_run(r, J->sys, &left, CKDA_REACH_KEEP_GRAPH, &why);
        if (st == CKDA_OK) {
            left = left_of(limits, began);
            if (check_closure(new, r, J->sys))
                st = build(new, r, J, heads, &left, &why);
            ckda_reach_clear(r);
        }
    }
    ckda_joint_clear(J);
    if (st == CKDA_E_UNABLE) {
        stop(new, why.text);
        st = CKDA_OK;
    }
    if (st == CKDA_OK) {
        *red = *new;
    } else {
        ckda_reduction_clear(new);
        ckda_error_set(err, "%s", why.text);
    }
    return st;
}

void
ckda_reduction_clear(ckda_reduction_t red)
{
    const ckda_field_struct *K = red->K;
    for (uint32_t h = 0; h < red->nheads && red->head != NULL; h++) {
        ckda_reduced_head *t = red->head + h;
        free_mats(t->letter, red->nletters, K);
        ckda_mat_clear(t->basis, K);
        ckda_mat_clear(t->gram, K);
        ckda_mat_clear(t->initial, K);
        ckda_mat_clear(t->centre, K);
    }
    flint_free(red->head);
    flint_free(red->word);
    flint_free(red->first);
    flint_free(red->second);
    flint_free(red->reason);
    if (red->witness != NULL)
        ckda_elem_vec_free(red->witness, red->nwitness, K);
}
