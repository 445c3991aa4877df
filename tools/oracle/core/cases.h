/* What the drivers of the oracle tests share: output in the oracle's own language. */
#ifndef CKDA_TEST_ORACLE_CASES_H
#define CKDA_TEST_ORACLE_CASES_H
#include <stdio.h>
#include <stdlib.h>
#include "ckda/mat.h"

static inline void
print_elem(const ckda_elem_t x, const ckda_field_t K)
{
    char *s = ckda_elem_str(x, K);
    fputs(s, stdout);
    free(s);
}

static inline void
print_mat(const ckda_mat_t A, const ckda_field_t K)
{
    char *s = ckda_mat_str(A, K);
    fputs(s, stdout);
    free(s);
}

static inline void
print_poly(const ckda_poly_t f, const ckda_field_t K)
{
    char *s = ckda_poly_str(f, "x", K);
    fputs(s, stdout);
    free(s);
}

static inline void
must(ckda_status st)
{
    ckda_require(st == CKDA_OK, "status %d", (int)st);
}

#endif
