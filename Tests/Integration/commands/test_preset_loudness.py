"""Presets are as loud as the dry sound within 3 LU (ITU-R BS.1770, by pyloudnorm) on speech, guitar and drums of three levels."""

import json

import numpy
import pyloudnorm
import pytest
from dry_sounds import RATE, SOUNDS, pink, speech
from program import ROOT, run
from seeds import generator

import wave_file

PRESETS = sorted((ROOT / "presets").glob("*.json"))
# Loudness of the dry sounds, LUFS; one preset brings any sound to one level, and is tuned at this one.
LEVEL = -20
LEVELS = (-26, LEVEL, -14)
LEVELLING = ("telephone",)


def loudness(samples):
    """Integrated loudness of two channels, LUFS."""
    return pyloudnorm.Meter(RATE).integrated_loudness(numpy.asarray(samples, dtype=float))


@pytest.fixture(scope="module")
def dry(tmp_path_factory):
    """A file of each sound at the level of the test."""
    folder = tmp_path_factory.mktemp("dry")
    random = generator(71)
    for name, make in SOUNDS.items():
        sound = make(random)
        sound *= 10 ** ((LEVEL - loudness(numpy.stack([sound, sound], 1))) / 20)
        assert abs(sound).max() < 0.9, name
        wave_file.write(folder / f"{name}.wav", sound)
    return folder


@pytest.mark.parametrize("preset", PRESETS, ids=lambda path: path.stem)
def test_a_preset_keeps_the_loudness(dry, tmp_path, preset):
    differences = {}
    for level in [LEVEL] if preset.stem in LEVELLING else LEVELS:
        for name in SOUNDS:
            samples, _ = wave_file.read(dry / f"{name}.wav")
            wave_file.write(tmp_path / "dry.wav", samples * 10 ** ((level - LEVEL) / 20))
            run("process", tmp_path / "dry.wav", "--rack", preset, "--output", tmp_path / "wet.wav", "--cut", "--no-limiter", "--overwrite")
            differences[name, level] = loudness(wave_file.read(tmp_path / "wet.wav")[0]) - level
    print(preset.stem, {sound: round(float(difference), 1) for sound, difference in differences.items()})
    for (name, level), difference in differences.items():
        assert abs(difference) <= 3, f"{preset.stem}, {name} of {level} LUFS: {difference:+.1f} LU"


def test_the_telephone_brings_any_level_to_one(dry, tmp_path):
    """An input that changes by 12 LU changes the sound by 4 at most.

    Within 3 LU of the dry sounds of all levels it cannot be: a band of 300 to 3400 Hz alone takes the loudness of these three sounds 8 to
    9 LU apart, and a compressor that brings them together brings quiet and loud material together, too.
    """
    for name in SOUNDS:
        samples, _ = wave_file.read(dry / f"{name}.wav")
        found = []
        for level in LEVELS:
            wave_file.write(tmp_path / "dry.wav", samples * 10 ** ((level - LEVEL) / 20))
            run("process", tmp_path / "dry.wav", "--rack", ROOT / "presets/telephone.json", "--output", tmp_path / "wet.wav", "--cut",
                "--no-limiter", "--overwrite")
            found.append(loudness(wave_file.read(tmp_path / "wet.wav")[0]))
        print(name, found)
        assert max(found) - min(found) < 4 and abs(found[1] - LEVEL) < 3 and max(abs(x - LEVEL) for x in found) < 5


@pytest.mark.parametrize("make", [speech, pink], ids=lambda make: make.__name__)
def test_the_reverb_is_equally_loud_in_every_room(tmp_path, make):
    """Twelve settings of size and decay, with the default damping, which is the reason why white noise is up to 4.5 LU apart."""
    sound = make(generator(72))
    wave_file.write(tmp_path / "dry.wav", 0.3 * sound / abs(sound).max())
    found = {}
    for size in (0.3, 1, 2):
        for decay in (0.1, 0.4, 1.8, 6):
            (tmp_path / "rack.json").write_text(json.dumps({
                "version": 2, "slots": [{"effect": "reverb", "mix": 1, "parameters": {"size": size, "decay": decay}}]}))
            run("process", tmp_path / "dry.wav", "--rack", tmp_path / "rack.json", "--output", tmp_path / "wet.wav", "--no-limiter",
                "--overwrite")
            found[size, decay] = loudness(wave_file.read(tmp_path / "wet.wav")[0])
    print(make.__name__, {room: round(float(level), 2) for room, level in found.items()})
    assert max(found.values()) - min(found.values()) < 2


def respond(tmp_path, preset, sound):
    """Returns both sides of what a short sound becomes after a second of silence, within 8 s."""
    wave_file.write(tmp_path / "short.wav", numpy.concatenate([numpy.zeros(RATE), sound, numpy.zeros(8 * RATE - len(sound))]))
    run("process", tmp_path / "short.wav", "--rack", ROOT / f"presets/{preset}.json", "--output", tmp_path / "wet.wav", "--cut")
    return wave_file.read(tmp_path / "wet.wav")[0][RATE:].astype(float)


@pytest.mark.parametrize("preset, first, least, most", [
    # Energy of all that comes after `first` seconds relative to what comes before, dB, of a burst of 20 ms.
    ("cathedral", 0.03, -3, 3), ("slapback", 0.1, -8, -4), ("dub", 0.2, -3, 3),
])
def test_the_wet_sound_is_as_loud_as_the_preset_says(tmp_path, preset, first, least, most):
    time = numpy.arange(RATE // 50) / RATE
    heard = respond(tmp_path, preset, 0.1 * numpy.hanning(len(time)) * numpy.sin(2 * numpy.pi * 500 * time))
    at = int(first * RATE)
    level = 10 * numpy.log10((heard[at:] ** 2).sum() / (heard[:at] ** 2).sum())
    print(f"{preset}: {level:.1f} dB")
    assert least <= level <= most


@pytest.mark.parametrize("preset", ["slow-phase", "jet"])
def test_notches_are_deep(tmp_path, preset):
    """The deepest notch between 100 and 8000 Hz, relative to the highest peak, within 80 ms after a click."""
    spectrum = numpy.abs(numpy.fft.rfft(respond(tmp_path, preset, numpy.array([0.1]))[:3840, 0], 1 << 15))
    bins = slice(int(100 / RATE * (1 << 15)), int(8000 / RATE * (1 << 15)))
    depth = 20 * numpy.log10(spectrum[bins].max() / spectrum[bins].min())
    print(f"{preset}: {depth:.1f} dB")
    assert depth > 30
