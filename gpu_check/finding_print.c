/* How `ckda-gpu audit` prints a row. */
#include "finding.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../src/report/json.h"
#include "../src/report/json_arithmetic.h"
#include "ckda_gpu.h"
#include "gpu_cli.h"

/* ---- text ---------------------------------------------------------------------------------------- */

static const char *
kernel_text(char text[96], const gpu_row *row)
{
    if (row->kernel == ROW_WORDS) {
        snprintf(text, 96, "token by token");
        return text;
    }
    char snap[40] = "";
    if (row->snap > 0)
        snprintf(snap, sizeof snap, ", snap to 1/%" PRId64, row->snap);
    snprintf(text, 96, "%s kernel%s%s%s%s",
             row->kernel == ROW_CHUNK ? "chunked" : "recurrent",
             row->kernel == ROW_CHUNK ? ", " : "",
             row->kernel == ROW_CHUNK ? gpu_precision_name(row->precision) : "", snap,
             row->gate_kind == CKDA_GPU_GATE_LOG ? ", log gates" : "");
    return text;
}

static gpu_drift
drift_of(const gpu_finding *f)
{
    return (gpu_drift){f->checkpoint, f->ncheckpoints, f->drift, f->words};
}

static void
print_rows(const gpu_finding *f)
{
    const gpu_spread worst = gpu_spread_of(f->worst_row, f->words);
    const gpu_first_wrong first = gpu_first_wrong_of(f->first_row, f->words);
    printf("  rows of o: largest error %.4g; ", worst.max);
    if (first.failed == 0)
        printf("none reaches half the margin\n");
    else
        printf("%" PRIu64 " words have one beyond half the margin, the first at %" PRIu64
               "\n",
               first.failed, first.min);
    printf("  last states decoded exactly on the host: %" PRIu64 " wrong%s%s\n",
           f->final_wrong,
           f->mistaken > 0 ? "; THE EXACT STATES DIFFER FROM THE HOST'S" : "",
           f->out_of_range ? "; the kernel says that gates are out of range" : "");
}

void
gpu_finding_print(const gpu_finding *f)
{
    char kernel[96];
    char *text = ckda_arith_str(&f->row->arith);
    const gpu_first_wrong w = gpu_first_wrong_of(f->first, f->words);
    const gpu_drift drift = drift_of(f);
    const double tokens = (double)f->words * (double)f->length;
    printf("%s, %s construction, %s: %s\n", f->row->system, f->s->tracker->c->name,
           kernel_text(kernel, f->row), text);
    free(text);
    printf("  %" PRIu64 " words of %" PRIu64 " tokens, seed %" PRIu64
           ", decoded every %" PRIu64 "; %.3f s, kernel %.3f s, %.4g G tokens/s\n",
           f->words, f->length, f->seed, f->every, f->seconds, f->kernel_seconds,
           tokens / f->kernel_seconds * 1e-9);
    gpu_drift_print(&drift, 12);
    if (w.failed == 0)
        printf("  no wrong decode (m/2 = %.4g)\n", f->s->tracker->margin_low / 2);
    else
        gpu_first_wrong_print(&w);
    if (f->row->kernel != ROW_WORDS)
        print_rows(f);
    fflush(stdout);
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

static json_t *
kernel_json(const gpu_finding *f)
{
    const gpu_row *row = f->row;
    json_t *o = json_object();
    json_put_text(o, "name", gpu_kernel_name(row->kernel));
    if (row->kernel == ROW_WORDS)
        return o;
    const gpu_first_wrong first = gpu_first_wrong_of(f->first_row, f->words);
    json_put_text(o, "precision",
                  row->kernel == ROW_CHUNK ? gpu_precision_name(row->precision) : NULL);
    json_put(o, "snap", row->snap > 0 ? json_integer(row->snap) : json_null());
    json_put_text(o, "gate", gpu_gate_name(row->gate_kind));
    json_put_real(o, "largest_row_error", gpu_spread_of(f->worst_row, f->words).max);
    json_put(o, "first_row", gpu_first_wrong_json(&first));
    json_put_count(o, "last_wrong", f->final_wrong);
    json_put_bool(o, "out_of_range", f->out_of_range);
    return o;
}

static json_t *
predicted_json(const gpu_finding *f)
{
    json_t *o = json_object();
    json_put_real(o, "norm_rate", ckda_rounded_norm_rate(f->s->rounded));
    return o;
}

json_t *
gpu_finding_json(const gpu_finding *f)
{
    json_t *o = json_object();
    const gpu_first_wrong w = gpu_first_wrong_of(f->first, f->words);
    const gpu_drift drift = drift_of(f);
    uint64_t sure = 0;
    gpu_put_row(o, f->row, f->s);
    json_put_count(o, "seed", f->seed);
    json_put_count(o, "words", f->words);
    json_put_count(o, "length", f->length);
    json_put_count(o, "every", f->every);
    json_put_text(o, "decoder", "nearest");
    json_put_real(o, "scale", f->s->automaton.scale);
    json_put_real(o, "margin", f->s->tracker->margin_low);
    json_put(o, "drift", gpu_drift_json(&drift));
    json_put(o, "first_wrong", gpu_first_wrong_json(&w));
    json_put(o, "predicted", predicted_json(f));
    if (f->row->kernel == ROW_WORDS)
        sure = ckda_rounded_guaranteed_steps(NULL, NULL, f->s->rounded, f->s->tracker);
    json_put(o, "guaranteed_steps",
             f->row->kernel != ROW_WORDS || sure > INT64_MAX
                 ? json_null()
                 : json_integer((json_int_t)sure));
    json_put_bool(o, "guaranteed_always", sure == UINT64_MAX);
    json_put(o, "kernel", kernel_json(f));
    json_put_real(o, "seconds", f->seconds);
    json_put_real(o, "kernel_seconds", f->kernel_seconds);
    return o;
}
