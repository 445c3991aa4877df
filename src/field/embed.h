/* Roots of a polynomial in K; inside the field room only. */
#ifndef CKDA_FIELD_EMBED_H
#define CKDA_FIELD_EMBED_H
#include "internal.h"

/* A prime and the factors of f and h modulo it; head of embed.c for the names. */
typedef struct {
    ulong p;
    nmod_poly_factor_t f, h;
} embed_prime;

/* One way to choose the root modulo F_i: what it adds to b, and to the sum (times
 * 2^64/p^N, rounded down, modulo 2^64). */
typedef struct {
    fmpz_poly_struct part;
    uint64_t sum;
} embed_option;

typedef struct {
    embed_option *at;
    slong n;
} embed_options;

typedef struct {
    const ckda_field_struct *K;
    const fmpz_poly_struct *h;
    ulong p;
    slong N;
    fmpz_t modulus;        /* p^N */
    fmpz_poly_factor_t f;  /* the F_i modulo p^N */
    embed_options *choice; /* for each F_i */
} embed_lift;

/* How many roots of h has the field of p^degree elements? */
slong embed_count_roots(const embed_prime *L, slong degree);
/* Lifts the factors of f and, for each of them, the roots of h, far enough. */
void embed_lift_init(embed_lift *to, const embed_prime *L, const fmpz_poly_t h,
                     const ckda_field_t K);
void embed_lift_clear(embed_lift *to);

typedef enum { EMBED_FOUND, EMBED_NONE, EMBED_OPEN } embed_answer;

/* Is t the element that is looked for? */
typedef bool (*embed_accept_fn)(const ckda_elem_t t, const void *what);

/* Looks among the roots of h in K for one that `accept` takes; t becomes it.  h is monic
 * and irreducible, of degree >= 2.  EMBED_NONE is proved; EMBED_OPEN: the choices are too
 * many at all primes tried.  t keeps its value unless found. */
embed_answer embed_root(ckda_elem_t t, const fmpz_poly_t h, const ckda_field_t K,
                        embed_accept_fn accept, const void *what);

#endif
