"""Recorded head motion, and rendering the same session from it."""

import os

import numpy
import pytest

import wave_file
from figures import figure, measured
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


# Seconds that may pass until filters have been computed: some tens on two cores that nothing else uses.
FILTERS = 600
# Latency of the standard method, frames.
LATENCY = 128


def record_while_a_file_is_rendered(scene, folder):
    """Sends poses to an engine that renders to a file. Returns the sound of that file, of the file that is rendered again with the
    recorded motion, and of the one without, and the number of heads that were recorded: as many as it was sent before it was done."""
    motion, live, again, still = (folder / name for name in ("motion.csv", "live.wav", "again.wav", "still.wav"))
    with Engine("--recording", scene, "--device", f"file:{live}", "--record-motion", motion, wait=False) as running:
        # It may be done before it has said that it is ready.
        until(lambda: running.ready_file.exists() or running.process.poll() is not None, lambda: running.log)
        if running.ready_file.exists():
            running.wait_until_ready()
            client = running.osc()
            for number in paced(range(400), 0.001):
                if running.process.poll() is not None:
                    break
                client.send_message("/listener/1/ypr", [number * 0.9, 10.0, 5.0])
        until(lambda: running.process.poll() is not None, lambda: running.log)
        assert running.process.returncode == 0, running.log
    heads = len(motion.read_text().splitlines()) - 1
    print(f"{heads} heads recorded")
    run("render", scene, "--output", again, *(["--motion", motion] if heads else []))
    run("render", scene, "--output", still)
    ears = [wave_file.read(path)[0] for path in (live, again, still)]
    # The latency of the method is left out of the rendered files.
    length = len(ears[1]) - LATENCY
    return ears[0][LATENCY:][:length], ears[1][:length], ears[2][:length], heads


def test_recorded_motion_renders_the_same_samples(scene, tmp_path):
    live, again, still, heads = record_while_a_file_is_rendered(scene, tmp_path)
    assert len(live) > 500_000 and numpy.array_equal(live, again)


@measured
def test_motion_is_recorded_while_a_file_is_rendered(scene, tmp_path):
    """The file is rendered as fast as possible, beside the sender of the poses."""
    live, again, still, heads = record_while_a_file_is_rendered(scene, tmp_path)
    figure("heads recorded while a file is rendered", heads, at_least=5)
    assert numpy.array_equal(live, again) and not numpy.array_equal(live, still)


@pytest.fixture
def long_scene(tmp_path):
    """Five minutes: a recording of motion ends where the scene begins again."""
    wave_file.write(tmp_path / "long.wav", numpy.zeros((300 * 8000, 4)), 8000)
    return tmp_path / "long.wav"


def test_recording_motion_while_it_plays(long_scene, tmp_path):
    with Engine("--recording", long_scene, "--allow-path", tmp_path) as engine:
        record_while_it_plays(engine, tmp_path / "motion.csv")
        assert engine.stop() == 0, engine.log


def record_while_it_plays(engine, motion):
    client = engine.osc()
    client.send_message("/session/record-motion", str(motion))
    until(lambda: engine.value("/session/motion") == str(motion))
    for yaw in range(40):
        client.send_message("/listener/1/ypr", [float(yaw), 0.0, 0.0])
        until(lambda: abs(engine.value("/listener/1/ypr")[0] - yaw) < 0.01)
    assert not motion.exists()
    client.send_message("/session/end-motion", [])
    until(lambda: engine.value("/session/motion") == "" and motion.exists())
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
        until(lambda: running.process.poll() is not None, lambda: running.log, seconds=FILTERS)
    run("render", "--object", voice, "--output", again, "--no-limiter", "--method", "hrtf", timeout=FILTERS)
    run("render", scene, "--output", bare, "--method", "hrtf", "--no-limiter", timeout=FILTERS)
    live, voice, bare = (wave_file.read(path)[0] for path in (live, again, bare))
    # Rendered files are in time, and a live object is earlier than the recording.
    length = 2 * rate - 224
    assert numpy.abs(live[224:][:length] - bare[:length] - voice[224 - 144:][:length]).max() < 1e-6
    assert numpy.abs(voice).max() > 0.01


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
