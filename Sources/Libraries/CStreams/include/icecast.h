#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A connection to an Icecast server as a source of sound: HTTP's PUT without an end, by libav.
///
/// One thread opens, sends and closes; `icecast_cancel` may be called from any other.
struct icecast;

enum icecast_failure {
    /// The text has the reason.
    ICECAST_OTHER,
    ICECAST_CANCELLED,
    /// The server did not answer or accept data in time.
    ICECAST_MUTE,
    /// 401: the user or the password.
    ICECAST_UNAUTHORIZED,
    /// 403: the mount point is in use, or the server has no place left.
    ICECAST_FORBIDDEN,
    /// Other statuses: the server accepts no source at this mount point.
    ICECAST_NO_SOURCES,
    /// The connection ended, or its bytes made no sense.
    ICECAST_LOST,
};

struct icecast_problem {
    enum icecast_failure failure;
    /// The library's words, a clause.
    char text[128];
};

/// NULL without memory.
struct icecast *icecast_new(void);

/// Connects, and waits at most `seconds` until the server takes the stream.
///
/// - Parameters:
///   - address: `http://` or `https://`, with user, password and mount point, percent-encoded.
///   - authorities: PEM file of those that sign certificates, for `https://`.
///   - headers: lines for the request, each with CR LF.
bool icecast_open(
    struct icecast *icecast, const char *address, const char *authorities, const char *headers, int seconds,
    struct icecast_problem *problem);

/// Sends bytes; waits at most `seconds` while the network accepts none.
bool icecast_send(struct icecast *icecast, const uint8_t *bytes, size_t count, int seconds, struct icecast_problem *problem);

/// Makes the current call and later ones return soon.
void icecast_cancel(struct icecast *icecast);

/// Closes the connection and frees everything.
void icecast_free(struct icecast *icecast);
