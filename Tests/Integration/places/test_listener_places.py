"""Places of listeners while sound plays: wired ones and one on the network, by clients, from the command line, in sessions and takes."""

import os
import pathlib
import socket
import struct

import numpy
import pytest

import wave_file
from ear import Ear
from program import Engine, run
from waiting import until

RATE = 48_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A tone, and folders of the program's own."""
    folder = tmp_path_factory.mktemp("places")
    wave_file.write(folder / "tone.wav", 0.2 * numpy.sin(2 * numpy.pi * 2000 * numpy.arange(RATE) / RATE))
    return folder


def power(engine, listener):
    """Power of both ears together, decibels."""
    return 10 * numpy.log10(sum(rms**2 for rms in engine.value(f"/meter/listener/{listener}/rms")) + 1e-12)


def test_every_listener_hears_from_its_own_place(folder, tmp_path):
    # A folder of this test alone: listeners on the network are remembered.
    env = dict(os.environ, XDG_DATA_HOME=str(tmp_path))
    options = ["--objects", 2, "--listeners", 3, "--network-listeners", 2, "--sessions", tmp_path / "sessions"]
    with Engine("--object", f"{folder / 'tone.wav'}@90,0,4", "--place", "0,2,0@3", *options, env=env) as engine:
        osc = engine.osc()
        until(lambda: engine.value("/object/1/state").startswith("ready"))
        assert engine.value("/listener/3/xyz") == [0, 2, 0] and engine.value("/listener/1/xyz") == [0, 0, 0]
        # One over the distance: 4, 1 and 2 metres, which are 12 and 6 dB; the direction is the same.
        osc.send_message("/listener/2/xyz", [0.0, 3.0, 0.0])

        def differences():
            return [power(engine, number) - power(engine, 1) for number in (2, 3)]

        until(lambda: power(engine, 1) > -60)
        until(lambda: numpy.allclose(differences(), [12.04, 6.02], atol=0.1), describe=differences)
        # On the other side of the object its sound comes from the right.
        osc.send_message("/listener/2/xyz", [0.0, 6.0, 0.0])
        ears = lambda: engine.value("/meter/listener/2/rms")
        until(lambda: ears()[1] > 1.2 * ears()[0] > 0, describe=ears)
        # ADM-OSC has the first listener's place: to the right, to the front and up, in the unit of objects.
        osc.send_message("/object/unit-distance", 10.0)
        osc.send_message("/adm/lis/xyz", [-0.1, 0.2, 0.05])
        place = lambda: engine.value("/listener/1/xyz")
        until(lambda: place() == pytest.approx([2, 1, 0.5], abs=1e-5), describe=place)
        osc.send_message("/adm/lis/xyz", [0.0, 0.0])
        until(lambda: "/adm/lis/xyz takes 3 values" in engine.value("/engine/notice"), describe=lambda: engine.value("/engine/notice"))
        osc.send_message("/adm/lis/xyz", [0.0, 0.0, 0.0])
        until(lambda: engine.value("/listener/1/xyz") == [0, 0, 0])
        # On the network it is the same as on the device.
        osc.send_message("/listener/add", "Anna")
        until(lambda: engine.value("/listener/count") == 4)
        with Ear(engine, 4) as ear:
            until(lambda: ear.peak() > 0.01)
            osc.send_message("/listener/4/xyz", [0.0, 6.0, 0.0])
            # On the way there it passes a place that is as far from the object, on its other side.
            network = lambda: engine.value("/meter/listener/4/rms")
            until(lambda: network() == pytest.approx(ears(), rel=0.02), describe=lambda: (network(), ears()))
            # The sound of a bubble around the origin is not heard far from it, on the network either.
            osc.send_message("/object/1/bubble", 2.0)
            osc.send_message("/object/1/distance", 0.5)
            far = lambda: [power(engine, number) - power(engine, 1) for number in (2, 4)]
            until(lambda: max(far()) < -5 and abs(far()[0] - far()[1]) < 0.1, describe=far)
            osc.send_message("/object/1/bubble", 0.0)
            osc.send_message("/object/1/distance", 4.0)
            osc.send_message("/listener/4/xyz", [0.0, 0.0, 0.0])
            until(lambda: abs(power(engine, 4) - power(engine, 1)) < 0.1)
            osc.send_message("/listener/4/xyz", [0.0, 5.0, 0.0])
            until(lambda: engine.value("/listener/4/xyz") == [0, 5, 0])
        # Wrong ones change nothing; a coordinate beyond the range is clamped, which is reported.
        osc.send_message("/listener/2/xyz", [1.0, 2.0])
        until(lambda: "/listener/2/xyz" in engine.value("/engine/notice"), describe=lambda: engine.value("/engine/notice"))
        osc.send_message("/listener/2/xyz", [float("nan"), 0.0, 0.0])
        # Announced, so that it is a step of its own however soon it follows the change before.
        osc.send_message("/session/gesture", True)
        osc.send_message("/listener/1/xyz", [0.0, -500.0, 0.0])
        osc.send_message("/session/gesture", False)
        until(lambda: engine.value("/listener/1/xyz") == [0, -100, 0])
        assert engine.value("/listener/2/xyz") == [0, 6, 0]
        # Undo and sessions.
        osc.send_message("/session/undo", [])
        until(lambda: engine.value("/listener/1/xyz") == [0, 0, 0])
        osc.send_message("/session/save-as", "places")
        until(lambda: engine.value("/session/name") == "places")
    with Engine(tmp_path / "sessions/places.json", *options, env=env) as engine:
        names = lambda: [engine.value(f"/listener/{number}/name") for number in range(1, 4)]
        until(lambda: engine.value("/listener/2/xyz") == [0, 6, 0], describe=names)
        assert engine.value("/listener/3/xyz") == [0, 2, 0]
        # A named listener on the network comes back to its place.
        until(lambda: engine.value("/listener/4/xyz") == [0, 5, 0])


def test_places_are_columns_of_a_motion(folder):
    """Columns for the place, under two names and in two units."""
    lines = "".join(f"{t:.2f},0,{t},{-2 * t},0\n" for t in numpy.arange(0, 1.01, 0.02))
    (folder / "walk.csv").write_text("time,yaw,px,py,pz\n" + lines)
    (folder / "walk-again.csv").write_text("time (ms);px (cm);py (cm);pz;yaw\n" + "".join(
        f"{1000 * t:.0f};{100 * t};{-200 * t};0;0\n" for t in numpy.arange(0, 1.01, 0.02)))
    ears = []
    for name in ("walk", "walk-again"):
        run("render", "--object", f"{folder / 'tone.wav'}@40,0,2,doppler=1", "--motion", folder / f"{name}.csv", "--output",
            folder / f"{name}.wav", "--overwrite")
        ears.append(wave_file.read(folder / f"{name}.wav")[0])
    assert abs(ears[0] - ears[1]).max() < 1e-4 and abs(ears[0]).max() > 0.01
    (folder / "far.csv").write_text("time,yaw,x,y,z\n0,0,0,0,500\n")
    failed = run("render", "--object", f"{folder / 'tone.wav'}@40", "--motion", folder / "far.csv", "--output", folder / "far.wav",
                 check=False)
    assert failed.returncode != 0 and "at most 100 m" in failed.stderr and not pathlib.Path(folder / "far.wav").exists()


def test_trackers_with_a_position_move_their_listener(folder):
    """opentrack: six numbers, centimetres to the right, up and back, then angles."""
    with Engine("--object", f"{folder / 'tone.wav'}@0,0,4", "--listeners", 2, "--tracker", "opentrack:0") as engine, socket.socket(
            socket.AF_INET, socket.SOCK_DGRAM) as sender:
        osc = engine.osc()
        pose = [0.0, 0.0, 0.0]

        def nearer(decibels):
            """Whether the first listener hears so much more than the second, while the tracker sends."""
            sender.sendto(struct.pack("<6d", *pose, 0, 0, 0), ("127.0.0.1", engine.ready["tracker_ports"][0]))
            return abs(power(engine, 1) - power(engine, 2) - decibels) < 0.1

        # Initially the position is not used.
        pose[2] = -300.0
        until(lambda: power(engine, 2) > -60)
        until(lambda: nearer(0) and engine.value("/tracker/1/state") == "live")
        osc.send_message("/tracker/1/position", True)
        until(lambda: nearer(20 * numpy.log10(4)))
        osc.send_message("/tracker/1/position-scale", 0.5)
        until(lambda: nearer(20 * numpy.log10(4 / 2.5)))
        # Recentred, the listener is at its own place; from there it moves on.
        osc.send_message("/tracker/1/recenter", [])
        until(lambda: nearer(0))
        until(lambda: engine.value("/tracker/1/position-centre") == [3, 0, 0])
        osc.send_message("/listener/1/xyz", [2.0, 0.0, 0.0])
        until(lambda: nearer(20 * numpy.log10(4 / 2)))
        pose[2] = -500.0
        until(lambda: nearer(20 * numpy.log10(4)))
        pose[2] = float("nan")
        sender.sendto(struct.pack("<6d", *pose, 0, 0, 0), ("127.0.0.1", engine.ready["tracker_ports"][0]))
        until(lambda: "finite" in engine.value("/tracker/1/problem"))
        osc.send_message("/tracker/1/position", False)
        pose[2] = -500.0
        until(lambda: nearer(20 * numpy.log10(4 / 2)))
