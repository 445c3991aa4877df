/* The all-words search inside: nodes, the breadth-first search, its file. */
#ifndef CKDA_SRC_AUDIT_ALLWORDS_INTERNAL_H
#define CKDA_SRC_AUDIT_ALLWORDS_INTERNAL_H
#include "ckda/allwords.h"

/* ---- allwords_nodes.c: states in the order in which they were met ------------------- */

#define NO_NODE UINT32_MAX

typedef struct {
    size_t bytes;      /* of one packed state */
    bool pairs;        /* is (bits, exact) the state, or bits alone? */
    uint32_t max;      /* most nodes allowed */
    uint64_t max_size; /* most bytes of all arrays; 0: no limit */
    uint32_t count, room;
    uint8_t *bits;   /* room * bytes */
    uint32_t *exact; /* exact state (or column) of the first word */
    bool numbered;
    uint32_t
        *number; /* if numbered: among the nodes of all processes, increasing, NO_NODE
                         as long as it is not known; else NULL: the index */
    uint32_t *parent; /* number of the node it was first reached from; 0 for the root */
    uint16_t *via;    /* by this letter */
    uint32_t *slot;   /* open addressing, mask + 1 slots, NO_NODE: empty; load <= 1/2 */
    uint64_t mask;
    const char *limit; /* why allwords_nodes_add refused: "states" or "memory" */
} nodes;

/* max_bytes: of limits, or the part of it that is for this process. */
void allwords_nodes_init(nodes *s, size_t bytes, bool pairs, bool numbered,
                         uint64_t max_states, uint64_t max_bytes);
void allwords_nodes_clear(nodes *s);
uint64_t allwords_nodes_hash(const nodes *s, const uint8_t *bits, uint32_t exact);
/* Fetches the slot, then (in a later round) the state that it holds. */
void allwords_nodes_prefetch_slot(const nodes *s, uint64_t hash);
void allwords_nodes_prefetch_state(const nodes *s, uint64_t hash);
/* The node with these bits (and this exact state, for pairs), or NO_NODE. */
uint32_t allwords_nodes_find(const nodes *s, uint64_t hash, const uint8_t *bits,
                             uint32_t exact);
/* Adds a node that allwords_nodes_find does not know; NO_NODE when a limit refuses. */
uint32_t allwords_nodes_add(nodes *s, uint64_t hash, const uint8_t *bits, uint32_t exact,
                            uint32_t parent, uint16_t via);
static inline uint32_t
allwords_nodes_number(const nodes *s, uint32_t index)
{
    return s->numbered ? s->number[index] : index;
}
/* The first node with at least this number, or count. */
uint32_t allwords_nodes_from(const nodes *s, uint32_t number);
/* Takes back the nodes that were added last, until `count` are left. */
void allwords_nodes_truncate(nodes *s, uint32_t count);
/* Room for count nodes at once (a saved search); false when a limit refuses. */
bool allwords_nodes_reserve(nodes *s, uint32_t count);
/* The table over nodes 0 .. count-1, whose arrays were filled from outside; false if two of
 * them are equal. */
bool allwords_nodes_index(nodes *s);
/* ---- allwords_search.c -------------------------------------------------------------- */

typedef enum { SEARCH_OPEN, SEARCH_CLOSED, SEARCH_FAILED } search_end;

/* What is known after the nodes 0 .. next-1 have been expanded.  Nodes are named by their
 * numbers here, in the order in which one thread of one process would meet them. */
typedef struct {
    uint32_t next;
    uint32_t *level_start; /* first node of each level; nlevels of them */
    uint32_t nlevels, level_room;
    uint64_t aliased; /* of the edges that were merged here */
    double error;     /* largest distance as computed, not yet rounded up */
} search_progress;

typedef struct {
    ckda_allwords_failure kind; /* CKDA_ALLWORDS_NO_FAILURE: none */
    bool at_root;
    uint32_t node, letter; /* the edge */
    uint32_t other;        /* COLLISION: the node that has the bits already */
    uint32_t decoded;
    bool tied;
} search_failure;

typedef struct {
    const ckda_rounded_struct *R;
    const ckda_tracker_struct *t;
    const ckda_allwords_options *o;
    bool columns;         /* single columns (m = 1), pairs, no read-out */
    slong m;              /* columns of a state */
    size_t entries;       /* n * m */
    double give_up;       /* columns: an error from here on cannot be certified */
    uint32_t rank, ranks; /* this process, and how many share the search */
    uint32_t max;         /* most nodes allowed, of all together */
    nodes s;              /* those that are kept here */
    uint32_t count;       /* of all processes together */
    uint32_t own;         /* index of the first one here that is not yet expanded */
    uint64_t aliased;     /* of all processes, once the search has ended */
    search_progress p;
    search_failure failure;
    const char *limit;
    double began;  /* on the wall clock */
    double before; /* seconds that earlier parts of a saved search took */
    double shown;  /* when progress was last told */
    double stored; /* when it was last saved */
    uint32_t save_turn;
} search;

/* A search of the whole state (position < 0) or of one start column. */
void allwords_search_init(search *S, const ckda_rounded_t R, const ckda_tracker_t t,
                          const ckda_allwords_options *o, slong position);
void allwords_search_clear(search *S);
/* Adds the initial state; false when it already decodes wrongly or a limit refuses. */
bool allwords_search_root(search *S, slong position);
/* Goes on until it closes, fails or is stopped (S->limit).  CKDA_E_IO from saving. */
CKDA_MUST_CHECK ckda_status allwords_search_run(search_end *end, search *S,
                                                ckda_error *err);
/* The least distance from a rounding tie over all edges of a closed search: a pass of its
 * own, since an open search has no use for it. */
double allwords_search_tie(const search *S);
/* next[node * letters + letter] of a closed search, found anew by a second expansion of
 * every node.  NULL when memory is short, and for processes other than 0.  Aborts if the
 * graph is not closed. */
uint32_t *allwords_search_graph(const search *S);
/* The word that leads to a node; *word is malloc'ed.  spare more letters are left room
 * for. */
size_t allwords_search_word(uint32_t **word, const search *S, uint32_t number,
                            size_t spare);
/* Every word of at most this length has been looked at. */
uint32_t allwords_search_complete_levels(const search *S);

/* ---- allwords_batch.c ---------------------------------------------------------------- */

/* What an edge leads to. */
typedef enum {
    EDGE_SAME,     /* known, with this exact state */
    EDGE_ALIASED,  /* known, the same element but another exact state */
    EDGE_COLLIDES, /* known, another element */
    EDGE_NEW,      /* not known; certain to decode rightly */
    EDGE_FAR,      /* not known; the read-out must be asked */
    EDGE_RANGE     /* does not fit the stored form */
} edge_kind;

/* Nodes first .. first+count-1 of one level with all their edges, numbered by node and
 * letter from 0 on. */
typedef struct {
    uint32_t first, count, most; /* numbers of nodes; most: of them in a batch */
    uint32_t own, nown;          /* indices of those that are kept here */
    size_t edges;
    double *to; /* per edge, entries each */
    uint8_t *bits;
    uint64_t *hash;
    uint32_t *want; /* exact state that the edge asks for */
    uint32_t *found;
    uint8_t *kind;
    double *distance;
    uint8_t *mine;  /* is the target kept here?  NULL: all are */
    uint8_t *fresh; /* did the edge find a new state? */
    /* Twice the first edge that stopped the search, plus one if it counts still; twice the
     * edges if none did. */
    size_t stop;
} batch;

void allwords_batch_init(batch *b, const search *S, int threads);
void allwords_batch_clear(batch *b);
/* The nodes from number `first` on, but for those from `end` on; the first one that is kept
 * here has the index `own`. */
void allwords_batch_begin(batch *b, const search *S, uint32_t first, uint32_t end,
                          uint32_t own);
/* Edges: successors, their bits, what is known of them, each by the process that keeps the
 * target.  What others see is only read. */
void allwords_batch_expand(batch *b, const search *S, int threads);
static inline bool
batch_has(const batch *b, size_t e)
{
    return b->mine == NULL || b->mine[e] != 0;
}
/* The edge to node `found`, when the exact state wanted is `want` and H was computed.
 * distance is written for EDGE_ALIASED. */
edge_kind allwords_known_edge(double *distance, uint32_t found, uint32_t want,
                              const double *H, const search *S);
uint32_t allwords_next_exact(const search *S, uint32_t exact, uint32_t letter);
/* |h - scale v|, +infinity when it is no number. */
double allwords_column_distance(const double *h, uint32_t column, const search *S);

/* ---- allwords_spread.c: for several processes, called by all of them ------------------- */

/* The process that keeps the state of this hash. */
static inline uint32_t
search_owner(const search *S, uint64_t hash)
{
    return (uint32_t)(hash >> 32) % S->ranks;
}
/* After the expansion: edges go to the processes that keep their targets. */
void allwords_spread_edges(batch *b, const search *S);
/* After merging: the first stop of all, and which edges found new states. */
void allwords_spread_outcome(batch *b);
/* Why the search stopped, from the process that stopped it (here: is it this one?), to
 * all. */
void allwords_spread_reason(search *S, bool here);
/* S->aliased and the largest error of all. */
void allwords_spread_totals(search *S);
/* The least x of all, none of which is negative. */
double allwords_spread_least(double x);
/* b->found: numbers of the nodes that the edges of a closed search lead to. */
void allwords_spread_found(batch *b, const search *S);
/* Process 0 gets the nodes of all, by number, in place of its own; the others lose theirs.
 * false when its memory is short. */
bool allwords_spread_gather(search *S);

/* ---- allwords_readout.c --------------------------------------------------------------- */

/* Is it certain that H decodes to the element of exact state e?  distance as in
 * ckda_tracker_is_near at the scale of H_0. */
bool allwords_certainly_right(double *distance, const double *H, uint32_t e,
                              const ckda_rounded_t R, const ckda_tracker_t t);
/* The same, decided exactly where that is needed; *decoded and *tied tell what else. */
ckda_truth allwords_decodes_right(uint32_t *decoded, bool *tied, double *distance,
                                  const double *H, uint32_t e, const ckda_rounded_t R,
                                  const ckda_tracker_t t);
/* d, computed to 1e-14 relative to scale (and to itself), rounded up. */
double allwords_rounded_up(double d, double scale);

/* ---- allwords_checkpoint.c ----------------------------------------------------------- */

CKDA_MUST_CHECK ckda_status allwords_checkpoint_write(const search *S, const char *path,
                                                      ckda_error *err);
/* S has been initialised and holds no node yet. */
CKDA_MUST_CHECK ckda_status allwords_checkpoint_read(search *S, const char *path,
                                                     ckda_error *err);

/* ---- allwords_columns.c, allwords_witness.c ------------------------------------------ */

/* Fills r->column_*; CKDA_TRUE: every word decodes rightly. */
CKDA_MUST_CHECK ckda_status allwords_columns_run(ckda_truth *holds, ckda_allwords_t r,
                                                 const ckda_rounded_t R,
                                                 const ckda_tracker_t t,
                                                 const ckda_allwords_options *o,
                                                 ckda_error *err);
/* A word that decodes wrongly, malloc'ed, or NULL.  edges: about how many steps may be
 * spent; beam == false: repeated letters only. */
uint32_t *allwords_witness_find(size_t *length, const ckda_rounded_t R,
                                const ckda_tracker_t t, uint64_t edges, bool beam,
                                const volatile sig_atomic_t *stop);

/* ---- allwords.c ----------------------------------------------------------------------- */

/* malloc that never returns NULL. */
void *allwords_memory(size_t size);

#endif
