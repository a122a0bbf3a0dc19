"""Files that browsers send into the program's folders: stored whole and checked, or not at all; and attempts to get around that."""

import contextlib
import json
import os
import pathlib
import resource
import socket
import subprocess
import tempfile
import urllib.error
import urllib.request

import numpy
import pytest

import wave_file
from figures import figure, measured
from program import PROGRAM, ROOT, Engine
from waiting import LIMIT, holds, paced, until

HEAD = "POST /files/{} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {}\r\n{}\r\n"


@pytest.fixture
def data(tmp_path):
    """The folder of the program's data."""
    folder = tmp_path / "data" / "vestibule"
    (folder / "recordings").mkdir(parents=True)
    return folder


@contextlib.contextmanager
def engine_of(data, tokens):
    """An engine that asks for tokens; `tokens` holds them."""
    with Engine("--token-file", tokens, env=dict(os.environ, XDG_DATA_HOME=str(data.parent))) as engine:
        engine.tokens = dict(line.split() for line in tokens.read_text().splitlines())
        yield engine


@pytest.fixture
def running(data, tmp_path):
    with engine_of(data, tmp_path / "tokens") as engine:
        yield engine


@pytest.fixture(scope="module")
def refusing(tmp_path_factory):
    """An engine that stores nothing, because its tests send what it refuses; `data` is the folder of the program's data."""
    folder = tmp_path_factory.mktemp("refusing")
    data = folder / "data" / "vestibule"
    (data / "recordings").mkdir(parents=True)
    with engine_of(data, folder / "tokens") as engine:
        engine.data = data
        yield engine


def recording(seconds=0.1, level=0.25, channels=4):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "sent.wav"
        wave_file.write(path, numpy.full((round(48_000 * seconds), channels), level))
        return path.read_bytes()


def connect(engine):
    return socket.create_connection(("127.0.0.1", engine.ready["http_port"]), timeout=LIMIT)


def head(engine, target, length, role="control", extra=""):
    token = f"Authorization: Bearer {engine.tokens[role]}\r\n" if role else ""
    return HEAD.format(target, length, token + extra).encode("latin-1")


def answer(connection):
    got = b""
    while b"\r\n\r\n" not in got:
        piece = connection.recv(65_536)
        if not piece:
            return None, ""
        got += piece
    lines, body = got.split(b"\r\n\r\n", 1)
    length = next((int(line.split(b":")[1]) for line in lines.lower().split(b"\r\n") if line.startswith(b"content-length")), 0)
    while len(body) < length:
        body += connection.recv(65_536)
    return int(got.split()[1]), body.decode()


def send(engine, target, body, **options):
    with connect(engine) as connection:
        connection.sendall(head(engine, target, len(body), **options))
        try:
            connection.sendall(body)
        except (BrokenPipeError, ConnectionResetError):
            pass
        return answer(connection)


def names(data, kind="recordings"):
    """All names in a folder, hidden ones included."""
    return sorted(os.listdir(data / kind)) if (data / kind).exists() else []


def unnamed(engine):
    """Files without a name, or with that of an incomplete one, that the program holds open."""
    links = []
    for link in pathlib.Path(f"/proc/{engine.process.pid}/fd").iterdir():
        try:
            links.append(os.readlink(link))
        except FileNotFoundError:
            continue
    return [link for link in links if "(deleted)" in link and "/vestibule/" in link or link.endswith(".part")]


def test_a_recording_is_stored_listed_and_played(running, data):
    body = recording()
    status, text = send(running, "recordings/Evening%20%C3%A4.wav", body)
    assert (status, json.loads(text)) == (201, {"name": "Evening ä.wav"})
    assert (data / "recordings" / "Evening ä.wav").read_bytes() == body
    osc = running.osc()
    osc.send_message("/session/recording", "Evening ä.wav")

    def value(address):
        request = urllib.request.Request(
            f"{running.url}{address}?VALUE", headers={"Authorization": f"Bearer {running.tokens['view']}"})
        return json.load(urllib.request.urlopen(request, timeout=60))["VALUE"][0]

    until(lambda: "Evening ä.wav" in value("/list/recordings"))
    until(lambda: value("/transport/duration") == pytest.approx(0.1))
    until(lambda: "Evening ä.wav" in running.log, lambda: running.log)


def test_nothing_is_overwritten_without_confirmation(running, data):
    first, second = recording(level=0.25), recording(level=0.5)
    assert send(running, "recordings/a.wav", first)[0] == 201
    status, text = send(running, "recordings/a.wav", second)
    assert status == 409 and "a.wav" in text
    assert (data / "recordings" / "a.wav").read_bytes() == first
    assert send(running, "recordings/a.wav?replace", second)[0] == 201
    assert (data / "recordings" / "a.wav").read_bytes() == second
    # A replacement that cannot be read leaves the previous file.
    assert send(running, "recordings/a.wav?replace", b"no sound")[0] == 422
    assert (data / "recordings" / "a.wav").read_bytes() == second
    until(lambda: names(data) == ["a.wav"] and unnamed(running) == [], lambda: names(data))


def test_a_name_that_looks_the_same_is_the_same(running, data):
    """macOS sends é as e with an accent, other systems as one character."""
    first, second = recording(level=0.25), recording(level=0.5)
    composed, decomposed = "Pr%C3%A9lude.wav", "Pre%CC%81lude.wav"
    assert send(running, f"recordings/{decomposed}", first) == (201, '{"name":"Pr\u00e9lude.wav"}')
    assert names(data) == ["Pr\u00e9lude.wav"]
    (data / "recordings" / "Pr\u00e9lude.wav").rename(data / "recordings" / "Pre\u0301lude.wav")
    assert send(running, f"recordings/{composed}", second)[0] == 409
    assert send(running, f"recordings/{composed}?replace", second)[0] == 201
    assert names(data) == ["Pre\u0301lude.wav"]
    for name in (composed, decomposed):
        request = urllib.request.Request(
            f"{running.url}/library/recordings/{name}", headers={"Authorization": f"Bearer {running.tokens['control']}"})
        assert urllib.request.urlopen(request, timeout=60).read() == second


def test_a_plus_sign_in_a_path_is_one(running, data):
    """It stands for a space in queries only."""
    first, second = recording(level=0.25), recording(level=0.5)
    assert send(running, "recordings/a%20b.wav", first)[0] == 201
    assert send(running, "recordings/a+b.wav?replace", second) == (201, '{"name":"a+b.wav"}')
    assert send(running, "recordings/50%2525.wav", first) == (201, '{"name":"50%25.wav"}')
    until(lambda: names(data) == ["50%25.wav", "a b.wav", "a+b.wav"], lambda: names(data))

    def get(path):
        request = urllib.request.Request(f"{running.url}{path}", headers={"Authorization": f"Bearer {running.tokens['control']}"})
        return urllib.request.urlopen(request, timeout=60).read()

    for name, content in (("a+b.wav", second), ("a%2Bb.wav", second), ("a%20b.wav", first)):
        assert get(f"/library/recordings/{name}") == content

    def found(search):
        try:
            return [file["name"] for file in json.loads(get(f"/library?search={search}"))["files"]]
        except urllib.error.HTTPError as error:
            # Before the library has been read.
            assert error.code == 503
            return []

    until(lambda: len(found("wav")) == 3)
    assert found("a%2Bb") == ["a+b.wav"] and found("50%2525") == ["50%25.wav"]
    assert found("a+b.wav") == found("a%20b.wav")


def preset():
    return next((ROOT / "presets").glob("*.json")).read_bytes()


@pytest.mark.parametrize("target, body, status", [
    ("recordings/a.wav", b"x" * 10_000, 422),
    ("recordings/a.flac", b"fLaC" + bytes(5000), 422),
    ("responses/a.wav", b"RIFF" + bytes(5000), 422),
    ("sounds/a.wav", b"RIFF", 422),
    ("hrtf/a.sofa", b"\x89HDF\r\n\x1a\n" + bytes(5000), 422),
    ("hrtf/a.sofa", b"nothing", 422),
    ("presets/a.json", b"{}", 422),
    ("presets/a.json", b"\xff\xfe", 422),
    ("tests/a.json", b"[]", 422),
    ("rooms/a.json", b"{}", 422),
    ("rooms/a.json", b'{"size": [8, 6, 3], "walls": "cheese"}', 422),
    ("rooms/a.json", b'{"size": [8, 6, 3], "walls": "wood"}', 201),
    ("presets/a.json", preset(), 201),
    ("sounds/a.wav", None, 422),
    ("recordings/cut.wav", recording()[:-100], 422),
    ("sounds/cut.wav", recording(channels=1)[:-100], 422),
    ("sounds/whole.wav", recording(channels=1), 201),
    ("recordings/a.json", b"{}", 400),
    ("presets/a.wav", b"{}", 400),
    ("sidecars/a.json", b"{}", 422),
    ("sidecars/a.json", b"[", 422),
    ("sidecars/a.json", b'{"array": {"count": 3}}', 422),
    ("sidecars/a.json", b'{"array": {"azimuths": [0, 90, 90, 180]}}', 422),
    ("sidecars/a.json", b'{"array": {"azimuths": [0, 90, 180, 900]}}', 422),
    ("sidecars/a.wav", b"{}", 400),
])
def test_only_files_that_the_program_can_read_are_stored(running, data, target, body, status):
    found, text = send(running, target, recording() if body is None else body)
    assert found == status, text
    kind, name = target.split("/")
    kept = [name] if status == 201 else []
    until(lambda: names(data, "recordings" if kind == "sidecars" else kind) == kept)
    assert "/proc/" not in text
    if status == 422:
        assert name in text
    until(lambda: unnamed(running) == [])


def test_positions_of_microphones_are_stored_beside_their_recording(running, data):
    """A file for a recording that is there already takes effect when the recording is loaded again."""
    azimuths = [45, -45, -135, 135]

    def found():
        request = urllib.request.Request(
            running.url + "/array/azimuth?VALUE", headers={"Authorization": f"Bearer {running.tokens['control']}"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["VALUE"]

    assert send(running, "recordings/four.wav", recording())[0] == 201
    running.osc().send_message("/session/recording", "four.wav")
    until(lambda: len(found()) == 4)
    assert found() != azimuths
    status, text = send(running, "sidecars/four.json", json.dumps({"array": {"azimuths": azimuths, "radius": 0.1}}).encode())
    assert status == 201, text
    assert names(data) == ["four.json", "four.wav"]
    running.osc().send_message("/session/recording", "four.wav")
    until(lambda: found() == azimuths)


def test_the_hrtf_of_the_system_can_be_sent(running, data):
    bundled = pathlib.Path("/usr/share/libmysofa/default.sofa")
    assert send(running, "hrtf/head.sofa", bundled.read_bytes())[0] == 201
    assert (data / "hrtf" / "head.sofa").read_bytes() == bundled.read_bytes()


@pytest.mark.parametrize("name", [
    "../a.wav", "..%2fa.wav", "%2e%2e/a.wav", "%2e%2e%2fsessions%2fa.wav", "sub/a.wav", "sub%2fa.wav", "..%5ca.wav", ".a.wav", "%2ea.wav",
    "%00a.wav", "a%00.wav", "a.wav%00", "a%0a.wav", "a%7f.wav", "%20a.wav", "a%ff.wav", "x" * 300 + ".wav", "", ".wav", "a.wav.part",
    "a.wav/", "%c2%85a.wav", "a.wav?overwrite", "a.wav?replace=1&x",
])
def test_names_that_lead_elsewhere_are_refused(refusing, name):
    before = sorted(path for path in refusing.data.parent.rglob("*"))
    body = recording()
    status, text = send(refusing, f"recordings/{name}", body)
    # The library closes the connection at a NUL behind the first letter.
    assert status in (400, 403, 404, 405) or status is None and "%00" in name, (status, text)
    assert sorted(path for path in refusing.data.parent.rglob("*")) == before


def test_links_and_folders_are_not_replaced(running, data, tmp_path):
    outside = tmp_path / "outside.wav"
    outside.write_bytes(b"kept")
    (data / "recordings" / "link.wav").symlink_to(outside)
    (data / "recordings" / "broken.wav").symlink_to(tmp_path / "nothing.wav")
    (data / "recordings" / "folder.wav").mkdir()
    for name in ("link.wav", "broken.wav", "folder.wav"):
        for query in ("", "?replace"):
            assert send(running, f"recordings/{name}{query}", recording())[0] in (409, 500), name
    assert outside.read_bytes() == b"kept" and not (tmp_path / "nothing.wav").exists()
    assert names(data) == ["broken.wav", "folder.wav", "link.wav"] and names(data, "recordings/folder.wav") == []


@pytest.mark.parametrize("kind", ["sessions", "results", "motion", "nothing", "Recordings", ""])
def test_other_folders_take_no_files(refusing, kind):
    assert send(refusing, f"{kind}/a.json", b"{}")[0] == 404
    assert not (refusing.data / kind / "a.json").exists()


def test_a_login_that_may_control_is_needed(running, data):
    body = recording()
    assert send(running, "recordings/a.wav", body, role=None)[0] == 401
    assert send(running, "recordings/a.wav", body, role="view")[0] == 403
    assert send(running, "recordings/a.wav", body, extra="Origin: http://evil.example\r\n")[0] == 403
    assert names(data) == []
    with connect(running) as connection:
        request = f"GET /files HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {running.tokens['view']}\r\n\r\n"
        connection.sendall(request.encode())
        assert answer(connection)[0] == 403
        connection.sendall(request.replace(running.tokens["view"], running.tokens["control"]).encode())
        status, text = answer(connection)
    kinds = {kind["name"]: kind for kind in json.loads(text)}
    assert status == 200 and set(kinds) == {
        "recordings", "sidecars", "videos", "sounds", "responses", "hrtf", "presets", "rooms", "tests", "archives", "covers"}
    assert kinds["presets"] == {"name": "presets", "endings": ["json"], "most": 1 << 20}


@pytest.mark.parametrize("length, status", [
    (str((8 << 30) + 1), 413), ("999999999999999999", 413), ("0", 400), ("-1", 400), ("1e3", 400), ("9999999999999999999", 413), ("", 400),
])
def test_lengths_out_of_range_are_refused_before_the_body(refusing, length, status):
    with connect(refusing) as connection:
        connection.sendall(head(refusing, "recordings/a.wav", length))
        found = answer(connection)[0]
    # An empty header is none.
    assert found == status or length == "" and found == 411
    assert names(refusing.data) == []
    until(lambda: unnamed(refusing) == [])


def test_a_body_without_a_length_is_refused(running):
    request = head(running, "recordings/a.wav", 5).replace(b"Content-Length: 5", b"Transfer-Encoding: chunked")
    with connect(running) as connection:
        connection.sendall(request + b"5\r\nhello\r\n0\r\n\r\n")
        assert answer(connection)[0] == 411


def test_a_body_that_is_cut_leaves_nothing(running, data):
    body = recording(2)
    shares = (0, 1, len(body) // 2, len(body) - 1)
    for share in shares:
        # A name is taken until the server has noticed that the request before was cut.
        with connect(running) as connection:
            connection.sendall(head(running, f"recordings/a{share}.wav", len(body)) + body[:share])
            if share > 1:
                until(lambda: unnamed(running), describe=lambda: names(data))
            # A part of a file is never listed.
            assert names(data) == []
        until(lambda: unnamed(running) == [])
        assert names(data) == []
    # The names are free again.
    for share in shares:
        until(lambda: send(running, f"recordings/a{share}.wav", body)[0] == 201)


def test_what_follows_the_declared_length_is_no_part_of_the_file(running, data):
    body = recording()
    with connect(running) as connection:
        connection.sendall(head(running, "recordings/a.wav", len(body)) + body + b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert answer(connection)[0] == 201
    assert (data / "recordings" / "a.wav").read_bytes() == body


def test_a_full_disk_is_an_answer(running, data):
    body = recording(5)
    resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (len(body) // 2, resource.RLIM_INFINITY))
    status, text = send(running, "recordings/a.wav", body)
    assert status == 507 and "a.wav was not stored" in text
    until(lambda: names(data) == [] and unnamed(running) == [])
    resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert send(running, "recordings/a.wav", body)[0] == 201


def test_a_full_file_system_is_an_answer(data, tmp_path):
    """A file system of 256 KB in a name space of its own."""
    probe = subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True)
    if probe.returncode:
        pytest.skip("this machine makes no file systems without privileges")
    environment = dict(os.environ, XDG_DATA_HOME=str(data.parent))
    with Engine("--token-file", tmp_path / "tokens", env=environment, wait=False) as engine:
        engine.stop()
    script = f"mount -t tmpfs -o size=256k none {data}/recordings && exec \"$@\""
    ready = tmp_path / "ready.json"
    command = [PROGRAM, "serve", "--token-file", tmp_path / "tokens", "--sessions", tmp_path / "sessions", "--osc-port", "0",
               "--http-port", "0", "--ready-file", ready]
    process = subprocess.Popen(
        ["unshare", "-rm", "sh", "-c", script, "sh", *map(str, command)], env=environment, cwd=ROOT,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(ready.exists)
        engine.ready = json.loads(ready.read_text())
        engine.tokens = dict(line.split() for line in (tmp_path / "tokens").read_text().splitlines())
        status, text = send(engine, "recordings/a.wav", recording(5))
        assert status == 507 and "disk is full" in text
        assert send(engine, "recordings/b.wav", recording(0.1))[0] == 201
    finally:
        process.terminate()
        process.wait(LIMIT)


def test_one_name_and_four_files_at_a_time(running, data):
    body = recording()
    with connect(running) as first:
        first.sendall(head(running, "recordings/a.wav", len(body)) + body[:100])
        until(lambda: unnamed(running))
        assert send(running, "recordings/a.wav", body)[0] == 409
        assert send(running, "recordings/a.wav?replace", body)[0] == 409
        others = [connect(running) for _ in range(3)]
        for number, other in enumerate(others):
            other.sendall(head(running, f"recordings/{number}.wav", len(body)) + body[:100])
        until(lambda: len(unnamed(running)) == 4)
        assert send(running, "recordings/b.wav", body)[0] == 503
        first.sendall(body[100:])
        assert answer(first)[0] == 201
        for number, other in enumerate(others):
            other.sendall(body[100:])
            assert answer(other)[0] == 201
            other.close()
    assert names(data) == ["0.wav", "1.wav", "2.wav", "a.wav"]


def test_a_slow_client_may_take_longer_than_a_request(running, data):
    body = recording()
    step = len(body) // 6
    with connect(running) as connection:
        connection.sendall(head(running, "recordings/a.wav", len(body)))
        for begin in paced(range(0, len(body), step), 2):
            connection.sendall(body[begin:begin + step])
        assert answer(connection)[0] == 201
    assert (data / "recordings" / "a.wav").read_bytes() == body


def resident(engine):
    """KiB."""
    text = pathlib.Path(f"/proc/{engine.process.pid}/status").read_text()
    return int(text.split("VmRSS:")[1].split()[0])


def test_a_large_file_is_stored(running, data):
    body = recording(200)
    assert len(body) > 150_000_000 and send(running, "recordings/a.wav", body)[0] == 201
    assert (data / "recordings" / "a.wav").stat().st_size == len(body)
    holds(lambda: names(data) == ["a.wav"])


@measured
def test_a_large_file_passes_in_bounded_memory(running):
    before = resident(running)
    assert send(running, "recordings/a.wav", recording(200))[0] == 201
    figure("memory grown by a file of 150 MB", resident(running) - before, at_most=48 << 10, unit="KiB")
