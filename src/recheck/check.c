/* A file of one or more parts, each a certificate of its own. */
#include "recheck.h"

#include <ctype.h>
#include <string.h>

/* A text of the file that can be shown: short, printable. */
static void
show_text(FILE *out, const json_t *object, const char *key, const char *before)
{
    const char *text = json_string_value(json_object_get(object, key));
    if (text == NULL)
        return;
    fputs(before, out);
    for (size_t i = 0; text[i] != '\0' && i < 80; i++)
        fputc(isprint((unsigned char)text[i]) ? text[i] : '?', out);
}

static void
show_part(FILE *out, const json_t *header, const summary *said)
{
    const json_t *about = json_object_get(header, "about");
    if (out == NULL)
        return;
    fputs("c", out);
    show_text(out, about, "claim", " ");
    show_text(out, about, "system", " ");
    show_text(out, about, "construction", ", ");
    fprintf(out, ": %s\n", said->text);
}

/* {"end": lines of this part}. */
static bool
read_end(reader *in)
{
    uint64_t lines;
    if (!next_line(in) || !get_count(in, &lines, in->json, "end", INT64_MAX))
        return false;
    return lines == in->line - in->first + 1
           || refuse(in, "end: %llu lines stated, %llu found", (unsigned long long)lines,
                     (unsigned long long)(in->line - in->first + 1));
}

static bool
check_part(reader *in, FILE *out, const json_t *header)
{
    const char *kind;
    summary said = {{0}};
    instance I;
    if (!get_text(in, &kind, header, "kind"))
        return false;
    instance_init(&I);
    bool good;
    if (strcmp(kind, "closure") == 0)
        good = instance_read(in, &I, header) && closure_check(in, &said, &I, header);
    else if (strcmp(kind, "infinite") == 0)
        good = instance_read(in, &I, header) && infinite_check(in, &said, &I);
    else
        good = refuse(in, "kind: '%.40s' is not known", kind);
    instance_clear(&I);
    good = good && read_end(in);
    if (good)
        show_part(out, header, &said);
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
    if (!get_count(in, &part, in->json, "part", UINT32_MAX)
        || !get_count(in, &of, in->json, "parts", UINT32_MAX))
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
    if (next_line(in) || !in->at_end) {
        in->reason[0] = '\0';
        return refuse(in, "something follows the last part");
    }
    in->reason[0] = '\0';
    return true;
}

verdict
recheck_stream(FILE *file, FILE *out, char *reason)
{
    reader in;
    reader_init(&in, file);
    verdict v = check_parts(&in, out) ? VERIFIED : REFUSED;
    if (in.broken)
        v = UNREADABLE;
    memcpy(reason, in.reason, sizeof in.reason);
    reader_clear(&in);
    return v;
}

verdict
recheck_file(const char *path, FILE *out, char *reason)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        strcpy(reason, "cannot be opened");
        return UNREADABLE;
    }
    const verdict v = recheck_stream(file, out, reason);
    fclose(file);
    return v;
}
