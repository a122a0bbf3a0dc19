#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Stereo sound, encoded and packed by libav: fragmented MP4 (CMAF), which is an initialization segment and fragments of whole packets, or
/// Ogg, which is headers and pages.
///
/// Used by one thread at a time.
struct packer;

/// Reason why a packer cannot be made or cannot continue, a clause in words.
struct packer_problem {
    char text[256];
};

/// AAC and Opus in fragmented MP4, Opus in Ogg.
enum packer_kind { PACKER_AAC, PACKER_OPUS, PACKER_OGG };

/// Makes an encoder for sound of `rate` frames per second; NULL with the reason when libav has none.
struct packer *packer_new(enum packer_kind kind, int rate, int bitrate, struct packer_problem *problem);

void packer_free(struct packer *packer);

/// Frames of sound in a packet.
int packer_frames(const struct packer *packer);

/// Delay of a packet's sound relative to its input, frames.
int packer_delay(const struct packer *packer);

/// Encodes the frames of one packet, left and right interleaved. Samples have to be finite.
///
/// - Returns: the number of packets that this has completed, which wait for the next fragment or page; -1 with the reason.
int packer_add(struct packer *packer, const float *samples, struct packer_problem *problem);

/// Ends the fragment or page. Returns its bytes, or before the first packet the initialization segment or headers: valid until the next
/// call; NULL with the reason.
const uint8_t *packer_take(struct packer *packer, size_t *count, struct packer_problem *problem);
