/* proofs/snap.c -- the SNAP theorem's numbers for trackers on a grid or in a format.
 *
 * Statement.  snap_rows: each row names a tracker and a quantiser Q and states sigma,
 * epsA* and tolerances (decimals are cut, not rounded), or that a grid is the best one up to
 * a bound, or that no grid up to a bound has sigma > 0; with "keys" also that the rounded
 * recurrence with such keys stays on Q(s H), and in how many states it closes.
 *
 * Why the check suffices.  The pairs (x, v) of rows of the transitions and columns of the
 * reachable states are finitely many; Q, every slack and every comparison is decided in the
 * number field (ckda/snap.h), and each row asks that the minimum over all products of
 * transitions is the same, so the numbers hold for every chunk length.  The theorem turns
 * sigma > 0 and epsA* into a statement for all words (claims snap.a to snap.d).
 *
 * Not shown here: state vectors that leave the finite orbit, training through Q. */
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "ckda/allwords.h"
#include "ckda/snap.h"
#include "rows.h"

/* One row while it is checked. */
typedef struct {
    ckda_evidence *ev;
    const ckda_node *at;
    const char *system, *construction;
    ckda_tracker_t t;
    ckda_snap_t s;
    ckda_quantiser Q;
    const ckda_field_struct *K;
} row;

/* ---- reading ------------------------------------------------------------------------ */

static ckda_status
read_format(const ckda_fp_format **f, const ckda_node *in, const char *key,
            ckda_error *err)
{
    const char *name;
    if (ckda_node_get_string(&name, in, key, err) != CKDA_OK)
        return CKDA_E_INPUT;
    *f = ckda_fp_format_named(name);
    return *f != NULL ? CKDA_OK : ckda_node_fail(in, err, "a format such as bf16", name);
}

/* "scale": "9/8" */
static ckda_status
read_scale(ckda_ratio *r, const ckda_node *in, ckda_error *err)
{
    ckda_node at;
    const char *text;
    char buf[32];
    fmpq_t q;
    if (ckda_node_member(&at, in, "scale", err) != CKDA_OK
        || ckda_node_number(&text, buf, &at, err) != CKDA_OK)
        return CKDA_E_INPUT;
    fmpq_init(q);
    const bool good = fmpq_set_str(q, text, 10) == 0 && fmpz_sgn(fmpq_denref(q)) != 0
                      && fmpz_fits_si(fmpq_numref(q)) && fmpz_fits_si(fmpq_denref(q))
                      && fmpq_sgn(q) > 0;
    if (good)
        *r = (ckda_ratio){fmpz_get_si(fmpq_numref(q)), fmpz_get_si(fmpq_denref(q))};
    fmpq_clear(q);
    return good ? CKDA_OK : ckda_node_fail(&at, err, "a positive rational number", NULL);
}

static ckda_status
read_quantiser(row *r, ckda_error *err)
{
    long n;
    if (ckda_node_has(r->at, "grid")) {
        if (ckda_node_get_long(&n, r->at, "grid", 1, 1 << 22, err) != CKDA_OK)
            return CKDA_E_INPUT;
        r->Q = ckda_quantiser_grid(n);
        return CKDA_OK;
    }
    r->Q = (ckda_quantiser){.scale = {1, 1}, .has_flush = ckda_node_has(r->at, "flush")};
    if (read_format(&r->Q.state, r->at, "state", err) != CKDA_OK)
        return CKDA_E_INPUT;
    if (r->Q.has_flush) {
        if (ckda_node_get_long(&n, r->at, "flush", 0, 1000, err) != CKDA_OK)
            return CKDA_E_INPUT;
        r->Q.flush = (int)n;
    }
    return ckda_node_has(r->at, "scale") ? read_scale(&r->Q.scale, r->at, err) : CKDA_OK;
}

static void
name_row(const row *r)
{
    ckda_evidence_fact(r->ev, "tracker", "%s by %s", r->system, r->t->c->name);
    if (r->Q.grid > 0)
        ckda_evidence_fact(r->ev, "grid", "%ld", (long)r->Q.grid);
}

/* ---- decimals ------------------------------------------------------------------------ */

/* The digits of "0.0510" as an integer, and how many stand behind the point. */
static bool
read_decimal(fmpz_t digits, ulong *places, const char *text)
{
    char buf[40];
    const char *point = strchr(text, '.');
    if (point == NULL || strlen(text) >= sizeof buf)
        return false;
    const size_t before = (size_t)(point - text);
    memcpy(buf, text, before);
    strcpy(buf + before, point + 1);
    *places = strlen(point + 1);
    return strspn(buf, "0123456789") == strlen(buf) && fmpz_set_str(digits, buf, 10) == 0;
}

/* floor(x 10^places), x in K. */
static void
floor_in_field(fmpz_t n, const ckda_elem_t x, ulong places, const ckda_field_t K)
{
    ckda_elem_t y, z;
    fmpq_t q;
    arb_t ball;
    ckda_elem_init(y, K);
    ckda_elem_init(z, K);
    fmpq_init(q);
    arb_init(ball);
    fmpz_ui_pow_ui(fmpq_numref(q), 10, places);
    ckda_elem_set_fmpq(y, q, K);
    ckda_elem_mul(y, y, x, K);
    ckda_elem_get_arb(ball, y, K, 128);
    arf_get_fmpz(n, arb_midref(ball), ARF_RND_FLOOR);
    fmpz_add_ui(n, n, 1);
    for (;; fmpz_sub_ui(n, n, 1)) { /* at most two steps: the ball is tiny */
        fmpz_set(fmpq_numref(q), n);
        ckda_elem_set_fmpq(z, q, K);
        if (ckda_elem_cmp(z, y, K) <= 0)
            break;
    }
    arb_clear(ball);
    fmpq_clear(q);
    ckda_elem_clear(z, K);
    ckda_elem_clear(y, K);
}

/* The same for a ball, if all of it agrees. */
static bool
floor_of_ball(fmpz_t n, const arb_t x, ulong places)
{
    arb_t y;
    fmpz_t power;
    arb_init(y);
    fmpz_init(power);
    fmpz_ui_pow_ui(power, 10, places);
    arb_mul_fmpz(y, x, power, 256);
    arb_floor(y, y, 256);
    const bool unique = arb_get_unique_fmpz(n, y) != 0;
    fmpz_clear(power);
    arb_clear(y);
    return unique;
}

/* Is the number (in K if exact != NULL, else in the ball) cut to the row's member `key`? */
static ckda_truth
check_decimal(const row *r, const char *key, const arb_t ball,
              const ckda_elem_struct *exact)
{
    const char *text;
    fmpz_t want, got;
    ulong places;
    if (!ckda_node_has(r->at, key))
        return CKDA_TRUE;
    if (ckda_node_get_string(&text, r->at, key, &r->ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    fmpz_init(want);
    fmpz_init(got);
    ckda_truth truth = CKDA_UNKNOWN;
    if (!read_decimal(want, &places, text))
        (void)ckda_evidence_unable(r->ev, "%s: expected a decimal, found %s", key, text);
    else if (exact == NULL && !floor_of_ball(got, ball, places))
        (void)ckda_evidence_unable(r->ev, "%s: the enclosure is too wide for %s", key,
                                   text);
    else {
        if (exact != NULL)
            floor_in_field(got, exact, places, r->K);
        truth =
            ckda_evidence_expect(r->ev, fmpz_equal(want, got), "%s is %s...", key, text);
    }
    if (truth == CKDA_FALSE) {
        char *digits = fmpz_get_str(NULL, 10, got);
        ckda_evidence_fact(r->ev, "got", "%s / 10^%lu", digits, places);
        flint_free(digits);
        name_row(r);
    }
    fmpz_clear(got);
    fmpz_clear(want);
    return truth;
}

/* ---- sigma and epsA* ------------------------------------------------------------------ */

static ckda_truth
refute_slack(const row *r, const ckda_slack_t k)
{
    const ckda_tracker_struct *t = r->t;
    ckda_evidence_fact(r->ev, "failed", "sigma > 0");
    name_row(r);
    ckda_evidence_fact_elem(r->ev, "sigma", k->sigma, r->K);
    for (size_t i = 0; i < k->length; i++)
        ckda_evidence_fact(r->ev, "word", "%s", t->letter_name[k->word[i]]);
    ckda_evidence_fact(r->ev, "letter", "%s", t->letter_name[k->sigma_at.row.letter]);
    ckda_evidence_fact(r->ev, "entry", "%u", k->sigma_at.row.row);
    ckda_evidence_fact_elem(r->ev, "computed", k->got, r->K);
    ckda_evidence_fact_elem(r->ev, "wanted", k->want, r->K);
    return CKDA_FALSE;
}

/* "sigma": an exact number */
static ckda_truth
check_sigma(const row *r, const ckda_slack_t k)
{
    const char *text;
    ckda_elem_t want;
    if (!ckda_node_has(r->at, "sigma"))
        return CKDA_TRUE;
    ckda_elem_init(want, r->K);
    ckda_truth truth = CKDA_UNKNOWN;
    if (ckda_node_get_string(&text, r->at, "sigma", &r->ev->problem) == CKDA_OK
        && ckda_elem_set_str(want, text, r->K, &r->ev->problem) == CKDA_OK)
        truth = ckda_evidence_expect(r->ev, ckda_elem_equal(want, k->sigma, r->K),
                                     "sigma = %s", text);
    if (truth == CKDA_FALSE) {
        ckda_evidence_fact_elem(r->ev, "got", k->sigma, r->K);
        name_row(r);
    }
    ckda_elem_clear(want, r->K);
    return truth;
}

static ckda_truth
check_slack(const row *r, const ckda_slack_t k)
{
    ckda_evidence_count(r->ev, (uint64_t)r->s->nrows * r->s->ncolumns);
    if (k->sign <= 0)
        return refute_slack(r, k);
    ckda_truth truth = ckda_evidence_expect(r->ev, k->separates,
                                            "states of different elements are stored "
                                            "differently");
    if (truth == CKDA_TRUE && k->same_for_products == CKDA_UNKNOWN)
        return ckda_evidence_unable(r->ev, "%s: too many products", r->system);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect(r->ev, k->same_for_products == CKDA_TRUE,
                                     "all products of letters have the same minimum");
    if (truth == CKDA_FALSE)
        name_row(r);
    if (truth == CKDA_TRUE)
        truth = check_sigma(r, k);
    if (truth == CKDA_TRUE)
        truth = check_decimal(r, "epsilon", k->epsilon_ball,
                              k->epsilon_in_field ? k->epsilon : NULL);
    return truth;
}

/* ---- tolerances ------------------------------------------------------------------------ */

static ckda_truth
check_threshold(const row *r, const char *key, const ckda_threshold *t)
{
    if (ckda_node_has(r->at, key) && t->whole) {
        ckda_evidence_fact(r->ev, "failed", "%s: no value in the range does harm", key);
        name_row(r);
        return CKDA_FALSE;
    }
    return check_decimal(r, key, t->ball, t->in_field ? t->exact : NULL);
}

static ckda_truth
check_tolerances(const row *r, const ckda_slack_t k)
{
    static const char *const keys[] = {"beta", "alpha", "both", "adversarial", "angle"};
    bool any = false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        any = any || ckda_node_has(r->at, keys[i]);
    if (!any)
        return CKDA_TRUE;
    ckda_tolerances_t t;
    if (ckda_tolerances_init(t, r->s, &r->Q, k, &r->ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    const ckda_threshold *const all[] = {&t->beta, &t->alpha, &t->both, &t->adversarial};
    ckda_truth truth = CKDA_TRUE;
    for (size_t i = 0; truth == CKDA_TRUE && i < 4; i++)
        truth = check_threshold(r, keys[i], all[i]);
    if (truth == CKDA_TRUE)
        truth = check_decimal(r, "angle", t->key_angle_degrees, NULL);
    ckda_tolerances_clear(t);
    return truth;
}

/* ---- the rounded recurrence ------------------------------------------------------------- */

static ckda_truth
check_stays(const row *r, const ckda_rounded_t R)
{
    ckda_snap_delta d;
    if (ckda_snap_delta_bound(&d, r->s, &r->Q, R, &r->ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (d.stays == CKDA_UNKNOWN)
        return ckda_evidence_unable(r->ev, "%s: delta is too large to tell", r->system);
    const ckda_truth truth =
        ckda_evidence_expect(r->ev, d.stays == CKDA_TRUE, "every step stores Q(s H)");
    if (truth == CKDA_FALSE) {
        name_row(r);
        ckda_evidence_fact(r->ev, "letter", "%s", r->t->letter_name[d.at.row.letter]);
        ckda_evidence_fact(r->ev, "column, entry", "%u, %u", d.at.column, d.at.row.row);
    }
    return truth;
}

static ckda_truth
check_states(const row *r, const ckda_rounded_t R)
{
    const ckda_allwords_options options = {.limits = {.max_states = 1000000},
                                           .methods = CKDA_ALLWORDS_PRODUCT};
    ckda_allwords_t c;
    long states;
    if (!ckda_node_has(r->at, "states"))
        return CKDA_TRUE;
    if (ckda_node_get_long(&states, r->at, "states", 1, 1000000, &r->ev->problem)
            != CKDA_OK
        || ckda_allwords_run(c, R, r->t, &options, &r->ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = CKDA_UNKNOWN;
    ckda_evidence_count(r->ev, c->edges);
    if (c->verdict == CKDA_ALLWORDS_UNDECIDED)
        (void)ckda_evidence_unable(r->ev, "%s: the search stays open", r->system);
    else
        truth = ckda_evidence_expect(r->ev, c->verdict == CKDA_ALLWORDS_TRACKS,
                                     "every word decodes rightly");
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(r->ev, "states", (long)c->states, states);
    if (truth == CKDA_FALSE)
        name_row(r);
    ckda_allwords_clear(c);
    return truth;
}

/* fp32 arithmetic with FMA, keys as the row says, or fp32. */
static ckda_truth
check_arithmetic(const row *r)
{
    ckda_arith a = ckda_arith_default;
    ckda_rounded_t R;
    a.grid = r->Q.grid;
    if (r->Q.grid == 0) {
        a.state = r->Q.state;
        a.has_flush = r->Q.has_flush;
        a.flush = r->Q.flush;
        a.initial = r->Q.scale;
    }
    if (ckda_node_has(r->at, "keys")
        && read_format(&a.keys, r->at, "keys", &r->ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (ckda_rounded_init(R, r->t, &a, &r->ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = check_stays(r, R);
    if (truth == CKDA_TRUE)
        truth = check_states(r, R);
    ckda_rounded_clear(R);
    return truth;
}

/* ---- searches ---------------------------------------------------------------------------- */

/* No grid up to `to` has sigma > 0 (best == 0), or `best` has the largest epsA*. */
static ckda_truth
check_search(const row *r, long to, int64_t best)
{
    ckda_snap_choice *list;
    size_t n, top;
    if (ckda_snap_search_grid(&list, &n, &top, r->s, 1, to, &r->ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_evidence_count(r->ev, (uint64_t)to);
    const int64_t found = n > 0 ? list[top].Q.grid : 0;
    ckda_truth truth = CKDA_TRUE;
    if (found != best) {
        truth = ckda_evidence_differ_long(
            r->ev, best == 0 ? "no grid holds" : "the grid with the largest epsA*",
            (long)found, (long)best);
        name_row(r);
    }
    flint_free(list);
    return truth;
}

static ckda_truth
check_grid(const row *r)
{
    ckda_slack_t k;
    long to;
    if (ckda_slack_init(k, r->s, &r->Q, &r->ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = check_slack(r, k);
    if (truth == CKDA_TRUE)
        truth = check_tolerances(r, k);
    ckda_slack_clear(k);
    if (truth == CKDA_TRUE)
        truth = check_arithmetic(r);
    if (truth != CKDA_TRUE || !ckda_node_has(r->at, "best_to"))
        return truth;
    return ckda_node_get_long(&to, r->at, "best_to", 1, 10000, &r->ev->problem) == CKDA_OK
               ? check_search(r, to, r->Q.grid)
               : CKDA_UNKNOWN;
}

static ckda_truth
check_with_tracker(row *r)
{
    long to;
    ckda_error *err = &r->ev->problem;
    if (ckda_snap_init(r->s, r->t, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = CKDA_UNKNOWN;
    r->K = r->t->c->K;
    if (ckda_node_has(r->at, "none_to")) {
        if (ckda_node_get_long(&to, r->at, "none_to", 1, 10000, err) == CKDA_OK)
            truth = check_search(r, to, 0);
    } else if (read_quantiser(r, err) == CKDA_OK) {
        truth = check_grid(r);
    }
    ckda_snap_clear(r->s);
    return truth;
}

static ckda_truth
check_row(ckda_evidence *ev, const ckda_node *at)
{
    static const char *const known[] = {
        "system", "construction", "grid",    "state",   "flush",      "scale",
        "sigma",  "epsilon",      "beta",    "alpha",   "both",       "angle",
        "keys",   "states",       "best_to", "none_to", "adversarial"};
    row r = {.ev = ev, .at = at};
    ckda_error *err = &ev->problem;
    if (ckda_node_only(at, known, sizeof known / sizeof *known, err) != CKDA_OK
        || ckda_node_get_string(&r.system, at, "system", err) != CKDA_OK
        || (ckda_node_has(at, "construction")
            && ckda_node_get_string(&r.construction, at, "construction", err) != CKDA_OK)
        || ckda_tracker_init(r.t, r.system, r.construction, NULL, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    const ckda_truth truth = check_with_tracker(&r);
    if (truth == CKDA_TRUE && r.Q.grid > 0)
        ckda_evidence_scope(ev, "%s c = %ld", r.system, (long)r.Q.grid);
    else if (truth == CKDA_TRUE)
        ckda_evidence_scope(ev, "%s %s", r.system,
                            r.Q.state != NULL ? r.Q.state->name : "none");
    ckda_tracker_clear(r.t);
    return truth;
}

ckda_truth
ckda_check_snap_rows(ckda_evidence *ev, const ckda_node *in)
{
    return rows_check(NULL, ev, in, check_row);
}
