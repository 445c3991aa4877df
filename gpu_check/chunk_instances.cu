/* The chunked kernel for one dk and one precision, all widths of a slice: compiled once for
 * each pair, so that several processors share the work. */
#include <cuda_runtime.h>

#include "chunk_kernel.cuh"
#include "chunk_launch.h"
#include "launch.cuh"

#if !defined(CKDA_GPU_DK) || !defined(CKDA_GPU_PRECISION)
#error "compile with -DCKDA_GPU_DK=16, 64 or 128 and -DCKDA_GPU_PRECISION=0, 1 or 2"
#endif

namespace ckda
{

template <class SH, int SPLIT, int GATE, bool SNAP>
static int
launch(const chunk_params &p, int64_t sequences, cudaStream_t stream)
{
    const auto kernel = chunk_kernel<SH, SPLIT, GATE, SNAP>;
    constexpr int shared = SH::shared(SPLIT != 0);
    static_assert(shared <= 227 * 1024, "one CTA has at most 227 KB of shared memory");
    if (!allow_shared(kernel, shared))
        return CKDA_GPU_E_DEVICE;
    const dim3 grid((unsigned)(p.dv / SH::DVS), (unsigned)(sequences * p.heads));
    kernel<<<grid, SH::THREADS, shared, stream>>>(p);
    return launch_status();
}

template <class SH, int SPLIT>
static int
with_options(const ckda_gpu_chunk *c, const chunk_params &p, cudaStream_t stream)
{
    const bool log = c->gate_kind == CKDA_GPU_GATE_LOG;
    if (c->grid > 0)
        return log ? launch<SH, SPLIT, CKDA_GPU_GATE_LOG, true>(p, c->sequences, stream)
                   : launch<SH, SPLIT, CKDA_GPU_GATE_VALUE, true>(p, c->sequences,
                                                                  stream);
    return log ? launch<SH, SPLIT, CKDA_GPU_GATE_LOG, false>(p, c->sequences, stream)
               : launch<SH, SPLIT, CKDA_GPU_GATE_VALUE, false>(p, c->sequences, stream);
}

/* Shapes: consumer warps, producers and stages were chosen by measurement for dk = dv =
 * 128 (see RESULTS.md); the smaller heads share one shape a slice width. */
template <int DK, int DVS, int PRECISION> struct shape_for {
    using type = shape<DK, DVS, 1, DVS / 16, DVS >= 64 ? 4 : 2, 8>;
};
template <> struct shape_for<128, 128, CKDA_GPU_PLAIN> {
    using type = shape<128, 128, 2, 4, 3, 9>;
};
template <int PRECISION> struct shape_for<128, 128, PRECISION> {
    using type = shape<128, 128, 1, 8, 3, 9>;
};
template <int PRECISION> struct shape_for<128, 64, PRECISION> {
    using type = shape<128, 64, 1, 4, 7, 7>;
};
template <> struct shape_for<128, 32, CKDA_GPU_PLAIN> {
    using type = shape<128, 32, 1, 2, 6, 12, true>;
};
template <int PRECISION> struct shape_for<128, 32, PRECISION> {
    using type = shape<128, 32, 1, 2, 4, 8, true, true>;
};

template <int DK, int PRECISION>
int
launch_chunk(const ckda_gpu_chunk *c, const chunk_params &p, int width,
             cudaStream_t stream)
{
    constexpr int SPLIT = PRECISION == CKDA_GPU_PLAIN     ? 0
                          : PRECISION == CKDA_GPU_FACTORS ? SPLIT_X | SPLIT_U
                                                          : SPLIT_S | SPLIT_X | SPLIT_U;
    switch (width) {
    case 128:
        return with_options<typename shape_for<DK, 128, PRECISION>::type, SPLIT>(c, p,
                                                                                 stream);
    case 64:
        return with_options<typename shape_for<DK, 64, PRECISION>::type, SPLIT>(c, p,
                                                                                stream);
    case 32:
        if constexpr (DK == 128)
            return with_options<typename shape_for<DK, 32, PRECISION>::type, SPLIT>(
                c, p, stream);
        return CKDA_GPU_E_SHAPE;
    case 16:
        return with_options<typename shape_for<DK, 16, PRECISION>::type, SPLIT>(c, p,
                                                                                stream);
    default:
        return CKDA_GPU_E_SHAPE;
    }
}

template int launch_chunk<CKDA_GPU_DK, CKDA_GPU_PRECISION>(const ckda_gpu_chunk *,
                                                           const chunk_params &, int,
                                                           cudaStream_t);

} // namespace ckda
