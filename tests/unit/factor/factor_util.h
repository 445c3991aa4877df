/* Short ways to write exact test data: blank-separated rationals. */
#ifndef FACTOR_UTIL_H
#define FACTOR_UTIL_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "ckda/factor.h"

static inline void
set_row(ckda_elem_struct *row, slong n, const char *text, const ckda_field_t K)
{
    char copy[256], *word, *rest = NULL;
    slong i = 0;

    assert_true(strlen(text) < sizeof copy);
    memcpy(copy, text, strlen(text) + 1);
    for (word = strtok_r(copy, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        fmpq_t q;

        assert_true(i < n);
        fmpq_init(q);
        assert_int_equal(fmpq_set_str(q, word, 10), 0);
        ckda_elem_set_fmpq(row + i++, q, K);
        fmpq_clear(q);
    }
    assert_int_equal(i, n);
}

static inline void
dpr1_init_text(ckda_dpr1_t d, slong n, const char *diagonal, const char *u, const char *v,
               const ckda_field_t K)
{
    ckda_dpr1_init(d, n, K);
    set_row(d->diagonal, n, diagonal, K);
    set_row(d->u, n, u, K);
    set_row(d->v, n, v, K);
}

static inline void
mat_init_text(ckda_mat_t A, slong n, const char *rows, const ckda_field_t K)
{
    ckda_mat_init(A, n, n, K);
    set_row(A->entry, n * n, rows, K);
}

/* Is x : y as the rationals of text are? */
static inline bool
proportional(const ckda_elem_struct *x, const char *text, slong n, const ckda_field_t K)
{
    ckda_mat_t M;
    bool ok;

    ckda_mat_init(M, 2, n, K);
    for (slong i = 0; i < n; i++)
        ckda_elem_set(ckda_mat_entry(M, 0, i), x + i, K);
    set_row(ckda_mat_entry(M, 1, 0), n, text, K);
    ok = ckda_mat_rank(M, K) == 1;
    ckda_mat_clear(M, K);
    return ok;
}
#endif
