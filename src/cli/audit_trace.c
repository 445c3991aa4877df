/* ckda audit --trace FILE... */
#include "audit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <omp.h>

#include "ckda/limits.h"
#include "ckda/report_trace.h"

/* All .npy files are one trace; any other path is a trace of its own. */
typedef struct {
    const char *files[AUDIT_MAX_FILES];
    size_t nfiles;
    bool npy;
    ckda_tensors ts;
    ckda_trace *trace;
    ckda_trace_result *result;
    double seconds;
} job;

static bool
is_npy(const char *path)
{
    const size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".npy") == 0;
}

static size_t
sort_out(job *jobs, const audit_options *o)
{
    size_t n = 0;
    for (int i = 0; i < o->ntraces; i++) {
        const bool npy = is_npy(o->trace[i]);
        size_t at = n;
        for (size_t j = 0; j < n && npy; j++)
            if (jobs[j].npy)
                at = j;
        if (at == n)
            jobs[n++] = (job){.npy = npy};
        jobs[at].files[jobs[at].nfiles++] = o->trace[i];
    }
    return n;
}

static ckda_status
judge(job *j, ckda_error *err)
{
    const ckda_trace_options opt = {.diagnose = true};
    const double start = ckda_wall_seconds();
    ckda_status st = CKDA_OK;
    ckda_tensors_init(&j->ts);
    for (size_t i = 0; st == CKDA_OK && i < j->nfiles; i++)
        st = ckda_tensors_read(&j->ts, j->files[i], err);
    if (st != CKDA_OK)
        return st;
    st = ckda_trace_open(&j->trace, &j->ts, err);
    if (st == CKDA_OK)
        st = ckda_trace_judge(&j->result, j->trace, &opt, err);
    if (st != CKDA_OK) /* readers name their file, these name a tensor */
        ckda_error_prefix(err, j->files[0]);
    j->seconds = ckda_wall_seconds() - start;
    return st;
}

static void
clear(job *j)
{
    ckda_trace_result_free(&j->result);
    ckda_trace_close(&j->trace);
    ckda_tensors_clear(&j->ts);
}

static int
exit_code(const job *jobs, size_t n)
{
    ckda_truth all = CKDA_TRUE;
    for (size_t i = 0; i < n; i++)
        all = ckda_truth_and(all, jobs[i].result->within);
    return all == CKDA_TRUE    ? EXIT_HOLDS
           : all == CKDA_FALSE ? EXIT_REFUTED
                               : EXIT_UNDECIDED;
}

int
audit_trace(const audit_options *o)
{
    job jobs[AUDIT_MAX_FILES];
    ckda_judged_trace list[AUDIT_MAX_FILES];
    ckda_error err;
    ckda_status st = CKDA_OK;
    const size_t n = sort_out(jobs, o);
    size_t done = 0;
    ckda_error_clear(&err);
    if (o->threads > 0)
        omp_set_num_threads(o->threads);
    while (st == CKDA_OK && done < n)
        st = judge(&jobs[done++], &err);
    for (size_t i = 0; i < done; i++)
        list[i] = (ckda_judged_trace){jobs[i].files, jobs[i].nfiles, jobs[i].result,
                                      jobs[i].seconds};
    int code;
    if (st == CKDA_OK) {
        ckda_report_traces(stdout, o->json, list, n);
        code = exit_code(jobs, n);
    } else {
        code = cli_fail(st, &err);
    }
    for (size_t i = 0; i < done; i++)
        clear(&jobs[i]);
    return code;
}
