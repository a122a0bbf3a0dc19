#define _GNU_SOURCE
#include "realtime.h"
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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

void realtime_limit_arenas(void) {
#if defined(M_ARENA_MAX)
    // malloc reserves 64 MB and more for the arena of each thread, eight times as many as there are cores.
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) mallopt(M_ARENA_MAX, 1);
#endif
}

int realtime_lock_memory(void) {
    // A lock that just fits under a limit would make later allocations fail. Under a limit of zero only a privileged
    // process succeeds, and the limit does not apply to it.
    struct rlimit limit;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return errno;
    if (limit.rlim_cur != RLIM_INFINITY) {
        struct rlimit nothing = {.rlim_cur = 0, .rlim_max = limit.rlim_max};
        if (setrlimit(RLIMIT_MEMLOCK, &nothing) != 0) return errno;
    }
    // MCL_ONFAULT locks pages when they are first touched: a mapping of 700 MB is not read in whole.
    int refusal = mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0 ? 0 : errno;
    setrlimit(RLIMIT_MEMLOCK, &limit);
    return refusal;
}

void realtime_name_thread(const char *name) { prctl(PR_SET_NAME, name); }

void realtime_thread_name(char *name) { prctl(PR_GET_NAME, name); }

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
