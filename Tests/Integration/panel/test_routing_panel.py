"""The matrix of listeners and device channels: by pointer, key and finger, for eight listeners and sixteen channels."""

import pytest
from playwright.sync_api import expect

from chromium import live_page, painted
from jack_server import available, jack_server
from panel_page import unfold
from program import Engine
from waiting import until

DESK = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}


@pytest.fixture
def eight():
    """Eight listeners on JACK's dummy driver with sixteen outputs: the first three are played."""
    if not available():
        pytest.skip("needs jackd2")
    with jack_server(period=256, outputs=16) as server:
        with Engine("--device", "jack", "--listeners", 8, "--output", "2=3,4", "--output", "3=6,5", env=server.env) as engine:
            engine.server = server
            yield engine


def opened(browser, engine, **options):
    context, page, complaints = live_page(browser, f"{engine.url}/#engine", **options)
    card = unfold(page.get_by_role("region", name="Device channels", exact=True))
    expect(card.get_by_role("grid")).to_be_visible()
    return context, page, card, complaints


def cell(card, listener, channel):
    return card.get_by_role("row").nth(listener).get_by_role("gridcell").nth(channel - 1)


def output(engine, listener):
    return engine.value(f"/listener/{listener}/output")


def test_pairs_are_set_moved_and_freed_by_pointer(browser, eight, screenshots):
    context, page, card, complaints = opened(browser, eight, **DESK)
    expect(card.get_by_role("gridcell")).to_have_count(8 * 16)
    expect(cell(card, 3, 6)).to_have_text("L")
    expect(cell(card, 3, 5)).to_have_accessible_name("Listener 3, channel 5, right ear")
    status = card.get_by_role("status")

    cell(card, 4, 8).click()
    until(lambda: output(eight, 4) == "7,8")
    expect(status).to_have_text("Listener 4 is played on channels 7 (left) and 8 (right).")
    until(lambda: "system:playback_8" in eight.server.connections("vestibule:listener-4-right"))

    # Disabled cells take presses, to tell why.
    cell(card, 4, 1).click(force=True)
    expect(status).to_have_text("Channel 1 is taken: Listener 1 is played on 1 and 2. Free it there first.")
    assert output(eight, 4) == "7,8"
    expect(cell(card, 4, 1)).to_have_attribute("aria-disabled", "true")

    card.get_by_role("radio", name="Left ear").check()
    cell(card, 4, 16).click()
    until(lambda: output(eight, 4) == "16,8")
    card.get_by_role("radio", name="Both ears").check()
    cell(card, 1, 2).click()
    until(lambda: output(eight, 1) == "")
    expect(status).to_have_text("Listener 1 is not played on the device.")
    # Undo is that of every other edit.
    page.get_by_role("button", name="Undo").click()
    expect(cell(card, 1, 1)).to_have_text("L")

    # Another client's change, and a name.
    eight.osc().send_message("/listener/8/output", "9,10")
    eight.osc().send_message("/listener/8/name", "Anna")
    expect(cell(card, 8, 10)).to_have_accessible_name("Listener 8, Anna, channel 10, right ear")
    painted(page)
    page.screenshot(path=screenshots / "routing-1440.png")
    scroll = card.locator(".routing-scroll")
    assert scroll.evaluate("part => part.scrollWidth <= part.clientWidth"), "sixteen channels fit beside each other"
    assert not complaints
    context.close()


def test_the_grid_is_used_with_the_keyboard_alone(browser, eight):
    context, page, card, complaints = opened(browser, eight, **DESK)
    card.get_by_role("radio", name="Both ears").focus()
    page.keyboard.press("Tab")
    expect(cell(card, 1, 1)).to_be_focused()
    assert card.locator('[role="gridcell"][tabindex="0"]').count() == 1
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    expect(cell(card, 5, 16)).to_be_focused()
    page.keyboard.press("Enter")
    until(lambda: output(eight, 5) == "15,16")
    expect(cell(card, 5, 16)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("r")
    until(lambda: output(eight, 5) == "16,15")
    page.keyboard.press("Control+Home")
    expect(cell(card, 1, 1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    expect(cell(card, 1, 1)).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    expect(card.get_by_role("status")).to_contain_text("Channel 1 is taken: Listener 1")
    page.keyboard.press("Delete")
    until(lambda: output(eight, 2) == "")
    # Tab leaves the grid in one step, and comes back to the same cell.
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('[role=grid]')") is None
    page.keyboard.press("Shift+Tab")
    expect(cell(card, 2, 1)).to_be_focused()
    assert not complaints
    context.close()


def test_it_fits_a_phone(browser, eight, screenshots):
    context, page, card, complaints = opened(browser, eight, **PHONE)
    box = cell(card, 1, 1).bounding_box()
    assert box["width"] >= 44 and box["height"] >= 44
    assert page.locator("main").evaluate("part => part.scrollWidth <= part.clientWidth")
    cell(card, 6, 13).tap()
    until(lambda: output(eight, 6) == "13,14")
    # The names stay in view while the channels scroll below them.
    header = card.get_by_role("rowheader").nth(5)
    expect(header).to_be_in_viewport(ratio=1)
    assert header.bounding_box()["x"] + header.bounding_box()["width"] <= cell(card, 6, 13).bounding_box()["x"]
    cell(card, 6, 5).tap(force=True)
    expect(card.get_by_role("status")).to_contain_text("Channel 5 is taken: Listener 3")
    painted(page)
    card.scroll_into_view_if_needed()
    page.screenshot(path=screenshots / "routing-390.png")
    assert not complaints
    context.close()


def test_more_channels_than_fit_are_shown_on_request(browser):
    with Engine("--listeners", 2) as engine:
        context, page, card, complaints = opened(browser, engine, **DESK)
        expect(card.get_by_role("row").nth(1).get_by_role("gridcell")).to_have_count(16)
        card.get_by_role("button", name="Show all 128 channels").click()
        expect(card.get_by_role("row").nth(1).get_by_role("gridcell")).to_have_count(128)
        cell(card, 2, 127).click()
        until(lambda: output(engine, 2) == "127,128")
        assert not complaints
        context.close()
