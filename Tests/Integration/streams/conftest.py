"""An engine with HLS streams of a noise of which no two places are alike."""

import json

import pytest
import scipy.signal

import wave_file
from hls_streams import Streams
from seeds import generator


@pytest.fixture(scope="module")
def streams(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hls")
    noise = generator(51).normal(0, 0.1, (960_000, 4))
    # No two places of noise are alike; a narrow band of it is what both codecs keep well.
    low = scipy.signal.sosfilt(scipy.signal.butter(4, [200, 2000], "bandpass", fs=48_000, output="sos"), noise, axis=0)
    wave_file.write(folder / "noise.wav", low)
    (folder / "noise.json").write_text(json.dumps({"microphones": 4}))
    with Streams("--recording", folder / "noise.wav", "--token-file", folder / "tokens", "--hls", 2) as engine:
        engine.tokens = dict(line.split() for line in (folder / "tokens").read_text().splitlines())
        engine.key = json.loads(engine.ask("/hls/address")[2])["path"].removeprefix("/hls/key/")
        # The first request begins the encoder and waits for a segment.
        engine.playlist()
        yield engine
