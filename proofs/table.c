/* proofs/table.c -- binds the documents compiled in and the checks of claims.def. */
#include "checks.h"
#include "documents.h"

static const ckda_check_entry checks[] = {
#define CKDA_CHECK(name) {#name, ckda_check_##name},
#include "claims.def"
#undef CKDA_CHECK
};

ckda_status
ckda_ledger_open(ckda_ledger **ledger, ckda_error *err)
{
    return ckda_ledger_open_documents(ledger, ckda_proofs_documents,
                                      ckda_proofs_ndocuments, checks,
                                      sizeof checks / sizeof checks[0], err);
}
