"""mDNS through Avahi (a stand-in on a private bus), and operation without it."""

import os

import pytest

from avahi_mock import Avahi, PrivateBus
from health import becomes_well, health
from program import Engine
from waiting import until


@pytest.fixture
def bus(tmp_path):
    with PrivateBus(tmp_path) as bus:
        yield bus


def start(scene, tmp_path, address, *options):
    environment = dict(os.environ, XDG_STATE_HOME=str(tmp_path), DBUS_SYSTEM_BUS_ADDRESS=address)
    return Engine("--recording", scene, "--bind", "0.0.0.0", *options, env=environment)


def services(engine, name, *text):
    return [
        (name, "_oscjson._tcp", engine.ready["http_port"], ["txtvers=1", *text]),
        (name, "_osc._udp", engine.ready["osc_port"], ["txtvers=1", "version=1.1"])]


def test_both_ports_are_announced_and_withdrawn(scene, tmp_path, bus):
    with Avahi(bus.address) as avahi:
        with start(scene, tmp_path, bus.address, "--announce", "The hall", "--tls") as engine:
            until(lambda: avahi.committed == services(engine, "The hall", "tls=1"), describe=lambda: avahi.committed)
            until(lambda: "announced by mDNS as The hall" in engine.log)
            assert engine.stop() == 0
        until(lambda: avahi.committed == [] and avahi.freed == 1, lambda: (avahi.committed, avahi.freed))


def test_a_name_in_use_is_changed(scene, tmp_path, bus):
    with Avahi(bus.address, taken=["The hall", "The hall #2"]) as avahi:
        with start(scene, tmp_path, bus.address, "--announce", "The hall") as engine:
            until(lambda: avahi.committed == services(engine, "The hall #2 #2"), describe=lambda: avahi.committed)
            until(lambda: "announced by mDNS as The hall #2 #2" in engine.log)


def test_avahi_may_start_later_and_restart(scene, tmp_path, bus):
    with start(scene, tmp_path, bus.address) as engine:
        until(lambda: "not announced by mDNS" in engine.log)
        for _ in range(2):
            with Avahi(bus.address) as avahi:
                until(lambda: len(avahi.committed) == 2, describe=lambda: engine.log)
                assert avahi.committed[0][0].startswith("Vestibule")
            until(lambda: "Avahi has ended" in engine.log)
        becomes_well(engine)


def test_without_a_bus_everything_works(scene, tmp_path):
    with start(scene, tmp_path, f"unix:path={tmp_path}/nowhere") as engine:
        until(lambda: "not announced by mDNS: there is no system bus" in engine.log)
        becomes_well(engine)
        assert engine.stop() == 0


def test_nothing_is_announced_on_loopback(scene, tmp_path, bus):
    environment = dict(os.environ, XDG_STATE_HOME=str(tmp_path), DBUS_SYSTEM_BUS_ADDRESS=bus.address)
    with Avahi(bus.address) as avahi, Engine("--recording", scene, env=environment) as engine:
        with start(scene, tmp_path, bus.address, "--announce", "") as silent:
            until(lambda: health(engine)["blocks"] > 1000 and health(silent)["blocks"] > 1000)
            assert avahi.groups == 0 and "mDNS" not in engine.log + silent.log
