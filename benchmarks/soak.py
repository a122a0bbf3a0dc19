"""A long run of the program with clients, edits and objects: memory, descriptors and threads have to stay constant.

    .venv/bin/python benchmarks/soak.py --seconds 300

Prints a line every ten seconds, and ends with status 1 when the resident memory of the second half rises by more than 1 MiB from
its first to its last third, or when the median of descriptors or threads is higher than in the quarter before it.
"""

import argparse
import asyncio
import json
import os
import pathlib
import random
import statistics
import sys
import tempfile
import time
import wave

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Tests/Integration/support"))

import websockets  # noqa: E402
from program import Engine, run  # noqa: E402

EFFECTS = ["reverb", "delay", "chorus", "equaliser", "pitch", "compressor", "overdrive", "phaser"]


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


async def watch(engine, begin, end):
    readings = []
    while time.monotonic() < end:
        await asyncio.sleep(min(1, max(0, end - time.monotonic())))
        readings.append((time.monotonic() - begin, *usage(engine.process.pid)))
        if len(readings) % 10 == 0:
            seconds, memory, descriptors, threads = readings[-1]
            print(f"{seconds:5.0f} s: {memory} KiB, {descriptors} descriptors, {threads} threads", flush=True)
    return readings


async def soak(engine, seconds, seed):
    begin = time.monotonic()
    end = begin + seconds
    work = [client(engine, end, random.Random(seed + i)) for i in range(8)]
    results = await asyncio.gather(watch(engine, begin, end), edits(engine, end, random.Random(seed)), *work)
    return results[0]


def judge(readings):
    half = readings[len(readings) // 2:]
    third = len(half) // 3
    rise = sum(r[1] for r in half[-third:]) / third - sum(r[1] for r in half[:third]) / third
    middle = lambda part, k: statistics.median(r[k] for r in part)  # noqa: E731
    descriptors, threads = sorted({r[2] for r in half}), sorted({r[3] for r in half})
    print(f"second half: memory rises by {rise:.0f} KiB; descriptors {descriptors}, threads {threads}")
    first = readings[len(readings) // 4:len(readings) // 2]
    return rise <= 1024 and middle(half, 2) <= middle(first, 2) and middle(half, 3) <= middle(first, 3)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scene, voice = pathlib.Path(folder) / "scene.wav", pathlib.Path(folder) / "voice.wav"
        run("synth", "--demo", "--output", scene)
        with wave.open(str(voice), "wb") as sound:
            sound.setparams((1, 2, 48000, 0, "NONE", ""))
            sound.writeframes(random.Random(options.seed).randbytes(2 * 48000))
        with Engine("--recording", scene, "--object", f"{voice}@30,0,1", "--object", f"{voice}@-90,0,2") as engine:
            engine.osc().send_message("/transport/play", [])
            good = judge(asyncio.run(soak(engine, options.seconds, options.seed)))
            print(f"longest turn of the control thread: {engine.value('/engine/control-worst-ever')} ms")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
