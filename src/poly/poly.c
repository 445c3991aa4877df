/* Memory, assignment and coefficients.  Invariants: elements 0 .. alloc-1 are
 * initialised, coeff[length-1] is not zero; what stands beyond the length is garbage. */
#include "poly_internal.h"

#include "ckda/status.h"

void
ckda_poly_init(ckda_poly_t f, const ckda_field_t K)
{
    (void)K;
    f->coeff = NULL;
    f->length = f->alloc = 0;
}

void
ckda_poly_clear(ckda_poly_t f, const ckda_field_t K)
{
    for (slong i = 0; i < f->alloc; i++)
        ckda_elem_clear(f->coeff + i, K);
    flint_free(f->coeff);
    f->coeff = NULL;
    f->length = f->alloc = 0;
}

void
ckda_poly_swap(ckda_poly_t f, ckda_poly_t g)
{
    ckda_poly_struct t = *f;
    *f = *g;
    *g = t;
}

void
ckda_poly_fit(ckda_poly_t f, slong n, const ckda_field_t K)
{
    if (n <= f->alloc)
        return;
    if (n < 2 * f->alloc)
        n = 2 * f->alloc;
    f->coeff = flint_realloc(f->coeff, (size_t)n * sizeof(ckda_elem_struct));
    for (slong i = f->alloc; i < n; i++)
        ckda_elem_init(f->coeff + i, K);
    f->alloc = n;
}

void
ckda_poly_set_length(ckda_poly_t f, slong n, const ckda_field_t K)
{
    while (n > 0 && ckda_elem_is_zero(f->coeff + n - 1, K))
        n--;
    f->length = n;
}

void
ckda_poly_set(ckda_poly_t f, const ckda_poly_t g, const ckda_field_t K)
{
    if (f == g)
        return;
    ckda_poly_fit(f, g->length, K);
    for (slong i = 0; i < g->length; i++)
        ckda_elem_set(f->coeff + i, g->coeff + i, K);
    f->length = g->length;
}

void
ckda_poly_zero(ckda_poly_t f, const ckda_field_t K)
{
    (void)K;
    f->length = 0;
}

void
ckda_poly_one(ckda_poly_t f, const ckda_field_t K)
{
    ckda_poly_fit(f, 1, K);
    ckda_elem_one(f->coeff, K);
    f->length = 1;
}

void
ckda_poly_set_coeff(ckda_poly_t f, slong i, const ckda_elem_t c, const ckda_field_t K)
{
    ckda_require(i >= 0, "i = %ld", (long)i);
    ckda_elem_t t; /* c may be a coefficient of f, which ckda_poly_fit can move */
    ckda_elem_init(t, K);
    ckda_elem_set(t, c, K);
    ckda_poly_fit(f, i + 1, K);
    for (slong j = f->length; j < i; j++)
        ckda_elem_zero(f->coeff + j, K);
    ckda_elem_swap(f->coeff + i, t, K);
    ckda_elem_clear(t, K);
    ckda_poly_set_length(f, FLINT_MAX(f->length, i + 1), K);
}

void
ckda_poly_set_coeff_si(ckda_poly_t f, slong i, slong c, const ckda_field_t K)
{
    ckda_elem_t t;
    ckda_elem_init(t, K);
    ckda_elem_set_si(t, c, K);
    ckda_poly_set_coeff(f, i, t, K);
    ckda_elem_clear(t, K);
}

void
ckda_poly_get_coeff(ckda_elem_t c, const ckda_poly_t f, slong i, const ckda_field_t K)
{
    ckda_require(i >= 0, "i = %ld", (long)i);
    if (i < f->length)
        ckda_elem_set(c, f->coeff + i, K);
    else
        ckda_elem_zero(c, K);
}

void
ckda_poly_set_root(ckda_poly_t f, const ckda_elem_t r, const ckda_field_t K)
{
    ckda_elem_t t; /* r may be a coefficient of f */
    ckda_elem_init(t, K);
    ckda_elem_neg(t, r, K);
    ckda_poly_fit(f, 2, K);
    ckda_elem_swap(f->coeff, t, K);
    ckda_elem_one(f->coeff + 1, K);
    f->length = 2;
    ckda_elem_clear(t, K);
}

slong
ckda_poly_degree(const ckda_poly_t f)
{
    return f->length - 1;
}

bool
ckda_poly_is_zero(const ckda_poly_t f)
{
    return f->length == 0;
}

bool
ckda_poly_equal(const ckda_poly_t f, const ckda_poly_t g, const ckda_field_t K)
{
    if (f->length != g->length)
        return false;
    for (slong i = 0; i < f->length; i++)
        if (!ckda_elem_equal(f->coeff + i, g->coeff + i, K))
            return false;
    return true;
}
