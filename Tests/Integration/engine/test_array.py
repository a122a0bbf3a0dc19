"""A live microphone array: from a JACK server with its dummy driver, and from a sound file that stands for a converter."""

import contextlib
import json
import signal
import subprocess

import numpy
import pytest

import pulse_sink
import wave_file
from figures import figure, measured
from health import becomes_well, health
from jack_server import Wire, available, jack_server
from program import Engine, run
from seeds import generator
from waiting import until

RATE = 48_000
EARS = ["vestibule:listener-1-left", "vestibule:listener-1-right"]
pulse = pytest.mark.skipif(not pulse_sink.available(), reason="needs pulseaudio, pulseaudio-utils, libasound2-plugins")
jack = pytest.mark.skipif(not available(), reason="needs jackd2")


@pytest.fixture
def scene(tmp_path):
    """A loop of half a second with eight microphones: noise, a different one on each."""
    sound = 0.1 * generator(16).standard_normal((RATE // 2, 8))
    wave_file.write(tmp_path / "scene.wav", sound)
    return tmp_path / "scene.wav"


def microphones(count):
    return [f"vestibule:array-{n + 1}" for n in range(count)]


@contextlib.contextmanager
def array(server, *options):
    with Engine("--device", "jack", "--array", "jack", *options, env=server.env) as engine:
        until(lambda: server.connections("vestibule:array-1"))
        until(lambda: engine.value("/array/latency") > 0)
        yield engine


def declared_latency(engine):
    """Milliseconds in the server's synchronous mode at period 64: one period before the ports and one after them."""
    return 1000 * (2 * 64 + engine.value("/listener/1/latency")) / RATE


every_method = pytest.mark.parametrize("method", ["nearest", "linear", "two-band", "ring-spectral"])


@jack
@every_method
def test_sixteen_channels_are_heard_with_the_declared_latency(method):
    with jack_server(period=64, inputs=16, options=["-S"]) as server:
        with array(server, "--method", method) as engine:
            assert engine.value("/array/source") == "live" and engine.value("/array/count") == 16
            with Wire(server, numpy.full((30 * RATE, 16), 0.25), [], microphones(16)) as player:
                player.start()
                until(lambda: engine.value("/meter/listener/1/peak")[0] > 0.2)
            until(lambda: abs(engine.value("/array/latency") - declared_latency(engine)) < 0.05)


@jack
@measured
@every_method
def test_input_to_ear_is_what_is_declared(method):
    """Sixteen channels at period 64: an impulse is heard later by the declared latency, to the frame."""
    place = 12_000
    sound = numpy.zeros((RATE // 2, 16))
    sound[place] = 0.25
    with jack_server(period=64, inputs=16, options=["-S"]) as server:
        with array(server, "--method", method) as engine:
            with Wire(server, numpy.zeros((2 * RATE, 0)), EARS, []) as recorder:
                with Wire(server, sound, [], microphones(16)) as player:
                    recorder.start()
                    player.run()
                    heard = recorder.run()
            place += player.begin - recorder.begin
            declared = engine.value("/listener/1/latency")
    found = numpy.abs(heard[:, 0]).argmax()
    print(f"{method}: heard {found - place} frames after the ports, declared {declared}")
    assert found - place >= declared
    # The crossover of the methods with two bands turns the phase of the impulse, by less than a frame of delay.
    most = 0 if method in ("nearest", "linear") else 1
    figure("frames from port to ear beyond the declared ones", found - place - declared, at_most=most)


@jack
def test_microphones_are_on_the_channels_of_the_map():
    with jack_server(period=256, inputs=12) as server:
        with array(server, "--array-channels", "12,1-3,7-9") as engine:
            assert engine.value("/array/count") == 7
            expected = [12, 1, 2, 3, 7, 8, 9]
            until(lambda: server.connections("vestibule:array-7"))

            def found():
                return [server.connections(port) for port in microphones(7)]

            until(lambda: found() == [[f"system:capture_{n}"] for n in expected], lambda: f"{found()}")


@jack
@pytest.mark.parametrize("device", ["jack", "timer"])
def test_an_absent_client_is_waited_for(device):
    """Its name is told with those that are there, until it comes."""
    with jack_server(period=256, inputs=2) as server:
        with Engine("--device", device, "--array", "jack:wire", env=server.env) as engine:
            words = 'The JACK client "wire" has no outputs to record an array from. Clients with outputs: system'
            until(lambda: words in engine.log, lambda: engine.log)
            until(lambda: words in engine.value("/array/problem"))
            assert engine.value("/array/source") == "live" and engine.value("/array/input") == "jack:wire"
            with Wire(server, numpy.full((60 * RATE, 5), 0.25), [], ["system:playback_1"] * 5) as player:
                player.start()
                until(lambda: engine.value("/array/count") == 5 and engine.value("/array/problem") == "", lambda: engine.log)
                until(lambda: (engine.value("/meter/microphone/peak") or [])[:5] == pytest.approx([0.25] * 5, abs=0.01))
            until(lambda: "The array jack:wire is there." in engine.log, lambda: engine.log)
            assert engine.log.count("The array jack:wire is there.") == 1


@pulse
def test_an_absent_card_is_waited_for(tmp_path):
    """The sound server of the card that plays and of the array's card starts after the engine."""
    with pulse_sink.pulse_sink(channels=4) as sink:
        sink.kill()
        options = "--device", "alsa:default", "--period", 256, "--periods", 4, "--array", "alsa:monitor", "--array-channels", "1-4"
        with Engine(*options, env=sink.env) as engine:
            until(lambda: engine.value("/engine/device/state") == "lost" and engine.value("/array/problem") != "")
            until(lambda: engine.log.count("The engine starts without") == 2, lambda: engine.log)
            sink.start()
            until(lambda: engine.value("/engine/device/state") == "playing" and engine.value("/engine/device/problem") == "")
            until(lambda: engine.value("/array/count") == 4 and engine.value("/array/problem") == "", lambda: engine.log)
            until(lambda: "The device alsa:default plays now" in engine.log, lambda: engine.log)


@jack
def test_every_wrong_map_is_refused_with_what_would_be_valid(scene):
    def refusal(*options, **more):
        result = run("serve", *options, "--osc-port", "0", "--http-port", "0", check=False, **more)
        assert result.returncode != 0
        return result.stderr

    with jack_server(period=256, inputs=12) as server:
        def jack_refusal(*options):
            return refusal("--device", "jack", "--array", "jack", *options, env=server.env)

        assert "has no channel 13: it has 12. Name channels from 1 to 12" in jack_refusal("--array-channels", "10-13")
        assert "Channel 3 is named twice" in jack_refusal("--array-channels", "1-4,3")
        assert "\"\" in \"1,,3\" is neither a channel nor a range" in jack_refusal("--array-channels", "1,,3")
        assert "There is no channel 0" in jack_refusal("--array-channels", "0-4")
        assert "An array has 4 to 64 microphones, not 3" in jack_refusal("--array-channels", "1-3")
        assert "other.json does not exist" in jack_refusal("--array-sidecar", "other.json")
    file = f"file:{scene}"
    assert "has no channel 9: it has 8 channels" in refusal("--array", file, "--array-channels", "6-9")
    assert "There is no array \"usb\". Write alsa:NAME" in refusal("--array", "usb")
    assert "none.wav does not exist" in refusal("--array", f"file:{scene.parent}/none.wav")
    (scene.parent / "text.wav").write_text("not a sound")
    assert "text.wav" in refusal("--array", f"file:{scene.parent}/text.wav")
    assert "add --array" in refusal("--array-channels", "1-4")
    assert "a live array does not end" in refusal("--array", file, "--device", f"file:{scene.parent}/out.wav")


def lap(server, frames, most):
    """The left ear in a lap of a loop of `frames` frames, which begins anywhere.

    It is the same as the next lap, apart from `most`: a busy machine may lose blocks of a lap.
    """
    def undisturbed():
        with Wire(server, numpy.zeros((3 * frames, 0)), EARS, []) as wire:
            _, one, next_one = wire.run()[:, 0].reshape(3, frames)
        return one if numpy.abs(one - next_one).max() < most and numpy.abs(one).max() > 0.1 else None

    return until(lambda: (found := undisturbed()) is not None and [found])[0]


def turned_onto(sound, other):
    """One lap of a loop, begun where it fits another lap best."""
    product = numpy.fft.rfft(other) * numpy.conj(numpy.fft.rfft(sound))
    return numpy.roll(sound, int(numpy.fft.irfft(product).argmax()))


@jack
@pytest.mark.parametrize("method", ["nearest", "two-band"])
def test_a_file_as_array_sounds_as_the_recording(scene, method):
    """Apart from the delay, the array from a file is the same file played as a recording."""
    frames, most = RATE // 2, 1e-9 if method == "nearest" else 1e-6
    with jack_server(period=256) as server:
        heard = []
        for source in (["--recording", scene], ["--array", f"file:{scene}"]):
            with Engine("--device", "jack", "--method", method, *source, env=server.env) as engine:
                until(lambda: server.connections(EARS[0]))
                until(lambda: engine.value("/meter/listener/1/peak")[0] > 0)
                heard.append(lap(server, frames, most))
    recorded, live = heard
    difference = numpy.abs(turned_onto(live, recorded) - recorded).max()
    print(f"{method}: level {numpy.abs(recorded).max():.3f}, largest difference {difference:.1e}")
    assert difference < most


def test_the_transport_mutes_the_array_and_changes_to_the_recording(scene, tmp_path):
    other = tmp_path / "recording.wav"
    wave_file.write(other, numpy.zeros((RATE, 6)))
    (tmp_path / "turned.json").write_text(json.dumps({"array": {"count": 8, "radius": 0.1}}))
    with Engine("--array", f"file:{scene}", "--array-sidecar", tmp_path / "turned.json", "--recording", other) as engine:
        def peak():
            return engine.value("/meter/listener/1/peak")[0]

        def count():
            return engine.value("/array/count")

        osc = engine.osc()
        until(lambda: peak() > 0.1)
        assert engine.value("/array/source") == "live" and engine.value("/array/input") == f"file:{scene}"
        assert (count(), round(engine.value("/array/radius"), 3)) == (8, 0.1)
        assert engine.value("/transport/state") == "playing" and engine.value("/transport/duration") == 0
        until(lambda: engine.value("/array/latency") > 0)
        osc.send_message("/transport/pause", [])
        until(lambda: peak() < 1e-4)
        osc.send_message("/transport/seek", 0.2)
        until(lambda: "a live array has no position" in engine.value("/engine/notice"))
        osc.send_message("/transport/play", [])
        until(lambda: peak() > 0.1)
        osc.send_message("/array/source", "recording")
        until(lambda: count() == 6 and peak() < 1e-4)
        until(lambda: engine.value("/transport/duration") == 1)
        osc.send_message("/array/source", "live")
        until(lambda: count() == 8 and peak() > 0.1)
        assert engine.value("/array/problem") == ""


@measured
def test_a_file_as_array_has_little_latency(scene):
    with Engine("--array", f"file:{scene}") as engine:
        figure("latency of a file as array", until(lambda: engine.value("/array/latency")), at_most=10, unit="ms")


def test_without_an_array_there_is_none(scene):
    with Engine("--recording", scene) as engine:
        engine.osc().send_message("/array/source", "live")
        until(lambda: "there is no live array; start the program with --array" in engine.value("/engine/notice"))
        assert engine.value("/array/source") == "recording"


@jack
def test_an_array_whose_client_leaves_is_silent_and_heard_again():
    sound = numpy.full((30 * RATE, 4), 0.25)
    with jack_server(period=256, inputs=8) as server:
        with array(server, "--array-channels", "1-4") as engine:
            # The engine connects them one by one.
            until(lambda: [server.connections(port) for port in microphones(4)] == [[f"system:capture_{n}"] for n in range(1, 5)])
            for port in microphones(4):
                server.patch(port)
            until(lambda: "delivers no sound" in engine.value("/array/problem"))
            becomes_well(engine)
            with Wire(server, sound, [], microphones(4)) as player:
                player.start()
                until(lambda: engine.value("/array/problem") == "" and engine.value("/meter/listener/1/peak")[0] > 0.2)
            until(lambda: "delivers no sound" in engine.value("/array/problem"))


@jack
def test_a_server_that_is_killed_comes_back_with_the_array():
    """The engine continues by the timer in silence, and plays the array again with the server."""
    with jack_server(period=256, inputs=8) as server:
        with Engine("--device", "jack", "--array", "jack", env=server.env) as engine:
            def is_heard():
                with Wire(server, numpy.full((30 * RATE, 8), 0.25), [], microphones(8)) as player:
                    player.start()
                    until(lambda: engine.value("/meter/listener/1/peak")[0] > 0.2)
                    until(lambda: engine.value("/array/problem") == "")

            until(lambda: server.connections("vestibule:array-8"))
            is_heard()
            server.stop(signal.SIGKILL)
            until(lambda: engine.value("/engine/device/state") == "lost")
            until(lambda: "delivers no sound" in engine.value("/array/problem"))
            blocks = health(engine)["blocks"]
            until(lambda: health(engine)["blocks"] > blocks)
            server.start()
            until(lambda: engine.value("/engine/device/state") == "playing")
            until(lambda: server.connections("vestibule:array-8") == ["system:capture_8"])
            is_heard()


@jack
def test_connections_of_the_array_are_restored_with_the_server():
    """A microphone that a user has moved to another channel, and one that was taken away, with a client of the array's own."""
    first, second, *_, last = [f"vestibule-array:array-{n}" for n in range(1, 5)]
    with jack_server(period=256, inputs=8) as server:
        with Engine("--array", "jack", "--array-channels", "1-4", env=server.env) as engine:
            until(lambda: [server.connections(port) for port in (first, last)] == [["system:capture_1"], ["system:capture_4"]])

            def is_seen():
                """Whether the client had them for a second in which a busy machine did not take them from it."""
                losses = engine.log.count("no longer runs the client of the array")
                server.patch(last, "system:capture_8")
                server.patch(first)
                blocks = health(engine)["blocks"]
                until(lambda: health(engine)["blocks"] > blocks + RATE // engine.ready["period"])
                return engine.log.count("no longer runs the client of the array") == losses and (
                    server.connections(last), server.connections(first)) == (["system:capture_8"], [])

            until(is_seen)
            server.stop(signal.SIGKILL)
            until(lambda: "JACK server" in engine.value("/array/problem"))
            server.start()
            until(lambda: server.connections(last) == ["system:capture_8"])
            until(lambda: server.connections(second) == ["system:capture_2"])
            assert server.connections(first) == []


@jack
@measured
def test_a_server_beside_the_playing_device_is_heard_soon():
    with jack_server(period=128, inputs=6) as server, Engine("--array", "jack", "--array-channels", "3-6", env=server.env) as engine:
        until(lambda: server.connections("vestibule-array:array-4") == ["system:capture_6"])
        # One cycle of JACK, the resampler, the reserve, two periods of the timer and the method.
        latency = until(lambda: engine.value("/array/latency"))
    assert latency > 8
    figure("latency of a server beside the playing device", latency, at_most=60, unit="ms")


@jack
def test_a_server_beside_the_playing_device_is_recorded_by_a_client_of_its_own():
    """The timer renders, JACK records: two clocks. The server is killed and comes back."""
    levels = numpy.array([0.1, 0.2, 0.3, 0.4])
    with jack_server(period=128, inputs=6) as server:
        with Engine("--array", "jack", "--array-channels", "3-6", env=server.env) as engine:
            def is_heard():
                until(lambda: server.connections("vestibule-array:array-4") == ["system:capture_6"])
                ports = [f"vestibule-array:array-{n}" for n in range(1, 5)]
                with Wire(server, numpy.tile(levels, (30 * RATE, 1)), [], ports) as player:
                    player.start()
                    until(lambda: numpy.allclose((engine.value("/meter/microphone/peak") or [0] * 4)[:4], levels, atol=0.01))
                    until(lambda: engine.value("/array/problem") == "")
                    until(lambda: engine.value("/array/latency") > 0)

            is_heard()
            server.stop(signal.SIGKILL)
            until(lambda: "JACK server" in engine.value("/array/problem"))
            becomes_well(engine)
            server.start()
            is_heard()
        result = run("serve", "--array", "jack", "--rate", "44100", "--osc-port", "0", "--http-port", "0", check=False, env=server.env)
        assert "runs at 48000 frames per second, the engine at 44100" in result.stderr


@contextlib.contextmanager
def tone(sink, folder):
    """Plays 1 kHz of a level of its own on each of the sink's four channels."""
    frames = numpy.arange(60 * RATE)
    sound = numpy.sin(2 * numpy.pi * 1000 * frames / RATE)[:, None] * [0.4, 0.3, 0.2, 0.1]
    sound.astype("<f4").tofile(folder / "tone.raw")
    process = subprocess.Popen(
        ["pacat", "--playback", "-d", sink.name, "--raw", "--format=float32le", f"--rate={RATE}", "--channels=4",
         f"--channel-map={','.join(pulse_sink.PLACES)}", folder / "tone.raw"], env=sink.env)
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=60)


@pulse
@measured
def test_an_array_on_a_card_of_its_own_is_heard_soon():
    with pulse_sink.pulse_sink(channels=4) as sink:
        with Engine("--array", "alsa:monitor", "--array-channels", "4,3,2,1", env=sink.env) as engine:
            latency = until(lambda: engine.value("/array/latency"))
    assert latency > 10
    figure("latency of an array on a card of its own", latency, at_most=200, unit="ms")


@pulse
def test_an_array_on_a_card_of_its_own_is_lost_and_comes_back(tmp_path):
    """Recorded from a sound server while the timer renders: two clocks. The channel map turns the order of the microphones."""
    def levels(engine):
        return [round(float(value), 2) for value in engine.value("/meter/microphone/peak")[:4]]

    with pulse_sink.pulse_sink(channels=4) as sink:
        with Engine("--array", "alsa:monitor", "--array-channels", "4,3,2,1", env=sink.env) as engine:
            with tone(sink, tmp_path):
                until(lambda: levels(engine) == [0.1, 0.2, 0.3, 0.4], lambda: levels(engine))
                until(lambda: engine.value("/array/problem") == "" and engine.value("/array/latency") > 0)
                sink.kill()
                until(lambda: "cannot be opened" in engine.value("/array/problem"))
            until(lambda: max(levels(engine)) == 0)
            becomes_well(engine)
            sink.start()
            with tone(sink, tmp_path):
                until(lambda: levels(engine) == [0.1, 0.2, 0.3, 0.4], lambda: levels(engine))
                until(lambda: engine.value("/array/problem") == "")
        for options, words in [
            ((), "any of several numbers of channels. Name those of the microphones with --array-channels"),
            (("--array-channels", "1-40"), "does not have 40 channels; it offers 1 to 32"),
            (("--array-channels", "1-4", "--rate", "1000"), "A rate of 1000"),
        ]:
            result = run("serve", "--array", "alsa:monitor", *options, "--osc-port", "0", "--http-port", "0", check=False, env=sink.env)
            assert result.returncode != 0 and words in result.stderr, result.stderr
