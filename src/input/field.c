/* The field of a document: given, or the smallest one that holds its numbers. */
#include <stdio.h>
#include <string.h>
#include "input_internal.h"

static const char *const number_members[] = {
    "beta",    "betas", "key",    "keys",     "gate",    "gates", "diagonal",
    "u",       "v",     "matrix", "matrices", "initial", "final", "offset",
    "offsets", "value", "values", "decay",    "erase",
};
/* Further ones of {"family": "mdn", ...}. */
static const char *const mdn_members[] = {"alpha", "eta", "mu"};

/* Distinct irrational numbers; rational ones ask nothing of the field. */
typedef struct {
    qqbar_struct *x;
    slong n, room;
} numbers;

typedef struct {
    numbers found;
    const char *const *members;
    size_t nmembers;
} search;

static void
clear_numbers(numbers *s)
{
    for (slong i = 0; i < s->n; i++)
        qqbar_clear(s->x + i);
    flint_free(s->x);
}

static void
add_number(numbers *s, const qqbar_t x)
{
    for (slong i = 0; i < s->n; i++)
        if (qqbar_equal(s->x + i, x))
            return;
    if (s->n == s->room) {
        s->room = s->room == 0 ? 8 : 2 * s->room;
        s->x = flint_realloc(s->x, (size_t)s->room * sizeof *s->x);
    }
    qqbar_init(s->x + s->n);
    qqbar_set(s->x + s->n++, x);
}

/* Text of digits and signs only: rational, whatever else may be wrong with it. */
static bool
is_plain_rational(const char *text)
{
    return strspn(text, "+-0123456789/ ") == strlen(text);
}

/* Elements of a field whose generator has a polynomial that is large as a whole are larger
 * still, and everything that is calculated with them takes long. */
static bool
is_too_large(const qqbar_t x)
{
    const slong degree = qqbar_degree(x), bits = qqbar_height_bits(x);
    return degree > 2 && bits > CKDA_INPUT_SMALL_BITS
           && degree * bits > CKDA_INPUT_MAX_BITS;
}

static ckda_status
collect_number(search *s, const ckda_node *at, ckda_error *err)
{
    const char *text;
    char buf[32], place[512], expected[96];
    qqbar_t x;
    ckda_status st = ckda_node_number(&text, buf, at, err);
    if (st != CKDA_OK || is_plain_rational(text))
        return st;
    qqbar_init(x);
    st = ckda_number_parse(x, text, err);
    if (st != CKDA_OK) {
        ckda_node_place(place, sizeof place, at);
        ckda_error_prefix(err, place);
    } else if (!qqbar_is_real(x)) {
        st = ckda_node_fail(at, err, "a real number", NULL);
    } else if (is_too_large(x)) {
        snprintf(expected, sizeof expected,
                 "an irrational number with degree times bits at most %d, or %d bits",
                 CKDA_INPUT_MAX_BITS, CKDA_INPUT_SMALL_BITS);
        st = ckda_node_fail(at, err, expected, NULL);
    } else if (!qqbar_is_rational(x)) {
        add_number(&s->found, x);
    }
    qqbar_clear(x);
    return st;
}

static bool
is_one_of(const char *key, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(key, list[i]) == 0)
            return true;
    return false;
}

static bool
holds_numbers(const search *s, const json_t *object, const char *key)
{
    const char *family = json_string_value(json_object_get(object, "family"));
    return is_one_of(key, s->members, s->nmembers)
           || (family != NULL && strcmp(family, "mdn") == 0
               && is_one_of(key, mdn_members, COUNT(mdn_members)));
}

/* inside: everything below is a number. */
static ckda_status
collect(search *s, const ckda_node *at, bool inside, ckda_error *err)
{
    ckda_node child;
    ckda_status st = CKDA_OK;
    if (json_is_object(at->json)) {
        bool more = ckda_node_first(&child, at);
        for (; more && st == CKDA_OK; more = ckda_node_next(&child))
            if (strcmp(child.key, "comment") != 0)
                st = collect(s, &child, inside || holds_numbers(s, at->json, child.key),
                             err);
        return st;
    }
    if (!json_is_array(at->json))
        return inside ? collect_number(s, at, err) : CKDA_OK;
    const size_t n = json_array_size(at->json);
    for (size_t i = 0; i < n && st == CKDA_OK; i++) {
        st = ckda_node_item(&child, at, i, err);
        if (st == CKDA_OK)
            st = collect(s, &child, inside, err);
    }
    return st;
}

/* Numbers are found in a field through choices that grow with its degree (field/embed.c).
 * A number which generates the field is seen in it at once; a field that none of them
 * generates must be small. */
static slong
degree_limit(const numbers *s)
{
    slong most = CKDA_INPUT_MAX_JOINT_DEGREE;
    for (slong i = 0; i < s->n; i++)
        most = FLINT_MAX(most, qqbar_degree(s->x + i));
    return FLINT_MIN(most, CKDA_INPUT_MAX_DEGREE);
}

/* The smallest field of what stands below `at`. */
static ckda_status
smallest_field(ckda_field_t K, const ckda_node *at, bool inside,
               const char *const *members, size_t nmembers, ckda_error *err)
{
    char place[512];
    search s = {{NULL, 0, 0}, members, nmembers};
    ckda_status st = collect(&s, at, inside, err);
    if (st == CKDA_OK && s.found.n == 0) {
        ckda_field_init_rational(K);
    } else if (st == CKDA_OK) {
        st = ckda_field_init_numbers(K, NULL, s.found.x, s.found.n,
                                     degree_limit(&s.found));
        if (st != CKDA_OK) {
            ckda_node_place(place, sizeof place, at);
            ckda_error_set(
                err,
                "%s: expected numbers in a field of degree at most %d (%d where none of "
                "them generates it), found a field beyond that",
                place, CKDA_INPUT_MAX_DEGREE, CKDA_INPUT_MAX_JOINT_DEGREE);
        }
    }
    clear_numbers(&s.found);
    return st;
}

static ckda_status
sqrt_field(ckda_field_t K, const ckda_node *at, ckda_error *err)
{
    long n;
    const ckda_status st = ckda_node_long(&n, at, 2, 1000000000, err);
    if (st != CKDA_OK)
        return st;
    if (n_is_square((ulong)n))
        return ckda_node_fail(at, err, "a number that is no square", NULL);
    ckda_field_init_sqrt(K, (ulong)n);
    return CKDA_OK;
}

static ckda_status
cos_field(ckda_field_t K, const ckda_node *at, ckda_error *err)
{
    long n;
    char expected[64];
    const ckda_status st = ckda_node_long(&n, at, 1, 1000000, err);
    if (st != CKDA_OK)
        return st;
    if (n_euler_phi((ulong)n) / 2 > CKDA_INPUT_MAX_DEGREE) {
        snprintf(expected, sizeof expected, "an N with phi(N)/2 at most %d",
                 CKDA_INPUT_MAX_DEGREE);
        return ckda_node_fail(at, err, expected, NULL);
    }
    ckda_field_init_cos(K, (ulong)n);
    return CKDA_OK;
}

static ckda_status
given_field(ckda_field_t K, const ckda_node *at, ckda_error *err)
{
    ckda_node how;
    if (json_is_string(at->json) && strcmp(json_string_value(at->json), "Q") == 0) {
        ckda_field_init_rational(K);
        return CKDA_OK;
    }
    if (json_object_size(at->json) == 1 && ckda_node_first(&how, at)) {
        if (strcmp(how.key, "sqrt") == 0)
            return sqrt_field(K, &how, err);
        if (strcmp(how.key, "cos") == 0)
            return cos_field(K, &how, err);
        if (strcmp(how.key, "of") == 0)
            return smallest_field(K, &how, true, NULL, 0, err);
    }
    return ckda_node_fail(
        at, err, "\"Q\", {\"sqrt\": n}, {\"cos\": N} or {\"of\": [numbers]}", NULL);
}

ckda_status
ckda_input_field_of(ckda_field_t K, const ckda_node *at, const char *const *members,
                    size_t nmembers, ckda_error *err)
{
    ckda_node field;
    if (!ckda_node_has(at, "field"))
        return smallest_field(K, at, !json_is_object(at->json), members, nmembers, err);
    const ckda_status st = ckda_node_member(&field, at, "field", err);
    return st != CKDA_OK ? st : given_field(K, &field, err);
}

ckda_status
ckda_input_field(ckda_field_t K, const ckda_node *at, ckda_error *err)
{
    return ckda_input_field_of(K, at, number_members, COUNT(number_members), err);
}
