/* The chunked forward pass: checks arguments, picks a kernel shape, launches. */
#include <cuda_runtime.h>

#include "chunk_launch.h"

namespace ckda
{

template <int DK>
static int
with_precision(const ckda_gpu_chunk *c, const chunk_params &p, int width,
               cudaStream_t stream)
{
    switch (c->precision) {
    case CKDA_GPU_PLAIN:
        return launch_chunk<DK, CKDA_GPU_PLAIN>(c, p, width, stream);
    case CKDA_GPU_FACTORS:
        return launch_chunk<DK, CKDA_GPU_FACTORS>(c, p, width, stream);
    default:
        return launch_chunk<DK, CKDA_GPU_HONEST>(c, p, width, stream);
    }
}

/* The fewest CTAs a head that fill the card; one CTA takes a whole multiprocessor.  (96 of an
 * H200's 132: 64 left too many idle, 128 do not.) */
static int
choose_slices(const ckda_gpu_chunk *c)
{
    if (c->dk != 128 || c->dv != 128)
        return 1;
    int slices = 1;
    while (slices < 4 && c->sequences * c->heads * slices < 96)
        slices *= 2;
    return slices;
}

static int
dispatch(const ckda_gpu_chunk *c, const chunk_params &p, cudaStream_t stream)
{
    const int slices = c->slices > 0 ? c->slices : choose_slices(c);
    if (c->dv % slices != 0)
        return CKDA_GPU_E_SHAPE;
    const int width = c->dv / slices;
    switch (c->dk) {
    case 16:
        return with_precision<16>(c, p, width, stream);
    case 64:
        return with_precision<64>(c, p, width, stream);
    default:
        return with_precision<128>(c, p, width, stream);
    }
}

static bool
good_size(int d)
{
    return d == 16 || d == 64 || d == 128;
}

static bool
aligned(const void *p)
{
    return p != nullptr && reinterpret_cast<uintptr_t>(p) % 16 == 0;
}

static bool
aligned_or_null(const void *p)
{
    return p == nullptr || aligned(p);
}

int
check_arguments(const ckda_gpu_chunk *c)
{
    if (c == nullptr || c->sequences < 0 || c->heads <= 0 || !good_size(c->dk)
        || !good_size(c->dv) || (c->cu_seqlens == nullptr && c->tokens < 0)
        || c->sequences > 65535 / c->heads)
        return CKDA_GPU_E_SHAPE;
    if (c->gate_kind < CKDA_GPU_GATE_VALUE || c->gate_kind > CKDA_GPU_GATE_LOG
        || c->precision < CKDA_GPU_PLAIN || c->precision > CKDA_GPU_HONEST
        || !(c->grid >= 0 && c->grid <= 0x1p21f) || c->slices < 0)
        return CKDA_GPU_E_RANGE;
    if (!aligned(c->q) || !aligned(c->k) || !aligned(c->v) || !aligned(c->gate)
        || !aligned(c->beta) || !aligned(c->o) || !aligned_or_null(c->initial)
        || !aligned_or_null(c->final_state) || c->out_of_range == nullptr)
        return CKDA_GPU_E_POINTER;
    return CKDA_GPU_OK;
}

chunk_params
make_params(const ckda_gpu_chunk *c)
{
    chunk_params p;
    p.q = static_cast<const __nv_bfloat16 *>(c->q);
    p.k = static_cast<const __nv_bfloat16 *>(c->k);
    p.v = static_cast<const __nv_bfloat16 *>(c->v);
    p.gate = static_cast<const __nv_bfloat16 *>(c->gate);
    p.beta = c->beta;
    p.initial = c->initial;
    p.cu_seqlens = c->cu_seqlens;
    p.o = static_cast<__nv_bfloat16 *>(c->o);
    p.final_state = c->final_state;
    p.out_of_range = c->out_of_range;
    p.tokens = c->tokens;
    p.heads = c->heads;
    p.dv = c->dv;
    p.scale = c->scale;
    p.grid = c->grid;
    return p;
}

} // namespace ckda

extern "C" int
ckda_gpu_chunk_forward(const ckda_gpu_chunk *c, void *stream)
{
    const int code = ckda::check_arguments(c);
    if (code != CKDA_GPU_OK || c->sequences == 0)
        return code;
    return ckda::dispatch(c, ckda::make_params(c), static_cast<cudaStream_t>(stream));
}

extern "C" const char *
ckda_gpu_strerror(int code)
{
    switch (code) {
    case CKDA_GPU_OK:
        return "no error";
    case CKDA_GPU_E_SHAPE:
        return "a size is not supported: dk and dv are 16, 64 or 128, at most 65535 "
               "sequences times heads";
    case CKDA_GPU_E_POINTER:
        return "a tensor is missing or not 16-byte aligned";
    case CKDA_GPU_E_RANGE:
        return "an option is out of its range";
    case CKDA_GPU_E_TABLES:
        return "the tables of this automaton do not fit into shared memory";
    default:
        return "the device refused";
    }
}
