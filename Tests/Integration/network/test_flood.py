"""Floods of OSC messages: heads continue turning, and the rest of the engine continues being served."""

import socket
import struct
import time

import pytest
from pythonosc.osc_message_builder import OscMessageBuilder

from waiting import paced, until


def packet(address, *arguments):
    builder = OscMessageBuilder(address)
    for argument in arguments:
        builder.add_arg(argument)
    return builder.build().dgram


def bundle(message, count):
    return b"#bundle\0" + struct.pack(">Q", 1) + (struct.pack(">I", len(message)) + message) * count


UNKNOWN = 'vestibule_osc_messages_total{result="unknown"}'
POSES = 'vestibule_osc_messages_total{result="pose"}'

FLOODS = {
    "unknown": ([packet(f"/nowhere/{i}", 1.0) for i in range(5000)], 20_000),
    "refused": ([packet("/listener/1/gain", f"no number {i}") for i in range(5000)], 20_000),
    "patterns": ([packet(f"/*/*/{letter}*", 0.0) for letter in "abcdefghij"], 100),
    "bundles": ([bundle(packet("/nowhere/in/a/bundle", 1.0), 1000)], 50),
}


@pytest.mark.parametrize("kind", FLOODS)
def test_poses_do_not_queue_behind_other_messages(engine, kind):
    packets, rate = FLOODS[kind]
    seconds, step = 3.0, 0.005
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as flood, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as head:
        for client in (flood, head):
            client.connect(("127.0.0.1", engine.ready["osc_port"]))
        before = engine.metric(POSES)
        sent, slowest = 0, 0.0
        count = int(seconds / step)
        for turn in paced(range(count), step):
            due = int(rate * step * (turn + 1))
            while sent < due:
                flood.send(packets[sent % len(packets)])
                sent += 1
            head.send(packet("/listener/1/ypr", float(turn % 180), 0.0, 0.0))
            if turn % 50 == 49:
                begin = time.monotonic()
                assert engine.get("/health")["status"] == "ok"
                slowest = max(slowest, time.monotonic() - begin)
        assert slowest < 1
        until(lambda: engine.metric(POSES) - before == count)
    engine.osc().send_message("/listener/1/gain", -3.0)
    until(lambda: engine.value("/listener/1/gain") == -3)


def test_unknown_addresses_are_counted_all_and_named_when_they_are_few(engine):
    """A flood is counted without being read; a mistake is answered with the nearest address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.connect(("127.0.0.1", engine.ready["osc_port"]))
        client.send(packet("/listener/1/gian", 0.0))
        until(lambda: "no parameter at /listener/1/gian; did you mean /listener/1/gain?" in engine.log)
        for turn in paced(range(100), 0.01):
            for i in range(100):
                client.send(packet(f"/nowhere/{100 * turn + i}", 1.0))
        # The kernel may drop some.
        until(lambda: 5000 < engine.metric("vestibule_osc_datagrams_total") == engine.metric(UNKNOWN))
