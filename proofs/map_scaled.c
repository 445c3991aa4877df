/* proofs/map_scaled.c -- maps as products of factors with gate 1, and maps up to scale.
 *
 * Statement.  scaled_maps: for every map of n points with matrix M, M M^T is the diagonal
 * matrix of the fibre sizes, so ||M||^2 is their maximum; with rho = 1/||M|| the matrix
 * rho M is a product of factors with beta in [0, 2] and gates in [-1, 1], at most as many
 * as stated, and of generalised Householder matrices with gate 1 and beta in [0, 2], at
 * most as many as stated.  householder_maps: M itself with gate 1, at most 3n of them.
 *
 * Why the check suffices.  The factors are built and multiplied out exactly for every
 * map.  A fibre F of s with |F| > 1 takes one reflection that turns 1_F/sqrt|F| into one
 * unit vector e_r, r in F; what is left is a gate (rho sqrt|F| at r, 0 at the rest of F)
 * and a permutation that takes each r to its s.  In Q(sqrt 2, ..., sqrt n).
 *
 * Not shown here: larger n. */
#include "checks.h"
#include "maps.h"

/* The field of the square roots of 1 .. n, and these roots. */
typedef struct {
    ckda_field_t K;
    ckda_elem_struct root[MAPS_MAX + 1]; /* root[i] = sqrt i */
    slong n;
} roots;

static void
roots_init(roots *r, slong n)
{
    qqbar_struct *x = flint_malloc(((size_t)n + 1) * sizeof *x);
    r->n = n;
    for (slong i = 0; i <= n; i++) {
        qqbar_init(x + i);
        qqbar_sqrt_ui(x + i, (ulong)i);
    }
    const ckda_status st = ckda_field_init_numbers(r->K, r->root, x, n + 1, 0);
    ckda_require(st == CKDA_OK, "square roots are real");
    for (slong i = 0; i <= n; i++)
        qqbar_clear(x + i);
    flint_free(x);
}

static void
roots_clear(roots *r)
{
    for (slong i = 0; i <= r->n; i++)
        ckda_elem_clear(r->root + i, r->K);
    ckda_field_clear(r->K);
}

typedef struct {
    slong size[MAPS_MAX], rep[MAPS_MAX], largest,
        points; /* of each fibre; rep -1: empty */
} fibres;

static void
find_fibres(fibres *f, const slong *image, slong n)
{
    *f = (fibres){.points = n};
    for (slong s = 0; s < n; s++)
        f->rep[s] = -1;
    for (slong i = 0; i < n; i++) {
        const slong s = image[i];
        f->size[s]++;
        if (f->rep[s] < 0 || i == s) /* s itself where it can: fewer swaps */
            f->rep[s] = i;
        f->largest = f->size[s] > f->largest ? f->size[s] : f->largest;
    }
}

/* A permutation that takes the representative of each fibre to its point. */
static void
complete(slong *perm, const fibres *f)
{
    bool used[MAPS_MAX] = {false};
    const slong n = f->points;
    for (slong i = 0; i < n; i++)
        perm[i] = -1;
    for (slong s = 0; s < n; s++)
        if (f->rep[s] >= 0) {
            perm[f->rep[s]] = s;
            used[s] = true;
        }
    for (slong i = 0; i < n; i++)
        if (perm[i] < 0 && !used[i]) {
            perm[i] = i;
            used[i] = true;
        }
    for (slong i = 0; i < n; i++)
        for (slong s = 0; s < n && perm[i] < 0; s++)
            if (!used[s]) {
                perm[i] = s;
                used[s] = true;
            }
}

/* The reflection along 1_F - sqrt|F| e_r. */
static void
push_fibre(ckda_factors_t f, const slong *image, slong s, const fibres *b, const roots *r)
{
    ckda_trans_t t;
    ckda_trans_init(t, CKDA_CKDA, b->points, 1, r->K);
    for (slong i = 0; i < b->points; i++)
        ckda_elem_set_si(t->key + i, image[i] == s, r->K);
    ckda_elem_sub(t->key + b->rep[s], t->key + b->rep[s], r->root + b->size[s], r->K);
    ckda_elem_set_si(t->beta, 2, r->K);
    ckda_require(ckda_factors_push(f, t, r->K) == CKDA_OK, "equal dimensions");
    ckda_trans_clear(t, r->K);
}

/* gate[i]: rho sqrt|F| at the representatives, 0 at the other points of fibres.  False if
 * all are 1. */
static bool
set_gate(ckda_elem_struct *gate, const fibres *b, const ckda_elem_t rho, const roots *r)
{
    bool needed = false;
    for (slong i = 0; i < b->points; i++)
        ckda_elem_zero(gate + i, r->K);
    for (slong s = 0; s < b->points; s++)
        if (b->rep[s] >= 0)
            ckda_elem_mul(gate + b->rep[s], rho, r->root + b->size[s], r->K);
    for (slong i = 0; i < b->points; i++)
        needed = needed || !ckda_elem_is_one(gate + i, r->K);
    return needed;
}

/* A factor that is only a gate, or with gate 1 one factor H_{1-g}(e_i) for each g != 1.
 */
static void
push_gate(ckda_factors_t f, const ckda_elem_struct *gate, bool gates,
          const ckda_field_t K)
{
    ckda_trans_t t;
    ckda_trans_init(t, CKDA_CKDA, f->n, 1, K);
    for (slong i = 0; gates && i < f->n; i++)
        ckda_elem_set(t->gate + i, gate + i, K);
    if (gates)
        ckda_require(ckda_factors_push(f, t, K) == CKDA_OK, "equal dimensions");
    for (slong i = 0; !gates && i < f->n; i++) {
        if (ckda_elem_is_one(gate + i, K))
            continue;
        ckda_elem_one(t->beta, K);
        ckda_elem_sub(t->beta, t->beta, gate + i, K);
        for (slong j = 0; j < f->n; j++)
            ckda_elem_set_si(t->key + j, i == j, K);
        ckda_require(ckda_factors_push(f, t, K) == CKDA_OK, "equal dimensions");
    }
    ckda_trans_clear(t, K);
}

/* rho M as factors; gates: in the gates of the next factor, else as factors. */
static void
scaled_factors(ckda_factors_t f, const slong *image, const fibres *b,
               const ckda_elem_t rho, bool gates, const roots *r)
{
    slong perm[MAPS_MAX];
    ckda_mat_t gate;
    ckda_factors_t swaps;
    ckda_mat_init(gate, b->points, 1, r->K);
    ckda_factors_init(swaps, b->points, r->K);
    for (slong s = 0; s < b->points; s++)
        if (b->size[s] > 1)
            push_fibre(f, image, s, b, r);
    complete(perm, b);
    ckda_require(ckda_factor_map(swaps, perm, CKDA_FACTOR_PAPER, r->K) == CKDA_OK,
                 "a permutation");
    const bool needed = set_gate(gate->entry, b, rho, r);
    if (needed && gates && swaps->count > 0)
        for (slong i = 0; i < b->points; i++)
            ckda_elem_set(swaps->step[0].gate + i, gate->entry + i, r->K);
    else if (needed)
        push_gate(f, gate->entry, gates, r->K);
    for (slong i = 0; i < swaps->count; i++)
        ckda_require(ckda_factors_push(f, swaps->step + i, r->K) == CKDA_OK,
                     "equal dimensions");
    ckda_factors_clear(swaps, r->K);
    ckda_mat_clear(gate, r->K);
}

/* M M^T is the diagonal matrix of the fibre sizes. */
static ckda_truth
check_gram(ckda_evidence *ev, const ckda_mat_t M, const fibres *b, const ckda_field_t K)
{
    ckda_mat_t T, want;
    ckda_mat_init(T, M->rows, M->rows, K);
    ckda_mat_init(want, M->rows, M->rows, K);
    for (slong s = 0; s < M->rows; s++)
        ckda_mat_set_entry_si(want, s, s, b->size[s], K);
    ckda_require(ckda_mat_transpose(T, M, K) == CKDA_OK
                     && ckda_mat_mul(T, M, T, K) == CKDA_OK,
                 "equal shapes");
    const ckda_truth truth = ckda_evidence_expect_mat(ev, "M M^T", T, want, K);
    ckda_mat_clear(want, K);
    ckda_mat_clear(T, K);
    return truth;
}

typedef struct {
    ckda_elem_t two, scale; /* scale^2 = the square of rho ||M|| */
    ckda_node ckda, gdn;    /* {"n": 2, "plus": -2}: at most max(1, 2n - 2) */
    long most[2];
} task;

static ckda_truth
check_bound(ckda_evidence *ev, const ckda_node *at, long count, slong n, const char *what)
{
    long times, plus;
    if (ckda_node_get_long(&times, at, "n", 0, 9, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&plus, at, "plus", -9, 9, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    const long bound = times * n + plus;
    return ckda_evidence_expect(ev, count <= (bound > 1 ? bound : 1),
                                "%ld factors (%s), at most %ldn%+ld are claimed, n = %ld",
                                count, what, times, plus, (long)n);
}

/* Both lists for one map. */
static ckda_truth
check_scaled(ckda_evidence *ev, const slong *image, slong n, task *t, const roots *r)
{
    const ckda_field_struct *K = r->K;
    fibres b;
    ckda_mat_t M;
    ckda_elem_t rho;
    find_fibres(&b, image, n);
    ckda_mat_init(M, n, n, K);
    ckda_elem_init(rho, K);
    ckda_require(ckda_mat_set_map(M, image, n, K) == CKDA_OK
                     && ckda_elem_div(rho, t->scale, r->root + b.largest, K) == CKDA_OK,
                 "a fibre is not empty");
    ckda_truth truth = check_gram(ev, M, &b, K);
    ckda_require(ckda_mat_scalar_mul(M, M, rho, K) == CKDA_OK, "one shape");
    for (int gates = 1; gates >= 0 && truth == CKDA_TRUE; gates--) {
        ckda_factors_t f;
        ckda_factors_init(f, n, K);
        scaled_factors(f, image, &b, rho, gates != 0, r);
        truth = maps_check_factors(ev, f, M, t->two, K);
        if (truth == CKDA_TRUE)
            truth = check_bound(ev, gates != 0 ? &t->ckda : &t->gdn, f->count, n,
                                gates != 0 ? "CKDA" : "gate 1");
        t->most[gates] = f->count > t->most[gates] ? f->count : t->most[gates];
        ckda_factors_clear(f, K);
    }
    ckda_elem_clear(rho, K);
    ckda_mat_clear(M, K);
    return maps_blame(ev, image, n, truth);
}

/* "most": {"3": [2, 4]}: the largest counts over all maps. */
static ckda_truth
check_most(ckda_evidence *ev, const ckda_node *in, slong n, const long most[2])
{
    char key[32];
    ckda_node all, list, item;
    ckda_truth truth = CKDA_TRUE;
    snprintf(key, sizeof key, "%ld", (long)n);
    if (ckda_node_member(&all, in, "most", &ev->problem) != CKDA_OK
        || ckda_node_member(&list, &all, key, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < 2 && truth == CKDA_TRUE; i++) {
        long want;
        if (ckda_node_item(&item, &list, i, &ev->problem) != CKDA_OK
            || ckda_node_long(&want, &item, 0, 99, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = ckda_evidence_expect_long(
            ev, i == 0 ? "largest number of CKDA factors" : "largest number with gate 1",
            most[1 - i], want);
    }
    if (truth == CKDA_FALSE)
        ckda_evidence_fact(ev, "n", "%ld", (long)n);
    return truth;
}

static ckda_truth
all_scaled(ckda_evidence *ev, const ckda_node *in, slong n)
{
    slong image[MAPS_MAX] = {0};
    roots r;
    task t = {.most = {0, 0}};
    ckda_truth truth = CKDA_UNKNOWN;
    roots_init(&r, n);
    ckda_elem_init(t.two, r.K);
    ckda_elem_init(t.scale, r.K);
    if (maps_read_elem(t.two, in, "max_beta", r.K, &ev->problem) == CKDA_OK
        && maps_read_elem(t.scale, in, "norm", r.K, &ev->problem) == CKDA_OK
        && ckda_node_member(&t.ckda, in, "bound", &ev->problem) == CKDA_OK
        && ckda_node_member(&t.gdn, in, "bound_gate_1", &ev->problem) == CKDA_OK) {
        do
            truth = check_scaled(ev, image, n, &t, &r);
        while (truth == CKDA_TRUE && maps_next(image, n));
        if (truth == CKDA_TRUE)
            truth = check_most(ev, in, n, t.most);
    }
    ckda_elem_clear(t.scale, r.K);
    ckda_elem_clear(t.two, r.K);
    roots_clear(&r);
    return truth;
}

ckda_truth
ckda_check_scaled_maps(ckda_evidence *ev, const ckda_node *in)
{
    maps_span n;
    ckda_truth truth = CKDA_TRUE;
    if (maps_read_span(&n, in, "n", ev) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (long i = n.from; i <= n.to && truth == CKDA_TRUE; i++)
        truth = all_scaled(ev, in, i);
    ckda_evidence_scope(ev, "all maps of %ld..%ld points", n.from, n.to);
    return truth;
}

/* ---- gate 1 ----------------------------------------------------------------------- */

/* The factors of f with every gate entry g != 1 as a factor H_{1-g}(e_i) of its own. */
static void
without_gates(ckda_factors_t g, const ckda_factors_t f, const ckda_field_t K)
{
    for (slong i = 0; i < f->count; i++) {
        ckda_trans_t t;
        push_gate(g, f->step[i].gate, false, K);
        ckda_trans_init_set(t, f->step + i, K);
        for (slong j = 0; j < f->n; j++)
            ckda_elem_one(t->gate + j, K);
        ckda_require(ckda_factors_push(g, t, K) == CKDA_OK, "equal dimensions");
        ckda_trans_clear(t, K);
    }
}

static ckda_truth
check_householder(ckda_evidence *ev, const ckda_node *in, const slong *image, slong n,
                  const ckda_field_t K)
{
    ckda_factors_t f, g;
    ckda_mat_t M;
    ckda_elem_t most;
    ckda_node bound;
    ckda_factors_init(f, n, K);
    ckda_factors_init(g, n, K);
    ckda_mat_init(M, n, n, K);
    ckda_elem_init(most, K);
    ckda_truth truth = CKDA_UNKNOWN;
    ckda_require(ckda_factor_map(f, image, CKDA_FACTOR_PAPER, K) == CKDA_OK
                     && ckda_mat_set_map(M, image, n, K) == CKDA_OK,
                 "images lie within the points");
    without_gates(g, f, K);
    if (maps_read_elem(most, in, "max_beta", K, &ev->problem) == CKDA_OK
        && ckda_node_member(&bound, in, "bound", &ev->problem) == CKDA_OK) {
        truth = maps_check_factors(ev, g, M, most, K);
        if (truth == CKDA_TRUE)
            truth = check_bound(ev, &bound, g->count, n, "gate 1");
    }
    ckda_elem_clear(most, K);
    ckda_mat_clear(M, K);
    ckda_factors_clear(g, K);
    ckda_factors_clear(f, K);
    return maps_blame(ev, image, n, truth);
}

ckda_truth
ckda_check_householder_maps(ckda_evidence *ev, const ckda_node *in)
{
    ckda_field_t K;
    maps_span n;
    ckda_truth truth = CKDA_TRUE;
    if (maps_read_span(&n, in, "n", ev) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_field_init_rational(K);
    for (long i = n.from; i <= n.to && truth == CKDA_TRUE; i++) {
        slong image[MAPS_MAX] = {0};
        do
            truth = check_householder(ev, in, image, i, K);
        while (truth == CKDA_TRUE && maps_next(image, i));
    }
    ckda_evidence_scope(ev, "all maps of %ld..%ld points", n.from, n.to);
    ckda_field_clear(K);
    return truth;
}
