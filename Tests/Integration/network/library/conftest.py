"""An engine with a media library of three files."""

import pytest

import seeds
import wave_file
from library_client import UPLOADS, Running
from waiting import until


@pytest.fixture
def data(tmp_path):
    """The folder of the program's data, with a recording of eight channels, a stereo sound and a damaged one."""
    folder = tmp_path / "data" / "vestibule"
    (folder / "recordings").mkdir(parents=True)
    (folder / "sounds").mkdir()
    rng = seeds.generator(61)
    wave_file.write(folder / "recordings" / "ring.wav", 0.1 * rng.standard_normal((48_000, 8)).clip(-3, 3))
    wave_file.write(folder / "sounds" / "bell.wav", 0.2 * rng.standard_normal((96_000, 2)).clip(-3, 3))
    (folder / "sounds" / "broken.wav").write_bytes(b"RIFF" + bytes(100))
    (folder / "sounds" / ".hidden.wav").write_bytes(b"x")
    return folder


@pytest.fixture
def running(data, tmp_path):
    with Running(data, tmp_path) as engine:
        # 503 while the uploads of an earlier run are being read.
        until(lambda: engine.ask("HEAD", f"{UPLOADS}/none")[0] == 404)
        yield engine
