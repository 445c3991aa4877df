/* The exact states that words reach: closed under the letters, found by search. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "words.h"

enum { LIMIT = 20000, SLOTS = 65536 }; /* SLOTS: a power of two, well above LIMIT */

static uint32_t
slot_of(const icosian_mat *m)
{
    uint64_t h = UINT64_C(1469598103934665603);
    for (int i = 0; i < 16; i++) {
        h = (h ^ (uint32_t)m->e[i].a) * UINT64_C(1099511628211);
        h = (h ^ (uint32_t)m->e[i].b) * UINT64_C(1099511628211);
    }
    return (uint32_t)(h >> 32) % SLOTS;
}

/* Index of m in list, or `count` after putting it there. */
static uint32_t
find_or_add(icosian_mat *list, uint32_t *slot, uint32_t count, const icosian_mat *m)
{
    uint32_t s = slot_of(m);
    for (; slot[s] != 0; s = (s + 1) % SLOTS)
        if (memcmp(&list[slot[s] - 1], m, sizeof *m) == 0)
            return slot[s] - 1;
    list[count] = *m;
    slot[s] = count + 1;
    return count;
}

/* Number of states, 0 past the limit or when a product is no icosian matrix. */
static uint32_t
search(icosian_mat *list, const word_tables *g)
{
    uint32_t *slot = fresh(SLOTS, sizeof *slot), count = 1;
    icosian_mat m;
    icosian_one(&m);
    (void)find_or_add(list, slot, 0, &m);
    for (uint32_t i = 0; i < count && count > 0; i++)
        for (uint32_t l = 0; l < g->n; l++) {
            if (!icosian_mul(&m, &g->mat[l], &list[i])) {
                count = 0;
                break;
            }
            if (find_or_add(list, slot, count, &m) == count && ++count == LIMIT) {
                count = 0;
                break;
            }
        }
    free(slot);
    return count;
}

void
states_open(exact_states *s, const word_tables *g)
{
    icosian_mat *list = fresh(LIMIT + 1, sizeof *list);
    *s = (exact_states){.count = search(list, g), .gap = DBL_MAX};
    s->element = fresh(s->count, sizeof *s->element);
    s->value = fresh(16 * ((size_t)s->count + EXACT_GROUP), sizeof *s->value);
    for (uint32_t i = 0; i < s->count; i++) {
        icosian_rot f;
        double d2 = 0;
        s->element[i] = icosian_readout(&f, &list[i]) ? tables_find(g, &f) : g->n;
        for (uint32_t j = 0; j < 16; j++) {
            const double x = half_phi_double(list[i].e[j]), d = x - (j % 5 == 0);
            s->value[16 * (i - i % EXACT_GROUP) + EXACT_GROUP * j + i % EXACT_GROUP] = x;
            d2 += d * d;
        }
        /* the states form a group of orthogonal matrices: distances from I suffice */
        if (s->element[i] != g->identity)
            s->gap = fmin(s->gap, sqrt(d2));
    }
    free(list);
}

void
states_clear(exact_states *s)
{
    free(s->element);
    free(s->value);
    *s = (exact_states){0};
}
