/* States as the bytes that are kept, and the letters acting on them.
 *
 * A residue takes as many bytes as the largest of the primes needs, lowest byte first.
 * Many systems have letters that move most coordinates without changing them
 * (permutations, reflections): a row of a letter's matrix that has the one entry 1 is
 * carried out by copying bytes, and a letter with few entries by its entries alone. */
#include "search_internal.h"

#include <string.h>

/* ---- bytes and residues ----------------------------------------------------------- */

static size_t
width_of(const images *im)
{
    size_t width = 1;
    for (uint32_t i = 0; i < im->nprimes; i++)
        while (width < 4 && im->mod[i].p > UINT32_C(1) << (8 * width))
            width++;
    return width;
}

static inline void
pack(uint8_t *to, const uint32_t *from, size_t count, size_t width)
{
    switch (width) {
    case 1:
        for (size_t i = 0; i < count; i++)
            to[i] = (uint8_t)from[i];
        return;
    case 4:
        memcpy(to, from, count * sizeof *from);
        return;
    default:
        for (size_t i = 0; i < count; i++)
            for (size_t b = 0; b < width; b++)
                *to++ = (uint8_t)(from[i] >> (8 * b));
    }
}

void
stepper_pack(uint8_t *to, const stepper *st, const uint32_t *from)
{
    pack(to, from, st->im->words, st->width);
}

const uint32_t *
stepper_unpack(uint32_t *room, const stepper *st, const uint8_t *from)
{
    const size_t words = st->im->words;
    if (st->width == 1) {
        for (size_t i = 0; i < words; i++)
            room[i] = from[i];
    } else if (st->width == sizeof *room) {
        return (const uint32_t *)(const void *)from; /* aligned, see store.c */
    } else {
        for (size_t i = 0; i < words; i++) {
            room[i] = 0;
            for (size_t b = 0; b < st->width; b++)
                room[i] |= (uint32_t)*from++ << (8 * b);
        }
    }
    return room;
}

bool
stepper_is_state(const stepper *st, const uint8_t *from, uint32_t *room)
{
    const size_t size = (size_t)(st->im->n * st->im->m);
    const uint32_t *words = stepper_unpack(room, st, from);
    for (uint32_t i = 0; i < st->im->nprimes; i++)
        for (size_t j = 0; j < size; j++)
            if (words[i * size + j] >= st->im->mod[i].p)
                return false;
    return true;
}

/* ---- plans ------------------------------------------------------------------------ */

static bool
is_zero(const uint32_t *x, slong count)
{
    for (slong i = 0; x != NULL && i < count; i++)
        if (x[i] != 0)
            return false;
    return true;
}

/* The terms of one row of a letter; returns how many were written. */
static uint32_t
plan_row(step_row *row, step_term *terms, uint32_t at, const uint32_t *A,
         const uint32_t *offset, slong n, slong m)
{
    *row = (step_row){.first = at, .offset = is_zero(offset, m) ? NULL : offset};
    for (slong c = 0; c < n; c++)
        if (A[c] != 0)
            terms[at + row->count++] = (step_term){(uint32_t)c, A[c]};
    row->copy = row->count == 1 && row->offset == NULL && terms[at].coefficient == 1;
    return row->count;
}

static uint32_t
plan_letter(stepper *st, uint32_t i, uint32_t x, uint32_t at)
{
    const images *im = st->im;
    const slong n = im->n, m = im->m;
    const size_t cell = (size_t)i * im->nletters + x;
    const uint32_t *A = im->linear + cell * (size_t)(n * n);
    const uint32_t *B = im->offset != NULL ? im->offset + cell * (size_t)(n * m) : NULL;
    const uint32_t start = at;
    for (slong r = 0; r < n; r++)
        at += plan_row(st->row + cell * (size_t)n + (size_t)r, st->term, at, A + r * n,
                       B != NULL ? B + r * m : NULL, n, m);
    st->sparse[cell] = at - start <= (uint32_t)(n * n) / 2;
    return at;
}

void
stepper_init(stepper *st, const images *im)
{
    const size_t cells = (size_t)im->nprimes * im->nletters, n = (size_t)im->n;
    *st = (stepper){.im = im, .width = width_of(im)};
    st->bytes = im->words * st->width;
    st->row = flint_malloc((cells * n + 1) * sizeof *st->row);
    st->term = flint_malloc((cells * n * n + 1) * sizeof *st->term);
    st->sparse = flint_malloc(cells + 1);
    ckda_require(cells * n * n < UINT32_MAX, "the letters have too many entries");
    uint32_t at = 0;
    for (uint32_t i = 0; i < im->nprimes; i++)
        for (uint32_t x = 0; x < im->nletters; x++)
            at = plan_letter(st, i, x, at);
}

void
stepper_clear(stepper *st)
{
    flint_free(st->row);
    flint_free(st->term);
    flint_free(st->sparse);
    *st = (stepper){0};
}

/* ---- one step --------------------------------------------------------------------- */

/* One row of the product: residues are below p, so `most` products and one residue more
 * sum to less than 2^64. */
static void
combine(uint32_t *to, const step_row *row, const step_term *term, const uint32_t *from,
        slong m, uint64_t p)
{
    const uint64_t most = (UINT64_MAX - (p - 1)) / ((p - 1) * (p - 1));
    for (slong j = 0; j < m; j++) {
        uint64_t sum = row->offset != NULL ? row->offset[j] : 0, left = most;
        for (uint32_t k = 0; k < row->count; k++) {
            if (left-- == 0) {
                sum %= p;
                left = most - 1;
            }
            sum += (uint64_t)term[k].coefficient * from[term[k].column * m + j];
        }
        to[j] = (uint32_t)(sum % p);
    }
}

static void
step_sparse(uint8_t *to, const stepper *st, size_t cell, uint64_t p, const uint8_t *bytes,
            const uint32_t *from, uint32_t *room)
{
    const slong n = st->im->n, m = st->im->m;
    const size_t size = (size_t)m * st->width;
    const step_row *row = st->row + cell * (size_t)n;
    for (slong r = 0; r < n; r++, row++, to += size) {
        const step_term *term = st->term + row->first;
        if (row->copy) {
            memcpy(to, bytes + term->column * size, size);
            continue;
        }
        combine(room, row, term, from, m, p);
        pack(to, room, (size_t)m, st->width);
    }
}

static void
step_dense(uint8_t *to, const stepper *st, size_t cell, const ckda_modulus *mod,
           const uint32_t *from, uint32_t *room)
{
    const images *im = st->im;
    const slong n = im->n, m = im->m;
    /* four bytes a residue: `to` is as aligned as an array of residues */
    uint32_t *out = st->width == sizeof *out ? (uint32_t *)(void *)to : room;
    ckda_modmat_mul(out, im->linear + cell * (size_t)(n * n), from, n, n, m, mod);
    if (im->offset != NULL)
        ckda_modmat_add(out, out, im->offset + cell * (size_t)(n * m), n * m, mod);
    if (out == room)
        pack(to, room, (size_t)(n * m), st->width);
}

void
stepper_apply(uint8_t *to, const stepper *st, uint32_t x, const uint8_t *bytes,
              const uint32_t *from, uint32_t *room)
{
    const images *im = st->im;
    const size_t size = (size_t)(im->n * im->m);
    for (uint32_t i = 0; i < im->nprimes; i++) {
        const size_t cell = (size_t)i * im->nletters + x;
        if (st->sparse[cell])
            step_sparse(to, st, cell, im->mod[i].p, bytes, from, room);
        else
            step_dense(to, st, cell, im->mod + i, from, room);
        to += size * st->width;
        bytes += size * st->width;
        from += size;
    }
}
