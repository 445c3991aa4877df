/* The ledger: opening, closing, looking things up. */
#include "ledger_int.h"

#include <fnmatch.h>
#include <string.h>

static ckda_status
read_all(ckda_ledger *ledger, const ckda_ledger_document *documents, size_t n,
         const ckda_check_table *table, ckda_error *err)
{
    for (size_t i = 0; i < n; i++) {
        ckda_doc *doc = NULL;
        ckda_status status =
            ckda_doc_parse(&doc, documents[i].text, documents[i].name, err);
        if (status != CKDA_OK)
            return status;
        ledger->docs[ledger->ndocs++] = doc;
        status = ckda_ledger_read(ledger, doc, table, err);
        if (status != CKDA_OK)
            return status;
    }
    return CKDA_OK;
}

ckda_status
ckda_ledger_open_documents(ckda_ledger **ledger, const ckda_ledger_document *documents,
                           size_t ndocuments, const ckda_check_entry *checks,
                           size_t nchecks, ckda_error *err)
{
    ckda_ledger *l = flint_calloc(1, sizeof *l);
    l->docs = flint_calloc(ndocuments + 1, sizeof *l->docs);
    l->targets = flint_calloc(ndocuments + 1, sizeof *l->targets);
    ckda_check_table table = {checks, nchecks};
    ckda_status status = read_all(l, documents, ndocuments, &table, err);
    if (status != CKDA_OK)
        ckda_ledger_close(&l);
    else
        *ledger = l;
    return status;
}

static void
clear_claim(ckda_claim *c)
{
    for (size_t i = 0; i < c->nmutants; i++)
        flint_free((char *)c->mutants[i].name);
    flint_free((ckda_mutant *)c->mutants);
    flint_free(c->human_steps);
    flint_free(c->errata);
    flint_free(c->aliases);
}

void
ckda_ledger_close(ckda_ledger **ledger)
{
    ckda_ledger *l = *ledger;
    if (l == NULL)
        return;
    for (size_t i = 0; i < l->nclaims; i++)
        clear_claim(&l->claims[i]);
    for (size_t i = 0; i < l->ntargets; i++)
        flint_free((char *)l->targets[i].where);
    for (size_t i = 0; i < l->ndocs; i++)
        ckda_doc_close(&l->docs[i]);
    flint_free(l->claims);
    flint_free(l->targets);
    flint_free(l->docs);
    flint_free(l);
    *ledger = NULL;
}

size_t
ckda_ledger_size(const ckda_ledger *ledger)
{
    return ledger->nclaims;
}

const ckda_claim *
ckda_ledger_claim(const ckda_ledger *ledger, size_t i)
{
    ckda_require(i < ledger->nclaims, "claim %zu of %zu", i, ledger->nclaims);
    return &ledger->claims[i];
}

bool
ckda_claim_is_called(const ckda_claim *c, const char *name)
{
    if (strcmp(c->id, name) == 0)
        return true;
    for (const char **alias = c->aliases; *alias != NULL; alias++)
        if (strcmp(*alias, name) == 0)
            return true;
    return false;
}

const ckda_claim *
ckda_ledger_find(const ckda_ledger *ledger, const char *id)
{
    for (size_t i = 0; i < ledger->nclaims; i++)
        if (ckda_claim_is_called(&ledger->claims[i], id))
            return &ledger->claims[i];
    return NULL;
}

const ckda_target *
ckda_ledger_target(const ckda_ledger *ledger, const char *name)
{
    for (size_t i = 0; i < ledger->ntargets; i++)
        if (strcmp(ledger->targets[i].name, name) == 0)
            return &ledger->targets[i];
    return NULL;
}

bool
ckda_claim_matches(const ckda_claim *c, const char *pattern)
{
    if (fnmatch(pattern, c->id, 0) == 0 || fnmatch(pattern, c->target, 0) == 0)
        return true;
    for (const char **alias = c->aliases; *alias != NULL; alias++)
        if (fnmatch(pattern, *alias, 0) == 0)
            return true;
    return false;
}
