#include <stdlib.h>
#include <string.h>

#include "range_internal.h"

ckda_status
rg_read_rational(fmpq_t q, const ckda_node *at, ckda_error *err)
{
    const char *text;
    char buf[32];
    ckda_error inner;
    ckda_error_clear(&inner);
    ckda_status status = ckda_node_number(&text, buf, at, err);
    if (status != CKDA_OK)
        return status;
    qqbar_t x;
    qqbar_init(x);
    status = ckda_number_parse(x, text, &inner);
    if (status == CKDA_OK && !qqbar_is_rational(x)) {
        ckda_error_set(&inner, "expected a rational number, found '%.100s'", text);
        status = CKDA_E_INPUT;
    }
    if (status == CKDA_OK)
        qqbar_get_fmpq(q, x);
    qqbar_clear(x);
    if (status != CKDA_OK) {
        char place[512];
        ckda_node_place(place, sizeof place, at);
        ckda_error_set(err, "%s: %s", place, inner.text);
    }
    return status;
}

ckda_status
rg_get_rational(fmpq_t q, const ckda_node *in, const char *key, ckda_error *err)
{
    ckda_node at;
    if (!ckda_node_has(in, key))
        return CKDA_OK;
    ckda_status status = ckda_node_member(&at, in, key, err);
    return status == CKDA_OK ? rg_read_rational(q, &at, err) : status;
}

ckda_status
rg_get_long(slong *v, const ckda_node *in, const char *key, slong lo, slong hi,
            ckda_error *err)
{
    long x;
    if (!ckda_node_has(in, key))
        return CKDA_OK;
    ckda_status status = ckda_node_get_long(&x, in, key, (long)lo, (long)hi, err);
    if (status == CKDA_OK)
        *v = x;
    return status;
}

ckda_status
rg_get_bool(bool *v, const ckda_node *in, const char *key, ckda_error *err)
{
    ckda_node at;
    if (!ckda_node_has(in, key))
        return CKDA_OK;
    ckda_status status = ckda_node_member(&at, in, key, err);
    return status == CKDA_OK ? ckda_node_bool(v, &at, err) : status;
}

ckda_status
rg_read_format(const ckda_fp_format **f, const ckda_node *at, ckda_error *err)
{
    const char *name;
    ckda_status status = ckda_node_string(&name, at, err);
    if (status != CKDA_OK)
        return status;
    const ckda_fp_format *found = ckda_fp_format_named(name);
    if (found == NULL)
        return ckda_node_fail(at, err, "bf16, fp16, fp32, fp64, tf32, e4m3 or e5m2",
                              NULL);
    *f = found;
    return CKDA_OK;
}

ckda_status
rg_get_format(const ckda_fp_format **f, const ckda_node *in, const char *key,
              ckda_error *err)
{
    ckda_node at;
    if (!ckda_node_has(in, key))
        return CKDA_OK;
    ckda_status status = ckda_node_member(&at, in, key, err);
    return status == CKDA_OK ? rg_read_format(f, &at, err) : status;
}

ckda_status
rg_get_word(int *which, const ckda_node *in, const char *key, const char *const *words,
            int n, ckda_error *err)
{
    char expected[160] = "";
    const char *word;
    ckda_node at;
    if (!ckda_node_has(in, key))
        return CKDA_OK;
    ckda_status status = ckda_node_member(&at, in, key, err);
    if (status == CKDA_OK)
        status = ckda_node_string(&word, &at, err);
    if (status != CKDA_OK)
        return status;
    for (int i = 0; i < n; i++) {
        if (strcmp(word, words[i]) == 0) {
            *which = i;
            return CKDA_OK;
        }
        const size_t used = strlen(expected);
        snprintf(expected + used, sizeof expected - used, "%s%s",
                 i == 0 ? "" : (i + 1 < n ? ", " : " or "), words[i]);
    }
    return ckda_node_fail(&at, err, expected, NULL);
}

ckda_status
rg_check_between(const ckda_node *in, const char *key, const fmpq_t q, const char *lo,
                 const char *hi, const char *expected, ckda_error *err)
{
    ckda_node at;
    fmpq_t end;
    fmpq_init(end);
    bool inside = true;
    if (lo != NULL && fmpq_set_str(end, lo, 10) == 0)
        inside = fmpq_cmp(q, end) >= 0;
    if (hi != NULL && fmpq_set_str(end, hi, 10) == 0)
        inside = inside && fmpq_cmp(q, end) <= 0;
    fmpq_clear(end);
    if (inside)
        return CKDA_OK;
    ckda_status status = ckda_node_member(&at, in, key, err);
    return status == CKDA_OK ? ckda_node_fail(&at, err, expected, NULL) : status;
}
