#pragma once

/// How often the calling thread has allocated memory since it began, by whatever way.
unsigned long bench_allocations(void);

/// The measure to compare with: the whole two-band job for one listener as one writes it in C, without sharing
/// anything: 16 channels through fourth-order crossovers made of biquads, then the weighted sums of both ears.
///
/// `state` holds 4 biquads of 2 values for 16 lanes (128 floats). Weights are ramped from `from` to `to`.
void bench_two_band(
    const float *input, int frames, float *state, const float *low_pass, const float *high_pass, const float *from,
    const float *to, float *left, float *right);

/// The measure for a sound object at one listener, as one writes it in C, without sharing anything: for each ear a moving delay
/// between two samples, and a filter of first order whose zero moves, added to what is there.
///
/// `input` has 64 samples before its first. Of each ear `state` holds two values, `delay` (samples) and `zero` what they are
/// before the first frame and at the last.
void bench_object(
    const float *input, int frames, float *state, const float *delay, const float *zero, float pole, float *left, float *right);

/// User and system time of the whole process, nanoseconds.
unsigned long long bench_process_time(void);

/// User and system time of the calling thread, nanoseconds.
unsigned long long bench_thread_time(void);

/// How often the calling thread has asked for a mutex or a read-write lock since it began, whether or not it had to wait.
unsigned long bench_locks(void);

/// Prepares the calling thread for counting its system calls; 0 where the kernel or the processor has no means for it.
int bench_count_system_calls(void);

/// While armed, the next system call of the calling thread is counted, and disarms. clock_gettime is no system call on Linux.
void bench_arm_system_calls(int is_armed);

/// How many armed stretches of the calling thread have had a system call.
unsigned long bench_system_calls(void);

/// Number of the system call that was counted last; -1 when there was none.
int bench_latest_system_call(void);
