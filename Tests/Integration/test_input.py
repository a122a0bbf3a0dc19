"""Live input: files, ALSA in both directions at once, and what a player has around it."""

import shutil
import time

import numpy
import pytest

import wave_file
from program import Engine, until
from pulse_sink import available, pulse_sink

needs_pulse = pytest.mark.skipif(not available(), reason="needs pulseaudio, pulseaudio-utils, libasound2-plugins")

# What is recorded comes from one file, what is played goes into another, frame by frame, at the sink's pace.
WIRE = """
pcm.source {{ type pulse device {sink}.monitor }}
pcm.wirein {{ type file slave.pcm source file /dev/null infile "{folder}/in.raw" format raw }}
pcm.wireout {{ type file slave.pcm default file "{folder}/out.raw" format raw }}
"""


def wired(sink, folder):
    """The sink's environment, with `alsa:wirein` and `alsa:wireout` besides."""
    with open(sink.env["ALSA_CONFIG_PATH"]) as known:
        text = known.read()
    (folder / "asound.conf").write_text(text + WIRE.format(sink=sink.name, folder=folder))
    return dict(sink.env, ALSA_CONFIG_PATH=str(folder / "asound.conf"))


def ears(engine):
    return max(engine.value("/meter/listener/1/peak"))


def first_delay(folder):
    """Frames from the first impulse in to the first impulse out, and what the engine said of itself."""
    rate = 48_000
    sound = numpy.zeros((8 * rate, 2), "<f4")
    place = 480
    sound[place] = 0.5
    sound.tofile(folder / "in.raw")
    with pulse_sink() as sink:
        with Engine(
            "--device", "alsa:wireout", "--input", "alsa:wirein", "--period", 64, "--periods", 2,
            env=wired(sink, folder),
        ) as engine:
            assert engine.value("/input/source") == "alsa:wirein"
            measured = until(lambda: engine.value("/input/latency"))
            time.sleep(0.5)
            period = engine.ready["period"]
            declared = engine.value("/protection/latency")
    played = numpy.fromfile(folder / "out.raw", "<f4")
    played = played[:len(played) // 2 * 2].reshape(-1, 2)[:, 0]
    heard = numpy.flatnonzero(numpy.abs(played) > 0.3)
    assert len(heard) == 1
    return int(heard[0]) - place, period, declared, measured


@needs_pulse
def test_input_to_output_takes_two_periods_and_the_limiter(tmp_path):
    """Counted in frames, so that no clock comes into it. A machine that stumbles within the first ten milliseconds puts
    two more periods of silence between: such a start is made again."""
    for attempt in range(6):
        (tmp_path / str(attempt)).mkdir()
        delay, period, declared, measured = first_delay(tmp_path / str(attempt))
        print(f"period {period}: {delay} frames = {delay / 48:.2f} ms, of which the limiter {declared:.0f}; "
              f"with what the sound server adds, as the devices say: {measured:.2f} ms")
        if delay <= 2 * period + declared:
            break
    assert delay == 2 * period + declared


@needs_pulse
def test_a_loop_through_the_sink(tmp_path):
    """What is played comes back through the sink's monitor, quieter every time round."""
    rate = 48_000
    click = numpy.zeros((200, 2))
    click[0] = 0.8
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
            with sink.record() as recording:
                time.sleep(0.5)
                client.send_message("/cue/play", "click")
                time.sleep(2)
            measured = engine.value("/input/latency")
            period = engine.ready["period"]
    sound = numpy.frombuffer(recording.bytes, "<f4").reshape(-1, 2)[:, 0]
    first = int(numpy.abs(sound).argmax())
    assert sound[first] > 0.3
    rest = numpy.abs(sound[first + period:])
    second = int(numpy.flatnonzero(rest > 0.05)[0]) + period
    print(f"period {period}: once round {second} frames = {1000 * second / rate:.2f} ms; "
          f"input to output as the devices say {measured:.2f} ms")
    assert abs(20 * numpy.log10(sound[first + second] / sound[first]) + 12) < 1
    assert 2 * period <= second < rate


def test_a_file_in_place_of_a_card(tmp_path):
    rate = 44_100
    times = numpy.arange(rate) / rate
    # A2 and 20 cents, a hundred times, so that its end meets its start.
    tone = 0.25 * sum(numpy.sin(2 * numpy.pi * n * 111 * times) / n for n in range(1, 8))
    wave_file.write(tmp_path / "guitar.wav", tone[:, None], rate)
    with Engine("--input", tmp_path / "guitar.wav") as engine:
        client = engine.osc()
        until(lambda: ears(engine) > 0.1)
        assert max(engine.value("/input/peak")) > 0.1
        client.send_message("/tuner/run", True)
        until(lambda: engine.value("/tuner/note") == "A2")
        cents = 1200 * numpy.log2(111 / 110)
        until(lambda: abs(engine.value("/tuner/cents") - cents) < 1)
        client.send_message("/tuner/reference", 442.0)
        until(lambda: abs(engine.value("/tuner/cents") - (cents - 1200 * numpy.log2(442 / 440))) < 1)
        # Its rack is its own.
        client.send_message("/rack/input/add", "gate")
        until(lambda: engine.value("/rack/input/layout") == "1")
        client.send_message("/rack/input/slot/1/gate/threshold", 0.0)
        client.send_message("/rack/input/slot/1/gate/range", -90.0)
        until(lambda: ears(engine) < 1e-4)
        assert max(engine.value("/input/peak")) > 0.1


def test_metronome_and_cues(tmp_path):
    (tmp_path / "cues").mkdir()
    wave_file.write(tmp_path / "cues" / "go.wav", 0.5 * numpy.ones((24_000, 1)))
    with Engine("--cues", tmp_path / "cues") as engine:
        client = engine.osc()
        shutil.rmtree(tmp_path / "cues")  # No disk from now on.
        assert ears(engine) == 0
        assert "go" in engine.get("/cue/play")["RANGE"][0]["VALS"]
        client.send_message("/cue/gain", 0.0)
        until(lambda: engine.value("/cue/gain") == 0)
        client.send_message("/cue/play", "go")
        until(lambda: ears(engine) > 0.49)
        client.send_message("/cue/stop", [])
        until(lambda: ears(engine) == 0)
        for _ in range(3):
            client.send_message("/metronome/tap", [])
            time.sleep(0.4)
        tempo = until(lambda: (v := engine.value("/metronome/tempo")) != 120 and v)
        assert 120 < tempo < 160
        client.send_message("/metronome/beats", 3)
        client.send_message("/metronome/run", True)
        seen = set()
        until(lambda: seen.add(engine.value("/metronome/beat")) or {1, 2, 3} <= seen)
        until(lambda: ears(engine) > 0.01)
        client.send_message("/metronome/run", False)
        until(lambda: engine.value("/metronome/beat") == 0)


@pytest.mark.parametrize("arguments, reason", [
    (["--input", "alsa:default"], "needs a card"),
    (["--input", "/nowhere.wav"], "/nowhere.wav"),
    (["--input", "alsa:"], "has no name"),
    (["--cues", "/nowhere"], "/nowhere"),
])
def test_inputs_that_cannot_be_used(arguments, reason):
    engine = Engine(*arguments, wait=False)
    status = engine.process.wait(timeout=20)
    assert status != 0
    assert reason in engine.log
