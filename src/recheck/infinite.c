/* The powers of one word lead to infinitely many states.
 *
 * With M = (A B; 0 I) the word's affine map on (S; I): if the states T^k S repeat, the
 * eigenvalues of M that matter are 0, at most n times, and roots of unity, each simple in
 * the minimal polynomial.  One other than 1 is an eigenvalue of A, of degree at most n d
 * over Q, so its order N has phi(N) <= n d, and with E the least common multiple of all
 * such N, M^(n + E) (S; I) = M^n (S; I).
 *
 * The two sides are compared modulo a prime p, as polynomials in F_p[x]/(f): f and the
 * entries of their difference must have no common divisor there.  f may be reducible: if
 * the sides were equal as real matrices, the minimal polynomial of the root, modulo p,
 * would divide f and all these entries. */
#include "recheck.h"

#include <stdlib.h>

enum { MOST_PHI = 600 };

/* T = M X modulo p, for X with `cols` columns. */
static void
apply(matrix *T, const matrix *M, const matrix *X, size_t cols, const instance *I,
      unsigned long p)
{
    const size_t d = I->degree, size = I->rows + I->cols;
    instance J = {.rows = size, .cols = cols, .degree = d, .f = I->f};
    letter x = {.linear = *M};
    J.work = integers_new(size * cols * (2 * d - 1));
    list_terms(&x, &J);
    step(T, &J, &x, X);
    for (size_t i = 0; i < T->count; i++)
        mpz_fdiv_r_ui(T->num[i], T->num[i], p);
    integers_free(J.work, size * cols * (2 * d - 1));
    free(x.terms);
}

static void
swap(matrix *A, matrix *B)
{
    const matrix t = *A;
    *A = *B;
    *B = t;
}

/* X = M^e X; M becomes a power of itself. */
static void
apply_power(matrix *X, matrix *M, const mpz_t e, const instance *I, unsigned long p)
{
    matrix T, P;
    matrix_init(&T, X->count);
    matrix_init(&P, M->count);
    for (size_t bit = 0; bit < mpz_sizeinbase(e, 2); bit++) {
        if (mpz_tstbit(e, bit)) {
            apply(&T, M, X, I->cols, I, p);
            swap(&T, X);
        }
        apply(&P, M, M, I->rows + I->cols, I, p);
        swap(&P, M);
    }
    matrix_clear(&T);
    matrix_clear(&P);
}

/* Puts A, with `cols` columns, at row 0 and the given column of a wider matrix M, modulo
 * p; false: p divides the denominator. */
static bool
place(matrix *M, size_t wide, size_t column, const matrix *A, size_t cols, size_t d,
      const mpz_t p)
{
    mpz_t inverse;
    mpz_init(inverse);
    const bool good = mpz_invert(inverse, A->den, p) != 0;
    for (size_t i = 0; good && i < A->count; i++) {
        const size_t e = i / d;
        mpz_ptr to = M->num[(e / cols * wide + column + e % cols) * d + i % d];
        mpz_mul(to, A->num[i], inverse);
        mpz_mod(to, to, p);
    }
    mpz_clear(inverse);
    return good;
}

/* M = (A B; 0 I) of a letter; of no letter, the identity. */
static bool
letter_matrix(matrix *M, const instance *I, const letter *x, const mpz_t p)
{
    const size_t n = I->rows, size = n + I->cols, d = I->degree;
    for (size_t i = 0; i < M->count; i++)
        mpz_set_ui(M->num[i], i % (d * (size + 1)) == 0);
    return x == NULL
           || (place(M, size, 0, &x->linear, n, d, p)
               && (x->offset.count == 0 || place(M, size, n, &x->offset, I->cols, d, p)));
}

/* M = the product of the word's letters, X = (S; I). */
static bool
word_matrix(matrix *M, matrix *X, const instance *I, const json_t *word, const mpz_t p)
{
    const size_t size = I->rows + I->cols, d = I->degree;
    matrix L, T;
    matrix_init(&L, M->count);
    matrix_init(&T, M->count);
    bool good = letter_matrix(M, I, NULL, p);
    for (size_t i = 0; good && i < json_array_size(word); i++) {
        const letter *x = I->letters + json_integer_value(json_array_get(word, i));
        good = letter_matrix(&L, I, x, p);
        apply(&T, &L, M, size, I, mpz_get_ui(p));
        swap(&T, M);
    }
    for (size_t i = 0; i < I->cols; i++)
        mpz_set_ui(X->num[((I->rows + i) * I->cols + i) * d], 1);
    matrix_clear(&L);
    matrix_clear(&T);
    return good && place(X, I->cols, 0, &I->initial, I->cols, d, p);
}

/* E = lcm of all N with phi(N) <= most; N <= 2 most^2 since phi(N) >= sqrt(N / 2). */
static void
common_period(mpz_t E, uint64_t most)
{
    const uint64_t last = 2 * most * most;
    uint32_t *phi = grown(NULL, last + 1, sizeof *phi);
    for (uint64_t N = 0; N <= last; N++)
        phi[N] = (uint32_t)N;
    for (uint32_t N = 2; N <= last; N++) {
        const bool prime = phi[N] == N; /* no smaller one divided it */
        for (uint64_t k = N; prime && k <= last; k += N)
            phi[k] -= phi[k] / N;
    }
    mpz_set_ui(E, 1);
    for (uint64_t N = 1; N <= last; N++)
        if (phi[N] <= most)
            mpz_lcm_ui(E, E, N);
    free(phi);
}

/* g = gcd(g, h) modulo p, h destroyed; *n coefficients of g, the last one not 0. */
static void
gcd(mpz_t *g, size_t *n, mpz_t *h, size_t m, const mpz_t p)
{
    mpz_t q;
    mpz_init(q);
    for (;;) {
        while (m > 0 && mpz_divisible_p(h[m - 1], p))
            m--;
        if (m == 0)
            break;
        mpz_invert(q, h[m - 1], p);
        for (size_t i = 0; i < m; i++) { /* monic */
            mpz_mul(h[i], h[i], q);
            mpz_mod(h[i], h[i], p);
        }
        for (; *n >= m; --*n) { /* g = g mod h */
            mpz_mod(q, g[*n - 1], p);
            for (size_t i = 0; i < m; i++)
                mpz_submul(g[*n - m + i], q, h[i]);
        }
        for (size_t i = 0; i < m; i++)
            mpz_swap(g[i], h[i]);
        const size_t t = m;
        m = *n;
        *n = t;
    }
    mpz_clear(q);
}

/* Have f and the entries of X - Y no common divisor modulo p?  Y is overwritten. */
static bool
differ_everywhere(const matrix *X, matrix *Y, const instance *I, const mpz_t p)
{
    const size_t d = I->degree;
    size_t n = d + 1;
    mpz_t *g = integers_new(d + 1);
    for (size_t k = 0; k <= d; k++)
        mpz_mod(g[k], I->f[k], p);
    for (size_t i = 0; i < X->count; i++) {
        mpz_sub(Y->num[i], X->num[i], Y->num[i]);
        if (i % d == d - 1)
            gcd(g, &n, Y->num + i - (d - 1), d, p);
    }
    integers_free(g, d + 1);
    return n == 1;
}

static bool
check_word(reader *in, const instance *I, const json_t *word, const mpz_t p)
{
    const size_t d = I->degree, size = I->rows + I->cols;
    matrix A[4], *M = A, *P = A + 1, *X = A + 2, *Y = A + 3;
    mpz_t e;
    for (int i = 0; i < 4; i++)
        matrix_init(A + i, size * (i < 2 ? size : I->cols) * d);
    mpz_init_set_ui(e, I->rows);
    bool good = word_matrix(M, X, I, word, p) && word_matrix(P, Y, I, word, p);
    if (good) {
        apply_power(X, P, e, I, mpz_get_ui(p));
        common_period(e, I->rows * d);
        mpz_add_ui(e, e, I->rows);
        apply_power(Y, M, e, I, mpz_get_ui(p));
        good = differ_everywhere(X, Y, I, p)
               || refuse(in, "word: its powers may repeat a state");
    } else {
        refuse(in, "prime: divides a denominator");
    }
    for (int i = 0; i < 4; i++)
        matrix_clear(A + i);
    mpz_clear(e);
    return good;
}

bool
infinite_check(reader *in, char said[256], instance *I)
{
    json_t *word;
    uint64_t p, x;
    mpz_t prime;
    if (I->rows * I->degree > MOST_PHI)
        return refuse(in, "rows times degree is above %d", MOST_PHI);
    if (!next_line(in) || !get_array(in, &word, in->json, "word", SIZE_MAX)
        || !get_count(in, &p, in->json, "prime", 2, INT32_MAX))
        return false;
    const size_t length = json_array_size(word);
    if (length == 0 || I->nletters == 0)
        return refuse(in, "word: empty");
    for (size_t i = 0; i < length; i++)
        if (!as_count(in, &x, json_array_get(word, i), "word", i, 0, I->nletters - 1))
            return false;
    mpz_init_set_ui(prime, p);
    const bool good =
        (mpz_probab_prime_p(prime, 30) != 0 || refuse(in, "prime: not a prime number"))
        && check_word(in, I, word, prime);
    mpz_clear(prime);
    snprintf(said, 256,
             "infinite: the powers of a word of length %zu never repeat a state", length);
    return good;
}
