/* States of fixed size in one array, found through open addressing on 32-bit indices.
 *
 * No state has an allocation of its own.  Equal means equal in every word; the hash only
 * says where to look. */
#include "reach_internal.h"

#include <string.h>
#include <xxhash.h>

void
table_init(table *t, size_t words, uint64_t extra, const ckda_limits *limits)
{
    *t = (table){.words = words, .extra = extra};
    t->max_states = limits->max_states;
    t->max_bytes = limits->max_bytes;
    t->mask = 1023;
    t->bucket = flint_calloc(t->mask + 1, sizeof *t->bucket);
}

void
table_clear(table *t)
{
    flint_free(t->arena);
    flint_free(t->bucket);
    *t = (table){0};
}

static uint64_t
bytes_per_state(const table *t)
{
    return t->words * sizeof *t->arena + t->extra;
}

/* At most two thirds of the buckets are used; while they double both tables exist. */
static bool
grow_buckets(table *t)
{
    if (3 * ((uint64_t)t->count + 1) <= 2 * (t->mask + 1))
        return true;
    const uint64_t mask = 2 * t->mask + 1;
    const uint64_t both = (t->mask + 1 + mask + 1) * sizeof *t->bucket;
    if (t->max_bytes != 0 && both + t->alloc * bytes_per_state(t) > t->max_bytes) {
        t->limit = "memory";
        return false;
    }
    uint32_t *bucket = flint_calloc(mask + 1, sizeof *bucket);
    for (uint32_t i = 0; i < t->count; i++) {
        const uint32_t *state = t->arena + (size_t)i * t->words;
        uint64_t slot = XXH3_64bits(state, t->words * sizeof *state) & mask;
        while (bucket[slot] != 0)
            slot = (slot + 1) & mask;
        bucket[slot] = i + 1;
    }
    flint_free(t->bucket);
    t->bucket = bucket;
    t->mask = mask;
    return true;
}

static bool
grow_arena(table *t)
{
    if (t->count < t->alloc)
        return true;
    uint64_t alloc = t->alloc < 512 ? 1024 : t->alloc + t->alloc / 2;
    if (alloc > UINT32_MAX)
        alloc = UINT32_MAX;
    if (t->max_states != 0 && alloc > t->max_states)
        alloc = t->max_states;
    if (t->max_bytes != 0) {
        const uint64_t table_bytes = (t->mask + 1) * sizeof *t->bucket;
        const uint64_t room = t->max_bytes > table_bytes ? t->max_bytes - table_bytes : 0;
        if (alloc > room / bytes_per_state(t))
            alloc = room / bytes_per_state(t);
    }
    if (alloc <= t->count) {
        t->limit = "memory";
        return false;
    }
    t->arena = flint_realloc(t->arena, alloc * t->words * sizeof *t->arena);
    t->alloc = (uint32_t)alloc;
    return true;
}

uint64_t
table_hash(const table *t, const uint32_t *state)
{
    return XXH3_64bits(state, t->words * sizeof *state);
}

void
table_prefetch_bucket(const table *t, uint64_t hash)
{
    __builtin_prefetch(t->bucket + (hash & t->mask));
}

void
table_prefetch_state(const table *t, uint64_t hash)
{
    const uint32_t i = t->bucket[hash & t->mask];
    if (i != 0)
        __builtin_prefetch(t->arena + (size_t)(i - 1) * t->words);
}

/* The new state in its place, if the limits allow it. */
static uint32_t
append(table *t, const uint32_t *state, uint64_t hash)
{
    const bool too_many = t->max_states != 0 && t->count >= t->max_states;
    if (too_many || t->count == UINT32_MAX - 1) { /* indices have 32 bits */
        t->limit = "states";
        return TABLE_FULL;
    }
    if (!grow_arena(t) || !grow_buckets(t))
        return TABLE_FULL;
    memcpy(t->arena + (size_t)t->count * t->words, state, t->words * sizeof *state);
    uint64_t slot = hash & t->mask;
    while (t->bucket[slot] != 0)
        slot = (slot + 1) & t->mask;
    t->bucket[slot] = t->count + 1;
    return t->count++;
}

uint32_t
table_intern(table *t, bool *is_new, const uint32_t *state, uint64_t hash)
{
    const size_t size = t->words * sizeof *state;
    for (uint64_t slot = hash & t->mask; t->bucket[slot] != 0;
         slot = (slot + 1) & t->mask) {
        const uint32_t i = t->bucket[slot] - 1;
        if (memcmp(t->arena + (size_t)i * t->words, state, size) == 0) {
            *is_new = false;
            return i;
        }
    }
    *is_new = true;
    return append(t, state, hash);
}
