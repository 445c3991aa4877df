/* Memory, lines of JSON, and the values in them. */
#include "recheck.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_LINE ((size_t)1 << 28)

/* ---- memory ----------------------------------------------------------------------------- */

/* In front of every array: all are in one ring, so that a refusal can leave from anywhere. */
typedef struct block {
    struct block *next, *previous;
    size_t integers, spare; /* mpz_t in it, to be cleared */
} block;

static _Thread_local block ring;

void *
resized(void *old, size_t old_size, size_t size)
{
    (void)old_size;
    void *p = realloc(old, size);
    if (p != NULL)
        return p;
    fputs("ckda-recheck: out of memory; undecided\n", stderr);
    _Exit(3); /* what stdout still holds is no verdict */
}

void *
grown(void *array, size_t count, size_t size)
{
    block *b = array != NULL ? (block *)array - 1 : NULL;
    const size_t most = SIZE_MAX / (size + 1) - sizeof *b;
    b = resized(b, 0, count > most ? SIZE_MAX : count * size + sizeof *b);
    if (ring.next == NULL)
        ring.next = ring.previous = &ring;
    if (array == NULL)
        *b = (block){.next = ring.next, .previous = &ring};
    b->next->previous = b->previous->next = b;
    return b + 1;
}

void *
doubled(void *array, size_t at, size_t size)
{
    return (at & (at - 1)) == 0 ? grown(array, 2 * at + 1, size) : array;
}

void
release(void *array)
{
    if (array == NULL)
        return;
    block *b = (block *)array - 1;
    mpz_t *v = array;
    for (size_t i = 0; i < b->integers; i++)
        mpz_clear(v[i]);
    b->next->previous = b->previous;
    b->previous->next = b->next;
    free(b);
}

void
release_all(void)
{
    while (ring.next != NULL && ring.next != &ring)
        release(ring.next + 1);
}

mpz_t *
integers_new(size_t count)
{
    mpz_t *v = grown(NULL, count, sizeof *v);
    for (size_t i = 0; i < count; i++)
        mpz_init(v[i]);
    ((block *)v - 1)->integers = count;
    return v;
}

mpq_t *
fractions_new(size_t count)
{
    mpq_t *v = (mpq_t *)integers_new(2 * count);
    for (size_t i = 0; i < count; i++)
        mpz_set_ui(mpq_denref(v[i]), 1);
    return v;
}

/* ---- lines ------------------------------------------------------------------------------ */

void
refuse(reader *in, bool wrong, const char *fmt, ...)
{
    if (!wrong)
        return;
    const int n = in->whole ? 0
                            : snprintf(in->reason, sizeof in->reason,
                                       "line %llu: ", (unsigned long long)in->line);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(in->reason + n, sizeof in->reason - (size_t)n, fmt, ap);
    va_end(ap);
    for (char *c = in->reason; *c != '\0'; c++) /* texts of the file may be in it */
        if (!isprint((unsigned char)*c))
            *c = '?';
    longjmp(in->leave, 1);
}

/* The bytes of one line without its end; false: nothing is left. */
static bool
read_text(reader *in, size_t *length)
{
    size_t n = 0;
    int c;
    while ((c = getc(in->file)) != EOF && c != '\n') {
        refuse(in, n == LONGEST_LINE, "longer than %zu bytes", LONGEST_LINE);
        in->text = doubled(in->text, n, 1);
        in->text[n++] = (char)c;
    }
    *length = n;
    in->broken = ferror(in->file) != 0;
    refuse(in, in->broken, "cannot be read: %s", strerror(errno));
    return c != EOF || n > 0;
}

bool
more_lines(reader *in)
{
    json_error_t err;
    size_t length;
    json_decref(in->json);
    in->json = NULL;
    in->line++;
    if (!read_text(in, &length))
        return false;
    in->json =
        json_loadb(length > 0 ? in->text : "", length, JSON_REJECT_DUPLICATES, &err);
    refuse(in, in->json == NULL, "no JSON: %.160s", err.text);
    refuse(in, !json_is_object(in->json), "expected a JSON object");
    return true;
}

void
next_line(reader *in)
{
    refuse(in, !more_lines(in), "the file ends here");
}

/* ---- members ---------------------------------------------------------------------------- */

json_t *
get_member(reader *in, const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    refuse(in, value == NULL, "\"%s\" is missing", key);
    return value;
}

json_t *
get_array(reader *in, const json_t *object, const char *key, size_t want)
{
    json_t *list = get_member(in, object, key);
    const size_t size = json_array_size(list);
    refuse(in, !json_is_array(list), "%s: expected a list", key);
    refuse(in, want != SIZE_MAX && size != want, "%s: expected %zu items, found %zu", key,
           want, size);
    return list;
}

uint64_t
as_count(reader *in, const json_t *value, const char *what, uint64_t low, uint64_t high)
{
    const json_int_t v = json_integer_value(value);
    refuse(in, !json_is_integer(value), "%s: expected a whole number", what);
    refuse(in, v < 0 || (uint64_t)v < low || (uint64_t)v > high,
           "%s: expected %llu to %llu, found %lld", what, (unsigned long long)low,
           (unsigned long long)high, (long long)v);
    return (uint64_t)v;
}

uint64_t
get_count(reader *in, const json_t *object, const char *key, uint64_t low, uint64_t high)
{
    return as_count(in, get_member(in, object, key), key, low, high);
}

void
get_counts(reader *in, uint32_t *out, const json_t *object, const char *key, size_t want,
           uint64_t high)
{
    const json_t *list = get_array(in, object, key, want);
    for (size_t i = 0; i < want; i++)
        out[i] = (uint32_t)as_count(in, json_array_get(list, i), key, 0, high);
}

uint32_t *
get_word(reader *in, size_t *length, const char *key, uint32_t nletters)
{
    *length = json_array_size(get_array(in, in->json, key, SIZE_MAX));
    uint32_t *word = grown(NULL, *length, sizeof *word);
    refuse(in, nletters == 0, "%s: there are no letters", key);
    get_counts(in, word, in->json, key, *length, nletters - 1);
    return word;
}

void
expect(reader *in, const json_t *object, const char *key, json_t *found)
{
    json_array_append_new(in->kept, found);
    const json_t *stated = get_member(in, object, key);
    char text[2][160] = {"", ""};
    json_dumpb(stated, text[0], 150, JSON_ENCODE_ANY | JSON_COMPACT);
    json_dumpb(found, text[1], 150, JSON_ENCODE_ANY | JSON_COMPACT);
    refuse(in, json_equal(stated, found) == 0, "%s: %s stated, %s found", key, text[0],
           text[1]);
}

void
numbered_line(reader *in, const char *key, uint32_t number)
{
    next_line(in);
    const uint64_t found = get_count(in, in->json, key, 0, UINT32_MAX);
    refuse(in, found != number, "%s: expected number %u, found %u", key, number,
           (unsigned)found);
}

bool
get_choice(reader *in, const json_t *object, const char *key, const char *first,
           const char *second)
{
    const char *text = text_of(object, key);
    refuse(in, strcmp(text, first) != 0 && strcmp(text, second) != 0,
           "%s: expected \"%s\" or \"%s\"", key, first, second);
    return strcmp(text, second) == 0;
}

const char *
text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

void
as_integer(reader *in, mpz_t out, const json_t *value, const char *what)
{
    const char *s = json_string_value(value);
    const bool digits = s != NULL && s[strspn(s, "-0123456789")] == '\0';
    refuse(in, !json_is_integer(value) && (!digits || mpz_set_str(out, s, 10) != 0),
           "%s: expected an integer", what);
    if (json_is_integer(value))
        mpz_set_si(out, (long)json_integer_value(value));
}

void
as_fraction(reader *in, mpq_t out, const json_t *value, const char *what)
{
    const char *s = json_string_value(value);
    refuse(in,
           s == NULL || s[strspn(s, "-0123456789/")] != '\0'
               || mpq_set_str(out, s, 10) != 0 || mpz_sgn(mpq_denref(out)) <= 0,
           "%s: expected a fraction p/q", what);
    mpq_canonicalize(out);
}
