#define _GNU_SOURCE
#include "datagram.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int bind_to(const struct addrinfo *address, int buffer) {
    int descriptor = socket(address->ai_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -errno;
    // Best effort: without privilege the kernel cuts the first to net.core.rmem_max.
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
    int on = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    if (bind(descriptor, address->ai_addr, address->ai_addrlen) == 0) return descriptor;
    int error = errno;
    close(descriptor);
    return -error;
}

int datagram_open(const char *host, uint16_t port, int buffer) {
    char service[8];
    snprintf(service, sizeof service, "%u", port);
    struct addrinfo hints = {
        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found = 0;
    if (getaddrinfo(host, service, &hints, &found) != 0) return -EADDRNOTAVAIL;
    int result = -EADDRNOTAVAIL;
    for (struct addrinfo *address = found; address && result < 0; address = address->ai_next)
        result = bind_to(address, buffer);
    freeaddrinfo(found);
    return result;
}

int datagram_port(int socket) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(socket, (struct sockaddr *)&address, &length) != 0) return -errno;
    if (address.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
    return ntohs(((struct sockaddr_in *)&address)->sin_port);
}

static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};

static void read_peer(const struct sockaddr_storage *from, struct datagram_peer *peer) {
    if (from->ss_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)from;
        memcpy(peer->address, &six->sin6_addr, 16);
        peer->port = ntohs(six->sin6_port);
        peer->scope = (uint16_t)six->sin6_scope_id;
    } else if (from->ss_family != AF_INET) {
        *peer = (struct datagram_peer){0};
    } else {
        const struct sockaddr_in *four = (const struct sockaddr_in *)from;
        memcpy(peer->address, mapped, 12);
        memcpy(peer->address + 12, &four->sin_addr, 4);
        peer->port = ntohs(four->sin_port);
        peer->scope = 0;
    }
}

int datagram_send(int socket, const struct datagram_peer *peer, const void *bytes, int length) {
    struct sockaddr_storage own;
    socklen_t size = sizeof own;
    if (getsockname(socket, (struct sockaddr *)&own, &size) != 0) return -errno;
    ssize_t sent;
    if (own.ss_family == AF_INET6) {
        struct sockaddr_in6 to = {
            .sin6_family = AF_INET6, .sin6_port = htons(peer->port), .sin6_scope_id = peer->scope};
        memcpy(&to.sin6_addr, peer->address, 16);
        sent = sendto(socket, bytes, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&to, sizeof to);
    } else {
        struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(peer->port)};
        memcpy(&to.sin_addr, peer->address + 12, 4);
        sent = sendto(socket, bytes, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&to, sizeof to);
    }
    return sent < 0 ? -errno : 0;
}

int datagram_parse(const char *text, struct datagram_peer *peer) {
    *peer = (struct datagram_peer){0};
    if (inet_pton(AF_INET6, text, peer->address) == 1) return 0;
    memcpy(peer->address, mapped, 12);
    return inet_pton(AF_INET, text, peer->address + 12) == 1 ? 0 : -EINVAL;
}

int datagram_receive(int socket, void *memory, int stride, struct datagram *datagrams, int count) {
    struct mmsghdr headers[DATAGRAM_BATCH];
    struct iovec places[DATAGRAM_BATCH];
    struct sockaddr_storage from[DATAGRAM_BATCH];
    _Alignas(struct cmsghdr) char control[DATAGRAM_BATCH][CMSG_SPACE(sizeof(struct timespec))];
    if (count > DATAGRAM_BATCH) count = DATAGRAM_BATCH;
    for (int i = 0; i < count; i++) {
        places[i] = (struct iovec){.iov_base = (char *)memory + (long)i * stride, .iov_len = (size_t)stride};
        headers[i].msg_hdr = (struct msghdr){
            .msg_name = &from[i], .msg_namelen = sizeof from[i], .msg_iov = &places[i], .msg_iovlen = 1,
            .msg_control = control[i], .msg_controllen = sizeof control[i]};
        headers[i].msg_len = 0;
    }
    int received = recvmmsg(socket, headers, (unsigned)count, MSG_DONTWAIT, 0);
    if (received < 0) return errno == EAGAIN || errno == EINTR ? 0 : -errno;
    for (int i = 0; i < received; i++) {
        struct msghdr *header = &headers[i].msg_hdr;
        datagrams[i] = (struct datagram){
            .length = headers[i].msg_len, .truncated = (header->msg_flags & MSG_TRUNC) != 0};
        // The other end of a pair has no address.
        if (header->msg_namelen < sizeof(sa_family_t)) from[i].ss_family = AF_UNSPEC;
        read_peer(&from[i], &datagrams[i].peer);
        for (struct cmsghdr *c = CMSG_FIRSTHDR(header); c; c = CMSG_NXTHDR(header, c)) {
            if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_TIMESTAMPNS) continue;
            struct timespec time;
            memcpy(&time, CMSG_DATA(c), sizeof time);
            datagrams[i].realtime = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
        }
    }
    return received;
}

int datagram_wake_open(void) {
    int descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

void datagram_wake(int wake) {
    uint64_t one = 1;
    ssize_t written = write(wake, &one, sizeof one);
    (void)written;  // Writing fails only when the counter is at its limit, and then it is readable already.
}

void datagram_clear_wake(int wake) {
    uint64_t count;
    ssize_t got = read(wake, &count, sizeof count);
    (void)got;  // Reading fails when there is nothing to take back.
}

int datagram_pair(int ends[2]) {
    if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0) return -errno;
    int on = 1;
    setsockopt(ends[0], SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    return 0;
}

int64_t datagram_wait(const int *sockets, int count, int wake, int64_t timeout) {
    if (count > DATAGRAM_SOCKETS) count = DATAGRAM_SOCKETS;
    struct pollfd descriptors[DATAGRAM_SOCKETS + 1] = {{.fd = wake, .events = POLLIN}};
    for (int i = 0; i < count; i++) descriptors[i + 1] = (struct pollfd){.fd = sockets[i], .events = POLLIN};
    struct timespec time = {.tv_sec = timeout / 1000000000, .tv_nsec = timeout % 1000000000};
    int ready = ppoll(descriptors, (nfds_t)count + 1, timeout < 0 ? 0 : &time, 0);
    if (ready < 0) return errno == EINTR ? 0 : -errno;
    int64_t bits = 0;
    for (int i = 0; i <= count; i++) bits |= (int64_t)(descriptors[i].revents != 0) << i;
    return bits;
}

static bool is_single_four(const uint8_t *four) {
    // 0.0.0.0/8 is this network; from 224.0.0.0 on there are groups, reserved addresses and 255.255.255.255.
    return four[0] != 0 && four[0] < 224;
}

// Whether an address is that of one host. The kernel refuses broadcasts of the networks that this machine is in by itself.
static bool is_single_host(const struct sockaddr *address) {
    if (address->sa_family == AF_INET) return is_single_four((const uint8_t *)&((const struct sockaddr_in *)address)->sin_addr);
    if (address->sa_family != AF_INET6) return false;
    const struct in6_addr *six = &((const struct sockaddr_in6 *)address)->sin6_addr;
    if (IN6_IS_ADDR_MULTICAST(six) || IN6_IS_ADDR_UNSPECIFIED(six)) return false;
    // The forms of an IPv4 address: mapped, compatible, and behind a translator (64:ff9b::/96).
    static const uint8_t translated[12] = {0x00, 0x64, 0xff, 0x9b};
    bool is_four = IN6_IS_ADDR_V4MAPPED(six) || IN6_IS_ADDR_V4COMPAT(six) || memcmp(six->s6_addr, translated, 12) == 0;
    return !is_four || is_single_four(six->s6_addr + 12);
}

static bool is_loopback_four(const struct sockaddr *address) {
    return *(const uint8_t *)&((const struct sockaddr_in *)address)->sin_addr == 127;
}

int datagram_connect(const char *host, uint16_t port, bool is_single) {
    char service[8];
    snprintf(service, sizeof service, "%u", port);
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *found = 0;
    if (getaddrinfo(host, service, &hints, &found) != 0) return -EADDRNOTAVAIL;
    int result = -EADDRNOTAVAIL;
    // Names of this machine have an address of each kind, and programs that receive OSC mostly bind the older one.
    bool is_four_first = false;
    for (struct addrinfo *address = found; address; address = address->ai_next)
        is_four_first |= address->ai_family == AF_INET && is_loopback_four(address->ai_addr);
    for (struct addrinfo *address = found; address && result < 0; address = address->ai_next) {
        if (is_four_first && address->ai_family != AF_INET) continue;
        if (is_single && !is_single_host(address->ai_addr)) {
            result = -EACCES;
            continue;
        }
        int descriptor = socket(address->ai_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (descriptor >= 0 && connect(descriptor, address->ai_addr, address->ai_addrlen) == 0) result = descriptor;
        else result = -errno;
        if (descriptor >= 0 && result < 0) close(descriptor);
    }
    freeaddrinfo(found);
    return result;
}

int datagram_send_connected(int socket, const void *bytes, int count) {
    return send(socket, bytes, (size_t)count, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -errno : 0;
}

void datagram_close(int descriptor) { close(descriptor); }

uint64_t datagram_realtime(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
