/* Parts of network documents.  Private to the files that read them.  Results named "new"
 * are to be freed by the caller; others are initialised by it. */
#ifndef CKDA_NET_READ_H
#define CKDA_NET_READ_H
#include "net_internal.h"

enum { MAX_ENTRIES = NET_MAX_ENTRIES, MAX_LETTERS = 100000 };

extern const char *const net_lookup_names[LOOKUPS];
extern const char *const net_decoder_names[DECODERS];

/* A member that is a list of exactly `want` items (any number for want < 0, then *n). */
ckda_status net_read_list(ckda_node *list, size_t *n, const ckda_node *in,
                          const char *key, long want, ckda_error *err);
ckda_status net_read_vector(ckda_elem_struct *x, slong n, const ckda_node *at,
                            const ckda_field_t K, ckda_error *err);
ckda_status net_read_rows(ckda_elem_struct *x, slong nrows, slong cols,
                          const ckda_node *at, const ckda_field_t K, ckda_error *err);
/* *x is new: n numbers below `below`. */
ckda_status net_read_numbers(uint32_t *x, uint32_t n, const ckda_node *at, uint32_t below,
                             ckda_error *err);
/* The position of the text of a member among the names. */
ckda_status net_read_choice(int *which, const ckda_node *in, const char *key,
                            const char *const *names, int nnames, ckda_error *err);
/* Elements of the group, as cycles; *g is new unless an error is returned. */
ckda_status net_read_elements(uint32_t **g, uint32_t *n, const ckda_node *in,
                              const char *key, long want, const ckda_net *net,
                              ckda_error *err);
/* r reads the outputs of head d; on errors it may own something, and the net's end clears
 * it. */
ckda_status net_read_reader(net_reader *r, const ckda_node *at, const ckda_net_head *d,
                            ckda_error *err);
/* The member "decoder" of a network whose layers are read. */
ckda_status net_read_decoder(ckda_net *net, const ckda_node *top, ckda_error *err);
/* K is initialised here. */
ckda_status net_read_field(ckda_field_t K, const ckda_node *in, ckda_error *err);
/* The automaton of the network: members "letters" and "source". */
ckda_status net_read_source(ckda_net **net, const ckda_node *at, ckda_error *err);

#endif
