/* Which scales hold: doubles for most, K where they cannot tell. */
#include "snap_internal.h"

#include <math.h>

static ckda_snap_rows
step_rows(const ckda_snap_t s)
{
    return (ckda_snap_rows){s->nrows, s->x, s->x_near, s->image};
}

/* sigma and epsA* in K; the sign of sigma. */
static int
exact_minima(ckda_elem_t sigma, ckda_elem_t epsilon_squared, const ckda_snap_t s,
             const ckda_quantised *z, const ckda_snap_minima *near)
{
    const ckda_snap_rows rows = step_rows(s);
    ckda_snap_exact e = {.sigma = sigma, .epsilon_squared = epsilon_squared};
    ckda_snap_minima_exact(&e, &rows, near, s, z);
    return e.sign;
}

static bool
sigma_is_positive(const ckda_snap_t s, const ckda_quantised *z,
                  const ckda_snap_minima *near)
{
    const ckda_field_struct *K = s->tracker->c->K;
    if (fabs(near->sigma) > z->error)
        return near->sigma > 0;
    ckda_elem_t sigma, epsilon;
    ckda_elem_init(sigma, K);
    ckda_elem_init(epsilon, K);
    const bool positive = exact_minima(sigma, epsilon, s, z, near) > 0;
    ckda_elem_clear(epsilon, K);
    ckda_elem_clear(sigma, K);
    return positive;
}

/* 1/2 - eta2 - etainf, about. */
static double
lemma_near(const ckda_snap_t s, const ckda_quantised *z, double scale)
{
    double eta2 = 0, etainf = 0;
    for (uint32_t v = 0; v < s->ncolumns; v++) {
        double sum = 0;
        for (slong j = 0; j < s->n; j++) {
            const uint32_t i = s->column[(slong)v * s->n + j];
            const double e = z->q[i] - scale * s->value_near[i];
            sum += e * e;
            etainf = fmax(etainf, fabs(e));
        }
        eta2 = fmax(eta2, sqrt(sum));
    }
    return 0.5 - eta2 - etainf;
}

typedef struct {
    ckda_snap_choice *list;
    size_t n, capacity;
} choices;

static ckda_status
try_choice(choices *c, const ckda_snap_t s, const ckda_quantiser *Q, ckda_error *err)
{
    ckda_quantised z;
    uint32_t same[2];
    const ckda_status st = ckda_quantised_init(&z, s, Q, err);
    if (st != CKDA_OK)
        return st;
    const ckda_snap_rows rows = step_rows(s);
    const ckda_snap_minima near = ckda_snap_minima_near(&rows, s, &z);
    if (near.sigma >= -z.error && sigma_is_positive(s, &z, &near)
        && ckda_snap_separates(same, s, &z)) {
        if (c->n == c->capacity) {
            c->capacity = 2 * c->capacity + 16;
            c->list = flint_realloc(c->list, c->capacity * sizeof *c->list);
        }
        const double scale = (double)Q->scale.p / (double)Q->scale.q;
        c->list[c->n++] = (ckda_snap_choice){*Q, near.sigma, near.epsilon,
                                             Q->grid > 0 ? lemma_near(s, &z, scale) : 0};
    }
    ckda_quantised_clear(&z);
    return CKDA_OK;
}

/* Is epsA* of a larger than that of b?  Doubles that differ by more than a millionth
 * decide: their error is far below. */
static ckda_status
is_better(bool *better, const ckda_snap_choice *a, const ckda_snap_choice *b,
          const ckda_snap_t s, ckda_error *err)
{
    const ckda_field_struct *K = s->tracker->c->K;
    const ckda_snap_choice *both[2] = {a, b};
    if (fabs(a->epsilon - b->epsilon) > 1e-6 * b->epsilon && b->epsilon > 1e-6) {
        *better = a->epsilon > b->epsilon;
        return CKDA_OK;
    }
    ckda_elem_struct *y = ckda_elem_vec_new(4, K);
    ckda_status st = CKDA_OK;
    for (int i = 0; st == CKDA_OK && i < 2; i++) {
        ckda_quantised z;
        st = ckda_quantised_init(&z, s, &both[i]->Q, err);
        if (st != CKDA_OK)
            break;
        const ckda_snap_rows rows = step_rows(s);
        const ckda_snap_minima near = ckda_snap_minima_near(&rows, s, &z);
        (void)exact_minima(y + 2 * i, y + 2 * i + 1, s, &z, &near);
        ckda_quantised_clear(&z);
    }
    *better = st == CKDA_OK && !ckda_elem_equal(y + 1, y + 3, K)
              && ckda_elem_cmp(y + 1, y + 3, K) > 0;
    ckda_elem_vec_free(y, 4, K);
    return st;
}

static ckda_status
finish(ckda_snap_choice **list, size_t *n, size_t *best, choices *c, const ckda_snap_t s,
       ckda_status st, ckda_error *err)
{
    size_t top = 0;
    for (size_t i = 1; st == CKDA_OK && i < c->n; i++) {
        bool better;
        st = is_better(&better, &c->list[i], &c->list[top], s, err);
        if (st == CKDA_OK && better)
            top = i;
    }
    if (st != CKDA_OK) {
        flint_free(c->list);
        return st;
    }
    *list = c->list;
    *n = c->n;
    *best = top;
    return CKDA_OK;
}

ckda_status
ckda_snap_search_grid(ckda_snap_choice **list, size_t *n, size_t *best,
                      const ckda_snap_t s, int64_t from, int64_t to, ckda_error *err)
{
    choices c = {NULL, 0, 0};
    ckda_status st = CKDA_OK;
    for (int64_t g = from; st == CKDA_OK && g <= to; g++) {
        const ckda_quantiser Q = ckda_quantiser_grid(g);
        st = try_choice(&c, s, &Q, err);
    }
    return finish(list, n, best, &c, s, st, err);
}

ckda_status
ckda_snap_search_initial(ckda_snap_choice **list, size_t *n, size_t *best,
                         const ckda_snap_t s, const ckda_quantiser *Q, int64_t steps,
                         ckda_error *err)
{
    choices c = {NULL, 0, 0};
    ckda_status st = CKDA_OK;
    for (int64_t j = 0; st == CKDA_OK && j < steps; j++) {
        ckda_quantiser at = *Q;
        const int64_t common = (int64_t)n_gcd((ulong)(steps + j), (ulong)steps);
        at.scale = (ckda_ratio){(steps + j) / common, steps / common};
        st = try_choice(&c, s, &at, err);
    }
    return finish(list, n, best, &c, s, st, err);
}
