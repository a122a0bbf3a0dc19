"""32-bit float WAV files; the standard library supports 16 bits only."""

import pathlib
import struct

import numpy


def write(path, samples, rate=48_000):
    """Writes samples, frames by channels."""
    samples = numpy.asarray(samples, dtype="<f4")
    if samples.ndim == 1:
        samples = samples[:, None]
    channels = samples.shape[1]
    data = samples.tobytes()
    header = struct.pack("<HHIIHH", 3, channels, rate, rate * channels * 4, channels * 4, 32)
    body = b"WAVE" + b"fmt " + struct.pack("<I", len(header)) + header + b"data" + struct.pack("<I", len(data)) + data
    pathlib.Path(path).write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)


def read(path):
    """Returns samples, frames by channels, and the rate."""
    raw = pathlib.Path(path).read_bytes()
    assert raw[:4] in (b"RIFF", b"RF64") and raw[8:12] == b"WAVE"
    at = 12
    while at + 8 <= len(raw):
        name, size = raw[at:at + 4], struct.unpack("<I", raw[at + 4:at + 8])[0]
        if name == b"fmt ":
            kind, channels, rate = struct.unpack("<HHI", raw[at + 8:at + 16])
            bits = struct.unpack("<H", raw[at + 22:at + 24])[0]
            assert bits == 32
        if name == b"data":
            return numpy.frombuffer(raw[at + 8:at + 8 + size], dtype="<f4").reshape(-1, channels), rate
        at += 8 + size + size % 2
    raise AssertionError("no data")
