// Writes interleaved stereo floats from the standard input as AAC in ADTS frames, as radio stations send it: aac RATE >FILE.
#include <libavcodec/avcodec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rates[] = {96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000};

static void write_packets(AVCodecContext *codec, AVPacket *packet, int rate_index) {
    while (avcodec_receive_packet(codec, packet) >= 0) {
        int length = packet->size + 7;
        // ISO/IEC 13818-7: sync word, MPEG-4, no checksum; AAC LC, rate, two channels; length; buffer fullness 0x7ff.
        unsigned char header[7] = {0xff, 0xf1, (unsigned char)(0x40 | rate_index << 2), (unsigned char)(0x80 | length >> 11),
            (unsigned char)(length >> 3), (unsigned char)((length & 7) << 5 | 0x1f), 0xfc};
        fwrite(header, 1, 7, stdout);
        fwrite(packet->data, 1, (size_t)packet->size, stdout);
        av_packet_unref(packet);
    }
}

int main(int count, char **arguments) {
    int rate = count == 2 ? atoi(arguments[1]) : 0, rate_index = 0;
    while (rate_index < 12 && rates[rate_index] != rate) rate_index++;
    const AVCodec *encoder = avcodec_find_encoder(AV_CODEC_ID_AAC);
    if (rate_index == 12 || !encoder) return 2;
    AVCodecContext *codec = avcodec_alloc_context3(encoder);
    codec->sample_fmt = AV_SAMPLE_FMT_FLTP;
    codec->sample_rate = rate;
    codec->bit_rate = 192000;
    av_channel_layout_default(&codec->ch_layout, 2);
    if (avcodec_open2(codec, encoder, NULL) < 0) return 3;
    AVFrame *frame = av_frame_alloc();
    AVPacket *packet = av_packet_alloc();
    int size = codec->frame_size;
    float *samples = calloc((size_t)size * 2, sizeof(float));
    int64_t place = 0;
    while (fread(samples, 2 * sizeof(float), (size_t)size, stdin) > 0) {
        frame->nb_samples = size;
        frame->format = AV_SAMPLE_FMT_FLTP;
        frame->sample_rate = rate;
        av_channel_layout_default(&frame->ch_layout, 2);
        if (av_frame_get_buffer(frame, 0) < 0) return 4;
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < size; i++) ((float *)frame->data[side])[i] = samples[2 * i + side];
        frame->pts = place;
        place += size;
        memset(samples, 0, (size_t)size * 2 * sizeof(float));
        avcodec_send_frame(codec, frame);
        av_frame_unref(frame);
        write_packets(codec, packet, rate_index);
    }
    avcodec_send_frame(codec, NULL);
    write_packets(codec, packet, rate_index);
    return 0;
}
