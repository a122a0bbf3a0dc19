"""The commands `evaluate` and `encode`."""

import csv

import numpy
import pytest

import wave_file
from program import run
from seeds import generator

RATE = 48_000


def test_the_same_seed_gives_the_same_figures(tmp_path):
    for folder in ("one", "two"):
        run("evaluate", "--quick", "--microphones", 16, "--output", tmp_path / folder)
    tables = sorted(path.name for path in (tmp_path / "one").glob("*.csv"))
    assert tables
    for name in tables:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    report = (tmp_path / "one" / "report.html").read_text()
    assert "<svg" in report and "src=" not in report  # One self-contained file.
    rows = list(csv.DictReader((tmp_path / "one" / "static.csv").open()))
    assert {"nearest", "linear", "two-band"} <= {row["method"] for row in rows}


def test_personal_is_measured_against_its_target_ears(tmp_path):
    run("evaluate", "--quick", "--microphones", 16, "--methods", "hrtf,nearest", "--head-radius", 0.08,
        "--output", tmp_path)
    rows = {row["method"]: row for row in csv.DictReader((tmp_path / "static.csv").open())}
    assert float(rows["hrtf"]["mean_db"]) < 0.5 < float(rows["nearest"]["mean_db"])
    assert float(rows["hrtf"]["itd_p95_us"]) < 15
    assert rows["hrtf"]["latency_samples"] == "224"
    turning = [row for row in csv.DictReader((tmp_path / "moving.csv").open()) if row["method"] == "hrtf"]
    assert len(turning) == 6 and all(float(row["mean_db"]) < 0.8 for row in turning)
    assert "<dt>hrtf</dt>" in (tmp_path / "report.html").read_text()


def test_a_recording_becomes_ambisonics(tmp_path):
    noise = generator(3).standard_normal(RATE) * 0.1
    wave_file.write(tmp_path / "noise.wav", noise)
    run("synth", "--microphones", 16, "--source", f"{tmp_path / 'noise.wav'}@90", "--output", tmp_path / "scene.wav")
    run("encode", tmp_path / "scene.wav", "--order", 3, "--output", tmp_path / "ambix.wav")
    ambix, rate = wave_file.read(tmp_path / "ambix.wav")
    assert rate == RATE and ambix.shape[1] == 16
    # From the left: Y (channel 1) equals W (channel 0), X (channel 3) is nearly zero.
    spectra = numpy.fft.rfft(ambix, axis=0)
    hertz = numpy.fft.rfftfreq(len(ambix), 1 / RATE)
    band = (hertz > 400) & (hertz < 2000)
    power = (numpy.abs(spectra[band]) ** 2).sum(axis=0)
    assert abs(10 * numpy.log10(power[1] / power[0])) < 0.3
    assert 10 * numpy.log10(power[3] / power[0]) < -30


def test_an_order_that_is_too_high_is_refused_with_the_highest_one(tmp_path):
    wave_file.write(tmp_path / "eight.wav", [[0.1] * 8] * 4800)
    result = run("encode", tmp_path / "eight.wav", "--order", 7, "--output", tmp_path / "x.wav", check=False)
    assert result.returncode != 0 and "3" in result.stderr + result.stdout
    assert not (tmp_path / "x.wav").exists()


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A recording of one's own, a motion, and a reference: what the best method renders, from twice as many microphones."""
    folder = tmp_path_factory.mktemp("own")
    wave_file.write(folder / "noise.wav", generator(5).standard_normal(RATE) * 0.05)
    for count in (16, 32):
        run("synth", "--microphones", count, "--source", f"{folder / 'noise.wav'}@40", "--output", folder / f"{count}.wav")
    (folder / "motion.csv").write_text("time,yaw,pitch,roll\n0,0,0,0\n1,90,0,0\n")
    run("render", folder / "32.wav", "--motion", folder / "motion.csv", "--no-limiter", "--output", folder / "reference.wav")
    return folder


def test_a_recording_of_ones_own_is_compared_with_a_reference(own, tmp_path):
    command = ["evaluate", "--recording", own / "16.wav", "--reference", own / "reference.wav", "--methods", "nearest,linear,ring-spectral"]
    run(*command, "--motion", own / "motion.csv", "--output", tmp_path / "moved")
    run(*command, "--output", tmp_path / "still")
    moved, still = (
        {row["method"]: row for row in csv.DictReader((tmp_path / name / "recording.csv").open())} for name in ("moved", "still"))
    print(moved)
    assert list(moved) == ["nearest", "linear", "ring-spectral"]
    level = {method: float(row["mean_db"]) for method, row in moved.items()}
    assert level["ring-spectral"] < 1 < level["linear"] and level["ring-spectral"] < level["nearest"]
    assert float(moved["ring-spectral"]["itd_mean_us"]) < 15 and abs(float(moved["ring-spectral"]["gain_db"])) < 0.5
    assert all(abs(int(row["delay_samples"])) <= 4 for row in moved.values())
    # The head has to move as in the reference.
    assert float(still["ring-spectral"]["itd_mean_us"]) > 100
    bands = list(csv.DictReader((tmp_path / "moved" / "recording-bands.csv").open()))
    assert len(bands) == 3 * 37
    report = (tmp_path / "moved" / "report.html").read_text()
    assert "<svg" in report and "src=" not in report and "{{" not in report and "reference.wav" in report


@pytest.mark.parametrize("options, words", [
    (["--recording", "16.wav"], "add --reference FILE"),
    (["--reference", "reference.wav"], "--reference is for a recording of your own: add --recording FILE."),
    (["--recording", "16.wav", "--reference", "reference.wav", "--quick", "--seed", 2], "--quick, --seed: for simulated fields only"),
    (["--recording", "16.wav", "--reference", "noise.wav"], "has 1 channel, and a binaural reference has two"),
    (["--recording", "16.wav", "--reference", "short.wav"], "has 24000 frames, and 16.wav has 49"),
    (["--recording", "16.wav", "--reference", "slow.wav"], "has 44100 frames per second, and 16.wav has 48000"),
    (["--recording", "16.wav", "--reference", "none.wav"], "none.wav cannot be opened: No such file or directory"),
])
def test_references_that_do_not_fit_are_refused(own, tmp_path, options, words):
    wave_file.write(own / "short.wav", numpy.zeros((24_000, 2)))
    wave_file.write(own / "slow.wav", numpy.zeros((48_000, 2)), 44_100)
    result = run("evaluate", *options, "--output", tmp_path / "report", check=False, cwd=own)
    assert result.returncode != 0 and words in result.stderr, result.stderr
