"""Samples that are infinite, not numbers or far beyond full scale: every command counts those of each file, and reports them once."""

import json
import re

import numpy
import pytest

import wave_file
from program import Engine, run
from waiting import until

FRAMES = 160_000


def spoilt(path, channels, frames=FRAMES):
    """Writes noise-free sound with 14 bad samples from its beginning to its end; returns the path."""
    samples = numpy.tile(0.1 * numpy.sin(numpy.arange(frames) * 0.05)[:, None], channels)
    places = numpy.linspace(500, frames - 500, 14).astype(int)
    values = [numpy.nan, *[numpy.inf] * 5, *[-numpy.inf] * 6, 1e30, -500]
    for frame, value in zip(places, values):
        samples[frame, -1] = value
    wave_file.write(path, samples)
    return path


def reports(text):
    return re.findall(r"^(?:error|warning|Warning): (.*): (\d+) samples? (?:is|are) beyond ±64", text, re.M)


def rack(folder, *slots):
    path = folder / "rack.json"
    path.write_text(json.dumps({"version": 2, "slots": [{"slot": n + 1, **slot} for n, slot in enumerate(slots)]}))
    return path


def convolution(path):
    return {"effect": "convolution", "parameters": {"response": str(path)}}


@pytest.mark.parametrize("command", ["process", "synth", "encode", "package", "render", "object"])
def test_a_command_counts_the_samples_of_the_whole_file(tmp_path, command):
    path = spoilt(tmp_path / "bad.wav", {"process": 2, "synth": 1, "object": 1}.get(command, 4))
    arguments = {
        "process": ["process", path, "--rack", rack(tmp_path, {"effect": "delay"}), "--cut"],
        "synth": ["synth", "--microphones", 4, "--source", f"{path}@30", "--source", f"{path}@-30", "--seamless"],
        "object": ["render", "--object", f"{path}@30", "--object", f"{path}@-30"],
    }.get(command, [command, path])
    result = run(*arguments, "--output", tmp_path / ("out" if command == "package" else "out.wav"))
    assert reports(result.stderr) == [(str(path), "14")], result.stderr
    assert "warning" not in result.stdout.lower() and "error" not in result.stdout + result.stderr, result.stdout


def test_an_impulse_response_is_counted(tmp_path):
    sound = tmp_path / "sound.wav"
    wave_file.write(sound, 0.1 * numpy.ones((4800, 1)))
    path = spoilt(tmp_path / "response.wav", 1, 4800)
    slots = rack(tmp_path, convolution(path), convolution(path))
    result = run("process", sound, "--rack", slots, "--output", tmp_path / "out.wav", "--cut")
    assert reports(result.stderr) == [(str(path), "14")], result.stderr


def test_the_engine_gives_a_notice_for_each_file(tmp_path):
    scene, first, second = (
        spoilt(tmp_path / name, channels, frames)
        for name, channels, frames in [("scene.wav", 4, FRAMES), ("first.wav", 1, 4800), ("second.wav", 1, 4800)])
    session = tmp_path / "session.json"
    session.write_text(json.dumps({
        "version": 2, "recording": str(scene),
        "racks": {"recording": {"version": 2, "slots": [{"slot": 1, **convolution(first)}]}}}))
    live = spoilt(tmp_path / "live.wav", 2, 4800)
    with Engine(session, "--allow-path", tmp_path, "--input", live) as engine:
        # Nothing plays: the whole recording is read in the background.
        until(lambda: f"{scene}: 14 samples are beyond" in engine.log, lambda: engine.log)
        until(lambda: f"{first}: 14 samples are beyond" in engine.log, lambda: engine.log)
        until(lambda: f"{live}: 14 samples are beyond" in engine.log, lambda: engine.log)
        engine.osc().send_message("/rack/recording/slot/1/convolution/response", str(second))
        until(lambda: f"{second}: 14 samples are beyond" in engine.log, lambda: engine.log)
        assert engine.log.count("samples are beyond") == 4, engine.log


def test_music_and_short_sounds_are_counted(tmp_path):
    sounds, cues = tmp_path / "sounds", tmp_path / "cues"
    sounds.mkdir()
    cues.mkdir()
    short, whole, stopped = (
        spoilt(folder / name, 2, frames)
        for folder, name, frames in [(cues, "bell.wav", 4800), (sounds, "short.wav", 9600), (sounds, "long.wav", 48_000 * 60)])
    with Engine("--sounds", sounds, "--cues", cues) as engine:
        report = lambda path, count: f"{path}: {count} samples are beyond ±64"
        until(lambda: report(short, 14) in engine.log, lambda: engine.log)
        osc = engine.osc()
        osc.send_message("/music/loop", True)
        osc.send_message("/music/source", "short.wav")
        osc.send_message("/music/run", True)
        # Each round finds the same samples again.
        until(lambda: report(whole, 14) in engine.log, lambda: engine.log)
        until(lambda: engine.value("/music/buffered") > 5)
        assert engine.log.count(f"{whole}: ") == 1, engine.log
        # Music that is stopped early: as many as were read.
        osc.send_message("/music/source", "long.wav")
        until(lambda: engine.value("/music/title").startswith("long") and engine.value("/music/buffered") > 8)
        assert f"{stopped}: " not in engine.log
        osc.send_message("/music/run", False)
        until(lambda: re.search(rf"{re.escape(str(stopped))}: [1-9]\d* samples? (is|are) beyond", engine.log), lambda: engine.log)


def test_music_that_is_cut_short_is_reported(tmp_path):
    path = tmp_path / "cut.wav"
    wave_file.write(path, 0.1 * numpy.ones((48_000, 2)))
    path.write_bytes(path.read_bytes()[:200_000])
    with Engine("--sounds", tmp_path) as engine:
        engine.osc().send_message("/music/source", "cut.wav")
        engine.osc().send_message("/music/run", True)
        until(lambda: f"{path} is truncated" in engine.log, lambda: engine.log)
