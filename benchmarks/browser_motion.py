"""Motion to sound of the page Listen: from a `deviceorientation` event to the block that the turned head was rendered in.

    web/site.sh .build/release/vestibule SITE RECORDING TITLE
    .venv/bin/python benchmarks/browser_motion.py SITE [--turns 200] [--sink] [--buffer 128]
    .venv/bin/python benchmarks/browser_motion.py --engine .build/release/vestibule RECORDING [--turns 200] [--sink]

Chromium plays a site from a plain web server, or the scene of an engine. Every turn sets another orientation by DevTools. The page
notes the time of the event, and the worklet that of the end of the first block that was rendered with the turned head, in whole
milliseconds. `--sink` plays on a null sink of PulseAudio; without it Chromium's own silent output asks for 10 ms at once.
"""

import argparse
import contextlib
import functools
import http.server
import os
import pathlib
import statistics
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Tests/Integration/support"))

from playwright.sync_api import sync_playwright  # noqa: E402

import chromium  # noqa: E402

WATCH = """() => {
  const page = vestibule;
  page.delays = [];
  const take = page.sensor.take;
  const { node } = page.player.sound.sound ?? page.player.sound;
  let asked = null;
  page.sensor.take = (head) => {
    asked = performance.timeOrigin + (window.event?.timeStamp ?? performance.now());
    take(head);
    node.port.postMessage({ next: true });
  };
  node.port.addEventListener('message', ({ data }) => {
    if (data.rendered === undefined || asked === null) return;
    page.delays.push(data.at - asked);
    asked = null;
  });
}"""


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


@contextlib.contextmanager
def site(folder):
    """A plain web server; its address."""
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@contextlib.contextmanager
def engine(program, recording):
    """An engine that plays a recording; the address of its page."""
    os.environ["VESTIBULE"] = str(program)
    from program import Engine
    with Engine("--recording", recording, "--allow-path", recording.parent) as running:
        yield running.url + "/listen"


@contextlib.contextmanager
def sink(is_wanted):
    """A sound server for the browser; its environment."""
    if not is_wanted:
        yield {}
        return
    from pulse_sink import pulse_sink
    with pulse_sink() as server:
        yield server.env


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("source", type=pathlib.Path, help="a site, or with --engine a recording")
    options.add_argument("--engine", type=pathlib.Path, metavar="PROGRAM")
    options.add_argument("--turns", type=int, default=200)
    options.add_argument("--sink", action="store_true", help="play on a null sink of PulseAudio")
    options.add_argument("--buffer", type=int, help="frames of the browser's output buffer, by default its own")
    options = options.parse_args()
    served = engine(options.engine, options.source) if options.engine else site(options.source)
    with served as address, sink(options.sink) as environment, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.PROGRAM, env={**os.environ, **environment},
            ignore_default_args=["--mute-audio"] if options.sink else [],
            args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required",
                  *([f"--audio-buffer-size={options.buffer}"] if options.buffer else [])])
        page = browser.new_context().new_page()
        page.goto(address)
        page.wait_for_selector("#play:not([disabled])")
        page.click("#play")
        if options.engine:
            page.wait_for_function("() => vestibule.player?.mode === 'client' && vestibule.player.statistics.line.includes('buffered')")
        else:
            page.wait_for_function("() => vestibule.player?.report?.position > 48000 && !vestibule.player.report.isWaiting")
        page.click("#sensors")
        page.wait_for_function("() => vestibule.sensor.isRunning")
        devtools = page.context.new_cdp_session(page)

        def turn_to(alpha):
            devtools.send("DeviceOrientation.setDeviceOrientationOverride", {"alpha": alpha, "beta": 90, "gamma": 0})

        # The first event comes when the browser has started its sensor.
        turn_to(0.5)
        page.wait_for_function("() => vestibule.heads > 1", timeout=5000)
        page.evaluate(WATCH)
        for turn in range(options.turns):
            turn_to(1 + (7 * turn) % 350)
            page.wait_for_function(f"() => vestibule.delays.length > {turn}", polling=5, timeout=5000)
        delays = page.evaluate("vestibule.delays")
        quantum, base = page.evaluate("(({ sampleRate, baseLatency }) => [128000 / sampleRate, 1000 * baseLatency])"
                                      "(vestibule.player.context)")
        browser.close()
    print(f"{len(delays)} turns, render quantum {quantum:.2f} ms, the browser's output buffer {base:.1f} ms")
    print(f"event to rendered block: median {statistics.median(delays):.2f}, p95 {quantile(delays, 0.95):.2f}, "
          f"largest {max(delays):.2f} ms")


if __name__ == "__main__":
    main()
