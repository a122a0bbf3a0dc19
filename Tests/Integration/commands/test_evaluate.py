"""The commands `evaluate` and `encode`."""

import csv

import numpy

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
