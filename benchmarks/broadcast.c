// A reference server for telemetry: sends the same frame to every client at a fixed rate, on libwebsockets.
// broadcast PORT BYTES RATE; the frame contains its creation time at offset 8, CLOCK_MONOTONIC nanoseconds.
#include <libwebsockets.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint8_t frame[LWS_PRE + 4096];
static size_t size;
static uint64_t interval, number;
static lws_sorted_usec_list_t timer;
static struct lws_context *context;

struct session {
    uint64_t sent;
    /// Waiting texts: the greeting, then the answer to a request.
    int texts;
};

/// Sends a text as long as the other server's: the amount of data exchanged decides how the client's kernel acknowledges frames.
static void tell(struct lws *wsi, size_t length) {
    uint8_t text[LWS_PRE + 512];
    memset(text + LWS_PRE, ' ', length);
    lws_write(wsi, text + LWS_PRE, length, LWS_WRITE_TEXT);
}

static int serve(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
    (void)in, (void)length;
    struct session *session = user;
    if (reason == LWS_CALLBACK_ESTABLISHED) session->sent = number;
    if (reason == LWS_CALLBACK_ESTABLISHED || reason == LWS_CALLBACK_RECEIVE) {
        session->texts++;
        lws_callback_on_writable(wsi);
    }
    if (reason == LWS_CALLBACK_SERVER_WRITEABLE && session->texts > 0) {
        session->texts--;
        tell(wsi, session->sent == number ? 250 : 100);
        if (session->texts > 0 || session->sent != number) lws_callback_on_writable(wsi);
    } else if (reason == LWS_CALLBACK_SERVER_WRITEABLE && session->sent != number) {
        session->sent = number;
        if (lws_write(wsi, frame + LWS_PRE, size, LWS_WRITE_BINARY) < 0) return -1;
    }
    return 0;
}

static struct lws_protocols protocols[] = {
    {"http", lws_callback_http_dummy, 0, 0, 0, NULL, 0},
    {"vestibule.telemetry.v1", serve, sizeof(struct session), 4096, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

static void tick(lws_sorted_usec_list_t *entry) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t time = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    memcpy(frame + LWS_PRE + 8, &time, sizeof time);
    number++;
    lws_callback_on_writable_all_protocol(context, &protocols[1]);
    lws_sul_schedule(context, 0, entry, tick, (lws_usec_t)interval);
}

int main(int count, char **arguments) {
    if (count < 4) return 2;
    size = (size_t)atoi(arguments[2]);
    if (size > sizeof frame - LWS_PRE) return 2;
    interval = 1000000 / (uint64_t)atoi(arguments[3]);
    lws_set_log_level(LLL_ERR, NULL);
    struct lws_context_creation_info info = {0};
    info.port = atoi(arguments[1]);
    info.iface = "127.0.0.1";
    info.protocols = protocols;
    info.options = LWS_SERVER_OPTION_DISABLE_IPV6;
    context = lws_create_context(&info);
    if (!context) return 1;
    lws_sul_schedule(context, 0, &timer, tick, (lws_usec_t)interval);
    while (lws_service(context, 0) >= 0) {}
}
