/* {"group": {..., "tracker": {...}}}: a group whose elements have transitions.
 *
 *     "tracker": {"field": F, "decoder": "state" or "rotation", "transitions": {...}}
 *     "tracker": {"field": F, "heads": [{"transitions": {...}}, ...]}
 *
 * "transitions" gives each element of the group, by any of its names, one transition.  They
 * need not track the group: that is what `ckda reach` finds out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "input_internal.h"

ckda_status
find_tracker_field(ckda_field_t K, const ckda_node *group, ckda_error *err)
{
    static const char *const numbers[] = {"beta", "betas", "key", "keys", "gate"};
    ckda_node at;
    ckda_status st = ckda_node_member(&at, group, "tracker", err);
    return st == CKDA_OK ? ckda_input_field_of(K, &at, numbers, COUNT(numbers), err) : st;
}

/* ---- reading ---------------------------------------------------------------------- */

static ckda_status
read_member(ckda_trans_struct *trans, const ckda_node *at, const ckda_group_t G,
            const ckda_field_t K, ckda_error *err)
{
    char place[512];
    uint32_t g = 0;
    ckda_trans_t t;
    ckda_status st = ckda_group_parse(&g, G, at->key, err);
    if (st != CKDA_OK) {
        ckda_node_place(place, sizeof place, at);
        ckda_error_prefix(err, place);
        return st;
    }
    if (trans[g].n > 0)
        return ckda_node_fail(at, err, "every element once", "another name of one");
    st = ckda_input_read_transition(t, at, K, err);
    if (st == CKDA_OK)
        trans[g] = *t;
    return st;
}

static ckda_status
missing(const ckda_node *at, const ckda_group_t G, uint32_t g, ckda_error *err)
{
    char *name = ckda_perm_str(&G->element[g]), found[160];
    snprintf(found, sizeof found, "none for %.120s", name);
    free(name);
    return ckda_node_fail(at, err, "a transition for every element of the group", found);
}

/* trans: G->order of them, zero before. */
static ckda_status
read_transitions(ckda_trans_struct *trans, const ckda_node *head, const ckda_group_t G,
                 const ckda_field_t K, ckda_error *err)
{
    ckda_node at, m;
    ckda_status st = ckda_node_member(&at, head, "transitions", err);
    if (st != CKDA_OK)
        return st;
    bool more = ckda_node_first(&m, &at);
    for (; more && st == CKDA_OK; more = ckda_node_next(&m))
        st = read_member(trans, &m, G, K, err);
    for (uint32_t g = 0; g < G->order && st == CKDA_OK; g++)
        if (trans[g].n == 0)
            st = missing(&at, G, g, err);
        else if (trans[g].n != trans[0].n)
            st = ckda_node_fail(&at, err, "transitions of one dimension",
                                "several dimensions");
    return st;
}

static ckda_status
read_decoder(ckda_decoder *decoder, const ckda_node *at, ckda_error *err)
{
    const char *text;
    ckda_node node;
    *decoder = CKDA_DECODE_STATE;
    if (!ckda_node_has(at, "decoder"))
        return CKDA_OK;
    ckda_status st = ckda_node_member(&node, at, "decoder", err);
    if (st == CKDA_OK)
        st = ckda_node_string(&text, &node, err);
    if (st != CKDA_OK)
        return st;
    if (strcmp(text, ckda_decoder_name(CKDA_DECODE_F)) == 0)
        *decoder = CKDA_DECODE_F;
    else if (strcmp(text, ckda_decoder_name(CKDA_DECODE_STATE)) != 0)
        return ckda_node_fail(&node, err, "\"state\" or \"rotation\"", NULL);
    return CKDA_OK;
}

static ckda_status
read_heads(ckda_trans_struct *trans, const ckda_node *list, uint32_t nheads,
           const ckda_group_t G, const ckda_field_t K, ckda_error *err)
{
    static const char *const known[] = {"transitions", "comment"};
    ckda_status st = CKDA_OK;
    for (uint32_t h = 0; h < nheads && st == CKDA_OK; h++) {
        ckda_node head;
        st = ckda_node_item(&head, list, h, err);
        if (st == CKDA_OK)
            st = ckda_node_only(&head, known, COUNT(known), err);
        if (st == CKDA_OK)
            st = read_transitions(trans + (size_t)h * G->order, &head, G, K, err);
    }
    return st;
}

static ckda_status
count_heads(uint32_t *nheads, ckda_node *list, const ckda_node *at, ckda_error *err)
{
    size_t size;
    char expected[48];
    ckda_status st = ckda_node_member(list, at, "heads", err);
    if (st == CKDA_OK)
        st = ckda_node_size(&size, list, err);
    if (st != CKDA_OK)
        return st;
    if (size == 0 || size > CKDA_INPUT_MAX_HEADS) {
        snprintf(expected, sizeof expected, "a list of 1 to %d heads",
                 CKDA_INPUT_MAX_HEADS);
        return ckda_node_fail(list, err, expected, NULL);
    }
    *nheads = (uint32_t)size;
    return CKDA_OK;
}

ckda_status
read_tracker(ckda_input_t in, const ckda_node *group, ckda_error *err)
{
    static const char *const one[] = {"field", "decoder", "transitions", "comment"};
    static const char *const several[] = {"field", "heads", "comment"};
    ckda_node at, list;
    uint32_t nheads = 1;
    ckda_status st = ckda_node_member(&at, group, "tracker", err);
    if (st != CKDA_OK)
        return st;
    const bool heads = ckda_node_has(&at, "heads");
    st = heads ? ckda_node_only(&at, several, COUNT(several), err)
               : ckda_node_only(&at, one, COUNT(one), err);
    if (st == CKDA_OK)
        st = heads ? count_heads(&nheads, &list, &at, err)
                   : read_decoder(&in->decoder, &at, err);
    if (st != CKDA_OK)
        return st;
    const slong count = (slong)nheads * (slong)in->G->order;
    in->trans = flint_calloc((size_t)count, sizeof *in->trans);
    st = heads ? read_heads(in->trans, &list, nheads, in->G, in->K, err)
               : read_transitions(in->trans, &at, in->G, in->K, err);
    if (st == CKDA_OK && in->decoder == CKDA_DECODE_F && in->trans[0].n != 4)
        st = ckda_node_fail(&at, err, "transitions of dimension 4 for \"rotation\"",
                            "another dimension");
    in->nheads = nheads;
    in->ntrans = count;
    if (st == CKDA_OK)
        return CKDA_OK;
    /* those that were not read have nothing to clear */
    for (slong i = 0; i < count; i++)
        if (in->trans[i].n > 0)
            ckda_trans_clear(&in->trans[i], in->K);
    flint_free(in->trans);
    in->trans = NULL;
    return st;
}

ckda_status
ckda_input_tracker(ckda_construction_t c, ckda_input_t in, ckda_error *err)
{
    ckda_require(in->kind == CKDA_INPUT_GROUP && in->nheads > 0 && in->has_group,
                 "no group with a tracker");
    if (in->nheads > 1) {
        ckda_error_set(err,
                       "expected a tracker of one head, found %u heads (`ckda reach' and "
                       "`ckda run' take "
                       "them)",
                       in->nheads);
        return CKDA_E_INPUT;
    }
    const ckda_status st =
        ckda_construct_given(c, "given", in->G, in->K, in->trans, in->decoder, err);
    if (st != CKDA_OK)
        return st;
    in->trans = NULL;
    in->ntrans = 0;
    in->nheads = 0;
    in->has_group = false;
    ckda_field_init_rational(in->K);
    return CKDA_OK;
}

/* A block for each head. */
void
ckda_input_heads_matrix(ckda_mat_t A, const ckda_input_t in, uint32_t g)
{
    const slong order = (slong)in->G->order;
    slong n = 0, at = 0;
    for (uint32_t h = 0; h < in->nheads; h++)
        n += in->trans[h * order].n;
    ckda_mat_init(A, n, n, in->K);
    for (uint32_t h = 0; h < in->nheads; h++) {
        const ckda_trans_struct *t = &in->trans[h * order + g];
        ckda_mat_t B;
        ckda_mat_init(B, t->n, t->n, in->K);
        const ckda_status st = ckda_trans_matrix(B, t, in->K);
        ckda_require(st == CKDA_OK, "keys were checked on reading");
        for (slong i = 0; i < t->n; i++)
            for (slong j = 0; j < t->n; j++)
                ckda_elem_swap(ckda_mat_entry(A, at + i, at + j), ckda_mat_entry(B, i, j),
                               in->K);
        ckda_mat_clear(B, in->K);
        at += t->n;
    }
}

/* ---- writing ---------------------------------------------------------------------- */

json_t *
ckda_input_number_json(const ckda_elem_t x, const ckda_field_t K)
{
    return ckda_json_own(ckda_elem_str(x, K));
}

json_t *
ckda_input_numbers_json(const ckda_elem_struct *x, slong n, const ckda_field_t K)
{
    json_t *list = json_array();
    for (slong i = 0; i < n; i++)
        ckda_json_append(list, ckda_input_number_json(x + i, K));
    return list;
}

json_t *
ckda_input_transition_json(const ckda_trans_t t, const ckda_field_t K)
{
    ckda_require(t->family == CKDA_CKDA && t->steps == 1, "one ckda step only");
    json_t *object = json_pack("{s:s}", "family", ckda_family_name(t->family));
    ckda_json_put(object, "beta", ckda_input_number_json(t->beta, K));
    ckda_json_put(object, "key", ckda_input_numbers_json(t->key, t->n, K));
    ckda_json_put(object, "gate", ckda_input_numbers_json(t->gate, t->n, K));
    return object;
}

/* As the member "field" spells it, so that elements may be written in its generator. */
static json_t *
field_json(const ckda_field_t K)
{
    if (K->degree == 1)
        return json_string("Q");
    if (K->is_cos > 0)
        return json_pack("{s:i}", "cos", K->is_cos);
    fmpz_t square;
    fmpz_init(square);
    fmpz_poly_get_coeff_fmpz(square, K->minpoly, 0);
    fmpz_neg(square, square);
    ckda_require(K->degree == 2 && fmpz_poly_get_coeff_si(K->minpoly, 1) == 0
                     && fmpz_cmp_ui(square, 1) > 0 && fmpz_fits_si(square),
                 "a field that no document can name");
    json_t *object = json_pack("{s:I}", "sqrt", (json_int_t)fmpz_get_si(square));
    fmpz_clear(square);
    return object;
}

/* Does every element have a name of its own, as in a Cayley table? */
static bool
all_named(const ckda_group_t G)
{
    if (G->ngen != G->order)
        return false;
    bool *seen = flint_calloc(G->order, sizeof *seen), good = true;
    for (uint32_t j = 0; good && j < G->ngen; j++) {
        good = !seen[G->generator[j]] && is_letter_name(G->genname[j]);
        seen[G->generator[j]] = true;
    }
    flint_free(seen);
    return good;
}

char *
ckda_input_element_name(const ckda_group_t G, uint32_t g)
{
    if (all_named(G))
        for (uint32_t j = 0; j < G->ngen; j++)
            if (G->generator[j] == g) {
                char *name = strdup(G->genname[j]);
                ckda_require_memory(name != NULL);
                return name;
            }
    return ckda_perm_str(&G->element[g]);
}

static json_t *
table_json(const ckda_group_t G)
{
    uint32_t *place = flint_malloc(G->order * sizeof *place);
    json_t *rows = json_array(), *names = json_array();
    for (uint32_t j = 0; j < G->order; j++)
        place[G->generator[j]] = j;
    for (uint32_t i = 0; i < G->order; i++) {
        json_t *row = json_array();
        for (uint32_t j = 0; j < G->order; j++)
            ckda_json_append(
                row,
                json_integer(place[ckda_group_mul(G, G->generator[i], G->generator[j])]));
        ckda_json_append(rows, row);
        ckda_json_append(names, json_string(G->genname[i]));
    }
    flint_free(place);
    return json_pack("{s:o, s:o}", "table", rows, "names", names);
}

static json_t *
group_json(const ckda_group_t G)
{
    char name[32];
    if (all_named(G))
        return table_json(G);
    json_t *gens = json_object();
    for (uint32_t j = 0; j < G->ngen; j++) {
        const bool good = is_letter_name(G->genname[j]);
        snprintf(name, sizeof name, "x%u", j + 1);
        ckda_json_put(gens, good ? G->genname[j] : name,
                      ckda_json_own(ckda_perm_str(&G->element[G->generator[j]])));
    }
    return json_pack("{s:o}", "generators", gens);
}

static json_t *
transitions_json(const ckda_trans_struct *trans, const ckda_group_t G,
                 const ckda_field_t K)
{
    json_t *object = json_object();
    for (uint32_t g = 0; g < G->order; g++) {
        char *name = ckda_input_element_name(G, g);
        ckda_json_put(object, name, ckda_input_transition_json(&trans[g], K));
        free(name);
    }
    return object;
}

json_t *
ckda_input_tracker_json(const ckda_group_t G, bool all_letters,
                        const ckda_trans_struct *const *heads, uint32_t nheads,
                        ckda_decoder decoder, const ckda_field_t K, const char *comment)
{
    json_t *group = group_json(G);
    json_t *tracker = json_pack("{s:o}", "field", field_json(K));
    if (nheads == 1) {
        ckda_json_put(tracker, "decoder", json_string(ckda_decoder_name(decoder)));
        ckda_json_put(tracker, "transitions", transitions_json(heads[0], G, K));
    } else {
        json_t *list = json_array();
        for (uint32_t h = 0; h < nheads; h++)
            ckda_json_append(list, json_pack("{s:o}", "transitions",
                                             transitions_json(heads[h], G, K)));
        ckda_json_put(tracker, "heads", list);
    }
    ckda_json_put(group, "letters", json_string(all_letters ? "all" : "generators"));
    ckda_json_put(group, "tracker", tracker);
    json_t *document = json_pack("{s:o}", "group", group);
    /* names of files need not be UTF-8: such a comment is left out */
    json_t *remark = comment != NULL ? json_string(comment) : NULL;
    if (remark != NULL)
        ckda_json_put(document, "comment", remark);
    return document;
}
