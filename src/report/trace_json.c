/* Judged traces as one JSON document. */
#include "trace_report.h"

#include <math.h>
#include <string.h>

#include "json.h"

/* JSON has no infinity. */
static json_t *
real(double x)
{
    return isfinite(x) ? json_real(x) : json_string(x > 0 ? "infinity" : "nan");
}

static json_t *
reals(const double *x, uint64_t n)
{
    json_t *a = json_array();
    for (uint64_t i = 0; i < n; i++)
        json_append(a, real(x[i]));
    return a;
}

static json_t *
place(const ckda_trace_result *r, const ckda_trace_place *p)
{
    if (!p->found)
        return json_null();
    json_t *o = json_object();
    json_put_count(o, "token", p->t + 1);
    json_put_count(o, "batch", p->b);
    json_put_count(o, "head", p->h);
    if (r->rows) {
        json_put_count(o, "row", p->c / r->columns);
        json_put_count(o, "column", p->c % r->columns);
    } else {
        json_put_count(o, "channel", p->c);
    }
    return o;
}

static json_t *
pieces(const ckda_trace_pieces *p)
{
    json_t *o = json_object();
    json_put_count(o, "tokens", p->length);
    json_put(o, "error", reals(p->error, p->count));
    json_put(o, "first_jump",
             p->jumps ? json_integer((json_int_t)p->first) : json_null());
    return o;
}

static json_t *
outputs(const ckda_trace_result *r, const ckda_trace_kernel *k)
{
    static const char *const names[CKDA_TOKEN_CLASSES] = {
        [CKDA_TOKEN_ROUNDED] = "rounding_only", [CKDA_TOKEN_WITHIN] = "within",
        [CKDA_TOKEN_BEYOND] = "beyond",         [CKDA_TOKEN_UNDECIDED] = "undecided",
        [CKDA_TOKEN_NONFINITE] = "not_finite",
    };
    json_t *o = json_object(), *tokens = json_object(), *chunks = json_array();
    json_put_text(o, "dtype", k->o_dtype);
    json_put(o, "relative_error", real(k->o_error.hi));
    json_put(o, "rounding_alone", real(k->o_rounding.hi));
    for (int c = 0; c < CKDA_TOKEN_CLASSES; c++)
        json_put_count(tokens, names[c], k->tokens[c]);
    json_put(o, "tokens", tokens);
    json_put(o, "first_beyond", place(r, &k->first[CKDA_TOKEN_BEYOND]));
    json_put(o, "first_not_finite", place(r, &k->first[CKDA_TOKEN_NONFINITE]));
    json_t *first = place(r, &k->first_misrounded);
    if (k->first_misrounded.found) {
        json_put(first, "got", real(k->first_got));
        json_put(first, "exact", real(k->first_want));
    }
    json_put(o, "first_misrounded", first);
    json_t *worst = place(r, &k->worst);
    if (k->worst.found) {
        json_put(worst, "error", real(k->worst_error));
        json_put(worst, "exact", real(k->worst_want));
    }
    json_put(o, "largest_error", worst);
    json_put(o, "head_error", reals(k->head_error, r->batch * r->heads));
    json_put(o, "token_error", reals(k->token_error, r->length));
    for (int i = 0; i < 3; i++)
        json_append(chunks, pieces(&k->pieces[i]));
    json_put(o, "chunks", chunks);
    return o;
}

static json_t *
final_state(const ckda_trace_kernel *k)
{
    json_t *o = json_object();
    const bool good = k->final_class == CKDA_TOKEN_WITHIN;
    json_put_text(o, "dtype", k->final_dtype);
    json_put(o, "relative_error", real(k->final_error.hi));
    json_put(o, "bound", real(k->final_bound));
    json_put_text(o, "class",
                  good                                     ? "within"
                  : k->final_class == CKDA_TOKEN_BEYOND    ? "beyond"
                  : k->final_class == CKDA_TOKEN_NONFINITE ? "not_finite"
                                                           : "undecided");
    if (!good) {
        json_put_count(o, "batch", k->final_b);
        json_put_count(o, "head", k->final_h);
        json_put_count(o, "column", k->final_column);
    }
    json_put_bool(o, "read_transposed", k->final_transposed);
    return o;
}

static json_t *
diagnosis(const ckda_trace_kernel *k)
{
    static const char *const match[] = {[CKDA_MATCH_NONE] = "no",
                                        [CKDA_MATCH_NEARER] = "nearer",
                                        [CKDA_MATCH_YES] = "yes"};
    const ckda_trace_diagnosis *d = &k->diagnosis;
    if (!d->done)
        return json_null();
    json_t *o = json_object(), *rules = json_array();
    const bool found = d->nrules > 0 && d->rule[0].match == CKDA_MATCH_YES;
    json_put_text(o, "rule", found ? d->rule[0].id : NULL);
    json_put_text(o, "looked_at", d->on_state ? "final_state" : "o");
    json_put_count(o, "batch", d->b);
    json_put_count(o, "head", d->h);
    json_put_count(o, "tokens", d->tokens);
    json_put_count(o, "first_column", d->c0);
    json_put_count(o, "columns", d->columns);
    json_put(o, "distance_stated", real(d->distance));
    for (size_t i = 0; i < d->nrules; i++) {
        json_t *x = json_object();
        json_put_text(x, "id", d->rule[i].id);
        json_put_text(x, "text", d->rule[i].text);
        json_put_text(x, "match", match[d->rule[i].match]);
        json_put(x, "distance", real(d->rule[i].distance));
        json_put_bool(x, "enclosed", !d->rule[i].emulated);
        json_append(rules, x);
    }
    json_put(o, "rules", rules);
    return o;
}

static json_t *
kernel(const ckda_trace_result *r, const ckda_trace_kernel *k)
{
    json_t *o = json_object();
    json_put_text(o, "name", k->name);
    json_put_text(o, "model", ckda_trace_model_name(k->model));
    json_put_text(o, "verdict", trace_verdict(k->within));
    json_put(o, "o", k->has_o ? outputs(r, k) : json_null());
    json_put(o, "final_state", k->has_final ? final_state(k) : json_null());
    json_put(o, "diagnosis", diagnosis(k));
    return o;
}

static json_t *
choice(const ckda_trace_result *r, const ckda_trace_pair *p, int which)
{
    return which == 0 ? json_null()
                      : json_string(r->kernel[which < 0 ? p->a : p->b].name);
}

static json_t *
pair(const ckda_trace_result *r, const ckda_trace_pair *p)
{
    json_t *o = json_object();
    json_put_text(o, "a", r->kernel[p->a].name);
    json_put_text(o, "b", r->kernel[p->b].name);
    json_put(o, "nearer_outputs", choice(r, p, p->nearer_o));
    json_put(o, "nearer_final_state", choice(r, p, p->nearer_final));
    json_put(o, "first_difference", place(r, &p->first_differ));
    json_put(o, "first_beyond", choice(r, p, p->first_beyond));
    return o;
}

static json_t *
first_wrong(uint64_t t)
{
    return t == UINT64_MAX ? json_null() : json_integer((json_int_t)t + 1);
}

static json_t *
word_runs(const ckda_trace_words *w, const ckda_trace_word_run *run, const char *name,
          bool arithmetic)
{
    json_t *o = json_object(), *list = json_array();
    for (uint64_t b = 0; b < w->words; b++) {
        json_t *x = json_object();
        json_put_count(x, "word", b);
        json_put(x, "first_wrong", first_wrong(run[b].first_wrong[CKDA_DECODE_READOUT]));
        if (w->states > 0)
            json_put(x, "first_wrong_nearest",
                     first_wrong(run[b].first_wrong[CKDA_DECODE_NEAREST]));
        json_put(x, "drift", reals(run[b].drift, w->npoints));
        if (arithmetic)
            json_put(x, "drift_of_arithmetic", reals(run[b].arithmetic, w->npoints));
        json_append(list, x);
    }
    if (name != NULL)
        json_put_text(o, "kernel", name);
    json_put(o, "words", list);
    return o;
}

static json_t *
words(const ckda_trace_result *r)
{
    const ckda_trace_words *w = &r->words;
    json_t *o = json_object(), *points = json_array(), *runs = json_array();
    json_put_count(o, "order", w->order);
    json_put_count(o, "states", w->states);
    for (size_t i = 0; i < w->npoints; i++)
        json_append(points, json_integer((json_int_t)w->point[i]));
    json_put(o, "at", points);
    for (size_t i = 0; i < r->nkernels; i++)
        if (r->kernel[i].has_o)
            json_append(runs,
                        word_runs(w, &w->run[i * w->words], r->kernel[i].name, true));
    json_put(o, "kernels", runs);
    json_put(o, "given_keys_alone", word_runs(w, w->keys, NULL, false));
    return o;
}

static json_t *
trace(const ckda_judged_trace *j)
{
    const ckda_trace_result *r = j->result;
    json_t *o = json_object(), *files = json_array(), *kernels = json_array(),
           *pairs = json_array(), *reference = json_object(), *ignored = json_array();
    for (size_t i = 0; i < j->nfiles; i++)
        json_append_text(files, j->files[i]);
    json_put(o, "files", files);
    json_put_text(o, "verdict", trace_verdict(r->within));
    json_put(o, "shape",
             json_pack("{sI sI sI sI sI sI}", "B", (json_int_t)r->batch, "T",
                       (json_int_t)r->length, "H", (json_int_t)r->key_heads, "HV",
                       (json_int_t)r->heads, "K", (json_int_t)r->keys, "V",
                       (json_int_t)r->values));
    json_put_text(o, "gate", r->gate);
    json_put_text(o, "scale", r->scale);
    json_put_bool(o, "outputs_are_states", r->rows);
    json_put_count(reference, "bits", (uint64_t)r->prec);
    json_put(reference, "radius_outputs", real(r->radius_o.hi));
    json_put(reference, "radius_final_state", real(r->radius_final.hi));
    json_put(o, "reference", reference);
    json_put_count(o, "depth", (uint64_t)r->depth);
    for (size_t i = 0; i < r->nignored; i++)
        json_append_text(ignored, r->ignored[i]);
    json_put(o, "ignored", ignored);
    for (size_t i = 0; i < r->nkernels; i++)
        json_append(kernels, kernel(r, &r->kernel[i]));
    json_put(o, "kernels", kernels);
    for (size_t i = 0; i < r->npairs; i++)
        json_append(pairs, pair(r, &r->pair[i]));
    json_put(o, "pairs", pairs);
    json_put(o, "words", r->words.present ? words(r) : json_null());
    json_put_text(o, "words_not_judged", r->words.skipped);
    json_put(o, "seconds", json_real(j->seconds));
    return o;
}

void
trace_report_json(FILE *out, const ckda_judged_trace *list, size_t n)
{
    json_t *root = json_object(), *traces = json_array();
    for (size_t i = 0; i < n; i++)
        json_append(traces, trace(&list[i]));
    json_put_text(root, "schema", "ckda.audit/1");
    json_put(root, "traces", traces);
    json_print(out, root);
}
