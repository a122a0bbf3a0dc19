"""Playing and recording by a real JACK server with its dummy driver."""

import contextlib
import json
import signal
import subprocess

import numpy
import pytest
from websockets.sync.client import connect

import wave_file
from figures import figure, measured
from health import becomes_well, health
from jack_server import Card, Wire, available, jack_server
from program import PROGRAM, Engine, run
from waiting import LIMIT, until

pytestmark = pytest.mark.skipif(not available(), reason="needs jackd2")
RATE = 48_000


def ports(listener):
    return [f"vestibule:listener-{listener}-{side}" for side in ("left", "right")]


@pytest.fixture
def tone(tmp_path):
    """A recording of 4 s: 1 kHz at -12 dB on all eight microphones."""
    sound = 0.25 * numpy.sin(2 * numpy.pi * 1000 * numpy.arange(4 * RATE) / RATE)
    wave_file.write(tmp_path / "tone.wav", numpy.repeat(sound[:, None], 8, axis=1))
    return tmp_path / "tone.wav"


def level(sound):
    """Level of a tone against one of -12 dB, decibels."""
    return 20 * numpy.log10(numpy.sqrt(numpy.mean(sound ** 2)) * numpy.sqrt(2) / 0.25 + 1e-9)


def heard(server, sources, frames):
    """The next frames of some ports. A machine that is stalled may miss some: wait until the right ones are heard."""
    with Wire(server, numpy.zeros((frames, 0)), sources, []) as wire:
        return wire.run()


def test_every_listener_has_two_ports_that_play_the_tone(tone):
    with jack_server(period=256) as server:
        with Engine("--recording", tone, "--device", "jack", "--listeners", 3, "--output", "2=4,3", env=server.env) as engine:
            assert (engine.ready["rate"], engine.ready["period"]) == (RATE, 256)
            # A server that stalls has taken them away, until they are made anew.
            own = lambda: [p for p in server.ports() if p.startswith("vestibule:")]
            until(lambda: own() == [p for n in (1, 2, 3) for p in ports(n)], own)
            until(lambda: server.connections(ports(1)[0]) == ["system:playback_1"])
            until(lambda: server.connections(ports(2)[0]) == ["system:playback_4"])
            assert server.connections(ports(3)[0]) == []

            def is_tone(channel):
                spectrum = numpy.abs(numpy.fft.rfft(channel * numpy.hanning(len(channel))))
                return abs(level(channel)) < 0.1 and abs(spectrum.argmax() - 1000) < 3

            until(lambda: all(is_tone(channel) for channel in heard(server, ports(1) + ports(2) + ports(3), RATE).T))
            becomes_well(engine)


@contextlib.contextmanager
def playing_with_declared_latency(tone):
    """An engine on a server whose dummy driver declares two periods of playback latency."""
    with jack_server(period=1024) as server:
        with Engine("--recording", tone, "--device", "jack", env=server.env) as engine:
            until(lambda: server.connections(ports(1)[0]))

            def declared():
                """What the server says of the port: it works latencies out after it has connected ports."""
                described = server.ports("-l")
                after = described[described.index(ports(1)[0]):] if ports(1)[0] in described else []
                return next((text for text in after if "playback latency" in text), "")

            until(lambda: "[ 2048 2048 ]" in declared(), declared)
            yield engine


def test_latency_is_the_one_that_the_server_reports(tone):
    with playing_with_declared_latency(tone) as engine:
        engine.osc().send_message("/listener/1/ypr", [20.0, 0.0, 0.0])
        # From the port on, and what the limiter takes.
        least = 1000 * (2048 + engine.value("/protection/latency")) / RATE
        until(lambda: engine.value("/latency/motion-to-sound")[0] > least - 1)


@measured
def test_motion_is_heard_after_the_latency_that_the_server_reports(tone):
    """A pose waits up to one period for its block, and the limiter takes 0.5 ms."""
    with playing_with_declared_latency(tone) as engine:
        for yaw in range(40):
            engine.osc().send_message("/listener/1/ypr", [float(yaw), 0.0, 0.0])
            until(lambda yaw=yaw: round(engine.value("/listener/1/ypr")[0]) == yaw)
        until(lambda: engine.value("/latency/motion-to-sound")[0] > 0)
        # From the block on that first used a pose.
        output = engine.value("/latency/motion-to-sound")[0] - engine.value("/latency/waiting")[0]
        declared = 1000 * (2048 + engine.value("/protection/latency")) / RATE
        print(f"output {output} ms, declared {declared} ms")
        figure("departure from the declared latency of the output", abs(output - declared), at_most=1, unit="ms")


def test_channels_of_a_listener_follow_its_parameter(tone):
    with jack_server(period=256) as server:
        with Engine("--recording", tone, "--device", "jack", "--listeners", 2, env=server.env) as engine:
            assert engine.value("/listener/1/output") == "1,2" and engine.value("/listener/2/output") == ""
            engine.osc().send_message("/listener/2/output", "3,4")
            until(lambda: server.connections(ports(2)[1]) == ["system:playback_4"])
            engine.osc().send_message("/listener/1/output", "")
            until(lambda: server.connections(ports(1)[0]) == [])
            engine.osc().send_message("/listener/1/output", "4,5")
            until(lambda: "Channels 4,5 do not exist: the device has 4. Free: 1,2." in engine.log, lambda: engine.log)
            engine.osc().send_message("/listener/1/output", "2,3")
            until(lambda: "not free: listener 2 is played on 3,4. Free: 1,2." in engine.log, lambda: engine.log)
            assert engine.value("/listener/1/output") == ""


def test_a_participant_hears_the_card_or_the_browser_and_never_both(tone):
    with jack_server(period=256) as server:
        with Engine("--recording", tone, "--device", "jack", "--listeners", 2, "--output", "2=3,4", env=server.env) as engine:
            for listener in (1, 2):
                for address, value in [("listener", listener), ("pair", "nearest linear"), ("compare", [])]:
                    engine.osc().send_message(f"/test/{address}", value)
                with connect(engine.socket_url + "/listening-test") as page:
                    def view(wanted):
                        """The next view of the page of which this is true."""
                        def received():
                            found = json.loads(page.recv(timeout=LIMIT)).get("view")
                            return found if found and wanted(found) else None

                        return until(received)

                    ready = view(lambda found: found.get("phase") == "ready" and found["listener"] == listener)
                    output = "/listener/%d/output" % listener
                    assert engine.value(output) != "" and ready["isHeardHere"] is False
                    engine.osc().send_message(output, "")
                    view(lambda found: found["isHeardHere"] is True)
                engine.osc().send_message("/test/stop", [])
                until(lambda: engine.value("/test/running") is False)


def test_eight_headphones_on_sixteen_channels(tmp_path):
    """Each pair of channels of a sixteen-channel interface gets its own listener: by level, and by the side that the sound comes from."""
    sound = 0.25 * numpy.sin(2 * numpy.pi * 3000 * numpy.arange(RATE) / RATE)
    wave_file.write(tmp_path / "tone.wav", sound)
    outputs = [option for number in range(1, 9) for option in ("--output", f"{number}={2 * number - 1},{2 * number}")]
    with jack_server(period=256, outputs=16) as server:
        with Engine("--object", f"{tmp_path / 'tone.wav'}@90", "--device", "jack", "--listeners", 8, *outputs, env=server.env) as engine:
            for number in range(1, 9):
                engine.osc().send_message(f"/listener/{number}/gain", -3.0 * (number - 1))
                # Listeners with odd numbers face the front and hear the object at the left, the others face the back.
                engine.osc().send_message(f"/listener/{number}/ypr", [0.0 if number % 2 else 180.0, 0.0, 0.0])
                for side, channel in zip(ports(number), (2 * number - 1, 2 * number)):
                    until(lambda side=side, channel=channel: server.connections(side) == [f"system:playback_{channel}"])
            until(lambda: engine.value("/listener/8/gain") == -21 and engine.value("/object/1/state").startswith("ready"))
            every = [port for number in range(1, 9) for port in ports(number)]

            def is_heard():
                sound = heard(server, every, RATE)
                levels = 20 * numpy.log10(numpy.sqrt((sound ** 2).mean(axis=0)) + 1e-9).reshape(8, 2)
                near = [max(pair) for pair in levels]
                print("near ears", numpy.round(near, 2), "far ears", numpy.round([min(pair) for pair in levels], 2))
                return numpy.allclose(near, near[0] - 3 * numpy.arange(8), atol=0.1) and all(
                    (left > right + 6) == bool(number % 2) for number, (left, right) in enumerate(levels, 1))

            until(is_heard)
            becomes_well(engine)


def test_another_buffer_size_is_followed(tone):
    with jack_server(period=256) as server:
        with Engine("--recording", tone, "--device", "jack", env=server.env) as engine:
            engine.osc().send_message("/transport/loop", True)
            for frames in (1024, 64, 512):
                subprocess.run(["jack_bufsize", str(frames)], env=server.env, check=True, capture_output=True)
                until(lambda: abs(level(heard(server, ports(1), RATE // 2)[4096:, 0])) < 0.1, lambda frames=frames: f"{frames} frames")
                until(lambda frames=frames: engine.value("/engine/period") == frames)
            becomes_well(engine)


def play(engine):
    """Waits for a second of sound, in blocks of 256 frames."""
    blocks = health(engine)["blocks"]
    until(lambda: health(engine)["blocks"] > blocks + RATE // 256)


def patch(server, engine, wanted):
    """Gives ports their connections, until the engine had a second to see that in which a busy machine did not stall the server."""
    def is_seen():
        losses = engine.value("/engine/device/losses")
        for port, others in wanted.items():
            server.patch(port, *others)
        play(engine)
        return engine.value("/engine/device/losses") == losses and all(
            server.connections(port) == others for port, others in wanted.items())

    until(is_seen)


def test_a_card_that_leaves_and_returns_is_connected_again(tone):
    """The server stays; ports of its card come and go, as those of a card do below PipeWire."""
    left, right = ports(1)
    with jack_server(period=256, inputs=1, outputs=2) as server:
        options = ["--recording", tone, "--device", "jack", "--input", "jack", "--output", "1=3,4"]
        with Engine(*options, env=server.env) as engine:
            def problem():
                return engine.value("/engine/device/problem")

            until(lambda: "has no outputs 3, 4: it has 2 outputs now" in problem(), problem)
            until(lambda: server.connections("vestibule:input-right") == ["system:capture_1"])
            with Card(server) as card:
                for _ in range(2):
                    card.plug("a")
                    until(lambda: server.connections(left) == ["card:a"])
                    until(lambda: "has no output 4: it has 3 outputs now" in problem(), problem)
                    card.plug("b")
                    until(lambda: server.connections(right) == ["card:b"] and problem() == "")
                    card.pull("a")
                    card.pull("b")
                    until(lambda: "has no outputs 3, 4" in problem())
                    # A machine that is stalled loses the server for a moment.
                    until(lambda: engine.value("/engine/device/state") == "playing" and "has no outputs 3, 4" in problem(), problem)
                card.plug_source("c")
                until(lambda: server.connections("vestibule:input-right") == ["card:c"])
                until(lambda: server.connections("vestibule:input-left") == ["system:capture_1"])
                # A connection that a user has taken away stays away.
                card.plug("a")
                until(lambda: server.connections(left) == ["card:a"])
                patch(server, engine, {left: []})
                card.plug("b")
                until(lambda: server.connections(right) == ["card:b"])
                assert server.connections(left) == []


def test_connections_of_a_user_are_restored_with_the_server(tone):
    """Ears that a user has patched into a mixer are there again, and not on the card; the mixer may come later."""
    left, right = ports(1)
    with jack_server(period=256) as server:
        options = ["--recording", tone, "--device", "jack", "--input", "jack", "--listeners", 2]
        with Engine(*options, env=server.env) as engine:
            def restart():
                """Kills the server and starts another one, which has none of the connections."""
                losses = engine.value("/engine/device/losses")
                server.stop(signal.SIGKILL)
                until(lambda: engine.value("/engine/device/losses") > losses)
                server.start()
                until(lambda: engine.value("/engine/device/state") == "playing")

            def problem():
                return engine.value("/engine/device/problem")

            until(lambda: server.connections(right) == ["system:playback_2"])
            until(lambda: server.connections("vestibule:input-left") == ["system:capture_1"])
            with Card(server, "mixer", is_physical=False) as mixer:
                mixer.plug("in")
                patch(server, engine, {left: ["mixer:in"], ports(2)[0]: ["system:playback_4"], "vestibule:input-left": []})
                restart()
            until(lambda: "absent: listener-1-left with mixer:in. They are made when" in problem(), problem)
            until(lambda: "listener-1-left with mixer:in" in engine.log, lambda: engine.log)
            until(lambda: server.connections(right) == ["system:playback_2"])
            until(lambda: server.connections(ports(2)[0]) == ["system:playback_4"])
            assert server.connections(left) == [] and server.connections("vestibule:input-left") == []
            until(lambda: server.connections("vestibule:input-right") == ["system:capture_2"])
            with Card(server, "mixer", is_physical=False) as mixer:
                mixer.plug("in")
                until(lambda: server.connections(left) == ["mixer:in"])
                until(lambda: problem() == "", problem)
            # Without any connection there are none later.
            until(lambda: server.connections(left) == [])
            nothing = {port: [] for port in ports(1) + ports(2) + INPUTS}
            patch(server, engine, nothing)
            restart()
            play(engine)
            assert {port: server.connections(port) for port in nothing} == nothing
            # Other channels are connected as ever.
            engine.osc().send_message("/listener/1/output", "3,4")
            until(lambda: server.connections(left) == ["system:playback_3"])


@contextlib.contextmanager
def live_input():
    """A server in synchronous mode, and an engine that plays what it records from there."""
    with jack_server(period=64, options=["-S"]) as server:
        with Engine("--device", "jack", "--input", "jack", env=server.env) as engine:
            until(lambda: server.connections("vestibule:input-left") == ["system:capture_1"])
            yield server, engine


INPUTS = ["vestibule:input-left", "vestibule:input-right"]


def test_live_input_is_heard():
    with live_input() as (server, engine):
        with Wire(server, numpy.full((60 * RATE, 2), 0.25), [], INPUTS) as player:
            player.start()
            until(lambda: numpy.allclose(heard(server, ports(1), RATE // 2), 0.25, atol=1e-4))
        # In the server's synchronous mode one period before the ports and one after them.
        declared = 1000 * (2 * 64 + engine.value("/protection/latency")) / RATE
        until(lambda: abs(engine.value("/input/latency") - declared) < 0.05)


@measured
def test_live_input_takes_no_frame_from_port_to_port():
    """An impulse leaves in the cycle in which it arrived, later by the limiter's declared latency."""
    place = 12_000
    sound = numpy.zeros((RATE // 2, 2))
    sound[place] = 0.5
    with live_input() as (server, engine):
        with Wire(server, numpy.zeros((2 * RATE, 0)), ports(1), []) as recorder:
            with Wire(server, sound, [], INPUTS) as player:
                recorder.start()
                player.run()
                recorded = recorder.run()
        place += player.begin - recorder.begin
        declared = engine.value("/protection/latency")
    loud = numpy.flatnonzero(numpy.abs(recorded[:, 0]) > 0.3)
    assert len(loud) == 1
    figure("frames from port to port beyond the declared ones", abs(loud[0] - place - declared), at_most=0)


def test_live_input_out_of_range_is_counted_and_reported():
    """Samples that are no sound are silenced or limited, counted, and named in the log; the sound continues."""
    sound = numpy.full((RATE // 2, 2), 0.25)
    sound[5_000:5_003, 0] = [numpy.nan, numpy.inf, -numpy.inf]
    sound[5_000:5_002, 1] = [1e30, -65]
    # As loud as is allowed.
    sound[12_000] = 64
    with live_input() as (server, engine):
        assert engine.value("/engine/limited") == 0

        def limited():
            """The number after the sound was played once more; an engine that is stalled misses it."""
            with Wire(server, sound, [], INPUTS) as player:
                player.run()
            blocks = health(engine)["blocks"]
            until(lambda: health(engine)["blocks"] > blocks + RATE // 64)
            return engine.value("/engine/limited")

        assert until(limited) == 5
        until(lambda: engine.metric("vestibule_limited_input_samples_total") == 5)
        until(lambda: "live input: 5 samples beyond ±64 (+36 dBFS) or not numbers" in engine.log, lambda: engine.log)
        assert engine.value("/engine/resets") == 0


def test_a_server_is_listed_and_a_missing_one_explained(tone):
    with jack_server(period=256) as server:
        listed = run("devices", env=server.env).stdout
        assert "jack" in listed.splitlines()[0] and "JACK server: 4 outputs, 2 inputs, 48000 Hz, 256 frames" in listed
    result = subprocess.run(
        [PROGRAM, "serve", "--device", "jack", "--osc-port", "0", "--http-port", "0"], env=server.env, capture_output=True, text=True,
        timeout=60)
    assert result.returncode == 1 and "There is no JACK server. Start one, for example `jackd -d alsa`" in result.stderr
    result = run("serve", "--device", "timer", "--input", "jack", "--osc-port", "0", "--http-port", "0", check=False)
    assert result.returncode != 0 and "The input jack needs a JACK client as device: add --device jack" in result.stderr
