/* Whole documents: which kind is it, and what does it hold? */
#include <stdio.h>
#include <string.h>
#include "input_internal.h"

/* The member that tells the kind, and the members that go with it. */
static const struct {
    const char *name, *member;
    const char *with[4];
} kinds[] = {
    [CKDA_INPUT_TRANSITION] = {"transition", "family", {NULL}},
    [CKDA_INPUT_PRODUCT] = {"product", "product", {NULL}},
    [CKDA_INPUT_DPR1] = {"dpr1", "diagonal", {"u", "v", NULL}},
    [CKDA_INPUT_MATRIX] = {"matrix", "matrix", {NULL}},
    [CKDA_INPUT_PERMUTATION] = {"permutation", "permutation", {NULL}},
    [CKDA_INPUT_MAP] = {"map", "map", {NULL}},
    [CKDA_INPUT_GROUP] = {"group", "group", {NULL}},
    [CKDA_INPUT_AFFINE] = {"affine", "affine", {NULL}},
    [CKDA_INPUT_DFA] = {"dfa", "dfa", {NULL}},
    [CKDA_INPUT_WFA] = {"wfa", "wfa", {NULL}},
};

const char *
ckda_input_kind_name(ckda_input_kind kind)
{
    ckda_require((size_t)kind < COUNT(kinds), "kind number %d", (int)kind);
    return kinds[kind].name;
}

/* The message for a document of no known kind, with a guess at a misspelt member. */
static ckda_status
unknown_kind(const ckda_node *at, ckda_error *err)
{
    const char *known[COUNT(kinds)], *guess = NULL;
    char expected[160] = "one of ";
    ckda_node m;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        known[k] = kinds[k].member;
        strcat(strcat(expected, k > 0 ? ", " : ""), known[k]);
    }
    bool more = ckda_node_first(&m, at);
    for (; more && guess == NULL; more = ckda_node_next(&m))
        guess = ckda_text_closest(m.key, known, COUNT(known));
    const ckda_status st = ckda_node_fail(at, err, expected, NULL);
    if (guess != NULL && err != NULL) {
        const size_t used = strlen(err->text);
        snprintf(err->text + used, sizeof err->text - used, " (did you mean \"%s\"?)",
                 guess);
    }
    return st;
}

static ckda_status
recognise(ckda_input_kind *kind, const ckda_node *at, ckda_error *err)
{
    const char *known[8] = {"field", "comment"};
    size_t n = 2, k = 0;
    while (k < COUNT(kinds) && !ckda_node_has(at, kinds[k].member))
        k++;
    if (k == COUNT(kinds))
        return unknown_kind(at, err);
    *kind = (ckda_input_kind)k;
    if (*kind == CKDA_INPUT_TRANSITION)
        return CKDA_OK; /* its members depend on the family */
    known[n++] = kinds[k].member;
    for (size_t i = 0; kinds[k].with[i] != NULL; i++)
        known[n++] = kinds[k].with[i];
    return ckda_node_only(at, known, n, err);
}

/* ---- kinds ------------------------------------------------------------------------ */

static ckda_status
read_one_transition(ckda_input_t in, const ckda_node *at, ckda_error *err)
{
    ckda_trans_t t;
    const ckda_status st = read_transition(t, at, true, in->K, err);
    if (st != CKDA_OK)
        return st;
    in->trans = flint_malloc(sizeof *in->trans);
    *in->trans = *t;
    in->ntrans = 1;
    in->n = t->n;
    return CKDA_OK;
}

static ckda_status
read_factors(ckda_input_t in, const ckda_node *at, ckda_error *err)
{
    const ckda_status st =
        ckda_input_read_product(&in->trans, &in->ntrans, at, in->K, err);
    if (st == CKDA_OK)
        in->n = in->trans[0].n;
    return st;
}

static ckda_status
read_dpr1(ckda_input_t in, const ckda_node *at, const ckda_node *diagonal,
          ckda_error *err)
{
    ckda_node node;
    slong n;
    ckda_status st =
        ckda_input_read_vector(&in->diagonal, &in->n, diagonal, -1, in->K, err);
    if (st == CKDA_OK)
        st = ckda_node_member(&node, at, "u", err);
    if (st == CKDA_OK)
        st = ckda_input_read_vector(&in->u, &n, &node, in->n, in->K, err);
    if (st == CKDA_OK)
        st = ckda_node_member(&node, at, "v", err);
    if (st == CKDA_OK)
        st = ckda_input_read_vector(&in->v, &n, &node, in->n, in->K, err);
    return st;
}

static ckda_status
read_one_matrix(ckda_input_t in, const ckda_node *at, ckda_error *err)
{
    ckda_mat_t A;
    const ckda_status st = ckda_input_read_square(A, at, in->K, err);
    if (st != CKDA_OK)
        return st;
    ckda_mat_swap(in->matrix, A);
    ckda_mat_clear(A, in->K);
    in->n = in->matrix->rows;
    return CKDA_OK;
}

static ckda_status
read_group(ckda_input_t in, const ckda_node *at, ckda_error *err)
{
    const ckda_status st = ckda_input_read_group(in->G, &in->all_letters, at, err);
    if (st != CKDA_OK)
        return st;
    in->has_group = true;
    in->n = in->G->degree;
    return ckda_node_has(at, "tracker") ? read_tracker(in, at, err) : CKDA_OK;
}

static ckda_status
read_dfa(ckda_input_t in, const ckda_node *at, ckda_error *err)
{
    const ckda_status st = ckda_input_read_dfa(in->dfa, at, err);
    if (st != CKDA_OK)
        return st;
    in->has_dfa = true;
    in->n = (slong)in->dfa->states;
    return CKDA_OK;
}

static ckda_status
read_wfa(ckda_input_t in, const ckda_node *at, ckda_error *err)
{
    if (in->K->degree != 1)
        return ckda_node_fail(at, err, "rational numbers, so no field but Q",
                              "another field");
    const ckda_status st = ckda_input_read_wfa(in->wfa, at, in->K, err);
    if (st != CKDA_OK)
        return st;
    in->has_wfa = true;
    in->n = in->wfa->n;
    return CKDA_OK;
}

/* Fills in, whose K and kind stand already. */
static ckda_status
read_kind(ckda_input_t in, const ckda_node *at, ckda_error *err)
{
    ckda_node node;
    const ckda_status st = ckda_node_member(&node, at, kinds[in->kind].member, err);
    if (st != CKDA_OK)
        return st;
    switch (in->kind) {
    case CKDA_INPUT_TRANSITION:
        return read_one_transition(in, at, err);
    case CKDA_INPUT_PRODUCT:
        return read_factors(in, &node, err);
    case CKDA_INPUT_DPR1:
        return read_dpr1(in, at, &node, err);
    case CKDA_INPUT_MATRIX:
        return read_one_matrix(in, &node, err);
    case CKDA_INPUT_PERMUTATION:
        return read_images(&in->image, &in->n, &node, true, err);
    case CKDA_INPUT_MAP:
        return read_images(&in->image, &in->n, &node, false, err);
    case CKDA_INPUT_GROUP:
        return read_group(in, &node, err);
    case CKDA_INPUT_AFFINE:
        return read_affine(in, &node, err);
    case CKDA_INPUT_DFA:
        return read_dfa(in, &node, err);
    case CKDA_INPUT_WFA:
        return read_wfa(in, &node, err);
    }
    ckda_require(false, "kind number %d", (int)in->kind);
    return CKDA_E_INPUT;
}

/* Names that a person chose (of generators, of letters) must not pass for members that
 * hold numbers, so each kind says where its numbers are. */
static ckda_status
find_field(ckda_field_t K, ckda_input_kind kind, const ckda_node *at, ckda_error *err)
{
    static const char *const affine[] = {"initial", "matrix", "offset"};
    ckda_node group;
    switch (kind) {
    case CKDA_INPUT_GROUP:
        if (json_is_object(json_object_get(at->json, "group"))
            && ckda_node_member(&group, at, "group", NULL) == CKDA_OK
            && ckda_node_has(&group, "tracker"))
            return find_tracker_field(K, &group, err);
        return ckda_input_field_of(K, at, NULL, 0, err);
    case CKDA_INPUT_PERMUTATION:
    case CKDA_INPUT_MAP:
    case CKDA_INPUT_DFA:
    case CKDA_INPUT_WFA:
        return ckda_input_field_of(K, at, NULL, 0, err);
    case CKDA_INPUT_AFFINE:
        return ckda_input_field_of(K, at, affine, COUNT(affine), err);
    default:
        return ckda_input_field(K, at, err);
    }
}

void
init_empty(ckda_input_t in, ckda_input_kind kind, ckda_field_t K)
{
    memset(in, 0, sizeof *in);
    in->kind = kind;
    *in->K = *K;
    ckda_mat_init(in->matrix, 0, 0, in->K);
    ckda_mat_init(in->initial, 0, 0, in->K);
}

ckda_status
ckda_input_read(ckda_input_t in, const ckda_node *at, ckda_error *err)
{
    ckda_input_t new;
    ckda_input_kind kind = CKDA_INPUT_MATRIX;
    ckda_field_t K;
    ckda_status st = recognise(&kind, at, err);
    if (st == CKDA_OK)
        st = find_field(K, kind, at, err);
    if (st != CKDA_OK)
        return st;
    init_empty(new, kind, K);
    st = read_kind(new, at, err);
    if (st == CKDA_OK)
        *in = *new;
    else
        ckda_input_clear(new);
    return st;
}

static void
free_vector(ckda_elem_struct *x, slong n, const ckda_field_t K)
{
    if (x != NULL)
        ckda_input_free_vector(x, n, K);
}

void
ckda_input_clear(ckda_input_t in)
{
    if (in->trans != NULL)
        ckda_input_free_product(in->trans, in->ntrans, in->K);
    free_vector(in->diagonal, in->n, in->K);
    free_vector(in->u, in->n, in->K);
    free_vector(in->v, in->n, in->K);
    ckda_mat_clear(in->matrix, in->K);
    ckda_mat_clear(in->initial, in->K);
    flint_free(in->image);
    if (in->has_group)
        ckda_group_clear(in->G);
    if (in->has_dfa)
        ckda_dfa_clear(in->dfa);
    if (in->has_wfa)
        ckda_wfa_clear(in->wfa, in->K);
    for (uint32_t k = 0; k < in->nletters; k++) {
        flint_free(in->letter[k]);
        ckda_mat_clear(in->linear + k, in->K);
        if (in->offset != NULL)
            ckda_mat_clear(in->offset + k, in->K);
    }
    flint_free(in->letter);
    flint_free(in->linear);
    flint_free(in->offset);
    ckda_field_clear(in->K);
}

/* ---- the matrix of a document ----------------------------------------------------- */

/* A = D + u v^T. */
static void
dpr1_matrix(ckda_mat_t A, const ckda_input_t in)
{
    ckda_mat_init(A, in->n, in->n, in->K);
    for (slong i = 0; i < in->n; i++) {
        for (slong j = 0; j < in->n; j++)
            ckda_elem_mul(ckda_mat_entry(A, i, j), in->u + i, in->v + j, in->K);
        ckda_elem_add(ckda_mat_entry(A, i, i), ckda_mat_entry(A, i, i), in->diagonal + i,
                      in->K);
    }
}

ckda_status
ckda_input_matrix(ckda_mat_t A, const ckda_input_t in, ckda_error *err)
{
    ckda_status st = CKDA_OK;
    switch (in->kind) {
    case CKDA_INPUT_TRANSITION:
    case CKDA_INPUT_PRODUCT:
        return ckda_input_multiply(A, in->trans, in->ntrans, in->K);
    case CKDA_INPUT_DPR1:
        dpr1_matrix(A, in);
        return CKDA_OK;
    case CKDA_INPUT_MATRIX:
        ckda_mat_init_set(A, in->matrix, in->K);
        return CKDA_OK;
    case CKDA_INPUT_PERMUTATION:
    case CKDA_INPUT_MAP:
        ckda_mat_init(A, in->n, in->n, in->K);
        st = ckda_mat_set_map(A, in->image, in->n, in->K);
        ckda_require(st == CKDA_OK, "images were checked on reading");
        return CKDA_OK;
    case CKDA_INPUT_GROUP:
    case CKDA_INPUT_AFFINE:
    case CKDA_INPUT_DFA:
    case CKDA_INPUT_WFA:
        break;
    }
    ckda_error_set(err,
                   "expected a document that describes one matrix, found kind \"%s\"",
                   ckda_input_kind_name(in->kind));
    return CKDA_E_DOMAIN;
}
