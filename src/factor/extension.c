/* Square roots adjoined to a field. */
#include "norm_internal.h"

/* x = sqrt(d) as an algebraic number. */
static void
square_root(qqbar_t x, const ckda_elem_t d, const ckda_field_t K)
{
    ckda_require(ckda_elem_sgn(d, K) >= 0, "the square root of a negative number");
    ckda_elem_get_qqbar(x, d, K);
    qqbar_sqrt(x, x);
}

/* L = K. */
static void
trivial(extension *e, const ckda_field_t K)
{
    ckda_field_init_set(e->L, K);
    ckda_elem_init(&e->gen, e->L);
    ckda_elem_gen(&e->gen, e->L);
    e->root = NULL;
    e->count = 0;
}

ckda_status
extension_init(extension *e, const ckda_elem_struct *d, slong count, const ckda_field_t K)
{
    if (count == 0) {
        trivial(e, K);
        return CKDA_OK;
    }
    const slong all = count + 1;
    qqbar_struct *x = flint_malloc((size_t)all * sizeof *x);
    ckda_elem_struct *y = flint_malloc((size_t)all * sizeof *y);
    ckda_elem_t a;
    for (slong i = 0; i < all; i++)
        qqbar_init(x + i);
    ckda_elem_init(a, K);
    ckda_elem_gen(a, K);
    ckda_elem_get_qqbar(x, a, K);
    ckda_elem_clear(a, K);
    for (slong i = 0; i < count; i++)
        square_root(x + 1 + i, d + i, K);
    const ckda_status st =
        ckda_field_init_numbers(e->L, y, x, all, CKDA_FACTOR_MAX_DEGREE);
    for (slong i = 0; i < all; i++)
        qqbar_clear(x + i);
    flint_free(x);
    if (st != CKDA_OK) {
        flint_free(y);
        return st;
    }
    e->gen = y[0];
    e->root = y;
    for (slong i = 0; i < count; i++)
        y[i] = y[i + 1];
    e->count = count;
    return CKDA_OK;
}

void
extension_clear(extension *e)
{
    for (slong i = 0; i < e->count; i++)
        ckda_elem_clear(e->root + i, e->L);
    ckda_elem_clear(&e->gen, e->L);
    flint_free(e->root);
    ckda_field_clear(e->L);
}

/* The polynomial of x at the image of the generator, by Horner's rule. */
void
extension_elem(ckda_elem_t y, const ckda_elem_t x, const extension *e,
               const ckda_field_t K)
{
    fmpq_poly_t f;
    fmpq_t q;
    ckda_elem_t c, z;
    fmpq_poly_init(f);
    fmpq_init(q);
    ckda_elem_init(c, e->L);
    ckda_elem_init(z, e->L);
    ckda_elem_get_fmpq_poly(f, x, K);
    for (slong i = fmpq_poly_degree(f); i >= 0; i--) {
        fmpq_poly_get_coeff_fmpq(q, f, i);
        ckda_elem_set_fmpq(c, q, e->L);
        ckda_elem_mul(z, z, &e->gen, e->L);
        ckda_elem_add(z, z, c, e->L);
    }
    ckda_elem_swap(y, z, e->L);
    ckda_elem_clear(z, e->L);
    ckda_elem_clear(c, e->L);
    fmpq_clear(q);
    fmpq_poly_clear(f);
}

void
extension_mat(ckda_mat_t B, const ckda_mat_t A, const extension *e, const ckda_field_t K)
{
    ckda_mat_init(B, A->rows, A->cols, e->L);
    for (slong i = 0; i < A->rows * A->cols; i++)
        extension_elem(B->entry + i, A->entry + i, e, K);
}
