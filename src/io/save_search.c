/* Searches saved by one process, or by several with a file each. */
#include "ckda/save.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ckda/ranks.h"

enum { TEXT = 512, TURNS = 2, MOST_PROCESSES = 1024 };

/* What stands before the caller's part. */
typedef struct {
    uint64_t digest[2], moment;
    char question[TEXT];
} head;

/* The file of one process; malloc'ed. */
static char *
file_of(const char *path, uint32_t mine, uint32_t count, uint32_t turn)
{
    const size_t size = strlen(path) + 64;
    char *name = malloc(size);
    ckda_require_memory(name != NULL);
    if (count == 1)
        snprintf(name, size, "%s", path);
    else
        snprintf(name, size, "%s.%" PRIu32 "-of-%" PRIu32 ".%" PRIu32, path, mine, count,
                 turn);
    return name;
}

ckda_status
ckda_save_open_search(ckda_save **s, const char *path, const ckda_save_subject *of,
                      uint64_t moment, uint32_t turn, ckda_error *err)
{
    char *name = file_of(path, ckda_ranks_mine(), ckda_ranks_count(), turn);
    const ckda_status st = ckda_save_open(s, name, of->kind, of->version, err);
    free(name);
    if (st != CKDA_OK)
        return st;
    head h = {.digest = {of->digest[0], of->digest[1]}, .moment = moment};
    snprintf(h.question, sizeof h.question, "%s", of->question);
    ckda_save_put(*s, &h, sizeof h);
    return CKDA_OK;
}

/* ---- reading ------------------------------------------------------------------------ */

static ckda_status
other_question(const ckda_load *l, const ckda_save_subject *of, const char *found,
               ckda_error *err)
{
    if (*of->question == '\0')
        return ckda_load_fail(l, "a saved search of this system", "one of another system",
                              err);
    if (strncmp(of->question, found, TEXT - 1) == 0)
        found = "the same name with other parameters";
    return ckda_load_fail(l, of->question, found, err);
}

/* *moment: one more than that of the file; 0 and no file after an error. */
static ckda_status
open_turn(ckda_load **l, uint64_t *moment, const char *path, uint32_t turn,
          const ckda_save_subject *of, ckda_error *err)
{
    head h;
    char *name = file_of(path, ckda_ranks_mine(), ckda_ranks_count(), turn);
    ckda_status st = ckda_load_open(l, name, of->kind, of->version, of->what, err);
    free(name);
    *moment = 0;
    if (st != CKDA_OK)
        return st;
    if (!ckda_load_get(*l, &h, sizeof h)) {
        st = ckda_load_fail(*l, of->what, "a shorter file", err);
    } else if (memcmp(h.digest, of->digest, sizeof h.digest) != 0) {
        h.question[TEXT - 1] = '\0';
        st = other_question(*l, of, h.question, err);
    }
    if (st != CKDA_OK)
        ckda_load_close(l);
    else
        *moment = h.moment + 1;
    return st;
}

static bool
exists(const char *path, uint32_t count, uint32_t turn)
{
    char *name = file_of(path, 0, count, turn);
    const bool found = access(name, F_OK) == 0;
    free(name);
    return found;
}

/* The least number of processes that saved something at this path; 0: none. */
static uint32_t
saved_by(const char *path)
{
    for (uint32_t count = 1; count <= MOST_PROCESSES; count++)
        for (uint32_t turn = 0; turn < TURNS; turn++)
            if (exists(path, count, turn))
                return count;
    return 0;
}

/* No file of this process was good: was it another number of processes? */
static ckda_status
other_count(ckda_status st, const char *path, ckda_error *err)
{
    const uint32_t count = ckda_ranks_count(), by = saved_by(path);
    if (by == 0 || by == count)
        return st;
    ckda_error_set(err,
                   "%s: expected a search saved by %" PRIu32
                   " process%s, found one saved by %" PRIu32,
                   path, count, count == 1 ? "" : "es", by);
    return CKDA_E_INPUT;
}

static ckda_status
none_for_all(ckda_status st, const char *path, ckda_error *err)
{
    if (st == CKDA_E_IO)
        st = other_count(st, path, err);
    st = ckda_ranks_agree(st, err);
    if (st != CKDA_OK)
        return st;
    ckda_error_set(err, "%s: expected files of one moment from %" PRIu32 " processes",
                   path, ckda_ranks_count());
    return CKDA_E_INPUT;
}

ckda_status
ckda_load_open_search(ckda_load **l, uint32_t *turn, const char *path,
                      const ckda_save_subject *of, ckda_error *err)
{
    const uint32_t turns = ckda_ranks_count() == 1 ? 1 : TURNS;
    ckda_load *file[TURNS] = {NULL, NULL};
    uint64_t moment[TURNS] = {0, 0};
    ckda_status worst = CKDA_E_IO;
    for (uint32_t i = 0; i < turns; i++) {
        ckda_error why;
        ckda_error_clear(&why);
        const ckda_status st = open_turn(file + i, moment + i, path, i, of, &why);
        /* what is wrong with a file says more than that there is none */
        if (err != NULL && (i == 0 || (worst == CKDA_E_IO && st == CKDA_E_INPUT)))
            *err = why;
        worst = worst == CKDA_E_IO || st == CKDA_OK ? st : worst;
        moment[i] = ckda_ranks_common(moment[i]);
    }
    const uint32_t newest = moment[1] > moment[0];
    if (file[!newest] != NULL)
        ckda_load_close(file + !newest);
    if (moment[newest] > 0) {
        *l = file[newest];
        *turn = newest;
        return CKDA_OK;
    }
    if (file[newest] != NULL)
        ckda_load_close(file + newest);
    return none_for_all(worst, path, err);
}
