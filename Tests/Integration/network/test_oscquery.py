"""OSCQuery with third-party clients, the conformance check, and queries over UDP."""

import http.server
import json
import re
import socket
import subprocess
import sys
import threading

import pytest

from asker import Asker
from program import ROOT
from waiting import until

CHECK = ROOT / "protocol/conformance/check.py"


def check(address, *options):
    return subprocess.run(
        [sys.executable, CHECK, address, *options], capture_output=True, text=True, timeout=600, check=False)


def test_the_server_passes_the_conformance_check(engine):
    rack = "/rack/recording"
    edits = [f"{rack}/add=delay", f"{rack}/add=gate", f"{rack}/add=chorus", f"{rack}/slot/2/effect=tremolo",
             f"{rack}/layout=(1 | 2 | 3)", f"{rack}/layout=2 (1 | 3)", f"{rack}/clear"]
    options = [option for edit in edits for option in ("--edit", edit)]
    result = check(f"127.0.0.1:{engine.ready['http_port']}", "--write", *options)
    print(result.stdout)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "0 failed" in result.stdout and "0 skipped" in result.stdout
    for command in ("PATH_ADDED", "PATH_REMOVED", "PATH_RENAMED"):
        assert f"{command} was received" in result.stdout
    assert engine.value("/listener/1/ear-azimuth") == 90


class Wrong(http.server.BaseHTTPRequestHandler):
    """A server with several errors."""

    tree = {
        "FULL_PATH": "/", "CONTENTS": {
            "a": {"FULL_PATH": "/b", "TYPE": "f", "ACCESS": 3, "VALUE": [2.0], "RANGE": [{"MIN": 0, "MAX": 1}]},
            "c": {"FULL_PATH": "/c", "TYPE": "ff", "ACCESS": 2, "VALUE": [1], "CLIPMODE": ["hard", "none"]}}}
    info = {"NAME": "Wrong", "EXTENSIONS": {"VALUE": True}, "OSC_TRANSPORT": "PIGEON"}

    def do_GET(self):
        body = json.dumps(self.info if self.path.endswith("?HOST_INFO") else self.tree).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def test_the_conformance_check_finds_errors():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Wrong)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    result = check(f"127.0.0.1:{server.server_port}")
    server.shutdown()
    assert result.returncode == 1, result.stdout
    for requirement in (
            "OSC_TRANSPORT is UDP or TCP", "its Content-Type is application/json", "FULL_PATH is the path to the node",
            "VALUE lies in RANGE", "a node that cannot be read has no VALUE", "CLIPMODE is none, low, high or both",
            "VALUE has one element for each type tag", "404 for a path that does not exist",
            "400 for an attribute that does not exist"):
        assert f"FAIL  {requirement}" in result.stdout, requirement
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        assert check(f"127.0.0.1:{unused.getsockname()[1]}").returncode == 2


def leaves(node):
    for child in node.get("CONTENTS", {}).values():
        yield from leaves(child)
    if "TYPE" in node:
        yield node


def test_ranges_are_whole_for_integers_and_absent_without_a_limit(engine):
    counted = 0
    for node in leaves(engine.get("/")):
        bounds = [bound for part in node.get("RANGE") or [] if part for key, bound in part.items() if key != "VALS"]
        assert all(abs(bound) < 2**24 for bound in bounds), node
        if node["TYPE"] == "i":
            assert all(isinstance(bound, int) for bound in bounds), node
            counted += 1
        assert len(bounds) > 0 or set(node.get("CLIPMODE", [])) <= {"none"}, node
    assert counted > 10
    xruns = engine.get("/engine/xruns")
    assert xruns["RANGE"] == [{"MIN": 0}] and xruns["CLIPMODE"] == ["low"]


def words(text):
    """Its words without their endings and without those that say nothing."""
    empty = "a an all and by each every for in is it its name number of or that the this to with"
    return [re.sub("(ies|es|s|ing|ed|e)$", "", word) for word in re.findall("[a-z]+", text.lower()) if word not in empty.split()]


def test_descriptions_do_not_repeat_their_titles(engine):
    """A description says more than its title, and does not begin with it."""
    for node in leaves(engine.get("/")):
        title, _, rest = node["DESCRIPTION"].partition(". ")
        assert not rest.lower().startswith(title.lower() + " "), node["DESCRIPTION"]
        assert not words(rest) or set(words(rest)) - set(words(title)), node["DESCRIPTION"]


def test_python_oscquery_reads_the_tree(engine):
    pythonoscquery = pytest.importorskip("pythonoscquery.osc_query_client")
    from zeroconf import ServiceInfo

    service = ServiceInfo(
        "_oscjson._tcp.local.", "Vestibule._oscjson._tcp.local.", port=engine.ready["http_port"],
        addresses=[socket.inet_aton("127.0.0.1")])
    client = pythonoscquery.OSCQueryClient(service)
    info = client.get_host_info()
    assert info.name == "Vestibule" and info.osc_port == engine.ready["osc_port"]
    gain = client.query_node("/listener/1/gain")
    assert gain.full_path == "/listener/1/gain" and gain.value == [0] and gain.access == 3
    # Containers of nodes with values: this client (0.4) supports neither write-only nodes nor empty lists.
    for container in ("/meter", "/engine", "/latency"):
        node = client.query_node(container)
        assert node.is_container and node.find_subnode(node.contents[0].full_path)
    assert client.query_node("/no/such/node") is None


def test_values_are_queried_and_pushed_over_udp(engine):
    mine, other = Asker(engine), Asker(engine)
    mine.send("/listener/1/ypr")
    assert mine.receive() == [("/listener/1/ypr", [0, 0, 0])]
    mine.send("/subscribe", "/listener/1/gain", 300)
    assert mine.receive() == [("/subscribed", ["/listener/1/gain", 300])]
    assert mine.receive() == [("/listener/1/gain", [0])]
    other.send("/listener/1/gain", -7.5)
    assert mine.receive() == [("/listener/1/gain", [-7.5])]
    mine.send("/unsubscribe", "/listener/1/gain")
    for gain in range(100):
        other.send("/listener/1/gain", -float(gain) / 10)
    other.send("/sync", 4711)
    assert other.receive() == [("/synced", [4711])]
    assert abs(engine.value("/listener/1/gain") + 9.9) < 1e-5
    mine.send("/sync", 1)
    assert mine.receive() == [("/synced", [1])]


def test_meters_are_pushed_over_udp(engine):
    mine = Asker(engine)
    mine.send("/subscribe", "/meter/listener/1/peak", 300)
    assert mine.receive()[0][0] == "/subscribed"
    until(lambda: max(mine.receive()[0][1]) > 0.001)


def test_prediction_accepts_a_word_in_place_of_milliseconds(engine):
    """`auto` sets the switch beside it; other words are refused."""
    client = engine.osc()
    measured, time = "/listener/1/auto-prediction", "/listener/1/prediction"
    client.send_message(time, 20.0)
    until(lambda: engine.value(time) == 20)
    assert engine.value(measured) is False
    client.send_message(time, "auto")
    until(lambda: engine.value(measured) is True and engine.value(time) == 0)
    client.send_message(time, 12.0)
    until(lambda: engine.value(time) == 12)
    assert engine.value(measured) is True
    client.send_message(time, "soon")
    until(lambda: "no choice \"soon\"" in engine.value("/engine/notice"))
    assert engine.value(time) == 12
    client.send_message(time, "off")
    until(lambda: engine.value(measured) is False and engine.value(time) == 0)
