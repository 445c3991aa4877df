/* Groups for the tests, as permutations, from multiplications written down here. */
#ifndef TEST_REALIZE_GROUPS_H
#define TEST_REALIZE_GROUPS_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ckda/realize.h"

static inline int
finish(void **state)
{
    (void)state;
    flint_cleanup();
    mpfr_free_cache();
    return 0;
}

static inline void
generated(ckda_group_t G, const char *name, const ckda_perm *gens, uint32_t n)
{
    ckda_error err;
    if (ckda_group_init_generated(G, name, gens, NULL, n, 50000, &err) != CKDA_OK)
        fail_msg("%s: %s", name, err.text);
}

static inline void
named(ckda_group_t G, const char *name)
{
    ckda_error err;
    if (ckda_group_init_named(G, name, &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

static inline void
cycles(ckda_group_t G, int degree, const char *a, const char *b)
{
    ckda_perm p[2];
    ckda_error err;
    if (ckda_perm_parse(&p[0], degree, a, &err) != CKDA_OK
        || ckda_perm_parse(&p[1], degree, b, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    generated(G, "cycles", p, 2);
}

/* The product of two groups, on their points side by side. */
static inline void
product(ckda_group_t G, const char *left, const char *right)
{
    ckda_group_t A, B;
    ckda_perm gens[16];
    uint32_t n = 0;
    named(A, left);
    named(B, right);
    const int degree = A->degree + B->degree;
    for (uint32_t j = 0; j < A->ngen; j++) {
        ckda_perm_one(&gens[n], degree);
        for (int i = 0; i < A->degree; i++)
            gens[n].image[i] = A->element[A->generator[j]].image[i];
        n++;
    }
    for (uint32_t j = 0; j < B->ngen; j++) {
        ckda_perm_one(&gens[n], degree);
        for (int i = 0; i < B->degree; i++)
            gens[n].image[A->degree + i] =
                (uint8_t)(A->degree + B->element[B->generator[j]].image[i]);
        n++;
    }
    generated(G, "product", gens, n);
    ckda_group_clear(A);
    ckda_group_clear(B);
}

/* Z_2^k, as k transpositions. */
static inline void
elementary(ckda_group_t G, int p, int k)
{
    ckda_perm gens[8];
    for (int j = 0; j < k; j++) {
        ckda_perm_one(&gens[j], p * k);
        for (int i = 0; i < p; i++)
            gens[j].image[p * j + i] = (uint8_t)(p * j + (i + 1) % p);
    }
    generated(G, "elementary", gens, (uint32_t)k);
}

/* Z_n with Z_k acting by x -> u x: (a, b)(c, d) = (a + u^b c, b + d).  u^k = 1 mod n; twist:
 * the k-th power of (0, 1) is (twist, 0) instead of 1.  Regular permutations. */
static inline void
metacyclic(ckda_group_t G, int n, int k, int u, int twist)
{
    ckda_perm gens[2];
    for (int g = 0; g < 2; g++)
        ckda_perm_one(&gens[g], n * k);
    for (int c = 0; c < n; c++)
        for (int d = 0; d < k; d++) {
            const int at = c * k + d, wrap = d + 1 == k ? twist : 0;
            gens[0].image[at] = (uint8_t)((c + 1) % n * k + d);
            gens[1].image[at] = (uint8_t)((u * c + wrap) % n * k + (d + 1) % k);
        }
    generated(G, "metacyclic", gens, 2);
}

/* Dic_m = <a, x | a^2m = 1, x^2 = a^m, x a x^-1 = a^-1>. */
static inline void
dicyclic(ckda_group_t G, int m)
{
    metacyclic(G, 2 * m, 2, 2 * m - 1, m);
}

/* Matrices over F_p, p <= 7, acting on the p^2 - 1 nonzero vectors of F_p^2. */
static inline void
matrices2(ckda_group_t G, int p, const int (*M)[4], uint32_t count)
{
    ckda_perm gens[4];
    for (uint32_t j = 0; j < count; j++) {
        ckda_perm_one(&gens[j], p * p - 1);
        for (int v = 1; v < p * p; v++) {
            const int x = v / p, y = v % p;
            const int w =
                (M[j][0] * x + M[j][1] * y) % p * p + (M[j][2] * x + M[j][3] * y) % p;
            gens[j].image[v - 1] = (uint8_t)(w - 1);
        }
    }
    generated(G, "matrices", gens, count);
}

static inline void
special_linear(ckda_group_t G, int p)
{
    const int M[2][4] = {{1, 1, 0, 1}, {1, 0, 1, 1}};
    matrices2(G, p, M, 2);
}

/* x -> x + 1 and x -> -1/x on the projective line over F_p. */
static inline void
projective(ckda_group_t G, int p)
{
    ckda_perm gens[2];
    for (int j = 0; j < 2; j++)
        ckda_perm_one(&gens[j], p + 1);
    for (int x = 0; x < p; x++) {
        gens[0].image[x] = (uint8_t)((x + 1) % p);
        for (int y = 0; y < p; y++)
            if ((x * y + 1) % p == 0)
                gens[1].image[x] = (uint8_t)y;
    }
    gens[1].image[0] = (uint8_t)p;
    gens[1].image[p] = 0;
    generated(G, "projective", gens, 2);
}

/* x -> x + 1 and x -> u x on F_p. */
static inline void
affine(ckda_group_t G, int p, int u)
{
    ckda_perm gens[2];
    for (int j = 0; j < 2; j++)
        ckda_perm_one(&gens[j], p);
    for (int x = 0; x < p; x++) {
        gens[0].image[x] = (uint8_t)((x + 1) % p);
        gens[1].image[x] = (uint8_t)(u * x % p);
    }
    generated(G, "affine", gens, 2);
}

#endif
