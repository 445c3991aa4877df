/* proofs/axes.h -- vectors of length 3 and lists of rotation axes over K.              */
#ifndef CKDA_PROOFS_AXES_H
#define CKDA_PROOFS_AXES_H
#include "ckda/doc.h"
#include "ckda/mat.h"

void axes_vec_init(ckda_elem_struct v[3], const ckda_field_t K);
void axes_vec_clear(ckda_elem_struct v[3], const ckda_field_t K);
/* c = a x b; c must not be a or b. */
void axes_cross(ckda_elem_struct c[3], const ckda_elem_struct *a,
                const ckda_elem_struct *b, const ckda_field_t K);
void axes_dot(ckda_elem_t d, const ckda_elem_struct *a, const ckda_elem_struct *b,
              const ckda_field_t K);
bool axes_is_zero(const ckda_elem_struct v[3], const ckda_field_t K);
/* a x b = 0? */
bool axes_parallel(const ckda_elem_struct *a, const ckda_elem_struct *b,
                   const ckda_field_t K);
/* y = R x; y must not be x. */
void axes_apply(ckda_elem_struct y[3], const ckda_mat_t R, const ckda_elem_struct *x,
                const ckda_field_t K);
/* The axial vector (R32 - R23, R13 - R31, R21 - R12): along the axis unless R^2 = I. */
void axes_of_rotation(ckda_elem_struct w[3], const ckda_mat_t R, const ckda_field_t K);
/* e_i e_j = sign e_(i xor j) for the units e_0 = 1, e_1, e_2, e_3 of the quaternions. */
int axes_unit_sign(int i, int j);
/* R = the matrix of x -> q x conj(q) on imaginary quaternions. */
void axes_rotation(ckda_mat_t R, const ckda_elem_struct q[4], const ckda_field_t K);

typedef struct {
    ckda_mat_t row; /* one axis a row */
    slong n;
} axes_list;
enum { AXES_LISTS = 2 };
typedef struct {
    axes_list list[AXES_LISTS];
    size_t n;
} axes_lists;

static inline const ckda_elem_struct *
axes_at(const axes_list *a, slong i)
{
    return ckda_mat_entry(a->row, i, 0);
}

/* Which axis of the list is along v?  -1: none. */
slong axes_find(const axes_list *a, const ckda_elem_struct *v, const ckda_field_t K);

/* in's "lists": `want` objects whose "axes" are lists of nonzero vectors.  K, the
 * smallest field of the numbers under "axes", "quaternion" and "squared_cosine", and all
 * are initialised here. */
CKDA_MUST_CHECK ckda_status axes_read(axes_lists *all, ckda_field_t K,
                                      const ckda_node *in, size_t want, ckda_error *err);
/* The same over a field that is there. */
CKDA_MUST_CHECK ckda_status axes_read_in(axes_lists *all, const ckda_field_t K,
                                         const ckda_node *in, size_t want,
                                         ckda_error *err);
void axes_clear(axes_lists *all, const ckda_field_t K);

#endif
