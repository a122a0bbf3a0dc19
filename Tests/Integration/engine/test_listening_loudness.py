"""The sounds of a listening test, as browsers receive them: equally loud by an independent meter."""

import asyncio
import json
import struct

import numpy
import pyloudnorm
import pytest
import websockets

import wave_file
from program import Engine, run
from seeds import generator
from waiting import until

RATE = 48_000
PASSAGE = (1.0, 4.0)


async def without_a_gap(audio, rate, seconds):
    """The next frames, left and right, that follow each other: a page that is stalled misses packets."""
    packets, place = [], 0
    while sum(map(len, packets)) < seconds * rate:
        packet = await audio.recv()
        begin, = struct.unpack_from("<Q", packet, 8)
        if begin != place:
            packets = []
        packets.append(numpy.frombuffer(packet[16:], "<i2").reshape(-1, 2) / 32768)
        place = begin + len(packets[-1])
    return numpy.concatenate(packets)


async def heard(engine, sounds):
    """Integrated loudness of each sound in LUFS, over twice the length of the passage."""
    loudness = []
    async with websockets.connect(engine.socket_url + "/listening-test") as page:
        await page.send(json.dumps({"type": "start"}))
        async with websockets.connect(engine.socket_url + "/audio/1") as audio:
            rate = json.loads(await audio.recv())["rate"]
            view = {}

            async def follow():
                async for text in page:
                    view.update(json.loads(text).get("view", {}))

            task = asyncio.create_task(follow())
            try:
                while view.get("phase") != "trial":
                    await audio.recv()
                for sound in range(sounds):
                    await page.send(json.dumps({"type": "hear", "sound": sound}))
                    while view["heard"] != sound:
                        await audio.recv()
                    # Half a second in which the switch is over, then twice the passage.
                    await without_a_gap(audio, rate, 0.5)
                    pairs = await without_a_gap(audio, rate, 2 * (PASSAGE[1] - PASSAGE[0]))
                    loudness.append(pyloudnorm.Meter(rate).integrated_loudness(pairs))
            finally:
                task.cancel()
    return loudness


@pytest.fixture
def scene(tmp_path):
    """Steady noise from two directions: it is equally loud wherever it is heard, since a busy machine begins the passage again late."""
    for name, seed in (("one", 1), ("other", 2)):
        wave_file.write(tmp_path / f"{name}.wav", 0.1 * generator(seed).standard_normal(10 * RATE))
    run("synth", "--microphones", 16, "--source", f"{tmp_path / 'one.wav'}@50", "--source", f"{tmp_path / 'other.wav'}@-110",
        "--output", tmp_path / "scene.wav")
    return tmp_path / "scene.wav"


def test_all_sounds_are_equally_loud(scene, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "vestibule" / "tests").mkdir(parents=True)
    (tmp_path / "vestibule" / "tests" / "loud.json").write_text(json.dumps({
        "title": "Loud", "reference": "ring-spectral", "conditions": ["nearest", "two-band", "linear"],
        "passages": [{"recording": str(scene), "from": PASSAGE[0], "to": PASSAGE[1]}]}))
    with Engine("--recording", scene, "--allow-path", scene.parent) as engine:
        for address, value in [("definition", "loud"), ("participant", "P1"), ("start", [])]:
            engine.osc().send_message(f"/test/{address}", value)
        # Another minute than usual, because the sounds are rendered and measured before.
        until(lambda: engine.value("/test/state") == "P1: trial 1 of 1", seconds=300)
        loudness = asyncio.run(heard(engine, 7))
        # The log must not tell the gains, nor the seed, while the test runs.
        assert "gains" not in engine.log and "seed" not in engine.log and "anchor" not in engine.log
    print([round(value, 2) for value in loudness])
    assert max(loudness) - min(loudness) < 0.5
    # Unmatched they differ: the matching has something to do.
    gains = json.loads((tmp_path / "vestibule" / "results" / "loud-P1.json").read_text())["gains"][0]
    assert max(gains) == 0 and min(gains) < -1
