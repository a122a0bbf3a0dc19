"""The real program, started and stopped as a user does it."""

import json
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

from waiting import saw, until

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Milliseconds of computing; a debug program is some ten times as slow.
LONGEST_TURN = 200 if "/debug/" in os.environ.get("VESTIBULE", "") else 20
# Milliseconds of a turn that hardly computes: it waited for a file or a lock, or the machine did not run it. The second happens to
# every program on a shared machine and takes up to some tenths of a second; the first does not end by itself.
LONGEST_WAIT = 1000
PROGRAM = pathlib.Path(os.environ.get("VESTIBULE", ROOT / ".build/release/vestibule"))


def run(*arguments, check=True, **options):
    """Runs a subcommand and waits for its end."""
    result = subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)
    assert not check or result.returncode == 0, f"ended with {result.returncode}: {result.stdout}{result.stderr}"
    return result


class Engine:
    """A running `vestibule serve`, ready when entered; `log` is its output.

    `descriptors` are its soft and its hard limit (`ulimit -n`); `output` takes its output in place of a file. At the end no
    turn of its control thread may have taken longer than `longest_turn` milliseconds; a test that allows more says why.
    Turns below 20 ms are not logged.
    """

    def __init__(
        self, *arguments, env=None, wait=True, ports=True, descriptors=None, output=None, longest_turn=LONGEST_TURN,
        prefix=()
    ):
        self.longest_turn = longest_turn
        self.folder = tempfile.TemporaryDirectory()
        self.ready_file = pathlib.Path(self.folder.name) / "ready.json"
        self.output = open(pathlib.Path(self.folder.name) / "log.txt", "w+")
        command = [*prefix, PROGRAM, "serve", *map(str, arguments), "--ready-file", self.ready_file]
        if "--sessions" not in command:
            # Unsaved changes of one test are not recovered by the next.
            command += ["--sessions", pathlib.Path(self.folder.name) / "sessions"]
        if ports:
            command += ["--osc-port", "0", "--http-port", "0"]
        limit = descriptors and (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, descriptors))
        self.process = subprocess.Popen(
            command, stdout=output or self.output, stderr=subprocess.STDOUT, env=env, cwd=ROOT, preexec_fn=limit)
        self.ready = None
        if wait:
            self.wait_until_ready()

    def wait_until_ready(self, seconds=20):
        def look():
            if self.process.poll() is not None:
                raise AssertionError(f"ended with {self.process.returncode}: {self.log}")
            return self.ready_file.exists()

        until(look, seconds, lambda: self.log)
        self.ready = json.loads(self.ready_file.read_text())

    @property
    def log(self):
        self.output.flush()
        return pathlib.Path(self.output.name).read_text()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.ready['http_port']}"

    @property
    def socket_url(self):
        return f"ws://127.0.0.1:{self.ready['http_port']}"

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=5) as response:
            return saw(path, json.load(response))

    def value(self, address):
        """The value of one parameter; a list for vectors."""
        with urllib.request.urlopen(f"{self.url}{address}?VALUE", timeout=5) as response:
            values = json.load(response)["VALUE"]
        return saw(address, values[0] if len(values) == 1 else values)

    def metric(self, name):
        """One number of the metrics; `name` includes labels, if there are any."""
        with urllib.request.urlopen(self.url + "/metrics", timeout=5) as response:
            lines = response.read().decode().splitlines()
        return saw(name, next(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(name + " ")))

    def osc(self):
        from pythonosc.udp_client import SimpleUDPClient

        return SimpleUDPClient("127.0.0.1", self.ready["osc_port"])

    def longest_turns(self):
        """The turns of the control thread of 20 ms or more that were logged: (milliseconds, milliseconds of computing)."""
        found = re.findall(r"the control thread was busy for (\d+) ms at once \(computing: (\d+) ms\)", self.log)
        return [(int(whole), int(computed)) for whole, computed in found]

    def stop(self, number=signal.SIGTERM):
        """Stops the program. Returns the exit status and the seconds that took."""
        begin = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait(timeout=10)
        return status, time.monotonic() - begin

    def __enter__(self):
        return self

    def __exit__(self, failure, *_):
        self.stop()
        turns = self.longest_turns()
        log = self.log
        self.output.close()
        self.folder.cleanup()
        limit = self.longest_turn
        slow = [turn for turn in turns if turn[1] > limit or turn[0] > max(LONGEST_WAIT, limit)]
        assert failure or not slow, f"the control thread was busy for {slow} ms (all, computing): {log}"


def own_address():
    """Returns an address of this machine other than loopback, or None. Sends no packet."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return probe.getsockname()[0]
