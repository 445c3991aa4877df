/* States as bytes, for tables of many of them. */
#include "rounded_internal.h"

#include <math.h>
#include <string.h>

#include "ckda/fpfast.h"

size_t
ckda_rounded_entry_bytes(const ckda_rounded_t R)
{
    if (R->arith.grid == 0)
        return R->arith.state->width <= 8    ? 1
               : R->arith.state->width <= 16 ? 2
               : R->arith.state->width <= 32 ? 4
                                             : 8;
    const double most = 2 * R->scale * sqrt((double)R->n) * (1 + 0x1p-50);
    return most <= INT8_MAX ? 1 : most <= INT16_MAX ? 2 : 4;
}

static bool
pack_grid(char *to, const double *H, slong entries, size_t width)
{
    const double most = width == 1 ? INT8_MAX : width == 2 ? INT16_MAX : INT32_MAX;
    for (slong i = 0; i < entries; i++, to += width) {
        if (!(fabs(H[i]) <= most))
            return false;
        const int32_t x = (int32_t)H[i];
        const int16_t y = (int16_t)x;
        const int8_t z = (int8_t)x;
        memcpy(to,
               width == 1   ? (const void *)&z
               : width == 2 ? (const void *)&y
                            : &x,
               width);
    }
    return true;
}

static void
unpack_grid(double *H, const char *from, slong entries, size_t width)
{
    for (slong i = 0; i < entries; i++, from += width) {
        int32_t x;
        int16_t y;
        int8_t z;
        if (width == 1) {
            memcpy(&z, from, 1);
            H[i] = z;
        } else if (width == 2) {
            memcpy(&y, from, 2);
            H[i] = y;
        } else {
            memcpy(&x, from, 4);
            H[i] = x;
        }
    }
}

/* One value of the format, canonical NaN; the short cuts are exact on such values. */
static uint64_t
pattern(double x, const ckda_fp_format *f)
{
    if (x != x)
        return f->nan;
    if (f == &ckda_fp_bf16)
        return ckda_fast_bf16_from_float((float)x);
    if (f == &ckda_fp_fp32)
        return ckda_fast_bits_from_float((float)x);
    return ckda_fp_from_double(x, f, &ckda_fp_rne);
}

static double
value(uint64_t bits, const ckda_fp_format *f)
{
    if (f == &ckda_fp_bf16)
        return ckda_fast_float_from_bf16((uint16_t)bits);
    if (f == &ckda_fp_fp32)
        return ckda_fast_float_from_bits((uint32_t)bits);
    return ckda_fp_get_double(bits, f);
}

static void
pack_doubles(char *to, const double *H, slong entries)
{
    for (slong i = 0; i < entries; i++) {
        const double x =
            H[i] != H[i] ? ckda_fp_get_double(ckda_fp_fp64.nan, &ckda_fp_fp64) : H[i];
        memcpy(to + 8 * i, &x, sizeof x);
    }
}

bool
ckda_rounded_pack(void *bytes, const double *H, slong entries, const ckda_rounded_t R)
{
    char *to = bytes;
    const size_t width = ckda_rounded_entry_bytes(R);
    const ckda_fp_format *f = R->arith.state;
    if (R->arith.grid > 0)
        return pack_grid(to, H, entries, width);
    if (f == &ckda_fp_fp64) {
        pack_doubles(to, H, entries);
        return true;
    }
    for (slong i = 0; i < entries; i++, to += width) {
        const uint64_t x = pattern(H[i], f);
        const uint8_t x8 = (uint8_t)x;
        const uint16_t x16 = (uint16_t)x;
        const uint32_t x32 = (uint32_t)x;
        if (width == 2)
            memcpy(to, &x16, 2);
        else if (width == 4)
            memcpy(to, &x32, 4);
        else
            memcpy(to, &x8, 1);
    }
    return true;
}

void
ckda_rounded_unpack(double *H, const void *bytes, slong entries, const ckda_rounded_t R)
{
    const char *from = bytes;
    const size_t width = ckda_rounded_entry_bytes(R);
    const ckda_fp_format *f = R->arith.state;
    if (R->arith.grid > 0) {
        unpack_grid(H, from, entries, width);
        return;
    }
    if (f == &ckda_fp_fp64) {
        memcpy(H, from, (size_t)entries * sizeof *H);
        return;
    }
    for (slong i = 0; i < entries; i++, from += width) {
        uint8_t x8 = 0;
        uint16_t x16 = 0;
        uint32_t x32 = 0;
        if (width == 2)
            memcpy(&x16, from, 2);
        else if (width == 4)
            memcpy(&x32, from, 4);
        else
            memcpy(&x8, from, 1);
        H[i] = value(width == 2 ? x16 : width == 4 ? x32 : x8, f);
    }
}
