"""Takes on the panel: recorded, listed, downloaded and deleted, by pointer, key and touch; and watched without control."""

import json
import os
import pathlib
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect
from pythonosc.osc_message_builder import OscMessageBuilder
from websockets.sync.client import connect

from chromium import live_page, number_in, painted
from panel_page import notices
from program import Engine
from waiting import LIMIT, holds, until


@pytest.fixture
def running(scene, tmp_path):
    with Engine("--recording", scene, "--takes", tmp_path / "takes", "--token-file", tmp_path / "tokens") as engine:
        tokens = (tmp_path / "tokens").read_text().splitlines()
        engine.tokens = dict(line.split() for line in tokens)
        yield engine


# Plays sounds at a sixteenth of their speed, and again and again, so that one of a second is not over before anything is looked at, until
# `playFast()`.
SLOW = """{
  const players = [];
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function () {
    this.playbackRate = 0.0625;
    this.loop = true;
    players.push(this);
    return play.call(this);
  };
  window.playFast = () => players.forEach((each) => Object.assign(each, { loop: false, playbackRate: 4 }));
}"""


def opened(browser, running, script=None, role="control", **options):
    context, page, complaints = live_page(browser, f"{running.url}/#token={running.tokens[role]}", script, **options)
    page.get_by_role("tab", name="Session", exact=True).click()
    return context, page, complaints


def card(page):
    return page.get_by_role("region", name="Takes", exact=True)


def rows(page):
    return card(page).get_by_role("list", name="Takes").locator("> li")


def request(running, path, role=None):
    headers = {"Authorization": f"Bearer {running.tokens[role]}"} if role else {}
    return urllib.request.urlopen(urllib.request.Request(running.url + path, headers=headers), timeout=60)


def refused(running, path, role=None):
    with pytest.raises(urllib.error.HTTPError) as refusal:
        request(running, path, role)
    return refusal.value.code


def value(running, address):
    with request(running, f"{address}?VALUE", "control") as answer:
        return json.load(answer)["VALUE"][0]


def order(running, role, address, text):
    """Sends a message over a WebSocket; returns the answer."""
    builder = OscMessageBuilder(address)
    builder.add_arg(text)
    protocols = ["vestibule.oscquery", f"vestibule.token.{running.tokens[role]}"]
    with connect(running.socket_url, subprotocols=protocols) as connection:
        connection.send(builder.build().dgram)
        return connection.recv(LIMIT)


def record(page, takes, seconds=1):
    """Records a take by the panel's button; returns its folder."""
    found = lambda: set(os.listdir(takes)) if takes.exists() else set()
    before = found()
    card(page).get_by_role("button", name="Record a take").click()
    length = card(page).get_by_role("timer")
    # The length may still be empty when the timer appears: it is another value of the engine.
    until(lambda: length.is_visible() and (number_in(length.inner_text().partition(":")[2]) or 0) > seconds)
    card(page).get_by_role("button", name="Stop recording the take").click()
    return takes / until(lambda: found() - before).pop()


def position(row, accent):
    """Pixels from the left to the position in the outline of a take; None for none."""
    return row.locator("canvas").evaluate(
        """(canvas, accent) => {
            const probe = document.createElement('canvas').getContext('2d');
            probe.fillStyle = accent;
            probe.fillRect(0, 0, 1, 1);
            const wanted = probe.getImageData(0, 0, 1, 1).data;
            const { width } = canvas;
            if (width === 0) return null;
            const { data } = canvas.getContext('2d').getImageData(0, 1, width, 1);
            for (let x = 0; x < width; x += 1) {
                if ([0, 1, 2].every((part) => Math.abs(data[4 * x + part] - wanted[part]) < 8) && data[4 * x + 3] > 200) {
                    return x / devicePixelRatio;
                }
            }
            return null;
        }""", accent)


def test_a_take_is_recorded_listed_downloaded_and_deleted(browser, running, tmp_path, screenshots):
    context, page, complaints = opened(browser, running, SLOW, viewport={"width": 1440, "height": 900})
    takes = tmp_path / "takes"
    panel = card(page)
    expect(panel.get_by_text("No takes yet.")).to_be_visible()
    expect(panel.get_by_text("Space on the disk for")).to_be_visible()
    # The name, and what is recorded.
    panel.get_by_label("Take name").fill("second set")
    panel.get_by_label("Take name").press("Enter")
    panel.locator("summary", has_text="Sources").click()
    panel.get_by_role("switch", name="Record array").click()
    expect(panel.get_by_role("switch", name="Record array")).to_have_attribute("aria-checked", "true")
    # There is no live input in this engine.
    expect(panel.get_by_text("Record input")).to_be_hidden()
    told = notices(page)
    panel.get_by_label("Recorded listeners").fill("9")
    panel.get_by_label("Recorded listeners").press("Enter")
    told("there is no listener")
    panel.get_by_label("Recorded listeners").blur()
    expect(panel.get_by_label("Recorded listeners")).to_have_value("1")
    panel.locator("summary", has_text="Sources").click()
    take = record(page, takes)
    expect(rows(page)).to_have_count(1)
    row = rows(page).first
    expect(row.locator("strong")).to_have_text("second set")
    expect(row).to_contain_text("ears of listener 1, 16 microphones")
    expect(row.locator("canvas")).to_be_visible()
    # Its sound, with the position in the outline.
    listen = row.get_by_role("button", name="Listen to second set")
    listen.click()
    pause = row.get_by_role("button", name="Pause second set")
    expect(pause).to_be_visible()
    accent = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--left').trim()")
    played = until(lambda: position(row, accent))
    until(lambda: (position(row, accent) or 0) > played)
    pause.click()
    expect(listen).to_be_visible()
    # A click seeks, and plays from there.
    outline = row.locator("canvas")
    size = outline.bounding_box()
    outline.click(position={"x": size["width"] * 0.6, "y": 20})
    until(lambda: (position(row, accent) or 0) > 0.55 * size["width"])
    page.evaluate("playFast()")
    until(lambda: listen.is_visible() and (position(row, accent) or 0) > 0.97 * size["width"])
    # A file of it.
    row.get_by_text("files").click()
    with page.expect_download() as download:
        row.get_by_role("link", name="ears-1.wav").click()
    assert pathlib.Path(download.value.path()).read_bytes() == (take / "ears-1.wav").read_bytes()
    assert download.value.suggested_filename == "ears-1.wav"
    panel.scroll_into_view_if_needed()
    painted(page)
    panel.screenshot(path=screenshots / "takes-1440.png")
    # A shortcut, on any page of the panel.
    page.get_by_role("tab", name="Head", exact=True).click()
    page.keyboard.press("Alt+t")
    until(lambda: page.evaluate("vestibule.value('/take/recording')[0]"))
    page.keyboard.press("Alt+t")
    until(lambda: not value(running, "/take/recording"))
    page.get_by_role("tab", name="Session", exact=True).click()
    expect(rows(page)).to_have_count(2)
    # Deletion asks first; the take goes to the trash.
    last = rows(page).nth(1)
    last.get_by_role("button", name="Delete second set").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Delete second set?")
    expect(dialog).to_contain_text("goes to the trash")
    dialog.get_by_role("button", name="Cancel").click()
    holds(lambda: rows(page).count() == 2)
    last.get_by_role("button", name="Delete second set").click()
    dialog.get_by_role("button", name="Delete").click()
    expect(rows(page)).to_have_count(1)
    until(lambda: not take.exists() and (takes / ".trash" / take.name / "ears-1.wav").exists())
    # The keyboard stays in the list.
    expect(rows(page).first.get_by_role("button", name="Delete second set")).to_be_focused()
    assert complaints == []
    context.close()


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_takes_by_touch_on_a_phone(browser, running, tmp_path, screenshots, colours):
    context, page, complaints = opened(
        browser, running, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme=colours)
    card(page).get_by_role("button", name="Takes", exact=True).tap()
    record(page, tmp_path / "takes", 0.5)
    expect(rows(page)).to_have_count(1)
    expect(rows(page).locator("strong")).to_have_text("Unnamed take")
    rows(page).get_by_text("files").tap()
    card(page).locator("summary", has_text="Sources").tap()
    painted(page)
    card(page).screenshot(path=screenshots / f"takes-390-{colours}.png")
    parts = card(page).locator("button:visible, a:visible, summary:visible, input:visible:not([type=radio]), select:visible")
    for part in parts.all():
        box = part.bounding_box()
        assert box["height"] >= 44, f"{part.evaluate('each => each.outerHTML')}: {box}"
    assert page.locator("main").evaluate("part => part.scrollWidth <= part.clientWidth")
    assert complaints == []
    context.close()


def test_those_who_may_only_watch_see_the_list(browser, running, tmp_path, screenshots):
    context, page, _ = opened(browser, running, viewport={"width": 1440, "height": 900})
    take = record(page, tmp_path / "takes", 0.5)
    context.close()
    context, page, complaints = opened(browser, running, role="view", viewport={"width": 1440, "height": 900})
    expect(rows(page)).to_have_count(1)
    expect(rows(page).locator("canvas")).to_be_visible()
    for name in ("Record a take", "Delete Unnamed take", "Listen to Unnamed take"):
        expect(card(page).get_by_role("button", name=name)).to_have_count(0)
    expect(rows(page).get_by_role("link")).to_have_count(0)
    # A click on the outline asks for nothing.
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    rows(page).locator("canvas").click()
    holds(lambda: not any("/takes/" in url for url in asked))
    card(page).screenshot(path=screenshots / "takes-view.png")
    told = notices(page)
    page.keyboard.press("Alt+t")
    told("may watch and listen")
    assert complaints == []
    context.close()
    # The server itself refuses, whatever a page shows.
    assert request(running, "/takes", "view").status == 200
    assert refused(running, f"/takes/{take.name}/ears-1.wav", "view") == 403
    assert refused(running, "/takes") == 401
    assert request(running, f"/takes/{take.name}/ears-1.wav", "control").status == 200
    assert "view and listen" in order(running, "view", "/take/delete", take.name)
    assert take.exists() and not value(running, "/take/recording")
