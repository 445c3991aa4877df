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

static void
put_arithmetic(stream *s, const ckda_rounded_t R)
{
    const ckda_arith *a = &R->arith;
    stream_put(s, ",\"arithmetic\":{");
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
    stream_put(s, "\"start\":");
    put_double(s, R->initial_value);
    stream_put(s, "}");
}

static void
put_token(stream *s, const ckda_rounded_t R, const ckda_tracker_t t, uint32_t l)
{
    const slong n = R->n;
    stream_put(s, "{\"letter\":%u,\"name\":", l);
    stream_put_text(s, t->letter_name[l]);
    stream_put(s, ",\"element\":%u,", t->element_of_letter[l]);
    if (R->matrix != NULL) {
        put_doubles(s, "matrix", R->matrix_value + (slong)l * n * n, n * n);
    } else {
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
    stream_put(s, "}\n");
}

/* States that belong to each element that occurs. */
static void
put_counts(stream *s, const ckda_tracker_t t, const ckda_allwords_t r)
{
    const uint32_t order = t->c->G->order;
    uint64_t *count = flint_calloc(order, sizeof *count);
    uint64_t decoded = 0, least = UINT64_MAX, most = 0;
    for (uint64_t i = 0; i < r->states; i++)
        count[t->element[r->exact_state[i]]]++;
    for (uint32_t g = 0; g < order; g++) {
        if (count[g] == 0)
            continue;
        decoded++;
        least = count[g] < least ? count[g] : least;
        most = count[g] > most ? count[g] : most;
    }
    flint_free(count);
    stream_put(s,
               ",\"decoder\":\"consistent\",\"decoded\":%" PRIu64
               ",\"states_per_element\":[%" PRIu64 ",%" PRIu64 "]",
               decoded, least, most);
}

static void
put_header(ckda_cert_writer *w, const ckda_cert_about *about, const ckda_rounded_t R,
           const ckda_tracker_t t, const ckda_allwords_t r)
{
    stream *s = &w->out;
    const ckda_group_struct *G = t->c->G;
    stream_put(
        s, "{\"schema\":\"ckda.cert/1\",\"kind\":\"rounded\",\"part\":%u,\"parts\":%u,",
        w->part, w->parts);
    put_about(s, about);
    stream_put(s,
               ",\"rows\":%ld,\"cols\":%ld,\"degree\":1,\"letters\":%u,"
               "\"group\":{\"points\":%d,\"order\":%u}",
               (long)R->n, (long)R->n, R->nletters, G->degree, G->order);
    stream_put(s, ",\"states\":%" PRIu64 ",\"levels\":[", r->states);
    for (uint32_t i = 0; i < r->nlevels; i++)
        stream_put(s, i == 0 ? "%" PRIu64 : ",%" PRIu64, r->level[i]);
    stream_put(s, "]");
    put_counts(s, t, r);
    put_arithmetic(s, R);
    stream_put(s, "}\n");
}

ckda_status
ckda_cert_add_rounded(ckda_cert_writer *w, const ckda_cert_about *about,
                      const ckda_rounded_t R, const ckda_tracker_t t,
                      const ckda_allwords_t r, ckda_error *err)
{
    stream *s = &w->out;
    ckda_require(w->part < w->parts, "all %u parts are there", w->parts);
    if (r->verdict != CKDA_ALLWORDS_TRACKS || r->method != CKDA_ALLWORDS_PRODUCT
        || r->next == NULL) {
        ckda_error_set(err,
                       "no certificate: only a closed search over whole states has one");
        return CKDA_E_DOMAIN;
    }
    w->part++;
    put_header(w, about, R, t, r);
    for (uint32_t l = 0; l < R->nletters; l++)
        put_token(s, R, t, l);
    for (uint32_t g = 0; g < t->c->G->order; g++)
        put_element(s, t->c->G, g);
    for (uint64_t i = 0; i < r->states; i++) {
        stream_put(s, "{\"state\":%" PRIu64 ",\"label\":%u,\"next\":[", i,
                   t->element[r->exact_state[i]]);
        for (uint32_t l = 0; l < R->nletters; l++)
            stream_put(s, l == 0 ? "%u" : ",%u", r->next[i * R->nletters + l]);
        stream_put(s, "]}\n");
    }
    stream_put(s, "{\"end\":%" PRIu64 "}\n",
               r->states + R->nletters + t->c->G->order + 2);
    return CKDA_OK;
}
