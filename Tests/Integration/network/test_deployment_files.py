"""Files of deploy/ that need no engine behind nginx: the broker's rules, the service and the containers."""

import configparser
import re
import subprocess

import pytest

from mqtt_broker import MOSQUITTO, Client, authority, certificate, free_port
from nginx_site import DEPLOY, ended, replaced
from program import Engine, run
from waiting import until


@pytest.fixture(scope="module")
def signer(tmp_path_factory):
    return authority(tmp_path_factory.mktemp("authority"))


def test_mosquitto_admits_users_to_their_topics(tmp_path, signer):
    chain, key = certificate(tmp_path, signer, "localhost")
    users = tmp_path / "passwords"
    users.write_text("".join(f"{name}:secret\n" for name in ("hall", "desk", "display", "lift")))
    users.chmod(0o600)
    subprocess.run(["mosquitto_passwd", "-U", users], check=True, capture_output=True)
    (tmp_path / "acl").write_text((DEPLOY / "mosquitto/vestibule.acl").read_text())
    (tmp_path / "acl").chmod(0o600)
    secure, browsers = free_port(), free_port()
    (tmp_path / "mosquitto.conf").write_text("user root\n" + replaced(
        "mosquitto/vestibule.conf", ("/etc/mosquitto/passwords", users), ("/etc/mosquitto/vestibule.acl", tmp_path / "acl"),
        ("listener 8883", f"listener {secure} 127.0.0.1"), ("listener 9001", f"listener {browsers} 127.0.0.1"),
        ("/etc/mosquitto/certs/broker.pem", chain), ("/etc/mosquitto/certs/broker.key", key)))
    broker = subprocess.Popen([MOSQUITTO, "-c", tmp_path / "mosquitto.conf"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    password = tmp_path / "password"
    password.write_text("secret\n")
    password.chmod(0o600)
    try:
        with Engine(
            "--mqtt", f"mqtts://hall@localhost:{secure}", "--mqtt-ca", signer[0], "--mqtt-password-file", password, "--mqtt-name", "hall"
        ) as engine:
            until(lambda: engine.value("/mqtt/state") == "connected", describe=lambda: engine.value("/mqtt/problem"))
            known = {"password": "secret", "authority": signer[0]}
            with (
                Client(secure, "vestibule/#", user="display", **known) as display,
                Client(secure, "answers/desk/#", user="desk", **known) as desk,
                Client(browsers, "vestibule/#", user="display", transport="websockets", **known) as browser
            ):
                until(lambda: display.value("vestibule/hall/state/listener/1/gain") is not None)
                assert not [topic for topic in list(display.messages) if "telemetry" in topic]
                # A display may not control; the desk may.
                display.publish("vestibule/hall/set/listener/1/gain", -40)
                desk.publish("vestibule/hall/set/listener/1/gain", -3)
                for client in (display, browser):
                    until(lambda client=client: client.value("vestibule/hall/state/listener/1/gain") == -3)
                # The broker says why.
                until(lambda: display.reasons and desk.reasons)
                assert (display.reasons, desk.reasons) == (["Not authorized"], ["Success"])
                assert engine.value("/listener/1/gain") == -3 and engine.value("/mqtt/refused") == 0
    finally:
        ended(broker)


def test_the_service_starts_the_engine_with_known_options():
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str
    unit.read(DEPLOY / "systemd/vestibule.service")
    command = unit["Service"]["ExecStart"].replace("\\\n", " ").split()
    known = run("serve", "--help").stdout
    options = [word for word in command if word.startswith("--")]
    assert options and all(f"{option} " in known for option in options)


def test_the_containers_mount_files_that_exist():
    mounts = re.findall(r"^\s+- (\.\S*?):", (DEPLOY / "compose.yaml").read_text(), re.MULTILINE)
    missing = {mount for mount in mounts if not (DEPLOY / mount).exists()}
    # Certificates and passwords are the user's own, and never committed.
    assert len(mounts) > 6 and missing == {"./certs", "./mosquitto/passwords"}
    ignored = (DEPLOY / ".gitignore").read_text().splitlines()
    assert {"/certs/", "/mosquitto/passwords", "/prometheus/view-token"} <= set(ignored)
