/* What the tests of factorisations share. */
#ifndef FACTORISE_UTIL_H
#define FACTORISE_UTIL_H
#include "factor_util.h"
#include "ckda/factorise.h"

/* P = step[count-1] ... step[0] from the matrices of the single transitions: the plain
 * definition. */
static inline void
plain_product(ckda_mat_t P, const ckda_factors_t f, const ckda_field_t K)
{
    ckda_mat_t A;

    ckda_mat_init(A, f->n, f->n, K);
    assert_int_equal(ckda_mat_one(P, K), CKDA_OK);
    for (slong i = 0; i < f->count; i++) {
        assert_int_equal(ckda_trans_matrix(A, f->step + i, K), CKDA_OK);
        assert_int_equal(ckda_mat_mul(P, A, P, K), CKDA_OK);
    }
    ckda_mat_clear(A, K);
}

/* Ranges in order, and both ways to multiply out give A? */
static inline bool
multiplies_to(const ckda_factors_t f, const ckda_mat_t A, const ckda_field_t K)
{
    ckda_mat_t P, R;
    bool ok;

    ckda_mat_init(P, f->n, f->n, K);
    ckda_mat_init(R, f->n, f->n, K);
    assert_int_equal(ckda_factors_product(P, f, K), CKDA_OK);
    plain_product(R, f, K);
    ok = ckda_mat_equal(NULL, P, A, K) && ckda_mat_equal(NULL, R, A, K)
         && ckda_factors_check(f, K, NULL) == CKDA_OK;
    ckda_mat_clear(R, K);
    ckda_mat_clear(P, K);
    return ok;
}

static inline bool
multiplies_to_text(const ckda_factors_t f, const char *rows, const ckda_field_t K)
{
    ckda_mat_t A;

    mat_init_text(A, f->n, rows, K);
    const bool ok = multiplies_to(f, A, K);
    ckda_mat_clear(A, K);
    return ok;
}

static inline bool
elem_is(const ckda_elem_struct *x, const char *text, const ckda_field_t K)
{
    ckda_elem_t y;

    ckda_elem_init(y, K);
    set_row(y, 1, text, K);
    const bool ok = ckda_elem_equal(x, y, K);
    ckda_elem_clear(y, K);
    return ok;
}

/* beta, key and gate of one step, exactly. */
static inline bool
step_is(const ckda_factors_t f, slong at, const char *beta, const char *key,
        const char *gate, const ckda_field_t K)
{
    const ckda_trans_struct *t = f->step + at;
    ckda_mat_t M;
    bool ok = at < f->count && elem_is(t->beta, beta, K);

    ckda_mat_init(M, 2, f->n, K);
    set_row(ckda_mat_entry(M, 0, 0), f->n, key, K);
    set_row(ckda_mat_entry(M, 1, 0), f->n, gate, K);
    for (slong i = 0; i < f->n && ok; i++)
        ok = ckda_elem_equal(t->key + i, ckda_mat_entry(M, 0, i), K)
             && ckda_elem_equal(t->gate + i, ckda_mat_entry(M, 1, i), K);
    ckda_mat_clear(M, K);
    return ok;
}

/* The next of the n^n maps, starting with all zeros; false behind the last. */
static inline bool
next_map(slong *image, slong n)
{
    for (slong i = 0; i < n; i++) {
        if (++image[i] < n)
            return true;
        image[i] = 0;
    }
    return false;
}

static inline slong
image_size(const slong *image, slong n)
{
    slong size = 0;

    for (slong j = 0; j < n; j++)
        for (slong i = 0; i < n; i++)
            if (image[i] == j) {
                size++;
                break;
            }
    return size;
}

/* Points on cycles, and cycles: by walking n steps, apart from the room's own code. */
static inline slong
cycle_points(slong *cycles, const slong *image, slong n)
{
    slong points = 0;

    *cycles = 0;
    for (slong i = 0; i < n; i++) {
        slong j = image[i], least = i;

        for (slong step = 1; step < n && j != i; step++) {
            least = j < least ? j : least;
            j = image[j];
        }
        points += j == i;
        *cycles += j == i && least == i;
    }
    return points;
}
#endif
