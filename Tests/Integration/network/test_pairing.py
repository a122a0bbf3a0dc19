"""Pairing by a QR code over TLS, and revoking."""

import json
import os
import pty
import re
import signal
import socket
import struct
import subprocess
import threading
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect, sync_playwright

import qr_code
import chromium
from program import PROGRAM, ROOT, Engine, own_address, run
from test_tls import SecureEngine
from waiting import paced, saw, until


class Terminal:
    """The program in a terminal; `output` holds its output."""

    def __init__(self, *arguments, env):
        ours, theirs = pty.openpty()
        self.descriptor, self.bytes = ours, b""
        self.process = subprocess.Popen(
            [PROGRAM, *map(str, arguments)], stdin=theirs, stdout=theirs, stderr=theirs, env=env, cwd=ROOT)
        os.close(theirs)
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        while True:
            try:
                self.bytes += os.read(self.descriptor, 65536)
            except OSError:
                return

    @property
    def output(self):
        return self.bytes.decode(errors="replace")

    def press_enter(self):
        os.write(self.descriptor, b"\n")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=60)
        os.close(self.descriptor)


def post(url, path, body, **headers):
    """Returns status and answer of a POST without TLS."""
    wanted = urllib.request.Request(url + path, json.dumps(body).encode(), headers=headers)
    try:
        with urllib.request.urlopen(wanted, timeout=60) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def test_the_terminal_shows_a_code_and_a_new_one_on_enter(scene, tmp_path):
    environment = dict(os.environ, XDG_STATE_HOME=str(tmp_path))
    serve = ("serve", "--recording", scene, "--bind", "0.0.0.0", "--http-port", "0", "--osc-port", "0")
    with Terminal(*serve, env=environment) as terminal:
        first = until(lambda: qr_code.in_terminal(terminal.output), lambda: terminal.output)
        (url,) = first
        until(lambda: f"open {url}" in terminal.output, lambda: terminal.output)
        assert re.search(r"^http://[\d.]+:\d+/phone#pair=[0-9a-f]{32}$", url)
        base, token = url.split("/phone#pair=")
        status, headers, body = post(base, "/pairing", {"token": token, "name": "Phone"})
        assert status == 200 and json.loads(body)["role"] == "control"
        assert post(base, "/pairing", {"token": token})[0] == 410
        terminal.press_enter()
        second = until(lambda: len(c := qr_code.in_terminal(terminal.output)) == 2 and c[1], lambda: terminal.output)
        assert second != url

        def read(path="/listener/1/gain"):
            wanted = urllib.request.Request(base + path, headers={"Cookie": headers["Set-Cookie"].split(";")[0]})
            try:
                return urllib.request.urlopen(wanted, timeout=60).status
            except urllib.error.HTTPError as error:
                return error.code

        assert read() == 200
        listed = run("pairing", env=environment).stdout
        identity = listed.split()[0]
        assert "control" in listed and listed.rstrip().endswith("Phone")
        wrong = run("pairing", "--revoke", "00000000", env=environment, check=False)
        assert wrong.returncode != 0 and "No paired client" in wrong.stderr
        assert "view" in run("pairing", "--view", identity, env=environment).stdout
        # The command's name in 0.1 stays an alias for a release.
        former = run("devices", "--revoke", identity, env=environment)
        assert former.stdout.startswith("No paired clients.") and "vestibule pairing" in former.stderr
        until(lambda: read() == 401)


@pytest.mark.skipif(own_address() is None, reason="this machine has loopback only")
def test_a_paired_client_may_send_osc_until_it_is_revoked(scene, tmp_path):
    address = own_address()
    environment = dict(os.environ, XDG_STATE_HOME=str(tmp_path))
    with Engine("--recording", scene, "--bind", "0.0.0.0", env=environment) as engine:
        token = dict(line.split() for line in (tmp_path / "vestibule/tokens").read_text().splitlines())["control"]
        base = f"http://{address}:{engine.ready['http_port']}"
        bearer = {"Authorization": f"Bearer {token}"}

        def turn(degrees):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
                sender.bind((address, 0))
                pose = b"/listener/1/ypr\0,fff\0\0\0\0" + struct.pack(">fff", degrees, 0, 0)
                sender.sendto(pose, (address, engine.ready["osc_port"]))

        def yaw():
            wanted = urllib.request.Request(base + "/listener/1/ypr?VALUE", headers=bearer)
            return json.load(urllib.request.urlopen(wanted, timeout=60))["VALUE"][0]

        turn(11)
        until(lambda: f"--allow-osc {address}" in engine.log)
        for role, moves in (("view", False), ("control", True)):
            _, _, offered = post(base, "/pairing/offer", {"role": role}, **bearer)
            code = json.loads(offered)["url"].split("#pair=")[1]
            status, _, paired = post(base, "/pairing", {"token": code, "name": role})
            assert status == 200
            turn(33)
            if moves:
                until(lambda: abs(yaw() - 33) < 0.01)
            else:
                assert yaw() == 0
        assert post(base, "/pairing/revoke", {"id": json.loads(paired)["id"]}, **bearer)[0] == 204
        turn(44)
        # Datagrams are processed in order: when this machine's own has arrived, earlier ones have too.
        engine.osc().send_message("/listener/1/gain", -3.0)
        until(lambda: json.load(urllib.request.urlopen(urllib.request.Request(
            base + "/listener/1/gain?VALUE", headers=bearer)))["VALUE"] == [-3])
        assert abs(yaw() - 33) < 0.01


@pytest.fixture
def open_engine(scene, tmp_path):
    with SecureEngine("--recording", scene, "--tls", "--bind", "0.0.0.0", state=tmp_path) as running:
        file = tmp_path / "vestibule/tokens"
        running.tokens = dict(line.split() for line in file.read_text().splitlines())
        yield running
        for token in running.tokens.values():
            assert token not in running.log
        assert "pair=" not in running.log


@pytest.fixture
def trusting_browser(open_engine, tmp_path):
    """A browser that trusts the authority from the trust page."""
    home = tmp_path / "home"
    store = home / ".pki/nssdb"
    store.mkdir(parents=True)
    (tmp_path / "given.pem").write_bytes(open_engine.plain("/trust/vestibule.pem")[1])
    subprocess.run(["certutil", "-d", f"sql:{store}", "-N", "--empty-password"], check=True)
    subprocess.run(
        ["certutil", "-d", f"sql:{store}", "-A", "-t", "C,,", "-n", "Vestibule", "-i", tmp_path / "given.pem"], check=True)
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright, HOME=str(home))
        yield browser
        browser.close()


def ring(page):
    return page.get_by_role("slider", name=re.compile("head", re.I)).first


def value(engine, address):
    """The first value of a parameter."""
    headers = {"Authorization": f"Bearer {engine.tokens['view']}"}
    return saw(address, json.loads(engine.secure(address + "?VALUE", **headers)[1])["VALUE"][0])


def yaw(engine):
    return value(engine, "/listener/1/ypr")


def test_a_phone_is_paired_by_one_scan_and_turns_the_head(open_engine, trusting_browser, screenshots):
    base = f"https://localhost:{open_engine.ready['http_port']}"
    desk = trusting_browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    desk.goto(f"{base}/#token={open_engine.tokens['control']}")
    chromium.connected(desk)
    desk.get_by_role("tab", name="Engine").click()
    card = desk.get_by_role("region", name="Paired phones and browsers")
    # Cards that come later move this one, also from under a mouse.
    card.get_by_role("button", name="Show a code").press("Enter")
    code = card.get_by_role("img", name="Pairing code")
    expect(code).to_be_visible()
    url = qr_code.on_screen(code)
    assert url.startswith("https://") and "localhost" not in url
    card.screenshot(path=screenshots / "pairing.png")

    phone = trusting_browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).new_page()
    phone.goto(url)
    chromium.connected(phone)
    assert "pair=" not in phone.url and phone.evaluate("isSecureContext")
    cookie = next(c for c in phone.context.cookies() if c["name"].startswith("vestibule-client-"))
    assert cookie["httpOnly"] and cookie["secure"] and cookie["sameSite"] == "Strict"
    sensor = phone.context.new_cdp_session(phone)

    def point(alpha):
        sensor.send("DeviceOrientation.setDeviceOrientationOverride", {"alpha": alpha, "beta": 0, "gamma": 0})

    # A stream of poses that ends does not turn the head back: below it has to stand still.
    open_engine.osc().send_message("/tracker/1/timeout", 0.0)
    until(lambda: value(open_engine, "/tracker/1/timeout") == 0)
    point(25)
    phone.get_by_role("button", name="Start").click()
    # The first orientation that arrives becomes straight ahead.
    until(lambda: (point(25), abs(value(open_engine, "/tracker/1/centre") - 25) < 0.5)[1])
    for alpha in paced(range(25, 70, 5), 0.02):
        point(alpha)
    until(lambda: abs(yaw(open_engine) - 40) < 0.5, describe=lambda: yaw(open_engine))
    phone.screenshot(path=screenshots / "paired-phone.png")

    expect(code).to_be_hidden()
    entry = card.get_by_role("listitem")
    expect(entry).to_contain_text("connected")
    card.screenshot(path=screenshots / "paired.png")

    # A second use of the same code.
    thief = trusting_browser.new_context().new_page()
    thief.goto(url)
    expect(thief.get_by_text("this code has been used already; request a new one")).to_be_visible()
    assert thief.context.cookies() == []

    # A client with the view role gets a message, and the head does not move.
    entry.get_by_role("combobox").select_option("view")
    control = {"Authorization": f"Bearer {open_engine.tokens['control']}"}
    until(lambda: [client["role"] for client in json.loads(open_engine.secure("/pairing/clients", **control)[1])["clients"]] == ["view"])
    phone.goto(url.replace("/phone", "/").split("#")[0])
    chromium.connected(phone)
    # Until the page has asked for its role, it leaves refusals to the engine, whose words are others.
    expect(phone.locator("#view-only")).to_be_visible()
    before = yaw(open_engine)
    ring(phone).focus()
    phone.keyboard.press("ArrowLeft")
    expect(phone.get_by_text("this browser may watch and listen, not control").locator("visible=true").first).to_be_visible()
    assert yaw(open_engine) == before

    # The list is drawn anew when the phone's connections change: a mouse could press one button and release another.
    card.get_by_role("button", name=re.compile("Revoke")).dispatch_event("click")
    expect(phone.get_by_role("dialog")).to_be_visible()
    expect(entry).to_have_count(0)
    desk.screenshot(path=screenshots / "devices-desk.png", full_page=True)


def test_the_trust_page_is_readable_on_a_phone(open_engine, trusting_browser, screenshots):
    page = trusting_browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True).new_page()
    page.goto(f"http://localhost:{open_engine.ready['http_port']}/trust")
    page.get_by_text("iPhone and iPad").click()
    page.screenshot(path=screenshots / "trust.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("link", name="Open the panel").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.url.startswith("https://localhost:") and page.evaluate("isSecureContext")
