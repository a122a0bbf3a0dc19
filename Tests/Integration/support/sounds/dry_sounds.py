"""Sounds that stand for speech, a guitar, drums and music in general."""

import numpy
import scipy.signal

RATE = 48_000
SECONDS = 6


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


def pink(random):
    """Noise of equal power in every octave above 20 Hz."""
    spectrum = numpy.fft.rfft(random.standard_normal(SECONDS * RATE))
    return numpy.fft.irfft(spectrum / numpy.sqrt(numpy.maximum(numpy.arange(len(spectrum)), 20 * SECONDS)))


SOUNDS = {"speech": speech, "guitar": guitar, "drums": drums}
