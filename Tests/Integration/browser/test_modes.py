"""Modes of the page “Listen”: this browser or the engine renders, as what is set and measured asks, with the sound going on."""

import pytest
from playwright.sync_api import expect

import chromium
from program import Engine
from waiting import until

STATISTICS = "() => vestibule.player?.statistics.line ?? ''"


@pytest.fixture
def joined(browser, scene):
    """An engine, and a page that has joined it."""
    with Engine("--recording", scene) as engine:
        context = browser.new_context(viewport={"width": 390, "height": 844})
        page = context.new_page()
        complaints = chromium.complaints_of(page)
        page.goto(engine.url + "/listen")
        page.get_by_role("button", name="Join").click()
        page.wait_for_function("() => vestibule.player?.statistics.line.includes('buffered')")
        yield engine, page
        assert not complaints, complaints
        context.close()


def mode(engine):
    return engine.value("/listener/2/client/mode")


def test_the_browser_renders_as_long_as_it_can(joined):
    engine, page = joined
    expect(page.locator("#mode")).to_contain_text("Rendered on this device")
    until(lambda: mode(engine) == "client-rendered")
    until(lambda: engine.value("/listener/2/stream/format") == "scene")
    assert ", scene in " in page.evaluate(STATISTICS)
    # Nothing is rendered by the engine for it.
    assert engine.value("/listener/2/mute") is False
    # The method personal needs what the engine has.
    engine.osc().send_message("/listener/2/method", "personal")
    expect(page.locator("#mode")).to_contain_text("personal", timeout=20_000)
    until(lambda: mode(engine) == "server-rendered", 10)
    until(lambda: engine.value("/listener/2/stream/format") == "opus")
    engine.osc().send_message("/listener/2/method", "ring")
    until(lambda: mode(engine) == "client-rendered", 20)
    # Effects are the engine's as well.
    engine.osc().send_message("/rack/recording/add", "compressor")
    expect(page.locator("#mode")).to_contain_text("effects", timeout=20_000)
    until(lambda: mode(engine) == "server-rendered", 10)
    engine.osc().send_message("/rack/recording/remove", 1)
    until(lambda: mode(engine) == "client-rendered", 20)


def test_settings_and_transport_of_the_engine_are_heard(joined):
    engine, page = joined
    page.evaluate("""() => {
      const { sound } = vestibule.player.sound;
      window.analyser = new AnalyserNode(sound.context, { fftSize: 4096 });
      sound.gain.connect(window.analyser);
    }""")

    def level():
        return page.evaluate("""() => {
          const samples = new Float32Array(4096);
          window.analyser.getFloatTimeDomainData(samples);
          return Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / 4096);
        }""")

    until(lambda: level() > 0.005, describe=level)
    engine.osc().send_message("/listener/2/mute", True)
    until(lambda: level() < 1e-6, describe=level)
    engine.osc().send_message("/listener/2/mute", False)
    until(lambda: level() > 0.005, describe=level)
    engine.osc().send_message("/transport/pause", [])
    until(lambda: level() < 1e-4, describe=level)
    engine.osc().send_message("/transport/play", [])
    until(lambda: level() > 0.005, describe=level)
