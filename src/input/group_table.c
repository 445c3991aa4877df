/* {"table": [[0, 1], [1, 0]]}: a group by its Cayley table, every axiom decided.
 *
 * Entry [i][j] is the product i j.  A table that is closed, associative, has an identity and
 * inverses is a group; its element a becomes the permutation x -> a x of the elements
 * (Cayley), and all elements are named generators, so that words can name them. */
#include <stdio.h>
#include <string.h>
#include "input_internal.h"

typedef struct {
    uint32_t n, one;
    uint32_t *product; /* n * n */
    char **name;       /* n */
    const ckda_node *at;
} cayley;

static uint32_t
times(const cayley *t, uint32_t a, uint32_t b)
{
    return t->product[(size_t)a * t->n + b];
}

static ckda_status
fail_at(const cayley *t, uint32_t row, int64_t column, ckda_error *err,
        const char *expected, const char *found)
{
    ckda_node line, entry;
    ckda_status st = ckda_node_item(&line, t->at, row, err);
    if (st == CKDA_OK && column >= 0)
        st = ckda_node_item(&entry, &line, (size_t)column, err);
    return st != CKDA_OK
               ? st
               : ckda_node_fail(column >= 0 ? &entry : &line, err, expected, found);
}

/* ---- square and closed ------------------------------------------------------------ */

static ckda_status
read_row(uint32_t *row, const ckda_node *at, uint32_t n, ckda_error *err)
{
    size_t size;
    char expected[64], found[32];
    ckda_status st = ckda_node_size(&size, at, err);
    if (st == CKDA_OK && size != n) {
        snprintf(expected, sizeof expected, "%u entries, as many as there are rows", n);
        snprintf(found, sizeof found, "%zu", size);
        return ckda_node_fail(at, err, expected, found);
    }
    for (uint32_t j = 0; j < n && st == CKDA_OK; j++) {
        ckda_node item;
        long v = 0;
        st = ckda_node_item(&item, at, j, err);
        if (st == CKDA_OK)
            st = ckda_node_long(&v, &item, 0, (long)n - 1, err);
        row[j] = (uint32_t)v;
    }
    return st;
}

static ckda_status
read_rows(cayley *t, ckda_error *err)
{
    size_t size;
    char expected[64];
    ckda_status st = ckda_node_size(&size, t->at, err);
    if (st != CKDA_OK)
        return st;
    if (size == 0 || size > CKDA_PERM_MAX) {
        snprintf(expected, sizeof expected, "a table of 1 to %d rows", CKDA_PERM_MAX);
        return ckda_node_fail(t->at, err, expected, NULL);
    }
    t->n = (uint32_t)size;
    t->product = flint_malloc(size * size * sizeof *t->product);
    for (uint32_t i = 0; i < t->n && st == CKDA_OK; i++) {
        ckda_node row;
        st = ckda_node_item(&row, t->at, i, err);
        if (st == CKDA_OK)
            st = read_row(t->product + (size_t)i * t->n, &row, t->n, err);
    }
    return st;
}

/* ---- associative ------------------------------------------------------------------ */

/* Adds x and everything that products with it lead to: list[0 .. *count-1] is closed
 * before and after. */
static void
close_with(bool *in, uint32_t *list, uint32_t *count, uint32_t x, const cayley *t)
{
    uint32_t done = *count;
    in[x] = true;
    list[(*count)++] = x;
    for (; done < *count; done++)
        for (uint32_t i = 0; i <= done; i++) {
            const uint32_t y[2] = {times(t, list[i], list[done]),
                                   times(t, list[done], list[i])};
            for (int k = 0; k < 2; k++)
                if (!in[y[k]]) {
                    in[y[k]] = true;
                    list[(*count)++] = y[k];
                }
        }
}

/* Light's test with one element in the middle. */
static ckda_status
check_middle(const cayley *t, uint32_t a, ckda_error *err)
{
    char found[160];
    for (uint32_t x = 0; x < t->n; x++)
        for (uint32_t y = 0; y < t->n; y++) {
            const uint32_t left = times(t, times(t, x, a), y);
            const uint32_t right = times(t, x, times(t, a, y));
            if (left == right)
                continue;
            snprintf(found, sizeof found, "(%u %u) %u = %u and %u (%u %u) = %u", x, a, y,
                     left, x, a, y, right);
            return fail_at(t, times(t, x, a), y, err,
                           "an associative table, (x a) y = x (a y)", found);
        }
    return CKDA_OK;
}

/* The elements a with (x a) y = x (a y) for all x and y are closed under products, so
 * generators are enough [Light]. */
static ckda_status
check_associative(const cayley *t, ckda_error *err)
{
    bool *in = flint_calloc(t->n, sizeof *in);
    uint32_t *list = flint_malloc(t->n * sizeof *list), count = 0;
    ckda_status st = CKDA_OK;
    for (uint32_t a = 0; a < t->n && st == CKDA_OK; a++) {
        if (in[a])
            continue;
        close_with(in, list, &count, a, t);
        st = check_middle(t, a, err);
    }
    flint_free(list);
    flint_free(in);
    return st;
}

/* ---- identity and inverses -------------------------------------------------------- */

static ckda_status
find_identity(cayley *t, ckda_error *err)
{
    for (uint32_t e = 0; e < t->n; e++) {
        bool good = true;
        for (uint32_t x = 0; x < t->n && good; x++)
            good = times(t, e, x) == x && times(t, x, e) == x;
        if (good) {
            t->one = e;
            return CKDA_OK;
        }
    }
    return ckda_node_fail(t->at, err, "an identity: a row and column that change nothing",
                          "none");
}

static ckda_status
check_inverses(const cayley *t, ckda_error *err)
{
    char expected[64];
    for (uint32_t x = 0; x < t->n; x++) {
        bool found = false;
        for (uint32_t y = 0; y < t->n && !found; y++)
            found = times(t, x, y) == t->one && times(t, y, x) == t->one;
        if (found)
            continue;
        snprintf(expected, sizeof expected, "an inverse of %u (identity %u)", x, t->one);
        return fail_at(t, x, -1, err, expected, "none");
    }
    return CKDA_OK;
}

/* ---- names ------------------------------------------------------------------------ */

static char *
copy_text(const char *text)
{
    const size_t len = strlen(text) + 1;
    return memcpy(flint_malloc(len), text, len);
}

static ckda_status
read_name(cayley *t, uint32_t i, const ckda_node *at, ckda_error *err)
{
    const char *text;
    const ckda_status st = ckda_node_string(&text, at, err);
    if (st != CKDA_OK)
        return st;
    if (!is_letter_name(text) || strpbrk(text, "*^") != NULL)
        return ckda_node_fail(at, err,
                              "a name without spaces, * or ^ that does not begin with ( "
                              "[ @ or random:",
                              NULL);
    if (strcmp(text, "e") == 0 && i != t->one)
        return ckda_node_fail(at, err, "e for the identity only", NULL);
    for (uint32_t j = 0; j < i; j++)
        if (strcmp(t->name[j], text) == 0)
            return ckda_node_fail(at, err, "every name once", NULL);
    t->name[i] = copy_text(text);
    return CKDA_OK;
}

/* "names", or g0, g1, ... */
static ckda_status
read_names(cayley *t, const ckda_node *group, ckda_error *err)
{
    ckda_node list, item;
    char text[32];
    size_t size;
    t->name = flint_calloc(t->n, sizeof *t->name);
    if (!ckda_node_has(group, "names")) {
        for (uint32_t i = 0; i < t->n; i++) {
            snprintf(text, sizeof text, "g%u", i);
            t->name[i] = copy_text(text);
        }
        return CKDA_OK;
    }
    ckda_status st = ckda_node_member(&list, group, "names", err);
    if (st == CKDA_OK)
        st = ckda_node_size(&size, &list, err);
    if (st == CKDA_OK && size != t->n) {
        snprintf(text, sizeof text, "%u names", t->n);
        st = ckda_node_fail(&list, err, text, NULL);
    }
    for (uint32_t i = 0; i < t->n && st == CKDA_OK; i++) {
        st = ckda_node_item(&item, &list, i, err);
        if (st == CKDA_OK)
            st = read_name(t, i, &item, err);
    }
    return st;
}

/* ---- the group -------------------------------------------------------------------- */

static ckda_status
generate(ckda_group_t G, const cayley *t, const char *name, ckda_error *err)
{
    ckda_perm *perm = flint_malloc(t->n * sizeof *perm);
    for (uint32_t a = 0; a < t->n; a++) {
        ckda_perm_one(&perm[a], (int)t->n);
        for (uint32_t x = 0; x < t->n; x++)
            perm[a].image[x] = (uint8_t)times(t, a, x);
    }
    const ckda_status st = ckda_group_init_generated(
        G, name, perm, (const char *const *)t->name, t->n, t->n, err);
    flint_free(perm);
    return st;
}

ckda_status
read_cayley_table(ckda_group_t G, const ckda_node *group, const char *name,
                  ckda_error *err)
{
    ckda_node at;
    cayley t = {.at = &at};
    ckda_status st = ckda_node_member(&at, group, "table", err);
    if (st == CKDA_OK)
        st = read_rows(&t, err);
    if (st == CKDA_OK)
        st = check_associative(&t, err);
    if (st == CKDA_OK)
        st = find_identity(&t, err);
    if (st == CKDA_OK)
        st = check_inverses(&t, err);
    if (st == CKDA_OK)
        st = read_names(&t, group, err);
    if (st == CKDA_OK)
        st = generate(G, &t, name, err);
    for (uint32_t i = 0; t.name != NULL && i < t.n; i++)
        flint_free(t.name[i]);
    flint_free(t.name);
    flint_free(t.product);
    return st;
}
