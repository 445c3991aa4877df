/* proofs/partd_depth_heads.c -- clock, delay line and swaps, each with its exact graph; see
 * partd_depth.h and partd_depth.c. */
#include <stdlib.h>
#include "partd_depth.h"

/* ---- any head ---- */

static void
head_init(depth_head *h, uint32_t nletters, slong n, bool offsets, const ckda_field_t K)
{
    *h = (depth_head){.linear = flint_malloc(nletters * sizeof *h->linear)};
    for (uint32_t x = 0; x < nletters; x++)
        ckda_mat_init(h->linear + x, n, n, K);
    if (offsets)
        h->offset = flint_malloc(nletters * sizeof *h->offset);
    for (uint32_t x = 0; offsets && x < nletters; x++)
        ckda_mat_init(h->offset + x, n, 1, K);
    *h->sys = (ckda_system_struct){
        .K = K, .nletters = nletters, .linear = h->linear, .offset = h->offset};
    ckda_mat_init(h->sys->initial, n, 1, K);
}

/* Also of a head that was never made (all members 0). */
static void
head_clear(depth_head *h)
{
    if (h->explored)
        ckda_reach_clear(h->graph);
    if (h->linear == NULL)
        return;
    ckda_mat_clear(h->sys->initial, h->sys->K);
    for (uint32_t x = 0; x < h->sys->nletters; x++) {
        ckda_mat_clear(h->linear + x, h->sys->K);
        if (h->offset != NULL)
            ckda_mat_clear(h->offset + x, h->sys->K);
    }
    flint_free(h->linear);
    flint_free(h->offset);
    flint_free(h->element);
}

/* The graph of a finite head none of whose matrices expands. */
static ckda_truth
explore(ckda_evidence *ev, const depth_machine *m, depth_head *h, const char *what)
{
    static const ckda_limits limits = {.max_states = 200000,
                                       .max_bytes = (uint64_t)1 << 30};
    for (uint32_t x = 0; x < h->sys->nletters; x++)
        if (ckda_evidence_expect(
                ev, ckda_mat_is_contraction(NULL, h->sys->linear + x, h->sys->K),
                "%s: the norm of the %s is at most 1", m->name, what)
            != CKDA_TRUE)
            return CKDA_FALSE;
    if (ckda_reach_run(h->graph, h->sys, &limits, CKDA_REACH_KEEP_GRAPH, &ev->problem)
        != CKDA_OK)
        return CKDA_UNKNOWN;
    h->explored = true;
    ckda_evidence_count(ev, h->graph->edges);
    if (h->graph->finite == CKDA_UNKNOWN)
        return ckda_evidence_unable(ev, "%s: the %s did not close", m->name, what);
    return ckda_evidence_expect(ev, h->graph->finite == CKDA_TRUE,
                                "%s: the %s has finitely many states", m->name, what);
}

/* ---- the clock ---- */

static ckda_truth
make_clock(ckda_evidence *ev, depth_machine *m)
{
    char system[16];
    snprintf(system, sizeof system, "Z%ld", m->block);
    if (ckda_construct(m->turn, system, "planar", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_system_init_construct(m->clock.sys, m->turn);
    const ckda_truth truth = explore(ev, m, &m->clock, "clock");
    ckda_system_clear(m->clock.sys);
    return truth;
}

/* Letters count nothing but themselves: each turns the clock by one. */
uint32_t
depth_ticked(const depth_machine *m, uint32_t c)
{
    const uint32_t r = m->turn->G->generator[0];
    return m->clock.graph->next[(size_t)c * m->turn->G->order + r];
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

/* ---- the delay line ---- */

/* u_i = -i^n / prod_(j != i) (i - j) */
static void
set_weights(depth_machine *m)
{
    ckda_elem_t q;
    ckda_elem_init(q, m->Q);
    for (slong i = 1; i <= m->tokens; i++) {
        ckda_elem_struct *u = ckda_mat_entry(m->u, i - 1, 0);
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
            ckda_elem_struct *a = ckda_mat_entry(m->A, i, j);
            ckda_elem_set_si(a, i == j ? i + 1 : 0, m->Q);
            ckda_elem_add(a, a, ckda_mat_entry(m->u, i, 0), m->Q);
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
        const ckda_status st = ckda_mat_pow_ui(P, m->A, (ulong)e, m->Q);
        ckda_require(st == CKDA_OK, "a square matrix");
        right = right && ckda_mat_is_zero(P, m->Q) == (e == m->tokens);
    }
    ckda_mat_clear(P, m->Q);
    return ckda_evidence_expect(ev, right, "%s: the line has one block of size %ld at 0",
                                m->name, m->tokens);
}

static ckda_truth
make_delay(ckda_evidence *ev, depth_machine *m, const ckda_elem_t scale)
{
    head_init(&m->delay, m->nletters, m->tokens, true, m->Q);
    ckda_mat_init(m->A, m->tokens, m->tokens, m->Q);
    ckda_mat_init(m->u, m->tokens, 1, m->Q);
    set_line(m, scale);
    for (uint32_t x = 0; x < m->nletters; x++) {
        ckda_status st = ckda_mat_set(m->delay.linear + x, m->A, m->Q);
        for (slong i = 0; i < m->tokens; i++)
            ckda_elem_mul_si(ckda_mat_entry(m->delay.offset + x, i, 0),
                             ckda_mat_entry(m->u, i, 0), (slong)x + 1, m->Q);
        ckda_require(st == CKDA_OK, "one shape");
    }
    const ckda_truth truth = expect_nilpotent(ev, m);
    return truth == CKDA_TRUE ? explore(ev, m, &m->delay, "delay line") : truth;
}

/* The inverse of [u, Au, .., A^(n-1) u]; false if there is none. */
static bool
basis_inverse(ckda_mat_t B, const depth_machine *m)
{
    ckda_mat_t c;
    ckda_mat_init_set(c, m->u, m->Q);
    for (slong j = 0; j < m->tokens; j++) {
        for (slong i = 0; i < m->tokens; i++)
            ckda_elem_set(ckda_mat_entry(B, i, j), ckda_mat_entry(c, i, 0), m->Q);
        const ckda_status st = ckda_mat_mul(c, m->A, c, m->Q);
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

/* ---- the swaps ---- */

/* Letter 0 is the identity, then all pairs (a, b) with a < b. */
static uint8_t
swap_letter(int n, int a, int b)
{
    uint8_t x = 1;
    for (int i = 0; i < a; i++)
        x = (uint8_t)(x + n - 1 - i);
    return (uint8_t)(x + b - a - 1);
}

static void
set_swap(depth_machine *m, uint32_t x, int a, int b)
{
    const int n = m->G->degree;
    ckda_perm p;
    ckda_perm_one(&p, n);
    p.image[a] = (uint8_t)b;
    p.image[b] = (uint8_t)a;
    m->swaps.element[x] = (uint32_t)ckda_group_find(m->G, &p);
    ckda_elem_struct *k = ckda_elem_vec_new(n, m->Q);
    ckda_elem_t beta;
    ckda_elem_init(beta, m->Q);
    ckda_elem_set_si(beta, x == 0 ? 0 : 2, m->Q);
    ckda_elem_set_si(k + a, 1, m->Q);
    ckda_elem_set_si(k + b, x == 0 ? 1 : -1, m->Q);
    const ckda_status st =
        ckda_mat_set_householder(m->swaps.linear + x, beta, k, n, m->Q);
    ckda_require(st == CKDA_OK, "the key is not 0");
    ckda_elem_clear(beta, m->Q);
    ckda_elem_vec_free(k, n, m->Q);
}

static ckda_truth
make_swaps(ckda_evidence *ev, depth_machine *m)
{
    const int n = m->G->degree;
    const uint32_t nletters = 1 + (uint32_t)(n * (n - 1) / 2);
    head_init(&m->swaps, nletters, n, false, m->Q);
    m->swaps.element = flint_malloc(nletters * sizeof *m->swaps.element);
    m->swaps.sys->G = m->G;
    m->swaps.sys->letter_element = m->swaps.element;
    for (int i = 0; i < n; i++)
        ckda_mat_set_entry_si(m->swaps.sys->initial, i, 0, i + 1, m->Q);
    set_swap(m, 0, 0, 0);
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++)
            set_swap(m, swap_letter(n, a, b), a, b);
    const ckda_truth truth = explore(ev, m, &m->swaps, "accumulator");
    return truth != CKDA_TRUE
               ? truth
               : ckda_evidence_expect(
                   ev, m->swaps.graph->decoder_consistent == CKDA_TRUE,
                   "%s: the accumulator tells the product of its swaps", m->name);
}

/* factor[g] in time order: each swap brings one point home, so it comes after the others. */
static ckda_truth
factor_element(ckda_evidence *ev, depth_machine *m, uint32_t g)
{
    const int n = m->G->degree;
    ckda_perm rest = m->G->element[g];
    uint8_t taken[CKDA_PERM_MAX];
    long k = 0;
    for (int p = 0; p < n; p++)
        if (rest.image[p] != p) {
            const int q = rest.image[p];
            taken[k++] = swap_letter(n, p < q ? p : q, p < q ? q : p);
            for (int i = 0; i < n; i++)
                rest.image[i] = (uint8_t)(rest.image[i] == p   ? q
                                          : rest.image[i] == q ? p
                                                               : rest.image[i]);
        }
    char *name = ckda_perm_str(&m->G->element[g]);
    const ckda_truth truth = ckda_evidence_expect(
        ev, k <= m->block, "%s: %s is a product of at most %ld swaps", m->name, name,
        m->block);
    free(name);
    if (truth != CKDA_TRUE)
        return truth;
    for (long j = 0; j < k; j++)
        m->factor[g * (uint32_t)m->block + (uint32_t)j] = taken[k - 1 - j];
    return CKDA_TRUE;
}

static ckda_truth
factor_all(ckda_evidence *ev, depth_machine *m)
{
    ckda_truth truth = CKDA_TRUE;
    m->factor = flint_calloc(m->G->order, (size_t)m->block);
    for (uint32_t g = 0; g < m->G->order && truth == CKDA_TRUE; g++)
        truth = factor_element(ev, m, g);
    return truth;
}

/* ---- all of them ---- */

ckda_truth
depth_heads_make(ckda_evidence *ev, depth_machine *m, const ckda_elem_t scale)
{
    ckda_truth truth = make_clock(ev, m);
    if (truth == CKDA_TRUE)
        read_clock(m);
    if (truth == CKDA_TRUE)
        truth = make_delay(ev, m, scale);
    if (truth == CKDA_TRUE)
        truth = read_delay(ev, m);
    if (truth == CKDA_TRUE)
        truth = make_swaps(ev, m);
    return truth == CKDA_TRUE ? factor_all(ev, m) : truth;
}

void
depth_heads_clear(depth_machine *m)
{
    flint_free(m->factor);
    flint_free(m->window);
    flint_free(m->phase);
    head_clear(&m->swaps);
    if (m->delay.linear != NULL) {
        ckda_mat_clear(m->u, m->Q);
        ckda_mat_clear(m->A, m->Q);
    }
    head_clear(&m->delay);
    head_clear(&m->clock);
    if (m->turn->G->element != NULL)
        ckda_construct_clear(m->turn);
}
