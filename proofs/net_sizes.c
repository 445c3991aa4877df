/* proofs/net_sizes.c -- fields, lookups, betas and bit lengths of compiled networks.
 *
 * Statement.  head_fields: each head's number field has the stated degree and its keys,
 * gates, betas, values and queries lie in it.  context_count: a lookup behind the buffer
 * sees as many full buffers as stated, letters^(2m).  largest_beta: over a run the
 * largest beta of the accumulator is the stated number, and it is the same after a longer
 * run. bit_growth: after t letters L0 L^t p_t is integral with entries at most L0 (L A)^t
 * |p_0|, so that p_t has at most t log2(L max(A, 1)) + O(1) bits; the largest bit lengths
 * so far of accumulator and p_t are as stated at the listed t; accumulator never more
 * than "slope" t + "offset" bits.
 *
 * Why the check suffices.  All numbers come from the compiled network and from exact runs
 * of it; L is the least common denominator of the letters, A the largest row sum of
 * absolute values.
 *
 * Not shown here: other automata.  The bound on p_t for all t is one line: L M_x is
 * integral, and a row sum bounds the growth of the largest entry.                      */
#include "checks.h"
#include "ckda/input.h"
#include "maps.h"
#include "networks.h"

/* ---- fields ----------------------------------------------------------------------- */

/* {"clock": 2, "buffer": 1, ...} */
static ckda_truth
check_fields(ckda_evidence *ev, const network *N, const ckda_node *row)
{
    ckda_node all, at;
    ckda_truth truth = CKDA_TRUE;
    size_t named = 0;
    if (ckda_node_member(&all, row, "degrees", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (bool more = ckda_node_first(&at, &all); more && truth == CKDA_TRUE;
         more = ckda_node_next(&at)) {
        const long h = network_head(N, at.key);
        long want;
        if (h < 0)
            return ckda_evidence_unable(ev, "no head is called %s", at.key);
        if (ckda_node_long(&want, &at, 1, 1000, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        named++;
        truth = ckda_evidence_expect_long(
            ev, at.key, (long)ckda_net_get_head(N->net, (uint32_t)h)->K->degree, want);
    }
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "heads", (long)ckda_net_heads(N->net),
                                          (long)named);
    return truth;
}

/* letters^(2 block), as text. */
static ckda_truth
check_contexts(ckda_evidence *ev, const network *N, const ckda_node *row)
{
    const char *want;
    fmpz_t x, y;
    if (ckda_node_get_string(&want, row, "contexts", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    fmpz_init(x);
    fmpz_init(y);
    fmpz_ui_pow_ui(x, ckda_net_letters(N->net), 2 * (ulong)ckda_net_block(N->net));
    const bool read = fmpz_set_str(y, want, 10) == 0;
    char *got = fmpz_get_str(NULL, 10, x);
    const ckda_truth truth =
        read ? ckda_evidence_expect(ev, fmpz_equal(x, y) != 0,
                                    "%s full buffers, %s are stated", got, want)
             : ckda_evidence_unable(ev, "\"contexts\" is no integer");
    flint_free(got);
    fmpz_clear(y);
    fmpz_clear(x);
    return truth;
}

/* The largest beta of the accumulator over the first `length` letters of the word. */
static ckda_truth
run_beta(ckda_evidence *ev, fmpq_t most, const network *N, const ckda_word_t word,
         size_t length, uint32_t head)
{
    network_walk w;
    fmpq_t x;
    ckda_truth truth = CKDA_TRUE;
    fmpq_init(x);
    fmpq_zero(most);
    network_walk_init(&w, N);
    for (size_t i = 0; i < length && truth == CKDA_TRUE; i++) {
        if (!network_walk_step(&w, word->letter[i], &ev->problem))
            truth = CKDA_UNKNOWN;
        network_rational(x, w.step[head].beta, N->Q);
        if (fmpq_cmp(x, most) > 0)
            fmpq_set(most, x);
    }
    network_walk_clear(&w);
    fmpq_clear(x);
    return truth;
}

static ckda_truth
compare_beta(ckda_evidence *ev, const fmpq_t got, const char *want, size_t length)
{
    char *text = fmpq_get_str(NULL, 10, got);
    fmpq_t x;
    fmpq_init(x);
    const bool read = fmpq_set_str(x, want, 10) == 0;
    const ckda_truth truth =
        read ? ckda_evidence_expect(ev, fmpq_equal(got, x) != 0,
                                    "largest beta in %zu letters is %s, stated is %s",
                                    length, text, want)
             : ckda_evidence_unable(ev, "\"beta\" is no rational number");
    fmpq_clear(x);
    flint_free(text);
    return truth;
}

static ckda_truth
check_betas(ckda_evidence *ev, const network *N, const ckda_node *row)
{
    ckda_node at;
    ckda_word_t word;
    ckda_rand r;
    const char *want;
    fmpq_t most;
    ckda_error *err = &ev->problem;
    const long head = network_head(N, "accumulator");
    ckda_rand_init(&r, ev->seed);
    if (head < 0)
        return ckda_evidence_unable(ev, "no accumulator");
    if (ckda_node_member(&at, row, "word", err) != CKDA_OK
        || ckda_node_get_string(&want, row, "beta", err) != CKDA_OK
        || network_word(word, N, &at, &r, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    fmpq_init(most);
    ckda_truth truth = CKDA_TRUE;
    for (size_t part = 2; part >= 1 && truth == CKDA_TRUE; part--) {
        truth = run_beta(ev, most, N, word, word->length / part, (uint32_t)head);
        if (truth == CKDA_TRUE)
            truth = compare_beta(ev, most, want, word->length / part);
    }
    fmpq_clear(most);
    ckda_word_clear(word);
    return truth;
}

/* ---- bits ------------------------------------------------------------------------- */

/* L: common denominator of the letters; A: largest row sum; L0, a0: of p_0. */
typedef struct {
    fmpz_t L, L0, scale; /* scale = L0 L^t */
    fmpq_t A, bound;     /* bound = L0 (L A)^t max |p_0| */
} growth;

static void
common_denominator(fmpz_t L, const ckda_mat_t M, const ckda_field_t K)
{
    fmpq_t x;
    fmpq_init(x);
    for (slong i = 0; i < M->rows * M->cols; i++) {
        network_rational(x, M->entry + i, K);
        fmpz_lcm(L, L, fmpq_denref(x));
    }
    fmpq_clear(x);
}

static void
largest_row_sum(fmpq_t A, const ckda_mat_t M, const ckda_field_t K)
{
    fmpq_t x, sum;
    fmpq_init(x);
    fmpq_init(sum);
    for (slong i = 0; i < M->rows; i++) {
        fmpq_zero(sum);
        for (slong j = 0; j < M->cols; j++) {
            network_rational(x, ckda_mat_entry(M, i, j), K);
            fmpq_abs(x, x);
            fmpq_add(sum, sum, x);
        }
        if (fmpq_cmp(sum, A) > 0)
            fmpq_set(A, sum);
    }
    fmpq_clear(sum);
    fmpq_clear(x);
}

static void
growth_init(growth *g, const network *N)
{
    fmpz_init_set_ui(g->L, 1);
    fmpz_init_set_ui(g->L0, 1);
    fmpz_init(g->scale);
    fmpq_init(g->A);
    fmpq_init(g->bound);
    for (uint32_t x = 0; x < N->wfa->nletters; x++) {
        common_denominator(g->L, N->wfa->matrix + x, N->Q);
        largest_row_sum(g->A, N->wfa->matrix + x, N->Q);
    }
    common_denominator(g->L0, N->wfa->initial, N->Q);
    largest_row_sum(g->bound, N->wfa->initial, N->Q); /* one column: largest |entry| */
    fmpz_set(g->scale, g->L0);
    fmpq_mul_fmpz(g->bound, g->bound, g->L0);
}

static void
growth_clear(growth *g)
{
    fmpq_clear(g->bound);
    fmpq_clear(g->A);
    fmpz_clear(g->scale);
    fmpz_clear(g->L0);
    fmpz_clear(g->L);
}

/* One letter later; `factor` times the growth that is claimed. */
static void
growth_step(growth *g, const fmpq_t factor)
{
    fmpz_mul(g->scale, g->scale, g->L);
    fmpq_mul_fmpz(g->bound, g->bound, g->L);
    fmpq_mul(g->bound, g->bound, g->A);
    fmpq_mul(g->bound, g->bound, factor);
}

/* L0 L^t p_t is integral and within the bound; *bits = the largest of p_t. */
static ckda_truth
check_vector(ckda_evidence *ev, long *bits, const network_walk *w, const growth *g,
             size_t t)
{
    fmpq_t x;
    ckda_truth truth = CKDA_TRUE;
    fmpq_init(x);
    for (slong i = 0; i < w->vector->rows && truth == CKDA_TRUE; i++) {
        network_rational(x, w->vector->entry + i, w->N->Q);
        const long size =
            (long)fmpz_bits(fmpq_numref(x)) > (long)fmpz_bits(fmpq_denref(x))
                ? (long)fmpz_bits(fmpq_numref(x))
                : (long)fmpz_bits(fmpq_denref(x));
        *bits = size > *bits ? size : *bits;
        fmpq_mul_fmpz(x, x, g->scale);
        truth = ckda_evidence_expect(ev, fmpz_is_one(fmpq_denref(x)) != 0,
                                     "L0 L^t p_t is integral, t = %zu", t);
        fmpq_abs(x, x);
        if (truth == CKDA_TRUE)
            truth = ckda_evidence_expect(ev, fmpq_cmp(x, g->bound) <= 0,
                                         "|p_t| <= A^t |p_0|, t = %zu", t);
    }
    fmpq_clear(x);
    return truth;
}

static long
mat_bits(const ckda_mat_t H, const ckda_field_t K)
{
    fmpq_t x;
    long bits = 0;
    fmpq_init(x);
    for (slong i = 0; i < H->rows * H->cols; i++) {
        network_rational(x, H->entry + i, K);
        const long n = (long)fmpz_bits(fmpq_numref(x)),
                   d = (long)fmpz_bits(fmpq_denref(x));
        bits = n > bits ? n : bits;
        bits = d > bits ? d : bits;
    }
    fmpq_clear(x);
    return bits;
}

/* "table": {"34": [1, 74], ...}: largest bits so far of accumulator and product. */
static ckda_truth
check_table(ckda_evidence *ev, const ckda_node *row, size_t t, const long bits[2])
{
    char key[24];
    ckda_node table, list, item;
    long want;
    ckda_truth truth = CKDA_TRUE;
    snprintf(key, sizeof key, "%zu", t);
    if (ckda_node_member(&table, row, "table", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (!ckda_node_has(&table, key))
        return CKDA_TRUE;
    if (ckda_node_member(&list, &table, key, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < 2 && truth == CKDA_TRUE; i++) {
        if (ckda_node_item(&item, &list, i, &ev->problem) != CKDA_OK
            || ckda_node_long(&want, &item, 0, 1000000, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = ckda_evidence_expect_long(
            ev, i == 0 ? "bits of the accumulator" : "bits of the product", bits[i],
            want);
        if (truth == CKDA_FALSE)
            ckda_evidence_fact(ev, "t", "%zu", t);
    }
    return truth;
}

typedef struct {
    long slope, offset; /* bits of the accumulator <= slope t + offset */
    fmpq_t factor;
} bits_claim;

static ckda_truth
run_bits(ckda_evidence *ev, const network *N, const ckda_word_t word,
         const ckda_node *row, const bits_claim *c, uint32_t head)
{
    network_walk w;
    growth g;
    long most[2] = {0, 0};
    ckda_truth truth = CKDA_TRUE;
    network_walk_init(&w, N);
    growth_init(&g, N);
    for (size_t t = 1; t <= word->length && truth == CKDA_TRUE; t++) {
        if (!network_walk_step(&w, word->letter[t - 1], &ev->problem))
            truth = CKDA_UNKNOWN;
        growth_step(&g, c->factor);
        const long bits = mat_bits(w.H + head, N->Q);
        most[0] = bits > most[0] ? bits : most[0];
        if (truth == CKDA_TRUE)
            truth = check_vector(ev, &most[1], &w, &g, t);
        if (truth == CKDA_TRUE)
            truth =
                ckda_evidence_expect(ev, bits <= c->slope * (long)t + c->offset,
                                     "%ld bits of the accumulator at t = %zu", bits, t);
        if (truth == CKDA_TRUE)
            truth = check_table(ev, row, t, most);
    }
    growth_clear(&g);
    network_walk_clear(&w);
    return truth;
}

static ckda_truth
check_bits(ckda_evidence *ev, const network *N, const ckda_node *row)
{
    ckda_node at;
    ckda_word_t word;
    ckda_rand r;
    bits_claim c;
    ckda_elem_t factor;
    ckda_error *err = &ev->problem;
    const long head = network_head(N, "accumulator");
    if (N->kind != CKDA_NET_WFA || head < 0)
        return ckda_evidence_unable(ev, "a WFA in three layers is expected");
    ckda_rand_init(&r, ev->seed);
    ckda_elem_init(factor, N->Q);
    fmpq_init(c.factor);
    ckda_truth truth = CKDA_UNKNOWN;
    if (maps_read_elem(factor, row, "factor", N->Q, err) == CKDA_OK
        && ckda_node_get_long(&c.slope, row, "slope", 0, 1000, err) == CKDA_OK
        && ckda_node_get_long(&c.offset, row, "offset", 0, 100000, err) == CKDA_OK
        && ckda_node_member(&at, row, "word", err) == CKDA_OK
        && network_word(word, N, &at, &r, err) == CKDA_OK) {
        network_rational(c.factor, factor, N->Q);
        truth = run_bits(ev, N, word, row, &c, (uint32_t)head);
        ckda_word_clear(word);
    }
    fmpq_clear(c.factor);
    ckda_elem_clear(factor, N->Q);
    return truth;
}

/* ---- rows ------------------------------------------------------------------------- */

typedef ckda_truth (*row_check)(ckda_evidence *ev, const network *N,
                                const ckda_node *row);

static ckda_truth
for_rows(ckda_evidence *ev, const ckda_node *in, row_check check)
{
    ckda_node rows, row, at;
    size_t n;
    ckda_truth truth = CKDA_TRUE;
    ckda_error *err = &ev->problem;
    if (ckda_node_member(&rows, in, "rows", err) != CKDA_OK
        || ckda_node_size(&n, &rows, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++) {
        network N;
        char text[128];
        if (ckda_node_item(&row, &rows, i, err) != CKDA_OK
            || ckda_node_member(&at, &row, "network", err) != CKDA_OK
            || network_read(&N, &at, err) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = check(ev, &N, &row);
        network_text(text, sizeof text, &N);
        if (truth == CKDA_FALSE)
            ckda_evidence_fact(ev, "network", "%s", text);
        network_clear(&N);
    }
    ckda_evidence_scope(ev, "%zu network%s", n, n == 1 ? "" : "s");
    return truth;
}

ckda_truth
ckda_check_head_fields(ckda_evidence *ev, const ckda_node *in)
{
    return for_rows(ev, in, check_fields);
}

ckda_truth
ckda_check_context_count(ckda_evidence *ev, const ckda_node *in)
{
    return for_rows(ev, in, check_contexts);
}

ckda_truth
ckda_check_largest_beta(ckda_evidence *ev, const ckda_node *in)
{
    return for_rows(ev, in, check_betas);
}

ckda_truth
ckda_check_bit_growth(ckda_evidence *ev, const ckda_node *in)
{
    ckda_evidence_weaken(ev, CKDA_INSTANCES);
    return for_rows(ev, in, check_bits);
}
