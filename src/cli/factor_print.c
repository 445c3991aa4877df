#include "factor_print.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include "ckda/input.h"
#include "ckda/net.h"

/* ---- JSON ----------------------------------------------------------------------- */

static json_t *
factors_json(const factor_result *r)
{
    json_t *list = json_array();
    for (slong i = 0; i < r->factors->count; i++) {
        const ckda_trans_struct *t = r->factors->step + i;
        json_t *factor = json_object();
        ckda_json_put(factor, "beta", ckda_input_number_json(t->beta, r->K));
        ckda_json_put(factor, "key", ckda_input_numbers_json(t->key, t->n, r->K));
        ckda_json_put(factor, "gate", ckda_input_numbers_json(t->gate, t->n, r->K));
        ckda_json_append(list, factor);
    }
    return list;
}

static json_t *
max_beta_json(const factor_result *r)
{
    return r->largest < 0
               ? json_string("0")
               : ckda_input_number_json(r->factors->step[r->largest].beta, r->K);
}

static void
put_limit(json_t *document, const factor_result *r)
{
    json_t *exceeds = json_null();
    if (!r->within) {
        exceeds = json_object();
        ckda_json_put(exceeds, "factor", json_integer((json_int_t)r->largest));
        ckda_json_put(exceeds, "beta", max_beta_json(r));
    }
    ckda_json_put(document, "limit", json_string(r->limit));
    ckda_json_put(document, "exceeds", exceeds);
}

/* What only orthogonal matrices and contractions have. */
static void
put_norm_kind(json_t *document, const factor_result *r)
{
    char bound[32];
    snprintf(bound, sizeof bound, "2^%ld", (long)r->residual);
    ckda_json_put(document, "method", json_string(r->method));
    ckda_json_put(document, "evidence",
                  json_string(r->enclosed ? "instances" : "certificate"));
    ckda_json_put(document, "residual_below",
                  r->enclosed ? json_string(bound) : json_null());
    ckda_json_put(document, "field", ckda_net_field_json(r->K));
}

static void
put_reason(json_t *document, const factor_result *r)
{
    ckda_json_put(document, "reason", json_string(r->reason));
    ckda_json_put(document, "at",
                  r->at[0] < 0
                      ? json_null()
                      : json_pack("[I, I]", (json_int_t)r->at[0], (json_int_t)r->at[1]));
    if (r->witness == NULL)
        return;
    ckda_json_put(document, "witness",
                  ckda_input_numbers_json(r->witness, r->points, r->K));
    ckda_json_put(document, "witness_square", ckda_input_number_json(r->squares, r->K));
    ckda_json_put(document, "image_square", ckda_input_number_json(r->squares + 1, r->K));
    ckda_json_put(document, "field", ckda_net_field_json(r->K));
}

static void
print_json(FILE *out, const factor_result *r)
{
    const bool done = r->reason == NULL;
    json_t *document = json_object();
    ckda_json_put(document, "schema", json_string("ckda.factor/1"));
    ckda_json_put(document, "kind", json_string(r->kind));
    ckda_json_put(document, "factoriser", json_string(r->factoriser));
    ckda_json_put(document, "dimension", json_integer((json_int_t)r->dimension));
    ckda_json_put(document, "factors", done ? factors_json(r) : json_null());
    ckda_json_put(document, "count",
                  done ? json_integer((json_int_t)r->factors->count) : json_null());
    ckda_json_put(document, "bound", json_integer((json_int_t)r->bound));
    ckda_json_put(document, "minimal",
                  !done || r->minimal == CKDA_UNKNOWN
                      ? json_null()
                      : json_boolean(r->minimal == CKDA_TRUE));
    ckda_json_put(document, "max_beta", done ? max_beta_json(r) : json_null());
    ckda_json_put(document, "verified", json_boolean(done && r->verified));
    if (done && r->limit != NULL)
        put_limit(document, r);
    if (done && r->method != NULL)
        put_norm_kind(document, r);
    if (!done)
        put_reason(document, r);
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
    if (r->kind[0] == 'r' || r->kind[0] == 'o')
        fprintf(out, "%s %ld x %ld matrix", r->kind, (long)r->points, (long)r->points);
    else if (r->kind[0] == 'c')
        fprintf(out, "contraction, %ld x %ld,", (long)r->points, (long)r->points);
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

/* "Q", or "Q(a), a^2-5 = 0, a = 2.2360679774997896964...". */
static void
print_field(FILE *out, const ckda_field_t K)
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

static void
print_reason(FILE *out, const factor_result *r)
{
    fprintf(out, "no: %s\n", r->reason);
    if (r->witness == NULL)
        return;
    print_vector(out, "  x          ", r->witness, r->points, r->K);
    fputs("\n  |x|^2      ", out);
    print_elem(out, r->squares, r->K);
    fputs("\n  |Ax|^2     ", out);
    print_elem(out, r->squares + 1, r->K);
    fputc('\n', out);
    print_field(out, r->K);
}

static void
print_enclosed(FILE *out, const factor_result *r)
{
    fprintf(out,
            "  product    differs by less than 2^%ld (about %.1e) in Frobenius norm, by "
            "ball arithmetic:\n             evidence (instances), not an exact "
            "factorisation; that one exists is Proposition 10\n",
            (long)r->residual, ldexp(1, (int)r->residual));
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
        print_reason(out, r);
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
    if (r->enclosed)
        print_enclosed(out, r);
    else
        fprintf(out, "  product    %s\n", product_text(r));
    if (r->method != NULL) {
        fprintf(out, "  method     %s\n", r->method);
        print_field(out, r->K);
    }
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
