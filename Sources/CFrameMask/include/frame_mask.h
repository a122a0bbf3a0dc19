#pragma once
#include <stdbool.h>

/// Refuses WebSocket frames of clients that are not masked.
///
/// RFC 6455, 5.1: a server must close a connection on which it receives an unmasked frame; status 1002 states why.
/// libwebsockets (as of 4.3) accepts such frames and has no accessor for the mask bit. This target therefore defines `recv` and
/// `SSL_read`, through which the library reads, and follows the frames on the connections that were announced to it: a frame
/// without a mask gets a reserved opcode, on which the library closes the connection with status 1002. In the target of a request, an
/// escaped NUL, CR or LF becomes `%01`, and the percent sign of a malformed escape becomes a character 2, both of which the server refuses
/// in words: the library would close the connection, begin a header in the middle of the address, or answer 403 without a reason. All
/// other bytes, and all other descriptors and threads, are passed on as they are.
///
/// The functions below belong to the thread that serves the library's context.

/// Follows a connection from its first byte; its descriptor has just been accepted.
void frame_mask_follow(int descriptor);

/// Begins with the frames: the upgrade was granted and the bytes of its request have been read.
/// Returns false when the client sent more than its request without waiting for the answer (RFC 6455, 4.1).
bool frame_mask_begin(int descriptor);

/// Ends before the descriptor is closed.
void frame_mask_end(int descriptor);
