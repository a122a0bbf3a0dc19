"""Clients with a listener of their own, their sound, and the table of all listeners."""

import asyncio
import contextlib
import json
import struct

import numpy
from websockets.sync.client import connect

from waiting import LIMIT, until


class Joined:
    """A client with a listener of its own. What it is sent is kept, so that it answers pings however seldom the test reads it."""

    def __init__(self, engine, token=None):
        self.stack = contextlib.ExitStack()
        address = engine.socket_url + "/audio/join" + (f"?token={token}" if token else "")
        self.socket = self.stack.enter_context(connect(address, max_queue=None))
        self.hello = json.loads(self.socket.recv(timeout=60))
        self.number, self.token = self.hello["listener"], self.hello["token"]

    def close(self):
        self.stack.close()

    def sound(self, packets):
        return sound(self.socket.recv(timeout=60) for _ in range(packets))


def sound(packets):
    """Both ears by position."""
    found = {}
    for data in packets:
        _, frames, position = struct.unpack("<IIQ", data[:16])
        found[position] = numpy.frombuffer(data[16:], "<i2").reshape(-1, 2).astype(int)
        assert len(found[position]) == frames
    return found


async def unbroken(stream, count):
    """So many packets of a stream one after another; a client that is not read for a while loses some."""
    packets = []
    async with asyncio.timeout(LIMIT):
        while len(packets) < count:
            data = await stream.recv()
            number = struct.unpack_from("<I", data)[0]
            if packets and number != struct.unpack_from("<I", packets[-1])[0] + 1:
                packets.clear()
            packets.append(data)
    return packets


def table(engine, query=""):
    return engine.get("/listeners" + query)


def numbers(engine):
    return [row["number"] for row in table(engine)["listeners"]]


def is_gone(engine, number):
    return until(lambda: number not in numbers(engine))


def remove(engine, number):
    """Removes a listener once the server has noticed that its client has gone, unless it has removed it by then, as after its keep time."""
    until(lambda: all(each["clients"] == 0 for each in table(engine)["listeners"] if each["number"] == number))
    engine.osc().send_message("/listener/remove", number)
    is_gone(engine, number)


def row(engine, number):
    return next(row for row in table(engine)["listeners"] if row["number"] == number)
