/* proofs/partd_depth_heads.c -- clock, delay line and swaps, each with its exact graph; see
 * partd_depth.h and partd_depth.c. */
#include <stdlib.h>
#include "partd_depth.h"

/* ---- any head ---- */

/* The graph of a finite head none of whose matrices expands. */
static ckda_truth
explore(ckda_reach_t graph, bool *explored, ckda_evidence *ev, const depth_machine *m,
        const ckda_system_t sys, const char *what)
{
    static const ckda_limits limits = {.max_states = 200000,
                                       .max_bytes = (uint64_t)1 << 30};
    for (uint32_t x = 0; x < sys->nletters; x++)
        if (ckda_evidence_expect(ev,
                                 ckda_mat_is_contraction(NULL, sys->linear + x, sys->K),
                                 "%s: the norm of the %s is at most 1", m->name, what)
            != CKDA_TRUE)
            return CKDA_FALSE;
    if (ckda_reach_run(graph, sys, &limits, CKDA_REACH_KEEP_GRAPH, &ev->problem)
        != CKDA_OK)
        return CKDA_UNKNOWN;
    *explored = true;
    ckda_evidence_count(ev, graph->edges);
    if (graph->finite == CKDA_UNKNOWN)
        return ckda_evidence_unable(ev, "%s: the %s did not close", m->name, what);
    return ckda_evidence_expect(ev, graph->finite == CKDA_TRUE,
                                "%s: the %s has finitely many states", m->name, what);
}

/* ---- clock and accumulator ---- */

static ckda_truth
make_tracker(ckda_evidence *ev, const depth_machine *m, depth_tracker *t,
             const char *system, const char *construction, const char *what)
{
    ckda_system_t sys;
    if (ckda_construct(t->c, system, construction, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    t->made = true;
    ckda_system_init_construct(sys, t->c);
    const ckda_truth truth = explore(t->graph, &t->explored, ev, m, sys, what);
    ckda_system_clear(sys);
    return truth != CKDA_TRUE
               ? truth
               : ckda_evidence_expect(ev, t->graph->decoder_consistent == CKDA_TRUE,
                                      "%s: the %s tells the product of its letters",
                                      m->name, what);
}

static void
clear_tracker(depth_tracker *t)
{
    if (t->explored)
        ckda_reach_clear(t->graph);
    if (t->made)
        ckda_construct_clear(t->c);
}

uint32_t
depth_moved(const depth_tracker *t, uint32_t state, uint32_t element)
{
    return t->graph->next[(size_t)state * t->c->G->order + element];
}

/* Each letter turns the clock by one, whatever it is. */
uint32_t
depth_ticked(const depth_machine *m, uint32_t c)
{
    return depth_moved(&m->clock, c, m->clock.c->G->generator[0]);
}

static void
read_clock(depth_machine *m)
{
    m->phase = flint_calloc(m->clock.graph->states, sizeof *m->phase);
    uint32_t c = 0;
    for (long t = 1; t < m->block; t++) {
        c = depth_ticked(m, c);
        m->phase[c] = (uint32_t)t;
    }
}

/* The swap that is a reflection along key = e_a - e_b; the identity where beta = 0. */
static uint32_t
swap_of_step(const depth_machine *m, const ckda_trans_t t, slong step)
{
    const ckda_elem_struct *key = t->key + step * t->n;
    ckda_perm p;
    ckda_perm_one(&p, m->G->degree);
    for (int i = 0, first = -1; i < m->G->degree; i++) {
        if (ckda_elem_is_zero(key + i, m->Q))
            continue;
        if (first >= 0) {
            p.image[first] = (uint8_t)i;
            p.image[i] = (uint8_t)first;
        }
        first = i;
    }
    return (uint32_t)ckda_group_find(m->G, &p);
}

/* factor[g]: the reflections of which the construction makes g, each a letter by itself. */
static ckda_truth
factor_element(ckda_evidence *ev, depth_machine *m, uint32_t g)
{
    const ckda_trans_struct *t = m->pile.c->trans + g;
    char *name = ckda_perm_str(&m->G->element[g]);
    ckda_truth truth = ckda_evidence_expect(ev, t->steps <= m->block,
                                            "%s: %s is a product of at most %ld swaps",
                                            m->name, name, m->block);
    free(name);
    for (slong j = 0; j < t->steps && truth == CKDA_TRUE; j++) {
        const uint32_t swap = swap_of_step(m, t, j);
        m->factor[(long)g * m->block + j] = swap;
        truth = ckda_evidence_expect(ev, m->pile.c->trans[swap].steps == 1,
                                     "%s: a swap is one reflection", m->name);
    }
    return truth;
}

static ckda_truth
factor_all(ckda_evidence *ev, depth_machine *m)
{
    ckda_truth truth = CKDA_TRUE;
    m->factor = flint_calloc(m->G->order * (size_t)m->block, sizeof *m->factor);
    for (uint32_t g = 0; g < m->G->order && truth == CKDA_TRUE; g++)
        truth = factor_element(ev, m, g);
    return truth;
}

/* ---- the delay line ---- */

/* u_i = -i^n / prod_(j != i) (i - j) */
static void
set_weights(depth_machine *m)
{
    ckda_elem_t q;
    ckda_elem_init(q, m->Q);
    for (slong i = 1; i <= m->tokens; i++) {
        ckda_elem_struct *u = ckda_mat_entry(m->delay.u, i - 1, 0);
        ckda_elem_set_si(u, -1, m->Q);
        for (slong j = 1; j <= m->tokens; j++) {
            ckda_elem_set_frac(q, i, j == i ? 1 : i - j, m->Q);
            ckda_elem_mul(u, u, q, m->Q);
        }
    }
    ckda_elem_clear(q, m->Q);
}

static void
set_line(depth_machine *m, const ckda_elem_t scale)
{
    set_weights(m);
    for (slong i = 0; i < m->tokens; i++)
        for (slong j = 0; j < m->tokens; j++) {
            ckda_elem_struct *a = ckda_mat_entry(m->delay.A, i, j);
            ckda_elem_set_si(a, i == j ? i + 1 : 0, m->Q);
            ckda_elem_add(a, a, ckda_mat_entry(m->delay.u, i, 0), m->Q);
            ckda_elem_mul(a, a, scale, m->Q);
        }
}

static ckda_truth
expect_nilpotent(ckda_evidence *ev, const depth_machine *m)
{
    ckda_mat_t P;
    ckda_mat_init(P, m->tokens, m->tokens, m->Q);
    bool right = true;
    for (long e = m->tokens - 1; e <= m->tokens; e++) {
        const ckda_status st = ckda_mat_pow_ui(P, m->delay.A, (ulong)e, m->Q);
        ckda_require(st == CKDA_OK, "a square matrix");
        right = right && ckda_mat_is_zero(P, m->Q) == (e == m->tokens);
    }
    ckda_mat_clear(P, m->Q);
    return ckda_evidence_expect(ev, right, "%s: the line has one block of size %ld at 0",
                                m->name, m->tokens);
}

static void
init_line(depth_line *d, uint32_t nletters, slong n, const ckda_field_t K)
{
    ckda_mat_init(d->A, n, n, K);
    ckda_mat_init(d->u, n, 1, K);
    d->linear = flint_malloc(nletters * sizeof *d->linear);
    d->offset = flint_malloc(nletters * sizeof *d->offset);
    for (uint32_t x = 0; x < nletters; x++) {
        ckda_mat_init(d->linear + x, n, n, K);
        ckda_mat_init(d->offset + x, n, 1, K);
    }
    *d->sys = (ckda_system_struct){
        .K = K, .nletters = nletters, .linear = d->linear, .offset = d->offset};
    ckda_mat_init(d->sys->initial, n, 1, K);
}

static void
clear_line(depth_line *d)
{
    if (d->explored)
        ckda_reach_clear(d->graph);
    if (d->linear == NULL)
        return;
    const ckda_field_struct *K = d->sys->K;
    ckda_mat_clear(d->sys->initial, K);
    for (uint32_t x = 0; x < d->sys->nletters; x++) {
        ckda_mat_clear(d->offset + x, K);
        ckda_mat_clear(d->linear + x, K);
    }
    flint_free(d->offset);
    flint_free(d->linear);
    ckda_mat_clear(d->u, K);
    ckda_mat_clear(d->A, K);
}

static ckda_truth
make_delay(ckda_evidence *ev, depth_machine *m, const ckda_elem_t scale)
{
    depth_line *d = &m->delay;
    init_line(d, m->nletters, m->tokens, m->Q);
    set_line(m, scale);
    for (uint32_t x = 0; x < m->nletters; x++) {
        const ckda_status st = ckda_mat_set(d->linear + x, d->A, m->Q);
        ckda_require(st == CKDA_OK, "one shape");
        for (slong i = 0; i < m->tokens; i++)
            ckda_elem_mul_si(ckda_mat_entry(d->offset + x, i, 0),
                             ckda_mat_entry(d->u, i, 0), (slong)x + 1, m->Q);
    }
    const ckda_truth truth = expect_nilpotent(ev, m);
    return truth == CKDA_TRUE
               ? explore(d->graph, &d->explored, ev, m, d->sys, "delay line")
               : truth;
}

/* The inverse of [u, Au, .., A^(n-1) u]; false if there is none. */
static bool
basis_inverse(ckda_mat_t B, const depth_machine *m)
{
    ckda_mat_t c;
    ckda_mat_init_set(c, m->delay.u, m->Q);
    for (slong j = 0; j < m->tokens; j++) {
        for (slong i = 0; i < m->tokens; i++)
            ckda_elem_set(ckda_mat_entry(B, i, j), ckda_mat_entry(c, i, 0), m->Q);
        const ckda_status st = ckda_mat_mul(c, m->delay.A, c, m->Q);
        ckda_require(st == CKDA_OK, "shapes");
    }
    ckda_mat_clear(c, m->Q);
    return ckda_mat_inv(B, B, m->Q) == CKDA_OK;
}

/* window[s] from the coordinates of state s; false if one is no value of a letter. */
static bool
read_state(uint8_t *window, const depth_machine *m, const ckda_mat_t coordinates)
{
    for (slong i = 0; i < m->tokens; i++) {
        uint32_t v = 0;
        while (v <= m->nletters
               && ckda_elem_cmp_si(ckda_mat_entry(coordinates, i, 0), (slong)v, m->Q)
                      != 0)
            v++;
        if (v > m->nletters)
            return false;
        window[i] = (uint8_t)v;
    }
    return true;
}

static ckda_truth
read_delay(ckda_evidence *ev, depth_machine *m)
{
    const ckda_reach_struct *graph = m->delay.graph;
    ckda_mat_t B, S;
    ckda_mat_init(B, m->tokens, m->tokens, m->Q);
    ckda_mat_init(S, m->tokens, 1, m->Q);
    m->window = flint_calloc(graph->states, (size_t)m->tokens);
    ckda_truth truth = ckda_evidence_expect(ev, basis_inverse(B, m),
                                            "%s: u, Au, ... are independent", m->name);
    for (uint64_t s = 0; s < graph->states && truth == CKDA_TRUE; s++) {
        if (ckda_reach_state(S, graph, m->delay.sys, s) != CKDA_OK)
            truth =
                ckda_evidence_unable(ev, "%s: no state %lu", m->name, (unsigned long)s);
        const ckda_status st = ckda_mat_mul(S, B, S, m->Q);
        ckda_require(st == CKDA_OK, "shapes");
        if (truth == CKDA_TRUE)
            truth = ckda_evidence_expect(
                ev, read_state(m->window + s * (uint64_t)m->tokens, m, S),
                "%s: state %lu of the line is a list of letters", m->name,
                (unsigned long)s);
    }
    ckda_mat_clear(S, m->Q);
    ckda_mat_clear(B, m->Q);
    return truth;
}

/* ---- all of them ---- */

ckda_truth
depth_heads_make(ckda_evidence *ev, depth_machine *m, const ckda_elem_t scale)
{
    char cyclic[16];
    snprintf(cyclic, sizeof cyclic, "Z%ld", m->block);
    ckda_truth truth = make_tracker(ev, m, &m->clock, cyclic, "planar", "clock");
    if (truth == CKDA_TRUE)
        read_clock(m);
    if (truth == CKDA_TRUE)
        truth = make_delay(ev, m, scale);
    if (truth == CKDA_TRUE)
        truth = read_delay(ev, m);
    if (truth == CKDA_TRUE)
        truth = make_tracker(ev, m, &m->pile, m->name, "householder", "accumulator");
    return truth == CKDA_TRUE ? factor_all(ev, m) : truth;
}

void
depth_heads_clear(depth_machine *m)
{
    flint_free(m->factor);
    flint_free(m->window);
    flint_free(m->phase);
    clear_tracker(&m->pile);
    clear_line(&m->delay);
    clear_tracker(&m->clock);
}
