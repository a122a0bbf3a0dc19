"""HTTP to the letter, by raw sockets: doubtful requests are refused, and nothing is answered twice."""

import contextlib
import itertools
import json
import os
import signal
import socket
import struct
import subprocess
import threading
import time
import urllib.request

import pytest

from figures import figure, measured
from program import Engine
from waiting import LIMIT, paced, until

HOST = b"Host: 127.0.0.1\r\n"
LOGIN = b'{"token":"x"}'
POST = b"POST /login HTTP/1.1\r\n" + HOST


def connect(engine, family=socket.AF_INET):
    address = "::1" if family == socket.AF_INET6 else "127.0.0.1"
    connection = socket.socket(family)
    connection.settimeout(LIMIT)
    connection.connect((address, engine.ready["http_port"]))
    return connection


def read_answer(connection):
    """Status and headers and body of one answer; None at the end of the connection."""
    got = b""
    while b"\r\n\r\n" not in got:
        piece = connection.recv(65_536)
        if not piece:
            assert not got, got
            return None
        got += piece
    head, body = got.split(b"\r\n\r\n", 1)
    lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines[1:])}
    while len(body) < int(headers.get("content-length", 0)):
        piece = connection.recv(65_536)
        assert piece, "the body ends early"
        body += piece
    return int(lines[0].split()[1]), headers, body


def answers(engine, data):
    """Statuses of all answers to what is sent, after which the server has to close the connection."""
    with connect(engine) as connection:
        connection.sendall(data)
        rest = b""
        with contextlib.suppress(ConnectionError):
            while piece := connection.recv(65_536):
                rest += piece
        return [int(part.split()[1]) for part in rest.split(b"HTTP/1.")[1:]]


def is_served(engine):
    """Also without a token; 503 says that nothing has been rendered for a second."""
    return answers(engine, b"GET /health HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n") in ([200], [503])


@pytest.fixture(scope="module")
def served():
    """An engine that requests leave as it is."""
    with Engine() as running:
        yield running


NEXT = b"GET /?HOST_INFO HTTP/1.1\r\n" + HOST + b"\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
CHUNKS = b"5\r\nhello\r\n0\r\n\r\n"


@pytest.mark.parametrize("request_bytes, statuses", [
    # Host
    (b"GET /?HOST_INFO HTTP/1.1\r\n\r\n", [400]),
    (b"GET /?HOST_INFO HTTP/1.1\r\nHost:\r\n\r\n", [400]),
    (b"GET /?HOST_INFO HTTP/1.1\r\nHost: \r\n\r\n", [400]),
    # A NUL in the path, which ends it for some programs
    (b"GET /panel/%00x HTTP/1.1\r\n" + HOST + b"\r\n", [400]),
    (b"GET /panel/x%00 HTTP/1.1\r\n" + HOST + b"\r\n", [400]),
    (b"GET /%00 HTTP/1.1\r\n" + HOST + b"\r\n", [400]),
    (b"HEAD /a/%00 HTTP/1.1\r\n" + HOST + b"\r\n", [400]),
    (b"GET /listener/1/gain?VALUE=%00 HTTP/1.1\r\n" + HOST + b"\r\n", [400]),
    (b"GET /?HOST_INFO HTTP/1.1\r\n" + HOST + b"\r\nGET /?HOST_INFO%00 HTTP/1.1\r\n" + HOST + b"\r\n", [200, 400]),
    (b"GET /a%7Fb HTTP/1.1\r\n" + HOST + b"\r\n", [400]),
    # The end of a line, which ends the address for some programs
    (b"GET /listener/1/gain?VALUE=%0d%0aHost:%20evil.example HTTP/1.1\r\n" + HOST + b"\r\n", [400]),
    (b"GET /a%0D%0A HTTP/1.1\r\n" + HOST + b"\r\n", [400]),
    (POST + b"Content-Length: 13\r\n\r\n" + LOGIN + b"GET /?%0a HTTP/1.1\r\n" + HOST + b"\r\n", [200, 400]),
    # Escapes that are none
    (b"GET /%zz HTTP/1.1\r\n" + HOST + b"\r\n", [400]),
    (b"GET /a% HTTP/1.1\r\n" + HOST + b"\r\n", [400]),
    (b"GET /?VALUE=%2 HTTP/1.1\r\n" + HOST + b"\r\n", [400]),
    (b"GET /?HOST_INFO HTTP/1.1\r\n" + HOST + HOST + b"\r\n", [400]),
    (b"GET /?HOST_INFO HTTP/1.1\r\n" + HOST + b"Host: evil.example\r\n\r\n", [400]),
    (b"GET /?HOST_INFO HTTP/1.1\r\nHost : 127.0.0.1\r\n" + HOST + b"\r\n", [400]),
    (b"GET /?HOST_INFO HTTP/1.1\r\nHost: 127.0.0.1:x\r\n\r\n", [400]),
    (b"GET /?HOST_INFO HTTP/1.1\r\nHost: 127.0.0.1:99999\r\n\r\n", [400]),
    (b"GET /?HOST_INFO HTTP/1.1\r\nHost: a b\r\n\r\n", [400]),
    (b"GET /?HOST_INFO HTTP/1.1\r\nHost: user@127.0.0.1\r\n\r\n", [400]),
    (b"GET /?HOST_INFO HTTP/1.1\r\nHost: 127.0.0.1/path\r\n\r\n", [400]),
    (b"GET /?HOST_INFO HTTP/1.1\r\nHost: [::1\r\n\r\n", [400]),
    (b"GET /?HOST_INFO HTTP/1.1\r\nHost: \xff\r\n\r\n", [400]),
    (b"GET /?HOST_INFO HTTP/1.0\r\n\r\n", [400]),
    (b"GET /?HOST_INFO HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n", [200]),
    (b"GET /?HOST_INFO HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", [200]),
    (b"GET /?HOST_INFO HTTP/1.1\r\nHost: LocalHost.\r\n\r\n", [200]),
    # Another request in a body that is read as one
    (POST + CHUNKED + b"\r\n" + CHUNKS + NEXT, [411]),
    (POST + CHUNKED + b"Content-Length: 13\r\n\r\n" + LOGIN + NEXT, [400]),
    (POST + b"Content-Length: 13\r\n" + CHUNKED + b"\r\n" + CHUNKS + NEXT, [400]),
    (POST + b"Transfer-Encoding : chunked\r\nContent-Length: 13\r\n\r\n" + LOGIN + NEXT, [400]),
    (POST + b"Content-Length : 13\r\n\r\n" + LOGIN + NEXT, [400]),
    (POST + b"Content-Length: 13\r\nContent-Length: 13\r\n\r\n" + LOGIN + NEXT, [400]),
    (POST + b"Content-Length: 13\r\nContent-Length: 40\r\n\r\n" + LOGIN + NEXT, [400]),
    (POST + b"Content-Length: 13, 13\r\n\r\n" + LOGIN + NEXT, [400]),
    (POST + b"Content-Length: +13\r\n\r\n" + LOGIN + NEXT, [400]),
    (POST + b"Content-Length: -13\r\n\r\n" + LOGIN + NEXT, [400]),
    (POST + b"Content-Length: 0xd\r\n\r\n" + LOGIN + NEXT, [400]),
    (POST + b"Content-Length: 99999999999999999999\r\n\r\n" + LOGIN + NEXT, [413]),
    (b"GET /?HOST_INFO HTTP/1.1\r\n" + HOST + CHUNKED + b"\r\n" + CHUNKS + NEXT, [411]),
    (b"GET /?HOST_INFO HTTP/1.1\r\n" + HOST + b"Content-Length: 13\r\n\r\n" + LOGIN + NEXT, [400]),
    (b"PUT /?HOST_INFO HTTP/1.1\r\n" + HOST + b"Content-Length: 13\r\n\r\n" + LOGIN + NEXT, [405]),
    # In good form
    (POST + b"Content-Length: 13\r\n\r\n" + LOGIN + NEXT, [200, 200]),
    (POST + b"Content-Length: 13\r\n\r\n" + b'{"token":    ' + NEXT, [400, 200]),
    (b"GET /?HOST_INFO HTTP/1.1\r\n" + HOST + b"Content-Length: 0\r\n\r\n" + NEXT, [200, 200]),
    (NEXT + NEXT + NEXT, [200, 200, 200]),
])
def test_requests_in_doubt_are_refused_once(served, request_bytes, statuses):
    """After the answer to a request that is in good form the connection stays open for another one."""
    last = b"GET /none HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"
    assert answers(served, request_bytes + last) == statuses + ([404] if statuses[-1] == 200 else [])
    assert is_served(served)


def test_every_answer_has_the_headers_of_security(engine):
    requests = {
        200: b"GET /?HOST_INFO HTTP/1.1\r\n" + HOST + b"\r\n",
        204: b"GET /listener/1/recenter?VALUE HTTP/1.1\r\n" + HOST + b"\r\n",
        304: b"GET /panel/index.html HTTP/1.1\r\n" + HOST + b"If-None-Match: *\r\n\r\n",
        400: b"GET /?HOST_INFO HTTP/1.1\r\n\r\n",
        403: b"GET /?HOST_INFO HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        404: b"GET /nowhere HTTP/1.1\r\n" + HOST + b"\r\n",
        405: b"DELETE / HTTP/1.1\r\n" + HOST + b"\r\n",
        411: POST + b"\r\n",
        413: POST + b"Content-Length: 5000\r\n\r\n",
        416: b"GET /panel/index.html HTTP/1.1\r\n" + HOST + b"Range: bytes=99999999-\r\n\r\n",
        "metrics": b"GET /metrics HTTP/1.1\r\n" + HOST + b"\r\n",
        "tree": b"GET / HTTP/1.1\r\n" + HOST + b"\r\n",
        "page": b"GET / HTTP/1.1\r\nAccept: text/html\r\n" + HOST + b"\r\n",
        "node": b"GET /listener?HTML HTTP/1.1\r\n" + HOST + b"\r\n",
        "unknown method": b"BREW / HTTP/1.1\r\n" + HOST + b"\r\n",
        "no HTTP": b"\x00\x01\x02\r\n\r\n",
        "wrong escape": b"GET /%zz HTTP/1.1\r\n" + HOST + b"\r\n",
        "unknown upgrade": b"GET / HTTP/1.1\r\n" + HOST + b"Upgrade: smoke\r\nConnection: Upgrade\r\n\r\n",
        "foreign page": b"GET / HTTP/1.1\r\n" + HOST + b"Upgrade: websocket\r\nConnection: Upgrade\r\nOrigin: http://evil.example\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    }
    for name, data in requests.items():
        with connect(engine) as connection:
            connection.sendall(data)
            status, headers, _ = read_answer(connection)
        assert isinstance(name, str) or status == name
        policy = headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy and "default-src 'self'" in policy, name
        assert headers["x-content-type-options"] == "nosniff", name
        assert headers["x-frame-options"] == "DENY", name
        assert headers["referrer-policy"] == "same-origin", name


def is_closed_after(connection, data):
    """Sends data; whether the server has closed the connection. A time limit of the connection is how long it may take to tell."""
    try:
        connection.sendall(data)
        return connection.recv(4096) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def seconds_until_closed(engine, part):
    """Sends a byte of a request four times a second until the server closes the connection."""
    with connect(engine) as connection:
        begin = time.monotonic()
        if part == "second header":
            connection.sendall(NEXT)
            assert read_answer(connection)[0] == 200
        if part == "body":
            connection.sendall(POST + b"Content-Length: 1000\r\n\r\n")
        connection.settimeout(0.01)
        for _ in paced(itertools.count(), 0.25):
            assert time.monotonic() - begin < LIMIT, "the connection is still open"
            if is_closed_after(connection, b"" if part == "nothing" else b"X"):
                break
        return time.monotonic() - begin


PARTS = pytest.mark.parametrize("part", ["header", "body", "second header", "nothing"])


@PARTS
def test_a_request_that_never_ends_is_closed(engine, part):
    """Each byte that arrives would begin the time again otherwise."""
    seconds_until_closed(engine, part)
    assert is_served(engine)


def test_bodies_without_an_end_are_closed_although_the_engine_stood_still_at_their_time(engine):
    """The limit and a piece of each body are found in one turn then; the piece begins the library's own limit, which begins again."""
    with contextlib.ExitStack() as stack:
        bodies = [stack.enter_context(connect(engine)) for _ in range(8)]
        for body in bodies:
            body.sendall(POST + b"Content-Length: 1000\r\n\r\n")
            body.settimeout(0.01)

        def closed():
            return [is_closed_after(body, b"X") for body in bodies]

        for _ in paced(range(9), 1):
            closed()
        engine.process.send_signal(signal.SIGSTOP)
        for _ in paced(range(4), 1):
            closed()
        engine.process.send_signal(signal.SIGCONT)
        until(lambda: all(closed()))


@measured
@PARTS
def test_a_request_has_ten_seconds_in_all(engine, part):
    seconds = seconds_until_closed(engine, part)
    figure(f"seconds of a request without an end, {part}, most", seconds, at_most=13, unit="s")
    if part == "body":
        figure("seconds of a request without an end, body, least", seconds, at_least=8, unit="s")


@pytest.fixture
def large(scene):
    """An engine with a tree of some thousand parameters."""
    with Engine("--recording", scene, "--objects", 64, "--listeners", 8) as running:
        yield running


@pytest.fixture
def guarded(scene, tmp_path):
    """An engine that needs tokens."""
    with Engine("--recording", scene, "--token-file", tmp_path / "tokens") as running:
        running.tokens = dict(line.split() for line in (tmp_path / "tokens").read_text().splitlines())
        yield running


def bearer(engine, token, path="/listener/1/gain"):
    return answers(engine, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
                           f"Authorization: Bearer {token}\r\n\r\n".encode())


def test_wrong_bearer_tokens_count_as_wrong_logins(guarded):
    right = guarded.tokens["view"]
    assert [bearer(guarded, right) for _ in range(15)] == [[200]] * 15
    assert [bearer(guarded, f"wrong{i}") for i in range(10)] == [[401]] * 10
    assert bearer(guarded, "wrong") == [429]
    # Those who have the token are let in, although they share the address.
    assert bearer(guarded, right) == [200]
    for token, status in (("wrong", 429), (right, 200)):
        body = json.dumps({"token": token}).encode()
        assert answers(guarded, POST + f"Connection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body) == [status]
    # Paths without tokens are still served.
    assert is_served(guarded)


def test_tls_has_authenticated_encryption_only(scene, tmp_path):
    environment = dict(os.environ, XDG_STATE_HOME=str(tmp_path))
    with Engine("--recording", scene, "--tls", env=environment) as engine:
        address = f"127.0.0.1:{engine.ready['http_port']}"

        def succeeds(*options):
            result = subprocess.run(
                ["openssl", "s_client", "-connect", address, *options], input=b"", capture_output=True, timeout=60)
            return b"Cipher is (NONE)" not in result.stdout and b"Cipher is " in result.stdout

        assert succeeds("-tls1_3")
        for suite in ["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305"]:
            assert succeeds("-tls1_2", "-cipher", suite)
        for suite in ["ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA384", "ECDHE-ECDSA-AES128-SHA256", "AES128-SHA",
                      "AES128-GCM-SHA256"]:
            assert not succeeds("-tls1_2", "-cipher", suite + ":@SECLEVEL=0")
        assert not succeeds("-tls1_1", "-cipher", "ALL:@SECLEVEL=0")


@contextlib.contextmanager
def slow_readers(engine):
    """Three hundred clients that ask for the whole tree and do not read it; a list that grows to that many."""
    assert answers(engine, b"GET / HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n") == [200]
    slow = []
    stop = threading.Event()

    def ask():
        while not stop.is_set() and len(slow) < 300:
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.connect(("127.0.0.1", engine.ready["http_port"]))
            one.settimeout(LIMIT)
            one.sendall(b"GET / HTTP/1.1\r\n" + HOST + b"\r\n")
            slow.append(one)

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield slow
    finally:
        stop.set()
        thread.join()
        for one in slow:
            one.close()


def test_slow_readers_of_the_whole_tree_get_it_and_others_are_served(large):
    with slow_readers(large) as slow:
        while len(slow) < 300:
            assert large.value("/listener/1/gain") == 0
        # Each gets the whole of it in the end; one that takes nothing for half a minute is closed.
        status, _, body = read_answer(slow[-1])
        assert status == 200 and json.loads(body)["FULL_PATH"] == "/"


@measured
def test_slow_readers_of_the_whole_tree_do_not_hold_up_others(large):
    times = []
    with slow_readers(large) as slow:
        while len(slow) < 300 or len(times) < 50:
            begin = time.monotonic()
            assert large.get("/health")["status"] == "ok"
            times.append(time.monotonic() - begin)
    figure("answers beside 300 slow readers, 90 %", sorted(times)[len(times) * 9 // 10], at_most=0.1, unit="s")
    figure("answers beside 300 slow readers, longest", max(times), at_most=1, unit="s")


def test_the_tree_is_the_present_one(engine):
    def gain():
        return engine.get("/")["CONTENTS"]["listener"]["CONTENTS"]["1"]["CONTENTS"]["gain"]["VALUE"]

    assert gain() == [0]
    for value in (-1.5, -2.5, -3.5):
        engine.osc().send_message("/listener/1/gain", value)
        until(lambda: engine.value("/listener/1/gain") == value)
        assert gain() == [value]
        assert engine.get("/listener/1?CONTENTS")["CONTENTS"]["gain"]["VALUE"] == [value]
    rack = engine.get("/rack/listener/1")
    engine.osc().send_message("/rack/listener/1/add", "gate")
    until(lambda: engine.get("/rack/listener/1") != rack)


# IPv6


@pytest.mark.parametrize("bind", ["::1", "::"])
def test_everything_is_served_by_ipv6(scene, tmp_path, bind):
    environment = dict(os.environ, XDG_STATE_HOME=str(tmp_path))
    with Engine("--recording", scene, "--bind", bind, env=environment) as engine:
        port = engine.ready["http_port"]
        tokens = tmp_path / "vestibule" / "tokens"
        token = dict(line.split() for line in tokens.read_text().splitlines())["control"] if bind == "::" else "none"
        allowed = {"Authorization": f"Bearer {token}"}

        def get(path, headers=allowed, host="[::1]"):
            request = urllib.request.Request(f"http://{host}:{port}{path}", headers=headers)
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)

        info = get("/?HOST_INFO")
        assert info["OSC_IP"] == info["WS_IP"] == "::1"
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as client:
            client.settimeout(LIMIT)
            client.sendto(b"/listener/1/gain\0\0\0\0,f\0\0" + struct.pack(">f", -4.0), ("::1", engine.ready["osc_port"]))
            until(lambda: get("/listener/1/gain?VALUE")["VALUE"] == [-4])
            client.sendto(b"/listener/1/gain\0\0\0\0,\0\0\0", ("::1", engine.ready["osc_port"]))
            assert client.recv(4096).endswith(struct.pack(">f", -4.0))
        with connect(engine, socket.AF_INET6) as connection:
            connection.sendall(
                f"GET / HTTP/1.1\r\nHost: [::1]:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Origin: http://[::1]:{port}\r\nAuthorization: Bearer {token}\r\nSec-WebSocket-Version: 13\r\n"
                f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode())
            assert connection.recv(4096).startswith(b"HTTP/1.1 101 ")
        with connect(engine, socket.AF_INET6) as connection:
            connection.sendall(f"GET / HTTP/1.1\r\nHost: [2001:db8::1]:{port}\r\n\r\n".encode())
            assert read_answer(connection)[0] == 403
        if bind == "::":
            with connect(engine, socket.AF_INET6) as connection:
                connection.sendall(f"GET /listener/1/gain HTTP/1.1\r\nHost: [::1]:{port}\r\n\r\n".encode())
                assert read_answer(connection)[0] == 401
            assert get("/?HOST_INFO", host="127.0.0.1")["NAME"] == info["NAME"]
            body = b'{"role":"control"}'
            with connect(engine, socket.AF_INET6) as connection:
                connection.sendall(
                    f"POST /pairing/offer HTTP/1.1\r\nHost: [::1]:{port}\r\nAuthorization: Bearer {token}\r\n"
                    f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
                status, _, offer = read_answer(connection)
            assert status == 200 and f":{port}/" in json.loads(offer)["url"]
        else:
            assert engine.ready["panel"] == f"http://[::1]:{port}/"
