/* The secular function in balls, and the proofs that need it. */
#include "secular_internal.h"

/* f = x sum v/(x - a) - c,  f' = -sum v a/(x - a)^2,  f'' = 2 sum v a/(x - a)^3. */
void
secular_eval(arb_t f, arb_struct *f1, arb_struct *f2, const secular *s, const arb_t x)
{
    const slong prec = s->prec;
    arb_t sum, sum1, sum2, d, q;

    arb_init(sum);
    arb_init(sum1);
    arb_init(sum2);
    arb_init(d);
    arb_init(q);
    for (slong i = 0; i < s->m; i++) {
        arb_sub(d, x, s->a + i, prec);
        arb_div(q, s->v + i, d, prec);
        arb_add(sum, sum, q, prec);
        if (f1 == NULL)
            continue;
        arb_mul(q, q, s->a + i, prec);
        arb_div(q, q, d, prec);
        arb_sub(sum1, sum1, q, prec);
        arb_div(q, q, d, prec);
        arb_add(sum2, sum2, q, prec);
    }
    arb_mul(sum, sum, x, prec);
    arb_sub(f, sum, s->c, prec);
    if (f1 != NULL) {
        arb_swap(f1, sum1);
        arb_mul_2exp_si(f2, sum2, 1);
    }
    arb_clear(q);
    arb_clear(d);
    arb_clear(sum2);
    arb_clear(sum1);
    arb_clear(sum);
}

void
secular_eval_complex(acb_t f, acb_t f1, const secular *s, const acb_t z)
{
    const slong prec = s->prec;
    acb_t sum, sum1, r, q;

    acb_init(sum);
    acb_init(sum1);
    acb_init(r);
    acb_init(q);
    for (slong i = 0; i < s->m; i++) {
        acb_sub_arb(r, z, s->a + i, prec);
        acb_inv(r, r, prec);
        acb_mul_arb(q, r, s->v + i, prec);
        acb_add(sum, sum, q, prec);
        acb_mul(q, q, r, prec);
        acb_mul_arb(q, q, s->a + i, prec);
        acb_sub(sum1, sum1, q, prec);
    }
    acb_mul(sum, sum, z, prec);
    acb_sub_arb(f, sum, s->c, prec);
    acb_swap(f1, sum1);
    acb_clear(q);
    acb_clear(r);
    acb_clear(sum1);
    acb_clear(sum);
}

/* Midpoints only.  delta = f/f' there; false if f' may vanish. */
static bool
newton_step(acb_t delta, acb_t z, const secular *s)
{
    acb_t f, f1;

    acb_init(f);
    acb_init(f1);
    acb_get_mid(z, z);
    secular_eval_complex(f, f1, s, z);
    acb_div(delta, f, f1, s->prec);
    acb_clear(f1);
    acb_clear(f);
    return acb_is_finite(delta);
}

/* N = z - f(z)/f'(Z) inside the interior of Z proves exactly one root in Z, and it lies in
 * N; Z is above the real axis. */
static bool
interval_newton(acb_t N, const secular *s, const acb_t z, const acb_t delta)
{
    acb_t Z, f, f1, unused;
    arb_t r, ulp;
    bool proved = false;

    acb_init(Z);
    acb_init(f);
    acb_init(f1);
    acb_init(unused);
    arb_init(r);
    arb_init(ulp);
    /* twice the step, and some room for rounding */
    acb_get_abs_ubound_arf(arb_midref(r), delta, 30);
    acb_get_abs_ubound_arf(arb_midref(ulp), z, 30);
    arb_mul_2exp_si(r, r, 1);
    arb_mul_2exp_si(ulp, ulp, 6 - s->prec);
    arb_add(r, r, ulp, 30);
    acb_set(Z, z);
    acb_add_error_arb(Z, r);
    if (arb_is_positive(acb_imagref(Z))) {
        secular_eval_complex(f, unused, s, z);
        secular_eval_complex(unused, f1, s, Z);
        acb_div(f, f, f1, s->prec);
        acb_sub(N, z, f, s->prec);
        proved = acb_is_finite(N) && acb_contains_interior(Z, N);
    }
    arb_clear(ulp);
    arb_clear(r);
    acb_clear(unused);
    acb_clear(f1);
    acb_clear(f);
    acb_clear(Z);
    return proved;
}

bool
secular_certify_box(acb_t box, const secular *s, const acb_t start)
{
    acb_t z, delta;
    mag_t last, now;
    bool proved = false;

    acb_init(z);
    acb_init(delta);
    mag_init(last);
    mag_init(now);
    mag_inf(last);
    acb_set(z, start);
    /* Quadratic: a step that is not shorter than half the last one says that the start was
     * bad or that rounding is reached. */
    for (int i = 0; i < 40 && newton_step(delta, z, s); i++) {
        acb_get_mag(now, delta);
        proved = interval_newton(box, s, z, delta);
        if (proved)
            break;
        mag_mul_2exp_si(now, now, 1);
        if (mag_cmp(now, last) > 0)
            break;
        acb_get_mag(last, delta);
        acb_sub(z, z, delta, s->prec);
    }
    mag_clear(now);
    mag_clear(last);
    acb_clear(delta);
    acb_clear(z);
    return proved;
}

/* ---- exact ---- */

/* g += sum w^2/(x - a),  g1 += sum w^2 a/(x - a)^2 over members lo .. hi - 1; false if x is
 * a gate. */
static bool
exact_sums(ckda_elem_t g, ckda_elem_t g1, const secular *s, const ckda_elem_t x, slong lo,
           slong hi)
{
    const ckda_field_struct *K = s->K;
    ckda_elem_t h, h1;
    bool ok;

    ckda_elem_init(h, K);
    ckda_elem_init(h1, K);
    if (hi - lo == 1) {
        const slong i = s->member[lo];

        ckda_elem_sub(h, x, s->t->gate + i, K);
        ckda_elem_mul(g, s->t->key + i, s->t->key + i, K);
        ok = ckda_elem_div(g, g, h, K) == CKDA_OK;
        ckda_elem_mul(g1, g, s->t->gate + i, K);
        ok = ok && ckda_elem_div(g1, g1, h, K) == CKDA_OK;
    } else {
        const slong mid = lo + (hi - lo) / 2;

        ok = exact_sums(g, g1, s, x, lo, mid) && exact_sums(h, h1, s, x, mid, hi);
        ckda_elem_add(g, g, h, K);
        ckda_elem_add(g1, g1, h1, K);
    }
    ckda_elem_clear(h1, K);
    ckda_elem_clear(h, K);
    return ok;
}

bool
secular_exact_sums(ckda_elem_t g, ckda_elem_t g1, const secular *s, const ckda_elem_t x)
{
    return exact_sums(g, g1, s, x, 0, s->nmember);
}

bool
secular_is_multiple(const secular *s, const fmpq_t q)
{
    const ckda_field_struct *K = s->K;
    ckda_elem_t x, g, g1, S, N;
    bool multiple;

    ckda_elem_init(x, K);
    ckda_elem_init(g, K);
    ckda_elem_init(g1, K);
    ckda_elem_init(S, K);
    ckda_elem_init(N, K);
    ckda_elem_set_fmpq(x, q, K);
    multiple = exact_sums(g, g1, s, x, 0, s->nmember) && ckda_elem_is_zero(g1, K);
    if (multiple) { /* beta x g = beta S - N,  N = S + Z */
        secular_exact_sum(S, s, s->member, s->nmember);
        secular_exact_sum(N, s, s->zero, s->nzero);
        ckda_elem_add(N, N, S, K);
        ckda_elem_mul(g, g, x, K);
        ckda_elem_sub(g, S, g, K);
        ckda_elem_mul(g, g, s->t->beta, K);
        multiple = ckda_elem_equal(g, N, K);
    }
    ckda_elem_clear(N, K);
    ckda_elem_clear(S, K);
    ckda_elem_clear(g1, K);
    ckda_elem_clear(g, K);
    ckda_elem_clear(x, K);
    return multiple;
}
