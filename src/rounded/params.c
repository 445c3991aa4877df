/* The parameters of a rounded tracker: exact algebraic numbers, each rounded once. */
#include "rounded_internal.h"

/* ---- one number -------------------------------------------------------------------- */

/* x is rounded by its rational value if it has one.  An irrational number is no boundary
 * of a format, so a small enough ball decides: the loop ends. */
static uint64_t
round_elem(const ckda_elem_t x, const ckda_fp_format *f, const ckda_field_t K)
{
    uint64_t bits = 0;
    if (ckda_elem_is_rational(x, K)) {
        fmpq_t q;
        fmpq_poly_t poly;
        fmpq_init(q);
        fmpq_poly_init(poly);
        ckda_elem_get_fmpq_poly(poly, x, K);
        fmpq_poly_get_coeff_fmpq(q, poly, 0);
        bits = ckda_fp_from_fmpq(q, f, &ckda_fp_rne);
        fmpq_poly_clear(poly);
        fmpq_clear(q);
        return bits;
    }
    arb_t ball;
    arb_init(ball);
    ckda_status st = CKDA_E_UNABLE;
    for (slong prec = 128; st != CKDA_OK; prec *= 2) {
        ckda_elem_get_arb(ball, x, K, prec);
        st = ckda_fp_from_arb(&bits, ball, f, &ckda_fp_rne);
    }
    arb_clear(ball);
    return bits;
}

/* Is x a rational square?  Then *root is its square root, >= 0. */
static bool
rational_root(fmpq_t root, const ckda_elem_t x, const ckda_field_t K)
{
    if (!ckda_elem_is_rational(x, K))
        return false;
    fmpq_poly_t poly;
    fmpq_poly_init(poly);
    ckda_elem_get_fmpq_poly(poly, x, K);
    fmpq_poly_get_coeff_fmpq(root, poly, 0);
    fmpq_poly_clear(poly);
    if (!fmpz_is_square(fmpq_numref(root)) || !fmpz_is_square(fmpq_denref(root)))
        return false;
    fmpz_sqrt(fmpq_numref(root), fmpq_numref(root));
    fmpz_sqrt(fmpq_denref(root), fmpq_denref(root));
    return true;
}

/* w / sqrt(norm), where norm > 0 is |w|^2 of the whole vector.  Its square is in K; if
 * that is the square of a rational, so is the number, and else it is irrational. */
static uint64_t
round_unit_entry(const ckda_elem_t w, const ckda_elem_t norm, const ckda_fp_format *f,
                 const ckda_field_t K)
{
    uint64_t bits = 0;
    ckda_elem_t square;
    fmpq_t root;
    ckda_elem_init(square, K);
    fmpq_init(root);
    ckda_elem_mul(square, w, w, K);
    const ckda_status divided = ckda_elem_div(square, square, norm, K);
    ckda_require(divided == CKDA_OK, "a key of length 0");
    if (rational_root(root, square, K)) {
        if (ckda_elem_sgn(w, K) < 0)
            fmpq_neg(root, root);
        bits = ckda_fp_from_fmpq(root, f, &ckda_fp_rne);
    } else {
        arb_t x, s;
        arb_init(x);
        arb_init(s);
        ckda_status st = CKDA_E_UNABLE;
        for (slong prec = 128; st != CKDA_OK; prec *= 2) {
            ckda_elem_get_arb(x, w, K, prec);
            ckda_elem_get_arb(s, norm, K, prec);
            arb_sqrt(s, s, prec);
            arb_div(x, x, s, prec);
            st = ckda_fp_from_arb(&bits, x, f, &ckda_fp_rne);
        }
        arb_clear(s);
        arb_clear(x);
    }
    fmpq_clear(root);
    ckda_elem_clear(square, K);
    return bits;
}

static void
dot_self(ckda_elem_t s, const ckda_elem_struct *w, slong n, const ckda_field_t K)
{
    ckda_elem_zero(s, K);
    for (slong i = 0; i < n; i++)
        ckda_elem_addmul(s, &w[i], &w[i], K);
}

/* ---- one reflection ---------------------------------------------------------------- */

/* w becomes the primitive integer vector along w; false if its ratios are not rational.
 * Its sign does not matter: the reflection has the key twice. */
static bool
make_primitive(ckda_elem_struct *w, slong n, const ckda_field_t K)
{
    slong pivot = 0;
    while (pivot < n && ckda_elem_is_zero(&w[pivot], K))
        pivot++;
    ckda_require(pivot < n, "a key of length 0");
    fmpq_poly_t v, one; /* the vector as coefficients: content does the rest */
    ckda_elem_t ratio;
    bool rational = true;
    fmpq_poly_init(v);
    fmpq_poly_init(one);
    ckda_elem_init(ratio, K);
    fmpq_t q;
    fmpq_init(q);
    for (slong i = 0; i < n && rational; i++) {
        const ckda_status st = ckda_elem_div(ratio, &w[i], &w[pivot], K);
        ckda_require(st == CKDA_OK, "pivot is not 0");
        rational = ckda_elem_is_rational(ratio, K);
        ckda_elem_get_fmpq_poly(one, ratio, K);
        fmpq_poly_get_coeff_fmpq(q, one, 0);
        fmpq_poly_set_coeff_fmpq(v, i, q);
    }
    if (rational) {
        fmpq_poly_primitive_part(v, v);
        for (slong i = 0; i < n; i++) {
            fmpq_poly_get_coeff_fmpq(q, v, i);
            ckda_elem_set_fmpq(&w[i], q, K);
        }
    }
    fmpq_clear(q);
    ckda_elem_clear(ratio, K);
    fmpq_poly_clear(one);
    fmpq_poly_clear(v);
    return rational;
}

/* x = the ratio r. */
static void
set_ratio(ckda_elem_t x, ckda_ratio r, const ckda_field_t K)
{
    fmpq_t q;
    fmpq_init(q);
    fmpz_set_si(fmpq_numref(q), (slong)r.p);
    fmpz_set_si(fmpq_denref(q), (slong)r.q);
    fmpq_canonicalise(q);
    ckda_elem_set_fmpq(x, q, K);
    fmpq_clear(q);
}

/* b = beta - shift (0 stays 0: no reflection was there). */
static void
shifted_beta(ckda_elem_t b, const ckda_elem_t beta, const ckda_arith *a,
             const ckda_field_t K)
{
    ckda_elem_t shift;
    ckda_elem_init(shift, K);
    set_ratio(shift, a->beta_shift, K);
    if (ckda_elem_is_zero(beta, K))
        ckda_elem_zero(b, K);
    else
        ckda_elem_sub(b, beta, shift, K);
    ckda_elem_clear(shift, K);
}

/* norm = |k|^2 of the rounded key of micro-step s. */
static void
rounded_norm(ckda_elem_t norm, uint32_t s, const ckda_rounded_t R, const ckda_field_t K)
{
    fmpq_t sum, x;
    fmpq_init(sum);
    fmpq_init(x);
    for (slong i = 0; i < R->n; i++) {
        const ckda_status st = ckda_fp_get_fmpq(x, R->key[s * R->n + i], R->arith.keys);
        ckda_require(st == CKDA_OK, "a key entry overflows");
        fmpq_addmul(sum, x, x);
    }
    ckda_elem_set_fmpq(norm, sum, K);
    fmpq_clear(x);
    fmpq_clear(sum);
}

static ckda_status
set_key(uint32_t s, ckda_elem_struct *w, ckda_elem_t norm, ckda_rounded_t R,
        const ckda_field_t K, ckda_error *err)
{
    const bool direction = R->arith.key == CKDA_KEY_DIRECTION;
    if (direction && !make_primitive(w, R->n, K)) {
        ckda_error_set(err,
                       "integer directions: this construction has a key whose ratios "
                       "are irrational; expected unit keys");
        return CKDA_E_DOMAIN;
    }
    dot_self(norm, w, R->n, K);
    for (slong i = 0; i < R->n; i++) {
        uint64_t *to = &R->key[s * R->n + i];
        *to = direction ? round_elem(&w[i], R->arith.keys, K)
                        : round_unit_entry(&w[i], norm, R->arith.keys, K);
        if (!ckda_fp_is_finite(*to, R->arith.keys)) {
            ckda_error_set(err, "a key entry overflows in %s", R->arith.keys->name);
            return CKDA_E_DOMAIN;
        }
    }
    return CKDA_OK;
}

static ckda_status
set_beta(uint32_t s, const ckda_elem_t beta, const ckda_elem_t norm, ckda_rounded_t R,
         const ckda_field_t K, ckda_error *err)
{
    ckda_status st = CKDA_OK;
    ckda_elem_t b, square;
    ckda_elem_init(b, K);
    ckda_elem_init(square, K);
    shifted_beta(b, beta, &R->arith, K);
    if (R->arith.beta_rule == CKDA_BETA_FROM_KEY)
        rounded_norm(square, s, R, K);
    else if (R->arith.key == CKDA_KEY_DIRECTION)
        ckda_elem_set(square, norm, K);
    else
        ckda_elem_one(square, K);
    st = ckda_elem_div(b, b, square, K);
    if (st == CKDA_OK)
        R->beta[s] = round_elem(b, R->arith.beta, K);
    if (st != CKDA_OK || !ckda_fp_is_finite(R->beta[s], R->arith.beta)) {
        ckda_error_set(err,
                       "beta from the key: a key rounds to 0 in %s, or beta overflows",
                       R->arith.keys->name);
        st = CKDA_E_DOMAIN;
    }
    ckda_elem_clear(square, K);
    ckda_elem_clear(b, K);
    return st;
}

/* g = (1 - shrink) gate. */
static void
shrunk_gate(ckda_elem_t g, const ckda_elem_t gate, const ckda_arith *a,
            const ckda_field_t K)
{
    const ckda_ratio keep = {a->gate_shrink.q - a->gate_shrink.p, a->gate_shrink.q};
    ckda_elem_t factor;
    ckda_elem_init(factor, K);
    set_ratio(factor, keep, K);
    ckda_elem_mul(g, gate, factor, K);
    ckda_elem_clear(factor, K);
}

static void
set_gates(uint32_t s, const ckda_elem_struct *gate, ckda_rounded_t R,
          const ckda_field_t K)
{
    ckda_elem_t g;
    ckda_elem_init(g, K);
    for (slong i = 0; i < R->n; i++) {
        if (gate == NULL)
            ckda_elem_one(g, K);
        else
            shrunk_gate(g, &gate[i], &R->arith, K);
        R->gate[s * R->n + i] = round_elem(g, R->arith.beta, K);
    }
    ckda_elem_clear(g, K);
}

static ckda_status
set_micro_step(uint32_t s, const ckda_trans_t x, slong step, bool gated, ckda_rounded_t R,
               const ckda_field_t K, ckda_error *err)
{
    ckda_elem_struct *w = ckda_elem_vec_new(R->n, K);
    ckda_elem_t norm;
    ckda_elem_init(norm, K);
    for (slong i = 0; i < R->n; i++)
        ckda_elem_set(&w[i], &x->key[step * R->n + i], K);
    set_gates(s, gated ? x->gate : NULL, R, K);
    ckda_status st = set_key(s, w, norm, R, K, err);
    if (st == CKDA_OK)
        st = set_beta(s, &x->beta[step], norm, R, K, err);
    for (slong i = 0; i < R->n && st == CKDA_OK; i++)
        R->scaled_key[s * R->n + i] =
            ckda_fp_mul(R->beta[s], R->arith.beta, R->key[s * R->n + i], R->arith.keys,
                        R->arith.compute, &ckda_fp_rne);
    ckda_elem_clear(norm, K);
    ckda_elem_vec_free(w, R->n, K);
    return st;
}

/* ---- one letter as a matrix -------------------------------------------------------- */

static void
set_matrix(uint32_t letter, const ckda_trans_t x, ckda_rounded_t R, const ckda_field_t K)
{
    ckda_mat_t A, H;
    ckda_elem_t b;
    ckda_elem_struct *gate = ckda_elem_vec_new(R->n, K);
    ckda_mat_init(A, R->n, R->n, K);
    ckda_mat_init(H, R->n, R->n, K);
    ckda_elem_init(b, K);
    for (slong i = 0; i < R->n; i++)
        shrunk_gate(&gate[i], &x->gate[i], &R->arith, K);
    ckda_status st = ckda_mat_set_diag(A, gate, R->n, K);
    for (slong step = 0; step < x->steps && st == CKDA_OK; step++) {
        shifted_beta(b, &x->beta[step], &R->arith, K);
        st = ckda_mat_set_householder(H, b, x->key + step * R->n, R->n, K);
        if (st == CKDA_OK)
            st = ckda_mat_mul(A, H, A, K);
    }
    ckda_require(st == CKDA_OK, "a transition has %d x %d matrices", (int)R->n,
                 (int)R->n);
    for (slong i = 0; i < R->n * R->n; i++)
        R->matrix[letter * R->n * R->n + i] = round_elem(&A->entry[i], R->arith.keys, K);
    ckda_elem_clear(b, K);
    ckda_mat_clear(H, K);
    ckda_mat_clear(A, K);
    ckda_elem_vec_free(gate, R->n, K);
}

/* ---- all --------------------------------------------------------------------------- */

slong
ckda_rounded_kept_steps(slong *kept, const ckda_trans_t x, const ckda_field_t K)
{
    slong n = 0;
    for (slong j = 0; j < x->steps; j++)
        if (!ckda_elem_is_zero(&x->beta[j], K))
            kept[n++] = j;
    if (n == 0)
        kept[n++] = 0;
    return n;
}

static void
set_values(double *value, const uint64_t *bits, size_t count, const ckda_fp_format *f)
{
    for (size_t i = 0; i < count; i++)
        value[i] = ckda_fp_get_double(bits[i], f);
}

ckda_status
ckda_rounded_parameters(ckda_rounded_t R, const ckda_tracker_t t, ckda_error *err)
{
    const ckda_field_struct *K = t->c->K;
    const size_t n = (size_t)R->n, steps = R->first[R->nletters];
    ckda_status st = CKDA_OK;
    for (uint32_t l = 0; l < R->nletters && st == CKDA_OK; l++) {
        const ckda_trans_struct *x = &t->c->trans[t->element_of_letter[l]];
        slong *kept = flint_malloc((size_t)x->steps * sizeof *kept);
        const slong nkept = ckda_rounded_kept_steps(kept, x, K);
        for (slong j = 0; j < nkept && st == CKDA_OK; j++)
            st = set_micro_step(R->first[l] + (uint32_t)j, x, kept[j], j == 0, R, K, err);
        if (R->matrix != NULL && st == CKDA_OK)
            set_matrix(l, x, R, K);
        flint_free(kept);
    }
    if (st != CKDA_OK)
        return st;
    set_values(R->key_value, R->key, steps * n, R->arith.keys);
    set_values(R->gate_value, R->gate, steps * n, R->arith.beta);
    set_values(R->beta_value, R->beta, steps, R->arith.beta);
    set_values(R->scaled_value, R->scaled_key, steps * n, R->arith.compute);
    if (R->matrix != NULL)
        set_values(R->matrix_value, R->matrix, R->nletters * n * n, R->arith.keys);
    return CKDA_OK;
}
