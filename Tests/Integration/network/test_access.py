"""Access control when the server is reachable from the network, with uninterrupted sound."""

import asyncio
import contextlib
import json
import os
import socket
import stat
import struct
import urllib.error
import urllib.request

import pytest
import websockets
import websockets.exceptions
from playwright.sync_api import expect, sync_playwright
from pythonosc.osc_message_builder import OscMessageBuilder

import chromium
from health import becomes_well, health
from program import Engine, own_address
from waiting import LIMIT, until


@pytest.fixture
def open_engine(scene, tmp_path):
    """An engine bound to every address; `tokens` holds the content of its token file."""
    environment = dict(os.environ, XDG_STATE_HOME=str(tmp_path))
    with Engine("--recording", scene, "--bind", "0.0.0.0", env=environment) as running:
        file = tmp_path / "vestibule" / "tokens"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        running.tokens = dict(line.split() for line in file.read_text().splitlines())
        yield running
        for token in running.tokens.values():
            assert token not in running.log
        until(lambda: str(file) in running.log, lambda: running.log)


def request(engine, path, **headers):
    """Status and body of a GET."""
    wanted = urllib.request.Request(engine.url + path, headers={k.replace("_", "-"): v for k, v in headers.items()})
    try:
        with urllib.request.urlopen(wanted, timeout=60) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_the_start_says_what_can_be_read_without_tls(open_engine, scene, tmp_path):
    hint = "hint: without TLS everything can be read on its way through the network"
    until(lambda: hint in open_engine.log and "start with --tls" in open_engine.log, lambda: open_engine.log)
    with Engine("--recording", scene, "--token-file", tmp_path / "own") as engine:
        until(lambda: "token: in" in engine.log)
        engine.stop()
        assert hint not in engine.log


def set_gain(engine, value, **options):
    builder = OscMessageBuilder("/listener/1/gain")
    builder.add_arg(value)

    async def send():
        async with websockets.connect(engine.socket_url + "/", **options) as connection:
            await connection.send(builder.build().dgram)
            await connection.send(json.dumps({"COMMAND": "LISTEN", "DATA": "/engine/period"}))
            return await asyncio.wait_for(connection.recv(), LIMIT)

    return asyncio.run(send())


def gain(engine):
    return json.loads(request(engine, "/listener/1/gain?VALUE", Authorization=f"Bearer {engine.tokens['view']}")[1])["VALUE"]


def test_tokens_and_their_roles(open_engine):
    assert request(open_engine, "/")[0] == 401
    assert request(open_engine, "/?HOST_INFO", Authorization="Bearer 0123456789abcdef0123456789abcdef")[0] == 401
    # 503 while nothing has been rendered for a second.
    assert request(open_engine, "/health")[0] in (200, 503)
    assert gain(open_engine) == [0]
    with pytest.raises(websockets.exceptions.WebSocketException):
        set_gain(open_engine, -3.0)
    view = ["vestibule.oscquery", f"vestibule.token.{open_engine.tokens['view']}"]
    assert "view and listen" in set_gain(open_engine, -3.0, subprotocols=view)
    assert gain(open_engine) == [0]
    control = ["vestibule.oscquery", f"vestibule.token.{open_engine.tokens['control']}"]
    set_gain(open_engine, -3.0, subprotocols=control)
    assert gain(open_engine) == [-3]


def test_a_foreign_host_name_is_refused_with_instructions(engine, scene):
    status, body = request(engine, "/", Host="hall.example")
    assert status == 403 and b"--allow-host hall.example" in body
    with Engine("--recording", scene, "--allow-host", "hall.example") as friendly:
        assert request(friendly, "/", Host=f"hall.example:{friendly.ready['http_port']}")[0] == 200


def flood(engine, address, count):
    """Sends poses from an address of this machine other than loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.bind((address, 0))
        pose = b"/listener/1/ypr\0,fff\0\0\0\0" + struct.pack(">fff", 77, 0, 0)
        for _ in range(count):
            sender.sendto(pose, (address, engine.ready["osc_port"]))


@pytest.mark.skipif(own_address() is None, reason="this machine has loopback only")
def test_osc_from_an_unlisted_address_is_refused_without_interrupting_the_sound(open_engine, scene, tmp_path):
    address = own_address()
    view = {"Authorization": f"Bearer {open_engine.tokens['view']}"}
    before = health(open_engine)
    flood(open_engine, address, 20_000)
    until(lambda: open_engine.log.count(f"--allow-osc {address}") == 1, describe=lambda: open_engine.log)
    assert json.loads(request(open_engine, "/listener/1/ypr?VALUE", **view)[1])["VALUE"] == [0, 0, 0]
    after = becomes_well(open_engine)
    print(f"xruns during a flood of 20000 datagrams: {after['xruns'] - before['xruns']}")
    assert open_engine.log.count(address) <= 3
    listed = Engine(
        "--recording", scene, "--bind", "0.0.0.0", "--allow-osc", f"{address}/32", "--token-file", tmp_path / "other")
    with listed as running:
        flood(running, address, 1)
        running.tokens = dict(line.split() for line in (tmp_path / "other").read_text().splitlines())
        view = {"Authorization": f"Bearer {running.tokens['view']}"}
        until(lambda: json.loads(request(running, "/listener/1/ypr?VALUE", **view)[1])["VALUE"][0] > 76.9)


def test_simultaneous_attacks_do_not_interrupt_the_sound(engine):
    """Incomplete requests, gigabyte frames, deep JSON and foreign host names do not affect other clients."""
    port = engine.ready["http_port"]
    before = health(engine)
    held = []
    upgrade = (
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n")
    deep = b"[" * 60_000
    for attack in (b"GET / HTTP/1.1\r\nHost: 127", upgrade + b"\x82\xff" + struct.pack(">Q", 1 << 30) + b"abcd",
                   upgrade + b"\x81\xfe" + struct.pack(">H", len(deep)) + b"\0\0\0\0" + deep,
                   b"GET /panel/../../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
                   b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n") * 40:
        connection = socket.create_connection(("127.0.0.1", port))
        # The server may end the connection while the rest of a frame is still on its way.
        with contextlib.suppress(ConnectionError):
            connection.sendall(attack)
        held.append(connection)
    assert engine.value("/listener/1/gain") == 0
    after = until(lambda: (now := health(engine))["blocks"] > before["blocks"] + 1500 and now)
    print(f"xruns during the attacks: {after['xruns'] - before['xruns']}")
    becomes_well(engine)
    until(lambda: "evil.example" in engine.log, lambda: engine.log)
    assert engine.log.count("evil.example") == 2  # One line, which names it twice.
    for connection in held:
        connection.close()


@pytest.mark.page
@pytest.mark.gate
def test_login_on_the_panel(open_engine, screenshots):
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        page = browser.new_page()
        page.goto(open_engine.url)
        expect(page.get_by_role("dialog")).to_be_visible()
        page.get_by_label("Token").fill("0123456789abcdef")
        page.get_by_role("button", name="Connect").click()
        expect(page.get_by_text("Wrong token.")).to_be_visible()
        page.screenshot(path=screenshots / "login.png")
        page.get_by_label("Token").fill(open_engine.tokens["control"])
        page.get_by_role("button", name="Connect").click()
        chromium.connected(page)
        expect(page.get_by_role("dialog")).to_be_hidden()
        cookie = page.context.cookies()[0]
        assert cookie["httpOnly"] and cookie["sameSite"] == "Strict"
        other = browser.new_context().new_page()
        other.goto(f"{open_engine.url}/#token={open_engine.tokens['view']}")
        chromium.connected(other)
        assert "token" not in other.url
        browser.close()


def test_a_login_holds_after_a_restart_and_at_an_engine_with_the_same_tokens(scene, tmp_path):
    def cookie_of(engine):
        body = json.dumps({"token": tokens["view"]}).encode()
        wanted = urllib.request.Request(engine.url + "/login", data=body, method="POST")
        with urllib.request.urlopen(wanted, timeout=60) as answer:
            return answer.headers["Set-Cookie"].split(";")[0]

    options = ("--recording", scene, "--token-file", tmp_path / "tokens")
    with Engine(*options) as engine:
        tokens = dict(line.split() for line in (tmp_path / "tokens").read_text().splitlines())
        cookie = cookie_of(engine)
        assert tokens["view"] not in cookie and request(engine, "/?HOST_INFO", Cookie=cookie)[0] == 200
    with Engine(*options) as engine:
        assert request(engine, "/?HOST_INFO", Cookie=cookie)[0] == 200
        assert request(engine, "/?HOST_INFO", Cookie=cookie[:-1] + ("0" if cookie[-1] != "0" else "1"))[0] == 401
        # It still gives no more than its token.
        body = json.dumps({"role": "view"}).encode()
        wanted = urllib.request.Request(engine.url + "/pairing/offer", data=body, headers={"Cookie": cookie}, method="POST")
        with pytest.raises(urllib.error.HTTPError) as refusal:
            urllib.request.urlopen(wanted, timeout=LIMIT)
        assert refusal.value.code == 403
    (tmp_path / "tokens").unlink()
    with Engine(*options) as engine:
        assert request(engine, "/?HOST_INFO", Cookie=cookie)[0] == 401
