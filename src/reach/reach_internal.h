/* Shared by the files of this room only. */
#ifndef CKDA_REACH_INTERNAL_H
#define CKDA_REACH_INTERNAL_H
#include "ckda/matmod.h"
#include "ckda/reach.h"

/* ---- images of a system modulo k primes (images.c) -------------------------------- */

typedef struct {
    uint32_t nprimes, given; /* given: the one prime that was asked for, or 0 */
    ckda_modulus *mod;
    slong n, m;
    uint32_t nletters;
    size_t words;      /* k n m: a state is this many uint32, prime by prime */
    uint32_t *initial; /* words */
    uint32_t *linear;  /* [prime][letter][n n] */
    uint32_t *offset;  /* [prime][letter][n m], or NULL */
} images;

/* Primes number 0 .. nprimes-1 of K, or the one given prime if p != 0. */
CKDA_MUST_CHECK ckda_status images_init(images *im, const ckda_system_t sys,
                                        uint32_t nprimes, uint32_t p);
void images_clear(images *im);
/* to = T_x(from); they must not overlap. */
void images_step(uint32_t *to, const images *im, uint32_t x, const uint32_t *from);
/* Product of the primes. */
void images_product(fmpz_t product, const images *im);
bool images_has_shape(const ckda_system_t sys);

/* The search, in search_internal.h. */
typedef struct search search;

/* ---- certificates (bound.c, exact.c, infinite.c) ----------------------------------- */

/* Denominator and bound of all conjugates of the states of words up to some length. */
typedef struct {
    fmpz_t den;
    fmpq_t bound;
} word_height;
void word_height_init(word_height *h);
void word_height_clear(word_height *h);

/* What does not depend on the length, computed once for a system.  With orthogonal
 * letters over a totally real field a letter keeps the 2-norm of every column in every
 * embedding: norm = 1.  Otherwise two operator norms bound its growth, the largest row
 * sum (acting on the largest entry) and the largest column sum (acting on column sums),
 * and the better one is taken for each length.  If the letters preserve a positive form,
 * that is a third way, again with norm = 1. */
typedef struct {
    fmpz_t den_linear, den_start; /* of the letters; of start and offsets */
    bool orthogonal;
    int count;                           /* norms in use: 1 to 3 */
    fmpq_t norm[3], start[3], offset[3]; /* norm >= 1 */
} system_height;
/* Q: symmetric, positive definite in every embedding, A^T Q A = Q for the linear part of
 * every letter (form.c).  True: Q is initialised here.  False: none was found. */
bool invariant_form(ckda_mat_t Q, const ckda_system_t sys);
/* Do integer letters keep a norm, without offsets?  Then there are finitely many states:
 * denominators and conjugates are bounded for words of all lengths. */
bool bounded_for_all(const system_height *sh, const ckda_system_t sys);
/* A prime of one or two bytes that is enough for words of all lengths, or 0: there is such
 * a prime only where there is such a bound. */
uint32_t small_prime(const system_height *sh, const ckda_system_t sys);
/* Are all of them orthogonal in every embedding?  Then 1 bounds every entry. */
bool all_orthogonal(const ckda_mat_struct *A, uint32_t count, const ckda_field_t K);
void system_height_init(system_height *sh, const ckda_system_t sys);
void system_height_clear(system_height *sh);
/* CKDA_E_UNABLE for a length at which the numbers would be useless: far beyond what
 * CKDA_REACH_MAX_PRIMES primes can tell apart. */
CKDA_MUST_CHECK ckda_status word_height_of(word_height *h, const system_height *sh,
                                           uint64_t length);
/* "D = 16, B = 1, degree 2, p = 2147483629 > (2BD)^d = 1024", the comparison as it is;
 * flint_malloc'ed. */
char *height_text(const word_height *h, const images *im, const ckda_field_t K);
/* Is the product of the primes beyond (2BD)^d?  If not, *more is how many to try next
 * (above CKDA_REACH_MAX_PRIMES: hopeless). */
bool height_suffices(uint32_t *more, const word_height *h, const images *im,
                     const ckda_field_t K);
/* D of the entries in the basis 1, a, ...; den = lcm(den, D). */
void raise_denominator(fmpz_t den, const ckda_mat_t A, const ckda_field_t K);

/* Recomputes every edge over K; needs parent, via, next.  CKDA_UNKNOWN: too much, or out
 * of time. */
ckda_truth exact_edges(const search *s, const ckda_system_t sys, double deadline);
/* S = T_x(S) over K. */
void exact_step(ckda_mat_t S, const ckda_system_t sys, uint32_t x);

/* Looks for a word whose powers never repeat a state, in the rounds *round to end - 1, each
 * with twice the words of the one before; the first one, 0, does not heed the deadline.
 * *round: the next one.  pump is left alone if none was found. */
bool find_pump(ckda_pump *pump, uint32_t *round, uint32_t end, const images *searched,
               const ckda_system_t sys, double deadline);
void pump_clear(ckda_pump *pump);

/* As ckda_reach_run with one given prime and no other: for tests of the bound. */
CKDA_MUST_CHECK ckda_status ckda_reach_run_modulo(ckda_reach_t r, const ckda_system_t sys,
                                                  const ckda_limits *limits,
                                                  unsigned flags, uint32_t p,
                                                  ckda_error *err);
/* As ckda_reach_run starting with nprimes primes. */
CKDA_MUST_CHECK ckda_status ckda_reach_run_from(ckda_reach_t r, const ckda_system_t sys,
                                                const ckda_limits *limits, unsigned flags,
                                                uint32_t nprimes, ckda_error *err);

#endif
