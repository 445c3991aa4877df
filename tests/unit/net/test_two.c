/* Networks of one and two layers; the bare evaluator; lookups without memory. */
#include <string.h>
#include "nets.h"

/* ---- the bare evaluator ----------------------------------------------------------- */

enum { LETTERS_READ = 60, MAX_HEADS = 4 };

/* What the lookup in front of the last layer was asked and what it answered. */
typedef struct {
    ckda_mat_struct o[MAX_HEADS];
    slong r, passed;
    uint32_t x;
    ckda_net_step step;
} record;

typedef struct {
    const ckda_net *net;
    ckda_mat_struct H[MAX_HEADS], o[MAX_HEADS];
    const ckda_mat_struct *view[MAX_HEADS];
    ckda_net_step step[MAX_HEADS];
} bare;

static void
bare_init(bare *b, const ckda_net *net)
{
    b->net = net;
    assert_true(ckda_net_heads(net) <= MAX_HEADS);
    for (uint32_t h = 0; h < ckda_net_heads(net); h++) {
        const ckda_net_head *d = ckda_net_get_head(net, h);
        ckda_mat_init_set(b->H + h, d->initial, d->K);
        ckda_mat_init(b->o + h, d->m, d->h, d->K);
        ckda_net_step_init(b->step + h, d->n, d->m, d->h, d->s, d->K);
        b->view[h] = b->o + h;
    }
}

static void
bare_clear(bare *b)
{
    for (uint32_t h = 0; h < ckda_net_heads(b->net); h++) {
        const ckda_field_struct *K = ckda_net_get_head(b->net, h)->K;
        ckda_mat_clear(b->H + h, K);
        ckda_mat_clear(b->o + h, K);
        ckda_net_step_clear(b->step + h, K);
    }
}

/* One letter: lookup, recurrence, lookup, recurrence, ..., decoder; nothing else. */
static void
bare_step(bare *b, uint32_t x, ckda_net_output *out, record *rec)
{
    const ckda_net *net = b->net;
    const uint32_t last = ckda_net_layers(net) - 1;
    ckda_net_signal in = {NULL, 0, x};
    for (uint32_t l = 0; l <= last; l++) {
        uint32_t first, below = 0;
        slong r;
        const uint32_t heads = ckda_net_layer_heads(&first, net, l);
        const uint32_t nbelow = l > 0 ? ckda_net_layer_heads(&below, net, l - 1) : 0;
        assert_int_equal(ckda_net_lookup(b->step + first, &r, net, l, &in, NULL),
                         CKDA_OK);
        if (l == last && rec != NULL) {
            const ckda_net_head *d = ckda_net_get_head(net, first);
            rec->r = in.r;
            rec->x = x;
            rec->passed = r;
            for (uint32_t h = 0; h < nbelow; h++)
                ckda_mat_init_set(rec->o + h, b->o + below + h,
                                  ckda_net_get_head(net, below + h)->K);
            ckda_net_step_init(&rec->step, d->n, d->m, d->h, d->s, d->K);
            ckda_net_step_set(&rec->step, b->step + first, d->K);
        }
        for (uint32_t h = first; h < first + heads; h++)
            ckda_net_recur(b->H + h, b->o + h, b->step + h, ckda_net_get_head(net, h)->K);
        in.o = b->view + first;
        in.r = r;
    }
    ckda_net_decode(out, net, in.o, in.r);
}

/* Asks the last lookup again, in reverse order: the same answers. */
static void
ask_again(const ckda_net *net, record *rec, int count)
{
    const uint32_t last = ckda_net_layers(net) - 1;
    uint32_t first, below = 0;
    ckda_net_layer_heads(&first, net, last);
    const uint32_t nbelow = last > 0 ? ckda_net_layer_heads(&below, net, last - 1) : 0;
    const ckda_net_head *d = ckda_net_get_head(net, first);
    ckda_net_step step;
    ckda_net_step_init(&step, d->n, d->m, d->h, d->s, d->K);
    for (int i = count - 1; i >= 0; i--) {
        const ckda_mat_struct *o[MAX_HEADS];
        slong r;
        for (uint32_t h = 0; h < nbelow; h++)
            o[h] = rec[i].o + h;
        const ckda_net_signal in = {o, rec[i].r, rec[i].x};
        assert_int_equal(ckda_net_lookup(&step, &r, net, last, &in, NULL), CKDA_OK);
        assert_int_equal(r, rec[i].passed);
        assert_true(ckda_mat_equal(NULL, step.data, rec[i].step.data, d->K));
    }
    ckda_net_step_clear(&step, d->K);
    for (int i = 0; i < count; i++) {
        for (uint32_t h = 0; h < nbelow; h++)
            ckda_mat_clear(rec[i].o + h, ckda_net_get_head(net, below + h)->K);
        ckda_net_step_clear(&rec[i].step, d->K);
    }
}

static void
check_bare(ckda_net *net)
{
    static record rec[LETTERS_READ];
    bare b;
    ckda_rand r;
    ckda_net_output out;
    ckda_net_target t;
    ckda_rand_init(&r, 3);
    ckda_net_output_init(&out);
    ckda_net_target_init(&t, net);
    bare_init(&b, net);
    for (int i = 0; i < LETTERS_READ; i++) {
        const uint32_t x = (uint32_t)ckda_rand_below(&r, ckda_net_letters(net));
        bare_step(&b, x, &out, rec + i);
        ckda_net_target_step(&t, x, net);
        assert_true(ckda_net_output_equal(net, &out, &t.now));
    }
    ask_again(net, rec, LETTERS_READ);
    bare_clear(&b);
    ckda_net_target_clear(&t, net);
    ckda_net_output_clear(&out);
    ckda_net_close(&net);
}

static void
bare_three_layers_group(void **state)
{
    (void)state;
    check_bare(group_net("S5", PAPER_THREE));
}

static void
bare_three_layers_dfa(void **state)
{
    (void)state;
    check_bare(dfa_net(4, 2, contains_abb, PAPER_THREE));
    check_bare(dfa_net(4, 2, contains_abb, SHORT_THREE));
}

static void
bare_three_layers_wfa(void **state)
{
    (void)state;
    check_bare(w2_net(SHORT_THREE));
}

static void
bare_two_layers(void **state)
{
    (void)state;
    check_bare(group_net("S5", SERIES));
    check_bare(group_net("S5", SMALL));
    check_bare(dfa_net(3, 3, t3_generators, WINDOW));
}

/* ---- which networks exist --------------------------------------------------------- */

static void
expect_method(const char *group, how h, const char *construction, const char *first_head)
{
    ckda_net *net = group_net(group, h);
    assert_string_equal(ckda_net_construction(net), construction);
    assert_string_equal(ckda_net_get_head(net, 0)->name, first_head);
    assert_int_equal(ckda_net_layers(net), 2);
    check_random(net, 200, 1);
    ckda_net_close(&net);
}

static void
series_along_normal_subgroups(void **state)
{
    (void)state;
    expect_method("S5", AUTO, "series", "parity");
    expect_method("S4", AUTO, "series", "parity");
    expect_method("S3", AUTO, "series", "parity");
    expect_method("D6", AUTO, "series", "parity");
    expect_method("A4", AUTO, "series", "quotient"); /* V4, quotient of order 3 */
    expect_method("Z9", AUTO, "series", "quotient");
    expect_method("D9", AUTO, "series", "parity");
}

static void
simple_group_takes_the_small_machine(void **state)
{
    (void)state;
    expect_method("A5", AUTO, "small", "signs");
}

static void
no_two_layers_known_for_a6(void **state)
{
    ckda_net *net = NULL;
    (void)state;
    assert_int_equal(group_try(&net, "A6", AUTO), CKDA_E_DOMAIN);
    assert_int_equal(group_try(&net, "A6", SERIES), CKDA_E_DOMAIN);
    assert_int_equal(group_try(&net, "A6", SMALL), CKDA_E_DOMAIN);
    assert_null(net);
}

static void
series_refuses_simple_and_prime_groups(void **state)
{
    ckda_net *net = NULL;
    (void)state;
    assert_int_equal(group_try(&net, "A5", SERIES), CKDA_E_DOMAIN);
    assert_int_equal(group_try(&net, "Z7", SERIES), CKDA_E_DOMAIN);
    assert_null(net);
}

static void
window_refuses_more_than_two_factors(void **state)
{
    ckda_net *net = NULL;
    (void)state;
    assert_int_equal(dfa_try(&net, 4, 5, reset4, WINDOW), CKDA_E_DOMAIN);
    assert_int_equal(group_try(&net, "S4", WINDOW), CKDA_E_DOMAIN);
    assert_null(net);
}

static void
automata_take_no_group_method(void **state)
{
    ckda_net *net = NULL;
    (void)state;
    assert_int_equal(dfa_try(&net, 2, 2, parity, SERIES), CKDA_E_DOMAIN);
    assert_int_equal(dfa_try(&net, 2, 2, parity, SMALL), CKDA_E_DOMAIN);
    assert_null(net);
}

/* How many letters keep the last sign of layer 1? */
static int
letters_that_keep(const char *group)
{
    ckda_net *net = group_net(group, SMALL);
    const ckda_net_head *d = ckda_net_get_head(net, 0);
    ckda_net_step step;
    int keep = 0;
    ckda_net_step_init(&step, d->n, d->m, d->h, d->s, d->K);
    for (uint32_t x = 0; x < ckda_net_letters(net); x++) {
        slong r;
        const ckda_net_signal in = {NULL, 0, x};
        assert_int_equal(ckda_net_lookup(&step, &r, net, 0, &in, NULL), CKDA_OK);
        assert_true(ckda_elem_is_zero(step.beta, d->K));
        keep += ckda_elem_is_one(step.gate + d->n - 1, d->K);
    }
    ckda_net_step_clear(&step, d->K);
    ckda_net_close(&net);
    return keep;
}

static void
s5_small_machine_keeps_92_of_120(void **state)
{
    (void)state;
    assert_int_equal(letters_that_keep("S5"), 92);
}

static void
a5_small_machine_keeps_46_of_60(void **state)
{
    (void)state;
    assert_int_equal(letters_that_keep("A5"), 46);
}

static void
s5_small_machine_has_total_dimension_5(void **state)
{
    (void)state;
    ckda_net *net = group_net("S5", SMALL);
    assert_int_equal(ckda_net_heads(net), 2);
    assert_int_equal(ckda_net_get_head(net, 0)->n, 2);
    assert_int_equal(ckda_net_get_head(net, 1)->n, 3);
    ckda_net_close(&net);
}

/* ---- one layer -------------------------------------------------------------------- */

static void
check_construction(const char *group, const char *construction)
{
    ckda_construction_t c;
    ckda_net *net;
    assert_int_equal(ckda_construct(c, group, construction, NULL), CKDA_OK);
    const uint32_t order = c->G->order;
    uint32_t *letters = malloc(order * sizeof *letters);
    assert_non_null(letters);
    for (uint32_t g = 0; g < order; g++)
        letters[g] = g;
    assert_int_equal(ckda_net_construction_net(&net, c, letters, NULL, order, NULL),
                     CKDA_OK);
    free(letters);
    assert_string_equal(ckda_net_construction(net), construction);
    check_random(net, 100, 2);
    check_bare(net);
}

static void
constructions_as_networks(void **state)
{
    (void)state;
    check_construction("Z5", "planar");
    check_construction("D4", "planar");
    check_construction("S4", "cube");
    check_construction("A4", "quaternion");
    check_construction("S5", "householder");
}

/* Letters may be any elements under any names. */
static void
generators_only(void **state)
{
    ckda_group_t G;
    ckda_net *net;
    const ckda_net_options o = {CKDA_NET_THREE, CKDA_FACTOR_PAPER, 0};
    static const char *const names[] = {"t", "c"};
    (void)state;
    assert_int_equal(ckda_group_init_named(G, "S4", NULL), CKDA_OK);
    const uint32_t letters[] = {G->generator[0], G->generator[1]};
    assert_int_equal(ckda_net_compile_group(&net, G, letters, names, 2, &o, NULL),
                     CKDA_OK);
    assert_null(G->element);
    assert_string_equal(ckda_net_letter_name(net, 1), "c");
    check_random(net, 300, 1);
    ckda_net_close(&net);
    assert_null(net);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bare_three_layers_group),
        cmocka_unit_test(bare_three_layers_dfa),
        cmocka_unit_test(bare_three_layers_wfa),
        cmocka_unit_test(bare_two_layers),
        cmocka_unit_test(series_along_normal_subgroups),
        cmocka_unit_test(simple_group_takes_the_small_machine),
        cmocka_unit_test(no_two_layers_known_for_a6),
        cmocka_unit_test(series_refuses_simple_and_prime_groups),
        cmocka_unit_test(window_refuses_more_than_two_factors),
        cmocka_unit_test(automata_take_no_group_method),
        cmocka_unit_test(s5_small_machine_keeps_92_of_120),
        cmocka_unit_test(a5_small_machine_keeps_46_of_60),
        cmocka_unit_test(s5_small_machine_has_total_dimension_5),
        cmocka_unit_test(constructions_as_networks),
        cmocka_unit_test(generators_only),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
