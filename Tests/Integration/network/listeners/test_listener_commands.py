"""Commands about listeners on the network, their table, sessions and scenes, and requests that are refused."""

import contextlib
import http.client
import urllib.error
import urllib.request

import pytest
from pythonosc.osc_message_builder import OscMessageBuilder
from websockets.sync.client import connect

from figures import figure, measured
from health import becomes_well
from network_listener import Joined, is_gone, numbers, remove, table
from program import Engine
from waiting import holds, until


def upgrade(engine, path):
    """Status and text of the answer to a request for a WebSocket."""
    connection = http.client.HTTPConnection("127.0.0.1", engine.ready["http_port"], timeout=60)
    connection.request("GET", path, headers={
        "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


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
    until(lambda: f"tracker 1 was detached, because listener {number} was removed" in server.log[log:])
    until(lambda: server.value("/tracker/1/source") == "" and server.value("/tracker/1/listener") == 1)


def test_the_table_is_paged(server):
    for name in ["Berta", "Carl", "Dora"]:
        server.osc().send_message("/listener/add", name)
    until(lambda: table(server)["total"] == 4)
    page = table(server, "?from=1&count=2")
    assert [found["name"] for found in page["listeners"]] == ["Berta", "Carl"] and page["matching"] == 4
    assert table(server, "?search=carl%20added")["listeners"][0]["name"] == "Carl"
    assert table(server, "?from=99")["listeners"] == [] and table(server, "?count=0")["listeners"] == []
    with pytest.raises(urllib.error.HTTPError) as refused:
        table(server, "?count=-3")
    assert refused.value.code == 400 and b'count is "-3", but must be a whole number from 0' in refused.value.read()
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
    until(lambda: "there is no listener 4; there are no network listeners" in server.log[log:])
    assert upgrade(server, "/audio/3")[0] == 404
    with pytest.raises(urllib.error.HTTPError) as plain:
        urllib.request.urlopen(server.url + "/audio/join", timeout=60)
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
    until(lambda: "network listeners have no channels of the sound device" in server.log[log:])
    for client in joined:
        client.close()
    for client in joined:
        remove(server, client.number)


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
            answer = until(lambda: next((text for text in iter(lambda: query.recv(timeout=60), None) if isinstance(text, str)), None))
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


@contextlib.contextmanager
def loads_a_high_number(scene, tmp_path):
    """An engine that loads a session with listener 200, and its longest turn before.

    All listeners up to the highest number are made, some in each turn of the control thread.
    """
    folder = tmp_path / "sessions"
    with Engine("--recording", scene, "--network-listeners", "200", "--sessions", folder) as engine:
        client = engine.osc()
        client.send_message("/listener/add", "Anna")
        until(lambda: table(engine)["total"] == 2)
        client.send_message("/session/save-as", "low")
        low = until(lambda: (folder / "low.json").exists() and (folder / "low.json").read_text())
        assert "/listener/2/" in low
        (folder / "high.json").write_text(low.replace("/listener/2/", "/listener/200/"))
        worst = engine.value("/engine/control-worst-ever")
        client.send_message("/session/load", "high")
        until(lambda: [found["number"] for found in table(engine)["listeners"]] == [1, 200])
        yield engine, worst


def test_a_session_with_a_high_number_is_loaded(scene, tmp_path):
    with loads_a_high_number(scene, tmp_path) as (engine, _):
        until(lambda: engine.value("/listener/200/name") == "Anna")


@measured
def test_a_session_with_a_high_number_stalls_nobody(scene, tmp_path):
    with loads_a_high_number(scene, tmp_path) as (engine, worst):
        after = engine.value("/engine/control-worst-ever")
        figure("longest turn with a session of listener 200", after, at_most=max(20, worst + 1), unit="ms")


def test_scenes_contain_listeners_with_names_and_leave_others_alone(scene, tmp_path):
    with Engine("--recording", scene, "--network-listeners", "4", "--sessions", tmp_path) as engine:
        client = engine.osc()
        anonymous = Joined(engine)
        client.send_message("/listener/add", "Anna")
        number = until(lambda: next((found["number"] for found in table(engine)["listeners"] if found["name"] == "Anna"), None))

        def gains(named, other):
            for listener, gain in ((number, named), (anonymous.number, other)):
                client.send_message(f"/listener/{listener}/gain", gain)
                until(lambda: engine.value(f"/listener/{listener}/gain") == gain)

        gains(-6.0, -7.0)
        client.send_message("/scene/store", "first")
        until(lambda: engine.value("/scene/current") == "first")
        gains(-12.0, -13.0)
        client.send_message("/scene/crossfade", 0.0)
        client.send_message("/scene/recall", "first")
        until(lambda: engine.value(f"/listener/{number}/gain") == -6)
        assert engine.value(f"/listener/{anonymous.number}/gain") == -13
        anonymous.close()
        # A listener of the scene that has gone meanwhile does not come back with it.
        client.send_message("/listener/remove", number)
        is_gone(engine, number)
        client.send_message("/scene/recall", "first")
        holds(lambda: number not in numbers(engine))
        becomes_well(engine)


def test_the_namespace_tells_who_comes_and_who_is_refused(scene):
    with Engine("--recording", scene, "--network-listeners", "1") as engine:
        with connect(engine.socket_url, subprotocols=["vestibule.oscquery"]) as query:
            def told(text):
                return any(text in message for message in messages if isinstance(message, str))

            messages = []

            def read(seconds=0.2):
                with contextlib.suppress(TimeoutError):
                    while True:
                        messages.append(query.recv(timeout=seconds))

            engine.osc().send_message("/listener/add", "Anna")
            until(lambda: read() or told('"PATH_ADDED","DATA":"/listener/2"'))
            messages.clear()
            engine.osc().send_message("/listener/add", "Berta")
            until(lambda: "the maximum of this server" in engine.value("/engine/notice"))
            read()
            assert not told("PATH_ADDED")
            with urllib.request.urlopen(engine.url + "/metrics", timeout=60) as answer:
                figures = dict(line.rsplit(" ", 1) for line in answer.read().decode().splitlines() if not line.startswith("#"))
            # Nobody hears the listener, so that no block of it can be lost.
            assert figures["vestibule_network_listeners"] == "1" and figures["vestibule_network_lost_blocks_total"] == "0"
            assert float(figures["vestibule_network_load_ratio"]) >= 0 and figures["vestibule_device_lost"] == "0"
            engine.osc().send_message("/listener/remove", 2)
            until(lambda: read() or told('"PATH_REMOVED","DATA":"/listener/2"'))
