#!/usr/bin/env python3
"""Distance between picture and sound of the page /view, by frame numbers in the pixels and clicks in the samples.

    .venv/bin/python benchmarks/video_step.py [--seconds 600] [--only step,large]

`step`: a film of 720 x 360 at 25 frames a second, watched for so long: median, 95 %, drift, and the time until it is in step after
seeks. `large`: one of 1440 x 720 at 30 frames a second for a minute: frames that are shown. Headless Chromium draws without a graphics
processor, by two cores: the picture is 480 pixels wide, since wider ones are drawn late there. Ends with 1 beyond a bound.
"""

import argparse
import json
import pathlib
import random
import sys
import tempfile

import numpy
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/Integration/support"))
import chromium  # noqa: E402
import film  # noqa: E402
from limits import Limits  # noqa: E402
from program import Engine  # noqa: E402

CLICKS = 12
# Frames a second of the large film, and of those that have to be seen.
LARGE_RATE, SEEN = 30, 25


def view(browser, engine, size):
    _, page, _ = chromium.live_page(
        browser, engine.url + "/view", film.SCRIPT, viewport={"width": size[0], "height": size[1]})
    page.wait_for_function("() => vestibule.pane?.picture?.hasFrame && vestibule.pane.video.readyState >= 2")
    page.get_by_role("button", name="Join").click()
    page.wait_for_function("() => vestibule.player?.sound && vestibule.player.statistics.line.includes('buffered')")
    page.wait_for_function("() => vestibule.pane.statistics.frames >= 100", timeout=300_000)
    return page


def window(page, rate=film.RATE):
    """Distances at some clicks and of the frames around them, milliseconds between two display frames, and shown frames a second."""
    page.evaluate("[film.frames, film.clicks] = [[], []]; film.begin()")
    page.wait_for_function(f"() => film.clicks.length >= {CLICKS}", timeout=60_000)
    page.evaluate("cancelAnimationFrame(film.next)")
    clicks, frames = film.distances(page, rate)
    noted = numpy.array(page.evaluate("film.frames"))
    shown = numpy.count_nonzero(numpy.diff(noted[:, 1])) / (noted[-1, 0] - noted[0, 0]) * 1000
    return clicks, frames, numpy.median(numpy.diff(noted[:, 0])), shown


def step(limits, browser, folder, seconds):
    length = seconds + 120
    film.write_clicks(folder / "clicks.wav", length, channels=4)
    film.write(folder / "clicks.webm", length)
    (folder / "clicks.json").write_text(json.dumps({"video": {"file": "clicks.webm"}}))
    with Engine("--recording", folder / "clicks.wav") as engine:
        page = view(browser, engine, (480, 640))
        begin = engine.value("/transport/position")
        times, medians, every = [], [], []
        while not times or times[-1] < seconds:
            seeks = page.evaluate("vestibule.pane.statistics.seeks")
            clicks, frames, display, shown = window(page)
            times.append(engine.value("/transport/position") - begin)
            sought = page.evaluate("vestibule.pane.statistics.seeks") - seeks
            if len(clicks) >= CLICKS // 2 and not sought:
                medians.append((times[-1], float(numpy.median(clicks))))
                every.extend(frames)
            print(f"{times[-1]:4.0f} s: median {numpy.median(clicks):6.1f} ms, 95 % within {numpy.percentile(abs(frames), 95):5.1f} ms, "
                  f"{shown:.1f} frames/s, a display frame every {display:.0f} ms" + (f", {sought} seeks" if sought else ""), flush=True)
        places, values = numpy.array(medians).T
        drift = numpy.polyfit(places, values, 1)[0] * 600 if len(places) > 2 else numpy.nan
        limits.most("distance, median", abs(float(numpy.median(values))), 10, "ms")
        limits.most("distance of 95 % of the frames", float(numpy.percentile(numpy.abs(every), 95)), 1000 / film.RATE, "ms")
        limits.most("drift in ten minutes, by a line through the medians", abs(float(drift)), 5, "ms")
        limits.most("between the first and the last tenth", abs(float(
            numpy.median(values[-max(1, len(values) // 10):]) - numpy.median(values[:max(1, len(values) // 10)]))), 5, "ms")
        took = []
        chance = random.Random(1)
        for _ in range(12):
            wish = chance.uniform(5, 150)
            took.append(film.seek(page, engine, wish))
        heard, since = numpy.array(took).T
        print("in step after seeks are heard: " + ", ".join(f"{each:.0f}" for each in heard) + " ms; after their messages: "
              + ", ".join(f"{each:.0f}" for each in since) + " ms")
        limits.most("in step after a seek is heard, 95 %", float(numpy.percentile(heard, 95)), 300, "ms")
        page.context.close()


def large(limits, browser, folder, _):
    film.write(folder / "large.webm", 80, lambda number: film.numbered(number).repeat(2, 0).repeat(2, 1), width=1440, height=720,
               rate=LARGE_RATE)
    film.write_clicks(folder / "large.wav", 80, channels=4)
    (folder / "large.json").write_text(json.dumps({"video": {"file": "large.webm"}}))
    with Engine("--recording", folder / "large.wav") as engine:
        for size in ((480, 640), (1280, 800)):
            page = view(browser, engine, size)
            video = page.evaluate("(({ videoWidth, videoHeight }) => `${videoWidth} x ${videoHeight}`)(vestibule.pane.video)")
            begin = page.evaluate("[vestibule.pane.video.getVideoPlaybackQuality().totalVideoFrames, performance.now()]")
            clicks, frames, display, shown = window(page, LARGE_RATE)
            end = page.evaluate("[vestibule.pane.video.getVideoPlaybackQuality().totalVideoFrames, performance.now()]")
            decoded = 1000 * (end[0] - begin[0]) / (end[1] - begin[1])
            canvas = page.evaluate("(({ width, height }) => `${width} x ${height}`)(document.querySelector('.view-picture'))")
            print(f"{video} on {canvas} pixels: {decoded:.1f} frames/s decoded, {shown:.1f} seen, a display frame every {display:.0f} ms, "
                  f"median {numpy.median(clicks):.1f} ms, 95 % within {numpy.percentile(abs(frames), 95):.1f} ms", flush=True)
            if size[0] == 480:
                limits.most(f"frames of 1440 x 720 short of {SEEN} a second", max(0.0, SEEN - float(shown)), 0)
            page.context.close()


PARTS = {"step": step, "large": large}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--only", default=",".join(PARTS), help="parts, separated by commas")
    options = parser.parse_args()
    limits = Limits()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        for name in options.only.split(","):
            PARTS[name](limits, browser, pathlib.Path(folder), options.seconds)
        browser.close()
    return limits.status


if __name__ == "__main__":
    sys.exit(main())
