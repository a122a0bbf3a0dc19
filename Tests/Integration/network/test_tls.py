"""TLS: the private authority, the trust page, and custom certificates."""

import asyncio
import contextlib
import http.client
import json
import os
import socket
import ssl
import stat
import struct
import subprocess

import pytest
import websockets
import websockets.exceptions
from pythonosc.osc_message_builder import OscMessageBuilder

from network_listener import unbroken
from program import Engine, run
from waiting import LIMIT, until


class SecureEngine(Engine):
    """An engine with `--tls` and a client that trusts the certificate from the trust page."""

    def __init__(self, *arguments, state, **options):
        self.state = state
        super().__init__(*arguments, env=dict(os.environ, XDG_STATE_HOME=str(state)), **options)

    def plain(self, path, method="GET", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.ready["http_port"], timeout=60)
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        return response, response.read()

    @property
    def context(self):
        return ssl.create_default_context(cadata=self.plain("/trust/vestibule.pem")[1].decode())

    def secure(self, path, host="localhost", **headers):
        connection = http.client.HTTPSConnection(host, self.ready["http_port"], timeout=60, context=self.context)
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        return response, response.read()

    def socket(self, path="/", **options):
        return websockets.connect(f"wss://localhost:{self.ready['http_port']}{path}", ssl=self.context, **options)


def health(engine):
    """What the engine says about its state, also with 503, as while it has rendered nothing for a second."""
    return json.loads(engine.secure("/health")[1])


@pytest.fixture
def secure_engine(scene, tmp_path):
    with SecureEngine("--recording", scene, "--tls", state=tmp_path) as running:
        yield running
        assert running.stop() == 0, running.log


def test_the_authority_is_valid_for_every_name(secure_engine, tmp_path):
    assert secure_engine.ready["panel"].startswith("https://127.0.0.1:")
    for host in ("localhost", "127.0.0.1"):
        response, body = secure_engine.secure("/?HOST_INFO", host)
        assert response.status == 200 and json.loads(body)["NAME"]
    stranger = http.client.HTTPSConnection("localhost", secure_engine.ready["http_port"], timeout=60)
    with pytest.raises(ssl.SSLCertVerificationError):
        stranger.request("GET", "/?HOST_INFO")
    for name in ("authority.pem", "server.pem"):
        assert stat.S_IMODE((tmp_path / "vestibule/tls" / name).stat().st_mode) == 0o600
    assert "PRIVATE" not in secure_engine.log


def test_old_protocols_are_refused(secure_engine):
    for version in (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version = context.maximum_version = version
        with socket.create_connection(("127.0.0.1", secure_engine.ready["http_port"]), timeout=60) as raw:
            with pytest.raises((ssl.SSLError, ConnectionError)):
                context.wrap_socket(raw)
    with socket.create_connection(("127.0.0.1", secure_engine.ready["http_port"]), timeout=60) as raw:
        with secure_engine.context.wrap_socket(raw, server_hostname="localhost") as connection:
            assert connection.version() == "TLSv1.3"


def test_plain_http_is_redirected_and_the_fingerprint_matches_the_terminal(secure_engine):
    port = secure_engine.ready["http_port"]
    response, _ = secure_engine.plain("/listener/1/gain?VALUE")
    assert response.status == 308 and response.headers["Location"] == f"https://127.0.0.1:{port}/listener/1/gain?VALUE"
    response, page = secure_engine.plain("/trust")
    assert response.status == 200
    fingerprint = until(lambda: next((line for line in secure_engine.log.splitlines() if "fingerprint" in line), None)).split()[-1]
    assert fingerprint in page.decode()

    async def plain_socket():
        async with websockets.connect(f"ws://127.0.0.1:{port}/"):
            pass

    with pytest.raises(websockets.exceptions.WebSocketException):
        asyncio.run(plain_socket())


def test_wss_serves_values_and_sound_but_not_foreign_pages(secure_engine):
    builder = OscMessageBuilder("/listener/1/gain")
    builder.add_arg(-7.0)
    origin = f"https://localhost:{secure_engine.ready['http_port']}"

    async def go():
        async with secure_engine.socket(origin=origin) as connection:
            await connection.send(builder.build().dgram)
            await connection.send(json.dumps({"COMMAND": "LISTEN", "DATA": "/engine/period"}))
            assert b"/engine/period" in await asyncio.wait_for(connection.recv(), LIMIT)
        async with secure_engine.socket("/audio/1") as sound:
            assert json.loads(await sound.recv())["format"] == "s16le"
            await unbroken(sound, 100)
        for foreign in (origin.replace("https", "http"), "https://evil.example"):
            with pytest.raises(websockets.exceptions.WebSocketException):
                async with secure_engine.socket(origin=foreign):
                    pass

    asyncio.run(go())
    assert json.loads(secure_engine.secure("/listener/1/gain?VALUE")[1])["VALUE"] == [-7]


def test_attacks_over_tls_do_not_interrupt_the_sound(secure_engine):
    """Gigabyte frames, incomplete handshakes and a client that stops reading cause no xrun and do not affect others."""
    before = health(secure_engine)
    port = secure_engine.ready["http_port"]
    held = []
    upgrade = (
        b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n")
    context = secure_engine.context
    for attack in (upgrade + b"\x82\xff" + struct.pack(">Q", 1 << 30) + b"abcd",
                   b"GET /panel/../../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
                   upgrade + b"\x81\xfe" + struct.pack(">H", 60_000) + b"\0\0\0\0" + b"[" * 60_000) * 10:
        connection = context.wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname="localhost")
        # The server may end the connection while the rest of a frame is still on its way.
        with contextlib.suppress(ssl.SSLEOFError, ConnectionError):
            connection.sendall(attack)
        held.append(connection)
    for begin in (b"", b"\x16\x03\x01\x02\x00\x01", b"\x16" + bytes(range(200))) * 10:
        connection = socket.create_connection(("127.0.0.1", port))
        connection.sendall(begin)
        held.append(connection)
    assert json.loads(secure_engine.secure("/listener/1/gain?VALUE")[1])["VALUE"] == [0]
    after = until(lambda: (now := health(secure_engine))["blocks"] > before["blocks"] + 1500 and now)
    print(f"xruns during the attacks: {after['xruns'] - before['xruns']}")
    until(lambda: health(secure_engine)["status"] == "ok")
    for connection in held:
        connection.close()


def test_requests_in_records_of_any_size_are_answered(secure_engine):
    """A record of TLS holds many requests, and a request takes many records: each is answered once."""
    def statuses(*pieces):
        with socket.create_connection(("127.0.0.1", secure_engine.ready["http_port"]), timeout=60) as plain:
            with secure_engine.context.wrap_socket(plain, server_hostname="localhost") as connection:
                # What is too long is answered before all of it is sent.
                with contextlib.suppress(ssl.SSLEOFError, ConnectionError):
                    for piece in pieces:
                        connection.sendall(piece)
                got = b""
                with contextlib.suppress(ssl.SSLEOFError, ConnectionError):
                    while piece := connection.recv(65_536):
                        got += piece
        # 503 says that nothing has been rendered for a second.
        return [200 if part.split()[1] == b"503" else int(part.split()[1]) for part in got.split(b"HTTP/1.")[1:]]

    def request(more=b""):
        return b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Auth: 1\r\n" + more + b"\r\n"

    last = request(b"Connection: close\r\n")
    assert statuses(120 * request() + last) == [200] * 121
    assert statuses(*(bytes([byte]) for byte in request() + last)) == [200, 200]
    foreign = b"Cookie: " + 50_000 * b"x" + b"\r\n"
    assert statuses(2 * request(foreign) + last) == [200, 200, 200]
    assert statuses(request(2 * foreign)) == [431]
    # A request with a body waits for the answers to those before it, or is not answered.
    body = b'{"token":}'
    login = b"POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    assert statuses(request() + login + last) == [200]
    assert statuses(login + last) == [400, 200]
    assert statuses(*(bytes([byte]) for byte in login + last)) == [400, 200]
    assert statuses(login + login + last) == [400]
    connection = http.client.HTTPSConnection("localhost", secure_engine.ready["http_port"], timeout=60, context=secure_engine.context)
    for _ in range(3):
        connection.request("POST", "/login", body)
        response = connection.getresponse()
        assert response.status == 400 and response.read()


def test_the_authority_persists_between_starts(scene, tmp_path):
    given = []
    for _ in range(2):
        with SecureEngine("--recording", scene, "--tls", "--bind", "0.0.0.0", state=tmp_path) as running:
            given.append(running.plain("/trust/vestibule.crt")[1])
            token = dict(line.split() for line in (tmp_path / "vestibule/tokens").read_text().splitlines())["view"]
            assert running.secure("/listener/1/gain?VALUE")[0].status == 401
            response, _ = running.secure("/listener/1/gain?VALUE", Authorization=f"Bearer {token}")
            assert response.status == 200
            connection = http.client.HTTPSConnection(
                "localhost", running.ready["http_port"], timeout=60, context=running.context)
            connection.request("POST", "/login", json.dumps({"token": token}))
            assert "; Secure" in connection.getresponse().headers["Set-Cookie"]
    assert given[0] == given[1]


def test_a_custom_certificate(scene, tmp_path):
    def make(name):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "90", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
             "-keyout", tmp_path / f"{name}.key", "-out", tmp_path / f"{name}.crt"], check=True, capture_output=True)

    make("mine")
    make("other")
    own = ("--certificate", tmp_path / "mine.crt", "--key", tmp_path / "mine.key")
    with SecureEngine("--recording", scene, *own, state=tmp_path) as running:
        context = ssl.create_default_context(cafile=tmp_path / "mine.crt")
        connection = http.client.HTTPSConnection("localhost", running.ready["http_port"], timeout=60, context=context)
        connection.request("GET", "/?HOST_INFO")
        assert connection.getresponse().status == 200
        assert running.plain("/trust")[0].status == 404
        assert not (tmp_path / "vestibule/tls").exists()
    wrong = run("serve", "--certificate", own[1], "--key", tmp_path / "other.key", "--http-port", "0", "--osc-port", "0", check=False)
    assert wrong.returncode != 0 and "the key belongs to another certificate" in wrong.stderr
    alone = run("serve", "--certificate", own[1], check=False)
    assert alone.returncode != 0 and "--certificate and --key must be given together" in alone.stderr
