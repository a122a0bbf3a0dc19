"""Presets in folders, levels and drags of a rack, the looper and the tuner on the whole screen, in a real browser with a live input."""

import os

import numpy
import pytest
from playwright.sync_api import expect

import wave_file
from chromium import live_page, number_in
from panel_page import CLOCK
from program import Engine
from waiting import until

DESK = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def engine(tmp_path):
    times = numpy.arange(48_000) / 48_000
    wave_file.write(tmp_path / "in.wav", 0.25 * numpy.sin(2 * numpy.pi * 220 * times)[:, None].repeat(2, 1))
    environment = dict(os.environ, XDG_DATA_HOME=str(tmp_path / "data"))
    with Engine("--input", tmp_path / "in.wav", env=environment) as running:
        yield running


@pytest.fixture
def open_page(browser, engine):
    contexts = []

    def make(width, height):
        context = browser.new_context(viewport={"width": width, "height": height}, has_touch=width < 1000)
        contexts.append(context)
        page = context.new_page()
        page.goto(engine.url + "#effects")
        expect(page.locator("html")).to_have_attribute("data-link", "live")
        return page

    yield make
    for context in contexts:
        context.close()


def card(page, name):
    """A card of the page, unfolded."""
    found = page.get_by_role("region", name=name)
    fold = found.locator(".card-fold")
    if fold.is_visible() and fold.get_attribute("aria-expanded") == "false":
        fold.click()
    return found


def test_presets_are_saved_into_folders_and_shown_in_groups(open_page, engine):
    engine.osc().send_message("/rack/input/add", "delay")
    page = open_page(390, 844)
    page.get_by_role("button", name="No preset").click()
    dialog = page.get_by_role("dialog", name="Presets")
    dialog.get_by_label("Save this rack").fill("Live/My lead")
    dialog.get_by_role("button", name="Save as mine").click()
    until(lambda: "user\tLive/My lead" in engine.value("/list/racks"))
    # A saved rack has the name of its file, without its folder once the page knows the list that it opens.
    page.get_by_role("button", name="My lead", exact=True).click()
    dialog.get_by_role("list", name="Live").get_by_role("button", name="My lead").click()
    until(lambda: engine.value("/rack/input/title") == "Live/My lead")
    expect(page.get_by_role("button", name="My lead")).to_be_visible()


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_the_looper_is_played_by_its_buttons(open_page, engine, size):
    page = open_page(*size)
    looper = card(page, "Looper")
    button = lambda name: looper.get_by_role("button", name=name, exact=True)
    expect(button("Undo overdub")).to_be_disabled()
    button("Record").click()
    expect(looper.get_by_text("Recording", exact=True)).to_be_visible()
    recorded = until(lambda: (length := engine.value("/looper/length")) > 0.3 and length)
    button("End recording").click()
    expect(looper.get_by_text("Playing", exact=True)).to_be_visible()
    length = engine.value("/looper/length")
    assert length >= recorded
    button("Overdub").click()
    until(lambda: engine.value("/looper/state") == "overdubbing")
    button("End overdub").click()
    button("Undo overdub").click()
    until(lambda: engine.value("/looper/can-redo") is True)
    expect(button("Redo overdub")).to_be_enabled()
    assert engine.value("/looper/length") == length
    button("Stop").click()
    until(lambda: engine.value("/looper/state") == "stopped")
    button("Clear loop").click()
    expect(looper.get_by_text("Empty", exact=True)).to_be_visible()


def test_the_tuner_fills_the_screen_and_mutes(open_page, engine):
    page = open_page(1440, 900)
    peak = lambda: max(engine.value("/meter/listener/1/peak"))
    until(lambda: peak() > 0.1)
    card(page, "Tuner").get_by_role("button", name="Full screen").click()
    stage = page.get_by_role("dialog", name="Tuner")
    expect(stage.locator(".tuner-note")).to_have_text("A3")
    assert stage.bounding_box()["width"] == 1440
    # Letters of a third of the screen's height: 6 cm on a screen of 15 inches, which is 1.1 degrees at 3 m.
    assert stage.locator(".tuner-note").evaluate("each => parseFloat(getComputedStyle(each).fontSize)") > 400
    until(lambda: peak() == 0)
    stage.get_by_role("button", name="Mute output").click()
    until(lambda: peak() > 0.1)
    stage.get_by_role("button", name="Mute output").click()
    until(lambda: engine.value("/tuner/mute") is True)
    page.keyboard.press("Escape")
    until(lambda: engine.value("/tuner/mute") is False and engine.value("/tuner/run") is False)
    until(lambda: peak() > 0.1)


def test_a_mute_is_shown_after_a_reload_and_on_other_panels(open_page, engine):
    page, phone = open_page(1440, 900), open_page(390, 844)
    card(page, "Tuner").get_by_role("button", name="Full screen").click()
    words = "The output is muted for tuning."
    expect(phone.get_by_text(words)).to_be_visible()
    page.reload()
    expect(page.get_by_text(words)).to_be_visible()
    page.get_by_role("button", name="Unmute").click()
    until(lambda: engine.value("/tuner/mute") is False)
    expect(page.get_by_text(words)).to_be_hidden()
    expect(phone.get_by_text(words)).to_be_hidden()


@pytest.fixture
def voice(tmp_path):
    """A tone with a peak of -14 dB, repeated without a seam."""
    wave_file.write(tmp_path / "voice.wav", 10 ** (-14 / 20) * numpy.sin(2 * numpy.pi * numpy.arange(48_000) / 100)[:, None])
    return tmp_path / "voice.wav"


def add(engine, *names):
    for number, name in enumerate(names, 1):
        engine.osc().send_message("/rack/input/add", name)
        until(lambda: engine.value("/rack/input/layout").count(str(number)) == 1)


def test_the_rack_that_is_heard_is_shown_with_its_levels(browser, voice):
    with Engine("--input", voice) as engine:
        context, page, complaints = live_page(browser, engine.url + "/#effects", **DESK)
        expect(page.get_by_role("radiogroup", name="Rack").get_by_role("radio", name="Input")).to_be_checked()

        def level(name):
            meter = page.locator(".rack-meter", has=page.get_by_role("img", name=name, exact=True))
            text = meter.locator(".effect-number").inner_text()
            assert text.endswith("dB")
            return number_in(text)

        near = lambda name, wanted: (value := level(name)) is not None and abs(value - wanted) <= 0.15
        until(lambda: near("Input level", -14) and near("Output level", -14), lambda: (level("Input level"), level("Output level")))
        engine.osc().send_message("/rack/input/add", "limiter")
        until(lambda: engine.value("/rack/input/layout") == "1")
        engine.osc().send_message("/rack/input/slot/1/limiter/ceiling", -20.0)
        until(lambda: near("Input level", -14) and near("Output level", -20), lambda: (level("Input level"), level("Output level")))
        assert complaints == []
        context.close()


def test_a_drag_scrolls_at_the_edges(browser, engine):
    add(engine, "equaliser", "compressor", "delay", "chorus", "reverb")
    context, page, _ = live_page(browser, engine.url + "/#effects", viewport={"width": 390, "height": 600})
    grip = page.get_by_role("button", name="Move slot 1")
    grip.scroll_into_view_if_needed()
    box, main = grip.bounding_box(), page.locator("main").bounding_box()
    scrolled = lambda: page.locator("main").evaluate("main => main.scrollTop")
    before = scrolled()
    x = box["x"] + box["width"] / 2
    page.mouse.move(x, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(x, main["y"] + main["height"] - 10, steps=5)
    # The pointer rests at the edge, and the page continues to its end.
    until(lambda: scrolled() > before + 150, scrolled)
    page.mouse.move(x, main["y"] + 10, steps=5)
    until(lambda: scrolled() == 0, scrolled)
    page.keyboard.press("Escape")
    page.mouse.up()
    assert engine.value("/rack/input/layout") == "1 2 3 4 5"
    context.close()


@pytest.mark.parametrize(("rest", "drop", "wanted"), [(0, "behind", "2 1 3"), (800, "beside", "(2 | 1) 3")], ids=["passing", "resting"])
def test_a_finger_makes_a_branch_on_purpose_only(browser, engine, rest, drop, wanted):
    """The finger rests for as long as the page's clock says, however long the gesture takes."""
    add(engine, "tremolo", "vibrato", "phaser")
    context, page, complaints = live_page(browser, engine.url + "/#effects", CLOCK, **PHONE)
    for number in (1, 2, 3):
        fold = page.get_by_role("article", name=f"Slot {number}:").locator(".effect-fold")
        if fold.get_attribute("aria-expanded") == "true":
            fold.tap()
    grip = page.get_by_role("button", name="Move slot 1")
    grip.scroll_into_view_if_needed()
    box, other = grip.bounding_box(), page.get_by_role("article", name="Slot 2:").bounding_box()
    session = context.new_cdp_session(page)
    touch = lambda kind, *points: session.send("Input.dispatchTouchEvent", {
        "type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})
    x, from_y, to_y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, other["y"] + other["height"] * 0.55
    page.evaluate("holdClock()")
    touch("touchStart", (x, from_y))
    for share in range(1, 6):
        touch("touchMove", (x, from_y + (to_y - from_y) * share / 5))
    expect(page.locator("[data-drop=behind]")).to_have_count(1)
    page.evaluate("advanceClock", rest)
    expect(page.locator(f"[data-drop={drop}]")).to_have_count(1)
    touch("touchEnd")
    until(lambda: engine.value("/rack/input/layout") == wanted)
    assert complaints == []
    context.close()
