#!/usr/bin/env python3
"""Telemetry and OSC compared with C programs on the same libraries, on this machine, one after another.

Telemetry: a thousand clients receive 300 bytes sixty times a second from `vestibule serve` and from broadcast.c, a
server on the same libwebsockets that does nothing else. OSC: messages to a namespace of a thousand addresses, in `vestibule serve`
and in methods.c, liblo's own server with empty methods. Processor time is the kernel's count for the server's threads,
minus their use without clients. Exits with 1 when the median of the rounds' ratios is over TELEMETRY or OSC.

    benchmarks/control.py [PROGRAM] [--rounds N]     PROGRAM: vestibule, a release build (default .build/release/vestibule)
"""

import argparse
import array
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import wave

FOLDER = pathlib.Path(__file__).resolve().parent
CLIENTS, RATE, SECONDS = 1000, 60, 3
#: Processor time by that of the C program, at most.
TELEMETRY, OSC = 1.0, 0.6
#: Seconds of measurement without clients.
REST = 1
#: Microphones of the recording; a frame of levels then has 300 bytes.
MICROPHONES = 33
MESSAGES, PACE = 600_000, 200_000
#: Results in about a thousand addresses.
LISTENERS = 21
SUBSCRIBE = json.dumps({"type": "subscribe", "topics": ["meters"], "rate": RATE, "format": "binary"}, separators=(",", ":"))


def compiled(folder, name, *packages):
    flags, path = [], folder / name
    if packages:
        found = subprocess.run(["pkg-config", "--cflags", "--libs", *packages], capture_output=True, text=True, check=True)
        flags = found.stdout.split()
    subprocess.run(["cc", "-O2", FOLDER / f"{name}.c", "-o", path, *flags], check=True)
    return path


def busy(pid):
    """Returns the processor time in seconds of every thread of a process."""
    times = {}
    for thread in pathlib.Path(f"/proc/{pid}/task").iterdir():
        times[thread.name] = int((thread / "schedstat").read_text().split()[0]) / 1e9
    return times


def used(before, after):
    return sum(after[thread] - before.get(thread, 0) for thread in after)


class Served:
    """`vestibule serve` on free ports."""

    def __init__(self, program, folder, *options):
        ready = folder / "ready.json"
        ready.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [program, "serve", "--http-port", "0", "--osc-port", "0", "--ready-file", ready, *options],
            stdout=subprocess.DEVNULL)
        while not ready.exists():
            time.sleep(0.01)
        self.ready = json.loads(ready.read_text())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def recording(folder):
    """Writes noise for so many microphones."""
    path = folder / "noise.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(MICROPHONES)
        file.setsampwidth(2)
        file.setframerate(48_000)
        samples = array.array("h", os.urandom(2 * MICROPHONES * 48_000))
        file.writeframes(array.array("h", (value // 16 for value in samples)).tobytes())
    return path


def crowd(clients, port, pid, request, only=None):
    """Runs a thousand clients for some seconds. Returns the server's additional processor time and the clients' figures."""

    def now():
        times = busy(pid)
        return {thread: seconds for thread, seconds in times.items() if only in (None, thread)}

    begin = now()
    time.sleep(REST)
    rest = used(begin, now()) / REST
    load = subprocess.Popen(
        [clients, str(port), str(CLIENTS), str(SECONDS), request], stdout=subprocess.PIPE, text=True)
    assert load.stdout.readline() == "begin\n"
    before = now()
    line = load.stdout.readline()
    after = now()
    load.wait()
    frames, slowest, size, p50, p99, worst = map(int, line.split())
    seconds = used(before, after) - rest * SECONDS
    return {
        "cpu": seconds / SECONDS * 100, "us": seconds / frames * 1e6, "rest": rest * 100, "rate": slowest / SECONDS,
        "bytes": size, "p50": p50 / 1000, "p99": p99 / 1000, "worst": worst / 1000}


def telemetry(program, folder, rounds):
    clients, broadcast = compiled(folder, "clients"), compiled(folder, "broadcast", "libwebsockets")
    noise = recording(folder)
    rows = {"vestibule": [], "C, libwebsockets": []}
    # Short alternating rounds, because the speed of a shared machine changes within minutes.
    for _ in range(rounds):
        with Served(program, folder, "--recording", noise) as served:
            pid = served.process.pid
            # The control thread is the first one; the others render with or without clients.
            rows["vestibule"].append(crowd(clients, served.ready["http_port"], pid, SUBSCRIBE, only=str(pid)))
        port = 17_681
        server = subprocess.Popen([broadcast, str(port), "300", str(RATE)])
        time.sleep(0.3)
        rows["C, libwebsockets"].append(crowd(clients, port, server.pid, SUBSCRIBE))
        server.terminate()
        server.wait()
    print(f"telemetry: {CLIENTS} clients, {RATE} Hz, {rows['vestibule'][0]['bytes']} bytes a frame")
    for name, found in rows.items():
        best = min(found, key=lambda row: row["us"])
        print(f"  {name:18} {best['cpu']:6.1f} % of a core  {best['us']:5.2f} us a frame  "
              f"at rest {best['rest']:.1f} %  slowest client {best['rate']:5.1f} Hz  "
              f"delay p50 {best['p50']:.2f} ms, p99 {best['p99']:.2f} ms, worst {best['worst']:.2f} ms "
              f"(p99 of the rounds: median {statistics.median(row['p99'] for row in found):.2f} ms)")
    ratios = [own["us"] / other["us"] for own, other in zip(*rows.values())]
    print(f"  processor time a frame, vestibule / C: {statistics.median(ratios):.2f} (each round: "
          f"{', '.join(f'{ratio:.2f}' for ratio in ratios)}); at most {TELEMETRY:g} wanted")
    return statistics.median(ratios) <= TELEMETRY


def messages(program, folder, rounds):
    sender, methods = compiled(folder, "sender"), compiled(folder, "methods", "liblo")
    rows = {"vestibule": [], "C, liblo": []}
    for _ in range(rounds):
        with Served(program, folder, "--listeners", str(LISTENERS)) as served:
            nodes = count_nodes(served.ready["http_port"])
            pid, port = served.process.pid, served.ready["osc_port"]
            before = busy(pid)
            time.sleep(MESSAGES / PACE)
            idle = busy(pid)
            kept = send(sender, port)
            time.sleep(0.2)
            after = busy(pid)
            # Rendering continues; its cost was measured without messages.
            share = used(idle, after) - used(before, idle) * (MESSAGES / kept + 0.2) / (MESSAGES / PACE)
            rows["vestibule"].append((share / MESSAGES * 1e6, lost(served.ready["http_port"]), kept))
        port = 17_770
        server = subprocess.Popen([methods, str(port), str(nodes)], stdout=subprocess.PIPE, text=True)
        server.stdout.readline()
        before = busy(server.pid)
        kept = send(sender, port)
        time.sleep(0.2)
        after = busy(server.pid)
        server.send_signal(signal.SIGTERM)
        had = int(server.communicate()[0])
        rows["C, liblo"].append((used(before, after) / max(had, 1) * 1e6, MESSAGES - had, kept))
    print(f"OSC: {MESSAGES} messages at {PACE} a second to {LISTENERS} addresses among {nodes}")
    for name, found in rows.items():
        cost, missing, kept = min(found)
        print(f"  {name:18} {cost:5.2f} us a message  lost {missing}  sent at {kept:.0f} a second")
    ratios = [own[0] / other[0] for own, other in zip(*rows.values())]
    print(f"  processor time a message, vestibule / C: {statistics.median(ratios):.2f} (each round: "
          f"{', '.join(f'{ratio:.2f}' for ratio in ratios)}); at most {OSC:g} wanted")
    return statistics.median(ratios) <= OSC


def send(sender, port):
    output = subprocess.run(
        [sender, str(port), str(MESSAGES), str(PACE), str(LISTENERS)], capture_output=True, text=True, check=True)
    return float(output.stdout)


def fetch(port, path):
    import urllib.request

    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as response:
        return response.read().decode()


def count_nodes(port):
    def count(node):
        return sum(map(count, node["CONTENTS"].values())) if "CONTENTS" in node else 1

    return count(json.loads(fetch(port, "/")))


def lost(port):
    """Returns the datagrams that the kernel or the queue dropped."""
    values = {}
    for line in fetch(port, "/metrics").splitlines():
        if not line.startswith("#"):
            name, value = line.rsplit(" ", 1)
            values[name] = float(value)
    dropped = values['vestibule_osc_messages_total{result="dropped"}']
    return int(MESSAGES - values["vestibule_osc_datagrams_total"] + dropped)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=FOLDER.parent / ".build/release/vestibule")
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        good = [part(options.program, pathlib.Path(folder), options.rounds) for part in (telemetry, messages)]
    subprocess.run([options.program, "bench", "--osc"], check=True)
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
