"""The configurations of deploy/ run as they are, apart from ports and paths: nginx, Mosquitto and Prometheus around an engine."""

import asyncio
import contextlib
import http.client
import json
import re
import shutil
import signal
import subprocess
import time
import urllib.parse
import urllib.request

import pytest
import websockets

from figures import figure, measured
from hls import Playlist
from mqtt_broker import authority, free_port
from nginx_site import (
    DEPLOY, NAME, TOOLS, Player, asked, configure, ended, engine_of, log_of, newest, nginx_site, replaced, stream_of)
from program import ROOT, Engine
from waiting import LIMIT, until


@pytest.fixture(scope="module")
def signer(tmp_path_factory):
    return authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def site(tmp_path_factory, signer, scene):
    with nginx_site(tmp_path_factory.mktemp("nginx"), signer, "--recording", scene) as engine:
        yield engine


@pytest.fixture
def two_engines(site):
    """The site with another engine behind nginx, with the same tokens."""
    one, text = f"    server 127.0.0.1:{site.ready['http_port']};", (site.nginx_folder / "site.conf").read_text()
    with Engine(*site.options) as other:
        first, second = (f"    server 127.0.0.1:{engine.ready['http_port']} max_fails=1 fail_timeout=5s" for engine in (site, other))
        before, between, after = text.split(one)
        # Streams for everyone are those of the other engine.
        configure(site, f"{before}{first};\n{second};{between}{second};\n{first} backup;{after}")
        ports = {site.ready["osc_port"], other.ready["osc_port"]}
        until(lambda: {engine_of(site, f"{number:032x}") for number in range(40)} == ports)
        yield site, other
    configure(site, text)


def test_files_come_through_nginx_for_the_network_of_the_engines(site):
    folder = site.nginx_folder / "media/recordings"
    folder.mkdir(parents=True)
    (folder / "evening.wav").write_bytes(bytes(range(256)) * 100)
    status, headers, body = asked(site, "/media/recordings/evening.wav", range="bytes=1000-1999")
    assert (status, len(body), headers["Content-Range"]) == (206, 1000, "bytes 1000-1999/25600")
    assert asked(site, "/media/recordings/evening.wav", source="127.0.1.1")[0] == 403
    assert asked(site, "/media/recordings/evening.wav", "PUT", b"x")[0] == 403
    assert asked(site, "/media/recordings/missing.json")[0] == 404
    assert asked(site, "/media/recordings/../tokens")[0] in (400, 401, 404)
    for kind, expected in (("sounds", 200), ("responses", 200), ("sessions", 401)):
        (folder.parent / kind).mkdir()
        (folder.parent / kind / "one.wav").write_bytes(b"sound")
        assert asked(site, f"/media/{kind}/one.wav")[0] == expected
    (folder.parent / "sounds/.part").write_bytes(b"hidden")
    assert asked(site, "/media/sounds/.part")[0] == 401


def test_pages_and_values_come_through_nginx(site):
    assert asked(site, "/?HOST_INFO")[0] == 401
    for role in ("view", "control"):
        status, _, body = asked(site, "/?HOST_INFO", authorization=f"Bearer {site.token[role]}")
        assert status == 200 and json.loads(body)["NAME"]
    status, headers, body = asked(site, "/panel/index.html")
    assert status == 200 and b"Vestibule" in body and "content-security-policy" in headers
    connection = http.client.HTTPConnection("127.0.0.1", site.plain, timeout=60)
    connection.request("GET", "/panel/", headers={"Host": NAME})
    response = connection.getresponse()
    assert (response.status, response.getheader("Location")) == (308, f"https://{NAME}/panel/")


def test_nginx_and_the_engine_read_an_address_alike(site):
    """Otherwise one visitor could put another sound, or nothing, into the cache of all players, or pass the rules of a path."""
    view = {"authorization": f"Bearer {site.token['view']}"}
    for target in ("/#/../metrics", "/hls/listener/1/opus.m3u8#/../aac.m3u8", "/panel/#"):
        assert asked(site, target, **view)[0] == 400, target
    key = json.loads(asked(site, "/hls/address", **view)[2])["path"]
    folder = f"{key}/listener/1/"
    # A stream that begins has no sound yet, and requests do not wait for long.
    first = until(lambda: (answer := asked(site, f"{folder}opus.m3u8"))[0] == 200 and answer[2])
    number = Playlist(first.decode()).present.number
    for query, status in (
        (f"x;_HLS_msn={number + 2}", 400), (f"_HLS_msn={number}&_HLS_part=12", 400), 
        # A number that far ahead would be refused.
        (f"_HLS_msn={number + 9999}&_HLS_part=0", 400), (f"_hls_msn={number + 9999}&_hls_part=0", 200), (f"_HLS_msn={number - 99}", 200),
    ):
        answer, headers, body = asked(site, f"{folder}opus.m3u8?{query}")
        assert answer == status, (query, answer, body)
    # The past is not kept.
    assert headers["Cache-Control"] == "no-store"
    # One that asks for HTTP/2 is not led past nginx.
    offer = {"connection": "Upgrade, HTTP2-Settings", "upgrade": "h2c", "HTTP2-Settings": "AAMAAABkAAQCAAAAAAIAAAAA"}
    assert asked(site, "/health", **offer)[0] == 200


def test_logins_are_for_tls_only_and_limited_for_each_visitor(site):
    def log_in(token, source):
        return asked(site, "/login", "POST", json.dumps({"token": token}), source)

    status, headers, _ = log_in(site.token["control"], "127.0.0.4")
    cookie = headers["Set-Cookie"]
    assert status == 200 and {"secure", "httponly", "samesite=strict"} <= {part.strip().lower() for part in cookie.split(";")}
    assert asked(site, "/?HOST_INFO", cookie=cookie.split(";")[0])[0] == 200
    # One who tries tokens is stopped before the engine would stop everyone.
    answers = [401]
    while answers[-1] == 401:
        answers.append(log_in(f"wrong {len(answers)}", "127.0.0.2")[0])
    assert answers[-1] == 429 and 2 < len(answers) <= 10, answers
    assert log_in(site.token["view"], "127.0.0.3")[0] == 200


def test_wrong_tokens_of_one_visitor_close_nothing_for_others(site):
    def ask(token, source):
        return asked(site, "/?HOST_INFO", source=source, authorization=f"Bearer {token}")[0]

    answers = [ask(f"wrong {number}", "127.0.0.7") for number in range(12)]
    assert answers[:10] == [401] * 10 and answers[10:] == [429] * 2, answers
    assert ask(site.token["view"], "127.0.0.8") == 200
    # Prometheus reads the engine directly.
    direct = urllib.request.Request(
        f"http://127.0.0.1:{site.ready['http_port']}/metrics", headers={"Authorization": f"Bearer {site.token['view']}"})
    assert urllib.request.urlopen(direct, timeout=60).status == 200


def test_a_websocket_controls_through_nginx(site):
    async def talk():
        async with websockets.connect(
            f"wss://{NAME}:{site.port}/", host="127.0.0.1", port=site.port, ssl=site.trust, server_hostname=NAME,
            origin=f"https://{NAME}:{site.port}",
            additional_headers={"Authorization": f"Bearer {site.token['control']}"}
        ) as client:
            await client.send(b"/listener/1/gain\0\0\0\0,f\0\0\xc0\xc0\0\0")
            await asyncio.wait_for(await client.ping(), LIMIT)

    asyncio.run(talk())
    token = {"authorization": f"Bearer {site.token['view']}"}
    until(lambda: json.loads(asked(site, "/listener/1/gain?VALUE", **token)[2])["VALUE"] == [-6])


def heard_by(site, number, states):
    """Digests of the sound by address, which is the same for so many players, the players, and what nginx has noted of them."""
    async def crowd(players, states):
        return await asyncio.gather(*(player.play(states) for player in players))

    folder = stream_of(site)
    asyncio.run(crowd([Player(site, 0, folder)], 1))
    before = len(log_of(site))
    players, sounds = [Player(site, each, folder) for each in range(number)], {}
    for received in asyncio.run(crowd(players, states)):
        for uri, digest in received.items():
            assert sounds.setdefault(uri, digest) == digest
    # The description of the stream, parts and whole segments.
    assert len(sounds) > 4
    return sounds, players, log_of(site, before)


def test_players_hear_the_same_and_what_is_new_alone_is_kept(site):
    for headers in ({}, {"authorization": "Bearer wrong"}):
        assert asked(site, "/hls/listener/1/opus.m3u8", **headers)[0] == 401
    assert asked(site, f"/hls/key/{'0' * 32}/listener/1/opus.m3u8")[0] == 401
    folder, (sounds, _, _) = stream_of(site), heard_by(site, 20, 8)
    # Nobody fills the cache with copies of what is there, under other addresses.
    part = [uri for uri in sounds if uri.endswith(".m4s")][-1].rsplit(folder, 1)[-1]
    for number in range(3):
        assert asked(site, f"{folder}{part}?copy={number}&_HLS_msn={number}")[0] == 200

    def copies():
        return [cached for cached, request in log_of(site) if "copy=" in request]

    until(lambda: len(copies()) >= 3)
    assert copies() == ["HIT"] * 3
    # An address with a token leads to the one that has a key.
    status, headers, _ = asked(site, f"/hls/listener/1/index.m3u8?token={site.token['view']}")
    assert status == 302 and headers["Location"].endswith(f"{folder}index.m3u8")
    assert asked(site, "/hls/listener/1/index.m3u8?token=wrong")[0] == 401
    # One who is logged in gets the same from the cache; others do not.
    playlist = "/hls/listener/1/opus.m3u8"
    assert asked(site, playlist, authorization=f"Bearer {site.token['control']}")[0] == 200 and asked(site, playlist)[0] == 401


@measured
def test_five_hundred_players_cost_the_engine_one_request_for_each_part(site):
    _, players, requests = heard_by(site, 500, 3)
    asked_for = [request for cached, request in requests if "/hls/" in request and cached not in ("HIT", "-")]
    assert len(requests) >= 500 * 4
    # Playlists without a place may be kept for a second only.
    repeated = [asked_for.count(request) for request in asked_for if "_HLS_" in request or ".m4s" in request or ".mp4" in request]
    ages = sorted(age for player in players for age in player.ages)
    print("requests of players:", len(requests), "of nginx:", len(asked_for),
          "age of the newest sound, median and worst, seconds:", round(ages[len(ages) // 2], 2), round(ages[-1], 2))
    figure("requests of nginx for one part, 500 players", max(repeated), at_most=1)
    figure("requests of nginx, 500 players", len(asked_for), at_most=59)


def change_engines(site, other):
    """Kills an engine. Returns the seconds until all its visitors are at the other one."""
    status, headers, _ = asked(site, "/login", "POST", json.dumps({"token": site.token["control"]}).encode())
    assert status == 200
    cookies = [value.split(";")[0] for value in headers.get_all("Set-Cookie")]
    assert any(re.fullmatch("vestibule_visitor=[0-9a-f]{32}", cookie) for cookie in cookies)
    login = next(cookie for cookie in cookies if cookie.startswith("vestibule-"))
    visitors = [f"{number:032x}" for number in range(40)]
    at = {visitor: engine_of(site, visitor) for visitor in visitors}
    # Each stays where it is, and its login holds at both.
    assert {visitor: engine_of(site, visitor) for visitor in visitors} == at
    assert set(at.values()) == {site.ready["osc_port"], other.ready["osc_port"]}

    async def open_socket(visitor):
        """A panel's WebSocket, by the login alone; the engine's answer shows that it is admitted."""
        opened = await websockets.connect(
            f"wss://{NAME}:{site.port}/", host="127.0.0.1", ssl=site.trust,
            additional_headers={"Cookie": f"{login}; vestibule_visitor={visitor}"})
        await opened.send(json.dumps({"COMMAND": "LISTEN", "DATA": "/engine/period"}))
        assert await asyncio.wait_for(opened.recv(), LIMIT)
        return opened

    async def failover():
        lost = [visitor for visitor, port in at.items() if port == other.ready["osc_port"]]
        open_sockets = {visitor: await open_socket(visitor) for visitor in visitors}
        other.stop(signal.SIGKILL)
        begin = time.monotonic()
        for visitor in lost:
            with pytest.raises(websockets.exceptions.ConnectionClosed):
                while True:
                    await asyncio.wait_for(open_sockets[visitor].recv(), LIMIT)
            open_sockets[visitor] = await open_socket(visitor)
        seconds = time.monotonic() - begin
        # The others have noticed nothing.
        for visitor in set(visitors) - set(lost):
            await (await open_sockets[visitor].ping())
        for opened in open_sockets.values():
            await opened.close()
        return seconds

    seconds = asyncio.run(failover())
    assert {engine_of(site, visitor) for visitor in visitors} == {site.ready["osc_port"]}
    return seconds


def test_visitors_of_an_engine_that_dies_are_at_another_one(two_engines):
    change_engines(*two_engines)


@measured
def test_visitors_of_an_engine_that_dies_wait_little(two_engines):
    figure("40 visitors are at another engine after theirs was killed", change_engines(*two_engines), at_most=5, unit="s")


def test_a_phone_whose_engine_dies_plays_on_at_another_one(two_engines, browser):
    """The page joins again by itself, at the engine to which nginx leads it then."""
    site, other = two_engines
    visitor = next(name for name in (f"{number:032x}" for number in range(40)) if engine_of(site, name) == other.ready["osc_port"])
    address, token = f"https://127.0.0.1:{site.port}", {"authorization": f"Bearer {site.token['view']}"}

    def clients():
        status, _, body = asked(site, "/listener/2/stream/clients?VALUE", cookie=f"vestibule_visitor={visitor}", **token)
        return json.loads(body)["VALUE"][0] if status == 200 else 0

    context = browser.new_context(ignore_https_errors=True, viewport={"width": 390, "height": 844})
    context.add_cookies([{"name": "vestibule_visitor", "value": visitor, "url": address, "secure": True}])
    page = context.new_page()
    page.goto(f"{address}/listen#token={site.token['view']}")
    page.get_by_role("button", name="Join").click()
    heard = "() => vestibule.player?.sound && vestibule.player.statistics.line.includes('buffered')"
    page.wait_for_function(heard, timeout=1000 * LIMIT)
    until(lambda: clients() == 1)
    other.stop(signal.SIGKILL)
    begin = time.monotonic()
    until(lambda: clients() == 1)
    page.wait_for_function(heard, timeout=1000 * LIMIT)
    print("a phone plays again", round(time.monotonic() - begin, 2), "s after its engine was killed")
    context.close()


def running_streams(site, engine):
    """Number of streams that an engine encodes."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{engine.ready['http_port']}/metrics", headers={"Authorization": f"Bearer {site.token['view']}"})
    text = urllib.request.urlopen(request, timeout=60).read().decode()
    return float(re.search(r"^vestibule_hls_streams (\S+)", text, re.MULTILINE)[1])


@contextlib.contextmanager
def playing_stream(site, browser):
    """The page of the stream, and a function for the parts and seconds that it has played, and its delay in seconds while it plays."""
    folder = stream_of(site)
    context = browser.new_context(ignore_https_errors=True)
    page = context.new_page()
    page.goto(f"https://127.0.0.1:{site.port}/hls?listener=1#key={folder.split('/key/')[1].split('/')[0]}")
    page.get_by_role("button", name="Play").click()

    def played():
        return page.evaluate("[vestibule.player?.parts, document.getElementById('sound').currentTime, vestibule.delay]")

    until(lambda: (now := played())[0] and now[0] > 8 and now[1] > 1 and now[2], played)
    yield played
    context.close()


def test_a_stream_whose_engine_dies_goes_on_from_another_one(two_engines, browser):
    """The page of the stream, and a player that only follows the playlist."""
    site, other = two_engines
    # Streams of earlier tests end when nobody has asked for them for a while.
    until(lambda: (running_streams(site, other), running_streams(site, site)) == (0, 0))
    with playing_stream(site, browser) as played:
        assert running_streams(site, other) == 1
        other.stop(signal.SIGKILL)
        killed, (parts, place, _) = time.time(), played()
        until(lambda: newest(site) > killed)
        until(lambda: (now := played())[0] > parts + 6 and now[1] > place + 1 and now[2], played)
        assert running_streams(site, site) == 1


@measured
def test_a_stream_whose_engine_dies_has_little_delay_afterwards(two_engines, browser):
    site, other = two_engines
    with playing_stream(site, browser) as played:
        other.stop(signal.SIGKILL)
        begin, (parts, _, _) = time.monotonic(), played()
        until(lambda: time.time() - newest(site) < 2)
        figure("the playlist has new sound after its engine was killed", time.monotonic() - begin, at_most=LIMIT, unit="s")
        until(lambda: (now := played())[0] > parts + 6 and now[2] and now[2] < 4, played)
        figure("the page plays it, with less than four seconds of delay", time.monotonic() - begin, at_most=LIMIT, unit="s")


def test_metrics_are_for_this_machine_only(site):
    token = {"authorization": f"Bearer {site.token['view']}"}
    assert asked(site, "/metrics", **token)[0] == 200
    assert asked(site, "/metrics", source="127.0.0.2", **token)[0] == 403


def test_prometheus_reads_the_engine_and_knows_the_alerts(tmp_path, site):
    (tmp_path / "view-token").write_text(site.token["view"])
    shutil.copy(DEPLOY / "prometheus/alerts.yml", tmp_path)
    (tmp_path / "prometheus.yml").write_text(replaced(
        "prometheus/prometheus.yml", ("127.0.0.1:8080", f"127.0.0.1:{site.ready['http_port']}"),
        ("scrape_interval: 5s", "scrape_interval: 1s")))
    port = free_port()
    server = subprocess.Popen(
        [shutil.which("prometheus", path=TOOLS), f"--config.file={tmp_path}/prometheus.yml", f"--storage.tsdb.path={tmp_path}/data",
         f"--web.listen-address=127.0.0.1:{port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def get(path):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/{path}", timeout=60) as response:
                return json.load(response)["data"]
        except OSError:
            return None

    try:
        until(lambda: [target["health"] for target in (get("targets") or {}).get("activeTargets", [])] == ["up"])
        rules = until(lambda: get("rules"))["groups"][0]["rules"]
        assert len(rules) >= 6
        # Every alert asks for metrics that exist, or that exist with a broker, a followed engine or an Icecast server.
        others = {f"vestibule_{name}" for name in (
            "mqtt_connected", "mqtt_messages_total", "icecast_connected", "icecast_sent_bytes_total", "icecast_lost_seconds_total",
            "following", "following_difference_seconds")}
        wanted = {name for rule in rules for name in re.findall(r"vestibule_\w+", rule["query"])} - others
        until(lambda: wanted <= set(get("label/__name__/values") or []), lambda: wanted - set(get("label/__name__/values") or []))
        # Grafana's dashboard asks for what is there.
        expressions = []
        json.loads((ROOT / "protocol/grafana.json").read_text(),
                   object_hook=lambda fields: expressions.append(fields.get("expr")))
        assert len([text for text in expressions if text]) > 15

        def has_result(query):
            # Stages of poses are those of the last five seconds.
            site.osc().send_message("/listener/1/ypr", [10.0, 0.0, 0.0])
            return (get(f"query?query={urllib.parse.quote(query)}") or {}).get("result")

        for expression in filter(None, expressions):
            if others & set(re.findall(r"vestibule_\w+", expression)):
                continue
            query = expression.replace("$instance", ".*").replace("$__rate_interval", "10s").replace("$__range", "10s")
            # Rates need two readings.
            until(lambda: has_result(query), lambda: expression)
    finally:
        ended(server)
