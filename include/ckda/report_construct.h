/* ckda/report_construct.h -- results of `ckda construct` as text and JSON.  Conventions of
 * ckda/report.h. */
#ifndef CKDA_REPORT_CONSTRUCT_H
#define CKDA_REPORT_CONSTRUCT_H
#include <jansson.h>
#include <stdio.h>
#include "ckda/net.h"
#include "ckda/realize.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Everything is borrowed; NULL for what does not exist or was not looked for. */
typedef struct {
    const char *system;
    const ckda_group_struct *G;
    const ckda_isomorphism_struct *isomorphism;
    const ckda_construction_struct *single; /* one head */
    const ckda_heads_struct *heads;         /* several */
    const ckda_realize_closure *closure;    /* of single or heads */
    const char *heads_limit;                /* why heads could not be looked for */
    const ckda_obstruction *obstruction;
    const ckda_series_struct *series;
    const ckda_net *net; /* along the series */
    const ckda_net_closure *net_closure;
    const char *net_missing; /* why there is no net, although there is a series */
    json_t *document;        /* of single or heads */
    const char *wrote;       /* a file that was written */
} ckda_construct_result;
void ckda_report_construct(FILE *out, bool json, const ckda_construct_result *r);

/* The letters of somebody's own representation. */
typedef struct {
    const char *system;
    const ckda_field_struct *K;
    slong n;
    uint32_t nletters;
    const char *const *name;
    const ckda_letter_struct *letter;
} ckda_letters_result;
void ckda_report_letters(FILE *out, bool json, const ckda_letters_result *r);

#ifdef __cplusplus
}
#endif
#endif
