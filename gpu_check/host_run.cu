/* One forward pass on arrays of the host. */
#include "host_run.h"

#include "device_memory.cuh"
#include "launch.cuh"

extern "C" int
ckda_gpu_host_forward(const ckda_gpu_chunk *c, bool recurrent)
{
    if (c->sequences < 0 || c->tokens < 0 || c->heads <= 0 || c->cu_seqlens != nullptr)
        return CKDA_GPU_E_SHAPE;
    ckda::device_memory m;
    const size_t rows = (size_t)c->sequences * c->tokens * c->heads;
    const size_t keys = rows * c->dk, values = rows * c->dv;
    const size_t states = (size_t)c->sequences * c->heads * c->dk * c->dv;
    const auto words = [](const void *p) { return static_cast<const uint16_t *>(p); };
    ckda_gpu_chunk d = *c;
    d.q = m.copy_of(words(c->q), keys);
    d.k = m.copy_of(words(c->k), keys);
    d.v = m.copy_of(words(c->v), values);
    d.gate = m.copy_of(words(c->gate), keys);
    d.beta = m.copy_of(c->beta, rows);
    if (c->initial != nullptr)
        d.initial = m.copy_of(c->initial, states);
    uint16_t *o = m.get<uint16_t>(values);
    float *final_state = m.get<float>(states);
    const int zero = 0;
    int *flag = m.copy_of(&zero, 1);
    d.o = o;
    d.final_state = final_state;
    d.out_of_range = flag;
    if (m.failed)
        return CKDA_GPU_E_DEVICE;
    const int code = ckda::forward(d, recurrent);
    if (code != CKDA_GPU_OK)
        return code;
    m.to_host(static_cast<uint16_t *>(c->o), o, values);
    m.to_host(c->final_state, final_state, states);
    m.to_host(c->out_of_range, flag, 1);
    return m.failed ? CKDA_GPU_E_DEVICE : CKDA_GPU_OK;
}
