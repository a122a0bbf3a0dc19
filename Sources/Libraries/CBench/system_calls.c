#define _GNU_SOURCE
#include "bench.h"
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

// Syscall User Dispatch (Linux 5.11, x86_64): while the selector says "block", each system call of this thread
// raises SIGSYS instead. The handler counts it, lets it pass, and leaves the selector open until the next arming.
#if defined(__x86_64__)
#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

static _Thread_local volatile char selector;
static _Thread_local unsigned long count;

static void caught(int number, siginfo_t *info, void *context) {
    (void)number;
    selector = 0;
    count++;
    (void)info;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    long result = syscall(registers[REG_RAX], registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10],
                          registers[REG_R8], registers[REG_R9]);
    registers[REG_RAX] = result == -1 ? -errno : result;
}

int bench_count_system_calls(void) {
    struct sigaction action = {0};
    action.sa_sigaction = caught;
    action.sa_flags = SA_SIGINFO;
    if (sigaction(SIGSYS, &action, NULL) != 0) return 0;
    return prctl(PR_SET_SYSCALL_USER_DISPATCH, 1, 0, 0, &selector) == 0;
}

void bench_arm_system_calls(int isArmed) { selector = isArmed ? 1 : 0; }
unsigned long bench_system_calls(void) { return count; }
#else
int bench_count_system_calls(void) { return 0; }
void bench_arm_system_calls(int isArmed) { (void)isArmed; }
unsigned long bench_system_calls(void) { return 0; }
#endif
