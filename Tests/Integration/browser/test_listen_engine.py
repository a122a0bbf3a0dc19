"""The page “Listen” as a listener of the engine: joining, motion, controls, interruptions, and the ways without the engine's sound."""

import contextlib
import json
import re
import subprocess
import urllib.request

import numpy
import pytest
from playwright.sync_api import expect

import chromium
import wave_file
from listen_page import vacant
from program import PROGRAM, Engine
from seeds import generator
from waiting import until

# The states of the page's service workers.
WORKERS = "async () => (await navigator.serviceWorker.getRegistrations()).map(({ active }) => active?.state)"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """A folder with a packed recording of three seconds of noise. Seed: 41."""
    folder = tmp_path_factory.mktemp("packed")
    wave_file.write(folder / "scene.wav", generator(41).standard_normal((3 * 48_000, 8)).astype(numpy.float32) * 0.1)
    (folder / "all").mkdir()
    subprocess.run(
        [PROGRAM, "package", folder / "scene.wav", "--title", "Hall", "--output", folder / "all/hall"], check=True, capture_output=True)
    return folder / "all"


@contextlib.contextmanager
def visitor(browser, url, script=None, **options):
    context = browser.new_context(**(options or PHONE))
    page = context.new_page()
    complaints = chromium.complaints_of(page)
    if script:
        page.add_init_script(script)
    page.goto(url)
    yield context, page, complaints
    context.close()


def heard(page):
    """Waits until sound arrives and is louder than silence."""
    page.wait_for_function("() => vestibule.player?.sound && vestibule.player.statistics.line.includes('buffered')")


def test_one_tap_joins_with_sound_and_motion(browser, scene, screenshots):
    with Engine("--recording", scene) as engine, visitor(browser, engine.url + "/listen") as (context, page, complaints):
        chromium.connected(page)
        expect(page.locator("#mode")).to_contain_text("Rendered in this browser")
        expect(page.get_by_text("One tap asks for the motion sensors")).to_be_visible()
        sensors = context.new_cdp_session(page)

        def turn(alpha):
            sensors.send("DeviceOrientation.setDeviceOrientationOverride", {"alpha": alpha, "beta": 90, "gamma": 0})

        turn(50)
        page.get_by_role("button", name="Join").tap()
        heard(page)
        until(lambda: engine.value("/listener/2/stream/clients") == 1)
        page.screenshot(path=screenshots / "listen-joined.png", full_page=True)
        # The first orientation is the front.
        page.wait_for_function("() => vestibule.sensor.rate >= 0 && vestibule.heads > 1")
        turn(80)
        until(lambda: abs(engine.value("/listener/2/ypr")[0] - 30) < 0.5, describe=lambda: engine.value("/listener/2/ypr"))
        page.get_by_role("button", name="Face the front").tap()
        until(lambda: abs(engine.value("/listener/2/ypr")[0]) < 0.5)
        # Controls act on the engine, and show what others set there.
        page.get_by_label("Method").select_option("nearest")
        until(lambda: engine.value("/listener/2/method") == "nearest")
        page.get_by_label("Method").blur()
        engine.osc().send_message("/listener/2/method", "linear")
        expect(page.get_by_label("Method")).to_have_value("linear")
        engine.osc().send_message("/listener/2/gain", -12.0)
        expect(page.get_by_label("Volume")).to_have_value("-12")
        page.get_by_label("Ignore nodding and tilting").check()
        sensors.send("DeviceOrientation.setDeviceOrientationOverride", {"alpha": 80, "beta": 60, "gamma": 0})
        turn(90)
        until(lambda: abs(engine.value("/listener/2/ypr")[0] - 10) < 0.5)
        assert abs(engine.value("/listener/2/ypr")[1]) < 0.1
        page.get_by_role("button", name="Leave").tap()
        until(lambda: engine.value("/listener/2/stream/clients") == 0)
        until(lambda: not page.evaluate("vestibule.sensor.isRunning"))
        # The same listener again.
        page.get_by_role("button", name="Join").tap()
        heard(page)
        until(lambda: engine.value("/listener/2/stream/clients") == 1)
        assert engine.value("/listener/count") == 2 and engine.value("/listener/2/method") == "linear"
        assert complaints == []


def test_sound_that_the_system_takes_away_comes_back(browser, scene, packed):
    with Engine("--recording", scene, "--packages", packed) as engine, visitor(browser, engine.url + "/listen") as (_, page, _):
        page.get_by_role("button", name="Join").tap()
        heard(page)
        for name in ("live", "recording:hall"):
            if name != "live":
                page.get_by_label("Listen to").select_option(name)
                page.get_by_role("button", name="Play").tap()
                page.wait_for_function("() => vestibule.player?.report?.position > 4800")
            page.evaluate("() => { window.states = []; const { context } = vestibule.player;"
                          "context.addEventListener('statechange', () => states.push(context.state)); context.suspend(); }")
            page.wait_for_function("() => states.includes('suspended') && states.at(-1) === 'running'")


@pytest.mark.parametrize("missing, reason", [("AudioWorkletNode", "no AudioWorklet"), ("WebAssembly", "no WebAssembly")])
def test_a_browser_that_cannot_render_gets_the_stream_and_the_reason(browser, scene, packed, missing, reason):
    with Engine("--recording", scene, "--packages", packed) as engine:
        with visitor(browser, engine.url + "/listen?recording=hall", f"delete window.{missing};") as (_, page, _):
            expect(page.locator("#mode")).to_contain_text(f"Rendered by the engine: this browser has {reason}")
            page.get_by_label("Listen to").select_option("recording:hall")
            expect(page.get_by_role("status").first).to_contain_text(f"cannot be rendered here: this browser has {reason}")


def test_a_token_in_the_address_logs_in_and_other_visitors_are_asked(browser, scene, packed, tmp_path):
    tokens = tmp_path / "tokens"
    with Engine("--recording", scene, "--packages", packed, "--token-file", tokens) as engine:
        control = re.search(r"control\W+(\w+)", tokens.read_text()).group(1)
        with visitor(browser, f"{engine.url}/listen#token={control}") as (_, page, complaints):
            page.get_by_role("button", name="Join").tap()
            heard(page)
            assert control not in page.url and complaints == []
        with visitor(browser, f"{engine.url}/listen") as (_, page, _):
            dialog = page.get_by_role("dialog")
            expect(dialog).to_be_visible()
            dialog.get_by_label("Token").fill(control)
            dialog.get_by_role("button", name="Connect").tap()
            expect(dialog).to_be_hidden()
            # Who has logged in is offered more, after which the page is ready for a tap again.
            offered = page.get_by_label("Listen to").locator("option")
            until(lambda: offered.all_text_contents()[:2] == ["Live: my own listener", "Hall"], offered.all_text_contents)
            page.get_by_role("button", name="Join").tap()
            heard(page)


def test_a_visitor_who_may_view_turns_the_own_head(browser, scene, tmp_path):
    tokens = tmp_path / "tokens"
    with Engine("--recording", scene, "--token-file", tokens) as engine:
        view = re.search(r"view\W+(\w+)", tokens.read_text()).group(1)

        def yaw():
            request = urllib.request.Request(f"{engine.url}/listener/2/ypr?VALUE", headers={"Authorization": f"Bearer {view}"})
            return json.load(urllib.request.urlopen(request, timeout=60))["VALUE"][0]

        with visitor(browser, f"{engine.url}/listen#token={view}") as (_, page, complaints):
            page.get_by_role("button", name="Join").tap()
            heard(page)
            page.get_by_role("slider", name="Direction of the head").focus()
            page.keyboard.press("PageUp")
            until(lambda: abs(yaw() - 45) < 0.1, describe=yaw)
            expect(page.get_by_role("status").first).not_to_contain_text("may view")
            assert complaints == []


def test_a_stored_recording_plays_when_the_engine_has_gone(browser, scene, packed):
    with Engine("--recording", scene, "--packages", packed) as engine:
        with visitor(browser, engine.url + "/listen?recording=hall") as (_, page, _):
            expect(page.locator("#mode")).to_contain_text("Rendered in this browser")
            page.get_by_text("Listen without a network").tap()
            page.get_by_role("button", name="Download").tap()
            page.wait_for_function("() => vestibule.offline.isKept")
            expect(page.locator("#stored")).not_to_contain_text("incomplete")
            engine.stop()
            with vacant(engine.ready["http_port"]):
                page.reload()
                expect(page.get_by_text("No connection")).to_be_visible()
                page.get_by_role("button", name="Play").tap()
                page.wait_for_function("() => vestibule.player?.report?.position > 4800")


def test_the_short_address_opens_a_stored_recording_while_the_engine_is_away(browser, scene, packed):
    with Engine("--recording", scene, "--packages", packed) as engine:
        context = browser.new_context(**PHONE)
        page = context.new_page()
        page.goto(engine.url + "/listen?recording=hall")
        page.get_by_text("Listen without a network").click()
        page.get_by_role("button", name="Download").click()
        page.wait_for_function("() => vestibule.offline?.isKept")
        # The worker of the short address keeps no files, and says nothing when it has begun.
        until(lambda: page.evaluate(WORKERS) == ["activated"] * 2, lambda: page.evaluate(WORKERS))
        address = engine.url
        # Other pages below the worker's address are left alone.
        page.goto(address + "/listening-test")
        assert page.url == address + "/listening-test"
        engine.stop()
        with vacant(engine.ready["http_port"]):
            page.goto(address + "/listen?recording=hall")
            assert page.url.startswith(address + "/panel/listen.html?")
            page.get_by_role("button", name="Play").tap()
            page.wait_for_function("() => vestibule.player?.report?.position > 4800")
            context.close()


def test_blocked_cookies_and_storage_are_no_obstacle(browser, scene):
    blocked = """StorageManager.prototype.getDirectory = async () => { throw new DOMException('no', 'SecurityError'); };
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError'); } });
      }"""
    with Engine("--recording", scene) as engine, visitor(browser, engine.url + "/listen", blocked) as (_, page, complaints):
        for _ in range(2):
            page.get_by_role("button", name="Join").tap()
            heard(page)
            page.get_by_role("button", name="Leave").tap()
        # The page remembers its listener as long as it is open.
        assert engine.value("/listener/count") == 2
        assert complaints == []
