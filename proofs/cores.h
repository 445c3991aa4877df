/* proofs/cores.h -- claims that join others: the others are run again, not cited.       */
#ifndef CKDA_PROOFS_CORES_H
#define CKDA_PROOFS_CORES_H
#include "ckda/claim.h"

/* in's "cores": a list of {"claim": ID}, or of {"claim": ID, "at": POINTER, "use": POINTER},
 * which also says that the core's own input has, at the first pointer, the value that stands
 * in `in` at the second: the number that the joining argument uses is the number that the
 * core checked.  Each core runs on its own input; its decisions are counted, its strength
 * counts.  CKDA_FALSE with the core's counterexample; CKDA_UNKNOWN when a core is not
 * decided, does not exist or joins others itself. */
CKDA_MUST_CHECK ckda_truth cores_run(ckda_evidence *ev, const ckda_node *in);

#endif
