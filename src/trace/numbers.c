/* Metadata that are numbers, as decimal texts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace_internal.h"

const char *
ckda_trace_model_name(ckda_trace_model m)
{
    return m == CKDA_MODEL_BF16_STATE ? "recurrent-bf16-state" : "recurrent-fp32";
}

/* -12.5e-3 and the like: sign, digits with at most one point, exponent of three digits. */
static bool
is_decimal(const char *s)
{
    size_t digits = 0, points = 0;
    s += *s == '-' || *s == '+';
    for (; (*s >= '0' && *s <= '9') || *s == '.'; s++) {
        digits += *s != '.';
        points += *s == '.';
    }
    if (digits == 0 || digits > 1100 || points > 1)
        return false;
    if (*s == 'e' || *s == 'E') {
        s++;
        s += *s == '-' || *s == '+';
        const size_t n = strspn(s, "0123456789");
        if (n == 0 || n > 3)
            return false;
        s += n;
    }
    return *s == '\0';
}

void
decimal_arb(arb_t x, const char *text, slong prec)
{
    const int failed = arb_set_str(x, text, prec);
    ckda_require(failed == 0, "'%s' is no decimal number", text);
}

static ckda_status
set_number(char **out, const ckda_trace *tr, const char *key, const char *otherwise,
           ckda_error *err)
{
    const char *text = ckda_tensors_meta(tr->ts, key);
    if (text == NULL)
        text = otherwise;
    if (text == NULL)
        return CKDA_OK;
    if (!is_decimal(text)) {
        ckda_error_set(err,
                       "__metadata__.%s: expected a decimal number such as \"0.125\", "
                       "found \"%.100s\"",
                       key, text);
        return CKDA_E_INPUT;
    }
    *out = strdup(text);
    ckda_require_memory(*out != NULL);
    return CKDA_OK;
}

/* A tensor "scale" of one number goes before the metadata. */
static ckda_status
scale_tensor(char **out, const ckda_tensor *t, ckda_error *err)
{
    const ckda_fp_format *f = tensor_format(t);
    if (t->count != 1 || t->dtype == CKDA_DTYPE_I64
        || (f != NULL && !ckda_fp_is_finite(ckda_tensor_bits(t, 0), f))) {
        ckda_error_set(err,
                       "tensor \"scale\": expected one finite number, found %llu of "
                       "type %s",
                       (unsigned long long)t->count, ckda_dtype_name(t->dtype));
        return CKDA_E_INPUT;
    }
    *out = fresh(1200, 1);
    snprintf(*out, 1200, "%.1080e", tensor_double(t, 0)); /* all digits of a double */
    return CKDA_OK;
}

ckda_status
trace_read_numbers(ckda_trace *tr, ckda_error *err)
{
    const ckda_tensor *t = ckda_tensors_find(tr->ts, "scale");
    const char *gate = ckda_tensors_meta(tr->ts, "gate");
    ckda_status st = t != NULL ? scale_tensor(&tr->scale, t, err)
                               : set_number(&tr->scale, tr, "scale", NULL, err);
    if (st == CKDA_OK)
        st = set_number(&tr->lower_bound, tr, "gate_lower_bound", "-5", err);
    if (st == CKDA_OK)
        st = set_number(&tr->norm_eps, tr, "l2norm_eps", "1e-6", err);
    if (st == CKDA_OK)
        st = set_number(&tr->beta_scale, tr, "beta_scale", "1", err);
    if (st != CKDA_OK || gate == NULL || strcmp(gate, "lower-bound") == 0)
        return st;
    if (strcmp(gate, "softplus") != 0) {
        ckda_error_set(err,
                       "__metadata__.gate: expected \"lower-bound\" or \"softplus\", "
                       "found \"%.100s\"",
                       gate);
        return CKDA_E_INPUT;
    }
    if (tr->gate_kind == GATE_LOWER)
        tr->gate_kind = GATE_SOFTPLUS;
    return CKDA_OK;
}
