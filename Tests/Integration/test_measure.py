"""Motion to sound from outside: poses over UDP, the change found in captured audio, beside what telemetry says."""

import csv
import json
import signal
import subprocess
import time
import xml.etree.ElementTree

import pytest

from program import PROGRAM, run
from pulse_sink import available, pulse_sink


def read(folder):
    summary = json.loads((folder / "summary.json").read_text())
    rows = list(csv.DictReader((folder / "steps.csv").open()))
    assert len(rows) == summary["steps"]
    xml.etree.ElementTree.fromstring((folder / "plot.svg").read_text())
    heard, told = summary["heard"], summary["told"]
    print(f"heard {heard}, told {told}")
    return summary, rows


def test_the_timer_is_heard_when_it_says(tmp_path):
    # A block that is late is heard when it says, too; where the machine stands still for longer than two turns are
    # apart, a pose is overtaken by the next.
    for _ in range(3):
        run("measure", "--steps", 200, "--output", tmp_path)
        summary, rows = read(tmp_path)
        if summary["missed"] == 0:
            break
    assert summary["missed"] <= 2
    # Of the same frames, the first that can be told from silence.
    assert 0 <= summary["difference"]["median"] < 0.2
    # Random phases of a block of 1.33 ms: all of it is covered.
    heard = sorted(float(row["heard_ms"]) for row in rows)
    assert heard[-1] - heard[0] > 1


def test_a_machine_that_stands_still_changes_no_more_than_the_steps_meanwhile(tmp_path):
    arguments = ["measure", "--steps", 200, "--output", tmp_path]
    process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    time.sleep(4)
    # Six times, each as long as some blocks, and as two turns of the head.
    for _ in range(6):
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.08)
        process.send_signal(signal.SIGCONT)
        time.sleep(0.7)
    _, words = process.communicate(timeout=60)
    assert process.returncode == 0, words
    summary, _ = read(tmp_path)
    assert summary["xruns"] > 6 * 20
    assert summary["missed"] <= 12
    assert 0 <= summary["difference"]["min"] and summary["difference"]["p99"] < 0.2


@pytest.mark.skipif(not available(), reason="needs pulseaudio, pulseaudio-utils, libasound2-plugins")
def test_a_sound_server_is_heard_when_telemetry_says(tmp_path):
    # A block that comes too late leaves the server with another clock than before: then it is measured again.
    for _ in range(5):
        with pulse_sink() as sink:
            run("measure", "--device", "alsa:default", "--capture", "alsa:monitor", "--period", 256, "--periods", 4,
                "--steps", 200, "--output", tmp_path, env=sink.env)
        summary, _ = read(tmp_path)
        if summary["xruns"] == 0:
            break
    assert summary["missed"] <= 4
    assert abs(summary["heard"]["median"] - summary["told"]["median"]) < 1
    # One that comes too late in every run is the machine's doing; what it touches is not the half of all steps.
    if summary["xruns"] == 0:
        assert abs(summary["heard"]["p99"] - summary["told"]["p99"]) < 3


def test_what_cannot_be_heard_is_said(tmp_path):
    for arguments, words in [
        (["--device", "alsa:default"], "--capture"), (["--device", "file:x.wav"], "not heard"),
        (["--capture", "alsa:x"], "no output"), (["--steps", "3"], "--steps"),
    ]:
        result = run("measure", *arguments, check=False)
        assert result.returncode != 0 and words in result.stderr
