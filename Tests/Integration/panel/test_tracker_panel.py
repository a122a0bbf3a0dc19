"""Trackers in the panel, in a real browser."""

import itertools
import re

import pytest
from playwright.sync_api import expect
from pythonosc.udp_client import SimpleUDPClient

from chromium import complaints_of, connected
from panel_page import notices, texts_of
from program import Engine
from waiting import until


@pytest.fixture(params=[(1440, 900), (390, 844)], ids=["desk", "phone"])
def page(browser, scene, request):
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.name = request.node.callspec.id
    complaints = complaints_of(page)
    with Engine("--recording", scene, "--listeners", 2, "--tracker", "mach1:0") as engine:
        page.goto(engine.url + "#trackers")
        connected(page)
        yield page, engine
        assert complaints == []
        context.close()


def test_a_tracker_is_attached_watched_recentred_calibrated_and_removed(page, screenshots):
    page, engine = page
    port = engine.ready["tracker_ports"][0]
    tracker = page.get_by_role("article", name=f"mach1:{port}")
    expect(tracker).to_contain_text("waiting for the first pose")
    mach1 = SimpleUDPClient("127.0.0.1", port)

    def look(yaw, pitch):
        mach1.send_message("/orientation", [float(-yaw), float(pitch), 0.0])

    look(40, 10)
    expect(tracker).to_contain_text("40°")
    # A second tracker, added in the panel.
    page.get_by_label("New tracker").fill("adm-osc:0")
    page.get_by_role("button", name="Attach").click()
    other = page.get_by_role("article", name=re.compile("adm-osc:"))
    expect(other).to_be_visible()
    adm = SimpleUDPClient("127.0.0.1", int(engine.value("/tracker/2/source").split(":")[1]))
    # The most recently moved tracker controls the head, while the other one rests; silence of a second would count as a movement.
    turns = itertools.cycle((-70.0, -75.0))

    def rests():
        adm.send_message("/adm/lis/ypr", [next(turns), 0.0, 0.0])
        look(41, 10)
        return "another tracker has control" in tracker.inner_text() and -75.1 < engine.value("/listener/1/ypr")[0] < -69.9

    until(rests, describe=tracker.inner_text)
    # The engine reads one port after the other: the last poses of the other tracker must not come behind the next one of this.
    expect(other.locator(".tracker-state")).not_to_have_attribute("data-state", "live")
    look(60, 10)
    until(lambda: abs(engine.value("/listener/1/ypr")[0] - 60) < 0.1)
    page.locator(".trackers").scroll_into_view_if_needed()
    page.screenshot(path=screenshots / f"trackers-{page.name}.png", full_page=page.name == "phone")
    # By button, by key, by OSC address.
    tracker.get_by_role("button", name="Recenter").click()
    until(lambda: abs(engine.value("/tracker/1/centre") - 60) < 0.1)
    look(90, 0)
    until(lambda: abs(engine.value("/listener/1/ypr")[0] - 30) < 0.1)
    until(lambda: abs(engine.value("/tracker/1/pose")[0] - 30) < 0.1)
    page.keyboard.press("Alt+r")
    until(lambda: abs(engine.value("/tracker/1/centre") - 90) < 0.1)
    look(110, 0)
    until(lambda: abs(engine.value("/tracker/1/pose")[0] - 20) < 0.1)
    engine.osc().send_message("/tracker/1/recenter", [])
    until(lambda: abs(engine.value("/tracker/1/centre") - 110) < 0.1)
    # The three gestures of the calibration.
    guided = texts_of(tracker)
    tracker.get_by_role("button", name="Calibrate").click()
    status = tracker.get_by_role("status")
    guided("straight ahead")
    expect(status).to_contain_text("to the left")
    page.screenshot(path=screenshots / f"calibration-{page.name}.png")
    look(160, 0)
    expect(status).to_contain_text("then up")
    look(110, 30)
    expect(status).to_contain_text("Calibrated: yaw from yaw")
    tracker.get_by_role("button", name="Close").click()
    expect(status).to_be_hidden()
    # Invalid values are reported.
    mach1.send_message("/orientation", [float("nan"), 0.0, 0.0])
    expect(tracker).to_contain_text("infinite or not a number")
    told = notices(page)
    page.get_by_label("New tracker").fill("spatra:0")
    page.get_by_role("button", name="Attach").click()
    told("did you mean sparta?")
    other.get_by_role("button", name="Remove tracker").click()
    expect(other).to_be_hidden()
    until(lambda: engine.value("/tracker/2/source") == "")


def test_prediction_is_switched_and_set_and_follows_its_words(page):
    page, engine = page
    page.get_by_role("tab", name="Head", exact=True).click()
    if page.viewport_size["width"] < 760:
        page.get_by_role("radio", name="Details").check()
        page.get_by_role("button", name="Listener 1", exact=True).click()
    predict = page.get_by_role("switch", name="Predict", exact=True).locator("visible=true").first
    time = page.get_by_role("slider", name="Prediction", exact=True).locator("visible=true").first
    expect(predict).to_have_attribute("aria-checked", "false")
    predict.click()
    until(lambda: engine.value("/listener/1/auto-prediction") is True)
    page.get_by_role("spinbutton", name="Prediction", exact=True).locator("visible=true").first.fill("15")
    page.keyboard.press("Enter")
    until(lambda: engine.value("/listener/1/prediction") == 15)
    engine.osc().send_message("/listener/1/prediction", "off")
    expect(predict).to_have_attribute("aria-checked", "false")
    expect(time).to_have_attribute("aria-valuetext", "0\u00a0ms")
    engine.osc().send_message("/listener/1/prediction", "auto")
    expect(predict).to_have_attribute("aria-checked", "true")
    time.focus()
    page.keyboard.press("ArrowRight")
    until(lambda: 0 < engine.value("/listener/1/prediction") < 10)
    assert engine.value("/listener/1/auto-prediction") is True
