"""WebSocket frames to the letter (RFC 6455), by raw sockets with and without TLS."""

import contextlib
import json
import os
import socket
import ssl
import struct
import threading

import pytest
from websockets.sync.client import connect

from program import Engine
from waiting import paced

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
LISTEN = json.dumps({"COMMAND": "IGNORE", "DATA": "/listener/1/gain"}).encode()


@pytest.fixture(scope="module", params=["plain", "tls"])
def server(request, scene, tmp_path_factory):
    """An engine with and without TLS; `connect` opens a connection to it."""
    state = tmp_path_factory.mktemp("state")
    options = ["--tls"] if request.param == "tls" else []
    with Engine("--recording", scene, *options, env=dict(os.environ, XDG_STATE_HOME=str(state))) as running:
        def connect():
            connection = socket.create_connection(("127.0.0.1", running.ready["http_port"]), timeout=60)
            if not options:
                return connection
            # The certificate is not under test here.
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            return context.wrap_socket(connection)

        running.connect = connect
        yield running


def request_bytes():
    key = b"dGhlIHNhbXBsZSBub25jZQ=="  # The sample of RFC 6455.
    return (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + key + b"\r\n\r\n")


def answer_to(server, *replaced):
    """Status of the answer to a request with some bytes replaced, and whether it names version 13."""
    request = request_bytes()
    for old, new in replaced:
        assert old in request
        request = request.replace(old, new)
    with server.connect() as connection:
        connection.sendall(request)
        head = connection.recv(4096)
        return int(head.split()[1]), b"sec-websocket-version: 13" in head


def upgrade(server, early=b""):
    connection = server.connect()
    connection.sendall(request_bytes() + early)
    got = b""
    while b"\r\n\r\n" not in got:
        got += connection.recv(1)
    assert got.startswith(b"HTTP/1.1 101 ")
    return connection


def frame(payload, opcode=TEXT, final=True, masked=True):
    head = bytes([(0x80 if final else 0) | opcode])
    flag, count = 0x80 if masked else 0, len(payload)
    if count < 126:
        head += bytes([flag | count])
    else:
        head += bytes([flag | 126]) + struct.pack(">H", count) if count < 65_536 else bytes([flag | 127]) + struct.pack(">Q", count)
    if not masked:
        return head + payload
    key = b"\x37\xfa\x21\x3d"  # The sample of RFC 6455.
    return head + key + bytes(byte ^ key[i % 4] for i, byte in enumerate(payload))


def received(connection):
    """Opcode and payload of each frame until the end of the connection."""
    got = b""
    with contextlib.suppress(ConnectionError):
        while piece := connection.recv(65_536):
            got += piece
            while len(got) >= 2:
                length, start = got[1] & 0x7F, 2
                if length == 126:
                    length, start = struct.unpack(">H", got[2:4])[0], 4
                if len(got) < start + length:
                    break
                yield got[0] & 0xF, got[start:start + length]
                got = got[start + length:]


def close_status(connection):
    """The status of the close frame with which the server ends a connection; None when it ends it without one."""
    return next((struct.unpack(">H", payload[:2])[0] for opcode, payload in received(connection) if opcode == CLOSE), None)


def is_open(connection):
    connection.sendall(frame(b"still here?", PING))
    for opcode, payload in received(connection):
        if opcode == PONG and payload == b"still here?":
            return True
        assert opcode != CLOSE, payload
    return False


def is_served(server):
    with upgrade(server) as connection:
        return is_open(connection)


@pytest.mark.parametrize("opcode", [TEXT, BINARY, CLOSE, PING, PONG])
@pytest.mark.parametrize("count", [0, 1, 125, 300])
def test_a_frame_without_a_mask_closes_with_1002(server, opcode, count):
    """RFC 6455, 5.1: a server must close the connection when it receives a frame that is not masked."""
    with upgrade(server) as connection:
        connection.sendall(frame(b"x" * min(count, 125 if opcode >= CLOSE else count), opcode, masked=False))
        assert close_status(connection) == 1002
    assert is_served(server)


def test_a_frame_without_a_mask_is_found_behind_good_ones(server):
    with upgrade(server) as connection:
        for count in [0, 3, 125, 126, 300, 40_000]:
            connection.sendall(frame(b" " * count))
        connection.sendall(frame(LISTEN[:5], final=False) + frame(b"", PONG) + frame(LISTEN[5:], opcode=0))
        assert is_open(connection)
        connection.sendall(frame(b"", PONG) + frame(LISTEN[:5], final=False) + frame(LISTEN[5:], opcode=0, masked=False))
        assert close_status(connection) == 1002


@pytest.mark.parametrize("masked", [True, False])
def test_frames_in_single_bytes_are_followed(server, masked):
    with upgrade(server) as connection:
        for data in paced(frame(LISTEN) + frame(b"abc", PING), 0.002):
            connection.sendall(bytes([data]))
        assert next(payload for opcode, payload in received(connection) if opcode == PONG) == b"abc"
        if masked:
            assert is_open(connection)
            return
        for data in paced(frame(LISTEN, masked=False)[:2], 0.05):
            connection.sendall(bytes([data]))
        assert close_status(connection) == 1002


@pytest.mark.parametrize("opcode", [PING, PONG, CLOSE])
@pytest.mark.parametrize("count", [126, 300, 2000])
def test_a_control_frame_over_125_bytes_closes_with_1002(server, opcode, count):
    with upgrade(server) as connection:
        connection.sendall(frame(b"x" * count, opcode))
        assert close_status(connection) == 1002


@pytest.mark.parametrize("payload, status", [
    (b"", None), (struct.pack(">H", 1000), 1000), (struct.pack(">H", 4999) + "für heute".encode(), 4999),
    (b"\x03", 1002), (struct.pack(">H", 1000) + b"\xff", 1007), (struct.pack(">H", 1005), 1002),
    *[(struct.pack(">H", status), 1002) for status in [0, 999, 1004, 1006, 1015, 2999, 5000, 65_535]],
])
def test_close_frames_are_answered_by_their_rules(server, payload, status):
    with upgrade(server) as connection:
        connection.sendall(frame(payload, CLOSE))
        answer = next(got for opcode, got in received(connection) if opcode == CLOSE)
        assert (struct.unpack(">H", answer[:2])[0] if answer else None) == status
    assert is_served(server)


def test_requests_that_open_no_websocket(server):
    assert answer_to(server)[0] == 101
    for version in [b"8", b"12", b"14", b"x"]:
        assert answer_to(server, (b"Version: 13", b"Version: " + version)) == (426, True)
    assert answer_to(server, (b"Sec-WebSocket-Version: 13\r\n", b"")) == (426, True)
    assert answer_to(server, (b"Sec-WebSocket-Key: ", b"Sec-WebSocket-Key: x"))[0] == 400
    assert is_served(server)


@pytest.mark.parametrize("command", [{"COMMAND": "LISTEN"}, {"COMMAND": "IGNORE"}, {"COMMAND": "LISTEN", "DATA": "gain"}])
def test_a_command_needs_an_address(server, command):
    with upgrade(server) as connection:
        connection.sendall(frame(json.dumps(command).encode()))
        text = next(payload for opcode, payload in received(connection) if opcode == TEXT)
        assert json.loads(text)["COMMAND"] == "ERROR" and b"DATA" in text
        assert is_open(connection)


def test_bytes_before_the_answer_to_the_request_close_with_1002(server):
    """RFC 6455, 4.1: a client must not send data before the server's handshake."""
    with upgrade(server, early=frame(LISTEN)) as connection:
        assert close_status(connection) == 1002
    assert is_served(server)


@pytest.mark.parametrize("opcode", [3, 7, 11, 15])
def test_reserved_opcodes_close_with_1002(server, opcode):
    with upgrade(server) as connection:
        connection.sendall(frame(b"x", opcode))
        assert close_status(connection) == 1002


@pytest.mark.parametrize("frames", [
    [frame(b"\xff\xfe")],
    [frame(b"\xc0\x80")],
    [frame(b"\xed\xa0\x80")],
    [frame(b"caf\xc3", final=False), frame(b"\x28", opcode=0)],
    [frame(b"good", final=False), frame(b"bad \x80", opcode=0)],
    [frame(b"\xf0\x9f\x91")],
])
def test_text_that_is_not_utf_8_closes_with_1007(server, frames):
    with upgrade(server) as connection:
        connection.sendall(b"".join(frames))
        assert close_status(connection) == 1007
    assert is_served(server)


def test_text_in_utf_8_stays_open_however_it_is_divided(server):
    with upgrade(server) as connection:
        text = json.dumps({"COMMAND": "IGNORE", "DATA": "/é/雨/👂"}, ensure_ascii=False).encode()
        for at in range(1, len(text)):
            connection.sendall(frame(text[:at], final=False) + frame(b"\xff", PONG) + frame(text[at:], opcode=0))
        connection.sendall(frame(b"\xff\xfe\xfd", BINARY) + frame(b"\xff", PING))
        assert next(payload for opcode, payload in received(connection) if opcode == PONG) == b"\xff"
        assert is_open(connection)


def test_a_client_that_is_disconnected_while_it_sends_reads_the_status(scene):
    """What it has sent meanwhile is read, since the kernel takes back the status of a connection that is closed without that."""
    with Engine("--recording", scene) as engine:
        engine.connect = lambda: socket.create_connection(("127.0.0.1", engine.ready["http_port"]), timeout=60)
        with connect(engine.socket_url + "/", subprotocols=["vestibule.telemetry.v1"]) as telemetry:
            telemetry.send(json.dumps({"type": "subscribe", "topics": ["clients"], "rate": 10}))
            clients = (each for text in telemetry for each in json.loads(text).get("data", []))
            former = 0
            for _ in range(8):
                with upgrade(engine) as connection:
                    is_over = threading.Event()

                    def send():
                        while not is_over.is_set():
                            connection.sendall(frame(b"", PONG))

                    sending = threading.Thread(target=send)
                    sending.start()
                    former = next(each["id"] for each in clients if each["kind"] == "query" and each["id"] > former)
                    engine.osc().send_message("/client/kick", former)
                    status = next(payload for opcode, payload in received(connection) if opcode == CLOSE)
                    is_over.set()
                    sending.join()
                    assert struct.unpack(">H", status) == (4002,)
                    connection.sendall(frame(status, CLOSE))
                    assert connection.recv(1) == b"", "the connection was reset"
