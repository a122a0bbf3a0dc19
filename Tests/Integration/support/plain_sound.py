"""The sound of a listener as PCM, and how well a compressed stream keeps it."""

import struct

import numpy
import scipy.signal
import websockets.sync.client as websockets


def plain_sound(engine, seconds, **headers):
    """The sound of listener 1 as PCM at 48,000 frames per second, frames by channels, from now on."""
    samples, expected = [], None
    with websockets.connect(engine.socket_url + "/audio/1", additional_headers=headers) as socket:
        while len(samples) < 100 * seconds:
            frame = socket.recv(timeout=60)
            if isinstance(frame, str):
                continue
            _, count, position = struct.unpack("<IIQ", frame[:16])
            if position != expected:
                # The reference restarts where a client that was too slow lost packets.
                samples.clear()
            expected = position + count
            samples.append(numpy.frombuffer(frame[16:], "<i2").reshape(-1, 2) / 32768)
    return numpy.concatenate(samples)


def has_end(sound, reference):
    """Whether a decoded stream has the last half second of the reference already."""
    end = reference[-24_000:, 0]
    if len(sound) < len(end):
        return False
    at = int(numpy.argmax(scipy.signal.correlate(sound[:, 0], end, "valid", "fft")))
    return numpy.corrcoef(sound[at:at + len(end), 0], end)[0, 1] > 0.9


def check_same(sound, reference, name, least=100_000):
    """Checks that a decoded stream holds the reference, which begins within it, without a gap; at least `least` frames have to overlap."""
    for side in (0, 1):
        match = scipy.signal.correlate(sound[:, side], reference[:48_000, side], "valid", "fft")
        at = int(numpy.argmax(match))
        length = min(len(reference), len(sound) - at)
        assert length > least, f"{name}: only {length} frames overlap"
        one, other = reference[:length, side], sound[at:at + length, side]
        assert numpy.corrcoef(one, other)[0, 1] > 0.98, name
        assert abs(20 * numpy.log10(numpy.std(other) / numpy.std(one))) < 0.5
        # No gap, click or shift: each is an error as large as the sound, while the codec's stays far below it in every 10 ms.
        error = numpy.square(other - one)[:length // 480 * 480].reshape(-1, 480).mean(1)
        assert error.max() < 0.1 * numpy.var(one) and numpy.quantile(error, 0.98) < 10 * numpy.median(error), (name, error.max())
