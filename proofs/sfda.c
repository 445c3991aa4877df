/* proofs/sfda.c -- the SFDA row of Table 3 on exact complex steps.
 *
 * Statement.  sfda_rows: for seeded A = (I - b kk^*) Diag(a_j e^(i t_j)) on C^m, with
 * Gaussian rational keys, Pythagorean phases, 0 <= a_j <= 1 and 0 <= b <= 1, the
 * realification has norm at most 1, characteristic polynomial |chi|^2, at most m non-real
 * pairs, a correction of real rank at most real_rank, and on the unit circle exactly the
 * e^(i t_j) with a_j = 1: as often as they occur, less `lost` for a phase that the key
 * meets when b > 0.  It is an isometry iff b = 0 and all a_j = 1.
 *
 * Why the check suffices.  Everything is rational; counts, ranks and norms are exact.  chi
 * comes from the secular form, the other polynomial from the dense real matrix.
 *
 * Not shown here: all steps at once (t3.sfda).                                          */
#include "checks.h"
#include "ckda/rand.h"
#include "ckda/spectrum.h"

enum { M_MAX = 4, PHASES = 8 };
/* cos and sin; conjugates and -1 among them */
static const slong phase[PHASES][3] = {{1, 0, 1}, {0, 1, 1},  {0, -1, 1},   {-1, 0, 1},
                                       {3, 4, 5}, {3, -4, 5}, {-5, 12, 13}, {4, 3, 5}};

typedef struct {
    slong m;
    ckda_elem_t b, weight;           /* weight = b / |k|^2 */
    int number[M_MAX];               /* of the phase */
    bool unit[M_MAX];                /* a_j = 1 */
    ckda_elem_struct *c, *s, *k, *h; /* lambda = c + i s, key k + i h; m each */
} step;

static void
step_init(step *t, slong m, const ckda_field_t K)
{
    t->m = m;
    ckda_elem_init(t->b, K);
    ckda_elem_init(t->weight, K);
    t->c = ckda_elem_vec_new(m, K);
    t->s = ckda_elem_vec_new(m, K);
    t->k = ckda_elem_vec_new(m, K);
    t->h = ckda_elem_vec_new(m, K);
}

static void
step_clear(step *t, const ckda_field_t K)
{
    ckda_elem_vec_free(t->h, t->m, K);
    ckda_elem_vec_free(t->k, t->m, K);
    ckda_elem_vec_free(t->s, t->m, K);
    ckda_elem_vec_free(t->c, t->m, K);
    ckda_elem_clear(t->weight, K);
    ckda_elem_clear(t->b, K);
}

/* Likes a = 1, few phases (so that they repeat), b in {0, 1} and zeros in the key. */
static void
step_rand(step *t, ckda_rand *r, const ckda_field_t K)
{
    static const slong radius[][2] = {{1, 1}, {1, 1}, {1, 1}, {1, 2}, {0, 1}};
    static const slong rate[][2] = {{0, 1}, {1, 1}, {1, 2}, {1, 3}, {1, 1000000}};
    const slong *b = rate[ckda_rand_below(r, 5)];
    const bool all_units = ckda_rand_below(r, 3) == 0;
    ckda_elem_t N;
    ckda_elem_init(N, K);
    for (slong j = 0; j < t->m; j++) {
        const slong *a = radius[all_units ? 0 : ckda_rand_below(r, 5)];
        const slong *p =
            phase[t->number[j] = (int)ckda_rand_below(r, (uint64_t)(t->m + 4))];
        t->unit[j] = a[0] == a[1];
        ckda_elem_set_frac(t->c + j, a[0] * p[0], a[1] * p[2], K);
        ckda_elem_set_frac(t->s + j, a[0] * p[1], a[1] * p[2], K);
        ckda_elem_set_si(t->k + j, ckda_rand_range(r, -1, 2), K);
        ckda_elem_set_si(t->h + j, ckda_rand_range(r, -1, 1), K);
    }
    ckda_elem_set_si(t->k + (slong)ckda_rand_below(r, (uint64_t)t->m), 2, K);
    for (slong j = 0; j < t->m; j++) {
        ckda_elem_addmul(N, t->k + j, t->k + j, K);
        ckda_elem_addmul(N, t->h + j, t->h + j, K);
    }
    ckda_elem_set_frac(t->b, b[0], b[1], K);
    ckda_require(ckda_elem_div(t->weight, t->b, N, K) == CKDA_OK, "the key is not 0");
    ckda_elem_clear(N, K);
}

/* Entry (j, l) of a complex matrix, x + i y, into the realification [X, -Y; Y, X]. */
static void
put(ckda_mat_t R, slong j, slong l, const ckda_elem_t x, const ckda_elem_t y,
    const ckda_field_t K)
{
    const slong m = R->rows / 2;
    ckda_elem_set(ckda_mat_entry(R, j, l), x, K);
    ckda_elem_set(ckda_mat_entry(R, m + j, m + l), x, K);
    ckda_elem_set(ckda_mat_entry(R, m + j, l), y, K);
    ckda_elem_neg(ckda_mat_entry(R, j, m + l), y, K);
}

/* L = realification of Lambda, A = that of (I - b kk^*) Lambda. */
static void
matrices(ckda_mat_t A, ckda_mat_t L, const step *t, const ckda_field_t K)
{
    ckda_mat_t H;
    ckda_elem_t x, y, one;
    ckda_mat_init(H, A->rows, A->rows, K);
    ckda_elem_init(x, K);
    ckda_elem_init(y, K);
    ckda_elem_init(one, K);
    ckda_elem_one(one, K);
    for (slong j = 0; j < t->m; j++) {
        put(L, j, j, t->c + j, t->s + j, K);
        for (slong l = 0; l < t->m; l++) { /* k_j conj(k_l) */
            ckda_elem_mul(x, t->k + j, t->k + l, K);
            ckda_elem_addmul(x, t->h + j, t->h + l, K);
            ckda_elem_mul(y, t->h + j, t->k + l, K);
            ckda_elem_submul(y, t->k + j, t->h + l, K);
            ckda_elem_mul(x, x, t->weight, K);
            ckda_elem_mul(y, y, t->weight, K);
            ckda_elem_neg(x, x, K);
            ckda_elem_neg(y, y, K);
            if (j == l)
                ckda_elem_add(x, x, one, K);
            put(H, j, l, x, y, K);
        }
    }
    ckda_require(ckda_mat_mul(A, H, L, K) == CKDA_OK, "square");
    ckda_elem_clear(one, K);
    ckda_elem_clear(y, K);
    ckda_elem_clear(x, K);
    ckda_mat_clear(H, K);
}

/* ---- the characteristic polynomial by the secular form ------------------------------ */

typedef struct {
    ckda_poly_t re, im;
} complex_poly;

/* f *= x - (c + i s) */
static void
times_root(complex_poly *f, const ckda_elem_t c, const ckda_elem_t s,
           const ckda_field_t K)
{
    ckda_poly_t linear, p, q;
    ckda_poly_init(linear, K);
    ckda_poly_init(p, K);
    ckda_poly_init(q, K);
    ckda_poly_set_root(linear, c, K);
    ckda_poly_scalar_mul(p, f->im, s, K);
    ckda_poly_scalar_mul(q, f->re, s, K);
    ckda_poly_mul(f->re, f->re, linear, K);
    ckda_poly_mul(f->im, f->im, linear, K);
    ckda_poly_add(f->re, f->re, p, K);
    ckda_poly_sub(f->im, f->im, q, K);
    ckda_poly_clear(q, K);
    ckda_poly_clear(p, K);
    ckda_poly_clear(linear, K);
}

/* chi += w x^shift prod over l != skip of (x - lambda_l) */
static void
add_product(complex_poly *chi, const step *t, slong skip, slong shift,
            const ckda_elem_t w, const ckda_field_t K)
{
    complex_poly f;
    ckda_poly_init(f.re, K);
    ckda_poly_init(f.im, K);
    ckda_poly_set_coeff(f.re, shift, w, K);
    for (slong l = 0; l < t->m; l++)
        if (l != skip)
            times_root(&f, t->c + l, t->s + l, K);
    ckda_poly_add(chi->re, chi->re, f.re, K);
    ckda_poly_add(chi->im, chi->im, f.im, K);
    ckda_poly_clear(f.im, K);
    ckda_poly_clear(f.re, K);
}

/* f = |chi|^2, chi = (1-b) prod (x - lambda_j) + x sum weight |k_j|^2 prod_(l != j). */
static void
squared_modulus(ckda_poly_t f, const step *t, const ckda_field_t K)
{
    complex_poly chi;
    ckda_elem_t w;
    ckda_poly_init(chi.re, K);
    ckda_poly_init(chi.im, K);
    ckda_elem_init(w, K);
    ckda_elem_one(w, K);
    ckda_elem_sub(w, w, t->b, K);
    add_product(&chi, t, -1, 0, w, K);
    for (slong j = 0; j < t->m; j++) {
        ckda_elem_mul(w, t->k + j, t->k + j, K);
        ckda_elem_addmul(w, t->h + j, t->h + j, K);
        ckda_elem_mul(w, w, t->weight, K);
        add_product(&chi, t, j, 1, w, K);
    }
    ckda_poly_mul(chi.re, chi.re, chi.re, K);
    ckda_poly_mul(chi.im, chi.im, chi.im, K);
    ckda_poly_add(f, chi.re, chi.im, K);
    ckda_elem_clear(w, K);
    ckda_poly_clear(chi.im, K);
    ckda_poly_clear(chi.re, K);
}

/* ---- what is claimed ---------------------------------------------------------------- */

/* Non-real eigenvalues e^(i t) of A on the circle, with multiplicity. */
static long
predicted_pairs(const step *t, long lost, const ckda_field_t K)
{
    long pairs = 0;
    for (int f = 0; f < PHASES; f++) {
        long size = 0;
        bool met = false;
        for (slong j = 0; j < t->m; j++)
            if (t->unit[j] && t->number[j] == f) {
                size++;
                met |= !ckda_elem_is_zero(t->k + j, K) || !ckda_elem_is_zero(t->h + j, K);
            }
        if (phase[f][1] != 0)
            pairs += size - (met && !ckda_elem_is_zero(t->b, K) ? lost : 0);
    }
    return pairs;
}

static ckda_truth
check_polynomial(ckda_evidence *ev, const step *t, const ckda_mat_t A,
                 const ckda_field_t K)
{
    ckda_poly_t dense, secular;
    ckda_poly_init(dense, K);
    ckda_poly_init(secular, K);
    ckda_require(ckda_mat_charpoly(dense, A, K) == CKDA_OK, "square");
    squared_modulus(secular, t, K);
    const ckda_truth truth =
        ckda_evidence_expect(ev, ckda_poly_equal(dense, secular, K),
                             "the real characteristic polynomial is chi conj(chi)");
    ckda_poly_clear(secular, K);
    ckda_poly_clear(dense, K);
    return truth;
}

typedef struct {
    long real_rank, lost, on_circle, isometries;
} tally;

static ckda_truth
check_counts(ckda_evidence *ev, tally *sum, const step *t, const ckda_mat_t A,
             const ckda_field_t K)
{
    ckda_root_counts counts;
    bool unitary = ckda_elem_is_zero(t->b, K);
    for (slong j = 0; j < t->m; j++)
        unitary &= t->unit[j];
    ckda_require(ckda_mat_count_eigenvalues(&counts, A, K) == CKDA_OK, "square");
    sum->on_circle += counts.unit_circle_pairs > 0;
    sum->isometries += unitary;
    ckda_truth truth =
        ckda_evidence_expect(ev, counts.nonreal_pairs <= t->m, "at most m pairs");
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "pairs on the circle",
                                          (long)counts.unit_circle_pairs,
                                          predicted_pairs(t, sum->lost, K));
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(ev, ckda_mat_is_orthogonal(NULL, A, K) == unitary,
                                     "an isometry iff b = 0 and all a_j = 1");
    return truth;
}

static ckda_truth
check_step(ckda_evidence *ev, tally *sum, const step *t, const ckda_field_t K)
{
    ckda_mat_t A, L, C;
    ckda_mat_init(A, 2 * t->m, 2 * t->m, K);
    ckda_mat_init(L, 2 * t->m, 2 * t->m, K);
    ckda_mat_init(C, 2 * t->m, 2 * t->m, K);
    matrices(A, L, t, K);
    ckda_require(ckda_mat_sub(C, A, L, K) == CKDA_OK, "one shape");
    const long rank = (long)ckda_mat_rank(C, K);
    ckda_truth truth =
        ckda_evidence_expect(ev, ckda_mat_is_contraction(NULL, A, K), "||A|| <= 1");
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(ev, rank <= sum->real_rank,
                                     "real rank %ld of the correction, at most %ld", rank,
                                     sum->real_rank);
    if (truth == CKDA_TRUE)
        truth = check_polynomial(ev, t, A, K);
    if (truth == CKDA_TRUE)
        truth = check_counts(ev, sum, t, A, K);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact_mat(ev, "A, as a real matrix", A, K);
    ckda_mat_clear(C, K);
    ckda_mat_clear(L, K);
    ckda_mat_clear(A, K);
    return truth;
}

ckda_truth
ckda_check_sfda_rows(ckda_evidence *ev, const ckda_node *in)
{
    long inputs, m_max;
    tally sum = {0};
    ckda_field_t K;
    ckda_rand r;
    ckda_truth truth = CKDA_TRUE;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_long(&inputs, in, "inputs", 1, 100000, err) != CKDA_OK
        || ckda_node_get_long(&m_max, in, "m_max", 1, M_MAX, err) != CKDA_OK
        || ckda_node_get_long(&sum.real_rank, in, "real_rank", 0, 9, err) != CKDA_OK
        || ckda_node_get_long(&sum.lost, in, "lost", 0, 2, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    inputs *= ev->effort == CKDA_QUICK ? 1 : 10;
    ckda_evidence_weaken(ev, CKDA_INSTANCES);
    ckda_rand_init(&r, ev->seed);
    ckda_field_init_rational(K);
    for (long i = 0; i < inputs && truth == CKDA_TRUE; i++) {
        step t;
        step_init(&t, 1 + i % m_max, K);
        step_rand(&t, &r, K);
        truth = check_step(ev, &sum, &t, K);
        step_clear(&t, K);
    }
    ckda_evidence_scope(
        ev,
        "%ld steps over Q(i), %ld with pairs on the circle, %ld isometries, "
        "m = 1 .. %ld",
        inputs, sum.on_circle, sum.isometries, m_max);
    ckda_field_clear(K);
    return truth;
}
