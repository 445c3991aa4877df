#include "json_arithmetic.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

void
json_put_real(json_t *object, const char *key, double x)
{
    json_put(object, key, isfinite(x) ? json_real(x) : json_null());
}

static void
ratio_text(char *text, size_t size, ckda_ratio q)
{
    if (q.q == 1)
        snprintf(text, size, "%" PRId64, q.p);
    else
        snprintf(text, size, "%" PRId64 "/%" PRId64, q.p, q.q);
}

json_t *
json_ratio(ckda_ratio q)
{
    char text[48];
    ratio_text(text, sizeof text, q);
    return json_string(text);
}

json_t *
json_moves(const ckda_arith *a)
{
    json_t *list = json_array();
    const int n = ckda_arith_moves(a);
    for (int i = 0; i < n; i++)
        json_append(list, json_integer(a->key_move[i]));
    return list;
}

/* S_0 in exact numbers. */
static json_t *
json_start(const ckda_arith *a, slong n)
{
    json_t *rows = json_array();
    fmpq_mat_t Q;
    fmpq_mat_init(Q, n, n);
    ckda_tracker_start_matrix(Q, a->start);
    for (slong i = 0; i < n; i++) {
        json_t *row = json_array();
        for (slong j = 0; j < n; j++) {
            char *text = fmpq_get_str(NULL, 10, fmpq_mat_entry(Q, i, j));
            json_append_text(row, text);
            flint_free(text);
        }
        json_append(rows, row);
    }
    fmpq_mat_clear(Q);
    return rows;
}

json_t *
json_arithmetic(const ckda_arith *a, slong n)
{
    json_t *o = json_object();
    json_put_text(o, "state", a->grid > 0 ? "grid" : a->state->name);
    json_put_text(o, "keys", a->keys->name);
    json_put_text(o, "beta", a->beta->name);
    json_put_text(o, "compute", a->compute->name);
    json_put_bool(o, "fma", a->fma);
    json_put_text(o, "form", a->form == CKDA_FORM_KEY ? "key" : "matrix");
    json_put_text(o, "order", a->order == CKDA_BETA_ON_KEY ? "key" : "dot");
    json_put_text(o, "key_norm", a->key == CKDA_KEY_UNIT ? "unit" : "direction");
    json_put_text(o, "beta_rule", a->beta_rule == CKDA_BETA_IDEAL ? "ideal" : "from-key");
    json_put_text(o, "rounding", a->store == CKDA_FP_RTZ ? "rtz" : "rne");
    json_put(o, "grid", a->grid > 0 ? json_integer(a->grid) : json_null());
    json_put(o, "flush", a->has_flush ? json_integer(a->flush) : json_null());
    json_put(o, "initial", json_ratio(ckda_arith_initial(a)));
    if (a->start != 0) {
        json_put_count(o, "start", a->start);
        json_put(o, "start_matrix", json_start(a, n));
    }
    if (ckda_arith_moves(a) > 0)
        json_put(o, "move_keys", json_moves(a));
    if (a->beta_move != 0)
        json_put(o, "move_beta", json_integer(a->beta_move));
    json_put(o, "shrink_beta",
             a->beta_shift.p != 0 ? json_ratio(a->beta_shift) : json_null());
    json_put(o, "shrink_gate",
             a->gate_shrink.p != 0 ? json_ratio(a->gate_shrink) : json_null());
    char *text = ckda_arith_str(a);
    json_put_text(o, "text", text);
    free(text);
    return o;
}

static void
option_ratio(FILE *out, const char *name, ckda_ratio q)
{
    char text[48];
    if (q.p == 0)
        return;
    ratio_text(text, sizeof text, q);
    fprintf(out, " --%s %s", name, text);
}

void
print_arithmetic_options(FILE *out, const ckda_arith *a)
{
    const ckda_arith *usual = &ckda_arith_default;
    if (a->grid > 0)
        fprintf(out, " --grid %" PRId64, a->grid);
    else
        fprintf(out, " --state %s", a->state->name);
    fprintf(out, " --keys %s --compute %s --fma %s", a->keys->name, a->compute->name,
            a->fma ? "on" : "off");
    if (a->beta != usual->beta)
        fprintf(out, " --beta %s", a->beta->name);
    if (a->form == CKDA_FORM_MATRIX)
        fputs(" --form matrix", out);
    if (a->order == CKDA_BETA_ON_DOT)
        fputs(" --order dot", out);
    if (a->key == CKDA_KEY_DIRECTION)
        fputs(" --key-norm direction", out);
    if (a->beta_rule == CKDA_BETA_FROM_KEY)
        fputs(" --beta-rule from-key", out);
    if (a->store == CKDA_FP_RTZ)
        fputs(" --rounding rtz", out);
    if (a->has_flush)
        fprintf(out, " --flush %d", a->flush);
    option_ratio(out, "initial", a->initial);
    if (a->start != 0)
        fprintf(out, " --start random:%" PRIu64, a->start);
    const int moves = ckda_arith_moves(a);
    for (int i = 0; i < moves; i++)
        fprintf(out, i == 0 ? " --move-keys=%d" : ",%d", a->key_move[i]);
    if (a->beta_move != 0)
        fprintf(out, " --move-beta=%d", a->beta_move);
    option_ratio(out, "shrink-beta", a->beta_shift);
    option_ratio(out, "shrink-gate", a->gate_shrink);
}
