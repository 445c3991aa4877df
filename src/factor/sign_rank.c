/* The least rank of A - S over all sign matrices S.
 *
 * Minors of the image modulo a prime ideal are images of minors, so the rank of the image
 * is a lower bound.  Candidates are taken up in the order of that bound and decided by
 * exact ranks; the first whose bound is met is least. */
#include "ckda/matmod.h"
#include "norm_internal.h"

/* A's image modulo the first prime that divides no denominator. */
static void
image_of(uint32_t *image, ckda_modulus *m, const ckda_mat_t A, const ckda_field_t K)
{
    for (slong i = 0;; i++) {
        factorise_must(ckda_modulus_init(m, K, i, NULL));
        if (ckda_modulus_mat(image, A, m, K) == CKDA_OK)
            return;
        ckda_modulus_clear(m);
    }
}

/* Bit i of mask: s_i = -1. */
static int
sign_of(ulong mask, slong i)
{
    return (mask >> i) & 1 ? -1 : 1;
}

/* bound[mask] = rank of A - S modulo a prime. */
static void
rank_bounds(unsigned char *bound, const ckda_mat_t A, const ckda_field_t K)
{
    const slong n = A->rows;
    uint32_t *image = flint_malloc(((size_t)(n * n) + 1) * sizeof *image);
    ckda_modulus m;
    nmod_mat_t B;
    image_of(image, &m, A, K);
    nmod_mat_init(B, n, n, m.p);
    for (ulong mask = 0; mask < UWORD(1) << n; mask++) {
        for (slong i = 0; i < n * n; i++)
            nmod_mat_entry(B, i / n, i % n) = image[i];
        for (slong i = 0; i < n; i++)
            nmod_mat_entry(B, i, i) = n_submod(
                image[i * n + i], sign_of(mask, i) > 0 ? 1 : m.p - UWORD(1), m.p);
        bound[mask] = (unsigned char)nmod_mat_rank(B);
    }
    nmod_mat_clear(B);
    ckda_modulus_clear(&m);
    flint_free(image);
}

static slong
exact_rank(ulong mask, const ckda_mat_t A, const ckda_field_t K)
{
    ckda_mat_t B;
    ckda_elem_t s;
    ckda_elem_init(s, K);
    ckda_mat_init_set(B, A, K);
    for (slong i = 0; i < A->rows; i++) {
        ckda_elem_set_si(s, sign_of(mask, i), K);
        ckda_elem_sub(ckda_mat_entry(B, i, i), ckda_mat_entry(B, i, i), s, K);
    }
    const slong rank = ckda_mat_rank(B, K);
    ckda_mat_clear(B, K);
    ckda_elem_clear(s, K);
    return rank;
}

static ulong
least_mask(slong *rank, unsigned char *bound, const ckda_mat_t A, const ckda_field_t K)
{
    const slong n = A->rows;
    for (slong r = 0; r <= n; r++)
        for (ulong mask = 0; mask < UWORD(1) << n; mask++) {
            if (bound[mask] != r)
                continue;
            const slong exact = exact_rank(mask, A, K);
            if (exact == r) {
                *rank = r;
                return mask;
            }
            bound[mask] = (unsigned char)exact; /* > r: its turn comes again */
        }
    ckda_require(false, "no sign matrix at all");
    return 0;
}

ckda_status
ckda_factor_sign_rank(slong *rank, int *signs, const ckda_mat_t A, const ckda_field_t K)
{
    const slong n = A->rows;
    if (A->cols != n)
        return CKDA_E_SHAPE;
    if (n > CKDA_FACTOR_SIGNS_MAX)
        return CKDA_E_UNABLE;
    unsigned char *bound = flint_malloc((size_t)1 << n);
    rank_bounds(bound, A, K);
    const ulong mask = least_mask(rank, bound, A, K);
    for (slong i = 0; i < n; i++)
        signs[i] = sign_of(mask, i);
    flint_free(bound);
    return CKDA_OK;
}
