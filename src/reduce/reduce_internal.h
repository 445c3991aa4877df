/* Shared by the files of this room only. */
#ifndef CKDA_REDUCE_INTERNAL_H
#define CKDA_REDUCE_INTERNAL_H
#include "ckda/reduce.h"

/* The shapes were made to fit. */
#define must(call) ckda_require((call) == CKDA_OK, "shapes fit")

/* ---- subspaces (span.c) -------------------------------------------------------------- */

/* A subspace of K^n by an orthogonal basis, for the inner product sum w_i x_i y_i. */
typedef struct {
    slong n, r;
    ckda_elem_struct *vector; /* r <= n of them, n entries each */
    ckda_elem_struct *norm;   /* <b, b> of each, positive */
    ckda_elem_struct *weight; /* w, n */
} span;

/* The zero space; weight == NULL: all 1. */
void span_init(span *s, slong n, const ckda_elem_struct *weight, const ckda_field_t K);
void span_clear(span *s, const ckda_field_t K);
/* Adds x unless it is inside; says whether it was added. */
bool span_add(span *s, const ckda_elem_struct *x, const ckda_field_t K);
/* Coordinates c (r) of the orthogonal projection of x; is x inside? */
bool span_coordinates(ckda_elem_struct *c, const span *s, const ckda_elem_struct *x,
                      const ckda_field_t K);
/* The same for each column of the n x m matrix X; C (r x m) is initialised here. */
bool span_columns(ckda_mat_t C, const span *s, const ckda_mat_t X, const ckda_field_t K);
/* Basis as the columns of B (n x r), initialised here. */
void span_basis(ckda_mat_t B, const span *s, const ckda_field_t K);
/* M (r x r, initialised here): A restricted, if A maps the space into itself; otherwise the
 * projection of A b.  Says which. */
bool span_restrict(ckda_mat_t M, const span *s, const ckda_mat_t A, const ckda_field_t K);
/* Adds the columns of X. */
void span_add_columns(span *s, const ckda_mat_t X, const ckda_field_t K);
/* The same by way of their reduced echelon form: short basis vectors, unit vectors where
 * that is possible. */
void span_add_reduced(span *s, const ckda_mat_t X, const ckda_field_t K);
/* The smallest space above s that all count matrices map into itself. */
void span_close(span *s, const ckda_mat_struct *A, uint32_t count, const ckda_field_t K);

/* Reduced row echelon form with pivots in the first cols columns; returns their number and
 * writes their columns to pivot (cols). */
slong row_reduce(ckda_mat_t M, slong cols, slong *pivot, const ckda_field_t K);
/* Basis of { y : M y = 0 } as the columns of N, initialised here. */
void kernel(ckda_mat_t N, const ckda_mat_t M, const ckda_field_t K);
/* The one X with M X = Y, initialised here; false: there is none or more than one. */
bool solve_unique(ckda_mat_t X, const ckda_mat_t M, const ckda_mat_t Y,
                  const ckda_field_t K);

/* ---- words (word.c) ------------------------------------------------------------------ */

/* Affine maps T(S) = A S + b; every letter of sys and words of them. */
typedef struct {
    ckda_mat_t A, b;
} action;
void action_init(action *T, slong n, slong m, const ckda_field_t K); /* identity */
void action_clear(action *T, const ckda_field_t K);
/* T = the word (time order) to a power. */
void action_word(action *T, const ckda_system_t sys, const uint32_t *word, size_t n,
                 uint64_t power);
/* Y = A S + b. */
void action_apply(ckda_mat_t Y, const action *T, const ckda_mat_t S,
                  const ckda_field_t K);

/* image[s] (r->states numbers, to be freed): where the word to a power leads from state s. */
uint32_t *word_map(const ckda_reach_t r, uint32_t nletters, const uint32_t *word,
                   size_t n, uint64_t power);
/* How many different numbers, all below values, are among the n? */
uint64_t count_images(const uint32_t *image, uint64_t n, uint64_t values);
/* class[s]: two states that some word merges are in one class, `classes` in all.  Finds a
 * word that merges every class, and the least power of it that is idempotent on the states;
 * *word goes back with flint_free.  CKDA_E_UNABLE beyond the limits of word.c. */
CKDA_MUST_CHECK ckda_status merging_word(uint32_t **word, size_t *n, uint64_t *power,
                                         const ckda_reach_t r, uint32_t nletters,
                                         const uint32_t *class, uint64_t classes,
                                         ckda_error *err);
/* Letters of the shortest word to state s, in time order, to be freed. */
uint32_t *path_to(size_t *n, const ckda_reach_t r, uint32_t s);

/* ---- V and U (core.c) ---------------------------------------------------------------- */

ckda_mat_struct *new_mats(uint32_t n);
/* Clears n of them. */
void free_mats(ckda_mat_struct *A, uint32_t n, const ckda_field_t K);

/* Everything in coordinates of V. */
typedef struct {
    const ckda_system_struct *sys; /* joint */
    const ckda_field_struct *K;
    span V, U;                      /* U in coordinates of V */
    ckda_mat_struct *onV, *onU;     /* letters, v x v and u x u */
    ckda_mat_struct *stepV, *stepU; /* T_x(S0) - S0, v x m and u x m */
    uint32_t letters;
} core;
void core_init(core *c, const ckda_system_t sys);
void core_clear(core *c);

/* ---- the tracker (tracker.c) ---------------------------------------------------------- */

/* Fills red->head from the word. */
void make_heads(ckda_reduction_t red, const core *c, const ckda_joint_t J,
                const ckda_heads *heads);
/* Order of the group of the joint letters; 0 where a limit was reached. */
CKDA_MUST_CHECK ckda_status find_group_order(ckda_reduction_t red,
                                             const ckda_heads *heads,
                                             const ckda_limits *limits, ckda_error *err);
/* The tracker's heads of dimension above 0 as systems, which borrow from red and from the
 * decoder of heads; s has room for nheads.  Returns their number. */
uint32_t tracker_systems(ckda_system_struct *s, const ckda_reduction_t red,
                         const ckda_heads *heads);

#endif
