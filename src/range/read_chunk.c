/* {"chunk": {...}}: the scheme, and either a box or given inputs. */
#include <string.h>

#include "range_internal.h"

static const char *const inputs_members[] = {"keys",      "gram",   "betas",  "gates",
                                             "log_gates", "values", "initial"};
enum { MAX_LOG = 100000, NINPUTS = sizeof inputs_members / sizeof inputs_members[0] };

static ckda_status
read_formats(ckda_range_scheme *s, const ckda_node *at, ckda_error *err)
{
    s->gate = &ckda_fp_fp32;
    s->factor = s->wy = s->matrix = &ckda_fp_bf16;
    const struct {
        const ckda_fp_format **f;
        const char *key;
    } formats[] = {{&s->gate, "gate_format"},
                   {&s->factor, "factor_format"},
                   {&s->matrix, "inverse_format"},
                   {&s->wy, "wy_format"},
                   {&s->accumulate, "accumulate_format"}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const ckda_status status = rg_get_format(formats[i].f, at, formats[i].key, err);
        if (status != CKDA_OK)
            return status;
    }
    return rg_get_bool(&s->ftz, at, "flush_subnormals", err);
}

static ckda_status
read_scheme(ckda_range_scheme *s, const ckda_node *at, ckda_error *err)
{
    static const char *const inverses[] = {"substitution", "neumann"};
    static const char *const anchors[] = {"start", "first", "middle", "token"};
    int inverse = CKDA_INVERSE_SUBSTITUTION, anchor = CKDA_ANCHOR_START;
    long length;
    ckda_status status =
        ckda_node_get_long(&length, at, "length", 1, CKDA_RANGE_MAX_LENGTH, err);
    if (status != CKDA_OK)
        return status;
    s->length = s->tile = s->block = length;
    status = rg_get_long(&s->tile, at, "anchor", 1, length, err);
    if (status == CKDA_OK)
        status = rg_get_long(&s->block, at, "block", 1, length, err);
    if (status == CKDA_OK)
        status = rg_get_word(&inverse, at, "inverse", inverses, 2, err);
    if (status == CKDA_OK)
        status = rg_get_word(&anchor, at, "anchor_at", anchors, 4, err);
    s->inverse = (ckda_range_inverse)inverse;
    s->anchor = (ckda_range_anchor)anchor;
    return status == CKDA_OK ? read_formats(s, at, err) : status;
}

/* ---- a box ------------------------------------------------------------------------- */

static ckda_status
read_gating(ckda_range_chunk *r, const ckda_node *at, ckda_error *err)
{
    static const char *const gates[] = {"none", "scalar", "channel"};
    ckda_status status = rg_get_rational(r->gate_bound, at, "gate_lower_bound", err);
    if (status == CKDA_OK)
        status =
            rg_check_between(at, "gate_lower_bound", r->gate_bound, "-100000", "0",
                             "the logarithm of the smallest gate, -100000 to 0", err);
    int gating =
        ckda_node_has(at, "gate_lower_bound") ? CKDA_GATE_CHANNEL : CKDA_GATE_NONE;
    if (status == CKDA_OK)
        status = rg_get_word(&gating, at, "gate", gates, 3, err);
    r->gating = (ckda_range_gate)gating;
    if (status == CKDA_OK && (gating != CKDA_GATE_NONE)
        && !ckda_node_has(at, "gate_lower_bound"))
        return ckda_node_fail(at, err, "\"gate_lower_bound\" beside \"gate\"", NULL);
    return status;
}

/* The emulation costs block^3 at every point of the grid. */
static ckda_status
check_grid(const ckda_range_chunk *r, const ckda_node *at, ckda_error *err)
{
    const slong cube = r->scheme.block * r->scheme.block * r->scheme.block;
    const slong most = CKDA_RANGE_MAX_EMULATION / cube < CKDA_RANGE_MAX_GRID
                           ? CKDA_RANGE_MAX_EMULATION / cube
                           : CKDA_RANGE_MAX_GRID;
    char expected[80];
    fmpq_t points;
    fmpq_init(points);
    fmpq_div(points, r->beta_max, r->grid);
    const bool fine = fmpq_cmp_si(points, most) > 0;
    fmpq_clear(points);
    snprintf(expected, sizeof expected, "at most %ld steps of beta_grid in beta_max",
             (long)most);
    return fine ? ckda_node_fail(at, err, expected, "more") : CKDA_OK;
}

static ckda_status
read_box(ckda_range_chunk *r, const ckda_node *at, ckda_error *err)
{
    const struct {
        const char *key;
        fmpq *q;
        const char *lo, *hi, *expected;
    } numbers[] = {
        {"beta_max", r->beta_max, "0", "1000", "a number from 0 to 1000"},
        {"correlation_max", r->correlation_max, "0", "1", "a number from 0 to 1"},
        {"key_norm_max", r->norm_max, "1/1000000", "1000000", "a length, 10^-6 to 10^6"},
        {"value_max", r->value_max, "0", NULL, "a number from 0 on"},
        {"beta_grid", r->grid, "1/1000000", "1000", "a step, 10^-6 to 1000"}};
    fmpq_set_si(r->beta_max, 2, 1);
    fmpq_one(r->correlation_max);
    fmpq_one(r->norm_max);
    fmpq_set_si(r->grid, 1, 20);
    r->has_values = ckda_node_has(at, "value_max");
    ckda_status status = CKDA_OK;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && status == CKDA_OK; i++) {
        status = rg_get_rational(numbers[i].q, at, numbers[i].key, err);
        if (status == CKDA_OK)
            status = rg_check_between(at, numbers[i].key, numbers[i].q, numbers[i].lo,
                                      numbers[i].hi, numbers[i].expected, err);
    }
    if (status == CKDA_OK)
        status = rg_get_long(&r->head_dim, at, "head_dim", 1, 1000000, err);
    if (status == CKDA_OK)
        status = read_gating(r, at, err);
    if (status != CKDA_OK)
        return status;
    return check_grid(r, at, err);
}

/* ---- given inputs --------------------------------------------------------------------- */

/* A matrix of numbers, taken over as a vector; a list of numbers is one column. */
static ckda_status
read_rows(ckda_elem_struct **x, slong *rows, slong *cols, const ckda_node *in,
          const char *key, const ckda_field_t K, ckda_error *err)
{
    ckda_node at, first;
    ckda_mat_t A;
    size_t n;
    ckda_status status = ckda_node_member(&at, in, key, err);
    if (status == CKDA_OK)
        status = ckda_node_size(&n, &at, err);
    if (status != CKDA_OK)
        return status;
    if (n > CKDA_RANGE_MAX_TOKENS)
        return ckda_node_fail(&at, err, "at most 4096 rows", NULL);
    if (n == 0)
        return ckda_node_fail(&at, err, "a list that is not empty", NULL);
    status = ckda_node_item(&first, &at, 0, err);
    if (status != CKDA_OK)
        return status;
    if (!json_is_array(first.json)) {
        if (*cols > 1)
            return ckda_node_fail(&at, err, "a list of rows", "a list of numbers");
        status = ckda_input_read_vector(x, rows, &at, *rows, K, err);
        if (status == CKDA_OK)
            *cols = 1;
        return status;
    }
    status = ckda_input_read_matrix(A, &at, *rows, *cols, K, err);
    if (status != CKDA_OK)
        return status;
    *rows = A->rows;
    *cols = A->cols;
    *x = A->entry; /* K's vectors and matrices share their layout */
    return CKDA_OK;
}

static ckda_status
read_tokens(rg_inputs *in, const ckda_node *at, const ckda_field_t K, ckda_error *err)
{
    slong one = 1;
    const bool gram = ckda_node_has(at, "gram");
    if (gram && ckda_node_has(at, "keys"))
        return ckda_node_fail(at, err, "\"keys\" or \"gram\", not both", NULL);
    in->n = -1;
    in->d = -1;
    ckda_status status = gram ? read_rows(&in->gram, &in->n, &in->d, at, "gram", K, err)
                              : read_rows(&in->keys, &in->n, &in->d, at, "keys", K, err);
    if (status != CKDA_OK)
        return status;
    if (in->d > CKDA_RANGE_MAX_WIDTH && !gram)
        return ckda_node_fail(at, err, "keys of at most 512 entries", NULL);
    if (gram && in->d != in->n) {
        ckda_elem_vec_free(in->gram, in->n * in->d, K);
        in->gram = NULL;
        return ckda_node_fail(at, err, "a square \"gram\" of inner products", NULL);
    }
    return read_rows(&in->betas, &in->n, &one, at, "betas", K, err);
}

/* gram: symmetric without a negative square, or no keys have these inner products. */
static ckda_status
check_gram(const rg_inputs *in, const ckda_node *at, const ckda_field_t K,
           ckda_error *err)
{
    slong pos, neg, zero;
    ckda_mat_t A = {{.entry = in->gram, .rows = in->n, .cols = in->n}};
    ckda_node gram;
    ckda_status status = ckda_node_member(&gram, at, "gram", err);
    if (status != CKDA_OK)
        return status;
    if (ckda_mat_inertia(&pos, &neg, &zero, A, K) != CKDA_OK)
        return ckda_node_fail(&gram, err, "a symmetric matrix", "one that is not");
    if (neg > 0)
        return ckda_node_fail(&gram, err, "inner products of some keys",
                              "a matrix that is not positive semidefinite");
    return CKDA_OK;
}

static ckda_status
check_gates(const rg_inputs *in, const ckda_node *at, const ckda_field_t K,
            ckda_error *err)
{
    for (slong i = 0; i < in->n * in->gate_width; i++) {
        const ckda_elem_struct *g = in->gates + i;
        if (!in->alpha
            && (ckda_elem_sgn(g, K) > 0 || ckda_elem_cmp_si(g, -MAX_LOG, K) < 0))
            return ckda_node_fail(at, err,
                                  "logarithms of gates, none above 0 or below -100000",
                                  "another one");
        if (in->alpha
            && (ckda_elem_is_zero(g, K) || ckda_elem_cmp_si(g, 1, K) > 0
                || ckda_elem_cmp_si(g, -1, K) < 0))
            return ckda_node_fail(
                at, err,
                "gates in [-1, 1] other than 0 (anchors divide by their products)",
                "another one");
    }
    return CKDA_OK;
}

static ckda_status
read_gates(rg_inputs *in, const ckda_node *at, const ckda_field_t K, ckda_error *err)
{
    ckda_node gates;
    const bool log = ckda_node_has(at, "log_gates");
    if (!log && !ckda_node_has(at, "gates"))
        return CKDA_OK;
    if (log && ckda_node_has(at, "gates"))
        return ckda_node_fail(at, err, "\"gates\" or \"log_gates\", not both", NULL);
    in->alpha = !log;
    in->gate_width = -1;
    ckda_status status = read_rows(&in->gates, &in->n, &in->gate_width, at,
                                   log ? "log_gates" : "gates", K, err);
    if (status == CKDA_OK)
        status = ckda_node_member(&gates, at, log ? "log_gates" : "gates", err);
    if (status != CKDA_OK)
        return status;
    if (in->gate_width != 1 && (in->keys == NULL || in->gate_width != in->d))
        return ckda_node_fail(&gates, err,
                              "one gate a token, or one a channel of the keys", NULL);
    return check_gates(in, &gates, K, err);
}

static ckda_status
read_inputs(rg_inputs *in, const ckda_node *at, const ckda_field_t K, ckda_error *err)
{
    static const char *const words[] = {"ungated"};
    int which = -1;
    ckda_status status = read_tokens(in, at, K, err);
    if (status == CKDA_OK && in->gram != NULL)
        status = check_gram(in, at, K, err);
    if (status == CKDA_OK)
        status = read_gates(in, at, K, err);
    if (status == CKDA_OK && ckda_node_has(at, "values")) {
        in->dv = -1;
        status = read_rows(&in->values, &in->n, &in->dv, at, "values", K, err);
    }
    if (status == CKDA_OK && ckda_node_has(at, "initial")) {
        slong rows = in->d, cols = in->dv;
        if (in->values == NULL || in->keys == NULL)
            return ckda_node_fail(at, err, "\"keys\" and \"values\" beside \"initial\"",
                                  NULL);
        status = read_rows(&in->initial, &rows, &cols, at, "initial", K, err);
    }
    if (status == CKDA_OK)
        status = rg_get_word(&which, at, "compare", words, 1, err);
    in->compare = which == 0;
    return status;
}

/* The work grows with tokens x chunk x width. */
static ckda_status
check_size(const rg_inputs *in, slong length, ckda_error *err)
{
    if (in->n * length * (in->d + in->dv) <= CKDA_RANGE_MAX_WORK)
        return CKDA_OK;
    ckda_error_set(
        err,
        "%ld tokens in chunks of %ld with keys of %ld and values of %ld numbers: "
        "tokens x chunk x width must not exceed %d",
        (long)in->n, (long)length, (long)in->d, (long)in->dv, (int)CKDA_RANGE_MAX_WORK);
    return CKDA_E_UNABLE;
}

static ckda_status
judge_inputs(ckda_range_chunk *r, const ckda_node *at, const fmpq_t tolerance,
             ckda_error *err)
{
    ckda_field_t K;
    rg_inputs in = {0};
    ckda_status status = ckda_input_field_of(K, at, inputs_members, NINPUTS, err);
    if (status != CKDA_OK)
        return status;
    status = read_inputs(&in, at, K, err);
    if (status == CKDA_OK)
        status = check_size(&in, r->scheme.length, err);
    if (status == CKDA_OK) {
        r->tokens = in.n;
        r->gram = in.gram != NULL;
        r->has_values = in.dv > 0;
        r->gating = in.gates == NULL     ? CKDA_GATE_NONE
                    : in.gate_width == 1 ? CKDA_GATE_SCALAR
                                         : CKDA_GATE_CHANNEL;
        rg_inputs_judge(r, &in, K, tolerance);
    }
    rg_inputs_clear(&in, K);
    ckda_field_clear(K);
    return status;
}

/* ---- both ---------------------------------------------------------------------------- */

static void
result_init(ckda_range_chunk *r)
{
    *r = (ckda_range_chunk){0};
    fmpq_init(r->beta_max);
    fmpq_init(r->correlation_max);
    fmpq_init(r->norm_max);
    fmpq_init(r->value_max);
    fmpq_init(r->gate_bound);
    fmpq_init(r->grid);
}

static ckda_status
check_members(bool box, const ckda_node *at, ckda_error *err)
{
    static const char *const scheme[] = {
        "length", "anchor", "anchor_at", "block", "inverse", "inverse_format",
        "gate_format", "factor_format", "wy_format", "accumulate_format",
        "flush_subnormals", "tolerance",
        /* a box */
        "gate", "gate_lower_bound", "beta_max", "correlation_max", "key_norm_max",
        "value_max", "beta_grid", "head_dim"};
    static const char *const given[] = {
        "length", "anchor", "anchor_at", "block", "inverse", "inverse_format",
        "gate_format", "factor_format", "wy_format", "accumulate_format",
        "flush_subnormals", "tolerance",
        /* inputs */
        "keys", "gram", "betas", "gates", "log_gates", "values", "initial", "compare"};
    return box ? ckda_node_only(at, scheme, sizeof scheme / sizeof scheme[0], err)
               : ckda_node_only(at, given, sizeof given / sizeof given[0], err);
}

ckda_status
rg_read_chunk(ckda_range_chunk *r, const ckda_node *at, ckda_error *err)
{
    fmpq_t tolerance;
    fmpq_init(tolerance);
    fmpq_set_si(tolerance, 1, 100);
    result_init(r);
    r->box = !ckda_node_has(at, "keys") && !ckda_node_has(at, "gram");
    ckda_status status = check_members(r->box, at, err);
    if (status == CKDA_OK)
        status = read_scheme(&r->scheme, at, err);
    if (status == CKDA_OK)
        status = rg_get_rational(tolerance, at, "tolerance", err);
    if (status == CKDA_OK)
        status = rg_check_between(at, "tolerance", tolerance, "0", NULL,
                                  "a number from 0 on", err);
    if (status == CKDA_OK && r->box) {
        status = read_box(r, at, err);
        if (status == CKDA_OK)
            rg_box_judge(r, tolerance);
    } else if (status == CKDA_OK) {
        status = judge_inputs(r, at, tolerance, err);
    }
    if (status != CKDA_OK)
        rg_chunk_result_clear(r);
    fmpq_clear(tolerance);
    return status;
}
