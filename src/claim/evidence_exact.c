/* Exact values as facts of a counterexample. */
#include "ckda/evidence.h"

#include <stdlib.h>
#include <string.h>

/* A value that is a polynomial in the generator needs the field beside it, once. */
static void
name_field(ckda_evidence *ev, const ckda_field_t K)
{
    if (K->degree == 1)
        return;
    for (size_t i = 0; i < ev->nfacts; i++)
        if (strcmp(ev->facts[i].key, "field") == 0)
            return;
    char *minpoly = fmpz_poly_get_str_pretty(K->minpoly, "a");
    char *root = ckda_field_root_decimal(K);
    ckda_evidence_fact(ev, "field", "Q(a), %s = 0, a = %s...", minpoly, root);
    flint_free(minpoly);
    free(root);
}

void
ckda_evidence_fact_elem(ckda_evidence *ev, const char *key, const ckda_elem_t x,
                        const ckda_field_t K)
{
    char *text = ckda_elem_str(x, K);
    ckda_evidence_fact(ev, key, "%s", text);
    free(text);
    if (!ckda_elem_is_rational(x, K))
        name_field(ev, K);
}

static bool
is_rational(const ckda_mat_t A, const ckda_field_t K)
{
    for (slong i = 0; i < A->rows * A->cols; i++)
        if (!ckda_elem_is_rational(A->entry + i, K))
            return false;
    return true;
}

void
ckda_evidence_fact_mat(ckda_evidence *ev, const char *key, const ckda_mat_t A,
                       const ckda_field_t K)
{
    char *text = ckda_mat_str(A, K);
    ckda_evidence_fact(ev, key, "%s", text);
    free(text);
    if (!is_rational(A, K))
        name_field(ev, K);
}

ckda_truth
ckda_evidence_differ(ckda_evidence *ev, const char *what, const ckda_mat_t got,
                     const ckda_mat_t want, const ckda_field_t K)
{
    ckda_index at;
    ckda_evidence_fact(ev, "failed", "%s", what);
    if (got->rows != want->rows || got->cols != want->cols) {
        ckda_evidence_fact(ev, "got", "%ld x %ld", (long)got->rows, (long)got->cols);
        ckda_evidence_fact(ev, "want", "%ld x %ld", (long)want->rows, (long)want->cols);
        return CKDA_FALSE;
    }
    ckda_require(!ckda_mat_equal(&at, got, want, K), "%s: the matrices are equal", what);
    ckda_evidence_fact(ev, "at", "[%ld, %ld]", (long)at.row, (long)at.col);
    ckda_evidence_fact_elem(ev, "got", ckda_mat_entry(got, at.row, at.col), K);
    ckda_evidence_fact_elem(ev, "want", ckda_mat_entry(want, at.row, at.col), K);
    return CKDA_FALSE;
}

ckda_truth
ckda_evidence_expect_mat(ckda_evidence *ev, const char *what, const ckda_mat_t got,
                         const ckda_mat_t want, const ckda_field_t K)
{
    ckda_evidence_count(ev, 1);
    return ckda_mat_equal(NULL, got, want, K)
               ? CKDA_TRUE
               : ckda_evidence_differ(ev, what, got, want, K);
}
