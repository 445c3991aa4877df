/* Shared by the files of the tracker only. */
#ifndef CKDA_TRACKER_INTERNAL_H
#define CKDA_TRACKER_INTERNAL_H
#include "ckda/tracker.h"

/* The matrix of letter number l. */
static inline const ckda_mat_struct *
letter_matrix(const ckda_tracker_struct *t, uint32_t l)
{
    return t->c->matrix + t->element_of_letter[l];
}

/* All distinct columns of states, exact, found by hash and exact comparison. */
typedef struct {
    ckda_mat_struct *at; /* count columns, n x 1; number j < n is e_j */
    uint32_t count, alloc;
    uint32_t *bucket; /* index + 1, 0 = empty; size mask + 1 */
    uint32_t mask;
} column_table;

/* The columns reachable from e_0, ..., e_(n-1); finite because the states are.  Fills
 * ncolumns, column_next and column_value of t, whose letters are set. */
void column_table_build(column_table *T, ckda_tracker_struct *t);
void column_table_clear(column_table *T, const ckda_field_t K);
/* column_state and column_at, from column_of. */
void tracker_set_places(ckda_tracker_struct *t);
/* Everything about columns anew, from the exact states. */
void tracker_columns_renew(ckda_tracker_struct *t);
/* value, from column_of and column_value. */
void tracker_fill_values(ckda_tracker_struct *t);

#endif
