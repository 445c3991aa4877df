/* Letters that are matrices or affine maps: the states S <- A S + B, letter by letter, beside
 * the product of the word's maps, taken first and then applied to the initial state.  There
 * is no group and no automaton, so the state itself is what is said. */
#include "run_system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ckda/group.h"
#include "run_print.h"

bool
cli_run_is_system(const char *system)
{
    ckda_input_t in;
    char kind;
    uint32_t number;
    if (ckda_group_name_split(&kind, &number, system) || access(system, F_OK) != 0
        || ckda_input_open(in, system, NULL) != CKDA_OK)
        return false;
    const bool automaton = in->kind == CKDA_INPUT_GROUP || in->kind == CKDA_INPUT_DFA
                           || in->kind == CKDA_INPUT_WFA;
    ckda_input_clear(in);
    return !automaton;
}

/* ---- the two ways ------------------------------------------------------------------ */

typedef struct {
    const ckda_system_struct *sys;
    ckda_mat_t state;   /* letter by letter */
    ckda_mat_t A, B;    /* the product of the letters so far: S -> A S + B */
    ckda_mat_t product; /* A S_0 + B */
    ckda_mat_t work;    /* as the state */
    ckda_mat_t square;  /* as A */
} walk;

static void
walk_init(walk *w, const ckda_system_t sys)
{
    const ckda_mat_struct *S = sys->initial;
    w->sys = sys;
    ckda_mat_init_set(w->state, S, sys->K);
    ckda_mat_init_set(w->product, S, sys->K);
    ckda_mat_init(w->work, S->rows, S->cols, sys->K);
    ckda_mat_init(w->B, S->rows, S->cols, sys->K);
    ckda_mat_init(w->A, S->rows, S->rows, sys->K);
    ckda_mat_init(w->square, S->rows, S->rows, sys->K);
    const ckda_status st = ckda_mat_one(w->A, sys->K);
    ckda_require(st == CKDA_OK, "square");
}

static void
walk_clear(walk *w)
{
    const ckda_field_struct *K = w->sys->K;
    ckda_mat_clear(w->state, K);
    ckda_mat_clear(w->product, K);
    ckda_mat_clear(w->work, K);
    ckda_mat_clear(w->B, K);
    ckda_mat_clear(w->A, K);
    ckda_mat_clear(w->square, K);
}

/* to = L from + offset of letter x; `to` is another matrix than `from`. */
static ckda_status
apply(ckda_mat_t to, const ckda_mat_t from, uint32_t x, const ckda_system_t sys)
{
    const ckda_status st = ckda_mat_mul(to, sys->linear + x, from, sys->K);
    return st == CKDA_OK && sys->offset != NULL
               ? ckda_mat_add(to, to, sys->offset + x, sys->K)
               : st;
}

static void
walk_step(walk *w, uint32_t x)
{
    const ckda_field_struct *K = w->sys->K;
    ckda_status st = apply(w->work, w->state, x, w->sys);
    ckda_mat_swap(w->state, w->work);
    if (st == CKDA_OK)
        st = apply(w->work, w->B, x, w->sys);
    ckda_mat_swap(w->B, w->work);
    if (st == CKDA_OK)
        st = ckda_mat_mul(w->square, w->sys->linear + x, w->A, K);
    ckda_mat_swap(w->A, w->square);
    if (st == CKDA_OK)
        st = ckda_mat_mul(w->work, w->A, w->sys->initial, K);
    if (st == CKDA_OK)
        st = ckda_mat_add(w->product, w->work, w->B, K);
    ckda_require(st == CKDA_OK, "shapes that were checked on reading");
}

/* ---- the answer -------------------------------------------------------------------- */

/* As JSON without its quotation marks, which only keep numbers from being read as such. */
static char *
rows_text(const json_t *rows)
{
    char *text = json_dumps(rows, 0), *to = text;
    ckda_require_memory(text != NULL);
    for (const char *from = text; *from != '\0'; from++)
        if (*from != '"')
            *to++ = *from;
    *to = '\0';
    return text;
}

static void
note(run_system_result *r, size_t i, const walk *w, const char *letter)
{
    const ckda_field_struct *K = w->sys->K;
    run_prefix *p = r->prefix + i;
    json_t *state = cli_run_matrix_json(w->state, K);
    p->letter = letter;
    p->equal = ckda_mat_equal(NULL, w->state, w->product, K) == CKDA_TRUE;
    p->bits = ckda_net_mat_bits(w->state, K);
    p->output = rows_text(state);
    p->states = json_array();
    ckda_json_append(p->states, state);
    r->expected[i] = cli_run_matrix_json(w->product, K);
    p->expected = rows_text(r->expected[i]);
    r->all_equal = r->all_equal && p->equal;
    r->max_bits = p->bits > r->max_bits ? p->bits : r->max_bits;
}

static void
clear_result(run_system_result *r)
{
    for (size_t i = 0; i < r->length; i++) {
        json_decref(r->prefix[i].states);
        json_decref(r->expected[i]);
        free(r->prefix[i].output);
        free(r->prefix[i].expected);
    }
    flint_free(r->prefix);
    flint_free(r->expected);
}

static int
run_word(const cli_run_system_options *o, const ckda_input_system_t s,
         const ckda_word_t word)
{
    walk w;
    run_system_result r = {
        .system = o->system,
        .kind = ckda_input_kind_name(s->in->kind),
        .sys = s->sys,
        .seed = o->seed,
        .with_states = o->states,
        .prefix = flint_calloc(word->length + 1, sizeof *r.prefix),
        .expected = flint_calloc(word->length + 1, sizeof *r.expected),
        .length = word->length,
        .all_equal = true,
    };
    walk_init(&w, s->sys);
    for (size_t i = 0; i < word->length; i++) {
        walk_step(&w, word->letter[i]);
        note(&r, i, &w, s->letter[word->letter[i]]);
    }
    walk_clear(&w);
    if (o->json)
        cli_run_system_print_json(stdout, &r);
    else
        cli_run_system_print_text(stdout, &r);
    const int code = r.all_equal ? EXIT_HOLDS : EXIT_REFUTED;
    clear_result(&r);
    return code;
}

int
cli_run_system(const cli_run_system_options *o)
{
    ckda_input_system_t s;
    ckda_error err;
    ckda_rand random;
    ckda_word_t word;
    ckda_error_clear(&err);
    ckda_status st = ckda_input_system_open(s, o->system, o->construction, &err);
    if (st != CKDA_OK)
        return cli_fail(st, &err);
    ckda_rand_init(&random, o->seed);
    st = ckda_input_system_word(word, s, o->word, &random, &err);
    const int code = st == CKDA_OK ? run_word(o, s, word) : cli_fail(st, &err);
    if (st == CKDA_OK)
        ckda_word_clear(word);
    ckda_input_system_clear(s);
    return code;
}
