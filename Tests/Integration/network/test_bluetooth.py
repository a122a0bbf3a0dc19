"""Bluetooth LE trackers through BlueZ, here python-dbusmock's template on a private bus."""

import json
import os
import struct
import subprocess

import pytest

from program import ROOT, Engine, run
from waiting import until

ADDRESS = "AA:BB:CC:DD:EE:01"
UART = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"


class Bluetooth:
    """A private bus with BlueZ."""

    def __init__(self):
        self.daemon = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE, text=True)
        self.address = self.daemon.stdout.readline().strip()
        self.environment = {
            **os.environ, "DBUS_SYSTEM_BUS_ADDRESS": self.address, "DBUS_SESSION_BUS_ADDRESS": self.address}
        self.mock = subprocess.Popen(
            ["/usr/bin/python3", ROOT / "Tests/Integration/support/services/bluetooth_mock.py", self.address], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, env=self.environment)
        assert self.mock.stdout.readline() == "done\n"

    def tell(self, line):
        self.mock.stdin.write(line + "\n")
        self.mock.stdin.flush()
        return self.mock.stdout.readline().strip()

    def value(self, data):
        assert self.tell(f"value {data.hex()}") == "done"

    def close(self):
        self.mock.stdin.close()
        self.mock.wait(timeout=60)
        self.daemon.terminate()
        self.daemon.wait(timeout=60)


@pytest.fixture
def bluetooth():
    made = Bluetooth()
    yield made
    made.close()


def test_a_tracker_is_found_connected_lost_and_found_again(scene, bluetooth):
    with Engine("--recording", scene, "--tracker", "ble-quaternion:Head", env=bluetooth.environment) as engine:
        until(lambda: "searching for Head" in engine.log, lambda: engine.log)
        assert bluetooth.tell(f"device {ADDRESS} My Head Tracker") == "done"
        assert bluetooth.tell(f"resolve {ADDRESS} {UART.upper()}") == "done"
        until(lambda: "is connected and sending poses" in engine.log, lambda: engine.log)
        until(lambda: bluetooth.tell("notifying") == "yes")
        until(lambda: engine.value("/tracker/1/state") == "waiting")
        bluetooth.value(struct.pack("<4f", 0.7071, 0, 0, 0.7071))
        until(lambda: abs(engine.value("/listener/1/ypr")[0] - 90) < 0.1, lambda: engine.log)
        assert engine.value("/tracker/1/source") == "ble-quaternion:Head"
        # Invalid data is reported and does not turn the head.
        bluetooth.value(struct.pack("<4f", float("nan"), 0, 0, 1))
        bluetooth.value(b"\x01\x02")
        until(lambda: "not finite" in engine.value("/tracker/1/problem") or "2 bytes" in engine.value("/tracker/1/problem"))
        assert abs(engine.value("/listener/1/ypr")[0] - 90) < 0.1
        assert bluetooth.tell(f"disconnect {ADDRESS}") == "done"
        until(lambda: engine.log.count("; connecting") >= 2, lambda: engine.log)
        until(lambda: engine.log.count("is connected and sending poses") >= 2, lambda: engine.log)
        bluetooth.value(struct.pack("<4f", 0.7071, 0, 0, -0.7071))
        until(lambda: abs(engine.value("/listener/1/ypr")[0] + 90) < 0.1, lambda: engine.log)
        assert engine.stop() == 0, engine.log
    until(lambda: bluetooth.tell("notifying") == "no")


def test_a_custom_layout(scene, bluetooth, tmp_path):
    own = tmp_path / "clip.json"
    own.write_text(json.dumps({
        "name": "clip", "transport": "bluetooth", "characteristic": "0000fff1-0000-1000-8000-00805f9b34fb",
        "forms": [{"layout": ["roll", "pitch", "yaw"], "datagram": "int16-be", "offset": 1, "scale": 0.01}]}))
    bluetooth.tell(f"device {ADDRESS} clip")
    bluetooth.tell(f"resolve {ADDRESS} 0000fff1-0000-1000-8000-00805f9b34fb")
    with Engine("--recording", scene, "--tracker", f"{own}:{ADDRESS}", env=bluetooth.environment) as engine:
        until(lambda: "is connected and sending poses" in engine.log, lambda: engine.log)
        until(lambda: bluetooth.tell("notifying") == "yes")
        bluetooth.value(struct.pack(">B3h", 7, 1000, -2000, 3000))
        until(lambda: all(abs(a - b) < 0.05 for a, b in zip(engine.value("/listener/1/ypr"), [30, -20, 10])))


def test_waits_for_a_missing_bus(scene):
    environment = {**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"}
    with Engine("--recording", scene, "--tracker", "ble-quaternion:Head", env=environment) as engine:
        until(lambda: "cannot connect to the system's message bus" in engine.log)
    wrong = run("serve", "--tracker", "ble-quaternion", check=False)
    assert wrong.returncode != 0 and "address or name" in wrong.stderr
