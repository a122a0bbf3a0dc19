"""The playlist on the panel: filled, played, reordered by keyboard and pointer; a file dropped on the position plays."""

import os

import numpy
import pytest
from playwright.sync_api import expect

import wave_file
from chromium import live_page, painted
from panel_page import made_anew
from program import Engine
from waiting import holds, until

NAMES = ["one.wav", "two.wav", "three.wav"]


@pytest.fixture
def running(tmp_path):
    recordings = tmp_path / "vestibule" / "recordings"
    recordings.mkdir(parents=True)
    for index, name in enumerate(NAMES):
        wave_file.write(recordings / name, numpy.full((60 * 48_000, 4), 0.05 * (index + 1)))
    with Engine(env=dict(os.environ, XDG_DATA_HOME=str(tmp_path))) as engine:
        engine.recordings = recordings
        yield engine


def card(page):
    found = page.get_by_role("region", name="Playlist", exact=True)
    if found.locator(".card-fold").is_visible() and found.locator(".card-fold").get_attribute("aria-expanded") == "false":
        found.locator(".card-fold").click()
    return found


def names(running):
    return running.value("/deck/list").split("\n")


@pytest.mark.parametrize(("size", "scheme"), [((1440, 900), "light"), ((390, 844), "dark")])
def test_recordings_are_added_played_and_moved(browser, running, screenshots, size, scheme):
    context, page, complaints = live_page(
        browser, f"{running.url}/#session", viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    playlist = card(page)
    expect(playlist.get_by_text("No recordings yet.")).to_be_visible()
    # The buttons for uploads move what is below them.
    expect(playlist.get_by_role("button", name="Upload…")).to_be_visible()
    for name in NAMES:
        playlist.get_by_label("Add a recording").select_option(name)
    until(lambda: names(running) == NAMES)
    rows = playlist.get_by_role("list", name="Playlist").get_by_role("listitem")
    expect(rows).to_have_count(3)
    # The first recording brings an array, and with it another page: nothing is pressed or dragged meanwhile.
    with made_anew(page):
        playlist.get_by_role("button", name="two.wav", exact=False).first.click()
        until(lambda: running.value("/deck/current") == 2)
    # No recording ends meanwhile.
    running.osc().send_message("/transport/pause", [])
    until(lambda: running.value("/transport/state") == "paused")
    expect(page).to_have_title("two.wav · Vestibule")
    expect(rows.nth(1).locator("[aria-current]")).to_have_count(1)
    # The playlist decides about repeating.
    expect(page.get_by_role("button", name="Loop", exact=True)).to_be_disabled()
    playlist.get_by_role("button", name="Next recording").click()
    until(lambda: running.value("/deck/current") == 3)
    playlist.get_by_role("button", name="Previous recording").click()
    until(lambda: running.value("/deck/current") == 2)
    playlist.get_by_role("radio", name="all").check()
    until(lambda: running.value("/deck/repeat") in (2, "all"))
    # By the keyboard: the focus follows the recording.
    rows.nth(2).get_by_role("button").first.focus()
    page.keyboard.press("Alt+ArrowUp")
    until(lambda: names(running) == ["one.wav", "three.wav", "two.wav"])
    expect(rows.nth(1).get_by_role("button").first).to_be_focused()
    until(lambda: running.value("/deck/current") == 3)
    # By the pointer: the last one becomes the first.
    rows.nth(2).scroll_into_view_if_needed()
    grip, target = (rows.nth(row).locator(".playlist-grip").bounding_box() for row in (2, 0))
    page.mouse.move(grip["x"] + 20, grip["y"] + 20)
    page.mouse.down()
    page.mouse.move(target["x"] + 20, target["y"] + 25, steps=6)
    page.mouse.move(target["x"] + 20, target["y"] + 5, steps=3)
    painted(page)
    page.screenshot(path=screenshots / f"playlist-{size[0]}-{scheme}.png")
    page.mouse.up()
    until(lambda: names(running) == ["two.wav", "one.wav", "three.wav"])
    # Escape cancels.
    grip, target = (rows.nth(row).locator(".playlist-grip").bounding_box() for row in (0, 2))
    page.mouse.move(grip["x"] + 20, grip["y"] + 20)
    page.mouse.down()
    page.mouse.move(target["x"] + 20, target["y"] + 35, steps=6)
    expect(playlist.locator("[data-drop=behind]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(playlist.locator("[data-drop=behind]")).to_have_count(0)
    page.mouse.up()
    holds(lambda: names(running) == ["two.wav", "one.wav", "three.wav"], 0.2)
    until(lambda: running.value("/deck/current") == 1)
    expect(rows.nth(0)).to_contain_text("two.wav")
    for each in playlist.get_by_role("button").all():
        if each.is_visible():
            box = each.bounding_box()
            assert box["height"] >= 38 and box["width"] >= 38, each.get_attribute("class")
    rows.nth(1).get_by_role("button", name="Remove").click()
    until(lambda: names(running) == ["two.wav", "three.wav"])
    # The engine's list is ahead of the page's: the next key must not meet a row that is about to go.
    expect(rows).to_have_count(2)
    rows.nth(1).get_by_role("button").first.focus()
    page.keyboard.press("Delete")
    until(lambda: names(running) == ["two.wav"])
    # The focus moves to the row that is left.
    expect(rows).to_have_count(1)
    expect(rows.nth(0).get_by_role("button").first).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert complaints == []
    context.close()


DROP = """(bar, [name, bytes]) => {
  const files = new DataTransfer();
  files.items.add(new File([new Uint8Array(bytes)], name));
  for (const type of ['dragover', 'drop']) {
    bar.dispatchEvent(new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));
  }
}"""


def test_a_file_dropped_on_the_position_plays(browser, running, tmp_path, screenshots):
    context, page, complaints = live_page(browser, running.url, viewport={"width": 1280, "height": 900})
    wave_file.write(tmp_path / "dropped.wav", numpy.full((10_000, 4), 0.25))
    bar = page.get_by_role("slider", name="Position")
    (tmp_path / "letter.wav").write_text("no sound")
    words = page.locator(".upload-quiet .upload-words")

    def dropped():
        """Whether the page takes a file, which it does as soon as it knows the kinds of files."""
        bar.evaluate(DROP, ["letter.wav", list((tmp_path / "letter.wav").read_bytes())])
        return words.is_visible()

    until(dropped)
    expect(words).to_contain_text("letter.wav is not a readable sound file")
    page.screenshot(path=screenshots / "drop-refused.png")
    bar.evaluate(DROP, ["dropped.wav", list((tmp_path / "dropped.wav").read_bytes())])
    expect(page).to_have_title("dropped.wav · Vestibule")
    until(lambda: running.value("/transport/state") in (1, "playing"))
    expect(page.locator(".upload-quiet")).to_be_hidden()
    assert (running.recordings / "dropped.wav").read_bytes() == (tmp_path / "dropped.wav").read_bytes()
    # The browser itself notes the refusal.
    assert [each for each in complaints if "status of 422" not in each] == []
    context.close()


def test_a_drag_scrolls_at_the_edges(browser, running):
    for name in 8 * NAMES:
        running.osc().send_message("/deck/add", name)
    until(lambda: len(names(running)) == 24)
    context, page, complaints = live_page(browser, f"{running.url}/#session", viewport={"width": 1440, "height": 600})
    playlist = card(page)
    # The buttons for uploads move what is below them.
    expect(playlist.get_by_role("button", name="Upload…")).to_be_visible()
    grips = playlist.locator(".playlist-grip")
    grips.first.scroll_into_view_if_needed()
    scrolled = lambda: page.locator("main").evaluate("main => main.scrollTop")
    box, main, before = grips.first.bounding_box(), page.locator("main").bounding_box(), scrolled()
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 10, main["y"] + main["height"] - 10, steps=5)
    # The pointer rests at the edge, and the page continues.
    until(lambda: scrolled() > before + 200, scrolled)
    page.mouse.move(box["x"] + 10, main["y"] + 10, steps=5)
    until(lambda: scrolled() == 0, scrolled)
    page.keyboard.press("Escape")
    page.mouse.up()
    holds(lambda: names(running) == 8 * NAMES, 0.2)
    assert complaints == []
    context.close()
