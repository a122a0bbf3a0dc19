"""Effects in the rack of the recording, over OSC."""

from waiting import until


def add(engine, *names):
    for number, name in enumerate(names, 1):
        engine.osc().send_message("/rack/recording/add", name)
        until(lambda: engine.value("/rack/recording/layout").count(str(number)) == 1)
