/* JSON documents. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "ckda/claim.h"
#include "ckda/input_heads.h"
#include "ckda/range.h"

static bool
is_refused(ckda_status st, const ckda_error *err)
{
    return !fuzz_read(st, err, FUZZ_NAME ": ");
}

/* ---- what was read, written and read again ---------------------------------------------- */

/* Can "field" name it? */
static bool
has_name(const ckda_field_t K)
{
    return K->degree == 1 || K->is_cos > 0
           || (K->degree == 2 && fmpz_poly_get_coeff_si(K->minpoly, 1) == 0
               && fmpz_cmp_si(fmpz_poly_get_coeff_ptr(K->minpoly, 0), -1) < 0
               && fmpz_cmp_si(fmpz_poly_get_coeff_ptr(K->minpoly, 0), -1000000) > 0);
}

static json_t *
field_name(const ckda_field_t K)
{
    if (K->degree == 1)
        return json_string("Q");
    if (K->is_cos > 0)
        return json_pack("{s:i}", "cos", K->is_cos);
    return json_pack("{s:i}", "sqrt", -(int)fmpz_poly_get_coeff_si(K->minpoly, 0));
}

static bool
same_transition(const ckda_trans_struct *a, const ckda_trans_struct *b,
                const ckda_field_t K)
{
    bool same = a->n == b->n && a->steps == b->steps && a->family == b->family;
    for (slong j = 0; same && j < a->steps; j++)
        same = ckda_elem_equal(a->beta + j, b->beta + j, K);
    for (slong i = 0; same && i < a->n; i++)
        same = ckda_elem_equal(a->gate + i, b->gate + i, K)
               && ckda_elem_equal(a->key + i, b->key + i, K);
    return same;
}

/* Reads a document that this program wrote. */
static void
read_tree(ckda_input_t in, json_t *tree)
{
    ckda_error err = {""};
    char *text = json_dumps(tree, JSON_COMPACT);
    ckda_doc *doc = ckda_doc_wrap(tree, "written");
    const ckda_node root = ckda_doc_root(doc);
    fuzz_check(ckda_input_read(in, &root, &err) == CKDA_OK, "%s: %s", text, err.text);
    ckda_doc_close(&doc);
    json_decref(tree);
    free(text);
}

static void
transition_again(const ckda_input_t in)
{
    ckda_error err = {""};
    ckda_input_t b;
    if (in->trans->family != CKDA_CKDA || in->trans->steps != 1 || !has_name(in->K))
        return;
    json_t *tree = ckda_input_transition_json(in->trans, in->K);
    json_object_set_new(tree, "field", field_name(in->K));
    if (ckda_trans_check(in->trans, in->K, &err) != CKDA_OK)
        json_object_set_new(tree, "unchecked", json_true());
    read_tree(b, tree);
    fuzz_check(ckda_field_equal(in->K, b->K), "another field");
    fuzz_check(same_transition(in->trans, b->trans, in->K), "another transition");
    ckda_input_clear(b);
}

static void
tracker_again(const ckda_input_t in)
{
    const ckda_trans_struct *head[CKDA_INPUT_MAX_HEADS];
    ckda_input_t b;
    for (uint32_t h = 0; h < in->nheads; h++)
        head[h] = in->trans + (size_t)h * in->G->order;
    read_tree(b, ckda_input_tracker_json(in->G, in->all_letters, head, in->nheads,
                                         in->decoder, in->K, "again"));
    fuzz_check(b->nheads == in->nheads && b->G->order == in->G->order
                   && (in->nheads > 1 || b->decoder == in->decoder),
               "another tracker");
    for (slong i = 0; i < in->ntrans; i++) {
        const uint32_t g = (uint32_t)i % in->G->order, h = (uint32_t)i / in->G->order;
        const int64_t at = ckda_group_find(b->G, &in->G->element[g]);
        if (b->G->degree == in->G->degree && at >= 0)
            fuzz_check(same_transition(in->trans + i,
                                       b->trans + h * b->G->order + (uint32_t)at, in->K),
                       "another transition");
    }
    ckda_input_clear(b);
}

static void
group_again(const ckda_input_t in)
{
    ckda_error err = {""};
    ckda_gap_t L;
    ckda_group_t G;
    char *text = ckda_input_write_group(in->G);
    if (in->G->ngen > 0) {
        fuzz_check(ckda_gap_parse(L, text, strlen(text), "written", CKDA_PERM_MAX, &err)
                       == CKDA_OK,
                   "%s", err.text);
        fuzz_check(ckda_input_gap_group(G, L, &err) == CKDA_OK, "%s", err.text);
        fuzz_check(G->order == in->G->order, "order %u, not %u", G->order, in->G->order);
        ckda_group_clear(G);
        ckda_gap_clear(L);
    }
    free(text);
    if (in->nheads > 0 && has_name(in->K) && in->G->order < 1000)
        tracker_again(in);
}

/* Is it CKDA_OK, or CKDA_E_DOMAIN for what AT&T text cannot say? */
static bool
is_written(ckda_status st, const ckda_error *err)
{
    fuzz_check(st == CKDA_OK || (st == CKDA_E_DOMAIN && err->text[0] != '\0'),
               "status %d: %s", (int)st, err->text);
    return st == CKDA_OK;
}

static void
automaton_again(const ckda_input_t in)
{
    ckda_error err = {""};
    ckda_att_t T;
    ckda_dfa_t A;
    ckda_wfa_t B;
    char *text;
    const bool weighted = in->kind == CKDA_INPUT_WFA;
    if (!is_written(weighted ? ckda_input_write_wfa(&text, in->wfa, in->K, &err)
                             : ckda_input_write_dfa(&text, in->dfa, &err),
                    &err))
        return;
    fuzz_check(ckda_att_parse(T, text, strlen(text), "written", &err) == CKDA_OK,
               "%s\n%s", err.text, text);
    if (weighted) {
        fuzz_check(ckda_input_att_wfa(B, T, in->K, &err) == CKDA_OK, "%s\n%s", err.text,
                   text);
        fuzz_check(ckda_wfa_equal(in->wfa, B, in->K), "another automaton:\n%s", text);
        ckda_wfa_clear(B, in->K);
    } else {
        fuzz_check(ckda_input_att_dfa(A, T, CKDA_INPUT_STRICT, &err) == CKDA_OK, "%s\n%s",
                   err.text, text);
        fuzz_check(ckda_dfa_equal(in->dfa, A), "another automaton:\n%s", text);
        ckda_dfa_clear(A);
    }
    ckda_att_clear(T);
    free(text);
}

/* The matrix of the document, written entry by entry. */
static void
matrix_again(const ckda_input_t in)
{
    ckda_error err = {""};
    ckda_mat_t A, B;
    ckda_input_t b;
    if (in->n > 16 || !is_written(ckda_input_matrix(A, in, &err), &err))
        return;
    if (has_name(in->K)) {
        json_t *rows = json_array();
        for (slong i = 0; i < A->rows; i++)
            json_array_append_new(
                rows, ckda_input_numbers_json(ckda_mat_entry(A, i, 0), A->cols, in->K));
        read_tree(b, json_pack("{s:o,s:o}", "matrix", rows, "field", field_name(in->K)));
        fuzz_check(ckda_input_matrix(B, b, &err) == CKDA_OK, "%s", err.text);
        fuzz_check(ckda_mat_equal(NULL, A, B, in->K), "another matrix");
        ckda_mat_clear(B, b->K);
        ckda_input_clear(b);
    }
    ckda_mat_clear(A, in->K);
}

static void
document_again(const ckda_input_t in)
{
    switch (in->kind) {
    case CKDA_INPUT_TRANSITION:
        transition_again(in);
        matrix_again(in);
        break;
    case CKDA_INPUT_GROUP:
        group_again(in);
        break;
    case CKDA_INPUT_DFA:
    case CKDA_INPUT_WFA:
        automaton_again(in);
        break;
    case CKDA_INPUT_PRODUCT:
        if (in->ntrans > 100)
            break;
        matrix_again(in);
        break;
    default:
        matrix_again(in);
    }
}

bool
fuzz_document(const uint8_t *data, size_t size)
{
    ckda_error err = {""};
    ckda_input_t in;
    ckda_doc *doc = fuzz_parse(data, size);
    if (doc == NULL)
        return false;
    const ckda_node root = ckda_doc_root(doc);
    const bool ok = !is_refused(ckda_input_read(in, &root, &err), &err);
    if (ok) {
        document_again(in);
        ckda_input_clear(in);
    }
    ckda_doc_close(&doc);
    return ok;
}

/* ---- systems and several heads ---------------------------------------------------------- */

static bool
read_system(const ckda_node *root)
{
    ckda_error err = {""};
    ckda_input_system_t s;
    const ckda_status st = ckda_input_system_read(s, root, NULL, &err);
    if (st != CKDA_OK)
        return !is_refused(st, &err);
    for (uint32_t i = 0; i < s->sys->nletters; i++)
        fuzz_check(s->letter[i] != NULL && s->letter[i][0] != '\0', "letter %u", i);
    ckda_input_system_clear(s);
    return true;
}

bool
fuzz_heads(const uint8_t *data, size_t size)
{
    ckda_error err = {""};
    ckda_input_heads_t h;
    ckda_doc *doc = fuzz_parse(data, size);
    if (doc == NULL)
        return false;
    const ckda_node root = ckda_doc_root(doc);
    bool ok = !is_refused(ckda_input_heads_read(h, &root, &err), &err);
    if (ok) {
        for (uint32_t i = 1; i < h->nheads; i++)
            fuzz_check(h->head[i].nletters == h->nletters, "another alphabet");
        ckda_input_heads_clear(h);
    }
    ok = read_system(&root) || ok;
    ckda_doc_close(&doc);
    return ok;
}

/* ---- ranges ------------------------------------------------------------------------------- */

/* The witness of a break is a document that breaks at the same place. */
static void
witness_again(const ckda_range_struct *r)
{
    for (size_t i = 0; i < r->chunk.nitems; i++) {
        const ckda_range_item *item = &r->chunk.item[i];
        ckda_error err = {""};
        ckda_range_t again;
        if (!item->least.present || item->least.tokens > 32)
            continue;
        json_t *tree = ckda_range_witness_document(&item->least, &r->chunk);
        ckda_doc *doc = ckda_doc_wrap(tree, "written");
        const ckda_node root = ckda_doc_root(doc);
        json_decref(tree);
        fuzz_check(ckda_range_read(again, &root, &err) == CKDA_OK, "%s", err.text);
        fuzz_check(again->verdict != CKDA_TRUE, "the witness of %s breaks nothing",
                   item->name);
        ckda_range_clear(again);
        ckda_doc_close(&doc);
        return; /* one of them */
    }
}

bool
fuzz_range(const uint8_t *data, size_t size)
{
    ckda_error err = {""};
    ckda_range_t r;
    ckda_doc *doc = fuzz_parse(data, size);
    if (doc == NULL)
        return false;
    const ckda_node root = ckda_doc_root(doc);
    const json_t *length = json_object_get(json_object_get(root.json, "chunk"), "length");
    const bool ok = json_integer_value(length) <= 32 /* longer chunks take seconds */
                    && !is_refused(ckda_range_read(r, &root, &err), &err);
    if (ok) {
        if (r->kind == CKDA_RANGE_CHUNK && r->chunk.box)
            witness_again(r);
        ckda_range_clear(r);
    }
    ckda_doc_close(&doc);
    return ok;
}

/* ---- the ledger ---------------------------------------------------------------------------- */

static ckda_truth
no_check(ckda_evidence *ev, const ckda_node *input)
{
    (void)ev;
    (void)input;
    return CKDA_UNKNOWN;
}

bool
fuzz_ledger(const uint8_t *data, size_t size)
{
    static const ckda_check_entry checks[] = {{"identity", no_check},
                                              {"closure", no_check}};
    ckda_error err = {""};
    ckda_ledger *ledger = NULL;
    char *text = fuzz_text(data, size);
    const ckda_ledger_document document = {FUZZ_NAME, text};
    const bool ok = !is_refused(
        ckda_ledger_open_documents(&ledger, &document, 1, checks, 2, &err), &err);
    for (size_t i = 0; ok && i < ckda_ledger_size(ledger); i++) {
        const ckda_claim *c = ckda_ledger_claim(ledger, i);
        fuzz_check(ckda_ledger_find(ledger, c->id) == c, "%s", c->id);
        for (size_t m = 0; m < c->nmutants; m++) {
            json_t *mutant = ckda_mutant_input(c, c->mutants + m);
            fuzz_check(!json_equal(mutant, c->input), "%s", c->mutants[m].name);
            json_decref(mutant);
        }
    }
    ckda_ledger_close(&ledger);
    free(text);
    return ok;
}
