"""Behaviour when connections take all descriptors of the process."""

import contextlib
import json
import pathlib
import resource
import selectors
import socket
import time

import pytest
from websockets.sync.client import connect as open_socket

from figures import figure, measured
from program import Engine
from waiting import until

REQUEST = b"GET /?HOST_INFO HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
UPGRADE = (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n")


@pytest.fixture(autouse=True)
def many_descriptors():
    """Allows this process 4,000 descriptors."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4000)), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def connect(engine):
    return socket.create_connection(("127.0.0.1", engine.ready["http_port"]), timeout=60)


def ask(connection, request=REQUEST):
    """The status of the answer to a request, or None when the connection was closed."""
    try:
        connection.sendall(request)
        answer = b""
        while not answer.endswith((b"}", b"\n")) or b"\r\n\r\n" not in answer:
            piece = connection.recv(4096)
            if not piece:
                return None
            answer += piece
    except ConnectionError:
        return None
    return int(answer.split()[1])


def control_seconds(engine):
    """Processor time of the control thread."""
    pid = engine.process.pid
    return int(pathlib.Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[0]) / 1e9


def knock(engine, count, seconds, meanwhile):
    """Keeps `count` connections knocking: each that is answered or closed is followed by another. Returns the answers.

    `meanwhile` is called ten times a second.
    """
    selector = selectors.DefaultSelector()
    answers = []

    def open_one():
        one = socket.socket()
        one.setblocking(False)
        one.connect_ex(("127.0.0.1", engine.ready["http_port"]))
        selector.register(one, selectors.EVENT_READ)

    for _ in range(count):
        open_one()
    end = time.monotonic() + seconds
    next_call = 0
    while time.monotonic() < end:
        if time.monotonic() >= next_call:
            next_call = time.monotonic() + 0.1
            meanwhile()
        for key, _ in selector.select(0.05):
            try:
                answers.append(key.fileobj.recv(4096))
            except ConnectionError:
                answers.append(b"")
            selector.unregister(key.fileobj)
            key.fileobj.close()
            open_one()
    for key in list(selector.get_map().values()):
        key.fileobj.close()
    selector.close()
    return answers


def test_the_soft_limit_is_raised_to_the_hard_one(scene):
    with Engine("--recording", scene, descriptors=(256, 3000)) as engine:
        line = next(line for line in pathlib.Path(f"/proc/{engine.process.pid}/limits").read_text().splitlines()
                    if line.startswith("Max open files"))
        assert line.split()[3:5] == ["3000", "3000"]
        connections = [connect(engine) for _ in range(400)]
        assert all(ask(connection) == 200 for connection in connections)
        for connection in connections:
            connection.close()


@contextlib.contextmanager
def full(scene, limit):
    """An engine whose descriptors are all taken, a client, and the connections that take them: WebSockets, which may be silent for long."""
    with Engine("--recording", scene, descriptors=(limit, limit)) as engine, open_socket(engine.socket_url) as first:
        held = []
        while True:
            held.append(connect(engine))
            if ask(held[-1], UPGRADE) != 101:
                break
            assert is_served(first)
            assert len(held) < limit
        yield engine, first, held
        for one in held:
            one.close()


def is_served(client):
    """Whether a WebSocket is answered."""
    client.send(json.dumps({"COMMAND": "LISTEN", "DATA": "/engine/rate"}))
    return b"/engine/rate" in client.recv(timeout=60)


@pytest.mark.parametrize("limit", [64, 1024])
def test_more_connections_than_descriptors_do_not_stop_the_server(scene, limit):
    with full(scene, limit) as (engine, first, held):
        def served():
            # Connected clients are still served.
            assert is_served(first)

        answers = [answer for answer in knock(engine, 2000, 3, served) if answer]
        assert answers and all(answer.startswith(b"HTTP/1.1 503 ") and b"frame-ancestors 'none'" in answer for answer in answers)
        for one in held:
            one.close()
        until(lambda: ask(connect(engine)) == 200)
        engine.osc().send_message("/listener/1/gain", -5.0)
        until(lambda: engine.value("/listener/1/gain") == -5)
        assert engine.metric("vestibule_http_refused_connections_total") >= len(answers)
        until(lambda: "ulimit -n" in engine.log, lambda: engine.log)


@measured
@pytest.mark.parametrize("limit", [64, 1024])
def test_connections_without_descriptors_cost_next_to_nothing(scene, limit):
    with full(scene, limit) as (engine, first, _):
        begin, idle, times = time.monotonic(), control_seconds(engine), []

        def served():
            asked = time.monotonic()
            assert is_served(first)
            times.append(time.monotonic() - asked)

        knock(engine, 2000, 3, served)
        load = (control_seconds(engine) - idle) / (time.monotonic() - begin)
        figure(f"control thread with {limit} descriptors and 2000 that knock", load, at_most=0.3)
        figure(f"longest answer with {limit} descriptors and 2000 that knock", max(times), at_most=1, unit="s")
