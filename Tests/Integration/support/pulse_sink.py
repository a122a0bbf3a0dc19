"""A sound card for machines that have none: a private PulseAudio server with a null sink, reached through ALSA.

The sink is paced in real time, and its monitor is the other end of the wire:

    with pulse_sink() as sink:
        engine = subprocess.Popen([..., "--device", "alsa:default"], env=sink.env)  # alsa:monitor captures
        with sink.record() as recording:
            until(lambda: len(recording.bytes) > 8 * 48_000)
        frames = struct.unpack(...)  # recording.bytes: 32-bit float, little-endian, left, right, left, right ...

Needs Debian's pulseaudio, pulseaudio-utils and libasound2-plugins. Nothing outside a temporary folder is touched.
"""

import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading

from waiting import until

# norewinds: otherwise an unused sink sleeps for up to two seconds before it starts.
SINK = "module-null-sink sink_name={name} format=float32le rate={rate} channels={channels} channel_map={places} norewinds=1"
# PulseAudio's own map of four channels has a centre, which ALSA's has not.
PLACES = ["front-left", "front-right", "rear-left", "rear-right"]

# Without handle_underrun the plugin hides underruns from the playing program.
ASOUNDRC = """</usr/share/alsa/alsa.conf>
pcm.!default {{ type pulse device {name} handle_underrun 1 }}
ctl.!default {{ type pulse }}
pcm.second {{ type pulse device {name} handle_underrun 1 hint {{ show on description "The same sink" }} }}
pcm.monitor {{ type pulse device {name}.monitor }}
"""


def available():
    """Returns whether the required programs are installed."""
    return all(shutil.which(program) for program in ("pulseaudio", "pactl", "parec"))


class Recording:
    """The output of a monitor; `bytes` is complete after the `with` block."""

    def __init__(self, process):
        self._process = process
        self._chunks = []
        self._arrived = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        while chunk := self._process.stdout.read1(65536):
            self._chunks.append(chunk)
            self._arrived.set()

    def wait(self, timeout=60):
        """Returns when the first data has arrived; a monitor sends silence too."""
        if not self._arrived.wait(timeout):
            raise TimeoutError("the monitor sends nothing")

    @property
    def bytes(self):
        return b"".join(self._chunks)

    def _stop(self):
        self._process.terminate()
        self._process.wait(timeout=60)
        self._thread.join(timeout=60)


class PulseSink:
    """A server with one null sink.

    `env`: the environment in which `alsa:default` is the sink, and `alsa:second` the same one under another name. `rate`: its frames
    per second. `server`: the process.
    """

    def __init__(self, folder, name, rate, channels):
        self.name, self.rate, self.channels = name, rate, channels
        self.socket = folder / "native"
        configuration = folder / "asound.conf"
        configuration.write_text(ASOUNDRC.format(name=name))
        self.env = dict(
            os.environ, HOME=str(folder), XDG_RUNTIME_DIR=str(folder), XDG_CONFIG_HOME=str(folder), PULSE_RUNTIME_PATH=str(folder),
            PULSE_STATE_PATH=str(folder), PULSE_SERVER=f"unix:{self.socket}", ALSA_CONFIG_PATH=str(configuration))
        self.server = None

    def start(self):
        """Starts the server, also after `kill`."""
        self.socket.unlink(missing_ok=True)
        sink = SINK.format(name=self.name, rate=self.rate, channels=self.channels, places=",".join(PLACES[:self.channels]))
        self.server = subprocess.Popen(
            ["pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--log-target=stderr",
             "--log-level=error", "-L", sink, "-L", f"module-native-protocol-unix auth-anonymous=1 socket={self.socket}"],
            env=self.env, stderr=subprocess.DEVNULL)
        until(lambda: self.name in self._sinks(), lambda: f"sinks: {self._sinks()!r}")

    def kill(self):
        self.server.kill()
        self.server.wait(timeout=60)

    def _sinks(self):
        assert self.server.poll() is None, f"pulseaudio ended with {self.server.returncode}"
        return subprocess.run(["pactl", "list", "short", "sinks"], env=self.env, capture_output=True, text=True).stdout

    @contextlib.contextmanager
    def record(self):
        """Records the sink's monitor in 32-bit floats during the `with` block."""
        process = subprocess.Popen(
            ["parec", "-d", f"{self.name}.monitor", "--raw", "--format=float32le", f"--rate={self.rate}",
             f"--channels={self.channels}",
             f"--channel-map={','.join(PLACES[:self.channels])}", "--latency-msec=20"],
            env=self.env, stdout=subprocess.PIPE)
        recording = Recording(process)
        try:
            recording.wait()
            yield recording
        finally:
            recording._stop()


@contextlib.contextmanager
def pulse_sink(name="vestibule", rate=48000, channels=2):
    """Runs a server with one null sink during the `with` block."""
    with tempfile.TemporaryDirectory(prefix="pulse-") as folder:
        sink = PulseSink(pathlib.Path(folder), name, rate, channels)
        try:
            sink.start()
            yield sink
        finally:
            if sink.server:
                sink.kill()
