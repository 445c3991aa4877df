/* Running one check and judging what it says. */
#include "ckda/claim.h"

#include "ckda/limits.h"
#include "text.h"

static ckda_truth
judge_true(ckda_evidence *ev, const ckda_claim *c)
{
    ckda_require(ev->nfacts == 0, "%s: the check answers TRUE but recorded \"%s\": %s",
                 c->id, ev->facts[0].key, ev->facts[0].value);
    if (ev->checks == 0)
        return ckda_evidence_unable(ev, "the check counted no decision");
    if (ev->strength > c->strength)
        return ckda_evidence_unable(
            ev, "the run reached only \"%s\", the claim declares \"%s\"",
            ckda_strength_name(ev->strength), ckda_strength_name(c->strength));
    return CKDA_TRUE;
}

ckda_truth
ckda_claim_run(ckda_evidence *ev, const ckda_claim *c, json_t *input)
{
    ckda_require(c->status == CKDA_CHECKED, "%s is not a checked claim", c->id);
    char *name = ckda_text_format("input of %s", c->id);
    ckda_doc *doc = ckda_doc_wrap(input != NULL ? input : c->input, name);
    ckda_node root = ckda_doc_root(doc);
    ckda_truth truth = c->check(ev, &root);
    ckda_doc_close(&doc);
    flint_free(name);
    /* A check need not say how strong it is when the document already does. */
    ckda_evidence_weaken(ev, c->strength);
    switch (truth) {
    case CKDA_TRUE:
        return judge_true(ev, c);
    case CKDA_FALSE:
        ckda_require(ev->nfacts > 0, "%s: refuted without a counterexample", c->id);
        return CKDA_FALSE;
    case CKDA_UNKNOWN:
        break;
    }
    return ckda_evidence_unable(ev, "the check did not say why it could not decide");
}

void
ckda_outcome_run(ckda_outcome *o, const ckda_claim *c, const ckda_mutant *m,
                 uint64_t seed, ckda_effort effort)
{
    *o = (ckda_outcome){.claim = c, .mutant = m, .truth = CKDA_UNKNOWN};
    ckda_evidence_init(&o->evidence, seed, effort);
    if (c->status != CKDA_CHECKED) {
        ckda_evidence_weaken(&o->evidence, CKDA_REPORTED);
        return;
    }
    json_t *input = m != NULL ? ckda_mutant_input(c, m) : NULL;
    double start = ckda_wall_seconds();
    o->truth = ckda_claim_run(&o->evidence, c, input);
    o->seconds = ckda_wall_seconds() - start;
    json_decref(input);
}

void
ckda_outcome_clear(ckda_outcome *o)
{
    ckda_evidence_clear(&o->evidence);
}
