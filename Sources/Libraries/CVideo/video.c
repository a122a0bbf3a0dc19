#define _GNU_SOURCE
#include "video.h"

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/spherical.h>
#include <libavutil/stereo3d.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Containers that browsers play.
static const char *const formats = "mov,mp4,matroska,webm,ogg";
enum { buffer_size = 32768 };

struct source {
    int descriptor;
    int64_t place, size;
};

static int read_bytes(void *opaque, uint8_t *bytes, int count) {
    struct source *source = opaque;
    ssize_t done;
    do done = pread(source->descriptor, bytes, (size_t)count, source->place);
    while (done < 0 && errno == EINTR);
    if (done < 0) return AVERROR(errno);
    if (done == 0) return AVERROR_EOF;
    source->place += done;
    return (int)done;
}

static int64_t seek(void *opaque, int64_t offset, int whence) {
    struct source *source = opaque;
    if (whence & AVSEEK_SIZE) return source->size;
    int64_t base = whence == SEEK_CUR ? source->place : whence == SEEK_END ? source->size : 0;
    if (offset < -base || offset > INT64_MAX - base) return AVERROR(EINVAL);
    return source->place = base + offset;
}

static enum video_layout layout(const AVStream *stream) {
    const AVStereo3D *stereo = (const AVStereo3D *)av_stream_get_side_data(stream, AV_PKT_DATA_STEREO3D, NULL);
    if (!stereo) return VIDEO_MONO;
    switch (stereo->type) {
    case AV_STEREO3D_TOPBOTTOM: return VIDEO_TOP_BOTTOM;
    case AV_STEREO3D_SIDEBYSIDE: return VIDEO_SIDE_BY_SIDE;
    default: return VIDEO_MONO;
    }
}

static const char *examine(AVFormatContext *format, struct video_facts *facts) {
    if (avformat_find_stream_info(format, NULL) < 0) return "its contents are damaged";
    int best = av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    if (best < 0) return "it holds no video";
    const AVStream *stream = format->streams[best];
    const AVCodecParameters *parameters = stream->codecpar;
    if (parameters->width <= 0 || parameters->height <= 0) return "its video has no size";
    facts->width = parameters->width;
    facts->height = parameters->height;
    facts->rate = stream->avg_frame_rate.den > 0 ? av_q2d(stream->avg_frame_rate) : 0;
    facts->duration = format->duration > 0 ? (double)format->duration / AV_TIME_BASE : 0;
    facts->layout = layout(stream);
    const AVSphericalMapping *sphere
        = (const AVSphericalMapping *)av_stream_get_side_data(stream, AV_PKT_DATA_SPHERICAL, NULL);
    facts->is_equirectangular = sphere && sphere->projection == AV_SPHERICAL_EQUIRECTANGULAR;
    snprintf(facts->codec, sizeof facts->codec, "%s", avcodec_get_name(parameters->codec_id));
    return NULL;
}

const char *video_read(int descriptor, int64_t size, struct video_facts *facts) {
    memset(facts, 0, sizeof *facts);
    av_log_set_level(AV_LOG_QUIET);
    struct source source = {descriptor, 0, size};
    const char *problem = "out of memory";
    AVFormatContext *format = avformat_alloc_context();
    uint8_t *buffer = av_malloc(buffer_size);
    AVIOContext *input = buffer ? avio_alloc_context(buffer, buffer_size, 0, &source, read_bytes, NULL, seek) : NULL;
    if (format && input) {
        format->pb = input;
        AVDictionary *options = NULL;
        // Files that this one names are not opened.
        av_dict_set(&options, "protocol_whitelist", "", 0);
        av_dict_set(&options, "format_whitelist", formats, 0);
        av_dict_set(&options, "probesize", "5000000", 0);
        av_dict_set(&options, "analyzeduration", "2000000", 0);
        // Frees the context when it fails.
        problem = avformat_open_input(&format, NULL, NULL, &options) < 0 ? "it is not a video that browsers play (MP4, WebM or Ogg)"
                                                                         : examine(format, facts);
        av_dict_free(&options);
    }
    avformat_close_input(&format);
    if (input) av_freep(&input->buffer);
    else av_free(buffer);
    avio_context_free(&input);
    return problem;
}
