#include "frame_mask.h"
#include <openssl/ssl.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

/// Descriptors from here on are not followed.
#define MOST_DESCRIPTORS 65536

/// A close, ping or data frame is turned into this reserved opcode (RFC 6455, 5.2).
#define RESERVED_OPCODE 0x3

/// Parts of a request: its first line, its headers, and everything after those of a method that may have a body.
enum part { FIRST_LINE, HEADERS, UNKNOWN };

enum position { NOT_FOLLOWED, REQUEST, OPCODE, LENGTH, LONG_LENGTH, CONTENT, REFUSED };

struct stream {
    uint8_t position;
    /// An opcode that was read without its length, which has the mask bit: given on with the next bytes.
    uint8_t held, holds;
    /// Bytes of a long length still to come.
    uint8_t missing;
    /// The last four bytes of the request.
    uint32_t end;
    uint8_t part;
    /// First byte of the method; 0 before it.
    uint8_t method;
    /// The last two bytes of the first line or the headers.
    uint16_t recent;
    /// Bytes of the mask and the payload still to come.
    uint64_t left;
};

static struct stream streams[MOST_DESCRIPTORS];

/// Streams belong to the thread that follows them; on others every read passes.
static _Thread_local bool follows;

static struct stream *stream_of(int descriptor) {
    return follows && descriptor >= 0 && descriptor < MOST_DESCRIPTORS ? &streams[descriptor] : NULL;
}

void frame_mask_follow(int descriptor) {
    follows = true;
    struct stream *stream = stream_of(descriptor);
    if (stream) *stream = (struct stream){.position = REQUEST};
}

bool frame_mask_begin(int descriptor) {
    struct stream *stream = stream_of(descriptor);
    if (!stream) return true;
    if (stream->position != REQUEST || stream->end != 0x0D0A0D0A) return false;
    stream->position = OPCODE;
    return true;
}

void frame_mask_end(int descriptor) {
    struct stream *stream = stream_of(descriptor);
    if (stream) stream->position = NOT_FOLLOWED;
}

/// Turns an escaped NUL in the first line of a request into another escaped control character, which the server refuses as well: the
/// library would close the connection without an answer, or leave the NUL out.
static void replace_nul(struct stream *stream, uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count && stream->part != UNKNOWN; i++) {
        uint8_t byte = bytes[i];
        if (stream->part == FIRST_LINE) {
            if (!stream->method && byte != '\r' && byte != '\n') stream->method = byte;
            if (byte == '0' && stream->recent == ('%' << 8 | '0')) bytes[i] = '1';
            // Requests that may have a body: a body must not be changed.
            if (byte == '\n' && stream->method) stream->part = stream->method == 'G' || stream->method == 'H' ? HEADERS : UNKNOWN;
        } else if (byte == '\n' && (stream->recent == ('\n' << 8 | '\r') || (stream->recent & 0xFF) == '\n')) {
            stream->part = FIRST_LINE;
            stream->method = 0;
        }
        stream->recent = (uint16_t)(stream->recent << 8 | byte);
    }
}

/// Follows bytes that were read, the held one included; returns how many may be given on.
static size_t follow(struct stream *stream, uint8_t *bytes, size_t count) {
    stream->holds = 0;
    if (stream->position == REQUEST) replace_nul(stream, bytes, count);
    if (stream->position == REQUEST)
        for (size_t i = count > 4 ? count - 4 : 0; i < count; i++) stream->end = stream->end << 8 | bytes[i];
    size_t at = 0;
    while (at < count) {
        switch (stream->position) {
        case OPCODE:
            if (at + 1 == count) {
                stream->held = bytes[at];
                stream->holds = 1;
                return at;
            }
            stream->position = LENGTH;
            at++;
            break;
        case LENGTH: {
            uint8_t length = bytes[at] & 0x7F;
            // RFC 6455, 5.5: a control frame has at most 125 bytes.
            if (!(bytes[at] & 0x80) || (length > 125 && (bytes[at - 1] & 0x08))) {
                bytes[at - 1] = (bytes[at - 1] & 0x80) | RESERVED_OPCODE;
                stream->position = REFUSED;
                return count;
            }
            stream->missing = length == 127 ? 8 : length == 126 ? 2 : 0;
            stream->left = stream->missing ? 0 : length + 4u;
            stream->position = stream->missing ? LONG_LENGTH : CONTENT;
            at++;
            break;
        }
        case LONG_LENGTH:
            stream->left = stream->left << 8 | bytes[at++];
            if (--stream->missing == 0) {
                stream->left += 4;
                stream->position = CONTENT;
            }
            break;
        case CONTENT: {
            size_t some = count - at < stream->left ? count - at : (size_t)stream->left;
            at += some;
            stream->left -= some;
            if (stream->left == 0) stream->position = OPCODE;
            break;
        }
        default: return count;
        }
    }
    return count;
}

/// Reads until there is something to give on, or the reader returns 0 or less.
static ssize_t read_followed(
    struct stream *stream, uint8_t *bytes, size_t size, ssize_t (*reader)(void *, uint8_t *, size_t), void *source) {
    if (!stream || stream->position == NOT_FOLLOWED || size < 2) return reader(source, bytes, size);
    for (;;) {
        size_t held = stream->holds;
        ssize_t count = reader(source, bytes + held, size - held);
        if (count <= 0) return count;
        if (held) bytes[0] = stream->held;
        size_t given = follow(stream, bytes, (size_t)count + held);
        if (given) return (ssize_t)given;
    }
}

static ssize_t read_socket(void *source, uint8_t *bytes, size_t size) {
    return recvfrom(*(int *)source, bytes, size, 0, NULL, NULL);
}

static ssize_t read_tls(void *source, uint8_t *bytes, size_t size) {
    size_t count = 0;
    return SSL_read_ex(source, bytes, size, &count) == 1 ? (ssize_t)count : -1;
}

ssize_t recv(int descriptor, void *bytes, size_t size, int flags) {
    if (flags) return recvfrom(descriptor, bytes, size, flags, NULL, NULL);
    return read_followed(stream_of(descriptor), bytes, size, read_socket, &descriptor);
}

int SSL_read(SSL *tls, void *bytes, int size) {
    return (int)read_followed(stream_of(SSL_get_fd(tls)), bytes, size < 0 ? 0 : (size_t)size, read_tls, tls);
}
