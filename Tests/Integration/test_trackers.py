"""Head trackers as their senders send, into the real program and out again."""

import json
import math
import socket
import struct
import threading

import pytest
from pythonosc.dispatcher import Dispatcher
from pythonosc.osc_bundle_builder import IMMEDIATELY, OscBundleBuilder
from pythonosc.osc_message_builder import OscMessageBuilder
from pythonosc.osc_server import BlockingOSCUDPServer
from pythonosc.udp_client import SimpleUDPClient, UDPClient

from program import Engine, run, until


def angles_are(engine, listener, expected, address="ypr"):
    values = engine.value(f"/listener/{listener}/{address}")
    return all(abs(a - b) < 0.01 for a, b in zip(values, expected))


def test_trackers_are_listed():
    text = run("trackers").stdout
    for name in ["iem", "sparta", "opentrack", "gyrosc", "vrchat"]:
        assert f"{name}: " in text
    assert "port 4242" in text
    assert json.loads(run("trackers", "iem").stdout)["forms"][0]["meaning"] == "scene"
    wrong = run("trackers", "sparte", check=False)
    assert wrong.returncode != 0 and "did you mean sparta?" in wrong.stderr


def test_several_trackers_turn_several_heads(scene, tmp_path):
    own = tmp_path / "mine.json"
    profile = json.loads(run("trackers", "adm-osc").stdout)
    profile["name"] = "mine"
    profile["forms"] = [{"addresses": ["/head"], "layout": ["roll", "pitch", "yaw"], "unit": "normalised"}]
    own.write_text(json.dumps(profile))
    with Engine(
        "--recording", scene, "--listeners", 4, "--tracker", "sparta:0@2", "--tracker", "opentrack:0@3",
        "--tracker", "iem:0", "--tracker", f"{own}:0@4",
    ) as engine:
        sparta, opentrack, iem, mine = engine.ready["tracker_ports"]
        SimpleUDPClient("127.0.0.1", sparta).send_message("/ypr", [30.0, -20.0, 10.0])
        until(lambda: angles_are(engine, 2, [30, 20, 10]))
        for axis, value in [("yaw", -40.0), ("pitch", -5), ("roll", 1.5)]:
            SimpleUDPClient("127.0.0.1", sparta).send_message("/" + axis, value)
        until(lambda: angles_are(engine, 2, [-40, 5, 1.5]))
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(struct.pack("<6d", 1, 2, 3, 45, 10, -5), ("127.0.0.1", opentrack))
        until(lambda: angles_are(engine, 3, [45, 10, -5]))
        bundle = OscBundleBuilder(IMMEDIATELY)
        message = OscMessageBuilder("/SceneRotator/quaternions")
        for number in [2, 0, 0, 2]:
            message.add_arg(number)
        bundle.add_content(message.build())
        UDPClient("127.0.0.1", iem).send(bundle.build())
        until(lambda: angles_are(engine, 1, [-90, 0, 0]))
        SimpleUDPClient("127.0.0.1", mine).send_message("/head", [0.5, 0.5, 0.75])
        until(lambda: angles_are(engine, 4, [90, 0, 0]))
        assert angles_are(engine, 2, [-40, 5, 1.5])
        assert engine.value("/engine/unknown") == 0
        until(lambda: "IEM SceneRotator on UDP port" in engine.log)


def test_the_osc_port_recognises_trackers(engine):
    client = engine.osc()
    for _ in range(3):
        client.send_message("/nxosc/xyz", [-20.0, 30.0, 0.0])
    until(lambda: angles_are(engine, 1, [30, 20, 0]))
    until(lambda: "NxOSC" in engine.log)
    assert engine.log.count("is taken as") == 1
    assert engine.value("/engine/unknown") == 0
    client.send_message("/nothing/at/all", 1.0)
    until(lambda: engine.value("/engine/unknown") == 1)


@pytest.mark.parametrize("option, words", [
    (["--tracker", "sparte:9010"], "did you mean sparta?"),
    (["--tracker", "unity"], "name one"),
    (["--tracker", "sparta:99999"], "is no port"),
    (["--tracker", "sparta:9010@2"], "is no listener"),
    (["--relay", "sparta:9010"], "PROFILE:HOST:PORT"),
    (["--relay", "sparta:127.0.0.1:0"], "is no port"),
])
def test_mistakes_are_named(option, words):
    result = run("serve", *option, check=False)
    assert result.returncode != 0 and words in result.stderr


def test_one_tracker_drives_other_programs(scene):
    received = []
    dispatcher = Dispatcher()
    dispatcher.set_default_handler(lambda address, *values: received.append((address, values)))
    with BlockingOSCUDPServer(("127.0.0.1", 0), dispatcher) as server:
        port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with Engine(
            "--recording", scene, "--listeners", 2, "--tracker", "mach1:0@2", "--relay", f"iem:127.0.0.1:{port}@2",
            "--relay", f"berta:localhost:{port}@2",
        ) as engine:
            tracker = SimpleUDPClient("127.0.0.1", engine.ready["tracker_ports"][0])

            def came(address, expected):
                return any(
                    a == address and all(abs(x - y) < 0.01 for x, y in zip(v[-3:], expected)) for a, v in received)

            tracker.send_message("/orientation", [-30.0, 0.0, 0.0])
            until(lambda: came("/SceneRotator/ypr", [-30, 0, 0]))
            until(lambda: came("/listener/orientation", [-math.radians(30), 0, 0]))
            # From a browser or another program through the hub, too.
            engine.osc().send_message("/listener/[2]/ypr", [0.0, 25.0, 0.0])
            until(lambda: came("/SceneRotator/ypr", [0, 25, 0]))
            count = len(received)
            until(lambda: angles_are(engine, 2, [0, 25, 0]))
            assert len(received) - count <= 2  # Nothing moves, nothing is sent.
            # What was recentred goes out as straight ahead.
            tracker.send_message("/orientation", [-50.0, 0.0, 0.0])
            until(lambda: came("/SceneRotator/ypr", [-50, 0, 0]))
            received.clear()
            engine.osc().send_message("/listener/2/front", 50.0)
            until(lambda: came("/SceneRotator/ypr", [0, 0, 0]))
        server.shutdown()
