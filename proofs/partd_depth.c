/* proofs/partd_depth.c -- two layers whose heads are diagonal plus rank one.
 *
 * Statement.  dpr1_layers: layer 1 is a clock modulo m (`block`) and the head s -> A s + v u
 * with A = scale (Diag(1, .., n) + u 1^T) nilpotent of index n (`tokens`), which holds the
 * last n letters; layer 2 is a matrix whose rows are swapped, two at a time, the swap being
 * chosen by what layer 1 holds after the letter.  No matrix expands.  The joint states are
 * finitely many, as many as stated, and the output is the product of the word after every
 * word.
 *
 * How the swaps are timed.  A block of m letters is a product of at most m swaps; the j-th
 * is applied j - 1 letters after the block has ended.  So after t letters layer 2 uses the
 * block that ended i = t mod m letters ago: letters of age i .. i + m - 1, all among the
 * last 2m - 1.  The output multiplies what layer 2 holds by the swaps of that block which
 * are still to come, and by the i letters after it.
 *
 * Why the check suffices.  Each head's states are enumerated exactly (ckda/reach.h); what
 * layer 1 knows is solved for in the basis u, Au, .., A^(n-1) u.  All letters are followed
 * from all joint states.  The output is the identity at the start and is multiplied by the
 * letter on every edge, so it is right for words of all lengths.
 *
 * Not shown here: groups that are not listed. */
#include <stdlib.h>
#include <string.h>
#include "checks.h"
#include "ckda/input.h"
#include "partd_depth.h"

enum { MAX_JOINT = 20000000 };

/* ---- the joint graph ---- */

typedef struct {
    uint32_t clock, delay, acc;
} joint;

/* The product of the letters of age from .. from + count - 1, the newest on the left; a
 * letter that is too old to be held is taken for none. */
static uint32_t
letters_between(const depth_machine *m, uint32_t delay, long from, long count)
{
    uint32_t g = 0;
    for (long age = from + count - 1; age >= from; age--) {
        const uint8_t v = age < m->tokens
                              ? m->window[(size_t)delay * (size_t)m->tokens + (size_t)age]
                              : 0;
        if (v > 0)
            g = ckda_group_mul(m->G, m->letter[v - 1], g);
    }
    return g;
}

static const uint32_t *
factors_of_block(const depth_machine *m, const joint *s)
{
    const uint32_t g = letters_between(m, s->delay, (long)m->phase[s->clock], m->block);
    return m->factor + (size_t)g * (size_t)m->block;
}

static joint
step(const depth_machine *m, joint s, uint32_t x)
{
    s.clock = depth_ticked(m, s.clock);
    s.delay = m->delay.graph->next[(size_t)s.delay * m->nletters + x];
    s.acc = depth_moved(&m->pile, s.acc, factors_of_block(m, &s)[m->phase[s.clock]]);
    return s;
}

static uint32_t
output(const depth_machine *m, joint s)
{
    const long i = (long)m->phase[s.clock];
    const uint32_t *factor = factors_of_block(m, &s);
    uint32_t g = m->pile.graph->label[s.acc];
    for (long j = i + 1; j < m->block; j++)
        g = ckda_group_mul(m->G, factor[j], g);
    return ckda_group_mul(m->G, letters_between(m, s.delay, 0, i), g);
}

typedef struct {
    uint32_t *queue, found; /* codes of the joint states, in the order of the search */
    uint32_t *parent;       /* the position it was found from */
    uint8_t *via, *seen;
} search;

static size_t
code(const depth_machine *m, joint s)
{
    return ((size_t)s.clock * m->delay.graph->states + s.delay) * m->pile.graph->states
           + s.acc;
}

static joint
decode(const depth_machine *m, size_t at)
{
    const size_t acc = m->pile.graph->states, delay = m->delay.graph->states;
    return (joint){.clock = (uint32_t)(at / acc / delay),
                   .delay = (uint32_t)(at / acc % delay),
                   .acc = (uint32_t)(at % acc)};
}

static void
meet(search *f, size_t at, uint32_t parent, uint32_t via)
{
    if (f->seen[at])
        return;
    f->seen[at] = 1;
    f->queue[f->found] = (uint32_t)at;
    f->parent[f->found] = parent;
    f->via[f->found++] = (uint8_t)via;
}

/* The letters that lead to a position of the queue, and one more. */
static void
fact_word(ckda_evidence *ev, const depth_machine *m, const search *f, uint32_t at,
          uint32_t x)
{
    if (at > 0)
        fact_word(ev, m, f, f->parent[at], f->via[at]);
    char *name = ckda_perm_str(&m->G->element[m->letter[x]]);
    ckda_evidence_fact(ev, "letter", "%s", name);
    free(name);
}

static ckda_truth
check_edge(ckda_evidence *ev, const depth_machine *m, search *f, uint32_t at, uint32_t x)
{
    const joint s = decode(m, f->queue[at]), t = step(m, s, x);
    const uint32_t want = ckda_group_mul(m->G, m->letter[x], output(m, s));
    if (ckda_evidence_expect(ev, output(m, t) == want,
                             "%s: the output is multiplied by the letter", m->name)
        != CKDA_TRUE) {
        fact_word(ev, m, f, at, x);
        return CKDA_FALSE;
    }
    meet(f, code(m, t), at, x);
    return CKDA_TRUE;
}

static ckda_truth
expect_sizes(ckda_evidence *ev, const depth_machine *m, uint32_t found,
             const ckda_node *item)
{
    static const char *const name[] = {"delay", "states"};
    const long got[] = {(long)m->delay.graph->states, (long)found};
    ckda_node expect;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&expect, item, "expect", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (int i = 0; i < 2 && truth == CKDA_TRUE; i++) {
        long want;
        if (ckda_node_get_long(&want, &expect, name[i], 0, MAX_JOINT, &ev->problem)
            != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = ckda_evidence_expect_long(ev, name[i], got[i], want);
    }
    return truth;
}

static ckda_truth
close_joint(ckda_evidence *ev, const depth_machine *m, const ckda_node *item)
{
    const uint64_t most =
        m->clock.graph->states * m->delay.graph->states * m->pile.graph->states;
    if (most > MAX_JOINT)
        return ckda_evidence_unable(ev, "%s: more than %d joint states", m->name,
                                    MAX_JOINT);
    search f = {.queue = flint_malloc(most * sizeof *f.queue),
                .parent = flint_malloc(most * sizeof *f.parent),
                .via = flint_malloc(most),
                .seen = flint_calloc(most, 1)};
    const joint start = {0};
    ckda_truth truth = ckda_evidence_expect(
        ev, output(m, start) == 0, "%s: the empty word is the identity", m->name);
    meet(&f, code(m, start), 0, 0);
    for (uint32_t at = 0; at < f.found && truth == CKDA_TRUE; at++)
        for (uint32_t x = 0; x < m->nletters && truth == CKDA_TRUE; x++)
            truth = check_edge(ev, m, &f, at, x);
    if (truth == CKDA_TRUE)
        truth = expect_sizes(ev, m, f.found, item);
    ckda_evidence_scope(ev, "%s: %ld tokens, %lu joint states, %lu edges", m->name,
                        m->tokens, (unsigned long)f.found,
                        (unsigned long)f.found * m->nletters);
    flint_free(f.seen);
    flint_free(f.via);
    flint_free(f.parent);
    flint_free(f.queue);
    return truth;
}

/* ---- the check ---- */

static ckda_status
read_letters(depth_machine *m, const ckda_node *item, ckda_error *err)
{
    const char *which;
    ckda_status st = ckda_node_get_string(&which, item, "letters", err);
    if (st != CKDA_OK)
        return st;
    const bool all = strcmp(which, "all") == 0;
    if (!all && strcmp(which, "generators") != 0)
        return ckda_node_fail(item, err, "letters \"all\" or \"generators\"", which);
    m->nletters = all ? m->G->order : m->G->ngen;
    m->letter = flint_malloc(m->nletters * sizeof *m->letter);
    for (uint32_t x = 0; x < m->nletters; x++)
        m->letter[x] = all ? x : m->G->generator[x];
    if (m->nletters >= UINT8_MAX)
        return ckda_node_fail(item, err, "fewer than 255 letters", NULL);
    return CKDA_OK;
}

/* m->G is there on CKDA_OK, and whatever else is to be cleared. */
static ckda_status
machine_read(depth_machine *m, ckda_elem_t scale, const ckda_node *item, ckda_error *err)
{
    static const char *const known[] = {"group",  "letters", "block",
                                        "tokens", "scale",   "expect"};
    ckda_node at;
    ckda_status st = ckda_node_only(item, known, sizeof known / sizeof known[0], err);
    if (st == CKDA_OK)
        st = ckda_node_get_string(&m->name, item, "group", err);
    if (st == CKDA_OK)
        st = ckda_node_get_long(&m->block, item, "block", 2, DEPTH_MAX_BLOCK, err);
    if (st == CKDA_OK)
        st = ckda_node_get_long(&m->tokens, item, "tokens", 1, DEPTH_MAX_TOKENS, err);
    if (st == CKDA_OK)
        st = ckda_node_member(&at, item, "scale", err);
    if (st == CKDA_OK)
        st = ckda_input_read_elem(scale, &at, m->Q, err);
    if (st == CKDA_OK && m->name[0] != 'S')
        st = ckda_node_fail(item, err, "a symmetric group: S3, S4, ...", m->name);
    if (st == CKDA_OK)
        st = ckda_group_init_named(m->G, m->name, err);
    if (st == CKDA_OK) {
        st = read_letters(m, item, err);
        if (st != CKDA_OK) {
            ckda_group_clear(m->G);
            flint_free(m->letter);
            m->letter = NULL;
        }
    }
    return st;
}

static ckda_truth
check_item(ckda_evidence *ev, const ckda_node *item)
{
    depth_machine m = {0};
    ckda_elem_t scale;
    ckda_truth truth = CKDA_UNKNOWN;
    ckda_field_init_rational(m.Q);
    ckda_elem_init(scale, m.Q);
    if (machine_read(&m, scale, item, &ev->problem) == CKDA_OK) {
        truth = depth_heads_make(ev, &m, scale);
        if (truth == CKDA_TRUE)
            truth = close_joint(ev, &m, item);
        depth_heads_clear(&m);
        flint_free(m.letter);
        ckda_group_clear(m.G);
    }
    ckda_elem_clear(scale, m.Q);
    ckda_field_clear(m.Q);
    return truth;
}

ckda_truth
ckda_check_dpr1_layers(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"machines"};
    ckda_node list, item;
    size_t n;
    ckda_truth truth = CKDA_TRUE;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(in, known, 1, err) != CKDA_OK
        || ckda_node_member(&list, in, "machines", err) != CKDA_OK
        || ckda_node_size(&n, &list, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&item, &list, i, err) == CKDA_OK ? check_item(ev, &item)
                                                                : CKDA_UNKNOWN;
    return truth;
}
