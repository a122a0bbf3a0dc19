"""`vestibule render --room`: early reflections and the late field at both ears, compared with mirrored sources and the exact sphere."""

import itertools
import json

import numpy
import pytest

import sphere_head
import wave_file
from program import run

RATE = 48_000
MATERIAL = {"name": "even", "title": "Even", "absorption": [0.2] * 7, "scattering": 0, "colour": "#808080", "source": "none"}


def click(folder, seconds):
    sound = numpy.zeros(round(seconds * RATE))
    sound[0] = 0.5
    wave_file.write(folder / "click.wav", sound)
    return folder / "click.wav"


def spherical(point):
    """Azimuth, elevation and distance of a point: degrees, degrees, metres."""
    distance = numpy.linalg.norm(point)
    return numpy.degrees([numpy.arctan2(point[1], point[0]), numpy.arcsin(point[2] / distance)]).tolist() + [distance]


def images(size, place, turn, source, order):
    """Mirror images in the world, with their orders."""
    angle = numpy.radians(turn)
    axes = numpy.array([[numpy.cos(angle), numpy.sin(angle), 0], [-numpy.sin(angle), numpy.cos(angle), 0], [0, 0, 1]])
    middle = numpy.array(place) + [0, 0, size[2] / 2]
    inside = axes @ (numpy.array(source) - middle)
    for index in itertools.product(range(-order, order + 1), repeat=3):
        if sum(map(abs, index)) <= order:
            yield (numpy.array(index) * size + (-1.0) ** numpy.abs(index) * inside) @ axes + middle, sum(map(abs, index))


def render(folder, *options):
    run("render", *options, "--no-limiter", "--output", folder / "ears.wav", "--overwrite")
    return wave_file.read(folder / "ears.wav")[0]


def test_reflections_are_those_of_mirrored_objects(tmp_path):
    """Each reflection of order 3 is the object that stands at its place in a free field."""
    size, place, turn, source = (7, 5, 3), (0.6, -0.4, -1.2), 25, (1.3, 0.8, 0.35)
    room = {"size": size, "place": place, "turn": turn, "walls": "even", "materials": [MATERIAL], "order": 3}
    (tmp_path / "room.json").write_text(json.dumps(room))
    sound = click(tmp_path, 0.2)

    def place_of(point, *more):
        azimuth, elevation, distance = spherical(point)
        return f"{sound}@{azimuth:.5f},{elevation:.5f},{distance:.6f}" + "".join(f",{each}" for each in more)

    ears = render(tmp_path, "--room", tmp_path / "room.json", "--object", place_of(source))
    objects = [
        ["--object", place_of(point, f"gain={10 * order * numpy.log10(0.8):.5f}", "air=1", "doppler=1")]
        for point, order in images(size, place, turn, source, 3)]
    assert len(objects) == 63
    mirrored = render(tmp_path, *itertools.chain(*objects))
    # Until the late field begins, where images of order 4 may arrive, there is nothing else.
    end = round(0.018 * RATE)
    assert sum(numpy.linalg.norm(point) / 343 < 0.018 for point, _ in images(size, place, turn, source, 3)) >= 7
    error = ((ears - mirrored)[:end] ** 2).sum() / (mirrored[:end] ** 2).sum()
    assert 10 * numpy.log10(error) < -60, 10 * numpy.log10(error)
    # A wrong room is far off.
    assert 10 * numpy.log10(((ears - numpy.roll(mirrored, 3, axis=0))[:end] ** 2).sum() / (mirrored[:end] ** 2).sum()) > -10


def diffuse_coherence(hertz):
    """Between opposite places on the sphere, in a field from all directions alike."""
    cosines = numpy.linspace(-1, 1, 401)[:-1] + 1 / 400
    left = sphere_head.pressure(hertz, 0.0875, numpy.degrees(numpy.arccos(cosines)))
    right = sphere_head.pressure(hertz, 0.0875, numpy.degrees(numpy.arccos(-cosines)))
    return (left * right.conj()).mean(1).real / numpy.sqrt((abs(left) ** 2).mean(1) * (abs(right) ** 2).mean(1))


def directions(count):
    """The directions of the late field: a spiral of equal areas."""
    index = numpy.arange(count)
    up = 1 - (2 * index + 1) / count
    flat, turn = numpy.sqrt(1 - up**2), 2.39996323 * index
    return numpy.stack([flat * numpy.cos(turn), flat * numpy.sin(turn), up], 1)


@pytest.fixture(scope="module")
def late_fields(tmp_path_factory):
    """Spectra of the late fields of four rooms, by directions."""
    folder, fields = tmp_path_factory.mktemp("late"), []
    for size in ((9, 7, 4), (8, 6, 5), (11, 6, 4.5), (10, 9, 3.5)):
        room = {"size": size, "walls": "even", "materials": [MATERIAL | {"absorption": [0.05] * 7}]}
        (folder / "room.json").write_text(json.dumps(room))
        run("room", folder / "room.json", "--response", folder / "response.wav", "--overwrite")
        late = wave_file.read(folder / "response.wav")[0][round(0.15 * RATE): round(2.6 * RATE), 1:]
        # Equal weights for all of the decay.
        late = late / numpy.sqrt(numpy.convolve((late**2).sum(1), numpy.ones(4800) / 4800, "same"))[:, None]
        fields.append(numpy.fft.rfft(late, 120_000, axis=0))
    return numpy.array(fields), numpy.fft.rfftfreq(120_000, 1 / RATE)


@pytest.mark.parametrize("yaw", [0, 50, 90])
def test_the_late_field_is_diffuse(yaw, late_fields):
    """Its sixteen signals from their directions, on the exact sphere; the mean of four rooms."""
    spectra, hertz = late_fields
    across = directions(16) @ [-numpy.sin(numpy.radians(yaw)), numpy.cos(numpy.radians(yaw)), 0]
    for centre in (125, 177, 250, 354, 500, 707, 1000):
        band = (hertz > centre / 2 ** (1 / 4)) & (hertz < centre * 2 ** (1 / 4))
        ears = [
            (spectra[:, band] * sphere_head.pressure(hertz[band], 0.0875, numpy.degrees(numpy.arccos(side * across)))).sum(2)
            for side in (1, -1)]
        found = (ears[0] * ears[1].conj()).sum().real / numpy.sqrt((abs(ears[0]) ** 2).sum() * (abs(ears[1]) ** 2).sum())
        wanted = diffuse_coherence(numpy.linspace(centre / 2 ** (1 / 4), centre * 2 ** (1 / 4), 15)).mean()
        print(f"{centre:.0f} Hz: {found:.2f}, {wanted:.2f}")
        assert abs(found - wanted) < 0.1, f"{centre:.0f} Hz: {found:.2f}, {wanted:.2f}"


def test_the_tail_decays_as_the_room_does(tmp_path):
    room = {"size": [9, 7, 4], "walls": "even", "materials": [MATERIAL | {"absorption": [0.1] * 7}]}
    (tmp_path / "room.json").write_text(json.dumps(room))
    ears = render(tmp_path, "--room", tmp_path / "room.json", "--object", f"{click(tmp_path, 1.6)}@20,0,2")
    run("room", tmp_path / "room.json", "--json", tmp_path / "figures.json")
    figures = json.loads((tmp_path / "figures.json").read_text())["octaves"]
    hertz = numpy.fft.rfftfreq(len(ears), 1 / RATE)
    gain = 1 / numpy.sqrt((1 + (hertz / 1414) ** 20) * (1 + (707 / numpy.maximum(hertz, 1)) ** 20))
    power = (numpy.fft.irfft(numpy.fft.rfft(ears, axis=0) * gain[:, None], axis=0) ** 2).sum(1)
    energy = numpy.cumsum(power[::-1])[::-1]
    level = 10 * numpy.log10(energy / energy[0])
    first, last = numpy.argmax(level < -8), numpy.argmax(level < -30)
    time = -60 / numpy.polyfit(numpy.arange(first, last) / RATE, level[first:last], 1)[0]
    assert abs(time / figures[3]["eyring"] - 1) < 0.1, f"{time:.2f} s, Eyring {figures[3]['eyring']:.2f} s"


def test_objects_outside_are_heard_through_the_wall(tmp_path):
    """A tone behind a wall is quieter than in a free field by what the wall's material lets through."""
    # The sound that has come in is not reflected.
    dead = MATERIAL | {"name": "dead", "absorption": [0.99] * 7}
    walls = dict.fromkeys(("front", "back", "right", "ceiling", "floor"), "dead") | {"left": "even"}
    room = {"size": [30, 4, 30], "place": [0, 0, -15], "walls": walls, "materials": [MATERIAL, dead], "order": 1}
    (tmp_path / "room.json").write_text(json.dumps(room))
    for hertz in (250, 1000, 4000):
        wave_file.write(tmp_path / "tone.wav", 0.2 * numpy.sin(2 * numpy.pi * hertz * numpy.arange(RATE // 2) / RATE))
        place = f"{tmp_path / 'tone.wav'}@90,0,6,air=1,doppler=1"
        through, free = (
            render(tmp_path, *options, "--object", place)[round(0.1 * RATE): round(0.4 * RATE), 0]
            for options in (["--room", tmp_path / "room.json"], []))
        found = 10 * numpy.log10((through**2).mean() / (free**2).mean())
        wanted = 10 * numpy.log10(0.2 / (1 + (hertz / 250) ** 2))
        assert abs(found - wanted) < 1.5, f"{hertz} Hz: {found:.1f} dB, {wanted:.1f} dB"
