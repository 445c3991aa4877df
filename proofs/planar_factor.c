/* proofs/planar_factor.c -- which 2 x 2 matrices are one CKDA factor.
 *
 * Statement.  planar_membership: for all 2 x 2 matrices with entries j/den in [-1, 1] the
 * criterion of a.F9 (with gates up to `limit` in absolute value) says "member" for the
 * stated number, and is right: a member's factor is rebuilt within the ranges and
 * multiplied out; for the others neither root gives one.  The boundary is met: divided by
 * its largest gate a matrix is a member, a little above it is not.  Every product of the
 * factor grid is a member.
 *
 * Why the check suffices.  The decision is made in Q(sqrt of the discriminant), exactly,
 * and again without the criterion: both roots are tried and their ranges looked at; in the
 * triangular case the norm is decided in place of q^2 + s^2 <= 1.
 *
 * Not shown here: all matrices at once (a.F9).                                          */
#include "checks.h"
#include "ckda/input.h"
#include "maps.h"
#include "steps.h"

/* Entries p, q; r, s of A and, for q r != 0, the square root of the discriminant. */
typedef struct {
    ckda_mat_t A;
    ckda_elem_t root, limit;
    bool full; /* q r != 0 */
} member;

#define P(m) ckda_mat_entry((m)->A, 0, 0)
#define Q(m) ckda_mat_entry((m)->A, 0, 1)
#define R(m) ckda_mat_entry((m)->A, 1, 0)
#define S(m) ckda_mat_entry((m)->A, 1, 1)

/* tau = (pq + rs + sign root) / (2 q r). */
static void
root_tau(ckda_elem_t tau, const member *m, slong sign, const ckda_field_t K)
{
    ckda_elem_t d;
    ckda_elem_init(d, K);
    ckda_elem_mul_si(tau, m->root, sign, K);
    ckda_elem_addmul(tau, P(m), Q(m), K);
    ckda_elem_addmul(tau, R(m), S(m), K);
    ckda_elem_mul(d, Q(m), R(m), K);
    ckda_elem_mul_si(d, d, 2, K);
    ckda_require(ckda_elem_div(tau, tau, d, K) == CKDA_OK, "q r is not 0");
    ckda_elem_clear(d, K);
}

/* g = |tau| max(|q|, |r|) for the root of larger absolute value. */
static void
largest_gate(ckda_elem_t g, const member *m, const ckda_field_t K)
{
    ckda_elem_t x, y;
    ckda_elem_init(x, K);
    ckda_elem_init(y, K);
    root_tau(g, m, 1, K);
    root_tau(x, m, -1, K);
    ckda_elem_abs(g, g, K);
    ckda_elem_abs(x, x, K);
    if (ckda_elem_cmp(x, g, K) > 0)
        ckda_elem_swap(x, g, K);
    ckda_elem_abs(x, Q(m), K);
    ckda_elem_abs(y, R(m), K);
    ckda_elem_mul(g, g, ckda_elem_cmp(x, y, K) > 0 ? x : y, K);
    ckda_elem_clear(y, K);
    ckda_elem_clear(x, K);
}

/* x^2 + y^2 <= limit^2 */
static bool
within(const ckda_elem_t x, const ckda_elem_t y, const ckda_elem_t limit,
       const ckda_field_t K)
{
    ckda_elem_t n, l;
    ckda_elem_init(n, K);
    ckda_elem_init(l, K);
    ckda_elem_addmul(n, x, x, K);
    ckda_elem_addmul(n, y, y, K);
    ckda_elem_mul(l, limit, limit, K);
    const bool yes = ckda_elem_cmp(n, l, K) <= 0;
    ckda_elem_clear(l, K);
    ckda_elem_clear(n, K);
    return yes;
}

/* The criterion of a.F9. */
static bool
criterion(const member *m, const ckda_field_t K)
{
    const bool q = !ckda_elem_is_zero(Q(m), K), r = !ckda_elem_is_zero(R(m), K);
    if (q && !r)
        return ckda_elem_is_zero(P(m), K) && within(Q(m), S(m), m->limit, K);
    if (r && !q)
        return ckda_elem_is_zero(S(m), K) && within(P(m), R(m), m->limit, K);
    ckda_elem_t g, h;
    ckda_elem_init(g, K);
    ckda_elem_init(h, K);
    if (q) {
        largest_gate(g, m, K);
    } else {
        ckda_elem_abs(g, P(m), K);
        ckda_elem_abs(h, S(m), K);
        if (ckda_elem_cmp(h, g, K) > 0)
            ckda_elem_swap(g, h, K);
    }
    const bool yes = ckda_elem_cmp(g, m->limit, K) <= 0;
    ckda_elem_clear(h, K);
    ckda_elem_clear(g, K);
    return yes;
}

/* ---- the second way: factors themselves -------------------------------------------- */

/* The factor of the root tau; false if its ranges are not those of CKDA.  The product must
 * be A in any case. */
static bool
from_root(ckda_evidence *ev, ckda_truth *truth, const member *m, slong sign,
          const ckda_field_t K)
{
    bool good = false;
    ckda_error why = {0};
    ckda_trans_t t;
    ckda_mat_t F;
    ckda_elem_t tau, one, x;
    ckda_trans_init(t, CKDA_CKDA, 2, 1, K);
    ckda_mat_init(F, 2, 2, K);
    ckda_elem_init(tau, K);
    ckda_elem_init(one, K);
    ckda_elem_init(x, K);
    ckda_elem_one(one, K);
    root_tau(tau, m, sign, K);
    if (!ckda_elem_is_zero(tau, K)) { /* tau = 0 gives no gates */
        ckda_elem_mul(t->gate, R(m), tau, K);
        ckda_elem_mul(t->gate + 1, Q(m), tau, K);
        ckda_require(ckda_elem_div(x, P(m), t->gate, K) == CKDA_OK
                         && ckda_elem_inv(t->key + 1, tau, K) == CKDA_OK,
                     "tau and r are not 0");
        ckda_elem_neg(t->key + 1, t->key + 1, K);
        ckda_elem_sub(t->key, one, x, K);
        ckda_elem_addmul(t->beta, t->key, t->key, K);
        ckda_elem_addmul(t->beta, t->key + 1, t->key + 1, K);
        ckda_require(ckda_elem_div(t->beta, t->beta, t->key, K) == CKDA_OK
                         && ckda_trans_matrix(F, t, K) == CKDA_OK,
                     "beta k1^2 beta k2^2 = 1/tau^2 is not 0");
        *truth = ckda_evidence_expect_mat(ev, "the factor of a root", F, m->A, K);
        good = ckda_trans_check(t, K, &why) == CKDA_OK;
    }
    ckda_elem_clear(x, K);
    ckda_elem_clear(one, K);
    ckda_elem_clear(tau, K);
    ckda_mat_clear(F, K);
    ckda_trans_clear(t, K);
    return good;
}

/* [[0, q], [0, s]] with q != 0 and norm at most 1 (coordinate `at` is the column that is
 * not 0): gate 1 there and 0 beside, key (-q, 1-s), beta = (q^2 + (1-s)^2)/(1-s). */
static ckda_truth
from_column(ckda_evidence *ev, const member *m, slong at, const ckda_field_t K)
{
    ckda_error why = {0};
    ckda_trans_t t;
    ckda_mat_t F;
    ckda_trans_init(t, CKDA_CKDA, 2, 1, K);
    ckda_mat_init(F, 2, 2, K);
    ckda_elem_zero(t->gate + 1 - at, K);
    ckda_elem_neg(t->key + 1 - at, ckda_mat_entry(m->A, 1 - at, at), K);
    ckda_elem_sub(t->key + at, t->gate + at, ckda_mat_entry(m->A, at, at), K);
    ckda_elem_addmul(t->beta, t->key, t->key, K);
    ckda_elem_addmul(t->beta, t->key + 1, t->key + 1, K);
    ckda_require(ckda_elem_div(t->beta, t->beta, t->key + at, K) == CKDA_OK
                     && ckda_trans_matrix(F, t, K) == CKDA_OK,
                 "s < 1");
    ckda_truth truth = ckda_evidence_expect_mat(ev, "the factor of a column", F, m->A, K);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(ev, ckda_trans_check(t, K, &why) == CKDA_OK,
                                     "the factor of a column lies in the ranges");
    ckda_mat_clear(F, K);
    ckda_trans_clear(t, K);
    return truth;
}

/* *yes: is A a factor? */
static ckda_truth
by_factors(ckda_evidence *ev, bool *yes, const member *m, const ckda_field_t K)
{
    ckda_truth truth = CKDA_TRUE;
    const bool q = !ckda_elem_is_zero(Q(m), K), r = !ckda_elem_is_zero(R(m), K);
    const bool contraction = ckda_mat_is_contraction(NULL, m->A, K);
    if (q && r) {
        *yes = from_root(ev, &truth, m, 1, K);
        if (truth == CKDA_TRUE)
            *yes |= from_root(ev, &truth, m, -1, K);
        return truth;
    }
    *yes = contraction && (!q || ckda_elem_is_zero(P(m), K))
           && (!r || ckda_elem_is_zero(S(m), K));
    if (*yes && (q || r))
        truth = from_column(ev, m, q, K);
    return truth;
}

static ckda_truth
check_member(ckda_evidence *ev, bool *yes, const member *m, const ckda_field_t K)
{
    bool second = false;
    *yes = criterion(m, K);
    ckda_truth truth = by_factors(ev, &second, m, K);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(
            ev, *yes == second, "the criterion says %s, the factors say %s",
            *yes ? "member" : "no member", second ? "member" : "no member");
    if (truth == CKDA_FALSE)
        ckda_evidence_fact_mat(ev, "A", m->A, K);
    return truth;
}

/* A times c: the root scales with c^2. */
static void
scale(member *m, const ckda_elem_t c, const ckda_field_t K)
{
    ckda_require(ckda_mat_scalar_mul(m->A, m->A, c, K) == CKDA_OK, "one shape");
    ckda_elem_mul(m->root, m->root, c, K);
    ckda_elem_mul(m->root, m->root, c, K);
}

/* Divided by its largest gate A is a member, 1000/999 of that is not. */
static ckda_truth
check_boundary(ckda_evidence *ev, member *m, const ckda_field_t K)
{
    bool yes;
    ckda_elem_t g;
    ckda_elem_init(g, K);
    largest_gate(g, m, K);
    ckda_require(ckda_elem_inv(g, g, K) == CKDA_OK, "a gate is not 0");
    ckda_elem_mul(g, g, m->limit, K);
    scale(m, g, K);
    ckda_truth truth = check_member(ev, &yes, m, K);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(ev, yes, "a matrix on the boundary is a member");
    ckda_elem_set_frac(g, 1000, 999, K);
    scale(m, g, K);
    if (truth == CKDA_TRUE)
        truth = check_member(ev, &yes, m, K);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(ev, !yes, "a matrix beyond the boundary is none");
    ckda_elem_clear(g, K);
    return truth;
}

/* ---- one rational matrix ----------------------------------------------------------- */

/* x = (pq - rs)^2 + 4 q^2 r^2 as a number of FLINT, then its root. */
static void
root_of_discriminant(qqbar_t x, const ckda_mat_t A, const ckda_field_t K0)
{
    fmpq_t d;
    ckda_elem_t y, z;
    const ckda_elem_struct *e = A->entry;
    fmpq_init(d);
    ckda_elem_init(y, K0);
    ckda_elem_init(z, K0);
    ckda_elem_mul(y, e, e + 1, K0);
    ckda_elem_submul(y, e + 2, e + 3, K0);
    ckda_elem_mul(y, y, y, K0);
    ckda_elem_mul(z, e + 1, e + 2, K0);
    ckda_elem_mul(z, z, z, K0);
    ckda_elem_mul_si(z, z, 4, K0);
    ckda_elem_add(y, y, z, K0);
    steps_rational(d, y, K0);
    qqbar_set_fmpq(x, d);
    qqbar_sqrt(x, x);
    ckda_elem_clear(z, K0);
    ckda_elem_clear(y, K0);
    fmpq_clear(d);
}

/* Decides A (over K0 = Q) in its field; *yes says whether it is a member. */
static ckda_truth
check_rational(ckda_evidence *ev, bool *yes, const ckda_mat_t A, const ckda_node *in,
               const ckda_field_t K0)
{
    ckda_field_t K;
    ckda_elem_struct y[1];
    member m;
    fmpq_t q;
    qqbar_t x;
    qqbar_init(x);
    root_of_discriminant(x, A, K0);
    const ckda_status st = ckda_field_init_numbers(K, y, x, 1, 2);
    qqbar_clear(x);
    if (st != CKDA_OK)
        return ckda_evidence_unable(ev, "no field of one square root");
    fmpq_init(q);
    ckda_mat_init(m.A, 2, 2, K);
    ckda_elem_init(m.limit, K);
    ckda_elem_init(m.root, K);
    ckda_elem_set(m.root, y, K);
    for (slong i = 0; i < 4; i++) {
        steps_rational(q, A->entry + i, K0);
        ckda_elem_set_fmpq(m.A->entry + i, q, K);
    }
    m.full = !ckda_elem_is_zero(Q(&m), K) && !ckda_elem_is_zero(R(&m), K);
    ckda_truth truth = maps_read_elem(m.limit, in, "limit", K, &ev->problem) == CKDA_OK
                           ? check_member(ev, yes, &m, K)
                           : CKDA_UNKNOWN;
    if (truth == CKDA_TRUE && m.full)
        truth = check_boundary(ev, &m, K);
    ckda_elem_clear(m.root, K);
    ckda_elem_clear(m.limit, K);
    ckda_mat_clear(m.A, K);
    fmpq_clear(q);
    ckda_elem_clear(y, K);
    ckda_field_clear(K);
    return truth;
}

/* ---- grids ------------------------------------------------------------------------- */

/* All matrices with entries j/den, |j| <= den: {"denominator": 2, "members": 57}. */
static ckda_truth
check_matrices(ckda_evidence *ev, const ckda_node *grid, const ckda_node *in,
               const ckda_field_t K0)
{
    long den, want, members = 0;
    ckda_mat_t A;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_get_long(&den, grid, "denominator", 1, 8, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&want, grid, "members", 0, 100000, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    const long side = 2 * den + 1, all = side * side * side * side;
    ckda_mat_init(A, 2, 2, K0);
    for (long code = 0; code < all && truth == CKDA_TRUE; code++) {
        bool yes = false;
        long rest = code;
        for (slong i = 0; i < 4; i++, rest /= side)
            ckda_elem_set_frac(A->entry + i, rest % side - den, den, K0);
        truth = check_rational(ev, &yes, A, in, K0);
        members += yes;
    }
    ckda_mat_clear(A, K0);
    ckda_evidence_scope(ev, "%ld matrices with denominator %ld, %ld of them members", all,
                        den, members);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "members", members, want);
    return truth;
}

/* Factors with beta in {0, 1/2, ..., 2}, keys (i, j), gates in {-1, -1/2, ..., 1}. */
static ckda_truth
check_factors(ckda_evidence *ev, const ckda_node *in, const ckda_field_t K0)
{
    ckda_truth truth = CKDA_TRUE;
    long count = 0;
    ckda_trans_t t;
    ckda_mat_t A;
    ckda_trans_init(t, CKDA_CKDA, 2, 1, K0);
    ckda_mat_init(A, 2, 2, K0);
    for (long code = 0; code < 5 * 5 * 5 * 7 && truth == CKDA_TRUE; code++) {
        bool yes = false;
        ckda_elem_set_frac(t->beta, code % 5, 2, K0);
        ckda_elem_set_frac(t->gate, code / 5 % 5 - 2, 2, K0);
        ckda_elem_set_frac(t->gate + 1, code / 25 % 5 - 2, 2, K0);
        ckda_elem_set_si(t->key, code / 125 < 6, K0); /* (1, -2), ..., (1, 3), (0, 4) */
        ckda_elem_set_si(t->key + 1, code / 125 - 2, K0);
        ckda_require(ckda_trans_matrix(A, t, K0) == CKDA_OK, "a nonzero key");
        truth = check_rational(ev, &yes, A, in, K0);
        if (truth == CKDA_TRUE) {
            truth = ckda_evidence_expect(ev, yes, "a factor is a member");
            if (truth == CKDA_FALSE)
                steps_describe(ev, t, K0);
        }
        count++;
    }
    ckda_evidence_scope(ev, "%ld factors", count);
    ckda_mat_clear(A, K0);
    ckda_trans_clear(t, K0);
    return truth;
}

ckda_truth
ckda_check_planar_membership(ckda_evidence *ev, const ckda_node *in)
{
    ckda_node grids, grid;
    size_t n;
    ckda_field_t K0;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&grids, in, "grids", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &grids, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_field_init_rational(K0);
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&grid, &grids, i, &ev->problem) == CKDA_OK
                    ? check_matrices(ev, &grid, in, K0)
                    : CKDA_UNKNOWN;
    if (truth == CKDA_TRUE)
        truth = check_factors(ev, in, K0);
    ckda_field_clear(K0);
    return truth;
}
