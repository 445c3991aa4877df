/* Names and shapes: which tensor is what. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace_internal.h"

/* ---- numbers of a tensor ----------------------------------------------------------- */

const ckda_fp_format *
tensor_format(const ckda_tensor *t)
{
    switch (t->dtype) {
    case CKDA_DTYPE_BF16:
        return &ckda_fp_bf16;
    case CKDA_DTYPE_F16:
        return &ckda_fp_fp16;
    case CKDA_DTYPE_F32:
        return &ckda_fp_fp32;
    case CKDA_DTYPE_F64:
        return &ckda_fp_fp64;
    default:
        return NULL;
    }
}

double
tensor_double(const ckda_tensor *t, uint64_t i)
{
    const uint64_t x = ckda_tensor_bits(t, i);
    switch (t->dtype) {
    case CKDA_DTYPE_I8:
        return (double)(int8_t)(uint8_t)x;
    case CKDA_DTYPE_I16:
        return (double)(int16_t)(uint16_t)x;
    case CKDA_DTYPE_I32:
        return (double)(int32_t)(uint32_t)x;
    case CKDA_DTYPE_U8:
    case CKDA_DTYPE_U32:
        return (double)x;
    case CKDA_DTYPE_BOOL:
        return x != 0 ? 1.0 : 0.0;
    default:
        return ckda_fp_get_double(x, tensor_format(t));
    }
}

/* ---- shapes ------------------------------------------------------------------------ */

static void
shape_text(char *buf, size_t size, int n, const uint64_t *shape)
{
    size_t used = (size_t)snprintf(buf, size, "[");
    for (int i = 0; i < n && used < size; i++)
        used += (size_t)snprintf(buf + used, size - used, "%s%llu", i > 0 ? ", " : "",
                                 (unsigned long long)shape[i]);
    if (used < size)
        snprintf(buf + used, size - used, "]");
}

static ckda_status
bad_shape(const ckda_tensor *t, const char *expected, ckda_error *err)
{
    char found[128];
    shape_text(found, sizeof found, t->ndim, t->shape);
    ckda_error_set(err, "tensor \"%.200s\": expected shape %s, found %s", t->name,
                   expected, found);
    return CKDA_E_INPUT;
}

static bool
same_shape(const ckda_tensor *t, int n, const uint64_t *shape)
{
    return t->ndim == n && memcmp(t->shape, shape, (size_t)n * sizeof *shape) == 0;
}

/* Dtype of real numbers that a double holds, and all of them finite if asked. */
static ckda_status
check_numbers(const ckda_tensor *t, bool finite, ckda_error *err)
{
    if (t->dtype == CKDA_DTYPE_I64) {
        ckda_error_set(err,
                       "tensor \"%.200s\": expected a float or a shorter integer type, "
                       "found %s",
                       t->name, ckda_dtype_name(t->dtype));
        return CKDA_E_INPUT;
    }
    const ckda_fp_format *f = tensor_format(t);
    for (uint64_t i = 0; finite && f != NULL && i < t->count; i++)
        if (!ckda_fp_is_finite(ckda_tensor_bits(t, i), f)) {
            ckda_error_set(err,
                           "tensor \"%.200s\": expected finite inputs, found infinity or "
                           "NaN at flat index %llu",
                           t->name, (unsigned long long)i);
            return CKDA_E_INPUT;
        }
    return CKDA_OK;
}

/* Sets v if t is [B, T, h, n] (n omitted when n == 0), h one of the two head counts. */
static ckda_status
view_tokens(view *v, const ckda_tensor *t, const ckda_trace *tr, uint64_t n, bool finite,
            ckda_error *err)
{
    const uint64_t heads[2] = {tr->H, tr->HK}, width = n > 0 ? n : 1;
    for (int i = 0; i < 2; i++) {
        uint64_t shape[4] = {tr->B, tr->T};
        int ndim = 2;
        if (!tr->headless)
            shape[ndim++] = heads[i];
        if (n > 0)
            shape[ndim++] = n;
        if (!same_shape(t, ndim, shape))
            continue;
        *v = (view){t, tr->T * heads[i] * width, heads[i] * width, width,
                    1, tr->H / heads[i]};
        return check_numbers(t, finite, err);
    }
    char expected[128];
    uint64_t shape[4] = {tr->B, tr->T};
    int ndim = 2;
    if (!tr->headless)
        shape[ndim++] = tr->H;
    if (n > 0)
        shape[ndim++] = n;
    shape_text(expected, sizeof expected, ndim, shape);
    return bad_shape(t, expected, err);
}

/* ---- sizes ------------------------------------------------------------------------- */

static const ckda_tensor *
either(const ckda_tensors *ts, bool *second, const char *a, const char *b)
{
    const ckda_tensor *t = ckda_tensors_find(ts, a);
    *second = t == NULL;
    return t != NULL ? t : ckda_tensors_find(ts, b);
}

static ckda_status
set_sizes(ckda_trace *tr, const ckda_tensor *k, ckda_error *err)
{
    if (k == NULL) {
        ckda_error_set(err, "expected a tensor \"k\" or \"k_raw\", found neither");
        return CKDA_E_INPUT;
    }
    if (k->ndim != 3 && k->ndim != 4)
        return bad_shape(k, "[B, T, H, K] or [B, T, K]", err);
    tr->headless = k->ndim == 3;
    tr->B = k->shape[0];
    tr->T = k->shape[1];
    tr->HK = tr->H = tr->headless ? 1 : k->shape[2];
    tr->K = k->shape[k->ndim - 1];
    const ckda_tensor *v = ckda_tensors_find(tr->ts, "v");
    if (v != NULL && v->ndim != k->ndim)
        return bad_shape(v, tr->headless ? "[B, T, V]" : "[B, T, HV, V]", err);
    if (v != NULL) {
        tr->H = tr->headless ? 1 : v->shape[2];
        tr->V = v->shape[v->ndim - 1];
    }
    const bool empty = k->count == 0 || (v != NULL && v->count == 0);
    if (empty || tr->H % tr->HK != 0)
        return bad_shape(empty ? (k->count == 0 ? k : v) : v,
                         "no length 0, and a multiple of k's heads", err);
    return CKDA_OK;
}

static bool
starts(const char *name, const char *stem)
{
    const size_t n = strlen(stem);
    return strncmp(name, stem, n) == 0 && (name[n] == '\0' || name[n] == '.');
}

/* V of a trace without v: the last axis of a state, or of an output. */
static ckda_status
find_values(ckda_trace *tr, ckda_error *err)
{
    static const char *const stems[] = {"initial_state", "final_state", "o"};
    for (size_t s = 0; s < 3 && tr->V == 0; s++)
        for (size_t i = 0; i < tr->ts->ntensors && tr->V == 0; i++) {
            const ckda_tensor *t = &tr->ts->tensor[i];
            if (starts(t->name, stems[s]) && t->ndim > 0)
                tr->V = t->shape[t->ndim - 1];
        }
    if (tr->V > 0)
        return CKDA_OK;
    ckda_error_set(err, "expected a tensor \"v\", \"o\" or \"final_state\", found none");
    return CKDA_E_INPUT;
}

/* ---- inputs ------------------------------------------------------------------------ */

static ckda_status
set_gate(ckda_trace *tr, ckda_error *err)
{
    static const char *const names[] = {"alpha", "g", "gate_logit"};
    const ckda_tensor *t = NULL;
    for (int i = 0; i < 3; i++) {
        const ckda_tensor *u = ckda_tensors_find(tr->ts, names[i]);
        if (u != NULL && t != NULL) {
            ckda_error_set(err,
                           "expected one of \"alpha\", \"g\", \"gate_logit\", found "
                           "\"%s\" and \"%s\"",
                           t->name, u->name);
            return CKDA_E_INPUT;
        }
        if (u == NULL)
            continue;
        t = u;
        tr->gate_kind = i == 0 ? GATE_ALPHA : i == 1 ? GATE_LOG : GATE_LOWER;
    }
    if (t == NULL)
        return CKDA_OK;
    tr->gate_scalar = t->ndim == (tr->headless ? 2 : 3);
    ckda_status st =
        view_tokens(&tr->gate, t, tr, tr->gate_scalar ? 0 : tr->K, true, err);
    if (tr->gate_scalar)
        tr->gate.si = 0;
    return st;
}

/* A parameter of the gate: [heads], or [heads, K], or [heads * K]. */
static ckda_status
set_parameter(view *v, const ckda_trace *tr, const char *name, bool channels,
              ckda_error *err)
{
    const ckda_tensor *t = ckda_tensors_find(tr->ts, name);
    if (t == NULL)
        return CKDA_OK;
    const uint64_t width = channels ? tr->K : 1;
    for (int i = 0; i < 2; i++) {
        const uint64_t heads = i == 0 ? tr->H : tr->HK;
        if (t->count != heads * width || t->ndim < 1 || t->ndim > 2
            || (t->ndim == 2 && t->shape[0] != heads))
            continue;
        *v = (view){t, 0, 0, width, channels ? 1 : 0, tr->H / heads};
        return check_numbers(t, true, err);
    }
    return bad_shape(t, channels ? "[H, K]" : "[H]", err);
}

static ckda_status
set_state(view *v, const ckda_tensor *t, const ckda_trace *tr, bool vk, bool finite,
          ckda_error *err)
{
    const uint64_t a = vk ? tr->V : tr->K, b = vk ? tr->K : tr->V;
    const uint64_t full[4] = {tr->B, tr->H, a, b}, flat[3] = {tr->B, a, b};
    if (!same_shape(t, 4, full) && !(tr->headless && same_shape(t, 3, flat))) {
        char expected[128];
        if (tr->headless)
            shape_text(expected, sizeof expected, 3, flat);
        else
            shape_text(expected, sizeof expected, 4, full);
        return bad_shape(t, expected, err);
    }
    *v = (view){t, tr->H * a * b, 0, a * b, 1, 1};
    return check_numbers(t, finite, err);
}

static ckda_status
set_initial(ckda_trace *tr, ckda_error *err)
{
    const ckda_tensor *t = ckda_tensors_find(tr->ts, "initial_state");
    const char *meta = ckda_tensors_meta(tr->ts, "initial_state");
    const char *what = ckda_tensors_meta(tr->ts, "what");
    if (t != NULL)
        return set_state(&tr->initial, t, tr, false, true, err);
    if (meta != NULL && strcmp(meta, "identity") != 0 && strcmp(meta, "zero") != 0) {
        ckda_error_set(err,
                       "__metadata__.initial_state: expected \"zero\" or \"identity\", "
                       "found \"%.100s\"",
                       meta);
        return CKDA_E_INPUT;
    }
    tr->identity = meta != NULL ? strcmp(meta, "identity") == 0
                                : what != NULL && strstr(what, "H_0=I") != NULL;
    return CKDA_OK;
}

static ckda_status
set_inputs(ckda_trace *tr, const ckda_tensor *k, ckda_error *err)
{
    const ckda_tensor *q = either(tr->ts, &tr->q_raw, "q", "q_raw");
    const ckda_tensor *beta = either(tr->ts, &tr->beta_raw, "beta", "beta_logit");
    const ckda_tensor *v = ckda_tensors_find(tr->ts, "v");
    ckda_status st = view_tokens(&tr->k, k, tr, tr->K, true, err);
    if (st == CKDA_OK && q != NULL)
        st = view_tokens(&tr->q, q, tr, tr->K, true, err);
    if (st == CKDA_OK && v != NULL)
        st = view_tokens(&tr->v, v, tr, tr->V, true, err);
    if (st == CKDA_OK && beta != NULL)
        st = view_tokens(&tr->beta, beta, tr, 0, true, err);
    if (st == CKDA_OK)
        st = set_gate(tr, err);
    if (st == CKDA_OK && tr->gate_kind == GATE_LOWER)
        st = set_parameter(&tr->a_log, tr, "A_log", false, err);
    if (st == CKDA_OK && tr->gate_kind == GATE_LOWER)
        st = set_parameter(&tr->dt_bias, tr, "dt_bias", true, err);
    if (st == CKDA_OK)
        st = set_initial(tr, err);
    tr->rows = q == NULL;
    return st;
}

/* ---- kernels ----------------------------------------------------------------------- */

static kernel_tensors *
kernel_named(ckda_trace *tr, const char *name)
{
    for (size_t i = 0; i < tr->nkernels; i++)
        if (strcmp(tr->kernel[i].name, name) == 0)
            return &tr->kernel[i];
    tr->kernel = realloc(tr->kernel, (tr->nkernels + 1) * sizeof *tr->kernel);
    ckda_require_memory(tr->kernel != NULL);
    tr->kernel[tr->nkernels] = (kernel_tensors){.name = name};
    return &tr->kernel[tr->nkernels++];
}

static ckda_status
set_output(ckda_trace *tr, kernel_tensors *k, const ckda_tensor *t, ckda_error *err)
{
    if (!tr->rows)
        return view_tokens(&k->o, t, tr, tr->V, false, err);
    const int n = tr->headless ? 4 : 5;
    if (t->ndim != n || t->shape[0] != tr->B || t->shape[1] != tr->T
        || (!tr->headless && t->shape[2] != tr->H) || t->shape[n - 2] > tr->K
        || t->shape[n - 1] > tr->V || t->count == 0
        || (tr->R > 0 && (tr->R != t->shape[n - 2] || tr->C != t->shape[n - 1])))
        return bad_shape(t,
                         tr->headless
                             ? "[B, T, rows, columns] of the state (there is no q)"
                             : "[B, T, H, rows, columns] of the state (there is no q)",
                         err);
    tr->R = t->shape[n - 2];
    tr->C = t->shape[n - 1];
    const uint64_t width = tr->R * tr->C;
    k->o = (view){t, tr->T * tr->H * width, tr->H * width, width, 1, 1};
    return check_numbers(t, false, err);
}

/* "state_layout.NAME" or "state_layout": kv or vk. */
static ckda_status
set_final(ckda_trace *tr, kernel_tensors *k, const ckda_tensor *t, ckda_error *err)
{
    char key[256];
    snprintf(key, sizeof key, "state_layout.%.200s", k->name);
    const char *layout = ckda_tensors_meta(tr->ts, key);
    layout = layout != NULL ? layout : ckda_tensors_meta(tr->ts, "state_layout");
    if (layout != NULL && strcmp(layout, "kv") != 0 && strcmp(layout, "vk") != 0) {
        ckda_error_set(err,
                       "__metadata__.state_layout: expected \"kv\" or \"vk\", found "
                       "\"%.100s\"",
                       layout);
        return CKDA_E_INPUT;
    }
    k->layout_vk = layout != NULL && strcmp(layout, "vk") == 0;
    k->has_layout = layout != NULL || tr->K != tr->V;
    if (layout == NULL && tr->K != tr->V
        && set_state(&k->state, t, tr, true, false, NULL) == CKDA_OK) {
        k->layout_vk = true; /* only this one fits */
        return CKDA_OK;
    }
    return set_state(&k->state, t, tr, k->layout_vk, false, err);
}

static ckda_status
set_model(ckda_trace *tr, kernel_tensors *k, ckda_error *err)
{
    char key[256];
    snprintf(key, sizeof key, "arithmetic.%.200s", k->name);
    const char *name = ckda_tensors_meta(tr->ts, key);
    name = name != NULL ? name : ckda_tensors_meta(tr->ts, "arithmetic");
    for (int m = 0; name != NULL && m < CKDA_MODELS; m++)
        if (strcmp(name, ckda_trace_model_name((ckda_trace_model)m)) == 0) {
            k->model = (ckda_trace_model)m;
            return CKDA_OK;
        }
    if (name == NULL)
        return CKDA_OK;
    ckda_error_set(err,
                   "__metadata__.arithmetic: expected recurrent-fp32 or "
                   "recurrent-bf16-state, found \"%.100s\"",
                   name);
    return CKDA_E_INPUT;
}

static bool
is_input(const char *name)
{
    static const char *const known[] = {"q",
                                        "k",
                                        "v",
                                        "q_raw",
                                        "k_raw",
                                        "alpha",
                                        "g",
                                        "gate_logit",
                                        "beta",
                                        "beta_logit",
                                        "A_log",
                                        "dt_bias",
                                        "initial_state",
                                        "scale",
                                        "letters",
                                        "element",
                                        "product_table",
                                        "keys_table",
                                        "signs_table"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i], name) == 0)
            return true;
    return false;
}

static ckda_status
set_kernels(ckda_trace *tr, ckda_error *err)
{
    tr->ignored = fresh(tr->ts->ntensors, sizeof *tr->ignored);
    ckda_status st = CKDA_OK;
    for (size_t i = 0; st == CKDA_OK && i < tr->ts->ntensors; i++) {
        const ckda_tensor *t = &tr->ts->tensor[i];
        const bool o = starts(t->name, "o"), final = starts(t->name, "final_state");
        if (!o && !final) {
            if (!is_input(t->name))
                tr->ignored[tr->nignored++] = t->name;
            continue;
        }
        const char *dot = strchr(t->name, '.');
        kernel_tensors *k = kernel_named(tr, dot != NULL ? dot + 1 : "");
        st = o ? set_output(tr, k, t, err) : set_final(tr, k, t, err);
    }
    for (size_t i = 0; st == CKDA_OK && i < tr->nkernels; i++)
        st = set_model(tr, &tr->kernel[i], err);
    if (st == CKDA_OK && tr->nkernels == 0) {
        ckda_error_set(err, "expected \"o\", \"o.NAME\", \"final_state\" or "
                            "\"final_state.NAME\", found none of them");
        return CKDA_E_INPUT;
    }
    return st;
}

/* ---- the whole --------------------------------------------------------------------- */

ckda_status
ckda_trace_open(ckda_trace **out, const ckda_tensors *ts, ckda_error *err)
{
    ckda_trace *tr = fresh(1, sizeof *tr);
    bool raw;
    tr->ts = ts;
    const ckda_tensor *k = either(ts, &raw, "k", "k_raw");
    tr->k_raw = raw;
    ckda_status st = set_sizes(tr, k, err);
    if (st == CKDA_OK && tr->V == 0)
        st = find_values(tr, err);
    if (st == CKDA_OK)
        st = set_inputs(tr, k, err);
    if (st == CKDA_OK)
        st = set_kernels(tr, err);
    if (st == CKDA_OK)
        st = trace_read_numbers(tr, err);
    if (st != CKDA_OK)
        ckda_trace_close(&tr);
    else
        *out = tr;
    return st;
}

void
ckda_trace_close(ckda_trace **tr)
{
    if (*tr == NULL)
        return;
    free((*tr)->scale);
    free((*tr)->lower_bound);
    free((*tr)->norm_eps);
    free((*tr)->beta_scale);
    free((*tr)->kernel);
    free((*tr)->ignored);
    free(*tr);
    *tr = NULL;
}
