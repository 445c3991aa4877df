/* proofs/net_closure.c -- the graphs of joint states of networks, closed.
 *
 * Statement.  net_closure: the joint states of each listed network (one state for each
 * head) that words reach are finitely many, as many as stated; what the network says on
 * every edge is the direct product, and the product is a function of the joint state, the
 * initial one included.  joint_decoder: after the listed word the named heads stand where
 * they stood at the beginning although the product differs, so that they alone decode
 * nothing at t = 0.
 *
 * Why the check suffices.  Every edge from every joint state is computed with the layers
 * themselves, and states are compared exactly; a closed graph with the right output on
 * every edge proves the claim for words of every length.  The networks of "full" are
 * explored with full effort only.
 *
 * Not shown here: networks whose graph is too large (net_words).                       */
#include <stdlib.h>

#include "checks.h"
#include "networks.h"

static ckda_truth
wrong_word(ckda_evidence *ev, const network *N, const ckda_net_closure *c)
{
    const ckda_word_struct word = {c->word, c->length};
    char *text = network_word_text(N, &word);
    char *got = ckda_net_output_str(N->net, &c->got);
    char *want = ckda_net_output_str(N->net, &c->want);
    ckda_evidence_fact(ev, "failed", "%s",
                       c->collision ? "one joint state, two products"
                                    : "the network says the product");
    ckda_evidence_fact(ev, "word", "%s", text);
    ckda_evidence_fact(ev, "got", "%s", got);
    ckda_evidence_fact(ev, "want", "%s", want);
    free(want);
    free(got);
    flint_free(text);
    return CKDA_FALSE;
}

/* "head_states": {"clock": 4, ...} */
static ckda_truth
check_heads(ckda_evidence *ev, const network *N, const ckda_net_closure *c,
            const ckda_node *row)
{
    ckda_node all, at;
    ckda_truth truth = CKDA_TRUE;
    if (!ckda_node_has(row, "head_states"))
        return CKDA_TRUE;
    if (ckda_node_member(&all, row, "head_states", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (bool more = ckda_node_first(&at, &all); more && truth == CKDA_TRUE;
         more = ckda_node_next(&at)) {
        const long head = network_head(N, at.key);
        long want;
        if (head < 0)
            return ckda_evidence_unable(ev, "no head is called %s", at.key);
        if (ckda_node_long(&want, &at, 0, 1000000000, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = ckda_evidence_expect_long(ev, at.key, (long)c->head_states[head], want);
    }
    return truth;
}

static ckda_truth
check_closure(ckda_evidence *ev, const network *N, const ckda_net_closure *c,
              const ckda_node *row)
{
    long states, edges;
    if (ckda_node_get_long(&states, row, "states", 1, 1000000000, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&edges, row, "edges", 1, 1000000000, &ev->problem)
               != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_evidence_count(ev, c->edges);
    if (c->right == CKDA_FALSE)
        return wrong_word(ev, N, c);
    if (c->right == CKDA_UNKNOWN)
        return ckda_evidence_unable(ev, "limit reached: %s", c->limit);
    ckda_truth truth =
        ckda_evidence_expect_long(ev, "joint states", (long)c->states, states);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "edges", (long)c->edges, edges);
    return truth == CKDA_TRUE ? check_heads(ev, N, c, row) : truth;
}

typedef struct {
    size_t networks;
    uint64_t states, edges;
} totals;

static ckda_truth
check_row(ckda_evidence *ev, const ckda_node *row, totals *sum)
{
    static const char *const known[] = {"network", "states", "edges", "head_states"};
    ckda_node at;
    network N;
    ckda_net_closure c;
    char text[128];
    if (ckda_node_only(row, known, sizeof known / sizeof known[0], &ev->problem)
            != CKDA_OK
        || ckda_node_member(&at, row, "network", &ev->problem) != CKDA_OK
        || network_read(&N, &at, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_net_explore(&c, N.net, &(ckda_limits){.max_states = 2000000});
    const ckda_truth truth = check_closure(ev, &N, &c, row);
    sum->networks++;
    sum->states += c.states;
    sum->edges += c.edges;
    network_text(text, sizeof text, &N);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact(ev, "network", "%s", text);
    ckda_net_closure_clear(&c);
    network_clear(&N);
    return truth;
}

static ckda_truth
check_rows(ckda_evidence *ev, const ckda_node *in, const char *key, totals *sum)
{
    ckda_node rows, row;
    size_t n;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&rows, in, key, &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &rows, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&row, &rows, i, &ev->problem) == CKDA_OK
                    ? check_row(ev, &row, sum)
                    : CKDA_UNKNOWN;
    return truth;
}

ckda_truth
ckda_check_net_closure(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"networks", "full"};
    totals sum = {0};
    if (ckda_node_only(in, known, 2, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = check_rows(ev, in, "networks", &sum);
    const bool more = ckda_node_has(in, "full");
    if (truth == CKDA_TRUE && more && ev->effort != CKDA_QUICK)
        truth = check_rows(ev, in, "full", &sum);
    ckda_evidence_scope(
        ev, "%zu closed graph%s, %lu joint states, %lu edges%s", sum.networks,
        sum.networks == 1 ? "" : "s", (unsigned long)sum.states, (unsigned long)sum.edges,
        more && ev->effort == CKDA_QUICK ? "; larger ones: full effort" : "");
    return truth;
}

/* ---- t = 0 ------------------------------------------------------------------------ */

/* The named heads are back where they began; "apart" is not. */
static ckda_truth
compare_heads(ckda_evidence *ev, const network_walk *w, const ckda_node *in)
{
    ckda_node list, item;
    size_t n;
    const char *name;
    const network *N = w->N;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&list, in, "same", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK
        || ckda_node_get_string(&name, in, "apart", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    const long apart = network_head(N, name);
    if (apart < 0)
        return ckda_evidence_unable(ev, "no head is called %s", name);
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++) {
        if (ckda_node_item(&item, &list, i, &ev->problem) != CKDA_OK
            || ckda_node_string(&name, &item, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        const long h = network_head(N, name);
        if (h < 0)
            return ckda_evidence_unable(ev, "no head is called %s", name);
        const ckda_net_head *d = ckda_net_get_head(N->net, (uint32_t)h);
        truth = ckda_evidence_expect_mat(ev, name, w->H + h, d->initial, d->K);
    }
    const ckda_net_head *d = ckda_net_get_head(N->net, (uint32_t)apart);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(
            ev, !ckda_mat_equal(NULL, w->H + apart, d->initial, d->K),
            "the %s is not where it began", d->name);
    return truth;
}

ckda_truth
ckda_check_joint_decoder(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"network", "word", "same", "apart", "closure"};
    ckda_node at, word_at;
    network N;
    network_walk w;
    ckda_word_t word;
    ckda_rand r;
    ckda_error *err = &ev->problem;
    ckda_rand_init(&r, ev->seed);
    if (ckda_node_only(in, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || ckda_node_member(&at, in, "network", err) != CKDA_OK
        || ckda_node_member(&word_at, in, "word", err) != CKDA_OK
        || network_read(&N, &at, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth =
        network_word(word, &N, &word_at, &r, err) == CKDA_OK ? CKDA_TRUE : CKDA_UNKNOWN;
    if (truth == CKDA_TRUE) {
        network_walk_init(&w, &N);
        const uint32_t start = w.index;
        for (size_t i = 0; i < word->length && truth == CKDA_TRUE; i++)
            truth =
                network_walk_step(&w, word->letter[i], err) ? CKDA_TRUE : CKDA_UNKNOWN;
        if (truth == CKDA_TRUE)
            truth = compare_heads(ev, &w, in);
        if (truth == CKDA_TRUE)
            truth = ckda_evidence_expect(ev, w.index != start,
                                         "the product is not what it was at t = 0");
        ckda_evidence_scope(ev, "a word of %zu letters", word->length);
        network_walk_clear(&w);
        ckda_word_clear(word);
    }
    network_clear(&N);
    if (truth == CKDA_TRUE && ckda_node_has(in, "closure")) {
        totals sum = {0};
        truth = ckda_node_member(&at, in, "closure", err) == CKDA_OK
                    ? check_row(ev, &at, &sum)
                    : CKDA_UNKNOWN;
        ckda_evidence_scope(ev, "%lu joint states", (unsigned long)sum.states);
    }
    return truth;
}
