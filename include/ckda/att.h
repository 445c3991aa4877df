/* ckda/att.h -- AT&T text of automata (the text form of OpenFST), as a table.
 *
 *     from to label           a transition
 *     from to label weight    a transition with a weight
 *     state                   a final state
 *     state weight            a final state with a weight
 *
 * Fields are separated by blanks; empty lines and everything from a word that begins with #
 * to the end of the line are skipped.  The start is the first state that is mentioned.
 * A file in which some transition has a weight is weighted (weights left out are 1); a
 * weight of a final state alone is refused, because it looks like a forgotten label.
 * Labels are letters as they stand; the empty word's label (<eps>) is refused.
 *
 * States called 0, 1, ..., n-1 keep these numbers; with other names they are numbered in the
 * order in which they are mentioned, and so are the labels.  What the table means (is it
 * deterministic, what is a weight) is for its readers.
 *
 * When a function returns anything but CKDA_OK its results keep the values they had.      */
#ifndef CKDA_ATT_H
#define CKDA_ATT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "ckda/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t from, to, label;
    char *weight; /* owned; NULL where none stands */
    size_t line;
} ckda_att_arc;

typedef struct {
    uint32_t state;
    char *weight;
    size_t line;
} ckda_att_final;

/* Different names with the line of their first mention. */
typedef struct {
    uint32_t count;
    char **name;
    size_t *line;
    uint32_t *slot; /* hash of the names: index + 1, 0 = empty; size mask + 1 */
    uint32_t mask;
} ckda_att_names;

/* Read freely, change only through ckda_att_*. */
typedef struct {
    char *file; /* for messages */
    ckda_att_names state, label;
    uint32_t start;
    bool weighted;
    size_t narcs, nfinals, arcs_room, finals_room;
    ckda_att_arc *arc;
    ckda_att_final *final;
} ckda_att_struct;
typedef ckda_att_struct ckda_att_t[1];

/* T is initialised here.  text[0 .. len-1] need not end with a NUL.  CKDA_E_INPUT names the
 * file, the line, what was expected and what was found. */
CKDA_MUST_CHECK ckda_status ckda_att_parse(ckda_att_t T, const char *text, size_t len,
                                           const char *file, ckda_error *err);
/* The table as text that ckda_att_parse reads back to the same table: the transitions, then
 * the final states, each in its order.  (States with names that a final line mentioned before
 * a later transition did are numbered anew.)  *text goes back with free().  CKDA_E_DOMAIN for what
 * the format cannot say: a name that is empty, holds blanks or begins with #, the label
 * <eps>, a first transition that does not begin in the start state. */
CKDA_MUST_CHECK ckda_status ckda_att_write(char **text, const ckda_att_t T,
                                           ckda_error *err);

/* Building a table: an empty one, then names and lines in the order of the file.  A new
 * name gets the next number; the first state is the start.  Weights are copied, NULL for
 * none. */
void ckda_att_init(ckda_att_t T, const char *file);
void ckda_att_clear(ckda_att_t T);
uint32_t ckda_att_add_state(ckda_att_t T, const char *name, size_t line);
uint32_t ckda_att_add_label(ckda_att_t T, const char *name, size_t line);
void ckda_att_add_arc(ckda_att_t T, uint32_t from, uint32_t to, uint32_t label,
                      const char *weight, size_t line);
void ckda_att_add_final(ckda_att_t T, uint32_t state, const char *weight, size_t line);

#ifdef __cplusplus
}
#endif
#endif
