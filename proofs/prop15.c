/* proofs/prop15.c -- the 24 rotations of the cube as single steps, after one turn.
 *
 * Statement.  With the orthogonal matrix P of the document, P R P^T is a signed
 * Householder matrix for all 24 rotations R of the cube; without the turn only for some.
 * The action on the four diagonals is faithful, all of S_4, with A_4 the even half.
 *
 * Why the check suffices.  Every case is listed: the 24 signed permutation matrices of
 * determinant 1, their 576 products, and for each rotation all 8 sign diagonals.
 *
 * Not shown here: that no other turn would do. */
#include <stdlib.h>
#include "checks.h"
#include "closure.h"
#include "ckda/input.h"

enum { TURNS = 24, DIAGONALS = 4 };

/* A signed permutation matrix: e_j goes to sign[j] e_to[j]; and where the diagonals go.
 */
typedef struct {
    int to[3], sign[3];
    int image[DIAGONALS];
} turn;

typedef struct {
    turn t[TURNS];
    long diagonal[DIAGONALS][3];
} cube;

/* All with determinant 1. */
static void
list_turns(turn t[TURNS])
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    int n = 0;
    for (int p = 0; p < 6; p++)
        for (int bits = 0; bits < 8; bits++) {
            const int minus = (bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1);
            if ((minus + (p >= 3)) % 2 != 0)
                continue;
            for (int j = 0; j < 3; j++) {
                t[n].to[j] = orders[p][j];
                t[n].sign[j] = bits >> j & 1 ? -1 : 1;
            }
            n++;
        }
    ckda_require(n == TURNS, "%d signed permutations of determinant 1", n);
}

/* Which diagonal is +-v?  -1: none. */
static int
find_diagonal(const cube *c, const long v[3])
{
    for (int i = 0; i < DIAGONALS; i++)
        for (long s = -1; s <= 1; s += 2)
            if (v[0] == s * c->diagonal[i][0] && v[1] == s * c->diagonal[i][1]
                && v[2] == s * c->diagonal[i][2])
                return i;
    return -1;
}

static ckda_status
read_diagonals(cube *c, const ckda_node *in, ckda_error *err)
{
    ckda_node list, v, x;
    size_t n;
    if (ckda_node_member(&list, in, "diagonals", err) != CKDA_OK
        || ckda_node_size(&n, &list, err) != CKDA_OK)
        return CKDA_E_INPUT;
    if (n != DIAGONALS)
        return ckda_node_fail(&list, err, "four diagonals", NULL);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < 3; j++)
            if (ckda_node_item(&v, &list, i, err) != CKDA_OK
                || ckda_node_item(&x, &v, j, err) != CKDA_OK
                || ckda_node_long(&c->diagonal[i][j], &x, -1, 1, err) != CKDA_OK)
                return CKDA_E_INPUT;
    return CKDA_OK;
}

static ckda_truth
act_on_diagonals(ckda_evidence *ev, cube *c)
{
    for (int k = 0; k < TURNS; k++)
        for (int i = 0; i < DIAGONALS; i++) {
            long v[3];
            for (int j = 0; j < 3; j++)
                v[c->t[k].to[j]] = c->t[k].sign[j] * c->diagonal[i][j];
            c->t[k].image[i] = find_diagonal(c, v);
            if (ckda_evidence_expect(ev, c->t[k].image[i] >= 0,
                                     "diagonal %d goes to a diagonal", i + 1)
                != CKDA_TRUE)
                return CKDA_FALSE;
        }
    return CKDA_TRUE;
}

static bool
same_images(const int *a, const int *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
}

static int
find_images(const cube *c, const int *image)
{
    for (int k = 0; k < TURNS; k++)
        if (same_images(c->t[k].image, image))
            return k;
    return -1;
}

/* The action is a homomorphism, faithful, and `even` of its values are even. */
static ckda_truth
check_group(ckda_evidence *ev, const cube *c, long even)
{
    long got = 0;
    for (int a = 0; a < TURNS; a++) {
        int inversions = 0;
        for (int i = 0; i < DIAGONALS; i++)
            for (int j = i + 1; j < DIAGONALS; j++)
                inversions += c->t[a].image[i] > c->t[a].image[j];
        got += inversions % 2 == 0;
        if (ckda_evidence_expect(ev, find_images(c, c->t[a].image) == a,
                                 "24 different permutations of the diagonals")
            != CKDA_TRUE)
            return CKDA_FALSE;
        for (int b = 0; b < TURNS; b++) {
            int image[DIAGONALS];
            for (int i = 0; i < DIAGONALS; i++)
                image[i] = c->t[a].image[c->t[b].image[i]];
            const int k = find_images(c, image);
            bool good = k >= 0;
            for (int j = 0; j < 3 && good; j++) {
                const int mid = c->t[b].to[j];
                good = c->t[k].to[j] == c->t[a].to[mid]
                       && c->t[k].sign[j] == c->t[a].sign[mid] * c->t[b].sign[j];
            }
            if (ckda_evidence_expect(ev, good,
                                     "products of rotations and of permutations agree")
                != CKDA_TRUE)
                return CKDA_FALSE;
        }
    }
    return ckda_evidence_expect_long(ev, "rotations with an even permutation", got, even);
}

/* ---- with the turn ---------------------------------------------------------------- */

static void
set_turn(ckda_mat_t A, const turn *t, const ckda_field_t K)
{
    ckda_mat_zero(A, K);
    for (int j = 0; j < 3; j++)
        ckda_mat_set_entry_si(A, t->to[j], j, t->sign[j], K);
}

/* A = P A P^T. */
static void
conjugate(ckda_mat_t A, const ckda_mat_t P, const ckda_field_t K)
{
    ckda_mat_t T;
    ckda_mat_init(T, 3, 3, K);
    ckda_require(ckda_mat_transpose(T, P, K) == CKDA_OK
                     && ckda_mat_mul(A, P, A, K) == CKDA_OK
                     && ckda_mat_mul(A, A, T, K) == CKDA_OK,
                 "3 x 3 matrices");
    ckda_mat_clear(T, K);
}

/* Pairs (S, w) of every rotation, turned (P) or not (NULL), compared with "pairs". */
static ckda_truth
check_pairs(ckda_evidence *ev, const cube *c, const ckda_mat_struct *P,
            const ckda_node *in, const char *key, const ckda_field_t K)
{
    ckda_node want;
    long count[9] = {0};
    ckda_mat_t A;
    if (ckda_node_member(&want, in, key, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_mat_init(A, 3, 3, K);
    for (int k = 0; k < TURNS; k++) {
        set_turn(A, &c->t[k], K);
        if (P != NULL)
            conjugate(A, P, K);
        count[ckda_signed_householder(NULL, NULL, A, K)]++;
        ckda_evidence_count(ev, 8);
    }
    ckda_mat_clear(A, K);
    return closure_histogram(ev, key, count, 8, &want);
}

typedef struct {
    ckda_node at;
    int image[DIAGONALS];
    ckda_elem_struct *sign, *key;
    slong nsign, nkey;
} vector;

static ckda_status
read_vector(vector *v, const ckda_node *item, const ckda_field_t K, ckda_error *err)
{
    ckda_node images, signs, key, x;
    long value;
    *v = (vector){.at = *item};
    if (ckda_node_member(&images, item, "images", err) != CKDA_OK
        || ckda_node_member(&signs, item, "signs", err) != CKDA_OK
        || ckda_node_member(&key, item, "key", err) != CKDA_OK)
        return CKDA_E_INPUT;
    for (size_t i = 0; i < DIAGONALS; i++) {
        if (ckda_node_item(&x, &images, i, err) != CKDA_OK
            || ckda_node_long(&value, &x, 1, DIAGONALS, err) != CKDA_OK)
            return CKDA_E_INPUT;
        v->image[i] = (int)value - 1;
    }
    if (ckda_input_read_vector(&v->sign, &v->nsign, &signs, 3, K, err) != CKDA_OK)
        return CKDA_E_INPUT;
    return ckda_input_read_vector(&v->key, &v->nkey, &key, 3, K, err);
}

static void
clear_vector(vector *v, const ckda_field_t K)
{
    if (v->key != NULL)
        ckda_input_free_vector(v->key, v->nkey, K);
    if (v->sign != NULL)
        ckda_input_free_vector(v->sign, v->nsign, K);
}

/* norm^2 = key . key, so that the normalised key stays in K. */
static ckda_truth
check_norm(ckda_evidence *ev, const vector *v, const ckda_field_t K)
{
    ckda_node at;
    ckda_elem_t norm, sum;
    ckda_truth truth = CKDA_UNKNOWN;
    ckda_elem_init(norm, K);
    ckda_elem_init(sum, K);
    for (slong i = 0; i < v->nkey; i++)
        ckda_elem_addmul(sum, v->key + i, v->key + i, K);
    if (ckda_node_member(&at, &v->at, "norm", &ev->problem) == CKDA_OK
        && ckda_input_read_elem(norm, &at, K, &ev->problem) == CKDA_OK) {
        ckda_elem_mul(norm, norm, norm, K);
        truth = ckda_evidence_expect(ev, ckda_elem_equal(norm, sum, K),
                                     "the stated norm of the key");
    }
    ckda_elem_clear(sum, K);
    ckda_elem_clear(norm, K);
    return truth;
}

static ckda_truth
check_vector(ckda_evidence *ev, const cube *c, const vector *v, const ckda_mat_t P,
             const ckda_field_t K)
{
    ckda_mat_t A, B, S;
    ckda_elem_t two;
    const int k = find_images(c, v->image);
    if (k < 0)
        return ckda_evidence_expect(ev, false, "the images are a permutation");
    ckda_elem_init(two, K);
    ckda_mat_init(A, 3, 3, K);
    ckda_mat_init(B, 3, 3, K);
    ckda_mat_init(S, 3, 3, K);
    ckda_elem_set_si(two, 2, K);
    set_turn(A, &c->t[k], K);
    conjugate(A, P, K);
    ckda_truth truth = CKDA_TRUE;
    if (ckda_mat_set_householder(B, two, v->key, 3, K) != CKDA_OK
        || ckda_mat_set_diag(S, v->sign, 3, K) != CKDA_OK
        || ckda_mat_mul(B, B, S, K) != CKDA_OK)
        truth = ckda_evidence_expect(ev, false, "the key is not 0");
    else
        truth = ckda_evidence_expect_mat(ev, "H_w S", B, A, K);
    ckda_mat_clear(S, K);
    ckda_mat_clear(B, K);
    ckda_mat_clear(A, K);
    ckda_elem_clear(two, K);
    return truth == CKDA_TRUE ? check_norm(ev, v, K) : truth;
}

static ckda_truth
check_vectors(ckda_evidence *ev, const cube *c, const ckda_mat_t P, const ckda_node *in,
              const ckda_field_t K)
{
    ckda_node list, item;
    size_t n;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&list, in, "vectors", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++) {
        vector v;
        if (ckda_node_item(&item, &list, i, &ev->problem) != CKDA_OK)
            return CKDA_UNKNOWN;
        if (read_vector(&v, &item, K, &ev->problem) != CKDA_OK)
            truth = CKDA_UNKNOWN;
        else
            truth = check_vector(ev, c, &v, P, K);
        clear_vector(&v, K);
    }
    return truth;
}

static ckda_truth
check_turned(ckda_evidence *ev, const cube *c, const ckda_mat_t P, const ckda_node *in,
             const ckda_field_t K)
{
    ckda_truth truth = ckda_evidence_expect(ev, ckda_mat_is_orthogonal(NULL, P, K),
                                            "the turn is orthogonal");
    if (truth == CKDA_TRUE)
        truth = check_pairs(ev, c, P, in, "pairs", K);
    if (truth == CKDA_TRUE)
        truth = check_pairs(ev, c, NULL, in, "pairs_without_turn", K);
    if (truth == CKDA_TRUE)
        truth = check_vectors(ev, c, P, in, K);
    return truth;
}

ckda_truth
ckda_check_cube_turn(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"diagonals",          "even",   "turn", "pairs",
                                        "pairs_without_turn", "vectors"};
    ckda_node at;
    cube c;
    long even;
    ckda_field_t K;
    ckda_mat_t P;
    ckda_error *err = &ev->problem;
    list_turns(c.t);
    if (ckda_node_only(in, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || read_diagonals(&c, in, err) != CKDA_OK
        || ckda_node_get_long(&even, in, "even", 0, TURNS, err) != CKDA_OK
        || ckda_node_member(&at, in, "turn", err) != CKDA_OK
        || ckda_input_field(K, &at, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = act_on_diagonals(ev, &c);
    if (truth == CKDA_TRUE)
        truth = check_group(ev, &c, even);
    if (truth == CKDA_TRUE) {
        truth = CKDA_UNKNOWN;
        if (ckda_input_read_matrix(P, &at, 3, 3, K, err) == CKDA_OK) {
            truth = check_turned(ev, &c, P, in, K);
            ckda_mat_clear(P, K);
        }
    }
    ckda_evidence_scope(ev, "24 rotations x 8 sign diagonals, 576 products");
    ckda_field_clear(K);
    return truth;
}
