"""Phones that listen: their reports, their groups, and the rights of a login that may view."""

import contextlib
import json
import re
import urllib.request

import pytest
from playwright.sync_api import expect
from pythonosc.osc_message_builder import build_msg
from websockets.sync.client import connect

from chromium import live_page
from program import Engine
from waiting import holds, until


@pytest.fixture(scope="module")
def running(scene):
    with Engine("--recording", scene, "--network-listeners", "4") as engine:
        engine.osc().send_message("/listener/keep", 0.0)
        until(lambda: engine.value("/listener/keep") == 0)
        yield engine


@pytest.fixture
def server(running):
    """An engine whose network listeners are all free."""
    until(lambda: running.value("/listener/count") == 1)
    return running


@contextlib.contextmanager
def joined(engine, headers=None):
    """A client with a listener of its own: its number and its token. What it is sent is kept, so that it answers pings."""
    with connect(engine.socket_url + "/audio/join", additional_headers=headers, close_timeout=0.5, max_queue=None) as socket:
        hello = json.loads(socket.recv(timeout=60))
        yield hello["listener"], hello["token"]


def row(engine, number):
    return next(each for each in engine.get("/listeners?count=200")["listeners"] if each["number"] == number)


def test_a_client_describes_itself_and_what_cannot_be_is_refused(server):
    osc = server.osc()
    with joined(server) as (number, _):
        assert "client" not in row(server, number)
        client = f"/listener/{number}/client"
        for name, value in (("name", "iPhone, Safari"), ("mode", "offline"), ("battery", 55), ("charging", True), ("delay", 180.0)):
            osc.send_message(f"{client}/{name}", value)
        until(lambda: row(server, number).get("client") == {
            "name": "iPhone, Safari", "device": "iPhone, Safari", "mode": "offline", "battery": 55, "isCharging": True, "delay": 180})
        found = server.get("/listeners?search=safari%20offline")
        assert [each["number"] for each in found["listeners"]] == [number]
        for name, value in (("name", "two\nlines"), ("mode", "magic"), ("battery", 12.5), ("device", 7)):
            osc.send_message(f"{client}/{name}", value)
        osc.send_message(f"{client}/battery", 400)
        until(lambda: row(server, number)["client"]["battery"] == 100)
        assert row(server, number)["client"]["name"] == "iPhone, Safari" and row(server, number)["client"]["mode"] == "offline"
    osc.send_message("/listener/remove", number)
    until(lambda: all(each["number"] != number for each in server.get("/listeners")["listeners"]))
    with joined(server) as (again, _):
        assert again == number and "client" not in row(server, number)


def test_groups_are_muted_and_moved_as_a_whole(server):
    osc = server.osc()
    with contextlib.ExitStack() as stack:
        one, two, three = (stack.enter_context(joined(server))[0] for _ in range(3))
        for number in (one, two):
            osc.send_message(f"/listener/{number}/group", 2)
        until(lambda: server.value("/group/2/members") == 2)

        def muted():
            return [bool(server.value(f"/listener/{number}/mute")) for number in (one, two, three)]

        osc.send_message("/group/2/mute", True)
        until(lambda: muted() == [True, True, False])
        # A new member of a muted group is muted; one that leaves is not.
        osc.send_message(f"/listener/{three}/group", 2)
        osc.send_message(f"/listener/{one}/group", 0)
        until(lambda: muted() == [False, True, True])
        # Its own mute stays when it joins a group that is not muted.
        osc.send_message(f"/listener/{one}/mute", True)
        osc.send_message(f"/listener/{one}/group", 5)
        until(lambda: server.value("/group/5/members") == 1)
        assert muted() == [True, True, True]
        osc.send_message("/group/2/move", 5)
        until(lambda: server.value("/group/5/members") == 3 and server.value("/group/2/members") == 0)
        until(lambda: muted() == [True, False, False])
        osc.send_message("/group/5/move", 0)
        until(lambda: [row(server, number)["group"] for number in (one, two, three)] == [0, 0, 0])
        osc.send_message("/group/2/mute", False)
        osc.send_message(f"/listener/{one}/group", 9)
        until(lambda: row(server, one)["group"] == 8)


def test_a_login_that_may_view_turns_the_head_of_its_own_listener_alone(scene, tmp_path):
    with Engine("--recording", scene, "--token-file", tmp_path / "tokens") as engine:
        text = (tmp_path / "tokens").read_text()
        tokens = {role: re.search(rf"{role}\W+(\w+)", text).group(1) for role in ("view", "control")}
        view = {"Authorization": f"Bearer {tokens['view']}"}
        control = {"Authorization": f"Bearer {tokens['control']}"}

        def value(address):
            request = urllib.request.Request(f"{engine.url}{address}?VALUE", headers=control)
            return json.load(urllib.request.urlopen(request, timeout=60))["VALUE"]

        with joined(engine, view) as (number, token), joined(engine, view) as (other, _):
            with connect(engine.socket_url + "/", additional_headers=view) as socket:

                def sent(address, *values):
                    socket.send(build_msg(address, values).dgram)

                def refused():
                    return json.loads(socket.recv(timeout=60))["DATA"]

                sent(f"/listener/{number}/ypr", 30.0, 0.0, 0.0)
                assert "may view and listen" in refused()
                socket.send(json.dumps({"COMMAND": "OWN", "DATA": "0" * 32}))
                assert "no listener has this token" in refused()
                socket.send(json.dumps({"COMMAND": "OWN", "DATA": token}))
                sent(f"/listener/{number}/ypr", 30.0, 0.0, 0.0)
                until(lambda: value(f"/listener/{number}/ypr")[0] == 30)
                sent(f"/listener/{number}/client/battery", 80)
                until(lambda: value(f"/listener/{number}/client/battery") == [80])
                for address in (f"/listener/{other}/ypr", "/listener/*/ypr", "/listener/1/ypr"):
                    sent(address, 50.0, 0.0, 0.0)
                    assert "may view and listen" in refused()
                sent(f"/listener/{number}/name", "Mine")
                assert "may view and listen" in refused()
                holds(lambda: value(f"/listener/{other}/ypr")[0] == 0 and value("/listener/1/ypr")[0] == 0)


def test_a_page_that_finds_no_free_listener_says_so_and_joins_later(browser, server):
    with contextlib.ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(joined(server))
        context, page, _ = live_page(browser, server.url + "/listen")
        page.get_by_role("button", name="Join").click()
        expect(page.get_by_role("status").first).to_contain_text("All 5 listeners of the engine are in use")
    expect(page.get_by_role("status").first).to_contain_text("You are listening")
    context.close()
    until(lambda: server.value("/listener/count") == 1)


@pytest.fixture
def keeping(server):
    """The engine, which keeps listeners: a page on a busy machine lets the engine render, and has no connection meanwhile."""
    server.osc().send_message("/listener/keep", 60.0)
    until(lambda: server.value("/listener/keep") == 60)
    yield server
    server.osc().send_message("/listener/keep", 0.0)
    until(lambda: server.value("/listener/keep") == 0)


def test_the_panel_lists_phones_and_groups(browser, keeping, screenshots):
    server = keeping
    phone, listening, _ = live_page(browser, server.url + "/listen")
    listening.get_by_role("button", name="Join").click()
    number = until(lambda: next((each["number"] for each in server.get("/listeners?search=listening")["listeners"]
                                 if each.get("client", {}).get("name")), None), lambda: listening.locator("main").inner_text())
    context, page, complaints = live_page(browser, server.url, viewport={"width": 1440, "height": 900})
    page.get_by_role("tab", name="Engine").click()
    card = page.get_by_role("region", name="Phones", exact=True)
    card.scroll_into_view_if_needed()
    entry = card.get_by_role("list", name="Phones").get_by_role("listitem").filter(has_text=f"{number}").first
    # A page on a busy machine lets the engine render.
    words = {"client-rendered": "rendered on the phone", "server-rendered": "rendered by the engine"}
    until(lambda: f"Linux, Chrome; {words.get(row(server, number)['client']['mode'])}" in entry.inner_text(), describe=entry.inner_text)
    expect(entry).to_contain_text("round trip")
    expect(entry).to_contain_text("buffered")
    entry.get_by_role("button", name="Rename").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Anna")
    page.get_by_role("dialog").get_by_role("button", name="Rename").click()
    until(lambda: server.value(f"/listener/{number}/name") == "Anna")
    expect(entry).to_contain_text("Anna")
    entry.get_by_role("button", name="Mute").click()
    until(lambda: server.value(f"/listener/{number}/mute"))
    expect(entry.get_by_role("button", name="Mute")).to_have_attribute("aria-pressed", "true")
    entry.get_by_role("button", name="Mute").click()
    entry.get_by_role("combobox").select_option("3")
    until(lambda: server.value("/group/3/members") == 1)
    card.get_by_text("Groups", exact=True).click()
    card.get_by_label("Name of group 3").fill("Hall")
    card.get_by_label("Name of group 3").press("Enter")
    until(lambda: server.value("/group/3/name") == "Hall")
    expect(entry.get_by_role("combobox")).to_contain_text("3 Hall")
    card.screenshot(path=screenshots / "phones.png")
    card.get_by_role("button", name="Mute group 3").click()
    until(lambda: server.value(f"/listener/{number}/mute"))
    card.get_by_role("button", name="Mute group 3").click()
    until(lambda: not server.value(f"/listener/{number}/mute"))
    card.get_by_label("Move group 3").select_option("1")
    until(lambda: server.value(f"/listener/{number}/group") == 1)
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert complaints == []
    phone.close()
    context.close()
