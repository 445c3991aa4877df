/* One layer with several heads. */
#include "realize_internal.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    ckda_head list[CKDA_HEADS_MAX];
    uint32_t count;
} parts;

static void
clear_parts(parts *p)
{
    for (uint32_t h = 0; h < p->count; h++) {
        ckda_construct_clear(p->list[h].c);
        flint_free(p->list[h].element);
    }
    p->count = 0;
}

/* ---- quotients -------------------------------------------------------------------- */

/* G/N as a head, if it is inside SO(3). */
static bool
add_quotient(parts *p, const ckda_group_t G, const ckda_subgroup *N)
{
    ckda_group_t Q;
    ckda_isomorphism_t f;
    uint32_t *coset = flint_malloc(G->order * sizeof *coset);
    bool found = ckda_group_quotient(Q, coset, G, N->in, N->order, NULL) == CKDA_OK;
    if (found) {
        found = ckda_isomorphism_find(f, Q) == CKDA_OK;
        if (found) {
            found = ckda_realize_single(p->list[p->count].c, f, Q, NULL, NULL) == CKDA_OK;
            memcpy(p->list[p->count].name, f->name, sizeof f->name);
            ckda_isomorphism_clear(f);
        }
        ckda_group_clear(Q);
    }
    if (!found) {
        flint_free(coset);
        return false;
    }
    p->list[p->count].trans = NULL;
    p->list[p->count].closure = (ckda_realize_closure){0};
    p->list[p->count++].element = coset;
    return true;
}

/* The part of `meet` inside `in`. */
static uint32_t
meet_order(const bool *meet, const bool *in, uint32_t n)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < n; g++)
        count += meet[g] && in[g];
    return count;
}

static void
cut(bool *meet, const bool *in, uint32_t n)
{
    for (uint32_t g = 0; g < n; g++)
        meet[g] = meet[g] && in[g];
}

/* Which subgroup to add: the meet as small as can be, then the head as small as can be.
 * count if none makes the meet smaller.  list: the smallest first. */
static uint32_t
next_kernel(const ckda_subgroup *list, const bool *fits, uint32_t count, const bool *meet,
            uint32_t n)
{
    uint32_t best = count, least = meet_order(meet, meet, n) - 1;
    for (uint32_t i = 0; i < count; i++) {
        if (!fits[i])
            continue;
        const uint32_t order = meet_order(meet, list[i].in, n);
        if (order <= least) {
            least = order;
            best = i;
        }
    }
    return best;
}

/* Which quotients are inside SO(3)? */
static bool *
find_fits(const ckda_subgroup *list, uint32_t count, const ckda_group_t G)
{
    bool *fits = flint_calloc(count, sizeof *fits);
    for (uint32_t i = 0; i + 1 < count; i++) {
        parts one = {.count = 0};
        fits[i] = add_quotient(&one, G, &list[i]);
        clear_parts(&one);
    }
    return fits;
}

static ckda_status
find_quotients(parts *p, const ckda_group_t G, ckda_error *err)
{
    ckda_subgroup *list;
    uint32_t count, left = G->order, i = 0;
    if (ckda_group_normal_subgroups(&list, &count, G, REALIZE_NORMAL_MAX) != CKDA_OK) {
        ckda_error_set(err, "%s: more than %d normal subgroups", G->name,
                       REALIZE_NORMAL_MAX);
        return CKDA_E_UNABLE;
    }
    bool *fits = find_fits(list, count, G);
    bool *meet = flint_malloc(G->order * sizeof *meet);
    memset(meet, 1, G->order * sizeof *meet);
    while (left > 1 && p->count < CKDA_HEADS_MAX) {
        i = next_kernel(list, fits, count, meet, G->order);
        if (i == count || !add_quotient(p, G, &list[i]))
            break;
        cut(meet, list[i].in, G->order);
        left = meet_order(meet, meet, G->order);
    }
    flint_free(meet);
    flint_free(fits);
    ckda_subgroups_free(list, count);
    if (left == 1)
        return CKDA_OK;
    clear_parts(p);
    return CKDA_E_DOMAIN;
}

/* ---- dicyclic groups --------------------------------------------------------------- */

/* An element of order 2m and one outside its powers that squares to a^m and inverts a. */
static bool
is_dicyclic(uint32_t *m, uint32_t *a, uint32_t *x, const ckda_group_t G)
{
    if (G->order < 8 || G->order % 4 != 0)
        return false;
    *m = G->order / 4;
    *a = 0;
    for (uint32_t g = 0; g < G->order && *a == 0; g++)
        if (ckda_group_element_order(G, g) == 2 * (uint64_t)*m)
            *a = g;
    if (*a == 0)
        return false;
    *x = realize_outside(G, *a);
    return ckda_group_mul(G, *x, *x) == ckda_group_pow(G, *a, *m)
           && ckda_group_mul(G, ckda_group_mul(G, *x, *a), ckda_group_inv(G, *x))
                  == ckda_group_inv(G, *a);
}

/* a^k x^e -> first^k last^e in a planar construction. */
static bool
add_planar(parts *p, const char *name, const ckda_group_t G, uint32_t a, uint32_t x,
           bool turn_by_x)
{
    ckda_head *new = &p->list[p->count];
    *new = (ckda_head){.trans = NULL};
    snprintf(new->name, sizeof new->name, "%s", name);
    if (ckda_construct(new->c, name, "planar", NULL) != CKDA_OK)
        return false;
    const ckda_group_struct *H = new->c->G;
    const uint32_t first = turn_by_x ? 0 : H->generator[0];
    const uint32_t last = H->generator[H->ngen - 1];
    new->element = flint_malloc(G->order * sizeof *new->element);
    for (uint32_t e = 0; e < 2; e++) {
        uint32_t g = e == 0 ? 0 : x, h = e == 0 ? 0 : last;
        for (uint32_t k = 0; k < G->order / 2; k++) {
            new->element[g] = h;
            g = ckda_group_mul(G, a, g);
            h = ckda_group_mul(H, first, h);
        }
    }
    p->count++;
    return true;
}

static ckda_status
find_dicyclic(parts *p, const ckda_group_t G, ckda_error *err)
{
    char name[24];
    uint32_t m, a, x;
    if (!is_dicyclic(&m, &a, &x, G))
        return CKDA_E_DOMAIN;
    snprintf(name, sizeof name, "D%u", 2 * m);
    if (add_planar(p, name, G, a, x, false) && add_planar(p, "Z4", G, a, x, true))
        return CKDA_OK;
    clear_parts(p);
    ckda_error_set(err, "%s: %s is too large for a head", G->name, name);
    return CKDA_E_UNABLE;
}

/* ---- one field --------------------------------------------------------------------- */

/* N such that K lies in Q(2 cos(2 pi / N)): the fields of the constructions only. */
static ulong
conductor(const ckda_field_t K)
{
    if (K->degree == 1)
        return 1;
    if (K->is_cos > 0)
        return (ulong)K->is_cos;
    const slong square = -fmpz_poly_get_coeff_si(K->minpoly, 0);
    ckda_require(K->degree == 2 && (square == 2 || square == 5), "an unknown field");
    return square == 2 ? 8 : 5;
}

/* The generator of K in L, a field of cosines: 2 cos(2 pi/N), sqrt 2 = 2 cos(2 pi/8) or
 * sqrt 5 = 4 cos(2 pi/5) + 1. */
static void
generator_in(ckda_elem_t a, const ckda_field_t K, const ckda_field_t L)
{
    if (K->degree == 1) {
        ckda_elem_zero(a, L);
        return;
    }
    const ulong N = conductor(K);
    const ckda_status st = ckda_elem_set_cos(a, 1, N, L);
    ckda_require(st == CKDA_OK, "cos(2 pi/%lu) is in the field", N);
    const bool root5 = K->is_cos == 0 && N == 5;
    ckda_elem_mul_si(a, a, root5 ? 4 : 2, L);
    if (root5) {
        ckda_elem_t one;
        ckda_elem_init(one, L);
        ckda_elem_one(one, L);
        ckda_elem_add(a, a, one, L);
        ckda_elem_clear(one, L);
    }
}

/* y = x, the generator of K being a in L. */
static void
embed(ckda_elem_t y, const ckda_elem_t x, const ckda_elem_t a, const ckda_field_t K,
      const ckda_field_t L)
{
    fmpq_poly_t f;
    fmpq_t q;
    ckda_elem_t c;
    fmpq_poly_init(f);
    fmpq_init(q);
    ckda_elem_init(c, L);
    ckda_elem_get_fmpq_poly(f, x, K);
    ckda_elem_zero(y, L);
    for (slong i = fmpq_poly_length(f) - 1; i >= 0; i--) {
        ckda_elem_mul(y, y, a, L);
        fmpq_poly_get_coeff_fmpq(q, f, i);
        ckda_elem_set_fmpq(c, q, L);
        ckda_elem_add(y, y, c, L);
    }
    ckda_elem_clear(c, L);
    fmpq_clear(q);
    fmpq_poly_clear(f);
}

static void
set_transitions(ckda_head *head, uint32_t order, const ckda_field_t L)
{
    const ckda_construction_struct *c = head->c;
    ckda_elem_t a;
    ckda_elem_init(a, L);
    generator_in(a, c->K, L);
    head->trans = flint_malloc(order * sizeof *head->trans);
    for (uint32_t g = 0; g < order; g++) {
        const ckda_trans_struct *t = &c->trans[head->element[g]];
        ckda_trans_struct *u = &head->trans[g];
        ckda_trans_init(u, CKDA_CKDA, c->n, 1, L);
        embed(u->beta, t->beta, a, c->K, L);
        for (slong i = 0; i < c->n; i++) {
            embed(u->key + i, t->key + i, a, c->K, L);
            embed(u->gate + i, t->gate + i, a, c->K, L);
        }
    }
    ckda_elem_clear(a, L);
}

/* phi(N)/2, the degree of Q(2 cos(2 pi/N)), or 1. */
static ulong
cosine_degree(ulong N)
{
    return N <= 2 ? 1 : n_euler_phi(N) / 2;
}

/* The parts move into heads. */
static ckda_status
put_together(ckda_heads_t heads, const parts *p, const ckda_group_t G, ckda_error *err)
{
    ulong N = 1;
    for (uint32_t h = 0; h < p->count; h++) {
        const ulong M = conductor(p->list[h].c->K);
        N = N / n_gcd(N, M) * M;
    }
    if (cosine_degree(N) > CKDA_HEADS_MAX_DEGREE) {
        ckda_error_set(err, "%s: the heads need a field of degree %lu, at most %d",
                       G->name, cosine_degree(N), CKDA_HEADS_MAX_DEGREE);
        return CKDA_E_UNABLE;
    }
    ckda_field_init_cos(heads->K, N);
    heads->order = G->order;
    heads->nheads = p->count;
    heads->head = flint_malloc(p->count * sizeof *heads->head);
    memcpy(heads->head, p->list, p->count * sizeof *heads->head);
    for (uint32_t h = 0; h < p->count; h++)
        set_transitions(&heads->head[h], G->order, heads->K);
    return CKDA_OK;
}

ckda_status
ckda_heads_find(ckda_heads_t heads, const ckda_group_t G, ckda_error *err)
{
    parts p = {.count = 0};
    const char *method = "quotients";
    ckda_status st = find_quotients(&p, G, err);
    if (st != CKDA_OK) {
        method = "dicyclic";
        const ckda_status other = find_dicyclic(&p, G, err);
        st = other == CKDA_E_DOMAIN ? st : other;
    }
    if (st != CKDA_OK)
        return st;
    *heads = (ckda_heads_struct){.method = method};
    st = put_together(heads, &p, G, err);
    if (st != CKDA_OK)
        clear_parts(&p);
    return st;
}

void
ckda_heads_clear(ckda_heads_t heads)
{
    for (uint32_t h = 0; h < heads->nheads; h++) {
        ckda_head *head = &heads->head[h];
        for (uint32_t g = 0; g < heads->order; g++)
            ckda_trans_clear(&head->trans[g], heads->K);
        flint_free(head->trans);
        flint_free(head->element);
        ckda_construct_clear(head->c);
        ckda_realize_closure_clear(&head->closure);
    }
    flint_free(heads->head);
    ckda_field_clear(heads->K);
    *heads = (ckda_heads_struct){0};
}
