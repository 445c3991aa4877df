/* Laws of the base room: truth tables, random ranges, messages. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ckda/memstream.h"
#include "ckda/rand.h"
#include "ckda/status.h"
#include "ckda/temporary.h"

static void
truth_and_is_kleene(void **state)
{
    (void)state;
    const ckda_truth F = CKDA_FALSE, T = CKDA_TRUE, U = CKDA_UNKNOWN;
    const ckda_truth want[3][3] = {{F, F, F}, {F, T, U}, {F, U, U}};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            assert_int_equal(ckda_truth_and((ckda_truth)a, (ckda_truth)b), want[a][b]);
}

static void
rand_is_replayable_and_in_range(void **state)
{
    (void)state;
    ckda_rand r, s;
    ckda_rand_init(&r, 1);
    ckda_rand_init(&s, 1);
    int seen[7] = {0};
    for (int i = 0; i < 1000; i++) {
        int64_t v = ckda_rand_range(&r, -3, 3);
        assert_true(v >= -3 && v <= 3);
        assert_int_equal(v, ckda_rand_range(&s, -3, 3));
        seen[v + 3]++;
    }
    for (int i = 0; i < 7; i++)
        assert_true(seen[i] > 0);
    assert_int_equal(ckda_rand_range(&r, INT64_MAX, INT64_MAX), INT64_MAX);
    (void)ckda_rand_range(&r, INT64_MIN, INT64_MAX); /* full width must not divide by 0 */
}

static void
rand_first_values_are_fixed(void **state)
{
    (void)state;
    ckda_rand r;
    ckda_rand_init(&r, 0);
    assert_int_equal(ckda_rand_u64(&r),
                     UINT64_C(0xe220a8397b1dcdaf)); /* splitmix64, seed 0 */
}

static void
error_text_is_cut_not_overrun(void **state)
{
    (void)state;
    ckda_error err;
    char longtext[3000];
    memset(longtext, 'x', sizeof longtext - 1);
    longtext[sizeof longtext - 1] = '\0';
    ckda_error_set(&err, "%s", longtext);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    ckda_error_set(&err, "expected %d", 3);
    ckda_error_prefix(&err, "a.json");
    assert_string_equal(err.text, "a.json: expected 3");
    ckda_error_set(NULL, "dropped");
}

/* ---- streams into memory ---------------------------------------------------------------- */

static void
memstream_keeps_every_byte(void **state)
{
    (void)state;
    size_t length;
    ckda_memstream m;
    ckda_memstream_open(&m);
    for (int i = 0; i < 20000; i++)
        fprintf(m.out, "%d,", i);
    char *text = ckda_memstream_close(&m, &length), *at = text;
    assert_int_equal(strlen(text), length);
    for (long i = 0; i < 20000; i++, at++)
        assert_int_equal(strtol(at, &at, 10), i);
    assert_int_equal(*at, '\0');
    free(text);
}

static void
memstream_may_be_empty_or_hold_a_nul(void **state)
{
    (void)state;
    size_t length = 9;
    ckda_memstream m;
    ckda_memstream_open(&m);
    char *text = ckda_memstream_close(&m, NULL);
    assert_string_equal(text, "");
    free(text);
    ckda_memstream_open(&m);
    fwrite("a\0b", 1, 3, m.out);
    text = ckda_memstream_close(&m, &length);
    assert_int_equal(length, 3);
    assert_memory_equal(text, "a\0b", 4);
    free(text);
}

/* ---- unfinished files ------------------------------------------------------------------- */

static void
make_file(const char *name)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fclose(f);
}

static void
unfinished_files_and_folders_are_removed(void **state)
{
    (void)state;
    char folder[] = "/tmp/ckda-base-XXXXXX", name[128], inner[128], kept[128];
    assert_non_null(mkdtemp(folder));
    snprintf(name, sizeof name, "%s/unfinished", folder);
    snprintf(inner, sizeof inner, "%s/unfinished/pictures", folder);
    snprintf(kept, sizeof kept, "%s/kept", folder);
    assert_int_equal(mkdir(name, 0700), 0);
    assert_int_equal(mkdir(inner, 0700), 0);
    for (int i = 0; i < 200; i++) {
        char file[192];
        snprintf(file, sizeof file, "%s/picture%d", inner, i);
        make_file(file);
    }
    make_file(kept);
    const int ticket = ckda_temporary_add(kept);
    assert_true(ckda_temporary_add(name) >= 0);
    ckda_temporary_forget(ticket);
    ckda_temporary_forget(-1);
    ckda_temporary_remove_all();
    assert_int_equal(access(name, F_OK), -1);
    assert_int_equal(access(kept, F_OK), 0);
    unlink(kept);
    assert_int_equal(rmdir(folder), 0);
}

static void
places_for_unfinished_files_run_out(void **state)
{
    (void)state;
    int ticket[80], got = 0;
    for (int i = 0; i < 80; i++)
        got += (ticket[i] = ckda_temporary_add("/nonexistent/ckda")) >= 0;
    assert_int_equal(got, 64);
    for (int i = 0; i < 80; i++)
        ckda_temporary_forget(ticket[i]);
    const int again = ckda_temporary_add("/nonexistent/ckda");
    assert_true(again >= 0);
    ckda_temporary_forget(again);
}

static void
a_link_to_a_folder_is_removed_alone(void **state)
{
    (void)state;
    char folder[] = "/tmp/ckda-base-XXXXXX", link[128], file[128];
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/file", folder);
    snprintf(link, sizeof link, "%s.link", folder);
    make_file(file);
    assert_int_equal(symlink(folder, link), 0);
    assert_true(ckda_temporary_add(link) >= 0);
    ckda_temporary_remove_all();
    assert_int_equal(access(link, F_OK), -1);
    assert_int_equal(access(file, F_OK), 0);
    unlink(file);
    rmdir(folder);
}

/* ---- memory ----------------------------------------------------------------------------- */

static void
leave_with_seven(void)
{
    _exit(7);
}

static int
status_without_memory(void (*end)(void))
{
    int status = 0;
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        signal(SIGABRT, SIG_DFL);
        close(STDERR_FILENO);
        ckda_on_out_of_memory(end);
        ckda_require_memory(1 > 2);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void
without_memory_the_program_chooses_its_end(void **state)
{
    (void)state;
    int status = status_without_memory(leave_with_seven);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 7);
    status = status_without_memory(NULL);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truth_and_is_kleene),
        cmocka_unit_test(rand_is_replayable_and_in_range),
        cmocka_unit_test(rand_first_values_are_fixed),
        cmocka_unit_test(error_text_is_cut_not_overrun),
        cmocka_unit_test(memstream_keeps_every_byte),
        cmocka_unit_test(memstream_may_be_empty_or_hold_a_nul),
        cmocka_unit_test(unfinished_files_and_folders_are_removed),
        cmocka_unit_test(places_for_unfinished_files_run_out),
        cmocka_unit_test(a_link_to_a_folder_is_removed_alone),
        cmocka_unit_test(without_memory_the_program_chooses_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
