/* The inverse computed in a format, entry by entry. */
#include <stdlib.h>
#include <string.h>

#include "range_internal.h"

/* init + sum a_l b_l (b with a stride), stored in the format of the matrices.  terms holds
 * room for 2 n patterns.  A zero times a finite value adds nothing and is left out; a zero
 * times infinity is NaN and stays. */
static uint64_t
dot(const uint64_t *a, const uint64_t *b, slong n, slong stride, uint64_t init,
    uint64_t *terms, const ckda_range_scheme *s)
{
    const ckda_fp_format *f = s->matrix;
    ckda_fp_rule rule = ckda_fp_rne;
    uint64_t *x = terms, *y = terms + n;
    long count = 0;
    for (slong l = 0; l < n; l++) {
        const uint64_t v = b[l * stride];
        if ((a[l] == 0 && ckda_fp_is_finite(v, f))
            || (v == 0 && ckda_fp_is_finite(a[l], f)))
            continue;
        x[count] = a[l];
        y[count++] = v;
    }
    if (count == 0)
        return init;
    if (s->ftz) {
        rule.flush = CKDA_FP_FLUSH_AFTER;
        rule.flush_exp = CKDA_FP_EMIN;
    }
    if (s->accumulate == NULL) {
        const ckda_fp_dot_model model = {.order = CKDA_FP_BLOCKED,
                                         .width = count + 1,
                                         .carry_inside = true,
                                         .acc = f,
                                         .rule = rule};
        return ckda_fp_dot(x, f, y, f, count, init, &model);
    }
    const ckda_fp_dot_model model = {
        .order = CKDA_FP_SEQUENTIAL, .fused = true, .acc = s->accumulate, .rule = rule};
    init = ckda_fp_convert(init, f, s->accumulate, &rule);
    const uint64_t sum = ckda_fp_dot(x, f, y, f, count, init, &model);
    return ckda_fp_convert(sum, s->accumulate, f, &rule);
}

static uint64_t
one(const ckda_fp_format *f)
{
    return ckda_fp_from_dyadic(1, 0, f, &ckda_fp_rne);
}

/* C = A B + (add or 0), every sum as in dot. */
static void
matmul(uint64_t *C, const uint64_t *A, const uint64_t *B, const uint64_t *add, slong n,
       uint64_t *terms, const ckda_range_scheme *s)
{
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++)
            C[i * n + j] =
                dot(A + i * n, B + j, n, n, add != NULL ? add[i * n + j] : 0, terms, s);
}

/* X = I - L; for m = 2, 4, ... below n: P = P P (so L^m), X = X + X P. */
static void
neumann(uint64_t *T, const uint64_t *L, slong n, uint64_t *terms,
        const ckda_range_scheme *s)
{
    const size_t size = (size_t)(n * n);
    uint64_t *P = flint_malloc(3 * size * sizeof *P), *Q = P + size, *X = Q + size;
    memcpy(P, L, size * sizeof *P);
    for (slong i = 0; i < n * n; i++)
        T[i] = i % (n + 1) == 0 ? one(s->matrix)
               : L[i] == 0      ? 0
                                : ckda_fp_neg(L[i], s->matrix);
    for (slong m = 2; m < n; m *= 2) {
        matmul(Q, P, P, NULL, n, terms, s);
        memcpy(P, Q, size * sizeof *P);
        matmul(X, T, P, T, n, terms, s);
        memcpy(T, X, size * sizeof *T);
    }
    flint_free(P);
}

/* T_ij = -(sum of L_il T_lj). */
static void
substitute(uint64_t *T, const uint64_t *L, slong n, uint64_t *terms,
           const ckda_range_scheme *s)
{
    memset(T, 0, (size_t)(n * n) * sizeof *T);
    for (slong i = 0; i < n; i++) {
        for (slong j = 0; j < i; j++) {
            const uint64_t x = dot(L + i * n + j, T + j * n + j, i - j, n, 0, terms, s);
            T[i * n + j] = ckda_fp_neg(x, s->matrix);
        }
        T[i * n + i] = one(s->matrix);
    }
}

void
rg_emulate(uint64_t *T, const uint64_t *L, slong n, const ckda_range_scheme *s)
{
    uint64_t *terms = flint_malloc(2 * (size_t)n * sizeof *terms);
    if (s->inverse == CKDA_INVERSE_NEUMANN)
        neumann(T, L, n, terms, s);
    else
        substitute(T, L, n, terms, s);
    flint_free(terms);
}

size_t
rg_count_nonfinite(slong *at, const uint64_t *T, slong n, const ckda_fp_format *f)
{
    size_t count = 0;
    for (slong i = 0; i < n * n; i++)
        if (!ckda_fp_is_finite(T[i], f) && count++ == 0)
            *at = i;
    return count;
}

void
rg_largest_error(rg_value *error, slong *at, const uint64_t *T, const rg_num *exact,
                 slong n, const ckda_fp_format *f, const rg_ctx *c)
{
    rg_num *x = rg_new(n * n, c);
    ckda_elem_t e;
    fmpq_t q;
    fmpq_init(q);
    ckda_elem_init(e, c->K);
    for (slong i = 0; i < n * n; i++) {
        const ckda_status status = ckda_fp_get_fmpq(q, T[i], f);
        ckda_require(status == CKDA_OK, "entry %ld is not finite", (long)i);
        ckda_elem_set_fmpq(e, q, c->K);
        rg_set_elem(x + i, e, c);
        rg_sub(x + i, x + i, exact + i, c);
    }
    rg_largest(error, at, x, n * n, c);
    ckda_elem_clear(e, c->K);
    fmpq_clear(q);
    rg_free(x, n * n, c);
}

static void
set_entry(ckda_range_emulation *e, slong at, const uint64_t *T, const rg_num *exact,
          slong n, const ckda_range_scheme *s, const rg_ctx *c)
{
    rg_value v;
    rg_value_init(&v);
    rg_value_set_num(&v, exact + at, c);
    rg_value_text(&e->should, &v);
    const bool negative = c->exact ? ckda_elem_sgn(exact[at].elem, c->K) < 0
                                   : arf_sgn(arb_midref(exact[at].ball)) < 0;
    char **text[] = {&e->should.exact, &e->should.decimal};
    for (int k = 0; negative && k < 2; k++)
        if (*text[k] != NULL) {
            const size_t size = strlen(*text[k]) + 4;
            char *minus = flint_malloc(size);
            snprintf(minus, size,
                     strpbrk(*text[k] + 1, "+-") != NULL && k == 0 ? "-(%s)" : "-%s",
                     *text[k]);
            flint_free(*text[k]);
            *text[k] = minus;
        }
    e->computed = rg_pattern_text(T[at], s->matrix);
    e->row = at / n;
    e->col = at % n;
    rg_value_clear(&v);
}

void
rg_emulation_judge(ckda_range_emulation *e, const uint64_t *T, const rg_num *exact,
                   slong n, const fmpq_t tolerance, const ckda_range_scheme *s,
                   const rg_ctx *c)
{
    slong at = 0, where;
    rg_value error, largest, limit;
    rg_value_init(&error);
    rg_value_init(&largest);
    rg_value_init(&limit);
    e->present = true;
    e->tokens = n;
    e->entries = (size_t)(n * n);
    e->nonfinite = rg_count_nonfinite(&at, T, n, s->matrix);
    rg_largest(&largest, &where, exact, n * n, c);
    rg_value_text(&e->inverse, &largest);
    e->tolerance = rg_fmpq_text(tolerance);
    e->fits = CKDA_FALSE;
    if (e->nonfinite == 0) {
        rg_num *bound = rg_new(2, c);
        ckda_elem_t q;
        rg_largest_error(&error, &at, T, exact, n, s->matrix, c);
        rg_value_text(&e->error, &error);
        ckda_elem_init(q, c->K);
        ckda_elem_set_fmpq(q, tolerance, c->K);
        rg_set_elem(bound, q, c);
        rg_mul(bound, bound, exact + where, c);
        rg_value_set_num(&limit, bound, c);
        const ckda_truth above = rg_value_less(&limit, &error);
        e->fits = above == CKDA_UNKNOWN ? CKDA_UNKNOWN
                  : above == CKDA_TRUE  ? CKDA_FALSE
                                        : CKDA_TRUE;
        ckda_elem_clear(q, c->K);
        rg_free(bound, 2, c);
    }
    set_entry(e, at, T, exact, n, s, c);
    rg_value_clear(&error);
    rg_value_clear(&largest);
    rg_value_clear(&limit);
}

/* ---- equal keys on the grid ------------------------------------------------------------ */

/* L_ij = x below the diagonal and its exact inverse. */
static void
equal_keys(uint64_t *L, rg_num *exact, slong n, const fmpq_t x,
           const ckda_range_scheme *s, const rg_ctx *c)
{
    fmpq_t y, q;
    fmpq_init(y);
    fmpq_init(q);
    const uint64_t pattern = ckda_fp_from_fmpq(x, s->matrix, &ckda_fp_rne);
    fmpq_sub_si(y, x, 1);
    fmpq_neg(y, y); /* 1 - x */
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j <= i; j++) {
            L[i * n + j] = i > j ? pattern : 0;
            if (i == j) {
                fmpq_one(q);
            } else {
                fmpq_pow_si(q, y, i - j - 1);
                fmpq_mul(q, q, x);
                fmpq_neg(q, q);
            }
            ckda_elem_set_fmpq(exact[i * n + j].elem, q, c->K);
        }
    fmpq_clear(y);
    fmpq_clear(q);
}

/* The emulation at one beta. */
static void
at_beta(ckda_range_emulation *e, const fmpq_t beta, const ckda_range_chunk *r,
        const fmpq_t tolerance, const rg_ctx *c)
{
    const slong n = r->scheme.block;
    fmpq_t x;
    fmpq_init(x);
    fmpq_mul(x, r->norm_max, r->norm_max);
    fmpq_mul(x, x, r->correlation_max);
    fmpq_mul(x, x, beta);
    uint64_t *L = flint_calloc((size_t)(2 * n * n), sizeof *L), *T = L + n * n;
    rg_num *exact = rg_new(n * n, c);
    equal_keys(L, exact, n, x, &r->scheme, c);
    rg_emulate(T, L, n, &r->scheme);
    rg_emulation_judge(e, T, exact, n, tolerance, &r->scheme, c);
    rg_free(exact, n * n, c);
    flint_free(L);
    fmpq_clear(x);
}

void
rg_emulation_box(ckda_range_chunk *r, const fmpq_t tolerance)
{
    const slong n = r->scheme.block;
    ckda_range_emulation *e = &r->emulation;
    /* keys at one angle exist only in enough dimensions */
    if (fmpq_cmp_si(r->correlation_max, 1) < 0 && r->head_dim > 0 && n > r->head_dim)
        return;
    ckda_field_t Q;
    fmpq_t beta;
    char *first_nonfinite = NULL, *first_wrong = NULL;
    ckda_range_emulation wrong = {0};
    ckda_field_init_rational(Q);
    fmpq_init(beta);
    const rg_ctx c = {.exact = true, .K = Q};
    for (rg_next_beta(beta, r); fmpq_cmp(beta, r->beta_max) <= 0; rg_next_beta(beta, r)) {
        ckda_range_emulation x = {0};
        at_beta(&x, beta, r, tolerance, &c);
        if (x.nonfinite > 0 && first_nonfinite == NULL)
            first_nonfinite = rg_fmpq_text(beta);
        if (x.fits == CKDA_FALSE && first_wrong == NULL) {
            first_wrong = rg_fmpq_text(beta);
            wrong = x;
        } else {
            rg_emulation_clear(&x);
        }
        if (first_nonfinite != NULL)
            break;
    }
    at_beta(e, r->beta_max, r, tolerance, &c);
    e->beta = rg_fmpq_text(r->beta_max);
    if (e->fits == CKDA_TRUE && first_wrong != NULL) {
        rg_emulation_clear(e);
        *e = wrong;
        e->beta = rg_copy(first_wrong);
        fmpq_set_str(beta, first_wrong, 10);
    } else {
        rg_emulation_clear(&wrong);
        fmpq_set(beta, r->beta_max);
    }
    if (e->fits == CKDA_FALSE) {
        rg_witness_init(&e->witness);
        rg_witness_set(&e->witness, n, beta, r);
    }
    e->grid = rg_fmpq_text(r->grid);
    e->first_nonfinite = first_nonfinite;
    e->first_wrong = first_wrong;
    fmpq_clear(beta);
    ckda_field_clear(Q);
}

void
rg_emulation_clear(ckda_range_emulation *e)
{
    rg_number_clear(&e->error);
    rg_number_clear(&e->inverse);
    rg_number_clear(&e->should);
    flint_free(e->beta);
    flint_free(e->computed);
    flint_free(e->tolerance);
    flint_free(e->first_nonfinite);
    flint_free(e->first_wrong);
    flint_free(e->grid);
    if (e->witness.present)
        rg_witness_clear(&e->witness);
    *e = (ckda_range_emulation){0};
}
