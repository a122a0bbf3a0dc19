"""vestibule.telemetry.v1 with a real client; messages are checked against the schema."""

import asyncio
import json
import struct

import jsonschema
import pytest
import referencing
import websockets
from pythonosc.udp_client import SimpleUDPClient

from figures import figure, measured
from program import ROOT, Engine
from waiting import LIMIT, until

PROTOCOL = ROOT / "protocol"


def contents(name):
    return json.loads((PROTOCOL / "schemas" / name).read_text())


TOPICS = set(contents("telemetry.json")["$defs"]["topic"]["enum"])


def schema(name):
    """A validator whose references to other schemas are found beside it."""
    registry = referencing.Registry(retrieve=lambda other: referencing.Resource.from_contents(contents(other)))
    return jsonschema.Draft202012Validator(contents(name), registry=registry)


def converse(engine, body):
    async def main():
        async with websockets.connect(engine.socket_url + "/", subprotocols=["vestibule.telemetry.v1"]) as connection:
            assert connection.subprotocol == "vestibule.telemetry.v1"
            hello = json.loads(await connection.recv())
            assert hello["type"] == "hello"
            return await body(connection)

    return asyncio.run(main())


async def subscribe(connection, **request):
    await connection.send(json.dumps({"type": "subscribe", **request}))
    answer = json.loads(await connection.recv())
    while answer["type"] != "subscribed":
        answer = json.loads(await connection.recv())
    return answer


async def frames(connection, enough):
    """Receives until `enough` is true of all frames received so far, and returns them."""
    found = []
    try:
        async with asyncio.timeout(LIMIT):
            while not enough(found):
                found.append(await connection.recv())
    except TimeoutError:
        raise AssertionError(f"not within {LIMIT} s; {len(found)} frames were received, the last: {found[-1:]}") from None
    return found


def count(number):
    return lambda found: len(found) >= number


async def binary_frames(connection, number, **request):
    """The first binary frames of a subscription."""
    await subscribe(connection, format="binary", **request)
    received = await frames(connection, lambda found: sum(isinstance(frame, bytes) for frame in found) >= number)
    return [frame for frame in received if isinstance(frame, bytes)]


def test_every_message_matches_the_schema(engine):
    engine.osc().send_message("/listener/1/ypr", [30.0, 0.0, 0.0])

    async def body(connection):
        await connection.send(json.dumps({"type": "subscribe", "rate": 50}))
        await connection.send("nonsense")
        return await frames(connection, lambda found: TOPICS <= {json.loads(text).get("topic") for text in found})

    validator, topics = schema("telemetry.json"), set()
    for text in converse(engine, body):
        message = json.loads(text)
        validator.validate(message)
        topics.add(message.get("topic"))
    assert topics >= TOPICS
    requests, answers = schema("telemetry-request.json"), 0
    for step in json.loads((PROTOCOL / "conversations/telemetry.json").read_text()):
        if "receive" in step:
            validator.validate(json.loads(step["receive"]))
            answers += 1
        elif step["send"] != "render" and "weather" not in step["send"] and "500" not in step["send"]:
            requests.validate(json.loads(step["send"]))
    assert answers > 5


def meters(engine, rate, number):
    """Binary frames of the topic."""
    return converse(engine, lambda connection: binary_frames(connection, number, topics=["meters"], rate=rate))


def peak(frame):
    """The louder ear of the first listener."""
    return max(struct.unpack_from("<2f", frame, 20 + 8 * struct.unpack_from("<H", frame, 16)[0]))


def test_binary_meters_have_their_format(engine):
    until(lambda: max(engine.value("/meter/listener/1/peak")) > 0)
    numbers, received = [], meters(engine, 25, 25)
    for frame in received:
        version, topic, _, sequence, _ = struct.unpack_from("<BBHIQ", frame)
        microphones, listeners = struct.unpack_from("<HH", frame, 16)
        assert (version, topic, microphones, listeners) == (1, 1, 16, 1)
        assert len(frame) == 20 + (8 * microphones) + (16 + 12) * listeners
        numbers.append(sequence)
    assert all(b > a for a, b in zip(numbers, numbers[1:]))
    assert any(peak(frame) > 0 for frame in received)


@measured
def test_meters_arrive_at_the_requested_rate(engine):
    """By the times in the frames (ns): at most the requested rate, at least two thirds of it."""
    received = meters(engine, 25, 75)
    assert all(peak(frame) > 0 for frame in received)
    first, last = (struct.unpack_from("<Q", frame, 8)[0] for frame in (received[0], received[-1]))
    rate = (len(received) - 1) / (last - first) * 1e9
    figure("meters, requested 25 frames/s, most", rate, at_most=25.5, unit="1/s")
    figure("meters, requested 25 frames/s, least", rate, at_least=16, unit="1/s")


@pytest.fixture
def compressing(engine):
    """An engine whose first listener's sound is compressed strongly."""
    client = engine.osc()
    client.send_message("/rack/listener/1/add", "compressor")
    client.send_message("/rack/listener/1/slot/1/compressor/threshold", -50.0)
    client.send_message("/rack/listener/1/slot/1/compressor/ratio", 10.0)
    until(lambda: engine.value("/rack/listener/1/slot/1/compressor/ratio") == 10)
    return engine


def is_loud(slots):
    return bool(slots) and slots[0]["reduction"] > 6 and slots[0]["level"] > 0.001


def test_effects_are_metered(compressing):
    def slots(frame):
        return json.loads(frame)["data"]["slots"]

    def ends(frame):
        """Rack, slot, level and reduction of each entry behind the microphones and listeners."""
        microphones, listeners = struct.unpack_from("<HH", frame, 16)
        return list(struct.iter_unpack("<HHff", frame[20 + 8 * microphones + 16 * listeners:]))

    def are_binary_and_loud(found):
        entries = [ends(frame) for frame in found if isinstance(frame, bytes)]
        return any(len(each) == 2 and each[1][2] > 0.001 and each[1][3] > 6 for each in entries)

    async def body(connection):
        await subscribe(connection, topics=["meters"], rate=60)
        text = await frames(connection, lambda found: sum(is_loud(slots(frame)) for frame in found) >= 20)
        await subscribe(connection, topics=["meters"], rate=60, format="binary")
        binary = await frames(connection, are_binary_and_loud)
        return [slots(frame) for frame in text], [frame for frame in binary if isinstance(frame, bytes)]

    text, binary = converse(compressing, body)
    assert {(slot["rack"], slot["slot"]) for each in text for slot in each} == {("listener/1", 1)}
    assert [entry[:2] for entry in ends(binary[-1])] == [(2, 0), (2, 1)]


@measured
def test_effects_are_metered_without_gaps(compressing):
    """Regardless of how often parameters are published."""
    async def body(connection):
        await subscribe(connection, topics=["meters"], rate=60)
        return [json.loads(frame)["data"]["slots"] for frame in await frames(connection, count(100))]

    text = converse(compressing, body)
    figure("frames with the reduction of a compressor", sum(map(is_loud, text)) / len(text), at_least=0.5)


def test_levels_are_those_after_the_limiter(engine):
    """JSON, binary and the parameters agree on the level and on the limiter's part."""
    client = engine.osc()
    client.send_message("/protection/ceiling", -24.0)
    limit = 10 ** (-24 / 20) * 1.001
    most = {"json": 0, "binary": 0, "parameter": 0}

    async def body(connection):
        await subscribe(connection, topics=["meters"], rate=30)
        text = [json.loads(frame)["data"]["listeners"][0] for frame in await frames(connection, count(30))]
        return text, await binary_frames(connection, 15, topics=["meters"], rate=30)

    def agree():
        """Whether they do, of all that has been read: the reductions of the whole recording, of which each reads other moments."""
        text, binary = converse(engine, body)
        assert all(max(ears["peak"]) < limit for ears in text)
        microphones, listeners = struct.unpack_from("<HH", binary[0], 16)
        ends = [struct.unpack_from("<HHff", frame, 20 + 8 * microphones + 16 * listeners) for frame in binary]
        assert all(end[:2] == (2, 0) and end[2] < limit for end in ends)
        for name, values in (
            ("json", [ears["reduction"] for ears in text]), ("binary", [end[3] for end in ends]),
            ("parameter", [engine.value("/meter/listener/1/reduction")])
        ):
            most[name] = max(most[name], *values)
        heard = max(max(ears["peak"]) for ears in text) > 0 and max(end[2] for end in ends) > 0
        return heard and most["json"] > 3 and abs(most["json"] - most["binary"]) < 3 and (
            0 < most["parameter"] < max(most["json"], most["binary"]) + 3)

    # The ceiling is smoothed for about 0.2 s.
    begin = engine.value("/transport/position")
    until(lambda: abs(engine.value("/transport/position") - begin) > 0.4)
    until(lambda: 0 < max(engine.value("/meter/listener/1/peak")) < 0.065)
    until(agree, lambda: most)


def test_log_lines_are_sent(engine):
    async def body(connection):
        await subscribe(connection, topics=["log"])
        engine.osc().send_message("/listener/1/gian", 1.0)
        def is_told(found):
            lines = json.loads(found[-1]).get("data", []) if found else []
            return any("did you mean /listener/1/gain?" in line["text"] for line in lines)

        await frames(connection, is_told)

    converse(engine, body)


def test_trackers_are_reported(scene):
    with Engine("--recording", scene, "--tracker", "mach1:0", "--tracker", "adm-osc:0") as engine:
        tracker = SimpleUDPClient("127.0.0.1", engine.ready["tracker_ports"][0])
        # A stream of poses that ends does not turn the head back meanwhile.
        engine.osc().send_message("/tracker/1/timeout", 0.0)
        until(lambda: engine.value("/tracker/1/timeout") == 0)

        async def body(connection):
            await subscribe(connection, topics=["trackers"], rate=30)
            validator = schema("telemetry.json")

            def is_live(found):
                """Whether the last message shows the pose; a tracker is live for as long as poses come."""
                tracker.send_message("/orientation", [-30.0, 20.0, 10.0])
                if not found:
                    return False
                validator.validate(message := json.loads(found[-1]))
                return message["data"][0]["in_charge"] and message["data"][0]["state"] == "live"

            first, second = json.loads((await frames(connection, is_live))[-1])["data"]
            assert first["source"] == f"mach1:{engine.ready['tracker_ports'][0]}"
            assert [first[axis] for axis in ("yaw", "pitch", "roll")] == pytest.approx([30, 20, 10], abs=0.1)
            assert second["state"] == "waiting" and not second["in_charge"]
            await connection.send(json.dumps({"type": "subscribe", "topics": ["trackers"], "format": "binary"}))
            frame = (await frames(connection, lambda found: found and isinstance(found[-1], bytes)))[-1]
            assert frame[:2] == bytes([1, 6])
            assert struct.unpack_from("<I", frame, 16) == (2,)
            number, listener, state, in_charge, _, _, *pose, correction = struct.unpack_from("<4H6f", frame, 20)
            assert (number, listener, in_charge, correction) == (1, 1, 1, 0) and state in (2, 3)
            assert pose == pytest.approx([30, 20, 10], abs=0.1)
            assert len(frame) == 20 + 2 * 32

        converse(engine, body)
