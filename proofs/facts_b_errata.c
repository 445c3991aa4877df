/* proofs/facts_b_errata.c -- small witnesses: letters, queries, decoders.
 *
 * Statement.  letter_table: the letters of each row reach as many states as stated and the
 * state determines the product; the letter of the identity is I, and the letters multiply
 * like the group, as said.  query_field: the length of the vector of each row lies in
 * the field or not, as said.  letter_decoders: of all machines with the group as letters and
 * so many states those with a right decoder of state and last letter have a right decoder
 * of the state alone, and so many have one; so many have a right decoder of state and
 * parity of the time.
 *
 * Why the check suffices.  States are closed exactly.  A square root lies in the field or
 * not by a degree argument or at a prime.  All transition functions of a machine are listed;
 * a decoder exists iff what it sees has one product on all reachable pairs of state and
 * product.
 *
 * Not shown here: the same for machines of any size (the human step of b.E6).            */
#include <string.h>
#include "checks.h"
#include "ckda/construct.h"
#include "ckda/input.h"
#include "ckda/reach.h"
#include "rows.h"

enum { MAX_LETTERS = 8, MAX_STATES = 8 };

/* ---- letter_table ------------------------------------------------------------------------- */

typedef struct {
    ckda_group_t G;
    ckda_field_t K;
    ckda_mat_struct letter[MAX_LETTERS];
    uint32_t n;
} letters;

static void
clear_letters(letters *l)
{
    for (uint32_t i = 0; i < l->n; i++)
        ckda_mat_clear(&l->letter[i], l->K);
    ckda_field_clear(l->K);
    ckda_group_clear(l->G);
}

/* "letters": one matrix for each element, in the order of the group. */
static ckda_status
read_letters(letters *l, const ckda_node *row, ckda_error *err)
{
    ckda_node list, item;
    const char *system;
    size_t n;
    if (ckda_node_get_string(&system, row, "system", err) != CKDA_OK
        || ckda_node_member(&list, row, "letters", err) != CKDA_OK
        || ckda_node_size(&n, &list, err) != CKDA_OK
        || ckda_group_init_named(l->G, system, err) != CKDA_OK)
        return CKDA_E_INPUT;
    ckda_field_init_rational(l->K);
    l->n = 0;
    ckda_status status = CKDA_OK;
    if (n != l->G->order || n > MAX_LETTERS)
        status = ckda_node_fail(&list, err,
                                "one matrix for each of at most eight elements", NULL);
    for (; status == CKDA_OK && l->n < n; l->n++) {
        status = ckda_node_item(&item, &list, l->n, err);
        if (status == CKDA_OK)
            status = ckda_input_read_matrix(&l->letter[l->n], &item,
                                            l->n > 0 ? l->letter->rows : -1,
                                            l->n > 0 ? l->letter->rows : -1, l->K, err);
        if (status != CKDA_OK)
            break;
        if (l->letter[l->n].rows != l->letter[l->n].cols) {
            l->n++; /* cleared with the others */
            status = ckda_node_fail(&item, err, "a square matrix", NULL);
            break;
        }
    }
    if (status != CKDA_OK)
        clear_letters(l);
    return status;
}

/* A_hk = A_h A_k for all h, k? */
static bool
multiply_like_group(const letters *l)
{
    bool good = true;
    ckda_mat_t A;
    ckda_mat_init(A, l->letter->rows, l->letter->rows, l->K);
    for (uint32_t h = 0; h < l->n && good; h++)
        for (uint32_t k = 0; k < l->n && good; k++) {
            ckda_require(ckda_mat_mul(A, &l->letter[h], &l->letter[k], l->K) == CKDA_OK,
                         "square matrices");
            good = ckda_mat_equal(NULL, A, &l->letter[ckda_group_mul(l->G, h, k)], l->K);
        }
    ckda_mat_clear(A, l->K);
    return good;
}

static ckda_truth
check_closure(ckda_evidence *ev, const letters *l, long states)
{
    uint32_t element[MAX_LETTERS];
    ckda_system_t sys = {{.K = l->K,
                          .nletters = l->n,
                          .linear = l->letter,
                          .G = l->G,
                          .letter_element = element}};
    ckda_reach_t reach;
    ckda_truth truth = CKDA_UNKNOWN;
    for (uint32_t g = 0; g < l->n; g++)
        element[g] = g;
    ckda_mat_init(sys->initial, l->letter->rows, l->letter->rows, l->K);
    ckda_require(ckda_mat_one(sys->initial, l->K) == CKDA_OK, "a square matrix");
    if (ckda_reach_run(reach, sys, NULL, 0, &ev->problem) == CKDA_OK) {
        truth = ckda_evidence_expect_long(ev, "states", (long)reach->states, states);
        if (truth == CKDA_TRUE)
            truth = ckda_evidence_expect(ev, reach->decoder_consistent == CKDA_TRUE,
                                         "the state determines the product");
        ckda_evidence_count(ev, reach->edges);
        ckda_reach_clear(reach);
    }
    ckda_mat_clear(sys->initial, l->K);
    return truth;
}

static ckda_status
read_bool(bool *value, const ckda_node *row, const char *key, ckda_error *err)
{
    ckda_node node;
    if (ckda_node_member(&node, row, key, err) != CKDA_OK)
        return CKDA_E_INPUT;
    return ckda_node_bool(value, &node, err);
}

static ckda_truth
check_letter_row(ckda_evidence *ev, const ckda_node *row)
{
    static const char *const known[] = {"system", "letters", "states", "identity",
                                        "realization"};
    letters l;
    long states;
    bool identity, realization;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(row, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || ckda_node_get_long(&states, row, "states", 1, 100000, err) != CKDA_OK
        || read_bool(&identity, row, "identity", err) != CKDA_OK
        || read_bool(&realization, row, "realization", err) != CKDA_OK
        || read_letters(&l, row, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = check_closure(ev, &l, states);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(ev, ckda_mat_is_one(&l.letter[0], l.K) == identity,
                                     "whether the letter of the identity is I");
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(ev, multiply_like_group(&l) == realization,
                                     "whether A_hk = A_h A_k");
    if (truth == CKDA_FALSE)
        ckda_evidence_fact_mat(ev, "letter of the identity", &l.letter[0], l.K);
    clear_letters(&l);
    return truth;
}

ckda_truth
ckda_check_letter_table(ckda_evidence *ev, const ckda_node *in)
{
    size_t n = 0;
    const ckda_truth truth = rows_check(&n, ev, in, check_letter_row);
    ckda_evidence_scope(ev, "%zu tables of letters, all states", n);
    return truth;
}

/* ---- query_field --------------------------------------------------------------------------- */

/* Is the square root of x in K? */
static ckda_truth
root_in_field(const ckda_elem_t x, const ckda_field_t K)
{
    qqbar_t y;
    ckda_elem_t root;
    qqbar_init(y);
    ckda_elem_init(root, K);
    ckda_elem_get_qqbar(y, x, K);
    qqbar_sqrt(y, y);
    const ckda_status status = ckda_elem_set_qqbar(root, y, K);
    ckda_elem_clear(root, K);
    qqbar_clear(y);
    return status == CKDA_OK         ? CKDA_TRUE
           : status == CKDA_E_DOMAIN ? CKDA_FALSE
                                     : CKDA_UNKNOWN;
}

static ckda_truth
check_length(ckda_evidence *ev, const ckda_node *row, const ckda_field_t K, bool inside)
{
    ckda_node node;
    ckda_elem_struct *v;
    ckda_elem_t sum;
    slong n;
    if (ckda_node_member(&node, row, "vector", &ev->problem) != CKDA_OK
        || ckda_input_read_vector(&v, &n, &node, -1, K, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_elem_init(sum, K);
    for (slong i = 0; i < n; i++)
        ckda_elem_addmul(sum, v + i, v + i, K);
    ckda_truth truth = root_in_field(sum, K);
    if (truth == CKDA_UNKNOWN)
        (void)ckda_evidence_unable(
            ev, "whether a square root is in the field is not decided");
    else
        truth = ckda_evidence_expect(ev, (truth == CKDA_TRUE) == inside,
                                     "whether the length of the vector is in the field");
    if (truth == CKDA_FALSE)
        ckda_evidence_fact_elem(ev, "squared length", sum, K);
    ckda_elem_clear(sum, K);
    ckda_input_free_vector(v, n, K);
    return truth;
}

static ckda_truth
check_query_row(ckda_evidence *ev, const ckda_node *row)
{
    static const char *const known[] = {"field", "vector", "inside"};
    ckda_field_t K;
    bool inside;
    if (ckda_node_only(row, known, sizeof known / sizeof known[0], &ev->problem)
            != CKDA_OK
        || read_bool(&inside, row, "inside", &ev->problem) != CKDA_OK
        || ckda_input_field(K, row, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    const ckda_truth truth = check_length(ev, row, K, inside);
    ckda_field_clear(K);
    return truth;
}

ckda_truth
ckda_check_query_field(ckda_evidence *ev, const ckda_node *in)
{
    size_t n = 0;
    const ckda_truth truth = rows_check(&n, ev, in, check_query_row);
    ckda_evidence_scope(ev, "%zu vectors, their lengths", n);
    return truth;
}

/* ---- letter_decoders --------------------------------------------------------------------------- */

/* next[a][s]: letter a leads from state s there; state 0 is the initial one. */
typedef struct {
    const ckda_group_struct *G;
    uint32_t states, next[MAX_LETTERS][MAX_STATES];
} machine;

/* What a decoder sees besides the state. */
typedef enum { SEES_STATE, SEES_LETTER, SEES_PARITY } sight;

/* The next transition function in counting order; false after the last. */
static bool
count_up(machine *m)
{
    for (uint32_t a = 0; a < m->G->order; a++)
        for (uint32_t s = 0; s < m->states; s++) {
            if (++m->next[a][s] < m->states)
                return true;
            m->next[a][s] = 0;
        }
    return false;
}

/* product[seen]: what is decoded there, UINT32_MAX if nothing yet.  False for a conflict. */
static bool
agree(uint32_t *product, uint32_t g)
{
    if (*product == UINT32_MAX)
        *product = g;
    return *product == g;
}

/* Is there one product for each thing that the decoder sees?  Reachable are pairs of state
 * and product, with the parity of the time. */
static bool
decodable(const machine *m, sight sees)
{
    const uint32_t order = m->G->order;
    bool seen[2][MAX_STATES][MAX_LETTERS] = {{{false}}};
    uint32_t product[MAX_LETTERS][MAX_STATES], queue[2 * MAX_STATES * MAX_LETTERS], n = 1;
    memset(product, 0xff, sizeof product);
    queue[0] = 0;
    seen[0][0][0] = true;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t t = queue[k] % 2, g = queue[k] / 2 % order,
                       s = queue[k] / 2 / order;
        if (sees != SEES_LETTER && !agree(&product[sees == SEES_PARITY ? t : 0][s], g))
            return false;
        for (uint32_t a = 0; a < order; a++) {
            const uint32_t to = m->next[a][s], h = ckda_group_mul(m->G, a, g);
            if (sees == SEES_LETTER && !agree(&product[a][to], h))
                return false;
            if (seen[1 - t][to][h])
                continue;
            seen[1 - t][to][h] = true;
            queue[n++] = 2 * (to * order + h) + (1 - t);
        }
    }
    return true;
}

static ckda_truth
witness(ckda_evidence *ev, const machine *m, const char *what)
{
    for (uint32_t a = 0; a < m->G->order; a++) {
        char text[8 * MAX_STATES] = "";
        size_t at = 0;
        for (uint32_t s = 0; s < m->states; s++)
            at += (size_t)snprintf(text + at, sizeof text - at, " %u", m->next[a][s]);
        ckda_evidence_fact(ev, "states that a letter leads to", "%s", text + 1);
    }
    return ckda_evidence_expect(ev, false, "%s", what);
}

typedef struct {
    long right, parity, machines;
} totals;

/* Every machine; `sees` may stand in for the letter, to see that it matters. */
static ckda_truth
count_machines(ckda_evidence *ev, machine *m, sight sees, totals *sum)
{
    do {
        const bool state = decodable(m, SEES_STATE);
        sum->machines++;
        sum->right += state;
        sum->parity += decodable(m, SEES_PARITY);
        if (decodable(m, sees) && !state)
            return witness(ev, m, "a decoder of the state alone is right as well");
    } while (count_up(m));
    ckda_evidence_count(ev, (uint64_t)sum->machines);
    return CKDA_TRUE;
}

static ckda_status
read_sight(sight *sees, const ckda_node *row, ckda_error *err)
{
    ckda_node node;
    const char *text;
    if (ckda_node_member(&node, row, "sees", err) != CKDA_OK
        || ckda_node_string(&text, &node, err) != CKDA_OK)
        return CKDA_E_INPUT;
    if (strcmp(text, "letter") != 0 && strcmp(text, "parity") != 0)
        return ckda_node_fail(&node, err, "\"letter\" or \"parity\"", NULL);
    *sees = text[0] == 'l' ? SEES_LETTER : SEES_PARITY;
    return CKDA_OK;
}

static ckda_truth
check_machines(ckda_evidence *ev, const ckda_node *row)
{
    static const char *const known[] = {"system", "states", "sees", "right", "parity"};
    const char *system;
    ckda_group_t G;
    machine m = {.G = G};
    sight sees = SEES_LETTER;
    totals sum = {0};
    long states, right, parity;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(row, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || ckda_node_get_long(&states, row, "states", 1, MAX_STATES, err) != CKDA_OK
        || ckda_node_get_long(&right, row, "right", 0, 1000000000, err) != CKDA_OK
        || ckda_node_get_long(&parity, row, "parity", 0, 1000000000, err) != CKDA_OK
        || read_sight(&sees, row, err) != CKDA_OK
        || ckda_node_get_string(&system, row, "system", err) != CKDA_OK
        || ckda_group_init_named(G, system, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = CKDA_TRUE;
    m.states = (uint32_t)states;
    if (G->order > MAX_LETTERS)
        truth =
            ckda_evidence_unable(ev, "%s has more than %d elements", system, MAX_LETTERS);
    else
        truth = count_machines(ev, &m, sees, &sum);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "machines with a right decoder", sum.right,
                                          right);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(
            ev, "machines with a decoder of state and parity", sum.parity, parity);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact(ev, "letters", "%s, %ld states", system, states);
    ckda_evidence_scope(ev, "%s: %ld machines with %ld states", system, sum.machines,
                        states);
    ckda_group_clear(G);
    return truth;
}

ckda_truth
ckda_check_letter_decoders(ckda_evidence *ev, const ckda_node *in)
{
    ckda_node full;
    ckda_truth truth = rows_check(NULL, ev, in, check_machines);
    if (truth == CKDA_TRUE && ev->effort != CKDA_QUICK)
        truth = ckda_node_member(&full, in, "full", &ev->problem) == CKDA_OK
                    ? rows_check(NULL, ev, &full, check_machines)
                    : CKDA_UNKNOWN;
    return truth;
}
