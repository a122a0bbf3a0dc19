"""Uploads in the panel: a button and a drop target beside the lists, progress, a question before anything is replaced."""

import json
import os
import re

import numpy
import pytest
from playwright.sync_api import expect

import wave_file
from chromium import complaints_of, connected
from panel_page import unfold
from program import Engine
from waiting import until


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data" / "vestibule"


@pytest.fixture
def running(scene, data, tmp_path):
    with Engine(
        "--recording", scene, "--objects", "2", "--token-file", tmp_path / "tokens",
        env=dict(os.environ, XDG_DATA_HOME=str(data.parent))) as engine:
        engine.tokens = dict(line.split() for line in (tmp_path / "tokens").read_text().splitlines())
        yield engine


def opened(browser, running, role, **options):
    page = browser.new_context(**options).new_page()
    page.complaints = complaints_of(page)
    page.goto(f"{running.url}/#token={running.tokens[role]}")
    connected(page)
    return page


def region(page, name):
    found = unfold(page.get_by_role("region", name=name, exact=True))
    expect(found.get_by_role("button", name="Upload…").first).to_be_visible()
    return found


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_files_are_sent_from_the_panel(browser, running, data, tmp_path, size, screenshots):
    for name, level, channels in (("evening.wav", 0.1, 4), ("bell.wav", 0.2, 1), ("late.wav", 0.3, 4)):
        wave_file.write(tmp_path / name, numpy.full((2_000, channels), level))
    (tmp_path / "notes.wav").write_text("no sound at all")
    page = opened(browser, running, "control", viewport={"width": size[0], "height": size[1]})
    page.get_by_role("tab", name="Session").click()
    recording = region(page, "Recording")
    words = recording.locator(".upload-words").first
    expect(words).to_contain_text("Up to 8 GiB: wav")
    chooser = recording.locator("input[type=file]").first
    chooser.set_input_files(tmp_path / "evening.wav")
    # It is stored, and chosen as from the list.
    expect(words).to_have_text("evening.wav is stored.")
    assert (data / "recordings" / "evening.wav").read_bytes() == (tmp_path / "evening.wav").read_bytes()
    expect(page).to_have_title("evening.wav · Vestibule")
    chooser.set_input_files(tmp_path / "notes.wav")
    expect(words).to_contain_text("notes.wav is not a readable sound file")
    assert not (data / "recordings" / "notes.wav").exists()
    # The same name again is a question.
    (tmp_path / "again").mkdir()
    wave_file.write(tmp_path / "again" / "evening.wav", numpy.full((1_000, 4), 0.5))
    question = page.get_by_role("dialog", name="Replace evening.wav?")
    for answer, length in (("Cancel", 2_000), ("Replace", 1_000)):
        chooser.set_input_files(tmp_path / "again" / "evening.wav")
        expect(question).to_be_visible()
        question.get_by_role("button", name=answer).click()
        expect(question).to_be_hidden()
        until(lambda length=length: len(wave_file.read(data / "recordings" / "evening.wav")[0]) == length)
    # The page takes the next file when it has the answer for this one, which comes after the file.
    expect(words).to_have_text("evening.wav is stored.")
    page.screenshot(path=screenshots / f"upload-session-{size[0]}.png")
    # A file is dropped on the field.
    recording.locator("form.text-line").first.evaluate("""(field, [name, bytes]) => {
      const files = new DataTransfer();
      files.items.add(new File([new Uint8Array(bytes)], name));
      for (const type of ['dragover', 'drop']) {
        field.dispatchEvent(new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));
      }
    }""", ["late.wav", list((tmp_path / "late.wav").read_bytes())])
    until(lambda: (data / "recordings" / "late.wav").exists())
    assert (data / "recordings" / "late.wav").read_bytes() == (tmp_path / "late.wav").read_bytes()
    # A sound goes into the lists of all objects.
    page.get_by_role("tab", name="Objects").click()
    objects = region(page, "Objects")
    objects.locator("input[type=file]").set_input_files(tmp_path / "bell.wav")
    expect(objects.locator(".upload-words")).to_have_text("bell.wav is stored.")
    source = objects.locator(".object-source").first
    expect(source.locator("option", has_text="bell.wav")).to_have_count(1)
    page.screenshot(path=screenshots / f"upload-objects-{size[0]}.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    # The browser itself notes answers that refuse a file, or that ask about one.
    assert [each for each in page.complaints if not re.search(r"status of (409|422)\b", each)] == []


def test_those_who_may_only_view_see_no_uploads(browser, running):
    page = opened(browser, running, "view", viewport={"width": 1280, "height": 800})
    expect(page.get_by_text("View only", exact=True)).to_be_visible()
    page.get_by_role("tab", name="Session").click()
    expect(page.get_by_role("region", name="Recording", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Upload…")).to_have_count(0)


def test_positions_of_microphones_are_sent_for_the_recording_that_plays(browser, running, data, tmp_path):
    """They are in force at once."""
    wave_file.write(tmp_path / "four.wav", numpy.full((2_000, 4), 0.1))
    (tmp_path / "four.json").write_text(json.dumps({"array": {"azimuths": [45, -45, -135, 135]}}))
    page = opened(browser, running, "control", viewport={"width": 1440, "height": 900})
    page.get_by_role("tab", name="Session").click()
    recording = region(page, "Recording")
    recording.locator("input[type=file]").first.set_input_files(tmp_path / "four.wav")
    expect(page).to_have_title("four.wav · Vestibule")
    azimuths = lambda: page.evaluate("window.vestibule?.value?.('/array/azimuth') ?? []")
    until(lambda: len(azimuths()) == 4)
    assert azimuths() != [45, -45, -135, 135]
    recording.get_by_text("Microphone positions").click()
    part = recording.locator("details", has_text="Microphone positions")
    expect(part.get_by_role("button", name="Upload…")).to_be_visible()
    part.locator("input[type=file]").set_input_files(tmp_path / "four.json")
    expect(part.locator(".upload-words")).to_have_text("four.json is stored.")
    until(lambda: azimuths() == [45, -45, -135, 135])
    assert page.complaints == []
