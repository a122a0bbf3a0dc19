"""Carries IP packets between two network namespaces, with delay, jitter and loss in bursts; run by network.py.

Arguments: two pairs of a namespace and its address. Settings arrive as lines of JSON on the standard input: `delay` and `jitter` in
seconds, `loss` as a share, `burst` as the mean number of packets that are lost together.
"""

import ctypes
import fcntl
import heapq
import json
import os
import select
import struct
import subprocess
import sys
import time

from seeds import chooser

TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
CLONE_NEWNET = 0x40000000


def open_tunnel(namespace, address):
    """A tunnel's descriptor; its other end is the device `tunnel` of the namespace."""
    with open(f"/run/netns/{namespace}") as place:
        if ctypes.CDLL(None, use_errno=True).setns(place.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "setns")
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH22x", b"tunnel", IFF_TUN | IFF_NO_PI))
    for command in (f"addr add {address}/24 dev tunnel", "link set tunnel up", "link set lo up"):
        subprocess.run(["ip", *command.split()], check=True)
    return descriptor


def main():
    settings = {"delay": 0, "jitter": 0, "loss": 0, "burst": 1}
    chance = chooser(1)
    ends = [open_tunnel(*sys.argv[1:3]), open_tunnel(*sys.argv[3:5])]
    losing = [False, False]
    waiting, number = [], 0
    latest = [0, 0]
    print("ready", flush=True)
    while True:
        pause = max(0, waiting[0][0] - time.monotonic()) if waiting else None
        readable, _, _ = select.select([*ends, sys.stdin], [], [], pause)
        now = time.monotonic()
        for side, end in enumerate(ends):
            while end in readable:
                try:
                    packet = os.read(end, 65536)
                except BlockingIOError:
                    break
                # Gilbert's model: a state in which all packets are lost, whose mean length is `burst`.
                share = settings["loss"]
                leave, enter = 1 / settings["burst"], share / max(1e-9, (1 - share) * settings["burst"])
                losing[side] = chance.random() >= leave if losing[side] else chance.random() < enter
                if share > 0 and losing[side]:
                    continue
                due = now + max(0, settings["delay"] + settings["jitter"] * chance.uniform(-1, 1))
                # Packets of a stream keep their order, as on most networks.
                latest[side] = due = max(due, latest[side])
                number += 1
                heapq.heappush(waiting, (due, number, ends[1 - side], packet))
        while waiting and waiting[0][0] <= time.monotonic():
            _, _, end, packet = heapq.heappop(waiting)
            try:
                os.write(end, packet)
            except BlockingIOError:
                pass
        if sys.stdin in readable:
            line = sys.stdin.readline()
            if not line:
                return
            settings.update(json.loads(line))


if __name__ == "__main__":
    main()
