/* Making, copying and comparing fields. */
#include "internal.h"

#include <limits.h>

static void
set_minpoly(ckda_field_t K, fmpz_poly_t f)
{
    fmpq_poly_t q;
    fmpz_poly_init(K->minpoly);
    fmpz_poly_swap(K->minpoly, f);
    fmpz_poly_clear(f);
    K->degree = fmpz_poly_degree(K->minpoly);
    K->is_cos = 0;
    arb_init(K->root);
    fmpq_poly_init(q);
    fmpq_poly_set_fmpz_poly(q, K->minpoly);
    nf_init(K->nf, q);
    fmpq_poly_clear(q);
}

void
field_init_root(ckda_field_t K, fmpz_poly_t f, field_enclose_fn enclose, const void *what)
{
    set_minpoly(K, f);
    ckda_require(K->degree >= 2, "degree %ld", (long)K->degree);
    field_root_isolate(K->root, K->minpoly, enclose, what);
}

void
ckda_field_init_rational(ckda_field_t K)
{
    fmpz_poly_t f;
    fmpz_poly_init(f);
    fmpz_poly_set_coeff_ui(f, 1, 1);
    set_minpoly(K, f); /* x; the root 0 is exact */
}

static void
enclose_sqrt(arb_t r, const void *what, slong prec)
{
    arb_sqrt_ui(r, *(const ulong *)what, prec);
}

void
ckda_field_init_sqrt(ckda_field_t K, ulong n)
{
    fmpz_poly_t f;
    ckda_require(n >= 2 && !n_is_square(n), "n = %lu is a square", (unsigned long)n);
    fmpz_poly_init(f);
    fmpz_poly_set_coeff_ui(f, 0, n);
    fmpz_poly_neg(f, f);
    fmpz_poly_set_coeff_ui(f, 2, 1);
    field_init_root(K, f, enclose_sqrt, &n);
}

static void
enclose_cos(arb_t r, const void *what, slong prec)
{
    fmpq_t t;
    fmpq_init(t);
    fmpq_set_ui(t, 2, *(const ulong *)what);
    arb_cos_pi_fmpq(r, t, prec);
    arb_mul_2exp_si(r, r, 1);
    fmpq_clear(t);
}

void
ckda_field_init_cos(ckda_field_t K, ulong N)
{
    ckda_require(N >= 1 && N <= INT_MAX, "N = %lu", (unsigned long)N);
    if (N <= 4 || N == 6) {
        ckda_field_init_rational(K);
        return;
    }
    fmpz_poly_t f;
    fmpz_poly_init(f);
    fmpz_poly_cos_minpoly(f, N);
    field_init_root(K, f, enclose_cos, &N);
    K->is_cos = (int)N;
}

void
ckda_field_init_set(ckda_field_t K, const ckda_field_t L)
{
    fmpz_poly_t f;
    fmpz_poly_init(f);
    fmpz_poly_set(f, L->minpoly);
    set_minpoly(K, f);
    arb_set(K->root, L->root);
    K->is_cos = L->is_cos;
}

void
ckda_field_clear(ckda_field_t K)
{
    fmpz_poly_clear(K->minpoly);
    nf_clear(K->nf);
    arb_clear(K->root);
}

bool
ckda_field_equal(const ckda_field_t K, const ckda_field_t L)
{
    if (!fmpz_poly_equal(K->minpoly, L->minpoly))
        return false;
    if (K->degree == 1)
        return true;
    if (!arb_overlaps(K->root, L->root))
        return false;
    /* f' keeps its sign on each of the two overlapping intervals, hence (the sign is the
     * same where they meet) on their union: the union holds one root. */
    return true;
}

void
ckda_field_root(arb_t r, const ckda_field_t K, slong prec)
{
    if (K->degree == 1) {
        arb_zero(r);
    } else if (arb_rel_accuracy_bits(K->root) >= prec) {
        arb_set_round(r, K->root, prec + 8);
    } else if (K->is_cos > 0) {
        ulong N = (ulong)K->is_cos;
        enclose_cos(r, &N, prec + 8);
    } else {
        arb_t t;
        arb_init(t);
        arb_set(t, K->root);
        field_root_refine(t, K->minpoly, prec);
        arb_swap(r, t);
        arb_clear(t);
    }
}
