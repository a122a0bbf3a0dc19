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
import urllib.error
import urllib.request

from waiting import Missing, saw, until

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = pathlib.Path(os.environ.get("VESTIBULE", ROOT / ".build/release/vestibule"))


def run(*arguments, check=True, timeout=600, **options):
    """Runs a subcommand and waits for its end, at most `timeout` seconds."""
    result = subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=timeout, **options)
    assert not check or result.returncode == 0, f"ended with {result.returncode}: {result.stdout}{result.stderr}"
    return result


class Engine:
    """A running `vestibule serve`, ready when entered; `log` is its output.

    `descriptors` are its soft and its hard limit (`ulimit -n`); `output` takes its output in place of a file.
    """

    def __init__(self, *arguments, env=None, wait=True, ports=True, descriptors=None, output=None, prefix=()):
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

    def wait_until_ready(self):
        def look():
            # One that renders a file may be ready and at its end before it is looked at.
            has_ended = self.process.poll() is not None
            if not self.ready_file.exists():
                assert not has_ended, f"ended with {self.process.returncode}: {self.log}"
                return False
            return True

        until(look, lambda: self.log)
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
        with urllib.request.urlopen(self.url + path, timeout=60) as response:
            return saw(path, json.load(response))

    def value(self, address):
        """The value of one parameter; a list for vectors. Raises Missing where it is not there, for which `until` waits."""
        try:
            with urllib.request.urlopen(f"{self.url}{address}?VALUE", timeout=60) as response:
                values = json.load(response)["VALUE"]
        except urllib.error.HTTPError as error:
            if error.code != 404:
                raise
            raise Missing(error.url, error.code, error.msg, error.headers, error.fp) from None
        return saw(address, values[0] if len(values) == 1 else values)

    def metric(self, name):
        """One number of the metrics; `name` includes labels, if there are any."""
        with urllib.request.urlopen(self.url + "/metrics", timeout=60) as response:
            lines = response.read().decode().splitlines()
        return saw(name, next(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(name + " ")))

    def osc(self):
        from pythonosc.udp_client import SimpleUDPClient

        return SimpleUDPClient("127.0.0.1", self.ready["osc_port"])

    def longest_turns(self):
        """The turns of the control thread that were logged, those of 20 ms or more: (milliseconds, milliseconds of computing)."""
        found = re.findall(r"the control thread was busy for (\d+) ms \(computing: (\d+) ms\)", self.log)
        return [(int(whole), int(computed)) for whole, computed in found]

    def stop(self, number=signal.SIGTERM):
        """Stops the program. Returns the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(timeout=60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        self.output.close()
        self.folder.cleanup()


def own_address():
    """Returns an address of this machine other than loopback, or None. Sends no packet."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return probe.getsockname()[0]
