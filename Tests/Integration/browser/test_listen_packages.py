"""Packed recordings for the page “Listen”: made, lossless, damaged, and served by the engine."""

import base64
import hashlib
import json
import shutil
import subprocess
import urllib.error

import numpy
import pytest
from playwright.sync_api import expect

import chromium
import wave_file
from listen_page import DECODE, RATE, SECONDS, opened, playing, served
from program import PROGRAM, ROOT, Engine
from waiting import until


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
              and asked.get("00002.bin", 0) >= 3)
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
        until(lambda: [each["path"] for each in engine.get("/recordings/list.json")] == ["another", "hall"])
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
        expect(page.locator("#mode")).to_contain_text("controls the head of listener 1")
        page.get_by_label("Listen to").select_option("live")
        expect(page.get_by_role("status").first).to_contain_text("--network-listeners 0")
        assert complaints == []
        page.close()
    answer = subprocess.run([PROGRAM, "serve", "--packages", "/no/such/folder"], capture_output=True, text=True)
    assert answer.returncode != 0 and "--packages /no/such/folder: there is no such folder" in answer.stderr
