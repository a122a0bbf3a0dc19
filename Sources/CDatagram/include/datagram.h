#pragma once
#include <stdint.h>

/// The calls of a UDP receiver that the system's Swift module does not show.
/// All return what they say, or a negated errno.

/// One datagram of a batch.
struct datagram {
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

/// A descriptor that `datagram_wake` makes readable, from any thread.
int datagram_wake_open(void);
void datagram_wake(int wake);

/// Waits until `socket` or `wake` is readable or `timeout` nanoseconds are over; a negative timeout never ends.
/// Returns bits: 1 for the socket, 2 for the wake.
int datagram_wait(int socket, int wake, int64_t timeout);

void datagram_close(int descriptor);

/// CLOCK_REALTIME in nanoseconds.
uint64_t datagram_realtime(void);
