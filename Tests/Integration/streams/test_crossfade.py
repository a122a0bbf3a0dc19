"""The change between sound that a browser renders and sound that the engine renders, as it is heard; and settings at their sample."""

import json
import shutil

import numpy
import pytest
import websockets.sync.client as websockets

import wave_file
from figures import figure, measured
from program import ROOT, Engine
from waiting import LIMIT, until

RATE = 48_000
# Whole periods of all fit into a hundredth of a second; two that are apart by less cancel each other in one of them.
HERTZ, LEVEL = (300, 700, 1100), 0.1
RECORDER = """registerProcessor('recorder', class extends AudioWorkletProcessor {
  process([[left]]) {
    if (left) this.port.postMessage(left.slice());
    return true;
  }
});"""
START = """async () => {
  const { AdaptiveSound } = await import('/panel/js/listen/players/adaptive-sound.js');
  const { ModeChoice } = await import('/panel/js/listen/players/mode-choice.js');
  // Everything that is heard is recorded as well.
  const { connect } = AudioNode.prototype;
  AudioNode.prototype.connect = function (target, ...rest) {
    if (target === this.context.destination && window.recorder) connect.call(this, window.recorder);
    return connect.call(this, target, ...rest);
  };
  // The test chooses, and not the engine's settings.
  const choice = new ModeChoice(null);
  window.needs = choice.set.bind(choice);
  choice.set = () => {};
  // Nor does the load of the machine, which may look like a narrow network.
  choice.note = () => {};
  choice.giveUp = () => {};
  window.told = { changes: 0 };
  window.sound = new AdaptiveSound('1', 48000, {
    report: (numbers) => { window.numbers = numbers; }, waiting() {}, joined() {}, changed: () => { window.told.changes += 1; },
    ended: (reason, isFinal) => Object.assign(window.told, { reason, isFinal }),
  }, null, choice);
  const begun = window.sound.start();
  const { context } = window.sound;
  await context.audioWorklet.addModule('/panel/js/recorder.js');
  const recorder = new AudioWorkletNode(context, 'recorder', { numberOfOutputs: 0, channelCount: 1, channelCountMode: 'explicit' });
  window.blocks = [];
  recorder.port.onmessage = ({ data }) => window.blocks.push(data);
  window.recorder = recorder;
  await begun;
  // The first sound has been connected already.
  connect.call(window.sound.sound.place.output, recorder);
}"""
SOUND = """() => {
  const all = new Float32Array(128 * window.blocks.length);
  window.blocks.forEach((block, i) => all.set(block, 128 * i));
  return [...all];
}"""


@pytest.fixture(scope="module")
def tone(tmp_path_factory):
    """An engine that plays the same tone to every microphone, and whose pages have a recorder."""
    folder = tmp_path_factory.mktemp("tone")
    # Whole periods, so that the recording has no seam.
    sound = LEVEL * sum(numpy.sin(2 * numpy.pi * hertz * numpy.arange(10 * RATE) / RATE) for hertz in HERTZ)
    wave_file.write(folder / "tone.wav", numpy.repeat(sound[:, None], 4, axis=1).astype(numpy.float32))
    shutil.copytree(ROOT / "web", folder / "web")
    (folder / "web/js/recorder.js").write_text(RECORDER)
    with Engine("--recording", folder / "tone.wav", "--web", folder / "web", "--method", "nearest") as engine:
        yield engine
        engine.stop()


@pytest.fixture
def page(browser, tone):
    context = browser.new_context()
    page = context.new_page()
    page.goto(tone.url + "/panel/js/start.js")
    page.evaluate(START)
    until(lambda: page.evaluate("window.numbers?.playing && window.numbers.rms > 0.1"),
          lambda: page.evaluate("[window.told, window.numbers]"))
    yield page
    context.close()


def heard(page):
    """Level of each hundredth of a second relative to the median, and the largest step relative to that of most of them."""
    sound = numpy.array(page.evaluate(SOUND))
    sound = sound[: len(sound) // 480 * 480]
    levels = numpy.sqrt((sound.reshape(-1, 480) ** 2).mean(axis=1))
    middle = numpy.median(levels)
    steps = numpy.abs(numpy.diff(sound.reshape(-1, 480), axis=1)).max(axis=1)
    return levels / middle, numpy.abs(numpy.diff(sound)).max() / numpy.median(steps)


@measured
def test_a_change_of_rendering_has_no_gap_and_no_step(page):
    # Both buffers have found their delays.
    until(lambda: page.evaluate("window.blocks.length") > 1500)
    for settings, mode in (({"method": "nearest", "racks": True}, "server"), ({"method": "nearest"}, "client")):
        page.evaluate("() => { window.blocks.splice(0); }")
        page.evaluate("(settings) => { needs(settings); }", settings)
        until(lambda: page.evaluate("sound.mode") == mode, lambda: page.evaluate("[window.told, window.numbers]"))
        count = page.evaluate("window.blocks.length")
        until(lambda: page.evaluate("window.blocks.length") > count + 300)
        levels, step = heard(page)
        print(f"to {mode}: lowest level {20 * numpy.log10(levels.min()):.1f} dB, highest {20 * numpy.log10(levels.max()):.1f} dB, "
              f"largest step {step:.2f} of the tone's own, {count * 128 / RATE:.2f} s after the order")
        # Two sounds that were not together would cancel each other somewhere on the way, or jump.
        figure(f"lowest level on the way to {mode}", levels.min(), at_least=0.8)
        figure(f"highest level on the way to {mode}", levels.max(), at_most=1.2)
        figure(f"largest step on the way to {mode}", step, at_most=1.3)
    assert page.evaluate("sound.sound.context === sound.context")


def test_a_change_of_rendering_goes_both_ways_in_one_context(page):
    for settings, mode in (({"method": "nearest", "racks": True}, "server"), ({"method": "nearest"}, "client")):
        page.evaluate("(settings) => { needs(settings); }", settings)
        until(lambda: page.evaluate("sound.mode") == mode, lambda: page.evaluate("[window.told, window.numbers]"))
        until(lambda: page.evaluate("window.numbers?.playing && window.numbers.rms > 0.1"), lambda: page.evaluate("window.numbers"))
        assert page.evaluate("sound.sound.context === sound.context")


def test_a_client_that_is_disconnected_does_not_come_back_in_another_mode(page, tone):
    assert page.evaluate("sound.mode") == "client"
    with websockets.connect(tone.socket_url + "/", subprotocols=["vestibule.telemetry.v1"]) as telemetry:
        telemetry.send(json.dumps({"type": "subscribe", "topics": ["clients"], "rate": 2}))

        def audio():
            while (message := json.loads(telemetry.recv(timeout=60))).get("topic") != "clients":
                pass
            return [client["id"] for client in message["data"] if client["kind"] == "audio"]

        # A page of the test before may still be listed.
        ids = until(lambda: len(found := audio()) == 1 and found)
        tone.osc().send_message("/client/kick", ids[0])
        until(lambda: page.evaluate("window.told.isFinal") is True)
        assert "Another client" in page.evaluate("window.told.reason")
        assert page.evaluate("sound.sound") is None
        until(lambda: not audio())
        # Nothing joins again.
        assert [audio() for _ in range(3)] == [[]] * 3


def dated_settings(tone):
    """The first settings of a listener, and those after changes of its gain, each with the ends of the newest packets before the order and
    before its message, and of the first one that has its sample."""
    with websockets.connect(tone.socket_url + "/audio/scene/1?adapt=0") as socket:
        listener, newest, dated = None, 0, []

        def receive():
            """The next message about the listener; None when something else has come."""
            nonlocal newest
            frame = socket.recv(timeout=LIMIT)
            if isinstance(frame, bytes):
                newest = int.from_bytes(frame[8:16], "little") + 1920
                return None
            message = json.loads(frame)
            return message if message.get("type") == "listener" else None

        while not listener or newest == 0:
            listener = receive() or listener
        for gain in (-3, -6, -9):
            before = newest
            tone.osc().send_message("/listener/1/gain", float(gain))
            message = until(receive)
            told = newest
            while newest <= message["sample"]:
                receive()
            dated.append((message, before, told, newest))
    return listener, dated


def test_settings_name_the_sample_from_which_on_they_hold(tone):
    listener, dated = dated_settings(tone)
    assert "sample" not in listener and listener["hrtf"] is False
    assert [message["gain"] for message, *_ in dated] == [-3, -6, -9]
    samples = [message["sample"] for message, *_ in dated]
    assert samples == sorted(samples)
    # They hold for sound that came after the order, and for none that was there before; the clock of samples jitters.
    assert all(before - 0.1 * RATE < message["sample"] < after for message, before, _, after in dated), dated


@measured
def test_settings_hold_from_the_sound_that_is_on_its_way(tone):
    _, dated = dated_settings(tone)
    distances = [abs(message["sample"] - told) / RATE for message, _, told, _ in dated]
    figure("from the newest packet to the settings", max(distances), at_most=0.1, unit="s")
