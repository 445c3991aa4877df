#include "run_print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "ckda/report.h"

/* ---- JSON ------------------------------------------------------------------------- */

static json_t *
count(uint64_t n)
{
    return json_integer((json_int_t)n);
}

json_t *
cli_run_matrix_json(const ckda_mat_struct *A, const ckda_field_t K)
{
    json_t *list = json_array();
    for (slong i = 0; i < A->rows; i++) {
        json_t *row = json_array();
        for (slong j = 0; j < A->cols; j++)
            ckda_json_append(row,
                             ckda_json_own(ckda_elem_str(ckda_mat_entry(A, i, j), K)));
        ckda_json_append(list, row);
    }
    return list;
}

json_t *
cli_run_states_json(const ckda_net *net, const ckda_net_run *run)
{
    json_t *list = json_array();
    for (uint32_t h = 0; h < ckda_net_heads(net); h++)
        ckda_json_append(list, cli_run_matrix_json(ckda_net_run_state(run, h),
                                                   ckda_net_get_head(net, h)->K));
    return list;
}

/* A group element as cycles, a state as a number, a weight as text; null for none. */
static json_t *
said(const ckda_net *net, const char *text)
{
    if (strcmp(text, "none") == 0)
        return json_null();
    return ckda_net_get_kind(net) == CKDA_NET_DFA ? json_integer(strtoll(text, NULL, 10))
                                                  : json_string(text);
}

static json_t *
prefix_json(const run_result *r, size_t i)
{
    const run_prefix *p = r->prefix + i;
    json_t *object = json_object();
    ckda_json_put(object, "t", count(i + 1));
    ckda_json_put(object, "letter", json_string(p->letter));
    ckda_json_put(object, "output", said(r->net, p->output));
    ckda_json_put(object, "expected", said(r->net, p->expected));
    ckda_json_put(object, "equal", json_boolean(p->equal));
    ckda_json_put(object, "bits", count(p->bits));
    if (ckda_net_get_kind(r->net) == CKDA_NET_DFA)
        ckda_json_put(object, "accepted", json_boolean(p->accepted));
    if (p->states != NULL) {
        const size_t last = json_array_size(p->states) - 1;
        ckda_json_put(object, "state", json_incref(json_array_get(p->states, last)));
        ckda_json_put(object, "states", json_incref(p->states));
    }
    return object;
}

static json_t *
layers_json(const run_result *r)
{
    json_t *list = json_array();
    for (uint32_t h = 0; h < ckda_net_heads(r->net); h++) {
        const ckda_net_head *d = ckda_net_get_head(r->net, h);
        json_t *object = json_object();
        ckda_json_put(object, "layer", count(d->layer + 1));
        ckda_json_put(object, "name", json_string(d->name));
        ckda_json_put(object, "lookup",
                      json_string(ckda_net_lookup_name(r->net, d->layer)));
        ckda_json_put(object, "dimension", count((uint64_t)d->n));
        ckda_json_put(object, "values", count((uint64_t)d->m));
        ckda_json_put(object, "queries", count((uint64_t)d->h));
        ckda_json_put(object, "degree", count((uint64_t)d->K->degree));
        ckda_json_put(object, "field", ckda_net_field_json(d->K));
        ckda_json_put(object, "max_beta", json_string(r->head_beta[h]));
        ckda_json_put(object, "max_bits", count(r->head_bits[h]));
        if (r->closure != NULL)
            ckda_json_put(object, "states", count(r->closure->head_states[h]));
        ckda_json_append(list, object);
    }
    return list;
}

static json_t *
closure_json(const run_result *r)
{
    static const char *const verdicts[] = {"refuted", "all lengths", "undecided"};
    const ckda_net_closure *c = r->closure;
    json_t *object = json_object();
    ckda_json_put(object, "verdict", json_string(verdicts[c->right]));
    ckda_json_put(object, "states", count(c->states));
    ckda_json_put(object, "edges", count(c->edges));
    ckda_json_put(object, "limit",
                  c->limit != NULL ? json_string(c->limit) : json_null());
    if (c->right == CKDA_FALSE) {
        json_t *word = json_array();
        for (size_t i = 0; i < c->length; i++)
            ckda_json_append(word, json_string(ckda_net_letter_name(r->net, c->word[i])));
        char *got = ckda_net_output_str(r->net, &c->got),
             *want = ckda_net_output_str(r->net, &c->want);
        ckda_json_put(object, "word", word);
        ckda_json_put(object, "same_state_different_targets", json_boolean(c->collision));
        ckda_json_put(object, "got", said(r->net, got));
        ckda_json_put(object, "want", said(r->net, want));
        free(got);
        free(want);
    }
    ckda_json_put(object, "seconds", json_real(r->seconds));
    return object;
}

static void
print_document(FILE *out, json_t *document)
{
    const int bad = json_dumpf(document, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(document);
    (void)bad; /* the stream's error flag is looked at when the program ends */
}

void
cli_run_print_json(FILE *out, const run_result *r)
{
    json_t *document = json_object(), *prefixes = json_array();
    for (size_t i = 0; i < r->length; i++)
        ckda_json_append(prefixes, prefix_json(r, i));
    ckda_json_put(document, "schema", json_string("ckda.run/1"));
    ckda_json_put(document, "system", ckda_json_text(r->system));
    ckda_json_put(document, "construction", json_string(ckda_net_construction(r->net)));
    ckda_json_put(document, "block", count((uint64_t)ckda_net_block(r->net)));
    ckda_json_put(document, "seed", count(r->seed));
    ckda_json_put(document, "prefixes", prefixes);
    ckda_json_put(document, "all_equal", json_boolean(r->all_equal));
    ckda_json_put(document, "max_bits", count(r->max_bits));
    ckda_json_put(document, "max_beta", json_string(r->max_beta));
    ckda_json_put(document, "layers", layers_json(r));
    if (r->closure != NULL)
        ckda_json_put(document, "closure", closure_json(r));
    print_document(out, document);
}

/* ---- systems of matrices: JSON ---------------------------------------------------- */

static json_t *
system_prefix_json(const run_system_result *r, size_t i)
{
    const run_prefix *p = r->prefix + i;
    json_t *object = json_object(), *state = json_array_get(p->states, 0);
    ckda_json_put(object, "t", count(i + 1));
    ckda_json_put(object, "letter", json_string(p->letter));
    ckda_json_put(object, "output", json_incref(state));
    ckda_json_put(object, "expected", json_incref(r->expected[i]));
    ckda_json_put(object, "equal", json_boolean(p->equal));
    ckda_json_put(object, "bits", count(p->bits));
    if (r->with_states) {
        ckda_json_put(object, "state", json_incref(state));
        ckda_json_put(object, "states", json_incref(p->states));
    }
    return object;
}

void
cli_run_system_print_json(FILE *out, const run_system_result *r)
{
    json_t *document = json_object(), *prefixes = json_array();
    const ckda_mat_struct *S = r->sys->initial;
    for (size_t i = 0; i < r->length; i++)
        ckda_json_append(prefixes, system_prefix_json(r, i));
    ckda_json_put(document, "schema", json_string("ckda.run/1"));
    ckda_json_put(document, "system", ckda_json_text(r->system));
    ckda_json_put(document, "construction", json_string(r->kind));
    ckda_json_put(document, "block", count(0));
    ckda_json_put(document, "seed", count(r->seed));
    ckda_json_put(document, "prefixes", prefixes);
    ckda_json_put(document, "all_equal", json_boolean(r->all_equal));
    ckda_json_put(document, "max_bits", count(r->max_bits));
    ckda_json_put(document, "max_beta", json_null());
    ckda_json_put(document, "layers", json_array());
    ckda_json_put(document, "dimension", count((uint64_t)S->rows));
    ckda_json_put(document, "values", count((uint64_t)S->cols));
    ckda_json_put(document, "field", ckda_net_field_json(r->sys->K));
    print_document(out, document);
}

/* ---- text ------------------------------------------------------------------------- */

enum { SHOWN = 60, HEAD = 30, TAIL = 10, WRONG = 20 };

static int
width(const run_prefix *p, size_t length, size_t (*of)(const run_prefix *p))
{
    size_t w = 8;
    for (size_t i = 0; i < length; i++)
        if (of(p + i) > w)
            w = of(p + i);
    return w > 40 ? 40 : (int)w;
}

static size_t
letter_width(const run_prefix *p)
{
    return strlen(p->letter);
}

static size_t
output_width(const run_prefix *p)
{
    return strlen(p->output);
}

static void
prefixes_text(FILE *out, const run_prefix *prefix, size_t length, bool all_equal)
{
    const int lw = width(prefix, length, letter_width),
              ow = width(prefix, length, output_width);
    size_t wrong = 0;
    fprintf(out, "%6s  %-*s  %-*s  expected\n", "t", lw, "letter", ow, "output");
    for (size_t i = 0; i < length; i++) {
        const run_prefix *p = prefix + i;
        const bool left_out = length > SHOWN && i >= HEAD && i + TAIL < length;
        wrong += !p->equal;
        if (left_out && i == HEAD)
            fprintf(out, "   ...\n");
        if (left_out && (p->equal || wrong > WRONG))
            continue;
        fprintf(out, "%6zu  %-*s  %-*s  %s%s%s\n", i + 1, lw, p->letter, ow, p->output,
                p->expected, p->equal ? "" : "   DIFFERENT",
                p->accepted ? "   accepted" : "");
    }
    if (all_equal)
        fprintf(out, "all %zu prefixes %sequal%s the direct product\n", length,
                ckda_report_tone(CKDA_TRUE), ckda_report_tone_end());
    else
        fprintf(out, "%zu of %zu prefixes %sdiffer%s from the direct product\n", wrong,
                length, ckda_report_tone(CKDA_FALSE), ckda_report_tone_end());
}

static void
field_text(FILE *out, const ckda_field_t K)
{
    if (K->degree == 1) {
        fprintf(out, "Q");
        return;
    }
    char *minpoly = fmpz_poly_get_str_pretty(K->minpoly, "a");
    fprintf(out, "Q(a), %s = 0", minpoly);
    flint_free(minpoly);
}

static void
layers_text(FILE *out, const run_result *r)
{
    for (uint32_t h = 0; h < ckda_net_heads(r->net); h++) {
        const ckda_net_head *d = ckda_net_get_head(r->net, h);
        fprintf(out, "  layer %u  %-11s  %ld x %ld over ", d->layer + 1, d->name,
                (long)d->n, (long)d->m);
        field_text(out, d->K);
        if (r->has_word)
            fprintf(out, "; largest beta %s, %lu bits", r->head_beta[h], r->head_bits[h]);
        if (r->closure != NULL)
            fprintf(out, "; %" PRIu64 " states", r->closure->head_states[h]);
        fprintf(out, "\n");
    }
}

static void
closure_text(FILE *out, const run_result *r)
{
    const ckda_net_closure *c = r->closure;
    if (c->right == CKDA_TRUE) {
        fprintf(out,
                "%sclosed%s: %" PRIu64 " joint states, %" PRIu64
                " edges, every output right: words of all lengths   %.2f s\n",
                ckda_report_tone(CKDA_TRUE), ckda_report_tone_end(), c->states, c->edges,
                r->seconds);
        return;
    }
    if (c->right == CKDA_UNKNOWN) {
        fprintf(out,
                "%sundecided%s: limit on %s reached after %" PRIu64
                " joint states and %" PRIu64 " edges, all right   %.2f s\n",
                ckda_report_tone(CKDA_UNKNOWN), ckda_report_tone_end(), c->limit,
                c->states, c->edges, r->seconds);
        return;
    }
    char *got = ckda_net_output_str(r->net, &c->got),
         *want = ckda_net_output_str(r->net, &c->want);
    fprintf(out, "%srefuted%s: the word", ckda_report_tone(CKDA_FALSE),
            ckda_report_tone_end());
    for (size_t i = 0; i < c->length; i++)
        fprintf(out, " %s", ckda_net_letter_name(r->net, c->word[i]));
    fprintf(out,
            c->collision
                ? " ends in the joint state of a word with target %s, its own is %s\n"
                : " decodes to %s, expected %s\n",
            got, want);
    free(got);
    free(want);
}

void
cli_run_print_text(FILE *out, const run_result *r)
{
    fprintf(out, "%s, %s", r->system, ckda_net_construction(r->net));
    if (ckda_net_block(r->net) > 0)
        fprintf(out, ", blocks of %ld", (long)ckda_net_block(r->net));
    fprintf(out, "   seed %" PRIu64 "\n", r->seed);
    layers_text(out, r);
    if (r->has_word)
        prefixes_text(out, r->prefix, r->length, r->all_equal);
    if (r->closure != NULL)
        closure_text(out, r);
}

void
cli_run_system_print_text(FILE *out, const run_system_result *r)
{
    const ckda_mat_struct *S = r->sys->initial;
    fprintf(out, "%s, %s   seed %" PRIu64 "\n", r->system, r->kind, r->seed);
    fprintf(out, "  state       %ld x %ld over ", (long)S->rows, (long)S->cols);
    field_text(out, r->sys->K);
    fprintf(out, "; %lu bits\n", r->max_bits);
    prefixes_text(out, r->prefix, r->length, r->all_equal);
}
