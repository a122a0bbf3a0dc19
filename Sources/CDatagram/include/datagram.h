#pragma once
#include <stdint.h>

/// The calls of a UDP receiver that the system's Swift module does not show.
/// All return what they say, or a negated errno.

/// The other end of a datagram: an IPv6 address, or an IPv4 address mapped into one, in network order.
struct datagram_peer {
    uint8_t address[16];
    /// Host order.
    uint16_t port;
    /// The interface of a link-local address; 0 elsewhere.
    uint16_t scope;
};

/// One datagram of a batch.
struct datagram {
    struct datagram_peer peer;
    uint32_t length;
    /// 1 when it was longer than its place and has been cut.
    uint32_t truncated;
    /// When the kernel had it, CLOCK_REALTIME nanoseconds; 0 when the kernel did not say.
    uint64_t realtime;
};

/// The most that one call receives.
#define DATAGRAM_BATCH 32

/// A nonblocking socket bound to a numeric or named host; `port` 0 takes any free one.
/// `buffer` is the receive buffer asked for, in bytes. -EADDRNOTAVAIL when the host has no address here.
int datagram_open(const char *host, uint16_t port, int buffer);

/// The port that a socket is bound to.
int datagram_port(int socket);

/// Receives up to `count` datagrams without waiting, each into its own `stride` bytes of `memory`.
int datagram_receive(int socket, void *memory, int stride, struct datagram *datagrams, int count);

/// Sends one datagram without waiting, from any thread. 0, or a negated errno: -EAGAIN when the socket is full.
int datagram_send(int socket, const struct datagram_peer *peer, const void *bytes, int length);

/// Reads a numeric address, without port; 0, or -EINVAL when it is none.
int datagram_parse(const char *text, struct datagram_peer *peer);

/// A descriptor that `datagram_wake` makes readable, from any thread.
int datagram_wake_open(void);
void datagram_wake(int wake);
/// Takes back every `datagram_wake` so far.
void datagram_calm(int wake);

/// Two connected sockets inside this process, both nonblocking: datagrams written to `ends[1]` are received at `ends[0]`,
/// with the times at which they were written.
int datagram_pair(int ends[2]);

/// The most sockets that one call waits for.
#define DATAGRAM_SOCKETS 62

/// Waits until one of the sockets or `wake` is readable or `timeout` nanoseconds are over; a negative timeout never
/// ends. Returns bits: bit 0 for the wake, bit i + 1 for socket i.
int64_t datagram_wait(const int *sockets, int count, int wake, int64_t timeout);

/// A nonblocking socket that sends to a numeric or named host. -EADDRNOTAVAIL when the host is not known.
int datagram_connect(const char *host, uint16_t port);

/// Sends one datagram without waiting; 0 when it is on its way.
int datagram_send_connected(int socket, const void *bytes, int count);

void datagram_close(int descriptor);

/// CLOCK_REALTIME in nanoseconds.
uint64_t datagram_realtime(void);
