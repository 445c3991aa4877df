/* proofs/thm22.c -- the arithmetic of Theorem 22: commutators in S_5, and the power E.
 *
 * Statement.  commutator_table: over all elements c of one order and all w of the group
 * the orders of c (w c w^-1) c^-1 (w c w^-1)^-1, by parity of w, are as stated; the order
 * is 1 exactly when w normalises <c>; printed products are right.  power_scheme: for r
 * prime to the modulus 5 the least E > 0 with 2r | E and E = 1 mod 5 is 2r j, j the
 * inverse of 2r.
 *
 * Why the check suffices.  The group is finite and every pair is taken.  The multiples of
 * 2r are 2r j; whether 2r j = 1 mod 5 depends on r and j modulo 5 only, so four residues
 * of r and four values of j are all cases.
 *
 * Not shown here: what Theorem 22 makes of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "checks.h"
#include "closure.h"
#include "ckda/group.h"

enum { MAX_ORDER = 64, MAX_NAMES = 8 };

/* ---- commutators ---- */

static uint32_t
conjugate(const ckda_group_t G, uint32_t w, uint32_t c)
{
    return ckda_group_mul(G, ckda_group_mul(G, w, c), ckda_group_inv(G, w));
}

static uint32_t
commutator(const ckda_group_t G, uint32_t a, uint32_t b)
{
    return ckda_group_mul(G, conjugate(G, a, b), ckda_group_inv(G, b));
}

static bool
is_power_of(const ckda_group_t G, uint32_t x, uint32_t c)
{
    for (uint32_t p = c;; p = ckda_group_mul(G, p, c)) {
        if (p == x)
            return true;
        if (p == 0)
            return false;
    }
}

typedef struct {
    long count[2][MAX_ORDER + 1]; /* [parity of w][order] */
    long elements;
} commutators;

static ckda_truth
count_commutators(ckda_evidence *ev, commutators *t, const ckda_group_t G, long order)
{
    for (uint32_t c = 0; c < G->order; c++) {
        if (ckda_perm_order(&G->element[c]) != (uint64_t)order)
            continue;
        t->elements++;
        for (uint32_t w = 0; w < G->order; w++) {
            const uint32_t d = conjugate(G, w, c), k = commutator(G, c, d);
            const uint64_t found = ckda_perm_order(&G->element[k]);
            ckda_require(found <= MAX_ORDER, "the order %lu", (unsigned long)found);
            t->count[ckda_perm_parity(&G->element[w])][found]++;
            if (ckda_evidence_expect(
                    ev, (k == 0) == is_power_of(G, d, c),
                    "the commutator is the identity iff w normalises <c>")
                != CKDA_TRUE)
                return CKDA_FALSE;
        }
    }
    return CKDA_TRUE;
}

static ckda_truth
check_counts(ckda_evidence *ev, const ckda_node *in, const ckda_group_t G)
{
    static const char *const parity[2] = {"even", "odd"};
    commutators t = {0};
    ckda_node want;
    long order, elements;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_long(&order, in, "order", 2, MAX_ORDER, err) != CKDA_OK
        || ckda_node_get_long(&elements, in, "elements", 0, 100000, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = count_commutators(ev, &t, G, order);
    if (truth == CKDA_TRUE)
        truth =
            ckda_evidence_expect_long(ev, "elements of this order", t.elements, elements);
    for (int p = 0; p < 2 && truth == CKDA_TRUE; p++) {
        if (ckda_node_member(&want, in, parity[p], err) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = closure_histogram(ev, parity[p], t.count[p], MAX_ORDER, &want);
    }
    ckda_evidence_scope(ev, "%ld elements of order %ld x %u conjugators", t.elements,
                        order, G->order);
    return truth;
}

/* ---- printed words ---------------------------------------------------------------- */

typedef struct {
    const char *name[MAX_NAMES];
    uint32_t element[MAX_NAMES];
    size_t n;
} names;

static ckda_status
read_element(uint32_t *g, const ckda_node *at, const ckda_group_t G, ckda_error *err)
{
    const char *text;
    if (ckda_node_string(&text, at, err) != CKDA_OK)
        return CKDA_E_INPUT;
    return ckda_group_parse(g, G, text, err);
}

static ckda_status
read_names(names *l, const ckda_node *in, const ckda_group_t G, ckda_error *err)
{
    ckda_node list, m;
    if (ckda_node_member(&list, in, "names", err) != CKDA_OK)
        return CKDA_E_INPUT;
    for (bool more = ckda_node_first(&m, &list); more; more = ckda_node_next(&m)) {
        if (l->n == MAX_NAMES)
            return ckda_node_fail(&list, err, "at most 8 names", NULL);
        if (read_element(&l->element[l->n], &m, G, err) != CKDA_OK)
            return CKDA_E_INPUT;
        l->name[l->n++] = m.key;
    }
    return CKDA_OK;
}

/* "b", "b^-1", "b^10". */
static ckda_status
read_power(uint32_t *g, const ckda_node *at, const names *l, const ckda_group_t G,
           ckda_error *err)
{
    const char *text;
    if (ckda_node_string(&text, at, err) != CKDA_OK)
        return CKDA_E_INPUT;
    const size_t length = strcspn(text, "^");
    for (size_t i = 0; i < l->n; i++) {
        if (strlen(l->name[i]) != length || strncmp(l->name[i], text, length) != 0)
            continue;
        long e = text[length] == '^' ? strtol(text + length + 1, NULL, 10) : 1;
        *g = e < 0 ? ckda_group_inv(G, l->element[i]) : l->element[i];
        *g = ckda_group_pow(G, *g, (uint64_t)labs(e));
        return CKDA_OK;
    }
    return ckda_node_fail(at, err, "one of the names, or a power of one", NULL);
}

/* Written as in the paper: the right factor acts first. */
static ckda_truth
check_word(ckda_evidence *ev, const ckda_node *item, const names *l, const ckda_group_t G)
{
    ckda_node word, equals, factor;
    size_t n;
    uint32_t want, got = 0, g = 0;
    ckda_error *err = &ev->problem;
    if (ckda_node_member(&word, item, "word", err) != CKDA_OK
        || ckda_node_member(&equals, item, "equals", err) != CKDA_OK
        || ckda_node_size(&n, &word, err) != CKDA_OK
        || read_element(&want, &equals, G, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n; i++) {
        if (ckda_node_item(&factor, &word, i, err) != CKDA_OK
            || read_power(&g, &factor, l, G, err) != CKDA_OK)
            return CKDA_UNKNOWN;
        got = ckda_group_mul(G, got, g);
    }
    ckda_evidence_count(ev, 1);
    if (got == want)
        return CKDA_TRUE;
    char *text = ckda_perm_str(&G->element[got]),
         *stated = ckda_perm_str(&G->element[want]);
    ckda_evidence_fact(ev, "failed", "a printed product");
    ckda_evidence_fact(ev, "got", "%s", text);
    ckda_evidence_fact(ev, "want", "%s", stated);
    free(stated);
    free(text);
    return CKDA_FALSE;
}

static ckda_truth
check_words(ckda_evidence *ev, const ckda_node *in, const ckda_group_t G)
{
    names l = {.n = 0};
    ckda_node words, item;
    size_t n;
    ckda_truth truth = CKDA_TRUE;
    if (read_names(&l, in, G, &ev->problem) != CKDA_OK
        || ckda_node_member(&words, in, "words", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &words, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++) {
        if (ckda_node_item(&item, &words, i, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = check_word(ev, &item, &l, G);
    }
    return truth;
}

ckda_truth
ckda_check_commutator_table(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"system", "order", "elements", "even",
                                        "odd",    "names", "words"};
    const char *system;
    ckda_group_t G;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(in, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || ckda_node_get_string(&system, in, "system", err) != CKDA_OK
        || ckda_group_init_named(G, system, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = check_words(ev, in, G);
    if (truth == CKDA_TRUE)
        truth = check_counts(ev, in, G);
    ckda_group_clear(G);
    return truth;
}

/* ---- the power E ------------------------------------------------------------------ */

/* For every residue s of r the stated j, and no other of 1 .. m-1, has 2 s j = 1 mod m.
 */
static ckda_truth
check_residues(ckda_evidence *ev, const ckda_node *in, long m, long inverse[MAX_ORDER])
{
    ckda_node list, item;
    size_t n;
    if (ckda_node_member(&list, in, "inverse", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (n != (size_t)m - 1)
        return ckda_evidence_unable(ev,
                                    "\"inverse\" needs one entry for each residue but 0");
    for (long s = 1; s < m; s++) {
        if (ckda_node_item(&item, &list, (size_t)s - 1, &ev->problem) != CKDA_OK
            || ckda_node_long(&inverse[s], &item, 1, m - 1, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        for (long j = 1; j < m; j++)
            if (ckda_evidence_expect(ev, (2 * s * j % m == 1) == (j == inverse[s]),
                                     "r = %ld mod %ld: 2 r j = 1 for j = %ld only", s, m,
                                     inverse[s])
                != CKDA_TRUE)
                return CKDA_FALSE;
    }
    return CKDA_TRUE;
}

/* The least E by trying all, and by the formula. */
static ckda_truth
check_power(ckda_evidence *ev, const ckda_node *item, long m,
            const long inverse[MAX_ORDER])
{
    long order, power, least;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_long(&order, item, "order", 1, 100000, err) != CKDA_OK
        || ckda_node_get_long(&power, item, "power", 1, 10000000, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    long r = order;
    while (r % m == 0)
        r /= m;
    for (least = 1; least % (2 * r) != 0 || least % m != 1; least++)
        ;
    ckda_truth truth = ckda_evidence_expect_long(ev, "2r times the inverse of 2r", least,
                                                 2 * r * inverse[r % m]);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "least power", least, power);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact(ev, "order", "%ld", order);
    return truth;
}

ckda_truth
ckda_check_power_scheme(ckda_evidence *ev, const ckda_node *in)
{
    static const long primes[] = {3, 5, 7, 11, 13};
    ckda_node list, item;
    size_t n;
    long m, inverse[MAX_ORDER];
    bool prime = false;
    if (ckda_node_get_long(&m, in, "modulus", 3, 13, &ev->problem) != CKDA_OK
        || ckda_node_member(&list, in, "powers", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < sizeof primes / sizeof primes[0]; i++)
        prime = prime || m == primes[i];
    if (!prime)
        return ckda_evidence_unable(ev, "the modulus must be an odd prime");
    ckda_truth truth = check_residues(ev, in, m, inverse);
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++) {
        if (ckda_node_item(&item, &list, i, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = check_power(ev, &item, m, inverse);
    }
    ckda_evidence_scope(ev, "%ld residues of r, %zu orders", m - 1, n);
    return truth;
}
