"""An engine that follows another one at a real Mosquitto: values, racks, scenes, transport, and both engines' sound to the sample."""

import contextlib
import json
import shutil
import signal

import numpy
import pytest

import wave_file
from figures import figure, measured
from installation import environment
from jack_server import Wire, available, jack_server
from mqtt_broker import Broker, Client
from program import Engine, run
from seeds import generator
from waiting import holds, until

RATE = 48_000


@pytest.fixture
def broker(tmp_path):
    with Broker(tmp_path) as running:
        yield running


@pytest.fixture(scope="module")
def noise(tmp_path_factory):
    """A recording of 12 s: the same noise on all eight microphones."""
    path = tmp_path_factory.mktemp("noise") / "noise.wav"
    sound = generator(20).normal(0, 0.1, 12 * RATE).astype("<f4")
    wave_file.write(path, numpy.tile(sound[:, None], (1, 8)), RATE)
    return path


def serve(broker, name, recording, *options, **more):
    return Engine("--recording", recording, "--mqtt", f"mqtt://127.0.0.1:{broker.port}", "--mqtt-name", name, *options, **more)


def follower(broker, recording, *options, **more):
    return serve(broker, "foyer", recording, "--follow", "hall", *options, **more)


@contextlib.contextmanager
def pair(broker, recording, *options, **more):
    """A hall, and a foyer that follows it."""
    with serve(broker, "hall", recording, *options, **more) as hall, follower(broker, recording, *options, **more) as foyer:
        until(lambda: foyer.value("/follow/state") == "following", lambda: foyer.log)
        yield hall, foyer


def lag(one, other):
    """Samples by which `other` is later than `one`, the same noise."""
    size = 2 * len(one)
    product = numpy.fft.irfft(numpy.conj(numpy.fft.rfft(one, size)) * numpy.fft.rfft(other, size))
    place = int(numpy.argmax(product))
    assert product[place] > 0.5 * numpy.sqrt(numpy.sum(one ** 2) * numpy.sum(other ** 2)), "not the same sound"
    return place if place < size // 2 else place - size


@measured
@pytest.mark.skipif(not available(), reason="needs Debian's jackd2")
def test_both_engines_are_heard_within_a_third_of_a_millisecond(broker, noise):
    # Long periods: a block that is lost on a busy machine moves that engine's sound, until it is corrected.
    with jack_server(period=512) as server:
        with serve(broker, "hall", noise, "--device", "jack:hall", env=server.env) as hall, \
                follower(broker, noise, "--device", "jack:foyer", env=server.env) as foyer:
            looks = []

            def losses():
                return [engine.value("/engine/xruns") for engine in (hall, foyer)]

            def stays_together():
                """Whether the difference has been small for many looks in a row."""
                looks.append(abs(foyer.value("/follow/difference")) if foyer.value("/follow/round-trip") > 0 else 99)
                return len(looks) > 30 and max(looks[-30:]) <= 0.3

            def heard():
                """The lag of the foyer behind the hall in their sound, samples."""
                for _ in range(10):
                    looks.clear()
                    before = losses()
                    until(stays_together, lambda: (looks[-5:], foyer.log))
                    with Wire(server, numpy.zeros((RATE // 4, 0)), ["hall:listener-1-left", "foyer:listener-1-left"], []) as recorder:
                        sound = recorder.run()
                    if losses() == before:
                        return lag(sound[:, 0], sound[:, 1])
                pytest.fail("blocks were lost in all ten measurements")

            def together(when):
                figure(f"lag of an engine that follows, {when}", abs(heard()), at_most=15, unit="frames")

            together("at first")
            hall.osc().send_message("/transport/seek", 7.3)
            until(lambda: 7 < foyer.value("/transport/position") < 11)
            together("after a seek")
            hall.osc().send_message("/transport/pause", [])
            until(lambda: foyer.value("/transport/state") == "paused")
            until(lambda: abs(foyer.value("/transport/position") - hall.value("/transport/position")) < 0.001)
            hall.osc().send_message("/transport/play", [])
            until(lambda: foyer.value("/transport/state") == "playing")
            together("after a pause")
            # The end of a recording that repeats is passed together.
            hall.osc().send_message("/transport/seek", 11.5)
            until(lambda: foyer.value("/transport/position") < 3 and hall.value("/transport/position") < 3)
            together("after the end")


def test_the_transport_follows(broker, noise):
    with pair(broker, noise) as (hall, foyer):
        def at(position):
            places = [engine.value("/transport/position") for engine in (hall, foyer)]
            return max(abs(place - position) for place in places) < 0.001

        send = hall.osc().send_message
        send("/transport/pause", [])
        until(lambda: foyer.value("/transport/state") == hall.value("/transport/state") == "paused")
        until(lambda: abs(foyer.value("/transport/position") - hall.value("/transport/position")) < 0.001)
        for position in (7.3, 2.5):
            send("/transport/seek", position)
            until(lambda: at(position), lambda: [engine.value("/transport/position") for engine in (hall, foyer)])
        send("/transport/play", [])
        until(lambda: foyer.value("/transport/state") == hall.value("/transport/state") == "playing")
        until(lambda: abs(foyer.value("/transport/position") - 2.5) > 0.1)


def test_values_racks_and_scenes_follow(broker, scene):
    with pair(broker, scene, "--objects", "2") as (hall, foyer):
        send = hall.osc().send_message
        send("/listener/1/gain", -6.0)
        send("/object/2/azimuth", 77.0)
        send("/listener/1/method", "ring")
        until(lambda: foyer.value("/listener/1/gain") == -6 and foyer.value("/object/2/azimuth") == 77)
        until(lambda: foyer.value("/listener/1/method") == "ring")
        # Effects, their order and their settings.
        send("/rack/recording/add", "delay")
        send("/rack/recording/add", "chorus")
        until(lambda: foyer.value("/rack/recording/layout") == hall.value("/rack/recording/layout") == "1 2")
        send("/rack/recording/slot/1/delay/time", 123.0)
        until(lambda: foyer.value("/rack/recording/slot/1/delay/time") == hall.value("/rack/recording/slot/1/delay/time") == 123)
        send("/rack/recording/layout", "2 1")
        until(lambda: foyer.value("/rack/recording/layout") == "2 1" and foyer.value("/rack/recording/slot/1/delay/time") == 123)
        send("/rack/recording/bypass", True)
        until(lambda: foyer.value("/rack/recording/bypass") is True)
        # A scene is recalled there as here, over a time.
        send("/scene/store", "loud")
        send("/listener/1/gain", -40.0)
        until(lambda: foyer.value("/listener/1/gain") == -40 and foyer.value("/scene/names") == "loud")
        send("/scene/store", "quiet")
        until(lambda: foyer.value("/scene/current") == "quiet" or "quiet" in foyer.value("/scene/names"))
        send("/scene/crossfade", 20.0)
        until(lambda: hall.value("/scene/crossfade") == foyer.value("/scene/crossfade") == 20)
        send("/scene/recall", "loud")
        until(lambda: foyer.value("/scene/current") == "loud" and -39.5 < foyer.value("/listener/1/gain") < -6.5)
        until(lambda: foyer.value("/listener/1/gain") == hall.value("/listener/1/gain") == -6)
        send("/rack/recording/clear", [])
        until(lambda: foyer.value("/rack/recording/layout") == "")
        # The machine's own stays its own.
        send("/input/gain", -20.0)
        send("/tracker/1/timeout", 33.0)
        send("/listener/1/front", 10.0)
        send("/listener/1/ypr", [50.0, 0.0, 0.0])
        send("/listener/1/gain", -7.0)
        until(lambda: foyer.value("/listener/1/gain") == -7)
        assert (foyer.value("/input/gain"), foyer.value("/tracker/1/timeout"), foyer.value("/listener/1/front")) == (0, 10, 0)
        assert foyer.value("/listener/1/ypr") == [0, 0, 0]
        # Changes in the foyer do not reach the hall.
        foyer.osc().send_message("/listener/1/gain", -3.0)
        until(lambda: foyer.value("/listener/1/gain") == -3)
        assert hall.value("/listener/1/gain") == -7


def test_a_follower_that_comes_late_takes_over_everything(broker, scene):
    with serve(broker, "hall", scene) as hall:
        send = hall.osc().send_message
        send("/rack/recording/add", "delay")
        until(lambda: hall.value("/rack/recording/layout") == "1")
        send("/rack/recording/slot/1/delay/time", 321.0)
        send("/listener/1/gain", -9.0)
        send("/transport/pause", [])
        send("/scene/store", "one")
        until(lambda: hall.value("/transport/state") == "paused" and hall.value("/scene/names") == "one")
        with follower(broker, scene) as foyer:
            until(lambda: foyer.value("/listener/1/gain") == -9 and foyer.value("/rack/recording/layout") == "1", lambda: foyer.log)
            until(lambda: foyer.value("/rack/recording/slot/1/delay/time") == 321)
            until(lambda: foyer.value("/transport/state") == "paused" and foyer.value("/scene/names") == "one")


def test_a_follower_goes_on_without_its_hall(broker, noise):
    with contextlib.ExitStack() as stack:
        foyer = stack.enter_context(follower(broker, noise))
        until(lambda: "is not at the broker" in foyer.value("/follow/problem"))
        assert foyer.value("/follow/state") == "waiting" and foyer.value("/transport/state") == "playing"
        hall = stack.enter_context(serve(broker, "hall", noise))
        until(lambda: foyer.value("/follow/state") == "following" and foyer.value("/follow/problem") == "")
        hall.osc().send_message("/listener/1/gain", -5.0)
        until(lambda: foyer.value("/listener/1/gain") == -5)
        hall.stop(signal.SIGKILL)
        until(lambda: foyer.value("/follow/state") == "waiting")
        before = foyer.metric("vestibule_blocks_total")
        until(lambda: foyer.metric("vestibule_blocks_total") > before)
        assert foyer.value("/transport/state") == "playing" and foyer.value("/listener/1/gain") == -5
        stack.enter_context(serve(broker, "hall", noise))
        until(lambda: foyer.value("/follow/state") == "following" and foyer.value("/listener/1/gain") == 0)


def test_a_recording_that_does_not_repeat_ends_at_both(broker, noise):
    with pair(broker, noise) as (hall, foyer):
        def both_are(state):
            return hall.value("/transport/state") == foyer.value("/transport/state") == state

        send = hall.osc().send_message
        # At once, so that the end does not come before the seek.
        send("/transport/seek", 8.0)
        send("/transport/loop", False)
        until(lambda: both_are("stopped"))
        # Neither begins again.
        holds(lambda: both_are("stopped"), 0.7)
        until(lambda: foyer.value("/transport/loop") is False)
        # From now on without an end, which could come before the next look.
        send("/transport/loop", True)
        until(lambda: foyer.value("/transport/loop") is True)
        assert both_are("stopped")
        send("/transport/play", [])
        until(lambda: foyer.value("/transport/state") == "playing")


def test_a_recording_that_is_missing_is_told(broker, scene, noise):
    with serve(broker, "hall", noise), follower(broker, scene) as foyer:
        until(lambda: "noise.wav cannot be played here: copy it to" in foyer.value("/follow/problem"), lambda: foyer.log)
        # The recording that is there continues.
        assert foyer.value("/transport/state") == "playing" and foyer.value("/session/recording").endswith(scene.name)


def test_files_that_are_missing_are_told_and_tried_again(broker, scene, tmp_path):
    """A sound by name, one by a path outside of the folders, and a response: the rest is mirrored, and what comes later is used."""
    places = {}
    for name in ("hall", "foyer"):
        places[name] = tmp_path / name / "vestibule"
        for folder in ("sounds", "responses"):
            (places[name] / folder).mkdir(parents=True)
    away = tmp_path / "away"
    away.mkdir()
    sound = generator(21).normal(0, 0.1, (RATE, 1)).astype("<f4")
    for path in (places["hall"] / "sounds/bell.wav", away / "voice.wav", away / "hall.wav"):
        wave_file.write(path, sound, RATE)
    with serve(broker, "hall", scene, "--objects", "2", "--allow-path", away, env=environment(places["hall"])) as hall, \
            follower(broker, scene, "--objects", "2", env=environment(places["foyer"])) as foyer:
        until(lambda: foyer.value("/follow/state") == "following", lambda: foyer.log)
        send = hall.osc().send_message
        send("/rack/recording/add", "convolution")
        until(lambda: foyer.value("/rack/recording/layout") == "1")
        response = "/rack/recording/slot/1/convolution/response"
        send(response, str(away / "hall.wav"))
        send("/object/1/source", "bell.wav")
        send("/object/2/source", str(away / "voice.wav"))
        send("/listener/1/gain", -6.0)
        named = ["/object/1/source (bell.wav)", f"/object/2/source ({away}/voice.wav)", f"{response} ({away}/hall.wav)", "--allow-path"]
        until(lambda: all(words in foyer.value("/follow/problem") for words in named), lambda: foyer.value("/follow/problem"))
        # The rest follows, and the sound continues.
        until(lambda: foyer.value("/follow/state") == "following" and foyer.value("/listener/1/gain") == -6)
        assert foyer.value("/transport/state") == "playing" and foyer.value("/object/1/source") == ""
        # The file comes, without a change at the hall.
        shutil.copy(places["hall"] / "sounds/bell.wav", places["foyer"] / "sounds")
        until(lambda: foyer.value("/object/1/source") == "bell.wav", lambda: foyer.value("/follow/problem"))
        until(lambda: "bell.wav" not in foyer.value("/follow/problem"))
        # A file that the hall gives up is no longer missing.
        send("/object/2/source", "")
        send(response, "")
        until(lambda: foyer.value("/follow/problem") == "")


def test_engines_that_follow_each_other_are_told(broker, scene):
    with serve(broker, "hall", scene, "--follow", "foyer") as hall, follower(broker, scene) as foyer:
        until(lambda: "follows this engine" in hall.value("/follow/problem") + foyer.value("/follow/problem"))
    with (
        serve(broker, "hall", scene, "--follow", "roof") as hall, follower(broker, scene) as foyer,
        serve(broker, "roof", scene, "--follow", "foyer") as roof
    ):
        until(lambda: "roof follows this engine by way of foyer: start one of them without" in hall.value("/follow/problem"))
        until(lambda: "by way of roof" in foyer.value("/follow/problem") and "by way of hall" in roof.value("/follow/problem"))
    result = run("serve", "--mqtt", "mqtt://localhost", "--mqtt-name", "hall", "--follow", "hall", check=False)
    assert result.returncode != 0 and "cannot follow itself" in result.stderr
    result = run("serve", "--follow", "hall", check=False)
    assert result.returncode != 0 and "require --mqtt" in result.stderr


def test_what_is_wrong_at_the_broker_harms_nothing(broker, scene):
    """A client that may write everything is in the place of the hall."""
    with Client(broker.port, "vestibule/foyer/#") as client, follower(broker, scene) as foyer:
        client.publish("vestibule/hall/online", True, retain=True)
        until(lambda: foyer.value("/follow/state") == "following")
        topic = "vestibule/hall/"
        for payload in (b"{", b"null", b"[]", b"1e999", b"\xff", json.dumps({"version": 2, "racks": 5}).encode(), b"x" * 100_000):
            for name in ("state/listener/1/gain", "telemetry/transport", "session", "clock", "state/rack/recording/layout"):
                client.publish(topic + name, None, payload=payload)
            client.publish("answers/foyer/clock", None, payload=payload, correlation=b"1")
        report = {"recording": scene.name, "state": "playing", "position": 1, "time": 1, "duration": 1, "loop": True}
        for change in ({"position": -1}, {"position": 1e300}, {"time": -5}, {"state": "flying"}, {"recording": "../../etc/passwd"},
                       {"recording": "x" * 10_000}, {"duration": 0}, {"loop": "yes"}):
            client.publish(topic + "telemetry/transport", report | change)
        client.publish(topic + "state/listener/1/ypr", [10, 20, 30])
        client.publish(topic + "state/session/save-as", "stolen")
        client.publish(topic + "state/engine/device/select", "alsa:default")
        client.publish(topic + "state/listener/1/gain", 1e9)
        client.publish(topic + "state/listener/1/gain", "loud")
        client.publish(topic + "state/listener/1/gain", -11)
        until(lambda: foyer.value("/listener/1/gain") == -11)
        until(lambda: foyer.value("/follow/problem") != "")
        assert foyer.value("/listener/1/ypr") == [0, 0, 0] and "stolen" not in foyer.log
        assert foyer.value("/transport/state") == "playing"
