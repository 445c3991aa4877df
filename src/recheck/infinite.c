/* The powers of one word, after those of a prefix, lead to infinitely many states.
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

enum { MOST_PHI = 600 };

/* X = M X modulo p, for X with `cols` columns. */
static void
apply(matrix *X, const matrix *M, size_t cols, const instance *I, unsigned long p)
{
    const size_t size = I->rows + I->cols;
    const instance J = {
        .rows = size, .cols = cols, .degree = I->degree, .f = I->f, .work = I->work};
    const matrix none = {0};
    matrix T;
    matrix_init(&T, X->count);
    step(&T, &J, M, &none, X);
    for (size_t i = 0; i < T.count; i++)
        mpz_fdiv_r_ui(T.num[i], T.num[i], p);
    matrix_clear(X);
    *X = T;
}

/* X = M^e X; M becomes a power of itself. */
static void
apply_power(matrix *X, matrix *M, const mpz_t e, const instance *I, unsigned long p)
{
    for (size_t bit = 0; bit < mpz_sizeinbase(e, 2); bit++) {
        if (mpz_tstbit(e, bit))
            apply(X, M, I->cols, I, p);
        apply(M, M, I->rows + I->cols, I, p);
    }
}

/* Puts A, with `cols` columns, at row 0 and the given column of a wider matrix M, modulo
 * p. */
static void
place(reader *in, matrix *M, size_t wide, size_t column, const matrix *A, size_t cols,
      size_t d, const mpz_t p)
{
    mpz_t *inverse = integers_new(1);
    refuse(in, mpz_invert(*inverse, A->den, p) == 0, "prime: divides a denominator");
    for (size_t i = 0; i < A->count; i++) {
        const size_t e = i / d;
        mpz_ptr to = M->num[(e / cols * wide + column + e % cols) * d + i % d];
        mpz_mul(to, A->num[i], *inverse);
        mpz_mod(to, to, p);
    }
    release(inverse);
}

/* X = the product of the word's letters times X: each is (A B; 0 I). */
static void
apply_word(reader *in, matrix *X, size_t cols, const uint32_t *word, size_t length,
           const instance *I, const mpz_t p)
{
    const size_t size = I->rows + I->cols, d = I->degree;
    matrix L;
    matrix_init(&L, size * size * d);
    for (size_t i = 0; i < length; i++) {
        const letter *x = I->letters + word[i];
        for (size_t k = 0; k < L.count; k++)
            mpz_set_ui(L.num[k], k % (d * (size + 1)) == 0);
        place(in, &L, size, 0, &x->linear, I->rows, d, p);
        if (x->offset.count > 0)
            place(in, &L, size, I->rows, &x->offset, I->cols, d, p);
        apply(X, &L, cols, I, mpz_get_ui(p));
    }
    matrix_clear(&L);
}

/* E = lcm of all N with phi(N) <= most: the product of the greatest such prime powers. */
static void
common_period(mpz_t E, uint64_t most)
{
    mpz_t *q = integers_new(1);
    mpz_set_ui(*q, 2);
    for (mpz_set_ui(E, 1); mpz_cmp_ui(*q, most + 1) <= 0; mpz_nextprime(*q, *q))
        for (uint64_t phi = mpz_get_ui(*q) - 1; phi <= most; phi *= mpz_get_ui(*q))
            mpz_mul(E, E, *q);
    release(q);
}

/* g = gcd(g, h) modulo p, h destroyed; *n coefficients of g, the last one not 0. */
static void
gcd(mpz_t *g, size_t *n, mpz_t *h, size_t m, const mpz_t p)
{
    mpz_t *q = integers_new(1);
    for (;;) {
        while (m > 0 && mpz_divisible_p(h[m - 1], p))
            m--;
        if (m == 0)
            break;
        mpz_invert(*q, h[m - 1], p);
        for (size_t i = 0; i < m; i++) { /* monic */
            mpz_mul(h[i], h[i], *q);
            mpz_mod(h[i], h[i], p);
        }
        for (; *n >= m; --*n) { /* g = g mod h */
            mpz_mod(*q, g[*n - 1], p);
            for (size_t i = 0; i < m; i++)
                mpz_submul(g[*n - m + i], *q, h[i]);
        }
        for (size_t i = 0; i < m; i++)
            mpz_swap(g[i], h[i]);
        const size_t t = m;
        m = *n;
        *n = t;
    }
    release(q);
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
    return n == 1;
}

void
infinite_check(reader *in, char said[256], instance *I, const json_t *header)
{
    size_t length, before = 0;
    matrix X, Y, M; /* the two sides, powers of the word */
    mpz_t *p = integers_new(2), *e = p + 1;
    instance_read(in, I, header);
    const size_t d = I->degree, size = I->rows + I->cols;
    refuse(in, I->rows * d > MOST_PHI, "rows times degree is above %d", MOST_PHI);
    refuse(in, I->cols * d > MOST_PHI, "cols times degree is above %d", MOST_PHI);
    next_line(in);
    const uint32_t *prefix = NULL, *word = get_word(in, &length, "word", I->nletters);
    const uint64_t prime = get_count(in, in->json, "prime", 2, INT32_MAX);
    if (json_object_get(in->json, "prefix") != NULL)
        prefix = get_word(in, &before, "prefix", I->nletters);
    mpz_set_ui(*p, prime);
    refuse(in, length == 0, "word: empty");
    refuse(in, mpz_probab_prime_p(*p, 30) == 0, "prime: not a prime number");
    matrix_init(&X, size * I->cols * d);
    matrix_init(&Y, size * I->cols * d);
    matrix_init(&M, size * size * d);
    for (size_t i = 0; i < I->cols; i++) /* (S; I) for the initial state S */
        mpz_set_ui(X.num[((I->rows + i) * I->cols + i) * d], 1);
    place(in, &X, I->cols, 0, &I->initial, I->cols, d, *p);
    for (size_t i = 0; i < size; i++)
        mpz_set_ui(M.num[i * (size + 1) * d], 1);
    apply_word(in, &X, I->cols, prefix, before, I, *p);
    apply_word(in, &M, size, word, length, I, *p);
    for (size_t i = 0; i < I->rows; i++) /* n powers */
        apply_word(in, &X, I->cols, word, length, I, *p);
    for (size_t i = 0; i < X.count; i++)
        mpz_set(Y.num[i], X.num[i]);
    common_period(*e, I->rows * d);
    apply_power(&Y, &M, *e, I, prime); /* and E more */
    refuse(in, !differ_everywhere(&X, &Y, I, *p), "word: its powers may repeat a state");
    snprintf(said, 256,
             "infinite: the powers of a word of length %zu%s never repeat a state",
             length, before > 0 ? ", after a prefix," : "");
}
