/* Results of reduce. */
#include "ckda/report_reduce.h"

#include <stdlib.h>
#include "computed.h"
#include "json.h"

enum { MAX_LETTERS = 12 }; /* letters written out for people */

static const char *
end_name(ckda_reduce_end end)
{
    static const char *const names[] = {"reduced", "expansive", "infinite", "no-decoder",
                                        "undecided"};
    return names[end];
}

static bool
has_group(const ckda_reduce_result *r)
{
    return r->heads->head->G != NULL;
}

static char *
element_text(const ckda_reduce_result *r, uint32_t g)
{
    return ckda_perm_str(&r->heads->head->G->element[g]);
}

/* ---- JSON ------------------------------------------------------------------------------ */

static json_t *
matrix_json(const ckda_mat_t A, const ckda_field_t K)
{
    json_t *rows = json_array();
    for (slong i = 0; i < A->rows; i++) {
        json_t *row = json_array();
        for (slong j = 0; j < A->cols; j++)
            json_append(row, json_elem(ckda_mat_entry(A, i, j), K));
        json_append(rows, row);
    }
    return rows;
}

static json_t *
word_json(const ckda_reduce_result *r, const uint32_t *word, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_append_text(list, r->letter[word[i]]);
    return list;
}

static json_t *
squares_json(const ckda_mat_t gram, const ckda_field_t K)
{
    json_t *list = json_array();
    for (slong i = 0; i < gram->rows; i++)
        json_append(list, json_elem(ckda_mat_entry(gram, i, i), K));
    return list;
}

static json_t *
head_json(const ckda_reduce_result *r, const ckda_reduced_head *t)
{
    json_t *object = json_object(), *letters = json_object();
    const ckda_field_struct *K = r->red->K;
    json_put(object, "dimension", json_integer(t->n));
    json_put(object, "columns", json_integer(t->m));
    json_put(object, "reduced", json_integer(t->r));
    json_put(object, "basis", matrix_json(t->basis, K));
    json_put(object, "squares", squares_json(t->gram, K));
    json_put(object, "initial", matrix_json(t->initial, K));
    json_put(object, "centre", matrix_json(t->centre, K));
    for (uint32_t x = 0; x < r->red->nletters; x++)
        json_put(letters, r->letter[x], matrix_json(t->letter + x, K));
    json_put(object, "letters", letters);
    return object;
}

static void
put_reduction(json_t *document, const ckda_reduce_result *r)
{
    const ckda_reduction_struct *red = r->red;
    json_t *heads = json_array();
    json_put(document, "span", json_integer(red->span));
    json_put(document, "core", json_integer(red->core));
    json_put(document, "word", word_json(r, red->word, red->nword));
    json_put_count(document, "power", red->power);
    for (uint32_t h = 0; h < red->nheads; h++)
        json_append(heads, head_json(r, red->head + h));
    json_put(document, "heads", heads);
    json_put_count(document, "tracker_states", red->tracker_states);
    if (red->group_order > 0)
        json_put_count(document, "group_order", red->group_order);
    else
        json_put(document, "group_order", json_null());
    json_put(document, "decoded",
             has_group(r) ? json_integer(red->decoded) : json_null());
    json_put(document, "verified",
             r->checked == CKDA_UNKNOWN ? json_null() : json_boolean(r->checked));
    json_put_count(document, "decisions", r->decisions);
    if (r->problem != NULL)
        json_put_text(document, "problem", r->problem);
}

static void
put_element(json_t *object, const char *key, const ckda_reduce_result *r, uint32_t g)
{
    char *text = element_text(r, g);
    json_put_text(object, key, text);
    free(text);
}

static void
put_witness(json_t *document, const ckda_reduce_result *r)
{
    const ckda_reduction_struct *red = r->red;
    json_t *object = json_object();
    if (red->end == CKDA_REDUCE_EXPANSIVE) {
        json_t *x = json_array();
        for (slong i = 0; i < red->nwitness; i++)
            json_append(x, json_elem(red->witness + i, red->K));
        json_put(object, "head", json_integer(red->bad_head + 1));
        json_put_text(object, "letter", r->letter[red->bad_letter]);
        json_put(object, "vector", x);
    } else if (red->end == CKDA_REDUCE_INFINITE) {
        json_put(object, "prefix", word_json(r, red->first, red->nfirst));
        json_put(object, "word", word_json(r, red->second, red->nsecond));
        json_put_text(object, "reason", red->reason);
    } else if (red->end == CKDA_REDUCE_NO_DECODER) {
        json_put(object, "first", word_json(r, red->first, red->nfirst));
        json_put(object, "second", word_json(r, red->second, red->nsecond));
        put_element(object, "first_product", r, red->first_product);
        put_element(object, "second_product", r, red->second_product);
    } else {
        json_put_text(object, "reason", red->reason);
    }
    json_put(document, "witness", object);
}

static void
print_json(FILE *out, const ckda_reduce_result *r)
{
    json_t *document = json_object();
    const ckda_reduction_struct *red = r->red;
    json_put_text(document, "schema", "ckda.reduce/1");
    json_put_text(document, "system", r->system);
    json_put(document, "field", json_field(red->K));
    json_put_text(document, "verdict", end_name(red->end));
    json_put_count(document, "states", red->states);
    if (red->end == CKDA_REDUCE_DONE)
        put_reduction(document, r);
    else
        put_witness(document, r);
    json_put(document, "seconds", json_real(r->seconds));
    json_print(out, document);
}

/* ---- text ------------------------------------------------------------------------------- */

static void
print_word(FILE *out, const ckda_reduce_result *r, const uint32_t *word, size_t n)
{
    if (n == 0)
        fputs("the empty word", out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", r->letter[word[i]]);
}

static void
print_matrix(FILE *out, const char *label, const ckda_mat_t A, const ckda_field_t K)
{
    char *text = ckda_mat_str(A, K);
    fprintf(out, "    %-8s %s\n", label, text);
    free(text);
}

static void
print_squares(FILE *out, const ckda_mat_t gram, const ckda_field_t K)
{
    fprintf(out, "    %-8s ", "squares");
    for (slong i = 0; i < gram->rows; i++) {
        char *text = ckda_elem_str(ckda_mat_entry(gram, i, i), K);
        fprintf(out, "%s%s", i > 0 ? ", " : "", text);
        free(text);
    }
    fputs(gram->rows == 0 ? "none\n" : " (of the basis vectors)\n", out);
}

static void
print_head(FILE *out, const ckda_reduce_result *r, uint32_t h)
{
    const ckda_reduction_struct *red = r->red;
    const ckda_reduced_head *t = red->head + h;
    const ckda_field_struct *K = red->K;
    fprintf(out, "  head %-5u dimension %ld of %ld, %ld column%s\n", h + 1, (long)t->r,
            (long)t->n, (long)t->m, report_plural((uint64_t)t->m));
    if (t->r == 0)
        return;
    print_matrix(out, "basis", t->basis, K);
    print_squares(out, t->gram, K);
    print_matrix(out, "start", t->initial, K);
    print_matrix(out, "centre", t->centre, K);
    for (uint32_t x = 0; x < red->nletters && x < MAX_LETTERS; x++)
        print_matrix(out, r->letter[x], t->letter + x, K);
    if (red->nletters > MAX_LETTERS)
        fprintf(out, "    and %u more letters (--json has all)\n",
                red->nletters - MAX_LETTERS);
}

static void
print_verified(FILE *out, const ckda_reduce_result *r)
{
    if (r->checked == CKDA_TRUE)
        fprintf(out, "  verified   %lu exact decisions, from the system anew\n",
                (unsigned long)r->decisions);
    else
        fprintf(out, "  %s %s\n", r->checked == CKDA_FALSE ? "refuted   " : "undecided ",
                r->problem != NULL ? r->problem : "");
}

static void
print_reduction(FILE *out, const ckda_reduce_result *r)
{
    const ckda_reduction_struct *red = r->red;
    fprintf(out, "  states     %lu, differences span dimension %ld\n",
            (unsigned long)red->states, (long)red->span);
    fputs("  idempotent ", out);
    print_word(out, r, red->word, red->nword);
    if (red->power != 1 && red->nword > 0)
        fprintf(out, ", %lu times", (unsigned long)red->power);
    fprintf(out, "; its image has dimension %ld\n", (long)red->core);
    for (uint32_t h = 0; h < red->nheads; h++)
        print_head(out, r, h);
    fprintf(out, "  tracker    %lu state%s", (unsigned long)red->tracker_states,
            report_plural(red->tracker_states));
    if (red->group_order > 0)
        fprintf(out, ", its letters generate a group of order %lu",
                (unsigned long)red->group_order);
    if (has_group(r))
        fprintf(out, ", decodes %u of %u elements", red->decoded,
                r->heads->head->G->order);
    fputs(has_group(r) ? "\n" : "; no decoder was given\n", out);
    print_verified(out, r);
}

static void
print_products(FILE *out, const ckda_reduce_result *r)
{
    const ckda_reduction_struct *red = r->red;
    char *first = element_text(r, red->first_product);
    char *second = element_text(r, red->second_product);
    fputs("  no decoder one state is reached by ", out);
    print_word(out, r, red->first, red->nfirst);
    fprintf(out, " = %s and by ", first);
    print_word(out, r, red->second, red->nsecond);
    fprintf(out, " = %s\n", second);
    free(second);
    free(first);
}

static void
print_witness(FILE *out, const ckda_reduce_result *r)
{
    const ckda_reduction_struct *red = r->red;
    if (red->end == CKDA_REDUCE_EXPANSIVE) {
        fprintf(out, "  expansive  letter %s of head %u has |A x| > |x| for x = (",
                r->letter[red->bad_letter], red->bad_head + 1);
        for (slong i = 0; i < red->nwitness; i++) {
            char *text = ckda_elem_str(red->witness + i, red->K);
            fprintf(out, "%s%s", i > 0 ? ", " : "", text);
            free(text);
        }
        fputs(")\n", out);
    } else if (red->end == CKDA_REDUCE_INFINITE) {
        fputs("  infinite   after ", out);
        print_word(out, r, red->first, red->nfirst);
        fputs(", never the same state twice under the powers of ", out);
        print_word(out, r, red->second, red->nsecond);
        fprintf(out, "\n  because    %s\n", red->reason);
    } else if (red->end == CKDA_REDUCE_NO_DECODER) {
        print_products(out, r);
    } else {
        fprintf(out, "  undecided  %s\n", red->reason);
    }
}

void
ckda_report_reduce(FILE *out, bool json, const ckda_reduce_result *r)
{
    if (json) {
        print_json(out, r);
        return;
    }
    fprintf(out, "reduce %s: %u head%s, %u letter%s\n", r->system, r->red->nheads,
            report_plural(r->red->nheads), r->red->nletters,
            report_plural(r->red->nletters));
    report_field_line(out, r->red->K);
    if (r->red->end == CKDA_REDUCE_DONE)
        print_reduction(out, r);
    else
        print_witness(out, r);
    fprintf(out, "  time       %.2f s\n", r->seconds);
}
