"""A client that asks for values by OSC."""

import socket

from pythonosc.osc_bundle import OscBundle
from pythonosc.osc_message import OscMessage
from pythonosc.osc_message_builder import OscMessageBuilder

from waiting import LIMIT


class Asker:
    """A UDP socket that sends queries and receives answers."""

    def __init__(self, engine):
        self.target = ("127.0.0.1", engine.ready["osc_port"])
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(LIMIT)

    def send(self, address, *arguments):
        builder = OscMessageBuilder(address)
        for argument in arguments:
            builder.add_arg(argument)
        self.socket.sendto(builder.build().dgram, self.target)

    def receive(self):
        """Returns address and arguments of each message in the next datagram."""
        data = self.socket.recv(65536)
        parts = OscBundle(data) if OscBundle.dgram_is_bundle(data) else [OscMessage(data)]
        return [(part.address, part.params) for part in parts]
