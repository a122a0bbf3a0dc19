"""The loss of takes when the program is killed, when the disk fills up, and when it does not answer.

    .venv/bin/python benchmarks/takes.py
    .venv/bin/python benchmarks/takes.py --kills 50 --seconds 5

* The program is killed at random moments of takes (SIGKILL). Every file has to open, and to lack less than the last second of what was
  rendered.
* A file system of 16 MiB fills up (tmpfs). The take has to end with complete files, and playback to continue without a dropout.
* A file system does not answer for some seconds (`fsfreeze` of an ext4 file system in a file). Nothing may be lost, and playback has to
  continue without a dropout.

The last two need root, and mounts to be allowed; a line says so where they are not. Ends with status 1 when more is lost than that.
"""

import argparse
import contextlib
import json
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Tests/Integration/support"))

import wave_file  # noqa: E402
from program import Engine, run  # noqa: E402
from waiting import until  # noqa: E402

RATE, PERIOD = 48_000, 64


@contextlib.contextmanager
def engine(scene, takes):
    """A running engine whose takes contain the ears and the microphones, all in memory."""
    with Engine("--recording", scene, "--takes", takes) as running:
        client = running.osc()
        client.send_message("/transport/loop", True)
        client.send_message("/take/source/array", True)
        until(lambda: running.value("/take/source/array"))
        until(lambda: running.value("/take/kept") < 0.1)
        until(lambda: running.value("/take/kept") > 0.1)
        yield running


def begin(running):
    running.osc().send_message("/take/start", [])
    return until(lambda: running.value("/take/current"))


def blocks(running):
    return running.metric("vestibule_blocks_total")


def length(take):
    """Frames that all sound files of a take have, and its description."""
    facts = json.loads((take / "take.json").read_text())
    return min(len(wave_file.read(take / file["file"])[0]) for file in facts["files"]), facts


def kills(scene, folder, count, chance):
    """Returns the seconds that each take lost, of what was rendered before the program was killed."""
    lost = []
    for number in range(count):
        takes = folder / f"takes-{number}"
        with engine(scene, takes) as running:
            take = takes / begin(running)
            time.sleep(chance.uniform(0.02, 1.5))
            rendered = blocks(running) * PERIOD
            running.process.send_signal(signal.SIGKILL)
            running.process.wait()
        frames, facts = length(take)
        lost.append(max(0, rendered - facts["sample"] - frames) / RATE)
        run("render", take, "--output", folder / "again.wav", "--overwrite")
        told = run("take", "check", take, check=False)
        if told.returncode != 1 or "the take has no end" not in told.stderr:
            sys.exit(f"vestibule take check does not tell that {take} has no end: {told.stdout}{told.stderr}")
    print(f"{count} kills: all files open and are rendered again; lost {statistics.median(lost):.3f} s (median), "
          f"{max(lost):.3f} s (largest), {1000 * statistics.pstdev(lost):.0f} ms (standard deviation)", flush=True)
    return max(lost) <= 1


@contextlib.contextmanager
def mounted(folder, *arguments):
    """A mounted folder; None, with a line that tells why, where mounts are not allowed."""
    folder.mkdir()
    done = subprocess.run(["mount", *arguments, folder], capture_output=True, text=True)
    if done.returncode != 0:
        print(f"mount {' '.join(map(str, arguments))}: not possible here ({done.stderr.strip()})")
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def full(scene, folder):
    with mounted(folder / "small", "-t", "tmpfs", "-o", "size=16m", "tmpfs") as disk:
        if disk is None:
            return True
        with engine(scene, disk) as running:
            promised = running.value("/take/remaining")
            take = disk / begin(running)
            until(lambda: "the disk is full" in running.value("/take/problem"))
            before = blocks(running)
            until(lambda: blocks(running) > before + 1000)
            dropouts, lost = running.value("/engine/dropouts"), running.value("/take/lost")
        frames, facts = length(take)
        print(f"16 MiB full: {frames / RATE:.2f} s in all files ({promised:.0f} s promised at the start), {lost:.3f} s lost before, "
              f"state {facts['state']}, {dropouts} dropouts of playback", flush=True)
        return facts["frames"] == frames and lost == 0 and dropouts == 0


def frozen(scene, folder, seconds):
    image = folder / "disk.img"
    with open(image, "wb") as file:
        file.truncate(256 << 20)
    made = subprocess.run(["mkfs.ext4", "-q", image], capture_output=True, text=True)
    if made.returncode != 0:
        print(f"mkfs.ext4: not possible here ({made.stderr.strip()})")
        return True
    with mounted(folder / "slow", "-o", "loop", image) as disk:
        if disk is None:
            return True
        with engine(scene, disk) as running:
            take = disk / begin(running)
            time.sleep(2)
            subprocess.run(["fsfreeze", "--freeze", disk], check=True)
            try:
                time.sleep(seconds)
                written = running.value("/take/duration")
            finally:
                subprocess.run(["fsfreeze", "--unfreeze", disk], check=True)
            until(lambda: running.value("/take/duration") > written + seconds)
            dropouts, lost = running.value("/engine/dropouts"), running.value("/take/lost")
            running.osc().send_message("/take/stop", [])
            until(lambda: not running.value("/take/recording"))
        frames, facts = length(take)
        told = run("take", "check", take, check=False)
        print(f"disk blocked for {seconds:g} s: {lost:.3f} s lost of {frames / RATE:.2f} s, {dropouts} dropouts of playback; "
              f"{told.stdout.strip()}", flush=True)
        return lost == 0 and dropouts == 0 and told.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=5, help="for which the disk does not answer")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ.update(XDG_DATA_HOME=f"{name}/data", XDG_CACHE_HOME=f"{name}/cache")
        scene = folder / "scene.wav"
        run("synth", "--demo", "--output", scene)
        good = [full(scene, folder), frozen(scene, folder, options.seconds),
                kills(scene, folder, options.kills, random.Random(options.seed))]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
