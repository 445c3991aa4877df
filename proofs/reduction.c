/* proofs/reduction.c -- orthogonal trackers inside concrete affine ones.
 *
 * Statement.  Each row gives heads S -> A S + B with one alphabet, perhaps a joint decoder, and
 * what comes of them: "reduced" with the number of joint states, the dimensions of the span V
 * of their differences, of the image of the idempotent word, and of its part in every head,
 * the states and the order of the group of the orthogonal tracker; or the hypothesis that
 * fails: "expansive", "infinite", "no-decoder".  A row with "wraps" also says that as many
 * seeded disguises of it (more dimensions that forget, a shifted origin, a random rational
 * orthogonal change of coordinates in every head) have the same tracker.
 *
 * Why the check suffices.  The reduction is found one way (the largest subspace of V on which
 * all letters are isometries, a word that merges all states with one projection) and verified
 * another: ckda_reduction_check decides the identities of Props. 20 and 21 for every letter,
 * closes the tracker and compares every edge with the group, and that the two subspaces, the
 * image of the idempotent and the span of the centred states, are equal.
 *
 * Not shown here: that it works for all systems, which is the human proof of the propositions. */
#include <stdio.h>
#include <string.h>
#include "checks.h"
#include "rows.h"
#include "ckda/input_heads.h"
#include "ckda/rand.h"
#include "ckda/reduce.h"

enum { JUNK = 2, MAX_WRAPS = 100, FULL_FACTOR = 5 };

static const ckda_limits limits = {.max_states = 200000, .max_bytes = (uint64_t)1 << 30};

/* ---- disguises ----------------------------------------------------------------------- */

/* The heads of a system in other coordinates; owns all its matrices. */
typedef struct {
    ckda_system_struct *head;
    ckda_mat_struct **linear, **offset;
    uint32_t nheads, nletters;
    const ckda_field_struct *K;
} disguise;

static void
put(ckda_mat_t A, const ckda_mat_t B, const ckda_field_t K)
{
    for (slong i = 0; i < B->rows; i++)
        for (slong j = 0; j < B->cols; j++)
            ckda_elem_set(ckda_mat_entry(A, i, j), ckda_mat_entry(B, i, j), K);
}

#define must(call) ckda_require((call) == CKDA_OK, "shapes fit")

/* The new coordinates of a head: S -> P [S; junk] + c. */
typedef struct {
    ckda_mat_t P, PT, c;
} coordinates;

static void
coordinates_init(coordinates *f, const ckda_system_t h, ckda_rand *r)
{
    const slong n = h->initial->rows + JUNK, m = h->initial->cols;
    ckda_mat_init(f->P, n, n, h->K);
    ckda_mat_init(f->PT, n, n, h->K);
    ckda_mat_init(f->c, n, m, h->K);
    ckda_mat_rand_orthogonal(f->P, r, 2, h->K);
    must(ckda_mat_transpose(f->PT, f->P, h->K));
    ckda_mat_rand(f->c, r, 3, 1, h->K);
}

static void
coordinates_clear(coordinates *f, const ckda_field_t K)
{
    ckda_mat_clear(f->P, K);
    ckda_mat_clear(f->PT, K);
    ckda_mat_clear(f->c, K);
}

/* A' = P diag(A, N) P^T with N nilpotent, B' = P [B; random] + c - A' c. */
static void
wrap_letter(ckda_mat_t A, ckda_mat_t B, const ckda_system_t h, uint32_t x,
            const coordinates *f, ckda_rand *r)
{
    const slong n = h->initial->rows, m = h->initial->cols;
    ckda_mat_t T;
    ckda_mat_init(A, n + JUNK, n + JUNK, h->K);
    ckda_mat_init(B, n + JUNK, m, h->K);
    put(A, h->linear + x, h->K);
    ckda_mat_set_entry_frac(A, n, n + 1, (slong)ckda_rand_below(r, 3) - 1, 2, h->K);
    if (h->offset != NULL)
        put(B, h->offset + x, h->K);
    for (slong i = n; i < n + JUNK; i++)
        for (slong j = 0; j < m; j++)
            ckda_mat_set_entry_si(B, i, j, (slong)ckda_rand_below(r, 7) - 3, h->K);
    must(ckda_mat_mul(A, f->P, A, h->K));
    must(ckda_mat_mul(A, A, f->PT, h->K));
    must(ckda_mat_mul(B, f->P, B, h->K));
    ckda_mat_init(T, n + JUNK, m, h->K);
    must(ckda_mat_mul(T, A, f->c, h->K));
    must(ckda_mat_sub(T, f->c, T, h->K));
    must(ckda_mat_add(B, B, T, h->K));
    ckda_mat_clear(T, h->K);
}

static void
disguise_init(disguise *d, const ckda_heads *heads, ckda_rand *r)
{
    const ckda_system_struct *h = heads->head;
    d->K = h->K;
    d->nheads = heads->nheads;
    d->nletters = h->nletters;
    d->head = flint_malloc(d->nheads * sizeof *d->head);
    d->linear = flint_malloc(d->nheads * sizeof *d->linear);
    d->offset = flint_malloc(d->nheads * sizeof *d->offset);
    for (uint32_t k = 0; k < d->nheads; k++) {
        coordinates f;
        ckda_mat_t S;
        coordinates_init(&f, h + k, r);
        d->linear[k] = flint_malloc((d->nletters + 1) * sizeof *d->linear[k]);
        d->offset[k] = flint_malloc((d->nletters + 1) * sizeof *d->offset[k]);
        for (uint32_t x = 0; x < d->nletters; x++)
            wrap_letter(d->linear[k] + x, d->offset[k] + x, h + k, x, &f, r);
        ckda_mat_init(S, f.c->rows, f.c->cols, d->K);
        put(S, h[k].initial, d->K);
        must(ckda_mat_mul(S, f.P, S, d->K));
        must(ckda_mat_add(S, S, f.c, d->K));
        d->head[k] = h[k];
        *d->head[k].initial = *S;
        d->head[k].linear = d->linear[k];
        d->head[k].offset = d->offset[k];
        coordinates_clear(&f, d->K);
    }
}

static void
disguise_clear(disguise *d)
{
    for (uint32_t k = 0; k < d->nheads; k++) {
        for (uint32_t x = 0; x < d->nletters; x++) {
            ckda_mat_clear(d->linear[k] + x, d->K);
            ckda_mat_clear(d->offset[k] + x, d->K);
        }
        flint_free(d->linear[k]);
        flint_free(d->offset[k]);
        ckda_mat_clear(d->head[k].initial, d->K);
    }
    flint_free(d->linear);
    flint_free(d->offset);
    flint_free(d->head);
}

/* ---- what comes of a system -------------------------------------------------------------- */

static ckda_truth
expect_number(ckda_evidence *ev, const ckda_node *want, const char *key, long got)
{
    long value;
    if (!ckda_node_has(want, key))
        return CKDA_TRUE;
    if (ckda_node_get_long(&value, want, key, 0, 100000000, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    return ckda_evidence_expect_long(ev, key, got, value);
}

static ckda_truth
expect_heads(ckda_evidence *ev, const ckda_node *want, const ckda_reduction_t red)
{
    ckda_node list, item;
    size_t n;
    if (ckda_node_member(&list, want, "heads", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = ckda_evidence_expect_long(ev, "heads", (long)red->nheads, (long)n);
    for (uint32_t h = 0; h < red->nheads && truth == CKDA_TRUE; h++) {
        long r;
        if (ckda_node_item(&item, &list, h, &ev->problem) != CKDA_OK
            || ckda_node_long(&r, &item, 0, 1000, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = ckda_evidence_expect_long(ev, "dimension that is left of a head",
                                          (long)red->head[h].r, r);
    }
    return truth;
}

/* The numbers that no disguise changes. */
static ckda_truth
expect_tracker(ckda_evidence *ev, const ckda_node *want, const ckda_reduction_t red)
{
    ckda_truth truth = expect_heads(ev, want, red);
    if (truth == CKDA_TRUE)
        truth = expect_number(ev, want, "core", (long)red->core);
    if (truth == CKDA_TRUE)
        truth = expect_number(ev, want, "tracker_states", (long)red->tracker_states);
    if (truth == CKDA_TRUE)
        truth = expect_number(ev, want, "group_order", (long)red->group_order);
    if (truth == CKDA_TRUE)
        truth = expect_number(ev, want, "decoded", (long)red->decoded);
    return truth;
}

static ckda_truth
verify(ckda_evidence *ev, const ckda_reduction_t red, const ckda_heads *heads)
{
    uint64_t decisions = 0;
    ckda_error err;
    ckda_error_clear(&err);
    const ckda_truth truth = ckda_reduction_check(&decisions, red, heads, &limits, &err);
    ckda_evidence_count(ev, decisions);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact(ev, "failed", "%s", err.text);
    return truth == CKDA_UNKNOWN ? ckda_evidence_unable(ev, "%s", err.text) : truth;
}

static const char *
verdict(ckda_reduce_end end)
{
    static const char *const names[] = {"reduced", "expansive", "infinite", "no-decoder",
                                        "undecided"};
    return names[end];
}

static ckda_truth
judge(ckda_evidence *ev, const ckda_node *want, const ckda_heads *heads, bool plain)
{
    ckda_reduction_t red;
    const char *text;
    if (ckda_node_get_string(&text, want, "verdict", &ev->problem) != CKDA_OK
        || ckda_reduce(red, heads, &limits, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = CKDA_UNKNOWN;
    if (red->end == CKDA_REDUCE_LIMIT)
        (void)ckda_evidence_unable(ev, "%s", red->reason);
    else
        truth =
            ckda_evidence_expect(ev, strcmp(verdict(red->end), text) == 0,
                                 "the verdict is %s, not %s", verdict(red->end), text);
    if (truth == CKDA_TRUE && red->end == CKDA_REDUCE_DONE) {
        truth = verify(ev, red, heads);
        if (truth == CKDA_TRUE)
            truth = expect_tracker(ev, want, red);
        if (truth == CKDA_TRUE && plain)
            truth = expect_number(ev, want, "states", (long)red->states);
        if (truth == CKDA_TRUE && plain)
            truth = expect_number(ev, want, "span", (long)red->span);
    }
    ckda_reduction_clear(red);
    return truth;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static ckda_truth
check_wraps(ckda_evidence *ev, const ckda_node *row, const ckda_node *want,
            const ckda_heads *heads)
{
    long wraps;
    ckda_truth truth = CKDA_TRUE;
    if (!ckda_node_has(row, "wraps"))
        return CKDA_TRUE;
    if (ckda_node_get_long(&wraps, row, "wraps", 1, MAX_WRAPS, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (ev->effort != CKDA_QUICK)
        wraps *= FULL_FACTOR;
    for (long i = 0; i < wraps && truth == CKDA_TRUE; i++) {
        disguise d;
        ckda_rand r;
        ckda_rand_init(&r, ev->seed + (uint64_t)i);
        disguise_init(&d, heads, &r);
        const ckda_heads other = {d.head, d.nheads};
        truth = judge(ev, want, &other, false);
        if (truth == CKDA_FALSE)
            ckda_evidence_fact(ev, "disguise", "number %ld, seed %lu", i,
                               (unsigned long)ev->seed);
        disguise_clear(&d);
    }
    return truth;
}

static ckda_truth
check_row(ckda_evidence *ev, const ckda_node *row)
{
    static const char *const known[] = {"name", "system", "expect", "wraps"};
    ckda_node system, want;
    const char *name;
    ckda_input_heads_t h;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(row, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || ckda_node_get_string(&name, row, "name", err) != CKDA_OK
        || ckda_node_member(&system, row, "system", err) != CKDA_OK
        || ckda_node_member(&want, row, "expect", err) != CKDA_OK
        || ckda_input_heads_read(h, &system, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    const ckda_heads heads = {h->head, h->nheads};
    ckda_truth truth = judge(ev, &want, &heads, true);
    if (truth == CKDA_TRUE)
        truth = check_wraps(ev, row, &want, &heads);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact(ev, "system", "%s", name);
    ckda_input_heads_clear(h);
    return truth;
}

ckda_truth
ckda_check_reductions(ckda_evidence *ev, const ckda_node *in)
{
    size_t n = 0;
    const ckda_truth truth = rows_check(&n, ev, in, check_row);
    ckda_evidence_weaken(ev, CKDA_CERTIFICATE);
    ckda_evidence_scope(ev, "%zu systems and their seeded disguises", n);
    return truth;
}
