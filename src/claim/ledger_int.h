/* The ledger's inside, shared by ledger.c (owner, queries) and ledger_read.c (documents).
 */
#ifndef CKDA_SRC_CLAIM_LEDGER_INT_H
#define CKDA_SRC_CLAIM_LEDGER_INT_H
#include "ckda/claim.h"

/* Strings of claims and targets are borrowed from the documents, except the ones that are
 * put together here: target.where and mutant.name. */
struct ckda_ledger {
    ckda_doc **docs;
    ckda_target *targets; /* one a document */
    size_t ndocs, ntargets;
    ckda_claim *claims;
    size_t nclaims;
};

typedef struct {
    const ckda_check_entry *checks;
    size_t nchecks;
} ckda_check_table;

/* Appends the target and the claims of one document, which the ledger already owns.  On
 * failure the ledger is still fit to be closed. */
CKDA_MUST_CHECK ckda_status ckda_ledger_read(ckda_ledger *ledger, const ckda_doc *doc,
                                             const ckda_check_table *table,
                                             ckda_error *err);

#endif
