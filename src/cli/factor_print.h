/* The result of `ckda factor` as text or JSON. */
#ifndef CKDA_SRC_CLI_FACTOR_PRINT_H
#define CKDA_SRC_CLI_FACTOR_PRINT_H
#include <stdbool.h>
#include <stdio.h>
#include "ckda/factorise.h"

typedef struct {
    const char *kind; /* "permutation", "map", "rational", "orthogonal", "contraction" */
    const char *factoriser; /* "paper" or "short" */
    slong points;           /* points of the map, rows of the matrix */
    slong dimension;        /* of the factors */
    slong bound;            /* factors that always suffice */
    const ckda_field_struct *K;
    /* what the input lacks, and where (reason in full words); NULL: it was factored */
    const char *reason;
    slong at[2]; /* -1: no entry */
    const ckda_elem_struct
        *witness; /* contraction: points elements x, |Ax| > |x|; or NULL */
    const ckda_elem_struct *squares; /* of a witness: |x|^2 and |Ax|^2 */
    /* of what was factored: */
    const ckda_factors_struct *factors;
    ckda_truth minimal;
    bool verified;
    const char *method; /* orthogonal and contraction: how; NULL for the others */
    bool enclosed;      /* not verified, but |A - product|_F < 2^residual is proved */
    slong residual;
    slong largest;     /* index of the first factor with the largest beta, or -1 */
    const char *limit; /* text of --max-beta, or NULL */
    bool within;       /* is the largest beta within it? */
} factor_result;

void cli_print_factors(FILE *out, bool json, const factor_result *r);

#endif
