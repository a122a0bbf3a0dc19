"""Fixtures of the pages “Listen” and /view."""

import json
import subprocess

import numpy
import pytest

import film
import wave_file
from listen_page import RATE, SECONDS
from program import PROGRAM, ROOT
from seeds import generator


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site with one recording of eight microphones, of which the one in front has noise and the others silence. Seed: 31."""
    folder = tmp_path_factory.mktemp("site")
    recording = numpy.zeros((SECONDS * RATE - 1000, 8), numpy.float32)
    recording[:, 0] = generator(31).standard_normal(len(recording)) * 0.1
    wave_file.write(folder / "front.wav", recording)
    subprocess.run([ROOT / "web/site.sh", PROGRAM, folder / "site", folder / "front.wav", 'The "front"'], check=True, capture_output=True)
    return folder / "site"


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """Thirty seconds that click once a second, and their film, which the file beside the recording names."""
    folder = tmp_path_factory.mktemp("film")
    film.write_clicks(folder / "clicks.wav", 30)
    film.write(folder / "clicks.webm", 30)
    (folder / "clicks.json").write_text(json.dumps({"video": {"file": "clicks.webm"}}))
    return folder / "clicks.wav"
