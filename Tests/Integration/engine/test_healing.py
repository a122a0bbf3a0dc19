"""Sound that is not plausible: what is cleared and reported, and what /health tells."""

from health import becomes_well, health
from waiting import until


def ears(engine):
    return max(engine.value("/meter/listener/1/peak"))


def test_equalisers_that_overflow_are_reported_and_heard_again(engine):
    client = engine.osc()
    until(lambda: ears(engine) > 0.01)
    # While no block is rendered, the output counts as silent, but the recording as what it was last.
    sound = until(lambda: (found := becomes_well(engine)["sound"])["plausible"] and found)
    # A machine that is busy may be.
    assert sound.pop("overloaded") in (False, True)
    assert sound == {
        "plausible": True, "silentListeners": [], "resets": 0, "recentResets": 0, "recentSeconds": 10, "nonFinite": 0, "latest": ""}
    for slot in range(1, 9):
        client.send_message("/rack/listener/1/add", "equaliser")
        until(lambda: len(engine.value("/rack/listener/1/layout").split()) == slot)
    bands = [name for name in engine.get("/rack/listener/1/slot/1/equaliser")["CONTENTS"] if name.endswith("gain")]
    assert len(bands) == 8

    def turn(gain):
        for slot in range(1, 9):
            for band in bands:
                client.send_message(f"/rack/listener/1/slot/{slot}/equaliser/{band}", gain)

    turn(18.0)
    until(lambda: engine.value("/engine/resets") > 0)
    until(lambda: "of /rack/listener/1 was" in health(engine)["sound"]["latest"])
    sound = until(lambda: (found := health(engine)["sound"])["recentResets"] > 0 and found)
    assert not sound["plausible"] and sound["resets"] >= sound["recentResets"]
    becomes_well(engine)
    assert "faded in again" in sound["latest"] and "(equaliser)" in sound["latest"]
    turn(0.0)
    until(lambda: ears(engine) > 0.01)
    until(lambda: health(engine)["sound"]["plausible"])
    assert health(engine)["sound"]["resets"] == engine.value("/engine/resets") > 0


def test_a_silent_listener_is_reported(engine):
    client = engine.osc()
    until(lambda: ears(engine) > 0.01)
    client.send_message("/rack/listener/1/add", "gate")
    until(lambda: engine.value("/rack/listener/1/layout") == "1")
    client.send_message("/rack/listener/1/slot/1/gate/threshold", 0.0)
    client.send_message("/rack/listener/1/slot/1/gate/range", -90.0)
    until(lambda: health(engine)["sound"]["silentListeners"] == [1])
    until(lambda: engine.value("/engine/silent") == 1)
    # A muted listener is meant to be silent.
    client.send_message("/listener/1/mute", True)
    until(lambda: health(engine)["sound"]["silentListeners"] == [])
    client.send_message("/listener/1/mute", False)
    until(lambda: health(engine)["sound"]["silentListeners"] == [1])
    client.send_message("/rack/listener/1/remove", 1)
    until(lambda: health(engine)["sound"]["plausible"])
