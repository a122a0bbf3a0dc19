"""MQTT 5 with a real Mosquitto: state, commands, telemetry, and devices of Homie."""

import contextlib
import itertools
import json
import pathlib
import re
import signal
import subprocess
import sys
import time

from figures import figure, measured
from mqtt_broker import Broker, Client, readable, user_properties
from mqtt_hall import SET, STATE, engine_at
from program import ROOT
from waiting import paced, until


def test_a_late_client_gets_the_whole_state(hall, broker, client):
    expected = {f"{STATE}{path}" for path in readable(hall)}
    # The engine has published everything before the late one comes.
    until(lambda: expected <= client.topics(), lambda: sorted(expected - client.topics()))
    with Client(broker.port, "vestibule/hall/#") as late:
        until(lambda: expected <= late.topics(), lambda: sorted(expected - late.topics()))
        until(lambda: late.value("vestibule/hall/online") is True)
        assert {topic for topic in late.topics() if topic.startswith(STATE)} == expected
        assert late.all(f"{STATE}/listener/1/gain")[0][1], "not retained"
        assert late.value(f"{STATE}/listener/1/gain") == 0
        assert late.value(f"{STATE}/transport/loop") == hall.value("/transport/loop")
        assert late.value(f"{STATE}/engine/rate") == hall.value("/engine/rate")


def test_commands_set_and_are_answered(hall, client):
    topic = f"{SET}/listener/1/gain"
    assert client.ask(topic, -6) == {"ok": True, "address": "/listener/1/gain", "value": -6}
    assert hall.value("/listener/1/gain") == -6
    until(lambda: client.value(f"{STATE}/listener/1/gain") == -6)
    assert client.ask(f"{SET}/listener/1/ypr", [10, 20, 30])["value"] == [10, 20, 30]
    assert client.ask(f"{SET}/transport/pause", None, payload=b"")["ok"]
    until(lambda: client.value(f"{STATE}/transport/state") == "paused")
    # Other clients' changes are published as well.
    hall.osc().send_message("/listener/1/gain", -9.0)
    until(lambda: client.value(f"{STATE}/listener/1/gain") == -9)


def test_refused_commands_say_why(hall, client):
    def error(address, value, **more):
        answer = client.ask(SET + address, value, **more)
        assert not answer["ok"] and answer["error"], answer
        return answer["error"]

    assert "numbers" in error("/listener/1/gain", "loud")
    assert "did you mean /listener/1/gain" in error("/listener/1/gian", 1)
    assert "/engine/load" in error("/engine/load", 1)
    assert "JSON" in error("/listener/1/gain", {"value": 1})
    assert "JSON" in error("/listener/1/gain", None, payload=b"\xff{")
    assert "at most 1024 values" in error("/listener/1/ypr", [1] * 20000)
    assert "patterns" in error("/listener/*/gain", 1)
    assert "512 bytes" in error("/listener/1/" + "x" * 600, 1)
    assert "70000 bytes" in error("/listener/1/gain", None, payload=b"1" * 70000)
    assert "12 was set" in client.ask(f"{SET}/listener/1/gain", 99)["note"]
    assert hall.value("/listener/1/gain") == 12
    until(lambda: hall.value("/mqtt/refused") == 9)
    assert hall.metric('vestibule_mqtt_messages_total{kind="refused"}') == 9
    assert hall.metric("vestibule_mqtt_connected") == 1


def test_a_refused_command_is_logged_once(hall, client):
    """An automation that keeps sending what is refused does not fill the log of an installation."""
    refused = hall.value("/mqtt/refused")
    for _ in range(5):
        for payload in (b"{", b'"loud"', b"[1, 2, 3]"):
            client.publish("vestibule/hall/set/listener/1/gain", None, payload=payload)
        client.publish("vestibule/hall/set/listener/1/mute", 1, retain=True)
        client.publish("vestibule/hall/set/listener/1/mute", None, payload=b"", retain=True)
        until(lambda: hall.value("/mqtt/refused") > refused)
        refused = hall.value("/mqtt/refused")
    until(lambda: hall.value("/mqtt/refused") >= 20, describe=lambda: hall.value("/mqtt/refused"))
    # A value out of range is set to the nearest one, and told in the same way.
    for _ in range(5):
        client.publish("vestibule/hall/set/listener/1/front", 900)
        client.publish("vestibule/hall/set/listener/1/ear-azimuth", 900)
    assert "note" in client.ask(f"{SET}/listener/1/ear-azimuth", 900)
    until(lambda: "/listener/1/ear-azimuth" in hall.log)
    assert hall.log.count("/listener/1/gain") == 1 and hall.log.count("/listener/1/ear-azimuth") == 1, hall.log
    assert hall.log.count("MQTT: /listener/1/gain") == 1 and hall.log.count("MQTT: /listener/1/mute") == 1, hall.log


def test_answers_are_not_commands_to_other_engines(hall, client):
    client.publish(f"{SET}/listener/1/gain", -3, response="vestibule/other/set/listener/1/gain", correlation=b"1")
    until(lambda: hall.value("/listener/1/gain") == -3)
    until(lambda: "is not answered" in hall.log)
    assert client.all("vestibule/other/set/listener/1/gain") == []


def test_a_retained_command_does_not_act_at_a_connection(broker, client, scene):
    client.publish(f"{SET}/listener/1/gain", -30, retain=True)
    until(lambda: client.all(f"{SET}/listener/1/gain"))
    with engine_at(broker.port, scene) as engine:
        until(lambda: client.value(f"{STATE}/listener/1/gain") == 0)
        assert client.ask(f"{SET}/listener/1/front", 5)["ok"]
        assert engine.value("/listener/1/gain") == 0


def test_a_command_sent_as_retained_is_refused_and_clearing_it_does_nothing(hall, client):
    hall.osc().send_message("/transport/pause", [])
    until(lambda: hall.value("/transport/state") in (0, "paused"))
    answer = client.ask(f"{SET}/listener/1/gain", -11, retain=True)
    assert not answer["ok"] and "must not be retained" in answer["error"]
    refused = hall.value("/mqtt/refused")
    for topic in ("listener/1/gain", "transport/play"):
        client.publish(f"{SET}/{topic}", None, payload=b"", retain=True)
    until(lambda: hall.value("/mqtt/refused") == refused + 2)
    assert hall.value("/listener/1/gain") != -11 and hall.value("/transport/state") in (0, "paused")


def test_the_sender_recognises_its_echo(hall, client):
    client.publish(f"{SET}/listener/1/gain", -4, user={"origin": "desk"})
    topic = f"{STATE}/listener/1/gain"
    until(lambda: client.value(topic) == -4)
    own = user_properties(client.all(topic)[-1])
    assert own["origin"] == "desk"
    hall.osc().send_message("/listener/1/gain", -5.0)
    until(lambda: client.value(topic) == -5)
    other = user_properties(client.all(topic)[-1])
    assert "origin" not in other and int(other["revision"]) > int(own["revision"])
    # A replayed command is for a state that is over.
    answer = client.ask(f"{SET}/listener/1/gain", -4, user={"revision": own["revision"]})
    assert "outdated" in answer["error"] and hall.value("/listener/1/gain") == -5
    assert client.ask(f"{SET}/listener/1/gain", -4, user={"revision": other["revision"]})["ok"]


def publications(hall, client):
    """The number of publications for a thousand changes in more than a second, and the seconds that passed."""
    topic, sender, begin = f"{STATE}/listener/1/gain", hall.osc(), time.monotonic()
    until(lambda: client.value(topic) == 0)
    before = len(client.all(topic))
    for step in paced(range(1000), 0.001):
        sender.send_message("/listener/1/gain", -step / 100)

    def last_one_arrives():
        # Messages that found no room in the engine's socket are lost. One more of the same value changes nothing.
        sender.send_message("/listener/1/gain", -9.99)
        return abs(client.value(topic) + 9.99) < 1e-4

    until(last_one_arrives)
    return len(client.all(topic)) - before, time.monotonic() - begin


def test_changes_are_coalesced_and_the_last_one_arrives(hall, client):
    count, seconds = publications(hall, client)
    # Ten publications, then five a second.
    assert 1 <= count <= 11 + 5 * seconds, (count, seconds)


@measured
def test_changes_are_published_while_they_go_on(hall, client):
    count, _ = publications(hall, client)
    figure("publications of a thousand changes", count, at_least=10)
    figure("most publications of a thousand changes", count, at_most=40)


def expiry(messages):
    """The seconds after which messages expire; the broker subtracts the time that it has had them."""
    return max((message[2].MessageExpiryInterval for message in messages), default=0)


def test_telemetry_expires(hall, client):
    levels, latency = "vestibule/hall/telemetry/levels", "vestibule/hall/telemetry/latency"
    for topic, seconds in ((levels, 1), (latency, 5)):
        until(lambda: expiry(client.all(topic)) == seconds, lambda: expiry(client.all(topic)))
        assert not any(retained for _, retained, _ in client.all(topic))
    until(lambda: client.value(levels)["1"]["rms"][0] > 0)
    assert len(client.value(latency)["motion-to-sound"]) == 4


def test_everything_that_moves_comes_in_one_message_for_each_tenth_of_a_second(hall, client):
    topic = "vestibule/hall/telemetry/changes"
    until(lambda: expiry(client.all(topic)) == 1)
    assert not any(retained for _, retained, _ in client.all(topic))
    before, sender, begin, date = len(client.all(topic)), hall.osc(), time.monotonic(), time.time()
    for step in paced(range(50), 0.01):
        sender.send_message("/listener/1/gain", -step / 100)

    def changes():
        return [json.loads(message[0]) for message in client.all(topic)[before:]]

    # A message that expires takes its values along, so that they move until one arrives.
    more = itertools.count(50)

    def one_arrives():
        sender.send_message("/listener/1/gain", -next(more) / 100)
        return any(each["values"].get("/listener/1/gain", 0) < -0.495 for each in changes())

    until(one_arrives)
    seen, seconds, end = changes(), time.monotonic() - begin, time.time()
    moved = [each for each in seen if "/listener/1/gain" in each["values"]]
    gains = [each["values"]["/listener/1/gain"] for each in moved]
    assert gains == sorted(gains, reverse=True) and len(gains) <= 2 + 10 * seconds, (gains, seconds)
    times = [each["time"] for each in seen]
    assert times == sorted(times) and all(date < each["time"] < end for each in moved), (date, times, end)
    # Values that move by themselves, of which a single message may have none, and none that would change by being sent.
    def addresses():
        return {address for each in changes() for address in each["values"]}

    until(lambda: any(address.startswith("/meter/") for address in addresses()) and "/transport/position" in addresses(), addresses)
    assert not any(address.startswith("/mqtt/") for address in addresses())


def test_the_thread_has_a_name(hall):
    def names():
        found = set()
        for path in pathlib.Path(f"/proc/{hall.process.pid}/task").glob("*/comm"):
            # Other threads may end meanwhile.
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                found.add(path.read_text().strip())
        return found

    # A thread gives itself its name, which takes a moment.
    until(lambda: "MQTT" in names(), describe=names)
    assert "Homie" not in names()


def test_an_engine_is_a_device_of_homie(broker, scene):
    device = "homie/5/hall"
    with Client(broker.port, "homie/5/#") as client, engine_at(broker.port, scene, "--mqtt-homie") as engine:
        def text(topic):
            messages = client.all(f"{device}/{topic}")
            return messages[-1][0].decode() if messages else None

        until(lambda: text("$state") == "ready")
        description = client.value(f"{device}/$description")
        assert description["homie"] == "5.0" and description["name"] == "hall"
        properties = {
            f"{node}/{name}": facts for node, content in description["nodes"].items() for name, facts in content["properties"].items()}
        # Each retained property has a value when the device is ready, and of its type.
        for name, facts in properties.items():
            value = text(name)
            assert (value is not None) == facts["retained"], name
            if value and facts["datatype"] in ("float", "integer"):
                assert re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", value), name
            if value and facts["datatype"] in ("enum", "boolean"):
                assert value in facts.get("format", "true,false").split(","), name
        states = [message[0] for message in client.all(f"{device}/$state")]
        assert states == [b"init", b"ready"]
        client.publish(f"{device}/listener-1/gain/set", None, payload=b"-6")
        until(lambda: engine.value("/listener/1/gain") == -6 and text("listener-1/gain") == "-6")
        client.publish(f"{device}/listener-1/mute/set", None, payload=b"true")
        until(lambda: text("listener-1/mute") == "true")
        client.publish(f"{device}/transport/pause/set", None, payload=b"trigger")
        until(lambda: text("transport/state") == "paused")
        # Properties without a value publish the command, so that others see it.
        until(lambda: [message[0] for message in client.all(f"{device}/transport/pause")] == [b"trigger"])
        # Refusals are logged once for each property, and commands that the broker keeps are refused.
        for payload in (b"loud", b"louder"):
            client.publish(f"{device}/listener-1/gain/set", None, payload=payload)
        client.publish(f"{device}/listener-1/gain/set", None, payload=b"3", retain=True)
        client.publish(f"{device}/listener-1/mute/set", None, payload=b"false")
        until(lambda: text("listener-1/mute") == "false")
        until(lambda: "must be a number" in engine.log, lambda: engine.log)
        assert engine.log.count("must be a number") == 1
        assert engine.value("/listener/1/gain") == -6
        # A listener that joins is described.
        engine.osc().send_message("/listener/add", "Ann")
        until(lambda: "listener-2" in client.value(f"{device}/$description")["nodes"])
        until(lambda: text("$state") == "ready" and text("listener-2/name") == "Ann")
        assert client.value(f"{device}/$description")["version"] > description["version"]
        engine.osc().send_message("/listener/remove", 2)
        until(lambda: text("listener-2/name") == "" and text("$state") == "ready")


def test_homie_learns_of_the_end(broker, scene):
    with Client(broker.port, "homie/5/#") as client:
        def state():
            return (client.all("homie/5/hall/$state") or [[b""]])[-1][0]

        def ends_by_a_farewell():
            with engine_at(broker.port, scene, "--mqtt-homie") as engine:
                until(lambda: state() == b"ready")
                engine.stop()
            # A broker that has stalled meanwhile takes it for a crash.
            until(lambda: state() in (b"disconnected", b"lost"))
            return state() == b"disconnected"

        until(ends_by_a_farewell)


def test_homie_learns_of_a_crash(broker, scene):
    with Client(broker.port, "homie/5/#") as client, engine_at(broker.port, scene, "--mqtt-homie") as engine:
        until(lambda: (client.all("homie/5/hall/$state") or [[b""]])[-1][0] == b"ready")
        engine.stop(signal.SIGKILL)
        until(lambda: client.all("homie/5/hall/$state")[-1][0] == b"lost")


def test_the_dashboard_of_the_documentation_works(tmp_path, scene):
    page = (ROOT / "docs/mqtt.md").read_text()
    program = re.search(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[1]
    with Broker(tmp_path, websockets=True) as broker, engine_at(broker.port, scene) as engine:
        until(lambda: engine.value("/mqtt/state") == "connected")
        program = program.replace("9001", str(broker.websockets)) + "\nimport sys; sys.stdin.read()"
        command = [sys.executable, "-u", "-c", program]
        with open(tmp_path / "shown", "w") as output, \
                subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=output) as dashboard:
            def shown():
                return (tmp_path / "shown").read_text()

            until(lambda: f"{STATE}/listener/1/gain -6" in shown() and "vestibule/hall/online True" in shown(), shown)
            dashboard.stdin.close()
        assert dashboard.returncode == 0 and engine.value("/listener/1/gain") == -6
