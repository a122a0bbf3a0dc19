"""Sessions on the panel in a real browser: saving, opening after a preview of the changes, undo, recalling scenes."""

import re

import pytest
from playwright.sync_api import expect

from chromium import live_page, painted
from panel_page import notices, sent
from program import Engine
from waiting import holds, stimulus, until


@pytest.fixture
def running(scene, tmp_path):
    with Engine("--recording", scene, "--sessions", tmp_path / "sessions") as engine:
        yield engine


def opened(browser, running, **options):
    return live_page(browser, running.url, **options)


def show(page, name):
    """Opens another page of the panel."""
    page.get_by_role("tab", name=name, exact=True).click()


def card(page, name):
    return page.get_by_role("region", name=name, exact=True)


def test_a_session_at_a_desk(browser, running, tmp_path, screenshots):
    context, page, complaints = opened(browser, running, viewport={"width": 1280, "height": 900})
    show(page, "Session")
    session = card(page, "Session")
    expect(session.get_by_text("Untitled")).to_be_visible()
    expect(session.get_by_role("button", name="Undo")).to_be_disabled()
    running.osc().send_message("/listener/1/gain", -6.0)
    expect(session.get_by_text("Unsaved changes", exact=True)).to_be_visible()
    # Save asks for a name when the session has none.
    session.get_by_role("button", name="Save", exact=True).click()
    expect(session.get_by_label("Name")).to_be_focused()
    told = notices(page)
    page.keyboard.type("../evening")
    page.keyboard.press("Enter")
    told("this is a path, not a name")
    session.get_by_label("Name").fill("evening")
    page.keyboard.press("Enter")
    expect(session.locator(".session-name")).to_have_text("evening")
    expect(session.get_by_text("Unsaved changes", exact=True)).to_have_count(0)
    # Dragging a slider is one undo step, named after the parameter.
    show(page, "Head")
    gain = page.get_by_role("slider", name="Gain", exact=True).first
    gain.scroll_into_view_if_needed()
    box = gain.bounding_box()
    x, y = box["x"] + 0.5 * box["width"], box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 0.45 * box["width"], y, steps=5)
    page.mouse.up()
    sent(page)
    undo, redo = session.get_by_role("button", name="Undo"), session.get_by_role("button", name="Redo")
    until(lambda: running.value("/session/undo-words").startswith("Gain, listener 1: -6 dB to"))
    shown = page.evaluate("vestibule.value('/listener/1/gain')[0]")
    until(lambda: running.value("/listener/1/gain") == pytest.approx(shown, abs=1e-3))
    moved = running.value("/listener/1/gain")
    assert moved > -6
    # Keyboard shortcuts work on a slider, but not in a text field.
    page.keyboard.press("Control+z")
    until(lambda: running.value("/listener/1/gain") == -6)
    page.keyboard.press("Control+Shift+Z")
    until(lambda: running.value("/listener/1/gain") == moved)
    show(page, "Session")
    expect(undo).to_contain_text(re.compile("Gain, listener 1: -6 dB to"))
    session.get_by_label("Name").focus()
    page.keyboard.press("Control+z")
    holds(lambda: running.value("/listener/1/gain") == moved, 0.2)
    undo.click()
    until(lambda: running.value("/listener/1/gain") == -6)
    expect(redo).to_contain_text("Gain")
    redo.click()
    until(lambda: running.value("/listener/1/gain") == moved)
    # Opening shows the changes first.
    running.osc().send_message("/rack/recording/preset", "dub")
    until(lambda: running.value("/rack/recording/layout") != "")
    session.get_by_label("Name").fill("morning")
    session.get_by_role("button", name="Save as").click()
    expect(session.locator(".session-name")).to_have_text("morning")
    session.get_by_label("Saved sessions").select_option("evening")
    session.get_by_role("button", name="Open").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Load evening?")).to_be_visible()
    expect(dialog.get_by_role("listitem").filter(has_text="Gain, listener 1:")).to_be_visible()
    expect(dialog.get_by_text("removed").first).to_be_visible()
    page.screenshot(path=screenshots / "session-difference.png")
    dialog.get_by_role("button", name="Cancel").click()
    assert running.value("/session/name") == "morning"
    session.get_by_role("button", name="Open").click()
    dialog.get_by_role("button", name="Load").click()
    expect(session.locator(".session-name")).to_have_text("evening")
    until(lambda: running.value("/listener/1/gain") == -6)
    expect(undo).to_contain_text("Load session evening")
    # A damaged session cannot be loaded, and the reason is shown.
    (tmp_path / "sessions/evening.json").write_text('{"version": 99}')
    session.get_by_label("Saved sessions").select_option("evening")
    session.get_by_role("button", name="Open").click()
    expect(dialog.get_by_text("a newer version")).to_be_visible()
    expect(dialog.get_by_role("button", name="Load")).to_be_disabled()
    page.keyboard.press("Escape")
    running.osc().send_message("/session/load", "morning")
    expect(session.locator(".session-name")).to_have_text("morning")
    running.osc().send_message("/listener/1/mute", True)
    until(lambda: running.value("/listener/1/mute") is True, describe=lambda: running.log)
    expect(session.get_by_text("Unsaved changes", exact=True)).to_be_visible()
    page.mouse.move(0, 0)
    session.scroll_into_view_if_needed()
    page.screenshot(path=screenshots / "session-desk.png")
    session.get_by_role("button", name="Revert").click()
    expect(dialog.get_by_text("Mute, listener 1: on to off")).to_be_visible()
    dialog.get_by_role("button", name="Revert").click()
    until(lambda: running.value("/listener/1/mute") is False)
    assert complaints == []
    context.close()


def test_scenes_by_touch_on_a_phone(browser, running, screenshots):
    context, page, complaints = opened(browser, running, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    show(page, "Session")
    scenes = card(page, "Scenes")
    scenes.get_by_role("button", name="Scenes", exact=True).tap()
    scenes.get_by_label("New scene").fill("Loud and clear")
    scenes.get_by_role("button", name="Store", exact=True).tap()
    expect(scenes.get_by_role("button", name="Loud and clear", exact=True)).to_have_attribute("aria-pressed", "true")
    running.osc().send_message("/listener/1/gain", -30.0)
    until(lambda: running.value("/listener/1/gain") == -30)
    scenes.get_by_label("New scene").fill("Quiet")
    scenes.get_by_role("button", name="Store", exact=True).tap()
    quiet = scenes.get_by_role("button", name="Quiet", exact=True)
    expect(quiet).to_have_attribute("aria-pressed", "true")
    running.osc().send_message("/scene/crossfade", 60.0)
    until(lambda: running.value("/scene/crossfade") == 60)
    scenes.get_by_role("button", name="Loud and clear", exact=True).tap()
    # The values are on their way for a minute, unless the scene is recalled without a crossfade.
    until(lambda: -29.9 < running.value("/listener/1/gain") < -0.1)
    running.osc().send_message("/scene/crossfade", 0.0)
    until(lambda: running.value("/scene/crossfade") == 0)
    scenes.get_by_role("button", name="Loud and clear", exact=True).tap()
    until(lambda: running.value("/listener/1/gain") == 0)
    expect(quiet).to_have_attribute("aria-pressed", "false")
    assert scenes.get_by_role("slider", name="Crossfade").count() == 1
    # The same with the keyboard.
    quiet.focus()
    page.keyboard.press("Enter")
    until(lambda: running.value("/listener/1/gain") == -30)
    running.osc().send_message("/session/save-as", "A night at the opera with a very long name that has to break somewhere")
    expect(card(page, "Session").locator(".session-name")).to_contain_text("A night")
    painted(page)
    for button in card(page, "Session").get_by_role("button").all() + scenes.get_by_role("button").all():
        assert button.bounding_box()["height"] >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    card(page, "Session").scroll_into_view_if_needed()
    page.screenshot(path=screenshots / "session-phone.png")
    scenes.scroll_into_view_if_needed()
    page.screenshot(path=screenshots / "scenes-phone.png")
    scenes.get_by_role("button", name="Remove scene Quiet").tap()
    expect(quiet).to_have_count(0)
    card(page, "Session").get_by_role("button", name="Undo").tap()
    expect(quiet).to_be_visible()
    assert complaints == []
    context.close()


@pytest.mark.parametrize("kind, options", [
    ("desk", {"viewport": {"width": 1280, "height": 900}}),
    ("phone", {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}),
])
def test_replacing_deleting_and_discarding_ask_first(browser, running, tmp_path, screenshots, kind, options):
    context, page, complaints = opened(browser, running, **options)
    show(page, "Session")
    session, dialog = card(page, "Session"), page.get_by_role("dialog")
    folder = tmp_path / "sessions"
    # Without a name, Revert discards everything.
    running.osc().send_message("/listener/1/gain", -6.0)
    expect(session.get_by_text("Unsaved changes", exact=True)).to_be_visible()
    session.get_by_role("button", name="Revert").click()
    expect(dialog.get_by_role("heading", name="Discard all changes?")).to_be_visible()
    dialog.get_by_role("button", name="Cancel").click()
    assert running.value("/listener/1/gain") == -6
    session.get_by_role("button", name="Revert").click()
    dialog.get_by_role("button", name="Discard").click()
    until(lambda: running.value("/listener/1/gain") == 0)
    for name in ("evening", "morning"):
        session.get_by_label("Name").fill(name)
        session.get_by_role("button", name="Save as").click()
        expect(session.locator(".session-name")).to_have_text(name)
    # The names that the page knows follow the name of the session. Its own needs no question, that of another one does.
    expect(session.get_by_label("Saved sessions").get_by_role("option")).to_have_count(2)
    until((folder / "evening.json").exists)
    before = (folder / "evening.json").read_text()
    running.osc().send_message("/listener/1/gain", -9.0)
    expect(session.get_by_text("Unsaved changes", exact=True)).to_be_visible()
    session.get_by_role("button", name="Save as").click()
    until(lambda: "-9" in (folder / "morning.json").read_text())
    session.get_by_label("Name").fill("evening")
    session.get_by_role("button", name="Save as").click()
    expect(dialog.get_by_role("heading", name="Replace evening?")).to_be_visible()
    painted(page)
    page.screenshot(path=screenshots / f"session-replace-{kind}.png")
    dialog.get_by_role("button", name="Cancel").click()
    holds(lambda: (folder / "evening.json").read_text() == before, 0.2)
    session.get_by_label("Name").fill("evening")
    session.get_by_role("button", name="Save as").click()
    dialog.get_by_role("button", name="Replace").click()
    until(lambda: "-9" in (folder / "evening.json").read_text())
    expect(session.locator(".session-name")).to_have_text("evening")
    session.get_by_label("Saved sessions").select_option("morning")
    session.get_by_role("button", name="Delete").click()
    expect(dialog.get_by_role("heading", name="Delete morning?")).to_be_visible()
    dialog.get_by_role("button", name="Delete").click()
    until(lambda: not (folder / "morning.json").exists())
    expect(session.get_by_label("Saved sessions").get_by_role("option")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    session.scroll_into_view_if_needed()
    painted(page)
    page.screenshot(path=screenshots / f"session-trash-{kind}.png")
    assert complaints == []
    context.close()


def test_a_drag_that_rests_is_one_step(browser, running):
    """A slider and an object of the map, each held for longer than the pause that ends a step."""
    context, page, complaints = opened(browser, running, viewport={"width": 1440, "height": 900})
    gain = page.get_by_role("slider", name="Gain", exact=True).first
    undo = page.locator("#history").get_by_role("button").first

    def drag(handle, *ways):
        handle.scroll_into_view_if_needed()
        box = handle.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        for way in ways:
            page.mouse.move(x + way, y, steps=3)
            stimulus(0.8)
        page.mouse.up()
        sent(page)

    drag(gain, 20, -30)
    until(lambda: running.value("/listener/1/gain") < 0)
    undo.click()
    until(lambda: running.value("/listener/1/gain") == 0)
    expect(undo).to_have_accessible_name("Nothing to undo")
    show(page, "Objects")
    places = lambda: [running.value(f"/object/1/{name}") for name in ("azimuth", "distance")]
    before = places()
    drag(page.locator(".map-handle[data-object='1']"), 60, 120)
    until(lambda: places() != before)
    undo.click()
    until(lambda: places() == before)
    expect(undo).to_have_accessible_name("Nothing to undo")
    # Keys tell no end: what follows after a pause is a step of its own.
    show(page, "Head")
    gain.focus()
    for _ in range(2):
        earlier = running.value("/listener/1/gain")
        page.keyboard.press("ArrowLeft")
        until(lambda: running.value("/listener/1/gain") < earlier)
        stimulus(0.8)
    assert running.value("/listener/1/gain") < -1.5
    undo.click()
    expect(undo).to_be_enabled()
    undo.click()
    until(lambda: running.value("/listener/1/gain") == 0)
    assert complaints == []
    context.close()


def test_undo_and_redo_on_every_page(browser, running):
    """The buttons of the header are the same on every page, and do what those of the card Session do."""
    context, page, complaints = opened(browser, running, viewport={"width": 1440, "height": 900})
    undo, redo = (page.locator("#history").get_by_role("button").nth(place) for place in (0, 1))
    expect(undo).to_have_accessible_name("Nothing to undo")
    expect(redo).to_have_accessible_name("Nothing to redo")
    tabs = page.get_by_role("tab").all()
    assert len(tabs) > 4
    for step, tab in enumerate(tabs, 1):
        tab.click()
        expect(undo).to_be_disabled()
        running.osc().send_message("/listener/1/gain", -float(step))
        expect(undo).to_have_accessible_name(re.compile("Undo: .*Gain", re.IGNORECASE))
        undo.click()
        until(lambda: running.value("/listener/1/gain") == 0)
        expect(undo).to_be_disabled()
        expect(redo).to_have_accessible_name(re.compile("Redo: .*Gain", re.IGNORECASE))
        redo.click()
        until(lambda: running.value("/listener/1/gain") == -step)
        undo.click()
        until(lambda: running.value("/listener/1/gain") == 0)
    show(page, "Session")
    session = card(page, "Session")
    expect(session.get_by_role("button", name="Undo Nothing to undo")).to_be_disabled()
    session.get_by_role("button", name="Redo").click()
    until(lambda: running.value("/listener/1/gain") == -len(tabs))
    expect(undo).to_be_enabled()
    assert complaints == []
    context.close()
