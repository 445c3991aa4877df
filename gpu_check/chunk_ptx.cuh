/* Single instructions of the chunked kernel: barriers, copies, matrix products, bf16 pairs. */
#ifndef CKDA_GPU_CHUNK_PTX_CUH
#define CKDA_GPU_CHUNK_PTX_CUH
#include <cuda_bf16.h>
#include <stdint.h>

namespace ckda
{

__device__ __forceinline__ uint32_t
shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

/* The same number; the compiler keeps it in a register and does not work it out again. */
template <typename T>
__device__ __forceinline__ T
kept(T x)
{
    asm volatile("" : "+r"(x));
    return x;
}

__device__ __forceinline__ void
barrier_init(uint32_t bar, uint32_t count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(bar), "r"(count));
}

__device__ __forceinline__ void
barrier_arrive(uint32_t bar)
{
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(bar) : "memory");
}

__device__ __forceinline__ void
barrier_wait(uint32_t bar, uint32_t parity)
{
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared.b64 p, [%0], %1, 10000;\n"
                 "@p bra done;\n"
                 "bra again;\n"
                 "done:\n"
                 "}\n" ::"r"(bar),
                 "r"(parity)
                 : "memory");
}

/* Has the phase ended?  Asked early, the answer costs nothing when it is needed. */
__device__ __forceinline__ bool
barrier_test(uint32_t bar, uint32_t parity)
{
    uint32_t ended;
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n"
                 "}\n"
                 : "=r"(ended)
                 : "r"(bar), "r"(parity)
                 : "memory");
    return ended != 0;
}

/* 16 bytes, or 16 zero bytes when the row does not exist. */
__device__ __forceinline__ void
copy16(uint32_t to, const void *from, bool exists)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from),
                 "r"(exists ? 16 : 0)
                 : "memory");
}

__device__ __forceinline__ void
copy4(uint32_t to, const void *from, bool exists)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from),
                 "r"(exists ? 4 : 0)
                 : "memory");
}

__device__ __forceinline__ void
arrive_when_copied(uint32_t bar)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(bar) : "memory");
}

__device__ __forceinline__ void
load4(uint32_t (&r)[4], uint32_t address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
}

__device__ __forceinline__ void
load4_transposed(uint32_t (&r)[4], uint32_t address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
}

__device__ __forceinline__ float2
load_pair(uint32_t address)
{
    float2 x;
    asm volatile("ld.shared.v2.f32 {%0,%1}, [%2];"
                 : "=f"(x.x), "=f"(x.y)
                 : "r"(address)
                 : "memory");
    return x;
}

__device__ __forceinline__ void
mma(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ __forceinline__ uint32_t
transpose8(uint32_t x)
{
    uint32_t y;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(y) : "r"(x));
    return y;
}

/* low half = x, high half = y, each rounded to nearest even */
__device__ __forceinline__ uint32_t
pack(float x, float y)
{
    uint32_t r;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(y), "f"(x));
    return r;
}

__device__ __forceinline__ float
low(uint32_t w)
{
    return __uint_as_float(w << 16);
}

__device__ __forceinline__ float
high(uint32_t w)
{
    return __uint_as_float(w & 0xffff0000u);
}

/* 1 / x to within one unit in the last place, for normal x */
__device__ __forceinline__ float
reciprocal(float x)
{
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/* what pack lost */
__device__ __forceinline__ uint32_t
pack_rest(float x, float y, uint32_t packed)
{
    return pack(x - low(packed), y - high(packed));
}

} // namespace ckda
#endif
