#!/usr/bin/env python3
"""Dashboards at one Mosquitto: how soon each gets what an engine publishes ten times a second, and what that costs the broker.

An engine whose listener's head moves publishes everything that changes in one message for each tenth of a second
(`telemetry/changes`). Every dashboard has a connection of its own. Measures the delay from the engine's publication to each dashboard, and
the processor time of the broker, the engine and the dashboards. Exits with 1 when a dashboard misses messages, beyond DELAY at the 99th
percentile, and when the broker needs more than one core. With several numbers of dashboards it prints one line for each.

    benchmarks/dashboards.py [PROGRAM] [--dashboards N …] [--seconds S]     PROGRAM: vestibule, a release build
"""

import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import threading
import time

from limits import Limits

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/Integration/support"))
#: Seconds at the 99th percentile; share of one core.
DELAY, CORE = 0.2, 1
TICKS = os.sysconf("SC_CLK_TCK")


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=ROOT / ".build/release/vestibule", type=pathlib.Path)
    parser.add_argument("--dashboards", type=int, nargs="+", default=[2000])
    parser.add_argument("--seconds", type=float, default=20)
    return parser.parse_args()


arguments = options()
os.environ["VESTIBULE"] = str(arguments.program)
from mqtt_broker import Broker  # noqa: E402
from program import Engine  # noqa: E402
from waiting import until  # noqa: E402


def spent(pid):
    """Processor seconds of a process."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def turn(engine, ended):
    """Turns the head fifty times a second."""
    sender, step = engine.osc(), 0
    while not ended.wait(0.02):
        sender.send_message("/listener/1/ypr", [float(step % 360 - 180), 0.0, 0.0])
        step += 1


def measure(client, broker, engine, number):
    """Returns messages, those of the slowest dashboard, bytes of one, delays in seconds, and shares of a core."""
    topic = "vestibule/hall/telemetry/changes"
    process = subprocess.Popen(
        [client, str(broker.port), str(number), str(arguments.seconds), topic], stdout=subprocess.PIPE, text=True)
    if process.stdout.readline() != "begin\n":
        raise SystemExit(f"dashboards.py: the broker does not take {number} dashboards")
    pids = {"broker": broker.process.pid, "engine": engine.process.pid, "dashboards": process.pid}
    before, begin = {name: spent(pid) for name, pid in pids.items()}, time.monotonic()
    # Until shortly before the end, after which there is no process to ask.
    time.sleep(0.9 * arguments.seconds)
    passed = time.monotonic() - begin
    shares = {name: (spent(pid) - before[name]) / passed for name, pid in pids.items()}
    figures = [int(word) for word in process.stdout.readline().split()]
    if process.wait() != 0 or not figures:
        raise SystemExit("dashboards.py: a dashboard has lost its connection, or has got no message")
    return figures[:3], [microseconds / 1e6 for microseconds in figures[3:]], shares


def main():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 2 * max(arguments.dashboards))), hard))
    limits = Limits()
    with tempfile.TemporaryDirectory() as folder:
        scene, client = pathlib.Path(folder) / "scene.wav", pathlib.Path(folder) / "dashboards"
        subprocess.run(["cc", "-O2", ROOT / "benchmarks/dashboards.c", "-o", client], check=True)
        subprocess.run([arguments.program, "synth", "--demo", "--output", scene], check=True, capture_output=True)
        with Broker(folder) as broker, Engine("--recording", scene) as alone, Engine(
                "--recording", scene, "--mqtt", f"mqtt://127.0.0.1:{broker.port}", "--mqtt-name", "hall") as engine:
            until(lambda: engine.value("/mqtt/state") == "connected")
            ended = threading.Event()
            threading.Thread(target=turn, args=[engine, ended], daemon=True).start()
            for number in arguments.dashboards:
                (count, slowest, size), (median, most, worst), shares = measure(client, broker, engine, number)
                print(f"{number} dashboards, {arguments.seconds:g} s: {count / arguments.seconds:.0f} messages a second of {size} bytes, "
                      f"{count / arguments.seconds * size / 1e6:.1f} MB/s; delay {1000 * median:.1f} ms (median), {1000 * worst:.1f} ms "
                      f"(worst); shares of a core: " + ", ".join(f"{name} {share:.2f}" for name, share in shares.items())
                      + f"; {1e6 * shares['broker'] * arguments.seconds / count:.1f} us of the broker for each message")
                limits.most("delay, 99th percentile", most, DELAY, "s")
                limits.most("broker, share of a core", shares["broker"], CORE)
                limits.none("messages of which the slowest dashboard has missed more than one", max(0, count // number - slowest - 1))
            ended.set()
            xruns, without = int(engine.value("/engine/xruns")), int(alone.value("/engine/xruns"))
            print(f"xruns: {xruns}, of an engine without a broker meanwhile: {without}")
            if without == 0:
                limits.none("xruns", xruns)
    sys.exit(limits.status)


if __name__ == "__main__":
    main()
