"""The panel for visitors: a kiosk that plays after one tap, and a login that may only watch."""

import json
import re

import pytest
from playwright.sync_api import expect
from websockets.sync.client import connect

from mqtt_broker import free_port
from panel_page import notices, texts_of
from program import Engine
from waiting import until


@pytest.mark.gate
def test_a_kiosk_plays_after_one_tap_and_after_a_restart(browser, scene):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    heard = lambda: page.evaluate("window.vestibule?.listen ?? null")
    ports = ["--osc-port", free_port(), "--http-port", free_port()]
    with Engine("--recording", scene, *ports, ports=False) as first:
        page.goto(first.url + "/#kiosk&listener=1")
        start = page.get_by_role("button", name="Tap to listen")
        expect(start).to_be_visible()
        # Nothing else can be seen or reached: no tab, control or heading, and one place for the keyboard.
        for role in ["tab", "slider", "heading", "link", "switch", "combobox"]:
            expect(page.get_by_role(role)).to_have_count(0)
        expect(page.get_by_role("button")).to_have_count(1)
        shown = "[...document.body.children].filter((part) => part.checkVisibility()).map((part) => part.className)"
        assert page.evaluate(shown) == ["kiosk"]
        assert not until(heard)["playing"]
        start.click()
        until(lambda: (v := heard()) and v["playing"] and v["rms"] > 0.002, heard)
    expect(page.locator(".kiosk-state", has_text="Waiting for the engine")).to_be_visible()
    with Engine("--recording", scene, *ports, ports=False):
        until(lambda: (v := heard()) and v["playing"] and v["rms"] > 0.002, heard)
        expect(page.locator(".kiosk-state", has_text="Waiting for the engine")).to_be_hidden()
        expect(page.get_by_role("button")).to_have_count(0)
    context.close()


def test_a_kiosk_starts_again_after_it_was_disconnected_and_waits_for_its_listener(browser, scene):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    words = page.locator(".kiosk-state")
    heard = lambda: page.evaluate("window.vestibule?.listen ?? null")
    plays = lambda: (v := heard()) and v["playing"] and v["rms"] > 0.002

    def disconnect(engine):
        """Ends the sound as the card Clients of another panel does."""
        with connect(engine.socket_url + "/", subprotocols=["vestibule.telemetry.v1"]) as socket:
            socket.send(json.dumps({"type": "subscribe", "topics": ["clients"], "rate": 10}))
            frames = (json.loads(text) for text in socket)
            sounds = (each["id"] for frame in frames if frame["type"] == "frame" for each in frame["data"] if each["kind"] == "audio")
            engine.osc().send_message("/client/kick", next(sounds))

    with Engine("--recording", scene, "--network-listeners", 4) as engine:
        page.goto(engine.url + "/#kiosk&listener=2")
        expect(words).to_have_text("The engine has no listener 2. Its sound is played as soon as it exists.")
        page.get_by_role("button", name="Tap to listen").click()
        expect(words).to_contain_text("no listener 2")
        engine.osc().send_message("/listener/add", "Hall")
        until(plays, heard)
        expect(words).to_have_text("")
        expect(page).to_have_url(re.compile("listener=2$"))
        told = texts_of(words)
        for seconds in (2, 4):
            disconnect(engine)
            told(f"Another client ended the sound of this listener. It starts again in {seconds} s.")
            until(plays, heard)
            expect(words).to_have_text("")
            expect(page.get_by_role("button")).to_have_count(0)
        # The first listener is not played in its place. One that is heard cannot be removed.
        disconnect(engine)
        told("again in 8 s.")

        def is_removed():
            """Whether the listener is gone; disconnects the page again when it plays before the listener was removed."""
            if plays() and words.inner_text() == "":
                disconnect(engine)
                until(lambda: words.inner_text() != "")
            engine.osc().send_message("/listener/remove", 2)
            return "no listener 2" in words.inner_text()

        until(is_removed, words.inner_text)
        until(lambda: not plays(), heard)
    context.close()


def test_a_visitor_who_may_only_watch_is_told(browser, scene, tmp_path):
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    with Engine("--recording", scene, "--token-file", tmp_path / "tokens") as engine:
        tokens = dict(line.split() for line in (tmp_path / "tokens").read_text().splitlines())
        page.goto(f"{engine.url}/#token={tokens['view']}")
        expect(page.get_by_text("View only", exact=True)).to_be_visible()
        method = page.locator(".role-method select")
        before = method.input_value()
        told = notices(page)
        method.select_option("nearest")
        told("may watch and listen")
        expect(method).to_have_value(before)
        context.clear_cookies()
        page.goto("about:blank")
        page.goto(f"{engine.url}/#token={tokens['control']}")
        expect(page.locator("html")).to_have_attribute("data-link", "live")
        expect(page.get_by_text("View only", exact=True)).to_be_hidden()
    context.close()
