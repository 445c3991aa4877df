/* Files, recognised by what they hold, and built-in names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "input_internal.h"

typedef enum { EMPTY, JSON, GAP_LIST, BRACKET, ATT_TEXT } form;

/* By the first character that is neither blank nor in a comment. */
static form
recognise(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (strchr(" \t\r\n", text[i]) != NULL && text[i] != '\0')
            continue;
        if (text[i] == '#') {
            while (i + 1 < len && text[i + 1] != '\n')
                i++;
            continue;
        }
        switch (text[i]) {
        case '{':
            return JSON;
        case '[':
            return GAP_LIST;
        case '(':
            return BRACKET;
        default:
            return ATT_TEXT;
        }
    }
    return EMPTY;
}

static void
init_rational(ckda_input_t in, ckda_input_kind kind)
{
    ckda_field_t Q;
    ckda_field_init_rational(Q);
    init_empty(in, kind, Q);
}

static void
set_group(ckda_input_t in, ckda_group_t G)
{
    init_rational(in, CKDA_INPUT_GROUP);
    *in->G = *G;
    in->has_group = true;
    in->all_letters = true;
    in->n = G->degree;
}

/* ---- one form each ---------------------------------------------------------------- */

static ckda_status
read_json(ckda_input_t in, const char *text, size_t len, const char *file,
          ckda_error *err)
{
    ckda_doc *doc;
    ckda_status st = ckda_doc_parse_bytes(&doc, text, len, file, err);
    if (st != CKDA_OK)
        return st;
    const ckda_node root = ckda_doc_root(doc);
    st = ckda_input_read(in, &root, err);
    ckda_doc_close(&doc);
    return st;
}

static ckda_status
read_gap(ckda_input_t in, const char *text, size_t len, const char *file, ckda_error *err)
{
    ckda_gap_t L;
    ckda_group_t G;
    ckda_status st = ckda_gap_parse(L, text, len, file, CKDA_PERM_MAX, err);
    if (st != CKDA_OK)
        return st;
    st = ckda_input_gap_group(G, L, err);
    ckda_gap_clear(L);
    if (st == CKDA_OK)
        set_group(in, G);
    else
        ckda_error_prefix(err, file);
    return st;
}

static ckda_status
read_table(ckda_input_t in, const ckda_att_t T, ckda_input_options options,
           ckda_error *err)
{
    ckda_input_t new;
    ckda_status st;
    init_rational(new, T->weighted ? CKDA_INPUT_WFA : CKDA_INPUT_DFA);
    new->n = (slong)T->state.count;
    if (T->weighted) {
        st = ckda_input_att_wfa(new->wfa, T, new->K, err);
        new->has_wfa = st == CKDA_OK;
    } else {
        st = ckda_input_att_dfa(new->dfa, T, options, err);
        new->has_dfa = st == CKDA_OK;
        new->n = new->has_dfa ? (slong) new->dfa->states : 0;
    }
    if (st == CKDA_OK)
        *in = *new;
    else
        ckda_input_clear(new);
    return st;
}

static ckda_status
read_att(ckda_input_t in, const char *text, size_t len, const char *file,
         ckda_input_options options, ckda_error *err)
{
    ckda_att_t T;
    ckda_status st = ckda_att_parse(T, text, len, file, err);
    if (st != CKDA_OK) {
        if (err != NULL) {
            const size_t used = strlen(err->text);
            snprintf(err->text + used, sizeof err->text - used,
                     " (a file that begins with neither { nor [ is AT&T text)");
        }
        return st;
    }
    st = read_table(in, T, options, err);
    ckda_att_clear(T);
    return st;
}

/* ---- files and names -------------------------------------------------------------- */

static ckda_status
read_text(ckda_input_t in, const char *text, size_t len, const char *file,
          ckda_input_options options, ckda_error *err)
{
    if (len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { /* byte order mark */
        text += 3;
        len -= 3;
    }
    switch (recognise(text, len)) {
    case JSON:
        return read_json(in, text, len, file, err);
    case GAP_LIST:
        return read_gap(in, text, len, file, err);
    case ATT_TEXT:
        return read_att(in, text, len, file, options, err);
    case BRACKET:
        ckda_error_set(err,
                       "%.200s: expected a GAP list of permutations in square "
                       "brackets, such as [ (1,2,3), (1,2) ], found \"(\"",
                       file);
        return CKDA_E_INPUT;
    case EMPTY:
        break;
    }
    ckda_error_set(err,
                   "%.200s: expected a JSON document, AT&T text of an automaton or a GAP "
                   "list, found nothing (empty)",
                   file);
    return CKDA_E_INPUT;
}

static ckda_status
open_file(ckda_input_t in, const char *file, ckda_input_options options, ckda_error *err)
{
    char *text;
    size_t len;
    ckda_status st = ckda_file_read(&text, &len, file, err);
    if (st != CKDA_OK)
        return st;
    st = read_text(in, text, len, file, options, err);
    free(text);
    return st;
}

ckda_status
ckda_input_open(ckda_input_t in, const char *file, ckda_error *err)
{
    return open_file(in, file, CKDA_INPUT_STRICT, err);
}

/* What looks like the name of a file was meant as one. */
ckda_status
no_such_system(const char *system, ckda_error *err)
{
    if (strpbrk(system, "/.") != NULL) {
        ckda_error_set(err, "%.900s: cannot be read: no such file", system);
        return CKDA_E_IO;
    }
    ckda_error_set(err,
                   "%.200s: expected a built-in system (Zm, Dm, Sn or An, such as Z5, "
                   "D4, S3, A5) or a file, found neither",
                   system);
    return CKDA_E_INPUT;
}

ckda_status
ckda_input_open_system(ckda_input_t in, const char *system, ckda_input_options options,
                       ckda_error *err)
{
    char kind;
    uint32_t number;
    ckda_group_t G;
    if (!ckda_group_name_split(&kind, &number, system))
        return access(system, F_OK) == 0 ? open_file(in, system, options, err)
                                         : no_such_system(system, err);
    const ckda_status st = ckda_group_init_named(G, system, err);
    if (st == CKDA_OK)
        set_group(in, G);
    return st;
}

/* ---- GAP lists -------------------------------------------------------------------- */

/* a, b, c, d, f, ..., z, a2, b2, ...: no e, which is the identity in words. */
static void
generator_name(char *name, size_t size, size_t i)
{
    static const char letters[] = "abcdfghijklmnopqrstuvwxyz";
    const size_t n = sizeof letters - 1;
    if (i < n)
        snprintf(name, size, "%c", letters[i]);
    else
        snprintf(name, size, "%c%zu", letters[i % n], i / n + 1);
}

ckda_status
ckda_input_gap_group(ckda_group_t G, const ckda_gap_t L, ckda_error *err)
{
    enum { NAME = 24 };
    long degree = 1;
    for (size_t i = 0; i < L->count; i++)
        degree = L->perm[i].n > degree ? L->perm[i].n : degree;
    if (degree > CKDA_PERM_MAX) {
        ckda_error_set(err, "expected at most %d points, found %ld", CKDA_PERM_MAX,
                       degree);
        return CKDA_E_UNABLE;
    }
    ckda_perm *perm = flint_malloc((L->count + 1) * sizeof *perm);
    const char **names = flint_malloc((L->count + 1) * sizeof *names);
    char *text = flint_malloc((L->count + 1) * NAME);
    for (size_t i = 0; i < L->count; i++) {
        ckda_perm_one(&perm[i], (int)degree);
        for (long j = 0; j < L->perm[i].n; j++)
            perm[i].image[j] = (uint8_t)L->perm[i].image[j];
        generator_name(text + i * NAME, NAME, i);
        names[i] = text + i * NAME;
    }
    const ckda_status st = ckda_group_init_generated(
        G, "group", perm, names, (uint32_t)L->count, CKDA_GROUP_MAX_ORDER, err);
    flint_free(perm);
    flint_free(names);
    flint_free(text);
    return st;
}

char *
ckda_input_write_group(const ckda_group_t G)
{
    ckda_gap_t L = {{G->ngen, flint_malloc((G->ngen + 1u) * sizeof(ckda_gap_perm))}};
    for (uint32_t i = 0; i < G->ngen; i++) {
        const ckda_perm *p = &G->element[G->generator[i]];
        L->perm[i] = (ckda_gap_perm){p->n, flint_malloc((size_t)p->n * sizeof(long)), 0};
        for (int j = 0; j < p->n; j++)
            L->perm[i].image[j] = p->image[j];
    }
    char *text = ckda_gap_write(L);
    for (uint32_t i = 0; i < G->ngen; i++)
        flint_free(L->perm[i].image);
    flint_free(L->perm);
    return text;
}
