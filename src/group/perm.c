/* Permutations as image lists. */
#include "group_internal.h"

#include <stdio.h>

void
ckda_perm_one(ckda_perm *p, int n)
{
    ckda_require(n >= 0 && n <= CKDA_PERM_MAX, "degree %d", n);
    p->n = n;
    for (int i = 0; i < n; i++)
        p->image[i] = (uint8_t)i;
}

void
ckda_perm_mul(ckda_perm *p, const ckda_perm *g, const ckda_perm *h)
{
    ckda_require(g->n == h->n, "degrees %d and %d", g->n, h->n);
    const int n = g->n;
    uint8_t t[CKDA_PERM_MAX];
    for (int i = 0; i < n; i++)
        t[i] = g->image[h->image[i]];
    p->n = n;
    memcpy(p->image, t, (size_t)n);
}

void
ckda_perm_inv(ckda_perm *p, const ckda_perm *g)
{
    const int n = g->n;
    uint8_t t[CKDA_PERM_MAX];
    for (int i = 0; i < n; i++)
        t[g->image[i]] = (uint8_t)i;
    p->n = n;
    memcpy(p->image, t, (size_t)n);
}

bool
ckda_perm_equal(const ckda_perm *g, const ckda_perm *h)
{
    return g->n == h->n && memcmp(g->image, h->image, (size_t)g->n) == 0;
}

/* Length of the cycle through start; marks its points. */
static int
walk_cycle(const ckda_perm *g, int start, bool *seen)
{
    int len = 0;
    for (int i = start; !seen[i]; i = g->image[i]) {
        seen[i] = true;
        len++;
    }
    return len;
}

static uint64_t
gcd_u64(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

/* Landau's function of 256 is below 10^16, so the product never overflows. */
uint64_t
ckda_perm_order(const ckda_perm *g)
{
    bool seen[CKDA_PERM_MAX] = {false};
    uint64_t order = 1;
    for (int i = 0; i < g->n; i++) {
        if (seen[i])
            continue;
        const uint64_t len = (uint64_t)walk_cycle(g, i, seen);
        order = order / gcd_u64(order, len) * len;
    }
    return order;
}

int
ckda_perm_cycles(const ckda_perm *g)
{
    bool seen[CKDA_PERM_MAX] = {false};
    int count = 0;
    for (int i = 0; i < g->n; i++)
        if (!seen[i]) {
            (void)walk_cycle(g, i, seen);
            count++;
        }
    return count;
}

int
ckda_perm_parity(const ckda_perm *g)
{
    return (g->n - ckda_perm_cycles(g)) & 1;
}

char *
ckda_perm_str(const ckda_perm *g)
{
    bool seen[CKDA_PERM_MAX] = {false};
    char *text = checked_alloc((size_t)g->n * 5 + 3, 1); /* "(", "256,", ")" at most */
    size_t at = 0;
    for (int i = 0; i < g->n; i++) {
        if (seen[i] || g->image[i] == i)
            continue;
        char sep = '(';
        for (int j = i; !seen[j]; j = g->image[j]) {
            seen[j] = true;
            at += (size_t)sprintf(text + at, "%c%d", sep, j + 1);
            sep = ',';
        }
        text[at++] = ')';
    }
    if (at == 0)
        memcpy(text, "()", 2);
    return text;
}
