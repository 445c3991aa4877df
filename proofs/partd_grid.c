/* proofs/partd_grid.c -- Jordan blocks at 0 of small transitions.
 *
 * Statement.  nilpotency_grid: over a grid of gates, keys and betas the numbers of
 * singular transitions (I - beta kk^T) Diag(alpha) with a largest block of size 1, 2, ...
 * at 0 are as stated; beta = 1 allows size 2, beta < 1 size 1 at most; seeded transitions
 * of more dimensions have blocks of the stated size at most, and reach it.
 *
 * Why the check suffices.  The size of the largest block at 0 is the least j with rank
 * A^j = rank A^(j+1).  Ranks are taken of integer matrices, multiples of A.
 *
 * Not shown here: other gates, keys and betas (d.L1 is the argument for all). */
#include "checks.h"
#include "closure.h"
#include "ckda/flint_compat.h"

enum { MAX_N = 6, MAX_VALUES = 16 };

/* (I - (b/bd) w w'/w'w) Diag(g/gd), times bd w'w gd. */
typedef struct {
    slong n;
    long w[MAX_N], g[MAX_N], b, bd;
} transition;

static void
set_matrix(fmpz_mat_t A, const transition *t)
{
    long norm = 0;
    for (slong i = 0; i < t->n; i++)
        norm += t->w[i] * t->w[i];
    for (slong i = 0; i < t->n; i++)
        for (slong j = 0; j < t->n; j++)
            fmpz_set_si(fmpz_mat_entry(A, i, j),
                        ((i == j ? t->bd * norm : 0) - t->b * t->w[i] * t->w[j])
                            * t->g[j]);
}

/* 0 if A is nonsingular. */
static long
block_size(const transition *t)
{
    fmpz_mat_t A, P;
    fmpz_mat_init(A, t->n, t->n);
    fmpz_mat_init(P, t->n, t->n);
    set_matrix(A, t);
    fmpz_mat_set(P, A);
    long size = 0;
    for (slong rank = t->n, next = fmpz_mat_rank(P); next < rank; size++) {
        rank = next;
        fmpz_mat_mul(P, P, A);
        next = fmpz_mat_rank(P);
    }
    fmpz_mat_clear(P);
    fmpz_mat_clear(A);
    return size;
}

static ckda_truth
check_size(ckda_evidence *ev, const transition *t, long size, long largest)
{
    const long most = t->b < t->bd ? 1 : t->b == t->bd && largest > 2 ? 2 : largest;
    ckda_evidence_count(ev, 1);
    if (size <= most)
        return CKDA_TRUE;
    ckda_evidence_fact(ev, "failed", "no block at 0 is larger than %ld", most);
    ckda_evidence_fact(ev, "size", "%ld", size);
    ckda_evidence_fact(ev, "beta", "%ld/%ld", t->b, t->bd);
    for (slong i = 0; i < t->n; i++)
        ckda_evidence_fact(ev, "key, gate (times a common denominator)", "%ld, %ld",
                           t->w[i], t->g[i]);
    return CKDA_FALSE;
}

/* ---- the grid ---- */

typedef struct {
    long gate[MAX_VALUES], key[MAX_VALUES], beta_to, beta_den, largest;
    size_t gates, keys;
} grid;

static ckda_status
read_longs(long *v, size_t *n, const ckda_node *in, const char *key, ckda_error *err)
{
    ckda_node list, item;
    if (ckda_node_member(&list, in, key, err) != CKDA_OK
        || ckda_node_size(n, &list, err) != CKDA_OK)
        return CKDA_E_INPUT;
    if (*n < 1 || *n > MAX_VALUES)
        return ckda_node_fail(&list, err, "1 to 16 integers", NULL);
    for (size_t i = 0; i < *n; i++)
        if (ckda_node_item(&item, &list, i, err) != CKDA_OK
            || ckda_node_long(&v[i], &item, -100, 100, err) != CKDA_OK)
            return CKDA_E_INPUT;
    return CKDA_OK;
}

/* The digits of `code`, base n, pick from value; false if all are 0. */
static bool
pick(long *to, slong n, const long *value, size_t values, size_t code)
{
    bool nonzero = false;
    for (slong i = 0; i < n; i++, code /= values) {
        to[i] = value[code % values];
        nonzero = nonzero || to[i] != 0;
    }
    return nonzero;
}

static size_t
power(size_t base, slong e)
{
    return e == 0 ? 1 : base * power(base, e - 1);
}

static ckda_truth
walk_grid(ckda_evidence *ev, const grid *g, slong n, long count[MAX_N + 1])
{
    transition t = {.n = n, .bd = g->beta_den};
    for (size_t k = 0; k < power(g->keys, n); k++) {
        if (!pick(t.w, n, g->key, g->keys, k))
            continue;
        for (size_t a = 0; a < power(g->gates, n); a++) {
            (void)pick(t.g, n, g->gate, g->gates, a);
            for (t.b = 0; t.b <= g->beta_to; t.b++) {
                const long size = block_size(&t);
                if (check_size(ev, &t, size, g->largest) != CKDA_TRUE)
                    return CKDA_FALSE;
                count[size]++;
            }
        }
    }
    return CKDA_TRUE;
}

static ckda_truth
check_grid(ckda_evidence *ev, const grid *g, const ckda_node *item)
{
    long n, singular, count[MAX_N + 1] = {0}, total = 0;
    ckda_node sizes;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_long(&n, item, "n", 1, 3, err) != CKDA_OK
        || ckda_node_get_long(&singular, item, "singular", 0, 100000000, err) != CKDA_OK
        || ckda_node_member(&sizes, item, "sizes", err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = walk_grid(ev, g, n, count);
    if (truth != CKDA_TRUE)
        return truth;
    const long regular = count[0];
    for (long i = 1; i <= n; i++)
        total += count[i];
    count[0] = 0;
    truth = ckda_evidence_expect_long(ev, "singular transitions", total, singular);
    if (truth == CKDA_TRUE)
        truth = closure_histogram(ev, "transitions with a largest block of this size",
                                  count, MAX_N, &sizes);
    ckda_evidence_scope(ev, "n = %ld: %ld transitions, %ld of them singular", n,
                        total + regular, total);
    return truth;
}

/* ---- more dimensions ---- */

/* Gates a, -b, 0 with w1^2 : w2^2 = a : b and beta (w1^2 + w2^2) = w'w make a block of
 * size 3; the other coordinates vary, and so does all of it half of the time. */
static void
draw(transition *t, ckda_rand *r)
{
    static const long gate[] = {0, 0, 1, -1, 2, -2, 4, -4};
    long norm = 0;
    for (slong i = 0; i < t->n; i++) {
        t->w[i] = (long)ckda_rand_range(r, -3, 3);
        t->g[i] = gate[ckda_rand_below(r, 8)];
    }
    t->w[0] = (long)ckda_rand_range(r, 1, 3);
    t->w[1] = (long)ckda_rand_range(r, 1, 3);
    for (slong i = 0; i < t->n; i++)
        norm += t->w[i] * t->w[i];
    t->b = (long)ckda_rand_range(r, 0, 24);
    t->bd = 8;
    if (ckda_rand_below(r, 2) == 0)
        return;
    t->g[0] = t->w[0] * t->w[0];
    t->g[1] = -t->w[1] * t->w[1];
    t->b = norm;
    t->bd = t->w[0] * t->w[0] + t->w[1] * t->w[1];
}

static ckda_truth
check_seeded(ckda_evidence *ev, const ckda_node *in, long largest)
{
    ckda_node seeded;
    long matrices, n[MAX_VALUES], found = 0;
    size_t sizes;
    ckda_rand r;
    ckda_error *err = &ev->problem;
    if (ckda_node_member(&seeded, in, "seeded", err) != CKDA_OK
        || ckda_node_get_long(&matrices, &seeded, "matrices", 0, 10000000, err) != CKDA_OK
        || read_longs(n, &sizes, &seeded, "n", err) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (matrices == 0)
        return CKDA_TRUE;
    ckda_evidence_weaken(ev, CKDA_INSTANCES);
    ckda_rand_init(&r, ev->seed);
    if (ev->effort != CKDA_QUICK)
        matrices *= 100;
    for (long i = 0; i < matrices; i++) {
        transition t = {.n = n[(size_t)i % sizes]};
        if (t.n < 3 || t.n > MAX_N)
            return ckda_evidence_unable(ev, "seeded transitions have n = 3 to %d", MAX_N);
        draw(&t, &r);
        const long size = block_size(&t);
        if (check_size(ev, &t, size, largest) != CKDA_TRUE)
            return CKDA_FALSE;
        found += size == largest;
    }
    ckda_evidence_scope(ev, "%ld seeded transitions, %ld with a block of size %ld",
                        matrices, found, largest);
    return ckda_evidence_expect(ev, found > 0,
                                "a seeded transition has a block of size %ld", largest);
}

ckda_truth
ckda_check_nilpotency_grid(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"gates", "keys",   "beta_to", "beta_den",
                                        "grids", "seeded", "largest"};
    grid g;
    ckda_node list, item;
    size_t n;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(in, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || read_longs(g.gate, &g.gates, in, "gates", err) != CKDA_OK
        || read_longs(g.key, &g.keys, in, "keys", err) != CKDA_OK
        || ckda_node_get_long(&g.beta_to, in, "beta_to", 0, 1000, err) != CKDA_OK
        || ckda_node_get_long(&g.beta_den, in, "beta_den", 1, 1000, err) != CKDA_OK
        || ckda_node_get_long(&g.largest, in, "largest", 0, MAX_N, err) != CKDA_OK
        || ckda_node_member(&list, in, "grids", err) != CKDA_OK
        || ckda_node_size(&n, &list, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = CKDA_TRUE;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&item, &list, i, err) == CKDA_OK
                    ? check_grid(ev, &g, &item)
                    : CKDA_UNKNOWN;
    if (truth == CKDA_TRUE)
        truth = check_seeded(ev, in, g.largest);
    return truth;
}
