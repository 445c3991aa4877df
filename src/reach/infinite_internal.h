/* Shared by infinite.c and infinite_*.c only. */
#ifndef CKDA_REACH_INFINITE_INTERNAL_H
#define CKDA_REACH_INFINITE_INTERNAL_H
#include "reach_internal.h"

/* The affine map S -> A S + B of a word modulo one prime; B is NULL where no letter has an
 * offset. */
typedef struct {
    uint32_t *A, *B; /* n n, n m */
} affine;

/* ---- infinite.c: do the powers of a word repeat? ------------------------------------ */

/* A system modulo one prime, with states whose columns, each with its column of the
 * identity below it if there are offsets, span those of all reachable states (modulo the
 * prime): if the powers of a word repeat from these states, they repeat from all. */
typedef struct {
    const images *im;
    const ckda_modulus *mod;
    uint32_t which; /* of the primes of im: the last one */
    slong n, m;
    bool has_offset;
    fmpz_t period; /* E: T^(n+E) S = T^n S for every orbit that is finite */
    uint32_t nstates;
    uint32_t *state;        /* nstates of n m */
    uint32_t *parent, *via; /* how a state is reached; the first one is the start */
    affine power, spare;
    uint32_t *before, *after, *tmp; /* nstates n m, nstates n m, n m */
} pump_test;

/* false: n times the degree of K is beyond all use. */
bool pump_test_init(pump_test *t, const images *im, const ckda_field_t K);
void pump_test_clear(pump_test *t);
affine affine_new(const pump_test *t);
void affine_free(affine f);
void affine_copy(affine to, const affine f, const pump_test *t);
void affine_letter(affine f, const pump_test *t, uint32_t x);
/* h = f after g; h shares nothing with f and g. */
void affine_mul(affine h, const affine f, const affine g, const pump_test *t);
/* S = f(S). */
void affine_apply(uint32_t *S, const affine f, pump_test *t);
bool affine_is_constant(const affine f, const pump_test *t);
bool affine_is_identity(const affine f, const pump_test *t);
/* Do the powers of f never repeat from one of the states?  *state: the first such one. */
bool never_repeats(uint32_t *state, pump_test *t, const affine f);
/* E = lcm of all N with phi(N) <= most: the product of the greatest such prime powers. */
void common_period(fmpz_t E, ulong most);

/* ---- infinite_words.c: candidates ---------------------------------------------------- */

/* Round 0: letters and short words; later rounds, ever more words: pieces of the shortest
 * word to a far state, commutators of letters, random words from seed + round.  true: *word (flint_malloc'ed) of this length never
 * repeats from t->state number *state. */
bool try_round(uint32_t **word, uint32_t *length, uint32_t *state, pump_test *t,
               uint32_t round, double deadline);

/* infinite_paths.c: the last letters, at most `most` of them, of the shortest word to the
 * last of the first nstates states, breadth-first modulo the prime; 0 letters if there are
 * fewer states.  nstates >= 2. */
uint32_t far_word(uint32_t *word, uint32_t most, pump_test *t, uint32_t nstates);

/* ---- infinite_prime.c, infinite_reason.c: the word that was found --------------------- */

/* The matrices of the word over K, and the state after the prefix.  Arrays initialised;
 * B and S: n x m. */
void word_over_field(ckda_mat_t A, ckda_mat_t B, ckda_mat_t S, const ckda_pump *pump,
                     const ckda_system_t sys);
/* The greatest prime below 2^31 modulo which, in F_p[x]/(minpoly), the two states differ
 * everywhere (docs/certificates.md): what a checker that trusts no minimal polynomial
 * asks for.  0 if 16 primes do not serve. */
uint32_t checkable_prime(const ckda_pump *pump, const ckda_system_t sys);
/* Sets kind and reason, decided over K. */
void explain_pump(ckda_pump *pump, const ckda_system_t sys);

#endif
