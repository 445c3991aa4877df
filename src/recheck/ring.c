/* Matrices of polynomials modulo f over one denominator. */
#include "recheck.h"

#include <stdlib.h>
#include <string.h>

void
matrix_init(matrix *A, size_t count)
{
    A->count = count;
    A->num = integers_new(count + 1);
    A->den = A->num[count];
    mpz_set_ui(A->den, 1);
}

void
matrix_clear(matrix *A)
{
    release(A->num);
    *A = (matrix){0};
}

bool
matrix_reduce(matrix *A)
{
    mpz_t *g = integers_new(1);
    mpz_set(*g, A->den);
    for (size_t i = 0; i < A->count && mpz_cmp_ui(*g, 1) != 0; i++)
        mpz_gcd(*g, *g, A->num[i]);
    const bool changed = mpz_cmp_ui(*g, 1) != 0;
    for (size_t i = 0; changed && i <= A->count; i++)
        mpz_divexact(A->num[i], A->num[i], *g);
    release(g);
    return changed;
}

void
as_matrix(reader *in, matrix *A, const json_t *body, const char *what, size_t count)
{
    const json_t *den = get_member(in, body, "den"),
                 *num = get_array(in, body, "num", count);
    matrix_init(A, count);
    as_integer(in, A->den, den, "den");
    refuse(in, mpz_sgn(A->den) <= 0, "%s: the denominator is not positive", what);
    for (size_t i = 0; i < count; i++)
        as_integer(in, A->num[i], json_array_get(num, i), "num");
    refuse(in, matrix_reduce(A), "%s: not in lowest terms", what);
}

void
matrix_read(reader *in, matrix *A, const json_t *object, const char *key, size_t count)
{
    as_matrix(in, A, get_member(in, object, key), key, count);
}

/* ---- packed ------------------------------------------------------------------------------- */

static uint8_t *
room_for(buffer *to, size_t size)
{
    if (to->room - to->used < size) {
        to->room = 2 * to->room + size;
        to->bytes = grown(to->bytes, to->room, 1);
    }
    to->used += size;
    return to->bytes + to->used - size;
}

void
append(buffer *to, const void *bytes, size_t size)
{
    memcpy(room_for(to, size), bytes, size);
}

bool
begins_with(const buffer *b, uint64_t at, const buffer *what)
{
    return b->used - at >= what->used
           && memcmp(b->bytes + at, what->bytes, what->used) == 0;
}

/* -64 .. 63 in one byte below 128; others as 128 + sign, length, magnitude. */
static void
pack_integer(buffer *to, const mpz_t x)
{
    if (mpz_cmp_si(x, -64) >= 0 && mpz_cmp_si(x, 63) <= 0) {
        *room_for(to, 1) = (uint8_t)(mpz_get_si(x) + 64);
        return;
    }
    const uint64_t size = (mpz_sizeinbase(x, 2) + 7) / 8;
    *room_for(to, 1) = mpz_sgn(x) < 0 ? 129 : 128;
    append(to, &size, sizeof size);
    mpz_export(room_for(to, size), NULL, 1, 1, 1, 0, x);
}

static const uint8_t *
unpack_integer(mpz_t x, const uint8_t *from)
{
    uint64_t length;
    if (*from < 128) {
        mpz_set_si(x, (long)*from - 64);
        return from + 1;
    }
    memcpy(&length, from + 1, sizeof length);
    mpz_import(x, length, 1, 1, 1, 0, from + 9);
    if (*from == 129)
        mpz_neg(x, x);
    return from + 9 + length;
}

void
matrix_pack(buffer *to, const matrix *A)
{
    for (size_t i = 0; i <= A->count; i++)
        pack_integer(to, A->num[i]);
}

const uint8_t *
matrix_unpack(matrix *A, const uint8_t *bytes)
{
    for (size_t i = 0; i <= A->count; i++)
        bytes = unpack_integer(A->num[i], bytes);
    return bytes;
}

int
compare_listed(const void *a, const void *b)
{
    const listed *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return memcmp(x->bytes, y->bytes, x->size);
}

uint32_t
find_listed(const listed *list, uint32_t count, const void *bytes, size_t size)
{
    const listed key = {bytes, size, 0};
    const listed *found = bsearch(&key, list, count, sizeof key, compare_listed);
    return found != NULL ? found->number : UINT32_MAX;
}

void
add_packed(packed *list, const matrix *A)
{
    list->at = doubled(list->at, list->count, sizeof *list->at);
    list->at[list->count++] = list->all.used;
    matrix_pack(&list->all, A);
}

listed *
list_packed(const packed *list)
{
    listed *l = grown(NULL, list->count, sizeof *l);
    size_t end = list->all.used;
    for (uint32_t i = list->count; i-- > 0; end = list->at[i])
        l[i] = (listed){list->all.bytes + list->at[i], end - list->at[i], i};
    return l;
}

/* ---- modulo f --------------------------------------------------------------------------- */

void
add_times(mpz_t *sum, mpz_t *a, mpz_t *b, const instance *I)
{
    for (size_t i = 0; i < I->degree; i++)
        for (size_t j = 0; j < I->degree && mpz_sgn(a[i]) != 0; j++)
            if (mpz_sgn(b[j]) != 0)
                mpz_addmul(sum[i + j], a[i], b[j]);
}

void
settle(mpz_t *x, mpz_t *sum, const instance *I)
{
    const size_t d = I->degree;
    for (size_t k = 2 * d - 2; k >= d; k--) { /* the remainder modulo f */
        for (size_t u = 0; u < d && mpz_sgn(sum[k]) != 0; u++)
            mpz_submul(sum[k - d + u], I->f[u], sum[k]);
        mpz_set_ui(sum[k], 0);
    }
    for (size_t k = 0; k < d; k++) {
        mpz_swap(x[k], sum[k]);
        mpz_set_ui(sum[k], 0);
    }
}

void
step(matrix *T, const instance *I, const matrix *A, const matrix *B, const matrix *S)
{
    const size_t d = I->degree, m = I->cols, n = A->count / d / I->rows;
    for (size_t e = 0; e < I->rows * m; e++) {
        mpz_t *a = A->num + e / m * n * d, *s = S->num + e % m * d;
        for (size_t j = 0; j < n; j++)
            add_times(I->work, a + j * d, s + j * m * d, I);
        settle(T->num + e * d, I->work, I);
    }
    mpz_mul(T->den, A->den, S->den);
    for (size_t i = 0; i < B->count; i++) { /* over the product of denominators */
        mpz_mul(T->num[i], T->num[i], B->den);
        mpz_addmul(T->num[i], B->num[i], T->den);
    }
    if (B->count > 0)
        mpz_mul(T->den, T->den, B->den);
    matrix_reduce(T);
}
