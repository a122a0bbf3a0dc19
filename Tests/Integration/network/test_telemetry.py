"""vestibule.telemetry.v1 with a real client; messages are checked against the schema."""

import asyncio
import contextlib
import json
import struct
import time

import jsonschema
import pytest
import referencing
import websockets
from pythonosc.udp_client import SimpleUDPClient

from program import ROOT, Engine
from waiting import until

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


async def frames(connection, enough, seconds=10):
    """Receives until `enough` is true of all frames received so far, and returns them."""
    end, found = time.monotonic() + seconds, []
    while not enough(found):
        left = end - time.monotonic()
        assert left > 0, f"not within {seconds} s; {len(found)} frames were received, the last: {found[-1:]}"
        with contextlib.suppress(asyncio.TimeoutError):
            found.append(await asyncio.wait_for(connection.recv(), left))
    return found


def count(number):
    return lambda found: len(found) >= number


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


@pytest.mark.timed
def test_meters_arrive_at_the_requested_rate(engine):
    async def body(connection):
        await subscribe(connection, topics=["meters"], rate=25, format="binary")
        return await frames(connection, count(75))

    received = converse(engine, body)
    numbers, times = [], []
    for frame in received:
        version, topic, _, sequence, made = struct.unpack_from("<BBHIQ", frame)
        times.append(made)
        microphones, listeners = struct.unpack_from("<HH", frame, 16)
        assert (version, topic, microphones, listeners) == (1, 1, 16, 1)
        assert len(frame) == 20 + (8 * microphones) + (16 + 12) * listeners
        assert max(struct.unpack_from("<2f", frame, 20 + 8 * microphones)) > 0
        numbers.append(sequence)
    assert all(b > a for a, b in zip(numbers, numbers[1:]))
    # By the times in the frames (ns): at most the requested rate, at least two thirds of it.
    rate = (len(times) - 1) / (times[-1] - times[0]) * 1e9
    print(f"{rate:.2f} frames a second")
    assert 16 < rate < 25.5


@pytest.mark.timed
def test_effects_are_metered(engine):
    client = engine.osc()
    client.send_message("/rack/listener/1/add", "compressor")
    client.send_message("/rack/listener/1/slot/1/compressor/threshold", -50.0)
    client.send_message("/rack/listener/1/slot/1/compressor/ratio", 10.0)

    async def body(connection):
        await subscribe(connection, topics=["meters"], rate=60)
        text = [json.loads(frame)["data"]["slots"] for frame in await frames(connection, count(100))]
        await subscribe(connection, topics=["meters"], rate=60, format="binary")
        received = await frames(connection, lambda found: sum(isinstance(frame, bytes) for frame in found) >= 10)
        return text, [frame for frame in received if isinstance(frame, bytes)]

    text, binary = converse(engine, body)
    # Without gaps, regardless of how often parameters are published.
    loud = [slots for slots in text if slots and slots[0]["reduction"] > 6 and slots[0]["level"] > 0.001]
    assert len(loud) > 0.5 * len(text), text[-1]
    assert {(slot["rack"], slot["slot"]) for slots in text for slot in slots} == {("listener/1", 1)}
    microphones, listeners = struct.unpack_from("<HH", binary[-1], 16)
    entries = list(struct.iter_unpack("<HHff", binary[-1][20 + 8 * microphones + 16 * listeners:]))
    assert [entry[:2] for entry in entries] == [(2, 0), (2, 1)]
    assert entries[1][2] > 0.001 and entries[1][3] > 6
    client.send_message("/rack/listener/1/remove", 1)


@pytest.mark.timed
def test_levels_are_those_after_the_limiter(engine):
    """JSON, binary and the parameters agree on the level and on the limiter's part."""
    client = engine.osc()
    client.send_message("/protection/ceiling", -24.0)

    async def body(connection):
        await subscribe(connection, topics=["meters"], rate=30)
        text = [json.loads(frame)["data"]["listeners"][0] for frame in await frames(connection, count(60))]
        await subscribe(connection, topics=["meters"], rate=30, format="binary")
        received = await frames(connection, lambda found: sum(isinstance(frame, bytes) for frame in found) >= 30)
        return text, [frame for frame in received if isinstance(frame, bytes)]

    try:
        # The ceiling is smoothed for about 0.2 s.
        begin = engine.value("/transport/position")
        until(lambda: abs(engine.value("/transport/position") - begin) > 0.4)
        until(lambda: 0 < max(engine.value("/meter/listener/1/peak")) < 0.065)
        text, binary = converse(engine, body)
        reduction = until(lambda: engine.value("/meter/listener/1/reduction"))
    finally:
        client.send_message("/protection/ceiling", -1.0)
    limit = 10 ** (-24 / 20) * 1.001
    assert all(0 < max(ears["peak"]) < limit for ears in text)
    microphones, listeners = struct.unpack_from("<HH", binary[0], 16)
    ends = [struct.unpack_from("<HHff", frame, 20 + 8 * microphones + 16 * listeners) for frame in binary]
    assert all(end[:2] == (2, 0) and 0 < end[2] < limit for end in ends)
    json_most, binary_most = max(ears["reduction"] for ears in text), max(end[3] for end in ends)
    assert json_most > 3 and abs(json_most - binary_most) < 3 and 0 < reduction < max(json_most, binary_most) + 3


def test_log_lines_are_sent(engine):
    async def body(connection):
        await subscribe(connection, topics=["log"])
        engine.osc().send_message("/listener/1/gian", 1.0)
        end = time.monotonic() + 5
        while time.monotonic() < end:
            message = json.loads(await asyncio.wait_for(connection.recv(), 5))
            if any("did you mean /listener/1/gain?" in line["text"] for line in message.get("data", [])):
                return True
        return False

    assert converse(engine, body)


def test_trackers_are_reported(scene):
    with Engine("--recording", scene, "--tracker", "mach1:0", "--tracker", "adm-osc:0") as engine:
        tracker = SimpleUDPClient("127.0.0.1", engine.ready["tracker_ports"][0])

        async def body(connection):
            await subscribe(connection, topics=["trackers"], rate=30)
            tracker.send_message("/orientation", [-30.0, 20.0, 10.0])
            validator = schema("telemetry.json")
            while True:
                message = json.loads(await asyncio.wait_for(connection.recv(), 5))
                validator.validate(message)
                first, second = message["data"]
                if first["in_charge"]:
                    break
            assert first["source"] == f"mach1:{engine.ready['tracker_ports'][0]}" and first["state"] == "live"
            assert [first[axis] for axis in ("yaw", "pitch", "roll")] == pytest.approx([30, 20, 10], abs=0.1)
            assert second["state"] == "waiting" and not second["in_charge"]
            await connection.send(json.dumps({"type": "subscribe", "topics": ["trackers"], "format": "binary"}))
            while isinstance(frame := await asyncio.wait_for(connection.recv(), 5), str):
                pass
            assert frame[:2] == bytes([1, 6])
            assert struct.unpack_from("<I", frame, 16) == (2,)
            number, listener, state, in_charge, _, _, *pose, correction = struct.unpack_from("<4H6f", frame, 20)
            assert (number, listener, in_charge, correction) == (1, 1, 1, 0) and state in (2, 3)
            assert pose == pytest.approx([30, 20, 10], abs=0.1)
            assert len(frame) == 20 + 2 * 32

        converse(engine, body)
