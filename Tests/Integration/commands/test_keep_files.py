"""Outputs replace neither inputs nor other files, and appear complete or not at all."""

import json
import os
import pty
import shutil
import signal
import struct
import subprocess

import numpy
import pytest

import wave_file
from program import PROGRAM, run
from seeds import generator
from waiting import until

RACK = '{"version": 1, "slots": [{"effect": "delay"}]}'
MOTION = "time,yaw,pitch,roll\n0,0,0,0\n1,30,0,0\n2,10,5,0\n"


@pytest.fixture
def inputs(tmp_path):
    """A recording, a sound, a motion, a rack and a folder of mono files."""
    random = generator(5)
    wave_file.write(tmp_path / "ring.wav", 0.1 * random.standard_normal((9600, 8)))
    wave_file.write(tmp_path / "voice.wav", 0.1 * random.standard_normal((9600, 1)))
    (tmp_path / "rack.json").write_text(RACK)
    (tmp_path / "motion.csv").write_text(MOTION)
    (tmp_path / "array").mkdir()
    for number in range(4):
        wave_file.write(tmp_path / f"array/{number + 1}.wav", 0.1 * random.standard_normal((9600, 1)))
    return tmp_path


#: Commands with an output, and the inputs that must never become it.
COMMANDS = [
    (["render", "ring.wav", "--output"], "ring.wav"),
    (["render", "--object", "voice.wav@30", "--output"], "voice.wav"),
    (["render", "array", "--output"], "array/1.wav"),
    (["encode", "ring.wav", "--order", "1", "--output"], "ring.wav"),
    (["process", "voice.wav", "--rack", "rack.json", "--cut", "--output"], "voice.wav"),
    (["synth", "--microphones", "4", "--source", "voice.wav@30", "--output"], "voice.wav"),
    (["evaluate-tracking", "motion.csv", "--output"], "motion.csv"),
    (["serve", "--recording", "ring.wav", "--http-port", "0", "--osc-port", "0", "--device"], "ring.wav"),
    (["serve", "--recording", "ring.wav", "--http-port", "0", "--osc-port", "0", "--record-motion"], "ring.wav"),
    (["serve", "--recording", "ring.wav", "--http-port", "0", "--osc-port", "0", "--ready-file"], "ring.wav"),
]


def words_of(value):
    """Name of a case: the command and its option."""
    return " ".join(value[:1] + value[-1:]) if isinstance(value, list) else ""


def tried(command, output, folder, *options):
    """Runs a command with an output that it should refuse."""
    name = f"file:{output}" if command[-1] == "--device" else str(output)
    result = run(*command, name, *options, check=False, cwd=folder)
    return result.returncode, result.stderr + result.stdout


def contents(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("command, source", COMMANDS, ids=words_of)
def test_no_input_becomes_an_output(inputs, command, source):
    kind = os.path.splitext(source)[1]
    (inputs / f"symbolic{kind}").symlink_to(source)
    os.link(inputs / source, inputs / f"hard{kind}")
    (inputs / "sub").mkdir()
    before = contents(inputs)
    for output in (source, f"symbolic{kind}", f"hard{kind}", f"sub/../{source}", inputs / source):
        for options in ([], ["--overwrite"]):
            status, words = tried(command, output, inputs, *options)
            assert status != 0 and "the same file as" in words, words
            assert contents(inputs) == before


@pytest.mark.parametrize("command, source", COMMANDS[:7], ids=words_of)
def test_an_existing_file_is_replaced_only_with_overwrite(inputs, command, source):
    output = inputs / f"out{os.path.splitext(source)[1]}"
    output.write_text("precious")
    before = contents(inputs)
    status, words = tried(command, output, inputs)
    assert status != 0 and "exists already" in words and "--overwrite" in words, words
    assert contents(inputs) == before
    run(*command, output, "--overwrite", cwd=inputs)
    assert output.read_bytes() != b"precious"
    beside = {path for path in contents(inputs) if path not in before}
    assert beside <= {output.with_suffix(".json")}
    # A new name needs no option.
    run(*command, output.with_name(f"new{output.suffix}"), cwd=inputs)


def test_every_file_of_a_folder_is_kept(tmp_path):
    """`evaluate` writes several files: one that exists is enough for none to be written."""
    (tmp_path / "report.html").write_text("precious")
    result = run("evaluate", "--quick", "--microphones", 4, "--methods", "nearest", "--output", tmp_path, check=False)
    assert result.returncode != 0 and "report.html" in result.stderr and "exists already" in result.stderr
    assert contents(tmp_path) == {tmp_path / "report.html": b"precious"}
    (tmp_path / "linear.csv").write_text("precious")
    result = run("evaluate-tracking", "--write-set", tmp_path, check=False)
    assert result.returncode == 0, "no name of the set is in the way"
    before = contents(tmp_path)
    result = run("evaluate-tracking", "--write-set", tmp_path, check=False)
    assert result.returncode != 0 and "exists already" in result.stderr and contents(tmp_path) == before


def test_the_description_beside_a_recording_is_kept(inputs):
    (inputs / "scene.json").write_text("precious")
    result = run("synth", "--source", inputs / "voice.wav@0", "--output", inputs / "scene.wav", check=False)
    assert result.returncode != 0 and "scene.json" in result.stderr and "exists already" in result.stderr
    assert (inputs / "scene.json").read_text() == "precious" and not (inputs / "scene.wav").exists()


def test_budgets_are_kept(tmp_path):
    (tmp_path / "budgets.json").write_text("precious")
    result = run("bench", "--record-thresholds", "--thresholds", tmp_path / "budgets.json", check=False)
    assert result.returncode != 0 and "exists already" in result.stderr
    assert contents(tmp_path) == {tmp_path / "budgets.json": b"precious"}


def answered(command, answer, folder):
    """Runs a command on a terminal and answers its question. Returns the exit status and the terminal's text."""
    number, terminal = pty.fork()
    if number == 0:
        os.chdir(folder)
        os.execv(PROGRAM, [str(PROGRAM), *command])
    text = b""
    asked = False
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            break
        if not piece:
            break
        text += piece
        if not asked and b"[y/N]" in text:
            os.write(terminal, answer)
            asked = True
    _, status = os.waitpid(number, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), text.decode()


def test_a_terminal_is_asked(inputs):
    command = ["process", "voice.wav", "--rack", "rack.json", "--cut", "--output", "out.wav"]
    (inputs / "out.wav").write_text("precious")
    for answer in (b"n\n", b"\n"):
        status, words = answered(command, answer, inputs)
        assert status != 0 and "out.wav exists already. Replace it? [y/N]" in words, words
        assert (inputs / "out.wav").read_text() == "precious"
    status, words = answered(command, b"y\n", inputs)
    assert status == 0, words
    assert (inputs / "out.wav").read_bytes()[:4] == b"RIFF"
    # An input is not even asked about.
    status, words = answered([*command[:-1], "voice.wav"], b"y\n", inputs)
    assert status != 0 and "[y/N]" not in words and "the same file as" in words


def test_a_killed_render_leaves_the_old_file_and_nothing_else(tmp_path):
    # Forty minutes of silence that take no room on the disk, and minutes to render.
    size_of_data = 48_000 * 2400 * 8 * 4
    (tmp_path / "ring.wav").write_bytes(
        b"RIFF" + struct.pack("<I", size_of_data + 36) + b"WAVEfmt "
        + struct.pack("<IHHIIHH", 16, 3, 8, 48_000, 48_000 * 32, 32, 32) + b"data" + struct.pack("<I", size_of_data))
    os.truncate(tmp_path / "ring.wav", 44 + size_of_data)
    (tmp_path / "ears.wav").write_text("precious")
    before = sorted(tmp_path.iterdir())
    for number in (signal.SIGINT, signal.SIGKILL):
        process = subprocess.Popen(
            [PROGRAM, "render", "ring.wav", "--output", "ears.wav", "--overwrite", "--block", "16", "--method", "ring-spectral"],
            cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # The file is open and growing, under no name.
        until(lambda: any(size(f"/proc/{process.pid}/fd/{name}") > 100_000 for name in descriptors(process, tmp_path)))
        process.send_signal(number)
        assert process.wait(timeout=60) != 0
        assert (tmp_path / "ears.wav").read_text() == "precious" and sorted(tmp_path.iterdir()) == before


def descriptors(process, folder):
    """Open files of a process in a folder that have no name any more."""
    place = f"/proc/{process.pid}/fd"
    names = os.listdir(place)
    return [name for name in names if (target := readlink(f"{place}/{name}")).startswith(str(folder)) and target.endswith("(deleted)")]


def readlink(path):
    try:
        return os.readlink(path)
    except OSError:
        return ""


def size(path):
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


@pytest.mark.parametrize("place, words", [
    ("nowhere/out.wav", "there is no folder"), ("voice.wav/out.wav", "is not a folder"), ("/sys/out.wav", "is not writable"),
    ("n" * 300 + ".wav", "the name is too long"), ("array", "it is a folder"),
])
def test_an_error_says_where_and_why(inputs, place, words):
    before = contents(inputs)
    result = run("process", "voice.wav", "--rack", "rack.json", "--output", place, check=False, cwd=inputs)
    assert result.returncode != 0 and place in result.stderr and words in result.stderr, result.stderr
    assert contents(inputs) == before


def confined(folder, size, command):
    """A command in a file system of its own, of so many bytes, at a folder; None where that is not allowed."""
    mount = f'mount -t tmpfs -o size={size} none "$1" && cp "$2"/* "$1" 2>/dev/null; shift 2; exec "$@"'
    enter = ["unshare", "--mount", "--map-root-user", "sh", "-c"]
    if not shutil.which("unshare") or subprocess.run([*enter, 'mount -t tmpfs none "$1"', "sh", folder], capture_output=True).returncode:
        return None
    return lambda source: [*enter, mount, "sh", str(folder), str(source), *map(str, command)]


def test_a_full_disk_leaves_the_old_file(inputs):
    small, files = inputs / "small", inputs / "files"
    small.mkdir()
    files.mkdir()
    (files / "out.wav").write_text("precious")
    shell = f'{PROGRAM} render {inputs}/ring.wav --output out.wav --overwrite; echo status $?; cat out.wav; ls -A'
    command = confined(small, 40_000, ["sh", "-c", f"cd {small}; {shell}"])
    if command is None:
        pytest.skip("this machine allows no file system of its own")
    result = subprocess.run(command(files), capture_output=True, text=True, timeout=60)
    assert "status 0" not in result.stdout and "out.wav" in result.stderr and "disk" in result.stderr, result
    assert result.stdout.split()[2:] == ["preciousout.wav"], result.stdout


def test_the_ready_file_of_an_earlier_run_is_replaced(tmp_path):
    ready = tmp_path / "ready.json"
    for _ in range(2):
        command = [PROGRAM, "serve", "--ready-file", ready, "--sessions", tmp_path, "--http-port", "0", "--osc-port", "0"]
        with subprocess.Popen(command) as running:
            until(lambda: ready.exists() and json.loads(ready.read_text())["pid"] == running.pid)
            running.terminate()
    ready.write_text("precious")
    result = run("serve", "--ready-file", ready, "--http-port", 0, "--osc-port", 0, check=False)
    assert result.returncode != 0 and "not a ready file" in result.stderr and ready.read_text() == "precious"
