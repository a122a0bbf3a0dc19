"""Recorded head motion, and rendering the same session from it."""

import os

import numpy
import pytest

import wave_file
from program import Engine, run
from seeds import generator
from waiting import paced, until


@pytest.fixture
def scene(tmp_path):
    rate = 48_000
    seconds = 12
    random = generator(3)
    wave_file.write(tmp_path / "scene.wav", 0.1 * random.standard_normal((seconds * rate, 8)))
    return tmp_path / "scene.wav"


def test_recorded_motion_renders_the_same_samples(scene, tmp_path):
    motion, live, again = tmp_path / "motion.csv", tmp_path / "live.wav", tmp_path / "again.wav"
    with Engine("--recording", scene, "--device", f"file:{live}", "--record-motion", motion) as running:
        client = running.osc()
        for number in paced(range(400), 0.001):
            if running.process.poll() is not None:
                break
            client.send_message("/listener/1/ypr", [number * 0.9, 10.0, 5.0])
        until(lambda: running.process.poll() is not None)
    rows = motion.read_text().splitlines()
    print(f"{len(rows) - 1} heads recorded")
    assert len(rows) > 5
    run("render", scene, "--output", again, "--motion", motion)
    assert live.read_bytes()[-1_000_000:] == again.read_bytes()[-1_000_000:]
    still = tmp_path / "still.wav"
    run("render", scene, "--output", still)
    assert live.read_bytes()[-1_000_000:] != still.read_bytes()[-1_000_000:]


def test_recording_motion_while_it_plays(engine, tmp_path):
    motion = tmp_path / "motion.csv"
    client = engine.osc()
    client.send_message("/session/record-motion", str(motion))
    until(lambda: engine.value("/session/motion") == str(motion))
    for yaw in paced(range(50), 0.01):
        client.send_message("/listener/1/ypr", [float(yaw), 0.0, 0.0])
    assert not motion.exists()
    client.send_message("/session/end-motion", [])
    until(lambda: engine.value("/session/motion") == "")
    assert len(motion.read_text().splitlines()) > 30
    result = run("evaluate-tracking", motion)
    assert "ratio" in result.stdout
    client.send_message("/session/record-motion", "/nowhere/at/all.csv")
    until(lambda: "in no folder that clients may use" in engine.value("/engine/notice"))
    assert engine.value("/session/motion") == ""


def test_a_file_device_waits_for_filters_and_objects(scene, tmp_path):
    rate = 48_000
    wave_file.write(tmp_path / "voice.wav", 0.1 * generator(4).standard_normal((2 * rate, 1)))
    voice = f"{tmp_path / 'voice.wav'}@30"
    live, again, bare = tmp_path / "live.wav", tmp_path / "again.wav", tmp_path / "bare.wav"
    options = ["--method", "hrtf", "--object", voice]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    with Engine("--recording", scene, "--device", f"file:{live}", *options, wait=False, env=environment) as running:
        until(lambda: running.process.poll() is not None, lambda: running.log, seconds=100)
    run("render", scene, "--output", again, "--no-limiter", *options)
    assert live.read_bytes() == again.read_bytes()
    run("render", scene, "--output", bare, "--method", "hrtf", "--no-limiter")
    assert live.read_bytes() != bare.read_bytes()


@pytest.mark.parametrize("options", [["--object", "voice.wav@0"], ["--input", "voice.wav"], []])
def test_a_file_device_without_a_recording_is_refused(tmp_path, options):
    wave_file.write(tmp_path / "voice.wav", 0.1 * generator(4).standard_normal((4800, 1)))
    result = run("serve", *options, "--device", "file:out.wav", "--osc-port", 0, "--http-port", 0, check=False, cwd=tmp_path)
    assert result.returncode != 0 and "renders until the recording ends, and there is no recording" in result.stderr
    assert not list(tmp_path.glob("out*"))


def test_a_motion_outside_the_recording_is_reported(scene, tmp_path):
    motion = tmp_path / "motion.csv"
    motion.write_text("time,yaw,pitch,roll\n20,0,0,0\n21,90,0,0\n")
    result = run("render", scene, "--output", tmp_path / "out.wav", "--motion", motion)
    assert "20.00 s to 21.00 s, outside the rendered 12.00 s" in result.stderr
    motion.write_text("time,yaw,pitch,roll\n2,0,0,0\n21,90,0,0\n")
    result = run("render", scene, "--output", tmp_path / "out.wav", "--motion", motion, "--overwrite")
    assert "outside the rendered" not in result.stderr


@pytest.mark.parametrize("content, reason", [
    ("time,yaw,pitch,roll\n0,0,0,0\n".encode("utf-16"), "it is UTF-16 text"),
    (b"time,yaw,pitch,roll\n0,0,0,0\n1,\xff,0,0\n", "it is not UTF-8 text (line 3)"),
], ids=["UTF-16", "Latin-1"])
def test_a_motion_in_another_encoding_is_refused(scene, tmp_path, content, reason):
    motion = tmp_path / "motion.csv"
    motion.write_bytes(content)
    result = run("render", scene, "--output", tmp_path / "out.wav", "--motion", motion, check=False)
    assert result.returncode != 0 and f"{reason}; save it as UTF-8, or name another file" in result.stderr, result.stderr
    assert not (tmp_path / "out.wav").exists()
