#!/usr/bin/env python3
"""Output times against the sound, on two devices: heard minus told in milliseconds, before and after calibration.

    .venv/bin/python benchmarks/output_time.py [--runs 10] [--program .build/release/vestibule]

`null`: PulseAudio's null sink, heard by `vestibule measure` in its monitor. `fifo`: its pipe sink, whose FIFO this process empties 64
frames at a time by an absolute timer; a frame leaves the converter when it is read. Each run starts a new server and a new engine.
Needs Debian's pulseaudio, pulseaudio-utils and libasound2-plugins.
"""

import argparse
import contextlib
import fcntl
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import numpy
from pythonosc.udp_client import SimpleUDPClient

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/Integration/support"))
import wave_file  # noqa: E402
from limits import Limits  # noqa: E402
from pulse_sink import pulse_sink  # noqa: E402
from waiting import until  # noqa: E402

RATE, FRAMES, TURNS = 48_000, 64, 40
# Bytes of a FIFO; the kernel's smallest.
SMALLEST = 4096
CONFIGURATION = """</usr/share/alsa/alsa.conf>
pcm.!default { type pulse device card handle_underrun 1 }
ctl.!default { type pulse }
"""


class FIFOCard:
    """A sound card with this process's clock. `blocks`: times in nanoseconds and bytes of what left the converter."""

    def __init__(self, folder, state):
        (folder / "asound.conf").write_text(CONFIGURATION)
        self.env = dict(
            os.environ, HOME=str(folder), XDG_RUNTIME_DIR=str(folder), XDG_CONFIG_HOME=str(folder), XDG_STATE_HOME=str(state),
            PULSE_RUNTIME_PATH=str(folder), PULSE_STATE_PATH=str(folder), PULSE_SERVER=f"unix:{folder}/native",
            ALSA_CONFIG_PATH=str(folder / "asound.conf"))
        self.server = subprocess.Popen(
            ["pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--log-target=stderr", "--log-level=error",
             "-L", f"module-pipe-sink sink_name=card file={folder}/out format=float32le rate={RATE} channels=2",
             "-L", f"module-native-protocol-unix auth-anonymous=1 socket={folder}/native"], env=self.env, stderr=subprocess.DEVNULL)
        until(lambda: "card" in subprocess.run(
            ["pactl", "list", "short", "sinks"], env=self.env, capture_output=True, text=True).stdout)
        self.fifo = os.open(folder / "out", os.O_RDONLY | os.O_NONBLOCK)
        fcntl.fcntl(self.fifo, fcntl.F_SETPIPE_SZ, SMALLEST)
        self.blocks, self.ended = [], False
        self.thread = threading.Thread(target=self._play)
        self.thread.start()

    def _play(self):
        with contextlib.suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(20))
        begin, count = time.monotonic_ns(), 0
        while not self.ended:
            due = begin + count * FRAMES * 10**9 // RATE
            time.sleep(max(0, due - time.monotonic_ns()) / 1e9)
            with contextlib.suppress(BlockingIOError):
                self.blocks.append((due, os.read(self.fifo, FRAMES * 8)))
            count += 1

    def close(self):
        self.ended = True
        self.thread.join()
        self.server.kill()
        self.server.wait()
        os.close(self.fifo)

    def sound(self):
        """Returns the frames, and the time of each in nanoseconds."""
        parts = [(due, numpy.frombuffer(data[:len(data) // 8 * 8], "<f4").reshape(-1, 2)) for due, data in self.blocks]
        times = [due + numpy.arange(len(part)) * 1e9 / RATE for due, part in parts]
        return numpy.concatenate([part for _, part in parts]), numpy.concatenate(times)


@contextlib.contextmanager
def fifo_card(state):
    with tempfile.TemporaryDirectory() as folder:
        card = FIFOCard(pathlib.Path(folder), state)
        try:
            yield card
        finally:
            if not card.ended:
                card.close()


def turn_the_head(program, card, folder):
    """Returns the median of heard and of told, in milliseconds, and whose times were told."""
    samples = numpy.zeros((40 * RATE, 4))
    samples[:, 0] = 0.5 * numpy.sin(2 * numpy.pi * 3000 * numpy.arange(len(samples)) / RATE)
    wave_file.write(folder / "tone.wav", samples)
    ready = folder / "ready.json"
    engine = subprocess.Popen(
        [program, "serve", "--recording", folder / "tone.wav", "--method", "nearest", "--device", "alsa:default", "--osc-port", "0",
         "--http-port", "0", "--ready-file", ready, "--sessions", folder / "sessions"],
        env=card.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: ready.exists() and ready.read_text().strip())
    ports = json.loads(ready.read_text())
    client = SimpleUDPClient("127.0.0.1", ports["osc_port"])
    time.sleep(3)
    turns = []
    for number in range(TURNS):
        yaw = 90.0 if number % 2 else -90.0
        turns.append(time.monotonic_ns())
        client.send_message("/listener/1/ypr", [yaw, 0.0, 0.0])
        time.sleep(random.uniform(0.1, 0.15))

    def value(address):
        return json.load(urllib.request.urlopen(f"http://127.0.0.1:{ports['http_port']}{address}?VALUE"))["VALUE"]

    told, source = value("/latency/listener/1/motion-to-sound")[0], value("/latency/source")[0]
    time.sleep(0.2)
    engine.terminate()
    engine.wait()
    card.close()
    sound, times = card.sound()
    heard = []
    for begin, end in zip(turns[2:], turns[3:]):
        first, last = numpy.searchsorted(times, [begin, end])
        ears = numpy.abs(sound[first:last])
        ear = ears[-200:].max(axis=0).argmax()
        onset = numpy.argmax(ears[:, ear] > 0.02)
        if onset > 0:
            heard.append((times[first + onset] - begin) / 1e6)
    return statistics.median(heard), told, source


def fifo(program, state, folder):
    with fifo_card(state) as card:
        return turn_the_head(program, card, folder)


def null(program, state, folder, *arguments):
    with pulse_sink() as sink:
        output = folder / "latency"
        subprocess.run(
            [program, "measure", "--device", "alsa:default", "--capture", "alsa:monitor", "--steps", str(TURNS), "--output", output,
             "--overwrite", *arguments], env=dict(sink.env, XDG_STATE_HOME=str(state)), check=True, capture_output=True)
    summary = json.loads((output / "summary.json").read_text())
    return summary["heard"]["median"], summary["told"]["median"], summary["setting"]["source"]


def series(name, runs, measure):
    """Prints every run, and returns the median of what was heard, and the largest difference."""
    differences, all_heard = [], []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            heard, told, source = measure(pathlib.Path(folder))
        differences.append(heard - told)
        all_heard.append(heard)
        print(f"  {name}: heard {heard:6.2f} ms, told {told:6.2f} ({source}), difference {heard - told:+.2f}", flush=True)
    print(f"{name}: largest difference {max(map(abs, differences)):.2f} ms in {runs} runs", flush=True)
    return statistics.median(all_heard), max(map(abs, differences))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / ".build/release/vestibule")
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    program, runs = options.program, options.runs
    with tempfile.TemporaryDirectory() as state:
        heard, _ = series("fifo, reported", runs, lambda place: fifo(program, state, place))
        with fifo_card(state) as card:
            subprocess.run(
                [program, "measure", "--device", "alsa:default", "--heard", f"{heard:.3f}", "--apply", "--steps", "100"],
                env=card.env, check=True)
        _, fifo_worst = series("fifo, calibrated", runs, lambda place: fifo(program, state, place))
    with tempfile.TemporaryDirectory() as state, tempfile.TemporaryDirectory() as folder:
        series("null, reported", runs, lambda place: null(program, state, place))
        null(program, state, pathlib.Path(folder), "--apply")
        _, null_worst = series("null, calibrated", runs, lambda place: null(program, state, place))
    limits = Limits()
    limits.most("fifo, calibrated: heard minus told", fifo_worst, 1, "ms")
    limits.most("null sink, calibrated: heard minus told", null_worst, 1, "ms")
    sys.exit(limits.status)


if __name__ == "__main__":
    main()
