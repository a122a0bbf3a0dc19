"""Rendered files are in time with the files that they are rendered from: recordings, objects, and both together."""

import itertools

import numpy
import pytest

import wave_file
from program import run
from seeds import generator

LENGTH = 12_000
# Seconds that may pass until filters have been computed.
FILTERS = 600
HRTF = "/usr/share/libmysofa/MIT_KEMAR_normal_pinna.sofa"


def delay(sound, ear):
    """Frames by which a sound is late in an ear, by the envelope of their correlation."""
    size = 1 << 15
    cross = numpy.fft.rfft(ear, size) * numpy.conj(numpy.fft.rfft(sound, size))
    # The analytic signal: phases of the response do not matter.
    envelope = numpy.abs(numpy.fft.ifft(numpy.concatenate([2 * cross, numpy.zeros(size - len(cross))])))
    place = int(numpy.argmax(envelope))
    return place if place < size // 2 else place - size


@pytest.fixture(scope="module")
def sounds(tmp_path_factory):
    """Noise that all microphones of a ring hear at once, and noise of an object."""
    folder = tmp_path_factory.mktemp("alignment")
    ring, voice = (generator(seed).standard_normal(LENGTH) * 0.05 for seed in (91, 92))
    wave_file.write(folder / "ring.wav", numpy.tile(ring[:, None], 16))
    wave_file.write(folder / "voice.wav", voice)
    return folder, ring, voice


def render(folder, *options):
    run("render", *options, "--output", folder / "ears.wav", "--overwrite", timeout=FILTERS)
    ears, _ = wave_file.read(folder / "ears.wav")
    assert len(ears) == LENGTH
    return ears


def test_a_recording_through_an_hrtf(sounds):
    folder, ring, _ = sounds
    ears = render(folder, folder / "ring.wav", "--method", "hrtf")
    assert all(abs(delay(ring, ears[:, ear])) <= 24 for ear in (0, 1))
    # The whole sound is there, to its end.
    assert numpy.abs(ears[-100:]).max() > 0.01


@pytest.mark.parametrize("renderer", ["direct", "array"])
def test_objects_through_an_hrtf(sounds, renderer):
    folder, _, voice = sounds
    ears = render(folder, "--object", f"{folder / 'voice.wav'}@90,renderer={renderer}", "--hrtf", HRTF)
    assert 0 <= delay(voice, ears[:, 0]) <= 24


@pytest.mark.parametrize("method, renderer, options", list(itertools.product(
    ["nearest", "ring-spectral", "hrtf"], ["direct", "array"], [(), ("--hrtf", HRTF)])))
def test_objects_beside_a_recording(sounds, method, renderer, options):
    """Latencies from 0 to 224 frames, each beside each other."""
    folder, ring, voice = sounds
    ears = render(folder, folder / "ring.wav", "--object", f"{folder / 'voice.wav'}@90,renderer={renderer}", "--method", method, *options)
    assert abs(delay(ring, ears[:, 0])) <= 24 and 0 <= delay(voice, ears[:, 0]) <= 24
