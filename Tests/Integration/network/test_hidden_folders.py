"""The machine's folders, with names of any kind, are seen by those who may control, and by no one else."""

import asyncio
import json
import os
import shutil
import urllib.error
import urllib.request

import pytest
import websockets
from pythonosc.osc_bundle import OscBundle
from pythonosc.osc_message import OscMessage
from pythonosc.osc_message_builder import OscMessageBuilder

from program import Engine
from waiting import LIMIT, until

# A name that messages cannot be searched for by its signs: each part of it is one of the marks.
ODD = 'Hall (ümark), "qmark" [bmark]: cmark; smark & <amark> 50%'
MARKS = ["mark", "Hall (", "temporary-mark"]
TOPICS = ["meters", "engine", "latency", "poses", "trackers", "transport", "clients", "log", "streams"]
PAGES = [
    "/", "/session", "/session?CONTENTS", "/session?HTML", "/session/recording", "/session/recording?VALUE", "/session/recording?HTML",
    "/engine/notice", "/engine/notice?HTML", "/engine", "/session/file", "/list", "/deck", "/health", "/metrics", "/library",
    "/library?search=scene", "/library?kind=recordings", "/library/recordings/none.wav", "/takes", "/takes/none/take.json", "/listeners",
    "/files", "/results/none.csv", "/recordings/list.json", "/recordings/none/scene.json", "/video", "/overview", "/pairing/clients",
    "/hls/1/none.m3u8", "/none", "/audio/9", "/trust",
]


@pytest.fixture
def engine(scene, tmp_path):
    """An engine whose files are in odd folders below one of the temporary ones; `tokens` are its tokens."""
    home = tmp_path / "temporary-mark" / ODD
    recordings = home / "data" / "vestibule" / "recordings"
    recordings.mkdir(parents=True)
    shutil.copy(scene, recordings / "scene.wav")
    (recordings / "cut.wav").write_bytes(scene.read_bytes()[:100_000])
    (recordings / "no sound.wav").write_text("no sound")
    outside = tmp_path / "temporary-mark" / "other (omark)"
    outside.mkdir()
    shutil.copy(scene, outside / "named.wav")
    environment = dict(os.environ, HOME=str(home), **{f"XDG_{n}_HOME": str(home / n.lower()) for n in ("DATA", "STATE", "CACHE")})
    options = ["--recording", outside / "named.wav", "--library", outside, "--sessions", home / "sessions", "--sounds", home / "sounds"]
    with Engine("--bind", "0.0.0.0", *options, env=environment) as running:
        tokens = home / "state" / "vestibule" / "tokens"
        running.tokens = dict(line.split() for line in tokens.read_text().splitlines())
        running.recordings = recordings
        yield running


def fetch(engine, path, role):
    headers = {"Authorization": f"Bearer {engine.tokens[role]}"} if role else {}
    try:
        with urllib.request.urlopen(urllib.request.Request(engine.url + path, headers=headers), timeout=60) as response:
            return response.read().decode("utf-8", "replace")
    except urllib.error.HTTPError as error:
        return error.read().decode("utf-8", "replace")


def connect(engine, role, protocol="vestibule.oscquery"):
    return websockets.connect(engine.socket_url + "/", subprotocols=[protocol, f"vestibule.token.{engine.tokens[role]}"])


def message(address, *arguments):
    builder = OscMessageBuilder(address)
    for argument in arguments:
        builder.add_arg(argument)
    return builder.build().dgram


def contents(frame):
    """Values by their addresses in a frame of the namespace."""
    if isinstance(frame, str):
        return {"text": frame}
    messages = list(OscBundle(frame)) if frame.startswith(b"#bundle") else [OscMessage(frame)]
    return {found.address: found.params for found in messages}


async def values(engine, role, wanted):
    """Everything that a client of the namespace is told, until a wanted text is in it."""
    async with connect(engine, role) as connection, asyncio.timeout(LIMIT):
        await connection.send(json.dumps({"COMMAND": "LISTEN", "DATA": "/"}))
        found = []
        while wanted not in "".join(map(str, found)) or "/tuner/run" not in "".join(map(str, found)):
            found.append(contents(await connection.recv()))
        return found


async def telemetry(engine, role):
    """A frame of every topic that has a state."""
    async with connect(engine, role, "vestibule.telemetry.v1") as connection, asyncio.timeout(LIMIT):
        await connection.send(json.dumps({"type": "subscribe", "topics": TOPICS, "rate": 30, "format": "json"}))
        found = {}
        while not {"trackers", "transport", "clients", "log", "meters", "engine"} <= set(found):
            frame = json.loads(await connection.recv())
            found.setdefault(frame.get("topic"), frame)
        return found


def tell(engine, *messages):
    """Sends messages, and waits until they were read."""
    async def send():
        async with connect(engine, "control") as connection, asyncio.timeout(LIMIT):
            for address, *arguments in (*messages, ("/the/last/one", 1)):
                await connection.send(message(address, *arguments))
            while "/the/last/one" not in str(await connection.recv()):
                pass

    asyncio.run(send())


def misuse(engine):
    """Makes the engine talk about its files."""
    # A recording that is being opened is given up for the next one.
    for name in ["cut.wav", "no sound.wav", "missing.wav", str(engine.recordings / "x" / "y.wav")]:
        tell(engine, ("/session/recording", name))
        until(lambda: f"{os.path.basename(name)} " in engine.log, lambda: engine.log)
    tell(
        engine, ("/session/recording", "/etc/none/z.wav"), ("/session/load", "missing"), ("/object/1/source", "missing.wav"),
        ("/music/source", "missing.wav"), ("/music/run", True), ("/listener/1/hrtf", "missing.sofa"), ("/deck/list", "missing.wav"),
        ("/transport/video/file", "missing.mp4"), ("/take/recording", True), ("/rack/recording/load", "missing"),
        ("/session/recording", "scene.wav"))
    until(lambda: "scene.wav" in fetch(engine, "/session/recording?VALUE", "control"))


def marks(text):
    return [mark for mark in MARKS if mark in text]


def test_folders_are_for_those_who_control(engine):
    misuse(engine)
    until(lambda: "scene.wav" in fetch(engine, "/library", "view"), lambda: fetch(engine, "/library", "view"))
    for path in PAGES:
        seen = fetch(engine, path, "view")
        assert not marks(seen), f"{path}: {marks(seen)} in {seen[:2000]}"
    assert not marks(fetch(engine, "/health", None))
    assert json.loads(fetch(engine, "/session/recording?VALUE", "view")) == {"VALUE": ["…/scene.wav"]}
    assert marks(fetch(engine, "/session/recording?VALUE", "control")) and marks(fetch(engine, "/", "control"))
    assert json.loads(fetch(engine, "/object/1/gain", "view"))["FULL_PATH"] == "/object/1/gain"

    seen, whole = (asyncio.run(values(engine, role, "scene.wav")) for role in ("view", "control"))
    assert not marks(str(seen)), marks(str(seen))
    assert marks(str(whole))
    assert {address for frame in seen for address in frame} == {address for frame in whole for address in frame}

    seen, whole = (asyncio.run(telemetry(engine, role)) for role in ("view", "control"))
    for topic, frame in seen.items():
        assert not marks(json.dumps(frame, ensure_ascii=False)), f"{topic}: {frame}"
    assert "…/scene.wav" in str(seen["transport"]) and "…/cut.wav is truncated" in str(seen["log"])
    assert marks(str(whole["transport"])) and marks(str(whole["log"]))
