/* Arithmetics as data: presets, what is supported, and their text. */
#include "rounded_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const ckda_arith ckda_arith_default = {
    .state = &ckda_fp_fp32,
    .keys = &ckda_fp_fp32,
    .beta = &ckda_fp_fp32,
    .compute = &ckda_fp_fp32,
    .fma = true,
    .initial = {0, 1},
    .beta_shift = {0, 1},
    .gate_shrink = {0, 1},
};

ckda_status
ckda_arith_preset(ckda_arith *a, const char *name, ckda_error *err)
{
    ckda_arith b = ckda_arith_default;
    b.keys = &ckda_fp_bf16;
    if (strcmp(name, "recurrent-bf16-state") == 0) {
        b.state = &ckda_fp_bf16;
    } else if (strcmp(name, "grid") == 0) {
        b.grid = 16;
    } else if (strcmp(name, "recurrent-fp32") != 0) {
        ckda_error_set(err,
                       "no arithmetic is called '%s'; expected recurrent-fp32, "
                       "recurrent-bf16-state or grid",
                       name);
        return CKDA_E_INPUT;
    }
    *a = b;
    return CKDA_OK;
}

/* Is every finite value of f one of wide? */
static bool
holds(const ckda_fp_format *wide, const ckda_fp_format *f)
{
    return wide->precision >= f->precision && wide->emax >= f->emax
           && wide->emin - wide->precision <= f->emin - f->precision;
}

static bool
is_ratio(ckda_ratio r)
{
    return r.q > 0;
}

/* There the compute format still has a bit below the units, so that rounding to the grid
 * is seen; 2^22 for fp32, and no more for fp64 (states are kept in 32 bits). */
int64_t
ckda_rounded_grid_max(const ckda_arith *a)
{
    const int bits = a->compute->precision - 2;
    return INT64_C(1) << (bits < 22 ? bits : 22);
}

static const char *
complain_formats(const ckda_arith *a)
{
    if (a->keys == NULL || a->beta == NULL || a->compute == NULL
        || (a->state == NULL && a->grid == 0))
        return "a format is missing";
    if (!holds(a->compute, a->keys))
        return "the compute format does not hold all values of the format of the keys; "
               "expected a wider compute format";
    if (a->grid == 0 && !holds(a->compute, a->state))
        return "the compute format does not hold all values of the format of the state; "
               "expected a wider compute format";
    if (a->has_flush && a->grid == 0 && (a->flush < -a->state->emax || a->flush > 16384))
        return "flush: 2^-flush lies outside the format of the state";
    return NULL;
}

static const char *
complain_form(const ckda_arith *a)
{
    if (a->form == CKDA_FORM_MATRIX
        && (a->key != CKDA_KEY_UNIT || a->beta_rule != CKDA_BETA_IDEAL
            || a->order != CKDA_BETA_ON_KEY || ckda_arith_moves(a) > 0
            || a->beta_move != 0))
        return "the matrix form has neither keys nor beta: integer directions, beta from "
               "the key, the order of beta and moved keys need the key form";
    if (a->store != CKDA_FP_RNE && a->store != CKDA_FP_RTZ)
        return "store: expected rounding to nearest even or towards zero";
    return NULL;
}

static const char *
complain_numbers(const ckda_arith *a)
{
    if (a->grid < 0 || a->grid > ckda_rounded_grid_max(a))
        return "grid: expected a scale from 1 to 2^22, and at most 2^(p - 2) for a "
               "compute "
               "format of p bits (0: none)";
    if (a->grid > 0 && a->has_flush)
        return "a grid with a flush: a grid already stores what is below 1/2 as 0";
    if (!is_ratio(a->initial) || !is_ratio(a->beta_shift) || !is_ratio(a->gate_shrink))
        return "a rational with a denominator that is not positive";
    if (a->initial.p < 0)
        return "initial: expected a positive scale";
    if (a->gate_shrink.p < 0 || a->gate_shrink.p > a->gate_shrink.q)
        return "gate shrink: expected a number from 0 to 1";
    return NULL;
}

ckda_status
ckda_arith_check(const ckda_arith *a, ckda_error *err)
{
    const char *wrong = complain_formats(a);
    if (wrong == NULL)
        wrong = complain_form(a);
    if (wrong == NULL)
        wrong = complain_numbers(a);
    if (wrong == NULL)
        return CKDA_OK;
    ckda_error_set(err, "arithmetic: %s", wrong);
    return CKDA_E_INPUT;
}

ckda_ratio
ckda_arith_initial(const ckda_arith *a)
{
    if (a->initial.p != 0)
        return a->initial;
    const ckda_ratio r = {a->grid > 0 ? a->grid : 1, 1};
    return r;
}

int
ckda_arith_moves(const ckda_arith *a)
{
    int n = CKDA_KEY_MOVES;
    while (n > 0 && a->key_move[n - 1] == 0)
        n--;
    return n;
}

/* ---- text -------------------------------------------------------------------------- */

typedef struct {
    char *at;
    size_t left;
} writer;

static void put(writer *w, const char *fmt, ...) CKDA_PRINTF(2, 3);

static void
put(writer *w, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const int n = vsnprintf(w->at, w->left, fmt, ap);
    va_end(ap);
    ckda_require(n >= 0 && (size_t)n < w->left, "%d characters", n);
    w->at += n;
    w->left -= (size_t)n;
}

static void
put_ratio(writer *w, const char *before, ckda_ratio r, const char *after)
{
    if (r.q == 1)
        put(w, "%s%" PRId64 "%s", before, r.p, after);
    else
        put(w, "%s%" PRId64 "/%" PRId64 "%s", before, r.p, r.q, after);
}

static void
put_store(writer *w, const ckda_arith *a)
{
    if (a->grid > 0)
        put(w, "integer state (grid %" PRId64 ")", a->grid);
    else
        put(w, "%s state", a->state->name);
    if (a->store == CKDA_FP_RTZ)
        put(w, " rounded towards zero");
}

static void
put_key_form(writer *w, const ckda_arith *a)
{
    put(w, a->key == CKDA_KEY_DIRECTION ? ", %s integer keys" : ", %s keys",
        a->keys->name);
    if (a->beta != a->compute)
        put(w, ", %s beta", a->beta->name);
    if (a->beta_rule == CKDA_BETA_FROM_KEY)
        put(w, ", beta from the rounded key");
    if (a->order == CKDA_BETA_ON_DOT)
        put(w, ", beta on the dot");
}

static void
put_initial(writer *w, const ckda_arith *a)
{
    const ckda_ratio scale = ckda_arith_initial(a);
    put(w, ", H_0 = ");
    if (scale.p != scale.q)
        put_ratio(w, "", scale, " ");
    if (a->start == 0)
        put(w, "I");
    else
        put(w, "Q(%" PRIu64 ")", a->start);
}

static void
put_moves(writer *w, const ckda_arith *a)
{
    const int n = ckda_arith_moves(a);
    for (int i = 0; i < n; i++)
        put(w, i == 0 ? ", keys moved %d" : " %d", a->key_move[i]);
    if (a->beta_move != 0)
        put(w, ", beta moved %d", a->beta_move);
}

char *
ckda_arith_str(const ckda_arith *a)
{
    char text[512];
    writer w = {text, sizeof text};
    put_store(&w, a);
    if (a->form == CKDA_FORM_MATRIX)
        put(&w, ", %s matrices", a->keys->name);
    else
        put_key_form(&w, a);
    put(&w, ", %s compute, %s", a->compute->name, a->fma ? "FMA" : "no FMA");
    put_initial(&w, a);
    if (a->has_flush)
        put(&w, ", flush 2^%d", -a->flush);
    if (a->beta_shift.p != 0)
        put_ratio(&w, ", beta less ", a->beta_shift, "");
    if (a->gate_shrink.p != 0)
        put_ratio(&w, ", gates shrunk by ", a->gate_shrink, "");
    put_moves(&w, a);
    char *copy = strdup(text);
    ckda_require_memory(copy != NULL);
    return copy;
}
