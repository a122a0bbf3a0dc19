"""Racks of effects, edited over the network while they play."""

import json
import pathlib
import re
import time

from websockets.sync.client import connect

from figures import figure, measured
from health import health
from program import Engine, run
from seeds import generator
from waiting import holds, until


def ears(engine):
    return max(engine.value("/meter/listener/1/peak"))


def test_an_effect_is_added_set_and_removed(engine):
    client = engine.osc()
    until(lambda: ears(engine) > 0.01)
    client.send_message("/rack/recording/add", "gate")
    until(lambda: engine.value("/rack/recording/layout") == "1")
    # Closed: silence; bypassed: sound again.
    client.send_message("/rack/recording/slot/1/gate/threshold", 0.0)
    client.send_message("/rack/recording/slot/1/gate/range", -90.0)
    until(lambda: ears(engine) < 1e-4)
    until(lambda: engine.value("/rack/recording/slot/1/reduction") > 80)
    client.send_message("/rack/recording/slot/1/bypass", True)
    until(lambda: ears(engine) > 0.01)
    client.send_message("/rack/recording/slot/1/bypass", False)
    until(lambda: ears(engine) < 1e-4)
    client.send_message("/rack/recording/slot/1/mix", 0.5)
    until(lambda: ears(engine) > 0.01)
    client.send_message("/rack/recording/remove", 1)
    until(lambda: engine.value("/rack/recording/layout") == "")
    assert "slot" not in engine.get("/rack/recording")["CONTENTS"]


def test_presets_branches_and_refusals(engine):
    client = engine.osc()
    names = engine.get("/rack/listener/1/preset")["RANGE"][0]["VALS"]
    assert len(names) >= 12 and "parallel-drums" in names
    for name in names:
        client.send_message("/rack/listener/1/preset", name)
        until(lambda: engine.value("/rack/listener/1/title") == name)
    client.send_message("/rack/listener/1/preset", "parallel-drums")
    until(lambda: engine.value("/rack/listener/1/title") == "parallel-drums")
    layout = engine.value("/rack/listener/1/layout")
    assert "|" in layout
    client.send_message("/rack/listener/1/branch/1/mix", 0.25)
    until(lambda: engine.value("/rack/listener/1/branch/1/mix") == 0.25)
    client.send_message("/rack/listener/1/layout", "1 (2")
    until(lambda: "is not closed" in engine.value("/engine/notice"))
    assert engine.value("/rack/listener/1/layout") == layout


def memory(engine):
    """Resident memory of the program in MB."""
    status = pathlib.Path(f"/proc/{engine.process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def begin_layout(engine):
    layout = "/rack/listener/1/layout"
    engine.osc().send_message(layout, "( | )")
    until(lambda: engine.value(layout) == "( | )")


def send_beyond_the_limits(engine):
    """Layouts and patterns that are too long."""
    client = engine.osc()
    layout = "/rack/listener/1/layout"
    for text, limit in [
        ("(" + 1000 * "|" + ")", "at most 32 rows"),
        ("(" + 60_000 * "|" + ")", "at most 1024 bytes"),
        (30_000 * "7 ", "at most 1024 bytes"),
        (500 * "7 ", "at most 16 slots"),
    ]:
        client.send_message(layout, text)
        until(lambda: limit in engine.value("/engine/notice"))
    client.send_message("/listener/" + "{" + ",".join(["gain"] * 10_000) + "}", 0.0)
    until(lambda: engine.value("/engine/unknown") > 0)
    unknown = engine.value("/engine/unknown")
    for number in range(20):
        client.send_message(f"/*/{number}*?*?*?*?*?*?*?*?*?*?*?*?*?*?z", 0.0)
    until(lambda: engine.value("/engine/unknown") >= unknown + 20)


def test_layouts_and_patterns_are_limited(engine):
    begin_layout(engine)
    send_beyond_the_limits(engine)
    assert engine.value("/rack/listener/1/layout") == "( | )"


@measured
def test_layouts_and_patterns_beyond_the_limits_take_no_memory(engine):
    begin_layout(engine)
    # The memory of the pre-roll of takes is there.
    until(lambda: engine.value("/take/kept") > 0)
    before = memory(engine)
    send_beyond_the_limits(engine)
    figure("memory that layouts and patterns beyond the limits take", memory(engine) - before, at_most=20, unit="MB")


def test_subscribers_receive_added_nodes(engine):
    with connect(engine.socket_url + "/") as socket:
        socket.send(json.dumps({"COMMAND": "LISTEN", "DATA": "/rack"}))
        socket.recv(timeout=60)
        engine.osc().send_message("/rack/recording/add", "delay")
        heard = b""
        changed = False
        while not (changed and b"/rack/recording/slot/1/delay/time" in heard):
            frame = socket.recv(timeout=60)
            if isinstance(frame, str):
                changed = changed or json.loads(frame) == {"COMMAND": "PATH_CHANGED", "DATA": "/rack/recording"}
            else:
                heard += frame


def test_a_session_keeps_the_racks(scene, tmp_path):
    sessions = tmp_path / "sessions"
    sessions.mkdir()
    with Engine("--recording", scene, "--sessions", sessions, "--allow-path", tmp_path) as engine:
        client = engine.osc()
        client.send_message("/rack/recording/preset", "dub")
        client.send_message("/rack/listener/1/add", "equaliser")
        until(lambda: engine.value("/rack/listener/1/layout") == "1")
        client.send_message("/rack/listener/1/slot/1/equaliser/band3-gain", 6.5)
        client.send_message("/rack/recording/layout", "2 1")
        until(lambda: engine.value("/rack/recording/layout") == "2 1")
        client.send_message("/rack/recording/save", str(tmp_path / "rack.json"))
        client.send_message("/session/save-as", "session")
        until(lambda: (sessions / "session.json").exists())
        with Engine(sessions / "session.json", "--allow-path", tmp_path) as other:
            assert other.value("/rack/recording/layout") == "2 1"
            assert other.value("/rack/recording/slot/1/delay/time") == 375
            assert other.value("/rack/listener/1/slot/1/equaliser/band3-gain") == 6.5
            client = other.osc()
            client.send_message("/rack/recording/clear", [])
            until(lambda: other.value("/rack/recording/layout") == "")
            client.send_message("/rack/recording/load", str(tmp_path / "rack.json"))
            until(lambda: other.value("/rack/recording/layout") == "2 1")
        # One wrong name, and nothing of the session is applied.
        session = json.loads((sessions / "session.json").read_text())
        session["racks"]["recording"]["slots"][0]["effect"] = "revreb"
        (sessions / "wrong.json").write_text(json.dumps(session, indent=1))
        client = engine.osc()
        client.send_message("/session/load", "wrong")
        notice = until(lambda: "wrong.json" in (text := engine.value("/engine/notice")) and text)
        line = next(i for i, text in enumerate((sessions / "wrong.json").read_text().splitlines(), 1) if "revreb" in text)
        assert f"wrong.json:{line}" in notice and "no such effect" in notice
        assert engine.value("/rack/recording/layout") == "2 1"


def test_process_renders_the_same_as_the_live_rack(tmp_path):
    """`process` accepts the rack file that the running engine wrote."""
    import numpy

    import wave_file

    wave_file.write(tmp_path / "in.wav", 0.25 * numpy.ones((48_000, 2)))
    with Engine("--allow-path", tmp_path) as running:
        client = running.osc()
        client.send_message("/rack/input/preset", "telephone")
        until(lambda: running.value("/rack/input/title") == "telephone")
        client.send_message("/rack/input/save", str(tmp_path / "rack.json"))
        until(lambda: (tmp_path / "rack.json").exists())
    run("process", tmp_path / "in.wav", "--rack", tmp_path / "rack.json", "--output", tmp_path / "one.wav")
    run("process", tmp_path / "in.wav", "--rack", "presets/telephone.json", "--output", tmp_path / "two.wav")
    assert (tmp_path / "one.wav").read_bytes() == (tmp_path / "two.wav").read_bytes()


def test_a_delay_follows_the_tempo(engine, tmp_path):
    """The metronome's tempo live, `--tempo` offline: the echo is one note value later."""
    import numpy

    import wave_file

    client = engine.osc()
    client.send_message("/rack/recording/add", "delay")
    until(lambda: engine.value("/rack/recording/layout") == "1")
    until(lambda: engine.value("/rack/recording/slot/1/interval") == 350)
    client.send_message("/rack/recording/slot/1/delay/sync", "1/8 dotted")
    until(lambda: engine.value("/rack/recording/slot/1/interval") == 375)
    client.send_message("/metronome/tempo", 90.0)
    until(lambda: engine.value("/rack/recording/slot/1/interval") == 500)
    client.send_message("/rack/recording/slot/1/delay/sync", "1/7")
    until(lambda: 'no choice "1/7"' in engine.value("/engine/notice"))
    assert engine.value("/rack/recording/slot/1/delay/sync") == "1/8 dotted"
    client.send_message("/rack/recording/slot/1/mix", 1.0)
    client.send_message("/rack/recording/save", str(tmp_path / "rack.json"))
    until(lambda: (tmp_path / "rack.json").exists())
    impulse = numpy.zeros((48_000, 2))
    impulse[0] = 0.5
    wave_file.write(tmp_path / "in.wav", impulse)
    for options, frame in [((), 18_000), (("--tempo", 90), 24_000)]:
        run("process", tmp_path / "in.wav", "--rack", tmp_path / "rack.json", "--output", tmp_path / "out.wav", "--overwrite", "--cut",
            *options)
        heard = numpy.abs(wave_file.read(tmp_path / "out.wav")[0][:, 0])
        assert numpy.argmax(heard > 0.01) == frame
    refused = run(
        "process", tmp_path / "in.wav", "--rack", tmp_path / "rack.json", "--output", tmp_path / "out.wav", "--tempo", 5, check=False)
    assert refused.returncode != 0 and "20 to 300 beats" in refused.stderr


def test_the_protection_holds_its_ceiling(engine):
    client = engine.osc()
    client.send_message("/listener/1/gain", 12.0)
    client.send_message("/protection/ceiling", -24.0)
    until(lambda: engine.value("/protection/reduction") > 6)
    # The ceiling is smoothed for about 0.2 s.
    blocks = health(engine)["blocks"] + 0.4 * engine.ready["rate"] / engine.ready["period"]
    until(lambda: health(engine)["blocks"] > blocks)
    until(lambda: 0 < ears(engine) < 0.0632)

    def holds_the_ceiling():
        # Never exceeded, and nearly reached.
        holds(lambda: ears(engine) < 0.0632, 1)
        until(lambda: 0.03 < ears(engine) < 0.0632)

    # Whether or not a client listens, so that the meters show what is heard.
    holds_the_ceiling()
    with connect(engine.socket_url + "/audio/1"):
        holds_the_ceiling()
    holds_the_ceiling()
    assert engine.value("/protection/latency") > 0


RESPONSE = "/rack/recording/slot/1/convolution/response"


def load_a_long_impulse_response(engine, folder):
    """20 s at an odd rate."""
    import wave_file

    random = generator(1)
    wave_file.write(folder / "long.wav", 0.1 * random.standard_normal((20 * 191_999, 2)), 191_999)
    client = engine.osc()
    client.send_message("/rack/recording/add", "convolution")
    until(lambda: engine.value("/rack/recording/layout") == "1")
    client.send_message(RESPONSE, str(folder / "long.wav"))


@measured
def test_a_long_impulse_response_blocks_no_client(engine, tmp_path):
    """Queries are answered while it is read and resampled."""
    from asker import Asker

    asker = Asker(engine)
    load_a_long_impulse_response(engine, tmp_path)
    until(lambda: engine.value("/rack/recording/slot/1/state").startswith("loading"))
    begin = last = time.perf_counter()
    longest, states = 0, []
    while not states or states[-1].startswith("loading"):
        asker.send("/rack/recording/slot/1/state")
        states.append(asker.receive()[0][1][0])
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    duration = last - begin
    print(f"{len(states)} answers in {1000 * duration:.0f} ms, the latest after {1000 * longest:.1f} ms")
    assert states[0] == "loading: long.wav" and states[-1] == "ready: long.wav"
    figure("answers while an impulse response is loaded", len(states), at_least=200)
    figure("longest wait for an answer, as a share of the loading", longest / duration, at_most=1 / 3)


def test_a_long_impulse_response_is_loaded_replaced_and_removed(engine, tmp_path):
    import numpy

    import wave_file

    client = engine.osc()
    load_a_long_impulse_response(engine, tmp_path)
    wave_file.write(tmp_path / "silent.wav", numpy.zeros((48_000, 2)))
    until(lambda: engine.value("/rack/recording/slot/1/state") == "ready: long.wav")
    assert engine.value("/rack/recording/slot/1/progress") == 1
    # Silence is detected only after reading: the previous response stays.
    client.send_message(RESPONSE, str(tmp_path / "silent.wav"))
    state = until(lambda: "silent.wav is silent" in (text := engine.value("/rack/recording/slot/1/state")) and text)
    assert state.startswith("failed: ")
    until(lambda: engine.value(RESPONSE) == str(tmp_path / "long.wav"))
    # Removed while it is read: nothing remains.
    client.send_message(RESPONSE, "")
    until(lambda: engine.value("/rack/recording/slot/1/state") == "")
    client.send_message(RESPONSE, str(tmp_path / "long.wav"))
    client.send_message("/rack/recording/remove", 1)
    until(lambda: engine.value("/rack/recording/layout") == "")
    until(lambda: ears(engine) > 0.01)
