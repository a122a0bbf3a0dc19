"""The telemetry page in a real browser: moving and frozen charts, CSV export, the keyboard, and operation without the
chart library."""

import csv
import os

import pytest
from playwright.sync_api import expect

from chromium import complaints_of, connected, number_in, painted
from program import Engine
from waiting import holds, paced, until


def opened(browser, url, **options):
    page = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, "accept_downloads": True} | options).new_page()
    page.complaints = complaints_of(page)
    page.goto(url)
    return page


def number(page, card, name):
    """Number beside a name in a card; None while there is none."""
    region = page.get_by_role("region", name=card, exact=True)
    return number_in(region.locator("div", has=page.get_by_text(name, exact=True)).locator("dd").last.inner_text())


def has_latency(page, client, ypr):
    """Whether the latency of recent poses is shown, while they arrive."""
    client.send_message("/listener/1/ypr", ypr)
    return (number(page, "Motion to sound", "p50") or 0) > 0


def read(download):
    with open(download.path(), newline="") as file:
        return list(csv.DictReader(file))


def test_charts_move_freeze_and_export_csv(browser, engine, screenshots):
    page = opened(browser, engine.url)
    page.get_by_role("tab", name="Engine", exact=True).click()
    page.get_by_role("link", name="Telemetry over time").click()
    connected(page)
    client = engine.osc()
    client.send_message("/listener/1/ypr", [30.0, 10.0, -5.0])
    until(lambda: number(page, "Head", "Yaw") == 30 and number(page, "Head", "Roll") == -5)
    before = number(page, "Levels", "Left")
    until(lambda: number(page, "Levels", "Left") not in (None, before))
    until(lambda: has_latency(page, client, [30.0, 10.0, -5.0]))
    distribution = page.get_by_role("region", name="Latency distribution").get_by_role("row")
    until(lambda: has_latency(page, client, [30.0, 10.0, -5.0]) and distribution.count() > 0)
    # The library of the charts may come after the numbers.
    until(lambda: page.locator(".chart canvas").count() >= 4)
    client.send_message("/listener/1/gian", 1.0)
    expect(page.get_by_role("log")).to_contain_text("did you mean /listener/1/gain?")
    for yaw in paced(range(30, 95, 5), 0.12):
        client.send_message("/listener/1/ypr", [float(yaw), 10.0, -5.0])
    page.screenshot(path=screenshots / "telemetry-desk.png", full_page=True)

    freeze = page.get_by_role("button", name="Freeze")
    moment = page.get_by_role("slider", name="Point in time")
    expect(moment).to_be_disabled()
    until(lambda: number(page, "Head", "Yaw") == 90)
    freeze.press("Enter")
    expect(freeze).to_have_attribute("aria-pressed", "true")
    client.send_message("/listener/1/ypr", [-100.0, 0.0, 0.0])
    levels = number(page, "Levels", "Left")
    holds(lambda: number(page, "Head", "Yaw") == 90 and number(page, "Levels", "Left") == levels, 0.7)
    moment.focus()
    page.keyboard.press("PageDown")
    assert "6 seconds before the end. Levels: Left" in moment.get_attribute("aria-valuetext")
    # Further back where the page was stalled: the head turned at most a minute ago.
    until(lambda: number(page, "Head", "Yaw") < 90 or page.keyboard.press("PageDown"))
    page.screenshot(path=screenshots / "telemetry-frozen.png")

    with page.expect_download() as waiting:
        page.get_by_role("button", name="Export CSV").click()
    rows = read(waiting.value)
    yaws = [float(row["yaw_degrees"]) for row in rows if row["yaw_degrees"]]
    assert yaws[-1] == 90 and max(yaws) == 90 and 30 in yaws and -100 not in yaws
    times = [float(row["time_s"]) for row in rows]
    assert times == sorted(times) and 1 < times[-1] - times[0] < 61
    assert any(float(row["ear_left_peak_db"]) > -60 for row in rows if row["ear_left_peak_db"])
    assert any(float(row["motion_to_sound_p50_ms"]) > 0 for row in rows if row["motion_to_sound_p50_ms"])
    assert all(0 <= float(row["load_percent"]) for row in rows if row["load_percent"])

    freeze.press("Enter")
    until(lambda: number(page, "Head", "Yaw") == -100)
    assert page.complaints == []
    page.context.close()


def test_on_a_phone_and_in_the_dark(browser, engine, screenshots):
    page = opened(browser, engine.url + "/telemetry", viewport={"width": 390, "height": 844}, color_scheme="dark")
    engine.osc().send_message("/listener/1/ypr", [30.0, 0.0, 0.0])
    until(lambda: number(page, "Head", "Yaw") == 30)
    until(lambda: has_latency(page, engine.osc(), [30.0, 0.0, 0.0]))
    painted(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.screenshot(path=screenshots / "telemetry-phone.png", full_page=True)
    assert page.complaints == []
    page.context.close()


@pytest.mark.gate
def test_without_the_chart_library_the_page_reports_it_and_works(browser, scene, tmp_path):
    with Engine("--recording", scene, env={**os.environ, "XDG_DATA_DIRS": str(tmp_path)}) as engine:
        page = opened(browser, engine.url + "/telemetry")
        expect(page.get_by_text("libjs-dygraphs")).to_be_visible()
        engine.osc().send_message("/listener/1/ypr", [30.0, 0.0, 0.0])
        until(lambda: number(page, "Head", "Yaw") == 30)
        with page.expect_download() as waiting:
            page.get_by_role("button", name="Export CSV").click()
        assert any(row["yaw_degrees"] for row in read(waiting.value))
        page.context.close()
