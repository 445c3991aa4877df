/* Shortest words to states that are far away.  Where most products of letters are constant,
 * random words are too, while the words to far states are those that keep going.         */
#include "infinite_internal.h"

#include <string.h>

/* States modulo the prime, breadth-first, found again through their hash. */
typedef struct {
    size_t words, mask;
    uint32_t count;
    uint32_t *state, *parent, *via;
    uint32_t *bucket; /* index + 1, 0 = empty */
} tree;

static size_t
hash_of(const uint32_t *state, size_t words)
{
    uint64_t h = 0;
    for (size_t i = 0; i < words; i++) {
        h = (h ^ state[i]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    return (size_t)h;
}

/* The state behind the last one is taken in if it is new. */
static void
take_in(tree *r, uint32_t parent, uint32_t via)
{
    const uint32_t *new = r->state + r->count * r->words;
    size_t at = hash_of(new, r->words) & r->mask;
    for (; r->bucket[at] != 0; at = (at + 1) & r->mask) {
        const uint32_t *old = r->state + (r->bucket[at] - 1) * r->words;
        if (memcmp(old, new, r->words * sizeof *new) == 0)
            return;
    }
    r->parent[r->count] = parent;
    r->via[r->count] = via;
    r->bucket[at] = ++r->count;
}

static void
grow_tree(tree *r, pump_test *t, uint32_t nstates)
{
    affine f = affine_new(t);
    memcpy(r->state, t->state, r->words * sizeof *r->state);
    take_in(r, 0, 0);
    for (uint32_t i = 0; i < r->count && r->count < nstates; i++)
        for (uint32_t x = 0; x < t->im->nletters && r->count < nstates; x++) {
            uint32_t *to = r->state + r->count * r->words;
            memcpy(to, r->state + i * r->words, r->words * sizeof *to);
            affine_letter(f, t, x);
            affine_apply(to, f, t);
            take_in(r, i, x);
        }
    affine_free(f);
}

uint32_t
far_word(uint32_t *word, uint32_t most, pump_test *t, uint32_t nstates)
{
    tree r = {.words = (size_t)(t->n * t->m), .mask = 1};
    while (r.mask < 2 * (size_t)nstates)
        r.mask *= 2;
    r.bucket = flint_calloc(r.mask, sizeof *r.bucket);
    r.mask--;
    r.state = flint_malloc((nstates + 1) * r.words * sizeof *r.state);
    r.parent = flint_malloc((nstates + 1) * sizeof *r.parent);
    r.via = flint_malloc((nstates + 1) * sizeof *r.via);
    grow_tree(&r, t, nstates);
    uint32_t length = 0;
    if (r.count == nstates)
        for (uint32_t s = nstates - 1; s != 0 && length < most; s = r.parent[s])
            word[length++] = r.via[s];
    for (uint32_t i = 0; 2 * i + 1 < length; i++) { /* they came last letter first */
        const uint32_t x = word[i];
        word[i] = word[length - 1 - i];
        word[length - 1 - i] = x;
    }
    flint_free(r.bucket);
    flint_free(r.state);
    flint_free(r.parent);
    flint_free(r.via);
    return length;
}
