"""Live input: files, ALSA in both directions, tuner, metronome and cues."""

import contextlib
import shutil
import subprocess

import numpy
import pytest
from websockets.sync.client import connect

import wave_file
from figures import figure, measured
from health import health
from program import Engine
from pulse_sink import available, pulse_sink
from waiting import paced, stimulus, until

needs_pulse = pytest.mark.skipif(not available(), reason="needs pulseaudio, pulseaudio-utils, libasound2-plugins")

# The recording is read from one file and the output written to another, frame by frame, at the sink's pace.
WIRE = """
pcm.source {{ type pulse device {sink}.monitor }}
pcm.wirein {{ type file slave.pcm source file /dev/null infile "{folder}/in.raw" format raw }}
pcm.wireout {{ type file slave.pcm default file "{folder}/out.raw" format raw }}
"""


def wired(sink, folder):
    """Returns the sink's environment with the additional devices `alsa:wirein` and `alsa:wireout`."""
    with open(sink.env["ALSA_CONFIG_PATH"]) as known:
        text = known.read()
    (folder / "asound.conf").write_text(text + WIRE.format(sink=sink.name, folder=folder))
    return dict(sink.env, ALSA_CONFIG_PATH=str(folder / "asound.conf"))


def ears(engine):
    return max(engine.value("/meter/listener/1/peak"))


def size(path):
    return path.stat().st_size if path.exists() else 0


def heard(folder):
    """Frames of the left ear that were loud, of those that were played so far."""
    if size(folder / "out.raw") < 8:
        return numpy.zeros(0, int)
    played = numpy.fromfile(folder / "out.raw", "<f4")
    return numpy.flatnonzero(numpy.abs(played[:len(played) // 2 * 2].reshape(-1, 2)[:, 0]) > 0.3)


@contextlib.contextmanager
def impulse_through(folder, every=None):
    """An engine that records one impulse from a file, and plays into another one. Also returns the frame of the impulse.

    A machine that stalls may lose it: `every` is the number of frames from one to the next where there are several.
    """
    rate = 48_000
    sound = numpy.zeros((8 * rate, 2), "<f4")
    place = 480
    sound[place::every or len(sound)] = 0.5
    sound.tofile(folder / "in.raw")
    with pulse_sink() as sink:
        with Engine(
            "--device", "alsa:wireout", "--input", "alsa:wirein", "--period", 64, "--periods", 2,
            env=wired(sink, folder),
        ) as engine:
            assert engine.value("/input/source") == "alsa:wirein"
            yield engine, place


def first_delay(folder):
    """Returns the frames from the first impulse in to the first impulse out, the period, and the reported latencies."""
    with impulse_through(folder) as (engine, place):
        reported = until(lambda: engine.value("/input/latency"))
        # A quarter of a second after the impulse: a second one would have been played as well.
        until(lambda: size(folder / "out.raw") > 8 * (place + 12_000), lambda: f"{size(folder / 'out.raw')} bytes played")
        period = engine.ready["period"]
        declared = engine.value("/protection/latency")
    loud = heard(folder)
    assert len(loud) == 1
    return int(loud[0]) - place, period, declared, reported


@needs_pulse
def test_an_input_is_heard_at_the_output(tmp_path):
    with impulse_through(tmp_path, every=4800) as (engine, _):
        until(lambda: len(heard(tmp_path)), lambda: f"{size(tmp_path / 'out.raw')} bytes played")
        until(lambda: engine.value("/input/latency") > 0)


@needs_pulse
@measured
def test_input_to_output_takes_two_periods_and_the_limiter(tmp_path):
    """Latency counted in frames, so that no clock is involved. A stall within the first ten milliseconds adds two
    periods of silence; such a start is repeated."""
    for attempt in range(6):
        (tmp_path / str(attempt)).mkdir()
        delay, period, declared, reported = first_delay(tmp_path / str(attempt))
        print(f"period {period}: {delay} frames = {delay / 48:.2f} ms, of which the limiter {declared:.0f}; "
              f"with what the sound server adds, as the devices say: {reported:.2f} ms")
        if delay <= 2 * period + declared:
            break
    assert delay >= 2 * period + declared
    figure("frames from input to output beyond two periods and the limiter", delay - 2 * period - declared, at_most=0)


def rounds(recorded, period):
    """Returns the frame of the click and the number of frames after which it returns; None until both are recorded."""
    sound = numpy.frombuffer(recorded[:len(recorded) // 8 * 8], "<f4").reshape(-1, 2)[:, 0]
    first = int(numpy.abs(sound).argmax()) if len(sound) else 0
    if not len(sound) or sound[first] <= 0.3:
        return None
    again = numpy.flatnonzero(numpy.abs(sound[first + period:]) > 0.05)
    return (first, int(again[0]) + period) if len(again) else None


def loop_through_the_sink(tmp_path):
    """The output returns through the sink's monitor, quieter each time.

    Returns the frames of a round, the period, and the change of level of a round, decibels: those of a click that came back undisturbed.
    """
    rate = 48_000
    click = numpy.zeros((800, 2))
    click[400] = 0.8  # Not at its ends, where cues fade.
    (tmp_path / "cues").mkdir()
    wave_file.write(tmp_path / "cues" / "click.wav", click)
    with pulse_sink() as sink:
        with Engine(
            "--device", "alsa:default", "--input", "alsa:source", "--period", 64, "--periods", 2,
            "--cues", tmp_path / "cues", env=wired(sink, tmp_path),
        ) as engine:
            client = engine.osc()
            client.send_message("/input/gain", -12.0)
            until(lambda: engine.value("/input/gain") == -12)
            # The gain has been ramped there after half a second of blocks.
            blocks = health(engine)["blocks"] + rate // 2 // engine.ready["period"]
            until(lambda: health(engine)["blocks"] > blocks)
            period = engine.ready["period"]
            until(lambda: engine.value("/input/latency"))

            def once_round():
                """Plays the click, and returns what a round does to it; None if it is not right, as when a block was lost."""
                with sink.record() as recording:
                    client.send_message("/cue/play", "click")
                    until(lambda: rounds(recording.bytes, period) or len(recording.bytes) > 8 * 3 * rate)
                    found = rounds(recording.bytes, period)
                if found is None:
                    return None
                first, second = found
                sound = numpy.frombuffer(recording.bytes[:len(recording.bytes) // 8 * 8], "<f4").reshape(-1, 2)[:, 0]
                change = 20 * numpy.log10(numpy.abs(sound[first + second] / sound[first]))
                print(f"period {period}: once round {second} frames = {1000 * second / rate:.2f} ms, {change:.2f} dB; "
                      f"input to output as the devices say {engine.value('/input/latency'):.2f} ms")
                return (second, period, change) if abs(change + 12) < 1 else None

            return until(once_round)


@needs_pulse
def test_a_loop_through_the_sink(tmp_path):
    second, period, change = loop_through_the_sink(tmp_path)
    assert second >= 2 * period and abs(change + 12) < 1


@needs_pulse
@measured
def test_a_loop_through_the_sink_takes_less_than_a_second(tmp_path):
    second, *_ = loop_through_the_sink(tmp_path)
    figure("once round through a sink", 1000 * second / 48_000, at_most=1000, unit="ms")


# The angle from one sample of a tone to the next: 48 to the period.
TURN = 2 * numpy.pi * 1000 / 48_000


@contextlib.contextmanager
def tone_into(sink, folder):
    """Plays a tone into a sink until the `with` block ends: a second of whole periods, again and again."""
    sound = 0.25 * numpy.sin(TURN * numpy.arange(48_000))
    numpy.repeat(sound[:, None], 2, axis=1).astype("<f4").tofile(folder / "tone.raw")
    command = ["pacat", "--raw", "--format=float32le", "--rate=48000", "--channels=2", "-d", sink.name]
    with subprocess.Popen(["sh", "-c", 'while cat "$0"; do :; done', folder / "tone.raw"], stdout=subprocess.PIPE) as source:
        player = subprocess.Popen(command, stdin=source.stdout, env=sink.env)
        # The source ends with the player, which alone reads from it.
        source.stdout.close()
        try:
            yield
        finally:
            player.kill()
            player.wait()


@needs_pulse
def test_an_input_with_a_clock_of_its_own_is_heard_lost_and_heard_again(tmp_path):
    """The timer plays what a sink's monitor records: each sample of a tone follows from the two before."""
    with pulse_sink() as sink:
        with Engine("--input", "alsa:monitor", "--input-clock", "auto", env=sink.env) as engine:
            with tone_into(sink, tmp_path):
                until(lambda: ears(engine) > 0.2)
                until(lambda: engine.value("/input/latency") > 0)
                until(lambda: departures(engine, TURN, 0.5) < MOST)
            until(lambda: ears(engine) < 1e-4)
            # A card that is lost is recorded again when it is back.
            sink.kill()
            until(
                lambda: "The ALSA device \"monitor\" no longer records the live input" in engine.log or "does not respond" in engine.log,
                lambda: engine.log)
            sink.start()
            until(lambda: "The live input alsa:monitor is recorded again." in engine.log, lambda: engine.log)
            with tone_into(sink, tmp_path):
                until(lambda: ears(engine) > 0.2)


@needs_pulse
@measured
def test_an_input_with_a_clock_of_its_own_has_every_frame(tmp_path):
    with pulse_sink() as sink:
        with Engine("--input", "alsa:monitor", "--input-clock", "auto", env=sink.env) as engine, tone_into(sink, tmp_path):
            until(lambda: ears(engine) > 0.2)
            latency = until(lambda: engine.value("/input/latency"))
            # Time for the two clocks to be compared.
            best = min(departures(engine, TURN, 2) for _ in range(5))
    assert latency > 2
    figure("latency of an input with a clock of its own", latency, at_most=100, unit="ms")
    figure("departure of an input with a clock of its own from a tone", best, at_most=MOST)


# Of the largest departure from a tone: 16 bits round by up to 6e-5; a block of 64 frames that is missing, or comes twice, departs by 0.01
# or more.
MOST = 1e-3


def departures(engine, turn, seconds):
    """The largest departure from a tone within some seconds of the left ear; infinite without a tone."""
    packets = []
    with connect(engine.socket_url + "/audio/1") as socket:
        while sum(map(len, packets)) < seconds * 48_000:
            data = socket.recv(timeout=60)
            if isinstance(data, bytes):
                packets.append(numpy.frombuffer(data[16:], "<i2").reshape(-1, 2)[:, 0] / 32768)
    ear = numpy.concatenate(packets)
    if numpy.abs(ear[-4800:]).max() < 0.2:
        return numpy.inf
    return float(numpy.abs(ear[2:] - 2 * numpy.cos(turn) * ear[1:-1] + ear[:-2]).max())


def test_a_file_in_place_of_a_sound_card(tmp_path):
    rate = 44_100
    times = numpy.arange(rate) / rate
    # A2 and 16 cents in whole periods, so that the end meets the start.
    tone = 0.25 * sum(numpy.sin(2 * numpy.pi * n * 111 * times) / n for n in range(1, 8))
    wave_file.write(tmp_path / "guitar.wav", tone[:, None], rate)
    with Engine("--input", tmp_path / "guitar.wav") as engine:
        client = engine.osc()
        until(lambda: ears(engine) > 0.1)
        until(lambda: max(engine.value("/input/peak")) > 0.1)
        client.send_message("/tuner/run", True)
        until(lambda: engine.value("/tuner/note") == "A2")
        cents = 1200 * numpy.log2(111 / 110)
        until(lambda: abs(engine.value("/tuner/cents") - cents) < 1)
        client.send_message("/tuner/reference", 442.0)
        until(lambda: abs(engine.value("/tuner/cents") - (cents - 1200 * numpy.log2(442 / 440))) < 1)
        # The input has a separate rack.
        client.send_message("/rack/input/add", "gate")
        until(lambda: engine.value("/rack/input/layout") == "1")
        client.send_message("/rack/input/slot/1/gate/threshold", 0.0)
        client.send_message("/rack/input/slot/1/gate/range", -90.0)
        until(lambda: ears(engine) < 1e-4)
        until(lambda: max(engine.value("/input/peak")) > 0.1)


def test_metronome_and_cues(tmp_path):
    (tmp_path / "cues").mkdir()
    # As long as a cue may be, so that it is over only when it is stopped.
    wave_file.write(tmp_path / "cues" / "go.wav", 0.5 * numpy.ones((10 * 48_000, 1)))
    with Engine("--cues", tmp_path / "cues") as engine:
        client = engine.osc()
        shutil.rmtree(tmp_path / "cues")  # Nothing is read from the disk from here on.
        assert ears(engine) == 0
        assert "go" in engine.get("/cue/play")["RANGE"][0]["VALS"]
        client.send_message("/cue/gain", 0.0)
        until(lambda: engine.value("/cue/gain") == 0)

        def is_heard():
            client.send_message("/cue/play", "go")
            stimulus(0.2)
            return ears(engine) > 0.49

        until(is_heard)
        client.send_message("/cue/stop", [])
        until(lambda: ears(engine) == 0)

        def is_tapped():
            client.send_message("/metronome/tap", [])
            stimulus(0.4)
            return engine.value("/metronome/tempo") != 120

        until(is_tapped)
        client.send_message("/metronome/beats", 3)
        client.send_message("/metronome/run", True)
        seen = set()
        until(lambda: seen.add(engine.value("/metronome/beat")) or {1, 2, 3} <= seen)
        until(lambda: ears(engine) > 0.01)
        client.send_message("/metronome/run", False)
        until(lambda: engine.value("/metronome/beat") == 0)


@measured
def test_the_tempo_is_tapped():
    with Engine() as engine:
        client = engine.osc()
        for _ in paced(range(3), 0.4):
            client.send_message("/metronome/tap", [])
        tempo = until(lambda: (v := engine.value("/metronome/tempo")) != 120 and v)
        figure("beats a minute of taps that are 0.4 s apart", tempo, at_least=120)
        figure("beats a minute of taps that are 0.4 s apart, at most", tempo, at_most=160)


@pytest.mark.parametrize("arguments, reason", [
    (["--input", "alsa:hw:1", "--array", "alsa:plughw:1,0"], "--array alsa:dsnoop:1 --input alsa:dsnoop:1"),
    (["--input", "/nowhere.wav", "--input-clock", "own"], "--input-clock own needs --input alsa:NAME"),
    (["--input", "/nowhere.wav"], "/nowhere.wav"),
    (["--input", "alsa:"], "has no name"),
    (["--cues", "/nowhere"], "/nowhere"),
])
def test_unusable_inputs_are_refused(arguments, reason):
    engine = Engine(*arguments, wait=False)
    status = engine.process.wait(timeout=60)
    assert status != 0
    assert reason in engine.log


def test_a_file_does_not_wait_for_a_sound_card(tmp_path):
    engine = Engine("--input", "alsa:default", "--device", f"file:{tmp_path}/out.wav", wait=False)
    assert engine.process.wait(timeout=60) != 0
    assert "but a file is rendered faster" in engine.log
    assert not list(tmp_path.iterdir())
