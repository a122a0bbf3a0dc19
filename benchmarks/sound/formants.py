#!/usr/bin/env python3
"""Formants that the pitch shift keeps, against those of the vowel itself, and the limit that the spacing of its partials sets.

    make build && .venv/bin/python benchmarks/sound/formants.py [--pitches 110,220]

A vowel of known resonances (five poles, bandwidths of 80 to 250 Hz) is shifted by `vestibule process`. The level of each partial from
250 Hz to 4 kHz is compared with the resonances at its frequency; the largest deviation from the mean is printed, in dB.

The envelope of a voice is known only at its partials. `limit` is the same deviation without any program: the exact levels of the vowel's
partials, interpolated in dB by cubics, which the pitch shift uses (Catmull and Rom), and by a spline that is smooth to the second
derivative. Where the partials are farther apart than a resonance is wide, what lies between them cannot be known from their levels.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("VESTIBULE", ROOT / ".build/release/vestibule"))
sys.path.insert(0, str(ROOT / "Tests/Integration/support"))
import wave_file  # noqa: E402

RATE = 48_000
# Frequency and bandwidth in Hz (Peterson and Barney 1952; Fant 1960): the vowels of "father", "bet", "see" and "boot".
VOWELS = {
    "a": [(700, 80), (1220, 90), (2600, 120), (3500, 180), (4500, 250)],
    "e": [(530, 60), (1840, 100), (2480, 120), (3500, 180), (4500, 250)],
    "i": [(280, 55), (2250, 100), (2890, 120), (3500, 180), (4500, 250)],
    "u": [(310, 60), (870, 80), (2250, 120), (3500, 180), (4500, 250)],
}
QUALITIES = ["low-latency", "high", "highest"]


def response(formants, frequency):
    """Level of the resonances in dB."""
    f = numpy.asarray(frequency, dtype=float)
    gain = numpy.ones_like(f)
    for centre, width in formants:
        gain *= centre ** 2 / numpy.hypot(centre ** 2 - f ** 2, f * width)
    return 20 * numpy.log10(gain)


def vowel(formants, pitch, seconds=3):
    """All partials up to 8 kHz in phase, one row."""
    time = numpy.arange(seconds * RATE) / RATE
    partials = pitch * numpy.arange(1, int(8000 // pitch) + 1)
    levels = 0.01 * 10 ** (response(formants, partials) / 20)
    return sum(level * numpy.sin(2 * numpy.pi * f * time) for f, level in zip(partials, levels))


def shifted(sound, semitones, quality, folder):
    """The same through the program."""
    (folder / "rack.json").write_text(json.dumps({"version": 2, "slots": [{"effect": "pitch-shift", "parameters": {
        "semitones": semitones, "quality": quality, "formants": True}}]}))
    wave_file.write(folder / "in.wav", sound)
    subprocess.run([PROGRAM, "process", folder / "in.wav", "--rack", folder / "rack.json", "--output", folder / "out.wav", "--overwrite",
                    "--no-limiter", "--cut"], check=True, capture_output=True)
    return wave_file.read(folder / "out.wav")[0][:, 0]


def level(sound, frequency):
    """Level of a partial in dB, by a Hann window."""
    window = numpy.hanning(len(sound))
    turn = numpy.exp(-2j * numpy.pi * frequency * numpy.arange(len(sound)) / RATE)
    return 20 * numpy.log10(2 * abs(numpy.sum(sound * window * turn)) / window.sum())


def worst(levels, expected):
    rest = numpy.asarray(levels) - expected
    return abs(rest - rest.mean()).max()


def cubics(x, y, places):
    """Catmull and Rom (1974)."""
    slopes = numpy.gradient(y, x)
    return hermite(x, y, slopes, places)


def spline(x, y, places):
    """Cubic spline with continuous second derivatives, natural at its ends, on even places."""
    step, count = x[1] - x[0], len(x)
    matrix = 4 * numpy.eye(count) + numpy.eye(count, k=1) + numpy.eye(count, k=-1)
    matrix[0, 0] = matrix[-1, -1] = 2
    right = numpy.empty(count)
    right[1:-1] = 3 * (y[2:] - y[:-2]) / step
    right[0], right[-1] = 3 * (y[1] - y[0]) / step, 3 * (y[-1] - y[-2]) / step
    return hermite(x, y, numpy.linalg.solve(matrix, right), places)


def hermite(x, y, slopes, places):
    i = numpy.clip(numpy.searchsorted(x, places) - 1, 0, len(x) - 2)
    step = x[i + 1] - x[i]
    u = (places - x[i]) / step
    return ((2 * u ** 3 - 3 * u ** 2 + 1) * y[i] + (u ** 3 - 2 * u ** 2 + u) * step * slopes[i]
            + (3 * u ** 2 - 2 * u ** 3) * y[i + 1] + (u ** 3 - u ** 2) * step * slopes[i + 1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pitches", default="110,147,220", help="fundamental frequencies in Hz")
    pitches = [float(text) for text in parser.parse_args().pitches.split(",")]
    print(f"{'vowel':>5} {'pitch':>6} {'semitones':>9} {'low-latency':>11} {'high':>5} {'highest':>7} {'limit: cubics':>13} {'spline':>6}")
    with tempfile.TemporaryDirectory() as name:
        for vowel_name, formants in VOWELS.items():
            for pitch in pitches:
                sound = vowel(formants, pitch)
                known = pitch * numpy.arange(1, int(8000 // pitch) + 1)
                for semitones in (-7, 7):
                    ratio = 2 ** (semitones / 12)
                    places = pitch * ratio * numpy.arange(1, int(4000 * min(1, ratio) // (pitch * ratio)) + 1)
                    places = places[places > 250]
                    true = response(formants, places)
                    row = []
                    for quality in QUALITIES:
                        heard = shifted(sound, semitones, quality, pathlib.Path(name))[RATE:]
                        row.append(worst([level(heard, f) for f in places], true))
                    row += [worst(way(known, response(formants, known), places), true) for way in (cubics, spline)]
                    print(
                        f"{vowel_name:>5} {pitch:6.0f} {semitones:9} {row[0]:11.1f} "
                        f"{row[1]:5.1f} {row[2]:7.1f} {row[3]:13.1f} {row[4]:6.1f}")


if __name__ == "__main__":
    main()
