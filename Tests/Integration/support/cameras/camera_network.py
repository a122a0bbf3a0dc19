"""Cameras between browsers on both sides of an impaired network, with the engine on the near one."""

import contextlib
import os
import pathlib

import numpy
from playwright.sync_api import sync_playwright

import chromium
from program import Engine
from time_code import NOISY_TIME_CODE, WATCH_TIMES
from waiting import until

# Notes every strategy that the engine reports the encoder, as [now, bits per second, pictures per second, lines].
NOTE_STRATEGIES = """() => {
    const follow = vestibule.pictures.follow.bind(vestibule.pictures);
    window.strategies = [];
    vestibule.pictures.follow = (strategy) => {
        strategies.push([Date.now(), strategy.bitrate, strategy.rate, strategy.height]);
        follow(strategy);
    };
}"""
# Presses the button and returns the milliseconds until the first picture is drawn.
CHOOSE = """() => new Promise((done) => {
    const [tile] = vestibule.tiles.values();
    tile.button.click();
    const look = () => (tile.incoming?.firstShown ? done(tile.incoming.firstShown - tile.chosenAt) : requestAnimationFrame(look));
    look();
})"""


class CameraNetwork:
    """An engine, a browser beside it, and another one behind the network, while entered. Offers come from `sender`, a page."""

    def __init__(self, network, recording, folder):
        self.network, self.recording, self.folder = network, recording, pathlib.Path(folder)
        self._stack = contextlib.ExitStack()

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            network = self.network
            arguments = ["--recording", self.recording, "--bind", network.server_address, "--token-file", self.folder / "tokens",
                         "--announce", ""]
            self.engine = stack.enter_context(Engine(*arguments, prefix=network.inside(network.server)))
            self.tokens = dict(line.split() for line in (self.folder / "tokens").read_text().splitlines())
            self.origin = f"http://{network.server_address}:{self.engine.ready['http_port']}"
            playwright = stack.enter_context(sync_playwright())
            self.near, self.far = (self._launch(stack, playwright, namespace) for namespace in (network.server, network.client))
            self._stack = stack.pop_all()
        return self

    def _launch(self, stack, playwright, namespace):
        browser = playwright.chromium.launch(
            executable_path=self.network.wrapped(chromium.PROGRAM, self.folder, namespace),
            env=dict(os.environ, PULSE_RUNTIME_PATH=chromium.NO_FOLDER),
            args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required", "--mute-audio",
                  f"--unsafely-treat-insecure-origin-as-secure={self.origin}"])
        stack.callback(browser.close)
        return browser

    def __exit__(self, *failure):
        self._stack.close()

    def page(self, browser, name, script="", **quality):
        """Opens the page of cameras. `quality` are fields of the form by their ids, such as `best_bitrate`."""
        values = {"name": name, **{key.replace("_", "-"): str(value) for key, value in quality.items()}}
        kept = f"if (!localStorage.length) localStorage.setItem('vestibule.camera', JSON.stringify({{ values: {values!r} }}));"
        _, page, _ = chromium.live_page(
            browser, f"{self.origin}/camera#token={self.tokens['control']}", kept + script, viewport={"width": 640, "height": 700})
        return page

    def offer(self, browser, **quality):
        """Opens a page that offers a camera whose picture is the time."""
        page = self.page(browser, "Clock", NOISY_TIME_CODE, **quality)
        page.evaluate(NOTE_STRATEGIES)
        page.get_by_label("Who may receive").select_option("everyone")
        page.get_by_role("button", name="Offer", exact=True).click()
        page.get_by_text("Offered.").wait_for()
        return page

    def watch(self, browser, name):
        """Opens a page that watches. Returns it, and the milliseconds from the choice to the first picture."""
        page = self.page(browser, name)
        page.wait_for_function("() => vestibule.tiles.size > 0")
        took = page.evaluate(CHOOSE)
        page.evaluate(WATCH_TIMES)
        return page, took


def ages(page, seconds):
    """Returns what a page shows in the next seconds: [now, age of the picture, width, height] at every display frame, milliseconds."""
    begin = page.evaluate("codes.seen = [], Date.now()")
    until(lambda: page.evaluate("Date.now()") - begin > 1000 * seconds)
    return numpy.array(page.evaluate("codes.seen"), dtype=float).reshape(-1, 4)


def delays(seen):
    """Delay of each picture when it was first shown, milliseconds."""
    codes = seen[:, 0] - seen[:, 1]
    return seen[numpy.diff(codes, prepend=-1) != 0, 1][1:]
