"""Clients reach the program's own folders and those of --allow-path, and no other file."""

import json
import os
import signal

import pytest

import wave_file
from health import becomes_well
from program import Engine, run
from seeds import generator
from waiting import until

OUTSIDE = "clients may use"


@pytest.fixture
def data(tmp_path, scene):
    """The data folder of the program, with a file of each kind, and the same files outside."""
    home = tmp_path / "data/vestibule"
    random = generator(2)
    for place in (home, tmp_path / "outside"):
        for kind in ("recordings", "responses", "sounds", "presets", "motion", "hrtf"):
            (place / kind).mkdir(parents=True)
        wave_file.write(place / "recordings/eight.wav", 0.1 * random.standard_normal((48_000, 8)))
        wave_file.write(place / "responses/hall.wav", 0.1 * random.standard_normal((4800, 2)))
        wave_file.write(place / "sounds/voice.wav", 0.1 * random.standard_normal((48_000, 1)))
        (place / "presets/echo.json").write_text('{"version": 2, "slots": [{"effect": "delay"}]}')
    for kind, name in (("recordings", "eight.wav"), ("responses", "hall.wav"), ("sounds", "voice.wav"), ("presets", "echo.json")):
        (home / kind / f"link-{name}").symlink_to(tmp_path / "outside" / kind / name)
        (home / kind / "folder").symlink_to(tmp_path / "outside" / kind)
    return home


@pytest.fixture
def environment(data):
    return dict(os.environ, XDG_DATA_HOME=str(data.parent))


@pytest.fixture
def running(scene, environment, data):
    with Engine("--recording", scene, "--sessions", data / "sessions", env=environment) as engine:
        tell(engine, "/rack/recording/add", "convolution")
        until(lambda: engine.value("/rack/recording/layout") == "1")
        yield engine


def tell(engine, address, *arguments):
    engine.osc().send_message(address, list(arguments))


def said(engine, words):
    until(lambda: words in engine.value("/engine/notice"), describe=lambda: engine.value("/engine/notice"))


RESPONSE = "/rack/recording/slot/1/convolution/response"
ADDRESSES = {
    "/session/recording": ("recordings", "eight.wav"), RESPONSE: ("responses", "hall.wav"), "/object/1/source": ("sounds", "voice.wav"),
    "/rack/input/load": ("presets", "echo.json"), "/rack/input/save": ("presets", "echo.json"),
    "/listener/1/hrtf": ("hrtf", "head.sofa"), "/session/record-motion": ("motion", "motion.csv"),
}


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_client_leaves_the_folders(running, data, tmp_path, address):
    kind, name = ADDRESSES[address]
    outside = tmp_path / "outside"
    before, present = contents(outside), address not in ("/rack/input/load", "/rack/input/save", "/session/record-motion")
    value = running.value(address) if present else None
    for wrong in (
        outside / kind / name, outside / kind / "missing", f"../../../outside/{kind}/{name}",
        f"{data}/{kind}/../../../outside/{kind}/{name}",
        f"link-{name}", f"folder/{name}", f"folder/new-{name}", f"{data}/{kind}/link-{name}", "/etc/passwd", "/proc/self/environ",
        f"{name}\x1b[2J", "a\nb", ".hidden", "x" * 4096,
    ):
        if not (data / kind / f"link-{name}").exists() and "link-" in str(wrong):
            continue
        if not (data / kind / "folder").exists() and "folder/" in str(wrong):
            continue
        if address == "/object/1/source" and not str(wrong).startswith("/") and "link" not in str(wrong):
            continue  # A sound that is not in the list has no path at all.
        tell(running, "/listener/1/gian", 0.0)
        said(running, "did you mean")
        tell(running, address, str(wrong))
        refusal = "without the control character U+001B" if "\x1b" in str(wrong) else "is refused"
        until(lambda: refusal in running.value("/engine/notice"), describe=lambda: f"{wrong}: {running.value('/engine/notice')}")
        assert running.value("/engine/notice").isprintable()
        assert contents(outside) == before
        if present:
            assert running.value(address) == value
    assert sorted((data / "motion").iterdir()) == []
    becomes_well(running)


def test_names_lead_to_the_folders(running, data):
    tell(running, "/session/recording", "eight.wav")
    until(lambda: running.value("/array/count") == 8)
    until(lambda: running.value("/session/recording") == str(data / "recordings/eight.wav"))
    tell(running, RESPONSE, "hall.wav")
    until(lambda: running.value("/rack/recording/slot/1/state") == "ready: hall.wav")
    assert running.value(RESPONSE) == str(data / "responses/hall.wav")
    tell(running, "/object/1/source", "voice.wav")
    until(lambda: running.value("/object/1/state").startswith("ready"))
    tell(running, "/rack/input/load", "echo")
    until(lambda: running.value("/rack/input/title") == "echo")
    # A value that was read can be set again, and an undo sets it again.
    tell(running, RESPONSE, "")
    until(lambda: running.value(RESPONSE) == "")
    tell(running, "/session/undo")
    until(lambda: running.value(RESPONSE) == str(data / "responses/hall.wav"))
    tell(running, "/session/record-motion", "turns")
    until(lambda: running.value("/session/motion") == str(data / "motion/turns.csv"))
    tell(running, "/listener/1/ypr", 30.0, 0.0, 0.0)
    tell(running, "/session/end-motion")
    said(running, "written")
    assert (data / "motion/turns.csv").exists()
    tell(running, "/session/record-motion", "turns")
    said(running, "exists already")


def test_a_rack_is_replaced_only_when_confirmed(running, data):
    place = data / "presets/echo.json"
    before = place.read_text()
    tell(running, "/rack/recording/save", "echo")
    said(running, "exists already")
    assert place.read_text() == before
    tell(running, "/rack/recording/save", "echo", True)
    until(lambda: "convolution" in place.read_text())
    tell(running, "/rack/recording/save", "another")
    until((data / "presets/another.json").exists)


def test_allowed_folders_and_files_of_the_command_line(scene, environment, data, tmp_path):
    outside = tmp_path / "outside"
    (outside / "recordings/out").symlink_to("/etc")
    with Engine("--recording", scene, "--allow-path", outside / "recordings", "--object", f"{outside}/sounds/voice.wav@30",
                env=environment) as running:
        tell(running, "/session/recording", str(outside / "recordings/eight.wav"))
        until(lambda: running.value("/array/count") == 8)
        # The recording of the command line, by an undo and by its path.
        tell(running, "/session/undo")
        until(lambda: running.value("/session/recording") == str(scene))
        tell(running, "/session/recording", str(outside / "recordings/eight.wav"))
        until(lambda: running.value("/array/count") == 8)
        tell(running, "/session/recording", str(scene))
        until(lambda: running.value("/session/recording") == str(scene))
        tell(running, "/object/2/source", str(outside / "sounds/voice.wav"))
        until(lambda: running.value("/object/2/state").startswith("ready"))
        for wrong in (outside / "responses/hall.wav", outside / "recordings/out/passwd"):
            tell(running, "/session/recording", str(wrong))
            said(running, OUTSIDE)
            tell(running, "/listener/1/gian", 0.0)
            said(running, "did you mean")
    refused = run("serve", "--allow-path", tmp_path / "nowhere", check=False)
    assert refused.returncode != 0 and "no such folder" in refused.stderr


def test_a_session_with_paths_of_elsewhere(environment, data, tmp_path, scene):
    """Files in allowed folders are loaded; the others are reported and stay in the session."""
    outside = tmp_path / "outside"
    racks = {"recording": {"version": 2, "slots": [
        {"effect": "convolution", "slot": 1, "mix": 0.25, "parameters": {"response": str(outside / "responses/hall.wav")}},
        {"effect": "convolution", "slot": 2, "mix": 0.75, "parameters": {"response": str(data / "responses/hall.wav")}}]}}
    session = {
        "version": 2, "recording": str(outside / "recordings/eight.wav"),
        "parameters": {"/listener/1/hrtf": str(outside / "hrtf/head.sofa"), "/listener/1/gain": -6}, "racks": racks}
    (data / "sessions").mkdir()
    (data / "sessions/old.json").write_text(json.dumps(session))
    with Engine("--recording", scene, "--sessions", data / "sessions", env=environment) as running:
        tell(running, "/session/load", "old")
        until(lambda: running.value("/listener/1/gain") == -6)
        assert running.value("/session/recording") == str(scene) and running.value("/listener/1/hrtf") == ""
        for path in (outside / "recordings/eight.wav", outside / "responses/hall.wav", outside / "hrtf/head.sofa"):
            until(lambda path=path: str(path) in running.log, lambda: running.log)
        until(lambda: running.value("/rack/recording/layout") == "1 2")
        until(lambda: running.value("/rack/recording/slot/2/state") == "ready: hall.wav")
        assert running.value(RESPONSE) == ""
        until(lambda: running.value("/session/changed") is False)
        tell(running, "/listener/1/gain", -9.0)
        tell(running, "/session/save-as", "new")
        until(lambda: running.value("/session/name") == "new")
    session["parameters"] |= {"/listener/1/gain": -9, "/listener/1/output": "1,2"}
    assert json.loads((data / "sessions/new.json").read_text()) == session
    # Named by the command line, all of it is used.
    session["parameters"]["/listener/1/hrtf"] = ""
    (data / "sessions/own.json").write_text(json.dumps(session))
    with Engine(data / "sessions/own.json", "--sessions", data / "sessions", env=environment) as running:
        assert running.value("/session/recording") == str(outside / "recordings/eight.wav")
        until(lambda: running.value("/rack/recording/slot/1/state") == "ready: hall.wav")
        tell(running, "/listener/1/gain", -12.0)
        until(lambda: running.value("/listener/1/gain") == -12)
        tell(running, "/session/revert")
        until(lambda: running.value("/listener/1/gain") == -9)
        until(lambda: running.value("/rack/recording/slot/1/state") == "ready: hall.wav")
        assert running.value("/session/recording") == str(outside / "recordings/eight.wav")


def test_sessions_behind_links(running, data, tmp_path):
    (tmp_path / "outside/secret.json").write_text('{"version": 2, "parameters": {"/listener/1/gain": -40}}')
    (data / "sessions").mkdir(exist_ok=True)
    (data / "sessions/secret.json").symlink_to(tmp_path / "outside/secret.json")
    for arguments in (("/session/load", "secret"), ("/session/save-as", "secret", True), ("/session/compare", "secret")):
        tell(running, *arguments)
        said(running, OUTSIDE)
        tell(running, "/listener/1/gian", 0.0)
        said(running, "did you mean")
    assert running.value("/listener/1/gain") == 0 and "-40" in (tmp_path / "outside/secret.json").read_text()


# Unsaved changes; sessions that are replaced or deleted.


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_every_end_keeps_unsaved_changes(scene, tmp_path, number):
    options = ("--recording", scene, "--sessions", tmp_path, "--autosave", 0.2 if number == signal.SIGKILL else 3000)

    def is_told():
        with Engine(*options) as first:
            tell(first, "/listener/1/gain", -6.0)
            until(lambda: first.value("/session/changed") is True)
            if number == signal.SIGKILL:
                until(lambda: any('"/listener/1/gain"' in path.read_text() for path in tmp_path.glob(".*.autosave")))
            status = first.stop(number)
            assert number == signal.SIGKILL or status == 0
            return number == signal.SIGKILL or "unsaved changes are kept" in first.log

    # The program waits half a second for its log, which a machine that stalls may not write in that time.
    until(is_told)
    with Engine(*options) as second:
        until(lambda: "recovered: a session without a name" in second.log, lambda: second.log)
        assert second.value("/listener/1/gain") == -6
        tell(second, "/session/revert")
        until(lambda: second.value("/listener/1/gain") == 0)
        second.stop()
    with Engine(*options) as third:
        assert "recovered" not in third.log and third.value("/listener/1/gain") == 0
    assert not list(tmp_path.glob(".*.autosave"))


def test_another_session_is_replaced_only_when_confirmed(scene, tmp_path):
    with Engine("--recording", scene, "--sessions", tmp_path) as running:
        def gain():
            return json.loads((tmp_path / "one.json").read_text())["parameters"].get("/listener/1/gain")

        tell(running, "/listener/1/gain", -6.0)
        tell(running, "/session/save-as", "one")
        until(lambda: running.value("/session/name") == "one")
        # Under its own name it is saved without a question.
        tell(running, "/listener/1/gain", -7.0)
        tell(running, "/session/save-as", "one")
        until(lambda: gain() == -7)
        tell(running, "/session/save-as", "two")
        until(lambda: running.value("/session/name") == "two")
        tell(running, "/listener/1/gain", -9.0)
        for arguments in (("one",), ("one", False), ("one", "yes")):
            tell(running, "/listener/1/gian", 0.0)
            said(running, "did you mean")
            tell(running, "/session/save-as", *arguments)
            until(lambda: "did you mean" not in running.value("/engine/notice"))
            assert gain() == -7 and running.value("/session/name") == "two"
        tell(running, "/session/save-as", "one", True)
        until(lambda: gain() == -9)
        until(lambda: running.value("/session/name") == "one")
        # The replaced one is in the trash; so is a deleted one.
        tell(running, "/session/delete", "one")
        said(running, "the session is open")
        tell(running, "/session/delete", "two")
        until(lambda: not (tmp_path / "two.json").exists())
        until(lambda: running.value("/session/recent") == "one")
    names = run("session", "trash", "--sessions", tmp_path).stdout.split()
    assert [name.split("~")[0] for name in names] == ["two", "one"]
    assert run("session", "restore", names[0], "--sessions", tmp_path).stdout == "two\n"
    refused = run("session", "restore", names[1], "--sessions", tmp_path, check=False)
    assert refused.returncode != 0 and "a session of that name" in refused.stderr
    run("session", "delete", "one", "--sessions", tmp_path)
    run("session", "restore", names[1], "--sessions", tmp_path)
    assert json.loads((tmp_path / "one.json").read_text())["parameters"] == {"/listener/1/gain": -7, "/listener/1/output": "1,2"}


def test_a_session_that_cannot_be_written_is_reported(scene, tmp_path):
    with Engine("--recording", scene, "--sessions", tmp_path / "file/sessions") as running:
        (tmp_path / "file").write_text("")
        tell(running, "/session/save-as", "evening")
        said(running, "session folder cannot be made")
    with Engine("--recording", scene, "--sessions", tmp_path) as running:
        (tmp_path / "evening.json").mkdir()
        tell(running, "/session/save-as", "evening", True)
        said(running, "it is a folder")
        assert running.value("/session/name") == ""
