/* Shared inside the net room only: how a network is kept. */
#ifndef CKDA_NET_INTERNAL_H
#define CKDA_NET_INTERNAL_H
#include <string.h>
#include "ckda/net.h"
#include "ckda/subgroup.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Of any network; the certificates' checker holds as many heads. */
enum { NET_MAX_LAYERS = 16, NET_MAX_HEADS = 16 };
/* Numbers in one table of a document. */
enum { NET_MAX_ENTRIES = 4000000 };

/* ---- a finite table from outputs to numbers --------------------------------------- */

typedef struct {
    bool quaternion; /* what is looked up is f(o^T), a 3 x 3 rotation, instead of o */
    uint32_t count;
    ckda_mat_struct *entry; /* count different matrices */
    uint32_t *bucket;       /* hash of the entries: index + 1, 0 = empty */
    uint32_t mask;
} net_reader;

/* Takes over entry; false (and r unusable) when two entries are equal. */
bool net_reader_init(net_reader *r, bool quaternion, ckda_mat_struct *entry,
                     uint32_t count, const ckda_field_t K);
void net_reader_clear(net_reader *r, const ckda_field_t K);
/* The index of o, or -1. */
int64_t net_reader_find(const net_reader *r, const ckda_mat_t o, const ckda_field_t K);

/* ---- the block scheme ------------------------------------------------------------- */

/* The product of a block of letters is factored; one factor is applied, the rest of the
 * factors and the letters behind the block go into the query. */
typedef struct {
    ckda_factor_scheme scheme;
    slong n, N, m; /* main and whole dimension, block length = factors a block */
    uint32_t nletters;
    slong *image;             /* letters as maps: nletters x n, or NULL */
    ckda_mat_struct *matrix;  /* letters as matrices, or NULL */
    ckda_elem_struct *weight; /* n: what is read off the completed state */
} net_blocks;

/* What the tokens say: which block, which factor of it, which letters follow. */
typedef struct {
    const uint32_t *block; /* m letters, NULL before the first block is complete */
    const uint32_t *after;
    slong nafter;
    slong now; /* factor `now` of the block is applied at this position, 0-based */
} net_tokens;

void net_blocks_clear(net_blocks *b, const ckda_field_t K);
ckda_status net_blocks_step(ckda_net_step *t, const net_blocks *b, const net_tokens *w,
                            const ckda_field_t K, ckda_error *err);

/* ---- lookups and decoders --------------------------------------------------------- */

typedef enum {
    LOOKUP_LETTER, /* a step for each letter (or one for all) */
    LOOKUP_SLOT,   /* clock output -> r; writes the letter into slot r */
    LOOKUP_BLOCK,  /* buffer output, r -> factor and query */
    LOOKUP_WINDOW, /* clock mod 2 and the last three letters -> factor and query */
    LOOKUP_COSET   /* r, output -> state s of the layers below; u(s)^-1 x u(s before x) ->
                      step */
} lookup_kind;
#define LOOKUPS 5

typedef struct {
    lookup_kind kind;
    net_reader read;     /* slot, window, coset: of the first head below */
    uint32_t nsteps;     /* letter: 1 or the number of letters; coset: steps */
    ckda_net_step *step; /* nsteps x heads of the layer */
    net_blocks blocks;   /* block, window */
    /* coset: s = r * read.count + what the reader says */
    uint32_t nrep;
    uint32_t *rep;    /* u(s), an element of the group */
    uint32_t *before; /* before[x * nrep + s] */
    uint32_t *part;   /* an element of each step */
    uint32_t nkernel; /* the others are its products with these on the right */
    uint32_t *kernel; /* 1 among them */
    uint32_t *row;    /* derived: step of (x, s) */
} net_lookup;

typedef enum {
    DECODE_DIGITS, /* base n+1 digits: digit i+1 in place j says i -> j */
    DECODE_STATE,  /* a state index */
    DECODE_NUMBER,
    DECODE_COSET, /* u(r) times the element that the table gives */
    DECODE_JOINT  /* the element that the outputs of all heads together stand for */
} decode_kind;
#define DECODERS 5

/* A table from the outputs of several heads to elements (joint.c). */
typedef struct net_joint net_joint;

typedef struct {
    decode_kind kind;
    net_reader read; /* coset */
    uint32_t nrep;
    uint32_t *rep;  /* coset: u(r) */
    uint32_t *part; /* coset: the element of each entry */
    net_joint *joint;
} net_decoder;

struct ckda_net {
    char *construction;
    slong block;
    uint32_t nheads;
    ckda_net_head *head;
    uint32_t nlayers;
    uint32_t *first;    /* nlayers + 1: where the heads of each layer begin */
    net_lookup *lookup; /* nlayers */
    net_decoder decoder;
    /* the automaton */
    ckda_net_kind kind;
    uint32_t nletters;
    char **letter;     /* names */
    ckda_group_t G;    /* group */
    uint32_t *element; /* group: of each letter */
    ckda_dfa_t dfa;
    ckda_wfa_t wfa;
    ckda_field_t Q; /* the rational field */
};

/* ---- making one ------------------------------------------------------------------- */

char *net_copy_text(const char *text);
/* An empty network; heads are then added layer by layer. */
ckda_net *net_new(const char *construction, ckda_net_kind kind, uint32_t nletters);
/* Appends a head to the last layer, or to a new one; K is copied, H_0 is zero. */
ckda_net_head *net_add_head(ckda_net *net, const char *name, bool new_layer, slong n,
                            slong m, slong h, slong s, const ckda_field_t K);
net_lookup *net_last_lookup(ckda_net *net);
/* Room for nsteps x heads of the last layer; all in their initial value. */
void net_lookup_steps(ckda_net *net, net_lookup *l, uint32_t nsteps);
/* step_of[g] (order of the group): the step of each element, or UINT32_MAX.  CKDA_E_DOMAIN
 * when an element has two. */
ckda_status net_coset_steps(uint32_t *step_of, const ckda_net *net, const net_lookup *l,
                            ckda_error *err);
/* Fills l->row from the other members.  CKDA_E_DOMAIN when some step is missing. */
ckda_status net_coset_rows(ckda_net *net, net_lookup *l, ckda_error *err);
void net_set_group(ckda_net *net, ckda_group_t G, const uint32_t *letters,
                   const char *const *names);
void net_set_dfa(ckda_net *net, const ckda_dfa_t A);
void net_set_wfa(ckda_net *net, const ckda_wfa_t A);
/* The letters as maps or matrices. */
void net_blocks_init(net_blocks *b, const ckda_net *net, ckda_factor_scheme scheme,
                     slong N, slong m);
/* Writes the identity into the query (n x n). */
void net_query_all(ckda_net_step *t, const ckda_field_t K);
/* One transition, as the step of a head that reads its whole state. */
void net_step_set_trans(ckda_net_step *t, const ckda_trans_struct *u,
                        const ckda_field_t K);
/* What a reader must find for each element of a construction: the rotations for f, else
 * the transposed states.  count: the order of its group. */
ckda_mat_struct *net_expected(const ckda_construction_t c, uint32_t count);

/* ---- decoders of several heads (joint.c) --------------------------------------------- */

net_joint *net_joint_new(uint32_t heads);
/* head: those of the layer; j may be NULL. */
void net_joint_clear(net_joint *j, const ckda_net_head *head);
/* The reader of one head, to be initialised by the caller before anything is found. */
net_reader *net_joint_reader(const net_joint *j, uint32_t head);
/* What the readers say, a number a head, stands for the element; false: it is known. */
bool net_joint_add(net_joint *j, const uint32_t *tuple, uint32_t element);
uint32_t net_joint_count(const net_joint *j);
/* Entry number `at`: the tuple, in the order of adding. */
const uint32_t *net_joint_tuple(uint32_t *element, const net_joint *j, uint32_t at);
/* The element, or -1. */
int64_t net_joint_find(const net_joint *j, const ckda_mat_struct *const *o,
                       const ckda_net_head *head);

/* ---- the ways to compile ---------------------------------------------------------- */

ckda_status net_make_three(ckda_net *net, const ckda_net_options *opt, ckda_error *err);
ckda_status net_make_window(ckda_net *net, const ckda_net_options *opt, ckda_error *err);
/* The accumulator: head, lookup parameters and decoder of the network's automaton. */
void net_add_accumulator(ckda_net *net, lookup_kind kind, ckda_factor_scheme scheme,
                         slong N, slong m);
ckda_status net_make_series(ckda_net *net, ckda_error *err);
/* Along G > chain[0] > chain[1] > ... > 1 (flags for the elements of G, each normal in the
 * one before).  CKDA_E_DOMAIN, and the network is as it was, when a factor is outside
 * SO(3). */
ckda_status net_make_chain(ckda_net *net, const bool *const *chain, uint32_t count,
                           ckda_error *err);
ckda_status net_make_small(ckda_net *net, ckda_error *err);

/* ---- factors of a series (series_factor.c) ------------------------------------------ */

typedef struct {
    ckda_construction_t c;     /* tracks the factor above / below */
    uint32_t *element;         /* of each element of c's group: one of its coset */
    const bool *above, *below; /* borrowed; NULL: all of G, the trivial subgroup */
    uint32_t order_above, order_below;
} net_factor;
/* CKDA_E_DOMAIN unless each of the chain is a proper normal subgroup of the one before. */
ckda_status net_check_series(const ckda_group_t G, const bool *const *chain,
                             uint32_t count, ckda_error *err);
/* count + 1 factors, initialised here; errors as net_make_chain. */
ckda_status net_factors_init(net_factor **f, const ckda_group_t G,
                             const bool *const *chain, uint32_t count, ckda_error *err);
void net_factors_clear(net_factor *f, uint32_t n);

/* ---- subgroups (subgroup.c) ------------------------------------------------------- */

typedef struct {
    bool *in; /* order of the group */
    uint32_t order;
} net_subgroup;
/* All normal subgroups that are normal closures of one or two elements, largest first,
 * G and the trivial group left out. */
uint32_t net_normal_subgroups(net_subgroup **list, const ckda_group_t G);
void net_subgroups_clear(net_subgroup *list, uint32_t count);

#endif
