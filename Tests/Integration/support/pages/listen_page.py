"""The page “Listen” on a plain web server, without the engine."""

import contextlib
import functools
import http.server
import threading

from playwright.sync_api import expect

import chromium

# Frames per second and seconds of the recording of the fixture `site`.
RATE = 48_000
SECONDS = 6


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves a folder and counts what was asked for. Names in `broken` end the connection; while `held` is set, nothing is answered."""

    asked = None
    broken = None
    held = None

    def do_GET(self):
        name = self.path.split("?")[0].split("/")[-1]
        self.asked[name] = self.asked.get(name, 0) + 1
        self.held.wait(30)
        if name in self.broken:
            self.close_connection = True
            self.connection.close()
            return
        super().do_GET()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(folder):
    """A plain web server. Gives its address, the counts of requests, and the set of names that it fails to answer."""
    asked, broken = {}, set()
    held = threading.Event()
    held.set()
    handler = functools.partial(type("Own", (Files,), {"asked": asked, "broken": broken, "held": held}), directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()

    def stop():
        held.set()
        server.shutdown()
        thread.join()
        server.server_close()

    stop.held = held
    try:
        yield f"http://127.0.0.1:{server.server_port}/", asked, broken, stop
    finally:
        if thread.is_alive():
            stop()


def opened(browser, url, **options):
    context = browser.new_context(**options)
    page = context.new_page()
    complaints = chromium.complaints_of(page)
    page.goto(url)
    expect(page.get_by_role("button", name="Play")).to_be_enabled()
    return context, page, complaints


def peaks(page):
    """Peaks of both ears in reports from now on."""
    return page.evaluate("""() => new Promise((done) => {
      const found = [];
      const { sound } = vestibule.player;
      const former = sound.show;
      sound.show = (report) => {
        former(report);
        found.push(report.peaks);
        if (found.length < 12) return;
        sound.show = former;
        done([0, 1].map((ear) => Math.max(...found.slice(4).map((each) => each[ear]))));
      };
    })""")


def playing(page):
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("() => vestibule.player.report?.position > 20000 && !vestibule.player.report.isWaiting")


DECODE = """async (number) => {
  const { source } = vestibule.player;
  const samples = await source.decode(number, await source.chunk(number));
  let text = '';
  new Uint8Array(samples.buffer).forEach((byte) => { text += String.fromCharCode(byte); });
  return btoa(text);
}"""
