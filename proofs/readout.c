/* proofs/readout.c -- one scalar read-out that tells all states apart.
 *
 * Statement.  y = q.(S x) takes as many different values over the states S as stated.
 *
 * Why the check suffices.  The states are the closed graph, exact by its height bound;
 * each S x is recomputed exactly along the first word that reaches S.  Values are sorted
 * by a hash and those of equal hash are compared exactly.
 *
 * Not shown here: how the read-out is to be inverted. */
#include <stdlib.h>
#include "checks.h"
#include "closure.h"
#include "ckda/input.h"

typedef struct {
    uint64_t hash;
    const ckda_elem_struct *value;
} keyed;

static int
by_hash(const void *a, const void *b)
{
    const uint64_t x = ((const keyed *)a)->hash, y = ((const keyed *)b)->hash;
    return x < y ? -1 : x > y;
}

/* Different values among n. */
static long
count_values(const ckda_elem_struct *y, size_t n, const ckda_field_t K)
{
    keyed *k = flint_malloc(n * sizeof *k);
    long different = 0;
    for (size_t i = 0; i < n; i++)
        k[i] = (keyed){ckda_elem_hash(y + i, K), y + i};
    qsort(k, n, sizeof *k, by_hash);
    for (size_t i = 0; i < n; i++) {
        bool fresh = true;
        for (size_t j = i; j > 0 && fresh && k[j - 1].hash == k[i].hash; j--)
            fresh = !ckda_elem_equal(k[j - 1].value, k[i].value, K);
        different += fresh;
    }
    flint_free(k);
    return different;
}

/* Values of q.(S x) over all states. */
static long
count_outputs(const closure *cl, const ckda_elem_struct *q, const ckda_elem_struct *x)
{
    const ckda_field_struct *K = cl->c->K;
    const size_t n = (size_t)cl->c->n, states = (size_t)cl->r->states;
    ckda_elem_struct *v = closure_images(cl, x), *y = flint_malloc(states * sizeof *y);
    for (size_t s = 0; s < states; s++) {
        ckda_elem_init(y + s, K);
        for (size_t i = 0; i < n; i++)
            ckda_elem_addmul(y + s, q + i, v + s * n + i, K);
    }
    const long different = count_values(y, states, K);
    for (size_t s = 0; s < states; s++)
        ckda_elem_clear(y + s, K);
    flint_free(y);
    closure_free_images(v, cl);
    return different;
}

static ckda_truth
check_readout(ckda_evidence *ev, const closure *cl, const ckda_node *item)
{
    const ckda_field_struct *K = cl->c->K;
    ckda_node q_at, x_at;
    ckda_elem_struct *q, *x;
    slong n;
    long want;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_long(&want, item, "values", 1, 1000000, err) != CKDA_OK
        || ckda_node_member(&q_at, item, "q", err) != CKDA_OK
        || ckda_node_member(&x_at, item, "x", err) != CKDA_OK
        || ckda_input_read_vector(&q, &n, &q_at, cl->c->n, K, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = CKDA_UNKNOWN;
    if (ckda_input_read_vector(&x, &n, &x_at, cl->c->n, K, err) == CKDA_OK) {
        truth = ckda_evidence_expect_long(ev, "different values", count_outputs(cl, q, x),
                                          want);
        ckda_evidence_count(ev, cl->r->states);
        ckda_input_free_vector(x, n, K);
    }
    ckda_input_free_vector(q, n, K);
    return truth;
}

ckda_truth
ckda_check_scalar_readout(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"system", "construction", "readouts"};
    closure cl;
    ckda_node list, item;
    size_t n;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(in, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || ckda_node_member(&list, in, "readouts", err) != CKDA_OK
        || ckda_node_size(&n, &list, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = closure_open(&cl, ev, in);
    if (truth != CKDA_TRUE)
        return truth;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&item, &list, i, err) == CKDA_OK
                    ? check_readout(ev, &cl, &item)
                    : CKDA_UNKNOWN;
    ckda_evidence_scope(ev, "%zu read-outs of %lu states", n,
                        (unsigned long)cl.r->states);
    closure_clear(&cl);
    return truth;
}
