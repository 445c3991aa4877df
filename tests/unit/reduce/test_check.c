/* The verifier refuses every damaged part of a reduction. */
#include "systems.h"
#include "../../../src/reduce/reduce_internal.h"

typedef struct {
    small_system s;
    ckda_group_t G;
    uint32_t element[2];
    ckda_reduction_t red;
} sound;

static int
setup(void **state)
{
    sound *f = malloc(sizeof *f);
    square_open(&f->s);
    square_decoder(&f->s, f->G, f->element);
    reduce_one(f->red, f->s.sys);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    sound *f = *state;
    ckda_reduction_clear(f->red);
    ckda_group_clear(f->G);
    small_close(&f->s);
    free(f);
    return 0;
}

static void
refused(sound *f, const char *part)
{
    const ckda_heads heads = {f->s.sys, 1};
    ckda_error err;
    ckda_error_clear(&err);
    assert_int_equal(ckda_reduction_check(NULL, f->red, &heads, NULL, &err), CKDA_FALSE);
    expect_text(err.text, part);
}

static void
sound_reduction_is_verified(void **state)
{
    sound *f = *state;
    verify_one(f->red, f->s.sys, 1);
}

static void
letter_that_is_no_restriction(void **state)
{
    sound *f = *state;
    ckda_mat_set_entry_si(f->red->head[0].letter, 0, 0, 1, f->s.K);
    refused(f, "A basis = basis letter");
}

static void
gram_that_is_not_the_basis_squared(void **state)
{
    sound *f = *state;
    ckda_mat_set_entry_si(f->red->head[0].gram, 1, 1, 4, f->s.K);
    refused(f, "the basis is orthogonal");
}

static void
basis_outside_the_invariant_subspace(void **state)
{
    sound *f = *state;
    ckda_mat_set_entry_si(f->red->head[0].basis, 0, 0, 0, f->s.K);
    ckda_mat_set_entry_si(f->red->head[0].basis, 2, 0, 1, f->s.K);
    refused(f, "A basis = basis letter");
}

static void
start_elsewhere(void **state)
{
    sound *f = *state;
    ckda_mat_set_entry_si(f->red->head[0].initial, 0, 0, 17, f->s.K);
    refused(f, "T_z(S0) = centre + basis initial");
}

/* Start moved with the centre, so that only the fixed point is wrong. */
static void
centre_that_is_not_fixed(void **state)
{
    sound *f = *state;
    ckda_reduced_head *t = f->red->head;
    ckda_mat_t shift, moved;
    ckda_mat_init(shift, t->r, t->m, f->s.K);
    ckda_mat_init(moved, t->n, t->m, f->s.K);
    ckda_mat_set_entry_si(shift, 0, 0, 1, f->s.K);
    must(ckda_mat_mul(moved, t->basis, shift, f->s.K));
    must(ckda_mat_add(t->centre, t->centre, moved, f->s.K));
    must(ckda_mat_sub(t->initial, t->initial, shift, f->s.K));
    ckda_mat_clear(moved, f->s.K);
    ckda_mat_clear(shift, f->s.K);
    refused(f, "fixes the centre");
}

static void
word_that_is_not_idempotent(void **state)
{
    sound *f = *state;
    f->red->power = 1;
    refused(f, "idempotent");
}

static void
letter_beyond_the_alphabet(void **state)
{
    sound *f = *state;
    f->red->word[0] = 2;
    refused(f, "shapes of the result");
}

static void
identity_word_does_not_forget(void **state)
{
    sound *f = *state;
    f->red->nword = 0;
    refused(f, "as many states as the tracker");
}

static void
wrong_numbers(void **state)
{
    sound *f = *state;
    f->red->states++;
    refused(f, "reachable states");
    f->red->states--;
    f->red->span++;
    refused(f, "V has the dimension");
    f->red->span--;
    f->red->core--;
    refused(f, "the image of E has the dimension");
    f->red->core++;
    f->red->decoded--;
    refused(f, "elements are decoded");
    f->red->decoded++;
    verify_one(f->red, f->s.sys, 1);
}

static void
another_system(void **state)
{
    sound *f = *state;
    assert_int_equal(ckda_group_parse(&f->element[1], f->G, "(1,2,3,4)", NULL), CKDA_OK);
    refused(f, "the system decodes rightly");
}

static void
heads_of_another_shape(void **state)
{
    sound *f = *state;
    const ckda_system_struct two[2] = {*f->s.sys, *f->s.sys};
    const ckda_heads heads = {two, 2};
    ckda_error err;
    assert_int_equal(ckda_reduction_check(NULL, f->red, &heads, NULL, &err), CKDA_FALSE);
    expect_text(err.text, "shapes of the result");
}

static void
limit_leaves_it_undecided(void **state)
{
    sound *f = *state;
    static const ckda_limits few = {.max_states = 5};
    const ckda_heads heads = {f->s.sys, 1};
    ckda_error err;
    assert_int_equal(ckda_reduction_check(NULL, f->red, &heads, &few, &err),
                     CKDA_UNKNOWN);
    expect_text(err.text, "the system's states");
}

#define case_of(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        case_of(sound_reduction_is_verified),
        case_of(letter_that_is_no_restriction),
        case_of(gram_that_is_not_the_basis_squared),
        case_of(basis_outside_the_invariant_subspace),
        case_of(start_elsewhere),
        case_of(centre_that_is_not_fixed),
        case_of(word_that_is_not_idempotent),
        case_of(letter_beyond_the_alphabet),
        case_of(identity_word_does_not_forget),
        case_of(wrong_numbers),
        case_of(another_system),
        case_of(heads_of_another_shape),
        case_of(limit_leaves_it_undecided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
