#pragma once
#include <stdbool.h>

/// Refuses WebSocket frames of clients that are not masked.
///
/// RFC 6455, 5.1: a server must close a connection on which it receives an unmasked frame; status 1002 states why.
/// libwebsockets (as of 4.3) accepts such frames and has no accessor for the mask bit. This target therefore defines `recv` and
/// `SSL_read`, through which the library reads, and follows the frames on the connections that were announced to it: a frame
/// without a mask gets a reserved opcode, on which the library closes the connection with status 1002. The heads of requests are given on
/// in one form (request_head.h). All other bytes, and all other descriptors and threads, are passed on as they are.
///
/// The functions below belong to the thread that serves the library's context.

/// Follows a connection from its first byte; its descriptor has just been accepted.
void frame_mask_follow(int descriptor);

/// Begins with the frames: the upgrade was granted and the bytes of its request have been read.
/// Returns false when the client sent more than its request without waiting for the answer (RFC 6455, 4.1).
bool frame_mask_begin(int descriptor);

/// A request is answered.
///
/// A request with a body is given on only when those before it are answered: libwebsockets (as of 4.3) reads the body from the bytes that
/// it has kept, which begin with the head, and comes to no end when more follows.
/// Returns false when a client did not wait, so that the connection has to end (RFC 9112, 9.3.2: it sends again what was not answered).
bool frame_mask_answered(int descriptor);

/// Ends; the descriptor is about to be closed, or has just been.
void frame_mask_end(int descriptor);
