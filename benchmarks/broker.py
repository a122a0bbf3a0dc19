#!/usr/bin/env python3
"""Three engines at one Mosquitto, two of which follow the first: how soon changes arrive, how soon everything is there again after an
outage, what reconnections leave.

Changes: a command to each of three engines at once, until a dashboard has the three new states; and an OSC message to the first engine,
until the dashboard has its state, and until it has that of the engines that follow. Outage: the broker is killed for ten seconds while
parameters of the first engine change; the time from its return until a dashboard has every value of the engines, those that follow
included, and whether anything was lost, published twice or taken for a command. Late: the time until a dashboard that comes later has the
whole state of three engines. Reconnections: a server that accepts every connection and ends it; memory,
descriptors and threads of the engine after 20 and after all. Xruns are printed beside those of an engine without a broker. Exits with 1
beyond VISIBLE, RETURN, LATE or GROWTH.

    benchmarks/broker.py [PROGRAM] [--changes N] [--reconnections N]     PROGRAM: vestibule, a release build
"""

import argparse
import contextlib
import os
import pathlib
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/Integration/support"))
#: Seconds: a change at the 99th percentile, an outage after the broker's return, a late dashboard.
VISIBLE, RETURN, LATE = 0.05, 2, 1
#: Bytes of memory that reconnections may add.
GROWTH = 4 << 20
NAMES = ("hall", "foyer", "tower")
#: Seconds without a broker; changes of the first engine meanwhile.
OUTAGE, MEANWHILE = 10, 40
#: Changes a second.
PACE = 4
#: Seconds after which a connection counts as steady.
STEADY = 10.5


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=ROOT / ".build/release/vestibule", type=pathlib.Path)
    parser.add_argument("--changes", type=int, default=300)
    parser.add_argument("--reconnections", type=int, default=100)
    return parser.parse_args()


arguments = options()
os.environ["VESTIBULE"] = str(arguments.program)
from mqtt_broker import Broker, Client, readable  # noqa: E402
from program import Engine  # noqa: E402
from waiting import until  # noqa: E402


def state(engine, address):
    return f"vestibule/{engine}/state{address}"


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def spin(condition, seconds=10):
    """Waits with a resolution of half a millisecond. Returns the time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise SystemExit("broker.py: a change has not arrived within 10 s")
        time.sleep(0.0005)
    return time.monotonic()


def changes(client, engines, count):
    """Returns the seconds of commands to three engines, and of OSC messages to the first, until it and until all have published them."""
    commands, messages, followed, sender = [], [], [], engines["hall"].osc()
    for step in range(count):
        begin, value = time.monotonic(), -1 - step % 50
        for name in NAMES:
            client.publish(f"vestibule/{name}/set/listener/1/gain", value)
        end = spin(lambda: all(client.value(state(name, "/listener/1/gain")) == value for name in NAMES))
        commands.append(end - begin)
        level = -1 - step % 50
        begin = time.monotonic()
        sender.send_message("/music/gain", float(level))
        messages.append(spin(lambda: client.value(state("hall", "/music/gain")) == level) - begin)
        followed.append(spin(lambda: all(client.value(state(name, "/music/gain")) == level for name in NAMES)) - begin)
        time.sleep(max(0, 1 / PACE - (time.monotonic() - begin)))
    return commands, messages, followed


def late(port, expected):
    """Returns the seconds until a new dashboard has all topics."""
    begin = time.monotonic()
    with Client(port, "vestibule/#") as client:
        return spin(lambda: expected <= set(client.messages)) - begin


def outage(broker, engines):
    """Returns the seconds until everything is there again, and the faults."""
    received = {name: engine.value("/mqtt/received") for name, engine in engines.items()}
    broker.stop(signal.SIGKILL)
    end, random_values = time.monotonic() + OUTAGE, random.Random(7)
    last, sent = set(), 0
    addresses = ["/listener/1/gain", "/object/unit-distance", "/metronome/tempo", "/protection/ceiling"]
    while time.monotonic() < end:
        if sent < MEANWHILE:
            address = addresses[sent % len(addresses)]
            engines["hall"].osc().send_message(
                address, random_values.uniform(-3, -1) if "gain" in address else random_values.uniform(1, 3))
            last.add(address)
            sent += 1
        time.sleep(0.2)
    wanted = {name: readable(engine) for name, engine in engines.items()}
    broker.start()
    begin = time.monotonic()
    with Client(broker.port, "vestibule/#") as client:
        def missing():
            # Measurements move on meanwhile: their topics have to be there, the other values have to be right.
            absent = [state(n, a) for n, values in wanted.items() for a in values if not client.all(state(n, a))]
            return absent or [
                state(n, a) for n in NAMES for a in last if abs(client.value(state(n, a)) - wanted["hall"][a][0]) > 1e-4]
        back = spin(lambda: not missing() and all(client.value(f"vestibule/{n}/online") for n in NAMES)) - begin
        time.sleep(2)
        twice = [state("hall", a) for a in last if len(client.all(state("hall", a))) != 1]
    echoes = [name for name, engine in engines.items() if engine.value("/mqtt/received") != received[name]]
    changed = [a for a in last if engines["hall"].value(a) != wanted["hall"][a][0]]
    return back, {"published twice": twice, "taken for commands": echoes, "changed": changed}


class Ending:
    """A server that accepts MQTT connections and ends each one, but every `period`th after STEADY seconds, so that the pauses
    between the attempts stay short."""

    def __init__(self, period):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port, self.period, self.count = self.socket.getsockname()[1], period, 0
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.socket.accept()
                with client:
                    client.recv(4096)
                    client.sendall(bytes([0x20, 3, 0, 0, 0]))
                    self.count += 1
                    if self.count % self.period == 0:
                        time.sleep(STEADY)


def footprint(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text().split("\n")
    values = dict(line.split(":", 1) for line in status if ":" in line)
    names = []
    for path in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            names.append(os.readlink(path))
    # Without files: the recording is open once or several times.
    descriptors = sum(not name.startswith("/") for name in names)
    return {"memory": int(values["VmRSS"].split()[0]) * 1024, "descriptors": descriptors, "threads": int(values["Threads"])}


def reconnections(scene, count):
    # Fewer than the attempts after which pauses grow.
    server = Ending(8)
    with Engine("--recording", scene, "--mqtt", f"mqtt://127.0.0.1:{server.port}", "--mqtt-name", "hall") as engine:
        until(lambda: server.count >= 20, seconds=160)
        before = footprint(engine.process.pid)
        until(lambda: server.count > count, 20 + 4 * count)
        after = footprint(engine.process.pid)
        return before, after, engine.log.count("MQTT, ")


def main():
    print(f"{arguments.program}, {arguments.changes} changes")
    failed = []

    def judge(name, value, bound):
        print(f"{name}: {value:.3f} (at most {bound})")
        if value > bound:
            failed.append(name)

    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        scene = pathlib.Path(folder) / "scene.wav"
        subprocess.run([arguments.program, "synth", "--demo", "--output", scene], check=True, capture_output=True)
        broker = stack.enter_context(Broker(folder))
        engines = {
            name: stack.enter_context(
                Engine("--recording", scene, "--mqtt", f"mqtt://127.0.0.1:{broker.port}", "--mqtt-name", name,
                       *([] if name == "hall" else ["--follow", "hall"])))
            for name in NAMES}
        alone = stack.enter_context(Engine("--recording", scene))
        for engine in engines.values():
            until(lambda: engine.value("/mqtt/state") == "connected")
        for name in NAMES[1:]:
            until(lambda: engines[name].value("/follow/state") == "following")
        topics = {state(name, address) for name, engine in engines.items() for address in readable(engine)}
        with Client(broker.port, "vestibule/#") as client:
            until(lambda: topics <= set(client.messages), lambda: f"{len(topics - set(client.messages))} topics missing")
            found = changes(client, engines, arguments.changes)
        for name, times in zip(("command to three engines", "change of one engine", "the same at the engines that follow"), found):
            print(f"{name}, median: {statistics.median(times):.3f} s")
            judge(f"{name}, 99th percentile, s", percentile(times, 0.99), VISIBLE)
        judge(f"late dashboard, {len(topics)} topics, s", max(late(broker.port, topics) for _ in range(5)), LATE)
        back, faults = outage(broker, engines)
        judge(f"broker away for {OUTAGE} s: complete after its return, s", back, RETURN)
        for fault, where in faults.items():
            print(f"{fault}: {where or 'none'}")
            failed += [fault] if where else []
        xruns = [engine.value("/engine/xruns") for engine in engines.values()]
        without = alone.value("/engine/xruns")
        print(f"xruns: {xruns}, of an engine without a broker meanwhile: {without}")
        if without == 0:
            judge("xruns", sum(xruns), 0)
        if arguments.reconnections:
            before, after, notices = reconnections(scene, arguments.reconnections)
            print(f"after 20 reconnections {before}, after {arguments.reconnections} {after}; {notices} notices")
            judge("memory that reconnections added, MiB", (after["memory"] - before["memory"]) / (1 << 20), GROWTH / (1 << 20))
            # The connection, and the library's pair of sockets for it, may be there at one time and not at the other.
            judge("descriptors that reconnections added", after["descriptors"] - before["descriptors"], 3)
            judge("threads that reconnections added", after["threads"] - before["threads"], 0)
    sys.exit(f"broker.py: beyond its bound: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
