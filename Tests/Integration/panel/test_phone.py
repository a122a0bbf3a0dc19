"""A phone as head tracker, in a real browser with emulated sensors."""

import itertools
import re

import pytest
from playwright.sync_api import expect

from chromium import complaints_of, connected, live_page
from program import Engine
from waiting import until


class Phone:
    """The phone page with its emulated sensors."""

    def __init__(self, browser, url, **options):
        self.context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, **options)
        self.page = self.context.new_page()
        self.complaints = complaints_of(self.page)
        self.tremor = itertools.cycle((0.1, -0.1))
        self.sensors = self.context.new_cdp_session(self.page)
        self.page.goto(url)

    def turn(self, alpha, beta=0.0, gamma=0.0):
        self.sensors.send("DeviceOrientation.setDeviceOrientationOverride", {"alpha": alpha, "beta": beta, "gamma": gamma})

    def tremble(self, alpha, beta=0.0):
        """Turns by a little, as a hand does: while the page starts, an orientation may come before it is listened for."""
        self.turn((alpha + next(self.tremor)) % 360, beta)

    def rotate_screen(self, angle):
        kind = {0: "portraitPrimary", 90: "landscapePrimary"}[angle]
        width, height = (390, 844) if angle == 0 else (844, 390)
        self.sensors.send("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 2, "mobile": True,
            "screenOrientation": {"type": kind, "angle": angle}})
        # Orientations of the phone take another way to the page.
        until(lambda: self.page.evaluate("screen.orientation.angle") == angle)


# How many trackers the page knows to be in use.
TAKEN = """() => {
  const { root, values } = vestibule.engine;
  return [...root?.all() ?? []].filter(({ path }) => /^\\/tracker\\/\\d+\\/source$/.test(path) && values.at(path)[0]).length;
}"""


def angles_are(engine, expected, listener=1):
    return lambda: all(abs(a - b) < 0.5 for a, b in zip(engine.value(f"/listener/{listener}/ypr"), expected))


def test_a_phone_turns_the_head(browser, scene, screenshots):
    with Engine("--recording", scene, "--listeners", 2) as engine:
        phone = Phone(browser, engine.url + "/phone?listener=2")
        page = phone.page
        connected(page)
        page.screenshot(path=screenshots / "phone-begin.png")
        expect(page.locator("#mode")).to_contain_text("controls the head of listener 2")
        recenter = page.get_by_role("button", name="Face the front")
        page.get_by_text("Motion sensors", exact=True).tap()
        phone.turn(70)
        page.get_by_role("button", name="Start").tap()
        until(lambda: phone.tremble(70) or engine.value("/tracker/1/source") == "web")
        # The first orientation becomes straight ahead.
        until(lambda: phone.tremble(70) or abs(engine.value("/tracker/1/centre") - 70) < 0.5)
        phone.turn(100, 20, -10)
        until(angles_are(engine, [30, 20, -10], 2), describe=lambda: engine.value("/listener/2/ypr"))
        expect(page.get_by_role("slider", name="Direction of the head")).to_have_attribute("aria-valuetext", "30 degrees to the left")
        expect(page.locator("#link-line")).to_have_text(re.compile(r"\d+ poses per second, round trip [\d.]+ ms"))
        expect(page.locator("#wake")).to_contain_text(re.compile("screen", re.I))
        page.screenshot(path=screenshots / "phone.png")
        phone.turn(120)
        until(angles_are(engine, [50, 0, 0], 2))
        recenter.tap()
        until(lambda: abs(engine.value("/tracker/1/centre") - 120) < 0.5)
        phone.turn(130)
        until(angles_are(engine, [10, 0, 0], 2))
        # Control of another head; the previous one is given back.
        page.get_by_label("Listen to").select_option("head:1")
        until(lambda: engine.value("/tracker/1/source") == "")
        expect(page.locator("#mode")).to_contain_text("controls the head of listener 1")
        phone.turn(100)
        page.get_by_role("button", name="Start").tap()
        # The page takes the first tracker of which it knows that it is free. Its centre may be the former one, 120, until it is recentred.
        fed = lambda: next((f"/tracker/{each}" for each in (1, 2) if engine.value(f"/tracker/{each}/source") == "web"), None)
        tracker = until(lambda: phone.tremble(100) or fed())
        until(lambda: engine.value(f"{tracker}/listener") == 1)
        until(lambda: phone.tremble(100) or abs(engine.value(f"{tracker}/centre") - 100) < 0.5)
        phone.turn(120)
        until(angles_are(engine, [20, 0, 0], 1))
        # When the phone's screen rotates, its top is the front again.
        phone.rotate_screen(90)
        phone.turn(230)
        until(angles_are(engine, [40, 0, 0], 1), describe=lambda: engine.value("/listener/1/ypr"))
        page.screenshot(path=screenshots / "phone-landscape.png")
        phone.rotate_screen(0)
        phone.turn(150)
        until(angles_are(engine, [50, 0, 0], 1))
        # A phone held upright in front of the face points through its screen, and its direction becomes straight ahead.
        page.get_by_role("radio", name="In front of the face").tap()
        until(lambda: phone.tremble(150, 90) or abs(engine.value(f"{tracker}/centre") - 150) < 0.5)
        is_ahead = angles_are(engine, [0, 0, 0], 1)
        until(lambda: phone.tremble(150, 90) or is_ahead(), describe=lambda: engine.value("/listener/1/ypr"))
        page.get_by_role("button", name="Stop").tap()
        until(lambda: engine.value(f"{tracker}/source") == "")
        assert phone.complaints == []
        phone.context.close()


def test_a_page_that_is_closed_frees_its_tracker(browser, scene):
    with Engine("--recording", scene) as engine:
        phones = [Phone(browser, engine.url + "/phone") for _ in range(2)]
        for number, phone in enumerate(phones):
            connected(phone.page)
            # A page takes the first tracker of which it knows that it is free.
            until(lambda: phone.page.evaluate(TAKEN) == number)
            phone.turn(10.0 * number)
            phone.page.get_by_role("button", name="Start").tap()
            until(lambda: phone.tremble(10.0 * number) or engine.value(f"/tracker/{number + 1}/source") == "web")
        phones[0].page.goto("about:blank")
        until(lambda: engine.value("/tracker/1/source") == "")
        assert engine.value("/tracker/2/source") == "web"
        for phone in phones:
            phone.context.close()


@pytest.mark.gate
def test_ios_asks_for_permission_and_a_refusal_is_shown(browser, engine):
    phone = Phone(browser, "about:blank")
    phone.page.add_init_script(
        "DeviceOrientationEvent.requestPermission = async () => { window.asked = true; return window.answer ?? 'denied'; }")
    phone.page.goto(engine.url + "/phone")
    connected(phone.page)
    phone.page.get_by_role("button", name="Start").tap()
    expect(phone.page.get_by_role("status")).to_contain_text("denied")
    assert phone.page.evaluate("window.asked")
    assert engine.value("/tracker/1/source") == ""
    phone.page.evaluate("window.answer = 'granted'")
    phone.page.get_by_role("button", name="Start").tap()
    until(lambda: engine.value("/tracker/1/source") == "web")
    phone.context.close()


def test_pairing_a_phone_without_tls_leads_to_it(browser, scene, tmp_path):
    with Engine("--recording", scene, "--token-file", tmp_path / "tokens") as engine:
        token = dict(line.split() for line in (tmp_path / "tokens").read_text().splitlines())["control"]
        context, page, _ = live_page(browser, f"{engine.url}/#token={token}", viewport={"width": 1440, "height": 900})
        page.get_by_role("tab", name="Engine").click()
        card = page.get_by_role("region", name="Paired phones and browsers")
        card.get_by_label("Purpose").select_option("phone")
        card.get_by_role("button", name="Show a code").click()
        expect(card.get_by_role("note")).to_contain_text("Start it with --tls; the code then opens the page /trust on the phone")
        # Without TLS the page of trust says the same.
        page.goto(engine.url + "/trust")
        expect(page.get_by_role("heading", name="This server runs without TLS")).to_be_visible()
        expect(page.get_by_text("vestibule serve --bind 0.0.0.0 --tls")).to_be_visible()
        context.close()
