#pragma once
#include "request_head.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes in a head.
struct text {
    const uint8_t *bytes;
    size_t count;
};

struct field {
    struct text name, value;
};

/// The lines of a head that have not been read yet.
struct fields {
    const uint8_t *at, *end;
};

enum method { METHOD_GET, METHOD_HEAD, METHOD_OTHER };

/// The first line of a head.
struct line {
    enum method method;
    size_t method_length;
    /// The path and the query.
    struct text target;
    /// The authority of an address with a scheme; empty without one.
    struct text authority;
    /// Whether the version is HTTP/1.0.
    bool is_old;
    /// Bytes of the line, its end included.
    size_t length;
};

/// What the headers say about the request's end.
struct form {
    /// REQUEST_PROBLEM_…
    uint8_t problem;
    bool has_length, is_last, upgrades;
    uint64_t body;
};

static inline uint8_t lower(uint8_t byte) { return byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte; }

/// Whether a byte may be in a method or in the name of a header (RFC 9110, 5.6.2).
bool is_token(uint8_t byte);

/// Reads the first line of a head of `count` bytes, whose end has been read.
/// Returns its problem.
uint8_t read_line(const uint8_t *bytes, size_t count, struct line *line);

/// Reads the next header, its value without spaces around it; false after the last one, and on a line that is not a header.
bool next_field(struct fields *fields, struct field *field);

/// Whether a header has a name, given in lower case.
bool is_named(const struct field *field, const char *name);

/// Reads the next element of a list that is not empty; false after the last one.
bool next_element(struct text *rest, char separator, struct text *element);

/// Whether the lists in all headers of a name have an element; both are given in lower case.
bool has_element(struct fields fields, const char *name, const char *element);

/// Checks the headers of a head.
struct form read_form(struct fields fields, const struct line *line);
