/* The slack of one quantiser with everything that a reader wants to know beside it. */
#include "snap_internal.h"

#include <math.h>
#include <string.h>

enum { BITS = 192, MAX_PRODUCT_PAIRS = 4000000 };

static ckda_snap_rows
step_rows(const ckda_snap_t s)
{
    return (ckda_snap_rows){s->nrows, s->x, s->x_near, s->image};
}

static void
init_fields(ckda_slack_t r, const ckda_field_t K)
{
    *r = (ckda_slack_struct){.K = K};
    ckda_elem_init(r->sigma, K);
    ckda_elem_init(r->epsilon_squared, K);
    ckda_elem_init(r->epsilon, K);
    ckda_elem_init(r->eta2_squared, K);
    ckda_elem_init(r->etainf, K);
    ckda_elem_init(r->norm_squared, K);
    ckda_elem_init(r->got, K);
    ckda_elem_init(r->want, K);
    arb_init(r->epsilon_ball);
    arb_init(r->eta2);
    arb_init(r->norm);
    arb_init(r->lemma_slack);
}

void
ckda_slack_clear(ckda_slack_t r)
{
    const ckda_field_struct *K = r->K;
    ckda_elem_clear(r->sigma, K);
    ckda_elem_clear(r->epsilon_squared, K);
    ckda_elem_clear(r->epsilon, K);
    ckda_elem_clear(r->eta2_squared, K);
    ckda_elem_clear(r->etainf, K);
    ckda_elem_clear(r->norm_squared, K);
    ckda_elem_clear(r->got, K);
    ckda_elem_clear(r->want, K);
    arb_clear(r->epsilon_ball);
    arb_clear(r->eta2);
    arb_clear(r->norm);
    arb_clear(r->lemma_slack);
    flint_free(r->word);
    *r = (ckda_slack_struct){0};
}

/* ---- the lemma ---------------------------------------------------------------------- */

static void
take_larger(ckda_elem_t most, const ckda_elem_t x, const ckda_field_t K)
{
    if (!ckda_elem_equal(x, most, K) && ckda_elem_cmp(x, most, K) > 0)
        ckda_elem_set(most, x, K);
}

/* eta2^2, etainf, N^2 over all columns.  The errors of the values come first: a column
 * looks its entries up. */
static void
set_lemma_numbers(ckda_slack_t r, const ckda_snap_t s, const ckda_quantised *z,
                  const ckda_quantiser *Q)
{
    const ckda_field_struct *K = s->tracker->c->K;
    ckda_elem_struct *squared = ckda_elem_vec_new(s->nvalues, K);
    ckda_elem_t e, scale;
    ckda_elem_init(e, K);
    ckda_elem_init(scale, K);
    ckda_elem_set_frac(scale, Q->scale.p, Q->scale.q, K);
    for (uint32_t i = 0; i < s->nvalues; i++) {
        ckda_snap_elem_of_double(e, z->q[i], K);
        ckda_elem_submul(e, scale, &s->value[i], K);
        ckda_elem_abs(e, e, K);
        take_larger(r->etainf, e, K);
        ckda_elem_mul(squared + i, e, e, K);
    }
    for (uint32_t v = 0; v < s->ncolumns; v++) {
        ckda_elem_zero(e, K);
        for (slong j = 0; j < s->n; j++)
            ckda_elem_add(e, e, squared + s->column[(slong)v * s->n + j], K);
        take_larger(r->eta2_squared, e, K);
        ckda_snap_norm_squared(e, v, s, z);
        take_larger(r->norm_squared, e, K);
    }
    ckda_elem_clear(scale, K);
    ckda_elem_clear(e, K);
    ckda_elem_vec_free(squared, s->nvalues, K);
}

static void
root_ball(arb_t y, const ckda_elem_t square, const ckda_field_t K)
{
    ckda_elem_get_arb(y, square, K, BITS);
    arb_sqrtpos(y, y, BITS);
}

static void
set_lemma(ckda_slack_t r, const ckda_snap_t s, const ckda_quantised *z,
          const ckda_quantiser *Q)
{
    arb_t x;
    set_lemma_numbers(r, s, z, Q);
    root_ball(r->eta2, r->eta2_squared, r->K);
    root_ball(r->norm, r->norm_squared, r->K);
    r->has_lemma = Q->grid > 0;
    if (!r->has_lemma)
        return;
    arb_init(x);
    ckda_elem_get_arb(x, r->etainf, r->K, BITS);
    arb_add(x, x, r->eta2, BITS);
    arb_set_d(r->lemma_slack, 0.5);
    arb_sub(r->lemma_slack, r->lemma_slack, x, BITS);
    arb_clear(x);
}

/* ---- epsA* -------------------------------------------------------------------------- */

/* epsA* = m / |q|: in K when |q|^2 is the square of a rational. */
static void
set_epsilon(ckda_slack_t r, const ckda_snap_exact *e, const ckda_snap_t s,
            const ckda_quantised *z)
{
    const ckda_field_struct *K = r->K;
    const ckda_snap_rows rows = step_rows(s);
    ckda_elem_t norm;
    fmpq_t q;
    fmpq_poly_t f;
    root_ball(r->epsilon_ball, r->epsilon_squared, K);
    ckda_elem_init(norm, K);
    fmpq_init(q);
    fmpq_poly_init(f);
    ckda_snap_norm_squared(norm, e->epsilon_column, s, z);
    ckda_elem_get_fmpq_poly(f, norm, K);
    fmpq_poly_get_coeff_fmpq(q, f, 0);
    r->epsilon_in_field =
        fmpz_is_square(fmpq_numref(q)) && fmpz_is_square(fmpq_denref(q));
    if (r->epsilon_in_field) {
        fmpz_sqrt(fmpq_numref(q), fmpq_numref(q));
        fmpz_sqrt(fmpq_denref(q), fmpq_denref(q));
        ckda_elem_set_fmpq(norm, q, K);
        ckda_snap_slack_exact(r->epsilon, &rows, e->epsilon_row, e->epsilon_column, s, z);
        const ckda_status st = ckda_elem_div(r->epsilon, r->epsilon, norm, K);
        ckda_require(st == CKDA_OK, "a column that is not zero");
        ckda_elem_get_arb(r->epsilon_ball, r->epsilon, K, BITS);
    }
    fmpq_poly_clear(f);
    fmpq_clear(q);
    ckda_elem_clear(norm, K);
}

/* ---- all products ------------------------------------------------------------------- */

/* The states from I form a group of orthogonal matrices, so the rows of all products of
 * letters are the columns of states, transposed (not so from another start); x.v is an entry of a state, hence a value.  Only
 * doubles are used to find which: two values nearer than 2^-40 give up. */
static bool
product_images(uint32_t *image, double *near, const ckda_snap_t s)
{
    for (uint32_t x = 0; x < s->ncolumns; x++)
        for (slong j = 0; j < s->n; j++)
            near[(slong)x * s->n + j] = s->value_near[s->column[(slong)x * s->n + j]];
    for (uint32_t i = 1; i < s->nvalues; i++)
        if (s->value_near[i] - s->value_near[i - 1] < 0x1p-38)
            return false;
    for (uint32_t x = 0; x < s->ncolumns; x++)
        for (uint32_t v = 0; v < s->ncolumns; v++) {
            double y = 0;
            for (slong j = 0; j < s->n; j++)
                y += near[(slong)x * s->n + j] * near[(slong)v * s->n + j];
            uint32_t lo = 0, hi = s->nvalues - 1;
            while (lo < hi) {
                const uint32_t mid = lo + (hi - lo) / 2;
                if (s->value_near[mid] < y - 0x1p-40)
                    lo = mid + 1;
                else
                    hi = mid;
            }
            if (fabs(s->value_near[lo] - y) > 0x1p-40)
                return false;
            image[(size_t)x * s->ncolumns + v] = lo;
        }
    return true;
}

static ckda_elem_struct *
column_elements(const ckda_snap_t s, const ckda_field_t K)
{
    const slong total = (slong)s->ncolumns * s->n;
    ckda_elem_struct *x = ckda_elem_vec_new(total, K);
    for (slong k = 0; k < total; k++)
        ckda_elem_set(x + k, &s->value[s->column[k]], K);
    return x;
}

/* sigma (and epsA* if sigma > 0) over all products against those of the steps. */
static ckda_truth
same_for_products(const ckda_slack_t r, const ckda_snap_t s, const ckda_quantised *z)
{
    const ckda_field_struct *K = r->K;
    const uint64_t pairs = (uint64_t)s->ncolumns * s->ncolumns;
    if (pairs > MAX_PRODUCT_PAIRS || s->tracker->start != 0)
        return CKDA_UNKNOWN;
    uint32_t *image = flint_malloc(pairs * sizeof *image);
    double *near = flint_malloc((size_t)s->ncolumns * (size_t)s->n * sizeof *near);
    ckda_truth same = CKDA_UNKNOWN;
    if (product_images(image, near, s)) {
        ckda_elem_t sigma, epsilon;
        ckda_elem_init(sigma, K);
        ckda_elem_init(epsilon, K);
        ckda_elem_struct *x = column_elements(s, K);
        const ckda_snap_rows rows = {s->ncolumns, x, near, image};
        const ckda_snap_minima minima = ckda_snap_minima_near(&rows, s, z);
        ckda_snap_exact e = {.sigma = sigma, .epsilon_squared = epsilon};
        ckda_snap_minima_exact(&e, &rows, &minima, s, z);
        same = ckda_elem_equal(sigma, r->sigma, K)
                       && (e.sign <= 0 || ckda_elem_equal(epsilon, r->epsilon_squared, K))
                   ? CKDA_TRUE
                   : CKDA_FALSE;
        ckda_elem_vec_free(x, (slong)s->ncolumns * s->n, K);
        ckda_elem_clear(epsilon, K);
        ckda_elem_clear(sigma, K);
    }
    flint_free(near);
    flint_free(image);
    return same;
}

/* ---- a step that fails --------------------------------------------------------------- */

/* The letters of a shortest word to a state that has this column; breadth first. */
static void
word_to_column(uint32_t **word, size_t *length, uint32_t column, const ckda_tracker_t t)
{
    uint32_t *from = flint_malloc(t->nstates * sizeof *from), *via, *queue;
    via = flint_malloc(t->nstates * sizeof *via);
    queue = flint_malloc(t->nstates * sizeof *queue);
    memset(via, 0xff, t->nstates * sizeof *via);
    uint32_t head = 0, tail = 0, goal = UINT32_MAX;
    queue[tail++] = 0;
    via[0] = from[0] = 0;
    while (head < tail && goal == UINT32_MAX) {
        const uint32_t at = queue[head++];
        for (slong j = 0; j < t->n; j++)
            if (t->column_of[(size_t)at * (size_t)t->n + (size_t)j] == column)
                goal = at;
        for (uint32_t l = 0; l < t->nletters; l++) {
            const uint32_t to = t->next[(size_t)at * t->nletters + l];
            if (via[to] == UINT32_MAX) {
                via[to] = l;
                from[to] = at;
                queue[tail++] = to;
            }
        }
    }
    ckda_require(goal != UINT32_MAX, "column %u is in no state", column);
    *length = 0;
    for (uint32_t at = goal; at != 0; at = from[at])
        ++*length;
    *word = flint_malloc((*length + 1) * sizeof **word);
    size_t k = *length;
    for (uint32_t at = goal; at != 0; at = from[at])
        (*word)[--k] = via[at];
    flint_free(queue);
    flint_free(via);
    flint_free(from);
}

static void
set_failure(ckda_slack_t r, uint32_t row, const ckda_snap_t s, const ckda_quantised *z)
{
    const ckda_field_struct *K = r->K;
    const uint32_t v = r->sigma_at.column;
    ckda_elem_t e;
    ckda_elem_init(e, K);
    for (slong j = 0; j < s->n; j++) {
        ckda_snap_elem_of_double(e, z->column[(slong)v * s->n + j], K);
        ckda_elem_addmul(r->got, s->x + (slong)row * s->n + j, e, K);
    }
    ckda_snap_elem_of_double(r->want, z->q[s->image[(size_t)row * s->ncolumns + v]], K);
    word_to_column(&r->word, &r->length, v, s->tracker);
    ckda_elem_clear(e, K);
}

ckda_status
ckda_slack_init(ckda_slack_t r, const ckda_snap_t s, const ckda_quantiser *Q,
                ckda_error *err)
{
    ckda_quantised z;
    const ckda_status st = ckda_quantised_init(&z, s, Q, err);
    if (st != CKDA_OK)
        return st;
    const ckda_snap_rows rows = step_rows(s);
    init_fields(r, s->tracker->c->K);
    const ckda_snap_minima near = ckda_snap_minima_near(&rows, s, &z);
    ckda_snap_exact e = {.sigma = r->sigma, .epsilon_squared = r->epsilon_squared};
    ckda_snap_minima_exact(&e, &rows, &near, s, &z);
    r->sign = e.sign;
    r->sigma_at = (ckda_snap_place){s->where[e.sigma_row], e.sigma_column};
    set_lemma(r, s, &z, Q);
    r->separates = ckda_snap_separates(r->same, s, &z);
    if (r->sign > 0) {
        r->epsilon_at = (ckda_snap_place){s->where[e.epsilon_row], e.epsilon_column};
        set_epsilon(r, &e, s, &z);
    } else {
        set_failure(r, e.sigma_row, s, &z);
    }
    r->same_for_products = same_for_products(r, s, &z);
    ckda_quantised_clear(&z);
    return CKDA_OK;
}
