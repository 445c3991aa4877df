/* The same question for many scales. */
#include "allwords_internal.h"

#include <stdlib.h>

#include "ckda/ranks.h"

enum { INITIAL_STEPS = 64 };

static ckda_status
one_scale(ckda_allwords_row *row, const ckda_tracker_t t, const ckda_arith *a,
          const ckda_allwords_options *o, ckda_error *err)
{
    ckda_rounded_t R;
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

/* Arithmetic number i of the sweep, and its scale. */
static ckda_arith
scaled(ckda_ratio *scale, const ckda_arith *a, bool grid, int64_t from, size_t i)
{
    ckda_arith b = *a;
    if (grid) {
        b.grid = from + (int64_t)i;
        b.initial = (ckda_ratio){0, 1};
        *scale = (ckda_ratio){b.grid, 1};
    } else {
        b.initial = (ckda_ratio){INITIAL_STEPS + (int64_t)i, INITIAL_STEPS};
        *scale = b.initial;
    }
    return b;
}

ckda_status
ckda_allwords_sweep(ckda_allwords_row **rows, size_t *count, const ckda_tracker_t t,
                    const ckda_arith *a, bool grid, int64_t from, int64_t to,
                    const ckda_allwords_options *o, ckda_error *err)
{
    ckda_require(!grid || (from >= 1 && from <= to), "from %lld to %lld", (long long)from,
                 (long long)to);
    const size_t n = grid ? (size_t)(to - from + 1) : INITIAL_STEPS;
    ckda_allwords_row *row = allwords_memory(n * sizeof *row);
    size_t done = 0;
    ckda_status st = CKDA_OK;
    while (done < n && !interrupted(o)) {
        const ckda_arith b = scaled(&row[done].scale, a, grid, from, done);
        st = one_scale(row + done, t, &b, o, err);
        if (st != CKDA_OK)
            break;
        done++;
    }
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
