"""Behaviour when connections take all descriptors of the process."""

import contextlib
import json
import pathlib
import re
import resource
import selectors
import socket
import threading
import time

import pytest
from websockets.sync.client import connect as open_socket

from figures import figure, measured
from program import Engine
from waiting import LIMIT, until

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


def answered(connection, request):
    """The status of the answer to a request, and the bytes behind it; None when the connection was closed."""
    try:
        connection.sendall(request)
        got = b""
        while True:
            head, end, rest = got.partition(b"\r\n\r\n")
            length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
            if end and len(rest) >= (body := int(length[1]) if length else 0):
                return int(head.split()[1]), rest[body:]
            piece = connection.recv(4096)
            if not piece:
                return None, b""
            got += piece
    except ConnectionError:
        return None, b""


def ask(connection, request=REQUEST):
    """The status of the answer to a request, or None when the connection was closed."""
    return answered(connection, request)[0]


class Crowd:
    """WebSockets that say nothing, but answer pings, without which the server ends them after half a minute."""

    def __init__(self, engine):
        self.engine, self.held, self.selector, self.end = engine, [], selectors.DefaultSelector(), threading.Event()
        self.thread = threading.Thread(target=self._answer)
        self.thread.start()

    def open(self):
        """Opens another one. Returns the status of the answer."""
        connection = connect(self.engine)
        self.held.append(connection)
        status, got = answered(connection, UPGRADE)
        if status == 101:
            self.selector.register(connection, selectors.EVENT_READ, [got])
        return status

    def _answer(self):
        while not self.end.is_set():
            for key, _ in self.selector.select(0.05):
                piece = b""
                with contextlib.suppress(ConnectionError):
                    piece = key.fileobj.recv(4096)
                if not piece:
                    self.selector.unregister(key.fileobj)
                key.data[0] += piece
                while len(got := key.data[0]) >= 10:
                    assert got[:2] == b"\x89\x08", got
                    key.fileobj.sendall(b"\x8a\x88\0\0\0\0" + got[2:10])
                    key.data[0] = got[10:]

    def close(self):
        self.end.set()
        self.thread.join()
        self.selector.close()
        for one in self.held:
            one.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


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
    while time.monotonic() < end or not any(answers):
        assert time.monotonic() < end + LIMIT, "no connection is answered"
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
        with Crowd(engine) as crowd:
            assert [crowd.open() for _ in range(400)] == [101] * 400
            assert ask(connect(engine)) == 200


@contextlib.contextmanager
def full(scene, limit):
    """An engine whose descriptors are all taken, a client, and the connections that take them."""
    limited = Engine("--recording", scene, descriptors=(limit, limit))
    with limited as engine, open_socket(engine.socket_url) as first, Crowd(engine) as crowd:
        while crowd.open() == 101:
            assert is_served(first)
            assert len(crowd.held) < limit
        yield engine, first, crowd


def is_served(client):
    """Whether a WebSocket is answered."""
    client.send(json.dumps({"COMMAND": "LISTEN", "DATA": "/engine/rate"}))
    return b"/engine/rate" in client.recv(timeout=60)


@pytest.mark.parametrize("limit", [64, 1024])
def test_more_connections_than_descriptors_do_not_stop_the_server(scene, limit):
    with full(scene, limit) as (engine, first, crowd):
        def served():
            # Connected clients are still served.
            assert is_served(first)

        answers = [answer for answer in knock(engine, 2000, 3, served) if answer]
        assert answers and all(answer.startswith(b"HTTP/1.1 503 ") and b"frame-ancestors 'none'" in answer for answer in answers)
        crowd.close()
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
