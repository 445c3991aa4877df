/* Square-free parts in characteristic 0 (Yun). */
#include "internal.h"

void
ckda_poly_squarefree_part(ckda_poly_t h, const ckda_poly_t f, const ckda_field_t K)
{
    ckda_poly_t d, g;

    ckda_require(!ckda_poly_is_zero(f), "the zero polynomial has no square-free part");
    ckda_poly_init(d, K);
    ckda_poly_init(g, K);
    ckda_poly_derivative(d, f, K);
    ckda_spectrum_gcd(g, f, d, K);
    ckda_spectrum_divexact(d, f, g, K);
    ckda_poly_monic(h, d, K);
    ckda_poly_clear(g, K);
    ckda_poly_clear(d, K);
}

static void
append_part(ckda_poly_struct **parts, slong *count, ckda_poly_t g, const ckda_field_t K)
{
    *parts = flint_realloc(*parts, (size_t)(*count + 1) * sizeof **parts);
    ckda_poly_init(*parts + *count, K);
    ckda_poly_swap(*parts + *count, g);
    (*count)++;
}

/* With f = prod p_j^j: w = prod of the p_j not yet taken out, and z = y - w' vanishes to
 * order one at exactly the roots of the next part, so that part is gcd(w, z). */
void
ckda_poly_squarefree(ckda_poly_struct **parts, slong *count, const ckda_poly_t f,
                     const ckda_field_t K)
{
    ckda_poly_t w, y, z, g;

    ckda_require(!ckda_poly_is_zero(f), "the zero polynomial has no square-free parts");
    *parts = NULL;
    *count = 0;
    ckda_poly_init(w, K);
    ckda_poly_init(y, K);
    ckda_poly_init(z, K);
    ckda_poly_init(g, K);
    ckda_poly_monic(w, f, K);
    ckda_poly_derivative(y, w, K);
    ckda_spectrum_gcd(g, w, y, K);
    ckda_spectrum_divexact(w, w, g, K);
    ckda_spectrum_divexact(y, y, g, K);
    while (ckda_poly_degree(w) > 0) {
        ckda_poly_derivative(z, w, K);
        ckda_poly_sub(z, y, z, K);
        ckda_spectrum_gcd(g, w, z, K);
        ckda_spectrum_divexact(w, w, g, K);
        ckda_spectrum_divexact(y, z, g, K);
        append_part(parts, count, g, K);
    }
    ckda_poly_clear(g, K);
    ckda_poly_clear(z, K);
    ckda_poly_clear(y, K);
    ckda_poly_clear(w, K);
}

void
ckda_poly_parts_free(ckda_poly_struct **parts, slong count, const ckda_field_t K)
{
    for (slong j = 0; j < count; j++)
        ckda_poly_clear(*parts + j, K);
    flint_free(*parts);
    *parts = NULL;
}
