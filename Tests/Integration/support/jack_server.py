"""A JACK server without a sound card: `jackd` with its dummy driver, under its own name.

    with jack_server() as server:
        engine = subprocess.Popen([..., "--device", "jack"], env=server.env)
        assert "vestibule:listener-1-left" in server.ports()
        frames = server.capture(["vestibule:listener-1-left"], 48_000)

Needs Debian's jackd2. The driver is paced in real time and has no sound; other clients supply and record it.
"""

import contextlib
import ctypes
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import threading
import uuid

import numpy

from waiting import LIMIT, until


def available():
    """Returns whether the required programs are installed."""
    return all(shutil.which(program) for program in ("jackd", "jack_lsp"))


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
        """Waits until no other test has a server: all servers of a user share metadata. The lock is a name that ends with the process."""
        self._turn = socket.socket(socket.AF_UNIX)

        def is_free():
            try:
                self._turn.bind(f"\0vestibule-tests-jack-{os.getuid()}")
            except OSError:
                return False
            return True

        until(is_free, seconds=600)

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
            # A client that is kept waiting for a while is not thrown out.
            ["jackd", "-r", "-t", "60000", "-n", self.name, *self.options, "-d", "dummy", "-r", str(self.rate), "-p", str(self.period),
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
        try:
            result = subprocess.run(["jack_lsp", *options], env=self.env, capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired as stuck:
            raise AssertionError("jack_lsp got no answer: is /dev/shm/jack_db-* locked by a client that was killed?") from stuck
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


class Wire:
    """A client of its own that plays `sounds` into ports and records others, in the same cycles.

    `recorded` has a row per frame; its row n is of the server's frame `begin` + n, as is row n of the sound. One client that both
    plays to a program and records from it makes JACK insert a period: use two.
    """

    _process_type = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint32, ctypes.c_void_p)

    def __init__(self, server, sound, sources, targets):
        """`sound`: frames by channels, a channel for each of `targets`; `sources`: the ports to record."""
        self._jack = jack = ctypes.CDLL("libjack.so.0")
        for name in ("jack_client_open", "jack_port_register", "jack_port_get_buffer"):
            getattr(jack, name).restype = ctypes.c_void_p
        jack.jack_last_frame_time.restype = ctypes.c_uint32
        jack.jack_port_name.restype = ctypes.c_char_p
        os.environ["JACK_DEFAULT_SERVER"] = server.name
        status = ctypes.c_int()
        self._client = ctypes.c_void_p(jack.jack_client_open(b"wire", 1, ctypes.byref(status)))
        assert self._client.value, status.value
        self._sound = numpy.ascontiguousarray(sound, "<f4")
        self.recorded = numpy.zeros((len(sound), len(sources)), "<f4")
        self._place = 0
        self.begin = None
        self._done = threading.Event()
        kind = b"32 bit float mono audio"
        self._outs = [
            ctypes.c_void_p(jack.jack_port_register(self._client, b"out-%d" % i, kind, ctypes.c_ulong(2), ctypes.c_ulong(0)))
            for i in range(len(targets))]
        self._ins = [
            ctypes.c_void_p(jack.jack_port_register(self._client, b"in-%d" % i, kind, ctypes.c_ulong(1), ctypes.c_ulong(0)))
            for i in range(len(sources))]
        self._callback = self._process_type(self._process)
        jack.jack_set_process_callback(self._client, self._callback, None)
        links = [(port, target.encode(), jack.jack_port_name(port), target.encode()) for port, target in zip(self._outs, targets)]
        links += [(port, source.encode(), source.encode(), jack.jack_port_name(port)) for port, source in zip(self._ins, sources)]
        self._running = False
        assert jack.jack_activate(self._client) == 0

        def is_linked():
            """A program whose server stalls with the machine makes its ports anew."""
            return all(
                jack.jack_port_connected_to(port, other) or jack.jack_connect(self._client, source, target) == 0
                for port, other, source, target in links)

        until(is_linked, lambda: links)

    def _view(self, port, frames):
        address = self._jack.jack_port_get_buffer(port, ctypes.c_uint32(frames))
        return numpy.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(ctypes.c_float)), (frames,))

    def _process(self, frames, _):
        count = max(0, min(frames, len(self._sound) - self._place)) if self._running else 0
        if count and self.begin is None:
            self.begin = self._jack.jack_last_frame_time(self._client)
        for channel, port in enumerate(self._outs):
            view = self._view(port, frames)
            view[:] = 0
            view[:count] = self._sound[self._place:self._place + count, channel]
        for channel, port in enumerate(self._ins):
            self.recorded[self._place:self._place + count, channel] = self._view(port, frames)[:count]
        self._place += count
        if self._running and self._place == len(self._sound):
            self._done.set()
        return 0

    def start(self):
        self._running = True

    def run(self, seconds=LIMIT):
        """Plays and records all frames, and returns what was recorded."""
        self.start()
        assert self._done.wait(seconds), f"{self._place} frames of {len(self._sound)}"
        return self.recorded

    def close(self):
        self._jack.jack_deactivate(self._client)
        self._jack.jack_client_close(self._client)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Card:
    """A client whose ports count as those of a sound card; they come and go on request, one by one."""

    _process_type = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint32, ctypes.c_void_p)
    _input, _output, _physical = 1, 2, 4

    def __init__(self, server, name="card", is_physical=True):
        self._jack = jack = ctypes.CDLL("libjack.so.0")
        for function in ("jack_client_open", "jack_port_register"):
            getattr(jack, function).restype = ctypes.c_void_p
        os.environ["JACK_DEFAULT_SERVER"] = server.name
        self.name, self._ports, self._flags = name, {}, self._physical if is_physical else 0
        status = ctypes.c_int()
        self._client = ctypes.c_void_p(jack.jack_client_open(name.encode(), 1, ctypes.byref(status)))
        assert self._client.value, status.value
        self._callback = self._process_type(lambda frames, _: 0)
        jack.jack_set_process_callback(self._client, self._callback, None)
        assert jack.jack_activate(self._client) == 0

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

    def close(self):
        self._jack.jack_deactivate(self._client)
        self._jack.jack_client_close(self._client)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
