/* Ends of the program that no command chooses, each in a process of its own. */
#define _XOPEN_SOURCE 700 /* mkstemp */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <fcntl.h>
#include <jansson.h>
#include <libxml/xmlmemory.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ckda/flint_compat.h"
#include "ckda/ledger_net.h"
#include "ckda/temporary.h"
#include "cli.h"
#include "watch.h"

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

/* An unfinished file that every end has to remove. */
static char unfinished[] = "/tmp/ckda-ends-XXXXXX";

static int
status_of(void (*act)(void))
{
    int status = 0;
    strcpy(unfinished, "/tmp/ckda-ends-XXXXXX");
    const int file = mkstemp(unfinished);
    assert_true(file >= 0);
    close(file);
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        signal(SIGHUP, SIG_DFL); /* nohup's children ignore it, and so does the program */
        cli_catch_fatal();
        cli_watch_memory();
        cli_check_stdout_at_exit();
        if (ckda_temporary_add(unfinished) >= 0)
            act();
        _exit(99);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void
expect_code(void (*act)(void), int code)
{
    const int status = status_of(act);
    const bool left = access(unfinished, F_OK) == 0;
    unlink(unfinished);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), code);
    assert_false(left);
}

static void
no_memory(void)
{
    ckda_require_memory(1 > 2);
}

static void
no_memory_for_flint(void)
{
    flint_free(flint_malloc(SIZE_MAX / 4));
}

static void
no_memory_for_flint_anew(void)
{
    flint_free(flint_realloc(flint_malloc(1), SIZE_MAX / 4));
}

static void
give_no_more(void)
{
    const struct rlimit little = {1 << 20, 1 << 20};
    setrlimit(RLIMIT_AS, &little);
}

static void
no_memory_for_gmp(void)
{
    mpz_t x;
    give_no_more();
    mpz_init2(x, (mp_bitcnt_t)1 << 33);
    mpz_clear(x);
}

static void
no_memory_for_json(void)
{
    give_no_more();
    for (;;) /* until there is no more */
        if (json_string("a text that takes some memory, as many times as it takes")
            == NULL)
            _exit(98);
}

static void
no_memory_for_xml(void)
{
    if (xmlMalloc(SIZE_MAX / 4) == NULL)
        _exit(98);
}

static void
a_broken_precondition(void)
{
    ckda_require(1 > 2, "on purpose");
}

static void
a_library_exits(void)
{
    exit(EXIT_REFUTED); /* as the runtime of OpenMP does */
}

static void
a_refutation(void)
{
    ckda_temporary_remove_all();
    cli_has_answered();
    exit(EXIT_REFUTED);
}

static void
without_memory_it_is_undecided(void **state)
{
    (void)state;
    expect_code(no_memory, EXIT_UNDECIDED);
}

static void
so_it_is_for_the_libraries(void **state)
{
    (void)state;
    expect_code(no_memory_for_flint, EXIT_UNDECIDED);
    expect_code(no_memory_for_flint_anew, EXIT_UNDECIDED);
    expect_code(no_memory_for_gmp, EXIT_UNDECIDED);
    expect_code(no_memory_for_xml, EXIT_UNDECIDED);
}

static void
json_does_not_leave_a_member_out(void **state)
{
    (void)state;
    expect_code(no_memory_for_json, EXIT_UNDECIDED);
}

static void
a_broken_precondition_is_internal(void **state)
{
    (void)state;
    expect_code(a_broken_precondition, EXIT_INTERNAL);
}

static void
a_library_that_exits_refutes_nothing(void **state)
{
    (void)state;
    expect_code(a_library_exits, EXIT_UNDECIDED);
    expect_code(a_refutation, EXIT_REFUTED);
}

/* ---- signals ---------------------------------------------------------------------------- */

static void
terminated(void)
{
    raise(SIGTERM);
}

static void
hung_up(void)
{
    raise(SIGHUP);
}

static void
interrupted_twice(void)
{
    const volatile sig_atomic_t *stop = cli_catch_interrupt();
    raise(SIGINT);
    if (*stop == 0)
        _exit(98);
    raise(SIGINT);
}

static void
expect_signal(void (*act)(void), int signal_number)
{
    const int status = status_of(act);
    const bool left = access(unfinished, F_OK) == 0;
    unlink(unfinished);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), signal_number);
    assert_false(left);
}

static void
signals_that_kill_leave_nothing(void **state)
{
    (void)state;
    expect_signal(terminated, SIGTERM);
    expect_signal(hung_up, SIGHUP);
    expect_signal(interrupted_twice, SIGINT);
}

static void
terminated_softly(void)
{
    const volatile sig_atomic_t *stop = cli_catch_interrupt();
    raise(SIGTERM);
    ckda_temporary_remove_all();
    _exit(*stop != 0 ? 0 : 98);
}

static void
the_first_signal_only_asks(void **state)
{
    (void)state;
    expect_code(terminated_softly, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_memory_it_is_undecided),
        cmocka_unit_test(so_it_is_for_the_libraries),
        cmocka_unit_test(json_does_not_leave_a_member_out),
        cmocka_unit_test(a_broken_precondition_is_internal),
        cmocka_unit_test(a_library_that_exits_refutes_nothing),
        cmocka_unit_test(signals_that_kill_leave_nothing),
        cmocka_unit_test(the_first_signal_only_asks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
