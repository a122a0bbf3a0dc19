"""Uploads into the media library: sent in parts that survive lost connections and the engine's end, checked, limited and refused."""

import base64
import hashlib
import json
import os
import pathlib
import socket
import subprocess
import time

import pytest
from tusclient import client as tus
from tusclient.exceptions import TusCommunicationError

import seeds
import wave_file
from library_client import UPLOADS, Running
from waiting import until


def sound(tmp_path, seconds=1.0, name="sent.wav"):
    rng = seeds.generator(62)
    wave_file.write(tmp_path / name, 0.1 * rng.standard_normal((round(48_000 * seconds), 2)))
    return (tmp_path / name).read_bytes()


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
    until(lambda: "sound" in running.files().get("sounds/sent.wav", {}))
    until(lambda: list((data / "sounds").glob(".upload*")) == [])


def test_networks_that_let_only_post_pass_are_enough(running, data, tmp_path):
    """tus 1.0: X-HTTP-Method-Override is the method of a request."""
    sent = sound(tmp_path)

    def post(location, method, body=None, **headers):
        return running.ask("POST", location, body, X_HTTP_Method_Override=method, **headers)

    def part(location, offset, body):
        return post(location, "PATCH", body, Content_Type="application/offset+octet-stream", Upload_Offset=str(offset))

    location = running.begin("sent.wav", len(sent))[1]["Location"]
    assert part(location, 0, sent[:50_000])[0] == 204
    assert post(location, "HEAD")[1]["Upload-Offset"] == "50000"
    assert part(location, 50_000, sent[50_000:])[0] == 204
    assert (data / "sounds" / "sent.wav").read_bytes() == sent
    location = running.begin("other.wav", len(sent))[1]["Location"]
    assert post(location, "PUT")[0] == 405
    assert post(location, "DELETE")[0] == 204 and post(location, "HEAD")[0] == 404


def test_a_room_is_sent_listed_and_loaded(running, data):
    body = json.dumps({"size": [12, 9, 4], "walls": "wood"}).encode()
    location = running.begin("chapel.json", len(body), kind="rooms")[1]["Location"]
    assert running.part(location, 0, body)[0] == 204 and (data / "rooms" / "chapel.json").read_bytes() == body
    until(lambda: running.files().get("rooms/chapel.json", {}).get("kind") == "rooms")
    running.osc().send_message("/room/load", "chapel")
    until(lambda: json.loads(running.get("/room/size?VALUE")[2])["VALUE"] == [12, 9, 4])
    location = running.begin("odd.json", 2, kind="rooms")[1]["Location"]
    status, _, reason = running.part(location, 0, b"{}")
    assert status == 422 and "size" in reason and not (data / "rooms" / "odd.json").exists()


def test_an_upload_survives_twenty_interruptions_and_the_engines_end(data, tmp_path):
    """Bytes that were sent are not sent again, also after the engine was killed."""
    sent, rng = sound(tmp_path, seconds=60), seeds.generator(64)
    arrived = [0]

    def interrupt(engine, address, times):
        for _ in range(times):
            arrived.append(interrupted(engine, address, sent, int(rng.integers(50_000, 400_000))))
            # The connection that has ended may only be read now.
            until(lambda: offset(engine, address) == arrived[-1], lambda: (offset(engine, address), arrived[-1]))
            assert arrived[-2] < arrived[-1] < len(sent) and "sounds/sent.wav" not in engine.files()

    with Running(data, tmp_path) as engine:
        address = engine.begin("sent.wav", len(sent), sha256=hashlib.sha256(sent).hexdigest())[1]["Location"]
        interrupt(engine, address, 10)
        engine.process.kill()
        engine.process.wait(timeout=60)
    with Running(data, tmp_path) as engine:
        # Bytes that were received before the engine was killed.
        interrupt(engine, address, 10)
        until(lambda: sent_rest(engine, address, sent))
        assert hashlib.sha256((data / "sounds" / "sent.wav").read_bytes()).digest() == hashlib.sha256(sent).digest()
        status, headers, _ = engine.ask("HEAD", address)
        assert status == 200 and headers["Upload-Offset"] == str(len(sent))


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
        until(lambda: sent_again(running, address, at, part, checksum))
    assert (data / "sounds" / "sent.wav").read_bytes() == sent


def sent_again(engine, address, at, part, checksum):
    """Sends a part; false when the engine is still busy with one of a connection that has ended, and so may end this one."""
    try:
        return engine.part(address, at, part, Upload_Checksum=checksum)[0] == 204
    except ConnectionError:
        return False


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
    days = time.time() - 3 * 24 * 3600
    old = kept(data, "old.wav", sent[:1000], len(sent), begun=days)
    for path in (data / "sounds").glob(f".upload-{old.rsplit('/')[-1]}.part"):
        os.utime(path, (days, days))
    # It began long ago, and its latest part has just come; the clock of the last one was right, and this one's is not.
    slow = kept(data, "slow.wav", sent[:1000], len(sent), begun=days)
    ahead = kept(data, "ahead.wav", sent[:1000], len(sent), begun=time.time() + 1e6)
    lost = kept(data, "lost.wav", None, len(sent))
    with Running(data, tmp_path) as engine:
        until(lambda: (data / "sounds" / "whole.wav").exists())
        assert (data / "sounds" / "whole.wav").read_bytes() == sent
        assert offset(engine, half) == 1000
        until(lambda: [engine.ask("HEAD", address)[0] for address in (whole, other, old, lost)] == [404] * 4)
        assert offset(engine, slow) == offset(engine, ahead) == 1000
        assert [engine.ask("DELETE", address)[0] for address in (slow, ahead)] == [204] * 2
        assert engine.part(half, 1000, sent[1000:])[0] == 204
        assert (data / "sounds" / "half.wav").read_bytes() == sent
        until(lambda: not list((data / "sounds").glob(".upload*")))
        assert not (data / "sounds" / "other.wav").exists()


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
    """Sends a part, up to `end` of the file, whose connection ends after some bytes. Returns the place after them."""
    start = offset(engine, address)
    part = sent[start:start + count]
    with socket.create_connection(("127.0.0.1", engine.ready["http_port"]), timeout=60) as connection:
        lines = [f"PATCH {address} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {engine.tokens['control']}",
                 "Tus-Resumable: 1.0.0", "Content-Type: application/offset+octet-stream", f"Upload-Offset: {start}",
                 f"Content-Length: {(end or len(sent)) - start}", *([f"Upload-Checksum: {checksum}"] if checksum else [])]
        connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + part)
    return start + len(part)


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


def test_clients_that_lose_an_answer_learn_the_outcome(running, data, tmp_path):
    sent = sound(tmp_path)
    _, headers, _ = running.begin("sent.wav", len(sent))
    address = headers["Location"]
    digest = f"sha1 {base64.b64encode(hashlib.sha1(sent[:1000]).digest()).decode()}"
    assert running.part(address, 0, bytes(1000), Upload_Checksum=digest)[0] == 460
    status, headers, _ = running.part(address, 0, sent[:1000], Upload_Checksum=digest)
    assert status == 204 and headers["Upload-Expires"].endswith(" GMT")
    status, headers, _ = running.ask("HEAD", address)
    assert status == 200 and base64.b64encode(b"sent.wav").decode() in headers["Upload-Metadata"]
    # Nobody else sends a file of this name meanwhile.
    status, _, text = running.begin("sent.wav", len(sent))
    assert status == 409 and "is being sent already" in text
    assert running.part(address, 1000, sent[1000:])[0] == 204
    status, headers, _ = running.ask("HEAD", address)
    assert status == 200 and headers["Upload-Offset"] == headers["Upload-Length"] == str(len(sent))
    assert running.part(address, 0, sent)[0] == 404
    # The same for a file that cannot be stored; nothing of it stays.
    (data / "sounds" / "folder.wav").mkdir()
    address = running.begin("folder.wav", len(sent), replace="true")[1]["Location"]
    status, _, reason = running.part(address, 0, sent)
    assert status in (409, 500) and "folder.wav is not stored" in reason
    assert running.ask("HEAD", address)[0] == status
    until(lambda: list((data / "sounds").glob(".upload*")) == [])


def test_a_last_part_is_repeated_when_its_answer_was_lost(running, data, tmp_path):
    sent = sound(tmp_path)
    address = running.begin("sent.wav", len(sent))[1]["Location"]
    assert running.part(address, 0, sent)[0] == 204
    for _ in range(3):
        status, headers, _ = running.part(address, len(sent), b"")
        assert status == 204 and headers["Upload-Offset"] == str(len(sent))
        status, headers, _ = running.ask("HEAD", address)
        assert status == 200 and headers["Upload-Offset"] == headers["Upload-Length"] == str(len(sent))
    status, headers, _ = running.ask("POST", address, X_HTTP_Method_Override="patch", Upload_Offset=str(len(sent)),
                                     Content_Type="application/offset+octet-stream")
    assert status == 204 and headers["Upload-Offset"] == str(len(sent))


def test_a_lost_connection_leaves_no_lock(running, data, tmp_path):
    """The part is written, and the connection ends before the answer can be sent."""
    sent = sound(tmp_path)
    address, at = running.begin("sent.wav", len(sent))[1]["Location"], 0
    for _ in range(20):
        at = interrupted(running, address, sent, 1000, end=at + 1000)
        # The connection that has ended may only be read now.
        until(lambda: offset(running, address) == at, lambda: at)
    assert running.part(address, at, sent[at:])[0] == 204
    assert (data / "sounds" / "sent.wav").read_bytes() == sent


def test_forms_of_the_protocol_that_libraries_use_are_accepted(running, data, tmp_path):
    sent = sound(tmp_path)
    kind, name = (base64.b64encode(text).decode() for text in (b"sounds", b"sent.wav"))
    for metadata in (f"kind {kind},filename {name}", f"kind {kind}, filename {name}", f" kind  {kind} ,,filename {name}, is_private,",
                     f"kind {kind},filename {name},photo /9j/4A==,empty ", f"kind {kind.rstrip('=')},filename {name.rstrip('=')}"):
        status, headers, text = running.ask("POST", UPLOADS + "/", Upload_Length=str(len(sent)), Upload_Metadata=metadata)
        assert status == 201, (metadata, text)
        address = headers["Location"]
        # An empty part changes nothing.
        status, headers, _ = running.part(address + "/", 0, b"")
        assert status == 204 and headers["Upload-Offset"] == "0"
        status, headers, _ = running.ask("PATCH", address + "/", sent[:100], Upload_Offset="0",
                                         Content_Type="Application/offset+octet-stream ; charset=UTF-8")
        assert status == 204 and headers["Upload-Offset"] == "100"
        assert running.ask("DELETE", address + "/")[0] == 204
    latin = base64.b64encode("J\u00fcrgen.wav".encode("latin-1")).decode()
    for metadata, reason in ((f"kind {kind},filename {latin}", "UTF-8"), ("", "kind"), (f"kind {kind},filename", "name"),
                             (f"kind {kind},filename {name},filename {name}", "twice"), ("a b c", "base64")):
        status, _, text = running.ask("POST", UPLOADS, Upload_Length="5", Upload_Metadata=metadata)
        assert status == 400 and reason in text, (metadata, text)
    for header, value, extension in (("Upload_Defer_Length", "1", "creation-defer-length"), ("Upload_Concat", "partial", "concatenation")):
        status, _, text = running.ask("POST", UPLOADS, **{header: value}, Upload_Metadata="")
        assert status == 400 and extension in text


def test_a_file_with_another_hash_is_not_stored(running, data, tmp_path):
    sent = sound(tmp_path)
    address = running.begin("sent.wav", len(sent), sha256=hashlib.sha256(b"another").hexdigest())[1]["Location"]
    status, _, text = running.part(address, 0, sent)
    assert status == 460 and "SHA-256" in text
    until(lambda: running.log.count(f"sounds/sent.wav was not stored: {text.strip()}") == 1, lambda: running.log)
    assert running.ask("HEAD", address)[0] == 460
    until(lambda: sorted(path.name for path in (data / "sounds").iterdir()) == [".hidden.wav", "bell.wav", "broken.wav"])


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
    assert running.begin("a.wav", 10**30)[0] == 413
    for length in ("-5", "five", "1e3"):
        status, _, text = running.ask("POST", UPLOADS, Upload_Length=length, Upload_Metadata="")
        assert status == 400 and f'Upload-Length is "{length}"; send the size of the file in bytes' in str(text), text
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
    for method in ("POST", "PATCH", "DELETE"):
        body = b"x" if method == "PATCH" else None
        assert running.ask(method, address, body, Origin="http://elsewhere.example", Upload_Offset="0")[0] == 403, method
    assert running.ask("DELETE", address)[0] == 204
    assert running.ask("HEAD", address)[0] == 404
    until(lambda: list((data / "sounds").glob(".upload*")) == [])
    assert (data / "sounds" / "bell.wav").exists() and running.get("/library", "view", Accept="application/json")[0] == 200


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
        until(lambda: list((data / "sounds" / ".trash").iterdir()) == [])
        assert engine.begin("other.wav", len(sent))[0] == 201


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
        # Nothing of it is listed, and with room the upload continues.
        pathlib.Path(f"/proc/{engine.process.pid}/root{data}/sounds/fill").unlink()
        at = until(lambda: offset(engine, address))
        assert engine.part(address, at, sent[at:])[0] == 204
        assert pathlib.Path(f"/proc/{engine.process.pid}/root{data}/sounds/sent.wav").read_bytes() == sent
