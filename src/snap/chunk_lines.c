/* What letters become in the gauge: masks of signs, lines, and their rounded keys. */
#include <math.h>

#include "chunk_int.h"
#include "ckda/rounded.h"

/* ---- masks ------------------------------------------------------------------------- */

/* The gate of a letter as a mask; false if it is not made of signs. */
static bool
gate_mask(uint32_t *mask, const ckda_trans_t x, const ckda_field_t K)
{
    *mask = 0;
    for (slong i = 0; i < x->n; i++) {
        if (ckda_elem_is_one(&x->gate[i], K))
            continue;
        if (ckda_elem_cmp_si(&x->gate[i], -1, K) != 0)
            return false;
        *mask |= UINT32_C(1) << i;
    }
    return true;
}

static uint32_t
mask_index(ckda_chunk_struct *k, uint32_t mask)
{
    for (uint32_t i = 0; i < k->nmasks; i++)
        if (k->mask[i] == mask)
            return i;
    return UINT32_MAX;
}

/* The masks that the gates generate, 0 first. */
static ckda_status
build_masks(ckda_chunk_struct *k, const uint32_t *gate, ckda_error *err)
{
    k->mask = flint_calloc(CHUNK_MAX_VECTORS, sizeof *k->mask);
    k->nmasks = 1;
    for (uint32_t l = 0; l < k->nletters; l++) {
        if (mask_index(k, gate[l]) != UINT32_MAX)
            continue;
        /* a new generator doubles the group */
        if (2 * k->nmasks > CHUNK_MAX_VECTORS) {
            ckda_error_set(err, "chunk: the gates have more than %d products",
                           CHUNK_MAX_VECTORS);
            return CKDA_E_UNABLE;
        }
        for (uint32_t i = 0; i < k->nmasks; i++)
            k->mask[k->nmasks + i] = k->mask[i] ^ gate[l];
        k->nmasks *= 2;
    }
    k->mask_after = flint_malloc((size_t)k->nletters * k->nmasks * sizeof *k->mask_after);
    for (uint32_t l = 0; l < k->nletters; l++)
        for (uint32_t m = 0; m < k->nmasks; m++)
            k->mask_after[l * k->nmasks + m] = mask_index(k, k->mask[m] ^ gate[l]);
    return CKDA_OK;
}

/* ---- lines ------------------------------------------------------------------------- */

/* A line is made: room for its parameters, which come from reflection s of R under a
 * mask. */
static void
add_line(ckda_chunk_struct *k, uint32_t s, uint32_t mask, const ckda_rounded_t R)
{
    const size_t n = (size_t)k->n, l = k->nlines++;
    k->rounded_key = flint_realloc(k->rounded_key, (l + 1) * n * sizeof *k->rounded_key);
    k->beta_key = flint_realloc(k->beta_key, (l + 1) * n * sizeof *k->beta_key);
    k->beta = flint_realloc(k->beta, (l + 1) * sizeof *k->beta);
    k->beta[l] = (float)R->beta_value[s];
    for (size_t i = 0; i < n; i++) {
        const float key = (float)R->key_value[s * n + i];
        k->rounded_key[l * n + i] = mask >> i & 1 ? -key : key;
        k->beta_key[l * n + i] =
            chunk_round(k->beta[l] * k->rounded_key[l * n + i], k->scheme.split.beta_key);
    }
}

/* Two keys on one line are the same vector up to sign, so they round to the same. */
static void
check_line(const ckda_chunk_struct *k, uint32_t l, uint32_t s, uint32_t mask,
           const ckda_rounded_t R)
{
    const size_t n = (size_t)k->n;
    bool same = true, opposite = true;
    for (size_t i = 0; i < n; i++) {
        double key = R->key_value[s * n + i];
        key = mask >> i & 1 ? -key : key;
        same = same && key == (double)k->rounded_key[l * n + i];
        opposite = opposite && key == -(double)k->rounded_key[l * n + i];
    }
    ckda_require((same || opposite) && (double)k->beta[l] == R->beta_value[s],
                 "line %u rounds in two ways", l);
}

/* The lines of one reflection (direction w, micro-step s of R) under all masks. */
static ckda_status
lines_of_reflection(ckda_chunk_struct *k, chunk_set *lines, const ckda_elem_struct *w,
                    uint32_t s, const ckda_rounded_t R, ckda_error *err)
{
    ckda_status st = CKDA_OK;
    ckda_mat_t v;
    ckda_mat_init(v, k->n, 1, lines->K);
    for (uint32_t m = 0; m < k->nmasks && st == CKDA_OK; m++) {
        for (slong i = 0; i < k->n; i++) {
            ckda_elem_set(&v->entry[i], &w[i], lines->K);
            if (k->mask[m] >> i & 1)
                ckda_elem_neg(&v->entry[i], &v->entry[i], lines->K);
        }
        chunk_projective(v, lines->K);
        const uint32_t l = chunk_set_add(lines, v);
        if (l == k->nlines)
            add_line(k, s, k->mask[m], R);
        else
            check_line(k, l, s, k->mask[m], R);
        k->line_of[s * k->nmasks + m] = l;
        if (k->nlines > CHUNK_MAX_VECTORS) {
            ckda_error_set(err, "chunk: more than %d lines", CHUNK_MAX_VECTORS);
            st = CKDA_E_UNABLE;
        }
    }
    ckda_mat_clear(v, lines->K);
    return st;
}

/* R keeps the reflections of a letter whose beta is not 0 (one with beta 0 if there is
 * none); letter_first counts the former only. */
static ckda_status
lines_of_letter(ckda_chunk_struct *k, chunk_set *lines, uint32_t letter,
                const ckda_trans_t x, const ckda_rounded_t R, ckda_error *err)
{
    uint32_t s = R->first[letter], kept = 0;
    ckda_status st = CKDA_OK;
    for (slong j = 0; j < x->steps && st == CKDA_OK; j++) {
        if (ckda_elem_is_zero(&x->beta[j], lines->K))
            continue;
        if (ckda_elem_cmp_si(&x->beta[j], 2, lines->K) != 0) {
            ckda_error_set(err, "chunk: expected beta 0 or 2, found another");
            st = CKDA_E_DOMAIN;
        } else {
            st = lines_of_reflection(k, lines, x->key + j * k->n, s + kept++, R, err);
        }
    }
    k->letter_count[letter] = kept;
    k->letter_first[letter] = s;
    if (kept > k->max_steps)
        k->max_steps = kept;
    return st;
}

/* ---- parameters -------------------------------------------------------------------- */

static void
build_gram(ckda_chunk_struct *k)
{
    const size_t n = (size_t)k->n;
    k->gram = flint_malloc((size_t)k->nlines * k->nlines * sizeof *k->gram);
    for (uint32_t i = 0; i < k->nlines; i++)
        for (uint32_t j = 0; j < k->nlines; j++) {
            const float *a = k->rounded_key + i * n, *b = k->rounded_key + j * n;
            float s = a[0] * b[0];
            for (size_t x = 1; x < n; x++)
                s += a[x] * b[x];
            k->gram[(size_t)i * k->nlines + j] = k->beta[i] * s;
        }
}

/* The primitive integer vector along a rational projective one. */
static void
make_primitive(ckda_mat_t v, const ckda_field_t K)
{
    fmpq_poly_t all, one;
    fmpq_t q;
    fmpq_poly_init(all);
    fmpq_poly_init(one);
    fmpq_init(q);
    for (slong i = 0; i < v->rows; i++) {
        ckda_elem_get_fmpq_poly(one, &v->entry[i], K);
        fmpq_poly_get_coeff_fmpq(q, one, 0);
        fmpq_poly_set_coeff_fmpq(all, i, q);
    }
    fmpq_poly_primitive_part(all, all);
    for (slong i = 0; i < v->rows; i++) {
        fmpq_poly_get_coeff_fmpq(q, all, i);
        ckda_elem_set_fmpq(&v->entry[i], q, K);
    }
    fmpq_clear(q);
    fmpq_poly_clear(one);
    fmpq_poly_clear(all);
}

/* The true keys with the signs of the rounded ones. */
static void
build_keys(ckda_chunk_struct *k, const chunk_set *lines)
{
    const size_t n = (size_t)k->n;
    ckda_mat_t w;
    k->key = flint_malloc((size_t)k->nlines * n * sizeof *k->key);
    for (uint32_t l = 0; l < k->nlines; l++) {
        double *key = k->key + l * n, agree = 0;
        ckda_mat_init_set(w, lines->at + l, lines->K);
        if (k->scheme.key == CKDA_KEY_DIRECTION)
            make_primitive(w, lines->K);
        chunk_doubles(key, w, k->scheme.key == CKDA_KEY_UNIT, lines->K);
        for (size_t i = 0; i < n; i++)
            agree += key[i] * (double)k->rounded_key[l * n + i];
        for (size_t i = 0; i < n && agree < 0; i++)
            key[i] = -key[i];
        ckda_mat_clear(w, lines->K);
    }
}

static ckda_status
build_with(ckda_chunk_struct *k, chunk_set *lines, const ckda_tracker_t t,
           const ckda_rounded_t R, ckda_error *err)
{
    ckda_status st = CKDA_OK;
    k->line_of =
        flint_calloc((size_t)R->first[k->nletters] * k->nmasks + 1, sizeof *k->line_of);
    k->letter_first = flint_calloc(k->nletters + 1, sizeof *k->letter_first);
    k->letter_first[k->nletters] = R->first[k->nletters];
    k->letter_count = flint_calloc(k->nletters, sizeof *k->letter_count);
    for (uint32_t l = 0; l < k->nletters && st == CKDA_OK; l++)
        st = lines_of_letter(k, lines, l, &t->c->trans[t->element_of_letter[l]], R, err);
    if (st == CKDA_OK && k->nlines == 0) {
        ckda_error_set(err, "chunk: no letter has a reflection");
        st = CKDA_E_DOMAIN;
    }
    if (st != CKDA_OK)
        return st;
    build_gram(k);
    build_keys(k, lines);
    return CKDA_OK;
}

ckda_status
chunk_build_lines(ckda_chunk_t k, chunk_set *lines, const ckda_tracker_t t,
                  ckda_error *err)
{
    const ckda_fp_format format = chunk_format(k->scheme.split.key);
    const ckda_arith arith = {.state = &ckda_fp_fp32,
                              .keys = &format,
                              .beta = &ckda_fp_fp32,
                              .compute = &ckda_fp_fp32,
                              .key = k->scheme.key,
                              .beta_rule = k->scheme.beta_rule,
                              .initial = {0, 1},
                              .beta_shift = {0, 1},
                              .gate_shrink = {0, 1}};
    uint32_t *gate = flint_malloc(k->nletters * sizeof *gate);
    ckda_status st = k->n <= 32 ? CKDA_OK : CKDA_E_UNABLE;
    if (st != CKDA_OK)
        ckda_error_set(err, "chunk: expected at most 32 rows, found %ld", (long)k->n);
    for (uint32_t l = 0; l < k->nletters && st == CKDA_OK; l++)
        if (!gate_mask(&gate[l], &t->c->trans[t->element_of_letter[l]], t->c->K)) {
            ckda_error_set(err, "chunk: expected gates 1 and -1, found another");
            st = CKDA_E_DOMAIN;
        }
    if (st == CKDA_OK)
        st = build_masks(k, gate, err);
    flint_free(gate);
    ckda_rounded_t R;
    if (st == CKDA_OK)
        st = ckda_rounded_init(R, t, &arith, err);
    if (st != CKDA_OK)
        return st;
    st = build_with(k, lines, t, R, err);
    ckda_rounded_clear(R);
    return st;
}
