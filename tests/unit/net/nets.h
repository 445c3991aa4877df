/* Automata and networks that several tests use. */
#ifndef TEST_NETS_H
#define TEST_NETS_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include "ckda/net.h"

typedef struct {
    ckda_net_method method;
    ckda_factor_scheme scheme;
    long block;
} how;
#define PAPER_THREE ((how){CKDA_NET_THREE, CKDA_FACTOR_PAPER, 0})
#define SHORT_THREE ((how){CKDA_NET_THREE, CKDA_FACTOR_SHORT, 0})
#define WINDOW ((how){CKDA_NET_WINDOW, CKDA_FACTOR_SHORT, 0})
#define AUTO ((how){CKDA_NET_AUTO, CKDA_FACTOR_SHORT, 0})
#define SERIES ((how){CKDA_NET_SERIES, CKDA_FACTOR_SHORT, 0})
#define SMALL ((how){CKDA_NET_SMALL, CKDA_FACTOR_SHORT, 0})

/* next[letter * states + state]; every state but 0 accepts. */
static inline ckda_status
dfa_try(ckda_net **net, uint32_t states, uint32_t letters, const uint32_t *next, how h)
{
    ckda_dfa_t A;
    const ckda_net_options o = {h.method, h.scheme, h.block};
    ckda_dfa_init(A, states, letters);
    for (uint32_t i = 0; i < states * letters; i++)
        A->next[i] = next[i];
    for (uint32_t q = 1; q < states; q++)
        A->accept[q] = true;
    const ckda_status st = ckda_net_compile_dfa(net, A, &o, NULL);
    ckda_dfa_clear(A);
    return st;
}

static inline ckda_net *
dfa_net(uint32_t states, uint32_t letters, const uint32_t *next, how h)
{
    ckda_net *net = NULL;
    assert_int_equal(dfa_try(&net, states, letters, next, h), CKDA_OK);
    return net;
}

static const uint32_t flip_flop[] = {1, 1, 0, 0, 0, 1}; /* s, r, i */
static const uint32_t parity[] = {0, 1, 1, 0};
static const uint32_t one_state[] = {0, 0};
static const uint32_t s3_two[] = {1, 0, 2, 1, 2, 0};
static const uint32_t t3_generators[] = {1, 2, 0, 1, 0, 2, 0, 0, 2};
static const uint32_t resets_cycle[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 1, 2, 0};
static const uint32_t subsequence_ab[] = {1, 1, 2, 0, 2, 2, 0, 1, 2};
static const uint32_t contains_abb[] = {1, 1, 1, 3, 0, 2, 3, 3};
static const uint32_t reset4[] = {1, 2, 3, 0, 0, 0, 0, 0, 1, 1,
                                  1, 1, 2, 2, 2, 2, 3, 3, 3, 3};

static inline void
all_maps3(uint32_t next[81])
{
    for (uint32_t f = 0; f < 27; f++) {
        next[3 * f] = f % 3;
        next[3 * f + 1] = f / 3 % 3;
        next[3 * f + 2] = f / 9;
    }
}

/* Every element is a letter. */
static inline ckda_status
group_try(ckda_net **net, const char *name, how h)
{
    ckda_group_t G;
    const ckda_net_options o = {h.method, h.scheme, h.block};
    assert_int_equal(ckda_group_init_named(G, name, NULL), CKDA_OK);
    uint32_t *letters = malloc(G->order * sizeof *letters);
    assert_non_null(letters);
    for (uint32_t g = 0; g < G->order; g++)
        letters[g] = g;
    const ckda_status st =
        ckda_net_compile_group(net, G, letters, NULL, G->order, &o, NULL);
    free(letters);
    if (st != CKDA_OK)
        ckda_group_clear(G);
    return st;
}

static inline ckda_net *
group_net(const char *name, how h)
{
    ckda_net *net = NULL;
    assert_int_equal(group_try(&net, name, h), CKDA_OK);
    return net;
}

/* nletters matrices with entries divided by den. */
static inline ckda_net *
wfa_net(long n, uint32_t nletters, const slong *entries, long den, const slong *initial,
        const slong *final, long final_den, how h)
{
    ckda_field_t Q;
    ckda_wfa_t A;
    ckda_net *net = NULL;
    const ckda_net_options o = {h.method, h.scheme, h.block};
    ckda_field_init_rational(Q);
    ckda_wfa_init(A, n, nletters, Q);
    for (uint32_t x = 0; x < nletters; x++)
        ckda_mat_set_si(A->matrix + x, entries + (slong)x * n * n, den, Q);
    ckda_mat_set_si(A->initial, initial, 1, Q);
    ckda_mat_set_si(A->final, final, final_den, Q);
    assert_int_equal(ckda_net_compile_wfa(&net, A, Q, &o, NULL), CKDA_OK);
    ckda_wfa_clear(A, Q);
    ckda_field_clear(Q);
    return net;
}

/* The two letters of V8. */
static inline ckda_net *
w2_net(how h)
{
    static const slong entries[] = {4, -30, 0, 3, 6, 2, -12, 0}, initial[] = {1, -1},
                       final[] = {7, 2};
    return wfa_net(2, 2, entries, 6, initial, final, 7, h);
}

/* Letters at random; every prefix must equal the direct product. */
static inline void
check_random(const ckda_net *net, int length, uint64_t seed)
{
    ckda_rand r;
    ckda_net_target t;
    ckda_rand_init(&r, seed);
    ckda_net_run *run = ckda_net_run_open(net);
    ckda_net_target_init(&t, net);
    for (int i = 0; i < length; i++) {
        const uint32_t x = (uint32_t)ckda_rand_below(&r, ckda_net_letters(net));
        ckda_net_run_step(run, x, NULL);
        ckda_net_target_step(&t, x, net);
        assert_true(ckda_net_output_equal(net, ckda_net_run_output(run), &t.now));
    }
    ckda_net_target_clear(&t, net);
    ckda_net_run_close(&run);
}

/* All words of this length, one after the other; returns the number of prefixes. */
static inline long
check_all_words(const ckda_net *net, int length)
{
    const uint32_t k = ckda_net_letters(net);
    long total = 1, prefixes = 0;
    for (int i = 0; i < length; i++)
        total *= k;
    for (long w = 0; w < total; w++) {
        ckda_net_target t;
        ckda_net_run *run = ckda_net_run_open(net);
        ckda_net_target_init(&t, net);
        long rest = w;
        for (int i = 0; i < length; i++, rest /= k, prefixes++) {
            const uint32_t x = (uint32_t)(rest % k);
            ckda_net_run_step(run, x, NULL);
            ckda_net_target_step(&t, x, net);
            assert_true(ckda_net_output_equal(net, ckda_net_run_output(run), &t.now));
        }
        ckda_net_target_clear(&t, net);
        ckda_net_run_close(&run);
    }
    return prefixes;
}

static inline void
assert_closes(ckda_net *net, uint64_t states, uint64_t edges)
{
    ckda_net_closure c;
    ckda_net_explore(&c, net, NULL);
    assert_int_equal(c.right, CKDA_TRUE);
    assert_null(c.limit);
    assert_int_equal(c.states, states);
    assert_int_equal(c.edges, edges);
    ckda_net_closure_clear(&c);
    ckda_net_close(&net);
}

static inline int
finish(void **state)
{
    (void)state;
    flint_cleanup();
    return 0;
}
#endif
