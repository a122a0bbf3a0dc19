"""The page /view turns its picture when the sound that it plays turns, measured in pixels and samples."""

import contextlib
import shutil

import numpy

import chromium
import film
import wave_file
from figures import figure, measured
from listen_page import steady
from program import PROGRAM, Engine
from seeds import generator
from view_page import seen
from waiting import stimulus, until

RATE = 48_000
TURNS = 24

# Tells of the first sample of the ear `wanted` that is not silent, as a frame of the context.
WATCHER = """registerProcessor('watcher', class extends AudioWorkletProcessor {
  constructor() {
    super();
    this.port.onmessage = ({ data }) => { this.wanted = data; };
  }

  process([ears]) {
    const first = ears[this.wanted]?.findIndex((value) => Math.abs(value) > 0.003) ?? -1;
    if (first < 0) return true;
    this.port.postMessage(currentFrame + first);
    this.wanted = undefined;
    return true;
  }
});"""

# `turned` gets two times of `performance.now()` for each turn: when the turned sound is heard, and when the turned picture is shown, which
# is at the end of the display frame in which it was drawn. `displays` are the times of display frames.
WATCH = """async () => {
  const { sound } = vestibule.player.sound;
  const context = sound.context;
  await context.audioWorklet.addModule('/panel/js/watcher.js');
  const watcher = new AudioWorkletNode(context, 'watcher', { numberOfOutputs: 0, channelCount: 2 });
  // A page that connects again has another sound.
  let attached = null;
  window.attach = () => {
    const { gain } = vestibule.player.sound.sound;
    if (gain !== attached) gain.connect(watcher);
    attached = gain;
  };
  const canvas = document.querySelector('.view-picture');
  const gl = canvas.getContext('webgl2');
  const pixel = new Uint8Array(4);
  const isBright = () => {
    gl.readPixels(canvas.width >> 1, canvas.height >> 1, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return pixel[1] > 128;
  };
  Object.assign(window, { turned: [], displays: [], heard: null, seen: null, bright: null, drawn: false });
  watcher.port.onmessage = ({ data: frame }) => {
    const { contextTime, performanceTime } = context.getOutputTimestamp();
    window.heard = performanceTime + 1000 * (frame / context.sampleRate - contextTime);
  };
  window.turn = (yaw, ear, isTurnedBright) => {
    Object.assign(window, { heard: null, seen: null, bright: isTurnedBright, drawn: false });
    attach();
    watcher.port.postMessage(ear);
    vestibule.head.set(yaw);
  };
  const look = (time) => {
    requestAnimationFrame(look);
    displays.push(time);
    if (drawn && seen === null) window.seen = time;
    if (bright !== null && isBright() === bright) window.drawn = true;
    if (heard !== null && seen !== null) {
      turned.push([heard, seen]);
      Object.assign(window, { heard: null, seen: null, bright: null, drawn: false });
    }
  };
  requestAnimationFrame(look);
}"""


def halves(_):
    """Black at the left of the front, white at its right."""
    frame = numpy.zeros((film.HEIGHT, film.WIDTH, 3), numpy.uint8)
    frame[:, film.WIDTH // 2:] = 235
    return frame


@contextlib.contextmanager
def turned(browser, folder, count):
    """A page whose head has turned a number of times, each time until that was heard and seen."""
    # Noise in front: an ear is silent while the nose points to its own side.
    samples = numpy.zeros((30 * RATE, 16), numpy.float32)
    samples[:, 0] = generator(51).uniform(-0.3, 0.3, len(samples))
    wave_file.write(folder / "front.wav", samples)
    film.write(folder / "front.webm", 30, halves)
    web = folder / "web"
    shutil.copytree(PROGRAM.parents[2] / "web", web, ignore=shutil.ignore_patterns("test"))
    (web / "js/watcher.js").write_text(WATCHER)
    options = ("--recording", folder / "front.wav", "--video", folder / "front.webm", "--web", web, "--method", "nearest")
    with Engine(*options) as engine:
        context, page, complaints = chromium.live_page(browser, engine.url + "/view", viewport={"width": 480, "height": 640})
        seen(page)
        steady(page)
        page.get_by_role("button", name="Join").click()
        page.wait_for_function(
            "() => vestibule.player?.mode === 'client' && vestibule.player.statistics.line.includes('buffered')")
        page.evaluate("() => vestibule.head.set(90)")
        page.evaluate(WATCH)
        random = generator(7)
        for turn in range(count):
            is_right = turn % 2 == 0
            # Heads rest for a while, so that neither the display nor the blocks of sound set the beat.
            stimulus(0.15 + 0.1 * random.random())
            page.evaluate(f"() => turn({-90 if is_right else 90}, {0 if is_right else 1}, {str(is_right).lower()})")
            until(lambda: page.evaluate("attach(), turned.length") > turn, lambda: page.evaluate("[heard, seen, drawn]"))
        yield page
        assert complaints == []
        context.close()


def test_a_turn_of_the_head_is_heard_and_seen(browser, tmp_path):
    with turned(browser, tmp_path, 4) as page:
        assert page.evaluate("turned.length") == 4


@measured
def test_picture_and_sound_turn_together(browser, tmp_path):
    with turned(browser, tmp_path, TURNS) as page:
        heard, shown = numpy.array(page.evaluate("turned")).T
        display = numpy.percentile(numpy.diff(page.evaluate("displays")), 90)
    late = shown - heard
    print(f"a display frame takes {display:.1f} ms; the picture turns after the sound by {numpy.round(late, 1)} ms")
    figure("picture and sound turn apart, median", abs(numpy.median(late)), at_most=display, unit="ms")
    figure("picture and sound turn apart, 90 %", numpy.percentile(abs(late), 90), at_most=display + 5, unit="ms")
