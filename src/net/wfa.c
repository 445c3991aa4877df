/* Weighted automata: the plain definition that networks are compared with. */
#include <stdio.h>
#include <string.h>
#include "ckda/wfa.h"

static char *
copy_text(const char *text)
{
    const size_t len = strlen(text) + 1;
    return memcpy(flint_malloc(len), text, len);
}

void
ckda_wfa_init(ckda_wfa_t A, slong n, uint32_t nletters, const ckda_field_t K)
{
    char name[32];
    ckda_require(n >= 1, "%ld states", (long)n);
    A->n = n;
    A->nletters = nletters;
    A->letter = flint_malloc((nletters + 1u) * sizeof *A->letter);
    A->matrix = flint_malloc((nletters + 1u) * sizeof *A->matrix);
    for (uint32_t x = 0; x < nletters; x++) {
        snprintf(name, sizeof name, "%u", x);
        A->letter[x] = copy_text(name);
        ckda_mat_init(A->matrix + x, n, n, K);
    }
    ckda_mat_init(A->initial, n, 1, K);
    ckda_mat_init(A->final, n, 1, K);
}

void
ckda_wfa_clear(ckda_wfa_t A, const ckda_field_t K)
{
    for (uint32_t x = 0; x < A->nletters; x++) {
        flint_free(A->letter[x]);
        ckda_mat_clear(A->matrix + x, K);
    }
    flint_free(A->letter);
    flint_free(A->matrix);
    ckda_mat_clear(A->initial, K);
    ckda_mat_clear(A->final, K);
}

void
ckda_wfa_set_letter(ckda_wfa_t A, uint32_t letter, const char *name)
{
    ckda_require(letter < A->nletters, "letter %u of %u", letter, A->nletters);
    char *copy = copy_text(name);
    flint_free(A->letter[letter]);
    A->letter[letter] = copy;
}

int64_t
ckda_wfa_letter(const ckda_wfa_t A, const char *name)
{
    for (uint32_t x = 0; x < A->nletters; x++)
        if (strcmp(A->letter[x], name) == 0)
            return x;
    return -1;
}

bool
ckda_wfa_equal(const ckda_wfa_t A, const ckda_wfa_t B, const ckda_field_t K)
{
    bool equal = A->n == B->n && A->nletters == B->nletters
                 && ckda_mat_equal(NULL, A->initial, B->initial, K)
                 && ckda_mat_equal(NULL, A->final, B->final, K);
    for (uint32_t x = 0; equal && x < A->nletters; x++)
        equal = strcmp(A->letter[x], B->letter[x]) == 0
                && ckda_mat_equal(NULL, A->matrix + x, B->matrix + x, K);
    return equal;
}

/* ---- values ------------------------------------------------------------------------ */

void
ckda_wfa_step(ckda_mat_t x, const ckda_wfa_t A, uint32_t letter, const ckda_field_t K)
{
    ckda_require(letter < A->nletters, "letter %u of %u", letter, A->nletters);
    const ckda_status st = ckda_mat_mul(x, A->matrix + letter, x, K);
    ckda_require(st == CKDA_OK, "a state of shape %ld x %ld, expected %ld x 1",
                 (long)x->rows, (long)x->cols, (long)A->n);
}

void
ckda_wfa_read(ckda_elem_t y, const ckda_wfa_t A, const ckda_mat_t x, const ckda_field_t K)
{
    ckda_elem_t sum; /* y may be an entry of x */
    ckda_require(x->rows == A->n && x->cols == 1, "a state of shape %ld x %ld",
                 (long)x->rows, (long)x->cols);
    ckda_elem_init(sum, K);
    for (slong i = 0; i < A->n; i++)
        ckda_elem_addmul(sum, A->final->entry + i, x->entry + i, K);
    ckda_elem_swap(y, sum, K);
    ckda_elem_clear(sum, K);
}

void
ckda_wfa_value(ckda_elem_t y, const ckda_wfa_t A, const ckda_word_t w,
               const ckda_field_t K)
{
    ckda_mat_t x;
    ckda_mat_init_set(x, A->initial, K);
    for (size_t t = 0; t < w->length; t++)
        ckda_wfa_step(x, A, w->letter[t], K);
    ckda_wfa_read(y, A, x, K);
    ckda_mat_clear(x, K);
}
