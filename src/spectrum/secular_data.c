/* Deflation without division, order of the gates, enclosures. */
#include "secular_internal.h"

bool
ckda_trans_is_secular(const ckda_trans_t t)
{
    return ckda_family_has_steps(t->family) && t->steps == 1;
}

/* ---- order ---- */

typedef struct {
    double approx; /* correctly rounded, so it never contradicts the exact order */
    slong i;
} entry;

static bool
above(const entry *x, const entry *y, const secular *s)
{
    if (x->approx != y->approx)
        return x->approx > y->approx;
    return ckda_elem_cmp(s->t->gate + x->i, s->t->gate + y->i, s->K) > 0;
}

/* Merge sort of e[0 .. n-1]; tmp has n entries. */
static void
sort(entry *e, entry *tmp, slong n, const secular *s)
{
    const slong h = n / 2;

    if (n < 2)
        return;
    sort(e, tmp, h, s);
    sort(e + h, tmp, n - h, s);
    for (slong i = 0; i < n; i++)
        tmp[i] = e[i];
    for (slong i = 0, j = h, k = 0; k < n; k++) {
        const bool second = i == h || (j < n && above(tmp + i, tmp + j, s));

        e[k] = second ? tmp[j++] : tmp[i++];
    }
}

/* Sorts the members and finds where the gates change. */
static void
order(secular *s)
{
    entry *e = flint_malloc((size_t)(2 * s->nmember + 1) * sizeof *e);

    for (slong k = 0; k < s->nmember; k++) {
        const slong i = s->member[k];

        e[k] = (entry){ckda_elem_approx(s->t->gate + i, s->K), i};
    }
    sort(e, e + s->nmember, s->nmember, s);
    for (slong k = 0; k < s->nmember; k++) {
        s->member[k] = e[k].i;
        if (k == 0
            || !ckda_elem_equal(s->t->gate + e[k - 1].i, s->t->gate + e[k].i, s->K)) {
            s->negative += ckda_elem_sgn(s->t->gate + e[k].i, s->K) < 0;
            s->start[s->m++] = k;
        }
    }
    s->start[s->m] = s->nmember;
    flint_free(e);
}

static void
set_enclosures_to_zero(secular *s)
{
    s->a = flint_malloc((size_t)(2 * s->m + 1) * sizeof *s->a);
    s->v = s->a + s->m;
    for (slong i = 0; i < 2 * s->m; i++)
        arb_init(s->a + i);
    s->da = flint_malloc((size_t)(2 * s->m + 1) * sizeof *s->da);
    s->dv = s->da + s->m;
    arb_init(s->c);
}

ckda_status
secular_init(secular *s, const ckda_trans_t t, const ckda_field_t K)
{
    const bool diagonal = ckda_elem_is_zero(t->beta, K);
    bool zero = true;

    for (slong i = 0; zero && i < t->n; i++)
        zero = ckda_elem_is_zero(t->key + i, K);
    if (zero)
        return CKDA_E_DOMAIN;
    *s = (secular){.t = t, .K = K};
    s->member = flint_malloc((size_t)t->n * sizeof *s->member);
    s->zero = flint_malloc((size_t)t->n * sizeof *s->zero);
    s->start = flint_malloc((size_t)(t->n + 1) * sizeof *s->start);
    for (slong i = 0; i < t->n; i++)
        if (diagonal || ckda_elem_is_zero(t->key + i, K))
            s->zero_keys++;
        else if (ckda_elem_is_zero(t->gate + i, K))
            s->zero[s->nzero++] = i;
        else
            s->member[s->nmember++] = i;
    order(s);
    set_enclosures_to_zero(s);
    return CKDA_OK;
}

void
secular_clear(secular *s)
{
    for (slong i = 0; i < 2 * s->m; i++)
        arb_clear(s->a + i);
    arb_clear(s->c);
    flint_free(s->a);
    flint_free(s->da);
    flint_free(s->member);
    flint_free(s->zero);
    flint_free(s->start);
}

/* ---- enclosures ---- */

/* x += sum of w_i^2. */
static void
add_squares(arb_t x, const secular *s, const slong *idx, slong n, slong prec)
{
    arb_t w;

    arb_init(w);
    for (slong k = 0; k < n; k++) {
        ckda_elem_get_arb(w, s->t->key + idx[k], s->K, prec);
        arb_addmul(x, w, w, prec);
    }
    arb_clear(w);
}

/* c = (beta - 1) S - Z, where Z is the weight of the zero gates: without them it keeps its
 * relative accuracy however near beta is to 1. */
static void
enclose_c(arb_t c, const arb_t S, const secular *s, slong prec)
{
    ckda_elem_t b;
    arb_t x;

    ckda_elem_init(b, s->K);
    arb_init(x);
    ckda_elem_one(b, s->K);
    ckda_elem_sub(b, s->t->beta, b, s->K);
    ckda_elem_get_arb(x, b, s->K, prec);
    arb_mul(c, x, S, prec);
    arb_zero(x);
    add_squares(x, s, s->zero, s->nzero, prec);
    arb_sub(c, c, x, prec);
    arb_clear(x);
    ckda_elem_clear(b, s->K);
}

void
secular_set_prec(secular *s, slong prec)
{
    arb_t beta, S;

    arb_init(beta);
    arb_init(S);
    ckda_elem_get_arb(beta, s->t->beta, s->K, prec);
    for (slong i = 0; i < s->m; i++) {
        const slong first = s->start[i];

        ckda_elem_get_arb(s->a + i, s->t->gate + s->member[first], s->K, prec);
        arb_zero(s->v + i);
        add_squares(s->v + i, s, s->member + first, s->start[i + 1] - first, prec);
        arb_add(S, S, s->v + i, prec);
        arb_mul(s->v + i, s->v + i, beta, prec);
    }
    enclose_c(s->c, S, s, prec);
    s->prec = prec;
    arb_clear(S);
    arb_clear(beta);
}

void
secular_set_doubles(secular *s)
{
    arb_t N, x;

    arb_init(N);
    arb_init(x);
    for (slong i = 0; i < s->m; i++)
        arb_add(N, N, s->v + i, s->prec);
    arb_sub(N, N, s->c, s->prec); /* beta S - c */
    for (slong i = 0; i < s->m; i++) {
        s->da[i] = arf_get_d(arb_midref(s->a + i), ARF_RND_NEAR);
        arb_div(x, s->v + i, N, 64);
        s->dv[i] = arf_get_d(arb_midref(x), ARF_RND_NEAR);
    }
    arb_div(x, s->c, N, 64);
    s->dc = arf_get_d(arb_midref(x), ARF_RND_NEAR);
    arb_clear(x);
    arb_clear(N);
}

/* ---- exact sums ---- */

/* Halves first, so that the numbers stay short until the end. */
void
secular_exact_sum(ckda_elem_t x, const secular *s, const slong *idx, slong n)
{
    ckda_elem_t y;

    if (n == 0) {
        ckda_elem_zero(x, s->K);
        return;
    }
    if (n == 1) {
        const ckda_elem_struct *w = s->t->key + idx[0];

        ckda_elem_mul(x, w, w, s->K);
        return;
    }
    ckda_elem_init(y, s->K);
    secular_exact_sum(x, s, idx, n / 2);
    secular_exact_sum(y, s, idx + n / 2, n - n / 2);
    ckda_elem_add(x, x, y, s->K);
    ckda_elem_clear(y, s->K);
}

static int
exact_sign_of_c(const secular *s)
{
    ckda_elem_t S, Z, b;
    int sign;

    ckda_elem_init(S, s->K);
    ckda_elem_init(Z, s->K);
    ckda_elem_init(b, s->K);
    secular_exact_sum(S, s, s->member, s->nmember);
    secular_exact_sum(Z, s, s->zero, s->nzero);
    ckda_elem_one(b, s->K);
    ckda_elem_sub(b, s->t->beta, b, s->K);
    ckda_elem_mul(S, S, b, s->K);
    sign = ckda_elem_cmp(S, Z, s->K);
    ckda_elem_clear(b, s->K);
    ckda_elem_clear(Z, s->K);
    ckda_elem_clear(S, s->K);
    return sign;
}

int
secular_excess(secular *s)
{
    if (s->nzero == 0)
        return ckda_elem_cmp_si(s->t->beta, 1, s->K);
    for (slong prec = 64; prec <= 256; prec *= 2) {
        secular_set_prec(s, prec);
        if (arb_is_positive(s->c))
            return 1;
        if (arb_is_negative(s->c))
            return -1;
    }
    return exact_sign_of_c(s);
}
