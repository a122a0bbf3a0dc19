#include "service_bus.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

#define AVAHI "org.freedesktop.Avahi"
#define SERVER AVAHI ".Server"
#define GROUP AVAHI ".EntryGroup"
/// Constants of avahi-common/address.h and defs.h: any interface, any protocol; states of an entry group.
#define ANY (-1)
enum { GROUP_ESTABLISHED = 2, GROUP_COLLISION = 3, GROUP_FAILURE = 4 };
/// Time limit for replies in microseconds. Avahi replies from memory, so one that takes longer is not running.
#define PATIENCE 2000000ULL

struct service_bus {
    sd_bus *bus;
    /// D-Bus path of the entry group; empty while nothing is announced.
    char group[256];
    int seen;
};

static int on_owner(sd_bus_message *message, void *user, sd_bus_error *error) {
    (void)error;
    struct service_bus *bus = user;
    const char *name, *before, *now;
    if (sd_bus_message_read(message, "sss", &name, &before, &now) < 0) return 0;
    bus->seen |= now[0] ? SERVICE_BUS_ARRIVED : SERVICE_BUS_GONE;
    bus->group[0] = 0;
    return 0;
}

static int on_state(sd_bus_message *message, void *user, sd_bus_error *error) {
    (void)error;
    struct service_bus *bus = user;
    int32_t state;
    const char *path = sd_bus_message_get_path(message);
    if (!path || strcmp(path, bus->group) != 0 || sd_bus_message_read(message, "i", &state) < 0) return 0;
    if (state == GROUP_ESTABLISHED) bus->seen |= SERVICE_BUS_ESTABLISHED;
    if (state == GROUP_COLLISION) bus->seen |= SERVICE_BUS_COLLISION;
    if (state == GROUP_FAILURE) bus->seen |= SERVICE_BUS_FAILED;
    return 0;
}

struct service_bus *service_bus_open(int *problem) {
    struct service_bus *made = calloc(1, sizeof *made);
    if (!made) {
        *problem = -ENOMEM;
        return NULL;
    }
    int result = sd_bus_open_system(&made->bus);
    if (result >= 0) result = sd_bus_set_method_call_timeout(made->bus, PATIENCE);
    if (result >= 0)
        result = sd_bus_add_match(made->bus, NULL,
            "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',"
            "arg0='" AVAHI "'", on_owner, made);
    if (result >= 0)
        result = sd_bus_match_signal(made->bus, NULL, AVAHI, NULL, GROUP, "StateChanged", on_state, made);
    if (result >= 0) return made;
    *problem = result;
    service_bus_close(made);
    return NULL;
}

static int call_group(struct service_bus *bus, const char *method) {
    return bus->group[0] ? sd_bus_call_method(bus->bus, AVAHI, bus->group, GROUP, method, NULL, NULL, NULL) : 0;
}

static int new_group(struct service_bus *bus) {
    sd_bus_message *reply = NULL;
    const char *path = NULL;
    int result = sd_bus_call_method(bus->bus, AVAHI, "/", SERVER, "EntryGroupNew", NULL, &reply, NULL);
    if (result >= 0) result = sd_bus_message_read(reply, "o", &path);
    if (result >= 0 && strlen(path) >= sizeof bus->group) result = -ENAMETOOLONG;
    if (result >= 0) strcpy(bus->group, path);
    sd_bus_message_unref(reply);
    return result;
}

static int add(struct service_bus *bus, const char *name, const struct service_entry *entry) {
    sd_bus_message *call = NULL;
    int result = sd_bus_message_new_method_call(bus->bus, &call, AVAHI, bus->group, GROUP, "AddService");
    if (result >= 0)
        result = sd_bus_message_append(call, "iiussssq", ANY, ANY, 0, name, entry->type, "", "", (int)entry->port);
    if (result >= 0) result = sd_bus_message_open_container(call, 'a', "ay");
    for (int i = 0; result >= 0 && i < entry->text_count; i++)
        result = sd_bus_message_append_array(call, 'y', entry->text[i], strlen(entry->text[i]));
    if (result >= 0) result = sd_bus_message_close_container(call);
    if (result >= 0) result = sd_bus_call(bus->bus, call, 0, NULL, NULL);
    sd_bus_message_unref(call);
    return result;
}

int service_bus_announce(struct service_bus *bus, const char *name, const struct service_entry *entries, int count) {
    int result = bus->group[0] ? call_group(bus, "Reset") : new_group(bus);
    for (int i = 0; result >= 0 && i < count; i++) result = add(bus, name, &entries[i]);
    if (result >= 0) result = call_group(bus, "Commit");
    return result < 0 ? result : 0;
}

int service_bus_alternative(struct service_bus *bus, const char *name, char *alternative, int size) {
    sd_bus_message *reply = NULL;
    const char *text = NULL;
    int result = sd_bus_call_method(bus->bus, AVAHI, "/", SERVER, "GetAlternativeServiceName", NULL, &reply, "s", name);
    if (result >= 0) result = sd_bus_message_read(reply, "s", &text);
    if (result >= 0 && strlen(text) >= (size_t)size) result = -ENAMETOOLONG;
    if (result >= 0) strcpy(alternative, text);
    sd_bus_message_unref(reply);
    return result < 0 ? result : 0;
}

int service_bus_step(struct service_bus *bus, int milliseconds) {
    int result = sd_bus_process(bus->bus, NULL);
    if (result == 0) result = sd_bus_wait(bus->bus, (uint64_t)milliseconds * 1000);
    while (result > 0) result = sd_bus_process(bus->bus, NULL);
    if (result < 0 && result != -EINTR) return result;
    int seen = bus->seen;
    bus->seen = 0;
    return seen;
}

void service_bus_close(struct service_bus *bus) {
    if (bus->bus) {
        call_group(bus, "Free");
        sd_bus_flush(bus->bus);
    }
    sd_bus_close_unref(bus->bus);
    free(bus);
}
