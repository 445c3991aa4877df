/* proofs/networks.h -- a network, the automaton it was compiled from, and a bare
 * evaluator.
 *
 * The automaton is kept a second time, apart from the network, so that outputs are
 * compared with a product that the network room did not compute.                       */
#ifndef CKDA_PROOFS_NETWORKS_H
#define CKDA_PROOFS_NETWORKS_H
#include "ckda/evidence.h"
#include "ckda/net.h"

/* {"group": "S5", "letters": "all" | "generators" | ["(1,2)", ...]}, {"dfa": {...}},
 * {"maps": 3} (all 27 maps of three points as letters) or {"wfa": {...}}, with "method"
 * (three, series, small, window), "scheme" (paper, short) and "block". */
typedef struct {
    ckda_net *net;
    ckda_field_t Q;
    ckda_net_kind kind;
    ckda_group_t G;    /* group */
    uint32_t *element; /* of each letter */
    ckda_dfa_t dfa;
    ckda_wfa_t wfa;
    const char **name; /* of each letter; borrowed from net */
} network;
/* Initialised on CKDA_OK only. */
CKDA_MUST_CHECK ckda_status network_read(network *N, const ckda_node *at,
                                         ckda_error *err);
void network_clear(network *N);
/* "S5, three-layer, blocks of 4": for messages. */
void network_text(char *text, size_t size, const network *N);
/* The head of that name, or -1. */
long network_head(const network *N, const char *name);

/* "a b a", {"repeat": "a b", "times": 150} or {"random": 300}; letter indices. */
CKDA_MUST_CHECK ckda_status network_word(ckda_word_t w, const network *N,
                                         const ckda_node *at, ckda_rand *r,
                                         ckda_error *err);
/* The word as text, cut after 60 letters; free with flint_free(). */
char *network_word_text(const network *N, const ckda_word_t w);

/* The layers run by hand: lookups see outputs only, and only ckda_net_recur changes H. */
typedef struct {
    const network *N;
    ckda_mat_struct *H, *o; /* of each head */
    ckda_net_step *step;    /* what each head did last */
    slong r;
    ckda_net_output said;
    /* the direct product */
    uint32_t index;
    ckda_mat_t vector;
    fmpq_t number;
} network_walk;
void network_walk_init(network_walk *w, const network *N);
void network_walk_clear(network_walk *w);
/* One letter.  false: a lookup has no entry. */
CKDA_MUST_CHECK bool network_walk_step(network_walk *w, uint32_t letter, ckda_error *err);
/* Did the network say what the product is? */
bool network_walk_right(const network_walk *w);
/* Facts "got" and "want". */
void network_walk_blame(ckda_evidence *ev, const network_walk *w);
/* A rational element as a number. */
void network_rational(fmpq_t q, const ckda_elem_struct *x, const ckda_field_t K);

#endif
