/* The tracker: its centre, its heads, the group of its letters. */
#include "reduce_internal.h"

/* The one common fixed point of the letters on U: the mean of the projected states. */
static void
find_centre(ckda_mat_t X, const core *c)
{
    const ckda_field_struct *K = c->K;
    const slong u = c->U.r, m = c->sys->initial->cols;
    ckda_mat_t M, Y;
    ckda_mat_init(M, u * (slong)c->letters, u, K);
    ckda_mat_init(Y, u * (slong)c->letters, m, K);
    for (uint32_t x = 0; x < c->letters; x++)
        for (slong i = 0; i < u; i++) {
            const slong row = u * (slong)x + i;
            for (slong j = 0; j < u; j++)
                ckda_elem_set(ckda_mat_entry(M, row, j), ckda_mat_entry(c->onU + x, i, j),
                              K);
            for (slong j = 0; j < m; j++)
                ckda_elem_neg(ckda_mat_entry(Y, row, j),
                              ckda_mat_entry(c->stepU + x, i, j), K);
            ckda_elem_t one;
            ckda_elem_init(one, K);
            ckda_elem_one(one, K);
            ckda_elem_sub(ckda_mat_entry(M, row, i), ckda_mat_entry(M, row, i), one, K);
            ckda_elem_clear(one, K);
        }
    const bool found = solve_unique(X, M, Y, K);
    ckda_require(found, "the letters have one common fixed point on U");
    ckda_mat_clear(Y, K);
    ckda_mat_clear(M, K);
}

/* S = T_z(S0), centre = its mean over all states of the image of T_z, both n x m. */
static void
find_start(ckda_mat_t S, ckda_mat_t centre, const core *c, const ckda_reduction_t red)
{
    const ckda_field_struct *K = c->K;
    action z;
    ckda_mat_t B, BU, X, C, P;
    action_init(&z, c->sys->initial->rows, c->sys->initial->cols, K);
    action_word(&z, c->sys, red->word, red->nword, red->power);
    action_apply(S, &z, c->sys->initial, K);
    /* What the image has in common beyond U, plus the centre within U. */
    span_basis(B, &c->V, K);
    span_basis(BU, &c->U, K);
    ckda_mat_init(P, c->sys->initial->rows, c->U.r, K);
    must(ckda_mat_mul(P, B, BU, K)); /* U in K^n */
    ckda_mat_t step;
    ckda_mat_init_set(step, S, K);
    must(ckda_mat_sub(step, S, c->sys->initial, K));
    ckda_mat_t inV;
    bool inside = span_columns(inV, &c->V, step, K);
    ckda_require(inside, "T_z(S0) - S0 is in V");
    (void)span_columns(C, &c->U, inV, K);
    find_centre(X, c);
    must(ckda_mat_sub(X, X, C, K));
    must(ckda_mat_mul(step, P, X, K));
    must(ckda_mat_add(centre, S, step, K));
    ckda_mat_clear(inV, K);
    ckda_mat_clear(step, K);
    ckda_mat_clear(P, K);
    ckda_mat_clear(C, K);
    ckda_mat_clear(X, K);
    ckda_mat_clear(BU, K);
    ckda_mat_clear(B, K);
    action_clear(&z, K);
}

/* Rows from .. from + n - 1, columns 0 .. m - 1; initialised here. */
static void
get_block(ckda_mat_t B, const ckda_mat_t A, slong from, slong n, slong m,
          const ckda_field_t K)
{
    ckda_mat_init(B, n, m, K);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < m; j++)
            ckda_elem_set(ckda_mat_entry(B, i, j), ckda_mat_entry(A, from + i, j), K);
}

/* Head h on the projection of U to its rows. */
static void
make_head(ckda_reduced_head *t, const ckda_system_t h, slong row, const ckda_mat_t P,
          const ckda_mat_t S, const ckda_mat_t centre, const ckda_field_t K)
{
    span W;
    ckda_mat_t part, start;
    t->n = h->initial->rows;
    t->m = h->initial->cols;
    span_init(&W, t->n, NULL, K);
    get_block(part, P, row, t->n, P->cols, K);
    span_add_reduced(&W, part, K);
    t->r = W.r;
    span_basis(t->basis, &W, K);
    ckda_mat_init(t->gram, W.r, W.r, K);
    must(ckda_mat_set_diag(t->gram, W.norm, W.r, K));
    t->letter = new_mats(h->nletters);
    for (uint32_t x = 0; x < h->nletters; x++) {
        const bool inside = span_restrict(t->letter + x, &W, h->linear + x, K);
        ckda_require(inside, "the projection of U to a head is invariant");
    }
    get_block(t->centre, centre, row, t->n, t->m, K);
    get_block(start, S, row, t->n, t->m, K);
    must(ckda_mat_sub(start, start, t->centre, K));
    const bool inside = span_columns(t->initial, &W, start, K);
    ckda_require(inside, "T_z(S0) less the centre is in U");
    ckda_mat_clear(start, K);
    ckda_mat_clear(part, K);
    span_clear(&W, K);
}

void
make_heads(ckda_reduction_t red, const core *c, const ckda_joint_t J,
           const ckda_heads *heads)
{
    const ckda_field_struct *K = c->K;
    ckda_mat_t S, centre, B, BU, P;
    ckda_mat_init_set(S, c->sys->initial, K);
    ckda_mat_init_set(centre, c->sys->initial, K);
    find_start(S, centre, c, red);
    span_basis(B, &c->V, K);
    span_basis(BU, &c->U, K);
    ckda_mat_init(P, c->sys->initial->rows, c->U.r, K);
    must(ckda_mat_mul(P, B, BU, K));
    red->head = flint_malloc(heads->nheads * sizeof *red->head);
    for (uint32_t h = 0; h < heads->nheads; h++)
        make_head(red->head + h, heads->head + h, J->row[h], P, S, centre, K);
    ckda_mat_clear(P, K);
    ckda_mat_clear(BU, K);
    ckda_mat_clear(B, K);
    ckda_mat_clear(centre, K);
    ckda_mat_clear(S, K);
}

uint32_t
tracker_systems(ckda_system_struct *s, const ckda_reduction_t red,
                const ckda_heads *heads)
{
    uint32_t n = 0;
    for (uint32_t h = 0; h < red->nheads; h++) {
        const ckda_reduced_head *t = red->head + h;
        if (t->r == 0)
            continue;
        s[n++] = (ckda_system_struct){.K = red->K,
                                      .initial = {*t->initial},
                                      .nletters = red->nletters,
                                      .linear = t->letter,
                                      .G = heads->head->G,
                                      .letter_element = heads->head->letter_element};
    }
    return n;
}

/* The states reached from I. */
ckda_status
find_group_order(ckda_reduction_t red, const ckda_heads *heads, const ckda_limits *limits,
                 ckda_error *err)
{
    ckda_joint_t J;
    ckda_reach_t r;
    ckda_mat_t Id;
    ckda_system_struct *s = flint_malloc(red->nheads * sizeof *s);
    const ckda_heads parts = {s, tracker_systems(s, red, heads)};
    red->group_order = 1;
    if (parts.nheads == 0) {
        flint_free(s);
        return CKDA_OK;
    }
    must(ckda_joint_init(J, &parts, err));
    flint_free(s);
    const slong rows = J->sys->initial->rows;
    ckda_mat_init(Id, rows, rows, red->K);
    must(ckda_mat_one(Id, red->K));
    ckda_mat_swap(J->sys->initial, Id);
    ckda_mat_clear(Id, red->K);
    J->sys->offset = NULL;
    J->sys->G = NULL;
    const ckda_status st = ckda_reach_run(r, J->sys, limits, 0, err);
    if (st == CKDA_OK) {
        red->group_order = r->finite == CKDA_TRUE ? r->states : 0;
        ckda_reach_clear(r);
    }
    ckda_joint_clear(J);
    return st;
}
