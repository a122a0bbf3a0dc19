"""The output of a listener, as it is heard by a client without a browser."""

import struct
import threading
import time

import numpy
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

RATE = 48_000


class Ear:
    """Records `/audio/N` until it is closed: `packets` are pairs of time of arrival (seconds since 1970) and frames (left, right)."""

    def __init__(self, engine, listener=1):
        self.packets = []
        self._socket = connect(f"{engine.socket_url}/audio/{listener}", compression=None, max_queue=None)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        try:
            for packet in self._socket:
                if isinstance(packet, bytes):
                    frames = numpy.frombuffer(packet[16:], "<i2").reshape(-1, 2) / 32768
                    self.packets.append((time.time(), struct.unpack_from("<Q", packet, 8)[0], frames))
        except ConnectionClosed:
            pass

    def since(self, place=0):
        """The frames of all packets from one on."""
        packets = self.packets[place:]
        return numpy.concatenate([frames for _, _, frames in packets]) if packets else numpy.zeros((0, 2))

    def peak(self, last=10):
        """The largest sample of the last packets, of 10 ms each."""
        return numpy.abs(self.since(-last)).max(initial=0)

    def timed(self):
        """All frames, and the time in seconds since 1970 at which each had arrived, if the fastest packet took no time at all."""
        begin = min(arrived - (place + len(frames)) / RATE for arrived, place, frames in self.packets)
        times = numpy.concatenate([begin + (place + numpy.arange(len(frames))) / RATE for _, place, frames in self.packets])
        return self.since(), times

    def close(self):
        self._socket.close()
        self._thread.join()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
