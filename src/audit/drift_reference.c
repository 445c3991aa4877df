#include "drift_reference.h"

#include <math.h>

/* ---- letters ---------------------------------------------------------------------- */

/* z >= |M^T M - 4^shift I|_F / 4^shift */
static void
defect(mag_t z, const fmpz_mat_t M, slong shift)
{
    const slong n = fmpz_mat_nrows(M);
    fmpz_mat_t T, P;
    fmpz_t sum, one;
    fmpz_mat_init(T, n, n);
    fmpz_mat_init(P, n, n);
    fmpz_init(sum);
    fmpz_init(one);
    fmpz_mat_transpose(T, M);
    fmpz_mat_mul(P, T, M);
    fmpz_one_2exp(one, (ulong)(2 * shift));
    for (slong i = 0; i < n; i++) {
        fmpz *d = fmpz_mat_entry(P, i, i);
        fmpz_sub(d, d, one);
        for (slong j = 0; j < n; j++)
            fmpz_addmul(sum, fmpz_mat_entry(P, i, j), fmpz_mat_entry(P, i, j));
    }
    mag_set_fmpz(z, sum);
    mag_sqrt(z, z);
    mag_mul_2exp_si(z, z, -2 * shift);
    fmpz_clear(one);
    fmpz_clear(sum);
    fmpz_mat_clear(P);
    fmpz_mat_clear(T);
}

static void
set_letter(drift_letters *L, uint32_t l, const fmpq_mat_t A)
{
    fmpz_t den;
    fmpz_mat_t M;
    mag_t z, one;
    fmpz_init(den);
    fmpz_mat_init(M, L->n, L->n);
    fmpq_mat_get_fmpz_mat_matwise(M, den, A);
    L->shift[l] = (slong)fmpz_val2(den);
    ckda_require(fmpz_bits(den) == (flint_bitcnt_t)L->shift[l] + 1,
                 "letter %lu is not dyadic", (unsigned long)l);
    fmpz_mat_init_set(L->matrix + l, M);
    mag_init(z);
    mag_init(one);
    mag_one(one);
    defect(z, M, L->shift[l]);
    mag_add(z, z, one);
    mag_init(L->norm + l);
    mag_sqrt(L->norm + l, z);
    L->bits[l] = log2(mag_get_d(L->norm + l)) + 1e-8;
    mag_clear(one);
    mag_clear(z);
    fmpz_mat_clear(M);
    fmpz_clear(den);
}

void
drift_letters_init_matrices(drift_letters *L, const fmpq_mat_struct *A, uint32_t nletters,
                            slong n)
{
    *L = (drift_letters){.n = n,
                         .nletters = nletters,
                         .matrix = flint_malloc(nletters * sizeof *L->matrix),
                         .shift = flint_malloc(nletters * sizeof *L->shift),
                         .norm = flint_malloc(nletters * sizeof *L->norm),
                         .bits = flint_malloc(nletters * sizeof *L->bits)};
    for (uint32_t l = 0; l < nletters; l++)
        set_letter(L, l, A + l);
}

void
drift_letters_init(drift_letters *L, const ckda_rounded_t R)
{
    fmpq_mat_struct *A = flint_malloc(R->nletters * sizeof *A);
    for (uint32_t l = 0; l < R->nletters; l++) {
        fmpq_mat_init(A + l, R->n, R->n);
        ckda_rounded_matrix(A + l, l, R);
    }
    drift_letters_init_matrices(L, A, R->nletters, R->n);
    for (uint32_t l = 0; l < R->nletters; l++)
        fmpq_mat_clear(A + l);
    flint_free(A);
}

void
drift_letters_clear(drift_letters *L)
{
    for (uint32_t l = 0; l < L->nletters; l++) {
        fmpz_mat_clear(L->matrix + l);
        mag_clear(L->norm + l);
    }
    flint_free(L->matrix);
    flint_free(L->shift);
    flint_free(L->norm);
    flint_free(L->bits);
}

/* ---- the recurrence --------------------------------------------------------------- */

void
drift_reference_init(drift_reference *r, const double *H, slong n, slong prec)
{
    int exponent, least = 0;
    r->n = n;
    r->prec = prec;
    fmpz_mat_init(r->mid, n, n);
    fmpz_mat_init(r->next, n, n);
    mag_init(r->radius);
    for (slong i = 0; i < n * n; i++)
        if (H[i] != 0 && (frexp(H[i], &exponent), exponent < least))
            least = exponent;
    r->exp = least - 53;
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++) {
            /* an integer of at most 53 bits, then what the exponents differ by */
            const double m = ldexp(frexp(H[i * n + j], &exponent), 53);
            fmpz *x = fmpz_mat_entry(r->mid, i, j);
            fmpz_set_d(x, m);
            if (m != 0)
                fmpz_mul_2exp(x, x, (ulong)(exponent - least));
        }
}

void
drift_reference_clear(drift_reference *r)
{
    fmpz_mat_clear(r->mid);
    fmpz_mat_clear(r->next);
    mag_clear(r->radius);
}

/* Cuts the entries to prec bits: each loses less than one new unit. */
static void
cut(drift_reference *r, slong bits)
{
    const slong s = bits - r->prec;
    mag_t units;
    for (slong i = 0; i < r->n; i++)
        for (slong j = 0; j < r->n; j++) {
            fmpz *x = fmpz_mat_entry(r->mid, i, j);
            fmpz_fdiv_q_2exp(x, x, (ulong)s);
        }
    r->exp += s;
    mag_init(units);
    mag_set_ui_2exp_si(units, (ulong)r->n, r->exp);
    mag_add(r->radius, r->radius, units);
    mag_clear(units);
}

void
drift_reference_step(drift_reference *r, uint32_t letter, const drift_letters *L)
{
    enum { LAZY = 64 }; /* cutting less often costs fewer passes, not accuracy */
    fmpz_mat_mul(r->next, L->matrix + letter, r->mid);
    fmpz_mat_swap(r->mid, r->next);
    r->exp -= L->shift[letter];
    if (r->prec == 0)
        return;
    mag_mul(r->radius, r->radius, L->norm + letter);
    const slong bits = FLINT_ABS(fmpz_mat_max_bits(r->mid));
    if (bits > r->prec + LAZY)
        cut(r, bits);
}

void
drift_reference_get(arb_ptr H, const drift_reference *r, slong wp)
{
    arf_t radius;
    fmpz_t e;
    arf_init(radius);
    arf_set_mag(radius, r->radius);
    fmpz_init_set_si(e, r->exp);
    for (slong i = 0; i < r->n; i++)
        for (slong j = 0; j < r->n; j++) {
            arb_ptr x = H + i * r->n + j;
            arb_set_fmpz_2exp(x, fmpz_mat_entry(r->mid, i, j), e);
            arb_set_round(x, x, wp);
            arb_add_error_arf(x, radius);
        }
    fmpz_clear(e);
    arf_clear(radius);
}

double
drift_reference_accuracy(const drift_reference *r)
{
    if (mag_is_zero(r->radius))
        return -1e18;
    /* |H~|_F >= its largest entry - radius */
    const double top = (double)r->exp + (double)FLINT_ABS(fmpz_mat_max_bits(r->mid)) - 1;
    const double radius = fmpz_get_d(MAG_EXPREF(r->radius)); /* radius < 2^this */
    if (fmpz_mat_is_zero(r->mid) || radius >= top - 1)
        return 0;
    return radius - top + 1;
}
