#include "packer.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { channels = 2, buffer_size = 65536 };

struct packer {
    AVCodecContext *codec;
    AVFormatContext *format;
    AVIOContext *output;
    AVPacket *packet;
    AVFrame *frame;
    int frames;
    // Packets that were given to the muxer, and frames that were given to the encoder.
    int64_t packets, given;
    // Time of the first packet in frames: Ogg counts the encoder's delay back, fragments have no place for it.
    int64_t begin;
    bool has_header;
    uint8_t *bytes;
    size_t count, capacity;
};

static bool refuse(struct packer_problem *problem, const char *action, int code) {
    char reason[AV_ERROR_MAX_STRING_SIZE];
    av_strerror(code, reason, sizeof reason);
    snprintf(problem->text, sizeof problem->text, "%s: %s", action, reason);
    return false;
}

// Appends the bytes that the muxer writes.
static int collect(void *context, uint8_t *bytes, int count) {
    struct packer *packer = context;
    if (count <= 0) return 0;
    if (packer->count + (size_t)count > packer->capacity) {
        size_t capacity = 2 * (packer->count + (size_t)count);
        uint8_t *larger = realloc(packer->bytes, capacity);
        if (!larger) return AVERROR(ENOMEM);
        packer->bytes = larger;
        packer->capacity = capacity;
    }
    memcpy(packer->bytes + packer->count, bytes, (size_t)count);
    packer->count += (size_t)count;
    return count;
}

static bool open_codec(struct packer *packer, enum packer_kind kind, int rate, int bitrate, struct packer_problem *problem) {
    const AVCodec *codec = avcodec_find_encoder_by_name(kind == PACKER_AAC ? "aac" : "libopus");
    if (!codec) return refuse(problem, "this libavcodec has no encoder for it", AVERROR_ENCODER_NOT_FOUND);
    AVCodecContext *context = packer->codec = avcodec_alloc_context3(codec);
    if (!context) return refuse(problem, "the encoder cannot be made", AVERROR(ENOMEM));
    context->sample_rate = rate;
    context->bit_rate = bitrate;
    context->sample_fmt = kind == PACKER_AAC ? AV_SAMPLE_FMT_FLTP : AV_SAMPLE_FMT_FLT;
    context->time_base = (AVRational){1, rate};
    context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    context->thread_count = 1;
    av_channel_layout_default(&context->ch_layout, channels);
    // Without bounds on its packets a segment may be far larger than playlists declare.
    if (kind == PACKER_OPUS) av_opt_set(context->priv_data, "vbr", "constrained", 0);
    int code = avcodec_open2(context, codec, NULL);
    if (code < 0) return refuse(problem, "the encoder cannot be opened", code);
    packer->frames = context->frame_size;
    packer->begin = kind == PACKER_OGG ? -context->initial_padding : 0;
    packer->frame->format = context->sample_fmt;
    packer->frame->nb_samples = packer->frames;
    packer->frame->sample_rate = rate;
    code = av_channel_layout_copy(&packer->frame->ch_layout, &context->ch_layout);
    if (code >= 0) code = av_frame_get_buffer(packer->frame, 0);
    return code >= 0 || refuse(problem, "there is no memory for sound", code);
}

static bool open_format(struct packer *packer, enum packer_kind kind, struct packer_problem *problem) {
    const char *name = kind == PACKER_OGG ? "ogg" : "mp4";
    int code = avformat_alloc_output_context2(&packer->format, NULL, name, NULL);
    if (code < 0) return refuse(problem, "this libavformat cannot write the format", code);
    uint8_t *buffer = av_malloc(buffer_size);
    if (buffer) packer->output = avio_alloc_context(buffer, buffer_size, 1, packer, NULL, collect, NULL);
    AVStream *stream = avformat_new_stream(packer->format, NULL);
    if (!packer->output || !stream) {
        if (!packer->output) av_free(buffer);
        return refuse(problem, "there is no memory for the format", AVERROR(ENOMEM));
    }
    packer->output->seekable = 0;
    packer->format->pb = packer->output;
    packer->format->flags |= AVFMT_FLAG_CUSTOM_IO;
    // Streams of Ogg that follow each other need different numbers, which are drawn at random.
    if (kind != PACKER_OGG) packer->format->flags |= AVFMT_FLAG_BITEXACT;
    stream->time_base = packer->codec->time_base;
    code = avcodec_parameters_from_context(stream->codecpar, packer->codec);
    if (code < 0) return refuse(problem, "the parameters of the encoder cannot be copied", code);
    AVDictionary *options = NULL;
    if (kind != PACKER_OGG) av_dict_set(&options, "movflags", "cmaf+frag_custom+empty_moov+default_base_moof+skip_trailer", 0);
    code = avformat_write_header(packer->format, &options);
    av_dict_free(&options);
    if (code < 0) return refuse(problem, "the beginning of the stream cannot be written", code);
    packer->has_header = true;
    return true;
}

struct packer *packer_new(enum packer_kind kind, int rate, int bitrate, struct packer_problem *problem) {
    av_log_set_level(AV_LOG_QUIET);
    struct packer *packer = calloc(1, sizeof *packer);
    if (packer && (packer->packet = av_packet_alloc()) && (packer->frame = av_frame_alloc())) {
        if (open_codec(packer, kind, rate, bitrate, problem) && open_format(packer, kind, problem)) return packer;
    } else {
        refuse(problem, "the encoder cannot be made", AVERROR(ENOMEM));
    }
    if (packer) packer_free(packer);
    return NULL;
}

void packer_free(struct packer *packer) {
    if (packer->has_header) av_write_trailer(packer->format);
    avformat_free_context(packer->format);
    if (packer->output) av_freep(&packer->output->buffer);
    avio_context_free(&packer->output);
    avcodec_free_context(&packer->codec);
    av_packet_free(&packer->packet);
    av_frame_free(&packer->frame);
    free(packer->bytes);
    free(packer);
}

int packer_frames(const struct packer *packer) { return packer->frames; }

int packer_delay(const struct packer *packer) { return packer->codec->initial_padding; }

static void fill(AVFrame *frame, const float *samples, int frames) {
    if (frame->format == AV_SAMPLE_FMT_FLT) {
        memcpy(frame->data[0], samples, (size_t)frames * channels * sizeof *samples);
        return;
    }
    for (int channel = 0; channel < channels; channel++) {
        float *row = (float *)frame->data[channel];
        for (int i = 0; i < frames; i++) row[i] = samples[channels * i + channel];
    }
}

// Gives the packets of the encoder to the muxer. In fragments times begin at the first one, since there is no edit list.
static int drain(struct packer *packer, struct packer_problem *problem) {
    int drained = 0;
    while (true) {
        int code = avcodec_receive_packet(packer->codec, packer->packet);
        if (code == AVERROR(EAGAIN)) return drained;
        if (code >= 0) {
            packer->packet->pts = packer->packet->dts = packer->begin + packer->packets * packer->frames;
            packer->packet->duration = packer->frames;
            packer->packet->stream_index = 0;
            packer->packet->flags |= AV_PKT_FLAG_KEY;
            // Sound that the encoder would have removed at the beginning stays: times are those of whole packets.
            av_packet_free_side_data(packer->packet);
            packer->packets++;
            av_packet_rescale_ts(packer->packet, packer->codec->time_base, packer->format->streams[0]->time_base);
            code = av_write_frame(packer->format, packer->packet);
            av_packet_unref(packer->packet);
        }
        if (code < 0) {
            refuse(problem, "sound cannot be encoded", code);
            return -1;
        }
        drained++;
    }
}

int packer_add(struct packer *packer, const float *samples, struct packer_problem *problem) {
    int code = av_frame_make_writable(packer->frame);
    if (code >= 0) {
        fill(packer->frame, samples, packer->frames);
        packer->frame->pts = packer->given;
        packer->given += packer->frames;
        code = avcodec_send_frame(packer->codec, packer->frame);
    }
    if (code >= 0) return drain(packer, problem);
    refuse(problem, "sound cannot be encoded", code);
    return -1;
}

const uint8_t *packer_take(struct packer *packer, size_t *count, struct packer_problem *problem) {
    if (packer->packets > 0) {
        int code = av_write_frame(packer->format, NULL);
        if (code < 0) {
            refuse(problem, "sound cannot be packed", code);
            return NULL;
        }
    }
    avio_flush(packer->output);
    *count = packer->count;
    packer->count = 0;
    return packer->bytes;
}
