#pragma once
#include "request_head.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Stands for a percent sign that no two hexadecimal digits follow; the server refuses it in words. A client's own is escaped as FORBIDDEN.
#define MALFORMED 0x02

/// Stands for a character of which the library would make the end of a line or of the request; the server refuses it in words.
#define FORBIDDEN 0x01

/// A head that is being read.
struct head {
    uint8_t *bytes;
    uint32_t count, space;
    /// Bytes of the line that is being read, without the end of the line.
    uint32_t column;
    bool has_line, is_whole;
    /// REQUEST_PROBLEM_…
    uint8_t problem;
};

/// Head of a request as the library gets it.
struct given {
    /// Allocated; NULL when there is no memory.
    uint8_t *bytes;
    uint32_t count;
    /// Bytes of the body.
    uint64_t body;
    /// Whether the end of the request is in doubt: the server ends the connection.
    bool is_last;
    /// Whether an upgrade is asked for.
    bool upgrades;
};

/// Adds bytes until the head is whole or refused.
/// Returns the number of those that belong to it.
size_t head_add(struct head *head, const uint8_t *bytes, size_t count);

/// Makes what the library gets of a head that is whole or refused.
struct given head_given(const struct head *head);

/// Ends a head; another one may be read.
void head_clear(struct head *head);
