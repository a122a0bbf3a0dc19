"""An installation: a folder of data with a file of each kind, and what is in such folders."""

import hashlib
import json
import os
import pathlib
import shutil

import film
import seeds
import wave_file
from program import ROOT

HRTF = pathlib.Path("/usr/share/libmysofa/default.sofa")


def environment(data, **more):
    """Environment of the program whose data is in the folder `data`, named vestibule."""
    return dict(os.environ, XDG_DATA_HOME=str(data.parent), XDG_CACHE_HOME=str(data.parent / "cache"), **more)


def make(data, seed, seconds=1):
    """Makes a file of each kind; the session `evening` plays the recording `garden.wav`."""
    noise = seeds.generator(seed)
    for place in ("recordings/ring", "sounds", "responses", "hrtf", "presets/warm", "motion", "rooms", "sessions",
                  "takes/2026-01-01-120000", "results"):
        (data / place).mkdir(parents=True)

    def sound(name, channels, length=seconds):
        wave_file.write(data / name, 0.1 * noise.uniform(-1, 1, (round(48_000 * length), channels)))

    sound("recordings/garden.wav", 8)
    (data / "recordings" / "garden.json").write_text(
        json.dumps({"array": {"count": 8, "radius": 0.09, "azimuths": [-45 * i for i in range(8)]}}))
    for number in range(1, 5):
        sound(f"recordings/ring/mic {number}.wav", 1, 0.1)
    film.write(data / "recordings" / "garden.webm", 0.2)
    sound("sounds/glöckchen.wav", 2, 0.2)
    sound("responses/hall.wav", 2, 0.2)
    shutil.copy(HRTF, data / "hrtf" / "head.sofa")
    shutil.copy(ROOT / "presets" / "crunch.json", data / "presets" / "warm" / "crunch.json")
    (data / "motion" / "turn.csv").write_text("time,yaw,pitch,roll\n0,0,0,0\n1,90,0,0\n")
    (data / "rooms" / "chapel.json").write_text(json.dumps({"size": [20, 14, 7], "walls": "wood"}))
    session = {"version": 2, "recording": str(data / "recordings" / "garden.wav"), "parameters": {
        "/listener/1/gain": -6.5, "/deck/list": f"{data}/recordings/ring\ngarden.wav"}}
    (data / "sessions" / "evening.json").write_text(json.dumps(session))
    take = data / "takes" / "2026-01-01-120000"
    sound("takes/2026-01-01-120000/array.wav", 8, 0.5)
    (take / "session.json").write_text(json.dumps(session))
    (take / "take.json").write_text(json.dumps({
        "version": 1, "state": "complete", "date": "2026-01-01T12:00:00Z", "rate": 48_000, "period": 256, "sample": 0, "start": 0,
        "frames": 24_000, "isProtected": False, "listeners": 1, "objects": 0, "overview": [],
        "files": [{"file": "array.wav", "source": "array", "channels": 8, "gaps": []}]}))
    (data / "results" / "a-b.csv").write_text("trial,answer\n1,2\n")
    return data


def hashes(data):
    """SHA-256 of all files by name; hidden ones are left out."""
    return {name: hashlib.sha256((data / name).read_bytes()).hexdigest() for name in names(data)}


def names(data):
    paths = [path.relative_to(data) for path in data.rglob("*") if path.is_file()]
    return sorted(str(path) for path in paths if not any(part.startswith(".") for part in path.parts))


def hidden(data):
    """Names of all hidden files and folders but the lock of imports, which stays."""
    return sorted(str(path.relative_to(data)) for path in data.rglob("*") if path.name.startswith(".") and path.name != ".import.lock")
