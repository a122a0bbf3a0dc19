"""A peer of the camera relay that speaks the protocol byte by byte, without a browser."""

import json
import struct

from websockets.exceptions import ConnectionClosed
from websockets.protocol import State
from websockets.sync.client import connect

from waiting import LIMIT, until

HEADER = struct.Struct("<BBHIIHHQ")


def frame(kind=1, codec=1, reserved=0, sender=0, number=1, width=64, height=48, time=0, content=b"picture"):
    """Returns the bytes of a frame."""
    return HEADER.pack(kind, codec, reserved, sender, number, width, height, time) + content


class CameraPeer:
    """A WebSocket at /camera/peers. `texts` are the messages that came, `frames` the binary ones."""

    def __init__(self, engine, name="Program", decodes=("vp8", "h264"), hello=True, **options):
        self._url, self._options = engine.socket_url + "/camera/peers", options
        self.connect()
        if hello:
            self.greet(type="hello", version=1, name=name, decodes=list(decodes))
            self.texts.remove(next(text for text in self.texts if text["type"] == "hello"))

    def connect(self):
        self.texts, self.frames, self.number, self.peers = [], [], None, {}
        self.socket = connect(
            self._url, compression=None, max_size=None, max_queue=None, open_timeout=LIMIT, ping_timeout=LIMIT, **self._options)

    def greet(self, **message):
        """Says hello, and waits for the answer, which stays among the texts. A connection ends that says nothing for five seconds, as
        while this process is stopped: then another one is made."""
        def look():
            try:
                self.say(**message)
                return until(lambda: self.read() or next((text for text in self.texts if text["type"] == "hello"), None))
            except ConnectionClosed:
                return self.connect()

        answer = until(look, lambda: f"{message}: {self.texts}")
        self.number, self.identity = answer["peer"], answer["identity"]

    def say(self, **message):
        self.socket.send(json.dumps(message))

    def send(self, data):
        self.socket.send(data)

    def settle(self):
        """Waits until the engine has handled all that was sent: it answers a ping after what came before it."""
        assert self.socket.ping(ack_on_close=True).wait(LIMIT), f"no pong within {LIMIT} s"
        if self.socket.state is State.CLOSED:
            raise self.socket.protocol.close_exc

    def offer(self, admit="everyone", **others):
        """Offers pictures, and waits until the engine knows."""
        self.say(**{"type": "update", "source": "camera", "codecs": ["vp8"], "admit": admit, **others})

        def look():
            self.read()
            return self.peers.get(self.number, {}).get("offer", {}).get("admit") == admit

        until(look, lambda: f"{self.peers}, {self.texts}")

    def confirm(self, link, frames=None, late=0):
        """Confirms the frames that have come on a link."""
        self.send(struct.pack("<BxxxIII", 32, link, len(self.frames) if frames is None else frames, late))

    def read(self, seconds=0.02):
        """Takes what has arrived, and answers nothing."""
        try:
            while True:
                data = self.socket.recv(timeout=seconds)
                if isinstance(data, bytes):
                    self.frames.append(data)
                else:
                    message = json.loads(data)
                    if message["type"] == "update":
                        self.peers = {each["peer"]: each for each in message["peers"]}
                    elif message["type"] != "time":
                        self.texts.append(message)
        except TimeoutError:
            return

    def wait(self, kind, **fields):
        """Waits for a message with these fields, removes it and returns it."""

        def look():
            self.read()
            found = [text for text in self.texts if text["type"] == kind and fields.items() <= text.items()]
            if found:
                self.texts.remove(found[0])
            return found and found[0]

        return until(look, lambda: f"{kind} {fields} among {self.texts}")

    def wait_for_frames(self, count):
        def look():
            self.read()
            return len(self.frames) >= count

        until(look, lambda: f"{count} frames; {len(self.frames)} came, and {self.texts[-3:]}")

    def start(self, sender):
        """Asks to receive; returns the link."""
        self.say(type="start", sender=sender.number)
        return self.wait("start", sender=sender.number)["link"]

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def without_hello(engine, use):
    """Calls a function with a peer that has not said hello; again with another one if the engine has ended the connection for that,
    which it does after five seconds."""
    def is_used():
        with CameraPeer(engine, hello=False) as peer:
            try:
                use(peer)
            except ConnectionClosed:
                return False
            return True

    until(is_used)
