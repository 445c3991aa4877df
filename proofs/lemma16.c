/* proofs/lemma16.c -- the axes of the icosahedron: which lie in one plane.
 *
 * Statement.  No plane through 0 holds more than `most` of the axes listed; the planes
 * spanned by two axes or more, and the absolute determinants of all triples, are as
 * stated. The lists are the axes of the rotations of the orders named.  Two axes of one
 * list meet at the stated angle.
 *
 * Why the check suffices.  There are finitely many axes; all triples, all pairs and all
 * rotations are taken, over Q(sqrt 5).
 *
 * Not shown here: other positions of the icosahedron (rotations keep planes). */
#include "axes.h"
#include "checks.h"
#include "ckda/construct.h"
#include "ckda/input.h"

enum { MAX_VALUES = 16 };

/* |det(a, b, c)|. */
static void
set_triple(ckda_elem_t d, const ckda_elem_struct *a, const ckda_elem_struct *b,
           const ckda_elem_struct *c, const ckda_field_t K)
{
    ckda_elem_struct n[3];
    axes_vec_init(n, K);
    axes_cross(n, a, b, K);
    axes_dot(d, n, c, K);
    ckda_elem_abs(d, d, K);
    axes_vec_clear(n, K);
}

typedef struct {
    ckda_elem_struct value[MAX_VALUES];
    long want[MAX_VALUES], got[MAX_VALUES];
    size_t n;
} values;

static void
clear_values(values *v, const ckda_field_t K)
{
    for (size_t i = 0; i < v->n; i++)
        ckda_elem_clear(v->value + i, K);
}

static ckda_status
read_values(values *v, const ckda_node *list, const ckda_field_t K, ckda_error *err)
{
    ckda_node at, item, dets;
    size_t n;
    if (ckda_node_member(&dets, list, "determinants", err) != CKDA_OK
        || ckda_node_size(&n, &dets, err) != CKDA_OK)
        return CKDA_E_INPUT;
    if (n > MAX_VALUES)
        return ckda_node_fail(&dets, err, "at most 16 values", NULL);
    for (; v->n < n; v->n++) {
        if (ckda_node_item(&item, &dets, v->n, err) != CKDA_OK
            || ckda_node_get_long(&v->want[v->n], &item, "count", 0, 100000, err)
                   != CKDA_OK
            || ckda_node_member(&at, &item, "value", err) != CKDA_OK)
            return CKDA_E_INPUT;
        ckda_elem_init(v->value + v->n, K);
        v->got[v->n] = 0;
        ckda_status status = ckda_input_read_elem(v->value + v->n, &at, K, err);
        if (status != CKDA_OK) {
            ckda_elem_clear(v->value + v->n, K);
            return status;
        }
    }
    return CKDA_OK;
}

/* One triple counted under its value. */
static ckda_truth
count_triple(ckda_evidence *ev, values *v, const ckda_elem_t d, const ckda_field_t K)
{
    size_t i = 0;
    while (i < v->n && !ckda_elem_equal(d, v->value + i, K))
        i++;
    if (i < v->n)
        v->got[i]++;
    else
        ckda_evidence_fact_elem(ev, "determinant", d, K);
    return ckda_evidence_expect(ev, i < v->n,
                                "every |determinant| of a triple is listed");
}

static ckda_truth
count_triples(ckda_evidence *ev, values *v, const axes_list *a, const ckda_field_t K)
{
    ckda_elem_t d;
    ckda_truth truth = CKDA_TRUE;
    ckda_elem_init(d, K);
    for (slong i = 0; i < a->n; i++)
        for (slong j = i + 1; j < a->n; j++)
            for (slong k = j + 1; k < a->n && truth == CKDA_TRUE; k++) {
                set_triple(d, axes_at(a, i), axes_at(a, j), axes_at(a, k), K);
                truth = count_triple(ev, v, d, K);
            }
    for (size_t i = 0; i < v->n && truth == CKDA_TRUE; i++) {
        truth = ckda_evidence_expect_long(ev, "triples with this |determinant|",
                                          v->got[i], v->want[i]);
        if (truth == CKDA_FALSE)
            ckda_evidence_fact_elem(ev, "determinant", v->value + i, K);
    }
    ckda_elem_clear(d, K);
    return truth;
}

static ckda_truth
check_determinants(ckda_evidence *ev, const axes_lists *all, const ckda_node *in,
                   const ckda_field_t K)
{
    ckda_node lists, list;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_member(&lists, in, "lists", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t l = 0; l < all->n && truth == CKDA_TRUE; l++) {
        values v = {.n = 0};
        truth = CKDA_UNKNOWN;
        if (ckda_node_item(&list, &lists, l, &ev->problem) == CKDA_OK
            && read_values(&v, &list, K, &ev->problem) == CKDA_OK)
            truth = count_triples(ev, &v, &all->list[l], K);
        clear_values(&v, K);
    }
    return truth;
}

/* ---- planes ----------------------------------------------------------------------- */

/* How many axes of each list lie in the plane of the axes i and j, counted through all
 * lists; false if an earlier pair spans the same plane. */
static bool
count_on_plane(long on[2], const axes_lists *all, const ckda_elem_struct *normal, slong i,
               slong j, const ckda_field_t K)
{
    ckda_elem_t d;
    slong number = 0;
    bool first = true;
    ckda_elem_init(d, K);
    on[0] = on[1] = 0;
    for (size_t l = 0; l < all->n; l++)
        for (slong k = 0; k < all->list[l].n; k++, number++) {
            axes_dot(d, normal, axes_at(&all->list[l], k), K);
            if (!ckda_elem_is_zero(d, K))
                continue;
            on[l]++;
            first = first && (number >= j || number == i);
        }
    ckda_elem_clear(d, K);
    return first;
}

typedef struct {
    long count[MAX_VALUES][MAX_VALUES]; /* planes with so many axes of either list */
    long most;
} planes;

static ckda_truth
list_planes(ckda_evidence *ev, planes *p, const axes_lists *all, const ckda_field_t K)
{
    const slong n0 = all->list[0].n, n = n0 + all->list[1].n;
    ckda_elem_struct normal[3];
    ckda_truth truth = CKDA_TRUE;
    axes_vec_init(normal, K);
    for (slong i = 0; i < n; i++)
        for (slong j = i + 1; j < n && truth == CKDA_TRUE; j++) {
            long on[2];
            const ckda_elem_struct *a =
                i < n0 ? axes_at(&all->list[0], i) : axes_at(&all->list[1], i - n0);
            const ckda_elem_struct *b =
                j < n0 ? axes_at(&all->list[0], j) : axes_at(&all->list[1], j - n0);
            axes_cross(normal, a, b, K);
            truth = ckda_evidence_expect(ev, !axes_is_zero(normal, K),
                                         "axes %ld and %ld differ", (long)i, (long)j);
            if (truth != CKDA_TRUE || !count_on_plane(on, all, normal, i, j, K))
                continue;
            p->count[on[0]][on[1]]++;
            if (on[0] + on[1] > p->most)
                p->most = on[0] + on[1];
        }
    axes_vec_clear(normal, K);
    return truth;
}

/* Takes the stated planes out of the counted ones; nothing may be left. */
static ckda_truth
compare_planes(ckda_evidence *ev, planes *p, const ckda_node *in)
{
    ckda_node list, item, of, x;
    size_t n;
    long count, on[2];
    ckda_error *err = &ev->problem;
    if (ckda_node_member(&list, in, "planes", err) != CKDA_OK
        || ckda_node_size(&n, &list, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n; i++) {
        if (ckda_node_item(&item, &list, i, err) != CKDA_OK
            || ckda_node_get_long(&count, &item, "count", 0, 100000, err) != CKDA_OK
            || ckda_node_member(&of, &item, "with", err) != CKDA_OK)
            return CKDA_UNKNOWN;
        for (size_t l = 0; l < 2; l++)
            if (ckda_node_item(&x, &of, l, err) != CKDA_OK
                || ckda_node_long(&on[l], &x, 0, MAX_VALUES - 1, err) != CKDA_OK)
                return CKDA_UNKNOWN;
        if (ckda_evidence_expect_long(ev, "planes", p->count[on[0]][on[1]], count)
            == CKDA_FALSE) {
            ckda_evidence_fact(ev, "with axes of the two lists", "%ld + %ld", on[0],
                               on[1]);
            return CKDA_FALSE;
        }
        p->count[on[0]][on[1]] = 0;
    }
    for (int a = 0; a < MAX_VALUES; a++)
        for (int b = 0; b < MAX_VALUES; b++)
            if (ckda_evidence_expect(ev, p->count[a][b] == 0, "planes with %d + %d axes",
                                     a, b)
                != CKDA_TRUE)
                return CKDA_FALSE;
    return CKDA_TRUE;
}

ckda_truth
ckda_check_axis_planes(ckda_evidence *ev, const ckda_node *in)
{
    axes_lists all;
    planes p = {0};
    long most;
    ckda_field_t K;
    if (ckda_node_get_long(&most, in, "most", 0, 1000, &ev->problem) != CKDA_OK
        || axes_read(&all, K, in, 2, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = CKDA_TRUE;
    if (all.list[0].n >= MAX_VALUES || all.list[1].n >= MAX_VALUES)
        truth = ckda_evidence_unable(ev, "more than %d axes", MAX_VALUES - 1);
    if (truth == CKDA_TRUE)
        truth = check_determinants(ev, &all, in, K);
    if (truth == CKDA_TRUE)
        truth = list_planes(ev, &p, &all, K);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "most axes in a plane", p.most, most);
    if (truth == CKDA_TRUE)
        truth = compare_planes(ev, &p, in);
    ckda_evidence_scope(ev,
                        "%ld + %ld axes, all triples of a list, all planes of two axes",
                        (long)all.list[0].n, (long)all.list[1].n);
    axes_clear(&all, K);
    ckda_field_clear(K);
    return truth;
}

/* ---- axes of a group -------------------------------------------------------------- */

/* The axes of the rotations of one order are the list, each as often as the others. */
static ckda_truth
check_order(ckda_evidence *ev, const ckda_construction_t c, const axes_list *a,
            long order)
{
    const ckda_field_struct *K = c->K;
    long hit[MAX_VALUES] = {0}, total = 0;
    ckda_elem_struct w[3];
    ckda_truth truth = CKDA_TRUE;
    axes_vec_init(w, K);
    for (uint32_t g = 0; g < c->G->order && truth == CKDA_TRUE; g++) {
        if (ckda_perm_order(&c->G->element[g]) != (uint64_t)order)
            continue;
        axes_of_rotation(w, &c->rotation[g], K);
        const slong i = axes_find(a, w, K);
        truth = ckda_evidence_expect(
            ev, i >= 0, "the axis of every rotation of order %ld is listed", order);
        if (truth == CKDA_TRUE) {
            hit[i]++;
            total++;
        }
    }
    for (slong i = 0; i < a->n && truth == CKDA_TRUE; i++)
        truth =
            ckda_evidence_expect(ev, hit[i] > 0 && hit[i] * a->n == total,
                                 "axis %ld belongs to %ld of %ld rotations of order %ld",
                                 (long)i, hit[i], total, order);
    axes_vec_clear(w, K);
    return truth;
}

ckda_truth
ckda_check_axis_lists(ckda_evidence *ev, const ckda_node *in)
{
    ckda_node lists, list;
    const char *system;
    ckda_construction_t c;
    axes_lists all;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_string(&system, in, "system", err) != CKDA_OK
        || ckda_node_member(&lists, in, "lists", err) != CKDA_OK
        || ckda_construct(c, system, "quaternion", err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = CKDA_UNKNOWN;
    if (axes_read_in(&all, c->K, in, 2, err) == CKDA_OK) {
        truth = CKDA_TRUE;
        for (size_t l = 0; l < all.n && truth == CKDA_TRUE; l++) {
            long order;
            if (ckda_node_item(&list, &lists, l, err) != CKDA_OK
                || ckda_node_get_long(&order, &list, "order", 2, 1000, err) != CKDA_OK)
                truth = CKDA_UNKNOWN;
            else if (all.list[l].n >= MAX_VALUES)
                truth = ckda_evidence_unable(ev, "more than %d axes", MAX_VALUES - 1);
            else
                truth = check_order(ev, c, &all.list[l], order);
        }
        axes_clear(&all, c->K);
    }
    ckda_evidence_scope(ev, "%u rotations, their axes against the lists", c->G->order);
    ckda_construct_clear(c);
    return truth;
}

/* (u.v)^2 = squared_cosine |u|^2 |v|^2 ? */
static bool
meets_at(const ckda_elem_struct *u, const ckda_elem_struct *v, const ckda_elem_t squared,
         const ckda_field_t K)
{
    ckda_elem_t uv, uu, vv;
    ckda_elem_init(uv, K);
    ckda_elem_init(uu, K);
    ckda_elem_init(vv, K);
    axes_dot(uv, u, v, K);
    axes_dot(uu, u, u, K);
    axes_dot(vv, v, v, K);
    ckda_elem_mul(uv, uv, uv, K);
    ckda_elem_mul(uu, uu, vv, K);
    ckda_elem_mul(uu, uu, squared, K);
    const bool equal = ckda_elem_equal(uv, uu, K);
    ckda_elem_clear(vv, K);
    ckda_elem_clear(uu, K);
    ckda_elem_clear(uv, K);
    return equal;
}

ckda_truth
ckda_check_axis_angles(ckda_evidence *ev, const ckda_node *in)
{
    ckda_node at;
    axes_lists all;
    ckda_field_t K;
    ckda_elem_t squared;
    ckda_truth truth = CKDA_UNKNOWN;
    if (axes_read(&all, K, in, 1, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    const axes_list *a = &all.list[0];
    ckda_elem_init(squared, K);
    if (ckda_node_member(&at, in, "squared_cosine", &ev->problem) == CKDA_OK
        && ckda_input_read_elem(squared, &at, K, &ev->problem) == CKDA_OK)
        truth = CKDA_TRUE;
    for (slong i = 0; i < a->n; i++)
        for (slong j = i + 1; j < a->n && truth == CKDA_TRUE; j++)
            truth = ckda_evidence_expect(
                ev, meets_at(axes_at(a, i), axes_at(a, j), squared, K),
                "axes %ld and %ld meet at the stated angle", (long)i, (long)j);
    ckda_evidence_scope(ev, "%ld pairs of axes", (long)(a->n * (a->n - 1) / 2));
    ckda_elem_clear(squared, K);
    axes_clear(&all, K);
    ckda_field_clear(K);
    return truth;
}
