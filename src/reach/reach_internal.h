/* Shared by the files of this room only. */
#ifndef CKDA_REACH_INTERNAL_H
#define CKDA_REACH_INTERNAL_H
#include "ckda/matmod.h"
#include "ckda/reach.h"

/* ---- images of a system modulo k primes (images.c) -------------------------------- */

typedef struct {
    uint32_t nprimes;
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

/* ---- the search (search.c, table.c) ------------------------------------------------ */

/* States in one array, found again through a table of 32-bit indices. */
typedef struct {
    size_t words;
    uint32_t count, alloc;
    uint32_t *arena;  /* alloc * words */
    uint32_t *bucket; /* index + 1, 0 = empty */
    uint64_t mask;
    uint64_t extra; /* further bytes a state takes (label, parent, via, next) */
    uint64_t max_states, max_bytes;
    const char *limit; /* why table_intern returned TABLE_FULL */
} table;

#define TABLE_FULL UINT32_MAX
void table_init(table *t, size_t words, uint64_t extra, const ckda_limits *limits);
void table_clear(table *t);
uint64_t table_hash(const table *t, const uint32_t *state);
/* Hints that a state with this hash will be looked for: its bucket, then its place. */
void table_prefetch_bucket(const table *t, uint64_t hash);
void table_prefetch_state(const table *t, uint64_t hash);
/* Index of a state (outside the arena) with its hash; a new one is copied behind the
 * others and may move the arena. */
uint32_t table_intern(table *t, bool *is_new, const uint32_t *state, uint64_t hash);

typedef struct {
    table states;
    uint64_t edges;
    bool closed;
    const char *limit;
    uint64_t *level;
    uint32_t nlevels;
    uint32_t *label, *next, *parent, *via; /* alloc of `states` each, or NULL */
    uint32_t extra_alloc;
    uint32_t *batch; /* BATCH candidates */
    bool consistent;
    uint64_t bad_state;
    uint32_t bad_letter, bad_want, bad_got;
    bool pump_tried;
    uint32_t pump[2], npump; /* a proof that there are infinitely many states */
} search;

/* deadline on ckda_wall_seconds, 0 for none.  With may_pump, a search that has found many
 * states looks for a proof that there are infinitely many, and stops if it finds one. */
void search_run(search *s, const ckda_system_t sys, const images *im,
                const ckda_limits *limits, double deadline, bool keep_graph,
                bool may_pump);
void search_clear(search *s);

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
 * and the better one is taken for each length. */
typedef struct {
    fmpz_t den_linear, den_start; /* of the letters; of start and offsets */
    bool orthogonal;
    int count;                           /* norms in use: 1 or 2 */
    fmpq_t norm[2], start[2], offset[2]; /* norm >= 1 */
} system_height;
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

/* Looks for a word of one or two letters whose powers never repeat a state: its length,
 * the letters in pump; 0 if none was found. */
uint32_t find_pump(uint32_t pump[2], const images *im, const ckda_field_t K,
                   double deadline);

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
