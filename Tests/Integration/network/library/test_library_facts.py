"""Facts about the content of the library's files, against what was written into them and other readers of the same files."""

import shutil

import netCDF4
import numpy
import pyloudnorm
import pytest

import film
import installation
import sphere_head
import wave_file
from library_client import Running
from waiting import until

RATE = 48_000


def facts(engine, name):
    """The library's entry of a file, once it has been read."""
    return until(lambda: next((file for place, file in engine.files().items() if place == name and
                               {"sound", "video", "hrtf", "problem"} & file.keys()), None))


def test_a_folder_of_mono_files_is_a_recording(tmp_path):
    data = tmp_path / "data/vestibule"
    folder = data / "recordings/ring"
    folder.mkdir(parents=True)
    time = numpy.arange(5 * RATE) / RATE
    # Microphone 1 and the opposite one, 5, at −20 dB of full scale; the others are quieter.
    rows = [(0.1 if number in (0, 4) else 0.05) * numpy.sin(2 * numpy.pi * 997 * time + number) for number in range(8)]
    for number, row in enumerate(rows):
        wave_file.write(folder / f"mic {number + 1}.wav", row)
    with Running(data, tmp_path) as engine:
        ring = facts(engine, "recordings/ring")
        assert ring["isFolder"] is True and ring["kind"] == "recordings"
        sound = ring["sound"]
        assert (sound["channels"], sound["rate"], sound["seconds"]) == (8, RATE, 5)
        assert sound["array"]["microphones"] == 8 and sound["peak"] == pytest.approx(-20, abs=0.1)
        expected = pyloudnorm.Meter(RATE).integrated_loudness(numpy.stack([rows[0], rows[4]], axis=1))
        assert sound["loudness"] == pytest.approx(expected, abs=0.1)
        assert len(sound["outline"]) == 240 and set(sound["outline"][0::2] + sound["outline"][1::2]) <= set("0123456789abcdef")
        status, _, body = engine.get("/library/spectrograms/recordings/ring", "view")
        assert status == 200 and b'"levels"' in body
        # Files inside it are no entries of their own.
        assert [name for name in engine.files() if "mic" in name] == []


def test_videos_have_size_length_and_layout(tmp_path):
    data = tmp_path / "data/vestibule"
    (data / "recordings").mkdir(parents=True)
    film.write(data / "recordings/plain.webm", 2)
    film.write(data / "recordings/stereo.webm", 1, stereo=3)
    (data / "recordings/broken.mp4").write_bytes(b"not a film")
    with Running(data, tmp_path) as engine:
        plain = facts(engine, "recordings/plain.webm")["video"]
        assert (plain["width"], plain["height"], plain["rate"], plain["codec"]) == (film.WIDTH, film.HEIGHT, film.RATE, "vp8")
        assert plain["seconds"] == pytest.approx(2, abs=0.05) and plain["layout"] == "mono" and plain["isEquirectangular"] is False
        assert facts(engine, "recordings/stereo.webm")["video"]["layout"] == "top-bottom"
        broken = facts(engine, "recordings/broken.mp4")
        assert "video" not in broken and "broken.mp4" in broken["problem"]
    # A second run has them from its cache, and the same.
    with Running(data, tmp_path) as engine:
        assert facts(engine, "recordings/plain.webm")["video"] == plain


def test_hrtfs_have_directions_and_lengths(tmp_path):
    data = tmp_path / "data/vestibule"
    (data / "hrtf").mkdir(parents=True)
    shutil.copy(installation.HRTF, data / "hrtf/head.sofa")
    (data / "hrtf/broken.sofa").write_bytes(b"not a SOFA file")
    # Texts beyond ASCII, which netCDF stores in another form.
    sphere_head.write_sphere(data / "hrtf/umlaut.sofa", 0.09, step=15, Organization="Universität Nord", Title="Kopf № 1")
    with Running(data, tmp_path) as engine, netCDF4.Dataset(installation.HRTF) as sofa:
        hrtf = facts(engine, "hrtf/head.sofa")["hrtf"]
        directions, _, samples = sofa["Data.IR"].shape
        assert (hrtf["directions"], hrtf["samples"]) == (directions, samples)
        assert hrtf["rate"] == float(numpy.ravel(sofa["Data.SamplingRate"][:])[0])
        elevations = sofa["SourcePosition"][:, 1]
        assert (hrtf["lowest"], hrtf["highest"]) == (pytest.approx(elevations.min(), abs=0.1), pytest.approx(elevations.max(), abs=0.1))
        assert "broken.sofa" in facts(engine, "hrtf/broken.sofa")["problem"]
        umlaut = facts(engine, "hrtf/umlaut.sofa")["hrtf"]
        assert (umlaut["directions"], umlaut["lowest"], umlaut["highest"]) == (len(sphere_head.directions(15)[0]), -30, 30)


def test_names_with_signs_lead_to_their_own_files(tmp_path):
    """An ampersand in a path is a part of the name, escaped or not."""
    data = tmp_path / "data/vestibule"
    (data / "sounds").mkdir(parents=True)
    for name in ("c&d.wav", "c,d.wav", "a & b.wav"):
        wave_file.write(data / "sounds" / name, 0.1 * numpy.ones(len(name) * 100))
    with Running(data, tmp_path) as engine:
        for path, name in (("c&d.wav", "c&d.wav"), ("c%26d.wav", "c&d.wav"), ("c,d.wav", "c,d.wav"), ("a%20&%20b.wav", "a & b.wav")):
            until(lambda: "sounds/c&d.wav" in engine.files())
            assert engine.get(f"/library/sounds/{path}")[2] == (data / "sounds" / name).read_bytes(), path
        for path in ("c&&d.wav", "c&d.wav&", "&c&d.wav"):
            assert engine.ask("GET", f"/library/sounds/{path}")[0] in (400, 404), path
