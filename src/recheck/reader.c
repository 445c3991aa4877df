/* Lines of JSON and the values in them. */
#include "recheck.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_LINE ((size_t)1 << 28)

void *
grown(void *array, size_t count, size_t size)
{
    void *more = count > SIZE_MAX / size ? NULL : realloc(array, count * size + 1);
    if (more == NULL) {
        fputs("ckda-recheck: out of memory\n", stderr);
        abort();
    }
    return more;
}

static int
compare_listed(const void *a, const void *b)
{
    const listed *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return memcmp(x->bytes, y->bytes, x->size);
}

bool
all_differ(uint32_t *at, listed *list, uint32_t count)
{
    qsort(list, count, sizeof *list, compare_listed);
    for (*at = 1; *at < count; (*at)++)
        if (compare_listed(list + *at - 1, list + *at) == 0)
            return false;
    return true;
}

bool
refuse(reader *in, const char *fmt, ...)
{
    if (in->reason[0] != '\0')
        return false;
    const int n = snprintf(in->reason, sizeof in->reason,
                           "line %llu: ", (unsigned long long)in->line);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(in->reason + n, sizeof in->reason - (size_t)n, fmt, ap);
    va_end(ap);
    for (char *c = in->reason; *c != '\0'; c++) /* texts of the file may be in it */
        if (!isprint((unsigned char)*c))
            *c = '?';
    return false;
}

/* The bytes of one line without its end; false: refused, or nothing is left. */
static bool
read_text(reader *in, size_t *length)
{
    size_t n = 0;
    int c;
    while ((c = getc(in->file)) != EOF && c != '\n') {
        if (n == LONGEST_LINE)
            return refuse(in, "longer than %zu bytes", LONGEST_LINE);
        if (n == in->room) {
            in->room = in->room == 0 ? 4096 : 2 * in->room;
            in->text = grown(in->text, in->room, 1);
        }
        in->text[n++] = (char)c;
    }
    *length = n;
    in->broken = ferror(in->file) != 0;
    if (in->broken)
        return refuse(in, "cannot be read: %s", strerror(errno));
    in->at_end = c == EOF && n == 0;
    return in->at_end ? refuse(in, "the file ends here") : true;
}

bool
next_line(reader *in)
{
    json_error_t err;
    size_t length = 0;
    json_decref(in->json);
    in->json = NULL;
    in->line++;
    if (!read_text(in, &length))
        return false;
    in->json = json_loadb(in->text != NULL ? in->text : "", length,
                          JSON_REJECT_DUPLICATES, &err);
    if (in->json == NULL)
        return refuse(in, "no JSON: %.160s", err.text);
    return json_is_object(in->json) || refuse(in, "expected a JSON object");
}

bool
get_member(reader *in, json_t **out, const json_t *object, const char *key)
{
    *out = json_object_get(object, key);
    return *out != NULL || refuse(in, "\"%s\" is missing", key);
}

bool
get_object(reader *in, json_t **out, const json_t *object, const char *key)
{
    return get_member(in, out, object, key)
           && (json_is_object(*out) || refuse(in, "%s: expected an object", key));
}

bool
get_text(reader *in, const char **out, const json_t *object, const char *key)
{
    json_t *value;
    if (!get_member(in, &value, object, key))
        return false;
    *out = json_string_value(value);
    return *out != NULL || refuse(in, "%s: expected a text", key);
}

bool
get_array(reader *in, json_t **out, const json_t *object, const char *key, size_t want)
{
    if (!get_member(in, out, object, key))
        return false;
    if (!json_is_array(*out))
        return refuse(in, "%s: expected an array", key);
    if (want != SIZE_MAX && json_array_size(*out) != want)
        return refuse(in, "%s: expected %zu items, found %zu", key, want,
                      json_array_size(*out));
    return true;
}

/* "next[3]", or "states" for i = SIZE_MAX. */
static const char *
place(char buf[64], const char *what, size_t i)
{
    if (i == SIZE_MAX)
        snprintf(buf, 64, "%s", what);
    else
        snprintf(buf, 64, "%s[%zu]", what, i);
    return buf;
}

bool
as_count(reader *in, uint64_t *out, const json_t *value, const char *what, size_t i,
         uint64_t low, uint64_t high)
{
    char at[64];
    if (!json_is_integer(value))
        return refuse(in, "%s: expected a whole number", place(at, what, i));
    const json_int_t v = json_integer_value(value);
    if (v < 0 || (uint64_t)v < low || (uint64_t)v > high)
        return refuse(in, "%s: expected %llu to %llu, found %lld", place(at, what, i),
                      (unsigned long long)low, (unsigned long long)high, (long long)v);
    *out = (uint64_t)v;
    return true;
}

bool
get_count(reader *in, uint64_t *out, const json_t *object, const char *key, uint64_t low,
          uint64_t high)
{
    json_t *value;
    return get_member(in, &value, object, key)
           && as_count(in, out, value, key, SIZE_MAX, low, high);
}

static bool
is_found(reader *in, const json_t *value, const char *what, size_t i, uint64_t found)
{
    char at[64];
    uint64_t stated;
    if (!as_count(in, &stated, value, what, i, 0, INT64_MAX))
        return false;
    return stated == found
           || refuse(in, "%s: %llu stated, %llu found", place(at, what, i),
                     (unsigned long long)stated, (unsigned long long)found);
}

bool
expect_count(reader *in, const json_t *object, const char *key, uint64_t found)
{
    json_t *value;
    return get_member(in, &value, object, key)
           && is_found(in, value, key, SIZE_MAX, found);
}

bool
expect_list(reader *in, const json_t *object, const char *key, const uint64_t *found,
            size_t n)
{
    json_t *list;
    bool good = get_array(in, &list, object, key, n);
    for (size_t i = 0; good && i < n; i++)
        good = is_found(in, json_array_get(list, i), key, i, found[i]);
    return good;
}

bool
numbered_line(reader *in, const char *key, uint32_t number)
{
    uint64_t found;
    if (!next_line(in) || !get_count(in, &found, in->json, key, 0, UINT32_MAX))
        return false;
    return found == number
           || refuse(in, "%s: expected number %u, found %llu", key, number,
                     (unsigned long long)found);
}

bool
get_choice(reader *in, bool *second, const json_t *object, const char *key,
           const char *first_name, const char *second_name)
{
    const char *text;
    if (!get_text(in, &text, object, key))
        return false;
    *second = strcmp(text, second_name) == 0;
    return *second || strcmp(text, first_name) == 0
           || refuse(in, "%s: expected \"%s\" or \"%s\"", key, first_name, second_name);
}

static bool
is_integer_text(const char *s, size_t n)
{
    size_t i = n > 0 && s[0] == '-' ? 1 : 0;
    if (i == n)
        return false;
    for (; i < n; i++)
        if (s[i] < '0' || s[i] > '9')
            return false;
    return true;
}

bool
as_integer(reader *in, mpz_t out, const json_t *value, const char *what, size_t i)
{
    char at[64];
    if (json_is_integer(value)) {
        mpz_set_si(out, (long)json_integer_value(value));
        return true;
    }
    const char *s = json_string_value(value);
    if (s == NULL || !is_integer_text(s, strlen(s)))
        return refuse(in, "%s: expected an integer", place(at, what, i));
    mpz_set_str(out, s, 10);
    return true;
}

bool
as_fraction(reader *in, mpq_t out, const json_t *value, const char *what)
{
    const char *s = json_string_value(value);
    const size_t n = s != NULL ? strcspn(s, "/") : 0;
    const bool whole = s != NULL && s[n] == '\0';
    if (s == NULL || !is_integer_text(s, n)
        || (!whole
            && (!is_integer_text(s + n + 1, strlen(s + n + 1)) || s[n + 1] == '-')))
        return refuse(in, "%s: expected a fraction p/q", what);
    mpq_set_str(out, s, 10);
    if (mpz_sgn(mpq_denref(out)) == 0)
        return refuse(in, "%s: the denominator is 0", what);
    mpq_canonicalize(out);
    return true;
}
