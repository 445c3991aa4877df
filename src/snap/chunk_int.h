/* Shared by the files of the chunk model. */
#ifndef CKDA_SRC_SNAP_CHUNK_INT_H
#define CKDA_SRC_SNAP_CHUNK_INT_H
#include <string.h>

#include "ckda/chunk.h"

enum { CHUNK_MAX_VECTORS = 4096, CHUNK_MAX_LENGTH = 1024 };

/* The format of `bits` bits of significand with the exponents of fp32. */
ckda_fp_format chunk_format(int bits);

/* x rounded to nearest, ties to even, to p bits; the bits of x below are cut after half of
 * their unit was added.  Below 2^-126 the spacing stays that of 2^-126, as in bf16. */
static inline uint32_t
chunk_round_pattern(uint32_t x, int p)
{
    const int cut = 24 - p;
    const uint32_t low = (UINT32_C(1) << cut) - 1;
    return cut == 0 ? x : (x + (low >> 1) + ((x >> cut) & 1)) & ~low;
}

static inline float
chunk_round(float f, int p)
{
    uint32_t x;
    memcpy(&x, &f, sizeof x);
    x = chunk_round_pattern(x, p);
    memcpy(&f, &x, sizeof f);
    return f;
}

/* ---- geometry (chunk_lines.c, chunk_columns.c) ------------------------------------- */

/* A set of exact vectors (n x 1 matrices), found by hash. */
typedef struct {
    const ckda_field_struct *K;
    slong n;
    ckda_mat_struct *at;
    uint32_t count, alloc, mask;
    uint32_t *bucket;
} chunk_set;
void chunk_set_init(chunk_set *s, slong n, const ckda_field_t K);
void chunk_set_clear(chunk_set *s);
/* Index of v, or -1. */
int64_t chunk_set_find(const chunk_set *s, const ckda_mat_t v);
/* Index of v, which is copied if it is new. */
uint32_t chunk_set_add(chunk_set *s, const ckda_mat_t v);
/* v scaled so that its first entry that is not 0 is 1. */
void chunk_projective(ckda_mat_t v, const ckda_field_t K);
/* v or -v, so that its first entry that is not 0 is positive; true if it was turned. */
bool chunk_canonical_sign(ckda_mat_t v, const ckda_field_t K);
/* u = (I - 2 w w^T / |w|^2) v. */
void chunk_reflect(ckda_mat_t u, const ckda_mat_t w, const ckda_mat_t v,
                   const ckda_field_t K);
/* out[i] = w_i (or w_i / |w| if unit) to 2^-53 or so. */
void chunk_doubles(double *out, const ckda_mat_t w, bool unit, const ckda_field_t K);

/* Fills gauge, lines and rounded parameters; `lines` (initialised by the caller) becomes
 * their exact projective vectors in the same order. */
CKDA_MUST_CHECK ckda_status chunk_build_lines(ckda_chunk_t k, chunk_set *lines,
                                              const ckda_tracker_t t, ckda_error *err);
/* deviation, deviation_norm, unorthogonality. */
void chunk_build_deviations(ckda_chunk_t k, const chunk_set *lines);
/* Fills vectors, roots, snapped columns, symmetries, sigma. */
CKDA_MUST_CHECK ckda_status chunk_build_columns(ckda_chunk_t k, const chunk_set *lines,
                                                const ckda_tracker_t t, ckda_error *err);

/* ---- a chunk under way (chunk_kernel.c) -------------------------------------------- */

typedef struct {
    const ckda_chunk_struct *k;
    uint32_t depth, room; /* lines so far, at most */
    slong m;
    uint32_t *line; /* room */
    float *t;    /* room * room, row-major: T before RT; zero on and above the diagonal */
    float *w;    /* room * n: W after RW */
    float *wide; /* room * n: W before RW */
    float *v;    /* room * m: v after Rv */
    float *h;    /* (room + 1) * n * m: H after i lines */
} chunk_walk;
void chunk_walk_init(chunk_walk *x, uint32_t room, slong m, const ckda_chunk_t k);
void chunk_walk_clear(chunk_walk *x);
/* Appends a line. */
void chunk_walk_push(chunk_walk *x, uint32_t line);
static inline void
chunk_walk_cut(chunk_walk *x, uint32_t depth)
{
    x->depth = depth;
}
/* n x m floats: the state now. */
static inline float *
chunk_walk_state(const chunk_walk *x)
{
    return x->h + (size_t)x->depth * (size_t)(x->k->n * x->m);
}
/* Fills h of depth 0 with the snapped starts (m = nstarts). */
void chunk_walk_starts(chunk_walk *x);

/* ---- a chunk on all starts, beside the exact one (chunk_track.c) ------------------- */

typedef struct {
    chunk_walk walk;
    int32_t *image; /* (room + 1) * nstarts: +-(vector + 1), where the exact column is */
    double *exact;  /* NULL, or (room + 1) * n * nstarts: A q by the true reflections */
} chunk_track;
typedef struct {
    double error; /* |H - target| */
    uint32_t start, entry;
    bool wrong; /* stored as another integer */
} chunk_worst;
void chunk_track_init(chunk_track *x, uint32_t room, const ckda_chunk_t k);
/* From here (depth 0) on keeps A q as well. */
void chunk_track_keep_exact(chunk_track *x);
/* The largest |H - A q| at this depth (needs keep_exact), to 1e-12 or so. */
double chunk_track_deviation(const chunk_track *x);
void chunk_track_clear(chunk_track *x);
void chunk_track_push(chunk_track *x, uint32_t line);
void chunk_track_cut(chunk_track *x, uint32_t depth);
/* The largest |H - target| at this depth, and where; a wrong entry if there is one. */
chunk_worst chunk_track_worst(const chunk_track *x);
int32_t chunk_track_target(const chunk_track *x, uint32_t start, uint32_t entry);
/* Fills everything from a walk's present word. */
void chunk_witness_set(ckda_chunk_witness *w, const chunk_track *x,
                       const chunk_worst *at);

/* Random chunks of a seed: fills r->random; the number of the first wrong one, or
 * UINT64_MAX.  until: as ckda_wall_seconds, 0: no limit. */
uint64_t chunk_random(ckda_chunk_result *r, uint64_t chunks, uint64_t seed, int threads,
                      double until, const ckda_chunk_t k);
void chunk_random_witness(ckda_chunk_witness *w, uint64_t seed, uint64_t i,
                          const ckda_chunk_t k);

/* The largest sum over a chunk of c x_j^T (deviation of line j) v_{j-1}, over all words of
 * i + 1 lines and all entries and starts, rounded up; false if there are too many pairs. */
bool chunk_drift_maxima(double *first_order, uint32_t length, const ckda_chunk_t k);

#endif
