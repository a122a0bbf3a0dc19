"""`vestibule listening-test check`: the definition and its recordings, and errors that name the field and the remedy; counts in words."""

import json

import numpy
import pytest

import wave_file
from program import run

GOOD = {
    "title": "Turning heads", "reference": "two-band", "conditions": ["nearest", "linear"], "repetitions": 2, "training": "practice",
    "passages": [{"name": "practice", "recording": "hall.wav", "from": 0.5, "to": 2}, {"recording": "hall.wav"}],
}


def check(folder, definition):
    wave_file.write(folder / "hall.wav", numpy.full((48_000 * 4, 4), 0.1))
    path = folder / "test.json"
    path.write_text(definition if isinstance(definition, str) else json.dumps(definition, indent=1))
    return run("listening-test", "check", path, "--recordings", folder, check=False)


def test_a_definition_is_described(tmp_path):
    result = check(tmp_path, GOOD)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == "Turning heads: mushra, 4 trials, 5 sounds each, 2 passages, one of them for training\n"
    alone = {"title": "One", "kind": "abx", "reference": "two-band", "conditions": ["nearest"], "passages": [{"recording": "hall.wav"}]}
    assert check(tmp_path, alone).stdout == "One: abx, 1 trial, 1 passage\n"


@pytest.mark.parametrize("change, words", [
    ({"conditions": ["nearest", "linnear"]}, ["test.json:4:", '"conditions"', "linnear", "the methods are"]),
    ({"title": None}, ['"title"', "expected a text"]),
    ({"colour": 1}, ['"colour" is unknown; expected title']),
    ({"repetitions": 0}, ['"repetitions"', "expected a number from 1"]),
    ({"training": "none"}, ['"training" is "none"', "name one of the passages, or omit it"]),
    ({"passages": [{"recording": "hal.wav", "name": "practice"}]}, ['"passages", entry 1, "recording"', "Did you mean hall.wav?"]),
    ({"training": "", "passages": [{"recording": "hall.wav"}, {"recording": "hall.wav", "name": "b", "from": 2, "to": 9}]}, [
        '"training"']),
    ({"training": "b", "passages": [{"recording": "hall.wav"}, {"recording": "hall.wav", "name": "b", "from": 2, "to": 9}]}, [
        '"passages", entry 2, "to" is 9.0 s', "lasts 4.0 s", "name an earlier end"]),
    ({"training": "b", "passages": [{"recording": "hall.wav", "name": "b", "from": 3.9}]}, [
        '"passages", entry 1, "from"', "a passage has 0.5 to 120.0 s"]),
    ("{", ["test.json:1:"]),
    ("[]", ["test.json:1:", "expected a listening test"]),
])
def test_errors_name_the_field_and_the_remedy(tmp_path, change, words):
    result = check(tmp_path, change if isinstance(change, str) else {**GOOD, **change})
    assert result.returncode != 0 and result.stdout == ""
    for word in words:
        assert word in result.stderr, result.stderr


def test_one_is_singular(tmp_path):
    wave_file.write(tmp_path / "a.wav", numpy.full(4800, 0.1))
    result = run("synth", "--source", f"{tmp_path}/a.wav@0", "--gain", "0", "--gain", "-1", "--output", tmp_path / "b.wav", check=False)
    assert "--gain is given 2 times for 1 source." in result.stderr
