/* ckda/save.h -- long searches saved to a file, whole or not at all.
 *
 *   magic (8 bytes), version, byte order mark, kind of file
 *   what the caller puts
 *   XXH3 of everything before it
 *
 * A new file stands beside the old one until it is whole and on the disk, then takes its
 * name; nothing is gathered in memory for it.  Reading looks at the sum first, so that
 * nothing is believed, and no memory asked for, on the word of a damaged file.  Both are
 * for one thread at a time.                                                            */
#ifndef CKDA_SAVE_H
#define CKDA_SAVE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "ckda/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ckda_save ckda_save;
typedef struct ckda_load ckda_load;

/* kind: 8 bytes that tell these files from others; version: of the caller's format.
 * CKDA_E_IO when no file can be made beside `path`. */
CKDA_MUST_CHECK ckda_status ckda_save_open(ckda_save **s, const char *path,
                                           const char kind[8], uint32_t version,
                                           ckda_error *err);
void ckda_save_put(ckda_save *s, const void *data, size_t size);
/* Takes the name if everything could be written; CKDA_E_IO otherwise, and what stood at
 * `path` stands there still.  *s = NULL either way. */
CKDA_MUST_CHECK ckda_status ckda_save_close(ckda_save **s, ckda_error *err);

/* what: the kind in words, for messages.  CKDA_E_IO when the file cannot be read,
 * CKDA_E_INPUT when it is of another kind, version or byte order, cut short or damaged. */
CKDA_MUST_CHECK ckda_status ckda_load_open(ckda_load **l, const char *path,
                                           const char kind[8], uint32_t version,
                                           const char *what, ckda_error *err);
/* Bytes that can still be read; false from ckda_load_get when there are fewer than asked
 * for. */
uint64_t ckda_load_left(const ckda_load *l);
CKDA_MUST_CHECK bool ckda_load_get(ckda_load *l, void *data, size_t size);
void ckda_load_close(ckda_load **l); /* *l = NULL */
/* "FILE: expected X, found Y"; returns CKDA_E_INPUT. */
ckda_status ckda_load_fail(const ckda_load *l, const char *expected, const char *found,
                           ckda_error *err);

/* ---- a search of one process, or of several (ckda/ranks.h) ------------------------------
 * One process has the file PATH.  Several have a file each, "PATH.RANK-of-COUNT.TURN", and
 * write two in turn: whenever all are killed, one of the two is whole for all of them. */

typedef struct {
    char kind[8];
    uint32_t version;
    const char *what;     /* the kind in words, for messages */
    uint64_t digest[2];   /* of the question that is searched */
    const char *question; /* in words, for messages; "" if it has none */
} ckda_save_subject;

/* moment: never less than in an earlier file of the same search, and the same for all
 * processes.  Then ckda_save_put and ckda_save_close, and ckda_ranks_agree on how that
 * went: nobody goes on before all files are whole. */
CKDA_MUST_CHECK ckda_status ckda_save_open_search(ckda_save **s, const char *path,
                                                  const ckda_save_subject *of,
                                                  uint64_t moment, uint32_t turn,
                                                  ckda_error *err);
/* The newest file that all processes have, called by all of them; *turn: its turn.  The
 * same status and message for all: as ckda_load_open, and CKDA_E_INPUT when the file is of
 * another question or another number of processes. */
CKDA_MUST_CHECK ckda_status ckda_load_open_search(ckda_load **l, uint32_t *turn,
                                                  const char *path,
                                                  const ckda_save_subject *of,
                                                  ckda_error *err);

#ifdef __cplusplus
}
#endif
#endif
