/* Columns evolve apart: if every start column closes over pairs (bits, exact column) and
 * e_j is the largest distance of column j, then |H - scale S|_F^2 <= sum e_j^2 for every
 * word, and H decodes rightly while the root of that stays below scale m / 2. */
#include "allwords_internal.h"

#include <math.h>

/* Up to the rounding of this line; the sum has a handful of terms. */
static double
bound(double sum)
{
    return sqrt(sum) * (1 + 1e-14);
}

static ckda_status
one_column(search_end *end, search *S, double give_up, slong position, ckda_error *err)
{
    S->give_up = give_up;
    if (!allwords_search_root(S, position)) {
        *end = SEARCH_OPEN;
        return CKDA_OK;
    }
    return allwords_search_run(end, S, err);
}

ckda_status
allwords_columns_run(ckda_truth *holds, ckda_allwords_t r, const ckda_rounded_t R,
                     const ckda_tracker_t t, const ckda_allwords_options *o,
                     ckda_error *err)
{
    const double safe = R->scale * t->margin_low / 2 * (1 - 1e-14);
    double sum = 0;
    r->columns_run = true;
    r->columns_closed = true;
    for (slong j = 0; j < R->n && r->columns_closed; j++) {
        search S;
        search_end end;
        allwords_search_init(&S, R, t, o, j);
        const ckda_status st = one_column(&end, &S, safe, j, err);
        if (st != CKDA_OK) {
            allwords_search_clear(&S);
            return st;
        }
        const double error = allwords_rounded_up(S.p.error, R->scale);
        sum += error * error;
        r->column_states += S.count;
        r->columns_closed = end == SEARCH_CLOSED;
        r->column_limit = S.limit;
        allwords_search_clear(&S);
    }
    r->column_bound = bound(sum);
    const bool small = r->column_bound < safe;
    if (r->columns_closed && !small)
        r->column_limit = "column bound";
    *holds = r->columns_closed && small ? CKDA_TRUE : CKDA_UNKNOWN;
    return CKDA_OK;
}
