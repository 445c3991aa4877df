/* Closures with many letters: most edges follow from a few by associativity.
 *
 * Modulo the primes let S be the initial state, square and invertible, T_x the letters, and
 * X_x = S^-1 T_x S.  Then T_x S = S X_x: a state is S times a product of X's, and a
 * product of a state with an X is a state again.  A few letters g are chosen whose X_g lead
 * from S to every S X_x, hence to all states (monoid.c).  Each state but the first is s X_g
 * for a state s found before it, and
 *
 *     T_x (s X_g) = (T_x s) X_g,
 *
 * so the edges of s X_g are the edges of s, followed by the table of X_g.  Products are
 * computed for the edges of S and where monoid.c asks for them.
 *
 * Labels likewise: monoid.c has l(s X_g) = l(s) g for all states and chosen letters.  If
 * also l(T_x S) = x for all letters, then l(T_x s X_g) = l(T_x s) g = x l(s) g = x l(s X_g)
 * for all edges, by induction: the decoder is consistent, and l is what it reads.
 * Otherwise labels are compared edge by edge.
 *
 * What comes out are the edges on images that batch.c computes one by one.  Numbers,
 * levels and the first inconsistent edge are found by a walk over them in the same order,
 * and the certificate is the same (docs/math.md, closure modulo a prime).  The walk asks for
 * the edges of a state when it comes to it, and often ends before it has come to all.
 *
 * Whatever does not fit (offsets, limits, a table that would be large) is left to batch.c,
 * before anything was written. */
#include "monoid_internal.h"

enum { LEAST_LETTERS = 12 };

typedef struct {
    monoid m;
    uint32_t *inverse; /* of S */
    uint32_t *root;    /* the edges of S */
} right_closure;

/* ---- the chosen letters --------------------------------------------------------------- */

static bool
invert(uint32_t *to, const uint32_t *from, slong n, uint32_t p)
{
    nmod_mat_t A;
    nmod_mat_init(A, n, n, p);
    for (slong i = 0; i < n * n; i++)
        nmod_mat_entry(A, i / n, i % n) = from[i];
    const bool regular = nmod_mat_inv(A, A) != 0;
    for (slong i = 0; regular && i < n * n; i++)
        to[i] = (uint32_t)nmod_mat_entry(A, i / n, i % n);
    nmod_mat_clear(A);
    return regular;
}

/* S^-1 modulo all primes; false unless S has one. */
static bool
invert_initial(right_closure *c)
{
    const images *im = c->m.s->im;
    const size_t nn = (size_t)(im->n * im->n);
    for (uint32_t i = 0; i < im->nprimes; i++)
        if (!invert(c->inverse + i * nn, im->initial + i * nn, im->n, im->mod[i].p))
            return false;
    return true;
}

static void
closure_init(right_closure *c, search *s)
{
    monoid_init(&c->m, s);
    c->inverse = flint_malloc(s->im->words * sizeof *c->inverse);
    c->root = flint_malloc(s->im->nletters * sizeof *c->root);
}

static void
closure_clear(right_closure *c)
{
    monoid_clear(&c->m);
    flint_free(c->inverse);
    flint_free(c->root);
}

/* X_x is one of the factors from now on.  to: T_x S. */
static bool
choose(right_closure *c, uint32_t x, const uint32_t *to)
{
    const images *im = c->m.s->im;
    const size_t nn = (size_t)(im->n * im->n);
    uint32_t *X = flint_malloc(im->words * sizeof *X);
    for (uint32_t i = 0; i < im->nprimes; i++)
        ckda_modmat_mul(X + i * nn, c->inverse + i * nn, to + i * nn, im->n, im->n, im->n,
                        im->mod + i);
    return monoid_add_factor(&c->m, x, X);
}

/* With the edges that would be written for so many states. */
static uint64_t
bytes_beside(const right_closure *c)
{
    const search *s = c->m.s;
    return c->m.count * (s->im->nletters + UINT64_C(4)) * sizeof *c->root
           + search_bytes(s, c->m.count);
}

/* The edge of S with letter x, or STORE_NONE. */
static uint32_t
find_root(monoid *m, uint32_t x)
{
    images_step(m->to, m->s->im, x, m->s->im->initial);
    stepper_pack(m->packed, &m->s->step, m->to);
    return monoid_find(m, m->packed);
}

/* Every letter that leads out of the states so far is chosen; then the edges of S. */
static bool
find_states(right_closure *c)
{
    const search *s = c->m.s;
    if (!monoid_close(&c->m))
        return false;
    for (uint32_t x = 0; x < s->im->nletters; x++)
        if (find_root(&c->m, x) == STORE_NONE && !choose(c, x, c->m.to))
            return false;
    for (uint32_t x = 0; x < s->im->nletters; x++) {
        c->root[x] = find_root(&c->m, x);
        if (c->m.label != NULL && c->m.label[c->root[x]] != search_product(s, x, 0))
            c->m.consistent = false;
    }
    return !monoid_gives_up(&c->m, bytes_beside(c));
}

/* ---- the edges ---------------------------------------------------------------------- */

/* The edges of the states that were asked for, one row a state. */
typedef struct {
    const right_closure *c;
    uint32_t *row;  /* by number; STORE_NONE: not yet */
    uint32_t *edge; /* [row][letter] */
    uint32_t rows;
    uint32_t *wanted; /* room for a chain of prefixes */
} edge_rows;

static uint32_t *
push_row(edge_rows *e, uint32_t u)
{
    e->row[u] = e->rows;
    return e->edge + (size_t)e->rows++ * e->c->m.s->im->nletters;
}

static void
edge_rows_init(edge_rows *e, const right_closure *c)
{
    const uint32_t letters = c->m.s->im->nletters, count = c->m.count;
    *e = (edge_rows){.c = c};
    e->row = flint_malloc(count * sizeof *e->row);
    memset(e->row, 0xff, count * sizeof *e->row);
    e->wanted = flint_malloc(count * sizeof *e->wanted);
    e->edge = flint_malloc((size_t)count * letters * sizeof *e->edge);
    memcpy(push_row(e, 0), c->root, letters * sizeof *c->root);
}

static void
edge_rows_clear(edge_rows *e)
{
    flint_free(e->row);
    flint_free(e->edge);
    flint_free(e->wanted);
}

/* The edges of state u, after those of the states that its word begins with. */
static const uint32_t *
edges_of(edge_rows *e, uint32_t u)
{
    const monoid *m = &e->c->m;
    const uint32_t letters = m->s->im->nletters;
    uint32_t wanted = 0;
    for (uint32_t v = u; e->row[v] == STORE_NONE; v = m->word[v].prefix)
        e->wanted[wanted++] = v;
    while (wanted > 0) {
        const uint32_t v = e->wanted[--wanted];
        const uint32_t *before = e->edge + (size_t)e->row[m->word[v].prefix] * letters;
        const uint32_t *table = m->right[m->word[v].last];
        uint32_t *edge = push_row(e, v);
        for (uint32_t x = 0; x < letters; x++)
            edge[x] = table[before[x]];
    }
    return e->edge + (size_t)e->row[u] * letters;
}

/* ---- the walk ----------------------------------------------------------------------- */

typedef struct {
    uint32_t *number, *order; /* in breadth-first order, and back */
    uint32_t *want;           /* [letter]: the labels that the edges of a state ask for */
    bool compares;            /* labels are compared edge by edge */
} walk;

/* The edge from state i with letter x finds state number s->count. */
static void
discover(walk *w, search *s, uint32_t i, uint32_t x, uint32_t to)
{
    const uint32_t at = s->count++;
    w->number[to] = at;
    w->order[at] = to;
    if (w->compares)
        s->label[at] = w->want[x];
    if (s->next != NULL) {
        s->parent[at] = i;
        s->via[at] = x;
    }
}

static void
compare(const walk *w, search *s, uint32_t i, uint32_t x, uint32_t to)
{
    if (s->label[to] == w->want[x] || !s->consistent)
        return;
    s->consistent = false;
    s->bad_state = i;
    s->bad_letter = x;
    s->bad_want = w->want[x];
    s->bad_got = s->label[to];
}

static void
walk_state(walk *w, search *s, edge_rows *e, uint32_t i)
{
    const uint32_t letters = s->im->nletters, count = e->c->m.count;
    const uint32_t *edge = edges_of(e, w->order[i]);
    for (uint32_t x = 0; w->compares && x < letters; x++)
        w->want[x] = search_product(s, x, s->label[i]);
    for (uint32_t x = 0; s->count < count && x < letters; x++)
        if (w->number[edge[x]] == STORE_NONE)
            discover(w, s, i, x, edge[x]);
    for (uint32_t x = 0; w->compares && x < letters; x++)
        compare(w, s, i, x, w->number[edge[x]]);
    for (uint32_t x = 0; s->next != NULL && x < letters; x++)
        s->next[(size_t)i * letters + x] = w->number[edge[x]];
}

/* From state 0; ends early when what is left would show nothing new. */
static void
walk_states(walk *w, search *s, edge_rows *e)
{
    const bool all = w->compares || s->next != NULL;
    const uint32_t count = e->c->m.count;
    discover(w, s, 0, 0, 0);
    s->level_end = 1;
    search_push_level(s, 1);
    for (uint32_t i = 0; i < count && (all || s->count < count); i++) {
        if (i == s->level_end) {
            search_push_level(s, s->count - s->level_end);
            s->level_end = s->count;
        }
        walk_state(w, s, e, i);
    }
    search_push_level(s, s->count - s->level_end);
    s->level_end = s->count;
}

/* Numbers, levels and labels as batch.c gives them. */
static void
walk_edges(search *s, const right_closure *c)
{
    const size_t size = c->m.count * sizeof *s->label;
    walk w = {.number = flint_malloc(size), .order = flint_malloc(size)};
    edge_rows e;
    edge_rows_init(&e, c);
    w.want = flint_calloc(s->im->nletters, sizeof *w.want);
    w.compares = s->sys->G != NULL && !c->m.consistent;
    memset(w.number, 0xff, size);
    search_reserve(s, c->m.count);
    if (s->sys->G != NULL)
        s->label = flint_calloc(c->m.count, sizeof *s->label);
    walk_states(&w, s, &e);
    for (uint32_t i = 0; s->label != NULL && !w.compares && i < s->count; i++)
        s->label[i] = c->m.label[w.order[i]];
    s->edges = (uint64_t)s->count * s->im->nletters;
    edge_rows_clear(&e);
    flint_free(w.number);
    flint_free(w.order);
    flint_free(w.want);
}

bool
search_by_right_products(search *s)
{
    const images *im = s->im;
    if (im->nletters < LEAST_LETTERS || im->offset != NULL || im->n != im->m
        || s->ranks > 1 || s->max_states == 0
        || (s->control->o->flags & CKDA_REACH_EVERY_PRODUCT) != 0)
        return false;
    right_closure c;
    closure_init(&c, s);
    const bool closed = invert_initial(&c) && find_states(&c);
    if (closed) {
        s->most_bytes = monoid_bytes(&c.m) + bytes_beside(&c);
        walk_edges(s, &c);
    }
    closure_clear(&c);
    return closed;
}
