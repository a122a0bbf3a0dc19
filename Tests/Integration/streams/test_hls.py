"""HLS streams: playlists, sound, access, limits, and the page that plays them."""

import asyncio
import json
import os
import pathlib
import socket
import time
import urllib.error
import urllib.request

import av
import pytest
import scipy.signal
from playwright.sync_api import expect

import wave_file
from chromium import complaints_of, connected
from hls import Playlist, attributes, decoded
from plain_sound import check_same, plain_sound
from program import Engine
from seeds import generator
from waiting import stimulus, until

FOREVER = "public, max-age=31536000, immutable"


class Streams(Engine):
    """An engine that needs tokens; `key` is the one that its addresses of streams carry."""

    def ask(self, path, token=True, **headers):
        """Status, headers and body of a request."""
        if token:
            headers["Authorization"] = f"Bearer {self.tokens['view']}"
        request = urllib.request.Request(self.url + path, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def playlist(self, name="opus", listener=1, query=""):
        status, headers, body = self.ask(f"/hls/listener/{listener}/{name}.m3u8{query}")
        assert status == 200, body
        assert headers["Content-Type"] == "application/vnd.apple.mpegurl"
        return Playlist(body.decode())

    def after(self, playlist, name="opus"):
        """The playlist when it has another part."""
        segment, part = playlist.next
        return self.playlist(name, query=f"?_HLS_msn={segment}&_HLS_part={part}")

    def figure(self, name):
        """A number of the metrics."""
        return float(next(line.split()[1] for line in self.ask("/metrics")[2].decode().splitlines() if line.startswith(f"{name} ")))

    def file(self, uri, listener=1):
        status, headers, body = self.ask(f"/hls/listener/{listener}/{uri}")
        assert status == 200 and headers["Content-Type"] == "audio/mp4"
        assert headers.get_all("Cache-Control") == [FOREVER]
        return body


@pytest.fixture(scope="module")
def streams(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hls")
    noise = generator(51).normal(0, 0.1, (960_000, 4))
    # No two places of noise are alike; a narrow band of it is what both codecs keep well.
    low = scipy.signal.sosfilt(scipy.signal.butter(4, [200, 2000], "bandpass", fs=48_000, output="sos"), noise, axis=0)
    wave_file.write(folder / "noise.wav", low)
    (folder / "noise.json").write_text(json.dumps({"microphones": 4}))
    with Streams("--recording", folder / "noise.wav", "--token-file", folder / "tokens", "--hls", 2) as engine:
        engine.tokens = dict(line.split() for line in (folder / "tokens").read_text().splitlines())
        engine.key = json.loads(engine.ask("/hls/address")[2])["path"].removeprefix("/hls/key/")
        # The first request begins the encoder and waits for a segment.
        engine.playlist()
        yield engine


def test_playlists_follow_the_rules(streams):
    status, headers, body = streams.ask("/hls/listener/1/index.m3u8")
    lines = body.decode().splitlines()
    assert status == 200 and lines[0] == "#EXTM3U" and headers.get_all("Cache-Control") == ["public, max-age=1"]
    variants = {lines[i + 1]: attributes(line) for i, line in enumerate(lines) if line.startswith("#EXT-X-STREAM-INF")}
    assert {name: variant["CODECS"] for name, variant in variants.items()} == {"aac.m3u8": "mp4a.40.2", "opus.m3u8": "Opus"}
    for name, variant in variants.items():
        playlist = streams.playlist(name.removesuffix(".m3u8"))
        assert playlist.part_target == 0.32 and playlist.target == 2 and playlist.hold_back == 0.96
        segment = playlist.segments[-1]
        assert 8 * len(streams.file(segment.uri)) / segment.duration <= int(variant["BANDWIDTH"])
    # Each state waits for the one before; numbers and dates continue, and names are never used for anything else.
    state = streams.playlist()
    known = {}
    for _ in range(4):
        newer = streams.after(state)
        assert newer.next > state.next and newer.segments[0].number >= state.segments[0].number and newer.map == state.map
        assert state.hint in newer.uris and newer.discontinuities == state.discontinuities
        for uri in newer.uris[-8:]:
            known.setdefault(uri, streams.file(uri))
            assert streams.file(uri) == known[uri]
        dates = {segment.number: segment.date for segment in state.segments}
        assert all(segment.date == dates.get(segment.number, segment.date) for segment in newer.segments)
        segment, part = newer.reports["aac.m3u8"]
        # A playlist that waits for a segment as a whole, or for a part behind its last, comes with the next segment.
        state = newer
    number = state.present.number
    whole = streams.playlist(query=f"?_HLS_msn={number}")
    assert whole.segments[-1].number == number
    latest = whole.segments[-1]
    assert b"".join(streams.file(part.uri) for part in latest.parts) == streams.file(latest.uri)
    following = streams.playlist(query=f"?_HLS_msn={number}&_HLS_part=6")
    assert following.next >= (number + 1, 1)
    assert abs(segment - newer.present.number) <= 1 and 0 <= part < 6


@pytest.mark.timed
def test_parts_come_as_soon_as_they_are_rendered(streams):
    # A part is announced before it is there, and its request waits for it.
    playlist = streams.playlist()
    ages = []
    for _ in range(4):
        body = streams.file(playlist.hint)
        arrival = time.time()
        playlist = streams.after(playlist)
        assert body[4:8] == b"moof"
        segment = playlist.present if playlist.present.parts else playlist.segments[-1]
        ages.append(arrival - segment.date - sum(part.duration for part in segment.parts))
    # The oldest sound of a part is one part old when the part is complete.
    assert -0.05 < min(ages) < 0.25 and max(ages) < 1, ages


@pytest.mark.timed
def test_the_sound_is_that_of_other_streams_without_gaps(streams):
    # The playlist keeps what was played meanwhile.
    reference = plain_sound(streams, 5, Authorization=f"Bearer {streams.tokens['view']}")
    for name in ("aac", "opus"):
        playlist = streams.playlist(name)
        # From before the reference on.
        chosen = playlist.segments[-4:]
        sound = decoded(streams.file(playlist.map), *(streams.file(segment.uri) for segment in chosen))
        # Decoders of Opus leave out 312 frames at the beginning.
        assert abs(len(sound) - 4 * 92_160) <= 1024
        check_same(sound, reference, name)
    segments, sent = streams.figure("vestibule_hls_segments_total"), streams.figure("vestibule_hls_sent_bytes_total")
    size = len(streams.file(playlist.segments[-1].uri))
    assert streams.figure("vestibule_hls_sent_bytes_total") == sent + size
    assert streams.figure("vestibule_hls_streams") == 1 and streams.figure("vestibule_hls_lost_seconds_total") >= 0
    until(lambda: streams.figure("vestibule_hls_segments_total") > segments)


def test_a_listener_is_found_by_its_name(streams):
    streams.osc().send_message("/listener/1/name", "west choir")
    until(lambda: b"west choir" in streams.ask("/listener/1/name?VALUE")[2])
    status, headers, body = streams.ask("/hls/listener/west%20choir/index.m3u8")
    assert status == 200 and b"EXT-X-STREAM-INF" in body
    assert streams.ask("/hls/listener/east%20choir/index.m3u8")[0] == 404
    assert json.loads(streams.ask("/hls/address?listener=west%20choir")[2])["playlist"].endswith("/listener/1/index.m3u8")
    streams.osc().send_message("/listener/1/name", "")


def test_wrong_requests_are_answered_at_once(streams):
    playlist = streams.playlist()
    number = playlist.present.number
    run = playlist.map.split("/")[0]
    begin = time.monotonic()
    for path, status in (
        ("listener/1/opus.m3u8?_HLS_msn=99999999999999999999999", 400), (f"listener/1/opus.m3u8?_HLS_msn={number + 9}", 400),
        ("listener/1/opus.m3u8?_HLS_msn=999999999999999999", 400),
        ("listener/1/opus.m3u8?_HLS_msn=-1", 400), ("listener/1/opus.m3u8?_HLS_msn=x", 400), ("listener/1/opus.m3u8?_HLS_part=0", 400),
        (f"listener/1/opus.m3u8?_HLS_msn={number}&_HLS_part=-1", 400), (f"listener/1/opus.m3u8?_HLS_msn={number - 99}", 200),
        (f"listener/1/opus.m3u8?_HLS_msn={number}&_HLS_part=12", 400), (f"listener/1/{run}/opus/0{number - 1}.m4s", 404),
        (f"listener/1/{run}/opus/{number - 1}.00.m4s", 404), ("listener/1/opus.m3u8?a;b", 400),
        ("listener/1/mp3.m3u8", 404), ("listener/0/opus.m3u8", 404), ("listener/01/index.m3u8", 404), ("listener/9999/opus.m3u8", 404),
        ("listener/1", 404), ("listener/1/", 404), ("nothing", 404), (f"listener/1/{run}/opus/{number + 5}.m4s", 404),
        (f"listener/1/{run}/opus/{number}.9.m4s", 404), (f"listener/1/{run}/opus/{number}.1.2.m4s", 404),
        (f"listener/1/{run}/opus/-1.m4s", 404), (f"listener/1/{run}/opus/init.mp4/..", 404),
        ("listener/1/0000000000000000/opus/init.mp4", 404), (f"listener/2/{run}/opus/init.mp4", 404),
    ):
        answer, _, body = streams.ask(f"/hls/{path}")
        assert answer == status, (path, answer, body)
    assert time.monotonic() - begin < 3
    assert streams.ask(f"/hls/listener/1/{playlist.map}")[0] == 200


def test_clients_that_leave_or_send_more_while_they_wait_cost_nothing(streams):
    waiting = f"/hls/listener/1/opus.m3u8?_HLS_msn={streams.playlist().present.number + 2}"

    def asking(path):
        return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {streams.tokens['view']}\r\n\r\n".encode()

    def spent():
        """Seconds of processor time of the control thread."""
        fields = pathlib.Path(f"/proc/{streams.process.pid}/task/{streams.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    clients = [socket.create_connection(("127.0.0.1", streams.ready["http_port"]), 12) for _ in range(12)]
    for client in clients:
        client.sendall(asking(waiting))
    until(lambda: streams.figure("vestibule_hls_waiting_requests") == 12)
    stimulus(0.3)
    for client in clients[:4]:
        client.shutdown(socket.SHUT_WR)
    for client in clients[4:8]:
        client.close()
    for client in clients[8:]:
        client.sendall(asking("/hls/access"))
    before = spent()
    stimulus(1.5)
    assert spent() - before < 0.5
    for client in clients[8:]:
        answer = b""
        while answer.count(b"HTTP/1.1 ") < 2 and (more := client.recv(65536)):
            answer += more
        first, _, second = answer.partition(b"HTTP/1.1 204")
        assert first.startswith(b"HTTP/1.1 200") and b"#EXTM3U" in first and answer.endswith(b"\r\n\r\n"), answer
        client.close()
    assert streams.ask("/hls/access")[0] == 204


def upgraded(streams, path, protocol, more=""):
    """The first bytes of the answer to a request for another protocol."""
    with socket.create_connection(("127.0.0.1", streams.ready["http_port"]), 5) as client:
        client.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: {protocol}\r\nConnection: Upgrade\r\n{more}"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode())
        return client.recv(4096)


def test_streams_are_for_those_who_may_listen(streams):
    page = {"Accept": "text/html"}
    for headers in ({}, page):
        for path in ("listener/1/index.m3u8", "listener/1/opus.m3u8", "access", "address", "listener/1/x/opus/init.mp4"):
            assert streams.ask(f"/hls/{path}", token=False, **headers)[0] == 401, path
    assert streams.ask("/hls/access")[0] == 204
    # The key in a path admits to streams, and to nothing else.
    keyed = f"/hls/key/{streams.key}"
    assert streams.ask(f"{keyed}/listener/1/index.m3u8", token=False)[0] == 200
    body = streams.ask(f"{keyed}/listener/1/opus.m3u8", token=False)[2].decode()
    assert streams.key not in body and streams.ask(f"{keyed}/listener/1/{Playlist(body).map}", token=False)[0] == 200
    assert streams.ask(f"/hls/key/{'0' * 32}/listener/1/index.m3u8", token=False)[0] == 401
    assert streams.ask("/listener/1/gain?VALUE", token=False, Authorization=f"Bearer {streams.key}")[0] == 401
    for path in (f"{keyed}/x", f"{keyed}/listener/1/opus.m3u8"):
        for protocol in ("", "Sec-WebSocket-Protocol: vestibule.telemetry.v1\r\n"):
            assert upgraded(streams, path, "websocket", protocol).startswith(b"HTTP/1.0 400"), (path, protocol)
    # An upgrade to HTTP/2 is an offer that is not taken.
    assert b" 200 " in upgraded(streams, f"{keyed}/listener/1/index.m3u8", "h2c")
    # Players show an old key again and again: that locks nobody out.
    assert {streams.ask(f"/hls/key/{'0' * 32}/access", token=False)[0] for _ in range(20)} == {401}
    assert streams.ask(f"{keyed}/access", token=False)[0] == 204
    # A player that can only be given an address gets there by a token behind it; FFmpeg's stands for those.
    with av.open(f"{streams.url}/hls/listener/1/index.m3u8?token={streams.tokens['view']}") as player:
        assert {stream.codec_context.name for stream in player.streams.audio} == {"aac", "opus"}
        assert sum(frame.samples for frame, _ in zip(player.decode(audio=0), range(50))) == 50 * 1024
    for name in ("index", "aac"):
        with urllib.request.urlopen(f"{streams.url}/hls/listener/1/{name}.m3u8?token={streams.tokens['view']}") as response:
            assert response.url == f"{streams.url}{keyed}/listener/1/{name}.m3u8" and response.read().startswith(b"#EXTM3U")
    assert streams.ask("/hls/listener/1/index.m3u8?token=wrong", token=False)[0] == 401
    assert streams.ask(f"/listener/1/gain?token={streams.tokens['view']}", token=False)[0] == 401


def test_streams_and_waiting_requests_have_limits(streams):
    for name in ("Ann", "Ben"):
        streams.osc().send_message("/listener/add", name)

    def added():
        rows = json.loads(streams.ask("/listeners")[2])["listeners"]
        return {row["name"]: row["number"] for row in rows if not row["isWired"]}

    numbers = until(lambda: len(added()) == 2 and added())
    begun = streams.playlist(listener=numbers["Ann"])
    # Two are encoded at once.
    status, headers, body = streams.ask(f"/hls/listener/{numbers['Ben']}/opus.m3u8")
    assert status == 503 and headers["Retry-After"] and b"--hls" in body

    async def asked(path):
        reader, writer = await asyncio.open_connection("127.0.0.1", streams.ready["http_port"])
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {streams.tokens['view']}\r\n\r\n".encode())
        status = int((await reader.readline()).split()[1])
        writer.close()
        return status

    async def crowd():
        waiting = f"/hls/listener/{numbers['Ann']}/opus.m3u8?_HLS_msn={begun.present.number}"
        requests = [asyncio.ensure_future(asked(waiting)) for _ in range(530)]
        refused = [await each for each in (await asyncio.wait(requests, return_when=asyncio.FIRST_COMPLETED))[0]]
        return refused, await asyncio.wait_for(asyncio.gather(*requests), 10)

    refused, answers = asyncio.run(crowd())
    assert set(refused) == {503} and sorted(answers) == 448 * [200] + 82 * [503]


# Levels of the page's sound every few milliseconds, with their times.
HEAR = """() => {
  const context = new AudioContext();
  const analyser = new AnalyserNode(context, { fftSize: 1024 });
  context.createMediaElementSource(document.getElementById('sound')).connect(analyser).connect(context.destination);
  const samples = new Float32Array(1024);
  window.levels = [];
  setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    window.levels.push([Date.now(), Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)]);
  }, 5);
}"""
# The time of a change that lasted: silence, or sound, for 200 ms after it. Null before it.
CHANGED = """([since, isSilent]) => {
  const isChanged = ([, level]) => (level < 1e-4) === isSilent;
  const { levels } = window;
  for (let at = levels.findIndex(([time]) => time >= since); at >= 0 && at < levels.length; at += 1) {
    const last = levels.findIndex(([time]) => time > levels[at][0] + 200);
    if (last > 0 && levels.slice(at, last).every(isChanged)) return levels[at][0];
  }
  return null;
}"""


@pytest.mark.timed
def test_a_browser_plays_the_stream_close_to_the_engine(streams, browser, screenshots):
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    complaints = complaints_of(page)
    # The panel has the addresses; the one of its player needs no key for those who are logged in.
    page.goto(f"{streams.url}/#token={streams.tokens['view']}")
    connected(page)
    page.goto(f"{streams.url}/#engine")
    card = page.locator(".stream-card")
    expect(card.get_by_label("Address for other players")).to_have_value(f"{streams.url}/hls/key/{streams.key}/listener/1/index.m3u8")
    card.get_by_text("Code for phones").click()
    expect(card.get_by_role("img", name="Address of the player")).to_be_visible()
    expect(card.locator("code")).to_have_text(f"{streams.url}/hls?listener=1#key={streams.key}")
    card.screenshot(path=screenshots / "stream-card.png")
    card.get_by_role("link", name="Open the player").click()
    expect(page.get_by_role("heading", name="Stream of listener 1")).to_be_visible()
    play = page.get_by_role("button", name="Play")
    expect(play).to_be_enabled()
    page.evaluate(HEAR)
    play.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Playing.")).to_be_visible()
    until(lambda: page.evaluate(CHANGED, [0, False]))
    osc = streams.osc()
    delays = []
    for mute in (True, False):
        begin = 1000 * time.time()
        osc.send_message("/listener/1/mute", mute)
        delays.append((until(lambda: page.evaluate(CHANGED, [begin, mute])) - begin) / 1000)
    told = page.evaluate("window.vestibule.delay")
    print("ears to browser, seconds:", [round(delay, 2) for delay in delays], "told:", round(told, 2))
    assert 0.3 < min(delays) and max(delays) <= 2.5
    assert abs(told - delays[-1]) < 0.4
    expect(page.locator("#delay")).to_contain_text(" s")
    page.screenshot(path=screenshots / "stream-desktop.png")
    page.set_viewport_size({"width": 390, "height": 844})
    page.screenshot(path=screenshots / "stream-phone.png")
    facts = page.evaluate("(({ codec, parts, stops, skips }) => [codec, parts, stops, skips])(window.vestibule.player)")
    assert facts[0] == "Opus" and facts[1] > 8 and facts[3] == 0, facts
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped.")).to_be_visible()
    assert not complaints
    context.close()
