/* Rounded matrices: every operation exactly, then one rounding.
 *
 * One token for every column h; a letter has one or more micro-steps (key k, gate g,
 * beta), RN rounds to nearest, ties to even, in the format `compute`:
 *     D_i = RN(g_i h_i);  p = RN(k_0 D_0), then RN(p + k_i D_i), or without fma
 *     RN(p + RN(k_i D_i));  v = RN(beta k), q = p  (beta "key"), or v = k,
 *     q = RN(beta p)  (beta "dot");  h_i = STORE(RN(D_i - v_i q)), or without fma
 *     h_i = STORE(RN(D_i - RN(v_i q))).
 * A letter given as a matrix: h_i = STORE(its row i times h), summed like p.  STORE rounds
 * to the format `state`, or to integers, and flushes.  An overflow is refused.
 *
 * All numbers are integers here, in units of 2^-unit. */
#include "recheck.h"

enum { MOST_SIZE = 64, MOST_EXPONENT = 20000, MOST_PRECISION = 1024 };

typedef struct {
    uint64_t precision, least; /* precision 0: integers; the least value is 2^-least */
    mpz_t *max;
} format;

typedef struct {
    size_t steps; /* 0: a matrix */
    mpz_t *value; /* keys, gates, beta and v of each step, or the matrix */
} token;

typedef struct {
    size_t n;
    uint64_t unit;
    format compute, state;
    bool fma, on_dot, rtz, overflow;
    mpz_t *flush, *p, *t, *D;
    token *tokens;
    uint32_t ntokens;
    engine e; /* of one part, whose numbers are compared as they are */
} rounded;

/* ---- arithmetic ------------------------------------------------------------------------- */

/* x / 2^scale goes to f, to nearest, ties to even, or towards 0. */
static void
round_to(mpz_t x, uint64_t scale, const format *f, bool rtz, rounded *R)
{
    const long spare = (long)mpz_sizeinbase(x, 2) - (long)f->precision;
    const int sign = mpz_sgn(x);
    long drop = (long)scale - (long)f->least;
    if (f->precision > 0 && spare > drop)
        drop = spare;
    if (sign != 0 && drop > 0) {
        const mp_bitcnt_t bits = (mp_bitcnt_t)drop;
        mpz_abs(x, x);
        const bool half = mpz_tstbit(x, bits - 1) != 0, tie = mpz_scan1(x, 0) == bits - 1;
        mpz_tdiv_q_2exp(x, x, bits);
        if (!rtz && half && (!tie || mpz_odd_p(x)))
            mpz_add_ui(x, x, 1);
        mpz_mul_2exp(x, x, bits);
        if (sign < 0)
            mpz_neg(x, x);
    }
    mpz_tdiv_q_2exp(x, x, scale - R->unit);
    R->overflow |= f->precision > 0 && mpz_cmpabs(x, *f->max) > 0;
}

static void
multiply(mpz_t z, const mpz_t x, const mpz_t y, rounded *R)
{
    mpz_mul(z, x, y);
    round_to(z, 2 * R->unit, &R->compute, false, R);
}

/* z = RN(z +- x y), with or without the product rounded first. */
static void
accumulate(mpz_t z, const mpz_t x, const mpz_t y, bool minus, rounded *R)
{
    mpz_mul(*R->t, x, y);
    if (R->fma)
        mpz_mul_2exp(z, z, R->unit);
    else
        round_to(*R->t, 2 * R->unit, &R->compute, false, R);
    (minus ? mpz_sub : mpz_add)(z, z, *R->t);
    round_to(z, R->fma ? 2 * R->unit : R->unit, &R->compute, false, R);
}

static void
dot(mpz_t p, mpz_t *k, mpz_t *h, size_t stride, rounded *R)
{
    multiply(p, k[0], h[0], R);
    for (size_t i = 1; i < R->n; i++)
        accumulate(p, k[i], h[i * stride], false, R);
}

static void
store_value(mpz_t x, rounded *R)
{
    round_to(x, R->unit, &R->state, R->rtz, R);
    if (mpz_cmpabs(x, *R->flush) < 0)
        mpz_set_ui(x, 0);
}

/* One micro-step of column h of T, in place. */
static void
micro_step(rounded *R, mpz_t *key, mpz_t *h)
{
    const size_t n = R->n;
    mpz_t *gate = key + n, *beta = gate + n, *v = R->on_dot ? key : beta + 1;
    for (size_t i = 0; i < n; i++)
        multiply(R->D[i], gate[i], h[i * n], R);
    dot(*R->p, key, R->D, 1, R);
    if (R->on_dot)
        multiply(*R->p, *beta, *R->p, R);
    for (size_t i = 0; i < n; i++) {
        accumulate(R->D[i], v[i], *R->p, true, R);
        store_value(R->D[i], R);
        mpz_swap(h[i * n], R->D[i]);
    }
}

/* T = the state S after a token. */
static const char *
rounded_to(void *data, uint32_t x, uint32_t *said)
{
    rounded *R = data;
    const token *t = R->tokens + x;
    const size_t n = R->n;
    mpz_t *S = R->e.part[0].S.num, *T = R->e.part[0].T.num;
    (void)said;
    for (size_t e = 0; e < n * n; e++)
        mpz_set(T[e], S[e]);
    for (size_t j = 0; j < n; j++) {
        for (size_t s = 0; s < t->steps; s++)
            micro_step(R, t->value + s * (3 * n + 1), T + j);
        for (size_t i = 0; t->steps == 0 && i < n; i++) {
            dot(T[i * n + j], t->value + i * n, S + j, n, R);
            store_value(T[i * n + j], R);
        }
    }
    return R->overflow ? "an operation overflows" : NULL;
}

/* ---- reading ---------------------------------------------------------------------------- */

/* Fractions with a power of 2 below; an array, or one alone. */
static void
get_dyadics(reader *in, mpz_t *to, const json_t *object, const char *key, size_t count,
            const rounded *R)
{
    const json_t *list = get_member(in, object, key);
    mpq_t *x = fractions_new(1);
    if (json_is_array(list))
        get_array(in, object, key, count);
    for (size_t i = 0; i < count; i++) {
        as_fraction(in, *x, json_is_array(list) ? json_array_get(list, i) : list, key);
        mpq_mul_2exp(*x, *x, R->unit);
        refuse(in, mpz_cmp_ui(mpq_denref(*x), 1) != 0, "%s: not a multiple of the unit",
               key);
        mpz_set(to[i], mpq_numref(*x));
    }
    release(x);
}

static void
get_format(reader *in, format *f, const json_t *object, const char *key, const rounded *R)
{
    const json_t *body = get_member(in, object, key);
    f->max = integers_new(1);
    if (json_is_true(json_object_get(body, "integers")))
        return;
    f->precision = get_count(in, body, "precision", 1, MOST_PRECISION);
    f->least = get_count(in, body, "least", 0, R->unit);
    get_dyadics(in, f->max, body, "max", 1, R);
}

/* The arithmetic, and the first state. */
static rounded *
prepare(reader *in, instance *I, const json_t *header)
{
    const size_t n = I->rows;
    refuse(in, n > MOST_SIZE || I->cols != n,
           "rows and cols: expected a square of at most %d", MOST_SIZE);
    rounded *R = grown(NULL, 1, sizeof *R);
    mpz_t *own = integers_new(n + 3);
    *R = (rounded){.n = n, .flush = own, .p = own + 1, .t = own + 2, .D = own + 3};
    R->e = (engine){.nparts = 1, .data = R, .to = rounded_to};
    const json_t *body = get_member(in, header, "arithmetic");
    R->unit = get_count(in, body, "unit", 0, MOST_EXPONENT);
    get_format(in, &R->compute, body, "compute", R);
    get_format(in, &R->state, body, "state", R);
    refuse(in, R->compute.precision == 0, "compute: must be a format");
    R->fma = get_choice(in, body, "sum", "separate", "fma");
    R->on_dot = get_choice(in, body, "beta", "key", "dot");
    R->rtz = get_choice(in, body, "store", "rne", "rtz");
    if (json_object_get(body, "flush") != NULL)
        get_dyadics(in, R->flush, body, "flush", 1, R);
    const bool all = json_is_array(json_object_get(body, "start")); /* or the diagonal */
    matrix_init(&R->e.part[0].initial, n * n);
    mpz_t *first = R->e.part[0].initial.num;
    get_dyadics(in, first, body, "start", all ? n * n : 1, R);
    for (size_t i = 1; i < n && !all; i++)
        mpz_set(first[i * (n + 1)], first[0]);
    return R;
}

/* The member "matrix" or "steps" of the current line. */
static void
read_token(reader *in, rounded *R)
{
    const size_t n = R->n;
    R->tokens = doubled(R->tokens, R->ntokens, sizeof *R->tokens);
    token *t = R->tokens + R->ntokens++;
    *t = (token){0};
    if (json_object_get(in->json, "matrix") != NULL) {
        t->value = integers_new(n * n);
        get_dyadics(in, t->value, in->json, "matrix", n * n, R);
        return;
    }
    const json_t *steps = get_array(in, in->json, "steps", SIZE_MAX);
    t->steps = json_array_size(steps);
    refuse(in, t->steps == 0, "steps: there are none");
    t->value = integers_new(t->steps * (3 * n + 1));
    for (size_t s = 0; s < t->steps; s++) {
        const json_t *step = json_array_get(steps, s);
        mpz_t *key = t->value + s * (3 * n + 1);
        get_dyadics(in, key, step, "key", n, R);
        get_dyadics(in, key + n, step, "gate", n, R);
        get_dyadics(in, key + 2 * n, step, "beta", 1, R);
        for (size_t i = 0; i < n; i++)
            multiply(key[2 * n + 1 + i], key[2 * n], key[i], R);
    }
}

/* T becomes the state after a word of the current line, and *length its length. */
static uint32_t *
replay(reader *in, rounded *R, const char *key, const instance *I, size_t *length)
{
    piece *p = R->e.part;
    uint32_t *word = get_word(in, length, key, I->nletters);
    matrix_init(&p->S, p->initial.count);
    matrix_init(&p->T, p->initial.count);
    for (size_t e = 0; e < p->initial.count; e++)
        mpz_set(p->T.num[e], p->initial.num[e]);
    for (size_t i = 0; i < *length; i++) {
        const matrix t = p->S;
        p->S = p->T;
        p->T = t;
        const char *why = rounded_to(R, word[i], NULL);
        refuse(in, why != NULL, "%s[%zu]: %s", key, i, why);
    }
    return word;
}

/* ---- the kinds --------------------------------------------------------------------------- */

void
rounded_check(reader *in, char said[256], instance *I, const json_t *header)
{
    graph g = {0};
    header_read(in, I, header);
    shape_read(in, I, header);
    rounded *R = prepare(in, I, header);
    for (uint64_t x = 0; x < I->stated; x++) {
        letter_begin(in, I);
        read_token(in, R);
    }
    group_read(in, I);
    graph_check(in, &g, I, header, &R->e);
    graph_says(said, &g, I, "rounded, closed", "rounded");
}

/* No state with the label of s has a greater inner product with H than state b. */
static void
check_nearest(reader *in, const matrix *H, instance *I, const graph *g, uint32_t s,
              uint64_t b)
{
    const size_t d = I->degree;
    matrix S, B, sum; /* of H[e] (B[e] - S[e]) */
    matrix_init(&S, I->initial.count);
    matrix_init(&B, I->initial.count);
    matrix_unpack(&B, g->states.bytes + g->at[b]);
    refuse(in, g->label[b] == g->label[s],
           "nearest: has the label of the word's own state");
    for (uint32_t i = 0; i < g->count; i++) {
        if (g->label[i] != g->label[s])
            continue;
        matrix_unpack(&S, g->states.bytes + g->at[i]);
        matrix_init(&sum, d);
        for (size_t k = 0; k < S.count; k++) {
            mpz_mul(sum.den, B.num[k], S.den);
            mpz_submul(sum.den, S.num[k], B.den);
            mpz_addmul(sum.num[k % d], H->num[k / d], sum.den);
        }
        const int sign = sign_of(I, sum.num);
        matrix_clear(&sum);
        refuse(in, sign != 0 && sign != 1, "nearest: state %u of the own label is nearer",
               i);
    }
}

/* Exact letters and all exact states, the lines "token", and a word after which the state
 * is read wrongly: bits that another word, of another product, leads to as well, or
 * nearest to a state of another element. */
void
failing_check(reader *in, char said[256], instance *I, const json_t *header)
{
    graph g = {0};
    uint32_t s[2] = {0, 0};
    matrix H[2];
    size_t length[2];
    exact_check(in, &g, I, header);
    refuse(in, !I->has_group || g.inconsistent, "decoder: expected \"consistent\"");
    rounded *R = prepare(in, I, header);
    for (uint32_t x = 0; x < I->nletters; x++) {
        numbered_line(in, "token", x);
        read_token(in, R);
    }
    next_line(in);
    const bool collides = json_object_get(in->json, "other") != NULL;
    for (int k = 0; k <= collides; k++) {
        const uint32_t *word = replay(in, R, k == 0 ? "word" : "other", I, length + k);
        for (size_t i = 0; i < length[k]; i++)
            s[k] = g.next[(size_t)s[k] * I->nletters + word[i]];
        H[k] = R->e.part[0].T;
    }
    if (!collides)
        check_nearest(in, H, I, &g, s[0],
                      get_count(in, in->json, "nearest", 0, g.count - 1));
    refuse(in, collides && g.label[s[0]] == g.label[s[1]], "the words have one product");
    for (size_t k = 0; collides && k < H[0].count; k++)
        refuse(in, mpz_cmp(H[0].num[k], H[1].num[k]) != 0,
               "the words lead to different bits");
    snprintf(said, 256, "fails after a word of length %zu: %s", length[0],
             collides ? "another word of another product leads to the same bits"
                      : "a state of another element is as near as any of its own");
}
