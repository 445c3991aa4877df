/* Products of micro-steps S -> G - w s (w^T G - u^T), G = Diag(gate) S: with s = beta / w^T w
 * and u = |w| v these are the steps (I - beta k k^T) G + beta k v^T of the key k along w.
 *
 * T, n x (n + m), is the product so far over its denominator: the last m columns are what
 * is written. */
#include "recheck.h"

typedef struct {
    instance *I;
    size_t wide; /* columns of T */
    matrix T;
    mpz_t *z, *t; /* wide d, d */
} product;

/* low <= x / D <= high; with `ends` only the ends. */
static bool
within(product *p, mpz_t *x, const mpz_t D, mpq_t *range, bool ends)
{
    int sign[2];
    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; k < p->I->degree; k++)
            mpz_mul(p->t[k], x[k], mpq_denref(range[i]));
        mpz_submul(p->t[0], mpq_numref(range[i]), D);
        sign[i] = sign_of(p->I, p->t);
    }
    return (sign[0] == 0 || sign[0] == 1) && (sign[1] == 0 || sign[1] == -1)
           && (!ends || sign[0] == 0 || sign[1] == 0);
}

static void
check_ranges(reader *in, product *p, const matrix *numbers)
{
    const size_t n = p->I->rows, d = p->I->degree;
    mpz_t *s = numbers->num, *w = s + d, *gate = w + n * d;
    mpz_t *beta = integers_new(d + 1), *D3 = beta + d;
    for (size_t i = 0; i < n; i++)
        refuse(in, !within(p, gate + i * d, numbers->den, p->I->range + 2, p->I->signs),
               "steps: gate %zu is outside its range", i);
    for (size_t i = 0; i < n; i++)
        add_times(p->I->work, w + i * d, w + i * d, p->I);
    settle(beta, p->I->work, p->I);
    add_times(p->I->work, s, beta, p->I);
    settle(beta, p->I->work, p->I);
    mpz_pow_ui(*D3, numbers->den, 3);
    refuse(in, !within(p, beta, *D3, p->I->range, false),
           "steps: beta is outside its range");
    release(beta);
}

/* s, the key's n, the gate's n and, if something is written, m numbers over D. */
static void
multiply(product *p, const matrix *numbers)
{
    const instance *I = p->I;
    const size_t n = I->rows, d = I->degree;
    mpz_t *s = numbers->num, *w = s + d, *gate = w + n * d, *u = gate + n * d;
    mpz_t *scale = integers_new(1);
    for (size_t e = 0; e < n * p->wide; e++) { /* D Diag(gate) T */
        add_times(p->I->work, gate + e / p->wide * d, p->T.num + e * d, I);
        settle(p->T.num + e * d, p->I->work, I);
    }
    mpz_mul(p->T.den, p->T.den, numbers->den);
    for (size_t c = 0; c < p->wide; c++) { /* z = D (w^T G - u^T), over T's denominator */
        for (size_t i = 0; i < n; i++)
            add_times(p->I->work, w + i * d, p->T.num + (i * p->wide + c) * d, I);
        settle(p->z + c * d, p->I->work, I);
        for (size_t k = 0; k < d && c >= n; k++)
            mpz_submul(p->z[c * d + k], u[(c - n) * d + k], p->T.den);
    }
    mpz_pow_ui(*scale, numbers->den, 3);
    for (size_t i = 0; i < n; i++) { /* D^3 (G - w s z) */
        add_times(p->I->work, s, w + i * d, I);
        settle(p->t, p->I->work, I);
        for (size_t k = 0; k < d; k++)
            mpz_neg(p->t[k], p->t[k]);
        for (size_t c = 0; c < p->wide; c++) {
            mpz_t *to = p->T.num + (i * p->wide + c) * d;
            add_times(p->I->work, p->t, p->z + c * d, I);
            for (size_t k = 0; k < d; k++)
                mpz_addmul(p->I->work[k], to[k], *scale);
            settle(to, p->I->work, I);
        }
    }
    mpz_mul(p->T.den, p->T.den, *scale);
    matrix_reduce(&p->T);
    release(scale);
}

/* Are the columns of T from `first` on, in the first `top` rows, those of A? */
static bool
is_equal(const product *p, const matrix *A, size_t first, size_t top)
{
    const size_t d = p->I->degree, cols = A->count / d / top;
    bool equal = true;
    mpz_t *x = integers_new(2);
    for (size_t i = 0; i < A->count; i++) {
        const size_t e = i / d, at = (e / cols * p->wide + first + e % cols) * d + i % d;
        mpz_mul(x[0], A->num[i], p->T.den);
        mpz_mul(x[1], p->T.num[at], A->den);
        equal = equal && mpz_cmp(x[0], x[1]) == 0;
    }
    release(x);
    return equal;
}

void
steps_check(reader *in, instance *I, const letter *x, size_t top)
{
    const json_t *steps = get_array(in, in->json, "steps", SIZE_MAX);
    const size_t n = I->rows, d = I->degree;
    product p = {.I = I, .wide = n + (x->offset.count > 0 ? I->cols : 0)};
    p.z = integers_new((p.wide + 1) * d);
    p.t = p.z + p.wide * d;
    matrix_init(&p.T, n * p.wide * d);
    for (size_t i = 0; i < n; i++)
        mpz_set_ui(p.T.num[i * (p.wide + 1) * d], 1);
    for (size_t i = 0; i < json_array_size(steps); i++) {
        matrix numbers;
        as_matrix(in, &numbers, json_array_get(steps, i), "steps", (1 + n + p.wide) * d);
        check_ranges(in, &p, &numbers);
        multiply(&p, &numbers);
        matrix_clear(&numbers);
        I->steps++;
    }
    refuse(in,
           !is_equal(&p, &x->linear, 0, top)
               || (x->offset.count > 0 && !is_equal(&p, &x->offset, n, top)),
           "steps: their product is another matrix");
    release(p.z);
    matrix_clear(&p.T);
}

void
product_check(reader *in, char said[256], instance *I, const json_t *header)
{
    header_read(in, I, header);
    system_read(in, I, header, false);
    for (uint32_t x = 0; x < I->nletters; x++) {
        const matrix *A = &I->letters[x].linear;
        const size_t top = A->count / I->degree / I->rows;
        for (size_t i = 0; i < A->count; i++)
            refuse(in, i / I->degree % I->rows >= top && mpz_sgn(A->num[i]) != 0,
                   "letter %u depends on what stands behind the first rows", x);
    }
    gmp_snprintf(said, 256,
                 "products: %u matrices from %zu factors, beta from %Qd to %Qd, gates %s",
                 I->nletters, I->steps, I->range[0], I->range[1],
                 I->signs ? "1 and -1" : "from -1 to 1");
}
