/* The lines that say what the system is: field, start, letters, group. */
#include "recheck.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 4096, MOST_DEGREE = 1024, MOST_POINTS = 65535 };

void
instance_clear(instance *I)
{
    integers_free(I->work, I->rows * I->cols * (2 * I->degree - 1));
    integers_free(I->f, I->degree + 1);
    for (uint32_t x = 0; x < I->nletters; x++) {
        matrix_clear(&I->letters[x].linear);
        matrix_clear(&I->letters[x].offset);
        free(I->letters[x].terms);
    }
    matrix_clear(&I->initial);
    free(I->letters);
    free(I->image);
    mpq_clears(I->low, I->high, NULL);
}

static bool
read_field(reader *in, instance *I)
{
    json_t *field, *f, *root;
    if (!next_line(in) || !get_object(in, &field, in->json, "field")
        || !get_array(in, &f, field, "minpoly", I->degree + 1))
        return false;
    I->f = integers_new(I->degree + 1);
    for (size_t i = 0; i <= I->degree; i++)
        if (!as_integer(in, I->f[i], json_array_get(f, i), "minpoly", i))
            return false;
    if (mpz_cmp_ui(I->f[I->degree], 1) != 0)
        return refuse(in, "minpoly: the leading coefficient is not 1");
    return get_array(in, &root, field, "root", 2)
           && as_fraction(in, I->low, json_array_get(root, 0), "root[0]")
           && as_fraction(in, I->high, json_array_get(root, 1), "root[1]")
           && root_check(in, I);
}

/* The coefficients of a letter that are not 0. */
void
list_terms(letter *x, const instance *I)
{
    const matrix *A = &x->linear;
    x->terms = grown(NULL, A->count, sizeof *x->terms);
    for (size_t i = 0; i < A->count; i++) {
        if (mpz_sgn(A->num[i]) == 0)
            continue;
        const size_t entry = i / I->degree;
        x->terms[x->nterms++] = (term){.row = (uint32_t)(entry / I->rows),
                                       .mid = (uint32_t)(entry % I->rows),
                                       .power = (uint32_t)(i % I->degree),
                                       .value = A->num[i]};
    }
}

bool
letter_begin(reader *in, instance *I)
{
    uint64_t element = 0;
    if (!numbered_line(in, "letter", I->nletters))
        return false;
    if (I->has_group && !get_count(in, &element, in->json, "element", 0, I->order - 1))
        return false;
    if ((I->nletters & (I->nletters - 1)) == 0) /* doubles */
        I->letters = grown(I->letters, 2 * (size_t)I->nletters + 1, sizeof *I->letters);
    I->letters[I->nletters++] = (letter){.element = (uint32_t)element};
    return true;
}

static bool
read_letter(reader *in, instance *I)
{
    const size_t d = I->degree;
    if (!letter_begin(in, I))
        return false;
    letter *x = I->letters + I->nletters - 1;
    if (!matrix_read(in, &x->linear, in->json, "linear", I->rows * I->rows * d))
        return false;
    list_terms(x, I);
    return json_object_get(in->json, "offset") == NULL
           || matrix_read(in, &x->offset, in->json, "offset", I->rows * I->cols * d);
}

/* One permutation: every point once. */
static bool
read_element(reader *in, instance *I, uint32_t g, bool *seen)
{
    json_t *image;
    uint64_t point;
    if (!numbered_line(in, "element", g)
        || !get_array(in, &image, in->json, "image", I->points))
        return false;
    memset(seen, 0, I->points);
    if ((g & (g - 1)) == 0)
        I->image = grown(I->image, (2 * (size_t)g + 1) * I->points, sizeof *I->image);
    for (size_t i = 0; i < I->points; i++) {
        if (!as_count(in, &point, json_array_get(image, i), "image", i, 0, I->points - 1))
            return false;
        if (seen[point])
            return refuse(in, "image[%zu]: the point %u is there twice", i,
                          (unsigned)point);
        seen[point] = true;
        I->image[(size_t)g * I->points + i] = (uint16_t)point;
    }
    return true;
}

bool
group_read(reader *in, instance *I)
{
    bool seen[MOST_POINTS];
    const size_t size = I->points * sizeof *I->image;
    uint32_t at;
    for (uint32_t g = 0; g < I->order; g++)
        if (!read_element(in, I, g, seen))
            return false;
    listed *list = grown(NULL, I->order, sizeof *list);
    for (uint32_t g = 0; g < I->order; g++)
        list[g] = (listed){I->image + (size_t)g * I->points, size, g};
    const bool differ = all_differ(&at, list, I->order);
    free(list);
    return differ || refuse(in, "two elements of the group are the same permutation");
}

bool
header_read(reader *in, instance *I, const json_t *header)
{
    uint64_t rows, cols, degree, points, order;
    json_t *group;
    if (!get_count(in, &rows, header, "rows", 1, MOST_ROWS)
        || !get_count(in, &cols, header, "cols", 1, MOST_ROWS)
        || !get_count(in, &degree, header, "degree", 1, MOST_DEGREE)
        || !get_count(in, &I->stated, header, "letters", 0, UINT32_MAX - 1))
        return false;
    I->rows = rows;
    I->cols = cols;
    I->degree = degree;
    I->has_group = json_object_get(header, "group") != NULL;
    if (!I->has_group)
        return true;
    if (!get_object(in, &group, header, "group")
        || !get_count(in, &points, group, "points", 1, MOST_POINTS)
        || !get_count(in, &order, group, "order", 1, UINT32_MAX - 1))
        return false;
    I->points = (uint32_t)points;
    I->order = (uint32_t)order;
    return true;
}

bool
instance_read(reader *in, instance *I, const json_t *header)
{
    if (!header_read(in, I, header) || !read_field(in, I) || !next_line(in))
        return false;
    const size_t entries = I->rows * I->cols;
    if (!matrix_read(in, &I->initial, in->json, "initial", entries * I->degree))
        return false;
    I->work = integers_new(entries * (2 * I->degree - 1));
    for (uint64_t x = 0; x < I->stated; x++)
        if (!read_letter(in, I))
            return false;
    return group_read(in, I);
}
