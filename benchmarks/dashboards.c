// Many dashboards at one MQTT broker: dashboards PORT CLIENTS SECONDS TOPIC. Each has its own connection and one subscription. Prints
// "begin", and then messages, the slowest dashboard's messages, bytes of a message, and the delay from the time in it (`{"time":S,…`, of
// the same machine) to its reading: p50, p99 and worst, in microseconds.
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

enum { size = 65536 };

struct client {
    int socket, have;
    uint64_t messages;
    uint8_t *buffer;
};

static uint32_t *delays;
static size_t count, capacity = 8000000;
static int last_size;

/// Seconds since 1970.
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int read_all(int from, uint8_t *bytes, size_t length) {
    for (size_t have = 0; have < length;) {
        ssize_t got = read(from, bytes + have, length - have);
        if (got <= 0) return -1;
        have += (size_t)got;
    }
    return 0;
}

/// Reads one packet, at most 127 bytes behind its header. Returns its first byte, -1 at the end.
static int read_packet(int from) {
    uint8_t bytes[130];
    if (read_all(from, bytes, 2) != 0 || bytes[1] > 127 || read_all(from, bytes + 2, bytes[1]) != 0) return -1;
    return bytes[0];
}

/// Connects by MQTT 5 and subscribes. Returns 0 when the broker has accepted both.
static int open_client(struct client *client, int port, int number, const char *topic) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    client->socket = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(client->socket, (struct sockaddr *)&address, sizeof address) != 0) return -1;
    char name[24];
    int length = snprintf(name, sizeof name, "dashboard-%d", number), topic_length = (int)strlen(topic);
    uint8_t packet[256] = {0x10, (uint8_t)(13 + length), 0, 4, 'M', 'Q', 'T', 'T', 5, 2, 0, 0, 0, 0, (uint8_t)length};
    memcpy(packet + 15, name, (size_t)length);
    if (write(client->socket, packet, 15 + (size_t)length) < 0 || read_packet(client->socket) != 0x20) return -1;
    uint8_t wish[256] = {0x82, (uint8_t)(6 + topic_length), 0, 1, 0, 0, (uint8_t)topic_length};
    memcpy(wish + 7, topic, (size_t)topic_length);
    if (write(client->socket, wish, 8 + (size_t)topic_length) < 0) return -1;
    return read_packet(client->socket) == 0x90 ? 0 : -1;
}

/// Removes whole packets from the buffer, and notes their delays.
static void take(struct client *client, double time, int counted) {
    int at = 0;
    while (1) {
        int left = client->have - at, length = 0, header = 1;
        uint8_t *head = client->buffer + at;
        while (header < left && header < 4 && head[header] & 0x80) length |= (head[header] & 0x7F) << 7 * (header - 1), header++;
        if (header >= left) break;
        length |= head[header] << 7 * (header - 1);
        header++;
        if (left < header + length) break;
        if ((head[0] & 0xF0) == 0x30 && counted) {
            uint8_t *made = memmem(head + header, (size_t)length, "{\"time\":", 8);
            if (!made) exit(1);
            double delay = time - strtod((char *)made + 8, NULL);
            client->messages++;
            last_size = header + length;
            if (count < capacity) delays[count++] = delay > 0 ? (uint32_t)(delay * 1e6) : 0;
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
    if (arguments < 5 || strlen(argument[4]) > 100) return 2;
    int port = atoi(argument[1]), clients = atoi(argument[2]);
    struct client *all = calloc((size_t)clients, sizeof *all);
    delays = malloc(capacity * sizeof *delays);
    int poll = epoll_create1(0);
    for (int i = 0; i < clients; i++) {
        all[i].buffer = malloc(size);
        if (open_client(&all[i], port, i, argument[4]) != 0) return 1;
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
        epoll_ctl(poll, EPOLL_CTL_ADD, all[i].socket, &event);
    }
    double begin = now() + 2, end = begin + atof(argument[3]);
    int announced = 0;
    while (1) {
        struct epoll_event events[256];
        int ready = epoll_wait(poll, events, 256, 100);
        double time = now();
        if (time > end) break;
        if (time > begin && !announced) {
            announced = 1;
            printf("begin\n");
            fflush(stdout);
        }
        for (int i = 0; i < ready; i++) {
            struct client *client = events[i].data.ptr;
            ssize_t got = read(client->socket, client->buffer + client->have, (size_t)(size - client->have));
            if (got <= 0) return 1;
            client->have += (int)got;
            take(client, now(), announced);
        }
    }
    uint64_t slowest = UINT64_MAX;
    for (int i = 0; i < clients; i++)
        if (all[i].messages < slowest) slowest = all[i].messages;
    if (count == 0) return 1;
    qsort(delays, count, sizeof *delays, compare);
    printf("%zu %llu %d %u %u %u\n", count, (unsigned long long)slowest, last_size, delays[count / 2], delays[count * 99 / 100],
        delays[count - 1]);
}
