/* What the files of this room share. */
#ifndef CKDA_INPUT_INTERNAL_H
#define CKDA_INPUT_INTERNAL_H
#include "ckda/input.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* x[0 .. n-1] (initialised) from a list of exactly n numbers; some may be written when
 * a later one fails. */
ckda_status read_list(ckda_elem_struct *x, const ckda_node *at, slong n,
                      const ckda_field_t K, ckda_error *err);
/* A transition that is a whole document may also have the member "field". */
ckda_status read_transition(ckda_trans_t t, const ckda_node *at, bool document,
                            const ckda_field_t K, ckda_error *err);
/* ---- transition.c, other_family.c ---- */

/* The size of a list that is not empty and has at most `most` items; what it should be. */
ckda_status size_of_list(slong *n, const ckda_node *list, slong most, const char *what,
                         ckda_error *err);
/* Not all of w[0 .. n-1] zero? */
ckda_status check_direction(const ckda_elem_struct *w, slong n, const ckda_node *at,
                            const ckda_field_t K, ckda_error *err);
/* rwkv7, mdn and sfda; t is initialised here, ranges are not looked at. */
ckda_status read_other_family(ckda_trans_t t, ckda_family f, const ckda_node *at,
                              const ckda_field_t K, ckda_error *err);

/* n distinct points in 0 .. n-1 (or not distinct: a map), as a list or, for a
 * permutation, also as a string of cycles.  *image goes back with flint_free. */
ckda_status read_images(slong **image, slong *n, const ckda_node *at, bool distinct,
                        ckda_error *err);
/* A document of this kind with nothing in it yet, clearable; takes over K. */
void init_empty(ckda_input_t in, ckda_input_kind kind, ckda_field_t K);
/* The message for a system that is neither a built-in name nor a file. */
ckda_status no_such_system(const char *system, ckda_error *err);
/* A name that can be a letter of a word: not empty, no spaces, not like a permutation, a
 * file name or a random word ("(", "[", "@", "random:"). */
extern const char letter_name_rule[];
bool is_letter_name(const char *name);
ckda_status check_letter_name(const ckda_node *at, ckda_error *err);
/* Can every label be a letter? */
ckda_status check_labels(const ckda_att_t T, ckda_error *err);
/* States "0", "1", ... in an empty table. */
void add_numbered_states(ckda_att_t T, uint32_t states);
/* {"table": [[...]], "names": [...]}; G is initialised here. */
ckda_status read_cayley_table(ckda_group_t G, const ckda_node *group, const char *name,
                              ckda_error *err);
/* group_tracker.c: the member "tracker" of a group.  Its field, and what else it holds (in's
 * K and G stand already). */
ckda_status find_tracker_field(ckda_field_t K, const ckda_node *group, ckda_error *err);
ckda_status read_tracker(ckda_input_t in, const ckda_node *group, ckda_error *err);
/* Fills the affine members of in, whose K stands already; on failure in is left
 * clearable. */
ckda_status read_affine(ckda_input_t in, const ckda_node *at, ckda_error *err);

#endif
