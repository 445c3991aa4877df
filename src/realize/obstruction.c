/* Commutators that no tracker allows [source: Thm 22, Lemma 23, fact b.F5]. */
#include "realize_internal.h"

#include <string.h>

/* What is asked of an element of order p^a; k = e = 0: nothing. */
typedef struct {
    uint32_t p, k, e;
    const char *source;
} rule;

static rule
tenth_power(uint32_t p)
{
    return p == 5 ? (rule){5, 1, 10, "Theorem 22"} : (rule){0};
}

static rule
commuting(uint32_t p)
{
    const uint32_t k = p == 2 ? 8 : p == 3 ? 3 : p == 5 ? 5 : 1;
    return (rule){p, k, 1, "fact b.F5"};
}

/* The prime of which n > 1 is a power, or 0. */
static uint32_t
prime_of(uint64_t n)
{
    uint64_t p = 2;
    while (n % p != 0)
        p++;
    while (n % p == 0)
        n /= p;
    return n == 1 ? (uint32_t)p : 0;
}

typedef struct {
    uint32_t *queue, *by; /* conjugates, and an element h that leads to each */
    uint32_t *seen;       /* == stamp: the conjugate has been met */
    uint32_t stamp;
} walk;

/* Looks at [w, y] for all conjugates y = h w h^-1. */
static bool
violates(ckda_obstruction *o, uint32_t w, uint32_t e, const ckda_group_t G, walk *t)
{
    uint32_t tail = 0;
    t->stamp++;
    t->queue[tail] = w;
    t->by[tail++] = 0;
    t->seen[w] = t->stamp;
    for (uint32_t i = 0; i < tail; i++) {
        const uint32_t y = t->queue[i];
        const uint32_t z =
            ckda_group_mul(G, ckda_group_mul(G, w, y),
                           ckda_group_mul(G, ckda_group_inv(G, w), ckda_group_inv(G, y)));
        if (ckda_group_pow(G, z, e) != 0) {
            o->power = w;
            o->h = t->by[i];
            o->conjugate = y;
            o->commutator = z;
            o->order_commutator = ckda_group_element_order(G, z);
            return true;
        }
        for (uint32_t j = 0; j < G->ngen; j++) {
            const uint32_t x = G->generator[j];
            const uint32_t next =
                ckda_group_mul(G, x, ckda_group_mul(G, y, ckda_group_inv(G, x)));
            if (t->seen[next] == t->stamp)
                continue;
            t->seen[next] = t->stamp;
            t->queue[tail] = next;
            t->by[tail++] = ckda_group_mul(G, x, t->by[i]);
        }
    }
    return false;
}

static bool
search(ckda_obstruction *o, rule (*ask)(uint32_t p), const ckda_group_t G,
       const uint32_t *first, uint32_t count, walk *t)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t order = ckda_group_element_order(G, first[i]);
        const uint32_t p = order > 1 ? prime_of(order) : 0;
        const rule a = p > 0 ? ask(p) : (rule){0};
        const uint32_t w = ckda_group_pow(G, first[i], a.k);
        if (a.p == 0 || w == 0 || !violates(o, w, a.e, G, t))
            continue;
        o->source = a.source;
        o->p = a.p;
        o->k = a.k;
        o->e = a.e;
        o->g = first[i];
        o->order_g = order;
        return true;
    }
    return false;
}

/* The first of each class stands for all of it: conjugation maps violations to violations.
 */
bool
ckda_obstruction_find(ckda_obstruction *o, const ckda_group_t G, const uint32_t *letters,
                      uint32_t nletters)
{
    const size_t size = G->order * sizeof(uint32_t);
    uint32_t *class_of = flint_malloc(size), *first = flint_malloc(size);
    walk t = {flint_malloc(size), flint_malloc(size),
              flint_calloc(G->order, sizeof(uint32_t)), 0};
    const uint32_t classes = ckda_group_classes(class_of, first, G);
    const uint32_t *list = letters != NULL ? letters : first;
    const uint32_t count = letters != NULL ? nletters : classes;
    const bool found = search(o, tenth_power, G, list, count, &t)
                       || search(o, commuting, G, list, count, &t);
    flint_free(t.seen);
    flint_free(t.by);
    flint_free(t.queue);
    flint_free(first);
    flint_free(class_of);
    if (found)
        ckda_require(ckda_obstruction_check(o, G), "%s: element %u", G->name, o->g);
    return found;
}

/* ---- the same from the permutations ------------------------------------------------ */

static void
power_of(ckda_perm *p, const ckda_perm *g, uint32_t k)
{
    ckda_perm_one(p, g->n);
    for (uint32_t i = 0; i < k; i++)
        ckda_perm_mul(p, p, g);
}

bool
ckda_obstruction_check(const ckda_obstruction *o, const ckda_group_t G)
{
    const ckda_perm *g = &G->element[o->g], *h = &G->element[o->h];
    const uint64_t order = ckda_perm_order(g);
    if (order < 2 || prime_of(order) != o->p)
        return false;
    const rule a = commuting(o->p), b = tenth_power(o->p);
    if ((o->k != a.k || o->e != a.e) && (b.p == 0 || o->k != b.k || o->e != b.e))
        return false;
    ckda_perm w, y, z, back;
    power_of(&w, g, o->k);
    ckda_perm_inv(&back, h);
    ckda_perm_mul(&y, &w, &back);
    ckda_perm_mul(&y, h, &y);
    if (!ckda_perm_equal(&w, &G->element[o->power])
        || !ckda_perm_equal(&y, &G->element[o->conjugate]))
        return false;
    ckda_perm_mul(&z, &w, &y);
    ckda_perm_inv(&back, &w);
    ckda_perm_mul(&z, &z, &back);
    ckda_perm_inv(&back, &y);
    ckda_perm_mul(&z, &z, &back);
    if (!ckda_perm_equal(&z, &G->element[o->commutator])
        || ckda_perm_order(&z) != o->order_commutator)
        return false;
    return o->e % ckda_perm_order(&z) != 0;
}
