/* Nodes of the search: arrays in order of discovery, and a table of their indices. */
#include "allwords_internal.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

void *
allwords_memory(size_t size)
{
    void *p = malloc(size > 0 ? size : 1);
    ckda_require_memory(p != NULL);
    return p;
}

void
allwords_nodes_init(nodes *s, size_t bytes, bool pairs, bool numbered,
                    uint64_t max_states, uint64_t max_bytes)
{
    *s =
        (nodes){.bytes = bytes, .pairs = pairs, .numbered = numbered, .max = NO_NODE - 1};
    if (max_states > 0 && max_states < s->max)
        s->max = (uint32_t)max_states;
    s->max_size = max_bytes;
}

void
allwords_nodes_clear(nodes *s)
{
    free(s->bits);
    free(s->exact);
    free(s->number);
    free(s->parent);
    free(s->via);
    free(s->slot);
    *s = (nodes){0};
}

uint64_t
allwords_nodes_hash(const nodes *s, const uint8_t *bits, uint32_t exact)
{
    return XXH3_64bits_withSeed(bits, s->bytes, s->pairs ? (XXH64_hash_t)exact + 1 : 0);
}

void
allwords_nodes_prefetch_slot(const nodes *s, uint64_t hash)
{
    if (s->slot != NULL)
        __builtin_prefetch(s->slot + (hash & s->mask));
}

void
allwords_nodes_prefetch_state(const nodes *s, uint64_t hash)
{
    if (s->slot == NULL)
        return;
    uint32_t i = s->slot[hash & s->mask];
    if (i == NO_NODE)
        return;
    __builtin_prefetch(s->bits + (size_t)i * s->bytes);
    __builtin_prefetch(s->exact + i);
}

uint32_t
allwords_nodes_find(const nodes *s, uint64_t hash, const uint8_t *bits, uint32_t exact)
{
    if (s->slot == NULL)
        return NO_NODE;
    for (uint64_t at = hash & s->mask;; at = (at + 1) & s->mask) {
        const uint32_t i = s->slot[at];
        if (i == NO_NODE)
            return NO_NODE;
        if (memcmp(s->bits + (size_t)i * s->bytes, bits, s->bytes) == 0
            && (!s->pairs || s->exact[i] == exact))
            return i;
    }
}

/* ---- growing ------------------------------------------------------------------------ */

static uint64_t
slots_for(uint32_t room)
{
    uint64_t slots = 64;
    while (slots < 2 * (uint64_t)room)
        slots *= 2;
    return slots;
}

static uint64_t
node_size(const nodes *s)
{
    return s->bytes + (s->numbered ? 3 : 2) * sizeof(uint32_t) + sizeof(uint16_t);
}

/* Bytes of everything for this room, the old table included while both exist. */
static uint64_t
size_for(const nodes *s, uint32_t room)
{
    const uint64_t slots = slots_for(room);
    const bool twice = s->slot != NULL && slots != s->mask + 1;
    return room * node_size(s)
           + sizeof(uint32_t) * (slots + (twice ? s->mask + 1 : (uint64_t)0));
}

static bool
grow_array(void **array, size_t bytes)
{
    void *more = realloc(*array, bytes);
    if (more != NULL)
        *array = more;
    return more != NULL;
}

static void
place(nodes *s, uint64_t hash, uint32_t node)
{
    uint64_t at = hash & s->mask;
    while (s->slot[at] != NO_NODE)
        at = (at + 1) & s->mask;
    s->slot[at] = node;
}

static bool
grow_table(nodes *s, uint64_t slots)
{
    if (s->slot != NULL && slots == s->mask + 1)
        return true;
    uint32_t *table = malloc(slots * sizeof *table);
    if (table == NULL)
        return false;
    memset(table, 0xff, slots * sizeof *table); /* NO_NODE everywhere */
    free(s->slot);
    s->slot = table;
    s->mask = slots - 1;
    for (uint32_t i = 0; i < s->count; i++)
        place(s, allwords_nodes_hash(s, s->bits + (size_t)i * s->bytes, s->exact[i]), i);
    return true;
}

static bool
grow_to(nodes *s, uint32_t room)
{
    if (!grow_array((void **)&s->bits, (size_t)room * s->bytes)
        || !grow_array((void **)&s->exact, (size_t)room * sizeof *s->exact)
        || (s->numbered
            && !grow_array((void **)&s->number, (size_t)room * sizeof *s->number))
        || !grow_array((void **)&s->parent, (size_t)room * sizeof *s->parent)
        || !grow_array((void **)&s->via, (size_t)room * sizeof *s->via)
        || !grow_table(s, slots_for(room)))
        return false;
    s->room = room;
    return true;
}

/* Half as much again, or what the limits leave. */
static bool
grow(nodes *s)
{
    if (s->count >= s->max) {
        s->limit = "states";
        return false;
    }
    uint64_t room = s->room + (uint64_t)(s->room / 2) + 1024;
    if (room > s->max)
        room = s->max;
    while (s->max_size > 0 && room > s->count
           && size_for(s, (uint32_t)room) > s->max_size)
        room = s->count + (room - s->count) / 2;
    if (room <= s->count || !grow_to(s, (uint32_t)room)) {
        s->limit = "memory";
        return false;
    }
    return true;
}

bool
allwords_nodes_reserve(nodes *s, uint32_t count)
{
    if (count > s->max)
        s->limit = "states";
    else if ((s->max_size > 0 && size_for(s, count) > s->max_size) || !grow_to(s, count))
        s->limit = "memory";
    return s->limit == NULL;
}

bool
allwords_nodes_index(nodes *s)
{
    memset(s->slot, 0xff, (s->mask + 1) * sizeof *s->slot);
    for (uint32_t i = 0; i < s->count; i++) {
        const uint8_t *bits = s->bits + (size_t)i * s->bytes;
        const uint64_t hash = allwords_nodes_hash(s, bits, s->exact[i]);
        if (allwords_nodes_find(s, hash, bits, s->exact[i]) != NO_NODE)
            return false;
        place(s, hash, i);
    }
    return true;
}

uint32_t
allwords_nodes_add(nodes *s, uint64_t hash, const uint8_t *bits, uint32_t exact,
                   uint32_t parent, uint16_t via)
{
    if (s->count == s->room && !grow(s))
        return NO_NODE;
    const uint32_t i = s->count++;
    memcpy(s->bits + (size_t)i * s->bytes, bits, s->bytes);
    s->exact[i] = exact;
    if (s->numbered)
        s->number[i] = NO_NODE;
    s->parent[i] = parent;
    s->via[i] = via;
    place(s, hash, i);
    return i;
}

/* The last node stands in the place that was free last, so no search for another one passes
 * by it. */
void
allwords_nodes_truncate(nodes *s, uint32_t count)
{
    while (s->count > count) {
        const uint32_t i = --s->count;
        const uint64_t hash =
            allwords_nodes_hash(s, s->bits + (size_t)i * s->bytes, s->exact[i]);
        uint64_t at = hash & s->mask;
        while (s->slot[at] != i)
            at = (at + 1) & s->mask;
        s->slot[at] = NO_NODE;
    }
}

uint32_t
allwords_nodes_from(const nodes *s, uint32_t number)
{
    uint32_t low = 0, high = s->count;
    if (!s->numbered)
        return number < high ? number : high;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (s->number[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
