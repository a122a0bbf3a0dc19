#include "icecast.h"

#include <libavformat/avformat.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// libshout would be the usual library. It waits by select(), which ends a program that has more than a thousand sockets open.
static const char *const protocols = "http,https,tcp,tls";

struct icecast {
    atomic_bool is_cancelled;
    struct timespec deadline;
    AVIOContext *output;
};

static void set_deadline(struct icecast *icecast, int seconds) {
    clock_gettime(CLOCK_MONOTONIC, &icecast->deadline);
    icecast->deadline.tv_sec += seconds;
}

// libav asks it while it waits.
static int interrupts(void *context) {
    struct icecast *icecast = context;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    bool is_late = now.tv_sec > icecast->deadline.tv_sec
        || (now.tv_sec == icecast->deadline.tv_sec && now.tv_nsec >= icecast->deadline.tv_nsec);
    return is_late || atomic_load(&icecast->is_cancelled);
}

static bool refuse(struct icecast *icecast, int code, struct icecast_problem *problem) {
    av_strerror(code, problem->text, sizeof problem->text);
    switch (code) {
    case AVERROR_EXIT: problem->failure = atomic_load(&icecast->is_cancelled) ? ICECAST_CANCELLED : ICECAST_MUTE; break;
    case AVERROR_HTTP_UNAUTHORIZED: problem->failure = ICECAST_UNAUTHORIZED; break;
    case AVERROR_HTTP_FORBIDDEN: problem->failure = ICECAST_FORBIDDEN; break;
    case AVERROR_HTTP_BAD_REQUEST:
    case AVERROR_HTTP_NOT_FOUND:
    case AVERROR_HTTP_SERVER_ERROR:
    case AVERROR_HTTP_OTHER_4XX: problem->failure = ICECAST_NO_SOURCES; break;
    case AVERROR(EIO):
    case AVERROR(EPIPE):
    case AVERROR(ECONNRESET):
    case AVERROR_EOF:
    case AVERROR_INVALIDDATA: problem->failure = ICECAST_LOST; break;
    default: problem->failure = ICECAST_OTHER;
    }
    return false;
}

struct icecast *icecast_new(void) {
    av_log_set_level(AV_LOG_QUIET);
    avformat_network_init();
    return calloc(1, sizeof(struct icecast));
}

bool icecast_open(
    struct icecast *icecast, const char *address, const char *authorities, const char *headers, int seconds,
    struct icecast_problem *problem) {
    set_deadline(icecast, seconds);
    AVIOInterruptCB interrupt = {interrupts, icecast};
    AVDictionary *options = NULL;
    av_dict_set(&options, "protocol_whitelist", protocols, 0);
    av_dict_set(&options, "method", "PUT", 0);
    av_dict_set(&options, "auth_type", "basic", 0);
    // The server answers before the sound begins, and so reports a refusal.
    av_dict_set(&options, "send_expect_100", "1", 0);
    av_dict_set(&options, "chunked_post", "0", 0);
    av_dict_set(&options, "content_type", "audio/ogg", 0);
    av_dict_set(&options, "user_agent", "Vestibule", 0);
    av_dict_set(&options, "headers", headers, 0);
    av_dict_set(&options, "tls_verify", "1", 0);
    av_dict_set(&options, "ca_file", authorities, 0);
    int code = avio_open2(&icecast->output, address, AVIO_FLAG_WRITE, &interrupt, &options);
    av_dict_free(&options);
    return code >= 0 || refuse(icecast, code, problem);
}

bool icecast_send(struct icecast *icecast, const uint8_t *bytes, size_t count, int seconds, struct icecast_problem *problem) {
    set_deadline(icecast, seconds);
    avio_write(icecast->output, bytes, (int)count);
    avio_flush(icecast->output);
    return icecast->output->error >= 0 || refuse(icecast, icecast->output->error, problem);
}

void icecast_cancel(struct icecast *icecast) { atomic_store(&icecast->is_cancelled, true); }

void icecast_free(struct icecast *icecast) {
    avio_closep(&icecast->output);
    free(icecast);
}
