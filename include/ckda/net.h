/* ckda/net.h -- networks of CKDA layers that compute exactly what an automaton computes.
 *
 * A network is data.  Its heads stand in layers 1, 2, ...; every head is literally
 *
 *     H_t = (I - beta k k^T) Diag(alpha) H_{t-1} + beta k v^T,    o_t = H_t^T q_t,
 *
 * read after the write (with s > 1 steps: the gate, then s such updates in turn,
 * DeltaProduct).  Keys are directions w: with scale = beta / w^T w and the value given as
 * |w| v, nothing leaves the field.  H is n x m (key x value dimension), q is n x h
 * (h queries), o is m x h.
 *
 * Between the layers stand lookups: pure functions of a ckda_net_signal, that is of
 * (o, r, x): the outputs of the layer below, the small number r that the lookup below
 * passed on, the letter read now.  They see no state and no earlier position.  Only
 * ckda_net_recur touches a state, and it knows nothing of automata.
 *
 * Words are read in time order.  Positions are t = 1, 2, ...  Letters, states and heads
 * are numbered from 0.  A network is immutable once made; threads may share it.  When a
 * function returns anything but CKDA_OK its results keep the values they had and an
 * object to be made here does not exist. */
#ifndef CKDA_NET_H
#define CKDA_NET_H
#include "ckda/automaton.h"
#include "ckda/construct.h"
#include "ckda/doc.h"
#include "ckda/factorise.h"
#include "ckda/group.h"
#include "ckda/limits.h"
#include "ckda/mat.h"
#include "ckda/reach.h"
#include "ckda/wfa.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ckda_net ckda_net;

/* ---- the recurrence --------------------------------------------------------------- */

/* What one head does at one position.  The arrays point into data (1 x everything). */
typedef struct {
    slong n, m, h, s;
    ckda_elem_struct *beta;  /* s */
    ckda_elem_struct *key;   /* s x n, directions; one of beta 0 may be zero */
    ckda_elem_struct *gate;  /* n */
    ckda_elem_struct *value; /* s x m, times the length of the key */
    ckda_elem_struct *query; /* n x h */
    ckda_elem_struct *scale; /* s: beta / key^T key, set by ckda_net_step_ready */
    ckda_mat_t data;
} ckda_net_step;

/* beta, value and query 0, keys e_1, gate 1: H stays, nothing is read. */
void ckda_net_step_init(ckda_net_step *t, slong n, slong m, slong h, slong s,
                        const ckda_field_t K);
void ckda_net_step_clear(ckda_net_step *t, const ckda_field_t K);
/* t = u, of the same shapes. */
void ckda_net_step_set(ckda_net_step *t, const ckda_net_step *u, const ckda_field_t K);
/* To be called after beta or a key was written.  CKDA_E_DOMAIN for a zero key with
 * beta != 0. */
CKDA_MUST_CHECK ckda_status ckda_net_step_ready(ckda_net_step *t, const ckda_field_t K);

/* The bare recurrence: H (n x m) is updated, then o (m x h) is read. */
void ckda_net_recur(ckda_mat_t H, ckda_mat_t o, const ckda_net_step *t,
                    const ckda_field_t K);

/* ---- what a network consists of --------------------------------------------------- */

typedef struct {
    char *name;     /* "clock", "buffer", "accumulator", "parity", "tracker", ... */
    uint32_t layer; /* from 0 */
    slong n, m, h, s;
    ckda_field_t K;
    ckda_mat_t initial; /* H_0, n x m */
} ckda_net_head;

uint32_t ckda_net_layers(const ckda_net *net);
uint32_t ckda_net_heads(const ckda_net *net);
/* Heads of one layer stand together, layers in order. */
const ckda_net_head *ckda_net_get_head(const ckda_net *net, uint32_t head);
/* The first head of a layer and their number. */
uint32_t ckda_net_layer_heads(uint32_t *first, const ckda_net *net, uint32_t layer);
/* "letter", "slot", "block", "window" or "coset". */
const char *ckda_net_lookup_name(const ckda_net *net, uint32_t layer);
uint32_t ckda_net_letters(const ckda_net *net);
const char *ckda_net_letter_name(const ckda_net *net, uint32_t letter);
/* "three-layer", "series", "small", "window" or the name of a one-layer construction. */
const char *ckda_net_construction(const ckda_net *net);
/* Block length m, 0 where there are no blocks. */
slong ckda_net_block(const ckda_net *net);

/* All that a lookup may know. */
typedef struct {
    const ckda_mat_struct *const *o; /* a matrix for each head of the layer below */
    slong r;                         /* 0 below layer 1 */
    uint32_t x;
} ckda_net_signal;

/* The lookup in front of a layer: the steps of its heads (initialised, in order) and the
 * number that goes on to the next lookup.  CKDA_E_DOMAIN where it has no entry for these
 * inputs, which cannot happen in a network that was compiled here; results are then of no
 * meaning.  */
CKDA_MUST_CHECK ckda_status ckda_net_lookup(ckda_net_step *step, slong *r,
                                            const ckda_net *net, uint32_t layer,
                                            const ckda_net_signal *in, ckda_error *err);

typedef enum { CKDA_NET_GROUP, CKDA_NET_DFA, CKDA_NET_WFA } ckda_net_kind;
ckda_net_kind ckda_net_get_kind(const ckda_net *net);
/* The automaton that the network is for; NULL if it is of another kind. */
const ckda_group_struct *ckda_net_group(const ckda_net *net);
const ckda_dfa_struct *ckda_net_dfa(const ckda_net *net);
const ckda_wfa_struct *ckda_net_wfa(const ckda_net *net);
/* group: the element of each letter, *n of them. */
const uint32_t *ckda_net_letter_elements(uint32_t *n, const ckda_net *net);
/* What the network says, or should say: a group element, a state, a number. */
typedef struct {
    bool valid;     /* false: the outputs decode to nothing */
    uint32_t index; /* of the element or the state */
    fmpq_t number;  /* wfa */
} ckda_net_output;
void ckda_net_output_init(ckda_net_output *out);
void ckda_net_output_clear(ckda_net_output *out);
bool ckda_net_output_equal(const ckda_net *net, const ckda_net_output *a,
                           const ckda_net_output *b);
/* Cycles, a state index, or a number; "none" if not valid.  free with free(). */
char *ckda_net_output_str(const ckda_net *net, const ckda_net_output *out);
/* Is the state accepting?  DFA only. */
bool ckda_net_accepts(const ckda_net *net, uint32_t state);
/* From the outputs of the last layer and the number that its lookup passed on. */
void ckda_net_decode(ckda_net_output *out, const ckda_net *net,
                     const ckda_mat_struct *const *o, slong r);

/* The direct product that outputs are compared with; knows nothing of layers. */
typedef struct {
    ckda_net_output now;
    ckda_mat_t state; /* wfa: the vector */
} ckda_net_target;
void ckda_net_target_init(ckda_net_target *t, const ckda_net *net);
void ckda_net_target_clear(ckda_net_target *t, const ckda_net *net);
void ckda_net_target_step(ckda_net_target *t, uint32_t letter, const ckda_net *net);

/* ---- compiling -------------------------------------------------------------------- */

typedef enum {
    CKDA_NET_AUTO,   /* two layers: the first of the methods below that exists */
    CKDA_NET_THREE,  /* clock, buffer, accumulator [source: Thm 5] */
    CKDA_NET_SERIES, /* quotient tracker, then a tracker of the normal subgroup (F1);
                        series of any length: ckda_net_compile_series */
    CKDA_NET_SMALL,  /* the 2+3 machine of S_5, the 1+3 machine of A_5 (C1) */
    CKDA_NET_WINDOW  /* clock mod 2 with the last three letters, accumulator (B2) */
} ckda_net_method;
typedef struct {
    ckda_net_method method;
    ckda_factor_scheme scheme;
    slong block; /* three layers: block length; 0 takes the bound of the factoriser */
} ckda_net_options;

/* Letters are the given elements of G (named; NULL: named by their cycles).  On success
 * the network owns what G held and G is left empty; otherwise G is untouched.
 * CKDA_E_DOMAIN when the method does not exist for this group, CKDA_E_UNABLE when the
 * search for it would be too large. */
CKDA_MUST_CHECK ckda_status ckda_net_compile_group(
    ckda_net **net, ckda_group_t G, const uint32_t *letters, const char *const *names,
    uint32_t nletters, const ckda_net_options *opt, ckda_error *err);
/* One layer for each factor of the series G = N_0 > N_1 > ... > N_count > 1, chain[i] (flags
 * for the elements of G) being N_(i+1): each a proper normal subgroup of the one before, with
 * factors inside SO(3) [source: part C, F1].  A layer tracks its factor by letters that the
 * layers below choose.  count = 0: one layer.  Ownership of G as above.  CKDA_E_DOMAIN when
 * the chain is no such series, CKDA_E_UNABLE for more than 16 layers, a factor (but the last)
 * of more than CKDA_PERM_MAX elements or tables beyond the size of a document. */
CKDA_MUST_CHECK ckda_status ckda_net_compile_series(
    ckda_net **net, ckda_group_t G, const uint32_t *letters, const char *const *names,
    uint32_t nletters, const bool *const *chain, uint32_t count, ckda_error *err);
/* Methods: three, window. */
CKDA_MUST_CHECK ckda_status ckda_net_compile_dfa(ckda_net **net, const ckda_dfa_t A,
                                                 const ckda_net_options *opt,
                                                 ckda_error *err);
/* Method: three.  K: the rational field. */
CKDA_MUST_CHECK ckda_status ckda_net_compile_wfa(ckda_net **net, const ckda_wfa_t A,
                                                 const ckda_field_t K,
                                                 const ckda_net_options *opt,
                                                 ckda_error *err);
/* A construction as a network of one layer.  Letters as above; on success c->G has moved
 * into the network and c is cleared, otherwise c is untouched. */
CKDA_MUST_CHECK ckda_status ckda_net_construction_net(ckda_net **net,
                                                      ckda_construction_t c,
                                                      const uint32_t *letters,
                                                      const char *const *names,
                                                      uint32_t nletters, ckda_error *err);
/* One layer of nheads heads from transitions that were chosen elsewhere: trans[h * G->order
 * + g] of element g in head h, all of a head of one dimension.  r: the closed graph of their
 * joint states by these letters, with its labels (CKDA_REACH_KEEP_GRAPH).  The decoder is a
 * table: a joint state says the element of the shortest word that leads to it, so that a word
 * which leads there with another product is decoded wrongly.  G is as above.
 * CKDA_E_UNABLE for more than 16 heads or a larger table than a document may hold. */
CKDA_MUST_CHECK ckda_status ckda_net_heads_net(
    ckda_net **net, ckda_group_t G, const uint32_t *letters, const char *const *names,
    uint32_t nletters, const ckda_trans_struct *trans, uint32_t nheads,
    const ckda_field_t K, const ckda_reach_t r, ckda_error *err);
void ckda_net_close(ckda_net **net); /* sets *net = NULL */

/* ---- documents (schema ckda.net/1) ------------------------------------------------ */

/* The network as JSON: a new reference. */
json_t *ckda_net_json(const ckda_net *net);
/* How every document names the field of its numbers: {"generator", "minpoly", "root"}. */
json_t *ckda_net_field_json(const ckda_field_t K);
CKDA_MUST_CHECK ckda_status ckda_net_read(ckda_net **net, const ckda_node *at,
                                          ckda_error *err);

/* ---- running ---------------------------------------------------------------------- */

typedef struct ckda_net_run ckda_net_run;
ckda_net_run *ckda_net_run_open(const ckda_net *net);
void ckda_net_run_close(ckda_net_run **run);
/* One letter through all layers; the outputs of the last one are decoded.  When a lookup
 * has no entry, the output is not valid, the run is over and further steps change nothing
 * (err tells which lookup; may be NULL). */
void ckda_net_run_step(ckda_net_run *run, uint32_t letter, ckda_error *err);
const ckda_net_output *ckda_net_run_output(const ckda_net_run *run);
const ckda_mat_struct *ckda_net_run_state(const ckda_net_run *run, uint32_t head);
/* Bits of the largest numerator or denominator in the states now, of one head. */
ulong ckda_net_run_bits(const ckda_net_run *run, uint32_t head);
/* The same of any matrix. */
ulong ckda_net_mat_bits(const ckda_mat_t A, const ckda_field_t K);
/* The largest beta used so far by one head, an element of its field. */
const ckda_elem_struct *ckda_net_run_max_beta(const ckda_net_run *run, uint32_t head);

/* ---- all words -------------------------------------------------------------------- */

typedef struct {
    ckda_truth right; /* TRUE: the graph of joint states is closed, every edge decodes
                         to the target and the target is a function of the joint
                         state: right on words of every length.  FALSE: a word fails.
                         UNKNOWN: a limit was reached. */
    uint64_t states;  /* joint states found, the initial one included */
    uint64_t edges;   /* edges checked */
    uint64_t *head_states; /* for each head: its states */
    uint32_t heads;
    const char *limit; /* NULL, "states", "memory" or "time" */
    uint32_t *word;    /* FALSE: a shortest word whose last output is wrong, or two
                          words ... */
    size_t length;
    ckda_net_output got, want; /* ... of the same joint state with different targets: then
                                  got is the target of the other word */
    bool collision;            /* the second case */
} ckda_net_closure;

/* Breadth-first over joint states, all letters.  States, outputs and steps are compared
 * exactly.  The result is initialised here. */
void ckda_net_explore(ckda_net_closure *c, const ckda_net *net,
                      const ckda_limits *limits);
void ckda_net_closure_clear(ckda_net_closure *c);

/* The same, and the closed graph, to be written down; NULL unless c->right is TRUE.  It
 * borrows from net.  Different matrices have different numbers, from 0. */
typedef struct ckda_net_graph ckda_net_graph;
ckda_net_graph *ckda_net_explore_graph(ckda_net_closure *c, const ckda_net *net,
                                       const ckda_limits *limits);
void ckda_net_graph_close(ckda_net_graph **g); /* sets *g = NULL */
/* Joint states (0 is the initial one), the target that belongs to each, the edges. */
uint32_t ckda_net_graph_states(const ckda_net_graph *g);
const ckda_net_output *ckda_net_graph_label(const ckda_net_graph *g, uint32_t state);
uint32_t ckda_net_graph_next(ckda_net_graph *g, uint32_t state, uint32_t letter);
/* The different steps and outputs of each head. */
uint32_t ckda_net_graph_steps(const ckda_net_graph *g, uint32_t head);
const ckda_net_step *ckda_net_graph_step(const ckda_net_graph *g, uint32_t head,
                                         uint32_t step);
uint32_t ckda_net_graph_outputs(const ckda_net_graph *g, uint32_t head);
const ckda_mat_struct *ckda_net_graph_output(const ckda_net_graph *g, uint32_t head,
                                             uint32_t output);
/* What the lookup in front of a layer was asked: row i is the outputs of the heads below, r,
 * the letter, and its answer: r and a step for each head.  One layer more is the decoder:
 * outputs, r and the target's index.  Returns the length of the row, at most
 * CKDA_NET_GRAPH_ROW. */
#define CKDA_NET_GRAPH_ROW 20
uint32_t ckda_net_graph_rows(const ckda_net_graph *g, uint32_t layer);
uint32_t ckda_net_graph_row(uint32_t *row, const ckda_net_graph *g, uint32_t layer,
                            uint32_t i);

#ifdef __cplusplus
}
#endif
#endif
