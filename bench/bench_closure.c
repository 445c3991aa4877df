/* The certified closure of the A_5 tracker, end to end: group, construction with all its
 * checks, 432000 edges with the decoder proved on each, certificate.
 *
 * Prints CPU milliseconds, best of several rounds: "closure ours MS states N", and "closure
 * each-edge MS states N" where every edge is a product that is looked up. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ckda/reach.h"

static double
cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* One round; exits on anything but the certified answer. */
static double
round_ms(double *construct_ms, uint64_t *states, unsigned flags)
{
    ckda_construction_t c;
    ckda_system_t sys;
    ckda_reach_t r;
    ckda_error err;
    const double t0 = cpu_ms();
    if (ckda_construct(c, "A5", "quaternion", &err) != CKDA_OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    ckda_system_init_construct(sys, c);
    const double t1 = cpu_ms();
    if (ckda_reach_run(r, sys, NULL, flags, &err) != CKDA_OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    const double t2 = cpu_ms();
    if (r->finite != CKDA_TRUE || r->decoder_consistent != CKDA_TRUE) {
        fprintf(stderr, "not certified: %s\n", r->exactness);
        exit(1);
    }
    *states = r->states;
    if (t1 - t0 < *construct_ms)
        *construct_ms = t1 - t0;
    ckda_reach_clear(r);
    ckda_system_clear(sys);
    ckda_construct_clear(c);
    return t2 - t0;
}

static void
measure(const char *name, int rounds, unsigned flags)
{
    double best = 1e300, construct = 1e300;
    uint64_t states = 0;
    for (int i = 0; i < rounds; i++) {
        const double ms = round_ms(&construct, &states, flags);
        best = ms < best ? ms : best;
    }
    printf("closure %s %.2f states %lu (construction %.2f of it)\n", name, best,
           (unsigned long)states, construct);
}

int
main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 20;
    measure("ours", rounds, 0);
    measure("each-edge", rounds, CKDA_REACH_EVERY_PRODUCT);
    flint_cleanup();
    return 0;
}
