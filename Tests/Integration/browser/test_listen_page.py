"""The page “Listen” on a plain web server, without the engine: playing, turning, downloads and use without a network."""

import base64
import contextlib
import functools
import hashlib
import http.server
import json
import shutil
import subprocess
import threading
import urllib.error

import numpy
import pytest
from playwright.sync_api import expect

import chromium
import wave_file
from program import PROGRAM, ROOT, Engine
from seeds import chooser, generator
from waiting import stimulus, until

RATE = 48_000
SECONDS = 6


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves a folder and counts what was asked for. Names in `broken` end the connection; while `held` is set, nothing is answered."""

    asked = None
    broken = None
    held = None

    def do_GET(self):
        name = self.path.split("?")[0].split("/")[-1]
        self.asked[name] = self.asked.get(name, 0) + 1
        self.held.wait(30)
        if name in self.broken:
            self.close_connection = True
            self.connection.close()
            return
        super().do_GET()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(folder):
    """A plain web server. Gives its address, the counts of requests, and the set of names that it fails to answer."""
    asked, broken = {}, set()
    held = threading.Event()
    held.set()
    handler = functools.partial(type("Own", (Files,), {"asked": asked, "broken": broken, "held": held}), directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()

    def stop():
        held.set()
        server.shutdown()
        thread.join()
        server.server_close()

    stop.held = held
    try:
        yield f"http://127.0.0.1:{server.server_port}/", asked, broken, stop
    finally:
        if thread.is_alive():
            stop()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site with one recording of eight microphones, of which the one in front has noise and the others silence. Seed: 31."""
    folder = tmp_path_factory.mktemp("site")
    recording = numpy.zeros((SECONDS * RATE - 1000, 8), numpy.float32)
    recording[:, 0] = generator(31).standard_normal(len(recording)) * 0.1
    wave_file.write(folder / "front.wav", recording)
    subprocess.run([ROOT / "web/site.sh", PROGRAM, folder / "site", folder / "front.wav", 'The "front"'], check=True, capture_output=True)
    return folder / "site"


def opened(browser, url, **options):
    context = browser.new_context(**options)
    page = context.new_page()
    complaints = chromium.complaints_of(page)
    page.goto(url)
    expect(page.get_by_role("button", name="Play")).to_be_enabled()
    return context, page, complaints


def peaks(page):
    """Peaks of both ears in reports from now on."""
    return page.evaluate("""() => new Promise((done) => {
      const found = [];
      const { sound } = vestibule.player;
      const former = sound.show;
      sound.show = (report) => {
        former(report);
        found.push(report.peaks);
        if (found.length < 12) return;
        sound.show = former;
        done([0, 1].map((ear) => Math.max(...found.slice(4).map((each) => each[ear]))));
      };
    })""")


def playing(page):
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("() => vestibule.player.report?.position > 20000 && !vestibule.player.report.isWaiting")


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
        left, right = peaks(page)
        assert left > 0.2 and right < 0.001
        page.keyboard.press("Home")
        for _ in range(2):
            page.keyboard.press("PageUp")
        left, right = peaks(page)
        assert right > 0.2 and left < 0.001
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
        page.keyboard.press("Space")
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        expect(page.get_by_role("status").first).to_have_text("The recording has ended.", timeout=15_000)
        expect(page.get_by_role("button", name="Play")).to_be_visible()
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


def test_a_site_is_complete_or_not_there(tmp_path):
    wave_file.write(tmp_path / "short.wav", numpy.zeros((4800, 4), numpy.float32))

    def made(*arguments):
        return subprocess.run([ROOT / "web/site.sh", PROGRAM, *arguments], capture_output=True, text=True)

    for arguments, words in [
        ([], "usage"), ([tmp_path / "site"], "usage"), ([tmp_path / "site", tmp_path / "short.wav"], "usage"),
        ([tmp_path / "site", tmp_path / "short.wav", "One", tmp_path / "missing.wav", "Two"], "does not exist"),
        ([tmp_path / "site", tmp_path / "short.wav", "two\nlines"], "--title: give one line"),
    ]:
        answer = made(*arguments)
        assert answer.returncode != 0 and words in answer.stderr, answer.stderr
        assert sorted(path.name for path in tmp_path.iterdir()) == ["short.wav"]
    assert made(tmp_path / "site", tmp_path / "short.wav", "One").returncode == 0


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


def test_a_download_goes_on_where_it_stopped_and_plays_without_a_network(site, browser):
    with served(site) as (url, asked, broken, stop):
        context, page, _ = opened(browser, url)
        asked.clear()
        page.get_by_text("Listen without a network").click()
        broken.add("00003.bin")
        page.get_by_role("button", name="Download").click()
        expect(page.locator("#download-words")).to_contain_text("Press Resume download to continue", timeout=15_000)
        # The download stops at the chunk that the server does not give; a page that is loaded again goes on there.
        broken.clear()
        page.reload()
        expect(page.get_by_role("button", name="Play")).to_be_enabled()
        page.get_by_text("Listen without a network").click()
        asked.clear()
        page.get_by_role("button", name="Download").click()
        expect(page.locator("#stored")).to_contain_text("MB")
        expect(page.locator("#stored")).not_to_contain_text("incomplete")
        assert asked.get("00000.bin", 0) == 0 and asked["00003.bin"] == 1
        page.wait_for_function("() => vestibule.offline.isKept")
        stop()
        page.goto(url)
        expect(page.get_by_role("button", name="Play")).to_be_enabled()
        playing(page)
        assert peaks(page)[0] >= 0
        page.get_by_text("Listen without a network").click()
        page.get_by_role("button", name="Delete").click()
        expect(page.locator("#stored li")).to_have_count(0)
        context.close()


STORED = """async () => {
  const root = await (await navigator.storage.getDirectory()).getDirectoryHandle('recordings');
  for await (const folder of root.values()) {
    const found = {};
    for await (const file of folder.values()) {
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await (await file.getFile()).arrayBuffer()));
      found[file.name] = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    }
    return found;
  }
  return {};
}"""

FLIP = """async (name) => {
  const root = await (await navigator.storage.getDirectory()).getDirectoryHandle('recordings');
  for await (const folder of root.values()) {
    const handle = await folder.getFileHandle(name);
    const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
    bytes[bytes.length >> 1] ^= 16;
    const writer = await handle.createWritable();
    await writer.write(bytes);
    await writer.close();
  }
}"""

DOWNLOAD = """async () => {
  const { PackageDownload } = await import('./js/listen/packages/package-download.js');
  const { PackageStore } = await import('./js/listen/packages/package-store.js');
  const { RecordingPackage } = await import('./js/listen/packages/recording-package.js');
  const url = new URL('recordings/1/', location.href);
  const source = await RecordingPackage.open(url, new PackageStore(url.href));
  window.download = new PackageDownload(source, () => {});
  return window.download.run();
}"""


@pytest.fixture(scope="module")
def long_site(tmp_path_factory):
    """A site with a recording of 90 seconds. Seed: 32."""
    folder = tmp_path_factory.mktemp("long")
    wave_file.write(folder / "long.wav", generator(32).standard_normal((90 * RATE, 4)).astype(numpy.float32) * 0.1)
    subprocess.run([ROOT / "web/site.sh", PROGRAM, folder / "site", folder / "long.wav", "Long"], check=True, capture_output=True)
    return folder / "site"


def hashes(site):
    index = json.loads((site / "recordings/1/index.json").read_text())
    return {chunk["file"]: chunk["sha256"] for chunk in index["chunks"]}


def without_index(stored):
    return {name: hash for name, hash in stored.items() if name != "index.json"}


def test_a_download_that_is_killed_twenty_times_is_complete_in_the_end(long_site, browser):
    """Seed: 33 (moments, and the byte that is flipped)."""
    chance, wanted = chooser(33), hashes(long_site)
    with served(long_site) as (url, asked, _, _):
        context = browser.new_context()
        kills = 0
        while kills < 20:
            page = context.new_page()
            page.goto(url + "list-of-nothing")
            page.evaluate(f"() => {{ ({DOWNLOAD})().catch(() => {{}}); }}")
            before = sum(count for name, count in asked.items() if name.endswith(".bin"))
            # The page goes within the next three chunks, in the middle of what it does.
            until(lambda: sum(count for name, count in asked.items() if name.endswith(".bin")) > before + chance.randrange(2), 10)
            stimulus(chance.uniform(0, 0.02))
            page.close()
            kills += 1
        page = context.new_page()
        page.goto(url + "list-of-nothing")
        assert page.evaluate(DOWNLOAD) is True
        assert without_index(page.evaluate(STORED)) == wanted
        again = sum(asked[name] - 1 for name in wanted)
        print(f"{again} of {len(wanted)} chunks were asked for again by {kills + 1} downloads")
        # At most the chunk that was under way when a page went.
        assert again <= kills
        asked.clear()
        flipped = f"{chance.randrange(90):05}.bin"
        page.evaluate(FLIP, flipped)
        assert without_index(page.evaluate(STORED)) != wanted
        assert page.evaluate(DOWNLOAD) is True
        assert without_index(page.evaluate(STORED)) == wanted
        # The browser may have kept what it was given before.
        assert {name: count for name, count in asked.items() if name.endswith(".bin")} in ({flipped: 1}, {})
        context.close()


def test_a_browser_whose_pages_cannot_write_stores_by_a_worker(site, browser):
    with served(site) as (url, asked, _, _):
        context = browser.new_context()
        page = context.new_page()
        page.add_init_script("delete FileSystemFileHandle.prototype.createWritable")
        page.goto(url)
        page.get_by_text("Listen without a network").click()
        page.get_by_role("button", name="Download").click()
        expect(page.locator("#stored")).to_contain_text("MB")
        expect(page.locator("#stored")).not_to_contain_text("incomplete")
        assert without_index(page.evaluate(STORED)) == hashes(site)
        page.get_by_role("button", name="Delete").click()
        expect(page.locator("#stored li")).to_have_count(0)
        context.close()


def test_a_network_that_does_not_answer_counts_as_none(site, browser):
    with served(site) as (url, asked, _, stop):
        context, page, _ = opened(browser, url)
        page.get_by_text("Listen without a network").click()
        page.get_by_role("button", name="Download").click()
        page.wait_for_function("() => vestibule.offline.isKept")
        stop.held.clear()
        page.goto(url)
        expect(page.get_by_role("button", name="Play")).to_be_enabled(timeout=15_000)
        playing(page)
        stop.held.set()
        context.close()


def test_a_page_that_could_not_be_stored_says_so(site, browser):
    with served(site) as (url, _, broken, _):
        context, page, _ = opened(browser, url)
        page.get_by_text("Listen without a network").click()
        broken.add("scene-playback.js")
        page.get_by_role("button", name="Download").click()
        expect(page.locator("#kept-words")).to_contain_text("could not be stored, scene-playback.js among them")
        assert not page.evaluate("vestibule.offline.isKept")
        broken.clear()
        page.get_by_role("button", name="Check the download").click()
        page.wait_for_function("() => vestibule.offline.isKept")
        expect(page.locator("#kept-words")).to_be_hidden()
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
        assert page.evaluate("navigator.mediaSession.metadata.title") == 'The "front"'
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
  AudioContext.prototype.createMediaStreamSource = function () {
    const { delay, gain } = roomOf(this);
    delay.delayTime.value = window.path;
    return gain;
  };
})()"""


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
            page.get_by_role("button", name="Measure the delay").click()
            expect(page.locator("#delay-words")).to_contain_text("Three chirps")
            expect(page.locator("#delay-words")).to_contain_text(f"Measured: {round(1000 * seconds)} ms", timeout=10_000)
            found.append(page.evaluate("JSON.parse(localStorage['vestibule.output-delay'])['']"))
        # The way is known to the sample; what the browser reports of its output is taken off.
        assert abs(found[1] - found[0] - 0.2) < 0.0005, found
        assert 0.05 < found[0] <= 0.15
        assert page.evaluate("asked.audio.echoCancellation") is False
        expect(page.locator("#delay")).to_contain_text("the microphone has measured")
        page.evaluate("() => { AudioContext.prototype.createMediaStreamSource = function () { return new GainNode(this); }; }")
        page.get_by_role("button", name="Measure the delay").click()
        expect(page.locator("#delay-words")).to_contain_text("has not heard the chirps", timeout=10_000)
        context.close()


def test_the_sensor_without_a_compass_is_used_where_there_is_one(site, browser):
    with served(site) as (url, _, _, _):
        context = browser.new_context(permissions=["accelerometer", "gyroscope"])
        page = context.new_page()
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


def test_a_flipped_byte_is_refused_and_named(site, browser, tmp_path):
    shutil.copytree(site, tmp_path / "site")
    chunk = tmp_path / "site/recordings/1/00000.bin"
    data = bytearray(chunk.read_bytes())
    data[1000] ^= 1
    chunk.write_bytes(data)
    with served(tmp_path / "site") as (url, _, _, _):
        context, page, _ = opened(browser, url)
        page.get_by_role("button", name="Play").click()
        expect(page.get_by_role("status").first).to_contain_text("Second 0 of the recording has arrived damaged")
        context.close()


def test_the_words_about_a_damaged_later_second_stay_until_it_has_come(site, browser, tmp_path):
    shutil.copytree(site, tmp_path / "site")
    chunk = tmp_path / "site/recordings/1/00002.bin"
    whole = chunk.read_bytes()
    chunk.write_bytes(whole[:1000] + bytes([whole[1000] ^ 1]) + whole[1001:])
    with served(tmp_path / "site") as (url, asked, _, _):
        context, page, _ = opened(browser, url)
        page.evaluate("""() => {
          window.said = [];
          const words = document.getElementById('words');
          new MutationObserver(() => said.push(words.textContent)).observe(words, { childList: true, characterData: true, subtree: true });
        }""")
        page.get_by_role("button", name="Play").click()
        # It is asked for again and again, while the seconds before it play and when they have ended.
        until(lambda: page.evaluate("vestibule.player.report?.isWaiting && vestibule.player.report.position > 90000")
              and asked.get("00002.bin", 0) >= 3, 20)
        said = page.evaluate("said")
        about = [index for index, words in enumerate(said) if "Second 2 of the recording has arrived damaged" in words]
        assert about and said[about[0]:] == [said[about[0]]] * (len(said) - about[0]), said
        chunk.write_bytes(whole)
        page.wait_for_function("() => vestibule.player.report.position > 3 * 48000")
        expect(page.get_by_role("status").first).to_contain_text("Playing")
        context.close()


@pytest.mark.parametrize("change, words", [
    ({"version": 9}, "it has version 9"), ({"coding": "mp3"}, "its coding is mp3"), ({"chunks": []}, "chunks are missing")])
def test_an_index_that_is_wrong_is_refused_with_the_reason(site, browser, tmp_path, change, words):
    shutil.copytree(site, tmp_path / "site")
    index = tmp_path / "site/recordings/1/index.json"
    index.write_text(json.dumps({**json.loads(index.read_text()), **change}))
    with served(tmp_path / "site") as (url, _, _, _):
        page = browser.new_page()
        page.goto(url)
        expect(page.get_by_role("status").first).to_contain_text(words)
        page.close()


DECODE = """async (number) => {
  const { source } = vestibule.player;
  const samples = await source.decode(number, await source.chunk(number));
  let text = '';
  new Uint8Array(samples.buffer).forEach((byte) => { text += String.fromCharCode(byte); });
  return btoa(text);
}"""


def test_a_package_is_lossless_in_the_browser(site, browser):
    recording, _ = wave_file.read(site.parent / "front.wav")
    index = json.loads((site / "recordings/1/index.json").read_text())
    assert index["frames"] == len(recording) and index["rate"] == RATE and len(index["chunks"]) == SECONDS
    for chunk in index["chunks"]:
        data = (site / "recordings/1" / chunk["file"]).read_bytes()
        assert len(data) == chunk["bytes"] and hashlib.sha256(data).hexdigest() == chunk["sha256"]
    with served(site) as (url, _, _, _):
        context, page, _ = opened(browser, url)
        decoded = [numpy.frombuffer(base64.b64decode(page.evaluate(DECODE, number)), numpy.float32) for number in range(SECONDS)]
        context.close()
    difference = numpy.abs(numpy.concatenate(decoded).reshape(-1, 8) - recording).max()
    print(f"largest difference: {difference * 2 ** 23:.2f} of 2^-23")
    assert difference <= 2 ** -23


def test_a_package_is_never_written_over_files(site, tmp_path):
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine.txt").write_text("mine")
    for names, words in ((["mine.txt"], "not an empty folder"), (["00000.bin"], "a package that is incomplete")):
        for path in full.iterdir():
            path.unlink()
        for name in names:
            (full / name).write_text("mine")
        answer = subprocess.run([PROGRAM, "package", site.parent / "front.wav", "--output", full], capture_output=True, text=True)
        assert answer.returncode != 0 and words in answer.stderr
        assert [(path.name, path.read_text()) for path in full.iterdir()] == [(name, "mine") for name in names]


def test_the_engine_serves_packed_recordings(site, browser, tmp_path):
    (tmp_path / "packed").mkdir()
    shutil.copytree(site / "recordings/1", tmp_path / "packed/hall")
    (tmp_path / "packed/broken").mkdir()
    (tmp_path / "packed/broken/index.json").write_text("{}")
    with Engine("--packages", tmp_path / "packed") as engine:
        assert engine.get("/recordings/list.json") == [{"path": "hall", "title": 'The "front"'}]
        context, page, complaints = opened(browser, f"{engine.url}/listen?recording=hall&yaw=90")
        assert abs(page.evaluate("vestibule.head.yaw") - 90) < 1e-6
        playing(page)
        assert complaints == []
        # A package outside of the folder is not offered.
        (tmp_path / "packed/outside").symlink_to(site / "recordings/1")
        shutil.copytree(site / "recordings/1", tmp_path / "packed/another")
        until(lambda: [each["path"] for each in engine.get("/recordings/list.json")] == ["another", "hall"], 10)
        for path in ("/recordings/../list.json", "/recordings/%2e%2e/secret", "/recordings/hall/nothing.bin"):
            with pytest.raises(urllib.error.HTTPError) as refused:
                engine.get(path)
            assert refused.value.code in (400, 404)
        context.close()


def test_an_engine_without_packages_and_network_listeners_says_so(browser, scene):
    with Engine("--recording", scene, "--network-listeners", 0) as engine:
        page = browser.new_page()
        complaints = chromium.complaints_of(page)
        page.goto(f"{engine.url}/listen")
        expect(page.locator("#mode")).to_contain_text("turns the head of listener 1")
        page.get_by_label("Listen to").select_option("live")
        expect(page.get_by_role("status").first).to_contain_text("--network-listeners 0")
        assert complaints == []
        page.close()
    answer = subprocess.run([PROGRAM, "serve", "--packages", "/no/such/folder"], capture_output=True, text=True)
    assert answer.returncode != 0 and "--packages /no/such/folder: there is no such folder" in answer.stderr
