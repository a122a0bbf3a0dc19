"""Takes: what they contain, that they are rendered again to the same samples, and what is left of them when something fails."""

import json
import os
import pathlib
import signal
import struct
import subprocess
import urllib.error
import urllib.request

import numpy
import pytest

import wave_file
from figures import figure, measured
from health import health
from program import PROGRAM, Engine, run
from seeds import generator
from waiting import holds, paced, until

RATE = 48_000
# Seconds that may pass until filters have been computed: some tens on two cores that nothing else uses.
FILTERS = 600
# Frames after which a take that is rendered again has come to the state of the live renderer: a tenth of a second.
SETTLED = RATE // 10


@pytest.fixture
def scene(tmp_path):
    wave_file.write(tmp_path / "scene.wav", 0.1 * generator(5).standard_normal((10 * RATE, 8)))
    return tmp_path / "scene.wav"


def seconds_rendered(engine):
    """Seconds of sound that the engine has rendered."""
    return health(engine)["blocks"] * engine.ready["period"] / RATE


def choose(engine, *settings):
    """Sets parameters, and waits until the sources of takes are in memory."""
    client = engine.osc()
    until(lambda: engine.value("/take/kept") > 0.5)
    for address, value in settings:
        client.send_message(address, value)
        until(lambda: engine.value(address) == value)
    if not any(address.startswith("/take/source/") for address, _ in settings):
        return
    # A source that is new has no sound from before it was chosen. What is kept is a second less than what there is.
    since = seconds_rendered(engine)

    def is_there():
        now = seconds_rendered(engine)
        return 0.5 < engine.value("/take/kept") <= now - since - 0.9

    until(is_there)


def begin(engine, *settings):
    """Begins a take when the sources are in memory; returns its folder's name."""
    choose(engine, *settings)
    engine.osc().send_message("/take/start", [])
    return until(lambda: engine.value("/take/current"), lambda: engine.log)


def end(engine):
    engine.osc().send_message("/take/stop", [])
    until(lambda: engine.value("/take/current") == "")


def turn(engine, seconds):
    """Turns both heads until the take has this length; the last steps are heard one by one, however busy the machine is."""
    client = engine.osc()
    for number in paced(range(int(seconds * 100)), 0.01):
        client.send_message("/listener/1/ypr", [number * 0.9, 10.0, 5.0])
        client.send_message("/listener/2/ypr", [number * -0.7, 0.0, -5.0])

    def is_turned(yaw):
        # Once more where the socket was full, because the engine was stalled.
        client.send_message("/listener/2/ypr", [-float(yaw), 0.0, -5.0])
        client.send_message("/listener/1/ypr", [float(yaw), 10.0, 5.0])
        return abs(engine.value("/listener/1/ypr")[0] - yaw) < 0.01

    for yaw in range(10, 110, 10):
        until(lambda yaw=yaw: is_turned(yaw))
        now = seconds_rendered(engine)
        until(lambda: seconds_rendered(engine) > now + 0.01)
    until(lambda: engine.value("/take/duration") > seconds)


def gaps(facts):
    return [gap for file in facts["files"] for gap in file["gaps"]]


def largest_difference(one, other, facts):
    """The largest difference of two recordings of a take from where it has settled: after its begin, and after sound that the disk was too
    slow for."""
    difference = numpy.abs(one - other)[SETTLED:]
    for gap in gaps(facts):
        difference[max(0, gap["frame"] - SETTLED):gap["frame"] + gap["frames"]] = 0
    return difference.max()


@pytest.mark.parametrize("method", ["nearest", "two-band", "ring-spectral", "hrtf"])
def test_a_take_is_rendered_again_to_the_same_samples(scene, tmp_path, method):
    if method == "hrtf" and "/debug/" in str(PROGRAM):
        pytest.skip("a debug program computes filters for minutes")
    wave_file.write(tmp_path / "guitar.wav", 0.1 * generator(6).standard_normal((3 * RATE, 2)))
    takes = tmp_path / "takes"
    options = ["--listeners", 2, "--takes", takes, "--method", method, "--input", tmp_path / "guitar.wav"]
    with Engine("--recording", scene, *options) as running:
        if method == "hrtf":
            # Until the filters have been computed, another method stands in for it.
            for listener in (1, 2):
                until(lambda: running.value(f"/listener/{listener}/hrtf-state").startswith("ready"), seconds=FILTERS)
        name = begin(
            running, ("/take/source/array", True), ("/take/source/input", "before rack"), ("/take/source/ears", "all"))
        turn(running, 3)
        end(running)
    take = takes / name
    facts = json.loads((take / "take.json").read_text())
    assert facts["state"] == "complete"
    files = [wave_file.read(take / file["file"])[0] for file in facts["files"]]
    assert {len(file) for file in files} == {facts["frames"]} and facts["frames"] > 3 * RATE
    heads = (take / "motion.csv").read_text().splitlines()
    assert len(heads) > 10 and heads[1].startswith("0,")
    again = {}
    for listener in (1, 2):
        run("render", take, "--output", tmp_path / "again.wav", "--overwrite", "--listener", listener, timeout=FILTERS)
        live, again[listener] = wave_file.read(take / f"ears-{listener}.wav")[0], wave_file.read(tmp_path / "again.wav")[0]
        assert live.shape == again[listener].shape
        worst = largest_difference(live, again[listener], facts)
        print(f"{method}, listener {listener}: {len(live)} frames, largest difference {worst}")
        assert worst == 0
    assert numpy.abs(again[1] - again[2])[SETTLED:].max() > 0.01


def test_sounds_of_objects_are_found_again_by_their_paths(scene, tmp_path):
    """Also those that are in no folder of sounds."""
    tone = 0.1 * numpy.sin(2 * numpy.pi * 480 * numpy.arange(2 * RATE) / RATE)
    (tmp_path / "elsewhere").mkdir()
    sound = tmp_path / "elsewhere" / "tone.wav"
    wave_file.write(sound, tone[:, None])
    takes = tmp_path / "takes"
    with Engine("--object", f"{sound}@90", "--takes", takes, "--sounds", tmp_path / "sounds") as running:
        until(lambda: running.value("/object/1/state").startswith("ready"))
        name = begin(running)
        until(lambda: running.value("/take/duration") > 2.5)
        end(running)
    take = takes / name
    assert json.loads((take / "take.json").read_text())["sounds"] == {"tone.wav": str(sound)}
    again = tmp_path / "again.wav"
    run("render", take, "--output", again)
    # Objects begin at the start of their sounds, so that levels are compared.
    live, rendered = (numpy.sqrt((wave_file.read(file)[0][-RATE:] ** 2).mean(axis=0)) for file in (take / "ears-1.wav", again))
    assert numpy.all(rendered > 0.001) and numpy.all(numpy.abs(20 * numpy.log10(rendered / live)) < 0.1), (live, rendered)


@measured
def test_a_take_has_no_gaps_and_every_motion(scene, tmp_path):
    takes = tmp_path / "takes"
    with Engine("--recording", scene, "--listeners", 2, "--takes", takes) as running:
        name = begin(running, ("/take/source/array", True), ("/take/source/ears", "all"))
        turn(running, 3)
        end(running)
    facts = json.loads((takes / name / "take.json").read_text())
    figure("gaps of a take", len(gaps(facts)), at_most=0)
    figure("heads of a take of 3 s", len((takes / name / "motion.csv").read_text().splitlines()) - 1, at_least=200)


def test_flac_and_the_array_beside_it(scene, tmp_path):
    with Engine("--recording", scene, "--takes", tmp_path / "takes") as running:
        take = tmp_path / "takes" / begin(running, ("/take/source/array", True), ("/take/format", "flac"))
        # The file without an end can be read while it grows.
        assert (take / "ears-1.w64").exists()
        turn(running, 1)
        end(running)
        until(lambda: (take / "array.flac").exists() and not list(take.glob("*.w64")))
        until(lambda: json.loads((take / "take.json").read_text())["files"][1]["file"] == "array.flac")
    again = tmp_path / "again.wav"
    print(run("render", take, "--output", again))
    assert (take / "ears-1.flac").read_bytes()[:4] == b"fLaC"
    run("render", take / "array.flac", "--output", tmp_path / "straight.wav")
    # The microphones have 24 bits, and are not clipped.
    assert len(wave_file.read(again)[0]) == len(wave_file.read(tmp_path / "straight.wav")[0])


def stated(path):
    """Bytes that the header of a WAV, RF64 or W64 file states."""
    with path.open("rb") as file:
        head = file.read(28)
    form, place = {b"RIFF": ("<I", 4), b"RF64": ("<Q", 20), b"riff": ("<Q", 16)}[head[:4]]
    return struct.unpack_from(form, head, place)[0]


def kill(engine, take, are_written):
    """Kills an engine while it records two ears and eight microphones, on request once their files have what was recorded before. Returns
    the length of the take, seconds."""
    turn(engine, 2)
    length = engine.value("/take/duration")
    if are_written:
        ears, array = (next(path for path in take.glob(f"{name}.*") if path.suffix in (".wav", ".w64")) for name in ("ears-1", "array"))
        until(lambda: min(stated(ears) / 2, stated(array) / 8) > 4 * RATE * length, lambda: (stated(ears), stated(array), length))
    engine.process.send_signal(signal.SIGKILL)
    engine.process.wait()
    return length


@measured
def test_a_killed_program_takes_little_from_a_take(scene, tmp_path):
    with Engine("--recording", scene, "--takes", tmp_path / "takes") as running:
        take = tmp_path / "takes" / begin(running, ("/take/source/array", True))
        length = kill(running, take, are_written=False)
    seconds = len(wave_file.read(take / "ears-1.wav")[0]) / RATE
    figure("sound that a killed program takes from a take", length - seconds, at_most=1, unit="s")


@pytest.mark.parametrize("form", ["wav", "flac"])
def test_after_sigkill_a_take_opens(scene, tmp_path, form):
    with Engine("--recording", scene, "--takes", tmp_path / "takes") as running:
        take = tmp_path / "takes" / begin(running, ("/take/source/array", True), ("/take/format", form))
        length = kill(running, take, are_written=True)
    facts = json.loads((take / "take.json").read_text())
    assert facts["state"] == "recording"
    # Until its end a FLAC take has W64 files.
    for file in facts["files"] if form == "wav" else []:
        samples = wave_file.read(take / file["file"])[0]
        assert len(samples) / RATE > length - 1 and numpy.isfinite(samples).all()
    again = tmp_path / "again.wav"
    print(run("render", take, "--output", again))
    rendered = wave_file.read(again)[0]
    live = wave_file.read(take / "ears-1.wav")[0] if form == "wav" else rendered
    common = min(len(live), len(rendered))
    assert common / RATE > length - 1
    assert largest_difference(live[:common], rendered[:common], facts) == 0
    with Engine("--takes", tmp_path / "takes") as running:
        until(lambda: running.value("/take/changes") > 0)
        listed = running.get("/takes")["takes"]
        assert [one["state"] for one in listed] == ["interrupted"] and listed[0]["seconds"] > length - 1
        # Its outline is read from the sound, since none was written.
        overview = listed[0]["overview"]
        assert 100 < len(overview) <= 1000 and max(overview) > 5


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 16 MiB."""
    if os.geteuid() != 0:
        pytest.skip("mounting needs root")
    place = tmp_path / "disk"
    place.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", place], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"mounting is not allowed here: {done.stderr.strip()}")
    yield place
    subprocess.run(["umount", place], check=True)


def fill(scene, disk):
    """Records a take until the disk is full. Returns its facts, the lengths of its files, and the dropouts of the recording."""
    with Engine("--recording", scene, "--takes", disk) as running:
        running.osc().send_message("/transport/loop", True)
        choose(running, ("/take/source/array", True))
        until(lambda: 0 < running.value("/take/remaining") < 10)
        running.osc().send_message("/take/start", [])
        until(lambda: "the disk is full" in running.value("/take/problem"))
        until(lambda: running.value("/take/current") == "" and running.value("/take/remaining") == 0)
        # Playback continues.
        blocks = running.metric("vestibule_blocks_total")
        until(lambda: running.metric("vestibule_blocks_total") > blocks + 100)
        dropouts = running.value("/engine/dropouts")
    [description] = disk.glob("*/take.json")
    facts = json.loads(description.read_text())
    lengths = {len(wave_file.read(description.parent / file["file"])[0]) for file in facts["files"]}
    print(f"{lengths} frames in 16 MiB")
    return facts, lengths, dropouts


def test_a_full_disk_ends_the_take_and_nothing_else(scene, small_disk):
    facts, lengths, _ = fill(scene, small_disk)
    assert facts["state"] == "stopped" and "the disk is full" in facts["reason"]
    assert lengths == {facts["frames"]} and facts["frames"] > 4 * RATE


@measured
def test_a_full_disk_leaves_no_gaps_and_no_dropouts(scene, small_disk):
    facts, _, dropouts = fill(scene, small_disk)
    figure("gaps of a take that fills the disk", len(gaps(facts)), at_most=0)
    figure("dropouts beside a take that fills the disk", dropouts, at_most=0)


def test_lists_downloads_and_deletion(engine):
    name = begin(engine)
    turn(engine, 0.5)
    end(engine)
    until(lambda: [one["state"] for one in engine.get("/takes")["takes"] if one["name"] == name] == ["complete"])
    one = next(one for one in engine.get("/takes")["takes"] if one["name"] == name)
    assert {"ears-1.wav", "motion.csv", "session.json", "take.json"} <= {file["name"] for file in one["files"]}
    ears = next(file for file in one["files"] if file["name"] == "ears-1.wav")
    assert (ears["source"], ears["listener"], ears["channels"]) == ("ears", 1, 2) and ears["size"] > 0.5 * RATE * 8
    assert one["size"] == sum(file["size"] for file in one["files"]) and 0.9 < one["lead"] <= 1.1
    assert (one["lost"] == 0) == (one["gaps"] == [])
    assert one["seconds"] > 0.5 and max(one["overview"]) > 0
    with urllib.request.urlopen(f"{engine.url}/takes/{name}/ears-1.wav") as answer:
        whole = answer.read()
        assert answer.headers["Content-Disposition"] == "attachment" and whole[:4] == b"RIFF"
    part = urllib.request.Request(f"{engine.url}/takes/{name}/ears-1.wav", headers={"Range": "bytes=8-11"})
    with urllib.request.urlopen(part) as answer:
        assert answer.status == 206 and answer.read() == b"WAVE"
    for path in ("/takes/../sessions", "/takes/.trash/x", f"/takes/{name}/%2e%2e/x", "/takes/none/ears-1.wav"):
        with pytest.raises(urllib.error.HTTPError) as refusal:
            urllib.request.urlopen(engine.url + path)
        assert refusal.value.code in (400, 403, 404)
    engine.osc().send_message("/take/delete", name)
    until(lambda: name not in [one["name"] for one in engine.get("/takes")["takes"]])
    assert (pathlib.Path(os.environ["XDG_DATA_HOME"]) / "vestibule/takes/.trash" / name / "ears-1.wav").exists()


def test_requests_that_cannot_be_done(engine):
    client = engine.osc()
    client.send_message("/take/name", "../../etc")
    until(lambda: 'is not a valid name of a take' in engine.value("/engine/notice"))
    client.send_message("/take/source/ears", "9")
    until(lambda: 'there is no listener "9"; give numbers (1), wired, network, all, or nothing' in engine.value("/engine/notice"))
    client.send_message("/take/stop", [])
    until(lambda: "no take is being recorded" in engine.value("/engine/notice"))
    assert engine.value("/take/name") == "" and engine.value("/take/source/ears") == "1"
    blocks = engine.metric("vestibule_blocks_total")
    until(lambda: engine.metric("vestibule_blocks_total") > blocks + 100)
    holds(lambda: not engine.value("/take/recording"))
