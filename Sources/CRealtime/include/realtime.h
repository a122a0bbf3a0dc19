#pragma once
#include <math.h>
#include <string.h>
#include <time.h>

/// Told to Swift: this C function takes no lock and no memory.
#define REALTIME __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

// Mathematics that Swift's realtime checker cannot see through.
REALTIME static inline float rt_sin(float x) { return sinf(x); }
REALTIME static inline float rt_cos(float x) { return cosf(x); }
REALTIME static inline float rt_tan(float x) { return tanf(x); }
REALTIME static inline float rt_atan2(float y, float x) { return atan2f(y, x); }
REALTIME static inline float rt_exp(float x) { return expf(x); }
REALTIME static inline float rt_exp2(float x) { return exp2f(x); }
REALTIME static inline float rt_log10(float x) { return log10f(x); }
REALTIME static inline float rt_sqrt(float x) { return sqrtf(x); }
REALTIME static inline float rt_floor(float x) { return floorf(x); }

// Memory.
REALTIME static inline void rt_copy(float *to, const float *from, long count) {
    memcpy(to, from, (size_t)count * sizeof(float));
}
REALTIME static inline void rt_copy_bytes(void *to, const void *from, long count) {
    memcpy(to, from, (size_t)count);
}
REALTIME static inline void rt_zero(float *to, long count) {
    memset(to, 0, (size_t)count * sizeof(float));
}

// Vectors. a * b + c in one rounding where the machine has it; never a call into libm.
typedef float rt_float8 __attribute__((ext_vector_type(8)));
typedef float rt_float16 __attribute__((ext_vector_type(16)));
#if defined(__FMA__)
REALTIME static inline rt_float8 rt_fma8(rt_float8 a, rt_float8 b, rt_float8 c) {
    return __builtin_elementwise_fma(a, b, c);
}
REALTIME static inline rt_float16 rt_fma16(rt_float16 a, rt_float16 b, rt_float16 c) {
    return __builtin_elementwise_fma(a, b, c);
}
#else
REALTIME static inline rt_float8 rt_fma8(rt_float8 a, rt_float8 b, rt_float8 c) { return a * b + c; }
REALTIME static inline rt_float16 rt_fma16(rt_float16 a, rt_float16 b, rt_float16 c) { return a * b + c; }
#endif
REALTIME static inline rt_float16 rt_max16(rt_float16 a, rt_float16 b) {
    return __builtin_elementwise_max(a, b);
}
REALTIME static inline rt_float16 rt_abs16(rt_float16 a) { return __builtin_elementwise_abs(a); }
REALTIME static inline rt_float8 rt_max8(rt_float8 a, rt_float8 b) {
    return __builtin_elementwise_max(a, b);
}
REALTIME static inline rt_float8 rt_abs8(rt_float8 a) { return __builtin_elementwise_abs(a); }

/// CLOCK_MONOTONIC in nanoseconds: the clock of everything that is measured.
REALTIME static inline unsigned long long rt_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (unsigned long long)time.tv_sec * 1000000000ull + (unsigned long long)time.tv_nsec;
}

/// Flush-to-zero and denormals-are-zero for the calling thread.
REALTIME void realtime_flush_denormals(void);

/// SCHED_FIFO for the calling thread. Returns 0, or the errno of the refusal.
int realtime_raise_priority(int priority);

/// Keeps this process's memory resident. Returns 0, or the errno of the refusal.
int realtime_lock_memory(void);

/// Sleeps until CLOCK_MONOTONIC reads `nanoseconds`, through signals.
void realtime_sleep_until(unsigned long long nanoseconds);

/// RealtimeSanitizer, when the test binary links it; nothing otherwise.
REALTIME void realtime_enter(void);
REALTIME void realtime_exit(void);
int realtime_is_checked(void);
