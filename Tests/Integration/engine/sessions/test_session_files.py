"""Sessions: saving, comparing, loading, and recovery after a crash."""

import json
import signal

import jsonschema
import pytest

from health import becomes_well
from program import ROOT, Engine, run
from session_client import becomes, said, tell
from waiting import holds, until


def test_save_load_revert_and_compare(running, folder, scene):
    assert running.value("/session/name") == "" and running.value("/session/changed") is False
    tell(running, "/session/save")
    said(running, "no name yet")
    tell(running, "/listener/1/gain", -6.0)
    becomes(running, "/session/changed", True)
    tell(running, "/session/save-as", "evening")
    becomes(running, "/session/name", "evening")
    becomes(running, "/session/changed", False)
    becomes(running, "/session/recent", "evening")
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
    becomes(running, "/listener/1/method", "ring-spectral")
    becomes(running, "/session/changed", False)
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
        said(running, "sessions have names")
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
        ('{"version": 3, "parameters": {"/listener/1/gain": -40}}', "a newer version"),
        ('{"version": 2, "parameters": {"/listener/1/gain": -40', "not JSON"),
        ('{"version": 2, "parameters": {"/listener/1/gain": "loud"}}', "takes numbers"),
        ("\x00\x01", "not JSON"),
        ('{"version": 2, "recording": "nowhere.wav", "parameters": {"/listener/1/gain": -40}}', "nowhere.wav"),
        ('{"version": 2, "scenes": [{"name": "a"}, {"name": "a"}]}', "present and unique"),
    ):
        (folder / "bad.json").write_text(text)
        tell(running, "/session/load", "bad")
        notice = said(running, words)
        assert "\x00" not in notice
        tell(running, "/session/compare", "bad")
        until(lambda: running.value("/session/difference").startswith("bad\n!") or "nowhere" in text)
    assert running.value("/listener/1/gain") == -6 and running.value("/session/name") == ""
    assert running.value("/transport/state") == "playing"
    becomes_well(running)


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
        until(lambda: "not recovered" in skipped.log, lambda: skipped.log)
        assert skipped.value("/listener/1/gain") == 0
    with Engine("--sessions", folder, "--autosave", 0.2) as second:
        until(lambda: "recovered: a session without a name" in second.log, lambda: second.log)
        assert second.value("/listener/1/gain") == -6 and second.value("/rack/recording/layout") == "1"
        assert second.value("/scene/names") == "one" and second.value("/session/recording") == str(scene)
        becomes(second, "/session/changed", True)
        tell(second, "/session/save-as", "saved")
        becomes(second, "/session/changed", False)
        until(lambda: leftovers(folder) == [])
        tell(second, "/listener/1/gain", -9.0)
        until(lambda: any("-9" in path.read_text() for path in leftovers(folder)))
        second.stop(signal.SIGKILL)
    # The session that was open last, with or without a name.
    for arguments in ([folder / "saved.json"], []):
        with Engine(*arguments, "--sessions", folder, "--autosave", 0.2) as third:
            until(lambda third=third: "recovered: session saved" in third.log, lambda third=third: third.log)
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
        until(lambda: "was not recovered" in second.log and str(left) in second.log, lambda: second.log)
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
    # Characters that a terminal would not show as they are, are written as escapes.
    (folder / "a\u202egnp\u00ad\x1b.json").write_text((folder / "old.json").read_text())
    assert run("session", "list", "--sessions", folder).stdout == "a\\u{202E}gnp\\u{00AD}\\x1B\nnew\nold\n"
    (folder / "a\u202egnp\u00ad\x1b.json").unlink()
    missing = run("session", "delete", "a\u202egnp", "--sessions", folder, check=False)
    assert missing.returncode == 1 and missing.stderr.startswith("Error: session a\\u{202E}gnp: there is no session of this name")
    result = run("session", "diff", "old", folder / "new.json", "--sessions", folder, check=False)
    assert result.returncode == 1
    assert result.stdout.splitlines() == [
        "Listeners of the sound device: 1 to 40", "Gain, listener 1: -3 dB to 0 dB", "Mute, listener 40: off to on",
        "later: changed; not known to this version"]
    assert run("session", "diff", "old", "old", "--sessions", folder).stdout == ""
    run("session", "migrate", "old", "--overwrite", "--sessions", folder)
    assert json.loads((folder / "old.json").read_text()) == {
        "version": 2, "parameters": {"/listener/1/gain": -3}, "later": {"any": "thing"}}
    (folder / "new.json").write_text('{"version": 9}')
    result = run("session", "diff", "old", "new", "--sessions", folder, check=False)
    assert result.returncode != 0 and "a newer version" in result.stderr and "up to version 2" in result.stderr


def test_presets_fit_their_schema():
    schema = json.loads((ROOT / "protocol/schemas/rack.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    presets = sorted((ROOT / "presets").glob("*.json"))
    assert presets
    for preset in presets:
        validator.validate(json.loads(preset.read_text()))
    slot = {"effect": "delay"}
    for wrong in (
        [slot], {"version": 2}, {"version": 3, "slots": []}, {"version": 2, "slots": [{}]}, {"version": 2, "slots": [], "side": "A"},
        {"version": 2, "slots": [{**slot, "mix": 2}]}, {"version": 2, "slots": [{"branches": []}]},
        {"version": 2, "slots": [{**slot, "paramaters": {}}]},
    ):
        assert not validator.is_valid(wrong), wrong


def test_files_fit_their_schema(running, folder):
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
