/* proofs/partd_window.c -- two layers through the window of the last three letters.
 *
 * Statement.  window_machines: the network of a clock modulo 2, the head that holds the
 * last three letters, and one accumulator has the stated numbers of joint states, edges
 * and accumulator vectors, and its output is the automaton's state after every word; beta
 * is at most the stated bound; the automata under "refused" have no such network here.
 *
 * Why the check suffices.  The network is run as bare recurrences on exact numbers; all
 * letters are followed from all joint states, and every output is compared with the
 * automaton.  When that graph closes, words of all lengths are covered.
 *
 * Not shown here: automata and groups that are not listed. */
#include "checks.h"
#include "ckda/input.h"
#include "ckda/net.h"

/* One item: {"name", "dfa": {...}} or {"name", "maps": 3} (all maps of so many points) or
 * {"name", "group": "S3"}, all elements being letters. */
typedef struct {
    const char *name;
    ckda_net *net;
    ckda_status status; /* of the compilation */
} machine;

static void
all_maps(ckda_dfa_t A, uint32_t n)
{
    uint32_t letters = 1;
    for (uint32_t i = 0; i < n; i++)
        letters *= n;
    ckda_dfa_init(A, n, letters);
    for (uint32_t x = 0; x < letters; x++)
        for (uint32_t q = 0, code = x; q < n; q++, code /= n)
            A->next[x * n + q] = code % n;
    A->accept[0] = true;
}

static ckda_status
compile_dfa(machine *m, ckda_dfa_t A, const ckda_net_options *opt)
{
    ckda_error why = {0};
    m->status = ckda_net_compile_dfa(&m->net, A, opt, &why);
    ckda_dfa_clear(A);
    return CKDA_OK;
}

static ckda_status
compile_group(machine *m, const char *name, const ckda_net_options *opt, ckda_error *err)
{
    ckda_group_t G;
    ckda_error why = {0};
    const ckda_status st = ckda_group_init_named(G, name, err);
    if (st != CKDA_OK)
        return st;
    uint32_t *letters = flint_malloc(G->order * sizeof *letters);
    for (uint32_t g = 0; g < G->order; g++)
        letters[g] = g;
    m->status = ckda_net_compile_group(&m->net, G, letters, NULL, G->order, opt, &why);
    if (m->status != CKDA_OK)
        ckda_group_clear(G);
    flint_free(letters);
    return CKDA_OK;
}

/* m->net exists only if m->status is CKDA_OK. */
static ckda_status
machine_open(machine *m, const ckda_node *item, ckda_error *err)
{
    static const ckda_net_options opt = {.method = CKDA_NET_WINDOW,
                                         .scheme = CKDA_FACTOR_SHORT};
    ckda_node at;
    ckda_dfa_t A;
    const char *group;
    long points;
    ckda_status st = ckda_node_get_string(&m->name, item, "name", err);
    if (st != CKDA_OK)
        return st;
    if (ckda_node_has(item, "group")) {
        st = ckda_node_get_string(&group, item, "group", err);
        return st == CKDA_OK ? compile_group(m, group, &opt, err) : st;
    }
    if (ckda_node_has(item, "maps")) {
        st = ckda_node_get_long(&points, item, "maps", 1, 4, err);
        if (st != CKDA_OK)
            return st;
        all_maps(A, (uint32_t)points);
        return compile_dfa(m, A, &opt);
    }
    st = ckda_node_member(&at, item, "dfa", err);
    if (st == CKDA_OK)
        st = ckda_input_read_dfa(A, &at, err);
    return st == CKDA_OK ? compile_dfa(m, A, &opt) : st;
}

/* ---- all words ---- */

static void
fact_word(ckda_evidence *ev, const machine *m, const ckda_net_closure *c)
{
    ckda_evidence_fact(ev, "machine", "%s", m->name);
    for (size_t i = 0; i < c->length; i++)
        ckda_evidence_fact(ev, "letter", "%s", ckda_net_letter_name(m->net, c->word[i]));
}

static ckda_truth
expect_sizes(ckda_evidence *ev, const machine *m, const ckda_net_closure *c,
             const ckda_node *item)
{
    static const char *const name[] = {"states", "edges", "vectors"};
    const long got[] = {(long)c->states, (long)c->edges,
                        (long)c->head_states[c->heads - 1]};
    ckda_node expect;
    ckda_truth truth = CKDA_TRUE;
    if (!ckda_node_has(item, "expect"))
        return CKDA_TRUE;
    if (ckda_node_member(&expect, item, "expect", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (int i = 0; i < 3 && truth == CKDA_TRUE; i++) {
        long want;
        if (ckda_node_get_long(&want, &expect, name[i], 0, 1000000000, &ev->problem)
            != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = ckda_evidence_expect_long(ev, name[i], got[i], want);
    }
    if (truth == CKDA_FALSE)
        ckda_evidence_fact(ev, "machine", "%s", m->name);
    return truth;
}

static ckda_truth
check_closure(ckda_evidence *ev, const machine *m, const ckda_node *item)
{
    static const ckda_limits limits = {.max_states = 200000,
                                       .max_bytes = (uint64_t)2 << 30};
    ckda_net_closure c;
    ckda_net_explore(&c, m->net, &limits);
    ckda_evidence_count(ev, c.edges);
    ckda_truth truth = c.right;
    if (truth == CKDA_FALSE) {
        ckda_evidence_fact(ev, "failed", "every output is the automaton's state");
        fact_word(ev, m, &c);
    } else if (truth == CKDA_UNKNOWN)
        (void)ckda_evidence_unable(ev, "%s: the graph is not closed", m->name);
    if (truth == CKDA_TRUE)
        truth = expect_sizes(ev, m, &c, item);
    ckda_evidence_scope(ev, "%s: %lu states, %lu edges", m->name, (unsigned long)c.states,
                        (unsigned long)c.edges);
    ckda_net_closure_clear(&c);
    return truth;
}

/* ---- the betas on the way ---- */

/* A seeded word: every prefix is right, and no head's beta passes the bound. */
static ckda_truth
check_run(ckda_evidence *ev, const machine *m, const ckda_node *in)
{
    ckda_rand r;
    ckda_net_target target;
    ckda_node bound;
    long length;
    ckda_truth truth = CKDA_TRUE;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_long(&length, in, "length", 0, 100000, err) != CKDA_OK
        || ckda_node_member(&bound, in, "max_beta", err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_rand_init(&r, ev->seed);
    ckda_net_run *run = ckda_net_run_open(m->net);
    ckda_net_target_init(&target, m->net);
    for (long t = 0; t < length && truth == CKDA_TRUE; t++) {
        const uint32_t x = (uint32_t)ckda_rand_below(&r, ckda_net_letters(m->net));
        ckda_net_run_step(run, x, err);
        ckda_net_target_step(&target, x, m->net);
        truth = ckda_evidence_expect(
            ev, ckda_net_output_equal(m->net, ckda_net_run_output(run), &target.now),
            "%s: prefix %ld of a seeded word is right", m->name, t + 1);
    }
    for (uint32_t h = 0; h < ckda_net_heads(m->net) && truth == CKDA_TRUE; h++) {
        const ckda_field_struct *K = ckda_net_get_head(m->net, h)->K;
        ckda_elem_t most;
        ckda_elem_init(most, K);
        truth = ckda_input_read_elem(most, &bound, K, err) == CKDA_OK
                    ? ckda_evidence_expect(
                        ev, ckda_elem_cmp(ckda_net_run_max_beta(run, h), most, K) <= 0,
                        "%s: beta of head %u is at most the bound", m->name, h)
                    : CKDA_UNKNOWN;
        ckda_elem_clear(most, K);
    }
    ckda_net_target_clear(&target, m->net);
    ckda_net_run_close(&run);
    return truth;
}

/* ---- the check ---- */

static ckda_truth
check_machine(ckda_evidence *ev, const ckda_node *in, const ckda_node *item)
{
    machine m = {0};
    if (machine_open(&m, item, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = ckda_evidence_expect(ev, m.status == CKDA_OK,
                                            "%s has a network of this kind", m.name);
    if (truth != CKDA_TRUE)
        return truth;
    truth = check_run(ev, &m, in);
    if (truth == CKDA_TRUE)
        truth = check_closure(ev, &m, item);
    ckda_net_close(&m.net);
    return truth;
}

static ckda_truth
check_refused(ckda_evidence *ev, const ckda_node *item)
{
    machine m = {0};
    if (machine_open(&m, item, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (m.status == CKDA_OK)
        ckda_net_close(&m.net);
    return ckda_evidence_expect(ev, m.status == CKDA_E_DOMAIN,
                                "%s has no network of this kind", m.name);
}

ckda_truth
ckda_check_window_machines(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"machines", "refused", "length", "max_beta"};
    ckda_node list, item;
    size_t n;
    ckda_truth truth = CKDA_TRUE;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(in, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || ckda_node_member(&list, in, "machines", err) != CKDA_OK
        || ckda_node_size(&n, &list, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&item, &list, i, err) == CKDA_OK
                    ? check_machine(ev, in, &item)
                    : CKDA_UNKNOWN;
    if (truth != CKDA_TRUE)
        return truth;
    if (ckda_node_member(&list, in, "refused", err) != CKDA_OK
        || ckda_node_size(&n, &list, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&item, &list, i, err) == CKDA_OK ? check_refused(ev, &item)
                                                                : CKDA_UNKNOWN;
    return truth;
}
