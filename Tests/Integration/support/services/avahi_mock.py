"""A stand-in for org.freedesktop.Avahi on a private bus, by dbus-next. It stores the announcements."""

import asyncio
import pathlib
import subprocess
import threading

from dbus_next import BusType
from dbus_next.aio import MessageBus
from dbus_next.service import ServiceInterface, method, signal

from waiting import LIMIT

CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><listen>unix:path=%s</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/>
<allow eavesdrop="true"/><allow own="*"/><allow user="*"/></policy><limit name="auth_timeout">60000</limit></busconfig>
"""


class PrivateBus:
    """A message bus in a folder; `address` is its address."""

    def __init__(self, folder):
        self.address = f"unix:path={folder}/bus"
        configuration = pathlib.Path(folder) / "bus.conf"
        configuration.write_text(CONFIGURATION % (pathlib.Path(folder) / "bus"))
        self.process = subprocess.Popen(
            ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--print-address"], stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class EntryGroup(ServiceInterface):
    """One group of announcements, as in avahi-daemon."""

    def __init__(self, owner):
        super().__init__("org.freedesktop.Avahi.EntryGroup")
        self.owner, self.entries = owner, []

    @method()
    def AddService(self, interface: "i", protocol: "i", flags: "u", name: "s", type: "s", domain: "s", host: "s",  # noqa: F722,F821
                   port: "q", text: "aay"):  # noqa: F821
        assert (interface, protocol, flags, domain, host) == (-1, -1, 0, "", "")
        self.entries.append((name, type, port, [bytes(line).decode() for line in text]))

    @method()
    def Commit(self):
        taken = any(entry[0] in self.owner.taken for entry in self.entries)
        self.owner.committed = [] if taken else list(self.entries)
        self.StateChanged(3 if taken else 2)

    @method()
    def Reset(self):
        self.entries, self.owner.committed = [], []

    @method()
    def Free(self):
        self.entries, self.owner.committed = [], []
        self.owner.freed += 1

    @signal()
    def StateChanged(self, state) -> "is":  # noqa: F722
        return [state, "org.freedesktop.Avahi.CollisionError" if state == 3 else ""]


class Server(ServiceInterface):
    def __init__(self, owner):
        super().__init__("org.freedesktop.Avahi.Server")
        self.owner = owner

    @method()
    def EntryGroupNew(self) -> "o":  # noqa: F821
        self.owner.groups += 1
        path = f"/Client1/EntryGroup{self.owner.groups}"
        self.owner.bus.export(path, EntryGroup(self.owner))
        return path

    @method()
    def GetAlternativeServiceName(self, name: "s") -> "s":  # noqa: F821
        return f"{name} #2"


class Avahi:
    """The daemon: `committed` lists its present announcements, `taken` the names in use by others."""

    def __init__(self, address, taken=()):
        self.address, self.taken = address, set(taken)
        self.committed, self.groups, self.freed = [], 0, 0
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        asyncio.run_coroutine_threadsafe(self._serve(), self.loop).result(LIMIT)

    async def _serve(self):
        self.bus = await MessageBus(bus_address=self.address, bus_type=BusType.SYSTEM).connect()
        self.bus.export("/", Server(self))
        await self.bus.request_name("org.freedesktop.Avahi")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        async def end():
            await self.bus.release_name("org.freedesktop.Avahi")
            self.bus.disconnect()

        asyncio.run_coroutine_threadsafe(end(), self.loop).result(LIMIT)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(LIMIT)
