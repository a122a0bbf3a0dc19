"""A long run of the program with clients, edits and objects: memory, descriptors and threads have to stay constant.

    .venv/bin/python benchmarks/soak.py --seconds 300
    .venv/bin/python benchmarks/soak.py --seconds 1800 --everything

With --everything, listeners join and leave on the network, players fetch HLS, takes are recorded and deleted, files are sent to the
library and deleted, and a second engine follows the first one at an MQTT broker that goes away every minute; both engines are watched.

Prints a line every ten seconds, and ends with status 1 when the median of the resident memory rises by more than 1 MiB from the first to
the last third of the second half, or when the median of descriptors or threads is higher than in the quarter before it.

Xruns are told apart by their cause. A probe on each processor does nothing but sleep for half a millisecond at a time, with a higher
realtime priority than the engines have: when even it wakes late, the machine itself has stalled, as a virtual one does when its host
runs others. Xruns within a quarter of a second of such a stall are the machine's; any others are the program's, and end with status 1.
"""

import argparse
import asyncio
import base64
import bisect
import contextlib
import gc
import http.client
import json
import multiprocessing
import os
import pathlib
import random
import statistics
import struct
import sys
import tempfile
import time
import urllib.error
import urllib.request
import wave

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Tests/Integration/support"))

import websockets  # noqa: E402
from mqtt_broker import Broker  # noqa: E402
from program import Engine, run  # noqa: E402

EFFECTS = ["reverb", "delay", "chorus", "equaliser", "pitch", "compressor", "overdrive", "phaser"]


# Seconds: of a probe's sleep, by which it has to be late for a stall, and from a stall to an xrun that it explains.
PROBE_SLEEP, STALL, NEAR = 0.0005, 0.0004, 0.25


def probe(processor, end, found):
    """Sends the times at which this process did not run on a processor although it was due."""
    os.sched_setaffinity(0, {processor})
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(80))
    gc.disable()
    stalls, due = [], time.monotonic()
    while due < end:
        due += PROBE_SLEEP
        time.sleep(max(0, due - time.monotonic()))
        now = time.monotonic()
        if now - due > STALL:
            stalls += [due, now]
            due = now
    found.send(stalls)


class Probes:
    """A probe on each processor, until a time of time.monotonic(); needs the right to realtime priority."""

    def __init__(self, end):
        self.pipes = []
        for processor in os.sched_getaffinity(0):
            here, there = multiprocessing.Pipe(duplex=False)
            multiprocessing.Process(target=probe, args=(processor, end, there), daemon=True).start()
            there.close()
            self.pipes.append(here)

    def stalls(self):
        """Sorted times of the stalls, or None without the right."""
        try:
            return sorted(time for pipe in self.pipes for time in pipe.recv())
        except EOFError:
            return None


async def xruns(engine, end):
    """(time, number) of each rise of the engine's count of xruns."""
    rises, before = [], None
    async with websockets.connect(f"{engine.socket_url}/", max_size=None) as socket:
        await socket.send(json.dumps({"COMMAND": "LISTEN", "DATA": "/engine/xruns"}))
        while time.monotonic() < end:
            with contextlib.suppress(asyncio.TimeoutError):
                packet = await asyncio.wait_for(socket.recv(), 0.5)
                if isinstance(packet, bytes) and packet.startswith(b"/engine/xruns\0"):
                    count = int(struct.unpack(">f" if b",f" in packet else ">i", packet[-4:])[0])
                    if before is not None and count > before:
                        rises.append((time.monotonic(), count - before))
                    before = count
    return rises


def explained(name, rises, stalls, seconds):
    """Whether all xruns came with stalls of the machine; prints how many did."""
    total = sum(count for _, count in rises)
    if stalls is None:
        print(f"{name}: {total} xruns; without the right to realtime priority their causes cannot be told apart")
        return total == 0
    near = lambda t: (i := bisect.bisect(stalls, t - NEAR)) < len(stalls) and stalls[i] <= t  # noqa: E731
    own = sum(count for t, count in rises if not near(t))
    covered, end = 0.0, 0.0
    for stall in stalls:
        covered += stall + NEAR - max(stall, end)
        end = stall + NEAR
    share = min(covered / seconds, 0.999)
    print(f"{name}: {total} xruns at {len(rises)} moments, {own} of them without a stall of the machine; {len(stalls) // 2} stalls, near "
          f"which are {100 * share:.0f} % of the time: chance would explain {share * len(rises):.0f} of the moments")
    return own == 0


def usage(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    number = lambda name: int(next(line.split()[1] for line in status.splitlines() if line.startswith(name)))  # noqa: E731
    return number("VmRSS:"), len(os.listdir(f"/proc/{pid}/fd")), number("Threads:")


async def client(engine, end, chance):
    """Connects, listens to telemetry and to the first ears, sends poses and edits, and leaves again."""
    while time.monotonic() < end:
        async with websockets.connect(f"{engine.socket_url}/", max_size=None) as socket:
            await socket.send(json.dumps({"COMMAND": "LISTEN", "DATA": "/listener"}))
            leave = min(end, time.monotonic() + chance.uniform(1, 5))
            while time.monotonic() < leave:
                try:
                    await asyncio.wait_for(socket.recv(), 0.05)
                except asyncio.TimeoutError:
                    pass


async def edits(engine, end, chance):
    osc, step = engine.osc(), 0
    while time.monotonic() < end:
        step += 1
        osc.send_message("/listener/1/ypr", [chance.uniform(-180, 180), chance.uniform(-40, 40), 0.0])
        if step % 10 == 0:
            place = chance.randrange(8)
            osc.send_message("/object/1/azimuth", chance.uniform(-180, 180))
            osc.send_message("/object/2/distance", chance.uniform(0.2, 20))
            osc.send_message("/rack/listener/1/slot/1/mix", chance.random())
            if place == 0:
                osc.send_message("/rack/listener/1/clear", [])
            elif place < 5:
                osc.send_message("/rack/listener/1/add", chance.choice(EFFECTS))
            elif place == 5:
                osc.send_message("/scene/store", f"scene {chance.randrange(4)}")
            elif place == 6:
                osc.send_message("/scene/recall", f"scene {chance.randrange(4)}")
            else:
                osc.send_message("/session/undo", [])
        await asyncio.sleep(0.01)


async def listener(engine, end, chance):
    """Has a listener of its own for some seconds, again and again."""
    while time.monotonic() < end:
        async with websockets.connect(f"{engine.socket_url}/audio/join?format={chance.choice(['opus', 'pcm'])}", max_size=None) as socket:
            leave = min(end, time.monotonic() + chance.uniform(1, 8))
            while time.monotonic() < leave:
                await socket.recv()


def fetched(engine, path):
    with urllib.request.urlopen(f"{engine.url}/hls/listener/1/{path}", timeout=10) as answer:
        return answer.read()


async def player(engine, end, chance):
    """Fetches a stream's playlist and its newest segment, pauses, and returns."""
    while time.monotonic() < end:
        for _ in range(chance.randrange(5, 30)):
            with contextlib.suppress(urllib.error.HTTPError):
                name = chance.choice(["opus", "aac"])
                lines = (await asyncio.to_thread(fetched, engine, f"{name}.m3u8")).decode().splitlines()
                segments = [line for line in lines if line and not line.startswith("#")]
                if segments:
                    await asyncio.to_thread(fetched, engine, segments[-1])
            await asyncio.sleep(1)
        await asyncio.sleep(min(chance.uniform(0, 20), max(0, end - time.monotonic())))


async def takes(engine, end, chance):
    osc = engine.osc()
    while time.monotonic() < end:
        osc.send_message("/take/start", [])
        await asyncio.sleep(chance.uniform(2, 6))
        name = await asyncio.to_thread(engine.value, "/take/current")
        osc.send_message("/take/stop", [])
        await asyncio.sleep(2)
        if name:
            osc.send_message("/take/delete", name)
        await asyncio.sleep(1)


def sent(engine, name, body):
    """Sends a sound to the library by the tus protocol."""
    connection = http.client.HTTPConnection("127.0.0.1", engine.ready["http_port"], timeout=30)
    tus = {"Tus-Resumable": "1.0.0"}
    metadata = ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in {"kind": "sounds", "filename": name}.items())
    connection.request("POST", "/library/uploads", headers=tus | {"Upload-Length": str(len(body)), "Upload-Metadata": metadata})
    answer = connection.getresponse()
    place = answer.headers["Location"]
    assert answer.status == 201, (answer.status, answer.read())
    answer.read()
    connection.request(
        "PATCH", place, body, tus | {"Content-Type": "application/offset+octet-stream", "Upload-Offset": "0"})
    answer = connection.getresponse()
    assert answer.status == 204, (answer.status, answer.read())
    connection.close()


async def library(engine, end, chance, sound):
    osc, number = engine.osc(), 0
    while time.monotonic() < end:
        number += 1
        await asyncio.to_thread(sent, engine, f"sound-{number}.wav", sound)
        await asyncio.sleep(chance.uniform(1, 3))
        osc.send_message("/media/delete", f"sounds/sound-{number}.wav")
        await asyncio.sleep(chance.uniform(0, 2))


async def outages(broker, end):
    """Takes the broker away for five seconds, every minute."""
    while time.monotonic() + 60 < end:
        await asyncio.sleep(50)
        await asyncio.to_thread(broker.stop)
        await asyncio.sleep(5)
        await asyncio.to_thread(broker.start)


async def watch(engine, begin, end, name):
    readings = []
    while time.monotonic() < end:
        await asyncio.sleep(min(1, max(0, end - time.monotonic())))
        readings.append((time.monotonic() - begin, *usage(engine.process.pid)))
        if len(readings) % 10 == 0:
            seconds, memory, descriptors, threads = readings[-1]
            print(f"{seconds:5.0f} s, {name}: {memory} KiB, {descriptors} descriptors, {threads} threads", flush=True)
    return readings


async def soak(engines, work, begin, end):
    """Readings and xruns of each engine while the work continues."""
    watching = [watch(engine, begin, end, name) for name, engine in engines.items()]
    counting = [xruns(engine, end) for engine in engines.values()]
    results = await asyncio.gather(*watching, *counting, *work)
    return {name: (results[i], results[len(engines) + i]) for i, name in enumerate(engines)}


def judge(name, readings):
    half = readings[len(readings) // 2:]
    third = len(half) // 3
    middle = lambda part, k: statistics.median(r[k] for r in part)  # noqa: E731
    # Of a stream, a take or an effect that exists for some seconds nothing is left in the median.
    rise = middle(half[-third:], 1) - middle(half[:third], 1)
    descriptors, threads = sorted({r[2] for r in half}), sorted({r[3] for r in half})
    print(f"{name}, second half: memory rises by {rise:.0f} KiB; descriptors {descriptors}, threads {threads}")
    first = readings[len(readings) // 4:len(readings) // 2]
    return rise <= 1024 and middle(half, 2) <= middle(first, 2) and middle(half, 3) <= middle(first, 3)


def everything(engine, broker, end, seed, sound):
    chance = [random.Random(seed + 100 + i) for i in range(8)]
    return [listener(engine, end, chance[0]), listener(engine, end, chance[1]), player(engine, end, chance[2]),
            player(engine, end, chance[3]), takes(engine, end, chance[4]), library(engine, end, chance[5], sound), outages(broker, end)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--everything", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        folder = pathlib.Path(folder)
        scene, voice = folder / "scene.wav", folder / "voice.wav"
        run("synth", "--demo", "--output", scene)
        with wave.open(str(voice), "wb") as sound:
            sound.setparams((1, 2, 48000, 0, "NONE", ""))
            sound.writeframes(random.Random(options.seed).randbytes(2 * 48000))
        arguments = ["--recording", scene, "--object", f"{voice}@30,0,1", "--object", f"{voice}@-90,0,2"]
        broker, engines = None, {}
        if options.everything:
            broker = stack.enter_context(Broker(folder))
            for name, more in (("hall", []), ("foyer", ["--follow", "hall"])):
                environment = dict(os.environ, XDG_DATA_HOME=str(folder / name), XDG_CACHE_HOME=str(folder / f"{name}-cache"))
                broken = ["--mqtt", f"mqtt://127.0.0.1:{broker.port}", "--mqtt-name", name, *more]
                engines[name] = stack.enter_context(Engine(*arguments, *broken, env=environment))
        else:
            engines["engine"] = stack.enter_context(Engine(*arguments))
        engine = next(iter(engines.values()))
        engine.osc().send_message("/transport/play", [])
        begin = time.monotonic()
        end = begin + options.seconds
        probes = Probes(end)
        work = [client(engine, end, random.Random(options.seed + i)) for i in range(8)]
        work.append(edits(engine, end, random.Random(options.seed)))
        if options.everything:
            work += everything(engine, broker, end, options.seed, voice.read_bytes())
        found = asyncio.run(soak(engines, work, begin, end))
        stalls = probes.stalls()
        good = [judge(name, readings) for name, (readings, _) in found.items()]
        good += [explained(name, rises, stalls, options.seconds) for name, (_, rises) in found.items()]
        for name, each in engines.items():
            values = [f"{address} {each.value(address)}" for address in
                      ("/engine/control-worst-ever", "/engine/xruns", "/engine/dropouts", "/follow/difference")]
            print(f"{name}: {', '.join(values)}")
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
