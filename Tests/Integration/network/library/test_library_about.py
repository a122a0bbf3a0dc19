"""Titles, texts, tags and pictures of files: kept beside them, listed, moved, deleted and archived with them."""

import json
import urllib.error
import zlib

import pytest

import installation
import wave_file
from library_client import Running
from program import run
from waiting import until


def png(width=4, height=4):
    def chunk(name, data):
        return len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x02\x00\x00\x00"
    pixels = zlib.compress(b"".join(b"\x00" + b"\x40\x80\xc0" * width for _ in range(min(height, 100))))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


# Smallest pictures of one pixel, as encoders write them.
JPEG = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffc0000b080001000101011100ffd9") + bytes(8)
WEBP = b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f" + bytes(16)


@pytest.fixture
def data(tmp_path):
    return installation.make(tmp_path / "data" / "vestibule", 96, seconds=0.2)


def describe(engine, file, **fields):
    engine.osc().send_message("/media/about", json.dumps({"file": file, **fields}))


def about(engine, file):
    return engine.files().get(file, {}).get("about")


def becomes(engine, file, **expected):
    """Waits until a file is described so: words and pictures are files of their own, and the folder may be read between them."""
    def look():
        found = about(engine, file) or {}
        return found.pop("coverChanged", 0) > 0 and found == expected

    until(look, describe=lambda: about(engine, file))


def send(engine, name, body):
    return engine.ask("POST", f"/files/covers/{name}", body, Tus_Resumable=None)[0]


def test_files_are_described_and_the_words_go_where_they_go(data, tmp_path):
    with Running(data, tmp_path, "--sessions", data / "sessions") as engine:
        until(lambda: "recordings/garden.wav" in engine.files())
        for name, body, status in (("a.png", png(), 201), ("a.jpg", JPEG, 201), ("a.webp", WEBP, 201),
                                   ("b.png", b"\x89PNG" + bytes(99), 422), ("c.png", png(9000, 1), 422), ("d.gif", b"GIF89a", 400),
                                   ("e.jpg", b"<svg/>", 422)):
            assert send(engine, name, body) == status, name
        assert engine.begin("f.png", 5 << 20, kind="covers")[0] == 413
        describe(engine, "recordings/garden.wav", title=" Dawn ", text="4 a.m.\nNo wind.", tags=["birds", "May", "birds"], cover="a.png")
        becomes(engine, "recordings/garden.wav", title="Dawn", text="4 a.m.\nNo wind.", tags=["birds", "May"], cover="png")
        # The role `view` may see the picture.
        status, headers, body = engine.get("/library/covers/recordings/garden.wav.png", "view")
        assert (status, headers["Content-Type"], body) == (200, "image/png", png())
        for path, code in (("recordings/garden.wav.jpg", 404), ("recordings/../tokens.png", 404), ("recordings/.about/garden.wav.png", 404),
                           ("recordings/garden.wav.json", 404), ("nowhere/garden.wav.png", 404)):
            with pytest.raises(urllib.error.HTTPError) as refused:
                engine.get(f"/library/covers/{path}", "view")
            assert refused.value.code == code, path
        # Other fields stay; null removes one; another picture takes the place of the previous one.
        describe(engine, "recordings/garden.wav", title=None, cover="a.webp")
        becomes(engine, "recordings/garden.wav", text="4 a.m.\nNo wind.", tags=["birds", "May"], cover="webp")
        kept = ["garden.wav.json", "garden.wav.webp"]
        until(lambda: sorted(path.name for path in (data / "recordings" / ".about").iterdir()) == kept)
        take = "takes/2026-01-01-120000/array.wav"
        for file in ("recordings/ring", "sessions/evening.json", take):
            describe(engine, file, tags=["birds"])
            until(lambda: about(engine, file) == {"tags": ["birds"]})
        for fields, words in (({"title": "x" * 201}, "201 characters"), ({"title": "a\u0007"}, "control characters"),
                              ({"tags": [str(i) for i in range(21)]}, "21 tags"), ({"tags": ["a,b"]}, "no commas"),
                              ({"cover": "missing.png"}, "first upload it"), ({"cover": "../garden.png"}, "the picture is refused"),
                              ({"title": 5}, "JSON object")):
            describe(engine, "recordings/garden.wav", **fields)
            until(lambda: words in engine.log, describe=lambda: engine.log)
        for file in ("recordings/none.wav", "recordings/../tokens", "named1/x", "garden.wav"):
            describe(engine, file, title="x")
        until(lambda: "garden.wav\" names no file" in engine.log)
        # Archives have them, and words alone are no other file: those that are there stay.
        run("archive", "export", tmp_path / "all.tar.zst", "--with", "takes", env=installation.environment(data))
        other = tmp_path / "other" / "vestibule"
        for _ in range(2):
            run("archive", "import", tmp_path / "all.tar.zst", env=installation.environment(other))
        for name in ("recordings/.about/garden.wav.json", "recordings/.about/garden.wav.webp", "recordings/.about/ring.json",
                     "sessions/.about/evening.json.json", "takes/2026-01-01-120000/.about/array.wav.json"):
            assert (other / name).read_bytes() == (data / name).read_bytes(), name
        (other / "recordings" / ".about" / "garden.wav.json").write_text('{"title": "Mine"}')
        (other / "recordings" / ".about" / "garden.wav.webp").unlink()
        assert "1 file added" in run("archive", "import", tmp_path / "all.tar.zst", env=installation.environment(other)).stdout
        assert "Mine" in (other / "recordings" / ".about" / "garden.wav.json").read_text()
        assert (other / "recordings" / ".about" / "garden.wav.webp").exists()
        (other / "recordings" / "garden.wav").write_bytes(b"another")
        run("archive", "import", tmp_path / "all.tar.zst", env=installation.environment(other))
        assert (other / "recordings" / ".about" / "garden-2.wav.json").exists()
        # They are deleted with their file, and do not come back with another one of its name.
        engine.osc().send_message("/media/delete", "recordings/garden.wav")
        until(lambda: "recordings/garden.wav" not in engine.files())
        until((data / "recordings" / ".trash" / ".about" / "garden.wav.json").exists)
        wave_file.write(data / "recordings" / "garden.wav", [[0.5] * 8] * 4800)
        until(lambda: "recordings/garden.wav" in engine.files())
        assert about(engine, "recordings/garden.wav") is None
        engine.osc().send_message("/session/delete", "evening")
        until(lambda: "sessions/evening.json" not in engine.files())
        until(lambda: not (data / "sessions" / ".about" / "evening.json.json").exists())
        for role, status in (("view", 403), (None, 401)):
            assert engine.ask("POST", "/files/covers/z.png", png(), role=role, Tus_Resumable=None)[0] == status
