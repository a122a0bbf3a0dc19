"""The panel on phones, on their side, and at 200 % zoom. SCREENSHOTS=FOLDER keeps the pictures."""

import json
import re

import pytest
from playwright.sync_api import expect
from websockets.sync.client import connect

from chromium import painted
from program import Engine
from seeds import generator
from waiting import holds, until

PAGES = ["Head", "Effects", "Objects", "Trackers", "Array", "Session", "Engine"]
# Width and height; 720 x 450 is a desktop of 1440 x 900 at 200 %.
SIZES = [(320, 640), (390, 844), (844, 390), (720, 450), (820, 1180), (1440, 900)]


@pytest.fixture
def open_page(browser, engine):
    """Opens the panel at a size, with two effects in a rack."""
    contexts = []

    def make(width, height, path="", **options):
        context = browser.new_context(viewport={"width": width, "height": height}, has_touch=width < 1000, **options)
        contexts.append(context)
        page = context.new_page()
        page.goto(engine.url + path)
        expect(page.locator("html")).to_have_attribute("data-link", "live")
        return page

    yield make
    for context in contexts:
        context.close()


def add(engine, *names):
    for number, name in enumerate(names, 1):
        engine.osc().send_message("/rack/recording/add", name)
        until(lambda: engine.value("/rack/recording/layout").count(str(number)) == 1)


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


def test_the_head_fits_on_a_phone(open_page):
    page = open_page(390, 844)
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
    assert page.locator("main").evaluate("main => main.scrollHeight") < 1100


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


def test_notices_cover_nothing_and_leave(open_page, engine):
    page = open_page(390, 844)
    before = page.locator("main").bounding_box()
    engine.osc().send_message("/listener/1/gian", 1.0)
    notice = page.locator(".notice")
    expect(notice).to_be_visible()
    box, main, dock = notice.bounding_box(), page.locator("main").bounding_box(), page.locator(".dock").bounding_box()
    assert box["y"] + box["height"] <= main["y"] + 1 and main["y"] + main["height"] <= dock["y"] + 1
    expect(notice).to_have_count(0, timeout=12_000)
    assert page.locator("main").bounding_box() == before


def test_undo_and_tap_on_every_page(open_page, engine):
    page = open_page(1440, 900, "#objects")
    engine.osc().send_message("/listener/1/gain", -7.0)
    undo = page.get_by_role("group", name="Changes").get_by_role("button", name="Undo: ")
    undo.click()
    until(lambda: engine.value("/listener/1/gain") == 0)
    expect(page.get_by_role("group", name="Changes").get_by_role("button", name="Nothing to undo")).to_be_disabled()
    tap = page.get_by_role("button", name="Tap tempo")
    tap.click()
    tap.click()
    until(lambda: engine.value("/metronome/tempo") != 120)


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


def test_escape_cancels_drags_of_the_head_and_the_position(open_page, engine):
    page = open_page(1440, 900)
    engine.osc().send_message("/listener/1/ypr", [20.0, 5.0, 0.0])
    until(lambda: engine.value("/listener/1/ypr")[0] == pytest.approx(20, abs=1e-3))
    box = page.get_by_role("slider", name="Heading").bounding_box()
    centre = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    page.mouse.move(centre["x"], centre["y"] - 60)
    page.mouse.down()
    page.mouse.move(centre["x"] + 60, centre["y"], steps=4)
    until(lambda: engine.value("/listener/1/ypr")[0] < -45)
    page.keyboard.press("Escape")
    until(lambda: engine.value("/listener/1/ypr") == pytest.approx([20, 5, 0], abs=1e-3), 3, lambda: engine.value("/listener/1/ypr"))
    page.mouse.move(centre["x"], centre["y"] + 60, steps=4)
    page.mouse.up()
    holds(lambda: engine.value("/listener/1/ypr") == pytest.approx([20, 5, 0], abs=1e-3), 0.2)
    # The position in the recording.
    engine.osc().send_message("/transport/stop", [])
    until(lambda: engine.value("/transport/position") < 0.1)
    bar = page.get_by_role("slider", name="Position")
    box = bar.bounding_box()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + box["height"] / 2, steps=3)
    expect(bar).not_to_have_attribute("aria-valuenow", "0")
    page.keyboard.press("Escape")
    expect(bar).to_have_attribute("aria-valuenow", "0")
    page.mouse.up()
    holds(lambda: engine.value("/transport/position") < 0.1, 0.2)


def test_a_kiosk_plays_after_one_tap_and_after_a_restart(browser, scene):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    heard = lambda: page.evaluate("window.vestibule?.listen ?? null")
    with Engine("--recording", scene) as first:
        ports = ["--osc-port", first.ready["osc_port"], "--http-port", first.ready["http_port"]]
        page.goto(first.url + "/#kiosk&listener=1")
        start = page.get_by_role("button", name="Tap to listen")
        expect(start).to_be_visible()
        # Nothing else can be seen or reached: no tab, control or heading, and one place for the keyboard.
        for role in ["tab", "slider", "heading", "link", "switch", "combobox"]:
            expect(page.get_by_role(role)).to_have_count(0)
        expect(page.get_by_role("button")).to_have_count(1)
        shown = "[...document.body.children].filter((part) => part.checkVisibility()).map((part) => part.className)"
        assert page.evaluate(shown) == ["kiosk"]
        assert not until(heard)["playing"]
        start.click()
        until(lambda: (v := heard()) and v["playing"] and v["rms"] > 0.002, 10, heard)
    expect(page.locator(".kiosk-state", has_text="Waiting for the engine")).to_be_visible()
    with Engine("--recording", scene, *ports, ports=False):
        until(lambda: (v := heard()) and v["playing"] and v["rms"] > 0.002, 20, heard)
        expect(page.locator(".kiosk-state", has_text="Waiting for the engine")).to_be_hidden(timeout=10_000)
        expect(page.get_by_role("button")).to_have_count(0)
    context.close()


def test_a_kiosk_starts_again_after_it_was_disconnected_and_waits_for_its_listener(browser, scene):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    words = page.locator(".kiosk-state")
    heard = lambda: page.evaluate("window.vestibule?.listen ?? null")
    plays = lambda: (v := heard()) and v["playing"] and v["rms"] > 0.002

    def disconnect(engine):
        """Ends the sound as the card Clients of another panel does."""
        with connect(engine.socket_url + "/", subprotocols=["vestibule.telemetry.v1"]) as socket:
            socket.send(json.dumps({"type": "subscribe", "topics": ["clients"], "rate": 10}))
            frames = (json.loads(text) for text in socket)
            sounds = (each["id"] for frame in frames if frame["type"] == "frame" for each in frame["data"] if each["kind"] == "audio")
            engine.osc().send_message("/client/kick", next(sounds))

    with Engine("--recording", scene, "--network-listeners", 4) as engine:
        page.goto(engine.url + "/#kiosk&listener=2")
        expect(words).to_have_text("The engine has no listener 2. Its sound is played as soon as it is there.")
        page.get_by_role("button", name="Tap to listen").click()
        expect(words).to_contain_text("no listener 2")
        engine.osc().send_message("/listener/add", "Hall")
        until(plays, 15, heard)
        expect(words).to_have_text("")
        expect(page).to_have_url(re.compile("listener=2$"))
        for seconds in (2, 4):
            disconnect(engine)
            expect(words).to_have_text(f"Another client ended the sound of this listener. It starts again in {seconds} s.")
            until(plays, 15, heard)
            expect(words).to_have_text("")
            expect(page.get_by_role("button")).to_have_count(0)
        # The first listener is not played in its place. One that is heard cannot be removed.
        disconnect(engine)
        expect(words).to_contain_text("again in 8 s.")
        engine.osc().send_message("/listener/remove", 2)
        expect(words).to_contain_text("no listener 2")
        until(lambda: not plays(), 10, heard)
    context.close()


def test_a_visitor_who_may_only_watch_is_told(browser, scene, tmp_path):
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    with Engine("--recording", scene, "--token-file", tmp_path / "tokens") as engine:
        tokens = dict(line.split() for line in (tmp_path / "tokens").read_text().splitlines())
        page.goto(f"{engine.url}/#token={tokens['view']}")
        expect(page.get_by_text("View only", exact=True)).to_be_visible()
        method = page.locator(".role-method select")
        before = method.input_value()
        method.select_option("nearest")
        expect(page.locator(".notice")).to_contain_text("may watch and listen")
        expect(method).to_have_value(before)
        context.clear_cookies()
        page.goto("about:blank")
        page.goto(f"{engine.url}/#token={tokens['control']}")
        expect(page.locator("html")).to_have_attribute("data-link", "live")
        expect(page.get_by_text("View only", exact=True)).to_be_hidden()
    context.close()


def test_rejected_input_returns_to_what_is_in_force(open_page, engine):
    page = open_page(1440, 900)
    gain = page.get_by_role("spinbutton", name="Gain", exact=True)
    gain.fill("999")
    gain.press("Enter")
    expect(gain).to_have_value("12")
    assert engine.value("/listener/1/gain") == 12
    page.get_by_role("tab", name="Session").click()
    recording = page.get_by_role("textbox", name="Recording", exact=True)
    before = recording.input_value()
    recording.fill("nowhere.wav")
    recording.press("Enter")
    expect(page.locator(".notice").last).to_contain_text("nowhere.wav")
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
    for address, words, notice in (
        ("rename", ["Two", "Three"], "the session is open"), ("rename", ["One", "Two"], "is open; choose another name"),
        ("duplicate", ["One", "Two", True], "is open; choose another name"), ("rename", ["None", "Three"], "no session of this name"),
        ("rename", ["One", "../x"], "this is a path"), ("duplicate", ["One", "One"], "already"),
        ("duplicate", ["One", "One", True], "already"),
        ("rename", ["One"], "takes 2 values"), ("rename", ["One", "a\nb"], ""),
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
    import shutil

    from program import Engine

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "vestibule/recordings").mkdir(parents=True)
    shutil.copy(scene, tmp_path / "vestibule/recordings/hall.wav")
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    with Engine() as engine:
        page.goto(engine.url + "#session")
        page.get_by_role("combobox", name="Choose: Recording", exact=True).select_option("hall.wav")
        until(lambda: engine.value("/session/recording").endswith("hall.wav"))
        page.get_by_role("tab", name="Trackers").click()
        page.get_by_role("combobox", name="Choose the kind of tracker").select_option("sparta:9000")
        expect(page.get_by_label("New tracker")).to_have_value("sparta:9000")
    context.close()


def test_cues_are_pads_and_play_twice_running(browser, scene, tmp_path):
    import wave_file
    from program import Engine

    (tmp_path / "cues").mkdir()
    for name in ["bell", "gong"]:
        wave_file.write(tmp_path / "cues" / f"{name}.wav", generator(1).uniform(-0.1, 0.1, (4800, 2)))
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    with Engine("--cues", tmp_path / "cues") as engine:
        page.goto(engine.url + "#effects")
        expect(page.locator("html")).to_have_attribute("data-link", "live")
        loud = lambda: max(engine.value("/meter/listener/1/peak")) > 0.01
        pad = page.get_by_role("button", name="bell", exact=True)
        for _ in range(2):
            pad.click()
            until(loud)
            until(lambda: not loud())
    context.close()
