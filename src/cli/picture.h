/* A picture by gnuplot: data and script are written beside it, whatever becomes of it. */
#ifndef CKDA_SRC_CLI_PICTURE_H
#define CKDA_SRC_CLI_PICTURE_H
#include <stdbool.h>
#include <stdio.h>
#include "ckda/status.h"

/* What is printed into the two files; `data` is the name that the script reads. */
typedef struct {
    void (*data)(FILE *out, const void *of);
    void (*script)(FILE *out, const char *data, const void *of);
    const void *of;
} cli_picture;

/* Writes NAME.dat, NAME.gp and, by gnuplot, svg = "NAME.svg", each as a whole or not at all.
 * A missing gnuplot is a warning on stderr that says how to draw later. */
ckda_status cli_draw(const char *svg, const cli_picture *p, ckda_error *err);
/* The two halves of it, without the warning: the files NAME.dat and NAME.gp; then NAME.svg
 * by gnuplot, if it can be started and does not fail. */
ckda_status cli_write_plot(const char *svg, const cli_picture *p, ckda_error *err);
ckda_status cli_run_plot(bool *drawn, const char *svg, ckda_error *err);
/* What `print` prints, written to a file as a whole or not at all. */
ckda_status cli_write_printed(const char *file, void (*print)(FILE *out, const void *of),
                              const void *of, ckda_error *err);

#endif
