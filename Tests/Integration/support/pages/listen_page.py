"""The page “Listen” on a plain web server, without the engine."""

import contextlib
import functools
import http.server
import socket
import threading

from playwright.sync_api import expect

import chromium

# Frames per second and seconds of the recording of the fixture `site`.
RATE = 48_000
SECONDS = 6


class Gate:
    """Lets requests pass in the order in which they come: as many since the beginning as `open` says, or all."""

    def __init__(self):
        self._changed, self._came, self._most = threading.Condition(), 0, None

    def open(self, most=None):
        with self._changed:
            self._most = most
            self._changed.notify_all()

    def enter(self):
        with self._changed:
            self._came += 1
            number = self._came
            self._changed.wait_for(lambda: self._most is None or number <= self._most)


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves a folder and counts what was asked for. Names in `broken` end the connection; unless `held` is set, nothing is answered.
    Chunks of recordings pass the gate."""

    asked = None
    broken = None
    held = None
    gate = None

    def do_GET(self):
        name = self.path.split("?")[0].split("/")[-1]
        self.asked[name] = self.asked.get(name, 0) + 1
        self.held.wait()
        if name.endswith(".bin"):
            self.gate.enter()
        if name in self.broken:
            self.close_connection = True
            self.connection.close()
            return
        super().do_GET()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def vacant(port):
    """Refuses connections to the port of a server that has gone, which no other program gets meanwhile."""
    with socket.socket() as place:
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place.bind(("127.0.0.1", port))
        yield


@contextlib.contextmanager
def served(folder):
    """A plain web server. Gives its address, the counts of requests, the set of names that it fails to answer, and a function that
    stops it, which has the event `held` and the `gate` of chunks."""
    asked, broken = {}, set()
    held, gate = threading.Event(), Gate()
    held.set()
    parts = {"asked": asked, "broken": broken, "held": held, "gate": gate}
    handler = functools.partial(type("Own", (Files,), parts), directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    with contextlib.ExitStack() as after:

        def stop():
            held.set()
            gate.open()
            server.shutdown()
            thread.join()
            server.server_close()
            after.enter_context(vacant(server.server_port))

        stop.held, stop.gate = held, gate
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


def steady(page):
    """Makes the settings alone choose who renders, and not whether sound has come late: any process may stand still for a while."""
    page.evaluate("""async () => {
      const { ModeChoice } = await import('/panel/js/listen/players/mode-choice.js');
      Object.assign(ModeChoice.prototype, { note() {}, giveUp() {} });
    }""")


def playing(page):
    page.get_by_role("button", name="Play").click()
    # One from before would count as well.
    page.evaluate("() => { vestibule.player.report = null; }")
    page.wait_for_function("() => vestibule.player.report?.position > 20000 && !vestibule.player.report.isWaiting")


DECODE = """async (number) => {
  const { source } = vestibule.player;
  const samples = await source.decode(number, await source.chunk(number));
  let text = '';
  new Uint8Array(samples.buffer).forEach((byte) => { text += String.fromCharCode(byte); });
  return btoa(text);
}"""
