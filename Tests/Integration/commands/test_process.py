"""Signals, limits and descriptors that the program is started with."""

import os
import resource
import signal
import subprocess

import pytest

from health import becomes_well
from program import PROGRAM, Engine
from waiting import holds, until


def test_a_burst_of_signals_is_one_end(scene, tmp_path):
    """`timeout -s INT` sends two at once; files are completed nevertheless."""
    with Engine("--recording", scene, "--record-motion", tmp_path / "motion.csv") as engine:
        for _ in range(20):
            engine.process.send_signal(signal.SIGINT)
        assert engine.stop(signal.SIGINT) == 0
    assert (tmp_path / "motion.csv").exists() and not list(tmp_path.glob("*.part"))


def test_a_program_that_was_started_to_survive_does(scene):
    with Engine("--recording", scene) as plain:
        plain.process.send_signal(signal.SIGHUP)
        assert plain.process.wait(timeout=60) == 0
    former = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Engine("--recording", scene) as kept:
            kept.process.send_signal(signal.SIGHUP)
            holds(lambda: kept.process.poll() is None)
            becomes_well(kept)
    finally:
        signal.signal(signal.SIGHUP, former)


def limited(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_a_limit_on_file_sizes_is_an_error_of_writing(scene, tmp_path):
    result = subprocess.run(
        [PROGRAM, "render", scene, "--output", tmp_path / "out.wav"], capture_output=True, text=True, preexec_fn=limited(100_000))
    assert result.returncode not in (0, -signal.SIGXFSZ, 128 + signal.SIGXFSZ)
    assert "too large" in result.stderr and not list(tmp_path.iterdir())
    with Engine("--recording", scene, "--sessions", tmp_path) as engine:
        resource.prlimit(engine.process.pid, resource.RLIMIT_FSIZE, (1000, 1000))
        for number in range(40):
            engine.osc().send_message("/scene/store", f"scene {number}")
        engine.osc().send_message("/session/save-as", "evening")
        until(lambda: "larger than" in engine.value("/engine/notice"))
        assert not (tmp_path / "evening.json").exists()
        becomes_well(engine)


@pytest.mark.parametrize("closed", [(0,), (0, 1, 2), (2,)])
def test_missing_input_output_and_error_are_not_other_files(scene, tmp_path, closed):
    # Closed in a shell: Python would keep the descriptor of its pipe in their place.
    words = " ".join(f"exec {number}>&-;" for number in closed)
    process = subprocess.Popen(
        ["bash", "-c", f'{words} exec "$@"', "bash", PROGRAM, "serve", "--recording", scene, "--http-port", "0", "--osc-port", "0",
         "--announce", "", "--ready-file", tmp_path / "ready"])
    try:
        until(lambda: (tmp_path / "ready").exists())
        places = [os.readlink(f"/proc/{process.pid}/fd/{number}") for number in closed]
        assert places == ["/dev/null"] * len(closed)
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0
