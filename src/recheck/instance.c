/* The lines that say what the system is: field, start, letters, group. */
#include "recheck.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 4096, MOST_DEGREE = 1024, MOST_POINTS = 65535 };

void
instance_init(instance *I)
{
    *I = (instance){0};
    mpq_init(I->low);
    mpq_init(I->high);
}

void
instance_clear(instance *I)
{
    for (size_t i = 0; I->work != NULL && i < I->rows * I->cols * (2 * I->degree - 1);
         i++)
        mpz_clear(I->work[i]);
    for (size_t i = 0; I->f != NULL && i <= I->degree; i++)
        mpz_clear(I->f[i]);
    for (uint32_t x = 0; x < I->nletters; x++) {
        matrix_clear(&I->letters[x].linear);
        matrix_clear(&I->letters[x].offset);
        free(I->letters[x].terms);
    }
    matrix_clear(&I->initial);
    free(I->work);
    free(I->f);
    free(I->letters);
    free(I->image);
    mpq_clear(I->low);
    mpq_clear(I->high);
    *I = (instance){0};
}

static bool
read_field(reader *in, instance *I)
{
    json_t *field, *f, *root;
    if (!next_line(in) || !get_object(in, &field, in->json, "field")
        || !get_array(in, &f, field, "minpoly", I->degree + 1))
        return false;
    I->f = grown(NULL, I->degree + 1, sizeof *I->f);
    for (size_t i = 0; i <= I->degree; i++)
        mpz_init(I->f[i]);
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

static bool
read_initial(reader *in, instance *I)
{
    const size_t entries = I->rows * I->cols;
    if (!next_line(in)
        || !matrix_read(in, &I->initial, in->json, "initial", entries * I->degree))
        return false;
    const size_t size = entries * (2 * I->degree - 1);
    I->work = grown(NULL, size, sizeof *I->work);
    for (size_t i = 0; i < size; i++)
        mpz_init(I->work[i]);
    return true;
}

/* The coefficients of a letter that are not 0. */
static void
list_terms(letter *x, const instance *I)
{
    const matrix *A = &x->linear;
    size_t n = 0;
    for (size_t i = 0; i < A->count; i++)
        n += mpz_sgn(A->num[i]) != 0;
    x->terms = grown(NULL, n, sizeof *x->terms);
    for (size_t i = 0; i < A->count; i++) {
        if (mpz_sgn(A->num[i]) == 0)
            continue;
        const size_t entry = i / I->degree;
        x->terms[x->nterms++] = (term){
            .row = (uint32_t)(entry / I->rows),
            .mid = (uint32_t)(entry % I->rows),
            .power = (uint32_t)(i % I->degree),
            .small = mpz_sizeinbase(A->num[i], 2) <= 62 ? mpz_get_ui(A->num[i]) : 0,
            .minus = mpz_sgn(A->num[i]) < 0,
            .value = A->num[i]};
    }
}

static bool
read_letter(reader *in, instance *I)
{
    uint64_t number, element = 0;
    const size_t d = I->degree;
    if (!next_line(in) || !get_count(in, &number, in->json, "letter", UINT32_MAX))
        return false;
    if (number != I->nletters)
        return refuse(in, "letter: expected number %u, found %llu", I->nletters,
                      (unsigned long long)number);
    if (I->has_group
        && (!get_count(in, &element, in->json, "element", UINT32_MAX)
            || (element >= I->order
                && !refuse(in, "element: expected a number below %u", I->order))))
        return false;
    if ((I->nletters & (I->nletters - 1)) == 0)
        I->letters = grown(I->letters, 2 * (size_t)I->nletters + 1, sizeof *I->letters);
    letter *x = I->letters + I->nletters++;
    *x = (letter){.element = (uint32_t)element};
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
    uint64_t number, point;
    if (!next_line(in) || !get_count(in, &number, in->json, "element", UINT32_MAX)
        || !get_array(in, &image, in->json, "image", I->points))
        return false;
    if (number != g)
        return refuse(in, "element: expected number %u, found %llu", g,
                      (unsigned long long)number);
    memset(seen, 0, I->points);
    if ((g & (g - 1)) == 0)
        I->image = grown(I->image, (2 * (size_t)g + 1) * I->points, sizeof *I->image);
    for (size_t i = 0; i < I->points; i++) {
        if (!as_count(in, &point, json_array_get(image, i), "image", i, I->points - 1))
            return false;
        if (seen[point])
            return refuse(in, "image[%zu]: the point %u is there twice", i,
                          (unsigned)point);
        seen[point] = true;
        I->image[(size_t)g * I->points + i] = (uint16_t)point;
    }
    return true;
}

/* Permutations in a sorted list, with what the comparison needs. */
typedef struct {
    const uint16_t *image;
    size_t bytes;
} listed;

static int
compare_images(const void *a, const void *b)
{
    const listed *x = a, *y = b;
    return memcmp(x->image, y->image, x->bytes);
}

static bool
elements_differ(reader *in, const instance *I)
{
    listed *list = grown(NULL, I->order, sizeof *list);
    for (uint32_t g = 0; g < I->order; g++)
        list[g] =
            (listed){I->image + (size_t)g * I->points, I->points * sizeof *I->image};
    qsort(list, I->order, sizeof *list, compare_images);
    bool differ = true;
    for (uint32_t g = 1; differ && g < I->order; g++)
        differ = compare_images(list + g - 1, list + g) != 0;
    free(list);
    return differ || refuse(in, "two elements of the group are the same permutation");
}

static bool
read_group(reader *in, instance *I)
{
    bool seen[MOST_POINTS];
    for (uint32_t g = 0; g < I->order; g++)
        if (!read_element(in, I, g, seen))
            return false;
    return elements_differ(in, I);
}

static bool
read_header(reader *in, instance *I, uint64_t *letters, const json_t *header)
{
    uint64_t rows, cols, degree, points, order;
    json_t *group;
    if (!get_count(in, &rows, header, "rows", MOST_ROWS)
        || !get_count(in, &cols, header, "cols", MOST_ROWS)
        || !get_count(in, &degree, header, "degree", MOST_DEGREE)
        || !get_count(in, letters, header, "letters", UINT32_MAX - 1))
        return false;
    if (rows == 0 || cols == 0 || degree == 0)
        return refuse(in, "rows, cols and degree must be positive");
    I->rows = rows;
    I->cols = cols;
    I->degree = degree;
    I->has_group = json_object_get(header, "group") != NULL;
    if (!I->has_group)
        return true;
    if (!get_object(in, &group, header, "group")
        || !get_count(in, &points, group, "points", MOST_POINTS)
        || !get_count(in, &order, group, "order", UINT32_MAX - 1))
        return false;
    if (points == 0 || order == 0)
        return refuse(in, "group: points and order must be positive");
    I->points = (uint32_t)points;
    I->order = (uint32_t)order;
    return true;
}

bool
instance_read(reader *in, instance *I, const json_t *header)
{
    uint64_t letters;
    if (!read_header(in, I, &letters, header) || !read_field(in, I)
        || !read_initial(in, I))
        return false;
    for (uint64_t x = 0; x < letters; x++)
        if (!read_letter(in, I))
            return false;
    return !I->has_group || read_group(in, I);
}
