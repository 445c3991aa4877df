/* The verdict on all words: JSON (ckda.audit/1). */
#include "allwords_print.h"

#include <stdlib.h>

static const char *
failure_name(ckda_allwords_failure f)
{
    static const char *const names[] = {[CKDA_ALLWORDS_NO_FAILURE] = NULL,
                                        [CKDA_ALLWORDS_DECODE] = "decode",
                                        [CKDA_ALLWORDS_COLLISION] = "collision"};
    return names[f];
}

static json_t *
word_json(const ckda_tracker_t t, const uint32_t *word, size_t length)
{
    json_t *array = json_array();
    for (size_t i = 0; i < length; i++)
        json_append_text(array, t->letter_name[word[i]]);
    return array;
}

static json_t *
levels_json(const ckda_allwords_struct *a)
{
    json_t *array = json_array();
    for (uint32_t k = 0; k < a->nlevels; k++)
        json_append(array, json_integer((json_int_t)a->level[k]));
    return array;
}

/* Steps without end are null. */
static void
put_steps(json_t *o, const char *key, uint64_t steps)
{
    json_put(o, key, steps > INT64_MAX ? json_null() : json_integer((json_int_t)steps));
}

static json_t *
state_json(const ckda_allwords_report *r)
{
    const slong n = r->tracker->n;
    json_t *rows = json_array();
    for (slong i = 0; i < n; i++) {
        json_t *row = json_array();
        for (slong j = 0; j < n; j++) {
            const double x = r->result->state[i * n + j];
            json_append(row, x - x == 0 ? json_real(x) : json_null());
        }
        json_append(rows, row);
    }
    return rows;
}

static void
put_failure(json_t *o, const ckda_allwords_report *r)
{
    const ckda_allwords_struct *a = r->result;
    const bool fails = a->verdict == CKDA_ALLWORDS_FAILS;
    char *want = fails ? element_name(r, a->expected) : NULL;
    char *got = fails && !a->tied ? element_name(r, a->decoded) : NULL;
    json_put(o, "word", word_json(r->tracker, a->word, a->length));
    json_put(o, "word_length", fails ? json_integer((json_int_t)a->length) : json_null());
    json_put(o, "shortest", fails ? json_boolean(a->shortest) : json_null());
    json_put_text(o, "failure", failure_name(a->failure));
    json_put(o, "other_word",
             a->failure == CKDA_ALLWORDS_COLLISION
                 ? word_json(r->tracker, a->other_word, a->other_length)
                 : json_null());
    json_put_text(o, "expected", want);
    json_put_text(o, "decoded", got);
    json_put(o, "rounded_state", fails ? state_json(r) : json_null());
    json_put(o, "distance",
             fails && a->distance - a->distance == 0 ? json_real(a->distance)
                                                     : json_null());
    free(want);
    free(got);
}

static json_t *
columns_json(const ckda_allwords_struct *a)
{
    if (!a->columns_run)
        return json_null();
    json_t *o = json_object();
    json_put_bool(o, "closed", a->columns_closed);
    json_put_count(o, "states", a->column_states);
    json_put_real(o, "bound", six_digits_up(a->column_bound));
    json_put_text(o, "limit", a->column_limit);
    return o;
}

/* What every document of this mode begins with. */
static json_t *
begin(const ckda_allwords_report *r)
{
    json_t *o = json_object();
    json_put_text(o, "schema", "ckda.audit/1");
    json_put_text(o, "system", r->system);
    json_put_text(o, "construction", r->tracker->c->name);
    json_put(o, "arithmetic", json_arithmetic(r->arith, r->tracker->n));
    json_put_count(o, "letters", r->tracker->nletters);
    json_put_count(o, "exact_states", r->tracker->nstates);
    json_put_count(o, "max_states", r->limits->max_states);
    return o;
}

static void
put_search(json_t *o, const ckda_allwords_struct *a)
{
    json_put_text(o, "verdict", ckda_allwords_verdict_name(a->verdict));
    json_put_text(o, "method", ckda_allwords_method_name(a->method));
    json_put_text(o, "limit", a->limit);
    json_put_count(o, "states", a->states);
    json_put_count(o, "edges", a->edges);
    json_put_count(o, "depth", a->depth);
    json_put_real(o, "max_error", six_digits_up(a->max_error));
    json_put_real(o, "tie_distance", a->tie_distance);
}

json_t *
allwords_json(const ckda_allwords_report *r)
{
    const ckda_allwords_struct *a = r->result;
    json_t *o = begin(r);
    put_search(o, a);
    json_put(o, "levels", levels_json(a));
    json_put_count(o, "aliased", a->aliased);
    json_put_bool(o, "error_of_first_words", a->error_of_first_words);
    json_put_real(o, "safe_distance", a->safe_distance);
    put_failure(o, r);
    json_put(o, "columns", columns_json(a));
    put_steps(o, "guaranteed_steps", a->guaranteed_steps);
    put_steps(o, "a_priori_steps",
              a->verdict == CKDA_ALLWORDS_TRACKS ? UINT64_MAX : a->a_priori_steps);
    json_put_real(o, "seconds", a->seconds);
    return o;
}

/* What an arithmetic has of its own in this sweep. */
static json_t *
own_json(const ckda_arith *a, ckda_allwords_sweep_kind kind)
{
    if (kind == CKDA_SWEEP_GRIDS || kind == CKDA_SWEEP_SCALES)
        return json_ratio(ckda_arith_initial(a));
    json_t *o = json_object();
    if (kind == CKDA_SWEEP_STARTS) {
        json_put_count(o, "start", a->start);
        json_put(o, "scale", json_ratio(ckda_arith_initial(a)));
    } else {
        json_put(o, "move_keys", json_moves(a));
        json_put(o, "move_beta", json_integer(a->beta_move));
    }
    return o;
}

json_t *
allwords_sweep_json(const ckda_allwords_report *r, ckda_allwords_sweep_kind kind,
                    const ckda_allwords_row *rows, size_t count)
{
    static const char *const names[] = {[CKDA_SWEEP_GRIDS] = "scale",
                                        [CKDA_SWEEP_SCALES] = "initial",
                                        [CKDA_SWEEP_STARTS] = "start",
                                        [CKDA_SWEEP_KEYS] = "keys"};
    json_t *o = begin(r), *runs = json_array(), *holding = json_array();
    for (size_t i = 0; i < count; i++) {
        const ckda_allwords_struct *a = rows[i].result;
        const ckda_arith *x = &rows[i].arith;
        json_t *run = json_object();
        json_put(run, "scale", json_ratio(ckda_arith_initial(x)));
        if (kind == CKDA_SWEEP_STARTS)
            json_put_count(run, "start", x->start);
        if (kind == CKDA_SWEEP_KEYS) {
            json_put(run, "move_keys", json_moves(x));
            json_put(run, "move_beta", json_integer(x->beta_move));
        }
        put_search(run, a);
        json_put(run, "word_length",
                 a->verdict == CKDA_ALLWORDS_FAILS ? json_integer((json_int_t)a->length)
                                                   : json_null());
        json_put_text(run, "failure", failure_name(a->failure));
        json_append(runs, run);
        if (a->verdict == CKDA_ALLWORDS_TRACKS)
            json_append(holding, own_json(x, kind));
    }
    json_put_text(o, "search", names[kind]);
    json_put(o, "holding", holding);
    json_put(o, "runs", runs);
    return o;
}
