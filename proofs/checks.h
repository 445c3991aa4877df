/* proofs/checks.h -- prototypes of all checks in claims.def; every proofs/NAME.c includes
 * it. */
#ifndef CKDA_PROOFS_CHECKS_H
#define CKDA_PROOFS_CHECKS_H
#include "ckda/claim.h"

#define CKDA_CHECK(name)                                                                 \
    ckda_truth ckda_check_##name(ckda_evidence *ev, const ckda_node *input);
#include "claims.def"
#undef CKDA_CHECK

#endif
