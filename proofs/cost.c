/* proofs/cost.c -- what one update costs, and how many values a gate takes.
 *
 * Statement.  The update H' = Diag(a)H, p = H'^T k, H = H' + (beta k)(v - p)^T followed
 * by o = H^T q takes 4 n d_v + n multiplications and 3 n d_v - d_v additions, and gives
 * the dense form (C-COST).  Per-channel gates need d_k values a token, a scalar gate one
 * (K7).
 *
 * Why the check suffices.  The update is carried out in exact arithmetic through
 * functions that count; the formulas stand in the document.  The number of values is the
 * rank of the linear map from gate values to gated states.
 *
 * Not shown here: that no cheaper order of operations exists.                         */
#include "checks.h"

#define TRY(call)                                                                        \
    do {                                                                                 \
        ckda_status try_status = (call);                                                 \
        if (try_status != CKDA_OK)                                                       \
            return try_status;                                                           \
    } while (0)

/* ---- C-COST ----------------------------------------------------------------------- */

/* Arithmetic on rationals that counts what it does. */
typedef struct {
    long mul, add;
    const ckda_field_struct *K;
} counter;

static void
mul(counter *c, ckda_elem_t z, const ckda_elem_t x, const ckda_elem_t y)
{
    c->mul++;
    ckda_elem_mul(z, x, y, c->K);
}

static void
add(counter *c, ckda_elem_t z, const ckda_elem_t x, const ckda_elem_t y)
{
    c->add++;
    ckda_elem_add(z, x, y, c->K);
}

static void
sub(counter *c, ckda_elem_t z, const ckda_elem_t x, const ckda_elem_t y)
{
    c->add++;
    ckda_elem_sub(z, x, y, c->K);
}

/* One step's data: state n x dv, the others columns, beta 1 x 1. */
typedef struct {
    ckda_mat_t H, gate, k, v, q, beta, read;
} token;

static void
token_init(token *t, slong n, slong dv, ckda_rand *r, const ckda_field_t K)
{
    ckda_mat_init(t->H, n, dv, K);
    ckda_mat_init(t->gate, n, 1, K);
    ckda_mat_init(t->k, n, 1, K);
    ckda_mat_init(t->v, dv, 1, K);
    ckda_mat_init(t->q, n, 1, K);
    ckda_mat_init(t->beta, 1, 1, K);
    ckda_mat_init(t->read, dv, 1, K);
    ckda_mat_struct *const part[] = {t->H, t->gate, t->k, t->v, t->q, t->beta};
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
        ckda_mat_rand(part[i], r, 5, 3, K);
}

static void
token_clear(token *t, const ckda_field_t K)
{
    ckda_mat_struct *const part[] = {t->H, t->gate, t->k, t->v, t->q, t->beta, t->read};
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
        ckda_mat_clear(part[i], K);
}

/* y_j = sum_i x_i H_ij, for all columns j. */
static void
read_columns(counter *c, ckda_mat_t y, const ckda_mat_t H, const ckda_mat_t x)
{
    ckda_elem_t t;
    ckda_elem_init(t, c->K);
    for (slong j = 0; j < H->cols; j++) {
        mul(c, ckda_mat_entry(y, j, 0), ckda_mat_entry(H, 0, j), ckda_mat_entry(x, 0, 0));
        for (slong i = 1; i < H->rows; i++) {
            mul(c, t, ckda_mat_entry(H, i, j), ckda_mat_entry(x, i, 0));
            add(c, ckda_mat_entry(y, j, 0), ckda_mat_entry(y, j, 0), t);
        }
    }
    ckda_elem_clear(t, c->K);
}

/* t->H and t->read after the step, everything counted. */
static void
update(counter *c, token *t)
{
    slong n = t->H->rows, dv = t->H->cols;
    ckda_mat_t p, bk;
    ckda_elem_t x;
    ckda_mat_init(p, dv, 1, c->K);
    ckda_mat_init(bk, n, 1, c->K);
    ckda_elem_init(x, c->K);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < dv; j++)
            mul(c, ckda_mat_entry(t->H, i, j), ckda_mat_entry(t->gate, i, 0),
                ckda_mat_entry(t->H, i, j));
    read_columns(c, p, t->H, t->k);
    for (slong j = 0; j < dv; j++)
        sub(c, ckda_mat_entry(p, j, 0), ckda_mat_entry(t->v, j, 0),
            ckda_mat_entry(p, j, 0));
    for (slong i = 0; i < n; i++) {
        mul(c, ckda_mat_entry(bk, i, 0), t->beta->entry, ckda_mat_entry(t->k, i, 0));
        for (slong j = 0; j < dv; j++) {
            mul(c, x, ckda_mat_entry(bk, i, 0), ckda_mat_entry(p, j, 0));
            add(c, ckda_mat_entry(t->H, i, j), ckda_mat_entry(t->H, i, j), x);
        }
    }
    read_columns(c, t->read, t->H, t->q);
    ckda_elem_clear(x, c->K);
    ckda_mat_clear(bk, c->K);
    ckda_mat_clear(p, c->K);
}

/* D = (I - beta kk^T) Diag(gate) H + beta k v^T with matrices; D is initialised here. */
static bool
dense(ckda_mat_t D, const token *t, const ckda_field_t K)
{
    slong n = t->H->rows, dv = t->H->cols;
    ckda_mat_t A, B, kt, vt, G;
    ckda_mat_init(D, n, dv, K);
    ckda_mat_init(A, n, n, K);
    ckda_mat_init(B, n, dv, K);
    ckda_mat_init(G, n, n, K);
    ckda_mat_init(kt, 1, n, K);
    ckda_mat_init(vt, 1, dv, K);
    bool ok = ckda_mat_transpose(kt, t->k, K) == CKDA_OK
              && ckda_mat_transpose(vt, t->v, K) == CKDA_OK
              && ckda_mat_mul(A, t->k, kt, K) == CKDA_OK
              && ckda_mat_scalar_mul(A, A, t->beta->entry, K) == CKDA_OK
              && ckda_mat_one(G, K) == CKDA_OK && ckda_mat_sub(A, G, A, K) == CKDA_OK
              && ckda_mat_set_diag(G, t->gate->entry, n, K) == CKDA_OK
              && ckda_mat_mul(A, A, G, K) == CKDA_OK
              && ckda_mat_mul(D, A, t->H, K) == CKDA_OK
              && ckda_mat_mul(B, t->k, vt, K) == CKDA_OK
              && ckda_mat_scalar_mul(B, B, t->beta->entry, K) == CKDA_OK
              && ckda_mat_add(D, D, B, K) == CKDA_OK;
    ckda_mat_clear(vt, K);
    ckda_mat_clear(kt, K);
    ckda_mat_clear(G, K);
    ckda_mat_clear(B, K);
    ckda_mat_clear(A, K);
    return ok;
}

/* Runs one step with n and dv; compares with the dense form if asked. */
static ckda_truth
one_size(ckda_evidence *ev, slong n, slong dv, long want_mul, long want_add, bool compare,
         ckda_rand *r, const ckda_field_t K)
{
    counter c = {0, 0, K};
    token t;
    ckda_mat_t D;
    ckda_truth truth = CKDA_TRUE;
    token_init(&t, n, dv, r, K);
    if (compare && !dense(D, &t, K))
        truth = ckda_evidence_unable(ev, "the dense form has no matrix");
    update(&c, &t);
    if (compare) {
        if (truth == CKDA_TRUE)
            truth = ckda_evidence_expect_mat(ev, "state of the update", t.H, D, K);
        ckda_mat_clear(D, K);
    }
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "multiplications", c.mul, want_mul);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "additions", c.add, want_add);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact(ev, "size", "n = %ld, d_v = %ld", (long)n, (long)dv);
    token_clear(&t, K);
    return truth;
}

/* {"n_dv": 4, "n": 1, "dv": 0}: coefficients of n d_v, n and d_v. */
typedef struct {
    long n_dv, n, dv;
} formula;

static ckda_status
read_formula(formula *f, const ckda_node *in, const char *key, ckda_error *err)
{
    ckda_node at;
    TRY(ckda_node_member(&at, in, key, err));
    TRY(ckda_node_get_long(&f->n_dv, &at, "n_dv", -9, 9, err));
    TRY(ckda_node_get_long(&f->n, &at, "n", -9, 9, err));
    return ckda_node_get_long(&f->dv, &at, "dv", -9, 9, err);
}

static long
value(const formula *f, long n, long dv)
{
    return f->n_dv * n * dv + f->n * n + f->dv * dv;
}

static ckda_status
read_range(long *from, long *to, const ckda_node *in, const char *key, ckda_error *err)
{
    ckda_node at;
    TRY(ckda_node_member(&at, in, key, err));
    TRY(ckda_node_get_long(from, &at, "from", 1, 64, err));
    return ckda_node_get_long(to, &at, "to", *from, 64, err);
}

/* The sizes that the document lists with their counts; the formulas must give them too.
 */
static ckda_truth
large_sizes(ckda_evidence *ev, const ckda_node *in, const formula *fmul,
            const formula *fadd, ckda_rand *r, const ckda_field_t K)
{
    ckda_node list, item;
    size_t count;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&list, in, "large", &ev->problem) != CKDA_OK
        || ckda_node_size(&count, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < count && truth == CKDA_TRUE; i++) {
        long n, dv, m, a;
        if (ckda_node_item(&item, &list, i, &ev->problem) != CKDA_OK
            || ckda_node_get_long(&n, &item, "n", 1, 512, &ev->problem) != CKDA_OK
            || ckda_node_get_long(&dv, &item, "dv", 1, 512, &ev->problem) != CKDA_OK
            || ckda_node_get_long(&m, &item, "mul", 0, 100000000, &ev->problem) != CKDA_OK
            || ckda_node_get_long(&a, &item, "add", 0, 100000000, &ev->problem)
                   != CKDA_OK)
            return CKDA_UNKNOWN;
        truth =
            ckda_evidence_expect_long(ev, "formula for products", value(fmul, n, dv), m);
        if (truth == CKDA_TRUE)
            truth =
                ckda_evidence_expect_long(ev, "formula for sums", value(fadd, n, dv), a);
        if (truth == CKDA_TRUE)
            truth = one_size(ev, n, dv, m, a, false, r, K);
    }
    return truth;
}

ckda_truth
ckda_check_update_cost(ckda_evidence *ev, const ckda_node *input)
{
    formula fmul, fadd;
    long n0, n1, d0, d1;
    ckda_rand r;
    ckda_field_t K;
    ckda_truth truth = CKDA_TRUE;
    if (read_formula(&fmul, input, "mul", &ev->problem) != CKDA_OK
        || read_formula(&fadd, input, "add", &ev->problem) != CKDA_OK
        || read_range(&n0, &n1, input, "n", &ev->problem) != CKDA_OK
        || read_range(&d0, &d1, input, "dv", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_field_init_rational(K);
    ckda_rand_init(&r, ev->seed);
    for (long n = n0; n <= n1 && truth == CKDA_TRUE; n++)
        for (long dv = d0; dv <= d1 && truth == CKDA_TRUE; dv++)
            truth = one_size(ev, n, dv, value(&fmul, n, dv), value(&fadd, n, dv), true,
                             &r, K);
    if (truth == CKDA_TRUE)
        truth = large_sizes(ev, input, &fmul, &fadd, &r, K);
    ckda_field_clear(K);
    ckda_evidence_scope(ev, "n = %ld..%ld, d_v = %ld..%ld and the listed sizes, counted",
                        n0, n1, d0, d1);
    return truth;
}

/* ---- K7 --------------------------------------------------------------------------- */

/* Rank of the map from gate values to the gated state of ones, d_k x 1: column i is what
 * the i-th value alone lets through. */
static long
values_needed(slong dk, bool per_channel, const ckda_field_t K)
{
    ckda_mat_t M;
    ckda_mat_init(M, dk, per_channel ? dk : 1, K);
    for (slong i = 0; i < dk; i++)
        ckda_mat_set_entry_si(M, i, per_channel ? i : 0, 1, K);
    long rank = (long)ckda_mat_rank(M, K);
    ckda_mat_clear(M, K);
    return rank;
}

ckda_truth
ckda_check_gate_count(ckda_evidence *ev, const ckda_node *input)
{
    ckda_node list, item, page;
    size_t n;
    long page_dk, page_channel, page_scalar;
    ckda_field_t K;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&list, input, "d_k", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK
        || ckda_node_member(&page, input, "page", &ev->problem) != CKDA_OK
        || ckda_node_get_long(&page_dk, &page, "d_k", 1, 512, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&page_channel, &page, "per_channel", 0, 512, &ev->problem)
               != CKDA_OK
        || ckda_node_get_long(&page_scalar, &page, "scalar", 0, 512, &ev->problem)
               != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_field_init_rational(K);
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++) {
        long dk;
        if (ckda_node_item(&item, &list, i, &ev->problem) != CKDA_OK
            || ckda_node_long(&dk, &item, 1, 512, &ev->problem) != CKDA_OK) {
            truth = CKDA_UNKNOWN;
            break;
        }
        truth = ckda_evidence_expect_long(ev, "values of a per-channel gate",
                                          values_needed(dk, true, K), dk);
        if (truth == CKDA_TRUE)
            truth = ckda_evidence_expect_long(ev, "values of a scalar gate",
                                              values_needed(dk, false, K), page_scalar);
    }
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "values of a per-channel gate on the page",
                                          values_needed(page_dk, true, K), page_channel);
    ckda_field_clear(K);
    ckda_evidence_scope(ev, "%zu values of d_k, and the page's", n);
    return truth;
}
