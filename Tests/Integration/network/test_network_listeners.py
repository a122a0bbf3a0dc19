"""Listeners on the network: clients that join, leave and return, commands, the table, and what is refused."""

import asyncio
import contextlib
import http.client
import json
import pathlib
import socket
import struct
import urllib.error
import urllib.request

import numpy
import pytest
import websockets
from pythonosc.osc_message_builder import OscMessageBuilder
from websockets.sync.client import connect

from program import Engine
from waiting import until


@pytest.fixture(scope="module")
def server(scene):
    with Engine("--recording", scene, "--network-listeners", "4", "--method", "two-band") as engine:
        yield engine


class Joined:
    """A client with a listener of its own."""

    def __init__(self, engine, token=None):
        self.stack = contextlib.ExitStack()
        address = engine.socket_url + "/audio/join" + (f"?token={token}" if token else "")
        self.socket = self.stack.enter_context(connect(address))
        self.hello = json.loads(self.socket.recv(timeout=5))
        self.number, self.token = self.hello["listener"], self.hello["token"]

    def close(self):
        self.stack.close()

    def sound(self, packets):
        return sound(self.socket.recv(timeout=5) for _ in range(packets))


def sound(packets):
    """Both ears by position."""
    found = {}
    for data in packets:
        _, frames, position = struct.unpack("<IIQ", data[:16])
        found[position] = numpy.frombuffer(data[16:], "<i2").reshape(-1, 2).astype(int)
        assert len(found[position]) == frames
    return found


def table(engine, query=""):
    return engine.get("/listeners" + query)


def numbers(engine):
    return [row["number"] for row in table(engine)["listeners"]]


def is_gone(engine, number):
    return until(lambda: number not in numbers(engine), 10)


def remove(engine, number):
    """Removes a listener once the server has noticed that its client has gone."""
    until(lambda: row(engine, number)["clients"] == 0)
    engine.osc().send_message("/listener/remove", number)
    is_gone(engine, number)


def upgrade(engine, path):
    """Status and text of the answer to a request for a WebSocket."""
    connection = http.client.HTTPConnection("127.0.0.1", engine.ready["http_port"], timeout=5)
    connection.request("GET", path, headers={
        "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def test_a_listener_of_its_own_hears_what_the_device_hears(server):
    """Same pose and method: the same samples, from a worker and from the audio thread."""
    first = Joined(server)
    with contextlib.closing(first), connect(server.socket_url + "/audio/1") as device:
        json.loads(device.recv(timeout=5))
        assert first.number >= 2 and len(first.token) == 32
        for yaw in [0.0, 35.0]:
            server.osc().send_message("/listener/1/ypr", [yaw, 0.0, 0.0])
            server.osc().send_message(f"/listener/{first.number}/ypr", [yaw, 0.0, 0.0])
            until(lambda: server.value(f"/listener/{first.number}/ypr")[0] == pytest.approx(yaw, abs=0.01))
            mine, its = {}, {}

            def same():
                # The two positions of packets need not agree: samples are compared at the places that both have.
                mine.update(first.sound(50))
                its.update(sound(device.recv(timeout=5) for _ in range(50)))
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


def row(engine, number):
    return next(row for row in table(engine)["listeners"] if row["number"] == number)


def test_listeners_turn_their_own_heads(server):
    left, right = Joined(server), Joined(server)
    with contextlib.closing(left), contextlib.closing(right):
        assert left.number != right.number and left.token != right.token
        server.osc().send_message(f"/listener/{left.number}/ypr", [80.0, 0.0, 0.0])
        server.osc().send_message(f"/listener/{right.number}/ypr", [-80.0, 0.0, 0.0])
        until(lambda: server.value(f"/listener/{right.number}/ypr")[0] == pytest.approx(-80))
        mine, its = left.sound(100), right.sound(100)
        difference = compared(mine, its)[-9600:]
        assert numpy.sqrt(numpy.mean(difference.astype(float) ** 2)) > 100
        found = row(server, left.number)
        assert found["clients"] == 1 and found["pose"][0] == pytest.approx(80) and found["method"] == "two-band"
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


def test_commands_add_name_and_remove(server):
    server.osc().send_message("/listener/add", "Anna")
    until(lambda: server.value("/listener/count") == 2)
    found = table(server, "?search=ann")
    assert found["matching"] == 1 and found["total"] == 2 and found["listeners"][0]["name"] == "Anna"
    assert found["listeners"][0]["clients"] == 0 and "seconds" not in found["listeners"][0]
    number = found["listeners"][0]["number"]
    assert server.get(f"/listener/{number}/method")["VALUE"]
    server.osc().send_message("/listener/remove", number)
    is_gone(server, number)
    with pytest.raises(Exception, match="404"):
        server.get(f"/listener/{number}/method")


def test_every_client_of_a_listener_counts(server):
    first = Joined(server)
    with contextlib.closing(first):
        with connect(server.socket_url + f"/audio/{first.number}") as second:
            json.loads(second.recv(timeout=5))
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


def test_coming_and_going_is_not_undone(server):
    server.osc().send_message("/listener/1/gain", -4.0)
    until(lambda: server.value("/session/undo-words") and "Gain" in server.value("/session/undo-words"))
    step = server.value("/session/undo-words")
    server.osc().send_message("/listener/add", "Emil")
    until(lambda: table(server)["total"] == 2)
    number = max(numbers(server))
    assert server.value(f"/listener/{number}/method") == "two-band" and server.value("/session/undo-words") == step
    remove(server, number)
    assert server.value("/session/undo-words") == step


def test_a_tracker_does_not_turn_the_next_listener_with_the_same_number(server):
    server.osc().send_message("/listener/add", "Frida")
    until(lambda: table(server)["total"] == 2)
    number = max(numbers(server))
    server.osc().send_message("/tracker/1/source", "web")
    until(lambda: server.value("/tracker/1/source") == "web")
    server.osc().send_message("/tracker/1/listener", number)
    until(lambda: server.value("/tracker/1/listener") == number)
    log = len(server.log)
    remove(server, number)
    until(lambda: f"tracker 1 is detached, because listener {number} is removed" in server.log[log:])
    assert server.value("/tracker/1/source") == "" and server.value("/tracker/1/listener") == 1


def test_the_table_is_paged(server):
    for name in ["Berta", "Carl", "Dora"]:
        server.osc().send_message("/listener/add", name)
    until(lambda: table(server)["total"] == 4)
    page = table(server, "?from=1&count=2")
    assert [found["name"] for found in page["listeners"]] == ["Berta", "Carl"] and page["matching"] == 4
    assert table(server, "?search=carl%20added")["listeners"][0]["name"] == "Carl"
    assert table(server, "?from=99")["listeners"] == [] and table(server, "?count=-3")["listeners"] == []
    assert table(server, "?search=device")["listeners"][0]["number"] == 1
    for found in page["listeners"] + table(server, "?search=dora")["listeners"]:
        server.osc().send_message("/listener/remove", found["number"])
    until(lambda: table(server)["total"] == 1)


def test_refusals_name_what_is_valid(server):
    log = len(server.log)
    server.osc().send_message("/listener/add", "two\nlines")
    until(lambda: "a listener's name is one line" in server.log[log:])
    server.osc().send_message("/listener/remove", 1)
    server.osc().send_message("/listener/remove", 4)
    until(lambda: "listener 1 belongs to the sound device" in server.log[log:])
    until(lambda: "there is no listener 4; no listener is on the network" in server.log[log:])
    assert upgrade(server, "/audio/3")[0] == 404
    with pytest.raises(urllib.error.HTTPError) as plain:
        urllib.request.urlopen(server.url + "/audio/join", timeout=5)
    assert plain.value.code == 426 and "/audio/join delivers a stream over a WebSocket" in plain.value.read().decode()
    assert plain.value.headers["Upgrade"] == "websocket"
    server.osc().send_message("/listener/9999/yaw", 10.0)
    until(lambda: "no parameter at /listener/9999/yaw; there is no listener 9999, but listener 1" in server.log[log:])
    joined = [Joined(server) for _ in range(4)]
    status, text = upgrade(server, "/audio/join")
    assert status == 503 and "--network-listeners" in text
    server.osc().send_message("/listener/remove", joined[0].number)
    until(lambda: f"listener {joined[0].number} is being heard by 1 client" in server.log[log:])
    server.osc().send_message(f"/listener/{joined[0].number}/output", "1,2")
    until(lambda: "a listener on the network is not played on the sound device" in server.log[log:])
    for client in joined:
        client.close()
    for client in joined:
        remove(server, client.number)


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


def test_a_number_that_names_no_listener_removes_none(server):
    """By OSC, and by the WebSocket: fractions are not rounded, and numbers out of range are not brought into it."""
    server.osc().send_message("/listener/add", "Gerda")
    until(lambda: table(server)["total"] == 2)
    number = max(numbers(server))
    log = len(server.log)
    for wrong, reason in [(number - 0.3, "takes whole numbers, not"), (5000, "takes 1 to "), (-3, "takes 1 to ")]:
        server.osc().send_message("/listener/remove", wrong)
        until(lambda: f"/listener/remove {reason}" in server.log[log:])
        builder = OscMessageBuilder("/listener/remove")
        builder.add_arg(wrong)
        with connect(server.socket_url) as query:
            query.send(builder.build().dgram)
            answer = until(lambda: next((text for text in iter(lambda: query.recv(timeout=5), None) if isinstance(text, str)), None))
        assert reason in answer, answer
        assert number in numbers(server)
    # A whole number may come as a float.
    server.osc().send_message("/listener/remove", float(number))
    is_gone(server, number)


def test_the_method_of_the_command_line_is_that_of_all_listeners(scene):
    with Engine("--recording", scene, "--listeners", 2, "--network-listeners", 4, "--method", "nearest") as engine:
        engine.osc().send_message("/listener/add", "Hanna")
        until(lambda: table(engine)["total"] == 3)
        assert [found["method"] for found in table(engine)["listeners"]] == ["nearest"] * 3


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
    until(lambda: all(now <= then + 2 for now, then in zip(state()[1:], before[1:])), 5, lambda: f"{before} before, {state()} after")
    grown = state()[0] - before[0]
    print("grown by", grown, "KiB")
    # A listener that was kept would be a megabyte each.
    assert grown < 8192 and server.value("/listener/count") == 1
    server.osc().send_message("/listener/keep", 60.0)


def test_named_listeners_are_kept_in_sessions(scene, tmp_path):
    folder = tmp_path / "sessions"
    with Engine("--recording", scene, "--network-listeners", "4", "--sessions", folder) as engine:
        anonymous = Joined(engine)
        engine.osc().send_message("/listener/add", "Anna")
        until(lambda: table(engine)["total"] == 3)
        number = next(found["number"] for found in table(engine)["listeners"] if found["name"] == "Anna")
        engine.osc().send_message(f"/listener/{number}/method", "nearest")
        engine.osc().send_message("/session/save-as", "heads")
        until(lambda: (folder / "heads.json").exists())
        anonymous.close()
    text = (folder / "heads.json").read_text()
    assert "Anna" in text and f"/listener/{anonymous.number}/" not in text
    with Engine("--recording", scene, "--network-listeners", "4", "--sessions", folder, "heads") as engine:
        found = until(lambda: table(engine)["total"] == 2 and table(engine)["listeners"][1])
        assert found["name"] == "Anna" and found["number"] == number and found["method"] == "nearest"
