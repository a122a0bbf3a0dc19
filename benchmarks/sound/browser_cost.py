"""Cost of a listener in a browser beside that of the native program, method by method.

    .venv/bin/python benchmarks/sound/browser_cost.py PROGRAM [--seconds 20] [--check]

PROGRAM is a release build for any machine (`swift build -c release`), whose bench gives the scene and one listener with a moving head, at
16 microphones. The module of web/renderer renders the same in Node, whose JavaScript engine is Chromium's. Both run one after the other,
three times; the smallest counts. Then headless Chromium plays a packed recording of as many microphones by `ring-spectral` while the head
turns, and the processor time of its renderer process is read from /proc: that of the audio thread, and of everything that the page does.

`--check` ends with 1 when a method costs more than twice the native one, or the audio thread of Chromium 10 % of a core.
"""

import argparse
import functools
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Integration/support"))

import chromium  # noqa: E402
import wave_file  # noqa: E402

# Beginning of the name of Chromium's thread that renders sound.
AUDIO = "Realtime AudioW"
# Times of the native cost, and per cent of a core in Chromium.
MOST_TIMES, MOST_SHARE = 2, 10
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


def renderer_seconds():
    """Processor seconds of the threads of Chromium's page process, by their names."""
    ticks = os.sysconf("SC_CLK_TCK")
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            # Processes that were forked from another one have one word, with blanks.
            if b"--type=renderer" not in (process / "cmdline").read_bytes() or str(os.getpid()) not in ancestors(process):
                continue
            seconds = {}
            for task in (process / "task").iterdir():
                name = (task / "comm").read_text().strip()
                fields = (task / "stat").read_text().rsplit(") ", 1)[1].split()
                seconds[name] = seconds.get(name, 0) + (int(fields[11]) + int(fields[12])) / ticks
            if any(name.startswith(AUDIO) for name in seconds):
                return seconds
        except (FileNotFoundError, ProcessLookupError):
            continue  # It has just ended.
    sys.exit("Chromium has no process of a page that plays.")


def ancestors(process):
    found = []
    while process.name != "0":
        found.append(process.name)
        process = process.parent / (process / "stat").read_text().rsplit(") ", 1)[1].split()[1]
    return found


def in_chromium(program, folder, seconds):
    """Per cent of a core that the audio thread of a page takes, and its whole process."""
    from playwright.sync_api import sync_playwright

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    noise = numpy.random.default_rng(42).standard_normal((10 * RATE, MICROPHONES)) * 0.1
    wave_file.write(folder / "scene.wav", noise.astype(numpy.float32))
    subprocess.run([ROOT / "web/site.sh", program, folder / "site", folder / "scene.wav", "Noise"], check=True, capture_output=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder / "site"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        page.wait_for_selector("#play:not([disabled])")
        page.click("#play")
        page.select_option("#method", "ring-spectral")
        page.wait_for_function("() => vestibule.player?.report?.position > 96000 && !vestibule.player.report.isWaiting")
        page.evaluate("() => { let yaw = 0; setInterval(() => { yaw += 1; vestibule.head.set(yaw % 360); }, 10); }")
        time.sleep(2)
        before, begin = renderer_seconds(), time.monotonic()
        time.sleep(seconds)
        after, passed = renderer_seconds(), time.monotonic() - begin
        browser.close()
    server.shutdown()
    shares = {name: 100 * (after[name] - before.get(name, 0)) / passed for name in after}
    return sum(share for name, share in shares.items() if name.startswith(AUDIO)), sum(shares.values()), shares


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program", type=pathlib.Path)
    options.add_argument("--seconds", type=int, default=20)
    options.add_argument("--check", action="store_true", help="end with 1 when a cost exceeds its bound")
    options = options.parse_args()
    problems = []
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
            if there > MOST_TIMES * here:
                problems.append(f"{method} costs {there / here:.2f} times the native one")
        audio, whole, shares = in_chromium(options.program.resolve(), folder, options.seconds)
        print(f"ring-spectral in Chromium: audio thread {audio:.1f} % of a core, whole page {whole:.1f} %: "
              + ", ".join(f"{name} {share:.1f}" for name, share in sorted(shares.items(), key=lambda item: -item[1]) if share > 0.3))
        if audio >= MOST_SHARE:
            problems.append(f"ring-spectral takes {audio:.1f} % of a core in Chromium")
    if options.check and problems:
        sys.exit("; ".join(problems))


if __name__ == "__main__":
    main()
