/* Files for the tests of this room, in a folder that goes away with the test. */
#ifndef FILES_H
#define FILES_H
#include "read_text.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
    char folder[64], path[96];
} scratch;

static inline int
make_folder(void **state)
{
    scratch *s = calloc(1, sizeof *s);
    assert_non_null(s);
    strcpy(s->folder, "/tmp/ckda-test-XXXXXX");
    assert_non_null(mkdtemp(s->folder));
    snprintf(s->path, sizeof s->path, "%s/f", s->folder);
    *state = s;
    return 0;
}

static inline int
remove_folder(void **state)
{
    scratch *s = *state;
    unlink(s->path);
    rmdir(s->folder);
    free(s);
    return 0;
}

/* The file of this test, with these bytes. */
static inline const char *
put_bytes(void **state, const char *text, size_t len)
{
    const scratch *s = *state;
    assert_int_equal(ckda_file_write(s->path, text, len, NULL), CKDA_OK);
    return s->path;
}

static inline const char *
put_file(void **state, const char *text)
{
    return put_bytes(state, text, strlen(text));
}

/* err says exactly "PATHwant". */
static inline void
assert_message(void **state, const ckda_error *err, const char *want)
{
    const scratch *s = *state;
    const size_t len = strlen(s->path);
    if (strncmp(err->text, s->path, len) != 0)
        fail_msg("expected a message about %s, got \"%s\"", s->path, err->text);
    assert_string_equal(err->text + len, want);
}

static inline void
open_good(ckda_input_t in, void **state, const char *text)
{
    ckda_error err = {{0}};
    if (ckda_input_open(in, put_file(state, text), &err) != CKDA_OK)
        fail_msg("%s", err.text);
}

static inline void
open_refused(void **state, const char *text, const char *want)
{
    ckda_input_t in;
    ckda_error err = {{0}};
    memset(in, 7, sizeof *in);
    assert_int_equal(ckda_input_open(in, put_file(state, text), &err), CKDA_E_INPUT);
    assert_message(state, &err, want);
    assert_int_equal(((unsigned char *)in)[0], 7);
    assert_int_equal(ckda_input_open(in, put_file(state, text), NULL), CKDA_E_INPUT);
}

#endif
