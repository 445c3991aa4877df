/* The search inside: states as bytes, shards, batches, saved searches. */
#ifndef CKDA_SRC_REACH_SEARCH_INTERNAL_H
#define CKDA_SRC_REACH_SEARCH_INTERNAL_H
#include "ckda/ranks.h"
#include "ckda/save.h"
#include "reach_internal.h"

#include <string.h>

/* ---- step.c: states as bytes, letters acting on them -------------------------------- */

typedef struct {
    uint32_t column, coefficient;
} step_term;

/* One row of a letter modulo one prime: its terms, and the row of the offset or NULL. */
typedef struct {
    uint32_t first, count;
    bool copy; /* one term with coefficient 1 and no offset */
    const uint32_t *offset;
} step_row;

typedef struct {
    const images *im;
    size_t width, bytes; /* of a residue, of a state */
    step_row *row;       /* [prime][letter][n] */
    step_term *term;
    bool *sparse; /* [prime][letter] */
} stepper;

/* Borrows im. */
void stepper_init(stepper *st, const images *im);
void stepper_clear(stepper *st);
void stepper_pack(uint8_t *to, const stepper *st, const uint32_t *from);
/* The residues of a state, in room (im->words) unless they stand there as they are.  A
 * state of four bytes a residue must be as aligned as they. */
const uint32_t *stepper_unpack(uint32_t *room, const stepper *st, const uint8_t *from);
/* Is every residue below its prime? */
bool stepper_is_state(const stepper *st, const uint8_t *from, uint32_t *room);
/* to = T_x(state), the state given as bytes and as residues; room: im->words.  to overlaps
 * neither. */
void stepper_apply(uint8_t *to, const stepper *st, uint32_t x, const uint8_t *bytes,
                   const uint32_t *from, uint32_t *room);

/* ---- store.c: the states, in shards --------------------------------------------------- */

enum {
    STORE_SHARD_BITS = 6,
    STORE_SHARDS = 1 << STORE_SHARD_BITS,
    STORE_LOCAL_BITS = 26
};
#define STORE_NONE UINT32_MAX
#define STORE_MOST_LOCAL ((UINT32_C(1) << STORE_LOCAL_BITS) - 2)

typedef struct {
    uint32_t count, room; /* states */
    uint32_t segments, places;
    uint8_t **segment;
    uint32_t *slot; /* 0: empty, else a mark of 6 bits and the local index + 1 */
    uint64_t slots;
} shard;

/* A record is the bytes of a state, then its label and its number, each if asked for. */
typedef struct {
    size_t bytes, label, number, stride; /* of a state; where the others begin; of all */
    uint32_t shift;                      /* 2^shift records a segment */
    uint32_t first_states, first_slots;  /* of a shard, when its first state comes */
    shard shard[STORE_SHARDS];
} store;

void store_init(store *s, size_t bytes, bool label, bool number);
/* About so many states will come (there is none yet): room for them at once. */
void store_expect(store *s, uint32_t states);
void store_clear(store *s);
uint64_t store_hash(const store *s, const uint8_t *state);
static inline uint32_t
store_shard(uint64_t hash)
{
    return (uint32_t)(hash >> (64 - STORE_SHARD_BITS));
}
static inline uint32_t
store_mark(uint64_t hash)
{
    return (uint32_t)(hash >> (64 - 2 * STORE_SHARD_BITS)) & (STORE_SHARDS - 1);
}
/* Record number `local` of shard k.  It moves only while its shard has one segment. */
static inline uint8_t *
store_at(const store *s, uint32_t k, uint32_t local)
{
    const size_t in = local & ((UINT32_C(1) << s->shift) - 1);
    return s->shard[k].segment[local >> s->shift] + in * s->stride;
}
/* The label or number of a record, which may stand at any address. */
static inline uint32_t
store_word(const uint8_t *at)
{
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return word;
}
static inline void
store_set_word(uint8_t *at, uint32_t word)
{
    memcpy(at, &word, sizeof word);
}
void store_prefetch_slot(const store *s, uint64_t hash);
void store_prefetch_state(const store *s, uint64_t hash);
/* The local index of a state in the shard of its hash, or STORE_NONE. */
uint32_t store_find(const store *s, const uint8_t *state, uint64_t hash);
/* Adds a state that store_find does not know; its label and number are not set. */
uint32_t store_add(store *s, const uint8_t *state, uint64_t hash);
/* Bytes held; bytes that `more` further states in shard k would add. */
uint64_t store_bytes(const store *s);
uint64_t store_growth(const store *s, uint32_t k, uint64_t more);

/* ---- search.c ------------------------------------------------------------------------- */

/* What a thread has for itself.  Its list holds the edges of its share that are to be
 * inserted; number i of the list has its candidate and hash at place first + i.  `sorted`
 * names them once more, by the thread that inserts them: from begin[t] to begin[t + 1] for
 * thread t; number i stands at turn[i] there, and its target is found[first + turn[i]].
 * So threads that insert write to lines of the cache that no other writes to. */
typedef struct {
    uint32_t *list, count; /* edges, in order */
    uint32_t first;
    uint32_t *sorted, *turn, begin[STORE_SHARDS + 1];
    uint32_t fresh;          /* how many edges of the list found new states */
    uint32_t *from, *to;     /* room for a state */
    uint32_t bad, want, got; /* the first inconsistent edge, its labels */
} worker;

typedef struct {
    uint64_t first; /* number of an edge: state * letters + letter */
    uint32_t size, most, threads, first_parent;
    uint8_t thread_of[STORE_SHARDS]; /* who inserts into a shard */
    uint32_t
        *parent; /* local indices of the states that are expanded, from first_parent */
    uint32_t parents; /* room for them */
    /* places for `most` edges (see worker): candidate, its hash, local index of the target */
    uint8_t *state;
    uint64_t *hash;
    uint32_t *found; /* top bit: a new one */
    worker *worker;
    uint32_t nworkers;
    uint64_t held; /* bytes of the states, kept where edges are inserted one by one */
    /* With several processes, else NULL; by edge: is the target kept here; expanded here,
     * then one more than the shard of a new state or 0; label asked for; number of the
     * target + 1. */
    uint8_t *mine, *kind;
    uint32_t *want, *number;
} batch;

/* How a run is to go on, and when it began. */
typedef struct {
    const ckda_reach_options *o;
    double began, deadline; /* on ckda_wall_seconds; deadline 0: none */
} run_control;

struct search {
    const ckda_system_struct *sys;
    const images *im;
    const run_control *control;
    bool on_record; /* saved to the checkpoint, shown as progress */
    int threads;
    uint32_t rank, ranks; /* this process and how many there are */
    bool numbers;         /* records have numbers: the graph is kept (by process 0) */
    uint64_t max_states, max_bytes; /* max_bytes 0: no limit */
    stepper step;
    store states;
    uint32_t count;
    uint64_t edges; /* looked at; hence the number of the next one */
    bool closed;
    const char *limit;
    uint64_t *level;
    uint32_t nlevels, level_room;
    uint32_t level_end;            /* the first state after the level being expanded */
    uint32_t cursor[STORE_SHARDS]; /* local index of the next state to expand */
    /* by number, room for `room` states: shard; graph (or NULL) */
    uint8_t *owner;
    uint32_t *next, *parent, *via;
    uint32_t room;
    uint32_t *label; /* by number, where records have none (right.c), else NULL */
    batch b;
    bool consistent;
    uint64_t bad_state;
    uint32_t bad_letter, bad_want, bad_got;
    uint32_t pump_round; /* the next one to try */
    ckda_pump pump;      /* a proof that there are infinitely many states */
    uint64_t most_bytes;
    double save_at, show_at;
    uint32_t save_turn; /* with several processes two files are written in turn */
};

/* Does this process keep shard k? */
static inline bool
search_owns(const search *s, uint32_t k)
{
    return k % s->ranks == s->rank;
}
/* s holds nothing yet, not even the initial state.  Borrows sys, im and control. */
void search_init(search *s, const ckda_system_t sys, const images *im,
                 const run_control *control, bool keep_graph);
/* From the initial state, or from where a saved search stood.  With may_pump, a search
 * that has found many states looks for a proof that there are infinitely many, and stops
 * if it finds one.  CKDA_E_IO when it cannot be saved. */
CKDA_MUST_CHECK ckda_status search_run(search *s, bool may_pump, ckda_error *err);
void search_clear(search *s);
/* Bytes of all that grows with the number of states, with room for so many numbers.  They
 * depend on the states only, not on how the search came to them. */
uint64_t search_bytes(const search *s, uint64_t count);
/* The part of them that is not the states'. */
uint64_t search_number_bytes(const search *s, uint64_t count);
/* Room for so many numbers. */
void search_reserve(search *s, uint64_t count);
/* The labels by number; flint_malloc'ed. */
uint32_t *search_labels(const search *s);
void search_push_level(search *s, uint64_t size);
/* The label that an edge asks for, by its letter and the label of its state. */
static inline uint32_t
search_product(const search *s, uint32_t letter, uint32_t label)
{
    const ckda_group_struct *G = s->sys->G;
    const uint32_t g = s->sys->letter_element[letter];
    return G->table != NULL ? G->table[g * G->order + label]
                            : ckda_group_mul(G, g, label);
}

/* ---- right.c: small closures with many letters ---------------------------------------- */

/* The whole search from the initial state, if it suits; else s is as it was. */
bool search_by_right_products(search *s);

/* ---- checkpoint.c: searches saved to a file ------------------------------------------- */

/* What of the file is needed before there are images.  Several processes have a file each,
 * "PATH.RANK-of-COUNT.TURN", and write two in turn: one of the two is whole for all of
 * them, whenever they are killed. */
typedef struct {
    ckda_load *file;
    void *head;
    uint32_t nprimes, prime; /* prime: the one small prime, or 0 */
    uint32_t turn;
    bool graph;
} saved_search;

CKDA_MUST_CHECK ckda_status checkpoint_write(const search *s, const char *path,
                                             ckda_error *err);
/* Opens the file and reads its beginning; checkpoint_read goes on with it.  CKDA_E_INPUT
 * when it is damaged or of another system. */
CKDA_MUST_CHECK ckda_status checkpoint_open(saved_search *saved, const char *path,
                                            const ckda_system_t sys, ckda_error *err);
void checkpoint_close(saved_search *saved);
/* s has been initialised with the images that `saved` asks for and holds nothing yet.
 * CKDA_E_INPUT: what it holds is no search; CKDA_E_UNABLE: beyond the limits. */
CKDA_MUST_CHECK ckda_status checkpoint_read(search *s, saved_search *saved,
                                            ckda_error *err);

/* ---- spread.c: for several processes, called by all of them --------------------------- */

void spread_init(search *s);
void spread_clear(batch *b);
/* After expand: candidates go to the processes that keep their shards. */
void spread_candidates(search *s);
/* A batch of one edge: the limit that refuses it, or NULL. */
const char *spread_refuses(const search *s);
void spread_kinds(search *s);
void spread_links(search *s);
uint32_t spread_first_bad(uint32_t edge, uint32_t *want, uint32_t *got);

/* ---- batch.c -------------------------------------------------------------------------- */

void batch_init(search *s);
void batch_clear(batch *b);
/* The most edges of a batch. */
uint32_t batch_most(const search *s);
/* The next edges, up to number end.  s->limit is set when one of the limits on states and
 * memory stopped it. */
void batch_run(search *s, uint64_t end);

#endif
