"""The part of OSC 1.0 that the check needs."""

import struct


def padded(data):
    return data + b"\0" * (4 - len(data) % 4)


def message(address, type_tags, values):
    """Returns a message with arguments of the types i, f, s, T and F."""
    body = b""
    for tag, value in zip(type_tags, values):
        if tag == "i":
            body += struct.pack(">i", int(value))
        elif tag == "f":
            body += struct.pack(">f", value)
        elif tag == "s":
            body += padded(value.encode())
    return padded(address.encode()) + padded(("," + type_tags).encode()) + body


def addresses(packet):
    """Returns the addresses in a packet, including those inside bundles."""
    if packet.startswith(b"#bundle\0"):
        found, at = [], 16
        while at + 4 <= len(packet):
            size = struct.unpack_from(">i", packet, at)[0]
            found += addresses(packet[at + 4:at + 4 + size])
            at += 4 + size
        return found
    return [packet.split(b"\0", 1)[0].decode("ascii", "replace")]


def first_float(packet, address):
    """Returns the first argument of the last message for an address as a number; None if there is none."""
    if packet.startswith(b"#bundle\0"):
        found, at = None, 16
        while at + 4 <= len(packet):
            size = struct.unpack_from(">i", packet, at)[0]
            inner = first_float(packet[at + 4:at + 4 + size], address)
            found = inner if inner is not None else found
            at += 4 + size
        return found
    end = packet.index(b"\0")
    if packet[:end].decode("ascii", "replace") != address:
        return None
    tags = (end + 4) & ~3
    tags_end = packet.index(b"\0", tags)
    return struct.unpack_from(">f", packet, (tags_end + 4) & ~3)[0] if packet[tags:tags_end] == b",f" else None
