"""`vestibule room`, compared with formulas in numpy and the published schemas."""

import json
import xml.etree.ElementTree

import jsonschema
import numpy
import pytest
import referencing

import wave_file
from program import ROOT, run

RATE = 48_000
OCTAVES = [125, 250, 500, 1000, 2000, 4000, 8000]

ROOMS = {
    "hall": {"size": [12, 9, 5], "walls": "wooden-lining"},
    "bare": {"size": [5, 4, 2.6], "walls": "hard-wall"},
    "living": {"size": [7, 5, 3], "walls": {
        "front": "plasterboard", "back": "plasterboard", "left": "plasterboard", "right": "glass-window", "ceiling": "plasterboard",
        "floor": "needle-felt"}},
    "church": {"size": [40, 18, 14], "walls": {
        "front": "limestone", "back": "limestone", "left": "limestone", "right": "limestone", "ceiling": "lime-wash",
        "floor": "plastic-chairs"}},
    "own": {"size": [9, 7, 3.5], "order": 2, "turn": 30, "walls": "mine", "materials": [
        {"name": "mine", "title": "Mine", "absorption": [0.3, 0.25, 0.2, 0.2, 0.2, 0.2, 0.2], "colour": "#123456", "source": "measured"}]},
}


def coefficients(room):
    """Absorption of the six walls: front, back, left, right, ceiling, floor."""
    table = json.loads((ROOT / "protocol/materials.json").read_text())["materials"] + room.get("materials", [])
    known = {material["name"]: material["absorption"] for material in table}
    walls = room["walls"]
    names = [walls] * 6 if isinstance(walls, str) else [walls[w] for w in ("front", "back", "left", "right", "ceiling", "floor")]
    return numpy.array([known[name] for name in names])


def air(hertz, celsius=20.0, humidity=50.0):
    """Decibels per metre after ISO 9613-1."""
    kelvin = celsius + 273.15
    h = humidity * 10 ** (-6.8346 * (273.16 / kelvin) ** 1.261 + 4.6151)
    oxygen = 24 + 4.04e4 * h * (0.02 + h) / (0.391 + h)
    nitrogen = (kelvin / 293.15) ** -0.5 * (9 + 280 * h * numpy.exp(-4.17 * ((kelvin / 293.15) ** (-1 / 3) - 1)))
    return 8.686 * hertz**2 * (1.84e-11 * (kelvin / 293.15) ** 0.5 + (kelvin / 293.15) ** -2.5 * (
        0.01275 * numpy.exp(-2239.1 / kelvin) / (oxygen + hertz**2 / oxygen)
        + 0.1068 * numpy.exp(-3352 / kelvin) / (nitrogen + hertz**2 / nitrogen)))


def eyring(room):
    x, y, z = room["size"]
    areas = numpy.array([y * z, y * z, x * z, x * z, x * y, x * y])
    mean = (areas[:, None] * coefficients(room)).sum(0) / areas.sum()
    m = air(numpy.array(OCTAVES, float)) / (10 * numpy.log10(numpy.e))
    return 24 * numpy.log(10) / 343 * x * y * z / (-areas.sum() * numpy.log(1 - mean) + 4 * m * x * y * z)


def octave(samples, centre):
    """A band of one octave without delay; steep, so that neighbours that decay more slowly stay unheard."""
    spectrum = numpy.fft.rfft(samples, 2 * len(samples))
    hertz = numpy.maximum(numpy.fft.rfftfreq(2 * len(samples), 1 / RATE), 1e-3)
    gain = 1 / numpy.sqrt((1 + (hertz / (centre * 2**0.5)) ** 20) * (1 + (centre / 2**0.5 / hertz) ** 20))
    return numpy.fft.irfft(spectrum * gain)[: len(samples)]


def decay_time(power, upper=-5, lower=-35):
    energy = numpy.cumsum(power[::-1])[::-1]
    level = 10 * numpy.log10(energy / energy[0] + 1e-30)
    first, last = numpy.argmax(level <= upper), numpy.argmax(level <= lower)
    return -60 / numpy.polyfit(numpy.arange(first, last) / RATE, level[first:last], 1)[0]


def describe(folder, room):
    path = folder / "room.json"
    path.write_text(json.dumps(room))
    return path


def valid(document, name):
    schemas = {file.name: json.loads(file.read_text()) for file in (ROOT / "protocol/schemas").glob("*.json")}
    registry = referencing.Registry().with_resources(
        [(file, referencing.Resource.from_contents(schema)) for file, schema in schemas.items() if "$schema" in schema])
    jsonschema.Draft202012Validator(schemas[name], registry=registry).validate(document)


def test_materials_are_published_and_follow_the_schema():
    table = json.loads(run("room", "--materials").stdout)
    assert table == json.loads((ROOT / "protocol/materials.json").read_text())
    valid(table, "materials.json")
    assert len(table["materials"]) >= 30
    assert all("Vorländer" in material["source"] for material in table["materials"])


@pytest.mark.parametrize("name", ROOMS)
def test_reverberation_times_are_eyrings(name, tmp_path):
    room = ROOMS[name]
    valid(room, "room.json")
    report = run(
        "room", describe(tmp_path, room), "--source", "1.5,1,0", "--json", tmp_path / "figures.json", "--response",
        tmp_path / "response.wav", "--pictures", tmp_path / "pictures")
    samples, rate = wave_file.read(tmp_path / "response.wav")
    assert rate == RATE
    # The early part, then the late field by directions: each of these is a sample of the same decay.
    samples, late = samples[:, 0], samples[:, 1:]
    signals = [samples - late.sum(1), *late.T]
    wanted = eyring(room)
    figures = json.loads((tmp_path / "figures.json").read_text())["octaves"]
    onset = round(numpy.sqrt(1.5**2 + 1) / 343 * RATE)
    assert numpy.argmax(numpy.abs(samples) > 1e-3) == onset
    for centre, time, own in zip(OCTAVES, wanted, figures):
        found = decay_time(sum(octave(signal, centre) ** 2 for signal in signals)[onset:])
        assert abs(found / time - 1) < 0.07, f"{centre} Hz: {found:.2f} s, Eyring {time:.2f} s"
        assert abs(own["eyring"] / time - 1) < 0.002 and own["frequency"] == centre
        # The program's own filters, which ring a little.
        assert abs(own["t30"] / found - 1) < 0.08, f"{centre} Hz: {own['t30']:.2f} s, {found:.2f} s"
        assert 0 < own["d50"] < 1 and own["c80"] > own["c50"]
        assert abs(own["c50"] - 10 * numpy.log10(own["d50"] / (1 - own["d50"]))) < 0.01
    assert "T30, s" in report.stdout and f"{figures[3]['t30']:.2f}" in report.stdout
    for picture in ("decay", "reflections", "coherence"):
        root = xml.etree.ElementTree.parse(tmp_path / "pictures" / f"{picture}.svg").getroot()
        assert root.tag.endswith("svg") and len(list(root.iter())) > 10


@pytest.mark.parametrize("change, why", [
    ({"size": [8, 6, 0]}, "a number from 1 to 100"), ({"size": [8, 6]}, "expected three lengths"), ({"size": None}, "in []"),
    ({"walls": "marbel"}, "the materials are hard-wall"), ({"walls": {"front": "wood"}}, '"back" is missing'),
    ({"place": [20, 0, -1.5]}, "for example [0, 0, -1.5]"), ({"order": 6}, "a number from 0 to 5"), ({"order": 1.5}, "whole number"),
    ({"colour": "red"}, "expected size, place, turn"), ({"materials": [{"name": "x", "absorption": [1]}]}, "expected 7"),
    ({"walls": "x", "materials": [
        {"name": "x", "title": "X", "absorption": [0] * 7, "colour": "#ffffff", "source": "a test"}]}, "rooms of up to 20 s"),
    ({"walls": "x\u001b[31m"}, "names \"x\ufffd[31m\""),
])
def test_bad_rooms_are_answered_with_what_would_be_valid(change, why, tmp_path):
    room = {"size": [8, 6, 3], "walls": "wood"} | change
    answer = run("room", describe(tmp_path, room), check=False)
    assert answer.returncode != 0 and why in answer.stderr, answer.stderr
    assert "room.json:1" in answer.stderr


def test_sources_in_walls_are_refused(tmp_path):
    answer = run("room", describe(tmp_path, ROOMS["hall"]), "--source", "7,0,0", check=False)
    assert answer.returncode != 0 and "the room allows -5.9 to 5.9" in answer.stderr
