#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Sound from the network: HTTP or HTTPS, in any format that internet radio uses, decoded and resampled by libav.
///
/// One thread opens, reads and closes; `radio_cancel` may be called from any other.
struct radio;

/// Why a stream cannot be read: `is_lasting` when trying again would not help.
struct radio_problem {
    char text[256];
    bool is_lasting;
};

/// Makes a receiver of stereo sound at `rate` frames per second; NULL without memory.
struct radio *radio_new(int rate);

/// Connects and finds the sound. Returns false with the reason when that fails, is cancelled, or takes longer than `seconds`.
bool radio_open(struct radio *radio, const char *address, int seconds, struct radio_problem *problem);

/// Reads up to `frames` interleaved stereo frames. Returns their number, 0 at the end, or -1 with the reason; waits at most `seconds`
/// for the network.
long radio_read(struct radio *radio, float *samples, long frames, int seconds, struct radio_problem *problem);

/// Whether the server does not tell the size: the stream ends only when the connection does.
bool radio_is_endless(struct radio *radio);

/// Title that the stream announces at present; empty without one. Valid until the next call.
const char *radio_title(struct radio *radio);

/// Makes the present call and later ones return soon.
void radio_cancel(struct radio *radio);

/// Closes the connection, so that another one can be opened.
void radio_close(struct radio *radio);

void radio_free(struct radio *radio);
