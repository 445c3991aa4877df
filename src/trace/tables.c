/* Tables of a group given as floating-point numbers: recognised as exact ones, and
 * believed only as far as exact arithmetic confirms them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "words.h"

enum { GROUP_MAX = 256, DIM = 4 };

static ckda_status
wrong(ckda_error *err, const char *tensor, uint64_t at, const char *expected)
{
    ckda_error_set(err, "tensor \"%s\", row or token %llu: expected %s", tensor,
                   (unsigned long long)at, expected);
    return CKDA_E_INPUT;
}

/* ---- the abstract group ------------------------------------------------------------ */

static bool
is_whole(const ckda_tensor *t)
{
    return t->dtype == CKDA_DTYPE_U8 || t->dtype == CKDA_DTYPE_I8
           || t->dtype == CKDA_DTYPE_I16 || t->dtype == CKDA_DTYPE_I32
           || t->dtype == CKDA_DTYPE_I64;
}

/* The i-th number as an index below n. */
static bool
index_at(uint32_t *out, const ckda_tensor *t, uint64_t i, uint32_t n)
{
    /* negative numbers have high bits set and are no index either */
    const uint64_t x = ckda_tensor_bits(t, i);
    *out = (uint32_t)x;
    return x < n;
}

static ckda_status
read_product(word_tables *g, const ckda_tensor *t, ckda_error *err)
{
    g->n = (uint32_t)t->shape[0];
    g->product = fresh((size_t)g->n * g->n, sizeof *g->product);
    for (uint64_t i = 0; i < t->count; i++)
        if (!index_at(&g->product[i], t, i, g->n))
            return wrong(err, t->name, i / g->n, "indices of elements");
    return CKDA_OK;
}

static ckda_status
check_group(word_tables *g, ckda_error *err)
{
    const uint32_t n = g->n, *p = g->product;
    uint32_t e = 0;
    for (e = 0; e < n; e++) {
        uint32_t x = 0;
        while (x < n && p[e * n + x] == x && p[x * n + e] == x)
            x++;
        if (x == n)
            break;
    }
    if (e == n)
        return wrong(err, "product_table", 0, "an identity element");
    g->identity = e;
    for (uint32_t a = 0; a < n; a++) {
        uint32_t x = 0;
        while (x < n && p[a * n + x] != e)
            x++;
        if (x == n)
            return wrong(err, "product_table", a, "an inverse");
        for (uint32_t b = 0; b < n; b++)
            for (uint32_t c = 0; c < n; c++)
                if (p[p[a * n + b] * n + c] != p[a * n + p[b * n + c]])
                    return wrong(err, "product_table", a, "an associative product");
    }
    return CKDA_OK;
}

/* ---- the elements as matrices ------------------------------------------------------ */

/* false with *skipped when a number is no (a + b phi)/2. */
static bool
read_letter(icosian_mat *m, half_phi *k, const ckda_tensor *keys,
            const ckda_tensor *signs, uint64_t g, const char **skipped)
{
    int s[DIM];
    for (uint64_t i = 0; i < DIM; i++) {
        const double sign = tensor_double(signs, DIM * g + i);
        if (!half_phi_recognise(&k[i], tensor_double(keys, DIM * g + i))) {
            *skipped = "a key of keys_table is no number (a + b phi)/2";
            return false;
        }
        if (sign != 1 && sign != -1) {
            *skipped = "signs_table has numbers other than 1 and -1";
            return false;
        }
        s[i] = (int)sign;
    }
    icosian_letter(m, k, s);
    return true;
}

static ckda_status
read_letters(word_tables *g, const char **skipped, const ckda_tensor *keys,
             const ckda_tensor *signs, ckda_error *err)
{
    g->mat = fresh(g->n, sizeof *g->mat);
    g->image = fresh(g->n, sizeof *g->image);
    g->image_d = fresh(9 * (size_t)g->n, sizeof *g->image_d);
    for (uint32_t i = 0; i < g->n; i++) {
        half_phi k[DIM];
        if (!read_letter(&g->mat[i], k, keys, signs, i, skipped))
            return CKDA_OK;
        if (!half_phi_is_unit(k, DIM))
            return wrong(err, "keys_table", i, "a key of length exactly 1");
        if (!icosian_readout(&g->image[i], &g->mat[i])) {
            *skipped = "the read-out of a letter is no matrix over (a + b phi)/2";
            return CKDA_OK;
        }
        for (int j = 0; j < 9; j++)
            g->image_d[9 * i + (uint32_t)j] = half_phi_double(g->image[i].e[j]);
    }
    return CKDA_OK;
}

uint32_t
tables_find(const word_tables *g, const icosian_rot *f)
{
    uint32_t i = 0;
    while (i < g->n && memcmp(&g->image[i], f, sizeof *f) != 0)
        i++;
    return i;
}

/* f(a) f(b) = f(product) for all pairs, and no two images equal. */
static ckda_status
check_images(const word_tables *g, ckda_error *err)
{
    for (uint32_t a = 0; a < g->n; a++) {
        if (tables_find(g, &g->image[a]) != a)
            return wrong(err, "keys_table", a, "a read-out unlike the others");
        for (uint32_t b = 0; b < g->n; b++) {
            icosian_rot f;
            const icosian_rot *want = &g->image[g->product[a * g->n + b]];
            if (!icosian_rot_mul(&f, &g->image[a], &g->image[b])
                || memcmp(&f, want, sizeof f) != 0)
                return wrong(err, "product_table", a,
                             "products that agree with the read-outs of the keys");
        }
    }
    return CKDA_OK;
}

/* ---- the words --------------------------------------------------------------------- */

/* element[b, t] is the product of the letters, and k their keys rounded. */
static ckda_status
check_words(const word_tables *g, const ckda_trace *tr, const ckda_tensor *letters,
            const ckda_tensor *element, ckda_error *err)
{
    for (uint64_t i = 0; i < letters->count; i++) {
        uint32_t l, e, before = g->identity;
        if (!index_at(&l, letters, i, g->n))
            return wrong(err, "letters", i, "an index of an element");
        if (i % tr->T > 0)
            (void)index_at(&before, element, i - 1, g->n);
        if (!index_at(&e, element, i, g->n) || e != g->product[l * g->n + before])
            return wrong(err, "element", i, "the product of the letters so far");
    }
    return CKDA_OK;
}

/* Letter's key and signs are those that the kernel was given, rounded. */
static ckda_status
check_inputs(const word_tables *g, const ckda_trace *tr, const ckda_tensor *letters,
             const ckda_tensor *keys, const ckda_tensor *signs, ckda_error *err)
{
    for (uint64_t b = 0; b < tr->B; b++)
        for (uint64_t t = 0; t < tr->T; t++) {
            uint32_t l = 0;
            (void)index_at(&l, letters, b * tr->T + t, g->n);
            for (uint64_t i = 0; i < tr->K; i++) {
                const double want = i < DIM ? tensor_double(keys, DIM * l + i) : 0;
                const double sign = i < DIM ? tensor_double(signs, DIM * l + i) : 1;
                const double got = view_get(&tr->k, b, t, 0, i);
                const double gate =
                    tr->gate.t != NULL ? view_get(&tr->gate, b, t, 0, i) : 1;
                if (fabs(got - want) > 0x1p-7)
                    return wrong(err, "k", b * tr->T + t, "the key of the letter");
                if (gate != sign)
                    return wrong(err, "alpha", b * tr->T + t, "the signs of the letter");
            }
        }
    return CKDA_OK;
}

/* NULL when the shapes are as they should be, else what is not known here. */
static const char *
unlike(const ckda_trace *tr, const ckda_tensor *const t[5])
{
    const ckda_tensor *letters = t[0], *element = t[1], *product = t[2], *keys = t[3],
                      *signs = t[4];
    if (!is_whole(letters) || !is_whole(element) || !is_whole(product))
        return "letters, element and product_table must be whole numbers";
    if (product->ndim != 2 || product->shape[0] != product->shape[1]
        || product->shape[0] > GROUP_MAX || product->count == 0)
        return "product_table must be [n, n] with n <= 256";
    const uint64_t n = product->shape[0];
    if (keys->dtype == CKDA_DTYPE_I64 || signs->dtype == CKDA_DTYPE_I64 || keys->ndim != 2
        || keys->shape[0] != n || keys->shape[1] != DIM || signs->ndim != 2
        || signs->shape[0] != n || signs->shape[1] != DIM)
        return "keys_table and signs_table must be [n, 4]";
    if (letters->ndim != 2 || letters->shape[0] != tr->B || letters->shape[1] != tr->T
        || element->ndim != 2 || element->shape[0] != tr->B || element->shape[1] != tr->T)
        return "letters and element must be [B, T]";
    if (!tr->rows || !tr->headless || tr->K < DIM || tr->V < DIM || tr->R < DIM
        || tr->C < DIM || !tr->identity || tr->v.t != NULL
        || (tr->gate_kind != GATE_ALPHA && tr->gate_kind != GATE_NONE))
        return "outputs must be rows of a state that starts at I, without v, one head";
    return NULL;
}

ckda_status
tables_open(word_tables *g, const char **skipped, const ckda_trace *tr, ckda_error *err)
{
    static const char *const names[5] = {"letters", "element", "product_table",
                                         "keys_table", "signs_table"};
    const ckda_tensor *t[5];
    size_t found = 0;
    *g = (word_tables){0};
    *skipped = NULL;
    for (size_t i = 0; i < 5; i++) {
        t[i] = ckda_tensors_find(tr->ts, names[i]);
        found += t[i] != NULL;
    }
    if (found < 5) {
        *skipped = found > 0 ? "letters, element, product_table, keys_table and "
                               "signs_table are wanted together"
                             : "";
        return CKDA_OK;
    }
    *skipped = unlike(tr, t);
    if (*skipped != NULL)
        return CKDA_OK;
    ckda_status st = read_product(g, t[2], err);
    if (st == CKDA_OK)
        st = check_group(g, err);
    if (st == CKDA_OK)
        st = read_letters(g, skipped, t[3], t[4], err);
    if (st == CKDA_OK && *skipped == NULL)
        st = check_images(g, err);
    if (st == CKDA_OK && *skipped == NULL)
        st = check_words(g, tr, t[0], t[1], err);
    if (st == CKDA_OK && *skipped == NULL)
        st = check_inputs(g, tr, t[0], t[3], t[4], err);
    if (st != CKDA_OK || *skipped != NULL)
        tables_clear(g);
    return st;
}

void
tables_clear(word_tables *g)
{
    free(g->product);
    free(g->mat);
    free(g->image);
    free(g->image_d);
    *g = (word_tables){0};
}
