/* proofs/covers.c -- commutators of planar rotations in (L x R)/+-1 for finite groups L, R of
 * unit quaternions.
 *
 * Statement.  In the group of the maps x -> p x conj(q) with p in L, q in R, each a binary
 * icosahedral ("2I") or dicyclic ("Dic10") group, the planar rotations of the order named are
 * as many as stated, and so are the orders of the commutators of all pairs of equal angle.
 *
 * Why the check suffices.  L and R are generated exactly: every product with a generator is
 * computed over a number field and found among the elements, so the multiplication table is
 * right.  The map of (p, q) turns two orthogonal planes by the sum and the difference of the
 * angles of p and q: it is planar iff p and q have one real part, its angle is twice that of
 * p, and its order that of p modulo +-1.  An element of order n has the angle 2 pi j / n with
 * j prime to n; which j follows from the order of the real parts, all of which occur.  (p, q)
 * and (-p, -q) are one map, counted with the angle below pi/2.
 *
 * Not shown here: that the groups of Lemma 23 are among these (its human part). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "checks.h"
#include "closure.h"
#include "rows.h"

enum { MAX_COVER = 240, MAX_ORDER = 120 };

typedef struct {
    ckda_field_t K;
    ckda_elem_struct q[MAX_COVER + 1][4];
    uint32_t n;
    uint32_t right[MAX_COVER][2]; /* index of g times generator */
    uint32_t parent[MAX_COVER], via[MAX_COVER];
    uint32_t order[MAX_COVER];
    uint32_t turn[MAX_COVER]; /* j of the angle 2 pi j / order, j <= order/2 */
} cover;

/* ---- quaternions -------------------------------------------------------------------- */

static void
times(ckda_elem_struct c[4], const ckda_elem_struct *a, const ckda_elem_struct *b,
      const ckda_field_t K)
{
    /* e_i e_j = sign e_k with k = i xor j */
    static const int sign[4][4] = {
        {1, 1, 1, 1}, {1, -1, 1, -1}, {1, -1, -1, 1}, {1, 1, -1, -1}};
    for (int k = 0; k < 4; k++)
        ckda_elem_zero(c + k, K);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            if (sign[i][j] > 0)
                ckda_elem_addmul(c + (i ^ j), a + i, b + j, K);
            else
                ckda_elem_submul(c + (i ^ j), a + i, b + j, K);
        }
}

static bool
equal(const ckda_elem_struct *a, const ckda_elem_struct *b, const ckda_field_t K)
{
    bool same = true;
    for (int i = 0; i < 4; i++)
        same = same && ckda_elem_equal(a + i, b + i, K);
    return same;
}

/* ---- the groups ----------------------------------------------------------------------- */

static ckda_status
set_text(ckda_elem_struct *q, const char *const text[4], const ckda_field_t K,
         ckda_error *err)
{
    ckda_status st = CKDA_OK;
    for (int i = 0; i < 4 && st == CKDA_OK; i++)
        st = ckda_elem_set_str(q + i, text[i], K, err);
    return st;
}

/* Field and two generators. */
static ckda_status
set_generators(cover *c, ckda_elem_struct gen[2][4], const char *name, ckda_error *err)
{
    static const char *const one[4] = {"1/2", "1/2", "1/2", "1/2"};
    static const char *const two[4] = {"(1+sqrt(5))/4", "1/2", "(sqrt(5)-1)/4", "0"};
    const bool icosahedral = strcmp(name, "2I") == 0;
    const long m = strncmp(name, "Dic", 3) == 0 ? strtol(name + 3, NULL, 10) : 0;
    if (!icosahedral && (m < 1 || m > MAX_COVER / 4)) {
        ckda_error_set(err, "expected \"2I\" or \"Dic\" and a number up to %d, found %s",
                       MAX_COVER / 4, name);
        return CKDA_E_INPUT;
    }
    if (icosahedral)
        ckda_field_init_sqrt(c->K, 5);
    else
        ckda_field_init_cos(c->K, (ulong)(m % 2 == 0 ? 2 * m : 4 * m));
    for (uint32_t i = 0; i <= MAX_COVER; i++)
        for (int j = 0; j < 4; j++)
            ckda_elem_init(c->q[i] + j, c->K);
    for (int g = 0; g < 2; g++)
        for (int j = 0; j < 4; j++)
            ckda_elem_init(gen[g] + j, c->K);
    if (icosahedral)
        return set_text(gen[0], one, c->K, err) == CKDA_OK
                       && set_text(gen[1], two, c->K, err) == CKDA_OK
                   ? CKDA_OK
                   : CKDA_E_INPUT;
    ckda_elem_one(gen[1] + 2, c->K);
    return ckda_elem_set_cos(gen[0], 1, (ulong)(2 * m), c->K) == CKDA_OK
                   && ckda_elem_set_sin(gen[0] + 1, 1, (ulong)(2 * m), c->K) == CKDA_OK
               ? CKDA_OK
               : CKDA_E_INPUT;
}

/* All products, found breadth-first; false beyond MAX_COVER. */
static bool
generate(cover *c, ckda_elem_struct gen[2][4])
{
    ckda_elem_one(c->q[0], c->K);
    c->n = 1;
    for (uint32_t s = 0; s < c->n; s++)
        for (uint32_t g = 0; g < 2; g++) {
            uint32_t t = 0;
            times(c->q[c->n], c->q[s], gen[g], c->K);
            while (!equal(c->q[t], c->q[c->n], c->K))
                t++;
            c->right[s][g] = t;
            if (t < c->n)
                continue;
            if (c->n == MAX_COVER)
                return false;
            c->parent[t] = s;
            c->via[t] = g;
            c->n++;
        }
    return true;
}

static uint32_t
product(const cover *c, uint32_t a, uint32_t b)
{
    return b == 0 ? a : c->right[product(c, a, c->parent[b])][c->via[b]];
}

static uint32_t
inverse(const cover *c, uint32_t a)
{
    uint32_t before = 0;
    for (uint32_t x = a; x != 0; x = product(c, x, a))
        before = x;
    return before;
}

static uint32_t
gcd(uint32_t a, uint32_t b)
{
    return b == 0 ? a : gcd(b, a % b);
}

/* first[g] = the first element of the same order and real part. */
static void
find_real_parts(uint32_t *first, const cover *c)
{
    for (uint32_t g = 0; g < c->n; g++) {
        first[g] = 0;
        while (c->order[first[g]] != c->order[g]
               || !ckda_elem_equal(c->q[first[g]], c->q[g], c->K))
            first[g]++;
    }
}

/* Number i among the j <= n/2 prime to n, from 0; 0 if there are fewer. */
static uint32_t
prime_number(uint32_t n, uint32_t i)
{
    for (uint32_t j = 1; j <= n / 2; j++)
        if (gcd(j, n) == 1 && i-- == 0)
            return j;
    return 0;
}

/* Angles from the order of the real parts; false if not all angles of an order occur. */
static bool
find_turns(cover *c, const uint32_t *first)
{
    for (uint32_t g = 1; g < c->n; g++) {
        uint32_t above = 0, all = 0;
        if (first[g] != g) {
            c->turn[g] = c->turn[first[g]];
            continue;
        }
        for (uint32_t h = 0; h < c->n; h++) {
            if (first[h] != h || c->order[h] != c->order[g])
                continue;
            all++;
            above += ckda_elem_cmp(c->q[h], c->q[g], c->K) > 0;
        }
        c->turn[g] = prime_number(c->order[g], above);
        if (c->turn[g] == 0 || prime_number(c->order[g], all - 1) == 0
            || prime_number(c->order[g], all) != 0)
            return false;
    }
    return true;
}

static bool
find_angles(cover *c)
{
    uint32_t first[MAX_COVER];
    for (uint32_t g = 0; g < c->n; g++) {
        c->order[g] = 1;
        for (uint32_t x = g; x != 0; x = product(c, x, g))
            c->order[g]++;
    }
    find_real_parts(first, c);
    return find_turns(c, first);
}

static void
cover_clear(cover *c)
{
    for (uint32_t i = 0; i <= MAX_COVER; i++)
        for (int j = 0; j < 4; j++)
            ckda_elem_clear(c->q[i] + j, c->K);
    ckda_field_clear(c->K);
}

/* Initialised only on CKDA_TRUE. */
static ckda_truth
cover_open(cover *c, ckda_evidence *ev, const char *name)
{
    ckda_elem_struct gen[2][4];
    memset(c, 0, sizeof *c);
    if (set_generators(c, gen, name, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    const bool closed = generate(c, gen);
    ckda_evidence_count(ev, 2 * (uint64_t)c->n);
    for (int g = 0; g < 2; g++)
        for (int j = 0; j < 4; j++)
            ckda_elem_clear(gen[g] + j, c->K);
    if (closed && find_angles(c))
        return CKDA_TRUE;
    cover_clear(c);
    return ckda_evidence_unable(ev, "%s: not closed, or an angle does not occur", name);
}

/* ---- pairs ------------------------------------------------------------------------------- */

typedef struct {
    uint32_t p, q;
} element;

/* Order of p modulo +-1: -1 is the one element of order 2. */
static uint32_t
turns(const cover *c, uint32_t p)
{
    return c->order[p] % 2 == 0 ? c->order[p] / 2 : c->order[p];
}

/* Planar rotations of this order, each once. */
static element *
planar_rotations(size_t *n, const cover *L, const cover *R, long order)
{
    element *list = flint_malloc((size_t)L->n * R->n * sizeof *list);
    *n = 0;
    for (uint32_t p = 0; p < L->n; p++) {
        if (turns(L, p) != (uint32_t)order || 4 * L->turn[p] >= L->order[p])
            continue;
        for (uint32_t q = 0; q < R->n; q++)
            if (R->order[q] == L->order[p] && R->turn[q] == L->turn[p])
                list[(*n)++] = (element){p, q};
    }
    return list;
}

static uint32_t
commutator(const cover *c, uint32_t a, uint32_t b)
{
    return product(c, product(c, a, b), product(c, inverse(c, a), inverse(c, b)));
}

/* Least k with u^k = v^k = 1 or u^k = v^k = -1. */
static long
order_of(const cover *L, uint32_t u, const cover *R, uint32_t v)
{
    uint32_t x = u, y = v;
    long k = 1;
    while (L->order[x] != R->order[y] || L->order[x] > 2) {
        x = product(L, x, u);
        y = product(R, y, v);
        k++;
    }
    return k;
}

static ckda_truth
count_pairs(ckda_evidence *ev, const ckda_node *row, const cover *L, const cover *R,
            long order)
{
    ckda_node want;
    long planar, count[MAX_ORDER + 1] = {0};
    size_t n;
    if (ckda_node_get_long(&planar, row, "planar", 0, 1000000, &ev->problem) != CKDA_OK
        || ckda_node_member(&want, row, "same_angle", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    element *list = planar_rotations(&n, L, R, order);
    ckda_truth truth = ckda_evidence_expect_long(ev, "planar rotations", (long)n, planar);
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        for (size_t j = 0; j < n && truth == CKDA_TRUE; j++) {
            if (L->order[list[i].p] != L->order[list[j].p]
                || L->turn[list[i].p] != L->turn[list[j].p])
                continue;
            const long k = order_of(L, commutator(L, list[i].p, list[j].p), R,
                                    commutator(R, list[i].q, list[j].q));
            if (k > MAX_ORDER)
                truth = ckda_evidence_unable(ev, "an order above %d", MAX_ORDER);
            else
                count[k]++;
            ckda_evidence_count(ev, 1);
        }
    flint_free(list);
    return truth == CKDA_TRUE
               ? closure_histogram(ev, "commutators, same angle", count, MAX_ORDER, &want)
               : truth;
}

static ckda_truth
check_row(ckda_evidence *ev, const ckda_node *row)
{
    static const char *const known[] = {"left", "right", "order", "planar", "same_angle"};
    const char *left, *right;
    long order;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(row, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || ckda_node_get_string(&left, row, "left", err) != CKDA_OK
        || ckda_node_get_string(&right, row, "right", err) != CKDA_OK
        || ckda_node_get_long(&order, row, "order", 3, MAX_ORDER, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    cover *c = flint_malloc(2 * sizeof *c);
    ckda_truth truth = cover_open(c, ev, left);
    if (truth == CKDA_TRUE) {
        truth = cover_open(c + 1, ev, right);
        if (truth == CKDA_TRUE) {
            truth = count_pairs(ev, row, c, c + 1, order);
            cover_clear(c + 1);
        }
        cover_clear(c);
    }
    flint_free(c);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact(ev, "group", "(%s x %s)/+-1, order %ld", left, right, order);
    return truth;
}

ckda_truth
ckda_check_cover_commutators(ckda_evidence *ev, const ckda_node *in)
{
    size_t n = 0;
    const ckda_truth truth = rows_check(&n, ev, in, check_row);
    ckda_evidence_scope(ev, "%zu groups and orders, all pairs of equal angle", n);
    return truth;
}
