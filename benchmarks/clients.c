// A thousand clients of one server: clients PORT CLIENTS SECONDS REQUEST. Prints frames, the slowest client's frames,
// bytes of a frame and the delay from the time at a frame's offset 8 to its reading: p50, p99 and worst, in microseconds.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct client {
    int socket, have;
    uint64_t frames;
    uint8_t buffer[16384];
};

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/// Returns 0 when the server has accepted the upgrade; data after its headers stays in the buffer.
static int open_client(struct client *client, int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    client->socket = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(client->socket, (struct sockaddr *)&address, sizeof address) != 0) return -1;
    static const char request[] =
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: vestibule.telemetry.v1\r\n\r\n";
    if (write(client->socket, request, sizeof request - 1) != sizeof request - 1) return -1;
    for (;;) {
        ssize_t got = read(client->socket, client->buffer + client->have, sizeof client->buffer - (size_t)client->have);
        if (got <= 0) return -1;
        client->have += (int)got;
        uint8_t *end = memmem(client->buffer, (size_t)client->have, "\r\n\r\n", 4);
        if (!end) continue;
        if (memcmp(client->buffer, "HTTP/1.1 101", 12) != 0) return -1;
        int header = (int)(end + 4 - client->buffer);
        client->have -= header;
        memmove(client->buffer, end + 4, (size_t)client->have);
        return 0;
    }
}

static int ask(struct client *client, const char *request) {
    // A text frame with a mask of zeros.
    uint8_t frame[256] = {0x81, (uint8_t)(0x80 | strlen(request)), 0, 0, 0, 0};
    memcpy(frame + 6, request, strlen(request));
    return write(client->socket, frame, 6 + strlen(request)) < 0 ? -1 : 0;
}

static uint32_t *delays;
static size_t count, capacity = 4000000;
static int last_size;

/// Removes whole frames from the buffer. Text frames are answers and are not counted.
static void take(struct client *client, uint64_t time, int counted) {
    int at = 0;
    for (;;) {
        int left = client->have - at;
        if (left < 2) break;
        uint8_t *head = client->buffer + at;
        int header = 2, length = head[1] & 0x7F;
        if (length == 126) {
            if (left < 4) break;
            header = 4;
            length = head[2] << 8 | head[3];
        }
        if (left < header + length) break;
        if ((head[0] & 0x0F) == 2 && length >= 16 && counted) {
            uint64_t made;
            memcpy(&made, head + header + 8, sizeof made);
            client->frames++;
            last_size = length;
            if (count < capacity) delays[count++] = (uint32_t)((time - made) / 1000);
        }
        if ((head[0] & 0x0F) == 9) {
            // A ping: its pong, with a mask of zeros.
            uint8_t pong[140] = {0x8A, (uint8_t)(0x80 | length), 0, 0, 0, 0};
            memcpy(pong + 6, head + header, (size_t)length);
            if (write(client->socket, pong, 6 + (size_t)length) < 0) exit(1);
        }
        at += header + length;
    }
    memmove(client->buffer, client->buffer + at, (size_t)(client->have - at));
    client->have -= at;
}

static int compare(const void *one, const void *other) {
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return a < b ? -1 : a > b;
}

int main(int arguments, char **argument) {
    if (arguments < 5) return 2;
    int port = atoi(argument[1]), clients = atoi(argument[2]);
    double seconds = atof(argument[3]);
    struct client *all = calloc((size_t)clients, sizeof *all);
    delays = malloc(capacity * sizeof *delays);
    int poll = epoll_create1(0);
    for (int i = 0; i < clients; i++) {
        if (open_client(&all[i], port) != 0) return 1;
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
        epoll_ctl(poll, EPOLL_CTL_ADD, all[i].socket, &event);
    }
    for (int i = 0; i < clients && *argument[4]; i++)
        if (ask(&all[i], argument[4]) != 0) return 1;
    uint64_t begin = now() + 1000000000, end = begin + (uint64_t)(seconds * 1e9);
    int announced = 0;
    for (;;) {
        struct epoll_event events[256];
        int ready = epoll_wait(poll, events, 256, 100);
        uint64_t time = now();
        if (time > end) break;
        if (time > begin && !announced) {
            announced = 1;
            printf("begin\n");
            fflush(stdout);
        }
        for (int i = 0; i < ready; i++) {
            struct client *client = events[i].data.ptr;
            ssize_t got = read(client->socket, client->buffer + client->have, sizeof client->buffer - (size_t)client->have);
            if (got <= 0) return 1;
            client->have += (int)got;
            take(client, now(), announced);
        }
    }
    uint64_t slowest = UINT64_MAX;
    for (int i = 0; i < clients; i++)
        if (all[i].frames < slowest) slowest = all[i].frames;
    qsort(delays, count, sizeof *delays, compare);
    if (count == 0) return 1;
    printf("%zu %llu %d %u %u %u\n", count, (unsigned long long)slowest, last_size, delays[count / 2],
        delays[count * 99 / 100], delays[count - 1]);
}
