#include <alsa/asoundlib.h>

static void alsa_ignore(const char *file, int line, const char *function, int code, const char *format, ...) {}

/// Keeps libasound from writing to the standard error; its functions return the same errors.
static inline void alsa_silence(void) { snd_lib_error_set_handler(alsa_ignore); }
