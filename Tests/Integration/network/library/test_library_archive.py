"""Archives over the network: exported, fetched, sent to another engine and imported, by those who may control."""

import fcntl
import json
import os
import time
import urllib.error
import urllib.parse

import pytest

import installation
from library_client import Running
from waiting import until


def state(engine):
    return json.loads(engine.now("/media/archive/state") or "{}")


def ended(engine):
    """The state after the work that was ordered."""
    return until(lambda: (found := state(engine)).get("phase") not in (None, "exporting", "importing") and found)


def order(engine, address, *arguments):
    engine.osc().send_message(address, list(arguments))


def test_an_archive_goes_from_one_engine_to_another(tmp_path):
    source = installation.make(tmp_path / "one" / "vestibule", 95, seconds=0.3)
    (source / "sounds" / "broken.wav").write_bytes(b"RIFF" + bytes(100))
    with Running(source, tmp_path / "one", "--sessions", source / "sessions") as engine:
        order(engine, "/media/archive/export", "")
        exported = ended(engine)
        assert (exported["phase"], exported["leftOutCount"]) == ("exported", 1), exported
        assert exported["leftOut"][0]["file"] == "sounds/broken.wav"
        address = f"/library/exports/{exported['name']}"
        archive = engine.get(address)[2]
        assert len(archive) == exported["size"]
        for role, status in (("view", 403), (None, 401)):
            with pytest.raises(urllib.error.HTTPError) as refused:
                engine.get(address, role)
            assert refused.value.code == status
        assert not any("exports" in name or "archives" in name for name in engine.files())
        # The next one takes its place.
        order(engine, "/media/archive/export", "presets motion")
        until(lambda: state(engine).get("files") == 2)
        order(engine, "/media/archive/export", "tokens")
        until(lambda: "not a kind of files" in engine.log)
    (tmp_path / "two").mkdir()
    data = tmp_path / "two" / "vestibule"
    with Running(data, tmp_path / "two", "--sessions", data / "sessions") as engine:
        location = engine.begin("all.tar.zst", len(archive), kind="archives")[1]["Location"]
        assert engine.part(location, 0, archive)[0] == 204
        assert installation.names(data) == []
        order(engine, "/media/archive/import", "all.tar.zst")
        imported = ended(engine)
        assert imported["phase"] == "imported", imported
        expected = [name for name in installation.names(source) if not name.startswith(("takes", "results")) and "broken" not in name]
        assert installation.names(data) == expected
        assert imported["report"]["added"] == len(expected) and imported["report"]["adapted"] == ["sessions/evening.json"]
        until(lambda: engine.files().get("recordings/garden.wav"))
        assert installation.hidden(data / "recordings" / ".archives") == []
        until(lambda: not list((data / "recordings" / ".archives" / "sent").iterdir()))
        order(engine, "/session/load", "evening")
        until(lambda: engine.now("/session/recording") == str(data / "recordings" / "garden.wav"))
        # It is gone, and an archive without the right contents is refused when it comes or when it is imported.
        order(engine, "/media/archive/import", "all.tar.zst")
        assert "first upload it" in until(lambda: state(engine).get("reason"))
        order(engine, "/media/archive/import", "../all.tar.zst")
        until(lambda: "is not an uploaded archive" in engine.log)
        location = engine.begin("bad.tar.zst", 5000, kind="archives")[1]["Location"]
        status, _, text = engine.part(location, 0, bytes(5000))
        assert status == 422 and "cannot be imported" in text
        before = installation.hashes(data)
        location = engine.begin("cut.tar.zst", len(archive) - 100, kind="archives")[1]["Location"]
        assert engine.part(location, 0, archive[:-100])[0] == 204
        order(engine, "/media/archive/import", "cut.tar.zst")
        assert "nothing was changed" in until(lambda: "cut" in state(engine).get("reason", "") and state(engine)["reason"])
        assert installation.hashes(data) == before
        order(engine, "/media/archive/cancel")
        until(lambda: "no archive is being" in engine.log)
        # Nothing is wrong with an archive for which there is no time: it stays, and is imported afterwards.
        location = engine.begin("again.tar.zst", len(archive), kind="archives")[1]["Location"]
        assert engine.part(location, 0, archive)[0] == 204
        with open(data / "recordings" / ".import.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            order(engine, "/media/archive/import", "again.tar.zst")
            assert "is kept" in until(lambda: "another import" in state(engine).get("reason", "") and state(engine)["reason"])
        order(engine, "/media/archive/import", "again.tar.zst")
        assert until(lambda: state(engine).get("report"))["identical"] > 0


def test_an_upload_under_way_and_an_import_share_the_room(tmp_path):
    source = installation.make(tmp_path / "one" / "vestibule", 96, seconds=0.3)
    with Running(source, tmp_path / "one", "--sessions", source / "sessions") as engine:
        order(engine, "/media/archive/export", "")
        archive = engine.get(f"/library/exports/{ended(engine)['name']}")[2]
    # Takes and results are left out.
    kept = [name for name in installation.names(source) if not name.startswith(("takes", "results"))]
    size = sum((source / name).stat().st_size for name in kept)
    (tmp_path / "two").mkdir()
    data = tmp_path / "two" / "vestibule"
    limit = len(archive) + 3 * size // 2
    options = ["--sessions", data / "sessions", "--library-limit", f"{limit / 1e9:.9f}"]
    with Running(data, tmp_path / "two", *options) as engine:
        engine.files()
        location = engine.begin("all.tar.zst", len(archive), kind="archives")[1]["Location"]
        assert engine.part(location, 0, archive)[0] == 204
        status, headers, text = engine.begin("sent.wav", size)
        assert status == 201, text
        order(engine, "/media/archive/import", "all.tar.zst")
        refused = ended(engine)
        assert refused["phase"] == "failed" and "--library-limit" in refused["reason"] and "is kept" in refused["reason"], refused
        assert engine.ask("DELETE", headers["Location"])[0] == 204
        order(engine, "/media/archive/import", "all.tar.zst")
        assert until(lambda: (found := state(engine))["phase"] == "imported" and found, describe=lambda: state(engine))
        # Its files use the room that the upload had.
        assert engine.begin("sent.wav", size)[0] == 413


def test_archives_and_pictures_that_nobody_uses_count_and_go(tmp_path):
    data = tmp_path / "vestibule"
    sent, covers = data / "recordings" / ".archives" / "sent", data / "recordings" / ".covers"
    for folder in (sent, covers):
        folder.mkdir(parents=True)
    for path, days in ((sent / "old.tar", 3), (sent / "new.tar", 1), (covers / "old.png", 3), (covers / "new.png", 0)):
        path.write_bytes(bytes(1000))
        os.utime(path, (time.time() - 86_400 * days,) * 2)
    with Running(data, tmp_path) as engine:
        engine.files()
        until(lambda: sorted(path.name for folder in (sent, covers) for path in folder.iterdir()) == ["new.png", "new.tar"])
        until(lambda: json.loads(engine.get("/library", Accept="application/json")[2])["size"] == 2000)
        # A cancelled export says how it ended, and another one can follow.
        order(engine, "/media/archive/export", "")
        order(engine, "/media/archive/cancel")
        assert ended(engine)["phase"] in ("cancelled", "exported")
        order(engine, "/media/archive/export", "")
        until(lambda: state(engine)["phase"] == "exported")
