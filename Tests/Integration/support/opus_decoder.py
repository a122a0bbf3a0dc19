"""Decoder of Opus packets of one channel at 48,000 frames per second: the system's libopus."""

import ctypes
import ctypes.util

import numpy

RATE = 48_000
LONGEST = 5760


class Decoder:
    """One channel. The library keeps its state from packet to packet."""

    def __init__(self):
        self.library = ctypes.CDLL(ctypes.util.find_library("opus"))
        self.library.opus_decoder_create.restype = ctypes.c_void_p
        self.library.opus_decode_float.argtypes = [
            ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int32, ctypes.POINTER(ctypes.c_float), ctypes.c_int, ctypes.c_int]
        status = ctypes.c_int()
        self.decoder = self.library.opus_decoder_create(RATE, 1, ctypes.byref(status))
        assert status.value == 0, status.value

    def decode(self, packet):
        """The frames of a packet."""
        samples = (ctypes.c_float * LONGEST)()
        frames = self.library.opus_decode_float(self.decoder, packet, len(packet), samples, LONGEST, 0)
        assert frames > 0, frames
        return numpy.array(samples[:frames], dtype=numpy.float32)
