/* What the host code of the kernels has in common: sizes of launches, their outcome, times, and
 * checks of what they are asked. */
#ifndef CKDA_GPU_LAUNCH_CUH
#define CKDA_GPU_LAUNCH_CUH
#include <cuda_runtime.h>
#include <stdint.h>

#include <algorithm>
#include <vector>

#include "ckda_gpu.h"

namespace ckda
{

/* Blocks of `each` threads, at least one. */
inline unsigned
blocks(uint64_t threads, unsigned each = 256)
{
    return (unsigned)std::max<uint64_t>((threads + each - 1) / each, 1);
}

/* Of the launches so far; a code of ckda_gpu.h. */
inline int
launch_status()
{
    return cudaPeekAtLastError() == cudaSuccess ? CKDA_GPU_OK : CKDA_GPU_E_DEVICE;
}

/* Does the device give a block of the kernel so much shared memory? */
template <typename KERNEL>
bool
allow_shared(KERNEL kernel, size_t bytes)
{
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                (int)bytes)
           == cudaSuccess;
}

/* The kernel that a check or a run of words is about. */
inline int
forward(const ckda_gpu_chunk &c, bool recurrent)
{
    return recurrent ? ckda_gpu_recurrent_forward(&c, nullptr)
                     : ckda_gpu_chunk_forward(&c, nullptr);
}

/* Do they ascend within 1 .. steps? */
inline bool
are_checkpoints(const uint64_t *checkpoint, uint32_t count, uint64_t steps)
{
    for (uint32_t i = 0; i < count; i++)
        if (checkpoint[i] < 1 || checkpoint[i] > steps
            || (i > 0 && checkpoint[i] <= checkpoint[i - 1]))
            return false;
    return true;
}

class stop_watch
{
  public:
    stop_watch()
    {
        cudaEventCreate(&begin);
        cudaEventCreate(&end);
    }
    stop_watch(const stop_watch &) = delete;
    stop_watch &operator=(const stop_watch &) = delete;
    ~stop_watch()
    {
        cudaEventDestroy(begin);
        cudaEventDestroy(end);
    }
    void
    start()
    {
        cudaEventRecord(begin);
    }
    /* Seconds since start, once the device is there; negative after an error. */
    double
    stop()
    {
        float ms = -1;
        cudaEventRecord(end);
        if (cudaEventSynchronize(end) != cudaSuccess
            || cudaEventElapsedTime(&ms, begin, end) != cudaSuccess)
            return -1;
        return ms * 1e-3;
    }

  private:
    cudaEvent_t begin, end;
};

/* Seconds of `run`, which launches and returns a code of ckda_gpu.h: the median of `repeats`
 * runs after some to warm up.  run gets the number of the run.  The first code that is not 0
 * ends it and is returned. */
template <typename F>
int
median_seconds(double *median, int warm_up, int repeats, F run)
{
    std::vector<double> times;
    stop_watch watch;
    for (int i = 0; i < warm_up + repeats; i++) {
        watch.start();
        const int code = run(i);
        const double seconds = watch.stop();
        if (code != CKDA_GPU_OK)
            return code;
        if (seconds < 0)
            return CKDA_GPU_E_DEVICE;
        if (i >= warm_up)
            times.push_back(seconds);
    }
    std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
    *median = times[repeats / 2];
    return CKDA_GPU_OK;
}

} // namespace ckda
#endif
