/* ckda/report_snap.h -- `ckda audit SYSTEM --snap`: text and JSON (ckda.audit/1, member
 * "snap").  Reads, never computes or judges. */
#ifndef CKDA_REPORT_SNAP_H
#define CKDA_REPORT_SNAP_H
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "ckda/allwords.h"
#include "ckda/arith.h"
#include "ckda/chunk.h"
#include "ckda/snap.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CKDA_SNAP_PROVED,  /* every word of every length, by the theorem */
    CKDA_SNAP_REFUTED, /* sigma <= 0, two elements stored alike, or a word that fails */
    CKDA_SNAP_NOT_PROVED, /* sigma > 0, but the error of this arithmetic is too large */
    CKDA_SNAP_NO_GRID     /* no scale that was tried has sigma > 0 */
} ckda_snap_verdict;
/* "proved", "refuted", "not-proved", "no-grid" */
const char *ckda_snap_verdict_name(ckda_snap_verdict v);

typedef struct {
    const char *system;
    const ckda_tracker_struct *tracker;
    const ckda_snap_struct *snap;
    const ckda_arith *arith;
    ckda_quantiser Q;
    ckda_snap_verdict verdict;
    int64_t searched_to;            /* > 0: the grid was chosen among 1 .. this */
    const ckda_slack_struct *slack; /* NULL: no grid */
    const ckda_tolerances_struct *tolerances; /* NULL unless sigma > 0 */
    const ckda_snap_delta *delta;             /* NULL unless sigma > 0 */
    const ckda_allwords_struct *closure;      /* NULL: not run */
    uint64_t chunk;                           /* 0: none */
    /* a list that was asked for: the scales that hold; NULL: none was */
    const ckda_snap_choice *list;
    size_t nlist, best;
    bool listed;
    double seconds;
} ckda_snap_report;

void ckda_report_snap_text(FILE *out, const ckda_snap_report *r);
/* The whole document; chunk (may be NULL) is taken over as its member "chunk". */
void ckda_report_snap_json(FILE *out, const ckda_snap_report *r, json_t *chunk);

/* ---- a chunked kernel ---------------------------------------------------------------- */

typedef struct {
    const ckda_tracker_struct *tracker;
    const ckda_chunk_struct *chunk;
    const ckda_chunk_result *result;
} ckda_chunk_report;

/* Continues the text above. */
void ckda_report_chunk_text(FILE *out, const ckda_chunk_report *r);
/* A new object, for the member "chunk". */
json_t *ckda_report_chunk_json(const ckda_chunk_report *r);

#ifdef __cplusplus
}
#endif
#endif
