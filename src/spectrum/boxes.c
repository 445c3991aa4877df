/* Isolating boxes of all roots of a polynomial. */
#include <stdlib.h>
#include <string.h>
#include "boxes.h"

enum {
    FACTOR_DEGREE = 16, /* over Q: factored, with closed forms */
    FIRST_PREC = 128,
    LAST_PREC = EIGENVALUE_LAST_PREC
};

/* ---- lists ---- */

ckda_eigenvalue *
eigenvalues_add(eigenvalues *l, bool real, slong multiplicity)
{
    ckda_eigenvalue *e;

    if (l->n == l->room) {
        l->room = 2 * l->room + 8;
        l->e = flint_realloc(l->e, (size_t)l->room * sizeof *l->e);
    }
    e = l->e + l->n++;
    *e = (ckda_eigenvalue){.real = real, .multiplicity = multiplicity};
    fmpq_init(e->re_lo);
    fmpq_init(e->re_hi);
    fmpq_init(e->im_lo);
    fmpq_init(e->im_hi);
    return e;
}

void
ckda_eigenvalues_free(ckda_eigenvalue **list, slong count)
{
    for (slong i = 0; i < count; i++) {
        ckda_eigenvalue *e = *list + i;

        fmpq_clear(e->re_lo);
        fmpq_clear(e->re_hi);
        fmpq_clear(e->im_lo);
        fmpq_clear(e->im_hi);
        free(e->closed);
    }
    flint_free(*list);
    *list = NULL;
}

static int
compare(const void *a, const void *b)
{
    const ckda_eigenvalue *x = a, *y = b;
    int c;

    if (x->real != y->real)
        return x->real ? -1 : 1;
    c = fmpq_cmp(x->re_lo, y->re_lo);
    return c != 0 ? c : fmpq_cmp(x->im_lo, y->im_lo);
}

void
eigenvalues_sort(eigenvalues *l)
{
    if (l->n > 1)
        qsort(l->e, (size_t)l->n, sizeof *l->e, compare);
}

char *
eigenvalue_text(const fmpq_t q)
{
    char *flint = fmpq_get_str(NULL, 10, q), *text = strdup(flint);

    ckda_require_memory(text != NULL);
    flint_free(flint);
    return text;
}

/* ---- from enclosures to boxes with rational ends ---- */

void
eigenvalue_roots_cut(eigenvalue_roots *l, slong n)
{
    for (; l->n > n; l->n--) {
        acb_clear(l->r[l->n - 1].box);
        fmpq_clear(l->r[l->n - 1].exact);
        free(l->r[l->n - 1].closed);
    }
}

static void
roots_clear(eigenvalue_roots *l)
{
    eigenvalue_roots_cut(l, 0);
    flint_free(l->r);
}

eigenvalue_root *
eigenvalue_roots_add(eigenvalue_roots *l)
{
    eigenvalue_root *r;

    l->r = flint_realloc(l->r, (size_t)(l->n + 1) * sizeof *l->r);
    r = l->r + l->n++;
    *r = (eigenvalue_root){.multiplicity = 1};
    acb_init(r->box);
    fmpq_init(r->exact);
    return r;
}

/* floor(x 2^k) - 1 or ceil(x 2^k) + 1 over 2^k. */
static void
outward(fmpq_t q, const arf_t x, slong k, int direction)
{
    arf_t y;

    arf_init(y);
    arf_mul_2exp_si(y, x, k);
    if (direction < 0)
        arf_floor(y, y);
    else
        arf_ceil(y, y);
    arf_get_fmpz(fmpq_numref(q), y, ARF_RND_NEAR);
    fmpz_add_si(fmpq_numref(q), fmpq_numref(q), direction);
    fmpz_one(fmpq_denref(q));
    fmpq_div_2exp(q, q, (ulong)k);
    arf_clear(y);
}

static void
interval(fmpq_t lo, fmpq_t hi, const arb_t x, slong k)
{
    arf_t a, b;

    arf_init(a);
    arf_init(b);
    arb_get_interval_arf(a, b, x, 2 * LAST_PREC);
    outward(lo, a, k, -1);
    outward(hi, b, k, 1);
    arf_clear(b);
    arf_clear(a);
}

static void
set_eigenvalue(ckda_eigenvalue *e, const eigenvalue_root *r, slong k)
{
    if (r->rational) {
        fmpq_set(e->re_lo, r->exact);
        fmpq_set(e->re_hi, r->exact);
    } else {
        interval(e->re_lo, e->re_hi, acb_realref(r->box), k);
    }
    if (!r->real)
        interval(e->im_lo, e->im_hi, acb_imagref(r->box), k);
}

static bool
apart(const ckda_eigenvalue *x, const ckda_eigenvalue *y)
{
    return fmpq_cmp(x->re_hi, y->re_lo) < 0 || fmpq_cmp(y->re_hi, x->re_lo) < 0
           || fmpq_cmp(x->im_hi, y->im_lo) < 0 || fmpq_cmp(y->im_hi, x->im_lo) < 0;
}

static bool
all_apart(const eigenvalues *l)
{
    for (slong i = 0; i < l->n; i++) {
        if (!l->e[i].real && fmpq_sgn(l->e[i].im_lo) <= 0)
            return false;
        for (slong j = 0; j < i; j++)
            if (!apart(l->e + i, l->e + j))
                return false;
    }
    return true;
}

/* Upper half plane and real axis only; false if the enclosures are too wide. */
static bool
set_list(eigenvalues *l, const eigenvalue_roots *r)
{
    bool ok = false;

    for (slong i = 0; i < r->n; i++)
        if (r->r[i].real || arb_is_positive(acb_imagref(r->r[i].box)))
            eigenvalues_add(l, r->r[i].real, r->r[i].multiplicity);
    for (slong k = 40; !ok && k <= 2 * LAST_PREC; k *= 2) {
        for (slong i = 0, n = 0; i < r->n; i++)
            if (r->r[i].real || arb_is_positive(acb_imagref(r->r[i].box)))
                set_eigenvalue(l->e + n++, r->r + i, k);
        ok = all_apart(l);
    }
    for (slong i = 0, n = 0; ok && i < r->n; i++)
        if (r->r[i].real || arb_is_positive(acb_imagref(r->r[i].box))) {
            l->e[n++].closed = r->r[i].closed;
            r->r[i].closed = NULL;
        }
    if (!ok) {
        ckda_eigenvalues_free(&l->e, l->n);
        *l = (eigenvalues){NULL, 0, 0};
    }
    return ok;
}

/* ---- over Q, small degree: irreducible factors ---- */

static void
add_algebraic(eigenvalue_roots *l, const qqbar_t x, slong multiplicity, slong prec)
{
    eigenvalue_root *r = eigenvalue_roots_add(l);

    r->multiplicity = multiplicity;
    r->real = qqbar_is_real(x);
    r->rational = qqbar_is_rational(x);
    if (r->rational)
        qqbar_get_fmpq(r->exact, x);
    qqbar_get_acb(r->box, x, prec);
    r->closed = eigenvalue_closed_form(x);
}

static void
factor_roots(eigenvalue_roots *l, const fmpz_poly_t f, slong multiplicity, slong prec)
{
    const slong n = fmpz_poly_degree(f);
    qqbar_ptr x = _qqbar_vec_init(n);

    qqbar_roots_fmpz_poly(x, f, QQBAR_ROOTS_IRREDUCIBLE);
    for (slong i = 0; i < n; i++)
        add_algebraic(l, x + i, multiplicity, prec);
    _qqbar_vec_clear(x, n);
}

static bool
by_factors(eigenvalues *l, const fmpz_poly_t f)
{
    bool ok = false;
    fmpz_poly_factor_t fac;

    fmpz_poly_factor_init(fac);
    fmpz_poly_factor(fac, f);
    for (slong prec = FIRST_PREC; !ok && prec <= LAST_PREC; prec *= 2) {
        eigenvalue_roots r = {NULL, 0};

        for (slong i = 0; i < fac->num; i++)
            factor_roots(&r, fac->p + i, fac->exp[i], prec);
        ok = set_list(l, &r);
        roots_clear(&r);
    }
    fmpz_poly_factor_clear(fac);
    return ok;
}

/* ---- any polynomial over K: square-free parts ---- */

/* A part of degree 1, or the root 0 of a part: exact in K. */
static void
add_element(eigenvalue_roots *l, const ckda_elem_t x, slong multiplicity, slong prec,
            const ckda_field_t K)
{
    eigenvalue_root *r = eigenvalue_roots_add(l);

    r->multiplicity = multiplicity;
    r->real = true;
    r->rational = ckda_elem_is_rational(x, K);
    ckda_elem_get_arb(acb_realref(r->box), x, K, prec);
    r->closed = ckda_elem_str(x, K);
    if (r->rational)
        fmpq_set_str(r->exact, r->closed, 10);
}

static bool
part_roots(eigenvalue_roots *l, const ckda_poly_t part, slong multiplicity, slong prec,
           const ckda_field_t K)
{
    ckda_poly_t f;
    ckda_elem_t x;
    bool ok = true;

    ckda_poly_init(f, K);
    ckda_elem_init(x, K);
    ckda_poly_monic(f, part, K);
    if (ckda_poly_degree(f) > 1 && ckda_elem_is_zero(f->coeff, K)) {
        add_element(l, x, multiplicity, prec, K);
        ckda_spectrum_deflate_root(f, f, x, K);
    }
    if (ckda_poly_degree(f) == 1) {
        ckda_elem_neg(x, f->coeff, K);
        add_element(l, x, multiplicity, prec, K);
    } else if (ckda_poly_degree(f) > 1) {
        ok = eigenvalue_find_roots(l, f, multiplicity, prec, K);
    }
    ckda_elem_clear(x, K);
    ckda_poly_clear(f, K);
    return ok;
}

static bool
by_discs(eigenvalues *l, const ckda_poly_t f, const ckda_field_t K)
{
    bool ok = false;
    ckda_poly_struct *parts;
    slong count;

    ckda_poly_squarefree(&parts, &count, f, K);
    for (slong prec = FIRST_PREC; !ok && prec <= LAST_PREC; prec *= 2) {
        eigenvalue_roots r = {NULL, 0};

        ok = true;
        for (slong j = 0; ok && j < count; j++)
            ok = part_roots(&r, parts + j, j + 1, prec, K);
        ok = ok && set_list(l, &r);
        roots_clear(&r);
    }
    ckda_poly_parts_free(&parts, count, K);
    return ok;
}

ckda_status
ckda_poly_eigenvalues(ckda_eigenvalue **list, slong *count, const ckda_poly_t f,
                      const ckda_field_t K)
{
    eigenvalues l = {NULL, 0, 0};
    bool ok;
    fmpz_poly_t g;

    ckda_require(!ckda_poly_is_zero(f), "the zero polynomial");
    fmpz_poly_init(g);
    if (ckda_poly_degree(f) <= FACTOR_DEGREE && ckda_spectrum_get_fmpz_poly(g, f, K))
        ok = by_factors(&l, g);
    else
        ok = by_discs(&l, f, K);
    fmpz_poly_clear(g);
    if (!ok)
        return CKDA_E_UNABLE;
    eigenvalues_sort(&l);
    *list = l.e;
    *count = l.n;
    return CKDA_OK;
}
