/* Theorem 8 for one transition: intervals between gates place all roots but two.
 *
 * After deflation chi(gate_i) = weight_i gate_i prod_{j != i} (gate_i - gate_j), so two
 * neighbouring gates of one sign see opposite signs of chi.  The node 0 and the two
 * infinities are added because for beta <= 1 (and for beta < 0) they place the rest too.
 */
#include "internal.h"

/* The gates with 0 put in its place, and the signs of chi there. */
static void
set_nodes(ckda_spectrum_cert_t c, const ckda_deflated_t d, const ckda_field_t K)
{
    slong i = 0;

    c->nnodes = d->m + 1;
    c->node = ckda_elem_vec_new(c->nnodes, K);
    c->sign = flint_malloc((size_t)c->nnodes * sizeof *c->sign);
    for (; i < d->m && ckda_elem_sgn(d->gate + i, K) < 0; i++)
        ckda_elem_set(c->node + i, d->gate + i, K);
    for (; i < d->m; i++) /* node[i] stays 0 at the first gate that is positive */
        ckda_elem_set(c->node + i + 1, d->gate + i, K);
    for (i = 0; i < c->nnodes; i++) {
        c->sign[i] = ckda_spectrum_sign_at(c->chi, c->node + i, K);
        c->zero_is_root = c->zero_is_root || c->sign[i] == 0;
    }
}

/* Opposite signs at neighbours; chi is monic, which fixes the signs at the ends. */
static void
set_intervals(ckda_spectrum_cert_t c)
{
    int last = c->m % 2 ? -1 : 1;

    c->lo = flint_malloc((size_t)(c->nnodes + 1) * sizeof *c->lo);
    c->hi = flint_malloc((size_t)(c->nnodes + 1) * sizeof *c->hi);
    for (slong i = 0; i <= c->nnodes; i++) {
        int sign = i < c->nnodes ? c->sign[i] : 1;

        if (sign * last < 0) {
            c->lo[c->nintervals] = i - 1;
            c->hi[c->nintervals++] = i;
        }
        last = sign;
    }
}

ckda_status
ckda_spectrum_certificate(ckda_spectrum_cert_t c, const ckda_trans_t t,
                          const ckda_field_t K)
{
    ckda_spectrum_cert_struct r = {0};
    ckda_deflated_t d;
    ckda_status st = ckda_trans_deflate(d, t, K);
    slong left;

    if (st != CKDA_OK)
        return st;
    r.n = t->n;
    r.m = d->m;
    ckda_poly_init(r.chi, K);
    ckda_deflated_charpoly(r.chi, d, K);
    r.removed = ckda_elem_vec_new(d->nremoved, K);
    for (slong i = 0; i < d->nremoved; i++)
        ckda_elem_set(r.removed + i, d->removed + i, K);
    set_nodes(&r, d, K);
    set_intervals(&r);
    left = r.m - r.nintervals - r.zero_is_root;
    r.by_intervals = left <= 1;
    r.sturm_real = -1;
    if (!r.by_intervals) {
        ckda_root_counts counts;

        ckda_poly_count_roots(&counts, r.chi, K);
        r.sturm_real = ckda_poly_real_roots_sturm(r.chi, NULL, NULL, K);
        r.nonreal_pairs = counts.nonreal_pairs;
    }
    ckda_deflated_clear(d, K);
    *c = r;
    return CKDA_OK;
}

void
ckda_spectrum_cert_clear(ckda_spectrum_cert_t c, const ckda_field_t K)
{
    ckda_poly_clear(c->chi, K);
    ckda_elem_vec_free(c->removed, c->n - c->m, K);
    ckda_elem_vec_free(c->node, c->nnodes, K);
    flint_free(c->sign);
    flint_free(c->lo);
    flint_free(c->hi);
}
