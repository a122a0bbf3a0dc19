"""`synth` and `render` compared with the formulae of acoustics."""

import json
import re

import numpy
import pytest

import loudness
import wave_file
from program import run
from seeds import generator

RATE = 48_000


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """White noise from 30 degrees to the left, on 16 microphones."""
    folder = tmp_path_factory.mktemp("noise")
    seed = 7
    noise = generator(seed).standard_normal(RATE) * 0.1
    wave_file.write(folder / "noise.wav", noise)
    run("synth", "--microphones", 16, "--source", f"{folder / 'noise.wav'}@30", "--output", folder / "scene.wav")
    return folder / "scene.wav"


def render(recording, folder, *options):
    output = folder / "ears.wav"
    run("render", recording, "--output", output, "--overwrite", *options)
    ears, rate = wave_file.read(output)
    assert rate == RATE
    return ears


def band_level(signal, low, high):
    spectrum = numpy.abs(numpy.fft.rfft(signal)) ** 2
    hertz = numpy.fft.rfftfreq(len(signal), 1 / RATE)
    return 10 * numpy.log10(spectrum[(hertz >= low) & (hertz < high)].sum())


def delay_microseconds(late, early):
    """Returns the delay of `late`, from the phase at wavelengths of more than two head widths."""
    cross = numpy.fft.rfft(late) * numpy.conj(numpy.fft.rfft(early))
    hertz = numpy.fft.rfftfreq(len(late), 1 / RATE)
    use = (hertz > 100) & (hertz < 500)
    slope = numpy.sum(numpy.angle(cross[use]) * hertz[use] * numpy.abs(cross[use]))
    return -slope / numpy.sum(hertz[use] ** 2 * numpy.abs(cross[use])) / (2 * numpy.pi) * 1e6


@pytest.mark.parametrize("yaw", [0, 7.5, 100, -170])
def test_linear_is_the_weighted_sum_of_two_channels(recording, tmp_path, yaw):
    ears = render(recording, tmp_path, "--method", "linear", "--yaw", yaw)
    channels, _ = wave_file.read(recording)
    assert len(ears) == len(channels)
    for ear, azimuth in ((0, yaw + 90), (1, yaw - 90)):
        place = -azimuth / 22.5
        first, share = int(numpy.floor(place)), place - numpy.floor(place)
        expected = (1 - share) * channels[:, first % 16] + share * channels[:, (first + 1) % 16]
        assert numpy.abs(ears[:, ear] - expected).max() < 1e-6


# The nearest microphones of both ears are up to half a sector off, on the same side: +-150 us for 16 of them.
@pytest.mark.parametrize("method, tolerance", [
    ("nearest", 160), ("linear", 10), ("two-band", 10), ("two-band-spectral", 10), ("ring", 10), ("ring-spectral", 10)])
def test_a_source_keeps_its_direction_while_the_head_turns(recording, tmp_path, method, tolerance):
    # Facing the source: both ears alike. Turned to the right: left ear earlier and louder.
    towards = render(recording, tmp_path, "--method", method, "--yaw", 30)
    assert abs(delay_microseconds(towards[:, 1], towards[:, 0])) < tolerance
    away = render(recording, tmp_path, "--method", method, "--yaw", -60)
    # A sphere: 3 r/c = 765 us at low frequencies.
    assert abs(delay_microseconds(away[:, 1], away[:, 0]) - 765) < 40 + tolerance
    assert band_level(away[:, 0], 4000, 12_000) - band_level(away[:, 1], 4000, 12_000) > 10


def test_motion_is_followed(recording, tmp_path):
    (tmp_path / "motion.csv").write_text("time,yaw,pitch,roll\n0,-60,0,0\n0.2,-60,0,0\n0.21,120,0,0\n1,120,0,0\n")
    ears = render(recording, tmp_path, "--method", "two-band", "--motion", tmp_path / "motion.csv")
    early, late = ears[:9000], ears[-24_000:]
    assert delay_microseconds(early[:, 1], early[:, 0]) > 600
    assert delay_microseconds(late[:, 1], late[:, 0]) < -600


def test_a_direction_is_that_of_a_motion_file(recording, tmp_path):
    """Yaw, pitch and roll by options: the samples of a motion that stays in the same pose, with signs of their own."""
    wave_file.write(tmp_path / "voice.wav", generator(3).standard_normal(RATE // 4) * 0.1)
    # Ears that are not on one axis move by the pitch as well.
    sounds = ["--object", f"{tmp_path / 'voice.wav'}@40,20,2", "--ear-azimuth", 75]
    different = []
    for pose in [(0, 0, 0), (20, 0, 0), (0, 25, 0), (0, -25, 0), (0, 0, 30), (0, 0, -30), (200, 10, -5)]:
        (tmp_path / "motion.csv").write_text(f"time,yaw,pitch,roll\n0,{pose[0]},{pose[1]},{pose[2]}\n")
        wanted = render(recording, tmp_path, *sounds, "--motion", tmp_path / "motion.csv")
        found = render(recording, tmp_path, *sounds, "--yaw", pose[0], "--pitch", pose[1], "--roll", pose[2])
        assert numpy.abs(found - wanted).max() < 1e-6, pose
        assert all(numpy.abs(found - other).max() > 1e-3 for other in different), pose
        different.append(found)


def test_the_channels_of_a_stereo_file_stand_at_two_places(recording, tmp_path):
    """The samples of two mono files."""
    sound = generator(5).standard_normal((RATE // 4, 2)) * 0.1
    wave_file.write(tmp_path / "stereo.wav", sound)
    for channel, name in enumerate(("left", "right")):
        wave_file.write(tmp_path / f"{name}.wav", sound[:, channel:channel + 1])
    files = [tmp_path / name for name in ("left.wav", "right.wav")]
    wanted = render(recording, tmp_path, "--object", f"{files[0]}@35", "--object", f"{files[1]}@-35")
    stereo = tmp_path / "stereo.wav"
    found = render(recording, tmp_path, "--object", f"{stereo}@35,channel=left", "--object", f"{stereo}@-35,channel=right")
    swapped = render(recording, tmp_path, "--object", f"{stereo}@35,channel=right", "--object", f"{stereo}@-35,channel=left")
    assert numpy.abs(found - wanted).max() < 1e-6 and numpy.abs(swapped - wanted).max() > 1e-2


@pytest.mark.parametrize("arguments, words", [
    (["--yaw", "3", "--motion", "motion.csv"], "--yaw holds the head still, but --motion moves it. Leave one of them out."),
    (["--roll", "0", "--motion", "motion.csv"], "--roll holds the head still, but --motion moves it."),
    (["--pitch", "1e9"], "--pitch is 1000000000.0, but must be at most 1000000 degrees either way."),
    (["--no-limiter", "--ceiling", "-3"], "--ceiling has no effect with --no-limiter. Omit one of them."),
    (["--rate", "44100"],
     "--rate 44100 contradicts the recording, which has 48000 frames per second and determines the rate; leave --rate out"),
    (["--listener", "2"], "--listener selects a listener of a take, but SCENE is not a take. Omit it."),
    (["--object", "voice.wav@30,path=circle.json"],
     "the path moves the object, and 30 would hold it in place. Write FILE@path=PATH.json, or leave path= out."),
])
def test_options_that_contradict_each_other_are_refused(recording, tmp_path, arguments, words):
    (tmp_path / "motion.csv").write_text("time,yaw\n0,0\n")
    (tmp_path / "circle.json").write_text('{"circle": {"radius": 2, "seconds": 8}}')
    result = run("render", recording, *arguments, "--output", "out.wav", check=False, cwd=tmp_path)
    print(result.stderr)
    assert result.returncode != 0 and words.replace("SCENE", str(recording)) in result.stderr
    assert not (tmp_path / "out.wav").exists()


@pytest.mark.parametrize("method", ["two-band", "ring-spectral"])
def test_block_length_does_not_change_the_output_at_rest(recording, tmp_path, method):
    short = render(recording, tmp_path, "--method", method, "--yaw", 12, "--block", 16)
    long = render(recording, tmp_path, "--method", method, "--yaw", 12, "--block", 1000)
    assert numpy.abs(short - long).max() < 1e-6


def test_the_description_beside_the_recording(recording):
    description = json.loads(recording.with_suffix(".json").read_text())
    assert description["array"]["count"] == 16
    assert description["array"]["azimuths"][:3] == [0, -22.5, -45]
    assert description["sources"][0]["azimuth"] == 30


@pytest.mark.parametrize("arguments, words", [
    (["render", "nothing.wav", "--output", "x.wav"], "nothing.wav"),
    (["render", "SCENE", "--output", "x.wav", "--method", "best"], "nearest"),
    (["render", "SCENE", "--output", "x.ogg"], ".wav"),
    (["render", "SCENE", "--output", "x.wav", "--yaw", "nan"], "at most 1000000 degrees"),
    (["render", "SCENE", "--output", "x.wav", "--ear-azimuth", "900"], "from 60.0 to 120.0 degrees"),
    (["render", "SCENE", "--output", "x.wav", "--ear-azimuth", "nan"], "from 60.0 to 120.0 degrees"),
    (["render", "SCENE", "--output", "x.wav", "--hrtf", "ears.sofa"], "--method hrtf"),
    (["render", "SCENE", "--output", "x.wav", "--head-radius", "0.08"], "--method hrtf"),
    (["synth", "--source", "nothing.wav@30", "--output", "x.wav"], "nothing.wav"),
    (["synth", "--output", "x.wav"], "--source"),
])
def test_invalid_input_is_refused_with_the_reason(recording, tmp_path, arguments, words):
    arguments = [str(recording) if word == "SCENE" else word for word in arguments]
    result = run(*arguments, check=False, cwd=tmp_path)
    assert result.returncode != 0
    assert words in result.stderr + result.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def loud_recording(tmp_path_factory):
    """Noise up to 16 kHz on 8 microphones, 6 dB louder at times than full scale, softer before and after."""
    folder = tmp_path_factory.mktemp("loud")
    spectrum = numpy.fft.rfft(generator(11).standard_normal((3 * RATE, 8)), axis=0)
    spectrum[16_000 * 3:] = 0
    noise = numpy.fft.irfft(spectrum, axis=0)
    envelope = numpy.interp(numpy.arange(len(noise)) / RATE, [0, 0.9, 1.1, 1.9, 2.1, 3], [0.02, 0.02, 0.6, 0.6, 0.02, 0.02])
    wave_file.write(folder / "loud.wav", noise * envelope[:, None])
    return folder / "loud.wav"


def levels_in(report):
    """Returns sample peak, true peak and loudness of the last line, and its words about the limiter."""
    found = re.fullmatch(
        r"peak (\S+) dBFS, true peak (\S+) dBTP, loudness (\S+) LUFS; limiter (.*)", report.strip().splitlines()[-1])
    assert found, report
    return *map(float, found.groups()[:3]), found.group(4)


@pytest.mark.parametrize("ceiling", [-1, -6])
def test_the_limiter_is_that_of_live_sound(loud_recording, tmp_path, ceiling):
    options = ["--method", "nearest", "--block", 100, "--overwrite", "--output", tmp_path / "ears.wav"]
    report = run("render", loud_recording, *options, "--no-limiter").stdout
    free, _ = wave_file.read(tmp_path / "ears.wav")
    assert loudness.true_peak(free) > 3 and levels_in(report)[3] == "off"
    report = run("render", loud_recording, *options, "--ceiling", ceiling).stdout
    limited, _ = wave_file.read(tmp_path / "ears.wav")
    assert len(limited) == len(free)
    assert ceiling - 0.3 < loudness.true_peak(limited) < ceiling + 0.2
    # Latency is compensated, and before the first loud sound nothing is changed.
    assert numpy.array_equal(limited[:RATE // 2], free[:RATE // 2])
    assert numpy.abs(limited[-RATE // 4:] - free[-RATE // 4:]).max() < 1e-3
    taken = float(re.fullmatch(r"up to (\S+) dB", levels_in(report)[3]).group(1))
    assert abs(taken - (loudness.true_peak(free) - ceiling)) < 0.2


def test_sound_below_the_ceiling_is_the_same_with_the_limiter(recording, tmp_path):
    options = ["--method", "ring-spectral", "--yaw", 20]
    one = render(recording, tmp_path, *options)
    assert numpy.abs(one).max() > 0.2
    assert numpy.array_equal(one, render(recording, tmp_path, *options, "--no-limiter"))


@pytest.mark.parametrize("command", ["render", "process"])
def test_levels_are_reported(loud_recording, tmp_path, command):
    output = tmp_path / "ears.wav"
    if command == "render":
        report = run("render", loud_recording, "--method", "nearest", "--output", output).stdout
    else:
        channels, _ = wave_file.read(loud_recording)
        wave_file.write(tmp_path / "in.wav", channels[:, :2])
        report = run("process", tmp_path / "in.wav", "--rack", "presets/telephone.json", "--output", output).stdout
    samples, _ = wave_file.read(output)
    peak, true_peak, integrated, _ = levels_in(report)
    assert abs(peak - 20 * numpy.log10(numpy.abs(samples).max())) < 0.006
    assert abs(true_peak - loudness.true_peak(samples)) < 0.2
    assert abs(integrated - loudness.integrated(samples)) < 0.1


@pytest.mark.parametrize("rate", [44_100, 48_000, 96_000])
def test_true_peaks_of_white_noise_are_found(tmp_path, rate):
    """Peaks between samples depend on samples far away when there is energy up to half the rate."""
    (tmp_path / "rack.json").write_text(json.dumps({"version": 2, "title": "Unchanged", "slots": [{"effect": "equaliser"}]}))
    random = generator(31)
    for options in (["--no-limiter"], []):
        wave_file.write(tmp_path / "in.wav", 0.25 * random.standard_normal((rate, 2)), rate)
        report = run(
            "process", tmp_path / "in.wav", "--rack", tmp_path / "rack.json", "--output", tmp_path / "out.wav", "--overwrite", "--cut",
            *options).stdout
        samples, _ = wave_file.read(tmp_path / "out.wav")
        expected = loudness.true_peak(samples)
        assert abs(levels_in(report)[1] - expected) < 0.1
        assert options or expected < -1 + 0.2


def test_silence_and_wrong_ceilings_are_named(tmp_path):
    wave_file.write(tmp_path / "silence.wav", numpy.zeros((4800, 4)))
    report = run("render", tmp_path / "silence.wav", "--output", tmp_path / "ears.wav").stdout
    assert report.strip().splitlines()[-1] == "silence; limiter not active"
    refused = run("render", tmp_path / "silence.wav", "--output", tmp_path / "two.wav", "--ceiling", 1, check=False)
    assert refused.returncode != 0 and "give -24 to 0 dB" in refused.stderr
