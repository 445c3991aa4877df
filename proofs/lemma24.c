/* proofs/lemma24.c -- Lemma 24: one CKDA layer counts modulo 2m.
 *
 * Statement.  With phi = pi/m the transition (I - 2kk^T) Diag(1, -1), k the unit vector
 * (-sin phi/2, cos phi/2), sends e_1 through exactly 2m states, the fixed query (3/5,
 * 4/5) tells them apart, and the layer that does this is admissible (C-CLK2, 3, 4).  The
 * number (3+4i)/5 is no root of unity (C-CLK3.unity).
 *
 * Why the check suffices.  For each m everything is computed in the real field
 * Q(2cos(pi/2m)), which holds the sine and cosine of pi/2m: states and readouts are
 * compared pairwise, exactly.  Constant parameters and a state that comes back mean that
 * the run repeats for ever.
 *
 * Not shown here: m beyond the range of the document; for those C-CLK2.all, C-CLK3.split
 * and C-CLK3.unity give the argument.                                                 */
#include "checks.h"
#include "clock.h"
#include "ckda/input.h"

#define TRY(call)                                                                        \
    do {                                                                                 \
        ckda_status try_status = (call);                                                 \
        if (try_status != CKDA_OK)                                                       \
            return try_status;                                                           \
    } while (0)

/* Is state i the point at angle pi i/m, for all i? */
static ckda_truth
on_circle(ckda_evidence *ev, const clock_orbit *o, long m, const ckda_field_t K)
{
    ckda_truth truth = CKDA_TRUE;
    ckda_mat_t c;
    ckda_mat_init(c, 2, 1, K);
    for (long i = 0; i < o->n && truth == CKDA_TRUE; i++)
        if (!clock_circle_point(c, i, m, K))
            truth = ckda_evidence_unable(ev, "the field lacks a coordinate, m = %ld", m);
        else
            truth = ckda_evidence_expect_mat(ev, "A^i e_1 = (cos(pi i/m), sin(pi i/m))",
                                             o->state + i, c, K);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact(ev, "m", "%ld", m);
    ckda_mat_clear(c, K);
    return truth;
}

static ckda_status
read_states_per_m(long *per, const ckda_node *in, ckda_error *err)
{
    ckda_node at;
    TRY(ckda_node_member(&at, in, "expect", err));
    return ckda_node_get_long(per, &at, "states_per_m", 1, 8, err);
}

/* ---- C-CLK2 ----------------------------------------------------------------------- */

static ckda_truth
states_for(ckda_evidence *ev, const ckda_node *in, clock_turn phi, long per, long m)
{
    ckda_field_t K;
    clock_head h;
    clock_field_init(K, phi, m);
    clock_head_init(&h, K);
    ckda_truth truth = clock_read_head(&h, ev, in, in, phi, m, K);
    if (truth == CKDA_TRUE) {
        clock_orbit o;
        clock_orbit_init(&o, &h, 8 * m + 8, K);
        truth = on_circle(ev, &o, m, K);
        if (truth == CKDA_TRUE)
            truth = clock_expect_cycle(ev, &o, per * m, m, K);
        clock_orbit_clear(&o, K);
    }
    clock_head_clear(&h, K);
    ckda_field_clear(K);
    return truth;
}

ckda_truth
ckda_check_clock_states(ckda_evidence *ev, const ckda_node *input)
{
    clock_span s;
    clock_turn phi;
    long per;
    ckda_truth truth = CKDA_TRUE;
    if (clock_read_span(&s, input, ev) != CKDA_OK
        || clock_read_turn(&phi, input, &ev->problem) != CKDA_OK
        || read_states_per_m(&per, input, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (long m = s.from; m <= s.to && truth == CKDA_TRUE; m++)
        truth = states_for(ev, input, phi, per, m);
    ckda_evidence_scope(ev, "m = %ld..%ld, %ld m states each, compared pairwise", s.from,
                        s.to, per);
    return truth;
}

/* ---- C-CLK3 ----------------------------------------------------------------------- */

/* {"m": 3, "outputs": [...]}: the readouts at times 0, 1, ... */
static ckda_truth
compare_vector(ckda_evidence *ev, const ckda_node *vector, const ckda_mat_struct *o,
               long m, const ckda_field_t K)
{
    long for_m;
    size_t n;
    ckda_node list, item;
    ckda_mat_t want;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_get_long(&for_m, vector, "m", 1, 1000, &ev->problem) != CKDA_OK
        || ckda_node_member(&list, vector, "outputs", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (for_m != m)
        return CKDA_TRUE;
    ckda_mat_init(want, 1, 1, K);
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        if (ckda_node_item(&item, &list, i, &ev->problem) != CKDA_OK
            || ckda_input_read_elem(ckda_mat_entry(want, 0, 0), &item, K, &ev->problem)
                   != CKDA_OK)
            truth = CKDA_UNKNOWN;
        else
            truth = ckda_evidence_expect_mat(ev, "readout worked by hand",
                                             o + i % (size_t)(2 * m), want, K);
    ckda_mat_clear(want, K);
    return truth;
}

static ckda_truth
compare_vectors(ckda_evidence *ev, const ckda_node *in, const ckda_mat_struct *o, long m,
                const ckda_field_t K)
{
    size_t n;
    ckda_node list, item;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&list, in, "vectors", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        if (ckda_node_item(&item, &list, i, &ev->problem) != CKDA_OK)
            truth = CKDA_UNKNOWN;
        else
            truth = compare_vector(ev, &item, o, m, K);
    return truth;
}

static ckda_truth
query_for(ckda_evidence *ev, const ckda_node *in, long m)
{
    ckda_field_t K;
    ckda_mat_t q, c;
    ckda_mat_struct *o = flint_malloc((size_t)(2 * m) * sizeof *o);
    ckda_truth truth = CKDA_TRUE;
    ckda_field_init_cos(K, (ulong)(4 * m));
    ckda_mat_init(q, 2, 1, K);
    ckda_mat_init(c, 2, 1, K);
    for (long i = 0; i < 2 * m; i++)
        ckda_mat_init(o + i, 1, 1, K);
    if (clock_read_column(q, in, "query", K, &ev->problem) != CKDA_OK)
        truth = CKDA_UNKNOWN;
    if (truth == CKDA_TRUE)
        truth = clock_expect_unit(ev, q, K);
    for (long i = 0; i < 2 * m && truth == CKDA_TRUE; i++)
        if (clock_circle_point(c, i, m, K))
            clock_readout(o + i, q, c, K);
        else
            truth = ckda_evidence_unable(ev, "the field lacks a coordinate, m = %ld", m);
    if (truth == CKDA_TRUE)
        truth = clock_expect_distinct(ev, o, 2 * m, "readouts", m, K);
    if (truth == CKDA_TRUE)
        truth = compare_vectors(ev, in, o, m, K);
    for (long i = 0; i < 2 * m; i++)
        ckda_mat_clear(o + i, K);
    ckda_mat_clear(c, K);
    ckda_mat_clear(q, K);
    ckda_field_clear(K);
    flint_free(o);
    return truth;
}

ckda_truth
ckda_check_clock_query(ckda_evidence *ev, const ckda_node *input)
{
    clock_span s;
    ckda_truth truth = CKDA_TRUE;
    if (clock_read_span(&s, input, ev) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (long m = s.from; m <= s.to && truth == CKDA_TRUE; m++)
        truth = query_for(ev, input, m);
    ckda_evidence_scope(ev, "m = %ld..%ld, 2m readouts each, compared pairwise", s.from,
                        s.to);
    return truth;
}

/* ---- C-CLK4 ----------------------------------------------------------------------- */

/* The readouts of all states, pairwise distinct. */
static ckda_truth
outputs_distinct(ckda_evidence *ev, const clock_orbit *orbit, const ckda_node *in, long m,
                 const ckda_field_t K)
{
    ckda_mat_t q;
    ckda_mat_struct *o = flint_malloc((size_t)orbit->n * sizeof *o);
    ckda_truth truth = CKDA_UNKNOWN;
    ckda_mat_init(q, 2, 1, K);
    for (long i = 0; i < orbit->n; i++)
        ckda_mat_init(o + i, 1, 1, K);
    if (clock_read_column(q, in, "query", K, &ev->problem) == CKDA_OK) {
        truth = clock_expect_unit(ev, q, K);
        for (long i = 0; i < orbit->n; i++)
            clock_readout(o + i, q, orbit->state + i, K);
        if (truth == CKDA_TRUE)
            truth = clock_expect_distinct(ev, o, orbit->n, "readouts", m, K);
    }
    for (long i = 0; i < orbit->n; i++)
        ckda_mat_clear(o + i, K);
    ckda_mat_clear(q, K);
    flint_free(o);
    return truth;
}

static ckda_truth
layer_for(ckda_evidence *ev, const ckda_node *in, const ckda_node *layer, long per,
          long m)
{
    const clock_turn phi = {1, 1};
    ckda_field_t K;
    clock_head h;
    clock_field_init(K, phi, m);
    clock_head_init(&h, K);
    ckda_truth truth = clock_read_head(&h, ev, in, layer, phi, m, K);
    if (truth == CKDA_TRUE) {
        clock_orbit o;
        clock_orbit_init(&o, &h, 8 * m + 8, K);
        truth = clock_expect_cycle(ev, &o, per * m, m, K);
        if (truth == CKDA_TRUE)
            truth = outputs_distinct(ev, &o, in, m, K);
        clock_orbit_clear(&o, K);
    }
    clock_head_clear(&h, K);
    ckda_field_clear(K);
    return truth;
}

ckda_truth
ckda_check_clock_layer(ckda_evidence *ev, const ckda_node *input)
{
    clock_span s;
    long per;
    size_t n;
    ckda_node layers, layer;
    ckda_truth truth = CKDA_TRUE;
    if (clock_read_span(&s, input, ev) != CKDA_OK
        || read_states_per_m(&per, input, &ev->problem) != CKDA_OK
        || ckda_node_member(&layers, input, "layers", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &layers, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++) {
        if (ckda_node_item(&layer, &layers, i, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        for (long m = s.from; m <= s.to && truth == CKDA_TRUE; m++)
            truth = layer_for(ev, input, &layer, per, m);
    }
    ckda_evidence_scope(ev, "m = %ld..%ld, %zu layers, states and readouts pairwise",
                        s.from, s.to, n);
    return truth;
}

/* ---- C-CLK3.unity ----------------------------------------------------------------- */

/* Reads the complex number z[0] + i z[1] and its claimed minimal polynomial of degree 2.
 */
static ckda_status
read_number(fmpq_t re, fmpq_t im, long minpoly[3], const ckda_node *in, ckda_error *err)
{
    ckda_field_t Q;
    ckda_mat_t z;
    ckda_node at, list, item;
    fmpq_poly_t value;
    ckda_field_init_rational(Q);
    ckda_mat_init(z, 2, 1, Q);
    fmpq_poly_init(value);
    ckda_status status = clock_read_column(z, in, "number", Q, err);
    ckda_elem_get_fmpq_poly(value, ckda_mat_entry(z, 0, 0), Q);
    fmpq_poly_get_coeff_fmpq(re, value, 0);
    ckda_elem_get_fmpq_poly(value, ckda_mat_entry(z, 1, 0), Q);
    fmpq_poly_get_coeff_fmpq(im, value, 0);
    fmpq_poly_clear(value);
    ckda_mat_clear(z, Q);
    ckda_field_clear(Q);
    TRY(status);
    TRY(ckda_node_member(&at, in, "expect", err));
    TRY(ckda_node_member(&list, &at, "minpoly", err));
    for (size_t i = 0; i < 3; i++) {
        TRY(ckda_node_item(&item, &list, i, err));
        TRY(ckda_node_long(minpoly + i, &item, -1000000, 1000000, err));
    }
    return CKDA_OK;
}

/* f = the primitive integer multiple of x^2 - 2 re x + re^2 + im^2. */
static void
quadratic(fmpz_poly_t f, fmpq_t norm, const fmpq_t re, const fmpq_t im)
{
    fmpq_poly_t g;
    fmpq_t t;
    fmpq_init(t);
    fmpq_poly_init(g);
    fmpq_mul(norm, re, re);
    fmpq_addmul(norm, im, im);
    fmpq_add(t, re, re);
    fmpq_neg(t, t);
    fmpq_poly_set_coeff_si(g, 2, 1);
    fmpq_poly_set_coeff_fmpq(g, 1, t);
    fmpq_poly_set_coeff_fmpq(g, 0, norm);
    fmpq_poly_get_numerator(f, g);
    fmpz_poly_primitive_part(f, f);
    fmpq_poly_clear(g);
    fmpq_clear(t);
}

ckda_truth
ckda_check_clock_unity(ckda_evidence *ev, const ckda_node *input)
{
    fmpq_t re, im, norm;
    fmpz_poly_t f;
    long want[3];
    ckda_truth truth = CKDA_UNKNOWN;
    fmpq_init(re);
    fmpq_init(im);
    fmpq_init(norm);
    fmpz_poly_init(f);
    if (read_number(re, im, want, input, &ev->problem) == CKDA_OK) {
        quadratic(f, norm, re, im);
        truth = ckda_evidence_expect(ev, !fmpq_is_zero(im), "the number is not real");
        if (truth == CKDA_TRUE)
            truth =
                ckda_evidence_expect(ev, fmpq_is_one(norm), "the absolute value is 1");
        if (truth == CKDA_TRUE)
            truth = ckda_evidence_expect(ev, !fmpz_is_one(fmpz_poly_lead(f)),
                                         "the minimal polynomial is not monic");
        for (slong i = 0; i < 3 && truth == CKDA_TRUE; i++)
            truth = ckda_evidence_expect_long(ev, "coefficient of the minimal polynomial",
                                              fmpz_poly_get_coeff_si(f, i), want[i]);
        ckda_evidence_scope(ev, "one quadratic number");
    }
    fmpz_poly_clear(f);
    fmpq_clear(norm);
    fmpq_clear(im);
    fmpq_clear(re);
    return truth;
}
