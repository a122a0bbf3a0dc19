"""The overview of the recording: peaks and spectra as numpy finds them, who may read it, and that a newer recording replaces it.

Tolerances: peaks to 1/32767 (they are 16-bit numbers), levels to 0.41 dB (a step of the bytes is 0.4 dB) above -90 dB.
"""

import struct
import urllib.error
import urllib.request

import numpy
import pytest

import wave_file
from program import Engine
from seeds import generator
from waiting import until


def fetch(engine, token=None, accept="*/*"):
    request = urllib.request.Request(engine.url + "/overview", headers={"Accept": accept})
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def decode(data):
    columns, slices, rows, zero = struct.unpack_from("<4I", data)
    duration, = struct.unpack_from("<d", data, 16)
    lowest, highest, silent, full = struct.unpack_from("<4f", data, 24)
    assert zero == 0 and len(data) == 40 + 4 * columns + slices * rows
    peaks = numpy.frombuffer(data, "<i2", 2 * columns, 40).reshape(2, columns) / 32767
    levels = numpy.frombuffer(data, "u1", slices * rows, 40 + 4 * columns).reshape(slices, rows)
    return duration, peaks, silent + levels * (full - silent) / 255, numpy.geomspace(lowest, highest, rows + 1)


def expected_peaks(samples, columns):
    edges = [-(-column * len(samples) // columns) for column in range(columns + 1)]
    parts = [samples[begin:end] for begin, end in zip(edges, edges[1:])]
    return numpy.array([[part.min() for part in parts], [part.max() for part in parts]])


def expected_levels(samples, rate, slices, edges):
    size, frames = 4096, len(samples)
    windows = min(max(frames // slices // size, 1), 4)
    shape = 0.5 - 0.5 * numpy.cos(2 * numpy.pi * numpy.arange(size) / size)
    padded = numpy.pad(samples.astype(float), ((size // 2, size), (0, 0)))
    centres = [(2 * window + 1) * frames // (2 * slices * windows) for window in range(slices * windows)]
    spectra = numpy.array([
        (numpy.abs(numpy.fft.rfft(padded[centre:centre + size] * shape[:, None], axis=0)) ** 2).mean(axis=1) for centre in centres])
    power = spectra.reshape(slices, windows, -1).mean(axis=1) * (2 / shape.sum()) ** 2
    bins = numpy.fft.rfftfreq(size, 1 / rate)
    bands = []
    for low, high in zip(edges, edges[1:]):
        inside = (bins >= low) & (bins < high)
        bands.append(power[:, inside].max(axis=1) if inside.any() else power[:, round((low * high) ** 0.5 * size / rate)])
    return 10 * numpy.log10(numpy.maximum(numpy.array(bands).T, 1e-30))


@pytest.mark.parametrize("frames, rate", [(48_000 * 6 + 17, 48_000), (1_500, 44_100), (9_000_001, 48_000)])
def test_peaks_and_spectra_are_those_that_numpy_finds(tmp_path, frames, rate):
    random = generator(5)
    time = numpy.arange(frames) / rate
    sweep = numpy.sin(2 * numpy.pi * (60 * time + 900 * time ** 2 / max(time[-1], 1)))
    samples = numpy.stack([
        0.9 * sweep, 0.3 * numpy.sin(2 * numpy.pi * 440 * time) * (time > time[-1] / 2),
        0.01 * random.standard_normal(frames), numpy.zeros(frames)], axis=1).astype("f4")
    samples[frames // 3] = [1.5, -1.5, 0, 0]
    wave_file.write(tmp_path / "scene.wav", samples, rate)
    with Engine("--recording", tmp_path / "scene.wav") as engine:
        # 144 MB are read.
        until(lambda: engine.value("/transport/overview") == 1, seconds=600)
        status, data = fetch(engine)
        assert status == 200
    duration, peaks, levels, edges = decode(data)
    assert duration == pytest.approx(frames / rate)
    columns, slices = min(frames, 2048), min(frames, 512)
    assert peaks.shape == (2, columns) and levels.shape == (slices, 64)
    assert numpy.abs(peaks - numpy.clip(expected_peaks(samples, columns), -32768 / 32767, 1)).max() <= 1 / 32767
    expected = expected_levels(samples, rate, slices, edges)
    audible = (expected > -90) & (expected < 0)
    assert audible.mean() > 0.2
    worst = numpy.abs(levels - expected)[audible].max()
    print(f"{frames} frames: worst level off by {worst:.3f} dB in {audible.sum()} of {audible.size}")
    assert worst <= 0.41
    # The tone is in the second half only, in the band that holds 440 Hz.
    tone = numpy.searchsorted(edges, 440) - 1
    if frames > 100_000:
        assert levels[-5, tone] - levels[5, tone] > 12


def test_the_overview_needs_a_token_also_when_a_page_is_asked_for(scene, tmp_path):
    tokens = tmp_path / "tokens"
    with Engine("--recording", scene, "--token-file", tokens) as engine:
        view = dict(line.split() for line in tokens.read_text().splitlines())["view"]

        def made():
            return fetch(engine, view)[0] == 200

        until(made)
        assert fetch(engine)[0] == 401
        assert fetch(engine, accept="text/html")[0] == 401
        for path in ("/metrics", "/pairing/devices"):
            request = urllib.request.Request(engine.url + path, headers={"Accept": "text/html"})
            with pytest.raises(urllib.error.HTTPError) as refusal:
                urllib.request.urlopen(request, timeout=60)
            assert refusal.value.code == 401, path


def test_another_recording_has_another_overview(scene, tmp_path):
    wave_file.write(tmp_path / "quiet.wav", numpy.full((5000, 4), 0.125))
    with Engine("--recording", scene, "--allow-path", tmp_path) as engine:
        until(lambda: engine.value("/transport/overview") == 1)
        engine.osc().send_message("/session/recording", str(tmp_path / "quiet.wav"))
        until(lambda: engine.value("/transport/overview") == 2)
        duration, peaks, _, _ = decode(fetch(engine)[1])
        assert duration == pytest.approx(5000 / 48_000)
        assert numpy.abs(peaks - 0.125).max() <= 1 / 32767


def test_an_engine_without_a_recording_has_no_overview():
    with Engine() as engine:
        assert engine.value("/transport/overview") == 0
        status, text = fetch(engine)
        assert status == 204 and text == b""
