"""Folders of many files and large sessions: the control thread neither lists the ones nor writes the others."""

import json
import os

from program import Engine
from waiting import until

RECORDINGS, SESSIONS, SCENES = 40_000, 10_000, 190


def test_full_folders_and_large_sessions_do_not_hold_up_the_control_thread(scene, tmp_path):
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
        until(lambda: len(engine.value("/scene/names").split("\n")) == SCENES, seconds=20)

        until(lambda: autosave.exists() and len(json.loads(autosave.read_text())["scenes"]) == SCENES, seconds=20)
        (data / "recordings" / "a new one.wav").touch()
        until(lambda: engine.value("/list/recordings").split("\n")[0] == "a new one.wav", seconds=20)
        osc.send_message("/session/save-as", "evening")
        until(lambda: engine.value("/session/name") == "evening")
        names = engine.value("/session/recent").split("\n")
        assert names[:2] == ["evening", "sessions-00000"] and len(names) == 500
        until(lambda: not autosave.exists())
        assert len(json.loads((data / "sessions" / "evening.json").read_text())["scenes"]) == SCENES
        # 210 ms on the control thread when it listed the folders by itself; a busy machine does not count.
        computing, _ = max(engine.longest_turns(), default=(0, 0))
        assert computing < 20
