"""Downloads on the page “Listen”: interrupted, continued, checked, and played without a network."""

import json
import subprocess

import numpy
import pytest
from playwright.sync_api import expect

import chromium
import wave_file
from listen_page import RATE, opened, peaks, playing, served
from program import PROGRAM, ROOT
from seeds import chooser, generator
from waiting import stimulus, until


def test_a_download_goes_on_where_it_stopped_and_plays_without_a_network(site, browser):
    with served(site) as (url, asked, broken, stop):
        context, page, _ = opened(browser, url)
        asked.clear()
        page.get_by_text("Listen without a network").click()
        broken.add("00003.bin")
        page.get_by_role("button", name="Download").click()
        expect(page.locator("#download-words")).to_contain_text("Press Resume download to continue")
        # The download stops at the chunk that the server does not give; a page that is loaded again continues there.
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


def test_a_window_that_stores_nothing_plays_all_the_same(site, browser):
    with served(site) as (url, _, _, _):
        context = browser.new_context()
        page = context.new_page()
        complaints = chromium.complaints_of(page)
        page.add_init_script("""StorageManager.prototype.getDirectory = async () => { throw new DOMException('no', 'SecurityError'); };
          for (const name of ['localStorage', 'sessionStorage']) {
            Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError'); } });
          }""")
        page.goto(url)
        expect(page.get_by_role("button", name="Play")).to_be_enabled()
        playing(page)
        page.get_by_text("Listen without a network").click()
        expect(page.locator("#offline-words")).to_contain_text("cannot store recordings")
        expect(page.get_by_role("button", name="Download")).to_be_hidden()
        assert complaints == []
        context.close()


def test_a_page_that_the_browser_does_not_keep_says_so(site, browser):
    with served(site) as (url, _, _, _):
        context = browser.new_context()
        page = context.new_page()
        page.add_init_script("ServiceWorkerContainer.prototype.register = async () => { throw new Error('it is not allowed'); };")
        page.goto(url)
        playing(page)
        page.get_by_text("Listen without a network").click()
        expect(page.locator("#kept-words")).to_contain_text("because the browser does not store it: It is not allowed.")
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


def chunks(asked):
    """How many chunks a server was asked for."""
    return sum(count for name, count in asked.copy().items() if name.endswith(".bin"))


def test_a_download_that_is_killed_twenty_times_is_complete_in_the_end(long_site, browser):
    """Seed: 33 (moments, and the byte that is flipped)."""
    chance, wanted = chooser(33), hashes(long_site)
    with served(long_site) as (url, asked, _, stop):
        context = browser.new_context()
        kills = 0
        while kills < 20:
            page = context.new_page()
            page.goto(url + "list-of-nothing")
            before = chunks(asked)
            # The page goes within the next three chunks, in the middle of what it does: it gets no others.
            moment = before + chance.randrange(1, 3)
            stop.gate.open(before + 3)
            page.evaluate(f"() => {{ ({DOWNLOAD})().catch(() => {{}}); }}")
            until(lambda: chunks(asked) >= moment)
            stimulus(chance.uniform(0, 0.02))
            page.close()
            kills += 1
        stop.gate.open()
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
        expect(page.get_by_role("button", name="Play")).to_be_enabled()
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
