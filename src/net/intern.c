/* Open addressing; a hash only says where to look, equality is always exact. */
#include "intern.h"

void
net_intern_init(net_intern *t, const ckda_field_t K)
{
    *t = (net_intern){.K = K, .mask = 15, .bucket = flint_calloc(16, sizeof(uint32_t))};
}

void
net_intern_clear(net_intern *t)
{
    for (uint32_t i = 0; i < t->count; i++) {
        ckda_mat_clear(t->item[i], t->K);
        flint_free(t->item[i]);
    }
    flint_free(t->item);
    flint_free(t->hash);
    flint_free(t->bucket);
}

static void
grow_intern(net_intern *t)
{
    if (t->count == t->room) {
        t->room = t->room == 0 ? 16 : 2 * t->room;
        t->item = flint_realloc(t->item, t->room * sizeof *t->item);
        t->hash = flint_realloc(t->hash, t->room * sizeof *t->hash);
    }
    if (2 * (uint64_t)t->count < t->mask)
        return;
    flint_free(t->bucket);
    t->mask = 2 * t->mask + 1;
    t->bucket = flint_calloc((size_t)t->mask + 1, sizeof *t->bucket);
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t at = (uint32_t)t->hash[i] & t->mask;
        while (t->bucket[at] != 0)
            at = (at + 1) & t->mask;
        t->bucket[at] = i + 1;
    }
}

uint32_t
net_intern_add(net_intern *t, const ckda_mat_t A)
{
    const uint64_t hash = ckda_mat_hash(A, t->K);
    grow_intern(t);
    uint32_t at = (uint32_t)hash & t->mask;
    for (; t->bucket[at] != 0; at = (at + 1) & t->mask) {
        const uint32_t i = t->bucket[at] - 1;
        if (t->hash[i] == hash && ckda_mat_equal(NULL, t->item[i], A, t->K))
            return i;
    }
    ckda_require(t->count < UINT32_MAX - 1, "too many matrices");
    t->item[t->count] = flint_malloc(sizeof(ckda_mat_struct));
    ckda_mat_init_set(t->item[t->count], A, t->K);
    t->hash[t->count] = hash;
    t->bucket[at] = ++t->count;
    t->bytes += 64
                + (uint64_t)(A->rows * A->cols)
                      * (sizeof(ckda_elem_struct)
                         + (t->K->degree > 2 ? 8 * (uint64_t)t->K->degree : 0));
    return t->count - 1;
}

/* ---- tuples ----------------------------------------------------------------------- */

void
net_tuples_init(net_tuples *t, uint32_t width)
{
    ckda_require(width >= 1 && width <= TUPLE, "tuples of %u numbers", width);
    *t = (net_tuples){
        .width = width, .mask = 15, .bucket = flint_calloc(16, sizeof(uint32_t))};
}

void
net_tuples_clear(net_tuples *t)
{
    flint_free(t->key);
    flint_free(t->bucket);
}

static uint32_t
hash_tuple(const uint32_t *key, uint32_t width)
{
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t i = 0; i < width; i++) {
        h ^= key[i];
        h *= UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
    }
    return (uint32_t)h;
}

static void
grow_tuples(net_tuples *t)
{
    if (t->count == t->room) {
        t->room = t->room == 0 ? 16 : 2 * t->room;
        t->key = flint_realloc(t->key, (size_t)t->room * t->width * sizeof *t->key);
    }
    if (2 * (uint64_t)t->count < t->mask)
        return;
    flint_free(t->bucket);
    t->mask = 2 * t->mask + 1;
    t->bucket = flint_calloc((size_t)t->mask + 1, sizeof *t->bucket);
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t at = hash_tuple(t->key + (size_t)i * t->width, t->width) & t->mask;
        while (t->bucket[at] != 0)
            at = (at + 1) & t->mask;
        t->bucket[at] = i + 1;
    }
}

static inline bool
same_tuple(const uint32_t *a, const uint32_t *b, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

/* The bucket of the tuple, or the empty one where it would stand. */
static uint32_t
bucket_of(const net_tuples *t, const uint32_t *key)
{
    uint32_t at = hash_tuple(key, t->width) & t->mask;
    for (; t->bucket[at] != 0; at = (at + 1) & t->mask) {
        const uint32_t i = t->bucket[at] - 1;
        if (same_tuple(t->key + (size_t)i * t->width, key, t->width))
            break;
    }
    return at;
}

int64_t
net_tuples_find(const net_tuples *t, const uint32_t *key)
{
    return (int64_t)t->bucket[bucket_of(t, key)] - 1;
}

uint32_t
net_tuples_add(bool *added, net_tuples *t, const uint32_t *key)
{
    grow_tuples(t);
    const uint32_t at = bucket_of(t, key);
    *added = t->bucket[at] == 0;
    if (!*added)
        return t->bucket[at] - 1;
    ckda_require(t->count < UINT32_MAX - 1, "too many tuples");
    memcpy(t->key + (size_t)t->count * t->width, key, t->width * sizeof *key);
    t->bucket[at] = ++t->count;
    return t->count - 1;
}

uint64_t
net_tuples_bytes(const net_tuples *t)
{
    return (uint64_t)t->room * t->width * 4 + ((uint64_t)t->mask + 1) * 4;
}
