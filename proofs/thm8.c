/* proofs/thm8.c -- Theorem 8 on exact inputs: isolating intervals, and the grid of Figure 11.
 *
 * Statement.  A = (I - beta kk^T) Diag(alpha), ||k|| = 1, has at most one non-real pair, and
 * none if beta <= 1 or if the gates do not have both signs.
 *
 * Why the check suffices.  Each input gets a certificate (removed real eigenvalues, intervals
 * with exact endpoint signs, an exact count for the last pair) that is verified from the
 * transition alone, with the dense characteristic polynomial.  The grid is finite and the
 * discriminant of every cell is decided exactly.
 *
 * Not shown here: the statement for all inputs (the identities of thm8.json).          */
#include "checks.h"
#include "ckda/input.h"
#include "ckda/spectrum.h"

/* Certificate, its verification, and the number of pairs. */
static ckda_truth
certified_pairs(ckda_evidence *ev, slong *pairs, const ckda_trans_t t,
                const ckda_field_t K)
{
    ckda_spectrum_cert_t c;
    ckda_error err;
    if (ckda_spectrum_certificate(c, t, K) != CKDA_OK)
        return ckda_evidence_unable(ev, "no certificate: zero key or several steps");
    ckda_error_clear(&err);
    bool good = ckda_spectrum_cert_verify(&err, c, t, K);
    *pairs = c->nonreal_pairs;
    ckda_spectrum_cert_clear(c, K);
    return ckda_evidence_expect(ev, good, "certificate of the spectrum: %s", err.text);
}

static void
describe(ckda_evidence *ev, const ckda_trans_t t, const ckda_field_t K)
{
    ckda_mat_t v;
    ckda_mat_init(v, 2, t->n, K);
    for (slong i = 0; i < t->n; i++) {
        ckda_elem_set(ckda_mat_entry(v, 0, i), t->key + i, K);
        ckda_elem_set(ckda_mat_entry(v, 1, i), t->gate + i, K);
    }
    ckda_evidence_fact_elem(ev, "beta", t->beta, K);
    ckda_evidence_fact_mat(ev, "key, gate", v, K);
    ckda_mat_clear(v, K);
}

/* Do the hypotheses "beta <= limit" or "gates of one sign" promise a real spectrum? */
static bool
promised_real(const ckda_trans_t t, const ckda_elem_t limit, const ckda_field_t K)
{
    bool negative = false, positive = false;
    for (slong i = 0; i < t->n; i++) {
        int s = ckda_elem_sgn(t->gate + i, K);
        negative |= s < 0;
        positive |= s > 0;
    }
    return !negative || !positive || ckda_elem_cmp(t->beta, limit, K) <= 0;
}

static ckda_truth
check_transition(ckda_evidence *ev, const ckda_trans_t t, long max_pairs,
                 const ckda_elem_t limit, const ckda_field_t K)
{
    slong pairs;
    ckda_truth truth = certified_pairs(ev, &pairs, t, K);
    if (truth == CKDA_TRUE) {
        long most = promised_real(t, limit, K) ? 0 : max_pairs;
        truth = ckda_evidence_expect(ev, pairs <= most,
                                     "%ld pairs where at most %ld are claimed",
                                     (long)pairs, most);
    }
    if (truth == CKDA_FALSE)
        describe(ev, t, K);
    return truth;
}

/* A wide random transition: any beta and gates, with zeros, repetitions and gaps in the key. */
static void
random_transition(ckda_trans_t t, ckda_rand *r, long beta_lo, long beta_hi,
                  const ckda_field_t K)
{
    slong n = t->n;
    ckda_elem_set_frac(t->beta, ckda_rand_range(r, 4 * beta_lo, 4 * beta_hi), 4, K);
    for (slong i = 0; i < n; i++) {
        ckda_elem_set_si(t->key + i, ckda_rand_range(r, -4, 4), K);
        if (i > 0 && ckda_rand_below(r, 5) == 0)
            ckda_elem_set(t->gate + i, t->gate + i - 1, K);
        else
            ckda_elem_set_frac(t->gate + i, ckda_rand_range(r, -20, 20), 4, K);
    }
    if (ckda_elem_is_zero(t->key + n - 1, K))
        ckda_elem_one(t->key + n - 1, K);
}

typedef struct {
    long inputs, n_max, max_pairs, beta_lo, beta_hi;
} ranges;

static ckda_status
read_ranges(ranges *g, const ckda_node *in, ckda_error *err)
{
    ckda_node beta, lo, hi;
    if (ckda_node_get_long(&g->inputs, in, "inputs", 1, 100000, err) != CKDA_OK
        || ckda_node_get_long(&g->n_max, in, "n_max", 2, 12, err) != CKDA_OK
        || ckda_node_get_long(&g->max_pairs, in, "max_pairs", 0, 6, err) != CKDA_OK
        || ckda_node_member(&beta, in, "beta", err) != CKDA_OK
        || ckda_node_item(&lo, &beta, 0, err) != CKDA_OK
        || ckda_node_item(&hi, &beta, 1, err) != CKDA_OK
        || ckda_node_long(&g->beta_lo, &lo, -100, 100, err) != CKDA_OK)
        return CKDA_E_INPUT;
    return ckda_node_long(&g->beta_hi, &hi, g->beta_lo, 100, err);
}

static ckda_truth
check_example(ckda_evidence *ev, const ckda_node *ex, const ranges *g,
              const ckda_elem_t limit, const ckda_field_t K)
{
    ckda_node tr;
    ckda_trans_t t;
    long want;
    slong pairs = 0;
    if (ckda_node_member(&tr, ex, "transition", &ev->problem) != CKDA_OK
        || ckda_node_get_long(&want, ex, "pairs", 0, 6, &ev->problem) != CKDA_OK
        || ckda_input_read_transition(t, &tr, K, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = check_transition(ev, t, g->max_pairs, limit, K);
    if (truth == CKDA_TRUE)
        truth = certified_pairs(ev, &pairs, t, K);
    if (truth == CKDA_TRUE) {
        truth = ckda_evidence_expect_long(ev, "non-real pairs", (long)pairs, want);
        if (truth == CKDA_FALSE)
            describe(ev, t, K);
    }
    ckda_trans_clear(t, K);
    return truth;
}

static ckda_truth
check_random(ckda_evidence *ev, const ranges *g, const ckda_elem_t limit,
             const ckda_field_t K)
{
    ckda_truth truth = CKDA_TRUE;
    ckda_rand r;
    long inputs = ev->effort == CKDA_QUICK ? g->inputs : 10 * g->inputs;
    ckda_rand_init(&r, ev->seed);
    for (long i = 0; i < inputs && truth == CKDA_TRUE; i++) {
        ckda_trans_t t;
        ckda_trans_init(t, CKDA_CKDA, 2 + i % (g->n_max - 1), 1, K);
        random_transition(t, &r, g->beta_lo, g->beta_hi, K);
        truth = check_transition(ev, t, g->max_pairs, limit, K);
        ckda_trans_clear(t, K);
    }
    ckda_evidence_scope(ev, "%ld transitions with intervals re-checked, n = 2 .. %ld",
                        inputs, g->n_max);
    return truth;
}

ckda_truth
ckda_check_thm8_intervals(ckda_evidence *ev, const ckda_node *in)
{
    ranges g;
    ckda_node examples, ex, at_limit;
    size_t nex;
    ckda_field_t K;
    ckda_elem_t limit;
    ckda_truth truth = CKDA_TRUE;
    if (read_ranges(&g, in, &ev->problem) != CKDA_OK
        || ckda_node_member(&at_limit, in, "real_below_beta", &ev->problem) != CKDA_OK
        || ckda_node_member(&examples, in, "examples", &ev->problem) != CKDA_OK
        || ckda_node_size(&nex, &examples, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_field_init_rational(K);
    ckda_elem_init(limit, K);
    if (ckda_input_read_elem(limit, &at_limit, K, &ev->problem) != CKDA_OK)
        truth = CKDA_UNKNOWN;
    for (size_t i = 0; i < nex && truth == CKDA_TRUE; i++) {
        if (ckda_node_item(&ex, &examples, i, &ev->problem) != CKDA_OK)
            truth = CKDA_UNKNOWN;
        else
            truth = check_example(ev, &ex, &g, limit, K);
    }
    if (truth == CKDA_TRUE)
        truth = check_random(ev, &g, limit, K);
    ckda_evidence_weaken(ev, CKDA_CERTIFICATE);
    ckda_elem_clear(limit, K);
    ckda_field_clear(K);
    return truth;
}

/* ---- Figure 11 ---- */

/* Does some key (1, j/den), j = 1 .. max, give a pair at (beta, alpha)? */
static bool
cell_has_pair(ckda_evidence *ev, const ckda_elem_t beta, const ckda_elem_t alpha,
              long den, long max, const ckda_field_t K)
{
    bool found = false;
    ckda_trans_t t;
    ckda_mat_t A;
    ckda_elem_t tr, det, disc;
    ckda_trans_init(t, CKDA_CKDA, 2, 1, K);
    ckda_mat_init(A, 2, 2, K);
    ckda_elem_init(tr, K);
    ckda_elem_init(det, K);
    ckda_elem_init(disc, K);
    ckda_elem_set(t->beta, beta, K);
    ckda_elem_set(t->gate, alpha, K);
    ckda_elem_one(t->key, K);
    for (long j = 1; j <= max && !found; j++) {
        ckda_elem_set_frac(t->key + 1, j, den, K);
        ckda_require(ckda_trans_matrix(A, t, K) == CKDA_OK
                         && ckda_mat_trace(tr, A, K) == CKDA_OK
                         && ckda_mat_det(det, A, K) == CKDA_OK,
                     "a 2 x 2 transition with a nonzero key");
        ckda_elem_mul(disc, tr, tr, K);
        ckda_elem_mul_si(det, det, 4, K);
        found = ckda_elem_cmp(disc, det, K) < 0;
        ckda_evidence_count(ev, 1);
    }
    ckda_elem_clear(disc, K);
    ckda_elem_clear(det, K);
    ckda_elem_clear(tr, K);
    ckda_mat_clear(A, K);
    ckda_trans_clear(t, K);
    return found;
}

typedef struct {
    ckda_elem_struct *beta, *alpha;
    slong nbeta, nalpha;
    ckda_elem_t beta_above, alpha_below;
    long den, max;
} grid;

static ckda_truth
check_grid(ckda_evidence *ev, const grid *g, const ckda_field_t K)
{
    for (slong i = 0; i < g->nbeta; i++)
        for (slong j = 0; j < g->nalpha; j++) {
            bool want = ckda_elem_cmp(g->beta + i, g->beta_above, K) > 0
                        && ckda_elem_cmp(g->alpha + j, g->alpha_below, K) < 0;
            bool got = cell_has_pair(ev, g->beta + i, g->alpha + j, g->den, g->max, K);
            if (got != want) {
                ckda_evidence_fact_elem(ev, "beta", g->beta + i, K);
                ckda_evidence_fact_elem(ev, "alpha", g->alpha + j, K);
                return ckda_evidence_expect(
                    ev, false, "the cell %s a pair, but %s was claimed",
                    got ? "has" : "has not", want ? "one" : "none");
            }
        }
    return CKDA_TRUE;
}

ckda_truth
ckda_check_thm8_grid(ckda_evidence *ev, const ckda_node *in)
{
    ckda_node nb, na, nk, ab, bl;
    grid g;
    ckda_field_t K;
    ckda_truth truth = CKDA_UNKNOWN;
    ckda_error *err = &ev->problem;
    if (ckda_node_member(&nb, in, "beta", err) != CKDA_OK
        || ckda_node_member(&na, in, "alpha", err) != CKDA_OK
        || ckda_node_member(&nk, in, "keys", err) != CKDA_OK
        || ckda_node_member(&ab, in, "beta_above", err) != CKDA_OK
        || ckda_node_member(&bl, in, "alpha_below", err) != CKDA_OK
        || ckda_node_get_long(&g.den, &nk, "denominator", 1, 1000, err) != CKDA_OK
        || ckda_node_get_long(&g.max, &nk, "max", 1, 100000, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_field_init_rational(K);
    ckda_elem_init(g.beta_above, K);
    ckda_elem_init(g.alpha_below, K);
    if (ckda_input_read_vector(&g.beta, &g.nbeta, &nb, -1, K, err) == CKDA_OK) {
        if (ckda_input_read_vector(&g.alpha, &g.nalpha, &na, -1, K, err) == CKDA_OK) {
            if (ckda_input_read_elem(g.beta_above, &ab, K, err) == CKDA_OK
                && ckda_input_read_elem(g.alpha_below, &bl, K, err) == CKDA_OK)
                truth = check_grid(ev, &g, K);
            ckda_evidence_scope(ev, "%ld x %ld cells, %ld keys each", (long)g.nbeta,
                                (long)g.nalpha, g.max);
            ckda_input_free_vector(g.alpha, g.nalpha, K);
        }
        ckda_input_free_vector(g.beta, g.nbeta, K);
    }
    ckda_elem_clear(g.alpha_below, K);
    ckda_elem_clear(g.beta_above, K);
    ckda_field_clear(K);
    return truth;
}
