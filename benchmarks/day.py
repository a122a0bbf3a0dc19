"""Days of an installation in minutes: the real program with clocks that run fast (libfaketime), where only time is waited for.

    sudo apt-get install libfaketime
    .venv/bin/python benchmarks/day.py                                # 24 hours in 15 minutes
    .venv/bin/python benchmarks/day.py --hours 60 --speed 200         # longer than an upload is kept: 18 minutes

Visitors come and go and are forgotten, streams are asked for and end, uploads are begun and never continued, values change and are saved,
the broker is away for ten minutes of every hour, and cues fire at times of day. Prints a line for each simulated hour, and ends with
status 1 when memory rises by more than 1 MiB from the second quarter to the last, when descriptors or threads become more, when a cue was
missed, when a forgotten listener stays, or when the broker has not got the state in the end.
"""

import argparse
import asyncio
import base64
import contextlib
import datetime
import glob
import http.client
import json
import os
import pathlib
import socket
import statistics
import sys
import tempfile
import time
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Tests/Integration/support"))

import websockets  # noqa: E402
from mqtt_broker import Broker  # noqa: E402
from program import Engine, run  # noqa: E402

HOUR = 3600
# Hours from the beginning at which cues fire, every day.
CUES = (6, 13.5, 18)


def usage(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    number = lambda name: int(next(line.split()[1] for line in status.splitlines() if line.startswith(name)))  # noqa: E731
    return number("VmRSS:"), len(os.listdir(f"/proc/{pid}/fd")), number("Threads:")


class Day:
    """The simulated time of an engine, and what happens in it."""

    def __init__(self, engine, broker, hours, speed):
        self.engine, self.broker, self.speed = engine, broker, speed
        self.begin = time.monotonic()
        self.end = self.begin + hours * HOUR / speed
        self.readings, self.cut = [], 0

    async def sleep(self, seconds):
        """Sleeps for seconds of the engine's time, at most to the end. Returns whether time is left."""
        await asyncio.sleep(max(0, min(seconds / self.speed, self.end - time.monotonic())))
        return time.monotonic() < self.end

    async def every(self, seconds, act):
        while await self.sleep(seconds):
            # Times after which the engine closes a connection are a hundred times shorter, too.
            try:
                async with asyncio.timeout(60):
                    await act()
            except (OSError, http.client.HTTPException, websockets.exceptions.WebSocketException):
                self.cut += 1

    async def visit(self):
        async with websockets.connect(f"{self.engine.socket_url}/audio/join?format=pcm", max_size=None) as visitor:
            for _ in range(20):
                await visitor.recv()

    async def play(self):
        await asyncio.to_thread(urllib.request.urlopen, f"{self.engine.url}/hls/listener/1/opus.m3u8", timeout=10)

    async def change(self):
        self.engine.osc().send_message("/object/1/azimuth", time.monotonic() % 180)

    async def upload(self):
        """Begins an upload and sends a part of it; nobody continues it."""
        def send():
            connection = http.client.HTTPConnection("127.0.0.1", self.engine.ready["http_port"], timeout=30)
            values = {"kind": "sounds", "filename": f"{time.monotonic_ns()}.wav"}
            metadata = ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in values.items())
            tus = {"Tus-Resumable": "1.0.0"}
            connection.request("POST", "/library/uploads", headers=tus | {"Upload-Length": "100000", "Upload-Metadata": metadata})
            answer = connection.getresponse()
            answer.read()
            connection.request("PATCH", answer.headers["Location"], bytes(50_000), tus | {
                "Content-Type": "application/offset+octet-stream", "Upload-Offset": "0"})
            connection.getresponse().read()
            connection.close()
        await asyncio.to_thread(send)

    async def outage(self):
        await asyncio.to_thread(self.broker.stop)
        await self.sleep(600)
        await asyncio.to_thread(self.broker.start)

    async def watch(self):
        while await self.sleep(HOUR):
            self.readings.append(usage(self.engine.process.pid))
            memory, descriptors, threads = self.readings[-1]
            print(f"{len(self.readings):4} h: {memory} KiB, {descriptors} descriptors, {threads} threads", flush=True)

    async def live(self):
        await asyncio.gather(
            self.watch(), self.every(600, self.visit), self.every(HOUR, self.play), self.every(1800, self.change),
            self.every(2 * HOUR, self.upload), self.every(HOUR, self.outage))


def judge(day, engine, hours, data, cues):
    """Whether all is as it was; prints what is not."""
    quarter = len(day.readings) // 4
    second, last = day.readings[quarter:2 * quarter], day.readings[-quarter:]
    rise, descriptors, threads = (statistics.median(r[k] for r in last) - statistics.median(r[k] for r in second) for k in range(3))
    print(f"from the second quarter to the last: memory {rise:+.0f} KiB, descriptors {descriptors:+.0f}, threads {threads:+.0f}")
    fired, expected = messages(cues), sum(1 for day in range(9) for cue in CUES if 24 * day + cue < hours)
    print(f"{day.cut} requests and visits were cut off by the fast clock")
    print(f"cues fired {fired} times, expected {expected}")
    present = sum(1 for number in range(2, 12) if exists(engine, f"/listener/{number}/gain"))
    parts = glob.glob(str(data / "**/.upload-*.part"), recursive=True)
    print(f"listeners left: {present}; uploads kept: {len(parts)} of the last two days; broker: {asked(engine, '/mqtt/state')}")
    kept = min(hours, 48) / 2 + 1
    return (rise <= 1024 and descriptors <= 0 and threads <= 0 and fired == expected and present <= 1 and len(parts) <= kept
            and asked(engine, "/mqtt/state") == "connected")


def messages(receiver):
    """Number of packets that wait at a socket."""
    count = 0
    with contextlib.suppress(BlockingIOError):
        while receiver.recv(4096):
            count += 1
    return count


def asked(engine, address):
    """A value; None where there is none. Asked again when the fast clock has cut it off."""
    for _ in range(20):
        try:
            return engine.value(address)
        except urllib.error.HTTPError:
            return None
        except (OSError, http.client.HTTPException):
            continue
    return None


def exists(engine, address):
    return asked(engine, address) is not None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hours", type=float, default=24)
    parser.add_argument("--speed", type=float, default=100)
    options = parser.parse_args()
    library = next(iter(glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")), None)
    if not library:
        sys.exit("libfaketime is needed: sudo apt-get install libfaketime")
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        folder = pathlib.Path(folder)
        run("synth", "--demo", "--output", folder / "scene.wav")
        broker = stack.enter_context(Broker(folder))
        environment = dict(
            os.environ, LD_PRELOAD=library, FAKETIME=f"+0 x{options.speed:g}", TZ="UTC", XDG_DATA_HOME=str(folder / "data"),
            XDG_CACHE_HOME=str(folder / "cache"))
        # The library adds to the environment of the first program that loads it, where Swift looks for the arguments: that is `env`.
        engine = stack.enter_context(Engine(
            "--recording", folder / "scene.wav", "--objects", 2, "--period", 2048, "--mqtt", f"mqtt://127.0.0.1:{broker.port}",
            "--mqtt-name", "hall", env=environment, prefix=("env",)))
        osc = engine.osc()
        now = datetime.datetime.now(datetime.timezone.utc)
        cues = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        cues.bind(("127.0.0.1", 0))
        cues.setblocking(False)
        for number, hours in enumerate(CUES, 1):
            moment = (now + datetime.timedelta(hours=hours)).strftime("%H:%M:%S")
            osc.send_message("/cue-list/store", f"{number} at {moment} osc 127.0.0.1:{cues.getsockname()[1]} /fired {number}")
        day = Day(engine, broker, options.hours, options.speed)
        asyncio.run(day.live())
        time.sleep(20)
        good = judge(day, engine, options.hours, folder / "data", cues)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
