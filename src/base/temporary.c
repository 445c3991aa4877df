/* Names of unfinished files; only calls that a signal handler may make. */
#define _GNU_SOURCE /* getdents64 */
#include "ckda/temporary.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PLACES = 64, DEEPEST = 8 };

static _Atomic(const char *) unfinished[PLACES];

int
ckda_temporary_add(const char *path)
{
    for (int i = 0; i < PLACES; i++) {
        const char *free_place = NULL;
        if (atomic_compare_exchange_strong(&unfinished[i], &free_place, path))
            return i;
    }
    return -1;
}

void
ckda_temporary_forget(int ticket)
{
    if (ticket >= 0)
        atomic_store(&unfinished[ticket], NULL);
}

static void remove_entry(int folder, const char *name, int depth);

#ifdef __GLIBC__
/* readdir would ask for memory. */
static void
remove_contents(int folder, int depth)
{
    union {
        char bytes[2048];
        struct dirent64 aligned;
    } list;
    for (ssize_t got; (got = getdents64(folder, list.bytes, sizeof list.bytes)) > 0;)
        for (ssize_t at = 0; at < got;) {
            const struct dirent64 *e = (const void *)(list.bytes + at);
            if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
                remove_entry(folder, e->d_name, depth + 1);
            at += e->d_reclen;
        }
}
#else
static void
remove_contents(int folder, int depth)
{
    (void)folder;
    (void)depth;
}
#endif

static void
remove_entry(int folder, const char *name, int depth)
{
    if (unlinkat(folder, name, 0) == 0 || depth > DEEPEST)
        return;
    const int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    remove_contents(fd, depth);
    close(fd);
    unlinkat(folder, name, AT_REMOVEDIR);
}

void
ckda_temporary_remove_all(void)
{
    for (int i = 0; i < PLACES; i++) {
        const char *path = atomic_exchange(&unfinished[i], NULL);
        if (path != NULL)
            remove_entry(AT_FDCWD, path, 0);
    }
}
