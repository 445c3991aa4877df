/* proofs/clock.c -- see clock.h. */
#include "clock.h"

#include <string.h>

#include "ckda/input.h"
#include "ckda/trans.h"

#define TRY(call)                                                                        \
    do {                                                                                 \
        ckda_status try_status = (call);                                                 \
        if (try_status != CKDA_OK)                                                       \
            return try_status;                                                           \
    } while (0)

/* {"from": 1, "to": 40, "to_full": 96} */
ckda_status
clock_read_span(clock_span *s, const ckda_node *in, ckda_evidence *ev)
{
    ckda_node at;
    TRY(ckda_node_member(&at, in, "m", &ev->problem));
    TRY(ckda_node_get_long(&s->from, &at, "from", 1, 1000, &ev->problem));
    return ckda_node_get_long(&s->to, &at, ev->effort == CKDA_QUICK ? "to" : "to_full",
                              s->from, 1000, &ev->problem);
}

/* The head turns by pi num/(den m) a step. */
ckda_status
clock_read_turn(clock_turn *t, const ckda_node *in, ckda_error *err)
{
    ckda_node at;
    *t = (clock_turn){1, 1};
    if (!ckda_node_has(in, "turn"))
        return CKDA_OK;
    TRY(ckda_node_member(&at, in, "turn", err));
    TRY(ckda_node_get_long(&t->num, &at, "num", 1, 100, err));
    return ckda_node_get_long(&t->den, &at, "den", 1, 100, err);
}

void
clock_head_init(clock_head *h, const ckda_field_t K)
{
    ckda_mat_init(h->A, 2, 2, K);
    ckda_mat_init(h->w, 2, 1, K);
    ckda_mat_init(h->start, 2, 1, K);
}

void
clock_head_clear(clock_head *h, const ckda_field_t K)
{
    ckda_mat_clear(h->A, K);
    ckda_mat_clear(h->w, K);
    ckda_mat_clear(h->start, K);
}

ckda_status
clock_read_column(ckda_mat_t c, const ckda_node *in, const char *key,
                  const ckda_field_t K, ckda_error *err)
{
    ckda_node at;
    ckda_elem_struct *x;
    slong n;
    TRY(ckda_node_member(&at, in, key, err));
    TRY(ckda_input_read_vector(&x, &n, &at, c->rows, K, err));
    for (slong i = 0; i < n; i++)
        ckda_elem_set(ckda_mat_entry(c, i, 0), x + i, K);
    ckda_input_free_vector(x, n, K);
    return CKDA_OK;
}

/* A component of the key: [-]sin or [-]cos of the half angle 2 pi k/N. */
static ckda_status
read_key_part(ckda_elem_t x, const ckda_node *at, slong k, ulong N, const ckda_field_t K,
              ckda_error *err)
{
    const char *text;
    TRY(ckda_node_string(&text, at, err));
    const char *name = text[0] == '-' ? text + 1 : text;
    if (strcmp(name, "sin") == 0)
        TRY(ckda_elem_set_sin(x, k, N, K));
    else if (strcmp(name, "cos") == 0)
        TRY(ckda_elem_set_cos(x, k, N, K));
    else
        return ckda_node_fail(at, err, "\"sin\", \"cos\", \"-sin\" or \"-cos\"", NULL);
    if (name != text)
        ckda_elem_neg(x, x, K);
    return CKDA_OK;
}

static ckda_status
read_transition(ckda_trans_t t, const ckda_node *in, slong k, ulong N,
                const ckda_field_t K, ckda_error *err)
{
    ckda_node at, item;
    ckda_mat_t gate;
    TRY(ckda_node_member(&at, in, "beta", err));
    TRY(ckda_input_read_elem(t->beta, &at, K, err));
    TRY(ckda_node_member(&at, in, "key", err));
    for (size_t i = 0; i < 2; i++) {
        TRY(ckda_node_item(&item, &at, i, err));
        TRY(read_key_part(t->key + i, &item, k, N, K, err));
    }
    ckda_mat_init(gate, 2, 1, K);
    ckda_status status = clock_read_column(gate, in, "gate", K, err);
    for (slong i = 0; i < 2 && status == CKDA_OK; i++)
        ckda_elem_set(t->gate + i, ckda_mat_entry(gate, i, 0), K);
    ckda_mat_clear(gate, K);
    return status;
}

/* Are the parameters in range and is the key of length 1? */
static ckda_truth
admissible(ckda_evidence *ev, const ckda_trans_t t, const ckda_field_t K)
{
    ckda_error why;
    ckda_elem_t norm;
    ckda_error_clear(&why);
    if (ckda_trans_check(t, K, &why) != CKDA_OK) {
        ckda_evidence_fact(ev, "failed", "the transition is not admissible: %s",
                           why.text);
        return CKDA_FALSE;
    }
    ckda_elem_init(norm, K);
    for (slong i = 0; i < 2; i++)
        ckda_elem_addmul(norm, t->key + i, t->key + i, K);
    ckda_truth truth =
        ckda_evidence_expect(ev, ckda_elem_is_one(norm, K), "the key has length 1");
    ckda_elem_clear(norm, K);
    return truth;
}

/* w = beta k v */
static ckda_status
read_write(clock_head *h, const ckda_trans_t t, const ckda_node *layer,
           const ckda_field_t K, ckda_error *err)
{
    ckda_node at;
    ckda_elem_t v;
    if (!ckda_node_has(layer, "value"))
        return CKDA_OK;
    TRY(ckda_node_member(&at, layer, "value", err));
    ckda_elem_init(v, K);
    ckda_status status = ckda_input_read_elem(v, &at, K, err);
    ckda_elem_mul(v, v, t->beta, K);
    for (slong i = 0; i < 2; i++)
        ckda_elem_mul(ckda_mat_entry(h->w, i, 0), v, t->key + i, K);
    ckda_elem_clear(v, K);
    return status;
}

/* The head for one m; layer holds "initial" and perhaps "value".  A value of FALSE means
 * that the parameters are out of range. */
ckda_truth
clock_read_head(clock_head *h, ckda_evidence *ev, const ckda_node *in,
                const ckda_node *layer, clock_turn phi, long m, const ckda_field_t K)
{
    ckda_truth truth = CKDA_UNKNOWN;
    ckda_trans_t t;
    ckda_trans_init(t, CKDA_CKDA, 2, 1, K);
    if (read_transition(t, in, phi.num, (ulong)(4 * m * phi.den), K, &ev->problem)
            == CKDA_OK
        && clock_read_column(h->start, layer, "initial", K, &ev->problem) == CKDA_OK
        && read_write(h, t, layer, K, &ev->problem) == CKDA_OK
        && (truth = admissible(ev, t, K)) == CKDA_TRUE
        && ckda_trans_matrix(h->A, t, K) != CKDA_OK)
        truth = ckda_evidence_unable(ev, "the transition has no matrix");
    ckda_trans_clear(t, K);
    return truth;
}

/* ---- runs ------------------------------------------------------------------------- */

void
clock_orbit_clear(clock_orbit *o, const ckda_field_t K)
{
    for (long i = 0; i < o->n; i++)
        ckda_mat_clear(o->state + i, K);
    flint_free(o->state);
}

static bool
step(ckda_mat_t next, const clock_head *h, const ckda_mat_t now, const ckda_field_t K)
{
    return ckda_mat_mul(next, h->A, now, K) == CKDA_OK
           && ckda_mat_add(next, next, h->w, K) == CKDA_OK;
}

/* Runs the recurrence until the start comes back, at most limit states. */
void
clock_orbit_init(clock_orbit *o, const clock_head *h, long limit, const ckda_field_t K)
{
    ckda_mat_t next;
    o->state = flint_malloc((size_t)limit * sizeof *o->state);
    o->n = 0;
    o->returned = false;
    ckda_mat_init_set(next, h->start, K);
    do {
        ckda_mat_init_set(o->state + o->n, next, K);
        o->n++;
        if (!step(next, h, o->state + o->n - 1, K))
            break;
        o->returned = ckda_mat_equal(NULL, next, h->start, K);
    } while (!o->returned && o->n < limit);
    ckda_mat_clear(next, K);
}

/* Are the n columns pairwise distinct? */
ckda_truth
clock_expect_distinct(ckda_evidence *ev, const ckda_mat_struct *x, long n,
                      const char *what, long m, const ckda_field_t K)
{
    for (long j = 1; j < n; j++) {
        for (long i = 0; i < j; i++)
            if (ckda_mat_equal(NULL, x + i, x + j, K)) {
                ckda_evidence_fact(ev, "failed", "%s at times %ld and %ld agree, m = %ld",
                                   what, i, j, m);
                ckda_evidence_fact_mat(ev, "both", x + i, K);
                return CKDA_FALSE;
            }
        ckda_evidence_count(ev, (uint64_t)j);
    }
    return CKDA_TRUE;
}

/* The point (cos, sin)(pi i/m); false if K does not hold it. */
bool
clock_circle_point(ckda_mat_t c, long i, long m, const ckda_field_t K)
{
    return ckda_elem_set_cos(ckda_mat_entry(c, 0, 0), i, (ulong)(2 * m), K) == CKDA_OK
           && ckda_elem_set_sin(ckda_mat_entry(c, 1, 0), i, (ulong)(2 * m), K) == CKDA_OK;
}

/* The run returns after exactly `states` steps, with distinct states before. */
ckda_truth
clock_expect_cycle(ckda_evidence *ev, const clock_orbit *o, long states, long m,
                   const ckda_field_t K)
{
    ckda_truth truth =
        ckda_evidence_expect(ev, o->returned, "the state returns (m = %ld)", m);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "number of states", o->n, states);
    if (truth == CKDA_TRUE)
        truth = clock_expect_distinct(ev, o->state, o->n, "states", m, K);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact(ev, "m", "%ld", m);
    return truth;
}

void
clock_readout(ckda_mat_t o, const ckda_mat_t q, const ckda_mat_t h, const ckda_field_t K)
{
    ckda_elem_struct *x = ckda_mat_entry(o, 0, 0);
    ckda_elem_zero(x, K);
    for (slong i = 0; i < 2; i++)
        ckda_elem_addmul(x, ckda_mat_entry(q, i, 0), ckda_mat_entry(h, i, 0), K);
}

ckda_truth
clock_expect_unit(ckda_evidence *ev, const ckda_mat_t q, const ckda_field_t K)
{
    ckda_mat_t norm;
    ckda_mat_init(norm, 1, 1, K);
    clock_readout(norm, q, q, K);
    ckda_truth truth =
        ckda_evidence_expect(ev, ckda_mat_is_one(norm, K), "the query has length 1");
    ckda_mat_clear(norm, K);
    return truth;
}

void
clock_field_init(ckda_field_t K, clock_turn phi, long m)
{
    ckda_field_init_cos(K, (ulong)(4 * m * phi.den));
}
