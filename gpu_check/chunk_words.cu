/* Group words through the chunked or the recurrent kernel. */
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "chunk_words.h"
#include "ckda_gpu.h"
#include "decode.cuh"
#include "device_memory.cuh"
#include "launch.cuh"
#include "letters.h"

namespace ckda
{

enum { D = 16, UNITS = D * 2 / 16 }; /* a row is two times sixteen bytes */

/* ---- what the kernels get ---------------------------------------------------------------- */

struct tables {
    const uint4 *key, *gate; /* letters * UNITS, rows of bf16 */
    const float *beta;       /* letters */
    const uint16_t *next;
    decoder decode;
    uint32_t letters;
    int n;
    uint64_t seed, sequences;
    double scale;
};

struct segment {
    uint64_t start, length; /* start is a multiple of 16 */
    int checkpoint;         /* drift row to fill, or -1 */
};

/* What is known of every word. */
struct words_so_far {
    uint32_t *state;
    float *drift, *worst_row;
    uint64_t *first_wrong, *first_row;
};

/* ---- inputs ---------------------------------------------------------------------------------- */

/* One thread writes four tokens of one word. */
static __global__ void
write_inputs(uint4 *q, uint4 *k, uint4 *gate, float *beta, tables t, segment s)
{
    const uint64_t groups = (s.length + 3) / 4;
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= groups * t.sequences)
        return;
    const uint64_t word = i / groups, group = i % groups;
    const uint64_t bits =
        ckda_gpu_letter_bits(ckda_gpu_word_key(t.seed, word), s.start / 4 + group);
    for (int place = 0; place < 4 && group * 4 + place < s.length; place++) {
        const uint64_t token = group * 4 + place, row = word * s.length + token;
        const uint32_t letter = ckda_gpu_letter(bits, place, t.letters);
        const int which = (int)((s.start + token) % t.n);
        uint32_t unit[4] = {0, 0, 0, 0};
        unit[which / 2] = which % 2 ? 0x3f800000u : 0x3f80u;
        for (int u = 0; u < UNITS; u++) {
            k[row * UNITS + u] = t.key[letter * UNITS + u];
            gate[row * UNITS + u] = t.gate[letter * UNITS + u];
            q[row * UNITS + u] = u == 0 ? make_uint4(unit[0], unit[1], unit[2], unit[3])
                                        : make_uint4(0, 0, 0, 0);
        }
        beta[row] = t.beta[letter];
    }
}

static __global__ void
write_initial(float *state, const double *initial, int n, uint64_t sequences)
{
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= sequences * D * D)
        return;
    const int row = (int)(i / D % D), column = (int)(i % D);
    state[i] = row < n && column < n ? (float)initial[row * n + column] : 0.0f;
}

/* ---- judging ---------------------------------------------------------------------------------- */

/* |H - scale S|_F / scale over all 16 x 16. */
static __device__ double
distance(const float *H, const double *S, const tables &t)
{
    double sum = 0;
    for (int i = 0; i < D; i++)
        for (int j = 0; j < D; j++) {
            const double exact = i < t.n && j < t.n ? S[i * t.n + j] : 0.0;
            const double gap = (double)H[i * D + j] / t.scale - exact;
            sum += gap * gap;
        }
    return sqrt(sum);
}

/* One thread follows one word: its exact state token by token, the row that came out. */
static __global__ void
judge(words_so_far w, const __nv_bfloat16 *o, const float *H, tables t, segment s)
{
    const uint64_t word = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (word >= t.sequences)
        return;
    const uint64_t word_key = ckda_gpu_word_key(t.seed, word);
    const double half = 0.5 * t.decode.margin;
    uint32_t state = w.state[word];
    double worst = w.worst_row[word];
    uint64_t first = w.first_row[word], bits = 0;
    int which = (int)(s.start % t.n);
    for (uint64_t i = 0; i < s.length; i++) {
        if (i % 4 == 0)
            bits = ckda_gpu_letter_bits(word_key, (s.start + i) / 4);
        state =
            t.next[state * t.letters + ckda_gpu_letter(bits, (int)(i % 4), t.letters)];
        const __nv_bfloat16 *row = o + (word * s.length + i) * D;
        const double *exact = t.decode.value + ((size_t)state * t.n + which) * t.n;
        double sum = 0;
        for (int j = 0; j < t.n; j++) {
            const double gap = (double)__bfloat162float(row[j]) / t.scale - exact[j];
            sum += gap * gap;
        }
        const double error = sum == sum ? sqrt(sum) : INFINITY;
        worst = fmax(worst, error);
        if (first == 0 && !(error < half))
            first = s.start + i + 1;
        which = which + 1 == t.n ? 0 : which + 1;
    }
    w.state[word] = state;
    w.worst_row[word] = (float)worst;
    w.first_row[word] = first;
    H += word * D * D;
    const double d = distance(H, t.decode.value + (size_t)state * t.n * t.n, t);
    if (s.checkpoint >= 0)
        w.drift[s.checkpoint * t.sequences + word] = d == d ? (float)d : INFINITY;
    double h[CKDA_GPU_MAX_N * CKDA_GPU_MAX_N];
    for (int i = 0; i < t.decode.entries; i++)
        h[i] = (double)H[i / t.n * D + i % t.n];
    if (is_wrong(h, state, w.first_wrong[word] == 0 && !(d < 0.499 * t.decode.margin),
                 t.decode))
        w.first_wrong[word] = s.start + s.length;
}

/* ---- on the host --------------------------------------------------------------------------------- */

/* A row of bf16 words; false if a number is not one of bf16. */
static bool
append_row(std::vector<uint16_t> &rows, const double *x, int n, double rest, bool log)
{
    for (int i = 0; i < D; i++) {
        const double value = i < n ? x[i] : rest;
        const __nv_bfloat16 b = __float2bfloat16_rn((float)value);
        uint16_t bits = *reinterpret_cast<const uint16_t *>(&b);
        if ((double)__bfloat162float(b) != value || (log && value != 1 && value != -1))
            return false;
        if (log) /* the sign, and -ln 1 = 0 */
            bits = value < 0 ? 0x8000 : 0;
        rows.push_back(bits);
    }
    return true;
}

static int
fill_tables(tables &t, device_memory &m, const ckda_gpu_chunk_words *w)
{
    const ckda_gpu_automaton &a = w->a;
    std::vector<uint16_t> key, gate;
    std::vector<float> beta;
    for (uint32_t l = 0; l < a.letters; l++) {
        const double *k = a.key + (size_t)l * a.n, *g = a.gate + (size_t)l * a.n;
        if (a.first[l] != l || !append_row(key, k, a.n, 0, false)
            || !append_row(gate, g, a.n, 1, w->gate_kind == CKDA_GPU_GATE_LOG))
            return CKDA_GPU_E_RANGE;
        beta.push_back((float)a.beta[l]);
    }
    t.key = reinterpret_cast<const uint4 *>(m.copy_of(key));
    t.gate = reinterpret_cast<const uint4 *>(m.copy_of(gate));
    t.beta = m.copy_of(beta);
    t.next = make_next(m, a);
    t.decode = make_decoder(m, a);
    t.letters = a.letters;
    t.n = a.n;
    t.seed = w->seed;
    t.sequences = w->sequences;
    t.scale = a.scale;
    return m.failed ? CKDA_GPU_E_DEVICE : CKDA_GPU_OK;
}

static bool
is_reasonable(const ckda_gpu_chunk_words *w)
{
    if (w->sequences < 1 || w->sequences > 65535 || w->steps < 1
        || w->steps > UINT64_C(1) << 40 || w->segment < 16 || w->segment % 16 != 0
        || w->ncheckpoints > CKDA_GPU_MAX_CHECKPOINTS || w->a.n < CKDA_GPU_MIN_N
        || w->a.n > CKDA_GPU_MAX_N || w->a.micro_steps != w->a.letters
        || w->a.states > 65535)
        return false;
    for (uint32_t i = 0; i < w->ncheckpoints; i++)
        if (w->checkpoint[i] % 16 != 0 && w->checkpoint[i] != w->steps)
            return false;
    return are_checkpoints(w->checkpoint, w->ncheckpoints, w->steps);
}

/* Segments end at multiples of w->segment (or of what fits into memory), at checkpoints and
 * at the end. */
static segment
next_segment(uint64_t start, uint32_t checkpoint, uint64_t most,
             const ckda_gpu_chunk_words *w)
{
    segment s = {start, 0, -1};
    uint64_t end = std::min(w->steps, (start / w->segment + 1) * w->segment);
    end = std::min(end, start + most);
    if (checkpoint < w->ncheckpoints && w->checkpoint[checkpoint] <= end) {
        end = w->checkpoint[checkpoint];
        s.checkpoint = (int)checkpoint;
    }
    s.length = end - start;
    return s;
}

/* Buffers of one segment. */
struct buffers {
    uint4 *q, *k, *gate;
    __nv_bfloat16 *v, *o;
    float *beta, *state[2];
    int *out_of_range;
};

static buffers
make_buffers(device_memory &m, uint64_t sequences, uint64_t most)
{
    const uint64_t rows = sequences * most;
    buffers b;
    b.q = m.get<uint4>(rows * UNITS);
    b.k = m.get<uint4>(rows * UNITS);
    b.gate = m.get<uint4>(rows * UNITS);
    b.v = m.get<__nv_bfloat16>(rows * D);
    b.o = m.get<__nv_bfloat16>(rows * D);
    b.beta = m.get<float>(rows);
    for (float *&state : b.state)
        state = m.get<float>(sequences * D * D);
    b.out_of_range = m.get<int>(1);
    if (!m.failed) {
        cudaMemset(b.v, 0, rows * D * sizeof *b.v);
        cudaMemset(b.out_of_range, 0, sizeof *b.out_of_range);
    }
    return b;
}

/* From b.state[from] to the other one. */
static int
run_segment(const buffers &b, const segment &s, int from, const ckda_gpu_chunk_words *w)
{
    ckda_gpu_chunk c = {};
    c.sequences = (int64_t)w->sequences;
    c.tokens = (int64_t)s.length;
    c.heads = 1;
    c.dk = c.dv = D;
    c.q = b.q;
    c.k = b.k;
    c.v = b.v;
    c.gate = b.gate;
    c.beta = b.beta;
    c.initial = b.state[from];
    c.o = b.o;
    c.final_state = b.state[1 - from];
    c.out_of_range = b.out_of_range;
    c.scale = 1;
    c.gate_kind = w->gate_kind;
    c.precision = w->precision;
    c.grid = w->snap;
    return forward(c, w->recurrent);
}

static words_so_far
make_words(device_memory &m, const ckda_gpu_chunk_words *w)
{
    const uint64_t s = w->sequences;
    words_so_far so_far;
    so_far.state = m.get<uint32_t>(s);
    so_far.drift = m.get<float>(s * std::max(1u, w->ncheckpoints));
    so_far.worst_row = m.get<float>(s);
    so_far.first_wrong = m.get<uint64_t>(s);
    so_far.first_row = m.get<uint64_t>(s);
    if (!m.failed) {
        cudaMemset(so_far.state, 0, s * sizeof *so_far.state);
        cudaMemset(so_far.worst_row, 0, s * sizeof *so_far.worst_row);
        cudaMemset(so_far.first_wrong, 0, s * sizeof *so_far.first_wrong);
        cudaMemset(so_far.first_row, 0, s * sizeof *so_far.first_row);
    }
    return so_far;
}

/* All segments; the last state is b.state[*last]. */
static int
run(ckda_gpu_chunk_words_result *r, int *last, const buffers &b,
    const words_so_far &so_far, const tables &t, uint64_t most,
    const ckda_gpu_chunk_words *w)
{
    uint32_t checkpoint = 0;
    int from = 0;
    stop_watch kernel;
    r->kernel_seconds = 0;
    for (uint64_t at = 0; at < w->steps; from = 1 - from) {
        const segment s = next_segment(at, checkpoint, most, w);
        const uint64_t groups = (s.length + 3) / 4 * t.sequences;
        write_inputs<<<blocks(groups), 256>>>(b.q, b.k, b.gate, b.beta, t, s);
        kernel.start();
        const int code = run_segment(b, s, from, w);
        if (code != CKDA_GPU_OK)
            return code;
        const double seconds = kernel.stop();
        if (seconds < 0)
            return CKDA_GPU_E_DEVICE;
        r->kernel_seconds += seconds;
        judge<<<blocks(t.sequences, 32), 32>>>(so_far, b.o, b.state[1 - from], t, s);
        checkpoint += s.checkpoint >= 0;
        at += s.length;
    }
    *last = from;
    return cudaDeviceSynchronize() == cudaSuccess ? CKDA_GPU_OK : CKDA_GPU_E_DEVICE;
}

/* The n x n corner of the state. */
static void
copy_state(float *out, const float *state, device_memory &m,
           const ckda_gpu_chunk_words *w)
{
    const size_t n = (size_t)w->a.n;
    std::vector<float> all(w->sequences * D * D);
    m.to_host(all.data(), state, all.size());
    for (size_t s = 0; s < w->sequences; s++)
        for (size_t i = 0; i < n; i++)
            std::copy_n(all.data() + s * D * D + i * D, n, out + (s * n + i) * n);
}

} // namespace ckda

using namespace ckda;

extern "C" int
ckda_gpu_run_chunk_words(ckda_gpu_chunk_words_result *r, const ckda_gpu_chunk_words *w)
{
    if (!is_reasonable(w))
        return CKDA_GPU_E_RANGE;
    const uint64_t room =
        std::max<uint64_t>(16, (UINT64_C(1) << 24) / w->sequences / 16 * 16);
    const uint64_t most = std::min(std::min(room, w->segment), (w->steps + 15) / 16 * 16);
    device_memory m;
    tables t = {};
    int code = fill_tables(t, m, w), last = 0, flag = 0;
    if (code != CKDA_GPU_OK)
        return code;
    const buffers b = make_buffers(m, w->sequences, most);
    const words_so_far so_far = make_words(m, w);
    const double *initial = m.copy_of(w->a.initial, (size_t)w->a.n * w->a.n);
    if (m.failed)
        return CKDA_GPU_E_DEVICE;
    stop_watch watch;
    watch.start();
    write_initial<<<blocks(w->sequences * D * D), 256>>>(b.state[0], initial, w->a.n,
                                                         w->sequences);
    code = run(r, &last, b, so_far, t, most, w);
    r->seconds = watch.stop();
    if (code != CKDA_GPU_OK)
        return code;
    m.to_host(r->drift, so_far.drift, w->sequences * w->ncheckpoints);
    m.to_host(r->first_wrong, so_far.first_wrong, w->sequences);
    m.to_host(r->final_exact, so_far.state, w->sequences);
    m.to_host(r->worst_row, so_far.worst_row, w->sequences);
    m.to_host(r->first_row, so_far.first_row, w->sequences);
    m.to_host(&flag, b.out_of_range, 1);
    if (r->final_state)
        copy_state(r->final_state, b.state[last], m, w);
    r->out_of_range = flag != 0;
    return m.failed ? CKDA_GPU_E_DEVICE : CKDA_GPU_OK;
}
