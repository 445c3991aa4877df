/* Results of sweep: what gnuplot needs for a picture. */
#include "ckda/report_sweep.h"
#include "plot.h"

#include <math.h>

enum { CURVE_POINTS = 720 };

/* Angles for which curves are drawn where every key is asked about. */
static const int drawn_angles[] = {20, 45, 70};
static const char *const curve_color[] = {"#1b4332", "#222222", "#7b2d8b"};
/* that stand out on a dark page, too */
static const char *const page_color[] = {"#2f9e6b", "#222222", "#b05fd0"};
enum { ANGLES = sizeof drawn_angles / sizeof drawn_angles[0] };

static double
clamped(const ckda_sweep_struct *s, ckda_sweep_axis a, double i)
{
    const double n = (double)s->plan.cells;
    return ckda_sweep_position(s, a, fmin(n, fmax(0, i)));
}

/* One box for each run of cells of one kind in a row: its middle, its edges, the kind. */
static void
cells(FILE *out, const ckda_sweep_struct *s)
{
    const ckda_sweep_axis x = s->plan.x, y = s->plan.y;
    const slong side = s->plan.cells + 1;
    for (slong j = 0; j < side; j++) {
        const unsigned char *row = s->kind + j * side;
        const double low = clamped(s, y, (double)j - 0.5),
                     high = clamped(s, y, (double)j + 0.5);
        for (slong i = 0, next; i < side; i = next) {
            for (next = i + 1; next < side && row[next] == row[i]; next++)
                continue;
            const double left = clamped(s, x, (double)i - 0.5),
                         right = clamped(s, x, (double)next - 0.5);
            fprintf(out, "%.7g %.7g %.7g %.7g %.7g %.7g %d\n", (left + right) / 2,
                    (low + high) / 2, left, right, low, high, row[i]);
        }
    }
}

/* One branch; an empty line where it leaves the picture. */
static void
curve(FILE *out, const ckda_sweep_struct *s, int branch, double theta)
{
    bool gap = true;
    for (int i = 0; i <= CURVE_POINTS; i++) {
        const double x =
            ckda_sweep_position(s, s->plan.x, (double)s->plan.cells * i / CURVE_POINTS);
        const double y = ckda_sweep_boundary(s, branch, x, theta);
        if (isfinite(y))
            fprintf(out, "%.7g %.7g\n", x, y);
        else if (!gap)
            fputc('\n', out);
        gap = !isfinite(y);
    }
    fputs("\n", out);
}

void
ckda_report_sweep_data(FILE *out, const ckda_sweep_report *r)
{
    const ckda_sweep_struct *s = r->sweep;
    fputs("# x, y, edges of the cell (left, right, lower, upper); 0 real, 1 double, 2 "
          "pair, "
          "3 pair on the circle\n",
          out);
    cells(out, s);
    for (int a = 0; a < (s->plan.any_key ? ANGLES : 1); a++) {
        const double theta = s->plan.any_key ? drawn_angles[a] : 0;
        fputs("\n\n", out);
        if (s->plan.any_key)
            fprintf(out, "# boundary for theta = %d degrees\n", drawn_angles[a]);
        else
            fputs("# boundary\n", out);
        for (int branch = 0; branch < 2; branch++)
            curve(out, s, branch, theta);
    }
}

static const char *
label(ckda_sweep_axis a)
{
    static const char *const labels[] = {"angle of the key, degrees", "gate alpha",
                                         "beta"};
    return labels[a];
}

static void
title(FILE *out, const ckda_sweep_report *r)
{
    const ckda_sweep_plan *p = &r->sweep->plan;
    char text[512];
    snprintf(
        text, sizeof text,
        "Eigenvalues of (I - %.60s kk^T) Diag(%.60s, %.60s)%s, each cell decided exactly",
        p->beta != NULL ? p->beta : "beta", p->alpha != NULL ? p->alpha : "alpha",
        p->second, p->any_key ? ", any key" : "");
    fputs("set title ", out);
    plot_quoted(out, text);
    fputc('\n', out);
}

/* The page names the kinds itself, beside their colours. */
static void
plot_cells(FILE *out, const ckda_sweep_struct *s, bool named)
{
    static const char *const color[] = {"#d5dee7", "#8795a1", "#5b9bd0", "#d1495b"};
    const char *name[] = {"real", "double root", "complex pair", "pair on |z| = 1"};
    const char *any[] = {"real for every key", "", "pair for some key",
                         "pair on |z| = 1"};
    for (int k = 0; k < CKDA_SWEEP_KINDS; k++)
        if (s->count[k] > 0)
            fprintf(
                out,
                "     data index 0 using ($7==%d?$1:NaN):2:3:4:5:6 with boxxy fs solid "
                "noborder lc rgb '%s' title '%s', \\\n",
                k, color[k],
                !named            ? ""
                : s->plan.any_key ? any[k]
                                  : name[k]);
}

void
ckda_report_sweep_script(FILE *out, const char *data, const ckda_sweep_report *r)
{
    const ckda_sweep_struct *s = r->sweep;
    const double n = (double)s->plan.cells;
    fputs("# gnuplot THIS-FILE > PICTURE.svg\nset style fill solid\n", out);
    if (r->narrow) {
        fputs("set terminal svg size 540,400 font 'sans-serif,17' noenhanced\n"
              "set key tmargin left vertical Left reverse\n",
              out);
    } else {
        fputs("set terminal svg size 800,480 font 'sans-serif,13' background '#ffffff' "
              "noenhanced\nset key outside right top\n",
              out);
        title(out, r);
    }
    fprintf(out, "set xlabel '%s'\nset ylabel '%s'\nset xrange [%g:%g]\n",
            label(s->plan.x), label(s->plan.y), ckda_sweep_position(s, s->plan.x, 0),
            ckda_sweep_position(s, s->plan.x, n));
    fprintf(out, "set yrange [%g:%g]\n", ckda_sweep_position(s, s->plan.y, 0),
            ckda_sweep_position(s, s->plan.y, n));
    fputs("data = ", out);
    plot_quoted(out, data);
    fputs("\nplot \\\n", out);
    plot_cells(out, s, !r->narrow);
    if (!s->plan.any_key) {
        fputs("     data index 1 using 1:2 with lines lw 2 lc rgb '#222222' title 'exact "
              "boundary'\n",
              out);
        return;
    }
    for (int a = 0; a < ANGLES; a++)
        fprintf(
            out,
            "     data index %d using 1:2 with lines lw 2 lc rgb '%s' title 'boundary "
            "at %d degrees'%s\n",
            a + 1, r->narrow ? page_color[a] : curve_color[a], drawn_angles[a],
            a + 1 < ANGLES ? ", \\" : "");
}
