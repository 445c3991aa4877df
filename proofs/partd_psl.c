/* proofs/partd_psl.c -- the commutator of 120th powers in PSL(2, p), and the thresholds.
 *
 * Statement.  psl_commutators: for each listed prime the elements x, y of SL(2, p) have
 * powers X, Y whose commutator Y^-1 X^-1 Y X has order p in PSL(2, p) (and trace -2 where
 * i^2 = -1 is used); the products of the two words differ by it; the words have the
 * stated length together, two squares of products of so many reflections move the stated
 * number of dimensions, and the primes named are the first above the bound.
 *
 * Why the check suffices.  Integers modulo p; orders are found by multiplying until +-1
 * comes back.
 *
 * Not shown here: the theorem that uses it (d.B4). */
#include <string.h>
#include "checks.h"

/* Entries a b; c d modulo p. */
typedef struct {
    long a, b, c, d;
} mat2;

static mat2
mul(mat2 x, mat2 y, long p)
{
    return (mat2){(x.a * y.a + x.b * y.c) % p, (x.a * y.b + x.b * y.d) % p,
                  (x.c * y.a + x.d * y.c) % p, (x.c * y.b + x.d * y.d) % p};
}

static mat2
inverse(mat2 x, long p)
{
    return (mat2){x.d, (p - x.b) % p, (p - x.c) % p, x.a};
}

static mat2
power(mat2 x, long e, long p)
{
    mat2 y = {1, 0, 0, 1};
    for (; e > 0; e /= 2, x = mul(x, x, p))
        if (e % 2 == 1)
            y = mul(y, x, p);
    return y;
}

static bool
is_central(mat2 x, long p)
{
    return x.b == 0 && x.c == 0 && x.a == x.d && (x.a == 1 || x.a == p - 1);
}

/* In PSL(2, p); no element has an order above p. */
static long
order(mat2 x, long p)
{
    mat2 y = x;
    long e = 1;
    for (; e <= p && !is_central(y, p); e++)
        y = mul(y, x, p);
    return e;
}

static bool
is_prime(long n)
{
    for (long q = 2; q * q <= n; q++)
        if (n % q == 0)
            return false;
    return n >= 2;
}

static long
power_mod(long x, long e, long p)
{
    return power((mat2){x, 0, 0, 1}, e, p).a;
}

/* The least root of -1 modulo p = 1 mod 4, 0 if there is none. */
static long
root_of_minus_one(long p)
{
    long i = 1;
    while (i < p && i * i % p != p - 1)
        i++;
    return i < p ? i : 0;
}

/* ---- one prime ---- */

typedef struct {
    long p, exponent;
    const char *word[2]; /* in time order */
    mat2 x, y;
} group;

static bool
same(mat2 x, mat2 y)
{
    return x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d;
}

/* The left product of a word in X and Y. */
static mat2
word_product(const char *word, mat2 X, mat2 Y, long p)
{
    mat2 g = {1, 0, 0, 1};
    for (const char *c = word; *c != '\0'; c++)
        g = mul(*c == 'X' ? X : Y, g, p);
    return g;
}

static ckda_truth
check_commutator(ckda_evidence *ev, const group *q, const ckda_node *item, mat2 *g)
{
    const long p = q->p;
    const mat2 X = power(q->x, q->exponent, p), Y = power(q->y, q->exponent, p);
    *g = mul(mul(inverse(Y, p), inverse(X, p), p), mul(Y, X, p), p);
    const mat2 u = word_product(q->word[0], X, Y, p),
               v = word_product(q->word[1], X, Y, p);
    ckda_truth truth = ckda_evidence_expect(
        ev, same(mul(inverse(v, p), u, p), *g),
        "modulo %ld the products of the two words differ by the commutator", p);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "order of the commutator in PSL(2, p)",
                                          order(*g, p), p);
    if (truth == CKDA_TRUE && ckda_node_has(item, "trace")) {
        long trace;
        if (ckda_node_get_long(&trace, item, "trace", -2, 1000000, &ev->problem)
            != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = ckda_evidence_expect_long(ev, "trace", ((*g).a + (*g).d) % p,
                                          (trace + p) % p);
    }
    return truth;
}

/* x = diag(t, 1/t) for the least t with t^(2e) != 1, y = [1, 0; 1, 1]. */
static ckda_truth
diagonal_prime(ckda_evidence *ev, group *q, const ckda_node *item)
{
    long t = 2;
    mat2 g;
    while (t < q->p && power_mod(t, 2 * q->exponent, q->p) == 1)
        t++;
    if (t == q->p)
        return ckda_evidence_expect(ev, false, "some t^(2e) is not 1 modulo %ld", q->p);
    q->x = (mat2){t, 0, 0, power_mod(t, q->p - 2, q->p)};
    q->y = (mat2){1, 0, 1, 1};
    return check_commutator(ev, q, item, &g);
}

/* Entries as stated, if they are. */
static ckda_truth
expect_entries(ckda_evidence *ev, const ckda_node *item, const char *key, mat2 got)
{
    ckda_node list, at;
    const long entry[4] = {got.a, got.b, got.c, got.d};
    ckda_truth truth = CKDA_TRUE;
    if (!ckda_node_has(item, key))
        return CKDA_TRUE;
    if (ckda_node_member(&list, item, key, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < 4 && truth == CKDA_TRUE; i++) {
        long want;
        if (ckda_node_item(&at, &list, i, &ev->problem) != CKDA_OK
            || ckda_node_long(&want, &at, 0, 1000000, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = ckda_evidence_expect_long(ev, key, entry[i], want);
    }
    return truth;
}

/* x = [1, a/e; 0, 1], y = [1, 0; b/e, 1] with a = 1, b = 2i; "i" may be given. */
static ckda_truth
unipotent_prime(ckda_evidence *ev, group *q, const ckda_node *item)
{
    const long p = q->p, e = power_mod(q->exponent % p, p - 2, p);
    long i = root_of_minus_one(p);
    mat2 g;
    if (ckda_node_has(item, "i")
        && ckda_node_get_long(&i, item, "i", 1, p - 1, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth =
        ckda_evidence_expect(ev, i * i % p == p - 1, "%ld^2 = -1 modulo %ld", i, p);
    if (truth != CKDA_TRUE)
        return truth;
    q->x = (mat2){1, e, 0, 1};
    q->y = (mat2){1, 0, 2 * i % p * e % p, 1};
    truth = ckda_evidence_expect_long(ev, "order of x", order(q->x, p), p);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "order of y", order(q->y, p), p);
    if (truth == CKDA_TRUE)
        truth = check_commutator(ev, q, item, &g);
    if (truth == CKDA_TRUE)
        truth = expect_entries(ev, item, "x", q->x);
    if (truth == CKDA_TRUE)
        truth = expect_entries(ev, item, "y", q->y);
    if (truth == CKDA_TRUE)
        truth = expect_entries(ev, item, "g", g);
    return truth;
}

static ckda_truth
check_prime(ckda_evidence *ev, group *q, const ckda_node *item)
{
    bool diagonal = false;
    ckda_node at;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_long(&q->p, item, "p", 5, 40000, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (ckda_node_has(item, "diagonal")
        && (ckda_node_member(&at, item, "diagonal", err) != CKDA_OK
            || ckda_node_bool(&diagonal, &at, err) != CKDA_OK))
        return CKDA_UNKNOWN;
    ckda_truth truth = ckda_evidence_expect(ev, is_prime(q->p) && q->exponent % q->p != 0,
                                            "%ld is a prime that does not divide %ld",
                                            q->p, q->exponent);
    if (truth == CKDA_TRUE)
        truth = diagonal ? diagonal_prime(ev, q, item) : unipotent_prime(ev, q, item);
    return truth;
}

/* ---- thresholds ---- */

static long
next_prime(long n, long modulus, long residue)
{
    do
        n++;
    while (n % modulus != residue || !is_prime(n));
    return n;
}

static ckda_truth
check_thresholds(ckda_evidence *ev, const ckda_node *in, const group *q)
{
    long letters, moved, bound, first, first4;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_long(&letters, in, "letters", 0, 1000000, err) != CKDA_OK
        || ckda_node_get_long(&moved, in, "moved", 0, 1000000, err) != CKDA_OK
        || ckda_node_get_long(&bound, in, "bound", 0, 1000000, err) != CKDA_OK
        || ckda_node_get_long(&first, in, "first", 0, 1000000, err) != CKDA_OK
        || ckda_node_get_long(&first4, in, "first_1_mod_4", 0, 1000000, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    const long length = (long)(strlen(q->word[0]) + strlen(q->word[1])) * q->exponent;
    ckda_truth truth =
        ckda_evidence_expect_long(ev, "letters of both words", length, letters);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "dimensions moved by two squares",
                                          2 * 2 * length, moved);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "(p-1)/2 > moved means p > ", 2 * moved + 1,
                                          bound);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "first prime above",
                                          next_prime(bound, 1, 0), first);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "first prime above that is 1 mod 4",
                                          next_prime(bound, 4, 1), first4);
    return truth;
}

static ckda_status
read_words(group *q, const ckda_node *in, ckda_error *err)
{
    ckda_node list, item;
    if (ckda_node_member(&list, in, "words", err) != CKDA_OK)
        return CKDA_E_INPUT;
    for (size_t i = 0; i < 2; i++) {
        if (ckda_node_item(&item, &list, i, err) != CKDA_OK
            || ckda_node_string(&q->word[i], &item, err) != CKDA_OK)
            return CKDA_E_INPUT;
        if (strspn(q->word[i], "XY") != strlen(q->word[i]))
            return ckda_node_fail(&item, err, "a word in X and Y", NULL);
    }
    return CKDA_OK;
}

ckda_truth
ckda_check_psl_commutators(ckda_evidence *ev, const ckda_node *in)
{
    group q = {0};
    ckda_node list, item;
    size_t n;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_long(&q.exponent, in, "exponent", 1, 100000, err) != CKDA_OK
        || read_words(&q, in, err) != CKDA_OK
        || ckda_node_member(&list, in, "primes", err) != CKDA_OK
        || ckda_node_size(&n, &list, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = CKDA_TRUE;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&item, &list, i, err) == CKDA_OK
                    ? check_prime(ev, &q, &item)
                    : CKDA_UNKNOWN;
    if (truth == CKDA_TRUE)
        truth = check_thresholds(ev, in, &q);
    ckda_evidence_scope(ev, "%zu primes", n);
    return truth;
}
