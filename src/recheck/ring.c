/* Matrices of polynomials modulo f over one denominator. */
#include "recheck.h"

#include <stdlib.h>
#include <string.h>

mpz_t *
integers_new(size_t count)
{
    mpz_t *v = grown(NULL, count, sizeof *v);
    for (size_t i = 0; i < count; i++)
        mpz_init(v[i]);
    return v;
}

void
integers_free(mpz_t *v, size_t count)
{
    for (size_t i = 0; v != NULL && i < count; i++)
        mpz_clear(v[i]);
    free(v);
}

void
matrix_init(matrix *A, size_t count)
{
    A->count = count;
    A->num = integers_new(count);
    mpz_init_set_ui(A->den, 1);
}

void
matrix_clear(matrix *A)
{
    if (A->num == NULL)
        return;
    integers_free(A->num, A->count);
    mpz_clear(A->den);
    *A = (matrix){0};
}

bool
matrix_reduce(matrix *A)
{
    mpz_t g;
    mpz_init_set(g, A->den);
    for (size_t i = 0; i < A->count && mpz_cmp_ui(g, 1) != 0; i++)
        mpz_gcd(g, g, A->num[i]);
    const bool changed = mpz_cmp_ui(g, 1) != 0;
    for (size_t i = 0; changed && i < A->count; i++)
        mpz_divexact(A->num[i], A->num[i], g);
    mpz_divexact(A->den, A->den, g);
    mpz_clear(g);
    return changed;
}

bool
matrix_read(reader *in, matrix *A, const json_t *object, const char *key, size_t count)
{
    json_t *body, *den, *num;
    if (!get_object(in, &body, object, key) || !get_member(in, &den, body, "den")
        || !get_array(in, &num, body, "num", count))
        return false;
    matrix_init(A, count);
    if (!as_integer(in, A->den, den, "den", SIZE_MAX))
        return false;
    if (mpz_sgn(A->den) <= 0)
        return refuse(in, "%s: the denominator is not positive", key);
    for (size_t i = 0; i < count; i++)
        if (!as_integer(in, A->num[i], json_array_get(num, i), "num", i))
            return false;
    return !matrix_reduce(A) || refuse(in, "%s: not in lowest terms", key);
}

/* -64 .. 63 in one byte below 128; others as 128 + sign, length, magnitude. */
void
pack_integer(uint8_t **bytes, size_t *room, size_t *used, const mpz_t x)
{
    const size_t size = (mpz_sizeinbase(x, 2) + 7) / 8, most = size + 9;
    if (*room - *used < most) {
        *room = 2 * *room + most;
        *bytes = grown(*bytes, *room, 1);
    }
    uint8_t *to = *bytes + *used;
    if (mpz_cmp_si(x, -64) >= 0 && mpz_cmp_si(x, 63) <= 0) {
        *to = (uint8_t)(mpz_get_si(x) + 64);
        *used += 1;
        return;
    }
    const uint64_t length = size;
    *to = mpz_sgn(x) < 0 ? 129 : 128;
    memcpy(to + 1, &length, sizeof length);
    mpz_export(to + 9, NULL, 1, 1, 1, 0, x);
    *used += most;
}

size_t
matrix_pack(uint8_t **bytes, size_t *room, const matrix *A)
{
    size_t used = 0;
    pack_integer(bytes, room, &used, A->den);
    for (size_t i = 0; i < A->count; i++)
        pack_integer(bytes, room, &used, A->num[i]);
    return used;
}

const uint8_t *
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
matrix_unpack(matrix *A, const uint8_t *bytes)
{
    bytes = unpack_integer(A->den, bytes);
    for (size_t i = 0; i < A->count; i++)
        bytes = unpack_integer(A->num[i], bytes);
}

/* The remainder modulo f of 2 d - 1 coefficients. */
static void
reduce_modulo_f(mpz_t *acc, const instance *I)
{
    const size_t d = I->degree;
    for (size_t k = 2 * d - 2; k >= d; k--)
        for (size_t u = 0; u < d && mpz_sgn(acc[k]) != 0; u++)
            if (mpz_sgn(I->f[u]) != 0)
                mpz_submul(acc[k - d + u], I->f[u], acc[k]);
}

static void
add_offset(matrix *T, const matrix *B)
{
    for (size_t i = 0; i < T->count; i++) {
        mpz_mul(T->num[i], T->num[i], B->den);
        mpz_addmul(T->num[i], B->num[i], T->den);
    }
    mpz_mul(T->den, T->den, B->den);
}

void
step(matrix *T, instance *I, const letter *x, const matrix *S)
{
    const size_t d = I->degree, m = I->cols, wide = 2 * d - 1;
    for (size_t i = 0; i < I->rows * m * wide; i++)
        mpz_set_ui(I->work[i], 0);
    for (const term *c = x->terms; c < x->terms + x->nterms; c++)
        for (size_t j = 0; j < m; j++) {
            mpz_t *to = I->work + (c->row * m + j) * wide + c->power;
            const mpz_t *s = (const mpz_t *)S->num + (c->mid * m + j) * d;
            for (size_t b = 0; b < d; b++)
                if (mpz_sgn(s[b]) != 0)
                    mpz_addmul(to[b], c->value, s[b]);
        }
    mpz_mul(T->den, x->linear.den, S->den);
    for (size_t e = 0; e < I->rows * m; e++) {
        reduce_modulo_f(I->work + e * wide, I);
        for (size_t k = 0; k < d; k++)
            mpz_swap(T->num[e * d + k], I->work[e * wide + k]);
    }
    if (x->offset.count > 0)
        add_offset(T, &x->offset);
    matrix_reduce(T);
}
