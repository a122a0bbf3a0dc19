"""Floods of OSC messages: heads continue turning, and the rest of the engine continues being served."""

import itertools
import socket
import struct
import time

import pytest
from pythonosc.osc_message_builder import OscMessageBuilder

from figures import figure, measured
from health import becomes_well
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


def flood(engine, kind, seconds, each):
    """Sends messages at the rate of their kind, and poses between them. Calls `each` after every fiftieth pose. Returns their number."""
    packets, rate = FLOODS[kind]
    step, sent = 0.005, 0
    count = int(seconds / step)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as crowd, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as head:
        for client in (crowd, head):
            client.connect(("127.0.0.1", engine.ready["osc_port"]))
        for turn in paced(range(count), step):
            due = int(rate * step * (turn + 1))
            while sent < due:
                crowd.send(packets[sent % len(packets)])
                sent += 1
            head.send(packet("/listener/1/ypr", float(turn % 180), 0.0, 0.0))
            if turn % 50 == 49:
                each()
    return count


def is_usable(engine):
    """Whether a message is carried out, sent again while what is left of a flood leaves no room for it."""
    def is_set():
        engine.osc().send_message("/listener/1/gain", -3.0)
        return engine.value("/listener/1/gain") == -3

    return until(is_set)


@pytest.mark.parametrize("kind", FLOODS)
def test_an_engine_is_served_during_a_flood_and_usable_afterwards(engine, kind):
    flood(engine, kind, 3, lambda: becomes_well(engine))
    assert is_usable(engine)

    def is_turned():
        engine.osc().send_message("/listener/1/ypr", [-90.0, 0.0, 0.0])
        return engine.value("/listener/1/ypr")[0] == -90

    until(is_turned)


@measured
@pytest.mark.parametrize("kind", FLOODS)
def test_poses_do_not_queue_behind_other_messages(engine, kind):
    before, times = engine.metric(POSES), []

    def ask():
        begin = time.monotonic()
        assert engine.get("/health")["status"] == "ok"
        times.append(time.monotonic() - begin)

    count = flood(engine, kind, 3, ask)
    figure(f"longest answer in a flood, {kind}", max(times), at_most=1, unit="s")
    until(lambda: engine.metric(POSES) > before and is_usable(engine))
    figure(f"poses lost in a flood, {kind}", count - (engine.metric(POSES) - before), at_most=0)


def test_unknown_addresses_are_counted_all_and_named_when_they_are_few(engine):
    """A flood is counted without being read; a mistake is answered with the nearest address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.connect(("127.0.0.1", engine.ready["osc_port"]))
        client.send(packet("/listener/1/gian", 0.0))
        until(lambda: "no parameter at /listener/1/gian; did you mean /listener/1/gain?" in engine.log)
        numbers = itertools.count()

        def are_counted():
            """The kernel may drop some."""
            for _, i in zip(range(100), numbers):
                client.send(packet(f"/nowhere/{i}", 1.0))
            return engine.metric(UNKNOWN) > 5000

        until(are_counted)
        until(lambda: engine.metric("vestibule_osc_datagrams_total") == engine.metric(UNKNOWN))
