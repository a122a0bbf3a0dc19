"""Every endpoint that protocol/http.md lists, at a running engine: without a token, as a viewer, as a controller, and from a page of
another server."""

import http.client
import os
import re

import pytest

from program import ROOT, Engine
from waiting import LIMIT

OTHER = "http://other.example"
UPGRADE = {
    "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


def rows():
    for path, methods, audience in re.findall(r"^\| `(/[^`]*)` \| ([^|]+) \| ([^|]+) \|", (ROOT / "protocol/http.md").read_text(), re.M):
        for method in re.sub(r", `[^`]+`", "", methods).split(", "):
            # A listener by its number, a stream by a playlist, and other parts by what they are called.
            address = path.replace("{listener}", "1").replace("/hls/{path}", "/hls/listener/1/index.m3u8")
            # Only --hls-origin answers the question whether a page may play streams.
            if method != "OPTIONS" or not path.startswith("/hls"):
                yield method.strip(), re.sub(r"[{}]", "", address), audience.split(",")[0].strip()


@pytest.fixture(scope="module")
def engine(scene, tmp_path_factory):
    folder = tmp_path_factory.mktemp("state")
    with Engine("--recording", scene, "--token-file", folder / "tokens", env=dict(os.environ, XDG_STATE_HOME=str(folder))) as running:
        running.tokens = dict(line.split() for line in (folder / "tokens").read_text().splitlines())
        yield running


def status(engine, method, path, role=None, **headers):
    headers = {name: value for name, value in headers.items()}
    if role:
        headers["Authorization"] = f"Bearer {engine.tokens[role]}"
    if method == "GET by browsers":
        method, headers["Accept"] = "GET", "text/html"
    if method == "WebSocket":
        method = "GET"
        headers |= UPGRADE
    connection = http.client.HTTPConnection("127.0.0.1", engine.ready["http_port"], timeout=LIMIT)
    try:
        connection.request(method, path, body="x" if method in ("POST", "PATCH") else None, headers=headers)
        return connection.getresponse().status
    finally:
        connection.close()


def test_the_document_lists_what_there_is():
    found = list(rows())
    assert len(found) > 50 and len(set(found)) >= len(found) - 1
    assert {method for method, _, _ in found} == {"GET", "GET by browsers", "POST", "PATCH", "DELETE", "OPTIONS", "WebSocket"}
    assert {audience for _, _, audience in found} == {"everybody", "view", "control"}


@pytest.mark.parametrize("method, path, audience", list(dict.fromkeys(rows())))
def test_an_endpoint_is_for_those_whom_the_document_names(engine, method, path, audience):
    assert (status(engine, method, path) == 401) == (audience != "everybody")
    viewed = status(engine, method, path, "view")
    assert (viewed == 403) == (audience == "control") and viewed not in (401, 405, 500)
    assert status(engine, method, path, "control") not in (401, 403, 405, 500)
    is_writing = method in ("POST", "PATCH", "DELETE", "WebSocket")
    assert (status(engine, method, path, "control", Origin=OTHER) == 403) == is_writing
