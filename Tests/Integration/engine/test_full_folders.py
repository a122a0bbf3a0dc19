"""Folders of many files and large sessions: the control thread neither lists the ones nor writes the others."""

import json
import os

from figures import figure, measured
from program import Engine
from waiting import until

RECORDINGS, SESSIONS, SCENES = 40_000, 10_000, 190


def use_full_folders(scene, tmp_path):
    """Stores, lists and saves. Returns the longest turn of the control thread, milliseconds of computing; 0 for less than 20."""
    data = tmp_path / "vestibule"
    for name, count in [("recordings", RECORDINGS), ("sessions", SESSIONS)]:
        (data / name).mkdir(parents=True)
        ending = ".wav" if name == "recordings" else ".json"
        for number in range(count):
            (data / name / f"{name}-{number:05}{ending}").touch()
    autosave = data / "sessions" / "..unnamed.autosave"
    environment = dict(os.environ, XDG_DATA_HOME=str(tmp_path))
    with Engine("--recording", scene, "--listeners", 8, "--objects", 64, "--autosave", 0.5, "--sessions", data / "sessions",
                env=environment) as engine:
        osc = engine.osc()
        for number in range(SCENES):
            osc.send_message("/scene/store", f"scene {number}")
            # Ten at a time: a machine that stores all of them slowly may take longer than anything else is waited for.
            if number % 10 == 9:
                until(lambda: len(engine.value("/scene/names").split("\n")) == number + 1)
        until(lambda: autosave.exists() and len(json.loads(autosave.read_text())["scenes"]) == SCENES)
        (data / "recordings" / "a new one.wav").touch()
        until(lambda: engine.value("/list/recordings").split("\n")[0] == "a new one.wav")
        osc.send_message("/session/save-as", "evening")
        until(lambda: engine.value("/session/name") == "evening")
        names = engine.value("/session/recent").split("\n")
        assert names[:2] == ["evening", "sessions-00000"] and len(names) == 500
        until(lambda: not autosave.exists())
        assert len(json.loads((data / "sessions" / "evening.json").read_text())["scenes"]) == SCENES
        return max((computing for _, computing in engine.longest_turns()), default=0)


def test_full_folders_and_large_sessions_are_listed_saved_and_kept(scene, tmp_path):
    use_full_folders(scene, tmp_path)


@measured
def test_full_folders_and_large_sessions_do_not_hold_up_the_control_thread(scene, tmp_path):
    # 210 ms when it listed the folders by itself.
    figure("longest turn of the control thread with full folders", use_full_folders(scene, tmp_path), at_most=20, unit="ms")
