/* Layers along series of any length: each closed over all words, and beside products of
 * permutations that know nothing of the network. */
#include <string.h>
#include "nets.h"

enum { MOST = 8 };

/* A group by generators, and subgroups N_1 > N_2 > ... by some of its elements. */
typedef struct {
    int degree;
    const char *generator[5];       /* NULL at the end */
    const char *below[MOST - 1][5]; /* generators of each subgroup */
} series;

static const series s4 = {
    4,
    {"(1,2)", "(1,2,3,4)"},
    {{"(1,2,3)", "(2,3,4)"}, {"(1,2)(3,4)", "(1,3)(2,4)"}},
};
/* The nonzero vectors (x, y) of F_3^2 as points 3x + y. */
static const series gl23 = {
    8,
    {"(1,2)(4,5)(7,8)", "(3,4,5)(6,8,7)", "(1,6,2,3)(4,7,8,5)"},
    {{"(3,4,5)(6,8,7)", "(1,6,2,3)(4,7,8,5)"},
     {"(1,6,2,3)(4,7,8,5)", "(1,5,2,7)(3,4,6,8)"},
     {"(1,2)(3,6)(4,8)(5,7)"}},
};
/* Affine maps of the plane over F_3 whose linear part is in the quaternion group.  The last
 * subgroup is not normal in the whole. */
static const series order72 = {
    9,
    {"(1,2,3)(4,5,6)(7,8,9)", "(1,4,7)(2,5,8)(3,6,9)", "(2,7,3,4)(5,8,9,6)",
     "(2,6,3,8)(4,5,7,9)"},
    {{"(1,2,3)(4,5,6)(7,8,9)", "(1,4,7)(2,5,8)(3,6,9)", "(2,3)(4,7)(5,9)(6,8)"},
     {"(1,2,3)(4,5,6)(7,8,9)"}},
};
static const series elementary32 = {
    10,
    {"(1,2)", "(3,4)", "(5,6)", "(7,8)", "(9,10)"},
    {{"(1,2)", "(3,4)", "(5,6)"}, {"(1,2)"}},
};
/* The generalised quaternion group of order 16, all its composition factors of order 2. */
static const series quaternion16 = {
    16,
    {"(1,2,3,4,5,6,7,8)(9,10,11,12,13,14,15,16)",
     "(1,9,5,13)(2,16,6,12)(3,15,7,11)(4,14,8,10)"},
    {{"(1,2,3,4,5,6,7,8)(9,10,11,12,13,14,15,16)"},
     {"(1,3,5,7)(2,4,6,8)(9,11,13,15)(10,12,14,16)"},
     {"(1,5)(2,6)(3,7)(4,8)(9,13)(10,14)(11,15)(12,16)"}},
};
/* D_4 over D_4, the wreath product of Z_2 with D_2 (order 64) cut down to its even half. */
static const series even32 = {
    8,
    {"(1,3)(2,4)(5,7)(6,8)", "(1,5)(2,6)(3,7)(4,8)", "(1,2)(3,4)", "(1,2)(5,6)"},
    {{"(1,2)(3,4)", "(1,2)(5,6)", "(1,2)(7,8)"}, {"(1,2)(3,4)(5,6)(7,8)"}},
};
/* Upper triangular 3 x 3 matrices over F_3 with ones on the diagonal: exponent 3. */
static const series heisenberg = {
    9,
    {"(1,2,3)(4,5,6)(7,8,9)", "(4,5,6)(7,9,8)", "(1,4,7)(2,5,8)(3,6,9)"},
    {{"(1,2,3)(4,5,6)(7,8,9)", "(4,5,6)(7,9,8)"}, {"(1,2,3)(4,5,6)(7,8,9)"}},
};

static void
make_group(ckda_group_t G, int degree, const char *const *generator)
{
    ckda_perm gens[5];
    uint32_t n = 0;
    for (; n < 5 && generator[n] != NULL; n++)
        assert_int_equal(ckda_perm_parse(&gens[n], degree, generator[n], NULL), CKDA_OK);
    assert_int_equal(ckda_group_init_generated(G, "group", gens, NULL, n, 10000, NULL),
                     CKDA_OK);
}

typedef struct {
    ckda_group_t G;
    bool *chain[MOST];
    uint32_t count;
    uint32_t *letter;
} made;

static void
make(made *m, const series *s)
{
    make_group(m->G, s->degree, s->generator);
    m->letter = malloc(m->G->order * sizeof *m->letter);
    assert_non_null(m->letter);
    for (uint32_t g = 0; g < m->G->order; g++)
        m->letter[g] = g;
    for (m->count = 0; m->count < MOST - 1 && s->below[m->count][0] != NULL; m->count++) {
        ckda_group_t N;
        bool *in = calloc(m->G->order, sizeof *in);
        assert_non_null(in);
        make_group(N, s->degree, s->below[m->count]);
        for (uint32_t h = 0; h < N->order; h++)
            in[ckda_group_find(m->G, &N->element[h])] = true;
        ckda_group_clear(N);
        m->chain[m->count] = in;
    }
}

static ckda_status
compile(ckda_net **net, made *m, uint32_t count, ckda_error *err)
{
    return ckda_net_compile_series(net, m->G, m->letter, NULL, m->G->order,
                                   (const bool *const *)m->chain, count, err);
}

/* What G held is the network's, or G was not taken. */
static void
unmake(made *m)
{
    for (uint32_t i = 0; i < m->count; i++)
        free(m->chain[i]);
    free(m->letter);
    if (m->G->order > 0)
        ckda_group_clear(m->G);
}

static ckda_net *
network(const series *s)
{
    made m;
    ckda_net *net = NULL;
    ckda_error err;
    make(&m, s);
    if (compile(&net, &m, m.count, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    assert_int_equal(m.G->order, 0);
    unmake(&m);
    return net;
}

/* Products of permutations, letter after letter. */
static void
beside_permutations(const ckda_net *net, int length, uint64_t seed)
{
    const ckda_group_struct *G = ckda_net_group(net);
    uint32_t n;
    const uint32_t *element = ckda_net_letter_elements(&n, net);
    ckda_net_run *run = ckda_net_run_open(net);
    ckda_perm p, q;
    ckda_rand r;
    ckda_rand_init(&r, seed);
    ckda_perm_one(&p, G->degree);
    for (int i = 0; i < length; i++) {
        const uint32_t x = (uint32_t)ckda_rand_below(&r, n);
        ckda_net_run_step(run, x, NULL);
        ckda_perm_mul(&q, &G->element[element[x]], &p);
        p = q;
        const ckda_net_output *out = ckda_net_run_output(run);
        assert_true(out->valid);
        assert_memory_equal(G->element[out->index].image, p.image, (size_t)G->degree);
    }
    ckda_net_run_close(&run);
}

/* heads: names and dimensions from the first layer on. */
static void
expect(const series *s, const char *const *name, const slong *dimension, uint64_t states)
{
    ckda_net *net = network(s);
    const uint64_t order = ckda_net_group(net)->order;
    assert_int_equal(ckda_net_heads(net), ckda_net_layers(net));
    for (uint32_t h = 0; h < ckda_net_heads(net); h++) {
        assert_string_equal(ckda_net_get_head(net, h)->name, name[h]);
        assert_int_equal(ckda_net_get_head(net, h)->n, dimension[h]);
    }
    assert_string_equal(name[ckda_net_heads(net)], "");
    beside_permutations(net, 200, 1);
    beside_permutations(net, 200, 2);
    assert_closes(net, states, states * order);
}

static void
s4_in_three_layers(void **state)
{
    (void)state;
    expect(&s4, (const char *const[]){"parity", "quotient", "tracker", ""},
           (const slong[]){1, 2, 2}, 24);
}

static void
gl23_in_four_layers(void **state)
{
    (void)state;
    expect(&gl23, (const char *const[]){"parity", "quotient", "quotient", "parity", ""},
           (const slong[]){1, 2, 2, 1}, 48);
}

static void
order_72_with_a_subgroup_that_is_only_subnormal(void **state)
{
    (void)state;
    expect(&order72, (const char *const[]){"quotient", "quotient", "tracker", ""},
           (const slong[]){2, 2, 2}, 72);
}

static void
elementary_of_order_32(void **state)
{
    (void)state;
    expect(&elementary32, (const char *const[]){"quotient", "quotient", "parity", ""},
           (const slong[]){2, 2, 1}, 32);
}

static void
quaternions_of_order_16_by_signs(void **state)
{
    (void)state;
    expect(&quaternion16,
           (const char *const[]){"parity", "parity", "parity", "parity", ""},
           (const slong[]){1, 1, 1, 1}, 16);
}

static void
a_group_of_order_32_that_is_no_product(void **state)
{
    (void)state;
    expect(&even32, (const char *const[]){"quotient", "quotient", "parity", ""},
           (const slong[]){2, 2, 1}, 32);
}

static void
exponent_three(void **state)
{
    (void)state;
    expect(&heisenberg, (const char *const[]){"quotient", "quotient", "tracker", ""},
           (const slong[]){2, 2, 2}, 27);
}

/* No subgroup in between: the tracker of S_4 alone. */
static void
one_factor_is_one_layer(void **state)
{
    (void)state;
    made m;
    ckda_net *net = NULL;
    make(&m, &s4);
    assert_int_equal(compile(&net, &m, 0, NULL), CKDA_OK);
    unmake(&m);
    assert_int_equal(ckda_net_layers(net), 1);
    assert_string_equal(ckda_net_lookup_name(net, 0), "letter");
    beside_permutations(net, 100, 3);
    assert_closes(net, 24, 24 * 24);
}

/* Two factors are what the search of two layers makes. */
static void
two_factors_are_the_two_layers(void **state)
{
    (void)state;
    made m;
    ckda_net *chosen = NULL, *searched = group_net("S4", SERIES);
    make(&m, &s4);
    assert_int_equal(compile(&chosen, &m, 1, NULL), CKDA_OK);
    unmake(&m);
    json_t *a = ckda_net_json(chosen), *b = ckda_net_json(searched);
    assert_true(json_equal(json_object_get(a, "layers"), json_object_get(b, "layers")));
    assert_true(json_equal(json_object_get(a, "decoder"), json_object_get(b, "decoder")));
    json_decref(a);
    json_decref(b);
    ckda_net_close(&chosen);
    ckda_net_close(&searched);
}

/* ---- what is no such series ---------------------------------------------------------- */

/* G is left as it was, and the message says why. */
static void
refuse(made *m, uint32_t count, const char *why)
{
    ckda_error err;
    ckda_net *net = NULL;
    const uint32_t order = m->G->order;
    ckda_error_clear(&err);
    assert_int_equal(compile(&net, m, count, &err), CKDA_E_DOMAIN);
    assert_null(net);
    assert_int_equal(m->G->order, order);
    assert_non_null(strstr(err.text, why));
    unmake(m);
}

static void
a_subgroup_that_is_not_normal_is_refused(void **state)
{
    (void)state;
    static const series wrong = {
        4, {"(1,2)", "(1,2,3,4)"}, {{"(1,2,3)", "(2,3,4)"}, {"(1,2,3)"}}};
    made m;
    make(&m, &wrong);
    refuse(&m, 2, "subgroup 2 (3 elements)");
}

static void
a_subgroup_that_does_not_shrink_is_refused(void **state)
{
    (void)state;
    static const series wrong = {
        4, {"(1,2)", "(1,2,3,4)"}, {{"(1,2,3)", "(2,3,4)"}, {"(1,2,3)", "(2,3,4)"}}};
    made m;
    make(&m, &wrong);
    refuse(&m, 2, "subgroup 2 (12 elements)");
}

static void
a_subgroup_outside_the_one_before_is_refused(void **state)
{
    (void)state;
    static const series wrong = {
        6, {"(1,2)", "(3,4)", "(5,6)"}, {{"(1,2)", "(3,4)"}, {"(5,6)"}}};
    made m;
    make(&m, &wrong);
    refuse(&m, 2, "subgroup 2 (2 elements)");
}

static void
the_trivial_subgroup_is_not_named(void **state)
{
    (void)state;
    static const series wrong = {4, {"(1,2)", "(1,2,3,4)"}, {{"()"}}};
    made m;
    make(&m, &wrong);
    refuse(&m, 1, "or is trivial");
}

static void
a_set_that_is_no_subgroup_is_refused(void **state)
{
    (void)state;
    made m;
    make(&m, &s4);
    for (uint32_t g = 0; g < 24; g++)
        m.chain[0][g] = g < 12; /* as many as A_4 has, but others */
    refuse(&m, 1, "subgroup 1 (12 elements)");
}

static void
a_factor_outside_so3_is_named(void **state)
{
    (void)state;
    made m;
    make(&m, &elementary32);
    refuse(&m, 0, "factor 1, of order 32");
    make(&m, &elementary32);
    refuse(&m, 1, "factor 2, of order 8");
}

/* ---- documents ------------------------------------------------------------------------ */

static ckda_status
read_tree(ckda_net **net, json_t *tree, ckda_error *err)
{
    ckda_doc *doc = ckda_doc_wrap(tree, "net.json");
    const ckda_node root = ckda_doc_root(doc);
    const ckda_status st = ckda_net_read(net, &root, err);
    ckda_doc_close(&doc);
    return st;
}

static json_t *
document(const series *s)
{
    ckda_net *net = network(s);
    json_t *tree = ckda_net_json(net);
    ckda_net_close(&net);
    return tree;
}

static json_t *
lookup_of(json_t *tree, size_t layer)
{
    return json_object_get(json_array_get(json_object_get(tree, "layers"), layer),
                           "lookup");
}

static void
four_layers_survive_their_document(void **state)
{
    (void)state;
    json_t *tree = document(&gl23);
    ckda_net *net = NULL;
    assert_int_equal(read_tree(&net, tree, NULL), CKDA_OK);
    json_t *again = ckda_net_json(net);
    assert_true(json_equal(tree, again));
    json_decref(again);
    json_decref(tree);
    beside_permutations(net, 100, 4);
    assert_closes(net, 48, 48 * 48);
}

/* tree is released. */
static void
unreadable(json_t *tree, const char *why)
{
    ckda_net *net = NULL;
    ckda_error err;
    ckda_error_clear(&err);
    assert_int_equal(read_tree(&net, tree, &err), CKDA_E_INPUT);
    assert_null(net);
    if (strstr(err.text, why) == NULL)
        fail_msg("%s instead of %s", err.text, why);
    json_decref(tree);
}

static void
a_kernel_that_is_missing_is_refused(void **state)
{
    (void)state;
    json_t *tree = document(&gl23);
    json_object_del(lookup_of(tree, 1), "kernel");
    unreadable(tree, "has no step");
}

static void
a_kernel_that_is_too_large_is_refused(void **state)
{
    (void)state;
    json_t *tree = document(&gl23),
           *kernel = json_object_get(lookup_of(tree, 2), "kernel");
    json_array_append(kernel, json_array_get(kernel, 0));
    unreadable(tree, "steps 0 and 0 apply the same element");
}

static void
representatives_for_no_entry_are_refused(void **state)
{
    (void)state;
    json_t *tree = document(&gl23);
    json_array_remove(json_object_get(lookup_of(tree, 2), "representatives"), 0);
    unreadable(tree, "representatives for every entry");
}

/* A whole row too few: the lookup has no entry for some r, and the word that shows it is
 * found. */
static void
a_coset_that_is_missing_refutes(void **state)
{
    (void)state;
    json_t *tree = document(&gl23), *lookup = lookup_of(tree, 2), *row;
    size_t i;
    for (int k = 0; k < 3; k++) {
        json_array_remove(json_object_get(lookup, "representatives"), 3);
        json_array_foreach(json_object_get(lookup, "before"), i, row)
            json_array_remove(row, 3);
    }
    json_array_foreach(json_object_get(lookup, "before"), i,
                       row) for (size_t s = 0; s < json_array_size(row);
                                 s++) if (json_integer_value(json_array_get(row, s)) > 2)
        json_array_set_new(row, s, json_integer(0));
    ckda_net *net = NULL;
    ckda_error err;
    ckda_error_clear(&err);
    const ckda_status st = read_tree(&net, tree, &err);
    json_decref(tree);
    if (st != CKDA_OK) {
        assert_non_null(strstr(err.text, "has no step"));
        return;
    }
    ckda_net_closure c;
    ckda_net_explore(&c, net, NULL);
    assert_int_equal(c.right, CKDA_FALSE);
    ckda_net_closure_clear(&c);
    ckda_net_close(&net);
}

/* Two cosets exchanged: the network is read, and refuted by a word. */
static void
exchanged_cosets_refute(void **state)
{
    (void)state;
    json_t *tree = document(&s4), *decoder = json_object_get(tree, "decoder"),
           *list = json_object_get(decoder, "representatives");
    json_t *first = json_incref(json_array_get(list, 0));
    json_array_set(list, 0, json_array_get(list, 1));
    json_array_set_new(list, 1, first);
    ckda_net *net = NULL;
    ckda_net_closure c;
    assert_int_equal(read_tree(&net, tree, NULL), CKDA_OK);
    json_decref(tree);
    ckda_net_explore(&c, net, NULL);
    assert_int_equal(c.right, CKDA_FALSE);
    assert_true(c.length > 0);
    ckda_net_closure_clear(&c);
    ckda_net_close(&net);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s4_in_three_layers),
        cmocka_unit_test(gl23_in_four_layers),
        cmocka_unit_test(order_72_with_a_subgroup_that_is_only_subnormal),
        cmocka_unit_test(elementary_of_order_32),
        cmocka_unit_test(quaternions_of_order_16_by_signs),
        cmocka_unit_test(a_group_of_order_32_that_is_no_product),
        cmocka_unit_test(exponent_three),
        cmocka_unit_test(one_factor_is_one_layer),
        cmocka_unit_test(two_factors_are_the_two_layers),
        cmocka_unit_test(a_subgroup_that_is_not_normal_is_refused),
        cmocka_unit_test(a_subgroup_that_does_not_shrink_is_refused),
        cmocka_unit_test(a_subgroup_outside_the_one_before_is_refused),
        cmocka_unit_test(the_trivial_subgroup_is_not_named),
        cmocka_unit_test(a_set_that_is_no_subgroup_is_refused),
        cmocka_unit_test(a_factor_outside_so3_is_named),
        cmocka_unit_test(four_layers_survive_their_document),
        cmocka_unit_test(a_kernel_that_is_missing_is_refused),
        cmocka_unit_test(a_kernel_that_is_too_large_is_refused),
        cmocka_unit_test(representatives_for_no_entry_are_refused),
        cmocka_unit_test(a_coset_that_is_missing_refutes),
        cmocka_unit_test(exchanged_cosets_refute),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
