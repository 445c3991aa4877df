/* Groups given by generators. */
#include "read_text.h"

static void
group_of_the_contract_is_s5(void **state)
{
    (void)state;
    ckda_input_t in;
    /* (1,2) and (1,2,3,4,5) generate S5 */
    read_text(in,
              "{\"group\": {\"generators\": {\"a\": \"(1,2)\", \"b\": \"(1,2,3,4,5)\"}, "
              "\"letters\": \"all\"}}");
    assert_int_equal(in->kind, CKDA_INPUT_GROUP);
    assert_int_equal(in->n, 5);
    assert_int_equal(in->G->order, 120);
    assert_true(in->all_letters);
    assert_string_equal(in->G->genname[0], "a");
    assert_string_equal(in->G->genname[1], "b");
    ckda_input_clear(in);
}

static void
cycles_and_image_lists_mean_the_same(void **state)
{
    (void)state;
    ckda_input_t in;
    read_text(in, "{\"group\": {\"name\": \"mine\", \"generators\": {\"a\": \"(1,2,3)\", "
                  "\"b\": [1, "
                  "2, 0], \"c\": \"[1,2,0]\"}, \"letters\": \"generators\"}}");
    assert_int_equal(in->G->order, 3);
    assert_false(in->all_letters);
    assert_string_equal(in->G->name, "mine");
    assert_int_equal(in->G->ngen, 3);
    assert_int_equal(in->G->generator[0], in->G->generator[1]);
    assert_int_equal(in->G->generator[0], in->G->generator[2]);
    ckda_input_clear(in);
}

static void
degree_is_the_largest_point_of_all(void **state)
{
    (void)state;
    ckda_input_t in;
    read_text(in, "{\"group\": {\"generators\": {\"a\": \"(1,2)\", \"b\": \"(3,12)\"}}}");
    assert_int_equal(in->n, 12);
    assert_int_equal(in->G->order, 4);
    assert_true(in->all_letters); /* the default */
    ckda_input_clear(in);
    read_text(in, "{\"group\": {\"generators\": {\"e\": \"()\"}}}");
    assert_int_equal(in->n, 1);
    assert_int_equal(in->G->order, 1);
    ckda_input_clear(in);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(group_of_the_contract_is_s5),
        cmocka_unit_test(cycles_and_image_lists_mean_the_same),
        cmocka_unit_test(degree_is_the_largest_point_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
