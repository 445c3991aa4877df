/* The lines that say what the system is: field, start, letters, group, read-out. */
#include "recheck.h"

#include <string.h>

enum { MOST_ROWS = 4096, MOST_DEGREE = 1024, MOST_POINTS = 65535 };

static void
field_read(reader *in, instance *I)
{
    next_line(in);
    const json_t *field = get_member(in, in->json, "field"),
                 *f = get_array(in, field, "minpoly", I->degree + 1);
    I->f = integers_new(I->degree + 1);
    I->work = integers_new(2 * I->degree - 1);
    for (size_t i = 0; i <= I->degree; i++)
        as_integer(in, I->f[i], json_array_get(f, i), "minpoly");
    refuse(in, mpz_cmp_ui(I->f[I->degree], 1) != 0,
           "minpoly: the leading coefficient is not 1");
    const json_t *root = get_array(in, field, "root", 2);
    I->root = fractions_new(2);
    as_fraction(in, I->root[0], json_array_get(root, 0), "root[0]");
    as_fraction(in, I->root[1], json_array_get(root, 1), "root[1]");
    root_check(in, I);
}

letter *
letter_begin(reader *in, instance *I)
{
    numbered_line(in, "letter", I->nletters);
    const uint64_t element =
        I->has_group ? get_count(in, in->json, "element", 0, I->order - 1) : I->nletters;
    I->letters = doubled(I->letters, I->nletters, sizeof *I->letters);
    letter *x = I->letters + I->nletters++;
    *x = (letter){.element = (uint32_t)element};
    return x;
}

/* The matrix has `top` rows: all, unless only the first of a product are stated. */
static void
read_letter(reader *in, instance *I, size_t top)
{
    const size_t d = I->degree;
    letter *x = letter_begin(in, I);
    matrix_read(in, &x->linear, in->json, "linear", top * I->rows * d);
    if (json_object_get(in->json, "offset") != NULL && I->initial.count > 0)
        matrix_read(in, &x->offset, in->json, "offset", I->rows * I->cols * d);
    if (json_object_get(in->json, "steps") != NULL || I->initial.count == 0)
        steps_check(in, I, x, top);
    if (I->queries > 0)
        matrix_read(in, &x->query, in->json, "query", I->queries * I->rows * d);
}

/* One permutation: every point once; or the map of one letter of an automaton. */
static void
read_element(reader *in, instance *I, uint32_t g, uint32_t *image, bool *seen)
{
    matrix value;
    numbered_line(in, "element", g);
    get_counts(in, image, in->json, "image", I->points, I->points - 1);
    memset(seen, 0, I->points);
    I->image = doubled(I->image, g, I->points * sizeof *I->image);
    for (size_t i = 0; i < I->points; i++) {
        refuse(in, seen[image[i]] && I->has_group,
               "image[%zu]: the point %u is there twice", i, image[i]);
        seen[image[i]] = true;
        I->image[(size_t)g * I->points + i] = (uint16_t)image[i];
    }
    if (I->nvalues == 0)
        return;
    matrix_read(in, &value, in->json, "value", I->nvalues * I->degree);
    add_packed(&I->values, &value);
    matrix_clear(&value);
}

void
group_read(reader *in, instance *I)
{
    uint32_t *image = grown(NULL, I->points, sizeof *image);
    bool *seen = grown(NULL, I->points, sizeof *seen);
    for (uint32_t g = 0; g < I->order; g++)
        read_element(in, I, g, image, seen);
    listed *list = grown(NULL, I->order, sizeof *list);
    const size_t size = I->points * sizeof *I->image;
    for (uint32_t g = 0; g < I->order; g++)
        list[g] = (listed){I->image + (size_t)g * I->points, size, g};
    if (I->has_group)
        all_differ(in, NULL, "elements", 0, list, I->order, false);
}

/* A member with two numbers, if it is there. */
static bool
read_pair(reader *in, uint32_t pair[2], const json_t *header, const char *key,
          const char *one, const char *other, uint64_t most)
{
    const json_t *body = json_object_get(header, key);
    if (body == NULL)
        return false;
    pair[0] = (uint32_t)get_count(in, body, one, 1, MOST_POINTS);
    pair[1] = (uint32_t)get_count(in, body, other, 0, most);
    return true;
}

void
header_read(reader *in, instance *I, const json_t *header)
{
    uint32_t pair[2] = {0, 0};
    I->stated = get_count(in, header, "letters", 0, UINT32_MAX - 1);
    I->has_group =
        read_pair(in, pair, header, "group", "points", "order", UINT32_MAX - 1);
    I->order = pair[1];
    refuse(in, I->has_group && I->order == 0, "order: expected 1 to 4294967294, found 0");
    I->is_automaton =
        !I->has_group
        && read_pair(in, pair, header, "automaton", "states", "start", MOST_POINTS);
    if (I->is_automaton)
        I->order = (uint32_t)I->stated; /* a map for each letter */
    I->start = pair[1];
    I->points = pair[0];
    I->signs = json_is_true(json_object_get(header, "signs"));
    if (I->has_group && json_object_get(header, "values") != NULL)
        I->nvalues = get_count(in, header, "values", 1, MOST_POINTS);
    I->range = fractions_new(4);
    mpq_set_si(I->range[1], 2, 1);
    mpq_set_si(I->range[2], -1, 1);
    mpq_set_si(I->range[3], 1, 1);
    for (int i = 0; i < 2 && json_object_get(header, "beta") != NULL; i++)
        as_fraction(in, I->range[i], json_array_get(get_array(in, header, "beta", 2), i),
                    "beta");
}

void
shape_read(reader *in, instance *I, const json_t *header)
{
    I->rows = get_count(in, header, "rows", 1, MOST_ROWS);
    I->cols = get_count(in, header, "cols", 1, MOST_ROWS);
    I->degree = get_count(in, header, "degree", 1, MOST_DEGREE);
}

void
system_read(reader *in, instance *I, const json_t *header, bool has_states)
{
    shape_read(in, I, header);
    field_read(in, I);
    const size_t entries = I->rows * I->cols,
                 top = has_states ? I->rows : get_count(in, header, "top", 1, I->rows);
    if (has_states) {
        next_line(in);
        matrix_read(in, &I->initial, in->json, "initial", entries * I->degree);
    }
    for (uint64_t x = 0; x < I->stated; x++)
        read_letter(in, I, top);
}

void
instance_read(reader *in, instance *I, const json_t *header)
{
    header_read(in, I, header);
    system_read(in, I, header, true);
    group_read(in, I);
}
