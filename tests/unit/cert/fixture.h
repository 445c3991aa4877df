/* Certificates in memory, and the checker on them. */
#ifndef CKDA_TEST_CERT_FIXTURE_H
#define CKDA_TEST_CERT_FIXTURE_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ckda/cert.h"
#include "recheck.h"
#include "../small_system.h"

/* A name in the folder for temporary files; the file does not exist yet. */
static inline void
temporary_name(char name[256])
{
    static int number;
    const char *folder = getenv("TMPDIR");
    snprintf(name, 256, "%s/ckda-test-cert-%ld-%d", folder != NULL ? folder : "/tmp",
             (long)getpid(), number++);
}

static inline char *
room_for(size_t bytes)
{
    char *text = malloc(bytes);
    if (text == NULL)
        abort();
    return text;
}

static inline char *
read_all(const char *name)
{
    FILE *f = fopen(name, "rb");
    char *text = NULL;
    size_t n = 0, room = 0;
    assert_non_null(f);
    for (int c; (c = getc(f)) != EOF;) {
        if (n + 2 > room)
            text = realloc(text, room = 2 * room + 4096);
        text[n++] = (char)c;
    }
    fclose(f);
    assert_non_null(text);
    text[n] = '\0';
    return text;
}

/* A certificate of one part as text; free(). */
static inline char *
certificate(const ckda_system_t sys, const ckda_reach_t r, const ckda_cert_about *about)
{
    static const ckda_cert_about none = {NULL, NULL, NULL, NULL};
    char name[256];
    ckda_error err;
    ckda_cert_writer *w;
    temporary_name(name);
    assert_int_equal(ckda_cert_open(&w, name, 1, &err), CKDA_OK);
    assert_int_equal(ckda_cert_add_reach(w, about != NULL ? about : &none, sys, r, &err),
                     CKDA_OK);
    assert_int_equal(ckda_cert_close(&w, &err), CKDA_OK);
    assert_null(w);
    char *text = read_all(name);
    unlink(name);
    return text;
}

static inline char *
certificate_of(const ckda_system_t sys)
{
    static const ckda_limits limits = {.max_states = 2000};
    ckda_reach_t r;
    ckda_error err;
    if (ckda_reach_run(r, sys, &limits, CKDA_REACH_KEEP_GRAPH, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    char *text = certificate(sys, r, NULL);
    ckda_reach_clear(r);
    return text;
}

static inline char *
certificate_named(const char *system, const char *construction)
{
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_error err;
    if (ckda_construct(c, system, construction, &err) != CKDA_OK)
        fail_msg("%s", err.text);
    ckda_system_init_construct(sys, c);
    char *text = certificate_of(sys);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
    return text;
}

static inline verdict
check_bytes(const char *text, size_t length, char reason[512])
{
    FILE *f = fmemopen((void *)(uintptr_t)text, length, "rb");
    assert_non_null(f);
    const verdict v = recheck_stream(f, NULL, reason);
    fclose(f);
    return v;
}

static inline void
expect_verified(const char *text)
{
    char reason[512];
    if (check_bytes(text, strlen(text), reason) != VERIFIED)
        fail_msg("refused: %s", reason);
    assert_string_equal(reason, "");
}

static inline void
expect_refused(const char *text, const char *part)
{
    char reason[512];
    if (check_bytes(text, strlen(text), reason) != REFUSED)
        fail_msg("not refused, expected: %s", part);
    if (strstr(reason, part) == NULL)
        fail_msg("expected \"%s\" in: %s", part, reason);
}

/* text with the first `from` replaced by `to`; free(). */
static inline char *
replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (at == NULL) {
        fail_msg("no \"%s\" in the certificate", from);
        abort();
    }
    char *new = room_for(strlen(text) + strlen(to) + 1);
    const size_t before = (size_t)(at - text);
    memcpy(new, text, before);
    strcpy(new + before, to);
    strcat(new, at + strlen(from));
    return new;
}

/* The certificate with one change is refused for this reason. */
static inline void
expect_change_refused(const char *text, const char *from, const char *to,
                      const char *part)
{
    char *changed = replaced(text, from, to);
    expect_refused(changed, part);
    free(changed);
}

#endif
