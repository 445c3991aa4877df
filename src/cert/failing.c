/* A word after which a rounded tracker is read wrongly. */
#include "cert_internal.h"

#include <inttypes.h>
#include <math.h>

/* The exact states, their graph and their letters. */
static void
put_exact(stream *s, const ckda_tracker_t t)
{
    const ckda_construction_struct *c = t->c;
    put_field(s, c->K);
    stream_put(s, "{\"initial\":");
    put_matrix(s, t->exact, c->K);
    stream_put(s, "}\n");
    for (uint32_t l = 0; l < t->nletters; l++) {
        put_letter_begin(s, l, t->letter_name[l], t->element_of_letter[l]);
        stream_put(s, ",\"linear\":");
        put_matrix(s, c->matrix + t->element_of_letter[l], c->K);
        stream_put(s, "}\n");
    }
    for (uint32_t g = 0; g < c->G->order; g++)
        put_element(s, c->G, g);
    for (uint32_t i = 0; i < t->nstates; i++)
        put_state(s, i, t->element + i, t->next + (size_t)i * t->nletters, t->nletters);
}

static void
inner_product(ckda_elem_t sum, const ckda_elem_struct *H, const ckda_mat_t S,
              const ckda_field_t K)
{
    ckda_elem_zero(sum, K);
    for (slong e = 0; e < S->rows * S->cols; e++)
        ckda_elem_addmul(sum, H + e, S->entry + e, K);
}

static void
set_double(ckda_elem_t x, double d, const ckda_field_t K)
{
    fmpq_t q;
    arf_t a;
    fmpq_init(q);
    arf_init(a);
    arf_set_d(a, d);
    arf_get_fmpq(q, a);
    ckda_elem_set_fmpq(x, q, K);
    arf_clear(a);
    fmpq_clear(q);
}

/* Of the states of other elements, the one with the greatest inner product with H. */
static uint32_t
nearest_wrong(const ckda_tracker_t t, const double *H, uint32_t element)
{
    const ckda_field_struct *K = t->c->K;
    const slong size = t->n * t->n;
    uint32_t best = UINT32_MAX;
    ckda_elem_struct *v = ckda_elem_vec_new(size + 2, K), *sum = v + size,
                     *most = sum + 1;
    for (slong e = 0; e < size; e++)
        set_double(v + e, H[e], K);
    for (uint32_t i = 0; i < t->nstates; i++) {
        if (t->element[i] == element)
            continue;
        inner_product(sum, v, t->exact + i, K);
        if (best == UINT32_MAX || ckda_elem_cmp(sum, most, K) > 0) {
            best = i;
            ckda_elem_swap(sum, most, K);
        }
    }
    ckda_elem_vec_free(v, size + 2, K);
    return best;
}

static void
put_word(stream *s, const ckda_tracker_t t, const ckda_allwords_t r)
{
    stream_put(s, "{");
    put_counts(s, "word", r->word, r->length);
    stream_put(s, ",");
    if (r->failure == CKDA_ALLWORDS_COLLISION)
        put_counts(s, "other", r->other_word, r->other_length);
    else
        stream_put(s, "\"nearest\":%u", nearest_wrong(t, r->state, r->expected));
    stream_put(s, "}\n");
}

ckda_status
ckda_cert_add_failing(ckda_cert_writer *w, const ckda_cert_about *about,
                      const ckda_rounded_t R, const ckda_tracker_t t,
                      const ckda_allwords_t r, ckda_error *err)
{
    bool finite = r->verdict == CKDA_ALLWORDS_FAILS;
    for (slong e = 0; finite && e < R->n * R->n; e++)
        finite = isfinite(r->state[e]);
    if (!finite) {
        ckda_error_set(err,
                       "no certificate: no word leads to a finite state that is read "
                       "wrongly");
        return CKDA_E_DOMAIN;
    }
    stream *s = part_begin(w, "failing", about);
    put_shape(s, R->n, R->n, t->c->K->degree, R->nletters);
    put_group(s, t->c->G);
    stream_put(s, ",\"states\":%u", t->nstates);
    put_levels(s, t->next, t->nstates, t->nletters);
    put_labels(s, t->element, t->nstates, t->c->G->order);
    put_arithmetic(s, R);
    stream_put(s, "}\n");
    put_exact(s, t);
    for (uint32_t l = 0; l < R->nletters; l++) {
        stream_put(s, "{\"token\":%u,", l);
        put_token(s, R, l);
        stream_put(s, "}\n");
    }
    put_word(s, t, r);
    part_end(w);
    return CKDA_OK;
}
