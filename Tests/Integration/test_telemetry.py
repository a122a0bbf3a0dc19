"""vestibule.telemetry.v1 by a real client, its messages against their schema."""

import asyncio
import json
import struct
import time

import jsonschema
import pytest
import websockets
from pythonosc.udp_client import SimpleUDPClient

from program import ROOT, Engine

PROTOCOL = ROOT / "protocol"
TOPICS = {"meters", "engine", "latency", "poses", "trackers", "transport", "clients", "log"}


def schema(name):
    return jsonschema.Draft202012Validator(json.loads((PROTOCOL / "schemas" / name).read_text()))


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


async def frames(connection, seconds):
    end, found = time.monotonic() + seconds, []
    while (left := end - time.monotonic()) > 0:
        try:
            found.append(await asyncio.wait_for(connection.recv(), left))
        except asyncio.TimeoutError:
            break
    return found


def test_every_message_is_what_its_schema_says(engine):
    engine.osc().send_message("/listener/1/ypr", [30.0, 0.0, 0.0])

    async def body(connection):
        await connection.send(json.dumps({"type": "subscribe", "rate": 50}))
        await connection.send("nonsense")
        return await frames(connection, 2)

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


def test_meters_come_at_the_rate_that_was_asked_for(engine):
    async def body(connection):
        await subscribe(connection, topics=["meters"], rate=25, format="binary")
        return await frames(connection, 3)

    received = converse(engine, body)
    assert 40 < len(received) <= 80, len(received)
    numbers = []
    for frame in received:
        version, topic, _, sequence, _ = struct.unpack_from("<BBHIQ", frame)
        microphones, listeners = struct.unpack_from("<HH", frame, 16)
        assert (version, topic, microphones, listeners) == (1, 1, 16, 1)
        assert len(frame) == 20 + 8 * microphones + 16 * listeners
        assert max(struct.unpack_from("<2f", frame, 20 + 8 * microphones)) > 0
        numbers.append(sequence)
    assert all(b > a for a, b in zip(numbers, numbers[1:]))


def test_effects_are_metered(engine):
    client = engine.osc()
    client.send_message("/rack/listener/1/add", "compressor")
    client.send_message("/rack/listener/1/slot/1/compressor/threshold", -50.0)
    client.send_message("/rack/listener/1/slot/1/compressor/ratio", 10.0)

    async def body(connection):
        await subscribe(connection, topics=["meters"], rate=60)
        text = [json.loads(frame)["data"]["slots"] for frame in await frames(connection, 2)]
        await subscribe(connection, topics=["meters"], rate=60, format="binary")
        return text, [frame for frame in await frames(connection, 1) if isinstance(frame, bytes)]

    text, binary = converse(engine, body)
    # Without gaps, however often the parameters are published in between.
    loud = [slots for slots in text if slots and slots[0]["reduction"] > 6 and slots[0]["level"] > 0.001]
    assert len(loud) > 0.5 * len(text) > 40, text[-1]
    assert {(slot["rack"], slot["slot"]) for slots in text for slot in slots} == {("listener/1", 1)}
    microphones, listeners = struct.unpack_from("<HH", binary[-1], 16)
    rack, slot, level, reduction = struct.unpack("<HHff", binary[-1][20 + 8 * microphones + 16 * listeners:])
    assert (rack, slot) == (2, 1) and level > 0.001 and reduction > 6
    client.send_message("/rack/listener/1/remove", 1)


def test_what_is_logged_is_told(engine):
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


def test_trackers_are_told(scene):
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
