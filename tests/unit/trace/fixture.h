/* Small traces made by hand, and the recurrence in exact rationals beside them. */
#ifndef CKDA_TESTS_TRACE_FIXTURE_H
#define CKDA_TESTS_TRACE_FIXTURE_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace_internal.h"
#include "ckda/rand.h"

#define OK(call) assert_int_equal((call), CKDA_OK)

/* Adds numbers rounded to the dtype (BF16, F16, F32, F64). */
static inline void
add_numbers(ckda_tensors *ts, const char *name, ckda_dtype d, int ndim,
            const uint64_t *shape, const double *x)
{
    static const ckda_fp_format *const formats[] = {&ckda_fp_bf16, &ckda_fp_fp16,
                                                    &ckda_fp_fp32, &ckda_fp_fp64};
    ckda_error err;
    ckda_error_clear(&err);
    if (ckda_tensors_add(ts, name, d, ndim, shape, NULL, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    ckda_tensor *t = &ts->tensor[ts->ntensors - 1];
    const size_t n = ckda_dtype_bytes(d);
    for (uint64_t i = 0; i < t->count; i++) {
        const uint64_t bits = ckda_fp_from_double(x[i], formats[d], &ckda_fp_rne);
        for (size_t b = 0; b < n; b++)
            t->bytes[i * n + b] = (unsigned char)(bits >> (8 * b) & 0xff);
    }
}

/* Sizes of a trace and its numbers; every vector is already rounded to its dtype. */
typedef struct {
    uint64_t B, T, H, K, V;
    double *q, *k, *v, *alpha, *beta, *h0;
} numbers;

static inline double
random_bf16(ckda_rand *r, double scale)
{
    const double x = ((double)ckda_rand_below(r, 2001) - 1000) / 1000 * scale;
    return ckda_fp_get_double(ckda_fp_from_double(x, &ckda_fp_bf16, &ckda_fp_rne),
                              &ckda_fp_bf16);
}

static inline double *
random_vector(ckda_rand *r, uint64_t n, double scale)
{
    double *x = malloc(n * sizeof *x);
    for (uint64_t i = 0; i < n; i++)
        x[i] = random_bf16(r, scale);
    return x;
}

static inline numbers
random_numbers(ckda_rand *r, uint64_t B, uint64_t T, uint64_t H, uint64_t K, uint64_t V)
{
    numbers x = {.B = B, .T = T, .H = H, .K = K, .V = V};
    const double unit = 1 / sqrt((double)K);
    x.q = random_vector(r, B * T * H * K, 1);
    x.k = random_vector(r, B * T * H * K, 1.6 * unit);
    x.v = random_vector(r, B * T * H * V, 1);
    x.alpha = random_vector(r, B * T * H * K, 1);
    x.beta = random_vector(r, B * T * H, 1);
    x.h0 = random_vector(r, B * H * K * V, 1);
    for (uint64_t i = 0; i < B * T * H; i++)
        x.beta[i] = fabs(x.beta[i]) * 2;
    return x;
}

static inline void
free_numbers(numbers *x)
{
    free(x->q);
    free(x->k);
    free(x->v);
    free(x->alpha);
    free(x->beta);
    free(x->h0);
}

static inline void
add_inputs(ckda_tensors *ts, const numbers *x)
{
    const uint64_t hk[4] = {x->B, x->T, x->H, x->K}, hv[4] = {x->B, x->T, x->H, x->V},
                   state[4] = {x->B, x->H, x->K, x->V};
    add_numbers(ts, "q", CKDA_DTYPE_BF16, 4, hk, x->q);
    add_numbers(ts, "k", CKDA_DTYPE_BF16, 4, hk, x->k);
    add_numbers(ts, "v", CKDA_DTYPE_BF16, 4, hv, x->v);
    add_numbers(ts, "alpha", CKDA_DTYPE_BF16, 4, hk, x->alpha);
    add_numbers(ts, "beta", CKDA_DTYPE_F32, 3, hv, x->beta);
    add_numbers(ts, "initial_state", CKDA_DTYPE_F32, 4, state, x->h0);
    ckda_tensors_set_meta(ts, "scale", "0.5");
}

/* ---- the exact recurrence ---------------------------------------------------------- */

static inline void
set_q(fmpq_t x, double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    assert_int_equal(ckda_fp_get_fmpq(x, bits, &ckda_fp_fp64), CKDA_OK);
}

/* Column c of head (b, h) over all tokens: state [K], and o[t] = scale q^T h unless NULL.
 * Written from the definition, (I - beta k k^T) diag(alpha) h + beta k v. */
static inline void
exact_column(fmpq *state, fmpq *o, const numbers *x, uint64_t b, uint64_t h, uint64_t c)
{
    const uint64_t K = x->K;
    fmpq_t y, w, kd;
    fmpq_init(y);
    fmpq_init(w);
    fmpq_init(kd);
    for (uint64_t i = 0; i < K; i++)
        set_q(state + i, x->h0[((b * x->H + h) * K + i) * x->V + c]);
    for (uint64_t t = 0; t < x->T; t++) {
        const uint64_t at = (b * x->T + t) * x->H + h;
        fmpq_zero(kd);
        for (uint64_t i = 0; i < K; i++) {
            set_q(y, x->alpha[at * K + i]);
            fmpq_mul(state + i, state + i, y);
            set_q(y, x->k[at * K + i]);
            fmpq_mul(y, y, state + i);
            fmpq_add(kd, kd, y);
        }
        set_q(w, x->v[at * x->V + c]);
        fmpq_sub(w, w, kd);
        set_q(y, x->beta[at]);
        fmpq_mul(w, w, y);
        for (uint64_t i = 0; i < K; i++) {
            set_q(y, x->k[at * K + i]);
            fmpq_mul(y, y, w);
            fmpq_add(state + i, state + i, y);
        }
        if (o == NULL)
            continue;
        fmpq_zero(o + t);
        for (uint64_t i = 0; i < K; i++) {
            set_q(y, x->q[at * K + i]);
            fmpq_mul(y, y, state + i);
            fmpq_add(o + t, o + t, y);
        }
        fmpq_div_2exp(o + t, o + t, 1); /* scale 1/2 */
    }
    fmpq_clear(kd);
    fmpq_clear(w);
    fmpq_clear(y);
}

static inline fmpq *
new_fmpq(uint64_t n)
{
    fmpq *x = flint_malloc(n * sizeof *x);
    for (uint64_t i = 0; i < n; i++)
        fmpq_init(x + i);
    return x;
}

static inline void
free_fmpq(fmpq *x, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        fmpq_clear(x + i);
    flint_free(x);
}

static inline double
double_of(const fmpq_t x)
{
    return ckda_fp_get_double(ckda_fp_from_fmpq(x, &ckda_fp_fp64, &ckda_fp_rne),
                              &ckda_fp_fp64);
}

#endif
