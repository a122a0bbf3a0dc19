#define _GNU_SOURCE
#include "sofa.h"
#include "tables.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// Bytes of memory that the process that reads may have, with what it shares with its parent.
#define MOST_MEMORY ((rlim_t)4 << 30)

/// Precedes the values of all variables.
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
    // No other file: one may refer to any path.
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, 0});
}

static void read_here(int to, const void *bytes, size_t count) {
    isolate();
    static struct header header;
    header.code = sofa_read_tables(bytes, count, &header.contents);
    put(to, &header, sizeof header);
    for (size_t i = 0; i < SOFA_VARIABLES; i++) {
        const struct sofa_variable *variable = &header.contents.variables[i];
        if (variable->values) put(to, variable->values, variable->count * sizeof(float));
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

static void end_text(char *text) { text[SOFA_TEXT - 1] = 0; }

/// Nothing that the other process has written is trusted: it may have run astray.
static bool is_sound(struct sofa_contents *contents) {
    end_text(contents->conventions);
    end_text(contents->sofa_conventions);
    end_text(contents->data_type);
    end_text(contents->room_type);
    end_text(contents->detail);
    size_t left = SOFA_MOST_VALUES;
    for (size_t i = 0; i < SOFA_VARIABLES; i++) {
        struct sofa_variable *variable = &contents->variables[i];
        end_text(variable->type);
        end_text(variable->units);
        end_text(variable->detail);
        if (variable->rank > SOFA_MOST_DIMENSIONS) return false;
        if (!variable->values) continue;
        if (variable->count > left) return false;
        left -= variable->count;
    }
    return true;
}

static int collect(int from, long long end, struct sofa_contents *contents) {
    struct header header;
    int failure = take(from, &header, sizeof header, end);
    if (failure) return failure;
    if (!is_sound(&header.contents)) return SOFA_DIED;
    *contents = header.contents;
    bool sent[SOFA_VARIABLES];
    for (size_t i = 0; i < SOFA_VARIABLES; i++) {
        sent[i] = contents->variables[i].values != NULL;
        contents->variables[i].values = NULL;
    }
    for (size_t i = 0; i < SOFA_VARIABLES; i++) {
        struct sofa_variable *variable = &contents->variables[i];
        if (!sent[i]) continue;
        variable->values = malloc(variable->count * sizeof(float) + 1);
        if (!variable->values) return SOFA_NO_MEMORY;
        failure = take(from, variable->values, variable->count * sizeof(float), end);
        if (failure) return failure;
    }
    return header.code;
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
    for (size_t i = 0; i < SOFA_VARIABLES; i++) free(contents->variables[i].values);
    memset(contents, 0, sizeof *contents);
}

const struct sofa_variable *sofa_variable_at(const struct sofa_contents *contents, size_t number) {
    return &contents->variables[number];
}
