"""Cost of a listener in a browser beside that of the native program, method by method.

    .venv/bin/python benchmarks/browser_cost.py PROGRAM [--seconds 20]

PROGRAM is a release build for any machine (`swift build -c release`), whose bench gives the scene and one listener with a moving head, at
16 microphones. The module of web/renderer renders the same in Node, whose JavaScript engine is Chromium's. Both run one after the other,
three times; the smallest counts.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[1]
METHODS = ["nearest", "linear", "two-band-fixed", "two-band", "two-band-spectral", "ring", "ring-spectral"]
RATE, BLOCK, MICROPHONES = 48_000, 128, 16


def native(program, method):
    """Nanoseconds per frame of the scene and one listener."""
    results = json.loads(subprocess.run(
        [program, "bench", "--method", method, "--json"], check=True, capture_output=True, text=True).stdout)
    rows = {row["name"]: row["value"] for row in (results if isinstance(results, list) else results["results"])}
    return rows[f"{method}: shared by all listeners"] + rows[f"{method}: each listener, head moving"]


def browser(folder, method, frames):
    """Nanoseconds per frame of the module in Node."""
    orders = {
        "samples": str(folder / "scene.f32"), "rate": RATE, "method": method, "heads": str(folder / "heads.f32"), "block": BLOCK,
        "frames": frames, "array": {"azimuths": list(numpy.linspace(0, -337.5, MICROPHONES)), "radius": 0.0875}}
    (folder / "orders.json").write_text(json.dumps(orders))
    answer = subprocess.run(
        ["node", ROOT / "Tests/Integration/browser/render_in_node.mjs", folder / "orders.json", folder / "ears.f32"],
        check=True, capture_output=True, text=True).stdout
    return json.loads(answer)["nanoseconds"]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program", type=pathlib.Path)
    options.add_argument("--seconds", type=int, default=20)
    options = options.parse_args()
    frames = options.seconds * RATE // BLOCK * BLOCK
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        seed = 41
        print(f"seed {seed}, {options.seconds} s of {MICROPHONES} microphones, ns per frame; share of a core in the browser")
        noise = numpy.random.default_rng(seed).standard_normal((frames, MICROPHONES)) * 0.1
        noise.astype(numpy.float32).tofile(folder / "scene.f32")
        angles = numpy.radians(170 * numpy.sin(numpy.arange(frames // BLOCK) * 0.004)) / 2
        heads = numpy.stack([numpy.cos(angles), 0 * angles, 0 * angles, numpy.sin(angles)], axis=1)
        heads.astype(numpy.float32).tofile(folder / "heads.f32")
        for method in METHODS:
            here = min(native(options.program, method) for _ in range(3))
            there = min(browser(folder, method, frames) for _ in range(3))
            print(f"{method:18} native {here:7.1f}   browser {there:7.1f}   ratio {there / here:5.2f}   {there * RATE / 1e7:5.2f} %")


if __name__ == "__main__":
    main()
