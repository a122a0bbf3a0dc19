"""Mosquitto on a free port of this machine, and a client of MQTT 5 that remembers what it gets."""

import json
import pathlib
import shutil
import signal
import socket
import subprocess
import threading

import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from waiting import LIMIT, until

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin")


# Names that keep the ports of this process from the tests of others.
_reserved = []


def free_port():
    """A port that nothing else takes until this process ends, also while nobody listens there: it is none of those that the system gives to
    programs that ask for any port, and tests in other processes see that it is reserved."""
    system = [int(number) for number in pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()]
    for port in [*range(10_000, system[0]), *range(system[1] + 1, 65_536)]:
        reservation = socket.socket(socket.AF_UNIX)
        try:
            reservation.bind(f"\0vestibule-tests-port-{port}")
            with socket.socket() as probe:
                probe.bind(("", port))
        except OSError:
            reservation.close()
            continue
        _reserved.append(reservation)
        return port
    raise AssertionError("no port is free")


def authority(folder, name="authority"):
    """Makes a certificate authority. Returns the paths of its certificate and key."""
    folder = pathlib.Path(folder)
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}", "-keyout", key, "-out",
         certificate], check=True, capture_output=True)
    return certificate, key


def certificate(folder, signer, name):
    """Makes a certificate for a host name, signed by an authority. Returns the paths of the certificate and its key."""
    folder = pathlib.Path(folder)
    request, path, key = folder / f"{name}.csr", folder / f"{name}.pem", folder / f"{name}.key"
    subprocess.run(
        ["openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}", "-keyout",
         key, "-out", request], check=True, capture_output=True)
    subprocess.run(
        ["openssl", "x509", "-req", "-in", request, "-CA", signer[0], "-CAkey", signer[1], "-days", "2", "-copy_extensions", "copyall",
         "-out", path], check=True, capture_output=True)
    return path, key


class Broker:
    """A running Mosquitto: `password` asks for the user `engine`, `acl` is the text of an access list, `tls` a certificate and key,
    `clients` the authority of clients' certificates, `websockets` opens a second port."""

    def __init__(self, folder, password=None, acl=None, tls=None, clients=None, websockets=False):
        self.folder = pathlib.Path(folder)
        self.port = free_port()
        lines = ["per_listener_settings false", f"listener {self.port} 127.0.0.1", f"allow_anonymous {str(password is None).lower()}"]
        if password is not None:
            users = self.folder / "users"
            users.write_text(f"engine:{password}\nclient:{password}\n")
            users.chmod(0o600)
            subprocess.run(["mosquitto_passwd", "-U", users], check=True, capture_output=True)
            lines.append(f"password_file {users}")
        if acl is not None:
            (self.folder / "acl").write_text(acl)
            (self.folder / "acl").chmod(0o600)
            lines.append(f"acl_file {self.folder / 'acl'}")
        if tls is not None:
            lines += [f"certfile {tls[0]}", f"keyfile {tls[1]}"]
        if clients is not None:
            lines += [f"cafile {clients}", "require_certificate true"]
        if websockets:
            self.websockets = free_port()
            lines += [f"listener {self.websockets} 127.0.0.1", "protocol websockets"]
        # Mosquitto gives up root's rights, and could not read the test's folder then.
        lines += ["user root", "log_dest stderr", "max_queued_messages 20000", "set_tcp_nodelay true"]
        (self.folder / "mosquitto.conf").write_text("\n".join(lines) + "\n")
        self.process = None

    def start(self):
        self.log = open(self.folder / "mosquitto.log", "a")
        self.process = subprocess.Popen([MOSQUITTO, "-c", self.folder / "mosquitto.conf"], stdout=self.log, stderr=self.log)

        def answers():
            assert self.process.poll() is None, (self.folder / "mosquitto.log").read_text()
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port)) == 0

        until(answers)
        return self

    def stop(self, number=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(number)
            self.process.wait(timeout=60)
        self.log.close()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()


class Client:
    """A client; `messages` has all messages by topic, oldest first: (payload, retained, properties); `reasons` the broker's answers to
    what was published. `authority` is the path of the certificate that signs the broker's, for TLS; `transport` tcp or websockets."""

    def __init__(self, port, *topics, user=None, password=None, authority=None, transport="tcp"):
        self.messages, self.lock, self.ready, self.answers = {}, threading.Lock(), threading.Event(), 0
        self.reasons = []
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5, transport=transport)
        self.client.on_publish = lambda _client, _data, _number, reason, _properties: self.reasons.append(str(reason))
        if user:
            self.client.username_pw_set(user, password)
        if authority:
            self.client.tls_set(ca_certs=str(authority))
        self.client.on_connect = lambda client, *_: client.subscribe([(topic, mqtt.SubscribeOptions(qos=1)) for topic in topics])
        self.client.on_subscribe = lambda *_: self.ready.set()
        self.client.on_message = self._receive
        if transport == "tcp":
            self.client.on_socket_open = lambda _client, _data, opened: opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.client.connect_timeout = LIMIT
        self.client.connect("localhost" if authority else "127.0.0.1", port)
        self.client.loop_start()
        assert self.ready.wait(LIMIT)

    def _receive(self, _client, _data, message):
        with self.lock:
            self.messages.setdefault(message.topic, []).append((message.payload, message.retain, message.properties))

    def all(self, topic):
        with self.lock:
            return list(self.messages.get(topic, []))

    def topics(self):
        with self.lock:
            return set(self.messages)

    def value(self, topic):
        """The latest value of a topic; None without one."""
        messages = self.all(topic)
        return json.loads(messages[-1][0]) if messages and messages[-1][0] else None

    def publish(self, topic, value, retain=False, payload=None, **properties):
        """Publishes JSON. `user` is a dictionary of user properties; `response` and `correlation` ask for an answer."""
        packet = Properties(PacketTypes.PUBLISH)
        if "user" in properties:
            packet.UserProperty = list(properties["user"].items())
        if "response" in properties:
            packet.ResponseTopic = properties["response"]
        if "correlation" in properties:
            packet.CorrelationData = properties["correlation"]
        body = json.dumps(value).encode() if payload is None else payload
        self.client.publish(topic, body, qos=1, retain=retain, properties=packet)

    def ask(self, topic, value, **more):
        """Publishes a command and returns the answer; the client has to be subscribed to answers/#."""
        self.answers += 1
        correlation = f"{self.answers}".encode()
        self.publish(topic, value, response="answers/test", correlation=correlation, **more)

        def answer():
            found = [m for m in self.all("answers/test") if getattr(m[2], "CorrelationData", None) == correlation]
            return found and json.loads(found[0][0])

        return until(answer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.disconnect()
        self.client.loop_stop()


def user_properties(message):
    return dict(getattr(message[2], "UserProperty", []))


# Telemetry, and what would change by being published.
UNPUBLISHED = ("/meter/", "/latency/", "/mqtt/", "/follow/difference", "/follow/round-trip")


def readable(engine):
    """The values that belong to an engine's state, by address."""
    values, nodes = {}, [engine.get("/")]
    while nodes:
        node = nodes.pop()
        nodes += node.get("CONTENTS", {}).values()
        path = node["FULL_PATH"]
        if "CONTENTS" not in node and node["ACCESS"] & 1 and not path.startswith(UNPUBLISHED):
            values[path] = node.get("VALUE")
    return values
