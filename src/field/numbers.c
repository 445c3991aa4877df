/* The smallest field that holds given real numbers.
 *
 * The loop keeps K = Q(g) with g a Z-combination of generators of the Q(x[i]), so K is
 * inside the field that is looked for.  It ends when every x[i] was written as an element
 * of K: then the field looked for is inside K as well. */
#include "internal.h"

static void
clear_elems(ckda_elem_struct *y, slong n, const ckda_field_t K)
{
    for (slong i = 0; i < n; i++)
        ckda_elem_clear(y + i, K);
}

/* Initialises y[0..n-1] as the x[i].  On failure clears them again and tells in *bad
 * which x[i] was it. */
static ckda_status
write_all(ckda_elem_struct *y, slong *bad, const qqbar_struct *x, slong n,
          const ckda_field_t K)
{
    for (slong i = 0; i < n; i++) {
        ckda_elem_init(y + i, K);
        slong j = 0;
        while (j < i && !field_num_equal(x + i, x + j))
            j++;
        if (j < i) {
            ckda_elem_set(y + i, y + j, K);
            continue;
        }
        ckda_status st = ckda_elem_set_qqbar(y + i, x + i, K);
        if (st != CKDA_OK) {
            clear_elems(y, i + 1, K);
            *bad = i;
            return st;
        }
    }
    return CKDA_OK;
}

/* g = a small generator of Q(x): the square root of an integer, or a multiple of x. */
static ckda_status
small_generator(qqbar_t g, const qqbar_t x)
{
    ckda_field_t L;
    ckda_elem_t a;
    ckda_status st = ckda_field_init_qqbar(L, x);
    if (st != CKDA_OK)
        return st;
    ckda_elem_init(a, L);
    ckda_elem_gen(a, L);
    ckda_elem_get_qqbar(g, a, L);
    ckda_elem_clear(a, L);
    ckda_field_clear(L);
    return st;
}

/* g += s x for the first s = 1, -1, 2, -2, ... that raises the degree.  One must: x is
 * not in Q(g), and all but finitely many s make g + s x generate Q(g, x). */
static void
extend(qqbar_t g, const qqbar_t x)
{
    qqbar_t t;
    fmpq_t s, zero;
    slong degree = qqbar_degree(g);
    qqbar_init(t);
    fmpq_init(s);
    fmpq_init(zero);
    for (slong k = 1; qqbar_degree(g) == degree; k = k > 0 ? -k : 1 - k) {
        fmpq_set_si(s, k, 1);
        field_num_affine(t, x, s, zero);
        field_num_op(t, g, '+', t);
        if (qqbar_degree(t) > degree)
            qqbar_swap(g, t);
    }
    fmpq_clear(zero);
    fmpq_clear(s);
    qqbar_clear(t);
}

/* x is not in Q(g): is the degree of Q(g, x), which d and e divide, certain to pass max?
 */
static bool
passes(slong d, slong e, slong max)
{
    ulong least = (ulong)d / n_gcd((ulong)d, (ulong)e) * (ulong)e;
    if (least < 2 * (ulong)d)
        least = 2 * (ulong)d;
    return max > 0 && least > (ulong)max;
}

/* On CKDA_OK: K and y[0..n-1] are initialised.  Otherwise neither is. */
static ckda_status
grow(ckda_field_t K, ckda_elem_struct *y, qqbar_t g, const qqbar_struct *x, slong n,
     slong max_degree)
{
    for (;;) {
        slong bad = 0;
        if (max_degree > 0 && qqbar_degree(g) > max_degree)
            return CKDA_E_UNABLE;
        ckda_status st = ckda_field_init_qqbar(K, g);
        if (st != CKDA_OK)
            return st;
        st = write_all(y, &bad, x, n, K);
        if (st == CKDA_OK)
            return st;
        ckda_field_clear(K);
        if (st != CKDA_E_DOMAIN
            || passes(qqbar_degree(g), qqbar_degree(x + bad), max_degree))
            return CKDA_E_UNABLE;
        qqbar_t t;
        qqbar_init(t);
        st = small_generator(t, x + bad);
        ckda_require(st == CKDA_OK, "x[%ld] was real before", (long)bad);
        extend(g, t);
        qqbar_clear(t);
    }
}

ckda_status
ckda_field_init_numbers(ckda_field_t K, ckda_elem_struct *y, const qqbar_struct *x,
                        slong n, slong max_degree)
{
    slong best = -1;
    for (slong i = 0; i < n; i++) {
        if (!field_num_is_real(x + i))
            return CKDA_E_DOMAIN;
        if (best < 0 || qqbar_degree(x + i) > qqbar_degree(x + best))
            best = i;
    }
    qqbar_t g;
    qqbar_init(g);
    if (best >= 0 && small_generator(g, x + best) != CKDA_OK)
        ckda_require(false, "x[%ld] was real before", (long)best);
    ckda_elem_struct *own = flint_malloc(sizeof *own * (size_t)(n > 0 ? n : 1));
    ckda_status st = grow(K, own, g, x, n, max_degree);
    if (st == CKDA_OK) {
        for (slong i = 0; i < n; i++) {
            if (y != NULL)
                y[i] = own[i];
            else
                ckda_elem_clear(own + i, K);
        }
    }
    flint_free(own);
    qqbar_clear(g);
    return st;
}
