"""An engine that follows another one although the clock of its machine, and so that of its sound device, is fast or slow."""

import bisect
import contextlib
import json
import os
import statistics
import subprocess
import time

import numpy
import pytest

import wave_file
from figures import figure, measured
from mqtt_broker import Broker, Client
from program import ROOT, Engine
from seeds import generator
from waiting import stimulus, until

RATE = 48_000
SECONDS = 30


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Changes the clock of a program that loads it."""
    path = tmp_path_factory.mktemp("clock") / "drifting_clock.so"
    source = ROOT / "Tests/Integration/support/services/drifting_clock.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", path, source], check=True)
    return path


def places(client, engine, local):
    """Times by the clock of this test, and places in the recording that were heard then, seconds."""
    reports = [json.loads(payload) for payload, _, _ in client.all(f"vestibule/{engine}/telemetry/transport")]
    return [(local(report["time"]), report["position"]) for report in reports if report["time"] > 0 and report["state"] == "playing"]


def apart(one, other):
    """Milliseconds between two engines in the last 20 seconds, in ascending order, from the places of both."""
    times, lags = [seconds for seconds, _ in one], []
    for seconds, place in other:
        after = bisect.bisect(times, seconds)
        if not 0 < after < len(times) or seconds < other[-1][0] - 20:
            continue
        (first, before), (last, behind) = one[after - 1], one[after]
        expected = before + (seconds - first) / (last - first) * ((behind - before) % SECONDS)
        lags.append(1000 * abs((place - expected + SECONDS / 2) % SECONDS - SECONDS / 2))
    return sorted(lags)


@measured
def test_clocks_that_are_200_ppm_off_are_followed_within_a_millisecond(tmp_path, library):
    """Two engines follow at once, one with a fast clock and one with a slow one."""
    sound = generator(22).normal(0, 0.1, SECONDS * RATE).astype("<f4")
    wave_file.write(tmp_path / "noise.wav", numpy.tile(sound[:, None], (1, 4)), RATE)
    begin = time.monotonic_ns()
    rates = {"foyer": 1.0002, "garden": 0.9998}

    def drifting(name):
        return dict(os.environ, LD_PRELOAD=str(library), CLOCK_BEGIN=str(begin), CLOCK_RATE=str(rates[name]))

    def true_time(name):
        """Turns seconds by the clock of an engine into those of this test."""
        return lambda seconds: begin / 1e9 + (seconds - begin / 1e9) / rates[name]

    with Broker(tmp_path) as broker, Client(broker.port, "vestibule/+/telemetry/transport") as client, contextlib.ExitStack() as engines:
        options = ["--recording", tmp_path / "noise.wav", "--mqtt", f"mqtt://127.0.0.1:{broker.port}", "--mqtt-name"]
        engines.enter_context(Engine(*options, "hall"))
        for name in rates:
            engine = engines.enter_context(Engine(*options, name, "--follow", "hall", env=drifting(name)))
            until(lambda engine=engine: engine.value("/follow/state") == "following", lambda engine=engine: engine.log)
        # Ten seconds until the drift is known, and then the time that is judged.
        stimulus(30)
        hall = places(client, "hall", lambda seconds: seconds)
        lags = {name: apart(hall, places(client, name, true_time(name))) for name in rates}
    for name, all_of_it in lags.items():
        print("milliseconds apart at", rates[name], "median:", round(statistics.median(all_of_it), 3), "most:", round(all_of_it[-1], 3))
    for name, all_of_it in lags.items():
        figure(f"places that {name} has told", len(all_of_it), at_least=151)
        figure(f"difference of {name} in 95 per cent of them", all_of_it[int(0.95 * len(all_of_it))], at_most=1, unit="ms")
