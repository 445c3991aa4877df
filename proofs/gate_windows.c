/* proofs/gate_windows.c -- when two gate values, or a given key, allow a pair.
 *
 * Statement.  beta_window: for seeded gates -a < 0 < b and keys whose two classes have
 * lengths in the ratio kappa, in dimensions up to n_max, the step has one non-real pair
 * iff ((kappa-r)/(1+kappa r))^2 < beta - 1 < ((kappa+r)/(1+upper_sign kappa r))^2,
 * r = sqrt(a/b), and none otherwise, the ends included.  pair_witness: for seeded keys with
 * two or more entries the stated gates, and for seeded gates of both signs the stated key,
 * give a pair iff beta > beta_above.
 *
 * Why the check suffices.  The pairs of every step are counted with a certificate that is
 * verified from the step alone; the ends of the window are among the betas.
 *
 * Not shown here: all steps at once (a.F3, a.F4).                                       */
#include "checks.h"
#include "ckda/input.h"
#include "ckda/spectrum.h"
#include "steps.h"

/* The number of pairs, with a certificate that is verified from t alone. */
static ckda_truth
certified_pairs(ckda_evidence *ev, slong *pairs, const ckda_trans_t t,
                const ckda_field_t K)
{
    ckda_spectrum_cert_t c;
    ckda_error err = {0};
    if (ckda_spectrum_certificate(c, t, K) != CKDA_OK)
        return ckda_evidence_unable(ev, "no certificate: zero key");
    const bool good = ckda_spectrum_cert_verify(&err, c, t, K);
    *pairs = c->nonreal_pairs;
    ckda_spectrum_cert_clear(c, K);
    return ckda_evidence_expect(ev, good, "certificate of the spectrum: %s", err.text);
}

/* Has t exactly one pair (want) or none? */
static ckda_truth
expect_pair(ckda_evidence *ev, const ckda_trans_t t, bool want, const ckda_field_t K)
{
    slong pairs = 0;
    ckda_truth truth = certified_pairs(ev, &pairs, t, K);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "non-real pairs", (long)pairs, want);
    if (truth == CKDA_FALSE)
        steps_describe(ev, t, K);
    return truth;
}

/* ---- the window in beta ------------------------------------------------------------ */

/* key[from .. from+p-1] = length times a rational unit vector without zeros. */
static void
class_key(ckda_trans_t t, slong from, slong p, const ckda_elem_t length, ckda_rand *r,
          const ckda_field_t K)
{
    ckda_mat_t Q;
    bool zero;
    ckda_mat_init(Q, p, p, K);
    do {
        ckda_mat_rand_orthogonal(Q, r, 3, K);
        zero = false;
        for (slong i = 0; i < p; i++)
            zero |= ckda_elem_is_zero(ckda_mat_entry(Q, i, 0), K);
    } while (zero);
    for (slong i = 0; i < p; i++)
        ckda_elem_mul(t->key + from + i, ckda_mat_entry(Q, i, 0), length, K);
    ckda_mat_clear(Q, K);
}

/* x = ((kappa + sign r)/(1 + below kappa r))^2; false if the denominator vanishes. */
static bool
window_end(ckda_elem_t x, const ckda_elem_t kappa, const ckda_elem_t r, slong sign,
           slong below, const ckda_field_t K)
{
    ckda_elem_t d, one;
    ckda_elem_init(d, K);
    ckda_elem_init(one, K);
    ckda_elem_one(one, K);
    ckda_elem_mul(d, kappa, r, K);
    ckda_elem_mul_si(d, d, below, K);
    ckda_elem_add(d, d, one, K);
    ckda_elem_mul_si(x, r, sign, K);
    ckda_elem_add(x, x, kappa, K);
    const bool finite = ckda_elem_div(x, x, d, K) == CKDA_OK;
    ckda_elem_mul(x, x, x, K);
    ckda_elem_clear(one, K);
    ckda_elem_clear(d, K);
    return finite;
}

typedef struct {
    ckda_elem_t kappa, r, lower, upper, z, step;
    bool bounded;
} window;

static void
window_init(window *w, const ckda_field_t K)
{
    ckda_elem_init(w->kappa, K);
    ckda_elem_init(w->r, K);
    ckda_elem_init(w->lower, K);
    ckda_elem_init(w->upper, K);
    ckda_elem_init(w->z, K);
    ckda_elem_init(w->step, K);
}

static void
window_clear(window *w, const ckda_field_t K)
{
    ckda_elem_clear(w->step, K);
    ckda_elem_clear(w->z, K);
    ckda_elem_clear(w->upper, K);
    ckda_elem_clear(w->lower, K);
    ckda_elem_clear(w->r, K);
    ckda_elem_clear(w->kappa, K);
}

/* The i-th beta - 1: the ends, a little to both sides of each, and some far off. */
enum { BETAS = 10 };
static void
nth_z(window *w, int i, const ckda_field_t K)
{
    static const slong far[][2] = {{0, 1}, {1, 2}, {1, 1}, {3, 1}};
    if (i < 4) {
        ckda_elem_set_frac(w->z, far[i][0], far[i][1], K);
        return;
    }
    ckda_elem_set_frac(w->step, (i - 4) % 3 - 1, 1000000, K);
    ckda_elem_add(w->z, i < 7 || !w->bounded ? w->lower : w->upper, w->step, K);
}

/* Gates -b r^2 and b on classes of p and q coordinates; all betas. */
static ckda_truth
check_window(ckda_evidence *ev, window *w, slong p, slong q, ckda_rand *rand,
             const ckda_field_t K)
{
    ckda_truth truth = CKDA_TRUE;
    ckda_trans_t t;
    ckda_elem_t one, b;
    ckda_elem_init(one, K);
    ckda_elem_init(b, K);
    ckda_elem_one(one, K);
    ckda_elem_set_frac(b, ckda_rand_range(rand, 1, 8), 8, K);
    ckda_trans_init(t, CKDA_CKDA, p + q, 1, K);
    class_key(t, 0, p, w->kappa, rand, K);
    class_key(t, p, q, one, rand, K);
    for (slong i = 0; i < p + q; i++)
        ckda_elem_set(t->gate + i, b, K);
    ckda_elem_mul(b, b, w->r, K);
    ckda_elem_mul(b, b, w->r, K);
    for (slong i = 0; i < p; i++)
        ckda_elem_neg(t->gate + i, b, K);
    for (int i = 0; i < BETAS && truth == CKDA_TRUE; i++) {
        nth_z(w, i, K);
        ckda_elem_add(t->beta, w->z, one, K);
        truth = expect_pair(ev, t,
                            ckda_elem_cmp(w->z, w->lower, K) > 0
                                && (!w->bounded || ckda_elem_cmp(w->z, w->upper, K) < 0),
                            K);
    }
    ckda_trans_clear(t, K);
    ckda_elem_clear(b, K);
    ckda_elem_clear(one, K);
    return truth;
}

ckda_truth
ckda_check_beta_window(ckda_evidence *ev, const ckda_node *in)
{
    long inputs, n_max, sign;
    ckda_field_t K;
    ckda_rand r;
    window w;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_get_long(&inputs, in, "inputs", 1, 100000, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&n_max, in, "n_max", 2, 8, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&sign, in, "upper_sign", -1, 1, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    inputs *= ev->effort == CKDA_QUICK ? 1 : 10;
    ckda_evidence_weaken(ev, CKDA_CERTIFICATE);
    ckda_rand_init(&r, ev->seed);
    ckda_field_init_rational(K);
    window_init(&w, K);
    for (long i = 0; i < inputs && truth == CKDA_TRUE; i++) {
        const slong n = 2 + i % (n_max - 1), p = (slong)ckda_rand_range(&r, 1, n - 1);
        /* kappa = r and kappa r = 1 are the corners */
        ckda_elem_set_frac(w.kappa, ckda_rand_range(&r, 1, 6), ckda_rand_range(&r, 1, 6),
                           K);
        ckda_elem_set_frac(w.r, ckda_rand_range(&r, 1, 6), ckda_rand_range(&r, 1, 6), K);
        ckda_require(window_end(w.lower, w.kappa, w.r, -1, 1, K), "1 + kappa r > 0");
        w.bounded = window_end(w.upper, w.kappa, w.r, 1, sign, K);
        truth = check_window(ev, &w, p, n - p, &r, K);
    }
    ckda_evidence_scope(ev, "%ld seeded windows, %d betas each, n = 2 .. %ld", inputs,
                        BETAS, n_max);
    window_clear(&w, K);
    ckda_field_clear(K);
    return truth;
}

/* ---- witnesses of existence -------------------------------------------------------- */

/* beta - 1 in this list, the corners among them */
static const slong z_list[][2] = {{-3, 2}, {-1, 2},           {0, 1}, {1, 1000000},
                                  {1, 8},  {999999, 1000000}, {1, 1}, {5, 2}};
enum { Z = sizeof z_list / sizeof z_list[0] };

/* The gates -(1-C3)/2 on the first non-zero entry and those with `minus` set, (1+C3)/2 on
 * the last one and the others, C3 = C1 C2; off the support any gate. */
static void
witness_gates(ckda_trans_t t, ckda_rand *r, const ckda_field_t K)
{
    const slong n = t->n;
    slong first = -1, last = -1;
    bool minus[8];
    ckda_elem_t Nm, Np, x, y;
    ckda_elem_init(Nm, K);
    ckda_elem_init(Np, K);
    ckda_elem_init(x, K);
    ckda_elem_init(y, K);
    for (slong i = 0; i < n; i++)
        if (!ckda_elem_is_zero(t->key + i, K)) {
            first = first < 0 ? i : first;
            last = i;
        }
    for (slong i = 0; i < n; i++) {
        minus[i] = i == first || (i != last && ckda_rand_below(r, 2) == 0);
        ckda_elem_addmul(minus[i] ? Nm : Np, t->key + i, t->key + i, K);
    }
    /* C3 = (Np - Nm)(2 - beta) / ((Np + Nm) beta) */
    ckda_elem_set_si(x, 2, K);
    ckda_elem_sub(x, x, t->beta, K);
    ckda_elem_sub(y, Np, Nm, K);
    ckda_elem_mul(x, x, y, K);
    ckda_elem_add(y, Np, Nm, K);
    ckda_elem_mul(y, y, t->beta, K);
    ckda_require(ckda_elem_div(x, x, y, K) == CKDA_OK, "beta and the key are not 0");
    ckda_elem_one(y, K);
    for (slong i = 0; i < n; i++) {
        if (minus[i])
            ckda_elem_sub(t->gate + i, x, y, K); /* C3 - 1 */
        else
            ckda_elem_add(t->gate + i, x, y, K);
        if (ckda_elem_is_zero(t->key + i, K))
            ckda_elem_set_si(t->gate + i, ckda_rand_range(r, -2, 2), K);
        ckda_elem_set_frac(Nm, 1, 2, K);
        ckda_elem_mul(t->gate + i, t->gate + i, Nm, K);
    }
    ckda_elem_clear(y, K);
    ckda_elem_clear(x, K);
    ckda_elem_clear(Np, K);
    ckda_elem_clear(Nm, K);
}

/* A seeded key with at least two entries, sometimes tiny ones. */
static ckda_truth
check_key(ckda_evidence *ev, slong n, const ckda_elem_t above, const slong z[2],
          ckda_rand *r, const ckda_field_t K)
{
    ckda_trans_t t;
    ckda_truth truth = CKDA_TRUE;
    ckda_trans_init(t, CKDA_CKDA, n, 1, K);
    ckda_elem_set_frac(t->beta, z[0] + z[1], z[1], K);
    for (slong i = 0; i < n; i++)
        ckda_elem_set_frac(t->key + i, ckda_rand_range(r, -4, 4),
                           ckda_rand_below(r, 3) == 0 ? 1000 : 1, K);
    ckda_elem_one(t->key + ckda_rand_range(r, 1, n - 1), K);
    ckda_elem_set_frac(t->key, 1, 7, K);
    witness_gates(t, r, K);
    for (slong i = 0; i < n && truth == CKDA_TRUE && z[0] > 0; i++)
        truth = ckda_evidence_expect(ev,
                                     ckda_elem_cmp_si(t->gate + i, 1, K) <= 0
                                         && ckda_elem_cmp_si(t->gate + i, -1, K) >= 0,
                                     "gate %ld of the witness lies in [-1, 1]", (long)i);
    if (truth == CKDA_TRUE)
        truth = expect_pair(ev, t, ckda_elem_cmp(t->beta, above, K) > 0, K);
    ckda_trans_clear(t, K);
    return truth;
}

/* Gates -a/c and b/c beside others; the key (1, tan) on these two, tan^2 =
 * beta (a+b)/(b z + a) - 1 (any direction for beta <= 1). */
static ckda_truth
check_gates(ckda_evidence *ev, slong n, const ckda_node *above, const slong z[2],
            ckda_rand *r)
{
    const slong a = (slong)ckda_rand_range(r, 1, 9), b = (slong)ckda_rand_range(r, 1, 9);
    const slong scale = ckda_rand_below(r, 3) == 0 ? 1000000 : 9;
    qqbar_t x;
    ckda_field_t K;
    ckda_elem_struct y[1];
    ckda_elem_t limit;
    ckda_trans_t t;
    qqbar_init(x);
    if (z[0] > 0) { /* tan^2 = (b z + ... ) over a common denominator */
        const slong den = b * z[0] + a * z[1];
        fmpq_t tan2;
        fmpq_init(tan2);
        fmpq_set_si(tan2, (z[0] + z[1]) * (a + b) - den, (ulong)den);
        qqbar_set_fmpq(x, tan2);
        qqbar_sqrt(x, x);
        fmpq_clear(tan2);
    } else {
        qqbar_set_ui(x, 1);
    }
    if (ckda_field_init_numbers(K, y, x, 1, 4) != CKDA_OK) {
        qqbar_clear(x);
        return ckda_evidence_unable(ev, "no field of one square root");
    }
    qqbar_clear(x);
    ckda_elem_init(limit, K);
    ckda_trans_init(t, CKDA_CKDA, n, 1, K);
    ckda_elem_set_frac(t->beta, z[0] + z[1], z[1], K);
    for (slong i = 0; i < n; i++) {
        ckda_elem_zero(t->key + i, K);
        ckda_elem_set_frac(t->gate + i, ckda_rand_range(r, -9, 9), scale, K);
    }
    ckda_elem_one(t->key, K);
    ckda_elem_set(t->key + n - 1, y, K);
    ckda_elem_set_frac(t->gate, -a, scale, K);
    ckda_elem_set_frac(t->gate + n - 1, b, scale, K);
    ckda_truth truth = ckda_input_read_elem(limit, above, K, &ev->problem) == CKDA_OK
                           ? expect_pair(ev, t, ckda_elem_cmp(t->beta, limit, K) > 0, K)
                           : CKDA_UNKNOWN;
    ckda_trans_clear(t, K);
    ckda_elem_clear(limit, K);
    ckda_elem_clear(y, K);
    ckda_field_clear(K);
    return truth;
}

ckda_truth
ckda_check_pair_witness(ckda_evidence *ev, const ckda_node *in)
{
    long inputs, n_max;
    ckda_node above;
    ckda_field_t K;
    ckda_elem_t limit;
    ckda_rand r;
    ckda_truth truth = CKDA_UNKNOWN;
    if (ckda_node_get_long(&inputs, in, "inputs", 1, 100000, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&n_max, in, "n_max", 2, 8, &ev->problem) != CKDA_OK
        || ckda_node_member(&above, in, "beta_above", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    inputs *= ev->effort == CKDA_QUICK ? 1 : 10;
    ckda_evidence_weaken(ev, CKDA_CERTIFICATE);
    ckda_rand_init(&r, ev->seed);
    ckda_field_init_rational(K);
    ckda_elem_init(limit, K);
    if (ckda_input_read_elem(limit, &above, K, &ev->problem) == CKDA_OK)
        truth = CKDA_TRUE;
    for (long i = 0; i < inputs && truth == CKDA_TRUE; i++) {
        const slong n = 2 + i / Z % (n_max - 1);
        truth = check_key(ev, n, limit, z_list[i % Z], &r, K);
        if (truth == CKDA_TRUE)
            truth = check_gates(ev, n, &above, z_list[i % Z], &r);
    }
    ckda_evidence_scope(ev, "%ld keys and as many gate vectors, %d betas, n = 2 .. %ld",
                        inputs, (int)Z, n_max);
    ckda_elem_clear(limit, K);
    ckda_field_clear(K);
    return truth;
}
