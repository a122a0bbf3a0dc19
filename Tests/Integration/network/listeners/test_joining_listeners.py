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

from figures import figure, measured
from network_listener import Joined, is_gone, numbers, remove, row, sound
from waiting import LIMIT, until


def test_a_listener_of_its_own_hears_what_the_device_hears(server):
    """Same pose and method: the same samples, from a worker and from the audio thread."""
    first = Joined(server)
    with contextlib.closing(first):
        assert first.number >= 2 and len(first.token) == 32
        for yaw in [0.0, 35.0]:
            for number in (1, first.number):
                server.osc().send_message(f"/listener/{number}/ypr", [yaw, 0.0, 0.0])
                until(lambda: server.value(f"/listener/{number}/ypr")[0] == pytest.approx(yaw, abs=0.01))
            until(lambda: hear_the_same(server, first.number))
    remove(server, first.number)


def hear_the_same(engine, number):
    """Whether streams of the device and of a listener that begin now, with the poses that both have now, are the same and not silent.

    One of them may have lost some packets on a busy machine, or still turn at its beginning; the end of the next ones is the same then.
    """
    mine, its = {}, {}
    with connect(engine.socket_url + f"/audio/{number}") as listener, connect(engine.socket_url + "/audio/1") as device:
        for stream in (listener, device):
            json.loads(stream.recv(timeout=60))
        for _ in range(100):
            # The two positions of packets need not agree: samples are compared at the places that both have.
            mine.update(sound([listener.recv(timeout=60)]))
            its.update(sound([device.recv(timeout=60)]))
    difference = numpy.abs(compared(mine, its)[-9600:])
    # The device's dither is another one.
    print("largest difference of", len(difference), "samples:", difference.max(initial=0), "of 32768")
    heard = numpy.abs(numpy.concatenate(list(mine.values()))).max()
    return len(difference) == 9600 and difference.max() <= 2 and heard > 300


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
        mine, its = {}, {}

        def differ():
            mine.update(left.sound(100))
            its.update(right.sound(100))
            difference = compared(mine, its)[-9600:].astype(float)
            return len(difference) == 9600 and numpy.sqrt(numpy.mean(difference ** 2)) > 100

        until(differ)
        until(lambda: row(server, left.number)["place"] == [1, -2, 0.5])
        found = row(server, left.number)
        assert found["clients"] == 1 and found["pose"][0] == pytest.approx(80) and found["method"] == "two-band"
        assert found["front"] == 0
        until(lambda: max(row(server, left.number)["rms"]) > 0.003)

        def is_measured():
            """What was measured is forgotten some seconds after the last pose."""
            server.osc().send_message(f"/listener/{left.number}/ypr", [80.0, 0.0, 0.0])
            return (row(server, left.number).get("motionToSound") or 0) > 0

        until(is_measured)
    for number in (left.number, right.number):
        remove(server, number)


@measured
def test_a_listener_on_the_network_is_turned_soon(server):
    only = Joined(server)
    with contextlib.closing(only):
        server.osc().send_message(f"/listener/{only.number}/ypr", [80.0, 0.0, 0.0])
        assert only.sound(100)
        latest = until(lambda: row(server, only.number).get("motionToSound") or 0)
        figure("motion to sound of a network listener", latest, at_most=200, unit="ms")
    remove(server, only.number)


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
                message = await asyncio.wait_for(query.recv(), LIMIT)
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
    until(lambda: "seconds" in row(server, first.number))
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


def come_and_go(engine, times):
    """A small run of `benchmarks/listeners.py --listeners 0`."""
    engine.osc().send_message("/listener/keep", 0.0)
    until(lambda: engine.value("/listener/keep") == 0)
    for _ in range(times):
        client = Joined(engine)
        assert client.sound(1)
        client.close()
        is_gone(engine, client.number)
    engine.osc().send_message("/listener/keep", 60.0)


def process(engine):
    """KiB of resident memory, descriptors and threads."""
    folder = pathlib.Path(f"/proc/{engine.process.pid}")
    fields = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
    return int(fields["VmRSS"].split()[0]), len(list((folder / "fd").iterdir())), int(fields["Threads"])


def test_joins_and_leaves_leave_nothing_behind(server):
    come_and_go(server, 30)
    before = process(server)
    come_and_go(server, 150)
    # Two connections of the test itself may still be closing.
    until(lambda: all(now <= then + 2 for now, then in zip(process(server)[1:], before[1:])),
          lambda: f"{before} before, {process(server)} after")
    until(lambda: server.value("/listener/count") == 1)


@measured
def test_joins_and_leaves_take_no_memory(server):
    """A listener that was kept would be a megabyte each."""
    come_and_go(server, 30)
    before = process(server)[0]
    come_and_go(server, 150)
    figure("memory grown by 150 listeners that came and went", process(server)[0] - before, at_most=8192, unit="KiB")
