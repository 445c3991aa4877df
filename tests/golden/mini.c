/* A ledger for the tests of the command line: its one check does what its input says. */
#include <stdlib.h>
#include <string.h>
#include "ckda/ledger_net.h"
#include "ckda/claim.h"

static ckda_truth
obey(ckda_evidence *ev, const ckda_node *input)
{
    const char *order;
    if (ckda_node_get_string(&order, input, "do", NULL) != CKDA_OK)
        return ckda_evidence_unable(ev, "no order");
    ckda_evidence_scope(ev, "order \"%s\"", order);
    if (strcmp(order, "count nothing") == 0)
        return CKDA_TRUE;
    ckda_evidence_count(ev, 2);
    if (strcmp(order, "hold") == 0)
        return CKDA_TRUE;
    if (strcmp(order, "refute") == 0) {
        ckda_evidence_fact(ev, "failed", "x == y");
        ckda_evidence_fact(ev, "point", "x=1, y=2");
        return CKDA_FALSE;
    }
    if (strcmp(order, "refute without a fact") == 0)
        return CKDA_FALSE;
    if (strcmp(order, "weaken") == 0) {
        ckda_evidence_weaken(ev, CKDA_INSTANCES);
        return CKDA_TRUE;
    }
    if (strcmp(order, "crash") == 0)
        abort();
    return ckda_evidence_unable(ev, "a limit was reached");
}

#define SOURCE "\"source\": {\"document\": \"paper\", \"where\": \"App. A\"}"
#define CLAIM(id, order, to, more)                                                       \
    "{\"id\": \"" id "\", \"title\": \"claim " id "\", \"statement\": \"It " order       \
    "s.\","                                                                              \
    "\"status\": \"checked\", \"strength\": \"symbolic\", \"why\": \"It obeys.\"," more  \
    "\"check\": \"obey\", \"input\": {\"do\": \"" order "\"}, \"mutants\": [{\"name\": " \
    "\"order\", \"note\": \"another order\", \"at\": \"/do\", \"to\": \"" to "\"}]}"

static const ckda_ledger_document documents[] = {
    {"good.json",
     "{\"target\": \"good\", \"title\": \"Theorem 1: what holds\", " SOURCE
     ", \"claims\": [" CLAIM(
         "g1", "hold", "refute",
         "\"aliases\": [\"first\"],") "," CLAIM("g2", "hold", "refute",
                                                "\"human_steps\": [\"a "
                                                "classification\"], \"errata\": "
                                                "[\"a.E1: a sign\"], \"not_shown\": "
                                                "\"Everything else.\",") "]}"},
    {"bad.json",
     "{\"target\": \"bad\", \"title\": \"Theorem 2: what does not\", " SOURCE
     ", \"claims\": [" CLAIM("refuted", "refute", "hold", "") "," CLAIM(
         "undecided", "wait", "wait longer",
         "") "," CLAIM("weak", "weaken", "refute",
                       "") "," CLAIM("nothing", "count nothing", "refute", "") "]}"},
    {"broken.json",
     "{\"target\": \"broken\", \"title\": \"Theorem 3: faulty checks\", " SOURCE
     ", \"claims\": [" CLAIM("lies", "refute without a fact", "refute",
                             "") "," CLAIM("crashes", "crash", "refute", "") "]}"},
    {"rest.json",
     "{\"target\": \"rest\", \"title\": \"Theorem 4: not checked\", " SOURCE
     ", \"claims\": ["
     "{\"id\": \"o1\", \"title\": \"open one\", \"statement\": \"s\", \"status\": "
     "\"open\", "
     "\"reason\": \"needs a search\"},"
     "{\"id\": \"r1\", \"title\": \"reported one\", \"statement\": \"s\", \"status\": "
     "\"reported\", \"reason\": \"was measured on hardware\"}]}"}};

ckda_status
ckda_ledger_open(ckda_ledger **ledger, ckda_error *err)
{
    static const ckda_check_entry checks[] = {{"obey", obey}};
    return ckda_ledger_open_documents(
        ledger, documents, sizeof documents / sizeof documents[0], checks, 1, err);
}

ckda_status
ckda_ledger_network(ckda_net **net, const ckda_node *at, ckda_error *err)
{
    (void)net;
    return ckda_node_fail(at, err, "a ledger with networks", NULL);
}
