/* proofs/facts_b_trackers.c -- every way to write A5 as single steps in dimension 4.
 *
 * Statement.  The orthogonal 4 x 4 matrices of determinant 1 that are signed Householder
 * matrices with f = R are +-W_i^T g(R) W_i, i = 0 .. 3, W_i the right multiplication by the
 * i-th unit, and f_- of them is E_i R^-1 E_i, E_i = I or the half turn about axis i.
 * tracker_choices: whatever i and sign are chosen for each of the 60 letters, no
 * automorphism t of the group has t(R) = f_- for all letters, and no proper subgroup holds
 * all f_-.  choice_closure: for the patterns listed the states are as many as stated.
 *
 * Why the check suffices.  The half turns E_i belong to the group in this position, so
 * f_- of the four choices are elements, found in the multiplication table; all
 * automorphisms and all subgroups are listed, and for each some letter has all four choices
 * outside.  So the pairs (f, f_-) of any choice project onto the group twice and are no
 * graph: a subgroup of G x G, G simple, is then all of it (Goursat).  Closures are exact by
 * their height bound.
 *
 * Not shown here: other positions of the icosahedron (the human steps of b.F2).          */
#include <inttypes.h>
#include <stdlib.h>
#include "axes.h"
#include "checks.h"
#include "ckda/construct.h"
#include "ckda/reach.h"
#include "rows.h"

enum { UNITS = 4, MAX_ORDER = 64, MAX_SUBGROUPS = 1000 };

/* ---- the four choices ---------------------------------------------------------------- */

typedef struct {
    ckda_construction_t c;
    uint32_t unit[UNITS];             /* the elements E_i */
    uint32_t other[MAX_ORDER][UNITS]; /* f_- of letter g by choice i */
} choices;

/* E_i = diag(1,1,1) for i = 0, else 1 at i and -1 elsewhere.  Which element? */
static bool
find_unit(uint32_t *g, const ckda_construction_t c, int i)
{
    ckda_mat_t E;
    bool found = false;
    ckda_mat_init(E, 3, 3, c->K);
    for (slong j = 0; j < 3; j++)
        ckda_mat_set_entry_si(E, j, j, i == 0 || j == i - 1 ? 1 : -1, c->K);
    for (uint32_t h = 0; h < c->G->order && !found; h++)
        if (ckda_mat_equal(NULL, E, &c->rotation[h], c->K)) {
            *g = h;
            found = true;
        }
    ckda_mat_clear(E, c->K);
    return found;
}

/* other[g][i] = E_i g^-1 E_i, or E_i g E_i when the inverse is left out. */
static ckda_truth
set_choices(ckda_evidence *ev, choices *w, bool inverse)
{
    const ckda_group_struct *G = w->c->G;
    if (w->c->decoder != CKDA_DECODE_F || G->order > MAX_ORDER)
        return ckda_evidence_unable(ev, "a rotation group of order 1 .. %d is needed",
                                    MAX_ORDER);
    for (int i = 0; i < UNITS; i++)
        if (!find_unit(&w->unit[i], w->c, i))
            return ckda_evidence_unable(
                ev, "the half turns about the axes are not in the group");
    for (uint32_t g = 0; g < G->order; g++)
        for (int i = 0; i < UNITS; i++)
            w->other[g][i] = ckda_group_mul(
                G, ckda_group_mul(G, w->unit[i], inverse ? ckda_group_inv(G, g) : g),
                w->unit[i]);
    return CKDA_TRUE;
}

/* ---- matrices -------------------------------------------------------------------------- */

/* x -> x e_i as a matrix: e_a e_i = +-e_(a xor i). */
static void
set_right_unit(ckda_mat_t W, int i, const ckda_field_t K)
{
    ckda_mat_zero(W, K);
    for (int a = 0; a < 4; a++)
        ckda_mat_set_entry_si(W, a ^ i, a, axes_unit_sign(a, i), K);
}

/* A = sign W_i^T g W_i. */
static void
set_letter(ckda_mat_t A, const ckda_mat_t g, int i, bool minus, const ckda_field_t K)
{
    ckda_mat_t W;
    ckda_mat_init(W, 4, 4, K);
    set_right_unit(W, i, K);
    ckda_status status = ckda_mat_mul(A, g, W, K);
    if (status == CKDA_OK)
        status = ckda_mat_transpose(W, W, K);
    if (status == CKDA_OK)
        status = ckda_mat_mul(A, W, A, K);
    if (status == CKDA_OK && minus)
        status = ckda_mat_neg(A, A, K);
    ckda_require(status == CKDA_OK, "4 x 4 matrices");
    ckda_mat_clear(W, K);
}

/* f_-(S) = al C - s r^T + C [r]x = f(D_0 S D_0). */
static void
decode_minus(ckda_mat_t R, const ckda_mat_t S, const ckda_field_t K)
{
    ckda_mat_t T;
    ckda_mat_init_set(T, S, K);
    for (slong i = 1; i < 4; i++) {
        ckda_elem_neg(ckda_mat_entry(T, 0, i), ckda_mat_entry(T, 0, i), K);
        ckda_elem_neg(ckda_mat_entry(T, i, 0), ckda_mat_entry(T, i, 0), K);
    }
    ckda_require(ckda_quaternion_decode(R, T, K) == CKDA_OK, "a 4 x 4 matrix");
    ckda_mat_clear(T, K);
}

/* Every letter by every choice: a signed Householder matrix with the f and f_- said. */
static ckda_truth
check_letters(ckda_evidence *ev, const choices *w)
{
    const ckda_field_struct *K = w->c->K;
    ckda_truth truth = CKDA_TRUE;
    ckda_mat_t A, R;
    ckda_mat_init(A, 4, 4, K);
    ckda_mat_init(R, 3, 3, K);
    for (uint32_t g = 0; g < w->c->G->order && truth == CKDA_TRUE; g++)
        for (int i = 0; i < UNITS && truth == CKDA_TRUE; i++) {
            set_letter(A, &w->c->matrix[g], i, i % 2 == 1, K);
            truth =
                ckda_evidence_expect(ev, ckda_signed_householder(NULL, NULL, A, K) > 0,
                                     "choice %d of letter %u is a single step", i, g);
            ckda_require(ckda_quaternion_decode(R, A, K) == CKDA_OK, "a 4 x 4 matrix");
            if (truth == CKDA_TRUE)
                truth = ckda_evidence_expect_mat(ev, "f", R, &w->c->rotation[g], K);
            decode_minus(R, A, K);
            if (truth == CKDA_TRUE)
                truth = ckda_evidence_expect_mat(ev, "f_-", R,
                                                 &w->c->rotation[w->other[g][i]], K);
        }
    ckda_mat_clear(R, K);
    ckda_mat_clear(A, K);
    return truth;
}

/* ---- automorphisms ----------------------------------------------------------------------- */

/* t = the homomorphism with the generators' images given; false if there is none that is
 * one to one. */
static bool
extend(uint32_t t[MAX_ORDER], const ckda_group_t G, const uint32_t *image)
{
    bool set[MAX_ORDER] = {false}, used[MAX_ORDER] = {false};
    uint32_t queue[MAX_ORDER], n = 1;
    queue[0] = t[0] = 0;
    set[0] = used[0] = true;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t j = 0; j < G->ngen; j++) {
            const uint32_t x = ckda_group_mul(G, G->generator[j], queue[k]),
                           y = ckda_group_mul(G, image[j], t[queue[k]]);
            if (set[x] ? t[x] != y : used[y])
                return false;
            if (!set[x]) {
                set[x] = used[y] = true;
                t[x] = y;
                queue[n++] = x;
            }
        }
    return n == G->order;
}

/* Some letter whose four choices all differ from t. */
static ckda_truth
check_automorphism(ckda_evidence *ev, const choices *w, const uint32_t t[MAX_ORDER])
{
    const ckda_group_struct *G = w->c->G;
    for (uint32_t g = 0; g < G->order; g++) {
        bool possible = false;
        for (int i = 0; i < UNITS; i++)
            possible = possible || w->other[g][i] == t[g];
        if (!possible) {
            ckda_evidence_count(ev, 1);
            return CKDA_TRUE;
        }
    }
    for (uint32_t j = 0; j < G->ngen; j++) {
        char *text = ckda_perm_str(&G->element[t[G->generator[j]]]);
        ckda_evidence_fact(ev, "automorphism", "%s -> %s", G->genname[j], text);
        free(text);
    }
    return ckda_evidence_expect(ev, false,
                                "no automorphism takes every R to one of its f_-");
}

static ckda_truth
check_automorphisms(ckda_evidence *ev, const choices *w, long want)
{
    const ckda_group_struct *G = w->c->G;
    uint32_t image[2], t[MAX_ORDER];
    long count = 0;
    ckda_truth truth = CKDA_TRUE;
    if (G->ngen != 2)
        return ckda_evidence_unable(ev, "%u generators, not 2", G->ngen);
    for (image[0] = 0; image[0] < G->order; image[0]++)
        for (image[1] = 0; image[1] < G->order && truth == CKDA_TRUE; image[1]++)
            if (extend(t, w->c->G, image)) {
                count++;
                truth = check_automorphism(ev, w, t);
            }
    return truth == CKDA_TRUE
               ? ckda_evidence_expect_long(ev, "automorphisms", count, want)
               : truth;
}

/* ---- subgroups ----------------------------------------------------------------------------- */

/* The subgroup generated by H and g, as a set of bits. */
static uint64_t
join(const ckda_group_t G, uint64_t H, uint32_t g)
{
    uint64_t in = H | (uint64_t)1 << g;
    for (uint64_t old = 0; in != old;) {
        old = in;
        for (uint32_t a = 0; a < G->order; a++)
            for (uint32_t b = 0; b < G->order && (in >> a & 1); b++)
                if (in >> b & 1)
                    in |= (uint64_t)1 << ckda_group_mul(G, a, b);
    }
    return in;
}

/* All subgroups, the trivial one first. */
static size_t
list_subgroups(uint64_t list[MAX_SUBGROUPS], const ckda_group_t G)
{
    size_t n = 1;
    list[0] = 1;
    for (size_t k = 0; k < n; k++)
        for (uint32_t g = 0; g < G->order; g++) {
            if (list[k] >> g & 1)
                continue;
            const uint64_t H = join(G, list[k], g);
            size_t i = 0;
            while (i < n && list[i] != H)
                i++;
            if (i < n)
                continue;
            ckda_require(n < MAX_SUBGROUPS, "more than %d subgroups", MAX_SUBGROUPS);
            list[n++] = H;
        }
    return n;
}

static ckda_truth
check_subgroups(ckda_evidence *ev, const choices *w, long want)
{
    const ckda_group_struct *G = w->c->G;
    const uint64_t all = G->order == 64 ? UINT64_MAX : ((uint64_t)1 << G->order) - 1;
    uint64_t *list = flint_malloc(MAX_SUBGROUPS * sizeof *list);
    const size_t n = list_subgroups(list, w->c->G);
    ckda_truth truth = ckda_evidence_expect_long(ev, "subgroups", (long)n, want);
    for (size_t k = 0; k < n && truth == CKDA_TRUE; k++) {
        bool outside = list[k] == all;
        for (uint32_t g = 0; g < G->order && !outside; g++) {
            outside = true;
            for (int i = 0; i < UNITS; i++)
                outside = outside && !(list[k] >> w->other[g][i] & 1);
        }
        truth = ckda_evidence_expect(
            ev, outside,
            "some letter has no f_- in the proper subgroup with bits %" PRIx64, list[k]);
    }
    flint_free(list);
    return truth;
}

ckda_truth
ckda_check_tracker_choices(ckda_evidence *ev, const ckda_node *in)
{
    static const char *const known[] = {"system", "automorphisms", "subgroups",
                                        "inverse"};
    const char *system;
    ckda_node node;
    choices w;
    long automorphisms, subgroups;
    bool inverse;
    ckda_error *err = &ev->problem;
    if (ckda_node_only(in, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || ckda_node_get_string(&system, in, "system", err) != CKDA_OK
        || ckda_node_get_long(&automorphisms, in, "automorphisms", 1, 100000, err)
               != CKDA_OK
        || ckda_node_get_long(&subgroups, in, "subgroups", 1, 100000, err) != CKDA_OK
        || ckda_node_member(&node, in, "inverse", err) != CKDA_OK
        || ckda_node_bool(&inverse, &node, err) != CKDA_OK
        || ckda_construct(w.c, system, "quaternion", err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = set_choices(ev, &w, inverse);
    if (truth == CKDA_TRUE)
        truth = check_automorphisms(ev, &w, automorphisms);
    if (truth == CKDA_TRUE)
        truth = check_subgroups(ev, &w, subgroups);
    if (truth == CKDA_TRUE)
        truth = check_letters(ev, &w);
    ckda_evidence_scope(ev, "%ld automorphisms, %ld subgroups, %u letters x 4 choices",
                        automorphisms, subgroups, w.c->G->order);
    ckda_construct_clear(w.c);
    return truth;
}

/* ---- closures of some choices ---------------------------------------------------------------- */

/* Letter g takes choice units[(times g + plus) mod n] and the sign of bit g of `signs`. */
typedef struct {
    long times, plus, states;
    uint64_t signs;
    long unit[UNITS];
    size_t n;
} pattern;

static ckda_status
read_pattern(pattern *p, const ckda_node *row, ckda_error *err)
{
    static const char *const known[] = {"times", "plus", "units", "signs", "states"};
    ckda_node list, item;
    const char *signs;
    if (ckda_node_only(row, known, sizeof known / sizeof known[0], err) != CKDA_OK
        || ckda_node_get_long(&p->times, row, "times", 0, 1000, err) != CKDA_OK
        || ckda_node_get_long(&p->plus, row, "plus", 0, 1000, err) != CKDA_OK
        || ckda_node_get_long(&p->states, row, "states", 1, 100000, err) != CKDA_OK
        || ckda_node_get_string(&signs, row, "signs", err) != CKDA_OK
        || ckda_node_member(&list, row, "units", err) != CKDA_OK
        || ckda_node_size(&p->n, &list, err) != CKDA_OK)
        return CKDA_E_INPUT;
    if (p->n < 1 || p->n > UNITS)
        return ckda_node_fail(&list, err, "one to four choices", NULL);
    for (size_t i = 0; i < p->n; i++)
        if (ckda_node_item(&item, &list, i, err) != CKDA_OK
            || ckda_node_long(&p->unit[i], &item, 0, UNITS - 1, err) != CKDA_OK)
            return CKDA_E_INPUT;
    p->signs = strtoull(signs, NULL, 16);
    return CKDA_OK;
}

/* The letters of the pattern, closed; the word's product is what f decodes. */
static ckda_truth
close_pattern(ckda_evidence *ev, const choices *w, const pattern *p)
{
    const ckda_field_struct *K = w->c->K;
    const uint32_t order = w->c->G->order;
    ckda_mat_struct *A = flint_malloc(order * sizeof *A);
    uint32_t element[MAX_ORDER];
    ckda_system_t sys = {{.K = K,
                          .nletters = order,
                          .linear = A,
                          .G = w->c->G,
                          .letter_element = element}};
    ckda_reach_t reach;
    ckda_truth truth = CKDA_UNKNOWN;
    ckda_mat_init(sys->initial, 4, 4, K);
    ckda_require(ckda_mat_one(sys->initial, K) == CKDA_OK, "a square matrix");
    for (uint32_t g = 0; g < order; g++) {
        const size_t i = ((size_t)p->times * g + (size_t)p->plus) % p->n;
        ckda_mat_init(&A[g], 4, 4, K);
        set_letter(&A[g], &w->c->matrix[g], (int)p->unit[i], p->signs >> g & 1, K);
        element[g] = g;
    }
    if (ckda_reach_run(reach, sys, NULL, 0, &ev->problem) == CKDA_OK) {
        truth = ckda_evidence_expect(ev, reach->decoder_consistent == CKDA_TRUE,
                                     "the state determines the product");
        if (truth == CKDA_TRUE)
            truth =
                ckda_evidence_expect_long(ev, "states", (long)reach->states, p->states);
        ckda_evidence_count(ev, reach->edges);
        ckda_reach_clear(reach);
    }
    for (uint32_t g = 0; g < order; g++)
        ckda_mat_clear(&A[g], K);
    ckda_mat_clear(sys->initial, K);
    flint_free(A);
    return truth;
}

static ckda_truth
check_pattern(ckda_evidence *ev, const ckda_node *row)
{
    choices w;
    pattern p;
    if (read_pattern(&p, row, &ev->problem) != CKDA_OK
        || ckda_construct(w.c, "A5", "quaternion", &ev->problem) != CKDA_OK)
        return CKDA_UNKNOWN;
    const ckda_truth truth = close_pattern(ev, &w, &p);
    ckda_construct_clear(w.c);
    return truth;
}

ckda_truth
ckda_check_choice_closure(ckda_evidence *ev, const ckda_node *in)
{
    ckda_node full;
    size_t n = 0, more = 0;
    ckda_truth truth = rows_check(&n, ev, in, check_pattern);
    if (truth == CKDA_TRUE && ev->effort != CKDA_QUICK)
        truth = ckda_node_member(&full, in, "full", &ev->problem) == CKDA_OK
                    ? rows_check(&more, ev, &full, check_pattern)
                    : CKDA_UNKNOWN;
    ckda_evidence_scope(ev, "%zu choices of 60 letters, all states x 60 letters",
                        n + more);
    ckda_evidence_weaken(ev, CKDA_CERTIFICATE);
    return truth;
}
