/* A system modulo primes. */
#include "reach_internal.h"

#include <string.h>

static bool
has_offset(const ckda_system_t sys)
{
    return sys->offset != NULL;
}

bool
images_has_shape(const ckda_system_t sys)
{
    const slong n = sys->initial->rows, m = sys->initial->cols;
    if (n < 1 || m < 1)
        return false;
    for (uint32_t x = 0; x < sys->nletters; x++) {
        if (sys->linear[x].rows != n || sys->linear[x].cols != n)
            return false;
        if (has_offset(sys) && (sys->offset[x].rows != n || sys->offset[x].cols != m))
            return false;
    }
    return true;
}

/* The primes must not divide a denominator of the system. */
static ckda_status
choose_primes(images *im, const ckda_system_t sys, uint32_t count, uint32_t p)
{
    fmpz_t avoid;
    ckda_status st = CKDA_OK;
    fmpz_init_set_ui(avoid, 1);
    raise_denominator(avoid, sys->initial, sys->K);
    for (uint32_t x = 0; x < sys->nletters; x++) {
        raise_denominator(avoid, sys->linear + x, sys->K);
        if (has_offset(sys))
            raise_denominator(avoid, sys->offset + x, sys->K);
    }
    for (; st == CKDA_OK && im->nprimes < count; im->nprimes += st == CKDA_OK)
        st = p != 0
                 ? ckda_modulus_init_prime(im->mod + im->nprimes, sys->K, p)
                 : ckda_modulus_init(im->mod + im->nprimes, sys->K, im->nprimes, avoid);
    fmpz_clear(avoid);
    return st;
}

static ckda_status
fill(images *im, const ckda_system_t sys)
{
    const size_t nn = (size_t)(im->n * im->n), nm = (size_t)(im->n * im->m);
    ckda_status st = CKDA_OK;
    for (uint32_t i = 0; st == CKDA_OK && i < im->nprimes; i++) {
        const ckda_modulus *mod = im->mod + i;
        st = ckda_modulus_mat(im->initial + i * nm, sys->initial, mod, sys->K);
        for (uint32_t x = 0; st == CKDA_OK && x < im->nletters; x++) {
            const size_t at = (size_t)i * im->nletters + x;
            st = ckda_modulus_mat(im->linear + at * nn, sys->linear + x, mod, sys->K);
            if (st == CKDA_OK && has_offset(sys))
                st = ckda_modulus_mat(im->offset + at * nm, sys->offset + x, mod, sys->K);
        }
    }
    return st;
}

ckda_status
images_init(images *im, const ckda_system_t sys, uint32_t nprimes, uint32_t p)
{
    const slong n = sys->initial->rows, m = sys->initial->cols;
    const size_t nn = (size_t)(n * n), nm = (size_t)(n * m);
    const size_t cells = (size_t)nprimes * sys->nletters;
    *im = (images){
        .n = n, .m = m, .nletters = sys->nletters, .words = nprimes * nm, .given = p};
    im->mod = flint_malloc(nprimes * sizeof *im->mod);
    im->initial = flint_malloc(im->words * sizeof *im->initial);
    im->linear = flint_malloc((cells * nn + 1) * sizeof *im->linear);
    if (has_offset(sys))
        im->offset = flint_malloc((cells * nm + 1) * sizeof *im->offset);
    ckda_status st = choose_primes(im, sys, nprimes, p);
    if (st == CKDA_OK)
        st = fill(im, sys);
    if (st != CKDA_OK)
        images_clear(im);
    return st;
}

void
images_clear(images *im)
{
    for (uint32_t i = 0; i < im->nprimes; i++)
        ckda_modulus_clear(im->mod + i);
    flint_free(im->mod);
    flint_free(im->initial);
    flint_free(im->linear);
    flint_free(im->offset);
    memset(im, 0, sizeof *im);
}

void
images_step(uint32_t *to, const images *im, uint32_t x, const uint32_t *from)
{
    const slong n = im->n, m = im->m;
    for (uint32_t i = 0; i < im->nprimes; i++) {
        const size_t at = (size_t)i * im->nletters + x;
        ckda_modmat_mul(to, im->linear + at * (size_t)(n * n), from, n, n, m,
                        im->mod + i);
        if (im->offset != NULL)
            ckda_modmat_add(to, to, im->offset + at * (size_t)(n * m), n * m,
                            im->mod + i);
        to += n * m;
        from += n * m;
    }
}

void
images_product(fmpz_t product, const images *im)
{
    fmpz_one(product);
    for (uint32_t i = 0; i < im->nprimes; i++)
        fmpz_mul_ui(product, product, im->mod[i].p);
}
