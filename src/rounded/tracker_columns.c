/* The distinct columns of the states of a tracker, and how letters move them. */
#include "tracker_internal.h"

#include <string.h>

static void
put(uint32_t *bucket, uint32_t mask, uint64_t hash, uint32_t index)
{
    uint32_t i = (uint32_t)hash & mask;
    while (bucket[i] != 0)
        i = (i + 1) & mask;
    bucket[i] = index + 1;
}

/* Room for one more column at load 1/2 at most. */
static void
grow(column_table *T, const ckda_field_t K)
{
    if (T->count < T->alloc)
        return;
    T->alloc = T->alloc > 0 ? 2 * T->alloc : 64;
    T->mask = 2 * T->alloc - 1;
    T->at = flint_realloc(T->at, T->alloc * sizeof *T->at);
    flint_free(T->bucket);
    T->bucket = flint_calloc((size_t)T->mask + 1, sizeof *T->bucket);
    for (uint32_t i = 0; i < T->count; i++)
        put(T->bucket, T->mask, ckda_mat_hash(T->at + i, K), i);
}

/* Index of the column v; a new one is swapped in. */
static uint32_t
intern(column_table *T, ckda_mat_t v, const ckda_field_t K)
{
    grow(T, K);
    const uint64_t hash = ckda_mat_hash(v, K);
    for (uint32_t i = (uint32_t)hash & T->mask; T->bucket[i] != 0; i = (i + 1) & T->mask)
        if (ckda_mat_equal(NULL, T->at + (T->bucket[i] - 1), v, K))
            return T->bucket[i] - 1;
    put(T->bucket, T->mask, hash, T->count);
    ckda_mat_init(T->at + T->count, v->rows, 1, K);
    ckda_mat_swap(T->at + T->count, v);
    return T->count++;
}

/* Entries x of states have |x| <= 1.  An enclosure of 80 bits and one rounding to nearest
 * are off by at most 2^-70 and 2^-54. */
static double
value_of(const ckda_elem_t x, const ckda_field_t K)
{
    arb_t r;
    arb_init(r);
    ckda_elem_get_arb(r, x, K, 80);
    const double value = arf_get_d(arb_midref(r), ARF_RND_NEAR);
    ckda_require(mag_cmp_2exp_si(arb_radref(r), -70) <= 0, "the enclosure is too wide");
    arb_clear(r);
    return value;
}

static void
set_values(const column_table *T, ckda_tracker_struct *t)
{
    const size_t n = (size_t)t->n;
    t->ncolumns = T->count;
    t->column_value = flint_malloc(T->count * n * sizeof *t->column_value);
    for (uint32_t c = 0; c < T->count; c++)
        for (size_t i = 0; i < n; i++)
            t->column_value[c * n + i] = value_of(T->at[c].entry + i, t->c->K);
}

void
column_table_build(column_table *T, ckda_tracker_struct *t)
{
    const ckda_field_struct *K = t->c->K;
    size_t alloc = 0;
    ckda_mat_t v;
    memset(T, 0, sizeof *T);
    ckda_mat_init(v, t->n, 1, K);
    for (slong j = 0; j < t->n; j++) {
        ckda_mat_zero(v, K);
        ckda_mat_set_entry_si(v, j, 0, 1, K);
        intern(T, v, K);
    }
    for (uint32_t c = 0; c < T->count; c++) {
        if (c >= alloc) {
            alloc = T->alloc;
            t->column_next = flint_realloc(t->column_next,
                                           alloc * t->nletters * sizeof *t->column_next);
        }
        for (uint32_t l = 0; l < t->nletters; l++) {
            const ckda_status st = ckda_mat_mul(v, letter_matrix(t, l), T->at + c, K);
            ckda_require(st == CKDA_OK, "shapes");
            t->column_next[(size_t)c * t->nletters + l] = intern(T, v, K);
        }
    }
    ckda_mat_clear(v, K);
    set_values(T, t);
}

/* The columns of the states in their order; column_of is theirs. */
static void
column_table_of_states(column_table *T, ckda_tracker_struct *t)
{
    const ckda_field_struct *K = t->c->K;
    const slong n = t->n;
    ckda_mat_t v;
    memset(T, 0, sizeof *T);
    ckda_mat_init(v, n, 1, K);
    for (uint32_t s = 0; s < t->nstates; s++)
        for (slong j = 0; j < n; j++) {
            for (slong i = 0; i < n; i++)
                ckda_elem_set(v->entry + i, ckda_mat_entry(t->exact + s, i, j), K);
            t->column_of[(size_t)s * (size_t)n + (size_t)j] = intern(T, v, K);
        }
    ckda_mat_clear(v, K);
}

void
column_table_clear(column_table *T, const ckda_field_t K)
{
    for (uint32_t i = 0; i < T->count; i++)
        ckda_mat_clear(T->at + i, K);
    flint_free(T->at);
    flint_free(T->bucket);
    memset(T, 0, sizeof *T);
}

/* ---- the columns of a tracker whose states are there ------------------------------ */

void
tracker_set_places(ckda_tracker_struct *t)
{
    t->column_state = flint_malloc(t->ncolumns * sizeof *t->column_state);
    t->column_at = flint_malloc(t->ncolumns * sizeof *t->column_at);
    for (uint32_t i = 0; i < t->ncolumns; i++)
        t->column_state[i] = UINT32_MAX;
    for (uint32_t s = 0; s < t->nstates; s++)
        for (uint32_t j = 0; j < (uint32_t)t->n; j++) {
            const uint32_t i = t->column_of[(size_t)s * (size_t)t->n + j];
            if (t->column_state[i] != UINT32_MAX)
                continue;
            t->column_state[i] = s;
            t->column_at[i] = j;
        }
}

/* A letter takes column j of a state to column j of the next state. */
static void
set_next(ckda_tracker_struct *t)
{
    const size_t n = (size_t)t->n;
    t->column_next =
        flint_malloc((size_t)t->ncolumns * t->nletters * sizeof *t->column_next);
    for (uint32_t c = 0; c < t->ncolumns; c++) {
        const uint32_t *to = t->next + (size_t)t->column_state[c] * t->nletters;
        for (uint32_t l = 0; l < t->nletters; l++)
            t->column_next[(size_t)c * t->nletters + l] =
                t->column_of[to[l] * n + t->column_at[c]];
    }
}

void
tracker_columns_renew(ckda_tracker_struct *t)
{
    column_table T;
    flint_free(t->column_next);
    flint_free(t->column_value);
    flint_free(t->column_state);
    flint_free(t->column_at);
    column_table_of_states(&T, t);
    set_values(&T, t);
    column_table_clear(&T, t->c->K);
    tracker_set_places(t);
    set_next(t);
}

void
tracker_fill_values(ckda_tracker_struct *t)
{
    const size_t n = (size_t)t->n;
    for (uint32_t s = 0; s < t->nstates; s++)
        for (size_t j = 0; j < n; j++) {
            const double *v = t->column_value + t->column_of[s * n + j] * n;
            for (size_t i = 0; i < n; i++)
                t->value[(s * n + i) * n + j] = v[i];
        }
}
