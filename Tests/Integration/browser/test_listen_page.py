"""The page “Listen” on a plain web server, without the engine: playing, turning, media keys and the measured delay."""

import subprocess

import numpy
import pytest
from playwright.sync_api import expect

import wave_file
from listen_page import opened, peaks, playing, served
from panel_page import texts_of
from program import PROGRAM, ROOT
from waiting import until


def is_heard_by(ear, page):
    """Whether one ear hears the recording, and the other one nothing."""
    heard = peaks(page)
    return heard[ear] > 0.2 and heard[1 - ear] < 0.001


@pytest.mark.gate
def test_a_recording_plays_and_turns_without_the_engine(site, browser, screenshots):
    with served(site) as (url, _, _, _):
        context, page, complaints = opened(browser, url, viewport={"width": 1440, "height": 900})
        expect(page.get_by_role("heading", name='The "front"')).to_be_visible()
        playing(page)
        page.get_by_label("Method").select_option("nearest")
        slider = page.get_by_role("slider", name="Direction of the head")
        slider.focus()
        # The only microphone with sound is in front: the left ear is there when the head is turned to the right by 90 degrees.
        for _ in range(2):
            page.keyboard.press("PageDown")
        expect(slider).to_have_attribute("aria-valuetext", "90 degrees to the right")
        until(lambda: is_heard_by(0, page))
        page.keyboard.press("Home")
        for _ in range(2):
            page.keyboard.press("PageUp")
        until(lambda: is_heard_by(1, page))
        page.screenshot(path=screenshots / "listen-desktop.png")
        page.set_viewport_size({"width": 390, "height": 844})
        page.screenshot(path=screenshots / "listen-phone.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.get_by_role("button", name="Pause").click()
        expect(page.get_by_role("button", name="Play")).to_be_visible()
        assert complaints == []
        context.close()


def test_a_recording_that_is_not_repeated_ends(site, browser):
    with served(site) as (url, _, _, _):
        context, page, complaints = opened(browser, url)
        page.get_by_label("Repeat").uncheck()
        page.keyboard.press("Escape")
        page.evaluate("document.activeElement.blur()")
        page.evaluate("""() => {
          window.named = [];
          const button = document.getElementById('play');
          new MutationObserver(() => named.push(button.textContent)).observe(button, { childList: true });
        }""")
        page.keyboard.press("Space")
        expect(page.get_by_role("status").first).to_have_text("The recording has ended.")
        expect(page.get_by_role("button", name="Play")).to_be_visible()
        assert page.evaluate("named") == ["Pause", "Play"]
        playing(page)
        assert complaints == []
        context.close()


def test_controls_that_are_used_while_the_renderer_starts_count(site, browser):
    with served(site) as (url, _, _, _):
        context, page, complaints = opened(browser, url)
        page.evaluate("""() => {
          const part = (id) => document.getElementById(id);
          part('play').click();
          part('method').value = 'nearest';
          part('method').dispatchEvent(new Event('change'));
          part('position').value = 3;
          part('position').dispatchEvent(new Event('change'));
          part('turn').dispatchEvent(new KeyboardEvent('keydown', { key: 'PageDown' }));
          for (let click = 0; click < 4; click += 1) part('play').click();
        }""")
        page.wait_for_function("() => vestibule.player.report?.position > 3.1 * 48000 && !vestibule.player.report.isWaiting")
        expect(page.get_by_role("slider", name="Direction of the head")).to_have_attribute("aria-valuetext", "45 degrees to the right")
        # The method nearest has no crossover and no latency but the limiter's.
        assert page.evaluate("vestibule.player.report.crossover") == 0
        assert complaints == []
        context.close()


def test_long_titles_do_not_widen_the_page(browser, tmp_path):
    wave_file.write(tmp_path / "short.wav", numpy.zeros((4800, 4), numpy.float32))
    title = "2024-05-12_StJohnsCathedral_Organ_TakeB_24ch_final" * 2
    subprocess.run([ROOT / "web/site.sh", PROGRAM, tmp_path / "site", tmp_path / "short.wav", title], check=True, capture_output=True)
    with served(tmp_path / "site") as (url, _, _, _):
        context, page, _ = opened(browser, url, viewport={"width": 320, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        context.close()


def test_recordings_of_other_servers_are_refused(site, browser):
    with served(site) as (url, _, _, _):
        page = browser.new_page()
        for query in ("?recording=https://elsewhere.example/1", "?shelf=https://elsewhere.example/"):
            page.goto(url + query)
            expect(page.get_by_role("status").first).to_contain_text("from the same server")
        page.close()


def test_motion_sensors_turn_the_head(site, browser):
    with served(site) as (url, _, _, _):
        context, page, complaints = opened(browser, url)
        playing(page)
        page.get_by_role("button", name="Turn with this phone").click()
        devtools = context.new_cdp_session(page)

        def turn(alpha):
            devtools.send("DeviceOrientation.setDeviceOrientationOverride", {"alpha": alpha, "beta": 90, "gamma": 0})

        turn(10)
        page.wait_for_function("() => vestibule.heads > 1")
        page.get_by_role("button", name="Face the front").click()
        turn(55)
        page.wait_for_function("() => Math.abs(vestibule.head.yaw - 45) < 0.5")
        page.get_by_role("button", name="Turn with this phone").click()
        assert abs(page.evaluate("vestibule.head.yaw") - 45) < 0.5
        assert complaints == []
        context.close()


def test_media_keys_belong_to_the_page_while_it_plays(site, browser):
    with served(site) as (url, _, _, _):
        context = browser.new_context()
        page = context.new_page()
        page.add_init_script("""window.keys = {};
          MediaSession.prototype.setActionHandler = (key, action) => { window.keys[key] = action; };""")
        page.goto(url)
        expect(page.get_by_role("button", name="Play")).to_be_enabled()
        assert page.evaluate("vestibule.keys.isHeld") is False
        playing(page)
        page.wait_for_function("() => vestibule.keys.isHeld")
        until(lambda: page.evaluate("navigator.mediaSession.metadata?.title") == 'The "front"')
        page.evaluate("keys.pause()")
        expect(page.get_by_role("button", name="Play")).to_be_visible()
        page.wait_for_function("() => !vestibule.keys.isHeld && navigator.mediaSession.playbackState === 'paused'")
        page.evaluate("keys.play()")
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        page.wait_for_function("() => vestibule.keys.isHeld")
        context.close()


ACOUSTIC = """(() => {
  // Everything that a page plays returns by its microphone, later and softer.
  const { connect } = AudioNode.prototype;
  window.path = 0.15;
  const rooms = new WeakMap();
  const roomOf = (context) => {
    if (!rooms.has(context)) {
      const delay = new DelayNode(context, { maxDelayTime: 1, delayTime: window.path });
      const gain = new GainNode(context, { gain: window.loss ?? 0.2 });
      connect.call(delay, gain);
      rooms.set(context, { delay, gain });
    }
    return rooms.get(context);
  };
  AudioNode.prototype.connect = function (target, ...rest) {
    if (target === this.context.destination) connect.call(this, roomOf(this.context).delay);
    return connect.call(this, target, ...rest);
  };
  navigator.mediaDevices.getUserMedia = async (wishes) => {
    window.asked = wishes;
    return { getAudioTracks: () => [], getTracks: () => [] };
  };
  Object.defineProperty(AudioContext.prototype, 'outputLatency', { value: 0.03 });
  AudioContext.prototype.createMediaStreamSource = function () {
    const { delay, gain } = roomOf(this);
    delay.delayTime.value = window.path;
    return gain;
  };
})()"""


def measured_delay(page):
    """Begins a measurement, and returns the first words of its result. A page that stands still meanwhile plays its chirps late."""
    words = page.locator("#delay-words")
    # They are shown for three seconds, in which this process may stand still.
    told = texts_of(words)
    page.get_by_role("button", name="Measure the delay").click()
    told("Three chirps")
    expect(words).not_to_contain_text("Three chirps")
    return words.inner_text().split(" to ")[0]


def test_the_delay_of_the_output_is_measured_with_the_microphone(site, browser):
    with served(site) as (url, _, _, _):
        context = browser.new_context()
        page = context.new_page()
        page.add_init_script(ACOUSTIC)
        page.goto(url)
        page.locator("#link").get_by_text("No network needed").click()
        page.get_by_role("button", name="Measure the delay").click()
        expect(page.locator("#delay-words")).to_contain_text("Press Play first")
        playing(page)
        found = []
        for seconds in (0.15, 0.35):
            page.evaluate(f"window.path = {seconds}")
            wanted = f"Measured: {round(1000 * seconds)} ms"
            until(lambda: measured_delay(page) == wanted, page.locator("#delay-words").inner_text)
            found.append(page.evaluate("JSON.parse(localStorage['vestibule.output-delay'])['']"))
        # The way is known to the sample; what the browser reports of its output is taken off.
        assert numpy.allclose(found, [0.15 - 0.03, 0.35 - 0.03], rtol=0, atol=0.0005), found
        assert page.evaluate("asked.audio.echoCancellation") is False
        expect(page.locator("#delay")).to_contain_text("the microphone has measured")
        page.evaluate("() => { AudioContext.prototype.createMediaStreamSource = function () { return new GainNode(this); }; }")
        page.get_by_role("button", name="Measure the delay").click()
        expect(page.locator("#delay-words")).to_contain_text("chirps were not found")
        context.close()


def test_the_sensor_without_a_compass_is_used_where_there_is_one(site, browser):
    with served(site) as (url, _, _, _):
        context = browser.new_context(permissions=["accelerometer", "gyroscope"])
        page = context.new_page()
        # The page gives up a sensor that says nothing for 0.7 s, which a busy machine may need for the first reading.
        page.add_init_script("""{
          const { setTimeout } = window;
          window.setTimeout = (action, delay, ...more) => setTimeout(action, delay === 700 ? 60_000 : delay, ...more);
        }""")
        page.goto(url)
        expect(page.get_by_role("button", name="Play")).to_be_enabled()
        devtools = context.new_cdp_session(page)
        devtools.send("Emulation.setSensorOverrideEnabled", {"enabled": True, "type": "relative-orientation"})

        def turn(degrees):
            half = numpy.radians(degrees) / 2
            devtools.send("Emulation.setSensorOverrideReadings", {
                "type": "relative-orientation",
                "reading": {"quaternion": {"x": 0, "y": 0, "z": float(numpy.sin(half)), "w": float(numpy.cos(half))}}})

        turn(10)
        page.locator("#phone summary").click()
        page.get_by_label("On the head").check()
        page.get_by_role("button", name="Turn with this phone").click()
        page.wait_for_function("() => vestibule.sensor.source.isSensor && vestibule.heads > 1")
        before = page.evaluate("vestibule.head.yaw")
        turn(55)
        page.wait_for_function(f"() => Math.abs(vestibule.head.yaw - {before} - 45) < 0.5")
        context.close()
