"""The cue list on the panel: cues made, fired, moved and removed by pointer and keyboard, on a desk and on a phone."""

import datetime
import socket

import pytest
from playwright.sync_api import expect

from chromium import live_page, painted
from program import Engine
from waiting import LIMIT, until


@pytest.fixture
def running(scene, tmp_path):
    with Engine("--recording", scene, "--sessions", tmp_path / "sessions", "--objects", "1") as engine:
        yield engine


def opened(browser, running, **options):
    return live_page(browser, f"{running.url}/#session", **options)


def card(page):
    return page.get_by_role("region", name="Cue list", exact=True)


def rows(page):
    return card(page).get_by_role("list", name="Cues").get_by_role("listitem")


def test_a_list_is_built_fired_and_edited(browser, running, screenshots):
    context, page, complaints = opened(browser, running, viewport={"width": 1280, "height": 900})
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(LIMIT)
        running.osc().send_message("/scene/store", "Night")
        cues = card(page)
        expect(cues.get_by_text("No cues yet.")).to_be_visible()
        # The dialog offers the scenes that the page knows when it is opened.
        expect(page.get_by_role("button", name="Remove scene Night")).to_be_attached()
        go = cues.get_by_role("button", name="Go", exact=True)
        expect(go).to_be_disabled()
        # A scene, by the keyboard alone.
        cues.get_by_role("button", name="New cue").focus()
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name="New cue")
        expect(dialog.get_by_label("Number")).to_have_value("1")
        dialog.get_by_label("Name").fill("Doors")
        until(lambda: dialog.locator("datalist option").evaluate_all("all => all.map((each) => each.value)") == ["Night"])
        dialog.get_by_label("Scene").fill("Night")
        dialog.get_by_label("Fade (s)").fill("0.5")
        dialog.get_by_label("Afterwards").select_option("continue")
        dialog.get_by_label("Seconds").fill("3600")
        painted(page)
        page.screenshot(path=screenshots / "cue-editor.png")
        page.keyboard.press("Enter")
        until(lambda: running.value("/cue-list/1/cue") == '1 "Doors" continue 3600 scene Night fade 0.5')
        expect(rows(page)).to_have_count(1)
        # An OSC message; what is wrong keeps the dialog open.
        cues.get_by_role("button", name="New cue").click()
        expect(dialog.get_by_label("Number")).to_have_value("2")
        dialog.get_by_label("Action").select_option("osc")
        dialog.get_by_label("Host and port").fill("nowhere")
        dialog.get_by_label("Address").fill("/light/1")
        dialog.get_by_label("Arguments").fill('0.5 "two words"')
        dialog.get_by_role("button", name="Store cue").click()
        expect(dialog).to_be_visible()
        dialog.get_by_label("Host and port").fill(f"127.0.0.1:{receiver.getsockname()[1]}")
        dialog.get_by_label("Number").fill("1")
        dialog.get_by_role("button", name="Store cue").click()
        assert dialog.get_by_label("Number").evaluate("field => field.validationMessage") == "Another cue has this number."
        dialog.get_by_label("Number").fill("2")
        dialog.get_by_role("button", name="Store cue").click()
        expect(dialog).to_be_hidden()
        expect(rows(page)).to_have_count(2)
        # A time of day with a pre-wait, which is not now.
        later = (datetime.datetime.now() + datetime.timedelta(hours=12)).strftime("%H:%M:15")
        cues.get_by_role("button", name="New cue").click()
        dialog.get_by_label("Action").select_option("stop all")
        dialog.get_by_label("Fires").select_option("time")
        dialog.get_by_label("Time").fill(later)
        dialog.get_by_label("Pre-wait (s)").fill("3600")
        dialog.get_by_role("button", name="Store cue").click()
        until(lambda: running.value("/cue-list/3/cue") == f"3 at {later} wait 3600 stop all")
        expect(rows(page)).to_have_count(3)
        expect(rows(page).nth(0)).to_contain_text("Scene Night, fade 0.5 s; auto-continue after 3600 s")
        # Go by the button, the second by its key, on another page.
        expect(go).to_be_enabled()
        go.click()
        expect(cues).to_contain_text("Fired last: 1 Doors; waiting: 2")
        expect(rows(page).nth(1)).to_contain_text("Standby")
        painted(page)
        cues.scroll_into_view_if_needed()
        cues.screenshot(path=screenshots / "cue-list.png")
        page.get_by_role("tab", name="Head", exact=True).click()
        page.keyboard.press("Alt+g")
        assert receiver.recv(1000).startswith(b"/light/1\0")
        page.get_by_role("tab", name="Session", exact=True).click()
        expect(cues).to_contain_text("Fired last: 2")
        # Firing out of turn, and Stop all.
        cues.get_by_role("button", name="Fire cue 3").click()
        expect(cues).to_contain_text("waiting: 3 (")
        cues.get_by_role("button", name="Stop all", exact=True).click()
        expect(cues).not_to_contain_text("waiting")
        # Standby by a click, and back.
        rows(page).nth(2).locator(".cue-choose").click()
        until(lambda: running.value("/cue-list/standby") == "3")
        cues.get_by_role("button", name="Back", exact=True).click()
        until(lambda: running.value("/cue-list/standby") == "2")
        # The keyboard moves a cue, which keeps the focus.
        rows(page).nth(2).locator(".cue-choose").focus()
        page.keyboard.press("Alt+ArrowUp")
        until(lambda: running.value("/cue-list/3/cue").startswith(f"2 at {later}"))
        expect(rows(page).nth(1)).to_contain_text("Stop all")
        expect(rows(page).nth(1).locator(".cue-choose")).to_be_focused()
        page.keyboard.press("Control+z")
        until(lambda: running.value("/cue-list/3/cue").startswith(f"3 at {later}"))
        expect(rows(page).nth(2)).to_contain_text("Stop all")
        # Editing shows what the cue is.
        cues.get_by_role("button", name="Edit cue 2").click()
        edited = page.get_by_role("dialog", name="Cue 2")
        expect(edited.get_by_label("Arguments")).to_have_value('0.5 "two words"')
        edited.get_by_label("Number").fill("2.5")
        edited.get_by_role("button", name="Store cue").click()
        until(lambda: running.value("/cue-list/2/cue").startswith("2.5 osc"))
        cues.get_by_role("button", name="Edit cue 2.5").click()
        page.keyboard.press("Escape")
        cues.get_by_role("button", name="Edit cue 2.5").click()
        page.get_by_role("dialog", name="Cue 2.5").get_by_role("button", name="Remove cue").click()
        expect(rows(page)).to_have_count(2)
        cues.get_by_role("button", name="Remove all cues").click()
        expect(cues.get_by_text("No cues yet.")).to_be_visible()
        page.keyboard.press("Control+z")
        expect(rows(page)).to_have_count(2)
    assert not complaints
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_list_on_a_phone(browser, running, screenshots, scheme):
    client = running.osc()
    for cue in (
        '1 "A name that is long enough to need a second line" follow scene Night fade 5',
        "2 osc 192.168.178.201:9001 /light/hall/1 0.5 1 2",
        "10.25 cue 1",
    ):
        client.send_message("/cue-list/store", cue)
    until(lambda: running.value("/cue-list/3/cue") != "")
    context, page, complaints = opened(browser, running, viewport={"width": 390, "height": 844}, color_scheme=scheme)
    cues = card(page)
    go = cues.get_by_role("button", name="Go", exact=True)
    if go.is_hidden():
        cues.get_by_role("button", name="Cue list", exact=True).click()
    expect(rows(page)).to_have_count(3)
    # Everything that is pressed has the size of a finger, and nothing is wider than the page.
    for button in cues.get_by_role("button").all():
        if button.is_visible():
            box = button.bounding_box()
            assert box["width"] >= 44 and box["height"] >= 44, (button.inner_text(), box)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    go.scroll_into_view_if_needed()
    painted(page)
    page.screenshot(path=screenshots / f"cue-list-phone-{scheme}.png")
    cues.get_by_role("button", name="Edit cue 1", exact=True).click()
    painted(page)
    page.screenshot(path=screenshots / f"cue-editor-phone-{scheme}.png")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("dialog", name="Cue 1").get_by_role("button", name="Cancel").click()
    assert not complaints
    context.close()
