/* proofs/identity.c -- the built-in check `identity`: a claim that is a theory in the
 * language of docs/identities.md and needs no code of its own (docs/ledger.md describes
 * the input).
 *
 * Statement.  The one of the claim's document: every line of its "holds", for all values
 * of the variables within its relations and assumptions.
 *
 * Why the check suffices.  Each statement of "holds" is decided by ckda_sym for all
 * values of the variables that satisfy the relations; the claim holds when all of them
 * do, in every theory and every copy.  One refuted statement refutes the claim, by a
 * point that the evidence shows.  Denominators that must not vanish are named in the
 * scope.  A statement that was evaluated at no admissible point counts as undecided: its
 * relations and assumptions may contradict each other, and then anything follows.
 *
 * Not shown here: other dimensions than the copies named in the scope, unless the
 * document's "why" says how the identity reaches them.                                 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "checks.h"
#include "template.h"
#include "ckda/sym.h"

#define TRY(call)                                                                        \
    do {                                                                                 \
        ckda_status try_status = (call);                                                 \
        if (try_status != CKDA_OK)                                                       \
            return try_status;                                                           \
    } while (0)

/* A list of texts that it owns. */
typedef struct {
    char **text;
    size_t n;
} texts;

/* The values that a name of "for" took, each once. */
typedef struct {
    const char *name;
    texts values;
} range;
enum { MAX_RANGES = 16 };

typedef struct {
    ckda_evidence *ev;
    ckda_error *err;
    ckda_truth truth;
    template_names names;
    const ckda_node *layer[2]; /* the whole input, then the theory inside it */
    size_t nlayers;
    long theories, identities;
    range range[MAX_RANGES]; /* of the names of "for" */
    size_t nranges;
    texts nonzero; /* denominators */
} job;

static void
texts_add(texts *t, const char *text)
{
    t->text = flint_realloc(t->text, (t->n + 1) * sizeof *t->text);
    t->text[t->n] = flint_malloc(strlen(text) + 1);
    strcpy(t->text[t->n++], text);
}

static void
texts_add_new(texts *t, const char *text)
{
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->text[i], text) == 0)
            return;
    texts_add(t, text);
}

static void
texts_clear(texts *t)
{
    for (size_t i = 0; i < t->n; i++)
        flint_free(t->text[i]);
    flint_free(t->text);
    *t = (texts){0};
}

/* ---- reading one theory ---- */

/* A message of the symbolic room, put at its place in the document. */
static ckda_status
misread(const job *j, const ckda_node *at, const char *text)
{
    char found[1100];
    snprintf(found, sizeof found, "\"%.400s\" (%.600s)", text, j->err->text);
    return ckda_node_fail(at, j->err, "a text of docs/identities.md", found);
}

typedef ckda_status item_reader(job *j, void *to, const ckda_node *item);

/* Calls read for each item of the list that every layer may have under this key. */
static ckda_status
each(job *j, const char *key, item_reader *read, void *to)
{
    for (size_t l = 0; l < j->nlayers; l++) {
        ckda_node list, item;
        size_t n;
        if (!ckda_node_has(j->layer[l], key))
            continue;
        TRY(ckda_node_member(&list, j->layer[l], key, j->err));
        TRY(ckda_node_size(&n, &list, j->err));
        for (size_t i = 0; i < n; i++) {
            TRY(ckda_node_item(&item, &list, i, j->err));
            TRY(read(j, to, &item));
        }
    }
    return CKDA_OK;
}

static ckda_status
filled(char **text, job *j, const ckda_node *at)
{
    const char *raw;
    TRY(ckda_node_string(&raw, at, j->err));
    return template_fill(text, raw, &j->names, at, j->err);
}

static ckda_status
read_variable(job *j, void *to, const ckda_node *item)
{
    char *name = NULL;
    TRY(filled(&name, j, item));
    texts_add(to, name);
    flint_free(name);
    return CKDA_OK;
}

/* One text for one function of the symbolic room. */
static ckda_status
one_text(job *j, ckda_sym *s, const ckda_node *item,
         ckda_status (*take)(ckda_sym *, const char *, ckda_error *))
{
    char *text = NULL;
    TRY(filled(&text, j, item));
    ckda_status status = take(s, text, j->err);
    if (status != CKDA_OK)
        status = misread(j, item, text);
    flint_free(text);
    return status;
}

static ckda_status
read_relation(job *j, void *s, const ckda_node *item)
{
    return one_text(j, s, item, ckda_sym_relation);
}

static ckda_status
read_parameter(job *j, void *s, const ckda_node *item)
{
    return one_text(j, s, item, ckda_sym_parameter);
}

static ckda_status
read_assumption(job *j, void *s, const ckda_node *item)
{
    return one_text(j, s, item, ckda_sym_assume);
}

/* ["name", "expression"]. */
static ckda_status
read_definition(job *j, void *s, const ckda_node *item)
{
    ckda_node name_at, text_at;
    char *name = NULL, *text = NULL;
    size_t n;
    TRY(ckda_node_size(&n, item, j->err));
    if (n != 2)
        return ckda_node_fail(item, j->err, "[name, expression]", NULL);
    TRY(ckda_node_item(&name_at, item, 0, j->err));
    TRY(ckda_node_item(&text_at, item, 1, j->err));
    TRY(filled(&name, j, &name_at));
    ckda_status status = filled(&text, j, &text_at);
    if (status == CKDA_OK) {
        status = ckda_sym_define(s, name, text, j->err);
        if (status != CKDA_OK)
            status = misread(j, &text_at, text);
    }
    flint_free(name);
    flint_free(text);
    return status;
}

static ckda_status
read_sample(job *j, ckda_sym *s, const ckda_node *item)
{
    char *name = NULL, *text = NULL;
    TRY(template_fill(&name, item->key, &j->names, item, j->err));
    ckda_status status = filled(&text, j, item);
    if (status == CKDA_OK) {
        status = ckda_sym_sample(s, name, text, j->err);
        if (status != CKDA_OK)
            status = misread(j, item, text);
    }
    flint_free(name);
    flint_free(text);
    return status;
}

static ckda_status
read_samples(job *j, ckda_sym *s)
{
    for (size_t l = 0; l < j->nlayers; l++) {
        ckda_node samples, item;
        const char *key;
        json_t *value;
        if (!ckda_node_has(j->layer[l], "sample"))
            continue;
        TRY(ckda_node_member(&samples, j->layer[l], "sample", j->err));
        if (!json_is_object(samples.json))
            return ckda_node_fail(&samples, j->err, "an object", NULL);
        json_object_foreach(samples.json, key, value)
        {
            TRY(ckda_node_member(&item, &samples, key, j->err));
            TRY(read_sample(j, s, &item));
        }
    }
    return CKDA_OK;
}

/* ---- deciding ---- */

static void
refuted(const job *j, const char *text, const ckda_sym_answer *ans)
{
    ckda_evidence_fact(j->ev, "statement", "%s", text);
    for (size_t i = 0; i < j->names.n; i++)
        if (j->names.name[i].text != NULL)
            ckda_evidence_fact(j->ev, j->names.name[i].name, "%s", j->names.name[i].text);
        else
            ckda_evidence_fact(j->ev, j->names.name[i].name, "%ld",
                               j->names.name[i].value);
    if (ans->point != NULL)
        ckda_evidence_fact(j->ev, "point", "%s", ans->point);
    if (ans->left != NULL)
        ckda_evidence_fact(j->ev, "left", "%s", ans->left);
    if (ans->right != NULL)
        ckda_evidence_fact(j->ev, "right", "%s", ans->right);
    if (ans->row >= 0 && ans->col >= 0)
        ckda_evidence_fact(j->ev, "at", "[%ld, %ld]", ans->row, ans->col);
}

static ckda_status
decide(job *j, void *s, const ckda_node *item)
{
    ckda_sym_answer ans = {0};
    char *text = NULL;
    if (j->truth == CKDA_FALSE)
        return CKDA_OK; /* one counterexample is enough */
    TRY(filled(&text, j, item));
    ckda_status status = ckda_sym_decide(&ans, s, text, j->ev->seed, j->err);
    if (status != CKDA_OK) {
        status = misread(j, item, text);
        flint_free(text);
        return status;
    }
    const bool vacuous = ans.truth == CKDA_TRUE && ans.points == 0;
    if (vacuous) /* it may hold only because nothing satisfies the assumptions */
        ans.truth = CKDA_UNKNOWN;
    j->truth = ckda_truth_and(j->truth, ans.truth);
    if (ans.truth == CKDA_FALSE)
        refuted(j, text, &ans);
    else if (vacuous)
        (void)ckda_evidence_unable(j->ev,
                                   "no admissible point was found: the assumptions "
                                   "may contradict each other: %s",
                                   text);
    else if (ans.truth == CKDA_UNKNOWN)
        (void)ckda_evidence_unable(j->ev, "not decided: %s", text);
    else if (ans.assumed != NULL && ans.assumed[0] != '\0')
        texts_add_new(&j->nonzero, ans.assumed);
    ckda_evidence_count(j->ev, (uint64_t)ans.entries);
    j->identities += ans.entries;
    ckda_sym_answer_clear(&ans);
    flint_free(text);
    return CKDA_OK;
}

static ckda_status
read_and_decide(job *j, ckda_sym *s)
{
    TRY(each(j, "let", read_definition, s)); /* first: all others may use the names */
    TRY(each(j, "relations", read_relation, s));
    TRY(each(j, "parameters", read_parameter, s));
    TRY(read_samples(j, s));
    TRY(each(j, "assume", read_assumption, s));
    return each(j, "holds", decide, s);
}

static ckda_status
theory(job *j)
{
    texts vars = {0};
    ckda_sym *s = NULL;
    const ckda_node *at = j->layer[j->nlayers - 1];
    const long before = j->identities;
    ckda_status status = each(j, "variables", read_variable, &vars);
    if (status == CKDA_OK) {
        status = ckda_sym_open(&s, (const char *const *)vars.text, vars.n, j->err);
        if (status != CKDA_OK)
            status = misread(j, at, "variables");
    }
    if (status == CKDA_OK)
        status = read_and_decide(j, s);
    if (status == CKDA_OK && j->truth == CKDA_TRUE && j->identities == before)
        status =
            ckda_node_fail(at, j->err, "at least one statement in \"holds\"", "none");
    ckda_sym_close(&s);
    texts_clear(&vars);
    j->theories++;
    return status;
}

/* ---- copies ---- */

/* Remembers the value that the last bound name has, for the scope. */
static void
note_value(job *j)
{
    const size_t last = j->names.n - 1;
    const char *name = j->names.name[last].name;
    char number[24];
    size_t r = 0;
    while (r < j->nranges && strcmp(j->range[r].name, name) != 0)
        r++;
    if (r == MAX_RANGES)
        return;
    if (r == j->nranges)
        j->range[j->nranges++] = (range){name, {0}};
    snprintf(number, sizeof number, "%ld", j->names.name[last].value);
    texts_add_new(&j->range[r].values,
                  j->names.name[last].text != NULL ? j->names.name[last].text : number);
}

/* "n = 1..4" for at least three successive numbers, else "n = 1, 5". */
static void
describe_range(ckda_evidence *ev, const range *r)
{
    const texts *v = &r->values;
    char line[200];
    size_t steps = strspn(v->text[0], "-0123456789") == strlen(v->text[0]);
    while (steps > 0 && steps < v->n
           && atol(v->text[steps]) == atol(v->text[steps - 1]) + 1)
        steps++;
    if (steps == v->n && v->n >= 3) {
        ckda_evidence_scope(ev, "%s = %s..%s", r->name, v->text[0], v->text[v->n - 1]);
        return;
    }
    int used = snprintf(line, sizeof line, "%.30s =", r->name);
    size_t i = 0;
    for (; i < v->n && used < 120; i++)
        used += snprintf(line + used, sizeof line - (size_t)used, "%s %.40s",
                         i > 0 ? "," : "", v->text[i]);
    if (i < v->n)
        snprintf(line + used, sizeof line - (size_t)used, ", ... (%zu values)", v->n);
    ckda_evidence_scope(ev, "%s", line);
}

/* Binds the names of "for" one after the other, the k-th and all later ones, and calls
 * body for each combination. */
static ckda_status
bind(job *j, const ckda_node *loops, void *iterator, ckda_status (*body)(job *))
{
    if (iterator == NULL)
        return body(j);
    const char *key = json_object_iter_key(iterator);
    void *next = json_object_iter_next(loops->json, iterator);
    ckda_node list, item;
    size_t n, slot = j->names.n;
    TRY(ckda_node_member(&list, loops, key, j->err));
    TRY(ckda_node_size(&n, &list, j->err));
    if (n == 0 || slot == TEMPLATE_MAX_NAMES)
        return ckda_node_fail(&list, j->err, "one or more values, at most 8 names", NULL);
    for (size_t i = 0; i < n; i++) {
        TRY(ckda_node_item(&item, &list, i, j->err));
        j->names.name[slot].name = key;
        j->names.name[slot].text = NULL;
        if (json_is_string(item.json))
            TRY(ckda_node_string(&j->names.name[slot].text, &item, j->err));
        else
            TRY(ckda_node_long(&j->names.name[slot].value, &item, -100000, 100000,
                               j->err));
        j->names.n = slot + 1;
        note_value(j);
        TRY(bind(j, loops, next, body));
        j->names.n = slot;
    }
    return CKDA_OK;
}

static ckda_status
copies(job *j, const ckda_node *in, ckda_status (*body)(job *))
{
    ckda_node loops;
    if (!ckda_node_has(in, "for"))
        return body(j);
    TRY(ckda_node_member(&loops, in, "for", j->err));
    if (!json_is_object(loops.json) || json_object_size(loops.json) == 0)
        return ckda_node_fail(&loops, j->err, "an object of lists", NULL);
    return bind(j, &loops, json_object_iter(loops.json), body);
}

/* A misspelt member would be a statement that nobody checks. */
static ckda_status
known_members(job *j, const ckda_node *in, bool inner)
{
    static const char *const members[] = {"variables", "relations", "parameters",
                                          "sample",    "assume",    "let",
                                          "holds",     "for",       "theories"};
    const size_t n = sizeof members / sizeof members[0] - (inner ? 1 : 0);
    const char *key;
    json_t *value;
    if (!json_is_object(in->json))
        return ckda_node_fail(in, j->err, "an object", NULL);
    json_object_foreach(in->json, key, value)
    {
        size_t i = 0;
        while (i < n && strcmp(members[i], key) != 0)
            i++;
        ckda_node odd = {value, in, key, 0, in->file};
        if (i == n)
            return ckda_node_fail(&odd, j->err, "a member of the check identity",
                                  "an unknown one");
    }
    return CKDA_OK;
}

static ckda_status
whole(job *j)
{
    const ckda_node *top = j->layer[0];
    ckda_node list, item;
    size_t n;
    if (!ckda_node_has(top, "theories"))
        return theory(j);
    TRY(ckda_node_member(&list, top, "theories", j->err));
    TRY(ckda_node_size(&n, &list, j->err));
    if (n == 0)
        return ckda_node_fail(&list, j->err, "at least one theory", "none");
    for (size_t i = 0; i < n; i++) {
        TRY(ckda_node_item(&item, &list, i, j->err));
        TRY(known_members(j, &item, true));
        j->layer[1] = &item;
        j->nlayers = 2;
        TRY(copies(j, &item, theory));
        j->nlayers = 1;
    }
    return CKDA_OK;
}

static void
describe(job *j)
{
    for (size_t i = 0; i < j->nranges; i++) /* first: a table cuts what is long */
        describe_range(j->ev, &j->range[i]);
    ckda_evidence_scope(j->ev, "%ld scalar statement%s for all values", j->identities,
                        j->identities == 1 ? "" : "s");
    if (j->theories > 1)
        ckda_evidence_scope(j->ev, "%ld theories", j->theories);
    for (size_t i = 0; i < j->nonzero.n; i++)
        ckda_evidence_scope(j->ev, "%s%s", i == 0 ? "where not 0: " : "",
                            j->nonzero.text[i]);
}

ckda_truth
ckda_check_identity(ckda_evidence *ev, const ckda_node *input)
{
    ckda_error err;
    job j = {.ev = ev, .err = &err, .truth = CKDA_TRUE, .layer = {input}, .nlayers = 1};
    ckda_error_clear(&err);
    ckda_evidence_weaken(ev, CKDA_SYMBOLIC);
    ckda_status status = known_members(&j, input, false);
    if (status == CKDA_OK)
        status = copies(&j, input, whole);
    describe(&j);
    for (size_t i = 0; i < j.nranges; i++)
        texts_clear(&j.range[i].values);
    texts_clear(&j.nonzero);
    if (status != CKDA_OK && j.truth != CKDA_FALSE)
        return ckda_evidence_unable(ev, "%s", err.text);
    return j.truth;
}
