"""A JACK server without a sound card: `jackd` with its dummy driver, under its own name.

    with jack_server() as server:
        engine = subprocess.Popen([..., "--device", "jack"], env=server.env)
        assert "vestibule:listener-1-left" in server.ports()
        frames = server.capture(["vestibule:listener-1-left"], 48_000)

Needs Debian's jackd2. The driver is paced in real time and has no sound; other clients supply and record it.
"""

import contextlib
import ctypes
import functools
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import uuid

import numpy

from waiting import LIMIT, until


def available():
    """Returns whether the required programs are installed."""
    return all(shutil.which(program) for program in ("jackd", "jack_lsp"))


def _lock(name):
    """A name that one process at a time can have, as a socket that holds it."""
    lock = socket.socket(socket.AF_UNIX)

    def is_free():
        try:
            lock.bind(f"\0vestibule-tests-jack-{name}-{os.getuid()}")
        except OSError:
            return False
        return True

    until(is_free, seconds=600)
    return lock


class JackServer:
    """`env`: the environment in which clients find the server."""

    def __init__(self, rate=48000, period=64, inputs=2, outputs=4, options=()):
        self.rate, self.period, self.inputs, self.outputs, self.options = rate, period, inputs, outputs, options
        self.name = f"test-{uuid.uuid4().hex[:12]}"
        self.env = dict(os.environ, JACK_DEFAULT_SERVER=self.name, JACK_NO_AUDIO_RESERVATION="1", JACK_NO_START_SERVER="1")
        self.process = None
        self.was_killed = False
        self._turn = None

    def _take_turn(self):
        """Waits until no other test has a server: all servers of a user share metadata. A lock is a name that ends with the process.

        Who waits has the place before the turn, so that a file of many tests does not keep the other process waiting.
        """
        with _lock("next"):
            self._turn = _lock("turn")

    @staticmethod
    def _clean():
        """Removes metadata that a killed client has left locked, on which every client would wait; not beside another server."""
        if subprocess.run(["pgrep", "-x", "jackd"], stdout=subprocess.DEVNULL).returncode == 1:
            shutil.rmtree(f"/dev/shm/jack_db-{os.getuid()}", ignore_errors=True)

    def start(self):
        if self._turn is None:
            self._take_turn()
        self._clean()
        self.process = subprocess.Popen(
            # A cycle that a client leaves unfinished at its end keeps a synchronous server for ten times as long.
            ["jackd", "-r", "-t", "1000", "-n", self.name, *self.options, "-d", "dummy", "-r", str(self.rate), "-p", str(self.period),
             "-C", str(self.inputs), "-P", str(self.outputs)],
            env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: self.ports(), lambda: f"jackd: {self.process.poll()}")

    def stop(self, number=signal.SIGTERM):
        if self.process is None:
            return
        self.process.send_signal(number)
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            number = signal.SIGKILL
            self.process.kill()
            self.process.wait(timeout=60)
        self.process = None
        self.was_killed = number == signal.SIGKILL

    def close(self):
        """Stops the server and frees all that it has of the machine."""
        if self.process is None and self.was_killed:
            # A killed server keeps its place among the eight that a machine can have, until one of its name ends.
            self.start()
        self.stop()
        for path in pathlib.Path("/dev/shm").glob(f"jack_*{self.name}*"):
            path.unlink(missing_ok=True)
        if self._turn is not None:
            self._turn.close()

    def ports(self, *options):
        """The output of jack_lsp; empty without a server."""
        for _ in range(3):
            try:
                result = subprocess.run(["jack_lsp", *options], env=self.env, capture_output=True, text=True, timeout=20)
                break
            except subprocess.TimeoutExpired:
                # JACK's library may wait for itself when another client comes or goes while this one ends.
                continue
        else:
            raise AssertionError("jack_lsp got no answer: is /dev/shm/jack_db-* locked by a client that was killed?")
        return result.stdout.splitlines() if result.returncode == 0 else []

    def patch(self, port, *others):
        """Gives a port these connections and no others, as a user does; again if a stalled machine has lost the port meanwhile."""
        def is_patched():
            present = self.connections(port)
            for tool, names in (("jack_disconnect", set(present) - set(others)), ("jack_connect", set(others) - set(present))):
                for other in names:
                    subprocess.run([tool, port, other], env=self.env, capture_output=True, timeout=60)
            return port in self.ports() and present == list(others)

        until(is_patched)

    def connections(self, port):
        """The ports that a port is connected to."""
        lines, found = self.ports("-c"), []
        if port in lines:
            for line in lines[lines.index(port) + 1:]:
                if not line.startswith(" "):
                    break
                found.append(line.strip())
        return found


@contextlib.contextmanager
def jack_server(**options):
    """Runs a server during the `with` block."""
    server = JackServer(**options)
    server.start()
    try:
        yield server
    finally:
        server.close()


@functools.cache
def _cycles():
    """The library of jack_wire.c, and JACK's; its compiler is that of the program."""
    jack = ctypes.CDLL("libjack.so.0", ctypes.RTLD_GLOBAL)
    for name in ("jack_client_open", "jack_port_register"):
        getattr(jack, name).restype = ctypes.c_void_p
    jack.jack_port_name.restype = ctypes.c_char_p
    compiler = pathlib.Path(shutil.which("swift")).resolve().parent / "clang"
    with tempfile.TemporaryDirectory() as folder:
        library = pathlib.Path(folder) / "wire.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", library, pathlib.Path(__file__).parent / "jack_wire.c"], check=True)
        return ctypes.CDLL(str(library)), jack


class _State(ctypes.Structure):
    """As in jack_wire.c."""

    _fields_ = [
        ("client", ctypes.c_void_p), ("outs", 64 * ctypes.c_void_p), ("ins", 64 * ctypes.c_void_p),
        ("out_count", ctypes.c_uint32), ("in_count", ctypes.c_uint32), ("frames", ctypes.c_uint32),
        ("sound", ctypes.c_void_p), ("recorded", ctypes.c_void_p),
        ("is_running", ctypes.c_uint32), ("place", ctypes.c_uint32), ("begin", ctypes.c_uint32),
    ]


class _Client:
    """A client of a server, closed at the end of the `with` block."""

    def __init__(self, server, name):
        self._library, self._jack = _cycles()
        os.environ["JACK_DEFAULT_SERVER"] = server.name
        status = ctypes.c_int()
        self._client = ctypes.c_void_p(self._jack.jack_client_open(name.encode(), 1, ctypes.byref(status)))
        assert self._client.value, status.value
        self._jack.jack_set_graph_order_callback(self._client, self._library.defer, None)

    def close(self):
        self._jack.jack_deactivate(self._client)
        self._jack.jack_client_close(self._client)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Wire(_Client):
    """Plays `sound` into ports and records others, in the same cycles.

    Row n of what was recorded is of the server's frame `begin` + n, as is row n of the sound. One client that both plays to a program and
    records from it makes JACK insert a period: use two.
    """

    def __init__(self, server, sound, sources, targets):
        """`sound`: frames by channels, a channel for each of `targets`; `sources`: the ports to record."""
        super().__init__(server, "wire")
        jack = self._jack
        self._sound = numpy.ascontiguousarray(sound.T, "<f4")
        self._recorded = numpy.zeros((len(sources), len(sound)), "<f4")
        outs = [self._port(b"out-%d" % number, 2) for number in range(len(targets))]
        ins = [self._port(b"in-%d" % number, 1) for number in range(len(sources))]
        self._state = _State(
            self._client, (64 * ctypes.c_void_p)(*outs), (64 * ctypes.c_void_p)(*ins), len(outs), len(ins), len(sound),
            self._sound.ctypes.data, self._recorded.ctypes.data)
        jack.jack_set_process_callback(self._client, self._library.process, ctypes.byref(self._state))
        names = [(port, jack.jack_port_name(port)) for port in (*outs, *ins)]
        links = [(port, target.encode(), name, target.encode()) for (port, name), target in zip(names, targets)]
        links += [(port, source.encode(), source.encode(), name) for (port, name), source in zip(names[len(outs):], sources)]
        assert jack.jack_activate(self._client) == 0

        def is_linked():
            """A program whose server stalls with the machine makes its ports anew."""
            return all(
                jack.jack_port_connected_to(port, other) or jack.jack_connect(self._client, source, target) == 0
                for port, other, source, target in links)

        until(is_linked, lambda: links)

    def _port(self, name, flags):
        return ctypes.c_void_p(self._jack.jack_port_register(
            self._client, name, b"32 bit float mono audio", ctypes.c_ulong(flags), ctypes.c_ulong(0)))

    @property
    def begin(self):
        return self._state.begin

    def start(self):
        self._state.is_running = 1

    def run(self):
        """Plays and records all frames, and returns what was recorded, frames by channels."""
        self.start()
        until(lambda: self._state.place == self._state.frames, lambda: f"{self._state.place} frames of {self._state.frames}")
        return self._recorded.T

class Card(_Client):
    """A client whose ports count as those of a sound card; they come and go on request, one by one."""

    _input, _output, _physical = 1, 2, 4

    def __init__(self, server, name="card", is_physical=True):
        super().__init__(server, name)
        self.name, self._ports, self._flags = name, {}, self._physical if is_physical else 0
        self._jack.jack_set_process_callback(self._client, self._library.rest, None)
        assert self._jack.jack_activate(self._client) == 0

    def _add(self, name, direction):
        port = self._jack.jack_port_register(
            self._client, name.encode(), b"32 bit float mono audio", ctypes.c_ulong(self._flags | direction), ctypes.c_ulong(0))
        assert port, name
        self._ports[name] = ctypes.c_void_p(port)

    def plug(self, name):
        """Adds an output of the card, which others play to."""
        self._add(name, self._input)

    def plug_source(self, name):
        """Adds an input of the card, which others record."""
        self._add(name, self._output)

    def pull(self, name):
        assert self._jack.jack_port_unregister(self._client, self._ports.pop(name)) == 0
