/* Sets of exact vectors, and reflections of them. */
#include "chunk_int.h"

void
chunk_set_init(chunk_set *s, slong n, const ckda_field_t K)
{
    *s = (chunk_set){.K = K, .n = n};
}

void
chunk_set_clear(chunk_set *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        ckda_mat_clear(s->at + i, s->K);
    flint_free(s->at);
    flint_free(s->bucket);
    memset(s, 0, sizeof *s);
}

static void
put(chunk_set *s, uint64_t hash, uint32_t index)
{
    uint32_t i = (uint32_t)hash & s->mask;
    while (s->bucket[i] != 0)
        i = (i + 1) & s->mask;
    s->bucket[i] = index + 1;
}

/* Room for one more at load 1/2 at most. */
static void
grow(chunk_set *s)
{
    if (s->count < s->alloc)
        return;
    s->alloc = s->alloc > 0 ? 2 * s->alloc : 64;
    s->mask = 2 * s->alloc - 1;
    s->at = flint_realloc(s->at, s->alloc * sizeof *s->at);
    flint_free(s->bucket);
    s->bucket = flint_calloc((size_t)s->mask + 1, sizeof *s->bucket);
    for (uint32_t i = 0; i < s->count; i++)
        put(s, ckda_mat_hash(s->at + i, s->K), i);
}

int64_t
chunk_set_find(const chunk_set *s, const ckda_mat_t v)
{
    if (s->count == 0)
        return -1;
    uint32_t i = (uint32_t)ckda_mat_hash(v, s->K) & s->mask;
    for (; s->bucket[i] != 0; i = (i + 1) & s->mask)
        if (ckda_mat_equal(NULL, s->at + (s->bucket[i] - 1), v, s->K))
            return s->bucket[i] - 1;
    return -1;
}

uint32_t
chunk_set_add(chunk_set *s, const ckda_mat_t v)
{
    const int64_t known = chunk_set_find(s, v);
    if (known >= 0)
        return (uint32_t)known;
    grow(s);
    put(s, ckda_mat_hash(v, s->K), s->count);
    ckda_mat_init_set(s->at + s->count, v, s->K);
    return s->count++;
}

static const ckda_elem_struct *
pivot(const ckda_mat_t v, const ckda_field_t K)
{
    slong i = 0;
    while (i < v->rows && ckda_elem_is_zero(&v->entry[i], K))
        i++;
    ckda_require(i < v->rows, "a vector of length 0");
    return &v->entry[i];
}

void
chunk_projective(ckda_mat_t v, const ckda_field_t K)
{
    ckda_elem_t inverse;
    ckda_elem_init(inverse, K);
    const ckda_status st = ckda_elem_inv(inverse, pivot(v, K), K);
    ckda_require(st == CKDA_OK, "the pivot is not 0");
    for (slong i = 0; i < v->rows; i++)
        ckda_elem_mul(&v->entry[i], &v->entry[i], inverse, K);
    ckda_elem_clear(inverse, K);
}

bool
chunk_canonical_sign(ckda_mat_t v, const ckda_field_t K)
{
    if (ckda_elem_sgn(pivot(v, K), K) > 0)
        return false;
    for (slong i = 0; i < v->rows; i++)
        ckda_elem_neg(&v->entry[i], &v->entry[i], K);
    return true;
}

static void
dot(ckda_elem_t s, const ckda_mat_t v, const ckda_mat_t w, const ckda_field_t K)
{
    ckda_elem_zero(s, K);
    for (slong i = 0; i < v->rows; i++)
        ckda_elem_addmul(s, &v->entry[i], &w->entry[i], K);
}

void
chunk_reflect(ckda_mat_t u, const ckda_mat_t w, const ckda_mat_t v, const ckda_field_t K)
{
    ckda_elem_t factor, norm;
    ckda_elem_init(factor, K);
    ckda_elem_init(norm, K);
    dot(factor, w, v, K);
    dot(norm, w, w, K);
    const ckda_status st = ckda_elem_div(factor, factor, norm, K);
    ckda_require(st == CKDA_OK, "a key of length 0");
    ckda_elem_mul_si(factor, factor, 2, K);
    for (slong i = 0; i < v->rows; i++) {
        ckda_elem_set(&u->entry[i], &v->entry[i], K);
        ckda_elem_submul(&u->entry[i], factor, &w->entry[i], K);
    }
    ckda_elem_clear(norm, K);
    ckda_elem_clear(factor, K);
}

void
chunk_doubles(double *out, const ckda_mat_t w, bool unit, const ckda_field_t K)
{
    const slong prec = 160;
    ckda_elem_t norm;
    arb_t x, s;
    ckda_elem_init(norm, K);
    arb_init(x);
    arb_init(s);
    dot(norm, w, w, K);
    ckda_elem_get_arb(s, norm, K, prec);
    arb_sqrt(s, s, prec);
    for (slong i = 0; i < w->rows; i++) {
        ckda_elem_get_arb(x, &w->entry[i], K, prec);
        if (unit)
            arb_div(x, x, s, prec);
        ckda_require(arb_rel_accuracy_bits(x) > 80 || arb_is_zero(x),
                     "the enclosure is too wide");
        out[i] = arf_get_d(arb_midref(x), ARF_RND_NEAR);
    }
    arb_clear(s);
    arb_clear(x);
    ckda_elem_clear(norm, K);
}
