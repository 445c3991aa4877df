/* Words: copies the tables to the device, picks a kernel and its shape, launches, times. */
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "device_memory.cuh"
#include "words_common.cuh"

namespace ckda
{

static int
attribute(cudaDeviceAttr what)
{
    int device = 0, value = 0;
    if (cudaGetDevice(&device) != cudaSuccess
        || cudaDeviceGetAttribute(&value, what, device) != cudaSuccess)
        return 0;
    return value;
}

/* ---- which kernel --------------------------------------------------------------------- */

static bool
is_reasonable(const ckda_gpu_automaton &a)
{
    return a.n >= CKDA_GPU_MIN_N && a.n <= CKDA_GPU_MAX_N && a.letters >= 1
           && a.letters <= 65535 && a.states >= 1 && a.states <= 65535
           && a.micro_steps >= a.letters && a.pairs <= 256 && a.scale > 0
           && (a.pairs == 0 || a.n == 4)
           && (a.store == CKDA_GPU_STORE_FP64 ? a.fp64 : a.store <= CKDA_GPU_STORE_GRID);
}

static bool
is_reasonable(const ckda_gpu_words *w)
{
    if (w->sequences == 0 || w->steps == 0 || w->sequences > UINT64_C(1) << 32
        || w->steps > UINT64_C(1) << 48 || w->ncheckpoints > CKDA_GPU_MAX_CHECKPOINTS)
        return false;
    return are_checkpoints(w->checkpoint, w->ncheckpoints, w->steps)
           && is_reasonable(w->a);
}

/* One reflection a letter, and one gate of signs for all of them? */
static bool
has_common_signs(const ckda_gpu_automaton &a)
{
    if (a.micro_steps != a.letters)
        return false;
    for (uint32_t s = 0; s < a.micro_steps; s++)
        for (int i = 0; i < a.n; i++) {
            const double g = a.gate[s * a.n + i];
            if (g != a.gate[i] || (g != 1 && g != -1))
                return false;
        }
    return true;
}

static bool
takes_fast(const ckda_gpu_words *w)
{
    const ckda_gpu_automaton &a = w->a;
    bool even = w->steps % 16 == 0 && w->check_every % 16 == 0
                && w->steps / 16 < UINT32_MAX / 2 && w->check_every / 16 < UINT32_MAX / 2;
    for (uint32_t i = 0; i < w->ncheckpoints; i++)
        even = even && w->checkpoint[i] % 16 == 0;
    return even && !w->general && !w->hash && !a.fp64 && !a.rtz && a.flush == 0
           && !a.beta_on_dot && (a.n == 2 || a.n == 4) && a.letters <= 256
           && has_common_signs(a);
}

/* ---- tables ------------------------------------------------------------------------------ */

template <typename REAL>
static const void *
parameters(device_memory &m, const ckda_gpu_automaton &a)
{
    const size_t n = (size_t)a.micro_steps * a.n;
    std::vector<REAL> all;
    for (const double *part : {a.key, a.scaled_key, a.gate})
        for (size_t i = 0; i < n; i++)
            all.push_back((REAL)part[i]);
    for (uint32_t s = 0; s < a.micro_steps; s++)
        all.push_back((REAL)a.beta[s]);
    return m.copy_of(all);
}

static uint32_t
pair_words(const ckda_gpu_automaton &a)
{
    return (a.pairs + 1) / 2; /* of four bytes, a row of one copy */
}

static size_t
pair_bytes(const ckda_gpu_automaton &a, uint32_t copies)
{
    return (size_t)2 * a.letters * pair_words(a) * 4 * copies
           + (size_t)2 * a.pairs * 4 * sizeof(float);
}

/* The most copies, up to eight, that fit; 0: not even one. */
static uint32_t
pair_copies(const ckda_gpu_automaton &a, size_t room)
{
    uint32_t copies = a.pairs > 0 ? 8 : 0;
    while (copies > 0 && pair_bytes(a, copies) > room)
        copies /= 2;
    return copies;
}

static void
set_pairs(word_params &p, device_memory &m, const ckda_gpu_automaton &a, uint32_t copies)
{
    const uint32_t width = 2 * pair_words(a);
    std::vector<uint16_t> next((size_t)2 * a.letters * width, 0);
    std::vector<float> value;
    p.copies = copies;
    p.pairs = a.pairs;
    p.pair_start = a.pair_start;
    p.row_bytes = width * 2 * copies;
    for (int side = 0; side < 2; side++) {
        const uint8_t *from = side == 0 ? a.left : a.right;
        const double *quaternion = side == 0 ? a.left_value : a.right_value;
        for (uint32_t l = 0; l < a.letters; l++)
            for (uint32_t i = 0; i < a.pairs; i++) {
                const uint32_t to = from[l * a.pairs + i];
                next[(side * (size_t)a.letters + l) * width + i] =
                    (uint16_t)(to / 2 * 4 * copies + to % 2 * 2);
            }
        for (uint32_t i = 0; i < 4 * a.pairs; i++)
            value.push_back((float)(quaternion[i] * (side == 0 ? a.scale : 1)));
    }
    p.pair_next = m.copy_of(next);
    p.pair_value = m.copy_of(value);
    p.pair = m.copy_of(a.pair, (size_t)a.pairs * a.pairs);
}

static void
set_automaton(word_params &p, device_memory &m, const ckda_gpu_automaton &a)
{
    const size_t entries = (size_t)a.n * a.n;
    std::vector<float> scaled;
    for (size_t i = 0; i < a.states * entries; i++)
        scaled.push_back((float)(a.scale * a.value[i]));
    p.letters = a.letters;
    p.micro_steps = a.micro_steps;
    p.states = a.states;
    p.first = m.copy_of(a.first, a.letters + 1);
    p.parameters = a.fp64 ? parameters<double>(m, a) : parameters<float>(m, a);
    p.next = make_next(m, a);
    p.decode = make_decoder(m, a);
    p.scaled_value = m.copy_of(scaled);
    p.initial = m.copy_of(a.initial, entries);
    p.scale = a.scale;
    p.flush = a.flush;
    p.rtz = a.rtz;
    p.beta_on_dot = a.beta_on_dot;
    p.store = a.store;
    const float near = (float)(0.49 * a.margin * a.scale);
    p.near_squared = near * near;
}

/* Everything but pairs and results. */
static word_params
make_params(device_memory &m, const ckda_gpu_words *w)
{
    word_params p = {};
    set_automaton(p, m, w->a);
    p.seed = w->seed;
    p.sequences = w->sequences;
    p.steps = w->steps;
    p.check_every = w->check_every;
    p.hash = w->hash;
    p.ncheckpoints = w->ncheckpoints;
    p.checkpoint = m.copy_of(w->checkpoint, w->ncheckpoints);
    return p;
}

/* ---- launching ----------------------------------------------------------------------------- */

/* Few words are spread over all multiprocessors. */
static word_launch
shape(uint64_t sequences, unsigned most_threads, size_t shared)
{
    const uint64_t sms = std::max(1, attribute(cudaDevAttrMultiProcessorCount));
    const uint64_t each = (sequences + sms - 1) / sms;
    const uint64_t threads = std::min<uint64_t>((each + 31) / 32 * 32, most_threads);
    return {blocks(sequences, (unsigned)threads), (unsigned)threads, shared};
}

/* A launch that is ready to go: nothing is left to copy. */
struct plan {
    word_params p;
    word_launch at;
    bool fast, state;
    int exact; /* as in launch_fast */
};

static int
plan_general(plan &job, const ckda_gpu_automaton &a)
{
    const size_t real = a.fp64 ? sizeof(double) : sizeof(float);
    const size_t most = (size_t)attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    const size_t next = (size_t)a.states * a.letters * 2;
    size_t bytes = a.micro_steps * (3 * (size_t)a.n + 1) * real + (a.letters + 1) * 4;
    if (bytes > most)
        return CKDA_GPU_E_TABLES;
    job.p.next_in_shared = bytes + next <= most / 4;
    bytes += job.p.next_in_shared ? next : 0;
    job.at = shape(job.p.sequences, GENERAL_THREADS, bytes);
    job.fast = false;
    return CKDA_GPU_OK;
}

/* state, exact: what is stepped. */
static int
plan_fast(plan &job, device_memory &m, const ckda_gpu_automaton &a, bool state,
          bool exact)
{
    const size_t most = (size_t)attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    const size_t next = (size_t)a.states * a.letters * 2;
    size_t bytes = state ? (size_t)a.letters * KEY_ROW : 0;
    if (bytes > most)
        return CKDA_GPU_E_TABLES;
    const uint32_t copies = exact ? pair_copies(a, most - bytes) : 0;
    if (copies > 0) {
        set_pairs(job.p, m, a, copies);
        bytes += pair_bytes(a, copies);
    } else if (exact) {
        job.p.next_in_shared = bytes + next <= most;
        bytes += job.p.next_in_shared ? next : 0;
    }
    job.at = shape(job.p.sequences, state && exact ? FAST_TESTED_THREADS : FAST_THREADS,
                   bytes);
    job.fast = true;
    job.state = state;
    job.exact = copies > 0 ? 2 : exact ? 1 : 0;
    return m.failed ? CKDA_GPU_E_DEVICE : CKDA_GPU_OK;
}

static int
launch(const plan &job, const ckda_gpu_automaton &a)
{
    if (job.fast && !job.state)
        return launch_exact(job.p, job.at, job.exact == 2);
    if (job.fast)
        return a.n == 2 ? launch_fast<2>(job.p, job.at, a.fma, job.exact)
                        : launch_fast<4>(job.p, job.at, a.fma, job.exact);
    switch (a.n) {
    case 2:
        return launch_general<2>(job.p, job.at, a.fp64, a.fma);
    case 3:
        return launch_general<3>(job.p, job.at, a.fp64, a.fma);
    case 4:
        return launch_general<4>(job.p, job.at, a.fp64, a.fma);
    default:
        return launch_general<5>(job.p, job.at, a.fp64, a.fma);
    }
}

/* ---- letters in memory --------------------------------------------------------------------- */

static __global__ void
fill_letters(uint4 *out, uint64_t sequences, uint64_t blocks, uint64_t seed,
             uint32_t letters)
{
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= sequences * blocks)
        return;
    const uint64_t key = ckda_gpu_word_key(seed, i % sequences), block = i / sequences;
    uint32_t w[4] = {0, 0, 0, 0};
    for (int quad = 0; quad < 4; quad++) {
        const uint64_t bits = ckda_gpu_letter_bits(key, block * 4 + quad);
        for (int place = 0; place < 4; place++)
            w[quad] |= ckda_gpu_letter(bits, place, letters) << 8 * place;
    }
    out[i] = make_uint4(w[0], w[1], w[2], w[3]);
}

/* Steps a second: the median of five launches after a first one; 0 after an error. */
static double
rate(word_params p, device_memory &m, const ckda_gpu_automaton &a, bool state, bool exact)
{
    plan job = {};
    job.p = p;
    if (plan_fast(job, m, a, state, exact) != CKDA_GPU_OK)
        return 0;
    double seconds = 0;
    const int code = median_seconds(&seconds, 1, 5, [&](int) { return launch(job, a); });
    return code == CKDA_GPU_OK && seconds > 0
               ? (double)p.sequences * (double)p.steps / seconds
               : 0;
}

} // namespace ckda

using namespace ckda;

extern "C" uint64_t
ckda_gpu_words_at_once(void)
{
    /* a multiple of both sizes of blocks */
    return (uint64_t)std::max(1, attribute(cudaDevAttrMultiProcessorCount)) * 3072;
}

extern "C" int
ckda_gpu_run_words(ckda_gpu_words_result *r, const ckda_gpu_words *w)
{
    if (!is_reasonable(w))
        return CKDA_GPU_E_RANGE;
    device_memory m;
    word_params p = make_params(m, w);
    const size_t entries = (size_t)w->a.n * w->a.n, s = w->sequences;
    p.final_state = r->final_state ? m.get<double>(s * entries) : nullptr;
    p.final_exact = r->final_exact ? m.get<uint32_t>(s) : nullptr;
    p.prefix_hash = r->prefix_hash ? m.get<uint64_t>(s) : nullptr;
    p.first_wrong = r->first_wrong ? m.get<uint64_t>(s) : nullptr;
    p.drift = r->drift ? m.get<float>(s * w->ncheckpoints) : nullptr;
    p.worst = r->worst ? m.get<float>(s) : nullptr;
    if (m.failed)
        return CKDA_GPU_E_DEVICE;
    plan job = {};
    job.p = p;
    r->was_general = !takes_fast(w);
    int code =
        r->was_general ? plan_general(job, w->a) : plan_fast(job, m, w->a, true, true);
    if (code != CKDA_GPU_OK)
        return code;
    stop_watch watch;
    watch.start();
    code = launch(job, w->a);
    r->seconds = watch.stop();
    if (code != CKDA_GPU_OK)
        return code;
    m.to_host(r->final_state, p.final_state, s * entries);
    m.to_host(r->final_exact, p.final_exact, s);
    m.to_host(r->prefix_hash, p.prefix_hash, s);
    m.to_host(r->first_wrong, p.first_wrong, s);
    m.to_host(r->drift, p.drift, s * w->ncheckpoints);
    m.to_host(r->worst, p.worst, s);
    return r->seconds < 0 || m.failed ? CKDA_GPU_E_DEVICE : CKDA_GPU_OK;
}

extern "C" int
ckda_gpu_word_bench(ckda_gpu_word_rates *rates, const ckda_gpu_words *job)
{
    ckda_gpu_words w = *job;
    w.check_every = 16;
    w.ncheckpoints = 0;
    w.hash = w.general = false;
    if (!is_reasonable(&w) || !takes_fast(&w))
        return CKDA_GPU_E_RANGE;
    device_memory m;
    word_params p = make_params(m, &w);
    const uint64_t groups = w.steps / 16, cells = groups * w.sequences;
    uint4 *bytes = m.get<uint4>(cells);
    p.final_state = m.get<double>(w.sequences * w.a.n * w.a.n);
    p.final_exact = m.get<uint32_t>(w.sequences);
    p.first_wrong = m.get<uint64_t>(w.sequences);
    if (m.failed)
        return CKDA_GPU_E_DEVICE;
    fill_letters<<<blocks(cells), 256>>>(bytes, w.sequences, groups, w.seed, w.a.letters);
    word_params read = p;
    read.letter_bytes = bytes;
    word_params bare = read; /* writes no verdicts */
    bare.first_wrong = nullptr;
    word_params alone = bare; /* and no state */
    bare.final_exact = nullptr;
    alone.final_state = nullptr;
    rates->state = rate(bare, m, w.a, true, false);
    rates->exact = rate(alone, m, w.a, false, true);
    rates->tested = rate(read, m, w.a, true, true);
    rates->random = rate(p, m, w.a, true, true);
    const bool good =
        rates->state > 0 && rates->exact > 0 && rates->tested > 0 && rates->random > 0;
    return good && !m.failed ? CKDA_GPU_OK : CKDA_GPU_E_DEVICE;
}
