/* proofs/documents.h -- the documents of the ledger; tools/embed_ledger.py writes the
 * table. */
#ifndef CKDA_PROOFS_DOCUMENTS_H
#define CKDA_PROOFS_DOCUMENTS_H
#include "ckda/claim.h"

extern const ckda_ledger_document ckda_proofs_documents[];
extern const size_t ckda_proofs_ndocuments;

#endif
