#include <opus.h>

/// Sets one option of an encoder. The library's own function takes any number of arguments, which Swift cannot pass.
static inline int opus_encoder_set(OpusEncoder *encoder, int request, opus_int32 value) {
    return opus_encoder_ctl(encoder, request, value);
}

/// Reads one option of an encoder.
static inline int opus_encoder_get(OpusEncoder *encoder, int request, opus_int32 *value) {
    return opus_encoder_ctl(encoder, request, value);
}
