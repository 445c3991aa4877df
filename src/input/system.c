/* From the name of a system or a document to letters that act on states. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "input_internal.h"

static char *
copy_text(const char *text)
{
    const size_t len = strlen(text) + 1;
    return memcpy(flint_malloc(len), text, len);
}

/* Sets up everything that depends on the number of letters. */
static void
set_letters(ckda_input_system_t s, uint32_t n)
{
    s->letter = flint_calloc(n, sizeof *s->letter);
    s->linear = flint_malloc(n * sizeof *s->linear);
    s->element = flint_malloc(n * sizeof *s->element);
    s->sys->nletters = n;
    s->sys->linear = s->linear;
}

static void
set_identity(ckda_input_system_t s, slong n, const ckda_field_t K)
{
    s->sys->K = K;
    ckda_mat_init(s->sys->initial, n, n, K);
    const ckda_status st = ckda_mat_one(s->sys->initial, K);
    ckda_require(st == CKDA_OK, "square by construction");
}

/* Letters of s->c: all elements, or the generators. */
static void
use_construction(ckda_input_system_t s, bool all)
{
    const ckda_group_struct *G = s->c->G;
    s->constructed = true;
    s->construction = s->c->name;
    set_identity(s, s->c->n, s->c->K);
    set_letters(s, all ? G->order : G->ngen);
    for (uint32_t i = 0; i < s->sys->nletters; i++) {
        s->element[i] = all ? i : G->generator[i];
        s->linear[i] = s->c->matrix[s->element[i]];
        if (!all) {
            s->letter[i] = copy_text(G->genname[i]);
            continue;
        }
        char *cycles = ckda_perm_str(&G->element[i]);
        s->letter[i] = copy_text(cycles);
        free(cycles);
    }
    s->sys->G = G;
    s->sys->letter_element = s->element;
}

static void
use_affine(ckda_input_system_t s)
{
    const ckda_input_struct *in = s->in;
    s->sys->K = in->K;
    ckda_mat_init_set(s->sys->initial, in->initial, in->K);
    set_letters(s, in->nletters);
    for (uint32_t i = 0; i < in->nletters; i++) {
        s->letter[i] = copy_text(in->letter[i]);
        s->linear[i] = in->linear[i];
    }
    s->sys->offset = in->offset;
}

/* One letter "a": the document's matrix, which s->in keeps. */
static ckda_status
use_matrix(ckda_input_system_t s, ckda_error *err)
{
    ckda_input_struct *in = s->in;
    ckda_mat_t A;
    const ckda_status st = ckda_input_matrix(A, in, err);
    if (st != CKDA_OK)
        return st;
    ckda_mat_swap(in->matrix, A);
    ckda_mat_clear(A, in->K);
    set_identity(s, in->n, in->K);
    set_letters(s, 1);
    s->letter[0] = copy_text("a");
    s->linear[0] = *in->matrix;
    return CKDA_OK;
}

/* A tracker of several heads: the letters act on the states of all of them together. */
static void
use_heads(ckda_input_system_t s)
{
    ckda_input_struct *in = s->in;
    const ckda_group_struct *G = in->G;
    s->construction = "given";
    set_letters(s, in->all_letters ? G->order : G->ngen);
    s->owns_linear = true;
    for (uint32_t i = 0; i < s->sys->nletters; i++) {
        s->element[i] = in->all_letters ? i : G->generator[i];
        ckda_input_heads_matrix(s->linear + i, in, s->element[i]);
        char *name = in->all_letters ? ckda_perm_str(&G->element[i]) : NULL;
        s->letter[i] = copy_text(name != NULL ? name : G->genname[i]);
        free(name);
    }
    set_identity(s, s->linear[0].rows, in->K);
    s->sys->G = G;
    s->sys->letter_element = s->element;
}

/* The construction takes over the group that the document held. */
static ckda_status
use_group(ckda_input_system_t s, const char *construction, ckda_error *err)
{
    const bool given = s->in->nheads > 0 && construction == NULL;
    if (given && s->in->nheads > 1) {
        use_heads(s);
        return CKDA_OK;
    }
    const slong n = given ? s->in->trans[0].n : s->in->G->degree;
    if ((slong)s->in->G->order > CKDA_INPUT_MAX_ENTRIES / (n * n)) {
        ckda_error_set(err,
                       "expected matrices with at most %d entries together, found %u of "
                       "dimension %ld",
                       CKDA_INPUT_MAX_ENTRIES, s->in->G->order, (long)n);
        return CKDA_E_UNABLE;
    }
    const ckda_status st =
        given ? ckda_input_tracker(s->c, s->in, err)
              : ckda_construct_generated(s->c, s->in->G, construction, err);
    if (st != CKDA_OK)
        return st;
    s->in->has_group = false;
    use_construction(s, s->in->all_letters);
    return CKDA_OK;
}

static ckda_status
use_document(ckda_input_system_t s, const char *construction, ckda_error *err)
{
    const ckda_input_struct *in = s->in;
    const ckda_input_kind kind = in->kind;
    if (kind == CKDA_INPUT_GROUP)
        return use_group(s, construction, err);
    if (kind == CKDA_INPUT_DFA || kind == CKDA_INPUT_WFA) {
        ckda_error_set(err,
                       "expected a system of matrices (a group, an affine system, one "
                       "matrix or transition), found an automaton of kind \"%s\"",
                       ckda_input_kind_name(kind));
        return CKDA_E_INPUT;
    }
    if (construction != NULL) {
        ckda_error_set(err,
                       "construction: expected none for a document of kind \"%s\", found "
                       "\"%.60s\"",
                       ckda_input_kind_name(kind), construction);
        return CKDA_E_INPUT;
    }
    if (kind != CKDA_INPUT_AFFINE)
        return use_matrix(s, err);
    use_affine(s);
    return CKDA_OK;
}

/* Goes on with what stands in s->in; place is its name. */
static ckda_status
use_opened(ckda_input_system_t s, const char *place, const char *construction,
           ckda_error *err)
{
    s->has_document = true;
    s->name = copy_text(place);
    const ckda_status st = use_document(s, construction, err);
    if (st != CKDA_OK) {
        ckda_error_prefix(err, place);
        ckda_input_system_clear(s);
    }
    return st;
}

ckda_status
ckda_input_system_read(ckda_input_system_t s, const ckda_node *at,
                       const char *construction, ckda_error *err)
{
    char place[512];
    memset(s, 0, sizeof *s);
    const ckda_status st = ckda_input_read(s->in, at, err);
    if (st != CKDA_OK)
        return st;
    ckda_node_place(place, sizeof place, at);
    return use_opened(s, place, construction, err);
}

static ckda_status
open_file(ckda_input_system_t s, const char *file, const char *construction,
          ckda_error *err)
{
    if (access(file, F_OK) != 0)
        return no_such_system(file, err);
    memset(s, 0, sizeof *s);
    const ckda_status st = ckda_input_open(s->in, file, err);
    return st != CKDA_OK ? st : use_opened(s, file, construction, err);
}

ckda_status
ckda_input_system_open(ckda_input_system_t s, const char *system,
                       const char *construction, ckda_error *err)
{
    char kind;
    uint32_t number;
    if (!ckda_group_name_split(&kind, &number, system))
        return open_file(s, system, construction, err);
    memset(s, 0, sizeof *s);
    const ckda_status st = ckda_construct(s->c, system, construction, err);
    if (st != CKDA_OK)
        return st;
    s->name = copy_text(system);
    use_construction(s, true);
    return CKDA_OK;
}

void
ckda_input_system_clear(ckda_input_system_t s)
{
    for (uint32_t i = 0; i < s->sys->nletters; i++) {
        flint_free(s->letter[i]);
        if (s->owns_linear)
            ckda_mat_clear(s->linear + i, s->sys->K);
    }
    flint_free(s->letter);
    flint_free(s->linear);
    flint_free(s->element);
    flint_free(s->name);
    if (s->sys->K != NULL)
        ckda_mat_clear(s->sys->initial, s->sys->K);
    if (s->constructed)
        ckda_construct_clear(s->c);
    if (s->has_document)
        ckda_input_clear(s->in);
}

ckda_status
ckda_input_system_letter(uint32_t *letter, const ckda_input_system_t s, const char *text,
                         ckda_error *err)
{
    uint32_t g;
    for (uint32_t i = 0; i < s->sys->nletters; i++) {
        if (strcmp(s->letter[i], text) == 0) {
            *letter = i;
            return CKDA_OK;
        }
    }
    if (!s->constructed) {
        ckda_error_set(err, "letter \"%.60s\": expected one of the %u letters of %.200s",
                       text, s->sys->nletters, s->name);
        return CKDA_E_INPUT;
    }
    const ckda_status st = ckda_group_parse(&g, s->c->G, text, err);
    if (st != CKDA_OK)
        return st;
    for (uint32_t i = 0; i < s->sys->nletters; i++) {
        if (s->element[i] == g) {
            *letter = i;
            return CKDA_OK;
        }
    }
    ckda_error_set(
        err,
        "letter \"%.60s\": expected one of the %u letters of %.200s, found another "
        "element of the group",
        text, s->sys->nletters, s->name);
    return CKDA_E_INPUT;
}
