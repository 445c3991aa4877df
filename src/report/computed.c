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

static json_t *
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
    json_put_count(document, "edges", c->edges);
    json_put(document, "levels", levels);
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

enum { MAX_LEVELS = 20 }; /* that a person wants to see */

static void
reach_text(FILE *out, const ckda_reach_result *r)
{
    const ckda_reach_struct *c = r->reach;
    fprintf(out, "%s%s%s: %s, %" PRIu64 " state%s\n", r->system,
            r->construction != NULL ? " by " : "",
            r->construction != NULL ? r->construction : "", verdict(c->finite), c->states,
            report_plural(c->states));
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
