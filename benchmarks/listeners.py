#!/usr/bin/env python3
"""Listeners on the network, on the timer as sound device: what hundreds of them cost, what they do to the listener of the device, and
how fast clients join.

* idle: N listeners that were added and that nobody hears: processor time of the server without and with them.
* load: N listeners with a method and a client each, turned 60 times a second by its own UDP socket, beside one listener of the device at
  period 64.
  Counts xruns and lost blocks; motion to sound of the device's listener beside them, and alone before and after; and the time of each
  further network listener per frame, beside the kernel's own from `vestibule bench`. The part that all share is measured with one.
* join: from the request to the first sample at the client; then joins and leaves, with memory, descriptors and threads before and after.

    benchmarks/listeners.py [PROGRAM] [--listeners N] [--method M] [--seconds S] [--joins N]

Exits with 1 when a figure is out of bounds: xruns and lost blocks (none), the device's p99 beside the listeners (the median of its
readings 0.3 ms above the one alone), the time of a listener (1.3 times the kernel's), join to first sample (60 ms at p99), and memory,
descriptors and threads after all joins (2 MiB, none, none more).
"""

import argparse
import asyncio
import json
import os
import pathlib
import select
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import websockets

from limits import Limits

RATE = 48_000
PERIOD = 64
POSES = 60


def text(value):
    data = value.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def message(address, *numbers):
    return text(address) + text("," + "f" * len(numbers)) + struct.pack(f">{len(numbers)}f", *numbers)


class Server:
    """`vestibule serve` on the timer."""

    def __init__(self, program, folder, listeners, *options):
        self.ready_file = folder / "ready.json"
        self.ready_file.unlink(missing_ok=True)
        self.log = open(folder / "log.txt", "w+")
        self.process = subprocess.Popen(
            [program, "serve", "--recording", folder / "scene.wav", "--device", "timer", "--period", str(PERIOD), "--osc-port", "0",
             "--http-port", "0", "--sessions", folder / "sessions", "--network-listeners", str(listeners), "--ready-file",
             self.ready_file, *options], stdout=self.log, stderr=subprocess.STDOUT)
        while not self.ready_file.exists():
            assert self.process.poll() is None, "the server has ended"
            time.sleep(0.02)
        ready = json.loads(self.ready_file.read_text())
        self.osc, self.http = ready["osc_port"], ready["http_port"]

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.http}{path}", timeout=30) as answer:
            return json.load(answer)

    def value(self, address):
        values = self.get(address + "?VALUE")["VALUE"]
        return values[0] if len(values) == 1 else values

    def send(self, data):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.sendto(data, ("127.0.0.1", self.osc))

    def memory(self):
        """Resident kilobytes, descriptors and threads."""
        process = pathlib.Path(f"/proc/{self.process.pid}")
        fields = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
        return int(fields["VmRSS"].split()[0]), len(list((process / "fd").iterdir())), int(fields["Threads"])

    def processor(self):
        """Seconds of processor time so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Turning(threading.Thread):
    """Turns listeners, each from a socket of its own, 60 times a second, spread over the time between two poses."""

    def __init__(self, server, numbers):
        super().__init__(daemon=True)
        self.sockets = []
        for number in numbers:
            client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            client.connect(("127.0.0.1", server.osc))
            self.sockets.append((client, text(f"/listener/{number}/ypr") + text(",fff")))
        self.over = False
        self.sent = 0

    def run(self):
        begin, turn = time.monotonic(), 0
        groups = 8
        while not self.over:
            pose = struct.pack(">3f", (turn * 0.37) % 360 - 180, 0, 0)
            for client, head in self.sockets[turn % groups::groups]:
                client.send(head + pose)
                self.sent += 1
            turn += 1
            wait = begin + turn / (POSES * groups) - time.monotonic()
            if wait > 0:
                time.sleep(wait)

    def stop(self):
        self.over = True
        self.join()
        for client, _ in self.sockets:
            client.close()


class Hearing(threading.Thread):
    """Clients with listeners of their own. Their sound is read and thrown away in the kernel."""

    REQUEST = (
        "GET /audio/join HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").encode()

    def __init__(self, server, count):
        super().__init__(daemon=True)
        self.sockets, self.numbers, self.over = [], [], False
        for place in range(count):
            client = socket.socket()
            # 64 connections may come from one address.
            client.bind((f"127.0.1.{1 + place // 60}", 0))
            client.connect(("127.0.0.1", server.http))
            client.sendall(self.REQUEST)
            data = b""
            while b'"token"' not in data:
                data += client.recv(4096)
            self.numbers.append(int(data.split(b'"listener":')[1].split(b",")[0]))
            self.sockets.append(client)

    def run(self):
        while not self.over:
            for client in self.sockets:
                client.recv(1 << 20, socket.MSG_TRUNC | socket.MSG_DONTWAIT) if select.select([client], [], [], 0)[0] else None
            time.sleep(0.2)

    def stop(self):
        self.over = True
        self.join()
        for client in self.sockets:
            client.close()


def device_latency(server, seconds):
    """Motion to sound of the device's listener over some seconds, milliseconds: median and 99th percentile, medians of readings."""
    turning = Turning(server, [1])
    turning.start()
    time.sleep(min(6, seconds))
    readings, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        readings.append(server.value("/latency/listener/1/motion-to-sound"))
        time.sleep(0.5)
    turning.stop()
    middle = lambda place: sorted(reading[place] for reading in readings)[len(readings) // 2]
    return middle(0), middle(2)


def kernel(program, method):
    """Nanoseconds per frame of a further listener, as the kernel alone takes: the least of several readings."""
    def reading():
        rows = json.loads(subprocess.run([program, "bench", "--json", "--method", method], check=True, capture_output=True).stdout)
        return next(row["value"] for row in rows if ": each listener" in row["name"])

    return min(reading() for _ in range(5))


def shared_load(server):
    """The load of the workers with one listener: what all share, and its own part."""
    hearing = Hearing(server, 1)
    hearing.start()
    turning = Turning(server, hearing.numbers)
    turning.start()
    time.sleep(5)
    load = server.value("/listener/load")
    turning.stop()
    hearing.stop()
    return load


def idle(program, folder, options):
    server = Server(program, folder, options.listeners, "--method", options.method)
    try:
        def share():
            time.sleep(2)
            used, begin = server.processor(), time.monotonic()
            time.sleep(min(10, options.seconds))
            return (server.processor() - used) / (time.monotonic() - begin)

        alone = share()
        for _ in range(options.listeners):
            server.send(text("/listener/add") + text(",s") + text(""))
            time.sleep(0.005)
        while server.value("/listener/count") < options.listeners + 1:
            time.sleep(0.1)
        print(f"{options.listeners} listeners that nobody hears, {options.method}: {100 * share():.1f} % of a processor, "
              f"{100 * alone:.1f} % without them; load of the workers {server.value('/listener/load'):.3f}")
    finally:
        server.stop()


def load(program, folder, options, limits):
    least = kernel(program, options.method)
    server = Server(program, folder, options.listeners + 1, "--method", options.method)
    try:
        alone = device_latency(server, options.rest)
        shared = shared_load(server)
        hearing = Hearing(server, options.listeners)
        hearing.start()
        xruns = server.value("/engine/xruns")
        turning = Turning(server, hearing.numbers)
        turning.start()
        begin, loads, beside = time.monotonic(), [], []
        while time.monotonic() - begin < options.seconds:
            beside.append(device_latency(server, min(options.rest, options.seconds)))
            loads.append(server.value("/listener/load"))
        seconds = time.monotonic() - begin
        turning.stop()
        hearing.stop()
        xruns = server.value("/engine/xruns") - xruns
        lost = server.value("/listener/lost")
        after = device_latency(server, options.rest)
        share = sorted(loads)[len(loads) // 2]
        print(f"{options.listeners} listeners with {options.method}, {turning.sent / seconds:.0f} poses/s, {seconds:.0f} s")
        print(f"  xruns {xruns}, lost blocks {lost}")
        for when, (median, high) in (("before", alone), ("after", after)):
            print(f"  device alone, {when}: median {median:.2f}, p99 {high:.2f} ms")
        for median, high in beside:
            print(f"  beside them:  median {median:.2f}, p99 {high:.2f} ms")
        # The share is that of the busiest worker, which renders its part of the listeners.
        workers = max(1, len(os.sched_getaffinity(0)) - 1)
        scale = workers / RATE * 1e9
        cost = (share - shared) * scale / max(1, options.listeners - 1)
        print(f"  worker load {share:.3f}: {shared * scale:.2f} ns per frame for the first listener and what all share,")
        print(f"  {cost:.2f} for each further one; the kernel's own {least:.2f}")
        limits.none("xruns", int(xruns))
        limits.none("lost blocks", int(lost))
        typical = sorted(high for _, high in beside)[len(beside) // 2]
        limits.most("p99 of the device's listener beside them, less the one alone", typical - max(alone[1], after[1]), 0.3, "ms")
        limits.most("time of a listener by the kernel's", cost / least, 1.3)
    finally:
        server.stop()


async def join(server, token=None):
    """Seconds from the request to the first sample, and the token."""
    begin = time.monotonic()
    async with websockets.connect(f"ws://127.0.0.1:{server.http}/audio/join" + (f"?token={token}" if token else "")) as client:
        hello = json.loads(await client.recv())
        await client.recv()
        return time.monotonic() - begin, hello["token"]


def joins(program, folder, options, limits):
    server = Server(program, folder, 16)
    try:
        server.send(message("/listener/keep", 0.0))

        async def many():
            times = [(await join(server))[0] for _ in range(min(200, options.joins))]
            before = server.memory()
            for done in range(options.joins):
                times.append((await join(server))[0])
                if (done + 1) % 1000 == 0:
                    print(f"  {done + 1} joins", flush=True)
            return times, before

        times, before = asyncio.run(many())
        after = server.memory()
        times.sort()
        print(f"join to first sample: median {times[len(times) // 2] * 1e3:.1f}, p99 {times[len(times) * 99 // 100] * 1e3:.1f}, "
              f"longest {times[-1] * 1e3:.1f} ms of {len(times)}")
        print(f"  before: {before[0]} KiB, {before[1]} descriptors, {before[2]} threads; after {options.joins} more: "
              f"{after[0]} KiB, {after[1]} descriptors, {after[2]} threads; listeners {server.value('/listener/count')}")
        limits.most("join to first sample, p99", times[len(times) * 99 // 100] * 1e3, 60, "ms")
        limits.most("growth of resident memory", after[0] - before[0], 2048, "KiB")
        limits.most("more descriptors", after[1] - before[1], 0)
        limits.most("more threads", after[2] - before[2], 0)
    finally:
        server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=".build/release/vestibule")
    parser.add_argument("--listeners", type=int, default=400)
    parser.add_argument("--method", default="two-band")
    parser.add_argument("--seconds", type=float, default=300, help="beside the network listeners")
    parser.add_argument("--rest", type=float, default=15, help="of one reading of the device's latency")
    parser.add_argument("--joins", type=int, default=10_000, help="0 leaves them out")
    options = parser.parse_args()
    limits = Limits()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run([options.program, "synth", "--demo", "--output", folder / "scene.wav"], check=True, stdout=subprocess.DEVNULL)
        if options.listeners:
            idle(options.program, folder, options)
            load(options.program, folder, options, limits)
        if options.joins:
            joins(options.program, folder, options, limits)
    sys.exit(limits.status)


if __name__ == "__main__":
    main()
