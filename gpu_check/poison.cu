/* What one bad number in an input does to the results. */
#include <cuda_runtime.h>

#include <vector>

#include "ckda_gpu.h"
#include "measure.h"
#include "random_inputs.cuh"

namespace
{

using ckda::device_memory;

/* CHUNK: tokens of a chunk of the kernel. */
enum { CHUNK = 16, HEADS = 2, SEQUENCES = 2, BAD_HEAD = 1 }; /* bad: sequence 0, head 1 */

struct outputs {
    std::vector<uint16_t> o;
    std::vector<uint32_t> state;
};

bool
is_nan16(uint16_t x)
{
    return (x & 0x7fff) > 0x7f80;
}

bool
is_nan32(uint32_t x)
{
    return (x & 0x7fffffffu) > 0x7f800000u;
}

/* Which results the bad number may reach, and which it must reach. */
struct reach {
    int64_t may_from, must_from, until; /* tokens of the bad head; until is exclusive */
    int column;                         /* of v, or -1: all of them */
    bool state;
};

reach
reach_of(const ckda_gpu_poison *c)
{
    const int64_t chunk = c->recurrent ? c->token : c->token / CHUNK * CHUNK;
    switch (c->tensor) {
    case CKDA_GPU_POISON_Q:
        return {c->token, c->token, c->token + 1, -1, false};
    case CKDA_GPU_POISON_V:
        return {chunk, c->token, c->tokens, c->channel % c->dv, true};
    case CKDA_GPU_POISON_INITIAL:
        return {0, 0, c->tokens, c->channel % c->dv, true};
    default:
        return {chunk, c->token, c->tokens, -1, true};
    }
}

/* Puts a quiet NaN at the place that c names. */
bool
put_nan(const ckda::inputs &in, const ckda_gpu_poison *c)
{
    const uint16_t bad16 = 0x7fc0;
    const uint32_t bad32 = 0x7fc00000u;
    const int64_t row = c->token * HEADS + BAD_HEAD; /* of sequence 0 */
    const auto put = [](void *to, const void *bad, size_t size) {
        return cudaMemcpy(to, bad, size, cudaMemcpyHostToDevice) == cudaSuccess;
    };
    switch (c->tensor) {
    case CKDA_GPU_POISON_Q:
        return put(in.q + row * c->dk + c->channel % c->dk, &bad16, sizeof bad16);
    case CKDA_GPU_POISON_K:
        return put(in.k + row * c->dk + c->channel % c->dk, &bad16, sizeof bad16);
    case CKDA_GPU_POISON_V:
        return put(in.v + row * c->dv + c->channel % c->dv, &bad16, sizeof bad16);
    case CKDA_GPU_POISON_GATE:
        return put(in.gate + row * c->dk + c->channel % c->dk, &bad16, sizeof bad16);
    case CKDA_GPU_POISON_BETA:
        return put(in.beta + row, &bad32, sizeof bad32);
    default:
        return put(in.initial + (int64_t)BAD_HEAD * c->dk * c->dv + c->channel % c->dv,
                   &bad32, sizeof bad32);
    }
}

int
run(outputs *out, device_memory &m, const ckda_gpu_chunk &job, bool recurrent)
{
    const int code = ckda::forward(job, recurrent);
    if (code != CKDA_GPU_OK)
        return code;
    m.to_host(out->o.data(), static_cast<const uint16_t *>(job.o), out->o.size());
    m.to_host(out->state.data(), reinterpret_cast<const uint32_t *>(job.final_state),
              out->state.size());
    return m.failed ? CKDA_GPU_E_DEVICE : CKDA_GPU_OK;
}

void
judge_outputs(ckda_gpu_poison_result *r, const outputs &clean, const outputs &bad,
              const ckda_gpu_poison *c, const reach &w)
{
    for (size_t i = 0; i < clean.o.size(); i++) {
        const int column = (int)(i % c->dv);
        const int64_t row = (int64_t)(i / c->dv), head = row % HEADS;
        const int64_t token = row / HEADS % c->tokens, sequence = row / HEADS / c->tokens;
        const bool place = sequence == 0 && head == BAD_HEAD && token < w.until
                           && (w.column < 0 || w.column == column);
        if (place && token >= w.must_from)
            r->hidden += !is_nan16(bad.o[i]);
        else if (!place || token < w.may_from)
            r->spread += bad.o[i] != clean.o[i];
    }
}

void
judge_states(ckda_gpu_poison_result *r, const outputs &clean, const outputs &bad,
             const ckda_gpu_poison *c, const reach &w)
{
    const size_t size = (size_t)c->dk * c->dv;
    for (size_t i = 0; i < clean.state.size(); i++) {
        const int column = (int)(i % c->dv);
        if (w.state && i / size == BAD_HEAD && (w.column < 0 || w.column == column))
            r->hidden += !is_nan32(bad.state[i]);
        else
            r->spread += bad.state[i] != clean.state[i];
    }
}

} // namespace

extern "C" const char *
ckda_gpu_poison_name(int tensor)
{
    static const char *const names[] = {"q", "k", "v", "gate", "beta", "initial"};
    return tensor >= 0 && tensor < CKDA_GPU_POISONS ? names[tensor] : "unknown";
}

extern "C" int
ckda_gpu_run_poison(ckda_gpu_poison_result *r, const ckda_gpu_poison *c)
{
    device_memory m;
    const ckda::sizes z = {SEQUENCES * c->tokens, SEQUENCES * HEADS, HEADS, c->dk, c->dv};
    const ckda::inputs in = ckda::make_inputs(m, z, CKDA_GPU_DECAYING_SIGNED,
                                              CKDA_GPU_GATE_VALUE, false, c->seed);
    outputs clean = {std::vector<uint16_t>(z.rows * HEADS * c->dv),
                     std::vector<uint32_t>(z.states * c->dk * c->dv)};
    outputs bad = clean;
    ckda_gpu_chunk job = ckda::job_on(in, z, SEQUENCES, c->tokens);
    job.o = m.get<uint16_t>(clean.o.size());
    job.final_state = m.get<float>(clean.state.size());
    job.out_of_range = m.get<int>(1);
    job.precision = c->precision;
    job.grid = c->grid;
    if (m.failed)
        return CKDA_GPU_E_DEVICE;
    *r = {};
    int code = run(&clean, m, job, c->recurrent);
    if (code == CKDA_GPU_OK && !put_nan(in, c))
        code = CKDA_GPU_E_DEVICE;
    if (code == CKDA_GPU_OK)
        code = run(&bad, m, job, c->recurrent);
    if (code != CKDA_GPU_OK)
        return code;
    const reach w = reach_of(c);
    judge_outputs(r, clean, bad, c, w);
    judge_states(r, clean, bad, c, w);
    return CKDA_GPU_OK;
}
