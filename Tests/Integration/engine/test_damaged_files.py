"""Files that cannot be opened, read or believed: the engine refuses them, continues meanwhile, and takes a good one afterwards."""

import contextlib
import os
import struct
import threading
import time
import urllib.error
import urllib.request

import netCDF4
import numpy
import pytest
from websockets.sync.client import connect

import sphere_head
import wave_file
from figures import figure, measured
from health import health
from program import Engine
from seeds import chooser
from waiting import until

RACK = '{"version": 1, "slots": [{"effect": "tremolo"}]}'


class Prober(threading.Thread):
    """Asks /health all the time, and keeps the longest answers."""

    def __init__(self, engine):
        super().__init__(daemon=True)
        self.url = engine.url + "/health"
        self.seconds = []
        self.over = threading.Event()
        self.start()

    def run(self):
        while not self.over.wait(0.01):
            begin = time.monotonic()
            # An engine that has rendered nothing for a second answers with an error.
            with contextlib.suppress(urllib.error.HTTPError), urllib.request.urlopen(self.url, timeout=60) as answer:
                answer.read()
            self.seconds.append(time.monotonic() - begin)

    def longest(self):
        """Seconds that the longest answer took."""
        until(lambda: len(self.seconds) >= 10)
        self.over.set()
        self.join()
        return max(self.seconds)


@pytest.fixture
def place(tmp_path):
    """Folders of sounds, sessions and presets, each with something good in it."""
    for name in ("sounds", "sessions", "presets"):
        (tmp_path / name).mkdir()
    tone = 0.3 * numpy.sin(numpy.arange(4800) * 0.05)
    wave_file.write(tmp_path / "sounds/good.wav", tone)
    wave_file.write(tmp_path / "good.wav", numpy.stack([tone] * 8, 1))
    (tmp_path / "sessions/good.json").write_text('{"version": 2, "parameters": {"/listener/1/gain": -7}}')
    for name in ("good", "bad"):
        (tmp_path / f"presets/{name}.json").write_text(RACK)
    return tmp_path


@pytest.fixture
def engine(place):
    with Engine(
            "--recording", place / "good.wav", "--objects", "1", "--sounds", place / "sounds", "--sessions", place / "sessions",
            "--presets", place / "presets", "--autosave", "0", "--allow-path", place) as running:
        yield running
        # The first signal ends the program, whatever it has been asked to read.
        assert running.stop() == 0, running.log


def header(rate, channels, bytes_of_data, bits=16):
    block = channels * bits // 8
    form = struct.pack("<HHIIHH", 1, channels, rate, rate * block % 2**32, block, bits)
    return (b"RIFF" + struct.pack("<I", min(bytes_of_data + 36, 2**32 - 1)) + b"WAVEfmt " + struct.pack("<I", 16) + form
            + b"data" + struct.pack("<I", min(bytes_of_data, 2**32 - 1)))


def fifo(path, channels):
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    return "FIFO"


def fast(path, channels):
    path.write_bytes(header(1_000_000_000, channels, 4000) + bytes(4000))
    return "sample rate of 1000000000 Hz"


def short(path, channels):
    """4 kB that claim up to 2e9 frames of 8 bits: libsndfile corrects the length, so what is there is read."""
    path.write_bytes(header(48_000, channels, min(2_000_000_000 * channels, 3_900_000_000), bits=8) + bytes(4000))
    return "truncated"


def sparse(path, channels):
    """2e9 frames that take 4 kB of the disk."""
    path.write_bytes(header(48_000, channels, 2_000_000_000 * channels, bits=8))
    os.truncate(path, 44 + min(2_000_000_000 * channels, 2**32 - 100))
    return "may last at most"


class Recording:
    channels, good = 8, "good.wav"
    damages = [fifo, fast, short]

    def path(self, place):
        return place / "bad.wav"

    def send(self, client, place, name):
        client.send_message("/session/recording", str(place / name))

    def is_good(self, engine, place):
        return engine.value("/session/recording") == str(place / "good.wav") and engine.value("/transport/duration") == pytest.approx(0.1)


class Response(Recording):
    channels = 2
    damages = [fifo, fast, short, sparse]

    def send(self, client, place, name):
        client.send_message("/rack/input/clear", [])
        client.send_message("/rack/input/add", "convolution")
        client.send_message("/rack/input/slot/1/convolution/response", str(place / "sounds" / name))

    def path(self, place):
        return place / "sounds/bad.wav"

    def is_good(self, engine, place):
        return engine.value("/rack/input/slot/1/state") == "ready: good.wav"


class Source(Response):
    channels = 1

    def send(self, client, place, name):
        client.send_message("/object/1/source", name)

    def is_good(self, engine, place):
        return engine.value("/object/1/state").startswith("ready") and engine.value("/object/1/source") == "good.wav"


class Session(Recording):
    good = "good"
    damages = [fifo]

    def path(self, place):
        return place / "sessions/bad.json"

    def send(self, client, place, name):
        client.send_message("/session/load", name.removesuffix(".wav"))
        # As if done in order: the load would otherwise undo this.
        client.send_message("/input/gain", -3.0)

    def is_good(self, engine, place):
        return engine.value("/session/name") == "good" and engine.value("/listener/1/gain") == -7 and engine.value("/input/gain") == -3


class Preset(Recording):
    good = "good"
    damages = [fifo]

    def path(self, place):
        return place / "presets/bad.json"

    def send(self, client, place, name):
        client.send_message("/rack/recording/preset", name.removesuffix(".wav"))

    def is_good(self, engine, place):
        return engine.value("/rack/recording/title") == "good"


class Rack(Preset):
    def send(self, client, place, name):
        client.send_message("/rack/recording/load", str(place / "presets" / f"{name.removesuffix('.wav')}.json"))


class Head(Recording):
    good = ""
    damages = [fifo]

    def path(self, place):
        return place / "bad.wav"

    def send(self, client, place, name):
        client.send_message("/listener/1/hrtf", str(place / name) if name else "")

    def is_good(self, engine, place):
        return engine.value("/listener/1/hrtf") == ""


CASES = [(kind, damage) for kind in (Recording, Response, Source, Session, Preset, Rack, Head) for damage in kind.damages]


def refuse(engine, place, kind, damage):
    """Sends a damaged file, and waits until it is refused."""
    words = damage(kind.path(place), kind.channels)
    kind.send(engine.osc(), place, "bad.wav")
    until(lambda: words in engine.log, lambda: engine.log)


def accept(engine, place, kind):
    kind.send(engine.osc(), place, kind.good)
    until(lambda: kind.is_good(engine, place), lambda: engine.log)


every_case = pytest.mark.parametrize("kind, damage", CASES, ids=[f"{kind.__name__}-{damage.__name__}" for kind, damage in CASES])


@every_case
def test_damaged_file(engine, place, kind, damage):
    refuse(engine, place, kind(), damage)
    blocks = health(engine)["blocks"]
    until(lambda: health(engine)["blocks"] > blocks)
    accept(engine, place, kind())


@contextlib.contextmanager
def probed(engine):
    """Records, around what is done, how long the engine keeps others waiting: an engine that waits for a file answers none."""
    prober = Prober(engine)
    yield
    figure("longest answer beside a damaged file", prober.longest(), at_most=1, unit="s")


def record_turns_and_end(engine):
    """Records the longest turns of the control thread, of which those below 20 ms are not logged, and how long the end takes."""
    turns = engine.longest_turns()
    figure("longest turn beside a damaged file, computing", max((computing for _, computing in turns), default=0), at_most=20, unit="ms")
    figure("longest turn beside a damaged file, in all", max((whole for whole, _ in turns), default=0), at_most=1000, unit="ms")
    begin = time.monotonic()
    engine.stop()
    figure("end after a damaged file", time.monotonic() - begin, at_most=3, unit="s")


@measured
@every_case
def test_a_damaged_file_holds_nothing_up(engine, place, kind, damage):
    with probed(engine):
        refuse(engine, place, kind(), damage)
    accept(engine, place, kind())
    record_turns_and_end(engine)


def test_the_client_that_asked_is_told(engine, place):
    from pythonosc.osc_message_builder import OscMessageBuilder

    fifo(place / "bad.wav", 8)
    builder = OscMessageBuilder("/session/recording")
    builder.add_arg(str(place / "bad.wav"))
    with connect(engine.socket_url, subprotocols=None) as client:
        client.send(builder.build().dgram)
        until(lambda: isinstance(answer := client.recv(timeout=60), str) and "FIFO" in answer)


def refuse_a_huge_session(engine, place):
    with open(place / "sessions/bad.json", "w") as file:
        file.write('{"version": 2, "parameters": {')
        file.write(",".join(f'"/unknown/{number}": 0.125' for number in range(1_600_000)))
        file.write("}}")
    assert (place / "sessions/bad.json").stat().st_size > 40_000_000
    Session().send(engine.osc(), place, "bad")
    until(lambda: "at most 8388608" in engine.log, lambda: engine.log)


def test_a_huge_session_is_refused(engine, place):
    refuse_a_huge_session(engine, place)
    accept(engine, place, Session())


@measured
def test_a_huge_session_holds_nothing_up(engine, place):
    with probed(engine):
        refuse_a_huge_session(engine, place)
    record_turns_and_end(engine)


damages_of_hrtfs = pytest.mark.parametrize(
    "field, value, words", [("Data.Delay", 1e30, "a delay is"), ("Data.IR", 3e38, "a sample is")])


def refuse_an_hrtf(engine, place, field, value, words):
    path = sphere_head.write_sphere(place / "bad.sofa", 0.0875, step=15)
    with netCDF4.Dataset(path, "r+") as file:
        file[field][:] = value
    client = engine.osc()
    # The file that comes without one of the listener's own is there before: it would take the place of the one that has been refused.
    client.send_message("/listener/1/method", "hrtf")
    until(lambda: engine.value("/listener/1/hrtf-state").startswith("ready"))
    client.send_message("/listener/1/hrtf", str(path))
    until(lambda: words in engine.log, lambda: engine.log)
    until(lambda: engine.value("/listener/1/hrtf-state").startswith("failed"))


@damages_of_hrtfs
def test_damaged_hrtf(engine, place, field, value, words):
    refuse_an_hrtf(engine, place, field, value, words)
    client = engine.osc()
    client.send_message("/listener/1/method", "nearest")
    client.send_message("/listener/1/hrtf", "")
    until(lambda: engine.value("/listener/1/hrtf") == "")


@measured
@damages_of_hrtfs
def test_a_damaged_hrtf_holds_nothing_up(engine, place, field, value, words):
    with probed(engine):
        refuse_an_hrtf(engine, place, field, value, words)
    record_turns_and_end(engine)


def test_a_damaged_hrtf_of_objects_gives_way_to_the_one_before(engine, place):
    good, bad = (sphere_head.write_sphere(place / name, 0.0875, step=15) for name in ("ears.sofa", "worse.sofa"))
    with netCDF4.Dataset(bad, "r+") as file:
        file["Data.IR"][:] = numpy.nan
    client = engine.osc()
    for number in (1, 2):
        client.send_message("/listener/1/hrtf", str(good))
        until(lambda: engine.value("/listener/1/hrtf-state").startswith("ready"))
        client.send_message("/listener/1/hrtf", str(bad))
        until(lambda: engine.value("/listener/1/hrtf-state").startswith("failed"))
        until(lambda: engine.value("/listener/1/hrtf") == str(good))
    client.send_message("/listener/1/hrtf", "")
    until(lambda: engine.value("/listener/1/hrtf-state") == "")


def poison(path, rng):
    """Random bytes into the samples of a file that is open."""
    size = path.stat().st_size
    with open(path, "r+b") as file:
        file.seek(44)
        file.write(rng.randbytes(size - 44))


def poison_what_plays(engine, place):
    samples = numpy.stack([0.1 * numpy.sin(numpy.arange(96_000) * 0.02)] * 8, 1)
    wave_file.write(place / "long.wav", samples)
    client = engine.osc()
    client.send_message("/session/recording", str(place / "long.wav"))
    client.send_message("/transport/play", [])
    until(lambda: engine.value("/session/recording") == str(place / "long.wav"))
    # The whole file is read once for the overview.
    until(lambda: engine.value("/transport/overview") > 0)
    poison(place / "long.wav", chooser(1))
    until(lambda: "samples are beyond" in engine.log, lambda: engine.log)


def test_random_bytes_in_a_file_that_is_playing(engine, place):
    poison_what_plays(engine, place)
    assert engine.log.count("samples are beyond") == 1
    accept(engine, place, Recording())


@measured
def test_random_bytes_in_a_file_that_is_playing_hold_nothing_up(engine, place):
    with probed(engine):
        poison_what_plays(engine, place)
    record_turns_and_end(engine)


def test_the_newest_request_counts(engine, place):
    """Requests for the same thing replace each other, and what is sent between them is done."""
    client = engine.osc()
    wave_file.write(place / "other.wav", numpy.zeros((480, 4)))
    for _ in range(20):
        client.send_message("/session/recording", str(place / "other.wav"))
        client.send_message("/listener/1/gain", -9.0)
        client.send_message("/session/recording", str(place / "good.wav"))
    client.send_message("/input/gain", -5.0)
    until(lambda: engine.value("/input/gain") == -5 and engine.value("/session/recording") == str(place / "good.wav"))
    until(lambda: engine.value("/listener/1/gain") == -9 and engine.value("/array/count") == 8)
