/* Another H_0: all exact states times one orthogonal matrix on the right.
 *
 * Letters act on the left, so S_t Q is the state of the tracker that starts from Q: graph
 * and elements stay, and so do all distances, |S Q - S' Q|_F = |S - S'|_F. */
#include "tracker_internal.h"

#include "ckda/rand.h"

/* ---- the matrix of a seed ----------------------------------------------------------- */

/* Q = (I - 2 w w^T / |w|^2) Q for a random integer vector w that is not 0. */
static void
reflect(fmpq_mat_t Q, ckda_rand *random)
{
    enum { LARGEST = 31 };
    const slong n = fmpq_mat_nrows(Q);
    slong *w = flint_malloc((size_t)n * sizeof *w), square = 0;
    while (square == 0)
        for (slong i = 0; i < n; i++) {
            w[i] = (slong)ckda_rand_range(random, -LARGEST, LARGEST);
            square += w[i] * w[i];
        }
    fmpq_t dot, x;
    fmpq_init(dot);
    fmpq_init(x);
    for (slong j = 0; j < n; j++) {
        fmpq_zero(dot);
        for (slong i = 0; i < n; i++) {
            fmpq_set_si(x, 2 * w[i], (ulong)square);
            fmpq_addmul(dot, x, fmpq_mat_entry(Q, i, j));
        }
        for (slong i = 0; i < n; i++) {
            fmpq_set_si(x, w[i], 1);
            fmpq_submul(fmpq_mat_entry(Q, i, j), x, dot);
        }
    }
    fmpq_clear(x);
    fmpq_clear(dot);
    flint_free(w);
}

void
ckda_tracker_start_matrix(fmpq_mat_t Q, uint64_t seed)
{
    ckda_rand random;
    fmpq_mat_one(Q);
    if (seed == 0)
        return;
    ckda_rand_init(&random, seed);
    const slong n = fmpq_mat_nrows(Q),
                reflections = n + (slong)ckda_rand_below(&random, 2);
    for (slong i = 0; i < reflections; i++)
        reflect(Q, &random);
}

/* ---- the tracker that starts there --------------------------------------------------- */

/* What leads from the present start to the wanted one: turn = old^T new, in K. */
static void
set_turn(ckda_mat_t turn, uint64_t old, uint64_t new, const ckda_field_t K)
{
    fmpq_mat_t A, B;
    fmpq_mat_init(A, turn->rows, turn->cols);
    fmpq_mat_init(B, turn->rows, turn->cols);
    ckda_tracker_start_matrix(A, old);
    ckda_tracker_start_matrix(B, new);
    fmpq_mat_transpose(A, A);
    fmpq_mat_mul(A, A, B);
    for (slong i = 0; i < turn->rows; i++)
        for (slong j = 0; j < turn->cols; j++)
            ckda_elem_set_fmpq(ckda_mat_entry(turn, i, j), fmpq_mat_entry(A, i, j), K);
    fmpq_mat_clear(B);
    fmpq_mat_clear(A);
}

void
ckda_tracker_set_start(ckda_tracker_t t, uint64_t seed)
{
    const ckda_field_struct *K = t->c->K;
    ckda_mat_t turn;
    if (seed == t->start)
        return;
    ckda_mat_init(turn, t->n, t->n, K);
    set_turn(turn, t->start, seed, K);
    for (uint32_t s = 0; s < t->nstates; s++) {
        const ckda_status st = ckda_mat_mul(t->exact + s, t->exact + s, turn, K);
        ckda_require(st == CKDA_OK, "shapes");
    }
    ckda_mat_clear(turn, K);
    tracker_columns_renew(t);
    tracker_fill_values(t);
    t->start = seed;
}
