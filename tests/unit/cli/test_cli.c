/* Helpers of the command line: guesses and option values. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "ckda/ledger_net.h"
#include "cli.h"
#include "steps.h"
#include "verification.h"

/* The helpers do not need a ledger, but stand in one library with commands that do. */
ckda_status
ckda_ledger_open(ckda_ledger **ledger, ckda_error *err)
{
    return ckda_ledger_open_documents(ledger, NULL, 0, NULL, 0, err);
}

ckda_status
ckda_ledger_network(ckda_net **net, const ckda_node *at, ckda_error *err)
{
    (void)net;
    return ckda_node_fail(at, err, "a ledger with networks", NULL);
}

static void
distance_counts_edits(void **state)
{
    (void)state;
    assert_int_equal(cli_distance("verify", "verify"), 0);
    assert_int_equal(cli_distance("verify", "verfy"), 1);
    assert_int_equal(cli_distance("verify", "verrify"), 1);
    assert_int_equal(cli_distance("verify", "werify"), 1);
    assert_int_equal(cli_distance("verify", "vreify"), 1);
    assert_int_equal(cli_distance("", "abc"), 3);
    assert_int_equal(cli_distance("abc", ""), 3);
}

static void
distance_of_long_words_stays_in_bounds(void **state)
{
    (void)state;
    char a[500], b[500];
    memset(a, 'a', sizeof a - 1);
    memset(b, 'b', sizeof b - 1);
    a[sizeof a - 1] = b[sizeof b - 1] = '\0';
    assert_int_equal(cli_distance(a, a), 0);
    assert_true(cli_distance(a, b) > 0);
}

static const char *
guess(const char *typed)
{
    static const char *const words[] = {"list", "explain", "verify", "reach"};
    cli_guess g;
    cli_guess_init(&g, typed);
    for (size_t i = 0; i < 4; i++)
        cli_guess_add(&g, words[i]);
    return cli_guess_text(&g);
}

static void
near_words_are_guessed(void **state)
{
    (void)state;
    assert_string_equal(guess("verfiy"), "; did you mean 'verify'?");
    assert_string_equal(guess("lsit"), "; did you mean 'list'?");
}

static void
far_words_are_not_guessed(void **state)
{
    (void)state;
    assert_string_equal(guess("transmogrify"), "");
    assert_string_equal(guess("zzzz"), "");
    assert_string_equal(guess(""), "");
}

static void
counts(void **state)
{
    (void)state;
    uint64_t n = 7;
    assert_true(cli_read_count(&n, "0"));
    assert_int_equal(n, 0);
    assert_true(cli_read_count(&n, "18446744073709551615"));
    assert_true(n == UINT64_MAX);
    n = 7;
    static const char *const wrong[] = {
        "", "-1", "+1", " 1", "1 ", "1k", "0x10", "1.0", "x", "18446744073709551616"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(cli_read_count(&n, wrong[i]));
    assert_int_equal(n, 7);
}

static void
sizes(void **state)
{
    (void)state;
    uint64_t n = 7;
    assert_true(cli_read_size(&n, "512"));
    assert_int_equal(n, 512);
    assert_true(cli_read_size(&n, "64M"));
    assert_int_equal(n, UINT64_C(64) << 20);
    assert_true(cli_read_size(&n, "2g"));
    assert_int_equal(n, UINT64_C(2) << 30);
    assert_true(cli_read_size(&n, "3KiB"));
    assert_int_equal(n, 3072);
    n = 7;
    static const char *const wrong[] = {"",    "M",  "-1M",         "1.5G",
                                        "1MM", "1X", "99999999999T"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(cli_read_size(&n, wrong[i]));
    assert_int_equal(n, 7);
}

static void
times(void **state)
{
    (void)state;
    double t = 7;
    assert_true(cli_read_seconds(&t, "10"));
    assert_true(t == 10);
    assert_true(cli_read_seconds(&t, "1.5"));
    assert_true(t == 1.5);
    assert_true(cli_read_seconds(&t, "5m"));
    assert_true(t == 300);
    assert_true(cli_read_seconds(&t, "1h"));
    assert_true(t == 3600);
    t = 7;
    static const char *const wrong[] = {"", "-1", "s", "1d", "1sm", "inf", "nan", "1e9"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(cli_read_seconds(&t, wrong[i]));
    assert_true(t == 7);
}

static void
systems_are_guessed(void **state)
{
    (void)state;
    assert_string_equal(cli_system_guess("z_5"), "; did you mean 'Z5'?");
    assert_string_equal(cli_system_guess("s4"), "; did you mean 'S4'?");
    assert_string_equal(cli_system_guess("A5"), ""); /* a name */
    assert_string_equal(cli_system_guess("/"), "");  /* is there */
    assert_string_equal(cli_system_guess("monster"), "");
}

static void
guess_is_added_to_a_message(void **state)
{
    (void)state;
    ckda_error err;
    ckda_error_set(&err, "no z_5");
    cli_guess_system(&err, "z_5");
    assert_string_equal(err.text, "no z_5; did you mean 'Z5'?");
    ckda_error_set(&err, "no monster");
    cli_guess_system(&err, "monster");
    assert_string_equal(err.text, "no monster");
}

static const char *
named(const char *message, const char *file)
{
    static ckda_error err;
    ckda_error_set(&err, "%s", message);
    cli_name_file(&err, file);
    return err.text;
}

static void
a_file_is_named_once(void **state)
{
    char name[301], message[400];
    (void)state;
    assert_string_equal(named("expected b", "a.json"), "a.json: expected b");
    assert_string_equal(named("a.json: expected b", "a.json"), "a.json: expected b");
    assert_string_equal(named("expected b", "e"), "e: expected b");
    assert_string_equal(named("a.json5: expected b", "a.json"),
                        "a.json: a.json5: expected b");
    assert_string_equal(named("caf?: expected b", "caf\xe9"), "caf?: expected b");
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(message, sizeof message, "%.200s: expected b", name);
    assert_string_equal(named(message, name), message);
}

static ckda_status
outputs(const char *first, const char *second, ckda_error *err)
{
    const char *const files[] = {first, second};
    ckda_error_clear(err);
    return cli_check_outputs(files, 2, err);
}

static void
outputs_are_looked_at_before_they_are_written(void **state)
{
    ckda_error err;
    (void)state;
    assert_int_equal(outputs(NULL, NULL, &err), CKDA_OK);
    assert_int_equal(outputs("/dev/null", NULL, &err), CKDA_OK);
    assert_int_equal(outputs("no-such-file-here", "/dev/null", &err), CKDA_OK);
    assert_int_equal(outputs(NULL, "/nonexistent/x", &err), CKDA_E_IO);
    assert_non_null(strstr(err.text, "/nonexistent/x: cannot be made"));
    assert_int_equal(outputs("/nonexistent/a", "/nonexistent/b", &err), CKDA_E_IO);
    assert_non_null(strstr(err.text, "/nonexistent/a"));
    assert_int_equal(access("no-such-file-here", F_OK), -1); /* looked at only */
}

static void
efforts(void **state)
{
    (void)state;
    ckda_effort e = CKDA_QUICK;
    assert_true(cli_read_effort(&e, "full"));
    assert_int_equal(e, CKDA_FULL);
    assert_true(cli_read_effort(&e, "deep"));
    assert_int_equal(e, CKDA_DEEP);
    assert_false(cli_read_effort(&e, "deeper"));
    assert_false(cli_read_effort(&e, ""));
    assert_int_equal(e, CKDA_DEEP);
}

static void
seeds(void **state)
{
    (void)state;
    uint64_t seed = 7;
    assert_true(cli_read_seed(&seed, "9223372036854775807"));
    assert_true(seed == INT64_MAX);
    assert_false(cli_read_seed(&seed, "9223372036854775808"));
    assert_false(cli_read_seed(&seed, "-1"));
    assert_false(cli_read_seed(&seed, "1.5"));
    assert_true(seed == INT64_MAX);
}

static void
files_are_not_coloured(void **state)
{
    (void)state;
    FILE *f = tmpfile();
    assert_non_null(f);
    assert_false(cli_may_color(f));
    fclose(f);
}

static void
steps_are_counted_in_silence(void **state)
{
    (void)state;
    cli_steps s;
    cli_steps_begin(&s, 3);
    s.on = false; /* as without a terminal */
    cli_steps_show(&s, "first");
    cli_steps_done(&s);
    assert_int_equal(s.done, 1);
    assert_int_equal(s.total, 3);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distance_counts_edits),
        cmocka_unit_test(distance_of_long_words_stays_in_bounds),
        cmocka_unit_test(near_words_are_guessed),
        cmocka_unit_test(far_words_are_not_guessed),
        cmocka_unit_test(counts),
        cmocka_unit_test(sizes),
        cmocka_unit_test(times),
        cmocka_unit_test(systems_are_guessed),
        cmocka_unit_test(guess_is_added_to_a_message),
        cmocka_unit_test(a_file_is_named_once),
        cmocka_unit_test(outputs_are_looked_at_before_they_are_written),
        cmocka_unit_test(efforts),
        cmocka_unit_test(seeds),
        cmocka_unit_test(files_are_not_coloured),
        cmocka_unit_test(steps_are_counted_in_silence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
