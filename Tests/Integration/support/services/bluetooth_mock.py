"""A simulated Bluetooth adapter: BlueZ's objects on a bus, by python-dbusmock's template with one more characteristic.

Run by the system's Python, which has dbus and dbusmock; obeys lines: `device ADDRESS NAME`, `resolve ADDRESS UUID`, `value HEX`,
`disconnect ADDRESS`, and says `done` after each.
"""

import subprocess
import sys

import dbus
import dbusmock

bus = dbus.bus.BusConnection(sys.argv[1])
process, bluez = dbusmock.DBusTestCase.spawn_server_template("bluez5", {}, stdout=subprocess.DEVNULL)
mock = dbus.Interface(bluez, "org.bluez.Mock")
mock.AddAdapter("hci0", "here")
path = None


def of(object_path):
    return dbus.Interface(bus.get_object("org.bluez", object_path), dbusmock.MOCK_IFACE)


print("done", flush=True)
for line in sys.stdin:
    word, *rest = line.split()
    if word == "device":
        device = mock.AddDevice("hci0", rest[0], " ".join(rest[1:]))
    elif word == "resolve":
        path = f"/org/bluez/hci0/dev_{rest[0].replace(':', '_')}/service000b/char000c"
        properties = {
            "UUID": rest[1], "Notifying": dbus.Boolean(False), "Value": dbus.Array([], signature="y"),
            "Flags": dbus.Array(["notify"], signature="s")}
        notify = "self.UpdateProperties('org.bluez.GattCharacteristic1', {'Notifying': dbus.Boolean(%s)})"
        bluez.AddObject(path, "org.bluez.GattCharacteristic1", properties, [
            ("StartNotify", "", "", notify % True), ("StopNotify", "", "", notify % False)],
            dbus_interface=dbusmock.MOCK_IFACE)
    elif word == "notifying":
        value = bus.get_object("org.bluez", path).Get(
            "org.bluez.GattCharacteristic1", "Notifying", dbus_interface=dbus.PROPERTIES_IFACE)
        print("yes" if value else "no", flush=True)
        continue
    elif word == "value":
        data = dbus.Array([dbus.Byte(byte) for byte in bytes.fromhex(rest[0])], signature="y", variant_level=1)
        of(path).EmitSignal(
            dbus.PROPERTIES_IFACE, "PropertiesChanged", "sa{sv}as",
            dbus.Array(["org.bluez.GattCharacteristic1", dbus.Dictionary({"Value": data}, signature="sv"),
                        dbus.Array([], signature="s")], signature="v"))
    elif word == "disconnect":
        mock.DisconnectDevice("hci0", rest[0])
    print("done", flush=True)
process.terminate()
