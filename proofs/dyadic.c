/* proofs/dyadic.c -- constructions that a binary float holds exactly, and why only for
 * exponents that divide 12.
 *
 * Statement.  dyadic_columns: for each row every parameter (keys, betas, gates) and every
 * entry of every reachable state is a bf16 number, and one step of the recurrence with all
 * formats bf16, fused or not, rounded to nearest or towards zero, computes the exact next
 * column: no rounding ever happens.  dyadic_orders: phi(n) <= bound for the listed n alone,
 * and their least common multiple is as stated.
 *
 * Why the check suffices.  Columns evolve apart, the columns of reachable states are
 * finitely many, and every letter maps each of them to the exact next one in the machine:
 * induction on the length.  For the orders: phi(n)^2 >= n/2 (claim dyadic.phi) leaves
 * n <= 2 bound^2 to look at, one by one.
 *
 * Not shown here: that no exact construction exists for other groups beyond the argument of
 * claim dyadic.obstruction. */
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "ckda/rounded.h"
#include "rows.h"

/* ---- columns ------------------------------------------------------------------------ */

typedef struct {
    ckda_evidence *ev;
    const char *system, *construction;
    ckda_tracker_t t;
    ckda_arith arith;
} row;

/* x as a double that bf16 holds; false if it is none. */
static bool
exact_value(double *d, const ckda_elem_t x, const ckda_field_t K)
{
    fmpq_poly_t f;
    fmpq_t q, back;
    fmpq_poly_init(f);
    fmpq_init(q);
    fmpq_init(back);
    bool holds = ckda_elem_is_rational(x, K);
    if (holds) {
        ckda_elem_get_fmpq_poly(f, x, K);
        fmpq_poly_get_coeff_fmpq(q, f, 0);
        const uint64_t bits = ckda_fp_from_fmpq(q, &ckda_fp_bf16, &ckda_fp_rne);
        holds =
            ckda_fp_get_fmpq(back, bits, &ckda_fp_bf16) == CKDA_OK && fmpq_equal(q, back);
        *d = ckda_fp_get_double(bits, &ckda_fp_bf16);
    }
    fmpq_clear(back);
    fmpq_clear(q);
    fmpq_poly_clear(f);
    return holds;
}

static void
name_row(const row *r, uint32_t letter)
{
    ckda_evidence_fact(r->ev, "tracker", "%s by %s", r->system, r->construction);
    ckda_evidence_fact(r->ev, "letter", "%s", r->t->letter_name[letter]);
}

/* Do the rounded parameters stand for the letter's exact matrix? */
static ckda_truth
check_parameters(const row *r, const ckda_rounded_t R)
{
    const ckda_field_struct *K = r->t->c->K;
    const slong n = r->t->n;
    ckda_truth truth = CKDA_TRUE;
    fmpq_mat_t A;
    ckda_mat_t got;
    fmpq_mat_init(A, n, n);
    ckda_mat_init(got, n, n, K);
    for (uint32_t l = 0; truth == CKDA_TRUE && l < r->t->nletters; l++) {
        ckda_rounded_matrix(A, l, R);
        for (slong i = 0; i < n; i++)
            for (slong j = 0; j < n; j++)
                ckda_elem_set_fmpq(ckda_mat_entry(got, i, j), fmpq_mat_entry(A, i, j), K);
        truth =
            ckda_evidence_expect_mat(r->ev, "the transition of the bf16 parameters", got,
                                     &r->t->c->matrix[r->t->element_of_letter[l]], K);
        if (truth == CKDA_FALSE)
            name_row(r, l);
    }
    ckda_mat_clear(got, K);
    fmpq_mat_clear(A);
    return truth;
}

/* The columns as doubles; false if bf16 does not hold one. */
static ckda_truth
set_columns(double *column, const row *r)
{
    const ckda_tracker_struct *t = r->t;
    for (uint32_t v = 0; v < t->ncolumns; v++)
        for (slong i = 0; i < t->n; i++) {
            const ckda_elem_struct *x =
                ckda_mat_entry(&t->exact[t->column_state[v]], i, (slong)t->column_at[v]);
            const bool holds = exact_value(&column[(slong)v * t->n + i], x, t->c->K);
            if (ckda_evidence_expect(r->ev, holds, "bf16 holds every entry of a state")
                == CKDA_FALSE) {
                ckda_evidence_fact_elem(r->ev, "entry", x, t->c->K);
                name_row(r, 0);
                return CKDA_FALSE;
            }
        }
    return CKDA_TRUE;
}

static ckda_truth
check_steps(const row *r, const double *column, const ckda_rounded_t R)
{
    const ckda_tracker_struct *t = r->t;
    const size_t n = (size_t)t->n;
    ckda_truth truth = CKDA_TRUE;
    double *h = flint_malloc(n * sizeof *h);
    for (uint32_t v = 0; truth == CKDA_TRUE && v < t->ncolumns; v++)
        for (uint32_t l = 0; truth == CKDA_TRUE && l < t->nletters; l++) {
            const double *want = column + t->column_next[(size_t)v * t->nletters + l] * n;
            memcpy(h, column + v * n, n * sizeof *h);
            ckda_rounded_step(h, 1, l, R);
            bool same = true;
            for (size_t i = 0; i < n; i++)
                same = same && h[i] == want[i];
            truth = ckda_evidence_expect(r->ev, same,
                                         "the machine computes the exact next column");
            if (truth == CKDA_FALSE) {
                ckda_evidence_fact(r->ev, "column", "%u", v);
                name_row(r, l);
            }
        }
    flint_free(h);
    return truth;
}

static ckda_truth
check_arithmetics(row *r, const double *column)
{
    ckda_truth truth = CKDA_TRUE;
    for (int k = 0; truth == CKDA_TRUE && k < 4; k++) {
        ckda_rounded_t R;
        r->arith.fma = k % 2 == 1;
        r->arith.store = k < 2 ? CKDA_FP_RNE : CKDA_FP_RTZ;
        if (ckda_rounded_init(R, r->t, &r->arith, &r->ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = check_parameters(r, R);
        if (truth == CKDA_TRUE)
            truth = check_steps(r, column, R);
        ckda_rounded_clear(R);
    }
    return truth;
}

static ckda_truth
check_tracker(row *r, const ckda_node *at)
{
    long states;
    if (ckda_node_get_long(&states, at, "states", 1, 1000000, &r->ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth =
        ckda_evidence_expect_long(r->ev, "states", (long)r->t->nstates, states);
    if (truth == CKDA_FALSE)
        name_row(r, 0);
    double *column =
        flint_malloc((size_t)r->t->ncolumns * (size_t)r->t->n * sizeof *column);
    if (truth == CKDA_TRUE)
        truth = set_columns(column, r);
    if (truth == CKDA_TRUE)
        truth = check_arithmetics(r, column);
    if (truth == CKDA_TRUE)
        ckda_evidence_scope(r->ev, "%s by %s: %ld states, %u columns x %u letters",
                            r->system, r->construction, states, r->t->ncolumns,
                            r->t->nletters);
    flint_free(column);
    return truth;
}

static ckda_truth
check_row(ckda_evidence *ev, const ckda_node *at)
{
    static const char *const known[] = {"system", "construction", "keys", "states"};
    row r = {.ev = ev, .arith = ckda_arith_default};
    const char *keys;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(at, known, sizeof known / sizeof *known, err) != CKDA_OK
        || ckda_node_get_string(&r.system, at, "system", err) != CKDA_OK
        || ckda_node_get_string(&r.construction, at, "construction", err) != CKDA_OK
        || ckda_node_get_string(&keys, at, "keys", err) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (strcmp(keys, "unit") != 0 && strcmp(keys, "direction") != 0)
        return ckda_evidence_unable(ev, "\"keys\": expected unit or direction");
    r.arith.state = r.arith.keys = r.arith.beta = r.arith.compute = &ckda_fp_bf16;
    r.arith.key = strcmp(keys, "unit") == 0 ? CKDA_KEY_UNIT : CKDA_KEY_DIRECTION;
    if (ckda_tracker_init(r.t, r.system, r.construction, NULL, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    const ckda_truth truth = check_tracker(&r, at);
    ckda_tracker_clear(r.t);
    return truth;
}

ckda_truth
ckda_check_dyadic_columns(ckda_evidence *ev, const ckda_node *in)
{
    return rows_check(NULL, ev, in, check_row);
}

/* ---- orders -------------------------------------------------------------------------- */

/* The listed orders, increasing, into `listed` (limit + 1 flags). */
static ckda_status
read_orders(bool *listed, const ckda_node *in, long limit, ckda_error *err)
{
    ckda_node list, item;
    size_t n;
    long order;
    if (ckda_node_member(&list, in, "orders", err) != CKDA_OK
        || ckda_node_size(&n, &list, err) != CKDA_OK)
        return CKDA_E_INPUT;
    for (size_t i = 0; i < n; i++) {
        if (ckda_node_item(&item, &list, i, err) != CKDA_OK
            || ckda_node_long(&order, &item, 1, limit, err) != CKDA_OK)
            return CKDA_E_INPUT;
        listed[order] = true;
    }
    return CKDA_OK;
}

static ckda_truth
check_orders(ckda_evidence *ev, const bool *listed, long bound, long limit, long exponent)
{
    long lcm = 1;
    for (long n = 1; n <= limit; n++) {
        const bool small = n_euler_phi((ulong)n) <= (ulong)bound;
        if (ckda_evidence_expect(ev, small == listed[n],
                                 small ? "every n with phi(n) <= %ld is listed"
                                       : "every listed n has phi(n) <= %ld",
                                 bound)
            == CKDA_FALSE) {
            ckda_evidence_fact(ev, "n", "%ld", n);
            ckda_evidence_fact(ev, "phi(n)", "%lu", n_euler_phi((ulong)n));
            return CKDA_FALSE;
        }
        if (small)
            lcm = lcm / (long)n_gcd((ulong)lcm, (ulong)n) * n;
    }
    return ckda_evidence_expect_long(ev, "least common multiple", lcm, exponent);
}

ckda_truth
ckda_check_dyadic_orders(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"bound", "orders", "exponent"};
    long bound, exponent;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(in, known, sizeof known / sizeof *known, err) != CKDA_OK
        || ckda_node_get_long(&bound, in, "bound", 1, 6, err) != CKDA_OK
        || ckda_node_get_long(&exponent, in, "exponent", 1, 1000000000, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    const long limit = 2 * bound * bound; /* phi(n)^2 >= n/2 */
    bool listed[2 * 6 * 6 + 1] = {false};
    if (read_orders(listed, in, limit, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    const ckda_truth truth = check_orders(ev, listed, bound, limit, exponent);
    ckda_evidence_scope(ev, "n = 1 .. %ld, phi(n) <= %ld", limit, bound);
    return truth;
}
