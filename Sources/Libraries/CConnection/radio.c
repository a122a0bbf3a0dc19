#define _GNU_SOURCE
#include "connection.h"
#include "radio.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Formats of internet radio and of sound files. Playlists are left out: they name other addresses.
static const char *const formats = "mp3,aac,ogg,flac,wav,w64,aiff,mov,mpegts,matroska,asf";
struct radio {
    int rate;
    struct connection connection;
    AVFormatContext *format;
    AVCodecContext *codec;
    SwrContext *resampler;
    AVPacket *packet;
    AVFrame *frame;
    int stream;
    // Whether the end was announced to the decoder.
    bool is_draining, has_ended;
    // Samples that were resampled and not yet read.
    float *held;
    // Titles that the station has announced last; NULL for none.
    uint8_t *announcement;
    // Artist and title of the latest tags.
    char name[1024];
    long held_from, held_frames, held_capacity;
};

struct radio *radio_new(int rate) {
    struct radio *radio = calloc(1, sizeof *radio);
    if (!radio) return NULL;
    av_log_set_level(AV_LOG_QUIET);
    avformat_network_init();
    radio->rate = rate;
    radio->packet = av_packet_alloc();
    radio->frame = av_frame_alloc();
    if (radio->packet && radio->frame) return radio;
    radio_free(radio);
    return NULL;
}

void radio_cancel(struct radio *radio) { atomic_store(&radio->connection.is_cancelled, true); }

void radio_close(struct radio *radio) {
    avcodec_free_context(&radio->codec);
    swr_free(&radio->resampler);
    avformat_close_input(&radio->format);
    avio_closep(&radio->connection.input);
    av_freep(&radio->announcement);
    radio->held_from = radio->held_frames = 0;
    radio->is_draining = radio->has_ended = false;
}

void radio_free(struct radio *radio) {
    radio_close(radio);
    av_packet_free(&radio->packet);
    av_frame_free(&radio->frame);
    free(radio->held);
    free(radio);
}

// The kind of contents that the server declares; NULL without one.
static uint8_t *declared_kind(struct radio *radio) {
    uint8_t *kind = NULL;
    av_opt_get(radio->connection.input, "mime_type", AV_OPT_SEARCH_CHILDREN, &kind);
    return kind;
}

// Refuses pages and playlists, which some formats could be mistaken for.
static bool admits_kind(struct radio *radio, struct connection_problem *problem) {
    uint8_t *kind = declared_kind(radio);
    if (!kind) return true;
    bool is_playlist = strcasestr((char *)kind, "mpegurl") || strcasestr((char *)kind, "scpls");
    bool is_page = strncasecmp((char *)kind, "text/", 5) == 0 || strncasecmp((char *)kind, "image/", 6) == 0;
    if (is_playlist) connection_refuse(problem, true, "it is a playlist; give the address of the stream that is in it");
    else if (is_page) {
        snprintf(problem->text, sizeof problem->text, "its type is %.60s, not sound", (char *)kind);
        problem->is_lasting = true;
    }
    av_free(kind);
    return !is_playlist && !is_page;
}

static bool start_decoder(struct radio *radio, struct connection_problem *problem) {
    const AVCodec *decoder = NULL;
    radio->stream = av_find_best_stream(radio->format, AVMEDIA_TYPE_AUDIO, -1, -1, &decoder, 0);
    if (radio->stream < 0 || !decoder) return connection_refuse(problem, true, "it holds no sound in a known format");
    AVCodecParameters *parameters = radio->format->streams[radio->stream]->codecpar;
    radio->codec = avcodec_alloc_context3(decoder);
    if (!radio->codec || avcodec_parameters_to_context(radio->codec, parameters) < 0 || avcodec_open2(radio->codec, decoder, NULL) < 0)
        return connection_refuse(problem, true, "its sound cannot be decoded");
    return true;
}

// Connects, and refuses what is declared to be something else than sound.
static bool connect_to(struct radio *radio, const char *address, struct connection_problem *problem) {
    return connection_open(&radio->connection, address, NULL, NULL, problem) && admits_kind(radio, problem);
}

bool radio_open(struct radio *radio, const char *address, int seconds, struct connection_problem *problem) {
    connection_wait(&radio->connection, seconds);
    if (!connect_to(radio, address, problem)) return false;
    radio->format = avformat_alloc_context();
    if (!radio->format) return connection_refuse(problem, false, "out of memory");
    radio->format->interrupt_callback = connection_interrupt(&radio->connection);
    radio->format->pb = radio->connection.input;
    AVDictionary *options = NULL;
    av_dict_set(&options, "protocol_whitelist", connection_protocols, 0);
    av_dict_set(&options, "format_whitelist", formats, 0);
    av_dict_set(&options, "probesize", "131072", 0);
    av_dict_set(&options, "analyzeduration", "2000000", 0);
    int code = avformat_open_input(&radio->format, NULL, NULL, &options);
    av_dict_free(&options);
    if (code == AVERROR_INVALIDDATA) return connection_refuse(problem, true, "it sends no sound in a known format");
    if (code < 0) return connection_refuse_code(&radio->connection, problem, code);
    if (radio->format->probe_score <= AVPROBE_SCORE_RETRY) return connection_refuse(problem, true, "it sends no sound in a known format");
    code = avformat_find_stream_info(radio->format, NULL);
    return code < 0 ? connection_refuse_code(&radio->connection, problem, code) : start_decoder(radio, problem);
}

// Frames per second that are resampled; others would need memory out of proportion.
static const int lowest_rate = 4000, highest_rate = 768000;

// Makes the resampler fit a frame: streams may change their rate and channels.
static bool follow(struct radio *radio) {
    AVFrame *frame = radio->frame;
    if (frame->sample_rate < lowest_rate || frame->sample_rate > highest_rate) return false;
    if (radio->resampler) {
        int64_t rate = 0, format = 0;
        AVChannelLayout layout = {0};
        av_opt_get_int(radio->resampler, "in_sample_rate", 0, &rate);
        av_opt_get_int(radio->resampler, "in_sample_fmt", 0, &format);
        av_opt_get_chlayout(radio->resampler, "in_chlayout", 0, &layout);
        bool is_same = rate == frame->sample_rate && format == frame->format && !av_channel_layout_compare(&layout, &frame->ch_layout);
        av_channel_layout_uninit(&layout);
        if (is_same) return true;
        swr_free(&radio->resampler);
    }
    AVChannelLayout stereo = AV_CHANNEL_LAYOUT_STEREO;
    return swr_alloc_set_opts2(&radio->resampler, &stereo, AV_SAMPLE_FMT_FLT, radio->rate, &frame->ch_layout, frame->format,
               frame->sample_rate, 0, NULL) >= 0
        && swr_init(radio->resampler) >= 0;
}

// Resamples the decoded frame, or what the resampler withholds at the end.
static bool hold(struct radio *radio, bool is_end) {
    if (!is_end && !follow(radio)) return false;
    if (!radio->resampler) return true;
    long most = swr_get_out_samples(radio->resampler, is_end ? 0 : radio->frame->nb_samples);
    if (most <= 0) return true;
    if (most > radio->held_capacity) {
        float *held = realloc(radio->held, (size_t)most * 2 * sizeof(float));
        if (!held) return false;
        radio->held = held;
        radio->held_capacity = most;
    }
    uint8_t *output[1] = {(uint8_t *)radio->held};
    int made = swr_convert(radio->resampler, output, (int)most, is_end ? NULL : (const uint8_t **)radio->frame->extended_data,
        is_end ? 0 : radio->frame->nb_samples);
    radio->held_from = 0;
    radio->held_frames = made < 0 ? 0 : made;
    return made >= 0;
}

// Gives the decoder the next packet of the sound, or announces the end.
static int feed(struct radio *radio) {
    if (radio->is_draining) return AVERROR_EOF;
    int code = av_read_frame(radio->format, radio->packet);
    if (code == AVERROR_EOF) {
        radio->is_draining = true;
        return avcodec_send_packet(radio->codec, NULL);
    }
    if (code < 0) return code;
    // Damaged packets are left out.
    if (radio->packet->stream_index == radio->stream) avcodec_send_packet(radio->codec, radio->packet);
    av_packet_unref(radio->packet);
    return 0;
}

long radio_read(struct radio *radio, float *samples, long frames, int seconds, struct connection_problem *problem) {
    connection_wait(&radio->connection, seconds);
    while (radio->held_frames == 0) {
        if (radio->has_ended) return 0;
        int code = avcodec_receive_frame(radio->codec, radio->frame);
        if (code >= 0) {
            bool is_held = hold(radio, false);
            av_frame_unref(radio->frame);
            if (is_held) continue;
            connection_refuse(problem, true, "its sound cannot be resampled");
            return -1;
        }
        if (code == AVERROR_EOF) {
            radio->has_ended = true;
            hold(radio, true);
            continue;
        }
        code = feed(radio);
        if (code == 0) continue;
        if (code == AVERROR_EXIT && !connection_is_late(&radio->connection)) return 0;
        connection_refuse_code(&radio->connection, problem, code);
        // A connection that worked may work again.
        problem->is_lasting = false;
        return -1;
    }
    long count = frames < radio->held_frames ? frames : radio->held_frames;
    memcpy(samples, radio->held + 2 * radio->held_from, (size_t)count * 2 * sizeof(float));
    radio->held_from += count;
    radio->held_frames -= count;
    return count;
}

bool radio_is_endless(struct radio *radio) { return !radio->connection.input || avio_size(radio->connection.input) <= 0; }

const char *radio_announcement(struct radio *radio) {
    av_freep(&radio->announcement);
    if (radio->connection.input)
        av_opt_get(radio->connection.input, "icy_metadata_packet", AV_OPT_SEARCH_CHILDREN, &radio->announcement);
    return radio->announcement ? (const char *)radio->announcement : "";
}

static const char *tag(const AVDictionary *tags, const char *name) {
    const AVDictionaryEntry *entry = av_dict_get(tags, name, NULL, 0);
    return entry && *entry->value ? entry->value : NULL;
}

// Keeps the artist and the title of some tags; false when they have no title.
static bool hold_name(struct radio *radio, const AVDictionary *tags) {
    const char *title = tag(tags, "title"), *artist = tag(tags, "artist");
    if (title) snprintf(radio->name, sizeof radio->name, "%s%s%s", artist ? artist : "", artist ? " - " : "", title);
    return title != NULL;
}

const char *radio_name(struct radio *radio) {
    if (!radio->format) return "";
    // Ogg has them in the stream, and new ones with each title, which would be added to those that are there.
    AVDictionary **stream = radio->stream < 0 ? NULL : &radio->format->streams[radio->stream]->metadata;
    if (stream && hold_name(radio, *stream)) av_dict_free(stream);
    else if (!*radio->name && !hold_name(radio, radio->format->metadata)) {
        const char *station = tag(radio->format->metadata, "icy-name");
        return station ? station : "";
    }
    return radio->name;
}
