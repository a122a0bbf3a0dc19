"""The racks of the panel in a real browser. SCREENSHOTS=FOLDER keeps the pictures."""

import re

import pytest
from playwright.sync_api import expect

from chromium import complaints_of, connected, painted
from test_panel import page, show  # noqa: F401
from seeds import generator
from waiting import until


@pytest.fixture(autouse=True)
def effects(request):
    if "page" in request.fixturenames:
        show(request.getfixturevalue("page"), "Effects")


def rack(page):
    return page.get_by_role("region", name="Effects")


def effect(page, number):
    return page.get_by_role("article", name=re.compile(f"^Slot {number}:"))


def order(page):
    """The slots as the page shows them."""
    return rack(page).locator(".effect").evaluate_all("all => all.map((each) => Number(each.dataset.slot))")


def layout(engine):
    return engine.value("/rack/recording/layout")


def add(page, name):
    """Adds an effect by the page's list, and waits until the page has read the tree with it, which arranges all effects anew."""
    whole = page.url.partition("#")[0]
    with page.expect_event("requestfinished", lambda request: request.url == whole and request.resource_type == "fetch"):
        rack(page).get_by_role("combobox", name="Add effect").select_option(name)
    painted(page)


def add_three(page):
    for number, name in enumerate(["delay", "chorus", "reverb"], 1):
        add(page, name)
        expect(effect(page, number)).to_be_visible()


@pytest.mark.gate
def test_effects_are_added_set_and_removed(page, engine, screenshots):
    page.set_viewport_size({"width": 1440, "height": 2600})
    for number, name in enumerate(["equaliser", "compressor", "delay"], 1):
        add(page, name)
        expect(effect(page, number)).to_be_visible()
    assert layout(engine) == "1 2 3"
    effect(page, 3).get_by_role("slider", name="Time").press("ArrowRight")
    until(lambda: engine.value("/rack/recording/slot/3/delay/time") > 350)
    effect(page, 2).get_by_role("switch", name="Bypass").click()
    until(lambda: engine.value("/rack/recording/slot/2/bypass") is True)
    # The point of a band at 800 Hz, in the middle of the curve, is dragged upwards.
    curve = effect(page, 1).get_by_role("img", name="Frequency response")
    box = curve.bounding_box()
    x = box["x"] + box["width"] * 0.534
    page.mouse.move(x, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(x, box["y"] + box["height"] / 4, steps=5)
    page.mouse.up()
    until(lambda: engine.value("/rack/recording/slot/1/equaliser/band4-gain") > 5)
    painted(page)
    rack(page).screenshot(path=screenshots / "rack-desk.png")
    effect(page, 2).get_by_role("button", name="More").click()
    effect(page, 2).get_by_role("button", name="Remove slot 2").click()
    until(lambda: layout(engine) == "1 3")
    expect(effect(page, 2)).to_have_count(0)


def test_one_wet_dry_for_each_effect(page, engine):
    """The slot's control alone, with the share that suits the effect, also for effects whose own mix has become an alias."""
    shares = {"reverb": 0.25, "phaser": 0.5, "overdrive": 1, "gate": 1}
    for number, (name, share) in enumerate(shares.items(), 1):
        add(page, name)
        controls = effect(page, number).get_by_role("slider", name=re.compile("wet|mix", re.IGNORECASE))
        expect(controls).to_have_count(1)
        until(lambda: engine.value(f"/rack/recording/slot/{number}/mix") == share)
    slider = effect(page, 1).get_by_role("slider", name="Wet/dry")
    slider.press("End")
    until(lambda: engine.value("/rack/recording/slot/1/mix") == 1)
    engine.osc().send_message("/rack/recording/slot/2/phaser/mix", 0.125)
    until(lambda: engine.value("/rack/recording/slot/2/mix") == 0.125)
    expect(effect(page, 2).get_by_role("slider", name="Wet/dry")).to_have_js_property("value", "0.125")


def test_by_keyboard_alone(page, engine):
    add_three(page)
    handle = effect(page, 3).get_by_role("button", name=re.compile("^Move slot 3"))
    handle.focus()
    page.keyboard.press("ArrowLeft")
    until(lambda: layout(engine) == "1 3 2" and order(page) == [1, 3, 2])
    expect(handle).to_be_focused()
    page.keyboard.press("ArrowLeft")  # The focus has moved together with the slot.
    until(lambda: layout(engine) == "3 1 2" and order(page) == [3, 1, 2])
    expect(handle).to_be_focused()
    page.keyboard.press("b")
    until(lambda: layout(engine) == "(1 | 3) 2")
    mix = rack(page).get_by_role("slider", name="Branch mix").first
    mix.press("ArrowRight")
    until(lambda: engine.value("/rack/recording/branch/1/mix") > 0.5)
    handle.focus()
    page.keyboard.press("Delete")
    until(lambda: layout(engine) == "1 2")


def test_dragging_moves_and_branches(page, engine, screenshots):
    page.set_viewport_size({"width": 1440, "height": 2600})  # High enough to show everything at once.
    add_three(page)

    def drag(number, target, across, down):
        start = effect(page, number).get_by_role("button", name=re.compile("^Move slot")).bounding_box()
        end = effect(page, target).bounding_box()
        page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
        page.mouse.down()
        page.mouse.move(end["x"] + end["width"] * across, end["y"] + min(end["height"] * down, 600), steps=8)
        page.mouse.up()

    drag(3, 1, 0.2, 0.1)
    until(lambda: layout(engine) == "3 1 2")
    # The focus stays with what moved.
    expect(effect(page, 3).get_by_role("button", name=re.compile("^Move slot"))).to_be_focused()
    # Undo names what it takes back.
    expect(page.get_by_role("button", name="Undo: Move Reverb").first).to_be_visible()
    drag(3, 1, 0.5, 0.7)
    until(lambda: layout(engine) == "(1 | 3) 2")
    painted(page)
    rack(page).screenshot(path=screenshots / "rack-branches.png")


def test_a_delay_in_time_and_a_file_that_is_read(page, engine, screenshots, tmp_path):
    import numpy

    import wave_file

    wave_file.write(tmp_path / "hall.wav", 0.1 * generator(1).standard_normal((48_000, 2)), 44_100)
    wave_file.write(tmp_path / "silent.wav", numpy.zeros((4800, 2)))
    page.set_viewport_size({"width": 1440, "height": 1600})
    for number, name in enumerate(["delay", "convolution"], 1):
        add(page, name)
        expect(effect(page, number)).to_be_visible()
    effect(page, 1).get_by_role("combobox", name="Sync").select_option("1/4 dotted")
    expect(effect(page, 1).get_by_text("750\u00a0ms", exact=True)).to_be_visible()
    engine.osc().send_message("/metronome/tempo", 90.0)
    expect(effect(page, 1).get_by_text("1\u202f000\u00a0ms", exact=True)).to_be_visible()
    field = effect(page, 2).get_by_role("textbox", name="Response")
    field.fill(str(tmp_path / "hall.wav"))
    field.press("Enter")
    expect(effect(page, 2).get_by_role("status")).to_have_text("ready: hall.wav")
    field.fill(str(tmp_path / "silent.wav"))
    field.press("Enter")
    expect(effect(page, 2).get_by_role("status")).to_contain_text("silent.wav is silent")
    painted(page)
    rack(page).screenshot(path=screenshots / "rack-files.png")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    rack(page).screenshot(path=screenshots / "rack-files-phone.png")


def test_a_preset_and_another_rack(page, engine):
    rack(page).get_by_role("button", name="No preset").click()
    dialog = page.get_by_role("dialog", name="Presets")
    expect(dialog.get_by_role("button", name="Dub echo")).to_contain_text("Endless dark echoes")
    dialog.get_by_role("button", name="Parallel compression").click()
    until(lambda: "|" in layout(engine))
    expect(rack(page).get_by_role("group", name="In parallel").first).to_be_visible()
    rack(page).get_by_role("radio", name="Listener 1").check()
    expect(rack(page).get_by_text("No effects yet. Sound passes unchanged.")).to_be_visible()
    add(page, "limiter")
    until(lambda: engine.value("/rack/listener/1/layout") == "1")


def test_presets_one_after_another_and_one_of_mine(page, engine):
    presets = rack(page).get_by_role("group", name="Presets")
    name = lambda: engine.value("/rack/recording/title")
    shown = presets.get_by_title("All presets, with descriptions")
    shown.click()
    dialog = page.get_by_role("dialog", name="Presets")
    titles = [text.split("\n")[0] for text in dialog.get_by_role("list").first.get_by_role("button").all_inner_texts()]
    dialog.get_by_role("button", name=titles[0]).click()
    expect(shown).to_have_text(titles[0])
    first = until(name)
    for place in (1, 2, 1, 0):
        before = titles.index(shown.inner_text())
        presets.get_by_role("button", name="Next preset" if place > before else "Previous preset").click()
        expect(shown).to_have_text(titles[place])
    until(lambda: name() == first)
    # Before the first one is the last.
    presets.get_by_role("button", name="Previous preset").click()
    expect(shown).to_have_text(titles[-1])
    shown.click()
    expect(dialog.get_by_role("button", name=titles[-1])).to_have_attribute("aria-current", "true")
    dialog.get_by_label("Save this rack").fill("Live/My lead")
    # A change by somebody else does not close it. The effects of the preset are shown after its title.
    slots = lambda: sorted(map(int, re.findall(r"\d+", layout(engine))))
    until(lambda: sorted(order(page)) == slots(), lambda: (order(page), layout(engine)))
    before = len(order(page))
    engine.osc().send_message("/rack/recording/add", "delay")
    expect(rack(page).locator(".effect")).to_have_count(before + 1)
    expect(dialog.get_by_label("Save this rack")).to_have_value("Live/My lead")
    dialog.get_by_role("button", name="Save as mine").click()
    until(lambda: name() == "Live/My lead")
    expect(shown).to_have_text("My lead")
    expect(dialog).not_to_be_visible()
    shown.click()
    expect(dialog.get_by_role("heading", name="Live", exact=True)).to_be_visible()
    expect(dialog.get_by_role("button", name="My lead")).to_be_visible()


def test_tuner_and_metronome(page, engine):
    page.get_by_role("switch", name="Metronome").click()
    until(lambda: engine.value("/metronome/beat") > 0)
    expect(page.get_by_role("img", name=re.compile("Beat [1-4] of 4"))).to_be_visible()
    page.get_by_role("switch", name="Tuner").click()
    until(lambda: engine.value("/tuner/run") is True)
    expect(page.get_by_role("img", name="No note detected")).to_be_visible()


@pytest.mark.parametrize("width", [390])
def test_on_a_phone(browser, engine, screenshots, width):  # noqa: F811
    context = browser.new_context(viewport={"width": width, "height": 844}, has_touch=True, is_mobile=True, device_scale_factor=2)
    page = context.new_page()
    complaints = complaints_of(page)
    page.goto(engine.url + "#effects")
    connected(page)
    for number, name in enumerate(["equaliser", "compressor"], 1):
        add(page, name)
        expect(effect(page, number)).to_be_visible()
    effect(page, 2).get_by_role("switch", name="Bypass").tap()
    until(lambda: engine.value("/rack/recording/slot/2/bypass") is True)
    effect(page, 2).get_by_role("button", name="More").tap()
    effect(page, 2).get_by_role("button", name="Earlier").tap()
    until(lambda: layout(engine) == "2 1" and order(page) == [2, 1])
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for button in rack(page).locator("button, select").all():
        box = button.bounding_box()
        # Folded parts have no size.
        assert not box or not box["height"] or box["height"] >= 43.5, button.inner_text()
    painted(page)
    rack(page).screenshot(path=screenshots / "rack-phone.png")
    assert complaints == []
    context.close()
