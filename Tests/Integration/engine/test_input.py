"""Live input: files, ALSA in both directions, tuner, metronome and cues."""

import shutil
import subprocess

import numpy
import pytest
from websockets.sync.client import connect

import wave_file
from program import Engine
from pulse_sink import available, pulse_sink
from waiting import paced, until

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


def first_delay(folder):
    """Returns the frames from the first impulse in to the first impulse out, the period, and the reported latencies."""
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
            # A quarter of a second after the impulse: a second one would have been played as well.
            until(lambda: size(folder / "out.raw") > 8 * (place + rate // 4), lambda: f"{size(folder / 'out.raw')} bytes played")
            period = engine.ready["period"]
            declared = engine.value("/protection/latency")
    played = numpy.fromfile(folder / "out.raw", "<f4")
    played = played[:len(played) // 2 * 2].reshape(-1, 2)[:, 0]
    heard = numpy.flatnonzero(numpy.abs(played) > 0.3)
    assert len(heard) == 1
    return int(heard[0]) - place, period, declared, measured


@needs_pulse
def test_input_to_output_takes_two_periods_and_the_limiter(tmp_path):
    """Latency counted in frames, so that no clock is involved. A stall within the first ten milliseconds adds two
    periods of silence; such a start is repeated."""
    for attempt in range(6):
        (tmp_path / str(attempt)).mkdir()
        delay, period, declared, measured = first_delay(tmp_path / str(attempt))
        print(f"period {period}: {delay} frames = {delay / 48:.2f} ms, of which the limiter {declared:.0f}; "
              f"with what the sound server adds, as the devices say: {measured:.2f} ms")
        if delay <= 2 * period + declared:
            break
    assert delay == 2 * period + declared


def rounds(recorded, period):
    """Returns the frame of the click and the number of frames after which it returns; None until both are recorded."""
    sound = numpy.frombuffer(recorded[:len(recorded) // 8 * 8], "<f4").reshape(-1, 2)[:, 0]
    first = int(numpy.abs(sound).argmax()) if len(sound) else 0
    if not len(sound) or sound[first] <= 0.3:
        return None
    again = numpy.flatnonzero(numpy.abs(sound[first + period:]) > 0.05)
    return (first, int(again[0]) + period) if len(again) else None


@needs_pulse
def test_a_loop_through_the_sink(tmp_path):
    """The output returns through the sink's monitor, quieter each time."""
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
            blocks = engine.get("/health")["blocks"] + rate // 2 // engine.ready["period"]
            until(lambda: engine.get("/health")["blocks"] > blocks)
            with sink.record() as recording:
                until(lambda: engine.value("/input/latency"))
                client.send_message("/cue/play", "click")
                first, second = until(lambda: rounds(recording.bytes, engine.ready["period"]))
            measured = engine.value("/input/latency")
            period = engine.ready["period"]
    sound = numpy.frombuffer(recording.bytes, "<f4").reshape(-1, 2)[:, 0]
    print(f"period {period}: once round {second} frames = {1000 * second / rate:.2f} ms; "
          f"input to output as the devices say {measured:.2f} ms")
    assert abs(20 * numpy.log10(sound[first + second] / sound[first]) + 12) < 1
    assert 2 * period <= second < rate


@needs_pulse
def test_an_input_with_a_clock_of_its_own_has_every_frame(tmp_path):
    """The timer plays what a sink's monitor records: each sample of a tone follows from the two before."""
    rate, turn = 48_000, 2 * numpy.pi * 1000 / 48_000
    sound = 0.25 * numpy.sin(turn * numpy.arange(60 * rate))
    numpy.repeat(sound[:, None], 2, axis=1).astype("<f4").tofile(tmp_path / "tone.raw")
    with pulse_sink() as sink:
        playing = ["pacat", "--raw", "--format=float32le", "--rate=48000", "--channels=2", "-d", sink.name, tmp_path / "tone.raw"]
        with Engine("--input", "alsa:monitor", "--input-clock", "auto", env=sink.env) as engine:
            player = subprocess.Popen(playing, env=sink.env)
            try:
                until(lambda: ears(engine) > 0.2)
                assert 2 < until(lambda: engine.value("/input/latency")) < 100
                best = until(lambda: (found := departures(engine, turn)) < 1e-3 and found)
            finally:
                player.kill()
                player.wait()
            until(lambda: ears(engine) < 1e-4)
            # A card that is lost is recorded again when it is back.
            sink.kill()
            until(lambda: "The ALSA device \"monitor\" no longer records the live input" in engine.log or "does not respond" in engine.log)
            sink.start()
            until(lambda: "The live input alsa:monitor is recorded again." in engine.log)
            player = subprocess.Popen(playing, env=sink.env)
            try:
                until(lambda: ears(engine) > 0.2)
            finally:
                player.kill()
                player.wait()
    print(f"largest departure from a tone: {best:.1e}")
    # 16 bits round by up to 6e-5; a block of 64 frames that is missing, or comes twice, departs by 0.01 or more.
    assert best < 1e-3


def departures(engine, turn):
    """The largest departure from a tone within two seconds of the left ear; a packet that is missing is none of the input's."""
    packets = []
    with connect(engine.socket_url + "/audio/1") as socket:
        while sum(map(len, packets)) < 2 * 48_000:
            data = socket.recv(timeout=60)
            if isinstance(data, bytes):
                packets.append(numpy.frombuffer(data[16:], "<i2").reshape(-1, 2)[:, 0] / 32768)
    ear = numpy.concatenate(packets)
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
        assert max(engine.value("/input/peak")) > 0.1
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
        assert max(engine.value("/input/peak")) > 0.1


def test_metronome_and_cues(tmp_path):
    (tmp_path / "cues").mkdir()
    wave_file.write(tmp_path / "cues" / "go.wav", 0.5 * numpy.ones((24_000, 1)))
    with Engine("--cues", tmp_path / "cues") as engine:
        client = engine.osc()
        shutil.rmtree(tmp_path / "cues")  # Nothing is read from the disk from here on.
        assert ears(engine) == 0
        assert "go" in engine.get("/cue/play")["RANGE"][0]["VALS"]
        client.send_message("/cue/gain", 0.0)
        until(lambda: engine.value("/cue/gain") == 0)
        client.send_message("/cue/play", "go")
        until(lambda: ears(engine) > 0.49)
        client.send_message("/cue/stop", [])
        until(lambda: ears(engine) == 0)
        for _ in paced(range(3), 0.4):
            client.send_message("/metronome/tap", [])
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
    (["--input", "alsa:none_such"], 'There is no ALSA device "none_such" to record'),
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
    assert "which a file does not wait for" in engine.log
    assert not list(tmp_path.iterdir())
