#!/usr/bin/env python3
"""Error of the time between the envelopes of both ears above the crossover, and what a delay of the nearest microphones changes.

    .venv/bin/python benchmarks/sound/envelope_delay.py [--microphones 8,16,24,32] [--seed 1]

Shares no code with the program: exact pressure on a rigid sphere, noise of 4 to 12 kHz from all directions of the horizon, heads turned
to eight places of a sector. Each ear hears its nearest microphone; the delay between the envelopes (fluctuations of 100 to 1500 Hz) is
compared with that of the exact ears. Columns, in microseconds rms:

  nearest      as the microphones are
  fixed        with the delay proportional to the angle between ear and microphone that is best for all sources, and its size in us/degree
  front        the same, of sources within 60 degrees of the front only: the delay that suits them; `rear` is its effect behind
  known        with the delay on the sphere of the source's true direction: the bound of every estimate of a direction
  bands        with the delay between the two microphones around each ear, estimated in bands from their own sound, as below
  bands, 2     the same for two sources of equal level, and `nearest, 2` without it
"""

import argparse
import pathlib
import sys

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Integration/support"))
import sphere_head  # noqa: E402

RATE, PERIOD, RADIUS = 48_000, 8192, 0.0875
HERTZ = numpy.arange(1, int(12_500 * PERIOD / RATE)) * RATE / PERIOD
USED = (HERTZ >= 4000) & (HERTZ <= 12_000)
# Pressure by the angle from the source, in steps of a quarter degree.
STEP = 0.25
TABLE = sphere_head.pressure(HERTZ, RADIUS, numpy.arange(0, 180 + STEP, STEP))
BAND = int(1500 * PERIOD / RATE)


def pressure(degrees):
    angle = abs((degrees + 180) % 360 - 180)
    place = angle / STEP
    low = min(int(place), TABLE.shape[1] - 2)
    return TABLE[:, low] + (place - low) * (TABLE[:, low + 1] - TABLE[:, low])


def envelope(lines):
    spectrum = numpy.zeros(PERIOD, complex)
    spectrum[1:len(lines) + 1] = lines * USED
    modulation = numpy.fft.fft(abs(numpy.fft.ifft(spectrum)))
    return modulation[int(100 * PERIOD / RATE) + 1:int(1500 * PERIOD / RATE) + 1]


MODULATION = (numpy.arange(int(100 * PERIOD / RATE) + 1, int(1500 * PERIOD / RATE) + 1)) * RATE / PERIOD
TIMES = numpy.arange(-1200, 1201, 20) * 1e-6
TURNS = numpy.exp(-2j * numpy.pi * MODULATION[:, None] * TIMES)


def delay(left, right):
    """Microseconds by which the envelope of the right ear is later."""
    correlation = ((envelope(left) * numpy.conj(envelope(right))) @ TURNS).real
    best = int(numpy.clip(correlation.argmax(), 1, len(TIMES) - 2))
    before, here, after = correlation[best - 1:best + 2]
    return 1e6 * (TIMES[best] + 20e-6 * 0.5 * (before - after) / (before - 2 * here + after))


def later(lines, microseconds):
    return lines * numpy.exp(-2j * numpy.pi * HERTZ * microseconds * 1e-6)


def path(degrees):
    """Delay on a sphere at an angle from the source (Woodworth), microseconds."""
    angle = numpy.radians(abs((degrees + 180) % 360 - 180))
    return 1e6 * RADIUS / sphere_head.SPEED * (-numpy.cos(angle) if angle < numpy.pi / 2 else angle - numpy.pi / 2)


def group_delay(near, far):
    """Delay of `far` against `near` around each frequency, microseconds, from the slope of the phase of their cross spectrum."""
    cross = far * numpy.conj(near)
    apart = 16
    slope = cross[apart:] * numpy.conj(cross[:-apart])
    width = BAND
    smooth = numpy.convolve(slope, numpy.hanning(width), "same")
    found = -numpy.angle(smooth) / (2 * numpy.pi * apart * RATE / PERIOD) * 1e6
    return numpy.pad(found, (apart // 2, apart - apart // 2), "edge")


def ear(field, place, spacing):
    """Nearest microphone, the one on the other side of the ear, the ear's distance from the nearest in degrees, and itself."""
    nearest = round(place / spacing) * spacing
    offset = place - nearest
    other = nearest + numpy.copysign(spacing, offset)
    return field(nearest), field(other), offset, field(place)


def figures(count, random):
    spacing = 360 / count
    rows = []
    for azimuth in numpy.arange(1.5, 360, 12):
        noise = numpy.exp(2j * numpy.pi * random.uniform(size=(2, len(HERTZ))))
        second = random.uniform(0, 360)
        fields = [
            lambda place: noise[0] * pressure(place - azimuth),
            lambda place: noise[0] * pressure(place - azimuth) + noise[1] * pressure(place - second),
        ]
        for turn in (numpy.arange(8) + 0.5) / 8 * spacing - spacing / 2:
            row = {"azimuth": azimuth, "offset": turn}
            for name, field in zip(("", ", 2"), fields):
                left, right = ear(field, 90 + turn, spacing), ear(field, -90 + turn, spacing)
                exact = delay(left[3], right[3])
                row["nearest" + name] = delay(left[0], right[0]) - exact
                banded = [later(near, abs(offset) / spacing * group_delay(near, far)) for near, far, offset, _ in (left, right)]
                row["bands" + name] = delay(*banded) - exact
                if not name:
                    known = [path(place - azimuth) - path(place - offset - azimuth)
                             for place, (_, _, offset, _) in ((90 + turn, left), (-90 + turn, right))]
                    row["known"] = row["nearest"] + known[1] - known[0]
                    row["angle"] = left[2]
            rows.append(row)
    return rows


def rms(values):
    return float(numpy.sqrt(numpy.mean(numpy.square(values))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--microphones", default="8,16,24,32")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("seed", options.seed)
    for count in map(int, options.microphones.split(",")):
        rows = figures(count, numpy.random.default_rng(options.seed))
        error, angle = (numpy.array([row[name] for row in rows]) for name in ("nearest", "angle"))
        front = numpy.array([numpy.cos(numpy.radians(row["azimuth"])) for row in rows]) > 0.5
        rear = numpy.array([numpy.cos(numpy.radians(row["azimuth"])) for row in rows]) < -0.5
        best, suited = (-(error[use] @ angle[use]) / (angle[use] @ angle[use]) for use in (slice(None), front))
        print(f"{count:2} microphones: nearest {rms(error):.0f}; fixed {rms(error + best * angle):.0f} ({best:+.1f} us/degree); front "
              f"{rms(error[front]):.0f} to {rms((error + suited * angle)[front]):.0f} ({suited:+.1f}), rear {rms(error[rear]):.0f} to "
              f"{rms((error + suited * angle)[rear]):.0f}; known {rms([row['known'] for row in rows]):.0f}; bands "
              f"{rms([row['bands'] for row in rows]):.0f}; two sources: nearest {rms([row['nearest, 2'] for row in rows]):.0f}, bands "
              f"{rms([row['bands, 2'] for row in rows]):.0f}", flush=True)


if __name__ == "__main__":
    main()
