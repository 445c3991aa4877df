/* A chunked kernel on a grid: proved, refuted, typical; text and JSON. */
#include <inttypes.h>
#include <math.h>

#include "ckda/report_snap.h"
#include "json.h"

static const char *const verdict_names[] = {
    [CKDA_CHUNK_PROVED] = "proved",
    [CKDA_CHUNK_REFUTED] = "refuted",
    [CKDA_CHUNK_TYPICAL] = "typical",
    [CKDA_CHUNK_UNDECIDED] = "undecided",
};
static const char *const how_names[] = {
    [CKDA_CHUNK_BY_NOTHING] = NULL,  [CKDA_CHUNK_BY_EXACTNESS] = "exactness",
    [CKDA_CHUNK_BY_BOUND] = "bound", [CKDA_CHUNK_BY_EXHAUSTION] = "exhaustion",
    [CKDA_CHUNK_BY_WORD] = "word",
};
static const char *const how_texts[] = {
    [CKDA_CHUNK_BY_NOTHING] = "random words only",
    [CKDA_CHUNK_BY_EXACTNESS] = "every intermediate result is a dyadic number that fits",
    [CKDA_CHUNK_BY_BOUND] = "delta < sigma for every word",
    [CKDA_CHUNK_BY_EXHAUSTION] = "every word was tried",
    [CKDA_CHUNK_BY_WORD] = "by the word below",
};

/* ---- text -------------------------------------------------------------------------- */

static void
text_head(FILE *out, const ckda_chunk_report *r)
{
    const ckda_chunk_scheme *s = &r->chunk->scheme;
    const ckda_chunk_split *p = &s->split;
    const ckda_chunk_result *x = r->result;
    fprintf(
        out,
        "chunks of %" PRIu32 ", split %s (bits: key %d, T %d, beta k %d, W %d, v %d)%s"
        "%s: %s",
        s->length, p->name, p->key, p->t, p->beta_key, p->w, p->v,
        s->direct ? ", W solved directly" : "",
        s->beta_rule == CKDA_BETA_IDEAL ? ", ideal beta" : "", verdict_names[x->verdict]);
    if (x->verdict != CKDA_CHUNK_UNDECIDED)
        fprintf(out, " (%s)", how_texts[x->how]);
    fputc('\n', out);
}

static void
text_bound(FILE *out, const ckda_chunk_result *x)
{
    if (x->how == CKDA_CHUNK_BY_EXACTNESS) {
        fprintf(out, "  bound: delta = 0, sigma >= %.6f\n", x->sigma);
        return;
    }
    if (isfinite(x->bound.delta))
        fprintf(out, "  bound: delta <= %.5f (keys %.5f), sigma >= %.6f",
                x->bound.delta * (1 + 1e-5) + 1e-5, x->bound.terms.drift, x->sigma);
    else
        fprintf(out, "  bound: none at this length; sigma >= %.6f", x->sigma);
    fprintf(out, "; it proves chunks of up to %" PRIu32 "\n", x->proved_to);
}

static void
text_searches(FILE *out, const ckda_chunk_result *x)
{
    if (x->exhaustive_lengths > 0)
        fprintf(out,
                "  every word of up to %" PRIu32 " reflections: largest error %.4f\n",
                x->exhaustive_lengths, x->exhaustive_max[x->exhaustive_lengths - 1]);
    if (x->random.chunks > 0)
        fprintf(
            out,
            "  %" PRIu64 " random chunks: %" PRIu64
            " wrong, largest error: median %.4f, most %.4f (of the arithmetic: median "
            "%.4f)\n",
            x->random.chunks, x->random.wrong, x->random.median, x->random.max,
            x->random.median_deviation);
    if (x->beam_width > 0)
        fprintf(out, "  beam search of width %" PRIu32 ": largest error %.4f\n",
                x->beam_width, x->beam_max);
}

static void
text_line(FILE *out, const ckda_chunk_struct *k, uint32_t line)
{
    const double *v = k->key + (slong)line * k->n;
    for (slong i = 0; i < k->n; i++)
        fprintf(out, "%s%.4g", i > 0 ? ", " : "(", v[i] + 0.0);
    fputc(')', out);
}

static void
text_witness(FILE *out, const ckda_chunk_report *r)
{
    const ckda_chunk_witness *w = &r->result->witness;
    const ckda_chunk_struct *k = r->chunk;
    if (w->count == 0)
        return;
    fputs("  word, first letter first:", out);
    for (uint32_t i = 0; i < w->nletters; i++)
        fprintf(out, " %s", r->tracker->letter_name[w->letters[i]]);
    fputs("\n  keys without the gates:", out);
    for (uint32_t i = 0; i < w->count; i++) {
        fputc(' ', out);
        text_line(out, k, w->lines[i]);
    }
    const int32_t *q = k->snapped + (slong)k->start[w->start] * k->n;
    fputs("\n  from the column (", out);
    for (slong i = 0; i < k->n; i++)
        fprintf(out, "%s%" PRId32, i > 0 ? ", " : "", q[i]);
    fprintf(out,
            ") entry %" PRIu32
            " becomes %.9g, which is stored as %.0f; it should be %" PRId32 "\n",
            w->entry + 1, w->value, rint(w->value) + 0.0, w->target);
}

void
ckda_report_chunk_text(FILE *out, const ckda_chunk_report *r)
{
    text_head(out, r);
    text_bound(out, r->result);
    text_searches(out, r->result);
    text_witness(out, r);
}

/* ---- JSON -------------------------------------------------------------------------- */

static json_t *
number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *
bits_json(const ckda_chunk_split *p)
{
    json_t *o = json_object();
    json_put_count(o, "key", (uint64_t)p->key);
    json_put_count(o, "T", (uint64_t)p->t);
    json_put_count(o, "beta_key", (uint64_t)p->beta_key);
    json_put_count(o, "W", (uint64_t)p->w);
    json_put_count(o, "v", (uint64_t)p->v);
    return o;
}

static json_t *
terms_json(const ckda_chunk_terms *t)
{
    json_t *o = json_object();
    json_put(o, "keys", json_real(t->drift));
    json_put(o, "cast", json_real(t->cast));
    json_put(o, "solve", json_real(t->solve));
    json_put(o, "T", json_real(t->inverse));
    json_put(o, "sum", json_real(t->sum));
    json_put(o, "W", json_real(t->w));
    json_put(o, "dot", json_real(t->dot));
    json_put(o, "v", json_real(t->v));
    json_put(o, "update", json_real(t->update));
    return o;
}

static void
put_bound(json_t *o, const ckda_chunk_result *x)
{
    const bool exact = x->how == CKDA_CHUNK_BY_EXACTNESS;
    json_put(o, "delta", exact ? json_real(0) : number(x->bound.delta));
    json_put(o, "sigma", json_real(x->sigma));
    json_put(o, "parts",
             !exact && isfinite(x->bound.delta) ? terms_json(&x->bound.terms)
                                                : json_null());
    json_put(o, "proved_to", exact ? json_null() : json_integer(x->proved_to));
}

static void
put_searches(json_t *o, const ckda_chunk_result *x)
{
    json_t *max = json_array();
    for (uint32_t i = 0; i < x->exhaustive_lengths; i++)
        json_append(max, json_real(x->exhaustive_max[i]));
    json_put(o, "exhaustive_max", max);
    json_put_bool(o, "exhausted", x->exhausted);
    json_t *random = json_null();
    if (x->random.chunks > 0) {
        random = json_object();
        json_put_count(random, "chunks", x->random.chunks);
        json_put_count(random, "wrong", x->random.wrong);
        json_put(random, "median", json_real(x->random.median));
        json_put(random, "max", json_real(x->random.max));
        json_put(random, "median_deviation", json_real(x->random.median_deviation));
    }
    json_put(o, "random", random);
    json_t *beam = json_null();
    if (x->beam_width > 0) {
        beam = json_object();
        json_put_count(beam, "width", x->beam_width);
        json_put(beam, "max", json_real(x->beam_max));
    }
    json_put(o, "beam", beam);
}

static json_t *
line_json(const ckda_chunk_struct *k, uint32_t line)
{
    json_t *v = json_array();
    for (slong i = 0; i < k->n; i++)
        json_append(v, json_real(k->key[(slong)line * k->n + i] + 0.0));
    return v;
}

/* The members of a refutation; null without one. */
static void
put_witness(json_t *o, const ckda_chunk_report *r)
{
    const ckda_chunk_witness *w = &r->result->witness;
    const ckda_chunk_struct *k = r->chunk;
    if (w->count == 0) {
        static const char *const members[] = {"word",  "lines", "start",
                                              "entry", "value", "target"};
        for (size_t i = 0; i < sizeof members / sizeof *members; i++)
            json_put(o, members[i], json_null());
        return;
    }
    json_t *word = json_array(), *lines = json_array(), *start = json_array();
    for (uint32_t i = 0; i < w->nletters; i++)
        json_append_text(word, r->tracker->letter_name[w->letters[i]]);
    for (uint32_t i = 0; i < w->count; i++)
        json_append(lines, line_json(k, w->lines[i]));
    for (slong i = 0; i < k->n; i++)
        json_append(start,
                    json_integer(k->snapped[(slong)k->start[w->start] * k->n + i]));
    json_put(o, "word", word);
    json_put(o, "lines", lines);
    json_put(o, "start", start);
    json_put_count(o, "entry", w->entry + 1);
    json_put(o, "value", json_real(w->value));
    json_put(o, "target", json_integer(w->target));
}

json_t *
ckda_report_chunk_json(const ckda_chunk_report *r)
{
    const ckda_chunk_scheme *s = &r->chunk->scheme;
    const ckda_chunk_result *x = r->result;
    json_t *o = json_object();
    json_put_count(o, "C", s->length);
    json_put_text(o, "split", s->split.name);
    json_put(o, "bits", bits_json(&s->split));
    json_put_bool(o, "direct", s->direct);
    json_put_text(o, "beta", s->beta_rule == CKDA_BETA_IDEAL ? "ideal" : "from-key");
    json_put(o, "grid", json_integer((json_int_t)s->grid));
    json_put_text(o, "verdict", verdict_names[x->verdict]);
    json_put_text(o, "how", how_names[x->how]);
    put_bound(o, x);
    put_searches(o, x);
    put_witness(o, r);
    json_put(o, "seconds", json_real(x->seconds));
    return o;
}
