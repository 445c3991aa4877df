/* ckda/wfa.h -- weighted finite automata over Q.
 *
 * y(x_1 ... x_t) = final^T M_(x_t) ... M_(x_1) initial.  n >= 1 states.  Entries lie in the
 * rational field passed along.  Conventions of ckda/mat.h.                              */
#ifndef CKDA_WFA_H
#define CKDA_WFA_H
#include "ckda/group.h"
#include "ckda/mat.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    slong n;
    uint32_t nletters;
    char **letter;           /* names, owned */
    ckda_mat_struct *matrix; /* nletters, n x n */
    ckda_mat_t initial;      /* n x 1 */
    ckda_mat_t final;        /* n x 1 */
} ckda_wfa_struct;
typedef ckda_wfa_struct ckda_wfa_t[1];

/* Zero matrices and vectors, letters named "0", "1", ... */
void ckda_wfa_init(ckda_wfa_t A, slong n, uint32_t nletters, const ckda_field_t K);
void ckda_wfa_clear(ckda_wfa_t A, const ckda_field_t K);
void ckda_wfa_set_letter(ckda_wfa_t A, uint32_t letter, const char *name);
int64_t ckda_wfa_letter(const ckda_wfa_t A, const char *name);
/* The same numbers, names, matrices and vectors? */
bool ckda_wfa_equal(const ckda_wfa_t A, const ckda_wfa_t B, const ckda_field_t K);

/* x (n x 1) = M_letter x, the state one letter later; start from a copy of initial. */
void ckda_wfa_step(ckda_mat_t x, const ckda_wfa_t A, uint32_t letter,
                   const ckda_field_t K);
/* y = final^T x. */
void ckda_wfa_read(ckda_elem_t y, const ckda_wfa_t A, const ckda_mat_t x,
                   const ckda_field_t K);
/* y = the value of a word of letter indices: n^2 products a letter. */
void ckda_wfa_value(ckda_elem_t y, const ckda_wfa_t A, const ckda_word_t w,
                    const ckda_field_t K);

#ifdef __cplusplus
}
#endif
#endif
