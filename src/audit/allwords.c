/* The three methods one after the other, and what they add up to. */
#include "allwords_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/fpfast.h"
#include "ckda/ranks.h"

const char *
ckda_allwords_verdict_name(ckda_allwords_verdict v)
{
    static const char *const names[] = {[CKDA_ALLWORDS_TRACKS] = "tracks-forever",
                                        [CKDA_ALLWORDS_FAILS] = "fails",
                                        [CKDA_ALLWORDS_UNDECIDED] = "undecided"};
    return names[v];
}

const char *
ckda_allwords_method_name(ckda_allwords_method m)
{
    return m == CKDA_ALLWORDS_PRODUCT   ? "product"
           : m == CKDA_ALLWORDS_COLUMNS ? "columns"
                                        : "witness";
}

/* ---- a failing word ------------------------------------------------------------------------ */

/* Runs the word once more, step by step, and reads out: r->state and what belongs to it.
 * Aborts if the word does not fail after all. */
static void
replay(ckda_allwords_t r, const ckda_rounded_t R, const ckda_tracker_t t)
{
    const size_t size = (size_t)(R->n * R->n);
    r->state = allwords_memory(size * sizeof *r->state);
    r->exact = 0;
    ckda_rounded_initial(r->state, R);
    for (size_t i = 0; i < r->length; i++) {
        ckda_rounded_step(r->state, R->n, r->word[i], R);
        r->exact = t->next[(size_t)r->exact * t->nletters + r->word[i]];
    }
    r->expected = t->element[r->exact];
    const ckda_truth right = allwords_decodes_right(&r->decoded, &r->tied, &r->distance,
                                                    r->state, r->exact, R, t);
    ckda_require(right == CKDA_FALSE, "the word decodes rightly when it is run again");
    r->verdict = CKDA_ALLWORDS_FAILS;
}

static void
failing_edge(ckda_allwords_t r, const search *S)
{
    const search_failure *f = &S->failure;
    r->failure = f->kind;
    r->shortest = true;
    if (f->at_root) {
        r->word = allwords_memory(0);
    } else {
        r->length = allwords_search_word(&r->word, S, f->node, 1);
        r->word[r->length++] = f->letter;
    }
    if (f->kind == CKDA_ALLWORDS_COLLISION)
        r->other_length = allwords_search_word(&r->other_word, S, f->other, 0);
    replay(r, S->R, S->t);
}

/* ---- the product search --------------------------------------------------------------------- */

static void
take_levels(ckda_allwords_t r, const search *S, search_end end)
{
    const search_progress *p = &S->p;
    /* a closed search has begun one more level and found it empty */
    const uint32_t n = end == SEARCH_CLOSED ? p->nlevels - 1 : p->nlevels;
    r->level = allwords_memory(n * sizeof *r->level);
    r->nlevels = n;
    for (uint32_t k = 0; k < n; k++)
        r->level[k] =
            (k + 1 < p->nlevels ? p->level_start[k + 1] : S->count) - p->level_start[k];
    if (end == SEARCH_CLOSED)
        r->depth = n - 1;
    else if (end == SEARCH_FAILED)
        r->depth = (uint32_t)r->length;
    else
        r->depth = allwords_search_complete_levels(S);
}

static void
take_graph(ckda_allwords_t r, search *S)
{
    r->next = allwords_search_graph(S);
    if (S->ranks > 1 && !allwords_spread_gather(S)) {
        free(r->next);
        r->next = NULL;
    }
    if (r->next == NULL)
        return;
    r->bytes = S->s.bytes;
    r->bits = S->s.bits;
    r->exact_state = S->s.exact;
    r->parent = S->s.parent;
    r->via = S->s.via;
    S->s.bits = NULL;
    S->s.exact = S->s.parent = NULL;
    S->s.via = NULL;
}

static void
take_search(ckda_allwords_t r, search *S, search_end end)
{
    const uint64_t L = S->R->nletters;
    r->method = CKDA_ALLWORDS_PRODUCT;
    r->limit = S->limit;
    r->states = S->count;
    r->edges = S->p.next * L;
    r->aliased = S->aliased;
    r->max_error = allwords_rounded_up(S->p.error, S->R->scale);
    r->error_of_first_words = S->aliased > 0;
    if (end == SEARCH_FAILED) {
        if (!S->failure.at_root)
            r->edges += S->failure.letter + 1;
        failing_edge(r, S);
    }
    if (S->p.nlevels > 0)
        take_levels(r, S, end);
    if (end == SEARCH_CLOSED) {
        r->verdict = CKDA_ALLWORDS_TRACKS;
        r->tie_distance = allwords_search_tie(S);
    }
    if (end == SEARCH_CLOSED && S->o->keep_graph)
        take_graph(r, S);
    r->seconds = S->before + ckda_wall_seconds() - S->began;
}

static ckda_status
product_run(ckda_allwords_t r, const ckda_rounded_t R, const ckda_tracker_t t,
            const ckda_allwords_options *o, ckda_error *err)
{
    search S;
    search_end end = SEARCH_OPEN;
    allwords_search_init(&S, R, t, o, -1);
    ckda_status st = CKDA_OK;
    bool begun = true;
    if (o->resume != NULL)
        st = allwords_checkpoint_read(&S, o->resume, err);
    else
        begun = allwords_search_root(&S, -1);
    if (st == CKDA_OK && begun)
        st = allwords_search_run(&end, &S, err);
    if (S.failure.kind != CKDA_ALLWORDS_NO_FAILURE)
        end = SEARCH_FAILED;
    if (st == CKDA_OK)
        take_search(r, &S, end);
    allwords_search_clear(&S);
    return st;
}

/* ---- all of it --------------------------------------------------------------------------------- */

static ckda_status
try_columns(ckda_allwords_t r, const ckda_rounded_t R, const ckda_tracker_t t,
            const ckda_allwords_options *o, ckda_error *err)
{
    ckda_truth holds;
    const double start = ckda_wall_seconds();
    const bool alone = r->method != CKDA_ALLWORDS_PRODUCT;
    const ckda_status st = allwords_columns_run(&holds, r, R, t, o, err);
    if (st != CKDA_OK)
        return st;
    r->seconds += ckda_wall_seconds() - start;
    if (holds != CKDA_TRUE && !alone)
        return CKDA_OK;
    r->method = CKDA_ALLWORDS_COLUMNS;
    r->states = r->column_states;
    r->edges = holds == CKDA_TRUE ? r->states * R->nletters : 0;
    r->limit = holds == CKDA_TRUE ? NULL : r->column_limit;
    r->max_error = r->column_bound;
    r->error_of_first_words = false;
    r->aliased = 0;
    r->tie_distance = INFINITY;
    free(r->level);
    r->level = NULL;
    r->nlevels = r->depth = 0;
    if (holds == CKDA_TRUE)
        r->verdict = CKDA_ALLWORDS_TRACKS;
    return CKDA_OK;
}

/* The word of process 0, for all of them. */
static uint32_t *
share_word(uint32_t *word, size_t *length)
{
    ckda_ranks_share(length, sizeof *length);
    if (*length > 0 && word == NULL)
        word = allwords_memory(*length * sizeof *word);
    if (*length > 0)
        ckda_ranks_share(word, *length * sizeof *word);
    return word;
}

static void
try_witness(ckda_allwords_t r, const ckda_rounded_t R, const ckda_tracker_t t,
            const ckda_allwords_options *o)
{
    enum { LEAST = 1 << 22, MOST = 1 << 26 }; /* steps: seconds, not minutes */
    const double start = ckda_wall_seconds();
    uint64_t edges = r->edges < LEAST ? LEAST : r->edges > MOST ? MOST : r->edges;
    const bool late = r->limit != NULL && strcmp(r->limit, "time") == 0;
    size_t length = 0;
    uint32_t *word = NULL;
    if (ckda_ranks_mine() == 0)
        word = allwords_witness_find(&length, R, t, edges, !late, o->stop);
    word = share_word(word, &length);
    r->seconds += ckda_wall_seconds() - start;
    if (word == NULL)
        return;
    r->method = CKDA_ALLWORDS_WITNESS;
    r->limit = NULL;
    r->failure = CKDA_ALLWORDS_DECODE;
    r->word = word;
    r->length = length;
    replay(r, R, t);
}

/* Shorter words than a shortest failing one are right, and so are all words of a complete
 * level. */
static void
guarantee(ckda_allwords_t r, const ckda_rounded_t R, const ckda_tracker_t t)
{
    uint64_t searched = r->method == CKDA_ALLWORDS_COLUMNS ? 0 : r->depth;
    if (r->verdict == CKDA_ALLWORDS_TRACKS) {
        r->guaranteed_steps = UINT64_MAX;
        return;
    }
    if (r->verdict == CKDA_ALLWORDS_FAILS && r->shortest)
        searched = r->length > 0 ? r->length - 1 : 0;
    r->a_priori_steps = ckda_rounded_guaranteed_steps(NULL, NULL, R, t);
    if (r->failure != CKDA_ALLWORDS_NO_FAILURE)
        ckda_require(r->length == 0 || r->a_priori_steps < r->length,
                     "a word of %zu letters fails within the guaranteed %llu steps",
                     r->length, (unsigned long long)r->a_priori_steps);
    r->guaranteed_steps = r->a_priori_steps > searched ? r->a_priori_steps : searched;
}

static bool
wanted(const ckda_allwords_options *o, ckda_allwords_method m)
{
    return o->methods == 0 || (o->methods & (unsigned)m) != 0;
}

/* May more be tried after what stopped the search? */
static bool
time_left(const ckda_allwords_t r, ckda_allwords_method m)
{
    if (r->verdict != CKDA_ALLWORDS_UNDECIDED)
        return false;
    if (r->limit == NULL)
        return true;
    return strcmp(r->limit, "interrupted") != 0
           && (m == CKDA_ALLWORDS_WITNESS || strcmp(r->limit, "time") != 0);
}

ckda_status
ckda_allwords_run(ckda_allwords_t r, const ckda_rounded_t R, const ckda_tracker_t t,
                  const ckda_allwords_options *o, ckda_error *err)
{
    ckda_allwords_t fresh = {{.verdict = CKDA_ALLWORDS_UNDECIDED,
                              .tie_distance = INFINITY,
                              .safe_distance = R->scale * t->margin_low / 2}};
    ckda_require(R->nletters == t->nletters && R->n == t->n,
                 "the arithmetic belongs to another tracker");
    ckda_require(t->nletters <= UINT16_MAX, "more letters than a node can hold");
    ckda_require(ckda_fp_host_is_ieee(), "this processor does not compute as IEEE says");
    ckda_status st = CKDA_OK;
    if (wanted(o, CKDA_ALLWORDS_PRODUCT))
        st = product_run(fresh, R, t, o, err);
    if (st == CKDA_OK && wanted(o, CKDA_ALLWORDS_COLUMNS)
        && time_left(fresh, CKDA_ALLWORDS_COLUMNS))
        st = try_columns(fresh, R, t, o, err);
    if (st != CKDA_OK) {
        ckda_allwords_clear(fresh);
        return st;
    }
    if (wanted(o, CKDA_ALLWORDS_WITNESS) && time_left(fresh, CKDA_ALLWORDS_WITNESS))
        try_witness(fresh, R, t, o);
    guarantee(fresh, R, t);
    *r = *fresh;
    return CKDA_OK;
}

void
ckda_allwords_clear(ckda_allwords_t r)
{
    free(r->level);
    free(r->word);
    free(r->other_word);
    free(r->state);
    free(r->bits);
    free(r->exact_state);
    free(r->parent);
    free(r->next);
    free(r->via);
    *r = (ckda_allwords_struct){.verdict = CKDA_ALLWORDS_UNDECIDED};
}
