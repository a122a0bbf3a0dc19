#pragma once
#include <math.h>
#include <string.h>
#include <time.h>

/// Annotates a C function for Swift: it takes no lock and allocates no memory.
#define REALTIME __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

// Mathematical functions that Swift's realtime checker cannot analyse.
REALTIME static inline float rt_sin(float x) { return sinf(x); }
REALTIME static inline float rt_cos(float x) { return cosf(x); }
REALTIME static inline float rt_tan(float x) { return tanf(x); }
REALTIME static inline float rt_exp(float x) { return expf(x); }
REALTIME static inline float rt_exp2(float x) { return exp2f(x); }
REALTIME static inline float rt_log10(float x) { return log10f(x); }
REALTIME static inline float rt_sqrt(float x) { return sqrtf(x); }
REALTIME static inline float rt_floor(float x) { return floorf(x); }
/// Truncates a number to a `long`, without checking that it fits.
REALTIME static inline long rt_whole(float x) { return (long)x; }

// Memory operations.
REALTIME static inline void rt_copy(float *to, const float *from, long count) {
    memcpy(to, from, (size_t)count * sizeof(float));
}
/// Writes pairs of the samples of two rows, as many as `count`.
REALTIME static inline void rt_interleave(float *restrict to, const float *restrict left, const float *restrict right, long count) {
    for (long i = 0; i < count; ++i) {
        to[2 * i] = left[i];
        to[2 * i + 1] = right[i];
    }
}

/// As rt_copy, for ranges that may overlap.
REALTIME static inline void rt_move(float *to, const float *from, long count) {
    memmove(to, from, (size_t)count * sizeof(float));
}
REALTIME static inline void rt_zero(float *to, long count) {
    memset(to, 0, (size_t)count * sizeof(float));
}

/// Largest magnitude of a sample that enters the engine.
#define RT_LARGEST_SAMPLE 64.0f
/// Limits samples that enter the engine: those that are infinite or not numbers become 0, others are limited.
/// Returns how many were changed; there are none in valid sound, which stays the same to the bit.
REALTIME static inline long rt_limit_samples(float *samples, long count) {
    long faults = 0;
    for (long i = 0; i < count; i++) {
        float sample = samples[i], size = __builtin_fabsf(sample);
        // A comparison with a sample that is not a number is false.
        float limited = size < __builtin_inff() ? __builtin_copysignf(RT_LARGEST_SAMPLE, sample) : 0.0f;
        faults += size <= RT_LARGEST_SAMPLE ? 0 : 1;
        samples[i] = size <= RT_LARGEST_SAMPLE ? sample : limited;
    }
    return faults;
}

// Vectors. a * b + c is rounded once where the processor has such an instruction, and never calls libm.
typedef float rt_float8 __attribute__((ext_vector_type(8)));
// One instruction: returns `b` where `a` is NaN. Clang's builtin maximum has the opposite rule, which takes three.
#define RT_MAX(a, b) ((a) > (b) ? (a) : (b))
#define RT_MIN(a, b) ((a) < (b) ? (a) : (b))
typedef float rt_float16 __attribute__((ext_vector_type(16)));
#if defined(__FMA__)
REALTIME static inline rt_float16 rt_fma16(rt_float16 a, rt_float16 b, rt_float16 c) {
    return __builtin_elementwise_fma(a, b, c);
}
#else
REALTIME static inline rt_float16 rt_fma16(rt_float16 a, rt_float16 b, rt_float16 c) { return a * b + c; }
#endif
REALTIME static inline rt_float16 rt_max16(rt_float16 a, rt_float16 b) {
    return RT_MAX(a, b);
}
REALTIME static inline rt_float16 rt_abs16(rt_float16 a) { return __builtin_elementwise_abs(a); }
REALTIME static inline float rt_largest16(rt_float16 a) {
    rt_float8 b = RT_MAX(a.lo, a.hi);
    __typeof__(b.lo) c = RT_MAX(b.lo, b.hi);
    __typeof__(c.lo) d = RT_MAX(c.lo, c.hi);
    return d.x > d.y ? d.x : d.y;
}
REALTIME static inline float rt_sum16(rt_float16 a) {
    rt_float8 b = a.lo + a.hi;
    __typeof__(b.lo) c = b.lo + b.hi;
    __typeof__(c.lo) d = c.lo + c.hi;
    return d.x + d.y;
}
/// The same for two vectors at once.
typedef float rt_float2 __attribute__((ext_vector_type(2)));
REALTIME static inline rt_float2 rt_largest16s(rt_float16 a, rt_float16 b) {
    rt_float8 c = RT_MAX(a.lo, a.hi), d = RT_MAX(b.lo, b.hi);
    __typeof__(c.lo) e = RT_MAX(c.lo, c.hi), f = RT_MAX(d.lo, d.hi);
    __typeof__(c.lo) g = RT_MAX(
        __builtin_shufflevector(e, f, 0, 4, 1, 5), __builtin_shufflevector(e, f, 2, 6, 3, 7));
    return RT_MAX(g.lo, g.hi);
}
REALTIME static inline rt_float2 rt_sum16s(rt_float16 a, rt_float16 b) {
    rt_float8 c = a.lo + a.hi, d = b.lo + b.hi;
    __typeof__(c.lo) e = c.lo + c.hi, f = d.lo + d.hi;
    __typeof__(c.lo) g = __builtin_shufflevector(e, f, 0, 4, 1, 5) + __builtin_shufflevector(e, f, 2, 6, 3, 7);
    return g.lo + g.hi;
}

/// Bit i is set where `a` or `b` is not zero in lane i.
REALTIME static inline unsigned rt_nonzero16(rt_float16 a, rt_float16 b) {
    typedef _Bool bits __attribute__((ext_vector_type(16)));
    bits set = __builtin_convertvector((a != 0.0f) | (b != 0.0f), bits);
    unsigned short mask;
    __builtin_memcpy(&mask, &set, sizeof mask);
    return mask;
}

/// Reciprocal magnitudes of eight complex numbers (real, imaginary, real...), each twice; for a square below `least`,
/// the reciprocal of its root.
REALTIME static inline rt_float16 rt_inverse_magnitude16(rt_float16 a, float least) {
    rt_float16 square = a * a;
    square += __builtin_shufflevector(square, square, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
    return 1.0f / __builtin_elementwise_sqrt(RT_MAX(square, (rt_float16)least));
}

/// Transposes eight rows of eight floats: `to[column * to_stride + row] = from[row * from_stride + column]`.
REALTIME static inline void rt_transpose8(const float *from, long from_stride, float *to, long to_stride) {
    rt_float8 row[8], pair[8], quad[8];
    for (int i = 0; i < 8; i++) __builtin_memcpy(&row[i], from + i * from_stride, sizeof(rt_float8));
    for (int i = 0; i < 8; i += 2) {
        pair[i] = __builtin_shufflevector(row[i], row[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        pair[i + 1] = __builtin_shufflevector(row[i], row[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 8; i += 4) {
        for (int j = 0; j < 2; j++) {
            quad[i + 2 * j] = __builtin_shufflevector(pair[i + j], pair[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            quad[i + 2 * j + 1] = __builtin_shufflevector(pair[i + j], pair[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (int i = 0; i < 4; i++) {
        rt_float8 near = __builtin_shufflevector(quad[i], quad[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        rt_float8 far = __builtin_shufflevector(quad[i], quad[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
        __builtin_memcpy(to + i * to_stride, &near, sizeof near);
        __builtin_memcpy(to + (i + 4) * to_stride, &far, sizeof far);
    }
}

/// Prefetches lines of 64 bytes for reading and writing; any address is allowed.
REALTIME static inline void rt_prefetch(const void *from, long lines) {
    for (long line = 0; line < lines; line++) __builtin_prefetch((const char *)from + 64 * line, 1, 3);
}

/// Prefetches samples for reading; any address is allowed.
REALTIME static inline void rt_prefetch_samples(const float *from, long count) {
    for (long sample = 0; sample < count + 15; sample += 16) __builtin_prefetch(from + sample, 0, 3);
}

/// CLOCK_MONOTONIC in nanoseconds: the clock of all measurements.
REALTIME static inline unsigned long long rt_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (unsigned long long)time.tv_sec * 1000000000ull + (unsigned long long)time.tv_nsec;
}

/// Enables flush-to-zero and denormals-are-zero for the calling thread.
REALTIME void realtime_flush_denormals(void);

/// Sets SCHED_FIFO for the calling thread. Returns 0 or an errno.
int realtime_raise_priority(int priority);

/// Makes all threads share one arena of malloc where the address space is limited. To be called before the first thread is started.
void realtime_limit_arenas(void);

/// Locks this process's memory. Returns 0 or an errno; under any memory limit it fails.
int realtime_lock_memory(void);

/// Names the calling thread, as `top -H` shows it; the name is cut to 15 bytes.
void realtime_name_thread(const char *name);

/// Writes the name of the calling thread to `name`, which has 16 bytes.
void realtime_thread_name(char *name);

/// Sleeps until CLOCK_MONOTONIC reaches `nanoseconds`, in spite of signals.
void realtime_sleep_until(unsigned long long nanoseconds);

/// Hooks of RealtimeSanitizer; without effect when it is not linked.
REALTIME void realtime_enter(void);
REALTIME void realtime_exit(void);
int realtime_is_checked(void);
