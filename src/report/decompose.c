/* Results of decompose. */
#include "ckda/report.h"

#include <stdlib.h>
#include "computed.h"
#include "json.h"

enum { MAX_LISTED = 16 }; /* representations that are written out */

static void
elem(FILE *out, const ckda_elem_t x, const ckda_field_t K)
{
    char *text = ckda_elem_str(x, K);
    fputs(text, out);
    free(text);
}

/* What is written out about the freedoms of a verified decomposition. */
typedef struct {
    slong listed; /* representations 0 .. listed-1 */
    int *signs;   /* listed x n */
    ckda_elem_struct *key;
    slong support, p, q;
    ckda_elem_struct *block; /* A_pp, A_pq, A_qp, A_qq where support is 2 */
} freedoms;

static void
freedoms_init(freedoms *f, const ckda_decomposition_t dec, const ckda_field_t K)
{
    const slong n = dec->n;
    f->listed = dec->representations < MAX_LISTED ? dec->representations : MAX_LISTED;
    f->signs = flint_calloc((size_t)(f->listed * n) + 1, sizeof *f->signs);
    f->key = ckda_elem_vec_new(f->listed * n, K);
    f->block = ckda_elem_vec_new(4, K);
    f->support = ckda_decomposition_support(&f->p, &f->q, f->block, dec, K);
    for (slong i = 0; i < f->listed; i++) {
        const ckda_status st =
            ckda_decomposition_get(f->signs + i * n, f->key + i * n, dec, i, K);
        ckda_require(st == CKDA_OK, "representation %ld of %ld", (long)i,
                     (long)dec->representations);
    }
}

static void
freedoms_clear(freedoms *f, slong n, const ckda_field_t K)
{
    ckda_elem_vec_free(f->block, 4, K);
    ckda_elem_vec_free(f->key, f->listed * n, K);
    flint_free(f->signs);
}

/* ---- JSON ----------------------------------------------------------------------------- */

static void
put_representation(json_t *object, const int *signs, const ckda_elem_struct *w, slong n,
                   const ckda_field_t K)
{
    json_t *key = json_array(), *list = json_array();
    for (slong i = 0; i < n; i++) {
        json_append(key, json_elem(w + i, K));
        json_append(list, json_integer(signs[i]));
    }
    json_put(object, "key", key);
    json_put(object, "signs", list);
}

/* D is not determined: d_p = A_pp - A_qp/t, d_q = A_qq - t A_pq. */
static json_t *
free_diagonal_json(const freedoms *f, const ckda_field_t K)
{
    if (f->support != 2)
        return json_null();
    json_t *object = json_object(), *block = json_array();
    for (int i = 0; i < 4; i++)
        json_append(block, json_elem(f->block + i, K));
    json_put(object, "coordinates",
             json_pack("[I, I]", (json_int_t)f->p, (json_int_t)f->q));
    json_put(object, "block", block);
    json_put_text(object, "d_p", "A_pp - A_qp/t");
    json_put_text(object, "d_q", "A_qq - t*A_pq");
    json_put_text(object, "t", "any number but 0");
    return object;
}

static void
put_freedoms(json_t *document, const ckda_decomposition_t dec, const ckda_field_t K)
{
    freedoms f;
    json_t *list = json_array();
    freedoms_init(&f, dec, K);
    for (slong i = 0; i < f.listed; i++) {
        json_t *object = json_object();
        put_representation(object, f.signs + i * dec->n, f.key + i * dec->n, dec->n, K);
        json_append(list, object);
    }
    json_put(document, "all", list);
    json_put(document, "support", json_integer(f.support));
    json_put(document, "free_diagonal", free_diagonal_json(&f, K));
    freedoms_clear(&f, dec->n, K);
}

static json_t *
decomposition_json(const ckda_decomposition_t dec, const ckda_field_t K)
{
    json_t *document = json_object();
    json_put_text(document, "schema", "ckda.decompose/1");
    json_put_bool(document, "orthogonal", dec->orthogonal);
    json_put_bool(document, "dpr1", dec->dpr1);
    if (dec->verified) {
        put_representation(document, dec->signs, dec->key, dec->n, K);
        json_put(document, "representations", json_integer(dec->representations));
        put_freedoms(document, dec, K);
    } else {
        json_put(document, "key", json_null());
        json_put(document, "signs", json_null());
        json_put(document, "representations", json_integer(0));
        json_put_text(document, "reason", dec->reason);
        json_put(document, "at",
                 json_pack("[I, I]", (json_int_t)dec->at.row, (json_int_t)dec->at.col));
        json_put(document, "got", json_elem(&dec->got, K));
        json_put(document, "want", json_elem(&dec->want, K));
    }
    json_put_bool(document, "verified", dec->verified);
    json_put(document, "field", json_field(K));
    return document;
}

/* ---- text ----------------------------------------------------------------------------- */

static void
failure_text(FILE *out, const ckda_decomposition_t dec, const ckda_field_t K)
{
    fprintf(out, "%sno%s: %s\n", ckda_report_tone(CKDA_FALSE), ckda_report_tone_end(),
            dec->reason);
    fprintf(out, "  at         [%ld, %ld]\n  got        ", (long)dec->at.row,
            (long)dec->at.col);
    elem(out, &dec->got, K);
    fputs("\n  want       ", out);
    elem(out, &dec->want, K);
    fputc('\n', out);
}

static void
print_key(FILE *out, const ckda_elem_struct *w, slong n, const ckda_field_t K)
{
    fputc('[', out);
    for (slong i = 0; i < n; i++) {
        fputs(i > 0 ? ", " : "", out);
        elem(out, w + i, K);
    }
    fputc(']', out);
}

static void
print_signs(FILE *out, const int *signs, slong n)
{
    fputs("diag(", out);
    for (slong i = 0; i < n; i++)
        fprintf(out, "%s%d", i > 0 ? ", " : "", signs[i]);
    fputc(')', out);
}

static void
print_freedoms(FILE *out, const ckda_decomposition_t dec, const ckda_field_t K)
{
    freedoms f;
    freedoms_init(&f, dec, K);
    fprintf(out, "  choices    %ld sign %s A\n", (long)dec->representations,
            dec->representations == 1 ? "matrix represents" : "matrices represent");
    for (slong i = 1; i < f.listed; i++) {
        fputs("             also S = ", out);
        print_signs(out, f.signs + i * dec->n, dec->n);
        fputs(", w = ", out);
        print_key(out, f.key + i * dec->n, dec->n, K);
        fputc('\n', out);
    }
    if (f.support == 2) {
        fprintf(out, "  free D     d_%ld = ", (long)f.p);
        elem(out, f.block, K);
        fputs(" - (", out);
        elem(out, f.block + 2, K);
        fprintf(out, ")/t, d_%ld = ", (long)f.q);
        elem(out, f.block + 3, K);
        fputs(" - t (", out);
        elem(out, f.block + 1, K);
        fputs("), any t but 0\n", out);
    }
    freedoms_clear(&f, dec->n, K);
}

static void
decomposition_text(FILE *out, const ckda_decomposition_t dec, const ckda_field_t K)
{
    if (!dec->verified) {
        failure_text(out, dec, K);
    } else {
        fprintf(out,
                "A = (I - 2 w w^T / w^T w) S, re-expanded and %sequal%s entry by entry\n"
                "  w          ",
                ckda_report_tone(CKDA_TRUE), ckda_report_tone_end());
        print_key(out, dec->key, dec->n, K);
        fputs("\n  S          ", out);
        print_signs(out, dec->signs, dec->n);
        fputc('\n', out);
        print_freedoms(out, dec, K);
    }
    report_field_line(out, K);
}

void
ckda_report_decompose(FILE *out, bool json, const ckda_decomposition_t dec,
                      const ckda_field_t K)
{
    if (json)
        json_print(out, decomposition_json(dec, K));
    else
        decomposition_text(out, dec, K);
}
