/* Out of memory is one end of the program, whoever asked for it.
 *
 * FLINT, GMP and the tools of JSON and XML each have an end of their own for it, or answer
 * NULL, which a library cannot check for them.  The program gives them allocators that do
 * not come back without memory; the library leaves its users' settings alone.           */
#include "cli.h"

#include <jansson.h>
#include <libxml/xmlmemory.h>
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

void
cli_watch_memory(void)
{
#if __FLINT_RELEASE >= 30000
    __flint_set_all_memory_functions(get, get_zeroed, get_other, free, get_aligned, free);
#else
    __flint_set_memory_functions(get, get_zeroed, get_other, free);
#endif
    mp_set_memory_functions(get, get_other_sized, put_back_sized);
    json_set_alloc_funcs(get, free);
    xmlMemSetup(free, get, get_other, get_copy);
}
