/* Which states can A5 reach, and after how many letters?
 *
 *     cc reach.c $(pkg-config --cflags --libs ckda) -o reach && ./reach A5              */
#include <inttypes.h>
#include <stdio.h>

#include <ckda/construct.h>
#include <ckda/reach.h>

static int
failed(const char *what, const ckda_error *err)
{
    fprintf(stderr, "%s: %s\n", what, err->text);
    return 4;
}

static void
show(const ckda_construction_t c, const ckda_reach_t r)
{
    printf("%s, dimension %ld: %s\n", c->name, (long)c->n,
           r->finite == CKDA_TRUE    ? "finite"
           : r->finite == CKDA_FALSE ? "infinite"
                                     : "undecided");
    for (uint32_t length = 0; length < r->nlevels; length++)
        printf("  %" PRIu64 " states first after %" PRIu32 " letters\n", r->level[length],
               length);
    printf("  %" PRIu64 " states, %" PRIu64 " edges; decoder consistent: %s\n", r->states,
           r->edges, r->decoder_consistent == CKDA_TRUE ? "yes" : "not proved");
}

int
main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "A5";
    const ckda_limits limits = {.max_states = 100000, .max_seconds = 60};
    ckda_construction_t c;
    ckda_system_t system;
    ckda_reach_t r;
    ckda_error err;
    ckda_error_clear(&err);
    if (ckda_construct(c, name, NULL, &err) != CKDA_OK)
        return failed(name, &err);
    ckda_system_init_construct(system, c);
    const ckda_status status = ckda_reach_run(r, system, &limits, 0, &err);
    if (status == CKDA_OK) {
        show(c, r);
        ckda_reach_clear(r);
    }
    ckda_system_clear(system);
    ckda_construct_clear(c);
    flint_cleanup();
    return status == CKDA_OK ? 0 : failed(name, &err);
}
