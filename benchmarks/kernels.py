#!/usr/bin/env python3
"""Cost of listeners, as many listeners multiply it: nanoseconds per frame of each further listener with 16 microphones, the part that all
share beside a plain C loop that does the same, and the latency from motion to sound on the timer. Exits with 1 beyond a bound.

The least of several readings counts, because other programs only add to it.

    benchmarks/kernels.py [PROGRAM] [--readings N] [--without-latency]
"""

import argparse
import json
import subprocess
import sys

from limits import Limits

# Nanoseconds a frame for each further listener.
EACH = {"two-band": 2.2, "ring": 3, "ring-spectral": 8, "hrtf": 45}
# The shared part of two-band, times the plain C loop.
SHARED = 1.0
# Motion to sound at period 64, 99th percentile, milliseconds.
LATENCY = 2.2


def bench(program, *options):
    return json.loads(subprocess.run([program, "bench", "--json", *options], check=True, capture_output=True).stdout)


def least(rows, words, key="value"):
    return min(row[key] for reading in rows for row in reading if words in row["name"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=".build/release/vestibule")
    parser.add_argument("--readings", type=int, default=5)
    parser.add_argument("--without-latency", action="store_true", help="leave out motion to sound, which takes a minute")
    options = parser.parse_args()
    limits = Limits()
    print("each further listener, and the shared part")
    for method, bound in EACH.items():
        rows = [bench(options.program, "--method", method) for _ in range(options.readings)]
        limits.most(f"{method}, each listener", least(rows, ": each listener"), bound, "ns a frame")
        if method == "two-band":
            # A reading and the loop beside it: the speed of a shared machine changes.
            ratios = [row["value"] / row["beside"] for reading in rows for row in reading if "shared by all" in row["name"]]
            limits.most(f"{method}, shared part by the C loop", sorted(ratios)[len(ratios) // 2], SHARED)
    if not options.without_latency:
        rows = [row for row in bench(options.program) if "motion to sound" in row["name"].lower()]
        for row in rows:
            print(f"  {row['name']}: {row['value']:.3g} {row['unit']}")
        limits.most("motion to sound, p99", next(row["value"] for row in rows if row["name"].endswith("p99")), LATENCY, "ms")
    sys.exit(limits.status)


if __name__ == "__main__":
    main()
