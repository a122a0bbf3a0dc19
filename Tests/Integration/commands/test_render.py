"""`synth` and `render` compared with the formulae of acoustics."""

import json

import numpy
import pytest

import wave_file
from program import run
from seeds import generator

RATE = 48_000


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """White noise from 30 degrees to the left, on 16 microphones."""
    folder = tmp_path_factory.mktemp("noise")
    seed = 7
    noise = generator(seed).standard_normal(RATE) * 0.1
    wave_file.write(folder / "noise.wav", noise)
    run("synth", "--microphones", 16, "--source", f"{folder / 'noise.wav'}@30", "--output", folder / "scene.wav")
    return folder / "scene.wav"


def render(recording, folder, *options):
    output = folder / "ears.wav"
    run("render", recording, "--output", output, "--overwrite", *options)
    ears, rate = wave_file.read(output)
    assert rate == RATE
    return ears


def band_level(signal, low, high):
    spectrum = numpy.abs(numpy.fft.rfft(signal)) ** 2
    hertz = numpy.fft.rfftfreq(len(signal), 1 / RATE)
    return 10 * numpy.log10(spectrum[(hertz >= low) & (hertz < high)].sum())


def delay_microseconds(late, early):
    """Returns the delay of `late`, from the phase at wavelengths of more than two head widths."""
    cross = numpy.fft.rfft(late) * numpy.conj(numpy.fft.rfft(early))
    hertz = numpy.fft.rfftfreq(len(late), 1 / RATE)
    use = (hertz > 100) & (hertz < 500)
    slope = numpy.sum(numpy.angle(cross[use]) * hertz[use] * numpy.abs(cross[use]))
    return -slope / numpy.sum(hertz[use] ** 2 * numpy.abs(cross[use])) / (2 * numpy.pi) * 1e6


@pytest.mark.parametrize("yaw", [0, 7.5, 100, -170])
def test_linear_is_the_weighted_sum_of_two_channels(recording, tmp_path, yaw):
    ears = render(recording, tmp_path, "--method", "linear", "--yaw", yaw)
    channels, _ = wave_file.read(recording)
    assert len(ears) == len(channels)
    for ear, azimuth in ((0, yaw + 90), (1, yaw - 90)):
        place = -azimuth / 22.5
        first, share = int(numpy.floor(place)), place - numpy.floor(place)
        expected = (1 - share) * channels[:, first % 16] + share * channels[:, (first + 1) % 16]
        assert numpy.abs(ears[:, ear] - expected).max() < 1e-6


# The nearest microphones of both ears are up to half a sector off, on the same side: +-150 us for 16 of them.
@pytest.mark.parametrize("method, tolerance", [
    ("nearest", 160), ("linear", 10), ("two-band", 10), ("two-band-spectral", 10), ("ring", 10), ("ring-spectral", 10)])
def test_a_source_keeps_its_direction_while_the_head_turns(recording, tmp_path, method, tolerance):
    # Facing the source: both ears alike. Turned to the right: left ear earlier and louder.
    towards = render(recording, tmp_path, "--method", method, "--yaw", 30)
    assert abs(delay_microseconds(towards[:, 1], towards[:, 0])) < tolerance
    away = render(recording, tmp_path, "--method", method, "--yaw", -60)
    # A sphere: 3 r/c = 765 us at low frequencies.
    assert abs(delay_microseconds(away[:, 1], away[:, 0]) - 765) < 40 + tolerance
    assert band_level(away[:, 0], 4000, 12_000) - band_level(away[:, 1], 4000, 12_000) > 10


def test_motion_is_followed(recording, tmp_path):
    (tmp_path / "motion.csv").write_text("time,yaw,pitch,roll\n0,-60,0,0\n0.2,-60,0,0\n0.21,120,0,0\n1,120,0,0\n")
    ears = render(recording, tmp_path, "--method", "two-band", "--motion", tmp_path / "motion.csv")
    early, late = ears[:9000], ears[-24_000:]
    assert delay_microseconds(early[:, 1], early[:, 0]) > 600
    assert delay_microseconds(late[:, 1], late[:, 0]) < -600


@pytest.mark.parametrize("method", ["two-band", "ring-spectral"])
def test_block_length_does_not_change_the_output_at_rest(recording, tmp_path, method):
    short = render(recording, tmp_path, "--method", method, "--yaw", 12, "--block", 16)
    long = render(recording, tmp_path, "--method", method, "--yaw", 12, "--block", 1000)
    assert numpy.abs(short - long).max() < 1e-6


def test_the_description_beside_the_recording(recording):
    description = json.loads(recording.with_suffix(".json").read_text())
    assert description["array"]["count"] == 16
    assert description["array"]["azimuths"][:3] == [0, -22.5, -45]
    assert description["sources"][0]["azimuth"] == 30


@pytest.mark.parametrize("arguments, words", [
    (["render", "nothing.wav", "--output", "x.wav"], "nothing.wav"),
    (["render", "SCENE", "--output", "x.wav", "--method", "best"], "nearest"),
    (["render", "SCENE", "--output", "x.ogg"], ".wav"),
    (["render", "SCENE", "--output", "x.wav", "--yaw", "nan"], "finite"),
    (["render", "SCENE", "--output", "x.wav", "--ear-azimuth", "900"], "from 60.0 to 120.0 degrees"),
    (["render", "SCENE", "--output", "x.wav", "--ear-azimuth", "nan"], "from 60.0 to 120.0 degrees"),
    (["render", "SCENE", "--output", "x.wav", "--hrtf", "ears.sofa"], "--method personal"),
    (["render", "SCENE", "--output", "x.wav", "--head-radius", "0.08"], "--method personal"),
    (["synth", "--source", "nothing.wav@30", "--output", "x.wav"], "nothing.wav"),
    (["synth", "--output", "x.wav"], "--source"),
])
def test_invalid_input_is_refused_with_the_reason(recording, tmp_path, arguments, words):
    arguments = [str(recording) if word == "SCENE" else word for word in arguments]
    result = run(*arguments, check=False, cwd=tmp_path)
    assert result.returncode != 0
    assert words in result.stderr + result.stdout
    assert list(tmp_path.iterdir()) == []
