/* Saved searches.  The first byte tells the reader: a raw file ('r'), or the rest without its
 * closing sum, which is added here, so that the readers behind the sum are reached: states of
 * D_3 ('d', with the graph: 'g'), all words of a rounded D_3 ('w'). */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "ckda/allwords.h"
#include "ckda/input.h"
#include "ckda/save.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static bool
read_file_status(ckda_status st, const ckda_error *err)
{
    fuzz_check(st != CKDA_E_IO, "%s", err->text); /* no file of ours is unreadable */
    return fuzz_read(st, err, fuzz_folder());
}

/* ---- files of ckda/save.h ------------------------------------------------------------------ */

static const char kind[8] = {'r', 'e', 'a', 'c', 'h', ' ', ' ', ' '};

static bool
read_raw(const char *path)
{
    ckda_error err = {""};
    ckda_load *l = NULL;
    if (!read_file_status(ckda_load_open(&l, path, kind, 1, "a saved search", &err),
                          &err))
        return false;
    uint8_t byte;
    const uint64_t left = ckda_load_left(l);
    for (uint64_t i = 0; i < left; i++)
        fuzz_check(ckda_load_get(l, &byte, 1), "byte %zu", (size_t)i);
    fuzz_check(!ckda_load_get(l, &byte, 1), "one byte more");
    ckda_load_close(&l);
    return true;
}

static void
put_summed(const char *path, const uint8_t *data, size_t size)
{
    const uint64_t sum = XXH3_64bits(data, size);
    uint8_t *all = malloc(size + sizeof sum);
    fuzz_check(all != NULL, "out of memory");
    if (size > 0)
        memcpy(all, data, size);
    memcpy(all + size, &sum, sizeof sum);
    fuzz_put_file(path, all, size + sizeof sum);
    free(all);
}

/* ---- reachable states ----------------------------------------------------------------------- */

static bool
resume_reach(const char *path, unsigned flags)
{
    static ckda_input_system_t s;
    static bool opened;
    ckda_error err = {""};
    ckda_reach_t r;
    if (!opened)
        opened = ckda_input_system_open(s, "D3", "planar", &err) == CKDA_OK;
    fuzz_check(opened, "%s", err.text);
    const ckda_reach_options o = {
        .limits = {1000, 64 << 20, 5}, .flags = flags, .threads = 1, .resume = path};
    if (!read_file_status(ckda_reach_run_options(r, s->sys, &o, &err), &err))
        return false;
    fuzz_check(r->finite != CKDA_FALSE, "D3 has finitely many states");
    ckda_reach_clear(r);
    return true;
}

/* ---- all words -------------------------------------------------------------------------------- */

static bool
resume_words(const char *path)
{
    static ckda_tracker_t t;
    static ckda_rounded_t R;
    static bool opened;
    ckda_error err = {""};
    ckda_allwords_t r;
    if (!opened) {
        ckda_arith a = ckda_arith_default;
        a.grid = 16;
        opened = ckda_tracker_init(t, "D3", "planar", NULL, &err) == CKDA_OK
                 && ckda_rounded_init(R, t, &a, &err) == CKDA_OK;
    }
    fuzz_check(opened, "%s", err.text);
    const ckda_allwords_options o = {.limits = {1000, 64 << 20, 5},
                                     .methods = CKDA_ALLWORDS_PRODUCT,
                                     .threads = 1,
                                     .resume = path};
    if (!read_file_status(ckda_allwords_run(r, R, t, &o, &err), &err))
        return false;
    ckda_allwords_clear(r);
    return true;
}

bool
fuzz_saved(const uint8_t *data, size_t size)
{
    const char *path = fuzz_path(0, "saved");
    if (size == 0)
        return false;
    switch (data[0]) {
    case 'd':
    case 'g':
        put_summed(path, data + 1, size - 1);
        return resume_reach(path, data[0] == 'g' ? CKDA_REACH_KEEP_GRAPH : 0);
    case 'w':
        put_summed(path, data + 1, size - 1);
        return resume_words(path);
    default:
        fuzz_put_file(path, data + 1, size - 1);
        return read_raw(path);
    }
}
