/* The cores of a joining claim. */
#include "cores.h"

#include <stdlib.h>
#include <string.h>

/* The value at a JSON pointer without escapes, or NULL. */
static const json_t *
value_at(const json_t *tree, const char *pointer)
{
    char token[64];
    while (tree != NULL && *pointer == '/') {
        const size_t length = strcspn(++pointer, "/");
        if (length >= sizeof token)
            return NULL;
        memcpy(token, pointer, length);
        token[length] = '\0';
        pointer += length;
        tree = json_is_array(tree)
                   ? json_array_get(tree, (size_t)strtoul(token, NULL, 10))
                   : json_object_get(tree, token);
    }
    return tree;
}

/* Is the value that the join uses the one that the core checked? */
static ckda_truth
check_tie(ckda_evidence *ev, const ckda_claim *c, const ckda_node *in,
          const ckda_node *core)
{
    const char *at, *use;
    if (!ckda_node_has(core, "at"))
        return CKDA_TRUE;
    if (ckda_node_get_string(&at, core, "at", &ev->problem) != CKDA_OK
        || ckda_node_get_string(&use, core, "use", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    const json_t *there = value_at(c->input, at), *here = value_at(in->json, use);
    if (there == NULL || here == NULL)
        return ckda_evidence_unable(ev, "no value at %s of %s or at %s", at, c->id, use);
    const ckda_truth truth = ckda_evidence_expect(
        ev, json_equal(there, here), "%s checks another value at %s", c->id, at);
    if (truth == CKDA_FALSE) {
        char *text = json_dumps(there, JSON_ENCODE_ANY | JSON_COMPACT);
        ckda_evidence_fact(ev, "there", "%s", text);
        free(text);
    }
    return truth;
}

static ckda_truth
run_claim(ckda_evidence *ev, const ckda_claim *c)
{
    ckda_evidence own;
    ckda_evidence_init(&own, ev->seed, ev->effort);
    ckda_truth truth = ckda_claim_run(&own, c, NULL);
    ckda_evidence_count(ev, own.checks);
    ckda_evidence_weaken(ev, own.strength);
    if (truth == CKDA_FALSE) {
        ckda_evidence_fact(ev, "failed", "the core %s", c->id);
        ckda_evidence_fact(ev, own.facts[0].key, "%s", own.facts[0].value);
    } else if (truth == CKDA_UNKNOWN) {
        (void)ckda_evidence_unable(ev, "%s: %s", c->id, own.problem.text);
    }
    ckda_evidence_clear(&own);
    return truth;
}

static ckda_truth
run_core(ckda_evidence *ev, const ckda_ledger *l, const ckda_node *in,
         const ckda_node *core)
{
    static const char *const known[] = {"claim", "at", "use"};
    const char *id;
    if (ckda_node_only(core, known, 3, &ev->problem) != CKDA_OK
        || ckda_node_get_string(&id, core, "claim", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    const ckda_claim *c = ckda_ledger_find(l, id);
    if (c == NULL || c->status != CKDA_CHECKED)
        return ckda_evidence_unable(ev, "%s is not a checked claim", id);
    if (json_object_get(c->input, "cores") != NULL)
        return ckda_evidence_unable(ev, "%s rests on cores itself", id);
    const ckda_truth truth = check_tie(ev, c, in, core);
    return truth == CKDA_TRUE ? run_claim(ev, c) : truth;
}

ckda_truth
cores_run(ckda_evidence *ev, const ckda_node *in)
{
    ckda_node list, core;
    ckda_ledger *l = NULL;
    size_t n;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&list, in, "cores", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (n == 0)
        return ckda_evidence_unable(ev, "no cores");
    if (ckda_ledger_open(&l, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&core, &list, i, &ev->problem) == CKDA_OK
                    ? run_core(ev, l, in, &core)
                    : CKDA_UNKNOWN;
    ckda_ledger_close(&l);
    ckda_evidence_scope(ev, "%zu cores run again", n);
    return truth;
}
