/* The evidence record: counting, scope, facts.  Knows no matrices (evidence_exact.c
 * does). */
#include "ckda/evidence.h"

#include <stdio.h>
#include <string.h>
#include "text.h"

static const char *const strength_names[] = {
    [CKDA_EXHAUSTIVE] = "exhaustive",   [CKDA_SYMBOLIC] = "symbolic",
    [CKDA_CERTIFICATE] = "certificate", [CKDA_INSTANCES] = "instances",
    [CKDA_MEASURED] = "measured",       [CKDA_REPORTED] = "reported",
};

const char *
ckda_strength_name(ckda_strength s)
{
    ckda_require((size_t)s < sizeof strength_names / sizeof strength_names[0],
                 "no strength has number %d", (int)s);
    return strength_names[s];
}

void
ckda_evidence_init(ckda_evidence *ev, uint64_t seed, ckda_effort effort)
{
    *ev = (ckda_evidence){.seed = seed, .effort = effort, .strength = CKDA_EXHAUSTIVE};
    ckda_error_clear(&ev->problem);
}

void
ckda_evidence_clear(ckda_evidence *ev)
{
    for (size_t i = 0; i < ev->nfacts; i++) {
        flint_free(ev->facts[i].key);
        flint_free(ev->facts[i].value);
    }
    flint_free(ev->facts);
    flint_free(ev->scope);
    *ev = (ckda_evidence){0};
}

void
ckda_evidence_count(ckda_evidence *ev, uint64_t n)
{
    ev->checks += n;
}

void
ckda_evidence_weaken(ckda_evidence *ev, ckda_strength s)
{
    if (s > ev->strength)
        ev->strength = s;
}

void
ckda_evidence_scope(ckda_evidence *ev, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *part = ckda_text_vformat(fmt, ap);
    va_end(ap);
    if (ev->scope == NULL) {
        ev->scope = part;
        return;
    }
    char *joined = ckda_text_format("%s; %s", ev->scope, part);
    flint_free(ev->scope);
    flint_free(part);
    ev->scope = joined;
}

static void
add_fact(ckda_evidence *ev, const char *key, char *value)
{
    ev->facts = flint_realloc(ev->facts, (ev->nfacts + 1) * sizeof *ev->facts);
    ev->facts[ev->nfacts].key = ckda_text_format("%s", key);
    ev->facts[ev->nfacts].value = value;
    ev->nfacts++;
}

void
ckda_evidence_fact(ckda_evidence *ev, const char *key, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add_fact(ev, key, ckda_text_vformat(fmt, ap));
    va_end(ap);
}

ckda_truth
ckda_evidence_differ_long(ckda_evidence *ev, const char *what, long got, long want)
{
    ckda_evidence_fact(ev, "failed", "%s", what);
    ckda_evidence_fact(ev, "got", "%ld", got);
    ckda_evidence_fact(ev, "want", "%ld", want);
    return CKDA_FALSE;
}

ckda_truth
ckda_evidence_expect_long(ckda_evidence *ev, const char *what, long got, long want)
{
    ckda_evidence_count(ev, 1);
    return got == want ? CKDA_TRUE : ckda_evidence_differ_long(ev, what, got, want);
}

ckda_truth
ckda_evidence_expect(ckda_evidence *ev, bool cond, const char *fmt, ...)
{
    ckda_evidence_count(ev, 1);
    if (cond)
        return CKDA_TRUE;
    va_list ap;
    va_start(ap, fmt);
    add_fact(ev, "failed", ckda_text_vformat(fmt, ap));
    va_end(ap);
    return CKDA_FALSE;
}

ckda_truth
ckda_evidence_unable(ckda_evidence *ev, const char *fmt, ...)
{
    /* The first reason is the one that the later ones follow from. */
    if (ev->problem.text[0] != '\0')
        return CKDA_UNKNOWN;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(ev->problem.text, sizeof ev->problem.text, fmt, ap);
    va_end(ap);
    return CKDA_UNKNOWN;
}
