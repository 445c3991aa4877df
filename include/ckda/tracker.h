/* ckda/tracker.h -- the exact states of a group tracker as a table.
 *
 * From a construction: its letters (the elements that have a transition), every exact
 * reachable state of S_t = A_x S_{t-1}, S_0 = I, as an index, the edges between them, the
 * group element of each.  Words of any length are followed by table lookup: no error ever.
 * All transitions are orthogonal, so the states form a group of matrices and the element
 * is a homomorphism of it: distances depend on S^T S' only.  With another start S_0 = Q
 * (ckda_tracker_set_start) every state is one of those times Q.
 *
 * Immutable after init, but for its start; threads may share it.  The tracker owns the
 * construction.                                                                          */
#ifndef CKDA_TRACKER_H
#define CKDA_TRACKER_H
#include "ckda/construct.h"
#include "ckda/limits.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    ckda_construction_t c; /* c->trans[g].n == 0: g has no transition here */
    slong n;
    uint32_t nletters;
    uint32_t *element_of_letter; /* nletters: in increasing order of elements */
    char **letter_name;          /* cycles, "()" for the identity */
    uint64_t start;              /* seed of S_0 = Q; 0: Q = I */
    uint32_t nstates;            /* state 0 is Q */
    uint32_t *next;              /* next[state * nletters + letter] */
    uint32_t *element;      /* of each state; in the subgroup that the letters generate */
    ckda_mat_struct *exact; /* nstates matrices n x n over c->K */
    double *value;          /* nstates * n * n, row-major: |value - exact| <= 2^-52 */
    /* distinct columns of the states, and how letters move them */
    uint32_t ncolumns;
    uint32_t *column_of;   /* nstates * n: the index of column j of a state */
    uint32_t *column_next; /* ncolumns * nletters */
    double *column_value;  /* ncolumns * n */
    /* the first (state, position) where a column stands: its exact entries are there */
    uint32_t *column_state, *column_at;
    /* m^2 = min |S - S'|_F^2 over states of different elements, exact, and a double not
     * above m; zero and +infinity if only one element occurs */
    ckda_elem_t margin_squared;
    double margin_low;
} ckda_tracker_struct;
typedef ckda_tracker_struct ckda_tracker_t[1];

/* system and construction as in ckda_construct_partial: the letters are the elements that
 * have a transition (all of them except for "cube-standard": 16 of 24 on S4, and the 4 of
 * the Klein group on A4, where the tracker follows that subgroup).  CKDA_E_DOMAIN when a
 * transition is not orthogonal, the states are infinitely many or one state stands for two
 * elements; CKDA_E_UNABLE beyond limits (NULL: none); t is then not initialised. */
CKDA_MUST_CHECK ckda_status ckda_tracker_init(ckda_tracker_t t, const char *system,
                                              const char *construction,
                                              const ckda_limits *limits, ckda_error *err);
/* The same for a construction made elsewhere, which moves into t; it is cleared on
 * failure. */
CKDA_MUST_CHECK ckda_status ckda_tracker_init_construction(ckda_tracker_t t,
                                                           ckda_construction_t c,
                                                           const ckda_limits *limits,
                                                           ckda_error *err);
void ckda_tracker_clear(ckda_tracker_t t);

/* Q (square) = the orthogonal rational matrix of a seed: I for 0, else a product of as many
 * reflections as it has rows or one more, with random integer vectors of entries up to 31.
 * The same on every machine. */
void ckda_tracker_start_matrix(fmpq_mat_t Q, uint64_t seed);
/* From now on S_0 is the matrix of this seed: exact states, columns and their values change,
 * the numbers of the states, edges, elements and the margin do not. */
void ckda_tracker_set_start(ckda_tracker_t t, uint64_t seed);
/* Index of the letter of this element, or -1. */
int64_t ckda_tracker_letter(const ckda_tracker_t t, uint32_t element);

/* Which element does the real matrix H (n x n, row-major, any scale) decode to: that of the
 * state with the largest inner product <H, S>, which is the nearest in Frobenius norm to
 * scale * S for every scale > 0.  CKDA_TRUE: *element is the only element that attains the
 * maximum; CKDA_FALSE: two elements tie exactly, *element is one of them (or H is not
 * finite, *element is then 0).  Decided exactly: doubles propose, then K decides. */
ckda_truth ckda_tracker_decode(uint32_t *element, const double *H,
                               const ckda_tracker_t t);
/* Is |H - scale S|_F < scale m / 2 certain, so that H decodes to the element of state s?
 * A sound filter in double arithmetic (its own rounding is bounded): true is a proof, false
 * says nothing (also for scales outside 2^-400 .. 2^400).  *distance (may be NULL) is
 * |H - scale S|_F to about 1e-14 relative to scale. */
bool ckda_tracker_is_near(double *distance, const double *H, double scale, uint32_t s,
                          const ckda_tracker_t t);

#ifdef __cplusplus
}
#endif
#endif
