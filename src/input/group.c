/* Permutations, maps and permutation groups. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "input_internal.h"

const char letter_name_rule[] =
    "a name without spaces that does not begin with ( [ @ or random:";

bool
is_letter_name(const char *name)
{
    bool good = name[0] != '\0' && strchr("([@", name[0]) == NULL
                && strncmp(name, "random:", 7) != 0;
    for (const char *c = name; *c != '\0'; c++)
        good = good && !isspace((unsigned char)*c);
    return good;
}

ckda_status
check_letter_name(const ckda_node *at, ckda_error *err)
{
    char found[96];
    if (is_letter_name(at->key))
        return CKDA_OK;
    snprintf(found, sizeof found, "\"%.60s\"", at->key);
    return ckda_node_fail(at, err, letter_name_rule, found);
}

/* How many points the text of a permutation speaks of; a guess if it is malformed, which
 * the parser then says.  At most CKDA_PERM_MAX + 1. */
static slong
degree_of_text(const char *text)
{
    const bool images = strchr(text, '[') != NULL;
    slong largest = 1, commas = 0;
    for (const char *c = text; *c != '\0'; c++) {
        commas += *c == ',';
        if (isdigit((unsigned char)*c) && (c == text || !isdigit((unsigned char)c[-1]))) {
            const unsigned long v = strtoul(c, NULL, 10);
            if ((unsigned long)largest < v)
                largest = v > CKDA_PERM_MAX ? CKDA_PERM_MAX + 1 : (slong)v;
        }
    }
    return images ? FLINT_MIN(commas, CKDA_PERM_MAX) + 1 : largest;
}

static ckda_status
degree_of(slong *n, const ckda_node *at, ckda_error *err)
{
    char expected[64];
    if (json_is_string(at->json)) {
        *n = degree_of_text(json_string_value(at->json));
        if (*n <= CKDA_PERM_MAX)
            return CKDA_OK;
        snprintf(expected, sizeof expected, "points up to %d", CKDA_PERM_MAX);
        return ckda_node_fail(at, err, expected, NULL);
    }
    *n = (slong)json_array_size(at->json);
    if (*n == 0)
        return ckda_node_fail(at, err, "cycles such as \"(1,2,3)\" or a list of images",
                              NULL);
    return CKDA_OK;
}

/* A list of n points of 0 .. n-1 into image. */
static ckda_status
read_points(slong *image, const ckda_node *at, slong n, bool distinct, ckda_error *err)
{
    ckda_node item;
    char found[64];
    ckda_status st = CKDA_OK;
    char *seen = flint_calloc((size_t)n, 1);
    for (slong i = 0; i < n && st == CKDA_OK; i++) {
        long v = 0;
        st = ckda_node_item(&item, at, (size_t)i, err);
        if (st == CKDA_OK)
            st = ckda_node_long(&v, &item, 0, n - 1, err);
        if (st == CKDA_OK && distinct && seen[v]) {
            snprintf(found, sizeof found, "%ld again", v);
            st = ckda_node_fail(&item, err, "every point once (a permutation)", found);
        }
        seen[v] = 1;
        image[i] = v;
    }
    flint_free(seen);
    return st;
}

static ckda_status
parse_perm(ckda_perm *p, const ckda_node *at, slong n, ckda_error *err)
{
    char place[512];
    const ckda_status st = ckda_perm_parse(p, (int)n, json_string_value(at->json), err);
    if (st == CKDA_OK)
        return CKDA_OK;
    ckda_node_place(place, sizeof place, at);
    ckda_error_prefix(err, place);
    return st;
}

ckda_status
read_images(slong **image, slong *n, const ckda_node *at, bool distinct, ckda_error *err)
{
    slong size = 0;
    char expected[64];
    if (!distinct || !json_is_string(at->json)) {
        size_t len = 0;
        const ckda_status st = ckda_node_size(&len, at, err);
        if (st != CKDA_OK)
            return st;
        size = (slong)len;
        if (size == 0 || size > CKDA_INPUT_MAX_POINTS) {
            snprintf(expected, sizeof expected, "a list of 1 to %d points",
                     CKDA_INPUT_MAX_POINTS);
            return ckda_node_fail(at, err, expected, NULL);
        }
    } else {
        const ckda_status st = degree_of(&size, at, err);
        if (st != CKDA_OK)
            return st;
    }
    slong *points = flint_malloc((size_t)size * sizeof *points);
    ckda_status st;
    if (json_is_string(at->json)) {
        ckda_perm p;
        st = parse_perm(&p, at, size, err);
        for (slong i = 0; i < size && st == CKDA_OK; i++)
            points[i] = p.image[i];
    } else {
        st = read_points(points, at, size, distinct, err);
    }
    if (st != CKDA_OK) {
        flint_free(points);
        return st;
    }
    *image = points;
    *n = size;
    return CKDA_OK;
}

/* ---- groups ------------------------------------------------------------------------ */

/* One generator on n points; a list must have that length, cycles fix what they leave
 * out. */
static ckda_status
read_generator(ckda_perm *p, const ckda_node *at, slong n, ckda_error *err)
{
    slong image[CKDA_PERM_MAX];
    char expected[64];
    if (json_is_string(at->json))
        return parse_perm(p, at, n, err);
    if ((slong)json_array_size(at->json) != n) {
        snprintf(expected, sizeof expected,
                 "a list of %ld points like the other generators", (long)n);
        return ckda_node_fail(at, err, expected, NULL);
    }
    const ckda_status st = read_points(image, at, n, true, err);
    if (st != CKDA_OK)
        return st;
    ckda_perm_one(p, (int)n);
    for (slong i = 0; i < n; i++)
        p->image[i] = (uint8_t)image[i];
    return CKDA_OK;
}

static ckda_status
read_letters(bool *all, const ckda_node *at, ckda_error *err)
{
    ckda_node node;
    const char *text;
    *all = true;
    if (!ckda_node_has(at, "letters"))
        return CKDA_OK;
    ckda_status st = ckda_node_member(&node, at, "letters", err);
    if (st == CKDA_OK)
        st = ckda_node_string(&text, &node, err);
    if (st != CKDA_OK)
        return st;
    *all = strcmp(text, "all") == 0;
    if (!*all && strcmp(text, "generators") != 0)
        return ckda_node_fail(&node, err, "\"all\" or \"generators\"", NULL);
    return CKDA_OK;
}

/* The common degree: the largest point that any generator speaks of. */
static ckda_status
common_degree(slong *degree, const ckda_node *gens, ckda_error *err)
{
    ckda_node g;
    slong n;
    char expected[64];
    *degree = 1;
    for (bool more = ckda_node_first(&g, gens); more; more = ckda_node_next(&g)) {
        ckda_status st = check_letter_name(&g, err);
        if (st == CKDA_OK)
            st = degree_of(&n, &g, err);
        if (st != CKDA_OK)
            return st;
        if (n > CKDA_PERM_MAX) {
            snprintf(expected, sizeof expected, "at most %d points", CKDA_PERM_MAX);
            return ckda_node_fail(&g, err, expected, NULL);
        }
        *degree = FLINT_MAX(*degree, n);
    }
    return CKDA_OK;
}

static ckda_status
generate(ckda_group_t G, const ckda_node *gens, const char *name, ckda_error *err)
{
    ckda_node g;
    slong degree;
    uint32_t n = 0;
    ckda_status st = common_degree(&degree, gens, err);
    if (st != CKDA_OK)
        return st;
    const size_t size = json_object_size(gens->json);
    ckda_perm *perm = flint_malloc(size * sizeof *perm);
    const char **names = flint_malloc(size * sizeof *names);
    bool more = ckda_node_first(&g, gens);
    for (; more && st == CKDA_OK; more = ckda_node_next(&g)) {
        names[n] = g.key;
        st = read_generator(&perm[n++], &g, degree, err);
    }
    if (st == CKDA_OK) {
        st =
            ckda_group_init_generated(G, name, perm, names, n, CKDA_GROUP_MAX_ORDER, err);
        if (st != CKDA_OK) {
            char place[512];
            ckda_node_place(place, sizeof place, gens);
            ckda_error_prefix(err, place);
        }
    }
    flint_free(perm);
    flint_free(names);
    return st;
}

/* {"generators": {...}} */
static ckda_status
read_generators(ckda_group_t G, const ckda_node *at, const char *name, ckda_error *err)
{
    ckda_node gens;
    ckda_status st = ckda_node_member(&gens, at, "generators", err);
    if (st == CKDA_OK && json_object_size(gens.json) == 0)
        st = ckda_node_fail(&gens, err, "an object of named permutations", NULL);
    return st == CKDA_OK ? generate(G, &gens, name, err) : st;
}

ckda_status
ckda_input_read_group(ckda_group_t G, bool *all_letters, const ckda_node *at,
                      ckda_error *err)
{
    static const char *const known[] = {"generators", "letters", "name",   "comment",
                                        "table",      "names",   "tracker"};
    const bool table = ckda_node_has(at, "table");
    bool all = true;
    const char *name = "group";
    ckda_status st = ckda_node_only(at, known, COUNT(known), err);
    if (st == CKDA_OK && table && ckda_node_has(at, "generators"))
        st = ckda_node_fail(at, err, "generators or a table", "both");
    if (st == CKDA_OK && !table && ckda_node_has(at, "names"))
        st = ckda_node_fail(at, err, "names only with a table", "names");
    if (st == CKDA_OK)
        st = read_letters(&all, at, err);
    if (st == CKDA_OK && ckda_node_has(at, "name"))
        st = ckda_node_get_string(&name, at, "name", err);
    if (st == CKDA_OK)
        st = table ? read_cayley_table(G, at, name, err)
                   : read_generators(G, at, name, err);
    if (st == CKDA_OK)
        *all_letters = all;
    return st;
}
