/* Is a transition inside its family? */
#include <stdio.h>
#include <stdlib.h>
#include "trans_internal.h"

static bool
in_range(const ckda_elem_t x, int lo, int hi, const ckda_field_t K)
{
    return ckda_elem_cmp_si(x, lo, K) >= 0 && ckda_elem_cmp_si(x, hi, K) <= 0;
}

void
trans_show(char *out, size_t size, const ckda_elem_t x, const ckda_field_t K)
{
    char *exact = ckda_elem_str(x, K);
    if (ckda_elem_is_rational(x, K)) {
        snprintf(out, size, "%s", exact);
    } else {
        char *decimal = ckda_elem_decimal(x, 10, K);
        snprintf(out, size, "%.200s (%s...)", exact, decimal);
        free(decimal);
    }
    free(exact);
}

static ckda_status
outside(const ckda_trans_t t, const char *place, const ckda_elem_t x, int lo, int hi,
        const ckda_field_t K, ckda_error *err)
{
    char found[256];
    const char *name = ckda_family_name(t->family);
    trans_show(found, sizeof found, x, K);
    if (lo == hi)
        ckda_error_set(err, "%s: expected %d (family %s), found %s", place, lo, name,
                       found);
    else
        ckda_error_set(err, "%s: expected a number in [%d, %d] (family %s), found %s",
                       place, lo, hi, name, found);
    return CKDA_E_DOMAIN;
}

/* The place as the input documents spell it: lists only where a family has lists. */
static void
step_place(char place[64], const ckda_trans_t t, const char *what, slong j)
{
    if (family_get(t->family)->many_steps)
        snprintf(place, 64, "%ss[%ld]", what, (long)j);
    else
        snprintf(place, 64, "%s", what);
}

static ckda_status
check_steps(const ckda_trans_t t, const ckda_field_t K, ckda_error *err)
{
    const family_ranges *f = family_get(t->family);
    char place[64];
    if (t->steps != 1 && !f->many_steps) {
        ckda_error_set(err, "steps: expected 1 (family %s), found %ld", f->name,
                       (long)t->steps);
        return CKDA_E_DOMAIN;
    }
    for (slong j = 0; j < t->steps; j++) {
        step_place(place, t, "beta", j);
        if (!in_range(t->beta + j, 0, f->beta_hi, K))
            return outside(t, place, t->beta + j, 0, f->beta_hi, K, err);
        slong i = 0;
        while (i < t->n && ckda_elem_is_zero(trans_key(t, j) + i, K))
            i++;
        if (i == t->n) {
            step_place(place, t, "key", j);
            ckda_error_set(err, "%s: expected a nonzero direction, found only zeros",
                           place);
            return CKDA_E_DOMAIN;
        }
    }
    return CKDA_OK;
}

static ckda_status
check_gate(const ckda_trans_t t, const ckda_field_t K, ckda_error *err)
{
    const family_ranges *f = family_get(t->family);
    char place[64] = "gate";
    for (slong i = 0; i < t->n; i++) {
        if (!f->scalar_gate)
            snprintf(place, sizeof place, "gate[%ld]", (long)i);
        else if (!ckda_elem_equal(t->gate + i, t->gate, K)) {
            ckda_error_set(
                err, "gate: expected one scalar (family %s), found different values",
                f->name);
            return CKDA_E_DOMAIN;
        }
        if (!in_range(t->gate + i, f->gate_lo, f->gate_hi, K))
            return outside(t, place, t->gate + i, f->gate_lo, f->gate_hi, K, err);
    }
    return CKDA_OK;
}

ckda_status
ckda_trans_check(const ckda_trans_t t, const ckda_field_t K, ckda_error *err)
{
    if (!ckda_family_has_steps(t->family))
        return check_other_family(t, K, err);
    const ckda_status st = check_steps(t, K, err);
    return st != CKDA_OK ? st : check_gate(t, K, err);
}
