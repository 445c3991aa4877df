/* A prime for the certificate.  The search needs the states T^(n+E) S and T^n S to differ at
 * one root of the minimal polynomial f modulo p.  A checker that does not know f to be
 * irreducible needs more: f and the entries of the difference, polynomials in the generator
 * a modulo p, have no common divisor.  That is so iff their values at the companion matrix
 * of f have no common kernel (the kernel of g(C) belongs to gcd(f, g)).                   */
#include "infinite_internal.h"

enum { MOST_SIZE = 120, MOST_PRIMES = 16 };

/* The block of x at (row, col): x with a replaced by the companion matrix, whose powers are
 * given; false: p divides the denominator. */
static bool
set_block(nmod_mat_t M, slong row, slong col, const ckda_elem_t x,
          const nmod_mat_struct *companion, const ckda_field_t K)
{
    const slong d = K->degree;
    nmod_t mod = M->mod;
    fmpq_poly_t g;
    fmpq_poly_init(g);
    ckda_elem_get_fmpq_poly(g, x, K);
    const ulong den = fmpz_fdiv_ui(fmpq_poly_denref(g), mod.n);
    const ulong inverse = den != 0 ? n_invmod(den, mod.n) : 0;
    for (slong k = 0; k < fmpq_poly_length(g); k++) {
        const ulong num = fmpz_fdiv_ui(fmpq_poly_numref(g) + k, mod.n);
        const ulong c = nmod_mul(num, inverse, mod);
        for (slong i = 0; c != 0 && i < d; i++)
            for (slong j = 0; j < d; j++) {
                ulong *to = &nmod_mat_entry(M, row * d + i, col * d + j);
                *to = nmod_add(*to, nmod_mul(c, nmod_mat_entry(companion + k, i, j), mod),
                               mod);
            }
    }
    fmpq_poly_clear(g);
    return den != 0;
}

static bool
set_blocks(nmod_mat_t M, slong col, const ckda_mat_t A, const nmod_mat_struct *companion,
           const ckda_field_t K)
{
    bool good = true;
    for (slong i = 0; i < A->rows; i++)
        for (slong j = 0; good && j < A->cols; j++)
            good = set_block(M, i, col + j, ckda_mat_entry(A, i, j), companion, K);
    return good;
}

/* C^0, ..., C^(d-1). */
static nmod_mat_struct *
companion_powers(const ckda_field_t K, ulong p)
{
    const slong d = K->degree;
    nmod_mat_struct *power = flint_malloc((size_t)d * sizeof *power);
    nmod_mat_t C;
    nmod_mat_init(C, d, d, p);
    for (slong i = 0; i < d; i++) {
        if (i + 1 < d)
            nmod_mat_entry(C, i + 1, i) = 1;
        nmod_mat_entry(C, i, d - 1) =
            n_negmod(fmpz_fdiv_ui(fmpz_poly_get_coeff_ptr(K->minpoly, i), p), p);
    }
    for (slong k = 0; k < d; k++) {
        nmod_mat_init(power + k, d, d, p);
        if (k == 0)
            nmod_mat_one(power);
        else
            nmod_mat_mul(power + k, power + k - 1, C);
    }
    nmod_mat_clear(C);
    return power;
}

/* X = M^e X; M becomes a power of itself. */
static void
apply_power(nmod_mat_t X, nmod_mat_t M, const fmpz_t e)
{
    for (ulong bit = 0; bit < fmpz_bits(e); bit++) {
        if (fmpz_tstbit(e, bit))
            nmod_mat_mul(X, M, X);
        nmod_mat_mul(M, M, M);
    }
}

/* Have the d x d blocks of X no common kernel? */
static bool
blocks_are_coprime(const nmod_mat_t X, slong d)
{
    const slong blocks = nmod_mat_ncols(X) / d, rows = nmod_mat_nrows(X);
    nmod_mat_t tall;
    nmod_mat_init(tall, blocks * rows, d, X->mod.n);
    for (slong b = 0; b < blocks; b++)
        for (slong i = 0; i < rows; i++)
            for (slong j = 0; j < d; j++)
                nmod_mat_entry(tall, b * rows + i, j) = nmod_mat_entry(X, i, b * d + j);
    const bool coprime = nmod_mat_rank(tall) == d;
    nmod_mat_clear(tall);
    return coprime;
}

static bool
differs_everywhere(const ckda_mat_t A, const ckda_mat_t B, const ckda_mat_t S,
                   const ckda_field_t K, ulong p)
{
    const slong n = S->rows, m = S->cols, d = K->degree, size = (n + m) * d;
    nmod_mat_struct *companion = companion_powers(K, p);
    nmod_mat_t M, P, X, Y;
    fmpz_t e;
    nmod_mat_init(M, size, size, p);
    nmod_mat_init(P, size, size, p);
    nmod_mat_init(X, size, m * d, p);
    nmod_mat_init(Y, size, m * d, p);
    bool good = set_blocks(M, 0, A, companion, K) && set_blocks(M, n, B, companion, K)
                && set_blocks(X, 0, S, companion, K);
    if (good) {
        for (slong i = n * d; i < size; i++) {
            nmod_mat_entry(M, i, i) = 1;
            nmod_mat_entry(X, i, i - n * d) = 1;
        }
        nmod_mat_set(P, M);
        fmpz_init_set_si(e, n);
        apply_power(X, P, e);
        nmod_mat_set(Y, X);
        common_period(e, (ulong)(n * d));
        apply_power(Y, M, e);
        nmod_mat_sub(X, X, Y);
        good = blocks_are_coprime(X, d);
        fmpz_clear(e);
    }
    nmod_mat_clear(M);
    nmod_mat_clear(P);
    nmod_mat_clear(X);
    nmod_mat_clear(Y);
    for (slong k = 0; k < d; k++)
        nmod_mat_clear(companion + k);
    flint_free(companion);
    return good;
}

uint32_t
checkable_prime(const ckda_pump *pump, const ckda_system_t sys)
{
    const slong n = sys->initial->rows, m = sys->initial->cols;
    uint32_t found = 0;
    if ((n + m) * sys->K->degree > MOST_SIZE)
        return 0;
    ckda_mat_t A, B, S;
    ckda_mat_init(A, n, n, sys->K);
    ckda_mat_init(B, n, m, sys->K);
    ckda_mat_init(S, n, m, sys->K);
    word_over_field(A, B, S, pump, sys);
    fmpz_t den;
    fmpz_init_set_ui(den, 1);
    raise_denominator(den, sys->initial, sys->K);
    for (uint32_t x = 0; x < sys->nletters; x++) {
        raise_denominator(den, sys->linear + x, sys->K);
        if (sys->offset != NULL)
            raise_denominator(den, sys->offset + x, sys->K);
    }
    ulong p = UWORD(1) << 31;
    for (int tried = 0; found == 0 && tried < MOST_PRIMES; tried++) {
        do
            p--;
        while (!n_is_prime(p) || fmpz_fdiv_ui(den, p) == 0);
        if (differs_everywhere(A, B, S, sys->K, p))
            found = (uint32_t)p;
    }
    fmpz_clear(den);
    ckda_mat_clear(A, sys->K);
    ckda_mat_clear(B, sys->K);
    ckda_mat_clear(S, sys->K);
    return found;
}
