#pragma once
#include <stdint.h>
#include "realtime.h"

// Operations on sixteen samples at a time, for effects. On processors with narrower registers the compiler splits them.
// A macro, not a function: without AVX-512, C cannot pass such a vector to a function that is not inlined.
#if defined(__FMA__)
#define RT_FMA(a, b, c) __builtin_elementwise_fma(a, b, c)
#else
#define RT_FMA(a, b, c) ((a) * (b) + (c))
#endif
typedef int rt_int16 __attribute__((ext_vector_type(16)));
typedef unsigned rt_uint16 __attribute__((ext_vector_type(16)));

REALTIME static inline rt_float16 rt_all16(float x) { return (rt_float16)x; }
REALTIME static inline rt_float16 rt_min16(rt_float16 a, rt_float16 b) { return RT_MIN(a, b); }
REALTIME static inline rt_float16 rt_floor16(rt_float16 a) { return __builtin_elementwise_floor(a); }
/// `yes` in lanes where `a < b`, else `no`.
REALTIME static inline rt_float16 rt_select_less16(rt_float16 a, rt_float16 b, rt_float16 yes, rt_float16 no) {
    rt_int16 mask = a < b;
    return (rt_float16)((mask & (rt_int16)yes) | (~mask & (rt_int16)no));
}

typedef float rt_float4 __attribute__((ext_vector_type(4)));
typedef int rt_int4 __attribute__((ext_vector_type(4)));
REALTIME static inline rt_float4 rt_where4(rt_int4 mask, rt_float4 yes, rt_float4 no) {
    return (rt_float4)((mask & (rt_int4)yes) | (~mask & (rt_int4)no));
}

/// Angles of four vectors in radians in [-pi, pi], within 3e-7; (0, 0) gives 0.
///
/// The quotient of the smaller by the larger component goes through a polynomial of degree 17 (Chebyshev fit of
/// atan(a)/a over a squared, within 1.2e-8 before rounding). Octants are unfolded afterwards, with pi rounded down.
REALTIME static inline rt_float4 rt_angles4(rt_float4 y, rt_float4 x) {
    rt_float4 height = __builtin_elementwise_abs(y), width = __builtin_elementwise_abs(x);
    rt_int4 steep = height > width;
    rt_float4 larger = RT_MAX(height, width);
    rt_float4 a = RT_MIN(height, width)
        / RT_MAX(larger, (rt_float4)1.17549435e-38f);
    rt_float4 s = a * a;
    rt_float4 low = RT_FMA(s, (rt_float4)-0.142025705f, (rt_float4)0.199924836f);
    low = RT_FMA(s, low, (rt_float4)-0.333330668f);
    low = RT_FMA(s, low, (rt_float4)0.999999984f);
    rt_float4 high = RT_FMA(s, (rt_float4)0.0028340643f, (rt_float4)-0.0160050305f);
    high = RT_FMA(s, high, (rt_float4)0.0425876075f);
    high = RT_FMA(s, high, (rt_float4)-0.0749544544f);
    high = RT_FMA(s, high, (rt_float4)0.106367541f);
    rt_float4 square = s * s;
    rt_float4 angle = a * RT_FMA(square * square, high, low);
    angle = rt_where4(steep, 0x1.921fb4p0f - angle, angle);
    angle = rt_where4(x < 0.0f, 0x1.921fb4p1f - angle, angle);
    return rt_where4(y < 0.0f, -angle, angle);
}

REALTIME static inline void rt_exp2_at(rt_float16 *at) {
    rt_float16 x = *at;
    x = RT_MAX(RT_MIN(x, (rt_float16)126.0f), (rt_float16)-126.0f);
    rt_float16 whole = __builtin_elementwise_floor(x + 0.5f);
    rt_float16 f = x - whole;
    rt_float16 y = RT_FMA(f, (rt_float16)0.00015469732f, (rt_float16)0.0013400433f);
    y = RT_FMA(f, y, (rt_float16)0.009618025f);
    y = RT_FMA(f, y, (rt_float16)0.05550327f);
    y = RT_FMA(f, y, (rt_float16)0.24022651f);
    y = RT_FMA(f, y, (rt_float16)0.69314718f);
    y = RT_FMA(f, y, (rt_float16)1.0f);
    rt_int16 exponent = __builtin_convertvector(whole, rt_int16);
    *at = (rt_float16)((rt_int16)y + (exponent << 23));
}

/// 2^x for -126 <= x < 127, clamped beyond; relative error at most 2e-7.
REALTIME static inline rt_float16 rt_exp2_16(rt_float16 x) {
    rt_exp2_at(&x);
    return x;
}

/// Binary logarithm of x > 0, within 2e-7 absolute near 1; x below 1e-37 counts as 1e-37.
REALTIME static inline rt_float16 rt_log2_16(rt_float16 x) {
    x = RT_MAX(x, (rt_float16)1e-37f);
    rt_int16 bits = (rt_int16)x;
    // The mantissa ranges from 0.707 to 1.414.
    rt_int16 exponent = (bits - 0x3F3504F3) >> 23;
    rt_float16 m = (rt_float16)(bits - (exponent << 23)) - 1.0f;
    rt_float16 y = RT_FMA(m, (rt_float16)0.1261485f, (rt_float16)-0.20742103f);
    y = RT_FMA(m, y, (rt_float16)0.21566986f);
    y = RT_FMA(m, y, (rt_float16)-0.23892035f);
    y = RT_FMA(m, y, (rt_float16)0.28791833f);
    y = RT_FMA(m, y, (rt_float16)-0.36070484f);
    y = RT_FMA(m, y, (rt_float16)0.4809106f);
    y = RT_FMA(m, y, (rt_float16)-0.72134733f);
    y = RT_FMA(m, y, (rt_float16)1.442695f);
    return RT_FMA(m, y, __builtin_convertvector(exponent, rt_float16));
}

/// Converts phases of 2^32 per turn to turns from -0.5 to 0.5.
REALTIME static inline rt_float16 rt_turns16(unsigned phase, unsigned step) {
    rt_uint16 count = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    return __builtin_convertvector((rt_int16)(phase + step * count), rt_float16) * 2.3283064e-10f;
}

/// Folds turns from -1 to 1 into -0.5 to 0.5.
REALTIME static inline rt_float16 rt_fold16(rt_float16 turns) {
    return turns - __builtin_elementwise_floor(turns + 0.5f);
}

/// sin(2 pi turns) for -0.5 <= turns <= 0.5, within 4e-7.
REALTIME static inline rt_float16 rt_sine16(rt_float16 turns) {
    rt_float16 size = __builtin_elementwise_abs(turns);
    rt_float16 q = RT_MIN(size, 0.5f - size);
    rt_float16 s = q * q;
    rt_float16 y = RT_FMA(s, (rt_float16)39.760723f, (rt_float16)-76.581284f);
    y = RT_FMA(s, y, (rt_float16)81.602478f);
    y = RT_FMA(s, y, (rt_float16)-41.341682f);
    y = RT_FMA(s, y, (rt_float16)6.2831855f);
    y = q * y;
    rt_int16 sign = (rt_int16)turns & (int)0x80000000;
    return (rt_float16)((rt_int16)y ^ sign);
}

/// Sine and cosine of an angle in turns from -1 to 1, within 4e-7, as in `rt_sine16`.
REALTIME static inline void rt_sine_cosine_turns(float turns, float *sine, float *cosine) {
    rt_float4 angle = {turns, turns + 0.25f, 0, 0};
    angle -= __builtin_elementwise_floor(angle + 0.5f);
    rt_float4 size = __builtin_elementwise_abs(angle);
    rt_float4 q = RT_MIN(size, 0.5f - size);
    rt_float4 s = q * q;
    rt_float4 y = RT_FMA(s, (rt_float4)39.760723f, (rt_float4)-76.581284f);
    y = RT_FMA(s, y, (rt_float4)81.602478f);
    y = RT_FMA(s, y, (rt_float4)-41.341682f);
    y = RT_FMA(s, y, (rt_float4)6.2831855f);
    y = (rt_float4)((rt_int4)(q * y) ^ ((rt_int4)angle & (int)0x80000000));
    *sine = y[0];
    *cosine = y[1];
}

/// tanh within 4e-7: the quotient of polynomials of Eigen's `generic_fast_tanh_float`, constant beyond 7.9.
REALTIME static inline rt_float16 rt_tanh16(rt_float16 x) {
    const float end = 7.90531111f;
    x = RT_MAX(RT_MIN(x, (rt_float16)end), (rt_float16)-end);
    rt_float16 s = x * x;
    rt_float16 y = RT_FMA(s, (rt_float16)-2.76076848e-16f, (rt_float16)2.0001879e-13f);
    y = RT_FMA(s, y, (rt_float16)-8.60467152e-11f);
    y = RT_FMA(s, y, (rt_float16)5.1222971e-08f);
    y = RT_FMA(s, y, (rt_float16)1.48572236e-05f);
    y = RT_FMA(s, y, (rt_float16)6.37261929e-04f);
    y = RT_FMA(s, y, (rt_float16)4.89352456e-03f);
    rt_float16 below = RT_FMA(s, (rt_float16)1.1982584e-06f, (rt_float16)1.18534706e-04f);
    below = RT_FMA(s, below, (rt_float16)2.26843463e-03f);
    below = RT_FMA(s, below, (rt_float16)4.89352519e-03f);
    return x * y / below;
}

/// y[i] = x[i] + a y[i - 1] inside the vector. The rows of `powers` hold a, a^2, a^4 and a^8, with zeros in their first
/// 1, 2, 4 and 8 places.
///
/// A prefix sum in four steps (Hillis and Steele 1986) instead of sixteen that wait for each other.
REALTIME static inline rt_float16 rt_scan16(
    rt_float16 x, rt_float16 power1, rt_float16 power2, rt_float16 power4, rt_float16 power8) {
    x = RT_FMA(power1, __builtin_shufflevector(x, x, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14), x);
    x = RT_FMA(power2, __builtin_shufflevector(x, x, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13), x);
    x = RT_FMA(power4, __builtin_shufflevector(x, x, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), x);
    return RT_FMA(power8, __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7), x);
}

/// The last sample in all sixteen lanes.
REALTIME static inline rt_float16 rt_last16(rt_float16 x) {
    return __builtin_shufflevector(x, x, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15);
}

/// Sixteen values interpolated from a ring buffer by Catmull and Rom's cubic.
///
/// `line` has `mask + 1` samples and repeats its first 32 behind its end. Value i is at position `start + offset[i]`.
REALTIME static inline rt_float16 rt_interpolate16(const float *line, long start, long mask, rt_float16 offset) {
    rt_float16 whole = __builtin_elementwise_floor(offset);
    rt_float16 f = offset - whole;
    rt_int16 place = __builtin_convertvector(whole, rt_int16);
    rt_float16 x0, x1, x2, x3;
#if defined(__AVX512F__)
    // Positions usually advance by about one sample a frame, so that all lie in 32 samples: two loads, four
    // permutations.
    int first = place[0];
    rt_int16 ahead = place - first;
    if (__builtin_reduce_and((rt_int16)(ahead >= 0) & (rt_int16)(ahead <= 28))) {
        const float *window = line + ((start + first - 1) & mask);
        rt_float16 low, high;
        __builtin_memcpy(&low, window, sizeof low);
        __builtin_memcpy(&high, window + 16, sizeof high);
        x0 = __builtin_ia32_vpermi2varps512(low, ahead, high);
        x1 = __builtin_ia32_vpermi2varps512(low, ahead + 1, high);
        x2 = __builtin_ia32_vpermi2varps512(low, ahead + 2, high);
        x3 = __builtin_ia32_vpermi2varps512(low, ahead + 3, high);
    } else
#endif
    {
        rt_int16 index = (place + (int)(start - 1)) & (int)mask;
        float taps[4][16];
#pragma clang loop unroll(full)
        for (int i = 0; i < 16; i++) {
#pragma clang loop unroll(full)
            for (int tap = 0; tap < 4; tap++) taps[tap][i] = line[index[i] + tap];
        }
        __builtin_memcpy(&x0, taps[0], sizeof x0);
        __builtin_memcpy(&x1, taps[1], sizeof x1);
        __builtin_memcpy(&x2, taps[2], sizeof x2);
        __builtin_memcpy(&x3, taps[3], sizeof x3);
    }
    rt_float16 c1 = 0.5f * (x2 - x0);
    rt_float16 c3 = 0.5f * (x3 - x0) + 1.5f * (x1 - x2);
    rt_float16 c2 = x0 - x1 + c1 - c3;
    return RT_FMA(f, RT_FMA(f, RT_FMA(f, c3, c2), c1), x1);
}

/// Sixteen values interpolated from a ring buffer, each from the eight samples around its position.
///
/// Ring and positions as in `rt_interpolate16`, with three samples before and four behind the one at or before a position. The
/// weights are cubics of the fraction that meet the samples, fitted to the shift of a tone by iterated least squares: at any
/// fraction the error is below -95 dB up to a 48th of the rate (1 kHz of 48), and the level within 0.3 dB up to 0.34 of the rate.
REALTIME static inline rt_float16 rt_interpolate8_16(const float *line, long start, long mask, rt_float16 offset) {
    rt_float16 whole = __builtin_elementwise_floor(offset);
    rt_float16 u = offset - whole - 0.5f;
    rt_int16 place = __builtin_convertvector(whole, rt_int16);
    rt_float16 x[8];
#if defined(__AVX512F__)
    int first = place[0];
    rt_int16 ahead = place - first;
    if (__builtin_reduce_and((rt_int16)(ahead >= 0) & (rt_int16)(ahead <= 24))) {
        const float *window = line + ((start + first - 3) & mask);
        rt_float16 low, high;
        __builtin_memcpy(&low, window, sizeof low);
        __builtin_memcpy(&high, window + 16, sizeof high);
#pragma clang loop unroll(full)
        for (int tap = 0; tap < 8; tap++) x[tap] = __builtin_ia32_vpermi2varps512(low, ahead + tap, high);
    } else
#endif
    {
        rt_int16 index = (place + (int)(start - 3)) & (int)mask;
        float taps[8][16];
#pragma clang loop unroll(full)
        for (int i = 0; i < 16; i++) {
#pragma clang loop unroll(full)
            for (int tap = 0; tap < 8; tap++) taps[tap][i] = line[index[i] + tap];
        }
        __builtin_memcpy(x, taps, sizeof x);
    }
    // Pairs of samples at the same distance from the middle of the interval: their sums have even weights, their differences odd ones.
    rt_float16 even = (x[4] + x[3]) * -0.47862869f, odd = (x[4] - x[3]) * -0.90982908f;
    even = RT_FMA(x[5] + x[2], (rt_float16)0.64694023f, even);
    odd = RT_FMA(x[5] - x[2], (rt_float16)0.40439749f, odd);
    even = RT_FMA(x[6] + x[1], (rt_float16)-0.20517200f, even);
    odd = RT_FMA(x[6] - x[1], (rt_float16)-0.07458189f, odd);
    even = RT_FMA(x[7] + x[0], (rt_float16)0.03686046f, even);
    odd = RT_FMA(x[7] - x[0], (rt_float16)0.00996680f, odd);
    rt_float16 q = RT_FMA(u, u, (rt_float16)-0.25f);
    return RT_FMA(u, RT_FMA(q, odd, x[4] - x[3]), RT_FMA(q, even, (x[4] + x[3]) * 0.5f));
}

/// Hadamard matrix of order 16 applied to sixteen rows of sixteen, in place: orthogonal mixing with a gain of four.
REALTIME static inline void rt_hadamard16(float *rows) {
    rt_float16 x[16];
    __builtin_memcpy(x, rows, sizeof x);
#pragma clang loop unroll(full)
    for (int span = 1; span < 16; span *= 2) {
#pragma clang loop unroll(full)
        for (int i = 0; i < 16; i++) {
            if (i & span) continue;
            rt_float16 a = x[i], b = x[i + span];
            x[i] = a + b;
            x[i + span] = a - b;
        }
    }
    __builtin_memcpy(rows, x, sizeof x);
}

REALTIME static inline rt_float16 rt_add16(rt_float16 a, rt_float16 b) { return a + b; }
REALTIME static inline rt_float16 rt_sub16(rt_float16 a, rt_float16 b) { return a - b; }
REALTIME static inline rt_float16 rt_mul16(rt_float16 a, rt_float16 b) { return a * b; }
REALTIME static inline rt_float16 rt_div16(rt_float16 a, rt_float16 b) { return a / b; }
REALTIME static inline rt_float16 rt_negate16(rt_float16 a) { return -a; }

/// x[i] = max(x[i], a x[i - 1]) inside the vector, for x >= 0; `powers` as `rt_scan16` takes them.
REALTIME static inline rt_float16 rt_peaks16(
    rt_float16 x, rt_float16 power1, rt_float16 power2, rt_float16 power4, rt_float16 power8) {
    x = RT_MAX(
        x, power1 * __builtin_shufflevector(x, x, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14));
    x = RT_MAX(
        x, power2 * __builtin_shufflevector(x, x, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13));
    x = RT_MAX(
        x, power4 * __builtin_shufflevector(x, x, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    return RT_MAX(
        x, power8 * __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
}

/// x[1], x[0], x[3], x[2]...: real and imaginary parts exchanged.
REALTIME static inline rt_float16 rt_swap16(rt_float16 x) {
    return __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
}

/// The samples, with infinity and NaN replaced by 0.
REALTIME static inline rt_float16 rt_finite16(rt_float16 x) {
    rt_int16 exponent = (rt_int16)x & 0x7F800000;
    return (rt_float16)((rt_int16)x & (exponent != 0x7F800000));
}

// Eight lanes in double precision, one for each section of a filter.
typedef double rt_double8 __attribute__((ext_vector_type(8)));
typedef int64_t rt_long8 __attribute__((ext_vector_type(8)));

#if defined(__FMA__)
REALTIME static inline rt_double8 rt_fmad8(rt_double8 a, rt_double8 b, rt_double8 c) {
    return __builtin_elementwise_fma(a, b, c);
}
#else
REALTIME static inline rt_double8 rt_fmad8(rt_double8 a, rt_double8 b, rt_double8 c) { return a * b + c; }
#endif
REALTIME static inline rt_double8 rt_addd8(rt_double8 a, rt_double8 b) { return a + b; }
REALTIME static inline rt_double8 rt_subd8(rt_double8 a, rt_double8 b) { return a - b; }
REALTIME static inline rt_double8 rt_muld8(rt_double8 a, rt_double8 b) { return a * b; }
REALTIME static inline rt_double8 rt_divd8(rt_double8 a, rt_double8 b) { return a / b; }
/// `first`, then x[0] to x[6].
REALTIME static inline rt_double8 rt_push8(rt_double8 x, double first) {
    rt_double8 y = __builtin_shufflevector(x, x, 0, 0, 1, 2, 3, 4, 5, 6);
    y[0] = first;
    return y;
}
/// `yes` in lane i where 0 <= time - i < count, else `no`.
REALTIME static inline rt_double8 rt_during8(long time, long count, rt_double8 yes, rt_double8 no) {
    rt_long8 lane = time - (rt_long8){0, 1, 2, 3, 4, 5, 6, 7};
    rt_long8 mask = (lane >= 0) & (lane < count);
    return (rt_double8)((mask & (rt_long8)yes) | (~mask & (rt_long8)no));
}

// Functions in double precision, for the design of filters.
REALTIME static inline double rt_sine_double(double x) { return sin(x); }
REALTIME static inline double rt_exp_double(double x) { return exp(x); }
REALTIME static inline double rt_log_double(double x) { return log(x); }
REALTIME static inline double rt_sqrt_double(double x) { return sqrt(x); }
