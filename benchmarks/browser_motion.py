"""Motion to sound of the page Listen: from a `deviceorientation` event to the block that the turned head was rendered in.

    web/site.sh .build/release/vestibule SITE RECORDING TITLE
    .venv/bin/python benchmarks/browser_motion.py SITE [--turns 200] [--buffer 128]

Headless Chromium plays the site from a plain web server. Every turn sets another orientation by DevTools. The page notes the time of the
event; the worklet's answer to the first block after it says at which frame of the sound it was rendered. The answer's own way back to
the page is in the figure, so that it is an upper bound of the time to the worklet's output.
"""

import argparse
import functools
import http.server
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
  let asked = null;
  page.sensor.take = (head) => {
    asked = window.event?.timeStamp ?? performance.now();
    take(head);
    page.sound.order({ next: true });
  };
  page.sound.node.port.addEventListener('message', ({ data }) => {
    if (data.rendered === undefined || asked === null) return;
    page.delays.push(performance.now() - asked);
    asked = null;
  });
}"""


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("site", type=pathlib.Path)
    options.add_argument("--turns", type=int, default=200)
    options.add_argument("--buffer", type=int, help="frames of the browser's output buffer, by default its own (480)")
    options = options.parse_args()

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=options.site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.PROGRAM,
            args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required", "--mute-audio",
                  *([f"--audio-buffer-size={options.buffer}"] if options.buffer else [])])
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        page.wait_for_selector("#play:not([disabled])")
        page.click("#play")
        page.wait_for_function("() => vestibule.report?.position > 48000 && !vestibule.report.isWaiting")
        page.click("#sensors")
        page.wait_for_function("() => vestibule.sensor.isRunning")
        devtools = context.new_cdp_session(page)

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
        quantum = page.evaluate("128000 / vestibule.sound.context.sampleRate")
        base = page.evaluate("1000 * vestibule.sound.context.baseLatency")
        browser.close()
    server.shutdown()
    print(f"{len(delays)} turns, render quantum {quantum:.2f} ms, the browser's output buffer {base:.1f} ms")
    print(f"event to rendered block: median {statistics.median(delays):.2f}, p95 {quantile(delays, 0.95):.2f}, "
          f"largest {max(delays):.2f} ms")


if __name__ == "__main__":
    main()
