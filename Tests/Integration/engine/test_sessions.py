"""Sessions: saving, comparing, loading, undo, scenes, and recovery after a crash."""

import json
import signal
import struct
import time

import pytest
from websockets.sync.client import connect

from program import ROOT, Engine, run
from waiting import holds, paced, stimulus, until


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "sessions"


@pytest.fixture
def running(scene, folder):
    with Engine("--recording", scene, "--sessions", folder, "--autosave", 0.2) as engine:
        yield engine


def tell(engine, address, *arguments):
    engine.osc().send_message(address, list(arguments))


def said(engine, words):
    return until(lambda: words in (text := engine.value("/engine/notice")) and text, describe=lambda: engine.value("/engine/notice"))


def becomes(engine, address, value, seconds=5):
    until(lambda: engine.value(address) == value, seconds, lambda: f"{address} is {engine.value(address)}")


def drag(client, address, values, pause=0.02):
    for value in paced(values, pause):
        client.send_message(address, value)


def test_save_load_revert_and_compare(running, folder, scene):
    assert running.value("/session/name") == "" and running.value("/session/changed") is False
    tell(running, "/session/save", )
    said(running, "no name yet")
    tell(running, "/listener/1/gain", -6.0)
    becomes(running, "/session/changed", True)
    tell(running, "/session/save-as", "evening")
    becomes(running, "/session/name", "evening")
    assert running.value("/session/changed") is False
    assert running.value("/session/recent") == "evening"
    saved = json.loads((folder / "evening.json").read_text())
    assert saved == {"version": 2, "recording": str(scene), "parameters": {"/listener/1/gain": -6, "/listener/1/output": "1,2"}}
    # A value set back to the file's is not a change; neither is a pose.
    tell(running, "/listener/1/gain", -7.0)
    becomes(running, "/session/changed", True)
    tell(running, "/listener/1/gain", -6.0)
    becomes(running, "/session/changed", False)
    tell(running, "/listener/1/ypr", 30.0, 0.0, 0.0)
    holds(lambda: running.value("/session/changed") is False, 0.2)
    tell(running, "/listener/1/method", "nearest")
    tell(running, "/session/save-as", "morning")
    becomes(running, "/session/recent", "morning\nevening")
    tell(running, "/session/compare", "evening")
    becomes(running, "/session/difference", "evening\nMethod, listener 1: nearest to ring-spectral")
    assert running.value("/listener/1/method") == "nearest"
    tell(running, "/session/load", "evening")
    becomes(running, "/session/name", "evening")
    assert running.value("/listener/1/method") == "ring-spectral" and running.value("/session/changed") is False
    tell(running, "/listener/1/mute", True)
    tell(running, "/session/compare", "")
    becomes(running, "/session/difference", "\nMute, listener 1: on to off")
    tell(running, "/session/revert")
    becomes(running, "/listener/1/mute", False)
    tell(running, "/listener/1/gain", 3.0)
    becomes(running, "/session/changed", True)
    tell(running, "/session/save")
    becomes(running, "/session/changed", False)
    assert json.loads((folder / "evening.json").read_text())["parameters"] == {"/listener/1/gain": 3, "/listener/1/output": "1,2"}


@pytest.mark.parametrize("name", [
    "/etc/passwd", "../outside", "a/../../outside", "", "..", ".hidden", "a\\b", "a\nb", "x" * 200, "{tmp}/outside"])
def test_clients_cannot_leave_the_folder(running, tmp_path, folder, name):
    name = name.replace("{tmp}", str(tmp_path))
    (tmp_path / "outside.json").write_text('{"version": 2, "parameters": {"/listener/1/gain": -40}}')
    before = (tmp_path / "outside.json").read_text()
    for address in ("/session/save-as", "/session/load"):
        tell(running, address, name)
        said(running, "sessions are called by names")
        tell(running, "/listener/1/gian", 0.0)
        said(running, "did you mean")
    assert (tmp_path / "outside.json").read_text() == before
    assert sorted(tmp_path.iterdir()) == [tmp_path / "outside.json"]
    assert running.value("/listener/1/gain") == 0


def test_damaged_and_newer_files_change_nothing(running, folder):
    folder.mkdir()
    tell(running, "/listener/1/gain", -6.0)
    becomes(running, "/listener/1/gain", -6)
    for text, words in (
        ('{"version": 3, "parameters": {"/listener/1/gain": -40}}', "it is newer"),
        ('{"version": 2, "parameters": {"/listener/1/gain": -40', "not JSON"),
        ('{"version": 2, "parameters": {"/listener/1/gain": "loud"}}', "takes numbers"),
        ("\x00\x01", "not JSON"),
        ('{"version": 2, "recording": "nowhere.wav", "parameters": {"/listener/1/gain": -40}}', "nowhere.wav"),
        ('{"version": 2, "scenes": [{"name": "a"}, {"name": "a"}]}', "that of another"),
    ):
        (folder / "bad.json").write_text(text)
        tell(running, "/session/load", "bad")
        notice = said(running, words)
        assert "\x00" not in notice
        tell(running, "/session/compare", "bad")
        until(lambda: running.value("/session/difference").startswith("bad\n!") or "nowhere" in text)
    assert running.value("/listener/1/gain") == -6 and running.value("/session/name") == ""
    assert running.value("/transport/state") == "playing" and running.get("/health")["status"] == "ok"


def test_fields_of_a_newer_version_are_kept_in_racks(running, folder):
    """Unknown fields survive loading, edits of the same slot, and saving."""
    slot = {"effect": "delay", "slot": 2, "sidechain": {"from": 3}, "parameters": {"feedback": 0.25, "shimmer": [0.5, True]}}
    rack = {"version": 2, "colour": "blue", "slots": [slot]}
    folder.mkdir(exist_ok=True)
    (folder / "newer.json").write_text(json.dumps({"version": 2, "parameters": {}, "racks": {"listener/1": rack}}))
    tell(running, "/session/load", "newer")
    becomes(running, "/rack/listener/1/layout", "2")
    becomes(running, "/rack/listener/1/slot/2/delay/feedback", 0.25)
    tell(running, "/rack/listener/1/slot/2/delay/feedback", 0.5)
    tell(running, "/rack/listener/1/add", "gate")
    becomes(running, "/rack/listener/1/layout", "2 1")
    tell(running, "/session/save-as", "again")
    becomes(running, "/session/name", "again")
    slot["parameters"]["feedback"] = 0.5
    rack["slots"].append({"effect": "gate", "slot": 1})
    assert json.loads((folder / "again.json").read_text())["racks"]["listener/1"] == rack


def test_undo_by_gesture(running):
    client, other = running.osc(), running.osc()
    drag(client, "/listener/1/gain", [-1.0, -2.0, -3.0, -4.0])
    becomes(running, "/session/undo-words", "Gain, listener 1: 0 dB to -4 dB")
    stimulus(0.9)  # Longer than 0.7 s, which separates two gestures.
    drag(client, "/listener/1/gain", [-5.0, -6.0])
    drag(other, "/array/setting/gain", [[0.0, -3.0], [0.0, -6.0]])
    becomes(running, "/session/undo-words", "Microphone gains, array setting: none to 0 -6 dB")
    tell(running, "/session/undo")
    becomes(running, "/session/undo-words", "Gain, listener 1: -4 dB to -6 dB")
    # A row without numbers is sent as nil.
    assert running.get("/array/setting/gain?VALUE")["VALUE"] == [None]
    assert running.value("/session/redo-words") == "Microphone gains, array setting: none to 0 -6 dB"
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
        socket.recv(timeout=5)
        tell(running, "/session/undo")
        assert b"/array/setting/gain" in socket.recv(timeout=5)


def test_a_gesture_that_rests_is_one_step(running):
    """A drag over OSC whose begin and end are told, with pauses beyond 0.7 s, beside one that is not."""
    client, start = running.osc(), running.value("/listener/1/gain")
    client.send_message("/session/gesture", True)
    drag(client, "/listener/1/gain", [-1.0, -2.0, -3.0], 0.8)
    client.send_message("/listener/1/ear-azimuth", 100.0)
    client.send_message("/session/gesture", False)
    client.send_message("/listener/1/gain", -4.0)
    becomes(running, "/listener/1/gain", -4)
    for gain, azimuth in [(-3, 100), (start, 90)]:
        tell(running, "/session/undo")
        becomes(running, "/listener/1/gain", gain)
        becomes(running, "/listener/1/ear-azimuth", azimuth)
    becomes(running, "/session/undo-words", "")
    drag(client, "/listener/1/gain", [-1.0, -2.0], 0.8)
    becomes(running, "/listener/1/gain", -2)
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
        drag(running.osc(), "/listener/1/gain", [-2.0, -3.0], 0.8)
        becomes(running, "/listener/1/gain", -3)
    with connect(running.socket_url) as two:
        for value in paced([-4.0, -5.0], 0.8):
            two.send(gain(value))
        becomes(running, "/listener/1/gain", -5)
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
    assert running.value("/rack/recording/slot/1/delay/time") == 500
    tell(running, "/session/undo")
    becomes(running, "/rack/recording/slot/1/delay/time", 375)
    tell(running, "/session/undo")
    becomes(running, "/rack/recording/layout", "")
    for _ in range(2):
        tell(running, "/session/redo")
    becomes(running, "/rack/recording/slot/1/delay/time", 500)
    tell(running, "/session/redo")
    until(lambda: running.value("/rack/recording/layout") not in (layout, ""))
    assert running.value("/engine/xruns") >= 0


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
    assert running.value("/listener/1/gain") == -6 and running.value("/scene/names") == "loud"
    assert running.value("/rack/input/layout") == "1"
    tell(running, "/session/undo")
    becomes(running, "/session/name", "two")
    becomes(running, "/session/changed", False)
    assert running.value("/listener/1/gain") == 0 and running.value("/scene/names") == ""
    assert running.value("/rack/input/layout") == ""
    tell(running, "/session/redo")
    becomes(running, "/session/name", "one")
    becomes(running, "/rack/input/layout", "1")
    assert running.value("/session/changed") is False


def test_a_scene_is_recalled_with_a_crossfade(running, folder):
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
        socket.recv(timeout=5)
        begin = time.monotonic()
        tell(running, "/scene/recall", "quiet")
        while time.monotonic() - begin < 4 and (not course or course[-1][1] > -40):
            frame = socket.recv(timeout=5)
            if isinstance(frame, str):
                continue
            course.append((time.monotonic() - begin, struct.unpack(">f", frame[-4:])[0]))
            if len(course) == 1:
                # Values without a crossfade change at the start.
                assert running.value("/listener/1/mute") is True and running.value("/rack/recording/layout") == "1"
                assert 0 <= running.value("/scene/progress") < 1 or time.monotonic() - begin > 1.4
                assert running.value("/scene/current") == "quiet"
    gains = [gain for _, gain in course]
    print(f"{len(gains)} steps in {course[-1][0]:.2f} s: {gains[:3]} ... {gains[-3:]}")
    assert gains[-1] == -40 and gains == sorted(gains, reverse=True)
    assert len(gains) > 20, "a steady change, not a few steps"
    # 40 dB in 1.5 s; a machine that stalls makes up for it in one step.
    for (before, one), (after, other) in zip(course, course[1:]):
        assert one - other < 40 / 1.5 * (after - before + 0.1), (before, one, after, other)
    becomes(running, "/scene/progress", 1)
    assert running.value("/rack/recording/slot/1/equaliser/band3-frequency") == 200
    until(lambda: abs(running.value("/listener/1/ypr")[0] + 50) < 0.01)
    # Undo and redo in one step; then again, while the gain is set by hand.
    becomes(running, "/session/undo-words", "Recall scene quiet")
    tell(running, "/session/undo")
    becomes(running, "/listener/1/gain", 0)
    becomes(running, "/rack/recording/layout", "1 2")
    assert running.value("/rack/recording/slot/1/equaliser/band3-frequency") == 3200
    tell(running, "/session/redo")
    becomes(running, "/listener/1/gain", -40)
    tell(running, "/scene/recall", "loud")
    until(lambda: running.value("/listener/1/gain") > -38)
    tell(running, "/listener/1/gain", -20.0)
    becomes(running, "/scene/progress", 1)
    assert running.value("/listener/1/gain") == -20, "the parameter left the crossfade"
    assert running.value("/rack/recording/slot/1/equaliser/band3-frequency") == 3200
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
    tell(running, "/scene/crossfade", 3.0)
    tell(running, "/scene/recall", "zero")
    until(lambda: -55 < running.value("/listener/1/gain") < -5)
    tell(running, "/session/undo")
    becomes(running, "/listener/1/gain", -60)
    holds(lambda: running.value("/listener/1/gain") == -60, 0.3)
    tell(running, "/session/redo")
    becomes(running, "/listener/1/gain", 0)


def leftovers(folder):
    return [path for path in folder.glob(".*autosave")]


def test_a_crash_loses_nothing(scene, folder):
    with Engine("--recording", scene, "--sessions", folder, "--autosave", 0.2) as first:
        tell(first, "/listener/1/gain", -6.0)
        tell(first, "/rack/recording/add", "reverb")
        tell(first, "/scene/store", "one")
        until(lambda: leftovers(folder) and "one" in leftovers(folder)[0].read_text())
        # A second engine must not recover the session of a running one.
        with Engine("--sessions", folder) as other:
            assert other.value("/listener/1/gain") == 0 and "recover" not in other.log
        first.stop(signal.SIGKILL)
    with Engine("--sessions", folder, "--no-recover") as skipped:
        assert "not recovered" in skipped.log and skipped.value("/listener/1/gain") == 0
    with Engine("--sessions", folder, "--autosave", 0.2) as second:
        assert "recovered: a session without a name" in second.log, second.log
        assert second.value("/listener/1/gain") == -6 and second.value("/rack/recording/layout") == "1"
        assert second.value("/scene/names") == "one" and second.value("/session/recording") == str(scene)
        becomes(second, "/session/changed", True)
        tell(second, "/session/save-as", "saved")
        becomes(second, "/session/changed", False)
        assert leftovers(folder) == []
        tell(second, "/listener/1/gain", -9.0)
        until(lambda: leftovers(folder))
        second.stop(signal.SIGKILL)
    # The session that was open last, with or without a name.
    for arguments in ([folder / "saved.json"], []):
        with Engine(*arguments, "--sessions", folder, "--autosave", 0.2) as third:
            assert "recovered: session saved" in third.log, third.log
            assert third.value("/listener/1/gain") == -9 and third.value("/session/name") == "saved"
            becomes(third, "/session/changed", True)
            third.stop(signal.SIGKILL)
    with Engine("--sessions", folder, "--autosave", 0.2) as fourth:
        tell(fourth, "/session/revert")
        becomes(fourth, "/listener/1/gain", -6)
    assert leftovers(folder) == [] and list(folder.glob(".*lock")) == []
    with Engine("--sessions", folder) as last:
        assert "recover" not in last.log


def test_a_damaged_autosave_is_reported_and_kept(scene, folder):
    with Engine("--sessions", folder, "--autosave", 0.2) as first:
        tell(first, "/listener/1/gain", -6.0)
        left = until(lambda: leftovers(folder))[0]
        first.stop(signal.SIGKILL)
    left.write_text(left.read_text()[:-5])
    with Engine("--recording", scene, "--sessions", folder, "--autosave", 0.2) as second:
        assert "was not recovered" in second.log and str(left) in second.log
        assert second.value("/listener/1/gain") == 0 and second.value("/transport/state") == "playing"
        tell(second, "/listener/1/gain", -1.0)
        until(lambda: len(leftovers(folder)) == 2)
    # Neither the damaged changes nor the new ones are lost.
    assert len(leftovers(folder)) == 2 and left in leftovers(folder)


def test_the_command_line(tmp_path, folder, scene):
    folder.mkdir()
    old = {"version": 1, "parameters": {"/listener/1/ypr": [30, 0, 0], "/listener/1/gain": -3}, "later": {"any": "thing"}}
    (folder / "old.json").write_text(json.dumps(old))
    (folder / "new.json").write_text(json.dumps({"version": 2, "parameters": {"/listener/40/mute": True}}))
    assert run("session", "list", "--sessions", folder).stdout == "new\nold\n"
    result = run("session", "diff", "old", folder / "new.json", "--sessions", folder, check=False)
    assert result.returncode == 1
    assert result.stdout.splitlines() == [
        "Gain, listener 1: -3 dB to 0 dB", "Mute, listener 40: off to on", "later: changed; not known to this version"]
    assert run("session", "diff", "old", "old", "--sessions", folder).stdout == ""
    run("session", "migrate", "old", "--overwrite", "--sessions", folder)
    assert json.loads((folder / "old.json").read_text()) == {
        "version": 2, "parameters": {"/listener/1/gain": -3}, "later": {"any": "thing"}}
    (folder / "new.json").write_text('{"version": 9}')
    result = run("session", "diff", "old", "new", "--sessions", folder, check=False)
    assert result.returncode != 0 and "it is newer" in result.stderr and "up to version 2" in result.stderr


def test_files_fit_their_schema(running, folder):
    import jsonschema

    schema = json.loads((ROOT / "protocol/schemas/session.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for preset in ("dub", "parallel-drums"):
        tell(running, "/rack/recording/preset", preset)
        tell(running, "/array/setting/gain", 0.0, -1.0)
        tell(running, "/listener/1/hrtf", "")
        tell(running, "/scene/store", preset)
        tell(running, "/session/save-as", preset)
        becomes(running, "/session/name", preset)
        validator.validate(json.loads((folder / f"{preset}.json").read_text()))
    files = ROOT / "Tests/SessionTests/Files"
    for path in sorted(files.glob("*.json")):
        validator.validate(json.loads(path.read_text()))
    saved = json.loads((folder / "dub.json").read_text())
    for wrong in (
        {}, {"version": "2"}, {"version": 0}, {"version": 2, "parameters": []}, {"version": 2, "scenes": [{}]},
        {"version": 2, "recording": 5}, {**saved, "racks": {"nowhere": saved["racks"]["recording"]}},
        {**saved, "racks": {"recording": {"version": 1, "slots": [{"effect": 5}]}}},
    ):
        assert not validator.is_valid(wrong), wrong
