"""Checks of LISTEN and IGNORE, and of values as OSC packets in both directions."""

import json
import socket
import time

import osc
import tree
from web_socket import BINARY, TEXT, WebSocket


def run(server, report, root, info, token, may_write):
    report.section("The WebSocket")
    if not info.get("EXTENSIONS", {}).get("LISTEN"):
        report.skip("LISTEN and IGNORE", "EXTENSIONS does not offer them")
        return
    host, port = info.get("WS_IP", server.host), info.get("WS_PORT", server.port)
    try:
        first, second = (WebSocket(host, port, token=token) for _ in range(2))
    except OSError as error:
        report.check(f"a WebSocket opens at {host}:{port}", [str(error)])
        return
    report.check(f"a WebSocket opens at {host}:{port}", True)
    try:
        readable = [path for path, node in tree.walk(root) if node.get("ACCESS", 0) & 1]
        if readable:
            command(first, "LISTEN", readable[0])
            report.check("LISTEN is accepted and the connection stays open", first.answers())
            command(first, "IGNORE", readable[0])
            report.check("IGNORE is accepted and the connection stays open", first.answers())
        command(first, "LISTEN", "/no/such/node/anywhere")
        command(first, "NO_SUCH_COMMAND", "/")
        first.send(TEXT, b"this is not JSON")
        report.check("invalid input does not close the connection", first.answers())
        if may_write:
            write(report, root, info, server, first, second)
        else:
            report.skip("values in both directions", "only with --write")
    except OSError as error:
        report.check("the WebSocket stays open", [str(error)])
    finally:
        first.close()
        second.close()


def command(web_socket, name, path):
    web_socket.send(TEXT, json.dumps({"COMMAND": name, "DATA": path}).encode())


def write(report, root, info, server, first, second):
    """Changes one float slightly over the WebSocket and over UDP, and restores it."""
    node = next((node for _, node in tree.walk(root) if movable(node)), None)
    if node is None:
        report.skip("values in both directions", "no float is readable, writable and has a range")
        return
    path, value = node["FULL_PATH"], server.get(node["FULL_PATH"], "VALUE").json["VALUE"][0]
    low, high = node["RANGE"][0]["MIN"], node["RANGE"][0]["MAX"]
    step = (high - low) / 64
    others = [value + step * sign for sign in (1, 2, -1, -2) if low <= value + step * sign <= high][:2]

    def reads(expected):
        end = time.monotonic() + 3
        while time.monotonic() < end:
            got = server.get(path, "VALUE").json["VALUE"][0]
            if abs(got - expected) <= 1e-4 * max(1, abs(expected)):
                return True
            time.sleep(0.02)
        return False

    command(first, "LISTEN", path)
    first.answers()
    second.send(BINARY, osc.message(path, "f", [others[0]]))
    report.check(f"a binary frame sets {path}", reads(others[0]))
    report.check("a subscriber receives it as an OSC packet in a binary frame", hears(first, path, others[0]))
    if info.get("OSC_TRANSPORT", "UDP") == "UDP":
        with socket.socket(socket.AF_INET6 if ":" in server.host else socket.AF_INET, socket.SOCK_DGRAM) as sender:
            target = (info.get("OSC_IP", server.host), info.get("OSC_PORT", server.port))
            sender.sendto(osc.message(path, "f", [others[1]]), target)
        report.check(f"OSC over UDP sets {path}", reads(others[1]))
        report.check("a subscriber receives that as well", hears(first, path, others[1]))
    command(first, "IGNORE", path)
    first.answers()
    second.send(BINARY, osc.message(path, "f", [value]))
    report.check("the previous value is restored", reads(value))
    report.check("after IGNORE no more values arrive", not hears(first, path, value, 0.5))


def movable(node):
    ranges = node.get("RANGE") or [None]
    return (
        node.get("TYPE") == "f" and node.get("ACCESS") == 3 and isinstance(ranges[0], dict)
        and ranges[0].get("MIN") is not None and ranges[0].get("MAX") is not None)


def hears(web_socket, path, expected, seconds=60.0):
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        frame = web_socket.receive(left)
        if frame is None:
            return False
        if frame[0] != BINARY:
            continue
        value = osc.first_float(frame[1], path)
        if value is not None and abs(value - expected) <= 1e-4 * max(1, abs(expected)):
            return True
    return False
