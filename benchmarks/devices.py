"""A sound server that is killed and started again while the engine plays: how soon it is noticed, how soon the engine is back on it.

    .venv/bin/python benchmarks/devices.py --server pulse --times 20
    .venv/bin/python benchmarks/devices.py --server jack --times 20

Kills the server by SIGKILL at random times and starts it again after a random time. A take of the recording's channels, whose samples
count their frames, tells whether any frame was left out or played twice; a network listener tells whether frames were missing, and how
late they came. Ends with status 1 when the engine was not back within two seconds of the server, a frame is missing, or descriptors
were left behind.

A thread of the script that only sleeps shows when the machine ran nothing: what exceeds the figures at such a time is the machine's.
"""

import argparse
import asyncio
import contextlib
import os
import pathlib
import random
import signal
import statistics
import struct
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Tests/Integration/support"))

import numpy  # noqa: E402
import wave_file  # noqa: E402
import websockets  # noqa: E402
from jack_server import jack_server  # noqa: E402
from program import Engine  # noqa: E402
from pulse_sink import pulse_sink  # noqa: E402

RATE = 48_000
STATE = "/engine/device/state"


@contextlib.contextmanager
def server(kind):
    """Yields the device, the environment, and functions that kill and start the server."""
    if kind == "pulse":
        with pulse_sink() as sink:
            yield "alsa:default", sink.env, sink.kill, sink.start
    else:
        with jack_server(period=256) as one:
            yield "jack", one.env, lambda: one.stop(signal.SIGKILL), one.start


def wait(condition, seconds=10):
    """Returns the seconds until a condition held."""
    begin = time.monotonic()
    while not condition():
        if time.monotonic() > begin + seconds:
            return float("inf")
        time.sleep(0.002)
    return time.monotonic() - begin


class Listener(threading.Thread):
    """A network listener.

    `late`: the buffer that it needs to play without a gap: by how much its frames came later than at an even pace, seconds. `missing`:
    frames that never came.
    """

    def __init__(self, engine):
        super().__init__(daemon=True)
        self.url, self.missing, self.packets, self.ended = engine.socket_url, 0, 0, False
        self.reset()
        self.start()

    def reset(self):
        self.begin, self.late = float("inf"), 0.0

    def run(self):
        asyncio.run(self.listen())

    async def listen(self):
        async with websockets.connect(f"{self.url}/audio/join", max_size=None) as socket:
            expected = None
            while not self.ended:
                try:
                    packet = await asyncio.wait_for(socket.recv(), 1)
                except asyncio.TimeoutError:
                    continue
                except websockets.ConnectionClosed:
                    return
                if isinstance(packet, str):
                    continue
                now = time.monotonic()
                _, frames, position = struct.unpack("<IIQ", packet[:16])
                if expected is not None:
                    self.missing += position - expected
                # Frames that came early are the new pace.
                self.begin = min(self.begin, now - position / RATE)
                self.late = max(self.late, now - position / RATE - self.begin)
                expected, self.packets = position + frames, self.packets + 1


class Stalls(threading.Thread):
    """The longest time for which the machine did not run a thread that sleeps for 5 ms, seconds: `longest`."""

    def __init__(self):
        super().__init__(daemon=True)
        self.longest = 0.0
        self.start()

    def run(self):
        before = time.monotonic()
        while True:
            time.sleep(0.005)
            now = time.monotonic()
            self.longest, before = max(self.longest, now - before), now


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", choices=["pulse", "jack"], default="pulse")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    print(f"{options.server}, {options.times} times, seed {options.seed}")
    with tempfile.TemporaryDirectory() as folder, server(options.server) as (device, env, kill, start):
        frames = numpy.arange(min(options.times * 6 + 30, 340) * RATE, dtype="<f4") / 2 ** 24
        wave_file.write(f"{folder}/ramp.wav", numpy.repeat(frames[:, None], 4, axis=1))
        arguments = ["--recording", f"{folder}/ramp.wav", "--takes", folder, "--device", device, "--period", 256, "--periods", 4]
        with Engine(*arguments, env=env) as engine:
            failed = run(engine, folder, options.times, chance, kill, start)
    sys.exit(failed)


def run(engine, folder, times, chance, kill, start):
    descriptors = lambda: len(os.listdir(f"/proc/{engine.process.pid}/fd"))  # noqa: E731
    threads = lambda: len(os.listdir(f"/proc/{engine.process.pid}/task"))  # noqa: E731
    client, listener = engine.osc(), Listener(engine)
    client.send_message("/take/source/array", True)
    wait(lambda: engine.value("/take/kept") > 0.5)
    client.send_message("/take/start", [])
    wait(lambda: engine.value("/take/current"))
    take = engine.value("/take/current")
    wait(lambda: listener.packets > 20)
    listener.reset()
    listener.missing = 0
    before, stalls, gaps = (descriptors(), threads()), Stalls(), []
    noticed, back = [], []
    for number in range(times):
        time.sleep(chance.uniform(0.1, 2))
        kill()
        noticed.append(wait(lambda: engine.value(STATE) == "lost"))
        time.sleep(chance.uniform(0, 2))
        start()
        back.append(wait(lambda: engine.value(STATE) == "playing"))
        gaps.append(listener.late)
        print(
            f"{number + 1:3}  noticed after {noticed[-1]:.3f} s, back after {back[-1]:.3f} s, "
            f"network listener late by {gaps[-1]:.3f} s, machine's longest stall {stalls.longest:.3f} s", flush=True)
        listener.reset()
        stalls.longest = 0.0
    time.sleep(1)
    after = descriptors(), threads()
    xruns, lost = engine.value("/engine/xruns"), engine.value("/engine/device/lost")
    dropouts = engine.value("/engine/dropouts")
    listener.ended = True
    client.send_message("/take/stop", [])
    wait(lambda: engine.value("/take/current") == "")
    heard, _ = wave_file.read(f"{folder}/{take}/array.wav")
    steps = numpy.diff(heard[:, 0].astype(float) * 2 ** 24)
    wrong = numpy.flatnonzero(steps != 1)
    # A recording that is read too slowly is faded out and in, within a tenth of a second.
    places = 0 if len(wrong) == 0 else 1 + int(numpy.count_nonzero(numpy.diff(wrong) > 4800))
    for words, times in (("noticed after", noticed), ("back after the server's start", back)):
        print(f"{words}: median {statistics.median(times):.3f} s, longest {max(times):.3f} s")
    print(f"{len(heard)} frames recorded, {len(wrong)} of them not the successor of the one before, at {places} places")
    print(f"times that the recording was read too slowly and faded: {dropouts}")
    print(
        f"network listener: {listener.missing} frames missing; late by {1000 * statistics.median(gaps):.0f} ms (median), "
        f"{1000 * max(gaps):.0f} ms at most")
    print(f"blocks lost: {xruns}; frames that the device did not play: {lost}")
    print(f"descriptors {before[0]} before, {after[0]} after; threads {before[1]} before, {after[1]} after")
    return max(noticed) > 0.5 or max(back) > 2 or places > dropouts or listener.missing > 0 or any(
        late > early + 1 for early, late in zip(before, after))


main()
