#define _GNU_SOURCE
#include "sofa.h"
#include <errno.h>
#include <fcntl.h>
#include <mysofa.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SOFA_NO_PROCESS = -1000 };
/// Bytes of memory that the process that reads may have, with what it shares with its parent.
#define MOST_MEMORY ((rlim_t)4 << 30)

struct header {
    int code;
    struct sofa_contents contents;
};

static void put(int to, const void *bytes, size_t count) {
    const char *at = bytes;
    while (count > 0) {
        ssize_t written = write(to, at, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) _exit(1);
        at += written;
        count -= (size_t)written;
    }
}

static void put_array(int to, const struct MYSOFA_ARRAY *array) {
    if (array->values) put(to, array->values, array->elements * sizeof(float));
}

static unsigned size_of(const struct MYSOFA_ARRAY *array) { return array->values ? array->elements : 0; }

/// Dies quietly, and with its parent.
static void isolate(void) {
    static const int fatal[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) signal(fatal[i], SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    // A damaged file may ask for any amount. ThreadSanitizer needs more than the limit for itself.
#if !__has_feature(thread_sanitizer)
    setrlimit(RLIMIT_DATA, &(struct rlimit){MOST_MEMORY, MOST_MEMORY});
#endif
    int nowhere = open("/dev/null", O_RDWR);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
}

static void read_here(int to, const void *bytes, size_t count) {
    isolate();
    struct header header = {0};
    struct MYSOFA_HRTF *file = mysofa_load_data(bytes, (long)count, &header.code);
    if (file && header.code == MYSOFA_OK) header.code = mysofa_check(file);
    else if (header.code == MYSOFA_OK) header.code = MYSOFA_INVALID_FORMAT;
    if (header.code == MYSOFA_OK) {
        mysofa_tospherical(file);
        header.contents = (struct sofa_contents){
            .directions = file->M, .ears = file->R, .samples = file->N, .rates = size_of(&file->DataSamplingRate),
            .delays = size_of(&file->DataDelay)};
        header.contents.count = (size_t)size_of(&file->DataIR) + size_of(&file->SourcePosition)
            + header.contents.rates + header.contents.delays;
    }
    put(to, &header, sizeof header);
    if (header.code == MYSOFA_OK) {
        put_array(to, &file->DataIR);
        put_array(to, &file->SourcePosition);
        put_array(to, &file->DataSamplingRate);
        put_array(to, &file->DataDelay);
    }
    _exit(0);
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

/// 0, or why not all bytes came.
static int take(int from, void *bytes, size_t count, long long end) {
    char *at = bytes;
    while (count > 0) {
        long long left = end - now();
        if (left <= 0) return SOFA_STUCK;
        struct pollfd ready = {.fd = from, .events = POLLIN};
        int found = poll(&ready, 1, left > 60000 ? 60000 : (int)left);
        if (found < 0 && errno != EINTR) return SOFA_DIED;
        if (found <= 0) continue;
        ssize_t got = read(from, at, count);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return SOFA_DIED;
        at += got;
        count -= (size_t)got;
    }
    return 0;
}

static int collect(int from, long long end, struct sofa_contents *contents) {
    struct header header;
    int failure = take(from, &header, sizeof header, end);
    if (failure) return failure;
    if (header.code != MYSOFA_OK) return header.code;
    if (header.contents.count > SOFA_MOST_VALUES) return SOFA_TOO_LARGE;
    *contents = header.contents;
    contents->values = malloc(contents->count * sizeof(float) + 1);
    if (!contents->values) return MYSOFA_NO_MEMORY;
    failure = take(from, contents->values, contents->count * sizeof(float), end);
    if (failure) sofa_free(contents);
    return failure;
}

int sofa_read(const void *bytes, size_t count, int seconds, struct sofa_contents *contents) {
    memset(contents, 0, sizeof *contents);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return SOFA_NO_PROCESS - errno;
    pid_t child = fork();
    if (child < 0) {
        int reason = errno;
        close(ends[0]);
        close(ends[1]);
        return SOFA_NO_PROCESS - reason;
    }
    if (child == 0) {
        close(ends[0]);
        read_here(ends[1], bytes, count);
    }
    close(ends[1]);
    int code = collect(ends[0], now() + seconds * 1000LL, contents);
    close(ends[0]);
    if (code != 0) kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    return code;
}

void sofa_free(struct sofa_contents *contents) {
    free(contents->values);
    memset(contents, 0, sizeof *contents);
}
