/* A file of one or more parts, each a certificate of its own. */
#include "recheck.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Texts of the file are shown short and printable. */
static void
show_part(FILE *out, const json_t *header, const char *said)
{
    static const char *const keys[] = {"claim", "system", "construction"};
    const json_t *about = json_object_get(header, "about");
    fputs("c", out);
    for (int k = 0; k < 3; k++) {
        const char *text = json_string_value(json_object_get(about, keys[k]));
        fputs(text != NULL ? " " : "", out);
        for (size_t i = 0; text != NULL && text[i] != '\0' && i < 80; i++)
            fputc(isprint((unsigned char)text[i]) ? text[i] : '?', out);
    }
    fprintf(out, ": %s\n", said);
}

static bool
check_part(reader *in, FILE *out, const json_t *header)
{
    const char *kind;
    char said[256] = "";
    instance I = {0};
    if (!get_text(in, &kind, header, "kind"))
        return false;
    mpq_inits(I.low, I.high, NULL);
    bool good;
    if (strcmp(kind, "closure") == 0)
        good = instance_read(in, &I, header) && graph_check(in, said, &I, header, NULL);
    else if (strcmp(kind, "rounded") == 0)
        good = rounded_check(in, said, &I, header);
    else if (strcmp(kind, "infinite") == 0)
        good = instance_read(in, &I, header) && infinite_check(in, said, &I);
    else
        good = refuse(in, "kind: '%.40s' is not known", kind);
    instance_clear(&I);
    good = good && next_line(in)
           && expect_count(in, in->json, "end", in->line - in->first + 1);
    if (good && out != NULL)
        show_part(out, header, said);
    return good;
}

/* The header of part k of *parts (0: not known yet). */
static bool
read_header(reader *in, uint64_t k, uint64_t *parts)
{
    const char *schema;
    uint64_t part, of;
    in->first = in->line + 1;
    if (!next_line(in) || !get_text(in, &schema, in->json, "schema"))
        return false;
    if (strcmp(schema, "ckda.cert/1") != 0)
        return refuse(in, "schema: expected ckda.cert/1, found '%.40s'", schema);
    if (!get_count(in, &part, in->json, "part", 1, UINT32_MAX)
        || !get_count(in, &of, in->json, "parts", 1, UINT32_MAX))
        return false;
    if (part != k || of < part || (*parts != 0 && of != *parts))
        return refuse(in, "part %llu of %llu where part %llu is expected",
                      (unsigned long long)part, (unsigned long long)of,
                      (unsigned long long)k);
    *parts = of;
    return true;
}

static bool
check_parts(reader *in, FILE *out)
{
    uint64_t parts = 0;
    for (uint64_t k = 1; parts == 0 || k <= parts; k++) {
        if (!read_header(in, k, &parts))
            return false;
        json_t *header = json_incref(in->json);
        const bool good = check_part(in, out, header);
        json_decref(header);
        if (!good)
            return false;
    }
    const bool more = next_line(in) || !in->at_end;
    in->reason[0] = '\0';
    return !more || refuse(in, "something follows the last part");
}

verdict
recheck_stream(FILE *file, FILE *out, char *reason)
{
    reader in = {.file = file};
    const bool good = check_parts(&in, out);
    memcpy(reason, in.reason, sizeof in.reason);
    json_decref(in.json);
    free(in.text);
    return in.broken ? UNREADABLE : good ? VERIFIED : REFUSED;
}
