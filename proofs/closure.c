/* Construction and closed graph together; see closure.h. */
#include "closure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

ckda_truth
closure_construct(ckda_construction_t c, ckda_evidence *ev, const ckda_node *row)
{
    const char *system, *construction;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_string(&system, row, "system", err) != CKDA_OK
        || ckda_node_get_string(&construction, row, "construction", err) != CKDA_OK
        || ckda_construct(c, system, construction, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    return CKDA_TRUE;
}

ckda_truth
closure_open(closure *cl, ckda_evidence *ev, const ckda_node *row)
{
    static const ckda_limits limits = {.max_states = 1000000,
                                       .max_bytes = (uint64_t)1 << 30};
    ckda_error *err = &ev->problem;
    if (ckda_node_get_string(&cl->system, row, "system", err) != CKDA_OK
        || ckda_node_get_string(&cl->construction, row, "construction", err) != CKDA_OK)
        return CKDA_UNKNOWN;
    ckda_truth truth = closure_construct(cl->c, ev, row);
    if (truth != CKDA_TRUE)
        return truth;
    ckda_system_init_construct(cl->sys, cl->c);
    if (ckda_reach_run(cl->r, cl->sys, &limits, CKDA_REACH_KEEP_GRAPH, err) != CKDA_OK) {
        ckda_system_clear(cl->sys);
        ckda_construct_clear(cl->c);
        return CKDA_UNKNOWN;
    }
    truth = cl->r->finite;
    if (truth == CKDA_FALSE)
        ckda_evidence_fact(ev, "failed", "%s, %s: infinitely many states", cl->system,
                           cl->construction);
    else if (truth == CKDA_UNKNOWN)
        (void)ckda_evidence_unable(ev, "%s, %s: %s", cl->system, cl->construction,
                                   cl->r->exactness);
    if (truth != CKDA_TRUE)
        closure_clear(cl);
    return truth;
}

void
closure_clear(closure *cl)
{
    ckda_reach_clear(cl->r);
    ckda_system_clear(cl->sys);
    ckda_construct_clear(cl->c);
}

uint32_t
closure_product(const closure *cl, uint32_t a, uint32_t b)
{
    if (a == 0)
        return b;
    const uint32_t before = closure_product(cl, cl->r->parent[a], b);
    return cl->r->next[(size_t)before * cl->sys->nletters + cl->r->via[a]];
}

long
closure_order(const closure *cl, uint32_t a)
{
    long e = 1;
    for (uint32_t x = a; x != 0; x = closure_product(cl, a, x))
        e++;
    return e;
}

uint32_t
closure_inverse(const closure *cl, uint32_t a)
{
    uint32_t inverse = 0;
    for (uint32_t x = a; x != 0; x = closure_product(cl, a, x))
        inverse = x;
    return inverse;
}

uint32_t
closure_letter(const closure *cl, uint32_t g)
{
    return cl->r->next[g];
}

ckda_elem_struct *
closure_images(const closure *cl, const ckda_elem_struct *x)
{
    const ckda_field_struct *K = cl->c->K;
    const size_t n = (size_t)cl->c->n, count = (size_t)cl->r->states * n;
    ckda_elem_struct *v = flint_malloc(count * sizeof *v);
    for (size_t i = 0; i < count; i++)
        ckda_elem_init(v + i, K);
    for (size_t i = 0; i < n; i++)
        ckda_elem_set(v + i, x + i, K);
    for (size_t s = 1; s < cl->r->states; s++) {
        const ckda_mat_struct *A = &cl->sys->linear[cl->r->via[s]];
        const ckda_elem_struct *from = v + cl->r->parent[s] * n;
        ckda_require(cl->r->parent[s] < s, "a state is numbered after its parent");
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                ckda_elem_addmul(v + s * n + i, ckda_mat_entry(A, (slong)i, (slong)j),
                                 from + j, K);
    }
    return v;
}

void
closure_free_images(ckda_elem_struct *v, const closure *cl)
{
    const size_t count = (size_t)cl->r->states * (size_t)cl->c->n;
    for (size_t i = 0; i < count; i++)
        ckda_elem_clear(v + i, cl->c->K);
    flint_free(v);
}

/* "12" and nothing else, at most max. */
static bool
read_index(long *index, const char *text, long max)
{
    char *end;
    errno = 0;
    *index = strtol(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && *index >= 0 && *index <= max;
}

ckda_truth
closure_histogram(ckda_evidence *ev, const char *what, const long *count, long max,
                  const ckda_node *want)
{
    ckda_node m;
    long *wanted = flint_calloc((size_t)max + 1, sizeof *wanted);
    ckda_truth truth = CKDA_TRUE;
    for (bool more = ckda_node_first(&m, want); more; more = ckda_node_next(&m)) {
        long index, value;
        if (ckda_node_long(&value, &m, 0, 1000000000, &ev->problem) != CKDA_OK)
            truth = CKDA_UNKNOWN;
        else if (read_index(&index, m.key, max))
            wanted[index] = value;
        else if (value != 0)
            truth = ckda_evidence_expect(ev, false, "%s: %s occurs", what, m.key);
        if (truth != CKDA_TRUE)
            break;
    }
    for (long i = 0; i <= max && truth == CKDA_TRUE; i++) {
        truth = ckda_evidence_expect_long(ev, what, count[i], wanted[i]);
        if (truth == CKDA_FALSE)
            ckda_evidence_fact(ev, "value", "%ld", i);
    }
    flint_free(wanted);
    return truth;
}
