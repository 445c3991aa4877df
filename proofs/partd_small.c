/* proofs/partd_small.c -- two small layers that track S_5 and A_5.
 *
 * Statement.  small_tracker: layer 1 is one head with a sign for each bit (parity p of
 * the letters, a second bit q that some letters flip), layer 2 one head of dimension 3
 * that turns by C(p',q')^-1 b C(p,q) for the letter tau^e a, b = tau^p a tau^p; the joint
 * states are finitely many, as many as stated, and tau^p C(p,q) times the rotation in
 * layer 2 is the product of the word on every edge.  small_tracker_count: how many tables
 * C do, over all tables with C(0,0) = 1 (or all tables), letters keeping or flipping q.
 *
 * Why the check suffices.  Layer 1 is run on its signs and layer 2 on exact 3 x 3
 * matrices over Q(sqrt 5): every letter from every joint state.  The rotation of every
 * edge is a signed Householder matrix by its key and signs, from which it is multiplied
 * out again. What is decoded at the start is the identity, and on every edge it is
 * multiplied by the letter, so it is right for words of all lengths.
 *
 * Not shown here: that fewer dimensions do not do (d.C2). */
#include <stdlib.h>
#include <string.h>
#include "checks.h"
#include "ckda/construct.h"
#include "ckda/group.h"

enum { ORDER = 60, MAX_LETTERS = 2 * ORDER };

/* A_5 as rotations and the group tables; bits: how many values p and q have. */
typedef struct {
    ckda_construction_t c;
    ckda_group_t S; /* S_5, for the decoder */
    uint32_t tau;   /* in S, 0 when there is no p */
    uint32_t np, nq;
    bool single[ORDER];                                    /* in SH_3 */
    uint8_t mul[ORDER][ORDER], inv[ORDER], twisted[ORDER]; /* tau a tau */
    uint8_t table[2][2];                                   /* C(p,q) */
} machine;

static uint32_t
in_S(const machine *m, uint32_t a)
{
    return (uint32_t)ckda_group_find(m->S, &m->c->G->element[a]);
}

static uint32_t
twist(const machine *m, uint32_t a)
{
    const uint32_t g =
        ckda_group_mul(m->S, ckda_group_mul(m->S, m->tau, in_S(m, a)), m->tau);
    return (uint32_t)ckda_group_find(m->c->G, &m->S->element[g]);
}

/* tau is a transposition. */
static void
set_tau(machine *m, uint32_t tau)
{
    m->tau = tau;
    for (uint32_t a = 0; a < ORDER; a++)
        m->twisted[a] = (uint8_t)twist(m, a);
}

static ckda_status
machine_open(machine *m, ckda_error *err)
{
    ckda_status st = ckda_construct(m->c, "A5", "quaternion", err);
    if (st != CKDA_OK)
        return st;
    st = ckda_group_init_named(m->S, "S5", err);
    if (st != CKDA_OK) {
        ckda_construct_clear(m->c);
        return st;
    }
    for (uint32_t a = 0; a < ORDER; a++) {
        m->single[a] =
            ckda_signed_householder(NULL, NULL, &m->c->rotation[a], m->c->K) > 0;
        m->inv[a] = (uint8_t)ckda_group_inv(m->c->G, a);
        for (uint32_t b = 0; b < ORDER; b++)
            m->mul[a][b] = (uint8_t)ckda_group_mul(m->c->G, a, b);
    }
    set_tau(m, 0);
    return CKDA_OK;
}

static void
machine_close(machine *m)
{
    ckda_group_clear(m->S);
    ckda_construct_clear(m->c);
}

/* "tau": a transposition; "bits": "p", "q" or "pq". */
static ckda_status
read_bits(machine *m, const ckda_node *in, ckda_error *err)
{
    const char *text;
    uint32_t tau;
    if (ckda_node_get_string(&text, in, "bits", err) != CKDA_OK)
        return CKDA_E_INPUT;
    m->np = strchr(text, 'p') != NULL ? 2 : 1;
    m->nq = strchr(text, 'q') != NULL ? 2 : 1;
    if (m->np == 1)
        return CKDA_OK;
    if (ckda_node_get_string(&text, in, "tau", err) != CKDA_OK
        || ckda_group_parse(&tau, m->S, text, err) != CKDA_OK)
        return CKDA_E_INPUT;
    if (tau == 0 || ckda_group_mul(m->S, tau, tau) != 0
        || ckda_perm_parity(&m->S->element[tau]) == 0)
        return ckda_node_fail(in, err, "an odd involution tau", NULL);
    set_tau(m, tau);
    return CKDA_OK;
}

/* ---- letters ---- */

/* The rotation for the letter tau^e a from (p,q) to (p^e, q2). */
static uint8_t
factor(const machine *m, uint32_t e, uint32_t a, uint32_t p, uint32_t q, uint32_t q2)
{
    const uint8_t b = p == 1 ? m->twisted[a] : (uint8_t)a;
    return m->mul[m->inv[m->table[p ^ e][q2]]][m->mul[b][m->table[p][q]]];
}

/* Are all its rotations in SH_3 when q becomes q ^ flip? */
static bool
works(const machine *m, uint32_t letter, uint32_t flip)
{
    for (uint32_t p = 0; p < m->np; p++)
        for (uint32_t q = 0; q < m->nq; q++)
            if (!m->single[factor(m, letter / ORDER, letter % ORDER, p, q, q ^ flip)])
                return false;
    return true;
}

/* 0: keep, 1: flip, -1: neither does. */
static int
choice(const machine *m, uint32_t letter)
{
    if (works(m, letter, 0))
        return 0;
    return m->nq == 2 && works(m, letter, 1) ? 1 : -1;
}

/* ---- the machine, run ---- */

typedef struct {
    uint32_t sign[2]; /* bits of the signs in layer 1: p, q */
    uint32_t turn;    /* index of the matrix in layer 2 */
} joint;

typedef struct {
    const machine *m;
    int flip[MAX_LETTERS];
    uint32_t letters;
    ckda_mat_struct step[ORDER]; /* layer 2: transition for a rotation in SH_3 */
    bool have[ORDER];
    ckda_mat_struct turn[2 * ORDER]; /* matrices met in layer 2 */
    uint32_t turns;
    joint *state;
    uint32_t states;
    uint32_t at[2][2][2 * ORDER]; /* number of a joint state + 1 */
} search;

/* The transition of layer 2, from its key and signs: I - 2 ww'/w'w times the signs, or
 * the signs alone with beta = 0 when w = 0. */
static ckda_truth
make_step(ckda_evidence *ev, search *s, uint32_t a)
{
    const ckda_field_struct *K = s->m->c->K;
    int signs[3];
    ckda_trans_t t;
    ckda_mat_init(&s->step[a], 3, 3, K);
    s->have[a] = true;
    ckda_trans_init(t, CKDA_CKDA, 3, 1, K);
    ckda_truth truth = ckda_evidence_expect(
        ev, ckda_signed_householder(signs, t->key, &s->m->c->rotation[a], K) > 0,
        "the rotation %u is a signed Householder matrix", a);
    bool zero = true;
    for (slong i = 0; i < 3 && truth == CKDA_TRUE; i++) {
        ckda_elem_set_si(t->gate + i, signs[i], K);
        zero = zero && ckda_elem_is_zero(t->key + i, K);
    }
    if (zero)
        ckda_elem_one(t->key, K);
    ckda_elem_set_si(t->beta, zero ? 0 : 2, K);
    if (truth == CKDA_TRUE && ckda_trans_check(t, K, &ev->problem) != CKDA_OK)
        truth = CKDA_UNKNOWN;
    if (truth == CKDA_TRUE && ckda_trans_matrix(&s->step[a], t, K) != CKDA_OK)
        truth = ckda_evidence_unable(ev, "a zero key");
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_mat(ev, "the rotation from its key and signs",
                                         &s->step[a], &s->m->c->rotation[a], K);
    ckda_trans_clear(t, K);
    return truth;
}

/* The number of the matrix; a new one is kept. */
static uint32_t
find_turn(search *s, const ckda_mat_struct *A)
{
    const ckda_field_struct *K = s->m->c->K;
    for (uint32_t i = 0; i < s->turns; i++)
        if (ckda_mat_equal(NULL, &s->turn[i], A, K))
            return i;
    ckda_require(s->turns < 2 * ORDER, "more than 120 matrices");
    ckda_mat_init_set(&s->turn[s->turns], A, K);
    return s->turns++;
}

static void
visit(search *s, joint to)
{
    uint32_t *at = &s->at[to.sign[0]][to.sign[1]][to.turn];
    if (*at == 0) {
        s->state[s->states++] = to;
        *at = s->states;
    }
}

/* tau^p C(p,q) acc, in S_5; -1 when the matrix is no rotation of A_5. */
static int64_t
decode(const search *s, joint x)
{
    const machine *m = s->m;
    uint32_t acc = 0;
    while (acc < ORDER
           && !ckda_mat_equal(NULL, &m->c->rotation[acc], &s->turn[x.turn], m->c->K))
        acc++;
    if (acc == ORDER)
        return -1;
    const uint32_t g = in_S(m, m->mul[m->table[x.sign[0]][x.sign[1]]][acc]);
    return x.sign[0] == 1 ? ckda_group_mul(m->S, m->tau, g) : g;
}

static uint32_t
letter_element(const machine *m, uint32_t letter)
{
    const uint32_t a = in_S(m, letter % ORDER);
    return letter >= ORDER ? ckda_group_mul(m->S, m->tau, a) : a;
}

/* Layer 1 first; layer 2 sees its new signs and the letter. */
static ckda_truth
follow(ckda_evidence *ev, search *s, joint from, uint32_t letter, ckda_mat_t A, joint *to)
{
    const machine *m = s->m;
    const uint32_t e = letter / ORDER, flip = (uint32_t)s->flip[letter];
    to->sign[0] = from.sign[0] ^ e;
    to->sign[1] = from.sign[1] ^ flip;
    const uint32_t p = to->sign[0] ^ e, q = to->sign[1] ^ flip;
    const uint8_t a = factor(m, e, letter % ORDER, p, q, to->sign[1]);
    if (!s->have[a]) {
        const ckda_truth truth = make_step(ev, s, a);
        if (truth != CKDA_TRUE)
            return truth;
    }
    if (ckda_mat_mul(A, &s->step[a], &s->turn[from.turn], m->c->K) != CKDA_OK)
        return ckda_evidence_unable(ev, "matrices of different shapes");
    to->turn = find_turn(s, A);
    return CKDA_TRUE;
}

static ckda_truth
check_edge(ckda_evidence *ev, search *s, uint32_t from, uint32_t letter, ckda_mat_t A,
           int64_t *value)
{
    const machine *m = s->m;
    joint to;
    ckda_truth truth = follow(ev, s, s->state[from], letter, A, &to);
    if (truth != CKDA_TRUE)
        return truth;
    const uint32_t known = s->states;
    visit(s, to);
    const uint32_t at = s->at[to.sign[0]][to.sign[1]][to.turn] - 1;
    if (s->states > known)
        value[at] = decode(s, to);
    const int64_t want =
        ckda_group_mul(m->S, letter_element(m, letter), (uint32_t)value[from]);
    return ckda_evidence_expect(ev, value[at] == want,
                                "letter %u from joint state %u decodes to the product",
                                letter, from);
}

static ckda_truth
explore(ckda_evidence *ev, search *s, uint64_t *edges)
{
    const ckda_field_struct *K = s->m->c->K;
    int64_t value[8 * ORDER] = {0};
    ckda_mat_t A;
    ckda_mat_init(A, 3, 3, K);
    const ckda_status st = ckda_mat_one(A, K);
    ckda_require(st == CKDA_OK, "square");
    visit(s, (joint){.turn = find_turn(s, A)});
    value[0] = decode(s, s->state[0]);
    ckda_truth truth = ckda_evidence_expect(ev, value[0] == 0,
                                            "the initial state decodes to the identity");
    for (uint32_t from = 0; from < s->states; from++)
        for (uint32_t x = 0; x < s->letters && truth == CKDA_TRUE; x++, ++*edges)
            truth = check_edge(ev, s, from, x, A, value);
    ckda_mat_clear(A, K);
    return truth;
}

static void
search_clear(search *s)
{
    for (uint32_t i = 0; i < s->turns; i++)
        ckda_mat_clear(&s->turn[i], s->m->c->K);
    for (uint32_t a = 0; a < ORDER; a++)
        if (s->have[a])
            ckda_mat_clear(&s->step[a], s->m->c->K);
    flint_free(s->state);
}

static ckda_truth
expect_counts(ckda_evidence *ev, const ckda_node *in, const char *const *name,
              const long *got, size_t n)
{
    ckda_node expect;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&expect, in, "expect", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++) {
        long want;
        if (ckda_node_get_long(&want, &expect, name[i], 0, 100000000, &ev->problem)
            != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = ckda_evidence_expect_long(ev, name[i], got[i], want);
    }
    return truth;
}

static ckda_truth
expect_choice(ckda_evidence *ev, const machine *m, uint32_t letter, int flip)
{
    const ckda_truth truth = ckda_evidence_expect(
        ev, flip >= 0, "every letter has rotations in SH_3 from all signs");
    if (truth == CKDA_FALSE) {
        char *text = ckda_perm_str(&m->S->element[letter_element(m, letter)]);
        ckda_evidence_fact(ev, "letter", "%s", text);
        free(text);
    }
    return truth;
}

static ckda_truth
run_machine(ckda_evidence *ev, const machine *m, const ckda_node *in)
{
    static const char *const name[] = {"keep", "flip", "states", "edges", "turns"};
    search s = {.m = m, .letters = m->np * ORDER};
    long count[2] = {0, 0};
    uint64_t edges = 0;
    ckda_truth truth = CKDA_TRUE;
    for (uint32_t x = 0; x < s.letters && truth == CKDA_TRUE; x++) {
        s.flip[x] = choice(m, x);
        truth = expect_choice(ev, m, x, s.flip[x]);
        if (truth == CKDA_TRUE)
            count[s.flip[x]]++;
    }
    if (truth != CKDA_TRUE)
        return truth;
    s.state = flint_malloc(8 * ORDER * sizeof *s.state);
    truth = explore(ev, &s, &edges);
    const long got[] = {count[0], count[1], (long)s.states, (long)edges, (long)s.turns};
    if (truth == CKDA_TRUE)
        truth = expect_counts(ev, in, name, got, 5);
    ckda_evidence_scope(ev, "%u joint states x %u letters, %u states in layer 2",
                        s.states, s.letters, s.turns);
    search_clear(&s);
    return truth;
}

/* "table": {"01": "(1,4)(3,5)", ...}; what is not named is the identity. */
static ckda_status
read_table(machine *m, const ckda_node *in, ckda_error *err)
{
    static const char *const key[2][2] = {{"00", "01"}, {"10", "11"}};
    ckda_node table;
    const char *text;
    memset(m->table, 0, sizeof m->table);
    if (ckda_node_member(&table, in, "table", err) != CKDA_OK)
        return CKDA_E_INPUT;
    for (uint32_t p = 0; p < m->np; p++)
        for (uint32_t q = 0; q < m->nq; q++) {
            uint32_t g;
            if (!ckda_node_has(&table, key[p][q]))
                continue;
            if (ckda_node_get_string(&text, &table, key[p][q], err) != CKDA_OK
                || ckda_group_parse(&g, m->c->G, text, err) != CKDA_OK)
                return CKDA_E_INPUT;
            m->table[p][q] = (uint8_t)g;
        }
    return CKDA_OK;
}

ckda_truth
ckda_check_small_tracker(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"bits", "tau", "table", "expect"};
    machine m;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(in, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || machine_open(&m, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = CKDA_UNKNOWN;
    if (read_bits(&m, in, err) == CKDA_OK && read_table(&m, in, err) == CKDA_OK)
        truth = run_machine(ev, &m, in);
    machine_close(&m);
    return truth;
}

/* ---- how many tables do ---- */

typedef struct {
    long tables, work, flips_alone;
    long by_order[7]; /* of C(0,1) */
} tally;

/* The tables come as numbers in base 60, one digit for each free entry. */
static void
set_table(machine *m, uint32_t code, bool fixed)
{
    for (uint32_t p = 0; p < 2; p++) /* gcc 12 does not see that np, nq <= 2 */
        for (uint32_t q = 0; q < 2; q++) {
            if (p >= m->np || q >= m->nq)
                continue;
            const bool start = fixed && p == 0 && q == 0;
            m->table[p][q] = start ? 0 : (uint8_t)(code % ORDER);
            code /= start ? 1 : ORDER;
        }
}

static void
try_table(machine *m, tally *t)
{
    bool all = true, flips = m->nq == 2;
    t->tables++;
    for (uint32_t x = 0; x < m->np * ORDER && (all || flips); x++) {
        const bool flip = m->nq == 2 && works(m, x, 1);
        all = all && (flip || works(m, x, 0));
        flips = flips && flip;
    }
    t->flips_alone += flips;
    t->work += all;
    if (all)
        t->by_order[ckda_perm_order(&m->c->G->element[m->table[0][m->nq - 1]])]++;
}

static ckda_truth
count_tables(ckda_evidence *ev, machine *m, const ckda_node *in)
{
    static const char *const name[] = {"work",    "flips_alone", "tables",
                                       "order_2", "order_3",     "order_5"};
    const bool fixed = m->nq == 2;
    uint32_t codes = 1;
    tally t = {0};
    for (uint32_t i = fixed ? 1 : 0; i < m->np * m->nq; i++)
        codes *= ORDER;
    for (uint32_t code = 0; code < codes; code++) {
        set_table(m, code, fixed);
        try_table(m, &t);
    }
    ckda_evidence_count(ev, (uint64_t)t.tables);
    const long got[] = {t.work,        t.flips_alone, t.tables,
                        t.by_order[2], t.by_order[3], t.by_order[5]};
    return expect_counts(ev, in, name, got, fixed && m->np == 1 ? 6 : 3);
}

ckda_truth
ckda_check_small_tracker_count(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"bits", "tau", "all_tau", "expect"};
    machine m;
    long single = 0, taus = 0;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(in, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || machine_open(&m, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (uint32_t a = 0; a < ORDER; a++)
        single += m.single[a];
    ckda_truth truth = CKDA_UNKNOWN;
    if (read_bits(&m, in, err) == CKDA_OK) {
        truth = count_tables(ev, &m, in);
        taus = 1;
        for (uint32_t g = 1; g < m.S->order && truth == CKDA_TRUE && m.np == 2
                             && ckda_node_has(in, "all_tau");
             g++)
            if (ckda_perm_cycles(&m.S->element[g]) == 4 && g != m.tau) {
                set_tau(&m, g);
                truth = count_tables(ev, &m, in);
                taus++;
            }
    }
    ckda_evidence_scope(ev, "%ld of 60 rotations in SH_3, all tables", single);
    if (m.np == 2)
        ckda_evidence_scope(ev, "%ld transpositions tau", taus);
    machine_close(&m);
    return truth;
}
