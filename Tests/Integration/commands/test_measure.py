"""`vestibule measure`: motion-to-sound latency in captured audio, compared with telemetry."""

import csv
import json
import os
import signal
import subprocess
import xml.etree.ElementTree

import pytest

from figures import figure, measured
from program import Engine, PROGRAM, run
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


def test_a_measurement_tells_every_step(tmp_path):
    # A machine that stalls may miss so many steps that the program refuses the measurement.
    until(lambda: run("measure", "--steps", 20, "--output", tmp_path, "--overwrite", check=False).returncode == 0)
    summary, rows = read(tmp_path)
    assert summary["steps"] + summary["missed"] == 20 and summary["setting"]["device"] == "timer"
    assert [int(row["step"]) for row in rows] == list(range(1, summary["steps"] + 1))
    # Nothing is heard before it was sent.
    assert all(float(row["heard_ms"]) > 0 and float(row["told_ms"]) > 0 for row in rows)


@measured
def test_the_timer_device_agrees_with_telemetry(tmp_path):
    # Late blocks are found at the reported time too. If the machine stalls for longer than the time between two turns,
    # a pose is replaced by the next one.
    for _ in range(3):
        run("measure", "--steps", 200, "--output", tmp_path, "--overwrite")
        summary, rows = read(tmp_path)
        if summary["missed"] == 0:
            break
    figure("missed steps", summary["missed"], at_most=2)
    # The first frame that differs from silence.
    assert 0 <= summary["difference"]["median"]
    figure("heard after told", summary["difference"]["median"], at_most=0.2, unit="ms")
    # Random phases cover the whole block of 1.33 ms.
    heard = sorted(float(row["heard_ms"]) for row in rows)
    figure("range of latencies", heard[-1] - heard[0], at_least=1, unit="ms")


@measured
def test_a_stalling_machine_affects_only_the_steps_during_the_stall(tmp_path):
    arguments = ["measure", "--steps", 200, "--output", tmp_path]
    process = subprocess.Popen(
        [PROGRAM, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env=dict(os.environ, TMPDIR=str(tmp_path)))
    # The program spends two seconds on two turns before it begins to count.
    begun = 5 * 48_000 * 2 * 4 // 2
    until(lambda: [path for path in tmp_path.glob("vestibule-measure-*/steps.wav") if path.stat().st_size > begun],
          lambda: [(path.name, path.stat().st_size) for path in tmp_path.rglob("*")])
    # Six stops, each as long as some blocks and as two turns of the head.
    for _ in paced(range(6), 0.7):
        process.send_signal(signal.SIGSTOP)
        stimulus(0.08)
        process.send_signal(signal.SIGCONT)
    _, words = process.communicate(timeout=60)
    assert process.returncode == 0, words
    summary, _ = read(tmp_path)
    assert summary["xruns"] > 6 * 20 and 0 <= summary["difference"]["min"]
    figure("missed steps", summary["missed"], at_most=12)
    figure("heard after told, 99 per cent", summary["difference"]["p99"], at_most=0.2, unit="ms")


@measured
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
    figure("missed steps", summary["missed"], at_most=4)
    figure("difference of medians", abs(summary["heard"]["median"] - summary["told"]["median"]), at_most=1, unit="ms")
    figure("difference at 99 per cent", abs(summary["heard"]["p99"] - summary["told"]["p99"]), at_most=3, unit="ms")


DEVICE = ["--device", "alsa:default", "--period", 256, "--periods", 4]


@pytest.fixture
def calibrated(tmp_path):
    """The environment of programs that have stored a delay for a sound server, its file, what that has, and the summary of a measurement by
    which a delay that is wrong by 100 ms is used."""
    if not available():
        pytest.skip("needs pulseaudio, pulseaudio-utils, libasound2-plugins")
    state = tmp_path / "state"
    with pulse_sink() as sink:
        env = dict(sink.env, XDG_STATE_HOME=str(state))
        command = ["measure", *DEVICE, "--capture", "alsa:monitor", "--steps", 60, "--output", tmp_path, "--overwrite"]

        def succeeds(*more):
            """Measures. A machine that stalls may miss so many steps that the program refuses the measurement."""
            result = run(*command, *more, env=env, check=False)
            return result.returncode == 0 and result

        assert "Stored: sound leaves the device" in until(lambda: succeeds("--apply")).stdout
        assert read(tmp_path)[0]["setting"]["source"] == "reported"
        file = state / "vestibule/output-delays.json"
        stored = json.loads(file.read_text())["delays"]
        assert [(entry["device"], entry["rate"], entry["period"]) for entry in stored] == [("alsa:default", 48_000, 256)]
        stored[0]["milliseconds"] += 100
        file.write_text(json.dumps({"version": 1, "delays": stored}))
        until(succeeds)
        yield env, file, stored, read(tmp_path)[0]


@measured
def test_a_stored_delay_is_told(calibrated):
    _, _, _, summary = calibrated
    figure("error of a delay that is wrong by 100 ms", abs(summary["difference"]["median"] + 100), at_most=5, unit="ms")


def test_a_measured_delay_is_stored_and_used(calibrated):
    env, file, stored, summary = calibrated
    assert summary["setting"]["source"] == "calibrated"
    with Engine(*DEVICE, env=env) as engine:
        until(lambda: engine.value("/engine/device/delay") == pytest.approx(stored[0]["milliseconds"], abs=0.01))
        until(lambda: engine.value("/latency/source") == "calibrated")
    # Another period is another delay.
    with Engine("--device", "alsa:default", "--period", 512, env=env) as engine:
        until(lambda: engine.value("/latency/source") == "reported")
    command = ["measure", *DEVICE, "--heard", 40, "--steps", 20, "--apply"]
    assert "40.000" in until(lambda: (result := run(*command, env=env, check=False)).returncode == 0 and result).stdout
    file.write_text('{"version":1,"delays":[{"device":"nothing","rate":0,"period":1,"buffer":1,"milliseconds":-1}]}')
    result = run(*command, env=env, check=False)
    assert result.returncode != 0 and "output-delays.json cannot be used" in result.stderr
    with Engine(*DEVICE, env=env) as engine:
        until(lambda: "output-delays.json cannot be used" in engine.log, lambda: engine.log)


def test_unusable_options_are_reported(tmp_path):
    for arguments, words in [
        (["--device", "alsa:default"], "--capture"), (["--device", "file:x.wav"], "has no latency"),
        (["--capture", "alsa:x"], "no output"), (["--steps", "3"], "--steps"), (["--apply"], "exact"),
        (["--device", "alsa:default", "--heard", "-1"], "--heard"),
    ]:
        result = run("measure", *arguments, check=False)
        assert result.returncode != 0 and words in result.stderr
