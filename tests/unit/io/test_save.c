/* Files that end in their own sum: written whole or not at all, refused when damaged. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ckda/save.h"

static const char kind[8] = {'t', 'e', 's', 't'};
static char path[64];

static int
name_file(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "test-save-%ld.tmpfile", (long)getpid());
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
write_numbers(uint32_t count)
{
    ckda_save *s;
    ckda_error err;
    assert_int_equal(ckda_save_open(&s, path, kind, 3, &err), CKDA_OK);
    for (uint32_t i = 0; i < count; i++)
        ckda_save_put(s, &i, sizeof i);
    ckda_save_put(s, NULL, 0);
    assert_int_equal(ckda_save_close(&s, &err), CKDA_OK);
    assert_null(s);
}

static ckda_status
open_it(ckda_load **l, const char *k, uint32_t version, ckda_error *err)
{
    return ckda_load_open(l, path, k, version, "a test file", err);
}

static void
what_was_put_comes_back(void **state)
{
    (void)state;
    static const uint32_t counts[] = {0, 1, 100, 100000};
    for (size_t k = 0; k < 4; k++) {
        ckda_load *l;
        ckda_error err;
        uint32_t x;
        write_numbers(counts[k]);
        assert_int_equal(open_it(&l, kind, 3, &err), CKDA_OK);
        assert_int_equal(ckda_load_left(l), 4 * counts[k]);
        for (uint32_t i = 0; i < counts[k]; i++) {
            assert_true(ckda_load_get(l, &x, sizeof x));
            assert_int_equal(x, i);
        }
        assert_int_equal(ckda_load_left(l), 0);
        assert_false(ckda_load_get(l, &x, 1));
        assert_true(ckda_load_get(l, &x, 0));
        ckda_load_close(&l);
        assert_null(l);
    }
}

static void
refuse(const char *k, uint32_t version, const char *part)
{
    ckda_load *l = NULL;
    ckda_error err;
    assert_int_equal(open_it(&l, k, version, &err), CKDA_E_INPUT);
    assert_null(l);
    if (strstr(err.text, part) == NULL || strstr(err.text, path) == NULL)
        fail_msg("expected \"%s\" in: %s", part, err.text);
}

static void
other_kinds_and_versions_are_refused(void **state)
{
    (void)state;
    write_numbers(10);
    refuse("another ", 3, "another kind");
    refuse(kind, 4, "expected version 4 of the format, found version 3");
}

static void
every_damaged_byte_and_every_cut_is_noticed(void **state)
{
    (void)state;
    unsigned char bytes[256];
    write_numbers(10);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    const size_t size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    assert_int_equal(size, 24 + 40 + 8);
    for (size_t at = 0; at < 2 * size; at++) {
        f = fopen(path, "wb");
        assert_non_null(f);
        if (at < size)
            bytes[at] ^= 4;
        assert_int_equal(fwrite(bytes, 1, at < size ? size : at - size, f),
                         at < size ? size : at - size);
        if (at < size)
            bytes[at] ^= 4;
        fclose(f);
        refuse(kind, 3, "expected");
    }
}

static void
old_file_stands_until_the_new_one_is_whole(void **state)
{
    (void)state;
    ckda_save *s;
    ckda_load *l;
    ckda_error err;
    write_numbers(5);
    assert_int_equal(ckda_save_open(&s, path, kind, 3, &err), CKDA_OK);
    ckda_save_put(s, "new", 3);
    assert_int_equal(open_it(&l, kind, 3, &err), CKDA_OK);
    assert_int_equal(ckda_load_left(l), 20);
    ckda_load_close(&l);
    assert_int_equal(ckda_save_close(&s, &err), CKDA_OK);
    assert_int_equal(open_it(&l, kind, 3, &err), CKDA_OK);
    assert_int_equal(ckda_load_left(l), 3);
    ckda_load_close(&l);
}

static void
files_that_cannot_be_made_or_read_are_errors(void **state)
{
    (void)state;
    ckda_save *s = NULL;
    ckda_load *l = NULL;
    ckda_error err;
    assert_int_equal(ckda_save_open(&s, "/nonexistent/x", kind, 3, &err), CKDA_E_IO);
    assert_null(s);
    assert_non_null(strstr(err.text, "/nonexistent/x: cannot be created"));
    assert_int_equal(ckda_load_open(&l, "/nonexistent/x", kind, 3, "a test file", &err),
                     CKDA_E_IO);
    assert_int_equal(ckda_load_open(&l, "/", kind, 3, "a test file", &err), CKDA_E_INPUT);
    assert_null(l);
}

/* Takes the place of a folder: the rename fails, the temporary file is gone. */
static void
failed_save_leaves_nothing(void **state)
{
    (void)state;
    ckda_save *s;
    ckda_error err;
    char name[64], inside[128], temporary[160];
    snprintf(name, sizeof name, "test-save-%ld.folder", (long)getpid());
    snprintf(inside, sizeof inside, "%s/x", name);
    snprintf(temporary, sizeof temporary, "%s.%ld.tmp", name, (long)getpid());
    assert_int_equal(mkdir(name, 0700), 0);
    assert_int_equal(mkdir(inside, 0700), 0);
    assert_int_equal(ckda_save_open(&s, name, kind, 3, &err), CKDA_OK);
    ckda_save_put(s, "new", 3);
    assert_int_equal(access(temporary, F_OK), 0);
    assert_int_equal(ckda_save_close(&s, &err), CKDA_E_IO);
    assert_null(s);
    assert_int_equal(access(temporary, F_OK), -1);
    assert_non_null(strstr(err.text, "cannot be written"));
    assert_int_equal(rmdir(inside), 0);
    assert_int_equal(rmdir(name), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_put_comes_back),
        cmocka_unit_test(other_kinds_and_versions_are_refused),
        cmocka_unit_test(every_damaged_byte_and_every_cut_is_noticed),
        cmocka_unit_test(old_file_stands_until_the_new_one_is_whole),
        cmocka_unit_test(files_that_cannot_be_made_or_read_are_errors),
        cmocka_unit_test(failed_save_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, name_file, remove_file);
}
