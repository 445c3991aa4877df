/* Exact numbers as text: what the parser says, as a number or as an element of K. */
#include "value.h"

/* In fields of a higher degree one number is the generator as a rule.  Parts of it, such as
 * the terms of a sum, are elements with huge coefficients then, if they are any; so texts
 * are read as one number before their parts are looked for in K. */
#define PARTS_DEGREE 16

ckda_status
ckda_number_parse(qqbar_t x, const char *text, ckda_error *err)
{
    value v;
    value_init(&v, NULL);
    bool ok = value_parse(&v, text, NULL, err);
    if (ok) {
        value_promote(&v, VALUE_QQBAR, NULL);
        field_num_tighten(v.num, QQBAR_DEFAULT_PREC);
        qqbar_swap(x, v.num);
    }
    value_clear(&v, NULL);
    return ok ? CKDA_OK : CKDA_E_INPUT;
}

/* CKDA_E_UNABLE: read it by parts. */
static ckda_status
read_whole(ckda_elem_t x, const char *text, const ckda_field_t K)
{
    ckda_error err = {""};
    qqbar_t y;
    if (K->degree <= PARTS_DEGREE || K->is_cos > 0)
        return CKDA_E_UNABLE;
    qqbar_init(y);
    ckda_status st = CKDA_E_UNABLE;
    if (ckda_number_parse(y, text, &err) == CKDA_OK)
        st = ckda_elem_set_qqbar(x, y, K);
    qqbar_clear(y);
    return st;
}

static ckda_status
read_parts(ckda_elem_t x, const char *text, const ckda_field_t K, ckda_error *err)
{
    value v;
    ckda_status st = CKDA_E_INPUT;
    value_init(&v, K);
    if (value_parse(&v, text, K, err)) {
        st = value_settle(&v, K);
        if (st == CKDA_OK) {
            value_promote(&v, VALUE_ELEM, K);
            ckda_elem_swap(x, v.elem, K);
        }
    }
    value_clear(&v, K);
    return st;
}

ckda_status
ckda_elem_set_str(ckda_elem_t x, const char *text, const ckda_field_t K, ckda_error *err)
{
    ckda_status st = read_whole(x, text, K);
    if (st == CKDA_E_UNABLE)
        st = read_parts(x, text, K, err);
    if (st == CKDA_E_DOMAIN) {
        ckda_error_set(err, "column 1: expected a number of the field, found %.200s",
                       text);
        return CKDA_E_INPUT;
    }
    if (st == CKDA_E_UNABLE)
        ckda_error_set(err, "column 1: could not decide whether the field holds %.200s",
                       text);
    return st;
}
