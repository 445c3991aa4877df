/* A witness as a document that can be read again. */
#include <stdlib.h>
#include <string.h>

#include "range_internal.h"

const char *
ckda_range_inverse_name(ckda_range_inverse x)
{
    return x == CKDA_INVERSE_NEUMANN ? "neumann" : "substitution";
}

const char *
ckda_range_anchor_name(ckda_range_anchor x)
{
    static const char *const names[] = {"start", "first", "middle", "token"};
    return names[x];
}

const char *
ckda_range_gate_name(ckda_range_gate x)
{
    static const char *const names[] = {"none", "scalar", "channel"};
    return names[x];
}

static json_t *
number(const fmpq_t q)
{
    char *text = rg_fmpq_text(q);
    json_t *value = json_string(text);
    flint_free(text);
    return value;
}

static json_t *
scheme(const ckda_range_scheme *s)
{
    json_t *object = json_object();
    ckda_json_put(object, "length", json_integer(s->length));
    ckda_json_put(object, "anchor", json_integer(s->tile));
    ckda_json_put(object, "anchor_at", json_string(ckda_range_anchor_name(s->anchor)));
    ckda_json_put(object, "block", json_integer(s->block));
    ckda_json_put(object, "inverse", json_string(ckda_range_inverse_name(s->inverse)));
    ckda_json_put(object, "gate_format", json_string(s->gate->name));
    ckda_json_put(object, "factor_format", json_string(s->factor->name));
    ckda_json_put(object, "inverse_format", json_string(s->matrix->name));
    ckda_json_put(object, "wy_format", json_string(s->wy->name));
    if (s->accumulate != NULL)
        ckda_json_put(object, "accumulate_format", json_string(s->accumulate->name));
    if (s->ftz)
        ckda_json_put(object, "flush_subnormals", json_true());
    return object;
}

/* Equal keys: one number a token (two channels where the anchor compares channels);
 * otherwise all inner products. */
static void
put_keys(json_t *object, const ckda_range_witness *w, bool pair)
{
    json_t *list = json_array();
    fmpq_t square, product;
    fmpq_init(square);
    fmpq_init(product);
    fmpq_mul(square, w->norm, w->norm);
    fmpq_mul(product, square, w->rho);
    /* a witness of the gates needs no more than equal keys */
    const bool equal = fmpq_is_one(w->rho) || w->gated;
    for (slong i = 0; i < w->tokens; i++) {
        json_t *row = json_array();
        if (equal)
            ckda_json_append(row, number(w->norm));
        if (equal && pair)
            ckda_json_append(row, json_string("0"));
        for (slong j = 0; !equal && j < w->tokens; j++)
            ckda_json_append(row, number(i == j ? square : product));
        ckda_json_append(list, row);
    }
    ckda_json_put(object, equal ? "keys" : "gram", list);
    fmpq_clear(square);
    fmpq_clear(product);
}

static void
put_betas(json_t *object, const ckda_range_witness *w)
{
    json_t *list = json_array();
    for (slong i = 0; i < w->tokens; i++)
        ckda_json_append(list, number(w->beta));
    ckda_json_put(object, "betas", list);
}

static void
put_gates(json_t *object, const ckda_range_witness *w, bool pair)
{
    json_t *list = json_array();
    for (slong i = 0; i < w->tokens; i++) {
        json_t *row = json_array();
        ckda_json_append(row, i == w->open ? json_string("0") : number(w->log_gate));
        if (pair)
            ckda_json_append(row, json_string("0"));
        ckda_json_append(list, row);
    }
    ckda_json_put(object, "log_gates", list);
}

/* Signs that make all terms of the last row of U agree: those of -(1 - x)^(s-1), x = beta
 * times the inner product of two keys. */
static void
put_values(json_t *object, const ckda_range_witness *w, const fmpq_t value)
{
    json_t *list = json_array();
    fmpq_t x, v;
    fmpq_init(x);
    fmpq_init(v);
    fmpq_mul(x, w->norm, w->norm);
    fmpq_mul(x, x, w->rho);
    fmpq_mul(x, x, w->beta);
    const bool alternate = fmpq_cmp_si(x, 1) > 0;
    for (slong i = 0; i < w->tokens; i++) {
        const slong s = w->tokens - 1 - i;
        json_t *row = json_array();
        fmpq_set(v, value);
        if (s > 0 && !(alternate && s % 2 == 0))
            fmpq_neg(v, v);
        ckda_json_append(row, number(v));
        ckda_json_append(list, row);
    }
    ckda_json_put(object, "values", list);
    fmpq_clear(x);
    fmpq_clear(v);
}

json_t *
ckda_range_witness_document(const ckda_range_witness *w, const ckda_range_chunk *r)
{
    const bool pair = w->gated && r->scheme.anchor == CKDA_ANCHOR_TOKEN;
    json_t *document = json_object(), *chunk = scheme(&r->scheme);
    put_keys(chunk, w, pair);
    put_betas(chunk, w);
    if (w->gated)
        put_gates(chunk, w, pair);
    if (r->has_values)
        put_values(chunk, w, r->value_max);
    ckda_json_put(document, "chunk", chunk);
    return document;
}
