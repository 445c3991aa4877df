/* proofs/prop10.c -- Proposition 10 on exact inputs: the factors are built and multiplied out.
 *
 * Statement.  orthogonal_products: every listed orthogonal matrix is a product of at most
 * max(1, n times and plus) CKDA factors with beta in {0, 2} and sign gates, over the field
 * of its entries.  contraction_products: every listed contraction with an exact singular
 * value decomposition, of rank s, is a product of at most max(1, min(2n-2, 2s)) such
 * factors of which one may have another gate (n - 1 for an orthogonal matrix times a
 * diagonal one).
 *
 * Why the check suffices.  The factors are a certificate: their ranges, their number and
 * the exact product are compared with the matrix, whose norm is decided exactly as well.
 *
 * Not shown here: the scheme for all inputs (prop10.orth.step, prop10.contr.step); larger
 * contractions without a singular value decomposition in a small field.                 */
#include <string.h>

#include "checks.h"
#include "ckda/input.h"
#include "maps.h"
#include "prop10.h"

typedef struct {
    long inputs, n_max, bound, times, plus;
    ckda_node families, fields;
    size_t nfamilies, nfields;
} plan;

static ckda_status
read_plan(plan *p, const ckda_node *in, ckda_error *err)
{
    ckda_node limit;
    if (ckda_node_get_long(&p->inputs, in, "inputs", 1, 100000, err) != CKDA_OK
        || ckda_node_get_long(&p->n_max, in, "n_max", 2, 9, err) != CKDA_OK
        || ckda_node_get_long(&p->bound, in, "bound", 1, 100, err) != CKDA_OK
        || ckda_node_member(&limit, in, "limit", err) != CKDA_OK
        || ckda_node_get_long(&p->times, &limit, "n", 0, 9, err) != CKDA_OK
        || ckda_node_get_long(&p->plus, &limit, "plus", -9, 9, err) != CKDA_OK
        || ckda_node_member(&p->families, in, "families", err) != CKDA_OK
        || ckda_node_size(&p->nfamilies, &p->families, err) != CKDA_OK
        || ckda_node_member(&p->fields, in, "fields", err) != CKDA_OK)
        return CKDA_E_INPUT;
    return ckda_node_size(&p->nfields, &p->fields, err);
}

static slong
at_least_one(slong count)
{
    return count > 1 ? count : 1;
}

typedef ckda_truth (*family_check)(ckda_evidence *ev, const char *family, slong n,
                                   const plan *p, ckda_rand *r, const ckda_field_t K);

/* Seeded inputs of all families over one field, n = 1 .. n_max in turn. */
static ckda_truth
over_field(ckda_evidence *ev, const plan *p, family_check check, const ckda_field_t K)
{
    ckda_truth truth = CKDA_TRUE;
    ckda_rand r;
    const long inputs = ev->effort == CKDA_QUICK ? p->inputs : 5 * p->inputs;
    ckda_rand_init(&r, ev->seed);
    for (long i = 0; i < inputs && truth == CKDA_TRUE; i++) {
        ckda_node item;
        const char *family;
        if (ckda_node_item(&item, &p->families, (size_t)i % p->nfamilies, &ev->problem)
                != CKDA_OK
            || ckda_node_string(&family, &item, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        const slong n = 1 + (i / (long)p->nfamilies) % p->n_max;
        truth = check(ev, family, n, p, &r, K);
    }
    ckda_evidence_scope(ev, "%ld seeded inputs, n = 1 .. %ld, degree %ld", inputs,
                        p->n_max, (long)K->degree);
    return truth;
}

static ckda_truth
over_fields(ckda_evidence *ev, const plan *p, family_check check)
{
    ckda_truth truth = CKDA_TRUE;
    for (size_t i = 0; i < p->nfields && truth == CKDA_TRUE; i++) {
        ckda_node item;
        ckda_field_t K;
        if (ckda_node_item(&item, &p->fields, i, &ev->problem) != CKDA_OK
            || ckda_input_field(K, &item, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = over_field(ev, p, check, K);
        ckda_field_clear(K);
    }
    return truth;
}

/* ---- orthogonal matrices ----------------------------------------------------------- */

/* Factors of A Diag(gate) for an orthogonal A, checked; gate may be NULL. */
static ckda_truth
orthogonal_factors(ckda_evidence *ev, const ckda_mat_t A, const ckda_elem_struct *gate,
                   slong most, long gates, const ckda_field_t K)
{
    const slong n = A->rows;
    reflections h;
    ckda_factors_t f;
    ckda_mat_t B, D;
    ckda_elem_struct *d = ckda_elem_vec_new(n, K);
    reflections_init(&h, n, n, K);
    ckda_factors_init(f, n, K);
    ckda_mat_init_set(B, A, K);
    ckda_mat_init(D, n, n, K);
    reflections_of_columns(&h, B, K);
    for (slong i = 0; i < n; i++) { /* B is a sign diagonal now; the product decides */
        ckda_elem_set(d + i, ckda_mat_entry(B, i, i), K);
        if (gate != NULL)
            ckda_elem_mul(d + i, d + i, gate + i, K);
    }
    reflections_factors(f, &h, d, NULL, K);
    ckda_mat_set_map(D, (slong[9]){0, 1, 2, 3, 4, 5, 6, 7, 8}, n, K) == CKDA_OK
        ? (void)0
        : (void)0;
    for (slong i = 0; gate != NULL && i < n; i++)
        ckda_elem_set(ckda_mat_entry(D, i, i), gate + i, K);
    ckda_require(ckda_mat_mul(D, A, D, K) == CKDA_OK, "square");
    ckda_truth truth = reflections_check(ev, f, D, most, gates, K);
    ckda_mat_clear(D, K);
    ckda_mat_clear(B, K);
    ckda_factors_clear(f, K);
    reflections_clear(&h, K);
    ckda_elem_vec_free(d, n, K);
    return truth;
}
