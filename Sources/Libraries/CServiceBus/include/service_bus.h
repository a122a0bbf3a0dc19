#pragma once
#include <stdint.h>

/// Announces services through Avahi's D-Bus interface, by libsystemd's sd-bus.
/// One thread uses a connection. Functions that return an int return a negated errno when they fail.

struct service_bus;

/// One service with a DNS-SD type such as "_osc._udp".
struct service_entry {
    const char *type;
    uint16_t port;
    /// `text_count` strings of the form "key=value".
    const char *const *text;
    int text_count;
};

/// Bits returned by `service_bus_step`.
enum {
    /// Avahi has started or restarted: nothing is announced any more.
    SERVICE_BUS_ARRIVED = 1,
    SERVICE_BUS_GONE = 2,
    SERVICE_BUS_ESTABLISHED = 4,
    /// Another host on the network uses the name.
    SERVICE_BUS_COLLISION = 8,
    SERVICE_BUS_FAILED = 16,
};

/// Connects to the system bus and watches Avahi. Returns NULL, with a negated errno in `problem`, when that fails.
struct service_bus *service_bus_open(int *problem);

/// Announces services under one name instead of all previous announcements.
int service_bus_announce(struct service_bus *bus, const char *name, const struct service_entry *entries, int count);

/// Writes Avahi's alternative to a name that is in use, of at most `size` bytes.
int service_bus_alternative(struct service_bus *bus, const char *name, char *alternative, int size);

/// Waits for events for at most `milliseconds`. Returns the bits above.
int service_bus_step(struct service_bus *bus, int milliseconds);

/// Withdraws all announcements and closes the connection.
void service_bus_close(struct service_bus *bus);
