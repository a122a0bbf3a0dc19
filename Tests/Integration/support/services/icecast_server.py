"""An Icecast server on a free port of this machine, and a player of its streams."""

import base64
import contextlib
import os
import pathlib
import shutil
import signal
import socket
import socketserver
import ssl
import subprocess
import sys
import tempfile
import threading

import av
import numpy

from mqtt_broker import free_port
from waiting import LIMIT, until

ICECAST = shutil.which("icecast2", path=f"{sys.prefix}/bin:/usr/bin")
PASSWORD = "p@ss:w/ord +%"
ADMINISTRATOR = base64.b64encode(f"admin:{PASSWORD}".encode())

CONFIGURATION = """<icecast>
  <limits>
    <clients>20</clients><sources>2</sources>
    <client-timeout>60</client-timeout><header-timeout>60</header-timeout><source-timeout>60</source-timeout>
  </limits>
  <authentication>
    <source-password>{password}</source-password><admin-user>admin</admin-user><admin-password>{password}</admin-password>
  </authentication>
  <hostname>localhost</hostname>
  <listen-socket><port>{port}</port><bind-address>127.0.0.1</bind-address>{ssl}</listen-socket>
  <paths><basedir>{folder}</basedir><logdir>{folder}</logdir><webroot>{folder}</webroot><adminroot>{folder}</adminroot>{certificate}</paths>
  <logging><accesslog>-</accesslog><errorlog>-</errorlog><loglevel>3</loglevel></logging>
  <security><chroot>0</chroot>{owner}</security>
</icecast>
"""


class Passage(socketserver.BaseRequestHandler):
    """A connection that is passed on to `server.inner`, a port, until either side ends it."""

    def handle(self):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.server.inner)) as inner:
            back = threading.Thread(target=self.copy, args=(inner, self.request), daemon=True)
            back.start()
            self.copy(self.request, inner)
            back.join()

    @staticmethod
    def copy(source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


class Door(socketserver.ThreadingTCPServer):
    """A port that is open while it lives, and leads to another port of this machine."""

    allow_reuse_address = daemon_threads = True
    block_on_close = False

    def __init__(self, port, inner):
        self.inner = inner
        super().__init__(("127.0.0.1", port), Passage)
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def close(self):
        self.shutdown()
        self.server_close()


class Icecast:
    """A running server; `certificate` and `key` are paths of PEM files for TLS.

    Icecast 2.4.4 now and then crashes when somebody connects before its counters are there. It is started again then, and `port` leads to
    it only after they are.
    """

    def __init__(self, folder, certificate=None, key=None):
        self.folder, self.port, self.inner, self.process, self.door = pathlib.Path(folder), free_port(), free_port(), None, None
        self.is_secure = certificate is not None
        # Icecast gives up root's rights before it reads the certificate, and cannot enter the folders of tests then.
        self.open = tempfile.TemporaryDirectory(dir="/tmp")
        pathlib.Path(self.open.name).chmod(0o755)
        whole = pathlib.Path(self.open.name) / "icecast.pem"
        if certificate:
            whole.write_text(pathlib.Path(certificate).read_text() + pathlib.Path(key).read_text())
        (self.folder / "icecast.xml").write_text(CONFIGURATION.format(
            password=PASSWORD, port=self.inner, folder=self.folder, ssl="<ssl>1</ssl>" if certificate else "",
            certificate=f"<ssl-certificate>{whole}</ssl-certificate>" if certificate else "",
            # Icecast does not run as root.
            owner="<changeowner><user>nobody</user><group>nogroup</group></changeowner>" if os.getuid() == 0 else ""))

    def start(self):
        path = self.folder / "icecast.log"
        self.log = path.open("a")

        def launched():
            return subprocess.Popen([ICECAST, "-c", self.folder / "icecast.xml"], stdout=self.log, stderr=self.log)

        def answers():
            if self.process.poll() == -signal.SIGSEGV:
                self.process = launched()
            assert self.process.poll() is None, path.read_text()
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.inner), timeout=LIMIT) as plain:
                with ssl._create_unverified_context().wrap_socket(plain) if self.is_secure else plain as probe:
                    probe.sendall(b"GET /admin/stats HTTP/1.0\r\nAuthorization: Basic " + ADMINISTRATOR + b"\r\n\r\n")
                    return b"<server_id>" in b"".join(iter(lambda: probe.recv(4096), b""))

        self.process = launched()
        until(answers)
        self.door = Door(self.port, self.inner)
        return self

    def stop(self, number=signal.SIGTERM):
        if self.door:
            self.door.close()
            self.door = None
        if self.process and self.process.poll() is None:
            self.process.send_signal(number)
            self.process.wait(timeout=60)
        self.log.close()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()
        self.open.cleanup()


class Player(threading.Thread):
    """Plays a stream from the beginning of its life to `seconds` of sound, or until it is asked for its sound if that is later; `sound` is
    frames by channels, `codec` its name."""

    def __init__(self, url, seconds=0.1):
        super().__init__(daemon=True)
        self.url, self.seconds, self.pieces, self.codec = url, seconds, [], None
        self.is_asked = threading.Event()
        self.start()

    def open(self):
        """The stream. Icecast accepts a source a moment before it has something for players."""
        with contextlib.suppress(av.HTTPNotFoundError):
            return av.open(self.url)

    def run(self):
        with until(self.open) as container:
            self.codec = container.streams.audio[0].codec_context.name
            for frame in container.decode(audio=0):
                piece = frame.to_ndarray()
                # Planar rows, or interleaved samples in one row.
                self.pieces.append(piece if piece.shape[0] == 2 else piece.reshape(-1, 2).T)
                if self.is_asked.is_set() and self.frames >= 48_000 * self.seconds:
                    return

    @property
    def frames(self):
        return sum(piece.shape[1] for piece in self.pieces)

    @property
    def present(self):
        """The sound so far."""
        return numpy.concatenate(self.pieces, axis=1).T

    @property
    def sound(self):
        self.is_asked.set()
        self.join(LIMIT)
        assert not self.is_alive() and self.frames >= 48_000 * self.seconds, f"only {self.frames} frames"
        return self.present
