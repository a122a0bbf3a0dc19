"""HLS streams: playlists, sound, access, limits."""

import asyncio
import contextlib
import json
import os
import pathlib
import socket
import time
import urllib.request

import av

from figures import figure, measured
from hls import Playlist, attributes, decoded
from plain_sound import check_same, plain_sound
from waiting import LIMIT, stimulus, until


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
        assert newer.discontinuities == state.discontinuities
        # The announced part is there; a playlist that comes late no longer lists it.
        listed = [segment for segment in [*newer.segments, newer.present] if segment.parts]
        assert state.hint in newer.uris or state.present.number < listed[0].number
        assert streams.file(state.hint)[4:8] == b"moof"
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
    assert number in [segment.number for segment in whole.segments]
    latest = whole.segments[-1]
    assert b"".join(streams.file(part.uri) for part in latest.parts) == streams.file(latest.uri)
    following = streams.playlist(query=f"?_HLS_msn={number}&_HLS_part=6")
    assert following.next >= (number + 1, 1)
    assert abs(segment - newer.present.number) <= 1 and 0 <= part < 6
    # Most dates are as far apart as the segments are long; where the machine has stalled, they are not.
    until(lambda: len(errors := streams.playlist().errors_of_dates) > 3 and errors[3] < 0.05, lambda: streams.playlist().errors_of_dates)


def newest(playlist):
    """The time at which the newest sound of a playlist was rendered."""
    segment = playlist.present if playlist.present.parts else playlist.segments[-1]
    return segment.date + sum(part.duration for part in segment.parts)


@measured
def test_parts_come_as_soon_as_they_are_rendered(streams):
    # A part is announced before it is there, and its request waits for it.
    playlist = streams.playlist()
    ages = []
    for _ in range(4):
        streams.file(playlist.hint)
        arrival = time.time()
        playlist = streams.after(playlist)
        ages.append(arrival - newest(playlist))
    # The oldest sound of a part is one part old when the part is complete.
    figure("youngest age of a part", min(ages), at_most=0.25, unit="s")
    figure("youngest part before its time", -min(ages), at_most=0.05, unit="s")
    figure("oldest age of a part", max(ages), at_most=1, unit="s")
    errors = until(lambda: streams.playlist().errors_of_dates)
    figure("difference between dates and durations", errors[-1], at_most=0.05, unit="s")


def sound_and_reference(streams):
    """The sound of segments by format, and the PCM of three seconds within them; None when sound was lost meanwhile, or when these segments
    are no longer listed."""
    lost, begin = streams.metric("vestibule_hls_lost_seconds_total"), streams.playlist().present.number
    reference = plain_sound(streams, 3, Authorization=f"Bearer {streams.tokens['view']}")
    # The encoder may be late; the dates of a stream are the times at which its sound was rendered.
    rendered, found = time.time(), {}
    end = until(lambda: newest(playlist := streams.playlist()) >= rendered and playlist).present.number
    for name in ("aac", "opus"):
        playlist = streams.playlist(name, query=f"?_HLS_msn={end}")
        # From the segment of the beginning to that of the end.
        chosen = [segment for segment in playlist.segments if begin <= segment.number <= end]
        if len(chosen) < end + 1 - begin:
            return None
        sound = decoded(streams.file(playlist.map), *(streams.file(segment.uri) for segment in chosen))
        # Decoders of Opus leave out 312 frames at the beginning.
        assert abs(len(sound) - len(chosen) * 92_160) <= 1024
        found[name] = sound
    return (found, reference) if streams.metric("vestibule_hls_lost_seconds_total") == lost else None


def test_the_sound_is_that_of_other_streams_without_gaps(streams):
    # Each attempt takes some seconds.
    found, reference = until(
        lambda: sound_and_reference(streams), lambda: streams.metric("vestibule_hls_lost_seconds_total"), seconds=5 * LIMIT)
    for name, sound in found.items():
        check_same(sound, reference, name)


@measured
def test_no_sound_is_lost(streams):
    streams.playlist()
    lost = streams.metric("vestibule_hls_lost_seconds_total")
    plain_sound(streams, 5, Authorization=f"Bearer {streams.tokens['view']}")
    figure("sound lost by HLS in five seconds", streams.metric("vestibule_hls_lost_seconds_total") - lost, at_most=0, unit="s")


def test_streams_are_counted(streams):
    playlist = streams.playlist()
    segments, sent = streams.metric("vestibule_hls_segments_total"), streams.metric("vestibule_hls_sent_bytes_total")
    size = len(streams.file(playlist.segments[-1].uri))
    until(lambda: streams.metric("vestibule_hls_sent_bytes_total") == sent + size)
    assert streams.metric("vestibule_hls_streams") == 1 and streams.metric("vestibule_hls_lost_seconds_total") >= 0
    until(lambda: streams.metric("vestibule_hls_segments_total") > segments)


def test_a_listener_is_found_by_its_name(streams):
    streams.osc().send_message("/listener/1/name", "west choir")
    until(lambda: b"west choir" in streams.ask("/listener/1/name?VALUE")[2])
    status, headers, body = streams.ask("/hls/listener/west%20choir/index.m3u8")
    assert status == 200 and b"EXT-X-STREAM-INF" in body
    assert streams.ask("/hls/listener/east%20choir/index.m3u8")[0] == 404
    assert json.loads(streams.ask("/hls/address?listener=west%20choir")[2])["playlist"].endswith("/listener/1/index.m3u8")
    streams.osc().send_message("/listener/1/name", "")


def wrong_requests(playlist):
    """Requests that have no file or no playlist as their answer, with the status, also when they come some segments late."""
    number, run = playlist.present.number, playlist.map.split("/")[0]
    return (
        ("listener/1/opus.m3u8?_HLS_msn=99999999999999999999999", 400), (f"listener/1/opus.m3u8?_HLS_msn={number + 99}", 400),
        ("listener/1/opus.m3u8?_HLS_msn=999999999999999999", 400),
        ("listener/1/opus.m3u8?_HLS_msn=-1", 400), ("listener/1/opus.m3u8?_HLS_msn=x", 400), ("listener/1/opus.m3u8?_HLS_part=0", 400),
        (f"listener/1/opus.m3u8?_HLS_msn={number}&_HLS_part=-1", 400), (f"listener/1/opus.m3u8?_HLS_msn={number - 99}", 200),
        (f"listener/1/opus.m3u8?_HLS_msn={number}&_HLS_part=12", 400), (f"listener/1/{run}/opus/0{number - 1}.m4s", 404),
        (f"listener/1/{run}/opus/{number - 1}.00.m4s", 404), ("listener/1/opus.m3u8?a;b", 400),
        ("listener/1/mp3.m3u8", 404), ("listener/0/opus.m3u8", 404), ("listener/01/index.m3u8", 404), ("listener/9999/opus.m3u8", 404),
        ("listener/1", 404), ("listener/1/", 404), ("nothing", 404), (f"listener/1/{run}/opus/{number + 99}.m4s", 404),
        (f"listener/1/{run}/opus/{number}.9.m4s", 404), (f"listener/1/{run}/opus/{number}.1.2.m4s", 404),
        (f"listener/1/{run}/opus/-1.m4s", 404), (f"listener/1/{run}/opus/init.mp4/..", 404),
        ("listener/1/0000000000000000/opus/init.mp4", 404), (f"listener/2/{run}/opus/init.mp4", 404),
    )


def test_wrong_requests_are_refused(streams):
    playlist = streams.playlist()
    for path, status in wrong_requests(playlist):
        answer, _, body = streams.ask(f"/hls/{path}")
        assert answer == status, (path, answer, body)
    assert streams.ask(f"/hls/listener/1/{playlist.map}")[0] == 200


@measured
def test_wrong_requests_are_answered_at_once(streams):
    requests = wrong_requests(streams.playlist())
    begin = time.monotonic()
    for path, _ in requests:
        streams.ask(f"/hls/{path}")
    figure("answers to wrong requests", time.monotonic() - begin, at_most=3, unit="s")


def asking(streams, path):
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {streams.tokens['view']}\r\n\r\n".encode()


def waiting_clients(streams):
    """Twelve clients that wait for a segment; None when it was there before all of them waited."""
    number = streams.playlist().present.number + 2
    clients = [socket.create_connection(("127.0.0.1", streams.ready["http_port"]), LIMIT) for _ in range(12)]
    for client in clients:
        client.sendall(asking(streams, f"/hls/listener/1/opus.m3u8?_HLS_msn={number}"))
    while streams.playlist().present.number <= number:
        if streams.metric("vestibule_hls_waiting_requests") == 12:
            return clients
    for client in clients:
        client.close()
    return None


@contextlib.contextmanager
def changed_clients(streams):
    """Clients that wait: four have ended their side, four have left, and the four that this is the list of have sent another request."""
    clients = until(lambda: waiting_clients(streams))
    stimulus(0.3)
    for client in clients[:4]:
        client.shutdown(socket.SHUT_WR)
    for client in clients[4:8]:
        client.close()
    for client in clients[8:]:
        client.sendall(asking(streams, "/hls/access"))
    try:
        yield clients[8:]
    finally:
        for client in clients:
            client.close()


def test_clients_that_leave_or_send_more_while_they_wait_harm_nothing(streams):
    with changed_clients(streams) as clients:
        for client in clients:
            answer = b""
            while not (b"HTTP/1.1 204" in answer and answer.endswith(b"\r\n\r\n")) and (more := client.recv(65536)):
                answer += more
            first, _, second = answer.partition(b"HTTP/1.1 204")
            assert first.startswith(b"HTTP/1.1 200") and b"#EXTM3U" in first and answer.endswith(b"\r\n\r\n"), answer
    assert streams.ask("/hls/access")[0] == 204
    until(lambda: streams.metric("vestibule_hls_waiting_requests") == 0)


@measured
def test_clients_that_leave_or_send_more_while_they_wait_cost_nothing(streams):
    def spent():
        """Seconds of processor time of the control thread."""
        fields = pathlib.Path(f"/proc/{streams.process.pid}/task/{streams.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    with changed_clients(streams):
        before = spent()
        stimulus(1.5)
        figure("processor time of the control thread in 1.5 s", spent() - before, at_most=0.5, unit="s")


def upgraded(streams, path, protocol, more=""):
    """The first bytes of the answer to a request for another protocol."""
    with socket.create_connection(("127.0.0.1", streams.ready["http_port"]), LIMIT) as client:
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
        with urllib.request.urlopen(f"{streams.url}/hls/listener/1/{name}.m3u8?token={streams.tokens['view']}", timeout=LIMIT) as response:
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
    streams.playlist()
    streams.playlist(listener=numbers["Ann"])
    # Two are encoded at once.
    status, headers, body = streams.ask(f"/hls/listener/{numbers['Ben']}/opus.m3u8")
    assert status == 503 and headers["Retry-After"] and b"--hls" in body

    async def asked(connection, path):
        """The status of the answer; 0 without one, as on a connection that was opened so long ago that the engine has ended it."""
        reader, writer = connection
        line = b""
        with contextlib.suppress(ConnectionError):
            writer.write(asking(streams, path))
            line = await reader.readline()
        writer.close()
        return int(line.split()[1]) if line else 0

    async def crowd():
        """The answers to those who did not wait, and to all."""
        connections = [await asyncio.open_connection("127.0.0.1", streams.ready["http_port"]) for _ in range(530)]
        number = streams.playlist(listener=numbers["Ann"]).present.number + 2
        waiting = f"/hls/listener/{numbers['Ann']}/opus.m3u8?_HLS_msn={number}"
        requests = [asyncio.ensure_future(asked(connection, waiting)) for connection in connections]
        refused = [await each for each in (await asyncio.wait(requests, return_when=asyncio.FIRST_COMPLETED))[0]]
        return set(refused), sorted(await asyncio.wait_for(asyncio.gather(*requests), LIMIT))

    # The segment may be there before all requests are.
    until(lambda: asyncio.run(crowd()) == ({503}, 448 * [200] + 82 * [503]))
