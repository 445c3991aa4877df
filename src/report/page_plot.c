/* What gnuplot needs for the pictures of the page: they stand in a column, so they are small
 * with large letters, and the page itself has the titles. */
#include "page.h"
#include "plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const curve_color[] = {"#2f6fb0", "#c05621", "#2f855a", "#8a4fa3",
                                          "#b7791f"};
enum { COLORS = sizeof curve_color / sizeof curve_color[0] };

static void
head(FILE *out, const char *data, int height)
{
    fprintf(out,
            "# gnuplot THIS-FILE > PICTURE.svg\n"
            "set terminal svg enhanced size 540,%d font 'sans-serif,17'\n"
            "set datafile missing '?'\nset border 3\nset tics nomirror\n"
            "set key tmargin left vertical Left reverse\ndata = ",
            height);
    plot_quoted(out, data);
    fputc('\n', out);
}

/* ---- levels --------------------------------------------------------------------------- */

void
ckda_page_data_levels(FILE *out, const void *of)
{
    const ckda_reach_result *r = of;
    fputs("# word length, states first reached by words of this length\n", out);
    for (uint32_t k = 0; k < r->reach->nlevels; k++)
        fprintf(out, "%" PRIu32 " %" PRIu64 "\n", k, r->reach->level[k]);
}

void
ckda_page_plot_levels(FILE *out, const char *data, const void *of)
{
    const ckda_reach_result *r = of;
    head(out, data, 400);
    fprintf(
        out,
        "set logscale y\nset yrange [0.5:%" PRIu64 "]\nset xrange [-0.6:%.1f]\n"
        "set xtics 1\nset boxwidth 0.7\nset style fill solid\nset format y '10^{%%T}'\n"
        "set xlabel 'letters read'\nset ylabel 'new states'\nset key off\n"
        "plot data using 1:2 with boxes lc rgb '%s' notitle, \\\n"
        "     data using 1:2:2 with labels offset 0,0.8 notitle\n",
        5 * r->reach->states, (double)r->reach->nlevels - 0.4, curve_color[0]);
}

/* ---- drift ---------------------------------------------------------------------------- */

void
ckda_page_data_drift(FILE *out, const void *of)
{
    const ckda_page_drifts *d = of;
    for (size_t i = 0; i < d->n; i++) {
        if (i > 0)
            fputs("\n\n", out);
        ckda_report_drift_data(out, d->drift + i);
    }
}

/* "fp32 state, bf16 keys" of all that an arithmetic says. */
static void
shorten(char *text)
{
    char *comma = strchr(text, ',');
    if (comma != NULL && (comma = strchr(comma + 1, ',')) != NULL)
        *comma = '\0';
}

/* One curve each, and the line where wrong decodes begin (the same for one tracker). */
void
ckda_page_plot_drift(FILE *out, const char *data, const void *of)
{
    const ckda_page_drifts *d = of;
    head(out, data, 460);
    fputs("set logscale xy\nset format y '10^{%T}'\nset format x '10^{%T}'\n"
          "set ytics 100\nset xlabel 'tokens'\nset ylabel 'median drift'\nplot \\\n",
          out);
    for (size_t i = 0; i < d->n; i++) {
        char *text = ckda_arith_str(&d->drift[i].rounded->arith);
        fprintf(out, "     data index %zu using 1:2 with lines lw 2.5 lc rgb '%s' title ",
                i, curve_color[i % COLORS]);
        shorten(text);
        plot_quoted(out, text);
        fputs(", \\\n", out);
        free(text);
    }
    fputs("     data index 0 using 1:5 with lines dashtype 3 lw 2 lc rgb '#777777' "
          "title 'm/2: below it decodes are right'\n",
          out);
}

/* ---- bits ----------------------------------------------------------------------------- */

void
ckda_page_data_bits(FILE *out, const void *of)
{
    const ckda_page_growth *g = of;
    for (size_t i = 0; i < g->n; i++) {
        fprintf(out, "%s# letters read, bits: %s\n", i > 0 ? "\n\n" : "",
                g->bits[i].title);
        for (size_t t = 0; t < g->bits[i].length; t++)
            fprintf(out, "%zu %" PRIu64 "\n", t + 1, g->bits[i].bits[t]);
    }
}

void
ckda_page_plot_bits(FILE *out, const char *data, const void *of)
{
    const ckda_page_growth *g = of;
    head(out, data, 400);
    fputs("set xlabel 'letters read'\nset ylabel 'bits'\nset yrange [0:*]\nplot \\\n",
          out);
    for (size_t i = 0; i < g->n; i++) {
        fprintf(out, "     data index %zu using 1:2 with lines lw 2.5 lc rgb '%s' title ",
                i, curve_color[i % COLORS]);
        plot_quoted(out, g->bits[i].title);
        fputs(i + 1 < g->n ? ", \\\n" : "\n", out);
    }
}

/* ---- spectrum windows ----------------------------------------------------------------- */

void
ckda_page_plot_sweep(FILE *out, const char *data, const void *of)
{
    ckda_sweep_report r = *(const ckda_sweep_report *)of;
    r.narrow = true;
    ckda_report_sweep_script(out, data, &r);
}
