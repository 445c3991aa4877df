/* ckda/cert.h -- certificates of reachable sets, for ckda-recheck.
 *
 * A certificate is a file of JSON lines in one or more parts (docs/certificates.md).  Each
 * part carries everything that its statement needs: the field, the start, the letters, the
 * group, and either the closed graph or a word with infinitely many powers; or, for a
 * tracker that rounds, its rounded parameters and the closed graph of its bits.  It is written
 * as it goes, to a temporary file that takes the name at the end: until then, and after a
 * failure, whatever stood there still stands there.  Devices and pipes are written to
 * directly.
 *
 * This room writes only.  The checker shares no code with it (src/recheck).  A writer
 * belongs to one thread; nothing here keeps a pointer into systems or results.           */
#ifndef CKDA_CERT_H
#define CKDA_CERT_H
#include "ckda/allwords.h"
#include "ckda/reach.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Texts for readers, which the checker does not interpret; any may be NULL. */
typedef struct {
    const char *claim, *system, *construction;
    const char *const *letter; /* a name for each letter of the system */
} ckda_cert_about;

typedef struct ckda_cert_writer ckda_cert_writer;

/* parts >= 1: how many parts will follow.  CKDA_E_IO when nothing can be written there;
 * *w is then left alone. */
CKDA_MUST_CHECK ckda_status ckda_cert_open(ckda_cert_writer **w, const char *path,
                                           uint32_t parts, ckda_error *err);
/* One more part: the closed graph of r (finite == CKDA_TRUE, searched with
 * CKDA_REACH_KEEP_GRAPH), or the word of r->pump (CKDA_FALSE).  CKDA_E_DOMAIN for an
 * undecided search; nothing was written then.  Errors of writing are kept for close. */
CKDA_MUST_CHECK ckda_status ckda_cert_add_reach(ckda_cert_writer *w,
                                                const ckda_cert_about *about,
                                                const ckda_system_t sys,
                                                const ckda_reach_t r, ckda_error *err);
/* One more part: the closed graph of a rounded tracker (r->verdict TRACKS by the product
 * search, with keep_graph), states rounded again by the checker.  CKDA_E_DOMAIN for any
 * other result. */
CKDA_MUST_CHECK ckda_status ckda_cert_add_rounded(
    ckda_cert_writer *w, const ckda_cert_about *about, const ckda_rounded_t R,
    const ckda_tracker_t t, const ckda_allwords_t r, ckda_error *err);
/* Puts the file in its place; sets *w = NULL.  All parts must be there.  CKDA_E_IO: no
 * file was made or changed (a device may have got something). */
CKDA_MUST_CHECK ckda_status ckda_cert_close(ckda_cert_writer **w, ckda_error *err);
/* Throws it away; sets *w = NULL; NULL is allowed. */
void ckda_cert_abandon(ckda_cert_writer **w);

#ifdef __cplusplus
}
#endif
#endif
