#pragma once
#include "problem.h"

#include <stdbool.h>
#include <stdint.h>

/// A file at an http:// or https:// address, read from its beginning to its end. A connection that breaks off is made again, and continues
/// at the same byte if the server supports ranges.
///
/// Used by one thread.
struct download;

/// NULL without memory.
struct download *download_new(void);

/// Calls `is_wanted` while waiting for the network; calls return soon after it has returned false.
void download_ask(struct download *download, bool (*is_wanted)(void *context), void *context);

/// Connects. Returns false with the reason when that fails, is cancelled, or takes longer than `seconds`.
/// - `header`: a line of HTTP to send as well, without its end; NULL for none.
/// - `authorities`: PEM file that certificates are checked against; NULL for those of the system.
bool download_open(struct download *download, const char *address, const char *header, const char *authorities, int seconds,
    struct connection_problem *problem);

/// Bytes of the whole file; 0 when the server does not state it.
int64_t download_size(struct download *download);

/// Continues reading at a byte. Returns false when the server does not support ranges.
bool download_seek(struct download *download, int64_t place, int seconds);

/// Reads up to `count` bytes. Returns their number, 0 at the end, or -1 with the reason, which an end before the whole size is, too;
/// waits at most `seconds` for the network.
long download_read(struct download *download, uint8_t *bytes, long count, int seconds, struct connection_problem *problem);

void download_free(struct download *download);
