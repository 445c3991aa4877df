/* A small ledger for the tests of this room, and texts from streams. */
#ifndef CKDA_TESTS_REPORT_SAMPLE_H
#define CKDA_TESTS_REPORT_SAMPLE_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ckda/report.h"

#define MUTANT                                                                           \
    "\"mutants\": [{\"name\": \"m\", \"note\": \"n is <wrong>\", \"at\": \"/n\", "       \
    "\"to\": 4}]"
#define CHECKED(id, more)                                                                \
    "{\"id\": \"" id "\", \"title\": \"a & <b> #1\", \"statement\": \"s | t\","          \
    "\"status\": \"checked\", \"strength\": \"symbolic\", \"why\": \"because\","         \
    "\"check\": \"count\", \"input\": {\"n\": 3}, " more MUTANT "}"
#define SOURCE "\"source\": {\"document\": \"paper\", \"where\": \"Thm 6\"}"

static const char sample_one[] =
    "{\"target\": \"thm1\", \"title\": \"Theorem 1: signed Householder\", " SOURCE
    ", \"claims\": [" CHECKED("a", "") "," CHECKED(
        "b", "\"human_steps\": [\"step one\"], \"errata\": [\"a.E1: a \\\"sign\\\"\"], "
             "\"aliases\": [\"bee\"], \"not_shown\": \"the rest\", ") "]}";
static const char sample_two[] =
    "{\"target\": \"thm8\", \"title\": \"Theorem 8\", " SOURCE ", \"claims\": [" CHECKED(
        "c", "") ","
                 "{\"id\": \"d\", \"title\": \"open one\", \"statement\": \"s\", "
                 "\"status\": \"open\","
                 "\"reason\": \"not yet\"},"
                 "{\"id\": \"e\", \"title\": \"reported one\", \"statement\": \"s\", "
                 "\"status\": \"reported\", \"reason\": \"hardware\"}]}";

/* a holds, b is refuted, c is undecided; the mutants (n = 4) are refuted. */
static ckda_truth
sample_check(ckda_evidence *ev, const ckda_node *input)
{
    const char *file = input->file;
    long n;
    if (ckda_node_get_long(&n, input, "n", 0, 9, NULL) != CKDA_OK)
        return ckda_evidence_unable(ev, "bad input");
    ckda_evidence_scope(ev, "n = %ld", n);
    if (strchr(file, 'c') != NULL && n == 3)
        return ckda_evidence_unable(ev, "limit & <time>");
    if (strcmp(file, "input of b") == 0 || n == 4) {
        ckda_evidence_count(ev, 1);
        ckda_evidence_fact(ev, "failed", "x < \"%ld\" & more", n);
        ckda_evidence_fact(ev, "at", "[0, 1]");
        ckda_evidence_fact(ev, "at", "[2, 3]");
        return CKDA_FALSE;
    }
    ckda_evidence_count(ev, 5);
    return CKDA_TRUE;
}

static ckda_ledger *
sample_ledger(void)
{
    static const ckda_check_entry checks[] = {{"count", sample_check}};
    static const ckda_ledger_document docs[] = {{"thm1.json", sample_one},
                                                {"thm8.json", sample_two}};
    ckda_ledger *l = NULL;
    ckda_error err;
    if (ckda_ledger_open_documents(&l, docs, 2, checks, 1, &err) != CKDA_OK) {
        fprintf(stderr, "%s\n", err.text);
        abort();
    }
    return l;
}

/* Text written to a stream between the two calls; free() it. */
typedef struct {
    char *text;
    size_t size;
    FILE *f;
} sample_stream;

static FILE *
stream_open(sample_stream *s)
{
    s->text = NULL;
    s->f = open_memstream(&s->text, &s->size);
    return s->f;
}

static char *
stream_text(sample_stream *s)
{
    fclose(s->f);
    return s->text;
}

#endif
