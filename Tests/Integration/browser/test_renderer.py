"""The renderer for browsers in Node, compared with `vestibule render` sample by sample.

Seeds: 11 (recording), 12 (object).
"""

import json
import subprocess

import numpy
import pytest

import wave_file
from program import ROOT, run
from seeds import generator

RATE = 48_000
BLOCK = 128
FRAMES = 3 * RATE // BLOCK * BLOCK
METHODS = ["nearest", "linear", "two-band-fixed", "two-band", "two-band-spectral", "ring", "ring-spectral"]
AZIMUTHS = [float(azimuth) for azimuth in numpy.linspace(0, -337.5, 16)]


def quaternion(yaw, pitch, roll):
    (cy, cp, cr), (sy, sp, sr) = ([f(numpy.radians(angle) / 2) for angle in (yaw, pitch, roll)] for f in (numpy.cos, numpy.sin))
    return (
        cy * cp * cr + sy * sp * sr, cy * cp * sr - sy * sp * cr,
        cy * sp * cr + sy * cp * sr, sy * cp * cr - cy * sp * sr)


@pytest.fixture(scope="module")
def noise(tmp_path_factory):
    """Noise on 16 microphones, an object's sound, and a head that turns, nods and tilts: one orientation per block."""
    folder = tmp_path_factory.mktemp("browser")
    recording = (generator(11).standard_normal((FRAMES, 16)) * 0.1).astype(numpy.float32)
    wave_file.write(folder / "scene.wav", recording)
    recording.tofile(folder / "scene.f32")
    sound = (generator(12).standard_normal(RATE) * 0.1).astype(numpy.float32)
    wave_file.write(folder / "object.wav", sound)
    sound.tofile(folder / "object.f32")
    times = numpy.arange(FRAMES // BLOCK) * BLOCK / RATE
    heads = numpy.array([
        quaternion(170 * numpy.sin(1.3 * t), 15 * numpy.sin(1.1 * t), 40 * numpy.sin(0.8 * t)) for t in times], numpy.float32)
    heads.tofile(folder / "heads.f32")
    lines = ["frame,w,x,y,z,time,tracker_w,tracker_x,tracker_y,tracker_z"]
    for block, head in enumerate(heads):
        numbers = ",".join(repr(float(number)) for number in head)
        lines.append(f"{block * BLOCK},{numbers},{times[block]},{numbers}")
    (folder / "heads.csv").write_text("\n".join(lines) + "\n")
    return folder


def native(folder, *options):
    run("render", *options, "--motion", folder / "heads.csv", "--block", BLOCK, "--output", folder / "ears.wav", "--overwrite")
    return wave_file.read(folder / "ears.wav")[0][:FRAMES]


def in_node(folder, **orders):
    orders = {"rate": RATE, "heads": str(folder / "heads.f32"), "block": BLOCK, "frames": FRAMES, **orders}
    (folder / "orders.json").write_text(json.dumps(orders))
    # Node with several threads may wait for itself forever at its end while WebAssembly is still being optimised (nodejs/node#54918).
    facts = subprocess.run(
        ["node", "--single-threaded", ROOT / "Tests/Integration/browser/render_in_node.mjs", folder / "orders.json", folder / "ears.f32"],
        check=True, capture_output=True, text=True).stdout
    return numpy.fromfile(folder / "ears.f32", numpy.float32).reshape(-1, 2), json.loads(facts)


def difference(one, other):
    """Energy of the difference relative to the sound, dB."""
    length = min(len(one), len(other))
    return 10 * numpy.log10(numpy.sum((one[:length] - other[:length]) ** 2) / numpy.sum(other[:length] ** 2) + 1e-30)


def recorded(folder):
    return {"samples": str(folder / "scene.f32"), "array": {"azimuths": AZIMUTHS, "radius": 0.0875}}


@pytest.mark.parametrize("method", METHODS)
def test_both_hosts_render_the_same(noise, method):
    expected = native(noise, noise / "scene.wav", "--method", method, "--no-limiter")
    ears, facts = in_node(noise, method=method, **recorded(noise))
    # `render` compensates the latency of the method.
    ears = ears[facts["latency"]:]
    print(f"{method}: {difference(ears, expected):.1f} dB, {facts['nanoseconds']:.0f} ns a frame")
    assert difference(ears, expected) < -100
    # A head that is one block late is another sound.
    assert difference(ears[BLOCK:], expected) > -20


def test_objects_are_rendered_the_same(noise):
    place = {"azimuth": 70, "elevation": 20, "distance": 2}
    expected = native(noise, "--object", f"{noise / 'object.wav'}@70,20,2", "--no-limiter")
    ears, _ = in_node(noise, method="ring-spectral", objects=[{**place, "samples": str(noise / "object.f32")}])
    assert difference(ears, expected) < -100


def test_the_limiter_is_the_same(noise):
    expected = native(noise, noise / "scene.wav", "--method", "nearest", "--ceiling", "-20")
    ears, facts = in_node(noise, method="nearest", ceiling=-20, **recorded(noise))
    # `render` compensates the limiter's latency.
    assert difference(ears[facts["latency"]:], expected) < -100
    assert numpy.abs(ears).max() <= 10 ** (-20 / 20) * 1.0001
