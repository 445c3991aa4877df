/* The norm of one transition without its matrix.
 *
 * H = I - beta k k^T with |k| = 1 has H^2 = I - beta (2 - beta) k k^T, so
 *     I - A^T A = Diag(e) + gamma v v^T,   e_i = 1 - a_i^2,  v_i = k_i a_i,
 *     gamma = beta (2 - beta).
 * Its smallest eigenvalue decides.  On the coordinates with v_i = 0 it is Diag(e).  On the
 * others, if all e_i != 0, the determinant is prod e_i (1 + gamma sum v_i^2/e_i), and by
 * interlacing at most one eigenvalue has another sign than the e_i say.                 */
#include "secular_internal.h"

typedef struct {
    const ckda_trans_struct *t;
    const ckda_field_struct *K;
    slong *touched; /* coordinates with v_i != 0, e_i != 0 */
    slong ntouched;
    slong negative, zero;           /* numbers of e_i < 0, = 0 where v_i != 0 */
    slong free_negative, free_zero; /* the same where v_i = 0 */
    int gamma;                      /* sign */
} shape;

static void
set_e(ckda_elem_t e, const shape *h, slong i)
{
    ckda_elem_t a2;

    ckda_elem_init(a2, h->K);
    ckda_elem_mul(a2, h->t->gate + i, h->t->gate + i, h->K);
    ckda_elem_one(e, h->K);
    ckda_elem_sub(e, e, a2, h->K);
    ckda_elem_clear(a2, h->K);
}

static void
set_gamma(ckda_elem_t g, const shape *h)
{
    ckda_elem_t two;

    ckda_elem_init(two, h->K);
    ckda_elem_set_si(two, 2, h->K);
    ckda_elem_sub(g, two, h->t->beta, h->K);
    ckda_elem_mul(g, g, h->t->beta, h->K);
    ckda_elem_clear(two, h->K);
}

static void
classify(shape *h, const ckda_trans_t t, const ckda_field_t K)
{
    ckda_elem_t e;

    *h = (shape){.t = t, .K = K};
    h->touched = flint_malloc((size_t)t->n * sizeof *h->touched);
    ckda_elem_init(e, K);
    for (slong i = 0; i < t->n; i++) {
        int sign;
        const bool free = ckda_elem_is_zero(t->key + i, K);

        set_e(e, h, i);
        sign = ckda_elem_sgn(e, K);
        if (free || ckda_elem_is_zero(t->gate + i, K)) {
            h->free_negative += sign < 0;
            h->free_zero += sign == 0;
        } else {
            h->negative += sign < 0;
            h->zero += sign == 0;
            if (sign != 0)
                h->touched[h->ntouched++] = i;
        }
    }
    set_gamma(e, h);
    h->gamma = ckda_elem_sgn(e, K);
    ckda_elem_clear(e, K);
}

/* x = sum of w_i^2 a_i^2/e_i over touched[lo .. hi-1], halves first. */
static void
exact_sum(ckda_elem_t x, const shape *h, slong lo, slong hi)
{
    ckda_elem_t y;

    ckda_elem_init(y, h->K);
    if (hi - lo == 1) {
        const slong i = h->touched[lo];
        ckda_status st;

        ckda_elem_mul(x, h->t->key + i, h->t->gate + i, h->K);
        ckda_elem_mul(x, x, x, h->K);
        set_e(y, h, i);
        st = ckda_elem_div(x, x, y, h->K);
        ckda_require(st == CKDA_OK, "e[%ld] = 0", (long)i);
    } else if (hi > lo) {
        const slong mid = lo + (hi - lo) / 2;

        exact_sum(x, h, lo, mid);
        exact_sum(y, h, mid, hi);
        ckda_elem_add(x, x, y, h->K);
    } else {
        ckda_elem_zero(x, h->K);
    }
    ckda_elem_clear(y, h->K);
}

/* The same in balls, times gamma, plus N. */
static void
ball_sum(arb_t x, const shape *h, slong prec)
{
    ckda_elem_t e;
    arb_t p, q;

    ckda_elem_init(e, h->K);
    arb_init(p);
    arb_init(q);
    arb_zero(x);
    for (slong k = 0; k < h->ntouched; k++) {
        const slong i = h->touched[k];

        set_e(e, h, i);
        ckda_elem_get_arb(q, e, h->K, prec);
        ckda_elem_mul(e, h->t->key + i, h->t->gate + i, h->K);
        ckda_elem_get_arb(p, e, h->K, prec);
        arb_mul(p, p, p, prec);
        arb_div(p, p, q, prec);
        arb_add(x, x, p, prec);
    }
    set_gamma(e, h);
    ckda_elem_get_arb(q, e, h->K, prec);
    arb_mul(x, x, q, prec);
    for (slong i = 0; i < h->t->n; i++) {
        ckda_elem_get_arb(q, h->t->key + i, h->K, prec);
        arb_addmul(x, q, q, prec);
    }
    arb_clear(q);
    arb_clear(p);
    ckda_elem_clear(e, h->K);
}

static void
exact_norm(ckda_elem_t x, const shape *h, slong lo, slong hi)
{
    ckda_elem_t y;

    if (hi - lo == 1) {
        ckda_elem_mul(x, h->t->key + lo, h->t->key + lo, h->K);
        return;
    }
    ckda_elem_init(y, h->K);
    exact_norm(x, h, lo, lo + (hi - lo) / 2);
    exact_norm(y, h, lo + (hi - lo) / 2, hi);
    ckda_elem_add(x, x, y, h->K);
    ckda_elem_clear(y, h->K);
}

/* Sign of N (1 + gamma sum v_i^2/e_i). */
static int
sign_of_sum(const shape *h)
{
    ckda_elem_t x, y;
    int sign = 0;
    arb_t b;

    arb_init(b);
    for (slong prec = 64; sign == 0 && prec <= 256; prec *= 2) {
        ball_sum(b, h, prec);
        sign = arb_is_positive(b) - arb_is_negative(b);
    }
    arb_clear(b);
    if (sign != 0)
        return sign;
    ckda_elem_init(x, h->K);
    ckda_elem_init(y, h->K);
    exact_sum(x, h, 0, h->ntouched);
    set_gamma(y, h);
    ckda_elem_mul(x, x, y, h->K);
    exact_norm(y, h, 0, h->t->n);
    ckda_elem_add(x, x, y, h->K);
    sign = ckda_elem_sgn(x, h->K);
    ckda_elem_clear(y, h->K);
    ckda_elem_clear(x, h->K);
    return sign;
}

/* The sign of the smallest eigenvalue of Diag(e) + gamma v v^T where v_i != 0 (+1 if there
 * are no such coordinates). */
static int
touched_sign(const shape *h)
{
    const slong all = h->ntouched + h->zero;

    if (all == 0)
        return 1;
    if (h->gamma == 0)
        return h->negative > 0 ? -1 : h->zero == 0;
    if (h->gamma < 0) /* one eigenvalue may fall below 0 */
        return h->negative > 0 || h->zero > 0 ? -1 : sign_of_sum(h);
    /* gamma > 0: one eigenvalue may rise.  e_i = 0: a vector on such a coordinate and on
     * the one with e_j < 0 sees a negative determinant. */
    if (h->negative > 1 || (h->negative == 1 && h->zero > 0))
        return -1;
    if (h->negative == 1)
        return -sign_of_sum(h); /* prod e_i < 0 */
    return h->zero <= 1;        /* two zeros: v^T x = 0 on them has a solution */
}

ckda_status
ckda_trans_norm_test(bool *at_most_1, bool *equals_1, const ckda_trans_t t,
                     const ckda_field_t K)
{
    bool zero = true;
    int sign;
    shape h;

    if (!ckda_trans_is_secular(t))
        return CKDA_E_SHAPE;
    for (slong i = 0; zero && i < t->n; i++)
        zero = ckda_elem_is_zero(t->key + i, K);
    if (zero)
        return CKDA_E_DOMAIN;
    classify(&h, t, K);
    sign = h.free_negative > 0 ? -1 : touched_sign(&h);
    *at_most_1 = sign >= 0;
    *equals_1 = sign == 0 || (sign > 0 && h.free_zero > 0);
    flint_free(h.touched);
    return CKDA_OK;
}
