"""Somebody who watches everything that a running engine tells must not learn which sound of a listening test plays.

Sounds A and B are played many times in a random order. Whatever can be read is read again and again: the namespace, telemetry, metrics,
health, the table of listeners, the log and the results. A reading gives a sound away when all its means over the periods of A lie on one
side of all its means over those of B. By chance that happens once in 90,000 readings; those that do are watched once more. The first test
does the same with a method that is simply set, and must find readings that tell: it shows that the watcher can see.
"""

import asyncio
import contextlib
import json
import re
import urllib.error
import urllib.request

import websockets

from health import health
from program import Engine
from seeds import chooser
from waiting import LIMIT, until

PERIODS = 20
# Seconds of sound of a period, which take longer on a busy machine, and readings of it over HTTP.
SECONDS = 0.7
READINGS = 8
PAIR = ["nearest", "ring-spectral"]
# A number that no counter of blocks, bytes or frames reaches during a test.
SEED = 15_942_337
TOPICS = ["meters", "engine", "latency", "poses", "transport", "trackers", "clients", "streams"]


def leaves(tree, path=""):
    """Every number and text below a JSON value, by its path."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from leaves(value, f"{path}/{key}")
    elif isinstance(tree, list):
        for place, value in enumerate(tree):
            yield from leaves(value, f"{path}/{place}")
    elif tree is not None:
        yield path, tree


def values(node):
    """The values of an OSCQuery node and of all nodes below it, by their address."""
    found = {}
    if "VALUE" in node:
        found.update(leaves(node["VALUE"], node["FULL_PATH"]))
    for child in node.get("CONTENTS", {}).values():
        found.update(values(child))
    return found


def fetch(engine, path):
    with urllib.request.urlopen(engine.url + path, timeout=60) as response:
        return response.read().decode()


def readings(engine):
    """All that can be read over HTTP now."""
    found = {f"namespace {address}": value for address, value in values(json.loads(fetch(engine, "/"))).items()}
    for line in fetch(engine, "/metrics").splitlines():
        if not line.startswith("#"):
            name, value = line.rsplit(" ", 1)
            found[f"metrics {name}"] = float(value)
    for path, tree in [("/health", health(engine)), ("/listeners", json.loads(fetch(engine, "/listeners")))]:
        found.update((f"{path} {name}", value) for name, value in leaves(tree))
    return found


class Watcher:
    """Collects readings of each period: rows[sound] is a list of periods, each a dictionary of lists."""

    def __init__(self, engine):
        self.engine = engine
        self.rows = {0: [], 1: []}
        self.before = {}

    async def watch(self, sound):
        """Watches for one period; its first third, in which the sounds are switched, is thrown away."""
        loop = asyncio.get_running_loop()

        async def blocks():
            return (await loop.run_in_executor(None, health, self.engine))["blocks"]

        per_second = self.engine.ready["rate"] / self.engine.ready["period"]
        begin, period, read = await blocks(), {}, 0
        # A stream that begins now has no frames of the period before.
        while await blocks() < begin + per_second * SECONDS / 3:
            pass
        async with websockets.connect(self.engine.socket_url + "/", subprotocols=["vestibule.telemetry.v1"]) as telemetry:
            await telemetry.send(json.dumps({"type": "subscribe", "topics": TOPICS, "rate": 30, "format": "json"}))
            while await blocks() < begin + per_second * SECONDS or read < READINGS:
                found = await loop.run_in_executor(None, readings, self.engine)
                read += 1
                for name, value in found.items():
                    period.setdefault(name, []).append(value)
                with contextlib.suppress(asyncio.TimeoutError):
                    for _ in range(40):
                        frame = json.loads(await asyncio.wait_for(telemetry.recv(), 0.02))
                        for name, value in leaves(frame):
                            period.setdefault(f"telemetry {frame.get('topic', frame['type'])} {name}", []).append(value)
        self.rows[sound].append(period)

    def telling(self):
        """Names of the readings that tell A from B."""
        names = {name for rows in self.rows.values() for row in rows for name in row}
        return sorted(name for name in names if self.tells(name))

    def tells(self, name):
        sides = [[row[name] for row in self.rows[sound] if name in row] for sound in (0, 1)]
        if min(map(len, sides)) < PERIODS // 2 - 1:
            return False
        if any(isinstance(value, str) for side in sides for row in side for value in row):
            one, other = ({str(value) for row in side for value in row} for side in sides)
            # A text that is another one each time tells nothing.
            return not one & other and len(one | other) < PERIODS
        means = [[sum(row) / len(row) for row in side] for side in sides]
        rates = [[row[-1] - row[0] for row in side] for side in sides]
        return any(max(a) < min(b) or max(b) < min(a) for a, b in (means, rates))


async def watched(engine, play, seed):
    """A watcher of `PERIODS` periods in a random order; `play` switches to sound 0 or 1."""
    sounds = [0, 1] * (PERIODS // 2)
    chooser(seed).shuffle(sounds)
    print(sounds)
    watcher = Watcher(engine)
    for sound in sounds:
        await play(sound)
        await watcher.watch(sound)
    return watcher


def rack(engine):
    """Effects whose meters follow the sound, for the recording and for the listener's output."""
    osc = engine.osc()
    for name in ["recording", "listener/1"]:
        osc.send_message(f"/rack/{name}/add", "compressor")


def test_the_watcher_sees_a_method_that_is_set(scene, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with Engine("--recording", scene) as engine:
        rack(engine)
        engine.osc().send_message("/transport/play", [])

        async def play(sound):
            # As loud as an anchor is louder than its reference by peaks.
            for name, value in (("method", PAIR[sound]), ("gain", [-12.0, 0.0][sound])):
                engine.osc().send_message(f"/listener/1/{name}", value)
                until(lambda: engine.value(f"/listener/1/{name}") == value)

        found = asyncio.run(watched(engine, play, 1)).telling()
    print(found)
    for part in [
            "namespace /listener/1/method", "namespace /listener/1/latency", "namespace /meter/listener/1/rms",
            "telemetry meters /data/listeners/0/rms"]:
        assert any(name.startswith(part) for name in found), part


class Participant:
    """The page of a participant."""

    def __init__(self, engine, socket):
        self.engine, self.socket, self.view = engine, socket, {}
        self.task = asyncio.create_task(self.follow())

    async def follow(self):
        async for text in self.socket:
            self.view.update(json.loads(text).get("view", {}))

    async def send(self, kind, **values):
        await self.socket.send(json.dumps({"type": kind, **values}))

    async def reach(self, **wanted):
        end = asyncio.get_running_loop().time() + LIMIT
        while any(self.view.get(name) != value for name, value in wanted.items()):
            assert asyncio.get_running_loop().time() < end, (wanted, self.view, self.engine.log)
            await asyncio.wait([self.task], timeout=0.02)

    async def begin(self):
        """Begins the first trial, with half a second of the passage, so that every period hears the same."""
        await self.reach(phase="ready")
        await self.send("start")
        await self.reach(phase="trial")
        await self.send("region", **{"from": 1.0, "to": 1.5})

    async def hear(self, sound):
        await self.send("hear", sound=sound)
        await self.reach(heard=sound)


async def attacked(engine, sounds, before, after):
    """Plays two sounds of the test that has been started, watched; `before` and `after` do more as the participant.

    Returns the readings that tell one from the other, again and again.
    """
    async with websockets.connect(engine.socket_url + "/listening-test") as socket:
        participant = Participant(engine, socket)
        await participant.begin()
        await before(participant)
        watcher = await watched(engine, lambda sound: participant.hear(sounds[sound]), 2)
        found = set(watcher.telling())
        if found:
            print("once more, because of", found)
            found &= set((await watched(engine, lambda sound: participant.hear(sounds[sound]), 3)).telling())
        await after(participant, watcher)
        engine.osc().send_message("/test/stop", [])
        await participant.reach(phase="idle")
        participant.task.cancel()
        print(len({name for rows in watcher.rows.values() for row in rows for name in row}), "readings;", found)
        return found


def refuse_results(engine, folder):
    """While a test runs, its results are refused. Returns their names."""
    names = [path.name for path in folder.iterdir()]
    for name in names:
        try:
            raise AssertionError(fetch(engine, f"/results/{name}"))
        except urllib.error.HTTPError as error:
            assert error.code == 403 and "ended" in error.read().decode()
    return names


def test_nothing_tells_the_sound_of_a_comparison(scene, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with Engine("--recording", scene) as engine:
        rack(engine)
        for address, value in [("seed", SEED), ("pair", " ".join(PAIR)), ("compare", [])]:
            engine.osc().send_message(f"/test/{address}", value)
        names = []

        async def answer(participant):
            for _ in range(2):
                await participant.hear(2)
                await participant.send("answer", sound=0)
                await participant.send("next")
                await participant.reach(phase="trial", scores=[])
            await participant.send("region", **{"from": 1.0, "to": 1.5})

        async def look(participant, watcher):
            assert (participant.view["kind"], participant.view["sounds"]) == ("abx", 3)
            names.extend(refuse_results(engine, tmp_path / "vestibule" / "results"))
            # Neither the log nor a value names the seed or a gain.
            assert not re.search(rf"\b{SEED}\b|\bgain|\bseed", engine.log)
            told = {(name, str(value)) for rows in watcher.rows.values() for row in rows for name, some in row.items() for value in some}
            names_told = {name for name, _ in told}
            assert "namespace /test/state/0" in names_told and not any("/test/seed" in name for name in names_told)
            assert not [pair for pair in told if pair[1] in (str(SEED), f"{SEED}.0")]
            assert engine.value("/test/result") == ""

        assert asyncio.run(attacked(engine, [0, 1], answer, look)) == set()
        # At the end everything is told.
        result = until(lambda: engine.value("/test/result"))
        words = r"[012] of 2 correct \(nearest against ring-spectral\); probability .* by guessing: (25|75|100)\.0 %"
        assert re.match(words, result), result
        until(lambda: "seed" in engine.log and "gains for recording: reference" in engine.log, lambda: engine.log)
        table = fetch(engine, f"/results/{next(name for name in names if name.endswith('.csv'))}").splitlines()
        columns = table[0].split(",")
        assert len(table) == 3 and sum(int(line.split(",")[columns.index("right")]) for line in table[1:]) == int(result[0])
        # Meters come back.
        assert engine.value("/engine/load") is not None
        engine.osc().send_message("/transport/play", [])
        until(lambda: max(engine.value("/meter/listener/1/rms")) > 0)


def test_nothing_tells_an_anchor(scene, tmp_path, monkeypatch):
    """The reference and its anchor of 3.5 kHz, which are as loud by the measure of loudness, but not by peaks."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "vestibule" / "tests").mkdir(parents=True)
    (tmp_path / "vestibule" / "tests" / "anchor.json").write_text(json.dumps({
        "title": "Anchor", "reference": "ring-spectral", "conditions": [], "anchors": [3500],
        "passages": [{"recording": str(scene), "from": 1, "to": 4}]}))
    with Engine("--recording", scene, "--allow-path", scene.parent) as engine:
        rack(engine)
        for address, value in [("definition", "anchor"), ("participant", "P1"), ("start", [])]:
            engine.osc().send_message(f"/test/{address}", value)

        async def nothing(*_):
            pass

        assert asyncio.run(attacked(engine, [1, 2], nothing, nothing)) == set()
