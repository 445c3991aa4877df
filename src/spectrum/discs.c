/* Roots of square-free polynomials over K: Aberth's method proposes, discs prove. */
#include "boxes.h"

enum { ITERATIONS = 120 }; /* at one precision */

typedef struct {
    arb_struct *c; /* n + 1 coefficients, monic */
    acb_struct *z; /* n approximations, exact */
    slong n, prec;
} finder;

static void
evaluate(acb_t f, acb_t f1, const finder *a, const acb_t z)
{
    acb_zero(f);
    acb_zero(f1);
    for (slong i = a->n; i >= 0; i--) {
        acb_mul(f1, f1, z, a->prec);
        acb_add(f1, f1, f, a->prec);
        acb_mul(f, f, z, a->prec);
        acb_add_arb(f, f, a->c + i, a->prec);
    }
}

/* One sweep; returns true when no root moves any more. */
static bool
aberth(finder *a)
{
    bool still = true;
    acb_t f, f1, sum, d;
    mag_t step, size;

    acb_init(f);
    acb_init(f1);
    acb_init(sum);
    acb_init(d);
    mag_init(step);
    mag_init(size);
    for (slong i = 0; i < a->n; i++) {
        evaluate(f, f1, a, a->z + i);
        acb_get_mid(f, f);
        acb_get_mid(f1, f1);
        acb_div(f, f, f1, a->prec);
        acb_zero(sum);
        for (slong j = 0; j < a->n; j++) {
            if (j == i)
                continue;
            acb_sub(d, a->z + i, a->z + j, a->prec);
            acb_inv(d, d, a->prec);
            acb_add(sum, sum, d, a->prec);
        }
        acb_mul(sum, sum, f, a->prec);
        acb_sub_si(sum, sum, 1, a->prec);
        acb_neg(sum, sum);
        acb_div(f, f, sum, a->prec);
        acb_get_mid(f, f);
        if (!acb_is_finite(f))
            continue;
        acb_sub(a->z + i, a->z + i, f, a->prec);
        acb_get_mid(a->z + i, a->z + i);
        acb_get_mag(step, f);
        acb_get_mag(size, a->z + i);
        mag_mul_2exp_si(size, size, 16 - a->prec);
        still = still && mag_cmp(step, size) <= 0;
    }
    mag_clear(size);
    mag_clear(step);
    acb_clear(d);
    acb_clear(sum);
    acb_clear(f1);
    acb_clear(f);
    return still;
}

/* The discs |x - z_i| <= n |f(z_i)/prod_{j != i} (z_i - z_j)| cover all roots, and one that
 * meets no other holds exactly one (Gerschgorin's theorem for Diag(z) - w 1^T, which has the
 * characteristic polynomial f). */
static void
disc(acb_t box, const finder *a, slong i)
{
    acb_t f, d;
    mag_t r;

    acb_init(f);
    acb_init(d);
    mag_init(r);
    evaluate(f, d, a, a->z + i);
    for (slong j = 0; j < a->n; j++)
        if (j != i) {
            acb_sub(d, a->z + i, a->z + j, a->prec);
            acb_div(f, f, d, a->prec);
        }
    acb_get_mag(r, f);
    mag_mul_ui(r, r, (ulong)a->n);
    acb_set(box, a->z + i);
    acb_add_error_mag(box, r);
    mag_clear(r);
    acb_clear(d);
    acb_clear(f);
}

/* A disc that meets the real axis holds a real root if its mirror image meets no other
 * one: the conjugate root can only be the root itself. */
static bool
discs_decide(eigenvalue_roots *l, const finder *a, slong multiplicity)
{
    const slong first = l->n;
    bool ok = true;
    acb_t mirror;

    acb_init(mirror);
    for (slong i = 0; i < a->n; i++) {
        eigenvalue_root *r = eigenvalue_roots_add(l);

        r->multiplicity = multiplicity;
        disc(r->box, a, i);
        ok = ok && acb_is_finite(r->box);
    }
    for (slong i = first; ok && i < l->n; i++) {
        eigenvalue_root *r = l->r + i;

        r->real = arb_contains_zero(acb_imagref(r->box));
        acb_conj(mirror, r->box);
        for (slong j = first; ok && j < l->n; j++)
            ok = i == j
                 || (!acb_overlaps(r->box, l->r[j].box)
                     && !(r->real && acb_overlaps(mirror, l->r[j].box)));
        if (r->real)
            arb_zero(acb_imagref(r->box));
    }
    acb_clear(mirror);
    return ok;
}

static void
set_coefficients(finder *a, const ckda_poly_t f, slong prec, const ckda_field_t K)
{
    a->prec = prec;
    for (slong i = 0; i <= a->n; i++)
        ckda_elem_get_arb(a->c + i, f->coeff + i, K, prec);
}

/* Around the circle of the geometric mean, off the axes. */
static void
set_starts(finder *a)
{
    arb_t r, angle;

    arb_init(r);
    arb_init(angle);
    arb_abs(r, a->c);
    arb_root_ui(r, r, (ulong)a->n, 64);
    for (slong i = 0; i < a->n; i++) {
        arb_set_d(angle, (6.283185307 * (double)i + 1.1) / (double)a->n + 0.01);
        arb_sin_cos(acb_imagref(a->z + i), acb_realref(a->z + i), angle, 64);
        acb_mul_arb(a->z + i, a->z + i, r, 64);
        acb_get_mid(a->z + i, a->z + i);
    }
    arb_clear(angle);
    arb_clear(r);
}

bool
eigenvalue_find_roots(eigenvalue_roots *l, const ckda_poly_t f, slong multiplicity,
                      slong prec, const ckda_field_t K)
{
    finder a = {.n = ckda_poly_degree(f)};
    bool ok = false;

    a.c = _arb_vec_init(a.n + 1);
    a.z = _acb_vec_init(a.n);
    for (bool begun = false; !ok && prec <= EIGENVALUE_LAST_PREC; prec *= 2) {
        const slong before = l->n;

        set_coefficients(&a, f, prec, K);
        if (!begun)
            set_starts(&a);
        begun = true;
        for (int i = 0; i < ITERATIONS && !aberth(&a); i++)
            ;
        ok = discs_decide(l, &a, multiplicity);
        if (!ok)
            eigenvalue_roots_cut(l, before);
    }
    _acb_vec_clear(a.z, a.n);
    _arb_vec_clear(a.c, a.n + 1);
    return ok;
}
