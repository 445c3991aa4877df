/* The verification as JSON: schema ckda.verify/1. */
#include "ckda/report.h"

#include "json.h"
#include "verify_json.h"

const char *
verify_effort_name(ckda_effort e)
{
    static const char *const names[] = {
        [CKDA_QUICK] = "quick", [CKDA_FULL] = "full", [CKDA_DEEP] = "deep"};
    return names[e];
}

const char *
ckda_verdict_name(const ckda_outcome *o)
{
    if (o->claim->status == CKDA_OPEN)
        return "not_run";
    if (o->claim->status == CKDA_STATUS_REPORTED)
        return "reported";
    static const char *const names[] = {
        [CKDA_FALSE] = "refuted", [CKDA_TRUE] = "holds", [CKDA_UNKNOWN] = "undecided"};
    return names[o->truth];
}

void
ckda_verification_summary(ckda_summary *s, const ckda_verification *v)
{
    *s = (ckda_summary){.claims = v->nclaims, .mutants = v->nmutants};
    for (size_t i = 0; i < v->nclaims; i++) {
        const ckda_outcome *o = &v->claims[i];
        if (o->claim->status == CKDA_OPEN)
            s->not_run++;
        else if (o->claim->status == CKDA_STATUS_REPORTED)
            s->reported++;
        else if (o->truth == CKDA_TRUE)
            s->holds++;
        else if (o->truth == CKDA_FALSE)
            s->refuted++;
        else
            s->undecided++;
    }
    for (size_t i = 0; i < v->nmutants; i++)
        s->mutants_refuted += v->mutants[i].truth == CKDA_FALSE;
}

/* The facts as an object; a key that comes again gets a number. */
static json_t *
counterexample(const ckda_outcome *o)
{
    if (o->truth != CKDA_FALSE)
        return json_null();
    json_t *facts = json_object();
    for (size_t i = 0; i < o->evidence.nfacts; i++) {
        const ckda_fact *f = &o->evidence.facts[i];
        char key[128];
        snprintf(key, sizeof key, "%s", f->key);
        for (int n = 2; json_object_get(facts, key) != NULL; n++)
            snprintf(key, sizeof key, "%.100s#%d", f->key, n);
        json_put_text(facts, key, f->value);
    }
    return facts;
}

static const char *
problem(const ckda_outcome *o)
{
    bool undecided = o->claim->status == CKDA_CHECKED && o->truth == CKDA_UNKNOWN;
    return undecided ? o->evidence.problem.text : NULL;
}

json_t *
verify_claim_json(const ckda_outcome *o)
{
    const ckda_claim *c = o->claim;
    json_t *object = json_object();
    json_put_text(object, "id", c->id);
    json_put_text(object, "target", c->target);
    json_put_text(object, "title", c->title);
    json_put(object, "source", json_source(c));
    json_put_text(object, "strength",
                  c->status == CKDA_OPEN ? NULL
                                         : ckda_strength_name(o->evidence.strength));
    json_put_text(object, "verdict", ckda_verdict_name(o));
    json_put_text(object, "scope", o->evidence.scope);
    json_put_count(object, "checks", o->evidence.checks);
    json_put(object, "seconds", json_real(o->seconds));
    json_put(object, "human_steps", json_texts(c->human_steps));
    json_put(object, "counterexample", counterexample(o));
    json_put(object, "errata", json_texts(c->errata));
    json_put_text(object, "problem", problem(o));
    json_put_text(object, "reason", c->reason);
    return object;
}

json_t *
verify_mutant_json(const ckda_outcome *o)
{
    json_t *object = json_object();
    json_put_text(object, "id", o->mutant->name);
    json_put_text(object, "claim", o->claim->id);
    json_put_bool(object, "refuted", o->truth == CKDA_FALSE);
    json_put(object, "counterexample", counterexample(o));
    json_put_text(object, "note", o->mutant->note);
    json_put_text(object, "verdict", ckda_verdict_name(o));
    json_put(object, "seconds", json_real(o->seconds));
    json_put_text(object, "problem", problem(o));
    return object;
}

json_t *
verify_summary_json(const ckda_verification *v)
{
    ckda_summary s;
    json_t *object = json_object();
    ckda_verification_summary(&s, v);
    json_put_count(object, "claims", s.claims);
    json_put_count(object, "holds", s.holds);
    json_put_count(object, "refuted", s.refuted);
    json_put_count(object, "undecided", s.undecided);
    json_put_count(object, "not_run", s.not_run);
    json_put_count(object, "reported", s.reported);
    if (v->with_mutants) {
        json_put_count(object, "mutants", s.mutants);
        json_put_count(object, "mutants_refuted", s.mutants_refuted);
    }
    return object;
}

void
ckda_report_verify_json(FILE *out, const ckda_verification *v)
{
    json_t *document = json_object(), *claims = json_array(), *mutants = json_array();
    for (size_t i = 0; i < v->nclaims; i++)
        json_append(claims, verify_claim_json(&v->claims[i]));
    for (size_t i = 0; i < v->nmutants; i++)
        json_append(mutants, verify_mutant_json(&v->mutants[i]));
    json_put_text(document, "schema", "ckda.verify/1");
    json_put_text(document, "version", ckda_report_version());
    json_put_count(document, "seed", v->seed);
    json_put_text(document, "effort", verify_effort_name(v->effort));
    json_put(document, "claims", claims);
    if (v->with_mutants)
        json_put(document, "mutants", mutants);
    else
        json_decref(mutants);
    json_put(document, "summary", verify_summary_json(v));
    json_print(out, document);
}
