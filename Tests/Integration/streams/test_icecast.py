"""A listener's sound at a real Icecast server: players, lost servers, refusals, TLS."""

import contextlib
import json
import os
import signal
import socket
import threading
import time
import urllib.request

import pytest
import scipy.signal
from playwright.sync_api import expect

import wave_file
from chromium import live_page
from figures import figure, measured
from icecast_server import PASSWORD, Icecast, Player
from mqtt_broker import authority, certificate
from plain_sound import check_same, has_end, plain_sound
from program import Engine, run
from seeds import generator
from waiting import LIMIT, until

LOST = "vestibule_icecast_lost_seconds_total"
SECRET = {**os.environ, "VESTIBULE_ICECAST_PASSWORD": PASSWORD}


@pytest.fixture(scope="module")
def noise(tmp_path_factory):
    """A recording of which no two places are alike, in a band that codecs keep well."""
    folder = tmp_path_factory.mktemp("noise")
    white = generator(52).normal(0, 0.1, (960_000, 4))
    low = scipy.signal.sosfilt(scipy.signal.butter(4, [200, 2000], "bandpass", fs=48_000, output="sos"), white, axis=0)
    wave_file.write(folder / "noise.wav", low)
    (folder / "noise.json").write_text(json.dumps({"microphones": 4}))
    return folder / "noise.wav"


@pytest.fixture(scope="module")
def icecast(tmp_path_factory):
    with Icecast(tmp_path_factory.mktemp("icecast")) as server:
        yield server


@pytest.fixture(scope="module")
def radio(noise, icecast):
    address = f"icecast://127.0.0.1:{icecast.port}/hall%20one.opus"
    with Engine("--recording", noise, "--icecast", address, "--icecast-name", "Great hall", env=SECRET) as engine:
        until(lambda: engine.value("/icecast/state") == "connected", lambda: engine.log)
        engine.stream = f"http://127.0.0.1:{icecast.port}/hall%20one.opus"
        yield engine
        assert PASSWORD not in engine.log


def played(radio):
    """A player's sound and codec, and two seconds of PCM within that sound; None when sound was lost meanwhile."""
    lost = radio.metric(LOST)
    player = Player(radio.stream)
    until(lambda: player.frames > 0)
    reference = plain_sound(radio, 2)
    # The server and the player are late, on a busy machine by seconds.
    until(lambda: has_end(player.present, reference) or not player.is_alive())
    return (player.sound, player.codec, reference) if radio.metric(LOST) == lost else None


def test_players_hear_the_listener(radio):
    # Each attempt takes some seconds.
    sound, codec, reference = until(lambda: played(radio), lambda: radio.metric(LOST), seconds=5 * LIMIT)
    check_same(sound, reference, "icecast", least=90_000)
    assert codec in ("opus", "libopus")
    with urllib.request.urlopen(radio.stream, timeout=60) as response:
        assert response.headers["Content-Type"] == "audio/ogg" and response.headers["icy-name"] == "Great hall"
        assert response.read(4) == b"OggS"
    until(lambda: radio.value("/icecast/problem") == "" and radio.metric("vestibule_icecast_connected") == 1)
    assert radio.value("/icecast/listener") == 1
    until(lambda: radio.value("/icecast/sent") >= 3)
    with urllib.request.urlopen(radio.url + "/metrics", timeout=LIMIT) as response:
        lines = dict(line.rsplit(" ", 1) for line in response.read().decode().splitlines())
    # 160 kbit/s, and the headers of pages.
    assert 15_000 < float(lines["vestibule_icecast_sent_bytes_total"]) / float(lines["vestibule_icecast_sent_seconds_total"]) < 30_000
    # Sound that is lost is told in milliseconds.
    until(lambda: abs(radio.value("/icecast/lost") - 1000 * radio.metric(LOST)) <= 1)


@measured
def test_no_sound_is_lost(radio):
    lost = radio.metric(LOST)
    plain_sound(radio, 5)
    figure("sound lost on the way to Icecast in five seconds", radio.metric(LOST) - lost, at_most=0, unit="s")


def test_the_panel_shows_the_connection(radio, browser, screenshots, icecast):
    context, page, complaints = live_page(browser, radio.url, viewport={"width": 1440, "height": 900})
    page.goto(f"{radio.url}/#engine")
    card = page.get_by_role("region", name="Icecast server")
    expect(card.get_by_text(f"Connected to icecast://127.0.0.1:{icecast.port}/hall one.opus.")).to_be_visible()
    expect(card.get_by_text("of listener 1 sent")).to_be_visible()
    card.screenshot(path=screenshots / "icecast-desktop.png")
    page.set_viewport_size({"width": 390, "height": 844})
    # The narrow page is being laid out, also under a finger.
    fold = card.get_by_role("button", name="Icecast server")
    until(lambda: fold.get_attribute("aria-expanded") == "true" or fold.click())
    expect(card.get_by_text("of listener 1 sent")).to_be_visible()
    card.scroll_into_view_if_needed()
    page.screenshot(path=screenshots / "icecast-phone.png")
    assert not complaints
    context.close()


def test_a_lost_server_is_found_again(radio, icecast):
    until(lambda: radio.value("/icecast/state") == "connected")
    blocks, losses = radio.metric("vestibule_blocks_total"), radio.value("/icecast/losses")
    icecast.stop(signal.SIGKILL)
    until(lambda: "--icecast" in (problem := radio.value("/icecast/problem")) and problem.count("reached") == 1)
    assert radio.value("/icecast/state") != "connected"
    assert radio.metric("vestibule_icecast_connected") == 0
    until(lambda: radio.metric("vestibule_blocks_total") > blocks)
    icecast.start()
    until(lambda: radio.value("/icecast/state") == "connected" and radio.value("/icecast/problem") == "")
    assert radio.value("/icecast/losses") > losses
    assert len(Player(radio.stream, 0.5).sound) > 0
    # Each thing that happened is reported once, however often the engine has tried.
    until(lambda: "cannot be reached" in radio.log, lambda: radio.log)
    assert radio.log.count("cannot be reached") == 1, radio.log


def test_a_wrong_password_and_an_occupied_mount_point_are_told(noise, icecast, radio, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("wrong-one\n")
    secret.chmod(0o600)
    other = f"icecast://127.0.0.1:{icecast.port}/other.opus"
    with Engine("--recording", noise, "--icecast", other, "--icecast-password-file", secret) as engine:
        until(lambda: "--icecast-password-file" in engine.value("/icecast/problem"))
        assert engine.value("/icecast/state") in ("waiting", "connecting") and "wrong-one" not in engine.log
        assert engine.metric("vestibule_icecast_losses_total") == 0
    taken = f"icecast://source@localhost:{icecast.port}/hall%20one.opus"
    with Engine("--recording", noise, "--icecast", taken, env=SECRET) as engine:
        until(lambda: "another source may use /hall one.opus" in engine.value("/icecast/problem"))
    until(lambda: radio.value("/icecast/state") == "connected")


class Answers:
    """A server that gives every connection its `answer`; with None it takes the request and says nothing."""

    def __init__(self):
        self.socket, self.requests, self.open, self.answer = socket.create_server(("127.0.0.1", 0)), [], [], b""
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            client, _ = self.socket.accept()
            # The engine may have given up waiting.
            with contextlib.suppress(OSError):
                request, answer = b"", self.answer
                while b"\r\n\r\n" not in request and (more := client.recv(4096)):
                    request += more
                if answer is None:
                    self.open.append(client)
                else:
                    client.sendall(answer)
                    client.close()
                self.requests.append(request.decode())


@contextlib.contextmanager
def mute(noise):
    """An engine whose server takes the request and says nothing, after answers that are not those of an Icecast server."""
    server = Answers()
    refusal = f"accepts no sound at /a.opus: check that an Icecast server listens on port {server.port}"
    with Engine("--recording", noise, "--icecast", f"icecast://me@127.0.0.1:{server.port}/a.opus", "--icecast-bitrate", 64,
                env=SECRET) as engine:
        for answer, words in (
            (b"HTTP/1.0 404 Not Found\r\n\r\n", refusal), (b"", "like an Icecast server"),
            (b"HTTP/1.1 501 Not Implemented\r\n\r\n", refusal), (b"220 mail ready\r\n", "like an Icecast server"),
        ):
            server.answer = answer
            until(lambda: words in engine.value("/icecast/problem"), lambda: engine.value("/icecast/problem"))
        server.answer = None
        until(lambda: server.open and engine.value("/icecast/state") == "connecting")
        assert "PUT /a.opus HTTP/1.1" in server.requests[0] and "Expect: 100-continue" in server.requests[0]
        yield engine


def test_what_is_no_icecast_server_is_told(noise):
    with mute(noise) as engine:
        assert engine.stop() == 0


@measured
def test_a_server_that_says_nothing_never_holds_up_the_end(noise):
    with mute(noise) as engine:
        begin = time.monotonic()
        engine.stop()
        figure("end of the program", time.monotonic() - begin, at_most=3, unit="s")


def test_an_unknown_host_is_told(noise):
    with Engine("--recording", noise, "--icecast", "icecast://nothing.invalid/a.opus", env=SECRET) as engine:
        until(lambda: "host name nothing.invalid is not known" in engine.value("/icecast/problem"))


# Starts a program that has more than a thousand files open, as an engine with many clients has.
CROWDED = ["bash", "-c", 'for _ in {1..1100}; do exec {file}</dev/null; done; exec "$@"', "bash"]


def test_tls_checks_the_certificate(noise, tmp_path):
    signer = authority(tmp_path)
    with Icecast(tmp_path, *certificate(tmp_path, signer, "localhost")) as server:
        address = f"icecasts://localhost:{server.port}/hall.opus"
        with Engine(
                "--recording", noise, "--icecast", address, "--icecast-ca", signer[0], env=SECRET, prefix=CROWDED,
                descriptors=(4096, 4096)) as engine:
            assert len(os.listdir(f"/proc/{engine.process.pid}/fd")) > 1100
            until(lambda: engine.value("/icecast/state") == "connected", lambda: engine.value("/icecast/problem"))
            until(lambda: engine.value("/icecast/sent") >= 1)
        with Engine("--recording", noise, "--icecast", address, env=SECRET) as engine:
            until(lambda: "--icecast-ca" in engine.value("/icecast/problem"))
            assert engine.value("/icecast/sent") == 0


@pytest.mark.parametrize("options, words", [
    (["--icecast", "http://radio/a"], "icecast://"), (["--icecast", "icecast://me:secret@radio/a"], "--icecast-password-file"),
    (["--icecast", "icecast://radio"], "mount point"), (["--icecast", "icecast://radio/a?b=c"], "mount point"),
    (["--icecast", "icecast:///a"], "host name"), (["--icecast-name", "Hall"], "require --icecast"),
    (["--icecast", "icecast://radio/a", "--icecast-listener", "2"], "--listeners"),
    (["--icecast", "icecast://radio/a", "--icecast-bitrate", "9223372036854775807"], "32 to 320"),
    (["--icecast", "icecast://radio/a", "--icecast-ca", "x"], "icecasts://"),
    (["--icecast", "icecast://radio/a"], "VESTIBULE_ICECAST_PASSWORD"),
])
def test_options_that_cannot_be_used_are_refused(options, words):
    result = run("serve", "--osc-port", "0", "--http-port", "0", *options, check=False)
    assert result.returncode != 0 and words in result.stdout + result.stderr
    assert "secret" not in result.stdout + result.stderr


def test_a_password_that_others_can_read_is_refused(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("hidden\n")
    secret.chmod(0o644)
    result = run("serve", "--osc-port", "0", "--http-port", "0", "--icecast", "icecast://radio/a", "--icecast-password-file", secret,
                 check=False)
    assert result.returncode != 0 and "chmod 600" in result.stderr and "hidden" not in result.stdout + result.stderr
