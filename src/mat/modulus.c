/* Primes of degree one and the images of elements. */
#include "ckda/matmod.h"

#include <string.h>

#include "ckda/status.h"

/* g = gcd(f, h - c) for a power h modulo f. */
static void
gcd_minus(nmod_poly_t g, const nmod_poly_t f, const nmod_poly_t h, const nmod_poly_t c)
{
    nmod_poly_t t;
    nmod_poly_init(t, f->mod.n);
    nmod_poly_sub(t, h, c);
    nmod_poly_gcd(g, f, t);
    nmod_poly_clear(t);
}

/* g = gcd(f, x^p - x): the product of x - r over all roots r of f. */
static void
linear_part(nmod_poly_t g, const nmod_poly_t f)
{
    nmod_poly_t x, h;
    nmod_poly_init(x, f->mod.n);
    nmod_poly_init(h, f->mod.n);
    nmod_poly_set_coeff_ui(x, 1, 1);
    nmod_poly_rem(h, x, f);
    nmod_poly_powmod_ui_binexp(h, h, f->mod.n, f);
    gcd_minus(g, f, h, x);
    nmod_poly_clear(h);
    nmod_poly_clear(x);
}

/* The least root of g, a product of distinct linear factors, p odd.  Of two roots, one
 * shift s = 0, 1, ... makes r + s a square and the other not (or one of them 0), so
 * gcd(g, (x + s)^((p-1)/2) - 1) splits g sooner or later. */
static ulong
least_root(const nmod_poly_t g)
{
    ulong p = g->mod.n;
    if (nmod_poly_degree(g) == 1) {
        ulong c = nmod_poly_get_coeff_ui(g, 0);
        ulong lead = nmod_poly_get_coeff_ui(g, 1);
        return n_mulmod2(n_submod(0, c, p), n_invmod(lead, p), p);
    }
    nmod_poly_t one, h, u;
    ulong a = 0, b = 0;
    nmod_poly_init(one, p);
    nmod_poly_init(h, p);
    nmod_poly_init(u, p);
    nmod_poly_one(one);
    for (ulong s = 0; s < p; s++) {
        nmod_poly_zero(h);
        nmod_poly_set_coeff_ui(h, 1, 1);
        nmod_poly_set_coeff_ui(h, 0, s);
        nmod_poly_powmod_ui_binexp(h, h, (p - 1) / 2, g);
        gcd_minus(u, g, h, one);
        if (nmod_poly_degree(u) > 0 && nmod_poly_degree(u) < nmod_poly_degree(g)) {
            nmod_poly_div(h, g, u);
            a = least_root(u);
            b = least_root(h);
            break;
        }
    }
    nmod_poly_clear(u);
    nmod_poly_clear(h);
    nmod_poly_clear(one);
    return FLINT_MIN(a, b);
}

static bool
squarefree(const nmod_poly_t f)
{
    nmod_poly_t t;
    nmod_poly_init(t, f->mod.n);
    nmod_poly_derivative(t, f);
    nmod_poly_gcd(t, t, f);
    bool yes = nmod_poly_degree(t) == 0;
    nmod_poly_clear(t);
    return yes;
}

/* A root of the minimal polynomial modulo the prime p, if f stays square-free (p does not
 * divide the discriminant) and has one. */
static bool
find_root(ulong *root, const ckda_field_t K, ulong p)
{
    nmod_poly_t f, g;
    nmod_poly_init(f, p);
    nmod_poly_init(g, p);
    fmpz_poly_get_nmod_poly(f, K->minpoly);
    bool found = squarefree(f);
    if (found && K->degree == 1) {
        *root = least_root(f);
    } else if (found) {
        linear_part(g, f);
        found = nmod_poly_degree(g) > 0;
        if (found)
            *root = least_root(g);
    }
    nmod_poly_clear(g);
    nmod_poly_clear(f);
    return found;
}

static void
fill(ckda_modulus *m, slong degree, ulong p, ulong root)
{
    m->p = (uint32_t)p;
    m->root = (uint32_t)root;
    m->inverse = UINT64_MAX / p;
    m->degree = degree;
    m->power = flint_malloc((size_t)degree * sizeof *m->power);
    m->power[0] = 1;
    for (slong i = 1; i < degree; i++)
        m->power[i] = (uint32_t)((uint64_t)m->power[i - 1] * root % p);
}

ckda_status
ckda_modulus_init_prime(ckda_modulus *m, const ckda_field_t K, uint32_t p)
{
    ulong root;
    if (p <= 2 || p >= UINT32_C(1) << 31 || !n_is_prime(p) || !find_root(&root, K, p))
        return CKDA_E_DOMAIN;
    fill(m, K->degree, p, root);
    return CKDA_OK;
}

static bool
divides(ulong p, const fmpz_t n)
{
    return n != NULL && !fmpz_is_zero(n) && fmpz_fdiv_ui(n, p) == 0;
}

ckda_status
ckda_modulus_init(ckda_modulus *m, const ckda_field_t K, slong i, const fmpz_t avoid)
{
    ckda_require(i >= 0, "i = %ld", (long)i);
    ulong root = 0;
    for (ulong p = (UWORD(1) << 31) - 1; p > UWORD(1) << 30; p -= 2) {
        if (!n_is_prime(p) || divides(p, avoid) || !find_root(&root, K, p))
            continue;
        if (i-- == 0) {
            fill(m, K->degree, p, root);
            return CKDA_OK;
        }
    }
    return CKDA_E_UNABLE;
}

void
ckda_modulus_clear(ckda_modulus *m)
{
    flint_free(m->power);
    m->power = NULL;
}

/* sum of num[k] root^k over den, not 0 modulo p */
static uint32_t
image_of(const fmpz *num, slong len, ulong den, const ckda_modulus *m)
{
    uint64_t s = 0;
    for (slong k = 0; k < len; k++)
        s = (s + (uint64_t)fmpz_fdiv_ui(num + k, m->p) * m->power[k]) % m->p;
    return (uint32_t)(den == 1 ? s : s * n_invmod(den, m->p) % m->p);
}

/* In lowest terms: a factor p must not hide in an uncancelled fraction. */
static ckda_status
reduced_image(uint32_t *image, const ckda_elem_t x, const ckda_modulus *m,
              const ckda_field_t K)
{
    fmpq_poly_t f;
    fmpq_poly_init(f);
    ckda_elem_get_fmpq_poly(f, x, K);
    fmpq_poly_canonicalise(f);
    const ulong den = fmpz_fdiv_ui(fmpq_poly_denref(f), m->p);
    if (den != 0)
        *image = image_of(f->coeffs, fmpq_poly_length(f), den, m);
    fmpq_poly_clear(f);
    return den != 0 ? CKDA_OK : CKDA_E_DOMAIN;
}

ckda_status
ckda_modulus_elem(uint32_t *image, const ckda_elem_t x, const ckda_modulus *m,
                  const ckda_field_t K)
{
    slong len;
    const fmpz *num = ckda_elem_num(&len, x, K);
    const ulong den = fmpz_fdiv_ui(ckda_elem_den(x, K), m->p);
    if (den == 0)
        return reduced_image(image, x, m, K);
    *image = image_of(num, len, den, m);
    return CKDA_OK;
}

ckda_status
ckda_modulus_mat(uint32_t *image, const ckda_mat_t A, const ckda_modulus *m,
                 const ckda_field_t K)
{
    slong n = A->rows * A->cols;
    uint32_t *t = flint_malloc((size_t)(n + 1) * sizeof *t);
    ckda_status status = CKDA_OK;
    for (slong i = 0; i < n && status == CKDA_OK; i++)
        status = ckda_modulus_elem(t + i, A->entry + i, m, K);
    if (status == CKDA_OK && n > 0)
        memcpy(image, t, (size_t)n * sizeof *t);
    flint_free(t);
    return status;
}
