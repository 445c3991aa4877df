/* Files: unreadable ones are named, written ones are whole or not there at all. */
#define _XOPEN_SOURCE 700
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ckda/doc.h"

static char folder[] = "/tmp/ckda-test-io-XXXXXX";

static const char *
in_folder(const char *name)
{
    static char path[4][256];
    static int k;
    k = (k + 1) % 4;
    snprintf(path[k], sizeof path[k], "%s/%s", folder, name);
    return path[k];
}

static void
spill(const char *path, const void *bytes, size_t len)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

static void
assert_file_is(const char *path, const char *want)
{
    char *text = NULL;
    size_t len = 0;
    assert_int_equal(ckda_file_read(&text, &len, path, NULL), CKDA_OK);
    assert_int_equal(len, strlen(want));
    assert_string_equal(text, want);
    free(text);
}

/* Every file of the folder, to show that no temporary one is left. */
static int
files_in_folder(void)
{
    int n = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *e = readdir(d); e != NULL; e = readdir(d))
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static void
open_fails(const char *path, ckda_status status, const char *part)
{
    ckda_doc *doc = NULL;
    ckda_error err = {{0}};
    assert_int_equal(ckda_doc_open(&doc, path, &err), status);
    assert_null(doc);
    if (strstr(err.text, part) == NULL || strncmp(err.text, path, strlen(path)) != 0)
        fail_msg("expected \"%s: ... %s\", got \"%s\"", path, part, err.text);
}

static void
missing_file_and_folder_are_io_errors(void **state)
{
    (void)state;
    open_fails(in_folder("none.json"), CKDA_E_IO, "No such file");
    open_fails(folder, CKDA_E_IO, "expected a file, found a folder");
    open_fails(in_folder("no/such.json"), CKDA_E_IO, "cannot be opened");
}

static void
unreadable_file_is_an_io_error(void **state)
{
    (void)state;
    const char *path = in_folder("secret.json");
    spill(path, "{}", 2);
    assert_int_equal(chmod(path, 0), 0);
    if (geteuid() != 0) /* root may read everything */
        open_fails(path, CKDA_E_IO, "Permission denied");
    unlink(path);
}

static void
empty_file_nul_byte_and_bad_utf8_are_input_errors(void **state)
{
    (void)state;
    const char *path = in_folder("bad.json");
    spill(path, "", 0);
    open_fails(path, CKDA_E_INPUT, "expected a JSON document, found nothing");
    spill(path, "{\n\"a\": \0 1}", 12);
    open_fails(path, CKDA_E_INPUT, "line 2: expected JSON text, found a NUL byte");
    spill(path, "{\"a\": \"\xfe\"}", 10);
    open_fails(path, CKDA_E_INPUT, "line 1, column 7: unable to decode byte 0xfe");
    spill(path, "{\"a\":", 5);
    open_fails(path, CKDA_E_INPUT, "line 1, column 5: ");
    unlink(path);
}

static void
good_file_opens_and_keeps_its_name(void **state)
{
    (void)state;
    const char *path = in_folder("good.json");
    spill(path, "{\"a\": 1}\n", 9);
    ckda_doc *doc = NULL;
    assert_int_equal(ckda_doc_open(&doc, path, NULL), CKDA_OK);
    ckda_node root = ckda_doc_root(doc);
    assert_string_equal(root.file, path);
    assert_true(ckda_node_has(&root, "a"));
    ckda_doc_close(&doc);
    unlink(path);
}

static void
long_file_is_read_whole(void **state)
{
    (void)state;
    const size_t n = 300000;
    const char *path = in_folder("long");
    char *bytes = malloc(n), *text = NULL;
    size_t len = 0;
    for (size_t i = 0; i < n; i++)
        bytes[i] = (char)(i * 7);
    spill(path, bytes, n);
    assert_int_equal(ckda_file_read(&text, &len, path, NULL), CKDA_OK);
    assert_int_equal(len, n);
    assert_memory_equal(text, bytes, n);
    assert_int_equal(text[n], 0);
    free(text);
    free(bytes);
    unlink(path);
}

static void
write_creates_and_replaces(void **state)
{
    (void)state;
    struct stat st;
    const char *path = in_folder("out");
    assert_int_equal(ckda_file_write(path, "first", 5, NULL), CKDA_OK);
    assert_file_is(path, "first");
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(ckda_file_write(path, "2", 1, NULL), CKDA_OK);
    assert_file_is(path, "2");
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    assert_int_equal(ckda_file_write(path, "", 0, NULL), CKDA_OK);
    assert_file_is(path, "");
    assert_int_equal(files_in_folder(), 1);
    unlink(path);
}

static void
write_follows_a_link(void **state)
{
    (void)state;
    struct stat st;
    const char *path = in_folder("real"), *way = in_folder("link");
    spill(path, "old", 3);
    assert_int_equal(symlink(path, way), 0);
    assert_int_equal(ckda_file_write(way, "new", 3, NULL), CKDA_OK);
    assert_file_is(path, "new");
    assert_int_equal(lstat(way, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    unlink(way);
    unlink(path);
}

static void
write_leaves_a_link_to_nothing_alone(void **state)
{
    (void)state;
    struct stat st;
    ckda_error err;
    const char *way = in_folder("link");
    assert_int_equal(symlink("gone", way), 0);
    assert_int_equal(ckda_file_write(way, "new", 3, &err), CKDA_E_IO);
    assert_non_null(strstr(err.text, "is a link to nothing"));
    assert_int_equal(lstat(way, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(files_in_folder(), 1);
    unlink(way);
}

static void
write_into_nowhere_is_an_io_error(void **state)
{
    (void)state;
    ckda_error err;
    assert_int_equal(ckda_file_write(in_folder("no/out"), "x", 1, &err), CKDA_E_IO);
    assert_non_null(strstr(err.text, "cannot be created: No such file"));
    assert_int_equal(ckda_file_write(folder, "x", 1, &err), CKDA_E_IO);
    assert_non_null(strstr(err.text, "found a folder"));
    assert_int_equal(files_in_folder(), 0);
}

static void
devices_are_written_to_directly(void **state)
{
    (void)state;
    struct stat st;
    ckda_error err;
    assert_int_equal(ckda_file_write("/dev/null", "x", 1, NULL), CKDA_OK);
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    if (stat("/dev/full", &st) == 0) { /* not on every system */
        assert_int_equal(ckda_file_write("/dev/full", "x", 1, &err), CKDA_E_IO);
        assert_non_null(strstr(err.text, "No space left"));
    }
}

static void
full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    const char *path = in_folder("out");
    struct rlimit old, tight;
    ckda_error err;
    char *big = calloc(1, 100000);
    spill(path, "old", 3);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    tight = old;
    tight.rlim_cur = 4096;
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    const ckda_status got = ckda_file_write(path, big, 100000, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, before);
    assert_int_equal(got, CKDA_E_IO);
    assert_non_null(strstr(err.text, "cannot be written"));
    assert_file_is(path, "old");
    assert_int_equal(files_in_folder(), 1);
    unlink(path);
    free(big);
}

static int
make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int
remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_file_and_folder_are_io_errors),
        cmocka_unit_test(unreadable_file_is_an_io_error),
        cmocka_unit_test(empty_file_nul_byte_and_bad_utf8_are_input_errors),
        cmocka_unit_test(good_file_opens_and_keeps_its_name),
        cmocka_unit_test(long_file_is_read_whole),
        cmocka_unit_test(write_creates_and_replaces),
        cmocka_unit_test(write_follows_a_link),
        cmocka_unit_test(write_leaves_a_link_to_nothing_alone),
        cmocka_unit_test(write_into_nowhere_is_an_io_error),
        cmocka_unit_test(devices_are_written_to_directly),
        cmocka_unit_test(full_disk_leaves_the_old_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
