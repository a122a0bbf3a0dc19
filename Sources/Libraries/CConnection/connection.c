#define _GNU_SOURCE
#include "connection.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

const char *const connection_protocols = "http,https,tcp,tls";

void connection_wait(struct connection *connection, int seconds) {
    clock_gettime(CLOCK_MONOTONIC, &connection->deadline);
    connection->deadline.tv_sec += seconds;
}

bool connection_is_late(const struct connection *connection) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > connection->deadline.tv_sec
        || (now.tv_sec == connection->deadline.tv_sec && now.tv_nsec >= connection->deadline.tv_nsec);
}

// libav asks it while it waits.
static int interrupts(void *context) {
    const struct connection *connection = context;
    if (connection->is_wanted && !connection->is_wanted(connection->context)) return true;
    return atomic_load(&connection->is_cancelled) || connection_is_late(connection);
}

AVIOInterruptCB connection_interrupt(struct connection *connection) { return (AVIOInterruptCB){interrupts, connection}; }

bool connection_refuse(struct connection_problem *problem, bool is_lasting, const char *text) {
    snprintf(problem->text, sizeof problem->text, "%s", text);
    problem->is_lasting = is_lasting;
    problem->is_missing = false;
    return false;
}

bool connection_refuse_code(const struct connection *connection, struct connection_problem *problem, int code) {
    char reason[AV_ERROR_MAX_STRING_SIZE];
    av_strerror(code, reason, sizeof reason);
    switch (code) {
    case AVERROR_EXIT:
        return connection_refuse(problem, false, connection_is_late(connection) ? "it does not answer" : "it was cancelled");
    case AVERROR_INVALIDDATA:
        return connection_refuse(problem, true, "it sends something else than was expected");
    case AVERROR_PROTOCOL_NOT_FOUND:
        return connection_refuse(problem, true, "only http:// and https:// addresses can be read");
    case AVERROR_HTTP_NOT_FOUND:
        connection_refuse(problem, true, "there is nothing at this address (404)");
        problem->is_missing = true;
        return false;
    case AVERROR_HTTP_UNAUTHORIZED:
        return connection_refuse(problem, true, "the server refuses access without a login (401)");
    case AVERROR_HTTP_FORBIDDEN:
        return connection_refuse(problem, true, "the server refuses access (403)");
    case AVERROR_HTTP_SERVER_ERROR:
        return connection_refuse(problem, false, "the server has a fault of its own (5xx)");
    case AVERROR(EIO):
        return connection_refuse(problem, false, "the connection ended, or the address redirects in a circle");
    case AVERROR(EINVAL):
        return connection_refuse(problem, true, "this is not an address that can be read");
    default:
        return connection_refuse(problem, false, reason);
    }
}

// Lets https:// addresses through only with a certificate of their name by a known authority: those of a file, of the one that
// SSL_CERT_FILE names, or of the system.
static void verify(AVDictionary **options, const char *authorities) {
    if (!authorities) authorities = getenv("SSL_CERT_FILE");
    if (!authorities || !*authorities) authorities = "/etc/ssl/certs/ca-certificates.crt";
    av_dict_set(options, "tls_verify", "1", 0);
    if (access(authorities, R_OK) == 0) av_dict_set(options, "ca_file", authorities, 0);
}

bool connection_open(struct connection *connection, const char *address, AVDictionary *more, const char *authorities,
    struct connection_problem *problem) {
    AVIOInterruptCB interrupt = connection_interrupt(connection);
    AVDictionary *options = NULL;
    av_dict_copy(&options, more, 0);
    av_dict_set(&options, "protocol_whitelist", connection_protocols, 0);
    av_dict_set(&options, "user_agent", "Vestibule", 0);
    verify(&options, authorities);
    int code = avio_open2(&connection->input, address, AVIO_FLAG_READ, &interrupt, &options);
    av_dict_free(&options);
    // libav does not tell a failed handshake from other errors of input and output.
    if (code == AVERROR(EIO) && strncasecmp(address, "https:", 6) == 0)
        return connection_refuse(problem, false,
            "no secure connection is made; its certificate may be out of date, of another name or of an unknown authority");
    return code < 0 ? connection_refuse_code(connection, problem, code) : true;
}
