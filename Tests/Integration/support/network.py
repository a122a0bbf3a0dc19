"""Two network namespaces with an impaired network between them: rate by `tbf`, delay, jitter and loss by a tunnel of our own."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

SHUTTLE = pathlib.Path(__file__).with_name("network_shuttle.py")


def refusal():
    """The reason why there can be no namespaces here; None when there can."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    if not os.path.exists("/dev/net/tun"):
        return "there is no /dev/net/tun"
    name = f"try{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True)
    if made.returncode != 0:
        return f"network namespaces are not permitted: {made.stderr.strip()}"
    subprocess.run(["ip", "netns", "delete", name], check=True)
    return None


class Network:
    """A server's namespace and a client's, while entered."""

    server_address, client_address = "10.77.0.1", "10.77.0.2"

    def __init__(self):
        reason = refusal()
        if reason:
            pytest.skip(reason)
        self.server, self.client = f"vs{os.getpid()}", f"vc{os.getpid()}"

    def __enter__(self):
        for name in (self.server, self.client):
            subprocess.run(["ip", "netns", "add", name], check=True)
        self.shuttle = subprocess.Popen(
            [sys.executable, SHUTTLE, self.server, self.server_address, self.client, self.client_address],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.shuttle.stdout.readline() == "ready\n"
        return self

    def __exit__(self, *_):
        self.shuttle.stdin.close()
        self.shuttle.wait(60)
        for name in (self.server, self.client):
            subprocess.run(["ip", "netns", "delete", name], check=True)

    def impair(self, **settings):
        """Sets `delay` and `jitter` in seconds, `loss` as a share, `burst` in packets, for both directions."""
        self.shuttle.stdin.write(json.dumps(settings) + "\n")
        self.shuttle.stdin.flush()

    def limit(self, rate, queue="16kb"):
        """Limits both directions to a rate of `tc`, such as 64kbit; packets that exceed it wait in a queue of this size."""
        for name in (self.server, self.client):
            subprocess.run(
                ["ip", "netns", "exec", name, "tc", "qdisc", "replace", "dev", "tunnel", "root", "tbf", "rate", rate,
                 "burst", "2kb" if rate.endswith("kbit") else "64kb", "limit", queue], check=True)

    def inside(self, name):
        """The beginning of a command that runs in a namespace."""
        return ["ip", "netns", "exec", name]

    def wrapped(self, program, folder, namespace=None):
        """A script that runs a program in a namespace, the client's unless another one is given."""
        namespace = namespace or self.client
        script = pathlib.Path(folder) / f"in-{namespace}"
        script.write_text(f'#!/bin/sh\nexec ip netns exec {namespace} "{program}" "$@"\n')
        script.chmod(0o755)
        return script
