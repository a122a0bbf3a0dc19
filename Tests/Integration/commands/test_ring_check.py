"""Order and polarity of the channels of a ring: found wrong by their sound, corrected in a copy, and never in a right recording."""

import json
import re

import numpy
import pytest

import seeds
import wave_file
from program import run


def scene(folder, seed, microphones, sources, radius=0.0875):
    """A recording of noises that are added and removed, from random directions."""
    random = seeds.generator(seed)
    arguments = []
    for number in range(sources):
        spectrum = numpy.fft.rfft(random.standard_normal(48_000 * 2)) / numpy.maximum(numpy.fft.rfftfreq(96_000, 1 / 48_000), 50) ** 0.5
        noise = numpy.fft.irfft(spectrum) * numpy.repeat(random.uniform(0.05, 1, 20) ** 2, 4800)
        wave_file.write(folder / f"{number}.wav", 0.1 * noise / noise.std())
        arguments += ["--source", f"{folder}/{number}.wav@{random.uniform(-180, 180):.1f},{random.uniform(-30, 30):.1f}"]
    path = folder / "scene.wav"
    run("synth", "--microphones", microphones, "--radius", radius, *arguments, "--output", path, "--overwrite")
    return wave_file.read(path)[0]


def check(folder, samples, *options):
    wave_file.write(folder / "ring.wav", samples)
    return run("check", folder / "ring.wav", *options, check=False)


def corrected(folder, samples):
    """The corrected copy, and the text."""
    (folder / "ring.json").write_bytes((folder / "scene.json").read_bytes())
    (folder / "out.wav").unlink(missing_ok=True)
    (folder / "out.json").unlink(missing_ok=True)
    result = check(folder, samples, "--corrected", folder / "out.wav")
    assert result.returncode == 1, result.stdout + result.stderr
    assert (folder / "out.json").read_bytes() == (folder / "scene.json").read_bytes()
    return wave_file.read(folder / "out.wav")[0], result.stdout


def is_turned(one, other):
    """Whether the channels are those of the other recording, turned or mirrored."""
    count = one.shape[1]
    turns = [numpy.roll(side, shift, axis=1) for side in (other, other[:, ::-1]) for shift in range(count)]
    return any(numpy.array_equal(one, turned) for turned in turns)


@pytest.mark.parametrize("microphones, sources", [(4, 3), (8, 1), (8, 3), (16, 1), (16, 2), (16, 6), (32, 3)])
def test_wrong_orders_and_polarities_are_found_and_right_ones_never(tmp_path, microphones, sources):
    for seed in (101, 102) if microphones <= 16 else (101,):
        samples = scene(tmp_path, 10 * seed + sources, microphones, sources)
        random = seeds.generator(seed)
        # Right, turned, mirrored, and with the differences of real microphones: no alarm.
        for right in (samples, numpy.roll(samples, 1, axis=1), samples[:, ::-1],
                      samples * 10 ** (random.uniform(-1, 1, microphones) / 20) + 1e-4 * random.standard_normal(samples.shape)):
            result = check(tmp_path, right)
            assert result.returncode == 0 and "order of the channels is right" in result.stdout, result.stdout
        # One inverted channel.
        channel = int(random.integers(microphones))
        inverted = samples * numpy.where(numpy.arange(microphones) == channel, -1, 1)
        copy, text = corrected(tmp_path, inverted)
        assert f"inverted polarity: {channel + 1} (" in text and numpy.array_equal(copy, samples)
        # Two neighbours exchanged, and all channels in a random order with some inverted.
        order = numpy.arange(microphones)
        order[[channel, channel - 1]] = order[[channel - 1, channel]]
        mixed = random.permutation(microphones)
        if sources == 1:
            # It is found, but channels on both sides of a single source may fit as well.
            for wrong in (order, mixed):
                assert "wrong order" in check(tmp_path, samples[:, wrong]).stdout
            continue
        copy, text = corrected(tmp_path, samples[:, order])
        assert is_turned(copy, samples), text
        if microphones > 4:
            assert numpy.array_equal(copy, samples), text
        signs = numpy.where(random.permutation(microphones) < microphones // 4, -1, 1)
        copy, text = corrected(tmp_path, (samples * signs)[:, mixed])
        assert is_turned(copy, samples), text
        # A third of all orders of four microphones are the ring turned or mirrored.
        if microphones > 4:
            assert float(re.search(r"fits better by ([\d.]+) dB", text)[1]) > 4.7


def test_recordings_that_do_not_tell_are_not_judged(tmp_path):
    random = seeds.generator(111)
    result = check(tmp_path, 0.1 * random.standard_normal((96_000, 16)))
    assert result.returncode == 0 and "cannot be determined" in result.stdout
    result = check(tmp_path, numpy.zeros((48_000, 8)))
    assert "without sound: 1 2 3 4 5 6 7 8" in result.stdout
    samples = scene(tmp_path, 112, 16, 3)
    silent = samples.copy()
    silent[:, 4] = 0
    result = check(tmp_path, silent)
    assert result.returncode == 1 and "without sound: 5;" in result.stdout and "order of the channels is right" in result.stdout
    # A single source in front: channels that lie symmetrically have the same sound.
    wave_file.write(tmp_path / "front.wav", 0.1 * random.standard_normal(96_000))
    run("synth", "--source", f"{tmp_path}/front.wav@0", "--output", tmp_path / "scene.wav", "--overwrite")
    samples = wave_file.read(tmp_path / "scene.wav")[0]
    assert check(tmp_path, samples).returncode == 0
    result = check(tmp_path, samples[:, random.permutation(16)])
    assert result.returncode == 1 and "several fit" in result.stdout, result.stdout
    result = check(tmp_path, samples, "--corrected", tmp_path / "none.wav")
    assert result.returncode != 0 and not (tmp_path / "none.wav").exists()


@pytest.mark.parametrize("microphones, sources", [(4, 3), (8, 1), (16, 2), (32, 3)])
def test_mixes_and_copies_are_found(tmp_path, microphones, sources):
    samples = scene(tmp_path, 115, microphones, sources)
    mixed = numpy.column_stack((samples, samples.mean(axis=1)))
    result = check(tmp_path, mixed)
    assert result.returncode == 1 and f"a mix of others, not a microphone: {microphones + 1};" in result.stdout, result.stdout
    copied = numpy.column_stack((samples, 0.5 * samples[:, 1]))
    result = check(tmp_path, copied)
    assert result.returncode == 1 and f"all but one are copies: 2 {microphones + 1};" in result.stdout, result.stdout
    assert check(tmp_path, samples).returncode == 0


def test_files_of_a_folder_that_are_no_microphones_are_left_out(tmp_path):
    samples = scene(tmp_path, 116, 8, 3)
    folder = tmp_path / "folder"
    folder.mkdir()
    for channel in range(8):
        wave_file.write(folder / f"mic{channel + 1}.wav", samples[:, channel])
    wave_file.write(folder / "Mix.wav", samples.mean(axis=1))
    result = run("check", folder, check=False)
    assert result.returncode == 0 and "Mix.wav is not a microphone" in result.stderr, result.stderr


def test_other_arrays_are_checked_by_their_positions(tmp_path):
    samples = scene(tmp_path, 113, 16, 3, radius=0.05)
    wave_file.write(tmp_path / "ring.wav", samples)
    positions = json.loads((tmp_path / "scene.json").read_text())["array"]
    assert positions["radius"] == pytest.approx(0.05)
    order = [3, 0, 2, 1, *range(4, 16)]
    (tmp_path / "ring.json").write_text(json.dumps({"array": {
        "count": 16, "radius": 0.05, "azimuths": [-22.5 * channel for channel in order]}}))
    assert check(tmp_path, samples[:, order]).returncode == 0
    assert "wrong order" in check(tmp_path, samples).stdout


def test_mono_files_are_joined(tmp_path):
    samples = seeds.generator(114).uniform(-0.5, 0.5, (4800, 5)).astype("f4")
    files = []
    for channel in range(5):
        files.append(tmp_path / f"mic {channel}.wav")
        wave_file.write(files[-1], samples[:, channel])
    run("join", *files[::-1], "--output", tmp_path / "ring.wav")
    assert numpy.array_equal(wave_file.read(tmp_path / "ring.wav")[0], samples[:, ::-1])
    wave_file.write(tmp_path / "short.wav", samples[:100, 0])
    short, ring = tmp_path / "short.wav", tmp_path / "ring.wav"
    for bad, words in ((files[:3], "not a ring"), (files + [short], "same length"), (files + [ring], "mono")):
        result = run("join", *bad, "--output", tmp_path / "bad.wav", check=False)
        assert result.returncode != 0 and words in result.stderr and not (tmp_path / "bad.wav").exists(), result.stderr
    assert "exists already" in run("join", *files, "--output", tmp_path / "ring.wav", check=False).stderr
