"""Output of commands that have nothing to print, or get a wrong option."""

import json
import os
import re

import numpy
import pytest

import wave_file
from program import ROOT, Engine, run


@pytest.mark.parametrize(
    "arguments, reason",
    [
        (["render", "scene.wav", "--output", "ears.wav", "--method", "magic"], 'There is no method "magic"'),
        (["render", "scene.wav", "--output", "ears.wav", "--loudness", "3"], "Unknown option '--loudness'"),
        (["synth", "--demo", "--microphones", "2", "--output", "scene.wav"], "--microphones 2: give 4 to 64."),
        (["render", "--object", "voice.wav", "--output", "ears.wav"],
         "The value 'voice.wav' is invalid for '--object <object>': there is no @ after the file. Write FILE@AZIMUTH"),
        (["serve", "--period", "many"], "The value 'many' is invalid for '--period <period>'"),
        (["bench", "--check", "--method", "two-band"], "--method and --check are different measurements. Give one of them."),
        (["bench", "--check", "--counts"], "--counts and --check are different measurements."),
        (["bench", "--check", "--record-thresholds"], "--check and --record-thresholds are different measurements."),
        (["bench", "--osc", "--effects", "--takes"], "--osc and --effects and --takes are different measurements."),
        (["bench", "--load", "--render-only"], "--load and --render-only are different measurements."),
        (["bench", "--check", "--json"], "--check has no JSON output. Omit --json."),
        (["bench", "--counts", "--json"], "--counts has no JSON output."),
        (["bench", "--method", "two-band", "--thresholds", "x.json"], "--thresholds names the budgets of --check"),
        (["bench", "--check", "--overwrite"], "--overwrite applies to the file that --record-thresholds writes."),
    ])
def test_a_wrong_option_is_answered_without_the_usage_line(arguments, reason, tmp_path):
    result = run(*arguments, check=False, cwd=tmp_path)
    print(result.stderr)
    assert result.returncode == 64 and reason in result.stderr
    assert f"See 'vestibule {arguments[0]} --help'" in result.stderr
    assert "Usage:" not in result.stderr and len(result.stderr.splitlines()) <= 3
    assert list(tmp_path.iterdir()) == []


def test_the_version_is_told():
    result = run("--version")
    source = (ROOT / "Sources/Programs/vestibule/Vestibule.swift").read_text()
    assert result.stdout.strip() == re.search(r'version = "([\d.]+)"', source)[1] and result.stderr == ""


@pytest.mark.parametrize("command, words", [("list", "No sessions."), ("trash", "The trash is empty.")])
def test_an_empty_list_says_so_on_the_standard_error(command, words, tmp_path):
    result = run("session", command, env=os.environ | {"XDG_DATA_HOME": str(tmp_path)})
    assert result.stdout == "" and result.stderr.startswith(words)


@pytest.mark.parametrize(
    "arguments, status, reason",
    [
        (["session", "delete", "nope"], 1, "session nope: there is no session of this name in "),
        (["session", "diff", "rack.json", "nope"], 2, "this is a rack, not a session"),
        (["session", "migrate", "rack.json", "--overwrite"], 1, "this is a rack, not a session"),
        (["session", "migrate", "scene.json", "--overwrite"], 1, "this is the description of a recording, not a session"),
        (["serve", "nope"], 1, "session nope: there is no session of this name in "),
        (["serve", "scene.wav"], 64, "Give it with --recording scene.wav."),
        (["process", "scene.wav", "--rack", "nope", "--output", "out.wav"], 64, "no preset of this name in "),
    ])
def test_files_that_are_missing_or_of_another_kind_are_named(arguments, status, reason, tmp_path):
    (tmp_path / "rack.json").write_text('{"version": 1, "slots": [{"effect": "delay"}]}')
    (tmp_path / "scene.json").write_text('{"version": 1, "array": {"count": 4, "radius": 0.1, "azimuths": [0, 90, 180, -90]}}')
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    ports = ["--osc-port", "0", "--http-port", "0"] if arguments[0] == "serve" else []
    result = run(*arguments, *ports, check=False, cwd=tmp_path, env=os.environ | {"XDG_DATA_HOME": str(tmp_path / "data")})
    print(result.stderr)
    assert result.returncode == status and reason in result.stderr
    assert status != 64 or f"See 'vestibule {arguments[0]} --help'" in result.stderr
    assert {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def test_a_session_is_served_by_its_name(scene, tmp_path):
    sessions = tmp_path / "sessions"
    sessions.mkdir()
    (sessions / "evening.json").write_text(json.dumps({"version": 2, "recording": str(scene), "parameters": {"/listener/1/gain": -7}}))
    with Engine("evening", "--sessions", sessions) as engine:
        assert engine.value("/listener/1/gain") == -7 and engine.value("/session/name") == "evening"


def test_racks_of_files_are_found_by_name(tmp_path):
    wave_file.write(tmp_path / "tone.wav", 0.1 * numpy.ones((4800, 1)))
    run("process", "tone.wav", "--rack", "dub", "--presets", ROOT / "presets", "--output", "dub.wav", cwd=tmp_path)
    assert (tmp_path / "dub.wav").stat().st_size > 4800 * 8


def test_own_racks_in_folders_are_found_by_name(tmp_path):
    wave_file.write(tmp_path / "tone.wav", [[0.1]] * 4800)
    mine = tmp_path / "data" / "vestibule" / "presets" / "Live" / "My lead.json"
    mine.parent.mkdir(parents=True)
    mine.write_text('{"version": 2, "slots": [{"effect": "tremolo"}]}')
    environment = os.environ | {"XDG_DATA_HOME": str(tmp_path / "data")}
    run("process", "tone.wav", "--rack", "Live/My lead", "--output", "mine.wav", cwd=tmp_path, env=environment)
    assert (tmp_path / "mine.wav").exists()
    for name in ("Live/Other", "../presets/Live/My lead", str(tmp_path / "none.json")):
        result = run("process", "tone.wav", "--rack", name, "--output", "no.wav", cwd=tmp_path, env=environment, check=False)
        assert result.returncode != 0 and name in result.stderr and not (tmp_path / "no.wav").exists()
