#!/usr/bin/env python3
"""Streams to many, HLS and Icecast: the processor time that each costs the engine, however many play it.

One engine on the timer sends the sound of its listener to an Icecast server and encodes it for HLS. Prints the share of a core of each
kind of thread. Exits with 1 when sound is lost, or when the thread of a stream needs more than a tenth of a core.

    benchmarks/broadcasts.py [PROGRAM] [--seconds S]     PROGRAM: vestibule, a release build
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

from limits import Limits
from streams import thread_seconds

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "Tests/Integration/support"), str(ROOT / "Tests/Integration/support/services")]
#: Share of a core.
MOST = 0.1


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=ROOT / ".build/release/vestibule", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=20)
    return parser.parse_args()


arguments = options()
os.environ["VESTIBULE"] = str(arguments.program)
from icecast_server import PASSWORD, Icecast  # noqa: E402
from program import Engine  # noqa: E402
from waiting import until  # noqa: E402


def main():
    limits = Limits()
    os.environ["VESTIBULE_ICECAST_PASSWORD"] = PASSWORD
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        scene = folder / "scene.wav"
        subprocess.run([arguments.program, "synth", "--demo", "--output", scene], check=True, capture_output=True)
        with Icecast(folder) as server, Engine("--recording", scene, "--icecast", f"icecast://127.0.0.1:{server.port}/a.opus") as engine:
            until(lambda: engine.value("/icecast/state") == "connected")
            playlist = engine.url + "/hls/listener/1/opus.m3u8"
            urllib.request.urlopen(playlist).read()
            before, begin = thread_seconds(engine.process.pid), time.monotonic()
            for _ in range(arguments.seconds):
                # A stream ends half a minute after the last request.
                urllib.request.urlopen(playlist).read()
                time.sleep(1)
            passed = time.monotonic() - begin
            shares = {kind: (seconds - before.get(kind, 0)) / passed for kind, seconds in thread_seconds(engine.process.pid).items()}
            print(f"shares of a core, {passed:.0f} s: " + ", ".join(f"{kind} {share:.3f}" for kind, share in shares.items() if share > 0))
            for kind in ("Icecast", "HLS encoder"):
                limits.most(kind, shares[kind], MOST)
            for stream in ("icecast", "hls"):
                limits.none(f"seconds that {stream} has lost", engine.metric(f"vestibule_{stream}_lost_seconds_total"))
    sys.exit(limits.status)


if __name__ == "__main__":
    main()
