/* Results of reach, and pieces of text. */
#include "ckda/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include "computed.h"
#include "json.h"

void
report_field_line(FILE *out, const ckda_field_t K)
{
    if (K->degree == 1) {
        fputs("  field      Q\n", out);
        return;
    }
    char *minpoly = fmpz_poly_get_str_pretty(K->minpoly, "a");
    char *root = ckda_field_root_decimal(K);
    fprintf(out, "  field      Q(a), %s = 0, a = %s...\n", minpoly, root);
    flint_free(minpoly);
    free(root);
}

const char *
report_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* ---- reach ---- */

static const char *
verdict(ckda_truth finite)
{
    static const char *const names[] = {
        [CKDA_FALSE] = "infinite", [CKDA_TRUE] = "finite", [CKDA_UNKNOWN] = "undecided"};
    return names[finite];
}

static const char *
truth_word(ckda_truth t)
{
    static const char *const names[] = {
        [CKDA_FALSE] = "no", [CKDA_TRUE] = "yes", [CKDA_UNKNOWN] = "not decided"};
    return names[t];
}

static const char *
pump_kind(ckda_pump_kind kind)
{
    static const char *const names[] = {
        [CKDA_PUMP_PERIOD] = "period", [CKDA_PUMP_CONTRACTION] = "contraction",
        [CKDA_PUMP_TRACE] = "trace",   [CKDA_PUMP_EIGENVALUE] = "eigenvalue",
        [CKDA_PUMP_JORDAN] = "jordan", [CKDA_PUMP_TRANSLATION] = "translation"};
    return names[kind];
}

static json_t *
word_json(const ckda_reach_result *r, const uint32_t *word, uint32_t length)
{
    json_t *names = json_array();
    for (uint32_t i = 0; i < length; i++)
        json_append(names, json_string(r->letter[word[i]]));
    return names;
}

static json_t *
witness_json(const ckda_reach_result *r)
{
    const ckda_pump *p = &r->reach->pump;
    if (r->reach->finite != CKDA_FALSE)
        return json_null();
    json_t *witness = json_object();
    json_put_text(witness, "kind", pump_kind(p->kind));
    json_put(witness, "prefix", word_json(r, p->prefix, p->nprefix));
    json_put(witness, "word", word_json(r, p->word, p->length));
    json_put_text(witness, "reason", p->reason);
    return witness;
}

/* The number of states is the order of something only if the states tell its elements. */
static bool
is_order(const ckda_reach_result *r)
{
    return r->reach->finite == CKDA_TRUE && r->tells_elements;
}

static const char *
what_states_count(const ckda_reach_result *r)
{
    if (r->reach->finite != CKDA_TRUE)
        return "distinct states found, not all there are";
    if (!r->tells_elements)
        return "distinct reachable states; different products of letters may lead to one "
               "state, so this is not the order of a group (for that, start from the "
               "identity matrix, without offsets)";
    return r->invertible
               ? "distinct reachable states, one for each element of the group "
                 "that the letters generate"
               : "distinct reachable states, one for each element of the monoid "
                 "that the letters generate";
}

json_t *
reach_json(const ckda_reach_result *r)
{
    const ckda_reach_struct *c = r->reach;
    json_t *document = json_object(), *levels = json_array();
    for (uint32_t i = 0; i < c->nlevels; i++)
        json_append(levels, json_integer((json_int_t)c->level[i]));
    json_put_text(document, "schema", "ckda.reach/1");
    json_put_text(document, "system", r->system);
    json_put_text(document, "construction", r->construction);
    json_put(document, "dimension", json_integer(r->dimension));
    json_put(document, "field", json_field(r->K));
    json_put_count(document, "letters", r->letters);
    json_put_text(document, "verdict", verdict(c->finite));
    json_put_count(document, "states", c->states);
    json_put_text(document, "states_count", what_states_count(r));
    json_put(document, "order",
             is_order(r) ? json_integer((json_int_t)c->states) : json_null());
    json_put_count(document, "edges", c->edges);
    json_put(document, "levels", levels);
    json_put(document, "witness", witness_json(r));
    /* Without a group, or before the search has closed, there is nothing to decode. */
    bool decoded = r->has_group && c->finite == CKDA_TRUE;
    json_put(document, "decoded", decoded ? json_integer(c->decoded) : json_null());
    json_put(document, "states_per_element",
             decoded ? json_pack("[I, I]", (json_int_t)c->min_per_element,
                                 (json_int_t)c->max_per_element)
                     : json_null());
    json_put(document, "decoder_consistent",
             !decoded || c->decoder_consistent == CKDA_UNKNOWN
                 ? json_null()
                 : json_boolean(c->decoder_consistent == CKDA_TRUE));
    json_put_text(document, "exactness", c->exactness);
    json_put_text(document, "limit", c->limit);
    json_put(document, "seconds", json_real(r->seconds));
    if (r->bad_letter != NULL)
        json_put(document, "counterexample",
                 json_pack("{s:I, s:s, s:s, s:s}", "state", (json_int_t)c->bad_state,
                           "letter", r->bad_letter, "expected", r->bad_want, "output",
                           r->bad_got));
    return document;
}

enum { MAX_LEVELS = 20, MAX_WORD = 24 }; /* that a person wants to see */

static void
word_text(FILE *out, const ckda_reach_result *r, const char *what, const uint32_t *word,
          uint32_t length)
{
    if (length == 0)
        return;
    fprintf(out, "  %-10s", what);
    for (uint32_t i = 0; i < length && i < MAX_WORD; i++)
        fprintf(out, " %s", r->letter[word[i]]);
    if (length > MAX_WORD)
        fprintf(out, " ... (%" PRIu32 " letters)", length);
    fputc('\n', out);
}

static void
witness_text(FILE *out, const ckda_reach_result *r)
{
    const ckda_pump *p = &r->reach->pump;
    word_text(out, r, "prefix", p->prefix, p->nprefix);
    word_text(out, r, "word", p->word, p->length);
    fprintf(out, "  reason     %s: %s\n", pump_kind(p->kind), p->reason);
}

static void
reach_text(FILE *out, const ckda_reach_result *r)
{
    const ckda_reach_struct *c = r->reach;
    fprintf(out, "%s%s%s: %s%s%s, %" PRIu64 " state%s%s\n", r->system,
            r->construction != NULL ? " by " : "",
            r->construction != NULL ? r->construction : "", ckda_report_tone(c->finite),
            verdict(c->finite), ckda_report_tone_end(), c->states,
            report_plural(c->states), c->finite == CKDA_TRUE ? "" : " found");
    if (c->limit != NULL)
        fprintf(out, "  stopped by the limit on %s\n", c->limit);
    fprintf(out, "  dimension  %ld\n", r->dimension);
    report_field_line(out, r->K);
    fprintf(out, "  letters    %" PRIu32 "\n  edges      %" PRIu64 "\n  levels    ",
            r->letters, c->edges);
    for (uint32_t i = 0; i < c->nlevels && i < MAX_LEVELS; i++)
        fprintf(out, " %" PRIu64, c->level[i]);
    if (c->nlevels > MAX_LEVELS)
        fprintf(out, " ... (%" PRIu32 " levels)", c->nlevels);
    fputc('\n', out);
    if (r->has_group && c->finite == CKDA_TRUE) {
        fprintf(out,
                "  decoder    consistent on every edge: %s; %" PRIu32
                " element%s decoded, %" PRIu64 " to %" PRIu64 " states each\n",
                truth_word(c->decoder_consistent), c->decoded, report_plural(c->decoded),
                c->min_per_element, c->max_per_element);
        if (r->bad_letter != NULL)
            fprintf(out,
                    "  failed     state %" PRIu64 ", letter %s: decodes to %s, not %s\n",
                    c->bad_state, r->bad_letter, r->bad_got, r->bad_want);
    }
    if (!r->has_group && is_order(r))
        fprintf(out, "  order      %" PRIu64 ": each state tells the element of the %s\n",
                c->states, r->invertible ? "group" : "monoid");
    if (c->finite == CKDA_FALSE)
        witness_text(out, r);
    if (c->exactness != NULL)
        fprintf(out, "  %s %s\n", c->finite == CKDA_TRUE ? "exact by  " : "because   ",
                c->exactness);
    fprintf(out, "  time       %.2f s\n", r->seconds);
}

void
ckda_report_reach(FILE *out, bool json, const ckda_reach_result *r)
{
    if (json)
        json_print(out, reach_json(r));
    else
        reach_text(out, r);
}

/* A name inside double quotes. */
static void
dot_name(FILE *out, const char *name)
{
    for (; *name != '\0'; name++) {
        if (*name == '"' || *name == '\\')
            fputc('\\', out);
        fputc(*name, out);
    }
}

void
ckda_report_dot(FILE *out, const ckda_reach_struct *r, uint32_t letters,
                const char *const *names)
{
    ckda_require(r->next != NULL, "the search did not keep its graph");
    fputs("digraph reach {\n    s0 [shape=doublecircle];\n", out);
    for (uint64_t s = 0; s < r->states; s++)
        for (uint32_t x = 0; x < letters; x++) {
            fprintf(out, "    s%" PRIu64 " -> s%" PRIu32 " [label=\"", s,
                    r->next[s * letters + x]);
            dot_name(out, names[x]);
            fputs("\"];\n", out);
        }
    fputs("}\n", out);
}
