"""Passwords, access lists and certificates of MQTT brokers, and addresses and options that are refused."""

import os
import pathlib

import pytest

from mqtt_broker import Broker, Client, authority, certificate
from mqtt_hall import SET, STATE, engine_at
from program import run
from waiting import holds, until


def test_passwords_are_checked(tmp_path, scene):
    secret = tmp_path / "secret"
    secret.write_text("right\n")
    secret.chmod(0o600)
    environment = {key: value for key, value in os.environ.items() if key != "VESTIBULE_MQTT_PASSWORD"}
    with Broker(tmp_path, password="right") as broker:
        with engine_at(broker.port, scene, "--mqtt-password-file", secret, user="engine@") as engine:
            until(lambda: engine.value("/mqtt/state") == "connected")
            assert "right" not in engine.log
            assert "right" not in pathlib.Path(f"/proc/{engine.process.pid}/cmdline").read_text()
            assert engine.value("/mqtt/broker") == f"mqtt://127.0.0.1:{broker.port}"
        with engine_at(broker.port, scene, user="engine@", env=environment | {"VESTIBULE_MQTT_PASSWORD": "right"}) as engine:
            until(lambda: engine.value("/mqtt/state") == "connected")
        with engine_at(broker.port, scene, user="engine@", env=environment | {"VESTIBULE_MQTT_PASSWORD": "wrong"}) as engine:
            until(lambda: "password" in (problem := engine.value("/mqtt/problem")) or "authorise" in problem,
                  lambda: engine.value("/mqtt/problem"))
            assert "wrong" not in engine.log
        with engine_at(broker.port, scene, env=environment) as engine:
            until(lambda: "--mqtt-password-file" in engine.value("/mqtt/problem"))


def test_the_access_list_of_the_broker_holds(tmp_path, scene):
    access = "user engine\ntopic read vestibule/hall/#\ntopic write vestibule/hall/state/#\nuser client\ntopic read vestibule/#\n"
    environment = os.environ | {"VESTIBULE_MQTT_PASSWORD": "pw"}
    with Broker(tmp_path, password="pw", acl=access) as broker, \
            Client(broker.port, "vestibule/#", user="client", password="pw") as client, \
            engine_at(broker.port, scene, user="engine@", env=environment) as engine:
        until(lambda: client.value(f"{STATE}/listener/1/gain") == 0)
        # Neither the will nor telemetry may be published.
        until(lambda: "vestibule/hall/#" in engine.value("/mqtt/problem"))
        client.publish(f"{SET}/listener/1/gain", -6)
        holds(lambda: engine.value("/listener/1/gain") == 0)


def test_tls_checks_the_certificate_and_its_name(tmp_path, scene):
    right, wrong = authority(tmp_path), authority(tmp_path, "another")
    with Broker(tmp_path, tls=certificate(tmp_path, right, "localhost")) as broker:
        secure = {"scheme": "mqtts", "host": "localhost"}
        with engine_at(broker.port, scene, "--mqtt-ca", right[0], **secure) as engine:
            until(lambda: engine.value("/mqtt/state") == "connected")
            until(lambda: engine.value("/mqtt/published") > 100)
        with engine_at(broker.port, scene, "--mqtt-ca", wrong[0], **secure) as engine:
            until(lambda: "is not trusted" in engine.value("/mqtt/problem"))
            assert engine.value("/mqtt/published") == 0
        with engine_at(broker.port, scene, **secure) as engine:
            until(lambda: "is not trusted" in engine.value("/mqtt/problem"))
        with engine_at(broker.port, scene, "--mqtt-ca", right[0], scheme="mqtts", host="127.0.0.1") as engine:
            until(lambda: "is not for 127.0.0.1" in engine.value("/mqtt/problem"))


def test_a_port_of_another_kind_is_reported(broker, tmp_path, scene):
    signer = authority(tmp_path)
    with engine_at(broker.port, scene, "--mqtt-ca", signer[0], scheme="mqtts") as engine:
        until(lambda: f"port {broker.port}" in engine.value("/mqtt/problem"))
        assert engine.value("/mqtt/published") == 0
    folder = tmp_path / "secure"
    folder.mkdir()
    with Broker(folder, tls=certificate(folder, signer, "localhost")) as secure, engine_at(secure.port, scene) as engine:
        until(lambda: "use mqtts://" in engine.value("/mqtt/problem"))


def test_an_unknown_host_is_reported(scene):
    with engine_at(1883, scene, host="nowhere.invalid") as engine:
        until(lambda: "the host name nowhere.invalid is not known: check the address" in engine.value("/mqtt/problem"))
        until(lambda: engine.log.count("nowhere.invalid is not known") == 1)


def test_brokers_that_ask_for_a_certificate_get_it(tmp_path, scene):
    signer = authority(tmp_path)
    own, key = certificate(tmp_path, signer, "hall")
    key.chmod(0o600)
    server = certificate(tmp_path, signer, "localhost")
    with Broker(tmp_path, tls=server, clients=signer[0]) as broker:
        secure = {"scheme": "mqtts", "host": "localhost"}
        with engine_at(broker.port, scene, "--mqtt-ca", signer[0], "--mqtt-certificate", own, "--mqtt-key", key, **secure) as engine:
            until(lambda: engine.value("/mqtt/state") == "connected")
        with engine_at(broker.port, scene, "--mqtt-ca", signer[0], **secure) as engine:
            until(lambda: "--mqtt-certificate" in engine.value("/mqtt/problem"))


def test_secrets_that_others_can_read_are_refused(tmp_path, scene):
    secret = tmp_path / "secret"
    secret.write_text("hidden\n")
    secret.chmod(0o644)
    result = run("serve", "--recording", scene, "--osc-port", "0", "--http-port", "0", "--mqtt", "mqtt://me@b", "--mqtt-password-file",
                 secret, check=False)
    assert result.returncode != 0 and "chmod 600" in result.stderr and "hidden" not in result.stdout + result.stderr


@pytest.mark.parametrize("options, words", [
    (["--mqtt", "http://broker"], "mqtt://"), (["--mqtt", "mqtt://me:secret@broker"], "--mqtt-password-file"),
    (["--mqtt-name", "hall"], "require --mqtt"), (["--mqtt", "mqtts://b", "--mqtt-key", "k"], "must be given together"),
    (["--mqtt", "mqtt://b", "--mqtt-name", "a/b"], "neither spaces"), (["--mqtt", "mqtt://b", "--mqtt-ca", "x"], "mqtts://"),
])
def test_options_that_cannot_be_used_are_refused(options, words):
    result = run("serve", "--osc-port", "0", "--http-port", "0", *options, check=False)
    assert result.returncode != 0 and words in result.stdout + result.stderr
    assert "secret" not in result.stdout + result.stderr
