/* Reads one document of the ledger.  Strict: every member is known and wanted, so that a
 * misspelt one is a fault of the build and never a check that silently did not happen. */
#include "ledger_int.h"

#include <string.h>
#include "text.h"

#define TRY(call)                                                                        \
    do {                                                                                 \
        ckda_status try_status = (call);                                                 \
        if (try_status != CKDA_OK)                                                       \
            return try_status;                                                           \
    } while (0)

/* ---- small readers ---------------------------------------------------------------- */

static bool
listed(const char *const *names, const char *name)
{
    for (; *names != NULL; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* "`a', `b' or `c'" would be prettier; a plain list is enough for a writer of documents.
 */
static char *
join(const char *const *names)
{
    char *text = ckda_text_format("%s", names[0]);
    for (names++; *names != NULL; names++) {
        char *longer = ckda_text_format("%s, %s", text, *names);
        flint_free(text);
        text = longer;
    }
    return text;
}

static ckda_status
fail_unlisted(const ckda_node *at, const char *const *names, const char *found,
              ckda_error *err)
{
    char *text = join(names);
    char *expected = ckda_text_format("one of %s", text);
    ckda_status status = ckda_node_fail(at, err, expected, found);
    flint_free(expected);
    flint_free(text);
    return status;
}

/* An object whose members are all among the given ones. */
static ckda_status
object_with(const ckda_node *at, const char *const *members, ckda_error *err)
{
    const char *key;
    json_t *value;
    if (!json_is_object(at->json))
        return ckda_node_fail(at, err, "an object", NULL);
    json_object_foreach(at->json, key, value) if (!listed(members, key))
    {
        ckda_node odd = {value, at, key, 0, at->file};
        return fail_unlisted(&odd, members, "this member", err);
    }
    return CKDA_OK;
}

/* A member that is a string with something in it. */
static ckda_status
text_member(const char **s, const ckda_node *in, const char *key, ckda_error *err)
{
    const char *text;
    TRY(ckda_node_get_string(&text, in, key, err));
    if (text[0] == '\0') {
        ckda_node at;
        TRY(ckda_node_member(&at, in, key, err));
        return ckda_node_fail(&at, err, "a text", "an empty string");
    }
    *s = text;
    return CKDA_OK;
}

static ckda_status
optional_text(const char **s, const ckda_node *in, const char *key, ckda_error *err)
{
    return ckda_node_has(in, key) ? text_member(s, in, key, err) : CKDA_OK;
}

/* A string from a short list; *index is its place there. */
static ckda_status
choice_member(int *index, const ckda_node *in, const char *key,
              const char *const *choices, ckda_error *err)
{
    const char *text;
    TRY(ckda_node_get_string(&text, in, key, err));
    for (int i = 0; choices[i] != NULL; i++)
        if (strcmp(choices[i], text) == 0) {
            *index = i;
            return CKDA_OK;
        }
    ckda_node at;
    TRY(ckda_node_member(&at, in, key, err));
    char *found = ckda_text_format("\"%s\"", text);
    ckda_status status = fail_unlisted(&at, choices, found, err);
    flint_free(found);
    return status;
}

/* Ids and names are typed in shells, used as patterns and joined by "/". */
static ckda_status
name_member(const char **s, const ckda_node *in, const char *key, ckda_error *err)
{
    const char *text = NULL;
    TRY(text_member(&text, in, key, err));
    if (strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_+")
        != strlen(text)) {
        ckda_node at;
        TRY(ckda_node_member(&at, in, key, err));
        return ckda_node_fail(&at, err, "letters, digits and . - _ + only", NULL);
    }
    *s = text;
    return CKDA_OK;
}

/* An optional list of texts as a NULL-terminated array; the caller owns the array only.
 */
static ckda_status
texts_member(const char ***texts, const ckda_node *in, const char *key, ckda_error *err)
{
    size_t n = 0;
    ckda_node list, item;
    if (ckda_node_has(in, key)) {
        TRY(ckda_node_member(&list, in, key, err));
        TRY(ckda_node_size(&n, &list, err));
    }
    *texts = flint_calloc(n + 1, sizeof **texts);
    for (size_t i = 0; i < n; i++) {
        TRY(ckda_node_item(&item, &list, i, err));
        TRY(ckda_node_string(&(*texts)[i], &item, err));
        if ((*texts)[i][0] == '\0')
            return ckda_node_fail(&item, err, "a text", "an empty string");
    }
    return CKDA_OK;
}

/* ---- parts of a claim ------------------------------------------------------------- */

static ckda_status
source_member(const char **document, const char **where, const ckda_node *in,
              ckda_error *err)
{
    static const char *const members[] = {"document", "where", NULL};
    static const char *const documents[] = {"paper", "slides", "course page",
                                            "this project", NULL};
    ckda_node source;
    int index;
    TRY(ckda_node_member(&source, in, "source", err));
    TRY(object_with(&source, members, err));
    TRY(choice_member(&index, &source, "document", documents, err));
    *document = documents[index];
    return text_member(where, &source, "where", err);
}

/* Errata start with their number: "a.E3: ...". */
static ckda_status
check_errata(const ckda_node *in, ckda_error *err)
{
    size_t n;
    ckda_node list, item;
    if (!ckda_node_has(in, "errata"))
        return CKDA_OK;
    TRY(ckda_node_member(&list, in, "errata", err));
    TRY(ckda_node_size(&n, &list, err));
    for (size_t i = 0; i < n; i++) {
        const char *text;
        TRY(ckda_node_item(&item, &list, i, err));
        TRY(ckda_node_string(&text, &item, err));
        bool numbered =
            text[0] >= 'a' && text[0] <= 'z' && text[1] == '.' && text[2] == 'E';
        size_t digits = numbered ? strspn(text + 3, "0123456789") : 0;
        if (digits == 0 || text[3 + digits] != ':')
            return ckda_node_fail(&item, err, "an erratum \"a.E1: ...\"", NULL);
    }
    return CKDA_OK;
}

static ckda_status
read_mutant(ckda_mutant *m, const ckda_claim *c, const ckda_node *in, ckda_error *err)
{
    static const char *const members[] = {"name", "note", "at", "to", NULL};
    const char *name = NULL;
    TRY(object_with(in, members, err));
    TRY(name_member(&name, in, "name", err));
    TRY(text_member(&m->note, in, "note", err));
    TRY(text_member(&m->at, in, "at", err));
    m->to = json_object_get(in->json, "to");
    json_t *input = ckda_json_patched(c->input, m->at, m->to);
    if (input == NULL) {
        ckda_node at;
        TRY(ckda_node_member(&at, in, "at", err));
        return ckda_node_fail(
            &at, err, "a JSON pointer to a value of the input other than \"to\"", NULL);
    }
    json_decref(input);
    for (size_t i = 0; i < c->nmutants; i++)
        if (strcmp(c->mutants[i].name + strlen(c->id) + 1, name) == 0)
            return ckda_node_fail(in, err, "a new mutant name", name);
    m->name = ckda_text_format("%s/%s", c->id, name);
    return CKDA_OK;
}

static ckda_status
read_mutants(ckda_claim *c, const ckda_node *in, ckda_error *err)
{
    size_t n;
    ckda_node list, item;
    TRY(ckda_node_member(&list, in, "mutants", err));
    TRY(ckda_node_size(&n, &list, err));
    if (n == 0)
        return ckda_node_fail(&list, err, "at least one mutant", "none");
    ckda_mutant *mutants = flint_calloc(n, sizeof *mutants);
    c->mutants = mutants;
    for (size_t i = 0; i < n; i++) {
        TRY(ckda_node_item(&item, &list, i, err));
        TRY(read_mutant(&mutants[i], c, &item, err));
        c->nmutants = i + 1;
    }
    return CKDA_OK;
}

static ckda_status
find_check(ckda_claim *c, const ckda_node *in, const ckda_check_table *table,
           ckda_error *err)
{
    ckda_node at;
    TRY(ckda_node_get_string(&c->check_name, in, "check", err));
    for (size_t i = 0; i < table->nchecks; i++)
        if (strcmp(table->checks[i].name, c->check_name) == 0) {
            c->check = table->checks[i].check;
            return CKDA_OK;
        }
    TRY(ckda_node_member(&at, in, "check", err));
    return ckda_node_fail(&at, err, "the name of a check in claims.def", NULL);
}

static ckda_status
read_checked(ckda_claim *c, const ckda_node *in, const ckda_check_table *table,
             ckda_error *err)
{
    static const char *const strengths[] = {"exhaustive", "symbolic", "certificate",
                                            "instances",  "measured", NULL};
    int strength;
    ckda_node input;
    TRY(choice_member(&strength, in, "strength", strengths, err));
    c->strength = (ckda_strength)strength;
    TRY(text_member(&c->why, in, "why", err));
    TRY(find_check(c, in, table, err));
    TRY(ckda_node_member(&input, in, "input", err));
    if (!json_is_object(input.json))
        return ckda_node_fail(&input, err, "an object", NULL);
    c->input = input.json;
    return read_mutants(c, in, err);
}

/* ---- claims and documents --------------------------------------------------------- */

static const char *const checked_members[] = {
    "id",       "title", "source",    "statement",   "status",
    "strength", "why",   "not_shown", "human_steps", "errata",
    "aliases",  "check", "input",     "mutants",     NULL};
static const char *const unchecked_members[] = {
    "id",        "title",       "source", "statement", "status", "reason",
    "not_shown", "human_steps", "errata", "aliases",   NULL};

static ckda_status
read_claim(ckda_claim *c, const ckda_node *in, const ckda_check_table *table,
           ckda_error *err)
{
    static const char *const statuses[] = {"checked", "reported", "open", NULL};
    int status;
    if (!json_is_object(in->json))
        return ckda_node_fail(in, err, "an object", NULL);
    TRY(name_member(&c->id, in, "id", err));
    TRY(text_member(&c->title, in, "title", err));
    TRY(text_member(&c->statement, in, "statement", err));
    TRY(choice_member(&status, in, "status", statuses, err));
    c->status = (ckda_claim_status)status;
    TRY(object_with(in, c->status == CKDA_CHECKED ? checked_members : unchecked_members,
                    err));
    if (ckda_node_has(in, "source"))
        TRY(source_member(&c->document, &c->where, in, err));
    TRY(optional_text(&c->not_shown, in, "not_shown", err));
    TRY(texts_member(&c->human_steps, in, "human_steps", err));
    TRY(texts_member(&c->errata, in, "errata", err));
    TRY(check_errata(in, err));
    TRY(texts_member(&c->aliases, in, "aliases", err));
    if (c->status == CKDA_CHECKED)
        return read_checked(c, in, table, err);
    c->strength = CKDA_REPORTED;
    return text_member(&c->reason, in, "reason", err);
}

/* No name may lead to two claims, but claims of one document may share an alias: a
 * theorem in parts. */
static ckda_status
check_names(const ckda_ledger *ledger, const ckda_claim *c, const ckda_node *in,
            ckda_error *err)
{
    ckda_node at;
    const ckda_claim *other = ckda_ledger_find(ledger, c->id);
    if (other != NULL) {
        TRY(ckda_node_member(&at, in, "id", err));
        return ckda_node_fail(&at, err, "an id that no other claim has", NULL);
    }
    for (const char **alias = c->aliases; *alias != NULL; alias++) {
        other = ckda_ledger_find(ledger, *alias);
        if (other != NULL
            && !(other->target == c->target && strcmp(other->id, *alias) != 0)) {
            TRY(ckda_node_member(&at, in, "aliases", err));
            return ckda_node_fail(&at, err, "no id, and no alias of another document",
                                  *alias);
        }
    }
    return CKDA_OK;
}

/* proofs/cor19.json must have the target cor19, so that both are unique together. */
static ckda_status
check_target(const ckda_ledger *ledger, const char *target, const ckda_node *root,
             ckda_error *err)
{
    ckda_node at;
    TRY(ckda_node_member(&at, root, "target", err));
    const char *slash = strrchr(root->file, '/');
    const char *base = slash != NULL ? slash + 1 : root->file;
    size_t length = strlen(target);
    if (strncmp(base, target, length) != 0 || strcmp(base + length, ".json") != 0)
        return ckda_node_fail(&at, err, "the name of the file without .json", NULL);
    if (ckda_ledger_target(ledger, target) != NULL)
        return ckda_node_fail(&at, err, "a target that no other document has", NULL);
    return CKDA_OK;
}

static ckda_status
read_claims(ckda_ledger *ledger, const ckda_node *root, const ckda_claim *common,
            const ckda_check_table *table, ckda_error *err)
{
    size_t n;
    ckda_node list, item;
    TRY(ckda_node_member(&list, root, "claims", err));
    TRY(ckda_node_size(&n, &list, err));
    if (n == 0)
        return ckda_node_fail(&list, err, "at least one claim", "none");
    ledger->claims =
        flint_realloc(ledger->claims, (ledger->nclaims + n) * sizeof *ledger->claims);
    for (size_t i = 0; i < n; i++) {
        TRY(ckda_node_item(&item, &list, i, err));
        ckda_claim *c = &ledger->claims[ledger->nclaims];
        *c = *common;
        ckda_status status = read_claim(c, &item, table, err);
        if (status == CKDA_OK)
            status = check_names(ledger, c, &item, err);
        ledger->nclaims++; /* from here on the ledger frees it, complete or not */
        if (status != CKDA_OK)
            return status;
    }
    return CKDA_OK;
}

ckda_status
ckda_ledger_read(ckda_ledger *ledger, const ckda_doc *doc, const ckda_check_table *table,
                 ckda_error *err)
{
    static const char *const members[] = {"target", "title", "source", "claims", NULL};
    ckda_node root = ckda_doc_root(doc);
    ckda_claim common = {0};
    ckda_target target;
    TRY(object_with(&root, members, err));
    TRY(name_member(&target.name, &root, "target", err));
    TRY(text_member(&target.title, &root, "title", err));
    TRY(check_target(ledger, target.name, &root, err));
    TRY(source_member(&common.document, &common.where, &root, err));
    target.where = ckda_text_format("%s, %s", common.document, common.where);
    ledger->targets[ledger->ntargets++] = target;
    common.target = target.name;
    return read_claims(ledger, &root, &common, table, err);
}
