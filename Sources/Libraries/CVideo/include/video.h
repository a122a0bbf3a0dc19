#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Arrangement of the two eyes' pictures in a frame of stereoscopic video.
enum video_layout { VIDEO_MONO, VIDEO_TOP_BOTTOM, VIDEO_SIDE_BY_SIDE };

/// Facts about a video file, read by libav without decoding a frame.
struct video_facts {
    /// Size of a frame in pixels.
    int width, height;
    /// Frames per second; 0 when the file does not state it.
    double rate;
    /// Seconds; 0 when the file does not state it.
    double duration;
    /// From the metadata (Spherical Video V1 and V2, Matroska's StereoMode); mono without any.
    enum video_layout layout;
    /// Whether the metadata say that the picture is equirectangular.
    bool is_equirectangular;
    /// Name of the codec, for people.
    char codec[32];
};

/// Reads the facts of a file of `size` bytes that is open for reading at `descriptor`; the file's position does not move.
///
/// - Returns: NULL, or the reason why it is not a video, a clause in words.
const char *video_read(int descriptor, int64_t size, struct video_facts *facts);
