"""`vestibule process` with impulse responses, beside SciPy's convolution."""

import json

import numpy
import pytest
import scipy.signal
from program import run
from seeds import generator

import wave_file

RATE = 48_000


def rack(tmp_path, **parameters):
    """A rack of one convolution alone."""
    slot = {"effect": "convolution", "mix": 1, "parameters": {"response": "response.wav", **parameters}}
    path = tmp_path / "rack.json"
    path.write_text(json.dumps({"version": 2, "slots": [slot]}))
    return path


def process(tmp_path, sound, response, rate=RATE, **parameters):
    wave_file.write(tmp_path / "in.wav", sound)
    wave_file.write(tmp_path / "response.wav", response, rate)
    run("process", tmp_path / "in.wav", "--rack", rack(tmp_path, **parameters), "--output", tmp_path / "out.wav", "--overwrite",
        "--ceiling", 0)
    return wave_file.read(tmp_path / "out.wav")[0].astype(float)


def responses(random, channels):
    return random.standard_normal((9000, channels)) * numpy.exp(-numpy.arange(9000) / 2000)[:, None] * 0.004


def expected(sound, response):
    """Outputs for one, two or four channels: left to left, left to right, right to left, right to right."""
    paths = {1: (0, None, None, 0), 2: (0, None, None, 1), 4: (0, 1, 2, 3)}[response.shape[1]]
    through = lambda side, path: 0 if path is None else scipy.signal.fftconvolve(sound[:, side], response[:, path])
    return numpy.stack([through(0, paths[0]) + through(1, paths[2]), through(0, paths[1]) + through(1, paths[3])], 1)


@pytest.mark.parametrize("channels", [1, 2, 4])
def test_as_recorded_is_the_plain_convolution(tmp_path, channels):
    random = generator(91 + channels)
    sound = 0.1 * random.standard_normal((RATE // 2, 2)).astype("f4")
    response = responses(random, channels).astype("f4")
    wanted = expected(sound.astype(float), response.astype(float))
    heard = process(tmp_path, sound, response, level="as recorded")
    frames = min(len(heard), len(wanted))
    error = numpy.abs(heard[:frames] - wanted[:frames]).max() / numpy.abs(wanted).max()
    print(f"{channels} channels: error {20 * numpy.log10(error):.0f} dB")
    assert error < 1e-5
    # Everything that follows is silent.
    assert frames > RATE // 2 and numpy.abs(heard[frames:]).max(initial=0) < 1e-6


@pytest.mark.parametrize("channels", [1, 2, 4])
def test_normalised_keeps_the_level_of_noise(tmp_path, channels):
    """The louder side is as loud as the noise; its level does not depend on the file's."""
    random = generator(95 + channels)
    sound = 0.05 * random.standard_normal((3 * RATE, 2)).astype("f4")
    levels = []
    for factor in (1, 30):
        response = (responses(random, channels) * [1, 0.3, 0.3, 0.5][:channels] * factor).astype("f4")
        heard = process(tmp_path, sound, response)[RATE:3 * RATE]
        levels.append(20 * numpy.log10(numpy.sqrt((heard**2).mean(0)).max() / 0.05))
    print(levels)
    assert max(numpy.abs(levels)) < 0.5


def test_another_rate_keeps_the_level_of_the_file(tmp_path):
    """A response at 96 kHz with half the amplitude has the same level below 24 kHz as one at 48 kHz."""
    time = numpy.arange(9600) / RATE
    pulse = lambda at: numpy.exp(-((at - 0.01) / 0.001) ** 2) * numpy.sin(2 * numpy.pi * 1000 * at)
    sound = 0.2 * numpy.sin(2 * numpy.pi * 1000 * numpy.arange(RATE) / RATE)
    one = process(tmp_path, sound, 0.02 * pulse(time), level="as recorded")[RATE // 2:RATE, 0]
    other = process(tmp_path, sound, 0.01 * pulse(numpy.arange(19_200) / (2 * RATE)), 2 * RATE, level="as recorded")[RATE // 2:RATE, 0]
    assert abs(20 * numpy.log10(one.std() / other.std())) < 0.01


def test_other_numbers_of_channels_are_refused(tmp_path):
    for channels in (3, 5):
        wave_file.write(tmp_path / "in.wav", numpy.zeros(100))
        wave_file.write(tmp_path / "response.wav", numpy.ones((100, channels)))
        refused = run(
            "process", tmp_path / "in.wav", "--rack", rack(tmp_path), "--output", tmp_path / "out.wav", check=False)
        assert refused.returncode != 0 and f"has {channels} channels" in refused.stderr and "right to right" in refused.stderr
