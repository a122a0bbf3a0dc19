"""ADM-OSC for objects, with its reference client and python-osc."""

import contextlib
import math
import time

import pytest
from adm_osc import OscClientServer as ADMClient
from pythonosc.osc_bundle import OscBundle
from pythonosc.osc_bundle_builder import OscBundleBuilder
from pythonosc.osc_message import OscMessage
from pythonosc.osc_message_builder import OscMessageBuilder
from pythonosc.udp_client import UDPClient

from program import Engine
from waiting import LIMIT, until

FIRST, SECOND, THIRD, FOURTH = ([f"/object/{number}/{name}" for name in ("azimuth", "elevation", "distance")]
                                for number in range(1, 5))


@pytest.fixture
def objects(scene):
    with Engine("--recording", scene, "--objects", "4") as engine:
        yield engine


class Asker(UDPClient):
    """A client that sends and receives on the same port."""

    def __init__(self, engine):
        super().__init__("127.0.0.1", engine.ready["osc_port"])

    def say(self, address, *arguments):
        self.send(message(address, *arguments))

    def hear(self, seconds=LIMIT):
        """Returns the next message; None after so many seconds without one, few for what must not come."""
        self._sock.settimeout(seconds)
        try:
            data = self._sock.recv(65536)
        except TimeoutError:
            return None
        packet = OscBundle(data).content(0) if OscBundle.dgram_is_bundle(data) else OscMessage(data)
        return packet.address, packet.params

    def ask(self, address, seconds=LIMIT):
        self.say(address)
        return self.hear(seconds)


def message(address, *arguments):
    builder = OscMessageBuilder(address)
    for argument in arguments:
        builder.add_arg(argument)
    return builder.build()


def place(engine, addresses):
    return [engine.value(address) for address in addresses]


def near(found, expected, tolerance=1e-3):
    return len(found) == len(expected) and all(abs(a - b) <= tolerance for a, b in zip(found, expected))


def stands(engine, addresses, expected):
    until(lambda: near(place(engine, addresses), expected), describe=lambda: f"{place(engine, addresses)} {engine.log}")


@contextlib.contextmanager
def adm_client(engine):
    client = ADMClient("127.0.0.1", engine.ready["osc_port"], 0)
    yield client
    client.server.shutdown()
    client.server.server_close()


def test_the_reference_client_moves_objects(objects):
    objects.osc().send_message("/object/unit-distance", 10.0)
    with adm_client(objects) as client:
        client.send_object_position_azimuth(object_number=1, v=-30.0)
        client.send_object_position_elevation(object_number=1, v=12.0)
        client.send_object_position_distance(object_number=1, v=0.4)
        stands(objects, FIRST, [-30, 12, 4])
        client.send_object_polar_position(object_number=2, pos=[135.0, -20.0, 1.0])
        stands(objects, SECOND, [135, -20, 10])
        client.send_object_cartesian_position(object_number=3, pos=[0.5, 0.5, 0.0])
        stands(objects, THIRD, [-45, 0, 7.0711])
        for axis, value in (("x", -0.3), ("y", 0.0), ("z", 0.0)):
            getattr(client, f"send_object_position_{axis}")(object_number=4, v=value)
        stands(objects, FOURTH, [90, 0, 3])
        client.send_object_gain(object_number=1, v=0.5)
        client.send_object_mute(object_number=2, v=1)
        until(lambda: abs(objects.value("/object/1/gain") - 20 * math.log10(0.5)) < 1e-3)
        until(lambda: objects.value("/object/2/mute") is True)
    assert "no parameter" not in objects.log and "is outside" not in objects.log


def test_queries_are_answered_to_their_sender(objects):
    asker, other = Asker(objects), Asker(objects)
    asker.say("/object/unit-distance", 4.0)
    asker.say("/object/2/azimuth", 90.0)
    asker.say("/object/2/distance", 2.0)
    asker.say("/object/2/name", "Kick")
    address, numbers = asker.ask("/adm/obj/2/xyz")
    assert address == "/adm/obj/2/xyz" and near(numbers, [-0.5, 0, 0], 1e-6)
    assert near(asker.ask("/adm/obj/2/aed")[1], [90, 0, 0.5])
    assert asker.ask("/adm/obj/2/gain") == ("/adm/obj/2/gain", [1.0])
    assert asker.ask("/adm/obj/2/mute") == ("/adm/obj/2/mute", [0])
    assert asker.ask("/adm/obj/2/name") == ("/adm/obj/2/name", ["Kick"])
    assert asker.ask("/adm/obj/2/dMax") == ("/adm/obj/2/dMax", [4.0])
    assert asker.ask("/adm/lis/ypr")[1] == [0.0, 0.0, 0.0]
    asker.say("/adm/obj/*/azim")
    assert [asker.hear()[0] for _ in range(4)] == [f"/adm/obj/{number}/azim" for number in range(1, 5)]
    assert other.hear(0.1) is None


def test_patterns_set_objects_and_are_undone_in_one_step(objects):
    asker = Asker(objects)
    gains = [f"/object/{number}/gain" for number in range(1, 5)]
    asker.say("/adm/obj/*/gain", 0.0)
    until(lambda: place(objects, gains) == [-60] * 4)
    asker.say("/session/undo")
    until(lambda: place(objects, gains) == [0] * 4)
    asker.say("/adm/obj/[1-2]/aed", 10.0, 20.0, 1.0)
    asker.say("/adm/obj/{3,4}/elev", -10.0)
    stands(objects, [FIRST[1], SECOND[1], THIRD[1], FOURTH[1]], [20, 20, -10, -10])


def test_bundles_are_one_undo_step_and_wait_for_their_time(objects):
    asker, due = Asker(objects), time.time() + 1
    builder = OscBundleBuilder(due)
    builder.add_content(message("/adm/obj/1/x", -0.5))
    builder.add_content(message("/adm/obj/1/y", 0.0))
    builder.add_content(message("/adm/obj/2/azim", 60.0))
    asker.send(builder.build())
    until(lambda: place(objects, FIRST) != [0, 0, 1])
    assert time.time() >= due, "not before its time"
    stands(objects, FIRST, [90, 0, 0.5])
    stands(objects, SECOND, [60, 0, 1])
    asker.say("/session/undo")
    stands(objects, FIRST, [0, 0, 1])
    stands(objects, SECOND, [0, 0, 1])


def test_a_subscription_pushes_changes_of_other_clients(objects):
    mine, other = Asker(objects), Asker(objects)
    mine.say("/subscribe", "/adm/obj/1/xyz", 60)
    assert mine.hear()[0] == "/subscribed"
    assert near(mine.hear()[1], [0, 1, 0])
    other.say("/adm/obj/1/aed", -90.0, 0.0, 0.5)
    assert near(mine.hear()[1], [0.5, 0, 0])
    mine.say("/adm/obj/1/xyz", 0.0, 0.25, 0.0)
    assert mine.hear(0.2) is None
    stands(objects, FIRST, [0, 0, 0.25])


def test_invalid_messages_are_reported_and_change_nothing(objects):
    asker = Asker(objects)
    for wrong in [("/adm/obj/5/azim", 10.0), ("/adm/obj/0/azim", 10.0), ("/adm/obj/1/w", 0.5), ("/adm/obj/1/xyz", 1.0, 1.0),
                  ("/adm/obj/1/azim", float("nan")), ("/adm/obj/1/dist", "near"), ("/adm/obj/1/azim", 1000.0), ("/adm/obj/1/dist", 1000.0)]:
        asker.say(*wrong)
    assert asker.ask("/adm/obj/9/xyz", 0.2) is None
    # 1000 degrees are -80 degrees after three turns.
    stands(objects, FIRST, [-80, 0, 1])
    for words in ["no parameter at /adm/obj/5/azim", "no parameter at /adm/obj/1/w", "/adm/obj/1/xyz takes 3 values, not 2",
                  "/adm/obj/1/azim takes finite numbers", "/adm/obj/1/dist takes numbers", "1000 is outside 0 to 1"]:
        until(lambda: words in objects.log, lambda: objects.log)
    until(lambda: objects.value("/engine/unknown") >= 4)
