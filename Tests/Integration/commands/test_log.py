"""The log: its form, and that neither clients nor whoever reads it can stop the engine through it."""

import datetime
import fcntl
import json
import os
import socket
import time

import pytest
from pythonosc.osc_message_builder import OscMessageBuilder

from figures import figure, measured
from health import becomes_well
from program import Engine
from waiting import until

STALLED = 'vestibule_log_lines_left_out_total{reason="stalled"}'
LIMITED = 'vestibule_log_lines_left_out_total{reason="limited"}'
#: Bytes that the log keeps of a line, and the most that it adds.
LONGEST = 1000 + 40


def packet(address, *arguments):
    builder = OscMessageBuilder(address)
    for argument in arguments:
        builder.add_arg(argument)
    return builder.build().dgram


class Clients:
    """OSC clients at addresses of this machine."""

    def __init__(self, engine):
        self.port = engine.ready["osc_port"]

    def send(self, number, *packets):
        """Sends from 127.0.0.`number`."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.bind((f"127.0.0.{number}", 0))
            for datagram in packets:
                client.sendto(datagram, ("127.0.0.1", self.port))


def test_every_line_is_an_object_with_a_time(scene):
    begin = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    with Engine("--recording", scene, "--log", "json") as engine:
        engine.osc().send_message("/nowhere", 1)
        until(lambda: "no parameter at /nowhere" in engine.log)
        engine.osc().send_message("/session/load", 'a "quoted"\nname')
        until(lambda: "quoted" in engine.log)
        lines = [json.loads(line) for line in engine.log.splitlines()]
    assert any(line["message"].startswith("panel: http://") for line in lines)
    for line in lines:
        assert set(line) == {"time", "message"}
        date = datetime.datetime.fromisoformat(line["time"].replace("Z", "+00:00"))
        assert begin <= date <= datetime.datetime.now(datetime.timezone.utc)


@pytest.fixture
def unread(scene):
    """An engine whose log goes into a full pipe; `reader` is the other end."""
    reader, writer = os.pipe()
    size = fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(writer, False)
    os.write(writer, b"." * (size - 200))
    os.set_blocking(writer, True)
    with Engine("--recording", scene, output=writer) as engine:
        os.close(writer)
        engine.reader = reader
        yield engine
    os.close(reader)


def read_until(reader, text):
    """Output of a pipe up to and including `text`."""
    os.set_blocking(reader, False)
    got = b""

    def more():
        nonlocal got
        try:
            got += os.read(reader, 65_536)
        except BlockingIOError:
            pass
        return text in got

    until(more, lambda: got[-2000:])
    return got


def test_an_unread_log_stops_nothing_and_tells_what_is_missing(unread):
    clients = Clients(unread)

    def is_full():
        for number in range(1, 120):
            clients.send(number, *[packet("/session/load", f"{number} {i} " + "x" * 300) for i in range(20)])
        return unread.metric(STALLED) > 500

    # Packets that find no room in the engine's socket are lost, also one that follows them.
    until(is_full)
    until(lambda: unread.osc().send_message("/listener/1/gain", -7.0) or unread.value("/listener/1/gain") == -7)
    becomes_well(unread)
    text = read_until(unread.reader, b"lines were left out because the log was not read").decode()
    missing = int(text.split(" lines were left out because")[0].rsplit("… ", 1)[1])
    assert missing > 500
    # With a reader, everything that follows is written again.
    clients.send(200, packet("/nowhere/after"))
    read_until(unread.reader, b"no parameter at /nowhere/after")


@pytest.fixture
def stuck(unread):
    """An engine with lines that nobody reads."""
    Clients(unread).send(1, *[packet(f"/nowhere/{i}/" + "x" * 900) for i in range(15)])
    until(lambda: unread.value("/engine/unknown") == 15)
    return unread


def test_the_program_ends_though_its_log_is_not_read(stuck):
    assert stuck.stop() == 0


@measured
def test_the_program_ends_soon_though_its_log_is_not_read(stuck):
    begin = time.monotonic()
    stuck.stop()
    figure("end of the program", time.monotonic() - begin, at_most=3, unit="s")


def test_what_was_logged_last_is_written_before_the_end(scene):
    def is_written():
        with Engine("--recording", scene) as engine:
            Clients(engine).send(1, packet("/nowhere/last"))
            until(lambda: engine.value("/engine/unknown") == 1)
            engine.stop()
            return "no parameter at /nowhere/last" in engine.log

    # The program waits half a second for its log, which a machine that stalls may not write in that time.
    until(is_written)


def test_a_client_cannot_fill_the_log(engine):
    clients, begin = Clients(engine), time.monotonic()

    def is_limited():
        clients.send(1, *[packet("/session/load", f"{i} " + "x" * 50_000) for i in range(50)])
        return engine.metric(LIMITED) > 100

    # Packets that find no room in the engine's socket are lost.
    until(is_limited)
    until(lambda: clients.send(2, packet("/nowhere/of-another-client")) or "/nowhere/of-another-client" in engine.log)
    until(lambda: "similar lines were left out (notices, from 127.0.0.1)" in engine.log)
    lines = [line for line in engine.log.splitlines() if "/session/load" in line]
    # 20 lines in each 5 s.
    assert 0 < len(lines) <= 20 * (2 + (time.monotonic() - begin) / 5)
    assert all(len(line.encode()) <= LONGEST for line in engine.log.splitlines())


@pytest.mark.parametrize("text, shown", [
    ("\x1b]0;title\x07\x1b[2Jname", r"\x1B]0;title\x07\x1B[2Jname"),
    ("one\nhint: two\rthree\t", r"one\nhint: two\rthree\t"),
    ("\u009b31m \u202egnp.exe", r"\x9B31m \u{202E}gnp.exe"),
    ("é 雨 👂", "é 雨 👂"),
])
def test_control_characters_do_not_reach_the_terminal(engine, text, shown):
    engine.osc().send_message("/listener/1/method", text)
    until(lambda: shown in engine.log)
    assert all(letter.isprintable() for line in engine.log.split("\n") for letter in line)


def test_text_that_is_not_utf_8_is_refused(engine):
    Clients(engine).send(1, b"/listener/1/method\0\0,s\0\0bad \xff\xc0\x80 name\0\0\0\0")
    until(lambda: "/listener/1/method ignored a text that is not UTF-8" in engine.log)
    Clients(engine).send(1, b"/session/save-as\0\0\0\0,s\0\0\xed\xa0\x80\0")
    until(lambda: "/session/save-as ignored a text that is not UTF-8" in engine.log)
    assert "\ufffd" not in engine.log and engine.value("/session/name") == ""
