/* One factor for a given matrix, if there is one.
 *
 * A = (I - c w w^T) Diag(g) has A_ij = -c w_i w_j g_j off the diagonal.  Let a column have
 * nonzero entries off the diagonal; these and its own index are S = {i : w_i != 0}.  Outside S
 * A is diagonal, and columns of S are zero where the gate is (T: the others).
 *   T = {j}      the step maps e_j to column a divided by g_j, a vector of norm at most 1;
 *                |g_j| = 1 is the best choice, so |a| <= 1 is needed and enough
 *   T larger     g_i/g_p = A_pi/A_ip fixes the gates up to t = g_p; B_ij = A_ij/(g_j/t) is
 *                t H_ij for the symmetric H = I - c w w^T
 *     S larger than T or |T| >= 3    t - B_pp = t c w_p^2 = -B_pq B_ip/B_iq gives t
 *     S = T = {p, q}                 t from a quadratic with real roots; the root that is
 *                                    larger in absolute value is the one with beta >= 0
 * Then w is along column p of B - t I and beta = |w|^2/(t (t - B_pp)). */
#include "norm_internal.h"

/* The two coordinates of S = T. */
typedef struct {
    slong p, q;
} pair;

/* [source: this project, F9]  For [[p, q], [r, s]] the quadratic q r (t^2 - S t + P) whose roots t give the gates (r t, q t): with these
 * gates H = A D^{-1} is symmetric with off-diagonal 1/t, and det(H - I) = 0 is the
 * quadratic.  det H = P/t^2 is 1 - beta. */
typedef struct {
    ckda_elem_t S, P;
} quadratic;

static void
quadratic_init(quadratic *f, const ckda_mat_t A, const pair at, const ckda_field_t K)
{
    const ckda_elem_struct *p = ckda_mat_entry(A, at.p, at.p),
                           *q = ckda_mat_entry(A, at.p, at.q),
                           *r = ckda_mat_entry(A, at.q, at.p),
                           *s = ckda_mat_entry(A, at.q, at.q);
    ckda_elem_t qr;
    ckda_elem_init(f->S, K);
    ckda_elem_init(f->P, K);
    ckda_elem_init(qr, K);
    ckda_elem_mul(qr, q, r, K);
    ckda_elem_mul(f->S, p, q, K);
    ckda_elem_addmul(f->S, r, s, K);
    ckda_elem_mul(f->P, p, s, K);
    ckda_elem_sub(f->P, f->P, qr, K);
    factorise_must(ckda_elem_div(f->S, f->S, qr, K));
    factorise_must(ckda_elem_div(f->P, f->P, qr, K));
    ckda_elem_clear(qr, K);
}

static void
quadratic_clear(quadratic *f, const ckda_field_t K)
{
    ckda_elem_clear(f->S, K);
    ckda_elem_clear(f->P, K);
}

/* Both roots (they are real) in [-T, T] with T = 1/max(|q|, |r|): the value at T or -T, on
 * the side of S, is not negative, and |S| <= 2T. */
static bool
roots_within(const quadratic *f, const ckda_elem_t q, const ckda_elem_t r,
             const ckda_field_t K)
{
    ckda_elem_t T, S, x;
    ckda_elem_init(T, K);
    ckda_elem_init(S, K);
    ckda_elem_init(x, K);
    ckda_elem_abs(T, q, K);
    ckda_elem_abs(x, r, K);
    if (ckda_elem_cmp(x, T, K) > 0)
        ckda_elem_set(T, x, K);
    factorise_must(ckda_elem_inv(T, T, K));
    ckda_elem_abs(S, f->S, K);
    ckda_elem_mul_si(x, T, 2, K);
    bool within = ckda_elem_cmp(S, x, K) <= 0;
    ckda_elem_mul(x, T, T, K);
    ckda_elem_submul(x, S, T, K);
    ckda_elem_add(x, x, f->P, K);
    within = within && ckda_elem_sgn(x, K) >= 0;
    ckda_elem_clear(x, K);
    ckda_elem_clear(S, K);
    ckda_elem_clear(T, K);
    return within;
}

/* ---- candidates over K ------------------------------------------------------------------ */

/* S and T of the header: marks of n coordinates. */
typedef struct {
    bool *in_s, *in_t;
    slong ns, nt, first; /* first: the column that showed S; it is in T */
} support;

static bool
column_is_zero(const ckda_mat_t A, slong j, const ckda_field_t K)
{
    for (slong i = 0; i < A->rows; i++)
        if (!ckda_elem_is_zero(ckda_mat_entry(A, i, j), K))
            return false;
    return true;
}

/* A is not diagonal. */
static void
support_init(support *s, const ckda_mat_t A, const ckda_field_t K)
{
    const slong n = A->rows;
    *s = (support){.in_s = flint_calloc((size_t)n, sizeof(bool)),
                   .in_t = flint_calloc((size_t)n, sizeof(bool)),
                   .first = -1};
    for (slong j = 0; j < n && s->first < 0; j++)
        for (slong i = 0; i < n; i++)
            if (i != j && !ckda_elem_is_zero(ckda_mat_entry(A, i, j), K))
                s->first = j;
    for (slong i = 0; i < n; i++) {
        s->in_s[i] =
            i == s->first || !ckda_elem_is_zero(ckda_mat_entry(A, i, s->first), K);
        s->in_t[i] = s->in_s[i] && !column_is_zero(A, i, K);
        s->ns += s->in_s[i];
        s->nt += s->in_t[i];
    }
}

static void
support_clear(support *s)
{
    flint_free(s->in_s);
    flint_free(s->in_t);
}

/* Gates outside T: the diagonal of A (0 in a zero column). */
static void
set_outer_gates(ckda_trans_struct *t, const support *s, const ckda_mat_t A,
                const ckda_field_t K)
{
    for (slong i = 0; i < t->n; i++)
        if (!s->in_s[i])
            ckda_elem_set(t->gate + i, ckda_mat_entry(A, i, i), K);
        else
            ckda_elem_zero(t->gate + i, K);
}

/* T = {j}. */
static bool
column_candidate(ckda_trans_struct *t, const support *s, const ckda_mat_t A,
                 const ckda_field_t K)
{
    const slong j = s->first;
    if (ckda_elem_cmp_si(ckda_mat_entry(A, j, j), 1, K) >= 0)
        return false; /* the norm of the column is above 1 */
    ckda_elem_struct *a = ckda_elem_vec_new(t->n, K);
    for (slong i = 0; i < t->n; i++)
        ckda_elem_set(a + i, ckda_mat_entry(A, i, j), K);
    ckda_elem_one(t->gate + j, K);
    set_step_to(t, j, a, K);
    ckda_elem_vec_free(a, t->n, K);
    return true;
}

/* g_j = A_pj/A_jp for the columns of T (p: the first of them); false if one is zero. */
static bool
relative_gates(ckda_elem_struct *g, const support *s, const ckda_mat_t A,
               const ckda_field_t K)
{
    const slong p = s->first;
    ckda_elem_one(g + p, K);
    for (slong j = 0; j < A->rows; j++) {
        if (!s->in_t[j] || j == p)
            continue;
        if (ckda_elem_is_zero(ckda_mat_entry(A, p, j), K))
            return false;
        const ckda_status st =
            ckda_elem_div(g + j, ckda_mat_entry(A, p, j), ckda_mat_entry(A, j, p), K);
        if (st != CKDA_OK)
            return false;
    }
    return true;
}

/* The first coordinate of S (in_t: of T) that is neither p nor q. */
static slong
another(const support *s, bool in_t, slong p, slong q, slong n)
{
    slong i = 0;
    while (i < n && (i == p || i == q || !(in_t ? s->in_t[i] : s->in_s[i])))
        i++;
    return i;
}

/* t := B_pp - B_pq B_ip/B_iq; false if it is not defined or zero. */
static bool
scale_of_gates(ckda_elem_t t, const support *s, const ckda_mat_t A, const ckda_field_t K)
{
    const slong n = A->rows, p = s->first, q = another(s, true, p, p, n),
                i = another(s, false, p, q, n);
    /* B_pq/B_iq = A_pq/A_iq, and column p of B is that of A */
    ckda_elem_t x;
    ckda_elem_init(x, K);
    bool good = !ckda_elem_is_zero(ckda_mat_entry(A, i, q), K);
    if (good) {
        factorise_must(
            ckda_elem_div(x, ckda_mat_entry(A, p, q), ckda_mat_entry(A, i, q), K));
        ckda_elem_set(t, ckda_mat_entry(A, p, p), K);
        ckda_elem_submul(t, x, ckda_mat_entry(A, i, p), K);
        good = !ckda_elem_is_zero(t, K);
    }
    ckda_elem_clear(x, K);
    return good;
}

/* Key along column p of B - t I, beta = |w|^2/(t (t - B_pp)), gates t g. */
static bool
set_from_scale(ckda_trans_struct *step, const ckda_elem_t t, const ckda_elem_struct *g,
               const support *s, const ckda_mat_t A, const ckda_field_t K)
{
    const slong p = s->first;
    ckda_elem_t d;
    ckda_elem_init(d, K);
    for (slong i = 0; i < step->n; i++) {
        if (s->in_t[i])
            ckda_elem_mul(step->gate + i, g + i, t, K);
        if (s->in_s[i])
            ckda_elem_set(step->key + i, ckda_mat_entry(A, i, p), K);
        else
            ckda_elem_zero(step->key + i, K);
    }
    ckda_elem_sub(step->key + p, step->key + p, t, K);
    ckda_elem_mul(d, step->key + p, t, K);
    ckda_elem_neg(d, d, K);
    dot(step->beta, step->key, step->key, step->n, K);
    const bool good = ckda_elem_div(step->beta, step->beta, d, K) == CKDA_OK;
    ckda_elem_clear(d, K);
    return good;
}

static bool
linear_candidate(ckda_trans_struct *step, const support *s, const ckda_mat_t A,
                 const ckda_field_t K)
{
    ckda_elem_struct *g = ckda_elem_vec_new(A->rows + 1, K), *t = g + A->rows;
    const bool good = relative_gates(g, s, A, K) && scale_of_gates(t, s, A, K)
                      && set_from_scale(step, t, g, s, A, K);
    ckda_elem_vec_free(g, A->rows + 1, K);
    return good;
}

/* Within the ranges, and equal to A? */
static bool
is_right(const ckda_factors_t f, const ckda_mat_t A, const ckda_field_t K)
{
    return ckda_elem_cmp_si(f->step->beta, 2, K) <= 0 && ckda_factors_simulate(f, A, K);
}

/* ---- the quadratic case: coordinates p, q of S = T ------------------------------------- */

static bool
pair_is_single(const ckda_mat_t A, const support *s, const pair at, const ckda_field_t K)
{
    quadratic f;
    bool good = true;
    const ckda_elem_struct *q = ckda_mat_entry(A, at.p, at.q),
                           *r = ckda_mat_entry(A, at.q, at.p);
    if (ckda_elem_is_zero(q, K) || ckda_elem_is_zero(r, K))
        return false;
    for (slong i = 0; i < A->rows && good; i++)
        for (slong j = 0; j < A->rows && good; j++) {
            const ckda_elem_struct *x = ckda_mat_entry(A, i, j);
            if (s->in_s[i] && s->in_s[j])
                continue;
            good = i != j ? ckda_elem_is_zero(x, K)
                          : ckda_elem_cmp_si(x, 1, K) <= 0
                                && ckda_elem_cmp_si(x, -1, K) >= 0;
        }
    if (!good)
        return false;
    quadratic_init(&f, A, at, K);
    good = roots_within(&f, q, r, K);
    quadratic_clear(&f, K);
    return good;
}

/* t = (S + sgn(S) root)/2, root^2 = S^2 - 4P; gates (r t, q t), beta = 1 - P/t^2 and the
 * key along the first column of H - I: (p/(r t) - 1, 1/t). */
static void
set_pair(ckda_trans_struct *step, const ckda_mat_t A, const pair at, const ckda_elem_t S,
         const ckda_elem_t P, const ckda_elem_t root, const ckda_field_t L)
{
    ckda_elem_t t, x;
    ckda_elem_init(t, L);
    ckda_elem_init(x, L);
    if (ckda_elem_sgn(S, L) >= 0)
        ckda_elem_add(t, S, root, L);
    else
        ckda_elem_sub(t, S, root, L);
    ckda_elem_set_frac(x, 1, 2, L);
    ckda_elem_mul(t, t, x, L);
    ckda_elem_mul(step->gate + at.p, ckda_mat_entry(A, at.q, at.p), t, L);
    ckda_elem_mul(step->gate + at.q, ckda_mat_entry(A, at.p, at.q), t, L);
    factorise_must(ckda_elem_inv(step->key + at.q, t, L));
    ckda_elem_one(step->beta, L);
    ckda_elem_mul(x, P, step->key + at.q, L);
    ckda_elem_submul(step->beta, x, step->key + at.q, L);
    factorise_must(ckda_elem_div(step->key + at.p, ckda_mat_entry(A, at.p, at.p),
                                 step->gate + at.p, L));
    ckda_elem_one(x, L);
    ckda_elem_sub(step->key + at.p, step->key + at.p, x, L);
    ckda_elem_clear(x, L);
    ckda_elem_clear(t, L);
}

static bool
begin_pair(ckda_contraction_t c, const ckda_mat_t A, const support *s, const pair at,
           const ckda_field_t K)
{
    quadratic f;
    extension e;
    ckda_elem_struct *x = ckda_elem_vec_new(2, K);
    quadratic_init(&f, A, at, K);
    ckda_elem_mul(x, f.S, f.S, K);
    ckda_elem_mul_si(x + 1, f.P, 4, K);
    ckda_elem_sub(x, x, x + 1, K);
    const bool found = extension_init(&e, x, 1, K) == CKDA_OK;
    if (found) {
        contraction_begin(c, A, &e, K);
        ckda_elem_struct *y = ckda_elem_vec_new(2, e.L);
        ckda_trans_struct *step = factorise_append(c->factors, c->K);
        extension_elem(y, f.S, &e, K);
        extension_elem(y + 1, f.P, &e, K);
        set_outer_gates(step, s, c->A, c->K);
        set_pair(step, c->A, at, y, y + 1, e.root, e.L);
        ckda_elem_vec_free(y, 2, e.L);
        extension_clear(&e);
    }
    quadratic_clear(&f, K);
    ckda_elem_vec_free(x, 2, K);
    return found;
}

/* ---- both ------------------------------------------------------------------------------- */

/* Is A, not diagonal, one factor?  If it is and c is given, c becomes it; *made says whether
 * that was possible (the square root may be beyond the limit of degrees). */
static bool
find_single(ckda_contraction_struct *c, bool *made, const ckda_mat_t A,
            const ckda_field_t K)
{
    support s;
    ckda_factors_t f;
    support_init(&s, A, K);
    bool single;
    *made = false;
    if (s.nt == 2 && s.ns == 2) {
        const pair at = {s.first, another(&s, true, s.first, s.first, A->rows)};
        single = pair_is_single(A, &s, at, K);
        *made = single && c != NULL && begin_pair(c, A, &s, at, K);
    } else {
        ckda_factors_init(f, A->rows, K);
        ckda_trans_struct *step = factorise_append(f, K);
        set_outer_gates(step, &s, A, K);
        single = (s.nt == 1 ? column_candidate(step, &s, A, K)
                            : linear_candidate(step, &s, A, K))
                 && is_right(f, A, K);
        if (single && c != NULL) {
            contraction_begin(c, A, NULL, K);
            ckda_factors_swap(c->factors, f);
            *made = true;
        }
        ckda_factors_clear(f, K);
    }
    support_clear(&s);
    return single;
}

bool
contraction_single(ckda_contraction_t c, const ckda_mat_t A, const ckda_field_t K)
{
    bool made;
    return find_single(c, &made, A, K) && made;
}

ckda_status
ckda_factor_is_single(bool *single, const ckda_mat_t A, const ckda_field_t K)
{
    bool made;
    if (A->rows < 1 || A->cols != A->rows)
        return CKDA_E_SHAPE;
    if (!ckda_mat_is_diagonal(A, K)) {
        *single = find_single(NULL, &made, A, K);
        return CKDA_OK;
    }
    bool within = true;
    for (slong i = 0; i < A->rows; i++)
        within = within && ckda_elem_cmp_si(ckda_mat_entry(A, i, i), 1, K) <= 0
                 && ckda_elem_cmp_si(ckda_mat_entry(A, i, i), -1, K) >= 0;
    *single = within;
    return CKDA_OK;
}
