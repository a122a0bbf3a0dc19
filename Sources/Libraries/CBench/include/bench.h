#pragma once

/// Number of allocations by the calling thread since its start, by any function.
unsigned long bench_allocations(void);

/// Reference loop for budgets: the two-band method for one listener in plain C, without shared work: 16 channels
/// through fourth-order crossovers made of biquads, then the weighted sums of both ears.
///
/// `state` holds 4 biquads of 2 values for 16 lanes (128 floats). Weights are ramped from `from` to `to`.
void bench_two_band(
    const float *input, int frames, float *state, const float *low_pass, const float *high_pass, const float *from,
    const float *to, float *left, float *right);

/// Reference loop for a sound object at one listener in plain C, without shared work: for each ear a moving delay with
/// linear interpolation and a first-order filter with a moving zero, added to the output.
///
/// `input` has 64 samples before its first. For each ear `state` holds two values; `delay` (samples) and `zero` hold
/// the values before the first frame and at the last.
void bench_object(
    const float *input, int frames, float *state, const float *delay, const float *zero, float pole, float *left, float *right);

/// User and system time of the whole process in nanoseconds.
unsigned long long bench_process_time(void);

/// User and system time of the calling thread in nanoseconds.
unsigned long long bench_thread_time(void);

/// Number of mutexes and read-write locks requested by the calling thread since its start, with or without waiting.
unsigned long bench_locks(void);

/// Prepares the calling thread for counting system calls. Returns 0 where the kernel or the processor does not support
/// it.
int bench_count_system_calls(void);

/// Arms the counter: the next system call of the calling thread is counted and disarms it. On Linux, clock_gettime is
/// not a system call.
void bench_arm_system_calls(int is_armed);

/// Number of armed periods of the calling thread in which a system call occurred.
unsigned long bench_system_calls(void);
