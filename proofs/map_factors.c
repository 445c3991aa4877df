/* proofs/map_factors.c -- every map of a few points as a product of factors.
 *
 * Statement.  For each of the n^n maps of the listed n the named scheme gives factors
 * whose product is the map's 0/1 matrix, with beta at most as stated; their number is
 * "count" (points n, points on cycles k and cycles c with the given weights), at most
 * "bound" (n times and plus), the largest over all maps is "most", and "histogram" says
 * how many maps take how many (map_factors).  No permutation can do with fewer than it
 * gets (permutation_minimal).  Swaps at cost 1 and merges at cost 2 alone beat the
 * paper's recipe on as many maps as stated (swap_merge_costs).
 *
 * Why the check suffices.  All maps are factored and multiplied out exactly.  For a
 * permutation the lower bound is a minor of P - D that is triangular with diagonal 1 for
 * every diagonal D, looked up in the matrix itself; the costs come from a search that
 * starts at the identity and visits all maps.
 *
 * Not shown here: larger n. */
#include "checks.h"
#include "maps.h"
#include "rows.h"

enum { MAX_COUNT = 16 };

typedef struct {
    const ckda_node *in;
    ckda_factor_scheme scheme;
    ckda_elem_t most; /* of beta */
    long histogram[MAX_COUNT + 1];
} task;

/* {"n": 2, "k": -1, "c": -1}: 2n - k - c */
static ckda_truth
check_count(ckda_evidence *ev, long count, const slong *image, slong n, const task *t)
{
    ckda_node at;
    long wn, wk, wc;
    slong k, c;
    if (!ckda_node_has(t->in, "count"))
        return CKDA_TRUE;
    if (ckda_node_member(&at, t->in, "count", &ev->problem) != CKDA_OK
        || ckda_node_get_long(&wn, &at, "n", -9, 9, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&wk, &at, "k", -9, 9, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&wc, &at, "c", -9, 9, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    maps_cycles(&k, &c, image, n);
    return ckda_evidence_expect_long(ev, "number of factors", count,
                                     wn * n + wk * k + wc * c);
}

/* {"n": 2, "plus": -2}: at most max(1, 2n - 2) */
static ckda_truth
check_bound(ckda_evidence *ev, long count, slong n, const task *t)
{
    ckda_node at;
    long times, plus;
    if (!ckda_node_has(t->in, "bound"))
        return CKDA_TRUE;
    if (ckda_node_member(&at, t->in, "bound", &ev->problem) != CKDA_OK
        || ckda_node_get_long(&times, &at, "n", 0, 9, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&plus, &at, "plus", -9, 9, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    const long bound = times * n + plus;
    return ckda_evidence_expect(ev, count <= (bound > 1 ? bound : 1),
                                "%ld factors, at most %ldn%+ld are claimed, n = %ld",
                                count, times, plus, (long)n);
}

static ckda_truth
check_map(ckda_evidence *ev, const slong *image, slong n, task *t, const ckda_field_t K)
{
    ckda_factors_t f;
    ckda_mat_t P;
    ckda_factors_init(f, n, K);
    ckda_mat_init(P, n, n, K);
    ckda_require(ckda_factor_map(f, image, t->scheme, K) == CKDA_OK
                     && ckda_mat_set_map(P, image, n, K) == CKDA_OK,
                 "images lie within the points");
    ckda_truth truth = maps_check_factors(ev, f, P, t->most, K);
    if (truth == CKDA_TRUE)
        truth = check_count(ev, f->count, image, n, t);
    if (truth == CKDA_TRUE)
        truth = check_bound(ev, f->count, n, t);
    t->histogram[f->count < MAX_COUNT ? f->count : MAX_COUNT]++;
    ckda_mat_clear(P, K);
    ckda_factors_clear(f, K);
    return maps_blame(ev, image, n, truth);
}

/* "histogram": {"3": {"0": 1, ...}}, members that are not named being 0. */
static ckda_truth
check_histogram(ckda_evidence *ev, slong n, const task *t)
{
    char key[32];
    ckda_node all, at;
    ckda_truth truth = CKDA_TRUE;
    snprintf(key, sizeof key, "%ld", (long)n);
    if (!ckda_node_has(t->in, "histogram"))
        return CKDA_TRUE;
    if (ckda_node_member(&all, t->in, "histogram", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (!ckda_node_has(&all, key))
        return CKDA_TRUE;
    if (ckda_node_member(&at, &all, key, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (long i = 0; i <= MAX_COUNT && truth == CKDA_TRUE; i++) {
        long want = 0;
        snprintf(key, sizeof key, "%ld", i);
        if (ckda_node_has(&at, key)
            && ckda_node_get_long(&want, &at, key, 0, 10000000, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth =
            ckda_evidence_expect_long(ev, "maps with this count", t->histogram[i], want);
        if (truth == CKDA_FALSE)
            ckda_evidence_fact(ev, "count", "%ld factors, n = %ld", i, (long)n);
    }
    return truth;
}

/* "most": {"3": 2, ...}: the largest count over all maps. */
static ckda_truth
check_most(ckda_evidence *ev, slong n, const task *t)
{
    char key[32];
    ckda_node at;
    long want, most = 0;
    snprintf(key, sizeof key, "%ld", (long)n);
    if (!ckda_node_has(t->in, "most"))
        return CKDA_TRUE;
    if (ckda_node_member(&at, t->in, "most", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (!ckda_node_has(&at, key))
        return CKDA_TRUE;
    if (ckda_node_get_long(&want, &at, key, 0, MAX_COUNT, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (long i = 0; i <= MAX_COUNT; i++)
        most = t->histogram[i] > 0 ? i : most;
    return ckda_evidence_expect_long(ev, "largest number of factors", most, want);
}

static ckda_truth
all_maps(ckda_evidence *ev, slong n, task *t, const ckda_field_t K)
{
    slong image[MAPS_MAX] = {0};
    ckda_truth truth;
    for (long i = 0; i <= MAX_COUNT; i++)
        t->histogram[i] = 0;
    do
        truth = check_map(ev, image, n, t, K);
    while (truth == CKDA_TRUE && maps_next(image, n));
    if (truth == CKDA_TRUE)
        truth = check_histogram(ev, n, t);
    return truth == CKDA_TRUE ? check_most(ev, n, t) : truth;
}

ckda_truth
ckda_check_map_factors(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"scheme",    "n",     "max_beta", "count",
                                        "histogram", "bound", "most"};
    ckda_field_t K;
    maps_span n;
    task t = {.in = in};
    ckda_truth truth = CKDA_UNKNOWN;
    if (ckda_node_only(in, known, sizeof known / sizeof known[0], &ev->problem)
        != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_field_init_rational(K);
    ckda_elem_init(t.most, K);
    if (maps_read_span(&n, in, "n", ev) == CKDA_OK
        && maps_read_scheme(&t.scheme, in, &ev->problem) == CKDA_OK
        && maps_read_elem(t.most, in, "max_beta", K, &ev->problem) == CKDA_OK) {
        truth = CKDA_TRUE;
        for (long i = n.from; i <= n.to && truth == CKDA_TRUE; i++)
            truth = all_maps(ev, i, &t, K);
        ckda_evidence_scope(ev, "all maps of %ld..%ld points", n.from, n.to);
    }
    ckda_elem_clear(t.most, K);
    ckda_field_clear(K);
    return truth;
}

/* ---- permutations ------------------------------------------------------------------ */

/* A minor of P - D that is triangular with diagonal entries 1 for every diagonal D has as
 * many rows as the swaps that make P. */
static ckda_truth
check_permutation(ckda_evidence *ev, const slong *image, slong n, long per_cycle,
                  const ckda_field_t K)
{
    slong row[MAPS_MAX], col[MAPS_MAX], k, c, count;
    ckda_mat_t P;
    maps_cycles(&k, &c, image, n);
    ckda_mat_init(P, n, n, K);
    const slong size = ckda_factor_map_minor(row, col, image, n);
    ckda_require(ckda_mat_set_map(P, image, n, K) == CKDA_OK,
                 "images lie within the points");
    ckda_truth truth =
        ckda_evidence_expect(ev, ckda_factor_minor_is_rigid(row, col, size, P, K),
                             "a minor of P - D that no diagonal D changes");
    if (truth == CKDA_TRUE)
        truth =
            ckda_evidence_expect_long(ev, "rows of the minor", size, n + per_cycle * c);
    if (truth == CKDA_TRUE)
        truth = ckda_factor_permutation_minimal(&count, image, n, K) == CKDA_OK
                    ? ckda_evidence_expect_long(ev, "factors built", count, size)
                    : ckda_evidence_unable(ev, "not a permutation");
    ckda_mat_clear(P, K);
    return maps_blame(ev, image, n, truth);
}

ckda_truth
ckda_check_permutation_minimal(ckda_evidence *ev, const ckda_node *in)
{
    return maps_all_permutations(ev, in, check_permutation, "");
}

/* ---- swaps and merges alone -------------------------------------------------------- */

typedef struct {
    long beaten, most, reaching; /* maps below 2n-k-c; the largest cost; maps with it */
} costs;

static bool
is_constant(const slong *image, slong n)
{
    for (slong i = 1; i < n; i++)
        if (image[i] != image[0])
            return false;
    return true;
}

static ckda_truth
count_costs(ckda_evidence *ev, costs *s, long *constants, const slong *cost, slong n)
{
    slong image[MAPS_MAX] = {0};
    s->most = -1;
    do {
        slong k, c, at = 0;
        for (slong i = n - 1; i >= 0; i--)
            at = at * n + image[i];
        maps_cycles(&k, &c, image, n);
        if (maps_blame(ev, image, n,
                       ckda_evidence_expect(ev,
                                            cost[at] >= 0 && cost[at] <= 2 * n - k - c,
                                            "swaps and merges reach the map, at the "
                                            "recipe's cost or below"))
            != CKDA_TRUE)
            return CKDA_FALSE;
        s->beaten += cost[at] < 2 * n - k - c;
        if (cost[at] > s->most) {
            s->most = cost[at];
            s->reaching = *constants = 0;
        }
        s->reaching += cost[at] == s->most;
        *constants += cost[at] == s->most && is_constant(image, n);
    } while (maps_next(image, n));
    return CKDA_TRUE;
}

static ckda_truth
check_costs(ckda_evidence *ev, const ckda_node *row)
{
    long n, beaten, most, reaching, constants = 0;
    costs s = {0};
    if (ckda_node_get_long(&n, row, "n", 1, 6, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&beaten, row, "beaten", 0, 1000000, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&most, row, "most", 0, MAX_COUNT, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&reaching, row, "reaching", 0, 1000000, &ev->problem)
               != CKDA_OK)
        return CKDA_UNKNOWN;
    size_t maps = 1;
    for (long i = 0; i < n; i++)
        maps *= (size_t)n;
    slong *cost = flint_malloc(maps * sizeof *cost);
    ckda_truth truth = ckda_factor_swap_merge_costs(cost, n) == CKDA_OK
                           ? count_costs(ev, &s, &constants, cost, n)
                           : ckda_evidence_unable(ev, "too many maps");
    flint_free(cost);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "maps below 2n - k - c", s.beaten, beaten);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "largest cost", s.most, most);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "maps of the largest cost", s.reaching,
                                          reaching);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "constant maps among them", constants, n);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact(ev, "n", "%ld", n);
    return truth;
}

ckda_truth
ckda_check_swap_merge_costs(ckda_evidence *ev, const ckda_node *in)
{
    size_t n = 0;
    const ckda_truth truth = rows_check(&n, ev, in, check_costs);
    ckda_evidence_scope(ev, "all maps of %zu numbers of points", n);
    return truth;
}
