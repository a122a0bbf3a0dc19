"""The page that plays an HLS stream."""

import time

import pytest
from playwright.sync_api import expect

from chromium import complaints_of, connected
from figures import figure, measured
from waiting import until

# Levels of the page's sound every few milliseconds, with their times.
HEAR = """() => {
  const context = new AudioContext();
  const analyser = new AnalyserNode(context, { fftSize: 1024 });
  context.createMediaElementSource(document.getElementById('sound')).connect(analyser).connect(context.destination);
  const samples = new Float32Array(1024);
  window.levels = [];
  setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    window.levels.push([Date.now(), Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)]);
  }, 5);
}"""
# The time of a change that lasted: silence, or sound, for 200 ms after it. Null before it.
CHANGED = """([since, isSilent]) => {
  const isChanged = ([, level]) => (level < 1e-4) === isSilent;
  const { levels } = window;
  for (let at = levels.findIndex(([time]) => time >= since); at >= 0 && at < levels.length; at += 1) {
    const last = levels.findIndex(([time]) => time > levels[at][0] + 200);
    if (last > 0 && levels.slice(at, last).every(isChanged)) return levels[at][0];
  }
  return null;
}"""


@pytest.fixture
def player(streams, browser, screenshots):
    """The page that plays a stream, as it is found in the panel, while it plays; levels are in its `levels`."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    complaints = complaints_of(page)
    # The panel has the addresses; the one of its player needs no key for those who are logged in.
    page.goto(f"{streams.url}/#token={streams.tokens['view']}")
    connected(page)
    page.goto(f"{streams.url}/#engine")
    card = page.locator(".stream-card")
    expect(card.get_by_label("Address for other players")).to_have_value(f"{streams.url}/hls/key/{streams.key}/listener/1/index.m3u8")
    # Cards that come later move this one, also from under a click.
    until(lambda: card.locator("details").evaluate("(part) => part.open") or card.get_by_text("Code for phones").click())
    expect(card.get_by_role("img", name="Address of the player")).to_be_visible()
    expect(card.locator("code")).to_have_text(f"{streams.url}/hls?listener=1#key={streams.key}")
    card.screenshot(path=screenshots / "stream-card.png")
    card.get_by_role("link", name="Open the player").click()
    expect(page.get_by_role("heading", name="Stream of listener 1")).to_be_visible()
    play = page.get_by_role("button", name="Play")
    expect(play).to_be_enabled()
    page.evaluate(HEAR)
    play.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Playing.")).to_be_visible()
    until(lambda: page.evaluate(CHANGED, [0, False]))
    yield page
    assert not complaints
    context.close()


def delays(streams, page):
    """Seconds after which a mute, and then its end, are heard in the page."""
    found = []
    for mute in (True, False):
        begin = 1000 * time.time()
        streams.osc().send_message("/listener/1/mute", mute)
        found.append((until(lambda: page.evaluate(CHANGED, [begin, mute])) - begin) / 1000)
    return found


@pytest.mark.gate
def test_a_browser_plays_the_stream(streams, player, screenshots):
    delays(streams, player)
    expect(player.locator("#delay")).to_contain_text(" s")
    player.screenshot(path=screenshots / "stream-desktop.png")
    player.set_viewport_size({"width": 390, "height": 844})
    player.screenshot(path=screenshots / "stream-phone.png")
    facts = lambda: player.evaluate("(({ codec, parts }) => [codec, parts])(window.vestibule.player)")
    until(lambda: facts()[0] == "Opus" and facts()[1] > 8, facts)
    player.get_by_role("button", name="Stop").click()
    expect(player.get_by_text("Stopped.")).to_be_visible()


@measured
def test_a_browser_plays_the_stream_close_to_the_engine(streams, player):
    found, told = delays(streams, player), player.evaluate("window.vestibule.delay")
    print("ears to browser, seconds:", [round(delay, 2) for delay in found], "told:", round(told, 2))
    figure("shortest delay of a stream in a browser", min(found), at_least=0.3, unit="s")
    figure("longest delay of a stream in a browser", max(found), at_most=2.5, unit="s")
    figure("error of the delay that the page tells", abs(told - found[-1]), at_most=0.4, unit="s")
    figure("skipped sound", player.evaluate("window.vestibule.player.skips"), at_most=0)
