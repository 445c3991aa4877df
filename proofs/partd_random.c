/* Seeded heads; see partd_heads.h. */
#include "partd_heads.h"

#include <string.h>
#include "ckda/construct.h"

const char *const partd_family_name[PARTD_FAMILIES] = {"monomial",  "planar", "half",
                                                       "nilpotent", "groups", "merge"};

enum { CONSTRUCTIONS = 8, ORDERS = 14 };

struct partd_source {
    ckda_rand rand;
    ckda_field_t Q;
    ckda_construction_t c[CONSTRUCTIONS];
    int nc;
};

void
partd_source_close(partd_source **s)
{
    for (int i = 0; i < (*s)->nc; i++)
        ckda_construct_clear((*s)->c[i]);
    ckda_field_clear((*s)->Q);
    flint_free(*s);
    *s = NULL;
}

partd_source *
partd_source_open(uint64_t seed, ckda_error *err)
{
    static const char *const of[CONSTRUCTIONS][2] = {
        {"A4", "quaternion"}, {"S4", "quaternion"}, {"A5", "quaternion"},
        {"S4", "cube"},       {"D5", "quaternion"}, {"D7", "quaternion"},
        {"D9", "planar"},     {"Z16", "planar"}};
    partd_source *s = flint_calloc(1, sizeof *s);
    ckda_rand_init(&s->rand, seed);
    ckda_field_init_rational(s->Q);
    for (; s->nc < CONSTRUCTIONS; s->nc++)
        if (ckda_construct(s->c[s->nc], of[s->nc][0], of[s->nc][1], err) != CKDA_OK) {
            partd_source_close(&s);
            return NULL;
        }
    return s;
}

ckda_status
partd_read_families(partd_family f[PARTD_FAMILIES], size_t *n, const ckda_node *in,
                    ckda_error *err)
{
    ckda_node list, item;
    const char *text;
    if (ckda_node_member(&list, in, "families", err) != CKDA_OK
        || ckda_node_size(n, &list, err) != CKDA_OK)
        return CKDA_E_INPUT;
    if (*n < 1 || *n > PARTD_FAMILIES)
        return ckda_node_fail(&list, err, "1 to 6 families", NULL);
    for (size_t i = 0; i < *n; i++) {
        int k = 0;
        if (ckda_node_item(&item, &list, i, err) != CKDA_OK
            || ckda_node_string(&text, &item, err) != CKDA_OK)
            return CKDA_E_INPUT;
        while (k < PARTD_FAMILIES && strcmp(text, partd_family_name[k]) != 0)
            k++;
        if (k == PARTD_FAMILIES)
            return ckda_node_fail(&item, err, "the name of a family of heads", NULL);
        f[i] = (partd_family)k;
    }
    return CKDA_OK;
}

/* ---- letters ---- */

static bool
chance(ckda_rand *r, uint64_t percent)
{
    return ckda_rand_below(r, 100) < percent;
}

static slong
sign(ckda_rand *r)
{
    return chance(r, 50) ? 1 : -1;
}

/* Gates 1, -1 and, `zeros` times in a hundred, 0. */
static void
draw_gates(ckda_trans_struct *t, slong from, ckda_rand *r, uint64_t zeros,
           const ckda_field_t K)
{
    for (slong i = from; i < t->n; i++)
        ckda_elem_set_si(t->gate + i, chance(r, zeros) ? 0 : sign(r), K);
}

static void
draw_value(partd_head *h, uint32_t x, ckda_rand *r, uint64_t percent)
{
    if (chance(r, percent))
        ckda_elem_set_frac(h->value[x].entry, ckda_rand_range(r, -2, 2), 1, h->K);
}

static void
zero_key(ckda_trans_struct *t, const ckda_field_t K)
{
    for (slong i = 0; i < t->n; i++)
        ckda_elem_zero(t->key + i, K);
}

/* Keys e_i and e_i +- e_j. */
static void
draw_monomial(partd_head *h, uint32_t x, ckda_rand *r)
{
    static const slong betas[] = {0, 1, 1, 2, 2, 2};
    ckda_trans_struct *t = &h->trans[x];
    const slong i = (slong)ckda_rand_below(r, (uint64_t)h->n),
                j = chance(r, 35) ? i : (slong)ckda_rand_below(r, (uint64_t)h->n);
    zero_key(t, h->K);
    ckda_elem_set_si(t->key + j, sign(r), h->K);
    ckda_elem_set_si(t->key + i, 1, h->K);
    ckda_elem_set_si(t->beta, betas[ckda_rand_below(r, 6)], h->K);
    draw_gates(t, 0, r, 25, h->K);
    draw_value(h, x, r, 50);
}

static void
draw_half(partd_head *h, uint32_t x, ckda_rand *r)
{
    if (chance(r, 40)) {
        draw_monomial(h, x, r);
        return;
    }
    ckda_trans_struct *t = &h->trans[x];
    for (slong i = 0; i < h->n; i++)
        ckda_elem_set_si(t->key + i, sign(r), h->K);
    ckda_elem_set_si(t->beta, chance(r, 15) ? 1 : 2, h->K);
    draw_gates(t, 0, r, 8, h->K);
    draw_value(h, x, r, 20);
}

/* A Jordan block of size 3 at 0: gates (a, -b, 0) on keys with k1^2 : k2^2 = a : b and
 * beta (k1^2 + k2^2) = 1, in a random order of the coordinates. */
static void
draw_nilpotent(partd_head *h, uint32_t x, ckda_rand *r)
{
    static const struct {
        slong key[3], beta[2], gate[3][2];
    } block[] = {{{1, 1, 1}, {3, 2}, {{1, 1}, {-1, 1}, {0, 1}}},
                 {{2, 1, 1}, {6, 5}, {{1, 1}, {-1, 4}, {0, 1}}},
                 {{2, 1, 2}, {9, 5}, {{1, 1}, {-1, 4}, {0, 1}}},
                 {{1, 2, 2}, {9, 5}, {{1, 4}, {-1, 1}, {0, 1}}}};
    if (chance(r, 40)) {
        draw_monomial(h, x, r);
        return;
    }
    ckda_trans_struct *t = &h->trans[x];
    const int b = (int)ckda_rand_below(r, sizeof block / sizeof block[0]);
    const slong at = (slong)ckda_rand_below(r, (uint64_t)h->n), turn = sign(r);
    zero_key(t, h->K);
    draw_gates(t, 0, r, 30, h->K);
    ckda_elem_set_frac(t->beta, block[b].beta[0], block[b].beta[1], h->K);
    for (slong i = 0; i < 3; i++) {
        const slong to = (at + turn * i + h->n) % h->n;
        ckda_elem_set_si(t->key + to, sign(r) * block[b].key[i], h->K);
        ckda_elem_set_frac(t->gate + to, block[b].gate[i][0], block[b].gate[i][1], h->K);
    }
    draw_value(h, x, r, 80);
}

static void
draw_merge(partd_head *h, uint32_t x, ckda_rand *r)
{
    if (chance(r, 40)) {
        draw_monomial(h, x, r);
        return;
    }
    ckda_trans_struct *t = &h->trans[x];
    const slong s = (slong)ckda_rand_below(r, (uint64_t)h->n);
    const slong d = (s + 1 + (slong)ckda_rand_below(r, (uint64_t)h->n - 1)) % h->n;
    zero_key(t, h->K);
    draw_gates(t, 0, r, 40, h->K);
    ckda_elem_set_si(t->key + s, 2, h->K);
    ckda_elem_set_si(t->key + d, 1, h->K);
    ckda_elem_set_si(t->gate + s, -1, h->K);
    ckda_elem_set_si(t->gate + d, chance(r, 50) ? -1 : 0, h->K);
    ckda_elem_set_frac(t->beta, 5, 2, h->K);
    draw_value(h, x, r, 20);
}

/* Rotations by multiples of 2 pi/N in the coordinates 2p, 2p+1. */
static void
draw_planar(partd_head *h, uint32_t x, ckda_rand *r, ulong N)
{
    if (chance(r, 30)) {
        draw_monomial(h, x, r);
        return;
    }
    ckda_trans_struct *t = &h->trans[x];
    const slong p = 2 * (slong)ckda_rand_below(r, (uint64_t)h->n / 2);
    const slong k = (slong)ckda_rand_below(r, 2 * N);
    zero_key(t, h->K);
    draw_gates(t, 0, r, 15, h->K);
    ckda_elem_set_si(t->gate + p, 1, h->K);
    ckda_elem_set_si(t->gate + p + 1, chance(r, 85) ? -1 : 1, h->K);
    ckda_elem_set_si(t->beta, 2, h->K);
    ckda_status st = ckda_elem_set_cos(t->key + p, k, 2 * N, h->K);
    if (st == CKDA_OK)
        st = ckda_elem_set_sin(t->key + p + 1, k, 2 * N, h->K);
    ckda_require(st == CKDA_OK, "cosine and sine of 2 pi k/%lu", 2 * N);
    draw_value(h, x, r, 25);
}

/* ---- heads ---- */

static uint32_t
draw_nletters(ckda_rand *r)
{
    return chance(r, 70) ? 2 : 3;
}

static void
draw_initial(partd_head *h, ckda_rand *r)
{
    for (slong i = 0; i < h->n; i++)
        ckda_elem_set_si(h->initial->entry + i, ckda_rand_range(r, -2, 2), h->K);
}

static void
planar_head(partd_head *h, partd_source *s)
{
    static const ulong orders[ORDERS] = {5,  6,  7,  8,  9,  10, 11,
                                         12, 13, 14, 16, 18, 20, 40};
    const ulong N = orders[ckda_rand_below(&s->rand, chance(&s->rand, 10) ? ORDERS : 10)];
    const ulong M = 2 * N % 4 == 0 ? 2 * N : 4 * N;
    ckda_field_t K;
    ckda_field_init_cos(K, M);
    partd_head_init(h, (slong)ckda_rand_range(&s->rand, 2, 4), draw_nletters(&s->rand),
                    K);
    ckda_field_clear(K);
    for (uint32_t x = 0; x < h->nletters; x++)
        draw_planar(h, x, &s->rand, N);
}

/* Letters of a group; some lose a coordinate. */
static void
group_head(partd_head *h, partd_source *s)
{
    ckda_rand *r = &s->rand;
    const ckda_construction_struct *c = s->c[ckda_rand_below(r, CONSTRUCTIONS)];
    partd_head_init(h, c->n, draw_nletters(r), c->K);
    for (uint32_t x = 0; x < h->nletters; x++) {
        const ckda_trans_struct *t = &c->trans[ckda_rand_below(r, c->G->order)];
        const ckda_status st = ckda_trans_set(&h->trans[x], t, h->K);
        ckda_require(st == CKDA_OK, "one step");
        if (chance(r, 10))
            ckda_elem_zero(h->trans[x].gate + ckda_rand_below(r, (uint64_t)h->n), h->K);
    }
}

void
partd_head_random(partd_head *h, partd_source *s, partd_family family)
{
    ckda_rand *r = &s->rand;
    static void (*const draw[PARTD_FAMILIES])(partd_head *, uint32_t, ckda_rand *) = {
        [PARTD_MONOMIAL] = draw_monomial,
        [PARTD_HALF] = draw_half,
        [PARTD_NILPOTENT] = draw_nilpotent,
        [PARTD_MERGE] = draw_merge};
    if (family == PARTD_PLANAR)
        planar_head(h, s);
    else if (family == PARTD_GROUPS)
        group_head(h, s);
    else {
        const slong low = family == PARTD_HALF || family == PARTD_NILPOTENT ? 3 : 2;
        partd_head_init(h, family == PARTD_HALF ? 4 : (slong)ckda_rand_range(r, low, 5),
                        draw_nletters(r), s->Q);
        for (uint32_t x = 0; x < h->nletters; x++)
            draw[family](h, x, r);
    }
    draw_initial(h, r);
    partd_head_ready(h);
}
