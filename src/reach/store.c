/* The states that were found, in shards.
 *
 * A state belongs to the shard that the top bits of its hash name, whoever finds it, so
 * shards can be filled by different threads or on different machines.  A shard keeps its
 * states one behind the other in segments of about 16 KiB that never move, and finds them
 * again by open addressing on slots of 32 bits: a local index and a few bits of the hash.
 * Each shard's slots double on their own, so the memory held while a table grows is at
 * most a 64th part more.  With slots filled between 2/5 and 4/5 a state takes its own
 * bytes and 5 to 10 more.
 *
 * Records stand one behind the other without padding: a record whose state is a multiple of
 * four bytes long is aligned to four bytes.
 *
 * Equal means equal in every byte; the hash only says where to look. */
#include "search_internal.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { SEGMENT_BYTES = 16384, FIRST_STATES = 4, FIRST_SLOTS = 16 };

#define LOCAL_MASK ((UINT32_C(1) << STORE_LOCAL_BITS) - 1)

void
store_init(store *s, size_t bytes, bool label, bool number)
{
    *s = (store){.bytes = bytes,
                 .label = bytes,
                 .first_states = FIRST_STATES,
                 .first_slots = FIRST_SLOTS};
    s->number = bytes + (label ? sizeof(uint32_t) : 0);
    s->stride = s->number + (number ? sizeof(uint32_t) : 0);
    while (s->shift < 10 && (s->stride << (s->shift + 1)) <= SEGMENT_BYTES)
        s->shift++;
}

/* Shards get an eighth more or less than their share. */
void
store_expect(store *s, uint32_t states)
{
    const uint32_t most = states / STORE_SHARDS + states / (8 * STORE_SHARDS);
    while (s->first_states < most)
        s->first_states *= 2;
    while (4 * s->first_slots < 5 * most)
        s->first_slots *= 2;
}

void
store_clear(store *s)
{
    for (uint32_t k = 0; k < STORE_SHARDS; k++) {
        shard *d = s->shard + k;
        for (uint32_t i = 0; i < d->segments; i++)
            flint_free(d->segment[i]);
        flint_free(d->segment);
        flint_free(d->slot);
    }
    *s = (store){0};
}

uint64_t
store_hash(const store *s, const uint8_t *state)
{
    return XXH3_64bits(state, s->bytes);
}

/* ---- room ------------------------------------------------------------------------- */

static uint64_t
slots_for(const store *s, const shard *d, uint64_t count)
{
    uint64_t slots = d->slots;
    while (5 * count > 4 * slots)
        slots = slots == 0 ? s->first_slots : 2 * slots;
    return slots;
}

/* Room for states, in the first segment (which grows to its size) or in whole ones. */
static uint64_t
room_for(const store *s, const shard *d, uint64_t count)
{
    const uint64_t whole = UINT64_C(1) << s->shift;
    uint64_t room = d->room;
    if (room >= count)
        return room;
    if (count > whole)
        return (count + whole - 1) >> s->shift << s->shift;
    if (room == 0)
        room = s->first_states < whole ? s->first_states : whole;
    while (room < count)
        room *= 2;
    return room < whole ? room : whole;
}

static uint64_t
places_for(const store *s, const shard *d, uint64_t room)
{
    uint64_t places = d->places;
    while (places << s->shift < room)
        places = places == 0 ? 1 : 2 * places;
    return places;
}

uint64_t
store_growth(const store *s, uint32_t k, uint64_t more)
{
    const shard *d = s->shard + k;
    const uint64_t count = d->count + more, room = room_for(s, d, count);
    return (slots_for(s, d, count) - d->slots) * sizeof *d->slot
           + (room - d->room) * s->stride
           + (places_for(s, d, room) - d->places) * sizeof *d->segment;
}

static void
grow_states(store *s, shard *d)
{
    const uint64_t whole = UINT64_C(1) << s->shift;
    const uint64_t room = room_for(s, d, (uint64_t)d->count + 1);
    const uint64_t places = places_for(s, d, room);
    if (places > d->places)
        d->segment = flint_realloc(d->segment, places * sizeof *d->segment);
    if (room <= whole) {
        uint8_t *old = d->segments == 0 ? NULL : d->segment[0];
        d->segment[0] = flint_realloc(old, room * s->stride);
        d->segments = 1;
    } else {
        d->segment[d->segments++] = flint_malloc(whole * s->stride);
    }
    d->places = (uint32_t)places;
    d->room = (uint32_t)room;
}

static void
put_slot(uint32_t *slot, uint64_t slots, uint64_t hash, uint32_t local)
{
    uint64_t at = hash & (slots - 1);
    while (slot[at] != 0)
        at = (at + 1) & (slots - 1);
    slot[at] = (store_mark(hash) << STORE_LOCAL_BITS) | (local + 1);
}

static void
grow_slots(store *s, uint32_t k)
{
    shard *d = s->shard + k;
    const uint64_t slots = slots_for(s, d, (uint64_t)d->count + 1);
    uint32_t *slot = flint_calloc(slots, sizeof *slot);
    for (uint32_t i = 0; i < d->count; i++)
        put_slot(slot, slots, store_hash(s, store_at(s, k, i)), i);
    flint_free(d->slot);
    d->slot = slot;
    d->slots = slots;
}

uint64_t
store_bytes(const store *s)
{
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < STORE_SHARDS; k++) {
        const shard *d = s->shard + k;
        bytes += d->slots * sizeof *d->slot + (uint64_t)d->room * s->stride
                 + d->places * sizeof *d->segment;
    }
    return bytes;
}

/* ---- looking up --------------------------------------------------------------------- */

void
store_prefetch_slot(const store *s, uint64_t hash)
{
    const shard *d = s->shard + store_shard(hash);
    if (d->slots != 0)
        __builtin_prefetch(d->slot + (hash & (d->slots - 1)));
}

/* The first slots of the chain are looked through for the mark. */
void
store_prefetch_state(const store *s, uint64_t hash)
{
    enum { LOOK = 4 };
    const uint32_t k = store_shard(hash), mark = store_mark(hash);
    const shard *d = s->shard + k;
    for (uint64_t i = 0, at = hash; d->slots != 0 && i < LOOK; i++, at++) {
        const uint32_t entry = d->slot[at & (d->slots - 1)];
        if (entry == 0)
            return;
        if (entry >> STORE_LOCAL_BITS == mark) {
            const uint8_t *record = store_at(s, k, (entry & LOCAL_MASK) - 1);
            __builtin_prefetch(record);
            __builtin_prefetch(record + s->bytes - 1);
            return;
        }
    }
}

uint32_t
store_find(const store *s, const uint8_t *state, uint64_t hash)
{
    const uint32_t k = store_shard(hash), mark = store_mark(hash);
    const shard *d = s->shard + k;
    if (d->slots == 0)
        return STORE_NONE;
    for (uint64_t at = hash & (d->slots - 1); d->slot[at] != 0;
         at = (at + 1) & (d->slots - 1)) {
        const uint32_t entry = d->slot[at], local = (entry & LOCAL_MASK) - 1;
        if (entry >> STORE_LOCAL_BITS == mark
            && memcmp(store_at(s, k, local), state, s->bytes) == 0)
            return local;
    }
    return STORE_NONE;
}

uint32_t
store_add(store *s, const uint8_t *state, uint64_t hash)
{
    const uint32_t k = store_shard(hash);
    shard *d = s->shard + k;
    ckda_require(d->count < STORE_MOST_LOCAL, "a shard is full");
    if (5 * ((uint64_t)d->count + 1) > 4 * d->slots)
        grow_slots(s, k);
    if (d->count == d->room)
        grow_states(s, d);
    const uint32_t local = d->count++;
    memcpy(store_at(s, k, local), state, s->bytes);
    put_slot(d->slot, d->slots, hash, local);
    return local;
}
