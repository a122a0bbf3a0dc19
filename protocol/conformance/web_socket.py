"""A minimal WebSocket client on the standard library."""

import base64
import os
import socket
import struct
import time

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class WebSocket:
    """A connection. Raises OSError if the server refuses or closes it."""

    def __init__(self, host, port, path="/", token=None, timeout=60.0):
        self.socket = socket.create_connection((host, port), timeout)
        self.buffer = b""
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1", f"Host: {host}:{port}", "Upgrade: websocket", "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
        if token:
            lines.append(f"Authorization: Bearer {token}")
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.buffer:
            self._more()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        status = head.split(b"\r\n")[0].decode("ascii", "replace")
        if " 101" not in status:
            raise OSError(f"the upgrade was answered with {status!r}")

    def _more(self):
        data = self.socket.recv(65536)
        if not data:
            raise OSError("the server closed the connection")
        self.buffer += data

    def _take(self, count):
        while len(self.buffer) < count:
            self._more()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def send(self, opcode, payload):
        mask = os.urandom(4)
        size = len(payload)
        head = bytes([0x80 | opcode])
        head += bytes([0x80 | size]) if size < 126 else bytes([0xFE]) + struct.pack(">H", size)
        self.socket.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload)))

    def receive(self, seconds):
        """Returns the next text or binary frame as (opcode, payload); None after so many seconds."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                if len(self.buffer) < 2:
                    self._more()
                    continue
                self.socket.settimeout(60)
                first, second = self._take(2)
                size = second & 0x7F
                if size == 126:
                    size = struct.unpack(">H", self._take(2))[0]
                elif size == 127:
                    size = struct.unpack(">Q", self._take(8))[0]
                payload = self._take(size)
            except TimeoutError:
                return None
            opcode = first & 0x0F
            if opcode == PING:
                self.send(PONG, payload)
            elif opcode == CLOSE:
                raise OSError("the server closed the WebSocket")
            elif opcode in (TEXT, BINARY):
                return opcode, payload
        return None

    def answers(self, seconds=60):
        """Returns whether the server answers a ping."""
        self.send(PING, b"?")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            first, second = self._take(2)
            size = second & 0x7F
            if size == 126:
                size = struct.unpack(">H", self._take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self._take(8))[0]
            self._take(size)
            if first & 0x0F == PONG:
                return True
            if first & 0x0F == CLOSE:
                return False
        return False

    def close(self):
        self.socket.close()
