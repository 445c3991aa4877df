/* ckda/allwords.h -- does a rounded tracker decode every word of every length?
 *
 * A recurrence with fixed rounding is a finite automaton on bit patterns.  Three methods,
 * in this order:
 *
 *   product  breadth-first over the stored states.  Each new state must decode to the
 *            element of the word that led to it, and every edge into a known state must
 *            bring the same element.  Closed: a proof for all lengths.  A wrong decode, or
 *            one pattern for two elements, comes with a shortest word: words are met in
 *            order of length, and every word that is shorter was right.
 *   columns  columns evolve apart, so every start column is closed alone, over pairs
 *            (bits, exact column).  If the largest distances of the columns together stay
 *            below scale m / 2, the state decodes rightly for ever.  Sound, not complete.
 *   witness  repeated letters and a beam search for a word that decodes wrongly: a
 *            counterexample, not known to be a shortest one.
 *
 * An open search says nothing either way: CKDA_ALLWORDS_UNDECIDED.
 *
 * Errors are Frobenius distances |H - scale S| in the units of the state (grid units on a
 * grid), S the exact state of the word.  Nothing here prints.  Results hold no pointer
 * into tracker or arithmetic.  Concurrent calls are safe with different results.
 *
 * Several processes (ckda/ranks.h) share a search: all call the functions below together,
 * with the same arguments, and have the same answer; the graph and progress are process 0's
 * alone, max_bytes is for all together.                                                */
#ifndef CKDA_ALLWORDS_H
#define CKDA_ALLWORDS_H
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ckda/limits.h"
#include "ckda/rounded.h"
#include "ckda/status.h"
#include "ckda/tracker.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CKDA_ALLWORDS_TRACKS, /* proved for every word of every length */
    CKDA_ALLWORDS_FAILS,  /* refuted by a word */
    CKDA_ALLWORDS_UNDECIDED
} ckda_allwords_verdict;
/* "tracks-forever", "fails", "undecided" */
const char *ckda_allwords_verdict_name(ckda_allwords_verdict v);

typedef enum {
    CKDA_ALLWORDS_PRODUCT = 1,
    CKDA_ALLWORDS_COLUMNS = 2,
    CKDA_ALLWORDS_WITNESS = 4
} ckda_allwords_method;
/* "product", "columns", "witness" */
const char *ckda_allwords_method_name(ckda_allwords_method m);

typedef enum {
    CKDA_ALLWORDS_NO_FAILURE = 0,
    CKDA_ALLWORDS_DECODE,   /* the nearest exact state has another element, or two tie */
    CKDA_ALLWORDS_COLLISION /* the same bits after two words of different elements: fatal
                               for every read-out; the word decodes wrongly as well */
} ckda_allwords_failure;

typedef struct {
    ckda_allwords_method method; /* PRODUCT or COLUMNS */
    uint64_t states;             /* found so far */
    uint64_t expanded;           /* of them with all their edges looked at */
    uint32_t depth;
    double error; /* largest so far */
    double seconds;
} ckda_allwords_progress;

typedef struct {
    ckda_limits limits; /* product and columns each; max_states also below 2^32 - 2 */
    unsigned methods;   /* of ckda_allwords_method; 0: all three */
    int threads;        /* 0: as OpenMP decides; the result does not depend on it */
    bool keep_graph;    /* after closing: a second pass writes `next` */
    /* the product search is saved to this file as it goes and when a limit stops it (NULL:
     * not), at intervals of so many seconds */
    const char *checkpoint;
    double checkpoint_seconds;
    const char *resume; /* go on from this file (NULL: from the beginning) */
    /* looked at between blocks of edges; NULL: never interrupted */
    const volatile sig_atomic_t *stop;
    void (*progress)(const ckda_allwords_progress *p, void *data); /* NULL: none */
    void *data;
} ckda_allwords_options;

typedef struct {
    ckda_allwords_verdict verdict;
    ckda_allwords_method method; /* the one that decided; when undecided the first run */
    /* NULL, or what stopped the method above: "states", "memory", "time", "interrupted",
     * "range" (an entry beyond the stored form), "decoder" (a read-out that enclosures do
     * not decide), "column bound" (the columns together exceed scale m / 2) */
    const char *limit;

    /* the search named by `method`; of the product search for a witness */
    uint64_t states;  /* stored states (pairs, for columns) */
    uint64_t edges;   /* edges looked at */
    uint32_t depth;   /* closed: the last level; fails: of the failing word; undecided:
                          levels that are complete */
    uint64_t *level;  /* nlevels: states per level, the last one perhaps incomplete */
    uint32_t nlevels; /* 0 for columns */
    uint64_t aliased; /* edges into a state of the same element but another exact state */
    double max_error; /* no state seen is farther away than this: rounded up */
    /* Errors of aliased states were measured at the edge that met them; words that go on
     * from there are measured against the exact state of the state's first word only. */
    bool error_of_first_words;
    double tie_distance;  /* as in ckda_rounded_expand, over all edges of a closed product
                             search; +infinity otherwise */
    double safe_distance; /* scale m / 2, to a double: below it the read-out is certain */
    double seconds;

    /* a failing word, letters in time order (length 0 unless FAILS) */
    ckda_allwords_failure failure;
    uint32_t *word;
    size_t length;
    bool shortest;        /* proved: every shorter word decodes rightly */
    uint32_t *other_word; /* COLLISION: the word that led to the same bits before */
    size_t other_length;
    uint32_t expected, decoded; /* elements */
    bool tied;                  /* `decoded` is one of several, or H is not finite */
    uint32_t exact;             /* state of the tracker after the word */
    double *state;              /* the stored state after it, n x n; NULL unless FAILS */
    double distance;            /* |state - scale exact|_F, about */

    /* Every word of at most this many letters decodes rightly: what the search completed,
     * or the a-priori bound, whichever is more.  UINT64_MAX: no end. */
    uint64_t guaranteed_steps;
    uint64_t a_priori_steps;

    /* the column search, if it ran: its states, and the bound sqrt(sum of squares) reached
     * (rounded up); closed: every start column */
    bool columns_run, columns_closed;
    uint64_t column_states;
    double column_bound;
    const char *column_limit;

    /* with keep_graph, after a closed product search: state i is bits[i * bytes ...] (see
     * ckda_rounded_unpack), first reached from parent[i] by letter via[i], with the exact
     * state exact[i]; next[i * letters + letter] */
    size_t bytes;
    uint8_t *bits;
    uint32_t *exact_state, *parent, *next;
    uint16_t *via;
} ckda_allwords_struct;
typedef ckda_allwords_struct ckda_allwords_t[1];

/* R belongs to t.  CKDA_OK also for an open search (r->verdict tells).  CKDA_E_IO when a
 * checkpoint cannot be read or written, CKDA_E_INPUT when it is damaged or belongs to
 * another arithmetic or system; r is then not initialised. */
CKDA_MUST_CHECK ckda_status ckda_allwords_run(ckda_allwords_t r, const ckda_rounded_t R,
                                              const ckda_tracker_t t,
                                              const ckda_allwords_options *o,
                                              ckda_error *err);
void ckda_allwords_clear(ckda_allwords_t r);

/* ---- which of many arithmetics hold? --------------------------------------------------- */

/* The lists of arithmetics that differ from one in one respect.  *list is an array of *count
 * for flint_free. */

/* Grids from .. to, 1 <= from <= to. */
void ckda_allwords_grids(ckda_arith **list, size_t *count, const ckda_arith *a,
                         int64_t from, int64_t to);
/* Scales 1 + j/64 of H_0, j = 0 .. 63. */
void ckda_allwords_scales(ckda_arith **list, size_t *count, const ckda_arith *a);
/* Starts with the seeds first, first + 1, ...; the scale is that of `a`, or, with neither a
 * scale nor a grid there, the number 1 + j/64 that the seed draws. */
void ckda_allwords_starts(ckda_arith **list, size_t *count, const ckda_arith *a,
                          uint64_t first, size_t starts);
/* Every size of a key entry that its format does not hold moved by -keys .. keys values, and
 * beta by -beta .. beta (0 .. 127); from the least to the greatest, beta fastest, one list
 * for all sizes together.  CKDA_E_UNABLE beyond 100,000 arithmetics or CKDA_KEY_MOVES sizes;
 * other errors as in ckda_rounded_init. */
CKDA_MUST_CHECK ckda_status ckda_allwords_neighbours(ckda_arith **list, size_t *count,
                                                     const ckda_tracker_t t,
                                                     const ckda_arith *a, int keys,
                                                     int beta, ckda_error *err);

typedef struct {
    ckda_arith arith;
    ckda_allwords_t result;
} ckda_allwords_row;

/* ckda_allwords_run for each; t is given the start that each arithmetic names, and its own
 * in the end.  *rows is an array of *count, initialised here; when interrupted it is
 * shorter than n. */
CKDA_MUST_CHECK ckda_status ckda_allwords_sweep(ckda_allwords_row **rows, size_t *count,
                                                ckda_tracker_t t, const ckda_arith *list,
                                                size_t n, const ckda_allwords_options *o,
                                                ckda_error *err);
void ckda_allwords_sweep_clear(ckda_allwords_row *rows, size_t count);

#ifdef __cplusplus
}
#endif
#endif
