/* Transitions that are no product of Householder steps:
 *     {"family": "rwkv7", "decay": [n numbers], "key": [n], "erase": [n]}
 *     {"family": "mdn", "alpha": a, "beta": b, "eta": e, "mu": m, "key": [d]}
 *     {"family": "sfda", "beta": b, "key": [m complex numbers], "gate": [m]}
 * A complex number is a number or a pair [x, y]. */
#include <stdio.h>
#include "input_internal.h"

static ckda_status
read_member(ckda_elem_struct *x, const char *name, const ckda_node *at,
            const ckda_field_t K, ckda_error *err)
{
    ckda_node node;
    const ckda_status st = ckda_node_member(&node, at, name, err);
    return st != CKDA_OK ? st : ckda_input_read_elem(x, &node, K, err);
}

static ckda_status
read_member_list(ckda_elem_struct *x, const char *name, slong n, const ckda_node *at,
                 const ckda_field_t K, ckda_error *err)
{
    ckda_node node;
    const ckda_status st = ckda_node_member(&node, at, name, err);
    return st != CKDA_OK ? st : read_list(x, &node, n, K, err);
}

static ckda_status
read_complex(ckda_elem_struct *z, const ckda_node *at, const ckda_field_t K,
             ckda_error *err)
{
    if (!json_is_array(at->json))
        return ckda_input_read_elem(z, at, K, err);
    if (json_array_size(at->json) != 2)
        return ckda_node_fail(at, err, "a number or a pair [x, y] for x + iy", NULL);
    return read_list(z, at, 2, K, err);
}

static ckda_status
read_complex_list(ckda_elem_struct *z, slong m, const ckda_node *at, const ckda_field_t K,
                  ckda_error *err)
{
    ckda_node item;
    size_t size = 0;
    ckda_status st = ckda_node_size(&size, at, err);
    if (st == CKDA_OK && size != (size_t)m) {
        char expected[64];
        snprintf(expected, sizeof expected, "a list of %ld complex numbers", (long)m);
        return ckda_node_fail(at, err, expected, NULL);
    }
    for (slong j = 0; j < m && st == CKDA_OK; j++) {
        st = ckda_node_item(&item, at, (size_t)j, err);
        if (st == CKDA_OK)
            st = read_complex(z + 2 * j, &item, K, err);
    }
    return st;
}

static ckda_status
read_rwkv7(ckda_trans_t t, const ckda_node *at, const ckda_field_t K, ckda_error *err)
{
    ckda_status st = read_member_list(t->gate, "decay", t->n, at, K, err);
    if (st == CKDA_OK)
        st = read_member_list(t->more, "erase", t->n, at, K, err);
    return st;
}

static ckda_status
read_mdn(ckda_trans_t t, const ckda_node *at, const ckda_field_t K, ckda_error *err)
{
    const slong d = t->width;
    ckda_status st = read_member(t->gate, "alpha", at, K, err);
    if (st == CKDA_OK)
        st = read_member(t->beta, "beta", at, K, err);
    if (st == CKDA_OK)
        st = read_member(t->more, "eta", at, K, err);
    if (st == CKDA_OK)
        st = read_member(t->gate + d, "mu", at, K, err);
    for (slong i = 1; i < d; i++) {
        ckda_elem_set(t->gate + i, t->gate, K);
        ckda_elem_set(t->gate + d + i, t->gate + d, K);
    }
    return st;
}

static ckda_status
read_sfda(ckda_trans_t t, const ckda_node *at, const ckda_field_t K, ckda_error *err)
{
    ckda_node gate;
    ckda_status st = read_member(t->beta, "beta", at, K, err);
    if (st == CKDA_OK)
        st = ckda_node_member(&gate, at, "gate", err);
    for (slong i = 0; i < t->n && st == CKDA_OK; i++)
        ckda_elem_zero(t->gate + i, K);
    return st != CKDA_OK ? st : read_complex_list(t->gate, t->n / 2, &gate, K, err);
}

static ckda_status
read_key_of(ckda_trans_t t, const ckda_node *key, const ckda_field_t K, ckda_error *err)
{
    for (slong i = 0; i < t->width; i++)
        ckda_elem_zero(t->key + i, K);
    const ckda_status st = t->family == CKDA_SFDA
                               ? read_complex_list(t->key, t->n / 2, key, K, err)
                               : read_list(t->key, key, t->width, K, err);
    return st != CKDA_OK ? st : check_direction(t->key, t->width, key, K, err);
}

ckda_status
read_other_family(ckda_trans_t t, ckda_family f, const ckda_node *at,
                  const ckda_field_t K, ckda_error *err)
{
    ckda_node key;
    slong size = 0;
    ckda_status st = ckda_node_member(&key, at, "key", err);
    if (st == CKDA_OK)
        st = size_of_list(&size, &key, WORD_MAX, "a direction of at least one number",
                          err);
    if (st != CKDA_OK)
        return st;
    ckda_trans_init(t, f, f == CKDA_RWKV7 ? size : 2 * size, 0, K);
    st = read_key_of(t, &key, K, err);
    if (st == CKDA_OK)
        st = f == CKDA_RWKV7 ? read_rwkv7(t, at, K, err)
             : f == CKDA_MDN ? read_mdn(t, at, K, err)
                             : read_sfda(t, at, K, err);
    if (st != CKDA_OK)
        ckda_trans_clear(t, K);
    return st;
}
