#!/usr/bin/env python3
"""Records docs/pictures/panel.gif: the panel while a head turns. `make panel-gif` runs it.

The program is VESTIBULE, or that of `make build`. A thread sends poses at 100 Hz, as a tracker does.
"""

import io
import math
import pathlib
import sys
import tempfile
import threading

from PIL import Image
from playwright.sync_api import expect, sync_playwright

DOCS = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parents[1] / "Tests/Integration/support"))

import chromium  # noqa: E402
from program import Engine, run  # noqa: E402

FRAMES = 36
SECONDS = 0.12
SIZE = (720, 450)


class Turn:
    """A head that turns to the frame that is recorded: to the left, to the right and back, nodding slightly."""

    def __init__(self, engine):
        self.client = engine.osc()
        self.frame = 0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self):
        while not self.over.wait(0.01):
            turn = 2 * math.pi * self.frame / FRAMES
            self.client.send_message("/listener/1/ypr", [75 * math.sin(turn), 8 * math.sin(2 * turn), 0.0])

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()


def frames(page, turn):
    for frame in range(FRAMES):
        turn.frame = frame
        # The pose passes the engine and the telemetry before it is drawn.
        page.wait_for_timeout(SECONDS * 1000)
        chromium.painted(page)
        picture = Image.open(io.BytesIO(page.screenshot()))
        yield picture.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)


def main():
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        scene = pathlib.Path(folder) / "scene.wav"
        run("synth", "--demo", "--output", scene)
        browser = chromium.launch(playwright)
        with Engine("--recording", scene, "--method", "ring-spectral") as engine, Turn(engine) as turn:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(engine.url)
            expect(page.get_by_text("Live", exact=True)).to_be_visible()
            page.wait_for_function("() => vestibule.value('/latency/motion-to-sound')?.[0] > 0")
            pictures = list(frames(page, turn))
            page.close()
        browser.close()
    palette = pictures[0].quantize(128, dither=Image.Dither.NONE)
    pictures = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    pictures[0].save(
        DOCS / "panel.gif", save_all=True, append_images=pictures[1:], duration=int(SECONDS * 1000), loop=0, optimize=True)


if __name__ == "__main__":
    main()
