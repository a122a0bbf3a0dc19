// A machine whose clock is fast or slow, by LD_PRELOAD: CLOCK_MONOTONIC of a program runs CLOCK_RATE times as fast as that of the kernel
// from CLOCK_BEGIN (nanoseconds) on, and what waits until a time of it waits accordingly.

#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int64_t begin;
static double rate = 1;

__attribute__((constructor)) static void start(void) {
    const char *from = getenv("CLOCK_BEGIN"), *factor = getenv("CLOCK_RATE");
    if (from && factor) {
        begin = strtoll(from, NULL, 10);
        rate = strtod(factor, NULL);
    }
}

static struct timespec at(double nanoseconds) {
    int64_t time = begin + (int64_t)nanoseconds;
    return (struct timespec){.tv_sec = time / 1000000000, .tv_nsec = time % 1000000000};
}

static double since(const struct timespec *time) { return (double)(time->tv_sec * 1000000000 + time->tv_nsec - begin); }

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && clock == CLOCK_MONOTONIC) *time = at(since(time) * rate);
    return result;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left) {
    struct timespec real = *until;
    if (clock == CLOCK_MONOTONIC && (flags & TIMER_ABSTIME)) real = at(since(until) / rate);
    return syscall(SYS_clock_nanosleep, clock, flags, &real, left) == 0 ? 0 : errno;
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *wanted, struct itimerspec *before) {
    struct itimerspec real = *wanted;
    // A time of zero turns the timer off.
    int isOn = wanted->it_value.tv_sec != 0 || wanted->it_value.tv_nsec != 0;
    if ((flags & TFD_TIMER_ABSTIME) && isOn) real.it_value = at(since(&wanted->it_value) / rate);
    return (int)syscall(SYS_timerfd_settime, descriptor, flags, &real, before);
}
