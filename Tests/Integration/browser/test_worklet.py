"""The renderer for browsers in an AudioWorklet of Chromium, compared with `vestibule render` sample by sample.

Seeds: 21 (recording), 22 (object).
"""

import base64
import urllib.error
import urllib.request

import numpy
import pytest

import wave_file
from program import Engine, run
from seeds import generator

pytestmark = pytest.mark.gate

RATE = 48_000
QUANTUM = 128
CHUNK = RATE
FRAMES = 2 * RATE + 31 * QUANTUM
AZIMUTHS = [float(azimuth) for azimuth in numpy.linspace(0, -337.5, 16)]

RENDER = """async ({ recording, heads, method, frames, chunk, interval, azimuths, objects = [] }) => {
  const floats = (text) => new Float32Array(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
  const context = new OfflineAudioContext(2, frames, 48000);
  await context.audioWorklet.addModule('/panel/renderer/worklet.js');
  const bytes = await (await fetch('/panel/renderer/renderer.wasm')).arrayBuffer();
  const node = new AudioWorkletNode(context, 'vestibule-renderer', {
    numberOfInputs: 0, outputChannelCount: [2], processorOptions: { bytes, objects: objects.length } });
  const said = [];
  node.connect(context.destination);
  const order = (orders) => node.port.postMessage(orders);
  const all = floats(recording);
  order({ listener: { ceiling: null }, method, scene: { frames, chunkFrames: chunk, array: { azimuths, radius: 0.0875 } }, loop: false });
  for (let index = 0; index * chunk < frames; index += 1) {
    order({ chunk: { index, samples: all.slice(16 * index * chunk, 16 * Math.min(frames, (index + 1) * chunk)) } });
  }
  order({ motion: { interval, heads: floats(heads) }, playing: true });
  objects.forEach(({ samples, ...place }, index) => {
    order({ sound: { index, samples: floats(samples) }, object: { index, ...place } });
  });
  // Rendering begins when the orders have been followed.
  const followed = new Promise((done) => { node.port.onmessage = ({ data }) => { said.push(data); if (!data.problem) done(); }; });
  order({ report: true });
  await followed;
  const sound = await context.startRendering();
  const ears = new Float32Array(2 * frames);
  for (const side of [0, 1]) sound.getChannelData(side).forEach((value, i) => { ears[2 * i + side] = value; });
  let text = '';
  new Uint8Array(ears.buffer).forEach((byte) => { text += String.fromCharCode(byte); });
  return { ears: btoa(text), problems: said.filter((each) => each.problem), last: said.at(-1) };
}"""


def text(numbers):
    return base64.b64encode(numbers.astype(numpy.float32).tobytes()).decode()


@pytest.fixture(scope="module")
def noise(tmp_path_factory):
    folder = tmp_path_factory.mktemp("worklet")
    recording = (generator(21).standard_normal((FRAMES, 16)) * 0.1).astype(numpy.float32)
    wave_file.write(folder / "scene.wav", recording)
    angles = numpy.radians(150 * numpy.sin(numpy.arange(FRAMES // QUANTUM) * 0.006)) / 2
    heads = numpy.stack([numpy.cos(angles), 0 * angles, 0 * angles, numpy.sin(angles)], axis=1).astype(numpy.float32)
    lines = ["frame,w,x,y,z,time,tracker_w,tracker_x,tracker_y,tracker_z"]
    for block, head in enumerate(heads):
        numbers = ",".join(repr(float(number)) for number in head)
        lines.append(f"{block * QUANTUM},{numbers},{block * QUANTUM / RATE},{numbers}")
    (folder / "heads.csv").write_text("\n".join(lines) + "\n")
    return folder, recording, heads


@pytest.fixture
def page(browser, engine):
    page = browser.new_page()
    page.goto(f"{engine.url}/panel/README.md")
    yield page
    page.close()


@pytest.mark.parametrize("method", ["nearest", "linear", "two-band-fixed", "two-band", "two-band-spectral", "ring", "ring-spectral"])
def test_the_worklet_renders_as_the_engine(page, noise, method):
    folder, recording, heads = noise
    run("render", folder / "scene.wav", "--method", method, "--no-limiter", "--motion", folder / "heads.csv", "--block", QUANTUM,
        "--output", folder / "ears.wav", "--overwrite")
    expected = wave_file.read(folder / "ears.wav")[0]
    answer = page.evaluate(RENDER, {
        "recording": text(recording), "heads": text(heads), "method": method, "frames": FRAMES, "chunk": CHUNK,
        "interval": QUANTUM, "azimuths": AZIMUTHS})
    assert answer["problems"] == []
    # `render` compensates the latency of the method.
    error = difference(answer, expected, late=128 if "spectral" in method else 0)
    print(f"{method}: {error:.1f} dB")
    assert error < -100


def difference(answer, expected, late=0):
    """Energy of the difference relative to the sound, dB."""
    ears = numpy.frombuffer(base64.b64decode(answer["ears"]), numpy.float32).reshape(-1, 2)[late:]
    # Without a repetition the last 20 ms fade out.
    length = min(len(expected), FRAMES) - 1100 - QUANTUM - late
    return 10 * numpy.log10(numpy.sum((ears[:length] - expected[:length]) ** 2) / numpy.sum(expected[:length] ** 2) + 1e-30)


def test_the_worklet_renders_objects_as_the_engine(page, noise):
    folder, recording, heads = noise
    sound = (generator(22).standard_normal(RATE) * 0.1).astype(numpy.float32)
    wave_file.write(folder / "object.wav", sound)
    orders = {"heads": text(heads), "method": "ring", "frames": FRAMES, "chunk": CHUNK, "interval": QUANTUM, "azimuths": AZIMUTHS}
    wanted = {"samples": text(sound), "azimuth": 70, "elevation": 20, "distance": 2}
    for recorded, amount in (([], 0), ([folder / "scene.wav"], 1)):
        run("render", *recorded, "--object", f"{folder / 'object.wav'}@70,20,2", "--no-limiter", "--motion", folder / "heads.csv",
            "--block", QUANTUM, "--method", "ring", "--output", folder / "both.wav", "--overwrite")
        expected = wave_file.read(folder / "both.wav")[0]
        answer = page.evaluate(RENDER, {**orders, "recording": text(recording * amount), "objects": [wanted]})
        assert answer["problems"] == []
        print(f"objects, recording {amount}: {difference(answer, expected):.1f} dB")
        assert difference(answer, expected) < -100
    # Without the object it is another sound.
    answer = page.evaluate(RENDER, {**orders, "recording": text(recording)})
    assert difference(answer, expected) > -60


def test_the_renderer_is_served_with_its_type_and_asked_for_again_only_when_it_has_changed():
    with Engine() as engine:
        def answer(**headers):
            request = urllib.request.Request(engine.url + "/panel/renderer/renderer.wasm", headers=headers)
            try:
                with urllib.request.urlopen(request, timeout=60) as found:
                    return found.status, found.headers, found.read()
            except urllib.error.HTTPError as other:
                return other.code, other.headers, other.read()

        status, headers, body = answer()
        assert status == 200 and body[:4] == b"\0asm" and len(body) == int(headers["content-length"])
        assert headers["content-type"] == "application/wasm" and headers["cache-control"] == "no-cache"
        status, again, nothing = answer(**{"If-None-Match": headers["etag"]})
        assert status == 304 and nothing == b"" and again["etag"] == headers["etag"]
        assert answer(**{"If-None-Match": '"another"'})[0] == 200
        # The service worker may work for /listen, and no other file gets that right.
        for name, allowed in (("listen-worker.js", "/"), ("js/start.js", None)):
            assert urllib.request.urlopen(f"{engine.url}/panel/{name}", timeout=60).headers["service-worker-allowed"] == allowed
