/* The factors of a subnormal series, each with a tracker that is one layer. */
#include "net_internal.h"

/* A sign: dimension 1. */
static ckda_status
construct_sign(ckda_construction_t c)
{
    ckda_group_t Z2;
    ckda_field_t Q;
    ckda_status st = ckda_group_init_named(Z2, "Z2", NULL);
    if (st != CKDA_OK)
        return st;
    ckda_field_init_rational(Q);
    ckda_trans_struct *trans = flint_malloc(2 * sizeof *trans);
    for (uint32_t g = 0; g < 2; g++) {
        ckda_trans_init(trans + g, CKDA_CKDA, 1, 1, Q);
        ckda_elem_set_si(trans[g].beta, g == 0 ? 0 : 2, Q);
        ckda_elem_one(trans[g].key, Q);
        ckda_elem_one(trans[g].gate, Q);
    }
    st = ckda_construct_given(c, "sign", Z2, Q, trans, CKDA_DECODE_STATE, NULL);
    ckda_require(st == CKDA_OK, "1 and -1");
    return st;
}

/* A construction for the subgroup `in` of G (NULL: all) and the isomorphism from its
 * group, to be freed.  false if no rotation group is isomorphic to it. */
static bool
find_tracker(ckda_construction_t c, uint32_t **map, const ckda_group_t G, const bool *in,
             uint32_t order)
{
    static const char *const kinds[] = {"Z%u", "D%u", "A4", "S4", "A5"};
    *map = flint_malloc(order * sizeof **map);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        char name[32];
        ckda_group_t T;
        const uint32_t number = i == 0 ? order : order / 2;
        if (i < 2)
            snprintf(name, sizeof name, "%c%u", kinds[i][0], number);
        else
            snprintf(name, sizeof name, "%s", kinds[i]);
        if ((i == 1 && order % 2 != 0) || ckda_group_init_named(T, name, NULL) != CKDA_OK)
            continue;
        const bool same = ckda_group_isomorphism(*map, T, G, in, order);
        ckda_group_clear(T);
        if (same
            && (order == 2 ? construct_sign(c) : ckda_construct(c, name, NULL, NULL))
                   == CKDA_OK)
            return true;
    }
    flint_free(*map);
    return false;
}

/* The quotient of H by `below`, both in G, and an element of G in each coset. */
static ckda_status
find_quotient(ckda_construction_t c, uint32_t **element, const ckda_group_t H,
              const net_factor *f, const ckda_group_t G, ckda_error *err)
{
    uint32_t *map, *coset = flint_malloc(H->order * sizeof *coset);
    uint32_t *in_G = flint_malloc(H->order * sizeof *in_G);
    bool *kernel = flint_malloc(H->order * sizeof *kernel);
    ckda_group_t Q;
    for (uint32_t h = 0; h < H->order; h++) {
        in_G[h] = (uint32_t)ckda_group_find(G, &H->element[h]);
        kernel[h] = f->below[in_G[h]];
    }
    ckda_status st = ckda_group_quotient(Q, coset, H, kernel, f->order_below, err);
    if (st == CKDA_OK) {
        st = CKDA_E_DOMAIN;
        if (find_tracker(c, &map, Q, NULL, Q->order)) {
            for (uint32_t t = 0; t < Q->order; t++) {
                uint32_t h = 0;
                while (coset[h] != map[t])
                    h++;
                map[t] = in_G[h];
            }
            *element = map;
            st = CKDA_OK;
        }
        ckda_group_clear(Q);
    }
    flint_free(kernel);
    flint_free(in_G);
    flint_free(coset);
    return st;
}

/* ---- subgroups ---------------------------------------------------------------------- */

static uint32_t
size_of(const bool *in, uint32_t order)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < order; g++)
        count += in[g];
    return count;
}

/* Is it a proper normal subgroup of H, which is a subgroup of G? */
static bool
is_normal(const bool *in, uint32_t size, const ckda_group_t H, const ckda_group_t G)
{
    ckda_group_t N;
    if (size == 0 || size >= H->order)
        return false;
    ckda_group_init_subgroup(N, "subgroup", G, in);
    bool good = N->order == size;
    ckda_group_clear(N);
    for (uint32_t g = 0; good && g < G->order; g++)
        good = !in[g] || ckda_group_find(H, &G->element[g]) >= 0;
    for (uint32_t j = 0; good && j < H->ngen; j++) {
        const int64_t h = ckda_group_find(G, &H->element[H->generator[j]]);
        const uint32_t x = (uint32_t)h, back = ckda_group_inv(G, x);
        for (uint32_t g = 0; good && g < G->order; g++)
            good = !in[g] || in[ckda_group_mul(G, ckda_group_mul(G, x, g), back)];
    }
    return good;
}

/* ---- a whole series ---------------------------------------------------------------- */

ckda_status
net_check_series(const ckda_group_t G, const bool *const *chain, uint32_t count,
                 ckda_error *err)
{
    ckda_group_t H;
    bool good = true;
    ckda_group_init_set(H, G);
    for (uint32_t i = 0; good && i < count; i++) {
        const uint32_t size = size_of(chain[i], G->order);
        good = size > 1 && is_normal(chain[i], size, H, G);
        if (!good) {
            ckda_error_set(err,
                           "series: subgroup %u (%u elements) is not a proper normal "
                           "subgroup of the one before, or is trivial",
                           i + 1, size);
            break;
        }
        ckda_group_clear(H);
        ckda_group_init_subgroup(H, "subgroup", G, chain[i]);
    }
    ckda_group_clear(H);
    return good ? CKDA_OK : CKDA_E_DOMAIN;
}

static ckda_status
factor_init(net_factor *f, const ckda_group_t G, ckda_error *err)
{
    ckda_group_t H;
    if (f->below == NULL)
        return find_tracker(f->c, &f->element, G, f->above, f->order_above)
                   ? CKDA_OK
                   : CKDA_E_DOMAIN;
    if (f->above == NULL)
        ckda_group_init_set(H, G);
    else
        ckda_group_init_subgroup(H, "subgroup", G, f->above);
    const ckda_status st = find_quotient(f->c, &f->element, H, f, G, err);
    ckda_group_clear(H);
    return st;
}

void
net_factors_clear(net_factor *f, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        ckda_construct_clear(f[i].c);
        flint_free(f[i].element);
    }
    flint_free(f);
}

ckda_status
net_factors_init(net_factor **pf, const ckda_group_t G, const bool *const *chain,
                 uint32_t count, ckda_error *err)
{
    net_factor *f = flint_malloc((count + 1) * sizeof *f);
    ckda_status st = CKDA_OK;
    uint32_t made = count + 1, order = 1;
    /* the last one first: it is the one that most normal subgroups fail by */
    while (made > 0) {
        net_factor *this = f + made - 1;
        const bool top = made == 1;
        *this = (net_factor){.above = top ? NULL : chain[made - 2],
                             .below = made > count ? NULL : chain[made - 1],
                             .order_below = order};
        this->order_above = order = top ? G->order : size_of(this->above, G->order);
        st = factor_init(this, G, err);
        if (st != CKDA_OK)
            break;
        made--;
    }
    if (st == CKDA_OK) {
        *pf = f;
        return CKDA_OK;
    }
    if (st == CKDA_E_DOMAIN)
        ckda_error_set(err,
                       "series: factor %u, of order %u, is not isomorphic to a finite "
                       "subgroup of SO(3)",
                       made, f[made - 1].order_above / f[made - 1].order_below);
    for (uint32_t i = made; i <= count; i++) {
        ckda_construct_clear(f[i].c);
        flint_free(f[i].element);
    }
    flint_free(f);
    return st;
}
