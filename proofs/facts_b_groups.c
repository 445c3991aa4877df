/* proofs/facts_b_groups.c -- what commutators forbid: simple groups and alphabets of S5.
 *
 * Statement.  simple_obstruction: each group of the table has the order stated, every
 * element but 1 generates it as a normal subgroup if it is said to be simple, and for one
 * element c of the order named from each class so many w in all have [c, w c w^-1]^exponent
 * other than 1.  alphabet_dichotomy: of the permutations of n points exactly `allowed` have
 * at most `pairs` non-real pairs of eigenvalues, the same as are products of at most
 * `swaps` transpositions; as letters they track the group; each of the others has a w
 * with [c, w c w^-1]^exponent other than 1; of the pairs that generate the group so many
 * hold one of the others and so many do not.
 *
 * Why the check suffices.  All elements are listed; conjugating c and w by one element
 * conjugates the commutator, so one c of each class does.  A normal subgroup that contains
 * 1 alone of each class of prime order is trivial; for one element of every such class the
 * conjugates by the generators are added until the subgroup is normal.  Eigenvalues are
 * counted exactly; states are closed exactly.
 *
 * Not shown here: why a tracker needs [c, w c w^-1]^exponent = 1 (C-22, C-23 and the human
 * steps of the claims).                                                                  */
#include <stdlib.h>
#include <string.h>
#include "checks.h"
#include "ckda/construct.h"
#include "ckda/reach.h"
#include "ckda/spectrum.h"
#include "rows.h"

enum { MAX_GENERATORS = 8, MAX_CLASSES = 64 };

static uint32_t
conjugate(const ckda_group_t G, uint32_t w, uint32_t c)
{
    return ckda_group_mul(G, ckda_group_mul(G, w, c), ckda_group_inv(G, w));
}

/* [c, w c w^-1]. */
static uint32_t
commutator(const ckda_group_t G, uint32_t c, uint32_t w)
{
    const uint32_t d = conjugate(G, w, c);
    return ckda_group_mul(G, ckda_group_mul(G, c, d),
                          ckda_group_inv(G, ckda_group_mul(G, d, c)));
}

/* w with [c, w c w^-1]^exponent other than 1. */
static long
count_bad(const ckda_group_t G, uint32_t c, uint64_t exponent)
{
    long bad = 0;
    for (uint32_t w = 0; w < G->order; w++)
        bad += ckda_group_pow(G, commutator(G, c, w), exponent) != 0;
    return bad;
}

/* ---- classes and normal subgroups --------------------------------------------------------- */

/* Marks what conjugation by the generators makes of g; queue: room for all elements. */
static void
mark_class(bool *seen, uint32_t *queue, const ckda_group_t G, uint32_t g)
{
    uint32_t n = 1;
    queue[0] = g;
    seen[g] = true;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t j = 0; j < G->ngen; j++) {
            const uint32_t x = conjugate(G, G->generator[j], queue[k]);
            if (seen[x])
                continue;
            seen[x] = true;
            queue[n++] = x;
        }
}

/* The subgroup that x[0 .. n-1] generate: marks it, returns its order. */
static uint32_t
generate(bool *in, uint32_t *queue, const ckda_group_t G, const uint32_t *x, uint32_t n)
{
    uint32_t count = 1;
    memset(in, 0, G->order * sizeof *in);
    queue[0] = 0;
    in[0] = true;
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t j = 0; j < n; j++) {
            const uint32_t y = ckda_group_mul(G, x[j], queue[k]);
            if (in[y])
                continue;
            in[y] = true;
            queue[count++] = y;
        }
    return count;
}

/* Order of the least normal subgroup with g in it. */
static uint32_t
normal_closure(bool *in, uint32_t *queue, const ckda_group_t G, uint32_t g)
{
    /* each new generator at least doubles the subgroup */
    uint32_t x[32] = {g}, n = 1, order;
    for (;;) {
        const uint32_t old = n;
        order = generate(in, queue, G, x, n);
        for (uint32_t i = 0; i < old && n == old; i++)
            for (uint32_t j = 0; j < G->ngen && n == old; j++) {
                const uint32_t y = conjugate(G, G->generator[j], x[i]);
                if (!in[y])
                    x[n++] = y;
            }
        if (n == old)
            return order;
    }
}

static bool
is_prime(uint64_t n)
{
    for (uint64_t q = 2; q * q <= n; q++)
        if (n % q == 0)
            return false;
    return n >= 2;
}

/* Work space for one group. */
typedef struct {
    const ckda_group_struct *G;
    bool *seen, *in;
    uint32_t *queue;
} space;

static void
open_space(space *s, const ckda_group_t G)
{
    s->G = G;
    s->seen = flint_calloc(G->order, sizeof *s->seen);
    s->in = flint_calloc(G->order, sizeof *s->in);
    s->queue = flint_malloc(G->order * sizeof *s->queue);
}

static void
close_space(space *s)
{
    flint_free(s->queue);
    flint_free(s->in);
    flint_free(s->seen);
}

/* A nontrivial normal subgroup has an element of prime order. */
static ckda_truth
check_simple(ckda_evidence *ev, space *s)
{
    const ckda_group_struct *G = s->G;
    ckda_truth truth = CKDA_TRUE;
    memset(s->seen, 0, G->order * sizeof *s->seen);
    for (uint32_t g = 1; g < G->order && truth == CKDA_TRUE; g++) {
        if (s->seen[g] || !is_prime(ckda_perm_order(&G->element[g])))
            continue;
        mark_class(s->seen, s->queue, G, g);
        truth = ckda_evidence_expect_long(ev, "order of a normal subgroup",
                                          (long)normal_closure(s->in, s->queue, G, g),
                                          (long)G->order);
        if (truth == CKDA_FALSE) {
            char *text = ckda_perm_str(&G->element[g]);
            ckda_evidence_fact(ev, "generated by the class of", "%s", text);
            free(text);
        }
    }
    return truth;
}

/* ---- the table of groups --------------------------------------------------------------------- */

static ckda_status
read_generators(ckda_group_t G, const char *name, const ckda_node *row, ckda_error *err)
{
    ckda_node list, item;
    ckda_perm gen[MAX_GENERATORS];
    const char *text;
    size_t n;
    long degree;
    if (ckda_node_get_long(&degree, row, "degree", 1, CKDA_PERM_MAX, err) != CKDA_OK
        || ckda_node_member(&list, row, "generators", err) != CKDA_OK
        || ckda_node_size(&n, &list, err) != CKDA_OK)
        return CKDA_E_INPUT;
    if (n < 1 || n > MAX_GENERATORS)
        return ckda_node_fail(&list, err, "one to eight generators", NULL);
    for (size_t i = 0; i < n; i++)
        if (ckda_node_item(&item, &list, i, err) != CKDA_OK
            || ckda_node_string(&text, &item, err) != CKDA_OK
            || ckda_perm_parse(&gen[i], (int)degree, text, err) != CKDA_OK)
            return CKDA_E_INPUT;
    return ckda_group_init_generated(G, name, gen, NULL, (uint32_t)n,
                                     CKDA_GROUP_MAX_ORDER, err);
}

/* Bad w summed over one element of each class of the order named. */
static ckda_truth
check_commutators(ckda_evidence *ev, space *s, const ckda_node *row)
{
    const ckda_group_struct *G = s->G;
    long order, exponent, classes, bad, got = 0, found = 0;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_long(&order, row, "element", 2, 1000, err) != CKDA_OK
        || ckda_node_get_long(&exponent, row, "exponent", 1, 1000, err) != CKDA_OK
        || ckda_node_get_long(&classes, row, "classes", 1, MAX_CLASSES, err) != CKDA_OK
        || ckda_node_get_long(&bad, row, "bad", 0, 100000000, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    memset(s->seen, 0, G->order * sizeof *s->seen);
    for (uint32_t g = 1; g < G->order; g++) {
        if (s->seen[g] || ckda_perm_order(&G->element[g]) != (uint64_t)order)
            continue;
        mark_class(s->seen, s->queue, G, g);
        found++;
        got += count_bad(G, g, (uint64_t)exponent);
        ckda_evidence_count(ev, G->order);
    }
    ckda_truth truth =
        ckda_evidence_expect_long(ev, "classes of this order", found, classes);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "commutators that do not vanish", got, bad);
    return truth;
}

static ckda_truth
check_group(ckda_evidence *ev, const ckda_node *row)
{
    static const char *const known[] = {"name",    "degree",   "generators",
                                        "order",   "simple",   "element",
                                        "classes", "exponent", "bad"};
    const char *name;
    ckda_node node;
    ckda_group_t G;
    space s;
    long order;
    bool simple;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(row, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || ckda_node_get_string(&name, row, "name", err) != CKDA_OK
        || ckda_node_get_long(&order, row, "order", 1, CKDA_GROUP_MAX_ORDER, err)
               != CKDA_OK
        || ckda_node_member(&node, row, "simple", err) != CKDA_OK
        || ckda_node_bool(&simple, &node, err) != CKDA_OK
        || read_generators(G, name, row, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    open_space(&s, G);
    ckda_truth truth = ckda_evidence_expect_long(ev, "order", (long)G->order, order);
    if (truth == CKDA_TRUE && simple)
        truth = check_simple(ev, &s);
    if (truth == CKDA_TRUE)
        truth = check_commutators(ev, &s, row);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact(ev, "group", "%s", name);
    close_space(&s);
    ckda_group_clear(G);
    return truth;
}

ckda_truth
ckda_check_simple_obstruction(ckda_evidence *ev, const ckda_node *in)
{
    size_t n = 0;
    const ckda_truth truth = rows_check(&n, ev, in, check_group);
    ckda_evidence_scope(ev, "%zu groups, one element of each class with all conjugators",
                        n);
    return truth;
}

/* ---- alphabets of S_n ------------------------------------------------------------------------ */

typedef struct {
    ckda_construction_t c;
    bool *allowed; /* of each element */
    long pairs, swaps, want, exponent, with, without;
} alphabet;

static ckda_status
read_alphabet(alphabet *a, const ckda_node *in, ckda_error *err)
{
    static const char *const known[] = {"system",   "pairs", "swaps",  "allowed",
                                        "exponent", "with",  "without"};
    const char *system;
    if (ckda_node_only(in, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || ckda_node_get_string(&system, in, "system", err) != CKDA_OK
        || ckda_node_get_long(&a->pairs, in, "pairs", 0, 10, err) != CKDA_OK
        || ckda_node_get_long(&a->swaps, in, "swaps", 0, 10, err) != CKDA_OK
        || ckda_node_get_long(&a->want, in, "allowed", 0, 1000, err) != CKDA_OK
        || ckda_node_get_long(&a->exponent, in, "exponent", 1, 1000, err) != CKDA_OK
        || ckda_node_get_long(&a->with, in, "with", 0, 1000000, err) != CKDA_OK
        || ckda_node_get_long(&a->without, in, "without", 0, 1000000, err) != CKDA_OK)
        return CKDA_E_INPUT;
    ckda_status status = ckda_construct(a->c, system, "householder", err);
    if (status != CKDA_OK)
        return status;
    if (a->c->G->order > 1000) {
        ckda_error_set(err, "%s has more than 1000 elements", system);
        ckda_construct_clear(a->c);
        return CKDA_E_INPUT;
    }
    a->allowed = flint_calloc(a->c->G->order, sizeof *a->allowed);
    return CKDA_OK;
}

/* Non-real pairs on the circle and transpositions needed (degree less cycles, which is also
 * how many reflections the construction takes) allow the same elements. */
static ckda_truth
check_element(ckda_evidence *ev, alphabet *a, uint32_t g)
{
    const ckda_construction_struct *c = a->c;
    const ckda_perm *p = &c->G->element[g];
    const long swaps = p->n - ckda_perm_cycles(p);
    ckda_root_counts counts;
    ckda_poly_t f;
    ckda_poly_init(f, c->K);
    ckda_require(ckda_mat_charpoly(f, &c->matrix[g], c->K) == CKDA_OK, "a square matrix");
    ckda_poly_count_roots(&counts, f, c->K);
    ckda_poly_clear(f, c->K);
    a->allowed[g] = counts.unit_circle_pairs <= a->pairs;
    ckda_truth truth = ckda_evidence_expect(
        ev, swaps == 0 || c->trans[g].steps == swaps,
        "a permutation with %d cycles takes %ld reflections", ckda_perm_cycles(p), swaps);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(ev, a->allowed[g] == (swaps <= a->swaps),
                                     "at most %ld pairs iff at most %ld transpositions",
                                     a->pairs, a->swaps);
    if (truth == CKDA_TRUE && !a->allowed[g])
        truth = ckda_evidence_expect(ev, count_bad(c->G, g, (uint64_t)a->exponent) > 0,
                                     "some w has [c, w c w^-1]^%ld other than 1",
                                     a->exponent);
    if (truth == CKDA_FALSE) {
        char *text = ckda_perm_str(p);
        ckda_evidence_fact(ev, "element", "%s, %ld non-real pairs", text,
                           (long)counts.nonreal_pairs);
        free(text);
    }
    return truth;
}

static ckda_truth
check_elements(ckda_evidence *ev, alphabet *a)
{
    long allowed = 0;
    ckda_truth truth = CKDA_TRUE;
    for (uint32_t g = 0; g < a->c->G->order && truth == CKDA_TRUE; g++) {
        truth = check_element(ev, a, g);
        allowed += a->allowed[g];
    }
    return truth == CKDA_TRUE
               ? ckda_evidence_expect_long(ev, "allowed letters", allowed, a->want)
               : truth;
}

/* The allowed letters reach every element, one state each. */
static ckda_truth
check_tracking(ckda_evidence *ev, const alphabet *a)
{
    const ckda_construction_struct *c = a->c;
    ckda_mat_struct *A = flint_malloc(c->G->order * sizeof *A);
    uint32_t *element = flint_malloc(c->G->order * sizeof *element);
    ckda_system_t sys = {{.K = c->K, .linear = A, .G = c->G, .letter_element = element}};
    ckda_reach_t reach;
    ckda_truth truth = CKDA_UNKNOWN;
    for (uint32_t g = 0; g < c->G->order; g++)
        if (a->allowed[g]) {
            A[sys->nletters] = c->matrix[g]; /* borrowed */
            element[sys->nletters++] = g;
        }
    ckda_mat_init_set(sys->initial, &c->matrix[0], c->K);
    if (ckda_reach_run(reach, sys, NULL, 0, &ev->problem) == CKDA_OK) {
        truth = ckda_evidence_expect(ev, reach->decoder_consistent == CKDA_TRUE,
                                     "the state determines the product");
        if (truth == CKDA_TRUE)
            truth = ckda_evidence_expect_long(ev, "states", (long)reach->states,
                                              (long)c->G->order);
        ckda_evidence_count(ev, reach->edges);
        ckda_reach_clear(reach);
    }
    ckda_mat_clear(sys->initial, c->K);
    flint_free(element);
    flint_free(A);
    return truth;
}

/* Pairs of letters that generate the group, with and without a letter that is not allowed. */
static ckda_truth
check_alphabets(ckda_evidence *ev, const alphabet *a)
{
    const ckda_group_struct *G = a->c->G;
    long count[2] = {0, 0};
    space s;
    open_space(&s, a->c->G);
    for (uint32_t g = 0; g < G->order; g++)
        for (uint32_t h = 0; h < g; h++) {
            const uint32_t x[2] = {g, h};
            if (generate(s.in, s.queue, G, x, 2) == G->order)
                count[a->allowed[g] && a->allowed[h]]++;
        }
    close_space(&s);
    ckda_evidence_count(ev, (uint64_t)G->order * (G->order - 1) / 2);
    ckda_truth truth =
        ckda_evidence_expect_long(ev, "pairs with a forbidden letter", count[0], a->with);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "pairs of allowed letters", count[1],
                                          a->without);
    return truth;
}

ckda_truth
ckda_check_alphabet_dichotomy(ckda_evidence *ev, const ckda_node *in)
{
    alphabet a;
    if (read_alphabet(&a, in, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = check_elements(ev, &a);
    if (truth == CKDA_TRUE)
        truth = check_tracking(ev, &a);
    if (truth == CKDA_TRUE)
        truth = check_alphabets(ev, &a);
    ckda_evidence_scope(ev, "%u permutations, all conjugators, all pairs of letters",
                        a.c->G->order);
    flint_free(a.allowed);
    ckda_construct_clear(a.c);
    return truth;
}
