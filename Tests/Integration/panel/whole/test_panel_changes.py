"""Changes on the panel: undo, Escape, sides of a rack, muted microphones, names of sessions, cues, and input that is rejected."""

import shutil

import pytest
from playwright.sync_api import expect

import wave_file
from chromium import connected, painted
from panel_page import made_anew, notices
from program import Engine
from rack_client import add
from seeds import generator
from waiting import holds, until


def test_undo_and_tap_on_every_page(open_page, engine):
    page = open_page(1440, 900, "#objects")
    engine.osc().send_message("/listener/1/gain", -7.0)
    undo = page.get_by_role("group", name="Changes").get_by_role("button", name="Undo: ")
    undo.click()
    until(lambda: engine.value("/listener/1/gain") == 0)
    expect(page.get_by_role("group", name="Changes").get_by_role("button", name="Nothing to undo")).to_be_disabled()
    tap = page.get_by_role("button", name="Tap tempo")
    until(lambda: tap.click() or engine.value("/metronome/tempo") != 120)


def test_the_whole_rack_is_bypassed_and_its_slots_stay(open_page, engine):
    add(engine, "delay", "chorus", "reverb")
    page = open_page(1440, 900, "#effects")
    expect(page.locator(".effect")).to_have_count(3)
    bypassed = lambda: [engine.value(f"/rack/recording/slot/{slot}/bypass") for slot in (1, 2, 3)]
    engine.osc().send_message("/rack/recording/slot/2/bypass", True)
    until(lambda: bypassed() == [False, True, False])
    button = page.get_by_role("button", name="Bypass all", exact=True)
    button.click()
    until(lambda: engine.value("/rack/recording/bypass") is True)
    expect(button).to_have_attribute("aria-pressed", "true")
    assert bypassed() == [False, True, False]
    button.click()
    until(lambda: engine.value("/rack/recording/bypass") is False)
    expect(button).to_have_attribute("aria-pressed", "false")


def test_two_sides_are_compared_and_copied(open_page, engine):
    add(engine, "delay")
    page = open_page(1440, 900, "#effects")
    expect(page.locator(".effect")).to_have_count(1)
    sides = page.get_by_role("radiogroup", name="Side")
    expect(sides.get_by_role("radio", name="A")).to_be_checked()
    sides.get_by_role("radio", name="B").check()
    until(lambda: engine.value("/rack/recording/side") == "B")
    add(engine, "chorus")
    expect(page.locator(".effect")).to_have_count(2)
    sides.get_by_role("radio", name="A").check()
    expect(page.locator(".effect")).to_have_count(1)
    page.get_by_role("button", name="Copy to B", exact=True).click()
    sides.get_by_role("radio", name="B").check()
    until(lambda: engine.value("/rack/recording/side") == "B")
    expect(page.get_by_role("button", name="Copy to A", exact=True)).to_be_visible()
    expect(page.locator(".effect")).to_have_count(1)


def test_escape_cancels_a_drag(open_page, engine):
    add(engine, "delay", "chorus")
    page = open_page(1440, 900, "#effects")
    start = page.get_by_role("article", name="Slot 2: Chorus").get_by_role("button", name="Move slot 2").bounding_box()
    end = page.get_by_role("article", name="Slot 1: Delay").bounding_box()
    page.mouse.move(start["x"] + 10, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(end["x"] + 10, end["y"] + 10, steps=5)
    expect(page.locator("[data-drop]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("[data-drop]")).to_have_count(0)
    page.mouse.up()
    page.get_by_role("switch", name="Bypass").first.click()
    until(lambda: engine.value("/rack/recording/slot/1/bypass") is True)
    assert engine.value("/rack/recording/layout") == "1 2"


def test_escape_restores_a_band_of_the_equaliser(open_page, engine):
    add(engine, "equaliser")
    page = open_page(1440, 900, "#effects")
    at = "/rack/recording/slot/1/equaliser/band4-"
    engine.osc().send_message(at + "shape", "peak")
    engine.osc().send_message(at + "frequency", 1000.0)
    engine.osc().send_message(at + "gain", 6.0)
    values = lambda: [engine.value(at + name) for name in ("frequency", "gain")]
    shown = lambda: [page.evaluate("at => vestibule.value(at)[0]", at + name) for name in ("frequency", "gain")]
    until(lambda: values() == shown() == pytest.approx([1000, 6], abs=0.01), values)
    painted(page)
    box = page.get_by_role("img", name="Frequency response").bounding_box()
    # 20 Hz to 20 kHz, logarithmic; 18 dB up and down.
    x, y = box["x"] + box["width"] * 1.699 / 3, box["y"] + box["height"] * (0.5 - 6 / 36)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 30, steps=5)
    until(lambda: values()[0] > 1100 and values()[1] < 5, values)
    page.keyboard.press("Escape")
    until(lambda: values() == pytest.approx([1000, 6], abs=0.01), values)
    page.mouse.move(x - 40, y, steps=3)
    page.mouse.up()
    holds(lambda: values() == pytest.approx([1000, 6], abs=0.01), 0.2)


def test_escape_cancels_drags_of_the_head_and_the_position(open_page, engine):
    page = open_page(1440, 900)
    engine.osc().send_message("/listener/1/ypr", [20.0, 5.0, 0.0])
    until(lambda: engine.value("/listener/1/ypr")[0] == pytest.approx(20, abs=1e-3))
    expect(page.get_by_role("slider", name="Heading")).to_have_attribute("aria-valuenow", "20")
    box = page.get_by_role("slider", name="Heading").bounding_box()
    centre = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    page.mouse.move(centre["x"], centre["y"] - 60)
    page.mouse.down()
    page.mouse.move(centre["x"] + 60, centre["y"], steps=4)
    until(lambda: engine.value("/listener/1/ypr")[0] < -45)
    page.keyboard.press("Escape")
    until(lambda: engine.value("/listener/1/ypr") == pytest.approx([20, 5, 0], abs=1e-3), lambda: engine.value("/listener/1/ypr"))
    page.mouse.move(centre["x"], centre["y"] + 60, steps=4)
    page.mouse.up()
    holds(lambda: engine.value("/listener/1/ypr") == pytest.approx([20, 5, 0], abs=1e-3), 0.2)
    # The position in the recording.
    engine.osc().send_message("/transport/stop", [])
    until(lambda: engine.value("/transport/position") < 0.1)
    bar = page.get_by_role("slider", name="Position")
    expect(bar).to_have_attribute("aria-valuenow", "0")
    box = bar.bounding_box()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + box["height"] / 2, steps=3)
    expect(bar).not_to_have_attribute("aria-valuenow", "0")
    page.keyboard.press("Escape")
    expect(bar).to_have_attribute("aria-valuenow", "0")
    page.mouse.up()
    holds(lambda: engine.value("/transport/position") < 0.1, 0.2)


def test_rejected_input_returns_to_what_is_in_force(open_page, engine):
    page = open_page(1440, 900)
    gain = page.get_by_role("spinbutton", name="Gain", exact=True)
    gain.fill("999")
    gain.press("Enter")
    expect(gain).to_have_value("12")
    until(lambda: engine.value("/listener/1/gain") == 12)
    page.get_by_role("tab", name="Session").click()
    recording = page.get_by_role("textbox", name="Recording", exact=True)
    before = recording.input_value()
    told = notices(page)
    recording.fill("nowhere.wav")
    recording.press("Enter")
    told("nowhere.wav")
    expect(recording).to_have_value(before)


def test_only_what_the_method_uses_is_shown(open_page, engine):
    page = open_page(1440, 900)
    fixed = page.get_by_role("slider", name="Fixed microphone")
    expect(page.get_by_role("slider", name="Ear azimuth")).to_be_visible()
    expect(fixed).to_be_hidden()
    page.locator(".role-method select").select_option("two-band-fixed")
    expect(fixed).to_be_visible()
    # Sound objects have the head of every method.
    expect(page.get_by_role("slider", name="Head radius")).to_be_visible()


def test_microphones_are_muted_and_soloed_on_the_ring(open_page, engine):
    page = open_page(1440, 900, "#array")
    page.get_by_role("button", name="Mute microphone 3", exact=True).click()
    until(lambda: engine.value("/array/setting/mute") == [0, 0, 1] + [0] * 13)
    expect(page.get_by_role("button", name="Mute microphone 3", exact=True)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("radio", name="Solo").check()
    page.get_by_role("button", name="Mute microphone 2", exact=True).click()
    until(lambda: engine.value("/array/setting/mute") == [1, 0] + [1] * 14)
    expect(page.get_by_role("button", name="Mute microphone 1", exact=True)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Mute microphone 2", exact=True).click()
    until(lambda: engine.value("/array/setting/mute") == [0] * 16)


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_saved_sessions_are_renamed_duplicated_and_deleted(open_page, engine, size):
    page = open_page(*size, "#session")
    names = lambda: sorted(engine.value("/session/recent").split("\n"))
    session = page.get_by_role("region", name="Session", exact=True)
    name = session.get_by_role("textbox", name="Name", exact=True)
    saved = session.get_by_label("Saved sessions")
    for each in ("First", "Second"):
        name.fill(each)
        session.get_by_role("button", name="Save as").click()
        expect(session.locator(".session-name")).to_have_text(each)
    # One that is not open: the open session stays as it is.
    saved.select_option("First")
    session.get_by_role("button", name="Duplicate").click()
    until(lambda: names() == ["First", "First copy", "Second"])

    def rename(old, new):
        saved.select_option(old)
        session.get_by_role("button", name="Rename…").click()
        dialog = page.get_by_role("dialog", name=f"Rename {old}")
        expect(dialog.get_by_role("textbox")).to_have_value(old)
        dialog.get_by_role("textbox").fill(new)
        dialog.get_by_role("button", name="Rename").click()

    rename("First copy", "Third")
    until(lambda: names() == ["First", "Second", "Third"])
    expect(session.locator(".session-name")).to_have_text("Second")
    # A name that exists is a question; what it replaces goes to the trash.
    rename("Third", "First")
    question = page.get_by_role("dialog", name="Replace First?")
    question.get_by_role("button", name="Cancel").click()
    rename("Third", "First")
    question.get_by_role("button", name="Replace").click()
    until(lambda: names() == ["First", "Second"])
    # The open one: it is saved under its new name. It cannot be deleted.
    saved.select_option("Second")
    expect(session.get_by_role("button", name="Delete")).to_be_disabled()
    rename("Second", "Evening")
    until(lambda: names() == ["Evening", "First"])
    expect(session.locator(".session-name")).to_have_text("Evening")
    saved.select_option("First")
    session.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog", name="Delete First?").get_by_role("button", name="Delete").click()
    until(lambda: names() == ["Evening"])


def test_other_sessions_are_renamed_and_copied_by_osc(engine):
    osc = engine.osc()
    names = lambda: sorted(engine.value("/session/recent").split("\n"))
    for each in ("One", "Two"):
        osc.send_message("/session/save-as", each)
        until(lambda each=each: engine.value("/session/name") == each)
    until(lambda: names() == ["One", "Two"])
    for address, words, notice in (
        ("rename", ["Two", "Three"], "the session is open"), ("rename", ["One", "Two"], "is open; choose another name"),
        ("duplicate", ["One", "Two", True], "is open; choose another name"), ("rename", ["None", "Three"], "no session of this name"),
        ("rename", ["One", "../x"], "this is a path"), ("duplicate", ["One", "One"], "already"),
        ("duplicate", ["One", "One", True], "already"),
        ("rename", ["One"], "takes two texts, and then true to replace what exists or nothing, not 1 value"),
        ("rename", ["One", "a\nb"], ""),
    ):
        osc.send_message(f"/session/{address}", words)
        if notice:
            until(lambda notice=notice: notice in engine.value("/engine/notice"))
        assert names() == ["One", "Two"]
    osc.send_message("/session/duplicate", ["One", "Three"])
    until(lambda: names() == ["One", "Three", "Two"])
    osc.send_message("/session/rename", ["One", "Three", True])
    until(lambda: names() == ["Three", "Two"])
    assert engine.value("/session/name") == "Two"


def test_names_are_chosen_from_lists(browser, scene, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "vestibule/recordings").mkdir(parents=True)
    shutil.copy(scene, tmp_path / "vestibule/recordings/hall.wav")
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    with Engine() as engine:
        page.goto(engine.url + "#session")
        connected(page)
        # The first recording brings an array, and with it another page: what is typed before that is gone.
        with made_anew(page):
            page.get_by_role("combobox", name="Choose: Recording", exact=True).select_option("hall.wav")
            until(lambda: engine.value("/session/recording").endswith("hall.wav"))
        page.get_by_role("tab", name="Trackers").click()
        page.get_by_role("combobox", name="Choose the kind of tracker").select_option("sparta:9000")
        expect(page.get_by_label("New tracker")).to_have_value("sparta:9000")
    context.close()


def test_cues_are_pads_and_play_twice_running(browser, scene, tmp_path):
    (tmp_path / "cues").mkdir()
    for name in ["bell", "gong"]:
        wave_file.write(tmp_path / "cues" / f"{name}.wav", generator(1).uniform(-0.1, 0.1, (2 * 48_000, 2)))
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    with Engine("--cues", tmp_path / "cues") as engine:
        page.goto(engine.url + "#effects")
        expect(page.locator("html")).to_have_attribute("data-link", "live")
        loud = lambda: max(engine.value("/meter/listener/1/peak")) > 0.01
        pad = page.get_by_role("button", name="bell", exact=True)
        for _ in range(2):
            # Also two seconds may be over before a busy machine has looked; the pad is pressed again then.
            until(lambda: loud() or pad.click())
            until(lambda: not loud())
    context.close()
