"""Playback through ALSA's pulse plugin into a null sink, recorded at its monitor."""

import numpy
import pytest

import wave_file
from program import Engine
from pulse_sink import available, pulse_sink
from waiting import until

pytestmark = pytest.mark.skipif(not available(), reason="needs pulseaudio, pulseaudio-utils, libasound2-plugins")


def test_a_tone_is_recorded_at_the_monitor(tmp_path):
    seconds, rate = 4, 48_000
    tone = 0.25 * numpy.sin(2 * numpy.pi * 1000 * numpy.arange(seconds * rate) / rate)
    wave_file.write(tmp_path / "tone.wav", numpy.repeat(tone[:, None], 8, axis=1))
    with pulse_sink() as sink:
        with Engine(
            "--recording", tmp_path / "tone.wav", "--device", "alsa:default", "--period", 256, "--periods", 4,
            env=sink.env,
        ) as running:
            with sink.record() as recording:
                recording.wait()
                position = running.value("/transport/position")
                until(lambda: abs(running.value("/transport/position") - position) > 1.5)
                running.osc().send_message("/listener/1/ypr", [20.0, 0.0, 0.0])
                latency = until(lambda: (v := running.value("/latency/motion-to-sound"))[0] > 0 and v)
            print(f"motion to sound over the null sink: {latency} ms")
            # Three or four periods of buffer before the converter, plus the latency of the server.
            assert 5 < latency[0] < 500
            assert running.get("/health")["status"] == "ok"
    ears = numpy.frombuffer(recording.bytes, "<f4").reshape(-1, 2)
    loud = numpy.flatnonzero(numpy.abs(ears[:, 0]) > 0.2)
    heard = ears[loud[0] + 4800:loud[-1] - 4800, 0][:rate // 2 // 48 * 48]
    spectrum = numpy.abs(numpy.fft.rfft(heard * numpy.hanning(len(heard))))
    hertz = numpy.fft.rfftfreq(len(heard), 1 / rate)
    assert abs(hertz[spectrum.argmax()] - 1000) < 3
    level = 20 * numpy.log10(numpy.sqrt(numpy.mean(heard ** 2)) * numpy.sqrt(2) / 0.25)
    assert abs(level) < 0.1
