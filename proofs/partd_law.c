/* proofs/partd_law.c -- laws of one layer, on exact heads with finitely many states.
 *
 * Statement.  one_layer_law: with X = x^e and Y = y^e the words XYXY and YXXY lead from
 * every reachable state to the same state, for all pairs of letters of every head; the
 * heads under "fails" break it, with the states that are written there. one_layer_window:
 * x^t leads from every reachable state to a state on a cycle of x, for every letter, that
 * is x^(t+N) = x^t for a common period N; some letter needs t.
 *
 * Why the check suffices.  Nothing is rounded: a head counts only if the search for its
 * states closed and was certified; then each letter is a map of a finite set of numbers,
 * and both sides of a law are compared on all of it.  Several heads of one layer are a
 * product, on which a law holds if it holds on each.
 *
 * Not shown here: heads that are not among the given and the seeded ones. */
#include "checks.h"
#include "partd_heads.h"
#include "ckda/input.h"

enum { MAX_STATES = 8000, MAX_STATES_SEEDED = 1500 };

typedef struct {
    long heads, finite, pairs, moving; /* pairs with XY != YX */
    long turning;                      /* letters whose power is not idempotent */
    long letters, deepest;
    long exponent;
    uint64_t states;
} tally;

/* ---- XYXY = YXXY ---- */

typedef struct {
    uint32_t state, left, right;
    bool found, commute;
} clash;

static clash
compare_pair(const uint32_t *X, const uint32_t *Y, uint64_t states)
{
    clash c = {.commute = true};
    for (uint32_t s = 0; s < states; s++) {
        const uint32_t left = Y[X[Y[X[s]]]], right = Y[X[X[Y[s]]]];
        c.commute = c.commute && Y[X[s]] == X[Y[s]];
        if (left != right && !c.found)
            c = (clash){s, left, right, true, c.commute};
    }
    return c;
}

static void
fact_state(ckda_evidence *ev, const char *key, const partd_head *h, const ckda_reach_t r,
           uint32_t s)
{
    ckda_mat_t S;
    ckda_mat_init(S, h->n, 1, h->K);
    if (ckda_reach_state(S, r, h->sys, s) == CKDA_OK)
        ckda_evidence_fact_mat(ev, key, S, h->K);
    ckda_mat_clear(S, h->K);
}

static ckda_truth
refute_pair(ckda_evidence *ev, const partd_head *h, const ckda_reach_t r, const clash *c,
            uint32_t x, uint32_t y, long e)
{
    ckda_evidence_fact(ev, "failed", "XYXY = YXXY with X = x^%ld, Y = y^%ld", e, e);
    partd_head_facts(ev, h);
    ckda_evidence_fact(ev, "letters", "x = %u, y = %u", x, y);
    fact_state(ev, "from", h, r, c->state);
    fact_state(ev, "by XYXY", h, r, c->left);
    fact_state(ev, "by YXXY", h, r, c->right);
    return CKDA_FALSE;
}

static bool
is_idempotent(const uint32_t *X, uint64_t states)
{
    for (uint32_t s = 0; s < states; s++)
        if (X[X[s]] != X[s])
            return false;
    return true;
}

static ckda_truth
law_on_graph(ckda_evidence *ev, tally *t, const partd_head *h, const ckda_reach_t r)
{
    const size_t n = r->states;
    uint32_t *map = flint_malloc(h->nletters * n * sizeof *map);
    ckda_truth truth = CKDA_TRUE;
    for (uint32_t x = 0; x < h->nletters; x++) {
        partd_power(map + x * n, r, h->nletters, x, t->exponent);
        t->turning += !is_idempotent(map + x * n, n);
    }
    for (uint32_t x = 0; x < h->nletters; x++)
        for (uint32_t y = 0; y < h->nletters && truth == CKDA_TRUE; y++) {
            const clash c = compare_pair(map + x * n, map + y * n, n);
            ckda_evidence_count(ev, n);
            t->pairs += x != y;
            t->moving += !c.commute;
            if (c.found)
                truth = refute_pair(ev, h, r, &c, x, y, t->exponent);
        }
    flint_free(map);
    return truth;
}

/* ---- the window ---- */

static ckda_truth
window_on_graph(ckda_evidence *ev, tally *t, const partd_head *h, const ckda_reach_t r)
{
    for (uint32_t x = 0; x < h->nletters; x++) {
        const long tail = partd_tail(r, h->nletters, x);
        ckda_evidence_count(ev, r->states);
        t->letters++;
        if (tail > t->deepest)
            t->deepest = tail;
        if (tail <= t->exponent)
            continue;
        ckda_evidence_fact(ev, "failed", "x^(%ld+N) = x^%ld on the reachable states",
                           t->exponent, t->exponent);
        ckda_evidence_fact(ev, "first power that does", "%ld", tail);
        ckda_evidence_fact(ev, "letter", "%u", x);
        partd_head_facts(ev, h);
        return CKDA_FALSE;
    }
    return CKDA_TRUE;
}

/* ---- given and seeded heads ---- */

typedef ckda_truth (*graph_fn)(ckda_evidence *, tally *, const partd_head *,
                               const ckda_reach_t);

static ckda_truth
check_head(ckda_evidence *ev, tally *t, const partd_head *h, graph_fn on_graph,
           bool must_close)
{
    const bool small = !must_close && ev->effort == CKDA_QUICK;
    ckda_reach_t r;
    ckda_truth truth = CKDA_TRUE;
    if (partd_head_explore(r, h, small ? MAX_STATES_SEEDED : MAX_STATES, &ev->problem)
        != CKDA_OK)
        return CKDA_UNKNOWN;
    t->heads++;
    if (r->finite == CKDA_TRUE) {
        t->finite++;
        t->states += r->states;
        truth = on_graph(ev, t, h, r);
    } else if (must_close)
        truth = ckda_evidence_unable(ev, "%s: its states are not closed (%s)", h->name,
                                     r->exactness);
    ckda_reach_clear(r);
    return truth;
}

/* The letters x, y of a construction as a head, from e_1. */
static ckda_truth
construction_head(partd_head *h, ckda_evidence *ev, const ckda_node *item)
{
    static const char *const letter[2] = {"x", "y"};
    const char *system, *construction, *text;
    ckda_construction_t c;
    uint32_t g;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_string(&system, item, "system", err) != CKDA_OK
        || ckda_node_get_string(&construction, item, "construction", err) != CKDA_OK
        || ckda_construct(c, system, construction, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = CKDA_TRUE;
    partd_head_init(h, c->n, 2, c->K);
    h->name = system;
    for (int i = 0; i < 2 && truth == CKDA_TRUE; i++) {
        if (ckda_node_get_string(&text, item, letter[i], err) != CKDA_OK
            || ckda_group_parse(&g, c->G, text, err) != CKDA_OK
            || ckda_trans_set(&h->trans[i], &c->trans[g], h->K) != CKDA_OK)
            truth = CKDA_UNKNOWN;
    }
    ckda_elem_one(h->initial->entry, h->K);
    partd_head_ready(h);
    ckda_construct_clear(c);
    if (truth != CKDA_TRUE)
        partd_head_clear(h);
    return truth;
}

/* Written out, or {"system", "construction", "x", "y"}. */
static ckda_truth
read_head(partd_head *h, ckda_evidence *ev, const ckda_node *item)
{
    return ckda_node_has(item, "system") ? construction_head(h, ev, item)
                                         : partd_head_read(h, ev, item);
}

static ckda_truth
given_heads(ckda_evidence *ev, tally *t, const ckda_node *in, graph_fn on_graph)
{
    ckda_node list, item;
    size_t n;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&list, in, "heads", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++) {
        partd_head h;
        if (ckda_node_item(&item, &list, i, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = read_head(&h, ev, &item);
        if (truth != CKDA_TRUE)
            break;
        truth = check_head(ev, t, &h, on_graph, true);
        partd_head_clear(&h);
    }
    return truth;
}

/* "seeded": heads of each family, ten times as many with more effort. */
static ckda_truth
seeded_heads(ckda_evidence *ev, tally *t, const ckda_node *in, graph_fn on_graph)
{
    partd_family family[PARTD_FAMILIES];
    size_t n;
    long count;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_long(&count, in, "seeded", 0, 1000000, err) != CKDA_OK
        || partd_read_families(family, &n, in, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    partd_source *source = partd_source_open(ev->seed, err);
    if (source == NULL)
        return CKDA_UNKNOWN;
    ckda_truth truth = CKDA_TRUE;
    if (ev->effort != CKDA_QUICK)
        count *= 10;
    for (long i = 0; i < count && truth == CKDA_TRUE; i++)
        for (size_t f = 0; f < n && truth == CKDA_TRUE; f++) {
            partd_head h;
            partd_head_random(&h, source, family[f]);
            h.name = partd_family_name[family[f]];
            truth = check_head(ev, t, &h, on_graph, false);
            partd_head_clear(&h);
        }
    partd_source_close(&source);
    return truth;
}

/* "at_least": {"finite": 100, ...}: the sample must not be empty of what it is for. */
static ckda_truth
expect_at_least(ckda_evidence *ev, const ckda_node *in, const char *what, long got)
{
    ckda_node at;
    long want;
    if (ckda_node_member(&at, in, "at_least", &ev->problem) != CKDA_OK
        || ckda_node_get_long(&want, &at, what, 0, 1000000000, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (got < want)
        return ckda_evidence_unable(ev, "%s: %ld, fewer than %ld", what, got, want);
    return CKDA_TRUE;
}

/* ---- heads that break the law ---- */

/* The states at the ends, from the initial state. */
static ckda_truth
expect_ends(ckda_evidence *ev, const ckda_node *item, const partd_head *h,
            const ckda_reach_t r, const uint32_t end[2])
{
    static const char *const key[2] = {"xyxy", "yxxy"};
    ckda_truth truth = CKDA_TRUE;
    for (int i = 0; i < 2 && truth == CKDA_TRUE; i++) {
        ckda_node at;
        ckda_mat_t want, got;
        if (!ckda_node_has(item, key[i]))
            continue;
        if (ckda_node_member(&at, item, key[i], &ev->problem) != CKDA_OK
            || ckda_input_read_matrix(want, &at, h->n, 1, h->K, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        ckda_mat_init(got, h->n, 1, h->K);
        truth = ckda_reach_state(got, r, h->sys, end[i]) == CKDA_OK
                    ? ckda_evidence_expect_mat(ev, key[i], got, want, h->K)
                    : ckda_evidence_unable(ev, "no state %u", end[i]);
        ckda_mat_clear(got, h->K);
        ckda_mat_clear(want, h->K);
    }
    return truth;
}

static ckda_truth
breaks_on_graph(ckda_evidence *ev, const ckda_node *item, const partd_head *h,
                const ckda_reach_t r, long exponent)
{
    const size_t n = r->states;
    uint32_t *X = flint_malloc(2 * n * sizeof *X), *Y = X + n;
    partd_power(X, r, h->nletters, 0, exponent);
    partd_power(Y, r, h->nletters, 1, exponent);
    const uint32_t end[2] = {Y[X[Y[X[0]]]], Y[X[X[Y[0]]]]};
    ckda_truth truth =
        ckda_evidence_expect(ev, compare_pair(X, Y, n).found,
                             "%s breaks XYXY = YXXY at exponent %ld", h->name, exponent);
    if (truth == CKDA_TRUE)
        truth = expect_ends(ev, item, h, r, end);
    flint_free(X);
    return truth;
}

static ckda_truth
broken_head(ckda_evidence *ev, const ckda_node *item)
{
    partd_head h;
    ckda_reach_t r;
    long exponent;
    if (ckda_node_get_long(&exponent, item, "exponent", 1, 100000, &ev->problem)
        != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = read_head(&h, ev, item);
    if (truth != CKDA_TRUE)
        return truth;
    if (h.nletters != 2)
        truth = ckda_evidence_unable(ev, "%s: two letters are needed", h.name);
    else if (partd_head_explore(r, &h, MAX_STATES, &ev->problem) != CKDA_OK)
        truth = CKDA_UNKNOWN;
    else {
        truth = r->finite == CKDA_TRUE
                    ? breaks_on_graph(ev, item, &h, r, exponent)
                    : ckda_evidence_unable(ev, "%s: its states are not closed", h.name);
        ckda_reach_clear(r);
    }
    partd_head_clear(&h);
    return truth;
}

static ckda_truth
broken_heads(ckda_evidence *ev, const ckda_node *in)
{
    ckda_node list, item;
    size_t n;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&list, in, "fails", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++) {
        if (ckda_node_item(&item, &list, i, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = broken_head(ev, &item);
    }
    if (n > 0)
        ckda_evidence_scope(ev, "%zu heads that break it", n);
    return truth;
}

/* ---- the checks ---- */

ckda_truth
ckda_check_one_layer_law(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"exponent", "heads",    "seeded",
                                        "families", "at_least", "fails"};
    tally t = {0};
    if (ckda_node_only(in, known, sizeof known / sizeof known[0], &ev->problem) != CKDA_OK
        || ckda_node_get_long(&t.exponent, in, "exponent", 1, 100000, &ev->problem)
               != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_evidence_weaken(ev, CKDA_INSTANCES);
    ckda_truth truth = given_heads(ev, &t, in, law_on_graph);
    if (truth == CKDA_TRUE)
        truth = seeded_heads(ev, &t, in, law_on_graph);
    if (truth == CKDA_TRUE)
        truth = expect_at_least(ev, in, "finite", t.finite);
    if (truth == CKDA_TRUE)
        truth = expect_at_least(ev, in, "moving", t.moving);
    if (truth == CKDA_TRUE)
        truth = expect_at_least(ev, in, "turning", t.turning);
    ckda_evidence_scope(
        ev,
        "%ld heads, %ld with finitely many states (%lu), %ld pairs of letters, "
        "%ld with XY != YX, %ld letters whose power is not idempotent",
        t.heads, t.finite, (unsigned long)t.states, t.pairs, t.moving, t.turning);
    if (truth == CKDA_TRUE)
        truth = broken_heads(ev, in);
    return truth;
}

ckda_truth
ckda_check_one_layer_window(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"window", "heads", "seeded", "families",
                                        "at_least"};
    tally t = {0};
    if (ckda_node_only(in, known, sizeof known / sizeof known[0], &ev->problem) != CKDA_OK
        || ckda_node_get_long(&t.exponent, in, "window", 0, 1000, &ev->problem)
               != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_evidence_weaken(ev, CKDA_INSTANCES);
    ckda_truth truth = given_heads(ev, &t, in, window_on_graph);
    if (truth == CKDA_TRUE)
        truth = seeded_heads(ev, &t, in, window_on_graph);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "longest tail of a letter", t.deepest,
                                          t.exponent);
    if (truth == CKDA_TRUE)
        truth = expect_at_least(ev, in, "finite", t.finite);
    ckda_evidence_scope(
        ev,
        "%ld heads, %ld with finitely many states (%lu), %ld letters, longest "
        "tail %ld",
        t.heads, t.finite, (unsigned long)t.states, t.letters, t.deepest);
    return truth;
}
