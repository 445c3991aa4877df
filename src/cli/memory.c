/* Out of memory is one end of the program, whoever asked for it.
 *
 * FLINT, GMP and the tools of JSON and XML each have an end of their own for it, or answer
 * NULL, which a library cannot check for them.  The program gives them allocators that do
 * not come back without memory; the library leaves its users' settings alone.           */
#include "cli.h"

#include <jansson.h>
#include <libxml/xmlmemory.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdlib.h>
#include <string.h>

#include "ckda/flint_compat.h"

static void *
get(size_t size)
{
    void *p = malloc(size > 0 ? size : 1);
    ckda_require_memory(p != NULL);
    return p;
}

static void *
get_zeroed(size_t count, size_t size)
{
    void *p = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    ckda_require_memory(p != NULL);
    return p;
}

static void *
get_other(void *old, size_t size)
{
    void *p = realloc(old, size > 0 ? size : 1);
    ckda_require_memory(p != NULL);
    return p;
}

static void *
get_other_sized(void *old, size_t old_size, size_t size)
{
    (void)old_size;
    return get_other(old, size);
}

static void
put_back_sized(void *p, size_t size)
{
    (void)size;
    free(p);
}

static char *
get_copy(const char *text)
{
    return strcpy(get(strlen(text) + 1), text);
}

#if __FLINT_RELEASE >= 30000
static void *
get_aligned(size_t alignment, size_t size)
{
    void *p = aligned_alloc(alignment, size);
    ckda_require_memory(p != NULL);
    return p;
}
#endif

/* Arrays of a MiB and more get pages of their own: what is freed goes back at once, and what
 * grows moves without a copy beside it.  By default glibc raises that size to 32 MiB as a
 * program goes, and --max-memory would be exceeded by holes. */
static void
give_back_large_arrays(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
    (void)mallopt(M_TRIM_THRESHOLD, 2 << 20);
#endif
}

/* In whole MiB, so that a search stops at the same state although the last bytes differ. */
static uint64_t
mebibytes_held(void)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    const struct mallinfo2 m = mallinfo2();
    return (uint64_t)(m.uordblks + m.hblkhd) >> 20;
#else
    return 0; /* unknown */
#endif
}

static double began; /* the program */

void
cli_charge_for_system(ckda_limits *limits, unsigned times)
{
    enum { LEAST = 4 }; /* MiB; what is smaller is part of the program's own */
    const uint64_t limit = limits->max_bytes, held = mebibytes_held();
    if (limits->max_seconds > 0) {
        limits->max_seconds -= ckda_wall_seconds() - began;
        if (limits->max_seconds <= 0)
            limits->max_seconds = 1e-3; /* 0 would be no limit */
    }
    if (limit < 3 * CLI_MEMORY_OF_PROGRAM || held < LEAST)
        return;
    const uint64_t taken = (held * times) << 20;
    limits->max_bytes = limit > taken ? limit - taken : 1;
}

void
cli_watch_memory(void)
{
    began = ckda_wall_seconds();
    give_back_large_arrays();
#if __FLINT_RELEASE >= 30000
    __flint_set_all_memory_functions(get, get_zeroed, get_other, free, get_aligned, free);
#else
    __flint_set_memory_functions(get, get_zeroed, get_other, free);
#endif
    mp_set_memory_functions(get, get_other_sized, put_back_sized);
    json_set_alloc_funcs(get, free);
    xmlMemSetup(free, get, get_other, get_copy);
}
