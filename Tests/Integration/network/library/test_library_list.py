"""The media library: listed with measurements, searched, downloaded in ranges, and deleted into the trash."""

import hashlib
import json
import os
import socket
import urllib.error

import numpy
import pyloudnorm
import pytest

import seeds
import wave_file
from figures import figure, measured
from library_client import Running
from waiting import holds, until


def test_files_are_listed_with_what_was_measured(running, data):
    files = running.measured()
    assert ".hidden.wav" not in " ".join(files)
    bell, samples = files["sounds/bell.wav"], wave_file.read(data / "sounds" / "bell.wav")[0]
    assert (bell["sound"]["channels"], bell["sound"]["rate"], bell["sound"]["seconds"]) == (2, 48_000, 2)
    assert bell["size"] == (data / "sounds" / "bell.wav").stat().st_size
    assert abs(bell["sound"]["loudness"] - pyloudnorm.Meter(48_000).integrated_loudness(samples)) < 0.15
    assert abs(bell["sound"]["peak"] - 20 * numpy.log10(abs(samples).max())) < 0.06
    outline = numpy.frombuffer(bytes.fromhex(bell["sound"]["outline"]), numpy.uint8) / 255
    expected = abs(samples).max(axis=1).reshape(120, -1).max(axis=1)
    assert abs(outline - expected).max() <= 0.5 / 255 + 1e-6
    # An array is as loud as its first microphone and the opposite one.
    ring = files["recordings/ring.wav"]
    pair = wave_file.read(data / "recordings" / "ring.wav")[0][:, [0, 4]]
    assert abs(ring["sound"]["loudness"] - pyloudnorm.Meter(48_000).integrated_loudness(pair)) < 0.15
    assert "problem" in files["sounds/broken.wav"] and "sound" not in files["sounds/broken.wav"]


def spectrogram(running, file):
    """Levels in dB by band and time, and the centres of the bands in Hz."""
    sent = json.loads(running.get(f"/library/spectrograms/{file}", "view")[2])
    digits = numpy.array([int(digit, 36) for digit in sent["levels"]]).reshape(sent["columns"], sent["rows"])
    edges = sent["lowest"] * (sent["highest"] / sent["lowest"]) ** (numpy.arange(sent["rows"] + 1) / sent["rows"])
    return sent["floor"] * (1 - digits / 35), edges


def test_spectrograms_are_those_of_the_sound(running, data):
    time = numpy.arange(48_000 * 4) / 48_000
    sweep = 0.5 * numpy.sin(2 * numpy.pi * 100 * 4 / numpy.log(80) * (80 ** (time / 4) - 1))
    wave_file.write(data / "sounds" / "sweep.wav", sweep)
    wave_file.write(data / "sounds" / "tone.wav", 0.1 * numpy.sin(2 * numpy.pi * 1000 * time)[:, None] * [1, 0])
    wave_file.write(data / "sounds" / "short.wav", numpy.full((100, 1), 0.5))
    until(lambda: all("sound" in running.files().get(f"sounds/{name}.wav", {}) for name in ("sweep", "tone", "short")))
    levels, edges = spectrogram(running, "sounds/sweep.wav")
    assert levels.shape == (120, 32)
    # The same with numpy: a Hann window of 4,096 frames in the middle of each part, and the strongest bin of each band.
    padded = numpy.pad(sweep, 2048)
    window = numpy.hanning(4097)[:-1] * 4 / 4096
    frequencies = numpy.fft.rfftfreq(4096, 1 / 48_000)
    for column in range(120):
        begin = (2 * column + 1) * len(sweep) // 240
        power = abs(numpy.fft.rfft(window * padded[begin:begin + 4096])) ** 2
        for row in range(32):
            inside = power[(frequencies >= edges[row]) & (frequencies < edges[row + 1])]
            if len(inside):
                expected = max(10 * numpy.log10(inside.max()), -102)
                assert abs(levels[column, row] - min(expected, 0)) < 1.8, (column, row)
    # The sweep rises evenly from 100 to 8,000 Hz.
    strongest = edges[levels.argmax(axis=1)]
    at = 100 * 80 ** ((numpy.arange(120) + 0.5) / 120)
    assert (abs(numpy.log(strongest[3:-3] / at[3:-3])) < numpy.log(edges[1] / edges[0]) * 1.1).all()
    # A tone of -20 dB in one of two channels has half its power on average.
    levels, edges = spectrogram(running, "sounds/tone.wav")
    band = numpy.searchsorted(edges, 1000) - 1
    assert (abs(levels[3:-3, band] + 23) < 1.8).all() and (levels[5:-5, :band - 2] < -80).all()
    assert spectrogram(running, "sounds/short.wav")[0].shape == (100, 32)
    for name in ("broken.wav", "none.wav", "../tokens"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            running.get(f"/library/spectrograms/sounds/{name}")
        assert refused.value.code == 404
    assert "spectrogram" not in running.files()["sounds/sweep.wav"]["sound"]


def test_files_that_come_and_go_are_noticed_and_measurements_are_kept(data, tmp_path):
    with Running(data, tmp_path) as engine:
        engine.measured()
        changes = engine.now("/media/changes")
        wave_file.write(data / "sounds" / "new.wav", numpy.full((4800, 1), 0.5))
        until(lambda: "sound" in engine.files().get("sounds/new.wav", {}))
        assert engine.now("/media/changes") > changes
        (data / "sounds" / "new.wav").unlink()
        until(lambda: "sounds/new.wav" not in engine.files())
        until((tmp_path / "cache" / "vestibule" / "library.json").exists)
    with Running(data, tmp_path) as engine:
        # The first list has all measurements already, but for that of the broken file.
        first = until(engine.files)
        assert first["sounds/bell.wav"]["sound"]["channels"] == 2


def test_files_are_downloaded_in_ranges_by_those_who_may(running, data):
    until(running.files)
    whole = (data / "sounds" / "bell.wav").read_bytes()
    status, headers, body = running.get("/library/sounds/bell.wav")
    assert (status, body) == (200, whole) and headers["Content-Disposition"] == "attachment"
    digest, rng = hashlib.sha256(), seeds.generator(63)
    at = 0
    while at < len(whole):
        count = int(rng.integers(1, 200_000))
        status, _, part = running.get("/library/sounds/bell.wav", Range=f"bytes={at}-{at + count - 1}")
        assert status == 206
        digest.update(part)
        at += len(part)
    assert digest.digest() == hashlib.sha256(whole).digest()
    # Connections that end within an answer: what has come is not asked for again.
    received = b""
    for turn in range(21):
        wanted = len(whole) if turn == 20 else len(received) + int(rng.integers(1, (len(whole) - len(received)) // 4))
        with socket.create_connection(("127.0.0.1", running.ready["http_port"]), timeout=60) as connection:
            connection.sendall(
                f"GET /library/sounds/bell.wav HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {running.tokens['control']}\r\n"
                f"Range: bytes={len(received)}-\r\n\r\n".encode())
            answer = connection.makefile("rb")
            assert b" 206 " in answer.readline()
            while answer.readline() != b"\r\n":
                pass
            received += answer.read(wanted - len(received))
            assert len(received) == wanted
    assert hashlib.sha256(received).digest() == hashlib.sha256(whole).digest()
    for path, role, code in [("/library/sounds/bell.wav", "view", 403), ("/library/sounds/bell.wav", None, 401), ("/library", None, 401),
                             ("/library/sounds/none.wav", "control", 404), ("/library/elsewhere/bell.wav", "control", 404),
                             ("/library/sounds/..%2f..%2f..%2ftokens", "control", 404), ("/library/sounds/.hidden.wav", "control", 404)]:
        with pytest.raises(urllib.error.HTTPError) as refusal:
            running.get(path, role, Accept="application/json")
        assert refusal.value.code == code, path
    assert "sounds/bell.wav" in running.files() and running.get("/library", "view", Accept="application/json")[0] == 200


def test_files_are_deleted_into_the_trash(running, data):
    until(running.files)
    osc = running.osc()
    osc.send_message("/media/delete", "sounds/bell.wav")
    until(lambda: "sounds/bell.wav" not in running.files())
    until((data / "sounds" / ".trash" / "bell.wav").exists)
    for name in ("sounds/bell.wav", "sounds/../recordings/ring.wav", "sounds", "takes/a/b.wav", "/etc/passwd", "recordings/"):
        osc.send_message("/media/delete", name)
    holds(lambda: (data / "recordings" / "ring.wav").exists(), 0.5)
    # A description would be that of the next recording with this name; one that a video shares stays.
    (data / "recordings" / "ring.json").write_text("{}")
    osc.send_message("/media/delete", "recordings/ring.wav")
    until(lambda: not (data / "recordings" / "ring.json").exists())
    until(lambda: (data / "recordings" / ".trash" / "ring.json").exists() and not (data / "recordings" / "ring.wav").exists())


def test_further_folders_are_only_read(data, tmp_path):
    (tmp_path / "more").mkdir()
    wave_file.write(tmp_path / "more" / "far.wav", numpy.full((4800, 4), 0.25))
    with Running(data, tmp_path, "--library", tmp_path / "more") as engine:
        far = engine.measured()["folder1/far.wav"]
        assert far["isReadOnly"] and far["path"] == str(tmp_path / "more" / "far.wav") and far["kind"] == "recordings"
        engine.osc().send_message("/media/delete", "folder1/far.wav")
        holds((tmp_path / "more" / "far.wav").exists, 0.5)
        engine.osc().send_message("/session/recording", far["path"])
        until(lambda: engine.now("/session/recording") == far["path"])


def test_files_that_the_command_line_names_are_listed(data, tmp_path):
    (tmp_path / "more").mkdir()
    for name in ("near.wav", "other.wav"):
        wave_file.write(tmp_path / "more" / name, numpy.full((4800, 4), 0.25))
    near = tmp_path / "more" / "near.wav"
    with Running(data, tmp_path, "--recording", near, "--list", near, "--list", data / "recordings" / "ring.wav") as engine:
        named = engine.measured()["named1/near.wav"]
        assert (named["path"], named["kind"], named["isReadOnly"]) == (str(near), "recordings", True)
        assert {"recordings/ring.wav", "named1/near.wav"} == {name for name in engine.files() if name.endswith(("ring.wav", "near.wav"))}
        assert engine.get("/library/named1/near.wav", "control")[2] == near.read_bytes()
        with pytest.raises(urllib.error.HTTPError) as refusal:
            engine.get("/library/named1/other.wav", "control")
        assert refusal.value.code == 404
        engine.osc().send_message("/media/delete", "named1/near.wav")
        holds(near.exists, 0.5)


def test_links_out_of_the_folders_are_not_listed(data, tmp_path):
    (tmp_path / "secret").mkdir()
    wave_file.write(tmp_path / "secret" / "far.wav", numpy.full((4800, 1), 0.25))
    (data / "sounds" / "link.wav").symlink_to(tmp_path / "secret" / "far.wav")
    (data / "sounds" / "inside.wav").symlink_to(data / "sounds" / "bell.wav")
    (data / "recordings" / "folder").symlink_to(tmp_path / "secret")
    (data / "takes").mkdir()
    (data / "takes" / "mine").symlink_to(tmp_path / "secret")
    os.mkfifo(data / "sounds" / "fifo.wav")
    with Running(data, tmp_path) as engine:
        files = until(engine.files)
        assert set(files) == {"recordings/ring.wav", "sounds/bell.wav", "sounds/broken.wav", "sounds/inside.wav"}


@pytest.fixture
def large(data, tmp_path):
    """An engine with more files than are listed."""
    rng = seeds.generator(65)
    wave_file.write(tmp_path / "one.wav", rng.uniform(-0.5, 0.5, (480, 1)))
    for number in range(10_050):
        os.link(tmp_path / "one.wav", data / "sounds" / f"one {number}.wav")
    with Running(data, tmp_path) as engine:
        yield engine


def listed_and_measured(engine):
    """The whole list, after which more sounds have been measured, or all had been."""
    assert len(until(engine.files)) == 10_000
    whole = json.loads(engine.get("/library", Accept="application/json")[2])
    until(lambda: json.loads(engine.get("/library", Accept="application/json")[2])["waiting"] < max(1, whole["waiting"]))
    return whole


def test_ten_thousand_files_are_listed(large):
    whole = listed_and_measured(large)
    assert whole["isTruncated"] and whole["size"] > 10_000 * 480


@measured
def test_the_control_thread_makes_no_list_itself(large):
    listed_and_measured(large)
    longest = max((computing for _, computing in large.longest_turns()), default=0)
    figure("longest computing of the control thread with ten thousand files", longest, at_most=20, unit="ms")


def test_a_part_of_the_list_is_found(running, data):
    for name in ("bird 10.wav", "Bird 2.wav", "wind.wav"):
        os.link(data / "sounds" / "bell.wav", data / "sounds" / name)
    until(lambda: {"sounds/bird 10.wav", "sounds/Bird 2.wav", "sounds/wind.wav"} <= set(running.files()))
    running.measured()

    def found(query):
        answer = json.loads(running.get(f"/library?{query}", "view", Accept="application/json")[2])
        return [file["name"] for file in answer["files"]], answer["found"]

    assert found("search=bird") == (["Bird 2.wav", "bird 10.wav"], 2)
    assert found("search=WAV%20bird&count=1&from=1") == (["bird 10.wav"], 2)
    assert found("search=bird%20wind")[1] == 0
    assert found("kind=recordings") == (["ring.wav"], 1)
    assert found("order=size&count=1")[0] == ["ring.wav"]
    names, count = found("order=loudness&kind=sounds")
    assert count == 5 and names[-1] == "broken.wav"
    running.osc().send_message("/media/about", json.dumps({"file": "sounds/wind.wav", "title": "Breeze", "tags": ["May"]}))
    until(lambda: found("tag=May") == (["wind.wav"], 1))
    assert found("search=breeze")[0] == ["wind.wav"]
    for wrong in ("order=colour", "count=0", "count=1e9", "from=-1"):
        with pytest.raises(urllib.error.HTTPError) as refusal:
            running.get(f"/library?{wrong}", Accept="application/json")
        assert refusal.value.code == 400, wrong
    ring = running.files()["recordings/ring.wav"]["sound"]
    assert ring["array"] == {"microphones": 8, "radius": 87.5}
