#include "reach_export.h"

#include <errno.h>
#include <inttypes.h>
#include <libxml/xmlwriter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ckda/doc.h"
#include "ckda/memstream.h"
#include "ckda/report.h"
#include "ckda/tensor.h"

typedef void writer(FILE *out, const ckda_reach_t r, const ckda_input_system_t s);

/* In memory first, so that no half of a file is ever seen. */
static ckda_status
write_text(const char *file, writer *write, const ckda_reach_t r,
           const ckda_input_system_t s, ckda_error *err)
{
    ckda_memstream m;
    size_t size;
    ckda_memstream_open(&m);
    write(m.out, r, s);
    char *text = ckda_memstream_close(&m, &size);
    const ckda_status st = ckda_file_write(file, text, size, err);
    free(text);
    return st;
}

/* ---- Graphviz --------------------------------------------------------------------------- */

static void
write_dot(FILE *out, const ckda_reach_t r, const ckda_input_system_t s)
{
    ckda_report_dot(out, r, s->sys->nletters, (const char *const *)s->letter);
}

ckda_status
reach_export_dot(const char *file, const ckda_reach_t r, const ckda_input_system_t s,
                 ckda_error *err)
{
    return write_text(file, write_dot, r, s, err);
}

/* ---- GraphML ---------------------------------------------------------------------------- */

static void
graphml_key(xmlTextWriterPtr w, const char *id, const char *of, const char *type)
{
    xmlTextWriterStartElement(w, BAD_CAST "key");
    xmlTextWriterWriteAttribute(w, BAD_CAST "id", BAD_CAST id);
    xmlTextWriterWriteAttribute(w, BAD_CAST "for", BAD_CAST of);
    xmlTextWriterWriteAttribute(w, BAD_CAST "attr.name", BAD_CAST id);
    xmlTextWriterWriteAttribute(w, BAD_CAST "attr.type", BAD_CAST type);
    xmlTextWriterEndElement(w);
}

static void
graphml_data(xmlTextWriterPtr w, const char *key, const char *text)
{
    xmlTextWriterStartElement(w, BAD_CAST "data");
    xmlTextWriterWriteAttribute(w, BAD_CAST "key", BAD_CAST key);
    xmlTextWriterWriteString(w, BAD_CAST text);
    xmlTextWriterEndElement(w);
}

static void
graphml_nodes(xmlTextWriterPtr w, const ckda_reach_t r, const ckda_input_system_t s)
{
    uint64_t end = r->level[0];
    uint32_t level = 0;
    for (uint64_t i = 0; i < r->states; i++) {
        char text[32];
        if (i == end)
            end += r->level[++level];
        xmlTextWriterStartElement(w, BAD_CAST "node");
        xmlTextWriterWriteFormatAttribute(w, BAD_CAST "id", "s%" PRIu64, i);
        snprintf(text, sizeof text, "%" PRIu32, level);
        graphml_data(w, "level", text);
        if (s->sys->G != NULL) {
            char *element = ckda_perm_str(s->sys->G->element + r->label[i]);
            graphml_data(w, "element", element);
            free(element);
        }
        xmlTextWriterEndElement(w);
    }
}

static void
graphml_edges(xmlTextWriterPtr w, const ckda_reach_t r, const ckda_input_system_t s)
{
    const uint32_t letters = s->sys->nletters;
    for (uint64_t i = 0; i < r->states; i++)
        for (uint32_t x = 0; x < letters; x++) {
            xmlTextWriterStartElement(w, BAD_CAST "edge");
            xmlTextWriterWriteFormatAttribute(w, BAD_CAST "source", "s%" PRIu64, i);
            xmlTextWriterWriteFormatAttribute(w, BAD_CAST "target", "s%" PRIu32,
                                              r->next[i * letters + x]);
            graphml_data(w, "letter", s->letter[x]);
            xmlTextWriterEndElement(w);
        }
}

ckda_status
reach_export_graphml(const char *file, const ckda_reach_t r, const ckda_input_system_t s,
                     ckda_error *err)
{
    xmlBufferPtr text = xmlBufferCreate();
    xmlTextWriterPtr w = text == NULL ? NULL : xmlNewTextWriterMemory(text, 0);
    ckda_require_memory(w != NULL);
    xmlTextWriterSetIndent(w, 1);
    xmlTextWriterStartDocument(w, NULL, "UTF-8", NULL);
    xmlTextWriterStartElement(w, BAD_CAST "graphml");
    xmlTextWriterWriteAttribute(w, BAD_CAST "xmlns",
                                BAD_CAST "http://graphml.graphdrawing.org/xmlns");
    graphml_key(w, "level", "node", "int");
    if (s->sys->G != NULL)
        graphml_key(w, "element", "node", "string");
    graphml_key(w, "letter", "edge", "string");
    xmlTextWriterStartElement(w, BAD_CAST "graph");
    xmlTextWriterWriteAttribute(w, BAD_CAST "id", BAD_CAST "reach");
    xmlTextWriterWriteAttribute(w, BAD_CAST "edgedefault", BAD_CAST "directed");
    graphml_nodes(w, r, s);
    graphml_edges(w, r, s);
    const bool good = xmlTextWriterEndDocument(w) >= 0;
    xmlFreeTextWriter(w);
    ckda_require_memory(good);
    const ckda_status st = ckda_file_write(file, (const char *)xmlBufferContent(text),
                                           (size_t)xmlBufferLength(text), err);
    xmlBufferFree(text);
    return st;
}

/* ---- GAP -------------------------------------------------------------------------------- */

static bool
permutes(const ckda_reach_t r, uint32_t letters, uint32_t x)
{
    bool *hit = calloc(r->states, sizeof *hit), all = true;
    ckda_require_memory(hit != NULL);
    for (uint64_t i = 0; all && i < r->states; i++) {
        bool *at = hit + r->next[i * letters + x];
        all = !*at;
        *at = true;
    }
    free(hit);
    return all;
}

static void
gap_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
    fputc('"', out);
}

static void
write_gap(FILE *out, const ckda_reach_t r, const ckda_input_system_t s)
{
    const uint32_t letters = s->sys->nletters;
    bool permutations = true;
    for (uint32_t x = 0; permutations && x < letters; x++)
        permutations = permutes(r, letters, x);
    fprintf(out,
            "# letters on the %" PRIu64 " reachable states; state 1 is the initial one\n"
            "reach := rec(\n  states := %" PRIu64 ",\n  letters := [",
            r->states, r->states);
    for (uint32_t x = 0; x < letters; x++) {
        fputs(x == 0 ? "" : ", ", out);
        gap_text(out, s->letter[x]);
    }
    fputs("],\n  generators := [\n", out);
    for (uint32_t x = 0; x < letters; x++) {
        fprintf(out, "    %s([", permutations ? "PermList" : "Transformation");
        for (uint64_t i = 0; i < r->states; i++)
            fprintf(out, "%s%" PRIu64,
                    i == 0        ? ""
                    : i % 16 == 0 ? ",\n      "
                                  : ",",
                    r->next[i * letters + x] + UINT64_C(1));
        fprintf(out, "])%s\n", x + 1 < letters ? "," : "");
    }
    fputs("  ]\n);\n", out);
}

ckda_status
reach_export_gap(const char *file, const ckda_reach_t r, const ckda_input_system_t s,
                 ckda_error *err)
{
    return write_text(file, write_gap, r, s, err);
}

/* ---- NumPy ------------------------------------------------------------------------------ */

ckda_status
reach_export_npy(const char *file, const ckda_reach_t r, const ckda_input_system_t s,
                 ckda_error *err)
{
    const uint64_t letters = s->sys->nletters, count = r->states * letters;
    unsigned char *bytes = malloc(4 * count + 1);
    char name[] = "next";
    ckda_require_memory(bytes != NULL);
    for (uint64_t e = 0; e < count; e++) /* lowest byte first, on every machine */
        for (unsigned b = 0; b < 4; b++)
            bytes[4 * e + b] = (unsigned char)(r->next[e] >> (8 * b));
    const ckda_tensor t = {.name = name,
                           .dtype = CKDA_DTYPE_U32,
                           .ndim = 2,
                           .shape = {r->states, letters},
                           .count = count,
                           .bytes = bytes};
    const ckda_status st = ckda_npy_write(file, &t, err);
    free(bytes);
    return st;
}
