/* The models of inner products by definition, in rational numbers.  Shares with dot.c
 * only the rounding of a rational; no speed is sought. */
#include "ckda/fpfmt.h"

/* An extended rational. */
typedef enum { FINITE, PLUS_INF, MINUS_INF, NOT_A_NUMBER } kind;
typedef struct {
    fmpq_t q;
    kind is;
} number;

static void
number_init(number *x)
{
    fmpq_init(x->q);
    x->is = FINITE;
}

static void
number_clear(number *x)
{
    fmpq_clear(x->q);
}

static void
number_from(number *x, uint64_t bits, const ckda_fp_format *f)
{
    x->is = FINITE;
    if (ckda_fp_get_fmpq(x->q, bits, f) == CKDA_OK)
        return;
    fmpq_zero(x->q);
    if (ckda_fp_classify(bits, f) == CKDA_FP_NAN)
        x->is = NOT_A_NUMBER;
    else
        x->is = ckda_fp_is_negative(bits, f) ? MINUS_INF : PLUS_INF;
}

static int
sign_of(const number *x)
{
    return x->is == FINITE ? fmpq_sgn(x->q) : x->is == PLUS_INF ? 1 : -1;
}

static void
number_add(number *z, const number *x, const number *y)
{
    if (x->is == FINITE && y->is == FINITE) {
        fmpq_add(z->q, x->q, y->q);
        z->is = FINITE;
    } else if (x->is == NOT_A_NUMBER || y->is == NOT_A_NUMBER
               || (x->is != FINITE && y->is != FINITE && x->is != y->is)) {
        z->is = NOT_A_NUMBER; /* also the difference of two infinities */
    } else {
        z->is = x->is != FINITE ? x->is : y->is;
    }
}

static void
number_mul(number *z, const number *x, const number *y)
{
    if (x->is == FINITE && y->is == FINITE) {
        fmpq_mul(z->q, x->q, y->q);
        z->is = FINITE;
        return;
    }
    bool undefined = x->is == NOT_A_NUMBER || y->is == NOT_A_NUMBER;
    int sign = undefined ? 0 : sign_of(x) * sign_of(y);
    z->is = sign == 0 ? NOT_A_NUMBER : sign > 0 ? PLUS_INF : MINUS_INF;
}

/* x = the value to which acc rounds it. */
static uint64_t
number_round(number *x, const ckda_fp_dot_model *m)
{
    uint64_t bits;
    if (x->is == FINITE) {
        bits = ckda_fp_from_fmpq(x->q, m->acc, &m->rule);
    } else if (x->is == NOT_A_NUMBER) {
        bits = m->acc->nan;
    } else {
        uint64_t sign = x->is == MINUS_INF ? m->acc->sign : 0;
        bool saturate = m->rule.overflow == CKDA_FP_SATURATE;
        bits = saturate               ? m->acc->largest | sign
               : m->acc->has_infinity ? m->acc->infinity | sign
                                      : m->acc->nan;
    }
    number_from(x, bits, m->acc);
    return bits;
}

/* e = floor(log2 |q|), q not zero. */
static slong
floor_log2(const fmpq_t q)
{
    slong e = (slong)fmpz_bits(fmpq_numref(q)) - (slong)fmpz_bits(fmpq_denref(q));
    fmpq_t power, mag;
    fmpq_init(power);
    fmpq_init(mag);
    fmpq_abs(mag, q);
    fmpq_one(power);
    if (e >= 0)
        fmpq_mul_2exp(power, power, (ulong)e);
    else
        fmpq_div_2exp(power, power, (ulong)-e);
    if (fmpq_cmp(power, mag) > 0) /* 2^(e-1) < |q| < 2^(e+1) */
        e--;
    fmpq_clear(mag);
    fmpq_clear(power);
    return e;
}

static slong
field_exponent(const fmpq_t q, const ckda_fp_format *f)
{
    slong e = floor_log2(q);
    return e < f->emin ? f->emin : e;
}

/* x = x cut towards zero to a multiple of 2^unit. */
static void
cut(fmpq_t x, slong unit)
{
    fmpz_t n;
    fmpz_init(n);
    if (unit >= 0)
        fmpq_div_2exp(x, x, (ulong)unit);
    else
        fmpq_mul_2exp(x, x, (ulong)-unit);
    fmpz_tdiv_q(n, fmpq_numref(x), fmpq_denref(x));
    fmpq_set_fmpz(x, n);
    if (unit >= 0)
        fmpq_mul_2exp(x, x, (ulong)unit);
    else
        fmpq_div_2exp(x, x, (ulong)-unit);
    fmpz_clear(n);
}

typedef struct {
    number *a, *b;
    const ckda_fp_format *fa, *fb;
    const ckda_fp_dot_model *model;
} vectors;

/* z = the rounded tree of the products first .. last-1, last > first: the left part is
 * the largest power of two below the length. */
static void
tree(number *z, const vectors *v, long first, long last)
{
    if (last - first == 1) {
        number_mul(z, v->a + first, v->b + first);
    } else {
        long left = 1;
        while (2 * left < last - first)
            left *= 2;
        number right;
        number_init(&right);
        tree(z, v, first, first + left);
        tree(&right, v, first + left, last);
        number_add(z, z, &right);
        number_clear(&right);
    }
    number_round(z, v->model);
}

/* The largest alignment exponent of a block, or WORD_MIN when all terms are zero. */
static slong
largest_exponent(const vectors *v, long first, long last, const number *carry)
{
    bool fields = v->model->align == CKDA_FP_ALIGN_FIELDS;
    slong largest = WORD_MIN;
    if (carry != NULL && carry->is == FINITE && !fmpq_is_zero(carry->q))
        largest = fields ? field_exponent(carry->q, v->model->acc) : floor_log2(carry->q);
    number p;
    number_init(&p);
    for (long i = first; i < last; i++) {
        number_mul(&p, v->a + i, v->b + i);
        if (p.is != FINITE || fmpq_is_zero(p.q))
            continue;
        slong e =
            fields ? field_exponent(v->a[i].q, v->fa) + field_exponent(v->b[i].q, v->fb)
                   : floor_log2(p.q);
        largest = e > largest ? e : largest;
    }
    number_clear(&p);
    return largest;
}

/* z = the rounded sum of a block, with carry unless that is NULL; z is not carry. */
static void
block(number *z, const vectors *v, long first, long last, const number *carry)
{
    number p;
    number_init(&p);
    slong keep = v->model->keep_bits;
    slong unit = keep == 0 ? WORD_MIN : largest_exponent(v, first, last, carry);
    bool cutting = unit != WORD_MIN;
    unit = cutting ? unit - keep : 0;
    fmpq_zero(z->q);
    z->is = FINITE;
    for (long i = carry != NULL ? first - 1 : first; i < last; i++) {
        if (i < first) {
            fmpq_set(p.q, carry->q);
            p.is = carry->is;
        } else {
            number_mul(&p, v->a + i, v->b + i);
        }
        if (cutting && p.is == FINITE)
            cut(p.q, unit);
        number_add(z, z, &p);
    }
    number_round(z, v->model);
    number_clear(&p);
}

static void
run(number *s, const vectors *v, long n)
{
    const ckda_fp_dot_model *m = v->model;
    number t;
    number_init(&t);
    if (m->order == CKDA_FP_SEQUENTIAL) {
        for (long i = 0; i < n; i++) {
            number_mul(&t, v->a + i, v->b + i);
            if (!m->fused)
                number_round(&t, m);
            number_add(s, s, &t);
            number_round(s, m);
        }
    } else if (m->order == CKDA_FP_PAIRWISE) {
        tree(&t, v, 0, n);
        number_add(s, s, &t);
        number_round(s, m);
    } else {
        long last;
        for (long first = 0; first < n; first = last) {
            last = n - first < m->width ? n : first + m->width;
            block(&t, v, first, last, m->carry_inside ? s : NULL);
            if (!m->carry_inside)
                number_add(&t, s, &t);
            number_round(&t, m);
            fmpq_swap(s->q, t.q);
            s->is = t.is;
        }
    }
    number_clear(&t);
}

static number *
read_all(const uint64_t *x, const ckda_fp_format *f, long n)
{
    number *v = flint_malloc((size_t)n * sizeof *v);
    for (long i = 0; i < n; i++) {
        number_init(v + i);
        number_from(v + i, x[i], f);
    }
    return v;
}

static void
free_all(number *v, long n)
{
    for (long i = 0; i < n; i++)
        number_clear(v + i);
    flint_free(v);
}

uint64_t
ckda_fp_dot_definition(const uint64_t *a, const ckda_fp_format *fa, const uint64_t *b,
                       const ckda_fp_format *fb, long n, uint64_t init,
                       const ckda_fp_dot_model *model)
{
    if (n == 0)
        return (init & ~model->acc->sign) == 0 ? 0 : init;
    vectors v = {read_all(a, fa, n), read_all(b, fb, n), fa, fb, model};
    number s;
    number_init(&s);
    number_from(&s, init, model->acc);
    run(&s, &v, n);
    uint64_t bits = number_round(&s, model);
    number_clear(&s);
    free_all(v.b, n);
    free_all(v.a, n);
    return bits;
}

ckda_status
ckda_fp_dot_exact(fmpq_t s, const uint64_t *a, const ckda_fp_format *fa,
                  const uint64_t *b, const ckda_fp_format *fb, long n, uint64_t init,
                  const ckda_fp_format *finit)
{
    fmpq_t total, x, y;
    fmpq_init(total);
    fmpq_init(x);
    fmpq_init(y);
    ckda_status status = ckda_fp_get_fmpq(total, init, finit);
    for (long i = 0; i < n && status == CKDA_OK; i++) {
        status = ckda_fp_get_fmpq(x, a[i], fa);
        if (status == CKDA_OK)
            status = ckda_fp_get_fmpq(y, b[i], fb);
        if (status == CKDA_OK)
            fmpq_addmul(total, x, y);
    }
    if (status == CKDA_OK)
        fmpq_swap(s, total);
    fmpq_clear(y);
    fmpq_clear(x);
    fmpq_clear(total);
    return status;
}
