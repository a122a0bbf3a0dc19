"""Films of the page /view: their layout, ranges and addresses, and files that are refused."""

import functools
import http.server
import ssl
import threading
import urllib.error
import urllib.request

import av
import numpy
import pytest
from playwright.sync_api import expect

import film
import mqtt_broker
from program import Engine, run
from view_page import VIDEO, seen, watch
from waiting import until


@pytest.mark.parametrize("stereo, layout", [(1, "side-by-side"), (3, "top-bottom"), (None, "mono")])
def test_the_layout_comes_from_the_metadata(tmp_path, recording, stereo, layout):
    film.write(tmp_path / "stereo.mkv", 0.5, stereo=stereo)
    (tmp_path / "stereo.mkv").rename(tmp_path / "stereo.webm")
    with Engine("--recording", recording, "--video", tmp_path / "stereo.webm") as engine:
        assert engine.value(VIDEO + "/found") == f"vp8, 720 × 360, 25 frames/s, 0.48 s, {layout}"


def fetch(engine, **headers):
    with urllib.request.urlopen(urllib.request.Request(engine.url + "/video", headers=headers), timeout=60) as answer:
        return answer.status, answer.headers, answer.read()


def test_video_is_served_in_ranges(recording):
    whole = recording.with_suffix(".webm").read_bytes()
    with Engine("--recording", recording) as engine:
        status, headers, body = fetch(engine)
        assert status == 200 and body == whole and headers["Content-Type"] == "video/webm" and headers["Accept-Ranges"] == "bytes"
        for asked, part in (("bytes=0-99", whole[:100]), ("bytes=1000-", whole[1000:]), ("bytes=-17", whole[-17:])):
            status, headers, body = fetch(engine, Range=asked)
            assert status == 206 and body == part and headers["Content-Range"].endswith(f"/{len(whole)}")
        with pytest.raises(urllib.error.HTTPError, match="416"):
            fetch(engine, Range=f"bytes={len(whole)}-")
        engine.osc().send_message(VIDEO + "/file", "")
        until(lambda: engine.value(VIDEO + "/version") == 0)
        with pytest.raises(urllib.error.HTTPError, match="404"):
            fetch(engine)


def test_only_those_who_may_view_get_it(recording, tmp_path):
    with Engine("--recording", recording, "--token-file", tmp_path / "tokens") as engine:
        with pytest.raises(urllib.error.HTTPError, match="401"):
            fetch(engine)


def test_a_video_that_is_not_there_or_has_ended_is_called_so(browser, recording, tmp_path):
    film.write(tmp_path / "short.webm", 15)
    with Engine("--recording", recording, "--video", tmp_path / "short.webm") as engine:
        context, page, _ = watch(browser, engine)
        seen(page)
        engine.osc().send_message("/transport/seek", 20.0)
        expect(page.get_by_text("The video has ended. The sound continues.")).to_be_visible()
        engine.osc().send_message("/transport/seek", 0.0)
        expect(page.get_by_text("The video has ended.")).to_be_hidden()
        engine.osc().send_message(VIDEO + "/file", "https://127.0.0.1:1/film.webm")
        expect(page.get_by_text("could not be loaded from 127.0.0.1:1")).to_be_visible()
        context.close()


class Elsewhere(http.server.SimpleHTTPRequestHandler):
    """Files for pages of other origins."""

    def end_headers(self):
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()

    def log_message(self, *_):
        pass


def test_an_hls_address_elsewhere_is_shown(browser, recording, tmp_path):
    """A film in pieces at another server; browsers know HLS by themselves, or the page says that they do not."""
    (tmp_path / "film").mkdir()
    film.write_hls(tmp_path / "film", 20)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Elsewhere, directory=tmp_path / "film"))
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(*mqtt_broker.authority(tmp_path, "localhost"))
    # Each connection shakes hands in its own thread: browsers open some that say nothing at first.
    server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"https://localhost:{server.server_port}/index.m3u8"
    with Engine("--recording", recording, "--video", address) as engine:
        context, page, _ = watch(browser, engine, viewport={"width": 480, "height": 640}, ignore_https_errors=True)
        seen(page)
        engine.osc().send_message("/transport/pause", [])
        page.wait_for_function("() => vestibule.pane.video.paused")
        for seconds in (3.02, 15.02):
            engine.osc().send_message("/transport/seek", seconds)
            page.wait_for_function("(number) => film.number() === number", arg=round(25 * (seconds - 0.02)))
        # One that the browser does not know is no riddle.
        page.evaluate("vestibule.pane.video.canPlayType = () => ''")
        engine.osc().send_message(VIDEO + "/file", address + "?")
        expect(page.get_by_text("This browser cannot play this HLS")).to_be_visible()
        context.close()
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("make, reason", [
    (lambda path: path.write_bytes(b"nothing"), "not a video that browsers play"),
    (lambda path: path.write_bytes(b""), "not a video that browsers play"),
    (lambda path: path.write_text("ffconcat version 1.0\nfile /etc/passwd\n"), "not a video that browsers play"),
    (lambda path: path.mkdir(), "not a regular file"),
])
def test_files_that_are_no_video_are_refused(tmp_path, recording, make, reason):
    make(tmp_path / "film.webm")
    failed = run("serve", "--recording", recording, "--video", tmp_path / "film.webm", "--device", "timer", check=False)
    assert failed.returncode != 0 and reason in failed.stderr, failed.stderr


def test_sound_alone_is_no_video(tmp_path, recording):
    with av.open(str(tmp_path / "sound.webm"), "w") as container:
        stream = container.add_stream("libopus", rate=48_000)
        frame = av.AudioFrame.from_ndarray(numpy.zeros((1, 2 * 960), numpy.int16), layout="stereo")
        frame.rate = 48_000
        for packet in [*stream.encode(frame), *stream.encode()]:
            container.mux(packet)
    failed = run("serve", "--recording", recording, "--video", tmp_path / "sound.webm", "--device", "timer", check=False)
    assert failed.returncode != 0 and "it holds no video" in failed.stderr, failed.stderr
