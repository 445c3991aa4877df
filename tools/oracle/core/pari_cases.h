/* Shared by the files of the driver for PARI/GP. */
#ifndef CKDA_TEST_ORACLE_PARI_CASES_H
#define CKDA_TEST_ORACLE_PARI_CASES_H
#include "cases.h"
#include "ckda/spectrum.h"

/* Root counts of about `count` polynomials of each kind over K. */
void root_lines(ckda_rand *rnd, int count, const ckda_field_t K);

/* Numbers written as text. */
void number_lines(ckda_rand *rnd, int count);

#endif
