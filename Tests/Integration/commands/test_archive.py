"""Archives of an installation: exported, imported elsewhere, and refused as a whole when anything in them is wrong."""

import hashlib
import io
import json
import resource
import shutil
import signal
import subprocess
import tarfile

import numpy
import pytest

import installation
import seeds
import wave_file
from program import PROGRAM, Engine, run
from waiting import until

LIST = "vestibule-archive.json"


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return installation.make(tmp_path_factory.mktemp("source") / "vestibule", 91)


@pytest.fixture(scope="module")
def exported(source):
    """An archive of all kinds, and an engine's secrets beside them."""
    (source / "tokens").write_text("control abcdefsecret\n")
    (source / "recordings" / "notes.txt").write_text("not of the library")
    (source / "recordings" / "link.wav").symlink_to(source / "recordings" / "garden.wav")
    (source / "sounds" / "broken.wav").write_bytes(b"RIFF" + bytes(100))
    # A take that is being recorded now.
    growing = source / "takes" / "growing"
    shutil.copytree(source / "takes" / "2026-01-01-120000", growing, copy_function=shutil.copyfile)
    (growing / "take.json").write_text((growing / "take.json").read_text().replace('"complete"', '"recording"'))
    path = source.parent / "all.tar.zst"
    result = run("archive", "export", path, "--with", "takes", "--with", "results", env=installation.environment(source))
    for name in ("tokens", "recordings/notes.txt", "recordings/link.wav", "sounds/broken.wav"):
        (source / name).unlink()
        assert name == "tokens" or f"{name} is left out" in result.stderr
    shutil.rmtree(growing)
    assert "takes/growing/array.wav is left out: it is being recorded" in result.stderr, result.stderr
    return path


def read(path, data, check=True, **options):
    return run("archive", "import", path, env=installation.environment(data), check=check, **options)


def test_an_archive_brings_everything_to_another_installation(source, exported, tmp_path):
    listing = subprocess.run(["tar", "--zstd", "--quoting-style=literal", "-tf", exported], capture_output=True, check=True).stdout
    assert sorted(listing.decode().splitlines()) == sorted(installation.names(source) + [LIST])
    assert b"secret" not in subprocess.run(["tar", "--zstd", "-xOf", exported], capture_output=True, check=True).stdout
    data = tmp_path / "vestibule"
    assert f"{len(installation.names(source))} files added" in read(exported, data).stdout
    brought, expected = installation.hashes(data), installation.hashes(source)
    sessions = {"sessions/evening.json", "takes/2026-01-01-120000/session.json"}
    assert {name for name in expected if brought.get(name) != expected[name]} == sessions
    for name in sessions:
        assert (data / name).read_text() == (source / name).read_text().replace(str(source), str(data))
    assert set(brought) == set(expected) and installation.hidden(data) == []
    options = ("--recording", data / "recordings" / "ring", "--sessions", data / "sessions")
    with Engine(*options, env=installation.environment(data)) as engine:
        engine.osc().send_message("/session/load", "evening")
        until(lambda: engine.value("/session/recording") == str(data / "recordings" / "garden.wav"))
        assert engine.value("/listener/1/gain") == -6.5
        engine.osc().send_message("/transport/play", [])
        until(lambda: engine.value("/transport/position") > 0)
    # Again: everything is there.
    assert "0 files added, " in read(exported, data).stdout
    assert installation.hashes(data) == brought


def test_names_of_files_from_macos_are_composed(tmp_path):
    """macOS writes \u00e9 as e with an accent."""
    source, data = tmp_path / "source" / "vestibule", tmp_path / "other" / "vestibule"
    (source / "sounds").mkdir(parents=True)
    (data / "sounds").mkdir(parents=True)
    wave_file.write(source / "sounds" / "e\u0301te\u0301.wav", numpy.full((4800, 1), 0.25))
    wave_file.write(data / "sounds" / "e\u0301te\u0301.wav", numpy.full((4800, 1), 0.5))
    path = tmp_path / "all.tar.gz"
    run("archive", "export", path, env=installation.environment(source))
    with tarfile.open(path) as archive:
        assert "sounds/\u00e9t\u00e9.wav" in archive.getnames()
    # The other file of this name stays.
    assert "\u00e9t\u00e9-2.wav" in read(path, data).stdout
    assert sorted(installation.names(data)) == ["sounds/e\u0301te\u0301.wav", "sounds/\u00e9t\u00e9-2.wav"]
    # Two files whose names look the same cannot both be in an archive.
    wave_file.write(source / "sounds" / "\u00e9t\u00e9.wav", numpy.full((4800, 1), 0.5))
    result = run("archive", "export", path, "--overwrite", env=installation.environment(source))
    assert "is left out: another file has a name that looks the same" in result.stderr


def test_at_the_same_place_every_byte_is_as_before(source, exported):
    expected = installation.hashes(source)
    away = source.rename(source.parent / "away")
    read(exported, source)
    assert installation.hashes(source) == expected
    for kind in source.iterdir():
        subprocess.run(["rm", "-r", kind], check=True)
    source.rmdir()
    away.rename(source)


def test_kinds_are_chosen_and_formats_by_the_ending(source, tmp_path):
    for ending, flag in (("tar", ""), ("tar.gz", "--gzip")):
        path = tmp_path / f"some.{ending}"
        run("archive", "export", path, "--only", "sounds", "--only", "presets", env=installation.environment(source))
        with tarfile.open(path) as archive:
            assert sorted(archive.getnames()) == sorted([LIST, "presets/warm/crunch.json", "sounds/glöckchen.wav"])
    assert "exists already" in run("archive", "export", path, env=installation.environment(source), check=False).stderr
    assert "no such kind" in run("archive", "export", tmp_path / "x.tar", "--only", "tokens", check=False).stderr
    assert ".tar.zst" in run("archive", "export", tmp_path / "x.zip", check=False).stderr


def test_nothing_is_replaced_and_sessions_follow_new_names(source, exported, tmp_path):
    data = installation.make(tmp_path / "vestibule", 92)
    (data / "presets" / "warm" / "crunch.json").write_bytes((source / "presets" / "warm" / "crunch.json").read_bytes())
    before = installation.hashes(data)
    result = read(exported, data)
    after = installation.hashes(data)
    assert {name: after[name] for name in before} == before
    # The film of the two installations is the same, but belongs to the recording.
    for name in ("garden-2.wav", "garden-2.json", "garden-2.webm", "ring-2/mic 3.wav"):
        old = name.replace("-2", "")
        assert after[f"recordings/{name}"] == installation.hashes(source)[f"recordings/{old}"], name
    assert "presets/warm/crunch-2.json" not in after and "hrtf/head-2.sofa" not in after
    session = json.loads((data / "sessions" / "evening-2.json").read_text())
    assert session["recording"] == str(data / "recordings" / "garden-2.wav")
    assert session["parameters"]["/deck/list"] == f"{data}/recordings/ring-2\ngarden-2.wav"
    assert "recordings/garden.wav is garden-2.wav" in result.stdout
    assert "0 files added" in read(exported, data).stdout


# MARK: attacks

def entry(name, size=0, kind=tarfile.REGTYPE, link=""):
    info = tarfile.TarInfo(name)
    info.size, info.type, info.linkname = size, kind, link
    return info


def listed(contents, /, **more):
    """The list of files by name and contents; `more` replaces fields."""
    entries = []
    for name, text in contents.items():
        kind, _, rest = name.partition("/")
        entries.append({"kind": kind, "name": rest, "size": len(text), "sha256": hashlib.sha256(text).hexdigest()})
    return {"format": "vestibule-archive", "version": 1, "program": "", "made": "", "folders": {}, "files": entries, **more}


def archive(path, manifest, entries, mode="w:gz"):
    """Writes a tar archive of the list and pairs of entries and contents."""
    text = json.dumps(manifest).encode()
    with tarfile.open(path, mode) as file:
        file.addfile(entry(LIST, len(text)), io.BytesIO(text))
        for info, contents in entries:
            file.addfile(info, io.BytesIO(contents))
    return path


def pairs(files):
    return [(entry(name, len(contents)), contents) for name, contents in files.items()]


MOTION = b"time,yaw,pitch,roll\n0,0,0,0\n"
GOOD = {"motion/a.csv": MOTION}


def attacks():
    yield "symbolic link", listed(GOOD), [(entry("motion/a.csv", 0, tarfile.SYMTYPE, "/etc/passwd"), b"")], "it is a link"
    yield "hard link", listed(GOOD), [*pairs(GOOD), (entry("motion/b.csv", 0, tarfile.LNKTYPE, "motion/a.csv"), b"")], "it is a link"
    yield "device", listed(GOOD), [(entry("motion/a.csv", 0, tarfile.CHRTYPE), b"")], "it is a device"
    yield "FIFO", listed(GOOD), [(entry("motion/a.csv", 0, tarfile.FIFOTYPE), b"")], "it is a FIFO"
    yield "folder", listed(GOOD), [(entry("motion", 0, tarfile.DIRTYPE), b"")], "it is a folder"
    for name in ("motion/../../up.csv", "motion//etc/a.csv", "motion/.hidden.csv", "motion/a.exe", "motion/b/a.csv", "/motion/a.csv",
                 "other/a.csv", "motion/a\nb.csv", "tokens", "motion/", "recordings/ring/\u0301mic.wav", "motion/\u0301a.csv",
                 "motion/.\u0301a.csv"):
        yield f"name {name!r}", listed({name: MOTION}), pairs({name: MOTION}), "is refused"
    yield "name outside of the list", listed(GOOD), [*pairs(GOOD), *pairs({"../../up.csv": MOTION})], "not in the archive's list"
    yield "absolute name outside of the list", listed(GOOD), [*pairs({"/tmp/up.csv": MOTION})], "not in the archive's list"
    yield "twice", listed(GOOD), pairs(GOOD) * 2, "occurs twice"
    yield "listed twice", listed(GOOD, files=listed(GOOD)["files"] * 2), pairs(GOOD), "listed twice"
    yield "wrong hash", listed(GOOD), pairs({"motion/a.csv": MOTION.replace(b"0,0,0", b"0,0,1")}), "SHA-256"
    yield "wrong size", listed(GOOD), pairs({"motion/a.csv": MOTION + b" "}), "the list says"
    yield "missing", listed({**GOOD, "motion/b.csv": MOTION}), pairs(GOOD), "the first motion/b.csv"
    yield "contents", listed({"motion/a.csv": b"no motion"}), pairs({"motion/a.csv": b"no motion"}), "motion/a.csv is refused"
    yield "preset that is none", listed({**GOOD, "presets/a.json": b"[]"}), pairs({**GOOD, "presets/a.json": b"[]"}), "presets/a.json"
    yield "other format", listed(GOOD, format="zip"), pairs(GOOD), "not from Vestibule"
    yield "newer version", listed(GOOD, version=2), pairs(GOOD), "a newer Vestibule"
    yield "list of another shape", listed(GOOD, files=[{"kind": 1}]), [], "damaged"
    yield "negative size", listed(GOOD, files=[{**listed(GOOD)["files"][0], "size": -1}]), pairs(GOOD), "is refused"
    huge = [{**listed(GOOD)["files"][0], "kind": "sounds", "name": f"{i}.wav", "size": 500 << 20} for i in range(50_000)]
    yield "bomb by declared size", listed(GOOD, files=huge), [], "bytes free"
    yield "10,000 entries outside of the list", listed(GOOD), pairs({f"motion/{i}.csv": b"" for i in range(10_000)}), "not in the archive's"


def takes():
    """Descriptions of takes that no take has, each with one thing wrong."""
    good = {"version": 1, "state": "complete", "date": "", "rate": 48_000, "period": 256, "sample": 0, "start": 0, "frames": 1,
            "isProtected": False, "listeners": 1, "objects": 0, "overview": [],
            "files": [{"file": "array.wav", "source": "array", "channels": 8, "gaps": []}]}
    file = good["files"][0]
    gap = {"frame": 0, "frames": 2**63 - 1}
    for wrong in ({"rate": 0}, {"listeners": -1}, {"frames": -1}, {"start": 2**62}, {"files": [{**file, "gaps": [gap, gap]}]},
                  {"files": [{**file, "file": "../../../x.wav"}]}, {"files": [{**file, "channels": 0}]}):
        files = {"takes/a/take.json": json.dumps({**good, **wrong}).encode()}
        yield f"take with {wrong}", listed(files), pairs(files), "no take has"


def test_an_archive_with_anything_wrong_changes_nothing(tmp_path):
    data = tmp_path / "vestibule"
    (data / "motion").mkdir(parents=True)
    (data / "motion" / "own.csv").write_bytes(MOTION)
    for title, manifest, entries, words in [*attacks(), *takes()]:
        result = read(archive(tmp_path / "attack.tar.gz", manifest, entries), data, check=False)
        assert result.returncode == 1 and words in result.stderr and "nothing was changed" in result.stderr, (title, result.stderr)
        assert installation.names(data) == ["motion/own.csv"] and installation.hidden(data) == [], title
    assert not (tmp_path / "up.csv").exists()
    # The same with nothing wrong.
    read(archive(tmp_path / "good.tar.gz", listed(GOOD), pairs(GOOD)), data)
    assert installation.names(data) == ["motion/a.csv", "motion/own.csv"]


def test_damaged_files_are_no_archives(exported, tmp_path):
    data = tmp_path / "vestibule"
    whole = exported.read_bytes()
    random = seeds.generator(93)
    broken = tmp_path / "broken.tar.zst"
    for part in [b"", b"\x00" * 2000, random.bytes(5000), whole[:100], whole[:len(whole) // 2], whole[:-20]]:
        broken.write_bytes(part)
        result = read(broken, data, check=False)
        assert result.returncode == 1 and "nothing was changed" in result.stderr, result.stderr
    for _ in range(5):
        damaged = bytearray(whole)
        damaged[int(random.integers(2000, len(whole)))] ^= 1 << int(random.integers(8))
        broken.write_bytes(damaged)
        assert read(broken, data, check=False).returncode == 1
    assert installation.names(data) == [] and installation.hidden(data) == []


def test_many_files_are_brought(tmp_path):
    data = tmp_path / "vestibule"
    files = {f"motion/{i}.csv": MOTION for i in range(2000)}
    read(archive(tmp_path / "many.tar.gz", listed(files), pairs(files)), data)
    assert len(installation.names(data)) == 2000


def test_a_limit_or_a_full_disk_leaves_nothing(source, exported, tmp_path):
    data = tmp_path / "vestibule"
    result = run("archive", "import", exported, "--library-limit", "0.001", env=installation.environment(data), check=False)
    assert result.returncode == 1 and "--library-limit" in result.stderr
    full = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))  # noqa: E731
    result = read(exported, data, check=False, preexec_fn=full)
    assert result.returncode == 1 and "larger than the file system or a limit allows" in result.stderr
    assert installation.names(data) == [] and installation.hidden(data) == []
    result = run("archive", "export", tmp_path / "full.tar", env=installation.environment(source), check=False, preexec_fn=full)
    assert result.returncode == 1 and not (tmp_path / "full.tar").exists()
    assert list(tmp_path.glob(".vestibule*")) == []


def test_a_killed_import_leaves_nothing_that_is_listed(tmp_path):
    large = tmp_path / "large" / "vestibule"
    (large / "recordings").mkdir(parents=True)
    wave_file.write(large / "recordings" / "long.wav", seeds.generator(94).uniform(-1, 1, (48_000 * 60, 8)))
    run("archive", "export", tmp_path / "large.tar", env=installation.environment(large))
    data = tmp_path / "vestibule"

    def is_killed_meanwhile():
        """Kills an import as soon as its file has begun to come, unless it has ended by then."""
        shutil.rmtree(data, ignore_errors=True)
        process = subprocess.Popen([PROGRAM, "archive", "import", tmp_path / "large.tar"], env=installation.environment(data))
        until(lambda: process.poll() is not None or list(data.glob("recordings/.import-*/long.wav")))
        process.send_signal(signal.SIGKILL)
        return process.wait() == -signal.SIGKILL and not (data / "recordings/long.wav").exists()

    until(is_killed_meanwhile)
    assert installation.names(data) == [] and installation.hidden(data) != []
    # One that had been checked when the program ended is completed.
    staged = data / "motion" / ".import-checked"
    (staged / "more").mkdir(parents=True)
    (staged / "a.csv").write_bytes(MOTION)
    (data / "recordings" / ".import-checked").mkdir()
    moves = [{"from": str(staged / "a.csv"), "to": str(data / "motion" / "a.csv")}]
    # A journal that came from elsewhere moves nothing else.
    others = [tmp_path / "private.txt", data / "sessions" / "own.json", staged / "link" / "far.txt"]
    (data / "sessions").mkdir()
    (tmp_path / "far").mkdir()
    (staged / "link").symlink_to(tmp_path / "far")
    for other in (*others[:2], tmp_path / "far" / "far.txt"):
        other.write_text("own")
    moves += [{"from": str(other), "to": str(data / "motion" / f"{number}.csv")} for number, other in enumerate(others)]
    (staged / "b.csv").write_bytes(MOTION)
    moves += [{"from": str(staged / "b.csv"), "to": str(data / "motion" / ".." / ".." / "b.csv")}]
    (data / "recordings" / ".import-checked" / "journal.json").write_text(json.dumps({"moves": moves}))
    with Engine(env=installation.environment(data)):
        until(lambda: installation.hidden(data) == [])
    assert installation.names(data) == ["motion/a.csv", "sessions/own.json"]
    assert (tmp_path / "private.txt").exists() and (tmp_path / "far" / "far.txt").exists() and not (tmp_path / "b.csv").exists()
