"""`vestibule measure`: motion-to-sound latency in captured audio, compared with telemetry."""

import csv
import json
import os
import signal
import subprocess
import xml.etree.ElementTree

import pytest

from program import PROGRAM, run
from pulse_sink import available, pulse_sink
from waiting import paced, stimulus, until


def read(folder):
    summary = json.loads((folder / "summary.json").read_text())
    rows = list(csv.DictReader((folder / "steps.csv").open()))
    assert len(rows) == summary["steps"]
    xml.etree.ElementTree.fromstring((folder / "plot.svg").read_text())
    heard, told = summary["heard"], summary["told"]
    print(f"heard {heard}, told {told}")
    return summary, rows


def test_the_timer_device_agrees_with_telemetry(tmp_path):
    # Late blocks are found at the reported time too. If the machine stalls for longer than the time between two turns,
    # a pose is replaced by the next one.
    for _ in range(3):
        run("measure", "--steps", 200, "--output", tmp_path, "--overwrite")
        summary, rows = read(tmp_path)
        if summary["missed"] == 0:
            break
    assert summary["missed"] <= 2
    # The first frame that differs from silence.
    assert 0 <= summary["difference"]["median"] < 0.2
    # Random phases cover the whole block of 1.33 ms.
    heard = sorted(float(row["heard_ms"]) for row in rows)
    assert heard[-1] - heard[0] > 1


def test_a_stalling_machine_affects_only_the_steps_during_the_stall(tmp_path):
    arguments = ["measure", "--steps", 200, "--output", tmp_path]
    process = subprocess.Popen(
        [PROGRAM, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env=dict(os.environ, TMPDIR=str(tmp_path)))
    until(lambda: list(tmp_path.glob("vestibule-measure-*/steps.wav")), 20, lambda: sorted(tmp_path.iterdir()))
    stimulus(3)  # The program spends two seconds on two turns before it begins to count.
    # Six stops, each as long as some blocks and as two turns of the head.
    for _ in paced(range(6), 0.7):
        process.send_signal(signal.SIGSTOP)
        stimulus(0.08)
        process.send_signal(signal.SIGCONT)
    _, words = process.communicate(timeout=60)
    assert process.returncode == 0, words
    summary, _ = read(tmp_path)
    assert summary["xruns"] > 6 * 20
    assert summary["missed"] <= 12
    assert 0 <= summary["difference"]["min"] and summary["difference"]["p99"] < 0.2


@pytest.mark.skipif(not available(), reason="needs pulseaudio, pulseaudio-utils, libasound2-plugins")
def test_a_sound_server_agrees_with_telemetry(tmp_path):
    # A late block changes the phase of the server's clock; the measurement is then repeated.
    for _ in range(5):
        with pulse_sink() as sink:
            run("measure", "--device", "alsa:default", "--capture", "alsa:monitor", "--period", 256, "--periods", 4,
                "--steps", 200, "--output", tmp_path, env=sink.env)
        summary, _ = read(tmp_path)
        if summary["xruns"] == 0:
            break
    assert summary["missed"] <= 4
    assert abs(summary["heard"]["median"] - summary["told"]["median"]) < 1
    assert abs(summary["heard"]["p99"] - summary["told"]["p99"]) < 3


def test_unusable_options_are_reported(tmp_path):
    for arguments, words in [
        (["--device", "alsa:default"], "--capture"), (["--device", "file:x.wav"], "has no latency"),
        (["--capture", "alsa:x"], "no output"), (["--steps", "3"], "--steps"),
    ]:
        result = run("measure", *arguments, check=False)
        assert result.returncode != 0 and words in result.stderr
