#define _GNU_SOURCE
#include "CBrokerGuard.h"

#include <dlfcn.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

// The place to which this thread returns from a failed assertion of libmosquitto; null outside of guarded_loop_read.
static __thread jmp_buf *place;

int guarded_loop_read(struct mosquitto *client) {
    jmp_buf here;
    if (setjmp(here)) {
        place = NULL;
        return MOSQ_ERR_MALFORMED_PACKET;
    }
    place = &here;
    const int result = mosquitto_loop_read(client, 1);
    place = NULL;
    return result;
}

typedef void (*assert_fail)(const char *, const char *, unsigned, const char *) __attribute__((noreturn));

// In place of the C library's, which libraries find after this one. The library parses properties without a lock and before any
// callback, so that nothing but its own functions is left by the jump.
__attribute__((noreturn, visibility("default"))) void __assert_fail(
    const char *assertion, const char *file, unsigned line, const char *function) {
    if (place && file && strstr(file, "logging_mosq.c")) longjmp(*place, 1);
    const assert_fail next = (assert_fail)dlsym(RTLD_NEXT, "__assert_fail");
    if (next) next(assertion, file, line, function);
    abort();
}

uint64_t guarded_bytes_received(int socket) {
    struct tcp_info information;
    socklen_t length = sizeof information;
    memset(&information, 0, sizeof information);
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &information, &length) != 0) return 0;
    if (length < offsetof(struct tcp_info, tcpi_bytes_received) + sizeof information.tcpi_bytes_received) return 0;
    return information.tcpi_bytes_received;
}
