/* What the scripts for gnuplot share. */
#ifndef CKDA_SRC_REPORT_PLOT_H
#define CKDA_SRC_REPORT_PLOT_H
#include <stdio.h>

/* A text in gnuplot's single quotes, where only the quote itself is special. */
void plot_quoted(FILE *out, const char *text);

#endif
