/* `ckda range` as JSON. */
#include <inttypes.h>
#include <stdlib.h>

#include "json.h"
#include "range.h"

static void
put_truth(json_t *object, const char *key, ckda_truth t)
{
    json_put(object, key, t == CKDA_UNKNOWN ? json_null() : json_boolean(t == CKDA_TRUE));
}

static const char *const edge_keys[] = {"beta_top", "beta_bottom", "alpha_top"};
static const char *const how_keys[] = {"once", "steps", "tanh"};

/* ---- JSON: chunk ----------------------------------------------------------------------- */

static void
put_number(json_t *object, const char *key, const ckda_range_number *n)
{
    if (n->decimal == NULL) {
        json_put(object, key, json_null());
        return;
    }
    json_t *value = json_object();
    json_put_text(value, "exact", n->exact);
    json_put_text(value, "decimal", n->decimal);
    json_put(object, key, value);
}

static void
put_fmpq(json_t *object, const char *key, const fmpq_t q)
{
    char *text = fmpq_get_str(NULL, 10, q);
    json_put_text(object, key, text);
    flint_free(text);
}

static json_t *
witness_json(const ckda_range_witness *w, const ckda_range_chunk *r)
{
    if (!w->present)
        return json_null();
    json_t *object = json_object();
    json_put_count(object, "tokens", (uint64_t)w->tokens);
    put_fmpq(object, "beta", w->beta);
    put_fmpq(object, "correlation", w->rho);
    put_fmpq(object, "key_norm", w->norm);
    if (w->gated)
        put_fmpq(object, "log_gate", w->log_gate);
    if (w->gated && w->open >= 0)
        json_put_count(object, "open_token", (uint64_t)w->open);
    json_put(object, "document", ckda_range_witness_document(w, r));
    return object;
}

static json_t *
item_json(const ckda_range_item *i, const ckda_range_chunk *r)
{
    json_t *object = json_object(), *range = json_object();
    json_put_text(object, "name", i->name);
    json_put_text(object, "about", i->about);
    json_put_text(range, "exact", i->largest.exact);
    json_put_text(range, "decimal", i->largest.decimal);
    json_put_bool(range, "attained", i->attained);
    if (!i->attained)
        put_number(range, "reached", &i->reached);
    if (i->smallest.decimal != NULL) {
        put_number(range, "smallest", &i->smallest);
        json_put_bool(range, "subnormal", i->subnormal);
    }
    json_put(object, "range", range);
    json_put_text(object, "format", i->format->name);
    json_put_text(object, "limit", range_value_of(i->format->largest, i->format));
    json_put_text(object, "verdict", ckda_range_verdict_name(i->fits));
    json_put_text(object, "why",
                  i->why == CKDA_BREAK_NONE ? NULL : range_break_name(i->why));
    put_truth(object, "integers_lost", i->integers_lost);
    if (i->bound_that_fits != NULL)
        json_put_text(object, "log_gate_that_fits", i->bound_that_fits);
    if (r->box) {
        json_put(object, "witness", witness_json(&i->shortest, r));
        json_put(object, "smallest_beta", witness_json(&i->least, r));
    } else {
        json_t *at = json_object();
        json_put(at, "chunk", json_integer(i->chunk));
        json_put(at, "row", json_integer(i->row));
        json_put(at, "column", json_integer(i->col));
        json_put(object, "at", at);
    }
    return object;
}

static json_t *
emulation_json(const ckda_range_emulation *e, const ckda_range_chunk *r)
{
    json_t *object = json_object();
    json_put_text(object, "verdict", ckda_range_verdict_name(e->fits));
    json_put_text(object, "input", e->beta != NULL ? "equal inner products" : "given");
    json_put_text(object, "beta", e->beta);
    json_put_count(object, "tokens", (uint64_t)e->tokens);
    json_put_count(object, "entries", e->entries);
    json_put_count(object, "nonfinite", e->nonfinite);
    put_number(object, "inverse", &e->inverse);
    put_number(object, "error", &e->error);
    json_put(object, "row", json_integer(e->row));
    json_put(object, "column", json_integer(e->col));
    json_put_text(object, "computed", e->computed);
    put_number(object, "should_be", &e->should);
    json_put_text(object, "tolerance", e->tolerance);
    if (e->beta != NULL) {
        json_put_text(object, "grid", e->grid);
        json_put_text(object, "first_nonfinite_beta", e->first_nonfinite);
        json_put_text(object, "first_wrong_beta", e->first_wrong);
        json_put(object, "witness", witness_json(&e->witness, r));
    }
    return object;
}

static json_t *
laws_json(const ckda_range_laws *l)
{
    json_t *object = json_object();
    put_truth(object, "chunk_equals_recurrence",
              l->has_values ? l->chunk_equals_recurrence : CKDA_UNKNOWN);
    put_truth(object, "chunk_transition_is_identity", l->period_is_identity);
    if (l->compared)
        put_truth(object, "ungated_equal", l->ungated);
    json_put_text(object, "final_state", l->state);
    return object;
}

static json_t *
scheme_json(const ckda_range_scheme *s)
{
    json_t *object = json_object();
    json_put_count(object, "length", (uint64_t)s->length);
    json_put_count(object, "anchor", (uint64_t)s->tile);
    json_put_text(object, "anchor_at", ckda_range_anchor_name(s->anchor));
    json_put_count(object, "block", (uint64_t)s->block);
    json_put_text(object, "inverse", ckda_range_inverse_name(s->inverse));
    json_put_text(object, "gate_format", s->gate->name);
    json_put_text(object, "factor_format", s->factor->name);
    json_put_text(object, "inverse_format", s->matrix->name);
    json_put_text(object, "wy_format", s->wy->name);
    json_put_text(object, "accumulate_format",
                  s->accumulate != NULL ? s->accumulate->name : "exact");
    json_put_bool(object, "flush_subnormals", s->ftz);
    return object;
}

static json_t *
box_json(const ckda_range_chunk *r)
{
    json_t *object = json_object();
    put_fmpq(object, "beta_max", r->beta_max);
    put_fmpq(object, "correlation_max", r->correlation_max);
    put_fmpq(object, "key_norm_max", r->norm_max);
    json_put_text(object, "gate", ckda_range_gate_name(r->gating));
    if (r->gating != CKDA_GATE_NONE)
        put_fmpq(object, "gate_lower_bound", r->gate_bound);
    if (r->has_values)
        put_fmpq(object, "value_max", r->value_max);
    if (r->head_dim > 0)
        json_put_count(object, "head_dim", (uint64_t)r->head_dim);
    return object;
}

static void
put_chunk(json_t *document, const ckda_range_chunk *r)
{
    json_t *items = json_array();
    json_put_text(document, "scope", r->box ? "all inputs in the box" : "given inputs");
    json_put(document, "scheme", scheme_json(&r->scheme));
    if (r->box) {
        json_put(document, "box", box_json(r));
    } else {
        json_put_count(document, "tokens", (uint64_t)r->tokens);
        json_put_text(document, "arithmetic",
                      r->balls ? "enclosures" : "exact numbers of one field");
        json_put(document, "laws", laws_json(&r->laws));
    }
    for (size_t i = 0; i < r->nitems; i++)
        json_append(items, item_json(r->item + i, r));
    json_put(document, "intermediates", items);
    json_put(document, "emulation",
             r->emulation.present ? emulation_json(&r->emulation, r) : json_null());
}

/* ---- JSON: gates and dot ------------------------------------------------------------------ */

static void
put_pattern(json_t *object, const char *key, uint64_t x, const ckda_fp_format *f)
{
    char text[32];
    json_t *value = json_object();
    snprintf(text, sizeof text, "0x%0*" PRIx64, (f->width + 3) / 4, x);
    json_put_text(value, "pattern", text);
    json_put_text(value, "value", range_value_of(x, f));
    json_put(object, key, value);
}

static json_t *
gate_json(const ckda_gates_value *v, const ckda_gates *g)
{
    json_t *object = json_object();
    json_put_text(object, "quantity", v->is_beta ? "beta" : "alpha");
    json_put_text(object, "logit", v->logit);
    json_put_text(object, "exact", v->exact);
    json_put_text(object, "decimal", v->decimal);
    put_truth(object, "decided", v->decided);
    if (v->decided == CKDA_TRUE) {
        put_pattern(object, "rounded", v->rounded, g->format);
        json_put_text(object, "rounded_exact", v->rounded_exact);
    }
    if (v->has_steps)
        put_pattern(object, "every_step_rounded", v->steps, g->format);
    json_put_text(object, v->is_beta ? "below_scale" : "decay_per_step", v->decay);
    json_put_text(object, "endpoint", v->endpoint);
    json_put_bool(object, "collapses", v->collapses);
    if (v->has_horizon && v->horizon_known) {
        json_put(object, "horizon",
                 v->horizon > 0 ? json_integer((json_int_t)v->horizon) : json_null());
        json_put(object, "horizon_rounded",
                 v->horizon_rounded > 0 ? json_integer((json_int_t)v->horizon_rounded)
                                        : json_null());
    }
    if (v->power != NULL) {
        json_put_text(object, "power", v->power);
        json_put_text(object, "power_rounded", v->power_rounded);
    }
    return object;
}

static json_t *
limit_json(const ckda_gates_limit *l, const ckda_gates *g)
{
    json_t *object = json_object();
    json_put_text(object, "edge", edge_keys[l->edge]);
    json_put_text(object, "how", how_keys[l->how]);
    json_put_text(object, "format", l->format->name);
    json_put_bool(object, "reached", l->exists);
    if (l->exists) {
        put_pattern(object, "logit", l->logit, g->logits);
        json_put_text(object, "logit_exact", l->exact);
        json_put_text(object, "logit_decimal", l->decimal);
    }
    return object;
}

static json_t *
compare_json(const ckda_gates_compare *c, const ckda_gates *g)
{
    json_t *object = json_object(), *formats = json_array();
    json_append_text(formats, c->a->name);
    json_append_text(formats, c->b->name);
    json_put_text(object, "beta", g->value[c->value].decimal);
    json_put_text(object, "alpha", c->alpha);
    json_put(object, "formats", formats);
    json_put_text(object, "output", c->output->name);
    json_put(object, "first_different_token",
             c->first > 0 ? json_integer((json_int_t)c->first) : json_null());
    if (c->first > 0) {
        json_put_text(object, "output_a", c->first_a);
        json_put_text(object, "output_b", c->first_b);
        json_put_text(object, "difference", c->difference);
    }
    json_put_text(object, "last_difference", c->last);
    json_put_count(object, "bits", (uint64_t)c->bits);
    return object;
}

static void
put_gates(json_t *document, const ckda_gates *g)
{
    static const char *const kinds[] = {"signed", "sigmoid", "exact"};
    json_t *values = json_array(), *limits = json_array(), *compares = json_array();
    json_put_text(document, "gate", kinds[g->map.kind]);
    json_put_text(document, "format", g->format->name);
    json_put_text(document, "logit_format", g->logits->name);
    json_put_count(document, "beta_scale", (uint64_t)g->map.beta_scale);
    if (g->has_threshold)
        put_fmpq(document, "threshold", g->threshold);
    if (g->steps > 0)
        json_put_count(document, "steps", g->steps);
    for (size_t i = 0; i < g->nvalues; i++)
        json_append(values, gate_json(g->value + i, g));
    for (size_t i = 0; i < g->nlimits; i++)
        json_append(limits, limit_json(g->limit + i, g));
    for (size_t i = 0; i < g->ncompares; i++)
        json_append(compares, compare_json(g->compare + i, g));
    json_put(document, "values", values);
    json_put(document, "thresholds", limits);
    json_put(document, "comparisons", compares);
}

static void
put_dot(json_t *document, const ckda_range_dot *d)
{
    const ckda_fp_format *f = d->model.acc;
    json_put_count(document, "terms", (uint64_t)d->n);
    json_put_text(document, "format_a", d->fa->name);
    json_put_text(document, "format_b", d->fb->name);
    json_put_text(document, "accumulator", f->name);
    put_number(document, "exact", &d->exact);
    put_pattern(document, "rounded", d->rounded, f);
    put_pattern(document, "model", d->modelled, f);
    put_pattern(document, "left_to_right", d->sequential, f);
    put_pattern(document, "left_to_right_fused", d->fused, f);
}

void
range_print_json(FILE *out, const ckda_range_t r)
{
    static const char *const kinds[] = {"chunk", "gates", "dot"};
    json_t *document = json_object();
    json_put_text(document, "schema", "ckda.range/1");
    json_put_text(document, "kind", kinds[r->kind]);
    json_put_text(document, "verdict", ckda_range_verdict_name(r->verdict));
    json_put_text(document, "comment", r->comment);
    if (r->kind == CKDA_RANGE_CHUNK)
        put_chunk(document, &r->chunk);
    else if (r->kind == CKDA_RANGE_GATES)
        put_gates(document, &r->gates);
    else
        put_dot(document, &r->dot);
    json_print(out, document);
}
