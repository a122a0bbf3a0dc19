"""The panel on phones, on their side, and at 200 % zoom, with back, forward and reload. SCREENSHOTS=FOLDER keeps the pictures."""

import pytest
from playwright.sync_api import expect

from chromium import painted
from program import Engine
from rack_client import add
from waiting import until

PAGES = ["Head", "Effects", "Objects", "Trackers", "Array", "Session", "Engine"]
# Width and height; 720 x 450 is a desktop of 1440 x 900 at 200 %.
SIZES = [(320, 640), (390, 844), (844, 390), (720, 450), (820, 1180), (1440, 900)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_page_is_reached_and_nothing_overflows(open_page, engine, screenshots, width, height):
    add(engine, "equaliser", "compressor")
    page = open_page(width, height)
    for name in PAGES:
        tab = page.get_by_role("tab", name=name, exact=True)
        box = tab.bounding_box()
        # Each tab is on the screen as a whole, and large enough for a finger.
        assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["y"] >= 0 and box["y"] + box["height"] <= height
        assert box["width"] >= 40 and box["height"] >= 38
        # A phone that is held upright has its tabs at the bottom, below the page.
        if width < 400:
            main = page.locator("main").bounding_box()
            assert box["y"] >= main["y"] + main["height"] - 1 and box["y"] + box["height"] > height - 70
        tab.click()
        expect(page.get_by_role("tabpanel", name=name)).to_be_visible()
        painted(page)
        page.screenshot(path=screenshots / f"small-{name.lower()}-{width}.png")
        for part in ["html", "main"]:
            assert page.locator(part).evaluate("part => part.scrollWidth <= part.clientWidth"), f"{name}: {part}"
        assert page.locator("html").evaluate("part => part.scrollHeight <= part.clientHeight"), name


@pytest.mark.parametrize(("width", "height", "share"), [(390, 844, 0.14), (844, 390, 0.16), (720, 450, 0.14)])
def test_bars_leave_the_screen_to_the_page(open_page, width, height, share):
    page = open_page(width, height)
    assert page.locator(".dock").bounding_box()["height"] <= 56
    main = page.locator("main").bounding_box()
    assert main["height"] >= height * (1 - share) - 44


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 640)])
def test_the_head_fits_on_a_phone(open_page, width, height):
    page = open_page(width, height)
    assert page.locator("main").evaluate("main => main.scrollHeight - main.clientHeight") <= 8
    for part in [page.get_by_role("slider", name="Heading"), page.get_by_role("slider", name="Pitch"), page.get_by_role("meter").first]:
        expect(part).to_be_in_viewport(ratio=1)
    page.get_by_role("radio", name="Details").check()
    expect(page.get_by_role("slider", name="Heading")).to_be_hidden()
    listener = page.get_by_role("region", name="Listener 1", exact=True)
    listener.get_by_role("button", name="Listener 1").click()
    expect(listener.get_by_label("Method", exact=True)).to_be_visible()


def test_cards_fold_on_a_phone(open_page):
    page = open_page(390, 844, "#session")
    session, scenes = [page.get_by_role("region", name=name, exact=True) for name in ("Session", "Scenes")]
    fold = session.get_by_role("button", name="Session", exact=True)
    expect(fold).to_have_attribute("aria-expanded", "true")
    fold.click()
    expect(session.get_by_role("button", name="Save", exact=True)).to_be_hidden()
    scenes.get_by_role("button", name="Scenes", exact=True).click()
    expect(scenes.get_by_label("New scene")).to_be_visible()
    page.get_by_role("tab", name="Objects").click()
    expect(page.get_by_role("slider", name="Object 1", exact=True)).to_be_visible()
    assert page.locator("main").evaluate("main => main.scrollHeight") < 1300


def test_one_device_at_a_time_on_a_phone(open_page, engine):
    names = ["equaliser", "compressor", "delay", "chorus", "reverb"]
    add(engine, *names)
    page = open_page(390, 844, "#effects")
    bodies = page.locator(".effect-body:visible")
    expect(bodies).to_have_count(1)
    page.get_by_role("button", name="3 Delay").click()
    expect(bodies).to_have_count(1)
    expect(page.get_by_role("slider", name="Feedback")).to_be_visible()
    # 6,900 pixels before devices and cards folded.
    assert page.locator("main").evaluate("main => main.scrollHeight") < 1700
    page.get_by_role("button", name="3 Delay").click()
    expect(bodies).to_have_count(0)


def test_five_effects_fit_on_a_desktop(open_page, engine):
    add(engine, "equaliser", "compressor", "delay", "chorus", "reverb")
    page = open_page(1440, 900, "#effects")
    expect(page.locator(".effect")).to_have_count(5)
    for effect in page.locator(".effect").all():
        expect(effect).to_be_in_viewport(ratio=1)
        # The numbers of an open device are in sight.
        expect(effect.locator(".field-number").first).to_be_in_viewport(ratio=1)
    row = page.locator(".rack-row")
    assert row.evaluate("row => row.scrollWidth <= row.clientWidth")
    page.get_by_role("button", name="2 Compressor").click()
    expect(page.get_by_role("slider", name="Threshold")).to_be_hidden()


def test_any_five_effects_fit_on_a_desktop(browser, scene):
    """With two listeners, whose racks take a line of the card."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    with Engine("--recording", scene, "--listeners", 2) as engine:
        kinds = [kind for kind in engine.get("/rack/recording/add")["RANGE"][0]["VALS"] if kind]
        assert len(kinds) > 10
        page = context.new_page()
        page.goto(engine.url + "/#effects")
        expect(page.locator("html")).to_have_attribute("data-link", "live")
        for first in range(0, len(kinds), 5):
            row = kinds[first:first + 5]
            engine.osc().send_message("/rack/recording/layout", "")
            expect(page.locator(".effect")).to_have_count(0)
            add(engine, *row)
            expect(page.locator(".effect")).to_have_count(len(row))
            for effect in page.locator(".effect").all():
                expect(effect).to_be_in_viewport(ratio=1)
    context.close()


def test_back_and_forward_and_reload(open_page):
    page = open_page(1440, 900)
    for name in ["Effects", "Session"]:
        page.get_by_role("tab", name=name).click()
    page.go_back()
    expect(page.get_by_role("tabpanel", name="Effects")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("tabpanel", name="Head")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("tabpanel", name="Effects")).to_be_visible()
    page.reload()
    expect(page.get_by_role("tabpanel", name="Effects")).to_be_visible()


def test_reload_keeps_the_listener(browser, scene):
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    with Engine("--recording", scene, "--listeners", 2) as engine:
        page.goto(engine.url)
        page.get_by_role("radio", name="Listener 2").first.check()
        page.get_by_role("tab", name="Trackers").click()
        page.reload()
        expect(page.get_by_role("radio", name="Listener 2").first).to_be_checked()
        expect(page.get_by_role("tabpanel", name="Trackers")).to_be_visible()
    context.close()


# Keeps the boxes of the first notice, the page and its tabs while the notice is there, which goes after seconds.
BOXES = """() => {
  new MutationObserver(() => {
    const parts = ['.notice', 'main', '.dock'].map((part) => document.querySelector(part)?.getBoundingClientRect().toJSON());
    if (parts[0]) window.boxes ??= parts;
  }).observe(document.getElementById('notices'), { childList: true });
}"""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900)])
def test_notices_cover_nothing_and_leave(open_page, engine, width, height):
    page = open_page(width, height)
    before = page.locator("main").bounding_box()
    page.evaluate(BOXES)
    engine.osc().send_message("/listener/1/gian", 1.0)
    notice = page.locator(".notice")
    box, main, dock = until(lambda: page.evaluate("window.boxes"))
    assert box["height"] > 0
    assert box["y"] + box["height"] <= main["y"] + 1 and main["y"] + main["height"] <= dock["y"] + 1
    expect(notice).to_have_count(0)
    assert page.locator("main").bounding_box() == before


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_undo_is_in_reach_on_every_page_at_every_size(open_page, engine, width, height):
    engine.osc().send_message("/listener/1/gain", -7.0)
    page = open_page(width, height)
    undo = page.get_by_role("group", name="Changes").get_by_role("button", name="Undo: ")
    for name in PAGES:
        page.get_by_role("tab", name=name, exact=True).click()
        expect(undo).to_be_in_viewport(ratio=1)
        box = undo.bounding_box()
        assert box["width"] >= 30 and box["height"] >= 38, box
        # Nothing lies over it.
        undo.click(trial=True)
