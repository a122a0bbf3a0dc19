#pragma once
#include <stdbool.h>
#include <stdint.h>

/// UDP receiver on system calls that Swift's Glibc module does not export.
/// Functions that return an int return a negated errno when they fail.

/// The other end of a datagram: an IPv6 address, or an IPv4 address mapped into one, in network order.
struct datagram_peer {
    uint8_t address[16];
    /// In host byte order.
    uint16_t port;
    /// Interface of a link-local address; 0 for other addresses.
    uint16_t scope;
};

/// One datagram of a batch.
struct datagram {
    struct datagram_peer peer;
    uint32_t length;
    /// 1 when the datagram was longer than its buffer and has been cut.
    uint32_t truncated;
    /// Receive time of the kernel, CLOCK_REALTIME nanoseconds; 0 when the kernel gave none.
    uint64_t realtime;
};

/// Maximum number of datagrams received by one call.
#define DATAGRAM_BATCH 32

/// Opens a nonblocking socket bound to a numeric or named host; `port` 0 takes any free one.
/// `buffer` is the size of the receive buffer in bytes. Returns -EADDRNOTAVAIL when the host has no address here.
int datagram_open(const char *host, uint16_t port, int buffer);

/// Returns the port that a socket is bound to.
int datagram_port(int socket);

/// Receives up to `count` datagrams without waiting, each into its own `stride` bytes of `memory`.
int datagram_receive(int socket, void *memory, int stride, struct datagram *datagrams, int count);

/// Sends one datagram without waiting, from any thread. Returns 0 or a negated errno: -EAGAIN when the socket is full.
int datagram_send(int socket, const struct datagram_peer *peer, const void *bytes, int length);

/// Reads a numeric address without a port. Returns 0, or -EINVAL when the text is not an address.
int datagram_parse(const char *text, struct datagram_peer *peer);

/// Opens a descriptor that `datagram_wake` makes readable, from any thread.
int datagram_wake_open(void);
void datagram_wake(int wake);
/// Makes the descriptor unreadable again, until the next `datagram_wake`.
void datagram_clear_wake(int wake);

/// Opens two connected nonblocking sockets inside this process: datagrams written to `ends[1]` are received at
/// `ends[0]`, with the times at which they were written.
int datagram_pair(int ends[2]);

/// Maximum number of sockets to wait for in one call.
#define DATAGRAM_SOCKETS 62

/// Waits until one of the sockets or `wake` is readable or `timeout` nanoseconds have passed; negative means forever.
/// Returns bits: bit 0 for the wake, bit i + 1 for socket i.
int64_t datagram_wait(const int *sockets, int count, int wake, int64_t timeout);

/// Opens a nonblocking socket that sends to a numeric or named host. Returns -EADDRNOTAVAIL for an unknown host, and with `is_single`
/// -EACCES for addresses of several hosts or of none: broadcast, multicast, 0.0.0.0 and ::, also those that a name has.
int datagram_connect(const char *host, uint16_t port, bool is_single);

/// Sends one datagram without waiting. Returns 0 when the kernel has accepted it.
int datagram_send_connected(int socket, const void *bytes, int count);

void datagram_close(int descriptor);

/// Returns CLOCK_REALTIME in nanoseconds.
uint64_t datagram_realtime(void);
