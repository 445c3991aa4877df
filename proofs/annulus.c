/* proofs/annulus.c -- how large a non-real eigenvalue is.
 *
 * Statement.  annulus: for every seeded step a non-real eigenvalue has
 * (beta - excess) min alpha^2 <= |lambda|^2 <= (beta - excess) max alpha^2 over the
 * support.
 *
 * Why the check suffices.  Eigenvalues are algebraic numbers; their moduli are enclosed,
 * and compared exactly where the enclosure does not decide.
 *
 * Not shown here: all steps at once (a.F2).                                             */
#include "checks.h"
#include "maps.h"
#include "steps.h"

/* sign of |lambda|^2 - bound: by an enclosure, else exactly. */
static int
compare_modulus(const qqbar_t lambda, const fmpq_t bound)
{
    int sign = 0;
    acb_t z;
    arb_t x, y;
    acb_init(z);
    arb_init(x);
    arb_init(y);
    qqbar_get_acb(z, lambda, 128);
    arb_mul(x, acb_realref(z), acb_realref(z), 128);
    arb_addmul(x, acb_imagref(z), acb_imagref(z), 128);
    arb_set_fmpq(y, bound, 128);
    arb_sub(x, x, y, 128);
    if (arb_is_positive(x))
        sign = 1;
    else if (arb_is_negative(x))
        sign = -1;
    else {
        qqbar_t m, b;
        qqbar_init(m);
        qqbar_init(b);
        qqbar_abs2(m, lambda);
        qqbar_set_fmpq(b, bound);
        sign = qqbar_cmp_re(m, b);
        qqbar_clear(b);
        qqbar_clear(m);
    }
    arb_clear(y);
    arb_clear(x);
    acb_clear(z);
    return sign;
}

/* lo, hi = (beta - excess) times the least and the largest alpha_i^2 on the support. */
static void
annulus_bounds(fmpq_t lo, fmpq_t hi, const ckda_trans_t t, const ckda_elem_t excess,
               const ckda_field_t K)
{
    ckda_elem_t x, least, largest;
    bool first = true;
    ckda_elem_init(x, K);
    ckda_elem_init(least, K);
    ckda_elem_init(largest, K);
    for (slong i = 0; i < t->n; i++) {
        if (ckda_elem_is_zero(t->key + i, K))
            continue;
        ckda_elem_mul(x, t->gate + i, t->gate + i, K);
        if (first || ckda_elem_cmp(x, least, K) < 0)
            ckda_elem_set(least, x, K);
        if (first || ckda_elem_cmp(x, largest, K) > 0)
            ckda_elem_set(largest, x, K);
        first = false;
    }
    ckda_elem_sub(x, t->beta, excess, K);
    ckda_elem_mul(least, least, x, K);
    ckda_elem_mul(largest, largest, x, K);
    steps_rational(lo, least, K);
    steps_rational(hi, largest, K);
    ckda_elem_clear(largest, K);
    ckda_elem_clear(least, K);
    ckda_elem_clear(x, K);
}

static void
rational_charpoly(fmpq_poly_t f, const ckda_trans_t t, const ckda_field_t K)
{
    ckda_poly_t chi;
    ckda_elem_t c;
    fmpq_t q;
    ckda_poly_init(chi, K);
    ckda_elem_init(c, K);
    fmpq_init(q);
    ckda_require(ckda_trans_charpoly(chi, t, K) == CKDA_OK, "one step");
    for (slong i = 0; i <= ckda_poly_degree(chi); i++) {
        ckda_poly_get_coeff(c, chi, i, K);
        steps_rational(q, c, K);
        fmpq_poly_set_coeff_fmpq(f, i, q);
    }
    fmpq_clear(q);
    ckda_elem_clear(c, K);
    ckda_poly_clear(chi, K);
}

/* *found counts the eigenvalues looked at. */
static ckda_truth
check_annulus(ckda_evidence *ev, long *found, const ckda_trans_t t,
              const ckda_elem_t excess, const ckda_field_t K)
{
    ckda_truth truth = CKDA_TRUE;
    fmpq_poly_t f;
    fmpq_t lo, hi;
    qqbar_struct *root = _qqbar_vec_init(t->n);
    fmpq_poly_init(f);
    fmpq_init(lo);
    fmpq_init(hi);
    rational_charpoly(f, t, K);
    qqbar_roots_fmpq_poly(root, f, 0);
    annulus_bounds(lo, hi, t, excess, K);
    for (slong i = 0; i < t->n && truth == CKDA_TRUE; i++) {
        if (qqbar_sgn_im(root + i) <= 0)
            continue;
        ++*found;
        truth = ckda_evidence_expect(ev, compare_modulus(root + i, hi) <= 0,
                                     "|lambda|^2 is at most the upper bound");
        if (truth == CKDA_TRUE)
            truth = ckda_evidence_expect(ev, compare_modulus(root + i, lo) >= 0,
                                         "|lambda|^2 is at least the lower bound");
    }
    if (truth == CKDA_FALSE)
        steps_describe(ev, t, K);
    fmpq_clear(hi);
    fmpq_clear(lo);
    fmpq_poly_clear(f);
    _qqbar_vec_clear(root, t->n);
    return truth;
}

/* beta in (1, 6], any gates; every third input has gates of one absolute value, where
 * both bounds are attained. */
static void
rand_wide(ckda_trans_t t, long i, ckda_rand *r, const ckda_field_t K)
{
    const slong g = (slong)ckda_rand_range(r, 1, 9);
    ckda_elem_set_frac(t->beta, ckda_rand_range(r, 9, 48), 8, K);
    for (slong j = 0; j < t->n; j++) {
        ckda_elem_set_si(t->key + j, ckda_rand_range(r, -4, 4), K);
        if (i % 3 == 0)
            ckda_elem_set_frac(t->gate + j, ckda_rand_below(r, 2) == 0 ? g : -g, 4, K);
        else
            ckda_elem_set_frac(t->gate + j, ckda_rand_range(r, -9, 9), 4, K);
    }
    ckda_elem_one(t->key + (slong)ckda_rand_below(r, (uint64_t)t->n), K);
}

ckda_truth
ckda_check_annulus(ckda_evidence *ev, const ckda_node *in)
{
    long inputs, n_max, found = 0;
    ckda_field_t K;
    ckda_elem_t excess;
    ckda_rand r;
    if (ckda_node_get_long(&inputs, in, "inputs", 1, 100000, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&n_max, in, "n_max", 2, 6, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    inputs *= ev->effort == CKDA_QUICK ? 1 : 10;
    ckda_evidence_weaken(ev, CKDA_INSTANCES);
    ckda_rand_init(&r, ev->seed);
    ckda_field_init_rational(K);
    ckda_elem_init(excess, K);
    ckda_truth truth = maps_read_elem(excess, in, "excess", K, &ev->problem) == CKDA_OK
                           ? CKDA_TRUE
                           : CKDA_UNKNOWN;
    for (long i = 0; i < inputs && truth == CKDA_TRUE; i++) {
        ckda_trans_t t;
        ckda_trans_init(t, CKDA_CKDA, 2 + i % (n_max - 1), 1, K);
        rand_wide(t, i, &r, K);
        truth = check_annulus(ev, &found, t, excess, K);
        ckda_trans_clear(t, K);
    }
    ckda_evidence_scope(ev, "%ld steps, %ld of them with a pair, n = 2 .. %ld", inputs,
                        found, n_max);
    ckda_elem_clear(excess, K);
    ckda_field_clear(K);
    return truth;
}
