#define _GNU_SOURCE
#include "realtime.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

void realtime_flush_denormals(void) {
#if defined(__SSE__)
    _mm_setcsr(_mm_getcsr() | 0x8040);  // FTZ is bit 15, DAZ bit 6.
#elif defined(__aarch64__)
    unsigned long long control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    __asm__ volatile("msr fpcr, %0" : : "r"(control | (1ull << 24)));
#endif
}

int realtime_raise_priority(int priority) {
    struct sched_param parameter = {.sched_priority = priority};
    return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter);
}

int realtime_lock_memory(void) {
    // MCL_ONFAULT: pages stay once touched; a 700 MB mapping is not pulled in whole.
    return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0 ? 0 : errno;
}

void realtime_sleep_until(unsigned long long nanoseconds) {
    struct timespec time = {
        .tv_sec = (time_t)(nanoseconds / 1000000000ull), .tv_nsec = (long)(nanoseconds % 1000000000ull)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, 0) == EINTR) {}
}

__attribute__((weak)) void __rtsan_realtime_enter(void);
__attribute__((weak)) void __rtsan_realtime_exit(void);

int realtime_is_checked(void) { return __rtsan_realtime_enter != 0; }
void realtime_enter(void) { if (__rtsan_realtime_enter) __rtsan_realtime_enter(); }
void realtime_exit(void) { if (__rtsan_realtime_exit) __rtsan_realtime_exit(); }
