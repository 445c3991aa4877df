/* proofs/prop10_fields.c -- contractions whose singular values are irrational.
 *
 * Statement.  map_contractions: for every map of the listed numbers of points, and every
 * listed map, its 0/1 matrix divided by the square root of its largest fibre times
 * 1/scale is a product of at most max(1, min(n times and plus, 2s)) CKDA factors, s the
 * number of images.  planar_contractions: so is every listed and seeded rational 2 x 2
 * contraction, s its rank.  All betas are 0 or 2, one gate is not made of signs.
 *
 * Why the check suffices.  The decomposition is built in the smallest field that holds it
 * (square roots of the fibre sizes; singular values and one unit vector), the factors are
 * multiplied out exactly there and compared with the matrix.
 *
 * Not shown here: other maps; larger contractions.                                      */
#include "checks.h"
#include "ckda/input.h"
#include "maps.h"
#include "reflections.h"
#include "steps.h"

typedef struct {
    const ckda_node *in;
    long times, plus;
} limits;

static ckda_status
read_limits(limits *l, const ckda_node *in, ckda_error *err)
{
    ckda_node limit;
    l->in = in;
    if (ckda_node_member(&limit, in, "limit", err) != CKDA_OK
        || ckda_node_get_long(&l->times, &limit, "n", 0, 9, err) != CKDA_OK)
        return CKDA_E_INPUT;
    return ckda_node_get_long(&l->plus, &limit, "plus", -9, 9, err);
}

/* ---- maps -------------------------------------------------------------------------- */

/* size[k] = points that go to the k-th image, to[k] that image; returns their number. */
static slong
fibres(slong *size, slong *to, const slong *image, slong n)
{
    slong s = 0;
    for (slong f = 0; f < n; f++) {
        slong points = 0;
        for (slong j = 0; j < n; j++)
            points += image[j] == f;
        if (points > 0) {
            size[s] = points;
            to[s++] = f;
        }
    }
    return s;
}

/* The field of all sqrt(size[k]); root[k] (s elements) are these numbers. */
static ckda_status
field_of_roots(ckda_field_t K, ckda_elem_struct *root, const slong *size, slong s)
{
    qqbar_struct *x = _qqbar_vec_init(s);
    for (slong k = 0; k < s; k++)
        qqbar_sqrt_ui(x + k, (ulong)size[k]);
    const ckda_status st = ckda_field_init_numbers(K, root, x, s, 0);
    _qqbar_vec_clear(x, s);
    return st;
}

/* M = sum sqrt(m_f) e_f v_f^T, v_f the normed indicator of the fibre of f. */
static ckda_truth
check_roots(ckda_evidence *ev, const slong *image, slong n, const slong *size,
            const slong *to, const ckda_elem_struct *root, slong s, const limits *l,
            const ckda_field_t K)
{
    ckda_mat_t U, V;
    ckda_elem_t scale;
    slong largest = 0;
    ckda_elem_struct *sigma = ckda_elem_vec_new(s, K);
    ckda_mat_init(U, n, s, K);
    ckda_mat_init(V, n, s, K);
    ckda_elem_init(scale, K);
    for (slong k = 0; k < s; k++)
        largest = size[k] > size[largest] ? k : largest;
    ckda_truth truth = maps_read_elem(scale, l->in, "scale", K, &ev->problem) == CKDA_OK
                           ? CKDA_TRUE
                           : CKDA_UNKNOWN;
    for (slong k = 0; k < s && truth == CKDA_TRUE; k++) {
        ckda_require(ckda_elem_div(sigma + k, root + k, root + largest, K) == CKDA_OK,
                     "a fibre is not empty");
        ckda_elem_mul(sigma + k, sigma + k, scale, K);
        ckda_mat_set_entry_si(U, to[k], k, 1, K);
        for (slong j = 0; j < n; j++)
            if (image[j] == to[k])
                ckda_require(ckda_elem_inv(ckda_mat_entry(V, j, k), root + k, K)
                                 == CKDA_OK,
                             "a fibre is not empty");
    }
    if (truth == CKDA_TRUE)
        truth = mirrors_check_svd(ev, U, sigma, V, l->times * n + l->plus, K);
    ckda_elem_clear(scale, K);
    ckda_mat_clear(V, K);
    ckda_mat_clear(U, K);
    ckda_elem_vec_free(sigma, s, K);
    return truth;
}

static ckda_truth
check_map(ckda_evidence *ev, const slong *image, slong n, const limits *l)
{
    ckda_field_t K;
    ckda_elem_struct root[MAPS_MAX];
    slong size[MAPS_MAX], to[MAPS_MAX];
    const slong s = fibres(size, to, image, n);
    if (field_of_roots(K, root, size, s) != CKDA_OK)
        return ckda_evidence_unable(ev, "no field of the square roots");
    ckda_truth truth = check_roots(ev, image, n, size, to, root, s, l, K);
    for (slong k = 0; k < s; k++)
        ckda_elem_clear(root + k, K);
    ckda_field_clear(K);
    return maps_blame(ev, image, n, truth);
}

/* One listed map: [0, 0, 1, 1, 1]. */
static ckda_truth
listed_map(ckda_evidence *ev, const ckda_node *at, const limits *l)
{
    slong image[MAPS_MAX];
    size_t n;
    if (ckda_node_size(&n, at, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (n < 1 || n > MAPS_MAX)
        return ckda_evidence_unable(ev, "maps of 1 .. %d points only", MAPS_MAX);
    for (size_t j = 0; j < n; j++) {
        ckda_node item;
        long v;
        if (ckda_node_item(&item, at, j, &ev->problem) != CKDA_OK
            || ckda_node_long(&v, &item, 0, (long)n - 1, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        image[j] = v;
    }
    return check_map(ev, image, (slong)n, l);
}

ckda_truth
ckda_check_map_contractions(ckda_evidence *ev, const ckda_node *in)
{
    limits l;
    maps_span n;
    ckda_node list, item;
    size_t listed;
    ckda_truth truth = CKDA_TRUE;
    if (read_limits(&l, in, &ev->problem) != CKDA_OK
        || maps_read_span(&n, in, "n", ev) != CKDA_OK
        || ckda_node_member(&list, in, "maps", &ev->problem) != CKDA_OK
        || ckda_node_size(&listed, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (long i = n.from; i <= n.to && truth == CKDA_TRUE; i++) {
        slong image[MAPS_MAX] = {0};
        do
            truth = check_map(ev, image, i, &l);
        while (truth == CKDA_TRUE && maps_next(image, i));
    }
    for (size_t i = 0; i < listed && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&item, &list, i, &ev->problem) == CKDA_OK
                    ? listed_map(ev, &item, &l)
                    : CKDA_UNKNOWN;
    ckda_evidence_scope(ev, "all maps of %ld .. %ld points, %zu more", n.from, n.to,
                        listed);
    return truth;
}

/* ---- 2 x 2 ------------------------------------------------------------------------- */

/* The numbers of the decomposition of a rational A: singular values x[S0] >= x[S1] >= 0,
 * and the first right singular vector (x[VX], x[VY]). */
enum { S0, S1, VX, VY, NUMBERS };

/* s0, s1 = (sqrt(t + 2|d|) +- sqrt(t - 2|d|))/2, t = tr A^T A, d = det A. */
static void
singular_values(qqbar_struct *x, const ckda_mat_t S, const ckda_elem_t det,
                const ckda_field_t Q)
{
    fmpq_t t, d, y;
    qqbar_t half;
    fmpq_init(t);
    fmpq_init(d);
    fmpq_init(y);
    qqbar_init(half);
    steps_rational(t, ckda_mat_entry(S, 0, 0), Q);
    steps_rational(y, ckda_mat_entry(S, 1, 1), Q);
    fmpq_add(t, t, y);
    steps_rational(d, det, Q);
    fmpq_abs(d, d);
    fmpq_add(d, d, d);
    fmpq_add(y, t, d);
    qqbar_set_fmpq(x + VX, y);
    fmpq_sub(y, t, d);
    qqbar_set_fmpq(x + VY, y);
    qqbar_sqrt(x + VX, x + VX);
    qqbar_sqrt(x + VY, x + VY);
    qqbar_add(x + S0, x + VX, x + VY);
    qqbar_sub(x + S1, x + VX, x + VY);
    qqbar_set_ui(half, 2);
    qqbar_div(x + S0, x + S0, half);
    qqbar_div(x + S1, x + S1, half);
    qqbar_clear(half);
    fmpq_clear(y);
    fmpq_clear(d);
    fmpq_clear(t);
}

/* (c, d) along (S12, s0^2 - S11); a unit vector of the larger entry if S12 = 0. */
static void
first_vector(qqbar_struct *x, const ckda_mat_t S, const ckda_field_t Q)
{
    fmpq_t off, on;
    qqbar_t norm;
    fmpq_init(off);
    fmpq_init(on);
    qqbar_init(norm);
    steps_rational(off, ckda_mat_entry(S, 0, 1), Q);
    steps_rational(on, ckda_mat_entry(S, 0, 0), Q);
    if (fmpq_is_zero(off)) {
        const bool first =
            ckda_elem_cmp(ckda_mat_entry(S, 0, 0), ckda_mat_entry(S, 1, 1), Q) >= 0;
        qqbar_set_ui(x + VX, first);
        qqbar_set_ui(x + VY, !first);
    } else {
        qqbar_set_fmpq(x + VX, on);
        qqbar_pow_ui(x + VY, x + S0, 2);
        qqbar_sub(x + VY, x + VY, x + VX);
        qqbar_set_fmpq(x + VX, off);
        qqbar_pow_ui(norm, x + VY, 2);
        fmpq_mul(off, off, off);
        qqbar_add_fmpq(norm, norm, off);
        qqbar_sqrt(norm, norm);
        qqbar_div(x + VX, x + VX, norm);
        qqbar_div(x + VY, x + VY, norm);
    }
    qqbar_clear(norm);
    fmpq_clear(on);
    fmpq_clear(off);
}

/* V = [c, -d; d, c] from (c, d) = (y[VX], y[VY]) and U = A V Diag(1/s), with as many columns
 * as the rank. */
static ckda_truth
check_numbers(ckda_evidence *ev, const ckda_mat_t A, const ckda_elem_struct *y,
              const limits *l, const ckda_field_t Q, const ckda_field_t K)
{
    const slong s = !ckda_elem_is_zero(y + S0, K) + !ckda_elem_is_zero(y + S1, K);
    ckda_mat_t B, U, V;
    ckda_elem_t inverse;
    fmpq_t q;
    fmpq_init(q);
    ckda_mat_init(B, 2, 2, K);
    ckda_mat_init(U, 2, s, K);
    ckda_mat_init(V, 2, s, K);
    ckda_elem_init(inverse, K);
    for (slong i = 0; i < 4; i++) {
        steps_rational(q, A->entry + i, Q);
        ckda_elem_set_fmpq(B->entry + i, q, K);
    }
    for (slong j = 0; j < s; j++) {
        ckda_elem_set(ckda_mat_entry(V, j, j), y + VX, K);
        ckda_elem_set(ckda_mat_entry(V, 1 - j, j), y + VY, K);
    }
    if (s == 2)
        ckda_elem_neg(ckda_mat_entry(V, 0, 1), ckda_mat_entry(V, 0, 1), K);
    ckda_require(ckda_mat_mul(U, B, V, K) == CKDA_OK, "shapes fit");
    for (slong j = 0; j < s; j++) {
        ckda_require(ckda_elem_inv(inverse, y + j, K) == CKDA_OK, "rank s");
        for (slong i = 0; i < 2; i++)
            ckda_elem_mul(ckda_mat_entry(U, i, j), ckda_mat_entry(U, i, j), inverse, K);
    }
    ckda_truth truth = mirrors_check_svd(ev, U, y, V, l->times * 2 + l->plus, K);
    ckda_elem_clear(inverse, K);
    ckda_mat_clear(V, K);
    ckda_mat_clear(U, K);
    ckda_mat_clear(B, K);
    fmpq_clear(q);
    return truth;
}

static ckda_truth
check_planar(ckda_evidence *ev, const ckda_mat_t A, const limits *l, const ckda_field_t Q)
{
    enum { MAX_DEGREE = 16 };
    ckda_mat_t S;
    ckda_elem_t det;
    ckda_field_t K;
    ckda_elem_struct y[NUMBERS];
    qqbar_struct x[NUMBERS];
    ckda_truth truth;
    for (int i = 0; i < NUMBERS; i++)
        qqbar_init(x + i);
    ckda_mat_init(S, 2, 2, Q);
    ckda_elem_init(det, Q);
    ckda_require(ckda_mat_transpose(S, A, Q) == CKDA_OK
                     && ckda_mat_mul(S, S, A, Q) == CKDA_OK
                     && ckda_mat_det(det, A, Q) == CKDA_OK,
                 "2 x 2");
    singular_values(x, S, det, Q);
    first_vector(x, S, Q);
    if (ckda_field_init_numbers(K, y, x, NUMBERS, MAX_DEGREE) != CKDA_OK)
        truth = ckda_evidence_unable(ev, "a field of degree above %d", MAX_DEGREE);
    else {
        truth = check_numbers(ev, A, y, l, Q, K);
        for (int i = 0; i < NUMBERS; i++)
            ckda_elem_clear(y + i, K);
        ckda_field_clear(K);
    }
    for (int i = 0; i < NUMBERS; i++)
        qqbar_clear(x + i);
    ckda_elem_clear(det, Q);
    ckda_mat_clear(S, Q);
    return truth;
}

/* Seeded entries j/8, drawn until the matrix is a contraction. */
static ckda_truth
seeded_planar(ckda_evidence *ev, long inputs, const limits *l, const ckda_field_t Q)
{
    ckda_truth truth = CKDA_TRUE;
    ckda_rand r;
    ckda_mat_t A;
    ckda_rand_init(&r, ev->seed);
    ckda_mat_init(A, 2, 2, Q);
    for (long i = 0; i < inputs && truth == CKDA_TRUE; i++) {
        do
            for (slong j = 0; j < 4; j++)
                ckda_elem_set_frac(A->entry + j, ckda_rand_range(&r, -8, 8), 8, Q);
        while (!ckda_mat_is_contraction(NULL, A, Q));
        truth = check_planar(ev, A, l, Q);
    }
    ckda_mat_clear(A, Q);
    return truth;
}

static ckda_truth
listed_planar(ckda_evidence *ev, const ckda_node *at, const limits *l,
              const ckda_field_t Q)
{
    ckda_mat_t A;
    if (ckda_input_read_matrix(A, at, 2, 2, Q, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    const ckda_truth truth = check_planar(ev, A, l, Q);
    ckda_mat_clear(A, Q);
    return truth;
}

ckda_truth
ckda_check_planar_contractions(ckda_evidence *ev, const ckda_node *in)
{
    limits l;
    ckda_field_t Q;
    ckda_node list, item;
    size_t listed;
    long inputs;
    ckda_truth truth = CKDA_TRUE;
    if (read_limits(&l, in, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&inputs, in, "inputs", 1, 100000, &ev->problem) != CKDA_OK
        || ckda_node_member(&list, in, "matrices", &ev->problem) != CKDA_OK
        || ckda_node_size(&listed, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    inputs *= ev->effort == CKDA_QUICK ? 1 : 10;
    ckda_evidence_weaken(ev, CKDA_CERTIFICATE);
    ckda_field_init_rational(Q);
    for (size_t i = 0; i < listed && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&item, &list, i, &ev->problem) == CKDA_OK
                    ? listed_planar(ev, &item, &l, Q)
                    : CKDA_UNKNOWN;
    if (truth == CKDA_TRUE)
        truth = seeded_planar(ev, inputs, &l, Q);
    ckda_evidence_scope(ev, "%zu listed and %ld seeded 2 x 2 contractions", listed,
                        inputs);
    ckda_field_clear(Q);
    return truth;
}
