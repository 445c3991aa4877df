/* ckda/chunk.h -- the chunked (WY) form of the recurrence, bit for bit, and whether a grid
 * state survives it: proved, refuted by a word, or only typical.
 *
 * Gauge.  With G_t = D_t ... D_1 (the gates, signs only) and k'_t = G_t k_t the recurrence
 * H_t = (I - beta k k^T) D_t H_{t-1} becomes H'_t = (I - beta k' k'^T) H'_{t-1}, exactly,
 * because rounding to nearest is odd.  What is left of a letter is the LINE of k'.  A chunk
 * of lines i = 1..C on a column H0 (all sums and products in fp32, ascending, no FMA):
 *
 *     L_ij = beta_i (k_i . k_j)                     j < i
 *     T_ij = -(L_ij + sum_{j<m<i} L_im T_mj)        T_ii = 1
 *     W_i  = RW(sum_{j<=i} RT(T_ij) Rb(beta_j k_j))
 *            direct: RW(Rb(beta_i k_i) - sum_{j<i} L_ij W~_j), W~ before RW
 *     v_i  = Rv(W_i . H0)
 *     H    = H - k_i v_i for i = 1..C, then stored: the nearest integer, or the format
 *
 * k = Rk(true key), beta = fp32(2/|k|^2).  Rk, RT, Rb, RW, Rv round to nearest, ties to
 * even, to so many bits of significand with the exponents of fp32 (so 11 bits is fp16
 * without its subnormals and overflow) [source: SNAP chunk model].  docs/chunk.md derives
 * the bound.
 *
 * Units: errors are in grid units.  Immutable after init; threads may share it.         */
#ifndef CKDA_CHUNK_H
#define CKDA_CHUNK_H
#include "ckda/arith.h"
#include "ckda/tracker.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of the significands of key, T, beta * key, W, v; each 2 .. 24. */
typedef struct {
    const char *name;
    int key, t, beta_key, w, v;
} ckda_chunk_split;
/* FLA 8 8 8 8 8; T32 8 24 24 8 8; pair 8 24 24 16 16 (16 stands in for a bf16 hi + lo
 * pair, which has 17); fp16 11 x 5; fp16-T32 11 24 24 11 11; k32 24 24 24 8 8; k32-vpair
 * 24 24 24 8 16; k32-pair 24 24 24 16 16; all-pair 16 x 5.  The last entry has no name. */
extern const ckda_chunk_split ckda_chunk_splits[];
/* CKDA_E_INPUT with the list for an unknown name. */
CKDA_MUST_CHECK ckda_status ckda_chunk_split_named(ckda_chunk_split *s, const char *name,
                                                   ckda_error *err);

typedef struct {
    uint32_t length; /* C, tokens a chunk (for the theorem: reflections), 1 .. 1024 */
    ckda_chunk_split split;
    bool direct;               /* W solved without the inverse T */
    ckda_arith_key key;        /* unit keys, or the shortest integer vector along them */
    ckda_arith_beta beta_rule; /* FROM_KEY: 2/|k|^2 of the rounded key, in fp32 */
    int64_t grid;              /* > 0: integers, H_0 = grid I, snapped at chunk ends */
    const ckda_fp_format *state; /* grid 0: how H is stored at chunk ends; fp32 or less */
} ckda_chunk_scheme;

/* length 64, FLA, unit keys, beta from the key, no grid, fp32 state. */
extern const ckda_chunk_scheme ckda_chunk_scheme_default;
CKDA_MUST_CHECK ckda_status ckda_chunk_scheme_check(const ckda_chunk_scheme *s,
                                                    ckda_error *err);

/* Everything a chunk needs to know about one tracker under one scheme. */
typedef struct {
    ckda_chunk_scheme scheme;
    slong n;
    uint32_t nletters;
    /* lines, up to sign; index l */
    uint32_t nlines;
    double *key;        /* nlines * n: the true key, |value - key| <= 2^-52 */
    float *rounded_key; /* nlines * n */
    float *beta;        /* nlines */
    float *beta_key;    /* nlines * n: Rb(beta k) */
    float *gram;        /* nlines * nlines: L of a pair, first index i */
    double *deviation; /* nlines * n * n: (I - beta k k^T) minus the true reflection, each
                           entry to 2^-50 of itself */
    double deviation_norm;  /* >= the largest spectral norm of a deviation */
    double unorthogonality; /* >= |beta |k|^2 - 2| for every line */
    bool exact_parameters;  /* every rounded reflection is the true one */
    /* gauge: signs as bit masks (bit i: coordinate i is negated).  The reflections s of a
     * letter are letter_first[letter] + 0 .. letter_count[letter] - 1; the numbers are those
     * of the micro-steps in ckda/rounded.h, of which one with beta 0 is no reflection. */
    uint32_t nmasks;
    uint32_t *mask;         /* nmasks, mask[0] = 0 */
    uint32_t *mask_after;   /* nletters * nmasks: index of the mask after this letter */
    uint32_t *letter_first; /* nletters + 1, the last is the number of all s */
    uint32_t *letter_count; /* nletters */
    uint32_t *line_of;      /* s * nmasks + mask after the gate: a line */
    uint32_t max_steps;     /* most reflections of a letter */
    /* unit vectors up to sign: the columns of all exact states and what reflections make
     * of them; grid > 0 only */
    uint32_t nvectors;
    double *vector;   /* nvectors * n: each entry to 2^-52 */
    int32_t *move;    /* line * nvectors + i: j + 1 or -(j + 1) */
    int32_t *snapped; /* nvectors * n: the nearest integers to grid * vector */
    uint32_t nstarts;
    uint32_t *start; /* the vectors at which a chunk may start: columns of exact states */
    uint32_t nroots;
    double *root; /* nroots * n: unit keys and what reflections make of them */
    /* changes of signs of coordinates that map lines to lines and starts to starts */
    uint32_t nsymmetries;
    uint32_t
        *symmetry; /* nsymmetries * nlines: where line l goes; the first is identity */
    /* of the snapped columns: sigma <= min 1/2 - |x.q - Q(c x.v)|, N >= |q|_2,
     * eta2 >= |q - c v|_2 [source: SNAP theorem] */
    double sigma, largest_norm, eta2;
} ckda_chunk_struct;
typedef ckda_chunk_struct ckda_chunk_t[1];

/* CKDA_E_INPUT for a scheme that is not defined; CKDA_E_DOMAIN for a direction over an
 * irrational field, or a gate that is no sign; CKDA_E_UNABLE when reflections make more
 * than 4096 vectors. */
CKDA_MUST_CHECK ckda_status ckda_chunk_init(ckda_chunk_t k, const ckda_tracker_t t,
                                            const ckda_chunk_scheme *scheme,
                                            ckda_error *err);
void ckda_chunk_clear(ckda_chunk_t k);

/* ---- running it ------------------------------------------------------------------- */

/* H (n x m, row-major; values of the state format or integers) = H after one chunk of
 * `count` letters, 1 <= count <= scheme.length (a short last chunk), stored.  The gauge is
 * undone: H is the state itself. */
void ckda_chunk_step(double *H, slong m, const uint32_t *letters, uint32_t count,
                     const ckda_chunk_t k);
/* H (n x m floats) after `count` lines, before the store, in the gauge; H0 = n x m. */
void ckda_chunk_run(float *H, const float *H0, slong m, const uint32_t *lines,
                    uint32_t count, const ckda_chunk_t k);
/* The same through ckda/fpfmt.h only, on fp32 patterns: slow, written apart. */
void ckda_chunk_run_definition(uint64_t *H, const uint64_t *H0, slong m,
                               const uint32_t *lines, uint32_t count,
                               const ckda_chunk_t k);
/* The lines of a word of letters, started with no signs; returns how many (lines has room
 * for count * max_steps). */
uint32_t ckda_chunk_lines_of(uint32_t *lines, const uint32_t *letters, uint32_t count,
                             const ckda_chunk_t k);
/* A word of letters (room for count of them) whose lines these are; false if there is
 * none. */
bool ckda_chunk_letters_of(uint32_t *letters, uint32_t *nletters, const uint32_t *lines,
                           uint32_t count, const ckda_chunk_t k);
/* The line along this vector (n entries, any length, to 1e-6), or -1. */
int64_t ckda_chunk_line_near(const double *direction, const ckda_chunk_t k);
/* The start whose snapped column is q or -q, or -1. */
int64_t ckda_chunk_start_of(const int32_t *q, const ckda_chunk_t k);

/* ---- the bound -------------------------------------------------------------------- */

/* The error of a chunk against the true A q, entry by entry, as a sum of parts.  As a
 * bound: each part of each entry is at most this for every word, start and entry. */
typedef struct {
    double drift;   /* keys and beta: product of the rounded reflections minus the true */
    double cast;    /* Rb */
    double solve;   /* L and T (direct: W~) in fp32 */
    double inverse; /* RT */
    double sum;     /* the sum of W in fp32 */
    double w;       /* RW */
    double dot;     /* W . H0 in fp32 */
    double v;       /* Rv */
    double update;  /* H - k v in fp32 */
} ckda_chunk_terms;

typedef struct {
    ckda_chunk_terms terms;
    double first_order; /* of the drift: the largest first-order term over all words */
    double delta;       /* >= the whole error; +infinity: the bound does not hold here */
} ckda_chunk_bound;

/* Rigorous bounds for every length 1..length of a chunk: b[i] belongs to i + 1 lines.
 * grid > 0. */
void ckda_chunk_bounds(ckda_chunk_bound *b, uint32_t length, const ckda_chunk_t k);
/* The parts of one word's error, measured in long double: parts[a] for each entry a of the
 * column that began at start s; total[a] (may be NULL) is the error itself. */
void ckda_chunk_measure(ckda_chunk_terms *parts, double *total, const uint32_t *lines,
                        uint32_t count, uint32_t s, const ckda_chunk_t k);
/* Is every intermediate result a dyadic number that fits, for every length of chunk?
 * Then all errors are 0 (a proof); false says nothing. */
bool ckda_chunk_is_exact(const ckda_chunk_t k);

/* ---- deciding --------------------------------------------------------------------- */

typedef enum {
    CKDA_CHUNK_PROVED,
    CKDA_CHUNK_REFUTED,
    CKDA_CHUNK_TYPICAL, /* random chunks were right; no proof */
    CKDA_CHUNK_UNDECIDED
} ckda_chunk_verdict;
typedef enum {
    CKDA_CHUNK_BY_NOTHING,
    CKDA_CHUNK_BY_EXACTNESS,  /* no rounding ever */
    CKDA_CHUNK_BY_BOUND,      /* delta < sigma */
    CKDA_CHUNK_BY_EXHAUSTION, /* every word of lines */
    CKDA_CHUNK_BY_WORD        /* refuted */
} ckda_chunk_how;

typedef struct {
    bool exhaustive;     /* try every word even if there are many (beyond 10^11 only with
                            max_seconds; else as long words as that allows) */
    uint64_t max_chunks; /* words that may be tried without `exhaustive`; 0: 2^20 */
    uint64_t random_chunks; /* 0: none; at most 1000 once something is proved */
    uint32_t beam;          /* width of the search for a refuting word; 0: none */
    uint64_t seed;
    int threads;        /* 0: as OpenMP decides */
    ckda_limits limits; /* max_seconds of the whole decision */
} ckda_chunk_options;
/* 10000 random chunks, beam 500, seed 1. */
extern const ckda_chunk_options ckda_chunk_options_default;

/* One wrong (or the worst known) entry. */
typedef struct {
    uint32_t count; /* lines in the word; 0: none */
    uint32_t *lines;
    uint32_t nletters; /* 0: no word of letters has these lines */
    uint32_t *letters;
    uint32_t start; /* index into k->start */
    uint32_t entry;
    double value; /* before the store */
    int32_t target;
} ckda_chunk_witness;

typedef struct {
    ckda_chunk_verdict verdict;
    ckda_chunk_how how;
    ckda_chunk_bound bound; /* at this length */
    double sigma;
    uint32_t proved_to; /* the bound proves every length up to this one (<= 4 C) */
    /* every word of 1..exhaustive_lengths lines; the largest |H - target| by length */
    uint32_t exhaustive_lengths;
    double *exhaustive_max; /* [length - 1] */
    bool exhausted;         /* the whole length was tried */
    struct {
        uint64_t chunks, wrong;  /* wrong: some column decodes wrongly */
        double median, max;      /* of the largest |H - target| of a chunk */
        double median_deviation; /* of the largest |H - A q| */
    } random;
    uint32_t beam_width;
    double beam_max;            /* the largest |H - target| at this length */
    ckda_chunk_witness witness; /* of a refutation, checked by the definition */
    double seconds;
} ckda_chunk_result;

/* CKDA_E_DOMAIN without a grid.  A limit of time leaves TYPICAL or UNDECIDED.  The result
 * is deterministic by seed unless time ran out. */
CKDA_MUST_CHECK ckda_status ckda_chunk_decide(ckda_chunk_result *r, const ckda_chunk_t k,
                                              const ckda_chunk_options *o,
                                              ckda_error *err);
void ckda_chunk_result_clear(ckda_chunk_result *r);

/* Every word of at most `length` lines, in the gauge, from every start, up to changes of
 * signs of coordinates (which the arithmetic respects exactly): max[i] is the largest
 * |H - target| after i + 1 lines; *worst (may be NULL; cleared by the caller) the worst of
 * exactly `length` lines.  CKDA_UNKNOWN: the time ran out, max is what was seen so far;
 * CKDA_FALSE: some chunk of `length` lines is stored wrongly (then worst is one);
 * CKDA_TRUE: none. */
ckda_truth ckda_chunk_exhaust(double *max, ckda_chunk_witness *worst, uint32_t length,
                              int threads, double max_seconds, const ckda_chunk_t k);
/* The words that ckda_chunk_exhaust would try at this length (an upper bound), as a double.
 */
double ckda_chunk_word_count(uint32_t length, const ckda_chunk_t k);
/* Search for a bad word, keeping `width` beginnings, half of them for |H - target|, half for
 * |H - A q|: *worst has exactly `length` lines (count 0 if the time ran out); returns its
 * |H - target|, or -1.  The same for every number of threads. */
double ckda_chunk_beam(ckda_chunk_witness *worst, uint32_t length, uint32_t width,
                       int threads, double max_seconds, const ckda_chunk_t k);
/* Does the definition give this value, store it wrongly, and is the target right? */
bool ckda_chunk_witness_holds(const ckda_chunk_witness *w, const ckda_chunk_t k);
void ckda_chunk_witness_clear(ckda_chunk_witness *w);

#ifdef __cplusplus
}
#endif
#endif
