/* One head and its graph; see partd_heads.h. */
#include "partd_heads.h"

#include <string.h>
#include "ckda/input.h"

void
partd_head_init(partd_head *h, slong n, uint32_t nletters, const ckda_field_t K)
{
    ckda_require(nletters >= 1 && nletters <= PARTD_MAX_LETTERS, "%u letters", nletters);
    *h = (partd_head){.name = "seeded", .n = n, .nletters = nletters};
    ckda_field_init_set(h->K, K);
    for (uint32_t x = 0; x < nletters; x++) {
        ckda_trans_init(&h->trans[x], CKDA_CKDA, n, 1, h->K);
        ckda_mat_init(&h->linear[x], n, n, h->K);
        ckda_mat_init(&h->offset[x], n, 1, h->K);
        ckda_mat_init(&h->value[x], 1, 1, h->K);
    }
    ckda_mat_init(h->initial, n, 1, h->K);
}

void
partd_head_clear(partd_head *h)
{
    ckda_mat_clear(h->sys->initial, h->K);
    ckda_mat_clear(h->initial, h->K);
    for (uint32_t x = 0; x < h->nletters; x++) {
        ckda_mat_clear(&h->value[x], h->K);
        ckda_mat_clear(&h->offset[x], h->K);
        ckda_mat_clear(&h->linear[x], h->K);
        ckda_trans_clear(&h->trans[x], h->K);
    }
    ckda_field_clear(h->K);
}

/* offset = (beta / w'w) w value. */
static void
set_offset(partd_head *h, uint32_t x)
{
    const ckda_trans_struct *t = &h->trans[x];
    ckda_elem_t c, norm;
    ckda_elem_init(c, h->K);
    ckda_elem_init(norm, h->K);
    for (slong i = 0; i < h->n; i++)
        ckda_elem_addmul(norm, t->key + i, t->key + i, h->K);
    const ckda_status st = ckda_elem_div(c, t->beta, norm, h->K);
    ckda_require(st == CKDA_OK, "a zero key");
    ckda_elem_mul(c, c, h->value[x].entry, h->K);
    for (slong i = 0; i < h->n; i++)
        ckda_elem_mul(h->offset[x].entry + i, t->key + i, c, h->K);
    ckda_elem_clear(norm, h->K);
    ckda_elem_clear(c, h->K);
}

void
partd_head_ready(partd_head *h)
{
    for (uint32_t x = 0; x < h->nletters; x++) {
        const ckda_status st = ckda_trans_matrix(&h->linear[x], &h->trans[x], h->K);
        ckda_require(st == CKDA_OK, "a zero key");
        set_offset(h, x);
    }
    *h->sys = (ckda_system_struct){
        .K = h->K, .nletters = h->nletters, .linear = h->linear, .offset = h->offset};
    ckda_mat_init_set(h->sys->initial, h->initial, h->K);
}

/* ---- documents ---- */

/* x[0 .. n-1] from the list under key. */
static ckda_status
read_list(ckda_elem_struct *x, slong n, const ckda_node *in, const char *key,
          const ckda_field_t K, ckda_error *err)
{
    ckda_node list;
    ckda_elem_struct *y;
    slong count;
    ckda_status st = ckda_node_member(&list, in, key, err);
    if (st == CKDA_OK)
        st = ckda_input_read_vector(&y, &count, &list, n, K, err);
    if (st != CKDA_OK)
        return st;
    for (slong i = 0; i < n; i++)
        ckda_elem_set(x + i, y + i, K);
    ckda_input_free_vector(y, count, K);
    return CKDA_OK;
}

static ckda_status
read_letter(partd_head *h, uint32_t x, const ckda_node *list, ckda_error *err)
{
    static const char *const known[] = {"beta", "key", "gate", "value"};
    ckda_node item, at;
    ckda_trans_struct *t = &h->trans[x];
    ckda_status st = ckda_node_item(&item, list, x, err);
    if (st == CKDA_OK)
        st = ckda_node_only(&item, known, sizeof known / sizeof known[0], err);
    if (st == CKDA_OK)
        st = ckda_node_member(&at, &item, "beta", err);
    if (st == CKDA_OK)
        st = ckda_input_read_elem(t->beta, &at, h->K, err);
    if (st == CKDA_OK)
        st = read_list(t->key, h->n, &item, "key", h->K, err);
    if (st == CKDA_OK)
        st = read_list(t->gate, h->n, &item, "gate", h->K, err);
    if (st == CKDA_OK && ckda_node_has(&item, "value")) {
        st = ckda_node_member(&at, &item, "value", err);
        if (st == CKDA_OK)
            st = ckda_input_read_elem(h->value[x].entry, &at, h->K, err);
    }
    bool zero = true;
    for (slong i = 0; i < h->n && st == CKDA_OK; i++)
        zero = zero && ckda_elem_is_zero(t->key + i, h->K);
    if (st == CKDA_OK && zero)
        st = ckda_node_fail(&item, err, "a nonzero key", NULL);
    return st;
}

static ckda_truth
check_ranges(ckda_evidence *ev, const partd_head *h, const ckda_elem_t max_beta)
{
    for (uint32_t x = 0; x < h->nletters; x++) {
        const ckda_trans_struct *t = &h->trans[x];
        bool inside = ckda_elem_sgn(t->beta, h->K) >= 0
                      && ckda_elem_cmp(t->beta, max_beta, h->K) <= 0;
        for (slong i = 0; i < h->n; i++)
            inside = inside && ckda_elem_cmp_si(t->gate + i, 1, h->K) <= 0
                     && ckda_elem_cmp_si(t->gate + i, -1, h->K) >= 0;
        if (ckda_evidence_expect(ev, inside, "letter %u of %s lies in the stated range",
                                 x, h->name)
            != CKDA_TRUE)
            return CKDA_FALSE;
    }
    return CKDA_TRUE;
}

static ckda_status
read_parts(partd_head *h, ckda_elem_t max_beta, const ckda_node *at,
           const ckda_node *letters, ckda_error *err)
{
    ckda_node bound;
    ckda_status st = read_list(h->initial->entry, h->n, at, "initial", h->K, err);
    for (uint32_t x = 0; x < h->nletters && st == CKDA_OK; x++)
        st = read_letter(h, x, letters, err);
    ckda_elem_set_si(max_beta, 2, h->K);
    if (st == CKDA_OK && ckda_node_has(at, "max_beta")) {
        st = ckda_node_member(&bound, at, "max_beta", err);
        if (st == CKDA_OK)
            st = ckda_input_read_elem(max_beta, &bound, h->K, err);
    }
    return st;
}

ckda_truth
partd_head_read(partd_head *h, ckda_evidence *ev, const ckda_node *at)
{
    ckda_node letters, initial;
    ckda_field_t K;
    ckda_elem_t max_beta;
    size_t nletters, n;
    const char *name;
    ckda_error *err = &ev->problem;
    if (ckda_node_get_string(&name, at, "name", err) != CKDA_OK
        || ckda_node_member(&initial, at, "initial", err) != CKDA_OK
        || ckda_node_size(&n, &initial, err) != CKDA_OK
        || ckda_node_member(&letters, at, "letters", err) != CKDA_OK
        || ckda_node_size(&nletters, &letters, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    if (nletters < 1 || nletters > PARTD_MAX_LETTERS || n < 1)
        return ckda_evidence_unable(ev, "a head has 1 to %d letters and a state",
                                    PARTD_MAX_LETTERS);
    if (ckda_input_field(K, at, err) != CKDA_OK)
        return CKDA_UNKNOWN;
    partd_head_init(h, (slong)n, (uint32_t)nletters, K);
    ckda_field_clear(K);
    h->name = name;
    ckda_elem_init(max_beta, h->K);
    ckda_truth truth = CKDA_UNKNOWN;
    if (read_parts(h, max_beta, at, &letters, err) == CKDA_OK) {
        partd_head_ready(h);
        truth = check_ranges(ev, h, max_beta);
    } else
        ckda_mat_init(h->sys->initial, 0, 0, h->K);
    ckda_elem_clear(max_beta, h->K);
    if (truth != CKDA_TRUE)
        partd_head_clear(h);
    return truth;
}

void
partd_head_facts(ckda_evidence *ev, const partd_head *h)
{
    char key[32];
    ckda_evidence_fact(ev, "head", "%s", h->name);
    ckda_evidence_fact_mat(ev, "initial", h->initial, h->K);
    for (uint32_t x = 0; x < h->nletters; x++) {
        snprintf(key, sizeof key, "A_%u", x);
        ckda_evidence_fact_mat(ev, key, &h->linear[x], h->K);
        snprintf(key, sizeof key, "B_%u", x);
        ckda_evidence_fact_mat(ev, key, &h->offset[x], h->K);
    }
}

/* ---- the graph ---- */

ckda_status
partd_head_explore(ckda_reach_t r, const partd_head *h, uint64_t max_states,
                   ckda_error *err)
{
    const ckda_limits limits = {.max_states = max_states, .max_bytes = (uint64_t)1 << 30};
    return ckda_reach_run(r, h->sys, &limits, CKDA_REACH_KEEP_GRAPH, err);
}

void
partd_power(uint32_t *map, const ckda_reach_t r, uint32_t nletters, uint32_t x, long e)
{
    for (size_t s = 0; s < r->states; s++) {
        uint32_t to = (uint32_t)s;
        for (long i = 0; i < e; i++)
            to = r->next[(size_t)to * nletters + x];
        map[s] = to;
    }
}

/* The images of x^0, x^1, ... shrink until they stay the same. */
long
partd_tail(const ckda_reach_t r, uint32_t nletters, uint32_t x)
{
    const size_t n = r->states;
    bool *in = flint_malloc(n * sizeof *in), *out = flint_malloc(n * sizeof *out);
    long tail = 0;
    memset(in, 1, n * sizeof *in);
    for (size_t size = n;; tail++) {
        size_t left = 0;
        memset(out, 0, n * sizeof *out);
        for (size_t s = 0; s < n; s++)
            if (in[s])
                out[r->next[s * nletters + x]] = true;
        for (size_t s = 0; s < n; s++)
            left += out[s];
        if (left == size)
            break;
        size = left;
        bool *swap = in;
        in = out;
        out = swap;
    }
    flint_free(out);
    flint_free(in);
    return tail;
}
