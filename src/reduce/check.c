/* A reduction verified from the system and the result alone, in the coordinates of the heads:
 * nothing that the search computed on the way is used. */
#include <stdarg.h>
#include <stdio.h>
#include "reduce_internal.h"

typedef struct {
    const ckda_reduction_struct *red;
    const ckda_heads *heads;
    const ckda_limits *limits;
    const ckda_field_struct *K;
    ckda_joint_t J;
    ckda_reach_t r; /* of J */
    uint32_t *z;    /* z[s] = T_z(s) */
    action Tz;
    uint64_t decisions;
    ckda_error *err;
} checker;

/* One more decision; on failure the text. */
static bool CKDA_PRINTF(3, 4) expect(checker *c, bool cond, const char *fmt, ...)
{
    char text[256];
    va_list args;
    c->decisions++;
    if (cond)
        return true;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    ckda_error_set(c->err, "%s", text);
    return false;
}

/* C = A B, initialised here. */
static void
product(ckda_mat_t C, const ckda_mat_t A, const ckda_mat_t B, const ckda_field_t K)
{
    ckda_mat_init(C, A->rows, B->cols, K);
    must(ckda_mat_mul(C, A, B, K));
}

static bool
is_product(const ckda_mat_t C, const ckda_mat_t A, const ckda_mat_t B,
           const ckda_field_t K)
{
    ckda_mat_t P;
    product(P, A, B, K);
    const bool equal = ckda_mat_equal(NULL, P, C, K);
    ckda_mat_clear(P, K);
    return equal;
}

/* ---- shapes, so that nothing below runs off -------------------------------------------- */

static bool
has_shape(const ckda_mat_t A, slong rows, slong cols)
{
    return A->rows == rows && A->cols == cols;
}

static bool
check_shapes(checker *c)
{
    const ckda_reduction_struct *red = c->red;
    bool fits = red->nheads == c->heads->nheads && red->power > 0
                && red->nletters == c->heads->head->nletters;
    for (size_t i = 0; i < red->nword && fits; i++)
        fits = red->word[i] < red->nletters;
    for (uint32_t h = 0; h < red->nheads && fits; h++) {
        const ckda_reduced_head *t = red->head + h;
        const ckda_system_struct *s = c->heads->head + h;
        fits = t->n == s->initial->rows && t->m == s->initial->cols
               && has_shape(t->basis, t->n, t->r) && has_shape(t->gram, t->r, t->r)
               && has_shape(t->initial, t->r, t->m) && has_shape(t->centre, t->n, t->m);
        for (uint32_t x = 0; x < red->nletters && fits; x++)
            fits = has_shape(t->letter + x, t->r, t->r);
    }
    return expect(c, fits, "the shapes of the result fit the heads");
}

/* ---- one head ----------------------------------------------------------------------------- */

/* Gram matrix of the basis, diagonal and positive. */
static bool
check_gram(checker *c, const ckda_reduced_head *t, uint32_t h)
{
    ckda_mat_t BT;
    ckda_mat_init(BT, t->r, t->n, c->K);
    must(ckda_mat_transpose(BT, t->basis, c->K));
    bool ok =
        is_product(t->gram, BT, t->basis, c->K) && ckda_mat_is_diagonal(t->gram, c->K);
    for (slong i = 0; i < t->r && ok; i++)
        ok = ckda_elem_sgn(ckda_mat_entry(t->gram, i, i), c->K) > 0;
    ckda_mat_clear(BT, c->K);
    return expect(c, ok, "head %u: the basis is orthogonal, its squares are the diagonal",
                  h + 1);
}

/* A B = B Ahat and Ahat^T G Ahat = G. */
static bool
check_letter(checker *c, const ckda_reduced_head *t, const ckda_mat_t A, uint32_t h,
             uint32_t x)
{
    const ckda_mat_struct *L = t->letter + x;
    ckda_mat_t BL, LT;
    product(BL, t->basis, L, c->K);
    bool ok = expect(c, is_product(BL, A, t->basis, c->K),
                     "head %u, letter %u: A basis = basis letter", h + 1, x);
    ckda_mat_init(LT, t->r, t->r, c->K);
    must(ckda_mat_transpose(LT, L, c->K));
    must(ckda_mat_mul(LT, LT, t->gram, c->K));
    ok = ok
         && expect(c, is_product(t->gram, LT, L, c->K),
                   "head %u, letter %u: letter^T gram letter = gram", h + 1, x);
    ckda_mat_clear(LT, c->K);
    ckda_mat_clear(BL, c->K);
    return ok;
}

static bool
check_divides(checker *c, const ckda_mat_t L, const ckda_mat_t A, uint32_t h, uint32_t x)
{
    ckda_poly_t f, g, q;
    ckda_poly_init(f, c->K);
    ckda_poly_init(g, c->K);
    ckda_poly_init(q, c->K);
    must(ckda_mat_charpoly(f, L, c->K));
    must(ckda_mat_charpoly(g, A, c->K));
    must(ckda_poly_divrem(q, g, g, f, c->K));
    const bool divides = ckda_poly_is_zero(g);
    ckda_poly_clear(q, c->K);
    ckda_poly_clear(g, c->K);
    ckda_poly_clear(f, c->K);
    return expect(c, divides,
                  "head %u, letter %u: the characteristic polynomial divides that of A",
                  h + 1, x);
}

static bool
check_head(checker *c, uint32_t h)
{
    const ckda_reduced_head *t = c->red->head + h;
    bool ok = check_gram(c, t, h);
    for (uint32_t x = 0; x < c->red->nletters && ok; x++) {
        const ckda_mat_struct *A = c->heads->head[h].linear + x;
        ok = check_letter(c, t, A, h, x) && check_divides(c, t->letter + x, A, h, x);
    }
    return ok;
}

/* ---- the word ------------------------------------------------------------------------------ */

static bool
check_word(checker *c)
{
    const uint64_t n = c->r->states;
    bool idempotent = true;
    for (uint64_t s = 0; s < n; s++)
        idempotent = idempotent && c->z[c->z[s]] == c->z[s];
    c->decisions += n;
    return expect(c, n == c->red->states, "%lu reachable states", (unsigned long)n)
           && expect(c, idempotent, "the word to its power is idempotent on the states")
           && expect(c, count_images(c->z, n, n) == c->red->tracker_states,
                     "the image of the word has as many states as the tracker")
           && (c->J->sys->G == NULL
               || expect(c, c->r->label[c->z[0]] == 0, "the word decodes to e"));
}

/* Rows of head h of the joint matrix S, columns of the head: equal to centre + basis X? */
static bool
is_at(const checker *c, uint32_t h, const ckda_mat_t S, const ckda_mat_t X)
{
    const ckda_reduced_head *t = c->red->head + h;
    ckda_mat_t Y;
    bool equal = true;
    ckda_mat_init_set(Y, t->centre, c->K);
    if (X != NULL) {
        ckda_mat_t P;
        product(P, t->basis, X, c->K);
        must(ckda_mat_add(Y, Y, P, c->K));
        ckda_mat_clear(P, c->K);
    }
    for (slong i = 0; i < t->n; i++)
        for (slong j = 0; j < t->m; j++)
            equal = equal
                    && ckda_elem_equal(ckda_mat_entry(Y, i, j),
                                       ckda_mat_entry(S, c->J->row[h] + i, j), c->K);
    ckda_mat_clear(Y, c->K);
    return equal;
}

/* T_z(S0) is where the tracker starts. */
static bool
check_start(checker *c)
{
    bool ok = true;
    ckda_mat_t S;
    ckda_mat_init_set(S, c->J->sys->initial, c->K);
    action_apply(S, &c->Tz, S, c->K);
    for (uint32_t h = 0; h < c->red->nheads && ok; h++)
        ok = expect(c, is_at(c, h, S, c->red->head[h].initial),
                    "head %u: T_z(S0) = centre + basis initial", h + 1);
    ckda_mat_clear(S, c->K);
    return ok;
}

/* T_z T_x fixes the centre. */
static bool
check_centre(checker *c)
{
    const ckda_system_struct *sys = c->J->sys;
    bool ok = true;
    ckda_mat_t S, C;
    ckda_mat_init(C, sys->initial->rows, sys->initial->cols, c->K);
    for (uint32_t h = 0; h < c->red->nheads; h++)
        for (slong i = 0; i < c->red->head[h].n; i++)
            for (slong j = 0; j < c->red->head[h].m; j++)
                ckda_elem_set(ckda_mat_entry(C, c->J->row[h] + i, j),
                              ckda_mat_entry(c->red->head[h].centre, i, j), c->K);
    ckda_mat_init(S, C->rows, C->cols, c->K);
    for (uint32_t x = 0; x < sys->nletters && ok; x++) {
        must(ckda_mat_mul(S, sys->linear + x, C, c->K));
        must(ckda_mat_add(S, S, sys->offset + x, c->K));
        action_apply(S, &c->Tz, S, c->K);
        ok = expect(c, ckda_mat_equal(NULL, S, C, c->K),
                    "letter %u: T_z T_x fixes the centre", x);
    }
    ckda_mat_clear(S, c->K);
    ckda_mat_clear(C, c->K);
    return ok;
}

/* ---- subspaces ------------------------------------------------------------------------------ */

/* V: differences along the letters from the initial state, closed under the letters. */
static void
differences(span *V, const checker *c)
{
    const ckda_system_struct *sys = c->J->sys;
    ckda_mat_t S;
    ckda_mat_init(S, sys->initial->rows, sys->initial->cols, c->K);
    span_init(V, S->rows, NULL, c->K);
    for (uint32_t x = 0; x < sys->nletters; x++) {
        must(ckda_mat_mul(S, sys->linear + x, sys->initial, c->K));
        must(ckda_mat_add(S, S, sys->offset + x, c->K));
        must(ckda_mat_sub(S, S, sys->initial, c->K));
        span_add_columns(V, S, c->K);
    }
    span_close(V, sys->linear, sys->nletters, c->K);
    ckda_mat_clear(S, c->K);
}

/* On V: E^2 = E, E self-adjoint, E A_x = A_x E.  B: basis of V, EB = E B. */
static bool
check_projection(checker *c, const ckda_mat_t B, const ckda_mat_t EB)
{
    const ckda_system_struct *sys = c->J->sys;
    ckda_mat_t BT, M, AB, AEB;
    ckda_mat_init(BT, B->cols, B->rows, c->K);
    must(ckda_mat_transpose(BT, B, c->K));
    product(M, BT, EB, c->K);
    bool ok = expect(c, is_product(EB, c->Tz.A, EB, c->K), "E^2 = E on V")
              && expect(c, ckda_mat_is_symmetric(M, c->K), "E is self-adjoint on V");
    for (uint32_t x = 0; x < sys->nletters && ok; x++) {
        product(AB, sys->linear + x, B, c->K);
        product(AEB, sys->linear + x, EB, c->K);
        ok =
            expect(c, is_product(AEB, c->Tz.A, AB, c->K), "letter %u: E A = A E on V", x);
        ckda_mat_clear(AEB, c->K);
        ckda_mat_clear(AB, c->K);
    }
    ckda_mat_clear(M, c->K);
    ckda_mat_clear(BT, c->K);
    return ok;
}

/* Columns of the joint matrix that the tracker's start has, in K^n. */
static void
centred_start(ckda_mat_t S, const checker *c)
{
    ckda_mat_t P;
    ckda_mat_init(S, c->J->sys->initial->rows, c->J->sys->initial->cols, c->K);
    for (uint32_t h = 0; h < c->red->nheads; h++) {
        const ckda_reduced_head *t = c->red->head + h;
        product(P, t->basis, t->initial, c->K);
        for (slong i = 0; i < t->n; i++)
            for (slong j = 0; j < t->m; j++)
                ckda_elem_set(ckda_mat_entry(S, c->J->row[h] + i, j),
                              ckda_mat_entry(P, i, j), c->K);
        ckda_mat_clear(P, c->K);
    }
}

/* Is the projection of W to head h the span of the head's basis? */
static bool
check_projected(checker *c, const span *W, uint32_t h)
{
    const ckda_reduced_head *t = c->red->head + h;
    ckda_mat_t B, part;
    span P;
    span_basis(B, W, c->K);
    ckda_mat_init(part, t->n, B->cols, c->K);
    for (slong i = 0; i < t->n; i++)
        for (slong j = 0; j < B->cols; j++)
            ckda_elem_set(ckda_mat_entry(part, i, j),
                          ckda_mat_entry(B, c->J->row[h] + i, j), c->K);
    span_init(&P, t->n, NULL, c->K);
    span_add_columns(&P, part, c->K);
    const slong alone = P.r;
    span_add_columns(&P, t->basis, c->K);
    const bool ok = expect(c, alone == t->r && P.r == t->r,
                           "head %u: the basis spans the centred states", h + 1);
    span_clear(&P, c->K);
    ckda_mat_clear(part, c->K);
    ckda_mat_clear(B, c->K);
    return ok;
}

/* W, the span of the tracker's states (Prop. 21), is the image of E (Prop. 20). */
static bool
check_images(checker *c, const ckda_mat_t EB)
{
    span W, image;
    ckda_mat_t S;
    span_init(&W, EB->rows, NULL, c->K);
    span_init(&image, EB->rows, NULL, c->K);
    centred_start(S, c);
    span_add_columns(&W, S, c->K);
    span_close(&W, c->J->sys->linear, c->J->sys->nletters, c->K);
    span_add_columns(&image, EB, c->K);
    bool ok = expect(c, image.r == c->red->core, "the image of E has the dimension %ld",
                     (long)c->red->core);
    for (uint32_t h = 0; h < c->red->nheads && ok; h++)
        ok = check_projected(c, &W, h);
    const slong alone = W.r;
    span_add_columns(&W, EB, c->K);
    ok = ok
         && expect(c, alone == image.r && W.r == image.r,
                   "the centred states span the image of E");
    ckda_mat_clear(S, c->K);
    span_clear(&image, c->K);
    span_clear(&W, c->K);
    return ok;
}

static bool
check_subspaces(checker *c)
{
    span V;
    ckda_mat_t B, EB;
    differences(&V, c);
    span_basis(B, &V, c->K);
    product(EB, c->Tz.A, B, c->K);
    const bool ok =
        expect(c, V.r == c->red->span, "V has the dimension %ld", (long)c->red->span)
        && check_projection(c, B, EB) && check_images(c, EB);
    ckda_mat_clear(EB, c->K);
    ckda_mat_clear(B, c->K);
    span_clear(&V, c->K);
    return ok;
}

/* ---- the tracker ------------------------------------------------------------------------------ */

/* State i of the tracker and state to[i] of the system go the same ways, x on one side and x
 * then z on the other; decoded elements agree. */
static bool
check_walk(checker *c, const ckda_reach_t t)
{
    const uint32_t letters = c->red->nletters;
    const uint64_t n = t->states;
    uint32_t *to = flint_malloc((n + 1) * sizeof *to);
    bool ok = true, labels = true;
    to[0] = c->z[0];
    for (uint64_t i = 1; i < n; i++)
        to[i] = c->z[c->r->next[(size_t)to[t->parent[i]] * letters + t->via[i]]];
    for (uint64_t i = 0; i < n; i++) {
        for (uint32_t x = 0; x < letters; x++)
            ok = ok
                 && to[t->next[(size_t)i * letters + x]]
                        == c->z[c->r->next[(size_t)to[i] * letters + x]];
        labels = labels && (c->J->sys->G == NULL || t->label[i] == c->r->label[to[i]]);
    }
    c->decisions += n * letters;
    const bool one_to_one = count_images(to, n, c->r->states) == n;
    flint_free(to);
    return expect(c, ok, "the tracker's edges are those of the states of the image")
           && expect(c, one_to_one, "different states stay different")
           && expect(c, labels, "states and their images decode alike");
}

static bool
check_graph(checker *c, const ckda_reach_t t)
{
    c->decisions += t->edges;
    return expect(c, t->states == c->red->tracker_states, "the tracker has %lu states",
                  (unsigned long)t->states)
           && (c->J->sys->G == NULL
               || (expect(c, t->decoder_consistent == CKDA_TRUE,
                          "the tracker decodes rightly on every edge")
                   && expect(c, t->decoded == c->red->decoded,
                             "all %u elements are decoded", c->red->decoded)))
           && check_walk(c, t);
}

static ckda_truth
check_tracker(checker *c)
{
    ckda_joint_t J;
    ckda_reach_t t;
    ckda_system_struct *s = flint_malloc(c->red->nheads * sizeof *s);
    const ckda_heads parts = {s, tracker_systems(s, c->red, c->heads)};
    if (parts.nheads == 0) {
        flint_free(s);
        return expect(c, c->red->tracker_states == 1 && c->red->decoded <= 1,
                      "one state of dimension 0")
                   ? CKDA_TRUE
                   : CKDA_FALSE;
    }
    must(ckda_joint_init(J, &parts, c->err));
    flint_free(s);
    ckda_truth truth = CKDA_UNKNOWN;
    if (ckda_reach_run(t, J->sys, c->limits, CKDA_REACH_KEEP_GRAPH, c->err) == CKDA_OK) {
        if (t->finite == CKDA_TRUE)
            truth = check_graph(c, t) ? CKDA_TRUE : CKDA_FALSE;
        else if (t->finite == CKDA_FALSE)
            truth = expect(c, false, "the tracker has finitely many states") ? CKDA_TRUE
                                                                             : CKDA_FALSE;
        else
            ckda_error_set(c->err, "the tracker's states: %s", t->exactness);
        ckda_reach_clear(t);
    }
    ckda_joint_clear(J);
    return truth;
}

/* ---- all together ------------------------------------------------------------------------------- */

static ckda_truth
check_closed(checker *c)
{
    const ckda_system_struct *sys = c->J->sys;
    if (c->r->finite != CKDA_TRUE) {
        ckda_error_set(c->err, "the system's states: %s", c->r->exactness);
        return CKDA_UNKNOWN;
    }
    if (sys->G != NULL
        && !expect(c, c->r->decoder_consistent == CKDA_TRUE,
                   "the system decodes rightly on every edge"))
        return CKDA_FALSE;
    c->decisions += c->r->edges;
    c->z = word_map(c->r, sys->nletters, c->red->word, c->red->nword, c->red->power);
    action_init(&c->Tz, sys->initial->rows, sys->initial->cols, c->K);
    action_word(&c->Tz, sys, c->red->word, c->red->nword, c->red->power);
    const bool ok =
        check_word(c) && check_start(c) && check_centre(c) && check_subspaces(c);
    const ckda_truth truth = ok ? check_tracker(c) : CKDA_FALSE;
    action_clear(&c->Tz, c->K);
    flint_free(c->z);
    return truth;
}

static ckda_truth
check_all(checker *c)
{
    bool ok = check_shapes(c);
    for (uint32_t h = 0; h < c->red->nheads && ok; h++)
        ok = check_head(c, h);
    if (!ok)
        return CKDA_FALSE;
    if (ckda_reach_run(c->r, c->J->sys, c->limits, CKDA_REACH_KEEP_GRAPH, c->err)
        != CKDA_OK)
        return CKDA_UNKNOWN;
    const ckda_truth truth = check_closed(c);
    ckda_reach_clear(c->r);
    return truth;
}

ckda_truth
ckda_reduction_check(uint64_t *decisions, const ckda_reduction_t red,
                     const ckda_heads *heads, const ckda_limits *limits, ckda_error *err)
{
    checker c = {.red = red, .heads = heads, .limits = limits, .K = red->K, .err = err};
    if (red->end != CKDA_REDUCE_DONE) {
        ckda_error_set(err, "expected a finished reduction");
        return CKDA_UNKNOWN;
    }
    if (ckda_joint_init(c.J, heads, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    const ckda_truth truth = check_all(&c);
    ckda_joint_clear(c.J);
    if (decisions != NULL)
        *decisions = c.decisions;
    return truth;
}
