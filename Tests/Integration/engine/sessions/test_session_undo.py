"""Undo and redo by gesture, of racks, scenes and loaded sessions, and crossfades between scenes."""

import json
import struct
import time

from pythonosc.osc_bundle_builder import IMMEDIATELY, OscBundleBuilder
from pythonosc.osc_message_builder import OscMessageBuilder
from websockets.sync.client import connect

from figures import figure, measured
from program import Engine
from session_client import becomes, said, tell
from waiting import LIMIT, holds, paced, stimulus, until

# Seconds, longer than the 0.7 s without a change that separate two gestures.
PAUSE = 0.9


def send_together(client, *messages):
    """Sends messages, pairs of an address and a value, in one packet."""
    bundle = OscBundleBuilder(IMMEDIATELY)
    for address, value in messages:
        message = OscMessageBuilder(address)
        for number in value if isinstance(value, list) else [value]:
            message.add_arg(number)
        bundle.add_content(message.build())
    client.send(bundle.build())


def drag(client, address, values):
    """Sends values at once, so that there is no pause between them however busy the machine is."""
    send_together(client, *((address, value) for value in values))


def rest(running, send, address, values):
    """Sends values with a pause after each, which begins when it has arrived."""
    for value in values:
        send(value)
        becomes(running, address, value)
        stimulus(PAUSE)


def test_undo_by_gesture(running):
    client, other = running.osc(), running.osc()
    drag(client, "/listener/1/gain", [-1.0, -2.0, -3.0, -4.0])
    becomes(running, "/session/undo-words", "Gain, listener 1: 0 dB to -4 dB")
    stimulus(PAUSE)
    drag(client, "/listener/1/gain", [-5.0, -6.0])
    drag(other, "/array/setting/gain", [[0.0, -3.0], [0.0, -6.0]])
    becomes(running, "/session/undo-words", "Microphone gains, array setting: none to 0 -6 dB")
    tell(running, "/session/undo")
    becomes(running, "/session/undo-words", "Gain, listener 1: -4 dB to -6 dB")
    # A row without numbers is sent as nil.
    until(lambda: running.get("/array/setting/gain?VALUE")["VALUE"] == [None])
    becomes(running, "/session/redo-words", "Microphone gains, array setting: none to 0 -6 dB")
    tell(running, "/session/undo")
    becomes(running, "/listener/1/gain", -4)
    tell(running, "/session/undo")
    becomes(running, "/listener/1/gain", 0)
    becomes(running, "/session/undo-words", "")
    becomes(running, "/session/changed", False)
    tell(running, "/session/undo")
    said(running, "nothing to undo")
    for value in (-4, -6):
        tell(running, "/session/redo")
        becomes(running, "/listener/1/gain", value)
    tell(running, "/session/redo")
    until(lambda: running.value("/array/setting/gain") == [0, -6])
    tell(running, "/session/redo")
    said(running, "nothing to redo")
    # All subscribers are notified, including the sender of the undo.
    with connect(running.socket_url + "/") as socket:
        socket.send(json.dumps({"COMMAND": "LISTEN", "DATA": "/array/setting/gain"}))
        socket.recv(timeout=60)
        tell(running, "/session/undo")
        until(lambda: isinstance(frame := socket.recv(timeout=LIMIT), bytes) and b"/array/setting/gain" in frame)


@measured
def test_a_drag_over_osc_is_one_gesture(running):
    """Values as a hand sends them, each soon after the one before."""
    client = running.osc()
    for value in paced([-1.0, -2.0, -3.0, -4.0], 0.02):
        client.send_message("/listener/1/gain", value)
    becomes(running, "/listener/1/gain", -4)
    steps = 0
    while running.value("/session/undo-words") != "":
        before = running.value("/listener/1/gain")
        tell(running, "/session/undo")
        until(lambda before=before: running.value("/listener/1/gain") != before)
        steps += 1
    figure("steps of undo of a drag", steps, at_most=1)


def test_a_gesture_that_rests_is_one_step(running):
    """A drag over OSC whose begin and end are told, with pauses beyond 0.7 s, beside one that is not."""
    client, start = running.osc(), running.value("/listener/1/gain")
    client.send_message("/session/gesture", True)
    gain = "/listener/1/gain"
    rest(running, lambda value: client.send_message(gain, value), gain, [-1.0, -2.0, -3.0])
    client.send_message("/listener/1/ear-azimuth", 100.0)
    client.send_message("/session/gesture", False)
    client.send_message("/listener/1/gain", -4.0)
    becomes(running, "/listener/1/gain", -4)
    for value, azimuth in [(-3, 100), (start, 90)]:
        tell(running, "/session/undo")
        becomes(running, gain, value)
        becomes(running, "/listener/1/ear-azimuth", azimuth)
    becomes(running, "/session/undo-words", "")
    rest(running, lambda value: client.send_message(gain, value), gain, [-1.0, -2.0])
    tell(running, "/session/undo")
    becomes(running, "/listener/1/gain", -1)


def test_a_gesture_concerns_its_sender_and_ends_with_its_connection(running):
    message = lambda address, tags, data=b"": address.encode().ljust(len(address) // 4 * 4 + 4, b"\0") + tags.ljust(4, b"\0") + data
    gain = lambda value: message("/listener/1/gain", b",f", struct.pack(">f", value))
    with connect(running.socket_url) as one:
        one.send(message("/session/gesture", b",T"))
        one.send(gain(-1))
        becomes(running, "/listener/1/gain", -1)
        # Another client: its own pauses end its steps.
        client = running.osc()
        rest(running, lambda value: client.send_message("/listener/1/gain", value), "/listener/1/gain", [-2.0, -3.0])
    with connect(running.socket_url) as two:
        rest(running, lambda value: two.send(gain(value)), "/listener/1/gain", [-4.0, -5.0])
    for value in [-4, -3, -2, -1, 0]:
        tell(running, "/session/undo")
        becomes(running, "/listener/1/gain", value)


def test_undo_of_a_pattern_a_pose_and_a_recentring(scene, folder):
    with Engine("--recording", scene, "--sessions", folder, "--listeners", 3) as running:
        tell(running, "/listener/*/gain", -3.0)
        becomes(running, "/session/undo-words", "Gain, listener 1: 0 dB to -3 dB, and 2 more")
        tell(running, "/listener/1/ypr", 40.0, 0.0, 0.0)
        until(lambda: abs(running.value("/listener/1/ypr")[0] - 40) < 0.01)
        assert running.value("/session/undo-words").startswith("Gain"), "a pose is not a step"
        tell(running, "/listener/1/recenter")
        until(lambda: running.value("/session/undo-words").startswith("Forward offset, listener 1: 0° to"))
        tell(running, "/session/undo")
        becomes(running, "/listener/1/front", 0)
        tell(running, "/session/undo")
        for listener in (1, 2, 3):
            becomes(running, f"/listener/{listener}/gain", 0)


def test_undo_and_redo_of_racks(running):
    tell(running, "/rack/recording/preset", "dub")
    until(lambda: running.value("/session/undo-words") == "Preset: dub, rack recording")
    layout = running.value("/rack/recording/layout")
    tell(running, "/rack/recording/slot/1/delay/time", 500.0)
    becomes(running, "/rack/recording/slot/1/delay/time", 500)
    tell(running, "/rack/recording/remove", 1)
    until(lambda: running.value("/rack/recording/layout") != layout)
    becomes(running, "/session/undo-words", "Remove slot: 1, rack recording")
    tell(running, "/session/undo")
    becomes(running, "/rack/recording/layout", layout)
    becomes(running, "/rack/recording/slot/1/delay/time", 500)
    tell(running, "/session/undo")
    becomes(running, "/rack/recording/slot/1/delay/time", 375)
    tell(running, "/session/undo")
    becomes(running, "/rack/recording/layout", "")
    for _ in range(2):
        tell(running, "/session/redo")
    becomes(running, "/rack/recording/slot/1/delay/time", 500)
    tell(running, "/session/redo")
    until(lambda: running.value("/rack/recording/layout") not in (layout, ""))


def test_undo_of_loading(running):
    tell(running, "/listener/1/gain", -6.0)
    tell(running, "/rack/input/add", "chorus")
    tell(running, "/scene/store", "loud")
    tell(running, "/session/save-as", "one")
    becomes(running, "/session/name", "one")
    tell(running, "/scene/remove", "loud")
    tell(running, "/rack/input/clear")
    tell(running, "/listener/1/gain", 0.0)
    tell(running, "/session/save-as", "two")
    becomes(running, "/session/name", "two")
    tell(running, "/session/load", "one")
    becomes(running, "/session/undo-words", "Load session one")
    becomes(running, "/listener/1/gain", -6)
    becomes(running, "/scene/names", "loud")
    becomes(running, "/rack/input/layout", "1")
    tell(running, "/session/undo")
    becomes(running, "/session/name", "two")
    becomes(running, "/session/changed", False)
    becomes(running, "/listener/1/gain", 0)
    becomes(running, "/scene/names", "")
    becomes(running, "/rack/input/layout", "")
    tell(running, "/session/redo")
    becomes(running, "/session/name", "one")
    becomes(running, "/rack/input/layout", "1")
    becomes(running, "/session/changed", False)


def course_of_a_recall(running):
    """Stores two scenes, "quiet" and "loud", and recalls the first with a crossfade of 1.5 s from the other. Returns the gains on the way:
    pairs of seconds since the recall and decibels."""
    tell(running, "/listener/1/gain", -40.0)
    tell(running, "/rack/recording/add", "equaliser")
    until(lambda: running.value("/rack/recording/layout") == "1")
    tell(running, "/rack/recording/slot/1/equaliser/band3-frequency", 200.0)
    tell(running, "/listener/1/mute", True)
    tell(running, "/listener/1/ypr", 20.0, 0.0, 0.0)
    tell(running, "/scene/store", "quiet")
    becomes(running, "/scene/names", "quiet")
    tell(running, "/listener/1/gain", 0.0)
    tell(running, "/listener/1/mute", False)
    tell(running, "/rack/recording/slot/1/equaliser/band3-frequency", 3200.0)
    tell(running, "/rack/recording/add", "chorus")
    tell(running, "/scene/store", "loud")
    becomes(running, "/scene/names", "quiet\nloud")
    tell(running, "/listener/1/ypr", -50.0, 0.0, 0.0)
    tell(running, "/scene/crossfade", 1.5)
    becomes(running, "/scene/crossfade", 1.5)
    course = []
    with connect(running.socket_url + "/") as socket:
        socket.send(json.dumps({"COMMAND": "LISTEN", "DATA": "/listener/1/gain"}))
        socket.recv(timeout=60)
        begin = time.monotonic()
        tell(running, "/scene/recall", "quiet")
        while not course or course[-1][1] > -40:
            frame = socket.recv(timeout=LIMIT)
            if isinstance(frame, str):
                continue
            course.append((time.monotonic() - begin, struct.unpack(">f", frame[-4:])[0]))
            if len(course) == 1:
                assert running.value("/scene/progress") < 1 or time.monotonic() - begin > 1.4
                # Values without a crossfade change at the start.
                becomes(running, "/listener/1/mute", True)
                becomes(running, "/rack/recording/layout", "1")
                becomes(running, "/scene/current", "quiet")
    print(f"{len(course)} steps in {course[-1][0]:.2f} s: {course[:3]} ... {course[-3:]}")
    return course


@measured
def test_a_crossfade_is_a_steady_change(running):
    figure("steps of a crossfade of 1.5 s", len(course_of_a_recall(running)), at_least=11)


def test_a_scene_is_recalled_with_a_crossfade(running, folder):
    course = course_of_a_recall(running)
    gains = [gain for _, gain in course]
    assert gains[-1] == -40 and gains == sorted(gains, reverse=True)
    # 40 dB in 1.5 s, and never sooner: a machine that stalls shows values late, and makes up for it in one step.
    for time_since, gain in course:
        assert gain >= -40 / 1.5 * time_since - 0.1, (time_since, gain)
    becomes(running, "/scene/progress", 1)
    becomes(running, "/rack/recording/slot/1/equaliser/band3-frequency", 200)
    until(lambda: abs(running.value("/listener/1/ypr")[0] + 50) < 0.01)
    # Undo and redo in one step; then again, while the gain is set by hand.
    becomes(running, "/session/undo-words", "Recall scene quiet")
    tell(running, "/session/undo")
    becomes(running, "/listener/1/gain", 0)
    becomes(running, "/rack/recording/layout", "1 2")
    becomes(running, "/rack/recording/slot/1/equaliser/band3-frequency", 3200)
    tell(running, "/session/redo")
    becomes(running, "/listener/1/gain", -40)
    # In one packet, so that the crossfade is under way however busy the machine is.
    send_together(running.osc(), ("/scene/recall", "loud"), ("/listener/1/gain", -20.0))
    becomes(running, "/listener/1/gain", -20)
    becomes(running, "/rack/recording/slot/1/equaliser/band3-frequency", 3200)
    becomes(running, "/scene/progress", 1)
    assert running.value("/listener/1/gain") == -20, "the parameter left the crossfade"
    # Scenes are part of the session.
    tell(running, "/session/save-as", "with scenes")
    becomes(running, "/session/name", "with scenes")
    with Engine(folder / "with scenes.json", "--sessions", folder) as other:
        assert other.value("/scene/names") == "quiet\nloud" and other.value("/scene/crossfade") == 1.5
        tell(other, "/scene/crossfade", 0.0)
        tell(other, "/scene/recall", "quiet")
        becomes(other, "/listener/1/gain", -40)
    tell(running, "/scene/recall", "none")
    said(running, "there is no scene")
    tell(running, "/scene/remove", "quiet")
    becomes(running, "/scene/names", "loud")
    tell(running, "/session/undo")
    becomes(running, "/scene/names", "quiet\nloud")


def test_an_undo_stops_a_crossfade(running):
    tell(running, "/scene/store", "zero")
    becomes(running, "/scene/names", "zero")
    tell(running, "/listener/1/gain", -60.0)
    becomes(running, "/listener/1/gain", -60)
    # So long that it is still running when the undo arrives.
    tell(running, "/scene/recall", "zero", 600.0)
    until(lambda: -60 < running.value("/listener/1/gain") < 0)
    tell(running, "/session/undo")
    becomes(running, "/listener/1/gain", -60)
    holds(lambda: running.value("/listener/1/gain") == -60, 0.3)
    tell(running, "/session/redo")
    becomes(running, "/listener/1/gain", 0)
