/* The characteristic polynomial over Q by a product tree of integer polynomials.
 *
 * chi = P + beta sum k_i^2 a_i P_i with P = prod (x - a_i), P_i = P/(x - a_i).  With
 * a_i = p/q and w_i^2 = s/t, so w_i^2 a_i/(x - a_i) = s p/(t (q x - p)), the pair
 * (prod t (q x - p), sum of the numerators over it) is built by halves.              */
#include "internal.h"

typedef struct {
    fmpq *gate, *square; /* w_i^2 */
} numbers;

static void
leaf(fmpz_poly_t D, fmpz_poly_t N, const fmpq *a, const fmpq *u)
{
    fmpz_t c;

    fmpz_init(c);
    fmpz_poly_set_coeff_fmpz(D, 1, fmpq_denref(a));
    fmpz_neg(c, fmpq_numref(a));
    fmpz_poly_set_coeff_fmpz(D, 0, c);
    fmpz_poly_scalar_mul_fmpz(D, D, fmpq_denref(u));
    fmpz_mul(c, fmpq_numref(u), fmpq_numref(a));
    fmpz_poly_set_fmpz(N, c);
    fmpz_clear(c);
}

static void
build(fmpz_poly_t D, fmpz_poly_t N, const numbers *x, slong lo, slong hi)
{
    const slong mid = lo + (hi - lo) / 2;
    fmpz_poly_t E, M;

    if (hi - lo == 1) {
        leaf(D, N, x->gate + lo, x->square + lo);
        return;
    }
    fmpz_poly_init(E);
    fmpz_poly_init(M);
    build(D, N, x, lo, mid);
    build(E, M, x, mid, hi);
    fmpz_poly_mul(N, N, E);
    fmpz_poly_mul(M, M, D);
    fmpz_poly_add(N, N, M);
    fmpz_poly_mul(D, D, E);
    fmpz_poly_clear(M);
    fmpz_poly_clear(E);
}

/* Only the direction of the key counts: short common denominators are multiplied away. */
static void
clear_denominators(fmpq *square, slong n)
{
    enum { SHORT = 256 };
    fmpz_t d;

    fmpz_init_set_ui(d, 1);
    for (slong i = 0; i < n && fmpz_bits(d) <= SHORT; i++)
        fmpz_lcm(d, d, fmpq_denref(square + i));
    for (slong i = 0; i < n && fmpz_bits(d) <= SHORT; i++)
        fmpq_mul_fmpz(square + i, square + i, d);
    fmpz_clear(d);
}

/* x = sum of the squares lo .. hi - 1. */
static void
sum(fmpq_t x, const fmpq *square, slong lo, slong hi)
{
    fmpq_t y;

    if (hi - lo == 1) {
        fmpq_set(x, square + lo);
        return;
    }
    fmpq_init(y);
    sum(x, square, lo, lo + (hi - lo) / 2);
    sum(y, square, lo + (hi - lo) / 2, hi);
    fmpq_add(x, x, y);
    fmpq_clear(y);
}

/* chi = (D + (beta/w^T w) N)/lead(D). */
static void
combine(ckda_poly_t chi, fmpz_poly_t D, fmpz_poly_t N, const fmpq_t scale,
        const ckda_field_t K)
{
    ckda_elem_t c;
    fmpq_t q;
    fmpz_t lead;

    ckda_elem_init(c, K);
    fmpq_init(q);
    fmpz_init(lead);
    fmpz_poly_scalar_mul_fmpz(D, D, fmpq_denref(scale));
    fmpz_poly_scalar_mul_fmpz(N, N, fmpq_numref(scale));
    fmpz_set(lead, fmpz_poly_lead(D));
    fmpz_poly_add(D, D, N);
    ckda_poly_zero(chi, K);
    for (slong i = fmpz_poly_degree(D); i >= 0; i--) {
        fmpz_set(fmpq_numref(q), fmpz_poly_get_coeff_ptr(D, i));
        fmpz_set(fmpq_denref(q), lead);
        fmpq_canonicalise(q);
        ckda_elem_set_fmpq(c, q, K);
        ckda_poly_set_coeff(chi, i, c, K);
    }
    fmpz_clear(lead);
    fmpq_clear(q);
    ckda_elem_clear(c, K);
}

static ckda_status
by_tree(ckda_poly_t chi, const ckda_trans_t t, const ckda_field_t K)
{
    numbers x = {ckda_spectrum_fmpqs_new(t->n), ckda_spectrum_fmpqs_new(t->n)};
    fmpz_poly_t D, N;
    fmpq_t w2, beta;
    bool zero;

    fmpz_poly_init(D);
    fmpz_poly_init(N);
    fmpq_init(w2);
    fmpq_init(beta);
    for (slong i = 0; i < t->n; i++) {
        ckda_spectrum_get_fmpq(x.gate + i, t->gate + i, K);
        ckda_spectrum_get_fmpq(x.square + i, t->key + i, K);
        fmpq_mul(x.square + i, x.square + i, x.square + i);
    }
    clear_denominators(x.square, t->n);
    ckda_spectrum_get_fmpq(beta, t->beta, K);
    sum(w2, x.square, 0, t->n);
    zero = fmpq_is_zero(w2);
    if (!zero) {
        fmpq_div(beta, beta, w2);
        build(D, N, &x, 0, t->n);
        combine(chi, D, N, beta, K);
    }
    fmpq_clear(beta);
    fmpq_clear(w2);
    fmpz_poly_clear(N);
    fmpz_poly_clear(D);
    ckda_spectrum_fmpqs_free(x.square, t->n);
    ckda_spectrum_fmpqs_free(x.gate, t->n);
    return zero ? CKDA_E_DOMAIN : CKDA_OK;
}

ckda_status
ckda_secular_charpoly(ckda_poly_t chi, const ckda_trans_t t, const ckda_field_t K)
{
    if (!ckda_trans_is_secular(t))
        return CKDA_E_SHAPE;
    return K->degree == 1 ? by_tree(chi, t, K) : ckda_trans_charpoly(chi, t, K);
}
