"""Encoder of Opus packets of one channel at 48,000 frames per second: the system's libopus."""

import ctypes
import ctypes.util

import numpy

RATE = 48_000
VOIP = 2048
LONGEST = 4000


class Encoder:
    """One channel. The library keeps its state from packet to packet."""

    def __init__(self):
        self.library = ctypes.CDLL(ctypes.util.find_library("opus"))
        self.library.opus_encoder_create.restype = ctypes.c_void_p
        self.library.opus_encode_float.argtypes = [
            ctypes.c_void_p, ctypes.POINTER(ctypes.c_float), ctypes.c_int, ctypes.c_char_p, ctypes.c_int32]
        status = ctypes.c_int()
        self.encoder = self.library.opus_encoder_create(RATE, 1, VOIP, ctypes.byref(status))
        assert status.value == 0, status.value

    def encode(self, samples):
        """The packet of 120, 240, 480, 960, 1920 or 2880 frames."""
        frames = numpy.ascontiguousarray(samples, numpy.float32)
        packet = ctypes.create_string_buffer(LONGEST)
        count = self.library.opus_encode_float(
            self.encoder, frames.ctypes.data_as(ctypes.POINTER(ctypes.c_float)), len(frames), packet, LONGEST)
        assert count > 0, count
        return packet.raw[:count]
