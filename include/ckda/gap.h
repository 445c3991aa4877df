/* ckda/gap.h -- lists of permutations as GAP writes them.
 *
 *     [ (1,2,3), (1,2)(4,5), () ]      products of cycles, from left to right as in GAP:
 *                                      (1,2)(2,3) is (1,3,2)
 *     [ [2,3,1], [2,1,3] ]             images of 1, 2, 3, ... (ListPerm)
 *
 * Points are counted from 1 in the text and from 0 in memory.  Both forms may stand in one
 * list; a semicolon may end it; from # to the end of a line is a comment.                */
#ifndef CKDA_GAP_H
#define CKDA_GAP_H
#include <stddef.h>
#include "ckda/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CKDA_GAP_MAX 10000 /* permutations of a list */

typedef struct {
    long n;      /* points 0 .. n-1, n >= 1: up to the largest one that the text names */
    long *image; /* of each point; owned */
    size_t line; /* where it begins, counted from 1 */
} ckda_gap_perm;

typedef struct {
    size_t count;
    ckda_gap_perm *perm;
} ckda_gap_struct;
typedef ckda_gap_struct ckda_gap_t[1];

/* L is initialised here and holds at least one permutation, of at most max_points points.
 * text[0 .. len-1] need not end with a NUL.  CKDA_E_INPUT names the file, line, column, what
 * was expected and what was found; L then keeps the value it had. */
CKDA_MUST_CHECK ckda_status ckda_gap_parse(ckda_gap_t L, const char *text, size_t len,
                                           const char *file, long max_points,
                                           ckda_error *err);
void ckda_gap_clear(ckda_gap_t L);
/* The list in cycles, one permutation a line; free with free(). */
char *ckda_gap_write(const ckda_gap_t L);

#ifdef __cplusplus
}
#endif
#endif
