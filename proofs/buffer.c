/* proofs/buffer.c -- the buffer layer: the last 2m tokens, read by one query.
 *
 * Statement.  A DeltaNet layer with one-hot keys e_(t mod 2m), beta = 1 and one-hot
 * values holds the last 2m tokens at every time (C-BUF1.window), and the query (1, 2, 4,
 * ...) reads any content without loss (C-BUF2).
 *
 * Why the check suffices.  Every content (each slot empty or one letter), every phase and
 * every letter is tried with the literal recurrence: that is the induction step for words
 * of any length.  The readouts of all contents are taken apart bit by bit again.
 *
 * Not shown here: slots and alphabets larger than the listed ones.                    */
#include "checks.h"
#include "ckda/input.h"

enum { MAX_SLOTS = 8, MAX_CONTENTS = 1000000 };

typedef struct {
    long m, letters;
} size;

static ckda_truth
read_size(size *s, ckda_evidence *ev, const ckda_node *item)
{
    if (ckda_node_get_long(&s->m, item, "m", 1, MAX_SLOTS / 2, &ev->problem) != CKDA_OK
        || ckda_node_get_long(&s->letters, item, "letters", 1, 8, &ev->problem)
               != CKDA_OK)
        return CKDA_UNKNOWN;
    return CKDA_TRUE;
}

static long
power(long base, long e)
{
    long p = 1;
    while (e-- > 0)
        p *= base;
    return p;
}

/* Content number c as slots: 0 is empty, a + 1 the letter a. */
static void
content(long *slot, long slots, long c, long letters)
{
    for (long r = 0; r < slots; r++) {
        slot[r] = c % (letters + 1);
        c /= letters + 1;
    }
}

/* H = the slots as one-hot rows. */
static void
one_hot(ckda_mat_t H, const long *slot, const ckda_field_t K)
{
    ckda_mat_zero(H, K);
    for (slong r = 0; r < H->rows; r++)
        if (slot[r] > 0)
            ckda_mat_set_entry_si(H, r, slot[r] - 1, 1, K);
}

/* The layer's two numbers. */
typedef struct {
    ckda_elem_t beta, gate;
} rates;

/* H = (I - beta kk^T) gate H + beta k v^T with k = e_r, v = e_a. */
static bool
store(ckda_mat_t H, slong r, slong a, const rates *p, const ckda_field_t K)
{
    slong n = H->rows;
    ckda_mat_t A, k;
    bool ok;
    ckda_mat_init(A, n, n, K);
    ckda_mat_init(k, n, 1, K);
    ckda_elem_one(ckda_mat_entry(k, r, 0), K);
    ok = ckda_mat_set_householder(A, p->beta, k->entry, n, K) == CKDA_OK
         && ckda_mat_scalar_mul(A, A, p->gate, K) == CKDA_OK
         && ckda_mat_mul(H, A, H, K) == CKDA_OK;
    ckda_elem_add(ckda_mat_entry(H, r, a), ckda_mat_entry(H, r, a), p->beta, K);
    ckda_mat_clear(k, K);
    ckda_mat_clear(A, K);
    return ok;
}

/* From every content and phase, with every letter: is slot r replaced and nothing else?
 */
static ckda_truth
window(ckda_evidence *ev, size s, long per_m, const rates *p, const ckda_field_t K)
{
    long slots = per_m * s.m, slot[MAX_SLOTS];
    ckda_mat_t H, want;
    ckda_truth truth = CKDA_TRUE;
    ckda_mat_init(H, slots, s.letters, K);
    ckda_mat_init(want, slots, s.letters, K);
    for (long c = 0; c < power(s.letters + 1, slots) && truth == CKDA_TRUE; c++)
        for (long r = 0; r < slots && truth == CKDA_TRUE; r++)
            for (long a = 0; a < s.letters && truth == CKDA_TRUE; a++) {
                content(slot, slots, c, s.letters);
                one_hot(H, slot, K);
                slot[r] = a + 1;
                one_hot(want, slot, K);
                truth = store(H, r, a, p, K)
                            ? ckda_evidence_expect_mat(ev, "buffer after the write", H,
                                                       want, K)
                            : ckda_evidence_unable(ev, "the layer has no matrix");
            }
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "tokens held", slots, 2 * s.m);
    ckda_mat_clear(want, K);
    ckda_mat_clear(H, K);
    return truth;
}

static ckda_status
read_rate(ckda_elem_t x, const ckda_node *in, const char *key, const ckda_field_t K,
          ckda_error *err)
{
    ckda_node at;
    ckda_status status = ckda_node_member(&at, in, key, err);
    return status == CKDA_OK ? ckda_input_read_elem(x, &at, K, err) : status;
}

typedef struct {
    const rates *p;
    const ckda_field_struct *K;
    long number; /* slots per m, or the base of the query */
} setting;

typedef ckda_truth (*size_check)(ckda_evidence *ev, size s, const setting *g);

/* Runs the check on every listed size. */
static ckda_truth
for_cases(ckda_evidence *ev, const ckda_node *input, size_check check, const setting *g)
{
    ckda_node list, item;
    size_t n;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&list, input, "cases", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++) {
        size s;
        if (ckda_node_item(&item, &list, i, &ev->problem) != CKDA_OK
            || read_size(&s, ev, &item) != CKDA_TRUE)
            return CKDA_UNKNOWN;
        if (power(s.letters + 1, 2 * s.m) > MAX_CONTENTS)
            return ckda_evidence_unable(ev, "more than %d contents", MAX_CONTENTS);
        truth = check(ev, s, g);
        ckda_evidence_scope(ev, "%ld slots, %ld letter%s", 2 * s.m, s.letters,
                            s.letters == 1 ? "" : "s");
    }
    return truth;
}

static ckda_truth
window_case(ckda_evidence *ev, size s, const setting *g)
{
    return window(ev, s, g->number, g->p, g->K);
}

ckda_truth
ckda_check_buffer_window(ckda_evidence *ev, const ckda_node *input)
{
    ckda_field_t K;
    rates p;
    long per_m;
    ckda_truth truth = CKDA_UNKNOWN;
    ckda_field_init_rational(K);
    ckda_elem_init(p.beta, K);
    ckda_elem_init(p.gate, K);
    if (read_rate(p.beta, input, "beta", K, &ev->problem) == CKDA_OK
        && read_rate(p.gate, input, "gate", K, &ev->problem) == CKDA_OK
        && ckda_node_get_long(&per_m, input, "slots_per_m", 1, 2, &ev->problem)
               == CKDA_OK)
        truth = for_cases(ev, input, window_case, &(setting){&p, K, per_m});
    ckda_elem_clear(p.gate, K);
    ckda_elem_clear(p.beta, K);
    ckda_field_clear(K);
    return truth;
}

/* ---- C-BUF2 ----------------------------------------------------------------------- */

/* The integer H_a^T q of letter a, q = (1, base, base^2, ...). */
static bool
readout(long *o, const ckda_mat_t H, const ckda_mat_t q, slong a, const ckda_field_t K)
{
    ckda_elem_t x;
    fmpq_poly_t f;
    fmpz_t value;
    ckda_elem_init(x, K);
    fmpq_poly_init(f);
    fmpz_init(value);
    for (slong r = 0; r < H->rows; r++)
        ckda_elem_addmul(x, ckda_mat_entry(H, r, a), ckda_mat_entry(q, r, 0), K);
    bool integer = ckda_elem_is_integral_form(x, K);
    ckda_elem_get_fmpq_poly(f, x, K);
    fmpq_poly_get_coeff_fmpz(value, f, 0);
    *o = fmpz_get_si(value);
    fmpz_clear(value);
    fmpq_poly_clear(f);
    ckda_elem_clear(x, K);
    return integer;
}

/* Slots recovered from the bits of the readouts, compared with those that went in. */
static ckda_truth
recovered(ckda_evidence *ev, const ckda_mat_t H, const ckda_mat_t q, const long *slot,
          const ckda_field_t K)
{
    long seen[MAX_SLOTS] = {0};
    for (slong a = 0; a < H->cols; a++) {
        long o;
        if (!readout(&o, H, q, a, K))
            return ckda_evidence_expect(ev, false, "the readout is an integer");
        for (slong r = 0; r < H->rows; r++)
            if (o >> r & 1)
                seen[r] = a + 1;
    }
    for (slong r = 0; r < H->rows; r++)
        if (ckda_evidence_expect_long(ev, "slot read back (0 is empty)", seen[r], slot[r])
            != CKDA_TRUE) {
            ckda_evidence_fact_mat(ev, "buffer", H, K);
            return CKDA_FALSE;
        }
    return CKDA_TRUE;
}

static ckda_truth
query_case(ckda_evidence *ev, size s, const setting *g)
{
    long slots = 2 * s.m, slot[MAX_SLOTS], weight = 1;
    ckda_mat_t H, q;
    ckda_truth truth = CKDA_TRUE;
    ckda_mat_init(H, slots, s.letters, g->K);
    ckda_mat_init(q, slots, 1, g->K);
    for (long r = 0; r < slots; r++, weight *= g->number)
        ckda_mat_set_entry_si(q, r, 0, weight, g->K);
    for (long c = 0; c < power(s.letters + 1, slots) && truth == CKDA_TRUE; c++) {
        content(slot, slots, c, s.letters);
        one_hot(H, slot, g->K);
        truth = recovered(ev, H, q, slot, g->K);
    }
    ckda_mat_clear(q, g->K);
    ckda_mat_clear(H, g->K);
    return truth;
}

ckda_truth
ckda_check_buffer_query(ckda_evidence *ev, const ckda_node *input)
{
    ckda_field_t K;
    long base;
    if (ckda_node_get_long(&base, input, "base", 1, 16, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_field_init_rational(K);
    ckda_truth truth = for_cases(ev, input, query_case, &(setting){NULL, K, base});
    ckda_field_clear(K);
    return truth;
}
