"""`vestibule take`: the list of takes, and the check that finds everything that a take lacks."""

import json
import os
import pathlib
import shutil
import signal

import pytest

import wave_file
from program import Engine, run
from seeds import generator
from waiting import until

RATE = 48_000


@pytest.fixture(scope="module")
def takes(tmp_path_factory):
    """A folder with a take that is complete, and one whose program was killed."""
    folder = tmp_path_factory.mktemp("recorded")
    wave_file.write(folder / "scene.wav", 0.1 * generator(5).standard_normal((4 * RATE, 8)))
    options = ["--recording", folder / "scene.wav", "--takes", folder / "takes", "--objects", 1, "--listeners", 2]
    with Engine(*options) as running:
        client = running.osc()
        client.send_message("/take/source/array", True)
        client.send_message("/take/source/ears", "all")

        def record(name):
            """Records for a while. Returns the folder of the take that goes on."""
            client.send_message("/take/name", name)
            until(lambda: running.value("/take/kept") > 0.1)
            client.send_message("/take/start", [])
            take = until(lambda: running.value("/take/current"))
            until(lambda: running.value("/take/duration") > 1.5)
            return folder / "takes" / pathlib.Path(take).name

        def is_recorded_without_gaps():
            take = record("evening")
            client.send_message("/take/stop", [])
            until(lambda: not running.value("/take/recording"))
            if not any(file["gaps"] for file in json.loads((take / "take.json").read_text())["files"]):
                return True
            shutil.rmtree(take)
            return False

        # A machine that stalls may lose sound.
        until(is_recorded_without_gaps)
        take = record("killed")
        until(lambda: (take / "array.wav").stat().st_size > 8 * 4 * RATE)
        running.process.send_signal(signal.SIGKILL)
        running.process.wait()
    assert take.name.endswith("-killed")
    return folder / "takes"


@pytest.fixture
def copy(takes, tmp_path):
    """A copy of the complete take."""
    source = next(takes.glob("*-evening"))
    return shutil.copytree(source, tmp_path / source.name)


def check(*arguments):
    """Runs the check; returns its exit status, what it prints, and its errors."""
    result = run("take", "check", *arguments, check=False)
    return result.returncode, result.stdout, result.stderr


def test_the_list_tells_state_length_and_sources(takes):
    killed, evening = run("take", "list", "--takes", takes).stdout.splitlines()
    assert evening.split()[0].endswith("-evening") and "complete" in evening and "ears 1 2, array (8)" in evening
    assert "without end" in killed and " MB" in killed
    nothing = run("take", "list", "--takes", takes / "none")
    assert nothing.stdout == "" and "No takes in" in nothing.stderr


def test_gaps_are_listed_and_not_complete(copy):
    facts = json.loads((copy / "take.json").read_text())
    facts["files"][0]["gaps"] = [{"frame": 4800, "frames": 480}, {"frame": 9600, "frames": 48}]
    (copy / "take.json").write_text(json.dumps(facts))
    assert "lost 0.011 s in 2 gaps" in run("take", "list", "--takes", copy.parent).stdout
    status, _, errors = check(copy)
    assert status == 1 and "ears-1.wav is silent for 0.010 s from 0.100 s on" in errors


def test_a_complete_take_by_name_and_path(takes):
    name = next(takes.glob("*-evening")).name
    for arguments in ((takes / name,), (name, "--takes", takes)):
        status, told, errors = check(*arguments)
        assert (status, errors) == (0, "") and told.startswith(f"{name}: complete, ")
    status, _, errors = check("nothing", "--takes", takes)
    assert status != 0 and "There is no take nothing" in errors and "vestibule take list" in errors


def test_after_sigkill_the_check_tells_what_can_be_used(takes):
    status, told, errors = check(takes)
    evening, killed = sorted(told.splitlines(), key=lambda line: "killed" in line)
    assert status == 1 and ": complete, " in evening
    assert float(killed.split("not complete, ")[1].split()[0]) > 0.5
    assert "the take has no end" in errors and "evening" not in errors


@pytest.mark.parametrize(("damage", "word"), [
    (lambda take: (take / "array.wav").unlink(), "array.wav"),
    (lambda take: (take / "motion-2.csv").unlink(), "motion-2.csv"),
    (lambda take: (take / "objects.csv").unlink(), "objects.csv is missing"),
    (lambda take: (take / "array.json").unlink(), "array.json is missing"),
    (lambda take: (take / "session.json").write_text("{"), "session.json"),
    (lambda take: (take / "take.json").unlink(), "is not a take"),
    (lambda take: (take / "motion.csv").write_text("frame\n"), "motion.csv:1"),
    (lambda take: wave_file.write(take / "ears-1.wav", [[0.0, 0.0]] * 4800), "its last"),
    (lambda take: wave_file.write(take / "ears-1.wav", [[0.0]] * 4800), "has 1 channels, but take.json says 2"),
    (lambda take: (take / "ears-2.wav").write_bytes(b""), "ears-2.wav"),
    (lambda take: os.truncate(take / "array.wav", 400_000), "array.wav is truncated"),
], ids=["array", "motion", "objects", "geometry", "session", "description", "header", "short", "channels", "empty", "cut"])
def test_everything_that_a_take_lacks_is_told(copy, damage, word):
    assert check(copy)[0] == 0
    damage(copy)
    status, told, errors = check(copy)
    assert status == 1 and "not complete" in told
    assert any(word in line and line.startswith(f"Error: {copy.name}: ") for line in errors.splitlines()), errors


def test_a_line_that_is_cut_short_is_left_out(copy, tmp_path):
    for name in ("motion.csv", "objects.csv"):
        with open(copy / name, "a") as file:
            file.write("99999999,0.1")
    status, _, errors = check(copy)
    assert status == 1
    assert [line.split(": ", 2)[2] for line in errors.splitlines()] == [
        f"{copy / name} is truncated within its last line, which is ignored" for name in ("motion.csv", "objects.csv")]
    # The take can be rendered nevertheless.
    run("render", copy, "--output", tmp_path / "again.wav")
    assert (tmp_path / "again.wav").stat().st_size > RATE * 8
    # Its own session determines the rest, which cannot be chosen.
    refused = run(
        "render", copy, "--pitch", 5, "--block", 32, "--room", "hall.json", "--output", tmp_path / "other.wav", check=False)
    assert refused.returncode != 0 and "Leave out --room, --pitch, --block, or name" in refused.stderr


def test_a_folder_without_takes_is_named(tmp_path):
    for options in ([tmp_path], ["--takes", tmp_path], ["--takes", tmp_path / "none"]):
        status, told, errors = check(*options)
        assert (status, told) == (0, "") and errors.startswith(f"No takes in {options[-1]}. ") and errors.count("\n") == 1
