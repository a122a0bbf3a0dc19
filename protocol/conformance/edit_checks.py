"""Checks that PATH_ADDED, PATH_REMOVED and PATH_RENAMED announce every change of the tree."""

import json
import time

import osc
import tree
from web_socket import BINARY, TEXT, WebSocket

COMMANDS = ("PATH_ADDED", "PATH_REMOVED", "PATH_RENAMED")
FORM = "PATH_ADDED and PATH_REMOVED have a path as DATA, PATH_RENAMED has OLD and NEW"
COMES = "added nodes are announced by PATH_ADDED or PATH_RENAMED"
GOES = "removed nodes are announced by PATH_REMOVED or PATH_RENAMED"
TRUE = "every announcement is true"

# Seconds that announcements may be late.
PATIENCE = 20


def run(server, report, info, token, edits):
    report.section("Changes of the tree")
    offered = [name for name in COMMANDS if info.get("EXTENSIONS", {}).get(name)]
    if not offered:
        report.skip("PATH_ADDED, PATH_REMOVED and PATH_RENAMED", "EXTENSIONS does not offer them")
        return
    if not edits:
        report.skip(", ".join(offered), "only with --edit")
        return
    try:
        web_socket = WebSocket(info.get("WS_IP", server.host), info.get("WS_PORT", server.port), token=token)
    except OSError as error:
        report.check("a WebSocket opens", [str(error)])
        return
    seen = set()
    problems = {}
    try:
        before = paths(server)
        for edit in edits:
            web_socket.send(BINARY, message(edit))
            told, after, found = [], before, {}
            end = time.monotonic() + PATIENCE
            # A server that is busy announces a change later than it makes it.
            while not told or found:
                told += announced(web_socket)
                after, found = paths(server), {}
                judge(edit, before, after, told, found)
                if time.monotonic() > end or not told and after == before:
                    break
            for requirement, what in found.items():
                problems.setdefault(requirement, []).extend(what)
            seen.update(command for command, _ in told)
            before = after
    except OSError as error:
        report.check("the WebSocket stays open", [str(error)])
    finally:
        web_socket.close()
    for requirement in (FORM, COMES, GOES, TRUE):
        report.check(requirement, problems.get(requirement, []))
    for command in offered:
        if command in seen:
            report.check(f"{command} was received", True)
        else:
            report.skip(command, "none of these edits caused it")


def message(edit):
    address, _, value = edit.partition("=")
    if not value:
        return osc.message(address, "", [])
    try:
        return osc.message(address, "f", [float(value)])
    except ValueError:
        return osc.message(address, "s", [value])


def paths(server):
    return {path for path, _ in tree.walk(server.get("/").json)}


def announced(web_socket):
    """Returns all announcements until none has arrived for half a second."""
    found = []
    while (frame := web_socket.receive(0.5)) is not None:
        if frame[0] != TEXT:
            continue
        content = json.loads(frame[1])
        if content.get("COMMAND") in COMMANDS:
            found.append((content["COMMAND"], content.get("DATA")))
    return found


def judge(edit, before, after, told, problems):
    def wrong(requirement, what):
        problems.setdefault(requirement, []).append(f"{edit}: {what}")

    came, went = [], []
    for command, data in told:
        if command == "PATH_RENAMED":
            ok = isinstance(data, dict) and all(isinstance(data.get(key), str) for key in ("OLD", "NEW"))
        else:
            ok = isinstance(data, str)
        if not ok:
            wrong(FORM, f"{command} {data!r}")
        elif command == "PATH_RENAMED":
            went.append(data["OLD"])
            came.append(data["NEW"])
        else:
            (came if command == "PATH_ADDED" else went).append(data)

    def within(path, roots):
        return any(path == root or path.startswith(root + "/") for root in roots)

    for path in sorted(after - before):
        if not within(path, came):
            wrong(COMES, path)
    for path in sorted(before - after):
        if not within(path, went):
            wrong(GOES, path)
    # A path may be added and removed again, or the reverse; the last announcement must agree with the tree.
    for path in came:
        if path not in after and not within(path, went):
            wrong(TRUE, f"{path} does not exist")
    for path in went:
        if path in after and path not in came and not any(new.startswith(path + "/") for new in came):
            wrong(TRUE, f"{path} still exists")
