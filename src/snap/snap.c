/* The pairs (x, v) of a tracker: distinct rows of its steps, distinct columns of its
 * states, and which entry each product x.v is. */
#include "snap_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PAIRS = 1 << 28 };

static const ckda_elem_struct *
column_entry(const ckda_tracker_t t, uint32_t v, slong i)
{
    return ckda_mat_entry(&t->exact[t->column_state[v]], i, (slong)t->column_at[v]);
}

/* ---- distinct entries --------------------------------------------------------------- */

typedef struct {
    double near;
    uint32_t place; /* column * n + row */
} entry;

static int
by_value(const void *a, const void *b)
{
    const double x = ((const entry *)a)->near, y = ((const entry *)b)->near;
    return (x > y) - (x < y);
}

/* The value that this entry equals, among those whose doubles are near, or -1. */
static int64_t
find_exact(const ckda_snap_t s, const ckda_elem_t x, double near)
{
    const ckda_field_struct *K = s->tracker->c->K;
    uint32_t lo = 0, hi = s->nvalues;
    while (lo < hi) {
        const uint32_t mid = lo + (hi - lo) / 2;
        if (s->value_near[mid] < near - 0x1p-40)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < s->nvalues && s->value_near[lo] <= near + 0x1p-40; lo++)
        if (ckda_elem_equal(&s->value[lo], x, K))
            return lo;
    return -1;
}

/* Which value is the number within 2^-40 of near that is known to be one of them?  -1 when
 * two are near or none. */
static int64_t
find_near(const ckda_snap_t s, double near)
{
    uint32_t lo = 0, hi = s->nvalues;
    while (lo < hi) {
        const uint32_t mid = lo + (hi - lo) / 2;
        if (s->value_near[mid] < near - 0x1p-40)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == s->nvalues || s->value_near[lo] > near + 0x1p-40)
        return -1;
    const bool alone = lo + 1 == s->nvalues || s->value_near[lo + 1] > near + 0x1p-40;
    return alone ? (int64_t)lo : -1;
}

/* Sorted by their doubles; equal ones stand within 2^-50 of each other, so an entry is
 * compared with the values made so far that are as near. */
static void
set_values(ckda_snap_t s)
{
    const ckda_tracker_struct *t = s->tracker;
    const ckda_field_struct *K = t->c->K;
    const size_t total = (size_t)t->ncolumns * (size_t)t->n;
    entry *all = flint_malloc(total * sizeof *all);
    for (size_t k = 0; k < total; k++) {
        all[k].place = (uint32_t)k;
        all[k].near = ckda_snap_near(
            column_entry(t, (uint32_t)(k / (size_t)t->n), (slong)(k % (size_t)t->n)), K);
    }
    qsort(all, total, sizeof *all, by_value);
    s->value = flint_malloc(total * sizeof *s->value);
    s->value_near = flint_malloc(total * sizeof *s->value_near);
    for (size_t k = 0; k < total; k++) {
        const ckda_elem_struct *x =
            column_entry(t, all[k].place / (uint32_t)t->n, (slong)all[k].place % t->n);
        int64_t at = find_exact(s, x, all[k].near);
        if (at < 0) {
            at = s->nvalues++;
            ckda_elem_init(&s->value[at], K);
            ckda_elem_set(&s->value[at], x, K);
            s->value_near[at] = all[k].near;
        }
        s->column[all[k].place] = (uint32_t)at;
    }
    flint_free(all);
}

/* ---- rows of the steps -------------------------------------------------------------- */

/* Row a of step j of a transition: x, and p with (x + e p) for beta off by e. */
typedef struct {
    ckda_elem_struct *x, *p; /* n each */
    bool gated;
} row;

static ckda_status
set_row(row *r, const ckda_trans_struct *tr, slong j, bool gated, slong a,
        const ckda_field_t K, ckda_error *err)
{
    const slong n = tr->n;
    const ckda_elem_struct *k = tr->key + j * n;
    const bool reflects = ckda_elem_cmp_si(&tr->beta[j], 2, K) == 0;
    if (!reflects && !ckda_elem_is_zero(&tr->beta[j], K)) {
        ckda_error_set(err, "beta of a letter is neither 0 nor 2");
        return CKDA_E_DOMAIN;
    }
    ckda_elem_t scale;
    ckda_elem_init(scale, K);
    for (slong i = 0; i < n; i++)
        ckda_elem_addmul(scale, k + i, k + i, K);
    ckda_status st = ckda_elem_div(scale, k + a, scale, K); /* k_a / |k|^2 */
    for (slong i = 0; st == CKDA_OK && i < n; i++) {
        int sign = 1;
        if (gated) {
            sign = ckda_elem_sgn(tr->gate + i, K);
            if (sign == 0 || ckda_elem_cmp_si(tr->gate + i, sign, K) != 0) {
                ckda_error_set(err, "a gate of a letter is neither 1 nor -1");
                st = CKDA_E_DOMAIN;
            }
        }
        ckda_elem_mul(r->p + i, scale, k + i, K);
        ckda_elem_mul_si(r->p + i, r->p + i, sign, K);
        ckda_elem_mul_si(r->x + i, r->p + i, reflects ? -2 : 0, K);
        if (!reflects)
            ckda_elem_neg(r->p + i, r->p + i, K);
        if (i == a) {
            ckda_elem_t one;
            ckda_elem_init(one, K);
            ckda_elem_set_si(one, sign, K);
            ckda_elem_add(r->x + i, r->x + i, one, K);
            ckda_elem_clear(one, K);
        }
    }
    r->gated = gated;
    ckda_elem_clear(scale, K);
    return st;
}

/* ---- distinct rows: open addressing over their hashes ------------------------------- */

typedef struct {
    uint32_t *slot; /* row + 1, 0 is empty */
    size_t mask;
    uint32_t capacity;
} row_table;

static uint64_t
row_hash(const row *r, slong n, const ckda_field_t K)
{
    uint64_t h = r->gated ? 0x9e3779b97f4a7c15u : 0;
    for (slong i = 0; i < n; i++) {
        h = (h ^ ckda_elem_hash(r->x + i, K)) * 0xff51afd7ed558ccdu;
        h ^= h >> 31;
        h = (h ^ ckda_elem_hash(r->p + i, K)) * 0xc4ceb9fe1a85ec53u;
        h ^= h >> 29;
    }
    return h;
}

static bool
row_equal(const ckda_snap_t s, uint32_t at, const row *r)
{
    const ckda_field_struct *K = s->tracker->c->K;
    if (s->gated[at] != r->gated)
        return false;
    for (slong i = 0; i < s->n; i++)
        if (!ckda_elem_equal(s->x + (slong)at * s->n + i, r->x + i, K)
            || !ckda_elem_equal(s->p + (slong)at * s->n + i, r->p + i, K))
            return false;
    return true;
}

static void
table_insert(row_table *t, uint64_t h, uint32_t at)
{
    size_t k = h & t->mask;
    while (t->slot[k] != 0)
        k = (k + 1) & t->mask;
    t->slot[k] = at + 1;
}

static void
table_grow(row_table *t, ckda_snap_t s)
{
    const ckda_field_struct *K = s->tracker->c->K;
    const size_t n = (size_t)s->n;
    t->capacity *= 2;
    t->mask = 4 * (size_t)t->capacity - 1;
    flint_free(t->slot);
    t->slot = flint_calloc(t->mask + 1, sizeof *t->slot);
    s->x = flint_realloc(s->x, t->capacity * n * sizeof *s->x);
    s->p = flint_realloc(s->p, t->capacity * n * sizeof *s->p);
    s->gated = flint_realloc(s->gated, t->capacity * sizeof *s->gated);
    s->where = flint_realloc(s->where, t->capacity * sizeof *s->where);
    for (uint32_t i = 0; i < s->nrows; i++) {
        const row r = {s->x + i * n, s->p + i * n, s->gated[i]};
        table_insert(t, row_hash(&r, s->n, K), i);
    }
}

/* The number of this row, new or not. */
static uint32_t
keep_row(ckda_snap_t s, row_table *t, const row *r, ckda_snap_row where)
{
    const ckda_field_struct *K = s->tracker->c->K;
    const uint64_t h = row_hash(r, s->n, K);
    for (size_t k = h & t->mask; t->slot[k] != 0; k = (k + 1) & t->mask)
        if (row_equal(s, t->slot[k] - 1, r))
            return t->slot[k] - 1;
    if (s->nrows == t->capacity)
        table_grow(t, s);
    const uint32_t at = s->nrows++;
    for (slong i = 0; i < s->n; i++) {
        const slong to = (slong)at * s->n + i;
        ckda_elem_init(s->x + to, K);
        ckda_elem_init(s->p + to, K);
        ckda_elem_set(s->x + to, r->x + i, K);
        ckda_elem_set(s->p + to, r->p + i, K);
    }
    s->gated[at] = r->gated;
    s->where[at] = where;
    table_insert(t, h, at);
    return at;
}

/* Does step j of the letter map every column of a state to such a column? */
static bool
step_keeps_columns(const ckda_snap_t s, const row *rows)
{
    const ckda_field_struct *K = s->tracker->c->K;
    bool all = true;
    uint32_t *image = flint_malloc((size_t)s->n * sizeof *image);
    ckda_elem_t y;
    ckda_elem_init(y, K);
    for (uint32_t v = 0; all && v < s->ncolumns; v++) {
        for (slong a = 0; all && a < s->n; a++) {
            ckda_elem_zero(y, K);
            for (slong i = 0; i < s->n; i++)
                ckda_elem_addmul(y, rows[a].x + i, &s->value[s->column[v * s->n + i]], K);
            const int64_t at = find_exact(s, y, ckda_snap_near(y, K));
            all = at >= 0;
            image[a] = (uint32_t)at;
        }
        bool found = false;
        for (uint32_t w = 0; all && !found && w < s->ncolumns; w++)
            found =
                memcmp(image, s->column + (slong)w * s->n, (size_t)s->n * sizeof *image)
                == 0;
        all = found;
    }
    ckda_elem_clear(y, K);
    flint_free(image);
    return all;
}

/* The distinct steps so far, each by the numbers of its n rows. */
typedef struct {
    uint32_t *rows;
    size_t n, capacity;
} step_list;

/* Takes over the step unless it is there. */
static bool
is_new_step(step_list *list, const uint32_t *rows, slong n)
{
    const size_t size = (size_t)n * sizeof *rows;
    for (size_t i = 0; i < list->n; i++)
        if (memcmp(list->rows + i * (size_t)n, rows, size) == 0)
            return false;
    if (list->n == list->capacity) {
        list->capacity = 2 * list->capacity + 8;
        list->rows = flint_realloc(list->rows, list->capacity * size);
    }
    memcpy(list->rows + list->n++ * (size_t)n, rows, size);
    return true;
}

static ckda_status
add_step(ckda_snap_t s, row_table *table, step_list *list, row *rows, uint32_t letter,
         slong step, uint32_t at, ckda_error *err)
{
    const ckda_tracker_struct *t = s->tracker;
    const ckda_trans_struct *tr = &t->c->trans[t->element_of_letter[letter]];
    ckda_status st = CKDA_OK;
    uint32_t *number = s->row_of + (size_t)(s->first[letter] + at) * (size_t)s->n;
    for (slong a = 0; st == CKDA_OK && a < s->n; a++) {
        st = set_row(&rows[a], tr, step, at == 0, a, t->c->K, err);
        if (st == CKDA_OK)
            number[a] =
                keep_row(s, table, &rows[a], (ckda_snap_row){letter, at, (uint32_t)a});
    }
    /* a letter as a whole maps columns of states to such; its steps need not */
    if (st == CKDA_OK && is_new_step(list, number, s->n) && tr->steps > 1
        && !step_keeps_columns(s, rows)) {
        ckda_error_set(err,
                       "between the reflections of letter %.40s the state leaves the "
                       "columns of the reachable states",
                       t->letter_name[letter]);
        st = CKDA_E_DOMAIN;
    }
    return st;
}

/* Steps of a letter that count: those that reflect, or one that does not. */
static uint32_t
steps_of(const ckda_trans_struct *tr, const ckda_field_t K)
{
    uint32_t n = 0;
    for (slong j = 0; j < tr->steps; j++)
        n += !ckda_elem_is_zero(&tr->beta[j], K);
    return n > 0 ? n : 1;
}

static ckda_status
add_letter(ckda_snap_t s, row_table *table, step_list *list, row *rows, uint32_t letter,
           ckda_error *err)
{
    const ckda_tracker_struct *t = s->tracker;
    const ckda_trans_struct *tr = &t->c->trans[t->element_of_letter[letter]];
    const uint32_t n = s->first[letter + 1] - s->first[letter];
    uint32_t at = 0;
    ckda_status st = CKDA_OK;
    for (slong j = 0; st == CKDA_OK && at < n; j++)
        if (!ckda_elem_is_zero(&tr->beta[j], t->c->K) || j == tr->steps - 1)
            st = add_step(s, table, list, rows, letter, j, at++, err);
    return st;
}

static ckda_status
set_rows(ckda_snap_t s, ckda_error *err)
{
    const ckda_tracker_struct *t = s->tracker;
    const ckda_field_struct *K = t->c->K;
    row_table table = {NULL, 0, 8};
    step_list list = {NULL, 0, 0};
    row *rows = flint_malloc((size_t)s->n * sizeof *rows);
    for (slong a = 0; a < s->n; a++)
        rows[a] = (row){ckda_elem_vec_new(s->n, K), ckda_elem_vec_new(s->n, K), false};
    table_grow(&table, s);
    ckda_status st = CKDA_OK;
    s->first = flint_calloc(t->nletters + 1, sizeof *s->first);
    for (uint32_t l = 0; l < t->nletters; l++)
        s->first[l + 1] =
            s->first[l] + steps_of(&t->c->trans[t->element_of_letter[l]], K);
    s->row_of =
        flint_malloc((size_t)s->first[t->nletters] * (size_t)s->n * sizeof *s->row_of);
    for (uint32_t l = 0; st == CKDA_OK && l < t->nletters; l++)
        st = add_letter(s, &table, &list, rows, l, err);
    for (slong a = 0; a < s->n; a++) {
        ckda_elem_vec_free(rows[a].x, s->n, K);
        ckda_elem_vec_free(rows[a].p, s->n, K);
    }
    s->nsteps = (uint32_t)list.n;
    flint_free(rows);
    flint_free(list.rows);
    flint_free(table.slot);
    return st;
}

/* ---- x.v ---------------------------------------------------------------------------- */

/* x.v is an entry of A v, which is a column of a state: it is one of the values, and when
 * only one of them is near, that one.  n <= 2^10 terms of doubles within 2^-52 miss by less
 * than 2^-40. */
static ckda_status
set_images(ckda_snap_t s, ckda_error *err)
{
    const ckda_field_struct *K = s->tracker->c->K;
    ckda_elem_t y;
    ckda_elem_init(y, K);
    bool found = true;
    for (uint32_t r = 0; found && r < s->nrows; r++)
        for (uint32_t v = 0; found && v < s->ncolumns; v++) {
            const uint32_t *col = s->column + (size_t)v * (size_t)s->n;
            double near = 0;
            for (slong i = 0; i < s->n; i++)
                near += s->x_near[(slong)r * s->n + i] * s->value_near[col[i]];
            int64_t at = find_near(s, near);
            if (at < 0) {
                ckda_elem_zero(y, K);
                for (slong i = 0; i < s->n; i++)
                    ckda_elem_addmul(y, s->x + (slong)r * s->n + i, &s->value[col[i]], K);
                at = find_exact(s, y, near);
                found = at >= 0;
            }
            s->image[(size_t)r * s->ncolumns + v] = (uint32_t)at;
        }
    ckda_elem_clear(y, K);
    if (found)
        return CKDA_OK;
    ckda_error_set(err, "a step leads out of the columns of the reachable states");
    return CKDA_E_DOMAIN;
}

static void
set_near(ckda_snap_t s)
{
    const ckda_field_struct *K = s->tracker->c->K;
    const size_t total = (size_t)s->nrows * (size_t)s->n;
    s->x_near = flint_malloc(total * sizeof *s->x_near);
    s->p_near = flint_malloc(total * sizeof *s->p_near);
    for (size_t k = 0; k < total; k++) {
        s->x_near[k] = ckda_snap_near(s->x + k, K);
        s->p_near[k] = ckda_snap_near(s->p + k, K);
    }
}

ckda_status
ckda_snap_init(ckda_snap_t s, const ckda_tracker_t t, ckda_error *err)
{
    ckda_snap_t new = {{.tracker = t, .n = t->n, .ncolumns = t->ncolumns}};
    if (t->n > 1024 || (uint64_t)t->ncolumns * (uint64_t)t->n > MAX_PAIRS) {
        ckda_error_set(err, "%u columns of length %ld are too many", t->ncolumns,
                       (long)t->n);
        return CKDA_E_UNABLE;
    }
    new->column = flint_malloc((size_t)t->ncolumns * (size_t)t->n * sizeof *new->column);
    set_values(new);
    ckda_status st = set_rows(new, err);
    if (st == CKDA_OK && (uint64_t) new->nrows *new->ncolumns > MAX_PAIRS) {
        ckda_error_set(err, "%u rows and %u columns make too many pairs", new->nrows,
                       new->ncolumns);
        st = CKDA_E_UNABLE;
    }
    if (st == CKDA_OK) {
        set_near(new);
        new->image =
            flint_malloc((size_t) new->nrows *new->ncolumns * sizeof *new->image);
        st = set_images(new, err);
    }
    if (st == CKDA_OK)
        *s = *new;
    else
        ckda_snap_clear(new);
    return st;
}

void
ckda_snap_clear(ckda_snap_t s)
{
    const ckda_field_struct *K = s->tracker->c->K;
    for (size_t k = 0; k < (size_t)s->nrows * (size_t)s->n; k++) {
        ckda_elem_clear(s->x + k, K);
        ckda_elem_clear(s->p + k, K);
    }
    for (uint32_t i = 0; i < s->nvalues; i++)
        ckda_elem_clear(s->value + i, K);
    flint_free(s->value);
    flint_free(s->value_near);
    flint_free(s->column);
    flint_free(s->x);
    flint_free(s->p);
    flint_free(s->x_near);
    flint_free(s->p_near);
    flint_free(s->gated);
    flint_free(s->where);
    flint_free(s->image);
    flint_free(s->first);
    flint_free(s->row_of);
    *s = (ckda_snap_struct){0};
}
