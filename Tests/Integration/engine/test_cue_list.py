"""The cue list: cues over OSC, OSC messages out to a real socket, sessions, and refusals."""

import datetime
import os
import socket
import time

import pytest
from pythonosc.osc_bundle_builder import IMMEDIATELY, OscBundleBuilder
from pythonosc.osc_message import OscMessage
from pythonosc.osc_message_builder import OscMessageBuilder

from figures import figure, measured
from program import Engine
from waiting import holds, until


@pytest.fixture
def receiver():
    """A UDP socket that stands for another program; `messages()` returns what has arrived so far."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiving:
        receiving.bind(("127.0.0.1", 0))
        receiving.setblocking(False)
        arrived = []

        def messages():
            while True:
                try:
                    message = OscMessage(receiving.recv(65536))
                except BlockingIOError:
                    return arrived
                arrived.append((message.address, message.params))

        messages.port = receiving.getsockname()[1]
        yield messages


def test_cues_are_fired_and_send_messages(engine, receiver):
    client = engine.osc()
    place = f"127.0.0.1:{receiver.port}"
    for cue in (
        f'2 "Second" wait 0.1 osc {place} /second',
        f'1 continue 0.2 osc {place} /first 1 0.5 true word "two words"',
        # A name is resolved on its own thread.
        f'3 osc localhost:{receiver.port} /third -7',
    ):
        client.send_message("/cue-list/store", cue)
    until(lambda: engine.value("/cue-list/3/cue") != "")
    client.send_message("/cue-list/select", 1)
    until(lambda: engine.value("/cue-list/standby") == "1")
    client.send_message("/cue-list/go", [])
    until(lambda: len(receiver()) == 2)
    assert receiver() == [("/first", [1, 0.5, True, "word", "two words"]), ("/second", [])]
    until(lambda: engine.value("/cue-list/current") == "2 Second" and engine.value("/cue-list/standby") == "3")
    until(lambda: engine.value("/cue-list/waiting") == "" and engine.value("/cue-list/remaining") == 0)
    client.send_message("/cue-list/fire", "Second")
    until(lambda: len(receiver()) == 3)
    client.send_message("/cue-list/fire", 3.0)
    until(lambda: receiver()[3:] == [("/third", [-7])])
    # A wait that is stopped.
    client.send_message("/cue-list/store", f"4 wait 600 osc {place} /never")
    client.send_message("/cue-list/fire", 4)
    until(lambda: engine.value("/cue-list/waiting") == "4")
    client.send_message("/cue-list/stop", [])
    until(lambda: engine.value("/cue-list/waiting") == "")
    # A short one, which is stopped before it can be over.
    client.send_message("/cue-list/store", f"4 wait 0.3 osc {place} /never")
    bundle = OscBundleBuilder(IMMEDIATELY)
    for address, arguments in (("/cue-list/fire", [4]), ("/cue-list/stop", []), ("/listener/1/gain", [-5.0])):
        message = OscMessageBuilder(address)
        for argument in arguments:
            message.add_arg(argument)
        bundle.add_content(message.build())
    client.send(bundle.build())
    until(lambda: engine.value("/listener/1/gain") == -5)
    holds(lambda: len(receiver()) == 4, 0.5)


def fire_cues(engine, scene):
    """Recalls a scene, pauses, and plays on to a cue at a position. Returns the position at which that one was seen."""
    client = engine.osc()
    client.send_message("/listener/1/gain", -30.0)
    client.send_message("/scene/store", "Quiet room")
    client.send_message("/listener/1/gain", 0.0)
    client.send_message("/cue-list/store", '1 follow scene "Quiet room" fade 0.5')
    client.send_message("/cue-list/store", "2 pause")
    client.send_message("/cue-list/store", f'3 continue 0 recording "{os.path.basename(scene)}"')
    client.send_message("/cue-list/store", "4 sound chime")
    until(lambda: engine.value("/cue-list/4/cue") != "")
    begin = time.monotonic()
    client.send_message("/cue-list/fire", 1)
    until(lambda: engine.value("/listener/1/gain") == -30)
    assert time.monotonic() - begin > 0.45, "it fades"
    until(lambda: engine.value("/transport/state") == "paused")
    assert engine.value("/scene/crossfade") == 2
    # The position of the next cue is not passed before, also not while the pause fades.
    client.send_message("/transport/seek", 0.0)
    until(lambda: engine.value("/transport/position") < 0.4)
    client.send_message("/cue-list/store", "5 at position 0.5 osc 127.0.0.1:9 /half")
    until(lambda: engine.value("/cue-list/5/cue") != "")
    assert engine.value("/cue-list/current") == "2"
    client.send_message("/transport/play", [])
    until(lambda: engine.value("/cue-list/current") == "5")
    return engine.value("/transport/position")


def test_cues_move_scenes_the_transport_and_sounds(engine, scene):
    assert fire_cues(engine, scene) >= 0.5


@measured
def test_a_cue_is_fired_at_its_position(engine, scene):
    figure("position at which a cue at 0.5 s is seen", fire_cues(engine, scene), at_most=3, unit="s")


def lateness(scene, receiver):
    """Gives every other second of the next minute a cue. Returns by how many seconds the first one that is fired is late, at most."""
    with Engine("--recording", scene) as engine:
        client = engine.osc()
        now = datetime.datetime.now()
        for number in range(1, 31):
            moment = (now + datetime.timedelta(seconds=2 * number)).strftime("%H:%M:%S")
            client.send_message("/cue-list/store", f"{number} at {moment} osc 127.0.0.1:{receiver.port} /time {moment}")
        until(lambda: len(receiver()) > 0)
        (_, (told,)) = receiver()[0]
        # Around midnight as well.
        return (datetime.datetime.now() - datetime.datetime.strptime(told, "%H:%M:%S") + datetime.timedelta(hours=12)).seconds - 43_200


def test_the_time_of_day_fires_a_cue(scene, receiver):
    assert lateness(scene, receiver) >= 0


@measured
def test_the_time_of_day_fires_a_cue_in_time(scene, receiver):
    figure("lateness of a cue at a time of day", lateness(scene, receiver), at_most=2, unit="s")


def test_sessions_keep_the_list_and_undo_takes_edits_back(scene, tmp_path, receiver):
    sessions = tmp_path / "sessions"
    cue = f'1.5 "Doors" at 18:30:00 wait 2 continue 3 osc 127.0.0.1:{receiver.port} /doors 1'
    with Engine("--recording", scene, "--sessions", sessions) as engine:
        client = engine.osc()
        client.send_message("/cue-list/store", cue)
        client.send_message("/cue-list/store", "2 stop sounds")
        until(lambda: engine.value("/cue-list/2/cue") != "")
        client.send_message("/cue-list/renumber", [2.0, 1.0])
        until(lambda: engine.value("/cue-list/2/cue") == "1 stop sounds")
        assert engine.value("/session/undo-words") == "Renumber cue 2 to 1"
        client.send_message("/session/undo", [])
        until(lambda: engine.value("/cue-list/2/cue") == "2 stop sounds")
        client.send_message("/session/save-as", "show")
        until(lambda: engine.value("/session/name") == "show")
    with Engine(sessions / "show.json") as engine:
        assert engine.value("/cue-list/1/cue") == cue and engine.value("/cue-list/2/cue") == "2 stop sounds"
        assert engine.value("/cue-list/standby") == "1.5 Doors"
        engine.osc().send_message("/cue-list/clear", [])
        until(lambda: engine.value("/cue-list/1/cue") == "")
        engine.osc().send_message("/session/revert", [])
        until(lambda: engine.value("/cue-list/1/cue") == cue)


def test_refusals_say_why(engine):
    client = engine.osc()
    for address, value, words in [
        ("/cue-list/store", "one play", "a cue begins with its number"),
        ("/cue-list/store", "1 dance", '"dance" is not a cue action; the actions are scene, sound'),
        ("/cue-list/store", "1 osc nowhere /a", '"osc" needs HOST:PORT'),
        ("/cue-list/7/cue", "1 wait long play", '"wait" needs a time of 0 to 86400 seconds'),
        ("/cue-list/go", [], "no cue is on standby: the list is empty"),
        ("/cue-list/fire", 3, 'there is no cue "3"; the list is empty'),
        ("/cue-list/store", "1 " + "x" * 1100, "1024"),
    ]:
        client.send_message(address, value)
        until(lambda: words in engine.value("/engine/notice"))
    assert all(engine.value(f"/cue-list/{place}/cue") == "" for place in (1, 7))
    # A host that does not exist is told, and holds up nothing.
    client.send_message("/cue-list/store", "1 osc no-such-host.invalid:9000 /a")
    client.send_message("/cue-list/go", [])
    until(lambda: "cannot send to UDP port 9000 of no-such-host.invalid" in engine.value("/engine/notice"))


def test_a_session_with_a_wrong_cue_is_loaded_without_it(scene, tmp_path):
    path = tmp_path / "wrong.json"
    path.write_text('{"version": 2, "parameters": {"/cue-list/1/cue": "1 dance", "/cue-list/2/cue": "2 play"}}')
    with Engine(path, "--recording", scene) as engine:
        assert engine.value("/cue-list/1/cue") == "" and engine.value("/cue-list/2/cue") == "2 play"
        until(lambda: '"dance" is not a cue action' in engine.log, lambda: engine.log)
