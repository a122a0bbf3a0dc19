"""MQTT brokers that are lost, absent, silent, flooded or hostile, and engines that have gone."""

import signal
import socket
import time

import pytest

from figures import figure, measured
from health import becomes_well
from mqtt_broker import Client, free_port
from mqtt_hall import SET, STATE, engine_at
from seeds import generator
from waiting import LIMIT, paced, until


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_broker_tells_that_an_engine_has_gone(broker, client, scene, number):
    with engine_at(broker.port, scene) as engine:
        until(lambda: client.value("vestibule/hall/online") is True)
        engine.stop(number)
        until(lambda: client.value("vestibule/hall/online") is False)


def test_states_of_an_earlier_run_are_removed(broker, client, scene):
    client.publish(f"{STATE}/listener/9/gain", -1, retain=True)
    until(lambda: client.all(f"{STATE}/listener/9/gain"))
    with engine_at(broker.port, scene, "--listeners", 2) as engine:
        until(lambda: client.value(f"{STATE}/listener/2/gain") == 0)
        until(lambda: client.all(f"{STATE}/listener/9/gain")[-1][0] == b"")
        engine.stop(signal.SIGKILL)
    assert client.all(f"{STATE}/listener/2/gain")[-1][0] != b""
    with engine_at(broker.port, scene):
        until(lambda: client.value("vestibule/hall/online") is True)
        until(lambda: client.all(f"{STATE}/listener/2/gain")[-1][0] == b"")
        until(lambda: client.value(f"{STATE}/listener/1/gain") == 0)


def test_commands_that_were_confirmed_act_although_the_broker_is_gone(broker, hall, client):
    for step in range(200):
        client.publish(f"{SET}/listener/1/gain", -step / 10)
    until(lambda: hall.value("/mqtt/received") > 0)
    broker.stop(signal.SIGKILL)
    until(lambda: hall.value("/mqtt/losses") == 1)
    # What had come before the loss is applied in the order of its arrival.
    until(lambda: hall.value("/listener/1/gain") == pytest.approx(-(hall.value("/mqtt/received") - 1) / 10, abs=1e-4))


def test_a_lost_broker_is_found_again(broker, hall, scene):
    until(lambda: hall.value("/mqtt/published") > 100)
    blocks = hall.metric("vestibule_blocks_total")
    broker.stop(signal.SIGKILL)
    until(lambda: hall.value("/mqtt/state") in ("waiting", "connecting") and hall.value("/mqtt/losses") == 1)
    until(lambda: "lost" in (problem := hall.value("/mqtt/problem")) or "refused" in problem)
    hall.osc().send_message("/listener/1/gain", -7.0)
    until(lambda: hall.value("/listener/1/gain") == -7)
    broker.start()
    with Client(broker.port, "vestibule/hall/#") as client:
        # The new broker has forgotten everything.
        until(lambda: client.value(f"{STATE}/listener/1/gain") == -7)
        until(lambda: client.value("vestibule/hall/online") is True)
    until(lambda: hall.value("/mqtt/problem") == "")
    until(lambda: hall.metric("vestibule_blocks_total") > blocks)


def test_an_absent_broker_changes_nothing_else(scene):
    port = free_port()
    with engine_at(port, scene) as engine:
        until(lambda: engine.value("/mqtt/state") == "waiting")
        until(lambda: "Connection refused" in engine.value("/mqtt/problem"))
        # Told once, however often it is tried.
        with socket.create_server(("127.0.0.1", port)) as other:
            for _ in range(2):
                other.accept()[0].close()
        until(lambda: "cannot be reached" in engine.log, lambda: engine.log)
        assert engine.log.count("cannot be reached") == 1
        assert engine.stop() == 0


def test_a_broker_that_never_answers_is_reported(scene):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        with engine_at(silent.getsockname()[1], scene) as engine:
            until(lambda: engine.value("/mqtt/state") == "connecting")
            until(lambda: "does not answer" in engine.value("/mqtt/problem"))
            assert engine.stop() == 0


@measured
@pytest.mark.parametrize("is_there", [False, True])
def test_no_broker_holds_up_the_end(scene, is_there):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        with engine_at(silent.getsockname()[1] if is_there else free_port(), scene) as engine:
            until(lambda: engine.value("/mqtt/problem"))
            begin = time.monotonic()
            engine.stop()
            figure("end of the program", time.monotonic() - begin, at_most=3, unit="s")


def test_a_hanging_broker_holds_nothing_up(broker, hall):
    until(lambda: hall.value("/mqtt/published") > 100)
    broker.process.send_signal(signal.SIGSTOP)
    sender = hall.osc()
    for step in paced(range(2000), 0.001):
        sender.send_message("/listener/1/gain", -step / 100)

    def last_one_arrives():
        # Messages that found no room in the engine's socket are lost.
        sender.send_message("/listener/1/gain", -19.99)
        return abs(hall.value("/listener/1/gain") + 19.99) < 1e-4

    until(last_one_arrives)
    broker.process.send_signal(signal.SIGCONT)
    with Client(broker.port, f"{STATE}/#") as client:
        until(lambda: abs((client.value(f"{STATE}/listener/1/gain") or 0) + 19.99) < 1e-4)


def test_a_flood_of_commands_is_dropped_and_counted(hall, client):
    begin = time.monotonic()

    def is_dropped():
        for _ in range(5000):
            client.client.publish(f"{SET}/listener/1/gain", "-1", qos=0)
        return hall.value("/mqtt/dropped") > 0

    until(is_dropped)
    until(lambda: hall.value("/mqtt/received") > 0 and "come faster" in hall.log)
    # It is told once a second, and twice at first.
    assert hall.log.count("come faster") <= 2 + time.monotonic() - begin

    # Commands act again as soon as there are fewer.
    def acts_again():
        client.publish(f"{SET}/listener/1/gain", -2)
        return hall.value("/listener/1/gain") == -2

    until(acts_again)


def test_two_engines_of_one_name_are_told(broker, hall, scene):
    with engine_at(broker.port, scene) as other:
        until(lambda: "--mqtt-name" in hall.value("/mqtt/problem") + other.value("/mqtt/problem"))


def test_a_hostile_broker_does_no_harm(scene):
    """Random packets after a proper beginning. The engine plays on, and says what is wrong."""
    random = generator(31)
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(LIMIT)
    with server, engine_at(server.getsockname()[1], scene, "--mqtt-homie") as engine:
        for number in range(6):
            client, _ = server.accept()
            with client:
                client.settimeout(LIMIT)
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
        becomes_well(engine)
