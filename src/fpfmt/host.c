/* Is the processor, as this thread has it set up, what ckda/fpfast.h rests on? */
#include "ckda/fpfast.h"

/* volatile: the processor is asked, not the compiler */
static float
sum(float x, float y)
{
    volatile float a = x, b = y;
    return a + b;
}

static float
product(float x, float y)
{
    volatile float a = x, b = y;
    return a * b;
}

bool
ckda_fp_host_is_ieee(void)
{
    /* 1 +- 3/4 ulp and ties on both sides tell the four rounding modes apart */
    bool nearest = sum(1.0f, 0x1p-24f) == 1.0f && sum(1.0f, 0x1.8p-24f) == 0x1.000002p0f
                   && sum(-1.0f, -0x1.8p-24f) == -0x1.000002p0f
                   && sum(0x1.000002p0f, 0x1p-24f) == 0x1.000004p0f;
    /* results below 2^-126, and operands below it */
    uint32_t made = ckda_fast_bits_from_float(product(0x1p-100f, 0x1p-49f));
    uint32_t read = ckda_fast_bits_from_float(
        product(ckda_fast_float_from_bits(1), 0x1p100f)); /* 2^-149 * 2^100 */
    volatile float a = 0x1.000002p0f, b = 0x1.fffffcp-1f, c = -1.0f;
    bool fused = fmaf(a, b, c) == -0x1p-46f; /* (1 + 2^-23)(1 - 2^-23) - 1 */
    return nearest && made == 1 && read == ckda_fast_bits_from_float(0x1p-49f) && fused;
}
