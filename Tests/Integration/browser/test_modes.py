"""Modes of the page “Listen”: this browser or the engine renders, as what is set and measured asks, with the sound going on."""

import json

import numpy
import pytest
from playwright.sync_api import expect

import chromium
import wave_file
from listen_page import steady
from program import Engine, run
from seeds import generator
from waiting import until

STATISTICS = "() => vestibule.player?.statistics.line ?? ''"
BUFFERED = "() => vestibule.player?.statistics.line.includes('buffered')"
# Defines `levels()`: those of both ears in decibels, in the latest 170 ms. A page that connects again has another sound.
SIDES = """() => {
  let [gain, ears] = [null, []];
  window.levels = () => {
    const { sound } = vestibule.player.sound;
    if (sound.gain !== gain) {
      gain = sound.gain;
      const splitter = new ChannelSplitterNode(sound.context, { numberOfOutputs: 2 });
      gain.connect(splitter);
      ears = [0, 1].map((side) => {
        const analyser = new AnalyserNode(sound.context, { fftSize: 8192 });
        splitter.connect(analyser, side);
        return analyser;
      });
    }
    return ears.map((ear) => {
      const samples = new Float32Array(8192);
      ear.getFloatTimeDomainData(samples);
      return 10 * Math.log10(samples.reduce((sum, value) => sum + value * value, 0) / 8192 + 1e-15);
    });
  };
}"""


@pytest.fixture
def joined(browser, scene):
    """An engine, and a page that has joined it."""
    with Engine("--recording", scene) as engine:
        context = browser.new_context(viewport={"width": 390, "height": 844})
        page = context.new_page()
        complaints = chromium.complaints_of(page)
        join(page, engine)
        yield engine, page
        assert not complaints, complaints
        context.close()


def join(page, engine):
    """Opens the page, and joins; the settings alone say who renders."""
    page.goto(engine.url + "/listen")
    steady(page)
    page.get_by_role("button", name="Join").click()
    page.wait_for_function(BUFFERED)


def mode(engine):
    return engine.value("/listener/2/client/mode")


def test_the_browser_renders_as_long_as_it_can(joined):
    engine, page = joined
    expect(page.locator("#mode")).to_contain_text("Rendered in this browser")
    until(lambda: mode(engine) == "client-rendered")
    until(lambda: engine.value("/listener/2/stream/format") == "scene")
    until(lambda: ", scene in " in page.evaluate(STATISTICS), lambda: page.evaluate(STATISTICS))
    # Nothing is rendered by the engine for it.
    assert engine.value("/listener/2/mute") is False
    # The method hrtf needs what the engine has.
    engine.osc().send_message("/listener/2/method", "hrtf")
    expect(page.locator("#mode")).to_contain_text("“hrtf”")
    until(lambda: mode(engine) == "server-rendered")
    until(lambda: engine.value("/listener/2/stream/format") == "opus")
    engine.osc().send_message("/listener/2/method", "ring")
    until(lambda: mode(engine) == "client-rendered")
    # Effects are the engine's as well.
    engine.osc().send_message("/rack/recording/add", "compressor")
    expect(page.locator("#mode")).to_contain_text("effects")
    until(lambda: mode(engine) == "server-rendered")
    engine.osc().send_message("/rack/recording/remove", 1)
    until(lambda: mode(engine) == "client-rendered")


def test_settings_and_transport_of_the_engine_are_heard(joined):
    engine, page = joined
    page.evaluate(SIDES)

    def level():
        return max(10 ** (ear / 20) for ear in page.evaluate("window.levels()"))

    until(lambda: level() > 0.005, describe=level)
    engine.osc().send_message("/listener/2/mute", True)
    until(lambda: level() < 1e-6, describe=level)
    engine.osc().send_message("/listener/2/mute", False)
    until(lambda: level() > 0.005, describe=level)
    engine.osc().send_message("/transport/pause", [])
    until(lambda: level() < 1e-4, describe=level)
    engine.osc().send_message("/transport/play", [])
    until(lambda: level() > 0.005, describe=level)


@pytest.mark.parametrize("rate", [44_100, 96_000])
def test_an_engine_at_another_rate_renders_for_the_page(browser, scene, rate):
    with Engine("--recording", scene, "--rate", rate) as engine:
        context = browser.new_context(viewport={"width": 390, "height": 844})
        page = context.new_page()
        page.goto(engine.url + "/listen")
        expect(page.locator("#mode")).to_contain_text(f"Rendered by the engine: the sound device of the engine runs at {rate / 1000:g} kHz")
        page.get_by_role("button", name="Join").click()
        page.wait_for_function(BUFFERED)
        until(lambda: mode(engine) == "server-rendered")
        until(lambda: engine.value("/listener/2/stream/format") == "s16le")
        if rate == 44_100:
            # A page that does not know the rate asks for the scene, and changes when the engine has refused it.
            page.get_by_role("button", name="Leave").click()
            page.evaluate("() => Object.defineProperty(vestibule.engine, 'sceneRefusal', { value: null })")
            page.get_by_role("button", name="Join").click()
            expect(page.locator("#mode")).to_contain_text("the engine does not send the scene")
            page.wait_for_function("() => vestibule.player?.mode === 'server' && vestibule.player.statistics.line.includes('buffered')")
        context.close()


def test_the_head_of_the_page_turns_what_is_rendered_there(browser, tmp_path):
    """Levels of both ears in four directions, against `vestibule render` of the same recording. Seed: 61."""
    levels = numpy.array([0.02, 0.01, 0.02, 0.04, 0.08, 0.1, 0.08, 0.04])
    wave_file.write(tmp_path / "scene.wav", generator(61).standard_normal((4 * 48_000, 8)) * levels)
    (tmp_path / "scene.json").write_text(json.dumps({"array": {"count": 8, "radius": 0.0875, "azimuths": [-45 * i for i in range(8)]}}))
    wanted = {}
    for yaw in (0, 90, 180, -90):
        run("render", tmp_path / "scene.wav", "--output", tmp_path / "ears.wav", "--overwrite", "--method", "two-band", "--yaw", yaw)
        wanted[yaw] = 10 * numpy.log10((wave_file.read(tmp_path / "ears.wav")[0] ** 2).mean(axis=0))
    assert max(abs(wanted[0] - wanted[180])) > 6, wanted
    with Engine("--recording", tmp_path / "scene.wav", "--method", "two-band") as engine:
        context = browser.new_context(viewport={"width": 390, "height": 844})
        page = context.new_page()
        complaints = chromium.complaints_of(page)
        join(page, engine)
        page.evaluate(SIDES)
        for yaw, ears in wanted.items():
            page.evaluate(f"vestibule.head.set({yaw})")

            def error():
                return max(abs(numpy.array(page.evaluate("window.levels()")) - ears))

            # The page is rendering with a codec between, and 170 ms of noise vary.
            until(lambda: error() < 1.5, lambda: (yaw, page.evaluate("window.levels()"), ears, page.evaluate(STATISTICS)))
            # The engine is told as well, for display and takes.
            until(lambda: abs((engine.value("/listener/2/ypr")[0] - yaw + 180) % 360 - 180) < 0.5)
        assert page.evaluate("vestibule.player.mode") == "client"
        assert not complaints
        context.close()


def test_a_group_is_moved_to_a_recording_and_back(browser, scene, tmp_path, screenshots):
    (tmp_path / "packed").mkdir()
    run("package", scene, "--output", tmp_path / "packed/hall", "--title", "Great hall")
    with Engine("--recording", scene, "--packages", tmp_path / "packed") as engine:
        context = browser.new_context(viewport={"width": 390, "height": 844})
        page = context.new_page()
        complaints = chromium.complaints_of(page)
        join(page, engine)
        engine.osc().send_message("/listener/2/group", 3)
        panel_context, panel, problems = chromium.live_page(browser, engine.url, viewport={"width": 1440, "height": 900})
        panel.get_by_role("tab", name="Engine").click()
        card = panel.get_by_role("region", name="Phones", exact=True)
        card.scroll_into_view_if_needed()
        card.get_by_text("Groups", exact=True).click()
        card.get_by_label("Recording of group 3").select_option("Great hall")
        until(lambda: engine.value("/group/3/recording") == "hall")
        # The page plays it at once, without another tap.
        page.wait_for_function("() => vestibule.player?.mode === 'offline' && vestibule.player.report?.position > 4800")
        expect(page.get_by_role("heading", name="Great hall")).to_be_visible()
        page.screenshot(path=screenshots / "listen-group.png", full_page=True)
        until(lambda: mode(engine) == "offline")
        entry = card.get_by_role("list", name="Phones").get_by_role("listitem")
        expect(entry).to_contain_text("plays a packed recording")
        entry.get_by_role("button", name="Mute").click()
        until(lambda: engine.value("/listener/2/mute") is True)
        expect(entry.get_by_role("button", name="Mute")).to_have_attribute("aria-pressed", "true")
        page.wait_for_function("() => Math.max(...vestibule.player.report.peaks) < 1e-6")
        entry.get_by_role("button", name="Mute").click()
        page.wait_for_function("() => Math.max(...vestibule.player.report.peaks) > 1e-4")
        engine.osc().send_message("/listener/2/gain", -9.0)
        expect(page.get_by_label("Volume")).to_have_value("-9")

        # Its listener is its own while it plays something else: no time is set after which it is removed.
        def listeners():
            found = engine.get("/listeners?search=listening")["listeners"]
            return [(each["number"], each["clients"], each["isHeld"], "seconds" in each) for each in found]

        until(lambda: listeners() == [(2, 0, True, False)], listeners)
        card.screenshot(path=screenshots / "phones-recording.png")
        panel.set_viewport_size({"width": 390, "height": 844})
        card.screenshot(path=screenshots / "phones-recording-phone.png")
        assert panel.evaluate("document.documentElement.scrollWidth") <= 390
        engine.osc().send_message("/group/3/recording", "")
        page.wait_for_function("() => vestibule.player?.mode === 'client' && vestibule.player.statistics.line.includes('buffered')")
        # The same listener, with its group and its settings.
        assert page.evaluate("vestibule.engine.scope.chosen") == "2" and engine.value("/listener/count") == 2
        assert engine.value("/listener/2/group") == 3 and engine.value("/listener/2/gain") == -9
        until(lambda: mode(engine) == "client-rendered")
        assert complaints == [] and problems == []
        panel_context.close()
        # A page that has gone is no owner any more.
        engine.osc().send_message("/listener/keep", 1.0)
        context.close()
        until(lambda: engine.value("/listener/count") == 1)


def test_objects_through_a_personal_hrtf_are_rendered_by_the_engine(browser, scene, tmp_path):
    wave_file.write(tmp_path / "bell.wav", generator(62).standard_normal((4800, 1)) * 0.1)
    with Engine("--recording", scene, "--hrtf", "/usr/share/libmysofa/default.sofa", "--object", f"{tmp_path / 'bell.wav'}@30") as engine:
        context = browser.new_context()
        page = context.new_page()
        join(page, engine)
        until(lambda: engine.value("/listener/count") == 2)
        engine.osc().send_message("/listener/2/hrtf", engine.value("/listener/1/hrtf"))
        expect(page.locator("#mode")).to_contain_text("heard through an HRTF")
        until(lambda: mode(engine) == "server-rendered")
        # Without objects there is nothing that is heard through it.
        engine.osc().send_message("/object/1/source", "")
        until(lambda: mode(engine) == "client-rendered")
        context.close()
