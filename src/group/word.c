/* Letters and words as people write them. */
#include "group_internal.h"

#include <stdio.h>

/* ---- one letter ------------------------------------------------------------------ */

static int64_t
find_name(const ckda_group_t G, const char *s, size_t len)
{
    for (uint32_t j = 0; j < G->ngen; j++)
        if (strlen(G->genname[j]) == len && memcmp(G->genname[j], s, len) == 0)
            return G->generator[j];
    return len == 1 && s[0] == 'e' ? 0 : -1;
}

/* A number that fills s[0..len-1], at most 18 digits. */
static bool
read_number(uint64_t *v, const char *s, size_t len)
{
    if (len == 0 || len > 18)
        return false;
    uint64_t x = 0;
    for (size_t i = 0; i < len; i++) {
        if (!is_digit(s[i]))
            return false;
        x = 10 * x + (uint64_t)(s[i] - '0');
    }
    *v = x;
    return true;
}

/* "name" or "name^k", or "k" where there is one generator. */
static int64_t
read_power(const ckda_group_t G, const char *s, size_t len)
{
    uint64_t e;
    const int64_t plain = find_name(G, s, len);
    if (plain >= 0)
        return plain;
    if (G->ngen == 1 && read_number(&e, s, len))
        return ckda_group_pow(G, G->generator[0], e);
    const char *hat = memchr(s, '^', len);
    if (hat == NULL)
        return -1;
    const int64_t g = find_name(G, s, (size_t)(hat - s));
    const size_t rest = len - (size_t)(hat - s) - 1;
    const bool negative = rest > 0 && hat[1] == '-';
    if (g < 0 || !read_number(&e, hat + 1 + negative, rest - negative))
        return -1;
    const uint32_t p = ckda_group_pow(G, (uint32_t)g, e);
    return negative ? ckda_group_inv(G, p) : p;
}

/* Powers joined by "*"; -1 if some part is no letter. */
static int64_t
read_product(const ckda_group_t G, const char *s, size_t len)
{
    uint32_t product = 0;
    for (;;) {
        const char *star = memchr(s, '*', len);
        const size_t part = star != NULL ? (size_t)(star - s) : len;
        const int64_t g = read_power(G, s, part);
        if (g < 0)
            return -1;
        product = ckda_group_mul(G, product, (uint32_t)g);
        if (star == NULL)
            return product;
        s += part + 1;
        len -= part + 1;
    }
}

static ckda_status
unknown_letter(const ckda_group_t G, const char *text, ckda_error *err)
{
    char known[200] = "";
    size_t at = 0;
    for (uint32_t j = 0; j < G->ngen && at + 60 < sizeof known; j++)
        at += (size_t)snprintf(known + at, sizeof known - at, "%.40s, ", G->genname[j]);
    ckda_error_set(err,
                   "expected a letter of %s (%scycles or an image list), found \"%.80s\"",
                   G->name, known, text);
    return CKDA_E_INPUT;
}

ckda_status
ckda_group_parse(uint32_t *g, const ckda_group_t G, const char *text, ckda_error *err)
{
    int64_t found = read_product(G, text, strlen(text));
    if (found < 0 && (text[0] == '(' || text[0] == '[')) {
        ckda_perm p;
        const ckda_status st = ckda_perm_parse(&p, G->degree, text, err);
        if (st != CKDA_OK)
            return st;
        found = ckda_group_find(G, &p);
        if (found < 0) {
            ckda_error_set(err, "expected an element of %s, found \"%.80s\"", G->name,
                           text);
            return CKDA_E_INPUT;
        }
    }
    if (found < 0)
        return unknown_letter(G, text, err);
    *g = (uint32_t)found;
    return CKDA_OK;
}

/* ---- words ----------------------------------------------------------------------- */

/* How letters are looked up: in a group with an alphabet, or by name. */
typedef struct {
    const ckda_group_struct *G;
    const uint32_t *letters;
    const char *const *names;
    uint32_t count;
} alphabet;

static bool
in_alphabet(const alphabet *a, uint32_t g)
{
    if (a->letters == NULL)
        return true;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->letters[i] == g)
            return true;
    return false;
}

static ckda_status
look_up(uint32_t *x, const alphabet *a, const char *text, ckda_error *err)
{
    if (a->G == NULL) {
        for (uint32_t i = 0; i < a->count; i++)
            if (strcmp(a->names[i], text) == 0) {
                *x = i;
                return CKDA_OK;
            }
        ckda_error_set(err, "expected one of %u letters (%s%s), found \"%.80s\"",
                       a->count, a->count > 0 ? a->names[0] : "none",
                       a->count > 1 ? ", ..." : "", text);
        return CKDA_E_INPUT;
    }
    const ckda_status st = ckda_group_parse(x, a->G, text, err);
    if (st == CKDA_OK && !in_alphabet(a, *x)) {
        ckda_error_set(err,
                       "expected one of the %u letters of this system, found \"%.80s\"",
                       a->count, text);
        return CKDA_E_INPUT;
    }
    return st;
}

static ckda_status
random_word(ckda_word_t w, const alphabet *a, const char *length, ckda_rand *r,
            ckda_error *err)
{
    uint64_t n;
    if (!read_number(&n, length, strlen(length)) || n > CKDA_WORD_MAX) {
        ckda_error_set(err, "random word: expected a length up to %u, found \"%.40s\"",
                       CKDA_WORD_MAX, length);
        return CKDA_E_INPUT;
    }
    if (a->count == 0 && n > 0) {
        ckda_error_set(err, "random word: there are no letters to draw from");
        return CKDA_E_INPUT;
    }
    ckda_require(r != NULL, "a random word needs a random source");
    w->length = n;
    w->letter = checked_alloc(n, sizeof *w->letter);
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t x = (uint32_t)ckda_rand_below(r, a->count);
        w->letter[i] = a->letters != NULL ? a->letters[x] : x;
    }
    return CKDA_OK;
}

/* The end of the letter that starts at s: white space outside of brackets. */
static const char *
letter_end(const char *s)
{
    int depth = 0;
    for (; *s != '\0' && (depth > 0 || !is_space(*s)); s++) {
        if (*s == '(' || *s == '[')
            depth++;
        else if ((*s == ')' || *s == ']') && depth > 0)
            depth--;
    }
    return s;
}

static ckda_status
parse_word(ckda_word_t w, const alphabet *a, const char *text, ckda_rand *r,
           ckda_error *err)
{
    while (is_space(*text))
        text++;
    if (strncmp(text, "random:", 7) == 0)
        return random_word(w, a, text + 7, r, err);
    ckda_word_t new = {{NULL, 0}};
    size_t alloc = 0;
    while (*text != '\0') {
        if (new->length == alloc) {
            alloc = alloc < 8 ? 16 : 2 * alloc;
            new->letter = checked_realloc(new->letter, alloc, sizeof *new->letter);
        }
        const char *end = letter_end(text);
        char *letter = copy_text(text, (size_t)(end - text));
        const ckda_status st = look_up(&new->letter[new->length], a, letter, err);
        free(letter);
        if (st != CKDA_OK) {
            char where[40];
            snprintf(where, sizeof where, "letter %zu", new->length + 1);
            ckda_error_prefix(err, where);
            ckda_word_clear(new);
            return st;
        }
        new->length++;
        for (text = end; is_space(*text);)
            text++;
    }
    *w = *new;
    return CKDA_OK;
}

ckda_status
ckda_word_parse(ckda_word_t w, const ckda_group_t G, const uint32_t *letters,
                uint32_t nletters, const char *text, ckda_rand *r, ckda_error *err)
{
    const alphabet a = {G, letters, NULL, letters != NULL ? nletters : G->order};
    return parse_word(w, &a, text, r, err);
}

ckda_status
ckda_word_parse_names(ckda_word_t w, const char *const *names, uint32_t nnames,
                      const char *text, ckda_rand *r, ckda_error *err)
{
    const alphabet a = {NULL, NULL, names, nnames};
    return parse_word(w, &a, text, r, err);
}

void
ckda_word_clear(ckda_word_t w)
{
    free(w->letter);
    *w = (ckda_word_struct){NULL, 0};
}

uint32_t
ckda_word_product(const ckda_word_t w, const ckda_group_t G)
{
    uint32_t product = 0;
    for (size_t t = 0; t < w->length; t++)
        product = ckda_group_mul(G, w->letter[t], product);
    return product;
}
