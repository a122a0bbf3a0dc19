#!/usr/bin/env python3
"""Sound objects in the virtual microphone array beside objects rendered for each listener: what many of them cost for many listeners with
the method ring-spectral, what one more object costs and what one more listener, in nanoseconds per frame at period 64.

The least of several readings counts, because other programs only add to it.

    benchmarks/objects/virtual_array.py [PROGRAM] [--readings N]

Exits with 1 when a figure is out of bounds: 128 objects in the array for 500 listeners (two cores), and a further listener with 128
objects in the array (twice the cost of one without any).
"""

import argparse
import json
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1]))

from limits import Limits  # noqa: E402

CORES = 200
# Nanoseconds a frame: twice the bound of kernels.py for ring-spectral.
LISTENER = 16


def bench(program):
    return json.loads(subprocess.run([program, "bench", "--objects", "--json"], check=True, capture_output=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=".build/release/vestibule")
    parser.add_argument("--readings", type=int, default=3)
    options = parser.parse_args()
    readings = [bench(options.program) for _ in range(options.readings)]
    least = {row["name"]: min(each["value"] for reading in readings for each in reading if each["name"] == row["name"])
             for row in readings[0]}
    units = {row["name"]: row["unit"] for row in readings[0]}
    for name, value in least.items():
        print(f"  {name}: {value:.4g} {units[name]}")
    limits = Limits()
    limits.most("objects in the array for all listeners", least["array: the same of one core at 48 kHz"], CORES, "% of a core")
    limits.most("each further listener", next(v for name, v in least.items() if name.startswith("array: each further listener")),
                LISTENER, "ns a frame")
    sys.exit(limits.status)


if __name__ == "__main__":
    main()
