"""The room of the sound objects while they play: from the command line, by clients, locked, loaded, in sessions."""

import json
import os

import numpy
import pytest

import wave_file
from program import Engine, run
from seeds import generator
from waiting import until

RATE = 48_000
ROOM = {
    "size": [7, 5, 3], "place": [0.5, 0.3, -1.4], "turn": 15, "order": 2, "walls": "own-plaster", "humidity": 60,
    "materials": [
        {"name": "own-plaster", "title": "Plaster of our own", "absorption": [0.1] * 7, "colour": "#ddccbb", "source": "measured"}]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A sound, and the program's folders with a room that clients may load."""
    folder = tmp_path_factory.mktemp("room")
    wave_file.write(folder / "noise.wav", generator(5).standard_normal(RATE) * 0.05)
    (folder / "room.json").write_text(json.dumps(ROOM))
    (folder / "vestibule/rooms").mkdir(parents=True)
    (folder / "vestibule/rooms/hall.json").write_text(json.dumps({"size": [20, 14, 7], "walls": "wood"}))
    return folder


def level(engine):
    """Decibels at the left ear."""
    return 20 * numpy.log10(engine.value("/meter/listener/1/rms")[0] + 1e-9)


def ready(engine):
    return until(lambda: (state := engine.value("/room/state")).startswith("ready") and state, describe=lambda: engine.value("/room/state"))


def test_a_room_from_start_to_session(folder):
    """One engine: begins in a room, has it changed, locked, loaded and saved; another one begins with the session."""
    environment = os.environ | {"XDG_DATA_HOME": str(folder)}
    sessions = ["--sessions", folder / "sessions"]
    with Engine(
            "--object", f"{folder / 'noise.wav'}@90,0,2", "--room", folder / "room.json", *sessions, env=environment) as engine:
        osc = engine.osc()
        first = ready(engine)
        walls = engine.get("/room/wall")["CONTENTS"]
        assert {name: wall["VALUE"] for name, wall in walls.items()} == dict.fromkeys(
            ["front", "back", "left", "right", "ceiling", "floor"], ["own-plaster"])
        assert engine.value("/room/size") == [7, 5, 3] and engine.value("/room/turn") == 15 and engine.value("/air/humidity") == 60
        assert engine.value("/room/materials").split("\n")[0] == "own-plaster\t#ddccbb\tPlaster of our own"
        until(lambda: level(engine) > -60)
        # Absorbing walls take the reverberation away.
        osc.send_message("/room/wall/*", "acoustic-ceiling")
        until(lambda: engine.value("/room/state") not in (first, "loading: walls and late field"))
        dry = ready(engine)
        assert float(dry.split()[1]) < float(first.split()[1])
        # Outside the walls the object is muffled, not silent.
        inside = until(lambda: (heard := level(engine)) > -60 and heard)
        osc.send_message("/object/1/distance", 6.0)
        until(lambda: level(engine) < inside - 20, describe=lambda: f"{level(engine)} dB after {inside} dB")
        osc.send_message("/object/1/distance", 2.0)
        # A room without its listeners is not heard, and said why.
        osc.send_message("/room/place", [30.0, 0.0, -1.5])
        until(lambda: engine.value("/room/state").startswith("failed: place puts the listeners"))
        osc.send_message("/room/place", [0.0, 0.0, -1.5])
        ready(engine)
        osc.send_message("/room/lock", True)
        until(lambda: engine.value("/room/lock"))
        osc.send_message("/room/size", [4.0, 4.0, 2.5])
        until(lambda: "the room is locked" in engine.value("/engine/notice"))
        assert engine.value("/room/size") == [7, 5, 3]
        osc.send_message("/room/lock", False)
        osc.send_message("/room/load", "hall")
        until(lambda: engine.value("/room/size") == [20, 14, 7])
        assert engine.value("/room/wall/floor") == "wood" and engine.value("/list/rooms") == "hall"
        ready(engine)
        osc.send_message("/room/load", "../room")
        until(lambda: "the path leads upwards" in engine.value("/engine/notice"))
        osc.send_message("/session/undo", [])
        until(lambda: engine.value("/room/size") == [7, 5, 3])
        osc.send_message("/session/redo", [])
        until(lambda: engine.value("/room/size") == [20, 14, 7])
        osc.send_message("/session/save-as", "hall")
        until(lambda: engine.value("/session/name") == "hall")
    with Engine("hall", *sessions, env=environment) as engine:
        ready(engine)
        assert engine.value("/room/size") == [20, 14, 7] and engine.value("/room/wall/floor") == "wood"


def test_bad_rooms_are_refused_at_the_start(folder):
    (folder / "flat.json").write_text(json.dumps(ROOM | {"size": [7, 5, 0]}))
    for arguments, why in [
            (["--room", folder / "flat.json"], 'flat.json:1: "size" is not valid; expected a number from 1 to 100'),
            (["--room", folder / "none.json"], "none.json"), (["--room", folder / "room.json", "--objects", "0"], "--objects is 0")]:
        result = run("serve", *arguments, "--osc-port", "0", "--http-port", "0", "--sessions", folder / "others", check=False)
        assert result.returncode != 0 and why in result.stderr, result.stderr
