/* The same question for many arithmetics, and the lists of them. */
#include "allwords_internal.h"

#include <stdlib.h>

#include "ckda/rand.h"
#include "ckda/ranks.h"

enum { SCALE_STEPS = 64, MOST_NEIGHBOURS = 100000 };

/* ---- lists ------------------------------------------------------------------------------ */

/* n copies of a. */
static ckda_arith *
copies(size_t *count, const ckda_arith *a, size_t n)
{
    ckda_arith *list = flint_malloc(n * sizeof *list);
    for (size_t i = 0; i < n; i++)
        list[i] = *a;
    *count = n;
    return list;
}

static ckda_ratio
scale_step(uint64_t j)
{
    return (ckda_ratio){SCALE_STEPS + (int64_t)j, SCALE_STEPS};
}

void
ckda_allwords_grids(ckda_arith **list, size_t *count, const ckda_arith *a, int64_t from,
                    int64_t to)
{
    ckda_require(from >= 1 && from <= to, "from %lld to %lld", (long long)from,
                 (long long)to);
    *list = copies(count, a, (size_t)(to - from + 1));
    for (size_t i = 0; i < *count; i++) {
        (*list)[i].grid = from + (int64_t)i;
        (*list)[i].initial = (ckda_ratio){0, 1};
    }
}

void
ckda_allwords_scales(ckda_arith **list, size_t *count, const ckda_arith *a)
{
    *list = copies(count, a, SCALE_STEPS);
    for (size_t i = 0; i < *count; i++)
        (*list)[i].initial = scale_step(i);
}

/* The scale is drawn from the complement of the seed, so that it does not depend on how much
 * the matrix takes from the seed itself. */
void
ckda_allwords_starts(ckda_arith **list, size_t *count, const ckda_arith *a,
                     uint64_t first, size_t starts)
{
    const bool draws = a->initial.p == 0 && a->grid == 0;
    *list = copies(count, a, starts);
    for (size_t i = 0; i < starts; i++) {
        ckda_rand random;
        ckda_arith *b = *list + i;
        b->start = first + i;
        ckda_rand_init(&random, ~b->start);
        if (draws)
            b->initial = scale_step(ckda_rand_below(&random, SCALE_STEPS));
    }
}

/* How many sizes of key entries move. */
static ckda_status
count_sizes(int *sizes, const ckda_tracker_t t, const ckda_arith *a, ckda_error *err)
{
    ckda_rounded_t R;
    const ckda_status st = ckda_rounded_init(R, t, a, err);
    if (st != CKDA_OK)
        return st;
    *sizes = a->form == CKDA_FORM_KEY ? R->inexact : 0;
    ckda_rounded_clear(R);
    return CKDA_OK;
}

/* Neighbour number i: its digits, beta last. */
static void
set_moves(ckda_arith *b, size_t i, int sizes, int keys, int beta)
{
    b->beta_move = (int8_t)((int)(i % (size_t)(2 * beta + 1)) - beta);
    i /= (size_t)(2 * beta + 1);
    for (int k = sizes - 1; k >= 0; k--) {
        b->key_move[k] = (int8_t)((int)(i % (size_t)(2 * keys + 1)) - keys);
        i /= (size_t)(2 * keys + 1);
    }
}

ckda_status
ckda_allwords_neighbours(ckda_arith **list, size_t *count, const ckda_tracker_t t,
                         const ckda_arith *a, int keys, int beta, ckda_error *err)
{
    int sizes = 0;
    ckda_require(keys >= 0 && keys <= INT8_MAX && beta >= 0 && beta <= INT8_MAX,
                 "keys moved by %d, beta by %d", keys, beta);
    const ckda_status st = count_sizes(&sizes, t, a, err);
    if (st != CKDA_OK)
        return st;
    size_t n = 2 * (size_t)beta + 1;
    for (int k = 0; k < sizes && n <= MOST_NEIGHBOURS; k++)
        n *= 2 * (size_t)keys + 1;
    if (n > MOST_NEIGHBOURS || (sizes > CKDA_KEY_MOVES && keys > 0)) {
        ckda_error_set(err,
                       "%d sizes of key entries move: expected at most %d sizes and %d "
                       "arithmetics together",
                       sizes, CKDA_KEY_MOVES, MOST_NEIGHBOURS);
        return CKDA_E_UNABLE;
    }
    *list = copies(count, a, n);
    for (size_t i = 0; i < n; i++)
        set_moves(*list + i, i, keys > 0 ? sizes : 0, keys, beta);
    return CKDA_OK;
}

/* ---- the sweep ---------------------------------------------------------------------------- */

static ckda_status
one_row(ckda_allwords_row *row, ckda_tracker_t t, const ckda_arith *a,
        const ckda_allwords_options *o, ckda_error *err)
{
    ckda_rounded_t R;
    row->arith = *a;
    ckda_tracker_set_start(t, a->start);
    ckda_status st = ckda_rounded_init(R, t, a, err);
    if (st != CKDA_OK)
        return st;
    st = ckda_allwords_run(row->result, R, t, o, err);
    ckda_rounded_clear(R);
    return st;
}

/* The same for all processes. */
static bool
interrupted(const ckda_allwords_options *o)
{
    uint64_t stop = o->stop != NULL && *o->stop;
    ckda_ranks_max(&stop, 1);
    return stop != 0;
}

ckda_status
ckda_allwords_sweep(ckda_allwords_row **rows, size_t *count, ckda_tracker_t t,
                    const ckda_arith *list, size_t n, const ckda_allwords_options *o,
                    ckda_error *err)
{
    const uint64_t start = t->start;
    ckda_allwords_row *row = allwords_memory(n * sizeof *row);
    size_t done = 0;
    ckda_status st = CKDA_OK;
    while (done < n && !interrupted(o)) {
        st = one_row(row + done, t, list + done, o, err);
        if (st != CKDA_OK)
            break;
        done++;
    }
    ckda_tracker_set_start(t, start);
    if (st != CKDA_OK) {
        ckda_allwords_sweep_clear(row, done);
        return st;
    }
    *rows = row;
    *count = done;
    return CKDA_OK;
}

void
ckda_allwords_sweep_clear(ckda_allwords_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ckda_allwords_clear(rows[i].result);
    free(rows);
}
