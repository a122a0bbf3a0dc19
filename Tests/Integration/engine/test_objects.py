"""Sound objects: placement at the start and by clients, head rotation, sessions, rendering to files."""

import json
import os
import pathlib

import jsonschema
import numpy
import pytest
from websockets.sync.client import connect

import wave_file
from ear import Ear
from program import Engine, run
from seeds import generator
from waiting import until

RATE = 48_000
ROOT = pathlib.Path(__file__).parents[3]


@pytest.fixture(scope="module")
def sounds(tmp_path_factory):
    """A folder with half a second of noise and an impulse every 50 ms."""
    folder = tmp_path_factory.mktemp("sounds")
    seed = 11
    wave_file.write(folder / "noise.wav", generator(seed).standard_normal(RATE // 2) * 0.1)
    impulses = numpy.zeros(RATE // 2)
    impulses[::2400] = 0.5
    wave_file.write(folder / "clicks.wav", impulses)
    return folder


def levels(ears):
    """Returns the levels of both ears in dB."""
    return 10 * numpy.log10((ears**2).mean(axis=0) + 1e-20)


def peaks(engine):
    return engine.value("/meter/listener/1/peak")


def louder(engine, ear):
    """Returns whether one ear's peaks are well above the other's."""
    heard = peaks(engine)
    return heard[ear] > 1.3 * heard[1 - ear] > 0


def test_objects_change_sides_when_the_head_turns(sounds):
    with Engine("--object", f"{sounds / 'noise.wav'}@80", "--objects", 3) as engine:
        until(lambda: engine.value("/object/1/state").startswith("ready"))
        assert engine.value("/object/1/source") == "noise.wav"
        assert engine.value("/object/sounds").split("\n") == ["noise.wav"]
        until(lambda: louder(engine, 0), describe=lambda: f"{peaks(engine)}")
        osc = engine.osc()
        # A source on the left is on the right of a head that faces backwards.
        osc.send_message("/listener/1/ypr", [170.0, 0.0, 0.0])
        until(lambda: louder(engine, 1), describe=lambda: f"{peaks(engine)}")
        osc.send_message("/object/1/azimuth", -80.0)
        until(lambda: louder(engine, 0), describe=lambda: f"{peaks(engine)}")
        osc.send_message("/object/1/mute", 1)
        until(lambda: peaks(engine) == [0, 0])
        assert engine.get("/object")["CONTENTS"].keys() == {
            "1", "2", "3", "sounds", "unit-distance", "add", "remove", "list", "count", "most", "autoplay", "group"}
        assert engine.get("/air")["CONTENTS"].keys() == {"temperature", "humidity"}


def test_places_are_angles_or_metres(sounds):
    with Engine("--object", f"{sounds / 'noise.wav'}@90,0,4,bubble=2,directivity=0.5,yaw=-90") as engine:
        osc = engine.osc()

        def place():
            return [engine.value(f"/object/1/{leaf}") for leaf in ("azimuth", "elevation", "distance")]

        until(lambda: numpy.allclose(engine.value("/object/1/xyz"), [0, 4, 0], atol=1e-4))
        assert [engine.value(f"/object/1/{leaf}") for leaf in ("bubble", "directivity", "yaw")] == [2, 0.5, -90]
        osc.send_message("/object/1/xyz", [-3.0, -3.0, 18**0.5])
        until(lambda: numpy.allclose(place(), [-135, 45, 6], atol=1e-3), describe=place)
        # The centre leaves the direction, at the shortest distance.
        osc.send_message("/object/1/xyz", [0.0, 0.0, 0.0])
        until(lambda: numpy.allclose(place(), [-135, 45, 0.1], atol=1e-3), describe=place)
        osc.send_message("/object/1/distance", 2.0)
        until(lambda: numpy.allclose(engine.value("/object/1/xyz"), [-1, -1, 2**0.5], atol=1e-4))
        osc.send_message("/object/2/solo", 1)
        until(lambda: peaks(engine) == [0, 0])
        osc.send_message("/object/2/solo", 0)
        until(lambda: min(peaks(engine)) > 0)


def test_rendered_files_have_the_delay_and_the_level(sounds, tmp_path):
    click = numpy.zeros(RATE)
    click[0] = 0.5
    wave_file.write(tmp_path / "click.wav", click)

    def render(options):
        run("render", "--object", f"{tmp_path / 'click.wav'}@0,0,{options}", "--output", tmp_path / "out.wav", "--overwrite")
        return wave_file.read(tmp_path / "out.wav")[0][:, 0]

    near, far = render("1"), render("34.3,reference=10,doppler=1")
    assert numpy.argmax(numpy.abs(far)) - numpy.argmax(numpy.abs(near)) == round(0.1 * RATE)
    assert abs(20 * numpy.log10(numpy.abs(far).max() / numpy.abs(near).max()) - 20 * numpy.log10(10 / 34.3)) < 0.05


def test_clients_name_sounds_and_reach_no_other_files(sounds, tmp_path):
    env = dict(os.environ, XDG_DATA_HOME=str(tmp_path))
    with Engine("--sounds", sounds, env=env) as engine:
        osc = engine.osc()
        osc.send_message("/transport/play", [])
        osc.send_message("/object/2/source", "noise.wav")
        until(lambda: engine.value("/object/2/state").startswith("ready"))
        until(lambda: max(peaks(engine)) > 0.01)
        for wrong, why in (
            ("../noise.wav", "There is no sound"),
            (str(tmp_path / "noise.wav"), "no folder that clients may use"),
            ("nois.wav", "Did you mean noise.wav?"),
            ("input 1", "start with --input"),
        ):
            osc.send_message("/object/2/source", wrong)
            until(lambda: why in engine.value("/engine/notice"), describe=lambda: engine.value("/engine/notice"))
            assert engine.value("/object/2/source") == "noise.wav"
        # A file that is not a sound: the previous sound continues.
        (sounds / "broken.wav").write_bytes(b"RIFF" + bytes(100))
        osc.send_message("/object/2/source", "broken.wav")
        until(lambda: "broken.wav" in engine.value("/engine/notice"))
        assert engine.value("/object/2/source") == "noise.wav"
        (sounds / "broken.wav").unlink()
        until(lambda: max(peaks(engine)) > 0.01)
        osc.send_message("/object/2/source", "")
        until(lambda: engine.value("/object/2/state") == "" and max(peaks(engine)) == 0)


def test_sessions_keep_objects(sounds, tmp_path):
    options = ("--sounds", sounds, "--sessions", tmp_path / "sessions")
    env = dict(os.environ, XDG_DATA_HOME=str(tmp_path))
    with Engine(*options, env=env) as engine:
        osc = engine.osc()
        osc.send_message("/object/3/source", "clicks.wav")
        osc.send_message("/object/3/name", "clock")
        osc.send_message("/object/3/azimuth", -45.5)
        osc.send_message("/object/3/distance", 3.0)
        until(lambda: engine.value("/object/3/state").startswith("ready"))
        osc.send_message("/session/save-as", "clocks")
        until(lambda: engine.value("/session/name") == "clocks")
    with Engine(tmp_path / "sessions" / "clocks.json", *options, env=env) as engine:
        until(lambda: engine.value("/object/3/state").startswith("ready"))
        kept = [engine.value(f"/object/3/{leaf}") for leaf in ("source", "name", "azimuth", "distance")]
        assert kept == ["clicks.wav", "clock", -45.5, 3]
        engine.osc().send_message("/transport/play", [])
        until(lambda: max(peaks(engine)) > 0.1)


def test_rendered_heads_move_past_objects(sounds, tmp_path):
    (tmp_path / "motion.csv").write_text("time,yaw,pitch,roll\n0,0,0,0\n0.2,0,0,0\n0.3,180,0,0\n0.5,180,0,0\n")
    output = tmp_path / "ears.wav"
    run("render", "--object", f"{sounds / 'noise.wav'}@90", "--motion", tmp_path / "motion.csv", "--output", output)
    ears, rate = wave_file.read(output)
    assert rate == RATE and len(ears) == RATE // 2
    before, after = levels(ears[2400:9000]), levels(ears[15000:23000])
    # White noise beside the ear: about 6 dB more there, less in the head's shadow.
    assert before[0] - before[1] > 6 and after[1] - after[0] > 6
    assert abs((before[0] - before[1]) - (after[1] - after[0])) < 0.5


def test_objects_beside_a_recording(sounds, tmp_path):
    wave_file.write(tmp_path / "scene.wav", generator(5).standard_normal((RATE // 4, 8)) * 0.05)

    def render(*options):
        run("render", *options, "--output", tmp_path / "out.wav", "--overwrite", "--method", "two-band", "--yaw", 20)
        return wave_file.read(tmp_path / "out.wav")[0]

    alone = render(tmp_path / "scene.wav")
    clicks = f"{sounds / 'clicks.wav'}@-60,10,2"
    both, objects = render(tmp_path / "scene.wav", "--object", clicks), render("--object", clicks)
    assert len(both) == RATE // 4 and numpy.abs(both - alone - objects[: RATE // 4]).max() < 1e-6
    assert numpy.abs(objects).max() > 0.1


@pytest.mark.parametrize("text, why", [
    ("none.wav@30", "none.wav"), ("{noise}", "there is no @"), ("{noise}@2000000", "azimuth is at most 1000000"),
    ("{noise}@1,2,3,4", "more than three numbers"), ("{noise}@1,bubbles=2", "choose one of gain, reference, bubble"),
    ("{noise}@1,air=2", "air is 0 to 1"), ("{noise}@air=1", "there is no azimuth"), ("{noise}@left", "is not a number"),
])
def test_invalid_objects_are_refused_with_the_reason(sounds, tmp_path, text, why):
    text = text.format(noise=sounds / "noise.wav")
    for command in (("render", "--output", tmp_path / "out.wav"), ("serve", "--osc-port", 0, "--http-port", 0)):
        result = run(*command, "--object", text, check=False)
        assert result.returncode != 0 and why in result.stderr, result.stderr
    assert not (tmp_path / "out.wav").exists()


def test_objects_come_and_go_while_they_sound(sounds, tmp_path):
    """Over OSC, OSCQuery and for a listener on the network; a flood of additions ends at the limit and disturbs nothing."""
    env = dict(os.environ, XDG_DATA_HOME=str(tmp_path))
    with Engine("--sounds", sounds, "--objects", 2, "--network-listeners", 2, env=env) as engine:
        osc = engine.osc()
        with connect(engine.socket_url, compression=None) as client:
            told = lambda command, path: until(lambda: json.loads(client.recv(timeout=60)) == {"COMMAND": command, "DATA": path})
            osc.send_message("/transport/play", [])
            osc.send_message("/object/add", "noise.wav")
            told("PATH_ADDED", "/object/3")
            until(lambda: engine.value("/object/3/state").startswith("ready") and min(peaks(engine)) > 0.01)
            assert engine.value("/object/3/source") == "noise.wav" and engine.value("/object/list") == "1-3"
            osc.send_message("/listener/add", "guest")
            until(lambda: engine.value("/listener/count") == 2)
            with Ear(engine, 2) as ear:
                until(lambda: ear.packets and ear.peak() > 0.01)
                # ADM-OSC's numbers are those of the objects.
                osc.send_message("/adm/obj/3/azim", 90.0)
                until(lambda: engine.value("/object/3/azimuth") == 90)
                osc.send_message("/object/remove", 3)
                told("PATH_REMOVED", "/object/3")
                until(lambda: peaks(engine) == [0, 0] and ear.peak() < 0.001, describe=ear.peak)
            osc.send_message("/adm/obj/3/azim", 10.0)
            until(lambda: "/adm/obj/3/azim" in engine.value("/engine/notice"))
            osc.send_message("/session/undo", [])
            until(lambda: engine.value("/object/list") == "1-3" and engine.value("/object/3/azimuth") == 90)
            until(lambda: max(peaks(engine)) > 0.01)
        for _ in range(10_000):
            osc.send_message("/object/add", "")

        def is_full():
            # A socket whose program is stalled drops most of a flood.
            osc.send_message("/object/add", "")
            return engine.value("/object/count") == 256 and "256 objects, which is the maximum" in engine.value("/engine/notice")

        until(is_full)
        until(lambda: max(peaks(engine)) > 0.01)
        assert engine.value("/object/3/azimuth") == 90

        def is_named():
            # What is left of the flood may still fill the queue.
            osc.send_message("/object/256/name", "last")
            return engine.value("/object/256/name") == "last"

        until(is_named)
        osc.send_message("/object/list", "3")
        until(lambda: engine.value("/object/count") == 1)
        assert engine.get("/object")["CONTENTS"].keys() >= {"3", "group", "sounds"}
        assert "256" not in engine.get("/object")["CONTENTS"]
        until(lambda: max(peaks(engine)) > 0.01)


def test_paths_follow_the_transport(sounds, tmp_path):
    """A circle at the start, in step with a recording that is sought and loops; the same path in a rendered file."""
    wave_file.write(tmp_path / "scene.wav", numpy.zeros((2 * RATE, 8)))
    (tmp_path / "circle.json").write_text(json.dumps({"circle": {"radius": 2, "seconds": 4, "start": 0}}))
    jsonschema.Draft202012Validator(json.loads((ROOT / "protocol/schemas/object-path.json").read_text())).validate(
        json.loads((tmp_path / "circle.json").read_text()))
    moving = f"{sounds / 'noise.wav'}@path={tmp_path / 'circle.json'}"

    def offset(engine):
        """Difference of azimuth and the formula at the transport's position, degrees."""
        position, azimuth = engine.value("/transport/position"), engine.value("/object/1/azimuth")
        return (azimuth - 360 * position / 4 + 180) % 360 - 180

    with Engine("--recording", tmp_path / "scene.wav", "--object", moving) as engine:
        osc = engine.osc()
        until(lambda: 60 < engine.value("/object/1/azimuth") < 170)
        assert engine.value("/object/1/distance") == pytest.approx(2, abs=1e-3)
        # The recording is 2 s long: the circle begins again with it, at its front.
        until(lambda: 0 <= engine.value("/object/1/azimuth") < 60)
        osc.send_message("/transport/pause", [])
        until(lambda: engine.value("/transport/state") == "paused")
        until(lambda: abs(offset(engine)) < 1, lambda: f"{offset(engine)} degrees")
        osc.send_message("/transport/seek", 1.0)
        # A pause that still fades goes on by a moment.
        until(lambda: 1 <= engine.value("/transport/position") < 1.1)
        until(lambda: 89 < engine.value("/object/1/azimuth") < 100 and abs(offset(engine)) < 1, lambda: f"{offset(engine)} degrees")
        osc.send_message("/object/1/path", '{"keyframes": [\n{"time": 0}]}')
        until(lambda: "/object/1/path:2: \"xyz\" is missing" in engine.value("/engine/notice"))

    run("render", "--object", moving, "--output", tmp_path / "out.wav")
    ears = wave_file.read(tmp_path / "out.wav")[0]
    # In half a second from the front to 45 degrees: the left ear becomes louder, the right one quieter.
    begin, end = levels(ears[:1200]), levels(ears[-4800:])
    assert abs(begin[0] - begin[1]) < 1 and end[0] - end[1] > 3
    (tmp_path / "wrong.json").write_text('{"circle": {"radius": 2,\n"seconds": 0.01}}')
    wrong = run("render", "--object", f"{sounds / 'noise.wav'}@path={tmp_path / 'wrong.json'}", "--output", tmp_path / "no.wav",
                check=False)
    assert wrong.returncode != 0 and "wrong.json:2: \"seconds\" is 0.01" in wrong.stderr and not (tmp_path / "no.wav").exists()
