/* Contractions in general: rational factors close to A, with a proved bound.
 *
 * One-sided Jacobi rotations make the columns of W = A V orthogonal, V orthogonal; the
 * columns of W and of V are then mapped to multiples of unit vectors by reflections whose
 * keys are rounded to whole numbers (a key is a direction), and the gates are rounded to
 * multiples of 2^-KEY_BITS.  All that is only a proposal in floating point.  The factors
 * are exact, and the distance of their product from A is enclosed by balls.            */
#include "norm_internal.h"

enum {
    PREC = 320,     /* of the proposal */
    KEY_BITS = 128, /* of keys and gates */
    TINY = -300,    /* inner products below 2^TINY count as zero */
    SKIP = -140,    /* so do columns below 2^SKIP */
    CHECK_PREC = 512,
    MAX_SWEEPS = 60,
    GOOD = -64 /* a residual above 2^GOOD is a failure */
};

#define RND ARF_RND_NEAR

/* n x n, column-major. */
typedef struct {
    arf_struct *x;
    slong n;
} floats;

static arf_struct *
new_floats(slong count)
{
    arf_struct *x = flint_malloc((size_t)count * sizeof *x);
    for (slong i = 0; i < count; i++)
        arf_init(x + i);
    return x;
}

static void
free_floats(arf_struct *x, slong count)
{
    for (slong i = 0; i < count; i++)
        arf_clear(x + i);
    flint_free(x);
}

static arf_struct *
column(const floats *M, slong j)
{
    return M->x + j * M->n;
}

static void
inner(arf_t s, const arf_struct *x, const arf_struct *y, slong n)
{
    arf_zero(s);
    for (slong i = 0; i < n; i++)
        arf_addmul(s, x + i, y + i, PREC, RND);
}

/* (x, y) := (c x - s y, s x + c y). */
static void
rotate(arf_struct *x, arf_struct *y, const arf_t c, const arf_t s, slong n)
{
    arf_t u;
    arf_init(u);
    for (slong i = 0; i < n; i++) {
        arf_mul(u, s, x + i, PREC, RND);
        arf_addmul(u, c, y + i, PREC, RND);
        arf_mul(x + i, c, x + i, PREC, RND);
        arf_submul(x + i, s, y + i, PREC, RND);
        arf_swap(y + i, u);
    }
    arf_clear(u);
}

/* c and s that make columns with norms^2 a, b and inner product g orthogonal. */
static void
angle(arf_t c, arf_t s, const arf_t a, const arf_t b, const arf_t g)
{
    arf_t z, t;
    arf_init(z);
    arf_init(t);
    arf_sub(z, b, a, PREC, RND);
    arf_div(z, z, g, PREC, RND);
    arf_mul_2exp_si(z, z, -1); /* cot of twice the angle */
    arf_mul(t, z, z, PREC, RND);
    arf_add_ui(t, t, 1, PREC, RND);
    arf_sqrt(t, t, PREC, RND);
    const bool negative = arf_sgn(z) < 0;
    arf_abs(z, z);
    arf_add(t, t, z, PREC, RND);
    arf_ui_div(t, 1, t, PREC, RND);
    if (negative)
        arf_neg(t, t);
    arf_mul(c, t, t, PREC, RND);
    arf_add_ui(c, c, 1, PREC, RND);
    arf_rsqrt(c, c, PREC, RND);
    arf_mul(s, c, t, PREC, RND);
    arf_clear(t);
    arf_clear(z);
}

/* One sweep over all pairs; was anything turned? */
static bool
sweep(floats *W, floats *V)
{
    bool turned = false;
    arf_t a, b, g, c, s;
    arf_init(a);
    arf_init(b);
    arf_init(g);
    arf_init(c);
    arf_init(s);
    for (slong q = 1; q < W->n; q++)
        for (slong p = 0; p < q; p++) {
            inner(g, column(W, p), column(W, q), W->n);
            if (arf_cmpabs_2exp_si(g, TINY) <= 0)
                continue;
            inner(a, column(W, p), column(W, p), W->n);
            inner(b, column(W, q), column(W, q), W->n);
            angle(c, s, a, b, g);
            rotate(column(W, p), column(W, q), c, s, W->n);
            rotate(column(V, p), column(V, q), c, s, W->n);
            turned = true;
        }
    arf_clear(s);
    arf_clear(c);
    arf_clear(g);
    arf_clear(b);
    arf_clear(a);
    return turned;
}

static void
swap_columns(floats *M, slong i, slong j)
{
    for (slong k = 0; k < M->n; k++)
        arf_swap(column(M, i) + k, column(M, j) + k);
}

/* Longest columns of W first. */
static void
sort_columns(floats *W, floats *V)
{
    arf_struct *norm = new_floats(W->n);
    for (slong j = 0; j < W->n; j++)
        inner(norm + j, column(W, j), column(W, j), W->n);
    for (slong i = 0; i < W->n; i++) {
        slong best = i;
        for (slong j = i + 1; j < W->n; j++)
            if (arf_cmp(norm + j, norm + best) > 0)
                best = j;
        arf_swap(norm + i, norm + best);
        swap_columns(W, i, best);
        swap_columns(V, i, best);
    }
    free_floats(norm, W->n);
}

/* w (n rationals, whole numbers) = x rounded to KEY_BITS bits beside its largest entry; x
 * becomes exactly that. */
static void
round_key(ckda_elem_struct *w, arf_struct *x, slong n, const ckda_field_t Q)
{
    arf_t most;
    fmpz_t e, z;
    fmpq_t q;
    arf_init(most);
    fmpz_init(e);
    fmpz_init(z);
    fmpq_init(q);
    for (slong i = 0; i < n; i++)
        if (arf_cmpabs(x + i, most) > 0)
            arf_abs(most, x + i);
    arf_abs_bound_lt_2exp_fmpz(e, most);
    fmpz_sub_si(e, e, KEY_BITS);
    fmpz_neg(e, e);
    for (slong i = 0; i < n; i++) {
        arf_mul_2exp_fmpz(x + i, x + i, e);
        arf_get_fmpz(z, x + i, RND);
        arf_set_fmpz(x + i, z);
        fmpq_set_fmpz(q, z);
        ckda_elem_set_fmpq(w + i, q, Q);
    }
    fmpq_clear(q);
    fmpz_clear(z);
    fmpz_clear(e);
    arf_clear(most);
}

/* Every column of M := (I - 2 w w^T / w^T w) column. */
static void
reflect_all(floats *M, const arf_struct *w)
{
    arf_t c, s;
    arf_init(c);
    arf_init(s);
    inner(c, w, w, M->n);
    arf_ui_div(c, 2, c, PREC, RND);
    for (slong j = 0; j < M->n; j++) {
        inner(s, w, column(M, j), M->n);
        arf_mul(s, s, c, PREC, RND);
        for (slong i = 0; i < M->n; i++)
            arf_submul(column(M, j) + i, s, w + i, PREC, RND);
    }
    arf_clear(s);
    arf_clear(c);
}

/* Householder's triangularisation: reflections that make M nearly diagonal (its columns are
 * nearly orthogonal, longest first). */
static void
triangularise(reflections *r, floats *M, const ckda_field_t Q)
{
    const slong n = M->n;
    arf_struct *w = new_floats(n);
    arf_t norm;
    arf_init(norm);
    for (slong c = 0; c < n - 1; c++) {
        const arf_struct *x = column(M, c);
        arf_zero(norm);
        for (slong i = c + 1; i < n; i++)
            arf_addmul(norm, x + i, x + i, PREC, RND);
        if (arf_cmpabs_2exp_si(norm, 2 * SKIP) <= 0)
            continue;
        arf_addmul(norm, x + c, x + c, PREC, RND);
        arf_sqrt(norm, norm, PREC, RND);
        for (slong i = 0; i < n; i++)
            if (i < c)
                arf_zero(w + i);
            else
                arf_set(w + i, x + i);
        if (arf_sgn(w + c) < 0)
            arf_sub(w + c, w + c, norm, PREC, RND);
        else
            arf_add(w + c, w + c, norm, PREC, RND);
        round_key(ckda_mat_entry(r->key, r->count++, 0), w, n, Q);
        reflect_all(M, w);
    }
    arf_clear(norm);
    free_floats(w, n);
}

/* gate_c = W_cc times the sign of V_cc, rounded, within [-1, 1]. */
static void
set_gate(ckda_elem_struct *gate, const floats *W, const floats *V, const ckda_field_t Q)
{
    fmpz_t z;
    fmpq_t q;
    arf_t x;
    fmpz_init(z);
    fmpq_init(q);
    arf_init(x);
    for (slong c = 0; c < W->n; c++) {
        arf_mul_2exp_si(x, column(W, c) + c, KEY_BITS);
        if (arf_sgn(column(V, c) + c) < 0)
            arf_neg(x, x);
        arf_get_fmpz(z, x, RND);
        fmpq_set_fmpz(q, z);
        fmpq_div_2exp(q, q, KEY_BITS);
        ckda_elem_set_fmpq(gate + c, q, Q);
        for (int sign = -1; sign <= 1; sign += 2)
            if (sign * ckda_elem_cmp_si(gate + c, sign, Q) > 0)
                ckda_elem_set_si(gate + c, sign, Q);
    }
    arf_clear(x);
    fmpq_clear(q);
    fmpz_clear(z);
}

static void
set_approximate(floats *W, floats *V, const ckda_mat_t A, const ckda_field_t K)
{
    arb_t x;
    arb_init(x);
    for (slong i = 0; i < W->n; i++)
        for (slong j = 0; j < W->n; j++) {
            ckda_elem_get_arb(x, ckda_mat_entry(A, i, j), K, PREC);
            arf_set_round(column(W, j) + i, arb_midref(x), PREC, RND);
            arf_set_si(column(V, j) + i, i == j);
        }
    arb_clear(x);
}

/* Appends the proposal to f: A ~ W V^T, W ~ H_1 ... H_k R, V ~ G_1 ... G_m S. */
static void
propose(ckda_factors_t f, const ckda_mat_t A, const ckda_field_t K, const ckda_field_t Q)
{
    const slong n = A->rows;
    floats W = {new_floats(n * n), n}, V = {new_floats(n * n), n};
    reflections left, right;
    ckda_elem_struct *gate = ckda_elem_vec_new(n, Q);
    reflections_init(&left, n, n, Q);
    reflections_init(&right, n, n, Q);
    set_approximate(&W, &V, A, K);
    for (int i = 0; i < MAX_SWEEPS && sweep(&W, &V); i++)
        continue;
    sort_columns(&W, &V);
    triangularise(&left, &W, Q);
    triangularise(&right, &V, Q);
    set_gate(gate, &W, &V, Q);
    for (slong i = 0; i < right.count; i++)
        append_factor(f, 2, ckda_mat_entry(right.key, i, 0), NULL, Q);
    append_left(f, &left, gate, Q);
    reflections_clear(&right, Q);
    reflections_clear(&left, Q);
    ckda_elem_vec_free(gate, n, Q);
    free_floats(V.x, n * n);
    free_floats(W.x, n * n);
}

/* ---- the bound ------------------------------------------------------------------------ */

/* P (n x n, row-major) := t P, enclosed; w: n balls of room. */
static void
apply_enclosed(arb_struct *P, const ckda_trans_struct *t, arb_struct *w,
               const ckda_field_t Q)
{
    const slong n = t->n;
    arb_t c, s;
    arb_init(c);
    arb_init(s);
    for (slong i = 0; i < n; i++) {
        ckda_elem_get_arb(s, t->gate + i, Q, CHECK_PREC);
        for (slong j = 0; j < n; j++)
            arb_mul(P + i * n + j, P + i * n + j, s, CHECK_PREC);
        ckda_elem_get_arb(w + i, t->key + i, Q, CHECK_PREC);
        arb_addmul(c, w + i, w + i, CHECK_PREC);
    }
    ckda_elem_get_arb(s, t->beta, Q, CHECK_PREC);
    arb_div(c, s, c, CHECK_PREC);
    for (slong j = 0; j < n; j++) {
        arb_zero(s);
        for (slong i = 0; i < n; i++)
            arb_addmul(s, w + i, P + i * n + j, CHECK_PREC);
        arb_mul(s, s, c, CHECK_PREC);
        for (slong i = 0; i < n; i++)
            arb_submul(P + i * n + j, s, w + i, CHECK_PREC);
    }
    arb_clear(s);
    arb_clear(c);
}

/* An e with |A - product|_F < 2^e. */
static slong
residual_of(const ckda_factors_t f, const ckda_mat_t A, const ckda_field_t K,
            const ckda_field_t Q)
{
    const slong n = f->n;
    arb_struct *P = _arb_vec_init(n * n + n), *w = P + n * n;
    arb_t s, x;
    arf_t u;
    arb_init(s);
    arb_init(x);
    arf_init(u);
    for (slong i = 0; i < n; i++)
        arb_one(P + i * n + i);
    for (slong i = 0; i < f->count; i++)
        apply_enclosed(P, f->step + i, w, Q);
    for (slong i = 0; i < n * n; i++) {
        ckda_elem_get_arb(x, A->entry + i, K, CHECK_PREC);
        arb_sub(x, x, P + i, CHECK_PREC);
        arb_addmul(s, x, x, CHECK_PREC);
    }
    arb_get_ubound_arf(u, s, 64);
    arf_sqrt(u, u, 64, ARF_RND_UP);
    const slong e = arf_abs_bound_lt_2exp_si(u);
    arf_clear(u);
    arb_clear(x);
    arb_clear(s);
    _arb_vec_clear(P, n * n + n);
    return e;
}

bool
contraction_balls(ckda_contraction_t c, const ckda_mat_t A, const ckda_field_t K)
{
    ckda_field_t Q;
    ckda_factors_t f;
    if (A->rows > CKDA_FACTOR_BALLS_MAX)
        return false;
    ckda_field_init_rational(Q);
    ckda_factors_init(f, A->rows, Q);
    propose(f, A, K, Q);
    const slong e = residual_of(f, A, K, Q);
    const bool good = e <= GOOD && ckda_factors_check(f, Q, NULL) == CKDA_OK;
    if (good) {
        *c->K = *Q;
        *c->factors = *f;
        ckda_mat_init(c->A, 0, 0, c->K);
        c->exact = false;
        c->residual = e;
    } else {
        ckda_factors_clear(f, Q);
        ckda_field_clear(Q);
    }
    return good;
}
