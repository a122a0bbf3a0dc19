"""The recording's picture behind the seek bar: waveform and spectrogram, the time under the pointer, seeking by keys and pointer."""

import pytest
from playwright.sync_api import expect

from chromium import complaints_of, connected, painted
from waiting import until

# The mean darkness of a part of the picture: alpha of the pixels between two shares of its width.
INK = """([from, to]) => {
  const canvas = document.querySelector('.seek-overview');
  const [x, width] = [Math.floor(from * canvas.width), Math.floor((to - from) * canvas.width)];
  const { data } = canvas.getContext('2d').getImageData(x, 0, width, canvas.height);
  let sum = 0;
  for (let index = 3; index < data.length; index += 4) sum += data[index];
  return sum / (data.length / 4) / 255;
}"""


@pytest.mark.parametrize("size, scheme", [((1440, 900), "light"), ((390, 844), "dark")])
def test_the_seek_bar_shows_the_recording(browser, engine, size, scheme, screenshots):
    engine.osc().send_message("/transport/pause", [])
    until(lambda: engine.value("/transport/state") == "paused")
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    page = context.new_page()
    complaints = complaints_of(page)
    page.goto(engine.url)
    connected(page)
    bar = page.get_by_role("slider", name="Position")
    expect(page.locator(".seek.has-overview")).to_be_visible()
    until(lambda: page.evaluate(INK, [0, 1]) > 0.05)
    waveform = page.evaluate(INK, [0.5, 1])
    page.screenshot(path=screenshots / f"overview-waveform-{size[0]}.png")
    # Keys and pointer seek as before; the time under the pointer is told.
    box = bar.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".seek-hover")).to_have_text("0:16")
    page.mouse.down()
    page.mouse.up()
    until(lambda: abs(engine.value("/transport/position") - 16) < 0.3)
    # Escape belongs to others again: no drag is under way.
    page.evaluate("addEventListener('keydown', ({ key, defaultPrevented }) => { window.pressed = [key, defaultPrevented]; })")
    page.keyboard.press("Escape")
    assert page.evaluate("window.pressed") == ["Escape", False]
    # The key starts from what the page shows.
    until(lambda: abs(float(bar.get_attribute("aria-valuenow")) - 16) <= 1)
    bar.press("ArrowRight")
    until(lambda: abs(engine.value("/transport/position") - 21) < 0.3)
    bar.press("Home")
    until(lambda: engine.value("/transport/position") == 0)
    page.mouse.move(5, 5)
    expect(page.locator(".seek-hover")).to_be_hidden()
    # The spectrogram fills the picture; the browser remembers the choice.
    if size[0] > 1000:
        page.get_by_role("button", name="Spectrogram").click()
        expect(page.get_by_role("button", name="Spectrogram")).to_have_attribute("aria-pressed", "true")
    else:
        page.get_by_role("tab", name="Session").click()
        recording = page.get_by_role("region", name="Recording", exact=True)
        choice = recording.get_by_role("radio", name="spectrogram")
        if not choice.is_visible():
            recording.locator(".card-fold").click()
        choice.check()
    until(lambda: abs(page.evaluate(INK, [0.5, 1]) - waveform) > 0.02)
    page.reload()
    expect(page.locator(".seek.has-overview")).to_be_visible()
    until(lambda: abs(page.evaluate(INK, [0.5, 1]) - waveform) > 0.02)
    painted(page)
    page.screenshot(path=screenshots / f"overview-spectrogram-{size[0]}.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert complaints == []
    context.close()
