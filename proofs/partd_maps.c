/* proofs/partd_maps.c -- every map as a short product of CKDA factors.
 *
 * Statement.  short_map_factors: the short factorisation of every map on n points, and of
 * the seeded and special maps on more points, multiplies out to the map's matrix, has
 * gates in
 * [-1, 1], 0 <= beta <= the stated bound, and the number of factors that the formula
 * gives from the numbers of image points and cycles; the histograms and the factors
 * printed for named maps are as stated.
 *
 * Why the check suffices.  All maps of the named sizes are taken; products are exact.
 *
 * Not shown here: other sizes; that fewer factors do not do (d.A.lower). */
#include <stdlib.h>
#include <string.h>
#include "checks.h"
#include "closure.h"
#include "ckda/factorise.h"
#include "ckda/input.h"

enum { MAX_POINTS = 16 };

typedef struct {
    ckda_evidence *ev;
    ckda_field_t K;
    ckda_elem_t max_beta, beta;
    slong n, image[MAX_POINTS];
    long count[MAX_POINTS + 1], maps;
} job;

/* ---- the formula ---- */

typedef struct {
    slong images, cycles;
} shape;

static shape
shape_of(const slong *image, slong n)
{
    bool hit[MAX_POINTS] = {false}, seen[MAX_POINTS] = {false};
    shape s = {0};
    for (slong j = 0; j < n; j++) {
        s.images += !hit[image[j]];
        hit[image[j]] = true;
    }
    for (slong j = 0; j < n; j++) {
        slong c = j;
        for (slong i = 0; i < n; i++) /* after n steps on a cycle */
            c = image[c];
        if (seen[c])
            continue;
        s.cycles++;
        for (; !seen[c]; c = image[c])
            seen[c] = true;
    }
    return s;
}

/* k > c or a permutation; else all image points are fixed. */
static long
formula(const slong *image, slong n)
{
    const shape s = shape_of(image, n);
    if (n == 2 && s.images == 1)
        return 2;
    if (s.images == n || s.images > s.cycles)
        return n - s.cycles;
    return s.images == 1 ? n - 1 : n - s.images + 1;
}

/* ---- one map ---- */

static void
fact_map(job *w)
{
    char text[8 * MAX_POINTS] = "";
    for (slong j = 0; j < w->n; j++)
        sprintf(text + strlen(text), "%s%ld", j > 0 ? "," : "", (long)w->image[j]);
    ckda_evidence_fact(w->ev, "map", "[%s]", text);
}

static ckda_truth
fail_map(job *w, const char *what)
{
    ckda_evidence_fact(w->ev, "failed", "%s", what);
    fact_map(w);
    return CKDA_FALSE;
}

static ckda_truth
check_product(job *w, const ckda_factors_t f)
{
    ckda_mat_t P, M;
    ckda_mat_init(P, w->n, w->n, w->K);
    ckda_mat_init(M, w->n, w->n, w->K);
    ckda_status st = ckda_factors_product(P, f, w->K);
    if (st == CKDA_OK)
        st = ckda_mat_set_map(M, w->image, w->n, w->K);
    ckda_truth truth = st == CKDA_OK
                           ? ckda_evidence_expect_mat(w->ev, "the product", P, M, w->K)
                           : ckda_evidence_unable(w->ev, "the factors do not multiply");
    if (truth == CKDA_FALSE)
        fact_map(w);
    ckda_mat_clear(M, w->K);
    ckda_mat_clear(P, w->K);
    return truth;
}

static ckda_truth
check_factors(job *w, const ckda_factors_t f)
{
    ckda_error range = {0};
    ckda_truth truth = check_product(w, f);
    ckda_evidence_count(w->ev, 3);
    if (truth != CKDA_TRUE)
        return truth;
    if (ckda_factors_check(f, w->K, &range) != CKDA_OK)
        return fail_map(w, range.text);
    ckda_factors_max_beta(w->beta, f, w->K);
    if (w->n >= 3 && ckda_elem_cmp(w->beta, w->max_beta, w->K) > 0) {
        ckda_evidence_fact_elem(w->ev, "beta", w->beta, w->K);
        return fail_map(w, "beta is at most the stated bound");
    }
    if (f->count != formula(w->image, w->n)) {
        ckda_evidence_fact(w->ev, "factors", "%ld", (long)f->count);
        return fail_map(w, "the number of factors is that of the formula");
    }
    w->count[f->count]++;
    w->maps++;
    return CKDA_TRUE;
}

static ckda_truth
check_map(job *w)
{
    ckda_factors_t f;
    ckda_factors_init(f, w->n, w->K);
    ckda_truth truth = ckda_factor_map(f, w->image, CKDA_FACTOR_SHORT, w->K) == CKDA_OK
                           ? check_factors(w, f)
                           : ckda_evidence_unable(w->ev, "the factoriser gave up");
    ckda_factors_clear(f, w->K);
    return truth;
}

/* ---- all maps, and the histograms ---- */

static ckda_truth
all_maps(job *w, const ckda_node *item)
{
    long n;
    ckda_node histogram;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_get_long(&n, item, "n", 1, 7, &w->ev->problem) != CKDA_OK
        || ckda_node_member(&histogram, item, "factors", &w->ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    memset(w->count, 0, sizeof w->count);
    memset(w->image, 0, sizeof w->image);
    w->n = n;
    for (slong i = 0; i < n && truth == CKDA_TRUE;) {
        truth = check_map(w);
        for (i = 0; i < n && ++w->image[i] == n; i++)
            w->image[i] = 0;
    }
    if (truth == CKDA_TRUE)
        truth = closure_histogram(w->ev, "maps with so many factors", w->count,
                                  MAX_POINTS, &histogram);
    return truth;
}

/* ---- larger maps ---- */

/* Constants, cycles, paths into a fixed point, rho shapes, doubling. */
enum { SHAPES = 5 };
static slong
special(int kind, slong j, slong n)
{
    switch (kind) {
    case 0:
        return n / 2;
    case 1:
        return (j + 1) % n;
    case 2:
        return j + 1 < n ? j + 1 : j;
    case 3:
        return j + 1 < n ? j + 1 : n / 2;
    default:
        return 2 * j % n;
    }
}

static ckda_truth
larger_maps(job *w, const ckda_node *in)
{
    ckda_node larger;
    long from, to, seeded;
    ckda_rand r;
    ckda_error *err = &w->ev->problem;
    if (ckda_node_member(&larger, in, "larger", err) != CKDA_OK
        || ckda_node_get_long(&from, &larger, "from", 3, MAX_POINTS, err) != CKDA_OK
        || ckda_node_get_long(&to, &larger, "to", 3, MAX_POINTS, err) != CKDA_OK
        || ckda_node_get_long(&seeded, &larger, "seeded", 0, 100000, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_evidence_weaken(w->ev, CKDA_INSTANCES);
    ckda_rand_init(&r, w->ev->seed);
    if (w->ev->effort != CKDA_QUICK)
        seeded *= 20;
    ckda_truth truth = CKDA_TRUE;
    for (w->n = from; w->n <= to; w->n++)
        for (long i = 0; i < SHAPES + seeded && truth == CKDA_TRUE; i++) {
            for (slong j = 0; j < w->n; j++)
                w->image[j] = i < SHAPES ? special((int)i, j, w->n)
                                         : (slong)ckda_rand_below(&r, (uint64_t)w->n);
            truth = check_map(w);
        }
    return truth;
}

/* ---- printed factors ---- */

/* Entries of one factor against {"beta", "key", "gate"}; keys are directions. */
static ckda_truth
expect_factor(job *w, const ckda_trans_struct *t, const ckda_node *want)
{
    ckda_trans_t u;
    ckda_mat_t A, B;
    ckda_error *err = &w->ev->problem;
    if (ckda_input_read_transition(u, want, w->K, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = ckda_evidence_expect(
        w->ev, u->n == t->n && ckda_elem_equal(u->beta, t->beta, w->K),
        "a printed factor has the stated dimension and beta");
    if (truth == CKDA_TRUE) {
        ckda_mat_init(A, t->n, t->n, w->K);
        ckda_mat_init(B, t->n, t->n, w->K);
        truth = ckda_trans_matrix(A, t, w->K) == CKDA_OK
                        && ckda_trans_matrix(B, u, w->K) == CKDA_OK
                    ? ckda_evidence_expect_mat(w->ev, "a printed factor", A, B, w->K)
                    : CKDA_UNKNOWN;
        ckda_mat_clear(B, w->K);
        ckda_mat_clear(A, w->K);
    }
    ckda_trans_clear(u, w->K);
    return truth;
}

static ckda_truth
compare_list(job *w, const ckda_factors_t f, const ckda_node *item)
{
    ckda_node list, at;
    size_t n;
    ckda_error *err = &w->ev->problem;
    if (ckda_node_member(&list, item, "factors", err) != CKDA_OK
        || ckda_node_size(&n, &list, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = ckda_evidence_expect_long(w->ev, "factors of a printed map",
                                                 (long)f->count, (long)n);
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&at, &list, i, err) == CKDA_OK
                    ? expect_factor(w, &f->step[i], &at)
                    : CKDA_UNKNOWN;
    return truth;
}

static ckda_truth
printed_map(job *w, const ckda_node *item)
{
    ckda_node map, at;
    size_t n;
    ckda_factors_t f;
    ckda_error *err = &w->ev->problem;
    if (ckda_node_member(&map, item, "map", err) != CKDA_OK
        || ckda_node_size(&n, &map, err) != CKDA_OK || n < 1 || n > MAX_POINTS)
        return ckda_evidence_unable(w->ev, "a printed map needs 1 to %d points",
                                    MAX_POINTS);
    w->n = (slong)n;
    for (size_t j = 0; j < n; j++) {
        long to;
        if (ckda_node_item(&at, &map, j, err) != CKDA_OK
            || ckda_node_long(&to, &at, 0, (long)n - 1, err) != CKDA_OK)
            return CKDA_UNKNOWN;
        w->image[j] = to;
    }
    ckda_factors_init(f, w->n, w->K);
    ckda_truth truth = ckda_factor_map(f, w->image, CKDA_FACTOR_SHORT, w->K) == CKDA_OK
                           ? check_factors(w, f)
                           : CKDA_UNKNOWN;
    if (truth == CKDA_TRUE)
        truth = compare_list(w, f, item);
    ckda_factors_clear(f, w->K);
    return truth;
}

/* ---- the check ---- */

static ckda_truth
for_each(job *w, const ckda_node *in, const char *key,
         ckda_truth (*check)(job *, const ckda_node *))
{
    ckda_node list, item;
    size_t n;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&list, in, key, &w->ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &w->ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&item, &list, i, &w->ev->problem) == CKDA_OK
                    ? check(w, &item)
                    : CKDA_UNKNOWN;
    return truth;
}

ckda_truth
ckda_check_short_map_factors(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"max_beta", "all", "larger", "printed"};
    job w = {.ev = ev};
    ckda_node bound;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(in, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || ckda_node_member(&bound, in, "max_beta", err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_field_init_rational(w.K);
    ckda_elem_init(w.max_beta, w.K);
    ckda_elem_init(w.beta, w.K);
    ckda_truth truth = CKDA_UNKNOWN;
    if (ckda_input_read_elem(w.max_beta, &bound, w.K, err) == CKDA_OK)
        truth = for_each(&w, in, "printed", printed_map);
    w.maps = 0;
    if (truth == CKDA_TRUE)
        truth = for_each(&w, in, "all", all_maps);
    ckda_evidence_scope(ev, "all %ld maps on the stated numbers of points", w.maps);
    w.maps = 0;
    if (truth == CKDA_TRUE)
        truth = larger_maps(&w, in);
    ckda_evidence_scope(ev, "%ld larger ones", w.maps);
    ckda_elem_clear(w.beta, w.K);
    ckda_elem_clear(w.max_beta, w.K);
    ckda_field_clear(w.K);
    return truth;
}
