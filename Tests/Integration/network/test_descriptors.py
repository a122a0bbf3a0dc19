"""Behaviour when connections take all descriptors of the process."""

import pathlib
import resource
import selectors
import socket
import time

import pytest

from program import Engine
from waiting import until

REQUEST = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.fixture(autouse=True)
def many_descriptors():
    """Allows this process 4,000 descriptors."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4000)), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def connect(engine):
    return socket.create_connection(("127.0.0.1", engine.ready["http_port"]), timeout=60)


def ask(connection):
    """The status of an answer to a request for the health, or None when the connection was closed."""
    try:
        connection.sendall(REQUEST)
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


@pytest.mark.parametrize("limit", [64, 1024])
def test_more_connections_than_descriptors_do_not_stop_the_server(scene, limit):
    with Engine("--recording", scene, descriptors=(limit, limit)) as engine:
        first = connect(engine)
        assert ask(first) == 200
        held = []
        while True:
            one = connect(engine)
            held.append(one)
            if ask(one) != 200:
                break
            assert ask(first) == 200
            assert len(held) < limit
        begin, idle = time.monotonic(), control_seconds(engine)
        times = []

        def served():
            # Connected clients are still served.
            asked = time.monotonic()
            assert ask(first) == 200
            times.append(time.monotonic() - asked)

        answers = knock(engine, 2000, 3, served)
        load = (control_seconds(engine) - idle) / (time.monotonic() - begin)
        assert load < 0.3, "the control thread spins"
        full = [answer for answer in answers if answer]
        assert full and all(answer.startswith(b"HTTP/1.1 503 ") and b"frame-ancestors 'none'" in answer for answer in full)
        assert max(times) < 1
        for one in held:
            one.close()
        until(lambda: ask(connect(engine)) == 200)
        engine.osc().send_message("/listener/1/gain", -5.0)
        until(lambda: engine.value("/listener/1/gain") == -5)
        assert engine.metric("vestibule_http_refused_connections_total") >= len(full)
        assert "ulimit -n" in engine.log
