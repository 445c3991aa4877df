/* The int64 products for each instruction set, and the choice among them.
 *
 * The choice is made with the processor's own report and explicit function tables, not
 * with ifuncs, so that it works with every C library, compiler and sanitizer. */
#include "matden_internal.h"

#include <string.h>

#define MAX_FIXED_DEGREE 8
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define CLONE(name) GLUE(name##_, TARGET_NAME)

#if defined(__GNUC__) || defined(__clang__)
#define ALWAYS_INLINE __attribute__((always_inline))
#else
#error "vector types of GCC or Clang are needed"
#endif
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif

typedef uint64_t four_t __attribute__((vector_size(32)));

#define TARGET
#define TARGET_NAME plain
#include "matden_kernel.h"
#undef TARGET_NAME
#undef TARGET

#if defined(__x86_64__)
#define HAVE_X86
#define TARGET __attribute__((target("avx2")))
#define TARGET_NAME avx2
#include "matden_kernel.h"
#undef TARGET_NAME
#undef TARGET

/* 64-bit vector products exist only here */
#define TARGET __attribute__((target("avx2,avx512f,avx512dq,avx512vl")))
#define TARGET_NAME avx512
#include "matden_kernel.h"
#undef TARGET_NAME
#undef TARGET
#endif

slong
ckda_matden_kernels(const ckda_matden_kernel **list, slong room)
{
    slong n = 0;
    ckda_require(room >= 3, "room = %ld", (long)room);
#ifdef HAVE_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        list[n++] = &kernel_avx512;
    if (__builtin_cpu_supports("avx2"))
        list[n++] = &kernel_avx2;
#endif
    list[n++] = &kernel_plain;
    return n;
}

const ckda_matden_kernel *
ckda_matden_best_kernel(void)
{
    const ckda_matden_kernel *list[3];
    (void)ckda_matden_kernels(list, 3);
    return list[0];
}
