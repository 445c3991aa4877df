/* JUnit XML, as continuous-integration servers read it. */
#include "ckda/report.h"

#include <string.h>
#include <libxml/parser.h>
#include <libxml/xmlwriter.h>

static void
attribute(xmlTextWriterPtr w, const char *name, const char *value)
{
    xmlTextWriterWriteAttribute(w, BAD_CAST name, BAD_CAST value);
}

static void
counter(xmlTextWriterPtr w, const char *name, size_t n)
{
    xmlTextWriterWriteFormatAttribute(w, BAD_CAST name, "%zu", n);
}

static void
body(xmlTextWriterPtr w, const ckda_evidence *ev)
{
    for (size_t i = 0; i < ev->nfacts; i++) {
        xmlTextWriterWriteString(w, BAD_CAST ev->facts[i].key);
        xmlTextWriterWriteString(w, BAD_CAST ": ");
        xmlTextWriterWriteString(w, BAD_CAST ev->facts[i].value);
        xmlTextWriterWriteString(w, BAD_CAST "\n");
    }
}

typedef enum { PASSED, FAILED, UNDECIDED, SKIPPED } result;

static result
result_of(const ckda_outcome *o)
{
    if (o->claim->status != CKDA_CHECKED)
        return SKIPPED;
    if (o->truth == CKDA_UNKNOWN)
        return UNDECIDED;
    return o->truth == (o->mutant != NULL ? CKDA_FALSE : CKDA_TRUE) ? PASSED : FAILED;
}

static void
testcase(xmlTextWriterPtr w, const ckda_outcome *o)
{
    const ckda_claim *c = o->claim;
    xmlTextWriterStartElement(w, BAD_CAST "testcase");
    attribute(w, "classname", c->target);
    attribute(w, "name", o->mutant != NULL ? o->mutant->name : c->id);
    xmlTextWriterWriteFormatAttribute(w, BAD_CAST "time", "%.6f", o->seconds);
    switch (result_of(o)) {
    case PASSED:
        break;
    case FAILED:
        xmlTextWriterStartElement(w, BAD_CAST "failure");
        attribute(w, "message",
                  o->mutant != NULL ? "the check holds on the mutant" : "refuted");
        body(w, &o->evidence);
        xmlTextWriterEndElement(w);
        break;
    case UNDECIDED:
        xmlTextWriterStartElement(w, BAD_CAST "error");
        attribute(w, "message", o->evidence.problem.text);
        xmlTextWriterEndElement(w);
        break;
    case SKIPPED:
        xmlTextWriterStartElement(w, BAD_CAST "skipped");
        attribute(w, "message", c->reason);
        xmlTextWriterEndElement(w);
        break;
    }
    xmlTextWriterEndElement(w);
}

static bool
in_target(const ckda_outcome *o, const char *target)
{
    return target == NULL || strcmp(o->claim->target, target) == 0;
}

/* The four counts of the outcomes of a target (NULL: of all) as attributes. */
static void
counts(xmlTextWriterPtr w, const ckda_verification *v, const char *target)
{
    size_t n[4] = {0};
    for (size_t i = 0; i < v->nclaims + v->nmutants; i++) {
        const ckda_outcome *o =
            i < v->nclaims ? &v->claims[i] : &v->mutants[i - v->nclaims];
        if (in_target(o, target))
            n[result_of(o)]++;
    }
    counter(w, "tests", n[PASSED] + n[FAILED] + n[UNDECIDED] + n[SKIPPED]);
    counter(w, "failures", n[FAILED]);
    counter(w, "errors", n[UNDECIDED]);
    counter(w, "skipped", n[SKIPPED]);
}

static void
testsuite(xmlTextWriterPtr w, const ckda_verification *v, const char *target)
{
    xmlTextWriterStartElement(w, BAD_CAST "testsuite");
    attribute(w, "name", target);
    counts(w, v, target);
    for (size_t i = 0; i < v->nclaims; i++)
        if (in_target(&v->claims[i], target))
            testcase(w, &v->claims[i]);
    for (size_t i = 0; i < v->nmutants; i++)
        if (in_target(&v->mutants[i], target))
            testcase(w, &v->mutants[i]);
    xmlTextWriterEndElement(w);
}

/* Claims of one target stand together, since a document holds exactly one target. */
static void
testsuites(xmlTextWriterPtr w, const ckda_verification *v)
{
    const ckda_outcome *outcomes = v->nclaims > 0 ? v->claims : v->mutants;
    size_t n = v->nclaims > 0 ? v->nclaims : v->nmutants;
    const char *last = "";
    xmlTextWriterStartElement(w, BAD_CAST "testsuites");
    attribute(w, "name", "ckda verify");
    counts(w, v, NULL);
    for (size_t i = 0; i < n; i++)
        if (strcmp(outcomes[i].claim->target, last) != 0)
            testsuite(w, v, last = outcomes[i].claim->target);
    xmlTextWriterEndElement(w);
}

/* The document is built in memory: libxml2 does not say when the disk was full. */
ckda_status
ckda_report_junit(const char *file, const ckda_verification *v, ckda_error *err)
{
    xmlBufferPtr buffer = xmlBufferCreate();
    xmlTextWriterPtr w = buffer != NULL ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    ckda_require_memory(w != NULL);
    xmlTextWriterSetIndent(w, 1);
    xmlTextWriterStartDocument(w, "1.0", "UTF-8", NULL);
    testsuites(w, v);
    xmlTextWriterEndDocument(w);
    xmlFreeTextWriter(w);

    const ckda_status st = ckda_file_write(file, (const char *)xmlBufferContent(buffer),
                                           (size_t)xmlBufferLength(buffer), err);
    xmlBufferFree(buffer);
    xmlCleanupParser();
    return st;
}
