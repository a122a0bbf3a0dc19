"""The panel's page Library: files found, sent by drop and by choice, paused and continued, loaded, previewed and deleted."""

import base64
import hashlib
import json
import os
import re
import shutil
import urllib.request

import numpy
import pytest
from playwright.sync_api import expect

import film
import installation
import seeds
import wave_file
from chromium import live_page
from program import Engine, own_address, run
from waiting import until


# Pages give up requests that are not answered within five seconds, and this one reads its list only after changes.
PATIENT = "AbortSignal.timeout = () => new AbortController().signal;"


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data" / "vestibule"
    rng = seeds.generator(71)
    for place, name, seconds, channels in (("recordings", "garden.wav", 3, 8), ("recordings", "hall.wav", 1, 16),
                                           ("sounds", "bell.wav", 2, 2), ("sounds", "rain on a tin roof.wav", 4, 1)):
        (folder / place).mkdir(parents=True, exist_ok=True)
        shape = numpy.exp(-numpy.linspace(0, 5, 48_000 * seconds))[:, None]
        wave_file.write(folder / place / name, 0.3 * shape * rng.uniform(-1, 1, (48_000 * seconds, channels)))
    return folder


@pytest.fixture
def running(data, tmp_path, request):
    environment = dict(os.environ, XDG_DATA_HOME=str(data.parent), XDG_CACHE_HOME=str(tmp_path / "cache"))
    options = ("--recording", data / "recordings" / "garden.wav", "--sessions", data / "sessions", "--token-file", tmp_path / "tokens",
               *getattr(request, "param", ()))
    with Engine(*options, env=environment) as engine:
        engine.tokens = dict(line.split() for line in (tmp_path / "tokens").read_text().splitlines())
        yield engine


def opened(browser, running, role="control", **options):
    context, page, complaints = live_page(browser, f"{running.url}/#token={running.tokens[role]}", PATIENT, **options)
    page.get_by_role("tab", name="Library", exact=True).click()
    # All rows are placed anew when one more file has been read; a click in the middle of that would be lost.
    expect(page.locator("p[role=status]", has_text=re.compile(r"^\d+ files?, "))).not_to_contain_text("reading")
    return context, page, complaints


def names(page):
    return page.get_by_role("list", name="Files", exact=True).locator("li strong").all_inner_texts()


def value(running, address):
    request = urllib.request.Request(f"{running.url}{address}?VALUE", headers={"Authorization": f"Bearer {running.tokens['control']}"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["VALUE"][0]


@pytest.mark.gate
@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_files_are_found_loaded_and_deleted(browser, running, data, screenshots, size):
    context, page, complaints = opened(browser, running, viewport={"width": size[0], "height": size[1]})
    until(lambda: names(page) == ["bell.wav", "garden.wav", "hall.wav", "rain on a tin roof.wav"])
    garden = page.locator("[data-file='recordings/garden.wav']")
    expect(garden).to_contain_text("8 microphones, radius 8.75 cm")
    expect(garden).to_contain_text("LUFS")

    def heights():
        return garden.locator("canvas").evaluate("""(canvas) => [0.02, 0.5].map((share) => {
            const { data } = canvas.getContext('2d').getImageData(Math.round(share * canvas.width), 0, 1, canvas.height);
            return data.filter((value, i) => i % 4 === 3 && value > 128).length / canvas.height;
        })""")

    # The outline falls from left to right.
    until(lambda: 0.3 < heights()[1] + 0.2 < heights()[0] <= 1, heights)
    page.screenshot(path=screenshots / f"library-{size[0]}.png")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_label("Search the library").fill("wav rain")
    until(lambda: names(page) == ["rain on a tin roof.wav"])
    expect(page.get_by_text("1 file found.")).to_be_visible()
    page.get_by_label("Search the library").fill("")
    page.get_by_label("Kind", exact=True).select_option("recordings")
    page.get_by_label("Order", exact=True).select_option("seconds")
    until(lambda: names(page) == ["garden.wav", "hall.wav"])
    page.get_by_role("button", name="Load hall.wav").click()
    until(lambda: str(value(running, "/session/recording")).endswith("hall.wav"))
    expect(page.get_by_text("16 microphones, radius 8.75 cm")).to_be_visible()
    page.get_by_role("button", name="Preview hall.wav").click()
    page.wait_for_function("() => document.querySelector('.library-player').currentTime > 0.2")
    page.get_by_label("Kind", exact=True).select_option("sounds")
    page.get_by_role("button", name="Preview bell.wav").click()
    page.wait_for_function("() => document.querySelector('.library-player').currentTime > 0.2")
    page.get_by_role("button", name="Delete bell.wav").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    until(lambda: names(page) == ["rain on a tin roof.wav"])
    assert (data / "sounds" / ".trash" / "bell.wav").exists()
    page.get_by_role("button", name="Empty trash…").click()
    page.screenshot(path=screenshots / f"library-trash-{size[0]}.png")
    page.get_by_role("button", name="Empty", exact=True).click()
    until(lambda: not (data / "sounds" / ".trash" / "bell.wav").exists())
    expect(page.get_by_role("button", name="Empty trash…")).to_be_hidden()
    assert complaints == []
    context.close()


@pytest.mark.parametrize("running", [("--objects", 1)], indirect=True)
def test_hrtfs_and_rooms_are_loaded(browser, running, data):
    for kind in ("hrtf", "rooms"):
        (data / kind).mkdir()
    shutil.copy(installation.HRTF, data / "hrtf/head.sofa")
    (data / "rooms/chapel.json").write_text(json.dumps({"size": [20, 14, 7], "walls": "wood"}))
    context, page, complaints = opened(browser, running, viewport={"width": 1440, "height": 900})
    row = page.locator("li.library-file", has_text="head.sofa")
    expect(row).to_contain_text("directions")
    for name, address, expected in (("head.sofa", "/listener/1/hrtf", "head.sofa"), ("chapel.json", "/room/size", 20)):
        before = value(running, address)
        page.get_by_role("button", name=f"Load {name}").click()
        # The question may be answered with no.
        page.get_by_role("button", name="Cancel", exact=True).click()
        assert value(running, address) == before
        page.get_by_role("button", name=f"Load {name}").click()
        page.get_by_role("button", name="Load", exact=True).last.click()
        until(lambda: str(value(running, address)).endswith(str(expected)))
    until(lambda: value(running, "/room/on") is True)
    assert complaints == []
    context.close()


def test_videos_sessions_and_takes_are_loaded(browser, running, data):
    film.write(data / "recordings" / "walk.webm", 1)
    (data / "sessions").mkdir(exist_ok=True)
    for name in ("evening", "morning"):
        (data / "sessions" / f"{name}.json").write_text('{"version": 2, "parameters": {"/listener/1/gain": -6}}')
    context, page, complaints = opened(browser, running, viewport={"width": 1440, "height": 900})
    page.get_by_role("button", name="Load walk.webm").click()
    until(lambda: str(value(running, "/transport/video/file")).endswith("walk.webm"))
    until(lambda: "vp8" in value(running, "/transport/video/found"))
    page.get_by_role("button", name="Load evening.json").click()
    page.get_by_role("button", name="Load", exact=True).last.click()
    until(lambda: value(running, "/listener/1/gain") == -6)
    osc = running.osc()
    osc.send_message("/take/source/array", True)
    osc.send_message("/take/start", [])
    until(lambda: value(running, "/take/duration") > 0.5)
    osc.send_message("/take/stop", [])
    page.get_by_label("Kind", exact=True).select_option("takes")
    takes = page.locator("[data-file^='takes/']")
    expect(takes.first).to_contain_text("kHz")
    expect(takes.filter(has_not_text="kHz")).to_have_count(0)
    takes.get_by_role("button", name="Load").first.click()
    until(lambda: "/takes/" in str(value(running, "/session/recording")))
    page.get_by_label("Kind", exact=True).select_option("sessions")
    page.get_by_role("button", name="Delete morning.json").click()
    page.get_by_role("button", name="Delete", exact=True).last.click()
    until(lambda: names(page) == ["evening.json"])
    assert len(list((data / "sessions" / ".trash").iterdir())) == 1
    assert complaints == []
    context.close()


def test_files_are_sent_paused_and_continued(browser, running, data, tmp_path, screenshots):
    context, page, complaints = opened(browser, running, viewport={"width": 1440, "height": 900})
    until(lambda: len(names(page)) == 4)
    sent = tmp_path / "long.wav"
    wave_file.write(sent, 0.1 * seeds.generator(72).standard_normal((48_000 * 40, 4)))
    # Parts wait for this page to continue, so that the upload is seen under way.
    held = []
    page.route("**/library/uploads/*", lambda route: held.append(route) if route.request.method == "PATCH" else route.continue_())
    page.get_by_text("Choose files…").wait_for()
    page.locator(".library-drop input[type=file]").set_input_files(sent)
    until(lambda: page.evaluate("true") and held)
    held.pop().continue_()
    until(lambda: page.evaluate("true") and held)
    upload = page.get_by_role("list", name="Files being sent").locator("li")
    expect(upload).to_contain_text("4 MiB of 29 MiB")
    page.screenshot(path=screenshots / "library-upload.png")
    upload.get_by_role("button", name="Pause").click()
    expect(upload).to_contain_text("Paused")
    assert not (data / "recordings" / "long.wav").exists()
    page.unroute("**/library/uploads/*")
    # The page is loaded again, and the same file is chosen.
    page.reload()
    page.get_by_text("Choose files…").wait_for()
    answers = []
    page.on("response", lambda answer: answers.append((answer.request.method, answer.status)) if "/library/uploads" in answer.url else None)
    page.locator(".library-drop input[type=file]").set_input_files(sent)
    expect(page.get_by_text("long.wav is stored.")).to_be_visible()
    # Seven parts are left; the one under way may be refused until its connection has ended.
    assert "POST" not in dict(answers) and answers.count(("PATCH", 204)) <= 7, answers
    assert (data / "recordings" / "long.wav").read_bytes() == sent.read_bytes()
    until(lambda: "long.wav" in names(page))
    # A file that cannot be read is refused with the reason.
    broken = tmp_path / "broken.wav"
    broken.write_bytes(b"RIFF" + bytes(2000))
    page.locator(".library-drop input[type=file]").set_input_files(broken)
    expect(page.get_by_text("broken.wav was not stored:")).to_be_visible()
    page.get_by_role("button", name="Cancel broken.wav").click()
    # A file of the same name is replaced only after a question.
    page.locator(".library-drop input[type=file]").set_input_files({"name": "hall.wav", "mimeType": "audio/wav",
                                                                    "buffer": (data / "recordings" / "garden.wav").read_bytes()})
    page.get_by_role("button", name="Replace", exact=True).click()
    until(lambda: (data / "recordings" / "hall.wav").read_bytes() == (data / "recordings" / "garden.wav").read_bytes())
    context.close()


@pytest.mark.skipif(own_address() is None, reason="this machine has loopback only")
def test_files_that_are_sent_without_tls_are_verified(browser, scene, data, tmp_path):
    environment = dict(os.environ, XDG_DATA_HOME=str(data.parent), XDG_CACHE_HOME=str(tmp_path / "cache"))
    options = ("--recording", scene, "--bind", "0.0.0.0", "--token-file", tmp_path / "tokens")
    with Engine(*options, env=environment) as engine:
        tokens = dict(line.split() for line in (tmp_path / "tokens").read_text().splitlines())
        _, page, _ = live_page(browser, f"http://{own_address()}:{engine.ready['http_port']}/#token={tokens['control']}", PATIENT)
        page.get_by_role("tab", name="Library", exact=True).click()
        assert page.evaluate("typeof crypto.subtle") == "undefined"
        sent = tmp_path / "long.wav"
        wave_file.write(sent, 0.1 * seeds.generator(73).standard_normal((48_000 * 10, 4)))
        # Each part has the hash of its bytes, and one that was damaged on its way is refused and sent again.
        hashes, answers = [], []

        def pass_on(route):
            request = route.request
            body = request.post_data_buffer
            hashes.append(request.headers["upload-checksum"] == f"sha256 {base64.b64encode(hashlib.sha256(body).digest()).decode()}")
            damaged = bytes([body[0] ^ 1]) + body[1:]
            answer = route.fetch(post_data=damaged if len(hashes) == 2 else body, timeout=60_000)
            answers.append(answer.status)
            route.fulfill(response=answer)

        page.route("**/library/uploads/*", lambda route: pass_on(route) if route.request.method == "PATCH" else route.continue_())
        page.locator(".library-drop input[type=file]").set_input_files(sent)
        expect(page.get_by_text("long.wav is stored.")).to_be_visible()
        assert all(hashes) and answers == [204, 460, 204], (hashes, answers)
        assert (data / "recordings" / "long.wav").read_bytes() == sent.read_bytes()
        page.context.close()


@pytest.mark.parametrize("size", [(390, 844)])
def test_an_archive_is_exported_and_imported(browser, running, data, tmp_path, screenshots, size):
    context, page, complaints = opened(browser, running, viewport={"width": size[0], "height": size[1]})
    until(lambda: len(names(page)) == 4)
    page.get_by_text("Archive", exact=True).click()
    page.get_by_label("Sounds", exact=True).uncheck()
    page.screenshot(path=screenshots / f"archive-{size[0]}.png")
    page.get_by_role("button", name="Export", exact=True).click()
    expect(page.get_by_text("The archive has 2 files")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download archive").click()
    archive = tmp_path / download.value.suggested_filename
    download.value.save_as(archive)
    assert archive.name.endswith(".tar.zst")
    (data / "recordings" / "hall.wav").unlink()
    (data / "recordings" / "garden.wav").write_bytes((data / "sounds" / "bell.wav").read_bytes())
    page.locator(".library-drop input[type=file]").set_input_files(archive)
    expect(page.get_by_text(f"{archive.name} is imported: 2 files added, 0 already existed.")).to_be_visible()
    expect(page.get_by_text("is garden-2.wav: there is another file with that name")).to_be_visible()
    until(lambda: {"garden-2.wav", "hall.wav"} <= set(names(page)))
    page.screenshot(path=screenshots / f"archive-imported-{size[0]}.png")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert complaints == []
    broken = tmp_path / "broken.tar.gz"
    broken.write_bytes(bytes(3000))
    page.locator(".library-drop input[type=file]").set_input_files(broken)
    expect(page.get_by_text("broken.tar.gz was not stored:")).to_be_visible()
    context.close()


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_files_are_described_and_seen_as_spectrograms(browser, running, data, tmp_path, screenshots, size):
    time = numpy.arange(48_000 * 3) / 48_000
    wave_file.write(data / "sounds" / "glide.wav", 0.3 * numpy.sin(2 * numpy.pi * (300 * time + 1000 * time ** 2)))
    context, page, complaints = opened(browser, running, viewport={"width": size[0], "height": size[1]})
    until(lambda: len(names(page)) == 5)
    expect(page.get_by_label("Tag", exact=True)).to_be_hidden()
    page.get_by_role("button", name="Describe garden.wav").click()
    page.screenshot(path=tmp_path / "cover.png")
    page.get_by_label("Title", exact=True).fill("Dawn chorus")
    page.get_by_label("Tags, separated by commas").fill("birds, May")
    page.get_by_label("Text", exact=True).fill("Blackbirds at four in the morning. No wind.")
    page.locator(".about-editor input[type=file]").set_input_files(tmp_path / "cover.png")
    preview = page.get_by_role("img", name="Chosen picture")
    until(lambda: preview.evaluate("(canvas) => canvas.getContext('2d').getImageData(72, 72, 1, 1).data[3]") == 255)
    page.screenshot(path=screenshots / f"about-editor-{size[0]}.png")
    page.get_by_role("button", name="Keep", exact=True).click()
    until(lambda: "Dawn chorus" in names(page))
    cover = page.locator("[data-file='recordings/garden.wav'] img")
    until(lambda: cover.evaluate("(image) => image.naturalWidth") == size[0])
    page.get_by_label("Search the library").fill("blackbirds")
    until(lambda: names(page) == ["Dawn chorus"])
    page.get_by_label("Search the library").fill("")
    until(lambda: len(names(page)) == 5)
    page.get_by_role("button", name="Show files with the tag May").click()
    until(lambda: names(page) == ["Dawn chorus"])
    page.get_by_label("Tag", exact=True).select_option("")
    page.get_by_label("Picture", exact=True).select_option("spectrogram")
    glide = page.locator("[data-file='sounds/glide.wav'] canvas")
    expect(glide).to_have_attribute("aria-label", re.compile("strongest near .* at the beginning, .* kHz at the end"))

    def heights():
        return glide.evaluate("""(canvas) => [0.1, 0.9].map((share) => {
            const { data } = canvas.getContext('2d').getImageData(Math.round(share * canvas.width), 0, 1, canvas.height);
            const alphas = [...data].filter((value, i) => i % 4 === 3);
            return 1 - alphas.indexOf(Math.max(...alphas)) / canvas.height;
        })""")

    # The glide rises: dark low down on the left and high up on the right.
    until(lambda: heights()[0] + 0.15 < heights()[1], heights)
    page.screenshot(path=screenshots / f"spectrograms-{size[0]}.png", full_page=True)
    assert all(box["x"] >= 0 for box in (button.bounding_box() for button in page.locator(".library-actions button").all()) if box)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Describe garden.wav").click()
    page.get_by_role("button", name="Remove picture").click()
    page.get_by_label("Title", exact=True).fill("")
    page.get_by_role("button", name="Keep", exact=True).click()
    until(lambda: "garden.wav" in names(page) and cover.count() == 0)
    assert complaints == []
    context.close()


def test_wrong_channels_are_shown_and_corrected_and_mono_files_joined(browser, running, data, tmp_path, screenshots):
    noise = seeds.generator(73)
    sources = []
    for azimuth in (20, -100, 150):
        wave_file.write(tmp_path / f"{azimuth}.wav", 0.1 * noise.standard_normal(48_000))
        sources += ["--source", f"{tmp_path}/{azimuth}.wav@{azimuth}"]
    run("synth", *sources, "--output", tmp_path / "scene.wav")
    samples = wave_file.read(tmp_path / "scene.wav")[0]
    order = [0, 1, 3, 2, *range(4, 16)]
    wave_file.write(data / "recordings" / "swapped.wav", samples[:, order])
    wave_file.write(data / "recordings" / "right.wav", samples)
    for channel in range(4):
        wave_file.write(data / "sounds" / f"ring mic {channel + 1}.wav", samples[:, 4 * channel])
    context, page, complaints = opened(browser, running, viewport={"width": 1440, "height": 900})
    expect(page.locator("[data-file='recordings/right.wav']")).to_contain_text("LUFS")
    expect(page.locator("[data-file='recordings/right.wav']")).not_to_contain_text("wrong order")
    expect(page.locator("[data-file='recordings/swapped.wav']")).to_contain_text("Channels 3 and 4 in the wrong order")
    page.screenshot(path=screenshots / "ring-finding.png")
    page.get_by_role("button", name="Write a corrected copy of swapped.wav").click()
    until(lambda: "swapped-corrected.wav" in names(page))
    assert numpy.array_equal(wave_file.read(data / "recordings" / "swapped-corrected.wav")[0], samples)
    page.get_by_text("Join mono files", exact=True).click()
    page.screenshot(path=screenshots / "join.png")
    page.get_by_label("Name of the recording").fill("joined")
    page.get_by_role("button", name="Join ring mic 1.wav to ring mic 4.wav").click()
    until(lambda: "joined.wav" in names(page))
    assert numpy.array_equal(wave_file.read(data / "recordings" / "joined.wav")[0], samples[:, ::4])
    assert complaints == []
    context.close()


def test_those_who_may_view_see_the_list_alone(browser, running, screenshots):
    context, page, complaints = opened(browser, running, "view", viewport={"width": 390, "height": 844})
    until(lambda: len(names(page)) == 4)
    for word in ("Load", "Download", "Delete", "Preview", "Describe"):
        expect(page.locator(".library-files").get_by_text(word, exact=True).first).to_be_hidden()
    expect(page.locator(".library-drop")).to_be_hidden()
    expect(page.locator(".archive").first).to_be_hidden()
    page.screenshot(path=screenshots / "library-view.png")
    assert complaints == []
    context.close()
