/* ckda/group.h -- permutations, finite permutation groups, words.  No matrices here.
 *
 * Permutations act on 0 .. n-1, on the left: (g h)(i) = g(h(i)); a word x_1 x_2 ... x_t is
 * read in time order, so its product is x_t ... x_2 x_1.                              */
#ifndef CKDA_GROUP_H
#define CKDA_GROUP_H
#include <stdbool.h>
#include <stdint.h>
#include "ckda/rand.h"
#include "ckda/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CKDA_PERM_MAX 64 /* largest degree */
typedef struct {
    int n;
    uint8_t image[CKDA_PERM_MAX];
} ckda_perm;

void ckda_perm_one(ckda_perm *p, int n);
void ckda_perm_mul(ckda_perm *p, const ckda_perm *g, const ckda_perm *h); /* p = g h */
void ckda_perm_inv(ckda_perm *p, const ckda_perm *g);
bool ckda_perm_equal(const ckda_perm *g, const ckda_perm *h);
int ckda_perm_order(const ckda_perm *g);
int ckda_perm_parity(const ckda_perm *g); /* 0 even, 1 odd */
int ckda_perm_cycles(const ckda_perm *g); /* number of cycles, fixed points included */
/* 1-based cycle products "(1,2)(3,4)", "()" or 0-based image lists "[1,2,0]".  n: degree;
 * CKDA_E_INPUT when a point exceeds it or repeats. */
CKDA_MUST_CHECK ckda_status ckda_perm_parse(ckda_perm *p, int n, const char *text,
                                            ckda_error *err);
/* 1-based disjoint cycles, "()" for the identity; free with free(). */
char *ckda_perm_str(const ckda_perm *g);

/* A group with all its elements listed; element 0 is the identity. */
typedef struct {
    char *name;
    int degree;
    uint32_t order;
    ckda_perm *element;   /* order */
    uint32_t *generator;  /* indices of the generators, ngen */
    char **genname;
    uint32_t ngen;
} ckda_group_struct;
typedef ckda_group_struct ckda_group_t[1];

/* The group generated; CKDA_E_UNABLE beyond max_order elements.  names may be NULL. */
CKDA_MUST_CHECK ckda_status ckda_group_init_generated(ckda_group_t G, const char *name,
                                                      const ckda_perm *gens,
                                                      const char *const *names, uint32_t ngens,
                                                      uint32_t max_order, ckda_error *err);
/* "Z5", "D4" (order 8), "S3", "A4", ...; CKDA_E_INPUT for an unknown name. */
CKDA_MUST_CHECK ckda_status ckda_group_init_named(ckda_group_t G, const char *name,
                                                  ckda_error *err);
void ckda_group_clear(ckda_group_t G);
/* Index of g, or -1. */
int64_t ckda_group_find(const ckda_group_t G, const ckda_perm *g);
uint32_t ckda_group_mul(const ckda_group_t G, uint32_t g, uint32_t h);
uint32_t ckda_group_inv(const ckda_group_t G, uint32_t g);

#ifdef __cplusplus
}
#endif
#endif
