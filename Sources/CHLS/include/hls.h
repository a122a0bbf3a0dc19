#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Stereo sound as fragmented MP4 (CMAF), encoded and packed by libav: an initialization segment, and fragments of whole packets.
///
/// Used by one thread at a time.
struct hls_packer;

/// Reason why a packer cannot be made or cannot go on, a clause in words.
struct hls_problem {
    char text[256];
};

enum hls_codec { HLS_AAC, HLS_OPUS };

/// Makes an encoder for sound of `rate` frames per second; NULL with the reason when libav has none.
struct hls_packer *hls_packer_new(enum hls_codec codec, int rate, int bitrate, struct hls_problem *problem);

void hls_packer_free(struct hls_packer *packer);

/// Frames of sound in a packet.
int hls_packer_frames(const struct hls_packer *packer);

/// Frames by which the sound of a packet is later than that which was given for it.
int hls_packer_delay(const struct hls_packer *packer);

/// Encodes the frames of one packet, left and right interleaved. Samples have to be finite.
///
/// - Returns: the number of packets that this has completed, which wait for the next fragment; -1 with the reason.
int hls_packer_add(struct hls_packer *packer, const float *samples, struct hls_problem *problem);

/// Ends the fragment. Returns its bytes, or before the first packet those of the initialization segment: valid until the next call; NULL
/// with the reason.
const uint8_t *hls_packer_take(struct hls_packer *packer, size_t *count, struct hls_problem *problem);
