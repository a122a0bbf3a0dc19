#pragma once
#include <stdint.h>

/// Avahi's D-Bus interface, as much of it as announcing services takes, through libsystemd's sd-bus.
/// One thread uses a connection. What returns an int returns a negated errno when it fails.

struct service_bus;

/// One service of a DNS-SD type, as "_osc._udp".
struct service_entry {
    const char *type;
    uint16_t port;
    /// "key=value", `text_count` of them.
    const char *const *text;
    int text_count;
};

/// What `service_bus_step` has seen, as bits.
enum {
    /// Avahi has come, or come back: nothing is announced any more.
    SERVICE_BUS_ARRIVED = 1,
    SERVICE_BUS_GONE = 2,
    SERVICE_BUS_ESTABLISHED = 4,
    /// Somebody else on the network has the name.
    SERVICE_BUS_COLLISION = 8,
    SERVICE_BUS_FAILED = 16,
};

/// Connects to the system bus and watches Avahi there. NULL with a negated errno in `problem`.
struct service_bus *service_bus_open(int *problem);

/// Announces services under one name; what was announced before is taken back.
int service_bus_announce(struct service_bus *bus, const char *name, const struct service_entry *entries, int count);

/// The name that Avahi proposes instead of one that is taken, into `size` bytes.
int service_bus_alternative(struct service_bus *bus, const char *name, char *alternative, int size);

/// Waits for news, `milliseconds` at most. Returns the bits above.
int service_bus_step(struct service_bus *bus, int milliseconds);

/// Takes back what is announced, and ends the connection.
void service_bus_close(struct service_bus *bus);
