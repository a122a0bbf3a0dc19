"""The log as JSON."""

import datetime
import json

from program import Engine
from waiting import until


def test_every_line_is_an_object_with_a_time(scene):
    with Engine("--recording", scene, "--log", "json") as engine:
        engine.osc().send_message("/nowhere", 1)
        until(lambda: "no parameter at /nowhere" in engine.log)
        engine.osc().send_message("/session/load", 'a "quoted"\nname')
        until(lambda: "quoted" in engine.log)
        lines = [json.loads(line) for line in engine.log.splitlines()]
    assert any(line["message"].startswith("panel: http://") for line in lines)
    for line in lines:
        assert set(line) == {"time", "message"}
        time = datetime.datetime.fromisoformat(line["time"].replace("Z", "+00:00"))
        assert abs(time - datetime.datetime.now(datetime.timezone.utc)) < datetime.timedelta(minutes=1)
