"""Head trackers in their senders' formats, received and relayed."""

import contextlib
import json
import math
import socket
import struct
import threading

import pytest
from adm_osc import OscClientServer as ADMClient
from pythonosc.dispatcher import Dispatcher
from pythonosc.osc_bundle_builder import IMMEDIATELY, OscBundleBuilder
from pythonosc.osc_message_builder import OscMessageBuilder
from pythonosc.osc_server import BlockingOSCUDPServer
from pythonosc.udp_client import SimpleUDPClient, UDPClient

from figures import figure, measured
from mqtt_broker import free_port
from program import Engine, run
from waiting import stimulus, until


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
    # The session is loaded by another engine, for which these ports are still free.
    with Engine(
        "--recording", scene, "--listeners", 4, "--tracker", f"sparta:{free_port()}@2", "--tracker", f"opentrack:{free_port()}@3",
        "--tracker", f"iem:{free_port()}", "--tracker", f"{own}:{free_port()}@4", "--sessions", tmp_path,
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
        # A session keeps the trackers and their settings.
        engine.osc().send_message("/tracker/1/invert-yaw", True)
        until(lambda: engine.value("/tracker/1/invert-yaw") is True)
        session = tmp_path / "heads.json"
        engine.osc().send_message("/session/save-as", "heads")
        until(session.exists)
    with Engine(session, "--listeners", 4) as engine:
        assert engine.value("/tracker/4/source") == f"{own}:{mine}"
        SimpleUDPClient("127.0.0.1", mine).send_message("/head", [0.5, 0.5, 0.25])
        until(lambda: angles_are(engine, 4, [-90, 0, 0]))
        SimpleUDPClient("127.0.0.1", sparta).send_message("/ypr", [30.0, -20.0, 10.0])
        until(lambda: angles_are(engine, 2, [-30, 20, 10]))


@pytest.fixture(scope="module")
def every_profile(scene):
    """An engine with all OSC profiles, and the port and listener of each."""
    names = [line.split(":")[0] for line in run("trackers").stdout.splitlines() if not line.startswith(" ")]
    profiles = [json.loads(run("trackers", name).stdout) for name in names]
    osc = [p["name"] for p in profiles if "transport" not in p and all("datagram" not in form for form in p["forms"])]
    options = [f for i, name in enumerate(osc) for f in ("--tracker", f"{name}:0@{i + 1}")]
    with Engine("--recording", scene, "--listeners", len(osc), *options) as engine:
        yield engine, {name: (port, i + 1) for i, (name, port) in enumerate(zip(osc, engine.ready["tracker_ports"]))}


S = math.sqrt(0.5)


@pytest.mark.parametrize("name, messages, expected", [
    ("adm-osc", [("/adm/lis/ypr", [30, 20, 10])], [30, 20, 10]),
    ("adm-osc", [("/adm/lis/yaw", [-30]), ("/adm/lis/pitch", [5]), ("/adm/lis/roll", [1])], [-30, 5, 1]),
    ("iem", [("/SceneRotator/ypr", [30, 0, 0])], [-30, 0, 0]),
    ("iem", [("/SceneRotator/quaternions", [S, 0, 0, S])], [-90, 0, 0]),
    ("iem", [("SceneRotator/pitch", [20]), ("SceneRotator/yaw", [0]), ("SceneRotator/roll", [0])], [0, 20, 0]),
    ("sparta", [("/ypr", [30, -20, 10])], [30, 20, 10]),
    ("sparta", [("/yaw", [1]), ("/pitch", [2]), ("/roll", [3])], [1, -2, 3]),
    ("sparta", [("/quaternion", [S, 0, 0, -S])], [90, 0, 0]),
    ("sparta", [("/xyzypr", [0, 0, 0, 30, -20, 10])], [30, 20, 10]),
    ("ambix", [("/rotation", [-20, 30, -10])], [30, 20, 10]),
    ("mach1", [("/orientation", [-30, 20, 10])], [30, 20, 10]),
    ("berta", [("/listener/orientation", ["me", -0.5, 0.25, 0.125])], [math.degrees(a) for a in (0.5, 0.25, 0.125)]),
    ("3dti", [("/3DTI-OSC/receiver/pry", [0.25, 0.125, -0.5])], [math.degrees(a) for a in (0.5, 0.25, 0.125)]),
    ("unity", [("/quaternions", [S, 0, S, 0])], [-90, 0, 0]),
    ("vrchat", [("/tracking/trackers/head/rotation", [-20, -30, -10])], [30, 20, 10]),
    ("nvsonic", [("/bridge/quat", [S, 0, 0, S])], [-90, 0, 0]),
    ("opentrack-osc", [("/bridge/quat", [S, 0, S, 0])], [90, 0, 0]),
    ("bridgehead", [("/ypr", [30, 20, 10])], [30, 20, 10]),
    ("nxosc", [("/nxosc/xyz", [-20, 30, -10])], [30, 20, 10]),
    ("hedrot", [("/hedrot/yaw", [30]), ("/hedrot/pitch", [20]), ("/hedrot/roll", [10])], [30, 20, 10]),
    ("headitude", [("/SceneRotator/ypr", [30, -20, 10])], [30, 20, 10]),
    ("gyrosc", [("/gyrosc/gyro", [0.25, 0.125, 0.5])], [math.degrees(a) for a in (0.5, 0.25, 0.125)]),
    ("zigsim", [("/ZIGSIM/6f2a-01/quaternion", [0, 0, S, S])], [90, 0, 0]),
    ("sensors2osc", [("/gamerotationvector", [0, 0, S, S])], [90, 0, 0]),
    # A message without yaw leaves yaw unchanged.
    ("touchosc", [("/accxyz", [0.0, -0.5, -math.sqrt(0.75)])], [77, 30, 0]),
])
@pytest.mark.parametrize("bundled", [False, True])
def test_every_sender_turns_its_head(every_profile, name, messages, expected, bundled):
    engine, places = every_profile
    port, listener = places[name]
    client = UDPClient("127.0.0.1", port)
    # Another source moves first, so that the tracker is the most recently moved one.
    engine.osc().send_message(f"/listener/{listener}/ypr", [70.0, 7.0, 7.0])
    engine.osc().send_message(f"/listener/{listener}/ypr", [77.0, 7.0, 7.0])
    until(lambda: angles_are(engine, listener, [77, 7, 7]))
    elsewhere = OscMessageBuilder(messages[0][0])
    for value in messages[0][1]:
        elsewhere.add_arg(value if isinstance(value, str) else 0.3)
    client.send(elsewhere.build())
    built = []
    for address, values in messages:
        message = OscMessageBuilder(address)
        for value in values:
            message.add_arg(value if isinstance(value, str) else float(value))
        built.append(message.build())
    if bundled:
        bundle = OscBundleBuilder(IMMEDIATELY)
        for message in built:
            bundle.add_content(message)
        client.send(bundle.build())
    else:
        for message in built:
            client.send(message)
    until(lambda: angles_are(engine, listener, expected),
          describe=lambda: f"{engine.value(f'/listener/{listener}/ypr')} {engine.log}")


def test_the_adm_osc_reference_client_turns_the_head(every_profile):
    engine, places = every_profile
    port, listener = places["adm-osc"]
    client = ADMClient("127.0.0.1", port, 0)
    try:
        client.send_listener_orientation([-45.0, 12.0, -3.0])
        until(lambda: angles_are(engine, listener, [-45, 12, -3]))
        client.send_listener_position_yaw(50.0)
        client.send_listener_position_pitch(-6.0)
        client.send_listener_position_roll(8.0)
        until(lambda: angles_are(engine, listener, [50, -6, 8]))
        # Positions are ignored.
        client.send_listener_cartesian_position([0.5, 0.5, 0.0])
        until(lambda: "/adm/lis/xyz is not an orientation" in engine.log)
        assert angles_are(engine, listener, [50, -6, 8])
    finally:
        client.server.shutdown()
        client.server.server_close()


def test_the_osc_port_recognises_trackers(engine):
    client = engine.osc()
    for _ in range(3):
        client.send_message("/nxosc/xyz", [-20.0, 30.0, 0.0])
    until(lambda: angles_are(engine, 1, [30, 20, 0]))
    until(lambda: "NxOSC" in engine.log)
    assert engine.log.count("is interpreted as") == 1
    assert engine.value("/engine/unknown") == 0
    client.send_message("/nothing/at/all", 1.0)
    until(lambda: engine.value("/engine/unknown") == 1)


@pytest.mark.parametrize("option, words", [
    (["--tracker", "sparte:9010"], "did you mean sparta?"),
    (["--tracker", "unity"], "specify one"),
    (["--tracker", "sparta:99999"], "is not a port"),
    (["--tracker", "sparta:9010@2"], "is not a listener"),
    (["--relay", "sparta:9010"], "PROFILE:HOST:PORT"),
    (["--relay", "sparta:127.0.0.1:0"], "is not a port"),
])
def test_wrong_options_are_reported(option, words):
    result = run("serve", *option, check=False)
    assert result.returncode != 0 and words in result.stderr


@contextlib.contextmanager
def receiver(received, port=0):
    """A server of OSC that keeps addresses and values of what it receives."""
    dispatcher = Dispatcher()
    dispatcher.set_default_handler(lambda address, *values: received.append((address, values)))
    with BlockingOSCUDPServer(("127.0.0.1", port), dispatcher) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def came(received, address, expected):
    return any(a == address and all(abs(x - y) < 0.01 for x, y in zip(v[-3:], expected)) for a, v in list(received))


def test_poses_are_relayed_to_other_programs(scene):
    received = []
    with receiver(received) as port, Engine(
        "--recording", scene, "--listeners", 2, "--tracker", "mach1:0@2", "--relay", f"iem:127.0.0.1:{port}@2",
        "--relay", f"berta:localhost:{port}@2",
    ) as engine:
        tracker = SimpleUDPClient("127.0.0.1", engine.ready["tracker_ports"][0])
        tracker.send_message("/orientation", [-30.0, 0.0, 0.0])
        until(lambda: came(received, "/SceneRotator/ypr", [-30, 0, 0]))
        until(lambda: came(received, "/listener/orientation", [-math.radians(30), 0, 0]))
        # Poses from other clients are relayed as well.
        engine.osc().send_message("/listener/[2]/ypr", [0.0, 25.0, 0.0])
        until(lambda: came(received, "/SceneRotator/ypr", [0, 25, 0]))
        until(lambda: angles_are(engine, 2, [0, 25, 0]))
        # A recentred pose is sent as straight ahead.
        tracker.send_message("/orientation", [-50.0, 0.0, 0.0])
        until(lambda: came(received, "/SceneRotator/ypr", [-50, 0, 0]))
        received.clear()
        engine.osc().send_message("/listener/2/front", 50.0)
        until(lambda: came(received, "/SceneRotator/ypr", [0, 0, 0]))


@measured
def test_an_unchanged_pose_is_repeated_once_a_second_only(scene):
    received = []
    with receiver(received) as port, Engine("--recording", scene, "--relay", f"iem:127.0.0.1:{port}") as engine:
        engine.osc().send_message("/listener/1/ypr", [0.0, 25.0, 0.0])
        until(lambda: came(received, "/SceneRotator/ypr", [0, 25, 0]))
        before = len(received)
        stimulus(3)
        figure("repetitions of an unchanged pose in three seconds", len(received) - before, at_most=4)


def test_a_receiver_that_starts_later_is_sent_the_pose(scene):
    received = []
    with contextlib.ExitStack() as stack:
        port = free_port()
        engine = stack.enter_context(Engine("--recording", scene, "--relay", f"sparta:127.0.0.1:{port}"))
        engine.osc().send_message("/listener/1/ypr", [40.0, 0.0, 0.0])
        until(lambda: angles_are(engine, 1, [40, 0, 0]))
        stack.enter_context(receiver(received, port))
        until(lambda: any(abs(abs(values[0]) - 40) < 0.01 for _, values in list(received)), lambda: received)
