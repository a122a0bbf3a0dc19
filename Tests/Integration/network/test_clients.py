"""The list of clients, disconnecting them, and a frozen client, which must not affect others."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

import pytest
import websockets
import websockets.exceptions
from playwright.sync_api import expect, sync_playwright
from pythonosc.osc_message_builder import OscMessageBuilder
from websockets.sync.client import connect as sync_connect

import chromium
from figures import figure, measured
from health import health
from test_telemetry import converse, count, frames, schema, subscribe
from waiting import LIMIT, holds, until


def osc(address, *arguments):
    builder = OscMessageBuilder(address)
    for argument in arguments:
        builder.add_arg(argument)
    return builder.build().dgram


async def listed(connection, condition):
    """Returns the clients topic as soon as the condition holds, by kind."""
    def are_listed(found):
        message = json.loads(found[-1]) if found else {}
        return message.get("topic") == "clients" and condition(message["data"])

    message = json.loads((await frames(connection, are_listed))[-1])
    assert schema("telemetry.json").is_valid(message)
    return {client["kind"]: client for client in message["data"]}


def every_kind(engine, do):
    """Connects a client of each kind, and calls `do` with those of WebSockets, tasks that end with them, and the list of all."""
    async def body(display):
        async with websockets.connect(engine.socket_url + "/") as query, websockets.connect(
                engine.socket_url + "/audio/1") as audio:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as lease:
                lease.connect(("127.0.0.1", engine.ready["osc_port"]))
                lease.send(osc("/subscribe", "/transport/position", 600))
                await query.send(json.dumps({"COMMAND": "LISTEN", "DATA": "/transport/position"}))

                async def hear(connection):
                    with contextlib.suppress(websockets.exceptions.ConnectionClosed):
                        async for _ in connection:
                            pass

                hearing = [asyncio.create_task(hear(query)), asyncio.create_task(hear(audio))]
                await subscribe(display, topics=["clients"], rate=2)
                found = await listed(display, lambda data: sum("round_trip" in c for c in data) == 3 and all(
                    c["rate"] > 0 for c in data))
                print({kind: (client["rate"], client.get("round_trip")) for kind, client in found.items()})
                assert set(found) == {"telemetry", "query", "audio", "osc"}
                await do(display, query, audio, hearing, found)
                for task in hearing:
                    task.cancel()

    converse(engine, body)


def test_every_kind_of_client_is_listed_and_can_be_disconnected(engine):
    async def disconnect(display, query, audio, hearing, found):
        assert found["audio"]["rate"] > 0 and found["query"]["round_trip"] > 0
        assert "round_trip" not in found["osc"]
        # One by OSC, one by WebSocket.
        engine.osc().send_message("/client/kick", found["audio"]["id"])
        await asyncio.wait_for(hearing[1], LIMIT)
        assert audio.close_code == 4002
        await query.send(osc("/client/kick", found["osc"]["id"]))
        await listed(display, lambda data: {c["kind"] for c in data} == {"telemetry", "query"})
        await query.send(osc("/client/kick", 4711))
        await query.send(osc("/client/kick", found["query"]["id"]))
        await asyncio.wait_for(hearing[0], LIMIT)
        assert query.close_code == 4002

    every_kind(engine, disconnect)
    until(lambda: "no client has the number 4711" in engine.log)
    until(lambda: engine.value("/client/connected") == 0)


@measured
def test_the_rates_of_clients_are_listed(engine):
    async def look(_display, _query, _audio, _hearing, found):
        figure("listed rate of a sound of 100 packets/s, difference", abs(found["audio"]["rate"] - 100), at_most=15, unit="1/s")
        figure("listed round trip", found["query"]["round_trip"], at_most=1000, unit="ms")

    every_kind(engine, look)


@pytest.mark.page
def test_the_panel_lists_and_disconnects_clients(engine, screenshots):
    with sync_playwright() as playwright, sync_connect(engine.socket_url + "/audio/1") as audio:
        def hear():
            with contextlib.suppress(websockets.exceptions.ConnectionClosed):
                for _ in audio:
                    pass

        hearing = threading.Thread(target=hear)
        hearing.start()
        browser = chromium.launch(playwright)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(engine.url + "#engine")
        card = page.get_by_role("region", name="Clients")
        # What the page learns while it loads moves the card, also from under a click.
        until(lambda: card.locator("details").evaluate("(part) => part.open") or card.get_by_text("connection").click())
        entry = card.get_by_role("listitem").filter(has_text="Sound, 127.0.0.1")
        expect(entry).to_contain_text("frames/s")
        expect(card.get_by_role("listitem")).to_have_count(3)  # This page, its telemetry, and the sound.
        card.screenshot(path=screenshots / "clients.png")
        entry.get_by_role("button", name="Disconnect").click()
        expect(entry).to_have_count(0)
        hearing.join(LIMIT)
        assert audio.close_code == 4002
        # A page that disconnects itself does not reconnect on its own.
        card.get_by_role("listitem").filter(has_text="Values").get_by_role("button", name="Disconnect").click()
        expect(page.get_by_text("This connection was closed by another client")).to_be_visible()
        # Twice the delay of a second try.
        holds(lambda: page.evaluate("vestibule.state") == "lost", 1.0)
        page.get_by_role("button", name="Try now").click()
        chromium.connected(page)
        browser.close()


FROZEN = """
import asyncio, json, sys, websockets
async def main():
    async with websockets.connect(sys.argv[1], subprotocols=["vestibule.telemetry.v1"], max_queue=1) as connection:
        await connection.send(json.dumps({"type": "subscribe", "topics": ["meters", "engine", "poses"], "rate": 120}))
        print("ready", flush=True)
        while True:
            message = json.loads(await connection.recv())
            if message.get("merged"): print("merged", flush=True)
asyncio.run(main())
"""


def send_queues(port):
    """Returns the bytes that the kernel holds for each client of a port."""
    lines = open("/proc/net/tcp").read().splitlines()[1:]
    return [int(fields[4].split(":")[0], 16) for fields in map(str.split, lines) if int(fields[1].split(":")[1], 16) == port]


def resident(pid):
    return int(open(f"/proc/{pid}/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def sequences(received):
    return [struct.unpack_from("<I", frame, 4)[0] for frame in received]


@contextlib.contextmanager
def frozen_client(engine):
    """A process with a client that has subscribed to much; ended afterwards."""
    client = subprocess.Popen([sys.executable, "-c", FROZEN, engine.socket_url + "/"], stdout=subprocess.PIPE, text=True)
    try:
        assert client.stdout.readline() == "ready\n"
        yield client
    finally:
        client.kill()
        client.wait()
        client.stdout.close()


def watch_while_full(engine):
    """Another client's frames until the frozen one's queue is full. Returns their numbers, and the bytes that the kernel keeps."""
    kept, due = [], (0, 0)

    def full(found):
        """Looks once a second, between which some frames have come: the queue holds something and has not grown for three seconds.

        The engine ends the connection of a client that answers no ping for half a minute, so that this must not take long.
        """
        nonlocal due
        if len(found) >= due[0] and time.monotonic() >= due[1]:
            kept.append(max(send_queues(engine.ready["http_port"]), default=0))
            due = len(found) + 15, time.monotonic() + 1
        return len(kept) >= 4 and kept[-1] > 10_000 and kept[-1] == kept[-4]

    async def watch(connection):
        await subscribe(connection, topics=["engine"], rate=60, format="binary")
        return await frames(connection, full)

    return sequences(converse(engine, watch)), kept[-1]


def test_a_frozen_client_takes_64_kilobytes_and_others_are_served(engine):
    with frozen_client(engine) as frozen:
        os.kill(frozen.pid, signal.SIGSTOP)
        numbers, kept = watch_while_full(engine)
        assert 10_000 < kept <= 49_152
        assert all(b > a for a, b in zip(numbers, numbers[1:]))
        os.kill(frozen.pid, signal.SIGCONT)
        assert frozen.stdout.readline() == "merged\n"


@measured
def test_a_frozen_client_takes_no_memory_and_no_frames_of_others(engine):
    async def watch(connection):
        await subscribe(connection, topics=["engine"], rate=60, format="binary")
        return await frames(connection, count(200))

    def share_lost(numbers):
        return 1 - len(numbers) / (numbers[-1] - numbers[0] + 1)

    with frozen_client(engine) as frozen:
        free = share_lost(sequences(converse(engine, watch)))
        before, xruns = resident(engine.process.pid), health(engine)["xruns"]
        os.kill(frozen.pid, signal.SIGSTOP)
        numbers, kept = watch_while_full(engine)
        print(f"kernel keeps {kept} bytes for it; xruns while it was frozen: {health(engine)['xruns'] - xruns}")
        # Pages of the whole process, not only the memory for this client.
        figure("memory grown for a frozen client", (resident(engine.process.pid) - before) / 1024, at_most=1024, unit="KiB")
        figure("frames that another client missed", share_lost(numbers), at_most=max(0.05, 2 * free))
