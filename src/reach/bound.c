/* The height bound: which primes tell two words of the search apart (ckda/matmod.h). */
#include "reach_internal.h"

#include <stdarg.h>
#include <string.h>

void
raise_denominator(fmpz_t den, const ckda_mat_t A, const ckda_field_t K)
{
    fmpq_poly_t f;
    fmpq_poly_init(f);
    for (slong e = 0; e < A->rows * A->cols; e++) {
        if (fmpz_divisible(den, ckda_elem_den(A->entry + e, K)))
            continue;
        ckda_elem_get_fmpq_poly(f, A->entry + e, K);
        fmpq_poly_canonicalise(f);
        fmpz_lcm(den, den, fmpq_poly_denref(f));
    }
    fmpq_poly_clear(f);
}

/* q >= sqrt(x) for x >= 0: exact for squares, else rounded up to a multiple of 2^-32. */
static void
sqrt_up(fmpq_t q, const fmpq_t x)
{
    fmpz_t r;
    fmpz_init(r);
    if (fmpz_is_square(fmpq_numref(x)) && fmpz_is_square(fmpq_denref(x))) {
        fmpz_sqrt(fmpq_numref(q), fmpq_numref(x));
        fmpz_sqrt(fmpq_denref(q), fmpq_denref(x));
    } else {
        fmpz_mul_2exp(r, fmpq_numref(x), 64);
        fmpz_cdiv_q(r, r, fmpq_denref(x));
        fmpz_sqrt(r, r);
        fmpz_add_ui(r, r, 1);
        fmpz_set(fmpq_numref(q), r);
        fmpz_one(fmpq_denref(q));
        fmpq_div_2exp(q, q, 32);
    }
    fmpz_clear(r);
}

static void
raise_to(fmpq_t q, const fmpq_t x)
{
    if (fmpq_cmp(x, q) > 0)
        fmpq_set(q, x);
}

/* q = max(q, the 2-norm of a column of A in any embedding); K is totally real. */
static void
raise_column_norm(fmpq_t q, const ckda_mat_t A, const ckda_field_t K)
{
    ckda_mat_t squares;
    ckda_height_t h;
    ckda_mat_init(squares, 1, A->cols, K);
    ckda_height_init(h);
    for (slong i = 0; i < A->rows; i++)
        for (slong j = 0; j < A->cols; j++)
            ckda_elem_addmul(ckda_mat_entry(squares, 0, j), ckda_mat_entry(A, i, j),
                             ckda_mat_entry(A, i, j), K);
    ckda_mat_height(h, squares, 1, K);
    sqrt_up(h->entry, h->entry);
    raise_to(q, h->entry);
    ckda_height_clear(h);
    ckda_mat_clear(squares, K);
}

bool
all_orthogonal(const ckda_mat_struct *A, uint32_t count, const ckda_field_t K)
{
    for (uint32_t x = 0; x < count; x++)
        if (!ckda_mat_is_orthogonal(NULL, A + x, K))
            return false;
    return ckda_field_is_totally_real(K);
}

/* Raises bounds of the row sums, column sums and entries of A[0 .. count-1]: all at once,
 * as the embeddings of K are found anew for each call of ckda_mat_height. */
static void
raise_sums(fmpq_t rows, fmpq_t cols, fmpq_t entry, const ckda_mat_struct *A,
           uint32_t count, const ckda_field_t K)
{
    ckda_height_t h;
    ckda_mat_struct *T = flint_malloc((count + 1) * sizeof *T);
    ckda_height_init(h);
    ckda_mat_height(h, A, count, K);
    if (rows != NULL)
        raise_to(rows, h->row_sum);
    if (entry != NULL)
        raise_to(entry, h->entry);
    for (uint32_t x = 0; x < count; x++) {
        ckda_mat_init(T + x, A[x].cols, A[x].rows, K);
        const ckda_status st = ckda_mat_transpose(T + x, A + x, K);
        ckda_require(st == CKDA_OK, "transpose");
    }
    ckda_mat_height(h, T, count, K);
    raise_to(cols, h->row_sum);
    for (uint32_t x = 0; x < count; x++)
        ckda_mat_clear(T + x, K);
    flint_free(T);
    ckda_height_clear(h);
}

static void
set_general(system_height *sh, const ckda_system_t sys)
{
    sh->count = 2;
    raise_sums(NULL, sh->start[1], sh->start[0], sys->initial, 1, sys->K);
    raise_sums(sh->norm[0], sh->norm[1], NULL, sys->linear, sys->nletters, sys->K);
    if (sys->offset != NULL)
        raise_sums(NULL, sh->offset[1], sh->offset[0], sys->offset, sys->nletters,
                   sys->K);
}

static void
set_orthogonal(system_height *sh, const ckda_system_t sys)
{
    sh->count = 1;
    raise_column_norm(sh->start[0], sys->initial, sys->K);
    for (uint32_t x = 0; sys->offset != NULL && x < sys->nletters; x++)
        raise_column_norm(sh->offset[0], sys->offset + x, sys->K);
}

/* q = max(q, c^T Q c for the columns c of A), in any embedding. */
static void
raise_form_norm(fmpq_t q, const ckda_mat_t A, const ckda_mat_t Q, const ckda_field_t K)
{
    ckda_mat_t QA, norms;
    ckda_height_t h;
    ckda_mat_init(QA, A->rows, A->cols, K);
    ckda_mat_init(norms, 1, A->cols, K);
    ckda_height_init(h);
    const ckda_status st = ckda_mat_mul(QA, Q, A, K);
    ckda_require(st == CKDA_OK, "shapes");
    for (slong i = 0; i < A->rows; i++)
        for (slong j = 0; j < A->cols; j++)
            ckda_elem_addmul(ckda_mat_entry(norms, 0, j), ckda_mat_entry(A, i, j),
                             ckda_mat_entry(QA, i, j), K);
    ckda_mat_height(h, norms, 1, K);
    raise_to(q, h->entry);
    ckda_height_clear(h);
    ckda_mat_clear(QA, K);
    ckda_mat_clear(norms, K);
}

/* q >= the largest (Q^-1)_ii in any embedding. */
static void
inverse_diagonal(fmpq_t q, const ckda_mat_t Q, const ckda_field_t K)
{
    ckda_mat_t inverse, diagonal;
    ckda_height_t h;
    ckda_mat_init(inverse, Q->rows, Q->rows, K);
    ckda_mat_init(diagonal, 1, Q->rows, K);
    ckda_height_init(h);
    const ckda_status st = ckda_mat_inv(inverse, Q, K);
    ckda_require(st == CKDA_OK, "a positive definite form has an inverse");
    for (slong i = 0; i < Q->rows; i++)
        ckda_elem_set(diagonal->entry + i, ckda_mat_entry(inverse, i, i), K);
    ckda_mat_height(h, diagonal, 1, K);
    fmpq_set(q, h->entry);
    ckda_height_clear(h);
    ckda_mat_clear(inverse, K);
    ckda_mat_clear(diagonal, K);
}

/* Entries are at most sqrt((Q^-1)_ii) times the norms of start and offsets. */
static void
set_form(system_height *sh, const ckda_system_t sys)
{
    ckda_mat_t Q;
    fmpq_t inverse;
    if (!invariant_form(Q, sys))
        return;
    const int i = sh->count++;
    fmpq_init(inverse);
    inverse_diagonal(inverse, Q, sys->K);
    raise_form_norm(sh->start[i], sys->initial, Q, sys->K);
    for (uint32_t x = 0; sys->offset != NULL && x < sys->nletters; x++)
        raise_form_norm(sh->offset[i], sys->offset + x, Q, sys->K);
    fmpq_mul(sh->start[i], sh->start[i], inverse);
    fmpq_mul(sh->offset[i], sh->offset[i], inverse);
    sqrt_up(sh->start[i], sh->start[i]);
    sqrt_up(sh->offset[i], sh->offset[i]);
    fmpq_clear(inverse);
    ckda_mat_clear(Q, sys->K);
}

void
system_height_init(system_height *sh, const ckda_system_t sys)
{
    fmpz_init_set_ui(sh->den_linear, 1);
    fmpz_init_set_ui(sh->den_start, 1);
    for (int i = 0; i < 3; i++) {
        fmpq_init(sh->norm[i]);
        fmpq_one(sh->norm[i]);
        fmpq_init(sh->start[i]);
        fmpq_init(sh->offset[i]);
    }
    raise_denominator(sh->den_start, sys->initial, sys->K);
    for (uint32_t x = 0; x < sys->nletters; x++) {
        raise_denominator(sh->den_linear, sys->linear + x, sys->K);
        if (sys->offset != NULL)
            raise_denominator(sh->den_start, sys->offset + x, sys->K);
    }
    sh->orthogonal = all_orthogonal(sys->linear, sys->nletters, sys->K);
    if (sh->orthogonal) {
        set_orthogonal(sh, sys);
    } else {
        set_general(sh, sys);
        set_form(sh, sys);
    }
}

void
system_height_clear(system_height *sh)
{
    fmpz_clear(sh->den_linear);
    fmpz_clear(sh->den_start);
    for (int i = 0; i < 3; i++) {
        fmpq_clear(sh->norm[i]);
        fmpq_clear(sh->start[i]);
        fmpq_clear(sh->offset[i]);
    }
}

void
word_height_init(word_height *h)
{
    fmpz_init_set_ui(h->den, 1);
    fmpq_init(h->bound);
}

void
word_height_clear(word_height *h)
{
    fmpz_clear(h->den);
    fmpq_clear(h->bound);
}

/* norm^length start + length norm^(length-1) offset bounds ||S_w|| for |w| <= length:
 * S_w = A_w S_0 + sum over the suffixes v of A_v B, and norm >= 1. */
static void
grown(fmpq_t q, const system_height *sh, int i, uint64_t length)
{
    fmpq_t t;
    fmpq_init(t);
    fmpz_set_ui(fmpq_numref(t), length);
    fmpz_one(fmpq_denref(t));
    fmpq_mul(t, t, sh->offset[i]);
    fmpq_add(t, t, sh->start[i]);
    fmpq_pow_si(q, sh->norm[i], (slong)length);
    fmpq_mul(q, q, t);
    fmpq_clear(t);
}

ckda_status
word_height_of(word_height *h, const system_height *sh, uint64_t length)
{
    enum { LONGEST = 1000 }; /* 2^1000 is out of reach of 16 primes below 2^31 */
    bool grows = true;
    for (int i = 0; i < sh->count; i++)
        grows = grows && !fmpq_is_one(sh->norm[i]);
    if (length > LONGEST && !fmpz_is_one(sh->den_linear))
        return CKDA_E_UNABLE;
    if (length > 20 * LONGEST && grows)
        return CKDA_E_UNABLE;
    fmpz_pow_ui(h->den, sh->den_linear, length);
    fmpz_mul(h->den, h->den, sh->den_start);
    fmpq_t other;
    bool have = false;
    fmpq_init(other);
    for (int i = 0; i < sh->count; i++) {
        if (length > 20 * LONGEST && !fmpq_is_one(sh->norm[i]))
            continue;
        grown(other, sh, i, length);
        if (!have || fmpq_cmp(other, h->bound) < 0)
            fmpq_set(h->bound, other);
        have = true;
    }
    fmpq_clear(other);
    return CKDA_OK;
}

/* The least bound that holds for all lengths; false if there is none. */
static bool
bound_for_all(fmpq_t q, const system_height *sh, const ckda_system_t sys)
{
    bool have = false;
    if (sys->offset != NULL || !fmpz_is_one(sh->den_linear))
        return false;
    for (int i = 0; i < sh->count; i++) {
        if (!fmpq_is_one(sh->norm[i]) || (have && fmpq_cmp(sh->start[i], q) >= 0))
            continue;
        fmpq_set(q, sh->start[i]);
        have = true;
    }
    return have;
}

bool
bounded_for_all(const system_height *sh, const ckda_system_t sys)
{
    fmpq_t bound;
    fmpq_init(bound);
    const bool bounded = bound_for_all(bound, sh, sys);
    fmpq_clear(bound);
    return bounded;
}

/* The largest usable prime below `end` and above `needed`. */
static uint32_t
prime_between(const fmpz_t needed, ulong end, const ckda_system_t sys)
{
    int tries = 100;
    for (ulong p = end - 1; p > 2 && fmpz_cmp_ui(needed, p) < 0; p--) {
        ckda_modulus mod;
        if (!n_is_prime(p))
            continue;
        if (tries-- == 0)
            break;
        if (ckda_modulus_init_prime(&mod, sys->K, (uint32_t)p) != CKDA_OK)
            continue;
        ckda_modulus_clear(&mod);
        images im; /* does p divide a denominator? */
        if (images_init(&im, sys, 1, (uint32_t)p) != CKDA_OK)
            continue;
        images_clear(&im);
        return (uint32_t)p;
    }
    return 0;
}

uint32_t
small_prime(const system_height *sh, const ckda_system_t sys)
{
    fmpz_t needed;
    fmpq_t bound;
    uint32_t p = 0;
    fmpz_init(needed);
    fmpq_init(bound);
    if (bound_for_all(bound, sh, sys)) {
        ckda_modulus_needed(needed, sh->den_start, bound, sys->K);
        for (int bytes = 1; p == 0 && bytes <= 2; bytes++)
            p = prime_between(needed, UINT64_C(1) << (8 * bytes), sys);
    }
    fmpz_clear(needed);
    fmpq_clear(bound);
    return p;
}

bool
height_suffices(uint32_t *more, const word_height *h, const images *im,
                const ckda_field_t K)
{
    fmpz_t needed, product;
    fmpz_init(needed);
    fmpz_init(product);
    ckda_modulus_needed(needed, h->den, h->bound, K);
    images_product(product, im);
    const bool enough = fmpz_cmp(product, needed) > 0;
    if (!enough && more != NULL) {
        /* all primes lie between 2^30 and 2^31 */
        const uint64_t least = (fmpz_bits(needed) + 30) / 31;
        const uint64_t next = least > im->nprimes ? least : im->nprimes + 1;
        *more = next > CKDA_REACH_MAX_PRIMES ? CKDA_REACH_MAX_PRIMES + 1 : (uint32_t)next;
    }
    fmpz_clear(needed);
    fmpz_clear(product);
    return enough;
}

/* Appends to a growing string. */
static char *append(char *text, const char *fmt, ...) CKDA_PRINTF(2, 3);
static char *
append(char *text, const char *fmt, ...)
{
    char part[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(part, sizeof part, fmt, ap);
    va_end(ap);
    const size_t old = text != NULL ? strlen(text) : 0, more = strlen(part);
    text = flint_realloc(text, old + more + 1);
    memcpy(text + old, part, more + 1);
    return text;
}

/* The number, or its size when it is long. */
static char *
append_fmpz(char *text, const char *name, const fmpz_t x)
{
    if (fmpz_bits(x) > 120)
        return append(text, "%s (%lu bits)", name, (unsigned long)fmpz_bits(x));
    char *s = fmpz_get_str(NULL, 10, x);
    text = append(text, "%s = %s", name, s);
    flint_free(s);
    return text;
}

char *
height_text(const word_height *h, const images *im, const ckda_field_t K)
{
    fmpz_t needed, product;
    fmpz_init(needed);
    fmpz_init(product);
    ckda_modulus_needed(needed, h->den, h->bound, K);
    images_product(product, im);
    char *text = append_fmpz(NULL, "D", h->den);
    if (fmpz_is_one(fmpq_denref(h->bound))) {
        text = append_fmpz(text, ", B", fmpq_numref(h->bound));
    } else { /* shown rounded up */
        fmpz_t up;
        fmpz_init(up);
        fmpz_cdiv_q(up, fmpq_numref(h->bound), fmpq_denref(h->bound));
        text = append_fmpz(text, ", B below", up);
        fmpz_clear(up);
    }
    text = append(text, ", degree %ld, ", (long)K->degree);
    if (im->nprimes == 1)
        text = append(text, "p = %u", im->mod[0].p);
    else
        text = append(text, "%u primes from %u down, product of %lu bits", im->nprimes,
                      im->mod[0].p, (unsigned long)fmpz_bits(product));
    text = append(text, "%s", fmpz_cmp(product, needed) > 0 ? " > " : " <= ");
    text = append_fmpz(text, "(2BD)^d", needed);
    fmpz_clear(needed);
    fmpz_clear(product);
    return text;
}
