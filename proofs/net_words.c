/* proofs/net_words.c -- networks run on words, every prefix beside the direct product.
 *
 * Statement.  net_words: on all words of the stated length and on the listed words, what
 * the network says after every letter is the product of the letters so far; every beta is
 * one of "betas" or at most "max_beta" (clock and buffer included), every gate lies in
 * [-1, 1]; with "lag" the accumulator's main coordinates after (b+1)m letters are the
 * state after bm.  query_lengths: on the listed words a query of the last layer is zero,
 * respectively has an irrational length.
 *
 * Why the check suffices.  The layers are run by a bare evaluator: lookups get outputs,
 * the passed number and the letter, and the recurrence alone changes a state.  The
 * product is computed apart, from the document, without the network.  All exact.
 *
 * Not shown here: words beyond the list (closures: net_closure).                       */
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "ckda/input.h"
#include "maps.h"
#include "networks.h"
#include "rows.h"

typedef struct {
    const network *N;
    const ckda_node *in;
    ckda_elem_struct *beta; /* allowed, nbeta of them; or one bound */
    slong nbeta;
    bool bound, lag;
    uint64_t prefixes;
} task;

/* ---- one position ------------------------------------------------------------------ */

/* Rational betas; the only irrational field is the clock's, whose beta is 2. */
static bool
beta_allowed(const ckda_elem_struct *beta, const ckda_field_t K, const task *t)
{
    bool allowed = t->beta == NULL;
    fmpq_t x, y;
    fmpq_init(x);
    fmpq_init(y);
    network_rational(x, beta, K);
    for (slong i = 0; i < t->nbeta; i++) {
        network_rational(y, t->beta + i, t->N->Q);
        allowed = allowed || (t->bound ? fmpq_cmp(x, y) <= 0 : fmpq_equal(x, y) != 0);
    }
    allowed = allowed && ckda_elem_is_rational(beta, K) && fmpq_sgn(x) >= 0;
    fmpq_clear(y);
    fmpq_clear(x);
    return allowed;
}

static ckda_truth
check_head(ckda_evidence *ev, const network_walk *w, uint32_t h, const task *t)
{
    const ckda_net_step *step = w->step + h;
    const ckda_net_head *d = ckda_net_get_head(w->N->net, h);
    for (slong j = 0; j < step->s; j++)
        if (!beta_allowed(step->beta + j, d->K, t)) {
            ckda_evidence_fact(ev, "failed", "beta of the %s is in the stated range",
                               d->name);
            ckda_evidence_fact_elem(ev, "beta", step->beta + j, d->K);
            return CKDA_FALSE;
        }
    for (slong i = 0; i < step->n; i++)
        if (ckda_elem_cmp_si(step->gate + i, 1, d->K) > 0
            || ckda_elem_cmp_si(step->gate + i, -1, d->K) < 0) {
            ckda_evidence_fact(ev, "failed", "gates of the %s are in [-1, 1]", d->name);
            ckda_evidence_fact_elem(ev, "gate", step->gate + i, d->K);
            return CKDA_FALSE;
        }
    return CKDA_TRUE;
}

static ckda_truth
check_position(ckda_evidence *ev, network_walk *w, uint32_t letter, const task *t)
{
    ckda_error why;
    ckda_error_clear(&why);
    if (!network_walk_step(w, letter, &why)) {
        ckda_evidence_fact(ev, "failed", "the lookups have an entry: %s", why.text);
        return CKDA_FALSE;
    }
    ckda_evidence_count(ev, 1);
    if (!network_walk_right(w)) {
        ckda_evidence_fact(ev, "failed", "the network says the product");
        network_walk_blame(ev, w);
        return CKDA_FALSE;
    }
    ckda_truth truth = CKDA_TRUE;
    for (uint32_t h = 0; h < ckda_net_heads(w->N->net) && truth == CKDA_TRUE; h++)
        truth = check_head(ev, w, h, t);
    return truth;
}

/* At a multiple of m: the main coordinates are the vector of one block ago. */
static ckda_truth
check_lag(ckda_evidence *ev, const network_walk *w, ckda_mat_t before)
{
    const network *N = w->N;
    const long head = network_head(N, "accumulator");
    if (head < 0)
        return ckda_evidence_unable(ev, "no accumulator");
    for (slong i = 0; i < before->rows; i++) {
        ckda_evidence_count(ev, 1);
        if (!ckda_elem_equal(w->H[head].entry + i, before->entry + i, N->Q)) {
            ckda_evidence_fact(ev, "failed",
                               "the accumulator holds the completed blocks");
            ckda_evidence_fact_mat(ev, "accumulator", w->H + head, N->Q);
            ckda_evidence_fact_mat(ev, "want", before, N->Q);
            return CKDA_FALSE;
        }
    }
    return ckda_mat_set(before, w->vector, N->Q) == CKDA_OK
               ? CKDA_TRUE
               : ckda_evidence_unable(ev, "shapes differ");
}

/* ---- words ------------------------------------------------------------------------- */

/* "outputs": {"1": "116/21", ...} for the first listed word. */
static ckda_truth
check_output(ckda_evidence *ev, const network_walk *w, size_t position,
             const ckda_node *outputs)
{
    char key[24];
    const char *want;
    snprintf(key, sizeof key, "%zu", position);
    if (!ckda_node_has(outputs, key))
        return CKDA_TRUE;
    if (ckda_node_get_string(&want, outputs, key, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    char *got = ckda_net_output_str(w->N->net, &w->said);
    const ckda_truth truth =
        ckda_evidence_expect(ev, strcmp(got, want) == 0, "output %zu is %s, stated is %s",
                             position, got, want);
    free(got);
    return truth;
}

static ckda_truth
walk(ckda_evidence *ev, const ckda_word_t word, const ckda_node *outputs, task *t)
{
    network_walk w;
    ckda_mat_t before;
    const slong m = ckda_net_block(t->N->net);
    ckda_truth truth = CKDA_TRUE;
    size_t i = 0;
    network_walk_init(&w, t->N);
    ckda_mat_init(before, t->lag ? w.vector->rows : 0, t->lag ? 1 : 0, t->N->Q);
    if (t->lag)
        ckda_require(ckda_mat_set(before, w.vector, t->N->Q) == CKDA_OK, "equal shapes");
    for (; i < word->length && truth == CKDA_TRUE; i++) {
        truth = check_position(ev, &w, word->letter[i], t);
        if (truth == CKDA_TRUE && t->lag && (slong)(i + 1) % m == 0)
            truth = check_lag(ev, &w, before);
        if (truth == CKDA_TRUE && outputs != NULL)
            truth = check_output(ev, &w, i + 1, outputs);
    }
    t->prefixes += i;
    ckda_mat_clear(before, t->N->Q);
    network_walk_clear(&w);
    if (truth == CKDA_FALSE) {
        const ckda_word_struct prefix = {word->letter, i};
        char *text = network_word_text(t->N, &prefix);
        ckda_evidence_fact(ev, "word", "%s", text);
        ckda_evidence_fact(ev, "length", "%zu", i);
        flint_free(text);
    }
    return truth;
}

/* All words of that length; their prefixes are all shorter ones. */
static ckda_truth
all_words(ckda_evidence *ev, long length, task *t)
{
    const uint32_t letters = ckda_net_letters(t->N->net);
    uint32_t letter[64] = {0};
    const ckda_word_struct word = {letter, (size_t)length};
    ckda_truth truth = CKDA_TRUE;
    long i = 0;
    while (truth == CKDA_TRUE && i < length) {
        truth = walk(ev, &word, NULL, t);
        for (i = 0; i < length && ++letter[i] == letters; i++)
            letter[i] = 0;
    }
    return truth;
}

static ckda_truth
listed_words(ckda_evidence *ev, task *t)
{
    ckda_node list, item, outputs;
    size_t n;
    ckda_rand r;
    ckda_truth truth = CKDA_TRUE;
    const bool has = ckda_node_has(t->in, "outputs");
    if (!ckda_node_has(t->in, "words"))
        return CKDA_TRUE;
    if (ckda_node_member(&list, t->in, "words", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK
        || (has && ckda_node_member(&outputs, t->in, "outputs", &ev->problem) != CKDA_OK))
        return CKDA_UNKNOWN;
    ckda_rand_init(&r, ev->seed);
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++) {
        ckda_word_t word;
        if (ckda_node_item(&item, &list, i, &ev->problem) != CKDA_OK
            || network_word(word, t->N, &item, &r, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = walk(ev, word, has && i == 0 ? &outputs : NULL, t);
        ckda_word_clear(word);
    }
    return truth;
}

/* ---- runs -------------------------------------------------------------------------- */

static ckda_status
read_betas(task *t, ckda_error *err)
{
    ckda_node at;
    t->beta = NULL;
    t->nbeta = 0;
    t->bound = ckda_node_has(t->in, "max_beta");
    if (t->bound) {
        t->beta = flint_malloc(sizeof *t->beta);
        t->nbeta = 1;
        ckda_elem_init(t->beta, t->N->Q);
        return maps_read_elem(t->beta, t->in, "max_beta", t->N->Q, err);
    }
    if (!ckda_node_has(t->in, "betas"))
        return CKDA_OK;
    ckda_status st = ckda_node_member(&at, t->in, "betas", err);
    return st == CKDA_OK
               ? ckda_input_read_vector(&t->beta, &t->nbeta, &at, -1, t->N->Q, err)
               : st;
}

static ckda_truth
check_network(ckda_evidence *ev, task *t)
{
    long length = 0;
    const char *key =
        ev->effort != CKDA_QUICK && ckda_node_has(t->in, "all_full") ? "all_full" : "all";
    ckda_truth truth = CKDA_UNKNOWN;
    t->lag = ckda_node_has(t->in, "lag") && t->N->kind == CKDA_NET_WFA;
    if (read_betas(t, &ev->problem) == CKDA_OK
        && (!ckda_node_has(t->in, key)
            || ckda_node_get_long(&length, t->in, key, 1, 60, &ev->problem) == CKDA_OK)) {
        truth = all_words(ev, length, t);
        if (truth == CKDA_TRUE)
            truth = listed_words(ev, t);
    }
    if (t->beta != NULL && t->bound) {
        ckda_elem_clear(t->beta, t->N->Q);
        flint_free(t->beta);
    } else if (t->beta != NULL)
        ckda_input_free_vector(t->beta, t->nbeta, t->N->Q);
    return truth;
}

static ckda_truth
check_run(ckda_evidence *ev, const ckda_node *run, uint64_t *prefixes)
{
    static const char *const known[] = {"network", "all", "all_full", "words",
                                        "betas",   "lag", "max_beta", "outputs"};
    ckda_node at;
    network N;
    char text[128];
    if (ckda_node_only(run, known, sizeof known / sizeof known[0], &ev->problem)
            != CKDA_OK
        || ckda_node_member(&at, run, "network", &ev->problem) != CKDA_OK
        || network_read(&N, &at, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    task t = {.N = &N, .in = run};
    const ckda_truth truth = check_network(ev, &t);
    *prefixes += t.prefixes;
    network_text(text, sizeof text, &N);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact(ev, "network", "%s", text);
    network_clear(&N);
    return truth;
}

ckda_truth
ckda_check_net_words(ckda_evidence *ev, const ckda_node *in)
{
    ckda_node list, run;
    size_t n;
    uint64_t prefixes = 0;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&list, in, "runs", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_evidence_weaken(ev, CKDA_INSTANCES);
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&run, &list, i, &ev->problem) == CKDA_OK
                    ? check_run(ev, &run, &prefixes)
                    : CKDA_UNKNOWN;
    ckda_evidence_scope(ev, "%zu networks, %lu prefixes", n, (unsigned long)prefixes);
    return truth;
}

/* ---- queries ---------------------------------------------------------------------- */

/* Squared length of the query of the last head. */
static void
query_norm(fmpq_t norm, const network_walk *w)
{
    const uint32_t last = ckda_net_heads(w->N->net) - 1;
    const ckda_net_step *t = w->step + last;
    fmpq_t x;
    fmpq_init(x);
    fmpq_zero(norm);
    for (slong i = 0; i < t->n * t->h; i++) {
        network_rational(x, t->query + i, w->N->Q);
        fmpq_addmul(norm, x, x);
    }
    fmpq_clear(x);
}

static bool
is_square(const fmpq_t x)
{
    return fmpz_is_square(fmpq_numref(x)) != 0 && fmpz_is_square(fmpq_denref(x)) != 0;
}

/* Counts positions with a zero query and with one of irrational length. */
static ckda_truth
count_queries(ckda_evidence *ev, long count[2], const network *N, const ckda_word_t word)
{
    network_walk w;
    fmpq_t norm;
    ckda_truth truth = CKDA_TRUE;
    fmpq_init(norm);
    network_walk_init(&w, N);
    for (size_t i = 0; i < word->length && truth == CKDA_TRUE; i++) {
        truth = network_walk_step(&w, word->letter[i], &ev->problem) ? CKDA_TRUE
                                                                     : CKDA_UNKNOWN;
        if (truth != CKDA_TRUE)
            break;
        query_norm(norm, &w);
        count[0] += fmpq_is_zero(norm);
        count[1] += !is_square(norm);
        truth = ckda_evidence_expect(ev, network_walk_right(&w),
                                     "the network says the product");
    }
    network_walk_clear(&w);
    fmpq_clear(norm);
    return truth;
}

static ckda_truth
check_queries(ckda_evidence *ev, const ckda_node *row)
{
    ckda_node at, word_at;
    network N;
    ckda_word_t word;
    ckda_rand r;
    long count[2] = {0, 0}, zero, irrational;
    ckda_error *err = &ev->problem;
    ckda_rand_init(&r, ev->seed);
    if (ckda_node_member(&at, row, "network", err) != CKDA_OK
        || ckda_node_member(&word_at, row, "word", err) != CKDA_OK
        || ckda_node_get_long(&zero, row, "zero", 0, 1000000, err) != CKDA_OK
        || ckda_node_get_long(&irrational, row, "irrational", 0, 1000000, err) != CKDA_OK
        || network_read(&N, &at, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = CKDA_UNKNOWN;
    if (network_word(word, &N, &word_at, &r, err) == CKDA_OK) {
        truth = count_queries(ev, count, &N, word);
        ckda_word_clear(word);
    }
    if (truth == CKDA_TRUE)
        truth =
            ckda_evidence_expect_long(ev, "positions with the query 0", count[0], zero);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(
            ev, "positions with a query of irrational length", count[1], irrational);
    network_clear(&N);
    return truth;
}

ckda_truth
ckda_check_query_lengths(ckda_evidence *ev, const ckda_node *in)
{
    size_t n = 0;
    const ckda_truth truth = rows_check(&n, ev, in, check_queries);
    ckda_evidence_scope(ev, "%zu networks", n);
    return truth;
}
