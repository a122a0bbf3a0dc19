"""The server over real sockets."""

import json
import math
import signal
import socket
import time

import pytest
from pythonosc.osc_bundle_builder import OscBundleBuilder
from pythonosc.osc_message_builder import OscMessageBuilder

import wave_file
from figures import figure, measured
from health import becomes_well, health
from program import Engine, run
from waiting import holds, paced, until


def message(address, *arguments):
    builder = OscMessageBuilder(address)
    for argument in arguments:
        builder.add_arg(argument)
    return builder.build()


def test_parameters_over_osc(engine):
    client = engine.osc()
    client.send_message("/listener/1/gain", -6)  # An int in place of a float.
    until(lambda: engine.value("/listener/1/gain") == -6)
    client.send_message("/listener/1/method", "linear")
    until(lambda: engine.value("/listener/1/method") == "linear")
    client.send_message("/listener/*/gain", -9.5)
    until(lambda: engine.value("/listener/1/gain") == -9.5)


def turn(engine):
    """Turns the head to the left in small steps. Returns the percentiles from motion to sound, milliseconds."""
    client = engine.osc()
    for yaw in paced(range(0, 91, 2), 0.01):
        client.send_message("/listener/1/ypr", [float(yaw), 5.0, -3.0])
    until(lambda: engine.value("/listener/1/ypr")[0] > 89)
    return until(lambda: (v := engine.value("/latency/motion-to-sound"))[0] > 0 and v)


def test_a_pose_turns_the_head_and_is_timed(engine):
    p50, p95, p99, longest = turn(engine)
    assert 0 < p50 <= p95 <= p99 <= longest
    client = engine.osc()
    yaw, pitch, roll = engine.value("/listener/1/ypr")
    assert abs(yaw - 90) < 0.01 and abs(pitch - 5) < 0.01 and abs(roll + 3) < 0.01
    w, x, y, z = engine.value("/listener/1/quaternion")
    assert abs(w * w + x * x + y * y + z * z - 1) < 1e-5
    # The left ear now points to the back: microphone 9 of 16.
    until(lambda: engine.value("/meter/listener/1/low-weight")[8] > 0.9)
    client.send_message("/listener/1/recenter", [])
    until(lambda: abs(engine.value("/listener/1/front") - 90) < 0.01)
    until(lambda: engine.value("/meter/listener/1/low-weight")[12] > 0.9)  # Left again.


@measured
def test_motion_is_heard_soon(engine):
    p50, p95, p99, longest = turn(engine)
    print(f"motion to sound: p50 {p50:.2f} p95 {p95:.2f} p99 {p99:.2f} max {longest:.2f} ms")
    figure("longest time from motion to sound", longest, at_most=1000, unit="ms")


def test_quaternions_of_any_length_are_rotations(engine):
    engine.osc().send_message("/listener/1/quaternion", [10.0, 0.0, 0.0, 10.0])
    until(lambda: abs(engine.value("/listener/1/ypr")[0] - 90) < 0.01)


def test_transport(engine):
    client = engine.osc()

    def pause():
        client.send_message("/transport/pause", [])
        until(lambda: engine.value("/transport/state") == "paused")
        until(lambda: max(engine.value("/meter/listener/1/peak")) == 0)

    until(lambda: engine.value("/transport/position") > 0.2)
    assert engine.value("/transport/state") == "playing"
    assert abs(engine.value("/transport/duration") - 32) < 0.01
    pause()
    client.send_message("/transport/seek", 30.5)
    until(lambda: engine.value("/transport/position") == pytest.approx(30.5, abs=0.1))
    client.send_message("/transport/play", [])
    until(lambda: engine.value("/transport/position") < 30)  # After the loop's end.
    assert engine.value("/transport/state") == "playing"
    pause()

    def rests():
        place, blocks = engine.value("/transport/position"), health(engine)["blocks"]
        until(lambda: health(engine)["blocks"] > blocks + 100)
        return engine.value("/transport/position") == place

    until(rests)
    held = engine.value("/transport/position")
    holds(lambda: engine.value("/transport/position") == held, 0.3)
    client.send_message("/transport/stop", [])
    until(lambda: engine.value("/transport/position") == 0)
    client.send_message("/transport/play", [])
    until(lambda: max(engine.value("/meter/listener/1/peak")) > 0.001)
    client.send_message("/transport/loop", False)
    client.send_message("/transport/seek", 31.8)
    until(lambda: engine.value("/transport/state") == "stopped")


@measured
def test_seeks_are_read_in_time(engine):
    client = engine.osc()
    for place in paced([30.5, 10.0, 31.8, 0.0, 20.0], 0.5):
        client.send_message("/transport/seek", place)
    until(lambda: 20 < engine.value("/transport/position") < 30)
    figure("dropouts of a recording that is sought", engine.value("/engine/dropouts"), at_most=0)


def test_bundles_wait_for_their_time(engine):
    client = engine.osc()
    due = time.time() + 0.6
    builder = OscBundleBuilder(due)
    builder.add_content(message("/listener/1/gain", -12.0))
    builder.add_content(message("/listener/1/mute", True))
    client.send(builder.build())
    until(lambda: engine.value("/listener/1/gain") == -12)
    assert time.time() > due - 0.05
    until(lambda: engine.value("/listener/1/mute") is True)


def test_invalid_messages_are_counted_reported_and_harmless(engine):
    client = engine.osc()
    client.send_message("/listener/1/gian", 0.0)
    until(lambda: engine.value("/engine/unknown") == 1)
    until(lambda: "did you mean /listener/1/gain?" in engine.value("/engine/notice"))
    client.send_message("/listener/1/ypr", [math.nan, 0.0, 0.0])
    until(lambda: "NaN" in engine.value("/engine/notice"))
    client.send_message("/listener/1/ypr", [math.inf, 0.0, 0.0])
    client.send_message("/listener/1/gain", 100.0)
    until(lambda: engine.value("/listener/1/gain") == 12)
    until(lambda: "outside -60 to 12" in engine.value("/engine/notice"))
    raw = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for packet in (b"", b"\0", b"#bundle\0", b"/a\0\0,zz\0", b"\xff" * 700, b"/listener/1/ypr\0,fff\0\0\0\0\x7f\xc0\0\0"):
        raw.sendto(packet, ("127.0.0.1", engine.ready["osc_port"]))
    until(lambda: engine.value("/engine/malformed") >= 3)
    assert engine.value("/listener/1/ypr") == [0, 0, 0]
    becomes_well(engine)


def test_sessions(tmp_path, scene):
    with Engine("--recording", scene, "--sessions", tmp_path) as engine:
        client = engine.osc()
        client.send_message("/listener/1/gain", -4.5)
        client.send_message("/listener/1/method", "nearest")
        until(lambda: engine.value("/listener/1/method") == "nearest")
        session = tmp_path / "evening.json"
        client.send_message("/session/save-as", "evening")
        until(lambda: engine.value("/session/name") == "evening" and session.exists())
        saved = json.loads(session.read_text())
        assert saved == {
            "version": 2, "recording": str(scene),
            "parameters": {"/listener/1/gain": -4.5, "/listener/1/method": "nearest", "/listener/1/output": "1,2"}}
        client.send_message("/listener/1/gain", 0.0)
        client.send_message("/listener/1/ear-azimuth", 100.0)
        until(lambda: engine.value("/listener/1/ear-azimuth") == 100)
        client.send_message("/session/load", "evening")
        until(lambda: engine.value("/listener/1/gain") == -4.5 and engine.value("/listener/1/ear-azimuth") == 90)
        session.write_text(session.read_text().replace('"nearest"', '"nearset"'))
        client.send_message("/listener/1/gain", -1.0)
        until(lambda: engine.value("/listener/1/gain") == -1)
        client.send_message("/session/load", "evening")
        words = until(lambda: "nearset" in (n := engine.value("/engine/notice")) and n)
        assert "evening.json:4" in words and "two-band" in words
        assert engine.value("/listener/1/gain") == -1
    with Engine(session, wait=False) as refused:
        assert refused.process.wait(timeout=60) != 0
        assert "evening.json:4" in refused.log


def test_another_recording_is_loaded_and_a_wrong_one_refused(engine, tmp_path, scene):
    client = engine.osc()
    tone = [[0.1] * 8 for _ in range(96_000)]
    wave_file.write(tmp_path / "eight.wav", tone)
    client.send_message("/session/recording", str(tmp_path / "eight.wav"))
    until(lambda: engine.value("/array/count") == 8)
    assert len(engine.get("/array/azimuth")["VALUE"]) == 8
    until(lambda: len(engine.value("/meter/microphone/peak")) == 8)
    for name, samples, words in (("stereo.wav", [[0.0, 0.0]] * 100, "4 to 64"), ("none.wav", None, "none.wav")):
        if samples:
            wave_file.write(tmp_path / name, samples)
        client.send_message("/session/recording", str(tmp_path / name))
        until(lambda: words in engine.value("/engine/notice"), describe=lambda: engine.value("/engine/notice"))
        assert engine.value("/array/count") == 8
        assert engine.value("/transport/state") == "playing"


@pytest.mark.parametrize("arguments, words", [
    (["--recording", "nowhere.wav"], ["nowhere.wav"]),
    (["--device", "gramophone"], ["gramophone", "timer", "file:PATH"]),
    (["--method", "best"], ["best", "two-band"]),
    (["--period", "3"], ["16 to 8192"]),
    (["--bind", "203.0.113.9"], ["203.0.113.9"]),
])
def test_a_failed_start_reports_the_reason(arguments, words):
    with Engine(*arguments, wait=False) as failing:
        assert failing.process.wait(timeout=60) != 0
        for word in words:
            assert word in failing.log


def test_absent_devices_are_waited_for():
    """A sound card, the card of an array, that of the live input, and a MIDI tracker, as an absent serial tracker is."""
    options = ["--device", "alsa:no-such-card", "--array", "alsa:no-such-array", "--array-channels", "1-8"]
    with Engine(*options, "--input", "alsa:no-such-input", "--input-clock", "own", "--tracker", "supperware:No such tracker") as running:
        for words in ('There is no ALSA device "no-such-card" to play. Known devices: timer', "waiting for it",
                      'There is no ALSA device "no-such-array" to record', 'There is no ALSA device "no-such-input" to record'):
            until(lambda: words in running.log, lambda: running.log)
        assert running.log.count("The engine starts without") == 3
        until(lambda: running.value("/engine/device/state") == "lost" and "no-such-card" in running.value("/engine/device/problem"))
        until(lambda: "no-such-array" in running.value("/array/problem") and running.value("/array/source") == "live")
        assert running.value("/array/input") == "alsa:no-such-array" and running.value("/tracker/1/state") == "waiting"
        # The recording may be chosen meanwhile.
        running.osc().send_message("/array/source", "recording")
        until(lambda: running.value("/array/source") == "recording")
        assert running.stop() == 0, running.log


def test_a_port_in_use_is_named(engine):
    for option, port in (("--http-port", engine.ready["http_port"]), ("--osc-port", engine.ready["osc_port"])):
        other = {"--http-port": "--osc-port", "--osc-port": "--http-port"}[option]
        with Engine(option, port, other, 0, wait=False, ports=False) as second:
            assert second.process.wait(timeout=60) != 0
            assert str(port) in second.log and option in second.log


def test_an_interrupt_ends_the_program_cleanly(scene):
    with Engine("--recording", scene) as running:
        assert running.stop(signal.SIGINT) == 0


def test_a_file_device_ends_with_the_recording(scene, tmp_path):
    output = tmp_path / "ears.wav"
    with Engine("--recording", scene, "--device", f"file:{output}", wait=False) as running:
        assert running.process.wait(timeout=60) == 0, running.log
    ears, rate = wave_file.read(output)
    assert rate == 48_000 and abs(len(ears) - 32 * 48_000) <= 64
    run("render", scene, "--output", tmp_path / "offline.wav")
    offline, _ = wave_file.read(tmp_path / "offline.wav")
    # `render` leaves the latency of the method out.
    ears = ears[128:]
    assert abs(ears[:len(offline)] - offline[:len(ears)]).max() < 1e-6


def test_a_folder_of_mono_files_is_a_recording(tmp_path):
    for number in range(1, 13):
        wave_file.write(tmp_path / f"microphone {number}.wav", [number / 100] * 48_000)
    with Engine("--recording", tmp_path) as running:
        assert running.value("/array/count") == 12
        until(lambda: running.value("/meter/microphone/peak") == pytest.approx([number / 100 for number in range(1, 13)], abs=1e-6))


def test_several_listeners(scene):
    with Engine("--recording", scene, "--listeners", 3) as running:
        running.osc().send_message("/listener/3/ypr", [45.0, 0.0, 0.0])
        until(lambda: abs(running.value("/listener/3/ypr")[0] - 45) < 0.01)
        assert running.value("/listener/1/ypr") == [0, 0, 0]
        until(lambda: running.value("/meter/listener/3/low-weight") != running.value("/meter/listener/1/low-weight"))
