"""Motion to sound from outside: poses over UDP, the change found in captured audio, beside what telemetry says."""

import csv
import json
import xml.etree.ElementTree

import pytest

from program import run
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
    run("measure", "--steps", 200, "--output", tmp_path)
    summary, rows = read(tmp_path)
    assert summary["missed"] <= 2
    # Of the same frames, the first that can be told from silence.
    assert 0 <= summary["difference"]["median"] < 0.2
    # Random phases of a block of 1.33 ms: all of it is covered.
    heard = sorted(float(row["heard_ms"]) for row in rows)
    assert heard[-1] - heard[0] > 1


@pytest.mark.skipif(not available(), reason="needs pulseaudio, pulseaudio-utils, libasound2-plugins")
def test_a_sound_server_is_heard_when_telemetry_says(tmp_path):
    # Where the machine is too slow for a while, blocks come too late and the server's clock is another afterwards.
    for _ in range(3):
        with pulse_sink() as sink:
            run("measure", "--device", "alsa:default", "--capture", "alsa:monitor", "--period", 256, "--periods", 4,
                "--steps", 200, "--output", tmp_path, env=sink.env)
        summary, _ = read(tmp_path)
        if summary["xruns"] == 0:
            break
    assert summary["xruns"] == 0, "this machine is too slow to measure"
    assert summary["missed"] <= 4
    assert abs(summary["heard"]["median"] - summary["told"]["median"]) < 1
    assert abs(summary["heard"]["p99"] - summary["told"]["p99"]) < 3


def test_what_cannot_be_heard_is_said(tmp_path):
    for arguments, words in [
        (["--device", "alsa:default"], "--capture"), (["--device", "file:x.wav"], "not heard"),
        (["--capture", "alsa:x"], "no output"), (["--steps", "3"], "--steps"),
    ]:
        result = run("measure", *arguments, check=False)
        assert result.returncode != 0 and words in result.stderr
