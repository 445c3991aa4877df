/* ckda/temporary.h -- unfinished files, so that a sudden end can remove them.
 *
 * Whoever writes a file under a passing name adds it here once it is made, and forgets it
 * after it took its own name or was removed.  A program that is about to die (no memory, a
 * signal) calls ckda_temporary_remove_all.  There are 64 places; what finds none is only
 * not removed.  All three may be called from any thread; the last also from a signal
 * handler: it allocates nothing.                                                       */
#ifndef CKDA_TEMPORARY_H
#define CKDA_TEMPORARY_H

#ifdef __cplusplus
extern "C" {
#endif

/* A file, or a folder with all that is in it.  The path is borrowed until it is forgotten;
 * give one that does not depend on the working folder if that may change.  Returns a
 * ticket, -1 without a free place. */
int ckda_temporary_add(const char *path);
void ckda_temporary_forget(int ticket); /* -1: nothing happens */
/* Removes all from the disk and forgets them. */
void ckda_temporary_remove_all(void);

#ifdef __cplusplus
}
#endif
#endif
