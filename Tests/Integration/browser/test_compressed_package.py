"""Packed recordings with Opus: decoded in Chromium, compared with the recording, and refused where they cannot be."""

import base64
import json

import numpy
import pytest

import chromium
import wave_file
from listen_page import DECODE
from program import Engine, run

pytestmark = pytest.mark.gate

RATE = 48_000
SECONDS = 6


@pytest.fixture(scope="module")
def packed(scene, tmp_path_factory):
    """Six seconds of the demonstration recording, and a package of them."""
    folder = tmp_path_factory.mktemp("compressed")
    recording, _ = wave_file.read(scene)
    recording = recording[:SECONDS * RATE - 1000]
    wave_file.write(folder / "part.wav", recording)
    (folder / "packed").mkdir()
    run("package", folder / "part.wav", "--opus", 64, "--output", folder / "packed/part")
    return folder, recording


def test_compressed_sound_is_that_of_the_recording(browser, scene, packed):
    folder, recording = packed
    index = json.loads((folder / "packed/part/index.json").read_text())
    assert index["coding"] == "opus" and index["groups"] == [1] * 16 and len(index["chunks"]) == SECONDS
    rate = 8 * sum(chunk["bytes"] for chunk in index["chunks"]) / (len(recording) / RATE) / 16
    with Engine("--recording", scene, "--packages", folder / "packed") as engine:
        context = browser.new_context()
        page = context.new_page()
        complaints = chromium.complaints_of(page)
        page.goto(engine.url + "/listen?recording=part")
        page.wait_for_function("() => vestibule.player?.source")
        decoded = [numpy.frombuffer(base64.b64decode(page.evaluate(DECODE, number)), numpy.float32) for number in range(SECONDS)]
        context.close()
    assert not complaints
    decoded = numpy.concatenate(decoded).reshape(-1, 16)
    assert decoded.shape == recording.shape
    error = (decoded - recording) ** 2
    power = (recording ** 2).mean()
    ratio = 10 * numpy.log10(power / error.mean())
    # The error beside the borders of the chunks is that of everywhere.
    borders = [error[at - 480:at + 480].mean() / power for at in range(RATE, len(decoded) - 480, RATE)]
    within = [error[at - 480:at + 480].mean() / power for at in range(RATE // 2, len(decoded) - 480, 2400) if abs(at % RATE) > 960]
    print(f"{rate / 1000:.0f} kbit/s a microphone, error {-ratio:.1f} dB, at borders up to {10 * numpy.log10(max(borders)):.1f} dB, "
          f"elsewhere up to {10 * numpy.log10(max(within)):.1f} dB")
    assert ratio > 12 and max(borders) <= max(within)
    assert rate < 100_000


def test_what_cannot_be_packed_is_refused(packed, tmp_path):
    folder, recording = packed
    wave_file.write(tmp_path / "other.wav", recording[:RATE, :4], rate=44_100)
    refused = run("package", tmp_path / "other.wav", "--opus", 64, "--output", tmp_path / "other", check=False)
    assert refused.returncode != 0 and "48000 frames per second" in refused.stderr and not (tmp_path / "other").exists()
    for rate in (31, 257, 0):
        refused = run("package", folder / "part.wav", "--opus", rate, "--output", tmp_path / "other", check=False)
        assert refused.returncode != 0 and "32 to 256" in refused.stderr
