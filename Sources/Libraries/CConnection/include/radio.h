#pragma once
#include "problem.h"

#include <stdbool.h>

/// Sound from the network: HTTP or HTTPS, in any format that internet radio uses, decoded and resampled by libav.
///
/// One thread opens, reads and closes; `radio_cancel` may be called from any other.
struct radio;

/// Makes a receiver of stereo sound at `rate` frames per second; NULL without memory.
struct radio *radio_new(int rate);

/// Connects and finds the sound. Returns false with the reason when that fails, is cancelled, or takes longer than `seconds`.
bool radio_open(struct radio *radio, const char *address, int seconds, struct connection_problem *problem);

/// Reads up to `frames` interleaved stereo frames. Returns their number, 0 at the end, or -1 with the reason; waits at most `seconds`
/// for the network.
long radio_read(struct radio *radio, float *samples, long frames, int seconds, struct connection_problem *problem);

/// Whether the server does not state the size: the stream ends with the connection.
bool radio_is_endless(struct radio *radio);

/// The last metadata that a station has sent between the sound (ICY), as `StreamTitle='…';`, in the station's own encoding; empty without
/// any. Valid until the next call.
const char *radio_announcement(struct radio *radio);

/// Title of the whole stream, or the station's name, in the station's own encoding; empty without one. Valid until the next call.
const char *radio_name(struct radio *radio);

/// Makes the current call and later ones return soon.
void radio_cancel(struct radio *radio);

/// Closes the connection, so that another one can be opened.
void radio_close(struct radio *radio);

void radio_free(struct radio *radio);
