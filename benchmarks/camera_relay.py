"""Share of a core and memory that the relay of cameras takes: 4 senders to 16 receivers each, 1 Mbit/s, 25 pictures per second.

    .venv/bin/python benchmarks/camera_relay.py [SECONDS]

Then no receiver reads or confirms anything, while the senders send the largest pictures. Ends with 1 beyond a bound: a quarter of a core
besides the sound, no xrun, no frame that is left out, and for each receiver as much memory as its links may queue, which is 1 MiB each.
"""

import asyncio
import json
import os
import pathlib
import struct
import sys
import time

import websockets

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "Tests/Integration/support"), str(ROOT / "Tests/Integration/support/cameras")]

from camera_peer import frame  # noqa: E402
from limits import Limits  # noqa: E402
from program import Engine, run  # noqa: E402

SENDERS, RECEIVERS, RATE, BYTES = 4, 16, 25, 5000
# Bytes of the largest pictures, and MiB that a link may queue.
LARGEST, QUEUE = 500_000, 1


async def hello(url):
    socket = await websockets.connect(url + "/camera/peers", compression=None)
    await socket.send(json.dumps({"type": "hello", "version": 1, "name": "Load", "decodes": ["vp8"]}))
    return socket, json.loads(await socket.recv())["peer"]


async def send(socket, end):
    """Sends pictures at an even rate, key frames when asked."""
    number, wants_key = 0, True

    async def listen():
        nonlocal wants_key
        async for data in socket:
            wants_key = wants_key or (isinstance(data, str) and json.loads(data)["type"] == "key")

    listening = asyncio.create_task(listen())
    begin = time.monotonic()
    while time.monotonic() < end:
        number += 1
        await socket.send(frame(kind=1 if wants_key else 2, number=number, content=bytes(BYTES)))
        wants_key = False
        await asyncio.sleep(max(0, begin + number / RATE - time.monotonic()))
    listening.cancel()
    return number


async def receive(socket, senders, end):
    """Receives from all senders and confirms; returns the number of frames."""
    for sender in senders:
        await socket.send(json.dumps({"type": "start", "sender": sender}))
    links, counts, total = {}, {}, 0
    while time.monotonic() < end:
        try:
            data = await asyncio.wait_for(socket.recv(), 0.5)
        except TimeoutError:
            continue
        if isinstance(data, str):
            message = json.loads(data)
            if message["type"] == "start":
                links[message["sender"]] = message["link"]
            continue
        (sender,) = struct.unpack_from("<I", data, 4)
        counts[sender] = counts.get(sender, 0) + 1
        total += 1
        await socket.send(struct.pack("<BxxxIII", 32, links[sender], counts[sender], 0))
    return total


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(process):
    """MiB of memory in use."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


async def hold_up(process, senders, pictures):
    """Sends the largest pictures to receivers that read nothing; returns the memory in use after each of the numbers of pictures."""

    async def listen(socket):
        async for _ in socket:
            pass

    listening = [asyncio.create_task(listen(socket)) for socket, _ in senders]
    memory, number = [], 1_000_000
    for count in pictures:
        for _ in range(count):
            number += 1
            for socket, _ in senders:
                await socket.send(frame(kind=1, number=number, content=bytes(LARGEST)))
            await asyncio.sleep(0.05)
        for socket, _ in senders:
            # A pong comes after what was sent before it has been handled.
            await (await socket.ping())
        memory.append(resident(process))
    for task in listening:
        task.cancel()
    return memory


async def main(engine, seconds, limits):
    senders = [await hello(engine.socket_url) for _ in range(SENDERS)]
    receivers = [await hello(engine.socket_url) for _ in range(RECEIVERS)]
    for socket, _ in senders:
        await socket.send(json.dumps({"type": "update", "source": "camera", "codecs": ["vp8"], "admit": "everyone"}))
    begin, before, empty = time.monotonic(), processor_seconds(engine.process), resident(engine.process)
    await asyncio.sleep(3)
    idle = processor_seconds(engine.process)
    alone = (idle - before) / (time.monotonic() - begin)
    xruns = engine.value("/engine/xruns")
    begin = time.monotonic()
    end = begin + seconds
    numbers = [number for _, number in senders]
    results = await asyncio.gather(
        *(receive(socket, numbers, end) for socket, _ in receivers), *(send(socket, end) for socket, _ in senders))
    took = time.monotonic() - begin
    share, busy = (processor_seconds(engine.process) - idle) / took, resident(engine.process)
    sent = sum(results[RECEIVERS:]) * RECEIVERS
    left_out = engine.metric("vestibule_camera_left_out_frames_total")
    more = engine.value("/engine/xruns") - xruns
    print(f"{sum(results[:RECEIVERS])} of {sent} frames arrived ({sum(results[:RECEIVERS]) * BYTES * 8 / took / 1e6:.0f} Mbit/s); "
          f"the engine took {100 * share:.0f} % of a core, {100 * alone:.0f} % before for sound alone; "
          f"{more:.0f} xruns, {xruns:.0f} before")
    limits.most("a core, besides the sound", 100 * max(0.0, share - alone), 25, "%")
    limits.none("xruns", int(more))
    limits.none("frames that were left out", int(left_out))
    filled, full = await hold_up(engine.process, senders, (40, 120))
    print(f"memory: {empty:.0f} MiB before, {busy:.0f} MiB with {RECEIVERS} receivers; while none of them reads {filled:.0f} MiB after 40 "
          f"pictures of each sender, {full:.0f} MiB after 160")
    limits.most("memory for each receiver", (busy - empty) / RECEIVERS, 1, "MiB")
    limits.most("memory for each receiver that reads nothing", (full - empty) / RECEIVERS, SENDERS * QUEUE, "MiB")
    limits.most("growth by the later pictures", full - filled, 4, "MiB")


if __name__ == "__main__":
    folder = pathlib.Path("/tmp") if len(sys.argv) < 3 else pathlib.Path(sys.argv[2])
    recording = folder / f"camera-relay-{os.getpid()}.wav"
    run("synth", "--demo", "--output", recording)
    limits = Limits()
    try:
        with Engine("--recording", recording, "--cameras", "64") as engine:
            asyncio.run(main(engine, float(sys.argv[1]) if len(sys.argv) > 1 else 10, limits))
    finally:
        recording.unlink()
    sys.exit(limits.status)
