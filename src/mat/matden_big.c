/* The product on fmpz.  All C_p(A) stacked on top of one another times all C_q(B) side by
 * side is one integer product that holds every C_p(A) C_q(B) as a block.               */
#include "matden_internal.h"

static void
stack(fmpz_mat_t S, fmpz_t den, const ckda_matden_t A, const ckda_matden_ctx_t ctx)
{
    slong n = ckda_matden_count(A, ctx);
    fmpz *x = _fmpz_vec_init(n);
    ckda_matden_get_big(x, den, A, ctx);
    for (slong e = 0; e < n; e++) /* (k rows + i) cols + j: already row k rows + i */
        fmpz_swap(fmpz_mat_entry(S, e / A->cols, e % A->cols), x + e);
    _fmpz_vec_clear(x, n);
}

static void
side_by_side(fmpz_mat_t S, fmpz_t den, const ckda_matden_t B, const ckda_matden_ctx_t ctx)
{
    slong n = ckda_matden_count(B, ctx);
    fmpz *x = _fmpz_vec_init(n);
    ckda_matden_get_big(x, den, B, ctx);
    for (slong e = 0; e < n; e++) {
        slong j = e % B->cols, i = e / B->cols % B->rows, k = e / (B->cols * B->rows);
        fmpz_swap(fmpz_mat_entry(S, i, k * B->cols + j), x + e);
    }
    _fmpz_vec_clear(x, n);
}

/* x[k] = sum of the blocks with p + q = k, for k = 0 .. 2d-2. */
static void
fold(fmpz *x, const fmpz_mat_t P, slong rows, slong cols, slong d)
{
    for (slong r = 0; r < d * rows; r++)
        for (slong c = 0; c < d * cols; c++) {
            slong k = r / rows + c / cols;
            fmpz *to = x + (k * rows + r % rows) * cols + c % cols;
            fmpz_add(to, to, fmpz_mat_entry(P, r, c));
        }
}

void
ckda_matden_mul_big(ckda_matden_t C, const ckda_matden_t A, const ckda_matden_t B,
                    const ckda_matden_ctx_t ctx)
{
    slong d = ctx->degree, size = A->rows * B->cols, n = (2 * d - 1) * size;
    fmpz_mat_t S, T, P;
    fmpz_t p, q;
    fmpz *x = _fmpz_vec_init(n);

    fmpz_init(p);
    fmpz_init(q);
    fmpz_mat_init(S, d * A->rows, A->cols);
    fmpz_mat_init(T, B->rows, d * B->cols);
    fmpz_mat_init(P, d * A->rows, d * B->cols);
    stack(S, p, A, ctx);
    side_by_side(T, q, B, ctx);
    fmpz_mat_mul(P, S, T);
    fold(x, P, A->rows, B->cols, d);
    for (slong k = 0; k < d - 1; k++)
        for (slong r = 0; r < d; r++)
            _fmpz_vec_scalar_addmul_fmpz(x + r * size, x + (d + k) * size, size,
                                         ctx->table + k * d + r);
    fmpz_mul(p, p, q);
    ckda_matden_take_big(C, x, p, ctx);
    fmpz_mat_clear(P);
    fmpz_mat_clear(T);
    fmpz_mat_clear(S);
    fmpz_clear(q);
    fmpz_clear(p);
    _fmpz_vec_clear(x, n);
}
