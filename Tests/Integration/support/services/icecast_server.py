"""An Icecast server on a free port of this machine, and a player of its streams."""

import os
import pathlib
import shutil
import signal
import socket
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


class Icecast:
    """A running server; `certificate` and `key` are paths of PEM files for TLS."""

    def __init__(self, folder, certificate=None, key=None):
        self.folder, self.port, self.process = pathlib.Path(folder), free_port(), None
        # Icecast gives up root's rights before it reads the certificate, and cannot enter the folders of tests then.
        self.open = tempfile.TemporaryDirectory(dir="/tmp")
        pathlib.Path(self.open.name).chmod(0o755)
        whole = pathlib.Path(self.open.name) / "icecast.pem"
        if certificate:
            whole.write_text(pathlib.Path(certificate).read_text() + pathlib.Path(key).read_text())
        (self.folder / "icecast.xml").write_text(CONFIGURATION.format(
            password=PASSWORD, port=self.port, folder=self.folder, ssl="<ssl>1</ssl>" if certificate else "",
            certificate=f"<ssl-certificate>{whole}</ssl-certificate>" if certificate else "",
            # Icecast does not run as root.
            owner="<changeowner><user>nobody</user><group>nogroup</group></changeowner>" if os.getuid() == 0 else ""))

    def start(self):
        self.log = open(self.folder / "icecast.log", "a")
        self.process = subprocess.Popen([ICECAST, "-c", self.folder / "icecast.xml"], stdout=self.log, stderr=self.log)

        def answers():
            assert self.process.poll() is None, (self.folder / "icecast.log").read_text()
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port)) == 0

        until(answers)
        return self

    def stop(self, number=signal.SIGTERM):
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

    def run(self):
        with av.open(self.url) as container:
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
    def sound(self):
        self.is_asked.set()
        self.join(LIMIT)
        assert not self.is_alive() and self.frames >= 48_000 * self.seconds, f"only {self.frames} frames"
        return numpy.concatenate(self.pieces, axis=1).T
