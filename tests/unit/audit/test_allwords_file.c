/* The all-words search saved to a file and resumed from it. */
#include "allwords_fixture.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "ckda/save.h"

static char path[64];

static int
name_file(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "allwords-test-%ld.bin", (long)getpid());
    return 0;
}

static int
remove_file(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

static void
resuming_gives_what_an_uninterrupted_search_gives(void **state)
{
    (void)state;
    tracked x;
    ckda_allwords_t whole, part;
    ckda_allwords_options o = {.methods = CKDA_ALLWORDS_PRODUCT, .threads = 1};
    open_deep(&x);
    decide(whole, &x, &o);
    assert_int_equal(whole->verdict, CKDA_ALLWORDS_TRACKS);
    o.checkpoint = path;
    o.checkpoint_seconds = 1e9;
    for (uint64_t cap = 10; cap < 4398; cap = cap * 2 + 7) {
        o.limits.max_states = cap;
        decide(part, &x, &o); /* goes on from the last one */
        assert_string_equal(part->limit, "states");
        assert_int_equal(part->states, cap);
        ckda_allwords_clear(part);
        o.resume = path;
    }
    o.limits.max_states = 0;
    decide(part, &x, &o);
    expect_same(whole, part);
    ckda_allwords_clear(whole);
    ckda_allwords_clear(part);
    close_tracked(&x);
}

static void
resuming_finds_the_same_failure(void **state)
{
    (void)state;
    const ckda_arith a = grid_of(7, &ckda_fp_fp32);
    tracked x;
    ckda_allwords_t whole, part;
    ckda_allwords_options o = {.methods = CKDA_ALLWORDS_PRODUCT, .threads = 1};
    open_tracked(&x, "Z5", "planar", &a);
    decide(whole, &x, &o);
    assert_int_equal(whole->verdict, CKDA_ALLWORDS_FAILS);
    o.checkpoint = path;
    o.limits.max_states = whole->states / 2;
    decide(part, &x, &o);
    assert_int_equal(part->verdict, CKDA_ALLWORDS_UNDECIDED);
    ckda_allwords_clear(part);
    o.limits.max_states = 0;
    o.resume = path;
    o.checkpoint = NULL;
    decide(part, &x, &o);
    expect_same(whole, part);
    ckda_allwords_clear(whole);
    ckda_allwords_clear(part);
    close_tracked(&x);
}

/* Saved at every pause: the last file is one of an unfinished search, and goes on. */
static void
a_search_that_is_killed_goes_on_from_the_last_save(void **state)
{
    (void)state;
    tracked x;
    ckda_allwords_t whole, part;
    ckda_allwords_options o = {.methods = CKDA_ALLWORDS_PRODUCT,
                               .threads = 1,
                               .checkpoint = path,
                               .checkpoint_seconds = 0};
    open_deep(&x);
    decide(whole, &x, &o); /* the file that stays is what a kill would have left */
    o.checkpoint = NULL;
    o.resume = path;
    decide(part, &x, &o);
    expect_same(whole, part);
    ckda_allwords_clear(whole);
    ckda_allwords_clear(part);
    close_tracked(&x);
}

static void
save_some(const tracked *x)
{
    ckda_allwords_t r;
    const ckda_allwords_options o = {.methods = CKDA_ALLWORDS_PRODUCT,
                                     .threads = 1,
                                     .limits = {.max_states = 300},
                                     .checkpoint = path,
                                     .checkpoint_seconds = 1e9};
    decide(r, x, &o);
    ckda_allwords_clear(r);
}

/* The file is refused with this text, and the result is left alone. */
static void
expect_refused(const tracked *x, ckda_status status, const char *text)
{
    ckda_allwords_t r;
    ckda_error err;
    ckda_error_clear(&err);
    memset(r, 0x55, sizeof r);
    const ckda_allwords_struct before = *r;
    const ckda_allwords_options o = {.threads = 1, .resume = path};
    assert_int_equal(ckda_allwords_run(r, x->R, x->t, &o, &err), status);
    assert_memory_equal(r, &before, sizeof before);
    if (strstr(err.text, text) == NULL || strstr(err.text, path) == NULL)
        fail_msg("'%s' does not name the file and '%s'", err.text, text);
}

static char *
file_bytes(long *size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *size = ftell(f);
    rewind(f);
    char *bytes = malloc((size_t)*size + 1);
    assert_int_equal(fread(bytes, 1, (size_t)*size, f), *size);
    fclose(f);
    return bytes;
}

static void
write_bytes(const char *bytes, long size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, (size_t)size, f), size);
    fclose(f);
}

static void
a_missing_file_is_an_error_of_the_system(void **state)
{
    (void)state;
    tracked x;
    open_deep(&x);
    unlink(path);
    expect_refused(&x, CKDA_E_IO, "cannot be opened");
    close_tracked(&x);
}

static void
a_file_of_another_arithmetic_is_refused_by_name(void **state)
{
    (void)state;
    tracked x, y;
    const ckda_arith other = arith_of(&ckda_fp_bf16, &ckda_fp_bf16, &ckda_fp_fp32, false);
    open_deep(&x);
    save_some(&x);
    open_tracked(&y, "Z4", "planar", &other);
    expect_refused(&y, CKDA_E_INPUT, "expected Z4 by planar");
    close_tracked(&y);
    open_tracked(&y, "Z8", "planar", &x.R->arith);
    expect_refused(&y, CKDA_E_INPUT, "found Z4 by planar");
    close_tracked(&y);
    close_tracked(&x);
}

static void
a_file_cut_short_is_refused_at_every_length(void **state)
{
    (void)state;
    tracked x;
    long size;
    open_deep(&x);
    save_some(&x);
    char *bytes = file_bytes(&size);
    for (long keep = 0; keep < size; keep += 1 + size / 40) {
        write_bytes(bytes, keep);
        expect_refused(&x, CKDA_E_INPUT, "expected");
    }
    bytes[size] = 0;
    write_bytes(bytes, size + 1);
    expect_refused(&x, CKDA_E_INPUT, "the sum that closes the file");
    free(bytes);
    close_tracked(&x);
}

static void
a_changed_byte_is_noticed_wherever_it_stands(void **state)
{
    (void)state;
    tracked x;
    long size;
    open_deep(&x);
    save_some(&x);
    char *bytes = file_bytes(&size);
    for (long at = 0; at < size; at += 1 + size / 60) {
        bytes[at] ^= 1;
        write_bytes(bytes, size);
        expect_refused(&x, CKDA_E_INPUT, "expected");
        bytes[at] ^= 1;
    }
    write_bytes(bytes, size);
    ckda_allwords_t r;
    const ckda_allwords_options o = {.threads = 1, .resume = path};
    decide(r, &x, &o);
    assert_int_equal(r->states, 4398);
    ckda_allwords_clear(r);
    free(bytes);
    close_tracked(&x);
}

/* The file with other seconds and its own good sum. */
static void
save_with_seconds(double seconds)
{
    enum { SECONDS = 584 }; /* behind the question, the counters and the error */
    static const char kind[8] = {'a', 'l', 'l', 'w', 'o', 'r', 'd', 's'};
    ckda_load *from;
    ckda_save *to;
    assert_int_equal(ckda_load_open(&from, path, kind, 2, "a search", NULL), CKDA_OK);
    const size_t size = (size_t)ckda_load_left(from);
    char *body = malloc(size);
    assert_true(ckda_load_get(from, body, size));
    ckda_load_close(&from);
    memcpy(body + SECONDS, &seconds, sizeof seconds);
    assert_int_equal(ckda_save_open(&to, path, kind, 2, NULL), CKDA_OK);
    ckda_save_put(to, body, size);
    assert_int_equal(ckda_save_close(&to, NULL), CKDA_OK);
    free(body);
}

/* They would be shown, and JSON has no such numbers. */
static void
a_time_that_is_none_is_refused(void **state)
{
    static const double wrong[] = {-1, (double)INFINITY, (double)NAN};
    (void)state;
    tracked x;
    open_deep(&x);
    save_some(&x);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        save_with_seconds(wrong[i]);
        expect_refused(&x, CKDA_E_INPUT, "found a time that is none");
    }
    save_with_seconds(3);
    ckda_allwords_t r;
    const ckda_allwords_options o = {.threads = 1, .resume = path};
    decide(r, &x, &o);
    assert_true(r->seconds >= 3 && r->seconds < 100);
    ckda_allwords_clear(r);
    close_tracked(&x);
}

static void
text_is_no_checkpoint(void **state)
{
    (void)state;
    tracked x;
    char junk[2000];
    memset(junk, 'x', sizeof junk);
    open_deep(&x);
    write_bytes(junk, sizeof junk);
    expect_refused(&x, CKDA_E_INPUT, "another kind of file");
    close_tracked(&x);
}

static void
a_checkpoint_into_no_folder_is_an_error(void **state)
{
    (void)state;
    tracked x;
    ckda_allwords_t r;
    ckda_error err;
    ckda_error_clear(&err);
    const ckda_allwords_options o = {
        .threads = 1, .checkpoint = "no-such-folder/search.bin", .checkpoint_seconds = 0};
    open_deep(&x);
    assert_int_equal(ckda_allwords_run(r, x.R, x.t, &o, &err), CKDA_E_IO);
    assert_non_null(strstr(err.text, "no-such-folder/search.bin"));
    close_tracked(&x);
}

static void
a_smaller_limit_than_the_file_is_told(void **state)
{
    (void)state;
    tracked x;
    ckda_allwords_t r;
    ckda_error err;
    ckda_error_clear(&err);
    const ckda_allwords_options o = {
        .threads = 1, .resume = path, .limits = {.max_states = 100}};
    open_deep(&x);
    save_some(&x);
    assert_int_equal(ckda_allwords_run(r, x.R, x.t, &o, &err), CKDA_E_UNABLE);
    assert_non_null(strstr(err.text, "300 states"));
    close_tracked(&x);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(resuming_gives_what_an_uninterrupted_search_gives,
                                  remove_file),
        cmocka_unit_test_teardown(resuming_finds_the_same_failure, remove_file),
        cmocka_unit_test_teardown(a_search_that_is_killed_goes_on_from_the_last_save,
                                  remove_file),
        cmocka_unit_test_teardown(a_missing_file_is_an_error_of_the_system, remove_file),
        cmocka_unit_test_teardown(a_file_of_another_arithmetic_is_refused_by_name,
                                  remove_file),
        cmocka_unit_test_teardown(a_file_cut_short_is_refused_at_every_length,
                                  remove_file),
        cmocka_unit_test_teardown(a_changed_byte_is_noticed_wherever_it_stands,
                                  remove_file),
        cmocka_unit_test_teardown(a_time_that_is_none_is_refused, remove_file),
        cmocka_unit_test_teardown(text_is_no_checkpoint, remove_file),
        cmocka_unit_test_teardown(a_checkpoint_into_no_folder_is_an_error, remove_file),
        cmocka_unit_test_teardown(a_smaller_limit_than_the_file_is_told, remove_file),
    };
    return cmocka_run_group_tests(tests, name_file, NULL);
}
