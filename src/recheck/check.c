/* A file of one or more parts, each a certificate of its own. */
#include "recheck.h"

#include <ctype.h>
#include <string.h>

/* Texts of the file are shown short and printable. */
static void
show_part(FILE *out, const json_t *header, const char *said)
{
    static const char *const keys[] = {"claim", "system", "construction"};
    const json_t *about = json_object_get(header, "about");
    fputs("c", out);
    for (int k = 0; k < 3; k++) {
        const char *text = text_of(about, keys[k]);
        fputs(text[0] != '\0' ? " " : "", out);
        for (size_t i = 0; text[i] != '\0' && i < 80; i++)
            fputc(isprint((unsigned char)text[i]) ? text[i] : '?', out);
    }
    fprintf(out, ": %s\n", said);
}

static void
check_part(reader *in, FILE *out, const json_t *header)
{
    static const struct {
        const char *name;
        kind_check *check;
    } kinds[] = {{"closure", closure_check}, {"infinite", infinite_check},
                 {"network", network_check}, {"product", product_check},
                 {"rounded", rounded_check}, {"failing", failing_check}};
    const char *kind = text_of(header, "kind");
    char said[256];
    instance I = {0};
    size_t k = 0;
    while (k < sizeof kinds / sizeof *kinds && strcmp(kinds[k].name, kind) != 0)
        k++;
    refuse(in, k == sizeof kinds / sizeof *kinds, "kind: '%.40s' is not known", kind);
    kinds[k].check(in, said, &I, header);
    next_line(in);
    expect(in, in->json, "end",
           json_integer((json_int_t)in->line - (json_int_t)in->first + 1));
    if (out != NULL)
        show_part(out, header, said);
}

static void
check_parts(reader *in, FILE *out)
{
    uint64_t parts = 0;
    for (uint64_t k = 1; parts == 0 || k <= parts; k++) {
        in->first = in->line + 1;
        next_line(in);
        const json_t *header = in->json;
        json_array_append(in->kept, in->json);
        const char *schema = text_of(header, "schema");
        refuse(in, strcmp(schema, "ckda.cert/1") != 0,
               "schema: expected ckda.cert/1, found '%.40s'", schema);
        const uint64_t number = get_count(in, header, "part", 1, UINT32_MAX),
                       of = get_count(in, header, "parts", 1, UINT32_MAX);
        refuse(in, number != k || of < k || (parts != 0 && of != parts),
               "part %u of %u where part %u is expected", (unsigned)number, (unsigned)of,
               (unsigned)k);
        parts = of;
        check_part(in, out, header);
    }
    refuse(in, more_lines(in), "something follows the last part");
}

/* A refusal jumps back to here. */
static bool
check_file(reader *in, FILE *out)
{
    if (setjmp(in->leave) != 0)
        return false;
    check_parts(in, out);
    return true;
}

verdict
recheck_stream(FILE *file, FILE *out, char *reason)
{
    reader in = {.file = file, .kept = json_array()};
    const bool good = check_file(&in, out);
    memcpy(reason, in.reason, sizeof in.reason);
    json_decref(in.json);
    json_decref(in.kept);
    release_all();
    return in.broken ? UNREADABLE : good ? VERIFIED : REFUSED;
}
