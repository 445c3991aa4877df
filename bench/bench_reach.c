/* The closure of one system from a document: states, time, memory a state.
 *
 *   bench_reach FILE [THREADS [MAX_STATES]]
 *
 * Prints "reach FILE threads T verdict V states N levels L wall S cpu S state B held H
 * resident R": bytes of one state, bytes a state that the search counts, bytes a state of
 * the process at its largest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "ckda/input.h"
#include "ckda/reach.h"

static double
cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double
resident_bytes(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return 1024.0 * (double)u.ru_maxrss;
}

static const char *
verdict(const ckda_reach_t r)
{
    return r->finite == CKDA_TRUE    ? "finite"
           : r->finite == CKDA_FALSE ? "infinite"
                                     : r->limit;
}

int
main(int argc, char **argv)
{
    ckda_input_system_t s;
    ckda_reach_t r;
    ckda_error err;
    if (argc < 2 || ckda_input_system_open(s, argv[1], NULL, &err) != CKDA_OK) {
        fprintf(stderr, "%s\n",
                argc < 2 ? "usage: bench_reach FILE [THREADS [STATES]]" : err.text);
        return 1;
    }
    ckda_reach_options o = {.threads = argc > 2 ? atoi(argv[2]) : 1};
    if (argc > 3)
        o.limits.max_states = strtoull(argv[3], NULL, 10);
    const double before = resident_bytes(), wall = ckda_wall_seconds(),
                 cpu = cpu_seconds();
    if (ckda_reach_run_options(r, s->sys, &o, &err) != CKDA_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    const char *slash = strrchr(argv[1], '/');
    printf(
        "reach %s threads %d verdict %s states %lu levels %u wall %.2f cpu %.2f state %u "
        "held %.1f resident %.1f\n",
        slash != NULL ? slash + 1 : argv[1], o.threads, verdict(r),
        (unsigned long)r->states, r->nlevels, ckda_wall_seconds() - wall,
        cpu_seconds() - cpu, r->state_bytes, (double)r->bytes / (double)r->states,
        (resident_bytes() - before) / (double)r->states);
    printf("reach %s %s\n", slash != NULL ? slash + 1 : argv[1], r->exactness);
    ckda_reach_clear(r);
    ckda_input_system_clear(s);
    flint_cleanup();
    return 0;
}
