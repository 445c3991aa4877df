/* Rounded matrices: every operation on exact fractions, then one rounding.
 *
 * One token for every column h; a letter has one or more micro-steps (key k, gate g,
 * beta), RN rounds to nearest, ties to even, in the format `compute`:
 *     D_i = RN(g_i h_i);  p = RN(k_0 D_0), then RN(p + k_i D_i), or without fma
 *     RN(p + RN(k_i D_i));  v = RN(beta k), q = p  (beta "key"), or v = k,
 *     q = RN(beta p)  (beta "dot");  h_i = STORE(RN(D_i - v_i q)), or without fma
 *     h_i = STORE(RN(D_i - RN(v_i q))).
 * A letter given as a matrix: h_i = STORE(its row i times h), summed like p.  STORE rounds
 * to the format `state`, or to integers, and flushes.  An overflow is refused. */
#include "recheck.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SIZE = 64, MOST_EXPONENT = 20000, MOST_PRECISION = 1024 };

typedef struct {
    uint64_t precision, least; /* precision 0: integers; the least value is 2^-least */
    mpq_t max;
} format;

typedef struct {
    size_t steps; /* 0: a matrix */
    mpq_t *value; /* keys, gates, v and beta of each step, or the matrix */
    size_t count;
} token;

struct rounded {
    size_t n;
    format compute, state;
    bool fma, on_dot, rtz, has_flush, overflow;
    mpq_t flush, start, p, t, size;
    mpq_t *H, *T, *D; /* n n, n n, n */
    token *tokens;
    uint32_t ntokens;
};

static mpq_t *
array_new(size_t count)
{
    mpq_t *v = grown(NULL, count, sizeof *v);
    for (size_t i = 0; i < count; i++)
        mpq_init(v[i]);
    return v;
}

static void
array_free(mpq_t *v, size_t count)
{
    for (size_t i = 0; v != NULL && i < count; i++)
        mpq_clear(v[i]);
    free(v);
}

/* ---- arithmetic ------------------------------------------------------------------------- */

/* |x| goes to a multiple of 2^unit: to nearest, ties to even, or towards 0. */
static void
round_to_unit(mpq_t x, long unit, long den_bits, bool rtz)
{
    const int sign = mpq_sgn(x);
    const mp_bitcnt_t drop = (mp_bitcnt_t)(unit + den_bits);
    mpz_ptr m = mpq_numref(x);
    mpz_abs(m, m);
    const bool half = mpz_tstbit(m, drop - 1) != 0, tie = mpz_scan1(m, 0) == drop - 1;
    mpz_tdiv_q_2exp(m, m, drop);
    if (!rtz && half && (!tie || mpz_odd_p(m)))
        mpz_add_ui(m, m, 1);
    if (sign < 0)
        mpz_neg(m, m);
    mpz_set_ui(mpq_denref(x), 1);
    if (unit > 0)
        mpq_mul_2exp(x, x, (mp_bitcnt_t)unit);
    else
        mpq_div_2exp(x, x, (mp_bitcnt_t)-unit);
}

/* x has a power of 2 below. */
static void
round_to(mpq_t x, const format *f, bool rtz, rounded *R)
{
    const long den_bits = (long)mpz_sizeinbase(mpq_denref(x), 2) - 1;
    const long top = (long)mpz_sizeinbase(mpq_numref(x), 2) - den_bits;
    long unit = -(long)f->least;
    if (f->precision > 0 && top - (long)f->precision > unit)
        unit = top - (long)f->precision;
    if (mpq_sgn(x) == 0)
        return;
    if (unit + den_bits > 0)
        round_to_unit(x, unit, den_bits, rtz);
    if (f->precision == 0)
        return;
    mpq_abs(R->size, x);
    R->overflow |= mpq_cmp(R->size, f->max) > 0;
}

static void
multiply(mpq_t z, const mpq_t x, const mpq_t y, rounded *R)
{
    mpq_mul(z, x, y);
    round_to(z, &R->compute, false, R);
}

/* z = RN(z +- x y), with or without the product rounded first. */
static void
accumulate(mpq_t z, const mpq_t x, const mpq_t y, bool minus, rounded *R)
{
    mpq_mul(R->t, x, y);
    if (!R->fma)
        round_to(R->t, &R->compute, false, R);
    if (minus)
        mpq_sub(z, z, R->t);
    else
        mpq_add(z, z, R->t);
    round_to(z, &R->compute, false, R);
}

static void
dot(mpq_t p, mpq_t *k, mpq_t *h, size_t stride, rounded *R)
{
    multiply(p, k[0], h[0], R);
    for (size_t i = 1; i < R->n; i++)
        accumulate(p, k[i], h[i * stride], false, R);
}

static void
store_value(mpq_t x, rounded *R)
{
    round_to(x, &R->state, R->rtz, R);
    mpq_abs(R->size, x);
    if (R->has_flush && mpq_cmp(R->size, R->flush) < 0)
        mpq_set_ui(x, 0, 1);
}

/* One micro-step of column j of T, in place. */
static void
micro_step(rounded *R, mpq_t *key, size_t j)
{
    const size_t n = R->n;
    mpq_t *gate = key + n, *v = R->on_dot ? key : key + 2 * n;
    for (size_t i = 0; i < n; i++)
        multiply(R->D[i], gate[i], R->T[i * n + j], R);
    dot(R->p, key, R->D, 1, R);
    if (R->on_dot)
        multiply(R->p, key[3 * n], R->p, R);
    for (size_t i = 0; i < n; i++) {
        accumulate(R->D[i], v[i], R->p, true, R);
        store_value(R->D[i], R);
        mpq_swap(R->T[i * n + j], R->D[i]);
    }
}

static void
apply(rounded *R, const token *t)
{
    const size_t n = R->n;
    for (size_t e = 0; e < n * n; e++)
        mpq_set(R->T[e], R->H[e]);
    for (size_t j = 0; j < n; j++) {
        for (size_t s = 0; s < t->steps; s++)
            micro_step(R, t->value + s * (3 * n + 1), j);
        for (size_t i = 0; t->steps == 0 && i < n; i++) {
            dot(R->T[i * n + j], t->value + i * n, R->H + j, n, R);
            store_value(R->T[i * n + j], R);
        }
    }
}

/* ---- packed states ----------------------------------------------------------- */

static size_t
pack(mpq_t *v, size_t count, uint8_t **bytes, size_t *room)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        pack_integer(bytes, room, &used, mpq_numref(v[i]));
        pack_integer(bytes, room, &used, mpq_denref(v[i]));
    }
    return used;
}

size_t
rounded_start(rounded *R, uint8_t **bytes, size_t *room)
{
    for (size_t i = 0; i < R->n; i++)
        mpq_set(R->H[i * (R->n + 1)], R->start);
    return pack(R->H, R->n * R->n, bytes, room);
}

void
rounded_from(rounded *R, const uint8_t *bytes)
{
    for (size_t i = 0; i < R->n * R->n; i++) {
        bytes = unpack_integer(mpq_numref(R->H[i]), bytes);
        bytes = unpack_integer(mpq_denref(R->H[i]), bytes);
    }
}

size_t
rounded_to(rounded *R, uint32_t x, uint8_t **bytes, size_t *room)
{
    apply(R, R->tokens + x);
    return R->overflow ? 0 : pack(R->T, R->n * R->n, bytes, room);
}

/* ---- reading ---------------------------------------------------------------------------- */

/* A fraction with a power of 2 below. */
static bool
as_dyadic(reader *in, mpq_t x, const json_t *value, const char *what)
{
    return as_fraction(in, x, value, what)
           && (mpz_popcount(mpq_denref(x)) == 1
               || refuse(in, "%s: the denominator is no power of 2", what));
}

static bool
get_dyadic(reader *in, mpq_t x, const json_t *object, const char *key)
{
    json_t *value;
    return get_member(in, &value, object, key) && as_dyadic(in, x, value, key);
}

static bool
get_dyadics(reader *in, mpq_t *to, const json_t *object, const char *key, size_t count)
{
    json_t *list;
    if (!get_array(in, &list, object, key, count))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!as_dyadic(in, to[i], json_array_get(list, i), key))
            return false;
    return true;
}

static bool
get_format(reader *in, format *f, const json_t *object, const char *key)
{
    json_t *body;
    if (!get_object(in, &body, object, key))
        return false;
    if (json_is_true(json_object_get(body, "integers")))
        return true;
    return get_count(in, &f->precision, body, "precision", 1, MOST_PRECISION)
           && get_count(in, &f->least, body, "least", 0, MOST_EXPONENT)
           && get_dyadic(in, f->max, body, "max");
}

static bool
read_arithmetic(reader *in, rounded *R, const json_t *header)
{
    json_t *body;
    if (!get_object(in, &body, header, "arithmetic")
        || !get_format(in, &R->compute, body, "compute")
        || !get_format(in, &R->state, body, "state")
        || !get_choice(in, &R->fma, body, "sum", "separate", "fma")
        || !get_choice(in, &R->on_dot, body, "beta", "key", "dot")
        || !get_choice(in, &R->rtz, body, "store", "rne", "rtz")
        || !get_dyadic(in, R->start, body, "start"))
        return false;
    R->has_flush = json_object_get(body, "flush") != NULL;
    if (R->has_flush && !get_dyadic(in, R->flush, body, "flush"))
        return false;
    return R->compute.precision > 0 || refuse(in, "compute: must be a format");
}

static bool
read_step(reader *in, rounded *R, mpq_t *key, const json_t *step)
{
    const size_t n = R->n;
    if (!get_dyadics(in, key, step, "key", n)
        || !get_dyadics(in, key + n, step, "gate", n)
        || !get_dyadic(in, key[3 * n], step, "beta"))
        return false;
    for (size_t i = 0; i < n; i++)
        multiply(key[2 * n + i], key[3 * n], key[i], R);
    return true;
}

static bool
read_token(reader *in, rounded *R)
{
    json_t *steps;
    const size_t n = R->n;
    R->tokens = grown(R->tokens, (size_t)R->ntokens + 1, sizeof *R->tokens);
    token *t = R->tokens + R->ntokens++;
    *t = (token){0};
    if (json_object_get(in->json, "matrix") != NULL) {
        t->value = array_new(t->count = n * n);
        return get_dyadics(in, t->value, in->json, "matrix", t->count);
    }
    if (!get_array(in, &steps, in->json, "steps", SIZE_MAX))
        return false;
    t->steps = json_array_size(steps);
    t->value = array_new(t->count = t->steps * (3 * n + 1));
    for (size_t s = 0; s < t->steps; s++)
        if (!read_step(in, R, t->value + s * (3 * n + 1), json_array_get(steps, s)))
            return false;
    return t->steps > 0 || refuse(in, "steps: there are none");
}

static bool
check_rounded(reader *in, char said[256], instance *I, rounded *R, const json_t *header)
{
    if (!header_read(in, I, header))
        return false;
    if (I->rows > MOST_SIZE || I->cols != I->rows)
        return refuse(in, "rows and cols: expected a square of at most %d", MOST_SIZE);
    R->n = I->rows;
    R->H = array_new(2 * R->n * R->n + R->n);
    R->T = R->H + R->n * R->n;
    R->D = R->T + R->n * R->n;
    if (!read_arithmetic(in, R, header))
        return false;
    for (uint64_t x = 0; x < I->stated; x++)
        if (!letter_begin(in, I) || !read_token(in, R))
            return false;
    return group_read(in, I) && graph_check(in, said, I, header, R);
}

bool
rounded_check(reader *in, char said[256], instance *I, const json_t *header)
{
    rounded R = {0};
    mpq_inits(R.compute.max, R.state.max, R.flush, R.start, R.p, R.t, R.size, NULL);
    const bool good = check_rounded(in, said, I, &R, header);
    mpq_clears(R.compute.max, R.state.max, R.flush, R.start, R.p, R.t, R.size, NULL);
    for (uint32_t x = 0; x < R.ntokens; x++)
        array_free(R.tokens[x].value, R.tokens[x].count);
    array_free(R.H, 2 * R.n * R.n + R.n);
    free(R.tokens);
    return good;
}
