"""MQTT 5 with a real Mosquitto: state, commands, telemetry, lost brokers, refusals."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time

import pytest

from mqtt_broker import Broker, Client, authority, certificate, free_port, readable, user_properties
from program import ROOT, Engine, run
from seeds import generator
from waiting import holds, paced, until

STATE, SET = "vestibule/hall/state", "vestibule/hall/set"


def engine_at(port, scene, *options, scheme="mqtt", user="", host="127.0.0.1", env=None, **more):
    return Engine(
        "--recording", scene, "--mqtt", f"{scheme}://{user}{host}:{port}", "--mqtt-name", "hall", *options, env=env, **more)


@pytest.fixture
def broker(tmp_path):
    with Broker(tmp_path) as running:
        yield running


@pytest.fixture
def hall(broker, scene):
    with engine_at(broker.port, scene) as engine:
        until(lambda: engine.value("/mqtt/state") == "connected")
        yield engine


@pytest.fixture
def client(broker):
    with Client(broker.port, "vestibule/#", "answers/#") as client:
        yield client


def test_a_late_client_gets_the_whole_state(hall, broker):
    expected = readable(hall)
    with Client(broker.port, "vestibule/hall/#") as late:
        until(lambda: {f"{STATE}{path}" for path in expected} <= set(late.messages), 5,
              lambda: sorted({f"{STATE}{path}" for path in expected} - set(late.messages)))
        assert late.value("vestibule/hall/online") is True
        topics = [topic for topic in late.messages if topic.startswith(STATE)]
        assert len(topics) == len(expected)
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
    assert hall.value("/mqtt/refused") == 9
    assert hall.metric('vestibule_mqtt_messages_total{kind="refused"}') == 9
    assert hall.metric("vestibule_mqtt_connected") == 1


def test_a_refused_command_is_logged_once(hall, client):
    """An automation that goes on sending what is refused does not fill the log of an installation."""
    refused = hall.value("/mqtt/refused")
    for _ in range(5):
        for payload in (b"{", b'"loud"', b"[1, 2, 3]"):
            client.publish("vestibule/hall/set/listener/1/gain", None, payload=payload)
        client.publish("vestibule/hall/set/listener/1/mute", 1, retain=True)
        client.publish("vestibule/hall/set/listener/1/mute", None, payload=b"", retain=True)
        until(lambda: hall.value("/mqtt/refused") > refused)
        refused = hall.value("/mqtt/refused")
    until(lambda: hall.value("/mqtt/refused") >= 20, describe=lambda: hall.value("/mqtt/refused"))
    assert hall.log.count("MQTT: /listener/1/gain") == 1 and hall.log.count("MQTT: /listener/1/mute") == 1, hall.log


def test_answers_are_not_commands_to_other_engines(hall, client):
    client.publish(f"{SET}/listener/1/gain", -3, response="vestibule/other/set/listener/1/gain", correlation=b"1")
    until(lambda: hall.value("/listener/1/gain") == -3)
    until(lambda: "is not answered" in hall.log)
    assert client.all("vestibule/other/set/listener/1/gain") == []


def test_a_retained_command_does_not_act_at_a_connection(broker, client, scene):
    client.publish(f"{SET}/listener/1/gain", -30, retain=True)
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


def test_changes_are_coalesced_and_the_last_one_arrives(hall, client):
    until(lambda: client.value(f"{STATE}/listener/1/gain") == 0)
    topic, sender = f"{STATE}/listener/1/gain", hall.osc()
    before = len(client.all(topic))
    for step in paced(range(1000), 0.001):
        sender.send_message("/listener/1/gain", -step / 100)
    until(lambda: abs(client.value(topic) + 9.99) < 1e-4)
    count = len(client.all(topic)) - before
    # A thousand changes in more than a second: ten publications, then five a second; the machine may have been slow.
    assert 10 <= count <= 40, count


def test_telemetry_expires(hall, client):
    levels = until(lambda: client.all("vestibule/hall/telemetry/levels"))[-1]
    assert not levels[1] and levels[2].MessageExpiryInterval == 1
    until(lambda: client.value("vestibule/hall/telemetry/levels")["1"]["rms"][0] > 0)
    latency = until(lambda: client.all("vestibule/hall/telemetry/latency"))[-1]
    assert latency[2].MessageExpiryInterval == 5
    assert len(json.loads(latency[0])["motion-to-sound"]) == 4


def test_everything_that_moves_comes_in_one_message_for_each_tenth_of_a_second(hall, client):
    topic = "vestibule/hall/telemetry/changes"
    first = until(lambda: client.all(topic))[-1]
    assert not first[1] and first[2].MessageExpiryInterval == 1
    before, sender = len(client.all(topic)), hall.osc()
    for step in paced(range(50), 0.01):
        sender.send_message("/listener/1/gain", -step / 10)

    def changes():
        return [json.loads(message[0]) for message in client.all(topic)[before:]]

    until(lambda: any(abs(each["values"].get("/listener/1/gain", 0) + 4.9) < 1e-4 for each in changes()))
    seen = changes()
    gains = [each["values"]["/listener/1/gain"] for each in seen if "/listener/1/gain" in each["values"]]
    assert gains == sorted(gains, reverse=True) and len(gains) <= 10, gains
    times = [each["time"] for each in seen]
    assert times == sorted(times) and abs(times[-1] - time.time()) < 5
    # Values that move by themselves, and none that would change by being sent.
    addresses = {address for each in seen for address in each["values"]}
    assert any(address.startswith("/meter/") for address in addresses) and "/transport/position" in addresses
    assert not any(address.startswith("/mqtt/") for address in addresses)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_broker_tells_that_an_engine_has_gone(broker, client, scene, number):
    with engine_at(broker.port, scene) as engine:
        until(lambda: client.value("vestibule/hall/online") is True)
        engine.stop(number)
        until(lambda: client.value("vestibule/hall/online") is False)


def test_states_of_an_earlier_run_are_removed(broker, client, scene):
    client.publish(f"{STATE}/listener/9/gain", -1, retain=True)
    with engine_at(broker.port, scene, "--listeners", 2) as engine:
        until(lambda: client.value(f"{STATE}/listener/2/gain") == 0)
        until(lambda: client.all(f"{STATE}/listener/9/gain")[-1][0] == b"")
        engine.stop(signal.SIGKILL)
    assert client.all(f"{STATE}/listener/2/gain")[-1][0] != b""
    with engine_at(broker.port, scene):
        until(lambda: client.value("vestibule/hall/online") is True)
        until(lambda: client.all(f"{STATE}/listener/2/gain")[-1][0] == b"")
        assert client.value(f"{STATE}/listener/1/gain") == 0


def test_commands_that_were_confirmed_act_although_the_broker_is_gone(broker, hall, client):
    for step in range(200):
        client.publish(f"{SET}/listener/1/gain", -step / 10)
    until(lambda: hall.value("/mqtt/received") > 0)
    broker.stop(signal.SIGKILL)
    until(lambda: hall.value("/mqtt/losses") == 1)
    count = hall.value("/mqtt/received")
    assert hall.value("/listener/1/gain") == pytest.approx(-(count - 1) / 10, abs=1e-4)


def test_the_thread_has_a_name(hall):
    def names():
        tasks = pathlib.Path(f"/proc/{hall.process.pid}/task").glob("*/comm")
        return {path.read_text().strip() for path in tasks if path.exists()}

    # A thread gives itself its name, which takes a moment.
    until(lambda: "MQTT" in names(), describe=names)
    assert "Homie" not in names()


def test_a_lost_broker_is_found_again(broker, hall, scene):
    until(lambda: hall.value("/mqtt/published") > 100)
    blocks = hall.metric("vestibule_blocks_total")
    broker.stop(signal.SIGKILL)
    until(lambda: hall.value("/mqtt/state") in ("waiting", "connecting") and hall.value("/mqtt/losses") == 1)
    assert "lost" in hall.value("/mqtt/problem") or "refused" in hall.value("/mqtt/problem")
    hall.osc().send_message("/listener/1/gain", -7.0)
    until(lambda: hall.value("/listener/1/gain") == -7)
    broker.start()
    with Client(broker.port, "vestibule/hall/#") as client:
        # The new broker has forgotten everything.
        until(lambda: client.value(f"{STATE}/listener/1/gain") == -7, 10)
        until(lambda: client.value("vestibule/hall/online") is True)
    assert hall.value("/mqtt/problem") == ""
    assert hall.metric("vestibule_blocks_total") > blocks


def test_an_absent_broker_changes_nothing_else(scene):
    port = free_port()
    with engine_at(port, scene) as engine:
        until(lambda: engine.value("/mqtt/state") == "waiting")
        assert "Connection refused" in engine.value("/mqtt/problem")
        # Told once, however often it is tried.
        with socket.create_server(("127.0.0.1", port)) as other:
            for _ in range(2):
                other.accept()[0].close()
        assert engine.log.count("cannot be reached") == 1
        status, seconds = engine.stop()
        assert status == 0 and seconds < 3


def test_a_broker_that_never_answers_is_reported(scene):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        with engine_at(silent.getsockname()[1], scene) as engine:
            until(lambda: engine.value("/mqtt/state") == "connecting")
            until(lambda: "does not answer" in engine.value("/mqtt/problem"), 20)
            status, seconds = engine.stop()
            assert status == 0 and seconds < 3


def test_a_hanging_broker_holds_nothing_up(broker, hall):
    until(lambda: hall.value("/mqtt/published") > 100)
    broker.process.send_signal(signal.SIGSTOP)
    sender = hall.osc()
    for step in paced(range(2000), 0.001):
        sender.send_message("/listener/1/gain", -step / 100)
    until(lambda: abs(hall.value("/listener/1/gain") + 19.99) < 1e-4)
    broker.process.send_signal(signal.SIGCONT)
    with Client(broker.port, f"{STATE}/#") as client:
        until(lambda: abs((client.value(f"{STATE}/listener/1/gain") or 0) + 19.99) < 1e-4, 20)


def test_a_flood_of_commands_is_dropped_and_counted(hall, client):
    for _ in range(20000):
        client.client.publish(f"{SET}/listener/1/gain", "-1", qos=0)
    until(lambda: hall.value("/mqtt/dropped") > 0, 20)
    assert hall.value("/mqtt/received") > 0 and 1 <= hall.log.count("come faster") <= 20
    # Commands act again as soon as there are fewer.
    def acts_again():
        client.publish(f"{SET}/listener/1/gain", -2)
        return hall.value("/listener/1/gain") == -2

    until(acts_again, 20)


def test_two_engines_of_one_name_are_told(broker, hall, scene):
    with engine_at(broker.port, scene) as other:
        until(lambda: "--mqtt-name" in hall.value("/mqtt/problem") + other.value("/mqtt/problem"))


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
        client.publish(f"{device}/listener-1/gain/set", None, payload=b"loud")
        until(lambda: "must be a number" in engine.log)
        assert engine.value("/listener/1/gain") == -6
        # A listener that joins is described.
        engine.osc().send_message("/listener/add", "Ann")
        until(lambda: "listener-2" in client.value(f"{device}/$description")["nodes"])
        until(lambda: text("$state") == "ready" and text("listener-2/name") == "Ann")
        assert client.value(f"{device}/$description")["version"] != description["version"]
        engine.osc().send_message("/listener/remove", 2)
        until(lambda: text("listener-2/name") == "" and text("$state") == "ready")
        engine.stop()
        until(lambda: text("$state") == "disconnected")


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

            until(lambda: f"{STATE}/listener/1/gain -6" in shown() and "vestibule/hall/online True" in shown(), 10, shown)
            dashboard.stdin.close()
        assert dashboard.returncode == 0 and engine.value("/listener/1/gain") == -6


def test_passwords_are_checked(tmp_path, scene):
    secret = tmp_path / "secret"
    secret.write_text("right\n")
    secret.chmod(0o600)
    environment = {key: value for key, value in os.environ.items() if key != "VESTIBULE_MQTT_PASSWORD"}
    with Broker(tmp_path, password="right") as broker:
        with engine_at(broker.port, scene, "--mqtt-password-file", secret, user="engine@") as engine:
            until(lambda: engine.value("/mqtt/state") == "connected")
            assert "right" not in engine.log
            assert "right" not in pathlib.Path(f"/proc/{engine.process.pid}/cmdline").read_text()
            assert engine.value("/mqtt/broker") == f"mqtt://127.0.0.1:{broker.port}"
        with engine_at(broker.port, scene, user="engine@", env=environment | {"VESTIBULE_MQTT_PASSWORD": "right"}) as engine:
            until(lambda: engine.value("/mqtt/state") == "connected")
        with engine_at(broker.port, scene, user="engine@", env=environment | {"VESTIBULE_MQTT_PASSWORD": "wrong"}) as engine:
            problem = until(lambda: engine.value("/mqtt/problem"))
            assert "password" in problem or "authorise" in problem
            assert "wrong" not in engine.log
        with engine_at(broker.port, scene, env=environment) as engine:
            until(lambda: "--mqtt-password-file" in engine.value("/mqtt/problem"))


def test_the_access_list_of_the_broker_holds(tmp_path, scene):
    access = "user engine\ntopic read vestibule/hall/#\ntopic write vestibule/hall/state/#\nuser client\ntopic read vestibule/#\n"
    environment = os.environ | {"VESTIBULE_MQTT_PASSWORD": "pw"}
    with Broker(tmp_path, password="pw", acl=access) as broker, \
            Client(broker.port, "vestibule/#", user="client", password="pw") as client, \
            engine_at(broker.port, scene, user="engine@", env=environment) as engine:
        until(lambda: client.value(f"{STATE}/listener/1/gain") == 0)
        # Neither the will nor telemetry may be published.
        until(lambda: "vestibule/hall/#" in engine.value("/mqtt/problem"))
        client.publish(f"{SET}/listener/1/gain", -6)
        holds(lambda: engine.value("/listener/1/gain") == 0)


def test_tls_checks_the_certificate_and_its_name(tmp_path, scene):
    right, wrong = authority(tmp_path), authority(tmp_path, "another")
    with Broker(tmp_path, tls=certificate(tmp_path, right, "localhost")) as broker:
        secure = {"scheme": "mqtts", "host": "localhost"}
        with engine_at(broker.port, scene, "--mqtt-ca", right[0], **secure) as engine:
            until(lambda: engine.value("/mqtt/state") == "connected")
            until(lambda: engine.value("/mqtt/published") > 100)
        with engine_at(broker.port, scene, "--mqtt-ca", wrong[0], **secure) as engine:
            until(lambda: "is not trusted" in engine.value("/mqtt/problem"))
            assert engine.value("/mqtt/published") == 0
        with engine_at(broker.port, scene, **secure) as engine:
            until(lambda: "is not trusted" in engine.value("/mqtt/problem"))
        with engine_at(broker.port, scene, "--mqtt-ca", right[0], scheme="mqtts", host="127.0.0.1") as engine:
            until(lambda: "is not for 127.0.0.1" in engine.value("/mqtt/problem"))


def test_a_port_of_another_kind_is_reported(broker, tmp_path, scene):
    signer = authority(tmp_path)
    with engine_at(broker.port, scene, "--mqtt-ca", signer[0], scheme="mqtts") as engine:
        until(lambda: f"port {broker.port}" in engine.value("/mqtt/problem"))
        assert engine.value("/mqtt/published") == 0
    folder = tmp_path / "secure"
    folder.mkdir()
    with Broker(folder, tls=certificate(folder, signer, "localhost")) as secure, engine_at(secure.port, scene) as engine:
        until(lambda: "use mqtts://" in engine.value("/mqtt/problem"))


def test_an_unknown_host_is_reported(scene):
    with engine_at(1883, scene, host="nowhere.invalid") as engine:
        until(lambda: "the host name nowhere.invalid is not known: check the address" in engine.value("/mqtt/problem"), 20)
        until(lambda: engine.log.count("nowhere.invalid is not known") == 1)


def test_brokers_that_ask_for_a_certificate_get_it(tmp_path, scene):
    signer = authority(tmp_path)
    own, key = certificate(tmp_path, signer, "hall")
    key.chmod(0o600)
    server = certificate(tmp_path, signer, "localhost")
    with Broker(tmp_path, tls=server, clients=signer[0]) as broker:
        secure = {"scheme": "mqtts", "host": "localhost"}
        with engine_at(broker.port, scene, "--mqtt-ca", signer[0], "--mqtt-certificate", own, "--mqtt-key", key, **secure) as engine:
            until(lambda: engine.value("/mqtt/state") == "connected")
        with engine_at(broker.port, scene, "--mqtt-ca", signer[0], **secure) as engine:
            until(lambda: "--mqtt-certificate" in engine.value("/mqtt/problem"))


def test_secrets_that_others_can_read_are_refused(tmp_path, scene):
    secret = tmp_path / "secret"
    secret.write_text("hidden\n")
    secret.chmod(0o644)
    result = run("serve", "--recording", scene, "--osc-port", "0", "--http-port", "0", "--mqtt", "mqtt://me@b", "--mqtt-password-file",
                 secret, check=False)
    assert result.returncode != 0 and "chmod 600" in result.stderr and "hidden" not in result.stdout + result.stderr


def test_a_hostile_broker_does_no_harm(scene):
    """Random packets after a proper beginning. The engine plays on, and says what is wrong."""
    random = generator(31)
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(0.2)
    with server, engine_at(server.getsockname()[1], scene, "--mqtt-homie") as engine:
        for number in range(12):
            try:
                client, _ = server.accept()
            except TimeoutError:
                continue
            with client:
                client.settimeout(2)
                client.recv(4096)
                size = int(random.integers(0, 4000))
                body = bytes(random.integers(0, 256, size, dtype="uint8"))
                # Every other time a command of the right topic with random properties and payload.
                topic = b"vestibule/hall/set/listener/1/name"
                packet = len(topic).to_bytes(2, "big") + topic + b"\0" + body[:200]
                length = bytes([len(packet) % 128 | 128, len(packet) // 128])
                try:
                    client.sendall(bytes([0x20, 3, 0, 0, 0]) + (body if number % 2 else b"\x30" + length + packet + body))
                except OSError:
                    pass
        until(lambda: engine.value("/mqtt/problem"))
        blocks = engine.metric("vestibule_blocks_total")
        until(lambda: engine.metric("vestibule_blocks_total") > blocks)
        assert engine.get("/health")["status"] == "ok"


@pytest.mark.parametrize("options, words", [
    (["--mqtt", "http://broker"], "mqtt://"), (["--mqtt", "mqtt://me:secret@broker"], "--mqtt-password-file"),
    (["--mqtt-name", "hall"], "need --mqtt"), (["--mqtt", "mqtts://b", "--mqtt-key", "k"], "need each other"),
    (["--mqtt", "mqtt://b", "--mqtt-name", "a/b"], "neither spaces"), (["--mqtt", "mqtt://b", "--mqtt-ca", "x"], "mqtts://"),
])
def test_options_that_cannot_be_used_are_refused(options, words):
    result = run("serve", "--osc-port", "0", "--http-port", "0", *options, check=False)
    assert result.returncode != 0 and words in result.stdout + result.stderr
    assert "secret" not in result.stdout + result.stderr
