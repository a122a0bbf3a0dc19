"""The card of the music: a station that plays, one that is none, and a sound of the library."""

import os

import numpy
import pytest
from playwright.sync_api import expect

import radio_server
from chromium import live_page, painted
from program import Engine
from radio_server import RadioServer
from waiting import until


@pytest.fixture
def running(tmp_path):
    time = numpy.arange(30 * 48_000) / 48_000
    radio_server.write(tmp_path / "tone.mp3", numpy.repeat(0.1 * numpy.sin(6000 * time)[:, None], 2, axis=1), 48_000)
    radio_server.write(tmp_path / "loop.wav", numpy.repeat(0.1 * numpy.sin(6000 * time)[:, None], 2, axis=1), 48_000)
    station = RadioServer(tmp_path)
    with Engine("--sounds", tmp_path, "--objects", 1, env=dict(os.environ, XDG_DATA_HOME=str(tmp_path))) as engine:
        engine.station = station
        yield engine
    station.stop()


@pytest.mark.parametrize(("size", "scheme"), [((1440, 900), "light"), ((390, 844), "dark")])
def test_a_station_is_played_and_a_page_is_refused(browser, running, screenshots, size, scheme):
    context, page, complaints = live_page(
        browser, f"{running.url}/#session", viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    music = page.get_by_role("region", name="Music", exact=True)
    if music.locator(".card-fold").is_visible():
        music.locator(".card-fold").click()
    play = music.get_by_role("button", name="Play music")
    expect(play).to_be_disabled()
    field = music.get_by_role("textbox", name="Music source")
    field.fill(f"{running.station.url}/titled/tone.mp3")
    page.keyboard.press("Enter")
    expect(play).to_be_enabled()
    play.click()
    expect(music.get_by_role("status")).to_have_text("Playing")
    expect(music.get_by_text("Rain - Slow Song")).to_be_visible()
    music.scroll_into_view_if_needed()
    painted(page)
    page.screenshot(path=screenshots / f"music-{size[0]}-{scheme}.png")
    field.fill(f"{running.station.url}/page")
    page.keyboard.press("Enter")
    expect(music.get_by_role("status")).to_have_text("Failed")
    expect(music.get_by_text("its type is text/html; charset=utf-8, not sound")).to_be_visible()
    music.get_by_label("Choose a sound of the library").select_option("loop.wav")
    expect(music.get_by_role("status")).to_have_text("Playing")
    music.get_by_role("button", name="Stop music").click()
    expect(music.get_by_role("status")).to_have_text("Stopped")
    until(lambda: running.value("/music/run") in (0, False))
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert complaints == []
    context.close()
