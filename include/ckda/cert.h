/* ckda/cert.h -- certificates, for ckda-recheck.
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
#include "ckda/factor.h"
#include "ckda/factorise.h"
#include "ckda/net.h"
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
/* The same for the system of a construction (ckda_system_init_construct): if it is finite and
 * decodes, the letters are given as products of CKDA steps too, and f, where the construction
 * reads its states out by it, with the rotation of each element. */
CKDA_MUST_CHECK ckda_status ckda_cert_add_construction(
    ckda_cert_writer *w, const ckda_cert_about *about, const ckda_construction_t c,
    const ckda_system_t sys, const ckda_reach_t r, ckda_error *err);
/* One more part: the closed graph of joint states of a network (of a group or a DFA, else
 * CKDA_E_DOMAIN): every head as its literal recurrence, the maps between the layers as
 * tables of what they are asked. */
CKDA_MUST_CHECK ckda_status ckda_cert_add_network(ckda_cert_writer *w,
                                                  const ckda_cert_about *about,
                                                  const ckda_net *net, ckda_net_graph *g,
                                                  ckda_error *err);
/* One more part: `count` >= 1 matrices of one size (square, at most the factors' dimension,
 * which is one too), M[i] the product of the factors f[i]: ckda_factors_simulate must confirm
 * that.  Scratch coordinates stand behind those of M. */
void ckda_cert_add_factors(ckda_cert_writer *w, const ckda_cert_about *about,
                           const ckda_mat_struct *M, const ckda_factors_struct *f,
                           uint32_t count, const ckda_field_t K);
/* One more part: (I - 2 k k^T) S with its matrix.  CKDA_E_DOMAIN unless dec->verified. */
CKDA_MUST_CHECK ckda_status ckda_cert_add_decomposition(ckda_cert_writer *w,
                                                        const ckda_cert_about *about,
                                                        const ckda_decomposition_t dec,
                                                        const ckda_field_t K,
                                                        ckda_error *err);
/* One more part: a word after which a rounded tracker is read wrongly (r->verdict FAILS), the
 * exact states, and the reason: another word with the same bits, or a state of another
 * element that is as near as any of the right one.  CKDA_E_DOMAIN for any other result and
 * for a state that is not finite. */
CKDA_MUST_CHECK ckda_status ckda_cert_add_failing(
    ckda_cert_writer *w, const ckda_cert_about *about, const ckda_rounded_t R,
    const ckda_tracker_t t, const ckda_allwords_t r, ckda_error *err);
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
