#pragma once
#include "problem.h"

#include <libavformat/avformat.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

// An address that is read over the network. One thread uses it; `is_cancelled` alone is for others.
struct connection {
    atomic_bool is_cancelled;
    // Called while waiting for the network, returns whether to continue; NULL to always continue.
    bool (*is_wanted)(void *context);
    void *context;
    struct timespec deadline;
    AVIOContext *input;
};

// A redirection leads to the same protocols; libav follows eight at most.
extern const char *const connection_protocols;

// Limits the following calls to this number of seconds.
void connection_wait(struct connection *connection, int seconds);

bool connection_is_late(const struct connection *connection);

AVIOInterruptCB connection_interrupt(struct connection *connection);

// Connects; `more` has further options of libav, or is NULL; `authorities` is a PEM file, or NULL for those of the system. Returns false
// with the reason when that fails.
bool connection_open(struct connection *connection, const char *address, AVDictionary *more, const char *authorities,
    struct connection_problem *problem);

// Fills in the reason; returns false.
bool connection_refuse(struct connection_problem *problem, bool is_lasting, const char *text);

// The same for an error of libav.
bool connection_refuse_code(const struct connection *connection, struct connection_problem *problem, int code);
