/* Constructions from transitions that were chosen elsewhere, and of groups on other points. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "ckda/construct.h"

static void
open_construction(ckda_construction_t c, const char *system, const char *name)
{
    ckda_error err;
    if (ckda_construct(c, system, name, &err) != CKDA_OK)
        fail_msg("%s %s: %s", system, name, err.text);
}

/* Copies of what `given' takes over. */
static ckda_trans_struct *
copy(ckda_group_t G, ckda_field_t K, const ckda_construction_t c, const char *system)
{
    ckda_trans_struct *t = flint_malloc(c->G->order * sizeof *t);
    assert_int_equal(ckda_group_init_named(G, system, NULL), CKDA_OK);
    ckda_field_init_set(K, c->K);
    for (uint32_t g = 0; g < c->G->order; g++)
        ckda_trans_init_set(t + g, c->trans + g, K);
    return t;
}

static void
drop(ckda_group_t G, ckda_field_t K, ckda_trans_struct *t)
{
    for (uint32_t g = 0; g < G->order; g++)
        ckda_trans_clear(t + g, K);
    flint_free(t);
    ckda_group_clear(G);
    ckda_field_clear(K);
}

static void
matrices_come_from_the_transitions(void **state)
{
    static const struct {
        const char *system, *construction;
    } cases[] = {
        {"Z5", "planar"}, {"D4", "planar"}, {"S4", "cube"}, {"A4", "quaternion"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ckda_construction_t c, d;
        ckda_group_t G;
        ckda_field_t K;
        ckda_error err;
        open_construction(c, cases[i].system, cases[i].construction);
        ckda_trans_struct *t = copy(G, K, c, cases[i].system);
        assert_int_equal(ckda_construct_given(d, "given", G, K, t, c->decoder, &err),
                         CKDA_OK);
        assert_null(G->element);
        assert_string_equal(d->name, "given");
        assert_int_equal(d->n, c->n);
        for (uint32_t g = 0; g < c->G->order; g++) {
            assert_int_equal(ckda_mat_equal(NULL, c->matrix + g, d->matrix + g, c->K),
                             CKDA_TRUE);
            assert_int_equal(ckda_mat_equal(NULL, c->rotation + g, d->rotation + g, c->K),
                             CKDA_TRUE);
        }
        ckda_construct_clear(d);
        ckda_construct_clear(c);
    }
}

/* The message of a refusal, which leaves everything alone. */
static void
refused(ckda_group_t G, ckda_field_t K, ckda_trans_struct *t, ckda_decoder decoder,
        const char *text)
{
    ckda_construction_t d;
    ckda_error err;
    ckda_error_clear(&err);
    assert_int_equal(ckda_construct_given(d, "given", G, K, t, decoder, &err),
                     CKDA_E_DOMAIN);
    if (strstr(err.text, text) == NULL)
        fail_msg("%s", err.text);
    assert_non_null(G->element);
    drop(G, K, t);
}

static void
ranges_are_checked(void **state)
{
    (void)state;
    ckda_construction_t c;
    ckda_group_t G;
    ckda_field_t K;
    open_construction(c, "D3", "planar");
    ckda_trans_struct *t = copy(G, K, c, "D3");
    ckda_elem_set_si(t[2].beta, 3, K);
    refused(G, K, t, CKDA_DECODE_STATE, "beta");
    t = copy(G, K, c, "D3");
    ckda_elem_set_si(t[0].gate + 1, 2, K);
    refused(G, K, t, CKDA_DECODE_STATE, "(): gate[1]");
    t = copy(G, K, c, "D3");
    refused(G, K, t, CKDA_DECODE_F, "expected dimension 4 for rotations, found 2");
    t = copy(G, K, c, "D3");
    ckda_trans_clear(t + 1, K);
    ckda_trans_init(t + 1, CKDA_CKDA, 3, 1, K);
    refused(G, K, t, CKDA_DECODE_STATE, "expected dimension 2 like the others, found 3");
    ckda_construct_clear(c);
}

static void
cyclic_and_dihedral_groups_on_any_points(void **state)
{
    (void)state;
    ckda_group_t G;
    ckda_construction_t c;
    ckda_error err;
    ckda_perm gens[2];
    static const char *const names[] = {"r", "s"};
    /* Z_6 on five points, D_6 on five */
    assert_int_equal(ckda_perm_parse(&gens[0], 5, "(1,2,3)(4,5)", &err), CKDA_OK);
    assert_int_equal(ckda_perm_parse(&gens[1], 5, "(2,3)", &err), CKDA_OK);
    assert_int_equal(ckda_group_init_generated(G, "G", gens, names, 1, 100, &err),
                     CKDA_OK);
    assert_int_equal(ckda_construct_axial(c, G, 'Z', "cube", &err), CKDA_E_INPUT);
    assert_int_equal(ckda_construct_axial(c, G, 'Z', NULL, &err), CKDA_OK);
    assert_string_equal(c->name, "planar");
    assert_int_equal(c->G->order, 6);
    ckda_construct_clear(c);
    assert_int_equal(ckda_group_init_generated(G, "G", gens, names, 2, 100, &err),
                     CKDA_OK);
    assert_int_equal(ckda_construct_axial(c, G, 'D', "quaternion", &err), CKDA_OK);
    assert_int_equal(c->G->order, 12);
    assert_int_equal(c->n, 4);
    ckda_construct_clear(c);
}

static void
decoders_have_names(void **state)
{
    (void)state;
    assert_string_equal(ckda_decoder_name(CKDA_DECODE_STATE), "state");
    assert_string_equal(ckda_decoder_name(CKDA_DECODE_F), "rotation");
    assert_null(ckda_decoder_name(CKDA_DECODE_WORD));
}

static int
finish(void **state)
{
    (void)state;
    flint_cleanup();
    mpfr_free_cache();
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_come_from_the_transitions),
        cmocka_unit_test(ranges_are_checked),
        cmocka_unit_test(cyclic_and_dihedral_groups_on_any_points),
        cmocka_unit_test(decoders_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
