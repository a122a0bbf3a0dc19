#!/usr/bin/env python3
"""Players of one HLS stream behind nginx, with the configuration of deploy/: what each costs nginx and the engine.

Every player has a connection of its own with TLS and follows the stream part by part: a playlist and a part, three times a second each.
Measures requests, bytes, the age of the newest sound at the players, and processor time of nginx, the engine and the players. Exits with 1
when the engine gets more than a tenth of the players' requests.

    benchmarks/players.py [PROGRAM] [--players N …] [--states S]     PROGRAM: vestibule, a release build
"""

import argparse
import asyncio
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from limits import Limits

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "Tests/Integration/support"), str(ROOT / "Tests/Integration/support/services")]
TICKS = os.sysconf("SC_CLK_TCK")


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=ROOT / ".build/release/vestibule", type=pathlib.Path)
    parser.add_argument("--players", type=int, nargs="+", default=[100, 500, 1000])
    parser.add_argument("--states", type=int, default=12, help="playlists that each player follows")
    return parser.parse_args()


arguments = options()
os.environ["VESTIBULE"] = str(arguments.program)
from mqtt_broker import authority  # noqa: E402
from nginx_site import Player, asked, nginx_site  # noqa: E402


def family(pid):
    """A process and its children."""
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in children for each in family(int(child)))]


def spent(pid):
    """Processor seconds of a process and its children."""
    fields = [pathlib.Path(f"/proc/{each}/stat").read_text().rsplit(") ", 1)[1].split() for each in family(pid)]
    return sum(int(each[11]) + int(each[12]) for each in fields) / TICKS


async def crowd(players):
    """All connect, then they play. Returns the seconds of playing, and the processor seconds of each process meanwhile."""
    # A handful at a time: as many as the server's queue of new connections takes.
    for begin in range(0, len(players), 50):
        await asyncio.gather(*(player.open() for player in players[begin:begin + 50]))
    before, begin = {name: spent(pid) for name, pid in pids.items()}, time.monotonic()
    await asyncio.gather(*(player.follow(arguments.states) for player in players))
    passed = time.monotonic() - begin
    return passed, {name: spent(pid) - before[name] for name, pid in pids.items()}


pids = {}


def main():
    limits = Limits()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        scene = folder / "scene.wav"
        subprocess.run([arguments.program, "synth", "--demo", "--output", scene], check=True, capture_output=True)
        with nginx_site(folder, authority(folder), "--recording", scene) as site:
            pids.update(nginx=site.nginx.pid, engine=site.process.pid, players=os.getpid())
            path = json.loads(asked(site, "/hls/address", authorization=f"Bearer {site.token['view']}")[2])["path"]
            place = f"{path}/listener/1/"
            asyncio.run(Player(site, 0, place).play(1))
            for number in arguments.players:
                skip = len(site.nginx_log.read_text().splitlines())
                players = [Player(site, each, place) for each in range(number)]
                passed, used = asyncio.run(crowd(players))
                lines = [line.split(" ", 1)[0] for line in site.nginx_log.read_text().splitlines()[skip:]]
                missed = sum(state not in ("HIT", "-") for state in lines)
                ages = sorted(age for player in players for age in player.ages)
                bytes_ = sum(player.bytes for player in players)
                print(f"{number} players, {passed:.1f} s: {len(lines) / passed:.0f} requests a second, "
                      f"{8 * bytes_ / passed / 1e6:.1f} Mbit/s; newest sound {statistics.median(ages):.2f} s old (median), "
                      f"{ages[-1]:.2f} s (worst); shares of a core: "
                      + ", ".join(f"{name} {seconds / passed:.2f}" for name, seconds in used.items())
                      + f"; {1e6 * used['nginx'] / len(lines):.0f} us of nginx for each request")
                limits.most("requests of nginx at the engine, share", missed / len(lines), 0.1)
    sys.exit(limits.status)


if __name__ == "__main__":
    main()
