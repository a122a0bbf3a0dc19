#!/usr/bin/env python3
"""Streams to clients: what Opus for many listeners costs, and how soon a browser hears its head turn.

* load: N listeners on the network, each heard by a client of its own as Opus at a bit rate. Counts xruns and lost blocks, checks that
  every client gets every packet, and gives the processor time of the server and of each kind of thread for each listener.
  With `--scene full` or `low` the clients get the scene in place of their ears, as browsers do that render. The clients answer questions
  about the time and report twice a second, as pages do.
* motion: from a `deviceorientation` event in headless Chromium to the first changed sample that is handed to the worklet's output. The
  recording is noise from the front: each turn makes the other ear the louder one, and the time until it is counts.

    benchmarks/streams.py [PROGRAM] [--listeners N] [--bitrate B] [--seconds S] [--turns N] [--scene PROFILE] [--check]

`--check` ends with 1 when the load has an xrun, lost blocks or missing packets, when a listener costs more than 0.6 % of a core by Opus or
0.05 % by the scene, or when the turns take 25 ms or more by the median, or 40 ms or more by the 95th percentile.
"""

import argparse
import json
import multiprocessing
import pathlib
import random
import select
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import wave

from listeners import Server

# Per cent of a core for each further listener, by Opus and by the scene; milliseconds, median and 95th percentile.
MOST_OPUS, MOST_SCENE = 0.6, 0.05
MOST_MEDIAN, MOST_HIGH = 25, 40
ROOT = pathlib.Path(__file__).resolve().parents[1]
TICKS = 100
# Seconds between two reports of a client.
REPORT = 0.5
# Threads whose work does not depend on the number of listeners.
ONCE = ("audio timer", "scene encoder", "media", "device list")


def thread_seconds(pid):
    """Processor seconds of each kind of thread of a process."""
    seconds = {}
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            name = (task / "comm").read_text().strip().rstrip("0123456789 ")
            fields = (task / "stat").read_text().rsplit(") ", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            continue  # A thread that has just ended.
        seconds[name] = seconds.get(name, 0) + (int(fields[11]) + int(fields[12])) / TICKS
    return seconds


class Ears(multiprocessing.Process):
    """Clients in a process of their own, which read whole packets, count them, and answer and report as pages do."""

    def __init__(self, port, options):
        super().__init__(daemon=True)
        self.port, self.options = port, options
        self.packets, self.missing = multiprocessing.Value("q", 0), multiprocessing.Value("q", 0)

    def open(self):
        """A socket behind its upgrade, and what has arrived after it."""
        client = socket.create_connection(("127.0.0.1", self.port))
        path = f"/audio/join?format=opus&bitrate={self.options.bitrate}&frame=10&adapt=0"
        if self.options.scene:
            path = f"/audio/scene/join?profile={self.options.scene}&adapt=0"
        client.sendall((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += client.recv(65536)
        assert b" 101 " in answer, answer
        client.setblocking(False)
        return client, bytearray(answer.split(b"\r\n\r\n", 1)[1])

    def run(self):
        poll = select.epoll()
        clients = {}
        opened = 0
        while True:
            if opened < self.options.listeners:
                client, rest = self.open()
                clients[client.fileno()] = [client, rest, None, 0, time.monotonic()]
                poll.register(client, select.EPOLLIN)
                opened += 1
            for descriptor, _ in poll.poll(0.02):
                state = clients[descriptor]
                state[1] += state[0].recv(65536)
                self.read(state)
                if time.monotonic() >= state[4]:
                    state[4] = time.monotonic() + REPORT
                    self.tell(state[0], {
                        "type": "report", "packets": state[3], "late": 0, "lost": 0, "buffer": 80, "target": 80, "drift": 0})

    @staticmethod
    def tell(client, message):
        """Sends a text frame of less than 126 bytes, masked by zeros."""
        text = json.dumps(message, separators=(",", ":")).encode()
        client.send(bytes([0x81, 0x80 | len(text)]) + bytes(4) + text)

    def read(self, state):
        buffer, at = state[1], 0
        while len(buffer) - at >= 4:
            length, head = buffer[at + 1], 2
            if length == 126:
                length, head = struct.unpack_from(">H", buffer, at + 2)[0], 4
            if len(buffer) - at < head + length:
                break
            kind = buffer[at] & 15
            if kind == 2:
                number = struct.unpack_from("<I", buffer, at + head)[0]
                self.packets.value += 1
                state[3] += 1
                if state[2] is not None and number != state[2]:
                    self.missing.value += number - state[2]
                state[2] = number + 1
            elif kind == 1 and b'"type":"time"' in (text := bytes(buffer[at + head:at + head + length])):
                now = 1000 * time.monotonic()
                self.tell(state[0], {"type": "time", "id": json.loads(text)["id"], "received": now, "answered": now})
            elif kind == 9:
                # The payload of a ping comes back, masked by zeros.
                state[0].send(bytes([0x8A, 0x80 | length]) + bytes(4) + buffer[at + head:at + head + length])
            at += head + length
        del buffer[:at]


def load(server, options):
    ears = Ears(server.http, options)
    ears.start()
    deadline = time.monotonic() + 60
    while server.value("/listener/count") < options.listeners + 1:
        assert time.monotonic() < deadline, "not all clients have joined"
        time.sleep(0.2)
    time.sleep(5)
    look = lambda: (server.value("/engine/xruns"), server.value("/listener/lost"), ears.packets.value, ears.missing.value)
    counts, before, begin = look(), thread_seconds(server.process.pid), time.monotonic()
    time.sleep(options.seconds)
    after, seconds = thread_seconds(server.process.pid), time.monotonic() - begin
    xruns, lost, packets, missing = (new - old for new, old in zip(look(), counts))
    ears.terminate()
    shares = {name: 100 * (after[name] - before.get(name, 0)) / seconds for name in after}
    total = sum(shares.values())
    kind = f"Opus at {options.bitrate // 1000} kbit/s in packets of 10 ms"
    if options.scene:
        kind = f"the scene in {options.scene} quality in packets of 40 ms"
    print(f"{options.listeners} listeners, {kind}, {seconds:.0f} s")
    print(f"  {packets} packets, {missing} missing; xruns {xruns:.0f}, lost blocks {lost:.0f}")
    print(f"  processor: {total:.0f} % of a core, {total / options.listeners:.3f} % for each listener")
    for name, share in sorted(shares.items(), key=lambda item: -item[1]):
        if share >= 0.5:
            print(f"    {name}: {share:.1f} %, {share / options.listeners:.3f} % each")
    if options.scene:
        # What is done once for all is not a cost of each further listener.
        each = sum(share for name, share in shares.items() if name not in ONCE) / options.listeners
        print(f"  without what is done once for all: {each:.3f} % for each listener")
    else:
        each = total / options.listeners
    most = MOST_SCENE if options.scene else MOST_OPUS
    problems = [f"{count:.0f} {name}" for name, count in (("xruns", xruns), ("lost blocks", lost), ("missing packets", missing)) if count]
    return problems + ([f"{each:.3f} % of a core for each listener, more than {most}"] if each > most else [])


RECORDER = """registerProcessor('recorder', class extends AudioWorkletProcessor {
  constructor() {
    super();
    this.port.onmessage = ({ data }) => { this.wanted = data; };
  }

  // Tells when the ear that was quieter has become the louder one.
  process([[left, right]]) {
    if (!left || !this.wanted) return true;
    const power = (ear) => ear.reduce((sum, value) => sum + value * value, 0);
    const side = power(left) > power(right) ? 'left' : 'right';
    if (side === this.wanted) {
      this.port.postMessage(side);
      this.wanted = null;
    }
    return true;
  }
});"""

PAGE = """async () => {
  const { ListenerSound } = await import('/panel/js/playback/listener-sound.js');
  const { encodeMessage } = await import('/panel/js/shared/connection/osc.js');
  const told = { report: (numbers) => { window.numbers = numbers; }, ended: (why) => { window.ended = why; } };
  const sound = new ListenerSound('1', 48000, told);
  await sound.start();
  while (!window.numbers?.playing) await new Promise((done) => setTimeout(done, 50));
  const { context, gain } = sound;
  await context.audioWorklet.addModule('/panel/js/recorder.js');
  const recorder = new AudioWorkletNode(context, 'recorder');
  gain.connect(recorder);
  const socket = new WebSocket(location.origin.replace('http', 'ws') + '/', 'vestibule.oscquery');
  await new Promise((done) => { socket.onopen = done; });
  const times = window.times = [];
  let begin = 0;
  recorder.port.onmessage = () => times.push(performance.now() - begin);
  window.addEventListener('deviceorientation', ({ alpha }) => {
    begin = performance.now();
    recorder.port.postMessage(alpha > 180 ? 'right' : 'left');
    socket.send(encodeMessage('/listener/1/ypr', [alpha > 180 ? 90 : -90, 0, 0]));
  });
}"""


def motion(program, folder, turns):
    from playwright.sync_api import sync_playwright

    web = folder / "web"
    shutil.copytree(ROOT / "web", web)
    (web / "js" / "recorder.js").write_text(RECORDER)
    chance = random.Random(1)
    with wave.open(str(folder / "noise.wav"), "wb") as file:
        file.setparams((1, 2, 48_000, 0, "NONE", ""))
        file.writeframes(b"".join(struct.pack("<h", chance.randrange(-8000, 8000)) for _ in range(480_000)))
    subprocess.run(
        [program, "synth", "--source", f"{folder / 'noise.wav'}@0", "--seamless", "--output", folder / "scene.wav", "--overwrite"],
        check=True, stdout=subprocess.DEVNULL)
    server = Server(program, folder, 4, "--web", web, "--stream-packet", "5", "--stream-fixed", "--method", "two-band")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"),
                args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required", "--mute-audio"])
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{server.http}/panel/js/start.js")
            devtools = page.context.new_cdp_session(page)
            page.evaluate(PAGE)
            time.sleep(20)
            for turn in range(turns):
                count = page.evaluate("times.length")
                devtools.send("DeviceOrientation.setDeviceOrientationOverride", {"alpha": 90 if turn % 2 else 270, "beta": 0, "gamma": 0})
                end = time.monotonic() + 2
                while page.evaluate("times.length") == count and time.monotonic() < end:
                    time.sleep(0.01)
                time.sleep(0.1 + 0.0137 * (turn % 10))
            times, numbers = sorted(page.evaluate("times")), page.evaluate("numbers")
            browser.close()
    finally:
        server.stop()
    middle, high = times[len(times) // 2], times[len(times) * 95 // 100]
    problems = [f"{name} {value:.1f} ms, {most} or more" for name, value, most in (
        ("median", middle, MOST_MEDIAN), ("95th percentile", high, MOST_HIGH)) if value >= most]
    print(f"motion to sound on loopback, {len(times)} turns: p50 {middle:.1f}, p95 {high:.1f} ms; "
          f"{numbers['bufferMilliseconds']:.0f} ms waited, {numbers['targetMilliseconds']:.0f} wanted")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=".build/release/vestibule")
    parser.add_argument("--listeners", type=int, default=200, help="0 leaves the load out")
    parser.add_argument("--bitrate", type=int, default=96_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--turns", type=int, default=200, help="0 leaves them out")
    parser.add_argument("--method", default="two-band")
    parser.add_argument("--scene", choices=["full", "low"])
    parser.add_argument("--check", action="store_true", help="end with 1 when a figure is out of bounds")
    options = parser.parse_args()
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run([options.program, "synth", "--demo", "--output", folder / "scene.wav"], check=True, stdout=subprocess.DEVNULL)
        if options.listeners:
            server = Server(options.program, folder, options.listeners + 1, "--method", options.method)
            try:
                problems += load(server, options)
            finally:
                server.stop()
        if options.turns:
            problems += motion(options.program, folder, options.turns)
    if options.check and problems:
        sys.exit("; ".join(problems))


if __name__ == "__main__":
    main()
