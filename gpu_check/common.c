/* What the commands share. */
#include "gpu_cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/report/json.h"
#include "../src/report/json_arithmetic.h"
#include "ckda_gpu.h"
#include "measure.h"

const char *
gpu_need_device(void)
{
    static char name[256];
    int multiprocessors;
    if (ckda_gpu_device(name, &multiprocessors))
        return name;
    fputs("ckda-gpu: no CUDA device was found here; nothing was run\n", stderr);
    return NULL;
}

int
gpu_fail(ckda_status st, const ckda_error *err)
{
    fprintf(stderr, "ckda-gpu: %s\n", err->text);
    return st == CKDA_E_UNABLE ? EXIT_UNDECIDED : EXIT_BAD_INPUT;
}

int
gpu_fail_code(int code)
{
    fprintf(stderr, "ckda-gpu: %s\n", ckda_gpu_strerror(code));
    return EXIT_UNDECIDED;
}

void
gpu_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    const int failed = argp_parse(argp, argc, argv, 0, NULL, input);
    ckda_require(failed == 0, "the arguments cannot be parsed: %s", strerror(failed));
}

void *
gpu_room(uint64_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    ckda_require_memory(p != NULL);
    return p;
}

/* ---- figures ------------------------------------------------------------------------------- */

static int
by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static int
by_step(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

gpu_spread
gpu_spread_of(float *x, size_t count)
{
    qsort(x, count, sizeof *x, by_value);
    const gpu_spread s = {((double)x[(count - 1) / 2] + (double)x[count / 2]) / 2,
                          (double)x[count - 1]};
    return s;
}

gpu_first_wrong
gpu_first_wrong_of(const uint64_t *first, size_t count)
{
    gpu_first_wrong f = {0, 0, 0};
    uint64_t *order = malloc(count * sizeof *order);
    ckda_require_memory(order != NULL);
    for (size_t i = 0; i < count; i++) {
        order[i] = first[i] == 0 ? UINT64_MAX : first[i]; /* never comes last */
        f.failed += first[i] != 0;
    }
    qsort(order, count, sizeof *order, by_step);
    f.min = f.failed > 0 ? order[0] : 0;
    f.median = order[(count - 1) / 2] == UINT64_MAX ? 0 : order[(count - 1) / 2];
    free(order);
    return f;
}

json_t *
gpu_first_wrong_json(const gpu_first_wrong *f)
{
    json_t *o = json_object();
    json_put(o, "min", f->min > 0 ? json_integer((json_int_t)f->min) : json_null());
    json_put(o, "median",
             f->median > 0 ? json_integer((json_int_t)f->median) : json_null());
    json_put_count(o, "failed", f->failed);
    return o;
}

void
gpu_first_wrong_print(const gpu_first_wrong *f)
{
    printf("  wrong decodes: %" PRIu64 " words, first at %" PRIu64 ", median %" PRIu64
           "\n",
           f->failed, f->min, f->median);
}

static gpu_spread
drift_at(const gpu_drift *d, uint32_t i)
{
    return gpu_spread_of(d->drift + i * d->words, d->words);
}

void
gpu_drift_print(const gpu_drift *d, int width)
{
    for (uint32_t i = 0; i < d->count; i++) {
        const gpu_spread s = drift_at(d, i);
        printf("  %*" PRIu64 " drift median %.4g, max %.4g\n", width, d->checkpoint[i],
               s.median, s.max);
    }
}

json_t *
gpu_drift_json(const gpu_drift *d)
{
    json_t *rows = json_array();
    for (uint32_t i = 0; i < d->count; i++) {
        const gpu_spread s = drift_at(d, i);
        json_t *o = json_object();
        json_put_count(o, "t", d->checkpoint[i]);
        json_put_real(o, "median", s.median);
        json_put_real(o, "max", s.max);
        json_append(rows, o);
    }
    return rows;
}

void
gpu_put_row(json_t *object, const gpu_row *row, const gpu_system *s)
{
    json_put_text(object, "system", row->system);
    json_put_text(object, "construction", s->tracker->c->name);
    json_put(object, "arithmetic", json_arithmetic(&row->arith, s->tracker->n));
}
