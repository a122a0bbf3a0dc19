"""Files that a command reads by way of others (sessions, descriptions, options) are never replaced by its outputs."""

import json
import shutil
import signal
import subprocess

import pytest

import wave_file
from program import PROGRAM, Engine, run
from seeds import generator
from waiting import until

HRTF = "/usr/share/libmysofa/default.sofa"


@pytest.fixture
def files(tmp_path):
    """A session with all that it can name."""
    random = generator(9)
    wave_file.write(tmp_path / "ring.wav", 0.1 * random.standard_normal((9600, 8)))
    wave_file.write(tmp_path / "voice.wav", 0.1 * random.standard_normal((9600, 1)))
    wave_file.write(tmp_path / "room.wav", 0.1 * random.standard_normal((960, 2)))
    shutil.copy(HRTF, tmp_path / "ears.sofa")
    slot = {"effect": "convolution", "slot": 1, "parameters": {"response": str(tmp_path / "room.wav")}}
    (tmp_path / "session.json").write_text(json.dumps({
        "version": 2, "recording": "ring.wav",
        "parameters": {"/object/1/source": str(tmp_path / "voice.wav"), "/listener/1/hrtf": str(tmp_path / "ears.sofa"),
                       "/listener/1/method": "hrtf"},
        "racks": {"listener/1": {"version": 1, "slots": [slot]}},
    }))
    return tmp_path


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and not path.name.startswith(".")}


@pytest.mark.parametrize("option, name", [
    *[("--device", name) for name in ["ring.wav", "voice.wav", "room.wav"]],
    *[("--record-motion", name) for name in ["ring.wav", "voice.wav", "room.wav", "ears.sofa", "session.json"]],
])
def test_files_of_a_session(files, option, name):
    before = contents(files)
    output = f"file:{files / name}" if option == "--device" else files / name
    process = subprocess.Popen(
        [PROGRAM, "serve", files / "session.json", option, output, "--overwrite", "--http-port", "0", "--osc-port", "0",
         "--announce", "", "--allow-path", files, "--sessions", files / "sessions", "--ready-file", files / "sessions.ready"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        until(lambda: process.poll() is not None or (files / "sessions.ready").exists())
        process.send_signal(signal.SIGTERM)
        words, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    after = contents(files)
    assert {key: after[key] for key in before} == before, words
    # The sound rendered until the end is beside it; a motion is refused at the start or at the end.
    assert f"{name}.part" in after if option == "--device" else "input" in words and name in words


def test_the_description_of_a_recording_behind_a_link(files):
    (files / "ring.json").write_text('{"array":{"count":8,"radius":0.0875}}')
    (files / "out.wav").symlink_to("ring.json")
    before = contents(files)
    result = run("render", files / "ring.wav", "--output", files / "out.wav", "--overwrite", check=False)
    assert result.returncode != 0 and "input" in result.stderr
    after = contents(files)
    assert {key: after[key] for key in before} == before


def test_profiles_and_tokens(files):
    (files / "profile.json").write_text(run("trackers", "iem").stdout)
    named = {"profile.json": ["--tracker", f"{files / 'profile.json'}:0"], "tokens": ["--token-file", files / "tokens"]}
    for name, options in named.items():
        with Engine("--recording", files / "ring.wav", *options) as engine:
            engine.stop()
        before = (files / name).read_bytes()
        result = run(
            "serve", "--recording", files / "ring.wav", *options, "--record-motion", files / name, "--overwrite", "--http-port", "0",
            "--osc-port", "0", "--announce", "", check=False)
        assert (files / name).read_bytes() == before
        assert result.returncode != 0 and "input" in result.stderr + result.stdout


def test_other_files_are_still_replaced(files):
    (files / "out.wav").write_text("former")
    run("render", files / "ring.wav", "--output", files / "out.wav", "--overwrite")
    assert (files / "out.wav").read_bytes()[:4] == b"RIFF"
