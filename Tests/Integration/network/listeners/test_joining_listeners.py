"""Listeners on the network: clients that join, hear, leave and return."""

import asyncio
import contextlib
import json
import pathlib
import socket

import numpy
import pytest
import websockets
from websockets.sync.client import connect

from network_listener import Joined, is_gone, numbers, remove, row, sound
from waiting import until


def test_a_listener_of_its_own_hears_what_the_device_hears(server):
    """Same pose and method: the same samples, from a worker and from the audio thread."""
    first = Joined(server)
    with contextlib.closing(first), connect(server.socket_url + "/audio/1") as device:
        json.loads(device.recv(timeout=60))
        assert first.number >= 2 and len(first.token) == 32
        for yaw in [0.0, 35.0]:
            server.osc().send_message("/listener/1/ypr", [yaw, 0.0, 0.0])
            server.osc().send_message(f"/listener/{first.number}/ypr", [yaw, 0.0, 0.0])
            until(lambda: server.value(f"/listener/{first.number}/ypr")[0] == pytest.approx(yaw, abs=0.01))
            mine, its = {}, {}

            def same():
                # The two positions of packets need not agree: samples are compared at the places that both have.
                mine.update(first.sound(50))
                its.update(sound(device.recv(timeout=60) for _ in range(50)))
                return len(compared(mine, its)) > 24_000

            until(same)
            difference = numpy.abs(compared(mine, its)[-9600:])
            # The device's dither is another one.
            print("yaw", yaw, "largest difference", difference.max(), "of 32768")
            assert difference.max() <= 2
        assert numpy.abs(numpy.concatenate(list(mine.values()))).max() > 300
    remove(server, first.number)


def compared(mine, its):
    """Differences at the samples that both have, in their order."""
    def flat(packets):
        places = numpy.concatenate([numpy.arange(at, at + len(packets[at])) for at in sorted(packets)])
        return places, numpy.concatenate([packets[at] for at in sorted(packets)])

    (one, first), (two, second) = flat(mine), flat(its)
    _, a, b = numpy.intersect1d(one, two, return_indices=True)
    return first[a] - second[b]


def test_listeners_turn_their_own_heads(server):
    left, right = Joined(server), Joined(server)
    with contextlib.closing(left), contextlib.closing(right):
        assert left.number != right.number and left.token != right.token
        server.osc().send_message(f"/listener/{left.number}/ypr", [80.0, 0.0, 0.0])
        server.osc().send_message(f"/listener/{right.number}/ypr", [-80.0, 0.0, 0.0])
        server.osc().send_message(f"/listener/{left.number}/xyz", [1.0, -2.0, 0.5])
        until(lambda: server.value(f"/listener/{right.number}/ypr")[0] == pytest.approx(-80))
        mine, its = left.sound(100), right.sound(100)
        difference = compared(mine, its)[-9600:]
        assert numpy.sqrt(numpy.mean(difference.astype(float) ** 2)) > 100
        found = row(server, left.number)
        assert found["clients"] == 1 and found["pose"][0] == pytest.approx(80) and found["method"] == "two-band"
        assert found["place"] == [1, -2, 0.5] and found["front"] == 0
        until(lambda: max(row(server, left.number)["rms"]) > 0.003)
        until(lambda: 0 < (row(server, left.number).get("motionToSound") or 0) < 200)
    for number in (left.number, right.number):
        remove(server, number)


def test_a_returning_client_finds_its_listener(server):
    first = Joined(server)
    server.osc().send_message(f"/listener/{first.number}/gain", -7.5)
    until(lambda: server.value(f"/listener/{first.number}/gain") == -7.5)
    first.close()
    until(lambda: row(server, first.number).get("seconds", 99) <= 60)
    # It is kept, is not rendered, and its settings stay.
    second = Joined(server, first.token)
    with contextlib.closing(second):
        assert second.hello == first.hello
        assert server.value(f"/listener/{first.number}/gain") == -7.5
        assert len(second.sound(20)) == 20
        other = Joined(server, "0" * 32)
        # A token that no listener has is no proof: the client gets another listener.
        assert other.number != second.number and other.token != "0" * 32
        other.close()
        remove(server, other.number)
    remove(server, first.number)
    # The number comes back with the settings that it had at the start.
    third = Joined(server)
    with contextlib.closing(third):
        assert third.number == first.number and third.token != first.token
        assert server.value(f"/listener/{third.number}/gain") == 0
    remove(server, third.number)


def test_a_listener_that_nobody_returns_to_is_removed(server):
    server.osc().send_message("/listener/keep", 0.2)
    until(lambda: server.value("/listener/keep") == pytest.approx(0.2))
    first = Joined(server)
    address = f"/listener/{first.number}/ypr"

    async def watch():
        async with websockets.connect(server.socket_url) as query:
            await query.send(json.dumps({"COMMAND": "IGNORE", "DATA": "/"}))
            first.close()
            removed = set()
            while address not in removed:
                message = await asyncio.wait_for(query.recv(), 10)
                if isinstance(message, str) and (event := json.loads(message)).get("COMMAND") == "PATH_REMOVED":
                    removed.add(event["DATA"])
                    if event["DATA"] == f"/listener/{first.number}":
                        return

    asyncio.run(watch())
    is_gone(server, first.number)
    server.osc().send_message("/listener/keep", 60.0)


def test_every_client_of_a_listener_counts(server):
    first = Joined(server)
    with contextlib.closing(first):
        with connect(server.socket_url + f"/audio/{first.number}") as second:
            json.loads(second.recv(timeout=60))
            until(lambda: row(server, first.number)["clients"] == 2)
        until(lambda: row(server, first.number)["clients"] == 1)
        assert first.sound(20)
    remove(server, first.number)


def test_the_keep_time_holds_for_listeners_that_are_kept_already(server):
    first = Joined(server)
    first.close()
    until(lambda: row(server, first.number).get("seconds", 0) > 50)
    server.osc().send_message("/listener/keep", 0.1)
    is_gone(server, first.number)
    server.osc().send_message("/listener/keep", 60.0)


def test_clients_that_ask_at_once_get_as_many_listeners_as_there_are(server):
    """They join in several turns of the control thread; each that was promised a listener gets one."""
    request = (
        "GET /audio/join HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").encode()
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(socket.create_connection(("127.0.0.1", server.ready["http_port"]))) for _ in range(12)]
        for client in clients:
            client.sendall(request)
        assert sorted(client.recv(12)[-3:] for client in clients) == [b"101"] * 4 + [b"503"] * 8
        until(lambda: numbers(server) == [1, 2, 3, 4, 5] and all(row(server, number)["clients"] == 1 for number in range(2, 6)))
    for number in range(2, 6):
        remove(server, number)


def test_joins_and_leaves_leave_nothing_behind(server):
    """A small run of `benchmarks/listeners.py --listeners 0`."""
    def state():
        process = pathlib.Path(f"/proc/{server.process.pid}")
        fields = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
        return int(fields["VmRSS"].split()[0]), len(list((process / "fd").iterdir())), int(fields["Threads"])

    def come_and_go(times):
        for _ in range(times):
            client = Joined(server)
            assert client.sound(1)
            client.close()
            is_gone(server, client.number)

    server.osc().send_message("/listener/keep", 0.0)
    until(lambda: server.value("/listener/keep") == 0)
    come_and_go(30)
    before = state()
    come_and_go(150)
    # Two connections of the test itself may still be closing.
    until(lambda: all(now <= then + 2 for now, then in zip(state()[1:], before[1:])), lambda: f"{before} before, {state()} after")
    grown = state()[0] - before[0]
    print("grown by", grown, "KiB")
    # A listener that was kept would be a megabyte each.
    assert grown < 8192 and server.value("/listener/count") == 1
    server.osc().send_message("/listener/keep", 60.0)
