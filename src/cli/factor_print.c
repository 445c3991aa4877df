#include "factor_print.h"

#include <jansson.h>
#include <stdlib.h>

/* ---- JSON ----------------------------------------------------------------------- */

/* Sets a member; the reference to the value is taken over. */
static void
put(json_t *object, const char *key, json_t *value)
{
    const int failed = json_object_set_new(object, key, value);
    ckda_require(failed == 0, "no memory for \"%s\"", key);
}

static void
append(json_t *array, json_t *value)
{
    const int failed = json_array_append_new(array, value);
    ckda_require(failed == 0, "no memory");
}

static json_t *
elem_json(const ckda_elem_struct *x, const ckda_field_t K)
{
    char *text = ckda_elem_str(x, K);
    json_t *value = json_string(text);
    free(text);
    return value;
}

static json_t *
vector_json(const ckda_elem_struct *x, slong n, const ckda_field_t K)
{
    json_t *list = json_array();
    for (slong i = 0; i < n; i++)
        append(list, elem_json(x + i, K));
    return list;
}

static json_t *
factors_json(const factor_result *r)
{
    json_t *list = json_array();
    for (slong i = 0; i < r->factors->count; i++) {
        const ckda_trans_struct *t = r->factors->step + i;
        json_t *factor = json_object();
        put(factor, "beta", elem_json(t->beta, r->K));
        put(factor, "key", vector_json(t->key, t->n, r->K));
        put(factor, "gate", vector_json(t->gate, t->n, r->K));
        append(list, factor);
    }
    return list;
}

static json_t *
max_beta_json(const factor_result *r)
{
    return r->largest < 0 ? json_string("0")
                          : elem_json(r->factors->step[r->largest].beta, r->K);
}

static void
put_limit(json_t *document, const factor_result *r)
{
    json_t *exceeds = json_null();
    if (!r->within) {
        exceeds = json_object();
        put(exceeds, "factor", json_integer((json_int_t)r->largest));
        put(exceeds, "beta", max_beta_json(r));
    }
    put(document, "limit", json_string(r->limit));
    put(document, "exceeds", exceeds);
}

static void
print_json(FILE *out, const factor_result *r)
{
    const bool done = r->reason == NULL;
    json_t *document = json_object();
    put(document, "schema", json_string("ckda.factor/1"));
    put(document, "kind", json_string(r->kind));
    put(document, "factoriser", json_string(r->factoriser));
    put(document, "dimension", json_integer((json_int_t)r->dimension));
    put(document, "factors", done ? factors_json(r) : json_null());
    put(document, "count",
        done ? json_integer((json_int_t)r->factors->count) : json_null());
    put(document, "bound", json_integer((json_int_t)r->bound));
    put(document, "minimal",
        !done || r->minimal == CKDA_UNKNOWN ? json_null()
                                            : json_boolean(r->minimal == CKDA_TRUE));
    put(document, "max_beta", done ? max_beta_json(r) : json_null());
    put(document, "verified", json_boolean(done && r->verified));
    if (done && r->limit != NULL)
        put_limit(document, r);
    if (!done) {
        put(document, "reason", json_string(r->reason));
        put(document, "at",
            json_pack("[I, I]", (json_int_t)r->at[0], (json_int_t)r->at[1]));
    }
    json_dumpf(document, out, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    fputc('\n', out);
    json_decref(document);
}

/* ---- text ----------------------------------------------------------------------- */

static void
print_elem(FILE *out, const ckda_elem_struct *x, const ckda_field_t K)
{
    char *text = ckda_elem_str(x, K);
    fputs(text, out);
    free(text);
}

static void
print_vector(FILE *out, const char *name, const ckda_elem_struct *x, slong n,
             const ckda_field_t K)
{
    fprintf(out, "%s[", name);
    for (slong i = 0; i < n; i++) {
        fputs(i > 0 ? ", " : "", out);
        print_elem(out, x + i, K);
    }
    fputc(']', out);
}

static void
print_subject(FILE *out, const factor_result *r)
{
    if (r->kind[0] == 'r')
        fprintf(out, "rational %ld x %ld matrix", (long)r->points, (long)r->points);
    else
        fprintf(out, "%s of %ld point%s", r->kind, (long)r->points,
                r->points == 1 ? "" : "s");
}

static const char *
minimal_text(ckda_truth minimal)
{
    static const char *const texts[] = {
        [CKDA_FALSE] = "no, fewer factors are known to suffice",
        [CKDA_TRUE] = "yes, no product of fewer factors is equal to it",
        [CKDA_UNKNOWN] = "not decided"};
    return texts[minimal];
}

static const char *
product_text(const factor_result *r)
{
    if (!r->verified)
        return "NOT what it should be";
    return r->kind[0] == 'r'
               ? "multiplied out: M x in the main rows, whatever the scratch holds"
               : "multiplied out: equal entry by entry";
}

static void
print_text(FILE *out, const factor_result *r)
{
    if (r->reason != NULL) {
        fprintf(out, "no: %s\n", r->reason);
        return;
    }
    print_subject(out, r);
    fprintf(out,
            " as %ld factor%s in dimension %ld (bound %ld, %s), first applied first\n",
            (long)r->factors->count, r->factors->count == 1 ? "" : "s",
            (long)r->dimension, (long)r->bound, r->factoriser);
    for (slong i = 0; i < r->factors->count; i++) {
        const ckda_trans_struct *t = r->factors->step + i;
        fprintf(out, "  %-4ld beta ", (long)i);
        print_elem(out, t->beta, r->K);
        print_vector(out, "  key ", t->key, t->n, r->K);
        print_vector(out, "  gate ", t->gate, t->n, r->K);
        fputc('\n', out);
    }
    fprintf(out, "  product    %s\n", product_text(r));
    fprintf(out, "  minimal    %s\n  max beta   ", minimal_text(r->minimal));
    if (r->largest < 0)
        fputc('0', out);
    else
        print_elem(out, r->factors->step[r->largest].beta, r->K);
    fputc('\n', out);
    if (r->limit != NULL && r->within)
        fprintf(out, "  limit      every beta is at most %s\n", r->limit);
    if (r->limit != NULL && !r->within)
        fprintf(out, "  limit      no: beta of factor %ld is above %s\n",
                (long)r->largest, r->limit);
}

void
cli_print_factors(FILE *out, bool json, const factor_result *r)
{
    if (json)
        print_json(out, r);
    else
        print_text(out, r);
}
