"""The panel in a real browser. SCREENSHOTS=FOLDER keeps the pictures."""

import re

import pytest
from playwright.sync_api import expect

from chromium import complaints_of, connected, live_page, number_in, painted
from mqtt_broker import free_port
from panel_page import notices
from program import Engine
from waiting import until


@pytest.fixture
def page(browser, engine):
    """The live panel at desktop size; errors in the browser's console fail the test."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    complaints = complaints_of(page)
    page.goto(engine.url)
    connected(page)
    yield page
    assert complaints == []
    context.close()


def show(page, name):
    """Opens another page of the panel."""
    page.get_by_role("tab", name=name, exact=True).click()


def ring(page):
    return page.get_by_role("slider", name=re.compile("head", re.I)).first


@pytest.mark.gate
def test_dragging_the_ring_turns_the_head(page, engine, screenshots):
    box = ring(page).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    radius = min(box["width"], box["height"]) * 0.3
    page.mouse.move(x, y - radius)
    page.mouse.down()
    page.mouse.move(x - radius * 0.7, y - radius * 0.7, steps=10)
    page.mouse.move(x - radius, y, steps=10)  # From the front to the left.
    page.mouse.up()
    until(lambda: abs(engine.value("/listener/1/ypr")[0] - 90) < 3)
    expect(ring(page)).to_have_attribute("aria-valuetext", re.compile("left"))

    def measured():
        """Whether the latency of a recent pose is known, while the head turns."""
        ring(page).press("ArrowLeft")
        return engine.value("/latency/motion-to-sound")[0] > 0

    until(measured)
    painted(page)
    page.screenshot(path=screenshots / "desk.png")


# Elements that extend beyond their card when all cards are open.
STICKS_OUT = """() => [...document.querySelectorAll('.card')].flatMap((card) => {
  for (const details of card.querySelectorAll('details')) details.open = true;
  const { right, width } = card.getBoundingClientRect();
  // Parts that scroll sideways within the card do not stick out of it.
  const scrolls = (part) => ['auto', 'scroll'].includes(getComputedStyle(part).overflowX);
  const isInside = (part) => part !== card && (scrolls(part) || isInside(part.parentElement));
  return width === 0 ? [] : [...card.querySelectorAll('*')]
    .filter((part) => part.getBoundingClientRect().right > right + 1 && !isInside(part.parentElement))
    .map((part) => `${card.querySelector('h2')?.textContent}: ${part.tagName}.${part.className}`);
})"""
PAGES = ["Head", "Effects", "Objects", "Trackers", "Array", "Session", "Engine"]


@pytest.mark.gate
@pytest.mark.parametrize("width", [390, 820, 1440])
def test_every_page_has_its_cards(browser, engine, screenshots, width):
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    page.goto(engine.url)
    expect(page.get_by_role("tab", name="Head", exact=True)).to_have_attribute("aria-selected", "true")
    for name in PAGES:
        show(page, name)
        expect(page.get_by_role("tabpanel", name=name)).to_be_visible()
        expect(page.get_by_role("tabpanel")).to_have_count(1)
        painted(page)
        page.screenshot(path=screenshots / f"page-{name.lower()}-{width}.png", full_page=True)
        assert page.evaluate(STICKS_OUT) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


def test_pages_by_keyboard_and_by_address(page, engine):
    head = page.get_by_role("tab", name="Head", exact=True)
    head.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Effects")).to_be_focused()
    expect(page.get_by_role("tabpanel", name="Effects")).to_be_visible()
    page.keyboard.press("End")
    expect(page.get_by_role("tabpanel", name="Engine")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(head).to_be_focused()
    page.goto(engine.url + "#trackers")
    expect(page.get_by_role("tabpanel", name="Trackers")).to_be_visible()
    page.reload()
    expect(page.get_by_role("tabpanel", name="Trackers")).to_be_visible()


def test_a_page_is_made_when_it_is_first_shown(browser, scene):
    with Engine("--recording", scene, "--listeners", "2") as engine:
        context, page, complaints = live_page(browser, engine.url, viewport={"width": 1440, "height": 900})

        def filled():
            return page.evaluate("""() => [...document.querySelectorAll('.view')].filter((each) => each.childElementCount > 0)
                .map((each) => each.dataset.topic)""")

        assert filled() == ["head"]
        engine.osc().send_message("/music/loop", False)
        until(lambda: not engine.value("/music/loop"))
        show(page, "Session")
        loop = page.get_by_role("tabpanel", name="Session").get_by_role("switch", name="Loop music")
        expect(loop).not_to_be_checked()
        assert filled() == ["head", "session"]
        # Another listener takes new pages, and they have the current values.
        show(page, "Head")
        page.get_by_role("radiogroup", name="Listener").get_by_role("radio", name="Listener 2").click()
        until(lambda: filled() == ["head"], filled)
        engine.osc().send_message("/music/loop", True)
        until(lambda: engine.value("/music/loop"))
        show(page, "Session")
        expect(loop).to_be_checked()
        assert filled() == ["head", "session"] and complaints == []
        context.close()


def test_the_panel_shows_what_the_method_does(page, engine, screenshots):
    card = page.get_by_role("region", name="Bands and latency")
    engine.osc().send_message("/listener/1/ypr", [11.25, 0.0, 0.0])  # Between two microphones.
    expect(card).to_contain_text("Below 3.99 kHz")
    expect(card).to_contain_text("16 microphones per ear")
    expect(card).to_contain_text("151 samples (3.1 ms)")
    engine.osc().send_message("/listener/1/method", "linear")
    expect(card).to_contain_text("All frequencies")
    expect(card).to_contain_text("Added latency23 samples (0.5 ms)")
    expect(card.get_by_text("Above")).to_be_hidden()
    engine.osc().send_message("/listener/1/method", "ring-spectral")
    expect(card).to_contain_text("Above 3.99 kHz")
    card.screenshot(path=screenshots / "method.png")


def test_the_ring_by_keyboard(page, engine):
    # A key goes on from the direction that the page knows: none is on its way to the page any more.
    engine.osc().send_message("/listener/1/ypr", [20.0, 0.0, 0.0])
    expect(ring(page)).to_have_attribute("aria-valuenow", "20")
    ring(page).focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    until(lambda: engine.value("/listener/1/ypr")[0] == pytest.approx(30, abs=1e-3))
    expect(ring(page)).to_have_attribute("aria-valuenow", "30")
    page.keyboard.press("ArrowRight")
    until(lambda: engine.value("/listener/1/ypr")[0] == pytest.approx(25, abs=1e-3))


def test_recenter(page, engine):
    engine.osc().send_message("/listener/1/ypr", [40.0, 0.0, 0.0])
    until(lambda: "40" in (ring(page).get_attribute("aria-valuetext") or ""))
    page.get_by_role("button", name="Recenter").click()
    until(lambda: abs(engine.value("/listener/1/front") - 40) < 0.01)
    until(lambda: number_in(ring(page).get_attribute("aria-valuenow")) == 0)


def test_telemetry_and_panel_agree_after_recenter(page, engine, browser):
    """The telemetry page, the panel and the namespace call the same direction straight ahead, also while the head moves on."""
    other = browser.new_page()
    other.goto(engine.url + "/telemetry")
    yaw = other.locator("div", has=other.get_by_text("Yaw", exact=True)).locator("dd").last

    def told():
        shown = [number_in(ring(page).get_attribute("aria-valuenow")), number_in(yaw.inner_text())]
        heading = engine.value("/listener/1/ypr")[0] - engine.value("/listener/1/front")
        # "–" stands for a yaw that is not known yet; -0 is 0.
        return None if None in shown else [round(number) + 0 for number in [*shown, heading]]

    engine.osc().send_message("/listener/1/ypr", [40.0, 0.0, 0.0])
    until(lambda: told() == [40] * 3)
    page.get_by_role("button", name="Recenter").click()
    until(lambda: told() == [0] * 3)
    engine.osc().send_message("/listener/1/ypr", [65.0, 0.0, 0.0])
    until(lambda: told() == [25] * 3)
    other.close()


@pytest.mark.gate
def test_controls_are_built_from_the_tree(page, engine):
    """Every parameter of a listener that a client may write has a control, found by its title rather than its address."""
    titles = []

    def collect(node):
        if node["ACCESS"] & 2 and node.get("TYPE") in ("f", "i", "s", "T"):
            titles.append(node["DESCRIPTION"].split(". ")[0])
        for name, child in node.get("CONTENTS", {}).items():
            # Reports of a client about itself are shown by the card Phones, and set by nobody.
            if name != "client":
                collect(child)

    collect(engine.get("/listener/1"))
    assert "Gain" in titles and "Method" in titles
    for name in PAGES:
        show(page, name)
    page.evaluate("for (const more of document.querySelectorAll('details')) more.open = true")
    show(page, "Head")
    for title in titles:
        expect(page.get_by_text(title, exact=True).first).to_be_attached()
    page.locator(".role-method select").select_option("nearest")
    until(lambda: engine.value("/listener/1/method") == "nearest")
    engine.osc().send_message("/listener/1/gain", -12.0)
    gain = page.get_by_label(re.compile("^Gain")).first
    until(lambda: number_in(gain.input_value()) == -12)


def test_transport(page, engine):
    page.get_by_role("button", name=re.compile("pause", re.I)).click()
    until(lambda: engine.value("/transport/state") == "paused")
    bar = page.get_by_role("slider", name=re.compile("position", re.I)).first
    box = bar.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.75, box["y"] + box["height"] / 2)
    until(lambda: 23 < engine.value("/transport/position") < 25)
    page.get_by_role("button", name=re.compile("play", re.I)).first.click()
    until(lambda: engine.value("/transport/state") == "playing")
    stopped = engine.value("/transport/position")
    until(lambda: engine.value("/transport/position") != stopped)


def test_listen_plays_what_the_ears_hear(page, engine):
    page.get_by_role("button", name=re.compile("listen", re.I)).first.click()
    heard = lambda: page.evaluate("window.vestibule?.listen ?? null")
    state = until(lambda: (v := heard()) and v.get("playing") and v.get("rms", 0) > 0.002 and v, heard)
    print("listening:", state)
    until(lambda: (v := heard()) and v["packets"] > state["packets"] + 150 and v["rms"] > 0.001, heard)
    engine.osc().send_message("/listener/1/mute", True)
    until(lambda: (v := heard()) and v["playing"] and v["rms"] < 1e-4, heard)


def test_an_hrtf_is_chosen(page, engine, screenshots):
    page.locator(".role-method select").select_option("hrtf")
    card = page.get_by_role("region", name="Bands and latency")
    expect(card).to_contain_text("All frequencies")
    expect(card).to_contain_text("16 microphones per ear")
    expect(card).to_contain_text("247 samples (5.1 ms)")
    state = page.locator(".control-readout", has=page.get_by_text("HRTF state", exact=True))
    expect(state).to_contain_text("ready")
    done = page.get_by_role("progressbar", name="HRTF progress")
    until(lambda: done.evaluate("bar => bar.value") == 1)
    field = page.get_by_role("textbox", name="HRTF file (SOFA)")
    told = notices(page)
    field.fill("/nowhere/ears.sofa")
    field.press("Enter")
    told('"/nowhere/ears.sofa" is refused')
    assert engine.value("/listener/1/hrtf") == ""
    done.scroll_into_view_if_needed()
    page.screenshot(path=screenshots / "hrtf.png")


def test_an_abx_comparison_of_two_methods(page, engine, screenshots):
    card = page.get_by_role("region", name="ABX comparison", exact=True)
    before = engine.value("/listener/1/method")
    page.get_by_label("Method A").select_option("nearest")
    page.get_by_label("Method B").select_option("two-band")
    card.get_by_role("button", name="Start comparison").click()
    for trial in range(1, 5):
        expect(card.get_by_text(f"Trial {trial}.")).to_be_visible()
        for letter in "bxa":
            page.keyboard.press(letter)
            expect(card.get_by_role("button", name=f"Sound {letter.upper()}")).to_have_attribute("aria-pressed", "true")
        # The method of the listener stays, whichever plays.
        assert engine.value("/listener/1/method") == before
        if trial == 2:
            card.scroll_into_view_if_needed()
            page.screenshot(path=screenshots / "abx.png")
        card.get_by_role("button", name="X is A").click()
    expect(card.get_by_text("Trial 5.")).to_be_visible()
    assert "correct" not in card.inner_text()
    card.get_by_role("button", name="Stop and show the result").click()
    expect(card.get_by_text("of 4 correct (nearest against two-band)")).to_be_visible()
    expect(card.get_by_role("button", name="Start comparison")).to_be_enabled()


@pytest.mark.gate
def test_an_error_is_shown_in_words(page, engine):
    told = notices(page)
    engine.osc().send_message("/listener/1/gian", 1.0)
    told("did you mean /listener/1/gain")


def test_a_lost_connection_is_shown_and_restored(browser, scene, screenshots):
    context = browser.new_context(viewport={"width": 820, "height": 1180})
    page = context.new_page()
    ports = ["--osc-port", free_port(), "--http-port", free_port()]
    with Engine("--recording", scene, *ports, ports=False) as first:
        page.goto(first.url)
        connected(page)
        painted(page)
        page.screenshot(path=screenshots / "tablet.png", full_page=True)
    expect(page.get_by_text("Live", exact=True)).not_to_be_visible()
    page.screenshot(path=screenshots / "lost.png")
    with Engine("--recording", scene, *ports, ports=False):
        connected(page)
    context.close()


def test_on_a_phone_by_touch(browser, engine, screenshots):
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, device_scale_factor=2, has_touch=True, is_mobile=True,
        color_scheme="dark")
    page = context.new_page()
    page.goto(engine.url)
    connected(page)
    # Nothing extends beyond the width of the screen.
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    box = ring(page).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    radius = min(box["width"], box["height"]) * 0.3
    touch = context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y - radius}]})
    for step in range(1, 11):
        touch.send("Input.dispatchTouchEvent", {
            "type": "touchMove",
            "touchPoints": [{"x": x + radius * step / 10, "y": y - radius * (1 - step / 10)}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    until(lambda: engine.value("/listener/1/ypr")[0] < -80)
    painted(page)
    page.screenshot(path=screenshots / "phone.png")
    page.screenshot(path=screenshots / "phone-whole.png", full_page=True)
    context.close()


def test_the_limiter_is_shown_beside_the_levels(page, engine):
    client = engine.osc()
    limiter = page.get_by_role("img", name=re.compile("Limiter: "))
    client.send_message("/protection/ceiling", -24.0)
    expect(limiter).to_have_text(re.compile("limiter −[0-9.]+"))
    client.send_message("/protection/ceiling", 0.0)
    client.send_message("/listener/1/gain", -24.0)
    expect(limiter).to_have_text("limiter 0")
    client.send_message("/protection/ceiling", -1.0)
    client.send_message("/listener/1/gain", 0.0)
