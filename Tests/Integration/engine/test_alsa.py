"""Playback through ALSA's pulse plugin into a null sink, recorded at its monitor."""

import contextlib

import numpy
import pytest

import wave_file
from figures import figure, measured
from health import becomes_well
from program import Engine
from pulse_sink import available, pulse_sink
from waiting import until

pytestmark = pytest.mark.skipif(not available(), reason="needs pulseaudio, pulseaudio-utils, libasound2-plugins")


RATE = 48_000


@contextlib.contextmanager
def playing(folder):
    """A sink, and an engine that plays a tone of 1 kHz into it."""
    tone = 0.25 * numpy.sin(2 * numpy.pi * 1000 * numpy.arange(4 * RATE) / RATE)
    wave_file.write(folder / "tone.wav", numpy.repeat(tone[:, None], 8, axis=1))
    with pulse_sink() as sink:
        with Engine(
            "--recording", folder / "tone.wav", "--device", "alsa:default", "--period", 256, "--periods", 4,
            env=sink.env,
        ) as running:
            yield sink, running


def frequency_and_level(data):
    """Of the latest half second: the loudest frequency, and the level against a tone of -12 dB, decibels."""
    heard = numpy.frombuffer(data[:len(data) // 8 * 8], "<f4").reshape(-1, 2)[-RATE // 2:, 0]
    spectrum = numpy.abs(numpy.fft.rfft(heard * numpy.hanning(len(heard))))
    hertz = numpy.fft.rfftfreq(len(heard), 1 / RATE)
    return hertz[spectrum.argmax()], 20 * numpy.log10(numpy.sqrt(numpy.mean(heard ** 2)) * numpy.sqrt(2) / 0.25 + 1e-9)


def test_a_tone_is_recorded_at_the_monitor(tmp_path):
    with playing(tmp_path) as (sink, running), sink.record() as recording:
        def is_tone():
            hertz, level = frequency_and_level(recording.bytes)
            return abs(hertz - 1000) < 3 and abs(level) < 0.1

        until(lambda: len(recording.bytes) > 4 * RATE and is_tone(), lambda: f"{frequency_and_level(recording.bytes)}")
        becomes_well(running)


@measured
def test_motion_is_heard_at_the_monitor(tmp_path):
    with playing(tmp_path) as (_, running):
        running.osc().send_message("/listener/1/ypr", [20.0, 0.0, 0.0])
        latency = until(lambda: (v := running.value("/latency/motion-to-sound"))[0] > 0 and v)
    print(f"motion to sound over the null sink: {latency} ms")
    # Three or four periods of buffer before the converter, plus the latency of the server.
    figure("motion to sound over a null sink", latency[0], at_most=500, unit="ms")
    assert latency[0] > 5
