/* ckda sweep */
#include "cli.h"

#include <stdio.h>
#include <string.h>
#include "ckda/report_sweep.h"
#include "picture.h"

enum { DEFAULT_CELLS = 64 };

typedef struct {
    bool json, has_x, has_y;
    int figure;
    uint64_t cells;
    ckda_sweep_plan plan;
    const char *csv, *svg;
} options;

enum {
    KEY_FIGURE = 0x100,
    KEY_X,
    KEY_Y,
    KEY_ALPHA,
    KEY_BETA,
    KEY_SECOND,
    KEY_TANGENT,
    KEY_ANY,
    KEY_CELLS,
    KEY_ANGLES,
    KEY_CSV,
    KEY_SVG
};

static const struct argp_option option_table[] = {
    {"figure", KEY_FIGURE, "N", 0,
     "2: theta and alpha at beta = 2; 11: beta and alpha, is there any key with a pair",
     0},
    {"x", KEY_X, "AXIS", 0, "theta, alpha or beta", 0},
    {"y", KEY_Y, "AXIS", 0, "Another of the three", 0},
    {"alpha", KEY_ALPHA, "NUMBER", 0, "Fixed gate of the first coordinate", 0},
    {"beta", KEY_BETA, "NUMBER", 0, "Fixed beta", 0},
    {"tan", KEY_TANGENT, "NUMBER", 0,
     "Fixed key (cos theta, sin theta): the tangent of theta/2", 0},
    {"any-key", KEY_ANY, NULL, 0, "Ask of each cell whether any key has a pair", 0},
    {"second", KEY_SECOND, "NUMBER", 0,
     "Gate of the second coordinate, above 0 (default 1)", 0},
    {"cells", KEY_CELLS, "N", 0, "Steps of each axis, 1 to 1000 (default 64)", 0},
    {"angles", KEY_ANGLES, "HOW", 0,
     "tangent (default): tan(theta/2) = i/N, rational keys; cosine: theta = 90 i/N "
     "degrees, "
     "over the field of cos(180/N degrees)",
     0},
    {"csv", KEY_CSV, "FILE", 0, "Write the cells as CSV", 0},
    {"svg", KEY_SVG, "FILE", 0,
     "Draw with gnuplot; data (.dat) and script (.gp) are written beside it", 0},
    {"json", 'j', NULL, 0, "One JSON document", 0},
    {0}};

static ckda_sweep_axis
read_axis(const char *arg, struct argp_state *state)
{
    for (int a = 0; a < CKDA_SWEEP_AXES; a++)
        if (strcmp(arg, ckda_sweep_axis_name((ckda_sweep_axis)a)) == 0)
            return (ckda_sweep_axis)a;
    argp_error(state, "expected the axis theta, alpha or beta, found '%s'", arg);
    return CKDA_SWEEP_THETA;
}

static void
set_figure(options *o, const char *arg, struct argp_state *state)
{
    if (strcmp(arg, "2") == 0)
        o->figure = 2;
    else if (strcmp(arg, "11") == 0)
        o->figure = 11;
    else
        argp_error(state, "--figure: expected 2 or 11, found '%s'", arg);
}

static void
set_angles(options *o, const char *arg, struct argp_state *state)
{
    if (strcmp(arg, "cosine") != 0 && strcmp(arg, "tangent") != 0)
        argp_error(state, "--angles: expected tangent or cosine, found '%s'", arg);
    o->plan.cosine = arg[0] == 'c';
}

/* A figure is a plan of its own; anything that would change it is refused. */
static void
end_of_options(options *o, struct argp_state *state)
{
    const bool own = o->has_x || o->has_y || o->plan.alpha != NULL || o->plan.beta != NULL
                     || o->plan.tangent != NULL || o->plan.any_key;
    if (o->figure > 0 && own)
        argp_error(state, "--figure sets axes and numbers itself");
    if (o->figure == 0 && !(o->has_x && o->has_y))
        argp_error(state, "--figure, or --x and --y, are missing");
    if (o->figure == 2) {
        o->plan.x = CKDA_SWEEP_THETA;
        o->plan.beta = "2";
    } else if (o->figure == 11) {
        o->plan.x = CKDA_SWEEP_BETA;
        o->plan.any_key = true;
    }
    if (o->figure > 0)
        o->plan.y = CKDA_SWEEP_ALPHA;
    if (o->plan.second == NULL)
        o->plan.second = "1";
}

static error_t
parse(int key, char *arg, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case KEY_FIGURE:
        set_figure(o, arg, state);
        return 0;
    case KEY_X:
        o->plan.x = read_axis(arg, state);
        o->has_x = true;
        return 0;
    case KEY_Y:
        o->plan.y = read_axis(arg, state);
        o->has_y = true;
        return 0;
    case KEY_ALPHA:
        o->plan.alpha = arg;
        return 0;
    case KEY_BETA:
        o->plan.beta = arg;
        return 0;
    case KEY_SECOND:
        o->plan.second = arg;
        return 0;
    case KEY_TANGENT:
        o->plan.tangent = arg;
        return 0;
    case KEY_ANY:
        o->plan.any_key = true;
        return 0;
    case KEY_CELLS:
        if (!cli_read_count(&o->cells, arg) || o->cells < 1
            || o->cells > CKDA_SWEEP_MAX_CELLS)
            argp_error(state, "--cells: expected a whole number from 1 to %d, found '%s'",
                       CKDA_SWEEP_MAX_CELLS, arg);
        return 0;
    case KEY_ANGLES:
        set_angles(o, arg, state);
        return 0;
    case KEY_CSV:
        o->csv = arg;
        return 0;
    case KEY_SVG:
        o->svg = arg;
        return 0;
    case 'j':
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "no argument is expected, found '%s'", arg);
        return 0;
    case ARGP_KEY_END:
        end_of_options(o, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void
print_csv(FILE *out, const void *of)
{
    ckda_report_sweep_csv(out, of);
}

static void
print_data(FILE *out, const void *of)
{
    ckda_report_sweep_data(out, of);
}

static void
print_script(FILE *out, const char *data, const void *of)
{
    ckda_report_sweep_script(out, data, of);
}

int
cli_sweep(int argc, char **argv)
{
    static const struct argp argp = {option_table,
                                     parse,
                                     "",
                                     "Where one CKDA step of the plane, (I - beta k k^T) "
                                     "Diag(alpha, second), has a complex "
                                     "pair: a grid over two of theta (k = (cos theta, "
                                     "sin theta), 0 to 90 degrees), alpha "
                                     "(-1 to 1) and beta (0 to 2), every cell decided "
                                     "exactly, with the exact boundary "
                                     "curve.\vExit code 0: done; 2: wrong usage; 3: a "
                                     "limit was reached; 4: a file could "
                                     "not be written.",
                                     NULL,
                                     NULL,
                                     NULL};
    options o = {.cells = DEFAULT_CELLS};
    ckda_sweep_t s;
    ckda_error err;
    ckda_error_clear(&err);
    cli_parse(&argp, argc, argv, &o);
    o.plan.cells = (slong)o.cells;
    ckda_status st = ckda_sweep_run(s, &o.plan, &err);
    if (st != CKDA_OK) {
        const int code = cli_fail(st, &err);
        return st == CKDA_E_INPUT ? EXIT_USAGE : code;
    }
    const ckda_sweep_report r = {s, o.figure, false};
    const cli_picture picture = {print_data, print_script, &r};
    if (o.csv != NULL)
        st = cli_write_printed(o.csv, print_csv, &r, &err);
    if (st == CKDA_OK && o.svg != NULL)
        st = cli_draw(o.svg, &picture, &err);
    int code = EXIT_HOLDS;
    if (st == CKDA_OK)
        ckda_report_sweep(stdout, o.json, &r);
    else
        code = cli_fail(st, &err);
    ckda_sweep_clear(s);
    return code;
}
