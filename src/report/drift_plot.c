/* Drift on words: what gnuplot needs for a picture. */
#include "drift_internal.h"
#include "plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void
cell(FILE *out, double x)
{
    if (isfinite(x) && x > 0)
        fprintf(out, " %.9g", x);
    else
        fputs(" ?", out);
}

void
ckda_report_drift_data(FILE *out, const ckda_drift_report *r)
{
    const ckda_drift_result_struct *d = r->drift;
    fputs("# t, drift: median, max, by the norm law alone; half the margin\n", out);
    for (size_t i = 0; i < d->nrows; i++) {
        const ckda_drift_row *row = d->row + i;
        fprintf(out, "%" PRIu64, row->t);
        cell(out, row->median);
        cell(out, row->max);
        cell(out, sqrt((double)d->n) * fabs(drift_law(row->t, r) - 1));
        cell(out, d->margin / 2);
        fputc('\n', out);
    }
}

void
ckda_report_drift_script(FILE *out, const char *data, const ckda_drift_report *r)
{
    char *text = ckda_arith_str(&r->rounded->arith);
    fputs("# gnuplot THIS-FILE > PICTURE.svg\n"
          "set terminal svg size 800,560 noenhanced\nset datafile missing '?'\nset "
          "logscale xy\nset format y '%.0e'\n"
          "set xlabel 'tokens'\nset ylabel 'drift relative to the scale'\n"
          "set key left top\nset grid\nset title ",
          out);
    char title[256];
    snprintf(title, sizeof title, "%s: %s", r->system, text);
    plot_quoted(out, title);
    fputs("\ndata = ", out);
    plot_quoted(out, data);
    fputs("\nplot data using 1:2 with linespoints title 'median', \\\n"
          "     data using 1:3 with lines title 'max', \\\n"
          "     data using 1:4 with lines dashtype 2 title 'norm law', \\\n"
          "     data using 1:5 with lines dashtype 3 title 'm/2'\n",
          out);
    free(text);
}
