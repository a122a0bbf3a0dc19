#include "frame_mask.h"
#include "head.h"
#include <errno.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/// Descriptors from here on are not followed.
#define MOST_DESCRIPTORS 65536

/// A close, ping or data frame is turned into this reserved opcode (RFC 6455, 5.2).
#define RESERVED_OPCODE 0x3

/// Pieces that are thrown away before the loop serves something else.
#define MOST_DISCARDED 16

/// DISCARDED is whatever follows a request whose end is in doubt, or whose head is refused; the server ends its connection.
enum position { NOT_FOLLOWED, HEAD, BODY, DISCARDED, OPCODE, LENGTH, LONG_LENGTH, CONTENT, REFUSED };

struct stream {
    uint8_t position;
    /// An opcode that was read without its length, which has the mask bit and decides about it. It is given on with the next bytes.
    uint8_t held, holds;
    /// Bytes of a long length still to come.
    uint8_t missing;
    /// Whether bytes followed the latest head before it was given on.
    bool is_ahead;
    /// Whether a request was thrown away, so that the connection ends when those before it are answered.
    bool ends;
    /// Requests that were given on and are not answered.
    uint32_t due;
    /// Bytes of the request's body still to come; then those of the mask and the payload of a frame.
    uint64_t left;
    struct head head;
    /// A whole head as the library gets it, while it is given on. The last byte of what the client sent stays unread until then: it keeps
    /// the connection readable.
    struct given given;
    uint32_t at;
};

static struct stream streams[MOST_DESCRIPTORS];

/// Streams belong to the thread that follows them; on others every read passes.
static _Thread_local bool follows;

static struct stream *stream_of(int descriptor) {
    return follows && descriptor >= 0 && descriptor < MOST_DESCRIPTORS ? &streams[descriptor] : NULL;
}

static void reset(struct stream *stream, enum position position) {
    head_clear(&stream->head);
    free(stream->given.bytes);
    *stream = (struct stream){.position = (uint8_t)position};
}

void frame_mask_follow(int descriptor) {
    follows = true;
    struct stream *stream = stream_of(descriptor);
    if (stream) reset(stream, HEAD);
}

bool frame_mask_begin(int descriptor) {
    struct stream *stream = stream_of(descriptor);
    if (!stream) return true;
    if (stream->position != HEAD || stream->given.bytes || stream->is_ahead) {
        // Bytes that stay unread reset the connection when it is closed, and the client would not get the reason.
        uint8_t bytes[4096];
        for (int i = 0; i < MOST_DISCARDED; i++) {
            if (recvfrom(descriptor, bytes, sizeof bytes, MSG_DONTWAIT, NULL, NULL) <= 0) break;
        }
        stream->position = DISCARDED;
        return false;
    }
    reset(stream, OPCODE);
    return true;
}

bool frame_mask_answered(int descriptor) {
    struct stream *stream = stream_of(descriptor);
    if (!stream) return true;
    if (stream->due) stream->due--;
    return stream->due || !stream->ends;
}

void frame_mask_end(int descriptor) {
    struct stream *stream = stream_of(descriptor);
    if (stream) reset(stream, NOT_FOLLOWED);
}

// MARK: Frames

/// Follows the bytes of frames, a held one included; returns how many may be given on.
static size_t follow(struct stream *stream, uint8_t *bytes, size_t count) {
    stream->holds = 0;
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

// MARK: Requests

/// A connection as it is read.
struct source {
    int descriptor;
    /// NULL without TLS.
    SSL *tls;
};

static ssize_t read_source(struct source source, uint8_t *bytes, size_t size) {
    if (!source.tls) return recvfrom(source.descriptor, bytes, size, 0, NULL, NULL);
    size_t count = 0;
    return SSL_read_ex(source.tls, bytes, size, &count) == 1 ? (ssize_t)count : -1;
}

/// Reads bytes that stay to be read again.
static ssize_t peek_source(struct source source, uint8_t *bytes, size_t size) {
    if (!source.tls) return recvfrom(source.descriptor, bytes, size, MSG_PEEK, NULL, NULL);
    size_t count = 0;
    return SSL_peek_ex(source.tls, bytes, size, &count) == 1 ? (ssize_t)count : -1;
}

/// Takes bytes away that have been read before, by ``peek_source``.
static bool skip(struct source source, size_t count) {
    uint8_t bytes[4096];
    while (count) {
        ssize_t some = read_source(source, bytes, count < sizeof bytes ? count : sizeof bytes);
        if (some <= 0) return false;
        count -= (size_t)some;
    }
    return true;
}

/// Reads a part of a head.
/// Returns what the source did: 0 or less when there is nothing to read.
static ssize_t read_head(struct stream *stream, struct source source) {
    uint8_t bytes[4096];
    ssize_t count = peek_source(source, bytes, sizeof bytes);
    if (count <= 0) return count;
    size_t added = head_add(&stream->head, bytes, (size_t)count);
    if (!stream->head.is_whole && !stream->head.problem) return skip(source, added) ? count : -1;
    stream->is_ahead = added < (size_t)count;
    stream->given = head_given(&stream->head);
    stream->at = 0;
    head_clear(&stream->head);
    // The library would read its body from the bytes that it keeps until the requests before are answered: those begin with its head, and
    // with what follows the body it would never end.
    if (stream->given.body && stream->due) {
        free(stream->given.bytes);
        stream->given.bytes = NULL;
        stream->ends = true;
    }
    if (!stream->given.bytes) stream->position = DISCARDED;
    return skip(source, added - 1) ? count : -1;
}

/// Gives on a piece of a head.
/// Returns the number of its bytes; 0 or less when the source failed.
static ssize_t give(struct stream *stream, struct source source, uint8_t *bytes, size_t size) {
    struct given *given = &stream->given;
    size_t left = given->count - stream->at, some = left < size ? left : size;
    memcpy(bytes, given->bytes + stream->at, some);
    stream->at += (uint32_t)some;
    if (stream->at < given->count) return (ssize_t)some;
    if (!skip(source, 1)) return -1;
    free(given->bytes);
    given->bytes = NULL;
    stream->left = given->body;
    stream->due++;
    stream->position = given->is_last ? DISCARDED : given->body ? BODY : HEAD;
    return (ssize_t)some;
}

static ssize_t read_body(struct stream *stream, struct source source, uint8_t *bytes, size_t size) {
    ssize_t count = read_source(source, bytes, stream->left < size ? (size_t)stream->left : size);
    if (count <= 0) return count;
    stream->left -= (uint64_t)count;
    if (stream->left == 0) stream->position = HEAD;
    return count;
}

/// Reads and throws away what follows a request that ends its connection.
static ssize_t discard(struct source source) {
    uint8_t bytes[4096];
    for (int i = 0; i < MOST_DISCARDED; i++) {
        ssize_t count = read_source(source, bytes, sizeof bytes);
        if (count <= 0) return count;
    }
    errno = EAGAIN;
    return -1;
}

/// Reads requests until the memory is full or there is no more: the library asks again only when the connection becomes readable, or when
/// the memory is full and more of a TLS record is left.
static ssize_t read_requests(struct stream *stream, struct source source, uint8_t *bytes, size_t size) {
    size_t done = 0;
    while (done < size) {
        ssize_t count;
        if (stream->given.bytes) {
            count = give(stream, source, bytes + done, size - done);
            if (count > 0) done += (size_t)count;
            // Frames follow, unless the upgrade is refused.
            if (stream->given.upgrades && !stream->given.bytes) break;
        } else if (stream->position == BODY) {
            count = read_body(stream, source, bytes + done, size - done);
            if (count > 0) done += (size_t)count;
        } else {
            count = stream->position == HEAD ? read_head(stream, source) : discard(source);
        }
        if (count <= 0) return done ? (ssize_t)done : count;
    }
    return (ssize_t)done;
}

/// Reads until there is something to give on, or there is nothing to read.
static ssize_t read_followed(struct stream *stream, struct source source, uint8_t *bytes, size_t size) {
    if (!stream || stream->position == NOT_FOLLOWED) return read_source(source, bytes, size);
    if (stream->position < OPCODE) return read_requests(stream, source, bytes, size);
    if (size < 2) return read_source(source, bytes, size);
    for (;;) {
        size_t held = stream->holds;
        ssize_t count = read_source(source, bytes + held, size - held);
        if (count <= 0) return count;
        if (held) bytes[0] = stream->held;
        size_t given = follow(stream, bytes, (size_t)count + held);
        if (given) return (ssize_t)given;
    }
}

ssize_t recv(int descriptor, void *bytes, size_t size, int flags) {
    if (flags) return recvfrom(descriptor, bytes, size, flags, NULL, NULL);
    return read_followed(stream_of(descriptor), (struct source){.descriptor = descriptor}, bytes, size);
}

int SSL_read(SSL *tls, void *bytes, int size) {
    int descriptor = SSL_get_fd(tls);
    return (int)read_followed(stream_of(descriptor), (struct source){descriptor, tls}, bytes, size < 0 ? 0 : (size_t)size);
}
