#include "report_runs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ckda/doc.h"
#include "ckda/input.h"
#include "ckda/net.h"
#include "net_source.h"
#include "picture.h"
#include "report_folder.h"
#include "report_work.h"

uint64_t
report_size(const report_work *r, uint64_t quick, uint64_t full, uint64_t deep)
{
    return r->w->effort == CKDA_QUICK ? quick : r->w->effort == CKDA_FULL ? full : deep;
}

/* ---- pictures ------------------------------------------------------------------------- */

static ckda_status
draw(report_work *r, ckda_page_picture *d, const char *svg, char **text, ckda_error *err)
{
    bool drawn = false;
    ckda_status st = CKDA_OK;
    if (r->not_drawn == NULL) {
        st = cli_run_plot(&drawn, svg, err);
        if (st == CKDA_OK && !drawn)
            r->not_drawn = "Not drawn: gnuplot is missing or failed. Data and script are "
                           "here: gnuplot NAME.gp > NAME.svg in the folder pictures.";
    }
    d->missing = drawn ? NULL : r->not_drawn;
    if (st == CKDA_OK && drawn)
        st = ckda_file_read(text, &d->size, svg, err);
    d->svg = *text;
    return st;
}

ckda_status
report_picture(report_work *r, const char *name, const char *title, const char *caption,
               const cli_picture *p, ckda_error *err)
{
    char svg[64], data[64], script[64], *text = NULL;
    snprintf(svg, sizeof svg, "%.40s.svg", name);
    snprintf(data, sizeof data, "pictures/%.40s.dat", name);
    snprintf(script, sizeof script, "pictures/%.40s.gp", name);
    ckda_page_picture d = {
        .name = name, .title = title, .caption = caption, .data = data, .script = script};
    ckda_status st = cli_write_plot(svg, p, err);
    if (st == CKDA_OK)
        st = draw(r, &d, svg, &text, err);
    /* what gnuplot drew may be no picture: the page says so, the report goes on */
    if (st == CKDA_OK && ckda_page_add_picture(r->page, &d, err) != CKDA_OK)
        fprintf(stderr, "ckda: warning: %s\n", err->text);
    free(text);
    return st;
}

/* ---- spectrum windows ----------------------------------------------------------------- */

static void
sweep_data(FILE *out, const void *of)
{
    ckda_report_sweep_data(out, of);
}

static ckda_status
add_sweep(report_work *r, const ckda_sweep_plan *plan, int figure, const char *name,
          const char *title, const char *caption, ckda_error *err)
{
    ckda_sweep_t s;
    ckda_status st = ckda_sweep_run(s, plan, err);
    if (st != CKDA_OK)
        return st;
    const ckda_sweep_report report = {s, figure, true};
    const cli_picture p = {sweep_data, ckda_page_plot_sweep, &report};
    ckda_page_add_sweep(r->page, &report);
    st = report_picture(r, name, title, caption, &p, err);
    ckda_sweep_clear(s);
    return st;
}

static ckda_status
add_window(report_work *r, ckda_error *err)
{
    const ckda_sweep_plan plan = {.x = CKDA_SWEEP_THETA,
                                  .y = CKDA_SWEEP_ALPHA,
                                  .cells = (slong)report_size(r, 64, 128, 256),
                                  .beta = "2",
                                  .second = "1"};
    return add_sweep(r, &plan, 2, "window",
                     "Where one step has a complex pair (Figure 2)",
                     "(I - 2 k k^T) Diag(alpha, 1) over the angle of the key and the "
                     "signed gate alpha; every cell is decided exactly, the line is the "
                     "exact boundary.",
                     err);
}

static ckda_status
add_any_key(report_work *r, ckda_error *err)
{
    const ckda_sweep_plan plan = {.x = CKDA_SWEEP_BETA,
                                  .y = CKDA_SWEEP_ALPHA,
                                  .cells = (slong)report_size(r, 64, 128, 256),
                                  .any_key = true,
                                  .second = "1"};
    return add_sweep(r, &plan, 11, "anykey",
                     "Is there any key with a complex pair? (Figure 11)",
                     "(I - beta k k^T) Diag(alpha, 1): a pair needs beta above 1 and a "
                     "negative gate. Curves: the exact boundary for three angles of the "
                     "key.",
                     err);
}

/* ---- the levels of A5 ----------------------------------------------------------------- */

static ckda_status
show_levels(report_work *r, const ckda_construction_t c, const ckda_reach_t reach,
            const ckda_system_t sys, double seconds, ckda_error *err)
{
    const ckda_reach_result result = {.system = "A5",
                                      .construction = c->name,
                                      .K = sys->K,
                                      .dimension = sys->initial->rows,
                                      .letters = sys->nletters,
                                      .has_group = true,
                                      .reach = reach,
                                      .seconds = seconds};
    const cli_picture p = {ckda_page_data_levels, ckda_page_plot_levels, &result};
    ckda_page_add_reach(r->page, &result);
    return report_picture(
        r, "levels", "The reachable states of the A5 tracker",
        "New states by word length, from the identity on; the search is "
        "exact, and with the last level the set is closed.",
        &p, err);
}

static ckda_status
add_levels(report_work *r, ckda_error *err)
{
    static const ckda_limits limits = {.max_states = 1000000,
                                       .max_bytes = (uint64_t)1 << 30};
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t reach;
    ckda_status st = ckda_construct(c, "A5", NULL, err);
    if (st != CKDA_OK)
        return st;
    const double start = ckda_wall_seconds();
    ckda_system_init_construct(sys, c);
    st = ckda_reach_run(reach, sys, &limits, 0, err);
    if (st == CKDA_OK) {
        st = show_levels(r, c, reach, sys, ckda_wall_seconds() - start, err);
        ckda_reach_clear(reach);
    }
    ckda_system_clear(sys);
    ckda_construct_clear(c);
    return st;
}

/* ---- bit growth ----------------------------------------------------------------------- */

/* A weighted automaton with two states and fractions in its weights. */
static const char weights[] =
    "{\"wfa\": {\"initial\": [\"1\", \"-1\"], \"final\": [\"1\", \"2/7\"], \"matrices\": "
    "{\"a\": [[\"2/3\", \"-5\"], [\"0\", \"1/2\"]], "
    "\"b\": [[\"1\", \"1/3\"], [\"-2\", \"0\"]]}}}";

enum { GROWTHS = 3, MAX_LETTERS = 600 };

static ckda_status
open_weights(ckda_net **net, ckda_factor_scheme scheme, ckda_error *err)
{
    ckda_doc *doc;
    ckda_input_t in;
    ckda_status st = ckda_doc_parse(&doc, weights, "the report's automaton", err);
    if (st != CKDA_OK)
        return st;
    const ckda_node root = ckda_doc_root(doc);
    st = ckda_input_read(in, &root, err);
    if (st == CKDA_OK) {
        const ckda_net_options o = {CKDA_NET_THREE, scheme, 0};
        st = ckda_net_compile_wfa(net, in->wfa, in->K, &o, err);
        ckda_input_clear(in);
    }
    ckda_doc_close(&doc);
    return st;
}

/* The usual construction of A5 as a network of one layer. */
static ckda_status
open_tracker(ckda_net **net, ckda_error *err)
{
    const cli_net_source source = {.system = "A5"};
    if (cli_net_open(net, &source) == EXIT_HOLDS)
        return CKDA_OK;
    ckda_error_set(err, "the A5 tracker cannot be made");
    return CKDA_E_UNABLE;
}

static void
grow(ckda_page_bits *b, uint64_t *bits, const ckda_net *net)
{
    ckda_net_run *run = ckda_net_run_open(net);
    ckda_rand random;
    ckda_rand_init(&random, b->seed);
    for (size_t t = 0; t < b->length; t++) {
        ckda_net_run_step(run, (uint32_t)ckda_rand_below(&random, ckda_net_letters(net)),
                          NULL);
        bits[t] = 0;
        for (uint32_t h = 0; h < ckda_net_heads(net); h++) {
            const uint64_t now = ckda_net_run_bits(run, h);
            bits[t] = now > bits[t] ? now : bits[t];
        }
    }
    ckda_net_run_close(&run);
    b->bits = bits;
    b->construction = ckda_net_construction(net);
}

static ckda_status
add_growth(report_work *r, ckda_error *err)
{
    static const char *const titles[GROWTHS] = {"weighted automaton, paper's factors",
                                                "weighted automaton, our shorter factors",
                                                "A5 tracker"};
    static const char *const schemes[GROWTHS] = {"paper", "short", NULL};
    uint64_t *bits = flint_calloc(GROWTHS * MAX_LETTERS, sizeof *bits);
    ckda_page_bits list[GROWTHS];
    ckda_net *net[GROWTHS] = {NULL};
    ckda_status st = CKDA_OK;
    for (int i = 0; st == CKDA_OK && i < GROWTHS; i++) {
        st = i == 2   ? open_tracker(&net[i], err)
             : i == 1 ? open_weights(&net[i], CKDA_FACTOR_SHORT, err)
                      : open_weights(&net[i], CKDA_FACTOR_PAPER, err);
        if (st != CKDA_OK)
            break;
        list[i] = (ckda_page_bits){.title = titles[i],
                                   .system = i == 2 ? "A5" : "WFA, 2 states",
                                   .factoriser = schemes[i],
                                   .seed = r->w->seed,
                                   .length = (size_t)report_size(r, 200, 600, 600)};
        grow(&list[i], bits + i * MAX_LETTERS, net[i]);
        ckda_page_add_bits(r->page, &list[i]);
    }
    const ckda_page_growth growth = {list, GROWTHS};
    const cli_picture p = {ckda_page_data_bits, ckda_page_plot_bits, &growth};
    if (st == CKDA_OK)
        st = report_picture(
            r, "bits", "How many bits an exact state needs",
            "Bits of the largest numerator or denominator in the states of "
            "exact networks on one random word: they grow with the word for "
            "a weighted automaton with fractions, and never for a tracker "
            "with finitely many states.",
            &p, err);
    for (int i = 0; i < GROWTHS; i++)
        ckda_net_close(&net[i]);
    flint_free(bits);
    return st;
}

/* ---- all of it ------------------------------------------------------------------------ */

typedef struct {
    const char *name;
    ckda_status (*add)(report_work *r, ckda_error *err);
} part;

static const part parts[] = {{"Figure 2", add_window},
                             {"Figure 11", add_any_key},
                             {"levels of A5", add_levels},
                             {"bits", add_growth},
                             {"drift", report_drift}};
enum { PARTS = sizeof parts / sizeof parts[0] };

static ckda_status
interrupted(ckda_error *err)
{
    ckda_error_set(err, "interrupted; nothing was written");
    return CKDA_E_UNABLE;
}

static ckda_status
run_parts(report_work *r, ckda_error *err)
{
    ckda_status st = CKDA_OK;
    for (size_t i = 0; st == CKDA_OK && i < PARTS; i++) {
        cli_steps_show(&r->steps, parts[i].name);
        st = *r->w->stop ? interrupted(err) : parts[i].add(r, err);
        cli_steps_done(&r->steps);
    }
    if (st == CKDA_OK)
        st = report_rounded(r, err);
    return st == CKDA_OK && *r->w->stop ? interrupted(err) : st;
}

/* The working folder is pictures/ while f runs, whatever happens in it. */
static ckda_status
in_pictures(report_work *r, ckda_error *err)
{
    char *path = cli_folder_path(r->w->folder, "pictures");
    const int back = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ckda_status st = CKDA_OK;
    if (back < 0 || mkdir(path, 0777) != 0 || chdir(path) != 0) {
        ckda_error_set(err, "%s: %s", path, strerror(errno));
        st = CKDA_E_IO;
    } else {
        st = run_parts(r, err);
        if (fchdir(back) != 0 && st == CKDA_OK) {
            ckda_error_set(err, "the folder to go back to is gone: %s", strerror(errno));
            st = CKDA_E_IO;
        }
    }
    if (back >= 0)
        close(back);
    free(path);
    return st;
}

ckda_status
cli_report_results(ckda_page *p, const cli_report_want *w, ckda_error *err)
{
    report_work r = {.page = p, .w = w, .not_drawn = w->draw ? NULL : w->not_drawn};
    cli_steps_begin(&r.steps, PARTS + report_rounded_rows(&r));
    return in_pictures(&r, err);
}
