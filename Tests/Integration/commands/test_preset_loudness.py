"""Presets are as loud as the dry sound within 3 LU (ITU-R BS.1770, by pyloudnorm) on speech, guitar and drums of three levels."""

import numpy
import pyloudnorm
import pytest
import scipy.signal
from program import ROOT, run
from seeds import generator

import wave_file

RATE = 48_000
SECONDS = 6
PRESETS = sorted((ROOT / "presets").glob("*.json"))
# Loudness of the dry sounds, LUFS; one preset brings any sound to one level, and is tuned at this one.
LEVEL = -20
LEVELS = (-26, LEVEL, -14)
LEVELLING = ("telephone",)


def resonance(samples, frequency, width):
    """A two-pole resonator with a gain of 1 at its frequency."""
    pole = numpy.exp(-numpy.pi * width / RATE)
    turn = 2 * numpy.pi * frequency / RATE
    coefficients = [1, -2 * pole * numpy.cos(turn), pole**2]
    gain = abs(numpy.polyval(coefficients[::-1], numpy.exp(-1j * turn)))
    return scipy.signal.lfilter([gain], coefficients, samples)


def speech(random):
    """Voiced syllables of three formants at a falling pitch, with noise of fricatives between them and pauses."""
    vowels = [(730, 1090, 2440), (270, 2290, 3010), (570, 840, 2410), (440, 1020, 2240), (530, 1840, 2480)]
    sound, at = numpy.zeros(SECONDS * RATE), 0
    while at < len(sound):
        length = int(RATE * random.uniform(0.12, 0.28))
        time = numpy.arange(length) / RATE
        pitch = random.uniform(105, 145) * (1 - 0.4 * time)
        phase = numpy.cumsum(pitch / RATE) % 1
        flow = numpy.where(phase < 0.6, numpy.sin(numpy.pi * phase / 0.6) ** 2, 0)
        source = numpy.diff(flow, prepend=0) * 20 + 0.01 * random.standard_normal(length)
        voiced = sum(
            resonance(source, frequency, 60 + 0.04 * frequency) * gain
            for frequency, gain in zip(vowels[random.integers(len(vowels))], (1, 0.5, 0.25)))
        voiced *= numpy.sin(numpy.pi * numpy.arange(length) / length) ** 0.5
        hiss = scipy.signal.lfilter(*scipy.signal.butter(2, [3500, 9000], "band", fs=RATE), random.standard_normal(int(0.07 * RATE)))
        syllable = numpy.concatenate([0.02 * hiss * numpy.hanning(len(hiss)), voiced * random.uniform(0.5, 1)])
        end = min(len(sound), at + len(syllable))
        sound[at:end] += syllable[: end - at]
        at = end + int(RATE * (0.35 if random.random() < 0.15 else 0.03))
    return sound


def guitar(random):
    """Plucked strings (Karplus and Strong), two chords each second, with the resonance of a body."""
    chords = [(40, 47, 52, 56, 59, 64), (45, 52, 57, 60, 64), (43, 47, 50, 55, 59, 67), (38, 45, 50, 54, 57)]
    sound = numpy.zeros((SECONDS + 4) * RATE)
    for beat in range(2 * SECONDS):
        for place, note in enumerate(chords[beat // 4 % len(chords)]):
            delay = RATE / (440 * 2 ** ((note - 69) / 12))
            whole = int(delay - 0.5)
            pluck = random.uniform(-1, 1, whole) * random.uniform(0.6, 1)
            excitation = numpy.zeros(int(2.5 * RATE))
            excitation[:whole] = scipy.signal.lfilter([0.3], [1, -0.7], pluck)
            loop = numpy.zeros(whole + 2)
            loop[0] = 1
            loop[whole:] = [-0.498, -0.498]
            string = scipy.signal.lfilter([1], loop, excitation)
            at = int(RATE * (0.5 * beat + 0.012 * place))
            sound[at:at + len(string)] += string
    return (sound + 0.5 * resonance(sound, 110, 40))[: SECONDS * RATE]


def drums(random):
    """Bass drum, snare drum and hi-hat, 120 beats per minute."""
    sound = numpy.zeros((SECONDS + 1) * RATE)
    time = numpy.arange(RATE // 2) / RATE
    high = scipy.signal.butter(4, 7000, "high", fs=RATE)
    for eighth in range(4 * SECONDS):
        at = eighth * RATE // 4
        hat = 0.12 * scipy.signal.lfilter(*high, random.standard_normal(len(time))) * numpy.exp(-time / 0.03)
        sound[at:at + len(time)] += hat
        if eighth % 4 == 0 or eighth % 16 == 10:
            turns = numpy.cumsum((48 + 90 * numpy.exp(-time / 0.03)) / RATE)
            sound[at:at + len(time)] += numpy.sin(2 * numpy.pi * turns) * numpy.exp(-time / 0.14)
        if eighth % 4 == 2:
            snare = 0.5 * numpy.sin(2 * numpy.pi * 190 * time) * numpy.exp(-time / 0.08)
            sound[at:at + len(time)] += snare + 0.3 * random.standard_normal(len(time)) * numpy.exp(-time / 0.1)
    return sound[: SECONDS * RATE]


SOUNDS = {"speech": speech, "guitar": guitar, "drums": drums}


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
