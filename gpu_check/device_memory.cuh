/* Device memory that is freed when its owner goes. */
#ifndef CKDA_GPU_DEVICE_MEMORY_CUH
#define CKDA_GPU_DEVICE_MEMORY_CUH
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include <vector>

namespace ckda
{

/* After a failure every further call gives nullptr; ask `failed` once at the end. */
class device_memory
{
  public:
    device_memory() = default;
    device_memory(const device_memory &) = delete;
    device_memory &operator=(const device_memory &) = delete;
    ~device_memory()
    {
        for (void *p : blocks)
            cudaFree(p);
    }
    template <typename T>
    T *
    get(size_t n)
    {
        void *p = nullptr;
        if (failed || cudaMalloc(&p, (n > 0 ? n : 1) * sizeof(T)) != cudaSuccess) {
            failed = true;
            return nullptr;
        }
        blocks.push_back(p);
        return static_cast<T *>(p);
    }
    template <typename T>
    T *
    copy_of(const T *host, size_t n)
    {
        T *p = get<T>(n);
        if (p != nullptr && n > 0
            && cudaMemcpy(p, host, n * sizeof(T), cudaMemcpyHostToDevice) != cudaSuccess)
            failed = true;
        return p;
    }
    template <typename T>
    T *
    copy_of(const std::vector<T> &host)
    {
        return copy_of(host.data(), host.size());
    }
    template <typename T>
    void
    to_host(T *host, const T *device, size_t n)
    {
        if (host != nullptr && n > 0
            && cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost)
                   != cudaSuccess)
            failed = true;
    }
    bool failed = false;

  private:
    std::vector<void *> blocks;
};

} // namespace ckda
#endif
