"""`vestibule render` for a listener elsewhere than at the origin, compared with formulas and with objects at the same places around it."""

import itertools
import json

import numpy
import pytest

import wave_file
from program import run

RATE = 48_000
MATERIAL = {"name": "even", "title": "Even", "absorption": [0.2] * 7, "scattering": 0, "colour": "#808080", "source": "none"}
PLACE = (0.6, -1.2, 0.3)
OBJECT = (2.5, 1.5, 0.4)


def click(folder, seconds):
    sound = numpy.zeros(round(seconds * RATE))
    sound[0] = 0.5
    wave_file.write(folder / "click.wav", sound)
    return folder / "click.wav"


def images(size, middle, turn, source, order):
    """Mirror images in the world, with their orders."""
    angle = numpy.radians(turn)
    axes = numpy.array([[numpy.cos(angle), numpy.sin(angle), 0], [-numpy.sin(angle), numpy.cos(angle), 0], [0, 0, 1]])
    middle = numpy.array(middle) + [0, 0, size[2] / 2]
    inside = axes @ (numpy.array(source) - middle)
    for index in itertools.product(range(-order, order + 1), repeat=3):
        if sum(map(abs, index)) <= order:
            yield (numpy.array(index) * size + (-1.0) ** numpy.abs(index) * inside) @ axes + middle, sum(map(abs, index))


def render(folder, *options):
    run("render", *options, "--no-limiter", "--output", folder / "ears.wav", "--overwrite")
    return wave_file.read(folder / "ears.wav")[0]


def at(sound, point, *more):
    distance = numpy.linalg.norm(point)
    azimuth, elevation = numpy.degrees([numpy.arctan2(point[1], point[0]), numpy.arcsin(point[2] / distance)])
    return f"{sound}@{azimuth:.6f},{elevation:.6f},{distance:.7f}" + "".join(f",{each}" for each in more)


def place(point):
    return ["--place=" + ",".join(map(str, point))]


def decibels(error, of):
    return 10 * numpy.log10((error**2).sum() / (of**2).sum() + 1e-20)


def arrival(ear):
    """The time of a click in frames, by the centre of its energy spectrum's phase: exact to fractions of a frame."""
    spectrum = numpy.fft.rfft(ear, 1 << 15)[200:3000]
    slope = numpy.polyfit(numpy.arange(len(spectrum)), numpy.unwrap(numpy.angle(spectrum)), 1)[0]
    return -slope * (1 << 15) / (2 * numpy.pi)


def test_level_time_and_direction_are_those_of_the_place(tmp_path):
    sound = click(tmp_path, 0.1)
    way = numpy.array(OBJECT) - PLACE

    def facing(point, *options):
        azimuth = numpy.degrees(numpy.arctan2(point[1], point[0]))
        return render(tmp_path, "--object", at(sound, OBJECT, "doppler=1"), f"--yaw={azimuth:.6f}", *options)

    there, here = facing(way, *place(PLACE)), facing(OBJECT)
    distances = numpy.linalg.norm(way), numpy.linalg.norm(OBJECT)
    level = 10 * numpy.log10((there**2).sum() / (here**2).sum())
    assert abs(level - 20 * numpy.log10(distances[1] / distances[0])) < 0.1, level
    for ear in range(2):
        late = arrival(there[:, ear]) - arrival(here[:, ear])
        assert abs(late - (distances[0] - distances[1]) / 343 * RATE) < 0.5, late
    # With everything on, the ears are those of an object at the same place around the origin, to far less than 2 degrees.
    settings = "doppler=1", "air=1", "directivity=0.7", "yaw=-120", "pitch=10"
    own = render(tmp_path, "--object", at(sound, OBJECT, *settings), *place(PLACE))
    same = render(tmp_path, "--object", at(sound, way, *settings))
    turned = render(tmp_path, "--object", at(sound, way, *settings), "--yaw=2")
    assert decibels(own - same, same) < -60, decibels(own - same, same)
    assert decibels(turned - same, same) > -30
    # Near an object, inside its bubble and without delay.
    near = (OBJECT[0] - 0.2, OBJECT[1] + 0.15, OBJECT[2])
    for setting in ("doppler=0", "bubble=1"):
        own = render(tmp_path, "--object", at(sound, OBJECT, setting), *place(near))
        same = render(tmp_path, "--object", at(sound, (0.2, -0.15, 0), setting))
        assert decibels(own - same, same) < -50, decibels(own - same, same)


def test_motion_changes_the_pitch(tmp_path):
    """A listener who moves at 10 m/s towards an object and past it, along the columns x, y and z of a motion."""
    seconds, tone, speed = 2.0, 1000.0, 10.0
    wave_file.write(tmp_path / "tone.wav", 0.1 * numpy.sin(2 * numpy.pi * tone * numpy.arange(round(seconds * RATE)) / RATE))
    lines = [f"{t:.2f},0,{speed * t - 10:.4f},0.5,0" for t in numpy.arange(0, seconds + 0.005, 0.01)]
    (tmp_path / "walk.csv").write_text("\n".join(["time,yaw,x,y,z", *lines]) + "\n")
    ears = render(tmp_path, "--object", at(tmp_path / "tone.wav", (0.1, 0, 0), "doppler=1"), "--motion", tmp_path / "walk.csv")

    def pitch(begin, end):
        part = ears[round(begin * RATE): round(end * RATE), 0].astype(float)
        spectrum = numpy.fft.rfft(part * numpy.hanning(len(part)), 1 << 20)
        return numpy.argmax(abs(spectrum)) * RATE / (1 << 20)

    # Far from the object the way shrinks and grows at nearly the speed itself.
    for begin, end in ((0.2, 0.6), (1.4, 1.8)):
        middle = speed * (begin + end) / 2 - 10.1
        wanted = tone * (1 - speed * middle / numpy.hypot(middle, 0.5) / 343)
        assert abs(pitch(begin, end) / wanted - 1) < 0.001, (pitch(begin, end), wanted)
    # Without delay there is no change of pitch.
    ears = render(tmp_path, "--object", at(tmp_path / "tone.wav", (0.1, 0, 0)), "--motion", tmp_path / "walk.csv")
    assert abs(pitch(0.2, 0.6) / tone - 1) < 0.0005


def test_nothing_clicks_while_a_listener_moves(tmp_path):
    """A tone for a listener who leaves the origin at once, walks, and returns: nothing beside the tone above the noise of levels."""
    seconds, tone = 2.0, 2000.0
    wave_file.write(tmp_path / "tone.wav", 0.1 * numpy.sin(2 * numpy.pi * tone * numpy.arange(round(seconds * RATE)) / RATE))
    steps = "0,0,0,0,0", "0.5,0,0,0,0", "0.52,0,0.3,0.5,0", "1.2,0,0.3,0.5,0", "1.22,0,0,0,0", "2,0,0,0,0"
    (tmp_path / "step.csv").write_text("\n".join(["time,yaw,x,y,z", *steps]) + "\n")
    ears = render(tmp_path, "--object", at(tmp_path / "tone.wav", (2, 1, 0), "doppler=1", "air=1"), "--motion", tmp_path / "step.csv")
    spectrum = numpy.fft.rfft(ears[4800:-4800] * numpy.hanning(len(ears) - 9600)[:, None], axis=0)
    hertz = numpy.fft.rfftfreq(len(ears) - 9600, 1 / RATE)
    beside = abs(hertz - tone) > 600
    level = 10 * numpy.log10((abs(spectrum[beside]) ** 2).sum() / (abs(spectrum) ** 2).sum())
    assert level < -70, level
    # It did move.
    power = (ears**2).sum(1)
    assert power[round(0.9 * RATE): RATE].sum() > 1.3 * power[round(0.3 * RATE): round(0.4 * RATE)].sum()


def test_reflections_reach_the_place_of_the_listener(tmp_path):
    """In a room each reflection is the object that stands at its place in a free field; one metre off the origin."""
    size, room_place, turn, source, here = (7, 5, 3), (0.6, -0.4, -1.2), 25, (1.3, 0.8, 0.35), (0.6, -0.7, 0.4)
    room = {"size": size, "place": room_place, "turn": turn, "walls": "even", "materials": [MATERIAL], "order": 3}
    (tmp_path / "room.json").write_text(json.dumps(room))
    sound = click(tmp_path, 0.1)
    ears = render(tmp_path, "--room", tmp_path / "room.json", "--object", at(sound, source), *place(here))
    ways = [(point - here, order) for point, order in images(size, room_place, turn, source, 3)]
    objects = [
        ["--object", at(sound, way, f"gain={10 * order * numpy.log10(0.8):.5f}", "air=1", "doppler=1")]
        for way, order in ways]
    mirrored = render(tmp_path, *sum(objects, []))
    end = round(0.018 * RATE)
    assert sum(numpy.linalg.norm(way) / 343 < 0.018 for way, _ in ways) >= 6
    assert decibels((ears - mirrored)[:end], mirrored[:end]) < -55, decibels((ears - mirrored)[:end], mirrored[:end])
    # The first reflection by itself: where the formula says, and not where it is for the origin.
    first = sorted(numpy.linalg.norm(way) for way, _ in ways)[1]
    assert min(abs(first - numpy.linalg.norm(point)) for point, _ in images(size, room_place, turn, source, 1)) > 0.05
    origin = render(tmp_path, "--room", tmp_path / "room.json", "--object", at(sound, source))
    assert decibels((origin - mirrored)[:end], mirrored[:end]) > -10


def test_walls_are_between_an_object_and_the_place(tmp_path):
    """A listener outside hears an object inside through the wall; beside an object outside it is heard plainly."""
    # The sound that stays inside is not reflected.
    dead = MATERIAL | {"name": "dead", "absorption": [0.99] * 7}
    walls = dict.fromkeys(("front", "back", "right", "ceiling", "floor"), "dead") | {"left": "even"}
    room = {"size": [30, 4, 30], "place": [0, 0, -15], "walls": walls, "materials": [MATERIAL, dead], "order": 0}
    (tmp_path / "room.json").write_text(json.dumps(room))
    sound, begin = click(tmp_path, 0.1), round(2 / 343 * RATE)

    def spectrum(source, here, *options):
        """Power of what arrives first, before the late field has built up."""
        ears = render(tmp_path, "--object", at(sound, source, "air=1", "doppler=1"), *place(here), *options)
        return abs(numpy.fft.rfft(ears[begin - 32: begin + 160, 0], RATE)[700:1400]) ** 2

    inside = "--room", tmp_path / "room.json"
    through = 10 * numpy.log10(spectrum((0, 1, 0), (0, 3, 0), *inside).sum() / spectrum((0, 1, 0), (0, 3, 0)).sum())
    wanted = 10 * numpy.log10((0.2 / (1 + (numpy.arange(700, 1400) / 250) ** 2)).mean())
    assert abs(through - wanted) < 2, (through, wanted)
    plain = 10 * numpy.log10(spectrum((0, 5, 0), (0, 3, 0), *inside).sum() / spectrum((0, 5, 0), (0, 3, 0)).sum())
    assert abs(plain) < 0.5, plain


@pytest.mark.parametrize("text, words", [
    ("1,2", "there are not three coordinates"), ("1,x,2", "is not a number"), ("1,2,300", "at most 100 m"),
    ("1,2,3@2", "one listener is rendered")])
def test_wrong_places_are_refused(tmp_path, text, words):
    sound = click(tmp_path, 0.01)
    failed = run("render", "--object", f"{sound}@0", f"--place={text}", "--output", tmp_path / "x.wav", check=False)
    assert failed.returncode != 0 and words in " ".join(failed.stderr.split())
    assert not (tmp_path / "x.wav").exists()
