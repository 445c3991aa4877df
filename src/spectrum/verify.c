/* The checker of Theorem 8 certificates: starts from the dense matrix of the transition
 * and trusts nothing that the certificate says. */
#include "internal.h"

static bool
refuse(ckda_error *err, const char *what, slong at)
{
    ckda_error_set(err, "%s (number %ld)", what, (long)at);
    return false;
}

/* det(xI - A) == chi prod (x - removed). */
static bool
product_right(ckda_error *err, const ckda_spectrum_cert_t c, const ckda_trans_t t,
              const ckda_field_t K)
{
    ckda_poly_t full, prod, lin;
    ckda_mat_t A;
    bool ok;

    ckda_mat_init(A, t->n, t->n, K);
    ckda_poly_init(full, K);
    ckda_poly_init(prod, K);
    ckda_poly_init(lin, K);
    ok =
        ckda_trans_matrix(A, t, K) == CKDA_OK && ckda_mat_charpoly(full, A, K) == CKDA_OK;
    ckda_poly_set(prod, c->chi, K);
    for (slong i = 0; i < c->n - c->m; i++) {
        ckda_poly_set_root(lin, c->removed + i, K);
        ckda_poly_mul(prod, prod, lin, K);
    }
    ok = ok && ckda_poly_equal(full, prod, K);
    ckda_poly_clear(lin, K);
    ckda_poly_clear(prod, K);
    ckda_poly_clear(full, K);
    ckda_mat_clear(A, K);
    return ok ? true
              : refuse(err, "the characteristic polynomial is not the stated product",
                       c->n);
}

static bool
is_gate_or_zero(const ckda_elem_t x, const ckda_trans_t t, const ckda_field_t K)
{
    bool found = ckda_elem_is_zero(x, K);

    for (slong i = 0; !found && i < t->n; i++)
        found = ckda_elem_equal(x, t->gate + i, K);
    return found;
}

static bool
nodes_right(ckda_error *err, const ckda_spectrum_cert_t c, const ckda_trans_t t,
            const ckda_field_t K)
{
    bool zero = false;

    for (slong i = 0; i < c->nnodes; i++) {
        if (!is_gate_or_zero(c->node + i, t, K))
            return refuse(err, "a node is neither a gate nor 0", i);
        if (i > 0 && ckda_elem_cmp(c->node + i - 1, c->node + i, K) >= 0)
            return refuse(err, "the nodes do not ascend", i);
        if (c->sign[i] != ckda_spectrum_sign_at(c->chi, c->node + i, K))
            return refuse(err, "the sign at a node is wrong", i);
        if (c->sign[i] == 0 && !ckda_elem_is_zero(c->node + i, K))
            return refuse(err, "a gate is a root of the deflated polynomial", i);
        zero = zero || c->sign[i] == 0;
    }
    if (zero != c->zero_is_root)
        return refuse(err, "zero_is_root is wrong", c->zero_is_root);
    return true;
}

/* Open intervals between neighbours, each used once, with opposite signs at the ends. */
static bool
intervals_right(ckda_error *err, const ckda_spectrum_cert_t c)
{
    for (slong i = 0; i < c->nintervals; i++) {
        slong lo = c->lo[i], hi = c->hi[i];
        int at_lo, at_hi;

        if (lo < -1 || hi > c->nnodes || hi != lo + 1 || (i > 0 && lo <= c->lo[i - 1]))
            return refuse(err, "the intervals are not disjoint neighbours", i);
        at_lo = lo >= 0 ? c->sign[lo] : (c->m % 2 ? -1 : 1);
        at_hi = hi < c->nnodes ? c->sign[hi] : 1;
        if (at_lo * at_hi >= 0)
            return refuse(err, "an interval shows no change of sign", i);
    }
    return true;
}

/* All roots but `left` are placed.  One left over is real, non-real roots come in pairs;
 * of two the Hankel form decides: rank - signature = 2 distinct non-real pairs, and a
 * pair that is there is the only one and simple. */
static bool
last_pair_right(ckda_error *err, const ckda_spectrum_cert_t c, const ckda_field_t K)
{
    slong left = c->m - c->nintervals - c->zero_is_root, distinct, real;

    if (left < 0 || left > 2)
        return refuse(err, "too few roots are placed; left over", left);
    if (c->by_intervals != (left <= 1))
        return refuse(err, "by_intervals is wrong; roots left over", left);
    if (left <= 1)
        return c->nonreal_pairs == 0 ? true
                                     : refuse(err, "a pair without two roots", left);
    ckda_poly_hankel(&distinct, &real, c->chi, K);
    if (real != c->sturm_real)
        return refuse(err, "the Hankel form has another number of real roots", real);
    if (distinct - real != 2 * c->nonreal_pairs)
        return refuse(err, "the Hankel form has another number of pairs",
                      (distinct - real) / 2);
    return true;
}

bool
ckda_spectrum_cert_verify(ckda_error *err, const ckda_spectrum_cert_t c,
                          const ckda_trans_t t, const ckda_field_t K)
{
    ckda_error_clear(err);
    if (t->steps != 1 || c->n != t->n || c->m < 0 || c->m > c->n
        || ckda_poly_degree(c->chi) != c->m)
        return refuse(err, "the certificate has another shape than the transition", c->n);
    return product_right(err, c, t, K) && nodes_right(err, c, t, K)
           && intervals_right(err, c) && last_pair_right(err, c, K);
}
