/* Comparison with the double-precision stand-in, timing. */
#include <cuda_runtime.h>
#include <math.h>

#include <algorithm>
#include <vector>

#include "ckda_gpu.h"
#include "launch.cuh"
#include "measure.h"
#include "random_inputs.cuh"
#include "reference.h"

namespace
{

/* ---- comparison ---------------------------------------------------------------------- */

using ckda::device_memory;

struct distance {
    double relative; /* |x - y| / |y|: NaN for no numbers at all */
    bool finite;
};

template <typename T>
distance
compare(device_memory &m, const T *device, const double *reference, int64_t n)
{
    std::vector<T> x(n);
    std::vector<double> y(n);
    m.to_host(x.data(), device, n);
    m.to_host(y.data(), reference, n);
    double difference = 0, norm = 0;
    bool finite = true;
    for (int64_t i = 0; i < n; i++) {
        const double value = (double)(float)x[i], gap = value - y[i];
        finite = finite && isfinite(value);
        difference += gap * gap;
        norm += y[i] * y[i];
    }
    return {sqrt(difference / norm), finite};
}

std::vector<int64_t>
ragged_offsets(const ckda_gpu_check *c)
{
    /* lengths 0, 1, 63, 65 and what is left; the rest evenly */
    static const int64_t odd[] = {0, 1, 63, 65, 16, 15, 17};
    std::vector<int64_t> at(1, 0);
    for (int64_t s = 0; s < c->sequences; s++)
        at.push_back(at.back()
                     + (s < 7 ? std::min(odd[s], c->tokens)
                              : std::max<int64_t>(c->tokens - s % 5, 0)));
    return at;
}

enum { GUARD = 4096 }; /* bytes on either side that no kernel may write */

template <typename T>
bool
guard_intact(device_memory &m, const T *block, int64_t n)
{
    std::vector<uint8_t> bytes(2 * GUARD);
    const uint8_t *from = reinterpret_cast<const uint8_t *>(block);
    m.to_host(bytes.data(), from, GUARD);
    m.to_host(bytes.data() + GUARD, from + GUARD + n * sizeof(T), GUARD);
    return std::all_of(bytes.begin(), bytes.end(), [](uint8_t b) { return b == 0xff; });
}

/* Memory whose every byte is 0xff (a NaN everywhere), with a guard on both sides. */
template <typename T>
T *
poisoned(device_memory &a, int64_t n)
{
    uint8_t *p = a.get<uint8_t>(n * (int64_t)sizeof(T) + 2 * GUARD);
    if (p)
        cudaMemset(p, 0xff, n * sizeof(T) + 2 * GUARD);
    return reinterpret_cast<T *>(p);
}

template <typename T>
T *
inside(T *block)
{
    return reinterpret_cast<T *>(reinterpret_cast<uint8_t *>(block) + GUARD);
}

template <typename T>
uint64_t
fingerprint(device_memory &m, const T *device, int64_t n)
{
    std::vector<uint8_t> x(n * sizeof(T));
    m.to_host(x.data(), reinterpret_cast<const uint8_t *>(device), x.size());
    uint64_t h = 1469598103934665603u;
    for (uint8_t b : x)
        h = (h ^ b) * 1099511628211u;
    return h;
}

} // namespace

extern "C" bool
ckda_gpu_device(char name[256], int *multiprocessors)
{
    int count = 0;
    cudaDeviceProp prop;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0
        || cudaGetDeviceProperties(&prop, 0) != cudaSuccess)
        return false;
    std::copy_n(prop.name, 256, name);
    *multiprocessors = prop.multiProcessorCount;
    return true;
}

extern "C" const char *
ckda_gpu_regime_name(ckda_gpu_regime r)
{
    static const char *const names[] = {"decaying", "decaying-signed", "mixed",
                                        "fast",     "reflect",         "equal-blocks",
                                        "equal",    "equal-decaying"};
    return r >= 0 && r < CKDA_GPU_REGIMES ? names[r] : "unknown";
}

extern "C" int
ckda_gpu_run_check(ckda_gpu_check_result *r, const ckda_gpu_check *c)
{
    ckda::device_memory a;
    std::vector<int64_t> at = ragged_offsets(c);
    const int64_t rows = c->ragged ? at.back() : c->sequences * c->tokens;
    const ckda::sizes z = {rows, c->sequences * c->heads, c->heads, c->dk, c->dv};
    const ckda::inputs in =
        ckda::make_inputs(a, z, c->regime, c->gate_kind, false, c->seed);
    const int64_t no = rows * c->heads * c->dv, ns = z.states * c->dk * c->dv;
    __nv_bfloat16 *o = poisoned<__nv_bfloat16>(a, no);
    float *state = poisoned<float>(a, ns);
    double *o_ref = a.get<double>(no), *state_ref = a.get<double>(ns);
    int64_t *offsets = a.get<int64_t>((int64_t)at.size());
    int *flag = a.get<int>(1);
    if (a.failed)
        return CKDA_GPU_E_DEVICE;
    cudaMemset(flag, 0, sizeof *flag);
    cudaMemcpy(offsets, at.data(), at.size() * sizeof(int64_t), cudaMemcpyHostToDevice);
    ckda_gpu_chunk job = ckda::job_on(in, z, c->sequences, c->tokens);
    job.cu_seqlens = c->ragged ? offsets : nullptr;
    job.o = inside(o);
    job.final_state = inside(state);
    job.out_of_range = flag;
    job.gate_kind = c->gate_kind;
    job.precision = c->precision;
    job.grid = c->grid;
    uint64_t print[2];
    for (int run = 0; run < 2; run++) {
        const int code = ckda::forward(job, c->recurrent);
        if (code != CKDA_GPU_OK)
            return code;
        print[run] =
            fingerprint(a, inside(o), no) * 31 + fingerprint(a, inside(state), ns);
    }
    const int code = ckda_gpu_reference(&job, state_ref, o_ref, nullptr);
    if (code != CKDA_GPU_OK || cudaDeviceSynchronize() != cudaSuccess)
        return CKDA_GPU_E_DEVICE;
    const distance d_o = compare(a, inside(o), o_ref, no),
                   d_s = compare(a, inside(state), state_ref, ns);
    int raised = 0;
    a.to_host(&raised, flag, 1);
    r->o = d_o.relative;
    r->state = d_s.relative;
    r->finite = d_o.finite && d_s.finite;
    r->same_bits = print[0] == print[1];
    r->out_of_range = raised != 0;
    r->untouched = guard_intact(a, o, no) && guard_intact(a, state, ns);
    return a.failed ? CKDA_GPU_E_DEVICE : CKDA_GPU_OK;
}

extern "C" int
ckda_gpu_run_bench(double *milliseconds, const ckda_gpu_bench *b)
{
    enum { SETS = 2, WARM_UP = 6 };
    ckda::device_memory a;
    const ckda::sizes z = {b->sequences * b->tokens, b->sequences * b->heads, b->heads,
                           b->dk, b->dv};
    ckda_gpu_chunk job[SETS] = {};
    for (int s = 0; s < SETS; s++) {
        const ckda::inputs in =
            ckda::make_inputs(a, z, CKDA_GPU_DECAYING_SIGNED, CKDA_GPU_GATE_VALUE,
                              !b->is_signed, b->seed + s);
        job[s] = ckda::job_on(in, z, b->sequences, b->tokens);
        job[s].initial = nullptr;
        job[s].o = a.get<__nv_bfloat16>(z.rows * z.heads * z.dv);
        job[s].final_state = a.get<float>(z.states * z.dk * z.dv);
        job[s].out_of_range = a.get<int>(1);
        job[s].precision = b->precision;
        job[s].grid = b->grid;
    }
    if (a.failed)
        return CKDA_GPU_E_DEVICE;
    double seconds = 0;
    const int code = ckda::median_seconds(&seconds, WARM_UP, b->repeats, [&](int i) {
        return ckda_gpu_chunk_forward(&job[i % SETS], nullptr);
    });
    *milliseconds = seconds * 1e3;
    return code;
}

extern "C" int
ckda_gpu_copy_rate(double *rate, int64_t bytes)
{
    ckda::device_memory a;
    uint8_t *from = a.get<uint8_t>(bytes), *to = a.get<uint8_t>(bytes);
    if (a.failed)
        return CKDA_GPU_E_DEVICE;
    cudaMemset(from, 1, bytes);
    double seconds = 0;
    const int code = ckda::median_seconds(&seconds, 2, 10, [&](int) {
        return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice) == cudaSuccess
                   ? CKDA_GPU_OK
                   : CKDA_GPU_E_DEVICE;
    });
    if (code == CKDA_GPU_OK)
        *rate = 2.0 * (double)bytes / seconds;
    return code;
}
