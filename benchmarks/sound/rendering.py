#!/usr/bin/env python3
"""Motion-tracked binaural rendering compared with other implementations, on this machine, one after another.

The job: 16 microphones, 48 kHz, blocks of 64 frames, one listener whose head moves in every block, ramped weights.
The peers implement `linear`; peers that are not installed are skipped and listed.

    benchmarks/sound/rendering.py [PROGRAM]     PROGRAM: vestibule, a release build (default .build/release/vestibule)
"""

import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

MICROPHONES, BLOCK, RATE = 16, 64, 48_000
FOLDER = pathlib.Path(__file__).parent
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else FOLDER.parents[1] / ".build/release/vestibule"


def vestibule(method):
    """Returns the cost of the first listener and of each further one in ns per frame."""
    output = subprocess.run([PROGRAM, "bench", "--method", method, "--json"], capture_output=True, check=True, text=True)
    values = {row["name"].split(": ")[1]: row["value"] for row in json.loads(output.stdout)}
    each = values["each listener, head moving"]
    return values["shared by all listeners"] + each, each


def weights(yaw):
    """Returns the weights of the method linear, one row for each ear."""
    rows = []
    for ear in (90, -90):
        place = (ear + yaw) / 360 * MICROPHONES % MICROPHONES
        low = int(place)
        row = [0.0] * MICROPHONES
        row[low] = 1 - (place - low)
        row[(low + 1) % MICROPHONES] += place - low
        rows.append(row)
    return rows


def least(run, blocks, runs=5):
    """Returns ns per frame of the fastest run."""
    best = math.inf
    for _ in range(runs):
        begin = time.perf_counter()
        run(blocks)
        best = min(best, time.perf_counter() - begin)
    return best * 1e9 / (blocks * BLOCK)


def numpy_linear():
    import numpy

    frames = numpy.random.default_rng(1).standard_normal((256, BLOCK, MICROPHONES)).astype(numpy.float32)
    table = numpy.array([weights(yaw / 2) for yaw in range(720)], dtype=numpy.float32)
    ramp = (numpy.arange(1, BLOCK + 1, dtype=numpy.float32) / BLOCK)[:, None]

    def run(blocks):
        before = table[0]
        for block in range(blocks):
            now, x = table[block % 720], frames[block % 256]
            start = x @ before.T
            start + ramp * (x @ now.T - start)
            before = now

    return least(run, 4000)


def numba_linear():
    import numba
    import numpy

    frames = numpy.random.default_rng(1).standard_normal((256, BLOCK, MICROPHONES)).astype(numpy.float32)
    table = numpy.array([weights(yaw / 2) for yaw in range(720)], dtype=numpy.float32)
    ears = numpy.zeros((BLOCK, 2), dtype=numpy.float32)

    @numba.njit(fastmath=True)
    def run(frames, table, ears, blocks):
        for block in range(1, blocks + 1):
            before, now, x = table[(block - 1) % 720], table[block % 720], frames[block % 256]
            for frame in range(BLOCK):
                along = numpy.float32((frame + 1) / BLOCK)
                for ear in range(2):
                    total = numpy.float32(0)
                    for i in range(MICROPHONES):
                        total += x[frame, i] * (before[ear, i] + along * (now[ear, i] - before[ear, i]))
                    ears[frame, ear] = total

    run(frames, table, ears, 1)
    return least(lambda blocks: run(frames, table, ears, blocks), 20_000)


def faust_linear():
    """Faust compiled to C; the weights are smoothed by its `si.smoo`."""
    if not shutil.which("faust"):
        raise ImportError("faust")
    compiler = shutil.which("clang") or shutil.which("gcc")
    if not compiler:
        raise ImportError("a C compiler")
    with tempfile.TemporaryDirectory() as folder:
        made, program = pathlib.Path(folder) / "linear.h", pathlib.Path(folder) / "linear"
        subprocess.run(["faust", "-lang", "c", "-cn", "linear", FOLDER / "linear.dsp", "-o", made], check=True)
        subprocess.run(
            [compiler, "-O3", "-march=native", "-ffast-math", f"-I{folder}", FOLDER / "linear.c", "-o", program, "-lm"],
            check=True)
        return float(subprocess.run([program], capture_output=True, check=True, text=True).stdout)


def main():
    rows, missing = [], []
    for method in ("linear", "two-band", "ring", "ring-spectral"):
        whole, each = vestibule(method)
        rows.append((f"vestibule, {method}: the first listener", whole, method == "linear"))
        rows.append((f"vestibule, {method}: each further one", each, False))
    for name, measure in (("numpy, linear", numpy_linear), ("numba, linear", numba_linear),
                          ("Faust in C, linear", faust_linear)):
        try:
            rows.append((name, measure(), False))
        except ImportError as error:
            missing.append(f"{name} ({error})")
    own = next(value for _, value, isOwn in rows if isOwn)
    print(f"{'':44}{'ns per frame':>14}{'against linear':>16}")
    for name, value, _ in rows:
        print(f"{name:44}{value:14.2f}{value / own:15.2f}x")
    for name in missing:
        print(f"not installed: {name}")


if __name__ == "__main__":
    main()
