"""OSCQuery and audio over WebSockets with a real client."""

import asyncio
import json
import socket
import struct
import time

import numpy
import pytest
import websockets
from pythonosc.osc_bundle import OscBundle
from pythonosc.osc_bundle_builder import OscBundleBuilder
from pythonosc.osc_message import OscMessage
from pythonosc.osc_message_builder import OscMessageBuilder

from health import becomes_well
from network_listener import unbroken
from waiting import LIMIT, until


# Seconds from the beginning of OSC's times to that of the system's.
NTP = 2_208_988_800


def packet(address, *arguments):
    builder = OscMessageBuilder(address)
    for argument in arguments:
        builder.add_arg(argument)
    return builder.build().dgram


def messages(frame):
    """Returns address and arguments of every message in a binary frame."""
    if OscBundle.dgram_is_bundle(frame):
        found = []
        for part in OscBundle(frame):
            found += messages(part.dgram)
        return found
    message = OscMessage(frame)
    return [(message.address, message.params)]


class Client:
    def __init__(self, socket):
        self.socket = socket
        self.values = {}
        self.heard = []
        self.errors = []

    async def command(self, name, data):
        await self.socket.send(json.dumps({"COMMAND": name, "DATA": data}))

    async def listen(self, seconds):
        """Receives for so long; for what must not come. Otherwise use `until`."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                frame = await asyncio.wait_for(self.socket.recv(), left)
            except asyncio.TimeoutError:
                return
            if isinstance(frame, str):
                self.errors.append(json.loads(frame))
                continue
            for address, arguments in messages(frame):
                self.values[address] = arguments
                self.heard.append(address)

    async def settle(self):
        """Returns when every command so far has been carried out: a question for a constant comes after them."""
        self.values.pop("/engine/rate", None)
        await self.command("LISTEN", "/engine/rate")
        await self.until(lambda: "/engine/rate" in self.values)

    async def until(self, condition):
        end = time.monotonic() + LIMIT
        while not condition():
            assert time.monotonic() < end, (self.values, self.errors)
            await self.listen(0.05)


def with_clients(engine, count, body):
    async def main():
        sockets = [await websockets.connect(engine.socket_url + "/") for _ in range(count)]
        try:
            await body(*[Client(socket) for socket in sockets])
        finally:
            for socket in sockets:
                await socket.close()

    asyncio.run(main())


def test_a_subscription_sends_the_state_then_changes_of_others(engine):
    async def body(mine, other):
        for client in (mine, other):
            await client.command("LISTEN", "/")
            await client.until(lambda: "/listener/1/gain" in client.values and "/transport/duration" in client.values)
            assert client.values["/listener/1/gain"] == [0]
            assert client.values["/listener/1/method"] == ["ring-spectral"]
            client.heard.clear()
        await mine.socket.send(packet("/listener/1/gain", -7.0))
        await other.until(lambda: other.values["/listener/1/gain"] == [-7])
        await mine.listen(0.3)
        assert "/listener/1/gain" not in mine.heard
        await mine.until(lambda: "/meter/listener/1/peak" in mine.heard)  # Meters are sent meanwhile.
        assert "/listener/1/gain" not in mine.heard
        assert "/session/recording" not in mine.heard  # Unchanged values are not.
        # Out of range: the sender gets the stored value and an error text.
        await mine.socket.send(packet("/listener/1/gain", 99.0))
        await mine.until(lambda: mine.values["/listener/1/gain"] == [12])
        await mine.until(lambda: mine.errors)
        assert mine.errors[0]["COMMAND"] == "ERROR" and "12 was set" in mine.errors[0]["DATA"]
        await mine.command("IGNORE", "/")
        await mine.settle()
        mine.heard.clear()
        await mine.listen(0.3)
        assert mine.heard == []

    with_clients(engine, 2, body)


def test_a_bundle_waits_for_its_time_by_the_clients_clock(engine):
    """The client's clock is a hundred seconds ahead; the server measures it first."""

    def now():
        return time.time() + 100

    def bundle(due, value):
        builder = OscBundleBuilder(due)
        message = OscMessageBuilder("/listener/1/gain")
        message.add_arg(value)
        builder.add_content(message.build())
        return builder.build().dgram

    async def body(mine, other):
        await other.command("LISTEN", "/listener/1/gain")
        await mine.socket.send(packet("/clock"))
        while True:
            (address, arguments), = messages(await asyncio.wait_for(mine.socket.recv(), LIMIT))
            if address == "/clock/known":
                offset, trip, _ = arguments
                break
            answer = OscMessageBuilder("/clock/answer")
            answer.add_arg(arguments[0])
            for _ in range(2):
                answer.add_arg(now() + NTP, "d")
            await mine.socket.send(answer.build().dgram)
        # The largest, since the process may be stopped between the two clocks.
        ahead = max(now() + NTP - time.monotonic() for _ in range(20))
        assert abs(offset - ahead) < trip / 2 + 0.001
        await mine.socket.send(bundle(now() - 0.1, -3.0))
        await other.until(lambda: other.values.get("/listener/1/gain") == [-3])
        due = now() + 1
        await mine.socket.send(bundle(due, -12.0))
        await other.until(lambda: other.values["/listener/1/gain"] == [-12])
        # By the offset that the server has measured.
        assert time.monotonic() > due + NTP - offset - 0.001, "not before its time"
        assert mine.errors == []

    with_clients(engine, 2, body)


def test_a_pose_over_the_socket_turns_the_head(engine):
    async def body(mine, other):
        await mine.command("LISTEN", "/listener/1")
        await mine.until(lambda: "/listener/1/ypr" in mine.values)
        mine.heard.clear()
        await other.command("LISTEN", "/listener/1/ypr")
        for yaw in range(0, 100, 5):
            await mine.socket.send(packet("/listener/1/ypr", float(yaw), 0.0, 0.0))
            await mine.listen(0.01)
        await other.until(lambda: other.values.get("/listener/1/ypr") == [95, 0, 0])
        await mine.listen(0.2)
        assert "/listener/1/ypr" not in mine.heard

    with_clients(engine, 2, body)
    until(lambda: engine.value("/meter/listener/1/low-weight")[8] > 0.7)


def test_malformed_frames_are_answered_with_an_error(engine):
    async def body(mine):
        await mine.socket.send("this is not JSON")
        await mine.socket.send(json.dumps({"COMMAND": "DANCE", "DATA": "/"}))
        await mine.socket.send(b"\x00\x01\x02")
        await mine.command("LISTEN", "/listener/1/gian")
        await mine.until(lambda: len(mine.errors) >= 4)
        await mine.command("LISTEN", "/listener/1/gain")
        await mine.until(lambda: "/listener/1/gain" in mine.values)

    with_clients(engine, 1, body)
    until(lambda: engine.value("/engine/malformed") == 2)  # An unknown command is well formed.


def test_vanishing_clients_do_not_affect_others(engine):
    async def body(witness):
        await witness.command("LISTEN", "/engine/load")
        for _ in range(20):
            raw = socket.create_connection(("127.0.0.1", engine.ready["http_port"]))
            raw.sendall(
                b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n")
            raw.recv(200)
            raw.sendall(b"\x82\xfe\x40\x00\x01\x02\x03\x04half a frame")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            raw.close()
        witness.heard.clear()
        await witness.until(lambda: "/engine/load" in witness.heard)

    with_clients(engine, 1, body)
    becomes_well(engine)


def test_another_number_of_microphones_is_announced(engine, tmp_path):
    import wave_file

    wave_file.write(tmp_path / "four.wav", [[0.1] * 4] * 48_000)

    async def body(mine):
        await mine.command("LISTEN", "/")
        await mine.until(lambda: "/meter/microphone/peak" in mine.values)
        await mine.socket.send(packet("/session/recording", str(tmp_path / "four.wav")))
        await mine.until(lambda: any(e["COMMAND"] == "PATH_CHANGED" for e in mine.errors))
        await mine.until(lambda: len(mine.values["/meter/microphone/peak"]) == 4)

    with_clients(engine, 1, body)


def test_audio_arrives_in_packets_of_ten_milliseconds(engine):
    async def hear():
        async with websockets.connect(engine.socket_url + "/audio/1") as stream:
            hello = json.loads(await stream.recv())
            assert hello == {"rate": 48_000, "channels": 2, "frames": 480, "listener": 1, "format": "s16le"}
            return await unbroken(stream, 100)

    packets = asyncio.run(hear())
    numbers, positions, sound = [], [], []
    for data in packets:
        number, frames, position = struct.unpack("<IIQ", data[:16])
        assert frames == 480 and len(data) == 16 + 4 * 480
        numbers.append(number)
        positions.append(position)
        sound.append(numpy.frombuffer(data[16:], "<i2").reshape(-1, 2))
    assert numbers == list(range(numbers[0], numbers[0] + 100))
    assert all(b - a == 480 for a, b in zip(positions, positions[1:]))
    ears = numpy.concatenate(sound) / 32768
    assert 0.003 < numpy.sqrt(numpy.mean(ears ** 2)) < 0.5
    assert numpy.abs(ears).max() < 1
    # A continuous signal: no larger step at packet borders than elsewhere.
    steps = numpy.abs(numpy.diff(ears[:, 0], 2))
    borders = steps[478::480][:98]
    assert borders.max() <= steps.max()


def test_a_missing_listener_has_no_stream(engine):
    async def hear():
        async with websockets.connect(engine.socket_url + "/audio/7") as stream:
            await asyncio.wait_for(stream.recv(), LIMIT)

    with pytest.raises(websockets.exceptions.WebSocketException):
        asyncio.run(hear())


def test_a_page_of_another_origin_is_refused(engine):
    async def intrude():
        async with websockets.connect(engine.socket_url + "/", origin="http://elsewhere.example"):
            pass

    with pytest.raises(websockets.exceptions.WebSocketException):
        asyncio.run(intrude())
