#include "head.h"
#include "fields.h"
#include <stdlib.h>
#include <string.h>

/// Bytes of the first line beside the address: a method, a version and spaces.
#define LINE_REST 128

static bool add_byte(struct head *head, uint8_t byte) {
    if (head->count == head->space) {
        uint32_t space = head->space ? head->space * 2 : 2048;
        uint8_t *bytes = realloc(head->bytes, space);
        if (!bytes) return false;
        head->bytes = bytes;
        head->space = space;
    }
    head->bytes[head->count++] = byte;
    return true;
}

/// Adds a byte, and refuses what can never become a request.
static void add(struct head *head, uint8_t byte) {
    bool is_end = byte == '\n';
    // Empty lines in front of a request are passed over.
    if (head->count == 0 && (is_end || byte == '\r')) return;
    if (head->count == 0 && !is_token(byte)) head->problem = REQUEST_PROBLEM_LINE;
    else if (head->count == REQUEST_HEAD_MOST || !add_byte(head, byte)) head->problem = REQUEST_PROBLEM_SIZE;
    else if (!head->has_line && head->count > REQUEST_TARGET_MOST + LINE_REST) head->problem = REQUEST_PROBLEM_TARGET_SIZE;
    if (head->problem) return;
    if (!is_end) {
        if (byte != '\r') head->column++;
        return;
    }
    if (!head->has_line) {
        struct line line;
        head->problem = read_line(head->bytes, head->count, &line);
        head->has_line = true;
    } else if (head->column == 0) {
        head->is_whole = true;
    }
    head->column = 0;
}

size_t head_add(struct head *head, const uint8_t *bytes, size_t count) {
    size_t added = 0;
    while (added < count && !head->is_whole && !head->problem) add(head, bytes[added++]);
    return added;
}

void head_clear(struct head *head) {
    free(head->bytes);
    *head = (struct head){0};
}

// MARK: What is given on

struct writer {
    uint8_t *bytes;
    uint32_t count;
    bool is_full;
};

static void put(struct writer *writer, const void *bytes, size_t count) {
    if (count > REQUEST_GIVEN_MOST - writer->count) {
        writer->is_full = true;
        return;
    }
    memcpy(writer->bytes + writer->count, bytes, count);
    writer->count += (uint32_t)count;
}

static void put_text(struct writer *writer, const char *text) { put(writer, text, strlen(text)); }

static int hexadecimal(uint8_t byte) {
    if (byte >= '0' && byte <= '9') return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/// Writes an address, and replaces what the library would decode, or answer, in a way that spoils the request: an escaped NUL, on which it
/// closes the connection without an answer; an escaped end of a line, by which what follows becomes a header; and escapes that are
/// malformed, on which it sends a bare 403. A plus sign stands for a space in queries only; the library decodes it everywhere.
static void put_target(struct writer *writer, const uint8_t *target, size_t count) {
    static const char forbidden[] = {FORBIDDEN, 0}, malformed[] = {MALFORMED, 0};
    bool is_query = false, is_fragment = false;
    for (size_t i = 0; i < count; i++) {
        uint8_t byte = target[i];
        if (byte == '?') is_query = true;
        // Proxies end an address at a "#", and give it on with the rest, in which "/../" must not lead away. RFC 9112, 3.2, allows none.
        if (byte == '#') is_fragment = true;
        // The library separates fields of a query by ";" as well, and proxies do not.
        if (is_fragment || byte < 0x20 || byte == 0x7F || (byte == ';' && is_query)) {
            put_text(writer, forbidden);
            continue;
        }
        if (byte == '+' && !is_query) {
            put_text(writer, "%2B");
            continue;
        }
        if (byte != '%') {
            put(writer, &byte, 1);
            continue;
        }
        int high = i + 1 < count ? hexadecimal(target[i + 1]) : -1, low = i + 2 < count ? hexadecimal(target[i + 2]) : -1;
        if (high < 0 || low < 0) {
            put_text(writer, malformed);
            continue;
        }
        int value = high << 4 | low;
        if (value == 0 || value == '\r' || value == '\n' || value == MALFORMED) put_text(writer, forbidden);
        else put(writer, target + i, 3);
        i += 2;
    }
}

/// Writes the elements of all headers of a name that begin with a prefix, as one header.
static void put_elements(
    struct writer *writer, struct fields fields, const char *name, char separator, const char *prefix, const char *as) {
    struct field field;
    size_t length = strlen(prefix);
    bool has_some = false;
    while (next_field(&fields, &field)) {
        if (!is_named(&field, name)) continue;
        struct text element, rest = field.value;
        while (next_element(&rest, separator, &element)) {
            if (element.count < length || memcmp(element.bytes, prefix, length) != 0) continue;
            put_text(writer, has_some ? (separator == ';' ? "; " : ", ") : as);
            if (!has_some) put_text(writer, " ");
            put(writer, element.bytes, element.count);
            has_some = true;
        }
    }
    if (has_some) put_text(writer, "\r\n");
}

/// Writes the first subprotocol of a list that the server has; none when it has none of them, for the library would refuse the list.
static void put_protocol(struct writer *writer, struct fields fields) {
    static const char *const known[] = {REQUEST_PROTOCOL_PLAIN, REQUEST_PROTOCOL_OSCQUERY, REQUEST_PROTOCOL_TELEMETRY};
    struct field field;
    while (next_field(&fields, &field)) {
        if (!is_named(&field, "sec-websocket-protocol")) continue;
        struct text element, rest = field.value;
        while (next_element(&rest, ',', &element)) {
            for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
                if (element.count != strlen(known[i]) || memcmp(element.bytes, known[i], element.count) != 0) continue;
                put_text(writer, "sec-websocket-protocol: ");
                put_text(writer, known[i]);
                put_text(writer, "\r\n");
                return;
            }
        }
    }
}

/// Writes the option of a Connection header that the library knows.
static void put_connection(struct writer *writer, struct fields fields) {
    static const char *const options[] = {"upgrade", "close", "keep-alive"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (!has_element(fields, "connection", options[i])) continue;
        put_text(writer, "connection: ");
        put_text(writer, options[i]);
        put_text(writer, "\r\n");
        return;
    }
}

/// Headers that are given on as they are.
static bool is_read(const struct field *field) {
    static const char *const names[] = {
        "host", "upgrade", "origin", "authorization", "content-length", "content-type", "transfer-encoding", "accept", "range",
        "if-range", "if-none-match", "referer", "x-forwarded-for", "sec-websocket-key", "sec-websocket-version",
        "x-http-method-override", "tus-resumable", "upload-length", "upload-offset", "upload-metadata", "upload-checksum",
        "upload-defer-length", "upload-concat",
    };
    if (field->value.count == 0) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (is_named(field, names[i])) return true;
    }
    return false;
}

static struct given refusal(struct writer *writer, uint8_t problem, bool is_head) {
    writer->count = 0;
    put_text(writer, is_head ? "HEAD / HTTP/1.1\r\n" REQUEST_PROBLEM_HEADER " " : "GET / HTTP/1.1\r\n" REQUEST_PROBLEM_HEADER " ");
    uint8_t digit = '0' + problem;
    put(writer, &digit, 1);
    put_text(writer, "\r\n\r\n");
    return (struct given){.bytes = writer->bytes, .count = writer->count, .is_last = true};
}

struct given head_given(const struct head *head) {
    struct writer writer = {.bytes = malloc(REQUEST_GIVEN_MOST)};
    if (!writer.bytes) return (struct given){.is_last = true};
    struct line line = {0};
    bool is_head = head->has_line && read_line(head->bytes, head->count, &line) == REQUEST_PROBLEM_NONE && line.method == METHOD_HEAD;
    if (head->problem) return refusal(&writer, head->problem, is_head);
    struct fields fields = {head->bytes + line.length, head->bytes + head->count};
    struct form form = read_form(fields, &line);
    if (form.problem) return refusal(&writer, form.problem, is_head);

    put(&writer, head->bytes, line.method_length);
    put_text(&writer, " ");
    put_target(&writer, line.target.bytes, line.target.count);
    put_text(&writer, line.is_old ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
    struct field field;
    struct fields rest = fields;
    size_t headers = 0;
    while (next_field(&rest, &field)) {
        if (!is_read(&field)) continue;
        for (size_t i = 0; i < field.name.count; i++) {
            uint8_t byte = lower(field.name.bytes[i]);
            put(&writer, &byte, 1);
        }
        put_text(&writer, ": ");
        put(&writer, field.value.bytes, field.value.count);
        put_text(&writer, "\r\n");
        headers++;
    }
    put_connection(&writer, fields);
    put_elements(&writer, fields, "cookie", ';', REQUEST_COOKIE_PREFIX, "cookie:");
    put_elements(&writer, fields, "sec-websocket-protocol", ',', REQUEST_PROTOCOL_PLAIN, REQUEST_PROTOCOLS_HEADER);
    put_protocol(&writer, fields);
    if (form.body && !line.is_old && has_element(fields, "expect", "100-continue")) put_text(&writer, "expect: 100-continue\r\n");
    // Clients of tus leave out the length of an empty body, and the library would wait for one.
    bool may_have_body = line.method == METHOD_OTHER && !form.has_length && !form.is_last;
    if (may_have_body && has_element(fields, "tus-resumable", "1.0.0")) put_text(&writer, "content-length: 0\r\n");
    put_text(&writer, "\r\n");
    if (writer.is_full || headers > REQUEST_HEADERS_MOST) return refusal(&writer, REQUEST_PROBLEM_HEADERS, is_head);
    return (struct given){
        .bytes = writer.bytes, .count = writer.count, .body = form.body, .is_last = form.is_last, .upgrades = form.upgrades};
}
