/* The powers of one word lead to infinitely many states.
 *
 * With M = (A B; 0 I) the word's affine map on (S; I): if the states T^k S repeat, the
 * eigenvalues of M that matter are 0, at most n times, and roots of unity, each simple in
 * the minimal polynomial.  One other than 1 is an eigenvalue of A, of degree at most n d
 * over Q, so its order N has phi(N) <= n d, and with E the least common multiple of all
 * such N, M^(n + E) (S; I) = M^n (S; I).
 *
 * The two sides are compared modulo a prime p at which f has d different roots, at every
 * root.  f may be reducible: the minimal polynomial of the real root divides it and has
 * one of these roots, so if the sides were equal as real matrices they would be equal
 * there. */
#include "recheck.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PHI = 600 };

typedef struct {
    uint64_t p;
    size_t n, m, size; /* size = n + m */
} modular;

static uint64_t
power(uint64_t x, uint64_t e, uint64_t p)
{
    uint64_t y = 1;
    for (x %= p; e > 0; e >>= 1, x = x * x % p)
        if (e & 1)
            y = y * x % p;
    return y;
}

/* The value of an entry at the root r, times 1 / den. */
static uint64_t
image(const mpz_t *coefficients, size_t d, uint64_t inverse, uint64_t r, uint64_t p)
{
    uint64_t v = 0;
    for (size_t k = d; k-- > 0;)
        v = (v * r + mpz_fdiv_ui(coefficients[k], p)) % p;
    return v * inverse % p;
}

/* C = A B, A: k x k, B: k x cols. */
static void
multiply(uint64_t *C, const uint64_t *A, const uint64_t *B, size_t k, size_t cols,
         uint64_t p)
{
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < cols; j++) {
            uint64_t sum = 0;
            for (size_t l = 0; l < k; l++)
                sum = (sum + A[i * k + l] * B[l * cols + j]) % p;
            C[i * cols + j] = sum;
        }
}

/* Places the images of A, rows x cols, at row 0 and the given column of a wide matrix. */
static void
place_images(uint64_t *to, size_t wide, size_t column, const matrix *A, size_t cols,
             size_t d, uint64_t r, uint64_t p)
{
    const uint64_t inverse = power(mpz_fdiv_ui(A->den, p), p - 2, p);
    for (size_t e = 0; e < A->count / d; e++)
        to[e / cols * wide + column + e % cols] =
            image((const mpz_t *)A->num + e * d, d, inverse, r, p);
}

/* M = (A B; 0 I) of a letter. */
static void
letter_images(uint64_t *M, const instance *I, const letter *x, const modular *q,
              uint64_t r)
{
    memset(M, 0, q->size * q->size * sizeof *M);
    for (size_t i = q->n; i < q->size; i++)
        M[i * q->size + i] = 1;
    place_images(M, q->size, 0, &x->linear, q->n, I->degree, r, q->p);
    if (x->offset.count > 0)
        place_images(M, q->size, q->n, &x->offset, q->m, I->degree, r, q->p);
}

typedef struct {
    uint64_t *word, *power, *spare;  /* size x size */
    uint64_t *before, *after, *swap; /* size x m */
} room;

static void
start_images(uint64_t *X, const instance *I, const modular *q, uint64_t r)
{
    memset(X, 0, q->size * q->m * sizeof *X);
    for (size_t i = 0; i < q->m; i++)
        X[(q->n + i) * q->m + i] = 1;
    place_images(X, q->m, 0, &I->initial, q->m, I->degree, r, q->p);
}

static void
swap_pointers(uint64_t **a, uint64_t **b)
{
    uint64_t *t = *a;
    *a = *b;
    *b = t;
}

/* Do M^(n+E) X and M^n X differ at the root r? */
static bool
differs_at(room *w, const instance *I, const uint32_t *word, size_t length, const mpz_t E,
           const modular *q, uint64_t r)
{
    const size_t k = q->size, m = q->m;
    letter_images(w->word, I, I->letters + word[0], q, r);
    for (size_t i = 1; i < length; i++) {
        letter_images(w->power, I, I->letters + word[i], q, r);
        multiply(w->spare, w->power, w->word, k, k, q->p);
        swap_pointers(&w->word, &w->spare);
    }
    start_images(w->before, I, q, r);
    for (size_t i = 0; i < q->n; i++) {
        multiply(w->swap, w->word, w->before, k, m, q->p);
        swap_pointers(&w->before, &w->swap);
    }
    memcpy(w->after, w->before, k * m * sizeof *w->after);
    memcpy(w->power, w->word, k * k * sizeof *w->power);
    for (size_t bit = 0; bit < mpz_sizeinbase(E, 2); bit++) {
        if (mpz_tstbit(E, bit)) {
            multiply(w->swap, w->power, w->after, k, m, q->p);
            swap_pointers(&w->after, &w->swap);
        }
        multiply(w->spare, w->power, w->power, k, k, q->p);
        swap_pointers(&w->power, &w->spare);
    }
    return memcmp(w->before, w->after, k * m * sizeof *w->before) != 0;
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

/* p is prime, divides no denominator, and f has d different roots modulo p. */
static bool
check_prime(reader *in, const instance *I, uint64_t p, const uint64_t *roots)
{
    mpz_t number;
    mpz_init_set_ui(number, p);
    const bool prime = mpz_probab_prime_p(number, 30) != 0;
    mpz_clear(number);
    if (!prime)
        return refuse(in, "prime: not a prime number");
    if (mpz_divisible_ui_p(I->initial.den, p))
        return refuse(in, "prime: divides a denominator");
    for (uint32_t x = 0; x < I->nletters; x++) {
        const letter *l = I->letters + x;
        if (mpz_divisible_ui_p(l->linear.den, p)
            || (l->offset.count > 0 && mpz_divisible_ui_p(l->offset.den, p)))
            return refuse(in, "prime: divides a denominator");
    }
    for (size_t i = 0; i < I->degree; i++) {
        if (image((const mpz_t *)I->f, I->degree + 1, 1, roots[i], p) != 0)
            return refuse(in, "roots[%zu]: not a root of minpoly", i);
        for (size_t j = 0; j < i; j++)
            if (roots[i] == roots[j])
                return refuse(in, "roots[%zu]: is there twice", i);
    }
    return true;
}

static bool
check_word(reader *in, const instance *I, const uint32_t *word, size_t length, uint64_t p,
           const uint64_t *roots)
{
    const modular q = {p, I->rows, I->cols, I->rows + I->cols};
    const size_t square = q.size * q.size, wide = q.size * q.m;
    uint64_t *all = grown(NULL, 3 * (square + wide), sizeof *all);
    room w = {all,
              all + square,
              all + 2 * square,
              all + 3 * square,
              all + 3 * square + wide,
              all + 3 * square + 2 * wide};
    mpz_t E;
    bool good = true;
    mpz_init(E);
    common_period(E, I->rows * I->degree);
    for (size_t i = 0; good && i < I->degree; i++)
        if (!differs_at(&w, I, word, length, E, &q, roots[i]))
            good = refuse(in, "word: its powers may repeat a state (root %zu)", i);
    mpz_clear(E);
    free(all);
    return good;
}

static bool
read_list(reader *in, uint64_t *out, const json_t *array, const char *what, uint64_t max)
{
    for (size_t i = 0; i < json_array_size(array); i++)
        if (!as_count(in, out + i, json_array_get(array, i), what, i, max))
            return false;
    return true;
}

bool
infinite_check(reader *in, summary *said, instance *I)
{
    json_t *letters, *list;
    uint64_t p;
    if (I->rows * I->degree > MOST_PHI)
        return refuse(in, "rows times degree is above %d", MOST_PHI);
    if (I->nletters == 0)
        return refuse(in, "letters: there are none");
    if (!next_line(in) || !get_array(in, &letters, in->json, "word", SIZE_MAX)
        || !get_count(in, &p, in->json, "prime", INT32_MAX)
        || !get_array(in, &list, in->json, "roots", I->degree))
        return false;
    const size_t length = json_array_size(letters);
    if (length == 0)
        return refuse(in, "word: empty");
    uint64_t *read = grown(NULL, length + I->degree, sizeof *read);
    uint32_t *word = grown(NULL, length, sizeof *word);
    bool good = p > 1 || refuse(in, "prime: not a prime number");
    good = good && read_list(in, read, letters, "word", I->nletters - 1)
           && read_list(in, read + length, list, "roots", p - 1);
    for (size_t i = 0; good && i < length; i++)
        word[i] = (uint32_t)read[i];
    good = good && check_prime(in, I, p, read + length)
           && check_word(in, I, word, length, p, read + length);
    free(read);
    free(word);
    snprintf(said->text, sizeof said->text,
             "infinite: the powers of a word of %zu letters never repeat a state",
             length);
    return good;
}
