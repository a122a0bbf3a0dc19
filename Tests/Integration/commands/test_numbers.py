"""Numbers for people and other programs have the decimals that they carry, not those of a binary fraction."""

import json
import re

import pytest
from program import run
from seeds import generator
from waiting import until

import wave_file

EXCESS = re.compile(r"\d\.\d{7,}")


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """A recording whose length is no round number of seconds."""
    folder = tmp_path_factory.mktemp("odd")
    wave_file.write(folder / "noise.wav", 0.1 * generator(5).standard_normal(54_321), 44_100)
    result = run("synth", "--rate", 44_100, "--source", folder / "noise.wav@33.3", "--output", folder / "scene.wav")
    assert not EXCESS.search(result.stdout), result.stdout
    return folder / "scene.wav"


@pytest.mark.parametrize("command", [["encode"], ["render"], ["package"]])
def test_lengths(scene, tmp_path, command):
    result = run(*command, scene, "--output", tmp_path / ("packed" if command == ["package"] else "out.wav"))
    assert re.search(r"\d s ", result.stdout) and not EXCESS.search(result.stdout), result.stdout


def test_figures_of_a_room(tmp_path):
    (tmp_path / "room.json").write_text(json.dumps({"size": [8, 6, 3.2], "walls": "wood"}))
    run("room", tmp_path / "room.json", "--json", tmp_path / "figures.json")
    figures = (tmp_path / "figures.json").read_text()
    assert re.search(r"\d\.\d{3}", figures) and not EXCESS.search(figures), figures


def test_figures_of_a_measurement(tmp_path):
    # The program refuses a measurement during which the machine has stalled.
    until(lambda: run("measure", "--steps", 10, "--output", tmp_path / "measured", "--overwrite", check=False).returncode == 0)
    figures = (tmp_path / "measured/summary.json").read_text()
    assert re.search(r"\d\.\d{3}", figures) and not EXCESS.search(figures), figures
