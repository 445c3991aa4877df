/* proofs/facts_b_frames.c -- positions of a rotation group against the coordinate axes.
 *
 * Statement.  orthonormal_frames: exactly the frames listed (three orthogonal lines) make
 * every rotation of the group a signed Householder matrix.  frame_letters: in each frame
 * listed so many rotations of the group are one, and `most` in no frame more.
 *
 * Why the check suffices.  In a frame of orthogonal vectors f_i of any length the matrix
 * times signs s is symmetric iff f_i.R f_j s_j = f_j.R f_i s_i, and its trace is the sum of
 * s_i f_i.R f_i / |f_i|^2: the test of all signs stays in the field.  A rotation that is
 * neither I nor a half turn passes iff its axis is orthogonal to some f_i (C-13, both
 * directions).  So each of the n axes lies in one of three orthogonal planes.  Frames: one
 * plane holds at least n/3 >= 2 axes, hence is spanned by two of them; its normal is f_1,
 * and any axis v outside it makes f_1 x v another vector of the frame, so f_1 fixes the
 * frame.  Most letters: a plane through two axes is one of those listed, any other holds
 * at most one, so three times the heaviest plane bounds the rest.
 *
 * Not shown here: C-13 itself.                                                          */
#include "axes.h"
#include "checks.h"
#include "ckda/construct.h"
#include "ckda/input.h"
#include "ckda/reach.h"

enum { MAX_AXES = 40, MAX_FRAMES = 32 };

/* A rotation group with the axes of its rotations other than half turns. */
typedef struct {
    const char *system;
    ckda_construction_t c;
    ckda_elem_struct *axis; /* 3 n */
    slong n;
    long weight[MAX_AXES]; /* rotations about each, I and half turns left out */
    long free;             /* I and the half turns */
} rotations;

static ckda_elem_struct *
axis(const rotations *r, slong i)
{
    return r->axis + 3 * i;
}

static ckda_truth
collect_axes(ckda_evidence *ev, rotations *r)
{
    const ckda_field_struct *K = r->c->K;
    ckda_elem_struct w[3];
    ckda_truth truth = CKDA_TRUE;
    axes_vec_init(w, K);
    for (uint32_t g = 0; g < r->c->G->order && truth == CKDA_TRUE; g++) {
        slong i = 0;
        axes_of_rotation(w, &r->c->rotation[g], K);
        if (axes_is_zero(w, K)) {
            r->free++;
            continue;
        }
        while (i < r->n && !axes_parallel(axis(r, i), w, K))
            i++;
        if (i == MAX_AXES) {
            truth = ckda_evidence_unable(ev, "more than %d axes", MAX_AXES);
            break;
        }
        if (i == r->n) {
            for (int j = 0; j < 3; j++)
                ckda_elem_set(axis(r, i) + j, w + j, K);
            r->n++;
        }
        r->weight[i]++;
    }
    axes_vec_clear(w, K);
    return truth;
}

/* in's "system"; initialised only on CKDA_TRUE. */
static ckda_truth
open_rotations(rotations *r, ckda_evidence *ev, const ckda_node *in)
{
    *r = (rotations){.n = 0};
    if (ckda_node_get_string(&r->system, in, "system", &ev->problem) != CKDA_OK
        || ckda_construct(r->c, r->system, "quaternion", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    r->axis = ckda_elem_vec_new(3 * MAX_AXES, r->c->K);
    ckda_truth truth = collect_axes(ev, r);
    if (truth != CKDA_TRUE) {
        ckda_elem_vec_free(r->axis, 3 * MAX_AXES, r->c->K);
        ckda_construct_clear(r->c);
    }
    return truth;
}

static void
close_rotations(rotations *r)
{
    ckda_elem_vec_free(r->axis, 3 * MAX_AXES, r->c->K);
    ckda_construct_clear(r->c);
}

/* check(ev, r, in) for the rotations that "system" names; in has no members but `known`. */
static ckda_truth
on_rotations(ckda_evidence *ev, const ckda_node *in, const char *const *known,
             size_t nknown,
             ckda_truth (*check)(ckda_evidence *, const rotations *, const ckda_node *))
{
    rotations r;
    if (ckda_node_only(in, known, nknown, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = open_rotations(&r, ev, in);
    if (truth != CKDA_TRUE)
        return truth;
    truth = check(ev, &r, in);
    close_rotations(&r);
    return truth;
}

/* ---- the test in a frame ------------------------------------------------------------- */

/* Rows of F: three orthogonal vectors, not 0. */
static bool
is_frame(const ckda_mat_t F, const ckda_field_t K)
{
    bool good = true;
    ckda_elem_t d;
    ckda_elem_init(d, K);
    for (slong i = 0; i < 3 && good; i++) {
        good = !axes_is_zero(ckda_mat_entry(F, i, 0), K);
        for (slong j = 0; j < i && good; j++) {
            axes_dot(d, ckda_mat_entry(F, i, 0), ckda_mat_entry(F, j, 0), K);
            good = ckda_elem_is_zero(d, K);
        }
    }
    ckda_elem_clear(d, K);
    return good;
}

/* B times these signs symmetric of trace 1?  B = (f_i . R f_j), norm[i] = 1/|f_i|^2. */
static bool
signs_fit(const ckda_mat_t B, const ckda_elem_struct *norm, int bits, ckda_elem_t t,
          const ckda_field_t K)
{
    ckda_elem_set_si(t, -1, K);
    for (slong i = 0; i < 3; i++) {
        const bool minus = bits >> i & 1;
        (minus ? ckda_elem_submul : ckda_elem_addmul)(t, norm + i,
                                                      ckda_mat_entry(B, i, i), K);
    }
    if (!ckda_elem_is_zero(t, K))
        return false;
    for (slong i = 0; i < 3; i++)
        for (slong j = 0; j < i; j++) {
            const bool opposite = (bits >> i & 1) != (bits >> j & 1);
            (opposite ? ckda_elem_add : ckda_elem_sub)(t, ckda_mat_entry(B, i, j),
                                                       ckda_mat_entry(B, j, i), K);
            if (!ckda_elem_is_zero(t, K))
                return false;
        }
    return true;
}

/* single[g]: is rotation g a signed Householder matrix in the frame?  Returns how many. */
static long
count_single(bool *single, const rotations *r, const ckda_mat_t F)
{
    const ckda_field_struct *K = r->c->K;
    long count = 0;
    ckda_mat_t B, T;
    ckda_elem_struct *norm = ckda_elem_vec_new(4, K);
    ckda_mat_init(B, 3, 3, K);
    ckda_mat_init(T, 3, 3, K);
    ckda_require(ckda_mat_transpose(T, F, K) == CKDA_OK, "3 x 3 matrices");
    for (slong i = 0; i < 3; i++) {
        axes_dot(norm + i, ckda_mat_entry(F, i, 0), ckda_mat_entry(F, i, 0), K);
        ckda_require(ckda_elem_inv(norm + i, norm + i, K) == CKDA_OK, "a frame has no 0");
    }
    for (uint32_t g = 0; g < r->c->G->order; g++) {
        ckda_require(ckda_mat_mul(B, F, &r->c->rotation[g], K) == CKDA_OK
                         && ckda_mat_mul(B, B, T, K) == CKDA_OK,
                     "3 x 3 matrices");
        single[g] = false;
        for (int bits = 0; bits < 8 && !single[g]; bits++)
            single[g] = signs_fit(B, norm, bits, norm + 3, K);
        count += single[g];
    }
    ckda_mat_clear(T, K);
    ckda_mat_clear(B, K);
    ckda_elem_vec_free(norm, 4, K);
    return count;
}

/* F (initialised on CKDA_OK) from a list of three orthogonal vectors. */
static ckda_status
read_frame(ckda_mat_t F, const ckda_node *node, const ckda_field_t K, ckda_error *err)
{
    ckda_status status = ckda_input_read_matrix(F, node, 3, 3, K, err);
    if (status == CKDA_OK && !is_frame(F, K)) {
        ckda_mat_clear(F, K);
        return ckda_node_fail(node, err, "three orthogonal vectors", NULL);
    }
    return status;
}

/* ---- all frames ------------------------------------------------------------------------ */

typedef struct {
    ckda_mat_struct list[MAX_FRAMES];
    slong n;
} frames;

static void
clear_frames(frames *f, const ckda_field_t K)
{
    for (slong i = 0; i < f->n; i++)
        ckda_mat_clear(&f->list[i], K);
}

/* The same three lines, in any order? */
static bool
same_frame(const ckda_mat_t F, const ckda_mat_t H, const ckda_field_t K)
{
    for (slong i = 0; i < 3; i++) {
        bool found = false;
        for (slong j = 0; j < 3 && !found; j++)
            found = axes_parallel(ckda_mat_entry(F, i, 0), ckda_mat_entry(H, j, 0), K);
        if (!found)
            return false;
    }
    return true;
}

static slong
find_frame(const frames *f, const ckda_mat_t F, const ckda_field_t K)
{
    for (slong i = 0; i < f->n; i++)
        if (same_frame(&f->list[i], F, K))
            return i;
    return -1;
}

static bool
orthogonal(const ckda_elem_struct *a, const ckda_elem_struct *b, const ckda_field_t K)
{
    ckda_elem_t d;
    ckda_elem_init(d, K);
    axes_dot(d, a, b, K);
    const bool zero = ckda_elem_is_zero(d, K);
    ckda_elem_clear(d, K);
    return zero;
}

/* The number of axes orthogonal to f, and one that is not, -1 if there is none. */
static slong
count_orthogonal(slong *outside, const rotations *r, const ckda_elem_struct *f)
{
    slong count = 0;
    *outside = -1;
    for (slong i = 0; i < r->n; i++)
        if (orthogonal(axis(r, i), f, r->c->K))
            count++;
        else
            *outside = i;
    return count;
}

/* Is every axis orthogonal to a row of F? */
static bool
covers(const rotations *r, const ckda_mat_t F)
{
    for (slong i = 0; i < r->n; i++)
        if (!orthogonal(axis(r, i), ckda_mat_entry(F, 0, 0), r->c->K)
            && !orthogonal(axis(r, i), ckda_mat_entry(F, 1, 0), r->c->K)
            && !orthogonal(axis(r, i), ckda_mat_entry(F, 2, 0), r->c->K))
            return false;
    return true;
}

/* The one frame with first row f1 that can cover, kept if it does and is new. */
static ckda_truth
try_frame(ckda_evidence *ev, frames *found, const rotations *r, const ckda_mat_t F0,
          slong outside)
{
    const ckda_field_struct *K = r->c->K;
    ckda_truth truth = CKDA_TRUE;
    ckda_mat_t F;
    ckda_mat_init_set(F, F0, K);
    axes_cross(ckda_mat_entry(F, 1, 0), ckda_mat_entry(F, 0, 0), axis(r, outside), K);
    axes_cross(ckda_mat_entry(F, 2, 0), ckda_mat_entry(F, 0, 0), ckda_mat_entry(F, 1, 0),
               K);
    ckda_evidence_count(ev, 1);
    if (!covers(r, F) || find_frame(found, F, K) >= 0)
        ckda_mat_clear(F, K);
    else if (found->n == MAX_FRAMES) {
        ckda_mat_clear(F, K);
        truth = ckda_evidence_unable(ev, "more than %d frames", MAX_FRAMES);
    } else
        found->list[found->n++] = *F;
    return truth;
}

/* Every frame that covers all axes, by the argument at the head of this file. */
static ckda_truth
all_frames(ckda_evidence *ev, frames *found, const rotations *r)
{
    const ckda_field_struct *K = r->c->K;
    ckda_truth truth = CKDA_TRUE;
    slong outside;
    ckda_mat_t F;
    if (r->n < 4)
        return ckda_evidence_unable(ev, "%s has less than four axes", r->system);
    ckda_mat_init(F, 3, 3, K);
    for (slong i = 0; i < r->n; i++)
        for (slong j = 0; j < i && truth == CKDA_TRUE; j++) {
            axes_cross(ckda_mat_entry(F, 0, 0), axis(r, i), axis(r, j), K);
            const slong on = count_orthogonal(&outside, r, ckda_mat_entry(F, 0, 0));
            if (3 * on < r->n)
                continue;
            truth = outside >= 0 ? try_frame(ev, found, r, F, outside)
                                 : ckda_evidence_unable(ev, "all axes of %s in a plane",
                                                        r->system);
        }
    ckda_mat_clear(F, K);
    return truth;
}

/* A listed frame was found, and makes every rotation a single step. */
static ckda_truth
check_listed(ckda_evidence *ev, const frames *found, const rotations *r,
             const ckda_node *node)
{
    const ckda_field_struct *K = r->c->K;
    ckda_mat_t F;
    if (read_frame(F, node, K, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    bool *single = flint_malloc(r->c->G->order * sizeof *single);
    ckda_truth truth = ckda_evidence_expect(ev, find_frame(found, F, K) >= 0,
                                            "every axis lies in a plane of the frame");
    ckda_evidence_count(ev, r->c->G->order);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "single steps", count_single(single, r, F),
                                          (long)r->c->G->order);
    if (truth == CKDA_FALSE)
        ckda_evidence_fact_mat(ev, "frame", F, K);
    flint_free(single);
    ckda_mat_clear(F, K);
    return truth;
}

static ckda_truth
check_frames(ckda_evidence *ev, const rotations *r, const ckda_node *in)
{
    ckda_node list, item;
    size_t n;
    frames found = {.n = 0};
    if (ckda_node_member(&list, in, "frames", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = all_frames(ev, &found, r);
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&item, &list, i, &ev->problem) == CKDA_OK
                    ? check_listed(ev, &found, r, &item)
                    : CKDA_UNKNOWN;
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "frames", (long)found.n, (long)n);
    if (truth == CKDA_FALSE && found.n > 0)
        ckda_evidence_fact_mat(ev, "a frame that was found", &found.list[0], r->c->K);
    ckda_evidence_scope(ev, "%s: %ld axes, planes of all pairs", r->system, (long)r->n);
    clear_frames(&found, r->c->K);
    return truth;
}

ckda_truth
ckda_check_orthonormal_frames(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"system", "frames"};
    return on_rotations(ev, in, known, sizeof known / sizeof known[0], check_frames);
}

/* ---- how many letters a frame allows ----------------------------------------------------- */

/* The most rotations whose axes lie in one plane. */
static long
heaviest_plane(const rotations *r)
{
    const ckda_field_struct *K = r->c->K;
    long heaviest = 0;
    ckda_elem_struct f[3];
    axes_vec_init(f, K);
    for (slong i = 0; i < r->n; i++)
        for (slong j = 0; j <= i; j++) {
            long weight = 0;
            axes_cross(f, axis(r, i), axis(r, j), K);
            for (slong k = 0; k < r->n; k++) /* j = i: one axis alone */
                if (i == j ? k == i : orthogonal(axis(r, k), f, K))
                    weight += r->weight[k];
            if (weight > heaviest)
                heaviest = weight;
        }
    axes_vec_clear(f, K);
    return heaviest;
}

/* The single steps among the letters reach as many states as the group has elements. */
static ckda_truth
check_states(ckda_evidence *ev, const rotations *r, const bool *single)
{
    const uint32_t order = r->c->G->order;
    ckda_mat_struct *A = flint_malloc(order * sizeof *A);
    uint32_t *element = flint_malloc(order * sizeof *element);
    ckda_system_t sys = {
        {.K = r->c->K, .linear = A, .G = r->c->G, .letter_element = element}};
    ckda_reach_t reach;
    for (uint32_t g = 0; g < order; g++)
        if (single[g]) {
            A[sys->nletters] = r->c->rotation[g]; /* borrowed */
            element[sys->nletters++] = g;
        }
    ckda_mat_init_set(sys->initial, &r->c->rotation[0], r->c->K);
    ckda_truth truth = CKDA_UNKNOWN;
    if (ckda_reach_run(reach, sys, NULL, 0, &ev->problem) == CKDA_OK) {
        truth = ckda_evidence_expect(ev, reach->decoder_consistent == CKDA_TRUE,
                                     "the letters multiply like the group");
        if (truth == CKDA_TRUE)
            truth =
                ckda_evidence_expect_long(ev, "states", (long)reach->states, (long)order);
        ckda_evidence_count(ev, reach->edges);
        ckda_reach_clear(reach);
    }
    ckda_mat_clear(sys->initial, r->c->K);
    flint_free(element);
    flint_free(A);
    return truth;
}

static ckda_truth
check_letters(ckda_evidence *ev, const rotations *r, const ckda_node *item, long *best)
{
    ckda_node node;
    ckda_mat_t F;
    long want;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_long(&want, item, "letters", 1, 1000, err) != CKDA_OK
        || ckda_node_member(&node, item, "frame", err) != CKDA_OK
        || read_frame(F, &node, r->c->K, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    bool *single = flint_malloc(r->c->G->order * sizeof *single);
    const long got = count_single(single, r, F);
    ckda_evidence_count(ev, r->c->G->order);
    ckda_truth truth =
        ckda_evidence_expect_long(ev, "letters that are single steps", got, want);
    if (truth == CKDA_TRUE && 2 * got > (long)r->c->G->order)
        truth = check_states(ev, r, single);
    if (got > *best)
        *best = got;
    if (truth == CKDA_FALSE)
        ckda_evidence_fact_mat(ev, "frame", F, r->c->K);
    flint_free(single);
    ckda_mat_clear(F, r->c->K);
    return truth;
}

static ckda_truth
check_most(ckda_evidence *ev, const rotations *r, const ckda_node *in)
{
    ckda_node list, item;
    size_t n;
    long most, best = 0;
    ckda_truth truth = CKDA_TRUE;
    if (ckda_node_get_long(&most, in, "most", 1, 1000, &ev->problem) != CKDA_OK
        || ckda_node_member(&list, in, "frames", &ev->problem) != CKDA_OK
        || ckda_node_size(&n, &list, &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    for (size_t i = 0; i < n && truth == CKDA_TRUE; i++)
        truth = ckda_node_item(&item, &list, i, &ev->problem) == CKDA_OK
                    ? check_letters(ev, r, &item, &best)
                    : CKDA_UNKNOWN;
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "I, the half turns and three planes",
                                          r->free + 3 * heaviest_plane(r), most);
    if (truth == CKDA_TRUE)
        truth = ckda_evidence_expect_long(ev, "the best frame listed", best, most);
    ckda_evidence_scope(ev,
                        "%s: planes of all pairs of %ld axes; %u rotations in %zu frames",
                        r->system, (long)r->n, r->c->G->order, n);
    return truth;
}

ckda_truth
ckda_check_frame_letters(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"system", "frames", "most"};
    return on_rotations(ev, in, known, sizeof known / sizeof known[0], check_most);
}
