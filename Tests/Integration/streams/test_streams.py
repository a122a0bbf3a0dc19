"""Streams of sound to browsers and to other clients: encodings, measurements, groups."""

import json
import shutil
import struct

import numpy
import pytest
import websockets.sync.client as websockets
from playwright.sync_api import expect

from chromium import live_page
from figures import figure, measured
from program import ROOT, Engine
from waiting import until

LISTENS = "() => document.querySelector('.listen').click()"
NUMBERS = "() => window.vestibule.listen"


def packets(socket, count):
    """The next packets of a socket, and the text frames before them; questions about times are answered."""
    found, texts = [], []
    while len(found) < count:
        frame = socket.recv(timeout=60)
        if isinstance(frame, bytes):
            found.append(frame)
            continue
        texts.append(json.loads(frame))
        if texts[-1].get("type") == "time":
            socket.send(json.dumps({"type": "time", "id": texts[-1]["id"], "received": 1, "answered": 1}))
    return found, texts


ENCODINGS = [(32_000, 20), (96_000, 10), (256_000, 5)]


def opus(engine, bitrate, milliseconds):
    """Headers and lengths of the packets of two seconds of Opus, and the text frames before them."""
    path = f"/audio/1?format=opus&bitrate={bitrate}&frame={milliseconds}&adapt=0"
    with websockets.connect(engine.socket_url + path) as socket:
        found, texts = packets(socket, 2000 // milliseconds)
    return [struct.unpack("<IIQ", packet[:16]) for packet in found], [len(packet) - 16 for packet in found], texts


@pytest.mark.parametrize("bitrate, milliseconds", ENCODINGS)
def test_opus_has_the_bit_rate_and_length_that_were_asked_for(engine, bitrate, milliseconds):
    heads, lengths, texts = opus(engine, bitrate, milliseconds)
    assert texts[0] == {
        "rate": 48000, "channels": 2, "frames": 48 * milliseconds, "listener": 1, "format": "opus", "bitrate": bitrate, "delay": 120}
    assert all(head[1] == 48 * milliseconds for head in heads)
    # Numbers show which packets are missing; between numbers in a row, nothing is.
    steps = [(after[0] - before[0], after[2] - before[2]) for before, after in zip(heads, heads[1:])]
    assert all(number >= 1 and frames >= 48 * milliseconds for number, frames in steps), steps
    assert all(frames == 48 * milliseconds for number, frames in steps if number == 1) and (1, 48 * milliseconds) in steps, steps
    rate = 8 * sum(lengths) / 2
    assert 0.5 * bitrate < rate < 1.1 * bitrate


@measured
@pytest.mark.parametrize("bitrate, milliseconds", ENCODINGS)
def test_no_packet_is_lost(engine, bitrate, milliseconds):
    heads, _, _ = opus(engine, bitrate, milliseconds)
    figure("lost packets in two seconds", heads[-1][0] - heads[0][0] + 1 - len(heads), at_most=0)


def heard(page):
    """The numbers of a page that plays. One that connects again after a pause plays what it has, and has no stream meanwhile."""
    return until(lambda: (found := page.evaluate(NUMBERS))["rms"] > 0.001 and found["stream"] and found, lambda: page.evaluate(NUMBERS))


def show_facts(page):
    """Opens the details of the sound: the words that are pressed are drawn anew ten times a second, also from under a finger."""
    more = page.locator(".listen-more")
    until(lambda: more.evaluate("(part) => part.open") or page.locator(".listen-state").click())


def test_a_browser_plays_opus_and_tells_it(browser, engine):
    # The encoding would change on a machine that is too busy.
    engine.osc().send_message("/stream/adapt", False)
    until(lambda: engine.value("/stream/adapt") is False)
    context, page, complaints = live_page(browser, engine.url)
    page.evaluate(LISTENS)
    numbers = heard(page)
    assert numbers["stream"]["format"] == "opus" and numbers["refused"] == 0
    until(lambda: (page.evaluate(NUMBERS)["stream"] or {}).get("link"), lambda: page.evaluate(NUMBERS))
    show_facts(page)
    expect(page.locator(".listen-facts")).to_contain_text("Opus 128 kbit/s, 10 ms packets")
    expect(page.locator(".listen-facts")).to_contain_text("round trip")
    assert not complaints
    context.close()


def test_a_browser_without_a_decoder_plays_plain_sound_and_tells_why(browser, engine):
    context, page, complaints = live_page(browser, engine.url, script="delete window.AudioDecoder")
    page.evaluate(LISTENS)
    numbers = heard(page)
    assert numbers["stream"]["format"] == "s16le"
    show_facts(page)
    expect(page.locator(".listen-facts")).to_contain_text("this browser cannot decode Opus")
    assert not complaints
    context.close()


# Plays a listener, which the engine renders or the page itself, and keeps five seconds of what is played, with the time of its first sample
# by the clock that all pages share.
LISTEN = """async (isRenderedHere) => {
  const { ListenerSound } = await import('/panel/js/playback/listener-sound.js');
  const { SceneListening } = await import('/panel/js/scene/scene-listening.js');
  const told = { report: (numbers) => { window.numbers = numbers; }, ended: (why) => { window.ended = why; } };
  const sound = new (isRenderedHere ? SceneListening : ListenerSound)('1', 48000, told);
  window.sound = sound;
  await sound.start();
}"""
RECORDER = """registerProcessor('recorder', class extends AudioWorkletProcessor {
  process([[left]]) {
    if (left) this.port.postMessage([currentTime, left.slice()]);
    return true;
  }
});"""
RECORD = """async () => {
  const { context, gain } = window.sound;
  await context.audioWorklet.addModule('/panel/js/recorder.js');
  const recorder = new AudioWorkletNode(context, 'recorder');
  const blocks = [];
  recorder.port.onmessage = ({ data }) => blocks.push(data);
  gain.connect(recorder);
  const offsets = [];
  while (blocks.length < 750) {
    await new Promise((done) => setTimeout(done, 50));
    const { contextTime, performanceTime } = context.getOutputTimestamp();
    offsets.push(performance.timeOrigin + performanceTime - 1000 * contextTime);
  }
  offsets.sort((one, two) => one - two);
  return [1000 * blocks[0][0] + offsets[offsets.length >> 1], blocks.flatMap(([, left]) => [...left])];
}"""


@pytest.fixture
def recording_engine(scene, tmp_path):
    """An engine whose pages also have a recorder."""
    web = tmp_path / "web"
    shutil.copytree(ROOT / "web", web)
    (web / "js" / "recorder.js").write_text(RECORDER)
    with Engine("--recording", scene, "--web", web) as engine:
        yield engine
        engine.stop()


def apart(pages):
    """Records two pages at once. Returns the milliseconds by which the first plays later."""
    for page in pages:
        page.evaluate(f"() => {{ window.recording = ({RECORD})(); }}")
    (one, first), (two, second) = [page.evaluate("window.recording") for page in pages]
    # The place of the best match of both recordings; as far as their times do not explain it, one page plays later.
    size = 2 * max(len(first), len(second))
    likeness = numpy.fft.irfft(numpy.fft.rfft(first, size) * numpy.conj(numpy.fft.rfft(second, size)))
    match = int(numpy.argmax(likeness))
    lag = (match - size if match > size // 2 else match) / 48 - (two - one)
    print(f"recordings begin {two - one:.1f} ms apart; one page plays {lag:.2f} ms later")
    return lag


OWN_GROUP = [("/group/3/delay", 250.0), ("/listener/1/group", 3)]


@measured
@pytest.mark.parametrize("orders, rendered", [
    ([("/stream/group", 250.0)], (False, False)), (OWN_GROUP, (True, True)), (OWN_GROUP, (True, False))],
    ids=["everybody", "a group of its own, rendered by both pages", "a group of its own, rendered by one page"])
def test_pages_of_a_group_play_together(browser, recording_engine, orders, rendered):
    engine, pages = recording_engine, []
    # The method that takes longest.
    engine.osc().send_message("/listener/1/method", "ring-spectral")
    for is_rendered_here in rendered:
        page = browser.new_context().new_page()
        page.goto(engine.url + "/panel/js/start.js")
        page.evaluate(LISTEN, is_rendered_here)
        pages.append(page)
    for address, value in orders:
        engine.osc().send_message(address, value)
    for page in pages:
        until(lambda: page.evaluate("Math.abs(window.numbers?.off ?? 1) < 0.002"),
              lambda: page.evaluate("[window.ended, window.numbers]"))
    # The clock of a page's output is read to a few milliseconds while the machine is busy: the median of three recordings counts.
    lags = [apart(pages) for _ in range(3)]
    figure("pages of a group play apart", abs(sorted(lags)[1]), at_most=5, unit="ms")
    for page in pages:
        page.context.close()
