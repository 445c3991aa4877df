/* Rows of a command line. */
#include "row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ckda_gpu.h"

/* ---- values ------------------------------------------------------------------------------ */

static bool
is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* 0 or 1 for the two names, -1 for another. */
static int
which(const char *value, const char *zero, const char *one)
{
    return is(value, zero) ? 0 : is(value, one) ? 1 : -1;
}

static bool
whole(int64_t *n, const char *value, int64_t least, int64_t most)
{
    char *end;
    const long long x = strtoll(value, &end, 10);
    *n = x;
    return *value != '\0' && *end == '\0' && x >= least && x <= most;
}

static bool
ratio(ckda_ratio *r, const char *value)
{
    char *end;
    r->p = strtoll(value, &end, 10);
    r->q = 1;
    if (end != value && *end == '/')
        r->q = strtoll(end + 1, &end, 10);
    return end != value && *end == '\0' && r->p > 0 && r->q > 0;
}

/* ---- names --------------------------------------------------------------------------------- */

static const char *const precisions[] = {[CKDA_GPU_PLAIN] = "plain",
                                         [CKDA_GPU_FACTORS] = "factors",
                                         [CKDA_GPU_HONEST] = "honest"};
static const char *const gates[] = {
    [CKDA_GPU_GATE_VALUE] = "value", [CKDA_GPU_GATE_LOG] = "log"};

const char *
gpu_precision_name(int precision)
{
    return precisions[precision];
}

const char *
gpu_gate_name(int gate_kind)
{
    return gates[gate_kind];
}

const char *
gpu_kernel_name(gpu_row_kernel kernel)
{
    static const char *const names[] = {
        [ROW_WORDS] = "words", [ROW_CHUNK] = "chunk", [ROW_RECURRENT] = "recurrent"};
    return names[kernel];
}

/* ---- options ------------------------------------------------------------------------------- */

/* Each of the following sets one kind of option: true when it is set; *known tells a bad value
 * from an option of another kind. */

static bool
set_format(ckda_arith *a, const char *option, const char *value, bool *known)
{
    const struct {
        const char *name;
        const ckda_fp_format **target;
    } options[] = {{"state", &a->state},
                   {"keys", &a->keys},
                   {"beta", &a->beta},
                   {"compute", &a->compute}};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (is(option, options[i].name)) {
            *known = true;
            *options[i].target = ckda_fp_format_named(value);
            return *options[i].target != NULL;
        }
    return false;
}

static bool
set_choice(ckda_arith *a, const char *option, const char *value, bool *known)
{
    int c = -1;
    if (is(option, "fma")) {
        c = which(value, "off", "on");
        a->fma = c == 1;
    } else if (is(option, "order")) {
        c = which(value, "key", "dot");
        a->order = c == 1 ? CKDA_BETA_ON_DOT : CKDA_BETA_ON_KEY;
    } else if (is(option, "key-norm")) {
        c = which(value, "unit", "direction");
        a->key = c == 1 ? CKDA_KEY_DIRECTION : CKDA_KEY_UNIT;
    } else if (is(option, "beta-rule")) {
        c = which(value, "ideal", "from-key");
        a->beta_rule = c == 1 ? CKDA_BETA_FROM_KEY : CKDA_BETA_IDEAL;
    } else if (is(option, "rounding")) {
        c = which(value, "rne", "rtz");
        a->store = c == 1 ? CKDA_FP_RTZ : CKDA_FP_RNE;
    } else {
        return false;
    }
    *known = true;
    return c >= 0;
}

static bool
set_number(ckda_arith *a, const char *option, const char *value, bool *known)
{
    int64_t n = 0;
    bool good;
    if (is(option, "grid")) {
        good = whole(&n, value, 1, INT64_C(1) << 22);
        a->grid = n;
    } else if (is(option, "flush")) {
        good = whole(&n, value, 0, 1000);
        a->has_flush = true;
        a->flush = (int)n;
    } else if (is(option, "initial")) {
        good = ratio(&a->initial, value);
    } else {
        return false;
    }
    *known = true;
    return good;
}

static bool
set_kernel(gpu_row *row, const char *option, const char *value, bool *known)
{
    if (row->kernel == ROW_WORDS)
        return false;
    if (is(option, "precision")) {
        *known = true;
        row->precision = CKDA_GPU_HONEST;
        while (row->precision >= 0 && !is(value, precisions[row->precision]))
            row->precision--;
        return row->precision >= 0;
    }
    if (is(option, "snap")) {
        *known = true;
        return whole(&row->snap, value, 1, INT64_C(1) << 21);
    }
    if (is(option, "gate")) {
        *known = true;
        row->gate_kind =
            which(value, gates[CKDA_GPU_GATE_VALUE], gates[CKDA_GPU_GATE_LOG]);
        return row->gate_kind >= 0;
    }
    return false;
}

static ckda_status
set_option(gpu_row *row, char *part, ckda_error *err)
{
    char *value = strchr(part, '=');
    bool known = false;
    *value++ = '\0';
    if (set_format(&row->arith, part, value, &known)
        || set_choice(&row->arith, part, value, &known)
        || set_number(&row->arith, part, value, &known)
        || set_kernel(row, part, value, &known))
        return CKDA_OK;
    if (known)
        ckda_error_set(err, "%s: the option %s cannot be '%s'", row->text, part, value);
    else
        ckda_error_set(err,
                       "%s: there is no option '%s'%s; expected state, keys, beta, "
                       "compute, fma, order, key-norm, beta-rule, rounding, grid, flush "
                       "or initial",
                       row->text, part,
                       row->kernel == ROW_WORDS ? "" : " (nor precision, snap, gate)");
    return CKDA_E_INPUT;
}

static ckda_status
set_part(gpu_row *row, char *part, ckda_error *err)
{
    if (strchr(part, '=') != NULL)
        return set_option(row, part, err);
    const bool chunk = is(part, "chunk");
    if (!chunk && !is(part, "recurrent"))
        return ckda_arith_preset(&row->arith, part, err);
    row->kernel = chunk ? ROW_CHUNK : ROW_RECURRENT;
    row->precision = CKDA_GPU_HONEST;
    row->arith = ckda_arith_default;
    row->arith.keys = &ckda_fp_bf16;
    return CKDA_OK;
}

/* Cuts parts at commas. */
static ckda_status
set_parts(gpu_row *row, const char *parts, ckda_error *err)
{
    char *copy = strdup(parts), *rest = NULL;
    ckda_require_memory(copy != NULL);
    ckda_status st = CKDA_OK;
    for (char *part = strtok_r(copy, ",", &rest); part != NULL && st == CKDA_OK;
         part = strtok_r(NULL, ",", &rest))
        st = set_part(row, part, err);
    free(copy);
    return st;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static char *
piece(const char *from, size_t length)
{
    char *text = malloc(length + 1);
    ckda_require_memory(text != NULL);
    memcpy(text, from, length);
    text[length] = '\0';
    return text;
}

ckda_status
gpu_row_parse(gpu_row *row, const char *text, const char *construction,
              const char *defaults, ckda_error *err)
{
    const size_t head = strcspn(text, ":"), name = strcspn(text, "/:");
    memset(row, 0, sizeof *row);
    row->text = piece(text, strlen(text));
    row->arith = ckda_arith_default;
    row->system = piece(text, name);
    if (name < head)
        row->construction = piece(text + name + 1, head - name - 1);
    else if (construction != NULL)
        row->construction = piece(construction, strlen(construction));
    ckda_status st = CKDA_OK;
    if (defaults != NULL)
        st = set_parts(row, defaults, err);
    if (st == CKDA_OK && text[head] == ':')
        st = set_parts(row, text + head + 1, err);
    if (st == CKDA_OK)
        st = ckda_arith_check(&row->arith, err);
    if (st == CKDA_OK && row->kernel != ROW_WORDS && row->arith.keys != &ckda_fp_bf16) {
        ckda_error_set(err, "%s: the kernel has bf16 keys", row->text);
        st = CKDA_E_INPUT;
    }
    if (st != CKDA_OK)
        gpu_row_clear(row);
    return st;
}

void
gpu_row_clear(gpu_row *row)
{
    free(row->text);
    free(row->system);
    free(row->construction);
    memset(row, 0, sizeof *row);
}

/* ---- systems ---------------------------------------------------------------------------------- */

ckda_status
gpu_system_open(gpu_system *s, const gpu_row *row, ckda_error *err)
{
    ckda_status st =
        ckda_tracker_init(s->tracker, row->system, row->construction, NULL, err);
    if (st != CKDA_OK)
        return st;
    st = ckda_rounded_init(s->rounded, s->tracker, &row->arith, err);
    if (st == CKDA_OK) {
        st = ckda_gpu_automaton_init(&s->automaton, s->tracker, s->rounded, err);
        if (st != CKDA_OK)
            ckda_rounded_clear(s->rounded);
    }
    if (st != CKDA_OK)
        ckda_tracker_clear(s->tracker);
    return st;
}

void
gpu_system_close(gpu_system *s)
{
    ckda_gpu_automaton_clear(&s->automaton);
    ckda_rounded_clear(s->rounded);
    ckda_tracker_clear(s->tracker);
}

/* ---- every construction in every arithmetic ------------------------------------------------ */

const char *const gpu_suite_systems[] = {"Z3",
                                         "Z5",
                                         "Z6",
                                         "D5",
                                         "A4/cube",
                                         "S4/cube",
                                         "S4/cube-standard",
                                         "S4/quaternion",
                                         "A5/quaternion",
                                         "S3/householder",
                                         "S4/householder",
                                         "S5/householder",
                                         "Z6/dyadic",
                                         NULL};

#define FP64 "compute=fp64,keys=fp64,beta=fp64,"
const char *const gpu_suite_arithmetics[] = {
    "fma=on",
    "fma=off",
    "recurrent-fp32",
    "recurrent-fp32,beta-rule=from-key",
    "recurrent-fp32,beta-rule=from-key,order=dot",
    "recurrent-bf16-state",
    "recurrent-bf16-state,rounding=rtz",
    "state=bf16,fma=off",
    "state=bf16,flush=6",
    "state=fp16",
    "state=fp16,keys=fp16,fma=off",
    "state=fp16,rounding=rtz,initial=5/4",
    "grid",
    "grid,grid=22,fma=off",
    "grid,grid=4",
    "grid=7,rounding=rtz",
    FP64 "state=fp64",
    FP64 "state=fp64,fma=off",
    FP64 "state=fp32",
    FP64 "state=bf16",
    FP64 "state=fp16,rounding=rtz",
    FP64 "grid=16",
    NULL,
};
#undef FP64
