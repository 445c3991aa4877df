/* How far beta and the gates may stay from their ends: the least e at which some entry
 * reaches the boundary of its cell.
 *
 * With d = distance of an entry from one of the two boundaries, as a function of e:
 *   beta         d(e) = g - t (x.q + e p.q)                         linear
 *   alpha        d(e) = g - t (1 - e) x.q
 *   both         d(e) = g - t (1 - e) (x.q + e p.q)                 quadratic
 *   adversarial  the least of g - t sum_j (x_j + b p_j) q_j (1 - f_j), b and f_j in {0, e}
 * for t = 1 (upper boundary) and t = -1.  The last is multilinear in b and the f_j, so its
 * least value over the box [0, e]^(n+1) stands at a corner, and it falls as e grows.
 *
 * Upper end of the answer: the first root of one pair's polynomial, with coefficients in
 * K.  Lower end: at 1 - 2^-36 times that root every pair is still inside, in doubles whose
 * error is bounded.  For linear functions all pairs that doubles cannot tell apart are
 * compared in K. */
#include "snap_internal.h"

#include <math.h>

enum { BITS = 192 };
typedef enum { MODE_BETA, MODE_ALPHA, MODE_BOTH, MODE_ADVERSARIAL } mode;

/* d(e) = c[0] + c[1] e + c[2] e^2 of one pair, boundary and corner. */
typedef struct {
    double c[3];
} quadratic;

typedef struct {
    uint32_t row, column;
    int side;  /* t */
    bool beta; /* MODE_ADVERSARIAL: is b = e, or 0? */
    double root;
} candidate;

typedef struct {
    const ckda_snap_struct *s;
    const ckda_quantised *z;
    mode mode;
    double range; /* e <= range */
    double error; /* of a value of d for e <= 2 */
} problem;

/* Does e move gate j in this corner?  d loses t (x_j + b p_j) q_j (1 - f): smallest with
 * f = e where that term is negative. */
static bool
gate_moves(double term, int side)
{
    return side * term < 0;
}

/* The polynomial of the corner that is worst at e = at. */
static quadratic
polynomial(const problem *pr, const candidate *c, double at)
{
    const ckda_snap_struct *s = pr->s;
    const double *x = s->x_near + (slong)c->row * s->n,
                 *p = s->p_near + (slong)c->row * s->n,
                 *q = pr->z->column + (slong)c->column * s->n;
    const uint32_t image = s->image[(size_t)c->row * s->ncolumns + c->column];
    const bool beta = pr->mode == MODE_BETA || pr->mode == MODE_BOTH
                      || (pr->mode == MODE_ADVERSARIAL && c->beta);
    double y[3] = {-pr->z->q[image], 0, 0};
    for (slong j = 0; j < s->n; j++) {
        const double a = x[j] * q[j], b = beta ? p[j] * q[j] : 0;
        bool moves = pr->mode != MODE_BETA && s->gated[c->row];
        if (pr->mode == MODE_ADVERSARIAL)
            moves = moves && gate_moves(a + at * b, c->side);
        y[0] += a;
        y[1] += b - (moves ? a : 0);
        y[2] -= moves ? b : 0;
    }
    const double g = c->side > 0 ? pr->z->high[image] : pr->z->low[image];
    return (quadratic){{g - c->side * y[0], -c->side * y[1], -c->side * y[2]}};
}

/* The first positive root of c[0] + c[1] e + c[2] e^2, c[0] > 0: 2 c0 / (sqrt(disc) - c1). */
static double
first_root(const quadratic *f)
{
    const double disc = f->c[1] * f->c[1] - 4 * f->c[0] * f->c[2];
    if (disc < 0)
        return INFINITY;
    const double below = sqrt(disc) - f->c[1];
    return below > 0 ? 2 * f->c[0] / below : INFINITY;
}

/* The corner that is worst at the root is found by going back and forth; each root is an
 * upper bound of the answer, whatever it converges to. */
static double
corner_root(const problem *pr, candidate *c, double start)
{
    double at = start, best = INFINITY;
    for (int round = 0; round < 6; round++) {
        const quadratic f = polynomial(pr, c, at);
        const double root = first_root(&f);
        if (!(root < best))
            break;
        best = at = root;
    }
    return best;
}

/* Is the pair inside for every e up to `to`, for certain? */
static bool
is_inside(const problem *pr, const candidate *c, double to)
{
    const quadratic f = polynomial(pr, c, to);
    const double end = f.c[0] + to * (f.c[1] + to * f.c[2]);
    if (!(f.c[0] > pr->error && end > pr->error))
        return false;
    if (pr->mode != MODE_BOTH || f.c[2] <= 0)
        return true; /* linear, concave, or the worst corner of the largest box */
    const double low = -f.c[1] / (2 * f.c[2]);
    return low <= 0 || low >= to || f.c[0] + low * f.c[1] / 2 > pr->error;
}

/* ---- K ------------------------------------------------------------------------------- */

/* The sign of a + b at. */
static int
sum_sign(const ckda_elem_t a, const ckda_elem_t b, double at, const ckda_field_t K)
{
    ckda_elem_t y;
    ckda_elem_init(y, K);
    ckda_snap_elem_of_double(y, at, K);
    ckda_elem_mul(y, y, b, K);
    ckda_elem_add(y, y, a, K);
    const int sign = ckda_elem_sgn(y, K);
    ckda_elem_clear(y, K);
    return sign;
}

/* The same polynomial in K, for the corner that is worst at e = at. */
static void
exact_polynomial(ckda_elem_struct c[3], const problem *pr, const candidate *k, double at)
{
    const ckda_snap_struct *s = pr->s;
    const ckda_field_struct *K = s->tracker->c->K;
    const uint32_t image = s->image[(size_t)k->row * s->ncolumns + k->column];
    const bool beta = pr->mode == MODE_BETA || pr->mode == MODE_BOTH
                      || (pr->mode == MODE_ADVERSARIAL && k->beta);
    ckda_elem_struct *e = ckda_elem_vec_new(3, K), *a = e, *b = e + 1, *q = e + 2;
    const double g = k->side > 0 ? pr->z->high[image] : pr->z->low[image];
    ckda_snap_elem_of_double(&c[0], g + k->side * pr->z->q[image], K);
    ckda_elem_zero(&c[1], K);
    ckda_elem_zero(&c[2], K);
    for (slong j = 0; j < s->n; j++) {
        const slong r = (slong)k->row * s->n + j;
        const double near = pr->z->column[(slong)k->column * s->n + j];
        ckda_snap_elem_of_double(q, k->side * near, K);
        ckda_elem_mul(a, s->x + r, q, K);
        ckda_elem_zero(b, K);
        if (beta)
            ckda_elem_mul(b, s->p + r, q, K);
        bool moves = pr->mode != MODE_BETA && s->gated[k->row];
        if (pr->mode == MODE_ADVERSARIAL && moves)
            moves = sum_sign(a, b, at, K) < 0;
        ckda_elem_sub(&c[0], &c[0], a, K);
        if (moves)
            ckda_elem_add(&c[1], &c[1], a, K);
        ckda_elem_sub(&c[1], &c[1], b, K);
        if (moves)
            ckda_elem_add(&c[2], &c[2], b, K);
    }
    ckda_elem_vec_free(e, 3, K);
}

/* Is v[1] + 2 v[2] e of one sign on [0, to]? */
static bool
is_monotone(const arb_struct *v, double to)
{
    arb_t end;
    arb_init(end);
    arb_set_d(end, 2 * to);
    arb_mul(end, end, v + 2, BITS);
    arb_add(end, end, v + 1, BITS);
    const bool monotone = (arb_is_nonnegative(v + 1) && arb_is_nonnegative(end))
                          || (arb_is_nonpositive(v + 1) && arb_is_nonpositive(end));
    arb_clear(end);
    return monotone;
}

/* is_inside for the pairs that doubles cannot decide; false when K's balls cannot either. */
static bool
is_inside_exact(const problem *pr, const candidate *k, double to)
{
    const ckda_field_struct *K = pr->s->tracker->c->K;
    ckda_elem_struct *c = ckda_elem_vec_new(3, K);
    arb_struct *v = _arb_vec_init(5), *end = v + 3, *x = v + 4;
    exact_polynomial(c, pr, k, to);
    for (int i = 0; i < 3; i++)
        ckda_elem_get_arb(v + i, &c[i], K, BITS);
    arb_set_d(x, to);
    arb_mul(end, v + 2, x, BITS);
    arb_add(end, end, v + 1, BITS);
    arb_mul(end, end, x, BITS);
    arb_add(end, end, v, BITS);
    bool inside = arb_is_positive(v) && arb_is_positive(end);
    if (inside && pr->mode == MODE_BOTH && !arb_is_nonpositive(v + 2)) {
        /* convex: the least value c0 - c1^2 / 4 c2, unless it lies beyond the interval */
        arb_mul(end, v + 1, v + 1, BITS);
        arb_mul(x, v, v + 2, BITS);
        arb_mul_2exp_si(x, x, 2);
        arb_sub(end, x, end, BITS);
        inside = arb_is_positive(end) || is_monotone(v, to);
    }
    _arb_vec_clear(v, 5);
    ckda_elem_vec_free(c, 3, K);
    return inside;
}

/* 2 c0 / (sqrt(disc) - c1), which doubles found to be positive. */
static void
root_ball(arb_t y, const ckda_elem_struct c[3], const ckda_field_t K)
{
    arb_struct *v = _arb_vec_init(4);
    for (int i = 0; i < 3; i++)
        ckda_elem_get_arb(v + i, &c[i], K, BITS);
    arb_mul(v + 2, v + 2, v, BITS);
    arb_mul_2exp_si(v + 2, v + 2, 2);
    arb_mul(v + 3, v + 1, v + 1, BITS);
    arb_sub(v + 3, v + 3, v + 2, BITS);
    arb_sqrtpos(v + 3, v + 3, BITS);
    arb_sub(v + 3, v + 3, v + 1, BITS);
    arb_mul_2exp_si(v, v, 1);
    arb_div(y, v, v + 3, BITS);
    _arb_vec_clear(v, 4);
}

/* c[2] = 0: the root -c0 / c1 itself. */
static void
root_in_field(ckda_elem_t y, const ckda_elem_struct c[3], const ckda_field_t K)
{
    const ckda_status st = ckda_elem_div(y, &c[0], &c[1], K);
    ckda_require(st == CKDA_OK, "a linear function with a root");
    ckda_elem_neg(y, y, K);
}

/* ---- minima --------------------------------------------------------------------------- */

/* The distance moves by at most (e1 + e2) |q| (1 + 2^-40): a pair that is farther from its
 * boundary needs no look. */
static bool
is_far(const problem *pr, const candidate *c, double to)
{
    const ckda_snap_struct *s = pr->s;
    const double m =
        ckda_snap_slack_near(pr->z, s->x_near + (slong)c->row * s->n,
                             s->image[(size_t)c->row * s->ncolumns + c->column],
                             pr->z->column + (slong)c->column * s->n);
    return m > 2.000001 * to * pr->z->norm[c->column] + 2 * pr->error;
}

/* The least root that doubles find; INFINITY if there is none. */
static void
propose(candidate *best, const problem *pr)
{
    candidate c = {0};
    best->root = INFINITY;
    for (c.row = 0; c.row < pr->s->nrows; c.row++)
        for (c.column = 0; c.column < pr->s->ncolumns; c.column++) {
            const double so_far = fmin(best->root, pr->range);
            if (is_far(pr, &c, so_far))
                continue;
            for (int k = 0; k < 4; k++) {
                c.side = k % 2 == 0 ? 1 : -1;
                c.beta = k >= 2;
                if (k >= 2 && pr->mode != MODE_ADVERSARIAL)
                    break;
                c.root = corner_root(pr, &c, so_far);
                if (c.root < best->root)
                    *best = c;
            }
        }
}

/* Is every pair certainly inside up to `to`?  If not, *left is one that may not be. */
static bool
all_inside(candidate *left, const problem *pr, double to)
{
    candidate c = {0};
    for (c.row = 0; c.row < pr->s->nrows; c.row++)
        for (c.column = 0; c.column < pr->s->ncolumns; c.column++) {
            if (is_far(pr, &c, to))
                continue;
            for (int k = 0; k < 4; k++) {
                c.side = k % 2 == 0 ? 1 : -1;
                c.beta = k >= 2;
                if (k >= 2 && pr->mode != MODE_ADVERSARIAL)
                    break;
                if (!is_inside(pr, &c, to) && !is_inside_exact(pr, &c, to)) {
                    *left = c;
                    return false;
                }
            }
        }
    return true;
}

/* Linear modes: the least root in K among all pairs that doubles cannot tell from the
 * best. */
static void
refine_linear(ckda_threshold *t, const problem *pr, double root)
{
    const ckda_field_struct *K = pr->s->tracker->c->K;
    ckda_elem_struct *c = ckda_elem_vec_new(4, K);
    candidate k = {0};
    bool first = true;
    for (k.row = 0; k.row < pr->s->nrows; k.row++)
        for (k.column = 0; k.column < pr->s->ncolumns; k.column++)
            for (k.side = -1; k.side <= 1 && !is_far(pr, &k, root * (1 + 0x1p-36));
                 k.side += 2) {
                if (is_inside(pr, &k, root * (1 + 0x1p-36)))
                    continue;
                exact_polynomial(c, pr, &k, root);
                if (ckda_elem_sgn(&c[1], K) >= 0)
                    continue; /* moves away from this boundary */
                root_in_field(c + 3, c, K);
                if (first
                    || (!ckda_elem_equal(c + 3, t->exact, K)
                        && ckda_elem_cmp(c + 3, t->exact, K) < 0)) {
                    ckda_elem_swap(t->exact, c + 3, K);
                    t->at = (ckda_snap_place){pr->s->where[k.row], k.column};
                    first = false;
                }
            }
    ckda_require(!first, "the pair with the least root is among them");
    t->in_field = true;
    ckda_elem_get_arb(t->ball, t->exact, K, BITS);
    ckda_elem_vec_free(c, 4, K);
}

/* The root of the best pair, joined with the lower end that was proved. */
static void
enclose(ckda_threshold *t, const problem *pr, const candidate *best, double lower)
{
    const ckda_field_struct *K = pr->s->tracker->c->K;
    ckda_elem_struct *c = ckda_elem_vec_new(3, K);
    arb_t low;
    arb_init(low);
    arb_set_d(low, lower);
    exact_polynomial(c, pr, best, best->root);
    root_ball(t->ball, c, K);
    arb_union(t->ball, t->ball, low, BITS);
    t->at = (ckda_snap_place){pr->s->where[best->row], best->column};
    arb_clear(low);
    ckda_elem_vec_free(c, 3, K);
}

/* The first root in K of the corner that is worst near the double, as a double again:
 * where the slack is small, doubles alone know few of its digits. */
static double
sharpened(const problem *pr, const candidate *k)
{
    const ckda_field_struct *K = pr->s->tracker->c->K;
    if (!isfinite(k->root))
        return k->root;
    ckda_elem_struct *c = ckda_elem_vec_new(3, K);
    arb_t root;
    arb_init(root);
    exact_polynomial(c, pr, k, k->root);
    root_ball(root, c, K);
    const double near = arf_get_d(arb_midref(root), ARF_RND_NEAR);
    const bool found = arb_is_positive(root);
    arb_clear(root);
    ckda_elem_vec_free(c, 3, K);
    return found ? near : k->root;
}

/* Proposes, then proves; what the proof finds left over becomes the next proposal. */
static ckda_status
set_threshold(ckda_threshold *t, const problem *pr, ckda_error *err)
{
    candidate best = {0}, left;
    double lower;
    propose(&best, pr);
    best.root = sharpened(pr, &best);
    for (int round = 0;; round++) {
        t->whole = best.root > pr->range;
        lower = t->whole ? pr->range : best.root * (1 - 0x1p-36);
        if (all_inside(&left, pr, lower))
            break;
        left.root = corner_root(pr, &left, lower);
        left.root = sharpened(pr, &left);
        if (round == 50 || !(left.root < best.root)) {
            ckda_error_set(err,
                           "an entry comes too near to its boundary to tell whether it "
                           "crosses: row %u, column %u",
                           left.row, left.column);
            return CKDA_E_UNABLE;
        }
        best = left;
    }
    if (t->whole)
        return CKDA_OK;
    if (pr->mode == MODE_BETA || pr->mode == MODE_ALPHA)
        refine_linear(t, pr, best.root);
    else
        enclose(t, pr, &best, lower);
    return CKDA_OK;
}

/* ---- the result ------------------------------------------------------------------------ */

/* ln((2 - e) / e), for the lower end of e: a logit that surely suffices lies above. */
static void
set_logit(ckda_tolerances_t t)
{
    arb_t two;
    if (t->adversarial.whole)
        return;
    arb_init(two);
    arb_set_ui(two, 2);
    arb_sub(two, two, t->adversarial.ball, BITS);
    arb_div(two, two, t->adversarial.ball, BITS);
    arb_log(t->logit, two, BITS);
    arb_clear(two);
}

static void
set_angle(ckda_tolerances_t t, const ckda_slack_t r)
{
    arb_t pi;
    arb_init(pi);
    arb_mul_2exp_si(t->key_angle_degrees, r->epsilon_ball, -1);
    arb_asin(t->key_angle_degrees, t->key_angle_degrees, BITS);
    arb_mul_ui(t->key_angle_degrees, t->key_angle_degrees, 180, BITS);
    arb_const_pi(pi, BITS);
    arb_div(t->key_angle_degrees, t->key_angle_degrees, pi, BITS);
    arb_clear(pi);
}

static void
threshold_init(ckda_threshold *t, const ckda_field_t K)
{
    *t = (ckda_threshold){0};
    arb_init(t->ball);
    ckda_elem_init(t->exact, K);
}

static void
threshold_clear(ckda_threshold *t, const ckda_field_t K)
{
    arb_clear(t->ball);
    ckda_elem_clear(t->exact, K);
}

ckda_status
ckda_tolerances_init(ckda_tolerances_t t, const ckda_snap_t s, const ckda_quantiser *Q,
                     const ckda_slack_t r, ckda_error *err)
{
    ckda_quantised z;
    const ckda_field_struct *K = s->tracker->c->K;
    if (r->sign <= 0) {
        ckda_error_set(err, "sigma is not positive: nothing is tolerated");
        return CKDA_E_DOMAIN;
    }
    ckda_status st = ckda_quantised_init(&z, s, Q, err);
    if (st != CKDA_OK)
        return st;
    ckda_tolerances_t new = {{.K = K}};
    ckda_threshold *const all[] = {&new->beta, &new->alpha, &new->both,
                                   &new->adversarial};
    arb_init(new->logit);
    arb_init(new->key_angle_degrees);
    for (int m = 0; m < 4; m++)
        threshold_init(all[m], K);
    for (int m = 0; st == CKDA_OK && m < 4; m++) {
        /* |p_j| <= 1, e <= 2: three times the error of a slack, twice for a quadratic */
        const problem pr = {s, &z, (mode)m, m == MODE_BETA ? 2 : 1, 8 * z.error};
        st = set_threshold(all[m], &pr, err);
    }
    ckda_quantised_clear(&z);
    if (st != CKDA_OK) {
        ckda_tolerances_clear(new);
        return st;
    }
    set_logit(new);
    set_angle(new, r);
    *t = *new;
    return CKDA_OK;
}

void
ckda_tolerances_clear(ckda_tolerances_t t)
{
    const ckda_field_struct *K = t->K;
    threshold_clear(&t->beta, K);
    threshold_clear(&t->alpha, K);
    threshold_clear(&t->both, K);
    threshold_clear(&t->adversarial, K);
    arb_clear(t->logit);
    arb_clear(t->key_angle_degrees);
    *t = (ckda_tolerances_struct){0};
}
