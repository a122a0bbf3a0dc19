#define _GNU_SOURCE
#include "download.h"

#include "connection.h"

#include <stdio.h>
#include <stdlib.h>

struct download {
    struct connection connection;
    int64_t done;
};

struct download *download_new(void) {
    av_log_set_level(AV_LOG_QUIET);
    avformat_network_init();
    return calloc(1, sizeof(struct download));
}

void download_ask(struct download *download, bool (*is_wanted)(void *context), void *context) {
    download->connection.is_wanted = is_wanted;
    download->connection.context = context;
}

bool download_open(struct download *download, const char *address, const char *header, const char *authorities, int seconds,
    struct connection_problem *problem) {
    connection_wait(&download->connection, seconds);
    AVDictionary *options = NULL;
    // A broken connection is made again and continues at the same byte.
    av_dict_set(&options, "reconnect", "1", 0);
    av_dict_set(&options, "reconnect_on_network_error", "1", 0);
    av_dict_set(&options, "reconnect_delay_max", "4", 0);
    if (header) {
        char line[1024];
        if (snprintf(line, sizeof line, "%s\r\n", header) >= (int)sizeof line) {
            av_dict_free(&options);
            return connection_refuse(problem, true, "its token is too long");
        }
        av_dict_set(&options, "headers", line, 0);
    }
    bool is_open = connection_open(&download->connection, address, options, authorities, problem);
    av_dict_free(&options);
    return is_open;
}

int64_t download_size(struct download *download) {
    int64_t size = download->connection.input ? avio_size(download->connection.input) : 0;
    return size > 0 ? size : 0;
}

bool download_seek(struct download *download, int64_t place, int seconds) {
    connection_wait(&download->connection, seconds);
    if (avio_seek(download->connection.input, place, SEEK_SET) != place) return false;
    download->done = place;
    return true;
}

long download_read(struct download *download, uint8_t *bytes, long count, int seconds, struct connection_problem *problem) {
    connection_wait(&download->connection, seconds);
    int got = avio_read_partial(download->connection.input, bytes, (int)count);
    if (got > 0) {
        download->done += got;
        return got;
    }
    if (got < 0 && got != AVERROR_EOF) {
        connection_refuse_code(&download->connection, problem, got);
        return -1;
    }
    if (download->done >= download_size(download)) return 0;
    connection_refuse(problem, false, "the connection broke off");
    return -1;
}

void download_free(struct download *download) {
    if (!download) return;
    avio_closep(&download->connection.input);
    free(download);
}
