/* The explicit read-out of a construction, compared on every state.
 *
 * Both sides are images modulo primes.  The read-out f is quadratic in the state, so with
 * states of denominator D and conjugates at most B its entries have denominator D^2 and
 * conjugates at most 4 B^2 (one product of a column, one of the border, two of the cross
 * product); a read-out of the state itself has D and B.  The primes go beyond the bound
 * that both sides ask for. */
#include "reach_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* f(S) = al C - s r^T - C [r]x modulo one prime, S 4 x 4, R 3 x 3. */
static void
decode_f(uint32_t *R, const uint32_t *S, const ckda_modulus *mod)
{
    const uint64_t p = mod->p;
    for (int i = 0; i < 3; i++) {
        const uint32_t *C = S + 4 * (i + 1) + 1;
        const uint64_t minus_s = p - C[-1];
        for (int j = 0; j < 3; j++) {
            const int k = (j + 1) % 3, l = (j + 2) % 3;
            /* column j of [r]x has r_l in row k and -r_k in row l; sums stay below 2^64
             */
            uint64_t x = (uint64_t)S[0] * C[j] + minus_s * S[1 + j];
            x += (p - C[k]) * S[1 + l] + (uint64_t)C[l] * S[1 + k];
            R[3 * i + j] = (uint32_t)(x % p);
        }
    }
}

/* Height of both sides of the comparison, for all words up to the depth of r. */
static ckda_status
comparison_height(word_height *h, const ckda_reach_t r, const ckda_system_t sys,
                  const ckda_construction_t c)
{
    system_height sh;
    fmpq_t one;
    system_height_init(&sh, sys);
    fmpq_init(one);
    fmpq_one(one);
    const ckda_status st = word_height_of(h, &sh, r->nlevels - 1);
    if (st == CKDA_OK) {
        if (c->decoder == CKDA_DECODE_F) {
            fmpz_mul(h->den, h->den, h->den);
            fmpq_mul(h->bound, h->bound, h->bound);
            fmpq_mul_2exp(h->bound, h->bound, 2);
        }
        const bool orthogonal = all_orthogonal(c->rotation, c->G->order, c->K);
        ckda_require(orthogonal, "a rotation is not orthogonal");
        for (uint32_t g = 0; g < c->G->order; g++)
            raise_denominator(h->den, c->rotation + g, c->K);
        if (fmpq_cmp(one, h->bound) > 0)
            fmpq_set(h->bound, one);
    }
    fmpq_clear(one);
    system_height_clear(&sh);
    return st;
}

/* First state whose read-out is not the rotation of its label modulo prime number i, or
 * r->states.  States are recomputed along the tree; a parent comes before its children.
 */
static uint64_t
first_wrong(const ckda_reach_t r, const images *im, const ckda_construction_t c,
            const uint32_t *rotation)
{
    const bool f = c->decoder == CKDA_DECODE_F;
    const size_t read = f ? 9 : (size_t)(im->n * im->m);
    uint32_t *S = flint_malloc(r->states * im->words * sizeof *S), R[9];
    uint64_t i = 0;
    memcpy(S, im->initial, im->words * sizeof *S);
    for (; i < r->states; i++) {
        uint32_t *state = S + i * im->words;
        if (i > 0)
            images_step(state, im, r->via[i], S + (uint64_t)r->parent[i] * im->words);
        if (f)
            decode_f(R, state, im->mod);
        if (memcmp(f ? R : state, rotation + r->label[i] * read, read * sizeof *R) != 0)
            break;
    }
    flint_free(S);
    return i;
}

static uint32_t *
rotation_images(const images *im, const ckda_construction_t c)
{
    const size_t size = (size_t)(c->rotation->rows * c->rotation->cols);
    uint32_t *image = flint_malloc(c->G->order * size * sizeof *image);
    for (uint32_t g = 0; g < c->G->order; g++) {
        const ckda_status st =
            ckda_modulus_mat(image + g * size, c->rotation + g, im->mod, c->K);
        ckda_require(st == CKDA_OK, "the primes divide no denominator");
    }
    return image;
}

/* Compares all states modulo every prime of `all`, one prime after the other. */
static uint64_t
compare_all(const ckda_reach_t r, const images *all, const ckda_construction_t c)
{
    uint64_t wrong = r->states;
    const size_t nn = (size_t)(all->n * all->n), nm = (size_t)(all->n * all->m);
    for (uint32_t i = 0; wrong == r->states && i < all->nprimes; i++) {
        images one = *all;
        one.nprimes = 1;
        one.words = nm;
        one.mod = all->mod + i;
        one.initial = all->initial + i * nm;
        one.linear = all->linear + (size_t)i * all->nletters * nn;
        if (all->offset != NULL)
            one.offset = all->offset + (size_t)i * all->nletters * nm;
        uint32_t *rotation = rotation_images(&one, c);
        wrong = first_wrong(r, &one, c, rotation);
        flint_free(rotation);
    }
    return wrong;
}

static ckda_truth
compare_beyond(uint64_t *checked, char **how, const word_height *h, const ckda_reach_t r,
               const ckda_system_t sys, const ckda_construction_t c, ckda_error *err)
{
    images im;
    uint32_t nprimes = 1;
    for (bool enough = false; !enough;) {
        if (nprimes > CKDA_REACH_MAX_PRIMES
            || images_init(&im, sys, nprimes, 0) != CKDA_OK) {
            ckda_error_set(err, "the height bound asks for more than %d primes",
                           CKDA_REACH_MAX_PRIMES);
            return CKDA_UNKNOWN;
        }
        enough = height_suffices(&nprimes, h, &im, sys->K);
        if (!enough)
            images_clear(&im);
    }
    const uint64_t wrong = compare_all(r, &im, c);
    if (how != NULL)
        *how = height_text(h, &im, sys->K);
    images_clear(&im);
    if (wrong == r->states) {
        *checked = r->states;
        return CKDA_TRUE;
    }
    *checked = wrong + 1;
    char *label = ckda_perm_str(&c->G->element[r->label[wrong]]);
    ckda_error_set(err,
                   "state %" PRIu64 ": the read-out is not the rotation of its label %s",
                   wrong, label);
    free(label);
    return CKDA_FALSE;
}

ckda_truth
ckda_reach_check_decoder(uint64_t *checked, char **how, const ckda_reach_t r,
                         const ckda_system_t sys, const ckda_construction_t c,
                         ckda_error *err)
{
    ckda_require(r->parent != NULL && r->label != NULL, "the graph was not kept");
    ckda_require(r->finite == CKDA_TRUE, "the search was not certified");
    if (c->decoder == CKDA_DECODE_WORD) {
        ckda_error_set(err, "the construction has no explicit read-out");
        return CKDA_UNKNOWN;
    }
    ckda_require(c->decoder != CKDA_DECODE_F || (c->n == 4 && sys->initial->cols == 4),
                 "f reads 4 x 4 states");
    word_height h;
    word_height_init(&h);
    ckda_truth truth = CKDA_UNKNOWN;
    if (comparison_height(&h, r, sys, c) == CKDA_OK)
        truth = compare_beyond(checked, how, &h, r, sys, c, err);
    else
        ckda_error_set(err, "the words are too long for the height bound");
    word_height_clear(&h);
    return truth;
}
