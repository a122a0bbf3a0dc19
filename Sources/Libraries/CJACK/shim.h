#include <jack/jack.h>

/// As jack_client_open without further arguments, which Swift cannot call.
static inline jack_client_t *jack_client_open_plain(const char *name, jack_options_t options, jack_status_t *status) {
    return jack_client_open(name, options, status);
}
