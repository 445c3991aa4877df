/* What the fuzz targets share: a table of targets, and checks that stop the program.
 *
 * A target reads any bytes with one reader.  It must come back (nothing crashes, leaks or
 * takes long), and what it says must be right: what was read is written, where there is a
 * writer, and read again as an equal thing; what was refused is told with its place.
 *
 * The same targets run in two programs: with libFuzzer (frame.c compiled with
 * CKDA_LIBFUZZER; the environment variable CKDA_FUZZ names the target), and as
 * fuzz_replay TARGET PATH..., which goes over files and folders and needs no fuzzer. */
#ifndef CKDA_FUZZ_H
#define CKDA_FUZZ_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "ckda/doc.h"
#include "ckda/status.h"

/* Reads data[0 .. size-1].  Was anything accepted? */
typedef bool fuzz_function(const uint8_t *data, size_t size);
typedef struct {
    const char *name;
    fuzz_function *run;
} fuzz_target;

/* targets.c: ends with an entry of name NULL. */
extern const fuzz_target fuzz_targets[];
/* One line for each target: FUZZ_TARGET(name, what it reads). */
#define FUZZ_TARGET(name, what) fuzz_function fuzz_##name;
#include "targets.def"
#undef FUZZ_TARGET

/* Stops the program with place and text unless cond holds. */
#define fuzz_check(cond, ...)                                                            \
    ((cond) ? (void)0 : fuzz_failed(__FILE__, __LINE__, #cond, __VA_ARGS__))
void fuzz_failed(const char *file, int line, const char *cond, const char *fmt, ...)
    CKDA_PRINTF(4, 5) CKDA_NORETURN;

/* The status of a reader that was given a text: CKDA_OK (then the answer is true), or
 * CKDA_E_INPUT or CKDA_E_UNABLE with a message that begins with `place` and can be shown on a
 * terminal. */
bool fuzz_read(ckda_status st, const ckda_error *err, const char *place);

/* A copy with a NUL behind it and nothing behind that; free(). */
char *fuzz_text(const uint8_t *data, size_t size);
/* A JSON document called FUZZ_NAME, or NULL where the text is none. */
#define FUZZ_NAME "input.json"
ckda_doc *fuzz_parse(const uint8_t *data, size_t size);

/* A folder of this process, empty at first and removed at the end; the name of a file in it
 * (a static buffer for each of 0 .. 3). */
const char *fuzz_folder(void);
const char *fuzz_path(unsigned buffer, const char *name);
void fuzz_put_file(const char *path, const void *data, size_t size);
/* Empties the folder. */
void fuzz_sweep_folder(void);

#endif
