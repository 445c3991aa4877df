/* Lists, numbers, group elements and automata of a network document. */
#include <ctype.h>
#include <stdlib.h>
#include "read.h"

ckda_status
net_read_list(ckda_node *list, size_t *n, const ckda_node *in, const char *key, long want,
              ckda_error *err)
{
    char expected[64];
    size_t size = 0;
    ckda_status st = ckda_node_member(list, in, key, err);
    if (st == CKDA_OK)
        st = ckda_node_size(&size, list, err);
    if (st == CKDA_OK && want >= 0 && size != (size_t)want) {
        snprintf(expected, sizeof expected, "a list of %ld", want);
        return ckda_node_fail(list, err, expected, NULL);
    }
    if (st == CKDA_OK && size > MAX_ENTRIES)
        return ckda_node_fail(list, err, "a shorter list", NULL);
    if (st == CKDA_OK && n != NULL)
        *n = size;
    return st;
}

/* p or p/q, which is what most numbers are. */
static bool
read_fraction(ckda_elem_t x, const char *text, const ckda_field_t K)
{
    const char *c = text + (*text == '-');
    if (!isdigit((unsigned char)*c))
        return false;
    while (isdigit((unsigned char)*c))
        c++;
    if (*c == '/' && isdigit((unsigned char)c[1]))
        for (c++; isdigit((unsigned char)*c);)
            c++;
    if (*c != '\0')
        return false;
    fmpq_t q;
    fmpq_init(q);
    const char *slash = strchr(text, '/');
    bool good = true;
    if (slash == NULL) {
        good = fmpz_set_str(fmpq_numref(q), text, 10) == 0;
    } else {
        char *num = net_copy_text(text);
        num[slash - text] = '\0';
        good = fmpz_set_str(fmpq_numref(q), num, 10) == 0
               && fmpz_set_str(fmpq_denref(q), slash + 1, 10) == 0
               && !fmpz_is_zero(fmpq_denref(q));
        flint_free(num);
    }
    if (good) {
        fmpq_canonicalise(q);
        ckda_elem_set_fmpq(x, q, K);
    }
    fmpq_clear(q);
    return good;
}

static ckda_status
read_elem(ckda_elem_t x, const ckda_node *at, const ckda_field_t K, ckda_error *err)
{
    const char *text;
    char buf[32];
    ckda_error why;
    ckda_status st = ckda_node_number(&text, buf, at, err);
    if (st != CKDA_OK || read_fraction(x, text, K))
        return st;
    ckda_error_clear(&why);
    if (ckda_elem_set_str(x, text, K, &why) != CKDA_OK)
        return ckda_node_fail(at, err, "an exact number of this head's field", why.text);
    return CKDA_OK;
}

ckda_status
net_read_vector(ckda_elem_struct *x, slong n, const ckda_node *at, const ckda_field_t K,
                ckda_error *err)
{
    char expected[64];
    size_t size;
    ckda_status st = ckda_node_size(&size, at, err);
    if (st == CKDA_OK && size != (size_t)n) {
        snprintf(expected, sizeof expected, "a list of %ld", (long)n);
        st = ckda_node_fail(at, err, expected, NULL);
    }
    for (slong i = 0; st == CKDA_OK && i < n; i++) {
        ckda_node item;
        st = ckda_node_item(&item, at, (size_t)i, err);
        if (st == CKDA_OK)
            st = read_elem(x + i, &item, K, err);
    }
    return st;
}

ckda_status
net_read_rows(ckda_elem_struct *x, slong nrows, slong cols, const ckda_node *at,
              const ckda_field_t K, ckda_error *err)
{
    char expected[64];
    size_t size;
    ckda_status st = ckda_node_size(&size, at, err);
    if (st == CKDA_OK && size != (size_t)nrows) {
        snprintf(expected, sizeof expected, "a list of %ld rows", (long)nrows);
        st = ckda_node_fail(at, err, expected, NULL);
    }
    for (slong i = 0; st == CKDA_OK && i < nrows; i++) {
        ckda_node item;
        st = ckda_node_item(&item, at, (size_t)i, err);
        if (st == CKDA_OK)
            st = net_read_vector(x + i * cols, cols, &item, K, err);
    }
    return st;
}

ckda_status
net_read_numbers(uint32_t *x, uint32_t n, const ckda_node *at, uint32_t below,
                 ckda_error *err)
{
    char expected[64];
    size_t size;
    ckda_status st = ckda_node_size(&size, at, err);
    if (st == CKDA_OK && size != n) {
        snprintf(expected, sizeof expected, "a list of %u", n);
        st = ckda_node_fail(at, err, expected, NULL);
    }
    for (uint32_t i = 0; st == CKDA_OK && i < n; i++) {
        ckda_node item;
        long v = 0;
        st = ckda_node_item(&item, at, i, err);
        if (st == CKDA_OK)
            st = ckda_node_long(&v, &item, 0, (long)below - 1, err);
        x[i] = (uint32_t)v;
    }
    return st;
}

ckda_status
net_read_choice(int *which, const ckda_node *in, const char *key,
                const char *const *names, int nnames, ckda_error *err)
{
    ckda_node at;
    const char *text;
    char expected[128] = "one of";
    ckda_status st = ckda_node_member(&at, in, key, err);
    if (st == CKDA_OK)
        st = ckda_node_string(&text, &at, err);
    if (st != CKDA_OK)
        return st;
    for (int i = 0; i < nnames; i++) {
        if (strcmp(text, names[i]) == 0) {
            *which = i;
            return CKDA_OK;
        }
        strcat(strcat(expected, i > 0 ? ", " : " "), names[i]);
    }
    return ckda_node_fail(&at, err, expected, NULL);
}

static ckda_status
read_element(uint32_t *g, const ckda_node *at, const ckda_net *net, ckda_error *err)
{
    const char *text;
    ckda_perm p;
    ckda_status st = ckda_node_string(&text, at, err);
    if (st != CKDA_OK)
        return st;
    const bool good = ckda_perm_parse(&p, net->G->degree, text, NULL) == CKDA_OK;
    const int64_t found = good ? ckda_group_find(net->G, &p) : -1;
    if (found < 0)
        return ckda_node_fail(at, err, "an element of the group, as cycles", NULL);
    *g = (uint32_t)found;
    return CKDA_OK;
}

ckda_status
net_read_elements(uint32_t **g, uint32_t *n, const ckda_node *in, const char *key,
                  long want, const ckda_net *net, ckda_error *err)
{
    ckda_node list, item;
    size_t size = 0;
    ckda_status st = net_read_list(&list, &size, in, key, want, err);
    if (st != CKDA_OK)
        return st;
    uint32_t *x = flint_malloc((size + 1) * sizeof *x);
    for (size_t i = 0; st == CKDA_OK && i < size; i++) {
        st = ckda_node_item(&item, &list, i, err);
        if (st == CKDA_OK)
            st = read_element(x + i, &item, net, err);
    }
    if (st != CKDA_OK) {
        flint_free(x);
        return st;
    }
    *g = x;
    *n = (uint32_t)size;
    return CKDA_OK;
}

/* Is this the field that the document names by its generator's minimal polynomial? */
static ckda_status
check_minpoly(const ckda_field_t K, const ckda_node *in, ckda_error *err)
{
    ckda_node list, item;
    fmpz_t c;
    const char *text;
    char buf[32];
    ckda_status st = net_read_list(&list, NULL, in, "minpoly", K->degree + 1, err);
    fmpz_init(c);
    for (slong i = 0; st == CKDA_OK && i <= K->degree; i++) {
        st = ckda_node_item(&item, &list, (size_t)i, err);
        if (st == CKDA_OK)
            st = ckda_node_number(&text, buf, &item, err);
        if (st == CKDA_OK
            && (fmpz_set_str(c, text, 10) != 0 || !fmpz_equal(c, K->minpoly->coeffs + i)))
            st = ckda_node_fail(&item, err, "the polynomial of the field's own generator",
                                NULL);
    }
    fmpz_clear(c);
    return st;
}

/* {"of": number}: the field of a real number that generates it as elements are written. */
static ckda_status
read_generator(ckda_field_t K, const ckda_node *at, ckda_error *err)
{
    const char *text;
    ckda_error why;
    ckda_node number;
    qqbar_t x;
    ckda_status st = ckda_node_get_string(&text, at, "of", err);
    if (st == CKDA_OK)
        st = ckda_node_member(&number, at, "of", err);
    if (st != CKDA_OK)
        return st;
    qqbar_init(x);
    ckda_error_clear(&why);
    if (ckda_number_parse(x, text, &why) != CKDA_OK)
        st = ckda_node_fail(&number, err, "an exact number", why.text);
    else if (!qqbar_is_real(x) || qqbar_degree(x) > NET_MAX_DEGREE)
        st = ckda_node_fail(&number, err, "a real number of degree at most 64", NULL);
    else
        st = ckda_field_init_qqbar(K, x);
    qqbar_clear(x);
    if (st != CKDA_OK)
        return st;
    st = check_minpoly(K, at, err);
    if (st != CKDA_OK)
        ckda_field_clear(K);
    return st;
}

ckda_status
net_read_field(ckda_field_t K, const ckda_node *in, ckda_error *err)
{
    ckda_node at;
    long number = 0;
    ckda_status st = ckda_node_member(&at, in, "field", err);
    if (st != CKDA_OK)
        return st;
    if (json_is_string(at.json) && strcmp(json_string_value(at.json), "Q") == 0) {
        ckda_field_init_rational(K);
        return CKDA_OK;
    }
    if (ckda_node_has(&at, "cos")) {
        st = ckda_node_get_long(&number, &at, "cos", 1, 4000, err);
        if (st == CKDA_OK)
            ckda_field_init_cos(K, (ulong)number);
        return st;
    }
    if (ckda_node_has(&at, "of"))
        return read_generator(K, &at, err);
    if (!ckda_node_has(&at, "sqrt"))
        return ckda_node_fail(
            &at, err, "\"Q\", {\"sqrt\": n}, {\"cos\": n} or {\"of\": number}", NULL);
    st = ckda_node_get_long(&number, &at, "sqrt", 2, NET_MAX_SQRT, err);
    if (st == CKDA_OK && n_is_square((ulong)number))
        return ckda_node_fail(&at, err, "a number that is no square", NULL);
    if (st == CKDA_OK)
        ckda_field_init_sqrt(K, (ulong)number);
    return st;
}

/* ---- automata --------------------------------------------------------------------- */

static ckda_status
read_group(ckda_net *net, const ckda_node *at, ckda_error *err)
{
    ckda_node gens, m;
    const char *name = "group";
    long degree = 0;
    ckda_status st = ckda_node_get_long(&degree, at, "degree", 1, CKDA_PERM_MAX, err);
    if (st == CKDA_OK)
        st = ckda_node_member(&gens, at, "generators", err);
    if (st == CKDA_OK && ckda_node_has(at, "name"))
        st = ckda_node_get_string(&name, at, "name", err);
    if (st != CKDA_OK)
        return st;
    const size_t count = json_object_size(gens.json);
    ckda_perm *perm = flint_malloc((count + 1) * sizeof *perm);
    const char **names = flint_malloc((count + 1) * sizeof *names);
    uint32_t n = 0;
    for (bool more = ckda_node_first(&m, &gens); st == CKDA_OK && more;
         more = ckda_node_next(&m)) {
        const char *text;
        st = ckda_node_string(&text, &m, err);
        names[n] = m.key;
        if (st == CKDA_OK
            && ckda_perm_parse(&perm[n++], (int)degree, text, NULL) != CKDA_OK)
            st = ckda_node_fail(&m, err, "cycles", NULL);
    }
    if (st == CKDA_OK)
        st = ckda_group_init_generated(net->G, name, perm, names, n, CKDA_GROUP_MAX_ORDER,
                                       err);
    flint_free(names);
    flint_free(perm);
    if (st == CKDA_OK) {
        uint32_t letters;
        st = net_read_elements(&net->element, &letters, at, "letters", net->nletters, net,
                               err);
    }
    return st;
}

static ckda_status
read_dfa(ckda_net *net, const ckda_node *at, ckda_error *err)
{
    ckda_node accept, next, item;
    long states = 0, start = 0;
    size_t n = 0;
    ckda_status st = ckda_node_get_long(&states, at, "states", 1, 100000, err);
    if (st == CKDA_OK)
        st = ckda_node_get_long(&start, at, "start", 0, states - 1, err);
    if (st == CKDA_OK)
        st = net_read_list(&accept, &n, at, "accept", -1, err);
    if (st == CKDA_OK)
        st = ckda_node_member(&next, at, "transitions", err);
    if (st != CKDA_OK)
        return st;
    ckda_dfa_init(net->dfa, (uint32_t)states, net->nletters);
    net->dfa->start = (uint32_t)start;
    for (size_t i = 0; st == CKDA_OK && i < n; i++) {
        long q = 0;
        st = ckda_node_item(&item, &accept, i, err);
        if (st == CKDA_OK)
            st = ckda_node_long(&q, &item, 0, states - 1, err);
        net->dfa->accept[q] = st == CKDA_OK;
    }
    for (uint32_t x = 0; st == CKDA_OK && x < net->nletters; x++) {
        ckda_dfa_set_letter(net->dfa, x, net->letter[x]);
        st = ckda_node_member(&item, &next, net->letter[x], err);
        if (st == CKDA_OK)
            st = net_read_numbers(net->dfa->next + (size_t)x * (size_t)states,
                                  (uint32_t)states, &item, (uint32_t)states, err);
    }
    return st;
}

static ckda_status
read_wfa(ckda_net *net, const ckda_node *at, ckda_error *err)
{
    ckda_node list, matrices, item;
    size_t n = 0;
    ckda_status st = net_read_list(&list, &n, at, "initial", -1, err);
    if (st == CKDA_OK && (n < 1 || n > 1000))
        st = ckda_node_fail(&list, err, "a list of 1 to 1000", NULL);
    if (st == CKDA_OK)
        st = ckda_node_member(&matrices, at, "matrices", err);
    if (st != CKDA_OK)
        return st;
    ckda_wfa_init(net->wfa, (slong)n, net->nletters, net->Q);
    st = net_read_vector(net->wfa->initial->entry, (slong)n, &list, net->Q, err);
    if (st == CKDA_OK)
        st = net_read_list(&list, NULL, at, "final", (long)n, err);
    if (st == CKDA_OK)
        st = net_read_vector(net->wfa->final->entry, (slong)n, &list, net->Q, err);
    for (uint32_t x = 0; st == CKDA_OK && x < net->nletters; x++) {
        ckda_wfa_set_letter(net->wfa, x, net->letter[x]);
        st = ckda_node_member(&item, &matrices, net->letter[x], err);
        if (st == CKDA_OK)
            st = net_read_rows(net->wfa->matrix[x].entry, (slong)n, (slong)n, &item,
                               net->Q, err);
    }
    return st;
}

ckda_status
net_read_source(ckda_net **pnet, const ckda_node *at, ckda_error *err)
{
    ckda_node letters, source, item;
    const char *construction, *text;
    size_t n = 0;
    long block = 0;
    ckda_status st = net_read_list(&letters, &n, at, "letters", -1, err);
    if (st == CKDA_OK && n > MAX_LETTERS)
        st = ckda_node_fail(&letters, err, "fewer letters", NULL);
    if (st == CKDA_OK)
        st = ckda_node_get_string(&construction, at, "construction", err);
    if (st == CKDA_OK)
        st = ckda_node_get_long(&block, at, "block", 0, 2000, err);
    if (st == CKDA_OK)
        st = ckda_node_member(&source, at, "source", err);
    if (st != CKDA_OK)
        return st;
    const bool group = ckda_node_has(&source, "group"),
               dfa = ckda_node_has(&source, "dfa");
    ckda_net *net = net_new(construction,
                            group ? CKDA_NET_GROUP
                            : dfa ? CKDA_NET_DFA
                                  : CKDA_NET_WFA,
                            (uint32_t)n);
    net->block = block;
    *pnet = net; /* the caller closes it, whatever happens */
    for (size_t i = 0; st == CKDA_OK && i < n; i++) {
        st = ckda_node_item(&item, &letters, i, err);
        if (st == CKDA_OK)
            st = ckda_node_string(&text, &item, err);
        if (st == CKDA_OK)
            net->letter[i] = net_copy_text(text);
    }
    if (st == CKDA_OK)
        st = ckda_node_member(&item, &source, group ? "group" : dfa ? "dfa" : "wfa", err);
    if (st != CKDA_OK)
        return st;
    return group ? read_group(net, &item, err)
           : dfa ? read_dfa(net, &item, err)
                 : read_wfa(net, &item, err);
}
