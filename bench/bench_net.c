/* Exact runs of compiled networks, every prefix compared with the direct product.
 *
 * Prints CPU time: "net NAME length T prefixes PER_SECOND bits MAX", best of several
 * rounds. bench/net_fractions.py runs this program and a plain Python network on the same
 * words and prints the ratio.  The words come from the generator x <- 25214903917 x + 11
 * mod 2^48, x = 1 at first, letter (x >> 16) mod letters, so that both can make them. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ckda/net.h"

static double
cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void
fail(const char *what)
{
    fprintf(stderr, "bench_net: %s\n", what);
    exit(1);
}

/* One run; exits on anything but equality at every prefix. */
static double
round_seconds(const ckda_net *net, int length, ulong *bits)
{
    uint64_t x = 1;
    ckda_net_target target;
    ckda_net_run *run = ckda_net_run_open(net);
    ckda_net_target_init(&target, net);
    const double start = cpu_seconds();
    for (int t = 0; t < length; t++) {
        x = (x * UINT64_C(25214903917) + 11) & ((UINT64_C(1) << 48) - 1);
        const uint32_t letter = (uint32_t)((x >> 16) % ckda_net_letters(net));
        ckda_net_run_step(run, letter, NULL);
        ckda_net_target_step(&target, letter, net);
        if (!ckda_net_output_equal(net, ckda_net_run_output(run), &target.now))
            fail("an output differs from the direct product");
        const ulong b = ckda_net_run_bits(run, ckda_net_heads(net) - 1);
        *bits = b > *bits ? b : *bits;
    }
    const double seconds = cpu_seconds() - start;
    ckda_net_target_clear(&target, net);
    ckda_net_run_close(&run);
    return seconds;
}

static void
measure(const char *name, const ckda_net *net, int length)
{
    double best = 1e300;
    ulong bits = 0;
    for (int i = 0; i < 5; i++) {
        const double s = round_seconds(net, length, &bits);
        best = s < best ? s : best;
    }
    printf("net %s length %d prefixes %.0f bits %lu\n", name, length, length / best,
           bits);
}

static ckda_net *
group_net(const char *name, ckda_net_method method)
{
    ckda_group_t G;
    ckda_net *net;
    const ckda_net_options o = {method, CKDA_FACTOR_PAPER, 0};
    if (ckda_group_init_named(G, name, NULL) != CKDA_OK)
        fail(name);
    uint32_t *letters = flint_malloc(G->order * sizeof *letters);
    for (uint32_t g = 0; g < G->order; g++)
        letters[g] = g;
    if (ckda_net_compile_group(&net, G, letters, NULL, G->order, &o, NULL) != CKDA_OK)
        fail(name);
    flint_free(letters);
    return net;
}

/* a = [[2/3, -5], [0, 1/2]], b = [[1, 1/3], [-2, 0]]. */
static ckda_net *
wfa_net(ckda_factor_scheme scheme)
{
    ckda_field_t Q;
    ckda_wfa_t A;
    ckda_net *net;
    const ckda_net_options o = {CKDA_NET_THREE, scheme, 0};
    ckda_field_init_rational(Q);
    ckda_wfa_init(A, 2, 2, Q);
    ckda_mat_set_si(A->matrix, (const slong[]){4, -30, 0, 3}, 6, Q);
    ckda_mat_set_si(A->matrix + 1, (const slong[]){3, 1, -6, 0}, 3, Q);
    ckda_mat_set_si(A->initial, (const slong[]){1, -1}, 1, Q);
    ckda_mat_set_si(A->final, (const slong[]){7, 2}, 7, Q);
    if (ckda_net_compile_wfa(&net, A, Q, &o, NULL) != CKDA_OK)
        fail("weighted automaton");
    ckda_wfa_clear(A, Q);
    ckda_field_clear(Q);
    return net;
}

int
main(void)
{
    ckda_net *net = group_net("S5", CKDA_NET_THREE);
    for (int length = 250; length <= 2000; length *= 2)
        measure("S5", net, length);
    ckda_net_close(&net);
    net = group_net("S5", CKDA_NET_SERIES);
    measure("S5-two-layer", net, 2000);
    ckda_net_close(&net);
    for (int s = 0; s < 2; s++) {
        net = wfa_net((ckda_factor_scheme)s);
        for (int length = 100; length <= 800; length *= 2)
            measure(s == 0 ? "W2-paper" : "W2-short", net, length);
        ckda_net_close(&net);
    }
    flint_cleanup();
    return 0;
}
