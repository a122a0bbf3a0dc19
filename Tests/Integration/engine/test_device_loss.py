"""Sound servers that are killed, hang and come back while the engine plays, and the choice of another device."""

import contextlib
import os
import pathlib
import signal
import time

import jack_server
import numpy
import pulse_sink
import pytest

import wave_file
from program import Engine
from waiting import holds, until

RATE = 48_000
DEVICE = "/engine/device"


class Pulse:
    """PulseAudio, as the engine reaches it by ALSA."""

    device = "alsa:default"

    def __init__(self, sink):
        self.env, self.kill, self.start, self._sink = sink.env, sink.kill, sink.start, sink

    def signal(self, number):
        self._sink.server.send_signal(number)


class Jack:
    """A JACK server with its dummy driver."""

    device = "jack"

    def __init__(self, server):
        self.env, self.start, self._server = server.env, server.start, server

    def kill(self):
        self._server.stop(signal.SIGKILL)

    def signal(self, number):
        self._server.process.send_signal(number)


@pytest.fixture(params=["pulse", "jack"])
def server(request):
    with contextlib.ExitStack() as stack:
        if request.param == "pulse":
            if not pulse_sink.available():
                pytest.skip("needs pulseaudio, pulseaudio-utils, libasound2-plugins")
            yield Pulse(stack.enter_context(pulse_sink.pulse_sink()))
        else:
            if not jack_server.available():
                pytest.skip("needs jackd2")
            yield Jack(stack.enter_context(jack_server.jack_server(period=256)))


@pytest.fixture
def ramp(tmp_path):
    """A recording of 40 s whose samples count their frames."""
    frames = numpy.arange(40 * RATE, dtype="<f4") / 2 ** 24
    wave_file.write(tmp_path / "ramp.wav", numpy.repeat(frames[:, None], 4, axis=1))
    return tmp_path / "ramp.wav"


def state(engine):
    return engine.value(f"{DEVICE}/state")


def measured(condition, seconds=5):
    """Seconds until a condition holds."""
    begin = time.monotonic()
    until(condition, seconds)
    return time.monotonic() - begin


def descriptors(engine):
    """The targets of the open descriptors, sorted; sockets and pipes without their numbers.

    Those of libjack for another client, such as jack_lsp, are left out: it keeps them until another one takes that client's place.
    """
    folder = pathlib.Path(f"/proc/{engine.process.pid}/fd")
    found = []
    for descriptor in folder.iterdir():
        # One may be closed while the folder is read.
        with contextlib.suppress(OSError):
            found.append(os.readlink(descriptor).split("[")[0])
    return sorted(target for target in found if "_lsp" not in target)


def options(server, *more):
    return ["--device", server.device, "--period", 256, "--periods", 4, *more]


def test_a_server_that_is_killed_is_replaced_and_found_again(server, ramp, tmp_path):
    with Engine("--recording", ramp, "--takes", tmp_path, *options(server), env=server.env) as engine:
        client = engine.osc()
        client.send_message("/take/source/array", True)
        until(lambda: engine.value("/take/kept") > 0.5)
        client.send_message("/take/start", [])
        take = until(lambda: engine.value("/take/current"))
        # The unsaved change is written at some time after it was made.
        open_files = until(lambda: (found := descriptors(engine)) and any(".lock" in target for target in found) and found)
        for losses in (1, 2):
            server.kill()
            noticed = measured(lambda: state(engine) == "lost")
            blocks = engine.get("/health")["blocks"]
            until(lambda: engine.get("/health")["blocks"] > blocks + 100)
            problem = until(lambda: engine.value(f"{DEVICE}/problem"))
            lost = engine.value(f"{DEVICE}/lost")
            until(lambda: engine.value(f"{DEVICE}/lost") > lost)
            server.start()
            back = measured(lambda: state(engine) == "playing")
            print(f"noticed after {noticed:.3f} s ({problem}), back after {back:.3f} s, lost {engine.value(f'{DEVICE}/lost')} frames")
            assert engine.value(f"{DEVICE}/losses") == losses and engine.value(f"{DEVICE}/problem") == ""
            until(lambda: f"The device {server.device} plays again" in engine.value("/engine/notice"))
        lost = engine.value(f"{DEVICE}/lost")
        holds(lambda: engine.value(f"{DEVICE}/lost") == lost)
        until(lambda: len(descriptors(engine)) <= len(open_files), lambda: f"{open_files} before, {descriptors(engine)} after")
        assert engine.value(f"{DEVICE}/name") == server.device and engine.get("/health")["status"] == "ok"
        client.send_message("/take/stop", [])
        until(lambda: engine.value("/take/current") == "")
    heard, _ = wave_file.read(pathlib.Path(tmp_path) / take / "array.wav")
    steps = numpy.diff(heard[:, 0].astype(float) * 2 ** 24)
    # Without a frame that is left out or played twice.
    assert len(steps) > RATE and set(numpy.unique(steps)) == {1.0}


def test_a_server_that_hangs_is_replaced_and_found_again(server):
    with Engine(*options(server), env=server.env) as engine:
        until(lambda: engine.get("/health")["blocks"] > 100)
        server.signal(signal.SIGSTOP)
        try:
            noticed = measured(lambda: state(engine) == "lost")
            assert "no longer requests sound" in engine.log
            blocks = engine.get("/health")["blocks"]
            until(lambda: engine.get("/health")["blocks"] > blocks + 200)
        finally:
            server.signal(signal.SIGCONT)
        back = measured(lambda: state(engine) == "playing")
        print(f"noticed after {noticed:.3f} s, back after {back:.3f} s")
        assert engine.value(f"{DEVICE}/losses") == 1
        blocks = engine.get("/health")["blocks"]
        until(lambda: engine.get("/health")["blocks"] > blocks + 200)


def test_a_server_that_hangs_is_left_for_another_device(server):
    with Engine(*options(server), env=server.env) as engine:
        until(lambda: engine.get("/health")["blocks"] > 100)
        server.signal(signal.SIGSTOP)
        try:
            until(lambda: state(engine) == "lost")
            # The hung server itself cannot be selected, which does not hide the loss.
            engine.osc().send_message(f"{DEVICE}/select", server.device)
            until(lambda: engine.value("/engine/notice").endswith("The engine still runs without a device."))
            assert state(engine) == "lost"
            engine.osc().send_message(f"{DEVICE}/select", "timer")
            until(lambda: state(engine) == "playing" and engine.value(f"{DEVICE}/name") == "timer")
            assert engine.value(f"{DEVICE}/order") == f"timer\n{server.device}"
        finally:
            server.signal(signal.SIGCONT)


def test_another_device_is_selected_and_the_first_one_again(server):
    with Engine(*options(server), env=server.env) as engine:
        client = engine.osc()
        until(lambda: "timer\tNo sound card" in engine.value(f"{DEVICE}/available"))
        if server.device == "jack":
            assert "jack\tJACK server\t4\t48000" in engine.value(f"{DEVICE}/available")
        for name in ("timer", server.device):
            client.send_message(f"{DEVICE}/select", name)
            until(lambda: engine.value(f"{DEVICE}/name") == name and state(engine) == "playing")
            assert engine.value(f"{DEVICE}/order").splitlines()[0] == name
        assert engine.value(f"{DEVICE}/losses") == 0 and engine.value(f"{DEVICE}/lost") == 0


def test_a_selection_is_undone_and_redone(server):
    with Engine("--period", 256, env=server.env) as engine:
        client = engine.osc()

        def plays(name):
            until(lambda: engine.value(f"{DEVICE}/name") == name and state(engine) == "playing")

        client.send_message(f"{DEVICE}/select", server.device)
        plays(server.device)
        until(lambda: engine.value("/session/undo-words") == f"Select device, engine device: timer to {server.device}")
        client.send_message("/session/undo", [])
        plays("timer")
        until(lambda: engine.value("/session/undo-words") == "")
        client.send_message("/session/redo", [])
        plays(server.device)
        assert engine.value("/session/undo-words") == f"Select device, engine device: timer to {server.device}"


@pytest.mark.skipif(not pulse_sink.available(), reason="needs pulseaudio, pulseaudio-utils, libasound2-plugins")
def test_the_change_to_another_device_is_silent_for_less_than_100_ms(ramp):
    """Two devices play into one sink, whose monitor hears both. The samples of the recording are the numbers of its frames."""
    with pulse_sink.pulse_sink() as sink:
        with Engine(
            "--recording", ramp, "--method", "nearest", "--device", "alsa:default", "--period", 256, "--periods", 4, env=sink.env
        ) as engine:
            until(lambda: "alsa:second" in engine.value(f"{DEVICE}/available"))
            silences = []
            with sink.record() as recording:
                for name in ("alsa:second", "alsa:default", "alsa:second", "alsa:default"):
                    heard = len(recording.bytes)
                    until(lambda: len(recording.bytes) > heard + RATE * 8 // 2)
                    engine.osc().send_message(f"{DEVICE}/select", name)
                    until(lambda: engine.value(f"{DEVICE}/name") == name and state(engine) == "playing")
                    heard = len(recording.bytes)
                    until(lambda: len(recording.bytes) > heard + RATE * 8 // 2)
            assert engine.value(f"{DEVICE}/losses") == 0
    numbers = numpy.frombuffer(recording.bytes, "<f4").reshape(-1, 2)[:, 0].astype(float) * 2 ** 24
    numbers = numbers[numpy.argmax(numbers > 0.5):]
    # Frames of the recording that follow each other are sound at full level; anything else is a fade or silence.
    steady = numpy.flatnonzero(numpy.abs(numpy.diff(numbers) - 1) < 0.5)
    for at in numpy.flatnonzero(numpy.diff(steady) > 1):
        last, first = steady[at] + 1, steady[at + 1]
        silences.append((first - last) / RATE)
        played, passed = numbers[first] - numbers[last], first - last
        print(f"not at full level for {1000 * silences[-1]:.1f} ms; the recording has gone on by {1000 * played / RATE:.1f} ms")
        # It continues from where it was: what the previous device had in its buffer is not heard, and nothing is heard twice.
        assert 0 < played and abs(played - passed) < 3 * 4 * 256
    assert 4 <= len(silences) <= 8 and max(silences) < 0.1, silences


def test_the_better_device_is_returned_to(server):
    """A session prefers a device that is not there at its start."""
    server.kill()
    with Engine("--period", 256, env=server.env) as engine:
        engine.osc().send_message(f"{DEVICE}/order", f"{server.device}\ntimer")
        holds(lambda: engine.value(f"{DEVICE}/name") == "timer" and state(engine) == "playing")
        server.start()
        until(lambda: engine.value(f"{DEVICE}/name") == server.device)


def test_sessions_keep_the_order_of_devices(server, tmp_path):
    sessions = ["--sessions", tmp_path, "--period", 256]
    with Engine(*sessions, env=server.env) as engine:
        engine.osc().send_message(f"{DEVICE}/select", server.device)
        until(lambda: engine.value(f"{DEVICE}/name") == server.device)
        engine.osc().send_message("/session/save-as", "devices")
        until(lambda: engine.value("/session/name") == "devices")
    with Engine(*sessions, "devices", env=server.env) as engine:
        until(lambda: engine.value(f"{DEVICE}/name") == server.device)
    with Engine(*sessions, "devices", "--device", "timer", env=server.env) as engine:
        assert engine.value(f"{DEVICE}/order") == f"timer\n{server.device}"
        holds(lambda: engine.value(f"{DEVICE}/name") == "timer")


@pytest.mark.skipif(not jack_server.available(), reason="needs jackd2")
def test_a_server_of_another_rate_is_explained_until_it_has_the_right_one():
    with jack_server.jack_server(period=256) as server:
        with Engine("--device", "jack", env=server.env) as engine:
            server.stop(signal.SIGKILL)
            server.rate = 44_100
            server.start()
            until(lambda: "The JACK server runs at 44100 frames per second, the engine at 48000." in engine.value(f"{DEVICE}/problem"))
            assert state(engine) == "lost" and engine.get("/health")["status"] == "ok"
            server.stop()
            server.rate = RATE
            server.start()
            until(lambda: state(engine) == "playing")


@pytest.mark.skipif(not pulse_sink.available(), reason="needs pulseaudio, pulseaudio-utils, libasound2-plugins")
def test_a_device_that_cannot_be_used_is_refused_and_the_sound_stays(tmp_path):
    with pulse_sink.pulse_sink() as sink:
        with Engine("--device", "alsa:default", "--period", 256, "--periods", 4, env=sink.env) as engine:
            until(lambda: "alsa:" in engine.value(f"{DEVICE}/available"))
            for name, reason in [
                ("speaker", 'there is no device "speaker"; available: timer'),
                ("alsa:nothing", 'there is no device "alsa:nothing"; available: timer'),
                (f"alsa:tee:default,'{tmp_path}/sound.raw',raw", "and cards by their number, such as alsa:hw:0,0"),
                (f"file:{tmp_path}/sound.wav", "only the command line renders to a file"),
                ("alsa:hw:7", 'There is no ALSA device "hw:7" to play.'),
                ("alsa:null", 'The ALSA device "null" accepts sound without playing it'),
            ]:
                engine.osc().send_message(f"{DEVICE}/select", name)
                until(lambda: reason in engine.log, lambda: engine.log)
                until(lambda: engine.value(f"{DEVICE}/name") == "alsa:default" and state(engine) == "playing")
            assert not list(tmp_path.iterdir())
            engine.osc().send_message(f"{DEVICE}/order", "alsa:default\nspeaker")
            until(lambda: engine.value("/engine/notice").startswith(f'{DEVICE}/order: there is no device "speaker"'))


def test_a_device_that_is_a_file_cannot_be_exchanged(ramp, tmp_path):
    with Engine("--recording", ramp, "--device", f"file:{tmp_path}/out.wav", wait=False) as engine:
        engine.wait_until_ready()
        engine.osc().send_message(f"{DEVICE}/select", "timer")
        until(lambda: "the engine renders to a file, which cannot be changed" in engine.log or engine.process.poll() == 0)
        assert engine.process.poll() == 0 or "which cannot be changed" in engine.log
