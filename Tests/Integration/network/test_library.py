"""The media library: listed with measurements, downloaded in ranges, sent in parts that survive lost connections and the engine's end."""

import base64
import hashlib
import json
import os
import pathlib
import socket
import subprocess
import time
import urllib.error

import numpy
import pyloudnorm
import pytest
from tusclient import client as tus
from tusclient.exceptions import TusCommunicationError

import seeds
import wave_file
from library_client import UPLOADS, Running
from waiting import holds, until

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
        yield engine


def sound(tmp_path, seconds=1.0, name="sent.wav"):
    rng = seeds.generator(62)
    wave_file.write(tmp_path / name, 0.1 * rng.standard_normal((round(48_000 * seconds), 2)))
    return (tmp_path / name).read_bytes()


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
    until(lambda: all("sound" in (running.files() or {}).get(f"sounds/{name}.wav", {}) for name in ("sweep", "tone", "short")))
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
        with socket.create_connection(("127.0.0.1", running.ready["http_port"]), timeout=20) as connection:
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
    assert (data / "sounds" / ".trash" / "bell.wav").exists()
    for name in ("sounds/bell.wav", "sounds/../recordings/ring.wav", "sounds", "takes/a/b.wav", "/etc/passwd", "recordings/"):
        osc.send_message("/media/delete", name)
    holds(lambda: (data / "recordings" / "ring.wav").exists(), 0.5)


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


def test_ten_thousand_files_are_listed(data, tmp_path):
    """The control thread makes no list itself: `Engine` fails when that thread computes for 20 ms at once."""
    rng = seeds.generator(65)
    wave_file.write(tmp_path / "one.wav", rng.uniform(-0.5, 0.5, (480, 1)))
    for number in range(10_050):
        os.link(tmp_path / "one.wav", data / "sounds" / f"one {number}.wav")
    with Running(data, tmp_path) as engine:
        listed = until(lambda: engine.files())
        assert len(listed) == 10_000
        whole = json.loads(engine.get("/library", Accept="application/json")[2])
        assert whole["isTruncated"] and whole["size"] > 10_000 * 480
        until(lambda: json.loads(engine.get("/library", Accept="application/json")[2])["waiting"] < whole["waiting"])


# Uploads in parts.


def test_a_client_of_the_protocol_sends_a_file(running, data, tmp_path):
    sent = sound(tmp_path, seconds=3)
    client = tus.TusClient(running.url + UPLOADS, headers={"Authorization": f"Bearer {running.tokens['control']}"})
    uploader = client.uploader(str(tmp_path / "sent.wav"), chunk_size=100_000, metadata={"kind": "recordings", "filename": "sent.wav"},
                               metadata_encoding="utf-8")
    with pytest.raises(TusCommunicationError, match="422"):
        uploader.upload()
    # Two channels are no array.
    assert not (data / "recordings" / "sent.wav").exists()
    uploader = client.uploader(str(tmp_path / "sent.wav"), chunk_size=100_000, metadata={"kind": "sounds", "filename": "sent.wav"},
                               metadata_encoding="utf-8")
    uploader.upload()
    assert (data / "sounds" / "sent.wav").read_bytes() == sent
    until(lambda: "sound" in (running.files() or {}).get("sounds/sent.wav", {}))
    assert list((data / "sounds").glob(".upload*")) == []


def test_an_upload_survives_twenty_interruptions_and_the_engines_end(data, tmp_path):
    """Bytes that have arrived are not sent again, also after the engine was killed."""
    sent, rng = sound(tmp_path, seconds=20), seeds.generator(64)
    arrived = [0]

    def interrupt(engine, address, times):
        for _ in range(times):
            interrupted(engine, address, sent, int(rng.integers(50_000, 400_000)))
            arrived.append(offset(engine, address))
            assert arrived[-1] >= arrived[-2] and "sounds/sent.wav" not in (engine.files() or {})

    with Running(data, tmp_path) as engine:
        address = engine.begin("sent.wav", len(sent), sha256=hashlib.sha256(sent).hexdigest())[1]["Location"]
        interrupt(engine, address, 10)
        engine.process.kill()
        engine.process.wait(timeout=10)
    with Running(data, tmp_path) as engine:
        assert offset(engine, address) >= arrived[-1] > 0
        interrupt(engine, address, 10)
        until(lambda: sent_rest(engine, address, sent))
        assert hashlib.sha256((data / "sounds" / "sent.wav").read_bytes()).digest() == hashlib.sha256(sent).digest()
        assert engine.ask("HEAD", address)[0] == 404


def test_checked_parts_are_sent_twice_at_most(running, data, tmp_path):
    """As the panel sends: each part has a checksum, and one whose connection ends is sent again from its beginning."""
    sent, rng = sound(tmp_path, seconds=20), seeds.generator(66)
    address = running.begin("sent.wav", len(sent), sha256=hashlib.sha256(sent).hexdigest())[1]["Location"]
    size = -(-len(sent) // 20)
    for at in range(0, len(sent), size):
        part = sent[at:at + size]
        checksum = f"sha256 {base64.b64encode(hashlib.sha256(part).digest()).decode()}"
        interrupted(running, address, sent, int(rng.integers(1, len(part))), end=at + len(part), checksum=checksum)
        # Nothing before the part is asked for again.
        assert offset(running, address) == at
        # The part of the connection that has ended may only come now.
        until(lambda: running.part(address, at, part, Upload_Checksum=checksum)[0] == 204)
    assert (data / "sounds" / "sent.wav").read_bytes() == sent


def kept(data, name, content, length, begun=None, kind="sounds", sha256=None):
    """Files of an upload as an engine that has ended leaves them."""
    number = hashlib.md5(name.encode()).hexdigest()
    about = {"id": number, "kind": kind, "name": name, "length": length, "replaces": False, "begun": begun or time.time()}
    (data / "sounds" / f".upload-{number}.json").write_text(json.dumps(about | ({"sha256": sha256} if sha256 else {})))
    if content is not None:
        (data / "sounds" / f".upload-{number}.part").write_bytes(content)
    return f"{UPLOADS}/{number}"


def test_uploads_of_an_engine_that_was_killed_are_stored_continued_or_removed(data, tmp_path):
    sent = sound(tmp_path)
    half = kept(data, "half.wav", sent[:1000], len(sent))
    whole = kept(data, "whole.wav", sent, len(sent))
    other = kept(data, "other.wav", sent, len(sent), sha256="0" * 64)
    old = kept(data, "old.wav", sent[:1000], len(sent), begun=time.time() - 3 * 24 * 3600)
    lost = kept(data, "lost.wav", None, len(sent))
    with Running(data, tmp_path) as engine:
        until(lambda: (data / "sounds" / "whole.wav").exists())
        assert (data / "sounds" / "whole.wav").read_bytes() == sent
        assert offset(engine, half) == 1000
        assert [engine.ask("HEAD", address)[0] for address in (whole, other, old, lost)] == [404] * 4
        assert engine.part(half, 1000, sent[1000:])[0] == 204
        assert (data / "sounds" / "half.wav").read_bytes() == sent
        assert not list((data / "sounds").glob(".upload*")) and not (data / "sounds" / "other.wav").exists()


def sent_rest(engine, address, sent):
    """Sends what is missing; false when the engine is still busy with a part of a connection that has ended."""
    start = offset(engine, address)
    try:
        status, _, text = engine.part(address, start, sent[start:])
    except ConnectionError:
        return False
    assert status in (204, 409, 423), text
    return status == 204


def offset(engine, address):
    """Bytes that have been received; asked again while a part is being written."""
    def look():
        status, headers, _ = engine.ask("HEAD", address)
        assert status in (200, 423, 503), status
        return headers["Upload-Offset"] if status == 200 else None
    return int(until(look))


def interrupted(engine, address, sent, count, end=None, checksum=None):
    """Sends a part, up to `end` of the file, whose connection ends after some bytes."""
    start = offset(engine, address)
    part = sent[start:start + count]
    with socket.create_connection(("127.0.0.1", engine.ready["http_port"]), timeout=20) as connection:
        lines = [f"PATCH {address} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {engine.tokens['control']}",
                 "Tus-Resumable: 1.0.0", "Content-Type: application/offset+octet-stream", f"Upload-Offset: {start}",
                 f"Content-Length: {(end or len(sent)) - start}", *([f"Upload-Checksum: {checksum}"] if checksum else [])]
        connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + part)


def test_a_damaged_part_is_refused_and_the_file_stays_whole(running, data, tmp_path):
    sent = sound(tmp_path)
    status, headers, _ = running.begin("sent.wav", len(sent))
    assert status == 201 and "Upload-Expires" in headers
    address = headers["Location"]
    digest = f"sha256 {base64.b64encode(hashlib.sha256(sent[:1000]).digest()).decode()}"
    damaged = bytearray(sent[:1000])
    damaged[500] ^= 1
    assert running.part(address, 0, bytes(damaged), Upload_Checksum=digest)[0] == 460
    assert offset(running, address) == 0
    assert running.part(address, 0, sent[:1000], Upload_Checksum=digest)[0] == 204
    assert running.part(address, 999, sent[1000:])[0] == 409
    assert running.part(address, 1000, sent[1000:] + b"x")[0] == 413
    assert running.part(address, 1000, sent[1000:])[0] == 204
    assert (data / "sounds" / "sent.wav").read_bytes() == sent


def test_a_file_with_another_hash_is_not_stored(running, data, tmp_path):
    sent = sound(tmp_path)
    address = running.begin("sent.wav", len(sent), sha256=hashlib.sha256(b"another").hexdigest())[1]["Location"]
    status, _, text = running.part(address, 0, sent)
    assert status == 460 and "SHA-256" in text
    # 503 while the uploads of an earlier run are being read.
    until(lambda: running.ask("HEAD", address)[0] == 404)
    assert sorted(path.name for path in (data / "sounds").iterdir()) == [".hidden.wav", "bell.wav", "broken.wav"]


def test_nothing_is_replaced_unless_that_was_asked_for(running, data, tmp_path):
    sent, former = sound(tmp_path), (data / "sounds" / "bell.wav").read_bytes()
    status, _, text = running.begin("bell.wav", len(sent))
    assert status == 409 and "replace" in text
    address = running.begin("other.wav", len(sent))[1]["Location"]
    (data / "sounds" / "other.wav").write_bytes(former)
    assert running.part(address, 0, sent)[0] == 409
    assert (data / "sounds" / "other.wav").read_bytes() == former
    address = running.begin("bell.wav", len(sent), replace="true")[1]["Location"]
    assert (data / "sounds" / "bell.wav").read_bytes() == former
    assert running.part(address, 0, sent)[0] == 204
    assert (data / "sounds" / "bell.wav").read_bytes() == sent


def test_requests_that_cannot_be_met_are_refused(running, data):
    for name in ("../up.wav", "a/b.wav", ".hidden.wav", "none", "bell.exe", "a\x01.wav", ""):
        assert running.begin(name, 1000)[0] == 400, name
    assert running.begin("a.wav", 0)[0] == 400
    assert running.begin("a.wav", 10**12)[0] == 413
    assert running.begin("a.wav", 1000, kind="elsewhere")[0] == 400
    assert running.begin("a.wav", 1000, sha256="abc")[0] == 400
    assert running.ask("POST", UPLOADS, Upload_Length="5", Upload_Metadata="kind !!!")[0] == 400
    assert running.ask("POST", UPLOADS, Upload_Length="5", Tus_Resumable=None)[0] == 412
    assert running.ask("HEAD", UPLOADS + "/0123")[0] == 404
    assert running.ask("PUT", UPLOADS)[0] == 405
    assert running.ask("PATCH", "/library/sounds/bell.wav", b"x")[0] == 405
    assert running.ask("DELETE", "/library/sounds/bell.wav")[0] == 405
    for role, code in (("view", 403), (None, 401)):
        assert running.ask("POST", UPLOADS, role=role, Upload_Length="5", Upload_Metadata="")[0] == code
    assert running.ask("POST", UPLOADS, Origin="http://elsewhere.example", Upload_Length="5", Upload_Metadata="")[0] == 403
    status, headers, _ = running.ask("OPTIONS", UPLOADS)
    assert status == 204 and headers["Tus-Version"] == "1.0.0" and "termination" in headers["Tus-Extension"]
    address = running.begin("a.wav", 1000)[1]["Location"]
    assert running.ask("PATCH", address, b"x", Upload_Offset="0")[0] == 415
    assert running.ask("DELETE", address)[0] == 204
    assert running.ask("HEAD", address)[0] == 404
    assert list((data / "sounds").glob(".upload*")) == []
    assert (data / "sounds" / "bell.wav").exists() and running.get("/health", None)[0] == 200


def test_the_library_has_a_limit(data, tmp_path):
    """Whole files count from the beginning of their upload, and deleted ones until the trash is emptied."""
    sent = sound(tmp_path, seconds=4)
    present = sum(path.stat().st_size for path in data.rglob("*.wav") if not path.name.startswith("."))
    limit = present + 100_000 + 3 * len(sent) // 2
    with Running(data, tmp_path, "--library-limit", f"{limit / 1e9:.9f}") as engine:
        until(engine.files)
        assert engine.begin("small.wav", 100_000)[0] == 201
        status, _, text = engine.begin("large.wav", 2 * len(sent))
        assert status == 413 and "--library-limit" in text
        address = engine.begin("sent.wav", len(sent))[1]["Location"]
        assert engine.part(address, 0, sent[:-1000])[0] == 204
        # All but the last bytes are there, and room for a second such file is not.
        assert engine.begin("other.wav", len(sent))[0] == 413
        assert engine.part(address, len(sent) - 1000, sent[-1000:])[0] == 204
        assert engine.begin("other.wav", len(sent))[0] == 413
        until(lambda: "sounds/sent.wav" in engine.files())
        osc = engine.osc()
        osc.send_message("/media/delete", "sounds/sent.wav")
        listed = lambda: json.loads(engine.get("/library", Accept="application/json")[2])  # noqa: E731
        until(lambda: listed()["trash"] == len(sent))
        assert engine.begin("other.wav", len(sent))[0] == 413
        osc.send_message("/media/empty-trash", [])
        until(lambda: listed()["trash"] == 0)
        assert list((data / "sounds" / ".trash").iterdir()) == []
        assert engine.begin("other.wav", len(sent))[0] == 201


def test_a_part_of_the_list_is_found(running, data):
    for name in ("bird 10.wav", "Bird 2.wav", "wind.wav"):
        os.link(data / "sounds" / "bell.wav", data / "sounds" / name)
    until(lambda: "sounds/wind.wav" in (running.files() or {}))
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


def test_an_upload_to_a_full_file_system_is_refused_with_the_reason(data, tmp_path):
    """A file system of 256 KB in a name space of its own, on which another program takes the room after the upload has begun."""
    if subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode:
        pytest.skip("this machine makes no file systems without privileges")
    sent = sound(tmp_path, seconds=0.5)
    shell = ["unshare", "-rm", "sh", "-c", f'mount -t tmpfs -o size=256k none {data}/sounds && exec "$@"', "sh"]
    with Running(data, tmp_path, prefix=shell) as engine:
        assert engine.begin("large.wav", 1_000_000)[0] == 507
        address = engine.begin("sent.wav", len(sent))[1]["Location"]
        assert engine.part(address, 0, sent[:100_000])[0] == 204
        pathlib.Path(f"/proc/{engine.process.pid}/root{data}/sounds/fill").write_bytes(bytes(150_000))
        status, _, text = engine.part(address, 100_000, sent[100_000:])
        assert status == 507 and "disk is full" in text, (status, text)
        # Nothing of it is listed, and with room the upload goes on.
        pathlib.Path(f"/proc/{engine.process.pid}/root{data}/sounds/fill").unlink()
        at = until(lambda: offset(engine, address))
        assert engine.part(address, at, sent[at:])[0] == 204
        assert pathlib.Path(f"/proc/{engine.process.pid}/root{data}/sounds/sent.wav").read_bytes() == sent
