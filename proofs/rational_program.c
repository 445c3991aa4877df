/* proofs/rational_program.c -- rational matrices as programs of factors.
 *
 * Statement.  Every listed or drawn rational n x n matrix M has a program of admissible
 * factors whose product P has first n rows [M 0]: main coordinates go to M x whatever the
 * scratch holds.  "count": exactly nn n^2 + n factors (paper's scheme; then P is
 * [[M, 0, 0], [M, 0, 0], [0, 0, 0]] in dimension 2n + 1); "bound": at most that many
 * (short scheme, dimension 2n).  "max_beta": the largest beta is the larger of "least"
 * and "plus" + the largest |entry|.
 *
 * Why the check suffices.  Each program is multiplied out exactly: a certificate for each
 * matrix.
 *
 * Not shown here: all matrices at once (C-25.9.generic: n = 1, 2 for the paper's).     */
#include "checks.h"
#include "ckda/input.h"
#include "maps.h"

typedef struct {
    const ckda_node *in;
    ckda_factor_scheme scheme;
    long largest, programs;
} task;

/* {"nn": 7, "n": 3}: 7n^2 + 3n */
static ckda_status
read_count(long *count, const ckda_node *in, const char *key, slong n, ckda_error *err)
{
    ckda_node at;
    long nn, times;
    ckda_status status = ckda_node_member(&at, in, key, err);
    if (status == CKDA_OK)
        status = ckda_node_get_long(&nn, &at, "nn", 0, 99, err);
    if (status == CKDA_OK)
        status = ckda_node_get_long(&times, &at, "n", 0, 99, err);
    if (status == CKDA_OK)
        *count = nn * n * n + times * n;
    return status;
}

static ckda_truth
check_count(ckda_evidence *ev, long count, slong n, const task *t)
{
    long want;
    if (ckda_node_has(t->in, "count")) {
        if (read_count(&want, t->in, "count", n, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        return ckda_evidence_expect_long(ev, "number of factors", count, want);
    }
    if (read_count(&want, t->in, "bound", n, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    return ckda_evidence_expect(ev, count <= want, "%ld factors, at most %ld are claimed",
                                count, want);
}

/* The largest beta is max(least, plus + max |M_ij|). */
static ckda_truth
check_beta(ckda_evidence *ev, const ckda_factors_t f, const ckda_mat_t M, const task *t,
           const ckda_field_t K)
{
    ckda_node at;
    ckda_elem_t want, beta, x, plus;
    if (!ckda_node_has(t->in, "max_beta"))
        return CKDA_TRUE;
    ckda_elem_init(want, K);
    ckda_elem_init(beta, K);
    ckda_elem_init(x, K);
    ckda_elem_init(plus, K);
    ckda_truth truth = CKDA_UNKNOWN;
    if (ckda_node_member(&at, t->in, "max_beta", &ev->problem) == CKDA_OK
        && maps_read_elem(want, &at, "least", K, &ev->problem) == CKDA_OK
        && maps_read_elem(plus, &at, "plus", K, &ev->problem) == CKDA_OK) {
        for (slong i = 0; i < M->rows * M->cols; i++) {
            ckda_elem_abs(x, M->entry + i, K);
            ckda_elem_add(x, x, plus, K);
            if (ckda_elem_cmp(x, want, K) > 0)
                ckda_elem_set(want, x, K);
        }
        ckda_factors_max_beta(beta, f, K);
        truth = CKDA_TRUE;
        ckda_evidence_count(ev, 1);
        if (!ckda_elem_equal(beta, want, K)) {
            ckda_evidence_fact(ev, "failed", "largest beta");
            ckda_evidence_fact_elem(ev, "got", beta, K);
            ckda_evidence_fact_elem(ev, "want", want, K);
            truth = CKDA_FALSE;
        }
    }
    ckda_elem_clear(plus, K);
    ckda_elem_clear(x, K);
    ckda_elem_clear(beta, K);
    ckda_elem_clear(want, K);
    return truth;
}

/* The first rows of P are [M 0]; for the paper's scheme the others are [M 0] and 0. */
static ckda_truth
check_product(ckda_evidence *ev, const ckda_factors_t f, const ckda_mat_t M,
              const task *t, const ckda_field_t K)
{
    const slong n = M->rows;
    ckda_mat_t P, want;
    ckda_mat_init(P, f->n, f->n, K);
    ckda_mat_init(want, f->n, f->n, K);
    if (ckda_factors_product(P, f, K) != CKDA_OK) {
        ckda_mat_clear(want, K);
        ckda_mat_clear(P, K);
        return ckda_evidence_unable(ev, "the factors have no product");
    }
    for (slong i = 0; i < f->n; i++)
        for (slong j = 0; j < f->n; j++) {
            const slong row = i < n ? i : i - n;
            if (i >= n && t->scheme == CKDA_FACTOR_SHORT) /* scratch is left as it is */
                ckda_elem_set(ckda_mat_entry(want, i, j), ckda_mat_entry(P, i, j), K);
            else if (row < n && j < n)
                ckda_elem_set(ckda_mat_entry(want, i, j), ckda_mat_entry(M, row, j), K);
        }
    const ckda_truth truth =
        ckda_evidence_expect_mat(ev, "product of the program", P, want, K);
    ckda_mat_clear(want, K);
    ckda_mat_clear(P, K);
    return truth;
}

static ckda_truth
check_matrix(ckda_evidence *ev, const ckda_mat_t M, task *t, const ckda_field_t K)
{
    const slong n = M->rows;
    ckda_factors_t f;
    ckda_error why;
    ckda_error_clear(&why);
    ckda_factors_init(f, t->scheme == CKDA_FACTOR_PAPER ? 2 * n + 1 : 2 * n, K);
    ckda_truth truth = ckda_factor_rational(f, M, t->scheme, K) == CKDA_OK
                           ? CKDA_TRUE
                           : ckda_evidence_unable(ev, "no program");
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(ev, ckda_factors_check(f, K, &why) == CKDA_OK,
                                     "an admissible factor: %s", why.text);
    if (truth == CKDA_TRUE)
        truth = check_product(ev, f, M, t, K);
    if (truth == CKDA_TRUE)
        truth = check_count(ev, f->count, n, t);
    if (truth == CKDA_TRUE)
        truth = check_beta(ev, f, M, t, K);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact_mat(ev, "M", M, K);
    t->largest = f->count > t->largest ? f->count : t->largest;
    t->programs++;
    ckda_factors_clear(f, K);
    return truth;
}

static ckda_truth
listed(ckda_evidence *ev, task *t, const ckda_field_t K)
{
    ckda_node list, item;
    size_t n;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&list, t->in, "matrices", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++) {
        ckda_mat_t M;
        if (ckda_node_item(&item, &list, i, &ev->problem) != CKDA_OK
            || ckda_input_read_square(M, &item, K, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = check_matrix(ev, M, t, K);
        ckda_mat_clear(M, K);
    }
    return truth;
}

/* samples matrices of each n with numerators up to 9 and denominators up to 6; a third of
 * the entries 0. */
static ckda_truth
drawn(ckda_evidence *ev, task *t, const ckda_field_t K)
{
    maps_span n;
    long samples;
    ckda_rand r;
    ckda_truth truth = CKDA_TRUE;
    if (maps_read_span(&n, t->in, "n", ev) != CKDA_OK
        || ckda_node_get_long(&samples, t->in, "samples", 0, 10000, &ev->problem)
               != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_rand_init(&r, ev->seed);
    for (long i = n.from; i <= n.to && truth == CKDA_TRUE; i++) {
        ckda_mat_t M;
        ckda_mat_init(M, i, i, K);
        for (long s = 0; s < samples && truth == CKDA_TRUE; s++) {
            ckda_mat_rand(M, &r, 9, 6, K);
            for (slong j = 0; j < i * i; j++)
                if (ckda_rand_below(&r, 3) == 0)
                    ckda_elem_zero(M->entry + j, K);
            truth = check_matrix(ev, M, t, K);
        }
        ckda_mat_clear(M, K);
    }
    return truth;
}

ckda_truth
ckda_check_rational_program(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"scheme", "n",     "samples", "matrices",
                                        "count",  "bound", "max_beta"};
    ckda_field_t K;
    task t = {.in = in};
    if (ckda_node_only(in, known, sizeof known / sizeof known[0], &ev->problem) != CKDA_OK
        || maps_read_scheme(&t.scheme, in, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_evidence_weaken(ev, CKDA_CERTIFICATE);
    ckda_field_init_rational(K);
    ckda_truth truth = listed(ev, &t, K);
    if (truth == CKDA_TRUE)
        truth = drawn(ev, &t, K);
    ckda_evidence_scope(ev, "%ld programs of up to %ld factors multiplied out",
                        t.programs, t.largest);
    ckda_field_clear(K);
    return truth;
}
