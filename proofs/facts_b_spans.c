/* proofs/facts_b_spans.c -- the two subspaces that Props. 20 and 21 restrict to.
 *
 * Statement.  span_agreement: for each affine system of the table (norms at most 1, finitely
 * many states R) and an idempotent z of least image among the maps that words make of R:
 * its linear part E on the span V of the differences is an orthogonal projection, E A_g = A_g E
 * on V, T_z(R) is what the maps T_z T_g make of T_z(S_0), and the span of its centred states
 * is E V, of the dimension stated, on which every A_g is an isometry.
 *
 * Why the check suffices.  The states are the closed graph; all maps that words make of
 * them are listed.  Spans are compared by exact ranks, identities on a spanning set.
 *
 * Not shown here: other systems (the human steps of b.E11).                              */
#include <string.h>
#include "checks.h"
#include "ckda/input.h"
#include "rows.h"

enum { MAX_R = 64, MAX_MAPS = 20000 };

/* ---- the maps of words -------------------------------------------------------------------- */

typedef struct {
    ckda_input_system_t s;
    ckda_reach_t r;
    size_t states;
    uint8_t *map; /* nmaps maps of the states */
    uint32_t *before, *via;
    size_t nmaps;
} monoid;

static uint8_t *
map_at(const monoid *m, size_t i)
{
    return m->map + i * m->states;
}

static size_t
find_map(const monoid *m, const uint8_t *f)
{
    size_t i = 0;
    while (i < m->nmaps && memcmp(map_at(m, i), f, m->states) != 0)
        i++;
    return i;
}

/* All maps, by the length of their words; false if there are too many. */
static bool
list_maps(monoid *m)
{
    const uint32_t letters = m->s->sys->nletters;
    m->map = flint_malloc(MAX_MAPS * m->states);
    m->before = flint_calloc(MAX_MAPS, sizeof *m->before);
    m->via = flint_calloc(MAX_MAPS, sizeof *m->via);
    for (size_t s = 0; s < m->states; s++)
        m->map[s] = (uint8_t)s;
    m->nmaps = 1;
    for (size_t k = 0; k < m->nmaps; k++)
        for (uint32_t a = 0; a < letters; a++) {
            uint8_t *f = map_at(m, m->nmaps);
            for (size_t s = 0; s < m->states; s++)
                f[s] = (uint8_t)m->r->next[map_at(m, k)[s] * (size_t)letters + a];
            if (find_map(m, f) < m->nmaps)
                continue;
            if (m->nmaps == MAX_MAPS - 1)
                return false;
            m->before[m->nmaps] = (uint32_t)k;
            m->via[m->nmaps++] = a;
        }
    return true;
}

static size_t
image_size(const monoid *m, const uint8_t *f)
{
    bool hit[MAX_R] = {false};
    size_t n = 0;
    for (size_t s = 0; s < m->states; s++) {
        n += !hit[f[s]];
        hit[f[s]] = true;
    }
    return n;
}

/* The first idempotent of least image. */
static size_t
find_idempotent(const monoid *m)
{
    size_t best = 0, least = SIZE_MAX;
    for (size_t i = 0; i < m->nmaps; i++) {
        const uint8_t *f = map_at(m, i);
        bool idempotent = true;
        for (size_t s = 0; s < m->states && idempotent; s++)
            idempotent = f[f[s]] == f[s];
        if (idempotent && image_size(m, f) < least) {
            best = i;
            least = image_size(m, f);
        }
    }
    return best;
}

/* E = the linear part of the word of map i. */
static void
set_linear(ckda_mat_t E, const monoid *m, size_t i)
{
    const ckda_field_struct *K = m->s->sys->K;
    if (i == 0) {
        ckda_require(ckda_mat_one(E, K) == CKDA_OK, "a square matrix");
        return;
    }
    set_linear(E, m, m->before[i]);
    ckda_require(ckda_mat_mul(E, &m->s->sys->linear[m->via[i]], E, K) == CKDA_OK,
                 "square matrices");
}

/* ---- spans ----------------------------------------------------------------------------------- */

/* X (initialised here): the columns of S_i - center, i with member[i], side by side. */
static void
set_differences(ckda_mat_t X, const ckda_mat_struct *state, size_t n, const bool *member,
                const ckda_mat_t center, const ckda_field_t K)
{
    const slong rows = center->rows, cols = center->cols;
    slong at = 0;
    ckda_mat_init(X, rows, (slong)n * cols, K);
    for (size_t k = 0; k < n; k++) {
        if (!member[k])
            continue;
        for (slong i = 0; i < rows; i++)
            for (slong j = 0; j < cols; j++)
                ckda_elem_sub(ckda_mat_entry(X, i, at + j),
                              ckda_mat_entry(&state[k], i, j),
                              ckda_mat_entry(center, i, j), K);
        at += cols;
    }
}

/* Rank of X and Y side by side. */
static slong
joint_rank(const ckda_mat_t X, const ckda_mat_t Y, const ckda_field_t K)
{
    ckda_mat_t Z;
    ckda_mat_init(Z, X->rows, X->cols + Y->cols, K);
    for (slong i = 0; i < X->rows; i++) {
        for (slong j = 0; j < X->cols; j++)
            ckda_elem_set(ckda_mat_entry(Z, i, j), ckda_mat_entry(X, i, j), K);
        for (slong j = 0; j < Y->cols; j++)
            ckda_elem_set(ckda_mat_entry(Z, i, X->cols + j), ckda_mat_entry(Y, i, j), K);
    }
    const slong rank = ckda_mat_rank(Z, K);
    ckda_mat_clear(Z, K);
    return rank;
}

static void
multiply(ckda_mat_t C, const ckda_mat_t A, const ckda_mat_t B, const ckda_field_t K)
{
    ckda_require(ckda_mat_mul(C, A, B, K) == CKDA_OK, "shapes that fit");
}

/* C = X^T Y. */
static void
multiply_transposed(ckda_mat_t C, const ckda_mat_t X, const ckda_mat_t Y,
                    const ckda_field_t K)
{
    ckda_mat_t T;
    ckda_mat_init(T, X->cols, X->rows, K);
    ckda_require(ckda_mat_transpose(T, X, K) == CKDA_OK, "a transposed shape");
    multiply(C, T, Y, K);
    ckda_mat_clear(T, K);
}

/* ---- one system -------------------------------------------------------------------------------- */

typedef struct {
    const ckda_field_struct *K;
    ckda_mat_struct *state;
    bool *all, *kept; /* every state; those of T_z(R) */
    ckda_mat_t V, W, E, EV;
} spans;

static void
open_spans(spans *p, const monoid *m, size_t z)
{
    const ckda_field_struct *K = p->K = m->s->sys->K;
    const ckda_mat_struct *S0 = m->s->sys->initial;
    ckda_elem_t inverse;
    ckda_mat_t mean;
    slong count = 0;
    p->state = flint_malloc(m->states * sizeof *p->state);
    p->all = flint_calloc(m->states, sizeof *p->all);
    p->kept = flint_calloc(m->states, sizeof *p->kept);
    ckda_mat_init(mean, S0->rows, S0->cols, K);
    for (size_t k = 0; k < m->states; k++) {
        p->all[k] = true;
        p->kept[map_at(m, z)[k]] = true;
        ckda_mat_init(&p->state[k], S0->rows, S0->cols, K);
        ckda_require(ckda_reach_state(&p->state[k], m->r, m->s->sys, k) == CKDA_OK,
                     "a state");
    }
    for (size_t k = 0; k < m->states; k++)
        if (p->kept[k]) {
            ckda_require(ckda_mat_add(mean, mean, &p->state[k], K) == CKDA_OK,
                         "one shape");
            count++;
        }
    ckda_elem_init(inverse, K);
    ckda_elem_set_frac(inverse, 1, count, K);
    ckda_require(ckda_mat_scalar_mul(mean, mean, inverse, K) == CKDA_OK, "one shape");
    ckda_elem_clear(inverse, K);
    set_differences(p->V, p->state, m->states, p->all, &p->state[0], K);
    set_differences(p->W, p->state, m->states, p->kept, mean, K);
    ckda_mat_init(p->E, S0->rows, S0->rows, K);
    set_linear(p->E, m, z);
    ckda_mat_init(p->EV, S0->rows, p->V->cols, K);
    multiply(p->EV, p->E, p->V, K);
    ckda_mat_clear(mean, K);
}

static void
close_spans(spans *p, size_t states)
{
    ckda_mat_clear(p->EV, p->K);
    ckda_mat_clear(p->E, p->K);
    ckda_mat_clear(p->W, p->K);
    ckda_mat_clear(p->V, p->K);
    for (size_t k = 0; k < states; k++)
        ckda_mat_clear(&p->state[k], p->K);
    flint_free(p->kept);
    flint_free(p->all);
    flint_free(p->state);
}

/* E E v = E v and v . E w = E v . w on V. */
static ckda_truth
check_projection(ckda_evidence *ev, const spans *p)
{
    ckda_mat_t X, G, H;
    ckda_mat_init(X, p->EV->rows, p->EV->cols, p->K);
    ckda_mat_init(G, p->V->cols, p->V->cols, p->K);
    ckda_mat_init(H, p->V->cols, p->V->cols, p->K);
    multiply(X, p->E, p->EV, p->K);
    ckda_truth truth = ckda_evidence_expect_mat(ev, "E E on V is E", X, p->EV, p->K);
    multiply_transposed(G, p->V, p->EV, p->K);
    multiply_transposed(H, p->EV, p->V, p->K);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_mat(ev, "E on V is symmetric", G, H, p->K);
    ckda_mat_clear(H, p->K);
    ckda_mat_clear(G, p->K);
    ckda_mat_clear(X, p->K);
    return truth;
}

/* ||A|| <= 1, E A = A E on V, |A w| = |w| on E V, A E V inside E V. */
static ckda_truth
check_linear(ckda_evidence *ev, const spans *p, const ckda_mat_t A, long dimension)
{
    ckda_mat_t X, Y, G, H;
    ckda_mat_init(X, p->V->rows, p->V->cols, p->K);
    ckda_mat_init(Y, p->V->rows, p->V->cols, p->K);
    ckda_mat_init(G, p->V->cols, p->V->cols, p->K);
    ckda_mat_init(H, p->V->cols, p->V->cols, p->K);
    ckda_truth truth = ckda_evidence_expect(ev, ckda_mat_is_contraction(NULL, A, p->K),
                                            "no letter is expansive");
    multiply(X, A, p->V, p->K);
    multiply(X, p->E, X, p->K);
    multiply(Y, A, p->EV, p->K);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_mat(ev, "E A_g = A_g E on V", X, Y, p->K);
    multiply_transposed(G, Y, Y, p->K);
    multiply_transposed(H, p->EV, p->EV, p->K);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_mat(ev, "A_g is an isometry on E V", G, H, p->K);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "dimension of E V with A_g E V",
                                          (long)joint_rank(p->EV, Y, p->K), dimension);
    ckda_mat_clear(H, p->K);
    ckda_mat_clear(G, p->K);
    ckda_mat_clear(Y, p->K);
    ckda_mat_clear(X, p->K);
    return truth;
}

/* The states reachable from T_z(S_0) by the maps T_z T_g are those of T_z(R). */
static ckda_truth
check_reachable(ckda_evidence *ev, const monoid *m, size_t z, const bool *kept)
{
    const uint8_t *f = map_at(m, z);
    const size_t letters = m->s->sys->nletters;
    bool hit[MAX_R] = {false};
    uint8_t queue[MAX_R];
    size_t n = 1;
    queue[0] = f[0];
    hit[f[0]] = true;
    for (size_t k = 0; k < n; k++)
        for (size_t a = 0; a < letters; a++) {
            const uint8_t to = f[m->r->next[queue[k] * letters + a]];
            if (hit[to])
                continue;
            hit[to] = true;
            queue[n++] = to;
        }
    for (size_t s = 0; s < m->states; s++)
        if (ckda_evidence_expect(ev, hit[s] == kept[s],
                                 "state %zu is reached from T_z(S_0) iff it is in T_z(R)",
                                 s)
            != CKDA_TRUE)
            return CKDA_FALSE;
    return CKDA_TRUE;
}

static ckda_truth
check_spans(ckda_evidence *ev, const monoid *m, long dimension, long wide)
{
    spans p;
    const size_t z = find_idempotent(m);
    open_spans(&p, m, z);
    ckda_truth truth = ckda_evidence_expect_long(ev, "dimension of V",
                                                 (long)ckda_mat_rank(p.V, p.K), wide);
    if (truth == CKDA_TRUE)
        truth = check_projection(ev, &p);
    if (truth == CKDA_TRUE)
        truth = check_reachable(ev, m, z, p.kept);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "dimension of the centred states",
                                          (long)ckda_mat_rank(p.W, p.K), dimension);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "dimension of E V",
                                          (long)ckda_mat_rank(p.EV, p.K), dimension);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "dimension of both together",
                                          (long)joint_rank(p.W, p.EV, p.K), dimension);
    for (uint32_t a = 0; a < m->s->sys->nletters && truth == CKDA_TRUE; a++)
        truth = check_linear(ev, &p, &m->s->sys->linear[a], dimension);
    close_spans(&p, m->states);
    return truth;
}

static ckda_truth
check_maps(ckda_evidence *ev, monoid *m, long dimension, long wide)
{
    ckda_truth truth;
    m->states = (size_t)m->r->states;
    if (m->r->finite != CKDA_TRUE || m->states > MAX_R)
        return ckda_evidence_unable(ev, "no closed graph of at most %d states", MAX_R);
    if (list_maps(m))
        truth = check_spans(ev, m, dimension, wide);
    else
        truth = ckda_evidence_unable(ev, "words make more than %d maps", MAX_MAPS);
    ckda_evidence_scope(ev, "%zu states, %zu maps", m->states, m->nmaps);
    flint_free(m->via);
    flint_free(m->before);
    flint_free(m->map);
    return truth;
}

static ckda_truth
check_system(ckda_evidence *ev, const ckda_node *row)
{
    static const char *const known[] = {"system", "differences", "dimension"};
    static const ckda_limits limits = {.max_states = MAX_R + 1, .max_bytes = 1 << 20};
    ckda_node node;
    monoid m;
    long wide, dimension;
    ckda_truth truth = CKDA_UNKNOWN;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(row, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || ckda_node_get_long(&wide, row, "differences", 0, 100, err) != CKDA_OK
        || ckda_node_get_long(&dimension, row, "dimension", 0, 100, err) != CKDA_OK
        || ckda_node_member(&node, row, "system", err) != CKDA_OK
        || ckda_input_system_read(m.s, &node, NULL, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (ckda_reach_run(m.r, m.s->sys, &limits, CKDA_REACH_KEEP_GRAPH, err) == CKDA_OK) {
        truth = check_maps(ev, &m, dimension, wide);
        ckda_reach_clear(m.r);
    }
    ckda_input_system_clear(m.s);
    return truth;
}

ckda_truth
ckda_check_span_agreement(ckda_evidence *ev, const ckda_node *in)
{
    const ckda_truth truth = rows_check(NULL, ev, in, check_system);
    ckda_evidence_weaken(ev, CKDA_CERTIFICATE);
    return truth;
}
