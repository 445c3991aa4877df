/* proofs/prop18.c -- letters of a construction, entry by entry.
 *
 * Statement.  For the letters listed: the 4 x 4 matrix, its key and gate, the number of
 * pairs (S, w) with the matrix = H_w S, and the two rotations f and f_- are as stated.
 *
 * Why the check suffices.  Finitely many exact entries are compared; H_w S is expanded
 * from the stated key and gate; all sign diagonals are tried.
 *
 * Not shown here: the identities behind f and f_- (prop18.json). */
#include "checks.h"
#include "closure.h"
#include "ckda/input.h"

/* want = the matrix under `key`; n x n. */
static ckda_truth
read_stated(ckda_mat_t want, ckda_evidence *ev, const ckda_node *row, const char *key,
            slong n, const ckda_field_t K)
{
    ckda_node at;
    if (ckda_node_member(&at, row, key, &ev->problem) != CKDA_OK
        || ckda_input_read_matrix(want, &at, n, n, K, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    return CKDA_TRUE;
}

static ckda_truth
compare(ckda_evidence *ev, const ckda_mat_t got, const ckda_node *row, const char *key,
        const ckda_field_t K)
{
    ckda_mat_t want;
    ckda_truth truth = read_stated(want, ev, row, key, got->rows, K);
    if (truth != CKDA_TRUE)
        return truth;
    truth = ckda_evidence_expect_mat(ev, key, got, want, K);
    ckda_mat_clear(want, K);
    return truth;
}

/* H_w diag(gate) with the stated key w and gate is A. */
static ckda_truth
check_key(ckda_evidence *ev, const ckda_mat_t A, const ckda_node *row,
          const ckda_field_t K)
{
    ckda_node key_at, gate_at;
    ckda_elem_struct *key, *gate;
    slong n, m;
    ckda_elem_t two;
    ckda_trans_t t;
    ckda_mat_t B;
    if (ckda_node_member(&key_at, row, "key", &ev->problem) != CKDA_OK
        || ckda_node_member(&gate_at, row, "gate", &ev->problem) != CKDA_OK
        || ckda_input_read_vector(&key, &n, &key_at, A->rows, K, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = CKDA_UNKNOWN;
    if (ckda_input_read_vector(&gate, &m, &gate_at, A->rows, K, &ev->problem)
        == CKDA_OK) {
        ckda_elem_init(two, K);
        ckda_elem_set_si(two, 2, K);
        ckda_trans_init(t, CKDA_CKDA, A->rows, 1, K);
        ckda_trans_set_ckda(t, two, key, gate, K);
        ckda_mat_init(B, A->rows, A->rows, K);
        if (ckda_trans_matrix(B, t, K) == CKDA_OK)
            truth = ckda_evidence_expect_mat(ev, "(I - 2kk^T) Diag(gate)", B, A, K);
        else
            truth = ckda_evidence_expect(ev, false, "the key is not 0");
        ckda_mat_clear(B, K);
        ckda_trans_clear(t, K);
        ckda_elem_clear(two, K);
        ckda_input_free_vector(gate, m, K);
    }
    ckda_input_free_vector(key, n, K);
    return truth;
}

/* f_-(S) = -f(S D0) for D0 = diag(-1, 1, 1, 1). */
static void
decode_right(ckda_mat_t R, const ckda_mat_t S, const ckda_field_t K)
{
    ckda_mat_t T;
    ckda_mat_init_set(T, S, K);
    for (slong i = 0; i < 4; i++)
        ckda_elem_neg(ckda_mat_entry(T, i, 0), ckda_mat_entry(T, i, 0), K);
    ckda_require(ckda_quaternion_decode(R, T, K) == CKDA_OK
                     && ckda_mat_neg(R, R, K) == CKDA_OK,
                 "a 4 x 4 matrix");
    ckda_mat_clear(T, K);
}

static ckda_truth
check_decoders(ckda_evidence *ev, const ckda_mat_t A, const ckda_node *row,
               const ckda_field_t K)
{
    ckda_mat_t R;
    if (A->rows != 4)
        return ckda_evidence_unable(ev, "f and f_- need a 4 x 4 matrix");
    ckda_mat_init(R, 3, 3, K);
    ckda_require(ckda_quaternion_decode(R, A, K) == CKDA_OK, "a 4 x 4 matrix");
    ckda_truth truth = compare(ev, R, row, "left", K);
    if (truth == CKDA_TRUE) {
        decode_right(R, A, K);
        truth = compare(ev, R, row, "right", K);
    }
    ckda_mat_clear(R, K);
    return truth;
}

static ckda_truth
check_matrix(ckda_evidence *ev, const ckda_mat_t A, const ckda_node *row,
             const ckda_field_t K)
{
    long pairs;
    if (ckda_node_get_long(&pairs, row, "pairs", 0, 1 << 20, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = compare(ev, A, row, "matrix", K);
    if (truth == CKDA_TRUE)
        truth = check_key(ev, A, row, K);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(
            ev, "pairs (S, w)", (long)ckda_signed_householder(NULL, NULL, A, K), pairs);
    return truth == CKDA_TRUE ? check_decoders(ev, A, row, K) : truth;
}

static ckda_truth
check_letter(ckda_evidence *ev, const ckda_node *row)
{
    static const char *const known[] = {"system", "construction", "letter",
                                        "matrix", "key",          "gate",
                                        "pairs",  "left",         "right"};
    const char *text;
    uint32_t g;
    ckda_construction_t c;
    if (ckda_node_only(row, known, sizeof known / sizeof known[0], &ev->problem)
            != CKDA_OK
        || ckda_node_get_string(&text, row, "letter", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = closure_construct(c, ev, row);
    if (truth != CKDA_TRUE)
        return truth;
    if (ckda_group_parse(&g, c->G, text, &ev->problem) != CKDA_OK)
        truth = CKDA_UNKNOWN;
    else
        truth = check_matrix(ev, &c->matrix[g], row, c->K);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact(ev, "letter", "%s of %s", text, c->G->name);
    ckda_construct_clear(c);
    return truth;
}

ckda_truth
ckda_check_letter_vectors(ckda_evidence *ev, const ckda_node *in)
{
    ckda_node letters, row;
    size_t n;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&letters, in, "letters", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &letters, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++) {
        if (ckda_node_item(&row, &letters, i, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        truth = check_letter(ev, &row);
    }
    ckda_evidence_scope(ev, "%zu letters, all entries", n);
    return truth;
}
