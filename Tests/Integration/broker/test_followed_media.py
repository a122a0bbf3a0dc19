"""An engine that follows another one fetches the files that it does not have."""

import contextlib
import http.server
import json
import os
import pathlib
import signal
import threading
import urllib.error
import urllib.request

import numpy
import pytest

import film
import wave_file
from figures import figure, measured
from installation import environment
from program import Engine, run
from seeds import generator
from waiting import LIMIT, until

RATE = 48_000
ARRAY = json.dumps({"array": {"count": 8, "radius": 0.0925, "azimuths": [-45 * place for place in range(8)]}})


class Files(http.server.BaseHTTPRequestHandler):
    """A web server with ranges, whose first connection for each large file breaks off in its middle."""

    protocol_version = "HTTP/1.1"
    folder = None
    broken, asked = set(), []

    def do_GET(self):
        self.asked.append((self.path, self.headers.get("Range")))
        place = pathlib.PurePath(self.path.replace("%20", " "))
        kind = place.parent.name
        path = (self.folder if kind == "recordings" else self.folder.parent / kind) / place.name
        content = path.read_bytes() if path.is_file() and place.parent.parent == pathlib.PurePath("/media") else None
        if content is None:
            return self.send_error(404)
        begin = int((self.headers.get("Range") or "bytes=0-").removeprefix("bytes=").split("-")[0])
        self.send_response(206 if self.headers.get("Range") else 200)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(content) - begin))
        if self.headers.get("Range"):
            self.send_header("Content-Range", f"bytes {begin}-{len(content) - 1}/{len(content)}")
        self.end_headers()
        if len(content) > 1_000_000 and self.path not in self.broken:
            self.broken.add(self.path)
            self.wfile.write(content[begin:begin + len(content) // 2])
            self.close_connection = True
            return None
        self.wfile.write(content[begin:])
        return None

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def web(folder):
    handler = type("Served", (Files,), {"folder": folder, "broken": set(), "asked": []})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/media", handler
    server.shutdown()
    server.server_close()


def noise(path, seed, seconds=12):
    sound = generator(seed).normal(0, 0.1, seconds * RATE).astype("<f4")
    wave_file.write(path, numpy.tile(sound[:, None], (1, 8)), RATE)


def data(folder):
    """The data of an engine of its own, and its environment."""
    (folder / "vestibule/recordings").mkdir(parents=True)
    return folder / "vestibule", environment(folder / "vestibule")


def serve(broker, name, recording, *options, **more):
    return Engine("--recording", recording, "--mqtt", f"mqtt://127.0.0.1:{broker.port}", "--mqtt-name", name, *options, **more)


@contextlib.contextmanager
def fetched(broker, scene, tmp_path):
    """A hall whose recording its foyer has fetched, the folders of both, and the web server."""
    hall_data, hall_environment = data(tmp_path / "hall")
    foyer_data, foyer_environment = data(tmp_path / "foyer")
    folder = hall_data / "recordings"
    noise(folder / "long evening.wav", 31)
    (folder / "long evening.json").write_text(ARRAY)
    noise(folder / "second.wav", 32, seconds=1)
    (folder / "page.wav").write_text("<html>Log in first</html>")
    with web(folder) as (address, handler), serve(broker, "hall", folder / "long evening.wav", env=hall_environment) as hall, \
            serve(broker, "foyer", scene, "--follow", "hall", "--follow-media", address, env=foyer_environment) as foyer:
        until(lambda: foyer.value("/session/recording").endswith("long evening.wav"), lambda: (foyer.log, handler.asked))
        yield hall, foyer, folder, foyer_data / "recordings", handler


def test_a_recording_is_fetched_with_its_description(broker, scene, tmp_path):
    with fetched(broker, scene, tmp_path) as (hall, foyer, folder, place, handler):
        for name in ("long evening.wav", "long evening.json"):
            assert (place / name).read_bytes() == (folder / name).read_bytes()
        # The connection broke off once, and what had come was not fetched again.
        large = [wanted for path, wanted in handler.asked if path.endswith("evening.wav")]
        assert len(large) == 2 and int(large[1].removeprefix("bytes=").split("-")[0]) > 1_000_000
        until(lambda: foyer.value("/follow/problem") == "" and foyer.value("/follow/fetching") == "")
        until(lambda: foyer.value("/transport/state") == "playing" and foyer.value("/follow/difference") != 0)
        # Existing files are not requested.
        hall.osc().send_message("/session/recording", "second.wav")
        until(lambda: foyer.value("/session/recording").endswith("second.wav"), lambda: (foyer.log, handler.asked))
        count = len(handler.asked)
        hall.osc().send_message("/session/recording", "long evening.wav")
        until(lambda: foyer.value("/session/recording").endswith("long evening.wav"))
        assert len(handler.asked) == count
        assert sorted(path.name for path in place.iterdir()) == ["long evening.json", "long evening.wav", "second.wav"]


@measured
def test_a_recording_that_was_fetched_plays_with_the_hall(broker, scene, tmp_path):
    with fetched(broker, scene, tmp_path) as (_, foyer, *_):
        until(lambda: 0 < abs(foyer.value("/follow/difference")) < 1)
        figure("difference of both engines", abs(foyer.value("/follow/difference")), at_most=1, unit="ms")


def test_sounds_responses_and_videos_are_fetched(broker, scene, tmp_path):
    """Both engines have folders of their own: paths of the hall become those of the foyer."""
    hall_data, hall_environment = data(tmp_path / "hall")
    foyer_data, foyer_environment = data(tmp_path / "foyer")
    random = generator(37)
    for kind, name, channels in (("sounds", "bell.wav", 1), ("responses", "chapel.wav", 2)):
        (hall_data / kind).mkdir()
        wave_file.write(hall_data / kind / name, 0.1 * random.uniform(-1, 1, (RATE, channels)))
    film.write(hall_data / "recordings/walk.webm", 0.5)
    response = "/rack/recording/slot/1/convolution/response"
    with web(hall_data / "recordings") as (address, handler), \
            serve(broker, "hall", scene, "--objects", 2, env=hall_environment) as hall, \
            serve(broker, "foyer", scene, "--objects", 2, "--follow", "hall", "--follow-media", address, env=foyer_environment) as foyer:
        osc = hall.osc()
        osc.send_message("/object/1/source", "bell.wav")
        until(lambda: foyer.value("/object/1/source") == "bell.wav", lambda: (foyer.log, handler.asked))
        osc.send_message("/rack/recording/add", "convolution")
        until(lambda: hall.value("/rack/recording/layout") == "1" and foyer.value("/rack/recording/layout") == "1")
        osc.send_message(response, "chapel.wav")
        until(lambda: hall.value(response) == str(hall_data / "responses/chapel.wav"))
        until(lambda: foyer.value(response) == str(foyer_data / "responses/chapel.wav"), lambda: (foyer.log, handler.asked))
        osc.send_message("/transport/video/file", "walk.webm")
        until(lambda: hall.value("/transport/video/file") == str(hall_data / "recordings/walk.webm"))
        film_here = str(foyer_data / "recordings/walk.webm")
        until(lambda: foyer.value("/transport/video/file") == film_here, lambda: (foyer.log, handler.asked))
        for name in ("sounds/bell.wav", "responses/chapel.wav", "recordings/walk.webm"):
            assert (foyer_data / name).read_bytes() == (hall_data / name).read_bytes()
            assert len([path for path, _ in handler.asked if path.endswith(name)]) == 1
        until(lambda: foyer.value("/follow/problem") == "" and foyer.value("/follow/fetching") == "")
        # A file that comes later is fetched as well.
        (hall_data / "sounds/good.wav").write_bytes((hall_data / "sounds/bell.wav").read_bytes())
        osc.send_message("/object/2/source", "good.wav")
        until(lambda: hall.value("/object/2/source") == "good.wav")
        until(lambda: foyer.value("/object/2/source") == "good.wav", lambda: (foyer.log, handler.asked))
        # Music is opened when it is played.
        (hall_data / "sounds/waltz.wav").write_bytes((hall_data / "sounds/bell.wav").read_bytes())
        osc.send_message("/music/source", "waltz.wav")
        osc.send_message("/music/run", 1)
        until(lambda: foyer.value("/music/state") == "playing", lambda: (foyer.log, foyer.value("/music/problem"), handler.asked))
        assert (foyer_data / "sounds/waltz.wav").read_bytes() == (hall_data / "sounds/waltz.wav").read_bytes()


def test_a_rack_is_mirrored_without_a_missing_response(broker, scene, tmp_path):
    hall_data, hall_environment = data(tmp_path / "hall")
    foyer_data, foyer_environment = data(tmp_path / "foyer")
    (hall_data / "responses").mkdir()
    wave_file.write(hall_data / "responses/chapel.wav", 0.1 * generator(39).uniform(-1, 1, (RATE, 2)))
    response = "/rack/recording/slot/2/convolution/response"
    with serve(broker, "hall", scene, env=hall_environment) as hall:
        for effect in ("gate", "convolution", "compressor"):
            hall.osc().send_message("/rack/recording/add", effect)
        until(lambda: hall.value("/rack/recording/layout") == "1 2 3")
        hall.osc().send_message(response, "chapel.wav")
        until(lambda: hall.value(response) == str(hall_data / "responses/chapel.wav"))
        with serve(broker, "foyer", scene, "--follow", "hall", env=foyer_environment) as foyer:
            until(lambda: foyer.value("/rack/recording/layout") == "1 2 3", describe=lambda: foyer.log)
            until(lambda: response in foyer.value("/follow/problem"), describe=lambda: (foyer.value("/follow/problem"), foyer.log))
            (foyer_data / "responses").mkdir(exist_ok=True)
            (foyer_data / "responses/chapel.wav").write_bytes((hall_data / "responses/chapel.wav").read_bytes())
            until(lambda: foyer.value(response) == str(foyer_data / "responses/chapel.wav"), lambda: foyer.log)
            until(lambda: foyer.value("/follow/problem") == "")


def test_a_sound_that_cannot_be_fetched_is_named(broker, scene, tmp_path):
    hall_data, hall_environment = data(tmp_path / "hall")
    foyer_data, foyer_environment = data(tmp_path / "foyer")
    (hall_data / "sounds").mkdir()
    wave_file.write(hall_data / "sounds/bell.wav", 0.1 * generator(38).uniform(-1, 1, (RATE, 1)))
    empty = tmp_path / "empty/recordings"
    empty.mkdir(parents=True)
    with web(empty) as (address, _), serve(broker, "hall", scene, "--objects", 1, env=hall_environment) as hall, \
            serve(broker, "foyer", scene, "--objects", 1, "--follow", "hall", "--follow-media", address, env=foyer_environment) as foyer:
        hall.osc().send_message("/object/1/source", "bell.wav")
        problem = lambda: foyer.value("/follow/problem")
        until(lambda: "the sound bell.wav cannot be fetched" in problem() and "404" in problem(), problem)
        assert not list(foyer_data.glob("sounds/*")) and foyer.value("/object/1/source") == ""
        hall.osc().send_message("/music/source", "bell.wav")
        hall.osc().send_message("/music/run", 1)
        until(lambda: problem().startswith("music: ") and "bell.wav" in problem().split(";")[0], problem)
        until(lambda: foyer.value("/follow/state") == "following")


def test_what_has_come_is_continued_by_the_next_run(broker, scene, tmp_path):
    hall_data, hall_environment = data(tmp_path / "hall")
    foyer_data, foyer_environment = data(tmp_path / "foyer")
    folder = hall_data / "recordings"
    noise(folder / "evening.wav", 36)
    content = (folder / "evening.wav").read_bytes()
    part = foyer_data / "recordings" / f".evening.wav.{len(content)}.fetch"
    part.write_bytes(content[:5_000_000])
    old = foyer_data / "recordings" / ".other.wav.5000.fetch"
    old.write_bytes(b"x")
    os.utime(old, (1, 1))
    with web(folder) as (address, handler), serve(broker, "hall", folder / "evening.wav", env=hall_environment):
        options = ["--follow", "hall", "--follow-media", address]
        with serve(broker, "foyer", scene, *options, env=foyer_environment) as foyer:
            until(lambda: foyer.value("/session/recording").endswith("evening.wav"), lambda: (foyer.log, handler.asked))
        assert any(int(wanted.removeprefix("bytes=").split("-")[0]) == 5_000_000 - 65_536 for path, wanted in handler.asked if wanted)
        assert (foyer_data / "recordings/evening.wav").read_bytes() == content
        assert [path.name for path in (foyer_data / "recordings").iterdir()] == ["evening.wav"]
        # A part of another file of the same size is not continued.
        (foyer_data / "recordings/evening.wav").unlink()
        part.write_bytes(bytes(5_000_000))
        with serve(broker, "foyer", scene, *options, env=foyer_environment) as foyer:
            until(lambda: "the download restarts" in foyer.value("/follow/problem"),
                  lambda: (foyer.value("/follow/problem"), foyer.log))
            assert part.stat().st_size == 0


def test_a_recording_elsewhere_in_the_hall_is_known_by_its_name(broker, scene, tmp_path):
    foyer_data, foyer_environment = data(tmp_path / "foyer")
    _, hall_environment = data(tmp_path / "hall")
    noise(tmp_path / "elsewhere.wav", 37, seconds=2)
    (tmp_path / "elsewhere.json").write_text(ARRAY)
    (tmp_path / "other.wav").write_bytes(b"x")
    tokens = tmp_path / "tokens"
    with serve(broker, "hall", tmp_path / "elsewhere.wav", "--token-file", tokens, env=hall_environment) as hall:
        known = dict(line.split() for line in tokens.read_text().splitlines())
        token = tmp_path / "token"
        token.write_text(known["control"])
        token.chmod(0o600)
        address = f"http://127.0.0.1:{hall.ready['http_port']}/library"
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(urllib.request.Request(
                f"{address}/recordings/other.wav", headers={"Authorization": f"Bearer {known['control']}"}), timeout=LIMIT)
        options = ["--follow", "hall", "--follow-media", address, "--follow-media-token-file", token]
        with serve(broker, "foyer", scene, *options, env=foyer_environment) as foyer:
            until(lambda: foyer.value("/session/recording").endswith("elsewhere.wav"), lambda: foyer.log)
            assert (foyer_data / "recordings/elsewhere.json").read_text() == ARRAY
            # The state ends with the followed engine.
            hall.stop(signal.SIGKILL)
            until(lambda: foyer.value("/follow/state") == "waiting" and foyer.value("/follow/fetching") == "")


def test_the_addresses_of_the_followed_engine_need_a_token(broker, scene, tmp_path):
    hall_data, hall_environment = data(tmp_path / "hall")
    foyer_data, foyer_environment = data(tmp_path / "foyer")
    noise(hall_data / "recordings/evening.wav", 33, seconds=2)
    tokens = tmp_path / "tokens"
    with serve(broker, "hall", hall_data / "recordings/evening.wav", "--token-file", tokens, env=hall_environment) as hall:
        address = f"http://127.0.0.1:{hall.ready['http_port']}/library"
        known = dict(line.split() for line in tokens.read_text().splitlines())
        file = tmp_path / "token"
        for role, words in (("view", "the server refuses access"), ("control", "")):
            file.write_text(known[role] + "\n")
            file.chmod(0o600)
            options = ["--follow", "hall", "--follow-media", address, "--follow-media-token-file", file]
            with serve(broker, "foyer", scene, *options, env=foyer_environment) as foyer:
                if words:
                    until(lambda: words in foyer.value("/follow/problem"), lambda: foyer.log)
                    assert not list((foyer_data / "recordings").iterdir())
                else:
                    until(lambda: foyer.value("/session/recording").endswith("evening.wav"), lambda: foyer.log)


@pytest.mark.parametrize("name, limit, words", [
    ("cut.wav", "1", "cut.wav"), ("sidecar.wav", "1", "sidecar"), ("page.wav", "1", "page.wav"), ("large.wav", "0.001", "--library-limit"),
    ("missing.wav", "1", "there is nothing at this address (404)"),
])
def test_what_cannot_be_fetched_leaves_nothing(broker, scene, tmp_path, name, limit, words):
    hall_data, hall_environment = data(tmp_path / "hall")
    foyer_data, foyer_environment = data(tmp_path / "foyer")
    noise(hall_data / "recordings" / name, 34, seconds=2)
    served = tmp_path / "served"
    served.mkdir()
    (served / "page.wav").write_text("<html>Log in first</html>")
    noise(served / "large.wav", 35, seconds=2)
    noise(served / "sidecar.wav", 38, seconds=1)
    (served / "sidecar.json").write_text("<html>Log in first</html>")
    noise(served / "cut.wav", 39, seconds=1)
    (served / "cut.wav").write_bytes((served / "cut.wav").read_bytes()[:900_000])
    with web(served) as (address, _), serve(broker, "hall", hall_data / "recordings" / name, env=hall_environment):
        options = ["--follow", "hall", "--follow-media", address, "--library-limit", limit]
        with serve(broker, "foyer", scene, *options, env=foyer_environment) as foyer:
            until(lambda: words in (problem := foyer.value("/follow/problem")) and "cannot be fetched" in problem,
                  lambda: (foyer.value("/follow/problem"), foyer.log))
            until(lambda: not list((foyer_data / "recordings").iterdir()))
            assert foyer.value("/transport/state") == "playing" and foyer.value("/session/recording").endswith(scene.name)


@pytest.mark.parametrize("options, words", [
    (["--follow", "hall", "--follow-media", "ftp://hall/media"], "give an address such as https://hall.example.org/media"),
    (["--follow", "hall", "--follow-media", "http://user:s3cr3t@hall/media"], "leave the login or token out of the address"),
    (["--follow", "hall", "--follow-media", "http:/user:s3cr3t@hall/media"], "leave the login or token out of the address"),
    (["--follow-media", "http://hall/media"], "--follow-media needs --follow"),
    (["--follow", "hall", "--follow-media", "http://hall/library", "--follow-media-token-file", "token"], "https:// addresses only"),
    (["--follow", "hall", "--follow-media-token-file", "token"], "need --follow-media"),
])
def test_unusable_options_are_refused(options, words):
    result = run("serve", "--mqtt", "mqtt://localhost", *options, check=False)
    assert result.returncode != 0 and words in result.stderr and "s3cr3t" not in result.stderr
