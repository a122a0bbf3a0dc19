"""An engine behind the nginx of deploy/, requests to it, and players of its streams."""

import asyncio
import contextlib
import http.client
import json
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time

from hls import Playlist
from mqtt_broker import certificate, free_port
from program import ROOT, Engine
from waiting import until

DEPLOY = ROOT / "deploy"
TOOLS = f"{sys.prefix}/bin:/usr/sbin:/usr/bin"
NAME = "vestibule.example.org"


def replaced(path, *pairs):
    """The text of a configuration with other ports and paths, each of which has to be in it."""
    text = (DEPLOY / path).read_text()
    for old, new in pairs:
        assert old in text, f"{path} has no {old}"
        text = text.replace(old, str(new))
    return text


def ended(process):
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=60)


@contextlib.contextmanager
def nginx_site(folder, signer, *options):
    """An engine behind nginx: `port` with TLS, `plain` without, `token` by role, `options` its own; `nginx` is the process."""
    chain, key = certificate(folder, signer, NAME)
    options = ("--token-file", folder / "tokens", "--allow-host", NAME, "--trusted-proxy", "127.0.0.1", *options)
    with Engine(*options) as engine:
        engine.options, engine.nginx_folder = options, folder
        engine.token = dict(line.split() for line in (folder / "tokens").read_text().splitlines())
        engine.port, engine.plain = free_port(), free_port()
        engine.trust = ssl.create_default_context(cafile=signer[0])
        (folder / "site.conf").write_text(replaced(
            "nginx/vestibule.conf", ("listen 443 ssl", f"listen 127.0.0.1:{engine.port} ssl"), ("    listen [::]:443 ssl http2;\n", ""),
            ("listen 80;", f"listen 127.0.0.1:{engine.plain};"), ("    listen [::]:80;\n", ""),
            ("    server 127.0.0.1:8080 max_fails=1 fail_timeout=5s;", f"    server 127.0.0.1:{engine.ready['http_port']};"),
            ("/etc/nginx/certs/vestibule.pem", chain),
            ("/var/cache/vestibule", folder / "cache"), ("        access_log off;\n", ""),
            ("/var/lib/vestibule/data/vestibule/", f"{folder}/media/"),
            ("/etc/nginx/certs/vestibule.key", key)))
        temporary = "\n".join(
            f"{kind}_temp_path {folder};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (folder / "nginx.conf").write_text(
            f"daemon off;\nuser root;\npid {folder}/pid;\nerror_log {folder}/errors;\nevents {{ worker_connections 2048; }}\n"
            f"http {{\nlog_format cache '$upstream_cache_status $uri $args';\naccess_log {folder}/log cache;\n"
            f"{temporary}\ninclude {folder}/site.conf;\n}}\n")
        nginx = subprocess.Popen([shutil.which("nginx", path=TOOLS), "-c", folder / "nginx.conf", "-p", folder])
        until(lambda: nginx.poll() is None and asked(engine, "/health")[0] == 200, describe=lambda: (folder / "errors").read_text())
        engine.nginx_log, engine.nginx = folder / "log", nginx
        try:
            yield engine
        finally:
            ended(nginx)


class Connection(http.client.HTTPSConnection):
    """A connection to nginx on this machine, under the name of its certificate."""

    def connect(self):
        plain = socket.create_connection(("127.0.0.1", self.port), self.timeout, self.source_address)
        self.sock = self._context.wrap_socket(plain, server_hostname=NAME)


def asked(site, path, method="GET", body=None, source="127.0.0.1", **headers):
    """Status, headers and body of a request through nginx; 0 while nobody listens."""
    connection = Connection(NAME, site.port, context=site.trust, timeout=60, source_address=(source, 0))
    try:
        connection.request(method, path, body, {"Host": NAME, **headers})
        response = connection.getresponse()
        return response.status, response.headers, response.read()
    except ConnectionRefusedError:
        return 0, None, b""
    finally:
        connection.close()


def workers(site):
    """Numbers of nginx's processes that answer requests, also of those that only end their connections."""
    children = pathlib.Path(f"/proc/{site.nginx.pid}/task/{site.nginx.pid}/children").read_text().split()
    found = set()
    for child in children:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if b"worker" in pathlib.Path(f"/proc/{child}/cmdline").read_bytes():
                found.add(child)
    return found


def configure(site, text):
    """Gives nginx another configuration, and waits until none of its processes has the previous one."""
    before = workers(site)
    (site.nginx_folder / "site.conf").write_text(text)
    site.nginx.send_signal(signal.SIGHUP)
    until(lambda: (now := workers(site)) and not now & before, lambda: (site.nginx_folder / "errors").read_text())


def stream_of(site):
    """Folder of the first listener's stream, with the key in it."""
    key = json.loads(asked(site, "/hls/address", authorization=f"Bearer {site.token['view']}")[2])["path"]
    return f"{key}/listener/1/"


def log_of(site, begin=0):
    """Cache state and request of each line of nginx's log from a place on."""
    return [tuple(line.split(" ", 1)) for line in site.nginx_log.read_text().splitlines()[begin:]]


def engine_of(site, visitor):
    """OSC port of the engine that a visitor is at; 0 without an answer."""
    status, _, body = asked(
        site, "/?HOST_INFO", cookie=f"vestibule_visitor={visitor}", authorization=f"Bearer {site.token['view']}")
    return json.loads(body)["OSC_PORT"] if status == 200 else 0


def newest(site):
    """Date of the newest sound in the playlist; 0 without an answer."""
    status, _, body = asked(site, f"{stream_of(site)}opus.m3u8")
    if status != 200:
        return 0
    present = Playlist(body.decode()).present
    return present.date + sum(part.duration for part in present.parts) if present.parts else 0


class Player:
    """A player of HLS on its own connection to nginx; 50 share an address, since nginx limits the connections of each."""

    def __init__(self, site, number, folder):
        self.site, self.source, self.folder, self.ages, self.bytes = site, f"127.0.1.{1 + number // 50}", folder, [], 0

    async def open(self):
        self.reader, self.writer = await asyncio.open_connection(
            "127.0.0.1", self.site.port, ssl=self.site.trust, server_hostname=NAME, local_addr=(self.source, 0))

    async def get(self, path):
        for _ in range(6):
            self.writer.write(f"GET {self.folder}{path} HTTP/1.1\r\nHost: {NAME}\r\n\r\n".encode())
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
            body = await self.reader.readexactly(int(re.search(r"(?i)content-length: (\d+)", head)[1]))
            # nginx waits ten seconds for an engine, and an engine eight for sound.
            if head.split()[1] not in ("503", "504"):
                break
        assert head.split()[1] == "200", (path, head, body)
        self.bytes += len(head) + len(body)
        return body

    async def play(self, states):
        """Connects and follows a stream."""
        await self.open()
        return await self.follow(states)

    async def follow(self, states):
        """Follows a stream; returns the digests of what it has received, by address."""
        received, asked = {}, "opus.m3u8"
        for _ in range(states):
            playlist = Playlist((await self.get(asked)).decode())
            if playlist.present.parts:
                # Age of the newest sound.
                self.ages.append(time.time() - playlist.present.date - sum(part.duration for part in playlist.present.parts))
            for uri in (playlist.map, playlist.hint):
                if uri not in received:
                    received[uri] = hash(await self.get(uri))
            asked = "opus.m3u8?_HLS_msn={}&_HLS_part={}".format(*playlist.next)
        # A player that continues after a pause begins with a whole segment.
        for segment in playlist.segments[-1:]:
            received[segment.uri] = hash(await self.get(segment.uri))
        self.writer.close()
        return received
