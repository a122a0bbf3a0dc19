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
from figures import figure, measured
from health import becomes_well, health
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


def seconds_until(condition):
    begin = time.monotonic()
    until(condition)
    return time.monotonic() - begin


def plays(engine, name):
    return engine.value(f"{DEVICE}/name") == name and state(engine) == "playing"


def ask(engine, is_done, address, *arguments):
    """Sends a message that selects a device, and waits until that is done. Returns False where a busy machine has taken longer to open the
    device than the engine waits, which then stays on the former one."""
    def times_given_up():
        return engine.log.count("The sound stays on") + engine.log.count("The engine still runs without a device.")

    former = times_given_up()
    engine.osc().send_message(address, list(arguments))
    return until(lambda: "done" if is_done() else times_given_up() > former and "given up", lambda: engine.log) == "done"


def select(engine, name):
    until(lambda: ask(engine, lambda: plays(engine, name), f"{DEVICE}/select", name), lambda: engine.log)


def render(engine, blocks):
    """Waits until the engine has rendered a number of further blocks."""
    before = health(engine)["blocks"]
    until(lambda: health(engine)["blocks"] > before + blocks)


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


def lose_twice(server, ramp, folder):
    """Kills the server and starts it again, twice, while a take is recorded.

    Returns the times until a loss was noticed and until the sound was back, the losses that were counted, the frames that were lost once
    the device was back, and the steps from each sample of the take to the next, frames.
    """
    noticed, back = [], []
    with Engine("--recording", ramp, "--takes", folder, *options(server), env=server.env) as engine:
        client = engine.osc()
        client.send_message("/take/source/array", True)
        until(lambda: engine.value("/take/kept") > 0.5)
        client.send_message("/take/start", [])
        take = until(lambda: engine.value("/take/current"))
        # The unsaved change is written at some time after it was made.
        open_files = until(lambda: (found := descriptors(engine)) and any(".lock" in target for target in found) and found)
        for losses in (1, 2):
            server.kill()
            noticed.append(seconds_until(lambda: state(engine) == "lost"))
            render(engine, 100)
            problem = until(lambda: engine.value(f"{DEVICE}/problem"))
            lost = engine.value(f"{DEVICE}/lost")
            until(lambda lost=lost: engine.value(f"{DEVICE}/lost") > lost)
            server.start()
            back.append(seconds_until(lambda: state(engine) == "playing"))
            print(f"noticed after {noticed[-1]:.3f} s ({problem}), back after {back[-1]:.3f} s")
            until(lambda: f"The device {server.device} plays again" in engine.log, lambda: engine.log)
            until(lambda: state(engine) == "playing" and engine.value(f"{DEVICE}/problem") == "")
            # A server that is stalled counts as lost as well.
            assert engine.value(f"{DEVICE}/losses") >= losses
        lost = engine.value(f"{DEVICE}/lost")
        render(engine, 100)
        lost = engine.value(f"{DEVICE}/lost") - lost
        until(lambda: len(descriptors(engine)) <= len(open_files), lambda: f"{open_files} before, {descriptors(engine)} after")
        until(lambda: engine.value(f"{DEVICE}/name") == server.device)
        becomes_well(engine)
        client.send_message("/take/stop", [])
        until(lambda: engine.value("/take/current") == "")
        losses = engine.value(f"{DEVICE}/losses")
    heard, _ = wave_file.read(pathlib.Path(folder) / take / "array.wav")
    return noticed, back, losses, lost, numpy.diff(heard[:, 0].astype(float) * 2 ** 24)


def test_a_server_that_is_killed_is_replaced_and_found_again(server, ramp, tmp_path):
    *_, steps = lose_twice(server, ramp, tmp_path)
    assert len(steps) > RATE and numpy.median(steps) == 1


@measured
def test_a_server_that_is_killed_costs_no_frame_of_a_take(server, ramp, tmp_path):
    noticed, back, losses, lost, steps = lose_twice(server, ramp, tmp_path)
    figure("time until the loss of a killed server is noticed", max(noticed), at_most=5, unit="s")
    figure("time until a restarted server is played to", max(back), at_most=5, unit="s")
    figure("losses of a server that is killed twice", losses, at_most=2)
    figure("frames lost after the return of a killed server", lost, at_most=0)
    # Frames that are left out or played twice.
    figure("steps in a take that are not by one frame", numpy.count_nonzero(steps != 1), at_most=0)


def hang(server):
    """Stops the server for a while. Returns the times until that was noticed and until the sound was back, and the losses counted."""
    with Engine(*options(server), env=server.env) as engine:
        render(engine, 100)
        server.signal(signal.SIGSTOP)
        try:
            noticed = seconds_until(lambda: state(engine) == "lost")
            until(lambda: "no longer requests sound" in engine.log, lambda: engine.log)
            render(engine, 200)
        finally:
            server.signal(signal.SIGCONT)
        back = seconds_until(lambda: state(engine) == "playing")
        print(f"noticed after {noticed:.3f} s, back after {back:.3f} s")
        losses = engine.value(f"{DEVICE}/losses")
        render(engine, 200)
    return noticed, back, losses


def test_a_server_that_hangs_is_replaced_and_found_again(server):
    *_, losses = hang(server)
    assert losses >= 1


@measured
def test_a_server_that_hangs_is_noticed_soon(server):
    noticed, back, losses = hang(server)
    figure("time until a server that hangs is noticed", noticed, at_most=5, unit="s")
    figure("time until a server that hung is played to", back, at_most=5, unit="s")
    figure("losses of a server that hangs once", losses, at_most=1)


def test_a_server_that_hangs_is_left_for_another_device(server):
    with Engine(*options(server), env=server.env) as engine:
        render(engine, 100)
        server.signal(signal.SIGSTOP)
        try:
            until(lambda: state(engine) == "lost")
            # The hung server itself cannot be selected, which does not hide the loss.
            engine.osc().send_message(f"{DEVICE}/select", server.device)
            until(lambda: "The engine still runs without a device." in engine.log, lambda: engine.log)
            assert state(engine) == "lost"
            engine.osc().send_message(f"{DEVICE}/select", "timer")
            until(lambda: state(engine) == "playing" and engine.value(f"{DEVICE}/name") == "timer")
            until(lambda: engine.value(f"{DEVICE}/order") == f"timer\n{server.device}")
        finally:
            server.signal(signal.SIGCONT)


def select_another_device(server):
    """Selects the timer, and the server again. Returns the losses that were counted, and the lost frames."""
    with Engine(*options(server), env=server.env) as engine:
        until(lambda: "timer\tNo sound card" in engine.value(f"{DEVICE}/available"))
        if server.device == "jack":
            until(lambda: "jack\tJACK server\t4\t48000" in engine.value(f"{DEVICE}/available"))
        for name in ("timer", server.device):
            select(engine, name)
            until(lambda: engine.value(f"{DEVICE}/order").splitlines()[0] == name)
        return engine.value(f"{DEVICE}/losses"), engine.value(f"{DEVICE}/lost")


def test_another_device_is_selected_and_the_first_one_again(server):
    select_another_device(server)


@measured
def test_another_device_is_selected_without_a_loss(server):
    losses, lost = select_another_device(server)
    figure("losses of devices that are changed", losses, at_most=0)
    figure("frames lost by devices that are changed", lost, at_most=0)


def test_a_selection_is_undone_and_redone(server):
    with Engine("--period", 256, env=server.env) as engine:
        def is_selected(address, *arguments):
            if not ask(engine, lambda: plays(engine, server.device), address, *arguments):
                take_back()
                return False
            until(lambda: engine.value("/session/undo-words") == f"Select device, engine device: timer to {server.device}")
            return True

        def take_back():
            engine.osc().send_message("/session/undo", [])
            until(lambda: plays(engine, "timer"))
            until(lambda: engine.value("/session/undo-words") == "")

        def is_repeated():
            if not is_selected(f"{DEVICE}/select", server.device):
                return False
            take_back()
            return is_selected("/session/redo")

        until(is_repeated, lambda: engine.log)


@measured
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
            figure("losses of devices of one sink that are changed", engine.value(f"{DEVICE}/losses"), at_most=0)
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
        assert played > 0
        figure("frames left out or played twice by another device", abs(played - passed), at_most=3 * 4 * 256)
    assert 4 <= len(silences) <= 8, silences
    figure("silence of the change to another device", 1000 * max(silences), at_most=100, unit="ms")


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
        select(engine, server.device)
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
            assert state(engine) == "lost"
            becomes_well(engine)
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
                until(lambda: ask(engine, lambda: reason in engine.log, f"{DEVICE}/select", name), lambda: engine.log)
                until(lambda: plays(engine, "alsa:default"))
            assert not list(tmp_path.iterdir())
            engine.osc().send_message(f"{DEVICE}/order", "alsa:default\nspeaker")
            until(lambda: f'{DEVICE}/order: there is no device "speaker"' in engine.log, lambda: engine.log)


def test_a_device_that_is_a_file_cannot_be_exchanged(ramp, tmp_path):
    with Engine("--recording", ramp, "--device", f"file:{tmp_path}/out.wav", wait=False) as engine:
        engine.wait_until_ready()
        engine.osc().send_message(f"{DEVICE}/select", "timer")
        until(lambda: "the engine renders to a file, which cannot be changed" in engine.log or engine.process.poll() == 0)
        assert engine.process.poll() == 0 or "which cannot be changed" in engine.log
