/* Vectors of length 3 and lists of axes; see axes.h. */
#include "axes.h"

#include "ckda/input.h"

void
axes_vec_init(ckda_elem_struct v[3], const ckda_field_t K)
{
    for (int i = 0; i < 3; i++)
        ckda_elem_init(v + i, K);
}

void
axes_vec_clear(ckda_elem_struct v[3], const ckda_field_t K)
{
    for (int i = 0; i < 3; i++)
        ckda_elem_clear(v + i, K);
}

void
axes_cross(ckda_elem_struct c[3], const ckda_elem_struct *a, const ckda_elem_struct *b,
           const ckda_field_t K)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        ckda_elem_mul(c + i, a + j, b + k, K);
        ckda_elem_submul(c + i, a + k, b + j, K);
    }
}

void
axes_dot(ckda_elem_t d, const ckda_elem_struct *a, const ckda_elem_struct *b,
         const ckda_field_t K)
{
    ckda_elem_zero(d, K);
    for (int i = 0; i < 3; i++)
        ckda_elem_addmul(d, a + i, b + i, K);
}

bool
axes_is_zero(const ckda_elem_struct v[3], const ckda_field_t K)
{
    return ckda_elem_is_zero(v, K) && ckda_elem_is_zero(v + 1, K)
           && ckda_elem_is_zero(v + 2, K);
}

bool
axes_parallel(const ckda_elem_struct *a, const ckda_elem_struct *b, const ckda_field_t K)
{
    ckda_elem_struct c[3];
    axes_vec_init(c, K);
    axes_cross(c, a, b, K);
    const bool parallel = axes_is_zero(c, K);
    axes_vec_clear(c, K);
    return parallel;
}

void
axes_apply(ckda_elem_struct y[3], const ckda_mat_t R, const ckda_elem_struct *x,
           const ckda_field_t K)
{
    for (int i = 0; i < 3; i++)
        axes_dot(y + i, ckda_mat_entry(R, i, 0), x, K);
}

void
axes_of_rotation(ckda_elem_struct w[3], const ckda_mat_t R, const ckda_field_t K)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        ckda_elem_sub(w + i, ckda_mat_entry(R, k, j), ckda_mat_entry(R, j, k), K);
    }
}

int
axes_unit_sign(int i, int j)
{
    static const int sign[4][4] = {
        {1, 1, 1, 1}, {1, -1, 1, -1}, {1, -1, -1, 1}, {1, 1, -1, -1}};
    return sign[i][j];
}

/* (q0^2 - |v|^2) I + 2 v v^T + 2 q0 [v]x for q = (q0, v). */
void
axes_rotation(ckda_mat_t R, const ckda_elem_struct q[4], const ckda_field_t K)
{
    const ckda_elem_struct *v = q + 1;
    ckda_elem_t d, t;
    ckda_elem_init(d, K);
    ckda_elem_init(t, K);
    axes_dot(t, v, v, K);
    ckda_elem_mul(d, q, q, K);
    ckda_elem_sub(d, d, t, K);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            ckda_elem_struct *x = ckda_mat_entry(R, i, j);
            ckda_elem_mul(x, v + i, v + j, K);
            if (i != j) { /* [v]x has -v_k at (i, j) for j after i in the cycle */
                ckda_elem_mul(t, q, v + (3 - i - j), K);
                if ((i + 1) % 3 == j)
                    ckda_elem_sub(x, x, t, K);
                else
                    ckda_elem_add(x, x, t, K);
            }
            ckda_elem_mul_si(x, x, 2, K);
            if (i == j)
                ckda_elem_add(x, x, d, K);
        }
    ckda_elem_clear(t, K);
    ckda_elem_clear(d, K);
}

/* ---- lists ------------------------------------------------------------------------ */

static ckda_status
read_list(axes_list *a, const ckda_node *lists, size_t l, const ckda_field_t K,
          ckda_error *err)
{
    ckda_node list, at;
    if (ckda_node_item(&list, lists, l, err) != CKDA_OK
        || ckda_node_member(&at, &list, "axes", err) != CKDA_OK)
        return CKDA_E_INPUT;
    ckda_status status = ckda_input_read_matrix(a->row, &at, -1, 3, K, err);
    if (status != CKDA_OK)
        return status;
    a->n = a->row->rows;
    for (slong i = 0; i < a->n; i++)
        if (axes_is_zero(axes_at(a, i), K)) {
            ckda_mat_clear(a->row, K);
            return ckda_node_fail(&at, err, "nonzero vectors", NULL);
        }
    return CKDA_OK;
}

ckda_status
axes_read_in(axes_lists *all, const ckda_field_t K, const ckda_node *in, size_t want,
             ckda_error *err)
{
    ckda_node lists;
    size_t n;
    all->n = 0;
    if (ckda_node_member(&lists, in, "lists", err) != CKDA_OK
        || ckda_node_size(&n, &lists, err) != CKDA_OK)
        return CKDA_E_INPUT;
    if (n != want || n > AXES_LISTS)
        return ckda_node_fail(&lists, err, want == 1 ? "one list" : "two lists", NULL);
    for (; all->n < n; all->n++) {
        ckda_status status = read_list(&all->list[all->n], &lists, all->n, K, err);
        if (status != CKDA_OK) {
            axes_clear(all, K);
            return status;
        }
    }
    return CKDA_OK;
}

ckda_status
axes_read(axes_lists *all, ckda_field_t K, const ckda_node *in, size_t want,
          ckda_error *err)
{
    static const char *const numbers[] = {"axes", "quaternion", "squared_cosine"};
    ckda_status status =
        ckda_input_field_of(K, in, numbers, sizeof numbers / sizeof numbers[0], err);
    if (status != CKDA_OK)
        return status;
    status = axes_read_in(all, K, in, want, err);
    if (status != CKDA_OK)
        ckda_field_clear(K);
    return status;
}

void
axes_clear(axes_lists *all, const ckda_field_t K)
{
    for (size_t i = 0; i < all->n; i++)
        ckda_mat_clear(all->list[i].row, K);
    all->n = 0;
}

slong
axes_find(const axes_list *a, const ckda_elem_struct *v, const ckda_field_t K)
{
    for (slong i = 0; i < a->n; i++)
        if (axes_parallel(axes_at(a, i), v, K))
            return i;
    return -1;
}
