/* {"dot": {...}} */
#include <stdlib.h>
#include <string.h>

#include "range_internal.h"

enum { MAX_TERMS = 1 << 20 };

/* The pattern of a number that must be a value of the format. */
static ckda_status
read_pattern(uint64_t *x, const ckda_node *at, const ckda_fp_format *f, ckda_error *err)
{
    fmpq_t q, back;
    fmpq_init(q);
    fmpq_init(back);
    ckda_status status = rg_read_rational(q, at, err);
    if (status == CKDA_OK) {
        char expected[64];
        *x = ckda_fp_from_fmpq(q, f, &ckda_fp_rne);
        snprintf(expected, sizeof expected, "a value of %s", f->name);
        if (ckda_fp_get_fmpq(back, *x, f) != CKDA_OK || !fmpq_equal(back, q))
            status = ckda_node_fail(at, err, expected, NULL);
    }
    fmpq_clear(q);
    fmpq_clear(back);
    return status;
}

static ckda_status
read_vector(uint64_t **x, slong *n, const ckda_node *in, const char *key,
            const ckda_fp_format *f, ckda_error *err)
{
    ckda_node at, item;
    size_t size;
    ckda_status status = ckda_node_member(&at, in, key, err);
    if (status == CKDA_OK)
        status = ckda_node_size(&size, &at, err);
    if (status != CKDA_OK)
        return status;
    if (size > MAX_TERMS)
        return ckda_node_fail(&at, err, "at most 2^20 numbers", NULL);
    if (*n >= 0 && (size_t)*n != size)
        return ckda_node_fail(&at, err, "as many numbers as in \"a\"", NULL);
    uint64_t *y = flint_malloc((size + 1) * sizeof *y);
    for (size_t i = 0; i < size && status == CKDA_OK; i++) {
        status = ckda_node_item(&item, &at, i, err);
        if (status == CKDA_OK)
            status = read_pattern(y + i, &item, f, err);
    }
    if (status != CKDA_OK) {
        flint_free(y);
        return status;
    }
    *x = y;
    *n = (slong)size;
    return CKDA_OK;
}

static ckda_status
read_model(ckda_fp_dot_model *m, const ckda_node *in, ckda_error *err)
{
    static const char *const known[] = {"order", "width", "keep_bits", "carry_inside",
                                        "align", "acc",   "fused",     "rounding"};
    static const char *const orders[] = {"sequential", "pairwise", "blocked"};
    static const char *const aligns[] = {"fields", "value"};
    static const char *const roundings[] = {"rne", "rtz"};
    int order = CKDA_FP_BLOCKED, align = CKDA_FP_ALIGN_FIELDS, rounding = 0;
    slong width = 4, keep = 0;
    ckda_node at;
    *m = (ckda_fp_dot_model){.acc = &ckda_fp_fp32, .carry_inside = true};
    if (ckda_node_has(in, "model")) {
        ckda_status status = ckda_node_member(&at, in, "model", err);
        if (status == CKDA_OK)
            status = ckda_node_only(&at, known, sizeof known / sizeof known[0], err);
        if (status == CKDA_OK)
            status = rg_get_word(&order, &at, "order", orders, 3, err);
        if (status == CKDA_OK)
            status = rg_get_long(&width, &at, "width", 1, MAX_TERMS + 1, err);
        if (status == CKDA_OK)
            status = rg_get_long(&keep, &at, "keep_bits", 0, 64, err);
        if (status == CKDA_OK)
            status = rg_get_bool(&m->carry_inside, &at, "carry_inside", err);
        if (status == CKDA_OK)
            status = rg_get_bool(&m->fused, &at, "fused", err);
        if (status == CKDA_OK)
            status = rg_get_word(&align, &at, "align", aligns, 2, err);
        if (status == CKDA_OK)
            status = rg_get_format(&m->acc, &at, "acc", err);
        if (status == CKDA_OK)
            status = rg_get_word(&rounding, &at, "rounding", roundings, 2, err);
        if (status != CKDA_OK)
            return status;
    }
    m->order = (ckda_fp_order)order;
    m->align = (ckda_fp_align)align;
    m->rule = rounding == 0 ? ckda_fp_rne : ckda_fp_rtz;
    m->width = width;
    m->keep_bits = (int)keep;
    return CKDA_OK;
}

static void
judge(ckda_range_dot *d, const uint64_t *a, const uint64_t *b, uint64_t init)
{
    fmpq_t q;
    rg_value v;
    ckda_fp_dot_model m = {.order = CKDA_FP_SEQUENTIAL, .acc = d->model.acc};
    const long n = (long)d->n;
    fmpq_init(q);
    rg_value_init(&v);
    const ckda_status status =
        ckda_fp_dot_exact(q, a, d->fa, b, d->fb, n, init, d->model.acc);
    ckda_require(status == CKDA_OK, "numbers are finite");
    rg_value_set_fmpq(&v, q);
    d->exact.exact = rg_fmpq_text(q);
    d->exact.decimal = rg_fmpq_decimal(q);
    d->rounded = ckda_fp_from_fmpq(q, d->model.acc, &ckda_fp_rne);
    d->modelled = ckda_fp_dot(a, d->fa, b, d->fb, n, init, &d->model);
    d->sequential = ckda_fp_dot(a, d->fa, b, d->fb, n, init, &m);
    m.fused = true;
    d->fused = ckda_fp_dot(a, d->fa, b, d->fb, n, init, &m);
    rg_value_clear(&v);
    fmpq_clear(q);
}

ckda_status
rg_read_dot(ckda_range_dot *d, const ckda_node *at, ckda_error *err)
{
    static const char *const known[] = {"a",        "b",        "init",
                                        "format_a", "format_b", "model"};
    uint64_t *a = NULL, *b = NULL, init = 0;
    ckda_node node;
    *d = (ckda_range_dot){.n = -1, .fa = &ckda_fp_bf16, .fb = &ckda_fp_bf16};
    ckda_status status = ckda_node_only(at, known, sizeof known / sizeof known[0], err);
    if (status == CKDA_OK)
        status = rg_get_format(&d->fa, at, "format_a", err);
    if (status == CKDA_OK)
        status = rg_get_format(&d->fb, at, "format_b", err);
    if (status == CKDA_OK)
        status = read_model(&d->model, at, err);
    if (status == CKDA_OK)
        status = read_vector(&a, &d->n, at, "a", d->fa, err);
    if (status == CKDA_OK)
        status = read_vector(&b, &d->n, at, "b", d->fb, err);
    if (status == CKDA_OK && ckda_node_has(at, "init")) {
        status = ckda_node_member(&node, at, "init", err);
        if (status == CKDA_OK)
            status = read_pattern(&init, &node, d->model.acc, err);
    }
    if (status == CKDA_OK)
        judge(d, a, b, init);
    flint_free(a);
    flint_free(b);
    return status;
}

void
rg_dot_clear(ckda_range_dot *d)
{
    rg_number_clear(&d->exact);
}

/* Fits: the model gives the exact value rounded once. */
ckda_truth
rg_dot_verdict(const ckda_range_dot *d)
{
    return ckda_fp_cmp(d->modelled, d->rounded, d->model.acc) == CKDA_FP_EQUAL
               ? CKDA_TRUE
               : CKDA_FALSE;
}
