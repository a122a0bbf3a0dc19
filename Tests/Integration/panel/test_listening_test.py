"""Listening tests in a real browser: the experimenter's card, the participant's page, what it learns, and the results."""

import csv
import itertools
import json
import re

import pytest
from playwright.sync_api import expect

from chromium import complaints_of, connected, painted
from mqtt_broker import free_port
from panel_page import CLOCK
from program import Engine
from waiting import holds, until

METHODS = ["ring-spectral", "two-band", "nearest", "linear", "hrtf", "ring", "anchor", "3500", "7000"]


def folders(tmp_path, monkeypatch, scene, **definition):
    """A data folder with one test, `methods`."""
    data = tmp_path / "data"
    monkeypatch.setenv("XDG_DATA_HOME", str(data))
    home = data / "vestibule"
    for name in ["tests", "recordings"]:
        (home / name).mkdir(parents=True)
    (home / "recordings" / "scene.wav").symlink_to(scene)
    whole = {
        "title": "Sounds in a room", "question": "How good is each sound, compared with the reference?", "reference": "nearest",
        "conditions": ["linear", "two-band"], "training": "short",
        "passages": [{"name": "short", "recording": str(scene), "from": 1, "to": 2.5},
                     {"name": "late", "recording": str(scene), "from": 3, "to": 4.5}]} | definition
    (home / "tests" / "methods.json").write_text(json.dumps({k: v for k, v in whole.items() if v is not None}))
    return home


@pytest.fixture
def page_of(browser):
    contexts = []

    def make(engine, path, **options):
        """A page, the texts that its sockets received, and its complaints."""
        context = browser.new_context(**({"viewport": {"width": 1440, "height": 900}} | options))
        contexts.append(context)
        page = context.new_page()
        received, complaints = [], complaints_of(page)
        page.on("websocket", lambda socket: received.append(socket.url) or socket.on(
            "framereceived", lambda data: isinstance(data, str) and received.append(data)))
        page.add_init_script(CLOCK)
        page.goto(engine.url + path)
        connected(page)
        return page, received, complaints

    yield make
    for context in contexts:
        context.close()


def start(page, code):
    """Starts the test from the experimenter's card."""
    page.get_by_role("tab", name="Session", exact=True).click()
    card = page.get_by_role("region", name="Listening test", exact=True)
    card.get_by_label("Test", exact=True).select_option("methods")
    card.get_by_label("Participant", exact=True).fill(code)
    card.get_by_label("Seed", exact=True).fill("42")
    card.get_by_role("button", name="Start test").click()
    return card


def rate_all(page, score):
    """Rates every sound by keyboard: `score(n)` for sound n."""
    sliders = page.get_by_role("slider", name="Rating of sound")
    for sound in range(1, sliders.count() + 1):
        page.keyboard.press(str(sound))
        expect(page.get_by_role("button", name=f"Sound {sound}", exact=True)).to_have_attribute("aria-pressed", "true")
        slider = page.get_by_role("slider", name=f"Rating of sound {sound}", exact=True)
        expect(slider).to_be_focused()
        slider.fill(str(score(sound)))


def rows(path):
    """The rows of a table; none while there is no file."""
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_a_whole_mushra_session(page_of, scene, tmp_path, monkeypatch, screenshots):
    home = folders(tmp_path, monkeypatch, scene)
    result, motions = (home / "results" / f"methods-P01{end}.csv" for end in ("", "-motion"))
    heard = {"reference", "linear", "two-band", "anchor-3500"}
    ports = ["--osc-port", free_port(), "--http-port", free_port()]
    with Engine("--recording", scene, "--allow-path", scene.parent, *ports, ports=False) as engine:
        panel, _, complaints = page_of(engine, "/")
        page, received, others = page_of(engine, "/listening-test")
        expect(page.get_by_role("heading", name="No test is running")).to_be_visible()
        card = start(panel, "P01")
        expect(page.get_by_role("button", name="Begin")).to_be_visible()
        expect(card.get_by_text("P01: training")).to_be_visible()
        painted(page)
        page.screenshot(path=screenshots / "listening-test-begin.png")
        page.get_by_role("button", name="Begin").click()
        expect(page.get_by_text("Training").first).to_be_visible()
        # Hidden reference, two methods, two anchors.
        expect(page.get_by_role("slider", name="Rating of sound")).to_have_count(5)
        expect(page.get_by_role("button", name="Next")).to_be_disabled()
        rate_all(page, lambda sound: 10 * sound)
        page.get_by_role("button", name="Next").click()
        expect(page.get_by_text("Trial 1 of 2").first).to_be_visible()
        # Half of the trial, then a reload, then a restart of the engine.
        # The page waits for answers in the time of this clock.
        page.evaluate("holdClock()")
        page.keyboard.press("2")
        for _ in range(3):
            page.keyboard.press("ArrowUp")
        expect(page.get_by_role("slider", name="Rating of sound 2")).to_have_value("3")
        # Without the focus as well, and faster than the engine answers.
        expect(page.get_by_role("button", name="Sound 2", exact=True)).to_have_attribute("aria-pressed", "true")
        page.evaluate("document.activeElement.blur()")
        for key, score in (("ArrowUp", "7"), ("ArrowDown", "3")):
            for _ in range(4):
                page.keyboard.press(key)
            expect(page.get_by_role("slider", name="Rating of sound 2")).to_have_value(score)
        page.evaluate("releaseClock()")
        expect(page.get_by_role("slider", name="Rating of sound 2")).to_have_value("3")
        page.get_by_role("slider", name="Rating of sound 4").fill("77")
        engine.osc().send_message("/listener/1/ypr", [30.0, 0.0, 0.0])
        # Poses are logged, and so is the time for which each sound was heard.
        until(lambda: engine.value("/listener/1/ypr")[0] > 29)
        page.reload()
        expect(page.get_by_role("slider", name="Rating of sound 4")).to_have_value("77")
        expect(page.get_by_role("slider", name="Rating of sound 4")).to_have_attribute("aria-valuetext", "77, Good")
        expect(page.get_by_role("button", name="Sound 4", exact=True)).to_have_attribute("aria-pressed", "true")
        painted(page)
        page.screenshot(path=screenshots / "listening-test-desk.png")
        painted(panel)
        card.screenshot(path=screenshots / "listening-test-card.png")
    with Engine("--recording", scene, "--allow-path", scene.parent, *ports, ports=False) as engine:
        expect(page.get_by_role("button", name="Continue")).to_be_visible()
        page.get_by_role("button", name="Continue").click()
        expect(page.get_by_text("Trial 1 of 2").first).to_be_visible()
        expect(page.get_by_role("slider", name="Rating of sound 4")).to_have_value("77")
        expect(page.get_by_role("slider", name="Rating of sound 2")).to_have_value("3")
        rate_all(page, lambda sound: 100 - 15 * sound)
        page.get_by_role("button", name="Next").click()
        expect(page.get_by_text("Trial 2 of 2").first).to_be_visible()
        rate_all(page, lambda sound: 50 + sound)
        sounds = itertools.cycle("12345")

        def listened():
            """Whether the head's motion was written down with every sound, while they are heard one after the other."""
            page.keyboard.press(next(sounds))
            noted = rows(motions)
            return {row["condition"] for row in noted} >= heard and len(noted) > 30

        until(listened, lambda: rows(motions))
        method = engine.value("/listener/1/method")
        page.get_by_role("button", name="Finish").click()
        expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
        assert method == engine.value("/listener/1/method")
        until(lambda: len(rows(result)) == 15)
        # Nothing that the participant's page shows or receives names a condition.
        texts = [page.content()] + received
        assert any('"phase":"trial"' in text for text in received)
        for word in METHODS + ["short", "scene.wav", "hidden-reference"]:
            assert not [text for text in texts if re.search(rf"\b{word}\b", text)], word
        sockets = {text.rsplit("/", 2)[-1] if "/audio/" not in text else "audio" for text in received if text.startswith("ws:")}
        assert sockets == {"listening-test", "audio"}
        expect(panel.get_by_role("region", name="Listening test", exact=True).get_by_text("to be excluded")).to_be_visible()
        panel.get_by_role("region", name="Listening test", exact=True).get_by_text("Results", exact=True).click()
        with panel.expect_download() as download:
            panel.get_by_role("link", name="methods-P01.csv").click()
        assert open(download.value.path()).read() == result.read_text()
    table = rows(result)
    assert {row["seed"] for row in table} == {"42"} and {row["participant"] for row in table} == {"P01"}
    assert [row["trial"] for row in table] == ["0"] * 5 + ["1"] * 5 + ["2"] * 5
    for trial, score in [("0", lambda n: 10 * n), ("1", lambda n: 100 - 15 * n), ("2", lambda n: 50 + n)]:
        part = [row for row in table if row["trial"] == trial]
        assert [float(row["score"]) for row in part] == [score(n) for n in range(1, 6)]
        assert {row["condition"] for row in part} == {"reference", "linear", "two-band", "anchor-3500", "anchor-7000"}
        assert [row["position"] for row in part] == list("12345")
        assert all(row["time"] for row in part) and all(float(row["gain_db"]) <= 0 for row in part)
        assert float(part[0]["trial_s"]) > 0 and sum(float(row["listening_s"]) for row in part) > 0
    assert len({tuple(row["condition"] for row in table if row["trial"] == trial) for trial in "012"}) > 1
    # The hidden reference was rated far below 90.
    assert {row["post_screening"] for row in table} == {"excluded"}
    motion = rows(motions)
    assert {row["trial"] for row in motion} == {"0", "1", "2"} and len(motion) > 30
    assert max(float(row["yaw"]) for row in motion) > 29
    assert {row["condition"] for row in motion} >= heard
    # The engine has ended twice; the test that was complete does not continue.
    assert not (home / "results" / "running.json").exists()
    # While the engine was away, the browser said so in the console.
    assert not [text for text in complaints + others if "WebSocket" not in text and "Failed to load" not in text]


def test_an_abx_session_by_keyboard_on_a_phone(page_of, scene, tmp_path, monkeypatch, screenshots):
    home = folders(
        tmp_path, monkeypatch, scene, kind="abx", conditions=["linear"], training=None, question="Is X the sound A or B?", repetitions=2)
    with Engine("--recording", scene, "--allow-path", scene.parent) as engine:
        panel, _, complaints = page_of(engine, "/")
        start(panel, "P02")
        page, received, others = page_of(engine, "/listening-test", viewport={"width": 390, "height": 844}, has_touch=True)
        page.get_by_role("button", name="Begin").click()
        for trial in range(1, 5):
            expect(page.get_by_text(f"Trial {trial} of 4").first).to_be_visible()
            for letter in "bxa":
                page.keyboard.press(letter)
                expect(page.get_by_role("button", name=f"Sound {letter.upper()}")).to_have_attribute("aria-pressed", "true")
            page.get_by_role("button", name="X is B").click()
            if trial == 2:
                painted(page)
                page.screenshot(path=screenshots / "listening-test-abx.png")
            page.locator(".test-next").click()
        expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
        table = until(lambda: len(found := rows(home / "results" / "methods-P02.csv")) == 4 and found)
        assert not [text for text in received + [page.content()] for word in METHODS if re.search(rf"\b{word}\b", text)]
    for row in table:
        assert row["answer"] == "B" and row["right"] == str(int(row["x"] == row["b"])) and row["a"] != row["b"]
        assert row["x"] in (row["a"], row["b"]) and int(row["switches"]) == 3
    assert not [text for text in complaints + others if "WebSocket" not in text]


@pytest.mark.gate
@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 640), (844, 390), (1440, 900)])
def test_the_page_fits(page_of, scene, tmp_path, monkeypatch, screenshots, width, height):
    folders(tmp_path, monkeypatch, scene, conditions=["linear", "two-band", "ring"], training=None)
    with Engine("--recording", scene, "--allow-path", scene.parent) as engine:
        for address, value in [("definition", "methods"), ("participant", "P03"), ("start", [])]:
            engine.osc().send_message(f"/test/{address}", value)
        page, _, complaints = page_of(engine, "/listening-test", viewport={"width": width, "height": height}, has_touch=width < 1000)
        page.get_by_role("button", name="Begin").click()
        slider = page.get_by_role("slider", name="Rating of sound 1", exact=True)
        expect(slider).to_be_visible()
        page.keyboard.press("3")
        for sound, score in [(1, 92), (3, 41), (5, 18)]:
            page.get_by_role("slider", name=f"Rating of sound {sound}", exact=True).fill(str(score))
        painted(page)
        page.screenshot(path=screenshots / f"listening-test-{width}.png")
        assert page.locator("html").evaluate("part => part.scrollWidth <= part.clientWidth")
        # Everything that is pressed is large enough for a finger.
        for button in page.locator("main button, main input").all():
            box = button.bounding_box()
            assert min(box["width"], box["height"]) >= 40, button.evaluate("part => part.outerHTML")
        # A press on the slider rates, from above to below or from right to left.
        box = slider.bounding_box()
        upright = box["height"] > box["width"]
        page.mouse.click(box["x"] + box["width"] * (0.5 if upright else 0.9), box["y"] + box["height"] * (0.1 if upright else 0.5))
        assert 80 < float(slider.input_value()) <= 100
        assert complaints == []


def test_what_is_refused_is_told(page_of, scene, tmp_path, monkeypatch):
    home = folders(tmp_path, monkeypatch, scene, reference="nearset")
    with Engine("--recording", scene, "--allow-path", scene.parent) as engine:
        def refused(words, **values):
            for address, value in values.items():
                engine.osc().send_message(f"/test/{address}", value)
            until(lambda: words in engine.value("/engine/notice"))
            until(lambda: engine.value("/test/running") is False)

        refused("is not a participant's code", definition="methods", participant="../x", start=[])
        refused('"nearset", which is not a method', participant="P1", start=[])
        assert "methods.json:1:" in engine.value("/engine/notice")
        refused("No such file", definition="other", start=[])
        refused("the path leads upwards", definition="../other", start=[])
        refused("there is no listener 7", definition="methods", listener=7, start=[])
        assert not (home / "results").exists() or not list((home / "results").iterdir())


# Moves a slider twice, faster than ratings are sent, and does something at once.
DRAG = """([sound, first, last, then]) => {
  const slider = document.querySelectorAll('.mushra-slider')[sound - 1];
  for (const value of [first, last]) {
    slider.value = value;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }
  if (then === 'reload') location.reload();
  else document.querySelector('.test-next').click();
}"""


def test_the_last_rating_is_kept(page_of, scene, tmp_path, monkeypatch):
    """Also when the page is left, or the next trial begun, before it was sent; and it rates no sound of the next trial."""
    home = folders(tmp_path, monkeypatch, scene, training=None)
    with Engine("--recording", scene, "--allow-path", scene.parent) as engine:
        for address, value in [("definition", "methods"), ("participant", "P04"), ("start", [])]:
            engine.osc().send_message(f"/test/{address}", value)
        page, _, complaints = page_of(engine, "/listening-test")
        page.get_by_role("button", name="Begin").click()
        slider = lambda sound: page.get_by_role("slider", name=f"Rating of sound {sound}", exact=True)
        expect(slider(2)).to_be_visible()
        # The page before shows the rating as well, until it is replaced.
        with page.expect_event("domcontentloaded"):
            page.evaluate(DRAG, [2, 10, 61, "reload"])
        expect(slider(2)).to_have_value("61")
        rate_all(page, lambda sound: 100 - sound + 1)
        expect(page.get_by_role("button", name="Next")).to_be_enabled()
        page.evaluate(DRAG, [3, 20, 43, "next"])
        expect(page.get_by_text("Trial 2 of 2").first).to_be_visible()
        result = home / "results" / "methods-P04.csv"
        until(lambda: len(rows(result)) == 5)
        assert float(rows(result)[2]["score"]) == 43
        holds(lambda: page.locator(".is-rated").count() == 0)
        assert complaints == []
