/* Transitions and products of them. */
#include <stdio.h>
#include <string.h>
#include "input_internal.h"

static ckda_status
read_family(ckda_family *f, const ckda_node *at, ckda_error *err)
{
    ckda_node node;
    const char *name, *known[CKDA_FAMILIES];
    char expected[160] = "one of ", found[128];
    ckda_status st = ckda_node_member(&node, at, "family", err);
    if (st == CKDA_OK)
        st = ckda_node_string(&name, &node, err);
    if (st != CKDA_OK || ckda_family_parse(f, name) == CKDA_OK)
        return st;
    for (int i = 0; i < CKDA_FAMILIES; i++) {
        known[i] = ckda_family_name((ckda_family)i);
        strcat(strcat(expected, i > 0 ? ", " : ""), known[i]);
    }
    const char *guess = ckda_text_closest(name, known, CKDA_FAMILIES);
    if (guess == NULL)
        return ckda_node_fail(&node, err, expected, NULL);
    snprintf(found, sizeof found, "\"%s\" (did you mean \"%s\"?)", name, guess);
    return ckda_node_fail(&node, err, expected, found);
}

static ckda_status
check_members(const ckda_node *at, ckda_family f, bool document, ckda_error *err)
{
    const char *known[9] = {"family", "unchecked", "comment"};
    static const char *const step[] = {"beta", "key", "gate"};
    static const char *const steps[] = {"betas", "keys", "gate"};
    static const char *const rwkv7[] = {"decay", "key", "erase"};
    static const char *const mdn[] = {"alpha", "beta", "eta", "mu", "key"};
    const char *const *own = f == CKDA_DELTAPRODUCT ? steps
                             : f == CKDA_RWKV7      ? rwkv7
                             : f == CKDA_MDN        ? mdn
                                                    : step;
    size_t n = 3;
    for (size_t i = 0; i < (f == CKDA_MDN ? COUNT(mdn) : COUNT(step)); i++)
        known[n++] = own[i];
    if (document)
        known[n++] = "field";
    return ckda_node_only(at, known, n, err);
}

static ckda_status
read_unchecked(bool *unchecked, const ckda_node *at, ckda_error *err)
{
    ckda_node node;
    *unchecked = false;
    if (!ckda_node_has(at, "unchecked"))
        return CKDA_OK;
    const ckda_status st = ckda_node_member(&node, at, "unchecked", err);
    return st != CKDA_OK ? st : ckda_node_bool(unchecked, &node, err);
}

ckda_status
check_direction(const ckda_elem_struct *w, slong n, const ckda_node *at,
                const ckda_field_t K, ckda_error *err)
{
    for (slong i = 0; i < n; i++)
        if (!ckda_elem_is_zero(w + i, K))
            return CKDA_OK;
    return ckda_node_fail(at, err, "a nonzero direction", "only zeros");
}

/* A direction: n numbers, not all zero. */
static ckda_status
read_key(ckda_elem_struct *w, const ckda_node *at, slong n, const ckda_field_t K,
         ckda_error *err)
{
    const ckda_status st = read_list(w, at, n, K, err);
    return st != CKDA_OK ? st : check_direction(w, n, at, K, err);
}

/* For the members key, keys and keys[0], and the lists of rwkv7 and sfda. */
ckda_status
size_of_list(slong *n, const ckda_node *list, slong most, const char *what,
             ckda_error *err)
{
    size_t size = 0;
    const ckda_status st = ckda_node_size(&size, list, err);
    if (st == CKDA_OK && (size == 0 || size > (size_t)most))
        return ckda_node_fail(list, err, what, NULL);
    *n = (slong)size;
    return st;
}

static ckda_status
read_one_step(ckda_trans_t t, ckda_family f, const ckda_node *at, const ckda_field_t K,
              ckda_error *err)
{
    ckda_node key, beta;
    slong n = 0;
    ckda_status st = ckda_node_member(&key, at, "key", err);
    if (st == CKDA_OK)
        st = size_of_list(&n, &key, WORD_MAX, "a direction of at least one number", err);
    if (st == CKDA_OK)
        st = ckda_node_member(&beta, at, "beta", err);
    if (st != CKDA_OK)
        return st;
    ckda_trans_init(t, f, n, 1, K);
    st = read_key(t->key, &key, n, K, err);
    if (st == CKDA_OK)
        st = ckda_input_read_elem(t->beta, &beta, K, err);
    if (st != CKDA_OK)
        ckda_trans_clear(t, K);
    return st;
}

static ckda_status
read_many_steps(ckda_trans_t t, ckda_family f, const ckda_node *at, const ckda_field_t K,
                ckda_error *err)
{
    ckda_node keys, key, betas;
    slong n = 0, steps = 0;
    ckda_status st = ckda_node_member(&keys, at, "keys", err);
    if (st == CKDA_OK)
        st = size_of_list(&steps, &keys, CKDA_INPUT_MAX_STEPS,
                          "a list of 1 to 100000 keys", err);
    if (st == CKDA_OK)
        st = ckda_node_item(&key, &keys, 0, err);
    if (st == CKDA_OK)
        st = size_of_list(&n, &key, WORD_MAX, "a direction of at least one number", err);
    if (st == CKDA_OK)
        st = ckda_node_member(&betas, at, "betas", err);
    if (st != CKDA_OK)
        return st;
    ckda_trans_init(t, f, n, steps, K);
    for (slong j = 0; j < steps && st == CKDA_OK; j++) {
        st = ckda_node_item(&key, &keys, (size_t)j, err);
        if (st == CKDA_OK)
            st = read_key(t->key + j * n, &key, n, K, err);
    }
    if (st == CKDA_OK)
        st = read_list(t->beta, &betas, steps, K, err);
    if (st != CKDA_OK)
        ckda_trans_clear(t, K);
    return st;
}

/* kda and ckda: one gate a coordinate.  The others: one scalar, 1 when it is left out
 * (except for gdn, whose point it is). */
static ckda_status
read_gate(ckda_trans_t t, const ckda_node *at, const ckda_field_t K, ckda_error *err)
{
    ckda_node gate;
    const bool scalar = ckda_family_has_scalar_gate(t->family);
    if (scalar && t->family != CKDA_GDN && !ckda_node_has(at, "gate"))
        return CKDA_OK;
    ckda_status st = ckda_node_member(&gate, at, "gate", err);
    if (st != CKDA_OK || !scalar)
        return st != CKDA_OK ? st : read_list(t->gate, &gate, t->n, K, err);
    st = ckda_input_read_elem(t->gate, &gate, K, err);
    for (slong i = 1; i < t->n; i++)
        ckda_elem_set(t->gate + i, t->gate, K);
    return st;
}

ckda_status
read_transition(ckda_trans_t t, const ckda_node *at, bool document, const ckda_field_t K,
                ckda_error *err)
{
    ckda_family f;
    ckda_trans_t u;
    bool unchecked = false;
    ckda_status st = read_family(&f, at, err);
    if (st == CKDA_OK)
        st = check_members(at, f, document, err);
    if (st == CKDA_OK)
        st = read_unchecked(&unchecked, at, err);
    if (st != CKDA_OK)
        return st;
    if (!ckda_family_has_steps(f)) {
        st = read_other_family(u, f, at, K, err);
        if (st != CKDA_OK)
            return st;
    } else {
        st = f == CKDA_DELTAPRODUCT ? read_many_steps(u, f, at, K, err)
                                    : read_one_step(u, f, at, K, err);
        if (st != CKDA_OK)
            return st;
        st = read_gate(u, at, K, err);
    }
    if (st == CKDA_OK && !unchecked && ckda_trans_check(u, K, err) != CKDA_OK)
        st = ckda_node_fail_inside(at, err);
    if (st == CKDA_OK)
        *t = *u;
    else
        ckda_trans_clear(u, K);
    return st;
}

ckda_status
ckda_input_read_transition(ckda_trans_t t, const ckda_node *at, const ckda_field_t K,
                           ckda_error *err)
{
    return read_transition(t, at, false, K, err);
}

/* ---- products ---------------------------------------------------------------------- */

void
ckda_input_free_product(ckda_trans_struct *t, slong count, const ckda_field_t K)
{
    for (slong i = 0; i < count; i++)
        ckda_trans_clear(t + i, K);
    flint_free(t);
}

/* One more transition, of the dimension of the ones before. */
static ckda_status
read_factor(ckda_trans_struct *t, slong i, const ckda_node *list, const ckda_field_t K,
            ckda_error *err)
{
    ckda_node item;
    char expected[64], found[64];
    ckda_status st = ckda_node_item(&item, list, (size_t)i, err);
    if (st == CKDA_OK)
        st = read_transition(t + i, &item, false, K, err);
    if (st == CKDA_OK && t[i].n != t[0].n) {
        snprintf(expected, sizeof expected,
                 "a transition of dimension %ld like the first one", (long)t[0].n);
        snprintf(found, sizeof found, "dimension %ld", (long)t[i].n);
        ckda_trans_clear(t + i, K);
        return ckda_node_fail(&item, err, expected, found);
    }
    return st;
}

ckda_status
ckda_input_read_product(ckda_trans_struct **t, slong *count, const ckda_node *at,
                        const ckda_field_t K, ckda_error *err)
{
    slong n = 0;
    ckda_status st = size_of_list(&n, at, CKDA_INPUT_MAX_STEPS,
                                  "a list of 1 to 100000 transitions", err);
    if (st != CKDA_OK)
        return st;
    ckda_trans_struct *u = flint_malloc((size_t)n * sizeof *u);
    for (slong i = 0; i < n; i++) {
        st = read_factor(u, i, at, K, err);
        if (st != CKDA_OK) {
            ckda_input_free_product(u, i, K);
            return st;
        }
    }
    *t = u;
    *count = n;
    return CKDA_OK;
}

ckda_status
ckda_input_multiply(ckda_mat_t A, const ckda_trans_struct *t, slong count,
                    const ckda_field_t K)
{
    ckda_mat_t P, F;
    if (count < 1)
        return CKDA_E_SHAPE;
    ckda_mat_init(P, t[0].n, t[0].n, K);
    ckda_mat_init(F, t[0].n, t[0].n, K);
    ckda_status st = ckda_mat_one(P, K);
    for (slong i = 0; i < count && st == CKDA_OK; i++) {
        st = ckda_trans_matrix(F, t + i, K);
        if (st == CKDA_OK)
            st = ckda_mat_mul(P, F, P, K);
    }
    ckda_mat_clear(F, K);
    if (st == CKDA_OK)
        *A = *P;
    else
        ckda_mat_clear(P, K);
    return st;
}
