#include "frame_mask.h"
#include <openssl/ssl.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

/// Descriptors from here on are not followed.
#define MOST_DESCRIPTORS 65536

/// A close, ping or data frame is turned into this reserved opcode (RFC 6455, 5.2).
#define RESERVED_OPCODE 0x3

/// Stands for a percent sign that no two hexadecimal digits follow; the server refuses it in words. A client's own is escaped as FORBIDDEN.
#define MALFORMED 0x02

/// Stands for a control character of which the library would make the end of a line or of the request; the server refuses it in words.
#define FORBIDDEN 0x01

/// Parts of a request. UNKNOWN follows a request whose length is in doubt; the server ends its connection.
enum part { METHOD, SPACES, TARGET, VERSION, HEADERS, BODY, UNKNOWN };

enum position { NOT_FOLLOWED, REQUEST, OPCODE, LENGTH, LONG_LENGTH, CONTENT, REFUSED };

struct stream {
    uint8_t position;
    /// Bytes that were read without what follows them and decides about them: an opcode without its length, which has the mask bit, or
    /// the beginning of an escape. They are given on with the next bytes.
    uint8_t held[2], holds;
    /// Bytes of a long length still to come.
    uint8_t missing;
    /// The last four bytes of the request.
    uint32_t end;
    uint8_t part;
    /// Bytes of the method or of a header's line, at most 255.
    uint8_t column;
    /// Whether the line is the header with the length of the body, as far as it was read.
    bool is_length;
    /// Whether the question mark of the address has been read, and whether a "#".
    bool is_query, is_fragment;
    /// Whether that length has digits, and whether there was one.
    bool has_digits, has_length;
    /// Bytes of the request's body still to come; then those of the mask and the payload of a frame.
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

static int hexadecimal(uint8_t byte) {
    if (byte >= '0' && byte <= '9') return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/// Reads a byte of the headers: finds their end, and the length of the body.
static void read_header(struct stream *stream, uint8_t byte) {
    static const char name[] = "content-length:";
    size_t column = stream->column;
    if (byte == '\n') {
        bool ends = column == 0;
        if (stream->is_length && column >= sizeof name - 1) {
            if (stream->has_length || !stream->has_digits) stream->part = UNKNOWN;
            stream->has_length = true;
        }
        stream->column = 0;
        stream->is_length = true;
        if (!ends || stream->part == UNKNOWN) return;
        stream->part = stream->left ? BODY : METHOD;
        stream->has_length = false;
        return;
    }
    if (byte == '\r') return;
    if (column < 255) stream->column++;
    if (!stream->is_length) return;
    if (column < sizeof name - 1) {
        if (column == 0) stream->has_digits = false;
        uint8_t lower = byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte;
        stream->is_length = lower == (uint8_t)name[column];
    } else if (byte >= '0' && byte <= '9') {
        stream->has_digits = true;
        // The server refuses larger numbers.
        if (stream->left >= 100000000000000000) stream->part = UNKNOWN;
        else stream->left = stream->left * 10 + (byte - '0');
    } else if (byte != ' ' && byte != '\t') {
        stream->part = UNKNOWN;
    }
}

/// Replaces what the library would decode, or answer, in a way that spoils the request: an escaped NUL, on which it closes the connection
/// without an answer; an escaped end of a line, by which what follows becomes a header; and escapes that are malformed, on which it sends
/// a bare 403. Returns how many bytes may be given on: the others are the beginning of an escape.
static size_t replace_escapes(struct stream *stream, uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count && stream->part != UNKNOWN; i++) {
        uint8_t byte = bytes[i];
        if (stream->part == BODY) {
            size_t some = count - i < stream->left ? count - i : (size_t)stream->left;
            stream->left -= some;
            i += some - 1;
            if (stream->left == 0) stream->part = METHOD;
            continue;
        }
        if (stream->part == HEADERS) {
            read_header(stream, byte);
            continue;
        }
        if (byte == '\n') {
            // Empty lines in front of a request are passed over.
            if (stream->part != METHOD || stream->column) {
                stream->part = HEADERS;
                stream->is_length = true;
                stream->left = 0;
            }
            stream->column = 0;
            continue;
        }
        if (stream->part == METHOD) {
            if (byte == ' ' && stream->column) stream->part = SPACES;
            if (byte != '\r' && stream->column < 255) stream->column++;
            continue;
        }
        if (stream->part == VERSION || (stream->part == SPACES && byte == ' ')) continue;
        if (stream->part == SPACES) stream->is_query = stream->is_fragment = false;
        stream->part = byte == ' ' ? VERSION : TARGET;
        if (byte == '?') stream->is_query = true;
        // Proxies end an address at a "#", and give it on with the rest, in which "/../" must not lead away. RFC 9112, 3.2, allows none.
        if (byte == '#') stream->is_fragment = true;
        if (stream->is_fragment && byte != ' ') {
            bytes[i] = FORBIDDEN;
            continue;
        }
        // The library separates fields of a query by ";" as well, and proxies do not.
        if (byte == MALFORMED || (byte == ';' && stream->is_query)) bytes[i] = FORBIDDEN;
        if (byte != '%') continue;
        int high = i + 1 < count ? hexadecimal(bytes[i + 1]) : 0, low = i + 2 < count ? hexadecimal(bytes[i + 2]) : 0;
        if (high < 0 || low < 0) {
            bytes[i] = MALFORMED;
        } else if (i + 2 >= count) {
            return i;
        } else {
            int value = high << 4 | low;
            if (value == 0 || value == '\r' || value == '\n' || value == MALFORMED) {
                bytes[i + 1] = '0';
                bytes[i + 2] = '0' + FORBIDDEN;
            }
            i += 2;
        }
    }
    return count;
}

static void hold(struct stream *stream, const uint8_t *bytes, size_t count) {
    memcpy(stream->held, bytes, count);
    stream->holds = (uint8_t)count;
}

/// Follows bytes that were read, the held ones included; returns how many may be given on.
static size_t follow(struct stream *stream, uint8_t *bytes, size_t count) {
    stream->holds = 0;
    if (stream->position == REQUEST) {
        size_t given = replace_escapes(stream, bytes, count);
        hold(stream, bytes + given, count - given);
        count = given;
        for (size_t i = count > 4 ? count - 4 : 0; i < count; i++) stream->end = stream->end << 8 | bytes[i];
        return count;
    }
    size_t at = 0;
    while (at < count) {
        switch (stream->position) {
        case OPCODE:
            if (at + 1 == count) {
                hold(stream, bytes + at, 1);
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
    if (!stream || stream->position == NOT_FOLLOWED || size <= sizeof stream->held) return reader(source, bytes, size);
    for (;;) {
        size_t held = stream->holds;
        ssize_t count = reader(source, bytes + held, size - held);
        if (count <= 0) return count;
        memcpy(bytes, stream->held, held);
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
