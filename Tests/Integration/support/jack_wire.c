// The cycles of `Wire` and `Card` in jack_server.py. JACK cancels their thread when a client ends: in Python, which would have its lock
// then, nobody else would ever get that again.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

enum { most_ports = 64 };

// As `_State` in jack_server.py. Sounds are one channel after another, `frames` long each.
struct state {
    void *client;
    void *outs[most_ports], *ins[most_ports];
    uint32_t out_count, in_count;
    uint32_t frames;
    const float *sound;
    float *recorded;
    // Set by Python.
    _Atomic uint32_t is_running;
    // Frames so far, of which the first was the server's frame `begin`.
    _Atomic uint32_t place;
    uint32_t begin;
};

extern void *jack_port_get_buffer(void *port, uint32_t frames);
extern uint32_t jack_last_frame_time(const void *client);

// Of a client whose ports are all that it has.
int rest(uint32_t frames, void *data) { return 0; }

// The order of clients has changed, as it does when a client comes; called on its thread of notifications. JACK cancels that at the
// client's end, by default also where it has a lock that JACK takes next.
int defer(void *data) { return pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL); }

int process(uint32_t frames, void *data) {
    struct state *state = data;
    uint32_t place = atomic_load(&state->place), left = state->frames - place;
    uint32_t count = !atomic_load(&state->is_running) ? 0 : left < frames ? left : frames;
    if (count && place == 0) state->begin = jack_last_frame_time(state->client);
    for (uint32_t channel = 0; channel < state->out_count; channel++) {
        float *port = jack_port_get_buffer(state->outs[channel], frames);
        memset(port, 0, frames * sizeof *port);
        memcpy(port, state->sound + (size_t)channel * state->frames + place, count * sizeof *port);
    }
    for (uint32_t channel = 0; channel < state->in_count; channel++) {
        const float *port = jack_port_get_buffer(state->ins[channel], frames);
        memcpy(state->recorded + (size_t)channel * state->frames + place, port, count * sizeof *port);
    }
    atomic_store(&state->place, place + count);
    return 0;
}
