/* The closed graph of a rounded tracker. */
#include "cert_internal.h"

#include <inttypes.h>
#include <math.h>

/* A finite double as an exact fraction: "3/8". */
static void
put_double(stream *s, double x)
{
    int e;
    const double m = frexp(x, &e); /* x = m 2^e, 53 bits in m */
    fmpq_t q;
    fmpq_init(q);
    fmpz_set_d(fmpq_numref(q), ldexp(m, 53));
    e -= 53;
    if (e >= 0)
        fmpq_mul_2exp(q, q, (ulong)e);
    else
        fmpq_div_2exp(q, q, (ulong)-e);
    char *text = fmpq_get_str(NULL, 10, q);
    stream_put(s, "\"%s\"", text);
    flint_free(text);
    fmpq_clear(q);
}

/* The least k >= 0 for which x is a multiple of 2^-k. */
static int
binary_places(double x)
{
    int e;
    int64_t m = (int64_t)ldexp(frexp(x, &e), 53);
    for (e -= 53; m != 0 && m % 2 == 0; e++)
        m /= 2;
    return m != 0 && e < 0 ? -e : 0;
}

static int
most_places(int least, const double *x, slong n)
{
    for (slong i = 0; i < n; i++) {
        const int places = binary_places(x[i]);
        least = places > least ? places : least;
    }
    return least;
}

/* All numbers of the certificate are multiples of 2^-unit. */
static int
unit_of(const ckda_rounded_t R)
{
    const ckda_arith *a = &R->arith;
    const slong steps = R->first[R->nletters];
    int unit = a->compute->precision - 1 - a->compute->emin;
    if (a->grid == 0 && a->state->precision - 1 - a->state->emin > unit)
        unit = a->state->precision - 1 - a->state->emin;
    if (a->has_flush && a->flush > unit)
        unit = (int)a->flush;
    unit = most_places(unit, R->initial, R->n * R->n);
    if (R->matrix != NULL)
        return most_places(unit, R->matrix_value, (slong)R->nletters * R->n * R->n);
    unit = most_places(unit, R->key_value, steps * R->n);
    unit = most_places(unit, R->gate_value, steps * R->n);
    return most_places(unit, R->beta_value, steps);
}

static void
put_doubles(stream *s, const char *key, const double *x, slong n)
{
    stream_put(s, "\"%s\":[", key);
    for (slong i = 0; i < n; i++) {
        stream_put(s, i == 0 ? "" : ",");
        put_double(s, x[i]);
    }
    stream_put(s, "]");
}

static void
put_format(stream *s, const char *key, const ckda_fp_format *f)
{
    stream_put(s, "\"%s\":{\"name\":\"%s\",\"precision\":%d,\"least\":%d,\"max\":", key,
               f->name, f->precision, f->precision - 1 - f->emin);
    put_double(s, ckda_fp_get_double(f->largest, f));
    stream_put(s, "},");
}

void
put_arithmetic(stream *s, const ckda_rounded_t R)
{
    const ckda_arith *a = &R->arith;
    stream_put(s, ",\"arithmetic\":{\"unit\":%d,", unit_of(R));
    put_format(s, "compute", a->compute);
    if (a->grid > 0)
        stream_put(s, "\"state\":{\"integers\":true},");
    else
        put_format(s, "state", a->state);
    stream_put(s, "\"sum\":\"%s\",\"beta\":\"%s\",\"store\":\"%s\",",
               a->fma ? "fma" : "separate", a->order == CKDA_BETA_ON_DOT ? "dot" : "key",
               a->store == CKDA_FP_RTZ ? "rtz" : "rne");
    if (a->has_flush) {
        stream_put(s, "\"flush\":");
        put_double(s, ldexp(1, -a->flush));
        stream_put(s, ",");
    }
    if (a->start == 0) {
        stream_put(s, "\"start\":");
        put_double(s, R->initial[0]);
    } else {
        put_doubles(s, "start", R->initial, R->n * R->n);
    }
    stream_put(s, "}");
}

void
put_token(stream *s, const ckda_rounded_t R, uint32_t l)
{
    const slong n = R->n;
    if (R->matrix != NULL) {
        put_doubles(s, "matrix", R->matrix_value + (slong)l * n * n, n * n);
        return;
    }
    stream_put(s, "\"steps\":[");
    for (uint32_t i = R->first[l]; i < R->first[l + 1]; i++) {
        stream_put(s, i == R->first[l] ? "{" : ",{");
        put_doubles(s, "key", R->key_value + i * n, n);
        stream_put(s, ",");
        put_doubles(s, "gate", R->gate_value + i * n, n);
        stream_put(s, ",\"beta\":");
        put_double(s, R->beta_value[i]);
        stream_put(s, "}");
    }
    stream_put(s, "]");
}

ckda_status
ckda_cert_add_rounded(ckda_cert_writer *w, const ckda_cert_about *about,
                      const ckda_rounded_t R, const ckda_tracker_t t,
                      const ckda_allwords_t r, ckda_error *err)
{
    const ckda_group_struct *G = t->c->G;
    if (r->verdict != CKDA_ALLWORDS_TRACKS || r->method != CKDA_ALLWORDS_PRODUCT
        || r->next == NULL) {
        ckda_error_set(err,
                       "no certificate: only a closed search over whole states has one");
        return CKDA_E_DOMAIN;
    }
    uint32_t *label = flint_malloc(r->states * sizeof *label);
    for (uint64_t i = 0; i < r->states; i++)
        label[i] = t->element[r->exact_state[i]];
    stream *s = part_begin(w, "rounded", about);
    put_shape(s, R->n, R->n, 1, R->nletters);
    put_group(s, G);
    stream_put(s, ",\"states\":%" PRIu64, r->states);
    put_levels(s, r->next, (uint32_t)r->states, R->nletters);
    put_labels(s, label, r->states, G->order);
    put_arithmetic(s, R);
    stream_put(s, "}\n");
    for (uint32_t l = 0; l < R->nletters; l++) {
        put_letter_begin(s, l, t->letter_name[l], t->element_of_letter[l]);
        stream_put(s, ",");
        put_token(s, R, l);
        stream_put(s, "}\n");
    }
    for (uint32_t g = 0; g < G->order; g++)
        put_element(s, G, g);
    for (uint64_t i = 0; i < r->states; i++)
        put_state(s, i, label + i, r->next + i * R->nletters, R->nletters);
    flint_free(label);
    part_end(w);
    return CKDA_OK;
}
