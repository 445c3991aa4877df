/* ckda/ledger_net.h -- networks as the inputs of claims describe them.
 *
 * Defined in proofs/, as ckda_ledger_open is (ckda/claim.h): whoever links the ledger has it.
 */
#ifndef CKDA_LEDGER_NET_H
#define CKDA_LEDGER_NET_H
#include "ckda/doc.h"
#include "ckda/net.h"

#ifdef __cplusplus
extern "C" {
#endif

/* {"group": "S5", "letters": ...}, {"dfa": ...}, {"maps": n} or {"wfa": ...} with "method",
 * "scheme" and "block".  *net is set on CKDA_OK only; ckda_net_close. */
CKDA_MUST_CHECK ckda_status ckda_ledger_network(ckda_net **net, const ckda_node *at,
                                                ckda_error *err);

#ifdef __cplusplus
}
#endif
#endif
