#include <ev.h>

/// Initialises a watcher that calls `callback` whenever `descriptor` is readable; `ev_io_init` is a macro.
static inline void ev_io_prepare(
    struct ev_io *watcher, void (*callback)(struct ev_loop *, struct ev_io *, int), int descriptor, void *data) {
    ev_io_init(watcher, callback, descriptor, EV_READ);
    watcher->data = data;
}
