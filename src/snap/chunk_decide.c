/* Proved, refuted, typical or undecided. */
#include <math.h>

#include "chunk_int.h"

const ckda_chunk_options ckda_chunk_options_default = {
    .random_chunks = 10000, .beam = 500, .seed = 1};

/* More words than these are tried only against a clock. */
static const double MOST_WORDS = 1e11;
/* After a proof random chunks only check the program. */
static const uint64_t CHECKS = 1000;

static double
seconds_left(double until)
{
    if (until == 0)
        return 0;
    const double left = until - ckda_wall_seconds();
    return left > 1e-3 ? left : 1e-3;
}

static void
prove(ckda_chunk_result *r, ckda_chunk_verdict v, ckda_chunk_how how)
{
    if (r->verdict != CKDA_CHUNK_UNDECIDED)
        return;
    r->verdict = v;
    r->how = how;
}

/* The witness refutes if the definition says so and letters have these lines. */
static void
try_witness(ckda_chunk_result *r, ckda_chunk_witness *w, const ckda_chunk_t k)
{
    if (r->verdict == CKDA_CHUNK_UNDECIDED && w->nletters > 0
        && ckda_chunk_witness_holds(w, k)) {
        prove(r, CKDA_CHUNK_REFUTED, CKDA_CHUNK_BY_WORD);
        r->witness = *w;
        memset(w, 0, sizeof *w);
    }
    ckda_chunk_witness_clear(w);
}

static void
use_bound(ckda_chunk_result *r, const ckda_chunk_t k)
{
    const uint32_t C = k->scheme.length, all = 4 * C < 128 ? 4 * C : C < 128 ? 128 : C;
    ckda_chunk_bound *b = flint_malloc(all * sizeof *b);
    ckda_chunk_bounds(b, all, k);
    r->bound = b[C - 1];
    while (r->proved_to < all && b[r->proved_to].delta < k->sigma)
        r->proved_to++;
    if (b[C - 1].delta < k->sigma)
        prove(r, CKDA_CHUNK_PROVED, CKDA_CHUNK_BY_BOUND);
    flint_free(b);
}

/* The whole length if that is few words or was asked for, else as far as few words go. */
static void
use_exhaustion(ckda_chunk_result *r, const ckda_chunk_options *o, double until,
               const ckda_chunk_t k)
{
    const double few = o->max_chunks > 0 ? (double)o->max_chunks : 0x1p20;
    const double cap = !o->exhaustive ? few : until > 0 ? INFINITY : MOST_WORDS;
    uint32_t length = k->scheme.length;
    while (length > 0 && ckda_chunk_word_count(length, k) > cap)
        length--;
    if (length == 0)
        return;
    ckda_chunk_witness w;
    r->exhaustive_max = flint_calloc(length, sizeof *r->exhaustive_max);
    const ckda_truth t = ckda_chunk_exhaust(r->exhaustive_max, &w, length, o->threads,
                                            seconds_left(until), k);
    if (t == CKDA_UNKNOWN) { /* the figures are of some words only */
        ckda_chunk_witness_clear(&w);
        return;
    }
    if (t == CKDA_TRUE || until == 0)
        r->exhaustive_lengths = length;
    r->exhausted = length == k->scheme.length && r->exhaustive_lengths == length;
    if (t == CKDA_TRUE && length == k->scheme.length)
        prove(r, CKDA_CHUNK_PROVED, CKDA_CHUNK_BY_EXHAUSTION);
    if (t == CKDA_FALSE && length == k->scheme.length)
        try_witness(r, &w, k);
    ckda_chunk_witness_clear(&w);
}

static void
use_beam(ckda_chunk_result *r, const ckda_chunk_options *o, double until,
         const ckda_chunk_t k)
{
    ckda_chunk_witness w;
    const double error = ckda_chunk_beam(&w, k->scheme.length, o->beam, o->threads,
                                         seconds_left(until), k);
    if (error >= 0) {
        r->beam_width = o->beam;
        r->beam_max = error;
    }
    try_witness(r, &w, k);
}

static void
use_random(ckda_chunk_result *r, const ckda_chunk_options *o, double until,
           const ckda_chunk_t k)
{
    const bool proved = r->verdict == CKDA_CHUNK_PROVED;
    const uint64_t chunks =
        proved && o->random_chunks > CHECKS ? CHECKS : o->random_chunks;
    const uint64_t wrong = chunk_random(r, chunks, o->seed, o->threads, until, k);
    if (wrong == UINT64_MAX)
        return;
    ckda_require(!proved, "random chunk %llu is wrong after a proof",
                 (unsigned long long)wrong);
    ckda_chunk_witness w = {0};
    chunk_random_witness(&w, o->seed, wrong, k);
    try_witness(r, &w, k);
}

ckda_status
ckda_chunk_decide(ckda_chunk_result *r, const ckda_chunk_t k, const ckda_chunk_options *o,
                  ckda_error *err)
{
    if (k->scheme.grid == 0) {
        ckda_error_set(err, "chunk: nothing is snapped without a grid; give --grid");
        return CKDA_E_DOMAIN;
    }
    const double began = ckda_wall_seconds();
    const double until = o->limits.max_seconds > 0 ? began + o->limits.max_seconds : 0;
    *r = (ckda_chunk_result){.verdict = CKDA_CHUNK_UNDECIDED, .sigma = k->sigma};
    if (ckda_chunk_is_exact(k) && k->sigma > 0) {
        prove(r, CKDA_CHUNK_PROVED, CKDA_CHUNK_BY_EXACTNESS);
        r->proved_to = k->scheme.length;
    } else {
        use_bound(r, k);
    }
    use_exhaustion(r, o, until, k);
    if (o->random_chunks > 0)
        use_random(r, o, until, k);
    if (o->beam > 0 && r->verdict == CKDA_CHUNK_UNDECIDED)
        use_beam(r, o, until, k);
    if (r->random.chunks > 0 && r->random.wrong == 0)
        prove(r, CKDA_CHUNK_TYPICAL, CKDA_CHUNK_BY_NOTHING);
    r->seconds = ckda_wall_seconds() - began;
    return CKDA_OK;
}

void
ckda_chunk_result_clear(ckda_chunk_result *r)
{
    flint_free(r->exhaustive_max);
    ckda_chunk_witness_clear(&r->witness);
    memset(r, 0, sizeof *r);
}
