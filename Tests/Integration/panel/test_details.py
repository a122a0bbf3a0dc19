"""Details that strangers stumble over: units, dashes instead of zeros, dialogs on phones, and parts that must not move."""

import itertools
import re

import numpy
import pytest
from playwright.sync_api import expect

import wave_file
from chromium import live_page, number_in, painted
from program import Engine
from waiting import until

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
DESK = {"viewport": {"width": 1440, "height": 900}}
# Keeps the texts that canvases draw, and the columns of each.
DRAWN = """window.drawn = new Set();
window.columns = {};
const fill = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
  window.drawn.add(text);
  (window.columns[text] ??= new Set()).add(Math.round(rest[0]));
  return fill.call(this, text, ...rest);
};"""


def region(page, name):
    return page.get_by_role("region", name=name, exact=True)


def inside(page, part):
    """Whether an element is on the screen as a whole, with a margin at its sides."""
    box, size = part.bounding_box(), page.viewport_size
    return box["x"] >= 8 and box["x"] + box["width"] <= size["width"] - 8 and box["y"] >= 0 and box["y"] + box["height"] <= size["height"]


def test_numbers_have_units(browser, engine):
    context, page, complaints = live_page(browser, engine.url + "/#objects", **DESK)
    pages = page.get_by_role("tablist", name="Pages")
    for tab, name, title, unit in [
            ("Objects", "Air", "Humidity", "%"), ("Objects", "Air", "Air temperature", "°C"), ("Engine", "Stream", "Bit rate", "kbit/s"),
            ("Engine", "Stream", "Lowest bit rate", "kbit/s"), ("Effects", "Metronome", "Tempo", "bpm")]:
        pages.get_by_role("tab", name=tab, exact=True).click()
        control = region_of(page, name).locator(".control", has=page.get_by_text(title, exact=True))
        expect(control.locator(".unit").first).to_have_text(unit)
    # Rows of numbers that are empty so far tell it in their words.
    pages.get_by_role("tab", name="Array", exact=True).click()
    rows = region_of(page, "Array settings")
    for title, words in [("Microphone delays", "milliseconds"), ("Microphone gains", "dB"), ("Azimuth overrides", "degrees")]:
        expect(rows.locator(".control", has=page.get_by_text(title, exact=True)).locator(".help")).to_contain_text(words)
    pages.get_by_role("tab", name="Engine", exact=True).click()
    for title, unit in [("Stream bit rate", "kbit/s"), ("Clock drift", "ppm")]:
        reading = page.locator(".control-readout", has=page.get_by_text(title, exact=True))
        expect(reading.locator(".readout-value")).to_have_text(re.compile(rf"^0\s{unit}$"))
    assert complaints == []
    context.close()


def test_settings_are_in_the_order_in_which_one_reaches_for_them(browser, engine):
    context, page, _ = live_page(browser, engine.url, **DESK)
    titles = lambda name: region_of(page, name).locator(".control:not([hidden]) .label").all_inner_texts()
    until(lambda: titles("Listener 1")[:5] == ["Method", "Gain", "Mute", "Forward offset", "Ear azimuth"],
          describe=lambda: titles("Listener 1"))
    assert titles("Listener 1").index("HRTF equalisation") > titles("Listener 1").index("HRTF file (SOFA)")
    page.get_by_role("tab", name="Session", exact=True).click()
    until(lambda: titles("360-degree video")[:2] == ["Video", "Stereo layout"], lambda: titles("360-degree video"))
    page.get_by_role("tab", name="Effects", exact=True).click()
    until(lambda: len(titles("Metronome")) > 3)
    print(titles("Metronome"))
    assert titles("Metronome")[0] == "Tempo"
    assert titles("Metronome").index("Subdivision") > titles("Metronome").index("Metronome")
    context.close()


def region_of(page, title):
    """A card, also on a page that is not shown."""
    return page.locator(".card", has=page.get_by_role("heading", name=title, exact=True, include_hidden=True))


def test_axes_have_units(browser, engine):
    context, page, _ = live_page(browser, engine.url, DRAWN, **DESK)
    for text in ["0 dB", "−24 dB", "100 Hz"]:
        until(lambda: page.evaluate("text => drawn.has(text)", text), describe=lambda: page.evaluate("[...drawn].join(', ')"))
    expect(page.locator(".limiter")).to_have_text(re.compile("^limiter "))
    engine.osc().send_message("/rack/recording/add", "compressor")
    page.goto(engine.url + "/#effects")
    # Both axes of the compressor's curve.
    columns = "text => columns[text]?.size ?? 0"
    for text in ["−36 dB", "−12 dB"]:
        until(lambda: page.evaluate(columns, text) >= 2, describe=lambda: page.evaluate("[...drawn].join(', ')"))
    expect(region(page, "Tuner").locator(".tuner-marks").first).to_have_text("−50 cents0+50 cents")
    page.goto(engine.url + "/telemetry")
    for name, unit in [("Levels", "dB"), ("Load", "%"), ("Motion to sound", "ms"), ("Head", "°")]:
        if name == "Motion to sound":
            engine.osc().send_message("/listener/1/ypr", [5.0, 0.0, 0.0])
        labels = region(page, name).locator(".dygraph-axis-label-y")
        expect(labels.first).to_be_visible()
        assert all(text.endswith(unit) for text in labels.all_inner_texts()), labels.all_inner_texts()
        # Every label has room.
        assert all(labels.evaluate_all("all => all.map((each) => each.scrollWidth <= each.clientWidth)"))
    context.close()


def test_nothing_moves_when_poses_stop(browser, engine):
    context, page, _ = live_page(browser, engine.url, **DESK)
    card = region(page, "Motion to sound")
    expect(card).to_contain_text("No poses yet.")
    expect(card.locator(".control-readout", has=page.get_by_text("Waiting", exact=True)).locator(".readout-value")).to_have_text("–")
    turns = itertools.cycle((20.0, 21.0))

    def shows(number):
        """Whether a number of recent poses is shown, while poses arrive."""
        engine.osc().send_message("/listener/1/ypr", [next(turns), 0.0, 0.0])
        return number_in(number.inner_text())

    until(lambda: shows(card.locator(".quantile-number").first))
    box = card.locator(".quantiles").bounding_box()
    page.get_by_role("tab", name="Trackers").click()
    stages = region(page, "Latency by stage")
    until(lambda: shows(stages.locator(".stage-total td").first))
    table = stages.locator(".stage-table").bounding_box()
    expect(stages).to_contain_text("No poses in the last 5 s.")
    assert stages.locator(".stage-table").bounding_box() == table
    page.get_by_role("tab", name="Head", exact=True).click()
    expect(card).to_contain_text("No poses in the last 5 s.")
    assert card.locator(".quantiles").bounding_box() == box
    context.close()


def test_a_tracker_without_a_pose_has_no_numbers(browser, scene):
    with Engine("--recording", scene, "--tracker", "mach1:0") as engine:
        context, page, _ = live_page(browser, engine.url + "/#trackers", **DESK)
        readings = page.get_by_role("article", name=re.compile("^mach1")).locator("dd")
        expect(readings).to_have_text(["–"] * 5)
        context.close()


@pytest.mark.parametrize("options", [DESK, PHONE], ids=["desk", "phone"])
def test_the_presets_can_be_closed_at_once(browser, engine, options, screenshots):
    context, page, _ = live_page(browser, engine.url + "/#effects", **options)
    page.get_by_role("button", name="No preset").click()
    dialog = page.get_by_role("dialog", name="Presets")
    close = dialog.get_by_role("button", name="Close")
    painted(page)
    page.screenshot(path=screenshots / f"presets-{page.viewport_size['width']}.png")
    expect(close).to_be_in_viewport(ratio=1)
    dialog.get_by_role("button", name="Save as mine").scroll_into_view_if_needed()
    expect(close).to_be_in_viewport(ratio=1)
    look = "part => getComputedStyle(part).borderRadius"
    assert close.evaluate(look) == page.locator(".rack-bypass").evaluate(look)
    close.click()
    expect(dialog).to_be_hidden()
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_signing_in_on_a_phone(browser, scene, tmp_path, screenshots, scheme):
    with Engine("--recording", scene, "--token-file", tmp_path / "tokens") as engine:
        context = browser.new_context(**PHONE, color_scheme=scheme)
        page = context.new_page()
        page.goto(engine.url)
        dialog = page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        assert inside(page, dialog)
        look = "part => ['backgroundColor', 'borderRadius', 'borderColor'].map((name) => getComputedStyle(part)[name])"
        field = dialog.get_by_label("Token").evaluate(look)
        page.screenshot(path=screenshots / f"sign-in-{scheme}.png")
        tokens = dict(line.split() for line in (tmp_path / "tokens").read_text().splitlines())
        dialog.get_by_label("Token").fill(tokens["control"])
        dialog.get_by_role("button", name="Connect").click()
        expect(page.locator("html")).to_have_attribute("data-link", "live")
        # It looks as every other field does.
        assert field == page.locator("input[type=text]").first.evaluate(look)
        context.close()


def test_banners_are_low_on_a_phone(browser, engine):
    engine.osc().send_message("/tuner/mute", True)
    context, page, _ = live_page(browser, engine.url + "/#effects", **PHONE)
    banner = page.locator(".banner", has_text="The output is muted for tuning.")
    expect(banner).to_be_visible()
    assert banner.bounding_box()["height"] <= 56
    context.close()


def test_without_microphones_there_is_nothing_to_mute(browser, tmp_path):
    wave_file.write(tmp_path / "voice.wav", numpy.full((4800, 1), 0.1))
    with Engine("--input", tmp_path / "voice.wav") as engine:
        context, page, _ = live_page(browser, engine.url + "/#array", **DESK)
        expect(page.locator(".head")).to_contain_text("No microphones yet. Load a recording on the page Session.")
        expect(page.get_by_role("radiogroup", name="Press on a microphone")).to_be_hidden()
        context.close()


def test_without_a_note_the_tuner_is_quiet(browser, engine, screenshots):
    context, page, _ = live_page(browser, engine.url + "/#effects", **DESK)
    region(page, "Tuner").get_by_role("button", name="Full screen").click()
    stage = page.get_by_role("dialog")
    note = stage.locator(".tuner-note")
    expect(note).to_have_text("–")
    page.screenshot(path=screenshots / "tuner-silent.png")
    # A dash as large as a note is a black bar.
    assert note.evaluate("part => parseFloat(getComputedStyle(part).fontSize)") < 300
    assert note.evaluate("part => getComputedStyle(part).color") != stage.evaluate("part => getComputedStyle(part).color")
    stage.get_by_role("button", name="Close").click()
    context.close()


def test_a_card_is_only_named_where_it_is(browser, scene, tmp_path):
    """The way to pair a phone is told by engines that have one."""
    for options in [(), ("--token-file", tmp_path / "tokens")]:
        with Engine("--recording", scene, *options) as engine:
            token = dict(line.split() for line in (tmp_path / "tokens").read_text().splitlines())["control"] if options else ""
            context, page, _ = live_page(browser, f"{engine.url}/#token={token}" if options else engine.url, **DESK)
            page.get_by_role("tab", name="Engine").click()
            expect(region(page, "Phones")).to_contain_text("Listen on a phone joins.")
            words = page.get_by_text("Paired phones and browsers", exact=False)
            expect(region(page, "Phones").get_by_text("The code on the card")).to_have_count(1 if options else 0)
            expect(words.locator("visible=true")).to_have_count(2 if options else 0)
            context.close()


# Opens everything that folds on the page that is shown.
OPEN = """() => {
  const shown = document.querySelector('[role=tabpanel]:not([hidden])');
  for (const fold of shown.querySelectorAll('.card-fold[aria-expanded=false]')) if (fold.offsetParent) fold.click();
  for (const details of shown.querySelectorAll('details')) details.open = true;
}"""
# Parts that stick out of the screen, and boxes that their content does not fit.
STICKS_OUT = """() => [...document.querySelectorAll('[role=tabpanel]:not([hidden]) *')].filter((part) => {
  const { right, width } = part.getBoundingClientRect();
  const scrolls = (each) => each && (['auto', 'scroll'].includes(getComputedStyle(each).overflowX) || scrolls(each.parentElement));
  const isHidden = (each) => each && (getComputedStyle(each).clipPath !== 'none' || isHidden(each.parentElement));
  return width > 1 && !scrolls(part.parentElement) && !isHidden(part)
    && (right > innerWidth + 0.5 || (part.matches('.count') && part.scrollWidth > part.clientWidth));
}).map((part) => `${part.tagName}.${part.className}: ${part.textContent.slice(0, 40)}`)"""


def test_open_cards_fit_the_narrowest_phone(browser, engine, screenshots):
    context, page, _ = live_page(browser, engine.url, viewport={"width": 320, "height": 640}, has_touch=True)
    for name in ["Effects", "Objects", "Trackers", "Array", "Session", "Engine"]:
        page.get_by_role("tab", name=name, exact=True).click()
        expect(page.get_by_role("tabpanel", name=name)).to_be_visible()
        page.evaluate(OPEN)
        painted(page)
        page.screenshot(path=screenshots / f"narrow-{name.lower()}.png")
        assert page.evaluate(STICKS_OUT) == [], name
        if name == "Objects":
            assert page.locator(".object-name").first.bounding_box()["width"] > 120
    context.close()


@pytest.mark.parametrize(("width", "height"), [(844, 390), (720, 450)])
def test_effects_are_seen_on_a_low_screen(browser, engine, screenshots, width, height):
    engine.osc().send_message("/rack/recording/add", "equaliser")
    context, page, _ = live_page(browser, engine.url + "/#effects", viewport={"width": width, "height": height}, has_touch=True)
    expect(page.locator(".effect")).to_have_count(1)
    painted(page)
    page.screenshot(path=screenshots / f"low-effects-{width}.png")
    assert page.locator(".effect").bounding_box()["y"] < 200
    page.get_by_role("tab", name="Head", exact=True).click()
    painted(page)
    page.screenshot(path=screenshots / f"low-head-{width}.png")
    # The button does not cover the label of the ring's front, at its top.
    ring, button = page.locator(".ring-box").bounding_box(), page.get_by_role("button", name="Recenter").bounding_box()
    assert button["x"] > ring["x"] + ring["width"] / 2 + 24 or button["y"] + button["height"] <= ring["y"] + 2
    marks = [part.bounding_box() for part in page.locator(".levels .scale span").all() if part.is_visible()]
    assert all(one["x"] + one["width"] + 2 < other["x"] for one, other in zip(marks, marks[1:]))
    context.close()


@pytest.mark.parametrize(("width", "height"), [(844, 390), (390, 844)])
@pytest.mark.parametrize(("path", "title"), [("listen", "scene.wav"), ("telemetry", "Telemetry"), ("listening-test", "Listening test")])
def test_other_pages_have_title_and_state_on_phones(browser, engine, screenshots, path, title, width, height):
    context, page, _ = live_page(browser, f"{engine.url}/{path}", viewport={"width": width, "height": height}, has_touch=True)
    page.screenshot(path=screenshots / f"{path}-{width}.png")
    heading, state = page.get_by_role("heading", name=title).first.bounding_box(), page.locator(".link").bounding_box()
    # Side by side: the state is no point above the title.
    assert heading["width"] > 40 and state["width"] > 40, (heading, state)
    assert heading["x"] + heading["width"] <= state["x"], (heading, state)
    context.close()


@pytest.mark.parametrize(("place", "card", "words"), [
    ("trackers", "Trackers", "No trackers yet. Attach one below, or open /phone on a phone."),
    ("session", "Scenes", "No scenes yet. Adjust the settings, then enter a name to store them as a scene."),
    ("session", "Session", "No saved sessions yet. Enter a name and press “Save as”."),
    ("session", "Listening test", "No tests yet. Upload a definition (JSON)"),
    ("engine", "Pairing", "No phone or browser is paired yet. Show a code below, and scan it with the phone."),
    ("objects", "Sounds", "No sounds yet. Upload one, or put sound files into the folder of --sounds"),
])
def test_empty_lists_state_what_would_be_there(browser, scene, tmp_path, monkeypatch, place, card, words):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    token = tmp_path / "tokens"
    with Engine("--recording", scene, "--objects", 1, "--token-file", token) as engine:
        login = dict(line.split() for line in token.read_text().splitlines())["control"]
        context, page, complaints = live_page(browser, f"{engine.url}/#token={login}", **DESK)
        page.get_by_role("tab", name=place.title(), exact=True).click()
        shown = page.get_by_role("tabpanel", name=place.title()).get_by_text(words, exact=False)
        print(card, page.get_by_role("tabpanel", name=place.title()).locator(".help").all_inner_texts())
        expect(shown.first).to_be_visible()
        assert complaints == []
        context.close()
